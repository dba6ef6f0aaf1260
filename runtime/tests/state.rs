#![allow(unsafe_code)]
//! Goroutines, threads and processors as objects: what their fields say, by which edges their
//! states change, how they are used again, how the runtime starts.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::ptr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use common::{
    Sema, go, gosched, in_syscall, kernel_sleep_ms, m, ok, prologue, run, safepoint, sleep_us,
    spin_ms, wait_group,
};
use gosched_runtime::edges::{self, G_EDGES, P_EDGES};
use gosched_runtime::runq::RunQ;
use gosched_runtime::sched::{self, SCHED};
use gosched_runtime::trace::{self, What};
use gosched_runtime::{G, Lock, M, P, Status, WaitReason, coro, lockrank, preempt, stw};

#[test]
fn t1_a_parked_goroutine_says_so() {
    ok(
        "t1_a_parked_goroutine_says_so",
        &[("GOMAXPROCS", "2")],
        || {
            static S: Sema = Sema::new(0);
            static PARKED: AtomicPtr<G> = AtomicPtr::new(ptr::null_mut());
            static SEEN: Mutex<BTreeSet<u64>> = Mutex::new(BTreeSet::new());
            go(|| {
                PARKED.store(m().curg, Ordering::Release);
                S.acquire();
            });
            let t = Instant::now();
            let g = loop {
                let g = PARKED.load(Ordering::Acquire);
                // Its M leaves it right after it has begun to wait.
                // SAFETY: descriptors are never freed; the G is looked at once it waits.
                let is_parked =
                    |g: *mut G| unsafe { (*g).status() == Status::Waiting && (*g).m.is_null() };
                if !g.is_null() && is_parked(g) {
                    break g;
                }
                assert!(
                    t.elapsed() < Duration::from_secs(5),
                    "no parked goroutine without an M"
                );
                gosched();
            };
            // SAFETY: it waits, and is not woken meanwhile.
            unsafe {
                assert_eq!((*g).wait_reason(), WaitReason::Semacquire);
                let sp = (*g).sched.top;
                assert!((*g).stack_lo <= sp && sp < (*g).stack_hi);
            }
            for _ in 0..1000 {
                let wg = wait_group(100);
                for _ in 0..100 {
                    go(|| {
                        let id = m().g().goid.0;
                        assert!(SEEN.lock().unwrap().insert(id), "{id} was used twice");
                        wg.done();
                    });
                }
                wg.wait();
            }
            assert_eq!(SEEN.lock().unwrap().len(), 100_000);
            let n = SCHED.allgs.lock().len();
            assert!(n < 350, "{n} descriptors for 100 goroutines at a time");
            S.release();
        },
    );
}

/// Runs `safepoint` until told otherwise.
fn spin_until(stop: &'static AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        safepoint();
    }
}

/// Suspends and resumes goroutines until each state has been met.
fn suspend_in_every_state() {
    static STOP: AtomicBool = AtomicBool::new(false);
    static S: Sema = Sema::new(0);
    static SPINS: AtomicPtr<G> = AtomicPtr::new(ptr::null_mut());
    static SLEEPS: AtomicPtr<G> = AtomicPtr::new(ptr::null_mut());
    static WAITS: AtomicPtr<G> = AtomicPtr::new(ptr::null_mut());
    static QUEUED: AtomicPtr<G> = AtomicPtr::new(ptr::null_mut());
    let wg = wait_group(4);
    go(|| {
        SPINS.store(m().curg, Ordering::Release);
        spin_until(&STOP);
        wg.done();
    });
    go(|| {
        SLEEPS.store(m().curg, Ordering::Release);
        while !STOP.load(Ordering::Relaxed) {
            kernel_sleep_ms(3);
        }
        wg.done();
    });
    go(|| {
        WAITS.store(m().curg, Ordering::Release);
        S.acquire();
        wg.done();
    });
    for _ in 0..3 {
        sleep_us(1000);
    }
    go(|| {
        QUEUED.store(m().curg, Ordering::Release);
        wg.done();
    });
    // Still in `runnext` or a ring, most likely: whatever it is, it is one of the states.
    SCHED.allgs.lock().iter().for_each(|g| {
        // SAFETY: descriptors are never freed.
        if unsafe { (*g.0).status() } == Status::Runnable {
            QUEUED.store(g.0, Ordering::Release);
        }
    });
    let t = Instant::now();
    while SCAN_STATES.iter().any(|&i| edges::g_taken()[i] == 0) {
        assert!(
            t.elapsed() < Duration::from_secs(10),
            "{:?}",
            edges::g_taken()
        );
        for target in [&SPINS, &SLEEPS, &WAITS, &QUEUED] {
            let g = target.load(Ordering::Acquire);
            if g.is_null() || g == m().curg {
                continue;
            }
            // The caller must be suspendable itself, or two of them wait for one another.
            coro::on_g0(m(), |m| {
                // SAFETY: a descriptor of the runtime's, not the caller's own.
                unsafe {
                    (*m.curg).cas_status(Status::Running, Status::Waiting);
                    let was = preempt::suspend_g(g);
                    preempt::resume_g(m, g, was);
                    (*m.curg).cas_status(Status::Waiting, Status::Running);
                }
            });
        }
        go(|| QUEUED.store(m().curg, Ordering::Release));
        gosched();
    }
    STOP.store(true, Ordering::Relaxed);
    S.release();
    wg.wait();
}

