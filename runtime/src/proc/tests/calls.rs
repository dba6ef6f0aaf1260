//! System calls in forged states: when sysmon is woken, which slices go on, when a P is taken away.

use super::handoff::sleeping;
use super::*;
use crate::syscall::{self, KernelCall};
use crate::sysmon;
use crate::trace::Retake;

/// Says that sysmon sleeps deeply.
fn sysmon_sleeps() {
    SCHED.sysmonnote.clear();
    SCHED.sysmonwait.store(true, Ordering::Relaxed);
}

/// Whether it has been woken from that sleep.
fn is_sysmon_woken() -> bool {
    let woken = SCHED.sysmonnote.tsleep(0);
    assert_eq!(woken, !SCHED.sysmonwait.load(Ordering::Relaxed));
    woken
}

/// Lets another M have the P that `p`'s M has left for a call.
fn retake(p: *mut P) {
    // SAFETY: Ps are never freed.
    unsafe {
        assert!((*p).cas_status(PStatus::Syscall, PStatus::Idle));
        (*p).set_status(PStatus::Running);
    }
}

#[test]
fn t30_entering_a_call_wakes_sysmon() {
    forged("calls::t30_entering_a_call_wakes_sysmon", 2, |w| {
        w.current();
        sysmon_sleeps();
        syscall::enter(w.m(), KernelCall::NONE);
        assert!(is_sysmon_woken());
        syscall::exit(w.m());
        // A sysmon that is awake is not woken.
        SCHED.sysmonnote.clear();
        syscall::enter(w.m(), KernelCall::NONE);
        assert!(!SCHED.sysmonnote.tsleep(0));
    });
}

#[test]
fn t30_a_return_to_another_p_wakes_sysmon() {
    forged("calls::t30_a_return_to_another_p_wakes_sysmon", 2, |w| {
        w.current();
        syscall::enter(w.m(), KernelCall::NONE);
        retake(w.p(0));
        sysmon_sleeps();
        syscall::exit(w.m());
        assert_eq!(w.m().p, w.p(1));
        assert!(is_sysmon_woken());
    });
}

/// Lets a G come back from a call whose P is gone, and get another one only under the lock: the
/// events. sysmon sleeps meanwhile.
fn late_return(w: World) -> Vec<Event> {
    let g = w.current();
    syscall::enter(w.m(), KernelCall::NONE);
    retake(w.p(0));
    sysmon_sleeps();
    // SAFETY: this thread's stack is g0's, and the M has no P.
    let events = record(|| assert!(unsafe { syscall::exit0(w.m) }));
    assert_eq!((w.m().p, w.m().curg), (w.p(1), g));
    events
}

#[test]
fn t30_a_late_return_wakes_sysmon() {
    forged("calls::t30_a_late_return_wakes_sysmon", 2, |w| {
        late_return(w);
        assert!(is_sysmon_woken());
    });
}

#[test]
fn t23_a_late_return_begins_a_slice() {
    forged("calls::t23_a_late_return_begins_a_slice", 2, |w| {
        let ticks = |i: usize| {
            // SAFETY: Ps are never freed; atomics.
            unsafe {
                let p = &*w.p(i);
                (
                    p.schedtick.load(Ordering::Relaxed),
                    p.slicetick.load(Ordering::Relaxed),
                )
            }
        };
        let before = ticks(1);
        let events = late_return(w);
        let starts: Vec<_> = events
            .iter()
            .filter_map(|e| match e.what {
                What::Start { why, inherit, .. } => Some((why, inherit)),
                _ => None,
            })
            .collect();
        assert_eq!(starts, [(Why::Syscall, false)]);
        assert_eq!(ticks(1), (before.0 + 1, before.1 + 1));
    });
}

/// What sysmon does about a P that is in a call, while another is idle: the reasons why it takes
/// it, at these microseconds after it has first seen the call.
fn looks(w: World, at_us: &[i64]) -> Vec<Option<Retake>> {
    let begun = nanotime();
    // SAFETY: Ps are never freed; atomics.
    unsafe {
        (*w.p(1)).slicetick.store(1, Ordering::Relaxed);
        (*w.p(1)).syscalltick.store(1, Ordering::Relaxed);
    }
    let look = |ns| {
        // SAFETY: this thread's stack is g0's, and it is all the sysmon there is.
        let events = record(|| unsafe {
            sysmon::retake(w.m, begun + ns);
        });
        let mut why = events.iter().filter_map(|e| match e.what {
            What::Retaken { why, .. } if e.p == 1 => Some(why),
            _ => None,
        });
        why.next()
    };
    assert_eq!(look(0), None, "the first look only remembers");
    at_us.iter().map(|us| look(us * 1000)).collect()
}

#[test]
fn t32_own_work_is_reason_enough_to_take_a_p() {
    forged("calls::t32_own_work_is_reason_enough_to_take_a_p", 3, |w| {
        let s = sleeping(w);
        w.in_call(1);
        w.ring(1);
        assert_eq!(looks(w, &[20]), [Some(Retake::Work)]);
        // SAFETY: m::M1 — an atomic.
        unsafe {
            assert_eq!((*s).nextp.load(Ordering::Relaxed), w.p(1));
            assert!(!(*s).spinning.load(Ordering::Relaxed));
        }
    });
}

#[test]
fn t32_runnext_is_own_work_too() {
    forged("calls::t32_runnext_is_own_work_too", 3, |w| {
        sleeping(w);
        w.in_call(1);
        w.next(1);
        assert_eq!(looks(w, &[20]), [Some(Retake::Work)]);
    });
}

#[test]
fn t32_a_p_without_work_is_left_for_10_ms() {
    forged("calls::t32_a_p_without_work_is_left_for_10_ms", 3, |w| {
        sleeping(w);
        w.in_call(1);
        assert_eq!(
            looks(w, &[20, 5_000, 9_999, 10_000]),
            [None, None, None, Some(Retake::Expired)]
        );
    });
}
