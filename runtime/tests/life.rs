#![allow(unsafe_code)]
//! Preemption, system calls, stops of the world, locked threads, dying.

mod common;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use common::{
    Sema, go, gosched, in_syscall, kernel_sleep_ms, m, ok, ok_mostly, prologue, run, safepoint,
    sleep_us, spin_ms, tid, wait_group,
};
use gosched_runtime::m::ParkArg;
use gosched_runtime::sched::SCHED;
use gosched_runtime::trace::{self, What};
use gosched_runtime::{gc, panic, proc, sched, stack, stw, syscall};

fn threads() -> i64 {
    let text = trace::sched_text(false);
    let at = text.find("threads=").unwrap() + 8;
    text[at..].split(' ').next().unwrap().parse().unwrap()
}

/// Goroutines are started without a safepoint in between, so none begins before all are there.
#[test]
fn t39_what_has_not_begun_has_no_stack() {
    let name = "t39_what_has_not_begun_has_no_stack";
    ok(name, &[("GOMAXPROCS", "1")], || {
        const N: usize = 10_000;
        static SUM: AtomicUsize = AtomicUsize::new(0);
        for round in 1..=2 {
            let before = stack::stats().0;
            let wg = wait_group(N);
            for i in 0..N {
                go(move || {
                    SUM.fetch_add(i, Ordering::Relaxed);
                    wg.done();
                });
            }
            let took = stack::stats().0 - before;
            assert!(took <= 32 << 10, "{took} bytes of stacks in round {round}");
            wg.wait();
            assert_eq!(SUM.load(Ordering::Relaxed), round * N * (N - 1) / 2);
        }
    });
}

#[test]
fn t42_stacks_go_back_to_the_heap_at_a_collection() {
    let name = "t42_stacks_go_back_to_the_heap_at_a_collection";
    ok(name, &[("GOMAXPROCS", "2")], || {
        const N: usize = 10_000;
        static GATE: Sema = Sema::new(0);
        static WAITING: AtomicUsize = AtomicUsize::new(0);
        let spans = || stack::stats().1;
        let before = spans();
        for _ in 0..3 {
            let wg = wait_group(N);
            for _ in 0..N {
                go(|| {
                    WAITING.fetch_add(1, Ordering::Relaxed);
                    GATE.acquire();
                    wg.done();
                });
            }
            while WAITING.load(Ordering::Relaxed) < N {
                gosched();
            }
            WAITING.store(0, Ordering::Relaxed);
            assert!(spans() - before >= (N * stack::MIN) as i64);
            // In four parts: each kind of span, full, mixed and empty, is seen by a collection.
            for _ in 0..4 {
                for _ in 0..N / 4 {
                    GATE.release();
                }
                gc::collect(m(), gc::Mode::Forced);
            }
            wg.wait();
            // The last ones may not have ended yet when they say so.
            let end = Instant::now() + Duration::from_secs(20);
            while spans() - before > 256 << 10 {
                assert!(Instant::now() < end, "{} bytes are kept", spans() - before);
                gosched();
                gc::collect(m(), gc::Mode::Forced);
            }
        }
    });
}

#[test]
#[ignore = "measures a delay; `cargo proof` runs it"]
fn t35_prologues_preempt_without_async() {
    let env = [("GOMAXPROCS", "1"), ("GODEBUG", "asyncpreemptoff=1")];
    ok_mostly("t35_prologues_preempt_without_async", &env, || {
        static STOP: AtomicBool = AtomicBool::new(false);
        go(|| {
            while !STOP.load(Ordering::Relaxed) {
                prologue();
            }
        });
        let t = Instant::now();
        gosched();
        assert!(
            t.elapsed() < Duration::from_millis(150),
            "{:?}",
            t.elapsed()
        );
        STOP.store(true, Ordering::Relaxed);
    });
}

