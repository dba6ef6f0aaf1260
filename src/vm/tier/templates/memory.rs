//! Globals, what pointers point to, and the frame.

use super::*;

impl Maker<'_> {
    /// The pointer in a slot; leaves if it is nil.
    pub(super) fn nonnil(&mut self, slot: u16, scratch: Gpr) -> Gpr {
        let p = self.reg(slot, scratch);
        self.asm.alu_imm(Alu::Cmp, W64, p, NIL_PAGE as i32);
        self.exit_if(Cond::B);
        p
    }

    /// The pointer in a slot, of which `bytes` bytes at `off` are accessed: nil faults, or leaves.
    pub(super) fn pointer(&mut self, slot: u16, off: i64, bytes: usize, scratch: Gpr) -> Gpr {
        match off as usize + bytes > NIL_PAGE || bytes == 0 {
            true => self.nonnil(slot, scratch),
            false => self.reg(slot, scratch),
        }
    }

    /// Leaves if the collector marks: then stores are more than that.
    pub(super) fn unless_marking(&mut self) {
        if !fault!(SkipNativeBarrier) {
            self.asm.constant(RAX, self.world.marking as u64);
            self.asm.cmp_byte(Mem::at(RAX, 0), 0);
            self.exit_if(Cond::Ne);
        }
    }

    /// R[dst] := the number at `m`, which may fault.
    pub(super) fn load(&mut self, dst: u16, how: Load, m: Mem) {
        if how == Load::U64 {
            self.load_word(dst, m);
            return;
        }
        let t = self.dst(dst, RAX);
        self.may_fault();
        self.asm.load(how, t, m);
        self.put(dst, t);
    }

    /// R[dst..+n] := words at `m`, whose registers are scratch.
    pub(super) fn load_words(&mut self, dst: u16, m: Mem, n: u16) {
        for k in 0..n {
            self.load_word(dst + k, m.plus(8 * i32::from(k)));
        }
    }

    /// Stores the low bytes of R[src] at `m`, which may fault; `scratch` is no register of `m`.
    pub(super) fn store(&mut self, m: Mem, src: u16, bytes: usize, scratch: Gpr) {
        if bytes == 8 {
            self.store_word(m, src, scratch);
            return;
        }
        let r = self.reg(src, scratch);
        self.may_fault();
        self.asm.store(bytes, m, r);
    }

    pub(super) fn load_global(&mut self, i: &Instr, how: Load) {
        self.asm.constant(RCX, i.args[1] as u64);
        self.load(i.slot(0), how, Mem::at(RCX, 0));
    }

    pub(super) fn store_global(
        &mut self,
        i: &Instr,
        bytes: usize,
        n: u16,
        has_pointers: bool,
    ) -> Did {
        if has_pointers {
            self.unless_marking();
        }
        self.asm.constant(RCX, i.args[1] as u64);
        for k in 0..n {
            self.store(Mem::at(RCX, 8 * i32::from(k)), i.slot(0) + k, bytes, RAX);
        }
        if has_pointers {
            Did::ComesBack
        } else {
            Did::Falls
        }
    }

    pub(super) fn load_field(&mut self, i: &Instr, how: Load) {
        let p = self.pointer(i.slot(1), i.args[2], bytes(how), RCX);
        self.load(i.slot(0), how, Mem::at(p, i.args[2] as i32));
    }

    pub(super) fn load_fields(&mut self, i: &Instr, size: usize) {
        let p = self.pointer(i.slot(1), i.args[2], size, RCX);
        // It may lie in a slot that is written.
        if p != RCX {
            self.asm.mov(W64, RCX, p);
        }
        self.load_value(i.slot(0), Mem::at(RCX, i.args[2] as i32), size);
    }

    pub(super) fn store_field(&mut self, i: &Instr, bytes: usize) {
        let p = self.pointer(i.slot(0), i.args[2], bytes, RCX);
        self.store(Mem::at(p, i.args[2] as i32), i.slot(1), bytes, RAX);
    }

    pub(super) fn store_fields(&mut self, i: &Instr, size: usize, has_pointers: bool) -> Did {
        if has_pointers {
            self.unless_marking();
        }
        let p = self.pointer(i.slot(0), i.args[2], size, RCX);
        self.store_value(Mem::at(p, i.args[2] as i32), i.slot(1), size, RDI);
        if has_pointers {
            Did::ComesBack
        } else {
            Did::Falls
        }
    }

    /// R[dst..] := the value of so many bytes at `m`, whose registers are scratch, but not rax.
    pub(super) fn load_value(&mut self, dst: u16, m: Mem, size: usize) {
        let n = size / 8;
        self.load_words(dst, m, n as u16);
        if !size.is_multiple_of(8) {
            let to = self.in_memory(dst + n as u16, 1);
            self.move_pieces(to, m.plus(8 * n as i32), size % 8, RAX);
        }
    }

    /// Stores the value of so many bytes in R[src..] at `m`.
    pub(super) fn store_value(&mut self, m: Mem, src: u16, size: usize, scratch: Gpr) {
        let n = size / 8;
        for k in 0..n {
            self.store_word(m.plus(8 * k as i32), src + k as u16, scratch);
        }
        if !size.is_multiple_of(8) {
            let from = self.in_memory(src + n as u16, 1);
            let to = m.plus(8 * n as i32);
            self.move_pieces(to, from, size % 8, scratch);
        }
    }

    /// Moves less than a word by way of a register.
    pub(super) fn move_pieces(&mut self, to: Mem, from: Mem, n: usize, by: Gpr) {
        let mut at = 0;
        for (size, how) in [(4, Load::U32), (2, Load::U16), (1, Load::U8)] {
            if n & size != 0 {
                self.may_fault();
                self.asm.load(how, by, from.plus(at));
                self.may_fault();
                self.asm.store(size, to.plus(at), by);
                at += size as i32;
            }
        }
    }

    /// Moves bytes that do not overlap, or are the same. Takes xmm0 to xmm2 and rax.
    pub(super) fn move_bytes(&mut self, to: Mem, from: Mem, n: usize) {
        let words = n / 8;
        let mut k = 0;
        while k < words {
            // Three registers at a time are read before they are written.
            let group = [(k, X0), (k + 2, X1), (k + 4, X2)];
            for (at, x) in group.into_iter().filter(|g| g.0 < words) {
                let m = from.plus(8 * at as i32);
                self.may_fault();
                match at + 1 < words {
                    true => self.asm.load16(x, m),
                    false => self.asm.fload(Float::F64, x, m),
                }
            }
            for (at, x) in group.into_iter().filter(|g| g.0 < words) {
                let m = to.plus(8 * at as i32);
                self.may_fault();
                match at + 1 < words {
                    true => self.asm.store16(m, x),
                    false => self.asm.fstore(Float::F64, m, x),
                }
            }
            k += 6;
        }
        let at = 8 * words as i32;
        self.move_pieces(to.plus(at), from.plus(at), n % 8, RAX);
    }

    pub(super) fn change_field(&mut self, i: &Instr, op: Alu) {
        let v = self.reg(i.slot(1), RAX);
        let p = self.pointer(i.slot(0), i.args[2], 8, RCX);
        self.may_fault();
        self.asm.alu_to(op, W64, Mem::at(p, i.args[2] as i32), v);
    }

    pub(super) fn change_float_field(&mut self, i: &Instr, op: Fop) {
        let p = self.pointer(i.slot(0), i.args[2], 8, RCX);
        self.change_float(op, Mem::at(p, i.args[2] as i32), i.slot(1));
    }

    pub(super) fn change_float(&mut self, op: Fop, m: Mem, by: u16) {
        self.may_fault();
        self.asm.fload(Float::F64, X0, m);
        let v = self.xm(by, X1);
        self.asm.fop(op, Float::F64, X0, v);
        self.may_fault();
        self.asm.fstore(Float::F64, m, X0);
    }

    pub(super) fn copy_typed(&mut self, i: &Instr) -> Did {
        let (layout, size) = (i.args[2], i.args[3] as usize);
        if !is_small(size) || size == 0 {
            return Did::Leaves;
        }
        if layout != 0 {
            self.unless_marking();
        }
        let to = self.nonnil(i.slot(0), RCX);
        let from = self.nonnil(i.slot(1), RDI);
        if size > 48 || !size.is_multiple_of(8) {
            // What overlaps is left to the handler.
            self.asm.mov(W64, RAX, to);
            self.asm.alu(Alu::Sub, W64, RAX, from);
            self.asm.alu_imm(Alu::Cmp, W64, RAX, size as i32);
            self.exit_if(Cond::B);
        }
        self.move_bytes(Mem::at(to, 0), Mem::at(from, 0), size);
        if layout != 0 {
            Did::ComesBack
        } else {
            Did::Falls
        }
    }

    pub(super) fn zero(&mut self, slot: u16, n: u16) {
        for k in 0..n {
            self.set_const(slot + k, 0);
        }
    }

    /// Clears `n` slots in memory.
    pub(super) fn clear(&mut self, m: Mem, n: usize) {
        if n > 32 {
            self.asm.lea(RDI, m);
            self.asm.constant(RCX, n as u64);
            self.asm.constant(RAX, 0);
            self.asm.rep_stosq();
            return;
        }
        self.asm.fxor(X0, X0);
        for k in (0..n).step_by(2) {
            let m = m.plus(8 * k as i32);
            match k + 1 < n {
                true => self.asm.store16(m, X0),
                false => self.asm.fstore(Float::F64, m, X0),
            }
        }
    }

    pub(super) fn frame_load(&mut self, i: &Instr, how: Load) {
        let at = i.args[1] as i32;
        self.in_memory((at / 8) as u16, (at as usize % 8 + bytes(how)).div_ceil(8));
        let t = self.dst(i.slot(0), RAX);
        self.asm.load(how, t, Mem::at(RSI, at));
        self.put(i.slot(0), t);
    }

    pub(super) fn frame_store(&mut self, i: &Instr, bytes: usize) {
        let at = i.args[1] as i32;
        self.in_memory((at / 8) as u16, (at as usize % 8 + bytes).div_ceil(8));
        if bytes == 4 {
            self.in_halves((at / 8) as u16);
        }
        let r = self.reg(i.slot(0), RAX);
        self.asm.store(bytes, Mem::at(RSI, at), r);
    }

    /// An element of an array in the frame: `base`, the index, and the array's length and place.
    pub(super) fn frame_element(&mut self, base: u16, x: u16, lo: i64, bytes: usize) -> Mem {
        let (len, off) = halves(lo);
        let slots = (off + len * bytes).div_ceil(8);
        self.in_memory(base + (off / 8) as u16, slots - off / 8);
        let x = self.index(x, Imm(len as i64), RAX);
        Mem::element(RSI, x, bytes).plus(8 * i32::from(base) + off as i32)
    }

    pub(super) fn frame_index(&mut self, i: &Instr, how: Load) {
        let m = self.frame_element(i.slot(1), i.slot(2), i.args[3], bytes(how));
        let t = self.dst(i.slot(0), RAX);
        self.asm.load(how, t, m);
        self.put(i.slot(0), t);
    }

    pub(super) fn frame_set(&mut self, i: &Instr, bytes: usize) {
        let m = self.frame_element(i.slot(0), i.slot(1), i.args[3], bytes);
        let r = self.reg(i.slot(2), RCX);
        self.asm.store(bytes, m, r);
    }

    /// Copies part of an element of an array in the frame.
    pub(super) fn frame_part(&mut self, i: &Instr) -> Did {
        let s = |k: usize| i.slot(k);
        let a = &i.args;
        let is_set = i.op == Op::FrameSetN;
        let (base, x, slot) = if is_set {
            (s(0), s(1), s(2))
        } else {
            (s(1), s(2), s(0))
        };
        let ((len, stride), (off, size)) = (halves(a[3]), halves(a[4]));
        if !is_small(size) || !is_near(stride, off) {
            return Did::Leaves;
        }
        let end = (off + len.saturating_sub(1) * stride + size).div_ceil(8);
        self.in_memory(base + (off / 8) as u16, end - off / 8);
        let x = self.index(x, Imm(len as i64), RAX);
        self.scale(RCX, x, stride);
        let element = Mem::element(RSI, RCX, 1).plus(8 * i32::from(base) + off as i32);
        let slots = self.in_memory(slot, size.div_ceil(8));
        match is_set {
            true => self.move_bytes(element, slots, size),
            false => self.move_bytes(slots, element, size),
        }
        Did::Falls
    }

    /// Copies bytes within the frame.
    pub(super) fn frame_copy(&mut self, i: &Instr) -> Did {
        let a = &i.args;
        let (n, dst, src) = (a[0] as usize, a[1] as i32, a[2] as i32);
        // What overlaps is moved at once, or left.
        let is_apart = dst + n as i32 <= src || src + n as i32 <= dst;
        if !is_small(n) || !is_apart {
            return Did::Leaves;
        }
        for at in [dst as usize, src as usize] {
            self.in_memory((at / 8) as u16, (at % 8 + n).div_ceil(8));
        }
        self.move_in_frame(dst, src, n);
        Did::Falls
    }

    /// Moves bytes that do not overlap from `src` to `dst`, both from the start of the frame. Takes
    /// xmm0, xmm1 and rax.
    fn move_in_frame(&mut self, dst: i32, src: i32, n: usize) {
        // Words lie where they are read as such; else what is written in one goes across slots.
        let words = if dst % 8 == 0 { n as i32 / 8 } else { 0 };
        for k in 0..words {
            self.move_word(Mem::at(RSI, dst + 8 * k), src + 8 * k, RAX);
        }
        let (mut at, end) = (8 * words, n as i32);
        while end - at >= 4 {
            self.in_halves(((dst + at) / 8) as u16);
            self.move_pieces(Mem::at(RSI, dst + at), Mem::at(RSI, src + at), 4, RAX);
            at += 4;
        }
        let rest = (end - at) as usize;
        self.move_pieces(Mem::at(RSI, dst + at), Mem::at(RSI, src + at), rest, RAX);
    }
}
