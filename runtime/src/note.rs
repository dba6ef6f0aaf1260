//! One-shot sleep and wakeup of a thread.
//!
//! # Invariants
//!
//! - N1. After `clear`, one `wakeup` is allowed; a second dies.
//! - N2. A `wakeup` before the `sleep` makes that return at once.
//!
//! Go: runtime/lock_futex.go, note.

use crate::clock::real_nanotime;
use crate::sync::{AtomicU32, Ordering, futex_wait, futex_wake};

/// A one-shot event.
#[derive(Debug, Default)]
pub(crate) struct Note(AtomicU32);

impl Note {
    /// A cleared note.
    pub(crate) const fn new() -> Note {
        Note(AtomicU32::new(0))
    }

    /// Makes the note known to a model.
    #[cfg(loom)]
    pub(crate) fn touch(&self) {
        self.0.load(Ordering::Relaxed);
    }

    /// Makes the note ready for one more sleep and wakeup. No M may be sleeping on it.
    pub(crate) fn clear(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// Ends the sleep on the note, or the next one.
    pub(crate) fn wakeup(&self) {
        // Release: pairs with the Acquire in `sleep`.
        if self.0.swap(1, Ordering::Release) == 1 && !fault!(NoteTwice) {
            crate::throw!("notewakeup - double wakeup");
        }
        futex_wake(&self.0, 1);
    }

    /// Ends a sleep on the note, without the account of `wakeup`: the sleeper looks around and
    /// clears it.
    ///
    /// Context: anywhere; async-signal-safe.
    pub(crate) fn poke(&self) {
        let _ = self
            .0
            .compare_exchange(0, 2, Ordering::Release, Ordering::Relaxed);
        futex_wake(&self.0, 1);
    }

    /// Sleeps until `wakeup`.
    ///
    /// Context: g0.
    pub(crate) fn sleep(&self) {
        if fault!(NoteForgets) {
            self.clear();
        }
        // Acquire: pairs with the Release in `wakeup`.
        while self.0.load(Ordering::Acquire) == 0 {
            futex_wait(&self.0, 0, -1);
        }
    }

    /// Sleeps until `wakeup`, at most `ns` nanoseconds; `true` if it was woken.
    ///
    /// Context: g0.
    pub(crate) fn tsleep(&self, ns: i64) -> bool {
        let deadline = real_nanotime().saturating_add(ns);
        loop {
            // Acquire: pairs with the Release in `wakeup`.
            if self.0.load(Ordering::Acquire) != 0 {
                return true;
            }
            let left = deadline - real_nanotime();
            if left <= 0 {
                return false;
            }
            futex_wait(&self.0, 0, left);
        }
    }
}
