#![allow(unsafe_code)]
//! System calls, sysmon, threads, and the balance of searchers.

mod common;

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use common::{
    go, gosched, in_syscall, kernel_sleep_ms, ok, ok_mostly, record, safepoint, sleep_us, spin_ms,
    tid, wait_group,
};
use gosched_runtime::trace::{self, Event, Retake, What};
use gosched_runtime::{preempt, sched, sysmon};

fn threads() -> i64 {
    let text = trace::sched_text(false);
    let at = text.find("threads=").unwrap() + 8;
    text[at..].split(' ').next().unwrap().parse().unwrap()
}

/// A pipe: reading and writing end.
fn pipe() -> (i32, i32) {
    let mut ends = [0; 2];
    // SAFETY: two descriptors are written.
    assert_eq!(unsafe { libc::pipe(ends.as_mut_ptr()) }, 0);
    (ends[0], ends[1])
}

/// Reads one byte, blocking in the kernel.
fn read_byte(fd: i32) {
    in_syscall(|| {
        let mut b = [0u8];
        // SAFETY: one byte is written into the buffer.
        let n = unsafe { libc::read(fd, b.as_mut_ptr().cast(), 1) };
        assert_eq!(n, 1);
    });
}

fn write_bytes(fd: i32, n: usize) {
    let b = vec![0u8; n];
    // SAFETY: the bytes are read from the buffer.
    let w = unsafe { libc::write(fd, b.as_ptr().cast(), n) };
    assert_eq!(w, n as isize);
}

#[test]
fn t27b_blocked_calls_cost_a_thread_each() {
    ok(
        "t27b_blocked_calls_cost_a_thread_each",
        &[("GOMAXPROCS", "2")],
        || {
            static INSIDE: AtomicUsize = AtomicUsize::new(0);
            const READERS: usize = 50;
            let mut most = 0;
            for round in 0..4 {
                let (r, w) = pipe();
                let wg = wait_group(READERS);
                INSIDE.store(0, Ordering::SeqCst);
                for _ in 0..READERS {
                    go(move || {
                        INSIDE.fetch_add(1, Ordering::SeqCst);
                        read_byte(r);
                        wg.done();
                    });
                }
                while INSIDE.load(Ordering::SeqCst) < READERS {
                    kernel_sleep_ms(1);
                }
                let n = threads();
                assert!(n >= READERS as i64, "{n} threads for {READERS} calls");
                // Two Ps, sysmon, and one or two that look for work.
                assert!(n <= READERS as i64 + 8, "{n} threads in round {round}");
                if round == 0 {
                    most = n;
                }
                assert!(n <= most + 2, "{n} threads after {most}");
                write_bytes(w, READERS);
                wg.wait();
            }
        },
    );
}

/// Waits without safepoints, five seconds at most.
fn spin_until(f: impl Fn() -> bool) {
    let begun = Instant::now();
    while !f() {
        assert!(begun.elapsed() < Duration::from_secs(5), "in vain");
        std::hint::spin_loop();
    }
}

