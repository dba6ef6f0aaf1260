//! What native code does for each instruction: the table of templates.
//!
//! A template does what the [body](crate::exec) of its instruction does, or leaves the instruction
//! to its handler: before it has written anything. Opcodes that stand in no row are always left.
//!
//! Go: cmd/compile/internal/amd64/ssa.go.

mod calls;
mod elements;
mod floats;
mod integers;
mod memory;

use super::asm::{
    Alu, Cond, Float, Fop, Gpr, Label, Load, Mem, RAX, RCX, RDI, RDX, RSI, Rm, Scan, Shift, Unary,
    W32, W64, Width, Xmm,
};
use super::compile::{Did, Instr, Maker, memory_of};
use super::memory as code;
use bytecode::op::Op;
use bytecode::pair::Pair;
use bytecode::rtype::{ITAB_FUNCS, Itab};
use gosched_runtime::fault;
use gosched_runtime::g::G;
use gosched_runtime::signal::NIL_PAGE;
use integers::{Binary, Int::*};

/// Scratch registers.
const X0: Xmm = Xmm(0);
const X1: Xmm = Xmm(1);
const X2: Xmm = Xmm(2);
const X3: Xmm = Xmm(3);

/// Words of a value that a template copies, at most.
const MOST_WORDS: usize = 12;

/// The second operand of an operator.
#[derive(Clone, Copy, Debug)]
enum Operand {
    Slot(u16),
    Imm(i64),
}
use Operand::{Imm, Slot};

fn bytes(how: Load) -> usize {
    match how {
        Load::U8 | Load::S8 => 1,
        Load::U16 | Load::S16 => 2,
        Load::U32 | Load::S32 => 4,
        Load::U64 => 8,
    }
}

fn halves(v: i64) -> (usize, usize) {
    let p = Pair::of(v as u64);
    (p.lo() as usize, p.hi() as usize)
}

fn is_i32(v: i64) -> bool {
    i32::try_from(v).is_ok()
}

