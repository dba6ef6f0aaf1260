//! The lines of a `go.mod` or `go.work`: words, in blocks or not.
//!
//! A word is what stands between blanks, a string between quotes, or one of `()[]{},`. A line whose
//! last word is `(` opens a block, which `)` on a line of its own closes.
//!
//! Go: golang.org/x/mod/modfile (read.go).

use std::fmt::{self, Display};

/// A line, without the block that it may stand in.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Statement<'t> {
    pub(super) at: Place,
    pub(super) verb: &'t str,
    /// As they are written, quotes included.
    pub(super) args: Vec<&'t str>,
}

/// Where something stands, both from 1; the column counts characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) line: usize,
    column: usize,
}

impl Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.column {
            1 => write!(f, "{}", self.line),
            column => write!(f, "{}:{column}", self.line),
        }
    }
}

/// Something wrong in a file, and where it is.
pub(super) type Wrong = (Place, String);

/// The statements of a text of which those with a verb of `blocks` may stand in blocks; `wrong` is
/// told of other blocks. Fails where there are no words or lines to be found, of a file that is
/// called `name`.
pub(super) fn statements<'t>(
    text: &'t str,
    name: &str,
    blocks: &[&str],
    wrong: &mut dyn FnMut(Place, String),
) -> Result<Vec<Statement<'t>>, Wrong> {
    let mut found = Vec::new();
    // The block that is open: where it began, and its verb if it is one that there is.
    let mut block: Option<(Place, Option<&str>)> = None;
    let mut last = Place { line: 1, column: 1 };
    let count = text.split('\n').count();
    for (number, text) in text.split('\n').enumerate() {
        let (words, end) = words(text, number + 1, number + 1 == count)?;
        last = end;
        let Some(&(at, first)) = words.first() else {
            continue;
        };
        let texts: Vec<&str> = words.iter().map(|word| word.1).collect();
        match block {
            Some(_) if first == ")" => {
                if let Some(&(at, word)) = words.get(1) {
                    let column = at.column + word.chars().count();
                    let at = Place { column, ..at };
                    return Err((
                        at,
                        "syntax error (expected newline after closing paren)".into(),
                    ));
                }
                block = None;
            }
            Some((_, verb)) => found.extend(verb.map(|verb| Statement {
                at,
                verb,
                args: texts,
            })),
            None => {
                let head = match texts[..] {
                    [ref head @ .., "("] if !head.is_empty() => Some((head, true)),
                    [ref head @ .., "(", ")"] if !head.is_empty() => Some((head, false)),
                    _ => None,
                };
                let Some((head, is_open)) = head else {
                    found.push(Statement {
                        at,
                        verb: first,
                        args: texts[1..].to_vec(),
                    });
                    continue;
                };
                let is_known = head.len() == 1 && blocks.contains(&first);
                if !is_known {
                    wrong(at, format!("unknown block type: {}", head.join(" ")));
                }
                if is_open {
                    block = Some((at, is_known.then_some(first)));
                }
            }
        }
    }
    match block {
        None => Ok(found),
        Some((Place { line, column }, _)) => {
            let name = std::path::absolute(name).map_or(name.into(), |p| p.display().to_string());
            let begin = format!("{name}:{line}:{column}");
            let text = format!("syntax error (unterminated block started at {begin})");
            Err((last, text))
        }
    }
}

/// Words, each with its place, and the place behind the last one.
type Words<'t> = (Vec<(Place, &'t str)>, Place);

/// The words of a line.
fn words(text: &str, line: usize, is_last: bool) -> Result<Words<'_>, Wrong> {
    let mut found = Vec::new();
    let (mut at, mut column) = (0, 1);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let place = Place { line, column };
        let length = match c {
            ' ' | '\t' | '\r' => {
                at += 1;
                column += 1;
                continue;
            }
            _ if rest.starts_with("//") => {
                column += rest.chars().count();
                break;
            }
            '(' | ')' | '[' | ']' | '{' | '}' | ',' => 1,
            '"' | '`' => match string(rest) {
                Some(length) => length,
                None if is_last => return Err((place, "unexpected EOF in string".into())),
                None => {
                    let column = column + rest.chars().count();
                    return Err((
                        Place { line, column },
                        "unexpected newline in string".into(),
                    ));
                }
            },
            _ => {
                let ends = |(i, c): &(usize, char)| {
                    !is_of_word(*c) || rest[*i..].starts_with("//") || rest[*i..].starts_with("/*")
                };
                let end = rest
                    .char_indices()
                    .find(ends)
                    .map_or(rest.len(), |(i, _)| i);
                if rest[end..].starts_with("/*") {
                    let column = column + rest[..end].chars().count();
                    let why = "mod files must use // comments (not /* */ comments)";
                    return Err((Place { line, column }, why.into()));
                }
                if end == 0 {
                    return Err((place, format!("unexpected input character {}", quoted(c))));
                }
                end
            }
        };
        found.push((place, &rest[..length]));
        at += length;
        column += rest[..length].chars().count();
    }
    Ok((found, Place { line, column }))
}

