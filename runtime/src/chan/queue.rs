//! The queue of goroutines that wait on one end of a channel.
//!
//! Go: runtime/chan.go, waitq.

#![allow(unsafe_code)]

use std::ptr;

use super::Sudog;
use crate::switches::{self, Mech};
use crate::sync::{AtomicPtr, Ordering};

/// A queue of waiters, oldest first.
#[derive(Debug)]
pub(crate) struct WaitQ {
    /// Written under the lock; others only ask whether it is null.
    pub(super) first: AtomicPtr<Sudog>,
    last: *mut Sudog,
}

impl WaitQ {
    pub(crate) const fn new() -> WaitQ {
        WaitQ {
            first: AtomicPtr::new(ptr::null_mut()),
            last: ptr::null_mut(),
        }
    }

    #[inline]
    pub(crate) fn first(&self) -> *mut Sudog {
        self.first.load(Ordering::Relaxed)
    }

    /// Puts a waiter at the end.
    ///
    /// # Safety
    ///
    /// The queue's lock is held; `s` is in no queue.
    #[inline]
    pub(crate) unsafe fn enqueue(&mut self, s: *mut Sudog) {
        // SAFETY: the caller holds the lock, which guards all links.
        unsafe {
            (*s).next = ptr::null_mut();
            (*s).prev = self.last;
            if self.last.is_null() {
                self.first.store(s, Ordering::Relaxed);
            } else {
                (*self.last).next = s;
            }
            self.last = s;
        }
    }

    /// Takes `s` out if it is still in.
    ///
    /// # Safety
    ///
    /// The queue's lock is held; `s` is in this queue or in none.
    #[inline]
    pub(crate) unsafe fn remove(&mut self, s: *mut Sudog) {
        // SAFETY: the caller holds the lock, which guards all links.
        unsafe {
            let (prev, next) = ((*s).prev, (*s).next);
            if !prev.is_null() {
                (*prev).next = next;
            } else if self.first() == s {
                self.first.store(next, Ordering::Relaxed);
            } else {
                return;
            }
            if next.is_null() {
                self.last = prev;
            } else {
                (*next).prev = prev;
            }
            (*s).prev = ptr::null_mut();
            (*s).next = ptr::null_mut();
        }
    }

    /// Claims the oldest waiter whose goroutine no other operation has claimed.
    ///
    /// # Safety
    ///
    /// The queue's lock is held.
    #[inline]
    pub(crate) unsafe fn dequeue(&mut self) -> *mut Sudog {
        while !self.first().is_null() {
            let s = if switches::on(Mech::FifoWaiters) {
                self.first()
            } else {
                self.last
            };
            // SAFETY: the caller holds the lock; a queued sudog's G waits, or is in `select` and
            // about to take its sudogs out under this lock.
            unsafe {
                self.remove(s);
                // Relaxed: the locks of the channels order everything else; only one may win.
                if !(*s).is_select
                    || fault!(ClaimTwice)
                    || (*(*s).g)
                        .select_done
                        .compare_exchange(0, 1, Ordering::Relaxed, Ordering::Relaxed)
                        .is_ok()
                {
                    return s;
                }
            }
        }
        ptr::null_mut()
    }
}
