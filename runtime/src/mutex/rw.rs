//! RWMutex.
//!
//! # Invariants
//!
//! - R1. The words belong to the program and are touched by atomics only.
//! - R2. `reader_count` is lowered by [`MAX_READERS`] while a writer is pending or active;
//!   `reader_wait` then counts the readers it still waits for.
//! - R3. Without the preference of writers (`--without=writer-preference`) it is lowered only at a
//!   moment without readers, and `reader_wait` is 1 if a writer waits for one.
//!
//! Go: sync/rwmutex.go.

#![allow(unsafe_code)]

use super::{Mutex, Stage, SyncOp, Wait, compete, lock_fast, try_lock, unlock};
use crate::g::{G, WaitReason};
use crate::m::M;
use crate::prompt;
use crate::sema;
use crate::switches::{self, Mech};
use crate::sync::{AtomicI32, AtomicU32, Ordering};

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
    // SAFETY: R1.
    unsafe {
        // Acquire: pairs with the Release in `rw_unlock`.
        if (*rw)
            .reader_count
            .fetch_add(1, Ordering::AcqRel)
            .wrapping_add(1)
            >= 0
        {
            return rlocked(&raw const (*rw).reader_sem as usize);
        }
        let sema = &raw const (*rw).reader_sem;
        match sema::acquire(m, g, sema, false, WaitReason::SyncRwMutexRLock) {
            SyncOp::Done => rlocked(sema as usize),
            op => op,
        }
    }
}

/// The goroutine has locked for reading, after it has waited on the semaphore at `sema`.
pub(super) fn rlocked(sema: usize) -> SyncOp {
    prompt::took_shared(sema, of_readers(sema));
    SyncOp::Done
}

/// The lock whose readers wait on the semaphore at `sema`.
pub(crate) fn of_readers(sema: usize) -> usize {
    sema - std::mem::offset_of!(RwMutex, reader_sem)
}

/// Describes the lock: held by readers or by a writer; whether it is free.
///
/// # Safety
///
/// `rw` is a `sync.RWMutex`.
pub(crate) unsafe fn describe_rw(rw: *const RwMutex, text: &mut String) -> bool {
    // SAFETY: R1.
    let (count, left) = unsafe {
        (
            (*rw).reader_count.load(Ordering::Relaxed),
            (*rw).reader_wait.load(Ordering::Relaxed),
        )
    };
    *text = match (count, left) {
        (0, _) => "unlocked".to_string(),
        (1.., _) => format!("locked by {count} for reading"),
        (_, 1..) => format!("locked by {left} for reading, and a writer waits for them"),
        _ => "locked for writing".to_string(),
    };
    count == 0
}