/// Waits in the kernel, five seconds at most.
fn sleep_until(f: impl Fn() -> bool) {
    let begun = Instant::now();
    while !f() {
        assert!(begun.elapsed() < Duration::from_secs(5), "in vain");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// The median of delays in microseconds until a sibling runs while main sleeps 30 ms in the kernel.
fn sibling_delay() -> u64 {
    static AT: AtomicU64 = AtomicU64::new(0);
    let mut all: Vec<u64> = (0..11)
        .map(|_| {
            let began = Instant::now();
            AT.store(0, Ordering::SeqCst);
            go(move || AT.store(1 + began.elapsed().as_micros() as u64, Ordering::SeqCst));
            kernel_sleep_ms(30);
            while AT.load(Ordering::SeqCst) == 0 {
                gosched();
            }
            AT.load(Ordering::SeqCst)
        })
        .collect();
    all.sort_unstable();
    all[5]
}

#[test]
#[ignore = "measures a delay; `cargo proof` runs it"]
fn t30_sysmon_takes_the_p_of_a_long_call() {
    ok_mostly(
        "t30_sysmon_takes_the_p_of_a_long_call",
        &[("GOMAXPROCS", "1")],
        || {
            let d = sibling_delay();
            assert!(d < 3000, "{d} µs");
        },
    );
}

#[test]
#[ignore = "measures a delay; `cargo proof` runs it"]
fn t30b_short_calls_keep_their_p() {
    ok_mostly(
        "t30b_short_calls_keep_their_p",
        &[("GOMAXPROCS", "1")],
        || {
            const CALLS: u64 = 1_000_000;
            const BATCH: u64 = 1000;
            let before = sysmon::RETAKEN.load(Ordering::Relaxed);
            let switches = forced_switches();
            let began = Instant::now();
            let (mut with, mut raw) = (Vec::new(), Vec::new());
            for _ in 0..CALLS / BATCH {
                let t = Instant::now();
                for _ in 0..BATCH {
                    in_syscall(|| {
                        tid();
                    });
                    // Compiled code can be asked to stop between two calls, and so begins a new
                    // slice.
                    safepoint();
                }
                with.push(t.elapsed().as_nanos() as u64 / BATCH);
                let t = Instant::now();
                for _ in 0..BATCH {
                    tid();
                }
                raw.push(t.elapsed().as_nanos() as u64 / BATCH);
            }
            let ms = began.elapsed().as_millis() as u64;
            let retaken = sysmon::RETAKEN.load(Ordering::Relaxed) - before;
            // Once for each slice; and a call from which the kernel takes the CPU is a long one.
            let limit = ms / 10 + 1 + forced_switches() - switches;
            assert!(
                retaken <= limit,
                "{retaken} retakes in {ms} ms, not {limit}"
            );
            with.sort_unstable();
            raw.sort_unstable();
            let (with, raw) = (with[with.len() / 2], raw[raw.len() / 2]);
            // Optimised code is held to the rule; without optimisation the atomics are calls.
            let times = if cfg!(debug_assertions) { 8 } else { 2 };
            assert!(with <= times * raw, "{with} ns, {raw} ns for the raw call");
            // A hand-over would let the others run: no other G is started during a call.
            static RAN: AtomicUsize = AtomicUsize::new(0);
            let events = record(|| {
                go(|| {
                    RAN.fetch_add(1, Ordering::SeqCst);
                });
                for _ in 0..20 {
                    in_syscall(|| {
                        tid();
                    });
                }
            });
            let handed = events.iter().any(|e| is_hand_off(e) && !is_retake(e));
            let retakes = events.iter().filter(|e| is_retake(e)).count();
            assert!(
                !handed || retakes > 0,
                "the P was given up at once: {events:?}"
            );
            assert!(RAN.load(Ordering::SeqCst) == 0 || retakes > 0);
        },
    );
}

/// How often the kernel has taken a CPU from one of our threads.
fn forced_switches() -> u64 {
    // SAFETY: the struct is written by the call.
    unsafe {
        let mut r: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &raw mut r);
        r.ru_nivcsw as u64
    }
}

/// How many Ms sleep.
fn idle_ms() -> i64 {
    let _held = sched::SCHED.lock.guard();
    // SAFETY: the lock is held.
    unsafe { sched::SCHED.locked().nmidle }
}

fn is_hand_off(e: &Event) -> bool {
    matches!(e.what, What::Handoff { .. })
}

fn is_retake(e: &Event) -> bool {
    matches!(e.what, What::Retaken { .. })
}

#[test]
fn t30c_who_finds_no_p_queues_globally() {
    ok(
        "t30c_who_finds_no_p_queues_globally",
        &[("GOMAXPROCS", "1")],
        || {
            static BACK: AtomicBool = AtomicBool::new(false);
            static LEAVE: AtomicBool = AtomicBool::new(false);
            static ORDER: Mutex<Vec<u32>> = Mutex::new(Vec::new());
            let wg = wait_group(2);
            go(move || {
                in_syscall(|| sleep_until(|| LEAVE.load(Ordering::SeqCst)));
                BACK.store(true, Ordering::SeqCst);
                ORDER.lock().unwrap().push(2);
                wg.done();
            });
            // The goroutine runs, and enters its call; sysmon brings the P back to us.
            gosched();
            // Another waits globally before it comes back.
            go(move || {
                gosched();
                ORDER.lock().unwrap().push(1);
                wg.done();
            });
            common::yield_local();
            let events = record(|| {
                // It returns from the call while we run on the only P.
                LEAVE.store(true, Ordering::SeqCst);
                spin_until(|| idle_ms() >= 1 && sched::SCHED.runqsize.load(Ordering::SeqCst) == 2);
            });
            assert!(
                events
                    .iter()
                    .any(|e| matches!(e.what, What::SyscallBlocked { .. })),
                "{events:?}"
            );
            assert!(!BACK.load(Ordering::SeqCst), "two run on one P");
            assert_eq!(sched::SCHED.runqsize.load(Ordering::SeqCst), 2);
            assert!(idle_ms() >= 1, "its M sleeps");
            wg.wait();
            // At the end of the queue.
            assert_eq!(*ORDER.lock().unwrap(), [1, 2]);
        },
    );
}

#[test]
#[ignore = "measures a delay; `cargo proof` runs it"]
fn f23_sysmon_sleeps_when_all_is_idle() {
    ok(
        "f23_sysmon_sleeps_when_all_is_idle",
        &[("GOMAXPROCS", "2")],
        || {
            let (rounds, wakes) = idle_rounds();
            assert!(
                rounds <= 10 + 60 * wakes,
                "{rounds} rounds after {wakes} wakes"
            );
        },
    );
}

#[test]
#[ignore = "measures a delay; `cargo proof` runs it"]
fn f23_off_sysmon_keeps_waking() {
    ok_mostly(
        "f23_off_sysmon_keeps_waking",
        &[("GOMAXPROCS", "2")],
        || {
            gosched_runtime::switches::without("sysmon-sleep").unwrap();
            let (rounds, _) = idle_rounds();
            assert!(rounds >= 300, "{rounds} rounds");
        },
    );
}

/// Rounds of sysmon in five idle seconds, and how often it was woken from its sleep.
fn idle_rounds() -> (u64, u64) {
    let now = || {
        (
            sysmon::ROUNDS.load(Ordering::Relaxed),
            sysmon::WOKEN.load(Ordering::Relaxed),
        )
    };
    // Counted from outside, when all have gone to sleep.
    let watcher = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(500));
        let before = now();
        std::thread::sleep(Duration::from_secs(5));
        let after = now();
        (after.0 - before.0, after.1 - before.1)
    });
    sleep_us(6_500_000);
    watcher.join().unwrap()
}

