//! An assembler for the instructions of x86-64 that templates are made of.
//!
//! An instruction names its registers and memory operands by value, so that a template does not say
//! where a slot is kept: [`Rm`] is either. Every form is held against a disassembler in the tests.
//!
//! Go: none; compare cmd/internal/obj/x86/asm6.go. Intel: Software Developer's Manual, volume 2.

/// A general register, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Gpr(pub(super) u8);

/// A vector register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Xmm(pub(super) u8);

pub(super) const RAX: Gpr = Gpr(0);
pub(super) const RCX: Gpr = Gpr(1);
pub(super) const RDX: Gpr = Gpr(2);
pub(super) const RBX: Gpr = Gpr(3);
const RSP: Gpr = Gpr(4);
pub(super) const RBP: Gpr = Gpr(5);
pub(super) const RSI: Gpr = Gpr(6);
pub(super) const RDI: Gpr = Gpr(7);

/// `[base + index * 2^scale + disp]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Mem {
    pub(super) base: Gpr,
    pub(super) index: Option<(Gpr, u8)>,
    pub(super) disp: i32,
}

impl Mem {
    /// `[base + disp]`.
    pub(super) fn at(base: Gpr, disp: i32) -> Mem {
        Mem {
            base,
            index: None,
            disp,
        }
    }

    /// `[base + index * size]`, of a size that is a power of two up to 8.
    pub(super) fn element(base: Gpr, index: Gpr, size: usize) -> Mem {
        Mem {
            base,
            index: Some((index, size.trailing_zeros() as u8)),
            disp: 0,
        }
    }

    /// `by` bytes behind it.
    pub(super) fn plus(self, by: i32) -> Mem {
        Mem {
            disp: self.disp + by,
            ..self
        }
    }
}

/// A general register or memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rm {
    Reg(Gpr),
    Mem(Mem),
}

impl From<Gpr> for Rm {
    fn from(r: Gpr) -> Rm {
        Rm::Reg(r)
    }
}

impl From<Mem> for Rm {
    fn from(m: Mem) -> Rm {
        Rm::Mem(m)
    }
}

/// A vector register or memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Xm {
    Reg(Xmm),
    Mem(Mem),
}

impl From<Xmm> for Xm {
    fn from(r: Xmm) -> Xm {
        Xm::Reg(r)
    }
}

impl From<Mem> for Xm {
    fn from(m: Mem) -> Xm {
        Xm::Mem(m)
    }
}

/// How wide an operation on integers is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Width {
    W32,
    W64,
}
pub(super) use Width::{W32, W64};

/// Operations with two operands, by their number in the opcode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Alu {
    Add = 0,
    Or = 1,
    Sbb = 3,
    And = 4,
    Sub = 5,
    Xor = 6,
    Cmp = 7,
}

/// Operations with one operand, with opcode 0xf7.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Unary {
    Not = 2,
    Neg = 3,
    Mul = 4,
    Imul = 5,
    Div = 6,
    Idiv = 7,
}

/// Shifts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Shift {
    Rol = 0,
    Shl = 4,
    Shr = 5,
    Sar = 7,
}

/// Which bit that is set is looked for: the lowest, the highest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Scan {
    Forward = 0xbc,
    Reverse = 0xbd,
}

/// Conditions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Cond {
    B = 2,
    Ae = 3,
    E = 4,
    Ne = 5,
    Be = 6,
    A = 7,
    P = 10,
    Np = 11,
    L = 12,
    Ge = 13,
    Le = 14,
    G = 15,
}

impl Cond {
    /// That it does not hold.
    pub(super) fn not(self) -> Cond {
        use Cond::*;
        match self {
            B => Ae,
            Ae => B,
            E => Ne,
            Ne => E,
            Be => A,
            A => Be,
            P => Np,
            Np => P,
            L => Ge,
            Ge => L,
            Le => G,
            G => Le,
        }
    }
}

/// How a number is loaded: its width, and how it is extended to 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Load {
    U8,
    S8,
    U16,
    S16,
    U32,
    S32,
    U64,
}

/// Operations on floating-point numbers, by their opcode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Fop {
    Sqrt = 0x51,
    Add = 0x58,
    Mul = 0x59,
    Sub = 0x5c,
    Div = 0x5e,
}

/// Which numbers: float64, float32.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Float {
    F64 = 0xf2,
    F32 = 0xf3,
}

/// A place that jumps go to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Label(u32);

