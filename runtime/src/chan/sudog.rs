//! Sudogs: one goroutine's place in one queue of waiters.
//!
//! A goroutine that waits on several channels has several; a channel, or an address with a
//! semaphore, has many. They are runtime memory, made in blocks and never given back; each P keeps
//! some of the unused ones, the rest lie in a central list.
//!
//! # Invariants
//!
//! - S1. A sudog belongs to one of: a free list; the goroutine that took it, together with the
//!   queue it was put in; a notify list, where it stands for a ticket that nobody holds. Its queue
//!   links are guarded by the queue's lock.
//! - S2. It is given back only by its goroutine, or by who notifies nobody's ticket, after it has
//!   left its queue, and clean.
//! - S3. `elem`, `chan` and `addr` name heap objects which nothing else may name: [`scan`] gives
//!   them to the collector.
//!
//! Go: runtime/runtime2.go, sudog; proc.go, acquireSudog, releaseSudog.

#![allow(unsafe_code)]

use std::ptr;

use super::{Chan, SlotRef};
use crate::RootVisitor;
use crate::g::G;
use crate::lockrank::Rank;
use crate::m::M;
use crate::mutex::Wait;
use crate::sync::{AtomicUsize, Guarded, Ordering};

/// Sudogs a P keeps before it gives half of them to the central list. Go: the capacity of
/// sudogcache.
const CACHE_MAX: u32 = 128;
/// Sudogs moved between a P and the central list at once.
const BATCH: u32 = CACHE_MAX / 2;
/// Sudogs made at once when none are left.
const BLOCK: usize = 16;

/// A goroutine in a queue of waiters.
#[derive(Debug)]
pub struct Sudog {
    /// The G that waits; null in a notify list if nobody does.
    pub(crate) g: *mut G,
    /// Links of the channel's queue, or of the addresses with the same hash; `next` also links free
    /// lists.
    pub(crate) next: *mut Sudog,
    /// See `next`.
    pub(crate) prev: *mut Sudog,
    /// The channel waited for, or null.
    pub(crate) chan: *mut Chan,
    /// What is sent, or where to put what is received.
    pub(crate) elem: SlotRef,
    /// The semaphore's address, or the notify list's; 0 for channels.
    pub(crate) addr: usize,
    /// The goroutine's next sudog in lock order, or the next waiter of the same address.
    pub(crate) waitlink: *mut Sudog,
    /// The last waiter of the same address; set in the first only.
    pub(crate) waittail: *mut Sudog,
    /// The parent in the treap of a semaphore root.
    pub(crate) parent: *mut Sudog,
    /// The treap's priority; for a woken waiter 1 if the count was handed to it; in a notify list
    /// the place in the order.
    pub(crate) ticket: u32,
    /// Which case of the select this is.
    pub(crate) case: u32,
    /// Woken by a partner, rather than by close.
    pub(crate) success: bool,
    /// Part of a select: what dequeues it must win `select_done`.
    pub(crate) is_select: bool,
    /// Select only: this case sends.
    pub(crate) is_send: bool,
    /// Package sync: what the operation remembers.
    pub(crate) wait: Wait,
}

impl Sudog {
    pub(crate) const fn new() -> Sudog {
        Sudog {
            g: ptr::null_mut(),
            next: ptr::null_mut(),
            prev: ptr::null_mut(),
            chan: ptr::null_mut(),
            elem: SlotRef::NONE,
            addr: 0,
            waitlink: ptr::null_mut(),
            waittail: ptr::null_mut(),
            parent: ptr::null_mut(),
            ticket: 0,
            case: 0,
            success: false,
            is_select: false,
            is_send: false,
            wait: Wait::PLAIN,
        }
    }
}

/// Unused sudogs of one P.
#[derive(Debug)]
pub(crate) struct SudogCache {
    head: *mut Sudog,
    len: u32,
}

// SAFETY: free sudogs are reached only through the cache that holds them (S1).
unsafe impl Send for SudogCache {}

impl Default for SudogCache {
    fn default() -> SudogCache {
        SudogCache::new()
    }
}

