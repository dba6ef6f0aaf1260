//! T-24: the steps of `find_runnable`, one row at a time, and what happens between them.

use super::handoff::sleeping;
use super::*;

/// The steps before anything but the own queue is asked.
const LOCAL: &[u8] = &[0, 1, 3, 4, 5, 6];
/// … and before work is sought elsewhere.
const GLOBAL: &[u8] = &[0, 1, 3, 4, 5, 6, 7];
const NETPOLL: &[u8] = &[0, 1, 3, 4, 5, 6, 7, 8];
const STEAL: &[u8] = &[0, 1, 3, 4, 5, 6, 7, 8, 9];

fn path(parts: &[&[u8]]) -> Vec<u8> {
    parts.concat()
}

#[test]
fn t24_row_1_own_timers_run_first() {
    forged("path::t24_row_1_own_timers_run_first", 1, |w| {
        let sleeper = w.sleeper(0, 1);
        let other = w.ring(0);
        thread::sleep(Duration::from_millis(1));
        let f = w.find();
        // The timer has put its G in runnext, ahead of the ring.
        assert_eq!((f.g, f.inherits, f.why), (sleeper, true, Why::Runnext));
        assert_eq!(f.path, LOCAL);
        assert_eq!(w.find().g, other);
    });
}

#[test]
fn t24_row_3_a_worker_gets_its_share() {
    forged("path::t24_row_3_a_worker_gets_its_share", 1, |w| {
        let worker = w.g(Status::Waiting);
        let local = w.ring(0);
        // SAFETY: the worker is the test's, and so is the P.
        unsafe {
            concurrent::forge(worker, 0, 0.25);
            (*w.m().p).marked_ns = 500_000_000;
        }
        let f = w.find();
        assert_eq!(f.g, local, "it has had more than that");
        // SAFETY: as above.
        unsafe { (*w.m().p).marked_ns = 0 };
        let f = w.find();
        assert_eq!((f.g, f.inherits, f.why), (worker, false, Why::GcWorker));
        assert_eq!(f.path, [0, 1, 3]);
        // SAFETY: g::G2 — the status is an atomic.
        assert_eq!(unsafe { (*worker).status() }, Status::Runnable);
    });
}

#[test]
fn t24_row_3_a_worker_gets_a_whole_p() {
    forged("path::t24_row_3_a_worker_gets_a_whole_p", 2, |w| {
        let worker = w.g(Status::Waiting);
        let local = w.ring(0);
        // SAFETY: the worker is the test's.
        unsafe { concurrent::forge(worker, 1, 0.0) };
        let f = w.find();
        assert_eq!((f.g, f.why), (worker, Why::GcWorker));
        assert_eq!(w.find().g, local, "one P, and one worker");
    });
}

#[test]
fn t24_row_3_a_worker_lets_another_look() {
    forged("path::t24_row_3_a_worker_lets_another_look", 2, |w| {
        w.main_runs();
        let s = sleeping(w);
        let worker = w.g(Status::Waiting);
        w.ring(0);
        // SAFETY: the worker is the test's.
        unsafe { concurrent::forge(worker, 1, 0.0) };
        assert_eq!(w.find().g, worker);
        // SAFETY: m::M1 — an atomic.
        assert!(unsafe { (*s).spinning.load(Ordering::Relaxed) });
    });
}

#[test]
fn t24_row_8_one_polls_at_a_time() {
    forged("path::t24_row_8_one_polls_at_a_time", 2, |w| {
        let (r, s) = pipe();
        let reader = w.reader(r);
        write_byte(s);
        let worker = w.g(Status::Waiting);
        // SAFETY: the worker is the test's: there is something to do at a later step.
        unsafe { concurrent::forge(worker, 0, 0.0) };
        SCHED.pollingnet.store(true, Ordering::SeqCst);
        assert_eq!(w.find().g, worker, "another asks the poller");
        w.stop_spinning();
        SCHED.pollingnet.store(false, Ordering::SeqCst);
        assert_eq!(w.find().g, reader);
        assert!(!SCHED.pollingnet.load(Ordering::SeqCst));
    });
}

#[test]
fn t24_row_10_an_idle_p_marks() {
    forged("path::t24_row_10_an_idle_p_marks", 2, |w| {
        let worker = w.g(Status::Waiting);
        let local = w.ring(0);
        // SAFETY: the worker is the test's.
        unsafe { concurrent::forge(worker, 0, 0.0) };
        assert_eq!(w.find().g, local, "there is something else to do");
        let f = w.find();
        assert_eq!((f.g, f.why), (worker, Why::GcWorker));
        assert_eq!(f.path, path(&[STEAL, &[10]]));
    });
}

