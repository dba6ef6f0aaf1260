//! Stops of the world, forEachP, yields, wired Ms, mutexes, shuffles and schedtrace in forged
//! states.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicI32;

use super::handoff::sleeping;
use super::*;
use crate::YieldKind;
use crate::cpus;
use crate::knobs::{self, Knob};
use crate::mutex::{self, Mutex};
use crate::proc::locked::stop_locked_m;
use crate::proc::park::yield_m;
use crate::proc::queue::runq_put_batch;
use crate::trace::SpinBy;

/// Whether `m`, which sleeps, was made a searcher, and by what events.
fn is_searcher(m: *mut M, events: &[Event]) -> bool {
    // SAFETY: m::M1 — atomics.
    let (p, spins) = unsafe {
        (
            (*m).nextp.load(Ordering::Acquire),
            (*m).spinning.load(Ordering::Relaxed),
        )
    };
    let started = events
        .iter()
        .filter(|e| {
            matches!(
                e.what,
                What::SpinStart {
                    by: SpinBy::Wake,
                    ..
                }
            )
        })
        .count();
    assert_eq!(!p.is_null(), spins);
    assert_eq!(started, usize::from(spins));
    spins
}

#[test]
fn t25_a_yield_to_the_global_queue_starts_a_searcher() {
    forged(
        "stops::t25_a_yield_to_the_global_queue_starts_a_searcher",
        4,
        |w| {
            w.main_runs();
            let yields = |kind| {
                let s = sleeping(w);
                w.current();
                // SAFETY: this thread's stack is g0's.
                let events = record(|| unsafe { yield_m(w.m, kind) });
                let started = is_searcher(s, &events);
                SCHED.nmspinning.store(0, Ordering::SeqCst);
                started
            };
            assert!(yields(YieldKind::Gosched));
            assert!(yields(YieldKind::Preempt));
            assert_eq!(SCHED.runqsize.load(Ordering::Relaxed), 2);
            assert!(!yields(YieldKind::Local), "what is its own waits for it");
        },
    );
}

fn stop_and_start(w: World) {
    stw::stopped(w.m(), "GOMAXPROCS", &mut |_| {
        for &p in &allp().ps {
            // SAFETY: Ps are never freed.
            assert_eq!(unsafe { (*p).status() }, PStatus::GcStop);
        }
    });
}

/// The P that was handed to a sleeping M, or null.
fn handed(m: *mut M) -> *mut P {
    // SAFETY: m::M1 — an atomic.
    unsafe { (*m).nextp.load(Ordering::Acquire) }
}

#[test]
fn t55_a_p_gets_its_m_back() {
    forged("stops::t55_a_p_gets_its_m_back", 4, |w| {
        let [a, b, c] = [(); 3].map(|()| sleeping(w));
        for (i, old) in [(1, a), (2, b), (3, a)] {
            w.ring(i);
            // SAFETY: only the test touches the P.
            unsafe { (*w.p(i)).old_m = old };
        }
        stop_and_start(w);
        // Those that slept last come first where one has none of its own, or another has it.
        assert_eq!(handed(a), w.p(1));
        assert_eq!(handed(b), w.p(2));
        assert_eq!(handed(c), w.p(3));
    });
}

#[test]
fn t55_an_idle_p_gets_a_worker() {
    forged("stops::t55_an_idle_p_gets_a_worker", 4, |w| {
        let (a, b) = (sleeping(w), sleeping(w));
        w.ring(1);
        // SAFETY: the workers are the test's, and so are the Ps.
        unsafe {
            let [_, worker] = [(); 2].map(|()| {
                let g = w.g(Status::Waiting);
                concurrent::forge(g, 1, 0.0);
                g
            });
            stop_and_start(w);
            // One P was to be had: the lowest idle one is looked at last.
            assert_eq!((*w.p(3)).next_worker, worker);
            assert!((*w.p(2)).next_worker.is_null());
            assert_eq!((handed(b), handed(a)), (w.p(1), w.p(3)));
            // Another P can have it, if that one does not want it.
            concurrent::return_worker(w.p(3));
            assert_eq!(w.find().g, worker);
        }
    });
}

