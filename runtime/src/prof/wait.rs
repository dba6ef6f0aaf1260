#![allow(unsafe_code)]
//! The profiles of blocking and of contention: how long goroutines wait for others, and whom those
//! that wait for a lock wait for.
//!
//! While one of them is on, a goroutine notes when it begins to wait. What it has waited is booked
//! by who wakes it: at the stack of the one that waited for the profile of blocking, at that of the
//! one that unlocks for the profile of contention.
//!
//! # Invariants
//!
//! - W1. `G::blocked_since` belongs to the owner of the G. It is 0 unless the G waits, and began to
//!   when a profile was on.
//!
//! Go: runtime/mprof.go, blockevent, mutexevent, saveblockevent.

use super::MAX_FRAMES;
use super::stacks::Stacks;
use crate::clock::nanotime;
use crate::engine::Stack;
use crate::g::{G, WaitReason};
use crate::lockrank::Rank;
use crate::m::M;
use crate::sync::plain::{AtomicI64, AtomicU32, Ordering};
use crate::sync::{self, Guarded};
use crate::{prompt, tls};

/// Who wants goroutines to note when they begin to wait.
pub(crate) const PROMPT: u32 = 1;
const BLOCK: u32 = 2;
const MUTEX: u32 = 4;

/// A bit for each of them. Written by [`want`].
static WANTED: AtomicU32 = AtomicU32::new(0);

/// A wait of so many ns is booked, a shorter one by chance; 0: none. Written by [`set_block_rate`].
static BLOCK_RATE: AtomicI64 = AtomicI64::new(0);
/// One wait in so many is booked; 0: none. Written by [`set_mutex_fraction`].
static MUTEX_FRACTION: AtomicI64 = AtomicI64::new(0);

/// What was booked at a stack.
#[derive(Clone, Copy, Default, Debug)]
pub struct Waited {
    pub count: f64,
    pub ns: i64,
}

static BLOCKED: Guarded<Stacks<Waited>> = Guarded::new(Rank::Leaf, Stacks::new());
static CONTENDED: Guarded<Stacks<Waited>> = Guarded::new(Rank::Leaf, Stacks::new());

pub(crate) fn want(who: u32, on: bool) {
    match on {
        true => WANTED.fetch_or(who, Ordering::SeqCst),
        false => WANTED.fetch_and(!who, Ordering::SeqCst),
    };
}

/// Whether goroutines note when they begin to wait, and when they can run again.
#[inline]
pub(crate) fn is_noted() -> bool {
    WANTED.load(Ordering::Relaxed) != 0
}

/// Go: runtime.SetBlockProfileRate.
pub fn set_block_rate(ns: i64) {
    BLOCK_RATE.store(ns.max(0), Ordering::Relaxed);
    want(BLOCK, ns > 0);
}

/// Sets the fraction unless it is negative; returns what it was. Go:
/// runtime.SetMutexProfileFraction.
pub fn set_mutex_fraction(fraction: i64) -> i64 {
    let old = MUTEX_FRACTION.load(Ordering::Relaxed);
    if fraction >= 0 {
        MUTEX_FRACTION.store(fraction, Ordering::Relaxed);
        want(MUTEX, fraction > 0);
    }
    old
}

/// What was booked for the profile of blocking.
pub fn blocked() -> Vec<(Box<[usize]>, Waited)> {
    BLOCKED.lock().all()
}

/// What was booked for the profile of contention.
pub fn contended() -> Vec<(Box<[usize]>, Waited)> {
    CONTENDED.lock().all()
}

/// `g` begins to wait.
///
/// # Safety
///
/// The G is the caller's.
#[cold]
pub(crate) unsafe fn begins(g: *mut G) {
    // SAFETY: the caller's.
    unsafe {
        if prompt::is_attached() {
            (*g).waitsince.store(nanotime(), sync::Ordering::Relaxed);
        }
        if WANTED.load(Ordering::Relaxed) & (BLOCK | MUTEX) != 0 {
            (*g).blocked_since = nanotime();
        }
    }
}

/// `g` can run again.
///
/// # Safety
///
/// The G is the caller's, and is in no queue yet.
#[cold]
pub(crate) unsafe fn ends(g: *mut G) {
    // SAFETY: the caller's.
    unsafe {
        if prompt::is_attached() {
            (*g).waitsince.store(nanotime(), sync::Ordering::Relaxed);
        }
        let since = std::mem::take(&mut (*g).blocked_since);
        let rate = BLOCK_RATE.load(Ordering::Relaxed);
        if since == 0 || rate == 0 || !is_for_others(&*g) {
            return;
        }
        let m = tls::current_m();
        let waited = nanotime() - since;
        if waited < rate && chance(m) % rate as u64 > waited as u64 || m.is_null() {
            return;
        }
        let stack = (*m).engine.stack(&*g, Stack::Waiting, MAX_FRAMES);
        let mut table = BLOCKED.lock();
        let at = table.at(&stack);
        // Each short wait that is booked stands for those that are not.
        let (n, ns) = match waited < rate {
            true => (rate as f64 / waited.max(1) as f64, rate),
            false => (1.0, waited),
        };
        at.count += n;
        at.ns += ns;
    }
}

/// `g` is woken by the unlock of what it waits for.
///
/// Context: coroutine or g0; `g` waits, and is not ready yet.
#[inline]
pub(crate) fn unlocks(m: &mut M, g: *const G) {
    if WANTED.load(Ordering::Relaxed) & MUTEX != 0 {
        contends(m, g);
    }
}

#[cold]
fn contends(m: &mut M, g: *const G) {
    // SAFETY: the context: the G is the caller's to wake.
    let (since, is_lock) = unsafe { ((*g).blocked_since, is_lock((*g).wait_reason())) };
    let fraction = MUTEX_FRACTION.load(Ordering::Relaxed);
    if since == 0 || !is_lock || fraction == 0 || !chance(m).is_multiple_of(fraction as u64) {
        return;
    }
    let waited = (nanotime() - since).max(0);
    // SAFETY: the M's own G.
    let Some(unlocker) = (unsafe { m.curg.as_ref() }) else {
        return;
    };
    let stack = m.engine.stack(unlocker, Stack::Calling, MAX_FRAMES);
    let mut table = CONTENDED.lock();
    let at = table.at(&stack);
    at.count += fraction as f64;
    at.ns += fraction * waited;
}

/// A random number, of the P if there is one.
fn chance(m: *mut M) -> u64 {
    // SAFETY: the thread's own M; p::P1.
    match unsafe { m.as_mut().and_then(|m| m.p.as_mut()) } {
        Some(p) => u64::from(p.rand.next32()) << 32 | u64::from(p.rand.next32()),
        None => nanotime() as u64,
    }
}

pub(crate) fn is_lock(reason: WaitReason) -> bool {
    use WaitReason::*;
    matches!(reason, SyncMutexLock | SyncRwMutexLock | SyncRwMutexRLock)
}

/// Does `g`, which waits, wait for another goroutine?
fn is_for_others(g: &G) -> bool {
    use WaitReason::*;
    let reason = g.wait_reason();
    is_lock(reason)
        || matches!(
            reason,
            ChanReceive
                | ChanSend
                | Select
                | SyncCondWait
                | SyncWaitGroupWait
                | SynctestChanReceive
                | SynctestChanSend
                | SynctestSelect
                | SynctestWaitGroupWait
        )
}
