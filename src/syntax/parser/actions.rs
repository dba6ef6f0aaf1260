//! What the grammar's rules call: nodes from parts, and the checks grammar leaves to us.
//!
//! The grammar is generous (any list as a statement, any simple statement as a condition, `...` on
//! any parameter); what it lets through too much is reported here, with Go's text, and replaced by
//! [`ExprKind::Bad`] or left out, so that a tree handed out obeys ast::A1.
//!
//! Errors whose text begins with "syntax error:" are syntax errors; the others, though found while
//! parsing, do not keep the checker from running, as in cmd/compile.
//!
//! Go: cmd/compile/internal/syntax/parser.go.

mod decl;
mod expr;
mod params;
mod stmt;

use super::branches;
use crate::ast::*;
use crate::diagnostics::Diagnostics;
use crate::lexer::directive::Directive;
use crate::lexer::{SemiKind, Tok, Token};
pub(super) use expr::*;
use lalrpop_util::ParseError;
pub(super) use params::*;
use source::{Pos, SourceFile};
pub(super) use stmt::*;

/// Grammar accepted it, a check did not: the token at this position is the unexpected one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rejected(pub u32);

type Checked<T> = Result<T, ParseError<u32, Tok, Rejected>>;

/// What the actions of one run share.
pub(super) struct Builder<'s> {
    pub(super) file: &'static SourceFile,
    pub(super) tokens: &'s [Token],
    pub(super) diagnostics: Diagnostics,
    /// Labels and jumps that are wrong, which do not count as errors of the bodies around.
    pub(super) branches: Diagnostics,
    /// What Go leaves to its type checker: not reported beside syntax errors.
    pub(super) later: Diagnostics,
    /// Positions of errors known before this run, in order: no branch checks around them.
    pub(super) known_errors: &'s [u32],
    pub(super) directives: &'s [Directive],
    /// Directives before this index have been given out.
    next_directive: usize,
    /// End of the last top-level declaration;
    /// directives before it belong to no declaration that follows.
    last_decl_end: u32,
    seen_other_decl: bool,
}

/// A literal's token; `bad`: the lexer has reported it.
pub(super) struct Literal {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) kind: LitKind,
    pub(super) bad: bool,
}

impl<'s> Builder<'s> {
    pub(super) fn new(
        file: &'static SourceFile,
        tokens: &'s [Token],
        known_errors: &'s [u32],
        directives: &'s [Directive],
    ) -> Builder<'s> {
        Builder {
            file,
            tokens,
            diagnostics: Diagnostics::new(),
            branches: Diagnostics::new(),
            later: Diagnostics::new(),
            known_errors,
            directives,
            next_directive: 0,
            last_decl_end: 0,
            seen_other_decl: false,
        }
    }

    fn syntax(&mut self, pos: Pos, message: &str) {
        self.diagnostics
            .syntax(pos, format!("syntax error: {message}"));
    }

    fn error(&mut self, pos: Pos, message: impl Into<String>) {
        self.diagnostics.error(pos, message);
    }

    fn text(&self, start: u32, end: u32) -> &'static str {
        let base = self.file.base;
        &self.file.text[(start - base) as usize..(end - base) as usize]
    }

    /// The first token at or after `pos`.
    fn token_from(&self, pos: u32) -> Option<Tok> {
        let i = self.tokens.partition_point(|t| t.0 < pos);
        self.tokens.get(i).map(|t| t.1)
    }

    /// The value of a string literal as UTF-8.
    fn string_value(&self, lit: &Literal) -> String {
        let bytes = crate::ast::literal::unquote(self.text(lit.start, lit.end)).unwrap_or_default();
        String::from_utf8(bytes)
            .unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())
    }

    /// Checks labels and jumps of a function's body, unless it has errors already.
    fn check_branches(&mut self, body: &Block) {
        let range = body.pos.0..=body.end.0;
        let i = self.known_errors.partition_point(|&p| p < body.pos.0);
        if self.known_errors.get(i).is_some_and(|p| range.contains(p)) {
            return;
        }
        let found = self.diagnostics.as_slice();
        if found.iter().rev().any(|d| range.contains(&d.pos.0)) {
            return;
        }
        branches::check(body, &mut self.branches);
    }
}

/// How error texts name a semicolon.
pub(super) fn semi_text(kind: SemiKind) -> &'static str {
    match kind {
        SemiKind::Semicolon => "semicolon",
        SemiKind::Newline => "newline",
        SemiKind::Eof => "EOF",
    }
}
