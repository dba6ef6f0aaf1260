//! Expressions: operators, comparisons, shifts, and untyped operands finding their types.
//!
//! Each expression is recorded when it has been checked. An untyped one is recorded with its untyped type, and again
//! when its context gives it a final one ([`update_expr_type`](Checker::update_expr_type)); inner operands of
//! constant expressions keep their untyped types, since nobody ever computes them.
//! Binary expressions are walked along their left spine in a loop, so sums may have a million terms.
//!
//! Go: go/types (expr.go, const.go). Spec: Expressions, Operators, Constant expressions.

use super::operand::Operand;
use super::*;
use crate::ast::{BinOp, ChanDir, Expr, ExprKind, LitKind, UnOp};

/// Why a constant or untyped operand does not fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Misfit {
    Truncated,
    Overflows,
    Other,
}

/// The longest constant string.
const MAX_STRING_BYTES: usize = 2_000_000_000;

pub(super) fn op_text(op: BinOp) -> &'static str {
    match op {
        BinOp::Add => "+",
        BinOp::Sub => "-",
        BinOp::Mul => "*",
        BinOp::Div => "/",
        BinOp::Rem => "%",
        BinOp::And => "&",
        BinOp::Or => "|",
        BinOp::Xor => "^",
        BinOp::Shl => "<<",
        BinOp::Shr => ">>",
        BinOp::AndNot => "&^",
        BinOp::LAnd => "&&",
        BinOp::LOr => "||",
        BinOp::Eq => "==",
        BinOp::Ne => "!=",
        BinOp::Lt => "<",
        BinOp::Le => "<=",
        BinOp::Gt => ">",
        BinOp::Ge => ">=",
    }
}

fn is_comparison(op: BinOp) -> bool {
    matches!(
        op,
        BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge
    )
}

fn is_shift(op: BinOp) -> bool {
    matches!(op, BinOp::Shl | BinOp::Shr)
}

