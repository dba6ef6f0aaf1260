//! The heap of a P's timers.
//!
//! Four children per node, ordered by time. Timers that were stopped or changed are only marked;
//! [`Queue`]'s functions put that right. The invariants are the timer module's.
//!
//! Go: runtime/time.go, timers.

#![allow(unsafe_code)]

use std::cell::UnsafeCell;
use std::ptr;

use super::{HEAPED, MODIFIED, Timer, ZOMBIE, lock, unlock};
use crate::lockrank::Rank;
use crate::sync::{AtomicI32, AtomicI64, AtomicU32, Lock, Ordering};

/// Children of a node of the heap. Go: timerHeapN.
pub(super) const ARITY: usize = 4;

/// A timer in a heap, with the time by which it is ordered there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) timer: *mut Timer,
    pub(super) when: i64,
}

/// The timers of a P.
#[derive(Debug)]
pub struct Timers {
    lock: Lock,
    /// Guarded by `lock` (timer::K3).
    entries: UnsafeCell<Vec<Entry>>,
    /// Their number as of the last unlock.
    len: AtomicU32,
    /// How many are marked to be taken out. Written where one is marked and where one is taken out.
    pub(super) zombies: AtomicI32,
    /// The first entry's time, 0 if there is none. Written under the lock.
    first: AtomicI64,
    /// Not later than the earliest time of a modified timer, 0 if there is none. Lowered when one
    /// is modified, reset under the lock.
    pub(super) first_modified: AtomicI64,
}

// SAFETY: timer::K3.
unsafe impl Sync for Timers {}
// SAFETY: timers are not tied to a thread.
unsafe impl Send for Timers {}

impl Default for Timers {
    fn default() -> Timers {
        Timers::new()
    }
}

impl Timers {
    /// No timers.
    pub(crate) const fn new() -> Timers {
        Timers {
            lock: Lock::new(Rank::Timers),
            entries: UnsafeCell::new(Vec::new()),
            len: AtomicU32::new(0),
            zombies: AtomicI32::new(0),
            first: AtomicI64::new(0),
            first_modified: AtomicI64::new(0),
        }
    }

    /// How many there are, the marked ones included.
    pub fn len(&self) -> usize {
        self.len.load(Ordering::Relaxed) as usize
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// When the first is due, or a little before; 0 if there is none. Anyone may ask; needs no
    /// lock.
    #[inline]
    pub(crate) fn next_when(&self) -> i64 {
        // In this order: `adjust` raises `first` only after it has taken over what was modified.
        let modified = self.first_modified.load(Ordering::SeqCst);
        let first = self.first.load(Ordering::SeqCst);
        if first == 0 || (modified != 0 && modified < first) {
            modified
        } else {
            first
        }
    }

    pub(super) fn lower_first_modified(&self, when: i64) {
        let mut old = self.first_modified.load(Ordering::SeqCst);
        while old == 0 || when < old {
            match self.first_modified.compare_exchange(
                old,
                when,
                Ordering::SeqCst,
                Ordering::SeqCst,
            ) {
                Ok(_) => return,
                Err(seen) => old = seen,
            }
        }
    }

    /// Takes out all timers: the heap is used no more.
    pub(crate) fn forget(&self) {
        let mut heap = self.lock();
        let entries = std::mem::take(heap.entries());
        self.zombies.store(0, Ordering::Relaxed);
        self.first_modified.store(0, Ordering::SeqCst);
        heap.publish_first();
        for Entry { timer: t, .. } in entries {
            // SAFETY: timer::K1 to K3.
            unsafe {
                lock(t);
                (*t).heap = ptr::null();
                (*t).state &= !(HEAPED | MODIFIED | ZOMBIE);
                unlock(t);
            }
        }
    }

    /// Whether so many timers are marked that a cleaning is due.
    pub(super) fn many_zombies(&self) -> bool {
        self.zombies.load(Ordering::Relaxed) as i64 > self.len.load(Ordering::Relaxed) as i64 / 4
    }

    pub(super) fn lock(&self) -> Queue<'_> {
        self.lock.lock();
        Queue { ts: self }
    }
}

/// A locked heap.
pub(super) struct Queue<'a> {
    pub(super) ts: &'a Timers,
}

impl Drop for Queue<'_> {
    fn drop(&mut self) {
        let len = self.entries().len() as u32;
        self.ts.len.store(len, Ordering::Relaxed);
        self.ts.lock.unlock();
    }
}

