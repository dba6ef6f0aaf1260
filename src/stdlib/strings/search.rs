//! Searching, splitting and mapping bytes: what `strings` and `bytes` share.
//!
//! Go: strings, bytes, internal/bytealg.

use crate::unicode::natives::{is_space, simple_fold, to_lower, to_upper};
use vm::string::{decode_last_rune, decode_rune, encode_rune};

/// First place of `sep` in `s`; an empty `sep` is at 0.
#[inline]
pub fn index(s: &[u8], sep: &[u8]) -> Option<usize> {
    match sep {
        [] => Some(0),
        [c] => memchr::memchr(*c, s),
        _ if sep.len() > s.len() => None,
        _ => memchr::memmem::find(s, sep),
    }
}

/// Last place of `sep` in `s`.
pub(crate) fn last_index(s: &[u8], sep: &[u8]) -> Option<usize> {
    match sep {
        [] => Some(s.len()),
        [c] => memchr::memrchr(*c, s),
        _ => memchr::memmem::rfind(s, sep),
    }
}

/// Go's answer for "not found".
pub(crate) fn or_minus_one(i: Option<usize>) -> i64 {
    i.map_or(-1, |i| i as i64)
}

/// First place of rune `r`; U+FFFD finds bad bytes, other invalid runes nothing.
pub(crate) fn index_rune(s: &[u8], r: i32) -> Option<usize> {
    match r {
        0..=0x7f => memchr::memchr(r as u8, s),
        0xfffd => {
            let mut i = 0;
            while i < s.len() {
                let (c, w) = decode_rune(&s[i..]);
                if c == 0xfffd {
                    return Some(i);
                }
                i += w;
            }
            None
        }
        _ => {
            char::from_u32(r as u32)?;
            let mut b = [0; 4];
            let n = encode_rune(&mut b, r);
            index(s, &b[..n])
        }
    }
}

/// Whether rune `r`, as it was decoded, is one of `chars`.
fn has_rune(chars: &[u8], r: i32) -> bool {
    index_rune(chars, r).is_some()
}

/// First place of any rune of `chars`.
pub(crate) fn index_any(s: &[u8], chars: &[u8]) -> Option<usize> {
    if chars.is_empty() {
        return None;
    }
    let mut i = 0;
    while i < s.len() {
        let (r, w) = decode_rune(&s[i..]);
        if has_rune(chars, r) {
            return Some(i);
        }
        i += w;
    }
    None
}

/// Last place of any rune of `chars`.
pub(crate) fn last_index_any(s: &[u8], chars: &[u8]) -> Option<usize> {
    if chars.is_empty() {
        return None;
    }
    let mut end = s.len();
    while end > 0 {
        let (r, w) = decode_last_rune(&s[..end]);
        end -= w;
        if has_rune(chars, r) {
            return Some(end);
        }
    }
    None
}

/// How many times `sep` occurs without overlap; of an empty `sep`, one more than there are runes.
pub fn count(s: &[u8], sep: &[u8]) -> usize {
    match sep {
        [] => vm::string::rune_count(s) + 1,
        [c] => memchr::memchr_iter(*c, s).count(),
        _ => memchr::memmem::find_iter(s, sep).count(),
    }
}

/// Parts of `s` between `sep`s, at most `n` of them if `n` is not negative; `save` bytes of each
/// separator stay. Calls `part` with the bounds of each.
pub fn split(s: &[u8], sep: &[u8], save: usize, n: i64, mut part: impl FnMut(usize, usize)) {
    if n == 0 {
        return;
    }
    let limit = if n < 0 { usize::MAX } else { n as usize };
    let mut made = 0;
    let mut start = 0;
    if sep.is_empty() {
        while start < s.len() {
            if made + 1 == limit {
                part(start, s.len());
                return;
            }
            let w = decode_rune(&s[start..]).1;
            part(start, start + w);
            start += w;
            made += 1;
        }
        return;
    }
    while made + 1 < limit {
        let Some(i) = index(&s[start..], sep) else {
            break;
        };
        part(start, start + i + save);
        start += i + sep.len();
        made += 1;
    }
    part(start, s.len());
}

