#![allow(unsafe_code)]
//! VM stacks: sizes, guards, caches, growth by copying.
//!
//! Stacks grow upward: `[lo, top)` is used, and the prologue compares the end of the new frame
//! with `stackguard0`. Small ones (2 to 16 KB) come from a cache per P, filled from [`pool`]s;
//! larger ones are spans of their own. The memory is the heap's.
//!
//! A G that has not run yet has its first frame in words of its descriptor, and gets a stack from
//! the M that runs it first: a program may start goroutines much faster than they run, and most of
//! them end before the last have begun.
//!
//! # Invariants
//!
//! - K1. A stack belongs to one G, or to one list.
//! - K2. A stack is copied only by the M that runs its G, or with the world stopped.
//! - K3. No Go pointer points into a stack: a variable whose address is taken lives in a box, and
//!   frames, defers, sudogs and natives name slots by their offsets. So nothing outside has to be
//!   adjusted when a stack moves. Debug builds under `gcstress` check each word that the marker
//!   follows by a map, and move the stack at the prologues it counts.
//!
//! Go: runtime/stack.go.

mod pool;

use std::ptr;

use crate::coro::on_g0;
use crate::g::{G, Status, VM_WORDS};
use crate::gc;
use crate::heap;
use crate::m::M;
use crate::switches::{self, Mech};
use crate::sync::{AtomicI64, AtomicUsize, Ordering};
use pool::POOLS;
pub(crate) use pool::release_spans;

/// Bytes of a new goroutine's stack.
pub const MIN: usize = 2048;
/// Bytes kept free below the end of a stack: a frame header and the largest unchecked frame.
pub(crate) const SLACK: usize = 64;
/// The guard that asks to stop: below any frame, so that every check fails.
pub(crate) const PREEMPT: usize = 0;
/// The guard that forces a copy to a stack of the same size, for tests.
pub(crate) const FORCE_MOVE: usize = 2;

/// Sizes kept in caches: 2, 4, 8 and 16 KB.
const ORDERS: usize = 4;
/// Bytes a P's list holds at most, and is filled to half of.
const CACHE_BYTES: usize = 32 << 10;

/// Default limit of one stack: 1 GB.
const DEFAULT_MAX: usize = 1_000_000_000;

static MAX_BYTES: AtomicUsize = AtomicUsize::new(DEFAULT_MAX);
/// Bytes of stacks that belong to a G or a P's cache.
static INUSE: AtomicI64 = AtomicI64::new(0);

/// Sets the limit of one stack and returns the old one. Go: debug.SetMaxStack.
pub fn set_max(bytes: usize) -> usize {
    MAX_BYTES.swap(bytes, Ordering::Relaxed)
}

/// The size in bytes that no stack may exceed. Go: runtime/stack.go, newstack (maxstacksize and
/// maxstackceiling).
fn limit_bytes() -> usize {
    let limit = MAX_BYTES.load(Ordering::Relaxed).min(2 * DEFAULT_MAX);
    if fault!(DoubleStackLimit) {
        return 2 * limit;
    }
    limit
}

/// Bytes of stacks that belong to a G or a P's cache, and of the spans they are cut from. For
/// tests.
pub fn stats() -> (i64, i64) {
    (INUSE.load(Ordering::Relaxed), heap::stack_bytes() as i64)
}

/// A list of free stacks, linked through their first words.
#[derive(Debug, Clone, Copy)]
struct Free {
    head: usize,
    n: usize,
}

impl Free {
    const EMPTY: Free = Free { head: 0, n: 0 };

    /// # Safety
    ///
    /// `at` is a stack owned by the caller.
    #[inline]
    unsafe fn push(&mut self, at: usize) {
        // SAFETY: by the contract, and K1.
        unsafe { *(at as *mut usize) = self.head };
        self.head = at;
        self.n += 1;
    }

    #[inline]
    fn pop(&mut self) -> Option<usize> {
        if self.n == 0 {
            return None;
        }
        let at = self.head;
        // SAFETY: K1 — a listed stack belongs to the list.
        self.head = unsafe { *(at as *const usize) };
        self.n -= 1;
        Some(at)
    }
}

