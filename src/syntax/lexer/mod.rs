//! Text to tokens.
//!
//! The whole file is lexed into a vector before parsing starts: the parser's passes look ahead and
//! behind in it, and error texts are made from it. Semicolons are inserted on the way. What is
//! wrong inside a token is reported here, with Go's wording, and the token is delivered all the
//! same.
//!
//! # Invariants
//!
//! - L1. Tokens are in order and do not overlap; spans are values of [`Pos`].
//! - L2. The last token before the end of a file that needs a semicolon is followed by `Semi(Eof)`.
//!
//! Spec: Lexical elements. Go: cmd/compile/internal/syntax/scanner.go.

pub mod directive;
mod literal;
pub mod outline;
mod token;

pub use token::{SemiKind, Tok, Token};

use crate::diagnostics::Diagnostics;
use directive::Directive;
use logos::Logos;
use outline::Piece;
use source::{Pos, SourceFile};
use std::ops::Range;

/// What a file's text comes to.
pub(crate) struct Lexed {
    pub tokens: Vec<Token>,
    /// `//go:` and `//line` comments, in order.
    pub directives: Vec<Directive>,
}

/// State of one lexer run; the token rules reach it as `extras`.
#[derive(Default)]
pub struct Scanner {
    /// Added to offsets to make positions.
    base: u32,
    errors: Vec<(u32, String)>,
    directives: Vec<Directive>,
    /// Offsets of the literals with errors.
    bad_literals: Vec<u32>,
}

/// Lexes a file. Reports every malformed token; never fails.
pub(crate) fn lex(file: &'static SourceFile, diagnostics: &mut Diagnostics) -> Lexed {
    for at in memchr::memmem::find_iter(file.text.as_bytes(), "\u{FEFF}") {
        if at > 0 {
            let pos = Pos(file.base + at as u32);
            diagnostics.error(pos, "invalid BOM in the middle of the file");
        }
    }
    for at in memchr::memchr_iter(0, file.text.as_bytes()) {
        diagnostics.error(Pos(file.base + at as u32), "invalid NUL character");
    }
    for &at in &file.bad_utf8 {
        diagnostics.error(Pos(file.base + at), "invalid UTF-8 encoding");
    }
    let mut run = Run::new(file, file.text, 0);
    run.lex_to(file.text.len(), None);
    run.finish(diagnostics)
}

/// Lexes what lies in these ranges of a file, in order; each ends with a line.
pub(crate) fn lex_ranges(
    file: &'static SourceFile,
    ranges: &[Piece],
    diagnostics: &mut Diagnostics,
) -> Lexed {
    let mut run = Run::new(file, file.text, 0);
    for range in ranges.iter().map(|piece| piece.range()) {
        run.skip_to(range.start);
        run.lex_to(range.end, None);
    }
    run.finish(diagnostics)
}

/// Lexes the declaration of a function or type in a range of a file;
/// of a function's body only the braces.
///
/// The text must be as gofmt leaves it: a body either stands on one line, which ends with it, or
/// ends with the first `}` that begins a line.
pub(crate) fn lex_head(
    file: &'static SourceFile,
    range: Range<usize>,
    diagnostics: &mut Diagnostics,
) -> Lexed {
    let mut run = Run::new(file, &file.text[..range.end], range.start);
    run.lex_to(range.end, Some(&mut Bodies::default()));
    run.finish(diagnostics)
}

/// The tokens between two positions of a file, both included.
pub(crate) fn lex_range(
    file: &'static SourceFile,
    first: Pos,
    last: Pos,
    diagnostics: &mut Diagnostics,
) -> Vec<Token> {
    let (start, end) = (first.0 - file.base, last.0 - file.base + 1);
    let mut run = Run::new(file, &file.text[..end as usize], start as usize);
    run.lex_to(end as usize, None);
    run.finish(diagnostics).tokens
}

/// A lexer run over one text.
struct Run {
    file: &'static SourceFile,
    /// The file's text, up to where the run ends at the latest.
    text: &'static str,
    lexer: logos::Lexer<'static, Tok>,
    tokens: Vec<Token>,
    needs_semi: bool,
}

