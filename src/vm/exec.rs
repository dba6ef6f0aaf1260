#![allow(unsafe_code)]
//! What each instruction does: one body per opcode, from which both dispatchers are made.
//!
//! The *threaded* dispatcher is a handler for each opcode: it does its work and jumps (a sibling call) to the next
//! instruction's handler through a table. A handler keeps no stack frame on its hot path; whatever is rare or long leaves
//! with a [`Status`] or calls a function of [`slow`](super::slow) that is not inlined. The *looped* dispatcher is one
//! `loop { match }` over the same bodies: for builds where calls do not become jumps, and for other processors.
//! [`prepare`] finds out at start which of them this build can use.
//!
//! An instruction that cannot go on saves its registers in `g.sched` and returns: `pc` is then that of the instruction itself,
//! unless it has been completed (a park whose completion is the next instruction, a loop safepoint whose target is).
//!
//! # Invariants
//!
//! - X1. `pc` is the address of an instruction in the code arena; operands are of the kinds that `op` declares and slots lie
//!   in the frame (the compiler made them so, the verifier checks it).
//! - X2. `fp` is the frame on `g`'s stack; the prologue has made sure of `frame_max` slots above it.
//! - X3. `g` is the running G and `g.m` its M, which holds a P.
//! - X4. An address that an instruction reads or writes is nil-checked or of a slice whose bounds were checked; what the program
//!   got from `unsafe` or by a data race may fault as in Go.
//! - X5. Nothing with a destructor, and no address of a local, is alive when a handler ends: else its tail call would be a call.
//!
//! Go: none; compare cmd/compile/internal/ssagen and runtime/asm_amd64.s.

use crate::bytecode::op::{NONE, Op, insn};
use crate::bytecode::pair::Pair;
use crate::for_each_op;
use gosched_runtime::g::G;
use gosched_runtime::heap::{self, LayoutId};
use gosched_runtime::mutex::{self, Mutex};
use std::sync::atomic::{
    AtomicU8, AtomicU16, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed,
};

use super::native::PIECE;
use super::slow::{self, Scratch};
use super::trap;
#[cfg(all(target_arch = "x86_64", not(miri)))]
use super::trap::touch;
use gosched_runtime::signal::NIL_PAGE;

/// Why the dispatcher returned. `g.sched` holds the registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u64)]
pub enum Status {
    /// Never returned: a slow half has done its work.
    Done = 0,
    /// A prologue's stack check failed.
    Enter,
    /// A loop safepoint was asked to stop; `pc` is the loop's head.
    Loop,
    /// Nil dereference.
    Nil,
    /// Nil dereference that the machine has noticed, at the address in [`Scratch::Index`].
    Fault,
    /// An index is out of range: [`Scratch::Index`], [`Scratch::Len`].
    Bounds,
    /// Division by zero.
    Divide,
    /// Negative shift count.
    Shift,
    /// The panic in the G's state is to be raised.
    Raise,
    /// `panic(v)`.
    Panic,
    /// Leave to wait; the M's park fields are set. `pc` completes the operation.
    Park,
    /// A native ended otherwise than well.
    Native,
    /// The goroutine's function has returned.
    Exit,
    /// A function called by a native has returned.
    NativeReturn,
    /// A deferred call made by a panic or Goexit has returned.
    DeferReturn,
    /// An instruction that must never run.
    Unreachable,
}

impl Status {
    /// The status numbered `n`.
    pub fn from_u64(n: u64) -> Status {
        use Status::*;
        const ALL: [Status; 16] = [
            Done,
            Enter,
            Loop,
            Nil,
            Fault,
            Bounds,
            Divide,
            Shift,
            Raise,
            Panic,
            Park,
            Native,
            Exit,
            NativeReturn,
            DeferReturn,
            Unreachable,
        ];
        ALL[n as usize]
    }
}

/// The registers of the machine.
#[derive(Clone, Copy)]
pub(super) struct Regs {
    pc: *const u64,
    fp: *mut u64,
    g: *mut G,
    table: *const Handler,
}

/// The registers' face for the bodies. All calls rest on X1 and X2.
impl Regs {
    pub(super) fn new(pc: *const u64, fp: *mut u64, g: *mut G) -> Regs {
        Regs {
            pc,
            fp,
            g,
            table: std::ptr::null(),
        }
    }
    pub(super) fn g(self) -> *mut G {
        self.g
    }
    pub(super) fn pc(self) -> *const u64 {
        self.pc
    }
    pub(super) fn fp(self) -> *mut u64 {
        self.fp
    }
    #[inline(always)]
    pub(super) unsafe fn at(self, slot: u16) -> *mut u64 {
        // SAFETY: X2.
        unsafe { self.fp.add(slot as usize) }
    }
    #[inline(always)]
    pub(super) unsafe fn byte(self, at: i32) -> usize {
        (self.fp as usize).wrapping_add(at as usize)
    }
    #[inline(always)]
    pub(super) unsafe fn get(self, slot: u16) -> u64 {
        // SAFETY: X2.
        unsafe { *self.at(slot) }
    }
    #[inline(always)]
    pub(super) unsafe fn set(self, slot: u16, v: u64) {
        // SAFETY: X2.
        unsafe { *self.at(slot) = v }
    }
    #[inline(always)]
    pub(super) unsafe fn get2(self, slot: u16) -> [u64; 2] {
        // SAFETY: X2.
        unsafe { [self.get(slot), *self.at(slot).add(1)] }
    }
    #[inline(always)]
    pub(super) unsafe fn set2(self, slot: u16, v: [u64; 2]) {
        // SAFETY: X2.
        unsafe {
            *self.at(slot) = v[0];
            *self.at(slot).add(1) = v[1];
        }
    }
    #[inline(always)]
    pub(super) unsafe fn get3(self, slot: u16) -> [u64; 3] {
        // SAFETY: X2.
        unsafe { [self.get(slot), *self.at(slot).add(1), *self.at(slot).add(2)] }
    }
    #[inline(always)]
    pub(super) unsafe fn set3(self, slot: u16, v: [u64; 3]) {
        // SAFETY: X2.
        unsafe {
            *self.at(slot) = v[0];
            *self.at(slot).add(1) = v[1];
            *self.at(slot).add(2) = v[2];
        }
    }
    #[inline(always)]
    pub(super) unsafe fn f64(self, slot: u16) -> f64 {
        // SAFETY: X2.
        f64::from_bits(unsafe { self.get(slot) })
    }
    #[inline(always)]
    pub(super) unsafe fn set_f64(self, slot: u16, v: f64) {
        // SAFETY: X2.
        unsafe { self.set(slot, v.to_bits()) }
    }
    #[inline(always)]
    pub(super) unsafe fn f32(self, slot: u16) -> f32 {
        // SAFETY: X2.
        f32::from_bits(unsafe { self.get(slot) } as u32)
    }
    #[inline(always)]
    pub(super) unsafe fn set_f32(self, slot: u16, v: f32) {
        // SAFETY: X2.
        unsafe { self.set(slot, u64::from(v.to_bits())) }
    }
    #[inline(always)]
    pub(super) unsafe fn c128(self, slot: u16) -> [f64; 2] {
        // SAFETY: X2.
        unsafe { self.get2(slot) }.map(f64::from_bits)
    }
    #[inline(always)]
    pub(super) unsafe fn set_c128(self, slot: u16, v: [f64; 2]) {
        // SAFETY: X2.
        unsafe { self.set2(slot, v.map(f64::to_bits)) }
    }
    #[inline(always)]
    pub(super) unsafe fn c64(self, slot: u16) -> [f32; 2] {
        // SAFETY: X2.
        let v = unsafe { self.get(slot) };
        [f32::from_bits(v as u32), f32::from_bits((v >> 32) as u32)]
    }
    #[inline(always)]
    pub(super) unsafe fn set_c64(self, slot: u16, v: [f32; 2]) {
        // SAFETY: X2.
        unsafe {
            self.set(
                slot,
                u64::from(v[0].to_bits()) | u64::from(v[1].to_bits()) << 32,
            )
        }
    }
    /// `g.stackguard0`.
    #[inline(always)]
    pub(super) unsafe fn guard(self) -> usize {
        // SAFETY: X3.
        unsafe { (*self.g).stackguard0.load(Relaxed) }
    }
    /// Is a loop safepoint asked to stop?
    #[inline(always)]
    pub(super) unsafe fn is_asked_to_stop(self) -> bool {
        // SAFETY: X3.
        unsafe { (*self.g).loop_guard.load(Relaxed) != 0 }
    }
    /// Where a return goes.
    #[inline(always)]
    pub(super) unsafe fn caller(self) -> (*const u64, *mut u64) {
        // SAFETY: X2 — every frame has a header below it.
        unsafe {
            let delta = *self.fp.sub(2) as usize;
            (*self.fp.sub(1) as *const u64, self.fp.byte_sub(delta))
        }
    }
    /// Are the strings in slots `a` and `b` equal?
    #[inline(always)]
    unsafe fn str_eq(self, a: u16, b: u16) -> bool {
        // SAFETY: X4 — strings are readable for their length; T2.
        unsafe {
            let (a, b) = (self.get2(a), self.get2(b));
            a[1] == b[1]
                && (a[0] == b[0] || {
                    self.save();
                    slow::bytes_eq(a[0], b[0], a[1])
                })
        }
    }
    /// Compares the strings in slots `a` and `b`: negative, 0, positive.
    #[inline(always)]
    unsafe fn str_cmp(self, a: u16, b: u16) -> i64 {
        // SAFETY: X4, T2.
        unsafe {
            let (a, b) = (self.get2(a), self.get2(b));
            self.save();
            slow::bytes_cmp(a[0], a[1], b[0], b[1])
        }
    }
    /// Loads the word `D` bytes behind `p`, which no instruction has compared with nil.
    #[inline(always)]
    unsafe fn ld64<const D: usize>(self, p: usize) -> u64 {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        // SAFETY: X4.
        unsafe {
            let v;
            touch!(self, "mov {v}, qword ptr [{p} + {d}]"; v = lateout(reg) v, p = in(reg) p, d = const D);
            v
        }
        #[cfg(not(all(target_arch = "x86_64", not(miri))))]
        // SAFETY: X4.
        unsafe {
            ld::<u64>(p + D)
        }
    }
    /// Loads element `x` of a slice of floats with its data at `p`.
    #[inline(always)]
    unsafe fn ld_elem_f64(self, p: usize, x: usize) -> f64 {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        // SAFETY: X4.
        unsafe {
            let v;
            touch!(self, "movsd {v}, qword ptr [{p} + {x} * 8]"; v = lateout(xmm_reg) v, p = in(reg) p, x = in(reg) x);
            v
        }
        #[cfg(not(all(target_arch = "x86_64", not(miri))))]
        // SAFETY: X4.
        unsafe {
            f64::from_bits(ld::<u64>(elem(p, x, 8)))
        }
    }
    /// Loads element `x` of a slice or string with its data at `p`; see [`elem`].
    #[inline(always)]
    unsafe fn ld_elem<T: Mem>(self, p: usize, x: usize) -> u64 {
        // SAFETY: X4.
        unsafe { T::load_elem(self, p, x) }
    }
    /// Stores element `x` of a slice with its data at `p`.
    #[inline(always)]
    unsafe fn st_elem<T: Mem>(self, p: usize, x: usize, v: u64) {
        // SAFETY: X4.
        unsafe { T::store_elem(self, p, x, v) }
    }
    /// `p`, which may be accessed now for it has been touched.
    #[inline(always)]
    unsafe fn touched(self, p: usize) -> usize {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        // SAFETY: X4.
        unsafe {
            touch!(self, "test byte ptr [{p}], al"; p = in(reg) p)
        }
        p
    }
    #[inline(always)]
    pub(super) unsafe fn save(self) {
        // SAFETY: X3.
        unsafe {
            (*self.g).sched.pc = self.pc as usize;
            (*self.g).sched.fp = self.fp as usize;
        }
    }
}

/// Go memory of one size: what other threads may see is accessed whole.
pub(super) trait Mem: Copy {
    /// Loads it, extended to a slot.
    unsafe fn load(p: usize) -> u64;
    /// Stores the low bits of a slot.
    unsafe fn store(p: usize, v: u64);
    /// As [`load`](Self::load), from place `x` behind `p`, which may be nil.
    unsafe fn load_elem(s: Regs, p: usize, x: usize) -> u64;
    /// As [`store`](Self::store), to place `x` behind `p`, which may be nil.
    unsafe fn store_elem(s: Regs, p: usize, x: usize, v: u64);
}

/// The machine's instructions for elements of one size at `p` and `x`: how they load and store.
macro_rules! mem {
    ($($t:ty, $atomic:ty, $load:literal, $store:literal;)*) => { $(
        impl Mem for $t {
            #[inline(always)]
            unsafe fn load(p: usize) -> u64 {
                if is_checked_misaligned::<$t>(p) {
                    // SAFETY: X4.
                    return unsafe { read_misaligned::<$t>(p) as i64 as u64 };
                }
                // SAFETY: X4.
                unsafe { (*(p as *const $atomic)).load(Relaxed) as $t as i64 as u64 }
            }
            #[inline(always)]
            unsafe fn store(p: usize, v: u64) {
                if is_checked_misaligned::<$t>(p) {
                    // SAFETY: X4.
                    return unsafe { write_misaligned(p, v as $t) };
                }
                // SAFETY: X4.
                unsafe { (*(p as *const $atomic)).store(v as _, Relaxed) }
            }
            #[inline(always)]
            unsafe fn load_elem(s: Regs, p: usize, x: usize) -> u64 {
                #[cfg(all(target_arch = "x86_64", not(miri)))]
                // SAFETY: X4.
                unsafe {
                    let v;
                    touch!(s, $load; v = lateout(reg) v, p = in(reg) p, x = in(reg) x);
                    v
                }
                #[cfg(not(all(target_arch = "x86_64", not(miri))))]
                // SAFETY: X4.
                unsafe {
                    let _ = s;
                    Self::load(elem(p, x, size_of::<$t>()))
                }
            }
            #[inline(always)]
            unsafe fn store_elem(s: Regs, p: usize, x: usize, v: u64) {
                #[cfg(all(target_arch = "x86_64", not(miri)))]
                // SAFETY: X4.
                unsafe {
                    touch!(s, $store; v = in(reg) v, p = in(reg) p, x = in(reg) x)
                }
                #[cfg(not(all(target_arch = "x86_64", not(miri))))]
                // SAFETY: X4.
                unsafe {
                    let _ = s;
                    Self::store(elem(p, x, size_of::<$t>()), v)
                }
            }
        }
    )* };
}
mem! {
    u8, AtomicU8, "movzx {v:e}, byte ptr [{p} + {x}]", "mov byte ptr [{p} + {x}], {v:l}";
    i8, AtomicU8, "movsx {v}, byte ptr [{p} + {x}]", "mov byte ptr [{p} + {x}], {v:l}";
    u16, AtomicU16, "movzx {v:e}, word ptr [{p} + {x} * 2]", "mov word ptr [{p} + {x} * 2], {v:x}";
    i16, AtomicU16, "movsx {v}, word ptr [{p} + {x} * 2]", "mov word ptr [{p} + {x} * 2], {v:x}";
    u32, AtomicU32, "mov {v:e}, dword ptr [{p} + {x} * 4]", "mov dword ptr [{p} + {x} * 4], {v:e}";
    i32, AtomicU32, "movsxd {v}, dword ptr [{p} + {x} * 4]", "mov dword ptr [{p} + {x} * 4], {v:e}";
    u64, AtomicU64, "mov {v}, qword ptr [{p} + {x} * 8]", "mov qword ptr [{p} + {x} * 8], {v}";
}

