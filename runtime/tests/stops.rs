#![allow(unsafe_code)]
//! Stopping goroutines: requests, signals, suspendG, holds; collections that are forced.

mod common;

use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use common::{go, gosched, m, ok, ok_mostly, prologue, safepoint, spin_ms, wait_group};
use gosched_runtime::preempt::{self, Stop, acquire_m, release_m, take_interrupt};
use gosched_runtime::switches::without;
use gosched_runtime::{G, fence, gc, signal, stw, sysmon};

/// Lets the main goroutine yield five times beside `hog`; how long the longest took.
fn longest_yield(hog: fn(&AtomicBool)) -> Duration {
    static STOP: AtomicBool = AtomicBool::new(false);
    go(move || hog(&STOP));
    let mut longest = Duration::ZERO;
    for _ in 0..5 {
        let t = Instant::now();
        gosched();
        longest = longest.max(t.elapsed());
    }
    STOP.store(true, Ordering::Relaxed);
    longest
}

fn looping(stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        safepoint();
    }
}

fn calling(stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        prologue();
    }
}

/// Ends the process well if no other G has run for a second beside a hog that works on `f`.
fn alone_for_a_second(f: impl Fn() + Send + 'static) {
    static BEGUN: AtomicBool = AtomicBool::new(false);
    go(move || {
        BEGUN.store(true, Ordering::Relaxed);
        let t = Instant::now();
        while t.elapsed() < Duration::from_secs(1) {
            f();
        }
        // SAFETY: ends the process.
        unsafe { libc::_exit(0) };
    });
    while !BEGUN.load(Ordering::Relaxed) {
        gosched();
    }
    panic!("the main goroutine ran beside a hog");
}

const GAP: Duration = Duration::from_millis(150);

#[test]
#[ignore = "measures a delay; `cargo proof` runs it"]
fn f7_loops_are_preempted() {
    ok_mostly("f7_loops_are_preempted", &[("GOMAXPROCS", "1")], || {
        let gap = longest_yield(looping);
        assert!(gap <= GAP, "{gap:?}");
        static STOP: AtomicBool = AtomicBool::new(false);
        go(|| looping(&STOP));
        let t = Instant::now();
        gc::collect(m(), gc::Mode::Forced);
        let took = t.elapsed();
        STOP.store(true, Ordering::Relaxed);
        assert!(took <= Duration::from_millis(250), "{took:?}");
    });
}

#[test]
fn f7_off_a_loop_keeps_its_p() {
    ok("f7_off_a_loop_keeps_its_p", &[("GOMAXPROCS", "1")], || {
        without("async-preempt").unwrap();
        alone_for_a_second(safepoint);
    });
}

#[test]
#[ignore = "measures a delay; `cargo proof` runs it"]
fn f8_calls_are_preempted() {
    let env = [("GOMAXPROCS", "1"), ("GODEBUG", "asyncpreemptoff=1")];
    ok_mostly("f8_calls_are_preempted", &env, || {
        let gap = longest_yield(calling);
        assert!(gap <= GAP, "{gap:?}");
    });
}

#[test]
fn f8_off_calls_keep_their_p() {
    let env = [("GOMAXPROCS", "1"), ("GODEBUG", "asyncpreemptoff=1")];
    ok("f8_off_calls_keep_their_p", &env, || {
        without("coop-preempt").unwrap();
        alone_for_a_second(prologue);
    });
}

#[test]
fn t35c_with_both_ways_off_only_what_waits_lets_others_run() {
    let name = "t35c_with_both_ways_off_only_what_waits_lets_others_run";
    ok(name, &[("GOMAXPROCS", "1")], || {
        without("async-preempt,coop-preempt").unwrap();
        // A goroutine that yields lets others run.
        static RAN: AtomicU32 = AtomicU32::new(0);
        go(|| {
            RAN.fetch_add(1, Ordering::Relaxed);
        });
        while RAN.load(Ordering::Relaxed) == 0 {
            gosched();
        }
        alone_for_a_second(|| {
            safepoint();
            prologue();
        });
    });
}

// ---- signals

/// What a kernel computes with: its length, then its results.
type Work = [u64; 4];

