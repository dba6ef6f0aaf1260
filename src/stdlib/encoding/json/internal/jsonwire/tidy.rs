//! JSON values written anew: other white space, other escapes, plain numbers.

use std::borrow::Cow;
use std::collections::HashSet;

use super::scan::{self, Escapes, Number, ValueScan};
use crate::strconv::natives::core as text;

/// What is asked for. The bits are those of the Go text.
#[derive(Clone, Copy, Debug)]
pub struct Wish(pub i64);

impl Wish {
    pub const BAD_UTF8: i64 = 1;
    pub const DUPLICATES: i64 = 2;
    pub const RAW_STRINGS: i64 = 4;
    pub const HTML: i64 = 8;
    pub const JS: i64 = 16;
    pub const PLAIN_INTS: i64 = 32;
    pub const PLAIN_FLOATS: i64 = 64;
    pub const LINES: i64 = 128;
    pub const AFTER_COLON: i64 = 256;
    pub const AFTER_COMMA: i64 = 512;

    fn has(self, bits: i64) -> bool {
        self.0 & bits != 0
    }

    fn escapes(self) -> Escapes {
        Escapes {
            html: self.has(Wish::HTML),
            js: self.has(Wish::JS),
        }
    }
}

/// Appends the quoted string `b`, which is good.
pub fn string(out: &mut Vec<u8>, b: &[u8], flags: i64, wish: Wish) {
    let raw = wish.has(Wish::RAW_STRINGS);
    if !wish.has(Wish::HTML | Wish::JS) && (raw || flags & scan::NON_CANONICAL == 0) {
        out.extend_from_slice(b);
    } else if raw {
        scan::escape_raw(out, b, wish.escapes());
    } else {
        let mut plain = Vec::with_capacity(b.len());
        scan::unquote(&mut plain, b);
        scan::quote(out, &plain, wish.escapes());
    }
}

/// Appends a number as JavaScript writes it.
pub fn float(out: &mut Vec<u8>, f: f64, bits: u32) {
    let small = if bits == 32 { f64::from(f as f32) } else { f };
    let abs = small.abs();
    // For float32 the bounds are float32s, too.
    let (low, high) = if bits == 32 {
        (f64::from(1e-6f32), f64::from(1e21f32))
    } else {
        (1e-6, 1e21)
    };
    let scientific = abs != 0.0 && (abs < low || abs >= high);
    let start = out.len();
    text::append_float(out, small, if scientific { b'e' } else { b'f' }, -1, bits);
    let n = out.len();
    if scientific && n - start >= 4 && &out[n - 4..n - 1] == b"e-0" {
        out.remove(n - 2);
    }
}

/// Appends the number `b`, which is good.
pub fn number(out: &mut Vec<u8>, b: &[u8], wish: Wish) {
    // Integers of fewer digits are floats exactly.
    const EXACT: usize = 16;
    let is_float = b.iter().any(|c| matches!(c, b'.' | b'e' | b'E'));
    let again = wish.has(Wish::PLAIN_INTS | Wish::PLAIN_FLOATS)
        && (b == b"-0"
            || if is_float {
                wish.has(Wish::PLAIN_FLOATS)
            } else {
                wish.has(Wish::PLAIN_INTS) && b.len() >= EXACT
            });
    if !again {
        out.extend_from_slice(b);
        return;
    }
    let f = text::parse_float(b, 64).0;
    float(
        out,
        if f == 0.0 {
            0.0
        } else {
            f.clamp(f64::MIN, f64::MAX)
        },
        64,
    );
}

/// The text of the quoted string `b`, which is good.
fn unquoted(b: &[u8]) -> Cow<'_, [u8]> {
    let inner = &b[1..b.len() - 1];
    // Bad bytes are replaced, so they count as escapes do.
    if !inner.contains(&b'\\') && std::str::from_utf8(inner).is_ok() {
        return Cow::Borrowed(inner);
    }
    let mut out = Vec::with_capacity(b.len());
    scan::unquote(&mut out, b);
    Cow::Owned(out)
}

/// The names of an object: a list while they are few.
#[derive(Default)]
struct Names<'a> {
    few: Vec<Cow<'a, [u8]>>,
    many: HashSet<Cow<'a, [u8]>>,
}

