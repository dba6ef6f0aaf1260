//! Package `strings`: the natives over [`search`](super::search).
//!
//! Go: strings.

use super::search::{self, or_minus_one};
use super::unicode::{is_space, to_title};
use crate::vm::native::{Cx, GoStr, Res, Slice};

/// Parts of `s` as a `[]string` that shares its memory.
fn parts(
    cx: &mut Cx,
    s: GoStr,
    find: impl FnOnce(&[u8], &mut dyn FnMut(usize, usize)),
) -> Slice<GoStr> {
    let mut v: Vec<GoStr> = Vec::new();
    find(s.as_bytes(), &mut |a, b| v.push(s.sub(a, b)));
    cx.slice(&v)
}

fn split(cx: &mut Cx, s: GoStr, sep: GoStr, save: usize, n: i64) -> Slice<GoStr> {
    if n == 0 {
        return Slice::NIL;
    }
    parts(cx, s, |b, part| {
        search::split(b, sep.as_bytes(), save, n, part)
    })
}

/// A new string, or `s` itself if nothing changed.
fn changed(cx: &mut Cx, s: GoStr, new: Option<Vec<u8>>) -> GoStr {
    match new {
        Some(b) => cx.string(&b),
        None => s,
    }
}

fn trimmed(s: GoStr, (a, b): (usize, usize)) -> GoStr {
    s.sub(a, b)
}

/// Longer results die as in Go, where the allocation would.
const MAX_LEN: usize = 1 << 46;

package! { "strings", ["strings.go", "strings_iter.go"];
    "func Index(s, substr string) int" => |cx, s: GoStr, sep: GoStr| {
        or_minus_one(search::index(s.as_bytes(), sep.as_bytes()))
    }
    "func IndexByte(s string, c byte) int" => |cx, s: GoStr, c: u8| { or_minus_one(memchr::memchr(c, s.as_bytes())) }
    "func IndexRune(s string, r rune) int" => |cx, s: GoStr, r: i32| { or_minus_one(search::index_rune(s.as_bytes(), r)) }
    "func IndexAny(s, chars string) int" => |cx, s: GoStr, chars: GoStr| {
        or_minus_one(search::index_any(s.as_bytes(), chars.as_bytes()))
    }
    "func LastIndex(s, substr string) int" => |cx, s: GoStr, sep: GoStr| {
        or_minus_one(search::last_index(s.as_bytes(), sep.as_bytes()))
    }
    "func LastIndexByte(s string, c byte) int" => |cx, s: GoStr, c: u8| { or_minus_one(memchr::memrchr(c, s.as_bytes())) }
    "func LastIndexAny(s, chars string) int" => |cx, s: GoStr, chars: GoStr| {
        or_minus_one(search::last_index_any(s.as_bytes(), chars.as_bytes()))
    }
    "func Count(s, substr string) int" => |cx, s: GoStr, sep: GoStr| { search::count(s.as_bytes(), sep.as_bytes()) as i64 }
    "func EqualFold(s, t string) bool" => |cx, s: GoStr, t: GoStr| { search::equal_fold(s.as_bytes(), t.as_bytes()) }
    "func split(s, sep string, keep, n int) []string" => |cx, s: GoStr, sep: GoStr, keep: i64, n: i64| {
        split(cx, s, sep, keep as usize, n)
    }
    "func Compare(a, b string) int" => |cx, a: GoStr, b: GoStr| { a.as_bytes().cmp(b.as_bytes()) as i64 }
    "func Clone(s string) string" => |cx, s: GoStr| { cx.string(s.as_bytes()) }
    "func bytesToString(b []byte) string" => |cx, b: Slice<u8>| { GoStr { ptr: b.ptr, len: b.len } }
    "func Fields(s string) []string" => |cx, s: GoStr| { parts(cx, s, |b, part| search::fields(b, part)) }
    /// Elements of `elems` with `sep` between them.
    "func Join(elems []string, sep string) string" => |cx, elems: Slice<GoStr>, sep: GoStr| {
        let list = elems.as_slice();
        match list {
            [] => return Res::Ok(GoStr::EMPTY),
            [one] => return Ok(*one),
            _ => {}
        }
        let n = list.iter().try_fold(0usize, |n, s| n.checked_add(s.len)).and_then(|n| n.checked_add(sep.len.checked_mul(list.len() - 1)?));
        let Some(n) = n.filter(|n| *n <= MAX_LEN) else { return cx.panic("strings: Join output length overflow") };
        Ok(cx.string_with(n, |out| {
            let mut at = 0;
            let mut put = |b: &[u8]| {
                out[at..at + b.len()].copy_from_slice(b);
                at += b.len();
            };
            for (i, s) in list.iter().enumerate() {
                if i > 0 {
                    put(sep.as_bytes());
                }
                put(s.as_bytes());
            }
        }))
    }
    "func repeat(s string, count int) string" => |cx, s: GoStr, count: i64| {
        let n = s.len * count as usize;
        if n == 0 {
            return GoStr::EMPTY;
        }
        cx.string_with(n, |out| {
            let b = s.as_bytes();
            if let [c] = b {
                out.fill(*c);
                return;
            }
            out[..b.len()].copy_from_slice(b);
            let mut have = b.len();
            while have < n {
                let more = have.min(n - have);
                out.copy_within(..more, have);
                have += more;
            }
        })
    }
    "func Replace(s, old, new string, n int) string" => |cx, s: GoStr, old: GoStr, new: GoStr, n: i64| {
        let b = search::replace(s.as_bytes(), old.as_bytes(), new.as_bytes(), n);
        changed(cx, s, b)
    }
    "func ToUpper(s string) string" => |cx, s: GoStr| { changed(cx, s, search::upper(s.as_bytes())) }
    "func ToLower(s string) string" => |cx, s: GoStr| { changed(cx, s, search::lower(s.as_bytes())) }
    "func ToTitle(s string) string" => |cx, s: GoStr| { changed(cx, s, search::map(s.as_bytes(), to_title)) }
    "func ToValidUTF8(s, replacement string) string" => |cx, s: GoStr, with: GoStr| {
        changed(cx, s, search::to_valid(s.as_bytes(), with.as_bytes()))
    }
    "func TrimSpace(s string) string" => |cx, s: GoStr| { trimmed(s, search::trim(s.as_bytes(), true, true, is_space)) }
    "func Trim(s, cutset string) string" => |cx, s: GoStr, set: GoStr| {
        trimmed(s, search::trim(s.as_bytes(), true, true, search::in_set(set.as_bytes())))
    }
    "func TrimLeft(s, cutset string) string" => |cx, s: GoStr, set: GoStr| {
        trimmed(s, search::trim(s.as_bytes(), true, false, search::in_set(set.as_bytes())))
    }
    "func TrimRight(s, cutset string) string" => |cx, s: GoStr, set: GoStr| {
        trimmed(s, search::trim(s.as_bytes(), false, true, search::in_set(set.as_bytes())))
    }
}