/// Multiplications, shifts, and a logistic map that the compiler may vectorise.
unsafe extern "C" fn numbers(arg: *mut u8) {
    // SAFETY: the caller gives a `Work`.
    let w = unsafe { &mut *arg.cast::<Work>() };
    let mut h = 0x9e37_79b9_7f4a_7c15_u64;
    let mut x = [0.1, 0.3, 0.5, 0.7, 0.11, 0.13, 0.17, 0.19_f64];
    for i in 0..w[0] * 30 {
        h = (h ^ i).wrapping_mul(0xff51_afd7_ed55_8ccd).rotate_left(29);
        for x in &mut x {
            *x = 3.77 * *x * (1.0 - *x);
        }
    }
    w[1] = h;
    w[2] = x
        .iter()
        .fold(0, |s, x| s ^ x.to_bits().rotate_left(s as u32 % 64));
}

/// The mathematical library, divisions of 128 bits, memory that is taken, copied and given back.
unsafe extern "C" fn library(arg: *mut u8) {
    // SAFETY: as above.
    let w = unsafe { &mut *arg.cast::<Work>() };
    let (mut x, mut sum, mut big) = (0.3_f64, 0u64, u128::from(w[0]) << 60 | 12345);
    for i in 0..w[0] / 4 {
        x = (x.sin() * 3.0).exp().ln_1p() + 0.25;
        big = big.wrapping_mul(6_364_136_223_846_793_005) % ((1 << 100) - u128::from(i) * 7 - 3);
        let mut v: Vec<u64> = (0..i % 300).map(|k| k * i).collect();
        v.extend_from_within(..);
        sum = v
            .iter()
            .fold(sum, |s, k| s.wrapping_mul(31).wrapping_add(*k));
    }
    w[1] = x.to_bits();
    w[2] = big as u64 ^ (big >> 64) as u64;
    w[3] = sum;
}

/// Deep recursion of functions that use the red zone.
unsafe extern "C" fn recursion(arg: *mut u8) {
    #[inline(never)]
    fn deep(n: u64, x: u64) -> u64 {
        if n == 0 {
            return x;
        }
        deep(n - 1, x.rotate_left(7) ^ n).wrapping_add(x | 1)
    }
    // SAFETY: as above.
    let w = unsafe { &mut *arg.cast::<Work>() };
    w[1] = (0..w[0] / 4).fold(1, |s, i| s ^ deep(100 + i % 50, s));
}

/// Vectors of 32 bytes and fused operations.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn wide(rounds: u64) -> u64 {
    let mut v: [f64; 16] = std::array::from_fn(|i| 0.1 + i as f64 / 20.0);
    let mut k: [u64; 16] = std::array::from_fn(|i| i as u64 + 1);
    for i in 0..rounds * 10 {
        for (x, k) in v.iter_mut().zip(&mut k) {
            *x = (-*x).mul_add(*x, *x) * 3.7;
            *k = (*k << 1 ^ *k >> 3).wrapping_add(i);
        }
    }
    v.iter()
        .zip(&k)
        .fold(0, |s, (x, k)| s.rotate_left(9) ^ x.to_bits() ^ k)
}

unsafe extern "C" fn vectors(arg: *mut u8) {
    // SAFETY: as above; the feature is there.
    unsafe {
        let w = &mut *arg.cast::<Work>();
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            w[1] = wide(w[0]);
        }
    }
}

type Kernel = unsafe extern "C" fn(*mut u8);
const KERNELS: [Kernel; 4] = [numbers, library, recursion, vectors];

