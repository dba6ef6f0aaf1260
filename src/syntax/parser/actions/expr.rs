//! Expressions and types.
//!
//! What grammar leaves open is settled here: which operand may precede a composite literal's
//! braces, and how many indices a slice expression has.

use super::*;

/// The arguments of a call, up to its parenthesis.
pub(in crate::parser) struct Args {
    pub(in crate::parser) list: Vec<Expr>,
    pub(in crate::parser) ellipsis: Option<Pos>,
    pub(in crate::parser) rparen: u32,
}

/// What stands between a composite literal's braces.
pub(in crate::parser) struct Elements {
    pub(in crate::parser) pos: u32,
    pub(in crate::parser) list: Vec<Expr>,
    pub(in crate::parser) rbrace: u32,
}

/// What stands between a slice expression's brackets; `full`: with two colons.
pub(in crate::parser) struct SliceParts {
    lo: Option<Expr>,
    hi: Option<Expr>,
    max: Option<Expr>,
    full: bool,
}

pub(in crate::parser) fn expr(pos: u32, kind: ExprKind) -> Expr {
    Expr::new(Pos(pos), kind)
}

pub(in crate::parser) fn name_expr(name: Ident) -> Expr {
    Expr {
        pos: name.pos,
        id: name.id,
        kind: ExprKind::Name(name.name),
    }
}

pub(in crate::parser) fn dot_name(pos: u32) -> Ident {
    Ident {
        pos: Pos(pos),
        name: Symbol::new("."),
        id: NodeId::fresh(),
    }
}

pub(in crate::parser) fn star(pos: u32, x: Expr) -> Expr {
    expr(pos, ExprKind::Star(Box::new(x)))
}

pub(in crate::parser) fn unary(pos: u32, op: UnOp, mut x: Expr) -> Expr {
    if op == UnOp::Addr {
        while let ExprKind::Paren(inner) = x.kind {
            x = *inner;
        }
    }
    expr(pos, ExprKind::Unary { op, x: Box::new(x) })
}

/// `x op y`, where what comes before the operator has been put together as far as it went: an
/// operator that binds tighter than the one at the top of `x` takes its right operand away.
/// Operators bind tighter and tighter down that side, so it is at most five deep.
pub(in crate::parser) fn binary(pos: u32, op: BinOp, x: Expr, y: Expr) -> Expr {
    let kind = match x.kind {
        ExprKind::Binary {
            op: before,
            x: left,
            y: right,
        } if before.precedence() < op.precedence() => {
            let right = binary(pos, op, *right, y);
            ExprKind::Binary {
                op: before,
                x: left,
                y: Box::new(right),
            }
        }
        kind => {
            let (x, y) = (Box::new(Expr { kind, ..x }), Box::new(y));
            return expr(pos, ExprKind::Binary { op, x, y });
        }
    };
    Expr { kind, ..x }
}

pub(in crate::parser) fn selector(pos: u32, x: Expr, sel: Ident) -> Expr {
    let x = Box::new(x);
    expr(pos, ExprKind::Selector { x, sel })
}

pub(in crate::parser) fn index(pos: u32, x: Expr, indices: Vec<Expr>) -> Expr {
    let x = Box::new(x);
    expr(pos, ExprKind::Index { x, indices })
}

pub(in crate::parser) fn chan(pos: u32, dir: ChanDir, elem: Expr) -> Expr {
    let elem = Box::new(elem);
    expr(pos, ExprKind::ChanType { dir, elem })
}

pub(in crate::parser) fn func_type(sig: FuncSig) -> Expr {
    Expr::new(sig.pos, ExprKind::FuncType(Box::new(sig)))
}

pub(in crate::parser) fn type_assert(pos: u32, x: Expr, ty: Option<Expr>) -> Expr {
    let (x, ty) = (Box::new(x), ty.map(Box::new));
    expr(pos, ExprKind::TypeAssert { x, ty })
}

pub(in crate::parser) fn slice(pos: u32, x: Expr, s: SliceParts) -> Expr {
    expr(
        pos,
        ExprKind::Slice {
            x: Box::new(x),
            lo: s.lo.map(Box::new),
            hi: s.hi.map(Box::new),
            max: s.max.map(Box::new),
            full: s.full,
        },
    )
}

