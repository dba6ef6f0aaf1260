//! Package `internal/godebug`: the settings in GODEBUG, as the program has set it by now.
//!
//! Go: internal/godebug.

use crate::syscall::natives::environ;
use vm::native::GoStr;

/// The value that GODEBUG, as it is now, gives to a setting; of several the last counts.
fn setting(name: &[u8]) -> Option<Vec<u8>> {
    let settings = environ::get(b"GODEBUG")?;
    let value = |item: &[u8]| Some(item.strip_prefix(name)?.strip_prefix(b"=")?.to_vec());
    settings.rsplit(|&b| b == b',').find_map(value)
}

natives! {
    "Value" => short asks |cx, name: GoStr| {
        setting(name.as_bytes()).map_or(GoStr::EMPTY, |v| cx.string(v))
    }
}