/// Code that is being made.
#[derive(Debug, Default)]
pub(super) struct Asm {
    pub(super) code: Vec<u8>,
    /// Where labels are, `u32::MAX` while they are nowhere.
    labels: Vec<u32>,
    /// Distances of 4 bytes to be filled in: where, and to which label.
    jumps: Vec<(u32, Label)>,
    /// As those, to addresses: they are filled in where the code is put.
    pub(super) outside: Vec<(u32, usize)>,
}

const NOWHERE: u32 = u32::MAX;

#[allow(
    clippy::wrong_self_convention,
    reason = "`to` and `from` are directions of the machine's moves"
)]
impl Asm {
    pub(super) fn here(&self) -> usize {
        self.code.len()
    }

    pub(super) fn label(&mut self) -> Label {
        self.labels.push(NOWHERE);
        Label(self.labels.len() as u32 - 1)
    }

    /// The label is here.
    pub(super) fn bind(&mut self, l: Label) {
        self.labels[l.0 as usize] = self.code.len() as u32;
    }

    /// Where the label is, once it is somewhere.
    pub(super) fn place(&self, l: Label) -> Option<usize> {
        let at = self.labels[l.0 as usize];
        (at != NOWHERE).then_some(at as usize)
    }

    /// Fills in all distances; all labels that are jumped to are somewhere.
    pub(super) fn link(&mut self) {
        for (at, l) in std::mem::take(&mut self.jumps) {
            let at = at as usize;
            let to = self.labels[l.0 as usize];
            debug_assert_ne!(to, NOWHERE);
            let by = to as i32 - (at as i32 + 4);
            self.code[at..at + 4].copy_from_slice(&by.to_le_bytes());
        }
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.code.extend_from_slice(bytes);
    }

    /// Prefixes, opcode and operands: `reg` is the register's number or the opcode's extension.
    /// `is_byte`: a register's low byte is meant, which needs a prefix from number 4 on.
    fn op(&mut self, prefix: Option<u8>, w: bool, opcode: &[u8], reg: u8, rm: Rm, is_byte: bool) {
        self.code.extend(prefix);
        let (x, b) = match rm {
            Rm::Reg(r) => (0, r.0 >> 3),
            Rm::Mem(m) => (m.index.map_or(0, |(i, _)| i.0 >> 3), m.base.0 >> 3),
        };
        let rex = 0x40 | u8::from(w) << 3 | (reg >> 3) << 2 | x << 1 | b;
        let low_byte = match rm {
            Rm::Reg(r) => is_byte && (r.0 >= 4 || reg >= 4),
            Rm::Mem(_) => is_byte && reg >= 4,
        };
        if rex != 0x40 || low_byte {
            self.code.push(rex);
        }
        self.bytes(opcode);
        let reg = (reg & 7) << 3;
        match rm {
            Rm::Reg(r) => self.code.push(0xc0 | reg | r.0 & 7),
            Rm::Mem(m) => {
                let base = m.base.0 & 7;
                // Without a distance, number 5 as base means something else.
                let (mode, n) = match m.disp {
                    0 if base != 5 => (0, 0),
                    d if i8::try_from(d).is_ok() => (0x40, 1),
                    _ => (0x80, 4),
                };
                match m.index {
                    Some((i, scale)) => {
                        debug_assert_ne!(i, RSP);
                        self.bytes(&[mode | reg | 4, scale << 6 | (i.0 & 7) << 3 | base]);
                    }
                    None if base == 4 => self.bytes(&[mode | reg | 4, 0x24]),
                    None => self.code.push(mode | reg | base),
                }
                self.bytes(&m.disp.to_le_bytes()[..n]);
            }
        }
    }

    fn wide(&mut self, w: Width, opcode: &[u8], reg: u8, rm: Rm) {
        self.op(None, w == W64, opcode, reg, rm, false);
    }

    /// Fills up with what does nothing, to an address that is a multiple of `n` if the code's is.
    pub(super) fn align(&mut self, n: usize) {
        const NOTHING: [&[u8]; 8] = [
            &[0x90],
            &[0x66, 0x90],
            &[0x0f, 0x1f, 0x00],
            &[0x0f, 0x1f, 0x40, 0x00],
            &[0x0f, 0x1f, 0x44, 0x00, 0x00],
            &[0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00],
            &[0x0f, 0x1f, 0x80, 0x00, 0x00, 0x00, 0x00],
            &[0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00],
        ];
        let mut left = self.code.len().next_multiple_of(n) - self.code.len();
        while left > 0 {
            let now = left.min(NOTHING.len());
            self.bytes(NOTHING[now - 1]);
            left -= now;
        }
    }

