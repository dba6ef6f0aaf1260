#![allow(unsafe_code)]
//! Waking: which M is told of new work, and the count of Ms that search (proc::R1, proc::R3).
//!
//! Go: runtime/proc.go, wakep, resetspinning, becomeSpinning, wakeNetPoller.

use super::handoff::start_m;
use crate::coro::on_g0;
use crate::m::M;
use crate::sched::{SCHED, gomaxprocs};
use crate::switches::Mech;
use crate::sync::{Ordering, fence_seq_cst};
use crate::trace::SpinBy;
use crate::{netpoll, switches, trace};

/// Starts a searcher if no M searches and a P is idle.
///
/// Called after making work visible.
///
/// Context: any stack of an M; sched lock not held.
#[inline]
pub(crate) fn wake_p(m: &mut M) {
    if fault!(DropWakeup) {
        return;
    }
    if !fault!(NoFenceInWake) {
        fence_seq_cst(); // proc::R1
    }
    if SCHED.nmspinning.load(Ordering::Relaxed) != 0 {
        return;
    }
    if SCHED.npidle.load(Ordering::Relaxed) == 0 {
        // No M can be started. An M about to give up its P shall search first; it looks at
        // `needspinning` after the P is on the list, we at the list after `needspinning` is set.
        if SCHED.needspinning.load(Ordering::Relaxed) != 0 {
            return;
        }
        SCHED.needspinning.store(1, Ordering::Relaxed);
        fence_seq_cst();
        if SCHED.npidle.load(Ordering::Relaxed) == 0 {
            return;
        }
    }
    wake_p_slow(m);
}

#[cold]
fn wake_p_slow(m: &mut M) {
    if !switches::on(Mech::Spinning)
        || !SCHED.main_started.load(Ordering::Relaxed)
        || SCHED
            .nmspinning
            .compare_exchange(0, 1, Ordering::SeqCst, Ordering::Relaxed)
            .is_err()
    {
        return;
    }
    on_g0(m, |m| {
        let p = {
            let _s = SCHED.lock.guard();
            // SAFETY: the lock is held.
            let p = unsafe { SCHED.pidle_get_spinning() };
            if p.is_null() {
                drop_spinner(m, false);
                return;
            }
            p
        };
        trace::spin_start(m, SpinBy::Wake, 1);
        // SAFETY: the P is ours.
        unsafe { start_m(m, p, true) };
    });
}

/// Counts an M less among those that search.
pub(super) fn drop_spinner(m: *const M, found: bool) {
    let n = SCHED.nmspinning.fetch_sub(1, Ordering::SeqCst);
    if n < 1 {
        crate::throw!("negative nmspinning");
    }
    trace::spin_end(m, found, n - 1);
}

/// Whether the M may begin to search: fewer than half as many searchers as busy Ps.
pub(super) unsafe fn may_spin(m: *mut M) -> bool {
    let (n, busy) = (
        SCHED.nmspinning.load(Ordering::SeqCst),
        gomaxprocs() - SCHED.npidle.load(Ordering::SeqCst),
    );
    let ok = 2 * n < busy || !switches::on(Mech::SpinLimit);
    trace::spin(m, ok, n, busy);
    ok
}

/// Counts the M among those that search.
pub(crate) unsafe fn become_spinning(m: *mut M, by: SpinBy) {
    // SAFETY: m::M1.
    unsafe { (*m).spinning.store(true, Ordering::Relaxed) };
    let n = SCHED.nmspinning.fetch_add(1, Ordering::SeqCst);
    trace::spin_start(m, by, n + 1);
    SCHED.needspinning.store(0, Ordering::Relaxed);
}

/// Stops searching because of work found.
pub(super) unsafe fn reset_spinning(m: *mut M) {
    // SAFETY: m::M1.
    unsafe {
        (*m).spinning.store(false, Ordering::Relaxed);
        if !fault!(LeakSpinner) {
            drop_spinner(m, true);
        }
        wake_p(&mut *m);
    }
}

/// Sees to it that an M is awake at `when`: breaks a poll that would last longer, or wakes an M to
/// find the timer.
///
/// Context: any stack of an M; the timer is visible already.
pub(crate) fn wake_net_poller(m: &mut M, when: i64) {
    if SCHED.lastpoll.load(Ordering::SeqCst) == 0 {
        let until = SCHED.poll_until.load(Ordering::SeqCst);
        if until == 0 || until > when {
            on_g0(m, |_| netpoll::break_poll());
        }
    } else {
        wake_p(m);
    }
}
