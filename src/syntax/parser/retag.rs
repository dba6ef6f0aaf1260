//! Tells the `[` of type parameters from that of an array length.
//!
//! In `type T [P *C] …` only what follows decides, further on than LR(1) looks. This pass runs over
//! the token vector before the parser and turns such a `[` into [`Tok::TLBrack`].
//!
//! Go: cmd/compile/internal/syntax/parser.go, typeDecl and extractName.

use crate::lexer::{Tok, Token};

/// Marks the brackets that open type parameters.
pub(super) fn mark_type_parameters(tokens: &mut [Token]) {
    for i in 0..tokens.len() {
        if tokens[i].1 != Tok::Type {
            continue;
        }
        match tokens.get(i + 1).map(|t| t.1) {
            Some(Tok::Name(_)) => mark(tokens, i + 2),
            Some(Tok::LParen) if i == 0 || tokens[i - 1].1 != Tok::LParen => {
                mark_group(tokens, i + 2)
            }
            _ => {}
        }
    }
}

/// The specs of a group whose first token is at `i`.
fn mark_group(tokens: &mut [Token], mut i: usize) {
    let mut depth = 0;
    let mut at_start = true;
    while let Some(&(_, tok, _)) = tokens.get(i) {
        if at_start && matches!(tok, Tok::Name(_)) {
            mark(tokens, i + 1);
        }
        at_start = depth == 0 && matches!(tok, Tok::Semi(_));
        if tok.opens() {
            depth += 1;
        } else if tok.closes() {
            if depth == 0 {
                return;
            }
            depth -= 1;
        }
        i += 1;
    }
}

fn mark(tokens: &mut [Token], i: usize) {
    if matches!(tokens.get(i), Some((_, Tok::LBrack, _))) && opens_parameters(&tokens[i + 1..]) {
        tokens[i].1 = Tok::TLBrack;
    }
}

fn opens_parameters(rest: &[Token]) -> bool {
    let tok = |i: usize| rest.get(i).map(|t: &Token| t.1);
    if !matches!(tok(0), Some(Tok::Name(_))) {
        return false;
    }
    match tok(1) {
        Some(Tok::Mul | Tok::LParen) => looks_like_constraint(&rest[1..]),
        Some(Tok::RBrack | Tok::Dot | Tok::LBrace) | None => false,
        Some(Tok::Or) => false,
        Some(tok) => !is_value_operator(tok),
    }
}

/// A binary operator that makes a value of its operands, and could not be part of a constraint.
fn is_value_operator(tok: Tok) -> bool {
    matches!(
        tok,
        Tok::Add
            | Tok::Sub
            | Tok::Xor
            | Tok::Div
            | Tok::Rem
            | Tok::And
            | Tok::AndNot
            | Tok::Shl
            | Tok::Shr
            | Tok::LAnd
            | Tok::LOr
            | Tok::Eq
            | Tok::Ne
            | Tok::Lt
            | Tok::Le
            | Tok::Gt
            | Tok::Ge
    )
}

/// `* …` or `( … )` after a name: a comma outside brackets,
/// a `~`, or a literal type that is not part of a value.
fn looks_like_constraint(rest: &[Token]) -> bool {
    let mut depth = 0;
    let mut i = 0;
    while let Some(&(_, tok, _)) = rest.get(i) {
        match tok {
            Tok::Comma if depth == 0 => return true,
            Tok::Tilde => return true,
            Tok::LBrack | Tok::Struct | Tok::Interface | Tok::Func | Tok::Map | Tok::Chan
                if i > 0 && !rest[i - 1].1.ends_operand() =>
            {
                let end = skip_type(rest, i);
                match rest.get(end).map(|t| t.1) {
                    Some(Tok::LBrace) => {
                        i = skip_brackets(rest, end);
                        continue;
                    }
                    Some(Tok::LParen) if tok != Tok::Func => {
                        i = skip_brackets(rest, end);
                        continue;
                    }
                    _ => return true,
                }
            }
            // An index: its inside says nothing.
            Tok::LBrack => {
                i = skip_brackets(rest, i);
                continue;
            }
            tok if tok.opens() => {
                // The arguments of a call inside say nothing either;
                // the first parenthesis may be a constraint's.
                if i > 1 && rest[i - 1].1.ends_operand() {
                    i = skip_brackets(rest, i);
                    continue;
                }
                depth += 1;
            }
            tok if tok.closes() => {
                if depth == 0 {
                    return false;
                }
                depth -= 1;
            }
            Tok::Semi(_) => return false,
            tok if depth == 0
                && is_value_operator(tok)
                && i > 0
                && rest[i - 1].1.ends_operand() =>
            {
                return false;
            }
            _ => {}
        }
        i += 1;
    }
    false
}

/// The index after the bracket that closes the one at `i`.
pub(super) fn skip_brackets(tokens: &[Token], mut i: usize) -> usize {
    let mut depth = 0usize;
    while let Some(&(_, tok, _)) = tokens.get(i) {
        if tok.opens() {
            depth += 1;
        } else if tok.closes() {
            depth = depth.saturating_sub(1);
        }
        i += 1;
        if depth == 0 {
            break;
        }
    }
    i
}

/// The index after the type that begins at `i`.
fn skip_type(tokens: &[Token], mut i: usize) -> usize {
    loop {
        match tokens.get(i).map(|t| t.1) {
            Some(Tok::LBrack) => i = skip_brackets(tokens, i),
            Some(Tok::Map) => i = skip_brackets(tokens, i + 1),
            Some(Tok::Struct | Tok::Interface) => return skip_brackets(tokens, i + 1),
            Some(Tok::Chan | Tok::Arrow | Tok::Mul) => i += 1,
            Some(Tok::LParen) => return skip_brackets(tokens, i),
            Some(Tok::Func) => {
                i = skip_brackets(tokens, i + 1);
                match tokens.get(i).map(|t| t.1) {
                    Some(Tok::LParen) => return skip_brackets(tokens, i),
                    Some(
                        Tok::LBrack
                        | Tok::Map
                        | Tok::Struct
                        | Tok::Interface
                        | Tok::Chan
                        | Tok::Arrow
                        | Tok::Mul
                        | Tok::Func
                        | Tok::Name(_),
                    ) => {}
                    _ => return i,
                }
            }
            Some(Tok::Name(_)) => {
                i += 1;
                if matches!(tokens.get(i), Some((_, Tok::Dot, _))) {
                    i += 2;
                }
                if matches!(tokens.get(i), Some((_, Tok::LBrack, _))) {
                    i = skip_brackets(tokens, i);
                }
                return i;
            }
            _ => return i,
        }
    }
}