/// Free stacks of a P, by order.
#[derive(Debug)]
pub(crate) struct StackCache {
    lists: [Free; ORDERS],
}

impl StackCache {
    /// An empty cache.
    pub(crate) const fn new() -> StackCache {
        StackCache {
            lists: [Free::EMPTY; ORDERS],
        }
    }

    /// Gives everything to the pools.
    ///
    /// Context: the P is being destroyed, or the world is stopped.
    pub(crate) fn flush(&mut self) {
        for (order, list) in self.lists.iter_mut().enumerate() {
            if list.n != 0 {
                release(list, order, 0);
            }
        }
    }
}

impl Default for StackCache {
    fn default() -> StackCache {
        StackCache::new()
    }
}

/// How often a pool's lock was taken; for tests.
static POOL_LOCKS: AtomicUsize = AtomicUsize::new(0);

/// `bytes` (a multiple of 32 KB) of fresh memory.
fn span(bytes: usize) -> usize {
    heap::stack_span(bytes / heap::PAGE_SIZE) as usize
}

fn order_of(bytes: usize) -> usize {
    (bytes / MIN).trailing_zeros() as usize
}

/// A stack of `bytes`, a power of two; its contents are undefined.
///
/// Context: g0 or coroutine, with or without a P.
pub(crate) fn alloc(m: &mut M, bytes: usize) -> usize {
    debug_assert!(bytes.is_power_of_two() && bytes >= MIN);
    let order = order_of(bytes);
    if order >= ORDERS {
        INUSE.fetch_add(bytes as i64, Ordering::Relaxed);
        return span(bytes);
    }
    if m.p.is_null() || fault!(NoStackCache) {
        POOL_LOCKS.fetch_add(1, Ordering::Relaxed);
        INUSE.fetch_add(bytes as i64, Ordering::Relaxed);
        return POOLS[order].lock().take(order);
    }
    // SAFETY: p::P1 — the P is ours.
    let list = unsafe { &mut (*m.p).stacks.lists[order] };
    if let Some(at) = list.pop() {
        return at;
    }
    refill(list, order)
}

#[cold]
fn refill(list: &mut Free, order: usize) -> usize {
    POOL_LOCKS.fetch_add(1, Ordering::Relaxed);
    let mut pool = POOLS[order].lock();
    let n = (CACHE_BYTES / 2) >> (order + 11);
    for _ in 1..n {
        let at = pool.take(order);
        // SAFETY: K1 — just taken.
        unsafe { list.push(at) };
    }
    INUSE.fetch_add((n << (order + 11)) as i64, Ordering::Relaxed);
    pool.take(order)
}

/// Gives a stack back.
///
/// # Safety
///
/// `at` came from [`alloc`] with the same `bytes`, and is not used.
pub(crate) unsafe fn free(m: &mut M, at: usize, bytes: usize) {
    let order = order_of(bytes);
    if order >= ORDERS {
        INUSE.fetch_sub(bytes as i64, Ordering::Relaxed);
        // SAFETY: by the contract.
        unsafe { heap::free_stack_span(at as *mut u8) };
        return;
    }
    if m.p.is_null() {
        INUSE.fetch_sub(bytes as i64, Ordering::Relaxed);
        // SAFETY: by the contract.
        unsafe { POOLS[order].lock().give(at) };
        return;
    }
    // SAFETY: p::P1 for the P; the contract for the stack.
    unsafe {
        let list = &mut (*m.p).stacks.lists[order];
        list.push(at);
        if list.n >= CACHE_BYTES >> (order + 11) {
            release(list, order, (CACHE_BYTES / 2) >> (order + 11));
        }
    }
}

/// Gives all but `keep` stacks of a list to the pool.
#[cold]
fn release(list: &mut Free, order: usize, keep: usize) {
    POOL_LOCKS.fetch_add(1, Ordering::Relaxed);
    let mut pool = POOLS[order].lock();
    let mut n = 0;
    while list.n > keep {
        if let Some(at) = list.pop() {
            // SAFETY: K1.
            unsafe { pool.give(at) };
            n += 1;
        }
    }
    INUSE.fetch_sub((n << (order + 11)) as i64, Ordering::Relaxed);
}

