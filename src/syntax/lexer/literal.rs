//! Names, literals and comments: what a token rule alone cannot check.
//!
//! Each function is called when the first characters of its token have been matched; it takes the
//! rest, reports what is wrong inside, and says what the token is. Literals are matched leniently,
//! so that one mistake is one error.
//!
//! Spec: Comments, Identifiers, Integer literals … String literals.
//! Go: cmd/compile/internal/syntax/scanner.go.

use super::directive::Directive;
use super::token::Tok;
use crate::ast::LitKind;
use crate::ast::literal::Escape;
use logos::{FilterResult, Lexer, Logos};
use source::{Pos, Symbol};

type Lex<'s> = Lexer<'s, Tok>;

fn error(lex: &mut Lex<'_>, offset: usize, message: impl Into<String>) {
    lex.extras.errors.push((offset as u32, message.into()));
}

/// `U+00AB '«'`, as Go's `%#U` prints it.
pub(super) fn unicode_name(c: char) -> String {
    if c.is_control() || (c.is_whitespace() && c != ' ') || c == '\u{FEFF}' {
        format!("U+{:04X}", c as u32)
    } else {
        format!("U+{:04X} '{c}'", c as u32)
    }
}

/// Character classes of identifiers beyond ASCII.
#[derive(Logos, PartialEq)]
enum NameChar {
    #[regex(r"[\p{L}]")]
    Letter,
    #[regex(r"[\p{Nd}]")]
    Digit,
}

pub(super) fn name(lex: &mut Lex<'_>) -> Symbol {
    let text = lex.slice();
    let start = lex.span().start;
    let mut checked = String::new();
    if !text.is_ascii() {
        for (i, c) in text.char_indices() {
            if c.is_ascii() {
                checked.push(c);
                continue;
            }
            match NameChar::lexer(&text[i..]).next() {
                // Reported where the whole text is looked at.
                _ if c == '\u{FEFF}' => continue,
                Some(Ok(NameChar::Letter)) => {}
                Some(Ok(NameChar::Digit)) if i > 0 => {}
                Some(Ok(NameChar::Digit)) => {
                    let message = format!("identifier cannot begin with digit {}", unicode_name(c));
                    error(lex, start + i, message);
                }
                _ => {
                    let message = format!("invalid character {} in identifier", unicode_name(c));
                    error(lex, start + i, message);
                }
            }
            checked.push(c);
        }
        return Symbol::new(&checked);
    }
    Symbol::new(text)
}

// ---- comments

pub(super) fn line_comment(lex: &mut Lex<'_>) -> logos::Skip {
    let rest = lex.remainder();
    let len = memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
    let text = rest[..len].strip_suffix('\r').unwrap_or(&rest[..len]);
    let start = lex.span().start;
    let line_start = start == 0 || lex.source().as_bytes()[start - 1] == b'\n';
    if text.starts_with("go:") || (text.starts_with("line ") && line_start) {
        let base = lex.extras.base;
        lex.extras.directives.push(Directive {
            pos: Pos(base + start as u32),
            after: Pos(base + (start + 2 + len + 1) as u32),
            text: text.to_string(),
        });
    }
    lex.bump(len);
    logos::Skip
}

/// Emits a token if the comment spans lines.
pub(super) fn block_comment(lex: &mut Lex<'_>) -> FilterResult<(), ()> {
    let rest = lex.remainder();
    let Some(len) = memchr::memmem::find(rest.as_bytes(), b"*/") else {
        let start = lex.span().start;
        let len = rest.len();
        error(lex, start, "comment not terminated");
        lex.bump(len);
        return FilterResult::Skip;
    };
    let text = &rest[..len];
    if text.starts_with("line ") {
        let start = lex.span().start;
        let base = lex.extras.base;
        lex.extras.directives.push(Directive {
            pos: Pos(base + start as u32),
            after: Pos(base + (start + len + 4) as u32),
            text: text.to_string(),
        });
    }
    lex.bump(len + 2);
    if memchr::memchr(b'\n', text.as_bytes()).is_some() {
        FilterResult::Emit(())
    } else {
        FilterResult::Skip
    }
}

// ---- strings and runes

/// Literal tokens are `Lit`; one with an error becomes `BadLit` by this list in the scanner.
fn literal(lex: &mut Lex<'_>, kind: LitKind, ok: bool) -> LitKind {
    if !ok {
        let start = lex.span().start as u32;
        lex.extras.bad_literals.push(start);
    }
    kind
}

pub(super) fn raw_string(lex: &mut Lex<'_>) -> LitKind {
    let rest = lex.remainder();
    match memchr::memchr(b'`', rest.as_bytes()) {
        Some(len) => {
            lex.bump(len + 1);
            LitKind::String
        }
        None => {
            let start = lex.span().start;
            lex.bump(rest.len());
            error(lex, start, "string not terminated");
            literal(lex, LitKind::String, false)
        }
    }
}