/// Does Rust look at the alignment of addresses (in builds with assertions), and is this one wrong? The machine takes any, and
/// so does Go through `unsafe`.
#[inline(always)]
fn is_checked_misaligned<T>(p: usize) -> bool {
    cfg!(debug_assertions) && !p.is_multiple_of(align_of::<T>())
}

/// Not in line: what it keeps on the stack would keep handlers from jumping.
#[cold]
#[inline(never)]
unsafe fn read_misaligned<T>(p: usize) -> T {
    // SAFETY: X4.
    unsafe { (p as *const T).read_unaligned() }
}

/// As [`read_misaligned`].
#[cold]
#[inline(never)]
unsafe fn write_misaligned<T>(p: usize, v: T) {
    // SAFETY: X4.
    unsafe { (p as *mut T).write_unaligned(v) }
}

#[inline(always)]
unsafe fn ld<T: Mem>(p: usize) -> u64 {
    // SAFETY: X4.
    unsafe { T::load(p) }
}
#[inline(always)]
unsafe fn ld2(p: usize) -> [u64; 2] {
    // SAFETY: X4.
    unsafe { [ld::<u64>(p), ld::<u64>(p + 8)] }
}
#[inline(always)]
unsafe fn ld3(p: usize) -> [u64; 3] {
    // SAFETY: X4.
    unsafe { [ld::<u64>(p), ld::<u64>(p + 8), ld::<u64>(p + 16)] }
}
#[inline(always)]
unsafe fn st<T: Mem>(p: usize, v: u64) {
    // SAFETY: X4.
    unsafe { T::store(p, v) }
}
#[inline(always)]
unsafe fn st_ptr(p: usize, v: u64) {
    // SAFETY: X4.
    unsafe { heap::store_ptr(p as *mut usize, v as usize) }
}
#[inline(always)]
unsafe fn st_str(p: usize, v: [u64; 2]) {
    // SAFETY: X4.
    unsafe {
        st_ptr(p, v[0]);
        st::<u64>(p + 8, v[1]);
    }
}
#[inline(always)]
unsafe fn st_slice(p: usize, v: [u64; 3]) {
    // SAFETY: X4.
    unsafe {
        st_ptr(p, v[0]);
        st::<u64>(p + 8, v[1]);
        st::<u64>(p + 16, v[2]);
    }
}
#[inline(always)]
unsafe fn st_iface(p: usize, v: [u64; 2]) {
    // SAFETY: X4.
    unsafe {
        st::<u64>(p, v[0]);
        st_ptr(p + 8, v[1]);
    }
}

/// Copies `size | layout << 32` from `src` to `dst`.
#[inline(always)]
unsafe fn st_typed(dst: usize, src: usize, sl: u64) {
    let sl = Pair::of(sl);
    // SAFETY: X4; the layout is one the compiler registered for the type.
    unsafe { copy_typed(dst, src, LayoutId(sl.hi()), sl.lo() as usize) }
}

#[inline(always)]
unsafe fn copy_typed(dst: usize, src: usize, layout: LayoutId, size: usize) {
    // SAFETY: X4; the layout is one the compiler registered for the type.
    unsafe { heap::copy_typed(layout, dst as *mut u8, src as *const u8, size) }
}

/// Copies a value of `bytes` bytes to slots of the frame.
#[inline(always)]
unsafe fn load_n(dst: *mut u64, src: usize, bytes: usize) {
    // SAFETY: X2, X4.
    unsafe { slow::load_n(dst, src, bytes) }
}

/// The address of element `x` of elements of `size` bytes at `p`. Bounds have been checked, so it wraps only for what came by
/// `unsafe` or a race.
#[inline(always)]
fn elem(p: usize, x: usize, size: usize) -> usize {
    p.wrapping_add(x.wrapping_mul(size))
}

/// The two halves of an extension word, low first.
#[inline(always)]
fn halves(x: u64) -> (usize, usize) {
    let x = Pair::of(x);
    (x.lo() as usize, x.hi() as usize)
}

/// Keeps a branch a branch: without it the compiler makes a conditional move of the jump, which ties the fetch of the next
/// instruction to the comparison.
#[inline(always)]
fn keep_branch() {
    #[cfg(not(miri))]
    // SAFETY: an empty template does nothing.
    unsafe {
        std::arch::asm!("", options(nomem, nostack, preserves_flags));
    }
}

/// Zeroes `n` slots. A loop of its own, which must not become a call of `memset`: handlers keep no frame.
#[inline(always)]
unsafe fn zero(p: *mut u64, n: usize) {
    let mut k = 0;
    while k < n {
        keep_branch();
        // SAFETY: X2.
        unsafe { *p.add(k) = 0 };
        k += 1;
    }
}

static FUNCS: AtomicUsize = AtomicUsize::new(0);

/// The first instruction of function `index`.
#[inline(always)]
unsafe fn func_entry(index: u32) -> *const u64 {
    // SAFETY: the function table is mapped for ever; `start` has noted its address, the compiler gives only indices inside.
    unsafe {
        (*((FUNCS.load(Relaxed) + index as usize * 16) as *const AtomicUsize)).load(Relaxed)
            as *const u64
    }
}

/// The function at place `m` of an itab.
#[inline(always)]
unsafe fn itab_func(itab: usize, m: u16) -> u32 {
    // SAFETY: X4 — a non-nil first word of a non-empty interface is an itab with a place for each method.
    unsafe { slow::itab_func(itab, m) }
}

/// The rtype of an itab; 0 gives 0.
#[inline(always)]
unsafe fn itab_typ(itab: u64) -> u64 {
    if itab == 0 {
        return 0;
    }
    // SAFETY: as `itab_func`.
    unsafe { slow::itab_typ(itab as usize) }
}

#[inline(always)]
fn f64_to_i64(x: f64) -> i64 {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use std::arch::x86_64::*;
        // SAFETY: SSE2 is part of x86-64.
        unsafe { _mm_cvttsd_si64(_mm_set_sd(x)) }
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    {
        if (-9223372036854775808.0..9223372036854775808.0).contains(&x) {
            x as i64
        } else {
            i64::MIN
        }
    }
}

#[inline(always)]
fn f64_to_i32(x: f64) -> i32 {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use std::arch::x86_64::*;
        // SAFETY: SSE2 is part of x86-64.
        unsafe { _mm_cvttsd_si32(_mm_set_sd(x)) }
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    {
        if x > -2147483649.0 && x < 2147483648.0 {
            x as i32
        } else {
            i32::MIN
        }
    }
}

#[inline(always)]
fn f64_to_u64(x: f64) -> u64 {
    let low = f64_to_i64(x);
    let high = f64_to_i64(x - 9223372036854775808.0);
    (low | (high & (low >> 63))) as u64
}

macro_rules! min_max {
    ($($min:ident $max:ident $t:ident;)*) => { $(
        #[inline(always)]
        fn $min(a: $t, b: $t) -> $t {
            if a.is_nan() || b.is_nan() {
                $t::NAN
            } else if a == b {
                // Zeros of different sign: the negative one is smaller.
                $t::from_bits(a.to_bits() | b.to_bits())
            } else if a < b {
                a
            } else {
                b
            }
        }
        #[inline(always)]
        fn $max(a: $t, b: $t) -> $t {
            if a.is_nan() || b.is_nan() {
                $t::NAN
            } else if a == b {
                $t::from_bits(a.to_bits() & b.to_bits())
            } else if a > b {
                a
            } else {
                b
            }
        }
    )* };
}
min_max! {
    min_f64 max_f64 f64;
    min_f32 max_f32 f32;
}

#[inline(always)]
fn mul_c128(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
}

/// In double precision, rounded once, as Go's compiler has it computed.
#[inline(always)]
fn mul_c64(a: [f32; 2], b: [f32; 2]) -> [f32; 2] {
    mul_c128(a.map(f64::from), b.map(f64::from)).map(|x| x as f32)
}

/// A zeroed object.
#[inline(always)]
unsafe fn new(g: *mut G, layout: u32, size: usize) -> u64 {
    // SAFETY: X3.
    unsafe { slow::new(g, LayoutId(layout), size) }
}

#[inline(always)]
unsafe fn new_copy(g: *mut G, sl: u64, from: *const u64) -> u64 {
    let sl = Pair::of(sl);
    // SAFETY: X3, X4.
    unsafe { slow::new_copy(g, LayoutId(sl.hi()), sl.lo() as usize, from) }
}

// The helpers of the bodies. `next!`, `jump!`, `go!`, `leave!` and `leave_at!` are each dispatcher's own.

macro_rules! bin {
    ($s:ident, $i:ident, $t:ty, $f:ident) => {{
        let v = ($s.get($i.a) as $t).$f($s.get($i.b) as $t);
        $s.set($i.dst, v as i64 as u64);
        next!($s, $i)
    }};
}
macro_rules! nonnil {
    ($s:ident, $slot:expr) => {{
        let p = $s.get($slot) as usize;
        if p < NIL_PAGE {
            leave!($s, Status::Nil)
        }
        p
    }};
}
macro_rules! bounds {
    ($s:ident, $x:expr, $n:expr) => {{
        (*$s.g).vm[Scratch::Index as usize] = $x;
        (*$s.g).vm[Scratch::Len as usize] = $n;
        leave!($s, Status::Bounds)
    }};
}
macro_rules! index {
    ($s:ident, $slot:expr, $len:expr) => {{
        let x = $s.get($slot) as usize;
        let n = $len;
        if x >= n {
            bounds!($s, x, n)
        }
        x
    }};
}
macro_rules! back {
    ($s:ident, $by:expr) => {{
        let to = $s.pc.offset($by as isize);
        if $s.is_asked_to_stop() {
            leave_at!($s, to, Status::Loop)
        }
        go!($s, to, $s.fp)
    }};
}
macro_rules! enter {
    ($s:ident, $i:ident, $win:expr, $entry:expr) => {{
        let fp = $s.at($win);
        let entry = $entry;
        *fp.sub(1) = $s.pc.byte_add(size_of_val(&$i)) as u64;
        *fp.sub(2) = $win as u64 * 8;
        go!($s, entry, fp)
    }};
}
macro_rules! call_back_here {
    ($s:ident, $win:expr, $entry:expr) => {{
        let fp = $s.at($win);
        let entry = $entry;
        *fp.sub(1) = $s.pc as u64;
        *fp.sub(2) = $win as u64 * 8;
        go!($s, entry, fp)
    }};
}
macro_rules! slow {
    ($s:ident, $i:ident, $f:ident) => {{
        // What is slow may die, and then the registers are looked at.
        $s.save();
        let st = slow::$f($s.pc, $s.fp, $s.g);
        if st != 0 {
            leave!($s, st)
        }
        next!($s, $i)
    }};
}
macro_rules! native {
    ($s:ident, $i:ident) => {{
        $s.save();
        let st = slow::native($i.native, $i.win, $s.g);
        let fp = (*$s.g).sched.fp as *mut u64;
        if st != 0 {
            // The registers were saved before, by the stack the frame has now.
            return st;
        }
        go!($s, $s.pc.byte_add(size_of_val(&$i)), fp)
    }};
}
macro_rules! leave_behind {
    ($s:ident, $i:ident, $st:expr) => {{
        let to = $s.pc.byte_add(size_of_val(&$i));
        leave_at!($s, to, $st)
    }};
}
macro_rules! next2 {
    ($s:ident, $a:ident, $b:ident) => {{
        let to = $s
            .pc
            .byte_add(size_of::<insn::$a>() + size_of::<insn::$b>());
        go!($s, to, $s.fp)
    }};
}

