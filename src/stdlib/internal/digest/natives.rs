//! Package `internal/digest`: what the natives of the digests stand on.
//!
//! Go: crypto/internal/fips140.

use vm::fenced;
use vm::native::{Cx, Slice};

/// Bytes of a block of all digests.
const BLOCK: usize = 64;

/// Takes the whole blocks of `p` into the state `h`.
/// A state is as long as its digest's: the Go source sees to that.
pub(crate) fn blocks<const N: usize>(
    cx: &mut Cx,
    mut h: Slice<u32>,
    p: Slice<u8>,
    f: fn(&mut [u32; N], &[[u8; BLOCK]]),
) {
    let Ok(mut state) = <[u32; N]>::try_from(h.as_slice()) else {
        return;
    };
    cx.reads(p);
    cx.writes(h);
    fenced!(cx, p.len(), || f(&mut state, p.as_slice().as_chunks().0));
    h.as_mut_slice().copy_from_slice(&state);
}

natives! {}
