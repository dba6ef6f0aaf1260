//! Package `hash/maphash`: the hashes of maps.
//!
//! Go: hash/maphash, internal/runtime/maps.

use vm::native::{GoStr, Slice};
use vm::value::{self, Iface};

/// The Go source hands over a block at a time, so this is short.
fn mix(h: u64, b: &[u8]) -> u64 {
    if b.is_empty() {
        return h;
    }
    value::hash_bytes(b, h)
}

natives! {
    "mix" => short |cx, h: u64, b: Slice<u8>| { mix(h, b.as_slice()) }
    "mixString" => short |cx, h: u64, s: GoStr| { mix(h, s.as_bytes()) }
    "mixValue" => short untouched |cx, h: u64, v: Iface| {
        let Some(val) = v.val() else { return Ok(value::hash64(0, h)) };
        match val.hash(h, &mut || cx.m().p().rand.next()) {
            Ok(h) => Ok(h),
            Err(e) => cx.runtime_error(format!("hash of unhashable type {}", e.0.string)),
        }
    }
    "random" => |cx| { cx.m().p().rand.next() }
}