impl<'a> Names<'a> {
    /// False if it is there.
    fn insert(&mut self, quoted: &'a [u8]) -> bool {
        let name = unquoted(quoted);
        if !self.many.is_empty() {
            return self.many.insert(name);
        }
        if self.few.contains(&name) {
            return false;
        }
        self.few.push(name);
        if self.few.len() > 16 {
            self.many.extend(std::mem::take(&mut self.few));
        }
        true
    }
}

/// Does an object in the value `b`, which is good, have a name twice?
pub fn has_duplicates(b: &[u8]) -> bool {
    // `Some` for objects.
    let mut open: Vec<Option<Names<'_>>> = Vec::new();
    let (mut n, mut is_name) = (0, false);
    while let Some(&c) = b.get(n) {
        match c {
            b'{' => {
                open.push(Some(Names::default()));
                is_name = true;
            }
            b'[' => {
                open.push(None);
                is_name = false;
            }
            b'}' | b']' => {
                open.pop();
            }
            b':' => is_name = false,
            b',' => is_name = open.last().is_some_and(Option::is_some),
            b'"' => {
                let end = n + scan::string(&b[n..], 0, false).at;
                if is_name && !open.last_mut().is_some_and(|o| insert(o, &b[n..end])) {
                    return true;
                }
                n = end;
                continue;
            }
            _ => {}
        }
        n += 1;
    }
    false
}

fn insert<'a>(object: &mut Option<Names<'a>>, quoted: &'a [u8]) -> bool {
    object.as_mut().is_none_or(|names| names.insert(quoted))
}

/// Appends the value at the front of `b` as `wish` asks, in `depth` levels, and says how long it
/// was; `None` if something is wrong with it.
pub fn value(
    out: &mut Vec<u8>,
    b: &[u8],
    depth: usize,
    wish: Wish,
    prefix: &[u8],
    indent: &[u8],
) -> Option<usize> {
    let mut whole = ValueScan::new(0, Vec::new());
    let validate = !wish.has(Wish::BAD_UTF8);
    let scan::Step::Done(len) = whole.run(b, 0, depth, validate, true) else {
        return None;
    };
    let b = &b[..len];
    if !wish.has(Wish::DUPLICATES) && has_duplicates(b) {
        return None;
    }
    out.reserve(len);
    let line = |out: &mut Vec<u8>, depth: usize| {
        if wish.has(Wish::LINES) {
            out.push(b'\n');
            out.extend_from_slice(prefix);
            for _ in 1..depth {
                out.extend_from_slice(indent);
            }
        }
    };
    let (mut n, mut depth) = (0, depth);
    while let Some(&c) = b.get(n) {
        match c {
            b' ' | b'\t' | b'\r' | b'\n' => {}
            b'{' | b'[' => {
                out.push(c);
                let inner = n + 1 + scan::space(&b[n + 1..]);
                if matches!(b[inner], b'}' | b']') {
                    out.push(b[inner]);
                    n = inner + 1;
                    continue;
                }
                depth += 1;
                line(out, depth);
            }
            b'}' | b']' => {
                depth -= 1;
                line(out, depth);
                out.push(c);
            }
            b',' => {
                out.push(c);
                if wish.has(Wish::AFTER_COMMA) {
                    out.push(b' ');
                }
                line(out, depth);
            }
            b':' => {
                out.push(c);
                if wish.has(Wish::AFTER_COLON) {
                    out.push(b' ');
                }
            }
            b'"' => {
                let s = scan::string(&b[n..], 0, false);
                // Strings without anything that might be escaped go as they are.
                if scan::need_escape(&b[n + 1..n + s.at - 1]) {
                    string(out, &b[n..n + s.at], s.flags, wish);
                } else {
                    out.extend_from_slice(&b[n..n + s.at]);
                }
                n += s.at;
                continue;
            }
            b'-' | b'0'..=b'9' => {
                let Number::Done(w) = scan::number(&b[n..]) else {
                    return None;
                };
                number(out, &b[n..n + w], wish);
                n += w;
                continue;
            }
            _ => out.push(c),
        }
        n += 1;
    }
    Some(len)
}
