//! Package `strings`: the natives over [`search`].
//!
//! Go: strings.

use crate::unicode::natives::{self as unicode, is_space, to_title};
use vm::fenced;
use vm::native::{Cx, GoStr, Res, Slice};

pub mod search;

use search::or_minus_one;

/// Runs what may ask for the class or case of characters where a signal may suspend it.
fn in_tables<R: Send>(cx: &mut Cx, work: usize, f: impl FnOnce() -> R + Send) -> R {
    if work > SHORT {
        unicode::make_tables();
    }
    fenced!(cx, work, f)
}

/// Parts of `s` as a `[]string` that shares its memory.
fn parts(
    cx: &mut Cx,
    s: GoStr,
    find: impl FnOnce(&[u8], &mut dyn FnMut(usize, usize)) + Send,
) -> Slice<GoStr> {
    let v = in_tables(cx, s.len(), || {
        let mut v: Vec<GoStr> = Vec::new();
        find(s.as_bytes(), &mut |a, b| v.push(s.sub(a, b)));
        v
    });
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
fn changed(
    cx: &mut Cx,
    s: GoStr,
    work: usize,
    f: impl FnOnce(&[u8]) -> Option<Vec<u8>> + Send,
) -> GoStr {
    match in_tables(cx, work, || f(s.as_bytes())) {
        Some(b) => cx.string(&b),
        None => s,
    }
}

/// `s` without leading (if `left`) and trailing (if `right`) runes of `set`.
fn trimmed(cx: &mut Cx, s: GoStr, set: GoStr, left: bool, right: bool) -> GoStr {
    let work = s.len().saturating_mul(set.len().max(1));
    let (a, b) = fenced!(cx, work, || {
        search::trim(s.as_bytes(), left, right, search::in_set(set.as_bytes()))
    });
    s.sub(a, b)
}

/// Where `find` finds something.
fn found(cx: &mut Cx, work: usize, find: impl FnOnce() -> Option<usize> + Send) -> i64 {
    or_minus_one(fenced!(cx, work, find))
}

/// With less work than so many bytes the tables are made as they are asked for.
const SHORT: usize = 4 << 10;

/// Longer results die as in Go, where the allocation would.
const MAX_LEN: usize = 1 << 46;

natives! {
    "Index" => fenced |cx, s: GoStr, sep: GoStr| {
        found(cx, s.len(), || search::index(s.as_bytes(), sep.as_bytes()))
    }
    "IndexByte" => fenced |cx, s: GoStr, c: u8| {
        found(cx, s.len(), || memchr::memchr(c, s.as_bytes()))
    }
    "IndexRune" => fenced |cx, s: GoStr, r: i32| {
        found(cx, s.len(), || search::index_rune(s.as_bytes(), r))
    }
    "IndexAny" => fenced |cx, s: GoStr, chars: GoStr| {
        found(cx, s.len().saturating_mul(chars.len().max(1)), || {
            search::index_any(s.as_bytes(), chars.as_bytes())
        })
    }
    "LastIndex" => fenced |cx, s: GoStr, sep: GoStr| {
        found(cx, s.len(), || search::last_index(s.as_bytes(), sep.as_bytes()))
    }
    "LastIndexByte" => fenced |cx, s: GoStr, c: u8| {
        found(cx, s.len(), || memchr::memrchr(c, s.as_bytes()))
    }
    "LastIndexAny" => fenced |cx, s: GoStr, chars: GoStr| {
        found(cx, s.len().saturating_mul(chars.len().max(1)), || {
            search::last_index_any(s.as_bytes(), chars.as_bytes())
        })
    }
    "Count" => fenced |cx, s: GoStr, sep: GoStr| {
        fenced!(cx, s.len(), || search::count(s.as_bytes(), sep.as_bytes()) as i64)
    }
    "EqualFold" => fenced |cx, s: GoStr, t: GoStr| {
        in_tables(cx, s.len().min(t.len()), || search::equal_fold(s.as_bytes(), t.as_bytes()))
    }
    "split" => fenced |cx, s: GoStr, sep: GoStr, keep: i64, n: i64| {
        split(cx, s, sep, keep as usize, n)
    }
    "Compare" => fenced |cx, a: GoStr, b: GoStr| {
        fenced!(cx, a.len().min(b.len()), || a.as_bytes().cmp(b.as_bytes()) as i64)
    }
    "Clone" => polling |cx, s: GoStr| { cx.string(s.as_bytes()) }
    "Fields" => fenced |cx, s: GoStr| {
        parts(cx, s, |b, part| search::fields(b, part))
    }
    "Join" => fenced |cx, elems: Slice<GoStr>, sep: GoStr| {
        let list = elems.as_slice();
        match list {
            [] => return Res::Ok(GoStr::EMPTY),
            [one] => return Ok(*one),
            _ => {}
        }
        let n = list
            .iter()
            .try_fold(0usize, |n, s| n.checked_add(s.len()))
            .and_then(|n| n.checked_add(sep.len().checked_mul(list.len() - 1)?));
        let Some(n) = n.filter(|n| *n <= MAX_LEN) else {
            return cx.panic("strings: Join output length overflow");
        };
        Ok(fenced!(cx; string n, |out| {
            let mut at = 0;
            // Another goroutine may have put longer strings into the list meanwhile, or shorter.
            let mut put = |b: &[u8]| {
                let n = b.len().min(out.len() - at);
                out[at..at + n].copy_from_slice(&b[..n]);
                at += n;
            };
            for (i, s) in list.iter().enumerate() {
                if i > 0 {
                    put(sep.as_bytes());
                }
                put(s.as_bytes());
            }
            out[at..].fill(0);
        }))
    }
    "repeat" => fenced |cx, s: GoStr, count: i64| {
        let n = s.len() * count as usize;
        if n == 0 {
            return GoStr::EMPTY;
        }
        fenced!(cx; string n, |out| {
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
    "Replace" => fenced |cx, s: GoStr, old: GoStr, new: GoStr, n: i64| {
        changed(cx, s, s.len().saturating_add(new.len()), |s| {
            search::replace(s, old.as_bytes(), new.as_bytes(), n)
        })
    }
    "ToUpper" => fenced |cx, s: GoStr| {
        changed(cx, s, s.len(), search::upper)
    }
    "ToLower" => fenced |cx, s: GoStr| {
        changed(cx, s, s.len(), search::lower)
    }
    "ToTitle" => fenced |cx, s: GoStr| {
        changed(cx, s, s.len(), |s| search::map(s, to_title))
    }
    "ToValidUTF8" => fenced |cx, s: GoStr, with: GoStr| {
        changed(cx, s, s.len(), |s| search::to_valid(s, with.as_bytes()))
    }
    "TrimSpace" => fenced |cx, s: GoStr| {
        let (a, b) = in_tables(cx, s.len(), || search::trim(s.as_bytes(), true, true, is_space));
        s.sub(a, b)
    }
    "Trim" => fenced |cx, s: GoStr, set: GoStr| {
        trimmed(cx, s, set, true, true)
    }
    "TrimLeft" => fenced |cx, s: GoStr, set: GoStr| {
        trimmed(cx, s, set, true, false)
    }
    "TrimRight" => fenced |cx, s: GoStr, set: GoStr| {
        trimmed(cx, s, set, false, true)
    }
}
