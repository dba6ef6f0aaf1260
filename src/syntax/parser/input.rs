//! What is typed at a prompt: declarations and statements in any order.
//!
//! An input is cut into runs of declarations and runs of statements. Each is parsed as a file of
//! its own: what is missing around it, the package clause and a function for the statements, is put
//! in as tokens without text. So one grammar serves both, and positions are those of the input.

use super::parse_tokens;
use crate::ast::{
    Block, Decl, Expr, ExprKind, File, FuncDecl, FuncSig, Ident, ImportSpec, NodeId, Stmt,
    StmtKind, VarSpec,
};
use crate::diagnostics::Diagnostics;
use crate::lexer::{self, Scanner, SemiKind, Tok, Token};
use logos::Logos;
use source::{Pos, SourceFile, Symbol};

/// A part of an input, to be checked and run before the next one.
#[derive(Debug)]
pub enum Piece {
    /// Declarations at package level, imports among them.
    Decls(File),
    /// Variables whose names mean in it what they meant before: `x := x + 1`.
    Vars(File),
    /// A function `init` whose body are the statements.
    Stmts(File),
    /// An expression.
    Value(Expr),
}

/// Cuts an input into its parts; `None` if there are syntax errors, which are reported into
/// `diagnostics`.
pub fn parse_input(file: &'static SourceFile, diagnostics: &mut Diagnostics) -> Option<Vec<Piece>> {
    let lexed = lexer::lex(file, diagnostics);
    let mut pieces = Vec::new();
    for run in runs(
        file,
        &lexed,
        |_| begins_declaration,
        Body::Function,
        diagnostics,
    ) {
        match run {
            Run::Stmts(tree) => cut(tree, &mut pieces),
            // A declaration that stands alone is like one in a function.
            Run::Decls(tree) if matches!(tree.decls[..], [Decl::Var(_)]) => {
                pieces.push(Piece::Vars(tree));
            }
            Run::Decls(tree) => pieces.push(Piece::Decls(tree)),
        }
    }
    (!diagnostics.has_syntax_errors()).then_some(pieces)
}

/// A part of a text in which declarations and statements alternate.
pub(super) enum Run {
    Decls(File),
    /// A function `init` with the statements in it.
    Stmts(File),
}

/// What the statements of a text are the body of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Body {
    Function,
    /// A loop, which is all that the function consists of.
    Loop,
}

/// Says of the tokens from an item's first one on whether it is a declaration.
pub(super) type IsDecl = fn(&[Token]) -> bool;

/// Cuts a text into runs and parses each. What is a declaration may depend on whether statements
/// have come before it.
pub(super) fn runs(
    file: &'static SourceFile,
    lexed: &lexer::Lexed,
    is_decl_after: fn(bool) -> IsDecl,
    body: Body,
    diagnostics: &mut Diagnostics,
) -> Vec<Run> {
    let tokens = &lexed.tokens;
    let mut runs = Vec::new();
    let mut has_stmts = false;
    let mut at = 0;
    while at < tokens.len() {
        let start = at;
        let is_decl = is_decl_after(has_stmts)(&tokens[at..]);
        has_stmts |= !is_decl;
        let begins = is_decl_after(has_stmts);
        while at < tokens.len() && begins(&tokens[at..]) == is_decl {
            at = end_of_item(tokens, at, is_decl, begins);
        }
        let from = if start == 0 {
            file.base
        } else {
            tokens[start].0
        };
        let to = tokens.get(at).map_or(u32::MAX, |t| t.0);
        let within = |d: &&lexer::directive::Directive| (from..to).contains(&d.pos.0);
        let directives: Vec<_> = lexed.directives.iter().filter(within).cloned().collect();
        let wrapped = wrap(&tokens[start..at], (!is_decl).then_some(body));
        if wrapped.is_empty() {
            continue;
        }
        let tree = parse_tokens(file, wrapped, &directives, diagnostics);
        runs.extend(tree.map(|tree| match is_decl {
            true => Run::Decls(tree),
            false => Run::Stmts(tree),
        }));
    }
    runs
}

