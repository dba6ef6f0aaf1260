#![allow(unsafe_code)]
//! Coroutines: where Ms interpret, so that a G which parks under native frames can keep them.
//!
//! An M has one coroutine and goes on with it from G to G. A G that is suspended under native
//! frames ([`suspend`]) takes the coroutine with it, and the M takes another from the pool.
//! Stacks are cut from reserved mappings, each with a guard page. The only caller of
//! corosensei.
//!
//! A goroutine needs a stack of its own only while native frames of its wait; what can, waits
//! without. When all stacks are taken, more are reserved, as long as the system gives address
//! space. When it does not, goroutines that would begin to run and find none wait for one to come
//! free ([`resume`], [`supply`]): those that have one go on, and give theirs back when their
//! natives end. If none of those can run again either, the program dies for want of memory.
//!
//! # Invariants
//!
//! - S1. A coroutine is resumed only by the M that runs its G.
//! - S2. Nothing alive on a suspended coroutine's stack is tied to its thread: no lock guard, no
//!   reference into a thread-local.
//! - S3. A `Coro` is never freed: it belongs to an M, a G, or the pool.
//! - S4. `m.yielder` is set while, and only while, code runs on `m.coro`.
//! - S5. While goroutines wait for a stack, no M that sleeps has one, and none has one in reserve:
//!   a goroutine says that it waits and then takes what there is, an M looks for such goroutines
//!   when it has put one into reserve and before it sleeps.
//!
//! Go: runtime/asm_*.s, gogo, mcall, systemstack.

use std::collections::VecDeque;
use std::ops::Range;
use std::ptr;

use corosensei::stack::{Stack, StackPointer};
use corosensei::{Coroutine, CoroutineResult, Yielder};

use crate::engine::Outcome;
use crate::g::{G, WaitReason};
use crate::heap::{address_space, data_space, map_memory};
use crate::knobs::{self, Knob};
use crate::lockrank::Rank;
use crate::m::{M, ParkArg};
use crate::netpoll;
use crate::p::GList;
use crate::proc;
use crate::sched::{Gref, SCHED};
use crate::signal::Context;
use crate::sync::{AtomicBool, AtomicUsize, Guarded, Ordering, plain};

/// Bytes of a coroutine's stack, guard page included.
const STACK_BYTES: usize = 256 << 10;
/// Below this much native stack left, recursive natives go on on another one.
const STACK_LOW: usize = 64 << 10;
/// The most stacks where each guard page costs a mapping and the limit of mappings is not known.
const MPROTECT_CAP: usize = 16_000;
/// Stacks in the first reservation, unless address space is limited.
const RESERVED: usize = 1 << 18;
/// Reservations at most.
const RANGES: usize = 64;
/// Goroutines readied for each stack that comes free: the M that has it runs one after the other.
const READIED: usize = 16;
/// Stacks made accessible at a time; those that are not do not count against the limit of data.
const GROW: usize = 16;
/// Stacks one goroutine may chain: 1 GB in all.
const MORE_MAX: u32 = ((1 << 30) / STACK_BYTES) as u32;
const PAGE: usize = 4096;
/// Bytes of the header at the top of a segment, and its first word.
const SEGMENT_HEADER: usize = 64;
const SEGMENT: usize = 0x5e67_0ff5_5e67_0ff5;
/// An upper bound of the bytes that a switch of stacks pushes below the place noted before it.
const SWITCH_FRAME: usize = 2048;
/// `MADV_GUARD_INSTALL` of Linux 6.13.
const MADV_GUARD_INSTALL: libc::c_int = 102;

/// An M on its way into a coroutine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mp(*mut M);

// SAFETY: S1 — it is handed over on the M's own thread only.
unsafe impl Send for Mp {}

/// The way from a coroutine to its M's own stack.
pub(crate) type GYielder = Yielder<Mp, Outcome>;

