#![allow(unsafe_code)]
//! Local and global run queues, `runnext`, the tick, park and ready, yields.

mod common;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::time::Duration;

use common::{Sema, go, gosched, m, ok, record, run, wait_group, yield_local};
use gosched_runtime::G;
use gosched_runtime::runq::{RING, RunQ};
use gosched_runtime::trace::{Event, What, Why};

static ORDER: Mutex<Vec<usize>> = Mutex::new(Vec::new());

fn note(i: usize) {
    ORDER.lock().unwrap().push(i);
}

fn noted() -> Vec<usize> {
    ORDER.lock().unwrap().clone()
}

/// A number as what a queue holds; never looked into.
fn item(n: usize) -> *mut G {
    (n * 16) as *mut G
}

#[test]
fn t18_every_item_is_taken_once_and_in_order() {
    const ITEMS: usize = 10_000_000;
    const THIEVES: usize = 3;
    static DONE: AtomicBool = AtomicBool::new(false);
    gosched_runtime::faults::read_environment();
    let owner: &'static RunQ = Box::leak(Box::new(RunQ::new()));
    let taken: &'static [std::sync::atomic::AtomicU8] =
        Vec::leak((0..ITEMS).map(|_| Default::default()).collect());
    let take = |g: *mut G, last: &mut usize| {
        let n = g as usize / 16;
        assert_eq!(taken[n - 1].fetch_add(1, Ordering::Relaxed), 0, "item {n}");
        assert!(n > *last, "{n} after {last}");
        *last = n;
    };
    let thieves: Vec<_> = (0..THIEVES)
        .map(|_| {
            std::thread::spawn(move || {
                let (own, mut last, mut n) = (RunQ::new(), 0, 0);
                loop {
                    let (mut g, _) = owner.steal_into(&own);
                    if g.is_null() {
                        if DONE.load(Ordering::Acquire) && owner.is_empty() {
                            return n;
                        }
                        std::hint::spin_loop();
                        continue;
                    }
                    while !g.is_null() {
                        take(g, &mut last);
                        n += 1;
                        g = own.pop();
                    }
                }
            })
        })
        .collect();
    let (mut last, mut own, mut longest) = (0, 0, 0);
    for n in 1..=ITEMS {
        while owner.push(item(n), RING).is_err() {
            let g = owner.pop();
            if !g.is_null() {
                take(g, &mut last);
                own += 1;
            }
        }
        longest = longest.max(owner.ring_len());
    }
    DONE.store(true, Ordering::Release);
    let stolen: usize = thieves.into_iter().map(|t| t.join().unwrap()).sum();
    assert_eq!(own + stolen, ITEMS);
    assert!(longest <= RING, "{longest} in a ring");
    assert!(own > 0 && stolen > 0, "{own} own, {stolen} stolen");
}

#[test]
fn t18b_a_queue_of_200_runs_in_order() {
    ok(
        "t18b_a_queue_of_200_runs_in_order",
        &[("GOMAXPROCS", "1")],
        || {
            let wg = wait_group(200);
            for i in 0..200 {
                go(move || {
                    note(i);
                    wg.done();
                });
            }
            wg.wait();
            // The last spawned has run first, from runnext.
            let want: Vec<usize> = std::iter::once(199).chain(0..199).collect();
            assert_eq!(noted(), want);
        },
    );
}

#[test]
fn t19_the_last_woken_runs_first() {
    ok(
        "t19_the_last_woken_runs_first",
        &[("GOMAXPROCS", "1")],
        || {
            static QUEUE: Sema = Sema::new(0);
            let wg = wait_group(5);
            for i in 0..5 {
                go(move || {
                    QUEUE.acquire();
                    note(i);
                    wg.done();
                });
                gosched();
            }
            for _ in 0..5 {
                QUEUE.release();
            }
            wg.wait();
            assert_eq!(noted(), [4, 0, 1, 2, 3]);
        },
    );
}

