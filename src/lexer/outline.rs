//! Where the declarations of a file stand, found line by line, without lexing.
//!
//! The standard library declares much, and a program reaches little of it: names are all that is needed of the rest. Items of an
//! outline are functions, methods, types, and constants that have a value of their own. Imports, variables, groups of types,
//! and constants that `iota` or the line above makes lie in the ranges between.
//!
//! The text must be as gofmt leaves it: what begins a line at the left margin is a declaration's first keyword, a comment, or the
//! bracket that ends a declaration.
//!
//! Spec: Declarations and scope.

use memchr::{memchr, memmem};
use std::ops::Range;

/// A declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    pub kind: ItemKind,
    pub name: &'static str,
    /// Offset of the name.
    pub name_at: usize,
    /// From the keyword, of a constant from the name, to the end of the declaration's last line, the newline excluded.
    pub range: Range<usize>,
}

/// What an item declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ItemKind {
    Func,
    /// On the type `base` or, if `is_pointer`, a pointer to it.
    Method {
        is_pointer: bool,
        base: &'static str,
    },
    Type {
        is_alias: bool,
    },
    /// A line of the const declaration that begins at `group`, and its number there.
    Const {
        group: usize,
        iota: u32,
    },
}

/// The items of a text, and the ranges of lines between them that hold more than comments.
#[derive(Debug, Default)]
pub struct Outline {
    pub items: Vec<Item>,
    pub between: Vec<Range<usize>>,
}

/// Outlines a text.
pub fn of(text: &'static str) -> Outline {
    let mut outline = Outline::default();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < text.len() {
        let end = line_end(bytes, at);
        match bytes[at] {
            b'f' | b't' => {
                if let Some(item) = item(text, at, end) {
                    at = item.range.end + 1;
                    outline.items.push(item);
                    continue;
                }
            }
            b'c' => {
                let end = declaration_end(bytes, at, end);
                if constants(text, at..end, &mut outline.items) {
                    at = end + 1;
                    continue;
                }
            }
            // Between declarations: what is inside of one never begins a line so.
            b'\n' => {
                at += 1;
                continue;
            }
            b'/' if bytes[at..].starts_with(b"//") => {
                at = end + 1;
                continue;
            }
            _ => {}
        }
        let end = declaration_end(bytes, at, end);
        let next = (end + 1).min(text.len());
        match outline.between.last_mut() {
            Some(last) if last.end == at => last.end = next,
            _ => outline.between.push(at..next),
        }
        at = next;
    }
    outline
}

/// The item whose first line is `start..end`, if it is one.
fn item(text: &'static str, start: usize, end: usize) -> Option<Item> {
    let line = &text[start..end];
    let (kind, name) = if let Some(rest) = line.strip_prefix("func ") {
        match rest.strip_prefix('(') {
            None => (ItemKind::Func, word(rest)),
            Some(rest) => {
                let (recv, rest) = rest.split_once(") ")?;
                let typ = recv.split_once(' ').map_or(recv, |(_, typ)| typ);
                let base = word(typ.trim_start_matches('*'));
                let is_pointer = typ.starts_with('*');
                (ItemKind::Method { is_pointer, base }, word(rest))
            }
        }
    } else {
        let rest = line.strip_prefix("type ")?;
        let name = word(rest);
        let is_alias = rest[name.len()..].starts_with(" = ");
        (ItemKind::Type { is_alias }, name)
    };
    if name.is_empty() {
        return None;
    }
    Some(Item {
        kind,
        name,
        name_at: name.as_ptr().addr() - text.as_ptr().addr(),
        range: start..declaration_end(text.as_bytes(), start, end),
    })
}

/// Takes the const declaration apart that lies in a range, if each of its lines is one name and its value.
fn constants(text: &'static str, range: Range<usize>, items: &mut Vec<Item>) -> bool {
    let declaration = &text[range.clone()];
    if memmem::find(declaration.as_bytes(), b"iota").is_some() {
        return false;
    }
    let Some(lines) = declaration.strip_prefix("const ") else {
        return false;
    };
    let before = items.len();
    let mut line_at = range.start + "const ".len();
    let is_group = lines.starts_with('(');
    for line in lines.split('\n') {
        let at = line_at;
        line_at += line.len() + 1;
        let inner = line.trim_start_matches('\t');
        if is_group && (inner.is_empty() || inner.starts_with("//") || matches!(line, "(" | ")")) {
            continue;
        }
        let name = word(inner);
        let rest = inner[name.len()..].trim_start_matches(' ');
        let is_one_line = is_group == (line.len() - inner.len() == 1);
        if !is_one_line || name.is_empty() || !rest.contains("= ") || rest.starts_with(',') {
            items.truncate(before);
            return false;
        }
        let name_at = at + (line.len() - inner.len());
        items.push(Item {
            kind: ItemKind::Const {
                group: range.start,
                iota: (items.len() - before) as u32,
            },
            name,
            name_at,
            range: name_at..at + line.len(),
        });
    }
    true
}

/// The identifier that a text begins with.
fn word(text: &str) -> &str {
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_' || !b.is_ascii();
    let end = text.as_bytes().iter().position(|b| !is_part(b));
    &text[..end.unwrap_or(text.len())]
}

/// Where the declaration ends whose first line is `start..end`: there, or on the first line that closes what is open.
fn declaration_end(text: &[u8], start: usize, mut end: usize) -> usize {
    let mut line = start;
    loop {
        let closer: &[u8] = match text[line..end].last() {
            Some(b'{') => b"\n}",
            Some(b'(') => b"\n)",
            _ => return end,
        };
        line = memmem::find(&text[end..], closer).map_or(text.len(), |i| end + i + 1);
        end = line_end(text, line);
    }
}

/// The offset of the newline after `at`, or of the end of the text.
fn line_end(text: &[u8], at: usize) -> usize {
    let at = at.min(text.len());
    memchr(b'\n', &text[at..]).map_or(text.len(), |i| at + i)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_carries_no_directives() {
        for path in crate::stdlib::paths() {
            for (name, text) in crate::stdlib::package(path).unwrap().sources() {
                assert!(!text.contains("\n//go:"), "{name}");
            }
        }
    }

    #[test]
    fn declarations_of_several_lines() {
        let text = "package p\n\nconst (\n\ta = 1\n\n\t// B.\n\tbcd string = `x` // y\n)\nconst e = 2\nconst (\n\tf = iota\n\tg\n)\n\nimport (\n\t\"io\"\n)\n\n// F is one.\nfunc F(\n\ta int,\n) error {\n}\n\nvar x = 1\nfunc G() {}\n\
                    type T struct {\n}\nfunc (t *T) M() int\n\nvar f = func() int {\n\treturn 1\n}()\n";
        let outline = of(text);
        let names: Vec<_> = outline.items.iter().map(|i| i.name).collect();
        assert_eq!(names, ["a", "bcd", "e", "F", "G", "T", "M"]);
        let between: Vec<_> = outline.between.iter().map(|r| &text[r.clone()]).collect();
        assert_eq!(
            between,
            [
                "package p\n",
                "const (\n\tf = iota\n\tg\n)\n",
                "import (\n\t\"io\"\n)\n",
                "var x = 1\n",
                "var f = func() int {\n\treturn 1\n}()\n"
            ]
        );
        assert!(text[outline.items[3].range.clone()].ends_with("error {\n}"));
    }
}
