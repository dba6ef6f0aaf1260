#![allow(unsafe_code)]
//! The idle lists: an M that goes to sleep is woken once, with a P; a P is given to one.

use loom::thread;

use super::forged::{NO_P, given, idle_m, make_idle, new_m, running, world};
use crate::p::PStatus;
use crate::proc;
use crate::sched::{SCHED, allp};
use crate::sync::Ordering;
use crate::sync::model::{explore, threads_made};

#[test]
fn loom_idle_m_is_woken_with_its_p() {
    explore(|| {
        let ps = world(2);
        let (a, b) = (running(0, ps[0]), new_m(1));
        ps[1].r().set_status(PStatus::Idle);
        let sleeper = thread::spawn(move || {
            // SAFETY: this thread plays `b`, which has no P.
            unsafe { proc::stop_m(b.get()) };
        });
        loop {
            let _s = SCHED.lock.guard();
            // SAFETY: the lock is held.
            if unsafe { SCHED.locked().nmidle } == 1 {
                break;
            }
            drop(_s);
            thread::yield_now();
        }
        SCHED.nmspinning.fetch_add(1, Ordering::SeqCst);
        // SAFETY: the P is this thread's.
        unsafe { proc::start_m(a.get(), ps[1].get(), true) };
        sleeper.join().unwrap();
        assert_eq!(b.r().p, ps[1].get());
        assert!(b.r().spinning.load(Ordering::Relaxed));
        assert_eq!(ps[1].r().status(), PStatus::Running);
        assert_eq!(threads_made(), 0);
    });
}

#[test]
fn loom_idle_two_starters_wake_two_ms() {
    explore(|| {
        let ps = world(4);
        let (a, b) = (running(0, ps[0]), running(1, ps[1]));
        let (c, d) = (idle_m(2), idle_m(3));
        ps[2].r().set_status(PStatus::Idle);
        ps[3].r().set_status(PStatus::Idle);
        let (p, q) = (ps[2], ps[3]);
        let second = thread::spawn(move || {
            // SAFETY: the P is this thread's.
            unsafe { proc::start_m(b.get(), q.get(), false) };
        });
        // SAFETY: the P is this thread's.
        unsafe { proc::start_m(a.get(), p.get(), false) };
        second.join().unwrap();
        assert_eq!(threads_made(), 0);
        assert!(given(c) != given(d) && given(c) != NO_P && given(d) != NO_P);
    });
}

#[test]
fn loom_idle_p_goes_to_one() {
    explore(|| {
        let ps = world(2);
        for &p in &ps {
            make_idle(p);
        }
        let take = || {
            let _s = SCHED.lock.guard();
            // SAFETY: the lock is held.
            unsafe { SCHED.pidle_get() as usize }
        };
        let put = |p: usize| {
            let _s = SCHED.lock.guard();
            // SAFETY: the lock is held; the P is this thread's.
            unsafe { SCHED.pidle_put(p as *mut crate::P) };
        };
        let second = thread::spawn(move || {
            let p = take();
            let q = take();
            if q != 0 {
                put(q);
            }
            p
        });
        let p = take();
        let q = second.join().unwrap();
        assert!(p == 0 || p != q, "one P for two");
        // One M looked while the other had both Ps: then one P is idle again.
        let idle = 2 - usize::from(p != 0) - usize::from(q != 0);
        assert_eq!(SCHED.npidle.load(Ordering::Relaxed) as usize, idle);
        let all = allp();
        let bits = (0..2).filter(|&i| all.is_idle(i)).count();
        assert_eq!(bits, idle, "D2");
    });
}
