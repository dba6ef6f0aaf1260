#![allow(unsafe_code)]
//! Ps change hands: an M takes one, gives one up, sleeps without one, is woken with one.
//!
//! Go: runtime/proc.go, startm, stopm, handoffp, acquirep, releasep.

use std::ptr;

use super::thread::{new_m, reserve_id};
use super::wake::wake_net_poller;
use crate::coro::assert_g0;
use crate::gc::concurrent;
use crate::m::M;
use crate::p::{P, PStatus};
use crate::sched::{SCHED, gomaxprocs};
use crate::switches::Mech;
use crate::sync::Ordering;
use crate::trace::{HandOff, SpinBy};
use crate::{control, coro, panic, stw, switches, trace};

/// Starts an M to run `p`, or an idle P if `p` is null. With `spinning` the caller has counted
/// the searcher already.
///
/// # Safety
///
/// Context: g0; the caller owns `p`; sched lock not held.
pub(crate) unsafe fn start_m(m: *mut M, p: *mut P, spinning: bool) {
    assert_g0(m);
    // SAFETY: by the contract; sched::D1 under the lock.
    unsafe {
        SCHED.lock.lock();
        let p = if p.is_null() {
            if spinning {
                crate::throw!("startm: P required for spinning=true");
            }
            SCHED.pidle_get()
        } else {
            p
        };
        if p.is_null() {
            SCHED.lock.unlock();
            return;
        }
        let idle = SCHED.midle_get();
        if idle.is_null() {
            // Numbered under the lock, so that the deadlock check counts it already.
            let id = reserve_id();
            SCHED.lock.unlock();
            new_m(m, p, spinning, id);
            return;
        }
        SCHED.lock.unlock();
        wake_m(idle, p, spinning);
    }
}

/// Hands `p` to the sleeping `m` and wakes it.
///
/// # Safety
///
/// The caller owns the idle `p`, and has taken `m` off the idle list.
pub(crate) unsafe fn wake_m(m: *mut M, p: *mut P, spinning: bool) {
    // SAFETY: m::M2 — an M off the idle list is the caller's to wake.
    unsafe {
        if (*m).spinning.load(Ordering::Relaxed) {
            crate::throw!("startm: m is spinning");
        }
        if !(*m).nextp.load(Ordering::Relaxed).is_null() {
            crate::throw!("startm: m has p");
        }
        if spinning && !(*p).runq.is_empty() {
            crate::throw!("startm: p has runnable gs");
        }
        (*m).spinning.store(spinning, Ordering::Relaxed);
        (*m).nextp.store(p, Ordering::Release); // with the note: acquire_p in stop_m
        (*m).park_note.wakeup();
    }
}

/// Sleeps until another M gives this one a P.
///
/// # Safety
///
/// Context: g0; no P, not spinning (proc::R4).
pub(crate) unsafe fn stop_m(m: *mut M) {
    assert_g0(m);
    // SAFETY: by the contract.
    unsafe {
        if (*m).locks != 0 {
            crate::throw!("stopm holding locks");
        }
        if !(*m).p.is_null() {
            crate::throw!("stopm holding p");
        }
        if (*m).spinning.load(Ordering::Relaxed) {
            crate::throw!("stopm spinning");
        }
        trace::m_stop(m);
        loop {
            loop {
                coro::supply(m);
                let _s = SCHED.lock.guard();
                if coro::may_sleep(&*m) {
                    SCHED.midle_put(m);
                    break;
                }
            }
            m_park(m);
            let job = (*m).job.swap(ptr::null_mut(), Ordering::Acquire);
            if job.is_null() {
                break;
            }
            stw::run_job(job);
        }
        let p = (*m).nextp.swap(ptr::null_mut(), Ordering::Acquire);
        acquire_p(m, p);
        trace::m_wake(m);
    }
}

pub(super) unsafe fn m_park(m: *mut M) {
    // SAFETY: m::M1.
    unsafe {
        (*m).blocked.store(true, Ordering::Relaxed);
        (*m).park_note.sleep();
        (*m).park_note.clear();
        (*m).blocked.store(false, Ordering::Relaxed);
    }
}

/// Binds `p` to `m`.
///
/// # Safety
///
/// The caller owns the idle `p`; `m` is this thread's and has none.
pub(crate) unsafe fn acquire_p(m: *mut M, p: *mut P) {
    // SAFETY: by the contract.
    unsafe {
        if !(*m).p.is_null() {
            crate::throw!("wirep: already in go");
        }
        if !(*p).m.load(Ordering::Relaxed).is_null() || (*p).status() != PStatus::Idle {
            panic::print(format_args!(
                "wirep: p->id={} p->status={:?}\n",
                (*p).id,
                (*p).status()
            ));
            crate::throw!("wirep: invalid p state");
        }
        (*m).p = p;
        (*m).p_seen.store(p, Ordering::Relaxed);
        (*p).m.store(m, Ordering::Relaxed);
        (*p).old_m = m;
        if fault!(WrongBackPointer) {
            (*p).m
                .store(SCHED.allm.load(Ordering::Relaxed), Ordering::Relaxed);
        }
        (*p).set_status(PStatus::Running);
    }
}