const ASCII_SPACE: [bool; 256] = {
    let mut t = [false; 256];
    t[9] = true;
    t[10] = true;
    t[11] = true;
    t[12] = true;
    t[13] = true;
    t[32] = true;
    t
};

/// Parts of `s` between runs of white space.
pub fn fields(s: &[u8], mut part: impl FnMut(usize, usize)) {
    let mut start = None;
    let mut i = 0;
    while i < s.len() {
        let (space, w) = if s[i] < 0x80 {
            (ASCII_SPACE[usize::from(s[i])], 1)
        } else {
            let (r, w) = decode_rune(&s[i..]);
            (is_space(r), w)
        };
        if space {
            if let Some(b) = start.take() {
                part(b, i);
            }
        } else if start.is_none() {
            start = Some(i);
        }
        i += w;
    }
    if let Some(b) = start {
        part(b, s.len());
    }
}

/// Bounds of `s` without the leading (if `left`) and
/// trailing (if `right`) runes for which `f` holds.
pub fn trim(s: &[u8], left: bool, right: bool, f: impl Fn(i32) -> bool) -> (usize, usize) {
    let (mut a, mut b) = (0, s.len());
    while left && a < b {
        let (r, w) = decode_rune(&s[a..b]);
        if !f(r) {
            break;
        }
        a += w;
    }
    while right && a < b {
        let (r, w) = decode_last_rune(&s[a..b]);
        if !f(r) {
            break;
        }
        b -= w;
    }
    (a, b)
}

/// A predicate for the runes of `cutset`.
pub(crate) fn in_set(cutset: &[u8]) -> impl Fn(i32) -> bool + '_ {
    move |r| has_rune(cutset, r)
}

/// Every rune replaced by `f` of it. `None` if nothing changes and all is well-formed.
pub fn map(s: &[u8], f: impl Fn(i32) -> i32) -> Option<Vec<u8>> {
    let mut i = 0;
    // The part that stays.
    loop {
        if i >= s.len() {
            return None;
        }
        let (r, w) = decode_rune(&s[i..]);
        let bad = r == 0xfffd && w == 1;
        if f(r) != r || bad {
            break;
        }
        i += w;
    }
    let mut out = s[..i].to_vec();
    let mut b = [0; 4];
    while i < s.len() {
        let (r, w) = decode_rune(&s[i..]);
        let n = encode_rune(&mut b, f(r));
        out.extend_from_slice(&b[..n]);
        i += w;
    }
    Some(out)
}

/// Upper case; `None` if `s` is that already.
pub fn upper(s: &[u8]) -> Option<Vec<u8>> {
    if s.is_ascii() {
        return s
            .iter()
            .any(u8::is_ascii_lowercase)
            .then(|| s.to_ascii_uppercase());
    }
    map(s, to_upper)
}

/// Lower case; `None` if `s` is that already.
pub fn lower(s: &[u8]) -> Option<Vec<u8>> {
    if s.is_ascii() {
        return s
            .iter()
            .any(u8::is_ascii_uppercase)
            .then(|| s.to_ascii_lowercase());
    }
    map(s, to_lower)
}

/// Equality under simple case folding.
pub(crate) fn equal_fold(s: &[u8], t: &[u8]) -> bool {
    let (mut i, mut j) = (0, 0);
    while i < s.len() && j < t.len() {
        let (a, w) = decode_rune(&s[i..]);
        let (b, v) = decode_rune(&t[j..]);
        i += w;
        j += v;
        if a == b {
            continue;
        }
        let (lo, hi) = (a.min(b), a.max(b));
        if hi < 0x80 {
            if (0x41..=0x5a).contains(&lo) && hi == lo + 32 {
                continue;
            }
            return false;
        }
        let mut r = simple_fold(lo);
        while r != lo && r < hi {
            r = simple_fold(r);
        }
        if r != hi {
            return false;
        }
    }
    i >= s.len() && j >= t.len()
}

