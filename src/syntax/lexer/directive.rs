//! Comments that mean something: `//line`, `/*line`, `//go:`.
//!
//! Spec: none; they are the compiler's. Go: cmd/compile/internal/syntax/parser.go, updateBase.

use crate::diagnostics::Diagnostics;
use source::{LineDirective, Pos, SourceFile};

/// One directive, without the comment marks.
#[derive(Clone, Debug)]
pub struct Directive {
    /// Position of the comment.
    pub pos: Pos,
    /// Position of what follows the comment (for `//`, the next line).
    pub after: Pos,
    /// `line f.go:10` or `go:noinline`.
    pub text: String,
}

/// Enters the `//line` directives into the file's table; reports malformed numbers.
pub(crate) fn apply_lines(
    file: &'static SourceFile,
    directives: &[Directive],
    diagnostics: &mut Diagnostics,
) {
    let mut table = Vec::new();
    for d in directives {
        let Some(args) = d.text.strip_prefix("line ") else {
            continue;
        };
        match parse_line(args) {
            Ok(None) => {}
            Ok(Some((name, line, column))) => {
                let name = match name {
                    "" if column > 0 => table
                        .last()
                        .map_or_else(|| file.name.clone(), |d: &LineDirective| d.file.clone()),
                    "" => String::new(),
                    name => beside(&file.name, name),
                };
                table.push(LineDirective {
                    offset: d.after.0 - file.base,
                    file: name,
                    line,
                    column,
                });
            }
            Err((at, message)) => {
                diagnostics.error(d.pos.offset(2 + 5 + at as u32), message);
            }
        }
    }
    *file.directives.write().unwrap() = table;
}

/// A relative name in a directive is relative to the folder of the file that holds it.
fn beside(file: &str, name: &str) -> String {
    let clean = clean(name);
    match file.rfind('/') {
        Some(i) if !clean.starts_with('/') => format!("{}/{}", &file[..i], clean),
        _ => clean,
    }
}

/// The shortest equal path: no `.`, no `x/..`, no doubled slash.
fn clean(path: &str) -> String {
    let rooted = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|&p| p != "..") => {
                parts.pop();
            }
            ".." if rooted => {}
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    match (rooted, joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) => ".".to_string(),
        (false, false) => joined,
    }
}

const MAX: u64 = 1 << 30;

/// Name, line, column (0: none); or where the mistake is, and Go's words for it.
#[allow(clippy::type_complexity)]
fn parse_line(text: &str) -> Result<Option<(&str, u32, u32)>, (usize, String)> {
    let Some((i, n)) = trailing_number(text) else {
        return Ok(None);
    };
    let bad_line = |i: usize| (i, format!("invalid line number: {}", &text[i..]));
    let Some(n) = n else {
        return Err(bad_line(i));
    };
    if let Some((i2, Some(n2))) = trailing_number(&text[..i - 1]) {
        if n == 0 || n > MAX {
            return Err((i, format!("invalid column number: {}", &text[i..])));
        }
        if n2 == 0 || n2 > MAX {
            return Err((i2, format!("invalid line number: {}", &text[i2..i - 1])));
        }
        return Ok(Some((&text[..i2 - 1], n2 as u32, n as u32)));
    }
    if n == 0 || n > MAX {
        return Err(bad_line(i));
    }
    Ok(Some((&text[..i - 1], n as u32, 0)))
}

/// The index after the last colon, and the number there.
fn trailing_number(text: &str) -> Option<(usize, Option<u64>)> {
    let i = text.rfind(':')? + 1;
    let digits = &text[i..];
    let number = digits
        .bytes()
        .all(|b| b.is_ascii_digit())
        .then(|| digits.parse().ok())
        .flatten();
    Some((i, number))
}
