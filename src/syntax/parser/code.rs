//! Code from the command line: declarations and statements in any order, without what makes a file
//! of them.
//!
//! Declarations are the package's, statements are the body of its function `main`; `var` belongs
//! to the package until the first statement. Packages are imported by their use. Around the
//! statements there may be a loop over the lines of standard input.

use super::input::{IsDecl, Run, begins_declaration, function_with, name_at, runs};
use crate::ast::{
    Block, Decl, Expr, ExprKind, File, ForStmt, ImportSpec, LitKind, Stmt, StmtKind, UnOp,
};
use crate::diagnostics::Diagnostics;
use crate::lexer::{self, Tok, Token};
use rustc_hash::FxHashSet;
use source::{Pos, SourceFile, Symbol};

/// A piece of code.
#[derive(Clone, Copy, Debug)]
pub enum Chunk {
    /// Declarations and statements.
    Code(&'static SourceFile),
    /// An expression whose values are printed.
    Value(&'static SourceFile),
}

/// A loop over the lines of standard input; each is in the variable `line`, its fields in `F`.
#[derive(Clone, Debug, Default)]
pub struct Loop {
    /// The line is printed at the end of each round.
    pub prints: bool,
    /// What is run after the last line.
    pub end: Vec<Chunk>,
}

/// The name under which the package of helpers is imported: none that can be typed.
const HELPERS: &str = "·oneliner";
/// Its path.
const HELPERS_PATH: &str = "internal/oneliner";

/// The names of a round's line and of its fields.
const LINE: &str = "line";
const FIELDS: &str = "F";

/// Makes a file of package main of `chunks`. `package_of` has the import paths of the packages that
/// are imported by use, by their names.
///
/// `None`: there are syntax errors, which are reported into `diagnostics`.
pub fn parse_code(
    chunks: &[Chunk],
    round: Option<&Loop>,
    package_of: &dyn Fn(&str) -> Option<&'static str>,
    diagnostics: &mut Diagnostics,
) -> Option<File> {
    let mut code = Code::default();
    let mut body = code.statements(chunks, diagnostics);
    if let Some(round) = round {
        let pos = body.first().map_or(Pos::NONE, |stmt| stmt.pos);
        let end = code.statements(&round.end, diagnostics);
        body = vec![code.lines(pos, round.prints, body)];
        body.extend(end);
    }
    let mut file = code.file?;
    if diagnostics.has_syntax_errors() {
        return None;
    }
    let has_main =
        |d: &Decl| matches!(d, Decl::Func(f) if f.recv.is_none() && f.name.name.as_str() == "main");
    if !body.is_empty() || !file.decls.iter().any(has_main) {
        let pos = body.first().map_or(file.pos, |stmt| stmt.pos);
        file.decls.push(function_with("main", pos, body));
    }
    let declared = names_of(&file.decls);
    let is_free = |name: &Symbol| !declared.contains(name);
    let mut used: Vec<Symbol> = code.qualifiers.into_iter().filter(is_free).collect();
    used.sort_by_key(|name| name.as_str());
    let mut imports: Vec<Decl> = used
        .iter()
        .filter_map(|name| Some(import(None, package_of(name.as_str())?)))
        .collect();
    if code.needs_helpers {
        imports.push(import(Some(HELPERS), HELPERS_PATH));
    }
    file.decls.splice(0..0, imports);
    Some(file)
}

/// What has been read so far.
#[derive(Default)]
struct Code {
    /// The declarations.
    file: Option<File>,
    /// Names that dots follow.
    qualifiers: FxHashSet<Symbol>,
    /// Where the fields of a line are mentioned first.
    fields: Option<Pos>,
    needs_helpers: bool,
    has_stmts: bool,
}

impl Code {
    /// Parses chunks: keeps their declarations, returns their statements.
    fn statements(&mut self, chunks: &[Chunk], diagnostics: &mut Diagnostics) -> Vec<Stmt> {
        let mut body = Vec::new();
        for &chunk in chunks {
            let (Chunk::Code(file) | Chunk::Value(file)) = chunk;
            let lexed = lexer::lex(file, diagnostics);
            self.look_at(&lexed.tokens);
            let stmts = match chunk {
                Chunk::Code(_) if self.has_stmts => {
                    let is_decl: fn(bool) -> IsDecl = |_| is_decl_after(true);
                    self.take(runs(file, &lexed, is_decl, diagnostics))
                }
                Chunk::Code(_) => self.take(runs(file, &lexed, is_decl_after, diagnostics)),
                Chunk::Value(_) => {
                    let none: fn(bool) -> IsDecl = |_| |_| false;
                    let stmts = self.take(runs(file, &lexed, none, diagnostics));
                    let stmt = self.value(Pos(file.base), stmts, diagnostics);
                    stmt.into_iter().collect()
                }
            };
            self.has_stmts |= !stmts.is_empty();
            body.extend(stmts);
        }
        body
    }

    /// Notes what names the tokens mention.
    fn look_at(&mut self, tokens: &[Token]) {
        let mut before = None;
        for (i, &(pos, tok, _)) in tokens.iter().enumerate() {
            if let Tok::Name(name) = tok
                && before != Some(Tok::Dot)
            {
                if tokens.get(i + 1).is_some_and(|next| next.1 == Tok::Dot) {
                    self.qualifiers.insert(name);
                }
                if name.as_str() == FIELDS {
                    self.fields.get_or_insert(Pos(pos));
                }
            }
            before = Some(tok);
        }
    }

    /// Keeps the declarations of runs; returns their statements.
    fn take(&mut self, runs: Vec<Run>) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        for run in runs {
            match run {
                Run::Decls(tree) => self.keep(tree),
                Run::Stmts(mut tree) => {
                    if let Some(Decl::Func(init)) = tree.decls.pop()
                        && let Some(body) = init.body
                    {
                        stmts.extend(body.stmts);
                    }
                    self.keep(tree);
                }
            }
        }
        stmts
    }

    fn keep(&mut self, tree: File) {
        let Some(file) = &mut self.file else {
            self.file = Some(tree);
            return;
        };
        file.decls.extend(tree.decls);
        let (all, new) = (&mut file.directives, tree.directives);
        all.misplaced.extend(new.misplaced);
        all.embeds.extend(new.embeds);
        all.linknames.extend(new.linknames);
    }

    /// The statement that prints the expression which `stmts` should be.
    fn value(&mut self, pos: Pos, stmts: Vec<Stmt>, diagnostics: &mut Diagnostics) -> Option<Stmt> {
        let mut stmts = stmts
            .into_iter()
            .filter(|s| !matches!(s.kind, StmtKind::Empty));
        let (first, more) = (stmts.next(), stmts.next());
        let wrong_at = match (&first, &more) {
            (
                Some(Stmt {
                    kind: StmtKind::Expr(_),
                    ..
                }),
                None,
            ) => None,
            (
                Some(Stmt {
                    kind: StmtKind::Expr(_),
                    ..
                }),
                Some(more),
            ) => Some(more.pos),
            (Some(first), _) => Some(first.pos),
            // Where it has not been parsed, that has been reported.
            (None, _) if diagnostics.has_syntax_errors() => return None,
            (None, _) => Some(pos),
        };
        if let Some(pos) = wrong_at {
            diagnostics.syntax(pos, "syntax error: -p wants one expression");
        }
        let Some(Stmt {
            pos,
            kind: StmtKind::Expr(e),
        }) = first
        else {
            return None;
        };
        Some(self.call("Print", pos, vec![e]))
    }

    /// `for line := ""; Next(&line); Put(line) { F := Fields(line); body }`
    fn lines(&mut self, pos: Pos, prints: bool, body: Vec<Stmt>) -> Stmt {
        let empty = ExprKind::BasicLit {
            kind: LitKind::String,
            text: "\"\"".into(),
        };
        let line = || name(pos, LINE);
        let init = define(pos, LINE, Expr::new(pos, empty));
        let address = ExprKind::Unary {
            op: UnOp::Addr,
            x: Box::new(line()),
        };
        let cond = self.helper("Next", pos, vec![Expr::new(pos, address)]);
        let post = prints.then(|| self.call("Put", pos, vec![line()]));
        let fields = self.fields.map(|_| {
            let fields = self.helper("Fields", pos, vec![line()]);
            define(Pos::NONE, FIELDS, fields)
        });
        let body = Block {
            pos,
            stmts: fields.into_iter().chain(body).collect(),
            end: pos,
        };
        let kind = StmtKind::For(Box::new(ForStmt {
            init: Some(init),
            cond: Some(cond),
            post,
            body,
        }));
        Stmt { pos, kind }
    }

    /// A call of a helper as a statement.
    fn call(&mut self, function: &str, pos: Pos, args: Vec<Expr>) -> Stmt {
        let kind = StmtKind::Expr(self.helper(function, pos, args));
        Stmt { pos, kind }
    }

    /// A call of a helper.
    fn helper(&mut self, function: &str, pos: Pos, args: Vec<Expr>) -> Expr {
        self.needs_helpers = true;
        let fun = ExprKind::Selector {
            x: Box::new(name(pos, HELPERS)),
            sel: name_at(pos, function),
        };
        let call = ExprKind::Call {
            fun: Box::new(Expr::new(pos, fun)),
            args,
            ellipsis: None,
            rparen: pos,
        };
        Expr::new(pos, call)
    }
}

/// What is a declaration before the first statement, and behind it: there `var` is none.
fn is_decl_after(has_stmts: bool) -> IsDecl {
    match has_stmts {
        false => begins_declaration,
        true => |tokens| tokens[0].1 != Tok::Var && begins_declaration(tokens),
    }
}

fn name(pos: Pos, name: &str) -> Expr {
    Expr::new(pos, ExprKind::Name(Symbol::new(name)))
}

/// `variable := value`
fn define(pos: Pos, variable: &str, value: Expr) -> Stmt {
    let kind = StmtKind::Define {
        lhs: vec![name(pos, variable)],
        rhs: vec![value],
    };
    Stmt { pos, kind }
}

/// An import that nobody has written: it has no place.
fn import(local: Option<&str>, path: &str) -> Decl {
    Decl::Import(ImportSpec {
        pos: Pos::NONE,
        name: local.map(|name| name_at(Pos::NONE, name)),
        path: path.to_string(),
        path_pos: Pos::NONE,
        is_bad: false,
    })
}

/// The names that declarations give a meaning to in the file.
fn names_of(decls: &[Decl]) -> FxHashSet<Symbol> {
    let mut names = FxHashSet::default();
    for decl in decls {
        match decl {
            Decl::Import(spec) => {
                let last = spec.path.rsplit('/').next().unwrap_or_default();
                names.insert(spec.name.map_or_else(|| Symbol::new(last), |n| n.name));
            }
            Decl::Const(spec) => names.extend(spec.names.iter().map(|n| n.name)),
            Decl::Var(spec) => names.extend(spec.names.iter().map(|n| n.name)),
            Decl::Type(spec) => _ = names.insert(spec.name.name),
            Decl::Func(func) if func.recv.is_none() => _ = names.insert(func.name.name),
            Decl::Func(_) => {}
        }
    }
    names
}