/// Places in `G_EDGES` of what only a suspender does.
const SCAN_STATES: &[usize] = &[13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23];

/// Calls that are short, long, and come back when no P is free.
fn calls_of_all_kinds() {
    static STOP: AtomicBool = AtomicBool::new(false);
    let wg = wait_group(6);
    for _ in 0..2 {
        go(|| {
            spin_until(&STOP);
            wg.done();
        });
    }
    for i in 0..4 {
        go(move || {
            for _ in 0..10 {
                in_syscall(|| {});
                kernel_sleep_ms(2 + i);
            }
            wg.done();
        });
    }
    spin_ms(200);
    STOP.store(true, Ordering::Relaxed);
    wg.wait();
}

fn untaken() -> Vec<String> {
    let g = G_EDGES.iter().map(|e| format!("{e:?}"));
    let p = P_EDGES.iter().map(|e| format!("P {e:?}"));
    let n = edges::g_taken().into_iter().chain(edges::p_taken());
    g.chain(p)
        .zip(n)
        .filter(|e| e.1 == 0)
        .map(|e| e.0)
        .collect()
}

#[test]
fn t2_every_edge_is_taken_and_no_other() {
    if !edges::COUNTED {
        return;
    }
    let name = "t2_every_edge_is_taken_and_no_other";
    // What it does is not counted for the whole suite.
    let env = [("GOMAXPROCS", "2"), ("GOSCHED_EDGES", "")];
    ok(name, &env, || {
        suspend_in_every_state();
        calls_of_all_kinds();
        stw::set_gomaxprocs(m(), 1);
        let g = m().curg;
        // SAFETY: the current G.
        gosched_runtime::stack::grow(m(), unsafe { &mut *g }, 4096);
        let left: Vec<String> = untaken()
            .into_iter()
            .filter(|e| !e.starts_with('P'))
            .collect();
        assert!(left.is_empty(), "never taken: {left:?}");
        for (e, n) in G_EDGES.iter().zip(edges::g_taken()) {
            println!("{e:?}: {n}");
        }
    });
}

#[test]
fn goroutines_are_suspended_in_every_state() {
    if !edges::COUNTED {
        return;
    }
    let name = "goroutines_are_suspended_in_every_state";
    ok(name, &[("GOMAXPROCS", "2")], suspend_in_every_state);
}

