//! Network poller: mio readiness becomes ready Gs. Also the clock of idle Ms, which block in it
//! until the next timer is due.
//!
//! # Invariants
//!
//! - I1. mio polls through `&mut`, so the poller lies behind a lock that is only tried, except by
//!   the one M that blocks; that M holds nothing else.
//! - I2. `BREAK_PENDING` is cleared by the blocking poller only, once its wait is over; so a break
//!   is never consumed by somebody who does not sleep.
//!
//! Context: g0, for mio keeps to the thread's own stack.
//!
//! Go: runtime/netpoll.go, netpoll_epoll.go.

use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use mio::{Events, Poll, Token, Waker};

use crate::p::GList;
use crate::sync::{AtomicBool, AtomicI32, Ordering};

/// Events taken per wait.
const EVENTS: usize = 128;
const WAKER: Token = Token(usize::MAX);

struct Poller {
    poll: Mutex<(Poll, Events)>,
    waker: Waker,
}

static POLLER: OnceLock<Poller> = OnceLock::new();
/// A break has been asked for and not yet seen. See I2.
static BREAK_PENDING: AtomicBool = AtomicBool::new(false);
/// Gs that wait for readiness.
static WAITERS: AtomicI32 = AtomicI32::new(0);

fn poller() -> &'static Poller {
    POLLER.get_or_init(|| {
        let poll = match Poll::new() {
            Ok(p) => p,
            Err(e) => crate::throw!("netpollinit failed: {e}"),
        };
        let waker = match Waker::new(poll.registry(), WAKER) {
            Ok(w) => w,
            Err(e) => crate::throw!("netpollinit: waker failed: {e}"),
        };
        Poller {
            poll: Mutex::new((poll, Events::with_capacity(EVENTS))),
            waker,
        }
    })
}

/// How many Gs wait in the poller.
#[inline]
pub fn waiters() -> i32 {
    WAITERS.load(Ordering::Relaxed)
}

/// Polls without blocking; the Gs that became ready, still waiting. Skips if somebody polls.
pub fn poll(_now: i64) -> GList {
    let Some(p) = POLLER.get() else {
        return GList::new();
    };
    let Ok(mut guard) = p.poll.try_lock() else {
        return GList::new();
    };
    let (poll, events) = &mut *guard;
    if poll.poll(events, Some(Duration::ZERO)).is_err() {
        return GList::new();
    }
    collect(events)
}

/// Blocks for `delay` nanoseconds, for ever if negative, or until broken; the ready Gs.
///
/// Context: g0, no P, no lock; the caller has taken `lastpoll` and published `poll_until`.
pub fn block(delay: i64) -> GList {
    let p = poller();
    let Ok(mut guard) = p.poll.lock() else {
        crate::throw!("netpoll: poisoned")
    };
    let (poll, events) = &mut *guard;
    let mut timeout =
        (delay >= 0).then(|| Duration::from_nanos(delay.min(1_000_000_000_000_000) as u64));
    // I2: after `poll_until` is published. SeqCst: pairs with the swap in `break_poll`.
    if BREAK_PENDING.load(Ordering::SeqCst) {
        timeout = Some(Duration::ZERO);
    }
    let r = poll.poll(events, timeout);
    BREAK_PENDING.store(false, Ordering::SeqCst);
    // An interrupted wait is an empty one: the caller computes the delay anew.
    if r.is_err() {
        GList::new()
    } else {
        collect(events)
    }
}

/// Makes the blocking poller return, now or at its next wait.
///
/// Context: g0.
pub fn break_poll() {
    if !BREAK_PENDING.swap(true, Ordering::SeqCst)
        && let Err(e) = poller().waker.wake()
    {
        crate::throw!("netpollBreak: {e}");
    }
}

fn collect(events: &Events) -> GList {
    let list = GList::new();
    for e in events {
        if e.token() == WAKER {
            continue;
        }
    }
    list
}
