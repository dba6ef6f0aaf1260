//! Mutex, RWMutex and WaitGroup of package sync, over memory laid out as Go lays it out.
//!
//! Each operation is a state machine. It completes, or answers [`SyncOp::Blocked`] with the goroutine queued
//! on a semaphore; the caller leaves with `Outcome::Park`, and when the goroutine runs again
//! calls [`resume`], as often as that answers `Blocked`. What must be remembered meanwhile lies in the goroutine's sudog, so
//! callers keep no state.
//!
//! # Invariants
//!
//! - X1. The words belong to the program. They are touched by atomics only, so a program which
//!   copies or overwrites them gets Go's errors or its own deadlock, never worse.
//! - X2. Mutex, normal mode: an unlock wakes one waiter at most, and sets `WOKEN` so that no
//!   other wakes a second. The woken competes with newcomers; who loses goes to the front of the queue.
//! - X3. Mutex, starving mode: ownership passes from the unlocker to the first waiter by a handed
//!   count. `LOCKED` is not set meanwhile, but nobody else may take it.
//! - X4. RWMutex: `reader_count` is lowered by [`MAX_READERS`] while a writer is pending or active;
//!   `reader_wait` then counts the readers it still waits for.
//! - X5. WaitGroup: counter in the high half of the state, waiters in the low; waiters are added only
//!   while the counter is positive, by one compare-and-swap of both.
//!
//! Go: internal/sync/mutex.go; sync/rwmutex.go, waitgroup.go; runtime/sema.go.

#![allow(unsafe_code)]

use crate::clock::nanotime;
use crate::g::{G, WaitReason};
use crate::m::M;
use crate::knobs;
use crate::sched::{self, SCHED};
use crate::sema;
use crate::switches::{self, Mech};
use crate::sync::{AtomicI32, AtomicU32, AtomicU64, Ordering, pause};

/// What became of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use]
pub enum SyncOp {
    /// Done.
    Done,
    /// Done; the caller should now leave with `Outcome::Yield(YieldKind::Local)`, and go on after
    /// it: the lock was handed to a goroutine that shall run at once.
    Yield,
    /// The goroutine is queued: leave with `Outcome::Park`, later call [`resume`].
    Blocked,
    /// The program cannot go on: `fatal error:` with this text.
    Fatal(&'static str),
    /// A panic with this text.
    Panic(&'static str),
}

impl SyncOp {
    fn done(yield_now: bool) -> SyncOp {
        if yield_now {
            SyncOp::Yield
        } else {
            SyncOp::Done
        }
    }
}

/// Where an operation goes on when its goroutine has been woken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stage {
    /// A plain semaphore: nothing is left to do.
    Plain,
    /// A notify list: nothing is left to do.
    Notify,
    /// Mutex.Lock.
    Mutex,
    /// RWMutex.Lock, for the mutex among writers.
    RwLockMutex,
    /// RWMutex.Lock without the preference of writers, for a moment without readers.
    RwLockPoll,
    /// WaitGroup.Wait.
    WaitGroup,
}

/// What a sudog remembers of an operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wait {
    pub(crate) stage: Stage,
    pub(crate) reason: WaitReason,
    /// Queued at the front.
    pub(crate) lifo: bool,
    /// Mutex: has waited for more than [`STARVATION_NS`].
    pub(crate) starving: bool,
    /// Mutex: when the wait began; 0 if it has not.
    pub(crate) since: i64,
    /// The Mutex, RWMutex or WaitGroup.
    pub(crate) object: usize,
}

impl Wait {
    /// For a plain semaphore.
    pub(crate) const PLAIN: Wait = Wait {
        stage: Stage::Plain,
        reason: WaitReason::Semacquire,
        lifo: false,
        starving: false,
        since: 0,
        object: 0,
    };
    /// For a notify list.
    pub(crate) const NOTIFY: Wait = Wait {
        stage: Stage::Notify,
        ..Wait::PLAIN
    };
}

