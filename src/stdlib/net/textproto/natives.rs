//! Package `net/textproto`: names and values of header fields; the rest is Go.
//!
//! Go: net/textproto/reader.go, canonicalMIMEHeaderKey, validHeaderValueByte.

use vm::fenced;
use vm::native::{GoStr, Slice};

/// May the byte be part of a field's name? RFC 7230, `tchar`.
fn is_name(c: u8) -> bool {
    c.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&c)
}

/// May the byte be part of a field's value?
fn is_value(c: u8) -> bool {
    c == b'\t' || (c >= b' ' && c != 0x7f)
}

/// The canonical form of a name; `None` if it is in that form.
fn canonical(name: &[u8]) -> Option<Vec<u8>> {
    let mut begins = true;
    let mut is_same = true;
    let upper_and_lower = |c: u8| {
        let to = match std::mem::replace(&mut begins, c == b'-') {
            true => c.to_ascii_uppercase(),
            false => c.to_ascii_lowercase(),
        };
        is_same &= to == c;
        to
    };
    let text: Vec<u8> = name.iter().copied().map(upper_and_lower).collect();
    (!is_same).then_some(text)
}

natives! {
    "canonical" => fenced |cx, s: GoStr| {
        let name = s.as_bytes();
        let (is_plain, is_accepted) = fenced!(cx, name.len(), || (
            name.iter().all(|&c| is_name(c)),
            name.iter().all(|&c| is_name(c) || c == b' '),
        ));
        if name.is_empty() || !is_plain {
            return (s, is_accepted && !name.is_empty());
        }
        match fenced!(cx, name.len(), || canonical(name)) {
            Some(text) => (cx.string(text), true),
            None => (s, true),
        }
    }
    "isValue" => fenced |cx, v: Slice<u8>| {
        fenced!(cx, v.len(), || v.as_slice().iter().all(|&c| is_value(c)))
    }
}