/// Runs kernels in fences while all that run are asked to stop again and again, until `n` have been
/// suspended by a signal. Each result must be what it is without that.
fn disturb(n: u32, limit: Duration) {
    const ROUNDS: u64 = 2000;
    static STOP: AtomicBool = AtomicBool::new(false);
    static RUNS: AtomicU64 = AtomicU64::new(0);
    let wg = wait_group(2 * KERNELS.len());
    for i in 0..2 * KERNELS.len() {
        let kernel = KERNELS[i % KERNELS.len()];
        let mut want: Work = [ROUNDS + i as u64, 0, 0, 0];
        // SAFETY: they compute only.
        unsafe { kernel(want.as_mut_ptr().cast()) };
        go(move || {
            while !STOP.load(Ordering::Relaxed) {
                let mut w: Work = [want[0], 0, 0, 0];
                // SAFETY: as above; memory may be taken.
                unsafe { fence::fenced(m(), kernel, w.as_mut_ptr().cast()) };
                assert_eq!(w, want, "kernel {i} was disturbed");
                RUNS.fetch_add(1, Ordering::Relaxed);
            }
            wg.done();
        });
    }
    let t = Instant::now();
    while fence::SUSPENDED.load(Ordering::Relaxed) < n && t.elapsed() < limit {
        preempt::ask_all(m());
        let pause = Instant::now();
        while pause.elapsed() < Duration::from_micros(15) {
            std::hint::spin_loop();
        }
        safepoint();
    }
    STOP.store(true, Ordering::Relaxed);
    wg.wait();
    let (got, runs) = (
        fence::SUSPENDED.load(Ordering::Relaxed),
        RUNS.load(Ordering::Relaxed),
    );
    println!("{got} suspensions, {runs} runs, {:?}", t.elapsed());
    assert!(
        got >= n && runs > 0,
        "{got} suspensions, {runs} runs in {:?}",
        t.elapsed()
    );
}

#[test]
#[cfg(target_arch = "x86_64")]
fn t36_suspended_kernels_compute_the_same() {
    let env = [("GOMAXPROCS", "2")];
    ok("t36_suspended_kernels_compute_the_same", &env, || {
        disturb(300, Duration::from_secs(18));
    });
}

/// The same for long: `cargo test --workspace --test stops -- --ignored a_hundred_thousand`.
#[test]
#[ignore = "takes a minute; .ci/run calls it"]
#[cfg(target_arch = "x86_64")]
fn a_hundred_thousand_suspensions_leave_no_trace() {
    let name = "a_hundred_thousand_suspensions_leave_no_trace";
    // SAFETY: the only test that runs; no other thread reads the environment.
    unsafe { std::env::set_var("RT_LIMIT", "500") };
    ok(name, &[("GOMAXPROCS", "2")], || {
        disturb(100_000, Duration::from_secs(480));
    });
}

#[test]
#[cfg(target_arch = "x86_64")]
fn t36b_each_signal_is_acknowledged_once() {
    ok(
        "t36b_each_signal_is_acknowledged_once",
        &[("GOMAXPROCS", "2")],
        || {
            disturb(300, Duration::from_secs(15));
            // What is under way arrives.
            std::thread::sleep(Duration::from_millis(50));
            let (sent, done) = (signal::SENT.load(Ordering::Relaxed), signal::acknowledged());
            let stopped = u64::from(fence::SUSPENDED.load(Ordering::Relaxed));
            let refused = signal::REFUSED.load(Ordering::Relaxed);
            assert_eq!(sent, done, "sent and acknowledged");
            assert_eq!(stopped + refused, done, "suspended and refused");
            assert!(sent <= preempt::ASKED.load(Ordering::Relaxed));
        },
    );
}

#[test]
fn t36c_what_is_not_fenced_is_preempted_right_after() {
    let name = "t36c_what_is_not_fenced_is_preempted_right_after";
    ok(name, &[("GOMAXPROCS", "1")], || {
        static OTHER: AtomicBool = AtomicBool::new(false);
        go(|| OTHER.store(true, Ordering::Relaxed));
        // A native that does not look, until sysmon has asked it to stop.
        let g = m().curg;
        let t = Instant::now();
        // SAFETY: the current G; an atomic.
        while !unsafe { (*g).preempt.load(Ordering::Relaxed) } {
            assert!(t.elapsed() < Duration::from_secs(5), "nobody asks");
            std::hint::spin_loop();
        }
        // SAFETY: a signal to this thread, as another M would send it.
        unsafe { libc::raise(libc::SIGURG) };
        assert_eq!(signal::REFUSED.load(Ordering::Relaxed), 1);
        assert!(!OTHER.load(Ordering::Relaxed), "stopped in the middle");
        fence::poll(m());
        assert!(OTHER.load(Ordering::Relaxed), "not stopped afterwards");
    });
}

