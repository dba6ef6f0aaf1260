//! Mutex, RWMutex and WaitGroup of package sync, over memory laid out as Go lays it out.
//!
//! Each operation is a state machine. It completes, or answers [`SyncOp::Blocked`] with the
//! goroutine queued on a semaphore; the caller leaves with `Outcome::Park`, and when the goroutine
//! runs again calls [`resume`], as often as that answers `Blocked`. What must be remembered
//! meanwhile lies in the goroutine's sudog, so callers keep no state.
//!
//! # Invariants
//!
//! - X1. The words belong to the program. They are touched by atomics only, so a program which
//!   copies or overwrites them gets Go's errors or its own deadlock, never worse.
//! - X2. Mutex, normal mode: an unlock wakes one waiter at most, and sets `WOKEN` so that no other
//!   wakes a second. The woken G competes with newcomers; if it loses it goes to the front of the
//!   queue.
//! - X3. Mutex, starving mode: ownership passes from the unlocker to the first waiter by a handed
//!   count. `LOCKED` is not set meanwhile, but no other G may take it.
//!
//! Go: internal/sync/mutex.go; runtime/sema.go.

#![allow(unsafe_code)]

use crate::clock::nanotime;
use crate::cpus;
use crate::g::{G, WaitReason};
use crate::m::M;
use crate::prof;
use crate::prompt;
use crate::sched::{self, SCHED};
use crate::sema;
use crate::switches::{self, Mech};
use crate::sync::{AtomicI32, AtomicU32, Ordering, pause};

mod rw;
mod wait_group;

pub use rw::{RwMutex, rlock, runlock, rw_lock, rw_try_lock, rw_unlock, try_rlock};
pub(crate) use rw::{describe_rw, of_readers};
pub(crate) use wait_group::wait_group_count;
pub use wait_group::{WaitGroup, wait_group_add, wait_group_wait};

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
        if g.lock_since != 0 {
            let since = std::mem::take(&mut g.lock_since);
            prof::metrics::waited(crate::clock::real_nanotime() - since);
        }
        if !handed && !sema::acquire_or_queue(m, g, sema, w) {
            return SyncOp::Blocked;
        }
        match w.stage {
            Stage::Plain if w.reason == WaitReason::SyncRwMutexRLock => rw::rlocked(sema as usize),
            Stage::Plain | Stage::Notify => SyncOp::Done,
            Stage::Mutex => mutex_woken(m, g, w),
            Stage::RwLockMutex => match mutex_woken(m, g, w) {
                SyncOp::Done => rw::announce(m, g, w.object as *const RwMutex),
                op => op,
            },
            Stage::RwLockPoll => rw::poll(m, g, w.object as *const RwMutex),
            Stage::WaitGroup => wait_group::woken(w.object as *const WaitGroup),
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

/// Takes the mutex if it is free, also past the Gs that sleep on it, and no prompt wants to know.
/// If not, [`lock_slow`] waits.
///
/// Where goroutines contend, the word's cache line is gone again soon after it has come, so both
/// tries are made at once. The first is blind, for one that looks before costs more.
///
/// # Safety
///
/// `mu` is a `sync.Mutex`.
///
/// Go: internal/sync/mutex.go, Lock, and lockSlow where it need not wait.
#[inline(always)]
pub unsafe fn lock_fast(mu: *const Mutex) -> bool {
    // SAFETY: X1.
    let state = unsafe { &(*mu).state };
    if prompt::notes_holders() {
        return false;
    }
    // Acquire, twice: pairs with the Release in `unlock_fast`.
    match state.compare_exchange(0, LOCKED, Ordering::Acquire, Ordering::Relaxed) {
        Ok(_) => true,
        Err(old) => {
            old & (LOCKED | STARVING) == 0
                && state
                    .compare_exchange(old, old | LOCKED, Ordering::Acquire, Ordering::Relaxed)
                    .is_ok()
        }
    }
}

/// Whether [`lock_fast`] would have taken the mutex, if holders of locks were not told: a run
/// that is steered has the same points, told or not.
///
/// # Safety
///
/// `mu` is a `sync.Mutex`, and nothing has run since that call.
pub unsafe fn only_told_lock(mu: *const Mutex) -> bool {
    // SAFETY: X1.
    let state = unsafe { (*mu).state.load(Ordering::Relaxed) };
    prompt::notes_holders() && state & (LOCKED | STARVING) == 0
}

/// As [`only_told_lock`], of [`unlock_fast`], which has left this.
pub fn only_told_unlock(left: i32) -> bool {
    prompt::notes_holders() && is_unlocked(left)
}

/// Nothing more is to be done for an unlock that has left this.
#[inline(always)]
fn is_unlocked(left: i32) -> bool {
    left == 0 || left & (LOCKED | WOKEN | STARVING) == WOKEN
}

/// Has somebody got the mutex?
///
/// # Safety
///
/// X1.
pub(crate) unsafe fn is_locked(mu: *const Mutex) -> bool {
    // SAFETY: the caller's.
    unsafe { (*mu).state.load(Ordering::Relaxed) & LOCKED != 0 }
}

/// Locks the mutex. For tests.
///
/// Context: coroutine; with a P; no lock held.
///
/// # Safety
///
/// `g` runs on `m`; `mu` is a `sync.Mutex`.
#[inline]
pub unsafe fn lock(m: &mut M, g: &mut G, mu: *const Mutex) -> SyncOp {
    // SAFETY: the caller's.
    unsafe {
        if lock_fast(mu) {
            SyncOp::Done
        } else {
            lock_slow(m, g, mu)
        }
    }
}

/// Locks the mutex, which [`lock_fast`] could not.
///
/// Context: as [`lock`].
///
/// # Safety
///
/// As [`lock`].
#[cold]
pub unsafe fn lock_slow(m: &mut M, g: &mut G, mu: *const Mutex) -> SyncOp {
    let w = Wait {
        stage: Stage::Mutex,
        reason: WaitReason::SyncMutexLock,
        object: mu as usize,
        ..Wait::PLAIN
    };
    // SAFETY: the caller's.
    unsafe { compete(m, g, mu, w, false) }
}

/// The goroutine has the mutex.
fn locked(mu: *const Mutex) -> SyncOp {
    prompt::took(mu as usize);
    SyncOp::Done
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
        let state = &(*mu).state;
        let old = state.load(Ordering::Relaxed);
        if old & (LOCKED | STARVING) != 0 {
            return false;
        }
        // Acquire: pairs with the Release in `unlock_fast`.
        let set = state.compare_exchange(old, old | LOCKED, Ordering::Acquire, Ordering::Relaxed);
        if set.is_ok() {
            prompt::took(mu as usize);
        }
        set.is_ok()
    }
}

