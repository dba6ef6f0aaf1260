//! Package `net/http`: what bytes names, values and hosts may have; the rest is Go.
//!
//! Go: golang.org/x/net/http/httpguts.

use vm::fenced;
use vm::native::{GoStr, Slice};

/// May the byte be part of a token? RFC 7230, `tchar`.
fn is_token(c: &u8) -> bool {
    c.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(c)
}

/// May the byte be part of a header's value?
fn is_value(c: &u8) -> bool {
    *c == b'\t' || *c == b' ' || !c.is_ascii_control()
}

/// May the byte be part of a host?
fn is_host(c: &u8) -> bool {
    c.is_ascii_alphanumeric() || b"!$%&()*+,-.:;=['_]~".contains(c)
}

/// Is it a path that needs no unescaping and no cleaning?
fn is_plain_path(s: &[u8]) -> bool {
    let is_plain = |c: &u8| c.is_ascii_alphanumeric() || b"/-_.~".contains(c);
    let is_unclean = |w: &[u8]| w[0] == b'/' && (w[1] == b'/' || w[1] == b'.');
    s.first() == Some(&b'/') && s.iter().all(is_plain) && !s.windows(2).any(is_unclean)
}

/// Does the byte say that what it is part of is no text?
fn is_binary(c: &u8) -> bool {
    matches!(c, 0..=0x08 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f)
}

natives! {
    "isFieldValue" => fenced |cx, s: GoStr| {
        fenced!(cx, s.len(), || s.as_bytes().iter().all(is_value))
    }
    "isHost" => fenced |cx, s: GoStr| {
        fenced!(cx, s.len(), || s.as_bytes().iter().all(is_host))
    }
    "isPlainPath" => fenced |cx, s: GoStr| {
        fenced!(cx, s.len(), || is_plain_path(s.as_bytes()))
    }
    // Of 512 bytes at most.
    "isText" => short follows(s) |cx, s: Slice<u8>| {
        let binary = s.as_slice().iter().position(is_binary);
        cx.touches(s.as_ptr(), binary.map_or(s.len(), |at| at + 1), false);
        binary.is_none()
    }
    "isToken" => fenced |cx, s: GoStr| {
        !s.is_empty() && fenced!(cx, s.len(), || s.as_bytes().iter().all(is_token))
    }
}
