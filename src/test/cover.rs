//! Counting statements: a package is compiled from a text in which each block of statements begins
//! by counting.
//!
//! What is a block, and what place it has, is as in Go: statements that run one after the other,
//! cut where lines without code lie between them. Nothing is inserted that ends a line, so lines
//! keep their numbers.
//!
//! Go: cmd/cover.

use super::Spec;
use super::testmain::Parsed;
use crate::driver::test::parse_again;
use serde::{Deserialize, Serialize};
use source::{Pos, SourceFile};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use syntax::ast::{self, Block, Decl, Expr, ExprKind, Stmt, StmtKind};
use syntax::lexer::{self, SemiKind, Tok, Token};

/// How statements are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Mode {
    /// Has it run?
    Set,
    Count,
    /// As `Count`, for several goroutines.
    Atomic,
}

impl Mode {
    pub(crate) fn of(name: &str) -> Option<Mode> {
        Some(match name {
            "set" => Mode::Set,
            "count" => Mode::Count,
            "atomic" => Mode::Atomic,
            _ => return None,
        })
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Mode::Set => "set",
            Mode::Count => "count",
            Mode::Atomic => "atomic",
        }
    }
}

/// Has the files of a package count, but those of its tests.
pub(crate) fn instrument(parsed: &mut Vec<Parsed>, spec: &Spec, mode: Mode) {
    let own: Vec<Parsed> = parsed.iter().copied().filter(|f| !f.is_test()).collect();
    let files = counting(&spec.path, &own, mode);
    parsed.retain(Parsed::is_test);
    parsed.splice(0..0, files);
}

/// As [`instrument`], for a package that is imported.
pub(crate) fn instrument_package(
    path: &str,
    trees: &[&'static ast::File],
    mode: Mode,
) -> Vec<&'static ast::File> {
    let file = |tree: &&'static ast::File| {
        let source = source::map().file(tree.pos)?;
        Some(Parsed { source, tree })
    };
    let files: Vec<Parsed> = trees.iter().filter_map(file).collect();
    counting(path, &files, mode)
        .iter()
        .map(|f| f.tree)
        .collect()
}

/// The files with counters in them, and one that has the counters.
fn counting(path: &str, files: &[Parsed], mode: Mode) -> Vec<Parsed> {
    let Some(first) = files.first() else {
        return Vec::new();
    };
    let mut sources = Vec::new();
    let mut counters = format!(
        "package {}\nimport _cover \"internal/testdeps\"\nimport _atomic \"sync/atomic\"\n\
         func _coverAdd(n *uint32) {{ _atomic.AddUint32(n, 1) }}\n",
        first.tree.package.name
    );
    for (i, file) in files.iter().enumerate() {
        let found = Finder::new(*file).find();
        let mut blocks = String::new();
        for block in &found.blocks {
            for n in block {
                let _ = write!(blocks, "{n},");
            }
        }
        let _ = writeln!(
            counters,
            "var _cover{i} [{}]uint32\nfunc init() {{ _cover.Register({:?}, _cover{i}[:], \
             []uint32{{{blocks}}}) }}",
            found.blocks.len(),
            name_in_profile(path, file.source)
        );
        let text = found.text(file.source.text, i, mode);
        let (name, path) = (&file.source.name, &file.source.path);
        sources.push(source::map().add(name, path, text));
    }
    sources.push(source::map().add("_cover.go", "_cover.go", counters));
    parse_again(&sources)
}

fn name_in_profile(path: &str, file: &SourceFile) -> String {
    let name = Path::new(&file.path).file_name().unwrap_or_default();
    format!("{path}/{}", name.to_string_lossy())
}

/// How many statements there are in files, and their lines in a profile if none runs.
pub(crate) fn unrun(path: &str, files: &[Parsed]) -> (u32, String) {
    let (mut statements, mut lines) = (0, String::new());
    for file in files.iter().filter(|f| !f.is_test()) {
        let name = name_in_profile(path, file.source);
        for [line0, column0, line1, column1, n] in Finder::new(*file).find().blocks {
            statements += n;
            let _ = writeln!(lines, "{name}:{line0}.{column0},{line1}.{column1} {n} 0");
        }
    }
    (statements, lines)
}