/// Gives `g` a fresh stack of the starting size.
fn give(m: &mut M, g: &mut G) {
    let bytes = if fault!(LargeStacks) { 8 * MIN } else { MIN };
    g.stack_lo = alloc(m, bytes);
    g.stack_hi = g.stack_lo + bytes;
    g.stackguard0.store(g.normal_guard(), Ordering::Relaxed);
}

/// Lets `g`, which is new, have its first frame in the last of the VM's words, which must be zero:
/// see [`settle`].
pub(crate) fn lend(m: &mut M, g: &mut G) {
    if fault!(EarlyStacks) {
        return give(m, g);
    }
    lend_cradle(g);
}

/// As [`lend`], for a thread that is no M.
pub(crate) fn lend_cradle(g: &mut G) {
    g.stack_lo = cradle(g);
    g.stack_hi = g.stack_lo + CRADLE_WORDS * 8;
}

/// Words of a descriptor in which the first frame is laid: a header of two, and what a function is
/// called with.
const CRADLE_WORDS: usize = 8;

fn cradle(g: &G) -> usize {
    ptr::from_ref(&g.vm[VM_WORDS - CRADLE_WORDS]) as usize
}

/// Gives `g` a stack of the starting size, if it has none yet, and moves the first frame there.
///
/// Context: g0; `g` is about to run on `m`, which holds a P.
#[inline]
pub(crate) fn settle(m: &mut M, g: &mut G) {
    if g.stack_lo == cradle(g) {
        move_in(m, g);
    }
}

fn move_in(m: &mut M, g: &mut G) {
    let used = (g.sched.top - g.stack_lo) / 8;
    debug_assert!(used <= CRADLE_WORDS);
    let delta = g.sched.fp - g.stack_lo;
    give(m, g);
    let frame = &mut g.vm[VM_WORDS - CRADLE_WORDS..];
    // SAFETY: K1 — the stack is fresh and longer than what is copied.
    unsafe { ptr::copy_nonoverlapping(frame.as_ptr(), g.stack_lo as *mut usize, used) };
    frame.fill(0);
    g.sched.fp = g.stack_lo + delta;
    g.sched.top = g.stack_lo + used * 8;
}

/// Takes `g`'s stack away.
pub(crate) fn take(m: &mut M, g: &mut G) {
    if g.stack_lo != 0 {
        // SAFETY: the stack is `g`'s own (K1), which does not run.
        unsafe { free(m, g.stack_lo, g.stack_hi - g.stack_lo) };
    }
    g.stack_lo = 0;
    g.stack_hi = 0;
}

/// Dies with Go's stack overflow if a stack with room for what `g`'s frames have here, and for the
/// `beside` bytes that they have elsewhere, is larger than the limit: sizes are powers of two.
///
/// Context: as [`grow`].
pub fn check_limit(m: &mut M, g: &G, beside: usize) {
    let limit = limit_bytes();
    let used = (g.sched.top - g.stack_lo).saturating_add(beside);
    if beside > 0
        && used
            .checked_next_power_of_two()
            .is_none_or(|size| size > limit)
    {
        let (sp, lo, hi) = (g.sched.top, g.stack_lo, g.stack_hi);
        on_g0(m, |_| overflow(limit, sp, lo, hi));
    }
}

/// Copies `g`'s stack to one with room for `need` bytes above `g.sched.top`.
///
/// Dies with Go's stack overflow past the limit. The caller has saved `g.sched`; afterwards
/// `g.sched.fp`, `g.sched.top`, `g.stack_lo` and `g.stack_hi` name the new stack.
///
/// Context: coroutine or g0; `g` is current.
pub fn grow(m: &mut M, g: &mut G, need: usize) {
    if g.throwsplit {
        crate::throw!("runtime: stack split at bad time");
    }
    if g.syscallsp != 0 {
        crate::throw!("stack growth not allowed in system call");
    }
    let old = g.stack_hi - g.stack_lo;
    let used = g.sched.top - g.stack_lo;
    let forced = g.stackguard0.load(Ordering::Relaxed) == FORCE_MOVE;
    let mut new = if forced { old } else { old * 2 };
    while new < used + need + SLACK {
        new *= 2;
    }
    let limit = limit_bytes();
    if new > limit {
        let (sp, lo, hi) = (g.sched.top, g.stack_lo, g.stack_hi);
        on_g0(m, |_| overflow(limit, sp, lo, hi));
    }
    copy(m, g, new, used);
}

