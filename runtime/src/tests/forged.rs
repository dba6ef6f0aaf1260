#![allow(unsafe_code)]
//! The scheduler's state as a loom model wants it: Ps, Ms without threads, Gs.
//!
//! A thread of the model takes an M and plays its part by calling what the M would call.

use std::fmt;
use std::ptr;

use crate::g::Status;
use crate::p::PStatus;
use crate::sched::{self, AllP, Locked, SCHED};
use crate::sync::Ordering::{Relaxed, Release};
use crate::sync::model::{keep, touch};
use crate::{Engine, G, M, Outcome, P, RootVisitor, gc, trace};

struct NoEngine;

impl Engine for NoEngine {
    fn run(&self, _: &mut M, _: &mut G) -> Outcome {
        Outcome::Exit
    }
    fn scan_stack(&self, _: &G, _: &mut dyn RootVisitor) {}
    fn traceback(&self, _: &G, _: &mut dyn fmt::Write, _: i32) {}
}

/// Something that threads of a model hand to one another.
pub(super) struct Of<T>(pub(super) *mut T);

impl<T> Clone for Of<T> {
    fn clone(&self) -> Of<T> {
        *self
    }
}
impl<T> Copy for Of<T> {}

impl<T> Of<T> {
    pub(super) fn get(self) -> *mut T {
        self.0
    }
    #[allow(
        clippy::mut_from_ref,
        reason = "a model keeps to the scheduler's rules"
    )]
    pub(super) fn r<'a>(self) -> &'a mut T {
        // SAFETY: kept until the execution's end; the scheduler's rules say when it is touched.
        unsafe { &mut *self.0 }
    }
}

/// So many Ps, `GcStop`, as all there are; the scheduler's state as at the start.
pub(super) fn world(n: usize) -> Vec<Of<P>> {
    // SAFETY: the execution's other threads have not begun.
    unsafe { *SCHED.locked() = Locked::new() };
    // SAFETY: as above. The deadlock check shall see Ms that run.
    unsafe { SCHED.locked().mnext = 100 };
    let ps: Vec<Of<P>> = (0..n).map(|id| Of(keep(P::new(id)))).collect();
    for p in &ps {
        let p = p.r();
        touch!(p.status, p.schedtick, p.slicetick, p.syscalltick, p.preempt);
        touch!(p.run_safepoint_fn, p.m);
        p.timers.next_when();
        p.timers.is_empty();
        p.runq.is_empty();
        p.runq.peek_next();
    }
    touch!(
        SCHED.runqsize,
        SCHED.npidle,
        SCHED.nmspinning,
        SCHED.needspinning
    );
    touch!(
        SCHED.gcwaiting,
        SCHED.sysmonwait,
        SCHED.lastpoll,
        SCHED.poll_until
    );
    touch!(
        SCHED.goidgen,
        SCHED.ngsys,
        SCHED.freezing,
        SCHED.panicking,
        SCHED.allm
    );
    touch!(SCHED.ngfree, SCHED.user_disabled);
    SCHED.sysmonnote.touch();
    SCHED.stopnote.touch();
    SCHED.safepoint_note.touch();
    gc::is_due();
    crate::netpoll::touch();
    SCHED.main_started.store(true, Relaxed);
    SCHED.lastpoll.store(1, Relaxed);
    SCHED.gomaxprocs.store(n as i32, Relaxed);
    let all = AllP::new(ps.iter().map(|p| p.get()).collect());
    sched::set_allp(all);
    for id in 0..n {
        sched::allp().is_idle(id);
    }
    ps
}

/// An M with no P.
pub(super) fn new_m(id: i64) -> Of<M> {
    let m = Of(keep(M::new(id, &NoEngine)));
    let r = m.r();
    touch!(
        r.spinning,
        r.blocked,
        r.nextp,
        r.lockedg,
        r.job,
        r.p_seen,
        r.curg_seen
    );
    r.stack_hi = usize::MAX; // On whatever stack a thread of the model has.
    r.park_note.touch();
    r.park_note.clear();
    m
}

/// An M that runs Go code on `p`.
pub(super) fn running(id: i64, p: Of<P>) -> Of<M> {
    let m = new_m(id);
    m.r().p = p.get();
    m.r().p_seen.store(p.get(), Relaxed);
    p.r().m.store(m.get(), Relaxed);
    p.r().set_status(PStatus::Running);
    m
}

/// An M that sleeps on the idle list: waking it gives it a P, which stays in `nextp`.
pub(super) fn idle_m(id: i64) -> Of<M> {
    let m = new_m(id);
    let _s = SCHED.lock.guard();
    // SAFETY: the lock is held.
    unsafe { SCHED.midle_put(m.get()) };
    m
}

/// Puts `p` on the idle list.
pub(super) fn make_idle(p: Of<P>) {
    p.r().set_status(PStatus::Idle);
    let _s = SCHED.lock.guard();
    // SAFETY: the lock is held; no M has the P.
    unsafe { SCHED.pidle_put(p.get()) };
}

/// A G in that status.
pub(super) fn new_g(status: Status) -> Of<G> {
    let g = Of(keep(G::new()));
    let r = g.r();
    r.status.store(status as u32, Release);
    touch!(
        r.waitreason,
        r.preempt,
        r.preempt_stop,
        r.select_done,
        r.lockedm,
        r.waitsince
    );
    touch!(r.stackguard0, r.loop_guard);
    g
}

/// A G that runs on `m`.
pub(super) fn running_g(m: Of<M>) -> Of<G> {
    let g = new_g(Status::Running);
    g.r().m = m.get();
    m.r().curg = g.get();
    m.r().curg_seen.store(g.get(), Relaxed);
    g
}

/// The P with which the idle `m` was woken, or null.
pub(super) fn given(m: Of<M>) -> *mut P {
    m.r().nextp.load(Relaxed)
}

/// No P.
pub(super) const NO_P: *mut P = ptr::null_mut();