/// Goes on with an operation that was `Blocked`, when its goroutine runs again.
///
/// Context: coroutine; with a P; no lock held.
///
/// # Safety
///
/// `g` runs on `m`, and has parked after `Blocked` from this module or [`sema`].
pub unsafe fn resume(m: &mut M, g: &mut G) -> SyncOp {
    // SAFETY: X1, and the caller's.
    unsafe {
        let (w, sema, handed) = sema::woken(m, g);
        if w.stage == Stage::Notify {
            return SyncOp::Done;
        }
        if !handed && !sema::acquire_or_queue(m, g, sema, w) {
            return SyncOp::Blocked;
        }
        match w.stage {
            Stage::Plain | Stage::Notify => SyncOp::Done,
            Stage::Mutex => mutex_woken(m, g, w),
            Stage::RwLockMutex => match mutex_woken(m, g, w) {
                SyncOp::Done => rw_announce(m, g, w.object as *const RwMutex),
                op => op,
            },
            Stage::RwLockPoll => rw_poll(m, g, w.object as *const RwMutex),
            Stage::WaitGroup => wait_group_woken(w.object as *const WaitGroup),
        }
    }
}

/// A `sync.Mutex`.
#[repr(C)]
#[derive(Debug)]
pub struct Mutex {
    state: AtomicI32,
    sema: AtomicU32,
}

const LOCKED: i32 = 1;
const WOKEN: i32 = 2;
const STARVING: i32 = 4;
/// One waiter.
const WAITER: i32 = 8;

/// How long a waiter may be outrun before it asks for starving mode. Go: starvationThresholdNs.
const STARVATION_NS: i64 = 1_000_000;
/// Tries to see the lock free before queueing. Go: active_spin.
const SPINS: u32 = 4;
/// CPU pauses in one of them. Go: active_spin_cnt.
const SPIN_PAUSES: u32 = 30;

const INCONSISTENT: &str = "sync: inconsistent mutex state";

/// Locks the mutex.
///
/// Context: coroutine; with a P; no lock held.
///
/// # Safety
///
/// `g` runs on `m`; `mu` is a `sync.Mutex`.
#[inline]
pub unsafe fn lock(m: &mut M, g: &mut G, mu: *const Mutex) -> SyncOp {
    // SAFETY: X1.
    unsafe {
        // Acquire: pairs with the Release in `unlock`.
        if (*mu)
            .state
            .compare_exchange(0, LOCKED, Ordering::Acquire, Ordering::Relaxed)
            .is_ok()
        {
            return SyncOp::Done;
        }
        let w = Wait {
            stage: Stage::Mutex,
            reason: WaitReason::SyncMutexLock,
            object: mu as usize,
            ..Wait::PLAIN
        };
        lock_slow(m, g, mu, w, false)
    }
}