/// Halves `g`'s stack if less than a quarter is used. The collector calls it.
///
/// Wakers name slots by offset, so one that is parked on a channel may move too.
///
/// Context: world stopped, or `g` is current at a synchronous safepoint.
pub(crate) fn shrink(m: &mut M, g: &mut G) {
    if g.stack_lo == 0 || crate::knobs::get(crate::knobs::Knob::GcShrinkStackOff) > 0 {
        return;
    }
    if fault!(KeepStacks) {
        return;
    }
    let old = g.stack_hi - g.stack_lo;
    g.sched.top = m.engine.stack_top(g);
    let used = g.sched.top.saturating_sub(g.stack_lo);
    if old <= MIN
        || g.sched.top < g.stack_lo
        || used + SLACK >= old / if fault!(ShrinkAtHalf) { 2 } else { 4 }
        || g.syscallsp != 0
        || !g.coro.is_null()
    {
        return;
    }
    copy(m, g, old / 2, used);
}

fn copy(m: &mut M, g: &mut G, new: usize, used: usize) {
    let running = g.status() == Status::Running;
    if running {
        g.cas_status(Status::Running, Status::Copystack);
    }
    on_g0(m, |m| gc::check_stack(m.engine, g));
    let (lo, old) = (g.stack_lo, g.stack_hi - g.stack_lo);
    let to = alloc(m, new);
    let delta = to.wrapping_sub(lo);
    // SAFETY: K2; both stacks have room for `used` bytes and are distinct.
    unsafe {
        let words = if fault!(HalfCopy) {
            used / 16
        } else {
            used.div_ceil(8)
        };
        ptr::copy_nonoverlapping(lo as *const u64, to as *mut u64, words);
    }
    g.stack_lo = to;
    g.stack_hi = to + new;
    g.sched.top = g.sched.top.wrapping_add(delta);
    if g.sched.fp >= lo && g.sched.fp <= lo + old {
        g.sched.fp = g.sched.fp.wrapping_add(delta);
    }
    if gc::is_stressed() {
        // SAFETY: K1 — the old stack is still ours; poison makes stale uses show.
        unsafe { ptr::write_bytes(lo as *mut u8, 0xdb, old) };
    }
    // SAFETY: the old stack is `g`'s no more.
    unsafe { free(m, lo, old) };
    g.stackguard0.store(g.normal_guard(), Ordering::Relaxed);
    if g.preempt.load(Ordering::Relaxed) && switches::on(Mech::CoopPreempt) {
        g.stackguard0.store(PREEMPT, Ordering::Relaxed);
    }
    if gc::is_due() {
        gc::arm(g);
    }
    if running {
        g.cas_status(Status::Copystack, Status::Running);
    }
}

#[cold]
fn overflow(limit: usize, sp: usize, lo: usize, hi: usize) -> ! {
    crate::panic::print(format_args!(
        "runtime: goroutine stack exceeds {limit}-byte limit\n\
         runtime: sp={sp:#x} stack=[{lo:#x}, {hi:#x}]\n"
    ));
    crate::panic::throw_at_program(format_args!("stack overflow"))
}

