//! Sleep and wakeup keyed by address; notify lists.
//!
//! A semaphore is a word of the program's memory. Goroutines that must wait for it to become
//! positive queue in one of 251 roots, found by the word's address; a root keeps its addresses in a
//! treap, each with a list of waiters. The word itself says nothing of them, so a sleeping program
//! costs its memory nothing.
//!
//! [`acquire`] either takes the count at once, or queues the goroutine and answers
//! `Blocked`; the caller leaves with `Outcome::Park`. When the goroutine runs again,
//! [`mutex::resume`](crate::mutex::resume) goes on.
//!
//! # Invariants
//!
//! - W1. `nwait` counts the waiters of a root. `acquire` counts its G before its last look at the
//!   word; `release` raises the word before it looks at `nwait`. Both in one total order, so one of
//!   them sees the other and no wake-up is lost.
//! - W2. Links of a queued sudog are guarded by the lock of its root.
//! - W3. In a treap every node's `ticket` is at most its children's. Of the waiters of an address
//!   only the first is a node; it alone has `waittail`.
//! - W4. A dequeued waiter's `ticket` is 1 if the count was taken for it, else 0.
//!
//! Go: runtime/sema.go.

#![allow(unsafe_code)]

use std::cell::UnsafeCell;
use std::ptr;

use crate::chan::sudog::{self, Sudog};
use crate::g::{G, WaitReason};
use crate::lockrank::Rank;
use crate::m::M;
use crate::mutex::{Stage, SyncOp, Wait};
use crate::switches::{self, Mech};
use crate::sync::{AtomicU32, Lock, Ordering, fence_after_rmw};
use crate::{bubble, preempt, prof};

#[cfg(test)]
mod tests;

/// Roots; prime, so that it does not go together with users' strides. Go: semTabSize.
const ROOTS: usize = 251;

/// The waiters on the addresses of one hash.
#[repr(align(64))]
struct Root {
    lock: Lock,
    /// Waiters; read without the lock (W1).
    nwait: AtomicU32,
    /// Root of the treap, guarded by `lock`.
    treap: UnsafeCell<*mut Sudog>,
}

// SAFETY: `treap` is touched under `lock` only (W2).
unsafe impl Sync for Root {}

static TABLE: [Root; ROOTS] = [const {
    Root {
        lock: Lock::new(Rank::SemaRoot),
        nwait: AtomicU32::new(0),
        treap: UnsafeCell::new(ptr::null_mut()),
    }
}; ROOTS];

fn root_of(addr: usize) -> &'static Root {
    &TABLE[(addr >> 3) % ROOTS]
}

/// Makes what belongs to the semaphore known to a model, and forgets the waiters of another.
#[cfg(loom)]
pub(crate) fn touch(sema: *const AtomicU32) {
    let root = root_of(sema as usize);
    root.nwait.load(Ordering::Relaxed);
    // SAFETY: no thread of the model has begun.
    unsafe { *root.treap.get() = ptr::null_mut() };
    sudog::touch();
}

/// Takes one from the count, if it is positive.
#[inline]
fn try_acquire(sema: &AtomicU32) -> bool {
    let mut n = sema.load(Ordering::SeqCst);
    while n != 0 {
        // SeqCst: W1, and pairs with the releaser's increment.
        match sema.compare_exchange_weak(n, n - 1, Ordering::SeqCst, Ordering::SeqCst) {
            Ok(_) => return true,
            Err(seen) => n = seen,
        }
    }
    false
}

/// Takes one from the semaphore, or queues the goroutine: at the front if `lifo`.
///
/// Context: coroutine; with a P; no lock held. After `Blocked` the goroutine must park, and then
/// call [`mutex::resume`](crate::mutex::resume).
///
/// # Safety
///
/// `g` runs on `m`; the semaphore is memory of the program which stays while anyone waits.
///
/// Go: runtime/sema.go, semacquire1.
#[inline]
pub unsafe fn acquire(
    m: &mut M,
    g: &mut G,
    sema: *const AtomicU32,
    lifo: bool,
    reason: WaitReason,
) -> SyncOp {
    // SAFETY: the caller's.
    unsafe {
        if acquire_or_queue(
            m,
            g,
            sema,
            Wait {
                lifo,
                reason,
                ..Wait::PLAIN
            },
        ) {
            SyncOp::Done
        } else {
            SyncOp::Blocked
        }
    }
}

