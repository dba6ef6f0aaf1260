#![allow(unsafe_code)]
//! Strings: making, joining, comparing, converting.
//!
//! # Invariants
//!
//! - T1. The bytes of a string never change once the string has been given out.
//!
//! Go: runtime/string.go, runtime/utf8.go.

use std::cmp::Ordering;
use std::mem::MaybeUninit;
use std::ptr;

use gosched_runtime::heap::{self, LayoutId};
use gosched_runtime::m::M;

use super::native::{GoStr, PIECE, Slice};
use super::slice::copy_long;

/// What a bad byte decodes to.
pub(crate) const RUNE_ERROR: i32 = 0xfffd;

/// Memory for `n` bytes, all of which the caller writes.
#[inline]
fn bytes_of(m: &mut M, n: usize) -> *mut u8 {
    heap::alloc_dirty(m, n)
}

/// Puts `b` into fresh memory at `to`. If it is long others run meanwhile,
/// and the goroutine may come back on another M.
///
/// # Safety
///
/// There is room. Context as `fence::poll` if `b` is longer than a piece.
#[inline]
unsafe fn put(m: &mut M, to: *mut u8, b: &[u8]) {
    // SAFETY: the caller's.
    unsafe {
        if b.len() > PIECE {
            copy_long(m, LayoutId::NOSCAN, to, b.as_ptr(), b.len());
        } else {
            ptr::copy_nonoverlapping(b.as_ptr(), to, b.len());
        }
    }
}

/// A new string with these bytes. A long one lets others run, as all here that copy.
#[inline]
pub fn new(m: &mut M, b: &[u8]) -> GoStr {
    if b.is_empty() {
        return GoStr::EMPTY;
    }
    let p = bytes_of(m, b.len());
    // SAFETY: fresh memory.
    unsafe {
        put(m, p, b);
        GoStr::from_raw(p, b.len())
    }
}

/// `a + b`
#[inline]
pub(crate) fn concat2(m: &mut M, a: GoStr, b: GoStr) -> GoStr {
    if a.is_empty() {
        return b;
    }
    if b.is_empty() {
        return a;
    }
    let n = a.len() + b.len();
    let g = m.curg;
    let p = bytes_of(m, n);
    // SAFETY: fresh memory of both lengths.
    unsafe {
        put(m, p, a.as_bytes());
        put(&mut *(*g).m, p.add(a.len()), b.as_bytes());
        GoStr::from_raw(p, n)
    }
}

/// All of `parts` joined.
pub fn concat(m: &mut M, parts: &[GoStr]) -> GoStr {
    let mut full = parts.iter().filter(|s| !s.is_empty());
    match (full.next(), full.next()) {
        (None, _) => return GoStr::EMPTY,
        (Some(one), None) => return *one,
        _ => {}
    }
    // A sum of lengths of existing strings cannot overflow:
    // but the same string may be named many times.
    let Some(n) = parts
        .iter()
        .try_fold(0usize, |n, s| n.checked_add(s.len()))
        .filter(|n| *n < 1 << 47)
    else {
        gosched_runtime::throw!("string concatenation too long");
    };
    let g = m.curg;
    let p = bytes_of(m, n);
    let mut at = 0;
    for s in parts {
        // SAFETY: fresh memory of all lengths.
        unsafe { put(&mut *(*g).m, p.add(at), s.as_bytes()) };
        at += s.len();
    }
    // SAFETY: `n` bytes, now written.
    unsafe { GoStr::from_raw(p, n) }
}

/// `a == b`
#[inline]
pub fn equal(a: GoStr, b: GoStr) -> bool {
    a.len() == b.len() && (a.as_ptr() == b.as_ptr() || a.as_bytes() == b.as_bytes())
}

/// Order of bytes.
#[inline]
pub fn compare(a: GoStr, b: GoStr) -> Ordering {
    a.as_bytes().cmp(b.as_bytes())
}

/// `string(r)`: a value that is no rune gives U+FFFD.
pub(crate) fn from_rune(m: &mut M, r: i64) -> GoStr {
    let mut buf = [0; 4];
    let n = encode_rune(&mut buf, i32::try_from(r).unwrap_or(RUNE_ERROR));
    new(m, &buf[..n])
}

/// `string(b)`
#[inline]
pub fn from_bytes(m: &mut M, b: Slice<u8>) -> GoStr {
    new(m, b.as_slice())
}

/// `[]byte(s)`
#[inline]
pub fn to_bytes(m: &mut M, s: GoStr) -> Slice<u8> {
    let cap = heap::round_up_size(s.len(), true).max(s.len());
    let p = bytes_of(m, cap);
    if !s.is_empty() {
        // SAFETY: fresh memory.
        unsafe { put(m, p, s.as_bytes()) };
    }
    // SAFETY: the rest of it, which an append may show.
    unsafe {
        ptr::write_bytes(p.add(s.len()), 0, cap - s.len());
        Slice::from_raw(p, s.len(), cap)
    }
}

/// `string(runes)`
pub(crate) fn from_runes(m: &mut M, runes: Slice<i32>) -> GoStr {
    let encode = || {
        let mut out = Vec::with_capacity(runes.len());
        let mut buf = [0; 4];
        for r in runes.as_slice() {
            let n = encode_rune(&mut buf, *r);
            out.extend_from_slice(&buf[..n]);
        }
        out
    };
    // SAFETY: native::N5.
    let (m, out) = unsafe { fenced(m, runes.len(), encode) };
    new(m, &out)
}