    /// rcx words from rdi on := rax.
    pub(super) fn rep_stosq(&mut self) {
        self.bytes(&[0xf3, 0x48, 0xab]);
    }

    /// Ends the process: control never comes to it.
    pub(super) fn trap(&mut self) {
        self.bytes(&[0x0f, 0x0b]);
    }

    // ---- Integers.

    /// `dst := dst op src`; flags.
    pub(super) fn alu(&mut self, op: Alu, w: Width, dst: Gpr, src: impl Into<Rm>) {
        self.wide(w, &[(op as u8) << 3 | 3], dst.0, src.into());
    }

    /// As [`alu`](Self::alu), with memory as the first operand.
    pub(super) fn alu_to(&mut self, op: Alu, w: Width, dst: Mem, src: Gpr) {
        self.wide(w, &[(op as u8) << 3 | 1], src.0, dst.into());
    }

    /// As [`alu`](Self::alu), with a constant.
    pub(super) fn alu_imm(&mut self, op: Alu, w: Width, dst: impl Into<Rm>, imm: i32) {
        match i8::try_from(imm) {
            Ok(imm) => {
                self.wide(w, &[0x83], op as u8, dst.into());
                self.code.push(imm as u8);
            }
            Err(_) => {
                self.wide(w, &[0x81], op as u8, dst.into());
                self.bytes(&imm.to_le_bytes());
            }
        }
    }

    pub(super) fn unary(&mut self, op: Unary, w: Width, rm: impl Into<Rm>) {
        self.wide(w, &[0xf7], op as u8, rm.into());
    }

    /// `dst := dst * src`, the low half.
    pub(super) fn imul(&mut self, w: Width, dst: Gpr, src: impl Into<Rm>) {
        self.wide(w, &[0x0f, 0xaf], dst.0, src.into());
    }

    /// `dst := src * imm`, the low half.
    pub(super) fn imul_imm(&mut self, w: Width, dst: Gpr, src: impl Into<Rm>, imm: i32) {
        match i8::try_from(imm) {
            Ok(imm) => {
                self.wide(w, &[0x6b], dst.0, src.into());
                self.code.push(imm as u8);
            }
            Err(_) => {
                self.wide(w, &[0x69], dst.0, src.into());
                self.bytes(&imm.to_le_bytes());
            }
        }
    }

    /// Compares the byte in memory with a constant.
    pub(super) fn cmp_byte(&mut self, m: Mem, imm: u8) {
        self.op(None, false, &[0x80], Alu::Cmp as u8, m.into(), false);
        self.code.push(imm);
    }

    /// rdx: the sign of rax, throughout.
    pub(super) fn cqo(&mut self) {
        self.bytes(&[0x48, 0x99]);
    }

    pub(super) fn shift_imm(&mut self, op: Shift, w: Width, rm: impl Into<Rm>, n: u8) {
        self.wide(w, &[0xc1], op as u8, rm.into());
        self.code.push(n);
    }

    /// By cl.
    pub(super) fn shift_cl(&mut self, op: Shift, w: Width, rm: impl Into<Rm>) {
        self.wide(w, &[0xd3], op as u8, rm.into());
    }

    /// Flags of `a & b`.
    pub(super) fn test(&mut self, w: Width, a: impl Into<Rm>, b: Gpr) {
        self.wide(w, &[0x85], b.0, a.into());
    }

    /// `dst := ` the number of a bit of `src` that is set; if none is, equal, and nobody knows
    /// which.
    pub(super) fn scan(&mut self, which: Scan, dst: Gpr, src: impl Into<Rm>) {
        self.wide(W64, &[0x0f, which as u8], dst.0, src.into());
    }

    /// `dst := ` how many bits of `src` are set. Not every processor has it.
    pub(super) fn popcnt(&mut self, dst: Gpr, src: impl Into<Rm>) {
        self.op(Some(0xf3), true, &[0x0f, 0xb8], dst.0, src.into(), false);
    }

    /// The bytes in reversed order.
    pub(super) fn bswap(&mut self, r: Gpr) {
        self.bytes(&[0x48 | r.0 >> 3, 0x0f, 0xc8 | r.0 & 7]);
    }

    // ---- Moves.

    /// `dst := src`, the upper half cleared if 32 bits wide.
    pub(super) fn mov(&mut self, w: Width, dst: Gpr, src: impl Into<Rm>) {
        self.wide(w, &[0x8b], dst.0, src.into());
    }

