//! Packages of the standard library: of what they declare,
//! a tree is made when it is first asked for.
//!
//! An [`Outline`] says where the declarations of a file stand. A declaration is parsed when its
//! name is looked up, but of a function then only the name is read; its signature and its body wait
//! until the checker or the compiler asks for them.
//!
//! The texts must be right, without `//go:` comments, and as gofmt leaves them. What they say to
//! the compiler instead is a comment `//gosched:…` on the line above a function: `wrapper` makes it
//! invisible, as what the compiler makes itself.

use super::actions::{Bodies, Source};
use super::parse_alone;
use crate::ast::{
    Block, Decl, File, FuncDecl, FuncRest, FuncSig, Ident, ImportSpec, Late, LateDecls, NodeId,
    Receiver, Unread,
};
use crate::diagnostics::Diagnostics;
use crate::lexer::outline::{self, Import, Item, ItemKind, Outline, Piece};
use crate::lexer::{self, Tok};
use source::{self, Pos, SourceFile, Symbol};
use std::cell::OnceCell;

/// A package: its Go files, and the functions with Rust bodies.
pub struct Library {
    files: Vec<(&'static SourceFile, Outline)>,
    /// Their declarations, a line each; some are in the files too.
    natives: &'static SourceFile,
    /// Their lines, each with what [`native_key`] says of it.
    native_keys: OnceCell<Vec<((u32, u32), Piece)>>,
    /// The package's name.
    name: Symbol,
}

impl Library {
    /// The package with these files, each with its outline.
    pub fn new(
        files: Vec<(&'static SourceFile, Outline)>,
        natives: &'static SourceFile,
    ) -> Library {
        let name = files
            .first()
            .map_or("", |(file, outline)| outline.package.of(file.text));
        Library {
            name: Symbol::new(name),
            files,
            natives,
            native_keys: OnceCell::new(),
        }
    }

    /// The trees of the files, and one for the natives:
    /// imports, and what else is no item of the outlines.
    pub fn trees(&self) -> Vec<&'static File> {
        let nothing = Piece::default();
        let natives = (self.natives, nothing, Vec::new());
        let trees = self.files.iter().map(|(file, outline)| {
            let imports = outline.imports.iter();
            let mut decls: Vec<Decl> = imports.map(|i| Decl::Import(import(file, i))).collect();
            decls.extend(between(file, &outline.between));
            (*file, outline.package, decls)
        });
        let trees = trees.chain([natives]).map(|(file, package, decls)| {
            let tree = File {
                pos: Pos(file.base),
                package: ident(file, package.at, self.name),
                decls,
                eof: Pos(file.base + file.text.len() as u32),
                go_version: None,
                directives: Box::default(),
            };
            &*Box::leak(Box::new(tree))
        });
        trees.collect()
    }

    /// The declarations of the items that `of` finds in each file.
    fn parse(
        &self,
        of: impl for<'a> Fn(&'a Outline, &'static str) -> &'a [Item],
    ) -> Vec<(usize, Decl)> {
        let mut found = Vec::new();
        for (i, (file, outline)) in self.files.iter().enumerate() {
            let items = of(outline, file.text).iter();
            found.reserve(items.len());
            found.extend(items.filter_map(|&item| Some((i, declaration(file, item)?))));
        }
        found
    }