#[test]
fn who_is_suspended_in_a_call_does_not_come_back_from_it() {
    ok(
        "who_is_suspended_in_a_call_does_not_come_back_from_it",
        &[("GOMAXPROCS", "2")],
        || {
            static BACK: AtomicBool = AtomicBool::new(false);
            static CALLS: AtomicPtr<G> = AtomicPtr::new(ptr::null_mut());
            static LEAVE: AtomicBool = AtomicBool::new(false);
            let wg = wait_group(1);
            go(|| {
                CALLS.store(m().curg, Ordering::Release);
                in_syscall(|| {
                    while !LEAVE.load(Ordering::Acquire) {
                        std::thread::sleep(Duration::from_millis(1));
                    }
                });
                BACK.store(true, Ordering::Release);
                wg.done();
            });
            let t = Instant::now();
            let g = loop {
                let g = CALLS.load(Ordering::Acquire);
                // SAFETY: descriptors are never freed.
                if !g.is_null() && unsafe { (*g).status() } == Status::Syscall {
                    break g;
                }
                assert!(t.elapsed() < Duration::from_secs(5));
                sleep_us(1000);
            };
            coro::on_g0(m(), |m| {
                // SAFETY: a descriptor of the runtime's, not the caller's own, which can be
                // suspended too.
                unsafe {
                    (*m.curg).cas_status(Status::Running, Status::Waiting);
                    let was = preempt::suspend_g(g);
                    LEAVE.store(true, Ordering::Release);
                    std::thread::sleep(Duration::from_millis(50));
                    assert!(!BACK.load(Ordering::Acquire), "it came back");
                    preempt::resume_g(m, g, was);
                    (*m.curg).cas_status(Status::Waiting, Status::Running);
                }
            });
            wg.wait();
            assert!(BACK.load(Ordering::Acquire));
        },
    );
}

#[test]
fn t2_a_double_ready_dies() {
    let out = run("t2_a_double_ready_dies", &[("GOMAXPROCS", "1")], || {
        let g = m().curg;
        // SAFETY: there is none, which is the point.
        unsafe { gosched_runtime::proc::ready(m(), g) };
    });
    let err = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{err}");
    assert!(
        err.contains("fatal error: bad g->status in ready\n"),
        "{err}"
    );
}

/// Each M's P, and the M that this P names; read twice, and taken only if nothing has moved.
fn holders() -> Option<Vec<(*mut M, *mut P, *mut M)>> {
    let look = || {
        let mut all = Vec::new();
        let mut mp = SCHED.allm.load(Ordering::Acquire);
        // SAFETY: Ms and Ps are never freed; atomics only.
        unsafe {
            while !mp.is_null() {
                let p = (*mp).p_seen.load(Ordering::SeqCst);
                if !p.is_null() {
                    all.push((mp, p, (*p).m.load(Ordering::SeqCst)));
                }
                mp = (*mp).alllink;
            }
        }
        all
    };
    let first = look();
    (look() == first).then_some(first)
}