impl Queue<'_> {
    pub(super) fn entries(&mut self) -> &mut Vec<Entry> {
        // SAFETY: timer::K3; the lock is held as long as `self` lives.
        unsafe { &mut *self.ts.entries.get() }
    }

    pub(super) fn publish_first(&mut self) {
        let when = self.entries().first().map_or(0, |e| e.when);
        self.ts.first.store(when, Ordering::SeqCst);
    }

    /// # Safety
    ///
    /// The timer's lock is held (or the world stopped), it is in no heap, `HEAPED` is set.
    pub(super) unsafe fn insert(&mut self, t: *mut Timer) {
        // SAFETY: timer::K1.
        let when = unsafe {
            if !(*t).heap.is_null() {
                crate::throw!("ts set in timer");
            }
            (*t).heap = self.ts;
            (*t).when
        };
        let entries = self.entries();
        entries.push(Entry { timer: t, when });
        let last = entries.len() - 1;
        sift_up(entries, last);
        if entries[0].timer == t {
            self.publish_first();
        }
    }

    /// Takes out the first entry.
    ///
    /// # Safety
    ///
    /// The lock of its timer is held.
    unsafe fn remove_first(&mut self) {
        let entries = self.entries();
        let t = entries.swap_remove(0).timer;
        if !entries.is_empty() {
            sift_down(entries, 0);
        } else {
            self.ts.first_modified.store(0, Ordering::SeqCst);
        }
        // SAFETY: timer::K1.
        unsafe { (*t).heap = ptr::null() };
        self.publish_first();
    }

    /// Does what the marks of the first timer ask for; `true` if the heap changed.
    ///
    /// # Safety
    ///
    /// `t` is the first timer, and its lock is held.
    pub(super) unsafe fn update_first(&mut self, t: *mut Timer) -> bool {
        // SAFETY: timer::K1, timer::K2.
        unsafe {
            if (*t).state & ZOMBIE != 0 {
                (*t).state &= !(HEAPED | MODIFIED | ZOMBIE);
                self.ts.zombies.fetch_sub(1, Ordering::Relaxed);
                self.remove_first();
                return true;
            }
            if (*t).state & MODIFIED != 0 {
                (*t).state &= !MODIFIED;
                let when = (*t).when;
                let entries = self.entries();
                entries[0].when = when;
                sift_down(entries, 0);
                self.publish_first();
                return true;
            }
            false
        }
    }

    /// Takes marked timers off both ends: a program that sets and stops timers all the time, as
    /// servers do, then does not pile them up.
    pub(super) fn clean_ends(&mut self) {
        // SAFETY: timer::K1 to K3.
        unsafe {
            while let Some(&Entry { timer: t, .. }) = self.entries().last() {
                if (*t).seen.load(Ordering::Acquire) & ZOMBIE != 0 {
                    lock(t);
                    if (*t).state & ZOMBIE != 0 {
                        (*t).state &= !(HEAPED | MODIFIED | ZOMBIE);
                        (*t).heap = ptr::null();
                        self.ts.zombies.fetch_sub(1, Ordering::Relaxed);
                        self.entries().pop();
                        if self.entries().is_empty() {
                            self.ts.first_modified.store(0, Ordering::SeqCst);
                            self.publish_first();
                        }
                    }
                    unlock(t);
                    continue;
                }
                let t = self.entries()[0].timer;
                if (*t).seen.load(Ordering::Acquire) & (MODIFIED | ZOMBIE) == 0 {
                    return;
                }
                lock(t);
                let changed = self.update_first(t);
                unlock(t);
                if !changed {
                    return;
                }
            }
        }
    }

    /// Puts right every marked timer, if one may be due by `now`, or if `force`.
    pub(super) fn adjust(&mut self, now: i64, force: bool) {
        if !force {
            let first = self.ts.first_modified.load(Ordering::SeqCst);
            if first == 0 || first > now {
                return;
            }
        }
        // Until the entries are right again `first` stands for those that were modified. A timer
        // modified from here on lowers `first_modified` anew.
        self.ts.first.store(self.ts.next_when(), Ordering::SeqCst);
        self.ts.first_modified.store(0, Ordering::SeqCst);
        let mut changed = false;
        let mut i = 0;
        // SAFETY: timer::K1 to K3.
        unsafe {
            while let Some(&Entry { timer: t, .. }) = self.entries().get(i) {
                if (*t).seen.load(Ordering::SeqCst) & (MODIFIED | ZOMBIE) != 0 {
                    lock(t);
                    let state = (*t).state;
                    if state & ZOMBIE != 0 {
                        (*t).state &= !(HEAPED | MODIFIED | ZOMBIE);
                        (*t).heap = ptr::null();
                        self.ts.zombies.fetch_sub(1, Ordering::Relaxed);
                        self.entries().swap_remove(i);
                        changed = true;
                        unlock(t);
                        continue;
                    }
                    if state & MODIFIED != 0 {
                        (*t).state &= !MODIFIED;
                        let when = (*t).when;
                        self.entries()[i].when = when;
                        changed = true;
                    }
                    unlock(t);
                }
                i += 1;
            }
        }
        if changed && !fault!(KeepHeapOrder) {
            heapify(self.entries());
        }
        self.publish_first();
    }
}

pub(super) fn sift_up(entries: &mut [Entry], mut i: usize) {
    let e = entries[i];
    while i > 0 {
        let parent = (i - 1) / ARITY;
        if e.when >= entries[parent].when {
            break;
        }
        entries[i] = entries[parent];
        i = parent;
    }
    entries[i] = e;
}

pub(super) fn sift_down(entries: &mut [Entry], mut i: usize) {
    let e = entries[i];
    loop {
        let first = i * ARITY + 1;
        let mut least = i;
        let mut when = e.when;
        for (child, entry) in entries.iter().enumerate().skip(first).take(ARITY) {
            if entry.when < when {
                (least, when) = (child, entry.when);
            }
        }
        if least == i {
            break;
        }
        entries[i] = entries[least];
        i = least;
    }
    entries[i] = e;
}

/// A child of the node `i` that has the same time, by the number `draw`; `None` if there is none,
/// or if none is drawn.
pub(super) fn tied_child(entries: &[Entry], i: usize, draw: u32) -> Option<usize> {
    let child = i * ARITY + 1 + draw as usize % (ARITY + 1);
    let is_tied = child <= (i + 1) * ARITY && entries.get(child)?.when == entries[i].when;
    is_tied.then_some(child)
}

pub(super) fn heapify(entries: &mut [Entry]) {
    if entries.len() > 1 {
        for i in (0..=(entries.len() - 2) / ARITY).rev() {
            sift_down(entries, i);
        }
    }
}