#[test]
fn t35b_loops_are_not_preempted_without_async() {
    let env = [("GOMAXPROCS", "1"), ("GODEBUG", "asyncpreemptoff=1")];
    ok("t35b_loops_are_not_preempted_without_async", &env, || {
        go(|| spin_ms(200));
        let t = Instant::now();
        gosched();
        assert!(
            t.elapsed() >= Duration::from_millis(199),
            "{:?}",
            t.elapsed()
        );
    });
}

#[test]
fn t10b_threads_are_reused() {
    ok("t10b_threads_are_reused", &[("GOMAXPROCS", "2")], || {
        const CALLS: usize = 200;
        static INSIDE: AtomicUsize = AtomicUsize::new(0);
        static LEAVE: AtomicBool = AtomicBool::new(false);
        // So many calls at once, each of which keeps its thread in the kernel until all are there.
        let burst = || {
            let wg = wait_group(CALLS);
            INSIDE.store(0, Ordering::SeqCst);
            LEAVE.store(false, Ordering::SeqCst);
            for _ in 0..CALLS {
                go(|| {
                    in_syscall(|| {
                        INSIDE.fetch_add(1, Ordering::SeqCst);
                        while !LEAVE.load(Ordering::SeqCst) {
                            std::thread::sleep(Duration::from_millis(2));
                        }
                    });
                    wg.done();
                });
            }
            while INSIDE.load(Ordering::SeqCst) < CALLS {
                kernel_sleep_ms(1);
            }
            LEAVE.store(true, Ordering::SeqCst);
            wg.wait();
            threads()
        };
        let first = burst();
        assert!(first >= CALLS as i64, "{first} threads");
        // One or two more may be awake at the same time; each burst its own would be hundreds.
        for _ in 0..3 {
            let n = burst();
            assert!(n <= first + 2, "{n} threads after {first}");
        }
    });
}

#[test]
fn t55b_stops_of_the_world_under_load() {
    ok(
        "t55b_stops_of_the_world_under_load",
        &[("GOMAXPROCS", "4")],
        || {
            static N: AtomicUsize = AtomicUsize::new(0);
            static STOP: AtomicBool = AtomicBool::new(false);
            let wg = wait_group(9);
            for i in 0..8 {
                go(move || {
                    while !STOP.load(Ordering::Relaxed) {
                        match i % 4 {
                            0 => spin_ms(1),
                            1 => gosched(),
                            2 => in_syscall(|| std::thread::sleep(Duration::from_micros(50))),
                            _ => {
                                for _ in 0..20 {
                                    go(|| {
                                        N.fetch_add(1, Ordering::Relaxed);
                                    });
                                }
                                gosched();
                            }
                        }
                    }
                    wg.done();
                });
            }
            go(|| {
                for _ in 0..1000 {
                    let before = AtomicUsize::new(0);
                    stw::stopped(m(), "read mem stats", &mut |_| {
                        before.store(N.load(Ordering::SeqCst), Ordering::SeqCst);
                        for _ in 0..1000 {
                            assert_eq!(before.load(Ordering::SeqCst), N.load(Ordering::SeqCst));
                        }
                        for &p in &sched::allp().ps {
                            // SAFETY: the world is stopped.
                            let status = unsafe { (*p).status() };
                            assert_eq!(status, gosched_runtime::p::PStatus::GcStop);
                        }
                    });
                    gosched();
                }
                STOP.store(true, Ordering::Relaxed);
                wg.done();
            });
            wg.wait();
        },
    );
}

#[test]
fn jobs_run_on_all_threads_of_a_stopped_world() {
    ok(
        "jobs_run_on_all_threads_of_a_stopped_world",
        &[("GOMAXPROCS", "4")],
        || {
            let wg = wait_group(4);
            for _ in 0..4 {
                go(|| {
                    spin_ms(20);
                    wg.done();
                });
            }
            wg.wait();
            for _ in 0..200 {
                stw::stopped(m(), "unknown", &mut |m| {
                    let sum = AtomicU64::new(0);
                    stw::parallel(m, 16, &|i| {
                        sum.fetch_add(i as u64 + 1, Ordering::Relaxed);
                    });
                    assert_eq!(sum.load(Ordering::Relaxed), 136);
                });
            }
        },
    );
}