fn overflows(events: &[Event]) -> Vec<u32> {
    let n = events.iter().filter_map(|e| match e.what {
        What::Overflow { n, .. } => Some(n),
        _ => None,
    });
    n.collect()
}

#[test]
fn t20_a_full_ring_overflows_by_129() {
    ok(
        "t20_a_full_ring_overflows_by_129",
        &[("GOMAXPROCS", "1")],
        || {
            let wg = wait_group(600);
            let events = record(|| {
                for _ in 0..600 {
                    go(|| wg.done());
                }
                wg.wait();
            });
            assert_eq!(overflows(&events), [129, 129, 129]);
        },
    );
}

/// The order in which 600 goroutines run with a random scheduler.
fn random_order(name: &str, seed: u64) -> Vec<usize> {
    let env = [
        ("GOMAXPROCS", "1"),
        ("GODEBUG", "randomizescheduler=1"),
        ("T20B_SEED", &seed.to_string()),
    ];
    if std::env::var("RT_CHILD").is_ok() {
        let seed = std::env::var("T20B_SEED").unwrap().parse().unwrap();
        gosched_runtime::proc::set_seed(seed);
    }
    let out = run(name, &env, || {
        let wg = wait_group(600);
        for i in 0..600 {
            go(move || {
                note(i);
                wg.done();
            });
        }
        wg.wait();
        println!("ORDER {:?}", noted());
    });
    let text = String::from_utf8_lossy(&out.stdout);
    let line = text.lines().find_map(|l| Some(l.split_once("ORDER [")?.1));
    let line = line.unwrap_or_else(|| panic!("no order: {out:?}"));
    let numbers = line.trim_end_matches(']').split(", ");
    numbers.map(|n| n.parse().unwrap()).collect()
}

#[test]
fn t20b_a_random_scheduler_has_another_order_each_time() {
    let name = "t20b_a_random_scheduler_has_another_order_each_time";
    let orders: Vec<Vec<usize>> = (1..=4).map(|seed| random_order(name, seed)).collect();
    for order in &orders {
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..600).collect::<Vec<_>>(), "each runs once");
    }
    for (i, a) in orders.iter().enumerate() {
        for b in &orders[..i] {
            assert_ne!(a, b);
        }
        // What overflows together comes back shuffled: the coin for runnext alone leaves most
        // goroutines behind the one that was spawned before them.
        let up = a.windows(2).filter(|w| w[0] < w[1]).count();
        assert!(up < 420, "{up} of 599 in order");
    }
}

/// Whether the 61st tick took the marker, and the ticks it waited, each time.
fn marker_waits() -> Vec<(bool, u32)> {
    static STOP: AtomicBool = AtomicBool::new(false);
    static BEGAN: AtomicU32 = AtomicU32::new(0);
    const ENOUGH: u32 = 150_000;
    let tick = || m().p().schedtick.load(Ordering::Relaxed);
    for _ in 0..40 {
        go(move || {
            while !STOP.load(Ordering::Relaxed) {
                yield_local();
                if tick() - BEGAN.load(Ordering::Relaxed) > ENOUGH {
                    return;
                }
            }
        });
    }
    BEGAN.store(tick(), Ordering::Relaxed);
    yield_local();
    let mut waits = Vec::new();
    for _ in 0..20 {
        let before = tick();
        BEGAN.store(before, Ordering::Relaxed);
        let events = record(gosched);
        let ticks = tick() - before;
        let me = m().g().goid;
        let by_tick = events.iter().any(|e| {
            e.g == me
                && matches!(
                    e.what,
                    What::Start {
                        why: Why::Global61,
                        ..
                    }
                )
        });
        waits.push((by_tick, ticks));
        if ticks > 61 {
            break;
        }
        // Another ten milliseconds pass.
        let t = std::time::Instant::now();
        while t.elapsed() < Duration::from_millis(10) {
            BEGAN.store(tick(), Ordering::Relaxed);
            yield_local();
        }
    }
    STOP.store(true, Ordering::Relaxed);
    waits
}