/// Hands all bodies to `$consumer`: `Op(registers, instruction) { what it does }`.
macro_rules! for_each_body {
    ($consumer:ident) => { $consumer! {

// ---- Moves and constants.
Nop(s, i) { next!(s, i) }
Mov(s, i) { s.set(i.dst, s.get(i.src)); next!(s, i) }
Mov2(s, i) { s.set2(i.dst, s.get2(i.src)); next!(s, i) }
Mov3(s, i) { s.set3(i.dst, s.get3(i.src)); next!(s, i) }
MovN(s, i) { std::ptr::copy(s.at(i.src), s.at(i.dst), i.n as usize); next!(s, i) }
LoadImm(s, i) { s.set(i.dst, i.imm as i64 as u64); next!(s, i) }
LoadConst(s, i) { s.set(i.dst, i.k); next!(s, i) }
LoadConst2(s, i) { s.set2(i.dst, [i.k0, i.k1]); next!(s, i) }
LoadGlobalAddr(s, i) { s.set(i.dst, i.at); next!(s, i) }
LoadData(s, i) { s.set(i.dst, i.at); next!(s, i) }
LoadStr(s, i) { s.set2(i.dst, [i.at, i.len]); next!(s, i) }
LoadIface(s, i) { s.set2(i.dst, [i.tab, i.at]); next!(s, i) }
Zero(s, i) { s.set(i.dst, 0); next!(s, i) }
Zero2(s, i) { s.set2(i.dst, [0; 2]); next!(s, i) }
Zero3(s, i) { s.set3(i.dst, [0; 3]); next!(s, i) }
ZeroN(s, i) { std::ptr::write_bytes(s.at(i.dst), 0, i.n as usize); next!(s, i) }

// ---- Globals.
LoadGlobal8u(s, i) { s.set(i.dst, ld::<u8>(i.at as usize)); next!(s, i) }
LoadGlobal8s(s, i) { s.set(i.dst, ld::<i8>(i.at as usize)); next!(s, i) }
LoadGlobal16u(s, i) { s.set(i.dst, ld::<u16>(i.at as usize)); next!(s, i) }
LoadGlobal16s(s, i) { s.set(i.dst, ld::<i16>(i.at as usize)); next!(s, i) }
LoadGlobal32u(s, i) { s.set(i.dst, ld::<u32>(i.at as usize)); next!(s, i) }
LoadGlobal32s(s, i) { s.set(i.dst, ld::<i32>(i.at as usize)); next!(s, i) }
LoadGlobal64(s, i) { s.set(i.dst, ld::<u64>(i.at as usize)); next!(s, i) }
LoadGlobal2(s, i) { s.set2(i.dst, ld2(i.at as usize)); next!(s, i) }
LoadGlobal3(s, i) { s.set3(i.dst, ld3(i.at as usize)); next!(s, i) }
LoadGlobalN(s, i) { load_n(s.at(i.dst), i.at as usize, i.bytes as usize); next!(s, i) }
StoreGlobal8(s, i) { st::<u8>(i.at as usize, s.get(i.src)); next!(s, i) }
StoreGlobal16(s, i) { st::<u16>(i.at as usize, s.get(i.src)); next!(s, i) }
StoreGlobal32(s, i) { st::<u32>(i.at as usize, s.get(i.src)); next!(s, i) }
StoreGlobal64(s, i) { st::<u64>(i.at as usize, s.get(i.src)); next!(s, i) }
StoreGlobalPtr(s, i) { st_ptr(i.at as usize, s.get(i.src)); next!(s, i) }
StoreGlobalStr(s, i) { st_str(i.at as usize, s.get2(i.src)); next!(s, i) }
StoreGlobalSlice(s, i) { st_slice(i.at as usize, s.get3(i.src)); next!(s, i) }
StoreGlobalIface(s, i) { st_iface(i.at as usize, s.get2(i.src)); next!(s, i) }
StoreGlobalTyped(s, i) { st_typed(i.at as usize, s.at(i.src) as usize, i.sl); next!(s, i) }

// ---- Memory through a pointer.
Load8u(s, i) { let p = nonnil!(s, i.ptr).wrapping_add(i.off as usize); s.set(i.dst, ld::<u8>(p)); next!(s, i) }
Load8s(s, i) { let p = nonnil!(s, i.ptr).wrapping_add(i.off as usize); s.set(i.dst, ld::<i8>(p)); next!(s, i) }
Load16u(s, i) { let p = nonnil!(s, i.ptr).wrapping_add(i.off as usize); s.set(i.dst, ld::<u16>(p)); next!(s, i) }
Load16s(s, i) { let p = nonnil!(s, i.ptr).wrapping_add(i.off as usize); s.set(i.dst, ld::<i16>(p)); next!(s, i) }
Load32u(s, i) { let p = nonnil!(s, i.ptr).wrapping_add(i.off as usize); s.set(i.dst, ld::<u32>(p)); next!(s, i) }
Load32s(s, i) { let p = nonnil!(s, i.ptr).wrapping_add(i.off as usize); s.set(i.dst, ld::<i32>(p)); next!(s, i) }
Load64(s, i) { let p = nonnil!(s, i.ptr).wrapping_add(i.off as usize); s.set(i.dst, ld::<u64>(p)); next!(s, i) }
Load2(s, i) { let p = nonnil!(s, i.ptr).wrapping_add(i.off as usize); s.set2(i.dst, ld2(p)); next!(s, i) }
Load3(s, i) { let p = nonnil!(s, i.ptr).wrapping_add(i.off as usize); s.set3(i.dst, ld3(p)); next!(s, i) }
LoadN(s, i) { let p = nonnil!(s, i.ptr).wrapping_add(i.off as usize); load_n(s.at(i.dst), p, i.bytes as usize); next!(s, i) }
Store8(s, i) { let p = nonnil!(s, i.ptr).wrapping_add(i.off as usize); st::<u8>(p, s.get(i.src)); next!(s, i) }
Store16(s, i) { let p = nonnil!(s, i.ptr).wrapping_add(i.off as usize); st::<u16>(p, s.get(i.src)); next!(s, i) }
Store32(s, i) { let p = nonnil!(s, i.ptr).wrapping_add(i.off as usize); st::<u32>(p, s.get(i.src)); next!(s, i) }
Store64(s, i) { let p = nonnil!(s, i.ptr).wrapping_add(i.off as usize); st::<u64>(p, s.get(i.src)); next!(s, i) }
StorePtr(s, i) { let p = nonnil!(s, i.ptr).wrapping_add(i.off as usize); st_ptr(p, s.get(i.src)); next!(s, i) }
StoreStr(s, i) { let p = nonnil!(s, i.ptr).wrapping_add(i.off as usize); st_str(p, s.get2(i.src)); next!(s, i) }
StoreSlice(s, i) { let p = nonnil!(s, i.ptr).wrapping_add(i.off as usize); st_slice(p, s.get3(i.src)); next!(s, i) }
StoreIface(s, i) { let p = nonnil!(s, i.ptr).wrapping_add(i.off as usize); st_iface(p, s.get2(i.src)); next!(s, i) }
StoreTyped(s, i) { let p = nonnil!(s, i.ptr).wrapping_add(i.off as usize); st_typed(p, s.at(i.src) as usize, i.sl); next!(s, i) }
CopyTyped(s, i) { let d = nonnil!(s, i.dst); let p = nonnil!(s, i.src); if i.size as usize > PIECE { slow!(s, i, copy_typed) } copy_typed(d, p, LayoutId(i.layout as u32), i.size as usize); next!(s, i) }
AddPtr(s, i) { let p = nonnil!(s, i.ptr).wrapping_add(i.off as usize); s.set(i.dst, p as u64); next!(s, i) }
AddPtrConst(s, i) { let p = nonnil!(s, i.ptr).wrapping_add(i.off as usize); s.set(i.dst, p as u64); next!(s, i) }
CheckNil(s, i) { nonnil!(s, i.ptr); next!(s, i) }
AddToMem(s, i) { let p = nonnil!(s, i.ptr).wrapping_add(i.off as usize); st::<u64>(p, ld::<u64>(p).wrapping_add(s.get(i.src))); next!(s, i) }
SubFromMem(s, i) { let p = nonnil!(s, i.ptr).wrapping_add(i.off as usize); st::<u64>(p, ld::<u64>(p).wrapping_sub(s.get(i.src))); next!(s, i) }
AddImmToMem(s, i) { let p = nonnil!(s, i.ptr).wrapping_add(i.off as usize); st::<u64>(p, ld::<u64>(p).wrapping_add(i.imm as i64 as u64)); next!(s, i) }
AddF64ToMem(s, i) { let p = nonnil!(s, i.ptr).wrapping_add(i.off as usize); st::<u64>(p, (f64::from_bits(ld::<u64>(p)) + s.f64(i.src)).to_bits()); next!(s, i) }
SubF64FromMem(s, i) { let p = nonnil!(s, i.ptr).wrapping_add(i.off as usize); st::<u64>(p, (f64::from_bits(ld::<u64>(p)) - s.f64(i.src)).to_bits()); next!(s, i) }

// ---- Memory in the frame.
FrameLoad8u(s, i) { s.set(i.dst, ld::<u8>(s.byte(i.at))); next!(s, i) }
FrameLoad8s(s, i) { s.set(i.dst, ld::<i8>(s.byte(i.at))); next!(s, i) }
FrameLoad16u(s, i) { s.set(i.dst, ld::<u16>(s.byte(i.at))); next!(s, i) }
FrameLoad16s(s, i) { s.set(i.dst, ld::<i16>(s.byte(i.at))); next!(s, i) }
FrameLoad32u(s, i) { s.set(i.dst, ld::<u32>(s.byte(i.at))); next!(s, i) }
FrameLoad32s(s, i) { s.set(i.dst, ld::<i32>(s.byte(i.at))); next!(s, i) }
FrameStore8(s, i) { st::<u8>(s.byte(i.at), s.get(i.src)); next!(s, i) }
FrameStore16(s, i) { st::<u16>(s.byte(i.at), s.get(i.src)); next!(s, i) }
FrameStore32(s, i) { st::<u32>(s.byte(i.at), s.get(i.src)); next!(s, i) }
FrameCopy(s, i) { std::ptr::copy(s.byte(i.src as i32) as *const u8, s.byte(i.dst) as *mut u8, i.n as usize); next!(s, i) }
FrameIndex8u(s, i) { let (len, off) = halves(i.lo); let x = index!(s, i.idx, len); let p = (s.at(i.base) as usize).wrapping_add(off); s.set(i.dst, ld::<u8>(elem(p, x, size_of::<u8>()))); next!(s, i) }
FrameIndex8s(s, i) { let (len, off) = halves(i.lo); let x = index!(s, i.idx, len); let p = (s.at(i.base) as usize).wrapping_add(off); s.set(i.dst, ld::<i8>(elem(p, x, size_of::<i8>()))); next!(s, i) }
FrameIndex16u(s, i) { let (len, off) = halves(i.lo); let x = index!(s, i.idx, len); let p = (s.at(i.base) as usize).wrapping_add(off); s.set(i.dst, ld::<u16>(elem(p, x, size_of::<u16>()))); next!(s, i) }
FrameIndex16s(s, i) { let (len, off) = halves(i.lo); let x = index!(s, i.idx, len); let p = (s.at(i.base) as usize).wrapping_add(off); s.set(i.dst, ld::<i16>(elem(p, x, size_of::<i16>()))); next!(s, i) }
FrameIndex32u(s, i) { let (len, off) = halves(i.lo); let x = index!(s, i.idx, len); let p = (s.at(i.base) as usize).wrapping_add(off); s.set(i.dst, ld::<u32>(elem(p, x, size_of::<u32>()))); next!(s, i) }
FrameIndex32s(s, i) { let (len, off) = halves(i.lo); let x = index!(s, i.idx, len); let p = (s.at(i.base) as usize).wrapping_add(off); s.set(i.dst, ld::<i32>(elem(p, x, size_of::<i32>()))); next!(s, i) }
FrameIndex64(s, i) { let (len, off) = halves(i.lo); let x = index!(s, i.idx, len); let p = (s.at(i.base) as usize).wrapping_add(off); s.set(i.dst, ld::<u64>(elem(p, x, size_of::<u64>()))); next!(s, i) }
FrameIndexN(s, i) { let (len, stride) = halves(i.ls); let (off, size) = halves(i.os); let x = index!(s, i.idx, len); let p = (s.at(i.base) as usize).wrapping_add(off).wrapping_add(x.wrapping_mul(stride)); std::ptr::copy(p as *const u8, s.at(i.dst).cast(), size); next!(s, i) }
FrameSet8(s, i) { let (len, off) = halves(i.lo); let x = index!(s, i.idx, len); let p = (s.at(i.base) as usize).wrapping_add(off); st::<u8>(elem(p, x, size_of::<u8>()), s.get(i.src)); next!(s, i) }
FrameSet16(s, i) { let (len, off) = halves(i.lo); let x = index!(s, i.idx, len); let p = (s.at(i.base) as usize).wrapping_add(off); st::<u16>(elem(p, x, size_of::<u16>()), s.get(i.src)); next!(s, i) }
FrameSet32(s, i) { let (len, off) = halves(i.lo); let x = index!(s, i.idx, len); let p = (s.at(i.base) as usize).wrapping_add(off); st::<u32>(elem(p, x, size_of::<u32>()), s.get(i.src)); next!(s, i) }
FrameSet64(s, i) { let (len, off) = halves(i.lo); let x = index!(s, i.idx, len); let p = (s.at(i.base) as usize).wrapping_add(off); st::<u64>(elem(p, x, size_of::<u64>()), s.get(i.src)); next!(s, i) }
FrameSetN(s, i) { let (len, stride) = halves(i.ls); let (off, size) = halves(i.os); let x = index!(s, i.idx, len); let p = (s.at(i.base) as usize).wrapping_add(off).wrapping_add(x.wrapping_mul(stride)); std::ptr::copy(s.at(i.src).cast(), p as *mut u8, size); next!(s, i) }
CheckIndex(s, i) { index!(s, i.idx, i.len as usize); next!(s, i) }

// ---- Slices.
SliceIndex8u(s, i) { let x = index!(s, i.idx, s.get(i.s + 1) as usize); let p = s.get(i.s) as usize; s.set(i.dst, s.ld_elem::<u8>(p, x)); next!(s, i) }
SliceIndex8s(s, i) { let x = index!(s, i.idx, s.get(i.s + 1) as usize); let p = s.get(i.s) as usize; s.set(i.dst, s.ld_elem::<i8>(p, x)); next!(s, i) }
SliceIndex16u(s, i) { let x = index!(s, i.idx, s.get(i.s + 1) as usize); let p = s.get(i.s) as usize; s.set(i.dst, s.ld_elem::<u16>(p, x)); next!(s, i) }
SliceIndex16s(s, i) { let x = index!(s, i.idx, s.get(i.s + 1) as usize); let p = s.get(i.s) as usize; s.set(i.dst, s.ld_elem::<i16>(p, x)); next!(s, i) }
SliceIndex32u(s, i) { let x = index!(s, i.idx, s.get(i.s + 1) as usize); let p = s.get(i.s) as usize; s.set(i.dst, s.ld_elem::<u32>(p, x)); next!(s, i) }
SliceIndex32s(s, i) { let x = index!(s, i.idx, s.get(i.s + 1) as usize); let p = s.get(i.s) as usize; s.set(i.dst, s.ld_elem::<i32>(p, x)); next!(s, i) }
SliceIndex64(s, i) { let x = index!(s, i.idx, s.get(i.s + 1) as usize); let p = s.get(i.s) as usize; s.set(i.dst, s.ld_elem::<u64>(p, x)); next!(s, i) }
SliceIndexTwice64(s, i) { let x = index!(s, i.i, s.get(i.s + 1) as usize); let p = elem(s.get(i.s) as usize, x, 24); let y = index!(s, i.k as u16, s.ld64::<8>(p) as usize); s.set(i.dst, s.ld_elem::<u64>(ld::<u64>(p) as usize, y)); next!(s, i) }
SliceIndexTwice8u(s, i) { let x = index!(s, i.i, s.get(i.s + 1) as usize); let p = elem(s.get(i.s) as usize, x, 24); let y = index!(s, i.k as u16, s.ld64::<8>(p) as usize); s.set(i.dst, s.ld_elem::<u8>(ld::<u64>(p) as usize, y)); next!(s, i) }
SliceIndex2(s, i) { let x = index!(s, i.idx, s.get(i.s + 1) as usize); let p = elem(s.get(i.s) as usize, x, 16); s.set2(i.dst, [s.ld64::<0>(p), ld::<u64>(p + 8)]); next!(s, i) }
SliceIndex3(s, i) { let x = index!(s, i.idx, s.get(i.s + 1) as usize); let p = elem(s.get(i.s) as usize, x, 24); s.set3(i.dst, [s.ld64::<0>(p), ld::<u64>(p + 8), ld::<u64>(p + 16)]); next!(s, i) }
SliceIndexN(s, i) { let x = index!(s, i.idx, s.get(i.s + 1) as usize); let p = s.get(i.s) as usize; let (stride, off) = halves(i.so); load_n(s.at(i.dst), s.touched(elem(p, x, stride).wrapping_add(off)), i.size as usize); next!(s, i) }
SliceField64(s, i) { let x = index!(s, i.idx, s.get(i.s + 1) as usize); let p = s.get(i.s) as usize; let (stride, off) = halves(i.so); s.set(i.dst, s.ld64::<0>(elem(p, x, stride).wrapping_add(off))); next!(s, i) }
SliceField2(s, i) { let x = index!(s, i.idx, s.get(i.s + 1) as usize); let p = s.get(i.s) as usize; let (stride, off) = halves(i.so); s.set2(i.dst, ld2(s.touched(elem(p, x, stride).wrapping_add(off)))); next!(s, i) }
SliceIndexImm64(s, i) { let x = i.i as usize; let n = s.get(i.s + 1) as usize; if x >= n { bounds!(s, x, n) } s.set(i.dst, s.ld_elem::<u64>(s.get(i.s) as usize, x)); next!(s, i) }
SliceElemAddr(s, i) { let x = index!(s, i.idx, s.get(i.s + 1) as usize); let p = s.get(i.s) as usize; s.set(i.dst, (elem(p, x, i.stride as usize)) as u64); next!(s, i) }
SliceSet8(s, i) { let x = index!(s, i.idx, s.get(i.s + 1) as usize); let p = s.get(i.s) as usize; s.st_elem::<u8>(p, x, s.get(i.src)); next!(s, i) }
SliceSet16(s, i) { let x = index!(s, i.idx, s.get(i.s + 1) as usize); let p = s.get(i.s) as usize; s.st_elem::<u16>(p, x, s.get(i.src)); next!(s, i) }
SliceSet32(s, i) { let x = index!(s, i.idx, s.get(i.s + 1) as usize); let p = s.get(i.s) as usize; s.st_elem::<u32>(p, x, s.get(i.src)); next!(s, i) }
SliceSet64(s, i) { let x = index!(s, i.idx, s.get(i.s + 1) as usize); let p = s.get(i.s) as usize; s.st_elem::<u64>(p, x, s.get(i.src)); next!(s, i) }
SliceSetPtr(s, i) { let x = index!(s, i.idx, s.get(i.s + 1) as usize); let p = s.get(i.s) as usize; st_ptr(s.touched(elem(p, x, 8)), s.get(i.src)); next!(s, i) }
SliceSetStr(s, i) { let x = index!(s, i.idx, s.get(i.s + 1) as usize); let p = s.get(i.s) as usize; st_str(s.touched(elem(p, x, 16)), s.get2(i.src)); next!(s, i) }
SliceSetSlice(s, i) { let x = index!(s, i.idx, s.get(i.s + 1) as usize); let p = s.get(i.s) as usize; st_slice(s.touched(elem(p, x, 24)), s.get3(i.src)); next!(s, i) }
SliceSetIface(s, i) { let x = index!(s, i.idx, s.get(i.s + 1) as usize); let p = s.get(i.s) as usize; st_iface(s.touched(elem(p, x, 16)), s.get2(i.src)); next!(s, i) }
SliceSetTyped(s, i) { let x = index!(s, i.idx, s.get(i.s + 1) as usize); let p = s.get(i.s) as usize; st_typed(s.touched(elem(p, x, halves(i.sl).0)), s.at(i.src) as usize, i.sl); next!(s, i) }
SliceSetImm64(s, i) { let x = i.i as usize; let n = s.get(i.s + 1) as usize; if x >= n { bounds!(s, x, n) } s.st_elem::<u64>(s.get(i.s) as usize, x, s.get(i.src)); next!(s, i) }
AddToElem(s, i) { let x = index!(s, i.idx, s.get(i.s + 1) as usize); let p = s.get(i.s) as usize; let p = elem(p, x, 8); st::<u64>(p, s.ld64::<0>(p).wrapping_add(s.get(i.src))); next!(s, i) }
SubFromElem(s, i) { let x = index!(s, i.idx, s.get(i.s + 1) as usize); let p = s.get(i.s) as usize; let p = elem(p, x, 8); st::<u64>(p, s.ld64::<0>(p).wrapping_sub(s.get(i.src))); next!(s, i) }
AddImmToElem(s, i) { let x = index!(s, i.idx, s.get(i.s + 1) as usize); let p = s.get(i.s) as usize; let p = elem(p, x, 8); st::<u64>(p, s.ld64::<0>(p).wrapping_add(i.imm as i64 as u64)); next!(s, i) }
AddF64ToElem(s, i) { let x = index!(s, i.idx, s.get(i.s + 1) as usize); let p = s.get(i.s) as usize; let p = elem(p, x, 8); st::<u64>(p, (f64::from_bits(s.ld64::<0>(p)) + s.f64(i.src)).to_bits()); next!(s, i) }
SubF64FromElem(s, i) { let x = index!(s, i.idx, s.get(i.s + 1) as usize); let p = s.get(i.s) as usize; let p = elem(p, x, 8); st::<u64>(p, (f64::from_bits(s.ld64::<0>(p)) - s.f64(i.src)).to_bits()); next!(s, i) }

// ---- Arrays through a pointer.
ArrayIndex8u(s, i) { let p = nonnil!(s, i.ptr); let x = index!(s, i.idx, i.len as usize); s.set(i.dst, ld::<u8>(elem(p, x, size_of::<u8>()))); next!(s, i) }
ArrayIndex8s(s, i) { let p = nonnil!(s, i.ptr); let x = index!(s, i.idx, i.len as usize); s.set(i.dst, ld::<i8>(elem(p, x, size_of::<i8>()))); next!(s, i) }
ArrayIndex16u(s, i) { let p = nonnil!(s, i.ptr); let x = index!(s, i.idx, i.len as usize); s.set(i.dst, ld::<u16>(elem(p, x, size_of::<u16>()))); next!(s, i) }
ArrayIndex16s(s, i) { let p = nonnil!(s, i.ptr); let x = index!(s, i.idx, i.len as usize); s.set(i.dst, ld::<i16>(elem(p, x, size_of::<i16>()))); next!(s, i) }
ArrayIndex32u(s, i) { let p = nonnil!(s, i.ptr); let x = index!(s, i.idx, i.len as usize); s.set(i.dst, ld::<u32>(elem(p, x, size_of::<u32>()))); next!(s, i) }
ArrayIndex32s(s, i) { let p = nonnil!(s, i.ptr); let x = index!(s, i.idx, i.len as usize); s.set(i.dst, ld::<i32>(elem(p, x, size_of::<i32>()))); next!(s, i) }
ArrayIndex64(s, i) { let p = nonnil!(s, i.ptr); let x = index!(s, i.idx, i.len as usize); s.set(i.dst, ld::<u64>(elem(p, x, size_of::<u64>()))); next!(s, i) }
ArrayIndexN(s, i) { let p = nonnil!(s, i.ptr); let (len, stride) = halves(i.ls); let (off, size) = halves(i.os); let x = index!(s, i.idx, len); load_n(s.at(i.dst), elem(p, x, stride).wrapping_add(off), size); next!(s, i) }
ArrayElemAddr(s, i) { let p = nonnil!(s, i.ptr); let x = index!(s, i.idx, i.len as usize); s.set(i.dst, (elem(p, x, i.stride as usize)) as u64); next!(s, i) }
ArraySet8(s, i) { let p = nonnil!(s, i.ptr); let x = index!(s, i.idx, i.len as usize); st::<u8>(elem(p, x, size_of::<u8>()), s.get(i.src)); next!(s, i) }
ArraySet16(s, i) { let p = nonnil!(s, i.ptr); let x = index!(s, i.idx, i.len as usize); st::<u16>(elem(p, x, size_of::<u16>()), s.get(i.src)); next!(s, i) }
ArraySet32(s, i) { let p = nonnil!(s, i.ptr); let x = index!(s, i.idx, i.len as usize); st::<u32>(elem(p, x, size_of::<u32>()), s.get(i.src)); next!(s, i) }
ArraySet64(s, i) { let p = nonnil!(s, i.ptr); let x = index!(s, i.idx, i.len as usize); st::<u64>(elem(p, x, size_of::<u64>()), s.get(i.src)); next!(s, i) }
ArraySetPtr(s, i) { let p = nonnil!(s, i.ptr); let x = index!(s, i.idx, i.len as usize); st_ptr(elem(p, x, 8), s.get(i.src)); next!(s, i) }
ArraySetTyped(s, i) { let p = nonnil!(s, i.ptr); let x = index!(s, i.idx, i.len as usize); st_typed(elem(p, x, halves(i.sl).0), s.at(i.src) as usize, i.sl); next!(s, i) }

// ---- Integer arithmetic.
Add(s, i) { bin!(s, i, u64, wrapping_add) }
AddI32(s, i) { bin!(s, i, i32, wrapping_add) }
AddU32(s, i) { bin!(s, i, u32, wrapping_add) }
AddI16(s, i) { bin!(s, i, i16, wrapping_add) }
AddU16(s, i) { bin!(s, i, u16, wrapping_add) }
AddI8(s, i) { bin!(s, i, i8, wrapping_add) }
AddU8(s, i) { bin!(s, i, u8, wrapping_add) }
Sub(s, i) { bin!(s, i, u64, wrapping_sub) }
SubI32(s, i) { bin!(s, i, i32, wrapping_sub) }
SubU32(s, i) { bin!(s, i, u32, wrapping_sub) }
SubI16(s, i) { bin!(s, i, i16, wrapping_sub) }
SubU16(s, i) { bin!(s, i, u16, wrapping_sub) }
SubI8(s, i) { bin!(s, i, i8, wrapping_sub) }
SubU8(s, i) { bin!(s, i, u8, wrapping_sub) }
Mul(s, i) { bin!(s, i, u64, wrapping_mul) }
MulI32(s, i) { bin!(s, i, i32, wrapping_mul) }
MulU32(s, i) { bin!(s, i, u32, wrapping_mul) }
MulI16(s, i) { bin!(s, i, i16, wrapping_mul) }
MulU16(s, i) { bin!(s, i, u16, wrapping_mul) }
MulI8(s, i) { bin!(s, i, i8, wrapping_mul) }
MulU8(s, i) { bin!(s, i, u8, wrapping_mul) }
Shl(s, i) { let n = s.get(i.n); let v = if n < u64::BITS as u64 { (s.get(i.a) as u64) << n } else { 0 }; s.set(i.dst, v as i64 as u64); next!(s, i) }
ShlI32(s, i) { let n = s.get(i.n); let v = if n < i32::BITS as u64 { (s.get(i.a) as i32) << n } else { 0 }; s.set(i.dst, v as i64 as u64); next!(s, i) }
ShlU32(s, i) { let n = s.get(i.n); let v = if n < u32::BITS as u64 { (s.get(i.a) as u32) << n } else { 0 }; s.set(i.dst, v as i64 as u64); next!(s, i) }
ShlI16(s, i) { let n = s.get(i.n); let v = if n < i16::BITS as u64 { (s.get(i.a) as i16) << n } else { 0 }; s.set(i.dst, v as i64 as u64); next!(s, i) }
ShlU16(s, i) { let n = s.get(i.n); let v = if n < u16::BITS as u64 { (s.get(i.a) as u16) << n } else { 0 }; s.set(i.dst, v as i64 as u64); next!(s, i) }
ShlI8(s, i) { let n = s.get(i.n); let v = if n < i8::BITS as u64 { (s.get(i.a) as i8) << n } else { 0 }; s.set(i.dst, v as i64 as u64); next!(s, i) }
ShlU8(s, i) { let n = s.get(i.n); let v = if n < u8::BITS as u64 { (s.get(i.a) as u8) << n } else { 0 }; s.set(i.dst, v as i64 as u64); next!(s, i) }
ShrS(s, i) { let n = s.get(i.n).min(63); s.set(i.dst, ((s.get(i.a) as i64) >> n) as u64); next!(s, i) }
ShrU(s, i) { let n = s.get(i.n); let v = if n < 64 { s.get(i.a) >> n } else { 0 }; s.set(i.dst, v); next!(s, i) }
CheckShift(s, i) { if (s.get(i.n) as i64) < 0 { leave!(s, Status::Shift) } next!(s, i) }
Neg(s, i) { s.set(i.dst, (s.get(i.a) as u64).wrapping_neg() as i64 as u64); next!(s, i) }
NegI32(s, i) { s.set(i.dst, (s.get(i.a) as i32).wrapping_neg() as i64 as u64); next!(s, i) }
NegU32(s, i) { s.set(i.dst, (s.get(i.a) as u32).wrapping_neg() as i64 as u64); next!(s, i) }
NegI16(s, i) { s.set(i.dst, (s.get(i.a) as i16).wrapping_neg() as i64 as u64); next!(s, i) }
NegU16(s, i) { s.set(i.dst, (s.get(i.a) as u16).wrapping_neg() as i64 as u64); next!(s, i) }
NegI8(s, i) { s.set(i.dst, (s.get(i.a) as i8).wrapping_neg() as i64 as u64); next!(s, i) }
NegU8(s, i) { s.set(i.dst, (s.get(i.a) as u8).wrapping_neg() as i64 as u64); next!(s, i) }
Not(s, i) { s.set(i.dst, !s.get(i.a)); next!(s, i) }
NotU32(s, i) { s.set(i.dst, !(s.get(i.a) as u32) as u64); next!(s, i) }
NotU16(s, i) { s.set(i.dst, !(s.get(i.a) as u16) as u64); next!(s, i) }
NotU8(s, i) { s.set(i.dst, !(s.get(i.a) as u8) as u64); next!(s, i) }
NotBool(s, i) { s.set(i.dst, s.get(i.a) ^ 1); next!(s, i) }
DivS(s, i) { let b = s.get(i.b) as i64; if b == 0 { leave!(s, Status::Divide) } s.set(i.dst, (s.get(i.a) as i64).wrapping_div(b) as i64 as u64); next!(s, i) }
DivSI32(s, i) { let b = s.get(i.b) as i32; if b == 0 { leave!(s, Status::Divide) } s.set(i.dst, (s.get(i.a) as i32).wrapping_div(b) as i64 as u64); next!(s, i) }
DivSI16(s, i) { let b = s.get(i.b) as i16; if b == 0 { leave!(s, Status::Divide) } s.set(i.dst, (s.get(i.a) as i16).wrapping_div(b) as i64 as u64); next!(s, i) }
DivSI8(s, i) { let b = s.get(i.b) as i8; if b == 0 { leave!(s, Status::Divide) } s.set(i.dst, (s.get(i.a) as i8).wrapping_div(b) as i64 as u64); next!(s, i) }
DivU(s, i) { let b = s.get(i.b); if b == 0 { leave!(s, Status::Divide) } s.set(i.dst, s.get(i.a) / b); next!(s, i) }
RemS(s, i) { let b = s.get(i.b) as i64; if b == 0 { leave!(s, Status::Divide) } s.set(i.dst, (s.get(i.a) as i64).wrapping_rem(b) as u64); next!(s, i) }
RemU(s, i) { let b = s.get(i.b); if b == 0 { leave!(s, Status::Divide) } s.set(i.dst, s.get(i.a) % b); next!(s, i) }
And(s, i) { let (a, b) = (s.get(i.a), s.get(i.b)); s.set(i.dst, a & b); next!(s, i) }
Or(s, i) { let (a, b) = (s.get(i.a), s.get(i.b)); s.set(i.dst, a | b); next!(s, i) }
Xor(s, i) { let (a, b) = (s.get(i.a), s.get(i.b)); s.set(i.dst, a ^ b); next!(s, i) }
AndNot(s, i) { let (a, b) = (s.get(i.a), s.get(i.b)); s.set(i.dst, a & !b); next!(s, i) }
AddImm(s, i) { s.set(i.dst, (s.get(i.a) as u64).wrapping_add(i.imm as u64) as i64 as u64); next!(s, i) }
AddImmI32(s, i) { s.set(i.dst, (s.get(i.a) as i32).wrapping_add(i.imm as i32) as i64 as u64); next!(s, i) }
AddImmU32(s, i) { s.set(i.dst, (s.get(i.a) as u32).wrapping_add(i.imm as u32) as i64 as u64); next!(s, i) }
AddImmI16(s, i) { s.set(i.dst, (s.get(i.a) as i16).wrapping_add(i.imm as i16) as i64 as u64); next!(s, i) }
AddImmU16(s, i) { s.set(i.dst, (s.get(i.a) as u16).wrapping_add(i.imm as u16) as i64 as u64); next!(s, i) }
AddImmI8(s, i) { s.set(i.dst, (s.get(i.a) as i8).wrapping_add(i.imm as i8) as i64 as u64); next!(s, i) }
AddImmU8(s, i) { s.set(i.dst, (s.get(i.a) as u8).wrapping_add(i.imm as u8) as i64 as u64); next!(s, i) }
MulImm(s, i) { s.set(i.dst, (s.get(i.a) as u64).wrapping_mul(i.imm as u64) as i64 as u64); next!(s, i) }
MulImmI32(s, i) { s.set(i.dst, (s.get(i.a) as i32).wrapping_mul(i.imm as i32) as i64 as u64); next!(s, i) }
MulImmU32(s, i) { s.set(i.dst, (s.get(i.a) as u32).wrapping_mul(i.imm as u32) as i64 as u64); next!(s, i) }
ShlImm(s, i) { s.set(i.dst, (s.get(i.a) as u64).wrapping_shl(i.n as u32) as i64 as u64); next!(s, i) }
ShlImmI32(s, i) { s.set(i.dst, (s.get(i.a) as i32).wrapping_shl(i.n as u32) as i64 as u64); next!(s, i) }
ShlImmU32(s, i) { s.set(i.dst, (s.get(i.a) as u32).wrapping_shl(i.n as u32) as i64 as u64); next!(s, i) }
ShlImmI16(s, i) { s.set(i.dst, (s.get(i.a) as i16).wrapping_shl(i.n as u32) as i64 as u64); next!(s, i) }
ShlImmU16(s, i) { s.set(i.dst, (s.get(i.a) as u16).wrapping_shl(i.n as u32) as i64 as u64); next!(s, i) }
ShlImmI8(s, i) { s.set(i.dst, (s.get(i.a) as i8).wrapping_shl(i.n as u32) as i64 as u64); next!(s, i) }
ShlImmU8(s, i) { s.set(i.dst, (s.get(i.a) as u8).wrapping_shl(i.n as u32) as i64 as u64); next!(s, i) }
ShrSImm(s, i) { s.set(i.dst, (s.get(i.a) as i64).wrapping_shr(i.n as u32) as u64); next!(s, i) }
ShrUImm(s, i) { s.set(i.dst, s.get(i.a).wrapping_shr(i.n as u32)); next!(s, i) }
AndImm(s, i) { s.set(i.dst, s.get(i.a) & i.imm as i64 as u64); next!(s, i) }
OrImm(s, i) { s.set(i.dst, s.get(i.a) | i.imm as i64 as u64); next!(s, i) }
XorImm(s, i) { s.set(i.dst, s.get(i.a) ^ i.imm as i64 as u64); next!(s, i) }
DivSImm(s, i) { s.set(i.dst, (s.get(i.a) as i64).checked_div(i.imm as i64).unwrap_or_default() as u64); next!(s, i) }
RemSImm(s, i) { s.set(i.dst, (s.get(i.a) as i64).checked_rem(i.imm as i64).unwrap_or_default() as u64); next!(s, i) }
DivUImm(s, i) { s.set(i.dst, s.get(i.a).checked_div(i.imm as u64).unwrap_or_default()); next!(s, i) }
RemUImm(s, i) { s.set(i.dst, s.get(i.a).checked_rem(i.imm as u64).unwrap_or_default()); next!(s, i) }
DivPow2(s, i) { let x = s.get(i.a) as i64; let bias = ((x >> 63) as u64).wrapping_shr(64 - i.n as u32) as i64; s.set(i.dst, x.wrapping_add(bias).wrapping_shr(i.n as u32) as u64); next!(s, i) }
RemPow2(s, i) { let x = s.get(i.a) as i64; let bias = ((x >> 63) as u64).wrapping_shr(64 - i.n as u32) as i64; let q = x.wrapping_add(bias).wrapping_shr(i.n as u32).wrapping_shl(i.n as u32); s.set(i.dst, x.wrapping_sub(q) as u64); next!(s, i) }
RotateLeftImm(s, i) { s.set(i.dst, s.get(i.a).rotate_left(i.n as u32)); next!(s, i) }
RotateLeftImmU32(s, i) { s.set(i.dst, (s.get(i.a) as u32).rotate_left(i.n as u32) as u64); next!(s, i) }
AddMem(s, i) { let p = nonnil!(s, i.ptr).wrapping_add(i.off as usize); s.set(i.dst, s.get(i.a).wrapping_add(ld::<u64>(p))); next!(s, i) }
AddElem(s, i) { let x = index!(s, i.idx as u16, s.get(i.s + 1) as usize); let v = s.ld_elem::<u64>(s.get(i.s) as usize, x); s.set(i.dst, s.get(i.a).wrapping_add(v)); next!(s, i) }
AddConst(s, i) { s.set(i.dst, (s.get(i.a) as u64).wrapping_add(i.k as u64) as i64 as u64); next!(s, i) }
AddConstI32(s, i) { s.set(i.dst, (s.get(i.a) as i32).wrapping_add(i.k as i32) as i64 as u64); next!(s, i) }
AddConstU32(s, i) { s.set(i.dst, (s.get(i.a) as u32).wrapping_add(i.k as u32) as i64 as u64); next!(s, i) }
MulConst(s, i) { s.set(i.dst, (s.get(i.a) as u64).wrapping_mul(i.k as u64) as i64 as u64); next!(s, i) }
MulConstI32(s, i) { s.set(i.dst, (s.get(i.a) as i32).wrapping_mul(i.k as i32) as i64 as u64); next!(s, i) }
MulConstU32(s, i) { s.set(i.dst, (s.get(i.a) as u32).wrapping_mul(i.k as u32) as i64 as u64); next!(s, i) }
AndConst(s, i) { s.set(i.dst, s.get(i.a) & i.k); next!(s, i) }
OrConst(s, i) { s.set(i.dst, s.get(i.a) | i.k); next!(s, i) }
XorConst(s, i) { s.set(i.dst, s.get(i.a) ^ i.k); next!(s, i) }
MinS(s, i) { s.set(i.dst, (s.get(i.a) as i64).min(s.get(i.b) as i64) as u64); next!(s, i) }
MaxS(s, i) { s.set(i.dst, (s.get(i.a) as i64).max(s.get(i.b) as i64) as u64); next!(s, i) }
MinU(s, i) { s.set(i.dst, s.get(i.a).min(s.get(i.b))); next!(s, i) }
MaxU(s, i) { s.set(i.dst, s.get(i.a).max(s.get(i.b))); next!(s, i) }

// ---- Floating point.
AddF64(s, i) { s.set_f64(i.dst, s.f64(i.a) + s.f64(i.b)); next!(s, i) }
SubF64(s, i) { s.set_f64(i.dst, s.f64(i.a) - s.f64(i.b)); next!(s, i) }
MulF64(s, i) { s.set_f64(i.dst, s.f64(i.a) * s.f64(i.b)); next!(s, i) }
DivF64(s, i) { s.set_f64(i.dst, s.f64(i.a) / s.f64(i.b)); next!(s, i) }
NegF64(s, i) { s.set(i.dst, s.get(i.a) ^ (1 << 63)); next!(s, i) }
MinF64(s, i) { s.set_f64(i.dst, min_f64(s.f64(i.a), s.f64(i.b))); next!(s, i) }
MaxF64(s, i) { s.set_f64(i.dst, max_f64(s.f64(i.a), s.f64(i.b))); next!(s, i) }
AddF32(s, i) { s.set_f32(i.dst, s.f32(i.a) + s.f32(i.b)); next!(s, i) }
SubF32(s, i) { s.set_f32(i.dst, s.f32(i.a) - s.f32(i.b)); next!(s, i) }
MulF32(s, i) { s.set_f32(i.dst, s.f32(i.a) * s.f32(i.b)); next!(s, i) }
DivF32(s, i) { s.set_f32(i.dst, s.f32(i.a) / s.f32(i.b)); next!(s, i) }
NegF32(s, i) { s.set(i.dst, s.get(i.a) ^ (1 << 31)); next!(s, i) }
MinF32(s, i) { s.set_f32(i.dst, min_f32(s.f32(i.a), s.f32(i.b))); next!(s, i) }
MaxF32(s, i) { s.set_f32(i.dst, max_f32(s.f32(i.a), s.f32(i.b))); next!(s, i) }
AddF64Const(s, i) { s.set_f64(i.dst, s.f64(i.a) + f64::from_bits(i.k)); next!(s, i) }
MulF64Const(s, i) { s.set_f64(i.dst, s.f64(i.a) * f64::from_bits(i.k)); next!(s, i) }
DivF64Const(s, i) { s.set_f64(i.dst, s.f64(i.a) / f64::from_bits(i.k)); next!(s, i) }
ConstSubF64(s, i) { s.set_f64(i.dst, f64::from_bits(i.k) - s.f64(i.a)); next!(s, i) }
ConstDivF64(s, i) { s.set_f64(i.dst, f64::from_bits(i.k) / s.f64(i.a)); next!(s, i) }
MulAddF64(s, i) { s.set_f64(i.dst, s.f64(i.c as u16) + s.f64(i.a) * s.f64(i.b)); next!(s, i) }
AddF64Mem(s, i) { let p = nonnil!(s, i.ptr).wrapping_add(i.off as usize); s.set_f64(i.dst, s.f64(i.a) + f64::from_bits(ld::<u64>(p))); next!(s, i) }
SubF64Mem(s, i) { let p = nonnil!(s, i.ptr).wrapping_add(i.off as usize); s.set_f64(i.dst, s.f64(i.a) - f64::from_bits(ld::<u64>(p))); next!(s, i) }
MulF64Mem(s, i) { let p = nonnil!(s, i.ptr).wrapping_add(i.off as usize); s.set_f64(i.dst, s.f64(i.a) * f64::from_bits(ld::<u64>(p))); next!(s, i) }
AddF64Elem(s, i) { let x = index!(s, i.idx as u16, s.get(i.s + 1) as usize); let v = s.ld_elem_f64(s.get(i.s) as usize, x); s.set_f64(i.dst, s.f64(i.a) + v); next!(s, i) }
MulF64Elem(s, i) { let x = index!(s, i.idx as u16, s.get(i.s + 1) as usize); let v = s.ld_elem_f64(s.get(i.s) as usize, x); s.set_f64(i.dst, s.f64(i.a) * v); next!(s, i) }
SqrtF64(s, i) { s.set_f64(i.dst, s.f64(i.a).sqrt()); next!(s, i) }
AbsF64(s, i) { s.set(i.dst, s.get(i.a) & !(1 << 63)); next!(s, i) }
FloorF64(s, i) { s.set_f64(i.dst, s.f64(i.a).floor()); next!(s, i) }

// ---- Complex.
AddC128(s, i) { let (a, b) = (s.c128(i.a), s.c128(i.b)); s.set_c128(i.dst, [a[0] + b[0], a[1] + b[1]]); next!(s, i) }
AddC64(s, i) { let (a, b) = (s.c64(i.a), s.c64(i.b)); s.set_c64(i.dst, [a[0] + b[0], a[1] + b[1]]); next!(s, i) }
SubC128(s, i) { let (a, b) = (s.c128(i.a), s.c128(i.b)); s.set_c128(i.dst, [a[0] - b[0], a[1] - b[1]]); next!(s, i) }
SubC64(s, i) { let (a, b) = (s.c64(i.a), s.c64(i.b)); s.set_c64(i.dst, [a[0] - b[0], a[1] - b[1]]); next!(s, i) }
MulC128(s, i) { let (a, b) = (s.c128(i.a), s.c128(i.b)); s.set_c128(i.dst, mul_c128(a, b)); next!(s, i) }
MulC64(s, i) { let (a, b) = (s.c64(i.a), s.c64(i.b)); s.set_c64(i.dst, mul_c64(a, b)); next!(s, i) }
DivC128(s, i) { slow!(s, i, div_c128) }
DivC64(s, i) { slow!(s, i, div_c64) }
NegC128(s, i) { let a = s.get2(i.a); s.set2(i.dst, [a[0] ^ (1 << 63), a[1] ^ (1 << 63)]); next!(s, i) }
NegC64(s, i) { s.set(i.dst, s.get(i.a) ^ (1 << 31 | 1 << 63)); next!(s, i) }
EqC128(s, i) { s.set(i.dst, (s.c128(i.a) == s.c128(i.b)) as u64); next!(s, i) }
EqC64(s, i) { s.set(i.dst, (s.c64(i.a) == s.c64(i.b)) as u64); next!(s, i) }
C64ToC128(s, i) { let a = s.c64(i.a); s.set_c128(i.dst, a.map(f64::from)); next!(s, i) }
C128ToC64(s, i) { let a = s.c128(i.a); s.set_c64(i.dst, a.map(|x| x as f32)); next!(s, i) }
MakeC64(s, i) { let (re, im) = (s.get(i.re), s.get(i.im)); s.set(i.dst, re & 0xffff_ffff | im << 32); next!(s, i) }
RealC64(s, i) { s.set(i.dst, s.get(i.a) & 0xffff_ffff); next!(s, i) }
ImagC64(s, i) { s.set(i.dst, s.get(i.a) >> 32); next!(s, i) }

// ---- Conversions.
SignExtend8(s, i) { s.set(i.dst, s.get(i.a) as i8 as i64 as u64); next!(s, i) }
SignExtend16(s, i) { s.set(i.dst, s.get(i.a) as i16 as i64 as u64); next!(s, i) }
SignExtend32(s, i) { s.set(i.dst, s.get(i.a) as i32 as i64 as u64); next!(s, i) }
ZeroExtend8(s, i) { s.set(i.dst, s.get(i.a) as u8 as i64 as u64); next!(s, i) }
ZeroExtend16(s, i) { s.set(i.dst, s.get(i.a) as u16 as i64 as u64); next!(s, i) }
ZeroExtend32(s, i) { s.set(i.dst, s.get(i.a) as u32 as i64 as u64); next!(s, i) }
I64ToF64(s, i) { s.set_f64(i.dst, s.get(i.a) as i64 as f64); next!(s, i) }
U64ToF64(s, i) { s.set_f64(i.dst, s.get(i.a) as f64); next!(s, i) }
I64ToF32(s, i) { s.set_f32(i.dst, s.get(i.a) as i64 as f32); next!(s, i) }
U64ToF32(s, i) { s.set_f32(i.dst, s.get(i.a) as f32); next!(s, i) }
F64ToI64(s, i) { s.set(i.dst, f64_to_i64(s.f64(i.a)) as u64); next!(s, i) }
F64ToI32(s, i) { s.set(i.dst, f64_to_i32(s.f64(i.a)) as i64 as u64); next!(s, i) }
F64ToU64(s, i) { s.set(i.dst, f64_to_u64(s.f64(i.a))); next!(s, i) }
F64ToU32(s, i) { s.set(i.dst, f64_to_i64(s.f64(i.a)) as u32 as u64); next!(s, i) }
F64ToF32(s, i) { s.set_f32(i.dst, s.f64(i.a) as f32); next!(s, i) }
F32ToF64(s, i) { s.set_f64(i.dst, s.f32(i.a) as f64); next!(s, i) }

// ---- Comparisons to a boolean.
Eq(s, i) { s.set(i.dst, ((s.get(i.a) as u64) == s.get(i.b) as u64) as u64); next!(s, i) }
Ne(s, i) { s.set(i.dst, ((s.get(i.a) as u64) != s.get(i.b) as u64) as u64); next!(s, i) }
Lt(s, i) { s.set(i.dst, ((s.get(i.a) as i64) < s.get(i.b) as i64) as u64); next!(s, i) }
Le(s, i) { s.set(i.dst, ((s.get(i.a) as i64) <= s.get(i.b) as i64) as u64); next!(s, i) }
LtU(s, i) { s.set(i.dst, ((s.get(i.a) as u64) < s.get(i.b) as u64) as u64); next!(s, i) }
LeU(s, i) { s.set(i.dst, ((s.get(i.a) as u64) <= s.get(i.b) as u64) as u64); next!(s, i) }
EqImm(s, i) { s.set(i.dst, ((s.get(i.a) as i64) == i.imm as i64) as u64); next!(s, i) }
NeImm(s, i) { s.set(i.dst, ((s.get(i.a) as i64) != i.imm as i64) as u64); next!(s, i) }
LtImm(s, i) { s.set(i.dst, ((s.get(i.a) as i64) < i.imm as i64) as u64); next!(s, i) }
LeImm(s, i) { s.set(i.dst, ((s.get(i.a) as i64) <= i.imm as i64) as u64); next!(s, i) }
GtImm(s, i) { s.set(i.dst, ((s.get(i.a) as i64) > i.imm as i64) as u64); next!(s, i) }
GeImm(s, i) { s.set(i.dst, ((s.get(i.a) as i64) >= i.imm as i64) as u64); next!(s, i) }
EqF64(s, i) { s.set(i.dst, (s.f64(i.a) == s.f64(i.b)) as u64); next!(s, i) }
NeF64(s, i) { s.set(i.dst, (s.f64(i.a) != s.f64(i.b)) as u64); next!(s, i) }
LtF64(s, i) { s.set(i.dst, (s.f64(i.a) < s.f64(i.b)) as u64); next!(s, i) }
LeF64(s, i) { s.set(i.dst, (s.f64(i.a) <= s.f64(i.b)) as u64); next!(s, i) }
EqF32(s, i) { s.set(i.dst, (s.f32(i.a) == s.f32(i.b)) as u64); next!(s, i) }
NeF32(s, i) { s.set(i.dst, (s.f32(i.a) != s.f32(i.b)) as u64); next!(s, i) }
LtF32(s, i) { s.set(i.dst, (s.f32(i.a) < s.f32(i.b)) as u64); next!(s, i) }
LeF32(s, i) { s.set(i.dst, (s.f32(i.a) <= s.f32(i.b)) as u64); next!(s, i) }
EqStr(s, i) { let r = s.str_eq(i.a, i.b); s.set(i.dst, r as u64); next!(s, i) }
NeStr(s, i) { let r = s.str_eq(i.a, i.b); s.set(i.dst, !r as u64); next!(s, i) }
LtStr(s, i) { let r = s.str_cmp(i.a, i.b); s.set(i.dst, (r < 0) as u64); next!(s, i) }
LeStr(s, i) { let r = s.str_cmp(i.a, i.b); s.set(i.dst, (r <= 0) as u64); next!(s, i) }
EqEface(s, i) { slow!(s, i, eq_eface) }
EqIface(s, i) { slow!(s, i, eq_iface) }
EqTyped(s, i) { slow!(s, i, eq_typed) }
EqMem(s, i) { slow!(s, i, eq_mem) }

// ---- Jumps: forward, then the backward twin with its safepoint.
Jump(s, i) { jump!(s, i.by) }
Loop(s, i) { back!(s, i.by) }
JumpIf(s, i) { if s.get(i.a) != 0 { keep_branch(); jump!(s, i.by) } next!(s, i) }
LoopIf(s, i) { if s.get(i.a) != 0 { keep_branch(); back!(s, i.by) } next!(s, i) }
JumpUnless(s, i) { if s.get(i.a) == 0 { keep_branch(); jump!(s, i.by) } next!(s, i) }
LoopUnless(s, i) { if s.get(i.a) == 0 { keep_branch(); back!(s, i.by) } next!(s, i) }
JumpEq(s, i) { if (s.get(i.a) as u64) == s.get(i.b) as u64 { keep_branch(); jump!(s, i.by) } next!(s, i) }
LoopEq(s, i) { if (s.get(i.a) as u64) == s.get(i.b) as u64 { keep_branch(); back!(s, i.by) } next!(s, i) }
JumpNe(s, i) { if (s.get(i.a) as u64) != s.get(i.b) as u64 { keep_branch(); jump!(s, i.by) } next!(s, i) }
LoopNe(s, i) { if (s.get(i.a) as u64) != s.get(i.b) as u64 { keep_branch(); back!(s, i.by) } next!(s, i) }
JumpLt(s, i) { if (s.get(i.a) as i64) < s.get(i.b) as i64 { keep_branch(); jump!(s, i.by) } next!(s, i) }
LoopLt(s, i) { if (s.get(i.a) as i64) < s.get(i.b) as i64 { keep_branch(); back!(s, i.by) } next!(s, i) }
JumpLe(s, i) { if (s.get(i.a) as i64) <= s.get(i.b) as i64 { keep_branch(); jump!(s, i.by) } next!(s, i) }
LoopLe(s, i) { if (s.get(i.a) as i64) <= s.get(i.b) as i64 { keep_branch(); back!(s, i.by) } next!(s, i) }
JumpLtU(s, i) { if (s.get(i.a) as u64) < s.get(i.b) as u64 { keep_branch(); jump!(s, i.by) } next!(s, i) }
LoopLtU(s, i) { if (s.get(i.a) as u64) < s.get(i.b) as u64 { keep_branch(); back!(s, i.by) } next!(s, i) }
JumpLeU(s, i) { if (s.get(i.a) as u64) <= s.get(i.b) as u64 { keep_branch(); jump!(s, i.by) } next!(s, i) }
LoopLeU(s, i) { if (s.get(i.a) as u64) <= s.get(i.b) as u64 { keep_branch(); back!(s, i.by) } next!(s, i) }
JumpEqImm(s, i) { if (s.get(i.a) as i64) == i.imm as i64 { keep_branch(); jump!(s, i.by) } next!(s, i) }
LoopEqImm(s, i) { if (s.get(i.a) as i64) == i.imm as i64 { keep_branch(); back!(s, i.by) } next!(s, i) }
JumpNeImm(s, i) { if (s.get(i.a) as i64) != i.imm as i64 { keep_branch(); jump!(s, i.by) } next!(s, i) }
LoopNeImm(s, i) { if (s.get(i.a) as i64) != i.imm as i64 { keep_branch(); back!(s, i.by) } next!(s, i) }
JumpLtImm(s, i) { if (s.get(i.a) as i64) < i.imm as i64 { keep_branch(); jump!(s, i.by) } next!(s, i) }
LoopLtImm(s, i) { if (s.get(i.a) as i64) < i.imm as i64 { keep_branch(); back!(s, i.by) } next!(s, i) }
JumpLeImm(s, i) { if (s.get(i.a) as i64) <= i.imm as i64 { keep_branch(); jump!(s, i.by) } next!(s, i) }
LoopLeImm(s, i) { if (s.get(i.a) as i64) <= i.imm as i64 { keep_branch(); back!(s, i.by) } next!(s, i) }
JumpGtImm(s, i) { if (s.get(i.a) as i64) > i.imm as i64 { keep_branch(); jump!(s, i.by) } next!(s, i) }
LoopGtImm(s, i) { if (s.get(i.a) as i64) > i.imm as i64 { keep_branch(); back!(s, i.by) } next!(s, i) }
JumpGeImm(s, i) { if (s.get(i.a) as i64) >= i.imm as i64 { keep_branch(); jump!(s, i.by) } next!(s, i) }
LoopGeImm(s, i) { if (s.get(i.a) as i64) >= i.imm as i64 { keep_branch(); back!(s, i.by) } next!(s, i) }
JumpLtUImm(s, i) { if s.get(i.a) < i.imm as u64 { keep_branch(); jump!(s, i.by) } next!(s, i) }
LoopLtUImm(s, i) { if s.get(i.a) < i.imm as u64 { keep_branch(); back!(s, i.by) } next!(s, i) }
JumpLeUImm(s, i) { if s.get(i.a) <= i.imm as u64 { keep_branch(); jump!(s, i.by) } next!(s, i) }
LoopLeUImm(s, i) { if s.get(i.a) <= i.imm as u64 { keep_branch(); back!(s, i.by) } next!(s, i) }
JumpGtUImm(s, i) { if s.get(i.a) > i.imm as u64 { keep_branch(); jump!(s, i.by) } next!(s, i) }
LoopGtUImm(s, i) { if s.get(i.a) > i.imm as u64 { keep_branch(); back!(s, i.by) } next!(s, i) }
JumpGeUImm(s, i) { if s.get(i.a) >= i.imm as u64 { keep_branch(); jump!(s, i.by) } next!(s, i) }
LoopGeUImm(s, i) { if s.get(i.a) >= i.imm as u64 { keep_branch(); back!(s, i.by) } next!(s, i) }
JumpEqConst(s, i) { if (s.get(i.a) as i64) == i.k as i64 { keep_branch(); jump!(s, i.by) } next!(s, i) }
LoopEqConst(s, i) { if (s.get(i.a) as i64) == i.k as i64 { keep_branch(); back!(s, i.by) } next!(s, i) }
JumpNeConst(s, i) { if (s.get(i.a) as i64) != i.k as i64 { keep_branch(); jump!(s, i.by) } next!(s, i) }
LoopNeConst(s, i) { if (s.get(i.a) as i64) != i.k as i64 { keep_branch(); back!(s, i.by) } next!(s, i) }
JumpLtConst(s, i) { if (s.get(i.a) as i64) < i.k as i64 { keep_branch(); jump!(s, i.by) } next!(s, i) }
LoopLtConst(s, i) { if (s.get(i.a) as i64) < i.k as i64 { keep_branch(); back!(s, i.by) } next!(s, i) }
JumpLeConst(s, i) { if (s.get(i.a) as i64) <= i.k as i64 { keep_branch(); jump!(s, i.by) } next!(s, i) }
LoopLeConst(s, i) { if (s.get(i.a) as i64) <= i.k as i64 { keep_branch(); back!(s, i.by) } next!(s, i) }
JumpGtConst(s, i) { if (s.get(i.a) as i64) > i.k as i64 { keep_branch(); jump!(s, i.by) } next!(s, i) }
LoopGtConst(s, i) { if (s.get(i.a) as i64) > i.k as i64 { keep_branch(); back!(s, i.by) } next!(s, i) }
JumpGeConst(s, i) { if (s.get(i.a) as i64) >= i.k as i64 { keep_branch(); jump!(s, i.by) } next!(s, i) }
LoopGeConst(s, i) { if (s.get(i.a) as i64) >= i.k as i64 { keep_branch(); back!(s, i.by) } next!(s, i) }
JumpEqType(s, i) { if s.get(i.a) == i.typ { keep_branch(); jump!(s, i.by) } next!(s, i) }
JumpNeType(s, i) { if s.get(i.a) != i.typ { keep_branch(); jump!(s, i.by) } next!(s, i) }
JumpEqF64(s, i) { if s.f64(i.a) == s.f64(i.b) { keep_branch(); jump!(s, i.by) } next!(s, i) }
LoopEqF64(s, i) { if s.f64(i.a) == s.f64(i.b) { keep_branch(); back!(s, i.by) } next!(s, i) }
JumpNeF64(s, i) { if s.f64(i.a) != s.f64(i.b) { keep_branch(); jump!(s, i.by) } next!(s, i) }
LoopNeF64(s, i) { if s.f64(i.a) != s.f64(i.b) { keep_branch(); back!(s, i.by) } next!(s, i) }
JumpLtF64(s, i) { if s.f64(i.a) < s.f64(i.b) { keep_branch(); jump!(s, i.by) } next!(s, i) }
LoopLtF64(s, i) { if s.f64(i.a) < s.f64(i.b) { keep_branch(); back!(s, i.by) } next!(s, i) }
JumpLeF64(s, i) { if s.f64(i.a) <= s.f64(i.b) { keep_branch(); jump!(s, i.by) } next!(s, i) }
LoopLeF64(s, i) { if s.f64(i.a) <= s.f64(i.b) { keep_branch(); back!(s, i.by) } next!(s, i) }
JumpNotLtF64(s, i) { if !(s.f64(i.a) < s.f64(i.b)) { keep_branch(); jump!(s, i.by) } next!(s, i) }
LoopNotLtF64(s, i) { if !(s.f64(i.a) < s.f64(i.b)) { keep_branch(); back!(s, i.by) } next!(s, i) }
JumpNotLeF64(s, i) { if !(s.f64(i.a) <= s.f64(i.b)) { keep_branch(); jump!(s, i.by) } next!(s, i) }
LoopNotLeF64(s, i) { if !(s.f64(i.a) <= s.f64(i.b)) { keep_branch(); back!(s, i.by) } next!(s, i) }
JumpEqF32(s, i) { if s.f32(i.a) == s.f32(i.b) { keep_branch(); jump!(s, i.by) } next!(s, i) }
LoopEqF32(s, i) { if s.f32(i.a) == s.f32(i.b) { keep_branch(); back!(s, i.by) } next!(s, i) }
JumpNeF32(s, i) { if s.f32(i.a) != s.f32(i.b) { keep_branch(); jump!(s, i.by) } next!(s, i) }
LoopNeF32(s, i) { if s.f32(i.a) != s.f32(i.b) { keep_branch(); back!(s, i.by) } next!(s, i) }
JumpLtF32(s, i) { if s.f32(i.a) < s.f32(i.b) { keep_branch(); jump!(s, i.by) } next!(s, i) }
LoopLtF32(s, i) { if s.f32(i.a) < s.f32(i.b) { keep_branch(); back!(s, i.by) } next!(s, i) }
JumpLeF32(s, i) { if s.f32(i.a) <= s.f32(i.b) { keep_branch(); jump!(s, i.by) } next!(s, i) }
LoopLeF32(s, i) { if s.f32(i.a) <= s.f32(i.b) { keep_branch(); back!(s, i.by) } next!(s, i) }
JumpNotLtF32(s, i) { if !(s.f32(i.a) < s.f32(i.b)) { keep_branch(); jump!(s, i.by) } next!(s, i) }
LoopNotLtF32(s, i) { if !(s.f32(i.a) < s.f32(i.b)) { keep_branch(); back!(s, i.by) } next!(s, i) }
JumpNotLeF32(s, i) { if !(s.f32(i.a) <= s.f32(i.b)) { keep_branch(); jump!(s, i.by) } next!(s, i) }
LoopNotLeF32(s, i) { if !(s.f32(i.a) <= s.f32(i.b)) { keep_branch(); back!(s, i.by) } next!(s, i) }
JumpEqStr(s, i) { if s.str_eq(i.a, i.b) { keep_branch(); jump!(s, i.by) } next!(s, i) }
LoopEqStr(s, i) { if s.str_eq(i.a, i.b) { keep_branch(); back!(s, i.by) } next!(s, i) }
JumpNeStr(s, i) { if !s.str_eq(i.a, i.b) { keep_branch(); jump!(s, i.by) } next!(s, i) }
LoopNeStr(s, i) { if !s.str_eq(i.a, i.b) { keep_branch(); back!(s, i.by) } next!(s, i) }

// ---- Fused loops.
IncLoopLt(s, i) { let x = (s.get(i.i) as i64).wrapping_add(1); s.set(i.i, x as u64); if x < s.get(i.n) as i64 { keep_branch(); back!(s, i.by) } next!(s, i) }
IncLoopLe(s, i) { let x = (s.get(i.i) as i64).wrapping_add(1); s.set(i.i, x as u64); if x <= s.get(i.n) as i64 { keep_branch(); back!(s, i.by) } next!(s, i) }
IncLoopLtImm(s, i) { let x = (s.get(i.i) as i64).wrapping_add(1); s.set(i.i, x as u64); if x < i.imm as i64 { keep_branch(); back!(s, i.by) } next!(s, i) }
IncLoopLeImm(s, i) { let x = (s.get(i.i) as i64).wrapping_add(1); s.set(i.i, x as u64); if x <= i.imm as i64 { keep_branch(); back!(s, i.by) } next!(s, i) }
IncLoopLtConst(s, i) { let x = (s.get(i.i) as i64).wrapping_add(1); s.set(i.i, x as u64); if x < i.k as i64 { keep_branch(); back!(s, i.by) } next!(s, i) }
IncLoopLeConst(s, i) { let x = (s.get(i.i) as i64).wrapping_add(1); s.set(i.i, x as u64); if x <= i.k as i64 { keep_branch(); back!(s, i.by) } next!(s, i) }
DecLoopGtImm(s, i) { let x = (s.get(i.i) as i64).wrapping_sub(1); s.set(i.i, x as u64); if x > i.imm as i64 { keep_branch(); back!(s, i.by) } next!(s, i) }
DecLoopGeImm(s, i) { let x = (s.get(i.i) as i64).wrapping_sub(1); s.set(i.i, x as u64); if x >= i.imm as i64 { keep_branch(); back!(s, i.by) } next!(s, i) }
AddLoopLt(s, i) { let x = (s.get(i.i) as i64).wrapping_add(s.get(i.step) as i64); s.set(i.i, x as u64); if x < s.get(i.n as u16) as i64 { keep_branch(); back!(s, i.by) } next!(s, i) }
AddLoopLe(s, i) { let x = (s.get(i.i) as i64).wrapping_add(s.get(i.step) as i64); s.set(i.i, x as u64); if x <= s.get(i.n as u16) as i64 { keep_branch(); back!(s, i.by) } next!(s, i) }

// ---- Calls.
Enter(s, i) { if s.at(i.frame) as usize > s.guard() { leave!(s, Status::Enter) } zero(s.at(i.first), i.n as usize); next!(s, i) }
Call(s, i) { enter!(s, i, i.win, func_entry(i.func)) }
CallClosure(s, i) { let f = nonnil!(s, i.clo); s.set(i.win + i.cw, f as u64); enter!(s, i, i.win, func_entry(ld::<u64>(f) as u32)) }
CallIface(s, i) { let itab = nonnil!(s, i.iface); let data = s.get(i.iface + 1); s.set(i.win + i.recv as u16, data); enter!(s, i, i.win, func_entry(itab_func(itab, i.m))) }
LockJump(s, i) { let p = nonnil!(s, i.ptr) as *const Mutex; if mutex::lock_fast(p) { keep_branch(); jump!(s, i.by) } next!(s, i) }
UnlockJump(s, i) { let p = nonnil!(s, i.ptr) as *const Mutex; if let Some(state) = mutex::unlock_fast(p) { (*s.g).vm[Scratch::Mutex as usize] = state as usize; next!(s, i) } jump!(s, i.by) }
CallNative(s, i) { native!(s, i) }
Ret(s, i) { let (pc, fp) = s.caller(); go!(s, pc, fp) }
RetMov(s, i) { s.set(0, s.get(i.src)); let (pc, fp) = s.caller(); go!(s, pc, fp) }
RetImm(s, i) { s.set(0, i.imm as i64 as u64); let (pc, fp) = s.caller(); go!(s, pc, fp) }
Go(s, i) { slow!(s, i, go) }
Defer(s, i) { slow!(s, i, defer) }
RunDefers(s, i) { let f = slow::next_deferred(s.fp, s.g); if f == 0 { next!(s, i) } if f == slow::NIL_FUNC { leave!(s, Status::Nil) } s.set(i.win, f as u64); call_back_here!(s, i.win, func_entry(ld::<u64>(f) as u32)) }
Panic(s, i) { leave!(s, Status::Panic) }
Recover(s, i) { slow!(s, i, recover) }
CopyResults(s, i) { next!(s, i) }
Unreachable(s, i) { leave!(s, Status::Unreachable) }
StubGoexit(s, i) { leave!(s, Status::Exit) }
StubNativeReturn(s, i) { leave!(s, Status::NativeReturn) }
StubPanicReturn(s, i) { leave!(s, Status::DeferReturn) }

// ---- Allocation.
New(s, i) { let p = new(s.g, i.layout, i.size as usize); s.set(i.dst, p); next!(s, i) }
MakeClosure(s, i) { let (size, layout) = halves(i.sl); let p = new(s.g, layout as u32, size); st::<u64>(p as usize, i.func as u64); s.set(i.dst, p); next!(s, i) }
MakeSlice(s, i) { slow!(s, i, make_slice) }
MakeMap(s, i) { slow!(s, i, make_map) }
MakeChan(s, i) { slow!(s, i, make_chan) }
Push8(s, i) { let [p, len, cap] = s.get3(i.s); if len < cap { s.st_elem::<u8>(p as usize, len as usize, s.get(i.v)); s.set3(i.dst, [p, len + 1, cap]); next!(s, i) } slow!(s, i, push) }
Push16(s, i) { let [p, len, cap] = s.get3(i.s); if len < cap { s.st_elem::<u16>(p as usize, len as usize, s.get(i.v)); s.set3(i.dst, [p, len + 1, cap]); next!(s, i) } slow!(s, i, push) }
Push32(s, i) { let [p, len, cap] = s.get3(i.s); if len < cap { s.st_elem::<u32>(p as usize, len as usize, s.get(i.v)); s.set3(i.dst, [p, len + 1, cap]); next!(s, i) } slow!(s, i, push) }
Push64(s, i) { let [p, len, cap] = s.get3(i.s); if len < cap { s.st_elem::<u64>(p as usize, len as usize, s.get(i.v)); s.set3(i.dst, [p, len + 1, cap]); next!(s, i) } slow!(s, i, push) }
PushPtr(s, i) { let [p, len, cap] = s.get3(i.s); if len < cap { let p0 = s.touched(elem(p as usize, len as usize, 8)); st_ptr(p0, s.get(i.v)); s.set3(i.dst, [p, len + 1, cap]); next!(s, i) } slow!(s, i, push) }
PushStr(s, i) { let [p, len, cap] = s.get3(i.s); if len < cap { let p0 = s.touched(elem(p as usize, len as usize, 16)); st_str(p0, s.get2(i.v)); s.set3(i.dst, [p, len + 1, cap]); next!(s, i) } slow!(s, i, push) }
PushSlice(s, i) { let [p, len, cap] = s.get3(i.s); if len < cap { let p0 = s.touched(elem(p as usize, len as usize, 24)); st_slice(p0, s.get3(i.v)); s.set3(i.dst, [p, len + 1, cap]); next!(s, i) } slow!(s, i, push) }
PushIface(s, i) { let [p, len, cap] = s.get3(i.s); if len < cap { let p0 = s.touched(elem(p as usize, len as usize, 16)); st_iface(p0, s.get2(i.v)); s.set3(i.dst, [p, len + 1, cap]); next!(s, i) } slow!(s, i, push) }
PushTyped(s, i) { slow!(s, i, push) }
GrowSlice(s, i) { slow!(s, i, grow_slice) }
AppendSlice(s, i) { slow!(s, i, append_slice) }
AppendString(s, i) { slow!(s, i, append_string) }
CopySlice(s, i) { slow!(s, i, copy_slice) }
CopyString(s, i) { slow!(s, i, copy_string) }
ClearSlice(s, i) { slow!(s, i, clear_slice) }
SliceOfSlice(s, i) { slow!(s, i, slice_s) }
SliceOfSlice3(s, i) { slow!(s, i, slice_s3) }
SliceOfArray(s, i) { slow!(s, i, slice_p) }
SliceOfArray3(s, i) { slow!(s, i, slice_p3) }
SliceOfStr(s, i) { slow!(s, i, slice_str) }
SliceToArray(s, i) { slow!(s, i, slice_to_arr) }
UnsafeSlice(s, i) { slow!(s, i, unsafe_slice) }
UnsafeString(s, i) { slow!(s, i, unsafe_string) }

// ---- Strings.
StrIndex(s, i) { let x = index!(s, i.idx, s.get(i.s + 1) as usize); s.set(i.dst, s.ld_elem::<u8>(s.get(i.s) as usize, x)); next!(s, i) }
Concat2(s, i) { slow!(s, i, concat2) }
ConcatN(s, i) { slow!(s, i, concat_n) }
StrOfBytes(s, i) { slow!(s, i, str_of_bytes) }
BytesOfStr(s, i) { slow!(s, i, bytes_of_str) }
StrOfRunes(s, i) { slow!(s, i, str_of_runes) }
RunesOfStr(s, i) { slow!(s, i, runes_of_str) }
StrOfRune(s, i) { slow!(s, i, str_of_rune) }
StrNext(s, i) { let at = s.get(i.it) as usize; let b = s.ld_elem::<u8>(s.get(i.s) as usize, at); if b < 0x80 { s.set(i.it, at as u64 + 1); s.set(i.r, b); next!(s, i) } slow!(s, i, str_next) }

// ---- Maps.
MapGet(s, i) { slow!(s, i, map_get) }
MapGetOk(s, i) { slow!(s, i, map_get2) }
MapSet(s, i) { slow!(s, i, map_set) }
MapAddr(s, i) { slow!(s, i, map_addr) }
MapFind(s, i) { slow!(s, i, map_find) }
MapDelete(s, i) { slow!(s, i, map_del) }
MapGet32(s, i) { slow!(s, i, map_get32) }
MapGetOk32(s, i) { slow!(s, i, map_get2_32) }
MapSet32(s, i) { slow!(s, i, map_set32) }
MapAddr32(s, i) { slow!(s, i, map_addr32) }
MapDelete32(s, i) { slow!(s, i, map_del32) }
MapGet64(s, i) { slow!(s, i, map_get64) }
MapGetOk64(s, i) { slow!(s, i, map_get2_64) }
MapSet64(s, i) { slow!(s, i, map_set64) }
MapAddr64(s, i) { slow!(s, i, map_addr64) }
MapDelete64(s, i) { slow!(s, i, map_del64) }
MapGetStr(s, i) { slow!(s, i, map_get_str) }
MapGetOkStr(s, i) { slow!(s, i, map_get2_str) }
MapSetStr(s, i) { slow!(s, i, map_set_str) }
MapAddrStr(s, i) { slow!(s, i, map_addr_str) }
MapDeleteStr(s, i) { slow!(s, i, map_del_str) }
MapLen(s, i) { slow!(s, i, map_len) }
MapClear(s, i) { slow!(s, i, map_clear) }
MapIter(s, i) { slow!(s, i, map_iter) }
MapNext(s, i) { let st = slow::map_next(s.pc, s.fp, s.g); if st == 0 { next!(s, i) } if st == slow::AT_END { jump!(s, i.done) } leave!(s, st) }

// ---- Channels.
Send(s, i) { let st = slow::send(s.pc, s.fp, s.g); if st == 0 { next2!(s, Send, SendDone) } if st == Status::Park as u64 { leave_behind!(s, i, st) } leave!(s, st) }
SendDone(s, i) { slow!(s, i, send_done) }
Recv(s, i) { let st = slow::recv(s.pc, s.fp, s.g); if st == 0 { next2!(s, Recv, RecvDone) } if st == Status::Park as u64 { leave_behind!(s, i, st) } leave!(s, st) }
RecvDone(s, i) { slow!(s, i, recv_done) }
Select(s, i) { let st = slow::select(s.pc, s.fp, s.g); if st == 0 { next2!(s, Select, SelectDone) } if st == Status::Park as u64 { leave_behind!(s, i, st) } leave!(s, st) }
SelectDone(s, i) { slow!(s, i, select_done) }
Close(s, i) { slow!(s, i, close) }
ChanLen(s, i) { slow!(s, i, chan_len) }
ChanCap(s, i) { slow!(s, i, chan_cap) }
SelectSend(s, i) { s.set2(i.blk, [s.get(i.ch), i.v as u64]); next!(s, i) }
SelectRecv(s, i) { let ch = s.get(i.ch); if i.v != NONE { zero(s.at(i.v), i.n as usize); } s.set2(i.blk, [ch, i.v as u64 | 1 << 16]); next!(s, i) }

// ---- Interfaces.
MakeIface(s, i) { s.set2(i.dst, [i.tab, s.get(i.v)]); next!(s, i) }
BoxIface(s, i) { let p = new_copy(s.g, i.sl, s.at(i.v)); s.set2(i.dst, [i.tab, p]); next!(s, i) }
ItabType(s, i) { let t = itab_typ(s.get(i.itab)); s.set(i.dst, t); next!(s, i) }
IfaceToEface(s, i) { let [t, d] = s.get2(i.src); s.set2(i.dst, [itab_typ(t), d]); next!(s, i) }
EfaceToIface(s, i) { slow!(s, i, conv_iface) }
AssertTypeEface(s, i) { if s.get(i.src) == i.typ { next!(s, i) } slow!(s, i, assert_e) }
AssertTypeIface(s, i) { if itab_typ(s.get(i.src)) == i.typ { next!(s, i) } slow!(s, i, assert_i) }
AssertToIface(s, i) { slow!(s, i, assert_iface) }
AssertToIfaceOk(s, i) { slow!(s, i, assert_iface2) }
AssertToEface(s, i) { slow!(s, i, assert_eface) }
MethodNil(s, i) { slow!(s, i, method_nil) }

// ---- Built-in print.
Print(s, i) { slow!(s, i, print) }
PrintLock(s, i) { slow!(s, i, print_lock) }
    } };
}

