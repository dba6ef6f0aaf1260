#![allow(unsafe_code)]
//! The registers of the machine, and how bodies of instructions get at slots and at memory.
//!
//! [`Regs`] reads and writes the slots of the running frame; [`Load`] and [`Store`] say how the
//! values of Go lie in memory. All of it is compiled in place, save what debug builds alone do:
//! a call would give handlers a stack frame.
//!
//! # Invariants
//!
//! exec::X1 to X5.
//!
//! Go: none; compare cmd/compile/internal/ssagen.

use crate::native::{GoStr, Ptr, Slice};
use crate::slow;
#[cfg(all(target_arch = "x86_64", not(miri)))]
use crate::trap::touch;
use crate::value::Iface;
use bytecode::pair::Pair;
use gosched_runtime::g::G;
use gosched_runtime::heap::{self, LayoutId};
use std::sync::atomic::{
    AtomicU8, AtomicU16, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed,
};

use super::Handler;
use super::operators::{C64, C128, Relation, Word};

/// The registers of the machine.
#[derive(Clone, Copy)]
pub(crate) struct Regs {
    pub(super) pc: *const u64,
    pub(super) fp: *mut u64,
    pub(super) g: *mut G,
    pub(super) table: *const Handler,
}

/// The registers' face for the bodies. All calls rest on exec::X1 and exec::X2.
impl Regs {
    pub(crate) fn new(pc: *const u64, fp: *mut u64, g: *mut G) -> Regs {
        Regs {
            pc,
            fp,
            g,
            table: std::ptr::null(),
        }
    }
    /// As a value, in either dispatcher.
    #[inline(always)]
    pub(super) fn now(self) -> Regs {
        self
    }
    pub(crate) fn g(self) -> *mut G {
        self.g
    }
    pub(crate) fn pc(self) -> *const u64 {
        self.pc
    }
    pub(crate) fn fp(self) -> *mut u64 {
        self.fp
    }
    #[inline(always)]
    pub(crate) unsafe fn at(self, slot: u16) -> *mut u64 {
        // SAFETY: exec::X2.
        unsafe { self.fp.add(slot as usize) }
    }
    #[inline(always)]
    pub(super) unsafe fn byte(self, at: i32) -> usize {
        (self.fp as usize).wrapping_add(at as usize)
    }
    /// The value in `slot` and those behind it.
    #[inline(always)]
    pub(super) unsafe fn read<T: Slots>(self, slot: u16) -> T {
        // SAFETY: exec::X2.
        unsafe { T::read(self, slot) }
    }
    /// Puts a value into `slot` and those behind it.
    #[inline(always)]
    pub(super) unsafe fn put<T: Slots>(self, slot: u16, v: T) {
        // SAFETY: exec::X2.
        unsafe { T::put(self, slot, v) }
    }
    #[inline(always)]
    pub(crate) unsafe fn get(self, slot: u16) -> u64 {
        // SAFETY: exec::X2.
        unsafe { *self.at(slot) }
    }
    #[inline(always)]
    pub(crate) unsafe fn set(self, slot: u16, v: u64) {
        // SAFETY: exec::X2.
        unsafe { *self.at(slot) = v }
    }
    #[inline(always)]
    pub(crate) unsafe fn get2(self, slot: u16) -> [u64; 2] {
        // SAFETY: exec::X2.
        unsafe { [self.get(slot), *self.at(slot).add(1)] }
    }
    #[inline(always)]
    pub(crate) unsafe fn set2(self, slot: u16, v: [u64; 2]) {
        // SAFETY: exec::X2.
        unsafe {
            *self.at(slot) = v[0];
            *self.at(slot).add(1) = v[1];
        }
    }
    #[inline(always)]
    pub(crate) unsafe fn get3(self, slot: u16) -> [u64; 3] {
        // SAFETY: exec::X2.
        unsafe { [self.get(slot), *self.at(slot).add(1), *self.at(slot).add(2)] }
    }
    #[inline(always)]
    pub(crate) unsafe fn set3(self, slot: u16, v: [u64; 3]) {
        // SAFETY: exec::X2.
        unsafe {
            *self.at(slot) = v[0];
            *self.at(slot).add(1) = v[1];
            *self.at(slot).add(2) = v[2];
        }
    }
    #[inline(always)]
    pub(crate) unsafe fn f64(self, slot: u16) -> f64 {
        // SAFETY: exec::X2.
        unsafe { self.read(slot) }
    }
    #[inline(always)]
    pub(crate) unsafe fn f32(self, slot: u16) -> f32 {
        // SAFETY: exec::X2.
        unsafe { self.read(slot) }
    }
    #[inline(always)]
    pub(crate) unsafe fn c128(self, slot: u16) -> C128 {
        // SAFETY: exec::X2.
        unsafe { self.read(slot) }
    }
    #[inline(always)]
    pub(crate) unsafe fn set_c128(self, slot: u16, v: C128) {
        // SAFETY: exec::X2.
        unsafe { self.put(slot, v) }
    }
    #[inline(always)]
    pub(crate) unsafe fn c64(self, slot: u16) -> C64 {
        // SAFETY: exec::X2.
        unsafe { self.read(slot) }
    }
    #[inline(always)]
    pub(crate) unsafe fn set_c64(self, slot: u16, v: C64) {
        // SAFETY: exec::X2.
        unsafe { self.put(slot, v) }
    }
    /// Does the relation hold between the values in slots `a` and `b`?
    #[inline(always)]
    pub(super) unsafe fn holds<R: Relation<Of: Slots>>(self, a: u16, b: u16) -> bool {
        // SAFETY: exec::X2.
        unsafe { R::holds(self.read(a), self.read(b)) }
    }
    /// Does the relation hold between the value in slot `a` and the one whose slot would be `b`?
    #[inline(always)]
    pub(super) unsafe fn holds_with<R: Relation<Of: Word>>(self, a: u16, b: u64) -> bool {
        // SAFETY: exec::X2.
        unsafe { R::holds(self.read(a), Word::of(b)) }
    }
    /// `g.stackguard0`.
    #[inline(always)]
    pub(super) unsafe fn guard(self) -> usize {
        // SAFETY: exec::X3.
        unsafe { (*self.g).stackguard0.load(Relaxed) }
    }
    /// Is a loop safepoint asked to stop?
    #[inline(always)]
    pub(super) unsafe fn is_asked_to_stop(self) -> bool {
        // SAFETY: exec::X3.
        unsafe { (*self.g).loop_guard.load(Relaxed) != 0 }
    }
    /// Where a return goes.
    #[inline(always)]
    pub(super) unsafe fn caller(self) -> (*const u64, *mut u64) {
        // SAFETY: exec::X2 — every frame has a header below it.
        unsafe {
            let delta = *self.fp.sub(2).cast::<u32>() as usize;
            (*self.fp.sub(1) as *const u64, self.fp.byte_sub(delta))
        }
    }
    /// Are the strings in slots `a` and `b` equal?
    #[inline(always)]
    pub(super) unsafe fn str_eq(self, a: u16, b: u16) -> bool {
        // SAFETY: exec::X4 — strings are readable for their length; trap::T2.
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
    pub(super) unsafe fn str_cmp(self, a: u16, b: u16) -> i64 {
        // SAFETY: exec::X4, trap::T2.
        unsafe {
            let (a, b) = (self.get2(a), self.get2(b));
            self.save();
            slow::bytes_cmp(a[0], a[1], b[0], b[1])
        }
    }
    /// Loads the word `D` bytes behind `p`, which no instruction has compared with nil.
    #[inline(always)]
    pub(super) unsafe fn ld64<const D: usize>(self, p: usize) -> u64 {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        // SAFETY: exec::X4.
        unsafe {
            let v;
            touch!(
                self, "mov {v}, qword ptr [{p} + {d}]";
                v = lateout(reg) v, p = in(reg) p, d = const D
            );
            v
        }
        #[cfg(not(all(target_arch = "x86_64", not(miri))))]
        // SAFETY: exec::X4.
        unsafe {
            ld::<u64>(p + D)
        }
    }
    /// Loads element `x` of a slice of floats with its data at `p`.
    #[inline(always)]
    pub(super) unsafe fn ld_elem_f64(self, p: usize, x: usize) -> f64 {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        // SAFETY: exec::X4.
        unsafe {
            let v;
            touch!(
                self, "movsd {v}, qword ptr [{p} + {x} * 8]";
                v = lateout(xmm_reg) v, p = in(reg) p, x = in(reg) x
            );
            v
        }
        #[cfg(not(all(target_arch = "x86_64", not(miri))))]
        // SAFETY: exec::X4.
        unsafe {
            f64::from_bits(ld::<u64>(elem(p, x, 8)))
        }
    }
    /// Loads element `x` of a slice or string with its data at `p`; see [`elem`].
    #[inline(always)]
    pub(super) unsafe fn ld_elem<T: Load>(self, p: usize, x: usize) -> T::Slots {
        // SAFETY: exec::X4.
        unsafe { T::load_elem(self, p, x) }
    }
    /// Stores what is in slot `src` to element `x` of a slice with its data at `p`.
    #[inline(always)]
    pub(super) unsafe fn st_elem<T: Store>(self, p: usize, x: usize, src: u16) {
        // SAFETY: exec::X4.
        unsafe { T::store_elem(self, p, x, src) }
    }
    /// `p`, which may be accessed now for it has been touched.
    #[inline(always)]
    pub(super) unsafe fn touched(self, p: usize) -> usize {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        // SAFETY: exec::X4.
        unsafe {
            touch!(self, "test byte ptr [{p}], al"; p = in(reg) p)
        }
        p
    }
    #[inline(always)]
    pub(crate) unsafe fn save(self) {
        // SAFETY: exec::X3.
        unsafe {
            (*self.g).sched.pc = self.pc as usize;
            (*self.g).sched.fp = self.fp as usize;
        }
    }
}

/// What fills one slot of the frame or several.
pub(super) trait Slots: Copy {
    unsafe fn read(s: Regs, slot: u16) -> Self;
    unsafe fn put(s: Regs, slot: u16, v: Self);
}

impl<T: Word> Slots for T {
    #[inline(always)]
    unsafe fn read(s: Regs, slot: u16) -> T {
        // SAFETY: exec::X2.
        T::of(unsafe { s.get(slot) })
    }
    #[inline(always)]
    unsafe fn put(s: Regs, slot: u16, v: T) {
        // SAFETY: exec::X2.
        unsafe { s.set(slot, v.word()) }
    }
}

impl Slots for [u64; 2] {
    #[inline(always)]
    unsafe fn read(s: Regs, slot: u16) -> Self {
        // SAFETY: exec::X2.
        unsafe { s.get2(slot) }
    }
    #[inline(always)]
    unsafe fn put(s: Regs, slot: u16, v: Self) {
        // SAFETY: exec::X2.
        unsafe { s.set2(slot, v) }
    }
}

impl Slots for [u64; 3] {
    #[inline(always)]
    unsafe fn read(s: Regs, slot: u16) -> Self {
        // SAFETY: exec::X2.
        unsafe { s.get3(slot) }
    }
    #[inline(always)]
    unsafe fn put(s: Regs, slot: u16, v: Self) {
        // SAFETY: exec::X2.
        unsafe { s.set3(slot, v) }
    }
}

impl Slots for C128 {
    #[inline(always)]
    unsafe fn read(s: Regs, slot: u16) -> Self {
        // SAFETY: exec::X2.
        unsafe { s.get2(slot) }.map(f64::from_bits)
    }
    #[inline(always)]
    unsafe fn put(s: Regs, slot: u16, v: Self) {
        // SAFETY: exec::X2.
        unsafe { s.set2(slot, v.map(f64::to_bits)) }
    }
}

/// What instructions load: a value in memory, and the slots that it fills in a frame.
pub(super) trait Load {
    type Slots: Slots;
    /// Loads it; a number is extended to a slot.
    unsafe fn load(p: usize) -> Self::Slots;
    /// As [`load`](Self::load), from place `x` behind `p`, which may be nil.
    unsafe fn load_elem(s: Regs, p: usize, x: usize) -> Self::Slots;
}

/// What instructions store: a value in memory, and the slots that it fills in a frame.
pub(super) trait Store {
    type Slots: Slots;
    /// Stores it; of a number, the low bits of the slot.
    unsafe fn store(p: usize, v: Self::Slots);
    /// As [`store`](Self::store), what is in slot `src`, to place `x` behind `p`, which may be
    /// nil.
    unsafe fn store_elem(s: Regs, p: usize, x: usize, src: u16);
}

/// Numbers: what other threads may see is accessed whole. An entry has the machine's instructions
/// for elements of that size at `p` and `x`: how they load and store.
macro_rules! numbers {
    ($($t:ty, $atomic:ty, $load:literal, $store:literal;)*) => { $(
        impl Load for $t {
            type Slots = u64;
            #[inline(always)]
            unsafe fn load(p: usize) -> u64 {
                if is_checked_misaligned::<$t>(p) {
                    // SAFETY: exec::X4.
                    return unsafe { read_misaligned::<$t>(p) as i64 as u64 };
                }
                // SAFETY: exec::X4.
                unsafe { (*(p as *const $atomic)).load(Relaxed) as $t as i64 as u64 }
            }
            #[inline(always)]
            unsafe fn load_elem(s: Regs, p: usize, x: usize) -> u64 {
                #[cfg(all(target_arch = "x86_64", not(miri)))]
                // SAFETY: exec::X4.
                unsafe {
                    let v;
                    touch!(s, $load; v = lateout(reg) v, p = in(reg) p, x = in(reg) x);
                    v
                }
                #[cfg(not(all(target_arch = "x86_64", not(miri))))]
                // SAFETY: exec::X4.
                unsafe {
                    let _ = s;
                    Self::load(elem(p, x, size_of::<$t>()))
                }
            }
        }
        impl Store for $t {
            type Slots = u64;
            #[inline(always)]
            unsafe fn store(p: usize, v: u64) {
                if is_checked_misaligned::<$t>(p) {
                    // SAFETY: exec::X4.
                    return unsafe { write_misaligned(p, v as $t) };
                }
                // SAFETY: exec::X4.
                unsafe { (*(p as *const $atomic)).store(v as _, Relaxed) }
            }
            #[inline(always)]
            unsafe fn store_elem(s: Regs, p: usize, x: usize, src: u16) {
                // SAFETY: exec::X2.
                let v = unsafe { s.get(src) };
                #[cfg(all(target_arch = "x86_64", not(miri)))]
                // SAFETY: exec::X4.
                unsafe {
                    touch!(s, $store; v = in(reg) v, p = in(reg) p, x = in(reg) x)
                }
                #[cfg(not(all(target_arch = "x86_64", not(miri))))]
                // SAFETY: exec::X4.
                unsafe {
                    Self::store(elem(p, x, size_of::<$t>()), v)
                }
            }
        }
    )* };
}
numbers! {
    u8, AtomicU8,
        "movzx {v:e}, byte ptr [{p} + {x}]", "mov byte ptr [{p} + {x}], {v:l}";
    i8, AtomicU8,
        "movsx {v}, byte ptr [{p} + {x}]", "mov byte ptr [{p} + {x}], {v:l}";
    u16, AtomicU16,
        "movzx {v:e}, word ptr [{p} + {x} * 2]", "mov word ptr [{p} + {x} * 2], {v:x}";
    i16, AtomicU16,
        "movsx {v}, word ptr [{p} + {x} * 2]", "mov word ptr [{p} + {x} * 2], {v:x}";
    u32, AtomicU32,
        "mov {v:e}, dword ptr [{p} + {x} * 4]", "mov dword ptr [{p} + {x} * 4], {v:e}";
    i32, AtomicU32,
        "movsxd {v}, dword ptr [{p} + {x} * 4]", "mov dword ptr [{p} + {x} * 4], {v:e}";
    u64, AtomicU64,
        "mov {v}, qword ptr [{p} + {x} * 8]", "mov qword ptr [{p} + {x} * 8], {v}";
}

impl Load for [u64; 2] {
    type Slots = [u64; 2];
    #[inline(always)]
    unsafe fn load(p: usize) -> [u64; 2] {
        // SAFETY: exec::X4.
        unsafe { [ld::<u64>(p), ld::<u64>(p + 8)] }
    }
    #[inline(always)]
    unsafe fn load_elem(s: Regs, p: usize, x: usize) -> [u64; 2] {
        let p = elem(p, x, size_of::<Self>());
        // SAFETY: exec::X4.
        unsafe { [s.ld64::<0>(p), ld::<u64>(p + 8)] }
    }
}

impl Load for [u64; 3] {
    type Slots = [u64; 3];
    #[inline(always)]
    unsafe fn load(p: usize) -> [u64; 3] {
        // SAFETY: exec::X4.
        unsafe { [ld::<u64>(p), ld::<u64>(p + 8), ld::<u64>(p + 16)] }
    }
    #[inline(always)]
    unsafe fn load_elem(s: Regs, p: usize, x: usize) -> [u64; 3] {
        let p = elem(p, x, size_of::<Self>());
        // SAFETY: exec::X4.
        unsafe { [s.ld64::<0>(p), ld::<u64>(p + 8), ld::<u64>(p + 16)] }
    }
}

/// Values with a pointer in them, which is stored through [`heap::store_ptr`].
macro_rules! with_pointers {
    ($($t:ty: $slots:ty, |$p:ident, $v:ident| $store:block;)*) => { $(
        impl Store for $t {
            type Slots = $slots;
            #[inline(always)]
            unsafe fn store($p: usize, $v: $slots) {
                // SAFETY: exec::X4.
                unsafe { $store }
            }
            #[inline(always)]
            unsafe fn store_elem(s: Regs, p: usize, x: usize, src: u16) {
                // SAFETY: exec::X2, exec::X4. The slots are read behind the touch: held in
                // registers across it they would make the handler keep a frame.
                unsafe { Self::store(s.touched(elem(p, x, size_of::<$t>())), s.read(src)) }
            }
        }
    )* };
}
with_pointers! {
    Ptr: u64, |p, v| {
        heap::store_ptr(p as *mut usize, v as usize)
    };
    GoStr: [u64; 2], |p, v| {
        st::<Ptr>(p, v[0]);
        st::<u64>(p + 8, v[1]);
    };
    Slice<u8>: [u64; 3], |p, v| {
        st::<Ptr>(p, v[0]);
        st::<u64>(p + 8, v[1]);
        st::<u64>(p + 16, v[2]);
    };
    Iface: [u64; 2], |p, v| {
        st::<u64>(p, v[0]);
        st::<Ptr>(p + 8, v[1]);
    };
}

/// Does Rust look at the alignment of addresses (in builds with assertions), and is this one
/// wrong? The machine takes any, and so does Go through `unsafe`.
#[inline(always)]
fn is_checked_misaligned<T>(p: usize) -> bool {
    cfg!(debug_assertions) && !p.is_multiple_of(align_of::<T>())
}

/// Not compiled in place: its stack slot would give the handler a frame.
#[cold]
#[inline(never)]
unsafe fn read_misaligned<T>(p: usize) -> T {
    // SAFETY: exec::X4.
    unsafe { (p as *const T).read_unaligned() }
}

/// As [`read_misaligned`].
#[cold]
#[inline(never)]
unsafe fn write_misaligned<T>(p: usize, v: T) {
    // SAFETY: exec::X4.
    unsafe { (p as *mut T).write_unaligned(v) }
}

#[inline(always)]
pub(super) unsafe fn ld<T: Load>(p: usize) -> T::Slots {
    // SAFETY: exec::X4.
    unsafe { T::load(p) }
}

#[inline(always)]
pub(super) unsafe fn st<T: Store>(p: usize, v: T::Slots) {
    // SAFETY: exec::X4.
    unsafe { T::store(p, v) }
}

/// Copies `size | layout << 32` from `src` to `dst`.
#[inline(always)]
pub(super) unsafe fn st_typed(dst: usize, src: usize, sl: u64) {
    let sl = Pair::of(sl);
    // SAFETY: exec::X4; the layout is one the compiler registered for the type.
    unsafe { copy_typed(dst, src, LayoutId(sl.hi()), sl.lo() as usize) }
}

#[inline(always)]
pub(super) unsafe fn copy_typed(dst: usize, src: usize, layout: LayoutId, size: usize) {
    // SAFETY: exec::X4; the layout is one the compiler registered for the type.
    unsafe { heap::copy_typed(layout, dst as *mut u8, src as *const u8, size) }
}

/// Copies a value of `bytes` bytes to slots of the frame.
#[inline(always)]
pub(super) unsafe fn load_n(dst: *mut u64, src: usize, bytes: usize) {
    // SAFETY: exec::X2, exec::X4.
    unsafe { slow::load_n(dst, src, bytes) }
}

/// The address of element `x` of elements of `size` bytes at `p`. Bounds have been checked, so it
/// wraps only for what came by `unsafe` or a race.
#[inline(always)]
pub(super) fn elem(p: usize, x: usize, size: usize) -> usize {
    p.wrapping_add(x.wrapping_mul(size))
}

/// The two halves of an extension word, low first.
#[inline(always)]
pub(super) fn halves(x: u64) -> (usize, usize) {
    let x = Pair::of(x);
    (x.lo() as usize, x.hi() as usize)
}

/// Keeps a branch a branch: without it the compiler makes a conditional move of the jump, which
/// ties the fetch of the next instruction to the comparison.
#[inline(always)]
pub(super) fn keep_branch() {
    #[cfg(not(miri))]
    // SAFETY: an empty template does nothing.
    unsafe {
        std::arch::asm!("", options(nomem, nostack, preserves_flags));
    }
}

/// Zeroes `n` slots. A loop of its own, which must not become a call of `memset`: handlers keep
/// no frame.
#[inline(always)]
pub(super) unsafe fn zero(p: *mut u64, n: usize) {
    let mut k = 0;
    while k < n {
        keep_branch();
        // SAFETY: exec::X2.
        unsafe { *p.add(k) = 0 };
        k += 1;
    }
}

/// Where the function table is. Written by [`prepare`](super::prepare).
pub(super) static FUNCS: AtomicUsize = AtomicUsize::new(0);

/// The first instruction of function `index`.
#[inline(always)]
pub(super) unsafe fn func_entry(index: u32) -> *const u64 {
    // SAFETY: the function table is mapped for ever; `prepare` has noted its address, the
    // compiler gives only indices inside.
    unsafe {
        (*((FUNCS.load(Relaxed) + index as usize * 16) as *const AtomicUsize)).load(Relaxed)
            as *const u64
    }
}

/// The function at place `m` of an itab.
#[inline(always)]
pub(super) unsafe fn itab_func(itab: usize, m: u16) -> u32 {
    // SAFETY: exec::X4 — a non-nil first word of a non-empty interface is an itab with a place
    // for each method.
    unsafe { slow::itab_func(itab, m) }
}

/// The rtype of an itab; 0 gives 0.
#[inline(always)]
pub(super) unsafe fn itab_typ(itab: u64) -> u64 {
    if itab == 0 {
        return 0;
    }
    // SAFETY: as `itab_func`.
    unsafe { slow::itab_typ(itab as usize) }
}

/// A zeroed object. The registers are saved for a profile of memory, unless there is a free slot at
/// hand.
#[inline(always)]
pub(super) unsafe fn new(s: Regs, layout: u32, size: usize) -> u64 {
    // SAFETY: exec::X3.
    unsafe { slow::new(s, LayoutId(layout), size) }
}

/// A new object with a copy of the value at `from`; `sl` is its `size | layout << 32`.
#[inline(always)]
pub(super) unsafe fn new_copy(s: Regs, sl: u64, from: *const u64) -> u64 {
    let sl = Pair::of(sl);
    // SAFETY: exec::X3, exec::X4.
    unsafe { slow::new_copy(s, LayoutId(sl.hi()), sl.lo() as usize, from) }
}