    pub(super) fn load(&mut self, how: Load, dst: Gpr, src: impl Into<Rm>) {
        let src = src.into();
        match how {
            Load::U8 => self.op(
                None,
                false,
                &[0x0f, 0xb6],
                dst.0,
                src,
                matches!(src, Rm::Reg(_)),
            ),
            Load::S8 => self.op(None, true, &[0x0f, 0xbe], dst.0, src, false),
            Load::U16 => self.wide(W32, &[0x0f, 0xb7], dst.0, src),
            Load::S16 => self.wide(W64, &[0x0f, 0xbf], dst.0, src),
            Load::U32 => self.mov(W32, dst, src),
            Load::S32 => self.wide(W64, &[0x63], dst.0, src),
            Load::U64 => self.mov(W64, dst, src),
        }
    }

    /// The low `bytes` bytes of `src`, 1, 2, 4 or 8.
    pub(super) fn store(&mut self, bytes: usize, dst: Mem, src: Gpr) {
        match bytes {
            1 => self.op(None, false, &[0x88], src.0, dst.into(), true),
            2 => self.op(Some(0x66), false, &[0x89], src.0, dst.into(), false),
            4 => self.wide(W32, &[0x89], src.0, dst.into()),
            _ => self.wide(W64, &[0x89], src.0, dst.into()),
        }
    }

    /// `dst := imm`, sign-extended.
    pub(super) fn store_imm(&mut self, w: Width, dst: Mem, imm: i32) {
        self.wide(w, &[0xc7], 0, dst.into());
        self.bytes(&imm.to_le_bytes());
    }

    pub(super) fn constant(&mut self, dst: Gpr, k: u64) {
        if k == 0 {
            self.alu(Alu::Xor, W32, dst, dst);
        } else {
            self.constant_keeping_flags(dst, k);
        }
    }

    pub(super) fn constant_keeping_flags(&mut self, dst: Gpr, k: u64) {
        if let Ok(k) = u32::try_from(k) {
            if dst.0 >= 8 {
                self.code.push(0x41);
            }
            self.code.push(0xb8 | dst.0 & 7);
            self.bytes(&k.to_le_bytes());
        } else if let Ok(k) = i32::try_from(k as i64) {
            self.wide(W64, &[0xc7], 0, dst.into());
            self.bytes(&k.to_le_bytes());
        } else {
            self.bytes(&[0x48 | dst.0 >> 3, 0xb8 | dst.0 & 7]);
            self.bytes(&k.to_le_bytes());
        }
    }

    pub(super) fn lea(&mut self, dst: Gpr, m: Mem) {
        self.wide(W64, &[0x8d], dst.0, m.into());
    }

    /// `dst := ` the address of the label.
    pub(super) fn lea_label(&mut self, dst: Gpr, l: Label) {
        self.bytes(&[0x48 | dst.0 >> 3 << 2, 0x8d, 0x05 | (dst.0 & 7) << 3]);
        self.distance(l);
    }

    /// `dst`: 1 if the condition holds, else 0, in the low byte alone.
    pub(super) fn set(&mut self, c: Cond, dst: Gpr) {
        self.op(None, false, &[0x0f, 0x90 | c as u8], 0, dst.into(), true);
    }

    /// `dst := src` if the condition holds.
    pub(super) fn cmov(&mut self, c: Cond, dst: Gpr, src: impl Into<Rm>) {
        self.wide(W64, &[0x0f, 0x40 | c as u8], dst.0, src.into());
    }

    // ---- Jumps.

    pub(super) fn jmp(&mut self, l: Label) {
        self.code.push(0xe9);
        self.distance(l);
    }

    pub(super) fn jcc(&mut self, c: Cond, l: Label) {
        self.bytes(&[0x0f, 0x80 | c as u8]);
        self.distance(l);
    }

    /// To an address below 2 GB.
    pub(super) fn jmp_out(&mut self, to: usize) {
        self.code.push(0xe9);
        self.distance_to(to);
    }

    pub(super) fn jcc_out(&mut self, c: Cond, to: usize) {
        self.bytes(&[0x0f, 0x80 | c as u8]);
        self.distance_to(to);
    }

    fn distance_to(&mut self, to: usize) {
        self.outside.push((self.code.len() as u32, to));
        self.bytes(&[0; 4]);
    }

    fn distance(&mut self, l: Label) {
        self.jumps.push((self.code.len() as u32, l));
        self.bytes(&[0; 4]);
    }

