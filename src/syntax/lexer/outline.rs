//! Where the declarations of a file stand, found line by line, without lexing.
//!
//! The standard library declares much, and a program reaches little of it: names are all that is
//! needed of the rest. Items of an outline are functions, methods, types, variables, and constants
//! that have a value of their own. The package clause and the imports are read at once; groups of
//! types, and constants that `iota` or the line above makes, lie in the ranges between.
//!
//! The text must be as gofmt leaves it: what begins a line at the left margin is a declaration's
//! first keyword, a comment, or the bracket that ends a declaration.
//!
//! Spec: Declarations and scope.

use memchr::{memchr, memmem};
use std::borrow::Cow;
use std::ops::Range;

/// A piece of the text: where it begins, and how long it is, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Piece {
    pub at: u32,
    pub len: u32,
}

impl Piece {
    fn new(range: Range<usize>) -> Piece {
        Piece {
            at: range.start as u32,
            len: range.len() as u32,
        }
    }

    /// The piece of a text that `part` is.
    fn within(text: &str, part: &str) -> Piece {
        let at = part.as_ptr().addr() - text.as_ptr().addr();
        Piece::new(at..at + part.len())
    }

    /// Its bytes' offsets.
    pub fn range(self) -> Range<usize> {
        self.at as usize..(self.at + self.len) as usize
    }

    /// What it says in the text it is a piece of.
    pub fn of(self, text: &str) -> &str {
        &text[self.range()]
    }
}

/// A declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    /// What outlines are in order of: [`key`] of the base type and the name.
    pub key: (u32, u32),
    pub kind: ItemKind,
    pub name: Piece,
    /// From the keyword, of a constant from the name,
    /// to the end of the declaration's last line, the newline excluded.
    pub whole: Piece,
}

/// What an item declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemKind {
    Func,
    /// On the type `base` or, if `is_pointer`, a pointer to it.
    Method {
        is_pointer: bool,
        base: Piece,
    },
    Type,
    /// One variable.
    Var,
    /// A line of the var declaration that begins at the offset `group`.
    GroupedVar {
        group: u32,
    },
    /// A line of the const declaration that begins at the offset `group`.
    Const {
        group: u32,
    },
}

/// An import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Import {
    /// The name that the file gives the package, or nothing.
    pub name: Piece,
    /// Without the quotes.
    pub path: Piece,
}

/// What a text declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// The package's name.
    pub package: Piece,
    pub imports: Cow<'static, [Import]>,
    /// By key, then in the order of the text.
    items: Cow<'static, [Item]>,
    /// The ranges of lines that hold any other declarations.
    pub between: Cow<'static, [Piece]>,
}

impl Outline {
    /// An outline from parts that `build.rs` has found.
    pub const fn known(
        package: Piece,
        imports: &'static [Import],
        items: &'static [Item],
        between: &'static [Piece],
    ) -> Outline {
        Outline {
            package,
            imports: Cow::Borrowed(imports),
            items: Cow::Borrowed(items),
            between: Cow::Borrowed(between),
        }
    }

    /// Outlines a text.
    pub fn of(text: &str) -> Outline {
        let mut found = scan(text);
        found.items.sort_by_key(|item| item.key);
        Outline {
            package: found.package,
            imports: found.imports.into(),
            items: found.items.into(),
            between: found.between.into_iter().map(Piece::new).collect(),
        }
    }

    /// The items, in no order.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The items of that name at package level: one, but for `init`.
    pub fn named(&self, text: &str, name: &str) -> &[Item] {
        self.declaring(text, "", name)
    }

    /// The items that declare the method `name` on the type `base` or,
    /// if that is empty, the name at package level.
    pub fn declaring(&self, text: &str, base: &str, name: &str) -> &[Item] {
        let key = (key(base), key(name));
        self.run(
            |item| item.key < key,
            |item| item.key == key && item.base(text) == base && item.name.of(text) == name,
        )
    }

