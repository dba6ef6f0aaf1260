#![allow(unsafe_code)]
//! Goroutines wired to their thread.
//!
//! Go: runtime/proc.go, LockOSThread, stoplockedm, startlockedm.

use std::ptr;

use super::handoff::{acquire_p, handoff_p, m_park, release_p, stop_m};
use super::thread::start_template;
use crate::g::{G, Status};
use crate::m::M;
use crate::sched::SCHED;
use crate::sync::Ordering;
use crate::trace::{self, Place};
use crate::{coro, panic};

/// Wires the current G to its thread; nests. Go: runtime.LockOSThread.
///
/// Context: coroutine. `Err` on overflow of the nesting count.
pub fn lock_os_thread(m: &mut M) -> Result<(), &'static str> {
    if m.locked_ext == u32::MAX {
        return Err("LockOSThread nesting overflow");
    }
    start_template(m);
    m.locked_ext += 1;
    wire(m);
    Ok(())
}

/// Undoes one [`lock_os_thread`]; a surplus call does nothing.
pub fn unlock_os_thread(m: &mut M) {
    if m.locked_ext == 0 {
        return;
    }
    m.locked_ext -= 1;
    if fault!(UnwireAtOnce) {
        m.locked_ext = 0;
    }
    unwire(m);
}

pub(super) fn wire(m: &mut M) {
    let g = m.curg;
    m.lockedg.store(g, Ordering::Relaxed);
    let mp = ptr::from_mut(m);
    // SAFETY: m::M3.
    unsafe { (*g).lockedm.store(mp, Ordering::Relaxed) };
}

pub(super) fn unwire(m: &mut M) {
    if m.locked_ext != 0 || m.locked_int != 0 {
        return;
    }
    let g = m.lockedg.swap(ptr::null_mut(), Ordering::Relaxed);
    if !g.is_null() {
        // SAFETY: m::M3 — it is the current G.
        unsafe { (*g).lockedm.store(ptr::null_mut(), Ordering::Relaxed) };
    }
}

/// Waits until the G wired to the M is runnable and another M gives this one a P.
pub(super) unsafe fn stop_locked_m(m: *mut M) {
    // SAFETY: context — g0 of `m`.
    unsafe {
        let g = (*m).lockedg.load(Ordering::Relaxed);
        if g.is_null() || (*g).lockedm.load(Ordering::Relaxed) != m {
            crate::throw!("stoplockedm: inconsistent locking");
        }
        if !(*m).p.is_null() {
            let p = release_p(m);
            handoff_p(m, p);
        }
        // This M may sleep for long, and goroutines may wait for a native stack.
        coro::drop_all(m);
        inc_idle_locked(1);
        m_park(m);
        if (*g).status() != Status::Runnable {
            crate::throw!("stoplockedm: not runnable");
        }
        let p = (*m).nextp.swap(ptr::null_mut(), Ordering::Acquire);
        acquire_p(m, p);
    }
}

/// Gives the P to the M that `g` is wired to, and sleeps until there is another.
pub(super) unsafe fn start_locked_m(m: *mut M, g: *mut G) {
    // SAFETY: context — g0 of `m`; the wired M sleeps in `stop_locked_m` or is about to.
    unsafe {
        let mp = (*g).lockedm.load(Ordering::Relaxed);
        if mp == m {
            crate::throw!("startlockedm: locked to me");
        }
        if !(*mp).nextp.load(Ordering::Relaxed).is_null() {
            crate::throw!("startlockedm: m has p");
        }
        inc_idle_locked(-1);
        trace::queued(m, g, Place::Wired);
        let p = release_p(m);
        (*mp).nextp.store(p, Ordering::Release);
        (*mp).park_note.wakeup();
        stop_m(m);
    }
}

/// Counts Ms that wait for their wired G; more of them may be a deadlock.
pub(crate) fn inc_idle_locked(by: i64) {
    let _s = SCHED.lock.guard();
    // SAFETY: the lock is held.
    unsafe { SCHED.locked().nmidlelocked += by };
    if by > 0 && !fault!(NoWiredDeadlockCheck) {
        panic::check_dead();
    }
}
