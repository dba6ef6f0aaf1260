//! Packages `crypto/md5`, `crypto/sha1`, `crypto/sha256` and `hash/crc32`: Go over
//! [`digest_core`](super::digest_core).
//!
//! Go: the packages of the same names.

use super::digest_core as core;
use crate::vm::native::{Cx, Slice};

/// Takes the whole blocks of `p` into the state `h`.
/// A state is as long as its digest's: the Go source sees to that.
fn blocks<const N: usize>(
    cx: &mut Cx,
    mut h: Slice<u32>,
    p: Slice<u8>,
    f: fn([u32; N], &[u8]) -> [u32; N],
) {
    let Ok(state) = <[u32; N]>::try_from(h.as_slice()) else {
        return;
    };
    let state = cx.fenced(p.len, || f(state, p.as_slice()));
    h.as_mut_slice().copy_from_slice(&state);
}

/// Package `crypto/sha256`.
pub mod sha256 {
    use super::*;

    package! { "crypto/sha256", ["sha256.go"];
        "func block(h []uint32, p []byte)" => fenced |cx, h: Slice<u32>, p: Slice<u8>| {
            blocks(cx, h, p, core::sha256)
        }
    }
}

/// Package `crypto/sha1`.
pub mod sha1 {
    use super::*;

    package! { "crypto/sha1", ["sha1.go"];
        "func block(h []uint32, p []byte)" => fenced |cx, h: Slice<u32>, p: Slice<u8>| {
            blocks(cx, h, p, core::sha1)
        }
    }
}

/// Package `crypto/md5`.
pub mod md5 {
    use super::*;

    package! { "crypto/md5", ["md5.go"];
        "func block(h []uint32, p []byte)" => fenced |cx, h: Slice<u32>, p: Slice<u8>| {
            blocks(cx, h, p, core::md5)
        }
    }
}

/// Package `hash/crc32`.
pub mod crc32 {
    use super::*;

    package! { "hash/crc32", ["crc32.go"];
        "func update(crc uint32, tab []uint32, p []byte) uint32" => fenced
        |cx, crc: u32, tab: Slice<u32>, p: Slice<u8>| {
            match <&[u32; 256]>::try_from(tab.as_slice()) {
                Ok(tab) => cx.fenced(p.len, || core::crc32(crc, tab, p.as_slice())),
                // A table has 256 words: the Go source sees to that.
                Err(_) => crc,
            }
        }
    }
}