#[test]
fn t55_the_start_of_the_world_starts_a_searcher() {
    forged(
        "stops::t55_the_start_of_the_world_starts_a_searcher",
        3,
        |w| {
            w.main_runs();
            let s = sleeping(w);
            let events = record(|| stop_and_start(w));
            assert!(is_searcher(s, &events));
        },
    );
}

#[test]
fn t55_ps_in_calls_are_stopped_by_the_stopper() {
    forged(
        "stops::t55_ps_in_calls_are_stopped_by_the_stopper",
        4,
        |w| {
            must_end("Ps in system calls do not stop by themselves");
            w.in_call(1);
            w.in_call(3);
            // SAFETY: Ps are never freed; an atomic.
            let calls = |i| unsafe { (*w.p(i)).syscalltick.load(Ordering::Relaxed) };
            let before = calls(1);
            let events = record(|| stop_and_start(w));
            let stopped: Vec<_> = events
                .iter()
                .filter(|e| {
                    e.what
                        == What::PStatusIs {
                            from: PStatus::Syscall,
                            to: PStatus::GcStop,
                        }
                })
                .map(|e| e.p)
                .collect();
            assert_eq!(stopped, [1, 3]);
            assert_eq!(calls(1), before + 1, "its M shall see that it was taken");
        },
    );
}

/// Makes it look as if P `i` ran a G, which misses `lost` requests to stop and then obeys: the P
/// is left to `obey`, with the lock held.
fn deaf(w: World, lost: usize, obey: fn(*mut P)) {
    w.busy(1);
    let g = w.g(Status::Running);
    // SAFETY: Ps, Ms and Gs are never freed; an atomic.
    unsafe {
        let other = (*w.p(1)).m.load(Ordering::Relaxed);
        (*other).curg_seen.store(g, Ordering::Relaxed);
    }
    let g = g as usize;
    thread::spawn(move || {
        // SAFETY: Gs are never freed; an atomic.
        let asked = unsafe { &(*(g as *mut G)).preempt };
        for _ in 0..=lost {
            wait_until(|| asked.load(Ordering::SeqCst));
            asked.store(false, Ordering::SeqCst);
        }
        let _s = SCHED.lock.guard();
        obey(allp().ps[1]);
    });
}

#[test]
fn t55_the_stopper_asks_again() {
    forged("stops::t55_the_stopper_asks_again", 3, |w| {
        must_end("the first request was lost, and there is no other");
        deaf(w, 3, |p| {
            // SAFETY: the lock is held.
            unsafe {
                (*p).set_status(PStatus::GcStop);
                let l = SCHED.locked();
                l.stopwait -= 1;
                assert_eq!(l.stopwait, 0);
                SCHED.stopnote.wakeup();
            }
        });
        stop_and_start(w);
    });
}

/// How often the function of [`every_p`] ran, by P.
static RAN: [AtomicUsize; 4] = [const { AtomicUsize::new(0) }; 4];

/// Runs a function for every P.
fn every_p(w: World) -> Vec<usize> {
    w.current();
    stw::for_each_p(w.m(), |p| {
        RAN[p.id].fetch_add(1, StdOrdering::SeqCst);
    });
    let ran = RAN.iter().take(allp().ps.len());
    ran.map(|n| n.load(StdOrdering::SeqCst)).collect()
}

#[test]
fn t56_ps_in_calls_run_the_function_too() {
    forged("stops::t56_ps_in_calls_run_the_function_too", 4, |w| {
        must_end("Ps in system calls run nothing by themselves");
        sleeping(w);
        w.in_call(1);
        w.in_call(3);
        assert_eq!(every_p(w), [1, 1, 1, 1]);
        // SAFETY: Ps are never freed.
        assert_eq!(unsafe { (*w.p(1)).status() }, PStatus::Idle);
    });
}

#[test]
fn t56_who_runs_is_asked_again() {
    forged("stops::t56_who_runs_is_asked_again", 3, |w| {
        must_end("the first request was lost, and there is no other");
        // SAFETY: the lock is held, the P ours.
        deaf(w, 3, |p| unsafe { stw::run_safepoint_locked(p) });
        assert_eq!(every_p(w), [1, 1, 1]);
    });
}

