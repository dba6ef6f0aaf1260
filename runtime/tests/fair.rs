#![allow(unsafe_code)]
//! Fairness rules, each with its off-switch: what they do and what happens without them.

mod common;

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use common::{
    Sema, go, gosched, m, ok, ok_mostly, record, safepoint, sleep_us, spin_ms, wait_group,
};
use gosched_runtime::switches::without;
use gosched_runtime::trace::{self, What, Why};

/// One pair of goroutines that wake one another.
fn pair() -> (&'static Sema, &'static Sema) {
    (
        Box::leak(Box::new(Sema::new(0))),
        Box::leak(Box::new(Sema::new(0))),
    )
}

/// Starts between two runs of the main goroutine while it plays with a partner, beside 20 pairs.
fn starts_per_round() -> usize {
    static STOP: AtomicBool = AtomicBool::new(false);
    for _ in 0..20 {
        let (a, b) = pair();
        go(|| {
            while !STOP.load(Ordering::Relaxed) {
                a.release();
                b.acquire();
                safepoint();
            }
        });
        go(|| {
            while !STOP.load(Ordering::Relaxed) {
                a.acquire();
                b.release();
                safepoint();
            }
        });
    }
    let (a, b) = pair();
    go(|| {
        loop {
            a.acquire();
            b.release();
        }
    });
    for _ in 0..3 {
        gosched();
    }
    let events = record(|| {
        for _ in 0..100 {
            a.release();
            b.acquire();
        }
    });
    STOP.store(true, Ordering::Relaxed);
    events
        .iter()
        .filter(|e| matches!(e.what, What::Start { .. }))
        .count()
        / 100
}

#[test]
fn f2_runnext_keeps_a_hand_over_short() {
    ok_mostly(
        "f2_runnext_keeps_a_hand_over_short",
        &[("GOMAXPROCS", "1")],
        || {
            let n = starts_per_round();
            assert!(n <= 3, "{n} starts per round");
        },
    );
}

#[test]
fn f2_off_a_hand_over_waits_for_the_queue() {
    ok(
        "f2_off_a_hand_over_waits_for_the_queue",
        &[("GOMAXPROCS", "1")],
        || {
            without("runnext").unwrap();
            let n = starts_per_round();
            assert!(n >= 20, "{n} starts per round");
        },
    );
}

/// Whether the first queued runs while each of the others spawns a successor and ends.
fn oldest_runs() -> bool {
    static RAN: AtomicBool = AtomicBool::new(false);
    static LEFT: AtomicUsize = AtomicUsize::new(100_000);
    static SEEN: AtomicBool = AtomicBool::new(false);
    static DONE: Sema = Sema::new(0);
    fn next() {
        if RAN.load(Ordering::Relaxed) || LEFT.fetch_sub(1, Ordering::Relaxed) == 0 {
            SEEN.store(RAN.load(Ordering::Relaxed), Ordering::Relaxed);
            DONE.release();
        } else {
            go(next);
        }
    }
    go(|| RAN.store(true, Ordering::Relaxed));
    go(next);
    DONE.acquire();
    SEEN.load(Ordering::Relaxed)
}

#[test]
fn f3_rings_are_fifo() {
    ok("f3_rings_are_fifo", &[("GOMAXPROCS", "1")], || {
        without("runnext").unwrap();
        assert!(oldest_runs());
    });
}

#[test]
fn f3_off_the_oldest_starves() {
    // Rings are made at start, so the switch comes first.
    if std::env::var("RT_CHILD").as_deref() == Ok("f3_off_the_oldest_starves") {
        without("fifo,runnext").unwrap();
    }
    let env = [("GOMAXPROCS", "1"), ("GODEBUG", "asyncpreemptoff=1")];
    ok("f3_off_the_oldest_starves", &env, || {
        assert!(!oldest_runs());
    });
}

/// Steals of `runnext` in 20,000 rounds of a pair that works about 1 µs after each wake.
fn next_steals() -> usize {
    let (a, b) = pair();
    let wg = wait_group(2);
    let work = || {
        for i in 0..2000u64 {
            std::hint::black_box(i);
        }
    };
    let events = record(|| {
        for side in 0..2 {
            go(move || {
                for _ in 0..20_000 {
                    if side == 0 {
                        a.release();
                        work();
                        b.acquire();
                    } else {
                        a.acquire();
                        b.release();
                        work();
                    }
                }
                wg.done();
            });
        }
        wg.wait();
    });
    events
        .iter()
        .filter(|e| {
            matches!(
                e.what,
                What::Start {
                    why: Why::StealNext { .. },
                    ..
                }
            )
        })
        .count()
}