/// As [`acquire`], with what to remember of the operation; `true` if the count was taken.
///
/// # Safety
///
/// As [`acquire`].
#[inline]
pub(crate) unsafe fn acquire_or_queue(
    m: &mut M,
    g: &mut G,
    sema: *const AtomicU32,
    wait: Wait,
) -> bool {
    // SAFETY: the caller's.
    unsafe { try_acquire(&*sema) || !queue_and_park(m, g, sema, wait) }
}

/// # Safety
///
/// As [`acquire`].
#[cold]
unsafe fn queue_and_park(m: &mut M, g: &mut G, sema: *const AtomicU32, wait: Wait) -> bool {
    let root = root_of(sema as usize);
    let lifo = wait.lifo || !switches::on(Mech::FifoWaiters);
    // SAFETY: W2; the sudog is ours until it is queued.
    unsafe {
        let s = sudog::acquire(m, g);
        (*s).addr = sema as usize;
        (*s).wait = wait;
        (*s).ticket = 0;
        let priority = m.p().rand.next32() | 1;
        if prof::metrics::measures(priority) && prof::wait::is_lock(wait.reason) {
            g.lock_since = crate::clock::real_nanotime();
        }
        root.lock.lock();
        // SeqCst: W1.
        root.nwait.fetch_add(1, Ordering::SeqCst);
        fence_after_rmw();
        if try_acquire(&*sema) {
            root.nwait.fetch_sub(1, Ordering::SeqCst);
            root.lock.unlock();
            sudog::release(m, s);
            return false;
        }
        Treap(root.treap.get()).queue(s, priority, lifo);
        g.waiting = s;
        g.param = ptr::null_mut();
        let reason = if fault!(PlainSemacquire) {
            WaitReason::Semacquire
        } else {
            wait.reason
        };
        m.park_unlock(&root.lock, reason);
    }
    true
}

/// Takes `g` out of the queue it waits in, and undoes its operation; `false` if it waits otherwise.
///
/// Context: g0 with a P; no lock held.
///
/// # Safety
///
/// `g` waits for a semaphore, which no one has given it; the world is stopped.
pub(crate) unsafe fn undo_wait(m: &mut M, g: &mut G) -> bool {
    let s = g.waiting;
    // SAFETY: W2, W3; a waiting G's sudog is in its queue.
    unsafe {
        if s.is_null() || (*s).addr == 0 || (*s).wait.stage == Stage::Notify {
            return false;
        }
        let (addr, wait) = ((*s).addr, (*s).wait);
        let root = root_of(addr);
        let mut is_queued = false;
        root.lock.lock();
        let treap = Treap(root.treap.get());
        let mut others = Vec::new();
        loop {
            let t = treap.dequeue(addr);
            if t.is_null() {
                break;
            }
            if t == s {
                is_queued = true;
            } else {
                others.push(t);
            }
        }
        for t in others {
            treap.queue(t, m.p().rand.next32() | 1, false);
        }
        if is_queued {
            root.nwait.fetch_sub(1, Ordering::SeqCst);
        }
        root.lock.unlock();
        if !is_queued {
            return false;
        }
        g.waiting = ptr::null_mut();
        sudog::release(m, s);
        crate::mutex::undo(m, addr, wait);
    }
    true
}