/// Where a test writes its profile, before [`merge`] puts them together.
pub(crate) fn temporary(path: &str) -> PathBuf {
    let name = path.replace('/', "_");
    std::env::temp_dir().join(format!("gosched-cover-{}-{name}", std::process::id()))
}

/// Makes one profile of several.
pub(crate) fn merge(to: &Path, mode: Mode, profiles: &[PathBuf]) -> std::io::Result<()> {
    let head = format!("mode: {}\n", mode.name());
    let mut text = head.clone();
    for profile in profiles {
        if let Ok(one) = std::fs::read_to_string(profile) {
            text.push_str(one.strip_prefix(&head).unwrap_or(&one));
        }
        let _ = std::fs::remove_file(profile);
    }
    std::fs::write(to, text)
}

/// What has been found in a file.
#[derive(Default)]
struct Found {
    /// Of each block the line and the column where it begins and where it ends, and its statements.
    blocks: Vec<[u32; 5]>,
    /// What is to be inserted, and where: the counter of a block, or a text.
    insertions: Vec<(u32, Result<usize, &'static str>)>,
}

impl Found {
    /// Puts the blocks into the order that they have in a profile.
    fn sort(&mut self) {
        let mut order: Vec<usize> = (0..self.blocks.len()).collect();
        let key = |&n: &usize| {
            let [line0, column0, line1, column1, statements] = self.blocks[n];
            [line0, line1, column0, column1, statements]
        };
        order.sort_by_key(key);
        let mut places = vec![0; order.len()];
        for (place, &n) in order.iter().enumerate() {
            places[n] = place;
        }
        self.blocks = order.iter().map(|&n| self.blocks[n]).collect();
        for (_, what) in &mut self.insertions {
            *what = what.map(|n| places[n]);
        }
    }

    /// The text with everything inserted.
    fn text(&self, text: &str, file: usize, mode: Mode) -> String {
        let mut insertions = self.insertions.clone();
        insertions.sort_by_key(|i| i.0);
        let mut out = String::with_capacity(text.len() + insertions.len() * 24);
        let mut from = 0;
        for (at, what) in insertions {
            out.push_str(&text[from..at as usize]);
            from = at as usize;
            let _ = match (what, mode) {
                (Err(text), _) => write!(out, "{text}"),
                (Ok(n), Mode::Set) => write!(out, "_cover{file}[{n}] = 1;"),
                (Ok(n), Mode::Count) => write!(out, "_cover{file}[{n}]++;"),
                (Ok(n), Mode::Atomic) => write!(out, "_coverAdd(&_cover{file}[{n}]);"),
            };
        }
        out + &text[from..]
    }
}

/// A statement in a list. Places are offsets in the file.
#[derive(Clone)]
struct Item {
    pos: u32,
    end: u32,
    /// Where a block ends that ends with it: before what is a block of its own.
    boundary: u32,
    /// A block ends with it.
    ends_block: bool,
    /// The statement behind a label, if it begins a block.
    labeled: Option<Box<Item>>,
}

/// Looks for blocks in a file.
struct Finder {
    file: &'static SourceFile,
    tree: &'static ast::File,
    /// With their offsets.
    tokens: Vec<Token>,
    found: Found,
}

impl Finder {
    fn new(file: Parsed) -> Finder {
        let base = file.source.base;
        let tokens = lexer::tokens(file.source);
        let moved = |(start, tok, end): Token| (start - base, tok, end - base);
        Finder {
            file: file.source,
            tree: file.tree,
            tokens: tokens.into_iter().map(moved).collect(),
            found: Found::default(),
        }
    }

    fn find(mut self) -> Found {
        for decl in &self.tree.decls {
            match decl {
                Decl::Func(func) if func.name.name.as_str() != "_" => {
                    if let Some(body) = &func.body {
                        self.block(body);
                    }
                }
                Decl::Func(_) => (),
                decl => self.decl(decl),
            }
        }
        self.found.sort();
        self.found
    }

    fn offset(&self, pos: Pos) -> u32 {
        pos.0 - self.file.base
    }

    // ---- The tree.

