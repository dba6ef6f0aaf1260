//! Errors as text for people.
//!
//! One line each, `file:line:col: message`, as Go's compiler prints them. On a terminal the source
//! line follows, with a caret below the place; into a pipe or a file goes Go's form alone, so that
//! tools which read it keep working.
//!
//! Go: cmd/compile/internal/base/print.go.

use super::Diagnostics;
use crate::lexer;
use source::{self, Pos};
use std::fmt::Write;
use unicode_width::UnicodeWidthChar;

/// How many errors are shown unless all are asked for.
pub const SHOWN: usize = 10;

/// The first column that is not shown.
const MAX_COLUMN: u32 = 255;

/// How much of a source line is shown before and after the caret, in characters.
const BEFORE: usize = 70;
const AFTER: usize = 50;

/// How to show errors.
#[derive(Clone, Copy, Default, Debug)]
pub struct Style {
    /// Source lines and carets.
    pub carets: bool,
    /// Colours; only with carets.
    pub colors: bool,
    /// No limit.
    pub all: bool,
}

/// The text for errors: each ends in a newline; "too many errors" where the list was cut.
pub fn render(list: Diagnostics, style: Style) -> String {
    let mut out = String::new();
    let (list, cut) = list.shown(if style.all { usize::MAX } else { SHOWN });
    for d in list {
        let _ = writeln!(out, "{}: {}", place(d.pos), printable(&d.message));
        if style.carets {
            out.push_str(&excerpt(d.pos, style.colors));
            if let Some(help) = d.help {
                let _ = writeln!(out, "    help: {help}");
            }
        }
    }
    if let Some(pos) = cut {
        let _ = writeln!(out, "{}: too many errors", place(pos));
    }
    out
}

/// A place as the compiler shows it: columns that its positions cannot hold are left out.
///
/// Go: cmd/internal/src/pos.go, colMax.
pub fn place(pos: Pos) -> source::Position {
    let mut place = source::map().position(pos);
    if place.column >= MAX_COLUMN {
        place.column = 0;
    }
    place
}

/// Where the token at `pos` ends; `pos` itself if there is none.
pub fn end_of_token(pos: Pos) -> Pos {
    let rest = source::map().file(pos).and_then(|file| {
        let offset = (pos.0 - file.base) as usize;
        file.text.get(offset..)
    });
    Pos(pos.0 + rest.map_or(0, lexer::first_token) as u32)
}

/// A message quotes program text: keep control characters from the terminal.
fn printable(message: &str) -> String {
    let clean = |c: char| match c {
        '\n' | '\t' => c,
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    message.chars().map(clean).collect()
}

/// The line of `pos` and a caret below it; empty where there is none to show.
///
/// It is the line as it stands in the file, whatever `//line` directives make of its number.
fn excerpt(pos: Pos, colors: bool) -> String {
    let Some(file) = source::map().file(pos) else {
        return String::new();
    };
    let offset = (pos.0 - file.base) as usize;
    let bytes = file.text.as_bytes();
    let Some(before) = bytes.get(..offset) else {
        return String::new();
    };
    let start = memchr::memrchr(b'\n', before).map_or(0, |i| i + 1);
    let end = memchr::memchr(b'\n', &bytes[offset..]).map_or(bytes.len(), |i| offset + i);
    let (Some(left), Some(right)) = (file.text.get(start..offset), file.text.get(offset..end))
    else {
        return String::new();
    };
    // Long lines are cut on both sides; walking back over characters, not over the whole line.
    let from = left
        .char_indices()
        .rev()
        .nth(BEFORE - 1)
        .map_or(0, |(i, _)| i);
    let to = right
        .char_indices()
        .nth(AFTER)
        .map_or(right.len(), |(i, _)| i);
    let (left, right) = (&left[from..], right[..to].trim_end());
    let mut line = String::new();
    let mut padding = String::new();
    if from > 0 {
        line.push('…');
        padding.push(' ');
    }
    for c in left.chars() {
        match c {
            '\t' => {
                line.push('\t');
                padding.push('\t');
            }
            c => {
                let c = visible(c);
                line.push(c);
                padding.extend(std::iter::repeat_n(' ', c.width().unwrap_or(0)));
            }
        }
    }
    line.extend(
        right
            .chars()
            .map(|c| if c == '\t' { c } else { visible(c) }),
    );
    if from_end(right, to, end - offset) {
        line.push('…');
    }
    let (on, off) = if colors {
        ("\x1b[1;31m", "\x1b[0m")
    } else {
        ("", "")
    };
    format!("    {line}\n    {padding}{on}^{off}\n")
}

/// Was the right part of a line cut short?
fn from_end(right: &str, cut: usize, len: usize) -> bool {
    cut < len && right.len() >= cut.saturating_sub(1)
}

fn visible(c: char) -> char {
    if c.is_control() { '\u{FFFD}' } else { c }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str, needle: &str, style: Style) -> String {
        let file = source::map().add("f.go", "/f.go", text.to_string());
        let pos = Pos(file.base + text.find(needle).unwrap() as u32);
        let mut list = Diagnostics::new();
        list.error(pos, "wrong");
        render(list, style)
    }

    const CARETS: Style = Style {
        carets: true,
        colors: false,
        all: false,
    };

    #[test]
    fn pipes_get_gos_form() {
        let text = at("package p\nvar x = )\n", ")", Style::default());
        assert_eq!(text, "f.go:2:9: wrong\n");
    }

    #[test]
    fn caret_is_below_the_place() {
        let text = at("package p\n\tvar 界 = )\n", ")", CARETS);
        assert_eq!(
            text,
            "f.go:2:12: wrong\n    \tvar 界 = )\n    \t         ^\n"
        );
    }

    #[test]
    fn end_of_file_has_a_caret_too() {
        let text = at("package p\nvar x = §", "§", CARETS);
        assert!(text.ends_with("    var x = §\n            ^\n"), "{text}");
    }

    #[test]
    fn long_lines_are_cut() {
        let line = format!("{})_{}", "a".repeat(1000), "b".repeat(1000));
        let text = at(&line, ")", CARETS);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[1].find(')'), lines[2].find('^').map(|i| i + 2));
        assert!(lines[1].chars().count() < 130, "{text}");
    }

    #[test]
    fn ten_are_shown() {
        let file = source::map().add("g.go", "/g.go", "x\n".repeat(20));
        let list = |n: u32| {
            let mut errors = Diagnostics::new();
            for i in (0..n).rev() {
                errors.error(Pos(file.base + 2 * i), "wrong");
            }
            errors
        };
        let text = render(list(20), Style::default());
        assert_eq!(text.lines().count(), 11);
        // The first ten reported, though they are the last in the file.
        assert!(text.starts_with("g.go:11:1: wrong\n"), "{text}");
        assert!(
            text.ends_with("g.go:20:1: wrong\ng.go:11:1: too many errors\n"),
            "{text}"
        );
        // Go says so as soon as the tenth is met.
        assert_eq!(render(list(10), Style::default()).lines().count(), 11);
        assert_eq!(render(list(9), Style::default()).lines().count(), 9);
        let all = Style {
            all: true,
            ..Style::default()
        };
        assert_eq!(render(list(20), all).lines().count(), 20);
    }
}
