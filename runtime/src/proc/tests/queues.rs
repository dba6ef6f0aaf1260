//! Stealing and batches in forged states.

use super::*;
use crate::p::GList;
use crate::proc::queue::inject_list;
use crate::proc::steal::{Stolen, steal_work};
use crate::runq::RING;
use crate::switches::without;

#[test]
fn t26_half_of_a_ring_oldest_first() {
    forged("queues::t26_half_of_a_ring_oldest_first", 2, |w| {
        w.busy(1);
        let gs: Vec<_> = (0..7).map(|_| w.ring(1)).collect();
        let f = w.find();
        assert_eq!((f.g, f.inherits), (gs[0], false));
        assert_eq!(
            f.why,
            Why::Steal {
                n: 4,
                of: 7,
                from: 1
            }
        );
        w.stop_spinning();
        let drain = |p: *mut P| {
            // SAFETY: only the test touches the ring.
            std::iter::from_fn(|| Some(unsafe { (*p).runq.pop() }).filter(|g| !g.is_null()))
                .collect::<Vec<_>>()
        };
        assert_eq!(drain(w.p(0)), gs[1..4]);
        assert_eq!(drain(w.p(1)), gs[4..]);
    });
}

#[test]
fn t26_at_most_128_at_a_time() {
    forged("queues::t26_at_most_128_at_a_time", 2, |w| {
        w.busy(1);
        for _ in 0..600 {
            w.ring(1);
        }
        assert_eq!(
            w.find().why,
            Why::Steal {
                n: 128,
                of: 600,
                from: 1
            }
        );
    });
}

#[test]
fn t26_runnext_goes_in_the_last_round_only() {
    forged("queues::t26_runnext_goes_in_the_last_round_only", 3, |w| {
        w.busy(1);
        w.busy(2);
        let next = w.next(1);
        let ring = w.ring(2);
        let f = w.find();
        // Whatever the order of the visit, rings come first.
        assert_eq!(
            (f.g, f.why),
            (
                ring,
                Why::Steal {
                    n: 1,
                    of: 1,
                    from: 2
                }
            )
        );
        let f = w.find();
        assert_eq!((f.g, f.why), (next, Why::StealNext { from: 1 }));
        assert!(!f.inherits);
    });
}

/// Nanoseconds to steal `runnext` of the second P in this status.
fn next_steal_ns(w: World, status: PStatus) -> i64 {
    let next = w.next(1);
    // SAFETY: only the test touches the P.
    unsafe {
        (*w.p(1)).status.store(status as u32, Ordering::SeqCst);
        let t = nanotime();
        let (g, _) = runq_steal(w.m, w.p(0), w.p(1), true).expect("there is one");
        let t = nanotime() - t;
        assert_eq!(g, next);
        t
    }
}

#[test]
fn t26d_runnext_of_a_running_p_is_waited_for() {
    forged(
        "queues::t26d_runnext_of_a_running_p_is_waited_for",
        2,
        |w| {
            w.busy(1);
            for _ in 0..100 {
                assert!(next_steal_ns(w, PStatus::Running) >= 3000);
            }
            // The machine may let the thread sleep for longer; no sleep at all would be a fault of
            // the scheduler.
            let least = (0..100).map(|_| next_steal_ns(w, PStatus::Syscall)).min();
            assert!(least < Some(3000), "{least:?}");
            without("runnext-backoff").unwrap();
            let least = (0..100).map(|_| next_steal_ns(w, PStatus::Running)).min();
            assert!(least < Some(3000), "{least:?}");
        },
    );
}

#[test]
fn t26d_a_newer_runnext_has_its_own_wait() {
    forged("queues::t26d_a_newer_runnext_has_its_own_wait", 2, |w| {
        w.busy(1);
        let old = w.next(1);
        NEWER.store(w.g(Status::Runnable) as usize, StdOrdering::SeqCst);
        // While the thief waits, the owner runs the old one and readies another.
        hook(|_, n| {
            if n == WAITED && WAITS.fetch_add(1, StdOrdering::SeqCst) == 0 {
                // SAFETY: we play the owner of the second P.
                let q = unsafe { &(*allp().ps[1]).runq };
                assert!(!q.take_next().is_null());
                q.swap_next(NEWER.load(StdOrdering::SeqCst) as *mut G);
            }
        });
        // SAFETY: as the owner of the first P.
        let (g, _) = unsafe { runq_steal(w.m, w.p(0), w.p(1), true) }.expect("there is one");
        assert_ne!(g, old);
        assert_eq!(g as usize, NEWER.load(StdOrdering::SeqCst));
        assert_eq!(WAITS.load(StdOrdering::SeqCst), 2);
    });
}

/// How often the thief has waited, and the G that came meanwhile.
static WAITS: AtomicUsize = AtomicUsize::new(0);
static NEWER: AtomicUsize = AtomicUsize::new(0);

/// χ² of these counts against equal shares.
fn chi2(counts: &[usize]) -> f64 {
    let n: usize = counts.iter().sum();
    let e = n as f64 / counts.len() as f64;
    counts.iter().map(|&c| (c as f64 - e).powi(2) / e).sum()
}

