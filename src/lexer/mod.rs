//! Text to tokens.
//!
//! The whole file is lexed into a vector before parsing starts: the parser's passes look ahead and behind in it, and
//! error texts are made from it. Semicolons are inserted on the way. What is wrong inside a token is reported here, with
//! Go's wording, and the token is delivered all the same.
//!
//! # Invariants
//!
//! - L1. Tokens are in order and do not overlap; spans are values of [`Pos`].
//! - L2. The last token before the end of a file that needs a semicolon is followed by `Semi(Eof)`.
//!
//! Spec: Lexical elements. Go: cmd/compile/internal/syntax/scanner.go.

pub mod directive;
mod literal;
mod token;

pub use literal::{unquote, unquote_rune};
pub use token::{SemiKind, Tok, Token};

use crate::diagnostics::Diagnostics;
use crate::source::{Pos, SourceFile, Symbol};
use directive::Directive;
use logos::Logos;
use rustc_hash::FxHashMap;

/// What a file's text comes to.
pub struct Lexed {
    pub tokens: Vec<Token>,
    /// `//go:` and `//line` comments, in order.
    pub directives: Vec<Directive>,
}

/// State of one lexer run; the token rules reach it as `extras`.
#[derive(Default)]
pub struct Scanner {
    /// Added to offsets to make positions.
    base: u32,
    symbols: FxHashMap<&'static str, Symbol>,
    errors: Vec<(u32, String)>,
    directives: Vec<Directive>,
    /// Offsets of the literals with errors.
    bad_literals: Vec<u32>,
}

/// Lexes a file. Reports every malformed token; never fails.
pub fn lex(file: &'static SourceFile, diagnostics: &mut Diagnostics) -> Lexed {
    let text = file.text;
    let skip = if text.starts_with("#!") {
        memchr::memchr(b'\n', text.as_bytes()).unwrap_or(text.len())
    } else if text.starts_with('\u{FEFF}') {
        3
    } else {
        0
    };
    let scanner = Scanner {
        base: file.base,
        ..Scanner::default()
    };
    let mut lexer = Tok::lexer_with_extras(text, scanner);
    lexer.bump(skip);
    let mut tokens: Vec<Token> = Vec::with_capacity(text.len() / 4 + 2);
    let mut needs_semi = false;
    while let Some(result) = lexer.next() {
        let span = lexer.span();
        let (start, end) = (file.base + span.start as u32, file.base + span.end as u32);
        match result {
            Ok(Tok::Semi(SemiKind::Newline) | Tok::Comment) => {
                if needs_semi {
                    tokens.push((start, Tok::Semi(SemiKind::Newline), end));
                    needs_semi = false;
                }
            }
            Ok(Tok::Lit(kind))
                if lexer.extras.bad_literals.last() == Some(&(span.start as u32)) =>
            {
                needs_semi = true;
                tokens.push((start, Tok::BadLit(kind), end));
            }
            Ok(tok) => {
                needs_semi = tok.ends_statement();
                tokens.push((start, tok, end));
            }
            Err(()) => {
                let c = lexer.slice().chars().next().unwrap_or('\0');
                // A NUL is reported below, wherever it stands.
                if c != '\0' {
                    let message = format!("invalid character {}", literal::unicode_name(c));
                    lexer.extras.errors.push((span.start as u32, message));
                }
            }
        }
    }
    if needs_semi {
        let end = file.base + text.len() as u32;
        tokens.push((end, Tok::Semi(SemiKind::Eof), end));
    }
    let scanner = lexer.extras;
    for offset in memchr::memmem::find_iter(text.as_bytes(), "\u{FEFF}") {
        if offset > 0 {
            let pos = Pos(file.base + offset as u32);
            diagnostics.error(pos, "invalid BOM in the middle of the file");
        }
    }
    for offset in memchr::memchr_iter(0, text.as_bytes()) {
        let pos = Pos(file.base + offset as u32);
        diagnostics.error(pos, "invalid NUL character");
    }
    for &offset in &file.bad_utf8 {
        diagnostics.error(Pos(file.base + offset), "invalid UTF-8 encoding");
    }
    for (offset, message) in scanner.errors {
        diagnostics.error(Pos(file.base + offset), message);
    }
    Lexed {
        tokens,
        directives: scanner.directives,
    }
}