#[test]
fn t17_gomaxprocs_changes_under_load() {
    ok(
        "t17_gomaxprocs_changes_under_load",
        &[("GOMAXPROCS", "4")],
        || {
            static N: AtomicUsize = AtomicUsize::new(0);
            let wg = wait_group(1000);
            for _ in 0..1000 {
                go(move || {
                    for _ in 0..20 {
                        gosched();
                        N.fetch_add(1, Ordering::Relaxed);
                    }
                    wg.done();
                });
            }
            for n in [1, 8, 2, 3, 1, 4, 16, 1] {
                let old = sched::gomaxprocs();
                assert_eq!(stw::set_gomaxprocs(m(), n).1, old);
                assert_eq!(sched::gomaxprocs(), n);
                assert_eq!(sched::allp().ps.len(), n as usize);
                for _ in 0..3 {
                    gosched();
                }
            }
            wg.wait();
            assert_eq!(N.load(Ordering::Relaxed), 20_000);
            assert_eq!(stw::set_gomaxprocs(m(), 0).1, 1);
        },
    );
}

#[test]
fn t56_for_each_p_reaches_every_p_once() {
    ok(
        "t56_for_each_p_reaches_every_p_once",
        &[("GOMAXPROCS", "4")],
        || {
            static N: [AtomicUsize; 4] = [const { AtomicUsize::new(0) }; 4];
            static STOP: AtomicBool = AtomicBool::new(false);
            for i in 0..6 {
                go(move || {
                    while !STOP.load(Ordering::Relaxed) {
                        match i % 3 {
                            0 => spin_ms(1),
                            1 => kernel_sleep_ms(1),
                            _ => gosched(),
                        }
                    }
                });
            }
            for _ in 0..1000 {
                stw::for_each_p(m(), |p| {
                    N[p.id].fetch_add(1, Ordering::Relaxed);
                });
            }
            STOP.store(true, Ordering::Relaxed);
            for n in &N {
                assert_eq!(n.load(Ordering::Relaxed), 1000);
            }
        },
    );
}

#[test]
fn t16_locked_goroutines_keep_their_threads() {
    ok(
        "t16_locked_goroutines_keep_their_threads",
        &[("GOMAXPROCS", "2")],
        || {
            static A: Sema = Sema::new(0);
            static B: Sema = Sema::new(0);
            static TIDS: Mutex<Vec<i64>> = Mutex::new(Vec::new());
            static HOLD: Sema = Sema::new(0);
            static HELD: AtomicUsize = AtomicUsize::new(0);
            let wg = wait_group(2);
            for side in 0..2 {
                go(move || {
                    proc::lock_os_thread(m()).unwrap();
                    let me = tid();
                    TIDS.lock().unwrap().push(me);
                    for _ in 0..10_000 {
                        if side == 0 {
                            A.release();
                            B.acquire();
                        } else {
                            A.acquire();
                            B.release();
                        }
                        assert_eq!(tid(), me);
                    }
                    HELD.fetch_add(1, Ordering::SeqCst);
                    HOLD.acquire();
                    assert_eq!(tid(), me);
                    proc::unlock_os_thread(m());
                    wg.done();
                });
            }
            while HELD.load(Ordering::SeqCst) < 2 {
                sleep_us(1000);
            }
            // While both wait, with their threads, the others go on.
            let others = wait_group(100);
            for _ in 0..100 {
                go(|| {
                    gosched();
                    kernel_sleep_ms(1);
                    others.done();
                });
            }
            others.wait();
            HOLD.release();
            HOLD.release();
            wg.wait();
            let t = TIDS.lock().unwrap();
            assert_ne!(t[0], t[1]);
        },
    );
}