#[test]
fn t38_a_hold_puts_the_request_off() {
    ok(
        "t38_a_hold_puts_the_request_off",
        &[("GOMAXPROCS", "1")],
        || {
            static OTHER: AtomicBool = AtomicBool::new(false);
            go(|| OTHER.store(true, Ordering::Relaxed));
            acquire_m(m());
            let g = m().curg;
            // To the moment when a request has been put off and no new one has come: then only the
            // release can bring it back.
            // SAFETY: the current G; atomics only.
            let put_off = || unsafe {
                (*g).preempt.load(Ordering::Relaxed)
                    && (*g).stackguard0.load(Ordering::Relaxed) == (*g).normal_guard()
            };
            let t = Instant::now();
            let mut enough = false;
            while !(enough && put_off()) {
                enough = t.elapsed() >= Duration::from_millis(200);
                prologue();
                safepoint();
            }
            assert!(
                !OTHER.load(Ordering::Relaxed),
                "preempted in spite of the hold"
            );
            release_m(m());
            prologue();
            assert!(
                OTHER.load(Ordering::Relaxed),
                "not preempted after the hold"
            );
        },
    );
}

// ---- suspendG

#[test]
#[ignore = "measures a delay; `cargo proof` runs it"]
fn t37_spinning_goroutines_are_suspended_in_time() {
    let name = "t37_spinning_goroutines_are_suspended_in_time";
    ok_mostly(name, &[("GOMAXPROCS", "2")], || {
        static STOP: AtomicBool = AtomicBool::new(false);
        static GS: [AtomicU64; 200] = [const { AtomicU64::new(0) }; 200];
        static SUSPENDS: AtomicU32 = AtomicU32::new(0);
        let wg = wait_group(200);
        for g in &GS {
            go(move || {
                g.store(m().curg as u64, Ordering::SeqCst);
                while !STOP.load(Ordering::Relaxed) {
                    safepoint();
                }
                wg.done();
            });
        }
        while GS.iter().any(|g| g.load(Ordering::SeqCst) == 0) {
            gosched();
        }
        // Two that suspend all, each other included.
        static SUSPENDERS: [AtomicU64; 2] = [const { AtomicU64::new(0) }; 2];
        let both = wait_group(2);
        static TIMES: std::sync::Mutex<Vec<Duration>> = std::sync::Mutex::new(Vec::new());
        for i in 0..2 {
            go(move || {
                SUSPENDERS[i].store(m().curg as u64, Ordering::SeqCst);
                let other = &SUSPENDERS[1 - i];
                let mut times = Vec::new();
                for _ in 0..3 {
                    for g in GS.iter().chain([other]) {
                        let g = g.load(Ordering::SeqCst) as *mut G;
                        if g.is_null() {
                            continue;
                        }
                        let t = Instant::now();
                        // SAFETY: a goroutine of this test, which ends after all is done, or has
                        // just ended.
                        unsafe {
                            preempt::while_suspended(m(), g, |_| {
                                times.push(t.elapsed());
                                SUSPENDS.fetch_add(1, Ordering::Relaxed);
                            });
                        }
                        safepoint();
                    }
                }
                TIMES.lock().unwrap().extend(times);
                both.done();
            });
        }
        both.wait();
        STOP.store(true, Ordering::Relaxed);
        // Each goes on: none was lost.
        wg.wait();
        let mut times = std::mem::take(&mut *TIMES.lock().unwrap());
        times.sort_unstable();
        assert!(times.len() >= 1200, "{}", times.len());
        let median = times[times.len() / 2];
        assert!(median <= Duration::from_millis(20), "{median:?}");
    });
}

// ---- native stacks

#[test]
fn t43_a_native_that_overruns_its_stack_is_reported() {
    let name = "t43_a_native_that_overruns_its_stack_is_reported";
    let out = common::run(name, &[("GOMAXPROCS", "2")], || {
        #[inline(never)]
        fn endless(n: u64) -> u64 {
            let room = std::hint::black_box([n; 64]);
            if room[0] == u64::MAX {
                return 0;
            }
            endless(n + 1).wrapping_add(room[n as usize % 64])
        }
        // A neighbour, whose stack lies above or below.
        go(|| spin_ms(10_000));
        gosched();
        println!("{}", endless(0));
    });
    let err = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{err}");
    let want = "runtime: native stack overflow at 0x";
    assert!(
        err.starts_with(want) && err.contains("\nfatal error: stack overflow\n"),
        "{err}"
    );
}