/// Wakes `g`, which waits in a notify list, as if it had been notified. `false` if it waits
/// otherwise.
///
/// Context: g0 with a P; no lock held.
///
/// # Safety
///
/// `g` waits; the world is stopped.
pub(crate) unsafe fn notify_undo(m: &mut M, g: &mut G) -> bool {
    let s = g.waiting;
    // SAFETY: the list is touched under its lock.
    unsafe {
        if s.is_null() || (*s).addr == 0 || (*s).wait.stage != Stage::Notify {
            return false;
        }
        let l = (*s).addr as *mut NotifyList;
        (*l).lock.lock();
        let is_queued = (*l).take((*s).ticket) == s;
        if is_queued {
            (*l).give_back(m, (*s).ticket);
        }
        (*l).lock.unlock();
        if is_queued {
            crate::chan::wake(m, s, true);
        }
        is_queued
    }
}

/// Ends a wait: gives back the sudog of `g`, which was woken. Returns what it remembered, the
/// semaphore, and whether its count was handed over.
///
/// # Safety
///
/// `g` runs on `m` and has parked on a semaphore or notify list.
pub(crate) unsafe fn woken(m: &mut M, g: &mut G) -> (Wait, *const AtomicU32, bool) {
    let s = g.param;
    if s.is_null() || s != g.waiting {
        crate::throw!("semacquire: bad wakeup");
    }
    g.waiting = ptr::null_mut();
    g.param = ptr::null_mut();
    // SAFETY: the waker has dequeued it, so it is ours.
    unsafe {
        let (wait, addr, handed) = ((*s).wait, (*s).addr, (*s).ticket != 0);
        let handed = handed && !fault!(ForgetHandOver);
        (*s).ticket = 0;
        sudog::release(m, s);
        (wait, addr as *const AtomicU32, handed)
    }
}

/// Adds one to the semaphore, and wakes the first G that waits for it. With `handoff` the count is
/// taken for that G at once.
///
/// Returns `true` if the caller should now yield ([`YieldKind::Local`](crate::YieldKind)), so that
/// the one it has handed to runs in the rest of its slice.
///
/// Context: with a P; no lock held.
///
/// # Safety
///
/// The semaphore is memory of the program.
///
/// Go: runtime/sema.go, semrelease1.
#[inline]
pub unsafe fn release(m: &mut M, sema: *const AtomicU32, handoff: bool) -> bool {
    let root = root_of(sema as usize);
    let n = if fault!(ReleaseTwo) { 2 } else { 1 };
    // SAFETY: the caller's.
    unsafe { (*sema).fetch_add(n, Ordering::SeqCst) };
    if !fault!(NoFenceInSema) {
        fence_after_rmw();
    }
    // SeqCst: W1.
    if root.nwait.load(Ordering::SeqCst) == 0 {
        return false;
    }
    // SAFETY: the caller's.
    unsafe { release_slow(m, root, sema, handoff) }
}

/// # Safety
///
/// As [`release`].
#[cold]
unsafe fn release_slow(m: &mut M, root: &Root, sema: *const AtomicU32, handoff: bool) -> bool {
    // SAFETY: W2; after the unlock the dequeued sudog is ours until its goroutine is ready.
    unsafe {
        root.lock.lock();
        if root.nwait.load(Ordering::SeqCst) == 0 {
            root.lock.unlock();
            return false;
        }
        let s = Treap(root.treap.get()).dequeue(sema as usize);
        if s.is_null() {
            root.lock.unlock();
            return false;
        }
        root.nwait.fetch_sub(1, Ordering::SeqCst);
        root.lock.unlock();
        prof::wait::unlocks(m, (*s).g);
        let handed = handoff && try_acquire(&*sema);
        (*s).ticket = u32::from(handed);
        crate::chan::wake(m, s, true);
        handed && m.locks == 0 && !fault!(IgnoreHandoff)
    }
}

/// A treap of addresses with waiters, named by the word that points to its root. `prev` and `next`
/// of a sudog are the subtrees of lower and higher addresses.
struct Treap(*mut *mut Sudog);

