//! Tokens.
//!
//! A [`Tok`] is small and `Copy`; the text of a literal is found through its span. A [`Token`] is
//! what the generated parser wants: start, token, end, the two offsets being values of
//! [`Pos`](source::Pos).
//!
//! Spec: Tokens, Keywords, Operators and punctuation. Go: cmd/compile/internal/syntax/tokens.go.

use crate::ast::{BinOp, LitKind};
use logos::Logos;
use source::Symbol;

/// Start, token, end; offsets are those of [`Pos`](source::Pos).
pub type Token = (u32, Tok, u32);

/// Where a semicolon comes from: error texts tell them apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SemiKind {
    Semicolon,
    Newline,
    Eof,
}

/// A token. The `Logos` rules call into the other files
/// of this folder for whatever is more than fixed text.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(skip r"[ \t\r]+", extras = super::Scanner)]
pub enum Tok {
    #[regex(
        r"[A-Za-z_\u{80}-\u{10FFFF}][A-Za-z0-9_\u{80}-\u{10FFFF}]*",
        super::literal::name
    )]
    Name(Symbol),
    #[regex(r"[0-9]|\.[0-9]", super::literal::number)]
    #[token("\"", super::literal::string)]
    #[token("`", super::literal::raw_string)]
    #[token("'", super::literal::rune)]
    Lit(LitKind),
    /// A literal about which an error has been reported already.
    BadLit(LitKind),

    #[token("\n", |_l| SemiKind::Newline)]
    #[token(";", |_l| SemiKind::Semicolon)]
    Semi(SemiKind),
    /// A comment that spans lines; never leaves the lexer. All others are skipped.
    #[token("/*", super::literal::block_comment)]
    #[token("//", super::literal::line_comment)]
    Comment,

    #[token("(")]
    LParen,
    #[token(")")]
    RParen,
    #[token("[")]
    LBrack,
    /// A `[` that opens type parameters in a type declaration.
    TLBrack,
    #[token("]")]
    RBrack,
    #[token("{")]
    LBrace,
    #[token("}")]
    RBrace,
    #[token(",")]
    Comma,
    #[token(":")]
    Colon,
    #[token(".")]
    Dot,
    #[token("...")]
    Ellipsis,
    #[token("=")]
    Assign,
    #[token(":=")]
    Define,
    #[token("+=", |_l| BinOp::Add)]
    #[token("-=", |_l| BinOp::Sub)]
    #[token("*=", |_l| BinOp::Mul)]
    #[token("/=", |_l| BinOp::Div)]
    #[token("%=", |_l| BinOp::Rem)]
    #[token("&=", |_l| BinOp::And)]
    #[token("|=", |_l| BinOp::Or)]
    #[token("^=", |_l| BinOp::Xor)]
    #[token("<<=", |_l| BinOp::Shl)]
    #[token(">>=", |_l| BinOp::Shr)]
    #[token("&^=", |_l| BinOp::AndNot)]
    AssignOp(BinOp),
    #[token("++")]
    Inc,
    #[token("--")]
    Dec,
    #[token("<-")]
    Arrow,
    #[token("!")]
    Not,
    #[token("~")]
    Tilde,
    #[token("+")]
    Add,
    #[token("-")]
    Sub,
    #[token("*")]
    Mul,
    #[token("/")]
    Div,
    #[token("%")]
    Rem,
    #[token("&")]
    And,
    #[token("|")]
    Or,
    #[token("^")]
    Xor,
    #[token("<<")]
    Shl,
    #[token(">>")]
    Shr,
    #[token("&^")]
    AndNot,
    #[token("&&")]
    LAnd,
    #[token("||")]
    LOr,
    #[token("==")]
    Eq,
    #[token("!=")]
    Ne,
    #[token("<")]
    Lt,
    #[token("<=")]
    Le,
    #[token(">")]
    Gt,
    #[token(">=")]
    Ge,

    #[token("break")]
    Break,
    #[token("case")]
    Case,
    #[token("chan")]
    Chan,
    #[token("const")]
    Const,
    #[token("continue")]
    Continue,
    #[token("default")]
    Default,
    #[token("defer")]
    Defer,
    #[token("else")]
    Else,
    #[token("fallthrough")]
    Fallthrough,
    #[token("for")]
    For,
    #[token("func")]
    Func,
    #[token("go")]
    Go,
    #[token("goto")]
    Goto,
    #[token("if")]
    If,
    #[token("import")]
    Import,
    #[token("interface")]
    Interface,
    #[token("map")]
    Map,
    #[token("package")]
    Package,
    #[token("range")]
    Range,
    #[token("return")]
    Return,
    #[token("select")]
    Select,
    #[token("struct")]
    Struct,
    #[token("switch")]
    Switch,
    #[token("type")]
    Type,
    #[token("var")]
    Var,
}

impl Tok {
    /// Does a line end after this token insert a semicolon?
    pub(crate) fn ends_statement(self) -> bool {
        matches!(
            self,
            Tok::Name(_)
                | Tok::Lit(_)
                | Tok::BadLit(_)
                | Tok::Break
                | Tok::Continue
                | Tok::Fallthrough
                | Tok::Return
                | Tok::Inc
                | Tok::Dec
                | Tok::RParen
                | Tok::RBrack
                | Tok::RBrace
        )
    }

    /// Is it a name, a literal or a closing bracket: may an operand end here?
    pub(crate) fn ends_operand(self) -> bool {
        matches!(
            self,
            Tok::Name(_) | Tok::Lit(_) | Tok::BadLit(_) | Tok::RParen | Tok::RBrack | Tok::RBrace
        )
    }

    pub fn opens(self) -> bool {
        matches!(self, Tok::LParen | Tok::LBrack | Tok::TLBrack | Tok::LBrace)
    }

    pub fn closes(self) -> bool {
        matches!(self, Tok::RParen | Tok::RBrack | Tok::RBrace)
    }

    /// Is it a keyword of the language?
    pub(crate) fn is_keyword(self) -> bool {
        matches!(
            self,
            Tok::Break
                | Tok::Case
                | Tok::Chan
                | Tok::Const
                | Tok::Continue
                | Tok::Default
                | Tok::Defer
                | Tok::Else
                | Tok::Fallthrough
                | Tok::For
                | Tok::Func
                | Tok::Go
                | Tok::Goto
                | Tok::If
                | Tok::Import
                | Tok::Interface
                | Tok::Map
                | Tok::Package
                | Tok::Range
                | Tok::Return
                | Tok::Select
                | Tok::Struct
                | Tok::Switch
                | Tok::Type
                | Tok::Var
        )
    }
}