#[test]
fn t22_the_marker_waits_at_most_61_ticks() {
    ok(
        "t22_the_marker_waits_at_most_61_ticks",
        &[("GOMAXPROCS", "1")],
        || {
            for (by_tick, ticks) in marker_waits() {
                assert!(by_tick && ticks <= 61, "{ticks} ticks");
            }
        },
    );
}

#[test]
fn t22_off_the_marker_waits_until_the_ring_is_empty() {
    ok(
        "t22_off_the_marker_waits_until_the_ring_is_empty",
        &[("GOMAXPROCS", "1")],
        || {
            gosched_runtime::switches::without("global-poll").unwrap();
            let waits = marker_waits();
            assert!(!waits[0].0 && waits[0].1 > 100_000, "{waits:?}");
        },
    );
}

#[test]
fn t23_wired_goroutines_begin_slices() {
    ok(
        "t23_wired_goroutines_begin_slices",
        &[("GOMAXPROCS", "1")],
        || {
            static PAIR: [Sema; 2] = [const { Sema::new(0) }; 2];
            const ROUNDS: usize = 50;
            let events = record(|| {
                let wg = wait_group(2);
                for side in 0..2 {
                    go(move || {
                        if side == 0 {
                            gosched_runtime::proc::lock_os_thread(m()).unwrap();
                        }
                        for _ in 0..ROUNDS {
                            // What wakes it puts it into runnext, which else inherits the slice.
                            PAIR[side].release();
                            PAIR[1 - side].acquire();
                        }
                        wg.done();
                    });
                }
                wg.wait();
            });
            let mut last = None;
            let mut wired = 0;
            for e in &events {
                if let What::Start {
                    why, inherit, tick, ..
                } = e.what
                {
                    if why == Why::Wired {
                        assert!(!inherit, "{e:?}");
                        wired += 1;
                    }
                    if let Some(last) = last.replace(tick) {
                        assert_eq!(tick, last + u32::from(!inherit), "{e:?}");
                    }
                }
            }
            assert!(wired >= ROUNDS / 4, "{wired} starts");
        },
    );
}

#[test]
fn t23_ticks_count_the_new_slices() {
    ok(
        "t23_ticks_count_the_new_slices",
        &[("GOMAXPROCS", "2")],
        || {
            static SEMA: Sema = Sema::new(0);
            static PAIR: [Sema; 2] = [const { Sema::new(0) }; 2];
            let ticks = || {
                let ps = &gosched_runtime::sched::allp().ps;
                // SAFETY: Ps are never freed.
                ps.iter()
                    .map(|&p| unsafe { (*p).schedtick.load(Ordering::Relaxed) })
                    .collect::<Vec<_>>()
            };
            let before = Mutex::new(Vec::new());
            let after = Mutex::new(Vec::new());
            let events = record(|| {
                gosched_runtime::stw::stopped(m(), "unknown", &mut |_| {
                    gosched_runtime::trace::take_events();
                    *before.lock().unwrap() = ticks();
                });
                // Two that wake one another inherit the slice.
                let wg = wait_group(302);
                for side in 0..2 {
                    go(move || {
                        for _ in 0..100 {
                            PAIR[side].release();
                            PAIR[1 - side].acquire();
                        }
                        wg.done();
                    });
                }
                for i in 0..300 {
                    go(move || {
                        match i % 4 {
                            0 => gosched(),
                            1 => yield_local(),
                            2 => SEMA.acquire(),
                            _ => SEMA.release(),
                        }
                        wg.done();
                    });
                }
                wg.wait();
                for _ in 0..50 {
                    gosched();
                }
                gosched_runtime::stw::stopped(m(), "unknown", &mut |_| {
                    gosched_runtime::trace::listen(false);
                    *after.lock().unwrap() = ticks();
                });
            });
            let (mut fresh, mut inherited) = (vec![0; 2], 0);
            for e in &events {
                match e.what {
                    What::Start { inherit: true, .. } => inherited += 1,
                    What::Start { inherit: false, .. } => fresh[e.p as usize] += 1,
                    _ => {}
                }
            }
            let (before, after) = (before.lock().unwrap(), after.lock().unwrap());
            for p in 0..2 {
                assert_eq!(after[p] - before[p], fresh[p], "P{p} of {events:?}");
            }
            assert!(inherited > 0, "no inherited start");
        },
    );
}