#[test]
fn t24_row_4_the_61st_tick_takes_one_from_global() {
    forged(
        "path::t24_row_4_the_61st_tick_takes_one_from_global",
        1,
        |w| {
            let (a, b) = (w.global(), w.global());
            let local = w.ring(0);
            w.set_tick(61);
            let f = w.find();
            assert_eq!((f.g, f.inherits, f.why), (a, false, Why::Global61));
            assert_eq!(f.path, [0, 1, 3, 4]);
            assert_eq!(SCHED.runqsize.load(Ordering::Relaxed), 1, "one only");
            w.set_tick(62);
            assert_eq!(w.find().g, local);
            assert_eq!(w.find().g, b);
        },
    );
}

#[test]
fn t24_row_5_finalizers_are_woken() {
    forged("path::t24_row_5_finalizers_are_woken", 1, |w| {
        let g = w.g(Status::Running);
        set_helper(Helper::Finalizer, g);
        w.park(g, |m, _| {
            park_helper(m, Helper::Finalizer, crate::WaitReason::FinalizerWait);
        });
        let local = w.ring(0);
        assert_eq!(w.find().g, local, "nothing to finalize yet");
        finalizers_wait();
        let f = w.find();
        assert_eq!((f.g, f.why), (g, Why::Runnext));
        assert_eq!(f.path, LOCAL);
    });
}

#[test]
fn t24_row_6_runnext_then_the_ring() {
    forged("path::t24_row_6_runnext_then_the_ring", 1, |w| {
        let (a, b) = (w.ring(0), w.ring(0));
        let next = w.next(0);
        let global = w.global();
        for (g, inherits, why) in [
            (next, true, Why::Runnext),
            (a, false, Why::Local),
            (b, false, Why::Local),
        ] {
            let f = w.find();
            assert_eq!((f.g, f.inherits, f.why), (g, inherits, why));
            assert_eq!(f.path, LOCAL);
        }
        assert_eq!(w.find().g, global);
    });
}

#[test]
fn t24_row_7_a_batch_from_global() {
    forged("path::t24_row_7_a_batch_from_global", 2, |w| {
        let gs: Vec<_> = (0..9).map(|_| w.global()).collect();
        let f = w.find();
        assert_eq!(
            (f.g, f.inherits, f.why),
            (gs[0], false, Why::Global { n: 5 })
        );
        assert_eq!(f.path, GLOBAL);
        // 9/2 + 1 in all: four went to the ring, in order.
        for &g in &gs[1..5] {
            let f = w.find();
            assert_eq!((f.g, f.why), (g, Why::Local));
        }
        assert_eq!(w.find().why, Why::Global { n: 3 });
    });
}

#[test]
fn t24_row_8_the_poller_is_asked() {
    forged("path::t24_row_8_the_poller_is_asked", 2, |w| {
        let (r, wr) = pipe();
        let g = w.reader(r);
        write_byte(wr);
        w.busy(1);
        let foreign = w.ring(1);
        let f = w.find();
        assert_eq!((f.g, f.inherits, f.why), (g, false, Why::Netpoll));
        assert_eq!(f.path, NETPOLL);
        // SAFETY: g::G2 — the status is an atomic.
        assert_eq!(unsafe { (*g).status() }, Status::Runnable);
        assert_eq!(w.find().g, foreign);
    });
}

#[test]
fn t24_row_8_not_while_somebody_blocks_in_it() {
    forged("path::t24_row_8_not_while_somebody_blocks_in_it", 2, |w| {
        let (r, wr) = pipe();
        w.reader(r);
        write_byte(wr);
        SCHED.lastpoll.store(0, Ordering::SeqCst);
        w.busy(1);
        let foreign = w.ring(1);
        let f = w.find();
        assert_eq!(f.g, foreign);
        assert_eq!(f.path, STEAL);
    });
}

#[test]
fn t24_row_9_work_of_others() {
    forged("path::t24_row_9_work_of_others", 4, |w| {
        w.busy(2);
        let g = w.ring(2);
        let f = w.find();
        let why = Why::Steal {
            n: 1,
            of: 1,
            from: 2,
        };
        assert_eq!((f.g, f.inherits, f.why), (g, false, why));
        assert_eq!(f.path, STEAL);
        assert!(w.m().spinning.load(Ordering::Relaxed));
        assert_eq!(SCHED.nmspinning.load(Ordering::Relaxed), 1);
    });
}