pub(in crate::parser) fn call(pos: u32, fun: Expr, args: Args) -> Expr {
    expr(
        pos,
        ExprKind::Call {
            fun: Box::new(fun),
            args: args.list,
            ellipsis: args.ellipsis,
            rparen: Pos(args.rparen),
        },
    )
}

pub(in crate::parser) fn composite_of_type(ty: Expr, lit: Elements) -> Expr {
    literal_value(Some(Box::new(ty)), lit)
}

/// A literal value inside another whose type is left out.
pub(in crate::parser) fn elided(lit: Elements) -> Expr {
    literal_value(None, lit)
}

fn literal_value(ty: Option<Box<Expr>>, lit: Elements) -> Expr {
    let rbrace = Pos(lit.rbrace);
    expr(
        lit.pos,
        ExprKind::CompositeLit {
            ty,
            elems: lit.list,
            rbrace,
        },
    )
}

/// Can it only be a value, never a type?
fn is_value(x: &Expr) -> bool {
    match &x.kind {
        ExprKind::BasicLit { .. }
        | ExprKind::CompositeLit { .. }
        | ExprKind::FuncLit { .. }
        | ExprKind::Slice { .. }
        | ExprKind::TypeAssert { .. }
        | ExprKind::Call { .. }
        | ExprKind::Unary { .. }
        | ExprKind::Binary { .. } => true,
        ExprKind::Paren(x) => is_value(x),
        ExprKind::Index { x, indices } => is_value(x) || matches!(&indices[..], [i] if is_value(i)),
        _ => false,
    }
}

impl Builder<'_> {
    pub(in crate::parser) fn basic_lit(&mut self, lit: Literal) -> Expr {
        if lit.bad {
            return expr(lit.start, ExprKind::Bad);
        }
        let text = self.text(lit.start, lit.end).into();
        let kind = lit.kind;
        expr(lit.start, ExprKind::BasicLit { kind, text })
    }

    /// The type arguments of a type's name are types.
    pub(in crate::parser) fn type_args(&mut self, args: Vec<Expr>) -> Vec<Expr> {
        if let Some(x) = args.first()
            && let ExprKind::BasicLit { text, .. } = &x.kind
        {
            let message = format!("unexpected literal {text}, expected type");
            self.syntax(x.pos, &message);
        }
        args
    }

    pub(in crate::parser) fn composite(&mut self, ty: Expr, lit: Elements) -> Checked<Expr> {
        let inner = ty.unparen();
        let fits = match &inner.kind {
            ExprKind::Name(_)
            | ExprKind::Selector { .. }
            | ExprKind::ArrayType { .. }
            | ExprKind::SliceType(_)
            | ExprKind::StructType { .. }
            | ExprKind::MapType { .. } => true,
            ExprKind::Index { .. } => !is_value(inner),
            _ => false,
        };
        if !fits {
            return Err(ParseError::User {
                error: Rejected(lit.pos),
            });
        }
        if matches!(ty.kind, ExprKind::Paren(_)) {
            self.syntax(
                Pos(lit.pos),
                "cannot parenthesize type in composite literal",
            );
        }
        Ok(literal_value(Some(Box::new(ty)), lit))
    }

    pub(in crate::parser) fn slice_parts(
        &mut self,
        lo: Option<Expr>,
        mut hi: Option<Expr>,
        max: Option<(u32, Option<Expr>)>,
        close: u32,
    ) -> Box<SliceParts> {
        let full = max.is_some();
        let max = max.map(|(colon, max)| {
            if hi.is_none() {
                self.error(Pos(colon), "middle index required in 3-index slice");
                hi = Some(expr(colon, ExprKind::Bad));
            }
            max.unwrap_or_else(|| {
                self.error(Pos(close), "final index required in 3-index slice");
                expr(close, ExprKind::Bad)
            })
        });
        Box::new(SliceParts { lo, hi, max, full })
    }

    pub(in crate::parser) fn func_lit(&mut self, pos: u32, sig: FuncSig, body: Block) -> Expr {
        self.check_branches(&body);
        let (sig, body) = (Box::new(sig), Box::new(body));
        expr(pos, ExprKind::FuncLit { sig, body })
    }
}