#[test]
fn t17_timers_of_a_destroyed_p_fire() {
    forged("stops::t17_timers_of_a_destroyed_p_fire", 3, |w| {
        must_end("no P has the timer");
        let (late, soon) = (w.sleeper(1, 20_000_000), w.sleeper(2, 1_000_000));
        // SAFETY: Ps are never freed; atomics.
        let due = |i: usize| unsafe { (*w.p(i)).timers.next_when() };
        let (second, first) = (due(1), due(2));
        assert!(first != 0 && first < second);
        stw::set_gomaxprocs(w.m(), 1);
        assert_eq!(allp().ps.len(), 1);
        assert_eq!(due(0), first);
        assert_eq!(w.find().g, soon);
        assert_eq!(due(0), second);
        assert_eq!(w.find().g, late);
    });
}

#[test]
fn t58_waiting_for_the_wired_goroutine_can_be_the_deadlock() {
    let name = "stops::t58_waiting_for_the_wired_goroutine_can_be_the_deadlock";
    let out = forged_child(name, 2, |w| {
        must_end("an M waits for its goroutine, which nothing will wake");
        w.main_runs();
        // The other M, which `World` has counted, runs no goroutines.
        {
            let _s = SCHED.lock.guard();
            // SAFETY: the lock is held.
            unsafe { SCHED.locked().nmsys += 1 };
        }
        // No M is started for the sake of the network.
        SCHED.lastpoll.store(0, Ordering::SeqCst);
        let g = w.g(Status::Waiting);
        w.m().lockedg.store(g, Ordering::Relaxed);
        // SAFETY: the G is ours; this thread's stack is g0's.
        unsafe {
            (*g).lockedm.store(w.m, Ordering::Relaxed);
            stop_locked_m(w.m);
        }
    });
    let text = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{text}");
    let first = text.lines().find(|l| l.starts_with("fatal error"));
    assert_eq!(
        first,
        Some("fatal error: all goroutines are asleep - deadlock!"),
        "{text}"
    );
}

/// 1 - 10⁻⁶ quantile of χ² for 23 degrees of freedom.
const CHI2_23: f64 = 70.5;

#[test]
fn t20b_the_shuffle_is_uniform() {
    forged("stops::t20b_the_shuffle_is_uniform", 2, |w| {
        const ROUNDS: usize = 24_000;
        knobs::set(Knob::RandomizeScheduler, 1);
        let gs: Vec<*mut G> = (0..4).map(|_| w.g(Status::Runnable)).collect();
        let mut orders: BTreeMap<Vec<*mut G>, usize> = BTreeMap::new();
        for _ in 0..ROUNDS {
            // SAFETY: this thread's stack is g0's; the P and the Gs are ours.
            let order = unsafe {
                runq_put_batch(w.m, w.m().p, &mut gs.clone());
                (0..4).map(|_| w.m().p().runq.pop()).collect()
            };
            *orders.entry(order).or_default() += 1;
        }
        assert_eq!(orders.len(), 24, "each order occurs");
        let e = ROUNDS as f64 / 24.0;
        let x: f64 = orders.values().map(|&n| (n as f64 - e).powi(2) / e).sum();
        assert!(x < CHI2_23, "χ² = {x}: {:?}", orders.values());
    });
}

/// A mutex whose state is this.
fn mutex_in(state: i32) -> &'static [AtomicI32; 2] {
    Box::leak(Box::new([AtomicI32::new(state), AtomicI32::new(0)]))
}

const LOCKED: i32 = 1;
const WOKEN: i32 = 2;
const STARVING: i32 = 4;
const WAITER: i32 = 8;

/// The mutex that is spun for, its states as a spinner has seen them, and when it becomes free: at
/// that try.
static SPUN_FOR: AtomicUsize = AtomicUsize::new(0);
static SEEN: std::sync::Mutex<Vec<i32>> = std::sync::Mutex::new(Vec::new());
static FREE_AT: AtomicUsize = AtomicUsize::new(0);