/// A coroutine with its stack.
pub struct Coro {
    inner: Option<Coroutine<Mp, Outcome, (), Slot>>,
    /// Set when it was suspended with native frames on it.
    native: bool,
    /// Lowest usable address of its stack.
    pub(crate) lo: usize,
    /// Highest.
    pub(crate) hi: usize,
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
    /// The part of the newest reservation that is not in use.
    fresh: Range<usize>,
    /// Stacks cut so far.
    used: usize,
    /// Stacks at most.
    cap: usize,
    /// The end of the accessible stacks.
    open: usize,
    /// Goroutines that wait for a stack.
    waiters: VecDeque<Gref>,
}

// SAFETY: S3 — pooled coroutines belong to the pool.
unsafe impl Send for Pool {}

static POOL: Guarded<Pool> = Guarded::new(
    Rank::Coro,
    Pool {
        free: ptr::null_mut(),
        bare: Vec::new(),
        fresh: 0..0,
        used: 0,
        cap: usize::MAX,
        open: 0,
        waiters: VecDeque::new(),
    },
);
/// Whether guards must be made by mprotect. Written under the pool's lock.
static BY_MPROTECT: AtomicBool = AtomicBool::new(false);
/// Start and end of each reservation, for the fault handler. Each is written once, the end last.
static RANGE: [[AtomicUsize; 2]; RANGES] =
    [const { [AtomicUsize::new(0), AtomicUsize::new(0)] }; RANGES];
/// How many goroutines wait for a stack, or are about to. SeqCst: see S5.
static STARVED: plain::AtomicU32 = plain::AtomicU32::new(0);

fn is_starved() -> bool {
    STARVED.load(Ordering::SeqCst) != 0
}

/// The lowest address of the stack in which `addr` lies.
///
/// Context: anywhere; async-signal-safe.
#[inline]
fn slot_of(addr: usize) -> Option<usize> {
    for [lo, hi] in &RANGE {
        // Acquire: pairs with the Release in `reserve`.
        let hi = hi.load(Ordering::Acquire);
        if hi == 0 {
            return None;
        }
        let lo = lo.load(Ordering::Relaxed);
        if addr >= lo && addr < hi {
            return Some(addr - (addr - lo) % STACK_BYTES);
        }
    }
    None
}

/// Reserves address space for more stacks. `false`: there is none.
fn reserve(pool: &mut Pool) -> bool {
    let Some([lo, hi]) = RANGE.iter().find(|r| r[1].load(Ordering::Relaxed) == 0) else {
        return false;
    };
    let mut n = RESERVED;
    while n > 16 && n * STACK_BYTES > address_space() / 16 {
        n /= 4;
    }
    let first = pool.used == 0;
    while n > 0 {
        // More than the first only if that leaves something to the heap and to threads.
        let spare = if first { 0 } else { n * STACK_BYTES };
        if let Some(at) = map_memory(0, n * STACK_BYTES + spare, libc::PROT_NONE) {
            // SAFETY: the mapping is ours. Huge pages would make each stack cost 2 MB.
            unsafe {
                if spare > 0 {
                    libc::munmap((at + n * STACK_BYTES) as *mut _, spare);
                }
                libc::madvise(at as *mut _, n * STACK_BYTES, libc::MADV_NOHUGEPAGE);
            }
            pool.fresh = at..at + n * STACK_BYTES;
            pool.open = at;
            lo.store(at, Ordering::Relaxed);
            hi.store(pool.fresh.end, Ordering::Release);
            return true;
        }
        n /= 4;
    }
    if first {
        crate::throw!("cannot reserve native stacks");
    }
    false
}

/// Stacks at most where each guard page is a mapping of its own, as its stack is.
fn mprotect_cap() -> usize {
    let most = std::fs::read_to_string("/proc/sys/vm/max_map_count");
    let most = most.ok().and_then(|s| s.trim().parse::<usize>().ok());
    most.map_or(MPROTECT_CAP, |n| n / 8 * 3)
}

