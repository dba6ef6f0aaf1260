//! Package `crypto/subtle`: loops over bytes.
//!
//! Go: crypto/internal/fips140/subtle.

use std::hint::black_box;

use vm::fenced;
use vm::native::Slice;

/// Bytes that are combined at a time.
const PIECE: usize = 64;

/// `dst = x ^ y`; `dst` may be one of both.
fn xor(dst: Slice<u8>, x: Slice<u8>, y: Slice<u8>) {
    let mut dst = dst;
    let n = dst.len().min(x.len()).min(y.len());
    let mut piece = [0; PIECE];
    for from in (0..n).step_by(PIECE) {
        let to = n.min(from + PIECE);
        let piece = &mut piece[..to - from];
        piece.copy_from_slice(&x.as_slice()[from..to]);
        for (a, b) in piece.iter_mut().zip(&y.as_slice()[from..to]) {
            *a ^= b;
        }
        dst.as_mut_slice()[from..to].copy_from_slice(piece);
    }
}

natives! {
    "equal" => fenced |cx, x: Slice<u8>, y: Slice<u8>| {
        let pairs = || x.as_slice().iter().zip(y.as_slice());
        fenced!(cx, x.len(), || pairs().fold(0, |all, (a, b)| all | black_box(a ^ b)) == 0)
    }
    "xor" => fenced alters(dst) |cx, dst: Slice<u8>, x: Slice<u8>, y: Slice<u8>| {
        fenced!(cx, dst.len(), || xor(dst, x, y))
    }
}
