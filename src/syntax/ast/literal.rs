//! What the text of string and rune literals stands for.
//!
//! Spec: Rune literals, String literals. Go: strconv/quote.go, Unquote.

/// An escape, as the character behind its backslash tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Escape {
    /// That is all of it; it stands for this character.
    Whole(char),
    /// It is a number.
    Number(Number),
}

/// How an escape writes a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Number {
    pub digits: usize,
    pub base: u32,
    /// The character behind the backslash is the first of the digits.
    pub(crate) has_begun: bool,
    /// It is a byte's value, not a code point.
    pub(crate) is_byte: bool,
}

impl Escape {
    /// The escape that `c` behind a backslash begins. Either quote is taken; which of them a
    /// literal allows is its scanner's to know.
    pub(crate) fn of(c: char) -> Option<Escape> {
        let hex = |digits, is_byte| {
            Escape::Number(Number {
                digits,
                base: 16,
                has_begun: false,
                is_byte,
            })
        };
        Some(match c {
            'a' => Escape::Whole('\u{7}'),
            'b' => Escape::Whole('\u{8}'),
            'f' => Escape::Whole('\u{c}'),
            'n' => Escape::Whole('\n'),
            'r' => Escape::Whole('\r'),
            't' => Escape::Whole('\t'),
            'v' => Escape::Whole('\u{b}'),
            '\\' | '\'' | '"' => Escape::Whole(c),
            '0'..='7' => Escape::Number(Number {
                digits: 3,
                base: 8,
                has_begun: true,
                is_byte: true,
            }),
            'x' => hex(2, true),
            'u' => hex(4, false),
            'U' => hex(8, false),
            _ => return None,
        })
    }
}

/// What an escape stands for.
enum Unit {
    Byte(u8),
    Char(char),
}

/// The bytes a string literal stands for; `None` if it is malformed.
pub fn unquote(text: &str) -> Option<Vec<u8>> {
    if let Some(raw) = text.strip_prefix('`') {
        let raw = raw.strip_suffix('`')?;
        return Some(raw.bytes().filter(|&b| b != b'\r').collect());
    }
    let mut rest = text.strip_prefix('"')?.strip_suffix('"')?;
    let mut out = Vec::with_capacity(rest.len());
    while !rest.is_empty() {
        let plain = memchr::memchr(b'\\', rest.as_bytes()).unwrap_or(rest.len());
        out.extend_from_slice(&rest.as_bytes()[..plain]);
        rest = &rest[plain..];
        if rest.is_empty() {
            break;
        }
        let (unit, after) = unescape(rest)?;
        rest = after;
        match unit {
            Unit::Byte(b) => out.push(b),
            Unit::Char(c) => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    Some(out)
}

/// The value of a rune literal; `None` if it is malformed.
pub fn unquote_rune(text: &str) -> Option<u32> {
    let inner = text.strip_prefix('\'')?.strip_suffix('\'')?;
    let (value, after) = if inner.starts_with('\\') {
        match unescape(inner)? {
            (Unit::Byte(b), after) => (u32::from(b), after),
            (Unit::Char(c), after) => (c as u32, after),
        }
    } else {
        let mut chars = inner.chars();
        (chars.next()? as u32, chars.as_str())
    };
    after.is_empty().then_some(value)
}

/// What the escape at the beginning of `text` stands for, and what follows it.
fn unescape(text: &str) -> Option<(Unit, &str)> {
    let mut chars = text.strip_prefix('\\')?.chars();
    let c = chars.next()?;
    let n = match Escape::of(c)? {
        Escape::Whole(c) => return Some((Unit::Char(c), chars.as_str())),
        Escape::Number(n) => n,
    };
    let mut value = if n.has_begun { c.to_digit(n.base)? } else { 0 };
    for _ in usize::from(n.has_begun)..n.digits {
        value = value.checked_mul(n.base)? + chars.next()?.to_digit(n.base)?;
    }
    let unit = if n.is_byte {
        Unit::Byte(u8::try_from(value).ok()?)
    } else {
        Unit::Char(char::from_u32(value)?)
    };
    Some((unit, chars.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings() {
        for (text, want) in [
            (r#""""#, Some(&b""[..])),
            (r#""plain""#, Some(b"plain")),
            (
                r#""\a\b\f\n\r\t\v\\\"""#,
                Some(b"\x07\x08\x0c\n\r\t\x0b\\\""),
            ),
            (
                r#""\377\xff\u00e9\U0001F600""#,
                Some(b"\xff\xff\xc3\xa9\xf0\x9f\x98\x80"),
            ),
            ("`a\\n\r`", Some(b"a\\n")),
            (r#""\400""#, None),
            (r#""\x+f""#, None),
            (r#""\ud800""#, None),
            (r#""\U11111111111""#, None),
            (r#""\"#, None),
            (r#""\q""#, None),
        ] {
            assert_eq!(unquote(text).as_deref(), want, "{text}");
        }
    }

    #[test]
    fn runes() {
        for (text, want) in [
            ("'a'", Some(97)),
            ("'é'", Some(0xe9)),
            (r"'\''", Some(39)),
            (r"'\377'", Some(255)),
            (r"'\xe9'", Some(0xe9)),
            (r"'\U0010FFFF'", Some(0x10FFFF)),
            ("''", None),
            ("'ab'", None),
            (r"'\nn'", None),
            (r"'\U00110000'", None),
        ] {
            assert_eq!(unquote_rune(text), want, "{text}");
        }
    }
}
