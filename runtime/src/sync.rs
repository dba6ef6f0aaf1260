//! Atomics, threads, the clock and the runtime's own lock: the seam under which models run.
//!
//! Everything else in the crate takes these from here, so that the same code runs on the machine
//! (`native`), under loom, which goes through every interleaving of a small piece, and under
//! shuttle, which tries random ones of the whole scheduler. [`Lock`] is a futex lock which may be
//! taken on a coroutine as well as on a thread's own stack: it is not tied to a thread, so a lock
//! handed to `park` is released by the M that commits the park.
//!
//! What is written before the runtime starts, or with the world stopped, and read everywhere
//! (switches, knobs, faults), and what only observes (events, counts), takes its words from
//! [`plain`]: a model need not interleave there.
//!
//! Go: runtime/lock_futex.go.

#[cfg(not(any(loom, shuttle)))]
mod native;
#[cfg(loom)]
mod under_loom;
#[cfg(shuttle)]
mod under_shuttle;

#[cfg(not(any(loom, shuttle)))]
use native as imp;
#[cfg(loom)]
use under_loom as imp;
#[cfg(shuttle)]
use under_shuttle as imp;

#[cfg(any(loom, shuttle))]
pub(crate) use imp::model;
pub(crate) use imp::{
    AtomicBool, AtomicI32, AtomicI64, AtomicPtr, AtomicU8, AtomicU32, AtomicU64, AtomicUsize,
    fence_after_rmw, fence_seq_cst, futex_wait, futex_wake, os_yield, pause, usleep,
};
pub(crate) use imp::{block_forever, nanotime, spawn_thread, thread_id, thread_stack, walltime};
pub(crate) use std::sync::atomic::Ordering;

/// Words that no model interleaves on.
pub(crate) mod plain {
    pub(crate) use std::sync::atomic::{
        AtomicBool, AtomicI32, AtomicI64, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering,
    };
}

use std::cell::UnsafeCell;
use std::ops::{Deref, DerefMut};

use crate::lockrank::Rank;

/// How often a CPU pause is repeated in one active spin.
const ACTIVE_SPIN_PAUSES: u32 = 30;
/// Active spins before the thread yields. In a model no other thread runs meanwhile.
const ACTIVE_SPINS: u32 = if cfg!(shuttle) { 0 } else { 4 };

const UNLOCKED: u32 = 0;
const LOCKED: u32 = 1;
const SLEEPING: u32 = 2;

/// A mutual exclusion lock of one word.
#[derive(Debug)]
pub struct Lock {
    word: AtomicU32,
    #[cfg_attr(not(debug_assertions), allow(dead_code))]
    rank: Rank,
}

impl Lock {
    /// An unlocked lock of the given rank.
    pub const fn new(rank: Rank) -> Lock {
        Lock {
            word: AtomicU32::new(UNLOCKED),
            rank,
        }
    }

    /// Takes the lock, sleeping in the kernel if it must.
    #[inline]
    pub fn lock(&self) {
        #[cfg(debug_assertions)]
        crate::lockrank::acquire(self.rank);
        #[cfg(loom)]
        if imp::lock(&self.word) {
            return;
        }
        // Acquire: pairs with the Release in `unlock`.
        if self
            .word
            .compare_exchange(UNLOCKED, LOCKED, Ordering::Acquire, Ordering::Relaxed)
            .is_err()
        {
            self.lock_slow();
        }
    }

    #[cold]
    fn lock_slow(&self) {
        let mut wait = LOCKED;
        loop {
            for round in 0..=ACTIVE_SPINS {
                while self.word.load(Ordering::Relaxed) == UNLOCKED {
                    // Acquire: pairs with the Release in `unlock`.
                    if self
                        .word
                        .compare_exchange(UNLOCKED, wait, Ordering::Acquire, Ordering::Relaxed)
                        .is_ok()
                    {
                        return;
                    }
                }
                if round < ACTIVE_SPINS {
                    pause(ACTIVE_SPIN_PAUSES);
                } else if !cfg!(shuttle) {
                    os_yield();
                }
            }
            // Acquire: pairs with the Release in `unlock`.
            if self.word.swap(SLEEPING, Ordering::Acquire) == UNLOCKED {
                return;
            }
            wait = SLEEPING;
            futex_wait(&self.word, SLEEPING, -1);
        }
    }

