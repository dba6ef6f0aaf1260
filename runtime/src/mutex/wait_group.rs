//! WaitGroup.
//!
//! # Invariants
//!
//! - G1. The words belong to the program and are touched by atomics only.
//! - G2. The counter is the high half of the state, the number of waiters the low one. Waiters are
//!   added only while the counter is positive, by one compare-and-swap of both.
//!
//! Go: sync/waitgroup.go.

#![allow(unsafe_code)]

use super::{Stage, SyncOp, Wait};
use crate::g::{G, WaitReason};
use crate::m::M;
use crate::sync::{AtomicU32, AtomicU64, Ordering};
use crate::{bubble, heap, sema};

/// A `sync.WaitGroup`.
#[repr(C)]
#[derive(Debug)]
pub struct WaitGroup {
    state: AtomicU64,
    sema: AtomicU32,
    /// The number of the bubble that it belongs to, or 0; padding for Go.
    bubble: AtomicU32,
}

const _: () = assert!(size_of::<WaitGroup>() == 16);

/// The waiters in the state.
const WAITERS: u64 = 0x7fff_ffff;
/// It has been used in a bubble.
const BUBBLED: u64 = 0x8000_0000;

/// The counter.
///
/// # Safety
///
/// `wg` is a `sync.WaitGroup`.
pub(crate) unsafe fn wait_group_count(wg: *const WaitGroup) -> i32 {
    // SAFETY: G1.
    unsafe { ((*wg).state.load(Ordering::Relaxed) >> 32) as i32 }
}

const ADD_MISUSE: &str = "sync: WaitGroup misuse: Add called concurrently with Wait";

/// Adds to the counter; when it becomes 0, wakes all that wait. `Done` is adding -1.
///
/// Context: with a P; no lock held.
///
/// # Safety
///
/// `wg` is a `sync.WaitGroup`.
#[inline]
pub unsafe fn wait_group_add(m: &mut M, wg: *const WaitGroup, delta: i64) -> SyncOp {
    // SAFETY: G1.
    unsafe {
        let mut is_ours = false;
        if bubble::is_in(m) {
            match associate(m, wg) {
                Ok(ours) => is_ours = ours,
                Err(text) => return SyncOp::Fatal(text),
            }
        }
        let add = (delta as u64) << 32;
        // AcqRel: what was done before `Done` is seen after `Wait`.
        let state = (*wg)
            .state
            .fetch_add(add, Ordering::AcqRel)
            .wrapping_add(add);
        let (counter, waiters) = ((state >> 32) as i32, state & WAITERS);
        if counter > 0 && state & (WAITERS | BUBBLED) == 0 {
            return SyncOp::Done;
        }
        if state & BUBBLED != 0 && !is_ours {
            return SyncOp::Fatal(INSIDE_AND_OUTSIDE);
        }
        if counter > 0 && waiters == 0 {
            return SyncOp::Done;
        }
        wait_group_add_slow(m, wg, delta, state)
    }
}

const INSIDE_AND_OUTSIDE: &str =
    "sync: WaitGroup.Add called from inside and outside synctest bubble";

/// Makes the WaitGroup one of the goroutine's bubble, if it is an object of the heap; whether it
/// is one. An error is what ends the program.
///
/// # Safety
///
/// `wg` is a `sync.WaitGroup`, and the goroutine that `m` runs is in a bubble.
///
/// Go: sync/waitgroup.go, Add.
#[cold]
unsafe fn associate(m: &M, wg: *const WaitGroup) -> Result<bool, &'static str> {
    if heap::find_object(wg as usize).is_none() {
        return Ok(false);
    }
    let (me, order) = (bubble::id(m), Ordering::AcqRel);
    // SAFETY: G1.
    unsafe {
        let set = (*wg)
            .bubble
            .compare_exchange(0, me, order, Ordering::Acquire);
        if set.is_err_and(|owner| owner != me) {
            return Err("sync: WaitGroup.Add called from multiple synctest bubbles");
        }
        let state = (*wg).state.fetch_or(BUBBLED, order);
        if state != 0 && state & BUBBLED == 0 {
            return Err(INSIDE_AND_OUTSIDE);
        }
    }
    Ok(true)
}

