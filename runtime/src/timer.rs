//! Timers: the heap of each P; Sleep.
//!
//! Go: runtime/time.go.

use crate::m::M;
use crate::p::P;

/// The timers of a P.
#[derive(Debug, Default)]
pub struct Timers {
    _private: (),
}

impl Timers {
    /// No timers.
    pub const fn new() -> Timers {
        Timers { _private: () }
    }

    /// How many; for scheddetail.
    pub fn len(&self) -> usize {
        0
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// When the first is due, 0 if there is none. Anyone may ask; needs no lock.
    pub fn next_when(&self) -> i64 {
        0
    }
}

/// What [`check_timers`] did.
#[derive(Clone, Copy, Debug)]
pub struct Checked {
    /// The time, read if it was not given.
    pub now: i64,
    /// When the next timer of that P is due, 0 if there is none.
    pub poll_until: i64,
    /// At least one was run.
    pub ran: bool,
}

/// Runs the expired timers of `p`, readying Gs on `m`'s P. `now` is 0 if not yet read.
///
/// Context: g0 of `m`, which holds a P, perhaps another one than `p`.
pub fn check_timers(m: &mut M, p: &P, now: i64) -> Checked {
    let _ = (m, p);
    Checked {
        now,
        poll_until: 0,
        ran: false,
    }
}

/// Moves all timers of `from` to `to`. The world is stopped.
pub fn move_timers(from: &P, to: &P) {
    let _ = (from, to);
}