/// An instruction's handler.
pub(super) type HandlerFn = unsafe extern "sysv64" fn(
    pc: *const u64,
    fp: *mut u64,
    g: *mut G,
    table: *const Handler,
) -> u64;

/// An entry of the threaded dispatcher's table.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub(super) struct Handler(HandlerFn);

trait StatusWord {
    fn word(self) -> u64;
}
impl StatusWord for Status {
    #[inline(always)]
    fn word(self) -> u64 {
        self as u64
    }
}
impl StatusWord for u64 {
    #[inline(always)]
    fn word(self) -> u64 {
        self
    }
}

/// The threaded dispatcher.
#[allow(
    unsafe_op_in_unsafe_fn,
    reason = "every body rests on the same invariants X1 to X5"
)]
mod threaded {
    use super::*;

    #[inline(always)]
    pub(super) unsafe fn dispatch(
        pc: *const u64,
        fp: *mut u64,
        g: *mut G,
        table: *const Handler,
    ) -> u64 {
        ((*table.add(*pc.cast::<u16>() as usize)).0)(pc, fp, g, table)
    }

    macro_rules! next {
        ($s:ident, $i:ident) => {
            return dispatch($s.pc.byte_add(size_of_val(&$i)), $s.fp, $s.g, $s.table)
        };
    }
    macro_rules! jump {
        ($s:ident, $by:expr) => {
            return dispatch($s.pc.offset($by as isize), $s.fp, $s.g, $s.table)
        };
    }
    macro_rules! go {
        ($s:ident, $pc:expr, $fp:expr) => {
            return dispatch($pc, $fp, $s.g, $s.table)
        };
    }
    macro_rules! leave {
        ($s:ident, $st:expr) => {{
            $s.save();
            return StatusWord::word($st);
        }};
    }
    macro_rules! leave_at {
        ($s:ident, $pc:expr, $st:expr) => {{
            Regs { pc: $pc, ..$s }.save();
            return StatusWord::word($st);
        }};
    }