pub(super) fn string(lex: &mut Lex<'_>) -> LitKind {
    let rest = lex.remainder();
    let bytes = rest.as_bytes();
    let start = lex.span().start;
    let mut i = 0;
    let mut ok = true;
    loop {
        match memchr::memchr3(b'"', b'\\', b'\n', &bytes[i..]) {
            None => {
                i = bytes.len();
                error(lex, start, "string not terminated");
                ok = false;
                break;
            }
            Some(n) => i += n,
        }
        match bytes[i] {
            b'"' => {
                i += 1;
                break;
            }
            b'\n' => {
                error(lex, start + 1 + i, "newline in string");
                ok = false;
                break;
            }
            _ => {
                let (next, fine) = escape(lex, rest, i + 1, start + 1, '"');
                i = next;
                ok &= fine;
            }
        }
    }
    lex.bump(i);
    literal(lex, LitKind::String, ok)
}

pub(super) fn rune(lex: &mut Lex<'_>) -> LitKind {
    let rest = lex.remainder();
    let start = lex.span().start;
    let mut i = 0;
    let mut count = 0;
    let mut ok = true;
    loop {
        match rest[i..].chars().next() {
            Some('\'') => {
                if ok && count == 0 {
                    error(lex, start + 1, "empty rune literal or unescaped '");
                    ok = false;
                } else if ok && count != 1 {
                    error(lex, start, "more than one character in rune literal");
                    ok = false;
                }
                i += 1;
                break;
            }
            Some('\\') => {
                let (next, fine) = escape(lex, rest, i + 1, start + 1, '\'');
                i = next;
                ok &= fine;
            }
            Some('\n') => {
                if ok {
                    error(lex, start + 1 + i, "newline in rune literal");
                    ok = false;
                }
                break;
            }
            None => {
                if ok {
                    error(lex, start, "rune literal not terminated");
                    ok = false;
                }
                break;
            }
            Some(c) => i += c.len_utf8(),
        }
        count += 1;
    }
    lex.bump(i);
    literal(lex, LitKind::Char, ok)
}

/// Checks the escape whose first character after the backslash is at `i` of `rest`, which begins at
/// offset `origin`. Returns where it ends and whether it is right. The end of the text is left for
/// the caller to complain about.
fn escape(
    lex: &mut Lex<'_>,
    rest: &str,
    mut i: usize,
    origin: usize,
    quote: char,
) -> (usize, bool) {
    let Some(c) = rest[i..].chars().next() else {
        return (i, true);
    };
    let is_other_quote = c != quote && matches!(c, '\'' | '"');
    let Some(escape) = Escape::of(c).filter(|_| !is_other_quote) else {
        error(lex, origin + i, "unknown escape");
        return (i, false);
    };
    let Escape::Number(number) = escape else {
        return (i + 1, true);
    };
    let base = number.base;
    let max = if number.is_byte { 255 } else { 0x10FFFF };
    if !number.has_begun {
        i += 1;
    }
    let mut value = 0u32;
    for _ in 0..number.digits {
        let Some(c) = rest[i..].chars().next() else {
            return (i, true);
        };
        let Some(d) = c.to_digit(base) else {
            let message = format!(
                "invalid character {} in {} escape",
                quoted(c),
                base_name(base)
            );
            error(lex, origin + i, message);
            return (i, false);
        };
        value = value.wrapping_mul(base).wrapping_add(d);
        i += 1;
    }
    if value > max && base == 8 {
        error(lex, origin + i, format!("octal escape value {value} > 255"));
        return (i, false);
    }
    if value > max || (0xD800..0xE000).contains(&value) {
        let shown = match char::from_u32(value) {
            Some(c) => unicode_name(c),
            None => format!("U+{value:04X}"),
        };
        error(
            lex,
            origin + i,
            format!("escape is invalid Unicode code point {shown}"),
        );
        return (i, false);
    }
    (i, true)
}

/// As Go's `%q` prints a rune.
fn quoted(c: char) -> String {
    match c {
        '\'' => r"'\''".to_string(),
        '\\' => r"'\\'".to_string(),
        '\n' => r"'\n'".to_string(),
        '\t' => r"'\t'".to_string(),
        '\r' => r"'\r'".to_string(),
        '\u{7}' => r"'\a'".to_string(),
        '\u{8}' => r"'\b'".to_string(),
        '\u{b}' => r"'\v'".to_string(),
        '\u{c}' => r"'\f'".to_string(),
        c if c.is_control() && (c as u32) < 0x80 => format!(r"'\x{:02x}'", c as u32),
        c => format!("'{c}'"),
    }
}

fn base_name(base: u32) -> &'static str {
    match base {
        2 => "binary",
        8 => "octal",
        10 => "decimal",
        _ => "hexadecimal",
    }
}

// ---- numbers

/// The digits and separators from `i` on.
struct Digits {
    end: usize,
    any: bool,
    separated: bool,
}

