//! Package `crypto/sha256`: Go over the function that takes in whole blocks.
//!
//! Go: crypto/sha256.

use crate::internal::digest::natives::blocks;
use vm::native::Slice;

natives! {
    "block" => fenced alters(h) |cx, h: Slice<u32>, p: Slice<u8>| {
        blocks(cx, h, p, sha2::block_api::compress256)
    }
}