impl SudogCache {
    /// An empty cache.
    pub(crate) const fn new() -> SudogCache {
        SudogCache {
            head: ptr::null_mut(),
            len: 0,
        }
    }

    fn push(&mut self, s: *mut Sudog) {
        // SAFETY: S1; the caller owns `s`.
        unsafe { (*s).next = self.head };
        self.head = s;
        self.len += 1;
    }

    fn pop(&mut self) -> *mut Sudog {
        let s = self.head;
        if !s.is_null() {
            // SAFETY: S1; it is ours.
            unsafe {
                self.head = (*s).next;
                (*s).next = ptr::null_mut();
            }
            self.len -= 1;
        }
        s
    }

    fn move_to(&mut self, other: &mut SudogCache, n: u32) {
        for _ in 0..n {
            let s = self.pop();
            if s.is_null() {
                return;
            }
            other.push(s);
        }
    }

    #[cold]
    fn refill(&mut self) {
        {
            let mut central = CENTRAL.lock();
            central.move_to(self, BATCH);
        }
        if self.head.is_null() {
            MADE.fetch_add(BLOCK, Ordering::Relaxed);
            let block: &'static mut [Sudog; BLOCK] =
                Box::leak(Box::new([const { Sudog::new() }; BLOCK]));
            for s in block {
                self.push(s);
            }
        }
    }
}

/// Unused sudogs of no P.
static CENTRAL: Guarded<SudogCache> = Guarded::new(Rank::Sudog, SudogCache::new());

/// Sudogs ever made. Written by `refill`.
static MADE: AtomicUsize = AtomicUsize::new(0);

/// Makes the count of sudogs known to a model, whose caches start empty.
#[cfg(loom)]
pub(crate) fn touch() {
    MADE.load(Ordering::Relaxed);
    *CENTRAL.lock() = SudogCache::new();
}

/// How many sudogs were ever made. For tests.
pub fn made() -> usize {
    MADE.load(Ordering::Relaxed)
}

/// Takes an unused sudog for `g`.
#[inline]
pub(crate) fn acquire(m: &mut M, g: *mut G) -> *mut Sudog {
    let cache = &mut m.p().sudogs;
    if cache.head.is_null() {
        cache.refill();
    }
    let s = cache.pop();
    // SAFETY: S1; it is ours now.
    unsafe { (*s).g = g };
    s
}

/// Gives back a sudog that has left its queue.
///
/// # Safety
///
/// `s` came from [`acquire`] and is in no queue (S2).
#[inline]
pub(crate) unsafe fn release(m: &mut M, s: *mut Sudog) {
    // SAFETY: S2; it is on no list.
    unsafe {
        if !(*s).next.is_null() || !(*s).prev.is_null() {
            crate::throw!("runtime: sudog with non-nil next or prev");
        }
        if !(*s).waitlink.is_null() {
            crate::throw!("runtime: sudog with non-nil waitlink");
        }
        (*s).g = ptr::null_mut();
        (*s).chan = ptr::null_mut();
        (*s).elem = SlotRef::NONE;
        (*s).addr = 0;
        (*s).wait.object = 0;
        (*s).success = false;
        (*s).is_select = false;
    }
    if fault!(LoseSudogs) {
        return;
    }
    let cache = &mut m.p().sudogs;
    if cache.len >= CACHE_MAX {
        cache.move_to(&mut CENTRAL.lock(), BATCH);
    }
    cache.push(s);
}

/// Gives the collector what a waiting goroutine's sudogs name (S3).
///
/// Context: `g` cannot run meanwhile, and the world is stopped.
pub(crate) fn scan(g: &G, v: &mut dyn RootVisitor) {
    let mut s = g.waiting;
    while !s.is_null() {
        // SAFETY: S1; `g` waits, so the sudogs in its list are not reused.
        unsafe {
            v.word((*s).chan as usize);
            v.word((*s).elem.heap_word());
            v.word((*s).addr);
            v.word((*s).wait.object);
            s = if (*s).chan.is_null() {
                ptr::null_mut()
            } else {
                (*s).waitlink
            };
        }
    }
}
