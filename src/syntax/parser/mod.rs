//! Tokens to a tree.
//!
//! The grammar is `grammar/go.lalrpop`; LALRPOP makes the automaton from it. This module feeds it:
//! lex, mark the brackets that LR(1) cannot tell apart (`retag`), limit nesting, run, and turn what
//! was unexpected into Go's words (`errors`).
//!
//! # Invariants
//!
//! - P1. A tree is handed out only if the file has no syntax error.
//! - P2. Whatever the text, parsing ends without a panic; how deep a tree can get is bounded by
//!   [`MAX_NESTING`], except for the left spine of binary expressions (ast::A2).
//!
//! Go: cmd/compile/internal/syntax/parser.go.

mod actions;
mod branches;
pub mod code;
pub mod constraint;
mod context;
pub mod embed;
mod errors;
pub mod input;
mod nesting;
mod pragma;
mod retag;

#[allow(clippy::all, unused, unreachable_pub, dead_code, missing_docs)]
mod grammar {
    lalrpop_util::lalrpop_mod!(
        #[allow(clippy::all, unused, unreachable_pub)]
        go,
        "/go.rs"
    );
    use super::actions;
    pub(super) use go::SourceParser;
}

use crate::ast::File;
use crate::diagnostics::Diagnostics;
use crate::lexer::directive::Directive;
use crate::lexer::{self, Token};
use actions::{Builder, Rejected};
use errors::{Repair, Stop};
use lalrpop_util::ParseError;
use rustc_hash::FxHashSet;
use source::{Pos, SourceFile};

/// How deep constructs may nest.
pub(crate) const MAX_NESTING: usize = 50_000;

/// On how many lines of a file syntax errors are looked for; no more than ten are ever shown.
const MAX_ERROR_LINES: usize = 11;

/// How often a file is mended and parsed again.
const MAX_ROUNDS: usize = 40;

/// Parses a file. Reports into `diagnostics`; a tree comes out unless there were syntax errors.
///
/// The tree is meant to be leaked (ast::A2).
pub fn parse_file(file: &'static SourceFile, diagnostics: &mut Diagnostics) -> Option<File> {
    let lexed = lexer::lex(file, diagnostics);
    lexer::directive::apply_lines(file, &lexed.directives, diagnostics);
    parse_tokens(file, lexed.tokens, &lexed.directives, diagnostics)
}