#[test]
fn f5_thieves_leave_runnext_alone_for_a_while() {
    ok_mostly(
        "f5_thieves_leave_runnext_alone_for_a_while",
        &[("GOMAXPROCS", "2")],
        || {
            let n = next_steals();
            assert!(n < 400, "{n} steals in 20000 rounds");
        },
    );
}

#[test]
fn f12_off_the_ring_is_unbounded() {
    ok(
        "f12_off_the_ring_is_unbounded",
        &[("GOMAXPROCS", "1")],
        || {
            without("overflow").unwrap();
            let wg = wait_group(600);
            for _ in 0..600 {
                go(|| wg.done());
            }
            assert!(m().p().runq.ring_len() > 590);
            wg.wait();
        },
    );
}

/// In how many of 50 tries the second of two jobs ran on the other P.
fn second_elsewhere() -> usize {
    static ON: [AtomicUsize; 2] = [const { AtomicUsize::new(0) }; 2];
    let mut n = 0;
    for _ in 0..50 {
        sleep_us(1000);
        let wg = wait_group(2);
        for on in &ON {
            go(move || {
                on.store(m().p().id, Ordering::Relaxed);
                spin_ms(5);
                wg.done();
            });
        }
        wg.wait();
        n += usize::from(ON[0].load(Ordering::Relaxed) != ON[1].load(Ordering::Relaxed));
    }
    n
}

#[test]
fn f15_a_new_goroutine_wakes_an_idle_p() {
    ok_mostly(
        "f15_a_new_goroutine_wakes_an_idle_p",
        &[("GOMAXPROCS", "2")],
        || {
            let n = second_elsewhere();
            assert!(n >= 35, "{n} of 50");
        },
    );
}

#[test]
fn f15_off_one_by_one() {
    ok("f15_off_one_by_one", &[("GOMAXPROCS", "2")], || {
        without("spinning").unwrap();
        let n = second_elsewhere();
        assert!(n <= 2, "{n} of 50");
    });
}

/// Refusals to spin, and violations of the limit, in a program that makes short goroutines.
fn refusals() -> (usize, usize) {
    let events = record(|| {
        let t = Instant::now();
        while t.elapsed() < Duration::from_millis(300) {
            go(|| {
                for i in 0..5000u64 {
                    std::hint::black_box(i);
                }
            });
            for i in 0..20_000u64 {
                std::hint::black_box(i);
            }
        }
    });
    let (mut no, mut bad) = (0, 0);
    for e in events {
        if let What::Spin { ok, n, busy } = e.what {
            no += usize::from(!ok);
            bad += usize::from(ok && 2 * n >= busy);
        }
    }
    (no, bad)
}

#[test]
fn f16_spinners_are_limited() {
    ok("f16_spinners_are_limited", &[("GOMAXPROCS", "32")], || {
        let (no, bad) = refusals();
        assert!(no > 0, "no refusals");
        assert_eq!(bad, 0);
    });
}

#[test]
fn f16_off_nobody_is_refused() {
    ok("f16_off_nobody_is_refused", &[("GOMAXPROCS", "32")], || {
        without("spin-limit").unwrap();
        assert_eq!(refusals().0, 0);
    });
}

#[test]
fn t34_sleeps_are_never_early_and_wake_in_time() {
    ok_mostly(
        "t34_sleeps_are_never_early_and_wake_in_time",
        &[("GOMAXPROCS", "2")],
        || {
            static WORST: AtomicU64 = AtomicU64::new(0);
            let wg = wait_group(500);
            for i in 0..500 {
                go(move || {
                    let us = (i * 7919) % 50_000;
                    let t = Instant::now();
                    sleep_us(us);
                    let d = t.elapsed();
                    assert!(
                        d >= Duration::from_micros(us as u64),
                        "early: {d:?} of {us} µs"
                    );
                    WORST.fetch_max(d.as_micros() as u64 - us as u64, Ordering::Relaxed);
                    wg.done();
                });
            }
            wg.wait();
            let w = WORST.load(Ordering::Relaxed);
            assert!(w < 40_000, "{w} µs late");
        },
    );
}

#[test]
fn t25_spinners_vanish_when_idle() {
    ok_mostly(
        "t25_spinners_vanish_when_idle",
        &[("GOMAXPROCS", "8")],
        || {
            for _ in 0..2000 {
                go(|| {
                    for i in 0..5000u64 {
                        std::hint::black_box(i);
                    }
                });
            }
            sleep_us(50_000);
            // Whoever woke us has started one more searcher; it finds nothing and goes, too.
            let end = Instant::now() + Duration::from_millis(50);
            loop {
                let text = trace::sched_text(false);
                if text.contains("spinningthreads=0 ") && text.contains("idleprocs=7 ") {
                    return;
                }
                assert!(Instant::now() < end, "{text}");
            }
        },
    );
}

