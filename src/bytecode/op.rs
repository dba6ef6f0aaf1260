//! The table of instructions.
//!
//! [`for_each_op!`] is the only list of opcodes: enum, operand table, encoder, disassembler, verifier and both dispatchers
//! are made from it. An entry's comment is its meaning: `R[x]` is the 8-byte slot `x` of the frame (`fp + 8*x`),
//! `R[x..+n]` are n consecutive slots, `:=` writes.
//!
//! # Encoding
//!
//! An instruction is one [`Insn`] of 8 bytes and as many extension words of 8 bytes as it has operands of kind `X…`.
//! Operands of 16 bits take the fields a, b, c in order; operands of 32 bits ([`Kind::is_wide`]) take b and c together, b the low
//! half. Jumps are relative to the address of their own instruction, in 8-byte words. Two numbers that share an extension word
//! (`a | b << 32`) are made by [`Pair`](super::pair::Pair), which holds none that does not fit.
//!
//! # Values in slots
//!
//! Booleans are 0 or 1; integers are sign- or zero-extended to 64 bits; a float32 is its bits zero-extended; a complex64 is one slot, all
//! else as in memory: strings 2 slots, slices 3, interfaces 2, complex128 2, structs and arrays their memory image.
//!
//! Spec: the whole. Go: cmd/compile/internal/ssa (opGen.go).

/// The slot number that says "no slot".
pub const NONE: u16 = 0xffff;

/// What an operand is. The number at the end of a slot kind is the number of slots; N: as many as the type or another operand says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Slots read.
    In,
    In2,
    In3,
    InN,
    /// Slots written.
    Out,
    Out2,
    Out3,
    OutN,
    /// Slots read and written.
    Upd,
    UpdN,
    /// Slots, or [`NONE`].
    OptInN,
    OptOut,
    OptOutN,
    /// The first slot of an outgoing window.
    Win,
    /// A signed number.
    Imm16,
    /// An unsigned number.
    ImmU16,
    /// A signed number in b and c.
    Imm32,
    /// A jump distance.
    Rel16,
    Rel32,
    /// Index of a function, native or layout.
    Idx32,
    /// Byte offset from fp.
    Fo32,
    /// An extension word: a number, bits, address or pair of halves.
    X,
    /// An extension word that names a slot.
    XSlot,
    /// An extension word that is a jump distance.
    XRel,
    /// An extension word that is a byte offset from fp.
    XFo,
}

impl Kind {
    /// Takes b and c together.
    pub const fn is_wide(self) -> bool {
        matches!(self, Kind::Imm32 | Kind::Rel32 | Kind::Idx32 | Kind::Fo32)
    }
    /// Takes an extension word.
    pub const fn is_ext(self) -> bool {
        matches!(self, Kind::X | Kind::XSlot | Kind::XRel | Kind::XFo)
    }
    /// Names a slot (perhaps [`NONE`]).
    pub const fn is_slot(self) -> bool {
        matches!(
            self,
            Kind::In
                | Kind::In2
                | Kind::In3
                | Kind::InN
                | Kind::Out
                | Kind::Out2
                | Kind::Out3
                | Kind::OutN
                | Kind::Upd
                | Kind::UpdN
                | Kind::OptInN
                | Kind::OptOut
                | Kind::OptOutN
                | Kind::Win
                | Kind::XSlot
        )
    }
    /// A jump distance.
    pub const fn is_rel(self) -> bool {
        matches!(self, Kind::Rel16 | Kind::Rel32 | Kind::XRel)
    }
}

/// One operand of an opcode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operand {
    pub name: &'static str,
    pub kind: Kind,
}