#[test]
fn t28_park_and_ready_lose_nothing() {
    ok(
        "t28_park_and_ready_lose_nothing",
        &[("GOMAXPROCS", "8")],
        || {
            const ROUNDS: usize = 1_000_000;
            const WAKERS: usize = 8;
            // One goroutine waits for a flag, which eight others set.
            static FLAG: Sema = Sema::new(0);
            static LEFT: AtomicUsize = AtomicUsize::new(ROUNDS);
            static ROOM: Sema = Sema::new(WAKERS);
            let wg = wait_group(WAKERS + 1);
            for _ in 0..WAKERS {
                go(|| {
                    while LEFT
                        .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| n.checked_sub(1))
                        .is_ok()
                    {
                        ROOM.acquire();
                        FLAG.release();
                    }
                    wg.done();
                });
            }
            go(|| {
                for _ in 0..ROUNDS {
                    FLAG.acquire();
                    ROOM.release();
                }
                wg.done();
            });
            wg.wait();
        },
    );
}

#[test]
fn t29_gosched_alternates() {
    ok("t29_gosched_alternates", &[("GOMAXPROCS", "1")], || {
        let wg = wait_group(2);
        for i in 0..2 {
            go(move || {
                for _ in 0..5 {
                    note(i);
                    gosched();
                }
                wg.done();
            });
        }
        wg.wait();
        assert_eq!(noted(), [1, 0, 1, 0, 1, 0, 1, 0, 1, 0]);
    });
}

#[test]
fn t29_a_local_yield_lets_the_ring_go_first() {
    ok(
        "t29_a_local_yield_lets_the_ring_go_first",
        &[("GOMAXPROCS", "1")],
        || {
            let wg = wait_group(3);
            // Two in the local queue, one of them in runnext, and one in the global queue.
            go(|| {
                gosched();
                note(9);
                wg.done();
            });
            yield_local();
            for i in 0..2 {
                go(move || {
                    note(i);
                    wg.done();
                });
            }
            yield_local();
            note(5);
            wg.wait();
            assert_eq!(noted(), [1, 0, 5, 9]);
        },
    );
}

#[test]
fn t29_a_guarded_yield_respects_holds() {
    ok(
        "t29_a_guarded_yield_respects_holds",
        &[("GOMAXPROCS", "1")],
        || {
            use gosched_runtime::{preempt, proc};
            go(|| note(1));
            preempt::acquire_m(m());
            proc::gosched_guarded(m());
            assert_eq!(noted(), [0; 0]);
            preempt::release_m(m());
            proc::gosched_guarded(m());
            assert_eq!(noted(), [1]);
        },
    );
}

#[test]
fn t24_disabled_goroutines_of_the_user_wait() {
    ok(
        "t24_disabled_goroutines_of_the_user_wait",
        &[("GOMAXPROCS", "1")],
        || {
            use gosched_runtime::{Outcome, YieldKind, proc, sched};
            static TURNS: AtomicUsize = AtomicUsize::new(0);
            let wg = wait_group(5);
            // One of the runtime's own, which allows the others again at its third turn.
            proc::spawn_system(m(), |m, _| {
                note(100);
                match TURNS.fetch_add(1, Ordering::Relaxed) {
                    0..2 => Outcome::Yield(YieldKind::Gosched),
                    _ => {
                        gosched_runtime::coro::on_g0(m, |m| sched::enable_user(m, true));
                        Outcome::Exit
                    }
                }
            });
            for i in 0..5 {
                go(move || {
                    note(i);
                    wg.done();
                });
            }
            gosched_runtime::coro::on_g0(m(), |m| sched::enable_user(m, false));
            gosched();
            wg.wait();
            assert_eq!(noted(), [100, 100, 100, 4, 0, 1, 2, 3]);
        },
    );
}
