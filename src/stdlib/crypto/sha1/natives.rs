//! Package `crypto/sha1`: Go over the function that takes in whole blocks.
//!
//! Go: crypto/sha1.

use crate::internal::digest::natives::blocks;
use vm::native::Slice;

natives! {
    "block" => fenced alters(h) |cx, h: Slice<u32>, p: Slice<u8>| {
        blocks(cx, h, p, sha1::block_api::compress)
    }
}
