//! The one clock: all time of the runtime is read here.
//!
//! Where time is virtual ([`control`]) it is not the machine's; on a [`tape`] each reading is
//! noted.
//!
//! Go: runtime/time_nofake.go.

use crate::control::{self, tape};

/// Monotonic time in nanoseconds; never 0, so that 0 can mean "none".
#[inline]
pub fn nanotime() -> i64 {
    match control::clock_is_told() {
        true => told(),
        false => crate::sync::nanotime(),
    }
}

#[cold]
fn told() -> i64 {
    match control::is_virtual() {
        true => control::now(),
        false => tape::nanotime(),
    }
}

/// Wall time in nanoseconds since the Unix epoch.
pub fn walltime() -> i64 {
    match control::clock_is_told() {
        true if control::is_virtual() => control::wall_now(),
        true => tape::time().0,
        false => crate::sync::walltime(),
    }
}

/// The machine's monotonic clock, which goes on whatever the program is shown: for what waits for
/// the machine.
#[inline]
pub(crate) fn real_nanotime() -> i64 {
    crate::sync::nanotime()
}

/// As both of them, for the program: wall time and monotonic time.
pub fn read() -> (i64, i64) {
    if control::is_virtual() {
        control::read_clock();
    }
    if tape::is_on() {
        return tape::time();
    }
    (walltime(), nanotime())
}
