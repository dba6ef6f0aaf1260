#![allow(unsafe_code)]
//! The semaphore: `acquire` and `release` cannot miss one another.

use loom::thread;

use super::forged::{Of, running, running_g, world};
use crate::g::{Status, WaitReason};
use crate::mutex::SyncOp;
use crate::proc;
use crate::sema;
use crate::sync::model::{explore, keep, touch};
use crate::sync::{AtomicU32, Ordering};
use crate::{G, M};

/// Acquires as `m`; whether it went through at once. Else its G is parked.
fn acquire(m: Of<M>, g: Of<G>, s: Of<AtomicU32>) -> bool {
    // SAFETY: this thread plays `m`, whose current G is `g`.
    unsafe {
        match sema::acquire(m.r(), g.r(), s.get(), false, WaitReason::Semacquire) {
            SyncOp::Done => true,
            SyncOp::Blocked => {
                assert!(proc::park_m(m.get()));
                false
            }
            other => panic!("{other:?}"),
        }
    }
}

fn semaphore() -> Of<AtomicU32> {
    let s = Of(keep(AtomicU32::new(0)));
    touch!(s.r());
    sema::touch(s.get());
    s
}

/// One waits, one releases.
#[test]
fn loom_sema_release_is_not_missed() {
    explore(|| {
        let ps = world(2);
        let (a, b) = (running(0, ps[0]), running(1, ps[1]));
        let g = running_g(a);
        let s = semaphore();
        let waiter = thread::spawn(move || acquire(a, g, s));
        // SAFETY: the semaphore is kept.
        unsafe { sema::release(b.r(), s.get(), false) };
        if waiter.join().unwrap() {
            assert_eq!(s.r().load(Ordering::Relaxed), 0);
        } else {
            assert_eq!(g.r().status(), Status::Runnable, "the wake-up was lost");
        }
    });
}

/// Two wait, one releases twice: both go on.
#[test]
fn loom_sema_two_waiters() {
    explore(|| {
        let ps = world(3);
        let (a, b, c) = (running(0, ps[0]), running(1, ps[1]), running(2, ps[2]));
        let (g, h) = (running_g(a), running_g(b));
        let s = semaphore();
        let waiters = [
            (thread::spawn(move || acquire(a, g, s)), g),
            (thread::spawn(move || acquire(b, h, s)), h),
        ];
        for _ in 0..2 {
            // SAFETY: the semaphore is kept.
            unsafe { sema::release(c.r(), s.get(), false) };
        }
        for (waiter, g) in waiters {
            if !waiter.join().unwrap() {
                assert_eq!(g.r().status(), Status::Runnable, "a wake-up was lost");
            }
        }
    });
}