/// The length of the string that a text begins with, if it ends.
fn string(text: &str) -> Option<usize> {
    let mut chars = text.char_indices();
    let (_, quote) = chars.next()?;
    while let Some((at, c)) = chars.next() {
        if c == quote {
            return Some(at + 1);
        }
        if c == '\\' && quote == '"' {
            chars.next();
        }
    }
    None
}

/// May a character stand in a word?
fn is_of_word(c: char) -> bool {
    let is_format = matches!(
        c,
        '\u{ad}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e000}'..='\u{f8ff}' | '\u{e0001}'..='\u{e007f}'
            | '\u{f0000}'..
    );
    !is_format && !c.is_control() && !c.is_whitespace() && !"()[]{},".contains(c)
}

/// A character that cannot be printed, as Go shows it.
fn quoted(c: char) -> String {
    match c as u32 {
        7 => r"'\a'".into(),
        8 => r"'\b'".into(),
        11 => r"'\v'".into(),
        12 => r"'\f'".into(),
        n @ ..=0x7f => format!(r"'\x{n:02x}'"),
        n @ ..=0xffff => format!(r"'\u{n:04x}'"),
        n => format!(r"'\U{n:08x}'"),
    }
}

/// What a word means: quotes may be around it. The error is Go's.
pub(super) fn unquoted(word: &str) -> Result<String, &'static str> {
    let Some(rest) = word.strip_prefix('"') else {
        return match word.contains(['"', '\'', '`']) {
            true => Err("unquoted string cannot contain quote"),
            false => Ok(word.to_string()),
        };
    };
    let wrong = "invalid syntax";
    let mut text = rest.strip_suffix('"').ok_or(wrong)?;
    let mut out = Vec::new();
    while let Some(at) = text.find('\\') {
        out.extend(text[..at].bytes());
        let c = text[at + 1..].chars().next().ok_or(wrong)?;
        text = &text[at + 1 + c.len_utf8()..];
        let (digits, radix) = match c {
            'x' => (2, 16),
            'u' => (4, 16),
            'U' => (8, 16),
            '0'..='7' => (2, 8),
            _ => (0, 10),
        };
        let number = text.get(..digits).ok_or(wrong)?;
        text = &text[digits..];
        let number = u32::from_str_radix(number, radix);
        match c {
            'a' => out.push(7),
            'b' => out.push(8),
            't' => out.push(9),
            'n' => out.push(10),
            'v' => out.push(11),
            'f' => out.push(12),
            'r' => out.push(13),
            '\\' | '"' => out.push(c as u8),
            'x' => out.push(number.map_err(|_| wrong)? as u8),
            'u' | 'U' => {
                let c = number.ok().and_then(char::from_u32).ok_or(wrong)?;
                out.extend(c.encode_utf8(&mut [0; 4]).bytes());
            }
            '0'..='7' => {
                let value = number.map_err(|_| wrong)? + 64 * (c as u32 - '0' as u32);
                out.push(u8::try_from(value).map_err(|_| wrong)?);
            }
            _ => return Err(wrong),
        }
    }
    out.extend(text.bytes());
    Ok(String::from_utf8_lossy(&out).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<String>, String> {
        let mut wrong = Vec::new();
        let found = statements(text, "go.mod", &["require"], &mut |at, why| {
            wrong.push(format!("{at} {why}"));
        });
        let line = |s: Statement| format!("{} {} {}", s.at, s.verb, s.args.join("|"));
        match found {
            Ok(found) if wrong.is_empty() => Ok(found.into_iter().map(line).collect()),
            Ok(_) => Err(wrong.join(";")),
            Err((at, why)) => Err(format!("{at} {why}")),
        }
    }

    #[test]
    fn lines_are_words_in_blocks() {
        let text = "module a // c\n\nrequire (\n\tb v1 //x\n)\nrequire ( )\nretract [a,\"b c\"]";
        let want = [
            "1 module a",
            "4:2 require b|v1",
            "7 retract [|a|,|\"b c\"|]",
        ];
        assert_eq!(read(text).unwrap(), want);
        for (text, want) in [
            ("a (\nb\n)", "1 unknown block type: a"),
            ("require x (\n)", "1 unknown block type: require x"),
            (
                "require (\n) x\n",
                "2:4 syntax error (expected newline after closing paren)",
            ),
            (
                "a /* b */",
                "1:3 mod files must use // comments (not /* */ comments)",
            ),
            ("a \"b\nc", "1:5 unexpected newline in string"),
            ("a \"b", "1:3 unexpected EOF in string"),
            ("a \u{1}", "1:3 unexpected input character '\\x01'"),
            ("\u{feff}a", "1 unexpected input character '\\ufeff'"),
        ] {
            assert_eq!(read(text).unwrap_err(), want, "{text}");
        }
    }

    #[test]
    fn quotes_are_taken_off() {
        assert_eq!(unquoted(r#""a\x41\102\u00e9\n""#).unwrap(), "aAB\u{e9}\n");
        for bad in ["a'b", "`a`", r#""\'""#, r#""\x4""#, "\""] {
            assert!(unquoted(bad).is_err(), "{bad}");
        }
    }
}
