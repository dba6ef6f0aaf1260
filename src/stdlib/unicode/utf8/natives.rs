//! Package `unicode/utf8`.
//!
//! Go: unicode/utf8.

use vm::fenced;
use vm::native::{GoStr, Slice};

const ERROR: i32 = 0xFFFD;

/// Bytes of the rune that `first` begins (1 for ASCII, 0 for none),
/// and the range of its second byte. Unicode, table 3-7.
fn shape(first: u8) -> (usize, u8, u8) {
    match first {
        0..=0x7F => (1, 0, 0),
        0xC2..=0xDF => (2, 0x80, 0xBF),
        0xE0 => (3, 0xA0, 0xBF),
        0xE1..=0xEC | 0xEE | 0xEF => (3, 0x80, 0xBF),
        0xED => (3, 0x80, 0x9F),
        0xF0 => (4, 0x90, 0xBF),
        0xF1..=0xF3 => (4, 0x80, 0xBF),
        0xF4 => (4, 0x80, 0x8F),
        _ => (0, 0, 0),
    }
}

/// The first rune and its size in bytes:
/// (U+FFFD, 1) if the text is bad there, (U+FFFD, 0) if it is empty.
pub fn decode(s: &[u8]) -> (i32, usize) {
    let Some(&first) = s.first() else {
        return (ERROR, 0);
    };
    let (size, low, high) = shape(first);
    if size == 1 {
        return (i32::from(first), 1);
    }
    if size == 0 || s.len() < size || !(low..=high).contains(&s[1]) {
        return (ERROR, 1);
    }
    let mut rune = i32::from(first) & (0x7F >> size);
    for &b in &s[1..size] {
        if b & 0xC0 != 0x80 {
            return (ERROR, 1);
        }
        rune = rune << 6 | i32::from(b & 0x3F);
    }
    (rune, size)
}

/// As [`decode`], for the last rune.
pub(crate) fn decode_last(s: &[u8]) -> (i32, usize) {
    let Some(&last) = s.last() else {
        return (ERROR, 0);
    };
    if last < 0x80 {
        return (i32::from(last), 1);
    }
    for back in 2..=s.len().min(4) {
        let start = s.len() - back;
        if s[start] & 0xC0 != 0x80 {
            let (rune, size) = decode(&s[start..]);
            return if size == back {
                (rune, size)
            } else {
                (ERROR, 1)
            };
        }
    }
    (ERROR, 1)
}

/// Does `s` begin with a whole rune? A bad one is whole: it is U+FFFD of one byte.
fn full(s: &[u8]) -> bool {
    let Some(&first) = s.first() else {
        return false;
    };
    let (size, low, high) = shape(first);
    if s.len() >= size {
        return true;
    }
    s.len() > 1 && !(low..=high).contains(&s[1]) || s.len() > 2 && s[2] & 0xC0 != 0x80
}

/// The number of runes; each bad byte counts as one.
pub fn count(s: &[u8]) -> usize {
    match std::str::from_utf8(s) {
        Ok(text) => text.chars().count(),
        Err(_) => {
            let (mut n, mut at) = (0, 0);
            while at < s.len() {
                at += decode(&s[at..]).1;
                n += 1;
            }
            n
        }
    }
}

fn sized((rune, size): (i32, usize)) -> (i32, i64) {
    (rune, size as i64)
}

natives! {
    "DecodeRune" => short follows(p) |cx, p: Slice<u8>| {
        let (rune, size) = decode(p.as_slice());
        cx.touches(p.as_ptr(), size, false);
        sized((rune, size))
    }
    "DecodeRuneInString" => short |cx, s: GoStr| { sized(decode(s.as_bytes())) }
    "DecodeLastRune" => short follows(p) |cx, p: Slice<u8>| {
        let (rune, size) = decode_last(p.as_slice());
        cx.touches(p.as_slice()[p.len() - size..].as_ptr(), size, false);
        sized((rune, size))
    }
    "DecodeLastRuneInString" => short |cx, s: GoStr| { sized(decode_last(s.as_bytes())) }
    "FullRune" => short follows(p) |cx, p: Slice<u8>| {
        cx.touches(p.as_ptr(), decode(p.as_slice()).1, false);
        full(p.as_slice())
    }
    "FullRuneInString" => short |cx, s: GoStr| { full(s.as_bytes()) }
    "RuneCount" => fenced |cx, p: Slice<u8>| {
        fenced!(cx, p.len(), || count(p.as_slice())) as i64
    }
    "RuneCountInString" => fenced |cx, s: GoStr| {
        fenced!(cx, s.len(), || count(s.as_bytes())) as i64
    }
    "Valid" => fenced |cx, p: Slice<u8>| {
        fenced!(cx, p.len(), || std::str::from_utf8(p.as_slice()).is_ok())
    }
    "ValidString" => fenced |cx, s: GoStr| {
        fenced!(cx, s.len(), || std::str::from_utf8(s.as_bytes()).is_ok())
    }
}