/// Hands the table of instructions to the macro `$consumer`.
#[macro_export]
macro_rules! for_each_op {
    ($consumer:ident) => {
        $consumer! {
            // ---- Moves and constants.
            /// Nothing.
            Nop { };
            /// R[dst] := R[src].
            Mov { dst: Out, src: In };
            /// R[dst..+2] := R[src..+2]; both are read before either is written.
            Mov2 { dst: Out2, src: In2 };
            /// R[dst..+3] := R[src..+3]; all are read before any is written.
            Mov3 { dst: Out3, src: In3 };
            /// R[dst..+n] := R[src..+n], as memmove.
            MovN { dst: OutN, src: InN, n: ImmU16 };
            /// R[dst] := imm, sign-extended.
            LoadImm { dst: Out, imm: Imm32 };
            /// R[dst] := k.
            LoadConst { dst: Out, k: X };
            /// R[dst..+2] := k0, k1: a constant string or interface.
            LoadConst2 { dst: Out2, k0: X, k1: X };
            /// R[dst] := 0.
            Zero { dst: Out };
            /// R[dst..+2] := 0.
            Zero2 { dst: Out2 };
            /// R[dst..+3] := 0.
            Zero3 { dst: Out3 };
            /// R[dst..+n] := 0.
            ZeroN { dst: OutN, n: Imm32 };
            // ---- Globals: `at` is the absolute address of the variable, which is never nil.
            /// R[dst] := *(at as *u8), extended to 64 bits.
            LdG8u { dst: Out, at: X };
            /// R[dst] := *(at as *i8), extended to 64 bits.
            LdG8s { dst: Out, at: X };
            /// R[dst] := *(at as *u16), extended to 64 bits.
            LdG16u { dst: Out, at: X };
            /// R[dst] := *(at as *i16), extended to 64 bits.
            LdG16s { dst: Out, at: X };
            /// R[dst] := *(at as *u32), extended to 64 bits.
            LdG32u { dst: Out, at: X };
            /// R[dst] := *(at as *i32), extended to 64 bits.
            LdG32s { dst: Out, at: X };
            /// R[dst] := *(at as *u64), extended to 64 bits.
            LdG64 { dst: Out, at: X };
            /// R[dst..+2] := 2 words at `at`.
            LdG2 { dst: Out2, at: X };
            /// R[dst..+3] := 3 words at `at`.
            LdG3 { dst: Out3, at: X };
            /// Copies `bytes` bytes at `at` to the frame from R[dst] on (whole words as words).
            LdGN { dst: OutN, bytes: Imm32, at: X };
            /// *at := low 8 bits of R[src].
            StG8 { src: In, at: X };
            /// *at := low 16 bits of R[src].
            StG16 { src: In, at: X };
            /// *at := low 32 bits of R[src].
            StG32 { src: In, at: X };
            /// *at := R[src], no pointer.
            StG64 { src: In, at: X };
            /// *at := the pointer R[src], by store_ptr.
            StGPtr { src: In, at: X };
            /// *at := the string R[src..+2]; its first word by store_ptr.
            StGStr { src: In2, at: X };
            /// *at := the slice R[src..+3]; its first word by store_ptr.
            StGSlice { src: In3, at: X };
            /// *at := the interface R[src..+2]; its second word by store_ptr.
            StGIface { src: In2, at: X };
            /// Copies a value from R[src..] to `at` by copy_typed; sl = size | layout << 32.
            StGTyped { src: InN, at: X, sl: X };
            // ---- Memory through a pointer. All panic (nil dereference) when R[ptr] is 0. Address: R[ptr] + off.
            /// R[dst] := *(R[ptr] + off as *u8), extended to 64 bits.
            Ld8u { dst: Out, ptr: In, off: ImmU16 };
            /// R[dst] := *(R[ptr] + off as *i8), extended to 64 bits.
            Ld8s { dst: Out, ptr: In, off: ImmU16 };
            /// R[dst] := *(R[ptr] + off as *u16), extended to 64 bits.
            Ld16u { dst: Out, ptr: In, off: ImmU16 };
            /// R[dst] := *(R[ptr] + off as *i16), extended to 64 bits.
            Ld16s { dst: Out, ptr: In, off: ImmU16 };
            /// R[dst] := *(R[ptr] + off as *u32), extended to 64 bits.
            Ld32u { dst: Out, ptr: In, off: ImmU16 };
            /// R[dst] := *(R[ptr] + off as *i32), extended to 64 bits.
            Ld32s { dst: Out, ptr: In, off: ImmU16 };
            /// R[dst] := *(R[ptr] + off as *u64), extended to 64 bits.
            Ld64 { dst: Out, ptr: In, off: ImmU16 };
            /// R[dst..+2] := 2 words at R[ptr] + off.
            Ld2 { dst: Out2, ptr: In, off: ImmU16 };
            /// R[dst..+3] := 3 words at R[ptr] + off.
            Ld3 { dst: Out3, ptr: In, off: ImmU16 };
            /// Copies `bytes` bytes at R[ptr] + off to the frame from R[dst] on (whole words as words).
            LdN { dst: OutN, ptr: In, off: ImmU16, bytes: X };
            /// *(R[ptr] + off) := low 8 bits of R[src].
            St8 { ptr: In, src: In, off: ImmU16 };
            /// *(R[ptr] + off) := low 16 bits of R[src].
            St16 { ptr: In, src: In, off: ImmU16 };
            /// *(R[ptr] + off) := low 32 bits of R[src].
            St32 { ptr: In, src: In, off: ImmU16 };
            /// *(R[ptr] + off) := R[src], no pointer.
            St64 { ptr: In, src: In, off: ImmU16 };
            /// *(R[ptr] + off) := the pointer R[src], by store_ptr.
            StPtr { ptr: In, src: In, off: ImmU16 };
            /// *(R[ptr] + off) := the string R[src..+2]; its first word by store_ptr.
            StStr { ptr: In, src: In2, off: ImmU16 };
            /// *(R[ptr] + off) := the slice R[src..+3]; its first word by store_ptr.
            StSlice { ptr: In, src: In3, off: ImmU16 };
            /// *(R[ptr] + off) := the interface R[src..+2]; its second word by store_ptr.
            StIface { ptr: In, src: In2, off: ImmU16 };
            /// Copies a value from R[src..] to R[ptr] + off by copy_typed; sl = size | layout << 32 (layout 0: no pointers).
            StTyped { ptr: In, src: InN, off: ImmU16, sl: X };
            /// Memory to memory, as memmove, by copy_typed: *R[dst] := *R[src], of any size. Either nil panics.
            CopyTyped { dst: In, src: In, layout: X, size: X };
            /// R[dst] := R[ptr] + off; nil panics.
            AddPtr { dst: Out, ptr: In, off: ImmU16 };
            /// R[dst] := R[ptr] + off; nil panics. For offsets of 64 KB and more.
            AddPtrK { dst: Out, ptr: In, off: X };
            /// Panics (nil dereference) when R[ptr] is 0.
            CheckNil { ptr: In };
            /// *(R[ptr] + off as *u64) += R[src].
            RmwAdd { ptr: In, src: In, off: ImmU16 };
            /// *(R[ptr] + off as *u64) -= R[src].
            RmwSub { ptr: In, src: In, off: ImmU16 };
            /// *(R[ptr] + off as *u64) += imm, sign-extended.
            RmwAddImm { ptr: In, imm: Imm16, off: ImmU16 };
            /// *(R[ptr] + off as *f64) += R[src].
            RmwAddF64 { ptr: In, src: In, off: ImmU16 };
            /// *(R[ptr] + off as *f64) -= R[src].
            RmwSubF64 { ptr: In, src: In, off: ImmU16 };
            // ---- Memory in the frame (fields and elements of structs and arrays). `at` counts bytes from fp.
            /// R[dst] := *(fp + at as *u8), extended to 64 bits.
            FLd8u { dst: Out, at: Fo32 };
            /// R[dst] := *(fp + at as *i8), extended to 64 bits.
            FLd8s { dst: Out, at: Fo32 };
            /// R[dst] := *(fp + at as *u16), extended to 64 bits.
            FLd16u { dst: Out, at: Fo32 };
            /// R[dst] := *(fp + at as *i16), extended to 64 bits.
            FLd16s { dst: Out, at: Fo32 };
            /// R[dst] := *(fp + at as *u32), extended to 64 bits.
            FLd32u { dst: Out, at: Fo32 };
            /// R[dst] := *(fp + at as *i32), extended to 64 bits.
            FLd32s { dst: Out, at: Fo32 };
            /// *(fp + at) := low 8 bits of R[src].
            FSt8 { src: In, at: Fo32 };
            /// *(fp + at) := low 16 bits of R[src].
            FSt16 { src: In, at: Fo32 };
            /// *(fp + at) := low 32 bits of R[src].
            FSt32 { src: In, at: Fo32 };
            /// Copies n bytes within the frame, as memmove: (fp + dst)[..n] := (fp + src)[..n]. For parts that do not begin at a slot.
            FCopy { n: ImmU16, dst: Fo32, src: XFo };
            /// Element of an array in the frame: lo = len | off << 32. Panics unless R[idx] < len (unsigned);
            /// R[dst] := (fp + 8*base + off as *u8)[R[idx]], extended.
            FIdx8u { dst: Out, base: InN, idx: In, lo: X };
            /// Element of an array in the frame: lo = len | off << 32. Panics unless R[idx] < len (unsigned);
            /// R[dst] := (fp + 8*base + off as *i8)[R[idx]], extended.
            FIdx8s { dst: Out, base: InN, idx: In, lo: X };
            /// Element of an array in the frame: lo = len | off << 32. Panics unless R[idx] < len (unsigned);
            /// R[dst] := (fp + 8*base + off as *u16)[R[idx]], extended.
            FIdx16u { dst: Out, base: InN, idx: In, lo: X };
            /// Element of an array in the frame: lo = len | off << 32. Panics unless R[idx] < len (unsigned);
            /// R[dst] := (fp + 8*base + off as *i16)[R[idx]], extended.
            FIdx16s { dst: Out, base: InN, idx: In, lo: X };
            /// Element of an array in the frame: lo = len | off << 32. Panics unless R[idx] < len (unsigned);
            /// R[dst] := (fp + 8*base + off as *u32)[R[idx]], extended.
            FIdx32u { dst: Out, base: InN, idx: In, lo: X };
            /// Element of an array in the frame: lo = len | off << 32. Panics unless R[idx] < len (unsigned);
            /// R[dst] := (fp + 8*base + off as *i32)[R[idx]], extended.
            FIdx32s { dst: Out, base: InN, idx: In, lo: X };
            /// Element of an array in the frame: lo = len | off << 32. Panics unless R[idx] < len (unsigned);
            /// R[dst] := (fp + 8*base + off as *u64)[R[idx]], extended.
            FIdx64 { dst: Out, base: InN, idx: In, lo: X };
            /// ls = len | stride << 32, os = off | size << 32. Panics unless R[idx] < len; copies `size` bytes
            /// from fp + 8*base + off + R[idx]*stride to the frame from R[dst] on.
            FIdxN { dst: OutN, base: InN, idx: In, ls: X, os: X };
            /// lo = len | off << 32. Panics unless R[idx] < len; (fp + 8*base + off)[R[idx]] := low 8 bits of R[src]; also for pointers (frames need no barrier).
            FSet8 { base: UpdN, idx: In, src: In, lo: X };
            /// lo = len | off << 32. Panics unless R[idx] < len; (fp + 8*base + off)[R[idx]] := low 16 bits of R[src]; also for pointers (frames need no barrier).
            FSet16 { base: UpdN, idx: In, src: In, lo: X };
            /// lo = len | off << 32. Panics unless R[idx] < len; (fp + 8*base + off)[R[idx]] := low 32 bits of R[src]; also for pointers (frames need no barrier).
            FSet32 { base: UpdN, idx: In, src: In, lo: X };
            /// lo = len | off << 32. Panics unless R[idx] < len; (fp + 8*base + off)[R[idx]] := R[src], no pointer; also for pointers (frames need no barrier).
            FSet64 { base: UpdN, idx: In, src: In, lo: X };
            /// ls = len | stride << 32, os = off | size << 32. Panics unless R[idx] < len; copies `size` bytes
            /// from R[src..] to fp + 8*base + off + R[idx]*stride.
            FSetN { base: UpdN, idx: In, src: InN, ls: X, os: X };
            /// Panics (index out of range [R[idx]] with length len) unless R[idx] < len, unsigned.
            CheckIdx { idx: In, len: X };
            // ---- Slices: R[s], R[s+1], R[s+2] are pointer, length, capacity. All panic (index out of range) unless R[idx] < R[s+1], unsigned.
            /// R[dst] := (R[s] as *u8)[R[idx]], extended.
            SIdx8u { dst: Out, s: In3, idx: In };
            /// R[dst] := (R[s] as *i8)[R[idx]], extended.
            SIdx8s { dst: Out, s: In3, idx: In };
            /// R[dst] := (R[s] as *u16)[R[idx]], extended.
            SIdx16u { dst: Out, s: In3, idx: In };
            /// R[dst] := (R[s] as *i16)[R[idx]], extended.
            SIdx16s { dst: Out, s: In3, idx: In };
            /// R[dst] := (R[s] as *u32)[R[idx]], extended.
            SIdx32u { dst: Out, s: In3, idx: In };
            /// R[dst] := (R[s] as *i32)[R[idx]], extended.
            SIdx32s { dst: Out, s: In3, idx: In };
            /// R[dst] := (R[s] as *u64)[R[idx]], extended.
            SIdx64 { dst: Out, s: In3, idx: In };
            /// R[dst] := ((R[s] as *[]u64)[R[i]])[R[k]]; either index panics as it would alone.
            SIdxTwice64 { dst: Out, s: In3, i: In, k: XSlot };
            /// R[dst] := ((R[s] as *[]u8)[R[i]])[R[k]]; either index panics as it would alone.
            SIdxTwice8u { dst: Out, s: In3, i: In, k: XSlot };
            /// R[dst..+2] := the 16-byte element R[idx].
            SIdx2 { dst: Out2, s: In3, idx: In };
            /// R[dst..+3] := the 24-byte element R[idx].
            SIdx3 { dst: Out3, s: In3, idx: In };
            /// so = stride | off << 32. Copies `size` bytes at R[s] + R[idx]*stride + off to the frame from R[dst] on.
            SIdxN { dst: OutN, s: In3, idx: In, so: X, size: X };
            /// so = stride | off << 32. R[dst] := *(R[s] + R[idx]*stride + off as *u64).
            SFld64 { dst: Out, s: In3, idx: In, so: X };
            /// As SFld64 with 2 words.
            SFld2 { dst: Out2, s: In3, idx: In, so: X };
            /// R[dst] := (R[s] as *u64)[i]; panics unless i < R[s+1].
            SIdx64I { dst: Out, s: In3, i: ImmU16 };
            /// R[dst] := R[s] + R[idx]*stride.
            SIdxAddr { dst: Out, s: In3, idx: In, stride: X };
            /// (R[s])[R[idx]] := low 8 bits of R[src].
            SSet8 { s: In3, idx: In, src: In };
            /// (R[s])[R[idx]] := low 16 bits of R[src].
            SSet16 { s: In3, idx: In, src: In };
            /// (R[s])[R[idx]] := low 32 bits of R[src].
            SSet32 { s: In3, idx: In, src: In };
            /// (R[s])[R[idx]] := R[src], no pointer.
            SSet64 { s: In3, idx: In, src: In };
            /// (R[s])[R[idx]] := the pointer R[src], by store_ptr.
            SSetPtr { s: In3, idx: In, src: In };
            /// (R[s])[R[idx]] := the string R[src..+2]; its first word by store_ptr.
            SSetStr { s: In3, idx: In, src: In2 };
            /// (R[s])[R[idx]] := the slice R[src..+3]; its first word by store_ptr.
            SSetSlice { s: In3, idx: In, src: In3 };
            /// (R[s])[R[idx]] := the interface R[src..+2]; its second word by store_ptr.
            SSetIface { s: In3, idx: In, src: In2 };
            /// Copies a value from R[src..] to R[s] + R[idx]*size by copy_typed; sl = size | layout << 32.
            SSetTyped { s: In3, idx: In, src: InN, sl: X };
            /// (R[s] as *u64)[i] := R[src], no pointer; panics unless i < R[s+1].
            SSet64I { s: In3, i: ImmU16, src: In };
            /// (R[s] as *u64)[R[idx]] += R[src].
            SRmwAdd { s: In3, idx: In, src: In };
            /// (R[s] as *u64)[R[idx]] -= R[src].
            SRmwSub { s: In3, idx: In, src: In };
            /// (R[s] as *u64)[R[idx]] += imm, sign-extended.
            SRmwAddImm { s: In3, idx: In, imm: Imm16 };
            /// (R[s] as *f64)[R[idx]] += R[src].
            SRmwAddF64 { s: In3, idx: In, src: In };
            /// (R[s] as *f64)[R[idx]] -= R[src].
            SRmwSubF64 { s: In3, idx: In, src: In };
            // ---- Arrays through a pointer. All panic when R[ptr] is 0 (nil dereference), then unless R[idx] < len, unsigned.
            /// R[dst] := (R[ptr] as *u8)[R[idx]], extended.
            PIdx8u { dst: Out, ptr: In, idx: In, len: X };
            /// R[dst] := (R[ptr] as *i8)[R[idx]], extended.
            PIdx8s { dst: Out, ptr: In, idx: In, len: X };
            /// R[dst] := (R[ptr] as *u16)[R[idx]], extended.
            PIdx16u { dst: Out, ptr: In, idx: In, len: X };
            /// R[dst] := (R[ptr] as *i16)[R[idx]], extended.
            PIdx16s { dst: Out, ptr: In, idx: In, len: X };
            /// R[dst] := (R[ptr] as *u32)[R[idx]], extended.
            PIdx32u { dst: Out, ptr: In, idx: In, len: X };
            /// R[dst] := (R[ptr] as *i32)[R[idx]], extended.
            PIdx32s { dst: Out, ptr: In, idx: In, len: X };
            /// R[dst] := (R[ptr] as *u64)[R[idx]], extended.
            PIdx64 { dst: Out, ptr: In, idx: In, len: X };
            /// ls = len | stride << 32, os = off | size << 32. Copies `size` bytes at R[ptr] + R[idx]*stride + off to the frame from R[dst] on.
            PIdxN { dst: OutN, ptr: In, idx: In, ls: X, os: X };
            /// R[dst] := R[ptr] + R[idx]*stride.
            PIdxAddr { dst: Out, ptr: In, idx: In, len: X, stride: X };
            /// (R[ptr])[R[idx]] := low 8 bits of R[src].
            PSet8 { ptr: In, idx: In, src: In, len: X };
            /// (R[ptr])[R[idx]] := low 16 bits of R[src].
            PSet16 { ptr: In, idx: In, src: In, len: X };
            /// (R[ptr])[R[idx]] := low 32 bits of R[src].
            PSet32 { ptr: In, idx: In, src: In, len: X };
            /// (R[ptr])[R[idx]] := R[src], no pointer.
            PSet64 { ptr: In, idx: In, src: In, len: X };
            /// (R[ptr])[R[idx]] := the pointer R[src], by store_ptr.
            PSetPtr { ptr: In, idx: In, src: In, len: X };
            /// Copies a value from R[src..] to R[ptr] + R[idx]*size by copy_typed; sl = size | layout << 32.
            PSetTyped { ptr: In, idx: In, src: InN, len: X, sl: X };
            // ---- Integer arithmetic. Slots hold narrow integers sign- or zero-extended; results are wrapped to the kind and extended again.
            /// R[dst] := R[a] + R[b], wrapping, 64 bits.
            Add { dst: Out, a: In, b: In };
            /// R[dst] := R[a] + R[b], wrapping, i32.
            AddI32 { dst: Out, a: In, b: In };
            /// R[dst] := R[a] + R[b], wrapping, u32.
            AddU32 { dst: Out, a: In, b: In };
            /// R[dst] := R[a] + R[b], wrapping, i16.
            AddI16 { dst: Out, a: In, b: In };
            /// R[dst] := R[a] + R[b], wrapping, u16.
            AddU16 { dst: Out, a: In, b: In };
            /// R[dst] := R[a] + R[b], wrapping, i8.
            AddI8 { dst: Out, a: In, b: In };
            /// R[dst] := R[a] + R[b], wrapping, u8.
            AddU8 { dst: Out, a: In, b: In };
            /// R[dst] := R[a] - R[b], wrapping, 64 bits.
            Sub { dst: Out, a: In, b: In };
            /// R[dst] := R[a] - R[b], wrapping, i32.
            SubI32 { dst: Out, a: In, b: In };
            /// R[dst] := R[a] - R[b], wrapping, u32.
            SubU32 { dst: Out, a: In, b: In };
            /// R[dst] := R[a] - R[b], wrapping, i16.
            SubI16 { dst: Out, a: In, b: In };
            /// R[dst] := R[a] - R[b], wrapping, u16.
            SubU16 { dst: Out, a: In, b: In };
            /// R[dst] := R[a] - R[b], wrapping, i8.
            SubI8 { dst: Out, a: In, b: In };
            /// R[dst] := R[a] - R[b], wrapping, u8.
            SubU8 { dst: Out, a: In, b: In };
            /// R[dst] := R[a] * R[b], wrapping, 64 bits.
            Mul { dst: Out, a: In, b: In };
            /// R[dst] := R[a] * R[b], wrapping, i32.
            MulI32 { dst: Out, a: In, b: In };
            /// R[dst] := R[a] * R[b], wrapping, u32.
            MulU32 { dst: Out, a: In, b: In };
            /// R[dst] := R[a] * R[b], wrapping, i16.
            MulI16 { dst: Out, a: In, b: In };
            /// R[dst] := R[a] * R[b], wrapping, u16.
            MulU16 { dst: Out, a: In, b: In };
            /// R[dst] := R[a] * R[b], wrapping, i8.
            MulI8 { dst: Out, a: In, b: In };
            /// R[dst] := R[a] * R[b], wrapping, u8.
            MulU8 { dst: Out, a: In, b: In };
            /// R[dst] := R[a] << R[n], 64 bits; a count of the width or more (unsigned 64 bits) gives 0.
            Shl { dst: Out, a: In, n: In };
            /// R[dst] := R[a] << R[n], i32; a count of the width or more (unsigned 64 bits) gives 0.
            ShlI32 { dst: Out, a: In, n: In };
            /// R[dst] := R[a] << R[n], u32; a count of the width or more (unsigned 64 bits) gives 0.
            ShlU32 { dst: Out, a: In, n: In };
            /// R[dst] := R[a] << R[n], i16; a count of the width or more (unsigned 64 bits) gives 0.
            ShlI16 { dst: Out, a: In, n: In };
            /// R[dst] := R[a] << R[n], u16; a count of the width or more (unsigned 64 bits) gives 0.
            ShlU16 { dst: Out, a: In, n: In };
            /// R[dst] := R[a] << R[n], i8; a count of the width or more (unsigned 64 bits) gives 0.
            ShlI8 { dst: Out, a: In, n: In };
            /// R[dst] := R[a] << R[n], u8; a count of the width or more (unsigned 64 bits) gives 0.
            ShlU8 { dst: Out, a: In, n: In };
            /// R[dst] := R[a] >> R[n], arithmetic, any kind; counts of 64 and more (unsigned) act as 63.
            ShrS { dst: Out, a: In, n: In };
            /// R[dst] := R[a] >> R[n], logical, any unsigned kind; counts of 64 and more give 0.
            ShrU { dst: Out, a: In, n: In };
            /// Panics (negative shift amount) when R[n] < 0.
            CheckShift { n: In };
            /// R[dst] := -R[a], wrapping, 64 bits.
            Neg { dst: Out, a: In };
            /// R[dst] := -R[a], wrapping, i32.
            NegI32 { dst: Out, a: In };
            /// R[dst] := -R[a], wrapping, u32.
            NegU32 { dst: Out, a: In };
            /// R[dst] := -R[a], wrapping, i16.
            NegI16 { dst: Out, a: In };
            /// R[dst] := -R[a], wrapping, u16.
            NegU16 { dst: Out, a: In };
            /// R[dst] := -R[a], wrapping, i8.
            NegI8 { dst: Out, a: In };
            /// R[dst] := -R[a], wrapping, u8.
            NegU8 { dst: Out, a: In };
            /// R[dst] := ^R[a], 64 bits and all signed kinds.
            Not { dst: Out, a: In };
            /// R[dst] := ^R[a], u32.
            NotU32 { dst: Out, a: In };
            /// R[dst] := ^R[a], u16.
            NotU16 { dst: Out, a: In };
            /// R[dst] := ^R[a], u8.
            NotU8 { dst: Out, a: In };
            /// R[dst] := !R[a], booleans (0 or 1).
            NotB { dst: Out, a: In };
            /// R[dst] := R[a] / R[b], truncated, i64; by zero panics (integer divide by zero); MIN / -1 = MIN.
            DivS { dst: Out, a: In, b: In };
            /// R[dst] := R[a] / R[b], truncated, i32; by zero panics (integer divide by zero); MIN / -1 = MIN.
            DivSI32 { dst: Out, a: In, b: In };
            /// R[dst] := R[a] / R[b], truncated, i16; by zero panics (integer divide by zero); MIN / -1 = MIN.
            DivSI16 { dst: Out, a: In, b: In };
            /// R[dst] := R[a] / R[b], truncated, i8; by zero panics (integer divide by zero); MIN / -1 = MIN.
            DivSI8 { dst: Out, a: In, b: In };
            /// R[dst] := R[a] / R[b], any unsigned kind; by zero panics.
            DivU { dst: Out, a: In, b: In };
            /// R[dst] := R[a] % R[b], sign of R[a], any signed kind; by zero panics; by -1 gives 0.
            RemS { dst: Out, a: In, b: In };
            /// R[dst] := R[a] % R[b], any unsigned kind; by zero panics.
            RemU { dst: Out, a: In, b: In };
            /// R[dst] := R[a] & R[b], any kind.
            And { dst: Out, a: In, b: In };
            /// R[dst] := R[a] | R[b], any kind.
            Or { dst: Out, a: In, b: In };
            /// R[dst] := R[a] ^ R[b], any kind.
            Xor { dst: Out, a: In, b: In };
            /// R[dst] := R[a] &^ R[b], any kind.
            AndNot { dst: Out, a: In, b: In };
            /// R[dst] := R[a] + imm (sign-extended), wrapping, 64 bits.
            AddImm { dst: Out, a: In, imm: Imm16 };
            /// R[dst] := R[a] + imm (sign-extended), wrapping, i32.
            AddImmI32 { dst: Out, a: In, imm: Imm16 };
            /// R[dst] := R[a] + imm (sign-extended), wrapping, u32.
            AddImmU32 { dst: Out, a: In, imm: Imm16 };
            /// R[dst] := R[a] + imm (sign-extended), wrapping, i16.
            AddImmI16 { dst: Out, a: In, imm: Imm16 };
            /// R[dst] := R[a] + imm (sign-extended), wrapping, u16.
            AddImmU16 { dst: Out, a: In, imm: Imm16 };
            /// R[dst] := R[a] + imm (sign-extended), wrapping, i8.
            AddImmI8 { dst: Out, a: In, imm: Imm16 };
            /// R[dst] := R[a] + imm (sign-extended), wrapping, u8.
            AddImmU8 { dst: Out, a: In, imm: Imm16 };
            /// R[dst] := R[a] * imm (sign-extended), wrapping, 64 bits.
            MulImm { dst: Out, a: In, imm: Imm16 };
            /// R[dst] := R[a] * imm (sign-extended), wrapping, i32.
            MulImmI32 { dst: Out, a: In, imm: Imm16 };
            /// R[dst] := R[a] * imm (sign-extended), wrapping, u32.
            MulImmU32 { dst: Out, a: In, imm: Imm16 };
            /// R[dst] := R[a] << n, 64 bits; n is below the width.
            ShlImm { dst: Out, a: In, n: ImmU16 };
            /// R[dst] := R[a] << n, i32; n is below the width.
            ShlImmI32 { dst: Out, a: In, n: ImmU16 };
            /// R[dst] := R[a] << n, u32; n is below the width.
            ShlImmU32 { dst: Out, a: In, n: ImmU16 };
            /// R[dst] := R[a] << n, i16; n is below the width.
            ShlImmI16 { dst: Out, a: In, n: ImmU16 };
            /// R[dst] := R[a] << n, u16; n is below the width.
            ShlImmU16 { dst: Out, a: In, n: ImmU16 };
            /// R[dst] := R[a] << n, i8; n is below the width.
            ShlImmI8 { dst: Out, a: In, n: ImmU16 };
            /// R[dst] := R[a] << n, u8; n is below the width.
            ShlImmU8 { dst: Out, a: In, n: ImmU16 };
            /// R[dst] := R[a] >> n, arithmetic, any signed kind; n < 64.
            ShrSImm { dst: Out, a: In, n: ImmU16 };
            /// R[dst] := R[a] >> n, logical, any unsigned kind; n < 64.
            ShrUImm { dst: Out, a: In, n: ImmU16 };
            /// R[dst] := R[a] & imm (sign-extended), any kind.
            AndImm { dst: Out, a: In, imm: Imm16 };
            /// R[dst] := R[a] | imm (sign-extended), any kind.
            OrImm { dst: Out, a: In, imm: Imm16 };
            /// R[dst] := R[a] ^ imm (sign-extended), any kind.
            XorImm { dst: Out, a: In, imm: Imm16 };
            /// R[dst] := R[a] / imm, any signed kind; imm is neither 0 nor -1.
            DivSImm { dst: Out, a: In, imm: Imm16 };
            /// R[dst] := R[a] % imm, any signed kind; imm is neither 0 nor -1.
            RemSImm { dst: Out, a: In, imm: Imm16 };
            /// R[dst] := R[a] / imm, any unsigned kind; imm is not 0.
            DivUImm { dst: Out, a: In, imm: ImmU16 };
            /// R[dst] := R[a] % imm, any unsigned kind; imm is not 0.
            RemUImm { dst: Out, a: In, imm: ImmU16 };
            /// R[dst] := R[a] / 2^n, truncated, any signed kind; n is 1 to 62.
            DivPow2 { dst: Out, a: In, n: ImmU16 };
            /// R[dst] := R[a] % 2^n, sign of R[a], any signed kind; n is 1 to 62.
            RemPow2 { dst: Out, a: In, n: ImmU16 };
            /// R[dst] := R[a] rotated left by n bits, 64 bits.
            RotlImm { dst: Out, a: In, n: ImmU16 };
            /// R[dst] := R[a] rotated left by n bits, u32.
            RotlImmU32 { dst: Out, a: In, n: ImmU16 };
            /// R[dst] := R[a] + *(R[ptr] + off as *u64), wrapping; nil panics.
            AddM { dst: Out, a: In, ptr: In, off: X };
            /// R[dst] := R[a] + (R[s] as *u64)[R[idx]], wrapping; panics unless R[idx] < R[s+1].
            AddS { dst: Out, a: In, s: In3, idx: XSlot };
            /// R[dst] := R[a] + k, wrapping, 64 bits.
            AddK { dst: Out, a: In, k: X };
            /// R[dst] := R[a] + k, wrapping, i32.
            AddKI32 { dst: Out, a: In, k: X };
            /// R[dst] := R[a] + k, wrapping, u32.
            AddKU32 { dst: Out, a: In, k: X };
            /// R[dst] := R[a] * k, wrapping, 64 bits.
            MulK { dst: Out, a: In, k: X };
            /// R[dst] := R[a] * k, wrapping, i32.
            MulKI32 { dst: Out, a: In, k: X };
            /// R[dst] := R[a] * k, wrapping, u32.
            MulKU32 { dst: Out, a: In, k: X };
            /// R[dst] := R[a] & k, any kind.
            AndK { dst: Out, a: In, k: X };
            /// R[dst] := R[a] | k, any kind.
            OrK { dst: Out, a: In, k: X };
            /// R[dst] := R[a] ^ k, any kind.
            XorK { dst: Out, a: In, k: X };
            /// R[dst] := the smaller, signed.
            MinS { dst: Out, a: In, b: In };
            /// R[dst] := the larger, signed.
            MaxS { dst: Out, a: In, b: In };
            /// R[dst] := the smaller, unsigned.
            MinU { dst: Out, a: In, b: In };
            /// R[dst] := the larger, unsigned.
            MaxU { dst: Out, a: In, b: In };
            // ---- Floating point. float64: the bits; float32: the bits zero-extended. Never fused multiply-add.
            /// R[dst] := R[a] + R[b], f64.
            AddF64 { dst: Out, a: In, b: In };
            /// R[dst] := R[a] - R[b], f64.
            SubF64 { dst: Out, a: In, b: In };
            /// R[dst] := R[a] * R[b], f64.
            MulF64 { dst: Out, a: In, b: In };
            /// R[dst] := R[a] / R[b], f64.
            DivF64 { dst: Out, a: In, b: In };
            /// R[dst] := -R[a], f64 (flips the sign bit).
            NegF64 { dst: Out, a: In };
            /// Spec: min: NaN if either is; -0 < +0.
            MinF64 { dst: Out, a: In, b: In };
            /// Spec: max: NaN if either is; -0 < +0.
            MaxF64 { dst: Out, a: In, b: In };
            /// R[dst] := R[a] + R[b], f32.
            AddF32 { dst: Out, a: In, b: In };
            /// R[dst] := R[a] - R[b], f32.
            SubF32 { dst: Out, a: In, b: In };
            /// R[dst] := R[a] * R[b], f32.
            MulF32 { dst: Out, a: In, b: In };
            /// R[dst] := R[a] / R[b], f32.
            DivF32 { dst: Out, a: In, b: In };
            /// R[dst] := -R[a], f32 (flips the sign bit).
            NegF32 { dst: Out, a: In };
            /// Spec: min: NaN if either is; -0 < +0.
            MinF32 { dst: Out, a: In, b: In };
            /// Spec: max: NaN if either is; -0 < +0.
            MaxF32 { dst: Out, a: In, b: In };
            /// R[dst] := R[a] + k, f64; k holds its bits.
            AddF64K { dst: Out, a: In, k: X };
            /// R[dst] := R[a] * k, f64; k holds its bits.
            MulF64K { dst: Out, a: In, k: X };
            /// R[dst] := R[a] / k, f64; k holds its bits.
            DivF64K { dst: Out, a: In, k: X };
            /// R[dst] := k - R[a], f64; k holds its bits.
            RSubF64K { dst: Out, a: In, k: X };
            /// R[dst] := k / R[a], f64; k holds its bits.
            RDivF64K { dst: Out, a: In, k: X };
            /// R[dst] := R[c] + R[a] * R[b], f64, rounded twice.
            MulAddF64 { dst: Out, a: In, b: In, c: XSlot };
            /// R[dst] := R[a] + *(R[ptr] + off as *f64); nil panics.
            AddF64M { dst: Out, a: In, ptr: In, off: X };
            /// R[dst] := R[a] - *(R[ptr] + off as *f64); nil panics.
            SubF64M { dst: Out, a: In, ptr: In, off: X };
            /// R[dst] := R[a] * *(R[ptr] + off as *f64); nil panics.
            MulF64M { dst: Out, a: In, ptr: In, off: X };
            /// R[dst] := R[a] + (R[s] as *f64)[R[idx]]; panics unless R[idx] < R[s+1].
            AddF64S { dst: Out, a: In, s: In3, idx: XSlot };
            /// R[dst] := R[a] * (R[s] as *f64)[R[idx]]; panics unless R[idx] < R[s+1].
            MulF64S { dst: Out, a: In, s: In3, idx: XSlot };
            /// R[dst] := square root, f64.
            SqrtF64 { dst: Out, a: In };
            /// R[dst] := R[a] with the sign bit cleared.
            AbsF64 { dst: Out, a: In };
            /// R[dst] := the greatest integral value not above R[a].
            FloorF64 { dst: Out, a: In };
            // ---- Complex. complex128: two slots (re, im); complex64: one slot, re in the low half.
            /// R[dst..+2] := R[a..+2] + R[b..+2].
            AddC128 { dst: Out2, a: In2, b: In2 };
            /// R[dst] := R[a] + R[b], complex64.
            AddC64 { dst: Out, a: In, b: In };
            /// R[dst..+2] := R[a..+2] - R[b..+2].
            SubC128 { dst: Out2, a: In2, b: In2 };
            /// R[dst] := R[a] - R[b], complex64.
            SubC64 { dst: Out, a: In, b: In };
            /// R[dst..+2] := R[a..+2] * R[b..+2].
            MulC128 { dst: Out2, a: In2, b: In2 };
            /// R[dst] := R[a] * R[b], complex64, computed in complex128.
            MulC64 { dst: Out, a: In, b: In };
            /// R[dst..+2] := R[a..+2] / R[b..+2] as Go's complex128 division (infinities and NaN: runtime/complex.go).
            DivC128 { dst: Out2, a: In2, b: In2 };
            /// R[dst] := R[a] / R[b], complex64, computed in complex128.
            DivC64 { dst: Out, a: In, b: In };
            /// R[dst..+2] := -R[a..+2].
            NegC128 { dst: Out2, a: In2 };
            /// R[dst] := -R[a], complex64.
            NegC64 { dst: Out, a: In };
            /// R[dst] := both parts equal.
            EqC128 { dst: Out, a: In2, b: In2 };
            /// R[dst] := both parts equal, complex64.
            EqC64 { dst: Out, a: In, b: In };
            /// R[dst..+2] := complex128(R[a]).
            C64to128 { dst: Out2, a: In };
            /// R[dst] := complex64(R[a..+2]).
            C128to64 { dst: Out, a: In2 };
            /// R[dst] := complex(R[re], R[im]) of two float32.
            MkC64 { dst: Out, re: In, im: In };
            /// R[dst] := real part, float32.
            ReC64 { dst: Out, a: In };
            /// R[dst] := imaginary part, float32.
            ImC64 { dst: Out, a: In };
            // ---- Conversions.
            /// R[dst] := R[a] as i8, extended.
            Sx8 { dst: Out, a: In };
            /// R[dst] := R[a] as i16, extended.
            Sx16 { dst: Out, a: In };
            /// R[dst] := R[a] as i32, extended.
            Sx32 { dst: Out, a: In };
            /// R[dst] := R[a] as u8, extended.
            Zx8 { dst: Out, a: In };
            /// R[dst] := R[a] as u16, extended.
            Zx16 { dst: Out, a: In };
            /// R[dst] := R[a] as u32, extended.
            Zx32 { dst: Out, a: In };
            /// R[dst] := float64(int64 R[a]).
            I64toF64 { dst: Out, a: In };
            /// R[dst] := float64(uint64 R[a]).
            U64toF64 { dst: Out, a: In };
            /// R[dst] := float32(int64 R[a]), rounded once.
            I64toF32 { dst: Out, a: In };
            /// R[dst] := float32(uint64 R[a]), rounded once.
            U64toF32 { dst: Out, a: In };
            /// R[dst] := int64(float64 R[a]); out of range as Go on amd64.
            F64toI64 { dst: Out, a: In };
            /// R[dst] := int32(float64 R[a]), sign-extended; out of range as Go on amd64. (int8, int16: followed by Sx8, Sx16.)
            F64toI32 { dst: Out, a: In };
            /// R[dst] := uint64(float64 R[a]); out of range as Go on amd64.
            F64toU64 { dst: Out, a: In };
            /// R[dst] := uint32(float64 R[a]), zero-extended; out of range as Go on amd64. (uint8, uint16: followed by Zx8, Zx16.)
            F64toU32 { dst: Out, a: In };
            /// R[dst] := float32(R[a]).
            F64toF32 { dst: Out, a: In };
            /// R[dst] := float64(float32 R[a]).
            F32toF64 { dst: Out, a: In };
            // ---- Comparisons to a boolean (0 or 1).
            /// R[dst] := R[a] == R[b].
            Eq { dst: Out, a: In, b: In };
            /// R[dst] := R[a] != R[b].
            Ne { dst: Out, a: In, b: In };
            /// R[dst] := R[a] < R[b], signed.
            Lt { dst: Out, a: In, b: In };
            /// R[dst] := R[a] <= R[b], signed.
            Le { dst: Out, a: In, b: In };
            /// R[dst] := R[a] < R[b], unsigned.
            LtU { dst: Out, a: In, b: In };
            /// R[dst] := R[a] <= R[b], unsigned.
            LeU { dst: Out, a: In, b: In };
            /// R[dst] := R[a] == imm, signed.
            EqImm { dst: Out, a: In, imm: Imm16 };
            /// R[dst] := R[a] != imm, signed.
            NeImm { dst: Out, a: In, imm: Imm16 };
            /// R[dst] := R[a] < imm, signed.
            LtImm { dst: Out, a: In, imm: Imm16 };
            /// R[dst] := R[a] <= imm, signed.
            LeImm { dst: Out, a: In, imm: Imm16 };
            /// R[dst] := R[a] > imm, signed.
            GtImm { dst: Out, a: In, imm: Imm16 };
            /// R[dst] := R[a] >= imm, signed.
            GeImm { dst: Out, a: In, imm: Imm16 };
            /// R[dst] := R[a] == R[b], f64.
            EqF64 { dst: Out, a: In, b: In };
            /// R[dst] := R[a] != R[b], f64.
            NeF64 { dst: Out, a: In, b: In };
            /// R[dst] := R[a] < R[b], f64.
            LtF64 { dst: Out, a: In, b: In };
            /// R[dst] := R[a] <= R[b], f64.
            LeF64 { dst: Out, a: In, b: In };
            /// R[dst] := R[a] == R[b], f32.
            EqF32 { dst: Out, a: In, b: In };
            /// R[dst] := R[a] != R[b], f32.
            NeF32 { dst: Out, a: In, b: In };
            /// R[dst] := R[a] < R[b], f32.
            LtF32 { dst: Out, a: In, b: In };
            /// R[dst] := R[a] <= R[b], f32.
            LeF32 { dst: Out, a: In, b: In };
            /// R[dst] := R[a..+2] == R[b..+2], strings.
            EqStr { dst: Out, a: In2, b: In2 };
            /// R[dst] := R[a..+2] != R[b..+2], strings.
            NeStr { dst: Out, a: In2, b: In2 };
            /// R[dst] := R[a..+2] < R[b..+2], strings.
            LtStr { dst: Out, a: In2, b: In2 };
            /// R[dst] := R[a..+2] <= R[b..+2], strings.
            LeStr { dst: Out, a: In2, b: In2 };
            /// R[dst] := two values of type any are equal; panics (comparing uncomparable type T).
            EqEface { dst: Out, a: In2, b: In2 };
            /// The same for two non-empty interfaces (first words: itabs of whatever interface, or 0).
            EqIface { dst: Out, a: In2, b: In2 };
            /// R[dst] := two values of `typ` (*const Rtype: a struct or array) with memory layout in the frame are equal; may panic.
            EqTyped { dst: Out, a: InN, b: InN, typ: X };
            /// R[dst] := two values of `typ` in memory, at R[a] and R[b], are equal; may panic.
            EqMem { dst: Out, a: In, b: In, typ: X };
            // ---- Jumps. `by` counts words from this instruction. Each J form is followed by its L form: the same for backward jumps, a safepoint when taken (reads g.loop_guard).
            /// pc += by, forward.
            Jump { by: Rel32 };
            /// pc += by, backward; safepoint.
            Loop { by: Rel32 };
            /// If R[a] != 0: pc += by.
            JT { a: In, by: Rel32 };
            /// If R[a] != 0: pc += by, backward; safepoint.
            LT { a: In, by: Rel32 };
            /// If R[a] == 0: pc += by.
            JF { a: In, by: Rel32 };
            /// If R[a] == 0: pc += by, backward; safepoint.
            LF { a: In, by: Rel32 };
            /// If R[a] == R[b]: pc += by.
            JEq { a: In, b: In, by: Rel16 };
            /// If R[a] == R[b]: pc += by, backward; safepoint.
            LEq { a: In, b: In, by: Rel16 };
            /// If R[a] != R[b]: pc += by.
            JNe { a: In, b: In, by: Rel16 };
            /// If R[a] != R[b]: pc += by, backward; safepoint.
            LNe { a: In, b: In, by: Rel16 };
            /// If R[a] < R[b] (signed): pc += by.
            JLt { a: In, b: In, by: Rel16 };
            /// If R[a] < R[b] (signed): pc += by, backward; safepoint.
            LLt { a: In, b: In, by: Rel16 };
            /// If R[a] <= R[b] (signed): pc += by.
            JLe { a: In, b: In, by: Rel16 };
            /// If R[a] <= R[b] (signed): pc += by, backward; safepoint.
            LLe { a: In, b: In, by: Rel16 };
            /// If R[a] < R[b] (unsigned): pc += by.
            JLtU { a: In, b: In, by: Rel16 };
            /// If R[a] < R[b] (unsigned): pc += by, backward; safepoint.
            LLtU { a: In, b: In, by: Rel16 };
            /// If R[a] <= R[b] (unsigned): pc += by.
            JLeU { a: In, b: In, by: Rel16 };
            /// If R[a] <= R[b] (unsigned): pc += by, backward; safepoint.
            LLeU { a: In, b: In, by: Rel16 };
            /// If R[a] == imm (signed): pc += by.
            JEqImm { a: In, imm: Imm16, by: Rel16 };
            /// If R[a] == imm (signed): pc += by, backward; safepoint.
            LEqImm { a: In, imm: Imm16, by: Rel16 };
            /// If R[a] != imm (signed): pc += by.
            JNeImm { a: In, imm: Imm16, by: Rel16 };
            /// If R[a] != imm (signed): pc += by, backward; safepoint.
            LNeImm { a: In, imm: Imm16, by: Rel16 };
            /// If R[a] < imm (signed): pc += by.
            JLtImm { a: In, imm: Imm16, by: Rel16 };
            /// If R[a] < imm (signed): pc += by, backward; safepoint.
            LLtImm { a: In, imm: Imm16, by: Rel16 };
            /// If R[a] <= imm (signed): pc += by.
            JLeImm { a: In, imm: Imm16, by: Rel16 };
            /// If R[a] <= imm (signed): pc += by, backward; safepoint.
            LLeImm { a: In, imm: Imm16, by: Rel16 };
            /// If R[a] > imm (signed): pc += by.
            JGtImm { a: In, imm: Imm16, by: Rel16 };
            /// If R[a] > imm (signed): pc += by, backward; safepoint.
            LGtImm { a: In, imm: Imm16, by: Rel16 };
            /// If R[a] >= imm (signed): pc += by.
            JGeImm { a: In, imm: Imm16, by: Rel16 };
            /// If R[a] >= imm (signed): pc += by, backward; safepoint.
            LGeImm { a: In, imm: Imm16, by: Rel16 };
            /// If R[a] < imm (unsigned): pc += by.
            JLtUImm { a: In, imm: ImmU16, by: Rel16 };
            /// If R[a] < imm (unsigned): pc += by, backward; safepoint.
            LLtUImm { a: In, imm: ImmU16, by: Rel16 };
            /// If R[a] <= imm (unsigned): pc += by.
            JLeUImm { a: In, imm: ImmU16, by: Rel16 };
            /// If R[a] <= imm (unsigned): pc += by, backward; safepoint.
            LLeUImm { a: In, imm: ImmU16, by: Rel16 };
            /// If R[a] > imm (unsigned): pc += by.
            JGtUImm { a: In, imm: ImmU16, by: Rel16 };
            /// If R[a] > imm (unsigned): pc += by, backward; safepoint.
            LGtUImm { a: In, imm: ImmU16, by: Rel16 };
            /// If R[a] >= imm (unsigned): pc += by.
            JGeUImm { a: In, imm: ImmU16, by: Rel16 };
            /// If R[a] >= imm (unsigned): pc += by, backward; safepoint.
            LGeUImm { a: In, imm: ImmU16, by: Rel16 };
            /// If R[a] == k: pc += by.
            JEqK { a: In, by: Rel32, k: X };
            /// If R[a] == k: pc += by, backward; safepoint.
            LEqK { a: In, by: Rel32, k: X };
            /// If R[a] != k: pc += by.
            JNeK { a: In, by: Rel32, k: X };
            /// If R[a] != k: pc += by, backward; safepoint.
            LNeK { a: In, by: Rel32, k: X };
            /// If R[a] < k (signed): pc += by.
            JLtK { a: In, by: Rel32, k: X };
            /// If R[a] < k (signed): pc += by, backward; safepoint.
            LLtK { a: In, by: Rel32, k: X };
            /// If R[a] <= k (signed): pc += by.
            JLeK { a: In, by: Rel32, k: X };
            /// If R[a] <= k (signed): pc += by, backward; safepoint.
            LLeK { a: In, by: Rel32, k: X };
            /// If R[a] > k (signed): pc += by.
            JGtK { a: In, by: Rel32, k: X };
            /// If R[a] > k (signed): pc += by, backward; safepoint.
            LGtK { a: In, by: Rel32, k: X };
            /// If R[a] >= k (signed): pc += by.
            JGeK { a: In, by: Rel32, k: X };
            /// If R[a] >= k (signed): pc += by, backward; safepoint.
            LGeK { a: In, by: Rel32, k: X };
            /// If R[a] == R[b] (f64): pc += by.
            JEqF64 { a: In, b: In, by: Rel16 };
            /// If R[a] == R[b] (f64): pc += by, backward; safepoint.
            LEqF64 { a: In, b: In, by: Rel16 };
            /// If R[a] != R[b] (f64): pc += by.
            JNeF64 { a: In, b: In, by: Rel16 };
            /// If R[a] != R[b] (f64): pc += by, backward; safepoint.
            LNeF64 { a: In, b: In, by: Rel16 };
            /// If R[a] < R[b] (f64): pc += by.
            JLtF64 { a: In, b: In, by: Rel16 };
            /// If R[a] < R[b] (f64): pc += by, backward; safepoint.
            LLtF64 { a: In, b: In, by: Rel16 };
            /// If R[a] <= R[b] (f64): pc += by.
            JLeF64 { a: In, b: In, by: Rel16 };
            /// If R[a] <= R[b] (f64): pc += by, backward; safepoint.
            LLeF64 { a: In, b: In, by: Rel16 };
            /// If not R[a] < R[b] (f64): pc += by.
            JNLtF64 { a: In, b: In, by: Rel16 };
            /// If not R[a] < R[b] (f64): pc += by, backward; safepoint.
            LNLtF64 { a: In, b: In, by: Rel16 };
            /// If not R[a] <= R[b] (f64): pc += by.
            JNLeF64 { a: In, b: In, by: Rel16 };
            /// If not R[a] <= R[b] (f64): pc += by, backward; safepoint.
            LNLeF64 { a: In, b: In, by: Rel16 };
            /// If R[a] == R[b] (f32): pc += by.
            JEqF32 { a: In, b: In, by: Rel16 };
            /// If R[a] == R[b] (f32): pc += by, backward; safepoint.
            LEqF32 { a: In, b: In, by: Rel16 };
            /// If R[a] != R[b] (f32): pc += by.
            JNeF32 { a: In, b: In, by: Rel16 };
            /// If R[a] != R[b] (f32): pc += by, backward; safepoint.
            LNeF32 { a: In, b: In, by: Rel16 };
            /// If R[a] < R[b] (f32): pc += by.
            JLtF32 { a: In, b: In, by: Rel16 };
            /// If R[a] < R[b] (f32): pc += by, backward; safepoint.
            LLtF32 { a: In, b: In, by: Rel16 };
            /// If R[a] <= R[b] (f32): pc += by.
            JLeF32 { a: In, b: In, by: Rel16 };
            /// If R[a] <= R[b] (f32): pc += by, backward; safepoint.
            LLeF32 { a: In, b: In, by: Rel16 };
            /// If not R[a] < R[b] (f32): pc += by.
            JNLtF32 { a: In, b: In, by: Rel16 };
            /// If not R[a] < R[b] (f32): pc += by, backward; safepoint.
            LNLtF32 { a: In, b: In, by: Rel16 };
            /// If not R[a] <= R[b] (f32): pc += by.
            JNLeF32 { a: In, b: In, by: Rel16 };
            /// If not R[a] <= R[b] (f32): pc += by, backward; safepoint.
            LNLeF32 { a: In, b: In, by: Rel16 };
            /// If R[a..+2] == R[b..+2], strings: pc += by.
            JEqStr { a: In2, b: In2, by: Rel16 };
            /// If R[a..+2] == R[b..+2], strings: pc += by, backward; safepoint.
            LEqStr { a: In2, b: In2, by: Rel16 };
            /// If R[a..+2] != R[b..+2], strings: pc += by.
            JNeStr { a: In2, b: In2, by: Rel16 };
            /// If R[a..+2] != R[b..+2], strings: pc += by, backward; safepoint.
            LNeStr { a: In2, b: In2, by: Rel16 };
            /// R[i] += 1; if R[i] < R[n] (signed): pc += by, backward; safepoint.
            IncLLt { i: Upd, n: In, by: Rel16 };
            /// R[i] += 1; if R[i] <= R[n] (signed): pc += by, backward; safepoint.
            IncLLe { i: Upd, n: In, by: Rel16 };
            /// R[i] += 1; if R[i] < imm (signed): pc += by, backward; safepoint.
            IncLLtImm { i: Upd, imm: Imm16, by: Rel16 };
            /// R[i] += 1; if R[i] <= imm (signed): pc += by, backward; safepoint.
            IncLLeImm { i: Upd, imm: Imm16, by: Rel16 };
            /// R[i] += 1; if R[i] < k (signed): pc += by, backward; safepoint.
            IncLLtK { i: Upd, by: Rel32, k: X };
            /// R[i] += 1; if R[i] <= k (signed): pc += by, backward; safepoint.
            IncLLeK { i: Upd, by: Rel32, k: X };
            /// R[i] -= 1; if R[i] > imm (signed): pc += by, backward; safepoint.
            DecLGtImm { i: Upd, imm: Imm16, by: Rel16 };
            /// R[i] -= 1; if R[i] >= imm (signed): pc += by, backward; safepoint.
            DecLGeImm { i: Upd, imm: Imm16, by: Rel16 };
            /// R[i] += R[step]; if R[i] < R[n] (signed): pc += by, backward; safepoint.
            AddLLt { i: Upd, step: In, by: Rel16, n: XSlot };
            /// R[i] += R[step]; if R[i] <= R[n] (signed): pc += by, backward; safepoint.
            AddLLe { i: Upd, step: In, by: Rel16, n: XSlot };
            // ---- Calls. A window begins `win` slots above fp: results, parameters, closure word as `abi` lays them; its header is the two slots below.
            /// Prologue: unless fp + 8*frame is above g.stackguard0, go on; else leave (grow the stack or yield), and do this instruction again.
            /// Then R[first..+n] := 0. `frame` includes the largest window and its header.
            Enter { frame: ImmU16, first: ImmU16, n: ImmU16 };
            /// fp[win-1] := address of the next instruction, fp[win-2] := 8*win, fp += 8*win, pc := functions[func].entry.
            Call { win: Win, func: Idx32 };
            /// Calls the func value R[clo] (*{func index: u64, captures…}; nil panics): R[win+cw] := R[clo] (its closure word), then as Call.
            CallClo { win: Win, clo: In, cw: ImmU16 };
            /// Calls method m of the non-empty interface R[iface..+2] (itab 0 panics): R[win+recv] := data word, then as Call of itab.funcs[m].
            CallIface { win: Win, iface: In2, m: ImmU16, recv: X };
            /// Locks the sync.Mutex at R[ptr] and pc += by, past the native that waits for it, if it is free; else goes on. Nil panics.
            LockJump { ptr: In, by: Rel32 };
            /// Unlocks the sync.Mutex at R[ptr]; pc += by, past the native that wakes who must be woken, if there is nobody; else goes on. Nil panics.
            UnlockJump { ptr: In, by: Rel32 };
            /// Calls the native function with the window at fp + 8*win. It may park; the results are in the window at the next instruction.
            CallNative { win: Win, native: Idx32 };
            /// pc := fp[-1], fp -= fp[-2].
            Ret { };
            /// R[0] := R[src]; then as Ret.
            RetMov { src: In };
            /// R[0] := imm, sign-extended; then as Ret. (imm in b, c.)
            RetImm { imm: Imm32 };
            /// Starts a goroutine that calls the func value R[clo], which has no parameters and results (nil: fatal error, go of nil func value).
            Go { clo: In };
            /// Pushes a defer record for this frame: func value R[clo] without parameters and results (nil panics when run).
            Defer { clo: In };
            /// Runs and pops this frame's newest defer record: its func value is called with the window at `win` (the closure word is slot 0) and
            /// this instruction as resume pc; when there is no record left, goes on.
            RunDefers { win: Win };
            /// panic(R[v..+2]), a value of type any (nil: *runtime.PanicNilError).
            Panic { v: In2 };
            /// R[dst..+2] := recover(). The caller of this function must be the stub that runs deferred calls (wrappers skipped).
            Recover { dst: Out2 };
            /// Only at `defer_return`: nothing; marks where a recovered frame goes on. (Boxed results are copied by the ordinary instructions after it.)
            CopyResults { };
            /// Never executed: throw.
            Unreachable { };
            /// The pc a goroutine's first function returns to: the G is done.
            StubGoexit { };
            /// The pc to which a function called by a native returns: leaves the nested run.
            StubNativeReturn { };
            /// The pc to which a deferred call run by a panic or Goexit returns: takes the next record.
            StubPanicReturn { };
            // ---- Allocation. Never a safepoint.
            /// R[dst] := a zeroed heap object of any size.
            New { dst: Out, layout: Idx32, size: X };
            /// R[dst] := a zeroed heap object of sl = size | layout << 32 whose first word is func. Captures are stored by the instructions that follow.
            MakeClo { dst: Out, func: Idx32, sl: X };
            /// R[dst..+3] := make([]E, R[len], R[len+1]), elem = *const Rtype of E; panics (makeslice: len out of range, makeslice: cap out of range).
            MakeSlice { dst: Out3, len: In2, elem: X };
            /// R[dst] := make(M, R[hint]), typ = *const Rtype of the map type.
            MakeMap { dst: Out, hint: In, typ: X };
            /// R[dst] := make(C, R[size]), typ = *const Rtype of the channel type; panics (makechan: size out of range).
            MakeChan { dst: Out, size: In, typ: X };
            /// R[dst..+3] := append(R[s..+3], v): low 8 bits of R[v]. elem = *const Rtype.
            Push8 { dst: Out3, s: In3, v: In, elem: X };
            /// R[dst..+3] := append(R[s..+3], v): low 16 bits of R[v]. elem = *const Rtype.
            Push16 { dst: Out3, s: In3, v: In, elem: X };
            /// R[dst..+3] := append(R[s..+3], v): low 32 bits of R[v]. elem = *const Rtype.
            Push32 { dst: Out3, s: In3, v: In, elem: X };
            /// R[dst..+3] := append(R[s..+3], v): R[v], no pointer. elem = *const Rtype.
            Push64 { dst: Out3, s: In3, v: In, elem: X };
            /// R[dst..+3] := append(R[s..+3], v): the pointer R[v], by store_ptr. elem = *const Rtype.
            PushPtr { dst: Out3, s: In3, v: In, elem: X };
            /// R[dst..+3] := append(R[s..+3], v): the string R[v..+2]; its first word by store_ptr. elem = *const Rtype.
            PushStr { dst: Out3, s: In3, v: In2, elem: X };
            /// R[dst..+3] := append(R[s..+3], v): the slice R[v..+3]; its first word by store_ptr. elem = *const Rtype.
            PushSlice { dst: Out3, s: In3, v: In3, elem: X };
            /// R[dst..+3] := append(R[s..+3], v): the interface R[v..+2]; its second word by store_ptr. elem = *const Rtype.
            PushIface { dst: Out3, s: In3, v: In2, elem: X };
            /// R[dst..+3] := append(R[s..+3], v), v of the type elem (*const Rtype) with memory layout in the frame.
            PushTyped { dst: Out3, s: In3, v: InN, elem: X };
            /// R[dst..+3] := R[s..+3] lengthened by R[n] (zeroed if memory is new), reallocated as append does when it exceeds the capacity.
            GrowSlice { dst: Out3, s: In3, n: In, elem: X };
            /// R[dst..+3] := append(R[s..+3], R[t..+3]...).
            AppendSlice { dst: Out3, s: In3, t: In3, elem: X };
            /// R[dst..+3] := append([]byte R[s..+3], string R[t..+2]...).
            AppendString { dst: Out3, s: In3, t: In2 };
            /// R[n] := copy(R[d..+3], R[s..+3]).
            CopySlice { n: Out, d: In3, s: In3, elem: X };
            /// R[n] := copy([]byte R[d..+3], string R[s..+2]).
            CopyString { n: Out, d: In3, s: In2 };
            /// clear(R[s..+3]).
            ClearSlice { s: In3, elem: X };
            /// R[dst..+3] := R[s..+3][lo:hi], lo = R[ix], hi = R[ix+1]; panics as Go (… with capacity N). A result of capacity 0 keeps the pointer R[s].
            SliceS { dst: Out3, s: In3, ix: In2, stride: X };
            /// R[dst..+3] := R[s..+3][lo:hi:max], from R[ix..+3].
            SliceS3 { dst: Out3, s: In3, ix: In3, stride: X };
            /// R[dst..+3] := (*R[ptr])[lo:hi] of an array of len elements; nil panics; panics as Go (… with length N).
            SliceP { dst: Out3, ptr: In, ix: In2, len: X, stride: X };
            /// R[dst..+3] := (*R[ptr])[lo:hi:max].
            SliceP3 { dst: Out3, ptr: In, ix: In3, len: X, stride: X };
            /// R[dst..+2] := R[s..+2][lo:hi]; panics as Go (… with length N).
            SliceStr { dst: Out2, s: In2, ix: In2 };
            /// R[dst] := R[s] as *[len]E; panics (cannot convert slice with length R[s+1] to array or pointer to array with length len).
            SliceToArr { dst: Out, s: In3, len: X };
            /// R[dst..+3] := unsafe.Slice(R[p], R[n]); panics as Go.
            UnsafeSlice { dst: Out3, p: In, n: In, elem: X };
            /// R[dst..+2] := unsafe.String(R[p], R[n]); panics as Go.
            UnsafeString { dst: Out2, p: In, n: In };
            // ---- Strings.
            /// R[dst] := byte R[idx] of R[s..+2]; panics (index out of range).
            StrIdx { dst: Out, s: In2, idx: In };
            /// R[dst..+2] := R[a..+2] + R[b..+2].
            Concat2 { dst: Out2, a: In2, b: In2 };
            /// R[dst..+2] := n strings from R[base..] on, concatenated.
            ConcatN { dst: Out2, base: InN, n: ImmU16 };
            /// R[dst..+2] := string([]byte R[s..+3]).
            StrOfBytes { dst: Out2, s: In3 };
            /// R[dst..+3] := []byte(R[s..+2]).
            BytesOfStr { dst: Out3, s: In2 };
            /// R[dst..+2] := string([]rune R[s..+3]).
            StrOfRunes { dst: Out2, s: In3 };
            /// R[dst..+3] := []rune(R[s..+2]).
            RunesOfStr { dst: Out3, s: In2 };
            /// R[dst..+2] := string(rune): R[a] is an integer extended to int64; invalid ones give U+FFFD.
            StrOfRune { dst: Out2, a: In };
            /// Decodes at byte R[it] < length: R[r] := the rune (U+FFFD, width 1 if invalid), R[it] += its width.
            StrNext { it: Upd, s: In2, r: Out };
            // ---- Maps. typ = *const Rtype of the map type. Suffix 32, 64, Str: keys of 4 bytes, of 8 bytes (no floats), strings. Keys lie in slots as values do.
            /// R[dst..] := m[k], or zero.
            MapGet { dst: OutN, m: In, k: InN, typ: X };
            /// R[dst..] := m[k], or zero; R[ok] := present.
            MapGet2 { dst: OutN, m: In, k: InN, typ: X, ok: XSlot };
            /// m[k] = v; nil panics (assignment to entry in nil map).
            MapSet { m: In, k: InN, v: InN, typ: X };
            /// R[dst] := address of the element of k, inserted as zero if absent; valid until the next operation on the map.
            MapAddr { dst: Out, m: In, k: InN, typ: X };
            /// delete(m, k).
            MapDel { m: In, k: InN, typ: X };
            /// R[dst..] := m[k], or zero.
            MapGet32 { dst: OutN, m: In, k: In, typ: X };
            /// R[dst..] := m[k], or zero; R[ok] := present.
            MapGet232 { dst: OutN, m: In, k: In, typ: X, ok: XSlot };
            /// m[k] = v; nil panics (assignment to entry in nil map).
            MapSet32 { m: In, k: In, v: InN, typ: X };
            /// R[dst] := address of the element of k, inserted as zero if absent; valid until the next operation on the map.
            MapAddr32 { dst: Out, m: In, k: In, typ: X };
            /// delete(m, k).
            MapDel32 { m: In, k: In, typ: X };
            /// R[dst..] := m[k], or zero.
            MapGet64 { dst: OutN, m: In, k: In, typ: X };
            /// R[dst..] := m[k], or zero; R[ok] := present.
            MapGet264 { dst: OutN, m: In, k: In, typ: X, ok: XSlot };
            /// m[k] = v; nil panics (assignment to entry in nil map).
            MapSet64 { m: In, k: In, v: InN, typ: X };
            /// R[dst] := address of the element of k, inserted as zero if absent; valid until the next operation on the map.
            MapAddr64 { dst: Out, m: In, k: In, typ: X };
            /// delete(m, k).
            MapDel64 { m: In, k: In, typ: X };
            /// R[dst..] := m[k], or zero.
            MapGetStr { dst: OutN, m: In, k: In2, typ: X };
            /// R[dst..] := m[k], or zero; R[ok] := present.
            MapGet2Str { dst: OutN, m: In, k: In2, typ: X, ok: XSlot };
            /// m[k] = v; nil panics (assignment to entry in nil map).
            MapSetStr { m: In, k: In2, v: InN, typ: X };
            /// R[dst] := address of the element of k, inserted as zero if absent; valid until the next operation on the map.
            MapAddrStr { dst: Out, m: In, k: In2, typ: X };
            /// delete(m, k).
            MapDelStr { m: In, k: In2, typ: X };
            /// R[dst] := address of the element of k, or 0 if absent; valid until the next operation on the map. (Any kind of key.)
            MapFind { dst: Out, m: In, k: InN, typ: X };
            /// R[dst] := len(m).
            MapLen { dst: Out, m: In };
            /// clear(m).
            MapClear { m: In, typ: X };
            /// R[it..+8] := an iterator; words 0 and 1 are pointers, the others scalars.
            MapIter { it: OutN, m: In, typ: X };
            /// R[k..], R[v..] := the next entry (either slot may be NONE); at the end pc += done.
            MapNext { it: UpdN, k: OptOutN, v: OptOutN, typ: X, done: XRel };
            // ---- Channels. Values lie in slots; received ones are written with their memory size only (the compiler extends narrow ones afterwards).
            /// R[ch] <- R[v..+n]. Goes on behind the SendDone that follows, or parks and resumes at it. Nil parks forever; closed panics.
            Send { ch: In, v: InN, n: ImmU16 };
            /// Completes a Send that parked: panics if the channel was closed. Until then a receiver may read R[v..+n].
            SendDone { ch: In, v: InN, n: ImmU16 };
            /// R[dst..+n], R[ok] := <-R[ch] (either slot may be NONE). Goes on behind the RecvDone that follows, or zeroes R[dst..+n], parks and
            /// resumes at it.
            Recv { dst: OptOutN, ch: In, ok: OptOut, n: X };
            /// Completes a Recv that parked: R[ok] := the value came from a sender (who has written R[dst..+n] itself).
            RecvDone { dst: OptOutN, ch: In, ok: OptOut, n: X };
            /// close(R[ch]); nil and closed panic.
            Close { ch: In };
            /// R[dst] := len(R[ch]); nil gives 0.
            ChanLen { dst: Out, ch: In };
            /// R[dst] := cap(R[ch]); nil gives 0.
            ChanCap { dst: Out, ch: In };
            /// Prepares a case: R[blk] := R[ch], R[blk+1] := v as a slot number (NONE: zero size). R[v..+n] is read until the select is done.
            SelSend { blk: Out2, ch: In, v: OptInN, n: X };
            /// Prepares a case: R[blk] := R[ch], R[blk+1] := v as a slot number (NONE: not wanted) | 1 << 16; R[v..+n] := 0. A sender may
            /// write R[v..+n] until the select is done.
            SelRecv { blk: Out2, ch: In, v: OptOutN, n: X };
            /// select over the n prepared cases at R[blk..+2n]: R[idx] := the chosen one, R[ok] := received from a sender.
            /// flags bit 0: there is a default, chosen as -1. Goes on behind the SelectDone that follows, or parks and resumes at it. A send on a closed channel panics.
            Select { idx: Out, blk: InN, n: ImmU16, flags: X, ok: XSlot };
            /// Completes a Select that parked.
            SelectDone { idx: Out, blk: InN, n: ImmU16, flags: X, ok: XSlot };
            // ---- Interfaces. any = (rtype, data), others = (itab, data); nil has first word 0.
            /// R[dst..+2] := w0, R[v]: a type whose value is its data word.
            MkIface { dst: Out2, v: In, w0: X };
            /// R[dst..+2] := w0, a fresh heap copy of the value at R[v..]; sl = size | layout << 32 (size 0: zerobase).
            MkIfaceBox { dst: Out2, v: InN, w0: X, sl: X };
            /// R[dst] := the rtype of the itab R[itab], or 0 for 0.
            ItabTyp { dst: Out, itab: In };
            /// R[dst..+2] := the non-empty interface R[src..+2] as any.
            ToEface { dst: Out2, src: In2 };
            /// R[dst..+2] := the any R[src..+2] as the non-empty interface typ (*const Rtype), which it implements; nil stays nil.
            ConvIface { dst: Out2, src: In2, typ: X };
            /// Panics (interface conversion: …) unless the any R[src..+2] holds exactly typ; stat = rtype of the static type.
            AssertE { src: In2, typ: X, stat: X };
            /// The same for a non-empty interface.
            AssertI { src: In2, typ: X, stat: X };
            /// R[dst..+2] := the any R[src..+2] as the non-empty interface typ; panics when nil or a method is missing.
            AssertIface { dst: Out2, src: In2, typ: X };
            /// The same with R[ok]; the zero value on failure.
            AssertIface2 { dst: Out2, src: In2, ok: Out, typ: X };
            /// R[dst..+2] := R[src..+2], both any; panics when nil (x.(any)).
            AssertEface { dst: Out2, src: In2 };
            /// Panics with the run-time error text (value method main.T.M called using nil *T pointer), n bytes at `text`.
            MethodNil { text: X, n: X };
            // ---- Built-in print.
            /// Writes to standard error as print does: kind 0 bool, 1 int, 2 uint, 3 float64, 4 complex128, 5 string, 6 pointer, 7 interface (either), 8 slice.
            /// kind 9: a space; 10: a newline (v unused); 11 float32, 12 complex64.
            Print { v: InN, kind: ImmU16 };
            /// 1: begins a print statement, 0: ends it; output of one statement is not mixed with others'.
            PrintLock { on: ImmU16 };
        }
    };
}

