//! Expressions: what each kind comes to, and operators with one operand.
//! Those with two are in `binary`.
//!
//! Each expression is recorded when it has been checked; an untyped one again when its context
//! gives it its type (`untyped`).
//!
//! Go: go/types (expr.go). Spec: Expressions, Operators.

use super::operand::{Operand, Target};
use super::*;
use syntax::ast::{ChanDir, Expr, ExprKind, LitKind, UnOp};

impl Checker {
    /// A single value. `target` is what it will be assigned to, if known.
    pub(super) fn expr(&mut self, e: &'static Expr, target: Option<Target>) -> Operand {
        let mut x = self.raw_expr(e, target, None, false);
        self.exclude(&mut x, true, true, true);
        self.single_value(&mut x);
        x
    }

    /// As [`expr`](Self::expr); a generic function may stay uninstantiated.
    pub(super) fn generic_expr(&mut self, e: &'static Expr) -> Operand {
        let mut x = self.raw_expr(e, None, None, true);
        self.exclude(&mut x, true, true, true);
        self.single_value(&mut x);
        x
    }

    /// A value or a type.
    pub(super) fn expr_or_type(&mut self, e: &'static Expr, allow_generic: bool) -> Operand {
        let mut x = self.raw_expr(e, None, None, allow_generic);
        self.exclude(&mut x, true, false, false);
        self.single_value(&mut x);
        x
    }

    /// Possibly several values (of a call) or none.
    pub(super) fn multi_expr(&mut self, e: &'static Expr) -> Operand {
        let mut x = self.raw_expr(e, None, None, false);
        self.exclude(&mut x, true, true, true);
        x
    }

    pub(super) fn exclude(&mut self, x: &mut Operand, no_value: bool, builtin: bool, types: bool) {
        let msg = match x.mode {
            Mode::NoValue if no_value && !types => "used as value or type",
            Mode::NoValue if no_value => "used as value",
            Mode::Builtin if builtin => "must be called",
            Mode::Type if types => "is not an expression",
            _ => return,
        };
        let s = match x.mode {
            Mode::NoValue | Mode::Type | Mode::Builtin => self.os(x),
            _ => String::new(),
        };
        self.error(x.pos(), format!("{s} {msg}"));
        x.invalidate();
    }

    pub(super) fn single_value(&mut self, x: &mut Operand) {
        if x.mode == Mode::Value
            && let Type::Tuple(ts) = self.types.get(x.ty)
        {
            if ts.len() != 1 {
                let s = self.os(x);
                self.error(
                    x.pos(),
                    format!("multiple-value {s} in single-value context"),
                );
                x.invalidate();
            }
        }
    }

    /// Checks an expression and records what it is.
    pub(super) fn raw_expr(
        &mut self,
        e: &'static Expr,
        target: Option<Target>,
        hint: Option<TypeId>,
        allow_generic: bool,
    ) -> Operand {
        if syntax::nesting::is_low() {
            self.error(e.pos, "expression nested too deeply");
            return Operand::invalid(e);
        }
        let mut x = self.expr_internal(e, target, hint, allow_generic);
        x.expr = Some(e);
        if !allow_generic {
            self.non_generic(&mut x, target);
        }
        self.record_operand(e, &x);
        x
    }

    pub(super) fn record_operand(&mut self, e: &Expr, x: &Operand) {
        let (mode, ty) = match x.mode {
            Mode::CommaOk => (Mode::Value, x.ty),
            Mode::NoValue => (Mode::NoValue, TypeId::EMPTY_TUPLE),
            Mode::Invalid => (Mode::Invalid, TypeId::INVALID),
            m => (m, x.ty),
        };
        self.record(e.id, mode, ty, x.val.clone());
    }

