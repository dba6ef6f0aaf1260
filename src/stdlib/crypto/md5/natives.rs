//! Package `crypto/md5`: Go over the function that takes in whole blocks.
//!
//! Go: crypto/md5.

use crate::internal::digest::natives::blocks;
use vm::native::Slice;

natives! {
    "block" => fenced alters(h) |cx, h: Slice<u32>, p: Slice<u8>| {
        blocks(cx, h, p, md5::block_api::compress)
    }
}