impl Pool {
    /// A stack; `None` if the system gives no more memory, or no more mappings.
    fn slot(&mut self) -> Option<Slot> {
        if let Some(s) = self.bare.pop() {
            return Some(s);
        }
        if self.used >= self.cap || self.fresh.is_empty() && !reserve(self) {
            return None;
        }
        let lo = self.fresh.start;
        if lo == self.open {
            let bytes = (GROW * STACK_BYTES).min(self.fresh.end - lo);
            let prot = libc::PROT_READ | libc::PROT_WRITE;
            // SAFETY: the range is ours and not yet in use.
            if unsafe { libc::mprotect(lo as *mut _, bytes, prot) } != 0 {
                return None;
            }
            self.open += bytes;
        }
        // SAFETY: the page belongs to the slot, which is not in use yet.
        if !fault!(NoGuardPage) && !unsafe { self.guard(lo) } {
            return None;
        }
        self.fresh.start += STACK_BYTES;
        self.used += 1;
        Some(Slot {
            lo,
            hi: lo + STACK_BYTES,
        })
    }

    /// Makes the page at `lo` a guard page; `false` if it cannot be done.
    ///
    /// # Safety
    ///
    /// The page belongs to a stack that is not in use.
    unsafe fn guard(&mut self, lo: usize) -> bool {
        // SAFETY: by the contract.
        unsafe {
            if !BY_MPROTECT.load(Ordering::Relaxed) {
                let old = knobs::get(Knob::OldGuards) as usize;
                if old == 0 && libc::madvise(lo as *mut _, PAGE, MADV_GUARD_INSTALL) == 0 {
                    return true;
                }
                BY_MPROTECT.store(true, Ordering::Relaxed);
                self.cap = if old > 1 { old } else { mprotect_cap() };
            }
            libc::mprotect(lo as *mut _, PAGE, libc::PROT_NONE) == 0
        }
    }

    /// Takes off the list goroutines that may run now that there is a stack.
    fn satisfied(&mut self) -> GList {
        let mut list = GList::new();
        let available = !self.free.is_null() || !self.bare.is_empty();
        if available && !fault!(KeepNativeStacks) {
            let n = self.waiters.len().min(READIED);
            for g in self.waiters.drain(..n).rev() {
                // SAFETY: what was on the list is ours.
                unsafe { list.push(g.0) };
            }
        }
        STARVED.fetch_sub(list.n as u32, Ordering::SeqCst);
        list
    }
}

/// Whether `addr` lies in a guard page of a native stack.
///
/// Context: anywhere; async-signal-safe.
pub(crate) fn is_guard(addr: usize) -> bool {
    slot_of(addr).is_some_and(|lo| addr - lo < PAGE)
}

/// Do two addresses lie on one native stack of a coroutine?
pub fn is_same_stack(a: usize, b: usize) -> bool {
    slot_of(a).is_some() && slot_of(a) == slot_of(b)
}

/// Was the thread on a coroutine when a signal came?
pub(crate) fn is_within(context: Context) -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        // SAFETY: the kernel's context.
        let registers = unsafe {
            &(*context.ptr().cast::<libc::ucontext_t>())
                .uc_mcontext
                .gregs
        };
        slot_of(registers[libc::REG_RSP as usize] as usize).is_some()
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        let _ = context;
        false
    }
}

/// A coroutine from the pool, or a new one; null if there is no stack for it.
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
        match pool.slot() {
            Some(slot) => slot,
            None => return ptr::null_mut(),
        }
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
    // SAFETY: S3 — it is on no list yet.
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
        // come back the G's `m` is the M of now (engine::E1).
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
                // A G that has kept a coroutine cannot go on on this one.
                out = Outcome::Again;
            }
            m = {
                (*m).yielder = ptr::null();
                y.suspend(out).0
            };
        }
    }
}