#[test]
fn t26c_starts_and_strides_are_uniform() {
    // Quantiles of 0.9999 for 31 and 11 degrees of freedom.
    for (procs, limit) in [(8, 66.6), (6, 37.4)] {
        let ps: Vec<*mut P> = (0..procs).map(|i| (i + 1) as *mut P).collect();
        let all = crate::sched::AllP::new(ps);
        let strides = &all.coprimes;
        let mut rand = crate::rand::Rand::new(20_240_601);
        let mut counts = vec![0; procs * strides.len()];
        for _ in 0..100_000 {
            let order: Vec<usize> = all.order(rand.next32()).map(|p| p as usize - 1).collect();
            let (start, second) = (order[0], order[1]);
            let stride = (second + procs - start) % procs;
            let i = strides.iter().position(|&s| s as usize == stride);
            counts[start * strides.len() + i.expect("a coprime")] += 1;
        }
        let x = chi2(&counts);
        assert!(x < limit, "χ² = {x}: {counts:?}");
    }
}

#[test]
fn f14_victims_are_uniform() {
    forged("queues::f14_victims_are_uniform", 8, |w| {
        for i in 1..8 {
            w.busy(i);
        }
        let home = w.m().p;
        let gs: Vec<_> = (0..8).map(|_| w.g(Status::Runnable)).collect();
        let mut counts = [0; 8];
        for n in 0..100_000 {
            // Each P steals in turn; all the others have something.
            let thief = n % 8;
            w.m().p = w.p(thief);
            for i in (0..8).filter(|&i| i != thief) {
                // SAFETY: only the test touches the rings.
                unsafe {
                    if (*w.p(i)).runq.ring_len() == 0 {
                        (*w.p(i)).runq.push(gs[i], usize::MAX).expect("room");
                    }
                }
            }
            // SAFETY: as the owner of the thief, whose ring must be empty.
            let got = unsafe {
                while !(*w.p(thief)).runq.pop().is_null() {}
                match steal_work(w.m, 0) {
                    Stolen::Found(g, how) if !how.inherits() => g,
                    _ => panic!("nothing stolen"),
                }
            };
            counts[gs.iter().position(|&g| g == got).expect("one of ours")] += 1;
        }
        w.m().p = home;
        // 0.9999 quantile for 7 degrees of freedom.
        let x = chi2(&counts);
        assert!(x < 29.9, "χ² = {x}: {counts:?}");
    });
}

#[test]
fn f13_one_fetch_takes_its_share() {
    forged("queues::f13_one_fetch_takes_its_share", 8, |w| {
        for _ in 0..1000 {
            w.global();
        }
        assert_eq!(w.find().why, Why::Global { n: 126 });
        // SAFETY: Ps are never freed.
        let ring = unsafe { (*w.p(0)).runq.ring_len() };
        assert_eq!(ring + 1, 126);
    });
}

#[test]
fn f13_off_one_fetch_fills_the_ring() {
    forged("queues::f13_off_one_fetch_fills_the_ring", 8, |w| {
        without("global-batch").unwrap();
        for _ in 0..1000 {
            w.global();
        }
        assert_eq!(w.find().why, Why::Global { n: 256 });
        // SAFETY: Ps are never freed.
        let ring = unsafe { (*w.p(0)).runq.ring_len() };
        assert_eq!(ring + 1, 256);
    });
}

#[test]
fn t24_injected_goroutines_go_where_idle_ps_look() {
    forged(
        "queues::t24_injected_goroutines_go_where_idle_ps_look",
        4,
        |w| {
            // Two idle Ps, and two sleeping Ms for them.
            w.busy(1);
            let ms: Vec<_> = (0..2)
                .map(|_| {
                    let id = {
                        let _s = SCHED.lock.guard();
                        reserve_id()
                    };
                    let m = alloc_m(id, &NoEngine);
                    let _s = SCHED.lock.guard();
                    // SAFETY: the lock is held.
                    unsafe { SCHED.midle_put(m) };
                    m
                })
                .collect();
            let gs: Vec<_> = (0..300).map(|_| w.g(Status::Waiting)).collect();
            let mut list = GList::new();
            for &g in gs.iter().rev() {
                // SAFETY: the Gs are ours.
                unsafe { list.push(g) };
            }
            // SAFETY: this thread's stack is g0's.
            unsafe { inject_list(w.m, list) };
            for m in ms {
                // SAFETY: m::M1 — an atomic.
                assert!(unsafe { !(*m).nextp.load(Ordering::Acquire).is_null() });
            }
            // SAFETY: only the test touches the queues.
            unsafe {
                // As many as Ps were idle, then what did not fit into the ring.
                assert_eq!((*w.p(0)).runq.ring_len(), RING);
                let _s = SCHED.lock.guard();
                let mut global = Vec::new();
                loop {
                    let g = SCHED.globrunq_pop();
                    if g.is_null() {
                        break;
                    }
                    global.push(g);
                }
                let want: Vec<_> = gs[..2].iter().chain(&gs[258..]).copied().collect();
                assert_eq!(global, want);
                for &g in &gs[2..258] {
                    assert_eq!((*w.p(0)).runq.pop(), g);
                }
            }
        },
    );
}

#[test]
fn t24_without_a_p_all_are_injected_globally() {
    forged(
        "queues::t24_without_a_p_all_are_injected_globally",
        2,
        |w| {
            let mut list = GList::new();
            for _ in 0..5 {
                // SAFETY: the Gs are ours.
                unsafe { list.push(w.g(Status::Waiting)) };
            }
            w.busy(1);
            // SAFETY: this thread's stack is g0's.
            unsafe {
                let p = release_p(w.m);
                inject_list(w.m, list);
                acquire_p(w.m, p);
            }
            assert_eq!(SCHED.runqsize.load(Ordering::Relaxed), 5);
        },
    );
}