    /// The declarations of the natives that `is_it` finds
    /// by the keys of their types' names and their own.
    fn natives(&self, is_it: impl Fn((u32, u32)) -> bool) -> impl Iterator<Item = (usize, Decl)> {
        let text = self.natives.text;
        let keys = self.native_keys.get_or_init(|| {
            let lines = text.lines();
            lines
                .map(|line| (native_key(line), Piece::within(text, line)))
                .collect()
        });
        let found = keys.iter().filter(move |(key, _)| is_it(*key));
        let items = found
            .filter_map(move |(_, line)| outline::item(text, line.range().start, line.range().end));
        items.filter_map(|item| Some((self.files.len(), declaration(self.natives, item)?)))
    }
}

/// The keys of the name of a native's type, if it is a method, and its own, by its declaration.
fn native_key(line: &str) -> (u32, u32) {
    let after_func = line.strip_prefix("func ").unwrap_or(line);
    let (base, rest) = match after_func.strip_prefix('(') {
        None => ("", after_func),
        Some(rest) => {
            let end = memchr::memchr(b')', rest.as_bytes()).unwrap_or(0);
            let (recv, rest) = (&rest[..end], &rest[end + 2..]);
            let typ = memchr::memrchr2(b' ', b'*', recv.as_bytes());
            (&recv[typ.map_or(0, |i| i + 1)..], rest)
        }
    };
    let end = memchr::memchr(b'(', rest.as_bytes());
    (outline::key(base), outline::key(&rest[..end.unwrap_or(0)]))
}

/// The name of the function that is declared.
fn name_of(decl: &Decl) -> Option<Symbol> {
    match decl {
        Decl::Func(func) => Some(func.name.name),
        _ => None,
    }
}

impl LateDecls for Library {
    fn named(&self, name: Symbol) -> Vec<(usize, Decl)> {
        let mut found = self.parse(|outline, text| outline.named(text, name.as_str()));
        if found.is_empty() {
            let key = (outline::key(""), outline::key(name.as_str()));
            let natives = self.natives(move |k| k == key);
            found.extend(natives.filter(|(_, decl)| name_of(decl) == Some(name)));
        }
        found
    }

    fn methods(&self, base: Symbol) -> Vec<(usize, Decl)> {
        let mut found = self.parse(|outline, text| outline.methods(text, base.as_str()));
        let in_files = found.len();
        let key = outline::key(base.as_str());
        for native in self.natives(move |k| k.0 == key) {
            let is_of_base = match &native.1 {
                Decl::Func(f) => f.receiver.is_some_and(|r| r.base == Some(base)),
                _ => false,
            };
            let name = name_of(&native.1);
            if is_of_base
                && found[..in_files]
                    .iter()
                    .all(|(_, decl)| name_of(decl) != name)
            {
                found.push(native);
            }
        }
        found
    }

