//! Package `hash/crc64`: Go over the function that takes in bytes.
//!
//! Go: hash/crc64.

use vm::fenced;
use vm::native::Slice;

/// From so many bytes on the tables for eight bytes at a time pay.
const LONG: usize = 8 << 10;

/// `crc` with `data` added, by the table of a reflected polynomial, or of whatever the program has
/// put there.
fn update(crc: u64, tab: &[u64; 256], data: &[u8]) -> u64 {
    let mut crc = !crc;
    let mut rest = data;
    if data.len() >= LONG && is_linear(tab) {
        let mut tables = [*tab; 8];
        for k in 1..8 {
            tables[k] = tables[k - 1].map(|v| v >> 8 ^ tab[v as usize & 0xff]);
        }
        let (blocks, tail) = data.as_chunks::<8>();
        rest = tail;
        for b in blocks {
            let b = u64::from_le_bytes(*b) ^ crc;
            crc = (0..8).fold(0, |sum, k| {
                sum ^ tables[7 - k][(b >> (8 * k)) as usize & 0xff]
            });
        }
    }
    for b in rest {
        crc = tab[usize::from(crc as u8 ^ b)] ^ crc >> 8;
    }
    !crc
}

/// Whether `tab[a ^ b] == tab[a] ^ tab[b]` for all `a` and `b`, as in the table of a polynomial.
fn is_linear(tab: &[u64; 256]) -> bool {
    // The lowest bit of i and the rest of it.
    tab[0] == 0 && (1..256).all(|i: usize| tab[i] == tab[i & i.wrapping_neg()] ^ tab[i & (i - 1)])
}

natives! {
    "update" => fenced untouched(tab) |cx, crc: u64, tab: Slice<u64>, p: Slice<u8>| {
        match <&[u64; 256]>::try_from(tab.as_slice()) {
            Ok(tab) => fenced!(cx, p.len(), || update(crc, tab, p.as_slice())),
            // A table has 256 words: the Go source sees to that.
            Err(_) => crc,
        }
    }
}