    /// The methods on the type of that name, or on pointers to it.
    pub fn methods(&self, text: &str, base: &str) -> &[Item] {
        let key = key(base);
        self.run(
            |item| item.key.0 < key,
            |item| item.key.0 == key && item.base(text) == base,
        )
    }

    /// The run of items that are what is looked for; others with the same key, after those that
    /// come `before`, are passed over.
    fn run(&self, before: impl Fn(&Item) -> bool, is_it: impl Fn(&Item) -> bool) -> &[Item] {
        let rest = &self.items[self.items.partition_point(before)..];
        let len = rest.iter().take_while(|item| is_it(item)).count();
        &rest[..len]
    }
}

/// A number that names are found by: FNV-1a; 0 of nothing.
fn key(name: &str) -> u32 {
    let step = |hash: u32, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    match name {
        "" => 0,
        _ => name.bytes().fold(0x811c_9dc5, step),
    }
}

impl Item {
    fn new(text: &str, kind: ItemKind, name: Piece, whole: Piece) -> Item {
        let mut item = Item {
            key: (0, 0),
            kind,
            name,
            whole,
        };
        item.key = (key(item.base(text)), key(name.of(text)));
        item
    }

    /// The name of a method's type; of anything else nothing.
    pub fn base(self, text: &str) -> &str {
        match self.kind {
            ItemKind::Method { base, .. } => base.of(text),
            _ => "",
        }
    }
}

/// What has been found in a text, in its order.
struct Found {
    package: Piece,
    imports: Vec<Import>,
    items: Vec<Item>,
    between: Vec<Range<usize>>,
}

