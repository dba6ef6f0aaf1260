//! The tables of status changes, of goroutines and of Ps: what is not in them is fatal in debug
//! builds, what is in them is counted there.
//!
//! Other builds neither look nor count: a wrong change of a goroutine's status fails at its
//! compare-and-swap.
//!
//! Go: runtime/proc.go, casgstatus and its kin, wirep, releasep; runtime2.go, the comments of the
//! status constants.

use crate::g::{G, Status};
use crate::p::{P, PStatus};
use crate::sync::plain::{AtomicU64, Ordering};
use crate::trace;

/// Whether this build looks and counts.
pub const COUNTED: bool = cfg!(debug_assertions);

/// What a change does to the scan bit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Scan {
    /// It is not set, before or after.
    No = 0,
    /// It is set.
    Set = 1,
    /// It is dropped.
    Drop = 2,
}

/// Every change of a goroutine's status.
pub const G_EDGES: &[(Status, Status, Scan)] = {
    use Scan::*;
    use Status::*;
    &[
        (Idle, Dead, No),
        (Status::Dead, Runnable, No),
        (Runnable, Running, No),
        (Running, Runnable, No),
        (Running, Waiting, No),
        (Running, Syscall, No),
        (Running, Dead, No),
        (Running, Copystack, No),
        (Copystack, Running, No),
        (Waiting, Runnable, No),
        (Waiting, Running, No),
        (Syscall, Running, No),
        (Syscall, Runnable, No),
        (Running, Preempted, Set),
        (Preempted, Preempted, Drop),
        (Preempted, Waiting, No),
        (Runnable, Runnable, Set),
        (Runnable, Runnable, Drop),
        (Running, Running, Set),
        (Running, Running, Drop),
        (Syscall, Syscall, Set),
        (Syscall, Syscall, Drop),
        (Waiting, Waiting, Set),
        (Waiting, Waiting, Drop),
    ]
};

/// Every change of a P's status. With the world stopped all are `GcStop`, so that no other state
/// leads to `Dead`.
pub const P_EDGES: &[(PStatus, PStatus)] = {
    use PStatus::*;
    &[
        (GcStop, Idle),
        (GcStop, Running),
        (GcStop, Dead),
        (Dead, GcStop),
        (Idle, Running),
        (Idle, GcStop),
        (Running, Idle),
        (Running, Syscall),
        (Running, GcStop),
        (Syscall, Idle),
        (Syscall, GcStop),
    ]
};

static G_TAKEN: [AtomicU64; G_EDGES.len()] = [const { AtomicU64::new(0) }; G_EDGES.len()];
static P_TAKEN: [AtomicU64; P_EDGES.len()] = [const { AtomicU64::new(0) }; P_EDGES.len()];

/// How often each of [`G_EDGES`] was taken.
pub fn g_taken() -> Vec<u64> {
    G_TAKEN.iter().map(|n| n.load(Ordering::Relaxed)).collect()
}

/// How often each of [`P_EDGES`] was taken.
pub fn p_taken() -> Vec<u64> {
    P_TAKEN.iter().map(|n| n.load(Ordering::Relaxed)).collect()
}

/// The status of `g` has changed.
#[inline]
pub(crate) fn g(g: &G, from: Status, to: Status, scan: Scan) {
    if COUNTED {
        let Some(i) = G_EDGES.iter().position(|e| *e == (from, to, scan)) else {
            crate::throw!(
                "goroutine {}: status {} to {}, scan bit {scan:?}",
                g.goid.0,
                from.name(),
                to.name()
            );
        };
        G_TAKEN[i].fetch_add(1, Ordering::Relaxed);
        trace::g_status(g, from, to, scan as u32);
    }
}

/// The status of `p` changes.
#[inline]
pub(crate) fn p(p: &P, from: PStatus, to: PStatus) {
    if COUNTED {
        let Some(i) = P_EDGES.iter().position(|e| *e == (from, to)) else {
            crate::throw!("P{}: status {} to {}", p.id, from.name(), to.name());
        };
        P_TAKEN[i].fetch_add(1, Ordering::Relaxed);
        trace::p_status(p, from, to);
    }
}