/// Cuts the statements of the only function of `file` into parts.
fn cut(mut file: File, into: &mut Vec<Piece>) {
    let Some(Decl::Func(mut init)) = file.decls.pop() else {
        return;
    };
    let body = init
        .body
        .as_mut()
        .map(|body| std::mem::take(&mut body.stmts));
    let mut run: Vec<Stmt> = Vec::new();
    let flush = |run: &mut Vec<Stmt>, into: &mut Vec<Piece>| {
        if let Some(first) = run.first() {
            let init = init_with(first.pos, std::mem::take(run));
            into.push(Piece::Stmts(file_with(file.pos, init)));
        }
    };
    for stmt in body.into_iter().flatten() {
        match stmt.kind {
            StmtKind::Empty => {}
            // What follows a `defer` or `return` belongs to the function that it is about.
            StmtKind::Expr(e) if !run.iter().any(is_about_function) => {
                flush(&mut run, into);
                into.push(Piece::Value(e));
            }
            StmtKind::Define { lhs, rhs } => {
                flush(&mut run, into);
                let spec = variables(stmt.pos, lhs, rhs);
                into.push(Piece::Vars(file_with(file.pos, Decl::Var(spec))));
            }
            kind => run.push(Stmt { kind, ..stmt }),
        }
    }
    flush(&mut run, into);
}

fn is_about_function(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Defer(_) | StmtKind::Return(_))
}

/// What `lhs := rhs` declares.
fn variables(pos: Pos, lhs: Vec<Expr>, rhs: Vec<Expr>) -> VarSpec {
    let name = |e: Expr| match e.kind {
        ExprKind::Name(name) => Some(Ident {
            pos: e.pos,
            name,
            id: e.id,
        }),
        _ => None,
    };
    let names: Vec<Ident> = lhs.into_iter().filter_map(name).collect();
    VarSpec {
        pos: names.first().map_or(pos, |n| n.pos),
        names,
        ty: None,
        values: rhs,
        group: 0,
    }
}

/// The file of package main that has this declaration only, which stands at `pos`.
pub fn file_with(pos: Pos, decl: Decl) -> File {
    File {
        pos,
        package: name_at(pos, "main"),
        decls: vec![decl],
        eof: pos,
        go_version: None,
        directives: Box::default(),
    }
}

/// A function `init` of these statements.
pub fn init_with(pos: Pos, stmts: Vec<Stmt>) -> Decl {
    function_with("init", pos, stmts)
}

/// A function of these statements, without parameters.
pub(super) fn function_with(function: &str, pos: Pos, stmts: Vec<Stmt>) -> Decl {
    let body = Block {
        pos,
        stmts,
        end: pos,
    };
    Decl::Func(Box::new(FuncDecl {
        name: name_at(pos, function),
        receiver: None,
        pos,
        at: pos,
        recv: None,
        tparams: Vec::new(),
        sig: FuncSig {
            pos,
            params: Vec::new(),
            results: Vec::new(),
        },
        body: Some(body),
        pragmas: Vec::new(),
    }))
}

/// A name that stands at `pos`.
pub fn name_at(pos: Pos, name: &str) -> Ident {
    Ident {
        pos,
        name: Symbol::new(name),
        id: NodeId::fresh(),
    }
}

/// A name as an expression.
pub fn name_of(pos: Pos, name: &str) -> Expr {
    Expr::new(pos, ExprKind::Name(Symbol::new(name)))
}