/// Dies as of a stack overflow: natives that recurse have used up the goroutine's native stacks.
///
/// Context: coroutine.
#[cold]
pub fn native_overflow(m: &mut M) -> ! {
    let (sp, lo, hi) = crate::coro::native_stack(m);
    let limit = limit_bytes();
    on_g0(m, |_| overflow(limit, sp, lo, hi))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Fake;

    fn fill(g: &mut G, words: usize) {
        for i in 0..words {
            // SAFETY: the stack has room; the test sees to it.
            unsafe { *((g.stack_lo + 8 * i) as *mut usize) = i * 7 };
        }
        g.sched.top = g.stack_lo + 8 * words;
        g.sched.fp = g.stack_lo + 16;
    }

    fn check(g: &G, words: usize) {
        assert_eq!(g.sched.top, g.stack_lo + 8 * words);
        assert_eq!(g.sched.fp, g.stack_lo + 16);
        for i in 0..words {
            // SAFETY: as in `fill`.
            assert_eq!(unsafe { *((g.stack_lo + 8 * i) as *const usize) }, i * 7);
        }
    }

    #[test]
    fn t40_growth_doubles_and_keeps_the_contents() {
        let mut f = Fake::new();
        let (m, g) = f.both();
        g.status.store(Status::Running as u32, Ordering::Relaxed);
        give(m, g);
        let mut size = MIN;
        fill(g, 200);
        for _ in 0..12 {
            grow(m, g, 8);
            size *= 2;
            assert_eq!(g.stack_hi - g.stack_lo, size);
            // Another test may have a collection due.
            let guard = g.stackguard0.load(Ordering::Relaxed);
            assert!(
                guard == g.stack_hi - SLACK || guard == PREEMPT,
                "{guard:#x}"
            );
            check(g, 200);
        }
        // One call that needs much takes as many doublings as it needs.
        grow(m, g, 20 << 20);
        assert_eq!(g.stack_hi - g.stack_lo, 32 << 20);
        check(g, 200);
        // One halving per collection, down to what is used.
        while g.stack_hi - g.stack_lo > MIN {
            let before = g.stack_hi - g.stack_lo;
            shrink(m, g);
            if g.stack_hi - g.stack_lo == before {
                break;
            }
            assert_eq!(g.stack_hi - g.stack_lo, before / 2);
            check(g, 200);
        }
        assert!(g.stack_hi - g.stack_lo <= 8192);
        take(m, g);
    }

    #[test]
    fn t41_less_than_a_quarter_used_is_halved() {
        let mut f = Fake::new();
        let (m, g) = f.both();
        g.status.store(Status::Running as u32, Ordering::Relaxed);
        give(m, g);
        for size in [2 * MIN, 4 * MIN, 16 * MIN, 64 * MIN] {
            // `SLACK` bytes above the last frame count as used.
            let quarter = (size / 4 - SLACK) / 8;
            for (words, after) in [
                (quarter - 1, size / 2),
                (quarter, size),
                (2 * quarter, size),
            ] {
                take(m, g);
                g.stack_lo = alloc(m, size);
                g.stack_hi = g.stack_lo + size;
                fill(g, words);
                shrink(m, g);
                assert_eq!(g.stack_hi - g.stack_lo, after, "{words} words of {size}");
                check(g, words);
            }
        }
        take(m, g);
    }

    #[test]
    fn a_forced_move_keeps_the_size() {
        let mut f = Fake::new();
        let (m, g) = f.both();
        g.status.store(Status::Running as u32, Ordering::Relaxed);
        give(m, g);
        fill(g, 100);
        let old = g.stack_lo;
        g.stackguard0.store(FORCE_MOVE, Ordering::Relaxed);
        grow(m, g, 8);
        assert_eq!(g.stack_hi - g.stack_lo, MIN);
        assert_ne!(g.stack_lo, old);
        check(g, 100);
        take(m, g);
    }

    #[test]
    fn t42_the_cache_spares_the_pools_lock() {
        let mut f = Fake::new();
        let (m, _) = f.both();
        let before = POOL_LOCKS.load(Ordering::Relaxed);
        for _ in 0..10_000 {
            let s = alloc(m, MIN);
            // SAFETY: just allocated.
            unsafe { free(m, s, MIN) };
        }
        // Other tests may take it too, but not often.
        assert!(POOL_LOCKS.load(Ordering::Relaxed) - before < 1_000);
    }

    #[test]
    fn distinct_stacks_do_not_overlap() {
        let mut f = Fake::new();
        let (m, _) = f.both();
        let mut all: Vec<(usize, usize)> = Vec::new();
        for round in 0..400 {
            let size = MIN << (round % 8);
            all.push((alloc(m, size), size));
        }
        all.sort_unstable();
        for w in all.windows(2) {
            assert!(w[0].0 + w[0].1 <= w[1].0);
        }
        for (at, size) in all {
            // SAFETY: allocated above.
            unsafe { free(m, at, size) };
        }
    }
}