#[test]
fn t24_row_9_a_foreign_timer() {
    forged("path::t24_row_9_a_foreign_timer", 4, |w| {
        w.busy(2);
        let g = w.sleeper(2, 1);
        thread::sleep(Duration::from_millis(1));
        let f = w.find();
        // The timer readies on the thief's own P: with that P's slice.
        let why = Why::Timer { from: 2 };
        assert_eq!((f.g, f.inherits, f.why), (g, true, why));
        assert_eq!(f.path, STEAL);
        assert!(
            f.events
                .iter()
                .any(|e| e.what == What::TimersStolen { from: 2 })
        );
    });
}

#[test]
fn t24_row_9_searchers_are_limited() {
    forged("path::t24_row_9_searchers_are_limited", 4, |w| {
        w.busy(2);
        let g = w.ring(2);
        // One searcher beside two busy Ps: 2·1 < 2 does not hold.
        SCHED.nmspinning.store(1, Ordering::SeqCst);
        wake_after(|| SCHED.nmspinning.store(0, Ordering::SeqCst));
        let f = w.find();
        assert_eq!(f.g, g);
        assert_eq!(
            f.path,
            path(&[STEAL, &[10, 11, 12, 14, 16], STEAL]),
            "no step 13, for it did not search"
        );
        let spins: Vec<_> = f
            .events
            .iter()
            .filter_map(|e| match e.what {
                What::Spin { ok, n, busy } => Some((ok, n, busy)),
                _ => None,
            })
            .collect();
        assert_eq!(spins, [(false, 1, 2), (true, 0, 2)]);
    });
}

#[test]
fn t24_row_12_global_is_looked_at_under_the_lock() {
    forged(
        "path::t24_row_12_global_is_looked_at_under_the_lock",
        2,
        |w| {
            hook(|m, n| {
                if n == 12 {
                    hook(|_, _| {});
                    World { m }.global();
                }
            });
            let f = w.find();
            assert_eq!(f.why, Why::Global { n: 1 });
            assert_eq!(f.path, path(&[STEAL, &[10, 11, 12]]));
            assert!(!w.m().p.is_null());
        },
    );
}

#[test]
fn t24_row_12_a_wanted_searcher_searches() {
    forged("path::t24_row_12_a_wanted_searcher_searches", 2, |w| {
        w.busy(1);
        SCHED.nmspinning.store(1, Ordering::SeqCst);
        hook(|m, n| {
            if n == 12 {
                hook(|_, _| {});
                SCHED.needspinning.store(1, Ordering::SeqCst);
                World { m }.ring(1);
            }
        });
        let f = w.find();
        assert_eq!(
            f.why,
            Why::Steal {
                n: 1,
                of: 1,
                from: 1
            }
        );
        assert_eq!(f.path, path(&[STEAL, &[10, 11, 12], STEAL]));
        assert_eq!(SCHED.needspinning.load(Ordering::Relaxed), 0);
        assert_eq!(SCHED.nmspinning.load(Ordering::Relaxed), 2);
    });
}

#[test]
fn t24_row_12_a_stop_of_the_world_is_noticed() {
    forged("path::t24_row_12_a_stop_of_the_world_is_noticed", 1, |w| {
        hook(|_, n| {
            if n == 12 {
                hook(|_, _| {});
                let _s = SCHED.lock.guard();
                // SAFETY: the lock is held.
                unsafe { SCHED.locked().stopwait = 1 };
                SCHED.gcwaiting.store(true, Ordering::SeqCst);
            }
        });
        thread::spawn(|| {
            SCHED.stopnote.sleep();
            // SAFETY: the world has stopped: its one P is ours.
            unsafe {
                assert_eq!((*allp().ps[0]).status(), PStatus::GcStop);
                SCHED.gcwaiting.store(false, Ordering::SeqCst);
                let _s = SCHED.lock.guard();
                (*allp().ps[0]).set_status(PStatus::Idle);
                SCHED.pidle_put(allp().ps[0]);
            }
            wake_after(|| put_global(LATE.load(StdOrdering::SeqCst) as *mut G));
        });
        LATE.store(w.g(Status::Runnable) as usize, StdOrdering::SeqCst);
        let late = LATE.load(StdOrdering::SeqCst);
        let f = w.find();
        assert_eq!(f.g as usize, late);
        // Step 0 twice: once for the stop, once after waking.
        assert_eq!(f.path, path(&[STEAL, &[10, 11, 12, 0], GLOBAL]));
        assert_eq!(SCHED.nmspinning.load(Ordering::Relaxed), 0, "R3");
    });
}