/// Whether to spin makes sense: another P runs a G that may unlock, and nothing waits for this one.
fn can_spin(m: &mut M) -> bool {
    let idle = SCHED.npidle.load(Ordering::Relaxed) + SCHED.nmspinning.load(Ordering::Relaxed);
    cpus::at_start() > 1
        && sched::gomaxprocs() > idle + 1
        && m.p().runq.is_empty()
        && !fault!(NoMutexSpin)
}

/// Queues for the mutex, unless it becomes free. `w` is what to remember; `woken` says that this
/// goroutine answers for the `WOKEN` bit.
///
/// # Safety
///
/// As [`lock`].
///
/// Go: internal/sync/mutex.go, lockSlow.
#[cold]
unsafe fn compete(m: &mut M, g: &mut G, mu: *const Mutex, mut w: Wait, mut woken: bool) -> SyncOp {
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
            #[cfg(test)]
            crate::proc::at_step(m, crate::proc::SPUN);
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
        // AcqRel: pairs with the Release in `unlock_fast`, also when it only queues.
        match state.compare_exchange(old, new, Ordering::AcqRel, Ordering::Relaxed) {
            Err(seen) => old = seen,
            Ok(_) if !taken => return locked(mu),
            Ok(_) => {
                // A G that has waited before goes to the front (X2).
                w.lifo = w.since != 0 && !fault!(LoserToTail);
                if w.since == 0 {
                    w.since = nanotime();
                }
                // SAFETY: the caller's.
                if !unsafe { sema::acquire_or_queue(m, g, &raw const (*mu).sema, w) } {
                    return SyncOp::Blocked;
                }
                match after_wait(state, &mut w) {
                    Some(SyncOp::Done) => return locked(mu),
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

/// Says whether the mutex is locked, and in which mode; whether it is free.
///
/// # Safety
///
/// `mu` is a `sync.Mutex`.
pub(crate) unsafe fn describe(mu: *const Mutex, text: &mut String) -> bool {
    // SAFETY: X1.
    let state = unsafe { (*mu).state.load(Ordering::Relaxed) };
    let is_free = state & (LOCKED | STARVING) == 0;
    text.push_str(if is_free { "unlocked" } else { "locked" });
    if state & STARVING != 0 {
        text.push_str(", starving: who waits first gets it");
    }
    is_free
}

/// What a waiter does that got a count of the semaphore: in starving mode the mutex is its own,
/// else `None`: it must compete.
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
    if (!w.starving && !fault!(StayStarving)) || old / WAITER == 1 {
        delta -= STARVING;
    }
    // Acquire: pairs with the Release in `unlock_fast`.
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
            Some(SyncOp::Done) => locked(mu),
            Some(op) => op,
            None => compete(m, g, mu, w, true),
        }
    }
}

/// Undoes what an operation has counted that waits on the semaphore at `sema`.
///
/// Context: g0 with a P; no lock held.
///
/// # Safety
///
/// `w` is what the operation remembered; its sudog has been dequeued; the world is stopped.
pub(crate) unsafe fn undo(m: &mut M, sema: usize, w: Wait) {
    // SAFETY: X1; the semaphores of an RWMutex lie where they do.
    unsafe {
        match (w.stage, w.reason) {
            (Stage::Mutex | Stage::RwLockMutex, _) => {
                let state = &(*(w.object as *const Mutex)).state;
                let old = state.load(Ordering::Relaxed);
                let mode = if old / WAITER == 1 { old & STARVING } else { 0 };
                state.fetch_sub(WAITER + mode, Ordering::AcqRel);
            }
            (Stage::RwLockPoll, _) => rw::undo_poll(m, w.object as *const RwMutex),
            (Stage::WaitGroup, _) => wait_group::undo(w.object as *const WaitGroup),
            (Stage::Plain, WaitReason::SyncRwMutexRLock) => rw::undo_reader(sema),
            (Stage::Plain, WaitReason::SyncRwMutexLock) => rw::undo_writer(m, sema),
            (Stage::Plain | Stage::Notify, _) => {}
        }
    }
}

/// Takes `LOCKED` off. If more may have to be done, because Gs sleep, because it was not set or
/// because somebody wants to know who holds it, returns the state that is left, with which
/// [`unlock_slow`] must follow.
///
/// # Safety
///
/// `mu` is a `sync.Mutex`.
///
/// Go: internal/sync/mutex.go, Unlock, and unlockSlow where it finds a waiter awake.
#[inline(always)]
pub unsafe fn unlock_fast(mu: *const Mutex) -> Option<i32> {
    // Release: pairs with the Acquires of `lock`.
    // SAFETY: X1.
    let old = unsafe { (*mu).state.fetch_sub(LOCKED, Ordering::Release) };
    let new = old.wrapping_sub(LOCKED);
    (!is_unlocked(new) || prompt::notes_holders()).then_some(new)
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
    // SAFETY: the caller's.
    unsafe {
        match unlock_fast(mu) {
            None => SyncOp::Done,
            Some(new) => unlock_slow(m, mu, new),
        }
    }
}

/// Does the rest of an unlock: hands the mutex over in starving mode, else wakes one waiter if none
/// is awake.
///
/// Context: as [`unlock`].
///
/// # Safety
///
/// As [`unlock`]; `new` is what [`unlock_fast`] has returned.
///
/// Go: internal/sync/mutex.go, unlockSlow.
#[cold]
pub unsafe fn unlock_slow(m: &mut M, mu: *const Mutex, new: i32) -> SyncOp {
    if new.wrapping_add(LOCKED) & LOCKED == 0 {
        if fault!(IgnoreMisuse) {
            return SyncOp::Done;
        }
        return SyncOp::Fatal("sync: unlock of unlocked mutex");
    }
    prompt::gave(mu as usize);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The state of a mutex in starving mode after it was handed to one of its `waiters`, which had
    /// waited since `since`.
    fn taken(waiters: i32, since: i64) -> i32 {
        let state = AtomicI32::new(STARVING | (waiters * WAITER));
        let mut w = Wait {
            since,
            ..Wait::PLAIN
        };
        assert_eq!(after_wait(&state, &mut w), Some(SyncOp::Done));
        state.load(Ordering::Relaxed)
    }

    #[test]
    fn t51_a_short_wait_ends_the_starving_mode() {
        let (now, old) = (nanotime(), nanotime() - 2 * STARVATION_NS);
        // A wait that begins in an hour is short on the slowest of machines.
        let short = now + 3_600_000_000_000;
        assert_eq!(taken(3, short), LOCKED | (2 * WAITER));
        assert_eq!(taken(3, old), LOCKED | STARVING | (2 * WAITER));
        assert_eq!(taken(1, old), LOCKED, "so does the last");
    }
}