impl Treap {
    /// # Safety
    ///
    /// The root's lock is held; `s` is in no queue, its `addr` is set.
    unsafe fn queue(&self, s: *mut Sudog, priority: u32, lifo: bool) {
        // SAFETY: W2, W3.
        unsafe {
            let addr = (*s).addr;
            let mut parent: *mut Sudog = ptr::null_mut();
            let mut at = self.0;
            while !(*at).is_null() {
                let t = *at;
                if (*t).addr == addr {
                    if lifo {
                        *at = s;
                        self.replace_node(t, s);
                        (*s).waitlink = t;
                        (*s).waittail = if (*t).waittail.is_null() {
                            t
                        } else {
                            (*t).waittail
                        };
                        (*t).waittail = ptr::null_mut();
                    } else {
                        let last = if (*t).waittail.is_null() {
                            t
                        } else {
                            (*t).waittail
                        };
                        (*last).waitlink = s;
                        (*t).waittail = s;
                    }
                    return;
                }
                parent = t;
                at = if addr < (*t).addr {
                    &raw mut (*t).prev
                } else {
                    &raw mut (*t).next
                };
            }
            (*s).ticket = priority;
            (*s).parent = parent;
            *at = s;
            while !(*s).parent.is_null() && (*(*s).parent).ticket > (*s).ticket {
                self.rotate_up(s);
            }
        }
    }

    /// Takes out the first waiter on `addr`, or null.
    ///
    /// # Safety
    ///
    /// The root's lock is held.
    unsafe fn dequeue(&self, addr: usize) -> *mut Sudog {
        // SAFETY: W2, W3.
        unsafe {
            let mut s = *self.0;
            while !s.is_null() && (*s).addr != addr {
                s = if addr < (*s).addr {
                    (*s).prev
                } else {
                    (*s).next
                };
            }
            if s.is_null() {
                return s;
            }
            let t = (*s).waitlink;
            if t.is_null() {
                // Down to where it has one subtree at most, which then takes its place.
                while !(*s).prev.is_null() && !(*s).next.is_null() {
                    let up = if (*(*s).prev).ticket < (*(*s).next).ticket {
                        (*s).prev
                    } else {
                        (*s).next
                    };
                    self.rotate_up(up);
                }
                let child = if (*s).prev.is_null() {
                    (*s).next
                } else {
                    (*s).prev
                };
                if !child.is_null() {
                    (*child).parent = (*s).parent;
                }
                *self.link_to(s) = child;
            } else {
                *self.link_to(s) = t;
                self.replace_node(s, t);
                (*t).waittail = if (*t).waitlink.is_null() {
                    ptr::null_mut()
                } else {
                    (*s).waittail
                };
                (*s).waitlink = ptr::null_mut();
                (*s).waittail = ptr::null_mut();
            }
            (*s).parent = ptr::null_mut();
            (*s).prev = ptr::null_mut();
            (*s).next = ptr::null_mut();
            (*s).ticket = 0;
            s
        }
    }

    /// The word that points to the node `s`.
    ///
    /// # Safety
    ///
    /// The root's lock is held; `s` is a node.
    unsafe fn link_to(&self, s: *mut Sudog) -> *mut *mut Sudog {
        // SAFETY: the caller's.
        unsafe {
            let p = (*s).parent;
            if p.is_null() {
                self.0
            } else if (*p).prev == s {
                &raw mut (*p).prev
            } else {
                &raw mut (*p).next
            }
        }
    }

    /// Gives `new` the tree links and the priority of the node `old`; the link to it is the
    /// caller's business.
    ///
    /// # Safety
    ///
    /// The root's lock is held; `old` is a node, `new` is none.
    unsafe fn replace_node(&self, old: *mut Sudog, new: *mut Sudog) {
        // SAFETY: W2.
        unsafe {
            (*new).ticket = (*old).ticket;
            (*new).parent = (*old).parent;
            (*new).prev = (*old).prev;
            (*new).next = (*old).next;
            for child in [(*new).prev, (*new).next] {
                if !child.is_null() {
                    (*child).parent = new;
                }
            }
            (*old).ticket = 0;
            (*old).parent = ptr::null_mut();
            (*old).prev = ptr::null_mut();
            (*old).next = ptr::null_mut();
        }
    }

