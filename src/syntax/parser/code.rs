//! Code from the command line: declarations and statements in any order, without what makes a file
//! of them.
//!
//! Declarations are the package's, statements are the body of its function `main`; `var` belongs
//! to the package until the first statement. Packages are imported by their use. Around the
//! statements there may be a loop over the lines of standard input.

use super::input::{
    Body, IsDecl, Run, begins_declaration, call_of, file_with, function_with, import_of, name_of,
    runs,
};
use crate::ast::{Block, Decl, Expr, ExprKind, File, ForStmt, LitKind, Stmt, StmtKind, UnOp};
use crate::diagnostics::Diagnostics;
use crate::lexer::{self, Tok, Token};
use rustc_hash::FxHashSet;
use source::{Pos, SourceFile, Symbol};

/// What a piece of code is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Declarations and statements.
    Code,
    /// An expression whose values are printed.
    Value,
    /// Statements that are run after the last line.
    End,
}

/// A piece of code.
#[derive(Clone, Copy, Debug)]
pub struct Chunk {
    pub role: Role,
    pub file: &'static SourceFile,
}

/// A loop over the lines of standard input; each is in the variable `line`, its fields in `F`.
#[derive(Clone, Copy, Debug)]
pub struct Loop {
    /// The line is printed at the end of each round.
    pub prints: bool,
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
    round: Option<Loop>,
    package_of: &dyn Fn(&str) -> Option<&'static str>,
    diagnostics: &mut Diagnostics,
) -> Option<File> {
    let mut code = Code::default();
    let (mut body, mut end) = (Vec::new(), Vec::new());
    for chunk in chunks {
        let around = match round {
            Some(_) if chunk.role != Role::End => Body::Loop,
            _ => Body::Function,
        };
        let stmts = code.statements(chunk, around, diagnostics);
        match chunk.role {
            Role::End => end.extend(stmts),
            Role::Code | Role::Value => body.extend(stmts),
        }
    }
    if diagnostics.has_syntax_errors() {
        return None;
    }
    let start = chunks
        .first()
        .map_or(Pos::NONE, |chunk| Pos(chunk.file.base));
    if let Some(round) = round {
        let pos = body.first().map_or(start, |stmt| stmt.pos);
        body = vec![code.lines(pos, round.prints, body)];
    }
    body.extend(end);
    let is_main =
        |d: &Decl| matches!(d, Decl::Func(f) if f.recv.is_none() && f.name.name.as_str() == "main");
    let has_main = code.file.iter().flat_map(|file| &file.decls).any(is_main);
    if !body.is_empty() || !has_main {
        let pos = body.first().map_or(start, |stmt| stmt.pos);
        code.keep(file_with(start, function_with("main", pos, body)));
    }
    let mut file = code.file?;
    let declared = names_of(&file.decls);
    let is_free = |name: &Symbol| !declared.contains(name);
    let mut used: Vec<Symbol> = code.qualifiers.into_iter().filter(is_free).collect();
    used.sort_by_key(|name| name.as_str());
    let mut imports: Vec<Decl> = used
        .iter()
        .filter_map(|name| Some(import_of(None, package_of(name.as_str())?)))
        .collect();
    if code.needs_helpers {
        imports.push(import_of(Some(HELPERS), HELPERS_PATH));
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
    /// Are the fields of a line mentioned?
    has_fields: bool,
    needs_helpers: bool,
    has_stmts: bool,
}

impl Code {
    /// Parses a chunk: keeps its declarations, returns its statements.
    fn statements(
        &mut self,
        chunk: &Chunk,
        around: Body,
        diagnostics: &mut Diagnostics,
    ) -> Vec<Stmt> {
        let file = chunk.file;
        let lexed = lexer::lex(file, diagnostics);
        self.look_at(&lexed.tokens);
        let is_decl: fn(bool) -> IsDecl = match chunk.role {
            Role::Value => |_| |_| false,
            Role::Code if !self.has_stmts => is_decl_after,
            Role::Code | Role::End => |_| is_decl_after(true),
        };
        let stmts = self.take(runs(file, &lexed, is_decl, around, diagnostics), around);
        self.has_stmts |= !stmts.is_empty();
        match chunk.role {
            Role::Value => Vec::from_iter(self.value(Pos(file.base), stmts, diagnostics)),
            Role::Code | Role::End => stmts,
        }
    }

    /// Notes what names the tokens mention.
    fn look_at(&mut self, tokens: &[Token]) {
        let mut before = None;
        for (i, &(_, tok, _)) in tokens.iter().enumerate() {
            if let Tok::Name(name) = tok
                && before != Some(Tok::Dot)
            {
                if tokens.get(i + 1).is_some_and(|next| next.1 == Tok::Dot) {
                    self.qualifiers.insert(name);
                }
                self.has_fields |= name.as_str() == FIELDS;
            }
            before = Some(tok);
        }
    }

    /// Keeps the declarations of runs; returns their statements.
    fn take(&mut self, runs: Vec<Run>, around: Body) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        for run in runs {
            match run {
                Run::Decls(tree) => self.keep(tree),
                Run::Stmts(mut tree) => {
                    if let Some(Decl::Func(init)) = tree.decls.pop()
                        && let Some(body) = init.body
                    {
                        stmts.extend(within(body, around));
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
        if diagnostics.has_syntax_errors() {
            return None;
        }
        let is_something = |s: &Stmt| !matches!(s.kind, StmtKind::Empty);
        let mut stmts = stmts.into_iter().filter(is_something);
        let (first, more) = (stmts.next(), stmts.next());
        let wrong_at = match (&first, more) {
            (None, _) => pos,
            (Some(_), Some(more)) => more.pos,
            (Some(first), None) => first.pos,
        };
        match first.map(|s| (s.pos, s.kind)) {
            Some((pos, StmtKind::Expr(e))) if wrong_at == pos => {
                Some(self.call("Print", pos, vec![e]))
            }
            _ => {
                diagnostics.syntax(wrong_at, "syntax error: -p wants one expression");
                None
            }
        }
    }

    /// `for line := ""; Next(&line); Put(line) { F := Fields(line); body }`
    fn lines(&mut self, pos: Pos, prints: bool, body: Vec<Stmt>) -> Stmt {
        let empty = ExprKind::BasicLit {
            kind: LitKind::String,
            text: "\"\"".into(),
        };
        let line = || name_of(pos, LINE);
        let init = define(pos, LINE, Expr::new(pos, empty));
        let address = ExprKind::Unary {
            op: UnOp::Addr,
            x: Box::new(line()),
        };
        let cond = self.helper("Next", pos, vec![Expr::new(pos, address)]);
        let post = prints.then(|| self.call("Put", pos, vec![line()]));
        let fields = self.has_fields.then(|| {
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
        call_of(HELPERS, function, pos, args)
    }
}

/// What is a declaration before the first statement, and behind it: there `var` is none.
fn is_decl_after(has_stmts: bool) -> IsDecl {
    match has_stmts {
        false => begins_declaration,
        true => |tokens| tokens[0].1 != Tok::Var && begins_declaration(tokens),
    }
}

/// The statements in a function's body, of which `around` says how they were put there.
fn within(body: Block, around: Body) -> Vec<Stmt> {
    let take = |stmt: Stmt| match stmt.kind {
        StmtKind::For(round) if around == Body::Loop => round.body.stmts,
        kind => vec![Stmt { kind, ..stmt }],
    };
    body.stmts.into_iter().flat_map(take).collect()
}

/// `variable := value`
fn define(pos: Pos, variable: &str, value: Expr) -> Stmt {
    let kind = StmtKind::Define {
        lhs: vec![name_of(pos, variable)],
        rhs: vec![value],
    };
    Stmt { pos, kind }
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
