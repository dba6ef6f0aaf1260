#![allow(unsafe_code)]
//! T-25b: of an M that makes work visible and one that stops searching, one sees the other. So
//! there is no state in which a G is runnable, a P idle, and no M searches.

use loom::thread;

use super::forged::{NO_P, Of, given, idle_m, new_g, running, world};
use crate::g::Status;
use crate::proc::{self, GaveUp, LastLook, become_spinning, give_up_p, last_look};
use crate::sched::{SCHED, allp};
use crate::sync::Ordering;
use crate::sync::model::{explore, threads_made};
use crate::trace::SpinBy;
use crate::{G, M};

/// Makes a G runnable on the P of `m`, as `ready` does.
fn submit(m: Of<M>, g: Of<G>, next: bool) {
    // SAFETY: the G is this thread's.
    unsafe { proc::put(m.r(), g.get(), next) };
    proc::wake_p(m.r());
}

/// What an M that has found nothing does before it sleeps: whether it searches on.
fn stop_searching(m: Of<M>) -> bool {
    // SAFETY: this thread plays `m`, which has a P and finds nothing.
    unsafe {
        match give_up_p(m.get()) {
            GaveUp::Kept | GaveUp::Found(_) => true,
            GaveUp::Gone { was_spinning: true } => {
                !matches!(last_look(m.get(), allp()), LastLook::Nothing)
            }
            GaveUp::Gone { .. } => false,
        }
    }
}

/// After `submit` on one P and the end of a search with another: one of the two searches.
fn somebody_searches(searches: bool, other: Of<M>) {
    assert!(
        searches || given(other) != NO_P || threads_made() > 0,
        "work waits, a P is idle, and nobody searches"
    );
    assert!(SCHED.nmspinning.load(Ordering::Relaxed) >= 1);
}

fn hand_over(spinning: bool, next: bool) {
    let ps = world(2);
    let (a, b, other) = (running(0, ps[0]), running(1, ps[1]), idle_m(2));
    if spinning {
        // SAFETY: `b` is this thread's yet.
        unsafe { become_spinning(b.get(), SpinBy::Wake) };
    }
    let g = new_g(Status::Runnable);
    let stopper = thread::spawn(move || stop_searching(b));
    submit(a, g, next);
    let searches = stopper.join().unwrap();
    somebody_searches(searches, other);
}

#[test]
fn loom_spin_last_searcher_and_runnext() {
    explore(|| hand_over(true, true));
}

#[test]
fn loom_spin_last_searcher_and_ring() {
    explore(|| hand_over(true, false));
}

#[test]
fn loom_spin_idle_p_is_wanted() {
    explore(|| hand_over(false, true));
}

/// Two submit, on two Ps, while the last searcher stops.
#[test]
fn loom_spin_two_submit() {
    explore(|| {
        let ps = world(3);
        let (a, b, c) = (running(0, ps[0]), running(1, ps[1]), running(2, ps[2]));
        let other = idle_m(3);
        // SAFETY: `c` is this thread's yet.
        unsafe { become_spinning(c.get(), SpinBy::Wake) };
        let (g, h) = (new_g(Status::Runnable), new_g(Status::Runnable));
        let stopper = thread::spawn(move || stop_searching(c));
        let second = thread::spawn(move || submit(b, h, true));
        submit(a, g, true);
        second.join().unwrap();
        let searches = stopper.join().unwrap();
        somebody_searches(searches, other);
    });
}

/// The count of searchers agrees with the Ms that search, or are being started to (proc::R3).
#[test]
fn loom_spin_count_is_exact() {
    explore(|| {
        let ps = world(2);
        let (a, b, other) = (running(0, ps[0]), running(1, ps[1]), idle_m(2));
        // SAFETY: `b` is this thread's yet.
        unsafe { become_spinning(b.get(), SpinBy::Wake) };
        let (g, h) = (new_g(Status::Runnable), new_g(Status::Runnable));
        let second = thread::spawn(move || stop_searching(b));
        submit(a, g, true);
        submit(a, h, true);
        let b_searches = second.join().unwrap();
        let woken = given(other) != NO_P;
        let made = i32::from(woken) + threads_made() as i32 + i32::from(b_searches);
        assert_eq!(SCHED.nmspinning.load(Ordering::Relaxed), made, "R3");
    });
}

/// `wake_p` wanted a searcher before: the next call may leave it at that, for the M that goes idle
/// searches first, and looks again when it stops.
#[test]
fn loom_spin_wish_is_kept() {
    explore(|| {
        let ps = world(2);
        let (a, b, other) = (running(0, ps[0]), running(1, ps[1]), idle_m(2));
        SCHED.needspinning.store(1, Ordering::Relaxed);
        let g = new_g(Status::Runnable);
        let p = ps[0];
        let second = thread::spawn(move || {
            for _ in 0..3 {
                if !stop_searching(b) {
                    return false;
                }
                if !p.r().runq.is_empty() {
                    break;
                }
            }
            true
        });
        submit(a, g, true);
        let searches = second.join().unwrap();
        somebody_searches(searches, other);
    });
}