    fn names(&self) -> Vec<Symbol> {
        let in_files = self.files.iter().flat_map(|(file, outline)| {
            let items = outline.items().iter();
            let plain = items.filter(|item| item.base(file.text).is_empty());
            plain.map(|item| Symbol::new(item.name.of(file.text)))
        });
        let plain = outline::key("");
        let natives = self.natives(move |k| k.0 == plain);
        let natives = natives.filter_map(|(_, decl)| name_of(&decl));
        let mut names: Vec<Symbol> = in_files.chain(natives).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

fn ident(file: &SourceFile, at: u32, name: Symbol) -> Ident {
    Ident {
        pos: Pos(file.base + at),
        name,
        id: NodeId::fresh(),
    }
}

fn import(file: &SourceFile, import: &Import) -> ImportSpec {
    let (name, path) = (import.name, import.path);
    let first = if name.len > 0 { name.at } else { path.at - 1 };
    ImportSpec {
        is_bad: false,
        pos: Pos(file.base + first),
        name: (name.len > 0).then(|| ident(file, name.at, Symbol::new(name.of(file.text)))),
        path: path.of(file.text).into(),
        path_pos: Pos(file.base + path.at - 1),
    }
}

/// The declarations that stand in ranges of a file.
fn between(file: &'static SourceFile, ranges: &[Piece]) -> Vec<Decl> {
    if ranges.is_empty() {
        return Vec::new();
    }
    let mut diagnostics = Diagnostics::new();
    let tokens = lexer::lex_ranges(file, ranges, &mut diagnostics).tokens;
    let parsed = parse_alone(file, None, tokens, Bodies::Parsed, &mut diagnostics);
    debug_assert!(diagnostics.is_empty(), "{}", file.name);
    match parsed {
        Some(Source::Decls(decls)) => decls,
        _ => Vec::new(),
    }
}

/// The declaration of an item; a function's signature and body are parsed when they are read.
fn declaration(file: &'static SourceFile, item: Item) -> Option<Decl> {
    let at = |offset: u32| Pos(file.base + offset);
    let (pos, end) = (at(item.whole.at), at(item.whole.at + item.whole.len));
    let func = |receiver| {
        Decl::Func(Box::new(FuncDecl {
            name: ident(file, item.name.at, Symbol::new(item.name.of(file.text))),
            receiver,
            rest: Late::when_read(Unread {
                pos,
                end,
                parse: parse_func,
            }),
        }))
    };
    match item.kind {
        ItemKind::Func => Some(func(None)),
        ItemKind::Method { is_pointer, base } => Some(func(Some(Receiver {
            is_pointer,
            base: Some(Symbol::new(base.of(file.text))),
        }))),
        ItemKind::Type | ItemKind::Var => parse_head(file, None, pos, end),
        ItemKind::GroupedVar { group } => {
            let mut decl = parse_head(file, Some(Tok::Var), pos, end);
            if let Some(Decl::Var(spec)) = &mut decl {
                spec.group = at(group).0;
            }
            decl
        }
        ItemKind::Const { group } => {
            let mut decl = parse_head(file, Some(Tok::Const), pos, end);
            if let Some(Decl::Const(spec)) = &mut decl {
                spec.group = at(group).0;
            }
            decl
        }
    }
}

/// The line above a function that shall be invisible.
const WRAPPER: &[u8] = b"\n//gosched:wrapper\n";

/// Parses the declaration of a function that stands between two positions.
fn parse_func(pos: Pos, end: Pos) -> FuncRest {
    let file = source::map().file(pos);
    let mut parsed = match file.and_then(|file| parse_head(file, None, pos, end)) {
        Some(Decl::Func(func)) => func.rest.into_inner(),
        _ => None,
    };
    debug_assert!(parsed.is_some());
    if let (Some(func), Some(file)) = (&mut parsed, file)
        && file.text.as_bytes()[..(pos.0 - file.base) as usize].ends_with(WRAPPER)
    {
        func.pragmas.push("gosched:wrapper".to_string());
    }
    parsed.unwrap_or(FuncRest {
        pos,
        at: pos,
        recv: None,
        tparams: Vec::new(),
        sig: FuncSig {
            pos,
            params: Vec::new(),
            results: Vec::new(),
        },
        body: None,
        pragmas: Vec::new(),
    })
}

/// Parses the function body whose braces are at `pos` and `end`;
/// of a body with syntax errors nothing is left.
pub(super) fn parse_body(pos: Pos, end: Pos) -> Block {
    let mut diagnostics = Diagnostics::new();
    let parsed = source::map().file(pos).and_then(|file| {
        let tokens = lexer::lex_range(file, pos, end, &mut diagnostics);
        parse_alone(file, None, tokens, Bodies::Parsed, &mut diagnostics)
    });
    debug_assert!(diagnostics.is_empty());
    match parsed {
        Some(Source::Body(body)) => body,
        _ => {
            debug_assert!(false, "the library's bodies have no syntax errors");
            Block {
                pos,
                stmts: Vec::new(),
                end,
            }
        }
    }
}

/// Parses the declaration that stands between two positions of `file`, after its keyword if that
/// stands elsewhere; leaves out a function's body.
fn parse_head(file: &'static SourceFile, keyword: Option<Tok>, pos: Pos, end: Pos) -> Option<Decl> {
    let range = (pos.0 - file.base) as usize..(end.0 - file.base) as usize;
    let mut diagnostics = Diagnostics::new();
    let lexed = lexer::lex_head(file, range, &mut diagnostics);
    let bodies = Bodies::Deferred;
    let parsed = parse_alone(file, keyword, lexed.tokens, bodies, &mut diagnostics);
    debug_assert!(diagnostics.is_empty());
    match parsed {
        Some(Source::Decls(mut decls)) => decls.pop(),
        _ => None,
    }
}
