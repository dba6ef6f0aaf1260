#![allow(unsafe_code)]
//! Scheduling: `schedule`, `find_runnable`, `wake_p`, park and ready, the `go` statement.
//!
//! Go: runtime/proc.go.

use crate::engine::Outcome;
use crate::g::{G, WaitReason};
use crate::m::{Commit, M};
use crate::sync::Lock;

/// Parks the current G under its native frames; see [`M::park`].
///
/// Returns when it is readied, on the M that runs it then: never use the old one.
///
/// Context: coroutine; no lock held but `lock`.
pub fn gopark(m: &mut M, commit: Option<Commit>, lock: usize, reason: WaitReason) -> &mut M {
    m.park(commit, lock, reason);
    crate::coro::suspend(m, Outcome::Park)
}

/// As [`gopark`], releasing `lock` once the G is marked waiting.
pub fn gopark_unlock<'a>(m: &'a mut M, lock: &Lock, reason: WaitReason) -> &'a mut M {
    m.park_unlock(lock, reason);
    crate::coro::suspend(m, Outcome::Park)
}

/// Makes a waiting G runnable: it runs next on this P.
///
/// Context: any stack of an M that holds a P; no channel or sched lock held.
///
/// # Safety
///
/// `g` waits, and the caller owns the right to wake it.
pub unsafe fn ready(m: &mut M, g: *mut G) {
    let _ = (m, g);
    todo!()
}

/// Starts a goroutine: takes a dead G, gives it a stack, lets `init` lay its first frame, and
/// queues it to run next.
///
/// `init` sets `g.sched` (and what it likes of `g.vm`); `gopc` and `startpc` are for tracebacks.
///
/// Context: coroutine or g0 with a P.
pub fn spawn(m: &mut M, gopc: usize, startpc: usize, init: impl FnOnce(&mut G)) -> *mut G {
    let _ = (m, gopc, startpc, init);
    todo!()
}
