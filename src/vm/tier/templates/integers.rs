//! Integers: operators, comparisons, jumps.

use super::*;

/// Kinds of integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Int {
    I64,
    I32,
    U32,
    I16,
    U16,
    I8,
    U8,
}
pub(super) use Int::*;

impl Int {
    fn bits(self) -> i32 {
        match self {
            I64 => 64,
            I32 | U32 => 32,
            I16 | U16 => 16,
            I8 | U8 => 8,
        }
    }

    /// How wide it is computed.
    fn width(self) -> Width {
        if self == I64 { W64 } else { W32 }
    }

    /// How a result is extended to a slot.
    fn extension(self) -> Option<Load> {
        match self {
            // The upper half is 0 already.
            I64 | U32 => None,
            I32 => Some(Load::S32),
            I16 => Some(Load::S16),
            U16 => Some(Load::U16),
            I8 => Some(Load::S8),
            U8 => Some(Load::U8),
        }
    }
}

/// Operators on integers that the machine has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Binary {
    Alu(Alu),
    Mul,
    AndNot,
}

impl Maker<'_> {
    pub(super) fn binary(&mut self, i: &Instr, op: Binary, kind: Int, b: Operand) {
        self.binary_to(i.slot(0), i.slot(1), op, kind, b);
    }

    pub(super) fn binary_to(&mut self, dst: u16, a: u16, op: Binary, kind: Int, b: Operand) {
        let w = kind.width();
        let t = self.dst(dst, RAX);
        let is_plain = kind.extension().is_none() && kind == I64;
        match (op, b) {
            // In memory, in place.
            (Binary::Alu(op), Slot(b)) if dst == a && is_plain && self.is_in_memory(dst) => {
                let _ = self.rm(a, RAX);
                let b = self.reg(b, RCX);
                self.asm.alu_to(op, w, memory_of(dst), b);
                return;
            }
            (Binary::Alu(op), Imm(k))
                if dst == a && is_plain && self.is_in_memory(dst) && is_i32(k) =>
            {
                let _ = self.rm(a, RAX);
                self.asm.alu_imm(op, w, memory_of(dst), k as i32);
                return;
            }
            (Binary::Alu(Alu::Add), Imm(k)) if is_plain && is_i32(k) && t != RAX && dst != a => {
                match self.rm(a, RAX) {
                    Rm::Reg(r) => self.asm.lea(t, Mem::at(r, k as i32)),
                    Rm::Mem(m) => {
                        self.asm.mov(w, t, m);
                        self.asm.alu_imm(Alu::Add, w, t, k as i32);
                    }
                }
                return;
            }
            (Binary::Mul, Imm(k)) if is_i32(k) => {
                let a = self.rm(a, RAX);
                self.asm.imul_imm(w, t, a, k as i32);
            }
            (op, Imm(k)) => {
                let short = match kind {
                    I64 => is_i32(k),
                    _ => true,
                };
                let a = self.rm(a, RAX);
                if a != Rm::Reg(t) {
                    self.asm.mov(w, t, a);
                }
                match op {
                    Binary::Alu(op) if short => self.asm.alu_imm(op, w, t, k as i32),
                    _ => {
                        self.asm.constant_keeping_flags(RCX, k as u64);
                        self.operate(op, w, t, RCX.into());
                    }
                }
            }
            (op, Slot(b)) => {
                let mut a = self.rm(a, RAX);
                let mut b = self.rm(b, RCX);
                if op == Binary::AndNot {
                    if b != Rm::Reg(RCX) {
                        self.asm.mov(W64, RCX, b);
                    }
                    self.asm.unary(Unary::Not, W64, RCX);
                    b = RCX.into();
                }
                let mut made = t;
                if b == Rm::Reg(t) && a != Rm::Reg(t) {
                    match op == Binary::Alu(Alu::Sub) {
                        true => made = RAX,
                        false => std::mem::swap(&mut a, &mut b),
                    }
                }
                if a != Rm::Reg(made) {
                    self.asm.mov(w, made, a);
                }
                self.operate(op, w, made, b);
                if made != t {
                    self.asm.mov(W64, t, made);
                }
            }
        }
        if let Some(how) = kind.extension() {
            self.asm.load(how, t, t);
        }
        self.put(dst, t);
    }

    pub(super) fn operate(&mut self, op: Binary, w: Width, t: Gpr, b: Rm) {
        match op {
            Binary::Alu(op) => self.asm.alu(op, w, t, b),
            Binary::Mul => self.asm.imul(w, t, b),
            Binary::AndNot => self.asm.alu(Alu::And, w, t, b),
        }
    }

    pub(super) fn unary(&mut self, i: &Instr, op: Unary, kind: Int) {
        let t = self.dst(i.slot(0), RAX);
        let a = self.rm(i.slot(1), RAX);
        if a != Rm::Reg(t) {
            self.asm.mov(W64, t, a);
        }
        self.asm.unary(op, kind.width(), t);
        if let Some(how) = kind.extension() {
            self.asm.load(how, t, t);
        }
        self.put(i.slot(0), t);
    }

    pub(super) fn extend(&mut self, i: &Instr, how: Load) {
        let a = self.rm(i.slot(1), RAX);
        let t = self.dst(i.slot(0), RAX);
        self.asm.load(how, t, a);
        self.put(i.slot(0), t);
    }

    pub(super) fn shift_imm(&mut self, i: &Instr, op: Shift, kind: Int) {
        let n = (i.args[2] as u8) & if kind == I64 { 63 } else { 31 };
        let t = self.dst(i.slot(0), RAX);
        let a = self.rm(i.slot(1), RAX);
        if a != Rm::Reg(t) {
            self.asm.mov(kind.width(), t, a);
        }
        self.asm.shift_imm(op, kind.width(), t, n);
        if let Some(how) = kind.extension() {
            self.asm.load(how, t, t);
        }
        self.put(i.slot(0), t);
    }

    pub(super) fn rotate(&mut self, i: &Instr, w: Width) {
        self.fetch(RCX, i.slot(2));
        self.fetch(RAX, i.slot(1));
        self.asm.shift_cl(Shift::Rol, w, RAX);
        self.set(i.slot(0), RAX);
    }

    /// How many zeros a number ends with, how many bits it needs.
    pub(super) fn scan(&mut self, i: &Instr, which: Scan) {
        let a = self.rm(i.slot(1), RAX);
        let of_zero = match which {
            Scan::Forward => 64,
            Scan::Reverse => u64::MAX,
        };
        self.asm.constant(RCX, of_zero);
        self.asm.scan(which, RAX, a);
        self.asm.cmov(Cond::E, RAX, RCX);
        if which == Scan::Reverse {
            self.asm.alu_imm(Alu::Add, W64, RAX, 1);
        }
        self.set(i.slot(0), RAX);
    }

    pub(super) fn shift_left(&mut self, i: &Instr, kind: Int) {
        self.fetch(RCX, i.slot(2));
        self.fetch(RAX, i.slot(1));
        self.asm.shift_cl(Shift::Shl, kind.width(), RAX);
        self.unless_shifted_out(kind.bits());
        if let Some(how) = kind.extension() {
            self.asm.load(how, RAX, RAX);
        }
        self.set(i.slot(0), RAX);
    }

    /// rax := 0 if rcx is not below so many bits. Takes rdi.
    pub(super) fn unless_shifted_out(&mut self, bits: i32) {
        self.asm.alu_imm(Alu::Cmp, W64, RCX, bits);
        self.asm.alu(Alu::Sbb, W64, RDI, RDI);
        self.asm.alu(Alu::And, W64, RAX, RDI);
    }

    pub(super) fn divide(&mut self, i: &Instr, signed: bool, rest: bool, how: Load) {
        let b = self.rm(i.slot(2), RCX);
        self.asm.load(how, RCX, b);
        self.asm.test(W64, RCX, RCX);
        self.exit_if(Cond::E);
        if signed {
            // The smallest number has no negative.
            self.asm.alu_imm(Alu::Cmp, W64, RCX, -1);
            self.exit_if(Cond::E);
        }
        let a = self.rm(i.slot(1), RAX);
        self.asm.load(how, RAX, a);
        self.asm.mov(W64, RDI, RDX);
        if signed {
            self.asm.cqo();
            self.asm.unary(Unary::Idiv, W64, RCX);
        } else {
            self.asm.alu(Alu::Xor, W32, RDX, RDX);
            self.asm.unary(Unary::Div, W64, RCX);
        }
        if rest {
            self.asm.mov(W64, RAX, RDX);
        }
        self.asm.mov(W64, RDX, RDI);
        self.set(i.slot(0), RAX);
    }

    /// Division by a constant: multiplication by its reciprocal. Hacker's Delight, chapter 10.
    pub(super) fn divide_imm(&mut self, i: &Instr, signed: bool, rest: bool) {
        let d = i.args[2];
        self.fetch(RCX, i.slot(1));
        self.asm.mov(W64, RDI, RDX);
        if signed && d != 1 {
            let (m, shift) = reciprocal_signed(d);
            self.asm.constant(RAX, m as u64);
            self.asm.unary(Unary::Imul, W64, RCX);
            if d > 0 && m < 0 {
                self.asm.alu(Alu::Add, W64, RDX, RCX);
            } else if d < 0 && m > 0 {
                self.asm.alu(Alu::Sub, W64, RDX, RCX);
            }
            if shift > 0 {
                self.asm.shift_imm(Shift::Sar, W64, RDX, shift);
            }
            self.asm.mov(W64, RAX, RDX);
            self.asm.shift_imm(Shift::Shr, W64, RAX, 63);
            self.asm.alu(Alu::Add, W64, RAX, RDX);
        } else if (d as u64).is_power_of_two() {
            self.asm.mov(W64, RAX, RCX);
            let n = d.trailing_zeros() as u8;
            if n > 0 {
                self.asm.shift_imm(Shift::Shr, W64, RAX, n);
            }
        } else {
            let (m, shift, adds) = reciprocal_unsigned(d as u64);
            self.asm.constant(RAX, m);
            self.asm.unary(Unary::Mul, W64, RCX);
            if adds {
                self.asm.mov(W64, RAX, RCX);
                self.asm.alu(Alu::Sub, W64, RAX, RDX);
                self.asm.shift_imm(Shift::Shr, W64, RAX, 1);
                self.asm.alu(Alu::Add, W64, RAX, RDX);
                self.asm.shift_imm(Shift::Shr, W64, RAX, shift - 1);
            } else {
                self.asm.mov(W64, RAX, RDX);
                self.asm.shift_imm(Shift::Shr, W64, RAX, shift);
            }
        }
        self.asm.mov(W64, RDX, RDI);
        if rest {
            self.asm.imul_imm(W64, RAX, RAX, d as i32);
            self.asm.alu(Alu::Sub, W64, RCX, RAX);
            self.set(i.slot(0), RCX);
        } else {
            self.set(i.slot(0), RAX);
        }
    }

    pub(super) fn choose(&mut self, i: &Instr, first: Cond) {
        self.fetch(RAX, i.slot(1));
        let b = self.reg(i.slot(2), RCX);
        self.asm.alu(Alu::Cmp, W64, RAX, b);
        self.asm.cmov(first.not(), RAX, b);
        self.set(i.slot(0), RAX);
    }

    /// Compares a slot with an operand.
    pub(super) fn compare(&mut self, a: u16, b: Operand) {
        match b {
            Slot(b) => {
                let a = self.reg(a, RAX);
                let b = self.rm(b, RCX);
                self.asm.alu(Alu::Cmp, W64, a, b);
            }
            Imm(k) => {
                let a = self.rm(a, RAX);
                self.cmp_const(a, k);
            }
        }
    }

    /// R[dst] := the condition, after a comparison.
    pub(super) fn set_if(&mut self, dst: u16, c: Cond) {
        self.asm.set(c, RAX);
        let t = self.dst(dst, RAX);
        self.asm.load(Load::U8, t, RAX);
        self.put(dst, t);
    }

    pub(super) fn compare_to(&mut self, i: &Instr, c: Cond, b: Operand) {
        self.compare(i.slot(1), b);
        self.set_if(i.slot(0), c);
    }

    pub(super) fn jump_int(&mut self, a: u16, b: Operand, c: Cond) {
        self.safepoint();
        self.compare(a, b);
        let to = self.jump_label();
        self.asm.jcc(c, to);
    }

    pub(super) fn count(&mut self, x: u16, by: Operand, limit: Operand, c: Cond) {
        self.safepoint();
        let t = self.dst(x, RAX);
        match (by, t == RAX) {
            (Imm(k), false) => self.asm.alu_imm(Alu::Add, W64, t, k as i32),
            (by, _) => {
                self.fetch(RAX, x);
                match by {
                    Imm(k) => self.asm.alu_imm(Alu::Add, W64, RAX, k as i32),
                    Slot(s) => {
                        let by = self.rm(s, RCX);
                        self.asm.alu(Alu::Add, W64, RAX, by);
                    }
                }
                self.put(x, RAX);
            }
        }
        if t != RAX {
            let _ = self.rm(x, RAX);
        }
        match limit {
            Slot(n) => {
                // The limit may be the counter itself.
                let n = self.rm(n, RCX);
                self.asm.alu(Alu::Cmp, W64, t, n);
            }
            Imm(k) => self.cmp_const(t.into(), k),
        }
        let to = self.jump_label();
        self.asm.jcc(c, to);
    }

    /// Division by a power of two, truncated.
    pub(super) fn divide_pow2(&mut self, i: &Instr) {
        let s = |k: usize| i.slot(k);
        let a = &i.args;
        let n = a[2] as u8;
        self.fetch(RAX, s(1));
        self.asm.mov(W64, RCX, RAX);
        self.asm.shift_imm(Shift::Sar, W64, RCX, 63);
        self.asm.shift_imm(Shift::Shr, W64, RCX, 64 - n);
        self.asm.alu(Alu::Add, W64, RCX, RAX);
        if i.op == Op::DivPow2 {
            self.asm.shift_imm(Shift::Sar, W64, RCX, n);
            self.set(s(0), RCX);
        } else {
            self.asm.shift_imm(Shift::Sar, W64, RCX, n);
            self.asm.shift_imm(Shift::Shl, W64, RCX, n);
            self.asm.alu(Alu::Sub, W64, RAX, RCX);
            self.set(s(0), RAX);
        }
    }
}