// ---- stops of the world and collections

#[test]
#[ignore = "measures a delay; `cargo proof` runs it"]
fn t55_the_world_stops_in_time() {
    ok_mostly(
        "t55_the_world_stops_in_time",
        &[("GOMAXPROCS", "2")],
        || {
            for _ in 0..2 {
                go(|| {
                    loop {
                        safepoint();
                    }
                });
            }
            spin_ms(5);
            let mut times: Vec<Duration> = (0..50)
                .map(|_| {
                    let t = Instant::now();
                    let mut stopped = Duration::ZERO;
                    stw::stopped(m(), "unknown", &mut |_| stopped = t.elapsed());
                    safepoint();
                    stopped
                })
                .collect();
            times.sort_unstable();
            assert!(
                times[25] < Duration::from_millis(5),
                "median {:?}",
                times[25]
            );
            assert!(
                times[49] < Duration::from_millis(250),
                "longest {:?}",
                times[49]
            );
        },
    );
}

#[test]
#[ignore = "measures a delay; `cargo proof` runs it"]
fn t57_a_collection_is_forced_after_a_while() {
    let name = "t57_a_collection_is_forced_after_a_while";
    ok_mostly(name, &[("GOMAXPROCS", "2")], || {
        assert_eq!(sysmon::FORCE_GC_NS, 120_000_000_000);
        sysmon::set_force_gc(100_000_000);
        let before = gc::cycles();
        let t = Instant::now();
        while gc::cycles() < before + 3 && t.elapsed() < Duration::from_secs(5) {
            common::sleep_us(10_000);
        }
        assert!(
            gc::cycles() >= before + 3,
            "{} collections",
            gc::cycles() - before
        );
        assert!(
            t.elapsed() >= Duration::from_millis(200),
            "{:?}",
            t.elapsed()
        );
    });
}

/// Interrupts a goroutine that does nothing but `check`, while preemption is off.
fn is_interrupted(check: fn(&mut G) -> Stop) {
    static TARGET: AtomicPtr<G> = AtomicPtr::new(ptr::null_mut());
    static TAKEN: AtomicBool = AtomicBool::new(false);
    without("async-preempt").unwrap();
    without("coop-preempt").unwrap();
    go(move || {
        // SAFETY: the current G.
        let g = unsafe { &mut *m().curg };
        TARGET.store(g, Ordering::Release);
        while check(g) != Stop::Interrupt {}
        assert!(take_interrupt(g));
        assert!(!take_interrupt(g), "one interrupt, taken twice");
        assert_eq!(check(g), Stop::Go);
        TAKEN.store(true, Ordering::Release);
    });
    let target = loop {
        let g = TARGET.load(Ordering::Acquire);
        if !g.is_null() {
            break g;
        }
        common::sleep_us(1000);
    };
    // It runs, and nothing makes it leave its P: one interrupt suffices.
    // SAFETY: a G of the runtime's.
    unsafe { preempt::interrupt(target) };
    while !TAKEN.load(Ordering::Acquire) {
        common::sleep_us(1000);
    }
}

#[test]
fn an_interrupt_stops_a_loop() {
    ok("an_interrupt_stops_a_loop", &[("GOMAXPROCS", "2")], || {
        is_interrupted(|g| match g.loop_guard.load(Ordering::Relaxed) {
            0 => Stop::Go,
            _ => preempt::loop_check(m(), g, true),
        });
    });
}

#[test]
fn an_interrupt_stops_at_a_prologue() {
    ok(
        "an_interrupt_stops_at_a_prologue",
        &[("GOMAXPROCS", "2")],
        || {
            is_interrupted(|g| {
                if g.sched.top + 64 <= g.stackguard0.load(Ordering::Relaxed) {
                    return Stop::Go;
                }
                preempt::newstack_check(m(), g, 64, true)
            });
        },
    );
}