/// Locks the mutex if it is free; never waits.
///
/// # Safety
///
/// `mu` is a `sync.Mutex`.
#[inline]
pub unsafe fn try_lock(mu: *const Mutex) -> bool {
    // SAFETY: X1.
    unsafe {
        let old = (*mu).state.load(Ordering::Relaxed);
        old & (LOCKED | STARVING) == 0
            // Acquire: pairs with the Release in `unlock`.
            && (*mu).state.compare_exchange(old, old | LOCKED, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }
}

/// Whether to spin makes sense: another P runs somebody who may unlock, and nothing waits for this one.
fn can_spin(m: &mut M) -> bool {
    let idle = SCHED.npidle.load(Ordering::Relaxed) + SCHED.nmspinning.load(Ordering::Relaxed);
    knobs::num_cpu() > 1 && sched::gomaxprocs() > idle + 1 && m.p().runq.is_empty()
}

/// Queues for the mutex, unless it becomes free. `w` is what to remember; `woken` says that this
/// goroutine answers for the `WOKEN` bit.
///
/// # Safety
///
/// As [`lock`].
#[cold]
unsafe fn lock_slow(
    m: &mut M,
    g: &mut G,
    mu: *const Mutex,
    mut w: Wait,
    mut woken: bool,
) -> SyncOp {
    // SAFETY: X1.
    let state = unsafe { &(*mu).state };
    let mut spins = 0;
    let mut old = state.load(Ordering::Relaxed);
    loop {
        if old & (LOCKED | STARVING) == LOCKED && spins < SPINS && can_spin(m) {
            // Claim the wake-up, so that the owner need not wake a sleeper.
            woken = woken
                || (old & WOKEN == 0
                    && old >= WAITER
                    && state
                        .compare_exchange(old, old | WOKEN, Ordering::Relaxed, Ordering::Relaxed)
                        .is_ok());
            pause(SPIN_PAUSES);
            spins += 1;
            old = state.load(Ordering::Relaxed);
            continue;
        }
        let taken = old & (LOCKED | STARVING) != 0;
        let mut new = if taken {
            old.wrapping_add(WAITER)
        } else {
            old | LOCKED
        };
        if w.starving && old & LOCKED != 0 {
            new |= STARVING;
        }
        if woken {
            if new & WOKEN == 0 {
                return SyncOp::Fatal(INCONSISTENT);
            }
            new &= !WOKEN;
        }
        // AcqRel: pairs with the Release in `unlock`, also when it only queues.
        match state.compare_exchange(old, new, Ordering::AcqRel, Ordering::Relaxed) {
            Err(seen) => old = seen,
            Ok(_) if !taken => return SyncOp::Done,
            Ok(_) => {
                // Who has waited before goes to the front (X2).
                w.lifo = w.since != 0;
                if w.since == 0 {
                    w.since = nanotime();
                }
                // SAFETY: the caller's.
                if !unsafe { sema::acquire_or_queue(m, g, &raw const (*mu).sema, w) } {
                    return SyncOp::Blocked;
                }
                match after_wait(state, &mut w) {
                    Some(op) => return op,
                    None => {
                        woken = true;
                        spins = 0;
                        old = state.load(Ordering::Relaxed);
                    }
                }
            }
        }
    }
}

/// What a waiter does that got a count of the semaphore: in starving mode the mutex is its own, else `None`: it must
/// compete.
fn after_wait(state: &AtomicI32, w: &mut Wait) -> Option<SyncOp> {
    w.starving =
        w.starving || (switches::on(Mech::MutexStarvation) && nanotime() - w.since > STARVATION_NS);
    let old = state.load(Ordering::Relaxed);
    if old & STARVING == 0 {
        return None;
    }
    if old & (LOCKED | WOKEN) != 0 || old < WAITER {
        return Some(SyncOp::Fatal(INCONSISTENT));
    }
    // X3: take the ownership that was handed over, and leave the waiters. The last of them, or
    // one that did not wait long, ends the mode.
    let mut delta = LOCKED - WAITER;
    if !w.starving || old / WAITER == 1 {
        delta -= STARVING;
    }
    // Acquire: pairs with the Release in `unlock`.
    state.fetch_add(delta, Ordering::AcqRel);
    Some(SyncOp::Done)
}

/// # Safety
///
/// As [`resume`]; the goroutine has got a count of the mutex's semaphore.
unsafe fn mutex_woken(m: &mut M, g: &mut G, mut w: Wait) -> SyncOp {
    // An RWMutex begins with its mutex.
    let mu = w.object as *const Mutex;
    // SAFETY: X1.
    unsafe {
        match after_wait(&(*mu).state, &mut w) {
            Some(op) => op,
            None => lock_slow(m, g, mu, w, true),
        }
    }
}

/// Unlocks the mutex.
///
/// Context: with a P; no lock held.
///
/// # Safety
///
/// `mu` is a `sync.Mutex`.
#[inline]
pub unsafe fn unlock(m: &mut M, mu: *const Mutex) -> SyncOp {
    // SAFETY: X1.
    unsafe {
        // Release: pairs with the Acquires of `lock`.
        let old = (*mu).state.fetch_sub(LOCKED, Ordering::Release);
        if old == LOCKED {
            SyncOp::Done
        } else {
            unlock_slow(m, mu, old.wrapping_sub(LOCKED))
        }
    }
}

/// # Safety
///
/// As [`unlock`]; `new` is the state after `LOCKED` was taken off.
#[cold]
unsafe fn unlock_slow(m: &mut M, mu: *const Mutex, new: i32) -> SyncOp {
    if new.wrapping_add(LOCKED) & LOCKED == 0 {
        return SyncOp::Fatal("sync: unlock of unlocked mutex");
    }
    // SAFETY: X1.
    unsafe {
        if new & STARVING != 0 {
            return SyncOp::done(sema::release(m, &raw const (*mu).sema, true));
        }
        let mut old = new;
        loop {
            if old / WAITER == 0 || old & (LOCKED | WOKEN | STARVING) != 0 {
                return SyncOp::Done;
            }
            let new = (old - WAITER) | WOKEN;
            match (*mu)
                .state
                .compare_exchange(old, new, Ordering::Relaxed, Ordering::Relaxed)
            {
                Ok(_) => return SyncOp::done(sema::release(m, &raw const (*mu).sema, false)),
                Err(seen) => old = seen,
            }
        }
    }
}

/// A `sync.RWMutex`.
#[repr(C)]
#[derive(Debug)]
pub struct RwMutex {
    /// Among writers. First, so that it has the address of the whole.
    w: Mutex,
    writer_sem: AtomicU32,
    reader_sem: AtomicU32,
    reader_count: AtomicI32,
    reader_wait: AtomicI32,
}

const _: () = assert!(size_of::<RwMutex>() == 24);

/// The most readers. Go: rwmutexMaxReaders.
const MAX_READERS: i32 = 1 << 30;

/// Locks for reading.
///
/// Context: coroutine; with a P; no lock held.
///
/// # Safety
///
/// `g` runs on `m`; `rw` is a `sync.RWMutex`.
#[inline]
pub unsafe fn rlock(m: &mut M, g: &mut G, rw: *const RwMutex) -> SyncOp {
    // SAFETY: X1.
    unsafe {
        // Acquire: pairs with the Release in `rw_unlock`.
        if (*rw)
            .reader_count
            .fetch_add(1, Ordering::AcqRel)
            .wrapping_add(1)
            >= 0
        {
            return SyncOp::Done;
        }
        sema::acquire(
            m,
            g,
            &raw const (*rw).reader_sem,
            false,
            WaitReason::SyncRwMutexRLock,
        )
    }
}

/// Locks for reading if no writer is pending or active; never waits.
///
/// # Safety
///
/// `rw` is a `sync.RWMutex`.
pub unsafe fn try_rlock(rw: *const RwMutex) -> bool {
    // SAFETY: X1.
    let count = unsafe { &(*rw).reader_count };
    let mut c = count.load(Ordering::Relaxed);
    while c >= 0 {
        // Acquire: pairs with the Release in `rw_unlock`.
        match count.compare_exchange(c, c.wrapping_add(1), Ordering::Acquire, Ordering::Relaxed) {
            Ok(_) => return true,
            Err(seen) => c = seen,
        }
    }
    false
}

/// Ends one lock for reading.
///
/// Context: with a P; no lock held.
///
/// # Safety
///
/// `rw` is a `sync.RWMutex`.
#[inline]
pub unsafe fn runlock(m: &mut M, rw: *const RwMutex) -> SyncOp {
    // SAFETY: X1.
    unsafe {
        // Release: pairs with the Acquire in `rw_announce`.
        let left = (*rw)
            .reader_count
            .fetch_sub(1, Ordering::AcqRel)
            .wrapping_sub(1);
        if left > 0 || (left == 0 && switches::on(Mech::WriterPreference)) {
            return SyncOp::Done;
        }
        runlock_slow(m, rw, left)
    }
}

/// # Safety
///
/// As [`runlock`].
#[cold]
unsafe fn runlock_slow(m: &mut M, rw: *const RwMutex, left: i32) -> SyncOp {
    // SAFETY: X1.
    unsafe {
        if left == 0 {
            // Without the preference of writers: the last reader wakes who waits for this moment.
            if (*rw).reader_wait.swap(0, Ordering::SeqCst) == 0 {
                return SyncOp::Done;
            }
            return SyncOp::done(sema::release(m, &raw const (*rw).writer_sem, false));
        }
        if left == -1 || left == -1 - MAX_READERS {
            return SyncOp::Fatal("sync: RUnlock of unlocked RWMutex");
        }
        // X4: the last reader the writer waits for wakes it.
        if (*rw).reader_wait.fetch_sub(1, Ordering::AcqRel) == 1 {
            return SyncOp::done(sema::release(m, &raw const (*rw).writer_sem, false));
        }
        SyncOp::Done
    }
}

/// Locks for writing.
///
/// Context: coroutine; with a P; no lock held.
///
/// # Safety
///
/// `g` runs on `m`; `rw` is a `sync.RWMutex`.
pub unsafe fn rw_lock(m: &mut M, g: &mut G, rw: *const RwMutex) -> SyncOp {
    // SAFETY: X1.
    unsafe {
        let w = &raw const (*rw).w;
        // Acquire: pairs with the Release in `unlock`.
        if (*w)
            .state
            .compare_exchange(0, LOCKED, Ordering::Acquire, Ordering::Relaxed)
            .is_err()
        {
            let wait = Wait {
                stage: Stage::RwLockMutex,
                reason: WaitReason::SyncMutexLock,
                object: rw as usize,
                ..Wait::PLAIN
            };
            match lock_slow(m, g, w, wait, false) {
                SyncOp::Done => {}
                op => return op,
            }
        }
        rw_announce(m, g, rw)
    }
}

/// Tells the readers of a writer, and waits for those who are in.
///
/// # Safety
///
/// As [`rw_lock`]; the goroutine holds the mutex among writers.
unsafe fn rw_announce(m: &mut M, g: &mut G, rw: *const RwMutex) -> SyncOp {
    // SAFETY: X1.
    unsafe {
        if !switches::on(Mech::WriterPreference) {
            return rw_poll(m, g, rw);
        }
        // X4. Acquire: pairs with the Release in `runlock`.
        let readers = (*rw).reader_count.fetch_sub(MAX_READERS, Ordering::AcqRel);
        if readers == 0
            || (*rw)
                .reader_wait
                .fetch_add(readers, Ordering::AcqRel)
                .wrapping_add(readers)
                == 0
        {
            return SyncOp::Done;
        }
        sema::acquire(
            m,
            g,
            &raw const (*rw).writer_sem,
            false,
            WaitReason::SyncRwMutexLock,
        )
    }
}

/// The writer's way without its preference: waits for a moment without readers, which newcomers may put off for ever.
///
/// # Safety
///
/// As [`rw_announce`].
unsafe fn rw_poll(m: &mut M, g: &mut G, rw: *const RwMutex) -> SyncOp {
    // SAFETY: X1.
    unsafe {
        loop {
            for flag in [1, 0] {
                if (*rw)
                    .reader_count
                    .compare_exchange(0, -MAX_READERS, Ordering::SeqCst, Ordering::SeqCst)
                    .is_ok()
                {
                    (*rw).reader_wait.store(0, Ordering::SeqCst);
                    return SyncOp::Done;
                }
                if flag == 1 {
                    // Then look again, lest the last reader left before it could see this.
                    (*rw).reader_wait.store(1, Ordering::SeqCst);
                }
            }
            let wait = Wait {
                stage: Stage::RwLockPoll,
                reason: WaitReason::SyncRwMutexLock,
                object: rw as usize,
                ..Wait::PLAIN
            };
            if !sema::acquire_or_queue(m, g, &raw const (*rw).writer_sem, wait) {
                return SyncOp::Blocked;
            }
        }
    }
}

/// Locks for writing if nobody reads or writes; never waits.
///
/// # Safety
///
/// `rw` is a `sync.RWMutex`.
pub unsafe fn rw_try_lock(m: &mut M, rw: *const RwMutex) -> bool {
    // SAFETY: X1.
    unsafe {
        let w = &raw const (*rw).w;
        if !try_lock(w) {
            return false;
        }
        // Acquire: pairs with the Release in `runlock`.
        if (*rw)
            .reader_count
            .compare_exchange(0, -MAX_READERS, Ordering::AcqRel, Ordering::Relaxed)
            .is_ok()
        {
            return true;
        }
        // The mutex was ours, so this cannot fail; whom it wakes needs no hand-off, as it is not
        // in starving mode.
        let _ = unlock(m, w);
        false
    }
}

/// Ends a lock for writing: lets in the readers who came meanwhile, then other writers.
///
/// Context: with a P; no lock held.
///
/// # Safety
///
/// `rw` is a `sync.RWMutex`.
pub unsafe fn rw_unlock(m: &mut M, rw: *const RwMutex) -> SyncOp {
    // SAFETY: X1.
    unsafe {
        // Release: pairs with the Acquires of readers and writers.
        let readers = (*rw)
            .reader_count
            .fetch_add(MAX_READERS, Ordering::AcqRel)
            .wrapping_add(MAX_READERS);
        if readers >= MAX_READERS || readers < 0 {
            return SyncOp::Fatal("sync: Unlock of unlocked RWMutex");
        }
        for _ in 0..readers {
            sema::release(m, &raw const (*rw).reader_sem, false);
        }
        unlock(m, &raw const (*rw).w)
    }
}

/// A `sync.WaitGroup`.
#[repr(C)]
#[derive(Debug)]
pub struct WaitGroup {
    state: AtomicU64,
    sema: AtomicU32,
}

const _: () = assert!(size_of::<WaitGroup>() == 16);

/// The waiters in the state; the bit above them is Go's for bubbles of synctest.
const WAITERS: u64 = 0x7fff_ffff;

const ADD_MISUSE: &str = "sync: WaitGroup misuse: Add called concurrently with Wait";

/// Adds to the counter; when it becomes 0, wakes all who wait. `Done` is adding -1.
///
/// Context: with a P; no lock held.
///
/// # Safety
///
/// `wg` is a `sync.WaitGroup`.
#[inline]
pub unsafe fn wait_group_add(m: &mut M, wg: *const WaitGroup, delta: i64) -> SyncOp {
    // SAFETY: X1.
    unsafe {
        let add = (delta as u64) << 32;
        // AcqRel: what was done before `Done` is seen after `Wait`.
        let state = (*wg)
            .state
            .fetch_add(add, Ordering::AcqRel)
            .wrapping_add(add);
        let (counter, waiters) = ((state >> 32) as i32, state & WAITERS);
        if counter > 0 && waiters == 0 {
            return SyncOp::Done;
        }
        wait_group_add_slow(m, wg, delta, state)
    }
}

/// # Safety
///
/// As [`wait_group_add`]; `state` is the state after the addition.
unsafe fn wait_group_add_slow(m: &mut M, wg: *const WaitGroup, delta: i64, state: u64) -> SyncOp {
    let (counter, waiters) = ((state >> 32) as i32, state & WAITERS);
    if counter < 0 {
        return SyncOp::Panic("sync: negative WaitGroup counter");
    }
    if waiters != 0 && delta > 0 && counter == delta as i32 {
        return SyncOp::Panic(ADD_MISUSE);
    }
    if counter > 0 || waiters == 0 {
        return SyncOp::Done;
    }
    // SAFETY: X1.
    unsafe {
        // The counter is 0, so nobody may add or wait now (X5); find out those who do.
        if (*wg).state.load(Ordering::Relaxed) != state {
            return SyncOp::Panic(ADD_MISUSE);
        }
        (*wg).state.store(0, Ordering::Release);
        for _ in 0..waiters {
            sema::release(m, &raw const (*wg).sema, false);
        }
    }
    SyncOp::Done
}

/// Waits until the counter is 0.
///
/// Context: coroutine; with a P; no lock held.
///
/// # Safety
///
/// `g` runs on `m`; `wg` is a `sync.WaitGroup`.
pub unsafe fn wait_group_wait(m: &mut M, g: &mut G, wg: *const WaitGroup) -> SyncOp {
    // SAFETY: X1.
    unsafe {
        let state = &(*wg).state;
        // Acquire: pairs with the Release in `wait_group_add`.
        let mut old = state.load(Ordering::Acquire);
        loop {
            if (old >> 32) as i32 == 0 {
                return SyncOp::Done;
            }
            match state.compare_exchange(old, old + 1, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => break,
                Err(seen) => old = seen,
            }
        }
        let wait = Wait {
            stage: Stage::WaitGroup,
            reason: WaitReason::SyncWaitGroupWait,
            object: wg as usize,
            ..Wait::PLAIN
        };
        if sema::acquire_or_queue(m, g, &raw const (*wg).sema, wait) {
            wait_group_woken(wg)
        } else {
            SyncOp::Blocked
        }
    }
}

/// # Safety
///
/// `wg` is a `sync.WaitGroup`.
unsafe fn wait_group_woken(wg: *const WaitGroup) -> SyncOp {
    // SAFETY: X1. Acquire: pairs with the AcqRel in `wait_group_add`.
    if unsafe { (*wg).state.load(Ordering::Acquire) } != 0 {
        return SyncOp::Panic("sync: WaitGroup is reused before previous Wait has returned");
    }
    SyncOp::Done
}