#[test]
#[ignore = "measures a delay; `cargo proof` runs it"]
fn t31_beside_one_busy_goroutine_sysmon_settles() {
    ok(
        "t31_beside_one_busy_goroutine_sysmon_settles",
        &[("GOMAXPROCS", "1")],
        || {
            let counts = || {
                (
                    sysmon::ROUNDS.load(Ordering::Relaxed),
                    sysmon::SLEPT_NS.load(Ordering::Relaxed),
                )
            };
            // 51 short rounds and nine doublings take less than that.
            spin_ms(300);
            let (rounds, slept) = counts();
            spin_ms(1000);
            let after = counts();
            let (rounds, slept) = (after.0 - rounds, after.1 - slept);
            assert!((1..=101).contains(&rounds), "{rounds} rounds a second");
            assert_eq!(slept / rounds, 10_000_000, "ns asked for per round");
        },
    );
}

/// How often sysmon asked, and how often it retook, while `f` runs.
fn sysmon_did(f: impl FnOnce()) -> (usize, usize) {
    let events = record(f);
    (
        events
            .iter()
            .filter(|e| matches!(e.what, What::Asked { .. }))
            .count(),
        events.iter().filter(|e| is_retake(e)).count(),
    )
}

#[test]
fn t32_a_short_slice_is_left_alone() {
    ok(
        "t32_a_short_slice_is_left_alone",
        &[("GOMAXPROCS", "1")],
        || {
            let events = record(|| {
                for _ in 0..100 {
                    gosched();
                    let t = Instant::now();
                    while t.elapsed() < Duration::from_millis(2) {
                        std::hint::spin_loop();
                    }
                }
            });
            // A machine that stops us for long may lengthen a slice: the record tells.
            let mut began = events[0].ns;
            for e in &events {
                match e.what {
                    What::Start { .. } => began = e.ns,
                    What::Asked { .. } => {
                        let ms = (e.ns - began) as f64 / 1e6;
                        assert!(ms >= 10.0, "asked after {ms} ms");
                    }
                    _ => {}
                }
            }
        },
    );
}

