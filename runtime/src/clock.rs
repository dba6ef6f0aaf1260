//! The one clock: all time of the runtime is read here.
//!
//! Record, replay and virtual time will take hold of it here.
//!
//! Go: runtime/time_nofake.go.

/// Monotonic time in nanoseconds; never 0, so that 0 can mean "none".
#[inline]
pub fn nanotime() -> i64 {
    crate::sync::nanotime()
}

/// Wall time in nanoseconds since the Unix epoch.
pub fn walltime() -> i64 {
    crate::sync::walltime()
}
