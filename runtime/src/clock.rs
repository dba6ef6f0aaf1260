//! The one clock: all time of the runtime is read here.
//!
//! Where time is virtual ([`control`]) it is not the machine's.
//!
//! Go: runtime/time_nofake.go.

use crate::control;

/// Monotonic time in nanoseconds; never 0, so that 0 can mean "none".
#[inline]
pub fn nanotime() -> i64 {
    match control::is_virtual() {
        true => control::now(),
        false => crate::sync::nanotime(),
    }
}

/// Wall time in nanoseconds since the Unix epoch.
pub fn walltime() -> i64 {
    match control::is_virtual() {
        true => control::wall_now(),
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
    (walltime(), nanotime())
}
