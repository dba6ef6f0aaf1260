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
use crate::lexer::outline::{Import, Item, ItemKind, Outline, Piece};
use crate::lexer::{self, Tok};
use source::{self, Pos, SourceFile, Symbol};

/// A package: its Go files.
pub struct Library {
    files: Vec<(&'static SourceFile, Outline)>,
    /// The package's name.
    name: Symbol,
}

impl Library {
    /// The package with these files, each with its outline.
    pub fn new(files: Vec<(&'static SourceFile, Outline)>) -> Library {
        let name = files
            .first()
            .map_or("", |(file, outline)| outline.package.of(file.text));
        Library {
            name: Symbol::new(name),
            files,
        }
    }

    /// The trees of the files: imports, and what else is no item of the outlines.
    pub fn trees(&self) -> Vec<&'static File> {
        let trees = self.files.iter().map(|(file, outline)| {
            let imports = outline.imports.iter();
            let mut decls: Vec<Decl> = imports.map(|i| Decl::Import(import(file, i))).collect();
            decls.extend(between(file, &outline.between));
            let tree = File {
                pos: Pos(file.base),
                package: ident(file, outline.package.at, self.name),
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
}

impl LateDecls for Library {
    fn named(&self, name: Symbol) -> Vec<(usize, Decl)> {
        self.parse(|outline, text| outline.named(text, name.as_str()))
    }

    fn methods(&self, base: Symbol) -> Vec<(usize, Decl)> {
        self.parse(|outline, text| outline.methods(text, base.as_str()))
    }

    fn names(&self) -> Vec<Symbol> {
        let mut names = Vec::new();
        for (file, outline) in &self.files {
            let items = outline.items().iter();
            let plain = items.filter(|item| item.base(file.text).is_empty());
            names.extend(plain.map(|item| Symbol::new(item.name.of(file.text))));
        }
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
