//! T-27: the rows of `handoff_p`, each in a forged state. Row 2 asks a source that does not exist
//! yet (trace reader).

use super::*;

/// What `handoff_p` did with the M's P: the rows it took, and the sleeping M it woke for it, with
/// whether that searches.
fn hand_off(w: World, sleeper: *mut M) -> (Vec<u8>, Option<bool>) {
    trace::listen(true);
    // SAFETY: this thread's stack is g0's; released, the P is ours to give.
    let p = unsafe {
        let p = release_p(w.m);
        handoff_p(w.m, p);
        p
    };
    trace::listen(false);
    let rows = trace::take_events()
        .iter()
        .filter_map(|e| match e.what {
            What::Handoff { why } => Some(why.row()),
            _ => None,
        })
        .collect();
    // SAFETY: m::M1 — atomics.
    let woken = unsafe {
        let next = (*sleeper).nextp.load(Ordering::Acquire);
        assert!(next.is_null() || next == p);
        (!next.is_null()).then(|| (*sleeper).spinning.load(Ordering::Relaxed))
    };
    (rows, woken)
}

/// An M on the idle list, so that no thread is made.
pub(super) fn sleeping(w: World) -> *mut M {
    let _s = SCHED.lock.guard();
    let id = reserve_id();
    // SAFETY: the lock is held.
    unsafe { SCHED.locked().nmsys -= 1 };
    drop(_s);
    let m = alloc_m(id, &NoEngine);
    let _s = SCHED.lock.guard();
    // SAFETY: the lock is held; the M has no thread that could be awake.
    unsafe { SCHED.midle_put(m) };
    let _ = w;
    m
}

fn idle_ps() -> i32 {
    SCHED.npidle.load(Ordering::Relaxed)
}

#[test]
fn t27_row_1_local_work() {
    forged("handoff::t27_row_1_local_work", 2, |w| {
        let s = sleeping(w);
        w.ring(0);
        assert_eq!(hand_off(w, s), (vec![1], Some(false)));
    });
}

#[test]
fn t27_row_1_runnext_is_local_work() {
    forged("handoff::t27_row_1_runnext_is_local_work", 2, |w| {
        let s = sleeping(w);
        w.next(0);
        assert_eq!(hand_off(w, s), (vec![1], Some(false)));
    });
}

#[test]
fn t27_row_1_global_work() {
    forged("handoff::t27_row_1_global_work", 2, |w| {
        let s = sleeping(w);
        w.global();
        assert_eq!(hand_off(w, s), (vec![1], Some(false)));
    });
}

#[test]
fn t27_row_3_there_is_marking_to_do() {
    forged("handoff::t27_row_3_there_is_marking_to_do", 2, |w| {
        let s = sleeping(w);
        // SAFETY: the worker is the test's.
        unsafe { concurrent::forge(w.g(Status::Waiting), 0, 0.0) };
        assert_eq!(hand_off(w, s), (vec![3], Some(false)));
    });
}

#[test]
fn t27_row_4_nobody_searches_and_none_is_idle() {
    forged(
        "handoff::t27_row_4_nobody_searches_and_none_is_idle",
        2,
        |w| {
            let s = sleeping(w);
            w.busy(1);
            SCHED.needspinning.store(1, Ordering::Relaxed);
            assert_eq!(hand_off(w, s), (vec![4], Some(true)));
            assert_eq!(SCHED.nmspinning.load(Ordering::Relaxed), 1);
            assert_eq!(SCHED.needspinning.load(Ordering::Relaxed), 0);
        },
    );
}

#[test]
fn t27_row_4_not_while_somebody_searches() {
    forged("handoff::t27_row_4_not_while_somebody_searches", 3, |w| {
        let s = sleeping(w);
        w.busy(1);
        w.busy(2);
        SCHED.nmspinning.store(1, Ordering::Relaxed);
        assert_eq!(hand_off(w, s), (vec![9], None));
        assert_eq!(idle_ps(), 1);
    });
}

