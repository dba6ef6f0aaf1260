//! Tokens to a tree.
//!
//! The grammar is `grammar/go.lalrpop`; LALRPOP makes the automaton from it. This module feeds it: lex, mark the brackets
//! that LR(1) cannot tell apart (`retag`), limit nesting, run, and turn what was unexpected into Go's words (`errors`).
//!
//! # Invariants
//!
//! - P1. A tree is handed out only if the file has no syntax error.
//! - P2. Whatever the text, parsing ends without a panic; how deep a tree can get is bounded by [`MAX_NESTING`], except for the
//!   left spine of binary expressions (A2 of [`crate::ast`]).
//!
//! Go: cmd/compile/internal/syntax/parser.go.

mod actions;
mod branches;
mod retag;

#[allow(clippy::all, unused, unreachable_pub, dead_code, missing_docs)]
mod grammar {
    lalrpop_util::lalrpop_mod!(#[allow(clippy::all, unused, unreachable_pub)] go, "/go.rs");
    pub(super) use go::SourceFileParser;
    use super::actions;
}

use crate::ast::File;
use crate::diagnostics::Diagnostics;
use crate::lexer;
use crate::source::{Pos, SourceFile};
use actions::{Builder, Rejected};
use lalrpop_util::ParseError;

/// How deep constructs may nest.
pub const MAX_NESTING: usize = 50_000;

/// Parses a file. Reports into `diagnostics`; a tree comes out unless there were syntax errors.
///
/// The tree is meant to be leaked: dropping a very deep one takes as much stack as building it did not.
pub fn parse_file(file: &'static SourceFile, diagnostics: &mut Diagnostics) -> Option<File> {
    let lexed = lexer::lex(file, diagnostics);
    lexer::directive::apply_lines(file, &lexed.directives, diagnostics);
    let mut tokens = lexed.tokens;
    retag::mark_type_parameters(&mut tokens);
    let mut known: Vec<u32> = diagnostics.as_slice().iter().map(|d| d.pos.0).collect();
    known.sort_unstable();
    let mut builder = Builder::new(file, &tokens, &known, &lexed.directives);
    let result = grammar::SourceFileParser::new().parse(&mut builder, tokens.iter().copied());
    diagnostics.append(builder.diagnostics);
    match result {
        Ok(mut tree) => {
            tree.eof = Pos(file.base + file.text.len() as u32);
            Some(tree)
        }
        Err(e) => {
            let pos = match e {
                ParseError::UnrecognizedToken { token, .. } | ParseError::ExtraToken { token } => token.0,
                ParseError::User { error: Rejected(pos) } => pos,
                _ => file.base + file.text.len() as u32,
            };
            diagnostics.syntax(Pos(pos), "syntax error: unexpected token");
            None
        }
    }
}
