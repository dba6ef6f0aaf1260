#![allow(unsafe_code)]
//! Stealing: four rounds over all Ps in random order, timers and `runnext` in the last.
//!
//! Go: runtime/proc.go, stealWork, runqsteal, runqgrab.

use super::find::How;
use super::queue::runq_get;
use crate::g::G;
use crate::m::M;
use crate::p::{P, PStatus};
use crate::sched::{SCHED, allp};
use crate::switches::Mech;
use crate::sync::{Ordering, usleep};
use crate::trace::{Place, Why};
use crate::{switches, timer, trace};

/// Rounds of stealing over all Ps.
const STEAL_TRIES: u32 = 4;

pub(super) enum Stolen {
    Found(*mut G, How),
    /// Timers ran or the world stops: begin again.
    NewWork,
    /// The time, and when the next timer anywhere is due.
    Nothing(i64, i64),
}

/// Tries to take work from other Ps.
///
/// Timers of idle Ps are run in any case, whatever is switched off: no other M would.
pub(super) unsafe fn steal_work(m: *mut M, now: i64) -> Stolen {
    let mut now = now;
    let mut poll_until = 0;
    let mut ran = false;
    let steal = switches::on(Mech::Steal) && switches::on(Mech::Spinning);
    let steal_timers = switches::on(Mech::TimerSteal) && steal;
    // SAFETY: context — g0 of `m`, which holds a P; others' Ps through what p::P1 allows.
    unsafe {
        let me = (*m).p;
        let all = allp();
        let first = if steal { 0 } else { STEAL_TRIES - 1 };
        for i in first..STEAL_TRIES {
            let last = i == STEAL_TRIES - 1;
            for p2 in all.order((*me).rand.next32()) {
                if SCHED.gcwaiting.load(Ordering::Relaxed) {
                    return Stolen::NewWork;
                }
                if p2 == me {
                    continue;
                }
                let idle = all.is_idle((*p2).id);
                if last && (idle || steal_timers) && !(*p2).timers.is_empty() {
                    let c = timer::check_timers(&mut *m, &*p2, now);
                    now = c.now;
                    if c.poll_until != 0 && (poll_until == 0 || c.poll_until < poll_until) {
                        poll_until = c.poll_until;
                    }
                    if c.ran {
                        trace::timers_stolen(m, (*p2).id as u32);
                        let (g, inherit) = runq_get(me);
                        if !g.is_null() {
                            let why = Why::Timer {
                                from: (*p2).id as u32,
                            };
                            let how = if inherit {
                                How::inheriting(why)
                            } else {
                                How::fresh(why)
                            };
                            return Stolen::Found(g, how);
                        }
                        ran = true;
                    }
                }
                if idle || !steal {
                    continue;
                }
                let next = last || fault!(RunnextFirstRound);
                if let Some((g, why)) = runq_steal(m, me, p2, next) {
                    return Stolen::Found(g, How::fresh(why));
                }
            }
        }
    }
    if ran {
        Stolen::NewWork
    } else {
        Stolen::Nothing(now, poll_until)
    }
}

/// Takes half of `p2`'s ring, or, if `take_next`, its `runnext`; the G to run, and how it was got.
///
/// Context: g0 of `me`'s owner, whose ring is empty.
///
/// Go: runtime/proc.go, runqsteal, runqgrab.
pub(super) unsafe fn runq_steal(
    m: *mut M,
    me: *mut P,
    p2: *mut P,
    take_next: bool,
) -> Option<(*mut G, Why)> {
    // SAFETY: runq::Q1 — `me` is ours and its ring is empty; of `p2` the shared side.
    unsafe {
        let from = (*p2).id as u32;
        loop {
            let (g, more) = if trace::hears(m) {
                steal_told(m, me, p2)
            } else {
                (*p2).runq.steal_into(&(*me).runq)
            };
            if !g.is_null() {
                let n = more as u32 + 1;
                let of = n + (*p2).runq.ring_len() as u32;
                return Some((g, Why::Steal { n, of, from }));
            }
            if !take_next {
                return None;
            }
            let g = (*p2).runq.peek_next();
            if g.is_null() {
                return None;
            }
            // A running P is about to run it itself; do not let a pair that wakes one another
            // bounce between Ps.
            if (*p2).status() == PStatus::Running && switches::on(Mech::RunnextBackoff) {
                usleep(3);
                #[cfg(test)]
                super::tests::at_step(m, super::tests::WAITED);
            }
            // Only this G is taken: another that came into `runnext` meanwhile gets its own 3 µs.
            let g = if fault!(TakeAnyRunnext) {
                (*p2).runq.peek_next()
            } else {
                g
            };
            if (*p2).runq.take_this_next(g) {
                trace::stolen(m, g, from, Place::Runnext, 1, 1);
                return Some((g, Why::StealNext { from }));
            }
        }
    }
}

/// As [`crate::runq::RunQ::steal_into`], and records it before anything can be stolen again.
#[cold]
#[inline(never)]
unsafe fn steal_told(m: *mut M, me: *mut P, p2: *mut P) -> (*mut G, usize) {
    // SAFETY: as in `runq_steal`.
    unsafe {
        let gs = (*p2).runq.steal_apart();
        let Some((&first, rest)) = gs.split_first() else {
            return (std::ptr::null_mut(), 0);
        };
        let n = gs.len() as u32;
        let of = n + (*p2).runq.ring_len() as u32;
        trace::stolen(m, first, (*p2).id as u32, Place::Ring, n, of);
        for &g in rest {
            trace::queued(m, g, Place::Ring);
            if (*me).runq.push(g, usize::MAX).is_err() {
                crate::throw!("runqsteal: no room");
            }
        }
        (first, rest.len())
    }
}
