//! Package `net/url`: escapes of bytes; the rest is Go.
//!
//! Go: net/url/gen_encoding_table.go (shouldEscape), url.go (escape, unescape).

use vm::fenced;
use vm::native::GoStr;

/// Which part of a URL a text is: as the Go text numbers them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Path,
    Segment,
    Host,
    Zone,
    User,
    Query,
    Fragment,
}

impl Part {
    fn of(n: i64) -> Part {
        use Part::*;
        [Path, Segment, Host, Zone, User, Query, Fragment][n.clamp(0, 6) as usize]
    }

    /// Does the byte mean itself in such a part?
    fn is_plain(self, c: u8) -> bool {
        let is_host = matches!(self, Part::Host | Part::Zone);
        match c {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => true,
            _ if is_host => b"!$&'()*+,;=:[]<>\"".contains(&c),
            b'$' | b'&' | b'+' | b',' | b'/' | b':' | b';' | b'=' | b'?' | b'@' => match self {
                Part::Path => c != b'?',
                Part::Segment => !b"/;,?".contains(&c),
                Part::User => !b"@/?:".contains(&c),
                Part::Fragment => true,
                _ => false,
            },
            b'!' | b'(' | b')' | b'*' => self == Part::Fragment,
            _ => false,
        }
    }
}

fn hex(c: u8) -> Option<u8> {
    (c as char).to_digit(16).map(|d| d as u8)
}

/// The text with what needs it as `%XX`; `None` if nothing does.
fn escape(text: &[u8], part: Part) -> Option<Vec<u8>> {
    if text.iter().all(|&c| part.is_plain(c)) {
        return None;
    }
    let mut out = Vec::with_capacity(text.len() + 16);
    for &c in text {
        if part.is_plain(c) {
            out.push(c);
        } else if c == b' ' && part == Part::Query {
            out.push(b'+');
        } else {
            let digits = b"0123456789ABCDEF";
            out.extend([
                b'%',
                digits[usize::from(c >> 4)],
                digits[usize::from(c & 15)],
            ]);
        }
    }
    Some(out)
}

/// What is wrong with a text: a bad escape, or a byte that a host cannot have.
enum Bad {
    Escape(usize, usize),
    Byte(usize),
}

/// The text without escapes; `None` if there are none.
fn unescape(text: &[u8], part: Part) -> Result<Option<Vec<u8>>, Bad> {
    let is_host = matches!(part, Part::Host | Part::Zone);
    let mut out: Option<Vec<u8>> = None;
    let mut i = 0;
    while i < text.len() {
        let c = text[i];
        let (c, used) = match c {
            b'%' => {
                let digits = |at: usize| text.get(at).copied().and_then(hex);
                let (Some(high), Some(low)) = (digits(i + 1), digits(i + 2)) else {
                    return Err(Bad::Escape(i, text.len().min(i + 3)));
                };
                let value = high << 4 | low;
                let is_percent = value == b'%';
                // RFC 6874: of ASCII only a percent sign is escaped in a host; zones may have more.
                let is_bad = match part {
                    Part::Host => high < 8 && !is_percent,
                    Part::Zone => !is_percent && value != b' ' && !Part::Host.is_plain(value),
                    _ => false,
                };
                if is_bad {
                    return Err(Bad::Escape(i, i + 3));
                }
                (value, 3)
            }
            b'+' if part == Part::Query => (b' ', 1),
            _ if is_host && c < 0x80 && !part.is_plain(c) => return Err(Bad::Byte(i)),
            _ => (c, 1),
        };
        if used > 1 || c != text[i] {
            out.get_or_insert_with(|| text[..i].to_vec());
        }
        if let Some(out) = &mut out {
            out.push(c);
        }
        i += used;
    }
    Ok(out)
}

natives! {
    "escape" => fenced |cx, s: GoStr, part: i64| {
        match fenced!(cx, s.len(), || escape(s.as_bytes(), Part::of(part))) {
            Some(text) => cx.string(text),
            None => s,
        }
    }
    "isPlain" => fenced |cx, s: GoStr, part: i64, also: GoStr| {
        let part = Part::of(part);
        fenced!(cx, s.len(), || {
            let also = also.as_bytes();
            s.as_bytes().iter().all(|&c| part.is_plain(c) || also.contains(&c))
        })
    }
    "unescape_" => fenced |cx, s: GoStr, part: i64| {
        match fenced!(cx, s.len(), || unescape(s.as_bytes(), Part::of(part))) {
            Ok(Some(text)) => (cx.string(text), 0i64),
            Ok(None) => (s, 0),
            Err(Bad::Escape(from, to)) => (s.sub(from, to), 1),
            Err(Bad::Byte(at)) => (s.sub(at, at + 1), 2),
        }
    }
}