#[test]
fn t32_a_long_slice_is_asked_to_end() {
    ok(
        "t32_a_long_slice_is_asked_to_end",
        &[("GOMAXPROCS", "1")],
        || {
            let (asked, retaken) = sysmon_did(|| {
                // A request is counted before it is recorded: the third says that two are.
                let before = preempt::ASKED.load(Ordering::Relaxed);
                spin_until(|| preempt::ASKED.load(Ordering::Relaxed) >= before + 3);
            });
            // Again and again, for the G does not stop.
            assert!(asked >= 2, "asked {asked} times");
            assert_eq!(retaken, 0);
        },
    );
}

#[test]
fn t32_a_p_with_work_is_taken_from_a_call() {
    ok(
        "t32_a_p_with_work_is_taken_from_a_call",
        &[("GOMAXPROCS", "2")],
        || {
            static RAN: AtomicBool = AtomicBool::new(false);
            static BUSY: AtomicBool = AtomicBool::new(false);
            static STOP: AtomicBool = AtomicBool::new(false);
            // The other P is busy, so the work must run on this one.
            let wg = wait_group(1);
            go(move || {
                BUSY.store(true, Ordering::SeqCst);
                spin_until(|| STOP.load(Ordering::SeqCst));
                wg.done();
            });
            spin_until(|| BUSY.load(Ordering::SeqCst));
            let (_, retaken) = sysmon_did(|| {
                go(|| RAN.store(true, Ordering::SeqCst));
                in_syscall(|| sleep_until(|| RAN.load(Ordering::SeqCst)));
            });
            assert!(retaken >= 1);
            STOP.store(true, Ordering::SeqCst);
            wg.wait();
        },
    );
}

#[test]
fn t32_a_p_nobody_needs_stays_with_its_call_for_10_ms() {
    ok(
        "t32_a_p_nobody_needs_stays_with_its_call_for_10_ms",
        &[("GOMAXPROCS", "2")],
        || {
            // The other P is idle: it could take new work.
            let events = record(|| {
                for _ in 0..100 {
                    gosched();
                    kernel_sleep_ms(1);
                }
            });
            // Both Ps may be busy for a moment, while one hands the main goroutine to the other.
            for e in &events {
                if let What::Retaken { why, in_us } = e.what {
                    let waited = in_us >= 10_000 || why == Retake::NobodyIdle;
                    assert!(waited, "{why:?} after {in_us} µs");
                }
            }
            let before = sysmon::RETAKEN.load(Ordering::Relaxed);
            let is_taken = || sysmon::RETAKEN.load(Ordering::Relaxed) > before;
            let (_, retaken) = sysmon_did(|| in_syscall(|| sleep_until(is_taken)));
            assert_eq!(retaken, 1, "after 10 ms it is taken all the same");
        },
    );
}

#[test]
#[ignore = "measures a delay; `cargo proof` runs it"]
fn t32b_hogs_share_one_p() {
    ok("t32b_hogs_share_one_p", &[("GOMAXPROCS", "1")], || {
        const MS: u64 = 600;
        let wg = wait_group(2);
        let events = record(|| {
            for _ in 0..2 {
                go(|| {
                    spin_ms(MS);
                    wg.done();
                });
            }
            wg.wait();
        });
        // Both began at once, so for that long each switch is a preemption.
        let end = events[0].ns + MS as i64 * 900_000;
        let mut hogs: HashMap<u64, usize> = HashMap::new();
        let mut preempted = 0;
        for e in events.iter().take_while(|e| e.ns < end) {
            match e.what {
                What::Preempted { .. } => {
                    *hogs.entry(e.g.0).or_default() += 1;
                    preempted += 1;
                }
                What::End { .. } => panic!("a hog ended early"),
                _ => {}
            }
        }
        assert!(preempted >= MS * 9 / 1000, "{preempted} preemptions");
        assert_eq!(hogs.len(), 2, "both ran");
    });
}