    macro_rules! handlers {
        ($( $name:ident($s:ident, $i:ident) $body:block )*) => { $(
            #[allow(non_snake_case, unused_variables, unused_unsafe, unreachable_code, clippy::macro_metavars_in_unsafe, clippy::neg_cmp_op_on_partial_ord, reason = "made from the bodies")]
            pub(super) unsafe extern "sysv64" fn $name(pc: *const u64, fp: *mut u64, g: *mut G, table: *const Handler) -> u64 {
                let $s = Regs { pc, fp, g, table };
                let $i = *pc.cast::<insn::$name>();
                $body
            }
        )* };
    }
    for_each_body!(handlers);
}

macro_rules! define_table {
    ($( $(#[$doc:meta])* $name:ident { $($field:ident : $kind:ident),* $(,)? } $($attribute:ident)*; )*) => {
        /// The handlers in order of the opcodes; one missing does not compile.
        static TABLE: [Handler; Op::COUNT] = [$(Handler(threaded::$name)),*];
    };
}
for_each_op!(define_table);

/// The looped dispatcher.
#[allow(
    unsafe_op_in_unsafe_fn,
    reason = "every body rests on the same invariants X1 to X5"
)]
mod looped {
    use super::*;

    macro_rules! next {
        ($s:ident, $i:ident) => {{
            $s.pc = $s.pc.byte_add(size_of_val(&$i));
            continue;
        }};
    }
    macro_rules! jump {
        ($s:ident, $by:expr) => {{
            $s.pc = $s.pc.offset($by as isize);
            continue;
        }};
    }
    macro_rules! go {
        ($s:ident, $pc:expr, $fp:expr) => {{
            ($s.pc, $s.fp) = ($pc, $fp);
            continue;
        }};
    }
    macro_rules! leave {
        ($s:ident, $st:expr) => {{
            $s.save();
            return StatusWord::word($st);
        }};
    }
    macro_rules! leave_at {
        ($s:ident, $pc:expr, $st:expr) => {{
            Regs { pc: $pc, ..*$s }.save();
            return StatusWord::word($st);
        }};
    }

