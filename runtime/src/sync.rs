//! Atomics, threads and the runtime's own lock.
//!
//! Everything else in the crate takes atomics from here. [`Lock`] is a futex lock which may be
//! taken on a coroutine as well as on a thread's own stack: it is not tied to a thread, so a
//! lock handed to `park` is released by whoever commits the park.
//!
//! Go: runtime/lock_futex.go.

use std::cell::UnsafeCell;
use std::ops::{Deref, DerefMut};

pub use std::sync::atomic::{
    AtomicBool, AtomicI32, AtomicI64, AtomicPtr, AtomicU8, AtomicU32, AtomicU64, AtomicUsize,
    Ordering,
};

use crate::lockrank::Rank;

/// A full barrier: no load after it may be done before a store before it.
#[inline]
pub fn fence_seq_cst() {
    // A locked instruction is a full barrier on x86-64 and half as dear as mfence.
    #[cfg(target_arch = "x86_64")]
    #[allow(unsafe_code)]
    // SAFETY: adds nothing to a word of the own stack; without `nomem` it is a compiler barrier.
    unsafe {
        std::arch::asm!("lock or dword ptr [rsp - 64], 0", options(nostack));
    }
    #[cfg(not(target_arch = "x86_64"))]
    std::sync::atomic::fence(Ordering::SeqCst);
}

/// How often a CPU pause is repeated in one active spin.
const ACTIVE_SPIN_PAUSES: u32 = 30;
/// Active spins before the thread yields.
const ACTIVE_SPINS: u32 = 4;

const UNLOCKED: u32 = 0;
const LOCKED: u32 = 1;
const SLEEPING: u32 = 2;

/// A mutual exclusion lock of one word.
#[derive(Debug)]
pub struct Lock {
    word: AtomicU32,
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
                } else {
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
    pub fn try_lock(&self) -> bool {
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

    /// Releases the lock. The caller, or whoever handed it the lock, holds it.
    #[inline]
    pub fn unlock(&self) {
        #[cfg(debug_assertions)]
        crate::lockrank::release(self.rank);
        // Release: pairs with the Acquires in `lock`.
        match self.word.swap(UNLOCKED, Ordering::Release) {
            LOCKED => {}
            SLEEPING => futex_wake(&self.word, 1),
            _ => crate::throw!("unlock of unlocked lock"),
        }
    }

    /// Whether somebody holds it; for assertions and tests.
    pub fn is_locked(&self) -> bool {
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

    /// Undoes a successful `try_lock_for`.
    pub(crate) fn unlock_raw(&self) {
        self.lock.unlock();
    }

    /// The value, whoever holds the lock.
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
    /// Keeps the lock held after the guard is gone; whoever gets it must release it.
    pub fn keep(self) -> &'a Lock {
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

/// `n` CPU pauses.
#[inline]
pub fn pause(n: u32) {
    for _ in 0..n {
        std::hint::spin_loop();
    }
}

/// Gives the rest of the thread's turn to the operating system.
pub fn os_yield() {
    std::thread::yield_now();
}

/// Sleeps `us` microseconds.
pub fn usleep(us: u64) {
    std::thread::sleep(std::time::Duration::from_micros(us));
}

/// Sleeps while `*word == val`, at most `ns` nanoseconds (forever if negative). May wake early.
#[allow(unsafe_code)]
pub fn futex_wait(word: &AtomicU32, val: u32, ns: i64) {
    let ts = libc::timespec {
        tv_sec: ns / 1_000_000_000,
        tv_nsec: ns % 1_000_000_000,
    };
    let tsp = if ns < 0 {
        std::ptr::null()
    } else {
        &raw const ts
    };
    // SAFETY: `word` and `ts` outlive the call; the kernel only reads them.
    unsafe {
        libc::syscall(
            libc::SYS_futex,
            word.as_ptr(),
            libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG,
            val,
            tsp,
        );
    }
}

/// Wakes up to `n` sleepers on `word`.
#[allow(unsafe_code)]
pub fn futex_wake(word: &AtomicU32, n: i32) {
    // SAFETY: the kernel uses the address as a key only.
    unsafe {
        libc::syscall(
            libc::SYS_futex,
            word.as_ptr(),
            libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG,
            n,
        );
    }
}