#[test]
fn t16_wiring_nests() {
    ok("t16_wiring_nests", &[("GOMAXPROCS", "2")], || {
        let wg = wait_group(1);
        go(move || {
            let is_wired = || {
                let (m, g) = (m(), m().curg);
                // SAFETY: the current G; an atomic.
                let to = unsafe { (*g).lockedm.load(Ordering::Relaxed) };
                let wired = m.lockedg.load(Ordering::Relaxed);
                assert_eq!(std::ptr::eq(to, m), std::ptr::eq(wired, g));
                !wired.is_null()
            };
            proc::unlock_os_thread(m());
            assert!(!is_wired(), "a surplus call does nothing");
            for depth in [1, 2, 5] {
                for _ in 0..depth {
                    proc::lock_os_thread(m()).unwrap();
                    assert!(is_wired());
                }
                let me = tid();
                for left in (0..depth).rev() {
                    assert!(is_wired());
                    gosched();
                    assert_eq!(tid(), me);
                    proc::unlock_os_thread(m());
                    assert_eq!(is_wired(), left > 0, "{left} of {depth} left");
                }
            }
            wg.done();
        });
        wg.wait();
    });
}

/// Names of this process's threads, as the kernel has them.
fn thread_names() -> Vec<String> {
    let mut names = Vec::new();
    for task in std::fs::read_dir("/proc/self/task").unwrap() {
        // A thread may end meanwhile.
        if let Ok(name) = std::fs::read_to_string(task.unwrap().path().join("comm")) {
            names.push(name.trim_end().to_string());
        }
    }
    names
}

#[test]
fn t16_threads_are_not_made_by_wired_ones() {
    ok(
        "t16_threads_are_not_made_by_wired_ones",
        &[("GOMAXPROCS", "2")],
        || {
            let wg = wait_group(1);
            go(move || {
                proc::lock_os_thread(m()).unwrap();
                // A thread begins with the name of its maker, as with much else.
                // SAFETY: the name is a string that lives for ever.
                unsafe { libc::prctl(libc::PR_SET_NAME, c"wired".as_ptr()) };
                let me = m().id;
                trace::listen(true);
                let t = Instant::now();
                let mut asked = 0;
                while asked < 3 {
                    assert!(t.elapsed() < Duration::from_secs(10), "{asked} threads");
                    // Blocks for long, so that no M is idle when we give our P away.
                    go(|| kernel_sleep_ms(1000));
                    syscall::enter_block(m(), syscall::KernelCall::NONE);
                    std::thread::sleep(Duration::from_millis(1));
                    syscall::exit(m());
                    let events = trace::take_events();
                    let threads = events.iter().filter(|e| {
                        // This counts what we ask for, not what sysmon does.
                        e.m == me && matches!(e.what, What::Thread { .. })
                    });
                    asked += threads.count();
                }
                trace::listen(false);
                let like_us = thread_names().iter().filter(|n| *n == "wired").count();
                assert_eq!(like_us, 1, "{:?}", thread_names());
                proc::unlock_os_thread(m());
                wg.done();
            });
            wg.wait();
        },
    );
}

#[test]
fn t16b_exit_while_locked_ends_the_thread() {
    ok(
        "t16b_exit_while_locked_ends_the_thread",
        &[("GOMAXPROCS", "2")],
        || {
            static LOCKED: AtomicBool = AtomicBool::new(false);
            let wg = wait_group(1);
            go(|| {
                proc::lock_os_thread(m()).unwrap();
                LOCKED.store(true, Ordering::SeqCst);
                kernel_sleep_ms(5);
                wg.done();
            });
            while !LOCKED.load(Ordering::SeqCst) {
                kernel_sleep_ms(1);
            }
            let before = threads();
            wg.wait();
            let t = Instant::now();
            while threads() >= before {
                assert!(
                    t.elapsed() < Duration::from_secs(2),
                    "{} threads",
                    threads()
                );
                kernel_sleep_ms(1);
            }
        },
    );
}