    macro_rules! run {
        ($( $name:ident($s:ident, $i:ident) $body:block )*) => {
            #[allow(unused_variables, unused_unsafe, unreachable_code, clippy::macro_metavars_in_unsafe, clippy::neg_cmp_op_on_partial_ord, reason = "made from the bodies")]
            pub(super) unsafe extern "sysv64" fn run(pc: *const u64, fp: *mut u64, g: *mut G, table: *const Handler) -> u64 {
                let mut regs = Regs { pc, fp, g, table };
                loop {
                    // X1: the word is an instruction.
                    match *regs.pc.cast::<Op>() {
                        $( Op::$name => {
                            let $s = &mut regs;
                            let $i = *$s.pc.cast::<insn::$name>();
                            $body
                        } )*
                    }
                }
            }
        };
    }
    for_each_body!(run);
}

/// Runs from `g.sched` until an instruction leaves.
///
/// # Safety
///
/// X1 to X3 hold for the registers in `g.sched`.
#[inline]
pub(super) unsafe fn run(g: *mut G) -> Status {
    // SAFETY: as the caller promises.
    unsafe {
        let (pc, fp) = ((*g).sched.pc as *const u64, (*g).sched.fp as *mut u64);
        let f = if IS_LOOPED.load(Relaxed) == LOOPED {
            looped::run
        } else {
            TABLE[*pc.cast::<u16>() as usize].0
        };
        let st = trap::call(f, pc, fp, g, TABLE.as_ptr());
        Status::from_u64(st)
    }
}

