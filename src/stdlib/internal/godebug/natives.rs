//! Package `internal/godebug`: the settings in GODEBUG, as the program has set it by now, and what
//! it has by itself.
//!
//! Go: internal/godebug.

use crate::syscall::natives::environ;
use gosched_runtime::knobs;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use vm::native::GoStr;

/// The value that GODEBUG, as it is now, gives to a setting; of several the last counts. What the
/// program has by itself stands below.
fn setting(name: &[u8]) -> Option<Vec<u8>> {
    let settings = environ::get(b"GODEBUG").unwrap_or_default();
    let settings = String::from_utf8_lossy(&settings);
    let value = knobs::godebug(&settings, str::from_utf8(name).ok()?)?;
    Some(value.as_bytes().to_vec())
}

/// How often settings have had the program do something else than without.
static COUNTS: Mutex<BTreeMap<String, u64>> = Mutex::new(BTreeMap::new());

fn counts() -> MutexGuard<'static, BTreeMap<String, u64>> {
    COUNTS.lock().unwrap_or_else(PoisonError::into_inner)
}

natives! {
    "Value" => short asks |cx, name: GoStr| {
        setting(name.as_bytes()).map_or(GoStr::EMPTY, |v| cx.string(v))
    }

    "Count" => short |_cx, name: GoStr| {
        // Read before the lock is taken: a name with nil data faults, and the native ends there.
        let name = name.to_text();
        *counts().entry(name).or_default() += 1;
    }

    "Counted" => short |_cx, name: GoStr| {
        let name = name.to_text();
        if name == "panicnil" {
            return knobs::nil_panics();
        }
        counts().get(&name).copied().unwrap_or(0)
    }
}
