#![allow(unsafe_code)]
//! Coroutines: where Ms interpret, so that a G which parks under native frames can keep them.
//!
//! An M has one coroutine and goes on with it from G to G. A G that is suspended under native
//! frames ([`suspend`]) takes the coroutine with it, and the M takes another from the pool.
//! Stacks are cut from one reserved mapping, each with a guard page. The only caller of
//! corosensei.
//!
//! # Invariants
//!
//! - S1. A coroutine is resumed only by the M that runs its G.
//! - S2. Nothing alive on a suspended coroutine's stack is tied to its thread: no lock guard, no
//!   reference into a thread-local.
//! - S3. A `Coro` is never freed: it belongs to an M, a G, or the pool.
//! - S4. `m.yielder` is set while, and only while, code runs on `m.coro`.
//!
//! Go: runtime/asm_*.s, gogo, mcall, systemstack.

use std::ptr;

use corosensei::stack::{Stack, StackPointer};
use corosensei::{Coroutine, CoroutineResult, Yielder};

use crate::engine::Outcome;
use crate::g::G;
use crate::heap::{address_space, data_space};
use crate::lockrank::Rank;
use crate::m::M;
use crate::sync::{AtomicBool, AtomicUsize, Guarded, Ordering};

/// Bytes of a coroutine's stack, guard page included.
pub const STACK_BYTES: usize = 256 << 10;
/// Below this much native stack left, recursive natives go on on another one.
pub const STACK_LOW: usize = 64 << 10;
/// Coroutines at most where guard pages cost a mapping each.
const MPROTECT_CAP: usize = 16_000;
/// Coroutines at most otherwise: the size of the reservation.
const RESERVED: usize = 1 << 18;
/// Stacks made accessible at a time: what is not counts against no limit of data.
const GROW: usize = 16;
/// Stacks one goroutine may chain: 1 GB in all.
const MORE_MAX: u32 = ((1 << 30) / STACK_BYTES) as u32;
const PAGE: usize = 4096;
/// Bytes at the top of a segment, and what they begin with.
const SEGMENT_HEADER: usize = 64;
const SEGMENT: usize = 0x5e67_0ff5_5e67_0ff5;
/// More than a switch of stacks pushes below the place noted before it.
const SWITCH_FRAME: usize = 2048;
/// `MADV_GUARD_INSTALL` of Linux 6.13.
const MADV_GUARD_INSTALL: libc::c_int = 102;

/// An M on its way into a coroutine.
#[derive(Clone, Copy, Debug)]
pub struct Mp(pub *mut M);

// SAFETY: S1 — it is handed over on the M's own thread only.
unsafe impl Send for Mp {}

/// The way from a coroutine to its M's own stack.
pub type GYielder = Yielder<Mp, Outcome>;

/// A coroutine with its stack.
pub struct Coro {
    inner: Option<Coroutine<Mp, Outcome, (), Slot>>,
    /// Set when it was suspended with native frames on it.
    native: bool,
    /// Lowest usable address of its stack.
    pub lo: usize,
    /// Highest.
    pub hi: usize,
    /// The stack pointer, and the registers that calls preserve, when its native frames began to
    /// wait; see [`note_native`].
    noted: [usize; 7],
    /// Stacks chained to it by [`with_more_stack`].
    segments: u32,
    /// Next in the pool.
    next: *mut Coro,
}

