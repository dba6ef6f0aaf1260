//! Operators on values of one type.
//!
//! An operand is a slot or a constant; the instruction
//! with the immediate form is chosen where there is one.
//!
//! Spec: Arithmetic operators, Comparison operators.

use super::func::{Fun, emit};
use super::regalloc::Slot;
use super::typeinfo::IntKind;
use super::{Repr, TypeInfo};
use bytecode::op::{Family, Form, Op};
use syntax::ast::{BinOp, Expr, ExprKind};

/// A slot, or the slot form of a one-word constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Opd {
    S(Slot),
    K(i64),
}

impl Opd {
    pub(super) fn imm16(self) -> Option<i64> {
        match self {
            Opd::K(k) if i16::try_from(k).is_ok() => Some(k),
            _ => None,
        }
    }
}

/// The opcode of a family in a form that it has.
pub(super) fn form_of(family: Family, form: Form) -> Op {
    let op = family.form(form);
    op.unwrap_or_else(|| unreachable!("{family:?} has no form {form:?}"))
}

impl IntKind {
    /// The form for integers of this kind.
    pub(super) fn form(self) -> Form {
        Form::int(self.bits, self.signed)
    }
}

impl Fun<'_> {
    /// The operand in a slot.
    pub(super) fn in_slot(&mut self, o: Opd) -> Slot {
        match o {
            Opd::S(s) => s,
            Opd::K(k) => {
                let t = self.alloc.scalar();
                self.load_imm(t, k);
                t
            }
        }
    }

    /// `dst := a op b` for arithmetic operators on a basic type. Shifts: see `shift`. What was
    /// computed just before into a temporary taken since the mark `since` may become part of the
    /// instruction.
    pub(super) fn arith(
        &mut self,
        op: BinOp,
        ti: &TypeInfo,
        dst: Slot,
        a: Opd,
        b: Opd,
        since: usize,
    ) {
        if let (Opd::S(x), Opd::S(y)) = (a, b)
            && self.fuse(op, ti.repr, dst, x, y, since)
        {
            return;
        }
        match ti.repr {
            Repr::Int(k) => self.int_op(op, k, dst, a, b),
            Repr::F64 => self.f64_op(op, dst, a, b),
            Repr::F32 => {
                let (a, b) = (self.in_slot(a), self.in_slot(b));
                match op {
                    BinOp::Add => emit!(self, AddF32, dst, a, b),
                    BinOp::Sub => emit!(self, SubF32, dst, a, b),
                    BinOp::Mul => emit!(self, MulF32, dst, a, b),
                    _ => emit!(self, DivF32, dst, a, b),
                }
            }
            Repr::C128 => {
                let (a, b) = (self.in_slot(a), self.in_slot(b));
                match op {
                    BinOp::Add => emit!(self, AddC128, dst, a, b),
                    BinOp::Sub => emit!(self, SubC128, dst, a, b),
                    BinOp::Mul => emit!(self, MulC128, dst, a, b),
                    _ => emit!(self, DivC128, dst, a, b),
                }
            }
            Repr::C64 => {
                let (a, b) = (self.in_slot(a), self.in_slot(b));
                match op {
                    BinOp::Add => emit!(self, AddC64, dst, a, b),
                    BinOp::Sub => emit!(self, SubC64, dst, a, b),
                    BinOp::Mul => emit!(self, MulC64, dst, a, b),
                    _ => emit!(self, DivC64, dst, a, b),
                }
            }
            Repr::Str => {
                let (a, b) = (self.in_slot(a), self.in_slot(b));
                emit!(self, Concat2, dst, a, b);
            }
            _ => debug_assert!(false, "operator on {:?}", ti.repr),
        }
    }

    fn int_op(&mut self, op: BinOp, k: IntKind, dst: Slot, a: Opd, b: Opd) {
        // Constants to the right where order does not matter.
        let (a, b) = match (op, a, b) {
            (
                BinOp::Add | BinOp::Mul | BinOp::And | BinOp::Or | BinOp::Xor,
                Opd::K(_),
                Opd::S(_),
            ) => (b, a),
            _ => (a, b),
        };
        if let (Opd::S(a), Opd::K(c)) = (a, b)
            && self.int_op_const(op, k, dst, a, c)
        {
            return;
        }
        let (a, b) = (self.in_slot(a), self.in_slot(b));
        let form = match op {
            BinOp::Add => form_of(Family::Add, k.form()),
            BinOp::Sub => form_of(Family::Sub, k.form()),
            BinOp::Mul => form_of(Family::Mul, k.form()),
            BinOp::And => Op::And,
            BinOp::Or => Op::Or,
            BinOp::Xor => Op::Xor,
            BinOp::AndNot => Op::AndNot,
            BinOp::Div if !k.signed => Op::DivU,
            BinOp::Div => form_of(Family::DivS, k.form()),
            BinOp::Rem if k.signed => Op::RemS,
            _ => Op::RemU,
        };
        self.put(form, &[dst.0.into(), a.0.into(), b.0.into()]);
    }

    /// With a constant to the right, if there is a form for it.
    fn int_op_const(&mut self, op: BinOp, k: IntKind, dst: Slot, a: Slot, c: i64) -> bool {
        let small = i16::try_from(c).is_ok();
        let small_u = u16::try_from(c).is_ok();
        let (form, c) = match op {
            BinOp::Add if small => (form_of(Family::AddImm, k.form()), c),
            BinOp::Sub if i16::try_from(c.wrapping_neg()).is_ok() => {
                (form_of(Family::AddImm, k.form()), -c)
            }
            BinOp::Mul if c > 1 && c & (c - 1) == 0 => (
                form_of(Family::ShlImm, k.form()),
                i64::from(c.trailing_zeros()),
            ),
            BinOp::And if small => (Op::AndImm, c),
            BinOp::Or if small => (Op::OrImm, c),
            BinOp::Xor if small => (Op::XorImm, c),
            BinOp::AndNot if i16::try_from(!c).is_ok() => (Op::AndImm, !c),
            BinOp::Div if k.signed && c > 1 && c & (c - 1) == 0 => {
                (Op::DivPow2, i64::from(c.trailing_zeros()))
            }
            BinOp::Rem if k.signed && c > 1 && c & (c - 1) == 0 => {
                (Op::RemPow2, i64::from(c.trailing_zeros()))
            }
            BinOp::Div if k.signed && small && c != 0 && c != -1 => (Op::DivSImm, c),
            BinOp::Rem if k.signed && small && c != 0 && c != -1 => (Op::RemSImm, c),
            BinOp::Div if !k.signed && c > 0 && c & (c - 1) == 0 => {
                (Op::ShrUImm, i64::from(c.trailing_zeros()))
            }
            BinOp::Rem if !k.signed && c > 0 && c & (c - 1) == 0 && c <= 1 << 15 => {
                (Op::AndImm, c - 1)
            }
            BinOp::Div if !k.signed && small_u && c != 0 => (Op::DivUImm, c),
            BinOp::Rem if !k.signed && small_u && c != 0 => (Op::RemUImm, c),
            BinOp::Mul if small => match Family::MulImm.form(k.form()) {
                Some(f) => (f, c),
                None => return false,
            },
            BinOp::Add | BinOp::Sub => match Family::AddConst.form(k.form()) {
                Some(f) => (
                    f,
                    if op == BinOp::Sub {
                        c.wrapping_neg()
                    } else {
                        c
                    },
                ),
                None => return false,
            },
            BinOp::Mul => match Family::MulConst.form(k.form()) {
                Some(f) => (f, c),
                None => return false,
            },
            BinOp::And => (Op::AndConst, c),
            BinOp::Or => (Op::OrConst, c),
            BinOp::Xor => (Op::XorConst, c),
            BinOp::AndNot => (Op::AndConst, !c),
            _ => return false,
        };
        self.put(form, &[dst.0.into(), a.0.into(), c]);
        true
    }

    fn f64_op(&mut self, op: BinOp, dst: Slot, a: Opd, b: Opd) {
        match (op, a, b) {
            (BinOp::Add, Opd::S(a), Opd::K(k)) | (BinOp::Add, Opd::K(k), Opd::S(a)) => {
                emit!(self, AddF64Const, dst, a, k);
            }
            (BinOp::Mul, Opd::S(a), Opd::K(k)) | (BinOp::Mul, Opd::K(k), Opd::S(a)) => {
                emit!(self, MulF64Const, dst, a, k);
            }
            // a - k is a + (-k), exactly.
            (BinOp::Sub, Opd::S(a), Opd::K(k)) => emit!(self, AddF64Const, dst, a, k ^ i64::MIN),
            (BinOp::Sub, Opd::K(k), Opd::S(a)) => emit!(self, ConstSubF64, dst, a, k),
            (BinOp::Div, Opd::S(a), Opd::K(k)) => emit!(self, DivF64Const, dst, a, k),
            (BinOp::Div, Opd::K(k), Opd::S(a)) => emit!(self, ConstDivF64, dst, a, k),
            _ => {
                let (a, b) = (self.in_slot(a), self.in_slot(b));
                match op {
                    BinOp::Add => emit!(self, AddF64, dst, a, b),
                    BinOp::Sub => emit!(self, SubF64, dst, a, b),
                    BinOp::Mul => emit!(self, MulF64, dst, a, b),
                    _ => emit!(self, DivF64, dst, a, b),
                }
            }
        }
    }

    /// Fuses `dst := R[a] op R[b]` with the instructions just before it that compute R[b] (or R[a],
    /// where order does not matter) into a temporary which nothing else uses.
    fn fuse(&mut self, op: BinOp, repr: Repr, dst: Slot, a: Slot, b: Slot, since: usize) -> bool {
        let n = self.code.len();
        if self.dead || n == 0 || a == b || self.last_bound as usize == n {
            return false;
        }
        let last = self.code[n - 1];
        let made = Slot(last.args[0] as u32);
        let other = match (op, made) {
            (_, m) if m == b => a,
            (BinOp::Add | BinOp::Mul | BinOp::Or | BinOp::Xor, m) if m == a => b,
            _ => return false,
        };
        if !self.alloc.is_taken_since(made, since) {
            return false;
        }
        if self.fuse_rotation(op, repr, dst, made, other, since) {
            return true;
        }
        let f64 = repr == Repr::F64;
        let int64 = matches!(repr, Repr::Int(k) if k.bits == 64);
        let form = match (last.op, op) {
            (Op::MulF64, BinOp::Add) if f64 => Op::MulAddF64,
            (Op::Load64, BinOp::Add) if f64 => Op::AddF64Mem,
            (Op::Load64, BinOp::Sub) if f64 => Op::SubF64Mem,
            (Op::Load64, BinOp::Mul) if f64 => Op::MulF64Mem,
            (Op::SliceIndex64, BinOp::Add) if f64 => Op::AddF64Elem,
            (Op::SliceIndex64, BinOp::Mul) if f64 => Op::MulF64Elem,
            (Op::Load64, BinOp::Add) if int64 => Op::AddMem,
            (Op::SliceIndex64, BinOp::Add) if int64 => Op::AddElem,
            _ => return false,
        };
        let [_, x, y, ..] = last.args;
        self.code.pop();
        // It panics where the load would have.
        let pos = std::mem::replace(&mut self.pos, last.pos);
        match form {
            Op::MulAddF64 => self.put(form, &[dst.0.into(), x, y, other.0.into()]),
            _ => self.put(form, &[dst.0.into(), other.0.into(), x, y]),
        }
        if let Some(i) = self.code.last_mut() {
            i.inlined = last.inlined;
        }
        self.pos = pos;
        true
    }

    /// `x<<n | x>>(width-n)`, both shifts just made.
    fn fuse_rotation(
        &mut self,
        op: BinOp,
        repr: Repr,
        dst: Slot,
        made: Slot,
        other: Slot,
        since: usize,
    ) -> bool {
        let n = self.code.len();
        if !matches!(op, BinOp::Or | BinOp::Xor | BinOp::Add) || n < 2 {
            return false;
        }
        let (first, second) = (self.code[n - 2], self.code[n - 1]);
        if self.last_bound as usize == n - 1
            || first.args[0] != i64::from(other.0)
            || first.args[1] != second.args[1]
            || second.args[1] == first.args[0]
            || second.args[0] != i64::from(made.0)
            || !self.alloc.is_taken_since(other, since)
        {
            return false;
        }
        let Repr::Int(IntKind {
            bits,
            signed: false,
        }) = repr
        else {
            return false;
        };
        let (left, form) = match bits {
            64 => (Op::ShlImm, Op::RotateLeftImm),
            32 => (Op::ShlImmU32, Op::RotateLeftImmU32),
            _ => return false,
        };
        let by = match (first.op, second.op) {
            (l, Op::ShrUImm) if l == left => first.args[2],
            (Op::ShrUImm, l) if l == left => second.args[2],
            _ => return false,
        };
        if first.args[2] + second.args[2] != i64::from(bits) {
            return false;
        }
        self.code.truncate(n - 2);
        self.put(form, &[dst.0.into(), first.args[1], by]);
        true
    }

    /// `dst := a << n` or `a >> n`; `count` is the kind of the count.
    pub(super) fn shift(
        &mut self,
        left: bool,
        k: IntKind,
        dst: Slot,
        a: Slot,
        n: Opd,
        count: IntKind,
    ) {
        let n = match n {
            // Found out to be negative in a call compiled in place.
            Opd::K(k) if k < 0 && count.signed => Opd::S(self.in_slot(n)),
            n => n,
        };
        if let Opd::K(n) = n {
            // Others are not negative.
            let n = if n < 0 { 64 } else { n };
            match (left, n < i64::from(k.bits)) {
                (true, true) => {
                    self.put(
                        form_of(Family::ShlImm, k.form()),
                        &[dst.0.into(), a.0.into(), n],
                    );
                }
                (false, _) if k.signed => emit!(self, ShrSImm, dst, a, n.min(63)),
                (false, true) => emit!(self, ShrUImm, dst, a, n),
                _ => emit!(self, Zero, dst),
            }
            return;
        }
        let n = self.in_slot(n);
        if count.signed {
            emit!(self, CheckShift, n);
        }
        let form = match (left, k.signed) {
            (true, _) => form_of(Family::Shl, k.form()),
            (false, true) => Op::ShrS,
            (false, false) => Op::ShrU,
        };
        self.put(form, &[dst.0.into(), a.0.into(), n.0.into()]);
    }

    /// The operand of an operator: a constant of one word,
    /// or a slot (perhaps in the window: see `loose`).
    pub(super) fn operand(&mut self, e: &'static Expr, loose: bool) -> Opd {
        if let Some(k) = self.const_word(e) {
            return Opd::K(k);
        }
        Opd::S(if loose {
            self.loose(e)
        } else {
            self.expr(e, None)
        })
    }

    /// A binary arithmetic expression; the left spine is walked in a loop.
    pub(super) fn binary(&mut self, e: &'static Expr, dst: Option<Slot>) -> Slot {
        let ti = self.einfo(e);
        if ti.repr == Repr::Str {
            return self.concat(e, dst);
        }
        let mut spine = Vec::new();
        let mut x = e;
        while let ExprKind::Binary { op, x: left, .. } = &x.kind {
            let folded = self.c.ck.info.value_of(x).is_some() || self.overrides.contains_key(&x.id);
            if folded || is_boolean(*op) {
                break;
            }
            spine.push(x);
            x = left.unparen();
        }
        // Taken first: constants may need slots up to the last instruction.
        let result = self.dst(dst, &ti);
        let mark = self.alloc.mark();
        let partial = if spine.len() > 1 {
            self.alloc.take(&ti)
        } else {
            result
        };
        let last = spine.len() - 1;
        let loose = !self.c.is_complex(right_of(spine[last]));
        let mut acc = self.operand(x, loose);
        for (i, node) in spine.iter().enumerate().rev() {
            let ExprKind::Binary { op, y, .. } = &node.kind else {
                unreachable!()
            };
            // The value so far must survive the evaluation of y.
            if let Opd::S(s) = acc
                && s.is_window()
                && self.c.is_complex(y)
            {
                self.mov(partial, s, &ti);
                acc = Opd::S(partial);
            }
            let d = if i == 0 { result } else { partial };
            let inner = self.alloc.mark();
            let b = self.operand(y, true);
            self.pos = node.pos;
            if matches!(op, BinOp::Shl | BinOp::Shr) {
                let Repr::Int(k) = ti.repr else { return d };
                let Repr::Int(ck) = self.einfo(y).repr else {
                    return d;
                };
                let a = self.in_slot(acc);
                self.shift(*op == BinOp::Shl, k, d, a, b, ck);
            } else {
                self.arith(*op, &ti, d, acc, b, mark);
            }
            self.alloc.release(inner);
            acc = Opd::S(d);
        }
        self.alloc.release(mark);
        result
    }

    /// A chain of string additions: one concatenation.
    fn concat(&mut self, e: &'static Expr, dst: Option<Slot>) -> Slot {
        let mut parts = Vec::new();
        let mut x = e;
        loop {
            match &x.kind {
                ExprKind::Binary {
                    op: BinOp::Add,
                    x: left,
                    y,
                } if self.c.ck.info.value_of(x).is_none()
                    && !self.overrides.contains_key(&x.id) =>
                {
                    parts.push(&**y);
                    x = left.unparen();
                }
                _ => break,
            }
        }
        parts.push(x);
        parts.reverse();
        let ti = self.einfo(e);
        let mark = self.alloc.mark();
        if parts.len() == 2 {
            let a = if self.c.is_complex(parts[1]) {
                self.expr(parts[0], None)
            } else {
                self.loose(parts[0])
            };
            let b = self.loose(parts[1]);
            self.alloc.release(mark);
            let d = self.dst(dst, &ti);
            self.pos = e.pos;
            emit!(self, Concat2, d, a, b);
            return d;
        }
        // Long chains in pieces, the result so far being the first part of the next piece.
        const PIECE: usize = 128;
        let n = parts.len().min(PIECE);
        let words: Vec<_> = (0..n).flat_map(|_| ti.words.iter().copied()).collect();
        let base = self.alloc.take_words(&words);
        let inner = self.alloc.mark();
        let mut filled = 0;
        for (i, part) in parts.iter().enumerate() {
            self.expr(part, Some(base.plus(2 * filled)));
            self.alloc.release(inner);
            filled += 1;
            if filled as usize == n && i + 1 < parts.len() {
                emit!(self, ConcatN, base, base, filled);
                filled = 1;
            }
        }
        self.alloc.release(mark);
        let d = self.dst(dst, &ti);
        self.pos = e.pos;
        emit!(self, ConcatN, d, base, filled);
        d
    }
}

/// The right operand of a binary expression.
fn right_of(e: &'static Expr) -> &'static Expr {
    match &e.kind {
        ExprKind::Binary { y, .. } => y,
        _ => e,
    }
}

/// Comparison or logical operator?
pub(super) fn is_boolean(op: BinOp) -> bool {
    matches!(
        op,
        BinOp::LAnd
            | BinOp::LOr
            | BinOp::Eq
            | BinOp::Ne
            | BinOp::Lt
            | BinOp::Le
            | BinOp::Gt
            | BinOp::Ge
    )
}