/// Asks for a mutex in this state, which becomes free at the try of that number (0: never): whether
/// it was taken at once, what the tries saw, and the state that is left.
fn spin_for(w: World, state: i32, free_at: usize) -> (bool, Vec<i32>, i32) {
    let mu = mutex_in(state);
    SPUN_FOR.store(mu.as_ptr() as usize, StdOrdering::SeqCst);
    FREE_AT.store(free_at, StdOrdering::SeqCst);
    SEEN.lock().unwrap().clear();
    hook(|_, n| {
        if n != SPUN {
            return;
        }
        // SAFETY: set above, and never freed.
        let state = unsafe { &*(SPUN_FOR.load(StdOrdering::SeqCst) as *const AtomicI32) };
        let mut seen = SEEN.lock().unwrap();
        seen.push(state.load(StdOrdering::SeqCst));
        if seen.len() == FREE_AT.load(StdOrdering::SeqCst) {
            state.fetch_sub(LOCKED, StdOrdering::SeqCst);
        }
    });
    let g = w.current();
    // SAFETY: laid out as a mutex; the G is current, and parks if it must.
    let taken = unsafe {
        match mutex::lock(w.m(), &mut *g, mu.as_ptr().cast::<Mutex>()) {
            SyncOp::Done => true,
            SyncOp::Blocked => !park_m(w.m),
            op => panic!("{op:?}"),
        }
    };
    let seen = SEEN.lock().unwrap().clone();
    (taken, seen, mu[0].load(StdOrdering::SeqCst))
}

#[test]
fn t51_a_locked_mutex_is_spun_for() {
    forged("stops::t51_a_locked_mutex_is_spun_for", 4, |w| {
        w.busy(1);
        w.busy(2);
        // With one CPU no other thread could free it meanwhile.
        let tries = |n: usize| if cpus::at_start() > 1 { n } else { 0 };
        if tries(1) == 1 {
            assert_eq!(spin_for(w, LOCKED, 3), (true, vec![LOCKED; 3], LOCKED));
            // If others wait the spinner stands for a woken one, lest the unlock wake another.
            let woken = LOCKED | WOKEN | WAITER;
            assert_eq!(
                spin_for(w, LOCKED | WAITER, 2),
                (true, vec![woken; 2], LOCKED | WAITER)
            );
        }
        // Four tries, then it queues.
        assert_eq!(
            spin_for(w, LOCKED, 0),
            (false, vec![LOCKED; tries(4)], LOCKED | WAITER)
        );
        let starving = LOCKED | STARVING | WAITER;
        assert_eq!(spin_for(w, starving, 0), (false, vec![], starving + WAITER));
        // Not while something waits for this P …
        w.ring(0);
        assert_eq!(spin_for(w, LOCKED, 0), (false, vec![], LOCKED | WAITER));
        assert!(!w.m().p().runq.pop().is_null());
        // … nor if all the others search, as nothing runs that could free it.
        SCHED.nmspinning.store(2, Ordering::SeqCst);
        assert_eq!(spin_for(w, LOCKED, 0), (false, vec![], LOCKED | WAITER));
    });
}

#[test]
fn t64_the_line_agrees_with_the_state() {
    forged("stops::t64_the_line_agrees_with_the_state", 4, |w| {
        let line = || {
            let text = trace::sched_text(false);
            let (head, rest) = text.split_once("ms: ").expect("a line");
            assert!(head.starts_with("SCHED "), "{text}");
            rest.to_string()
        };
        // Two Ms are counted: our own, and the one that `World` supposes.
        assert_eq!(
            line(),
            "gomaxprocs=4 idleprocs=3 threads=2 spinningthreads=0 needspinning=0 idlethreads=0 \
             runqueue=0 [ 0 0 0 0 ] schedticks=[ 1 0 0 0 ]\n"
        );
        w.busy(2);
        sleeping(w);
        for _ in 0..3 {
            w.ring(2);
        }
        w.ring(0);
        w.next(0);
        for _ in 0..5 {
            w.global();
        }
        w.set_tick(77);
        SCHED.nmspinning.store(1, Ordering::Relaxed);
        SCHED.needspinning.store(1, Ordering::Relaxed);
        assert_eq!(
            line(),
            "gomaxprocs=4 idleprocs=2 threads=3 spinningthreads=1 needspinning=1 idlethreads=1 \
             runqueue=5 [ 1 0 3 0 ] schedticks=[ 77 0 0 0 ]\n"
        );
    });
}
