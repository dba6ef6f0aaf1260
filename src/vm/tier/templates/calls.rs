//! Calls, returns, allocation, and what makes strings and interfaces.

use super::*;
use gosched_runtime::heap::{AtHand, LayoutId, SpanLayout};
use gosched_runtime::m::M;

impl Maker<'_> {
    /// Strings of different lengths differ, and the same string is the same; all else is left.
    pub(super) fn jump_str(&mut self, i: &Instr, equal: bool) -> Did {
        self.safepoint();
        let (a, b) = (i.slot(0), i.slot(1));
        let to = self.jump_label();
        let behind: Label = self.asm.label();
        let (same, different) = if equal { (to, behind) } else { (behind, to) };
        self.compare(a + 1, Slot(b + 1));
        self.asm.jcc(Cond::Ne, different);
        self.compare(a, Slot(b));
        self.exit_if(Cond::Ne);
        self.asm.jmp(same);
        self.asm.bind(behind);
        Did::ComesBack
    }

    /// Calls the function whose index is in edi.
    pub(super) fn call_func(&mut self, win: u16) -> Did {
        self.flush();
        let back = self.header(8 * i32::from(win));
        self.asm.jmp_by(code::calls(), Some(RDI));
        self.returned(back, 8 * i32::from(win));
        Did::Calls
    }

    /// The prologue.
    pub(super) fn enter(&mut self, i: &Instr) -> Did {
        let s = |k: usize| i.slot(k);
        let a = &i.args;
        let guard = std::mem::offset_of!(G, stackguard0);
        self.asm.lea(RAX, memory_of(s(0)));
        self.asm.alu(Alu::Cmp, W64, RAX, Mem::at(RDX, guard as i32));
        self.exit_if(Cond::A);
        let (first, n) = (s(1), a[2] as usize);
        self.in_memory(first, n);
        if n > 0 {
            self.clear(memory_of(first), n);
        }
        Did::ComesBack
    }

    /// Calls what a func value names.
    pub(super) fn call_closure(&mut self, i: &Instr) -> Did {
        let s = |k: usize| i.slot(k);
        let a = &i.args;
        let f = self.reg(s(1), RCX);
        self.may_fault();
        self.asm.mov(W32, RDI, Mem::at(f, 0));
        self.set(s(0) + a[2] as u16, f);
        self.call_func(s(0))
    }

    /// Calls a method of an interface.
    pub(super) fn call_iface(&mut self, i: &Instr) -> Did {
        let s = |k: usize| i.slot(k);
        let a = &i.args;
        let itab = self.pointer(s(1), 4 * a[2], ITAB_FUNCS + 4, RAX);
        self.may_fault();
        let at = ITAB_FUNCS as i32 + 4 * a[2] as i32;
        self.asm.mov(W32, RDI, Mem::at(itab, at));
        self.copy(s(0) + a[3] as u16, s(1) + 1);
        self.call_func(s(0))
    }

    /// Allocates an object of at most 64 bytes, if there is a free slot for it at hand; its address
    /// is in rdi then.
    ///
    /// Go: runtime/malloc.go, nextFreeFast.
    pub(super) fn allocate(&mut self, size: usize, layout: u32) -> bool {
        let Some(at_hand) = AtHand::of(size, LayoutId(layout)) else {
            return false;
        };
        let at = |off: usize| Mem::at(RAX, off as i32);
        self.asm
            .mov(W64, RAX, Mem::at(RDX, std::mem::offset_of!(G, m) as i32));
        self.asm.mov(W64, RAX, at(std::mem::offset_of!(M, p)));
        self.asm.scan(Scan::Forward, RDI, at(at_hand.free));
        self.exit_if(Cond::E);
        if let Some(span) = at_hand.layout {
            let same = self.asm.label();
            self.asm.alu_imm(Alu::Cmp, W32, at(span.at), layout as i32);
            self.asm.jcc(Cond::E, same);
            self.asm
                .alu_imm(Alu::Cmp, W32, at(span.at), SpanLayout::MIXED as i32);
            self.exit_if(Cond::Ne);
            self.asm.mov(W64, RCX, at(span.layouts));
            self.asm
                .store_imm(W32, Mem::element(RCX, RDI, 4), layout as i32);
            self.asm.bind(same);
        }
        self.asm.mov(W64, RCX, at(at_hand.free));
        self.asm.lea(RCX, Mem::at(RCX, -1));
        self.asm.alu_to(Alu::And, W64, at(at_hand.free), RCX);
        self.asm.imul_imm(W64, RDI, RDI, at_hand.elem_size as i32);
        self.asm.alu(Alu::Add, W64, RDI, at(at_hand.base));
        true
    }

    /// The next rune of a string, if it is ASCII.
    pub(super) fn str_next(&mut self, i: &Instr) -> Did {
        let s = |k: usize| i.slot(k);
        let at = self.reg(s(0), RAX);
        let p = self.reg(s(1), RCX);
        self.may_fault();
        self.asm.load(Load::U8, RDI, Mem::element(p, at, 1));
        self.asm.alu_imm(Alu::Cmp, W32, RDI, 0x80);
        self.exit_if(Cond::Ae);
        self.binary_to(s(0), s(0), Binary::Alu(Alu::Add), I64, Imm(1));
        self.set(s(2), RDI);
        Did::ComesBack
    }

    /// The type of an itab, if there is one.
    pub(super) fn itab_type(&mut self, i: &Instr) {
        let s = |k: usize| i.slot(k);
        let (typ, done) = (std::mem::offset_of!(Itab, typ), self.asm.label());
        self.fetch(RAX, s(1));
        if i.op == Op::IfaceToEface {
            self.fetch(RCX, s(1) + 1);
        }
        self.asm.test(W64, RAX, RAX);
        self.asm.jcc(Cond::E, done);
        self.may_fault();
        self.asm.mov(W64, RAX, Mem::at(RAX, typ as i32));
        self.asm.bind(done);
        self.set(s(0), RAX);
        if i.op == Op::IfaceToEface {
            self.set(s(0) + 1, RCX);
        }
    }
}
