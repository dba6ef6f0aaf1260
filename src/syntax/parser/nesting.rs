//! A bound on how deep a tree can get, taken from the tokens before there is a tree.
//!
//! Everything after the parser recurses over the tree, so what nests must not nest without end.
//! Brackets count while open. Within a bracket, what nests to the right without one (prefix
//! operators, element types, else-ifs, labels) and what nests to the left (selectors, calls,
//! indices) counts until the list or statement goes on. Binary operators do not count: their left
//! spine is walked in loops (ast::A2).
//!
//! Go: go/parser, which has such a limit as well ("exceeded max nesting depth").

use crate::lexer::{Tok, Token};

/// What has piled up directly inside one bracket.
#[derive(Clone, Copy, Default)]
struct Level {
    /// Since the last comma or semicolon.
    item: usize,
    /// Since the last binary operator too.
    operand: usize,
}

/// The index of the first token nested deeper than `max`.
pub(super) fn exceeds(tokens: &[Token], max: usize) -> Option<usize> {
    let mut outer: Vec<Level> = Vec::new();
    let mut level = Level::default();
    // The sum over `outer`, each bracket counting one itself.
    let mut below = 0;
    let mut previous = Tok::Semi(crate::lexer::SemiKind::Semicolon);
    for (i, &(_, tok, _)) in tokens.iter().enumerate() {
        let after_operand = previous.ends_operand();
        match tok {
            Tok::LParen | Tok::LBrack | Tok::TLBrack | Tok::LBrace => {
                if tok == Tok::LBrack && !after_operand {
                    level.item += 1;
                }
                below += 1 + level.item + level.operand;
                outer.push(level);
                level = Level::default();
            }
            Tok::RParen | Tok::RBrack | Tok::RBrace => {
                if let Some(back) = outer.pop() {
                    level = back;
                    below -= 1 + level.item + level.operand;
                    level.operand += 1;
                }
            }
            Tok::Comma | Tok::Semi(_) => level = Level::default(),
            Tok::Func
            | Tok::Chan
            | Tok::Map
            | Tok::Struct
            | Tok::Interface
            | Tok::Else
            | Tok::Colon => level.item += 1,
            Tok::Dot | Tok::Not | Tok::Tilde => level.operand += 1,
            Tok::Add | Tok::Sub | Tok::Mul | Tok::And | Tok::Xor | Tok::Arrow if !after_operand => {
                level.operand += 1;
            }
            Tok::Add
            | Tok::Sub
            | Tok::Mul
            | Tok::Div
            | Tok::Rem
            | Tok::And
            | Tok::Or
            | Tok::Xor
            | Tok::Shl
            | Tok::Shr
            | Tok::AndNot
            | Tok::LAnd
            | Tok::LOr
            | Tok::Eq
            | Tok::Ne
            | Tok::Lt
            | Tok::Le
            | Tok::Gt
            | Tok::Ge => level.operand = 0,
            _ => {}
        }
        if below + level.item + level.operand > max {
            return Some(i);
        }
        previous = tok;
    }
    None
}