#[test]
fn t24_row_13_global_is_looked_at_once_more() {
    forged("path::t24_row_13_global_is_looked_at_once_more", 2, |w| {
        hook(|_, n| {
            if n == 13 {
                hook(|_, _| {});
                put_global(LATE.load(StdOrdering::SeqCst) as *mut G);
            }
        });
        LATE.store(w.g(Status::Runnable) as usize, StdOrdering::SeqCst);
        let f = w.find();
        assert_eq!(f.why, Why::Global { n: 1 });
        assert_eq!(f.path, path(&[STEAL, &[10, 11, 12, 13]]));
        assert!(w.m().spinning.load(Ordering::Relaxed));
        assert_eq!(SCHED.nmspinning.load(Ordering::Relaxed), 1);
        assert!(!w.m().p.is_null());
    });
}

/// A G made before the search, for hooks that run while the M has no P.
static LATE: AtomicUsize = AtomicUsize::new(0);

#[test]
fn t24_row_13_rings_are_looked_at_once_more() {
    forged("path::t24_row_13_rings_are_looked_at_once_more", 2, |w| {
        w.busy(1);
        LATE.store(w.g(Status::Runnable) as usize, StdOrdering::SeqCst);
        hook(|_, n| {
            if n == 13 {
                hook(|_, _| {});
                let g = LATE.load(StdOrdering::SeqCst) as *mut G;
                // SAFETY: only the test touches the ring.
                unsafe { (*allp().ps[1]).runq.push(g, usize::MAX).expect("room") };
            }
        });
        let f = w.find();
        assert_eq!(
            f.why,
            Why::Steal {
                n: 1,
                of: 1,
                from: 1
            }
        );
        assert_eq!(f.path, path(&[STEAL, &[10, 11, 12, 13], STEAL]));
    });
}

#[test]
fn t24_row_13_without_an_idle_p_a_searcher_is_wanted() {
    forged(
        "path::t24_row_13_without_an_idle_p_a_searcher_is_wanted",
        2,
        |w| {
            w.busy(1);
            LATE.store(w.g(Status::Runnable) as usize, StdOrdering::SeqCst);
            hook(|_, n| {
                if n == 13 {
                    hook(|_, _| {});
                    put_global(LATE.load(StdOrdering::SeqCst) as *mut G);
                    // Another M takes the P that was given up.
                    // SAFETY: the lock is held.
                    unsafe {
                        let _s = SCHED.lock.guard();
                        assert!(!SCHED.pidle_get().is_null());
                    }
                }
            });
            wake_after(|| {
                assert_eq!(SCHED.needspinning.load(Ordering::SeqCst), 1);
                // SAFETY: the lock is held; the P is the one that was taken.
                unsafe {
                    let _s = SCHED.lock.guard();
                    SCHED.pidle_put(allp().ps[0]);
                }
            });
            let f = w.find();
            assert_eq!(f.why, Why::Global { n: 1 });
            assert_eq!(f.path, path(&[STEAL, &[10, 11, 12, 13, 14, 16], GLOBAL]));
        },
    );
}

#[test]
fn t24_row_14_the_poller_is_the_clock() {
    forged("path::t24_row_14_the_poller_is_the_clock", 2, |w| {
        let t = nanotime();
        let g = w.sleeper(0, 50_000_000);
        let f = w.find();
        assert_eq!((f.g, f.why), (g, Why::Runnext));
        assert_eq!(f.path, path(&[STEAL, &[10, 11, 12, 13, 14], LOCAL]));
        assert!(nanotime() - t >= 50_000_000, "early");
        assert_ne!(SCHED.lastpoll.load(Ordering::SeqCst), 0);
        assert_eq!(SCHED.poll_until.load(Ordering::SeqCst), 0);
        assert!(w.m().spinning.load(Ordering::Relaxed), "it searched before");
    });
}

#[test]
fn t24_row_14_a_descriptor_ends_the_wait() {
    forged("path::t24_row_14_a_descriptor_ends_the_wait", 2, |w| {
        let (r, wr) = pipe();
        let g = w.reader(r);
        thread::spawn(move || {
            wait_until(|| SCHED.lastpoll.load(Ordering::SeqCst) == 0);
            write_byte(wr);
        });
        let f = w.find();
        assert_eq!((f.g, f.inherits, f.why), (g, false, Why::Netpoll));
        assert_eq!(f.path, path(&[STEAL, &[10, 11, 12, 13, 14]]));
        assert!(!w.m().p.is_null());
    });
}

