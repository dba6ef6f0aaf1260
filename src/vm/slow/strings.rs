#![allow(unsafe_code)]
//! Strings: comparing, joining, and conversions from and to bytes and runes.
//!
//! Go: runtime/string.go.

use super::*;
use crate::string;
use gosched_runtime::heap::not_null;

/// Are `n` bytes equal?
///
/// # Safety
/// Both are readable.
#[inline(never)]
pub(crate) unsafe fn bytes_eq(a: u64, b: u64, n: u64) -> bool {
    // SAFETY: the caller's; a length of 0 reads nothing.
    n == 0
        || unsafe {
            std::slice::from_raw_parts(not_null(a as *const u8), n as usize)
                == std::slice::from_raw_parts(not_null(b as *const u8), n as usize)
        }
}

/// Compares as Go orders strings: negative, 0, positive.
///
/// # Safety
/// Both are readable.
#[inline(never)]
pub(crate) unsafe fn bytes_cmp(a: u64, an: u64, b: u64, bn: u64) -> i64 {
    // SAFETY: the caller's.
    unsafe { string::compare(as_str([a, an]), as_str([b, bn])) as i64 }
}

halves! {
    fn concat2(g, s, i: Concat2) {
        s.save();
        let v = string::concat2(m(g), as_str(s.get2(i.a)), as_str(s.get2(i.b)));
        s.set2(i.dst, str_words(v));
        DONE
    }
    fn concat_n(g, s, i: ConcatN) {
        s.save();
        let parts = std::slice::from_raw_parts(s.at(i.base) as *const GoStr, i.n as usize);
        let v = string::concat(m(g), parts);
        s.set2(i.dst, str_words(v));
        DONE
    }
    fn str_of_bytes(g, s, i: StrOfBytes) {
        s.save();
        let v = string::from_bytes(m(g), as_slice(s.get3(i.s)));
        s.set2(i.dst, str_words(v));
        DONE
    }
    fn bytes_of_str(g, s, i: BytesOfStr) {
        s.save();
        let v = string::to_bytes(m(g), as_str(s.get2(i.s)));
        s.set3(i.dst, as_words(v));
        DONE
    }
    fn str_of_runes(g, s, i: StrOfRunes) {
        s.save();
        let v = string::from_runes(m(g), as_slice(s.get3(i.s)));
        s.set2(i.dst, str_words(v));
        DONE
    }
    fn runes_of_str(g, s, i: RunesOfStr) {
        s.save();
        let v = string::to_runes(m(g), as_str(s.get2(i.s)));
        s.set3(i.dst, as_words(v));
        DONE
    }
    fn str_of_rune(g, s, i: StrOfRune) {
        let v = string::from_rune(m(g), s.get(i.a) as i64);
        s.set2(i.dst, str_words(v));
        DONE
    }
    fn str_next(g, s, i: StrNext) {
        let at = s.get(i.it) as usize;
        let text = as_str(s.get2(i.s));
        let (r, width) = string::decode_rune(&text.as_bytes()[at..]);
        s.set(i.r, r as i64 as u64);
        s.set(i.it, (at + width) as u64);
        DONE
    }
}