impl Maker<'_> {
    /// The code of an instruction.
    #[allow(clippy::too_many_lines, reason = "a table")]
    pub(super) fn template(&mut self, i: &Instr) -> Did {
        use Binary::{AndNot, Mul};
        use Op as O;
        let a = &i.args;
        let s = |k: usize| i.slot(k);
        match i.op {
            // ---- Moves and constants.
            O::Nop | O::CopyResults => {}
            O::Mov => self.copy(s(0), s(1)),
            O::Mov2 | O::ViewOfBytes => self.copy_all(s(0), s(1), 2),
            O::Mov3 => self.copy_all(s(0), s(1), 3),
            O::MovN if a[2] as usize <= MOST_WORDS => self.copy_all(s(0), s(1), a[2] as u16),
            O::LoadImm | O::LoadConst | O::LoadGlobalAddr | O::LoadData => {
                self.set_const(s(0), a[1] as u64);
            }
            O::LoadConst2 | O::LoadStr | O::LoadIface | O::LoadIfaceBits => {
                self.set_const(s(0), a[1] as u64);
                self.set_const(s(0) + 1, a[2] as u64);
            }
            O::Zero => self.set_const(s(0), 0),
            O::Zero2 => self.zero(s(0), 2),
            O::Zero3 => self.zero(s(0), 3),
            O::ZeroN if a[1] as usize <= MOST_WORDS => self.zero(s(0), a[1] as u16),

            // ---- Globals.
            O::LoadGlobal8u => self.load_global(i, Load::U8),
            O::LoadGlobal8s => self.load_global(i, Load::S8),
            O::LoadGlobal16u => self.load_global(i, Load::U16),
            O::LoadGlobal16s => self.load_global(i, Load::S16),
            O::LoadGlobal32u => self.load_global(i, Load::U32),
            O::LoadGlobal32s => self.load_global(i, Load::S32),
            O::LoadGlobal64 => self.load_global(i, Load::U64),
            O::LoadGlobal2 | O::LoadGlobal3 => {
                self.asm.constant(RCX, a[1] as u64);
                let n = if i.op == O::LoadGlobal2 { 2 } else { 3 };
                self.load_words(s(0), Mem::at(RCX, 0), n);
            }
            O::StoreGlobal8 => return self.store_global(i, 1, 1, false),
            O::StoreGlobal16 => return self.store_global(i, 2, 1, false),
            O::StoreGlobal32 => return self.store_global(i, 4, 1, false),
            O::StoreGlobal64 => return self.store_global(i, 8, 1, false),
            O::StoreGlobalPtr => return self.store_global(i, 8, 1, true),
            O::StoreGlobalStr | O::StoreGlobalIface => return self.store_global(i, 8, 2, true),
            O::StoreGlobalSlice => return self.store_global(i, 8, 3, true),

            // ---- Memory through a pointer.
            O::Load8u => self.load_field(i, Load::U8),
            O::Load8s => self.load_field(i, Load::S8),
            O::Load16u => self.load_field(i, Load::U16),
            O::Load16s => self.load_field(i, Load::S16),
            O::Load32u => self.load_field(i, Load::U32),
            O::Load32s => self.load_field(i, Load::S32),
            O::Load64 => self.load_field(i, Load::U64),
            O::Load2 => self.load_fields(i, 16),
            O::Load3 => self.load_fields(i, 24),
            O::LoadN if is_small(a[3] as usize) => self.load_fields(i, a[3] as usize),
            O::Store8 => self.store_field(i, 1),
            O::Store16 => self.store_field(i, 2),
            O::Store32 => self.store_field(i, 4),
            O::Store64 => self.store_field(i, 8),
            O::StorePtr => return self.store_fields(i, 8, true),
            O::StoreStr | O::StoreIface => return self.store_fields(i, 16, true),
            O::StoreSlice => return self.store_fields(i, 24, true),
            O::StoreTyped => {
                let (size, layout) = halves(a[3]);
                if !is_small(size) {
                    return Did::Leaves;
                }
                return self.store_fields(i, size, layout != 0);
            }
            O::CopyTyped => return self.copy_typed(i),
            O::AddPtr | O::AddPtrConst => {
                if !is_i32(a[2]) {
                    return Did::Leaves;
                }
                let p = self.nonnil(s(1), RAX);
                let t = self.dst(s(0), RAX);
                self.asm.lea(t, Mem::at(p, a[2] as i32));
                self.put(s(0), t);
            }
            O::CheckNil => {
                self.nonnil(s(0), RAX);
            }
            O::AddToMem => self.change_field(i, Alu::Add),
            O::SubFromMem => self.change_field(i, Alu::Sub),
            O::AddImmToMem => {
                let p = self.pointer(s(0), a[2], 8, RAX);
                self.may_fault();
                self.asm
                    .alu_imm(Alu::Add, W64, Mem::at(p, a[2] as i32), a[1] as i32);
            }
            O::AddF64ToMem => self.change_float_field(i, Fop::Add),
            O::SubF64FromMem => self.change_float_field(i, Fop::Sub),

            // ---- Memory in the frame.
            O::FrameLoad8u => self.frame_load(i, Load::U8),
            O::FrameLoad8s => self.frame_load(i, Load::S8),
            O::FrameLoad16u => self.frame_load(i, Load::U16),
            O::FrameLoad16s => self.frame_load(i, Load::S16),
            O::FrameLoad32u => self.frame_load(i, Load::U32),
            O::FrameLoad32s => self.frame_load(i, Load::S32),
            O::FrameStore8 => self.frame_store(i, 1),
            O::FrameStore16 => self.frame_store(i, 2),
            O::FrameStore32 => self.frame_store(i, 4),
            O::FrameIndex8u => self.frame_index(i, Load::U8),
            O::FrameIndex8s => self.frame_index(i, Load::S8),
            O::FrameIndex16u => self.frame_index(i, Load::U16),
            O::FrameIndex16s => self.frame_index(i, Load::S16),
            O::FrameIndex32u => self.frame_index(i, Load::U32),
            O::FrameIndex32s => self.frame_index(i, Load::S32),
            O::FrameIndex64 => self.frame_index(i, Load::U64),
            O::FrameSet8 => self.frame_set(i, 1),
            O::FrameSet16 => self.frame_set(i, 2),
            O::FrameSet32 => self.frame_set(i, 4),
            O::FrameSet64 => self.frame_set(i, 8),
            O::FrameIndexN | O::FrameSetN => return self.frame_part(i),
            O::FrameCopy => return self.frame_copy(i),
            O::CheckIndex => {
                self.index(s(0), Imm(a[1]), RAX);
            }

            // ---- Slices.
            O::CheckElem => {
                self.index(s(1), Slot(s(0) + 1), RAX);
            }
            O::SliceIndex8u | O::StrIndex => self.slice_index(i, Load::U8),
            O::SliceIndex8s => self.slice_index(i, Load::S8),
            O::SliceIndex16u => self.slice_index(i, Load::U16),
            O::SliceIndex16s => self.slice_index(i, Load::S16),
            O::SliceIndex32u => self.slice_index(i, Load::U32),
            O::SliceIndex32s => self.slice_index(i, Load::S32),
            O::SliceIndex64 => self.slice_index(i, Load::U64),
            O::SliceIndexTwice64 => self.slice_index_twice(i, Load::U64),
            O::SliceIndexTwice8u => self.slice_index_twice(i, Load::U8),
            O::SliceIndex2 => self.slice_part(i, 16, 0, 16),
            O::SliceIndex3 => self.slice_part(i, 24, 0, 24),
            O::SliceIndexN if is_small(a[4] as usize) => {
                let (stride, off) = halves(a[3]);
                if !is_near(stride, off) {
                    return Did::Leaves;
                }
                self.slice_part(i, stride, off, a[4] as usize);
            }
            O::SliceField64 | O::SliceField2 => {
                let (stride, off) = halves(a[3]);
                let size = if i.op == O::SliceField64 { 8 } else { 16 };
                if !is_near(stride, off) {
                    return Did::Leaves;
                }
                self.slice_part(i, stride, off, size);
            }
            O::SliceIndexImm64 => {
                self.index_imm(a[2], s(1) + 1);
                let p = self.reg(s(1), RCX);
                self.load_word(s(0), Mem::at(p, 8 * a[2] as i32));
            }
            O::SliceElemAddr if is_i32(a[3]) => {
                let x = self.index(s(2), Slot(s(1) + 1), RAX);
                let m = self.element(s(1), x, a[3] as usize, 0);
                let t = self.dst(s(0), RAX);
                self.asm.lea(t, m);
                self.put(s(0), t);
            }
            O::SliceSet8 => self.slice_set(i, 1),
            O::SliceSet16 => self.slice_set(i, 2),
            O::SliceSet32 => self.slice_set(i, 4),
            O::SliceSet64 => self.slice_set(i, 8),
            O::SliceSetPtr => return self.slice_set_value(i, 8, true),
            O::SliceSetStr | O::SliceSetIface => return self.slice_set_value(i, 16, true),
            O::SliceSetSlice => return self.slice_set_value(i, 24, true),
            O::SliceSetTyped => {
                let (size, layout) = halves(a[3]);
                if !is_small(size) {
                    return Did::Leaves;
                }
                return self.slice_set_value(i, size, layout != 0);
            }
            O::SliceSetImm64 => {
                self.index_imm(a[1], s(0) + 1);
                let p = self.reg(s(0), RCX);
                self.store_word(Mem::at(p, 8 * a[1] as i32), s(2), RAX);
            }
            O::AddToElem => self.change_element(i, Alu::Add),
            O::SubFromElem => self.change_element(i, Alu::Sub),
            O::AddImmToElem => {
                let x = self.index(s(1), Slot(s(0) + 1), RAX);
                let m = self.element(s(0), x, 8, 0);
                self.may_fault();
                self.asm.alu_imm(Alu::Add, W64, m, a[2] as i32);
            }
            O::AddF64ToElem => self.change_float_element(i, Fop::Add),
            O::SubF64FromElem => self.change_float_element(i, Fop::Sub),

            // ---- Arrays through a pointer.
            O::ArrayIndex8u => self.array_index(i, Load::U8),
            O::ArrayIndex8s => self.array_index(i, Load::S8),
            O::ArrayIndex16u => self.array_index(i, Load::U16),
            O::ArrayIndex16s => self.array_index(i, Load::S16),
            O::ArrayIndex32u => self.array_index(i, Load::U32),
            O::ArrayIndex32s => self.array_index(i, Load::S32),
            O::ArrayIndex64 => self.array_index(i, Load::U64),
            O::ArrayIndexN => return self.array_part(i),
            O::ArraySetTyped => return self.array_set_value(i),
            O::ArrayElemAddr if is_i32(a[4]) => {
                self.nonnil(s(1), RCX);
                let x = self.index(s(2), Imm(a[3]), RAX);
                let m = self.element(s(1), x, a[4] as usize, 0);
                let t = self.dst(s(0), RAX);
                self.asm.lea(t, m);
                self.put(s(0), t);
            }
            O::ArraySet8 => self.array_set(i, 1),
            O::ArraySet16 => self.array_set(i, 2),
            O::ArraySet32 => self.array_set(i, 4),
            O::ArraySet64 => self.array_set(i, 8),
            O::ArraySetPtr => {
                self.unless_marking();
                self.array_set(i, 8);
                return Did::ComesBack;
            }

            // ---- Integers.
            O::Add => self.binary(i, Binary::Alu(Alu::Add), I64, Slot(s(2))),
            O::AddI32 => self.binary(i, Binary::Alu(Alu::Add), I32, Slot(s(2))),
            O::AddU32 => self.binary(i, Binary::Alu(Alu::Add), U32, Slot(s(2))),
            O::AddI16 => self.binary(i, Binary::Alu(Alu::Add), I16, Slot(s(2))),
            O::AddU16 => self.binary(i, Binary::Alu(Alu::Add), U16, Slot(s(2))),
            O::AddI8 => self.binary(i, Binary::Alu(Alu::Add), I8, Slot(s(2))),
            O::AddU8 => self.binary(i, Binary::Alu(Alu::Add), U8, Slot(s(2))),
            O::Sub => self.binary(i, Binary::Alu(Alu::Sub), I64, Slot(s(2))),
            O::SubI32 => self.binary(i, Binary::Alu(Alu::Sub), I32, Slot(s(2))),
            O::SubU32 => self.binary(i, Binary::Alu(Alu::Sub), U32, Slot(s(2))),
            O::SubI16 => self.binary(i, Binary::Alu(Alu::Sub), I16, Slot(s(2))),
            O::SubU16 => self.binary(i, Binary::Alu(Alu::Sub), U16, Slot(s(2))),
            O::SubI8 => self.binary(i, Binary::Alu(Alu::Sub), I8, Slot(s(2))),
            O::SubU8 => self.binary(i, Binary::Alu(Alu::Sub), U8, Slot(s(2))),
            O::Mul => self.binary(i, Mul, I64, Slot(s(2))),
            O::MulI32 => self.binary(i, Mul, I32, Slot(s(2))),
            O::MulU32 => self.binary(i, Mul, U32, Slot(s(2))),
            O::MulI16 => self.binary(i, Mul, I16, Slot(s(2))),
            O::MulU16 => self.binary(i, Mul, U16, Slot(s(2))),
            O::MulI8 => self.binary(i, Mul, I8, Slot(s(2))),
            O::MulU8 => self.binary(i, Mul, U8, Slot(s(2))),
            O::And => self.binary(i, Binary::Alu(Alu::And), I64, Slot(s(2))),
            O::Or => self.binary(i, Binary::Alu(Alu::Or), I64, Slot(s(2))),
            O::Xor => self.binary(i, Binary::Alu(Alu::Xor), I64, Slot(s(2))),
            O::AndNot => self.binary(i, AndNot, I64, Slot(s(2))),
            O::AddImm | O::AddConst => self.binary(i, Binary::Alu(Alu::Add), I64, Imm(a[2])),
            O::AddImmI32 | O::AddConstI32 => self.binary(i, Binary::Alu(Alu::Add), I32, Imm(a[2])),
            O::AddImmU32 | O::AddConstU32 => self.binary(i, Binary::Alu(Alu::Add), U32, Imm(a[2])),
            O::AddImmI16 => self.binary(i, Binary::Alu(Alu::Add), I16, Imm(a[2])),
            O::AddImmU16 => self.binary(i, Binary::Alu(Alu::Add), U16, Imm(a[2])),
            O::AddImmI8 => self.binary(i, Binary::Alu(Alu::Add), I8, Imm(a[2])),
            O::AddImmU8 => self.binary(i, Binary::Alu(Alu::Add), U8, Imm(a[2])),
            O::MulImm | O::MulConst => self.binary(i, Mul, I64, Imm(a[2])),
            O::MulImmI32 | O::MulConstI32 => self.binary(i, Mul, I32, Imm(a[2])),
            O::MulImmU32 | O::MulConstU32 => self.binary(i, Mul, U32, Imm(a[2])),
            O::AndImm | O::AndConst => self.binary(i, Binary::Alu(Alu::And), I64, Imm(a[2])),
            O::OrImm | O::OrConst => self.binary(i, Binary::Alu(Alu::Or), I64, Imm(a[2])),
            O::XorImm | O::XorConst => self.binary(i, Binary::Alu(Alu::Xor), I64, Imm(a[2])),
            O::Shl => self.shift_left(i, I64),
            O::ShlI32 => self.shift_left(i, I32),
            O::ShlU32 => self.shift_left(i, U32),
            O::ShlI16 => self.shift_left(i, I16),
            O::ShlU16 => self.shift_left(i, U16),
            O::ShlI8 => self.shift_left(i, I8),
            O::ShlU8 => self.shift_left(i, U8),
            O::ShrS => {
                self.fetch(RCX, s(2));
                self.asm.constant(RAX, 63);
                self.asm.alu(Alu::Cmp, W64, RCX, RAX);
                self.asm.cmov(Cond::A, RCX, RAX);
                self.fetch(RAX, s(1));
                self.asm.shift_cl(Shift::Sar, W64, RAX);
                self.set(s(0), RAX);
            }
            O::ShrU => {
                self.fetch(RCX, s(2));
                self.fetch(RAX, s(1));
                self.asm.shift_cl(Shift::Shr, W64, RAX);
                self.unless_shifted_out(64);
                self.set(s(0), RAX);
            }
            O::ShlImm => self.shift_imm(i, Shift::Shl, I64),
            O::ShlImmI32 => self.shift_imm(i, Shift::Shl, I32),
            O::ShlImmU32 => self.shift_imm(i, Shift::Shl, U32),
            O::ShlImmI16 => self.shift_imm(i, Shift::Shl, I16),
            O::ShlImmU16 => self.shift_imm(i, Shift::Shl, U16),
            O::ShlImmI8 => self.shift_imm(i, Shift::Shl, I8),
            O::ShlImmU8 => self.shift_imm(i, Shift::Shl, U8),
            O::ShrSImm => self.shift_imm(i, Shift::Sar, I64),
            O::ShrUImm => self.shift_imm(i, Shift::Shr, I64),
            O::RotateLeftImm => self.shift_imm(i, Shift::Rol, I64),
            O::RotateLeftImmU32 => self.shift_imm(i, Shift::Rol, U32),
            O::RotateLeft => self.rotate(i, W64),
            O::RotateLeftU32 => self.rotate(i, W32),
            O::TrailingZeros => self.scan(i, Scan::Forward),
            O::BitLen => self.scan(i, Scan::Reverse),
            O::OnesCount if is_x86_feature_detected!("popcnt") => {
                let a = self.rm(s(1), RAX);
                let t = self.dst(s(0), RAX);
                self.asm.popcnt(t, a);
                self.put(s(0), t);
            }
            O::ReverseBytes => {
                self.fetch(RAX, s(1));
                self.asm.bswap(RAX);
                self.set(s(0), RAX);
            }
            O::CheckShift => {
                let n = self.rm(s(0), RAX);
                self.asm.alu_imm(Alu::Cmp, W64, n, 0);
                self.exit_if(Cond::L);
            }
            O::Neg => self.unary(i, Unary::Neg, I64),
            O::NegI32 => self.unary(i, Unary::Neg, I32),
            O::NegU32 => self.unary(i, Unary::Neg, U32),
            O::NegI16 => self.unary(i, Unary::Neg, I16),
            O::NegU16 => self.unary(i, Unary::Neg, U16),
            O::NegI8 => self.unary(i, Unary::Neg, I8),
            O::NegU8 => self.unary(i, Unary::Neg, U8),
            O::Not => self.unary(i, Unary::Not, I64),
            O::NotU32 => self.unary(i, Unary::Not, U32),
            O::NotU16 => self.unary(i, Unary::Not, U16),
            O::NotU8 => self.unary(i, Unary::Not, U8),
            O::NotBool => self.binary(i, Binary::Alu(Alu::Xor), I64, Imm(1)),
            O::DivS => self.divide(i, true, false, Load::U64),
            O::DivSI32 => self.divide(i, true, false, Load::S32),
            O::DivSI16 => self.divide(i, true, false, Load::S16),
            O::DivSI8 => self.divide(i, true, false, Load::S8),
            O::RemS => self.divide(i, true, true, Load::U64),
            O::DivU => self.divide(i, false, false, Load::U64),
            O::RemU => self.divide(i, false, true, Load::U64),
            O::DivSImm => self.divide_imm(i, true, false),
            O::RemSImm => self.divide_imm(i, true, true),
            O::DivUImm => self.divide_imm(i, false, false),
            O::RemUImm => self.divide_imm(i, false, true),
            O::DivPow2 | O::RemPow2 => self.divide_pow2(i),
            O::MinS => self.choose(i, Cond::L),
            O::MaxS => self.choose(i, Cond::G),
            O::MinU => self.choose(i, Cond::B),
            O::MaxU => self.choose(i, Cond::A),
            O::AddMem => {
                if !is_i32(a[3]) {
                    return Did::Leaves;
                }
                self.fetch(RAX, s(1));
                let p = self.pointer(s(2), a[3], 8, RCX);
                self.may_fault();
                self.asm.alu(Alu::Add, W64, RAX, Mem::at(p, a[3] as i32));
                self.set(s(0), RAX);
            }
            O::AddElem => {
                let x = self.index(s(3), Slot(s(2) + 1), RAX);
                let m = self.element(s(2), x, 8, 0);
                self.may_fault();
                self.asm.mov(W64, RAX, m);
                let with = self.rm(s(1), RCX);
                self.asm.alu(Alu::Add, W64, RAX, with);
                self.set(s(0), RAX);
            }

            // ---- Floating point.
            O::AddF64 => self.float(i, Fop::Add, Float::F64),
            O::SubF64 => self.float(i, Fop::Sub, Float::F64),
            O::MulF64 => self.float(i, Fop::Mul, Float::F64),
            O::DivF64 => self.float(i, Fop::Div, Float::F64),
            O::AddF32 => self.float(i, Fop::Add, Float::F32),
            O::SubF32 => self.float(i, Fop::Sub, Float::F32),
            O::MulF32 => self.float(i, Fop::Mul, Float::F32),
            O::DivF32 => self.float(i, Fop::Div, Float::F32),
            O::AddF64Const => self.float_const(i, Fop::Add, false),
            O::MulF64Const => self.float_const(i, Fop::Mul, false),
            O::DivF64Const => self.float_const(i, Fop::Div, false),
            O::ConstSubF64 => self.float_const(i, Fop::Sub, true),
            O::ConstDivF64 => self.float_const(i, Fop::Div, true),
            O::NegF64 => self.float_bits(i, Alu::Xor, 1 << 63),
            O::NegF32 => self.float_bits(i, Alu::Xor, 1 << 31),
            O::AbsF64 => self.float_bits(i, Alu::And, !(1 << 63)),
            O::MulAddF64 => {
                self.xfetch(X0, s(1));
                let b = self.xm(s(2), X1);
                self.asm.fop(Fop::Mul, Float::F64, X0, b);
                self.xfetch(X1, s(3));
                self.asm.fop(Fop::Add, Float::F64, X1, X0);
                self.set_float(s(0), X1);
            }
            O::AddF64Mem | O::SubF64Mem | O::MulF64Mem => {
                if !is_i32(a[3]) {
                    return Did::Leaves;
                }
                let op = match i.op {
                    O::AddF64Mem => Fop::Add,
                    O::SubF64Mem => Fop::Sub,
                    _ => Fop::Mul,
                };
                self.xfetch(X0, s(1));
                let p = self.pointer(s(2), a[3], 8, RCX);
                self.may_fault();
                self.asm.fop(op, Float::F64, X0, Mem::at(p, a[3] as i32));
                self.set_float(s(0), X0);
            }
            O::AddF64Elem | O::MulF64Elem => {
                let op = if i.op == O::AddF64Elem {
                    Fop::Add
                } else {
                    Fop::Mul
                };
                let x = self.index(s(3), Slot(s(2) + 1), RAX);
                let m = self.element(s(2), x, 8, 0);
                self.xfetch(X0, s(1));
                self.may_fault();
                self.asm.fop(op, Float::F64, X0, m);
                self.set_float(s(0), X0);
            }
            O::SqrtF64 => {
                let x = self.xm(s(1), X1);
                let t = self.xdst(s(0), X0);
                self.asm.fop(Fop::Sqrt, Float::F64, t, x);
                self.xput(s(0), t);
            }

            O::AddC128 => self.complex(i, Fop::Add),
            O::SubC128 => self.complex(i, Fop::Sub),
            O::MulC128 => self.complex_product(i),

            // ---- Conversions.
            O::SignExtend8 => self.extend(i, Load::S8),
            O::SignExtend16 => self.extend(i, Load::S16),
            O::SignExtend32 => self.extend(i, Load::S32),
            O::ZeroExtend8 => self.extend(i, Load::U8),
            O::ZeroExtend16 => self.extend(i, Load::U16),
            O::ZeroExtend32 => self.extend(i, Load::U32),
            O::I64ToF64 => self.number_of(i, Float::F64),
            O::I64ToF32 => self.number_of(i, Float::F32),
            O::F64ToI64 | O::F64ToU32 | O::F64ToI32 => {
                let x = self.xm(s(1), X0);
                let w = if i.op == O::F64ToI32 { W32 } else { W64 };
                self.asm.to_int(Float::F64, w, RAX, x);
                match i.op {
                    O::F64ToU32 => self.asm.mov(W32, RAX, RAX),
                    O::F64ToI32 => self.asm.load(Load::S32, RAX, RAX),
                    _ => {}
                }
                self.set(s(0), RAX);
            }
            O::F64ToF32 => self.convert(i, Float::F64),
            O::F32ToF64 => self.convert(i, Float::F32),

            // ---- Comparisons to a boolean.
            O::Eq => self.compare_to(i, Cond::E, Slot(s(2))),
            O::Ne => self.compare_to(i, Cond::Ne, Slot(s(2))),
            O::Lt => self.compare_to(i, Cond::L, Slot(s(2))),
            O::Le => self.compare_to(i, Cond::Le, Slot(s(2))),
            O::LtU => self.compare_to(i, Cond::B, Slot(s(2))),
            O::LeU => self.compare_to(i, Cond::Be, Slot(s(2))),
            O::EqImm => self.compare_to(i, Cond::E, Imm(a[2])),
            O::NeImm => self.compare_to(i, Cond::Ne, Imm(a[2])),
            O::LtImm => self.compare_to(i, Cond::L, Imm(a[2])),
            O::LeImm => self.compare_to(i, Cond::Le, Imm(a[2])),
            O::GtImm => self.compare_to(i, Cond::G, Imm(a[2])),
            O::GeImm => self.compare_to(i, Cond::Ge, Imm(a[2])),
            O::EqF64 => self.float_equal_to(i, Float::F64, false),
            O::NeF64 => self.float_equal_to(i, Float::F64, true),
            O::LtF64 => self.float_less_to(i, Float::F64, Cond::A),
            O::LeF64 => self.float_less_to(i, Float::F64, Cond::Ae),
            O::EqF32 => self.float_equal_to(i, Float::F32, false),
            O::NeF32 => self.float_equal_to(i, Float::F32, true),
            O::LtF32 => self.float_less_to(i, Float::F32, Cond::A),
            O::LeF32 => self.float_less_to(i, Float::F32, Cond::Ae),

            // ---- Jumps.
            O::Jump | O::Loop => {
                self.safepoint();
                let to = self.jump_label();
                self.asm.jmp(to);
                return Did::Ends;
            }
            O::JumpIf | O::LoopIf => self.jump_int(s(0), Imm(0), Cond::Ne),
            O::JumpUnless | O::LoopUnless => self.jump_int(s(0), Imm(0), Cond::E),
            O::JumpEq | O::LoopEq => self.jump_int(s(0), Slot(s(1)), Cond::E),
            O::JumpNe | O::LoopNe => self.jump_int(s(0), Slot(s(1)), Cond::Ne),
            O::JumpLt | O::LoopLt => self.jump_int(s(0), Slot(s(1)), Cond::L),
            O::JumpLe | O::LoopLe => self.jump_int(s(0), Slot(s(1)), Cond::Le),
            O::JumpLtU | O::LoopLtU => self.jump_int(s(0), Slot(s(1)), Cond::B),
            O::JumpLeU | O::LoopLeU => self.jump_int(s(0), Slot(s(1)), Cond::Be),
            O::JumpEqImm | O::LoopEqImm => self.jump_int(s(0), Imm(a[1]), Cond::E),
            O::JumpNeImm | O::LoopNeImm => self.jump_int(s(0), Imm(a[1]), Cond::Ne),
            O::JumpLtImm | O::LoopLtImm => self.jump_int(s(0), Imm(a[1]), Cond::L),
            O::JumpLeImm | O::LoopLeImm => self.jump_int(s(0), Imm(a[1]), Cond::Le),
            O::JumpGtImm | O::LoopGtImm => self.jump_int(s(0), Imm(a[1]), Cond::G),
            O::JumpGeImm | O::LoopGeImm => self.jump_int(s(0), Imm(a[1]), Cond::Ge),
            O::JumpLtUImm | O::LoopLtUImm => self.jump_int(s(0), Imm(a[1]), Cond::B),
            O::JumpLeUImm | O::LoopLeUImm => self.jump_int(s(0), Imm(a[1]), Cond::Be),
            O::JumpGtUImm | O::LoopGtUImm => self.jump_int(s(0), Imm(a[1]), Cond::A),
            O::JumpGeUImm | O::LoopGeUImm => self.jump_int(s(0), Imm(a[1]), Cond::Ae),
            O::JumpEqConst | O::LoopEqConst | O::JumpEqType => {
                self.jump_int(s(0), Imm(a[2]), Cond::E);
            }
            O::JumpNeConst | O::LoopNeConst | O::JumpNeType => {
                self.jump_int(s(0), Imm(a[2]), Cond::Ne);
            }
            O::JumpLtConst | O::LoopLtConst => self.jump_int(s(0), Imm(a[2]), Cond::L),
            O::JumpLeConst | O::LoopLeConst => self.jump_int(s(0), Imm(a[2]), Cond::Le),
            O::JumpGtConst | O::LoopGtConst => self.jump_int(s(0), Imm(a[2]), Cond::G),
            O::JumpGeConst | O::LoopGeConst => self.jump_int(s(0), Imm(a[2]), Cond::Ge),
            O::JumpEqF64 | O::LoopEqF64 => self.jump_float_equal(i, Float::F64, false),
            O::JumpNeF64 | O::LoopNeF64 => self.jump_float_equal(i, Float::F64, true),
            O::JumpLtF64 | O::LoopLtF64 => self.jump_float(i, Float::F64, Cond::A),
            O::JumpLeF64 | O::LoopLeF64 => self.jump_float(i, Float::F64, Cond::Ae),
            O::JumpNotLtF64 | O::LoopNotLtF64 => self.jump_float(i, Float::F64, Cond::Be),
            O::JumpNotLeF64 | O::LoopNotLeF64 => self.jump_float(i, Float::F64, Cond::B),
            O::JumpEqF32 | O::LoopEqF32 => self.jump_float_equal(i, Float::F32, false),
            O::JumpNeF32 | O::LoopNeF32 => self.jump_float_equal(i, Float::F32, true),
            O::JumpLtF32 | O::LoopLtF32 => self.jump_float(i, Float::F32, Cond::A),
            O::JumpLeF32 | O::LoopLeF32 => self.jump_float(i, Float::F32, Cond::Ae),
            O::JumpNotLtF32 | O::LoopNotLtF32 => self.jump_float(i, Float::F32, Cond::Be),
            O::JumpNotLeF32 | O::LoopNotLeF32 => self.jump_float(i, Float::F32, Cond::B),

            // ---- Fused loops.
            O::IncLoopLt => self.count(s(0), Imm(1), Slot(s(1)), Cond::L),
            O::IncLoopLe => self.count(s(0), Imm(1), Slot(s(1)), Cond::Le),
            O::IncLoopLtImm => self.count(s(0), Imm(1), Imm(a[1]), Cond::L),
            O::IncLoopLeImm => self.count(s(0), Imm(1), Imm(a[1]), Cond::Le),
            O::IncLoopLtConst => self.count(s(0), Imm(1), Imm(a[2]), Cond::L),
            O::IncLoopLeConst => self.count(s(0), Imm(1), Imm(a[2]), Cond::Le),
            O::DecLoopGtImm => self.count(s(0), Imm(-1), Imm(a[1]), Cond::G),
            O::DecLoopGeImm => self.count(s(0), Imm(-1), Imm(a[1]), Cond::Ge),
            O::AddLoopLt => self.count(s(0), Slot(s(1)), Slot(s(3)), Cond::L),
            O::AddLoopLe => self.count(s(0), Slot(s(1)), Slot(s(3)), Cond::Le),

            // ---- Calls.
            O::Enter => return self.enter(i),
            O::Call => {
                self.flush();
                let back = self.header(8 * a[0] as i32);
                self.asm.constant(RDI, a[1] as u64);
                self.asm.jmp_by(code::calls() + 8 * a[1] as i32, None);
                self.returned(back, 8 * a[0] as i32);
                return Did::Calls;
            }
            O::CallClosure => return self.call_closure(i),
            O::CallIface => return self.call_iface(i),
            O::Ret => {
                self.flush_results(0);
                self.ret();
                return Did::Ends;
            }
            O::RetMov => {
                self.flush_results(1);
                let r = self.reg(s(0), RAX);
                self.asm.store(8, memory_of(0), r);
                self.ret();
                return Did::Ends;
            }
            O::RetImm => {
                self.flush_results(1);
                self.asm.store_imm(W64, memory_of(0), a[0] as i32);
                self.ret();
                return Did::Ends;
            }

            // ---- Allocation.
            O::New => {
                if !self.allocate(a[2] as usize, a[1] as u32) {
                    return Did::Leaves;
                }
                self.set(s(0), RDI);
                return Did::ComesBack;
            }
            O::MakeClosure => {
                let (size, layout) = halves(a[2]);
                if !self.allocate(size, layout as u32) {
                    return Did::Leaves;
                }
                self.asm.store_imm(W64, Mem::at(RDI, 0), a[1] as i32);
                self.set(s(0), RDI);
                return Did::ComesBack;
            }

            // ---- Appending.
            O::Push8 => return self.push(i, 1, 1, false),
            O::Push16 => return self.push(i, 2, 1, false),
            O::Push32 => return self.push(i, 4, 1, false),
            O::Push64 => return self.push(i, 8, 1, false),
            O::PushPtr => return self.push(i, 8, 1, true),
            O::PushStr | O::PushIface => return self.push(i, 8, 2, true),
            O::PushSlice => return self.push(i, 8, 3, true),
            O::SliceOfSlice if is_i32(a[3]) => self.slice_of_slice(i),
            O::SliceOfStr => self.slice_of_str(i),

            // ---- Strings.
            O::StrNext => return self.str_next(i),
            O::JumpEqStr | O::LoopEqStr => return self.jump_str(i, true),
            O::JumpNeStr | O::LoopNeStr => return self.jump_str(i, false),

            // ---- Interfaces.
            O::MakeIface => {
                let v = self.reg(s(1), RCX);
                if v != RCX {
                    self.asm.mov(W64, RCX, v);
                }
                self.set_const(s(0), a[2] as u64);
                self.set(s(0) + 1, RCX);
            }
            O::ItabType | O::IfaceToEface => self.itab_type(i),
            O::AssertTypeEface => {
                self.compare(s(0), Imm(a[1]));
                self.exit_if(Cond::Ne);
            }
            O::AssertTypeIface => {
                self.fetch(RAX, s(0));
                self.asm.constant(RCX, a[1] as u64);
                self.may_fault();
                let typ = std::mem::offset_of!(Itab, typ);
                self.asm.alu(Alu::Cmp, W64, RCX, Mem::at(RAX, typ as i32));
                self.exit_if(Cond::Ne);
            }
            _ => return Did::Leaves,
        }
        Did::Falls
    }
}

/// Do the machine's instructions hold such a stride, and such an offset?
fn is_near(stride: usize, off: usize) -> bool {
    const MOST: usize = 1 << 30;
    stride < MOST && off < MOST
}

/// Does a template copy so many bytes?
fn is_small(size: usize) -> bool {
    size.div_ceil(8) <= MOST_WORDS
}