    fn decl(&mut self, decl: &Decl) {
        let values = match decl {
            Decl::Var(spec) => &spec.values,
            Decl::Const(spec) => &spec.values,
            _ => return,
        };
        self.exprs(values);
    }

    fn exprs<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) {
        for expr in exprs {
            for body in literals(expr) {
                self.block(body);
            }
        }
    }

    fn block(&mut self, block: &Block) {
        let (pos, end) = (self.offset(block.pos), self.offset(block.end));
        self.list(&block.stmts, (pos, pos + 1, Some(end + 1)), end, true);
        self.stmts(&block.stmts);
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    /// Looks for blocks in a statement.
    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Block(block) => self.block(block),
            StmtKind::If(s) => {
                self.stmts(s.init.as_slice());
                self.exprs([&s.cond]);
                self.block(&s.then);
                if let Some(els) = &s.els {
                    self.otherwise(self.offset(s.then.end), els);
                }
            }
            StmtKind::Switch(s) => {
                self.stmts(s.init.as_slice());
                self.exprs(&s.tag);
                self.clauses(&s.cases, s.end);
            }
            StmtKind::TypeSwitch(s) => {
                self.stmts(s.init.as_slice());
                self.exprs([&s.x]);
                self.clauses(&s.cases, s.end);
            }
            StmtKind::Select { cases, end } => {
                for (i, case) in cases.iter().enumerate() {
                    let next = cases.get(i + 1).map_or(*end, |next| next.pos);
                    self.clause(case.colon, &case.body, next);
                }
                for case in cases {
                    self.stmts(case.comm.as_deref().map_or(&[], std::slice::from_ref));
                    self.stmts(&case.body);
                }
            }
            StmtKind::For(s) => {
                self.stmts(s.init.as_slice());
                self.exprs(&s.cond);
                self.stmts(s.post.as_slice());
                self.block(&s.body);
            }
            StmtKind::Range(s) => {
                self.exprs(s.key.iter().chain(&s.value).chain([&s.x]));
                self.block(&s.body);
            }
            StmtKind::Labeled { stmt, .. } => self.stmt(stmt),
            StmtKind::Decl(decls) => {
                for decl in decls {
                    self.decl(decl);
                }
            }
            _ => {
                for expr in parts(stmt) {
                    self.exprs([expr]);
                }
            }
        }
    }

    fn clauses(&mut self, cases: &[ast::CaseClause], end: Pos) {
        for (i, case) in cases.iter().enumerate() {
            let next = cases.get(i + 1).map_or(end, |next| next.pos);
            self.clause(case.colon, &case.body, next);
        }
        for case in cases {
            self.exprs(&case.exprs);
            self.stmts(&case.body);
        }
    }

    fn clause(&mut self, colon: Pos, body: &[Stmt], next: Pos) {
        let after = self.offset(colon) + 1;
        let bound = self.offset(next);
        let end = match body.last() {
            Some(last) => self.last_end(self.start(last), bound),
            None => after,
        };
        self.list(body, (after, after, Some(end)), bound, false);
    }

    /// What follows `else` is put into a block of its own.
    fn otherwise(&mut self, from: u32, els: &Stmt) {
        let els_at = self.tokens.partition_point(|t| t.0 <= from);
        let Some(&(at, ..)) = self.tokens.get(els_at) else {
            return;
        };
        let pos = at + 4;
        let end = self.end_of(els);
        self.found.insertions.push((pos, Err("{")));
        match &els.kind {
            StmtKind::Block(block) => {
                let close = self.offset(block.end);
                self.list(&block.stmts, (pos, pos + 1, Some(close + 1)), close, true);
                self.stmts(&block.stmts);
            }
            _ => {
                let list = std::slice::from_ref(els);
                self.list(list, (pos, pos + 1, Some(end + 1)), end, true);
                self.stmt(els);
            }
        }
        self.found.insertions.push((end, Err("}")));
    }

    // ---- Places of statements.

    /// Where a statement begins.
    fn start(&self, stmt: &Stmt) -> u32 {
        let pos = match &stmt.kind {
            StmtKind::Labeled { label, .. } => label.pos,
            StmtKind::Assign { lhs, .. } | StmtKind::Define { lhs, .. } => {
                lhs.first().map_or(stmt.pos, first)
            }
            StmtKind::Expr(x) | StmtKind::IncDec { x, .. } => first(x),
            StmtKind::Send { chan, .. } => first(chan),
            _ => stmt.pos,
        };
        self.offset(pos)
    }

    /// The end of the last token before `bound`, from `from` on; semicolons do not count.
    fn last_end(&self, from: u32, bound: u32) -> u32 {
        let before = self.tokens.partition_point(|t| t.0 < bound);
        let mut tokens = self.tokens[..before].iter().rev();
        let last = tokens.find(|t| !matches!(t.1, Tok::Semi(_)));
        last.map_or(from, |t| t.2.max(from))
    }

    /// The end of a statement that is a block, or an if with its branches.
    fn end_of(&self, stmt: &Stmt) -> u32 {
        match &stmt.kind {
            StmtKind::Block(block) => self.offset(block.end) + 1,
            StmtKind::If(s) => match &s.els {
                Some(els) => self.end_of(els),
                None => self.offset(s.then.end) + 1,
            },
            _ => self.offset(stmt.pos),
        }
    }

    fn item(&self, stmt: &Stmt, bound: u32) -> Item {
        let pos = self.start(stmt);
        let end = self.last_end(pos, bound);
        let literal = |exprs: &[&Expr]| {
            let bodies = exprs.iter().flat_map(|e| literals(e));
            bodies.map(|b| self.offset(b.pos)).min()
        };

        let (boundary, ends_block) = match &stmt.kind {
            StmtKind::Block(block) => (self.offset(block.pos), true),
            StmtKind::If(s) => {
                let mut head = parts_of(&s.init);
                head.push(&s.cond);
                (literal(&head).unwrap_or(self.offset(s.then.pos)), true)
            }
            StmtKind::For(s) => {
                let mut head = parts_of(&s.init);
                head.extend(&s.cond);
                head.extend(parts_of(&s.post));
                (literal(&head).unwrap_or(self.offset(s.body.pos)), true)
            }
            StmtKind::Range(s) => (literal(&[&s.x]).unwrap_or(self.offset(s.body.pos)), true),
            StmtKind::Switch(s) => {
                let mut head = parts_of(&s.init);
                head.extend(&s.tag);
                let brace = self.brace(pos, s.cases.first().map_or(s.end, |c| c.pos));
                (literal(&head).unwrap_or(brace), true)
            }
            StmtKind::TypeSwitch(s) => {
                let brace = self.brace(pos, s.cases.first().map_or(s.end, |c| c.pos));
                (literal(&parts_of(&s.init)).unwrap_or(brace), true)
            }
            StmtKind::Select { cases, end } => {
                (self.brace(pos, cases.first().map_or(*end, |c| c.pos)), true)
            }
            StmtKind::Labeled { stmt: inner, .. } => {
                let inner_item = self.item(inner, bound);
                let is_control = matches!(
                    inner.kind,
                    StmtKind::For(_)
                        | StmtKind::Range(_)
                        | StmtKind::Switch(_)
                        | StmtKind::TypeSwitch(_)
                        | StmtKind::Select { .. }
                );
                return Item {
                    pos,
                    end,
                    boundary: inner_item.boundary,
                    ends_block: true,
                    labeled: (!is_control).then(|| Box::new(inner_item)),
                };
            }
            StmtKind::Break(_)
            | StmtKind::Continue(_)
            | StmtKind::Goto(_)
            | StmtKind::Fallthrough => (end, true),
            StmtKind::Expr(x) if is_panic(x) => (literal(&[x]).unwrap_or(end), true),
            _ => {
                let body = literal(&parts(stmt));
                (body.unwrap_or(end), body.is_some())
            }
        };
        Item {
            pos,
            end,
            boundary,
            ends_block,
            labeled: None,
        }
    }

    /// The brace that opens the body of a switch, before its first case.
    fn brace(&self, from: u32, case: Pos) -> u32 {
        let before = self.tokens.partition_point(|t| t.0 < self.offset(case));
        let mut tokens = self.tokens[..before].iter().rev();
        tokens.find(|t| t.1 == Tok::LBrace).map_or(from, |t| t.0)
    }

    // ---- Blocks.

    /// Puts counters into a list of statements, which begins at `pos`, with room for a counter at
    /// `insert`, and ends at `block_end`; no token of it begins behind `bound`. With `extends` the
    /// last block goes on to the end.
    fn list(
        &mut self,
        stmts: &[Stmt],
        (mut pos, mut insert, block_end): (u32, u32, Option<u32>),
        bound: u32,
        mut extends: bool,
    ) {
        let block_end = block_end.unwrap_or(bound);
        if stmts.is_empty() {
            let range = self.code(insert, block_end)[0];
            return self.counter(range.0, range, 0);
        }
        let starts: Vec<u32> = stmts.iter().map(|s| self.start(s)).collect();
        let mut items: Vec<Item> = Vec::new();
        for (i, stmt) in stmts.iter().enumerate() {
            items.push(self.item(stmt, starts.get(i + 1).copied().unwrap_or(bound)));
        }
        while !items.is_empty() {
            let mut last = 0;
            let mut end = block_end;
            while last < items.len() {
                let item = items[last].clone();
                end = item.boundary;
                last += 1;
                if item.ends_block {
                    if let Some(inner) = item.labeled {
                        // The block before the label ends there.
                        end = item.pos;
                        items.insert(last, *inner);
                    }
                    extends = false;
                    break;
                }
            }
            if extends {
                end = block_end;
            }
            if pos != end {
                for (i, (range, n)) in self
                    .ranges(pos, end, &items[..last])
                    .into_iter()
                    .enumerate()
                {
                    self.counter(if i == 0 { insert } else { range.0 }, range, n);
                }
            }
            items.drain(..last);
            if let Some(next) = items.first() {
                (pos, insert) = (next.pos, next.pos);
            }
        }
    }

    /// The ranges with code, those that a statement reaches over made one, and how many statements
    /// begin in each.
    fn ranges(&self, pos: u32, end: u32, items: &[Item]) -> Vec<((u32, u32), u32)> {
        let before = |at: u32| items.partition_point(|item| item.pos < at);
        let mut merged: Vec<((u32, u32), u32)> = Vec::new();
        for range in self.code(pos, end) {
            let n = (before(range.1) - before(range.0).min(before(range.1))) as u32;
            let at = before(range.0);
            let is_inside = at > 0 && range.0 < items[at - 1].end;
            match merged.last_mut() {
                Some((last, count)) if is_inside => {
                    last.1 = range.1;
                    *count += n;
                }
                _ => merged.push((range, n)),
            }
        }
        merged
    }

    /// The ranges between two places without lines that have no code: blank ones, comments, and
    /// such with nothing but a brace.
    fn code(&self, start: u32, end: u32) -> Vec<(u32, u32)> {
        let from = self.tokens.partition_point(|t| t.0 < start);
        let line = |at: u32| self.file.line(at).0;
        let line_after = |n: u32| {
            let text = &self.file.text.as_bytes()[start as usize..end as usize];
            let mut left = n + 1 - line(start);
            let mut newlines = (0..text.len()).filter(|&i| text[i] == b'\n');
            newlines
                .find(|_| {
                    left -= 1;
                    left == 0
                })
                .map(|at| start + at as u32 + 1)
        };
        let mut ranges = Vec::new();
        // The last line with code.
        let mut code: Option<(u32, u32)> = None;
        for &(at, tok, token_end) in &self.tokens[from..] {
            if at >= end {
                break;
            }
            let is_code = !matches!(
                tok,
                Tok::LBrace | Tok::RBrace | Tok::Semi(SemiKind::Newline) | Tok::Semi(SemiKind::Eof)
            );
            if !is_code {
                continue;
            }
            let is_string = matches!(tok, Tok::Lit(ast::LitKind::String));
            let (first, last) = (line(at), line(if is_string { token_end } else { at }));
            code = Some(match code {
                None => (at, last),
                Some((begin, before)) if first > before + 1 => {
                    ranges.push((begin, line_after(before).unwrap_or(end)));
                    (at, last)
                }
                Some((begin, before)) => (begin, before.max(last)),
            });
        }
        if let Some((begin, last)) = code {
            ranges.push((begin, line_after(last).unwrap_or(end)));
        }
        if ranges.is_empty() {
            ranges.push((start, start));
        }
        ranges
    }

    fn counter(&mut self, at: u32, (start, end): (u32, u32), statements: u32) {
        let place = |at: u32| {
            let (line, begin) = self.file.line(at);
            [line, at - begin + 1]
        };
        let ([line0, column0], [line1, column1]) = (place(start), place(end));
        let n = self.found.blocks.len();
        self.found
            .blocks
            .push([line0, column0, line1, column1, statements]);
        self.found.insertions.push((at, Ok(n)));
    }
}