/// Replaces the first `n` (all if negative) `old` by `new`; `None` if there is nothing to do.
pub fn replace(s: &[u8], old: &[u8], new: &[u8], n: i64) -> Option<Vec<u8>> {
    if old == new || n == 0 {
        return None;
    }
    let mut limit = if n < 0 { usize::MAX } else { n as usize };
    let mut out = Vec::new();
    let mut start = 0;
    if old.is_empty() {
        // Before each rune, and at the end.
        let mut i = 0;
        while limit > 0 {
            out.extend_from_slice(&s[start..i]);
            out.extend_from_slice(new);
            start = i;
            limit -= 1;
            if i >= s.len() {
                break;
            }
            i += decode_rune(&s[i..]).1;
        }
        out.extend_from_slice(&s[start..]);
        return Some(out);
    }
    let mut any = false;
    while limit > 0 {
        let Some(i) = index(&s[start..], old) else {
            break;
        };
        any = true;
        out.extend_from_slice(&s[start..start + i]);
        out.extend_from_slice(new);
        start += i + old.len();
        limit -= 1;
    }
    if !any {
        return None;
    }
    out.extend_from_slice(&s[start..]);
    Some(out)
}

/// Well-formed text: runs of bad bytes replaced by `with`; `None` if there are none.
pub(crate) fn to_valid(s: &[u8], with: &[u8]) -> Option<Vec<u8>> {
    if std::str::from_utf8(s).is_ok() {
        return None;
    }
    let mut out = Vec::with_capacity(s.len());
    let mut in_run = false;
    let mut i = 0;
    while i < s.len() {
        let (r, w) = decode_rune(&s[i..]);
        if r == 0xfffd && w == 1 {
            if !in_run {
                out.extend_from_slice(with);
            }
            in_run = true;
        } else {
            out.extend_from_slice(&s[i..i + w]);
            in_run = false;
        }
        i += w;
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(f: impl FnOnce(&mut dyn FnMut(usize, usize))) -> Vec<(usize, usize)> {
        let mut v = Vec::new();
        f(&mut |a, b| v.push((a, b)));
        v
    }

    #[test]
    fn splitting() {
        assert_eq!(
            parts(|p| split(b"a,b,c", b",", 0, -1, p)),
            [(0, 1), (2, 3), (4, 5)]
        );
        assert_eq!(parts(|p| split(b"a,b,c", b",", 1, 2, p)), [(0, 2), (2, 5)]);
        assert_eq!(
            parts(|p| split("é1".as_bytes(), b"", 0, -1, p)),
            [(0, 2), (2, 3)]
        );
        assert_eq!(parts(|p| split(b"", b",", 0, -1, p)), [(0, 0)]);
        assert_eq!(
            parts(|p| fields("  a\u{3000}b ".as_bytes(), p)),
            [(2, 3), (6, 7)]
        );
    }

    #[test]
    fn replacing_and_folding() {
        assert_eq!(replace(b"abc", b"", b"-", -1).unwrap(), b"-a-b-c-");
        assert_eq!(replace(b"abc", b"", b"-", 2).unwrap(), b"-a-bc");
        assert_eq!(
            replace(b"oink oink", b"k", b"ky", 1).unwrap(),
            b"oinky oink"
        );
        assert!(equal_fold(
            "Straße K".as_bytes(),
            "sTRAßE \u{212a}".as_bytes()
        ));
        assert_eq!(last_index_any(b"golang", b"gn"), Some(5));
        assert_eq!(to_valid(b"a\xff\xfeb", b"?").unwrap(), b"a?b");
    }
}