    /// A generic function must be instantiated, by its target at the latest.
    pub(super) fn non_generic(&mut self, x: &mut Operand, target: Option<Target>) {
        if !matches!(x.mode, Mode::Type | Mode::Value | Mode::Variable) {
            return;
        }
        let what = match self.types.get(x.ty) {
            Type::Named(n) if !n.tparams.is_empty() && n.targs.is_empty() => "type",
            Type::Alias { .. } if x.mode == Mode::Type && self.is_generic_type(x.ty) => "type",
            Type::Signature(s) if !s.tparams.is_empty() => {
                if let (Some(t), Some(e)) = (target, x.expr) {
                    self.instantiate_for_target(x, e, t);
                    return;
                }
                "function"
            }
            _ => return,
        };
        if let Some(e) = x.expr {
            let s = self.es(e);
            self.error(
                e.start(),
                format!("cannot use generic {what} {s} without instantiation"),
            );
        }
        x.invalidate();
    }

    fn expr_internal(
        &mut self,
        e: &'static Expr,
        target: Option<Target>,
        hint: Option<TypeId>,
        allow_generic: bool,
    ) -> Operand {
        match &e.kind {
            ExprKind::Bad => Operand::invalid(e),
            ExprKind::Name(name) => self.ident(e.id, e.pos, *name, e, false),
            ExprKind::BasicLit { kind, text } => self.basic_lit(e, *kind, text),
            ExprKind::FuncLit { sig, body } => self.func_lit(e, sig, body),
            ExprKind::CompositeLit { ty, elems, rbrace } => {
                self.composite_lit(e, ty.as_deref(), elems, *rbrace, hint)
            }
            ExprKind::Paren(x) => {
                // The kind of the operand is that of the inner expression.
                let mut x = self.raw_expr(x, target, hint, allow_generic);
                x.expr = Some(e);
                x
            }
            ExprKind::Selector { .. } => self.selector(e, false),
            ExprKind::Index { x, indices } => self.index_expr(e, x, indices, target),
            ExprKind::Slice {
                x,
                lo,
                hi,
                max,
                full,
            } => self.slice_expr(e, x, [lo.as_deref(), hi.as_deref(), max.as_deref()], *full),
            ExprKind::TypeAssert { x, ty } => self.type_assert(e, x, ty.as_deref()),
            ExprKind::Call { .. } => self.call_expr(e),
            ExprKind::Star(x) => self.star_expr(e, x),
            ExprKind::Unary { op, x } => self.unary_expr(e, *op, x),
            ExprKind::Binary { .. } => self.binary_spine(e),
            ExprKind::KeyValue { .. } => {
                self.error(e.start(), "no key:value expected");
                Operand::invalid(e)
            }
            ExprKind::ArrayType { .. }
            | ExprKind::SliceType(_)
            | ExprKind::MapType { .. }
            | ExprKind::ChanType { .. }
            | ExprKind::FuncType(_)
            | ExprKind::StructType { .. }
            | ExprKind::InterfaceType { .. } => {
                let t = self.typ(e);
                // `[...]T` has been reported, and is no expression either.
                let is_open = matches!(e.kind, ExprKind::ArrayType { len: None, .. });
                let mut x = Operand::new(Mode::Type, t, e);
                if t == TypeId::INVALID && !is_open {
                    x.invalidate();
                }
                x
            }
        }
    }

    /// Reports what numbers had not before go1.13.
    fn old_number(&mut self, pos: Pos, kind: LitKind, text: &str) {
        let what = match text.as_bytes() {
            [_, _, _, ..] if text.contains('_') => "underscore in numeric literal",
            [b'0', b'b' | b'B', _, ..] => "binary literal",
            [b'0', b'o' | b'O', _, ..] => "0o/0O-style octal literal",
            [b'0', b'x' | b'X', _, ..] if !matches!(kind, LitKind::Int) => {
                "hexadecimal floating-point literal"
            }
            _ => return,
        };
        self.requires(pos, 13, what);
    }

