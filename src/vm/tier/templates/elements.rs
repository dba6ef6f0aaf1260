//! Elements of slices and of arrays.

use super::*;

impl Maker<'_> {
    /// The index in a slot, in a register; leaves if it is not below the length.
    pub(super) fn index(&mut self, x: u16, len: Operand, scratch: Gpr) -> Gpr {
        let x = self.reg(x, scratch);
        match len {
            Slot(len) => {
                let len = self.rm(len, RCX);
                self.asm.alu(Alu::Cmp, W64, x, len);
            }
            Imm(len) => {
                let weaker = i64::from(fault!(WeakNativeBounds));
                self.cmp_const(x.into(), len + weaker);
            }
        }
        self.exit_if(Cond::Ae);
        x
    }

    /// Leaves if the index is not below the length in slot `len`.
    pub(super) fn index_imm(&mut self, x: i64, len: u16) {
        let len = self.rm(len, RCX);
        self.cmp_const(len, x);
        self.exit_if(Cond::Be);
    }

    /// Compares with a constant; rax and rcx may be lost.
    pub(super) fn cmp_const(&mut self, a: Rm, k: i64) {
        match i32::try_from(k) {
            Ok(0) if matches!(a, Rm::Reg(_)) => {
                let Rm::Reg(r) = a else { return };
                self.asm.test(W64, r, r);
            }
            Ok(k) => self.asm.alu_imm(Alu::Cmp, W64, a, k),
            Err(_) => {
                let r = match a {
                    Rm::Reg(r) => r,
                    Rm::Mem(m) => {
                        self.asm.mov(W64, RAX, m);
                        RAX
                    }
                };
                self.asm.constant(RCX, k as u64);
                self.asm.alu(Alu::Cmp, W64, r, RCX);
            }
        }
    }

    /// `dst := src * n`; rax or rcx.
    pub(super) fn scale(&mut self, dst: Gpr, src: Gpr, n: usize) {
        if n.is_power_of_two() {
            if dst != src {
                self.asm.mov(W64, dst, src);
            }
            if n > 1 {
                self.asm
                    .shift_imm(Shift::Shl, W64, dst, n.trailing_zeros() as u8);
            }
        } else {
            self.asm.imul_imm(W64, dst, src, n as i32);
        }
    }

    /// Element `x` of elements of `stride` bytes, `off` bytes further, of the slice or array whose
    /// address is in slot `p`. Takes rcx, and rax for the index.
    pub(super) fn element(&mut self, p: u16, x: Gpr, stride: usize, off: usize) -> Mem {
        let (x, size) = match stride {
            1 | 2 | 4 | 8 => (x, stride),
            _ if stride.is_multiple_of(8) && (stride / 8).is_power_of_two() => {
                self.scale(RAX, x, stride / 8);
                (RAX, 8)
            }
            _ => {
                self.scale(RAX, x, stride);
                (RAX, 1)
            }
        };
        let p = self.reg(p, RCX);
        Mem::element(p, x, size).plus(off as i32)
    }

    pub(super) fn slice_index(&mut self, i: &Instr, how: Load) {
        let x = self.index(i.slot(2), Slot(i.slot(1) + 1), RAX);
        let m = self.element(i.slot(1), x, bytes(how), 0);
        self.load(i.slot(0), how, m);
    }

    pub(super) fn slice_index_twice(&mut self, i: &Instr, how: Load) {
        let x = self.index(i.slot(2), Slot(i.slot(1) + 1), RAX);
        let row = self.element(i.slot(1), x, 24, 0);
        self.asm.lea(RCX, row);
        let y = self.reg(i.slot(3), RAX);
        self.may_fault();
        self.asm.alu(Alu::Cmp, W64, y, Mem::at(RCX, 8));
        self.exit_if(Cond::Ae);
        self.may_fault();
        self.asm.mov(W64, RCX, Mem::at(RCX, 0));
        self.load(i.slot(0), how, Mem::element(RCX, y, bytes(how)));
    }

    /// R[dst..] := `size` bytes of an element, whole words.
    pub(super) fn slice_part(&mut self, i: &Instr, stride: usize, off: usize, size: usize) {
        let x = self.index(i.slot(2), Slot(i.slot(1) + 1), RAX);
        let m = self.element(i.slot(1), x, stride, off);
        if size == 8 {
            self.load_word(i.slot(0), m);
            return;
        }
        self.asm.lea(RCX, m);
        self.load_value(i.slot(0), Mem::at(RCX, 0), size);
    }

    pub(super) fn slice_set(&mut self, i: &Instr, bytes: usize) {
        let x = self.index(i.slot(1), Slot(i.slot(0) + 1), RAX);
        let m = self.element(i.slot(0), x, bytes, 0);
        self.store(m, i.slot(2), bytes, RDI);
    }

    pub(super) fn slice_set_value(&mut self, i: &Instr, size: usize, has_pointers: bool) -> Did {
        if has_pointers {
            self.unless_marking();
        }
        let x = self.index(i.slot(1), Slot(i.slot(0) + 1), RAX);
        let m = self.element(i.slot(0), x, size, 0);
        self.store_value(m, i.slot(2), size, RDI);
        if has_pointers {
            Did::ComesBack
        } else {
            Did::Falls
        }
    }

    pub(super) fn change_element(&mut self, i: &Instr, op: Alu) {
        let x = self.index(i.slot(1), Slot(i.slot(0) + 1), RAX);
        let m = self.element(i.slot(0), x, 8, 0);
        let v = self.reg(i.slot(2), RDI);
        self.may_fault();
        self.asm.alu_to(op, W64, m, v);
    }

    pub(super) fn change_float_element(&mut self, i: &Instr, op: Fop) {
        let x = self.index(i.slot(1), Slot(i.slot(0) + 1), RAX);
        let m = self.element(i.slot(0), x, 8, 0);
        self.change_float(op, m, i.slot(2));
    }

    pub(super) fn array_index(&mut self, i: &Instr, how: Load) {
        self.nonnil(i.slot(1), RCX);
        let x = self.index(i.slot(2), Imm(i.args[3]), RAX);
        let m = self.element(i.slot(1), x, bytes(how), 0);
        self.load(i.slot(0), how, m);
    }

    pub(super) fn array_set(&mut self, i: &Instr, bytes: usize) {
        self.nonnil(i.slot(0), RCX);
        let x = self.index(i.slot(1), Imm(i.args[3]), RAX);
        let m = self.element(i.slot(0), x, bytes, 0);
        self.store(m, i.slot(2), bytes, RDI);
    }

    pub(super) fn push(&mut self, i: &Instr, bytes: usize, n: u16, has_pointers: bool) -> Did {
        let (dst, from, v) = (i.slot(0), i.slot(1), i.slot(2));
        if dst != from && dst < from + 3 && from < dst + 3 {
            return Did::Leaves;
        }
        if has_pointers {
            self.unless_marking();
        }
        let len = self.reg(from + 1, RAX);
        let cap = self.rm(from + 2, RCX);
        self.asm.alu(Alu::Cmp, W64, len, cap);
        self.exit_if(Cond::Ae);
        if len != RAX {
            self.asm.mov(W64, RAX, len);
        }
        let m = self.element(from, RAX, bytes * usize::from(n), 0);
        for k in 0..n {
            self.store(m.plus(8 * i32::from(k)), v + k, bytes, RDI);
        }
        // The value may lie in the slots that are written: they come last.
        if dst != from {
            self.copy(dst, from);
            self.copy(dst + 2, from + 2);
        }
        self.binary_to(dst + 1, from + 1, Binary::Alu(Alu::Add), I64, Imm(1));
        Did::ComesBack
    }

    /// R[dst..] := part of an element of an array.
    pub(super) fn array_part(&mut self, i: &Instr) -> Did {
        let s = |k: usize| i.slot(k);
        let a = &i.args;
        let ((_, stride), (off, size)) = (halves(a[3]), halves(a[4]));
        if !is_small(size) || !is_near(stride, off) {
            return Did::Leaves;
        }
        self.nonnil(s(1), RCX);
        let x = self.index(s(2), Imm(halves(a[3]).0 as i64), RAX);
        let m = self.element(s(1), x, stride, off);
        self.asm.lea(RCX, m);
        self.load_value(s(0), Mem::at(RCX, 0), size);
        Did::Falls
    }

    /// An element of an array := R[src..].
    pub(super) fn array_set_value(&mut self, i: &Instr) -> Did {
        let s = |k: usize| i.slot(k);
        let a = &i.args;
        let (size, layout) = halves(a[4]);
        if !is_small(size) {
            return Did::Leaves;
        }
        if layout != 0 {
            self.unless_marking();
        }
        self.nonnil(s(0), RCX);
        let x = self.index(s(1), Imm(a[3]), RAX);
        let m = self.element(s(0), x, size, 0);
        self.store_value(m, s(2), size, RDI);
        if layout != 0 {
            Did::ComesBack
        } else {
            Did::Falls
        }
    }

    /// R[dst..+3] := `s[lo:hi]` of a slice.
    pub(super) fn slice_of_slice(&mut self, i: &Instr) {
        let s = |k: usize| i.slot(k);
        let a = &i.args;
        self.fetch(RCX, s(2) + 1);
        self.fetch(RDI, s(1) + 2);
        self.asm.alu(Alu::Cmp, W64, RCX, RDI);
        self.exit_if(Cond::A);
        self.fetch(RAX, s(2));
        self.asm.alu(Alu::Cmp, W64, RAX, RCX);
        self.exit_if(Cond::A);
        self.asm.alu(Alu::Sub, W64, RCX, RAX);
        self.asm.alu(Alu::Sub, W64, RDI, RAX);
        self.scale(RAX, RAX, a[3] as usize);
        // What has no capacity keeps the pointer.
        self.asm.test(W64, RDI, RDI);
        self.asm.cmov(Cond::E, RAX, RDI);
        let p = self.rm(s(1), RAX);
        self.asm.alu(Alu::Add, W64, RAX, p);
        self.set(s(0), RAX);
        self.set(s(0) + 1, RCX);
        self.set(s(0) + 2, RDI);
    }

    /// R[dst..+2] := `s[lo:hi]` of a string.
    pub(super) fn slice_of_str(&mut self, i: &Instr) {
        let s = |k: usize| i.slot(k);
        self.fetch(RCX, s(2) + 1);
        let len = self.rm(s(1) + 1, RAX);
        self.asm.alu(Alu::Cmp, W64, RCX, len);
        self.exit_if(Cond::A);
        self.fetch(RAX, s(2));
        self.asm.alu(Alu::Cmp, W64, RAX, RCX);
        self.exit_if(Cond::A);
        self.asm.alu(Alu::Sub, W64, RCX, RAX);
        self.asm.cmov(Cond::E, RAX, RCX);
        let p = self.rm(s(1), RDI);
        self.asm.alu(Alu::Add, W64, RAX, p);
        self.set(s(0), RAX);
        self.set(s(0) + 1, RCX);
    }
}