    /// Takes the lock if it is free.
    #[inline]
    pub(crate) fn try_lock(&self) -> bool {
        #[cfg(loom)]
        if let Some(ok) = imp::try_lock(&self.word) {
            return ok;
        }
        let ok = self
            .word
            .compare_exchange(UNLOCKED, LOCKED, Ordering::Acquire, Ordering::Relaxed)
            .is_ok();
        #[cfg(debug_assertions)]
        if ok {
            crate::tls::held_push(self.rank);
        }
        ok
    }

    /// Releases the lock, which the caller holds or was handed.
    #[inline]
    pub fn unlock(&self) {
        #[cfg(debug_assertions)]
        crate::lockrank::release(self.rank);
        #[cfg(loom)]
        if imp::unlock(&self.word) {
            return;
        }
        // Release: pairs with the Acquires in `lock`.
        match self.word.swap(UNLOCKED, Ordering::Release) {
            LOCKED => {}
            SLEEPING => futex_wake(&self.word, 1),
            _ => crate::throw!("unlock of unlocked lock"),
        }
    }

    /// Whether it is held; for assertions and tests.
    pub(crate) fn is_locked(&self) -> bool {
        self.word.load(Ordering::Relaxed) != UNLOCKED
    }

    /// Takes the lock until the guard is dropped. The guard must not live over a suspend.
    #[inline]
    pub fn guard(&self) -> LockGuard<'_> {
        self.lock();
        LockGuard(self)
    }
}

/// Releases its [`Lock`] when dropped.
#[derive(Debug)]
pub struct LockGuard<'a>(&'a Lock);

impl Drop for LockGuard<'_> {
    #[inline]
    fn drop(&mut self) {
        self.0.unlock();
    }
}

/// A value guarded by a [`Lock`].
#[derive(Debug)]
pub struct Guarded<T> {
    lock: Lock,
    value: UnsafeCell<T>,
}

#[allow(unsafe_code)]
// SAFETY: the value is only reached through the lock, which excludes.
unsafe impl<T: Send> Sync for Guarded<T> {}

impl<T> Guarded<T> {
    /// Wraps `value`.
    pub const fn new(rank: Rank, value: T) -> Guarded<T> {
        Guarded {
            lock: Lock::new(rank),
            value: UnsafeCell::new(value),
        }
    }

    /// Tries for `ms` milliseconds to take the lock; for the dying, without guard.
    pub(crate) fn try_lock_for(&self, ms: u32) -> bool {
        for _ in 0..ms {
            if self.lock.try_lock() {
                return true;
            }
            usleep(1000);
        }
        false
    }

    /// Takes the lock if it is free, until the guard is dropped.
    #[inline]
    pub(crate) fn try_lock(&self) -> Option<GuardedRef<'_, T>> {
        // Not `then_some`: a guard that is made is also dropped.
        self.lock.try_lock().then(|| GuardedRef(self))
    }

    /// Tries for `ms` milliseconds to take the lock; for the dying.
    pub(crate) fn try_guard_for(&self, ms: u32) -> Option<GuardedRef<'_, T>> {
        self.try_lock_for(ms).then(|| GuardedRef(self))
    }

    /// Undoes a successful `try_lock_for`.
    pub(crate) fn unlock_raw(&self) {
        self.lock.unlock();
    }

    /// The value, whether or not the lock is held.
    pub(crate) fn peek(&self) -> *const T {
        self.value.get()
    }

    /// Takes the lock until the guard is dropped.
    #[inline]
    pub fn lock(&self) -> GuardedRef<'_, T> {
        self.lock.lock();
        GuardedRef(self)
    }
}

/// Gives access to a [`Guarded`] value and releases it when dropped.
#[derive(Debug)]
pub struct GuardedRef<'a, T>(&'a Guarded<T>);

impl<'a, T> GuardedRef<'a, T> {
    /// Keeps the lock held after the guard is gone; the caller must release it.
    pub(crate) fn keep(self) -> &'a Lock {
        let lock = &self.0.lock;
        std::mem::forget(self);
        lock
    }
}

impl<T> Deref for GuardedRef<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        #[allow(unsafe_code)]
        // SAFETY: the guard exists only while its lock is held.
        unsafe {
            &*self.0.value.get()
        }
    }
}

impl<T> DerefMut for GuardedRef<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        #[allow(unsafe_code)]
        // SAFETY: the guard exists only while its lock is held.
        unsafe {
            &mut *self.0.value.get()
        }
    }
}

impl<T> Drop for GuardedRef<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.0.lock.unlock();
    }
}
