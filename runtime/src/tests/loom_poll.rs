#![allow(unsafe_code)]
//! T-33d: no poller sleeps past a deadline published before, whichever M breaks and whichever polls
//! meanwhile. And the slots of a descriptor: no readiness and no closing is missed.

use loom::thread;

use super::forged::{Of, running, running_g, world};
use crate::g::Status;
use crate::netpoll::{self, Mode, PollDesc, PollError, Waiting};
use crate::proc;
use crate::sched::SCHED;
use crate::sync::model::{explore, keep, touch};
use crate::sync::{AtomicU32, Ordering};
use crate::{G, M};

fn flag() -> Of<AtomicU32> {
    let f = Of(keep(AtomicU32::new(0)));
    touch!(f.r());
    f
}

/// Blocks, as the poller does, until it has seen all these deadlines.
fn poll_until_seen(flags: &[Of<AtomicU32>]) {
    while flags.iter().any(|f| f.r().load(Ordering::Relaxed) == 0) {
        assert_eq!(netpoll::block(-1).n, 0);
    }
}

/// Publishes a deadline and sees to it that an M is awake then.
fn publish(m: Of<M>, f: Of<AtomicU32>) {
    f.r().store(1, Ordering::Relaxed);
    proc::wake_net_poller(m.r(), 1);
}

#[test]
fn loom_poll_break_beside_a_poll() {
    explore(|| {
        let ps = world(1);
        let m = running(0, ps[0]);
        SCHED.lastpoll.store(0, Ordering::SeqCst);
        let f = flag();
        let poller = thread::spawn(move || poll_until_seen(&[f]));
        let other = thread::spawn(|| netpoll::poll(0).n);
        publish(m, f);
        assert_eq!(other.join().unwrap(), 0);
        poller.join().unwrap();
    });
}

#[test]
fn loom_poll_two_breaks() {
    explore(|| {
        let ps = world(2);
        let (a, b) = (running(0, ps[0]), running(1, ps[1]));
        SCHED.lastpoll.store(0, Ordering::SeqCst);
        let (f, g) = (flag(), flag());
        let poller = thread::spawn(move || poll_until_seen(&[f, g]));
        let second = thread::spawn(move || publish(b, g));
        publish(a, f);
        second.join().unwrap();
        poller.join().unwrap();
    });
}

/// One that waits on `pd`: `Some` if it need not, `None` if it was left parked.
fn wait(pd: Of<PollDesc>, m: Of<M>) -> Option<Result<(), PollError>> {
    // SAFETY: kept until the execution's end.
    let pd: &'static PollDesc = unsafe { &*pd.get() };
    match pd.wait_begin(m.r(), Mode::Read) {
        Waiting::Done(r) => Some(r),
        // SAFETY: this thread plays `m`, whose G has left with a park.
        Waiting::Blocked if unsafe { proc::park_m(m.get()) } => None,
        Waiting::Blocked => Some(pd.wait_end(Mode::Read)),
    }
}

struct Waiter {
    pd: Of<PollDesc>,
    g: Of<G>,
    waker: Of<M>,
    waits: thread::JoinHandle<Option<Result<(), PollError>>>,
}

fn waiter() -> Waiter {
    let ps = world(2);
    let (a, waker) = (running(0, ps[0]), running(1, ps[1]));
    let g = running_g(a);
    let pd = Of(keep(PollDesc::new(0)));
    pd.r().touch();
    Waiter {
        pd,
        g,
        waker,
        waits: thread::spawn(move || wait(pd, a)),
    }
}

#[test]
fn loom_poll_readiness_is_not_missed() {
    explore(|| {
        let w = waiter();
        let g = w.pd.r().unblock(Mode::Read, true);
        if !g.is_null() {
            assert_eq!(g, w.g.get());
            // SAFETY: netpoll::I3 — the wake-up is ours.
            unsafe { proc::ready(w.waker.r(), g) };
        }
        match w.waits.join().unwrap() {
            Some(r) => assert_eq!(r, Ok(())),
            None => assert_eq!(w.g.r().status(), Status::Runnable, "nobody woke it"),
        }
    });
}

#[test]
fn loom_poll_closing_is_not_missed() {
    explore(|| {
        let w = waiter();
        // SAFETY: kept until the execution's end.
        let pd: &'static PollDesc = unsafe { &*w.pd.get() };
        pd.evict(w.waker.r());
        match w.waits.join().unwrap() {
            Some(r) => assert_eq!(r, Err(PollError::Closing)),
            None => {
                assert_eq!(w.g.r().status(), Status::Runnable, "nobody woke it");
                assert_eq!(pd.wait_end(Mode::Read), Err(PollError::Closing));
            }
        }
    });
}