#[test]
fn t9_descriptors_are_reused() {
    ok("t9_descriptors_are_reused", &[("GOMAXPROCS", "1")], || {
        for _ in 0..1000 {
            let wg = wait_group(1000);
            for _ in 0..1000 {
                go(|| wg.done());
            }
            wg.wait();
        }
        let n = SCHED.allgs.lock().len();
        assert!(n < 1100, "{n} descriptors");
        let t = Instant::now();
        while sched::num_goroutine() != 1 {
            assert!(
                t.elapsed() < Duration::from_secs(1),
                "{}",
                sched::num_goroutine()
            );
            gosched();
        }
    });
}

#[test]
fn t9_a_used_descriptor_is_as_new() {
    ok(
        "t9_a_used_descriptor_is_as_new",
        &[("GOMAXPROCS", "1")],
        || {
            static USED: AtomicUsize = AtomicUsize::new(0);
            static NUMBER: AtomicU64 = AtomicU64::new(0);
            let wg = wait_group(1);
            go(move || {
                let g = m().curg;
                // SAFETY: the current G; its words belong to this engine.
                unsafe {
                    (*g).vm.fill(7);
                    NUMBER.store((*g).goid.0, Ordering::Relaxed);
                }
                USED.store(g as usize, Ordering::Relaxed);
                wg.done();
            });
            wg.wait();
            gosched();
            let mut first = Vec::new();
            proc::spawn(m(), 0, 0, |g| {
                assert_eq!(std::ptr::from_mut(g) as usize, USED.load(Ordering::Relaxed));
                first.extend_from_slice(&g.vm);
                assert_ne!(g.goid.0, NUMBER.load(Ordering::Relaxed));
                assert!(g.param.is_null() && g.waiting.is_null());
                assert_eq!((g.coro.is_null(), g.native.is_none()), (true, true));
                common::lay(g, || {});
            });
            // The engine uses again what the first word names.
            assert_eq!(first[0], 7);
            assert_eq!(first[1..], [0].repeat(first.len() - 1));
        },
    );
}

#[test]
fn t13_the_end_of_main_waits_for_panics() {
    let name = "t13_the_end_of_main_waits_for_panics";
    let out = run(name, &[("GOMAXPROCS", "1")], || {
        go(|| {
            // As the engine does while deferred calls run.
            panic::PANIC_DEFERS.fetch_add(1, Ordering::SeqCst);
            for _ in 0..5 {
                gosched();
            }
            panic::print(format_args!("panic: in time\n"));
            panic::fatal_panic(None);
        });
        gosched();
    });
    let text = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{text}");
    assert!(text.starts_with("panic: in time\n"), "{text}");
}

#[test]
fn t64_schedtrace_line() {
    let env = [("GOMAXPROCS", "2"), ("GODEBUG", "schedtrace=20")];
    let out = run("t64_schedtrace_line", &env, || {
        let wg = wait_group(4);
        for _ in 0..4 {
            go(|| {
                spin_ms(200);
                wg.done();
            });
        }
        wg.wait();
    });
    let err = String::from_utf8_lossy(&out.stderr);
    let lines: Vec<&str> = err.lines().filter(|l| l.starts_with("SCHED ")).collect();
    assert!(lines.len() >= 2, "{err}");
    assert!(
        lines[0].starts_with("SCHED 0ms: gomaxprocs=2 idleprocs="),
        "{err}"
    );
    for l in lines {
        let rest = &l[l.find("ms: ").unwrap() + 4..];
        let keys = [
            "gomaxprocs=",
            "idleprocs=",
            "threads=",
            "spinningthreads=",
            "needspinning=",
            "idlethreads=",
            "runqueue=",
        ];
        for (w, k) in rest.split(' ').zip(keys) {
            assert!(
                w.strip_prefix(k).is_some_and(|n| n.parse::<u32>().is_ok()),
                "{l}"
            );
        }
        assert!(
            l.contains(" [ ") && l.contains(" ] schedticks=[ ") && l.ends_with(" ]"),
            "{l}"
        );
    }
}