fn scan(text: &str) -> Found {
    let mut found = Found {
        package: Piece::default(),
        imports: Vec::new(),
        items: Vec::new(),
        between: Vec::new(),
    };
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < text.len() {
        let end = line_end(bytes, at);
        match bytes[at] {
            b'f' | b't' | b'v' => {
                if let Some(item) = item(text, at, end) {
                    at = item.whole.range().end + 1;
                    found.items.push(item);
                    continue;
                }
                let end = declaration_end(bytes, at, end);
                if bytes[at] == b'v' && specs(text, at..end, &mut found.items) {
                    at = end + 1;
                    continue;
                }
            }
            b'c' => {
                let end = declaration_end(bytes, at, end);
                if specs(text, at..end, &mut found.items) {
                    at = end + 1;
                    continue;
                }
            }
            b'i' => {
                let end = declaration_end(bytes, at, end);
                found.imports.extend(imports(text, at..end));
                at = end + 1;
                continue;
            }
            b'p' => {
                found.package =
                    Piece::within(text, word(text[at..].trim_start_matches("package ")));
                at = end + 1;
                continue;
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
        match found.between.last_mut() {
            Some(last) if last.end == at => last.end = next,
            _ => found.between.push(at..next),
        }
        at = next;
    }
    found
}

/// What the import declaration imports that lies in a range.
fn imports(text: &str, range: Range<usize>) -> impl Iterator<Item = Import> {
    text[range].lines().filter_map(|line| {
        let (before, rest) = line.split_once('"')?;
        let (path, _) = rest.split_once('"')?;
        let name = before.trim_start_matches("import ").trim();
        Some(Import {
            name: Piece::within(text, name),
            path: Piece::within(text, path),
        })
    })
}

/// The item whose first line is `start..end`, if it is one.
fn item(text: &str, start: usize, end: usize) -> Option<Item> {
    let line = &text[start..end];
    let piece = |part: &str| Piece::within(text, part);
    let (kind, name) = if let Some(rest) = line.strip_prefix("func ") {
        match rest.strip_prefix('(') {
            None => (ItemKind::Func, word(rest)),
            Some(rest) => {
                let (recv, rest) = rest.split_once(") ")?;
                let typ = recv.split_once(' ').map_or(recv, |(_, typ)| typ);
                let method = ItemKind::Method {
                    is_pointer: typ.starts_with('*'),
                    base: piece(word(typ.trim_start_matches('*'))),
                };
                (method, word(rest))
            }
        }
    } else if let Some(rest) = line.strip_prefix("type ") {
        (ItemKind::Type, word(rest))
    } else {
        let rest = line.strip_prefix("var ")?;
        let name = word(rest);
        // Of several variables none is declared without the others.
        if rest[name.len()..].starts_with(',') {
            return None;
        }
        (ItemKind::Var, name)
    };
    (!name.is_empty()).then(|| {
        let whole = start..declaration_end(text.as_bytes(), start, end);
        Item::new(text, kind, piece(name), Piece::new(whole))
    })
}

/// Takes the const or var declaration apart that lies in a range, if each of its lines declares one
/// name, a constant's with its value.
fn specs(text: &str, range: Range<usize>, items: &mut Vec<Item>) -> bool {
    let declaration = &text[range.clone()];
    let (is_const, lines) = match declaration.split_once(' ') {
        Some(("const", lines)) => (true, lines),
        Some(("var", lines)) => (false, lines),
        _ => return false,
    };
    if is_const && memmem::find(lines.as_bytes(), b"iota").is_some() {
        return false;
    }
    let group = range.start as u32;
    let kind = if is_const {
        ItemKind::Const { group }
    } else {
        ItemKind::GroupedVar { group }
    };
    let before = items.len();
    let mut line_at = range.end - lines.len();
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
        let has_value = !is_const || rest.contains("= ");
        if !is_one_line || name.is_empty() || !has_value || rest.starts_with(',') {
            items.truncate(before);
            return false;
        }
        let name_at = at + (line.len() - inner.len());
        items.push(Item::new(
            text,
            kind,
            Piece::new(name_at..name_at + name.len()),
            Piece::new(name_at..at + line.len()),
        ));
    }
    true
}

/// The identifier that a text begins with.
fn word(text: &str) -> &str {
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_' || !b.is_ascii();
    let end = text.as_bytes().iter().position(|b| !is_part(b));
    &text[..end.unwrap_or(text.len())]
}

/// Where the declaration ends whose first line is `start..end`: there,
/// or on the first line that closes what is open.
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
    fn declarations_of_several_lines() {
        let text = "package p\n\n\
                    const (\n\ta = 1\n\n\t// B.\n\tbcd string = `x` // y\n)\n\
                    const e = 2\nconst (\n\tf = iota\n\tg\n)\n\n\
                    import (\n\t\"io\"\n\tr \"math/rand\"\n)\n\n\
                    var (\n\tv = 1\n\tw int\n)\n\n\
                    // F is one.\nfunc F(\n\ta int,\n) error {\n}\n\n\
                    var x = 1\nvar y, z int\nfunc G() {}\n\
                    type T struct {\n}\nfunc (t *T) M() int\n\n\
                    var f = func() int {\n\treturn 1\n}()\n";
        let outline = Outline::of(text);
        let mut names: Vec<_> = outline.items.iter().map(|i| i.name.of(text)).collect();
        names.sort_unstable();
        assert_eq!(
            names,
            ["F", "G", "M", "T", "a", "bcd", "e", "f", "v", "w", "x"]
        );
        let [w] = outline.named(text, "w") else {
            panic!("one w");
        };
        let group = text.find("var (").map_or(0, |at| at as u32);
        assert_eq!(
            (w.kind, w.whole.of(text)),
            (ItemKind::GroupedVar { group }, "w int")
        );
        assert_eq!(outline.package.of(text), "p");
        let imports = outline
            .imports
            .iter()
            .map(|i| (i.name.of(text), i.path.of(text)));
        assert!(imports.eq([("", "io"), ("r", "math/rand")]));
        let between: Vec<_> = outline.between.iter().map(|p| p.of(text)).collect();
        assert_eq!(between, ["const (\n\tf = iota\n\tg\n)\n", "var y, z int\n"]);
        let [f] = outline.named(text, "F") else {
            panic!("one F");
        };
        assert!(f.whole.of(text).ends_with("error {\n}"));
        assert!(outline.named(text, "M").is_empty());
        assert_eq!(outline.methods(text, "T").len(), 1);
    }
}
