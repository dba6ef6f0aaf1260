#![allow(unsafe_code)]
//! Timers: how late sleeps end, and where the timers of a busy P are run.

mod common;

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use common::{go, gosched, m, ok_mostly, sleep_us, wait_group};
use gosched_runtime::stw;
use gosched_runtime::switches::without;

#[test]
#[ignore = "measures a delay; `cargo proof` runs it"]
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

/// How many of 100 goroutines, whose timers a P has that runs a loop without safepoints, ran
/// meanwhile: on the other P.
fn timers_run_elsewhere() -> usize {
    static LATE: AtomicUsize = AtomicUsize::new(0);
    static ARMED: AtomicUsize = AtomicUsize::new(0);
    const N: usize = 100;
    let wg = wait_group(N);
    for i in 0..N {
        go(move || {
            ARMED.fetch_add(1, Ordering::Relaxed);
            sleep_us(20_000 + i as i64 * 90);
            LATE.fetch_add(1, Ordering::Relaxed);
            wg.done();
        });
    }
    // There is no other P yet that could have them.
    while ARMED.load(Ordering::Relaxed) < N {
        gosched();
    }
    stw::set_gomaxprocs(m(), 2);
    let before = LATE.load(Ordering::Relaxed);
    let t = Instant::now();
    let mut woken = 0;
    while t.elapsed() < Duration::from_millis(90) {
        woken = LATE.load(Ordering::Relaxed) - before;
    }
    wg.wait();
    woken
}

#[test]
#[ignore = "measures a delay; `cargo proof` runs it"]
fn f17_thieves_run_timers_of_a_busy_p() {
    let env = [("GOMAXPROCS", "1"), ("GODEBUG", "asyncpreemptoff=1")];
    ok_mostly("f17_thieves_run_timers_of_a_busy_p", &env, || {
        let n = timers_run_elsewhere();
        assert!(n >= 50, "{n} timers");
    });
}

#[test]
#[ignore = "measures a delay; `cargo proof` runs it"]
fn f17_off_timers_of_a_busy_p_wait() {
    let env = [("GOMAXPROCS", "1"), ("GODEBUG", "asyncpreemptoff=1")];
    ok_mostly("f17_off_timers_of_a_busy_p_wait", &env, || {
        without("timer-steal").unwrap();
        let n = timers_run_elsewhere();
        assert_eq!(n, 0, "timers");
    });
}