/// Locks for reading if no writer is pending or active; never waits.
///
/// # Safety
///
/// `rw` is a `sync.RWMutex`.
pub unsafe fn try_rlock(rw: *const RwMutex) -> bool {
    // SAFETY: R1.
    let count = unsafe { &(*rw).reader_count };
    let mut c = count.load(Ordering::Relaxed);
    while c >= 0 {
        // Acquire: pairs with the Release in `rw_unlock`.
        match count.compare_exchange(c, c.wrapping_add(1), Ordering::Acquire, Ordering::Relaxed) {
            Ok(_) => {
                // SAFETY: R1.
                let sema = unsafe { &raw const (*rw).reader_sem };
                prompt::took_shared(sema as usize, rw as usize);
                return true;
            }
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
    // SAFETY: R1.
    unsafe {
        prompt::gave_shared(&raw const (*rw).reader_sem as usize, rw as usize);
        // Release: pairs with the Acquire in `announce`.
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
    // SAFETY: R1.
    unsafe {
        if left == 0 {
            // Without the preference of writers: the last reader wakes the G that waits for this
            // moment.
            if (*rw).reader_wait.swap(0, Ordering::SeqCst) == 0 {
                return SyncOp::Done;
            }
            return SyncOp::done(sema::release(m, &raw const (*rw).writer_sem, false));
        }
        if left == -1 || left == -1 - MAX_READERS {
            return SyncOp::Fatal("sync: RUnlock of unlocked RWMutex");
        }
        // R2: the last reader the writer waits for wakes it.
        if (*rw).reader_wait.fetch_sub(1, Ordering::AcqRel) == 1 || fault!(FirstReaderWakes) {
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
    // SAFETY: R1.
    unsafe {
        let w = &raw const (*rw).w;
        if !lock_fast(w) {
            let wait = Wait {
                stage: Stage::RwLockMutex,
                reason: WaitReason::SyncMutexLock,
                object: rw as usize,
                ..Wait::PLAIN
            };
            match compete(m, g, w, wait, false) {
                SyncOp::Done => {}
                op => return op,
            }
        }
        announce(m, g, rw)
    }
}

/// Tells the readers of a writer, and waits for those that hold the lock.
///
/// # Safety
///
/// As [`rw_lock`]; the goroutine holds the mutex among writers.
pub(super) unsafe fn announce(m: &mut M, g: &mut G, rw: *const RwMutex) -> SyncOp {
    // SAFETY: R1.
    unsafe {
        if !switches::on(Mech::WriterPreference) {
            return poll(m, g, rw);
        }
        // R2. Acquire: pairs with the Release in `runlock`.
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

/// The writer's way without its preference (R3): waits for a moment without readers, which
/// newcomers may put off for ever.
///
/// # Safety
///
/// As [`announce`].
pub(super) unsafe fn poll(m: &mut M, g: &mut G, rw: *const RwMutex) -> SyncOp {
    // SAFETY: R1.
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

/// Undoes the wait of a writer without preference.
///
/// # Safety
///
/// As [`super::undo`].
pub(super) unsafe fn undo_poll(m: &mut M, rw: *const RwMutex) {
    // SAFETY: R1.
    unsafe {
        (*rw).reader_wait.store(0, Ordering::SeqCst);
        let _ = unlock(m, &raw const (*rw).w);
    }
}

/// Undoes the wait of a writer for the readers that were there before it: lets in those that came
/// after it, then other writers.
///
/// # Safety
///
/// As [`super::undo`]; `sema` is the address of a writers' semaphore.
pub(super) unsafe fn undo_writer(m: &mut M, sema: usize) {
    let rw = (sema - std::mem::offset_of!(RwMutex, writer_sem)) as *const RwMutex;
    // SAFETY: R1, R2.
    unsafe {
        let count = (*rw).reader_count.fetch_add(MAX_READERS, Ordering::AcqRel);
        let inside = (*rw).reader_wait.swap(0, Ordering::AcqRel);
        for _ in inside..count.wrapping_add(MAX_READERS) {
            sema::release(m, &raw const (*rw).reader_sem, false);
        }
        let _ = unlock(m, &raw const (*rw).w);
    }
}

/// Undoes the wait of a reader for a writer.
///
/// # Safety
///
/// As [`super::undo`]; `sema` is the address of a readers' semaphore.
pub(super) unsafe fn undo_reader(sema: usize) {
    let rw = (sema - std::mem::offset_of!(RwMutex, reader_sem)) as *const RwMutex;
    // SAFETY: R1.
    unsafe { (*rw).reader_count.fetch_sub(1, Ordering::AcqRel) };
}

/// Locks for writing if it is free of readers and writers; never waits.
///
/// # Safety
///
/// `rw` is a `sync.RWMutex`.
pub unsafe fn rw_try_lock(m: &mut M, rw: *const RwMutex) -> bool {
    // SAFETY: R1.
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
        // The mutex was ours, so this cannot fail; the G that it wakes needs no hand-off, as it is
        // not in starving mode.
        let _ = unlock(m, w);
        false
    }
}

/// Ends a lock for writing: lets in the readers that came meanwhile, then other writers.
///
/// Context: with a P; no lock held.
///
/// # Safety
///
/// `rw` is a `sync.RWMutex`.
pub unsafe fn rw_unlock(m: &mut M, rw: *const RwMutex) -> SyncOp {
    // SAFETY: R1.
    unsafe {
        // Release: pairs with the Acquires of readers and writers.
        let readers = (*rw)
            .reader_count
            .fetch_add(MAX_READERS, Ordering::AcqRel)
            .wrapping_add(MAX_READERS);
        if !(0..MAX_READERS).contains(&readers) {
            return SyncOp::Fatal("sync: Unlock of unlocked RWMutex");
        }
        for _ in 0..readers {
            sema::release(m, &raw const (*rw).reader_sem, false);
        }
        unlock(m, &raw const (*rw).w)
    }
}