#[test]
fn t27_row_5_the_world_stops() {
    forged("handoff::t27_row_5_the_world_stops", 2, |w| {
        let s = sleeping(w);
        {
            let _s = SCHED.lock.guard();
            // SAFETY: the lock is held.
            unsafe { SCHED.locked().stopwait = 1 };
            SCHED.gcwaiting.store(true, Ordering::SeqCst);
        }
        let p = w.m().p;
        assert_eq!(hand_off(w, s), (vec![5], None));
        // SAFETY: Ps are never freed.
        assert_eq!(unsafe { (*p).status() }, PStatus::GcStop);
        assert!(SCHED.stopnote.tsleep(0), "the stopper is woken");
    });
}

/// How often the safepoint function ran.
static RAN: AtomicUsize = AtomicUsize::new(0);

fn want_safepoint(w: World, f: fn(&mut P)) {
    let _s = SCHED.lock.guard();
    // SAFETY: the lock is held.
    unsafe {
        let l = SCHED.locked();
        l.safepoint_fn = Some(f);
        l.safepoint_wait = 1;
    }
    w.m().p().run_safepoint_fn.store(1, Ordering::SeqCst);
}

#[test]
fn t27_row_6_a_safepoint_function_is_run_here() {
    forged(
        "handoff::t27_row_6_a_safepoint_function_is_run_here",
        4,
        |w| {
            let s = sleeping(w);
            w.busy(1);
            want_safepoint(w, |_| {
                RAN.fetch_add(1, StdOrdering::SeqCst);
            });
            assert_eq!(hand_off(w, s), (vec![6, 9], None));
            assert_eq!(RAN.load(StdOrdering::SeqCst), 1);
            assert!(SCHED.safepoint_note.tsleep(0), "the caller is woken");
        },
    );
}

/// A G made before, for the safepoint function of row 7.
static LATE: AtomicUsize = AtomicUsize::new(0);

#[test]
fn t27_row_7_global_is_looked_at_under_the_lock() {
    forged(
        "handoff::t27_row_7_global_is_looked_at_under_the_lock",
        4,
        |w| {
            let s = sleeping(w);
            w.busy(1);
            LATE.store(w.g(Status::Runnable) as usize, StdOrdering::SeqCst);
            // Runs under the lock, after the first look at the queue.
            want_safepoint(w, |_| {
                // SAFETY: the lock is held, the G ours.
                unsafe { SCHED.globrunq_put(LATE.load(StdOrdering::SeqCst) as *mut G) };
            });
            assert_eq!(hand_off(w, s), (vec![6, 7], Some(false)));
        },
    );
}

#[test]
fn t27_row_8_the_last_p_looks_at_the_network() {
    forged(
        "handoff::t27_row_8_the_last_p_looks_at_the_network",
        3,
        |w| {
            let s = sleeping(w);
            assert_eq!(hand_off(w, s), (vec![8], Some(false)));
            assert_eq!(idle_ps(), 2);
        },
    );
}

#[test]
fn t27_row_8_not_while_somebody_polls() {
    forged("handoff::t27_row_8_not_while_somebody_polls", 3, |w| {
        let s = sleeping(w);
        SCHED.lastpoll.store(0, Ordering::SeqCst);
        assert_eq!(hand_off(w, s), (vec![9], None));
        assert_eq!(idle_ps(), 3);
    });
}

#[test]
fn t27_row_9_idle_and_the_poller_learns_of_timers() {
    forged(
        "handoff::t27_row_9_idle_and_the_poller_learns_of_timers",
        3,
        |w| {
            let s = sleeping(w);
            SCHED.lastpoll.store(0, Ordering::SeqCst);
            w.sleeper(0, 1_000_000_000);
            netpoll::block(0);
            assert!(!netpoll::is_break_pending());
            assert_eq!(hand_off(w, s), (vec![9], None));
            assert!(netpoll::is_break_pending());
            assert_eq!(idle_ps(), 3);
        },
    );
}
