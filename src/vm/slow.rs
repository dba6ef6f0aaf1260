#![allow(unsafe_code)]
//! The out-of-line halves of instructions: what calls the heap, channels, maps, strings, or makes a panic.
//!
//! Each function takes the registers, decodes its instruction anew and writes its results to the frame. It returns 0 when the
//! instruction is done, else the number of a [`Status`] with which the dispatcher leaves. Handlers call them as ordinary
//! functions, so nothing here needs to care about tail calls.
//!
//! # Invariants
//!
//! X1 to X5 of [`exec`](super::exec). Besides:
//!
//! - L1. No function here moves the stack or runs Go code, save [`native`].
//! - L2. What may have much to copy saves the registers first: it is left in the middle if the goroutine is asked to stop.
//!
//! Go: runtime/slice.go, string.go, map.go, chan.go, select.go, iface.go, print.go.

use super::exec::{Regs, Status};
use super::frame::{self, Defer, State};
use super::native::{Cx, GoStr, NativeFn, NativeResult, PanicValue, Slice};
use super::panic::Raise;
use super::value::{self, Iface, Uncomparable, deref};
use super::{iface, map, slice, string};
use crate::bytecode::abi;
use crate::bytecode::op::{NONE, insn};
use crate::bytecode::rtype::{ITAB_FUNCS, Itab, Kind, Rtype};
use gosched_runtime::YieldKind;
use gosched_runtime::chan::{self, Chan, ChanError, ChanOp, SlotRef};
use gosched_runtime::g::G;
use gosched_runtime::heap::{self, LayoutId};
use gosched_runtime::m::M;
use gosched_runtime::select::{self, SelectCase, SelectOp};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The words of `G::vm` that belong to the interpreter. Words from 12 on belong to natives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub enum Scratch {
    /// The G's [`State`], 0 while it has none.
    State = 0,
    /// The index that was out of range.
    Index = 1,
    /// The length it was compared with.
    Len = 2,
    /// Nonzero: a native let the goroutine wait, and is to be completed.
    Pending = 4,
    /// How a native ended: a [`NativeEnd`].
    Native = 3,
}

/// How a native ended, if neither well nor with a panic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub(super) enum NativeEnd {
    Park = 1,
    Gosched,
    Preempt,
    Local,
    Goexit,
    Unwind,
}

/// What [`map_next`] returns at the end of the map.
pub(super) const AT_END: u64 = u64::MAX;

const DONE: u64 = Status::Done as u64;

/// A native as the VM calls it.
#[derive(Clone, Copy, Debug)]
pub struct Native {
    /// Its body.
    pub func: NativeFn,
    /// Slots of its window: results and parameters.
    pub slots: u16,
    /// Its name, as tracebacks would print it.
    pub name: &'static str,
}

static NATIVES: OnceLock<Vec<Native>> = OnceLock::new();

/// Says what `CallNative` numbers mean. Called once, before any goroutine runs.
pub fn set_natives(natives: Vec<Native>) {
    let _ = NATIVES.set(natives);
}

/// The native numbered `n`.
pub(super) fn native_info(n: u32) -> Option<&'static Native> {
    NATIVES.get()?.get(n as usize)
}

/// Leaves with a panic.
#[cold]
#[inline(never)]
pub(super) unsafe fn raise(g: *mut G, r: Raise) -> u64 {
    // SAFETY: X3.
    unsafe { State::of(g) }.raise = Some(r);
    Status::Raise as u64
}

#[inline(always)]
unsafe fn m<'a>(g: *mut G) -> &'a mut M {
    // SAFETY: X3.
    unsafe { &mut *(*g).m }
}

#[inline(always)]
fn rtype(word: u64) -> &'static Rtype {
    deref(word as *const Rtype)
}