/// A call of a package's function, all of which stands at `pos`.
pub fn call_of(package: &str, function: &str, pos: Pos, args: Vec<Expr>) -> Expr {
    let fun = ExprKind::Selector {
        x: Box::new(name_of(pos, package)),
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

/// An import that no text has: it has no place.
pub fn import_of(local: Option<&str>, path: &str) -> Decl {
    Decl::Import(ImportSpec {
        pos: Pos::NONE,
        name: local.map(|name| name_at(Pos::NONE, name)),
        path: path.to_string(),
        path_pos: Pos::NONE,
        is_bad: false,
    })
}

/// The tokens of a file that consists of these, which are declarations unless said; package clauses
/// among them are dropped.
fn wrap(run: &[Token], stmts: Option<Body>) -> Vec<Token> {
    let (Some(first), Some(last)) = (run.first(), run.last()) else {
        return Vec::new();
    };
    let name = |name| Tok::Name(Symbol::new(name));
    let semi = Tok::Semi(SemiKind::Semicolon);
    let mut before = vec![Tok::Package, name("main"), semi];
    let mut after = Vec::new();
    if let Some(body) = stmts {
        let (open, close) = (Tok::LParen, Tok::RParen);
        before.extend([Tok::Func, name("init"), open, close, Tok::LBrace]);
        if body == Body::Loop {
            before.extend([Tok::For, Tok::LBrace]);
            after.extend([Tok::RBrace, semi]);
        }
        after.extend([Tok::RBrace, semi]);
    }
    let mut body = Vec::with_capacity(run.len());
    let mut rest = run;
    while let [first, tail @ ..] = rest {
        match (first.1, tail) {
            (Tok::Package, [(_, Tok::Name(_), _), (_, Tok::Semi(_), _), tail @ ..])
                if stmts.is_none() =>
            {
                rest = tail;
            }
            _ => {
                body.push(*first);
                rest = tail;
            }
        }
    }
    if body.is_empty() {
        return Vec::new();
    }
    let at = |pos: u32| move |tok: Tok| (pos, tok, pos);
    let before = before.into_iter().map(at(first.0));
    let after = after.into_iter().map(at(last.2));
    before.chain(body).chain(after).collect()
}

/// Whether the item at the beginning of `tokens` is one that stands at package level.
pub(super) fn begins_declaration(tokens: &[Token]) -> bool {
    match tokens[0].1 {
        Tok::Package | Tok::Import | Tok::Const | Tok::Type | Tok::Var => true,
        Tok::Func => match tokens.get(1).map(|t| t.1) {
            Some(Tok::Name(_)) => true,
            // A method has a name behind its receiver, and then parameters; a function literal may
            // have a result there.
            Some(Tok::LParen) => {
                let after = after_bracket(tokens, 1);
                let is_name = matches!(tokens.get(after), Some((_, Tok::Name(_), _)));
                let next = match tokens.get(after + 1).map(|t| t.1) {
                    Some(Tok::LBrack) => after_bracket(tokens, after + 1),
                    _ => after + 1,
                };
                is_name && matches!(tokens.get(next), Some((_, Tok::LParen, _)))
            }
            _ => false,
        },
        _ => false,
    }
}

/// The index behind the bracket that closes the one at `at`.
fn after_bracket(tokens: &[Token], at: usize) -> usize {
    let mut depth = 0;
    for (i, token) in tokens.iter().enumerate().skip(at) {
        depth += depth_change(token.1);
        if depth <= 0 {
            return i + 1;
        }
    }
    tokens.len()
}

fn depth_change(tok: Tok) -> i32 {
    match tok {
        Tok::LParen | Tok::LBrack | Tok::LBrace => 1,
        Tok::RParen | Tok::RBrack | Tok::RBrace => -1,
        _ => 0,
    }
}

/// The index behind the item at `at`. A run of statements ends where a declaration begins; which
/// semicolons end statements only the parser knows.
fn end_of_item(tokens: &[Token], at: usize, is_decl: bool, begins: IsDecl) -> usize {
    let mut depth = 0;
    for (i, token) in tokens.iter().enumerate().skip(at) {
        depth += depth_change(token.1);
        let is_end = depth <= 0 && matches!(token.1, Tok::Semi(_));
        let next = &tokens[i + 1..];
        if is_end && (is_decl || next.first().is_some_and(|_| begins(next))) {
            return i + 1;
        }
    }
    tokens.len()
}

/// Whether more must follow: a bracket, comment or raw string is open, or an operator or keyword
/// waits for what it is about.
///
/// Where a line ends inside parentheses and needs a comma there, what follows could not mend it.
pub fn is_incomplete(text: &str) -> bool {
    let mut lexer = Tok::lexer_with_extras(text, Scanner::default());
    // What is open, and whether statements or declarations stand there.
    let mut open: Vec<bool> = Vec::new();
    let mut last = None;
    let mut is_literal_open = false;
    while let Some(result) = lexer.next() {
        let Ok(tok) = result else { return false };
        let takes_lines = match tok {
            Tok::LBrace => true,
            _ => matches!(last, Some(Tok::Import | Tok::Const | Tok::Type | Tok::Var)),
        };
        match depth_change(tok) {
            1 => open.push(takes_lines),
            -1 => _ = open.pop(),
            _ => {}
        }
        let unfinished = |s: &str| s.starts_with('`') && (s.len() < 2 || !s.ends_with('`'));
        is_literal_open = match tok {
            Tok::Lit(_) | Tok::BadLit(_) => unfinished(lexer.slice()),
            _ => false,
        };
        match tok {
            Tok::Semi(SemiKind::Newline) | Tok::Comment => {
                let ends = last.is_some_and(Tok::ends_statement);
                if ends && open.last() == Some(&false) {
                    return false;
                }
            }
            tok => last = Some(tok),
        }
    }
    let is_comment_open = lexer.extras.last_error() == Some("comment not terminated");
    if is_literal_open || is_comment_open {
        return true;
    }
    let is_directive = || text.lines().last().is_some_and(|l| l.starts_with("//go:"));
    match (last, open.last()) {
        (None, _) => is_directive(),
        (Some(tok), Some(takes_lines)) => *takes_lines || !tok.ends_statement(),
        (Some(tok), None) => !tok.ends_statement() && !matches!(tok, Tok::Semi(_)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<&'static str> {
        let file = source::map().add("input", "input", text.to_string());
        let mut diagnostics = Diagnostics::new();
        let pieces = parse_input(file, &mut diagnostics);
        assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
        let kind = |piece: &Piece| match piece {
            Piece::Decls(_) => "decls",
            Piece::Vars(_) => "vars",
            Piece::Stmts(_) => "stmts",
            Piece::Value(_) => "value",
        };
        pieces.iter().flatten().map(kind).collect()
    }

    #[test]
    fn inputs_are_cut_into_pieces() {
        assert_eq!(kinds("x := 6"), ["vars"]);
        assert_eq!(
            kinds("for i := 0; i < 3; i++ { f() }\ng()"),
            ["stmts", "value"]
        );
        assert_eq!(
            kinds("func f() {}\nfunc (T) m() {}\nf()"),
            ["decls", "value"]
        );
        assert_eq!(kinds("func() {}()"), ["value"]);
        assert_eq!(kinds("func(a int) bool { return true }(1)"), ["value"]);
        assert_eq!(kinds("package main\nimport \"fmt\"\nvar x = 1"), ["decls"]);
        assert_eq!(kinds("package main\n"), Vec::<&str>::new());
        assert_eq!(kinds("var x = x + 1"), ["vars"]);
        assert_eq!(kinds("f(); defer g(); h()"), ["value", "stmts"]);
        let mixed = "x++; y = x; type T int; var y T; y++; z := y; z";
        assert_eq!(kinds(mixed), ["stmts", "decls", "stmts", "vars", "value"]);
    }

    #[test]
    fn what_must_go_on_is_known() {
        for text in [
            "f(",
            "x +",
            "x := []int{",
            "func f() {\n",
            "s := `a\nb",
            "/* a",
            "x :=",
            "type T struct",
            "if x {\n}\nfor",
            "f.",
            "//go:noinline",
            "f(1,",
            "f(func() {\n\tx",
            "import (\n\t\"fmt\"",
        ] {
            assert!(is_incomplete(text), "{text}");
        }
        for text in [
            "x",
            "f()",
            "func f() {\n}",
            "`a`",
            "x++",
            "",
            "/* a */",
            "a)",
            "x;",
            "\"a",
            "// a",
        ] {
            assert!(!is_incomplete(text), "{text}");
        }
    }
}