/// # Safety
///
/// As [`wait_group_add`]; `state` is the state after the addition.
unsafe fn wait_group_add_slow(m: &mut M, wg: *const WaitGroup, delta: i64, state: u64) -> SyncOp {
    let (counter, waiters) = ((state >> 32) as i32, state & WAITERS);
    if counter < 0 {
        return SyncOp::Panic("sync: negative WaitGroup counter");
    }
    if waiters != 0 && delta > 0 && counter == delta as i32 {
        return SyncOp::Panic(ADD_MISUSE);
    }
    if counter > 0 || waiters == 0 {
        return SyncOp::Done;
    }
    // SAFETY: G1.
    unsafe {
        // The counter is 0, so no G may add or wait now (G2): one that does is a misuse.
        if (*wg).state.load(Ordering::Relaxed) != state {
            return SyncOp::Panic(ADD_MISUSE);
        }
        if state & BUBBLED != 0 {
            (*wg).bubble.store(0, Ordering::Relaxed);
        }
        (*wg).state.store(0, Ordering::Release);
        let woken = if fault!(DoneWakesOne) { 1 } else { waiters };
        for _ in 0..woken {
            sema::release(m, &raw const (*wg).sema, false);
        }
    }
    SyncOp::Done
}

/// Waits until the counter is 0.
///
/// Context: coroutine; with a P; no lock held.
///
/// # Safety
///
/// `g` runs on `m`; `wg` is a `sync.WaitGroup`.
pub unsafe fn wait_group_wait(m: &mut M, g: &mut G, wg: *const WaitGroup) -> SyncOp {
    // SAFETY: G1.
    unsafe {
        let state = &(*wg).state;
        // Acquire: pairs with the Release in `wait_group_add`.
        let mut old = state.load(Ordering::Acquire);
        loop {
            if (old >> 32) as i32 == 0 {
                if old & BUBBLED != 0 {
                    dissociate(m, wg, old);
                }
                return SyncOp::Done;
            }
            match state.compare_exchange(old, old + 1, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => break,
                Err(seen) => old = seen,
            }
        }
        let is_durable = old & BUBBLED != 0 && is_associated(m, wg);
        let wait = Wait {
            stage: Stage::WaitGroup,
            reason: match is_durable {
                false => WaitReason::SyncWaitGroupWait,
                true => WaitReason::SynctestWaitGroupWait,
            },
            object: wg as usize,
            ..Wait::PLAIN
        };
        if sema::acquire_or_queue(m, g, &raw const (*wg).sema, wait) {
            woken(wg)
        } else {
            SyncOp::Blocked
        }
    }
}

/// Whether the WaitGroup belongs to the bubble of the goroutine that `m` runs.
///
/// # Safety
///
/// `wg` is a `sync.WaitGroup`.
unsafe fn is_associated(m: &M, wg: *const WaitGroup) -> bool {
    let me = bubble::id(m);
    // SAFETY: G1.
    me != 0 && unsafe { (*wg).bubble.load(Ordering::Acquire) } == me
}

/// The WaitGroup, which counts nothing and has the state `old`, may be used elsewhere from now on.
///
/// # Safety
///
/// `wg` is a `sync.WaitGroup`.
#[cold]
unsafe fn dissociate(m: &M, wg: *const WaitGroup, old: u64) {
    // SAFETY: G1.
    unsafe {
        if old & WAITERS == 0
            && is_associated(m, wg)
            && ((*wg).state)
                .compare_exchange(old, 0, Ordering::AcqRel, Ordering::Relaxed)
                .is_ok()
        {
            (*wg).bubble.store(0, Ordering::Relaxed);
        }
    }
}

/// Undoes the wait of one goroutine.
///
/// # Safety
///
/// As [`super::undo`]; `wg` is a `sync.WaitGroup`.
pub(super) unsafe fn undo(wg: *const WaitGroup) {
    // SAFETY: G1.
    unsafe { (*wg).state.fetch_sub(1, Ordering::AcqRel) };
}

/// # Safety
///
/// `wg` is a `sync.WaitGroup`.
pub(super) unsafe fn woken(wg: *const WaitGroup) -> SyncOp {
    // SAFETY: G1. Acquire: pairs with the AcqRel in `wait_group_add`.
    if unsafe { (*wg).state.load(Ordering::Acquire) } != 0 {
        return SyncOp::Panic("sync: WaitGroup is reused before previous Wait has returned");
    }
    SyncOp::Done
}
