#![allow(unsafe_code)]
//! The local run queue of a P: a ring and one slot, `runnext`.
//!
//! The ring is crossbeam's deque, bounded to 256 by its owner. It has no mode for loom, where a
//! deque under a lock stands in for it: what is explored there is the protocol around it.
//!
//! # Invariants
//!
//! - Q1. Only the M that owns the P uses the worker end; it passes with the P.
//! - Q2. Only the owner stores a G in `runnext`; others may take it away.
//! - Q3. All operations run on a thread's own stack: crossbeam keeps thread-locals.
//!
//! Go: runtime/proc.go, runq*.

use std::cell::UnsafeCell;
use std::ptr;

#[cfg(not(loom))]
use crossbeam_deque::{Steal, Stealer, Worker};
#[cfg(loom)]
use locked::{Steal, Stealer, Worker};

use crate::coro::assert_thread_stack;
use crate::g::G;
use crate::switches::{self, Mech};
use crate::sync::{AtomicPtr, Ordering};

#[cfg(loom)]
mod locked;

/// Capacity of the ring.
pub const RING: usize = if cfg!(loom) { 4 } else { 256 };

/// A G on its way through a queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Gp(*mut G);

// SAFETY: a queued G belongs to the queue (g::G1).
unsafe impl Send for Gp {}

/// A ring and `runnext`.
pub struct RunQ {
    worker: UnsafeCell<Worker<Gp>>,
    stealer: Stealer<Gp>,
    runnext: AtomicPtr<G>,
}

// SAFETY: Q1 for the worker; the rest is made for sharing.
unsafe impl Sync for RunQ {}

impl RunQ {
    /// An empty queue, first-in first-out unless that is switched off.
    pub fn new() -> RunQ {
        let worker = if switches::on(Mech::Fifo) {
            Worker::new_fifo()
        } else {
            Worker::new_lifo()
        };
        let stealer = worker.stealer();
        RunQ {
            worker: UnsafeCell::new(worker),
            stealer,
            runnext: AtomicPtr::new(ptr::null_mut()),
        }
    }

    /// Makes the ring anew, in the order of now, with what was in it.
    ///
    /// The world is stopped.
    pub(crate) fn renew(&mut self) {
        let fresh = RunQ::new();
        let mut all: Vec<*mut G> = Vec::new();
        loop {
            let g = self.pop();
            if g.is_null() {
                break;
            }
            all.push(g);
        }
        // The newest came first, where the order was the other.
        if switches::on(Mech::Fifo) {
            all.reverse();
        }
        for g in all {
            if fresh.push(g, usize::MAX).is_err() {
                crate::throw!("renew: no room");
            }
        }
        self.worker = fresh.worker;
        self.stealer = fresh.stealer;
    }

    /// Takes `g` out, wherever it stands; whether it was here. The others keep their order.
    ///
    /// Context: g0; the world is stopped.
    pub(crate) fn remove(&self, g: *mut G) -> bool {
        if self.peek_next() == g {
            return self.take_this_next(g);
        }
        let mut all: Vec<*mut G> =
            std::iter::from_fn(|| Some(self.pop()).filter(|g| !g.is_null())).collect();
        let before = all.len();
        all.retain(|&other| other != g);
        if !switches::on(Mech::Fifo) {
            all.reverse();
        }
        let is_found = all.len() < before;
        for g in all {
            if self.push(g, usize::MAX).is_err() {
                crate::throw!("remove: no room");
            }
        }
        is_found
    }

    fn worker(&self) -> &Worker<Gp> {
        // SAFETY: Q1 — callers are owner-only operations; the worker is never replaced while
        // shared.
        unsafe { &*self.worker.get() }
    }

    /// Whether the ring has room for another, if `limit` Gs fill it. Owner only.
    #[inline]
    pub(crate) fn has_room(&self, limit: usize) -> bool {
        self.worker().len() < limit
    }