/// Lets the current G run until it leaves; returns why. If there is no native stack for it, it
/// parks at once, until there is one.
///
/// # Safety
///
/// Context: g0 of `m`; `m.curg` is running on it.
#[inline]
pub(crate) unsafe fn resume(m: *mut M) -> Outcome {
    // SAFETY: S1, S3; m::M1 for the plain fields of `m`.
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
            (*m).coro = take_spare(m);
            if (*m).coro.is_null() {
                (*m).coro = take();
            }
            if (*m).coro.is_null() {
                return wait_for_stack(m);
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

/// Prepares the current G to wait for a native stack.
#[cold]
unsafe fn wait_for_stack(m: *mut M) -> Outcome {
    unsafe fn commit(g: *mut G, _: ParkArg) -> bool {
        STARVED.fetch_add(1, Ordering::SeqCst);
        let mut found = ptr::null_mut();
        {
            let _s = SCHED.lock.guard();
            // SAFETY: the lock is held; Ms on the idle list sleep, and are woken by the M that
            // takes them off.
            unsafe {
                let mut m = SCHED.locked().midle;
                while !m.is_null() {
                    link(&mut (*m).coro, &mut found);
                    m = (*m).schedlink;
                }
                let mut m = SCHED.allm.load(Ordering::Relaxed);
                while !m.is_null() {
                    link(&mut take_spare(m), &mut found);
                    m = (*m).alllink;
                }
            }
        }
        {
            let mut pool = POOL.lock();
            // SAFETY: S3 — the linked ones are ours.
            unsafe {
                while !found.is_null() {
                    let next = (*found).next;
                    link(&mut found, &mut pool.free);
                    found = next;
                }
            }
            if !pool.free.is_null() || !pool.bare.is_empty() {
                STARVED.fetch_sub(1, Ordering::SeqCst);
                return false;
            }
            pool.waiters.push_back(Gref(g));
        }
        if SCHED.lastpoll.load(Ordering::SeqCst) == 0 {
            // An M blocks in the poller, perhaps since before we waited.
            netpoll::break_poll();
        }
        true
    }
    // SAFETY: context — g0 of `m`.
    unsafe { (*m).park(Some(commit), ParkArg::NONE, WaitReason::Zero) };
    Outcome::Park
}

/// Takes the coroutine that `m` has in reserve, or null.
///
/// # Safety
///
/// `m` is a descriptor of the runtime's.
unsafe fn take_spare(m: *mut M) -> *mut Coro {
    // SAFETY: descriptors are never freed.
    let spare = unsafe { &(*m).spare };
    if spare.load(Ordering::Relaxed).is_null() {
        return ptr::null_mut();
    }
    spare.swap(ptr::null_mut(), Ordering::SeqCst)
}

/// Moves the coroutine at `from`, if any, to the front of a list.
///
/// # Safety
///
/// It is the caller's, and no G's frames are on it.
unsafe fn link(from: &mut *mut Coro, list: &mut *mut Coro) {
    let c = std::mem::replace(from, ptr::null_mut());
    if !c.is_null() {
        // SAFETY: S3, and the contract.
        unsafe { (*c).next = *list };
        *list = c;
    }
}

/// Puts an unused coroutine away: into the M's reserve, else the pool.
///
/// # Safety
///
/// Context: g0 of `m`; no G's frames are on `c`.
unsafe fn put(m: *mut M, c: *mut Coro) {
    let mut c = c;
    // SAFETY: by the contract, and S3.
    unsafe {
        if (*m).spare.load(Ordering::Relaxed).is_null() {
            (*m).spare.swap(c, Ordering::SeqCst);
            if !is_starved() {
                return;
            }
            c = take_spare(m);
        }
        let ready = {
            let mut pool = POOL.lock();
            link(&mut c, &mut pool.free);
            pool.satisfied()
        };
        proc::inject_list(m, ready);
    }
}

/// Gives the M's coroutines to the pool; the M ends, or sleeps.
///
/// # Safety
///
/// As for `put`.
pub(crate) unsafe fn drop_all(m: *mut M) {
    // SAFETY: by the contract.
    unsafe {
        let ready = {
            let mut pool = POOL.lock();
            link(&mut (*m).coro, &mut pool.free);
            link(&mut take_spare(m), &mut pool.free);
            pool.satisfied()
        };
        proc::inject_list(m, ready);
    }
}

/// Gives the M's coroutines to goroutines that wait for a native stack, if any do. To be called
/// before the M goes to sleep.
///
/// # Safety
///
/// Context: g0 of `m`, which runs no G and has no P.
#[inline]
pub(crate) unsafe fn supply(m: *mut M) {
    if is_starved() {
        // SAFETY: by the contract.
        unsafe { drop_all(m) };
    }
}

/// Whether the M may go to sleep: see S5. Context: the sched lock is held.
#[inline]
pub(crate) fn may_sleep(m: &M) -> bool {
    !is_starved() || m.coro.is_null() && m.spare.load(Ordering::Relaxed).is_null()
}

/// How many goroutines wait for a native stack. Context: any thread.
pub(crate) fn starving() -> usize {
    if is_starved() {
        POOL.lock().waiters.len()
    } else {
        0
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

/// Asserts, in debug builds, that the native stack pointer lies in the thread's own stack.
#[inline]
pub(crate) fn assert_g0(m: *mut M) {
    #[cfg(debug_assertions)]
    {
        let here = stack_pointer();
        // SAFETY: m::M1 — bounds are set before the M schedules.
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
fn stack_left(m: &M) -> usize {
    let here = stack_pointer();
    if m.yielder.is_null() {
        return here.saturating_sub(m.stack_lo);
    }
    // All other stacks are slots of the reservations.
    room_at(here)
}

/// The stack pointer and the bounds of the native stack it lies in.
pub(crate) fn native_stack(m: &M) -> (usize, usize, usize) {
    let here = stack_pointer();
    match slot_of(here) {
        Some(lo) if !m.yielder.is_null() => (here, lo + PAGE, lo + STACK_BYTES),
        _ => (here, m.stack_lo, m.stack_hi),
    }
}

/// Bytes of native stack below `sp`, an address in a coroutine's stack.
///
/// Context: anywhere; async-signal-safe.
pub(crate) fn room_at(sp: usize) -> usize {
    slot_of(sp).map_or(0, |lo| (sp - lo).saturating_sub(PAGE))
}

/// Copies into `to` what a thread interrupted on a coroutine has in its registers, those for the
/// first arguments first, and then on its native stack. Returns how many words that are.
///
/// Context: signal handler.
pub fn words_of(context: Context, to: &mut [usize]) -> usize {
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
        let registers = unsafe {
            &(*context.ptr().cast::<libc::ucontext_t>())
                .uc_mcontext
                .gregs
        };
        let held = ORDER.iter().map(|&r| registers[r as usize] as usize);
        let sp = registers[libc::REG_RSP as usize] as usize & !7;
        let on_stack = slot_of(sp).map_or(0, |lo| (lo + STACK_BYTES - sp) / 8);
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
        let _ = (context, to);
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
    let Some(slot) = POOL.lock().slot() else {
        // A G in the middle of a native cannot wait: it holds references that are good for this M
        // only.
        crate::fatal!("out of memory: no native stack to go on with");
    };
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
    let ready = {
        let mut pool = POOL.lock();
        pool.bare.push(slot);
        pool.satisfied()
    };
    if ready.n > 0 {
        // SAFETY: the goroutine runs on this thread, and its M may be another than before. The Gs
        // are ours.
        unsafe {
            on_g0(&mut *crate::tls::current_m(), |m| {
                proc::inject_list(m, ready)
            })
        };
    }
    Ok(r)
}

/// Would a stack of `bytes` for [`on_large_stack`] leave enough of a limited address space to
/// others?
pub fn is_room_for(bytes: usize) -> bool {
    bytes <= address_space().min(data_space()) / 8
}

/// Runs `f` on a native stack of `bytes`, made for it and given back afterwards. The address space
/// is only reserved; what `f` does not touch costs nothing. `None` if there is not that much of it.
///
/// A thread would do as well, but costs more to start, and its share of malloc grows a page at a
/// time.
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
    // SAFETY: the mapping is ours, and no code runs on it any more.
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

/// Takes back what [`note_native`] has noted last: there are no Go pointers in the native frames of
/// the current G.
///
/// Context: g0 of an M whose G has left its coroutine by [`on_g0`].
pub(crate) fn forget_native(m: &mut M) {
    // SAFETY: S1; the coroutine of the M does not run.
    unsafe { (*m.coro).noted[0] = 0 };
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
        let mut sp = (*c).noted[0];
        loop {
            let Some(start) = slot_of(sp) else {
                crate::throw!("native frames at {sp:#x} are on no native stack");
            };
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