macro_rules! halves {
    ($( $(#[$doc:meta])* fn $name:ident($g:ident, $s:ident, $i:ident: $insn:ident) $body:block )*) => { $(
        $(#[$doc])*
        #[inline(never)]
        #[allow(unused_unsafe, reason = "made from the bodies")]
        pub(super) unsafe fn $name(pc: *const u64, fp: *mut u64, $g: *mut G) -> u64 {
            // SAFETY: X1 to X5 hold for the instruction at `pc`; each callee's contract is the meaning of the instruction,
            // whose operands the compiler gave the types it wants.
            unsafe {
                let $s = Regs::new(pc, fp, $g);
                let $i = *pc.cast::<insn::$insn>();
                $body
            }
        }
    )* };
}

// ---- Memory.

/// Copies a value of `bytes` bytes to slots of the frame: whole words as words.
///
/// # Safety
/// X2, X4.
#[inline(never)]
pub(super) unsafe fn load_n(dst: *mut u64, src: usize, bytes: usize) {
    // SAFETY: the caller's.
    unsafe {
        if src.is_multiple_of(8) {
            copy_words(dst, src as *const u64, bytes);
        } else {
            std::ptr::copy(src as *const u8, dst.cast(), bytes);
        }
    }
}

/// Copies whole words as words, and what is left by bytes.
unsafe fn copy_words(dst: *mut u64, src: *const u64, bytes: usize) {
    // SAFETY: the caller's. Slots and memory do not overlap, or are the same.
    unsafe {
        let n = bytes / 8;
        for k in 0..n {
            *dst.add(k) = (*src.add(k).cast::<AtomicU64>()).load(Ordering::Relaxed);
        }
        std::ptr::copy(src.add(n).cast::<u8>(), dst.add(n).cast::<u8>(), bytes % 8);
    }
}

/// A zeroed object of `size | layout << 32`.
///
/// # Safety
/// X3.
#[inline]
pub(super) unsafe fn new(g: *mut G, sl: u64) -> u64 {
    // SAFETY: X3.
    unsafe { heap::alloc(m(g), sl as u32 as usize, LayoutId((sl >> 32) as u32)) as u64 }
}

/// A new object with the value at `from`.
///
/// # Safety
/// X3, X4.
#[inline]
pub(super) unsafe fn new_copy(g: *mut G, sl: u64, from: *const u64) -> u64 {
    // SAFETY: X3; the object is as large as the value.
    unsafe {
        let p = new(g, sl);
        heap::copy_typed(
            LayoutId((sl >> 32) as u32),
            p as *mut u8,
            from.cast(),
            sl as u32 as usize,
        );
        p
    }
}

/// Loads the value of type `t` at `src` into slots: scalars extended, everything else as in memory.
///
/// # Safety
/// X2, X4.
#[inline]
unsafe fn load_value(t: &Rtype, dst: *mut u64, src: *const u8) {
    // SAFETY: the caller's.
    unsafe {
        if t.size == 8 {
            *dst = src.cast::<u64>().read();
            return;
        }
        *dst = match t.kind {
            Kind::Int8 => src.cast::<i8>().read() as i64 as u64,
            Kind::Int16 => src.cast::<i16>().read() as i64 as u64,
            Kind::Int32 => src.cast::<i32>().read() as i64 as u64,
            Kind::Bool | Kind::Uint8 => u64::from(src.read()),
            Kind::Uint16 => u64::from(src.cast::<u16>().read()),
            Kind::Uint32 | Kind::Float32 => u64::from(src.cast::<u32>().read()),
            _ => {
                load_n(dst, src as usize, t.size);
                return;
            }
        };
    }
}

/// Does a slot hold the address of such a value, rather than the value?
fn is_huge(t: &Rtype) -> bool {
    t.size as u64 > abi::BY_REF_ABOVE
}

/// Where the key of the map type `t` is that slot `k` stands for.
///
/// # Safety
/// X2.
unsafe fn key(s: Regs, t: &Rtype, k: u16) -> *const u8 {
    // SAFETY: the caller's.
    unsafe {
        if is_huge(deref(t.key)) {
            s.get(k) as *const u8
        } else {
            s.at(k).cast()
        }
    }
}

/// R[to..] := the value at `from`; a huge one becomes a copy of its own.
///
/// # Safety
/// X2, X3, and `from` is readable as a `t`.
unsafe fn give(g: *mut G, s: Regs, t: &'static Rtype, to: u16, from: *const u8) {
    // SAFETY: the caller's; the new object is as large as the value.
    unsafe {
        if is_huge(t) {
            let copy = heap::alloc(m(g), t.size, LayoutId(t.layout));
            super::slice::move_elems(t, copy, from, 1);
            s.set(to, copy as u64);
        } else {
            load_value(t, s.at(to), from);
        }
    }
}

/// Zeroes the slots of a value of type `t`.
///
/// # Safety
/// X2.
#[inline]
unsafe fn zero_value(t: &Rtype, dst: *mut u64) {
    for k in 0..t.size.div_ceil(8) {
        // SAFETY: the caller's.
        unsafe { *dst.add(k) = 0 }
    }
}

/// Stores the value of type `t` in slots at `src` to memory.
///
/// # Safety
/// X2, X4.
#[inline]
unsafe fn store_value(t: &Rtype, dst: *mut u8, src: *const u64) {
    // SAFETY: the caller's. Slots are little-endian, as memory is.
    unsafe {
        if t.size == 8 && !t.has_pointers() {
            dst.cast::<u64>().write(*src);
        } else {
            heap::copy_typed(LayoutId(t.layout), dst, src.cast(), t.size);
        }
    }
}

#[inline(always)]
fn as_slice(v: [u64; 3]) -> Slice<u8> {
    Slice {
        ptr: v[0] as *mut u8,
        len: v[1] as usize,
        cap: v[2] as usize,
    }
}

#[inline(always)]
fn as_words<T>(s: Slice<T>) -> [u64; 3] {
    [s.ptr as u64, s.len as u64, s.cap as u64]
}

#[inline(always)]
fn as_str(v: [u64; 2]) -> GoStr {
    GoStr {
        ptr: v[0] as *const u8,
        len: v[1] as usize,
    }
}

#[inline(always)]
fn str_words(s: GoStr) -> [u64; 2] {
    [s.ptr as u64, s.len as u64]
}

#[inline(always)]
fn as_iface(v: [u64; 2]) -> Iface {
    Iface {
        tab: v[0] as usize,
        data: v[1] as usize,
    }
}

/// The function at place `at` of an itab.
///
/// # Safety
/// `itab` is the address of an itab with such a place.
#[inline(always)]
pub(super) unsafe fn itab_func(itab: usize, at: u16) -> u32 {
    // SAFETY: the caller's.
    unsafe { *((itab + ITAB_FUNCS + 4 * at as usize) as *const u32) }
}

/// The type of an itab.
///
/// # Safety
/// `itab` is the address of an itab.
#[inline(always)]
pub(super) unsafe fn itab_typ(itab: usize) -> u64 {
    // SAFETY: the caller's.
    unsafe { (*(itab as *const Itab)).typ as u64 }
}

/// Are `n` bytes equal?
///
/// # Safety
/// Both are readable.
#[inline(never)]
pub(super) unsafe fn bytes_eq(a: u64, b: u64, n: u64) -> bool {
    // SAFETY: the caller's; a length of 0 reads nothing.
    n == 0
        || unsafe {
            std::slice::from_raw_parts(a as *const u8, n as usize)
                == std::slice::from_raw_parts(b as *const u8, n as usize)
        }
}

/// Compares as Go orders strings: negative, 0, positive.
///
/// # Safety
/// Both are readable.
#[inline(never)]
pub(super) unsafe fn bytes_cmp(a: u64, an: u64, b: u64, bn: u64) -> i64 {
    string::compare(as_str([a, an]), as_str([b, bn])) as i64
}

/// Go's complex128 division: infinities and NaN as C99 annex G has them.
fn quotient(nr: f64, ni: f64, mr: f64, mi: f64) -> [f64; 2] {
    let inf1 = |f: f64| f64::copysign(if f.is_infinite() { 1.0 } else { 0.0 }, f);
    // Scaled by the larger part of the divisor, to keep clear of overflow.
    let (mut e, mut f) = if mr.abs() >= mi.abs() {
        let ratio = mi / mr;
        let denom = mr + ratio * mi;
        ((nr + ni * ratio) / denom, (ni - nr * ratio) / denom)
    } else {
        let ratio = mr / mi;
        let denom = mi + ratio * mr;
        ((nr * ratio + ni) / denom, (ni * ratio - nr) / denom)
    };
    if e.is_nan() && f.is_nan() {
        let (mut a, mut b, mut c, mut d) = (nr, ni, mr, mi);
        if mr == 0.0 && mi == 0.0 && (!a.is_nan() || !b.is_nan()) {
            e = f64::INFINITY.copysign(c) * a;
            f = f64::INFINITY.copysign(c) * b;
        } else if (a.is_infinite() || b.is_infinite()) && c.is_finite() && d.is_finite() {
            (a, b) = (inf1(a), inf1(b));
            e = f64::INFINITY * (a * c + b * d);
            f = f64::INFINITY * (b * c - a * d);
        } else if (c.is_infinite() || d.is_infinite()) && a.is_finite() && b.is_finite() {
            (c, d) = (inf1(c), inf1(d));
            e = 0.0 * (a * c + b * d);
            f = 0.0 * (b * c - a * d);
        }
    }
    [e, f]
}

// ---- Calls.

/// Runs a native on the window `win` slots above `g.sched.fp`. Afterwards `g.sched` has the same registers again, moved along
/// if the stack was.
///
/// # Safety
/// X1 to X3; the registers have been saved.
#[inline(never)]
pub(super) unsafe fn native(index: u32, win: u16, g: *mut G) -> u64 {
    // SAFETY: X1 — the compiler gives only numbers of natives, and the window its native wants.
    unsafe {
        let f = match NATIVES.get().and_then(|n| n.get(index as usize)) {
            Some(n) => n.func,
            None => gosched_runtime::throw!("no native numbered {index}"),
        };
        let pc = (*g).sched.pc;
        let fp = (*g).sched.fp;
        let off = fp - (*g).stack_lo;
        // The header, so that a walk from a callback finds its way down.
        let window = fp + 8 * win as usize;
        *(window as *mut u64).sub(1) = pc as u64 + 8;
        *(window as *mut u64).sub(2) = 8 * u64::from(win);
        let end = call_native(f, g, off + 8 * win as usize);
        (*g).sched.pc = pc;
        (*g).sched.fp = (*g).stack_lo + off;
        end
    }
}

/// Runs a native body on the window at `win` bytes above `stack_lo`; returns as slow halves do.
///
/// # Safety
/// X3; the window is the native's.
pub(super) unsafe fn call_native(f: NativeFn, g: *mut G, win: usize) -> u64 {
    // SAFETY: the caller's.
    let (end, value) = unsafe {
        let mut cx = Cx::new((*g).m, g, win);
        let end = f(&mut cx);
        (
            end,
            if end == NativeResult::Panic {
                Some(cx.panic_value())
            } else {
                None
            },
        )
    };
    let end = match end {
        NativeResult::Ok => return DONE,
        NativeResult::Panic => {
            let value = value.unwrap_or(PanicValue::NilDeref);
            // SAFETY: X3.
            return unsafe { raise(g, Raise::Native(value)) };
        }
        NativeResult::Park => NativeEnd::Park,
        NativeResult::Yield(YieldKind::Gosched) => NativeEnd::Gosched,
        NativeResult::Yield(YieldKind::Preempt) => NativeEnd::Preempt,
        NativeResult::Yield(YieldKind::Local) => NativeEnd::Local,
        NativeResult::Goexit => NativeEnd::Goexit,
        NativeResult::Unwind => NativeEnd::Unwind,
    };
    // SAFETY: X3.
    unsafe { (*g).vm[Scratch::Native as usize] = end as usize };
    Status::Native as u64
}

/// What [`next_deferred`] returns for a nil func value.
pub(super) const NIL_FUNC: usize = 1;

/// The func value of this frame's newest defer record, which is taken off; 0 when there is none, [`NIL_FUNC`] for a nil one.
///
/// # Safety
/// X2, X3.
#[inline(never)]
pub(super) unsafe fn next_deferred(fp: *mut u64, g: *mut G) -> usize {
    // SAFETY: X3.
    unsafe {
        let Some(state) = State::get(g) else { return 0 };
        let frame = fp as usize - (*g).stack_lo;
        match state.defers.last() {
            Some(d) if d.frame == frame => {
                let f = d.func;
                state.defers.pop();
                if f == 0 { NIL_FUNC } else { f }
            }
            _ => 0,
        }
    }
}

halves! {
    fn go(g, s, i: Go) {
        let f = s.get(i.clo) as usize;
        if f == 0 {
            gosched_runtime::fatal!("go of nil func value");
        }
        super::engine::spawn(m(g), f, s.pc() as usize);
        DONE
    }
    fn defer(g, s, i: Defer) {
        let frame = s.fp() as usize - (*g).stack_lo;
        State::of(g).defers.push(Defer { frame, func: s.get(i.clo) as usize });
        DONE
    }
    fn recover(g, s, i: Recover) {
        s.save();
        let v = super::panic::recover(g);
        s.set2(i.dst, v);
        DONE
    }

    // ---- Complex numbers.
    fn div_c128(g, s, i: DivC128) {
        let (a, b) = (s.c128(i.a), s.c128(i.b));
        s.set_c128(i.dst, quotient(a[0], a[1], b[0], b[1]));
        DONE
    }
    fn div_c64(g, s, i: DivC64) {
        let (a, b) = (s.c64(i.a).map(f64::from), s.c64(i.b).map(f64::from));
        s.set_c64(i.dst, quotient(a[0], a[1], b[0], b[1]).map(|x| x as f32));
        DONE
    }

    // ---- Slices.
    fn make_slice(g, s, i: MakeSlice) {
        let [len, cap] = s.get2(i.len);
        match slice::make(m(g), rtype(i.elem), len as i64, cap as i64) {
            Ok(v) => {
                s.set3(i.dst, as_words(v));
                DONE
            }
            Err(text) => raise(g, Raise::Runtime(text.into())),
        }
    }
    /// `append` of one element that needs a larger array, or whose type has no form of its own.
    fn push(g, s, i: PushTyped) {
        s.save();
        let elem = rtype(i.elem);
        let v = as_slice(s.get3(i.s));
        let grown = if v.len < v.cap {
            Ok(Slice { len: v.len + 1, ..v })
        } else {
            slice::grow(m(g), elem, v, 1)
        };
        match grown {
            Ok(out) => {
                store_value(elem, out.ptr.add(v.len * elem.size), s.at(i.v));
                s.set3(i.dst, as_words(out));
                DONE
            }
            Err(text) => raise(g, Raise::Runtime(text.into())),
        }
    }
    fn grow_slice(g, s, i: GrowSlice) {
        s.save();
        let elem = rtype(i.elem);
        let v = as_slice(s.get3(i.s));
        let n = s.get(i.n) as usize;
        let out = if v.len.checked_add(n).is_some_and(|len| len <= v.cap) {
            Ok(Slice { len: v.len + n, ..v })
        } else {
            slice::grow(m(g), elem, v, n)
        };
        match out {
            Ok(out) => {
                s.set3(i.dst, as_words(out));
                DONE
            }
            Err(text) => raise(g, Raise::Runtime(text.into())),
        }
    }
    fn append_slice(g, s, i: AppendSlice) {
        s.save();
        let t = as_slice(s.get3(i.t));
        match slice::append(m(g), rtype(i.elem), as_slice(s.get3(i.s)), t.ptr, t.len) {
            Ok(out) => {
                s.set3(i.dst, as_words(out));
                DONE
            }
            Err(text) => raise(g, Raise::Runtime(text.into())),
        }
    }
    fn append_string(g, s, i: AppendString) {
        s.save();
        let t = as_str(s.get2(i.t));
        match slice::append(m(g), byte_type(), as_slice(s.get3(i.s)), t.ptr, t.len) {
            Ok(out) => {
                s.set3(i.dst, as_words(out));
                DONE
            }
            Err(text) => raise(g, Raise::Runtime(text.into())),
        }
    }
    fn copy_typed(g, s, i: CopyTyped) {
        s.save();
        let (d, p) = (s.get(i.dst) as *mut u8, s.get(i.src) as *const u8);
        slice::copy_long(m(g), LayoutId((i.sl >> 32) as u32), d, p, i.sl as u32 as usize);
        DONE
    }
    fn copy_slice(g, s, i: CopySlice) {
        s.save();
        let (d, t) = (as_slice(s.get3(i.d)), as_slice(s.get3(i.s)));
        let n = slice::copy(m(g), rtype(i.elem), d.ptr, d.len, t.ptr, t.len);
        s.set(i.n, n as u64);
        DONE
    }
    fn copy_string(g, s, i: CopyString) {
        s.save();
        let (d, t) = (as_slice(s.get3(i.d)), as_str(s.get2(i.s)));
        let n = slice::copy(m(g), byte_type(), d.ptr, d.len, t.ptr, t.len);
        s.set(i.n, n as u64);
        DONE
    }
    fn clear_slice(g, s, i: ClearSlice) {
        let elem = rtype(i.elem);
        let v = as_slice(s.get3(i.s));
        heap::zero_typed(LayoutId(elem.layout), v.ptr, v.len * elem.size);
        DONE
    }
    fn slice_s(g, s, i: SliceS) {
        let [p, _, cap] = s.get3(i.s);
        let [lo, hi] = s.get2(i.ix);
        if hi > cap {
            return raise(g, Raise::bounds(hi, cap, SLICE_ACAP));
        }
        if lo > hi {
            return raise(g, Raise::bounds(lo, hi, SLICE_B));
        }
        s.set3(i.dst, sliced(p, lo, hi, cap, i.stride));
        DONE
    }
    fn slice_s3(g, s, i: SliceS3) {
        let [p, _, cap] = s.get3(i.s);
        let [lo, hi, max] = s.get3(i.ix);
        if max > cap {
            return raise(g, Raise::bounds(max, cap, SLICE3_ACAP));
        }
        if hi > max {
            return raise(g, Raise::bounds(hi, max, SLICE3_B));
        }
        if lo > hi {
            return raise(g, Raise::bounds(lo, hi, SLICE3_C));
        }
        s.set3(i.dst, sliced(p, lo, hi, max, i.stride));
        DONE
    }
    fn slice_p(g, s, i: SliceP) {
        let p = s.get(i.ptr);
        let [lo, hi] = s.get2(i.ix);
        if p == 0 {
            return Status::Nil as u64;
        }
        if hi > i.len {
            return raise(g, Raise::bounds(hi, i.len, SLICE_ALEN));
        }
        if lo > hi {
            return raise(g, Raise::bounds(lo, hi, SLICE_B));
        }
        s.set3(i.dst, sliced(p, lo, hi, i.len, i.stride));
        DONE
    }
    fn slice_p3(g, s, i: SliceP3) {
        let p = s.get(i.ptr);
        let [lo, hi, max] = s.get3(i.ix);
        if p == 0 {
            return Status::Nil as u64;
        }
        if max > i.len {
            return raise(g, Raise::bounds(max, i.len, SLICE3_ALEN));
        }
        if hi > max {
            return raise(g, Raise::bounds(hi, max, SLICE3_B));
        }
        if lo > hi {
            return raise(g, Raise::bounds(lo, hi, SLICE3_C));
        }
        s.set3(i.dst, sliced(p, lo, hi, max, i.stride));
        DONE
    }
    fn slice_str(g, s, i: SliceStr) {
        let [p, len] = s.get2(i.s);
        let [lo, hi] = s.get2(i.ix);
        if hi > len {
            return raise(g, Raise::bounds(hi, len, SLICE_ALEN));
        }
        if lo > hi {
            return raise(g, Raise::bounds(lo, hi, SLICE_B));
        }
        s.set2(i.dst, if lo == hi { [p, 0] } else { [p + lo, hi - lo] });
        DONE
    }
    fn slice_to_arr(g, s, i: SliceToArr) {
        let [p, len, _] = s.get3(i.s);
        if len < i.len {
            return raise(g, Raise::bounds(i.len, len, CONVERT));
        }
        s.set(i.dst, p);
        DONE
    }
    fn unsafe_slice(g, s, i: UnsafeSlice) {
        let (p, n) = (s.get(i.p), s.get(i.n));
        let bytes = n.checked_mul(rtype(i.elem).size as u64).filter(|b| (n as i64) >= 0 && *b <= p.wrapping_neg());
        match bytes {
            None => return raise(g, Raise::Runtime("unsafe.Slice: len out of range".into())),
            Some(_) if p == 0 && n > 0 => {
                return raise(g, Raise::Runtime("unsafe.Slice: ptr is nil and len is not zero".into()));
            }
            Some(_) => s.set3(i.dst, [p, n, n]),
        }
        DONE
    }
    fn unsafe_string(g, s, i: UnsafeString) {
        let (p, n) = (s.get(i.p), s.get(i.n));
        if (n as i64) < 0 || n > p.wrapping_neg() && p != 0 {
            return raise(g, Raise::Runtime("unsafe.String: len out of range".into()));
        }
        if p == 0 && n > 0 {
            return raise(g, Raise::Runtime("unsafe.String: ptr is nil and len is not zero".into()));
        }
        s.set2(i.dst, [p, n]);
        DONE
    }

    // ---- Strings.
    fn concat2(g, s, i: Concat2) {
        s.save();
        let v = string::concat2(m(g), as_str(s.get2(i.a)), as_str(s.get2(i.b)));
        s.set2(i.dst, str_words(v));
        DONE
    }
    fn concat_n(g, s, i: ConcatN) {
        s.save();
        let parts = std::slice::from_raw_parts(s.at(i.base) as *const GoStr, i.n as usize);
        let v = string::concat(m(g), parts);
        s.set2(i.dst, str_words(v));
        DONE
    }
    fn str_of_bytes(g, s, i: StrOfBytes) {
        s.save();
        let v = string::from_bytes(m(g), as_slice(s.get3(i.s)));
        s.set2(i.dst, str_words(v));
        DONE
    }
    fn bytes_of_str(g, s, i: BytesOfStr) {
        s.save();
        let v = string::to_bytes(m(g), as_str(s.get2(i.s)));
        s.set3(i.dst, as_words(v));
        DONE
    }
    fn str_of_runes(g, s, i: StrOfRunes) {
        s.save();
        let [p, len, cap] = s.get3(i.s);
        let v = string::from_runes(m(g), Slice { ptr: p as *mut i32, len: len as usize, cap: cap as usize });
        s.set2(i.dst, str_words(v));
        DONE
    }
    fn runes_of_str(g, s, i: RunesOfStr) {
        s.save();
        let v = string::to_runes(m(g), as_str(s.get2(i.s)));
        s.set3(i.dst, as_words(v));
        DONE
    }
    fn str_of_rune(g, s, i: StrOfRune) {
        let v = string::from_rune(m(g), s.get(i.a) as i64);
        s.set2(i.dst, str_words(v));
        DONE
    }
    fn str_next(g, s, i: StrNext) {
        let at = s.get(i.it) as usize;
        let text = as_str(s.get2(i.s));
        let (r, width) = string::decode_rune(&text.as_bytes()[at..]);
        s.set(i.r, r as i64 as u64);
        s.set(i.it, (at + width) as u64);
        DONE
    }

    // ---- Maps.
    fn make_map(g, s, i: MakeMap) {
        let p = map::make(m(g), rtype(i.typ), s.get(i.hint) as i64);
        s.set(i.dst, p as u64);
        DONE
    }
    fn map_get(g, s, i: MapGet) {
        let t = rtype(i.typ);
        match map::get(t, s.get(i.m) as *const _, key(s, t, i.k)) {
            Ok(p) => got(s, i.dst, t, p),
            Err(e) => unhashable(g, e),
        }
    }
    fn map_get32(g, s, i: MapGet32) {
        got(s, i.dst, rtype(i.typ), map::get32(s.get(i.m) as *const _, s.get(i.k) as u32))
    }
    fn map_get64(g, s, i: MapGet64) {
        got(s, i.dst, rtype(i.typ), map::get64(s.get(i.m) as *const _, s.get(i.k)))
    }
    fn map_get_str(g, s, i: MapGetStr) {
        got(s, i.dst, rtype(i.typ), map::get_str(s.get(i.m) as *const _, as_str(s.get2(i.k))))
    }
    fn map_get2(g, s, i: MapGet2) {
        let t = rtype(i.typ);
        match map::get(t, s.get(i.m) as *const _, key(s, t, i.k)) {
            Ok(p) => got2(s, i.dst, i.ok, t, p),
            Err(e) => unhashable(g, e),
        }
    }
    fn map_get2_32(g, s, i: MapGet232) {
        got2(s, i.dst, i.ok, rtype(i.typ), map::get32(s.get(i.m) as *const _, s.get(i.k) as u32))
    }
    fn map_get2_64(g, s, i: MapGet264) {
        got2(s, i.dst, i.ok, rtype(i.typ), map::get64(s.get(i.m) as *const _, s.get(i.k)))
    }
    fn map_get2_str(g, s, i: MapGet2Str) {
        got2(s, i.dst, i.ok, rtype(i.typ), map::get_str(s.get(i.m) as *const _, as_str(s.get2(i.k))))
    }
    fn map_set(g, s, i: MapSet) {
        s.save();
        let t = rtype(i.typ);
        let map = s.get(i.m) as *mut map::Map;
        if map.is_null() {
            return nil_map(g);
        }
        match map::assign(m(g), t, map, key(s, t, i.k)) {
            Ok(p) => put(t, p, s.at(i.v)),
            Err(e) => unhashable(g, e),
        }
    }
    fn map_set32(g, s, i: MapSet32) {
        s.save();
        let t = rtype(i.typ);
        let map = s.get(i.m) as *mut map::Map;
        if map.is_null() {
            return nil_map(g);
        }
        put(t, map::assign32(m(g), t, map, s.get(i.k) as u32), s.at(i.v))
    }
    fn map_set64(g, s, i: MapSet64) {
        s.save();
        let t = rtype(i.typ);
        let map = s.get(i.m) as *mut map::Map;
        if map.is_null() {
            return nil_map(g);
        }
        put(t, map::assign64(m(g), t, map, s.get(i.k)), s.at(i.v))
    }
    fn map_set_str(g, s, i: MapSetStr) {
        s.save();
        let t = rtype(i.typ);
        let map = s.get(i.m) as *mut map::Map;
        if map.is_null() {
            return nil_map(g);
        }
        put(t, map::assign_str(m(g), t, map, as_str(s.get2(i.k))), s.at(i.v))
    }
    fn map_find(g, s, i: MapFind) {
        let t = rtype(i.typ);
        match map::get(t, s.get(i.m) as *const _, key(s, t, i.k)) {
            Ok(p) => {
                s.set(i.dst, p as u64);
                DONE
            }
            Err(e) => unhashable(g, e),
        }
    }
    fn map_addr(g, s, i: MapAddr) {
        s.save();
        let map = s.get(i.m) as *mut map::Map;
        if map.is_null() {
            return nil_map(g);
        }
        let t = rtype(i.typ);
        match map::assign(m(g), t, map, key(s, t, i.k)) {
            Ok(p) => {
                s.set(i.dst, p as u64);
                DONE
            }
            Err(e) => unhashable(g, e),
        }
    }
    fn map_addr32(g, s, i: MapAddr32) {
        s.save();
        let map = s.get(i.m) as *mut map::Map;
        if map.is_null() {
            return nil_map(g);
        }
        let p = map::assign32(m(g), rtype(i.typ), map, s.get(i.k) as u32);
        s.set(i.dst, p as u64);
        DONE
    }
    fn map_addr64(g, s, i: MapAddr64) {
        s.save();
        let map = s.get(i.m) as *mut map::Map;
        if map.is_null() {
            return nil_map(g);
        }
        let p = map::assign64(m(g), rtype(i.typ), map, s.get(i.k));
        s.set(i.dst, p as u64);
        DONE
    }
    fn map_addr_str(g, s, i: MapAddrStr) {
        s.save();
        let map = s.get(i.m) as *mut map::Map;
        if map.is_null() {
            return nil_map(g);
        }
        let p = map::assign_str(m(g), rtype(i.typ), map, as_str(s.get2(i.k)));
        s.set(i.dst, p as u64);
        DONE
    }
    fn map_del(g, s, i: MapDel) {
        let t = rtype(i.typ);
        match map::delete(t, s.get(i.m) as *mut _, key(s, t, i.k)) {
            Ok(()) => DONE,
            Err(e) => unhashable(g, e),
        }
    }
    fn map_del32(g, s, i: MapDel32) {
        map::delete32(rtype(i.typ), s.get(i.m) as *mut _, s.get(i.k) as u32);
        DONE
    }
    fn map_del64(g, s, i: MapDel64) {
        map::delete64(rtype(i.typ), s.get(i.m) as *mut _, s.get(i.k));
        DONE
    }
    fn map_del_str(g, s, i: MapDelStr) {
        map::delete_str(rtype(i.typ), s.get(i.m) as *mut _, as_str(s.get2(i.k)));
        DONE
    }
    fn map_len(g, s, i: MapLen) {
        // SAFETY: the slot holds a map value.
        let n = unsafe { map::len(s.get(i.m) as *const _) };
        s.set(i.dst, n as u64);
        DONE
    }
    fn map_clear(g, s, i: MapClear) {
        map::clear(s.get(i.m) as *mut _);
        DONE
    }
    fn map_iter(g, s, i: MapIter) {
        map::iter_init(m(g), s.get(i.m) as *mut _, s.at(i.it).cast());
        DONE
    }
    fn map_next(g, s, i: MapNext) {
        let t = rtype(i.typ);
        match map::iter_next(t, &mut *s.at(i.it).cast()) {
            None => AT_END,
            Some((k, v)) => {
                if i.k != NONE {
                    give(g, s, deref(t.key), i.k, k);
                }
                if i.v != NONE {
                    give(g, s, deref(t.elem), i.v, v);
                }
                DONE
            }
        }
    }

    // ---- Channels.
    fn make_chan(g, s, i: MakeChan) {
        let elem = deref(rtype(i.typ).elem);
        let n = s.get(i.size) as i64;
        let (size, layout) = if is_huge(elem) {
            // It travels as its address; but the room that Go would need counts.
            let too_many = n.saturating_mul(elem.size as i64) > 1 << 48;
            if too_many {
                return raise(g, Raise::Plain(ChanError::TEXT.into()));
            }
            (8, value::layouts::pointer())
        } else {
            // A scalar travels as its whole slot, so that what is received is extended already.
            let size = if value::is_direct(elem) && elem.size != 0 { 8 } else { elem.size };
            (size, LayoutId(elem.layout))
        };
        match chan::make_chan(m(g), size, layout, n) {
            Ok(c) => {
                s.set(i.dst, c as u64);
                DONE
            }
            Err(ChanError::SizeOutOfRange) => raise(g, Raise::Plain(ChanError::TEXT.into())),
        }
    }
    fn send(g, s, i: Send) {
        let elem = slot_ref(g, s.fp(), i.v);
        match chan::send(m(g), &mut *g, s.get(i.ch) as *mut Chan, elem, true) {
            ChanOp::Done(_) => DONE,
            ChanOp::Blocked | ChanOp::WouldBlock => Status::Park as u64,
            ChanOp::Panic(text) => raise(g, Raise::Plain(text.into())),
        }
    }
    fn send_done(g, s, i: SendDone) {
        let _ = (s, i);
        match chan::finish_send(m(g), &mut *g) {
            Ok(()) => DONE,
            Err(text) => raise(g, Raise::Plain(text.into())),
        }
    }
    fn recv(g, s, i: Recv) {
        let elem = slot_ref(g, s.fp(), i.dst);
        match chan::recv(m(g), &mut *g, s.get(i.ch) as *mut Chan, elem, true) {
            ChanOp::Done(ok) => {
                if i.ok != NONE {
                    s.set(i.ok, u64::from(ok));
                }
                DONE
            }
            ChanOp::Blocked | ChanOp::WouldBlock => {
                // What the slots held before must not outlive the wait. The channel's lock is held until the goroutine has left.
                if i.dst != NONE {
                    for k in 0..i.n as usize {
                        *s.at(i.dst).add(k) = 0;
                    }
                }
                Status::Park as u64
            }
            ChanOp::Panic(text) => raise(g, Raise::Plain(text.into())),
        }
    }
    fn recv_done(g, s, i: RecvDone) {
        let ok = chan::finish_recv(m(g), &mut *g);
        if i.ok != NONE {
            s.set(i.ok, u64::from(ok));
        }
        DONE
    }
    fn close(g, s, i: Close) {
        match chan::close(m(g), s.get(i.ch) as *mut Chan) {
            Ok(()) => DONE,
            Err(text) => raise(g, Raise::Plain(text.into())),
        }
    }
    fn chan_len(g, s, i: ChanLen) {
        let c = s.get(i.ch) as *const Chan;
        s.set(i.dst, if c.is_null() { 0 } else { chan::len(c) as u64 });
        DONE
    }
    fn chan_cap(g, s, i: ChanCap) {
        let c = s.get(i.ch) as *const Chan;
        s.set(i.dst, if c.is_null() { 0 } else { chan::cap(c) as u64 });
        DONE
    }
    fn select(g, s, i: Select) {
        const FEW: usize = 16;
        let n = i.n as usize;
        let case = |k: usize| {
            let [ch, how] = *s.at(i.blk).add(2 * k).cast::<[u64; 2]>();
            SelectCase { chan: ch as *mut Chan, elem: slot_ref(g, s.fp(), how as u16), is_send: how >> 16 & 1 == 0 }
        };
        let may_block = i.flags & 1 == 0;
        let op = if n <= FEW {
            let none = SelectCase { chan: std::ptr::null_mut(), elem: SlotRef::NONE, is_send: false };
            let mut cases = [none; FEW];
            for (k, c) in cases[..n].iter_mut().enumerate() {
                *c = case(k);
            }
            select::select(m(g), &mut *g, &cases[..n], may_block)
        } else {
            let cases: Vec<SelectCase> = (0..n).map(case).collect();
            select::select(m(g), &mut *g, &cases, may_block)
        };
        selected(s, i.idx, i.ok, op)
    }
    fn select_done(g, s, i: SelectDone) {
        let op = select::finish(m(g), &mut *g);
        selected(s, i.idx, i.ok, op)
    }

    // ---- Interfaces.
    fn eq_eface(g, s, i: EqEface) {
        match value::efaces_equal(as_iface(s.get2(i.a)), as_iface(s.get2(i.b))) {
            Ok(eq) => {
                s.set(i.dst, u64::from(eq));
                DONE
            }
            Err(e) => uncomparable(g, e),
        }
    }
    fn eq_iface(g, s, i: EqIface) {
        match value::ifaces_equal(as_iface(s.get2(i.a)), as_iface(s.get2(i.b))) {
            Ok(eq) => {
                s.set(i.dst, u64::from(eq));
                DONE
            }
            Err(e) => uncomparable(g, e),
        }
    }
    fn eq_typed(g, s, i: EqTyped) {
        match value::equal(rtype(i.typ), s.at(i.a).cast(), s.at(i.b).cast()) {
            Ok(eq) => {
                s.set(i.dst, u64::from(eq));
                DONE
            }
            Err(e) => uncomparable(g, e),
        }
    }
    fn eq_mem(g, s, i: EqMem) {
        s.save();
        match value::equal_long(m(g), rtype(i.typ), s.get(i.a) as *const u8, s.get(i.b) as *const u8) {
            Ok(eq) => {
                s.set(i.dst, u64::from(eq));
                DONE
            }
            Err(e) => uncomparable(g, e),
        }
    }
    fn conv_iface(g, s, i: ConvIface) {
        let [t, data] = s.get2(i.src);
        let tab = if t == 0 { 0 } else { iface::itab(rtype(i.typ), rtype(t)) as u64 };
        s.set2(i.dst, [tab, data]);
        DONE
    }
    /// Fails: the fast path has found another type.
    fn assert_e(g, s, i: AssertE) {
        let t = s.get(i.src);
        raise(g, assertion(i.stat, t, i.typ))
    }
    fn assert_i(g, s, i: AssertI) {
        let tab = s.get(i.src) as usize;
        let t = if tab == 0 { 0 } else { itab_typ(tab) };
        raise(g, assertion(i.stat, t, i.typ))
    }
    fn assert_iface(g, s, i: AssertIface) {
        let [t, data] = s.get2(i.src);
        let tab = if t == 0 { std::ptr::null() } else { iface::itab(rtype(i.typ), rtype(t)) };
        if tab.is_null() {
            return raise(g, assertion(0, t, i.typ));
        }
        s.set2(i.dst, [tab as u64, data]);
        DONE
    }
    fn assert_iface2(g, s, i: AssertIface2) {
        let [t, data] = s.get2(i.src);
        let tab = if t == 0 { std::ptr::null() } else { iface::itab(rtype(i.typ), rtype(t)) };
        let ok = !tab.is_null();
        s.set2(i.dst, if ok { [tab as u64, data] } else { [0, 0] });
        s.set(i.ok, u64::from(ok));
        DONE
    }
    fn assert_eface(g, s, i: AssertEface) {
        let v = s.get2(i.src);
        if v[0] == 0 {
            return raise(g, assertion(0, 0, 0));
        }
        s.set2(i.dst, v);
        DONE
    }
    fn method_nil(g, s, i: MethodNil) {
        let _ = s;
        let text = as_str([i.text, i.n]).to_text();
        raise(g, Raise::Plain(text.into()))
    }

    // ---- print and println.
    fn print(g, s, i: Print) {
        let buf = &mut State::of(g).print;
        match i.kind {
            0 => buf.push_str(if s.get(i.v) != 0 { "true" } else { "false" }),
            1 => put_text(buf, format_args!("{}", s.get(i.v) as i64)),
            2 => put_text(buf, format_args!("{}", s.get(i.v))),
            3 => super::panic::push_float(buf, s.f64(i.v)),
            4 => super::panic::push_complex(buf, s.f64(i.v), s.f64(i.v + 1)),
            5 => buf.push_bytes(as_str(s.get2(i.v)).as_bytes()),
            6 => put_text(buf, format_args!("{:#x}", s.get(i.v))),
            7 => {
                let [t, d] = s.get2(i.v);
                put_text(buf, format_args!("({t:#x},{d:#x})"));
            }
            8 => {
                let [p, len, cap] = s.get3(i.v);
                put_text(buf, format_args!("[{len}/{cap}]{p:#x}"));
            }
            9 => buf.push_str(" "),
            11 => super::panic::push_float32(buf, s.f32(i.v)),
            12 => {
                let [re, im] = s.c64(i.v);
                super::panic::push_complex64(buf, re, im);
            }
            _ => buf.push_str("\n"),
        }
        DONE
    }
    /// One statement is one write, so statements of different goroutines do not mix.
    fn print_lock(g, s, i: PrintLock) {
        let _ = s;
        if i.on == 0 {
            let buf = std::mem::take(&mut State::of(g).print);
            frame::write_stderr(buf.as_bytes());
        }
        DONE
    }
}

fn put_text(buf: &mut frame::Bytes, text: std::fmt::Arguments<'_>) {
    use std::fmt::Write;
    let _ = buf.write_fmt(text);
}

// Go's numbers for what was out of bounds.
const SLICE_ALEN: u8 = 1;
const SLICE_ACAP: u8 = 2;
const SLICE_B: u8 = 3;
const SLICE3_ALEN: u8 = 4;
const SLICE3_ACAP: u8 = 5;
const SLICE3_B: u8 = 6;
const SLICE3_C: u8 = 7;
const CONVERT: u8 = 8;

/// A slice of `p`, checked before. One of no capacity keeps `p`: it must not point past the object.
#[inline(always)]
fn sliced(p: u64, lo: u64, hi: u64, cap: u64, stride: u64) -> [u64; 3] {
    [
        if lo == cap { p } else { p + lo * stride },
        hi - lo,
        cap - lo,
    ]
}

/// The type of the bytes of strings.
fn byte_type() -> &'static Rtype {
    static BYTE: OnceLock<crate::bytecode::rtype::Ty> = OnceLock::new();
    BYTE.get_or_init(|| crate::bytecode::rtype::basic(Kind::Uint8, "uint8"))
        .get()
}

unsafe fn slot_ref(g: *mut G, fp: *mut u64, slot: u16) -> SlotRef {
    if slot == NONE {
        return SlotRef::NONE;
    }
    // SAFETY: X2, X3.
    SlotRef::stack(unsafe { fp as usize + 8 * slot as usize - (*g).stack_lo })
}

unsafe fn got(s: Regs, dst: u16, map: &Rtype, p: *const u8) -> u64 {
    // SAFETY: X2; `p` is null or a value of the map.
    unsafe {
        let t = deref(map.elem);
        if p.is_null() {
            zero_value(t, s.at(dst))
        } else {
            load_value(t, s.at(dst), p)
        }
    }
    DONE
}

unsafe fn got2(s: Regs, dst: u16, ok: u64, map: &Rtype, p: *const u8) -> u64 {
    // SAFETY: as `got`.
    unsafe {
        if dst != NONE {
            got(s, dst, map, p);
        }
        s.set(ok as u16, u64::from(!p.is_null()));
    }
    DONE
}

unsafe fn put(map: &Rtype, p: *mut u8, from: *const u64) -> u64 {
    // SAFETY: `p` is the place of a value in the map.
    unsafe { store_value(deref(map.elem), p, from) };
    DONE
}

unsafe fn selected(s: Regs, idx: u16, ok: u64, op: SelectOp) -> u64 {
    let (index, received) = match op {
        SelectOp::Ready(index, received) => (index as u64, received),
        SelectOp::Default => (u64::MAX, false),
        SelectOp::Blocked => return Status::Park as u64,
        // SAFETY: X3.
        SelectOp::Panic(text) => return unsafe { raise(s.g(), Raise::Plain(text.into())) },
    };
    // SAFETY: X2.
    unsafe {
        s.set(idx, index);
        if ok as u16 != NONE {
            s.set(ok as u16, u64::from(received));
        }
    }
    DONE
}

#[cold]
unsafe fn nil_map(g: *mut G) -> u64 {
    // SAFETY: X3.
    unsafe { raise(g, Raise::Plain("assignment to entry in nil map".into())) }
}

#[cold]
unsafe fn unhashable(g: *mut G, e: Uncomparable) -> u64 {
    // SAFETY: X3.
    unsafe { raise(g, Raise::Runtime(e.hashing().into())) }
}

#[cold]
unsafe fn uncomparable(g: *mut G, e: Uncomparable) -> u64 {
    // SAFETY: X3.
    unsafe { raise(g, Raise::Runtime(e.comparing().into())) }
}

/// The failure of an assertion; `stat` 0: to an interface type; `asserted` 0: `any`.
#[cold]
fn assertion(stat: u64, concrete: u64, asserted: u64) -> Raise {
    let opt = |w: u64| (w != 0).then(|| rtype(w));
    Raise::Assertion {
        stat: opt(stat),
        concrete: opt(concrete),
        asserted: opt(asserted),
    }
}