/// Multiplier and shift for a signed division by `d`, which is not 0, 1 or -1.
fn reciprocal_signed(d: i64) -> (i64, u8) {
    const TWO63: u64 = 1 << 63;
    let ad = d.unsigned_abs();
    let t = TWO63 + (d as u64 >> 63);
    let anc = t - 1 - t % ad;
    let mut p = 63;
    let (mut q1, mut r1) = (TWO63 / anc, TWO63 % anc);
    let (mut q2, mut r2) = (TWO63 / ad, TWO63 % ad);
    loop {
        p += 1;
        (q1, r1) = (q1.wrapping_mul(2), r1.wrapping_mul(2));
        if r1 >= anc {
            (q1, r1) = (q1.wrapping_add(1), r1.wrapping_sub(anc));
        }
        (q2, r2) = (q2.wrapping_mul(2), r2.wrapping_mul(2));
        if r2 >= ad {
            (q2, r2) = (q2.wrapping_add(1), r2.wrapping_sub(ad));
        }
        let delta = ad - r2;
        if !(q1 < delta || q1 == delta && r1 == 0) {
            break;
        }
    }
    let m = q2.wrapping_add(1) as i64;
    (if d < 0 { m.wrapping_neg() } else { m }, p - 64)
}

/// Multiplier and shift for an unsigned division by `d`, no power of two, and whether the dividend
/// is to be added.
fn reciprocal_unsigned(d: u64) -> (u64, u8, bool) {
    let shift = 64 - d.leading_zeros();
    let wide = (1u128 << (64 + shift)) / u128::from(d) + 1;
    // Is one bit less enough?
    let less = (1u128 << (64 + shift - 1)) / u128::from(d) + 1;
    let error = less * u128::from(d) - (1u128 << (64 + shift - 1));
    if error <= 1 << (shift - 1) {
        return (less as u64, shift as u8 - 1, false);
    }
    (wide as u64, shift as u8, true)
}
