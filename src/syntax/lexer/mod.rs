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
mod token;

pub use token::{SemiKind, Tok, Token};

use crate::ast::LitKind;
use crate::diagnostics::Diagnostics;
use directive::Directive;
use logos::Logos;
use source::{Pos, SourceFile};

/// How a token is shown where text is colored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shade {
    Keyword,
    /// A string or a rune.
    Text,
    Number,
    Comment,
}

/// How many bytes the token has with which `text` begins.
pub(crate) fn first_token(text: &str) -> usize {
    let mut lexer = Tok::lexer_with_extras(text, Scanner::default());
    match lexer.next() {
        Some(Ok(Tok::Semi(SemiKind::Newline))) | None => 0,
        Some(_) if lexer.span().start > 0 => 0,
        Some(_) => lexer.span().end,
    }
}

/// The tokens of a text that are shown in a color, and where they stand.
pub fn shades(text: &str) -> Vec<(std::ops::Range<usize>, Shade)> {
    let mut lexer = Tok::lexer_with_extras(text, Scanner::default());
    let mut shades = Vec::new();
    let mut end = 0;
    // Between tokens are blanks and comments.
    let comment = |from: usize, to: usize| {
        let between = &text[from..to];
        let begin = from + between.len() - between.trim_start().len();
        let range = begin..begin + between.trim().len();
        (!range.is_empty()).then_some((range, Shade::Comment))
    };
    while let Some(result) = lexer.next() {
        shades.extend(comment(end, lexer.span().start));
        end = lexer.span().end;
        let shade = match result {
            Ok(Tok::Lit(kind) | Tok::BadLit(kind)) => match kind {
                LitKind::Char | LitKind::String => Some(Shade::Text),
                LitKind::Int | LitKind::Float | LitKind::Imag => Some(Shade::Number),
            },
            Ok(Tok::Name(_)) | Err(()) => None,
            Ok(_) => {
                let is_word = |b: &u8| b.is_ascii_lowercase();
                let word = lexer.slice().as_bytes();
                word.iter().all(is_word).then_some(Shade::Keyword)
            }
        };
        shades.extend(shade.map(|shade| (lexer.span(), shade)));
    }
    shades.extend(comment(end, text.len()));
    shades
}

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

impl Scanner {
    /// The last thing that was wrong.
    pub(crate) fn last_error(&self) -> Option<&str> {
        self.errors.last().map(|e| &*e.1)
    }
}

/// Lexes a file. Reports every malformed token; never fails.
/// The tokens of a file, with the semicolons that ends of lines stand for, without comments.
pub fn tokens(file: &'static SourceFile) -> Vec<Token> {
    lex(file, &mut Diagnostics::new()).tokens
}

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
    let mut run = Run::new(file);
    run.lex();
    run.finish(diagnostics)
}

/// A lexer run over one text.
struct Run {
    file: &'static SourceFile,
    lexer: logos::Lexer<'static, Tok>,
    tokens: Vec<Token>,
    needs_semi: bool,
}

impl Run {
    fn new(file: &'static SourceFile) -> Run {
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
        Run {
            file,
            lexer,
            tokens: Vec::new(),
            needs_semi: false,
        }
    }

    fn lex(&mut self) {
        let base = self.file.base;
        self.tokens.reserve(self.file.text.len() / 4 + 2);
        while let Some(result) = self.lexer.next() {
            let span = self.lexer.span();
            let (start, end) = (base + span.start as u32, base + span.end as u32);
            match result {
                Ok(Tok::Semi(SemiKind::Newline) | Tok::Comment) => {
                    if self.needs_semi {
                        self.tokens.push((start, Tok::Semi(SemiKind::Newline), end));
                        self.needs_semi = false;
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
            let end = file.base + file.text.len() as u32;
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