#[test]
fn t24_row_14_without_a_p_all_go_global() {
    forged("path::t24_row_14_without_a_p_all_go_global", 1, |w| {
        let (r, wr) = pipe();
        let g = w.reader(r);
        thread::spawn(move || {
            wait_until(|| SCHED.lastpoll.load(Ordering::SeqCst) == 0);
            // SAFETY: the lock is held.
            unsafe {
                let _s = SCHED.lock.guard();
                assert!(!SCHED.pidle_get().is_null());
            }
            write_byte(wr);
            wait_until(|| SCHED.runqsize.load(Ordering::SeqCst) != 0);
            wake_after(|| {
                // SAFETY: the lock is held; the P is the one that was taken.
                unsafe {
                    let _s = SCHED.lock.guard();
                    SCHED.pidle_put(allp().ps[0]);
                }
            });
        });
        let f = w.find();
        assert_eq!((f.g, f.why), (g, Why::Global { n: 1 }));
        assert_eq!(f.path, path(&[STEAL, &[10, 11, 12, 13, 14, 16], GLOBAL]));
    });
}

#[test]
fn t24_row_15_a_poll_that_lasts_too_long_is_broken() {
    forged(
        "path::t24_row_15_a_poll_that_lasts_too_long_is_broken",
        2,
        |w| {
            // Another M blocks in the poller for ever; our timer is due before.
            SCHED.lastpoll.store(0, Ordering::SeqCst);
            let g = w.sleeper(0, 50_000_000);
            assert!(
                netpoll::is_break_pending(),
                "setting it has told the poller"
            );
            netpoll::block(0);
            assert!(!netpoll::is_break_pending());
            wake_after(|| {
                thread::sleep(Duration::from_millis(60));
                assert!(netpoll::is_break_pending());
            });
            let f = w.find();
            assert_eq!(f.g, g);
            assert_eq!(f.path, path(&[STEAL, &[10, 11, 12, 13, 14, 15, 16], LOCAL]));
        },
    );
}

#[test]
fn t24_row_15_a_poll_that_ends_in_time_is_not() {
    forged("path::t24_row_15_a_poll_that_ends_in_time_is_not", 2, |w| {
        SCHED.lastpoll.store(0, Ordering::SeqCst);
        SCHED.poll_until.store(1, Ordering::SeqCst);
        w.sleeper(0, 50_000_000);
        wake_after(|| {
            thread::sleep(Duration::from_millis(60));
            assert!(!netpoll::is_break_pending());
        });
        let f = w.find();
        assert_eq!(f.path, path(&[STEAL, &[10, 11, 12, 13, 14, 15, 16], LOCAL]));
    });
}

#[test]
fn t24_row_16_nothing_at_all() {
    forged("path::t24_row_16_nothing_at_all", 2, |w| {
        LATE.store(w.g(Status::Runnable) as usize, StdOrdering::SeqCst);
        wake_after(|| {
            assert_eq!(SCHED.npidle.load(Ordering::SeqCst), 2);
            assert_eq!(SCHED.nmspinning.load(Ordering::SeqCst), 0);
            put_global(LATE.load(StdOrdering::SeqCst) as *mut G);
        });
        let f = w.find();
        assert_eq!(f.why, Why::Global { n: 1 });
        assert_eq!(f.path, path(&[STEAL, &[10, 11, 12, 13, 14, 16], GLOBAL]));
    });
}

#[test]
fn t24_the_sources_in_order() {
    forged("path::t24_the_sources_in_order", 4, |w| {
        let (r, wr) = pipe();
        w.reader(r);
        write_byte(wr);
        w.busy(3);
        w.ring(3);
        w.next(0);
        w.ring(0);
        let first = w.global();
        w.set_tick(0);
        assert_eq!(w.find().g, first);
        w.set_tick(1);
        w.global();
        let mut seen = Vec::new();
        for _ in 0..5 {
            seen.push(w.find().why);
        }
        let steal = Why::Steal {
            n: 1,
            of: 1,
            from: 3,
        };
        assert_eq!(
            seen,
            [
                Why::Runnext,
                Why::Local,
                Why::Global { n: 1 },
                Why::Netpoll,
                steal
            ]
        );
    });
}
