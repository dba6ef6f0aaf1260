//! Operands: what an expression came to, on its way through the checker.
//!
//! Go: go/types (operand.go).

use super::*;
use syntax::ast::{Expr, ExprKind};

/// An intermediate result. Of an invalid operand nothing more is reported.
#[derive(Clone, Debug)]
pub(super) struct Operand {
    pub mode: Mode,
    pub ty: TypeId,
    /// Of a constant.
    pub val: Option<ConstValue>,
    pub expr: Option<&'static Expr>,
    /// Of mode `Builtin`.
    pub builtin: Option<Builtin>,
    /// Which of several results it is, counted from 1;
    /// messages then say so instead of showing the expression.
    pub nth: u32,
    /// Of a generic function, the first type arguments; the others are to be inferred.
    pub given: Vec<TypeId>,
}

/// [`Operand::nth`] of the second value of a comma-ok form.
pub(super) const OK_VALUE: u32 = u32::MAX;

impl Operand {
    pub(super) fn new(mode: Mode, ty: TypeId, expr: &'static Expr) -> Operand {
        Operand {
            mode,
            ty,
            val: None,
            expr: Some(expr),
            builtin: None,
            nth: 0,
            given: Vec::new(),
        }
    }
    pub(super) fn invalid(expr: &'static Expr) -> Operand {
        Operand::new(Mode::Invalid, TypeId::INVALID, expr)
    }
    pub(super) fn constant(val: ConstValue, ty: TypeId, expr: &'static Expr) -> Operand {
        Operand {
            val: Some(val),
            ..Operand::new(Mode::Constant, ty, expr)
        }
    }
    pub(super) fn is_invalid(&self) -> bool {
        self.mode == Mode::Invalid
    }
    pub(super) fn is_const(&self) -> bool {
        self.mode == Mode::Constant
    }
    pub(super) fn is_nil(&self) -> bool {
        self.mode == Mode::Nil
    }
    pub(super) fn invalidate(&mut self) {
        // The type stays: lists of argument types show it.
        self.mode = Mode::Invalid;
        self.val = None;
    }
    /// Where messages about it point.
    pub(super) fn pos(&self) -> Pos {
        self.expr.map_or(Pos::NONE, |e| e.start())
    }
    /// The constant, `Unknown` if there is none.
    pub(super) fn value(&self) -> ConstValue {
        self.val.clone().unwrap_or(ConstValue::Unknown)
    }
}

impl Checker {
    /// `x (variable of type T)`.
    pub(super) fn operand_string(&self, x: &Operand) -> String {
        if x.mode == Mode::Nil {
            return match x.ty {
                TypeId::UNTYPED_NIL => "nil".into(),
                TypeId::INVALID => "nil (with invalid type)".into(),
                t => format!("nil (of type {})", self.ts(t)),
            };
        }
        let expr = match (x.expr, x.mode) {
            _ if x.nth == OK_VALUE => "ok value of (comma, ok) expression".into(),
            _ if x.nth > 0 => format!("{} function result", ordinal(x.nth)),
            (Some(e), _) => self.es(e),
            (None, Mode::Builtin) => x.builtin.map_or("", Builtin::name).to_string(),
            (None, Mode::Type) => self.ts(x.ty),
            (None, Mode::Constant) => x.value().to_string(),
            _ => String::new(),
        };
        let mut out = String::new();
        if !expr.is_empty() {
            out.push_str(&expr);
            out.push_str(" (");
        }
        let mut has_type = false;
        if !matches!(
            x.mode,
            Mode::Invalid | Mode::NoValue | Mode::Builtin | Mode::Type
        ) {
            if self.is_untyped(x.ty) {
                out.push_str(&self.ts(x.ty));
                out.push(' ');
            } else {
                has_type = true;
            }
        }
        out.push_str(match x.mode {
            Mode::Invalid => "invalid operand",
            Mode::NoValue => "no value",
            Mode::Builtin => "built-in",
            Mode::Type => "type",
            Mode::Constant => "constant",
            Mode::Variable => "variable",
            Mode::MapIndex => "map index expression",
            Mode::Value => "value",
            Mode::Nil => "nil",
            Mode::CommaOk => "comma, ok expression",
        });
        if x.mode == Mode::Constant {
            let v = x.value().to_string();
            if v != expr {
                out.push(' ');
                out.push_str(&v);
            }
        }
        if has_type {
            if self.is_valid(x.ty) {
                out.push_str(" of ");
                if self.is_generic(x.ty) {
                    out.push_str("generic ");
                }
                if !self.is_type_param(x.ty)
                    && matches!(self.types.get(x.ty), Type::Named(_) | Type::Alias { .. })
                {
                    let what = match self.kind_word(x.ty) {
                        "" if self.under(x.ty) == TypeId::UNSAFE_POINTER => "Pointer".into(),
                        "" => self.ts(self.under(x.ty)),
                        w => w.to_string(),
                    };
                    out.push_str(&what);
                    out.push(' ');
                }
                out.push_str("type ");
                match (self.types.get(x.ty), x.expr.map(|e| &e.unparen().kind)) {
                    // Named results are shown with their names.
                    (Type::Tuple(_), Some(ExprKind::Call { fun, .. }))
                        if self.sig(self.info.type_of(fun)).is_some() =>
                    {
                        let sig = self.info.type_of(fun);
                        out.push_str(&self.results_string(sig, self.rel()));
                    }
                    _ => out.push_str(&self.ts(x.ty)),
                }
                if let Type::TypeParam(p) = self.types.get(self.unalias(x.ty)) {
                    out.push_str(" constrained by ");
                    out.push_str(&self.ts(p.constraint));
                    if matches!(&self.type_set(p.constraint).terms, Some(t) if t.is_empty()) {
                        out.push_str(" with empty type set");
                    }
                }
            } else {
                out.push_str(" with invalid type");
            }
        }
        if !expr.is_empty() {
            out.push(')');
        }
        out
    }
}

/// `1st`, `2nd`, `3rd`, `4th`, …
fn ordinal(n: u32) -> String {
    let suffix = match (n % 10, n % 100) {
        (1, k) if k != 11 => "st",
        (2, k) if k != 12 => "nd",
        (3, k) if k != 13 => "rd",
        _ => "th",
    };
    format!("{n}{suffix}")
}

/// What a value is wanted for, if that is a func: it helps to infer type arguments.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    /// The func type.
    pub ty: TypeId,
    /// What errors call it.
    pub name: Symbol,
}