    fn basic_lit(&mut self, e: &'static Expr, kind: LitKind, text: &str) -> Operand {
        let is_number = matches!(kind, LitKind::Int | LitKind::Float | LitKind::Imag);
        if is_number && !self.allows(e.pos, 13) {
            self.old_number(e.pos, kind, text);
        }
        if is_number && text.len() > 10_000 {
            self.error(
                e.pos,
                format!(
                    "excessively long constant: {}... ({} chars)",
                    &text[..10],
                    text.len()
                ),
            );
            return Operand::invalid(e);
        }
        let ty = match kind {
            LitKind::Int => TypeId::UNTYPED_INT,
            LitKind::Float => TypeId::UNTYPED_FLOAT,
            LitKind::Imag => TypeId::UNTYPED_COMPLEX,
            LitKind::Char => TypeId::UNTYPED_RUNE,
            LitKind::String => TypeId::UNTYPED_STRING,
        };
        let v = ConstValue::from_literal(kind, text);
        if v.is_unknown() {
            self.error(e.pos, format!("malformed constant: {text}"));
            return Operand::invalid(e);
        }
        let mut x = Operand::constant(v, ty, e);
        // The value of an integer literal may be too large for an untyped constant.
        self.overflow(&mut x, e.pos);
        x
    }

    fn star_expr(&mut self, e: &'static Expr, inner: &'static Expr) -> Operand {
        let mut x = self.expr_or_type(inner, false);
        match x.mode {
            Mode::Invalid => return Operand::invalid(e),
            Mode::Type => {
                let t = x.ty;
                if self.is_valid(t) {
                    // As a type expression would be checked.
                    self.refuse_constraint(t, inner.start());
                    let p = self.prog.types.pointer(t);
                    return Operand::new(Mode::Type, p, e);
                }
                return Operand::invalid(e);
            }
            Mode::Nil => {
                self.error(x.pos(), "invalid operation: cannot indirect nil");
                return Operand::invalid(e);
            }
            _ => {}
        }
        let mut base = None;
        let mut bad = None;
        let ty = x.ty;
        let types = &self.prog;
        types.for_each_term(ty, |u| {
            match types.types.get(u) {
                Type::Pointer(b) => match base {
                    Some(c) if !types.identical(*b, c) => bad = Some(true),
                    _ => base = Some(*b),
                },
                _ => bad = Some(false),
            }
            bad.is_none()
        });
        if let (Some(b), None) = (base, bad) {
            if !self.is_complete(b) {
                return Operand::invalid(e);
            }
            x.mode = Mode::Variable;
            x.ty = b;
            x.val = None;
            return x;
        }
        let s = self.os(&x);
        let msg = if bad == Some(true) {
            format!("invalid operation: pointers of {s} must have identical base types")
        } else {
            format!("invalid operation: cannot indirect {s}")
        };
        self.error(x.pos(), msg);
        Operand::invalid(e)
    }

    fn unary_expr(&mut self, e: &'static Expr, op: UnOp, inner: &'static Expr) -> Operand {
        let mut x = self.expr_of_unary(op, inner);
        if x.is_invalid() {
            return Operand::invalid(e);
        }
        let predicate: fn(&Program, TypeId) -> bool;
        let text;
        match op {
            UnOp::Addr => {
                let lit = matches!(inner.unparen().kind, ExprKind::CompositeLit { .. });
                if !lit && x.mode != Mode::Variable {
                    let s = self.os(&x);
                    self.error(
                        x.pos(),
                        format!("invalid operation: cannot take address of {s}"),
                    );
                    return Operand::invalid(e);
                }
                self.mark_address_taken(inner);
                x.mode = Mode::Value;
                x.ty = self.prog.types.pointer(x.ty);
                return x;
            }
            UnOp::Recv => {
                let Some(elem) = self.chan_elem(&x, true) else {
                    return Operand::invalid(e);
                };
                if !self.is_complete(elem) {
                    return Operand::invalid(e);
                }
                x.mode = Mode::CommaOk;
                x.ty = elem;
                self.env.has_call_or_recv = true;
                return x;
            }
            UnOp::Tilde => {
                let msg = if self.all_integer(x.ty) {
                    "cannot use ~ outside of interface or type constraint (use ^ for bitwise \
                     complement)"
                } else {
                    "cannot use ~ outside of interface or type constraint"
                };
                self.error(e.pos, msg);
                if !self.all_integer(x.ty) {
                    return Operand::invalid(e);
                }
                (predicate, text) = (Program::all_integer, "^");
            }
            UnOp::Plus => (predicate, text) = (Program::all_numeric, "+"),
            UnOp::Neg => (predicate, text) = (Program::all_numeric, "-"),
            UnOp::Compl => (predicate, text) = (Program::all_integer, "^"),
            UnOp::Not => (predicate, text) = (Program::all_boolean, "!"),
        }
        if !predicate(&self.prog, x.ty) {
            let s = self.os(&x);
            self.error(
                x.pos(),
                format!("invalid operation: operator {text} not defined on {s}"),
            );
            return Operand::invalid(e);
        }
        if x.is_const() {
            let v = x.value();
            if v.is_unknown() {
                return x;
            }
            let r = match op {
                UnOp::Neg => v.neg(),
                UnOp::Not => match v {
                    ConstValue::Bool(b) => ConstValue::Bool(!b),
                    _ => ConstValue::Unknown,
                },
                UnOp::Compl | UnOp::Tilde => {
                    let bits = self
                        .is_unsigned(x.ty)
                        .then(|| self.size_of(x.ty) as u32 * 8);
                    v.complement(bits)
                }
                _ => v,
            };
            x.val = Some(r);
            x.expr = Some(e);
            self.overflow(&mut x, e.pos);
            return x;
        }
        x.mode = Mode::Value;
        x
    }