#[test]
fn t62_sigquit_dumps() {
    let out = run("t62_sigquit_dumps", &[("GOMAXPROCS", "2")], || {
        static NEVER: Sema = Sema::new(0);
        go(|| NEVER.acquire());
        gosched();
        // SAFETY: a signal to ourselves.
        unsafe { libc::kill(libc::getpid(), libc::SIGQUIT) };
        loop {
            safepoint();
        }
    });
    let err = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{err}");
    assert!(err.starts_with("SIGQUIT: quit\nPC=0x"), "{err}");
    for s in [
        "[semacquire]:",
        "[force gc (idle)]:",
        "[GC sweep wait]:",
        "[finalizer wait]:",
        "\nrip    0x",
        "\ncs     0x33\nfs     0x0\ngs     0x0\n",
    ] {
        assert!(err.contains(s), "{s} not in {err}");
    }
}

#[test]
fn a_wild_pointer_ends_as_in_go() {
    let out = run(
        "a_wild_pointer_ends_as_in_go",
        &[("GOMAXPROCS", "2")],
        || {
            let p = std::hint::black_box(0xdead_0000_usize) as *const u8;
            // SAFETY: there is none, which is the point.
            let x = unsafe { p.read_volatile() };
            std::hint::black_box(x);
        },
    );
    let err = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{err}");
    let want = "unexpected fault address 0xdead0000\nfatal error: fault\n[signal SIGSEGV: \
                segmentation violation code=0x1 addr=0xdead0000 pc=0x";
    assert!(err.starts_with(want), "{err}");
    assert!(
        err.contains("\n\ngoroutine 1 gp=0x") && err.contains(" [running]:\nmain.main()\n"),
        "{err}"
    );
}

#[test]
fn a_native_overflow_is_recognised() {
    #[allow(unconditional_recursion)]
    fn deep(n: u64) -> u64 {
        let a = std::hint::black_box([n; 64]);
        deep(n + 1) + a[3]
    }
    let out = run(
        "a_native_overflow_is_recognised",
        &[("GOMAXPROCS", "2")],
        || {
            std::hint::black_box(deep(0));
        },
    );
    let err = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{err}");
    assert!(err.contains("fatal error: stack overflow"), "{err}");
}

#[test]
fn a_throw_while_parking_ends_the_process() {
    for procs in ["1", "4"] {
        let env = [("GOMAXPROCS", procs), ("RUST_BACKTRACE", "1")];
        let out = run("a_throw_while_parking_ends_the_process", &env, || {
            unsafe fn commit(_: *mut gosched_runtime::G, _: ParkArg) -> bool {
                gosched_runtime::throw!("in a commit function")
            }
            go(|| kernel_sleep_ms(1000));
            gosched();
            proc::gopark(
                m(),
                Some(commit),
                ParkArg::NONE,
                gosched_runtime::WaitReason::Sleep,
            );
        });
        let err = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{err}");
        assert!(
            err.starts_with("fatal error: in a commit function\n\nruntime stack:\n"),
            "{err}"
        );
        assert!(err.contains("\ngoroutine 1 gp="), "{err}");
    }
}

#[test]
fn t15_goexit_of_main_is_noticed_when_all_have_ended() {
    let name = "t15_goexit_of_main_is_noticed_when_all_have_ended";
    let out = run(name, &[("GOMAXPROCS", "2")], || {
        go(|| spin_ms(5));
        common::suspend(gosched_runtime::Outcome::Exit);
    });
    let err = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{err}");
    assert_eq!(
        err,
        "fatal error: no goroutines (main called runtime.Goexit) - deadlock!\n"
    );
}

