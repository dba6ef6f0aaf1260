//! Package `hash/crc32`: Go over the function that takes in bytes.
//!
//! Go: hash/crc32.

use vm::fenced;
use vm::native::Slice;

mod core;

natives! {
    "update" => fenced untouched(tab) |cx, crc: u32, tab: Slice<u32>, p: Slice<u8>| {
        match <&[u32; 256]>::try_from(tab.as_slice()) {
            Ok(tab) => fenced!(cx, p.len(), || core::update(crc, tab, p.as_slice())),
            // A table has 256 words: the Go source sees to that.
            Err(_) => crc,
        }
    }
}
