//! Package `crypto/sha512`: Go over the function that takes in whole blocks.
//!
//! Go: crypto/sha512.

use crate::internal::digest::natives::blocks;
use vm::native::Slice;

natives! {
    "block" => fenced alters(h) |cx, h: Slice<u64>, p: Slice<u8>| {
        blocks(cx, h, p, sha2::block_api::compress512)
    }
}