/// Is it `panic` with an argument?
fn is_panic(x: &Expr) -> bool {
    match &x.kind {
        ExprKind::Call { fun, args, .. } => {
            matches!(fun.kind, ExprKind::Name(name) if name.as_str() == "panic") && args.len() == 1
        }
        _ => false,
    }
}

/// The leftmost position of an expression.
fn first(x: &Expr) -> Pos {
    match &x.kind {
        ExprKind::Slice { x, .. }
        | ExprKind::Index { x, .. }
        | ExprKind::Selector { x, .. }
        | ExprKind::TypeAssert { x, .. }
        | ExprKind::Binary { x, .. } => first(x),
        ExprKind::KeyValue { key, .. } => first(key),
        ExprKind::Call { fun, .. } => first(fun),
        ExprKind::CompositeLit { ty: Some(ty), .. } => first(ty),
        _ => x.pos,
    }
}

/// The expressions of a statement that has no blocks but in function literals.
fn parts(stmt: &Stmt) -> Vec<&Expr> {
    match &stmt.kind {
        StmtKind::Expr(x) | StmtKind::IncDec { x, .. } | StmtKind::Go(x) | StmtKind::Defer(x) => {
            vec![x]
        }
        StmtKind::Send { chan, value } => vec![chan, value],
        StmtKind::Assign { lhs, rhs, .. } | StmtKind::Define { lhs, rhs } => {
            lhs.iter().chain(rhs).collect()
        }
        StmtKind::Return(values) => values.iter().collect(),
        StmtKind::Labeled { stmt, .. } => parts(stmt),
        StmtKind::Decl(decls) => {
            let values = decls.iter().map(|decl| match decl {
                Decl::Var(spec) => &spec.values[..],
                Decl::Const(spec) => &spec.values[..],
                _ => &[],
            });
            values.flatten().collect()
        }
        _ => Vec::new(),
    }
}