/// Unbinds the P of `m`: it is idle, and the caller's.
///
/// # Safety
///
/// `m` is this thread's.
pub(crate) unsafe fn release_p(m: *mut M) -> *mut P {
    // SAFETY: m::M1.
    unsafe {
        let p = (*m).p;
        if p.is_null() {
            crate::throw!("releasep: invalid arg");
        }
        let mine = (*p).m.load(Ordering::Relaxed) == m && (*p).status() == PStatus::Running;
        if !mine && !fault!(AnyPState) && !fault!(WrongBackPointer) {
            crate::throw!("releasep: invalid p state");
        }
        (*m).p = ptr::null_mut();
        if !fault!(KeepP) {
            (*m).p_seen.store(ptr::null_mut(), Ordering::Relaxed);
        }
        (*p).m.store(ptr::null_mut(), Ordering::Relaxed);
        (*p).set_status(PStatus::Idle);
        p
    }
}

/// Gives `p` to another M if there is any work for it, else to the idle list.
///
/// Whatever `find_runnable` would find must be a reason here.
///
/// # Safety
///
/// Context: any stack of an M that has no P; the caller owns the idle `p`.
pub(crate) unsafe fn handoff_p(m: *mut M, p: *mut P) {
    // SAFETY: by the contract.
    unsafe {
        // In a controlled run what can run may be on a list of its own, or it is time that passes.
        let has_work = !(*p).runq.is_empty()
            || SCHED.runqsize.load(Ordering::Relaxed) != 0
            || control::is_on() && !SCHED.gcwaiting.load(Ordering::Relaxed);
        if has_work && !fault!(IdleHandoff) {
            trace::handed_off(m, p, HandOff::Work);
            return start_m(m, p, false);
        }
        if concurrent::wants_idle() && !fault!(IdleHandoff) {
            trace::handed_off(m, p, HandOff::Mark);
            return start_m(m, p, false);
        }
        if switches::on(Mech::Spinning)
            && (SCHED.nmspinning.load(Ordering::SeqCst) + SCHED.npidle.load(Ordering::SeqCst) == 0
                && SCHED
                    .nmspinning
                    .compare_exchange(0, 1, Ordering::SeqCst, Ordering::Relaxed)
                    .is_ok()
                || fault!(SearchBesideSearcher))
            && !fault!(IdleHandoff)
        {
            SCHED.needspinning.store(0, Ordering::Relaxed);
            trace::handed_off(m, p, HandOff::Search);
            trace::spin_start(m, SpinBy::HandOff, 1);
            return start_m(m, p, true);
        }
        SCHED.lock.lock();
        if SCHED.gcwaiting.load(Ordering::Relaxed) && !fault!(HandoffIgnoresStop) {
            trace::handed_off(m, p, HandOff::Stop);
            (*p).set_status(PStatus::GcStop);
            let l = SCHED.locked();
            l.stopwait -= 1;
            if l.stopwait == 0 {
                SCHED.stopnote.wakeup();
            }
            SCHED.lock.unlock();
            return;
        }
        if (*p).run_safepoint_fn.load(Ordering::Relaxed) != 0 && !fault!(HandoffIgnoresSafepoint) {
            trace::handed_off(m, p, HandOff::Safepoint);
            stw::run_safepoint_locked(p);
        }
        if SCHED.runqsize.load(Ordering::Relaxed) != 0 && !fault!(IdleHandoff) {
            SCHED.lock.unlock();
            trace::handed_off(m, p, HandOff::Global);
            return start_m(m, p, false);
        }
        // The last P, and no M blocks in the poller: the M started here will look at the network.
        if SCHED.npidle.load(Ordering::Relaxed) == gomaxprocs() - 1
            && (SCHED.lastpoll.load(Ordering::Relaxed) != 0 || fault!(HandoffIgnoresPoller))
            && !fault!(IdleHandoff)
        {
            SCHED.lock.unlock();
            trace::handed_off(m, p, HandOff::Poll);
            return start_m(m, p, false);
        }
        trace::handed_off(m, p, HandOff::Idle);
        let when = (*p).timers.next_when();
        SCHED.pidle_put(p);
        SCHED.lock.unlock();
        if when != 0 {
            wake_net_poller(&mut *m, when);
        }
    }
}