#[test]
fn t25_no_queue_waits_beside_an_idle_p() {
    ok(
        "t25_no_queue_waits_beside_an_idle_p",
        &[("GOMAXPROCS", "8")],
        || {
            static STARTED: AtomicUsize = AtomicUsize::new(0);
            let mut made = 0;
            let events = record(|| {
                let began = Instant::now();
                while began.elapsed() < Duration::from_millis(400) {
                    let due = began.elapsed().as_micros() as usize / 20;
                    if made < due {
                        made += 1;
                        go(|| {
                            STARTED.fetch_add(1, Ordering::Relaxed);
                            let t = Instant::now();
                            while t.elapsed() < Duration::from_micros(50) {
                                std::hint::spin_loop();
                            }
                        });
                    }
                    safepoint();
                }
            });
            let mut bad = Vec::new();
            // By P: the last start, if it left work behind while a P was idle and no M searched.
            let mut left: HashMap<i64, Event> = HashMap::new();
            for e in &events {
                match e.what {
                    What::Load {
                        local,
                        idle,
                        searching,
                    } => {
                        if local > 0 && idle > 0 && searching == 0 {
                            if let Some(first) = left.insert(e.p, *e) {
                                bad.push((first, *e));
                            }
                        } else {
                            left.remove(&e.p);
                        }
                    }
                    // An M has begun to search meanwhile.
                    What::SpinStart { .. } => left.clear(),
                    _ => {}
                }
            }
            assert!(bad.is_empty(), "{} times: {:?}", bad.len(), bad[0]);
            // When the last have run, no M searches, and the process rests.
            let began = Instant::now();
            while STARTED.load(Ordering::Relaxed) < made {
                sleep_us(1000);
                assert!(began.elapsed() < Duration::from_secs(5));
            }
            sleep_us(50_000);
            let cpu = cpu_time();
            sleep_us(1_000_000);
            let used = cpu_time() - cpu;
            assert!(
                used < Duration::from_millis(50),
                "{used:?} in an idle second"
            );
            let begun = cpu_time();
            while !trace::sched_text(false).contains("spinningthreads=0 ") {
                // The M that woke us has started one more searcher, which finds nothing.
                let used = cpu_time() - begun;
                assert!(
                    used < Duration::from_millis(100),
                    "{}",
                    trace::sched_text(false)
                );
            }
        },
    );
}

/// CPU time of the process.
fn cpu_time() -> Duration {
    // SAFETY: the struct is written by the call.
    unsafe {
        let mut t: libc::timespec = std::mem::zeroed();
        libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut t);
        Duration::new(t.tv_sec as u64, t.tv_nsec as u32)
    }
}

/// Starts and refusals of searches by own wish: whether it might, searchers, busy Ps as read.
fn wishes() -> Vec<(bool, i32, i32)> {
    let events = record(|| {
        let t = Instant::now();
        while t.elapsed() < Duration::from_millis(200) {
            for _ in 0..4 {
                go(|| {
                    for i in 0..3000u64 {
                        std::hint::black_box(i);
                    }
                });
            }
            sleep_us(50);
        }
    });
    let wishes = events.iter().filter_map(|e| match e.what {
        What::Spin { ok, n, busy } => Some((ok, n, busy)),
        _ => None,
    });
    wishes.collect()
}

#[test]
fn t25c_each_wish_to_search_is_recorded_with_its_counts() {
    ok(
        "t25c_each_wish_to_search_is_recorded_with_its_counts",
        &[("GOMAXPROCS", "4")],
        || {
            let all = wishes();
            assert!(!all.is_empty());
            for (ok, n, busy) in all {
                assert_eq!(ok, 2 * n < busy, "n={n} busy={busy}");
                assert!(n >= 0 && (1..=4).contains(&busy), "n={n} busy={busy}");
            }
            // Of our own time: the machine may give the searcher none for longer.
            let begun = cpu_time();
            while sched::SCHED.nmspinning.load(Ordering::SeqCst) != 0 {
                let used = cpu_time() - begun;
                assert!(used < Duration::from_millis(100), "somebody searches on");
                std::hint::spin_loop();
            }
        },
    );
}
