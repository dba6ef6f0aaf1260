//! Conditions: comparisons fused with branches, and booleans as values.
//!
//! Spec: Comparison operators, Logical operators.

use super::func::{Fun, Label, Loc, emit};
use super::ops::{Opd, form_of, is_boolean};
use super::regalloc::Slot;
use super::typeinfo::IntKind;
use super::{Repr, TypeInfo};
use bytecode::op::{Family, Form, Op};
use std::rc::Rc;
use syntax::ast::{BinOp, Expr, ExprKind, UnOp};
use types::{Mode, ObjKind, Type, TypeId};

/// The operator that holds exactly when `op` does not (for total orders).
fn negated(op: BinOp) -> BinOp {
    match op {
        BinOp::Eq => BinOp::Ne,
        BinOp::Ne => BinOp::Eq,
        BinOp::Lt => BinOp::Ge,
        BinOp::Ge => BinOp::Lt,
        BinOp::Gt => BinOp::Le,
        BinOp::Le => BinOp::Gt,
        other => other,
    }
}

/// The operator with its operands exchanged.
fn mirrored(op: BinOp) -> BinOp {
    match op {
        BinOp::Lt => BinOp::Gt,
        BinOp::Gt => BinOp::Lt,
        BinOp::Le => BinOp::Ge,
        BinOp::Ge => BinOp::Le,
        other => other,
    }
}

/// Structs of more fields are compared as a whole.
const MOST_FIELDS: usize = 16;

/// Two operands of a comparison, brought to one type.
struct Pair {
    a: Opd,
    b: Opd,
    ti: Rc<TypeInfo>,
    /// One side is nil: only the first word of the other counts.
    nil: bool,
}

