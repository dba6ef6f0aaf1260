//! Package `net/http`: what bytes names, values and hosts may have; the rest is Go.
//!
//! Go: golang.org/x/net/http/httpguts.

use vm::fenced;
use vm::native::GoStr;

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

natives! {
    "isFieldValue" => fenced |cx, s: GoStr| {
        fenced!(cx, s.len(), || s.as_bytes().iter().all(is_value))
    }
    "isHost" => fenced |cx, s: GoStr| {
        fenced!(cx, s.len(), || s.as_bytes().iter().all(is_host))
    }
    "isToken" => fenced |cx, s: GoStr| {
        !s.is_empty() && fenced!(cx, s.len(), || s.as_bytes().iter().all(is_token))
    }
}