impl Run {
    /// A run from an offset on over `text`, with which the file's text begins.
    fn new(file: &'static SourceFile, text: &'static str, from: usize) -> Run {
        let skip = if from > 0 {
            from
        } else if text.starts_with("#!") {
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
        Run {
            file,
            text,
            lexer,
            tokens: Vec::new(),
            needs_semi: false,
        }
    }

    /// Leaves out the text before an offset.
    fn skip_to(&mut self, offset: usize) {
        self.lexer.bump(offset - self.lexer.span().end);
    }

    /// Lexes up to an offset, where a token ends; leaves out the `bodies` of functions.
    fn lex_to(&mut self, to: usize, mut bodies: Option<&mut Bodies>) {
        let base = self.file.base;
        self.tokens.reserve((to - self.lexer.span().end) / 4 + 2);
        while self.lexer.span().end < to
            && let Some(result) = self.lexer.next()
        {
            let span = self.lexer.span();
            let (start, end) = (base + span.start as u32, base + span.end as u32);
            match result {
                Ok(Tok::Semi(SemiKind::Newline) | Tok::Comment) => {
                    if self.needs_semi {
                        self.tokens.push((start, Tok::Semi(SemiKind::Newline), end));
                        self.needs_semi = false;
                        if let Some(bodies) = &mut bodies {
                            bodies.begins_at(Tok::Semi(SemiKind::Newline));
                        }
                    }
                }
                Ok(Tok::Lit(kind))
                    if self.lexer.extras.bad_literals.last() == Some(&(span.start as u32)) =>
                {
                    self.needs_semi = true;
                    self.tokens.push((start, Tok::BadLit(kind), end));
                }
                Ok(tok) => {
                    self.needs_semi = tok.ends_statement();
                    self.tokens.push((start, tok, end));
                    if let Some(bodies) = &mut bodies
                        && bodies.begins_at(tok)
                    {
                        self.lexer.bump(length_of_body(&self.text[span.end..]));
                    }
                }
                Err(()) => {
                    let c = self.lexer.slice().chars().next().unwrap_or('\0');
                    // A NUL is reported below, wherever it stands.
                    if c != '\0' {
                        let message = format!("invalid character {}", literal::unicode_name(c));
                        self.lexer.extras.errors.push((span.start as u32, message));
                    }
                }
            }
        }
    }

    /// What came out; reports what was wrong.
    fn finish(mut self, diagnostics: &mut Diagnostics) -> Lexed {
        let file = self.file;
        if self.needs_semi {
            let end = file.base + self.text.len() as u32;
            self.tokens.push((end, Tok::Semi(SemiKind::Eof), end));
        }
        let scanner = self.lexer.extras;
        for (offset, message) in scanner.errors {
            diagnostics.error(Pos(file.base + offset), message);
        }
        Lexed {
            tokens: self.tokens,
            directives: scanner.directives,
        }
    }
}

/// Finds the braces of function declarations in a stream of tokens.
#[derive(Default)]
struct Bodies {
    depth: usize,
    /// Inside a declaration that begins with `func`.
    in_func: bool,
    previous: Option<Tok>,
}

impl Bodies {
    /// Takes the next token; is it the brace that opens a declared function's body?
    fn begins_at(&mut self, tok: Tok) -> bool {
        let previous = self.previous.replace(tok);
        let is_top = self.depth == 0;
        match tok {
            Tok::Func if is_top && matches!(previous, None | Some(Tok::Semi(_))) => {
                self.in_func = true;
            }
            Tok::Semi(_) if is_top => self.in_func = false,
            _ if tok.opens() => self.depth += 1,
            _ if tok.closes() => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        tok == Tok::LBrace
            && is_top
            && self.in_func
            && !matches!(previous, Some(Tok::Struct | Tok::Interface))
    }
}

/// How many bytes there are before the brace that ends a body,
/// given what follows the one that begins it.
fn length_of_body(text: &str) -> usize {
    let bytes = text.as_bytes();
    let line = memchr::memchr(b'\n', bytes).unwrap_or(bytes.len());
    if text[..line].ends_with('}') {
        return line - 1;
    }
    memchr::memmem::find(bytes, b"\n}").map_or(bytes.len(), |i| i + 1)
}