impl Fun<'_> {
    /// Jumps to `target` if the condition `e` is `sense`; else goes on.
    pub(super) fn cond(&mut self, e: &'static Expr, target: Label, sense: bool) {
        if let Some(k) = self.const_word(e) {
            if (k != 0) == sense {
                self.jump(target);
            }
            return;
        }
        if self.overrides.contains_key(&e.id) {
            return self.jump_bool(e, target, sense);
        }
        match &e.kind {
            ExprKind::Paren(x) => self.cond(x, target, sense),
            ExprKind::Unary { op: UnOp::Not, x } => self.cond(x, target, !sense),
            ExprKind::Binary {
                op: op @ (BinOp::LAnd | BinOp::LOr),
                ..
            } => {
                self.apart(|f| f.cond_parts(e, *op, target, sense));
            }
            ExprKind::Binary { op, x, y } if is_boolean(*op) => self.ordered(e, |f| {
                let mark = f.alloc.mark();
                match f.fields_apart(x, y) {
                    true => f.branch_fields(e, [x, y], target, (*op == BinOp::Eq) == sense),
                    false => {
                        let pair = f.pair(x, y);
                        f.pos = e.pos;
                        f.branch(*op, &pair, target, sense);
                    }
                }
                f.alloc.release(mark);
            }),
            ExprKind::Call { fun, .. }
                if !self.c.ck.info.is_type(fun) && self.builtin_of(fun).is_none() =>
            {
                self.ordered(e, |f| f.cond_call(e, fun, target, sense));
            }
            _ => self.jump_bool(e, target, sense),
        }
    }

    /// The same for a chain of `&&` or of `||`.
    fn cond_parts(&mut self, e: &'static Expr, op: BinOp, target: Label, sense: bool) {
        // The left spine of one operator in a loop.
        let mut parts = Vec::new();
        let mut x = e;
        while let ExprKind::Binary { op: o, x: left, y } = &x.kind
            && *o == op
            && self.c.ck.info.value_of(x).is_none()
        {
            parts.push(&**y);
            x = left.unparen();
        }
        parts.push(x);
        parts.reverse();
        // What decides at once: false for &&, true for ||.
        let decisive = op == BinOp::LOr;
        if decisive == sense {
            for p in parts {
                self.cond(p, target, sense);
            }
        } else {
            let out = self.label();
            let last = parts.len() - 1;
            for p in &parts[..last] {
                self.cond(p, out, decisive);
            }
            self.cond(parts[last], target, sense);
            self.bind(out);
        }
    }

    fn cond_call(&mut self, e: &'static Expr, fun: &'static Expr, target: Label, sense: bool) {
        if let Some(iteration) = self.yields_to(fun) {
            return self.yield_jump(e, iteration, target, sense);
        }
        match self.inline_candidate(fun) {
            Some(c) if c.body.returns_one => self.inline_jump(e, &c, target, sense),
            Some(c) => self.temps(|f| {
                let results = f.inline_call(e, &c, None);
                f.jump_if(results[0], target, sense);
            }),
            None => self.jump_bool(e, target, sense),
        }
    }

    fn jump_bool(&mut self, e: &'static Expr, target: Label, sense: bool) {
        let mark = self.alloc.mark();
        let s = self.loose(e);
        self.pos = e.pos;
        self.jump_if(s, target, sense);
        self.alloc.release(mark);
    }

    /// Jumps if the boolean R[s] is `sense`.
    pub(super) fn jump_if(&mut self, s: Slot, target: Label, sense: bool) {
        if sense {
            emit!(self, JumpIf, s, target);
        } else {
            emit!(self, JumpUnless, s, target);
        }
    }

    /// A boolean expression as a value.
    pub(super) fn bool_value(&mut self, e: &'static Expr, dst: Option<Slot>) -> Slot {
        let ti = self.einfo(e);
        if let ExprKind::Binary { op, x, y } = &e.kind
            && !matches!(op, BinOp::LAnd | BinOp::LOr)
            && !self.fields_apart(x, y)
        {
            let d = self.dst(dst, &ti);
            let mark = self.alloc.mark();
            let pair = self.pair(x, y);
            self.pos = e.pos;
            self.compare_value(*op, &pair, d);
            self.alloc.release(mark);
            return d;
        }
        // By jumps; the destination is written last.
        let (no, out) = (self.label(), self.label());
        let d = self.dst(dst, &ti);
        let inner = self.alloc.mark();
        self.cond(e, no, false);
        self.alloc.release(inner);
        emit!(self, LoadImm, d, 1);
        self.jump(out);
        self.bind(no);
        emit!(self, LoadImm, d, 0);
        self.bind(out);
        d
    }

    fn is_nil(&self, e: &Expr) -> bool {
        let e = e.unparen();
        matches!(e.kind, ExprKind::Name(_))
            && self
                .c
                .ck
                .info
                .get(e.id)
                .is_some_and(|tv| tv.mode == Mode::Nil)
    }

    /// Evaluates both sides of a comparison.
    fn pair(&mut self, x: &'static Expr, y: &'static Expr) -> Pair {
        if self.is_nil(y) || self.is_nil(x) {
            let e = if self.is_nil(y) { x } else { y };
            let ti = self.einfo(e);
            return Pair {
                a: Opd::S(self.loose(e)),
                b: Opd::K(0),
                ti,
                nil: true,
            };
        }
        let (tx, ty) = (self.ty(x), self.ty(y));
        let (ix, iy) = (self.c.ck.is_interface(tx), self.c.ck.is_interface(ty));
        if ix || iy {
            // Two interfaces of one type, or both as any.
            let common = match (ix, iy) {
                (true, true) if self.c.ck.identical(tx, ty) => tx,
                _ => TypeId::ANY,
            };
            let a = self.expr_as(x, common, None);
            let b = self.expr_as(y, common, None);
            return Pair {
                a: Opd::S(a),
                b: Opd::S(b),
                ti: self.info(common),
                nil: false,
            };
        }
        let ti = self.info(tx);
        if ti.repr == Repr::Str && !self.c.has_effect(x) && !self.c.has_effect(y) {
            let [a, b] = [x, y].map(|e| match self.bytes_of(e) {
                Some(bytes) => self.view(bytes, &ti),
                None => self.operand(e, true),
            });
            return Pair {
                a,
                b,
                ti,
                nil: false,
            };
        }
        let complex = self.c.is_complex(y);
        let a = self.operand(x, !complex);
        let b = self.operand(y, true);
        Pair {
            a,
            b,
            ti,
            nil: false,
        }
    }

    /// Are `x` and `y` structs that are compared field by field where they lie? So it is if one
    /// lies in memory, which others may write: what is behind the first difference is not read.
    fn fields_apart(&mut self, x: &'static Expr, y: &'static Expr) -> bool {
        if self.is_nil(x) || self.is_nil(y) || self.einfo(x).repr != Repr::Agg {
            return false;
        }
        let (tx, ty) = (self.ty(x), self.ty(y));
        let is_one_type = self.c.ck.identical(tx, ty);
        if !is_one_type || self.c.has_effect(x) || self.c.has_effect(y) {
            return false;
        }
        let fields = self.fields_of(tx);
        (2..=MOST_FIELDS).contains(&fields.len()) && (self.is_in_memory(x) || self.is_in_memory(y))
    }

    /// The fields of a struct type that are compared, those of structs in it in their place: their
    /// offsets and types.
    fn fields_of(&mut self, t: TypeId) -> Vec<(u64, TypeId)> {
        let Type::Struct(s) = self.c.ck.under_type(t).clone() else {
            return vec![(0, t)];
        };
        let at = self.info(t).rtype.fields;
        let mut all = Vec::new();
        for (&field, at) in s.fields.iter().zip(at) {
            if self.c.ck.obj(field).name.is_blank() {
                continue;
            }
            let ft = self.c.ck.obj(field).ty;
            let ft = self.subst(ft);
            let parts = self.fields_of(ft);
            all.extend(parts.iter().map(|(off, t)| (at.offset as u64 + off, *t)));
        }
        all
    }

    /// Does `e` denote memory outside the frame?
    fn is_in_memory(&self, e: &Expr) -> bool {
        if self.overrides.contains_key(&e.id) {
            return false;
        }
        let behind = |x: &Expr| {
            let t = self.c.under_type_of(x);
            matches!(t, Some(Type::Pointer(_) | Type::Slice(_))) || self.is_in_memory(x)
        };
        match &e.kind {
            ExprKind::Paren(x) => self.is_in_memory(x),
            ExprKind::Star(_) => true,
            ExprKind::Name(_) => match self.c.ck.info.object(e.id) {
                Some(obj) => match self.vars.get(&obj) {
                    Some(loc) => matches!(loc, Loc::Box(_)),
                    None => matches!(&self.c.ck.obj(obj).kind, ObjKind::Var(v) if v.is_global),
                },
                None => false,
            },
            ExprKind::Selector { x, .. } => behind(x),
            ExprKind::Index { x, .. } => behind(x),
            _ => false,
        }
    }

    /// Jumps to `target` if `x == y` is `sense`, of [structs apart](Self::fields_apart).
    fn branch_fields(
        &mut self,
        e: &'static Expr,
        [x, y]: [&'static Expr; 2],
        target: Label,
        sense: bool,
    ) {
        let t = self.ty(x);
        let (a, b) = (self.place(x), self.place(y));
        self.pos = e.pos;
        let unequal = if sense { self.label() } else { target };
        for (off, t) in self.fields_of(t) {
            let ti = self.info(t);
            let mark = self.alloc.mark();
            let [a, b] = [a, b].map(|place| {
                let part = self.sub_place(place, off, &ti);
                Opd::S(self.load(part, &ti, None))
            });
            let nil = false;
            self.branch(BinOp::Ne, &Pair { a, b, ti, nil }, unequal, true);
            self.alloc.release(mark);
        }
        if sense {
            self.jump(target);
            self.bind(unequal);
        }
    }

    /// The slice of bytes of which `e` makes a string.
    fn bytes_of(&mut self, e: &'static Expr) -> Option<&'static Expr> {
        let ExprKind::Call { fun, args, .. } = &e.unparen().kind else {
            return None;
        };
        let is_conversion = self.c.ck.info.is_type(fun) && self.c.ck.info.value_of(e).is_none();
        let t = self.ty(args.first().filter(|_| is_conversion)?);
        (self.info(t).repr == Repr::Slice && self.is_byte_slice(t)).then_some(&args[0])
    }

    /// The bytes of a slice as a string, which is gone before they are written.
    fn view(&mut self, bytes: &'static Expr, ti: &TypeInfo) -> Opd {
        let s = self.loose(bytes);
        let text = self.alloc.take(ti);
        self.pos = bytes.pos;
        emit!(self, ViewOfBytes, text, s);
        Opd::S(text)
    }

    /// Jumps to `target` if `x == y`.
    pub(super) fn branch_equal(&mut self, x: &'static Expr, y: &'static Expr, target: Label) {
        let pair = self.pair(x, y);
        self.branch(BinOp::Eq, &pair, target, true);
    }

    /// Jumps to `target` if `pair.a op pair.b` is `sense`.
    fn branch(&mut self, op: BinOp, pair: &Pair, target: Label, sense: bool) {
        let eq = matches!(op, BinOp::Eq | BinOp::Ne);
        match pair.ti.repr {
            _ if pair.nil => {
                let Opd::S(a) = pair.a else { return };
                if (op == BinOp::Eq) == sense {
                    emit!(self, JumpEqImm, a, 0, target);
                } else {
                    emit!(self, JumpNeImm, a, 0, target);
                }
            }
            Repr::Int(k) => {
                let op = if sense { op } else { negated(op) };
                self.branch_int(op, k, pair.a, pair.b, target);
            }
            Repr::Ptr => {
                let op = if sense { op } else { negated(op) };
                self.branch_int(
                    op,
                    IntKind {
                        bits: 64,
                        signed: true,
                    },
                    pair.a,
                    pair.b,
                    target,
                );
            }
            Repr::F64 | Repr::F32 => {
                let (a, b) = (self.in_slot(pair.a), self.in_slot(pair.b));
                let (op, a, b) = match op {
                    BinOp::Gt => (BinOp::Lt, b, a),
                    BinOp::Ge => (BinOp::Le, b, a),
                    _ => (op, a, b),
                };
                let family = match (op, sense) {
                    (BinOp::Eq, true) | (BinOp::Ne, false) => Family::JumpEq,
                    (BinOp::Eq, false) | (BinOp::Ne, true) => Family::JumpNe,
                    (BinOp::Lt, true) => Family::JumpLt,
                    (BinOp::Le, true) => Family::JumpLe,
                    (BinOp::Lt, false) => Family::JumpNotLt,
                    _ => Family::JumpNotLe,
                };
                let form = if pair.ti.repr == Repr::F32 {
                    Form::F32
                } else {
                    Form::F64
                };
                let form = form_of(family, form);
                self.put(form, &[a.0.into(), b.0.into(), target.0.into()]);
            }
            Repr::Str if eq => {
                let (a, b) = (self.in_slot(pair.a), self.in_slot(pair.b));
                if (op == BinOp::Eq) == sense {
                    emit!(self, JumpEqStr, a, b, target);
                } else {
                    emit!(self, JumpNeStr, a, b, target);
                }
            }
            _ => {
                let t = self.alloc.scalar();
                // `!=` is the negation of `==` for everything that is left.
                let (op, sense) = if op == BinOp::Ne {
                    (BinOp::Eq, !sense)
                } else {
                    (op, sense)
                };
                self.compare_value(op, pair, t);
                self.jump_if(t, target, sense);
            }
        }
    }

    /// Jumps if `a op b`, integers.
    pub(super) fn branch_int(&mut self, op: BinOp, k: IntKind, a: Opd, b: Opd, target: Label) {
        let (op, a, b) = match (a, b) {
            (Opd::K(_), Opd::S(_)) => (mirrored(op), b, a),
            _ => (op, a, b),
        };
        // Narrow unsigned values are small positive numbers: signed forms do.
        let signed = k.signed || k.bits < 64 || matches!(op, BinOp::Eq | BinOp::Ne);
        let a = self.in_slot(a);
        match b {
            Opd::K(i) if signed && b.imm16().is_some() => {
                let form = form_of(jump_family(op), Form::Imm);
                self.put(form, &[a.0.into(), i, target.0.into()]);
            }
            Opd::K(i @ 0..=0xffff) if !signed => {
                let form = form_of(jump_family(op), Form::UImm);
                self.put(form, &[a.0.into(), i, target.0.into()]);
            }
            Opd::K(i) if signed => {
                let form = form_of(jump_family(op), Form::Const);
                self.put(form, &[a.0.into(), target.0.into(), i]);
            }
            _ => {
                let b = self.in_slot(b);
                let (op, a, b) = match op {
                    BinOp::Gt | BinOp::Ge => (mirrored(op), b, a),
                    _ => (op, a, b),
                };
                let form = if signed { Form::I64 } else { Form::U64 };
                let form = form_of(jump_family(op), form);
                self.put(form, &[a.0.into(), b.0.into(), target.0.into()]);
            }
        }
    }

    /// `dst := pair.a op pair.b` as a boolean.
    fn compare_value(&mut self, op: BinOp, pair: &Pair, dst: Slot) {
        if pair.nil {
            let Opd::S(a) = pair.a else { return };
            if op == BinOp::Eq {
                emit!(self, EqImm, dst, a, 0);
            } else {
                emit!(self, NeImm, dst, a, 0);
            }
            return;
        }
        let ti = pair.ti.clone();
        let (mut op, mut a, mut b) = (op, pair.a, pair.b);
        if let (Opd::K(_), Opd::S(_)) = (a, b) {
            (op, a, b) = (mirrored(op), b, a);
        }
        if let Repr::Int(k) = ti.repr
            && (k.signed || k.bits < 64 || matches!(op, BinOp::Eq | BinOp::Ne))
            && let Some(i) = b.imm16()
        {
            let a = self.in_slot(a);
            let form = form_of(family(op), Form::Imm);
            self.put(form, &[dst.0.into(), a.0.into(), i]);
            return;
        }
        let (mut a, mut b) = (self.in_slot(a), self.in_slot(b));
        if matches!(op, BinOp::Gt | BinOp::Ge) {
            (op, a, b) = (mirrored(op), b, a);
        }
        self.compare_slots(op, &ti, dst, a, b);
    }

    /// `dst := R[a..] op R[b..]` for `==`, `!=`, `<`, `<=` on values of one type.
    pub(super) fn compare_slots(&mut self, op: BinOp, ti: &TypeInfo, dst: Slot, a: Slot, b: Slot) {
        let form = match ti.repr {
            Repr::Int(k) => {
                let unsigned = !k.signed && k.bits == 64 && !matches!(op, BinOp::Eq | BinOp::Ne);
                form_of(family(op), if unsigned { Form::U64 } else { Form::I64 })
            }
            Repr::F64 => form_of(family(op), Form::F64),
            Repr::F32 => form_of(family(op), Form::F32),
            Repr::Str => form_of(family(op), Form::Str),
            Repr::Ptr if op == BinOp::Ne => Op::Ne,
            Repr::Ptr => Op::Eq,
            _ => {
                let d = dst;
                match ti.repr {
                    Repr::Eface => emit!(self, EqEface, d, a, b),
                    Repr::Iface => emit!(self, EqIface, d, a, b),
                    Repr::C128 => emit!(self, EqC128, d, a, b),
                    Repr::C64 => emit!(self, EqC64, d, a, b),
                    Repr::Agg => emit!(self, EqTyped, d, a, b, ti.rtype.word()),
                    Repr::Huge => emit!(self, EqMem, d, a, b, ti.rtype.word()),
                    // Values without size are equal.
                    _ => emit!(self, LoadImm, d, 1),
                }
                if op == BinOp::Ne {
                    emit!(self, NotBool, d, d);
                }
                return;
            }
        };
        self.put(form, &[dst.0.into(), a.0.into(), b.0.into()]);
    }
}

/// The family of comparisons to a boolean.
fn family(op: BinOp) -> Family {
    match op {
        BinOp::Eq => Family::Eq,
        BinOp::Ne => Family::Ne,
        BinOp::Lt => Family::Lt,
        BinOp::Le => Family::Le,
        BinOp::Gt => Family::Gt,
        _ => Family::Ge,
    }
}

/// The family of jumps on a comparison.
fn jump_family(op: BinOp) -> Family {
    match op {
        BinOp::Eq => Family::JumpEq,
        BinOp::Ne => Family::JumpNe,
        BinOp::Lt => Family::JumpLt,
        BinOp::Le => Family::JumpLe,
        BinOp::Gt => Family::JumpGt,
        _ => Family::JumpGe,
    }
}