/// Runs `f`, which keeps to native::N5, where a signal may suspend it if it has much to do.
#[inline]
unsafe fn fenced<R: Send>(m: &mut M, work: usize, f: impl FnOnce() -> R + Send) -> (&mut M, R) {
    if work < PIECE / 16 {
        return (m, f());
    }
    // SAFETY: the caller's. The instruction that this is part of has saved the registers.
    unsafe { gosched_runtime::fence::run(m, f) }
}

/// `[]rune(s)`
pub(crate) fn to_runes(m: &mut M, s: GoStr) -> Slice<i32> {
    let b = s.as_bytes();
    // SAFETY: native::N5.
    let (m, n) = unsafe { fenced(m, s.len(), || rune_count(b)) };
    let size = heap::round_up_size(4 * n, true).max(4 * n);
    let p = bytes_of(m, size).cast::<i32>();
    // SAFETY: what lies behind the runes, which an append may show.
    unsafe { ptr::write_bytes(p.add(n).cast::<u8>(), 0, size - 4 * n) };
    // SAFETY: fresh memory for `n` runes, ours until it is given out.
    let out = unsafe { std::slice::from_raw_parts_mut(p.cast::<MaybeUninit<i32>>(), n) };
    let decode = || {
        let mut i = 0;
        for rune in out {
            let (r, w) = decode_rune(&b[i..]);
            rune.write(r);
            i += w;
        }
    };
    // SAFETY: native::N5.
    unsafe { fenced(m, s.len(), decode) };
    // SAFETY: memory of `size` bytes, now written.
    unsafe { Slice::from_raw(p, n, size / 4) }
}

/// The runes in `b`, each bad byte counting as one.
pub fn rune_count(b: &[u8]) -> usize {
    let mut n = 0;
    let mut i = 0;
    while i < b.len() {
        if b[i] < 0x80 {
            i += 1;
        } else {
            i += decode_rune(&b[i..]).1;
        }
        n += 1;
    }
    n
}

/// The first rune of `b` and its width;
/// (U+FFFD, 1) if it is not well-formed, (U+FFFD, 0) if `b` is empty.
#[inline]
pub fn decode_rune(b: &[u8]) -> (i32, usize) {
    match b.first() {
        None => (RUNE_ERROR, 0),
        Some(&c) if c < 0x80 => (i32::from(c), 1),
        _ => decode_slow(b),
    }
}

fn decode_slow(b: &[u8]) -> (i32, usize) {
    const BAD: (i32, usize) = (RUNE_ERROR, 1);
    let c0 = b[0];
    let cont = |i: usize, lo: u8, hi: u8| {
        b.get(i)
            .copied()
            .filter(|c| (lo..=hi).contains(c))
            .map(|c| i32::from(c & 0x3f))
    };
    match c0 {
        0xc2..=0xdf => match cont(1, 0x80, 0xbf) {
            Some(c1) => (i32::from(c0 & 0x1f) << 6 | c1, 2),
            None => BAD,
        },
        0xe0..=0xef => {
            let (lo, hi) = match c0 {
                0xe0 => (0xa0, 0xbf),
                0xed => (0x80, 0x9f),
                _ => (0x80, 0xbf),
            };
            match (cont(1, lo, hi), cont(2, 0x80, 0xbf)) {
                (Some(c1), Some(c2)) => (i32::from(c0 & 0x0f) << 12 | c1 << 6 | c2, 3),
                _ => BAD,
            }
        }
        0xf0..=0xf4 => {
            let (lo, hi) = match c0 {
                0xf0 => (0x90, 0xbf),
                0xf4 => (0x80, 0x8f),
                _ => (0x80, 0xbf),
            };
            match (cont(1, lo, hi), cont(2, 0x80, 0xbf), cont(3, 0x80, 0xbf)) {
                (Some(c1), Some(c2), Some(c3)) => {
                    (i32::from(c0 & 0x07) << 18 | c1 << 12 | c2 << 6 | c3, 4)
                }
                _ => BAD,
            }
        }
        _ => BAD,
    }
}

/// Writes `r` as UTF-8 and returns its width; what is no rune becomes U+FFFD.
pub fn encode_rune(buf: &mut [u8; 4], r: i32) -> usize {
    let c = u32::try_from(r)
        .ok()
        .and_then(char::from_u32)
        .unwrap_or('\u{fffd}');
    c.encode_utf8(buf).len()
}

/// The last rune of `b` and its width; as [`decode_rune`] if it is not well-formed.
pub fn decode_last_rune(b: &[u8]) -> (i32, usize) {
    let n = b.len();
    if n == 0 {
        return (RUNE_ERROR, 0);
    }
    let mut start = n - 1;
    if b[start] < 0x80 {
        return (i32::from(b[start]), 1);
    }
    let lim = n.saturating_sub(4);
    while start > lim && b[start] & 0xc0 == 0x80 {
        start -= 1;
    }
    let (r, w) = decode_rune(&b[start..]);
    if start + w == n {
        (r, w)
    } else {
        (RUNE_ERROR, 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoding_agrees_with_rust_on_every_char() {
        let mut buf = [0; 4];
        for c in (0..=0x10ffff).filter_map(char::from_u32) {
            let b = c.encode_utf8(&mut buf).as_bytes();
            assert_eq!(decode_rune(b), (c as i32, b.len()));
            assert_eq!(decode_last_rune(b), (c as i32, b.len()));
        }
    }

    #[test]
    fn bad_bytes_have_width_one() {
        for b in [
            &b"\xff"[..],
            b"\xc0\x80",
            b"\xed\xa0\x80",
            b"\xe0\x80\x80",
            b"\xf4\x90\x80\x80",
            b"\xe2\x82",
        ] {
            assert_eq!(decode_rune(b), (RUNE_ERROR, 1), "{b:x?}");
        }
        assert_eq!(rune_count(b"a\xe2\x82z"), 4);
    }
}