/// As [`run`], with the dispatcher named.
#[cfg(test)]
pub(super) unsafe fn run_with(g: *mut G, looped: bool) -> Status {
    // SAFETY: as the caller promises.
    unsafe {
        let (pc, fp) = ((*g).sched.pc as *const u64, (*g).sched.fp as *mut u64);
        Status::from_u64(if looped {
            looped::run(pc, fp, g, TABLE.as_ptr())
        } else {
            threaded::dispatch(pc, fp, g, TABLE.as_ptr())
        })
    }
}

const LOOPED: u8 = 1;

/// 1: the looped dispatcher is used. Written by `prepare` before any goroutine runs.
static IS_LOOPED: AtomicU8 = AtomicU8::new(if cfg!(all(target_arch = "x86_64", not(miri))) {
    0
} else {
    LOOPED
});

/// Gets ready to run: notes where the function table is and finds out which dispatcher this build can use.
/// `GOSCHED_DISPATCH=loop` asks for the looped one: tests run both.
pub(super) fn prepare() {
    FUNCS.store(crate::bytecode::func::table(), Relaxed);
    let asked = std::env::var_os("GOSCHED_DISPATCH").is_some_and(|v| v == "loop");
    if IS_LOOPED.load(Relaxed) != LOOPED && (asked || !are_calls_jumps()) {
        IS_LOOPED.store(LOOPED, Relaxed);
    }
}

