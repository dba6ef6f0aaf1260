//! Floating point.

use super::*;

impl Maker<'_> {
    pub(super) fn set_float(&mut self, slot: u16, x: Xmm) {
        self.xdst(slot, x);
        self.xput(slot, x);
    }

    pub(super) fn float(&mut self, i: &Instr, op: Fop, f: Float) {
        let (dst, a, b) = (i.slot(0), i.slot(1), i.slot(2));
        let t = self.xdst(dst, X0);
        let b = self.xm(b, X1);
        let made = if b == t.into() && a != dst { X0 } else { t };
        self.xfetch(made, a);
        self.asm.fop(op, f, made, b);
        self.xput(dst, made);
    }

    /// Sums and differences of complex128.
    pub(super) fn complex(&mut self, i: &Instr, op: Fop) {
        let (dst, a, b) = (i.slot(0), i.slot(1), i.slot(2));
        for (k, x) in [(0, X0), (1, X1)] {
            self.xfetch(x, a + k);
            let b = self.xm(b + k, X2);
            self.asm.fop(op, Float::F64, x, b);
        }
        self.set_float(dst, X0);
        self.set_float(dst + 1, X1);
    }

    /// Products of complex128.
    pub(super) fn complex_product(&mut self, i: &Instr) {
        let (dst, a, b) = (i.slot(0), i.slot(1), i.slot(2));
        self.product(X0, a, b);
        self.product(X1, a + 1, b + 1);
        self.asm.fop(Fop::Sub, Float::F64, X0, X1);
        self.product(X1, a, b + 1);
        self.product(X2, a + 1, b);
        self.asm.fop(Fop::Add, Float::F64, X1, X2);
        self.set_float(dst, X0);
        self.set_float(dst + 1, X1);
    }

    /// `x := R[a] * R[b]`.
    fn product(&mut self, x: Xmm, a: u16, b: u16) {
        self.xfetch(x, a);
        let b = self.xm(b, X3);
        self.asm.fop(Fop::Mul, Float::F64, x, b);
    }

    pub(super) fn float_const(&mut self, i: &Instr, op: Fop, constant_first: bool) {
        let (dst, a, k) = (i.slot(0), i.slot(1), i.args[2] as u64);
        self.asm.constant(RAX, k);
        self.asm.to_xmm(X1, RAX);
        if constant_first {
            let b = self.xm(a, X0);
            self.asm.fop(op, Float::F64, X1, b);
            self.set_float(dst, X1);
        } else {
            let t = self.xdst(dst, X0);
            self.xfetch(t, a);
            self.asm.fop(op, Float::F64, t, X1);
            self.xput(dst, t);
        }
    }

    pub(super) fn float_bits(&mut self, i: &Instr, op: Alu, k: u64) {
        self.asm.constant(RAX, k);
        self.asm.to_xmm(X1, RAX);
        self.xfetch(X0, i.slot(1));
        match op {
            Alu::And => self.asm.fand(X0, X1),
            _ => self.asm.fxor(X0, X1),
        }
        self.set_float(i.slot(0), X0);
    }

    pub(super) fn number_of(&mut self, i: &Instr, f: Float) {
        let a = self.rm(i.slot(1), RAX);
        self.asm.fxor(X0, X0);
        self.asm.from_int(f, X0, a);
        self.set_float(i.slot(0), X0);
    }

    /// To the other kind than `f`.
    pub(super) fn convert(&mut self, i: &Instr, f: Float) {
        let x = self.xm(i.slot(1), X1);
        self.asm.fxor(X0, X0);
        self.asm.convert(f, X0, x);
        self.set_float(i.slot(0), X0);
    }

    /// Compares b with a: above is less.
    pub(super) fn compare_floats(&mut self, a: u16, b: u16, f: Float) {
        let b = self.xreg(b, X1);
        let a = self.xm(a, X0);
        self.asm.ucomi(f, b, a);
    }

    pub(super) fn float_less_to(&mut self, i: &Instr, f: Float, c: Cond) {
        self.compare_floats(i.slot(1), i.slot(2), f);
        self.set_if(i.slot(0), c);
    }

    pub(super) fn float_equal_to(&mut self, i: &Instr, f: Float, not: bool) {
        self.compare_floats(i.slot(1), i.slot(2), f);
        // What is unordered counts as equal to the machine.
        self.asm.set(if not { Cond::P } else { Cond::Np }, RAX);
        self.asm.set(if not { Cond::Ne } else { Cond::E }, RCX);
        let op = if not { Alu::Or } else { Alu::And };
        self.asm.alu(op, W32, RAX, RCX);
        let t = self.dst(i.slot(0), RAX);
        self.asm.load(Load::U8, t, RAX);
        self.put(i.slot(0), t);
    }

    pub(super) fn jump_float(&mut self, i: &Instr, f: Float, c: Cond) {
        self.safepoint();
        self.compare_floats(i.slot(0), i.slot(1), f);
        let to = self.jump_label();
        self.asm.jcc(c, to);
    }

    pub(super) fn jump_float_equal(&mut self, i: &Instr, f: Float, not: bool) {
        self.safepoint();
        self.compare_floats(i.slot(0), i.slot(1), f);
        let to = self.jump_label();
        if not {
            self.asm.jcc(Cond::P, to);
            self.asm.jcc(Cond::Ne, to);
        } else {
            let no = self.asm.label();
            self.asm.jcc(Cond::P, no);
            self.asm.jcc(Cond::E, to);
            self.asm.bind(no);
        }
    }
}