    /// Lets the node `s` and its parent change places.
    ///
    /// # Safety
    ///
    /// The root's lock is held; `s` is a node with a parent.
    unsafe fn rotate_up(&self, s: *mut Sudog) {
        // SAFETY: W2.
        unsafe {
            let p = (*s).parent;
            let link = self.link_to(p);
            let middle;
            if (*p).prev == s {
                middle = (*s).next;
                (*p).prev = middle;
                (*s).next = p;
            } else {
                middle = (*s).prev;
                (*p).next = middle;
                (*s).prev = p;
            }
            if !middle.is_null() {
                (*middle).parent = p;
            }
            (*s).parent = (*p).parent;
            (*p).parent = s;
            *link = s;
        }
    }
}

/// The queue of a condition variable, in memory of the program: laid out as Go's `sync.notifyList`,
/// zero when new. Tickets order the waiters; they may wrap.
#[repr(C)]
#[derive(Debug)]
pub struct NotifyList {
    /// The next waiter's ticket.
    wait: AtomicU32,
    /// The next ticket to be notified. Written under `lock`, read without it too.
    notify: AtomicU32,
    /// Guards the list. As it is zero when new, its rank is the lowest.
    lock: Lock,
    head: *mut Sudog,
    tail: *mut Sudog,
}

const _: () = assert!(size_of::<NotifyList>() == 32);

impl NotifyList {
    /// Takes the holder of `ticket` off the list; null if it is not there.
    ///
    /// # Safety
    ///
    /// The lock is held.
    unsafe fn take(&mut self, ticket: u32) -> *mut Sudog {
        let mut prev: *mut Sudog = ptr::null_mut();
        let mut s = self.head;
        // SAFETY: the links are touched under the lock.
        unsafe {
            let is_last = |s: *mut Sudog| fault!(AnyTicket) && (*s).next.is_null();
            while !s.is_null() && ((*s).ticket != ticket || fault!(AnyTicket)) && !is_last(s) {
                prev = s;
                s = (*s).next;
            }
            if !s.is_null() {
                let next = std::mem::replace(&mut (*s).next, ptr::null_mut());
                if prev.is_null() {
                    self.head = next;
                } else {
                    (*prev).next = next;
                }
                if next.is_null() {
                    self.tail = prev;
                }
            }
        }
        s
    }

    /// Appends `s`.
    ///
    /// # Safety
    ///
    /// The lock is held; `s` is in no queue.
    unsafe fn put(&mut self, s: *mut Sudog) {
        if self.tail.is_null() {
            self.head = s;
        } else {
            // SAFETY: as in `take`.
            unsafe { (*self.tail).next = s };
        }
        self.tail = s;
    }

    /// `ticket`, which has not been notified, has no holder any more. If it is not the last one it
    /// stays in the list without a goroutine, and whoever notifies it notifies the next one too.
    ///
    /// # Safety
    ///
    /// The lock is held.
    unsafe fn give_back(&mut self, m: &mut M, ticket: u32) {
        let (next, order) = (ticket.wrapping_add(1), Ordering::SeqCst);
        if (self.wait.compare_exchange(next, ticket, order, order)).is_ok() {
            return;
        }
        let nobody = sudog::acquire(m, ptr::null_mut());
        // SAFETY: the sudog is ours.
        unsafe {
            (*nobody).ticket = ticket;
            self.put(nobody);
        }
    }
}

/// Whether ticket `a` came before `b`, on condition that they are less than 2^31 apart.
fn before(a: u32, b: u32) -> bool {
    (a.wrapping_sub(b) as i32) < 0
}

/// Takes a ticket: from now on a notification cannot be missed.
///
/// # Safety
///
/// `l` is a notify list.
///
/// Go: runtime/sema.go, notifyListAdd.
pub unsafe fn notify_add(l: *mut NotifyList) -> u32 {
    // SAFETY: the caller's.
    unsafe { (*l).wait.fetch_add(1, Ordering::SeqCst) }
}