impl Checker {
    /// A single value. `target` is the type it will be assigned to, if known: it helps to infer type arguments.
    pub(super) fn expr(&mut self, e: &'static Expr, target: Option<TypeId>) -> Operand {
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
        self.exclude(&mut x, true, true, false);
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
        target: Option<TypeId>,
        hint: Option<TypeId>,
        allow_generic: bool,
    ) -> Operand {
        if crate::nesting::is_low() {
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
    pub(super) fn non_generic(&mut self, x: &mut Operand, target: Option<TypeId>) {
        if !matches!(x.mode, Mode::Type | Mode::Value | Mode::Variable) {
            return;
        }
        let what = match self.types.get(x.ty) {
            Type::Named(n) if !n.tparams.is_empty() && n.targs.is_empty() => "type",
            Type::Alias { .. } if x.mode == Mode::Type && self.is_generic_type(x.ty) => "type",
            Type::Signature(s) if !s.tparams.is_empty() => {
                if let (Some(t), Some(e)) = (target, x.expr)
                    && self.sig(t).is_some()
                {
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
        target: Option<TypeId>,
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
                let mut x = Operand::new(Mode::Type, t, e);
                if t == TypeId::INVALID {
                    x.invalidate();
                }
                x
            }
        }
    }

    fn basic_lit(&mut self, e: &'static Expr, kind: LitKind, text: &str) -> Operand {
        if matches!(kind, LitKind::Int | LitKind::Float | LitKind::Imag) && text.len() > 10_000 {
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
                x.mode = Mode::CommaOk;
                x.ty = elem;
                self.env.has_call_or_recv = true;
                return x;
            }
            UnOp::Tilde => {
                let msg = if self.all_integer(x.ty) {
                    "cannot use ~ outside of interface or type constraint (use ^ for bitwise complement)"
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
                    "invalid operation: cannot {verb} {s}: channels {o} and {t} have different element types"
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

    /// A tree of binary operators, from its leftmost operand upwards.
    fn binary_spine(&mut self, e: &'static Expr) -> Operand {
        let mut spine: Vec<&'static Expr> = Vec::new();
        let mut at = e;
        while let ExprKind::Binary { x, .. } = &at.kind {
            spine.push(at);
            at = x;
        }
        let mut x = self.expr(at, None);
        let mut first = true;
        // A chain of constant strings is put together in one buffer; what it holds so far is not kept for each operator.
        let mut text: Option<Vec<u8>> = None;
        for node in spine.into_iter().rev() {
            let ExprKind::Binary { op, x: lhs, y: rhs } = &node.kind else {
                continue;
            };
            if !first {
                // What `expr` would have made of the inner node.
                self.single_value(&mut x);
            }
            first = false;
            let mut y = self.expr(rhs, None);
            if let (BinOp::Add, true, true, true) = (*op, x.is_const(), y.is_const(), x.ty == y.ty)
                && let (Some(ConstValue::Str(a)), Some(ConstValue::Str(b))) = (&x.val, &y.val)
            {
                let text = text.get_or_insert_with(|| a.to_vec());
                if text.len() + b.len() <= MAX_STRING_BYTES {
                    text.extend_from_slice(b);
                    x.expr = Some(node);
                    self.record(node.id, Mode::Constant, x.ty, None);
                    continue;
                }
            }
            self.finish_text(&mut x, text.take());
            self.binary(&mut x, &mut y, Some(node), lhs, rhs, *op);
            x.expr = Some(node);
            if !std::ptr::eq(node, e) {
                self.record_operand(node, &x);
            }
        }
        self.finish_text(&mut x, text);
        x
    }

    fn finish_text(&mut self, x: &mut Operand, text: Option<Vec<u8>>) {
        if let (Some(text), Some(e)) = (text, x.expr) {
            x.val = Some(ConstValue::Str(text.into()));
            self.record_operand(e, x);
        }
    }

    /// `x op y`; `e` is the expression, absent in an assignment operation.
    pub(super) fn binary(
        &mut self,
        x: &mut Operand,
        y: &mut Operand,
        e: Option<&'static Expr>,
        lhs: &'static Expr,
        rhs: &'static Expr,
        op: BinOp,
    ) {
        if x.is_invalid() {
            return;
        }
        if y.is_invalid() {
            x.invalidate();
            return;
        }
        if is_shift(op) {
            return self.shift(x, y, e, op);
        }
        self.match_types(x, y);
        if x.is_invalid() {
            return;
        }
        if is_comparison(op) {
            return self.comparison(x, y, op, false);
        }
        if !self.identical(x.ty, y.ty) {
            if self.is_valid(x.ty) && self.is_valid(y.ty) {
                let (tx, ty) = (self.ts(x.ty), self.ts(y.ty));
                let what = match e {
                    Some(e) => self.es(e),
                    None => format!("{} {}= {}", self.es(lhs), op_text(op), self.es(rhs)),
                };
                self.error(
                    x.pos(),
                    format!("invalid operation: {what} (mismatched types {tx} and {ty})"),
                );
            }
            x.invalidate();
            return;
        }
        let fine = match op {
            BinOp::Add => {
                self.all_numeric(x.ty) || self.all_string(x.ty) || self.all_basic_either(x.ty)
            }
            BinOp::Sub | BinOp::Mul | BinOp::Div => self.all_numeric(x.ty),
            BinOp::LAnd | BinOp::LOr => self.all_boolean(x.ty),
            _ => self.all_integer(x.ty),
        };
        if !fine {
            let s = self.os(x);
            self.error(
                x.pos(),
                format!(
                    "invalid operation: operator {} not defined on {s}",
                    op_text(op)
                ),
            );
            x.invalidate();
            return;
        }
        if matches!(op, BinOp::Div | BinOp::Rem) {
            let mut zero =
                y.is_const() && (x.is_const() || self.all_integer(x.ty)) && y.value().is_zero();
            if !zero && x.is_const() && y.is_const() && self.is_complex(x.ty) {
                // The squares may vanish where the parts do not.
                let square = |v: ConstValue| ConstValue::binary(&v, BinOp::Mul, &v, false);
                let v = y.value();
                zero = square(v.real()).sign() == 0 && square(v.imag()).sign() == 0;
            }
            if zero {
                self.error(y.pos(), "invalid operation: division by zero");
                x.invalidate();
                return;
            }
        }
        if x.is_const() && y.is_const() {
            let (a, b) = (x.value(), y.value());
            let int_div = self.is_integer(x.ty);
            if op == BinOp::Add
                && let (Some(s), Some(t)) = (a.as_bytes(), b.as_bytes())
            {
                let n = s.len() + t.len();
                if n > MAX_STRING_BYTES {
                    let pos = e.map_or(x.pos(), |e| e.pos);
                    self.error(
                        pos,
                        format!("constant string too long ({n} bytes > 2000000000 bytes)"),
                    );
                    x.invalidate();
                    return;
                }
            }
            x.val = Some(ConstValue::binary(&a, op, &b, int_div));
            if let Some(e) = e {
                x.expr = Some(e);
                self.overflow(x, e.pos);
            }
            return;
        }
        x.mode = Mode::Value;
        x.val = None;
    }

    /// Numbers and strings mixed in a type set: `+` works on both.
    fn all_basic_either(&self, t: TypeId) -> bool {
        if !self.is_type_param(t) {
            return false;
        }
        let mut all = true;
        let some = self.for_each_term(t, |u| {
            all &= self.is_numeric(u) || self.is_string(u);
            all
        });
        some && all
    }

    fn shift(&mut self, x: &mut Operand, y: &mut Operand, e: Option<&'static Expr>, op: BinOp) {
        let mut int = None;
        if x.is_const() {
            int = x.value().to_int();
        }
        let untyped_int = self.is_untyped(x.ty) && int.is_some();
        if !self.all_integer(x.ty) && !untyped_int {
            let s = self.os(x);
            self.error(
                x.pos(),
                format!("invalid operation: shifted operand {s} must be integer"),
            );
            x.invalidate();
            return;
        }
        let mut count = None;
        if y.is_const() {
            let v = y.value().to_int();
            if v.as_ref().is_some_and(|v| v.sign() < 0) {
                let s = self.os(y);
                self.error(
                    y.pos(),
                    format!("invalid operation: negative shift count {s}"),
                );
                x.invalidate();
                return;
            }
            count = v;
            if self.is_untyped(y.ty) {
                self.representable(y, TypeId::UINT);
                if y.is_invalid() {
                    x.invalidate();
                    return;
                }
            } else if !self.all_integer(y.ty) {
                let s = self.os(y);
                self.error(
                    y.pos(),
                    format!("invalid operation: shift count {s} must be integer"),
                );
                x.invalidate();
                return;
            }
        } else if self.all_integer(y.ty) {
            if self.is_untyped(y.ty) {
                self.convert_untyped(y, TypeId::UINT);
            }
        } else if self.is_untyped(y.ty) {
            self.convert_untyped(y, TypeId::UINT);
            if y.is_invalid() {
                x.invalidate();
                return;
            }
        } else {
            let s = self.os(y);
            self.error(
                y.pos(),
                format!("invalid operation: shift count {s} must be integer"),
            );
            x.invalidate();
            return;
        }
        if x.is_const() {
            if y.is_const() {
                let n = count
                    .as_ref()
                    .and_then(ConstValue::as_u64)
                    .filter(|&n| n <= 1023 - 1 + 52);
                let (Some(n), Some(v)) = (n, int) else {
                    let s = self.os(y);
                    self.error(
                        y.pos(),
                        format!("invalid operation: invalid shift count {s}"),
                    );
                    x.invalidate();
                    return;
                };
                if !self.is_integer(x.ty) {
                    x.ty = TypeId::UNTYPED_INT;
                }
                x.val = Some(v.shift(op == BinOp::Shl, n));
                if let Some(e) = e {
                    x.expr = Some(e);
                    self.overflow(x, e.pos);
                }
                return;
            }
            // The left operand takes the type the whole shift will have.
            if self.is_untyped(x.ty) {
                if let Some(e) = x.expr {
                    self.shift_lhs.insert(e.id);
                }
                self.type_shift_count(y);
                x.mode = Mode::Value;
                x.val = None;
                return;
            }
        }
        if !self.all_integer(x.ty) {
            let s = self.os(x);
            self.error(
                x.pos(),
                format!("invalid operation: shifted operand {s} must be integer"),
            );
            x.invalidate();
            return;
        }
        self.type_shift_count(y);
        x.mode = Mode::Value;
        x.val = None;
    }

    /// An untyped constant count is computed as uint.
    fn type_shift_count(&mut self, y: &Operand) {
        if let (true, Some(e)) = (self.is_untyped(y.ty), y.expr) {
            self.update_expr_type(e, TypeId::UINT, true);
        }
    }

    /// Gives untyped operands of a binary operation the type of the other one, where that can be.
    pub(super) fn match_types(&mut self, x: &mut Operand, y: &mut Operand) {
        if !self.may_convert(x, y) {
            return;
        }
        self.convert_untyped(x, y.ty);
        if x.is_invalid() {
            return;
        }
        self.convert_untyped(y, x.ty);
        if y.is_invalid() {
            x.invalidate();
        }
    }

    fn may_convert(&self, x: &Operand, y: &Operand) -> bool {
        let p = &self.prog;
        if !p.is_untyped(x.ty) && !p.is_untyped(y.ty) {
            return false;
        }
        if p.all_numeric(x.ty) != p.all_numeric(y.ty) {
            return false;
        }
        if p.is_interface(x.ty) || p.is_interface(y.ty) {
            return true;
        }
        if p.all_boolean(x.ty) != p.all_boolean(y.ty) || p.all_string(x.ty) != p.all_string(y.ty) {
            return false;
        }
        if x.is_nil() {
            return p.has_nil(y.ty);
        }
        if y.is_nil() {
            return p.has_nil(x.ty);
        }
        !p.is_pointer(x.ty) && !p.is_pointer(y.ty)
    }

    /// `x op y` for comparisons; of a switch the words differ.
    pub(super) fn comparison(
        &mut self,
        x: &mut Operand,
        y: &mut Operand,
        op: BinOp,
        switch_case: bool,
    ) {
        if !self.is_valid(x.ty) || !self.is_valid(y.ty) {
            x.invalidate();
            return;
        }
        let op = if switch_case { BinOp::Eq } else { op };
        if x.ty != y.ty {
            self.complete_methods(x.ty, y.ty);
            self.complete_methods(y.ty, x.ty);
        }
        // The offending operand: false is x.
        let mut at_y = false;
        let mut cause = String::new();
        let mut bad = false;
        if !self.assignable(x, y.ty) && !self.assignable(y, x.ty) {
            // Only the second operand shows that they do not match.
            at_y = true;
            bad = true;
            cause = format!("mismatched types {} and {}", self.ts(x.ty), self.ts(y.ty));
        } else if matches!(op, BinOp::Eq | BinOp::Ne) {
            if x.is_nil() || y.is_nil() {
                let ty = if x.is_nil() { y.ty } else { x.ty };
                if !self.has_nil(ty) {
                    at_y = true;
                    bad = true;
                }
            } else if !self.comparable(x.ty) {
                bad = true;
                cause = self.incomparable_cause(x.ty, self.rel());
            } else if !self.comparable(y.ty) {
                at_y = true;
                bad = true;
                cause = self.incomparable_cause(y.ty, self.rel());
            }
        } else if !self.all_ordered(x.ty) {
            bad = true;
        } else if !self.all_ordered(y.ty) {
            at_y = true;
            bad = true;
        }
        if bad {
            if cause.is_empty() {
                let (px, py) = (self.is_type_param(x.ty), self.is_type_param(y.ty));
                if px || py {
                    if !px {
                        at_y = true;
                    }
                    let t = self.ts(if at_y { y.ty } else { x.ty });
                    cause = format!("type parameter {t} cannot use operator {}", op_text(op));
                } else {
                    let t = if at_y { y.ty } else { x.ty };
                    let what = match self.kind_word(t) {
                        "" => self.ts(t),
                        w => w.to_string(),
                    };
                    cause = format!("operator {} not defined on {what}", op_text(op));
                }
            }
            let show = |c: &Checker, o: &Operand| o.expr.map_or(String::new(), |e| c.es(e));
            let (sx, sy) = (show(self, x), show(self, y));
            if switch_case {
                self.error(
                    x.pos(),
                    format!("invalid case {sx} in switch on {sy} ({cause})"),
                );
            } else {
                let pos = if at_y { y.pos() } else { x.pos() };
                self.error(
                    pos,
                    format!("invalid operation: {sx} {} {sy} ({cause})", op_text(op)),
                );
            }
            x.invalidate();
            return;
        }
        if x.is_const() && y.is_const() {
            x.val = Some(ConstValue::Bool(ConstValue::compare(
                &x.value(),
                op,
                &y.value(),
            )));
        } else {
            x.mode = Mode::Value;
            x.val = None;
            for o in [&*x, &*y] {
                if let Some(e) = o.expr {
                    let t = self.default_type(o.ty);
                    self.update_expr_type(e, t, true);
                }
            }
        }
        x.ty = TypeId::UNTYPED_BOOL;
    }

    /// A constant must fit its type after each operation; untyped integers must not grow without bound.
    pub(super) fn overflow(&mut self, x: &mut Operand, op_pos: Pos) {
        let v = x.value();
        if v.is_unknown() {
            self.error(op_pos, "constant result is not representable");
            x.invalidate();
            return;
        }
        if !self.is_untyped(x.ty) {
            let u = self.under(x.ty);
            self.representable(x, u);
            return;
        }
        if v.bit_len() > 512 {
            let op = x.expr.map_or("", |e| match &e.kind {
                ExprKind::Binary { op, .. } => match op {
                    BinOp::Add => "addition ",
                    BinOp::Sub => "subtraction ",
                    BinOp::Xor => "bitwise XOR ",
                    BinOp::Mul => "multiplication ",
                    BinOp::Shl => "shift ",
                    _ => "",
                },
                ExprKind::Unary {
                    op: UnOp::Compl, ..
                } => "bitwise complement ",
                _ => "",
            });
            self.error(op_pos, format!("constant {op}overflow"));
            x.invalidate();
        }
    }

    /// The constant as a value of the basic type: rounded, or made an integer; `None` if it does not fit.
    pub(super) fn representable_value(&self, v: &ConstValue, b: Basic) -> Option<ConstValue> {
        use ConstValue as V;
        if v.is_unknown() {
            return Some(V::Unknown);
        }
        if b.is_integer() {
            let n = v.to_int()?;
            let (bits, signed) = match b {
                Basic::UntypedInt | Basic::UntypedRune => return Some(n),
                Basic::Int | Basic::Int64 => (64, true),
                Basic::Int8 => (8, true),
                Basic::Int16 => (16, true),
                Basic::Int32 => (32, true),
                Basic::Uint8 => (8, false),
                Basic::Uint16 => (16, false),
                Basic::Uint32 => (32, false),
                _ => (64, false),
            };
            let fits = if signed {
                n.as_i64().is_some_and(|i| {
                    bits == 64 || (-(1i64 << (bits - 1))..1i64 << (bits - 1)).contains(&i)
                })
            } else {
                n.as_u64().is_some_and(|u| bits == 64 || u >> bits == 0)
            };
            return fits.then_some(n);
        }
        if b.is_float() {
            let f = v.to_float()?;
            return match b {
                Basic::Float32 => f.rounded(true),
                Basic::Float64 => f.rounded(false),
                _ => Some(f),
            };
        }
        if b.is_complex() {
            let c = v.to_complex()?;
            let (re, im) = (c.real().to_float()?, c.imag().to_float()?);
            return match b {
                Basic::Complex64 => Some(V::complex(re.rounded(true)?, im.rounded(true)?)),
                Basic::Complex128 => Some(V::complex(re.rounded(false)?, im.rounded(false)?)),
                _ => Some(c),
            };
        }
        let fits = match v {
            V::Bool(_) => b.is_boolean(),
            V::Str(_) => b.is_string(),
            _ => false,
        };
        fits.then(|| v.clone())
    }

    fn representation(&self, x: &Operand, b: Basic) -> Result<ConstValue, Misfit> {
        if let Some(v) = self.representable_value(&x.value(), b) {
            return Ok(v);
        }
        if self.is_numeric(x.ty) && b.is_numeric() {
            if !self.is_integer(x.ty) && b.is_integer() {
                return Err(Misfit::Truncated);
            }
            return Err(Misfit::Overflows);
        }
        Err(Misfit::Other)
    }

    /// The constant operand must fit the (underlying) basic type.
    pub(super) fn representable(&mut self, x: &mut Operand, ty: TypeId) {
        let Some(b) = self.basic(ty) else { return };
        match self.representation(x, b) {
            Ok(v) => x.val = Some(v),
            Err(m) => {
                self.misfit(m, x, ty);
                x.invalidate();
            }
        }
    }

    fn misfit(&mut self, m: Misfit, x: &Operand, ty: TypeId) {
        let (s, t) = (self.os(x), self.ts(ty));
        let msg = match m {
            Misfit::Truncated => format!("{s} truncated to {t}"),
            Misfit::Overflows => format!("{s} overflows {t}"),
            Misfit::Other => format!("cannot convert {s} to type {t}"),
        };
        self.error(x.pos(), msg);
    }

    /// Gives an untyped operand the type `target`, or reports that it cannot have it.
    pub(super) fn convert_untyped(&mut self, x: &mut Operand, target: TypeId) {
        match self.implicit_type(x, target) {
            Err(m) => {
                let t = if self.is_type_param(target) {
                    target
                } else {
                    self.under(target)
                };
                self.misfit(m, x, t);
                x.invalidate();
            }
            Ok((ty, val)) => {
                if let Some(v) = val {
                    x.val = Some(v.clone());
                    self.update_expr_val(x.expr, v);
                }
                if ty != x.ty {
                    x.ty = ty;
                    if let Some(e) = x.expr {
                        self.update_expr_type(e, ty, false);
                    }
                }
            }
        }
    }

    /// The type an untyped operand takes where `target` is expected, and the constant in that type.
    pub(super) fn implicit_type(
        &self,
        x: &Operand,
        target: TypeId,
    ) -> Result<(TypeId, Option<ConstValue>), Misfit> {
        if x.is_invalid() || !self.is_untyped(x.ty) || !self.is_valid(target) {
            return Ok((x.ty, None));
        }
        if self.is_untyped(target) {
            if x.ty == target {
                return Ok((target, None));
            }
            // Of two kinds of numbers the larger one.
            if self.is_untyped_numeric(x.ty) && self.is_untyped_numeric(target) {
                return Ok((TypeId(x.ty.0.max(target.0)), None));
            }
            return Err(Misfit::Other);
        }
        if x.is_nil() {
            return if self.has_nil(target) {
                Ok((target, None))
            } else {
                Err(Misfit::Other)
            };
        }
        if self.is_type_param(target) {
            let mut all = true;
            let some = self.for_each_term(target, |u| {
                all &= self.implicit_type(x, u).is_ok();
                all
            });
            return if some && all {
                Ok((target, None))
            } else {
                Err(Misfit::Other)
            };
        }
        match self.under_type(target) {
            Type::Basic(b) => {
                let b = *b;
                if x.is_const() {
                    return self.representation(x, b).map(|v| (target, Some(v)));
                }
                let fits = match x.ty {
                    TypeId::UNTYPED_BOOL => b.is_boolean(),
                    TypeId::UNTYPED_STRING => b.is_string(),
                    TypeId::UNTYPED_NIL => false,
                    _ => b.is_numeric(),
                };
                if fits {
                    Ok((target, None))
                } else {
                    Err(Misfit::Other)
                }
            }
            Type::Interface(_) => {
                let set = self.type_set(target);
                if !set.methods.is_empty() || set.terms.is_some() || set.comparable {
                    return Err(Misfit::Other);
                }
                Ok((self.default_type(x.ty), None))
            }
            _ => Err(Misfit::Other),
        }
    }

    pub(super) fn update_expr_val(&mut self, e: Option<&Expr>, v: ConstValue) {
        let Some(e) = e else { return };
        if let Some(Some(tv)) = self.prog.info.types.get_mut(e.id.0 as usize)
            && tv.mode == Mode::Constant
            && tv.ty.0 >= TypeId::UNTYPED_BOOL.0
            && tv.ty.0 <= TypeId::UNTYPED_NIL.0
        {
            tv.value = Some(v);
        }
    }

    /// Records the type that the context gave to an untyped expression, in all the operands it is computed from.
    pub(super) fn update_expr_type(&mut self, e: &'static Expr, ty: TypeId, is_final: bool) {
        let mut work = vec![e];
        while let Some(e) = work.pop() {
            let Some(old) = self.info.get(e.id) else {
                continue;
            };
            if !self.is_untyped(old.ty) {
                continue;
            }
            let (mode, old_ty, val) = (old.mode, old.ty, old.value.clone());
            match &e.kind {
                ExprKind::Paren(x) => work.push(x),
                ExprKind::Unary { op, x }
                    if val.is_none() && !matches!(op, UnOp::Recv | UnOp::Addr) =>
                {
                    work.push(x)
                }
                ExprKind::Binary { op, x, y } if val.is_none() => {
                    if is_comparison(*op) {
                        // The operands have their types.
                    } else if is_shift(*op) {
                        work.push(x);
                    } else {
                        work.push(y);
                        work.push(x);
                    }
                }
                _ => {}
            }
            if !is_final && self.is_untyped(ty) {
                self.record(e.id, mode, ty, val);
                continue;
            }
            if !self.shift_lhs.is_empty() && self.shift_lhs.remove(&e.id) && !self.all_integer(ty) {
                let (s, t) = (self.es(e), self.ts(ty));
                self.error(
                    e.start(),
                    format!("invalid operation: shifted operand {s} (type {t}) must be integer"),
                );
                continue;
            }
            let mut val = val;
            if val.is_some() && mode == Mode::Constant {
                let x = Operand {
                    val: val.clone(),
                    ..Operand::new(mode, old_ty, e)
                };
                match self.implicit_type(&x, ty) {
                    Ok((_, v)) => val = v.or(val),
                    Err(m) => {
                        let t = if self.is_type_param(ty) {
                            ty
                        } else {
                            self.under(ty)
                        };
                        self.misfit(m, &x, t);
                        continue;
                    }
                }
            }
            self.record(e.id, mode, ty, val);
        }
    }

    /// Checks expressions whose values nobody can use because of an error elsewhere. Gives whether all were valid.
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
            ExprKind::Name(n) if n.is_blank() => {
                // Reported elsewhere, or harmless.
                let x = self.raw_expr(e, None, None, false);
                !x.is_invalid()
            }
            _ => {
                let x = self.raw_expr(e, None, None, false);
                !x.is_invalid()
            }
        }
    }
}
