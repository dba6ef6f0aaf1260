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
use crate::sema;
use crate::sync::{AtomicU32, AtomicU64, Ordering};

/// A `sync.WaitGroup`.
#[repr(C)]
#[derive(Debug)]
pub struct WaitGroup {
    state: AtomicU64,
    sema: AtomicU32,
}

const _: () = assert!(size_of::<WaitGroup>() == 16);

/// The waiters in the state; the bit above them is Go's for bubbles of synctest.
const WAITERS: u64 = 0x7fff_ffff;

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
        let add = (delta as u64) << 32;
        // AcqRel: what was done before `Done` is seen after `Wait`.
        let state = (*wg)
            .state
            .fetch_add(add, Ordering::AcqRel)
            .wrapping_add(add);
        let (counter, waiters) = ((state >> 32) as i32, state & WAITERS);
        if counter > 0 && waiters == 0 {
            return SyncOp::Done;
        }
        wait_group_add_slow(m, wg, delta, state)
    }
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
                return SyncOp::Done;
            }
            match state.compare_exchange(old, old + 1, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => break,
                Err(seen) => old = seen,
            }
        }
        let wait = Wait {
            stage: Stage::WaitGroup,
            reason: WaitReason::SyncWaitGroupWait,
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
