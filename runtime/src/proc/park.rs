#![allow(unsafe_code)]
//! Park and ready: how a G stops running and how it is made runnable again.
//!
//! Go: runtime/proc.go, gopark, goready, park_m, goschedImpl.

use std::ptr;

use super::find::How;
use super::queue::{put, queue_first, runq_put_tail};
use super::schedule::execute;
use super::wake::wake_p;
use crate::control::log::Kind;
use crate::engine::{Outcome, YieldKind};
use crate::g::{G, Status, WaitReason};
use crate::m::{Commit, M, ParkArg};
use crate::sched::SCHED;
use crate::switches::Mech;
use crate::sync::{Lock, Ordering};
use crate::trace::Why;
use crate::{bubble, control, coro, panic, prof, prompt, switches, trace};

/// Parks the current G under its native frames; see [`M::park`].
///
/// Returns when it is readied, on the M that runs it then: never use the old one.
///
/// Context: coroutine; no lock held but `lock`.
pub fn gopark(m: &mut M, commit: Option<Commit>, arg: ParkArg, reason: WaitReason) -> &mut M {
    m.park(commit, arg, reason);
    coro::suspend(m, Outcome::Park)
}

/// As [`gopark`], releasing `lock` once the G is marked waiting. For tests.
pub fn gopark_unlock<'a>(m: &'a mut M, lock: &Lock, reason: WaitReason) -> &'a mut M {
    m.park_unlock(lock, reason);
    coro::suspend(m, Outcome::Park)
}

/// Lets others run, from native frames. Go: runtime.Gosched.
///
/// Context: coroutine; no lock held.
pub fn gosched(m: &mut M) -> &mut M {
    coro::suspend(m, Outcome::Yield(YieldKind::Gosched))
}

/// As [`gosched`], but does nothing while the M may not be preempted. Go: runtime.goschedguarded.
///
/// Context: coroutine; no lock held.
pub fn gosched_guarded(m: &mut M) -> &mut M {
    if crate::preempt::can_preempt(m) {
        gosched(m)
    } else {
        m
    }
}

/// Makes a waiting G runnable: it runs next on this P.
///
/// Context: any stack of an M that holds a P; no channel or sched lock held.
///
/// # Safety
///
/// `g` waits, and the caller owns the right to wake it.
#[inline]
pub unsafe fn ready(m: &mut M, g: *mut G) {
    // SAFETY: the caller owns the G.
    unsafe {
        if (*g).status_bits() & !crate::g::SCAN != Status::Waiting as u32
            && !fault!(AcceptDoubleReady)
        {
            panic::print(format_args!(
                "runtime: goroutine {} has status {}\n",
                (*g).goid.0,
                (*g).status().name()
            ));
            crate::throw!("bad g->status in ready");
        }
        bubble::readied(g);
        (*g).cas_status(Status::Waiting, Status::Runnable);
        trace::go_ready(m, g);
        if control::is_watched() {
            control::does(Kind::Wake, m, g);
        }
        note_runnable(g);
        put(m, g, true);
    }
    wake_p(m);
}

/// Commits a park. `false`: it was undone, and the G runs on.
#[inline(always)] // Called from one place, but for tests.
pub(crate) unsafe fn park_m(m: *mut M) -> bool {
    // SAFETY: context — g0 of `m`, whose current G has left its coroutine. Once the commit
    // function has run, the G may be running on another M.
    unsafe {
        let g = (*m).curg;
        note_leaving(g);
        trace::go_park(m, g);
        if prof::wait::is_noted() {
            prof::wait::begins(g);
        }
        if fault!(CommitBeforeWaiting) {
            if let Some(f) = (*m).waitunlockf.take() {
                f(g, (*m).waitlock);
            }
        }
        let bubble = bubble::parks(g);
        (*g).cas_status(Status::Running, Status::Waiting);
        drop_g(m);
        if let Some(f) = (*m).waitunlockf.take() {
            let ok = f(g, (*m).waitlock);
            if !ok {
                if let Some(b) = bubble {
                    bubble::parked(&mut *m, b, true);
                }
                (*g).cas_status(Status::Waiting, Status::Runnable);
                execute(m, g, How::inheriting(Why::Unparked));
                return false;
            }
        }
        if let Some(b) = bubble {
            bubble::parked(&mut *m, b, false);
        }
        true
    }
}

/// The current G stays runnable and goes to the end of a queue.
#[inline(always)] // Called from one place.
pub(super) unsafe fn yield_m(m: *mut M, kind: YieldKind) {
    // SAFETY: context — g0 of `m`.
    unsafe {
        let g = (*m).curg;
        // The G gives way, asked or not: the request to its P is not passed to the next G.
        (*(*m).p).request_served();
        if (*g).preempt_stop.load(Ordering::Relaxed) && kind == YieldKind::Preempt {
            return crate::preempt::preempt_park(m, g);
        }
        note_leaving(g);
        trace::go_yield(m, g, kind);
        (*g).cas_status(Status::Running, Status::Runnable);
        note_runnable(g);
        drop_g(m);
        if prompt::is_paused() && prompt::passes(g) {
            return queue_first(m, g);
        }
        if (kind == YieldKind::Local && !fault!(YieldGlobal))
            || fault!(GoschedLocal)
            || (kind == YieldKind::Preempt && !switches::on(Mech::PreemptToGlobal))
        {
            return runq_put_tail(m, (*m).p, g);
        }
        {
            let _s = SCHED.lock.guard();
            if fault!(YieldToFront) {
                SCHED.globrunq_prepend_list(g, g, 1);
            } else {
                SCHED.globrunq_put(g);
            }
        }
        if SCHED.main_started.load(Ordering::Relaxed) && !fault!(YieldWithoutWake) {
            wake_p(&mut *m);
        }
    }
}

/// Counts departures from `Running`; every 8th is followed until the next start.
#[inline]
unsafe fn note_leaving(g: *mut G) {
    // SAFETY: context — the G's owner.
    unsafe {
        (*g).tracking_seq = (*g).tracking_seq.wrapping_add(1);
        (*g).sample();
    }
}

#[inline]
pub(super) unsafe fn note_runnable(g: *mut G) {
    // SAFETY: context — the G's owner.
    unsafe {
        if (*g).tracking {
            (*g).runnable_stamp = crate::clock::real_nanotime();
        }
        if prof::wait::is_noted() {
            prof::wait::ends(g);
        }
    }
}

/// The M has no current G any more.
#[inline]
pub(super) unsafe fn drop_g(m: *mut M) {
    // SAFETY: m::M1.
    unsafe {
        (*(*m).curg).m = ptr::null_mut();
        (*m).curg = ptr::null_mut();
        (*m).curg_seen.store(ptr::null_mut(), Ordering::Relaxed);
    }
}
