#![allow(unsafe_code)]
//! Numbers of the scheduler and the heap that package runtime/metrics reports beside those of
//! `runtime.MemStats`.
//!
//! Go: runtime/metrics.go.

use crate::g::Status;
use crate::gc;
use crate::heap::{self, CLASS_SIZE, NUM_CLASSES};
use crate::sched::for_each_g;
use crate::sync::plain::{AtomicI64, Ordering};
use crate::sync::{self};

/// How long goroutines have waited for locks, as far as the sampled waits tell.
static LOCK_WAIT: AtomicI64 = AtomicI64::new(0);
/// One wait for a lock in so many is measured.
const LOCK_PERIOD: i64 = 8;

/// Whether a wait for a lock is measured, by a random number.
pub(crate) fn measures(random: u32) -> bool {
    // The lowest bit is always set.
    i64::from(random >> 1) % LOCK_PERIOD == 0
}

/// A wait for a lock that was measured has ended.
pub(crate) fn waited(ns: i64) {
    LOCK_WAIT.fetch_add(ns * LOCK_PERIOD, Ordering::Relaxed);
}

/// How long goroutines have waited for locks, ns.
pub fn lock_wait() -> i64 {
    LOCK_WAIT.load(Ordering::Relaxed)
}

/// How many goroutines of the program are in system calls, can run, run, and wait.
pub fn statuses() -> [u64; 4] {
    let mut n = [0; 4];
    for_each_g(|g| {
        // SAFETY: descriptors are never freed; a status is an atomic.
        let (status, is_system) = unsafe { ((*g).status(), (*g).is_system) };
        let at = match status {
            _ if is_system => return,
            Status::Syscall => 0,
            Status::Runnable | Status::Preempted => 1,
            Status::Running | Status::Copystack => 2,
            Status::Waiting => 3,
            Status::Idle | Status::Dead => return,
        };
        n[at] += 1;
    });
    n
}

/// Of each size of objects how many bytes that is, and how many were allocated and freed; of large
/// ones, which come first, the size is 0. And how many objects were joined with others in a block.
///
/// Caches hold back what they have allocated until a reading of `runtime.MemStats`.
pub fn sizes() -> (Vec<[u64; 3]>, u64) {
    let s = &heap::heap().stats;
    let get = |a: &sync::AtomicU64| a.load(sync::Ordering::Relaxed);
    let sizes = (0..NUM_CLASSES).map(|class| {
        let both = [class * 2, class * 2 + 1];
        let allocs = both.iter().map(|k| get(&s.allocs[*k])).sum();
        let frees = both.iter().map(|k| get(&s.frees[*k])).sum();
        [u64::from(CLASS_SIZE[class]), allocs, frees]
    });
    (sizes.collect(), get(&s.tiny_allocs))
}

/// Bytes that the last collection has found alive.
pub fn live() -> u64 {
    gc::live()
}

/// `GOGC` as it is set now.
pub fn gc_percent() -> i64 {
    gc::percent()
}