macro_rules! define_enum {
    ($( $(#[$doc:meta])* $name:ident { $($field:ident : $kind:ident),* $(,)? }; )*) => {
        /// An opcode.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[repr(u16)]
        pub enum Op {
            $( $(#[$doc])* $name, )*
        }

        impl Op {
            /// All opcodes, in order of their numbers.
            pub const ALL: &'static [Op] = &[$(Op::$name),*];
            const NAMES: &'static [&'static str] = &[$(stringify!($name)),*];
            const OPERANDS: &'static [&'static [Operand]] = &[
                $( &[$( Operand { name: stringify!($field), kind: Kind::$kind } ),*] ),*
            ];
        }
    };
}
for_each_op!(define_enum);

/// The operands as instruction structs hold them: see [`insn`].
pub mod operand {
    macro_rules! operand_types {
        ($( $($name:ident),* : $repr:ty; )*) => { $( $(
            /// See [`Kind`](super::Kind).
            pub type $name = $repr;
        )* )* };
    }
    operand_types! {
        In, In2, In3, InN, Out, Out2, Out3, OutN, Upd, UpdN, OptInN, OptOut, OptOutN, Win, ImmU16: u16;
        Imm16, Rel16: i16;
        Imm32, Rel32, Fo32: i32;
        Idx32: u32;
        X, XSlot: u64;
        XRel, XFo: i64;
    }
}

/// One struct per opcode whose memory is the encoding: a pc may be read as `*const insn::AddInt`. Its size is the
/// instruction's length.
pub mod insn {
    use super::operand::*;
    macro_rules! define_insns {
        ($( $(#[$doc:meta])* $name:ident { $($field:ident : $kind:ident),* $(,)? }; )*) => { $(
            $(#[$doc])*
            #[derive(Clone, Copy, PartialEq, Eq, Debug)]
            #[repr(C, align(8))]
            pub struct $name {
                pub op: u16,
                $( pub $field: $kind, )*
            }
        )* };
    }
    for_each_op!(define_insns);
}

impl Op {
    /// How many opcodes there are.
    pub const COUNT: usize = Op::ALL.len();

    /// The opcode numbered `n`, if there is one.
    pub fn from_u16(n: u16) -> Option<Op> {
        Op::ALL.get(n as usize).copied()
    }

    pub fn name(self) -> &'static str {
        Op::NAMES[self as usize]
    }

    pub fn operands(self) -> &'static [Operand] {
        Op::OPERANDS[self as usize]
    }

    /// Length of the instruction in 8-byte words, extension words included.
    pub fn words(self) -> usize {
        WORDS[self as usize] as usize
    }

    /// [`backward`](Self::backward) of a forward jump, itself otherwise.
    pub fn backward_or_self(self) -> Op {
        if self.name().starts_with('J') {
            self.backward()
        } else {
            self
        }
    }

    /// The backward twin of a forward jump: `Jump` has `Loop`, each `J…` has `L…`.
    pub fn backward(self) -> Op {
        debug_assert!(self.name().starts_with('J'));
        Op::ALL[self as usize + 1]
    }
}

const WORDS: [u8; Op::COUNT] = {
    let mut words = [1; Op::COUNT];
    let mut i = 0;
    while i < Op::COUNT {
        let mut k = 0;
        while k < Op::OPERANDS[i].len() {
            if Op::OPERANDS[i][k].kind.is_ext() {
                words[i] += 1;
            }
            k += 1;
        }
        i += 1;
    }
    words
};

/// One instruction, without its extension words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(8))]
pub struct Insn {
    pub op: u16,
    pub a: u16,
    pub b: u16,
    pub c: u16,
}

impl Insn {
    /// b and c as one signed number.
    pub fn wide(self) -> i32 {
        (self.b as u32 | (self.c as u32) << 16) as i32
    }
    /// The instruction as a word of code.
    pub fn to_word(self) -> u64 {
        self.op as u64 | (self.a as u64) << 16 | (self.b as u64) << 32 | (self.c as u64) << 48
    }
    pub fn from_word(w: u64) -> Insn {
        Insn {
            op: w as u16,
            a: (w >> 16) as u16,
            b: (w >> 32) as u16,
            c: (w >> 48) as u16,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_fit_their_fields() {
        for &op in Op::ALL {
            let mut fields = 0;
            for o in op.operands() {
                if o.kind.is_wide() {
                    assert!(fields <= 1, "{}: b and c are taken", op.name());
                    fields = 3;
                } else if !o.kind.is_ext() {
                    fields += 1;
                }
            }
            assert!(fields <= 3, "{} has too many operands", op.name());
        }
    }

    #[test]
    fn structs_are_the_encoding() {
        macro_rules! sizes {
            ($( $(#[$doc:meta])* $name:ident { $($field:ident : $kind:ident),* $(,)? }; )*) => {
                $( assert_eq!(size_of::<insn::$name>(), Op::$name.words() * 8, stringify!($name)); )*
            };
        }
        for_each_op!(sizes);
        assert_eq!(std::mem::offset_of!(insn::Jump, by), 4);
        assert_eq!(std::mem::offset_of!(insn::JEqK, by), 4);
    }

    #[test]
    fn jumps_have_backward_twins() {
        for &op in Op::ALL {
            if op.name().starts_with('J') && op != Op::Jump {
                assert_eq!(op.name()[1..], op.backward().name()[1..]);
                assert_eq!(op.operands(), op.backward().operands());
            }
        }
        assert_eq!(Op::Jump.backward(), Op::Loop);
    }
}