/// Integer and floating-point work of about `rounds` microseconds.
unsafe extern "C" fn kernel(arg: *mut u8) {
    // SAFETY: the caller gives three words: rounds, and room for two results.
    unsafe {
        let w = arg.cast::<u64>();
        let (mut h, mut x) = (0x9e37_79b9_7f4a_7c15_u64, 0.3_f64);
        for i in 0..*w * 200 {
            h = (h ^ i).wrapping_mul(0xff51_afd7_ed55_8ccd).rotate_left(29);
            x = 3.77 * x * (1.0 - x);
        }
        *w.add(1) = h;
        *w.add(2) = x.to_bits();
    }
}

fn in_fence(rounds: u64) -> [u64; 2] {
    let mut w = [rounds, 0, 0];
    // SAFETY: `kernel` computes only.
    unsafe { gosched_runtime::fence::fenced(m(), kernel, w.as_mut_ptr().cast()) };
    [w[1], w[2]]
}

/// Runs one long native beside a stamper: the longest gap between stamps, and how many were made
/// while the native ran.
fn longest_gap() -> (Duration, u64) {
    const ROUNDS: u64 = 300_000;
    static DONE: AtomicBool = AtomicBool::new(false);
    static WORST: AtomicU64 = AtomicU64::new(0);
    static STAMPS: AtomicU64 = AtomicU64::new(0);
    static MEANWHILE: AtomicU64 = AtomicU64::new(0);
    let mut want = [ROUNDS, 0, 0];
    // SAFETY: `kernel` computes only.
    unsafe { kernel(want.as_mut_ptr().cast()) };
    let wg = wait_group(2);
    go(move || {
        let before = STAMPS.load(Ordering::Relaxed);
        assert_eq!(in_fence(ROUNDS), want[1..], "a native was disturbed");
        MEANWHILE.store(STAMPS.load(Ordering::Relaxed) - before, Ordering::Relaxed);
        DONE.store(true, Ordering::Relaxed);
        wg.done();
    });
    go(|| {
        let mut last = Instant::now();
        while !DONE.load(Ordering::Relaxed) {
            WORST.fetch_max(last.elapsed().as_millis() as u64, Ordering::Relaxed);
            STAMPS.fetch_add(1, Ordering::Relaxed);
            last = Instant::now();
            gosched();
        }
        WORST.fetch_max(last.elapsed().as_millis() as u64, Ordering::Relaxed);
        wg.done();
    });
    wg.wait();
    (
        Duration::from_millis(WORST.load(Ordering::Relaxed)),
        MEANWHILE.load(Ordering::Relaxed),
    )
}

#[test]
#[ignore = "measures a delay; `cargo proof` runs it"]
#[cfg(target_arch = "x86_64")]
fn t36d_a_signal_suspends_a_long_native() {
    ok_mostly(
        "t36d_a_signal_suspends_a_long_native",
        &[("GOMAXPROCS", "1")],
        || {
            trace::listen(true);
            let (gap, _) = longest_gap();
            trace::listen(false);
            assert!(gap <= Duration::from_millis(100), "{gap:?}");
            let n = trace::take_events()
                .iter()
                .filter(|e| {
                    matches!(
                        e.what,
                        What::Preempted {
                            way: trace::Way::Signal,
                            ..
                        }
                    )
                })
                .count();
            assert!(n >= 3, "{n} suspensions");
        },
    );
}

#[test]
fn t36d_off_a_long_native_holds_its_p() {
    let env = [("GOMAXPROCS", "1"), ("GODEBUG", "asyncpreemptoff=1")];
    ok("t36d_off_a_long_native_holds_its_p", &env, || {
        let (_, stamps) = longest_gap();
        assert_eq!(stamps, 0, "somebody ran beside the native");
        assert_eq!(gosched_runtime::fence::SUSPENDED.load(Ordering::Relaxed), 0);
    });
}

