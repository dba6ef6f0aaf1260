//! The one clock: all time of the runtime is read here.
//!
//! Record, replay and virtual time will take hold of it here.
//!
//! Go: runtime/time_nofake.go.

use std::sync::OnceLock;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

static BASE: OnceLock<Instant> = OnceLock::new();

/// Monotonic time in nanoseconds; never 0, so that 0 can mean "none".
pub fn nanotime() -> i64 {
    let base = BASE.get_or_init(Instant::now);
    base.elapsed().as_nanos() as i64 + 1
}

/// Wall time in nanoseconds since the Unix epoch.
pub fn walltime() -> i64 {
    match SystemTime::now().duration_since(UNIX_EPOCH) {
        Ok(d) => d.as_nanos() as i64,
        Err(e) => -(e.duration().as_nanos() as i64),
    }
}