impl std::fmt::Debug for Coro {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Coro({:#x}..{:#x})", self.lo, self.hi)
    }
}

/// One stack cut from the reservation.
#[derive(Clone, Copy, Debug)]
struct Slot {
    lo: usize,
    hi: usize,
}

// SAFETY: the range [lo, lo+PAGE) is a guard page, the rest is mapped read-write for good.
unsafe impl Stack for Slot {
    fn base(&self) -> StackPointer {
        StackPointer::new(self.hi).expect("a mapping is not at 0")
    }
    fn limit(&self) -> StackPointer {
        StackPointer::new(self.lo).expect("a mapping is not at 0")
    }
}

struct Pool {
    free: *mut Coro,
    /// Stacks for [`with_more_stack`], which need no coroutine.
    bare: Vec<Slot>,
    base: usize,
    cap: usize,
    used: usize,
    /// Stacks made accessible.
    open: usize,
}

// SAFETY: S3 — pooled coroutines belong to the pool.
unsafe impl Send for Pool {}

static POOL: Guarded<Pool> = Guarded::new(
    Rank::Coro,
    Pool {
        free: ptr::null_mut(),
        bare: Vec::new(),
        base: 0,
        cap: 0,
        used: 0,
        open: 0,
    },
);
/// Whether guards must be made by mprotect. Written under the pool's lock.
static BY_MPROTECT: AtomicBool = AtomicBool::new(false);
/// Start and end of the reservation, for the fault handler. Written once.
static RANGE: [AtomicUsize; 2] = [AtomicUsize::new(0), AtomicUsize::new(0)];

fn reserve(pool: &mut Pool) {
    let mut n = RESERVED;
    while n > 16 && n * STACK_BYTES > address_space() / 16 {
        n /= 4;
    }
    loop {
        // SAFETY: a fresh private mapping; nobody else knows it.
        let at = unsafe {
            libc::mmap(
                ptr::null_mut(),
                n * STACK_BYTES,
                libc::PROT_NONE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if at != libc::MAP_FAILED {
            // SAFETY: the mapping is ours. Huge pages would make each stack cost 2 MB.
            unsafe { libc::madvise(at, n * STACK_BYTES, libc::MADV_NOHUGEPAGE) };
            pool.base = at as usize;
            pool.cap = n;
            RANGE[0].store(pool.base, Ordering::Relaxed);
            RANGE[1].store(pool.base + n * STACK_BYTES, Ordering::Relaxed);
            return;
        }
        n /= 4;
        if n == 0 {
            crate::throw!("cannot reserve native stacks");
        }
    }
}

impl Pool {
    fn slot(&mut self) -> Slot {
        if let Some(s) = self.bare.pop() {
            return s;
        }
        if self.base == 0 {
            reserve(self);
        }
        if self.used == self.cap {
            crate::fatal!(
                "more than {} goroutines wait inside native functions",
                self.cap
            );
        }
        if self.used == self.open {
            let n = GROW.min(self.cap - self.used);
            let at = self.base + self.open * STACK_BYTES;
            // SAFETY: the range is ours and not yet in use.
            let r = unsafe {
                libc::mprotect(
                    at as *mut _,
                    n * STACK_BYTES,
                    libc::PROT_READ | libc::PROT_WRITE,
                )
            };
            if r != 0 {
                crate::fatal!("out of memory for goroutines that wait inside native functions");
            }
            self.open += n;
        }
        let lo = self.base + self.used * STACK_BYTES;
        self.used += 1;
        // SAFETY: the page belongs to the slot, which nobody uses yet.
        unsafe {
            if fault!(NoGuardPage) {
            } else if BY_MPROTECT.load(Ordering::Relaxed)
                || libc::madvise(lo as *mut _, PAGE, MADV_GUARD_INSTALL) != 0
            {
                if !BY_MPROTECT.swap(true, Ordering::Relaxed) {
                    self.cap = self.cap.min(MPROTECT_CAP);
                }
                if libc::mprotect(lo as *mut _, PAGE, libc::PROT_NONE) != 0 {
                    crate::throw!("cannot guard a native stack");
                }
            }
        }
        Slot {
            lo,
            hi: lo + STACK_BYTES,
        }
    }
}

/// Whether `addr` lies in a guard page of a native stack.
///
/// Context: anywhere; async-signal-safe.
pub fn is_guard(addr: usize) -> bool {
    let (lo, hi) = (
        RANGE[0].load(Ordering::Relaxed),
        RANGE[1].load(Ordering::Relaxed),
    );
    addr >= lo && addr < hi && (addr - lo) % STACK_BYTES < PAGE
}

/// A coroutine from the pool, or a new one.
///
/// Context: g0.
fn take() -> *mut Coro {
    let slot = {
        let mut pool = POOL.lock();
        let c = pool.free;
        if !c.is_null() {
            // SAFETY: S3.
            unsafe {
                pool.free = (*c).next;
                (*c).next = ptr::null_mut();
            }
            return c;
        }
        pool.slot()
    };
    let c = Box::into_raw(Box::new(Coro {
        inner: None,
        native: false,
        lo: slot.lo + PAGE,
        hi: slot.hi,
        noted: [0; 7],
        segments: 0,
        next: ptr::null_mut(),
    }));
    let cc = SendPtr(c);
    let body = Coroutine::with_stack(slot, move |y: &GYielder, first: Mp| {
        let cc = cc;
        body(cc.0, y, first)
    });
    // SAFETY: S3 — nobody knows it yet.
    unsafe { (*c).inner = Some(body) };
    c
}

struct SendPtr(*mut Coro);
impl Clone for SendPtr {
    fn clone(&self) -> SendPtr {
        *self
    }
}
impl Copy for SendPtr {}

/// Runs G after G, as its M hands them over. Never returns.
fn body(c: *mut Coro, y: &GYielder, first: Mp) {
    let mut m = first.0;
    loop {
        // SAFETY: S1 — `m` is the M that has resumed us, with a current G; after the engine has
        // come back the G's `m` is the M of now (E1).
        unsafe {
            (*m).yielder = y;
            let g = (*m).curg;
            let mut out = match (*g).native {
                None => (*m).engine.run(&mut *m, &mut *g),
                Some(f) => f(&mut *m, &mut *g),
            };
            m = (*g).m;
            (*c).native = false;
            if fault!(DirectSwitch) && out == Outcome::Exit && crate::proc::switch_directly(m) {
                if (*(*m).curg).coro.is_null() {
                    continue;
                }
                // Who kept a coroutine cannot go on on this one.
                out = Outcome::Again;
            }
            m = {
                (*m).yielder = ptr::null();
                y.suspend(out).0
            };
        }
    }
}

/// Lets the current G run until it leaves; returns why.
///
/// # Safety
///
/// Context: g0 of `m`; `m.curg` is running on it.
#[inline]
pub(crate) unsafe fn resume(m: *mut M) -> Outcome {
    // SAFETY: S1, S3; M1 for the plain fields of `m`.
    unsafe {
        let g = (*m).curg;
        let kept = (*g).coro;
        if !kept.is_null() {
            (*g).coro = ptr::null_mut();
            if !(*m).coro.is_null() {
                put(m, (*m).coro);
            }
            (*m).coro = kept;
        } else if (*m).coro.is_null() {
            (*m).coro = (*m).spare;
            (*m).spare = ptr::null_mut();
            if (*m).coro.is_null() {
                (*m).coro = take();
            }
        }
        let c = (*m).coro;
        let Some(co) = (*c).inner.as_mut() else {
            crate::throw!("coroutine without body");
        };
        let out = match co.resume(Mp(m)) {
            CoroutineResult::Yield(out) => out,
            CoroutineResult::Return(()) => crate::throw!("coroutine returned"),
        };
        if (*c).native {
            (*(*m).curg).coro = c;
            (*m).coro = ptr::null_mut();
        }
        out
    }
}

/// Puts an unused coroutine away: into the M's reserve, else the pool.
///
/// # Safety
///
/// Context: g0 of `m`; no G's frames are on `c`.
unsafe fn put(m: *mut M, c: *mut Coro) {
    // SAFETY: by the contract, and S3.
    unsafe {
        if (*m).spare.is_null() {
            (*m).spare = c;
        } else {
            let mut pool = POOL.lock();
            (*c).next = pool.free;
            pool.free = c;
        }
    }
}

/// Gives the M's coroutines to the pool; the M ends.
///
/// # Safety
///
/// As for `put`.
pub(crate) unsafe fn drop_all(m: *mut M) {
    // SAFETY: by the contract.
    unsafe {
        for c in [(*m).coro, (*m).spare] {
            if !c.is_null() {
                let mut pool = POOL.lock();
                (*c).next = pool.free;
                pool.free = c;
            }
        }
        (*m).coro = ptr::null_mut();
        (*m).spare = ptr::null_mut();
    }
}

/// Suspends the current G under its native frames, leaving the M with `outcome`.
///
/// Returns when the G runs again, on the M that runs it then: never use the old one.
///
/// Context: coroutine; no lock held but the one given to [`M::park`].
pub fn suspend(m: &mut M, outcome: Outcome) -> &mut M {
    let y = m.yielder;
    if y.is_null() {
        crate::throw!("suspend on g0");
    }
    // SAFETY: S4 — the yielder belongs to the coroutine this code runs on; S1 for the M that
    // comes back.
    unsafe {
        (*m.coro).native = true;
        note_native(m);
        m.yielder = ptr::null();
        let back = (*y).suspend(outcome).0;
        (*back).yielder = y;
        &mut *back
    }
}

/// Runs `f` on the M's own stack and returns its result. Does so at once if already there.
///
/// Context: any stack of an M. `f` must not suspend.
#[inline]
pub fn on_g0<R>(m: &mut M, f: impl FnOnce(&mut M) -> R) -> R {
    struct Over<T>(T);
    // SAFETY: the other stack belongs to the same thread: nothing is sent anywhere.
    unsafe impl<T> Send for Over<T> {}

    let y = m.yielder;
    if y.is_null() {
        return f(m);
    }
    note_native(m);
    m.yielder = ptr::null();
    let mp = ptr::from_mut(m);
    let over = Over((f, mp));
    // SAFETY: S4 — the yielder is alive and its parent is the M's own stack.
    let r = unsafe {
        (*y).on_parent_stack(move || {
            let over = over;
            let Over((f, mp)) = over;
            f(&mut *mp)
        })
    };
    m.yielder = y;
    r
}

/// Whether the code runs on the M's own stack.
#[inline]
pub fn is_on_g0(m: &M) -> bool {
    m.yielder.is_null()
}

/// Asserts, in debug builds, that the native stack pointer lies in the thread's own stack.
#[inline]
pub(crate) fn assert_g0(m: *mut M) {
    #[cfg(debug_assertions)]
    {
        let here = stack_pointer();
        // SAFETY: M1 — bounds are set before the M schedules.
        let (lo, hi) = unsafe { ((*m).stack_lo, (*m).stack_hi) };
        if (here < lo || here >= hi) && !fault!(AnyStack) {
            crate::throw!("scheduler runs on a goroutine's stack");
        }
    }
    let _ = m;
}

/// As [`assert_g0`], for whatever M this thread is, if any.
#[inline]
pub(crate) fn assert_thread_stack() {
    #[cfg(debug_assertions)]
    {
        let m = crate::tls::current_m();
        if !m.is_null() {
            assert_g0(m);
        }
    }
}

/// An address in the current native frame.
#[inline(never)]
pub fn stack_pointer() -> usize {
    let x = 0u8;
    std::hint::black_box(&raw const x) as usize
}

/// Bytes of native stack left below the current frame, on whatever stack of the M it is.
#[inline]
pub fn stack_left(m: &M) -> usize {
    let here = stack_pointer();
    if m.yielder.is_null() {
        return here.saturating_sub(m.stack_lo);
    }
    // All other stacks are slots of the reservation.
    let base = RANGE[0].load(Ordering::Relaxed);
    (here.wrapping_sub(base) % STACK_BYTES).saturating_sub(PAGE)
}

/// The stack pointer and the bounds of the native stack it lies in.
pub(crate) fn native_stack(m: &M) -> (usize, usize, usize) {
    let here = stack_pointer();
    let base = RANGE[0].load(Ordering::Relaxed);
    if m.yielder.is_null() || room_at(here) == 0 {
        return (here, m.stack_lo, m.stack_hi);
    }
    let lo = base + (here - base) / STACK_BYTES * STACK_BYTES;
    (here, lo + PAGE, lo + STACK_BYTES)
}

/// Bytes of native stack below `sp`, an address in a coroutine's stack.
///
/// Context: anywhere; async-signal-safe.
pub(crate) fn room_at(sp: usize) -> usize {
    let (lo, hi) = (
        RANGE[0].load(Ordering::Relaxed),
        RANGE[1].load(Ordering::Relaxed),
    );
    if sp < lo || sp >= hi {
        return 0;
    }
    ((sp - lo) % STACK_BYTES).saturating_sub(PAGE)
}

/// Copies into `to` what a thread interrupted on a coroutine has in its registers, those for the first arguments first, and then on its
/// native stack. Returns how many words that are.
///
/// Context: signal handler; `ucontext` is its third argument.
pub fn words_of(ucontext: *mut libc::c_void, to: &mut [usize]) -> usize {
    #[cfg(target_arch = "x86_64")]
    {
        const ORDER: [libc::c_int; 15] = [
            libc::REG_RDI,
            libc::REG_RSI,
            libc::REG_RBX,
            libc::REG_RBP,
            libc::REG_R12,
            libc::REG_R13,
            libc::REG_R14,
            libc::REG_R15,
            libc::REG_RAX,
            libc::REG_RCX,
            libc::REG_RDX,
            libc::REG_R8,
            libc::REG_R9,
            libc::REG_R10,
            libc::REG_R11,
        ];
        // SAFETY: the kernel's context.
        let registers = unsafe { &(*ucontext.cast::<libc::ucontext_t>()).uc_mcontext.gregs };
        let held = ORDER.iter().map(|&r| registers[r as usize] as usize);
        let sp = registers[libc::REG_RSP as usize] as usize & !7;
        let (lo, hi) = (
            RANGE[0].load(Ordering::Relaxed),
            RANGE[1].load(Ordering::Relaxed),
        );
        let on_stack = if sp >= lo && sp < hi {
            (STACK_BYTES - (sp - lo) % STACK_BYTES) / 8
        } else {
            0
        };
        // SAFETY: S1 — from the stack pointer to the top of its slot the stack is mapped.
        let stacked = (0..on_stack).map(|i| unsafe { *(sp as *const usize).add(i) });
        let mut n = 0;
        for (at, word) in to.iter_mut().zip(held.chain(stacked)) {
            *at = word;
            n += 1;
        }
        n
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        let _ = (ucontext, to);
        0
    }
}

/// Whether recursion should go on through [`with_more_stack`].
#[inline]
pub fn native_low(m: &M) -> bool {
    stack_left(m) < STACK_LOW
}

/// A goroutine has used up its native stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StackOverflow;

/// Runs `f` on a fresh native stack, from which it may suspend. `Err` if the goroutine has used
/// its 1 GB of native stack: that is Go's stack overflow.
///
/// The segment is chained to the coroutine by the frames themselves, so a G that parks in `f`
/// keeps it.
///
/// Context: coroutine of `m`. `f` must not use this `m` after a suspend.
pub fn with_more_stack<R>(m: &mut M, f: impl FnOnce() -> R) -> Result<R, StackOverflow> {
    let c = m.coro;
    // SAFETY: S3; the coroutine is the one we run on until we return.
    unsafe {
        if (*c).segments >= MORE_MAX {
            return Err(StackOverflow);
        }
        (*c).segments += 1;
    }
    let slot = POOL.lock().slot();
    // The top of a segment says where the frames below it end.
    let header = slot.hi - SEGMENT_HEADER;
    // SAFETY: the slot is ours and writable.
    unsafe {
        *(header as *mut [usize; 2]) = [SEGMENT, stack_pointer()];
    }
    let r = corosensei::on_stack(Slot { hi: header, ..slot }, f);
    // SAFETY: as above; a coroutine that gets the slot must not be taken for a segment.
    unsafe {
        *(header as *mut usize) = 0;
        (*c).segments -= 1;
    }
    POOL.lock().bare.push(slot);
    Ok(r)
}

/// Would a stack of `bytes` for [`on_large_stack`] leave enough of a limited address space to others?
pub fn is_room_for(bytes: usize) -> bool {
    bytes <= address_space().min(data_space()) / 8
}

/// Runs `f` on a native stack of `bytes`, made for it and given back afterwards. The address space is only reserved; what
/// `f` does not touch costs nothing. `None` if there is not that much of it.
///
/// A thread would do as well, but costs more to start, and its share of malloc grows a page at a time.
///
/// Context: no M.
pub fn on_large_stack<R>(bytes: usize, f: impl FnOnce() -> R) -> Option<R> {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_STACK;
    let prot = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: a new mapping, not placed over another; its lowest page becomes the guard.
    let lo = unsafe {
        let lo = libc::mmap(ptr::null_mut(), bytes, prot, flags, -1, 0);
        if lo == libc::MAP_FAILED || libc::mprotect(lo, PAGE, libc::PROT_NONE) != 0 {
            return None;
        }
        lo as usize
    };
    let result = corosensei::on_stack(Slot { lo, hi: lo + bytes }, f);
    // SAFETY: the mapping is ours, and nobody is on it any more.
    unsafe { libc::munmap(lo as *mut libc::c_void, bytes) };
    Some(result)
}

/// Notes where the native frames on the coroutine of `m` end and what registers hold, for the
/// collector: they may wait from now on, or be in a system call.
///
/// Context: coroutine.
#[inline(always)]
pub(crate) fn note_native(m: &mut M) {
    if cfg!(loom) {
        return; // Its models have no coroutines.
    }
    let c = m.coro;
    // SAFETY: S1 — code on a coroutine may write to its descriptor; the instructions only store.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        std::arch::asm!(
            "mov [{c} + 0], rsp",
            "mov [{c} + 8], rbx",
            "mov [{c} + 16], rbp",
            "mov [{c} + 24], r12",
            "mov [{c} + 32], r13",
            "mov [{c} + 40], r14",
            "mov [{c} + 48], r15",
            c = in(reg) &raw mut (*c).noted,
            options(nostack, preserves_flags),
        );
        #[cfg(not(target_arch = "x86_64"))]
        {
            (*c).noted[0] = stack_pointer();
        }
    }
}

/// Calls `f(lo, words)` for each range of native memory in which `g` may keep Go pointers: the
/// frames on its coroutine and on segments chained to it, and saved registers.
///
/// # Safety
///
/// The world is stopped: `g` does not run, or is in a system call, or has stopped the world.
pub(crate) unsafe fn native_frames(g: *mut G, mut f: impl FnMut(*const usize, usize)) {
    // SAFETY: by the contract nothing moves but a G that returns from its system call: it finds no
    // P and suspends, which sets `g.coro` before it clears `m.coro`. Its frames stay in place.
    unsafe {
        let mut c = ptr::read_volatile(&raw const (*g).coro);
        if c.is_null() {
            let m = ptr::read_volatile(&raw const (*g).m);
            if !m.is_null() {
                c = ptr::read_volatile(&raw const (*m).coro);
            }
            if c.is_null() {
                c = ptr::read_volatile(&raw const (*g).coro);
            }
        }
        if c.is_null() || (*c).noted[0] == 0 || fault!(SkipNativeFrames) {
            return;
        }
        f((*c).noted.as_ptr(), (*c).noted.len());
        let base = RANGE[0].load(Ordering::Relaxed);
        let mut sp = (*c).noted[0];
        loop {
            let start = base + (sp - base) / STACK_BYTES * STACK_BYTES;
            // The switch itself pushes registers below the noted place.
            let lo = sp.saturating_sub(SWITCH_FRAME).max(start + PAGE) & !7;
            let hi = start + STACK_BYTES;
            f(lo as *const usize, (hi - lo) / 8);
            if hi == (*c).hi {
                return;
            }
            let header = *((hi - SEGMENT_HEADER) as *const [usize; 2]);
            if header[0] != SEGMENT {
                return;
            }
            sp = header[1];
        }
    }
}