/// Parses the tokens of a file, or of a part of one between what makes it a file.
fn parse_tokens(
    file: &'static SourceFile,
    mut tokens: Vec<Token>,
    directives: &[Directive],
    diagnostics: &mut Diagnostics,
) -> Option<File> {
    retag::mark_type_parameters(&mut tokens);
    if let Some(i) = nesting::exceeds(&tokens, MAX_NESTING) {
        let message = "syntax error: exceeded max nesting depth";
        diagnostics.syntax(Pos(tokens[i].0), message);
        return None;
    }
    let end = file.base + file.text.len() as u32;
    let mut known: Vec<u32> = diagnostics.as_slice().iter().map(|d| d.pos.0).collect();
    known.sort_unstable();
    let (taken, mut untaken) = pragma::check(file, directives, &tokens, diagnostics);
    let mut errors = Diagnostics::new();
    // Each round either parses to the end, or finds one more error and mends the tokens there.
    let mut rounds = 0;
    let mut lines = FxHashSet::default();
    // Stops that Go's parser comes to after it has refused what stands before them: it looks at
    // what a header consists of before it asks for the brace.
    let mut late = Vec::new();
    let found = loop {
        rounds += 1;
        let mut builder = Builder::new(file, &tokens, &known, directives);
        let result = grammar::SourceParser::new().parse(&mut builder, tokens.iter().copied());
        let (mut found, later) = (builder.diagnostics, builder.later);
        found.append(builder.branches);
        let error = match result {
            Ok(mut tree) => {
                if !errors.has_syntax_errors() && !found.has_syntax_errors() {
                    diagnostics.append(errors);
                    diagnostics.append(found);
                    diagnostics.append(later);
                    tree.directives = Box::new(taken);
                    diagnostics.append(untaken);
                    tree.eof = Pos(end);
                    tree.go_version = constraint::go_version(directives, tree.pos);
                    return Some(tree);
                }
                std::mem::forget(tree);
                break found;
            }
            Err(e) => e,
        };
        let rejected = matches!(error, ParseError::User { .. });
        let (pos, expected) = match error {
            ParseError::UnrecognizedToken { token, expected } => (Some(token.0), expected),
            ParseError::UnrecognizedEof { expected, .. } => (None, expected),
            ParseError::User {
                error: Rejected(pos),
            } => (Some(pos), AFTER_OPERAND.map(String::from).to_vec()),
            ParseError::ExtraToken { token } => (Some(token.0), Vec::new()),
            ParseError::InvalidToken { location } => (Some(location), Vec::new()),
        };
        let expected: Vec<String> = expected
            .iter()
            .map(|e| e.trim_matches('"').to_string())
            .collect();
        let at = pos.map_or(tokens.len(), |pos| index_of(&tokens, pos));
        let stop = Stop {
            file,
            tokens: &tokens,
            at,
            expected: &expected,
            rejected,
        };
        let repair = stop.diagnose();
        let at_end = at == tokens.len();
        // Nothing more is said at the end of a file once there was an error.
        if !at_end || errors.is_empty() && diagnostics.is_empty() && found.is_empty() {
            let pos = tokens.get(repair.report_at).map_or(end, |t| t.0);
            if let Some(message) = repair.before {
                errors.error(Pos(pos), message);
            }
            if repair.after_header || found.refuses_before(Pos(pos)) {
                late.push(Pos(pos));
            }
            if repair.plain {
                errors.error(Pos(pos), repair.message.as_str());
            } else {
                errors.syntax(Pos(pos), format!("syntax error: {}", repair.message));
            }
            lines.insert(file.line(pos - file.base));
            let i = known.partition_point(|&p| p < pos);
            known.insert(i, pos);
        }
        // What ends too early after errors of another kind gets its end without a word:
        // the checker sees it.
        let is_silent =
            at_end && !errors.has_syntax_errors() && !found.has_syntax_errors() && lines.is_empty();
        if repair.fatal
            || at_end && !is_silent
            || rounds > MAX_ROUNDS
            || lines.len() > MAX_ERROR_LINES
        {
            break found;
        }
        mend(&mut tokens, &repair, end);
    };
    // From the first error on, what is skipped decides whether something takes a directive; one
    // right before it may find a taker behind what is skipped.
    let first = errors.as_slice().iter().chain(found.as_slice());
    if let Some(first) = first.filter(|d| d.is_syntax).map(|d| d.pos).min() {
        let before = tokens.partition_point(|t| t.0 < first.0);
        let known = before.checked_sub(1).map_or(0, |i| tokens[i].0);
        untaken.retain(|d| d.pos.0 < known);
        diagnostics.append(untaken);
    }
    errors.yield_to(&found, &late);
    diagnostics.append(errors);
    diagnostics.append_unless_on_reported_lines(found);
    None
}

/// The index of the token at `pos`; of several there,
/// those but the last were put in by [`mend`] and are empty.
fn index_of(tokens: &[Token], pos: u32) -> usize {
    let first = tokens.partition_point(|t| t.0 < pos);
    let same = tokens[first..].iter().take_while(|t| t.0 == pos).count();
    first + same.saturating_sub(1)
}

/// What can follow an operand, as far as error texts care.
const AFTER_OPERAND: [&str; 6] = [",", ";", ")", "]", "}", "+"];

/// Applies a repair. The new tokens are empty ones where the first removed one was.
fn mend(tokens: &mut Vec<Token>, repair: &Repair, end: u32) {
    let pos = tokens.get(repair.remove.start).map_or(end, |t| t.0);
    let insert = repair.insert.iter().map(|&tok| (pos, tok, pos));
    let to = repair.remove.end.min(tokens.len());
    tokens.splice(repair.remove.start..to, insert);
}