/// The latency of ten jobs started beside two hogs, together.
fn job_latency() -> Duration {
    static STOP: AtomicBool = AtomicBool::new(false);
    for _ in 0..2 {
        go(|| {
            while !STOP.load(Ordering::Relaxed) {
                safepoint();
            }
        });
    }
    let t = Instant::now();
    for _ in 0..10 {
        let wg = wait_group(1);
        go(|| wg.done());
        wg.wait();
        gosched();
        if t.elapsed() > Duration::from_secs(5) {
            break;
        }
    }
    STOP.store(true, Ordering::Relaxed);
    t.elapsed()
}

#[test]
fn f11_the_preempted_queue_globally() {
    ok_mostly(
        "f11_the_preempted_queue_globally",
        &[("GOMAXPROCS", "1")],
        || {
            // Each Gosched lets both hogs have their slice.
            let d = job_latency();
            assert!(d <= Duration::from_millis(1200), "{d:?}");
        },
    );
}

#[test]
fn f11_off_hogs_come_back_from_their_ring() {
    ok_mostly(
        "f11_off_hogs_come_back_from_their_ring",
        &[("GOMAXPROCS", "1")],
        || {
            without("preempt-to-global").unwrap();
            let d = job_latency();
            assert!(d >= Duration::from_millis(1800), "{d:?}");
        },
    );
}

/// How many of 100 timers of a P that runs a loop without safepoints were run by the other P.
fn timers_run_elsewhere() -> usize {
    static LATE: AtomicUsize = AtomicUsize::new(0);
    const N: usize = 100;
    let wg = wait_group(N);
    for i in 0..N {
        go(move || {
            sleep_us(5000 + i as i64 * 90);
            LATE.fetch_add(1, Ordering::Relaxed);
            wg.done();
        });
    }
    // Most sleeps are armed on this P.
    for _ in 0..5 {
        gosched();
    }
    let t = Instant::now();
    let mut woken = 0;
    while t.elapsed() < Duration::from_millis(90) {
        woken = LATE.load(Ordering::Relaxed);
    }
    wg.wait();
    woken
}

#[test]
fn f17_thieves_run_timers_of_a_busy_p() {
    let env = [("GOMAXPROCS", "2"), ("GODEBUG", "asyncpreemptoff=1")];
    ok_mostly("f17_thieves_run_timers_of_a_busy_p", &env, || {
        let n = timers_run_elsewhere();
        assert!(n >= 90, "{n} timers");
    });
}

#[test]
fn f17_off_timers_of_a_busy_p_wait() {
    let env = [("GOMAXPROCS", "2"), ("GODEBUG", "asyncpreemptoff=1")];
    ok_mostly("f17_off_timers_of_a_busy_p_wait", &env, || {
        without("timer-steal").unwrap();
        let n = timers_run_elsewhere();
        assert!(n <= 60, "{n} timers");
    });
}

/// Short calls in 300 ms of a goroutine beside four busy ones.
fn calls() -> usize {
    static STOP: AtomicBool = AtomicBool::new(false);
    static N: AtomicUsize = AtomicUsize::new(0);
    let wg = wait_group(1);
    for _ in 0..4 {
        go(|| {
            while !STOP.load(Ordering::Relaxed) {
                safepoint();
            }
        });
    }
    go(|| {
        while !STOP.load(Ordering::Relaxed) {
            common::in_syscall(|| {
                common::tid();
            });
            N.fetch_add(1, Ordering::Relaxed);
            safepoint();
        }
        wg.done();
    });
    spin_ms(400);
    STOP.store(true, Ordering::Relaxed);
    wg.wait();
    N.load(Ordering::Relaxed)
}

#[test]
fn f10_short_calls_keep_their_place() {
    ok_mostly(
        "f10_short_calls_keep_their_place",
        &[("GOMAXPROCS", "1")],
        || {
            let n = calls();
            assert!(n > 2000, "{n} calls");
        },
    );
}

#[test]
fn f10_off_each_call_queues() {
    ok("f10_off_each_call_queues", &[("GOMAXPROCS", "1")], || {
        without("optimistic-syscall").unwrap();
        let n = calls();
        assert!(n < 400, "{n} calls");
    });
}