fn digits(bytes: &[u8], mut i: usize, base: u32, invalid: &mut Option<usize>) -> Digits {
    let mut d = Digits {
        end: i,
        any: false,
        separated: false,
    };
    while let Some(&b) = bytes.get(i) {
        match b {
            b'_' => d.separated = true,
            b'0'..=b'9' => {
                d.any = true;
                if u32::from(b - b'0') >= base && invalid.is_none() {
                    *invalid = Some(i);
                }
            }
            b'a'..=b'f' | b'A'..=b'F' if base == 16 => d.any = true,
            _ => break,
        }
        i += 1;
    }
    d.end = i;
    d
}

pub(super) fn number(lex: &mut Lex<'_>) -> LitKind {
    let start = lex.span().start;
    let source = lex.source();
    let bytes = &source.as_bytes()[start..];
    let mut problem: Option<(usize, String)> = None;
    let mut kind = LitKind::Int;
    let mut prefix = 0u8;
    let mut base = 10;
    let mut any = false;
    let mut separated = false;
    let mut invalid = None;
    let mut i = 0;
    let mut point = bytes[0] == b'.';
    if point {
        i = 1;
    } else {
        if bytes[0] == b'0' {
            (base, prefix) = match bytes.get(1).map(u8::to_ascii_lowercase) {
                Some(b'x') => (16, b'x'),
                Some(b'o') => (8, b'o'),
                Some(b'b') => (2, b'b'),
                _ => (8, b'0'),
            };
            any = prefix == b'0';
            i = if any { 1 } else { 2 };
        }
        let d = digits(bytes, i, base, &mut invalid);
        i = d.end;
        any |= d.any;
        separated |= d.separated;
        if bytes.get(i) == Some(&b'.') {
            if prefix == b'o' || prefix == b'b' {
                let message = format!("invalid radix point in {} literal", base_name(base));
                problem = Some((i, message));
            }
            i += 1;
            point = true;
        }
    }
    if point {
        kind = LitKind::Float;
        let d = digits(bytes, i, base, &mut invalid);
        i = d.end;
        any |= d.any;
        separated |= d.separated;
    }
    if !any && problem.is_none() {
        problem = Some((i, format!("{} literal has no digits", base_name(base))));
    }
    match bytes.get(i) {
        Some(&e @ (b'e' | b'E' | b'p' | b'P')) => {
            let decimal = e | 0x20 == b'e';
            let fits = if decimal {
                prefix == 0 || prefix == b'0'
            } else {
                prefix == b'x'
            };
            if !fits && problem.is_none() {
                let mantissa = if decimal { "decimal" } else { "hexadecimal" };
                let message = format!("'{}' exponent requires {mantissa} mantissa", e as char);
                problem = Some((i, message));
            }
            i += 1;
            kind = LitKind::Float;
            if matches!(bytes.get(i), Some(b'+' | b'-')) {
                i += 1;
            }
            let d = digits(bytes, i, 10, &mut None);
            i = d.end;
            separated |= d.separated;
            if !d.any && problem.is_none() {
                problem = Some((i, "exponent has no digits".to_string()));
            }
        }
        _ if prefix == b'x' && kind == LitKind::Float && problem.is_none() => {
            let message = "hexadecimal mantissa requires a 'p' exponent".to_string();
            problem = Some((i, message));
        }
        _ => {}
    }
    if bytes.get(i) == Some(&b'i') {
        kind = LitKind::Imag;
        i += 1;
    }
    if let (LitKind::Int, Some(at), None) = (kind, invalid, &problem) {
        let message = format!(
            "invalid digit '{}' in {} literal",
            bytes[at] as char,
            base_name(base)
        );
        problem = Some((at, message));
    }
    if separated
        && problem.is_none()
        && let Some(at) = misplaced_separator(&bytes[..i])
    {
        problem = Some((at, "'_' must separate successive digits".to_string()));
    }
    let matched = lex.span().end - start;
    lex.bump(i - matched);
    let ok = problem.is_none();
    if let Some((at, message)) = problem {
        error(lex, start + at, message);
    }
    literal(lex, kind, ok)
}

/// The first `_` that does not stand between two digits (a base prefix counts as one).
fn misplaced_separator(text: &[u8]) -> Option<usize> {
    let prefixed =
        text.len() >= 2 && text[0] == b'0' && matches!(text[1] | 0x20, b'x' | b'o' | b'b');
    let hex = prefixed && text[1] | 0x20 == b'x';
    let is_digit = |b: u8| b.is_ascii_digit() || hex && b.is_ascii_hexdigit();
    let first = if prefixed { 2 } else { 0 };
    let mut previous = if prefixed { b'0' } else { b'.' };
    for (i, &b) in text.iter().enumerate().skip(first) {
        if b == b'_' {
            if previous != b'0' {
                return Some(i);
            }
            previous = b'_';
        } else if is_digit(b) {
            previous = b'0';
        } else {
            if previous == b'_' {
                return Some(i - 1);
            }
            previous = b'.';
        }
    }
    (previous == b'_').then(|| text.len() - 1)
}