/// Waits until `ticket` is notified: `Done` if it has been, or if `g` is interrupted, else
/// `Blocked`.
///
/// Context: as [`acquire`].
///
/// # Safety
///
/// `g` runs on `m`; `l` is a notify list that stays while anyone waits.
///
/// Go: runtime/sema.go, notifyListWait.
pub unsafe fn notify_wait(m: &mut M, g: &mut G, l: *mut NotifyList, ticket: u32) -> SyncOp {
    // SAFETY: the list is touched under its lock.
    unsafe {
        (*l).lock.lock();
        if before(ticket, (*l).notify.load(Ordering::Relaxed)) && !fault!(ForgetEarlySignal) {
            (*l).lock.unlock();
            return SyncOp::Done;
        }
        if preempt::is_interrupted(g) {
            (*l).give_back(m, ticket);
            (*l).lock.unlock();
            return SyncOp::Done;
        }
        let s = sudog::acquire(m, g);
        (*s).addr = l as usize;
        (*s).ticket = ticket;
        (*s).wait = Wait {
            reason: WaitReason::SyncCondWait,
            ..Wait::NOTIFY
        };
        (*l).put(s);
        g.waiting = s;
        g.param = ptr::null_mut();
        m.park_unlock(&(*l).lock, WaitReason::SyncCondWait);
    }
    SyncOp::Blocked
}

/// Wakes all that hold a ticket.
///
/// Context: with a P; no lock held.
///
/// # Safety
///
/// `l` is a notify list.
///
/// Go: runtime/sema.go, notifyListNotifyAll.
pub unsafe fn notify_all(m: &mut M, l: *mut NotifyList) {
    // SAFETY: the list is touched under its lock; what was taken off it is ours.
    unsafe {
        if (*l).wait.load(Ordering::SeqCst) == (*l).notify.load(Ordering::SeqCst) {
            return;
        }
        (*l).lock.lock();
        let mut s = (*l).head;
        (*l).head = ptr::null_mut();
        (*l).tail = ptr::null_mut();
        (*l).notify
            .store((*l).wait.load(Ordering::SeqCst), Ordering::SeqCst);
        (*l).lock.unlock();
        if fault!(BroadcastBackwards) {
            let (mut left, mut back) = (s, ptr::null_mut());
            while !left.is_null() {
                let next = std::mem::replace(&mut (*left).next, back);
                (back, left) = (left, next);
            }
            s = back;
        }
        while !s.is_null() {
            let next = (*s).next;
            (*s).next = ptr::null_mut();
            if (*s).g.is_null() {
                sudog::release(m, s);
            } else {
                bubble::check_notified(m, (*s).g);
                crate::chan::wake(m, s, true);
            }
            s = next;
        }
    }
}

/// Wakes the one with the oldest ticket.
///
/// Context: with a P; no lock held.
///
/// # Safety
///
/// `l` is a notify list.
///
/// Go: runtime/sema.go, notifyListNotifyOne.
pub unsafe fn notify_one(m: &mut M, l: *mut NotifyList) {
    // SAFETY: the list is touched under its lock; what was taken off it is ours.
    unsafe {
        if (*l).wait.load(Ordering::SeqCst) == (*l).notify.load(Ordering::SeqCst) {
            return;
        }
        (*l).lock.lock();
        let s = loop {
            let ticket = (*l).notify.load(Ordering::Relaxed);
            if ticket == (*l).wait.load(Ordering::SeqCst) {
                break ptr::null_mut();
            }
            (*l).notify.store(ticket.wrapping_add(1), Ordering::SeqCst);
            // Its holder may not be in the list yet; it will see `notify` when it comes.
            let s = (*l).take(ticket);
            if s.is_null() || !(*s).g.is_null() {
                break s;
            }
            sudog::release(m, s);
        };
        (*l).lock.unlock();
        if !s.is_null() {
            bubble::check_notified(m, (*s).g);
            crate::chan::wake(m, s, true);
        }
    }
}
