//! Package `encoding/xml`: how far text goes on without anything that needs a look.
//!
//! Go: encoding/xml (`Decoder.text`, `Decoder.readName`, `EscapeText`).

use vm::fenced;
use vm::native::GoStr;

/// The length of the character at the start of `s` if it is valid UTF-8 and XML allows it, else 0.
fn legal(s: &[u8]) -> usize {
    match s[0] {
        b'\t' | b'\n' | b'\r' | 0x20..=0x7F => 1,
        0..=0x1F => 0,
        _ => match crate::unicode::utf8::natives::decode(s) {
            (0xFFFD, 1) | (0xFFFE | 0xFFFF, _) => 0,
            (_, size) => size,
        },
    }
}

/// How many bytes at the start of `s` are allowed characters for which `stops` is false.
fn prefix(s: &[u8], stops: impl Fn(u8) -> bool) -> usize {
    let mut at = 0;
    while at < s.len() && !stops(s[at]) {
        match legal(&s[at..]) {
            0 => break,
            n => at += n,
        }
    }
    at
}

fn is_name(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b':' | b'.' | b'-')
}

natives! {
    "plain" => fenced |cx, s: GoStr, quote: i64| {
        let quote = u8::try_from(quote).unwrap_or(b']');
        let stops = move |b| b == quote || matches!(b, b'<' | b'&' | b'\r');
        fenced!(cx, s.len(), || prefix(s.as_bytes(), stops)) as i64
    }
    "nameLength" => fenced |cx, s: GoStr| {
        let end = |s: &[u8]| s.iter().position(|b| !is_name(*b)).unwrap_or(s.len());
        fenced!(cx, s.len(), || end(s.as_bytes())) as i64
    }
    "unescaped" => fenced |cx, s: GoStr, keeps: bool| {
        let stops = move |b| match b {
            b'"' | b'\'' | b'&' | b'<' | b'>' | b'\t' | b'\r' => true,
            b'\n' => !keeps,
            _ => false,
        };
        fenced!(cx, s.len(), || prefix(s.as_bytes(), stops)) as i64
    }
}