/// Goroutines that spin, park, call and yield, until told to stop.
fn mixed_load(stop: &'static AtomicBool) -> &'static common::WaitGroup {
    let wg = wait_group(24);
    for i in 0..24u64 {
        go(move || {
            while !stop.load(Ordering::Relaxed) {
                match i % 4 {
                    0 => spin_ms(2),
                    1 => sleep_us(300),
                    2 => kernel_sleep_ms(1),
                    _ => gosched(),
                }
            }
            wg.done();
        });
    }
    wg
}

/// Looks at the holders for two seconds from outside, once a millisecond.
fn watch(
    check: impl Fn(&[(*mut M, *mut P, *mut M)]) + Send + 'static,
) -> std::thread::JoinHandle<usize> {
    std::thread::spawn(move || {
        let t = Instant::now();
        let mut n = 0;
        while t.elapsed() < Duration::from_secs(2) {
            if let Some(all) = holders() {
                check(&all);
                n += 1;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        n
    })
}

#[test]
fn t3_no_more_holders_than_gomaxprocs() {
    ok(
        "t3_no_more_holders_than_gomaxprocs",
        &[("GOMAXPROCS", "3")],
        || {
            static STOP: AtomicBool = AtomicBool::new(false);
            let seen = watch(|all| {
                let ps: BTreeSet<*mut P> = all.iter().map(|h| h.1).collect();
                assert_eq!(ps.len(), all.len(), "two threads hold one P");
                assert!(all.len() <= 3, "{} threads hold a P", all.len());
            });
            let wg = mixed_load(&STOP);
            sleep_us(2_100_000);
            STOP.store(true, Ordering::Relaxed);
            wg.wait();
            let n = seen.join().expect("nothing was found wrong");
            assert!(n > 100, "{n} looks");
        },
    );
}

#[test]
fn t4_ps_are_numbered_and_name_their_m() {
    ok(
        "t4_ps_are_numbered_and_name_their_m",
        &[("GOMAXPROCS", "4")],
        || {
            static STOP: AtomicBool = AtomicBool::new(false);
            let all = sched::allp();
            assert_eq!(all.ps.len(), 4);
            for (i, &p) in all.ps.iter().enumerate() {
                // SAFETY: Ps are never freed.
                assert_eq!(unsafe { (*p).id }, i);
            }
            let seen = watch(|all| {
                for (mp, p, named) in all {
                    // SAFETY: Ps are never freed.
                    let id = unsafe { (**p).id };
                    assert!(mp == named || named.is_null(), "P{id} names another M");
                }
            });
            let me = m();
            // SAFETY: the P is ours.
            assert!(ptr::eq(unsafe { (*me.p).m.load(Ordering::Relaxed) }, me));
            let wg = mixed_load(&STOP);
            sleep_us(2_100_000);
            STOP.store(true, Ordering::Relaxed);
            wg.wait();
            seen.join().expect("nothing was found wrong");
        },
    );
}

#[test]
fn t5_every_edge_of_a_p_is_taken_and_no_other() {
    if !edges::COUNTED {
        return;
    }
    let name = "t5_every_edge_of_a_p_is_taken_and_no_other";
    let env = [("GOMAXPROCS", "2"), ("GOSCHED_EDGES", "")];
    ok(name, &env, || {
        calls_of_all_kinds();
        // A P in a system call while the world stops.
        let t = Instant::now();
        loop {
            let wg = wait_group(2);
            for _ in 0..2 {
                go(|| {
                    for _ in 0..20 {
                        in_syscall(|| std::thread::sleep(Duration::from_micros(30)));
                    }
                    wg.done();
                });
            }
            for n in [3, 1, 2] {
                stw::set_gomaxprocs(m(), n);
                gosched();
            }
            wg.wait();
            let left: Vec<String> = untaken()
                .into_iter()
                .filter(|e| e.starts_with('P'))
                .collect();
            if left.is_empty() {
                return;
            }
            assert!(
                t.elapsed() < Duration::from_secs(10),
                "never taken: {left:?}"
            );
        }
    });
}

#[test]
fn t5_releasing_a_p_that_does_not_run_dies() {
    let name = "t5_releasing_a_p_that_does_not_run_dies";
    let out = run(name, &[("GOMAXPROCS", "1")], || {
        m().p().set_status(gosched_runtime::p::PStatus::Idle);
        sleep_us(1000);
    });
    let err = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{err}");
    assert!(err.contains("invalid p state"), "{err}");
}

#[test]
fn t6_locks_have_an_order() {
    if !edges::COUNTED {
        return;
    }
    let out = run("t6_locks_have_an_order", &[("GOMAXPROCS", "1")], || {
        static INNER: Lock = Lock::new(lockrank::Rank::Heap);
        static OUTER: Lock = Lock::new(lockrank::Rank::Chan);
        let _inner = INNER.guard();
        let _outer = OUTER.guard();
    });
    let err = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{err}");
    assert!(err.contains("lock ordering problem"), "{err}");
}

#[test]
fn t6_no_lock_is_held_over_a_sleep() {
    if !edges::COUNTED {
        return;
    }
    let out = run(
        "t6_no_lock_is_held_over_a_sleep",
        &[("GOMAXPROCS", "1")],
        || {
            static HELD: Lock = Lock::new(lockrank::Rank::Chan);
            let _held = HELD.guard();
            gosched();
        },
    );
    let err = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{err}");
    assert!(err.contains("lock is held"), "{err}");
}

#[test]
fn t8_switches_go_through_g0() {
    if !edges::COUNTED {
        return;
    }
    ok("t8_switches_go_through_g0", &[("GOMAXPROCS", "2")], || {
        trace::listen_to_switches(true);
        trace::listen(true);
        let wg = wait_group(240);
        for _ in 0..200 {
            go(|| wg.done());
        }
        for i in 0..40u64 {
            go(move || {
                for _ in 0..50 {
                    match i % 4 {
                        0 => gosched(),
                        1 => sleep_us(50),
                        2 => kernel_sleep_ms(1),
                        _ => spin_ms(1),
                    }
                }
                wg.done();
            });
        }
        wg.wait();
        trace::listen(false);
        // On each M stacks are left and entered in turn: its own one, a goroutine's, its own one.
        let mut in_g: BTreeMap<i64, bool> = BTreeMap::new();
        // On each M a goroutine that has begun leaves before the next begins.
        let mut on: BTreeMap<i64, u64> = BTreeMap::new();
        let mut switches = 0;
        for e in trace::take_events() {
            match e.what {
                What::Gogo {} => {
                    let before = in_g.insert(e.m, true);
                    assert_ne!(before, Some(true), "M{} enters two stacks: {e:?}", e.m);
                    assert_eq!(on.get(&e.m), Some(&e.g.0), "M{} runs another: {e:?}", e.m);
                }
                What::Mcall {} => {
                    let before = in_g.insert(e.m, false);
                    // The first one may have been entered before we listened.
                    assert_ne!(before, Some(false), "M{} leaves nobody: {e:?}", e.m);
                }
                What::Start { .. } => {
                    let stack = in_g.get(&e.m);
                    assert_ne!(
                        stack,
                        Some(&true),
                        "M{} chooses on a goroutine's stack",
                        e.m
                    );
                    let before = on.insert(e.m, e.g.0);
                    assert_eq!(before, None, "M{} switches directly: {e:?}", e.m);
                    switches += 1;
                }
                What::Park { .. } | What::Yield { .. } | What::End {} | What::SyscallBlocked {} => {
                    let before = on.remove(&e.m);
                    // The first one on an M may have begun before we listened.
                    assert!(before.is_none_or(|g| g == e.g.0), "{before:?} but {e:?}");
                }
                _ => {}
            }
        }
        assert!(switches > 1000, "{switches} switches");
    });
}

#[test]
fn t8_the_scheduler_refuses_a_goroutines_stack() {
    if !edges::COUNTED {
        return;
    }
    let name = "t8_the_scheduler_refuses_a_goroutines_stack";
    for what in ["push", "pop", "steal", "poll"] {
        let out = run(name, &[("GOMAXPROCS", "1"), ("RT_WHAT", what)], || {
            let (m, other) = (m(), RunQ::new());
            let ring = &m.p().runq;
            match std::env::var("RT_WHAT").as_deref() {
                Ok("push") => drop(ring.push(ptr::null_mut(), 256)),
                Ok("pop") => assert!(ring.pop().is_null()),
                Ok("steal") => assert!(other.steal_into(ring).0.is_null()),
                _ => assert_eq!(gosched_runtime::netpoll::poll(0).n, 0),
            }
            // Nothing of the program shall run any more.
            gosched_runtime::proc::exit(0);
        });
        let err = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{what}: {err}");
        let told = err.contains("fatal error: scheduler runs on a goroutine's stack\n");
        assert!(told, "{what}: {err}");
    }
}

#[test]
fn t8_the_schedulers_stack_does_not_grow() {
    ok(
        "t8_the_schedulers_stack_does_not_grow",
        &[("GOMAXPROCS", "1")],
        || {
            let depth = || coro::on_g0(m(), |_| coro::stack_pointer());
            let wg = wait_group(1);
            go(|| {
                for _ in 0..500_000 {
                    gosched();
                }
                wg.done();
            });
            let before = depth();
            for _ in 0..500_000 {
                gosched();
            }
            assert_eq!(depth(), before);
            wg.wait();
        },
    );
}

#[test]
fn t9_lists_of_dead_goroutines_spill_and_refill() {
    ok(
        "t9_lists_of_dead_goroutines_spill_and_refill",
        &[("GOMAXPROCS", "2")],
        || {
            static LAST: AtomicU64 = AtomicU64::new(0);
            static WRONG: AtomicUsize = AtomicUsize::new(0);
            for _ in 0..100 {
                let wg = wait_group(300);
                for _ in 0..300 {
                    go(|| wg.done());
                }
                wg.wait();
                for &p in &sched::allp().ps {
                    // SAFETY: Ps are never freed; a racy count will do. It is 64 for as long as the
                    // list is being spilt.
                    let n = unsafe { ptr::read_volatile(&raw const (*p).gfree.n) };
                    assert!(n <= 64, "{n} dead goroutines on a P");
                }
            }
            assert!(
                SCHED.ngfree.load(Ordering::Relaxed) > 0,
                "nothing was spilt"
            );
            stw::set_gomaxprocs(m(), 1);
            for _ in 0..1000 {
                let wg = wait_group(1);
                go(|| {
                    let id = m().g().goid.0;
                    if LAST.swap(id, Ordering::Relaxed) >= id {
                        WRONG.fetch_add(1, Ordering::Relaxed);
                    }
                    wg.done();
                });
                wg.wait();
            }
            assert_eq!(
                WRONG.load(Ordering::Relaxed),
                0,
                "numbers of a P do not grow"
            );
        },
    );
}

#[test]
fn t12_the_runtime_starts_in_order() {
    let env = [("GOMAXPROCS", "2"), ("GODEBUG", "boottrace=1")];
    let out = run("t12_the_runtime_starts_in_order", &env, || {});
    let err = String::from_utf8_lossy(&out.stderr);
    let steps: Vec<&str> = err
        .lines()
        .filter_map(|l| l.strip_prefix("boot: "))
        .collect();
    assert_eq!(
        steps,
        [
            "args",
            "osinit",
            "schedinit",
            "newproc main",
            "mstart",
            "schedule",
            "execute G1",
            "sysmon started",
            "runtime init",
            "gc enabled",
            "main init",
            "main.main"
        ]
    );
}

#[test]
fn t17_a_destroyed_ring_keeps_its_order() {
    ok(
        "t17_a_destroyed_ring_keeps_its_order",
        &[("GOMAXPROCS", "2")],
        || {
            static ORDER: Mutex<Vec<usize>> = Mutex::new(Vec::new());
            static HOGS: AtomicUsize = AtomicUsize::new(0);
            static STOP: AtomicBool = AtomicBool::new(false);
            // The other P is kept busy by one that queues its followers there, and holds on to it.
            let wg = wait_group(21);
            let fill = move || {
                HOGS.fetch_add(1, Ordering::SeqCst);
                for i in 0..20 {
                    go(move || {
                        ORDER.lock().unwrap().push(i);
                        wg.done();
                    });
                }
                spin_until(&STOP);
                wg.done();
            };
            // Of two Ps the one is destroyed that we are not on: after a stop with one P we have
            // the first.
            stw::set_gomaxprocs(m(), 1);
            stw::set_gomaxprocs(m(), 2);
            assert_eq!(m().p().id, 0);
            go(fill);
            let t = Instant::now();
            while HOGS.load(Ordering::SeqCst) == 0 {
                assert!(t.elapsed() < Duration::from_secs(5));
                safepoint();
            }
            assert_eq!(m().p().id, 0, "the main goroutine keeps its P");
            // No other M is there to steal them before the world stops.
            stw::set_gomaxprocs(m(), 1);
            STOP.store(true, Ordering::Relaxed);
            wg.wait();
            let order = ORDER.lock().unwrap().clone();
            // The last one was in runnext, which goes before the ring.
            let want: Vec<usize> = std::iter::once(19).chain(0..19).collect();
            assert_eq!(order, want);
        },
    );
}

#[test]
fn t17_idle_ps_follow() {
    ok("t17_idle_ps_follow", &[("GOMAXPROCS", "4")], || {
        for n in [1, 8, 4, 2] {
            stw::set_gomaxprocs(m(), n);
            let t = Instant::now();
            loop {
                let text = trace::sched_text(false);
                let brackets = text.split('[').nth(1).unwrap().split(']').next().unwrap();
                assert_eq!(brackets.split_whitespace().count(), n as usize, "{text}");
                assert!(text.contains(&format!("gomaxprocs={n} ")), "{text}");
                if text.contains(&format!("idleprocs={} ", n - 1)) {
                    break;
                }
                assert!(t.elapsed() < Duration::from_secs(2), "{text}");
                sleep_us(1000);
            }
        }
        prologue();
    });
}