#[test]
#[cfg(target_arch = "x86_64")]
fn t36_natives_move_between_threads_unharmed() {
    ok(
        "t36_natives_move_between_threads_unharmed",
        &[("GOMAXPROCS", "4")],
        || {
            static STOP: AtomicBool = AtomicBool::new(false);
            let mut want = [3000, 0, 0];
            // SAFETY: `kernel` computes only.
            unsafe { kernel(want.as_mut_ptr().cast()) };
            let wg = wait_group(6);
            for _ in 0..6 {
                go(move || {
                    while !STOP.load(Ordering::Relaxed) {
                        assert_eq!(in_fence(3000), want[1..], "a native was disturbed");
                    }
                    wg.done();
                });
            }
            for _ in 0..200 {
                stw::stopped(m(), "unknown", &mut |_| {});
                gosched();
            }
            STOP.store(true, Ordering::Relaxed);
            wg.wait();
            assert!(gosched_runtime::fence::SUSPENDED.load(Ordering::Relaxed) > 50);
        },
    );
}

#[test]
fn t10_too_many_threads() {
    let out = run("t10_too_many_threads", &[("GOMAXPROCS", "2")], || {
        assert_eq!(proc::set_max_threads(10), 10_000);
        for _ in 0..20 {
            go(|| {
                proc::lock_os_thread(m()).unwrap();
                kernel_sleep_ms(10_000);
            });
        }
        loop {
            gosched();
        }
    });
    let err = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{err}");
    let want = "runtime: program exceeds 10-thread limit\nfatal error: thread exhaustion\n";
    assert!(err.starts_with(want), "{err}");
}

fn cpus_of_this_thread() -> libc::cpu_set_t {
    // SAFETY: the set is plain data, which the call fills.
    unsafe {
        let mut set = std::mem::zeroed();
        let r = libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &raw mut set);
        assert_eq!(r, 0);
        set
    }
}

fn first_of(all: &libc::cpu_set_t) -> libc::cpu_set_t {
    // SAFETY: sets are plain data, and the numbers lie within them.
    unsafe {
        let mut set = std::mem::zeroed();
        let first = (0..libc::CPU_SETSIZE as usize).find(|&i| libc::CPU_ISSET(i, all));
        libc::CPU_SET(first.unwrap(), &mut set);
        set
    }
}

/// Lets all threads of the process run on these CPUs only.
fn keep_to(set: &libc::cpu_set_t) {
    for task in std::fs::read_dir("/proc/self/task").unwrap() {
        let id = task.unwrap().file_name().into_string().unwrap();
        // SAFETY: the set is only read.
        unsafe { libc::sched_setaffinity(id.parse().unwrap(), size_of_val(set), set) };
    }
}

/// Waits until sysmon, which looks each second while something runs, has seen so many CPUs.
fn until_there_are(procs: i32) {
    let began = Instant::now();
    while sched::gomaxprocs() != procs {
        assert!(began.elapsed() < Duration::from_secs(30), "not {procs}");
        spin_ms(1);
        safepoint();
    }
}

#[test]
fn t17_the_default_follows_the_machine() {
    ok(
        "t17_the_default_follows_the_machine",
        &[("GOMAXPROCS", "")],
        || {
            let n = sched::gomaxprocs();
            assert!(stw::follows_machine());
            stw::set_gomaxprocs(m(), n + 3);
            assert_eq!(sched::gomaxprocs(), n + 3);
            stw::follow_machine(m());
            assert_eq!(sched::gomaxprocs(), n);
            if n == 1 {
                return;
            }
            // As `taskset -a` from outside: all threads keep to the first CPU that they have.
            let all = cpus_of_this_thread();
            let first = first_of(&all);
            keep_to(&first);
            stw::follow_machine(m());
            assert_eq!(sched::gomaxprocs(), 1);
            keep_to(&all);
            until_there_are(n);
            keep_to(&first);
            until_there_are(1);
        },
    );
}
