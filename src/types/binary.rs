//! Operators with two operands: arithmetic, shifts, comparisons.
//!
//! Binary expressions are walked along their left spine in a loop,
//! so sums may have a million terms.
//!
//! Go: go/types (expr.go). Spec: Operators.

use super::operand::Operand;
use super::text::SHORT;
use super::*;
use syntax::ast::print::bin_op;
use syntax::ast::{BinOp, Expr, ExprKind};

/// The longest constant string.
const MAX_STRING_BYTES: usize = 2_000_000_000;

impl Checker {
    /// A tree of binary operators, from its leftmost operand upwards.
    pub(super) fn binary_spine(&mut self, e: &'static Expr) -> Operand {
        let mut spine: Vec<&'static Expr> = Vec::new();
        let mut at = e;
        while let ExprKind::Binary { x, .. } = &at.kind {
            spine.push(at);
            at = x;
        }
        let mut x = self.expr(at, None);
        let mut first = true;
        // A chain of constant strings is put together in one buffer;
        // what it holds so far is not kept for each operator.
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
                let so_far = text.as_ref().map_or(a.len(), Vec::len);
                if so_far + b.len() <= SHORT {
                    let text = text.get_or_insert_with(|| a.to_vec());
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
                    None => format!("{} {}= {}", self.es(lhs), bin_op(op), self.es(rhs)),
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
                    bin_op(op)
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
            // What is wrong with one of them has been reported.
            if a.is_unknown() || b.is_unknown() {
                x.val = Some(ConstValue::Unknown);
                return;
            }
            let int_div = self.is_integer(x.ty);
            if op == BinOp::Add
                && let (Some(s), Some(t)) = (a.text_len(), b.text_len())
            {
                let n = s + t;
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
            } else if !self.all_integer(y.ty) && !x.is_const() {
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
            if !self.all_unsigned(y.ty) && !self.allows(y.pos(), 13) {
                let s = self.os(y);
                self.requires(
                    y.pos(),
                    13,
                    &format!("invalid operation: signed shift count {s}"),
                );
                x.invalidate();
                return;
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
                if x.value().is_unknown() || y.value().is_unknown() {
                    x.val = Some(ConstValue::Unknown);
                    return;
                }
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
                    cause = format!("type parameter {t} cannot use operator {}", bin_op(op));
                } else {
                    let t = if at_y { y.ty } else { x.ty };
                    let what = match self.kind_word(t) {
                        "" => self.ts(t),
                        w => w.to_string(),
                    };
                    cause = format!("operator {} not defined on {what}", bin_op(op));
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
                    format!("invalid operation: {sx} {} {sy} ({cause})", bin_op(op)),
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
}

pub(super) fn is_comparison(op: BinOp) -> bool {
    matches!(
        op,
        BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge
    )
}

pub(super) fn is_shift(op: BinOp) -> bool {
    matches!(op, BinOp::Shl | BinOp::Shr)
}