    fn expr_of_unary(&mut self, op: UnOp, inner: &'static Expr) -> Operand {
        if op == UnOp::Addr {
            // &T{…}: the literal's own mode does not matter.
            return self.expr(inner, None);
        }
        self.expr(inner, None)
    }

    /// The element type of a channel that may be received from (or sent to); reports what may not.
    pub(super) fn chan_elem(&mut self, x: &Operand, recv: bool) -> Option<TypeId> {
        let mut elem = None;
        let mut cause = "";
        let mut culprit = x.ty;
        let mut other = None;
        let p = &self.prog;
        let some = p.for_each_term_or_self(x.ty, |t| {
            match p.under_type(t) {
                Type::Chan {
                    dir: ChanDir::Send, ..
                } if recv => cause = "send-only channel",
                Type::Chan {
                    dir: ChanDir::Recv, ..
                } if !recv => cause = "receive-only channel",
                Type::Chan { elem: u, .. } => match elem {
                    Some((o, first)) if !p.identical(o, *u) => {
                        cause = "channels";
                        other = Some(first);
                    }
                    Some(_) => {}
                    None => elem = Some((*u, t)),
                },
                _ => cause = "non-channel",
            }
            culprit = t;
            cause.is_empty()
        });
        if let (true, true, Some((elem, _))) = (cause.is_empty(), some, elem) {
            return Some(elem);
        }
        let (s, t) = (self.os(x), self.ts(culprit));
        let verb = if recv { "receive from" } else { "send to" };
        let msg = match other {
            Some(o) => {
                let o = self.ts(o);
                format!(
                    "invalid operation: cannot {verb} {s}: channels {o} and {t} have different \
                     element types"
                )
            }
            None if !some => {
                format!("invalid operation: cannot {verb} {s}: no specific channel type")
            }
            None if self.is_type_param(x.ty) => {
                format!("invalid operation: cannot {verb} {s}: {cause} {t}")
            }
            None => format!("invalid operation: cannot {verb} {cause} {t} {s}"),
        };
        self.error(x.pos(), msg);
        None
    }

    /// Checks expressions whose values cannot be used because of an error elsewhere.
    /// Gives whether all were valid.
    pub(super) fn use_exprs(&mut self, list: &'static [Expr]) -> bool {
        let mut ok = true;
        for e in list {
            ok &= self.use_expr(e);
        }
        ok
    }

    pub(super) fn use_expr(&mut self, e: &'static Expr) -> bool {
        match &e.kind {
            ExprKind::Bad => false,
            ExprKind::KeyValue { key, value } => {
                let a = self.use_expr(key);
                self.use_expr(value) && a
            }
            ExprKind::Name(n) if n.is_blank() => true,
            _ => !self.raw_expr(e, None, None, true).is_invalid(),
        }
    }
}