fn parts_of(stmt: &Option<Stmt>) -> Vec<&Expr> {
    stmt.as_ref().map_or(Vec::new(), parts)
}

/// The bodies of the function literals in an expression that are in no other.
fn literals(x: &Expr) -> Vec<&Block> {
    let mut bodies = Vec::new();
    let mut todo = vec![x];
    while let Some(x) = todo.pop() {
        match &x.kind {
            ExprKind::FuncLit { body, .. } => bodies.push(&**body),
            ExprKind::CompositeLit { ty, elems, .. } => {
                todo.extend(elems.iter().rev().chain(ty.as_deref()));
            }
            ExprKind::KeyValue { key, value } => todo.extend([&**value, key]),
            ExprKind::Paren(x)
            | ExprKind::Star(x)
            | ExprKind::Unary { x, .. }
            | ExprKind::Selector { x, .. }
            | ExprKind::TypeAssert { x, .. } => todo.push(x),
            ExprKind::Index { x, indices } => todo.extend(indices.iter().rev().chain([&**x])),
            ExprKind::Slice { x, lo, hi, max, .. } => {
                let parts = [max, hi, lo].into_iter().filter_map(Option::as_deref);
                todo.extend(parts.chain([&**x]));
            }
            ExprKind::Call { fun, args, .. } => todo.extend(args.iter().rev().chain([&**fun])),
            ExprKind::Binary { x, y, .. } => todo.extend([&**y, x]),
            _ => (),
        }
    }
    bodies
}