    /// To the address at `disp + index * 8`, below 2 GB.
    pub(super) fn jmp_by(&mut self, disp: i32, index: Option<Gpr>) {
        match index {
            Some(i) => {
                debug_assert!(i != RSP && i.0 < 8);
                self.bytes(&[0xff, 0x24, 3 << 6 | i.0 << 3 | 5]);
            }
            None => self.bytes(&[0xff, 0x24, 0x25]),
        }
        self.bytes(&disp.to_le_bytes());
    }

    pub(super) fn jmp_to(&mut self, rm: impl Into<Rm>) {
        self.wide(W32, &[0xff], 4, rm.into());
    }

    // ---- Floating point.

    fn float(&mut self, prefix: u8, w: bool, opcode: u8, reg: u8, src: Xm) {
        let src = match src {
            Xm::Reg(r) => Rm::Reg(Gpr(r.0)),
            Xm::Mem(m) => Rm::Mem(m),
        };
        self.op(
            (prefix != 0).then_some(prefix),
            w,
            &[0x0f, opcode],
            reg,
            src,
            false,
        );
    }

    /// `dst := dst op src`.
    pub(super) fn fop(&mut self, op: Fop, f: Float, dst: Xmm, src: impl Into<Xm>) {
        self.float(f as u8, false, op as u8, dst.0, src.into());
    }

    /// Loads a number; the rest of the register is cleared.
    pub(super) fn fload(&mut self, f: Float, dst: Xmm, src: Mem) {
        self.float(f as u8, false, 0x10, dst.0, src.into());
    }

    pub(super) fn fstore(&mut self, f: Float, dst: Mem, src: Xmm) {
        self.float(f as u8, false, 0x11, src.0, dst.into());
    }

    /// All of the register.
    pub(super) fn fmov(&mut self, dst: Xmm, src: Xmm) {
        self.float(0, false, 0x28, dst.0, src.into());
    }

    /// 16 bytes.
    pub(super) fn load16(&mut self, dst: Xmm, src: Mem) {
        self.float(0, false, 0x10, dst.0, src.into());
    }

    /// 16 bytes.
    pub(super) fn store16(&mut self, dst: Mem, src: Xmm) {
        self.float(0, false, 0x11, src.0, dst.into());
    }

    /// 64 bits.
    pub(super) fn to_xmm(&mut self, dst: Xmm, src: impl Into<Rm>) {
        self.op(Some(0x66), true, &[0x0f, 0x6e], dst.0, src.into(), false);
    }

    /// 64 bits.
    pub(super) fn from_xmm(&mut self, dst: impl Into<Rm>, src: Xmm) {
        self.op(Some(0x66), true, &[0x0f, 0x7e], src.0, dst.into(), false);
    }

    /// Flags of the comparison: unordered is P, and E and B as well.
    pub(super) fn ucomi(&mut self, f: Float, a: Xmm, b: impl Into<Xm>) {
        let prefix = if f == Float::F64 { 0x66 } else { 0 };
        self.float(prefix, false, 0x2e, a.0, b.into());
    }

    /// `dst := dst ^ src`, bit by bit.
    pub(super) fn fxor(&mut self, dst: Xmm, src: Xmm) {
        self.float(0, false, 0x57, dst.0, src.into());
    }

    /// The low 64 bits of `dst` := the low 32 of it, below those of `src`.
    pub(super) fn unpack(&mut self, dst: Xmm, src: Xmm) {
        self.float(0, false, 0x14, dst.0, src.into());
    }

    /// `dst := dst & src`, bit by bit.
    pub(super) fn fand(&mut self, dst: Xmm, src: Xmm) {
        self.float(0, false, 0x54, dst.0, src.into());
    }

    /// The number of a signed integer of 64 bits.
    pub(super) fn from_int(&mut self, f: Float, dst: Xmm, src: impl Into<Rm>) {
        self.op(Some(f as u8), true, &[0x0f, 0x2a], dst.0, src.into(), false);
    }

    /// The integer of a number, truncated; the smallest where there is none.
    pub(super) fn to_int(&mut self, f: Float, w: Width, dst: Gpr, src: impl Into<Xm>) {
        self.float(f as u8, w == W64, 0x2c, dst.0, src.into());
    }

    /// The number of the other kind: `f` is the source's.
    pub(super) fn convert(&mut self, f: Float, dst: Xmm, src: impl Into<Xm>) {
        self.float(f as u8, false, 0x5a, dst.0, src.into());
    }
}

#[cfg(test)]
mod tests;