/// Runs 1,000 instructions of the threaded dispatcher and compares how deep the native stack is at the first and the last.
fn are_calls_jumps() -> bool {
    const STEPS: u64 = 1000;
    const NEAR: usize = 256;
    thread_local! {
        /// Stack pointers seen by the probe.
        static SEEN: std::cell::Cell<(usize, usize)> = const { std::cell::Cell::new((0, 0)) };
    }
    unsafe extern "sysv64" fn probe(
        pc: *const u64,
        fp: *mut u64,
        g: *mut G,
        table: *const Handler,
    ) -> u64 {
        let here = gosched_runtime::coro::stack_pointer();
        let (first, _) = SEEN.get();
        SEEN.set((if first == 0 { here } else { first }, here));
        // SAFETY: the probe's own code, frame and table.
        unsafe {
            *fp -= 1;
            if *fp == 0 {
                return Status::Done as u64;
            }
            threaded::dispatch(pc.add(1), fp, g, table)
        }
    }
    let mut table = TABLE;
    table[Op::Nop as usize] = Handler(probe);
    let nop = u64::from(Op::Nop as u16);
    let jump = u64::from(Op::Loop as u16) | ((-1i32 as u32 as u64) << 32);
    let code = [nop, jump];
    let mut frame = [STEPS];
    let mut g = G::new();
    // SAFETY: the two instructions only count the frame's one slot down; the last one leaves.
    unsafe {
        threaded::dispatch(
            code.as_ptr(),
            frame.as_mut_ptr(),
            &raw mut g,
            table.as_ptr(),
        )
    };
    let (first, last) = SEEN.get();
    first.abs_diff(last) < NEAR
}