    /// Appends to the ring if it has room for `limit` Gs; gives `g` back if not. Owner only.
    #[inline]
    pub fn push(&self, g: *mut G, limit: usize) -> Result<(), *mut G> {
        assert_thread_stack(); // Q3
        let w = self.worker();
        if w.len() >= limit {
            return if fault!(LoseWhenFull) { Ok(()) } else { Err(g) };
        }
        w.push(Gp(g));
        Ok(())
    }

    /// Takes the head of the ring, or null. Owner only.
    #[inline]
    pub fn pop(&self) -> *mut G {
        assert_thread_stack(); // Q3
        self.worker().pop().map_or(ptr::null_mut(), |g| g.0)
    }

    /// Puts `g` in `runnext` and returns what was there. Owner only.
    #[inline]
    pub(crate) fn swap_next(&self, g: *mut G) -> *mut G {
        // AcqRel: hands over both Gs.
        self.runnext.swap(g, Ordering::AcqRel)
    }

    /// Takes `runnext`, or null if there is none or it was taken away just now.
    #[inline]
    pub(crate) fn take_next(&self) -> *mut G {
        let next = self.runnext.load(Ordering::Relaxed);
        if !next.is_null() && self.take_this_next(next) {
            return next;
        }
        ptr::null_mut()
    }

    /// Takes `g` from `runnext` if it is still there. Anyone.
    #[inline]
    pub(crate) fn take_this_next(&self, g: *mut G) -> bool {
        if fault!(TakeRunnextByStore) {
            self.runnext.store(ptr::null_mut(), Ordering::Release);
            return true;
        }
        // AcqRel: takes the G over.
        self.runnext
            .compare_exchange(g, ptr::null_mut(), Ordering::AcqRel, Ordering::Relaxed)
            .is_ok()
    }

    /// What is in `runnext` just now.
    #[inline]
    pub(crate) fn peek_next(&self) -> *mut G {
        self.runnext.load(Ordering::Relaxed)
    }

    /// Length of the ring, without `runnext`. Anyone.
    #[inline]
    pub fn ring_len(&self) -> usize {
        self.stealer.len()
    }

    /// Whether there is nothing at all. Anyone.
    ///
    /// The ring is looked at twice: the owner may move `runnext` to it in between.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.stealer.is_empty()
            && self.runnext.load(Ordering::Acquire).is_null()
            && self.stealer.is_empty()
    }

    /// Steals half of the ring, at most 128, into `to`'s ring, and returns the oldest; null if
    /// there is nothing.
    ///
    /// Context: g0 of `to`'s owner; `to`'s ring is empty. Returns how many besides.
    pub fn steal_into(&self, to: &RunQ) -> (*mut G, usize) {
        assert_thread_stack(); // Q3
        let limit = if fault!(StealOne) {
            1
        } else if fault!(StealPastLimit) {
            usize::MAX
        } else {
            RING / 2
        };
        loop {
            match self
                .stealer
                .steal_batch_with_limit_and_pop(to.worker(), limit)
            {
                Steal::Success(g) => return (g.0, to.worker().len()),
                Steal::Empty => return (ptr::null_mut(), 0),
                Steal::Retry => {}
            }
        }
    }
}

impl RunQ {
    /// As [`RunQ::steal_into`], but leaves what is stolen, oldest first, to the caller.
    pub(crate) fn steal_apart(&self) -> Vec<*mut G> {
        let apart = RunQ::new();
        let (first, _) = self.steal_into(&apart);
        if first.is_null() {
            return Vec::new();
        }
        let mut rest: Vec<*mut G> = Vec::new();
        loop {
            let g = apart.pop();
            if g.is_null() {
                break;
            }
            rest.push(g);
        }
        if !switches::on(Mech::Fifo) {
            rest.reverse();
        }
        rest.insert(0, first);
        rest
    }
}

impl Default for RunQ {
    fn default() -> RunQ {
        RunQ::new()
    }
}

impl std::fmt::Debug for RunQ {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "RunQ({})", self.ring_len())
    }
}
