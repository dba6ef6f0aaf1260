//! The table of instructions.
//!
//! [`for_each_op!`] is the only list of opcodes: enum, operand table, encoder, disassembler,
//! verifier and both dispatchers are made from it. An entry is
//!
//! ```text
//! /// R[dst] := R[a] + R[b], wrapping, 64 bits.
//! Add { dst: Out, a: In, b: In } of Add I64;
//! ```
//!
//! Its comment is its meaning: `R[x]` is the 8-byte slot `x` of the frame (`fp + 8*x`), `R[x..+n]`
//! are n consecutive slots, `:=` writes. The kinds of its operands ([`Kind`](super::kind::Kind))
//! say what it reads, writes and measures. Behind them stand, where they apply and in this order:
//!
//! - `[WORD, …]`: what it does to memory that goroutines may share, and to what they tell each
//!   other something by ([`Word`](super::touch::Word)); each that could do something says a word;
//! - `of FAMILY FORM`: the opcode is that form of the family, which the compiler asks for by
//!   [`Family::form`](super::kind::Family);
//! - `back TWIN`: the jump's twin for backward distances, a safepoint;
//! - `flow FLOW`: where control goes behind it, unless to the next ([`Flow`](super::kind::Flow)).
//!
//! # Encoding
//!
//! An instruction is one [`Insn`](super::op::Insn) of 8 bytes and as many extension words of 8
//! bytes as it has operands of kind `X…`. Operands of 16 bits take the fields a, b, c in order;
//! operands of 32 bits ([`Shape::Wide`](super::kind::Shape)) take b and c together, b the low half.
//! Jumps are relative to the address of their own instruction, in 8-byte words. Two numbers that
//! share an extension word (`a | b << 32`) are made by [`Pair`](super::pair::Pair), which holds
//! none that does not fit.
//!
//! # Values in slots
//!
//! Booleans are 0 or 1; integers are sign- or zero-extended to 64 bits; a float32 is its bits
//! zero-extended; a complex64 is one slot, all else as in memory: strings 2 slots, slices 3,
//! interfaces 2, complex128 2, structs and arrays their memory image.
//!
//! Spec: the whole. Go: cmd/compile/internal/ssa (opGen.go).

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
            Mov3 { dst: Out3, src: In3 } [Untouched];
            /// R[dst..+n] := R[src..+n], as memmove.
            MovN { dst: OutN, src: InN, n: Slots };
            /// R[dst] := imm, sign-extended.
            LoadImm { dst: Out, imm: Imm32 };
            /// R[dst] := k.
            LoadConst { dst: Out, k: XBits };
            /// R[dst..+2] := k0, k1.
            LoadConst2 { dst: Out2, k0: XBits, k1: XBits };
            /// R[dst] := the address of a variable.
            LoadGlobalAddr { dst: Out, at: XGlobal } [Untouched];
            /// R[dst] := the address of constant data.
            LoadData { dst: Out, at: XData };
            /// R[dst..+2] := a constant string of `len` bytes.
            LoadStr { dst: Out2, at: XData, len: XNum };
            /// R[dst..+2] := a constant interface whose data word is the address of constant data.
            LoadIface { dst: Out2, tab: XTab, at: XData };
            /// R[dst..+2] := a constant interface whose data word is the value itself.
            LoadIfaceBits { dst: Out2, tab: XTab, k: XBits };
            /// R[dst] := 0.
            Zero { dst: Out };
            /// R[dst..+2] := 0.
            Zero2 { dst: Out2 };
            /// R[dst..+3] := 0.
            Zero3 { dst: Out3 };
            /// R[dst..+n] := 0.
            ZeroN { dst: OutN, n: Slots32 };
            // ---- Globals: `at` is the absolute address of the variable, which is never nil.
            /// R[dst] := *(at as *u8), extended to 64 bits.
            LoadGlobal8u { dst: Out, at: XGlobal } [Reads] of LoadGlobal U8;
            /// R[dst] := *(at as *i8), extended to 64 bits.
            LoadGlobal8s { dst: Out, at: XGlobal } [Reads] of LoadGlobal I8;
            /// R[dst] := *(at as *u16), extended to 64 bits.
            LoadGlobal16u { dst: Out, at: XGlobal } [Reads] of LoadGlobal U16;
            /// R[dst] := *(at as *i16), extended to 64 bits.
            LoadGlobal16s { dst: Out, at: XGlobal } [Reads] of LoadGlobal I16;
            /// R[dst] := *(at as *u32), extended to 64 bits.
            LoadGlobal32u { dst: Out, at: XGlobal } [Reads] of LoadGlobal U32;
            /// R[dst] := *(at as *i32), extended to 64 bits.
            LoadGlobal32s { dst: Out, at: XGlobal } [Reads] of LoadGlobal I32;
            /// R[dst] := *(at as *u64), extended to 64 bits.
            LoadGlobal64 { dst: Out, at: XGlobal } [Reads] of LoadGlobal I64;
            /// R[dst..+2] := 2 words at `at`.
            LoadGlobal2 { dst: Out2, at: XGlobal } [Reads];
            /// R[dst..+3] := 3 words at `at`.
            LoadGlobal3 { dst: Out3, at: XGlobal } [Reads];
            /// Copies `bytes` bytes at `at` to the frame from R[dst] on (whole words as words).
            LoadGlobalN { dst: OutN, bytes: Bytes32, at: XGlobal } [Reads];
            /// *at := low 8 bits of R[src].
            StoreGlobal8 { src: In, at: XGlobal } [Writes] of StoreGlobal U8;
            /// *at := low 16 bits of R[src].
            StoreGlobal16 { src: In, at: XGlobal } [Writes] of StoreGlobal U16;
            /// *at := low 32 bits of R[src].
            StoreGlobal32 { src: In, at: XGlobal } [Writes] of StoreGlobal U32;
            /// *at := R[src], no pointer.
            StoreGlobal64 { src: In, at: XGlobal } [Writes] of StoreGlobal I64;
            /// *at := the pointer R[src], by store_ptr.
            StoreGlobalPtr { src: In, at: XGlobal } [Writes] of StoreGlobal Ptr;
            /// *at := the string R[src..+2]; its first word by store_ptr.
            StoreGlobalStr { src: In2, at: XGlobal } [Writes] of StoreGlobal Str;
            /// *at := the slice R[src..+3]; its first word by store_ptr.
            StoreGlobalSlice { src: In3, at: XGlobal } [Writes] of StoreGlobal Slice;
            /// *at := the interface R[src..+2]; its second word by store_ptr.
            StoreGlobalIface { src: In2, at: XGlobal } [Writes] of StoreGlobal Iface;
            /// Copies a value from R[src..] to `at` by copy_typed; sl = size | layout << 32.
            StoreGlobalTyped { src: InN, at: XGlobal, sl: XSizeLayout }
                [Writes] of StoreGlobal Typed;
            // ---- Memory through a pointer. All panic (nil dereference) when R[ptr] is 0. Address:
            // R[ptr] + off.
            /// R[dst] := *(R[ptr] + off as *u8), extended to 64 bits.
            Load8u { dst: Out, ptr: Ptr, off: Off } [Reads] of Load U8;
            /// R[dst] := *(R[ptr] + off as *i8), extended to 64 bits.
            Load8s { dst: Out, ptr: Ptr, off: Off } [Reads] of Load I8;
            /// R[dst] := *(R[ptr] + off as *u16), extended to 64 bits.
            Load16u { dst: Out, ptr: Ptr, off: Off } [Reads] of Load U16;
            /// R[dst] := *(R[ptr] + off as *i16), extended to 64 bits.
            Load16s { dst: Out, ptr: Ptr, off: Off } [Reads] of Load I16;
            /// R[dst] := *(R[ptr] + off as *u32), extended to 64 bits.
            Load32u { dst: Out, ptr: Ptr, off: Off } [Reads] of Load U32;
            /// R[dst] := *(R[ptr] + off as *i32), extended to 64 bits.
            Load32s { dst: Out, ptr: Ptr, off: Off } [Reads] of Load I32;
            /// R[dst] := *(R[ptr] + off as *u64), extended to 64 bits.
            Load64 { dst: Out, ptr: Ptr, off: Off } [Reads] of Load I64;
            /// R[dst..+2] := 2 words at R[ptr] + off.
            Load2 { dst: Out2, ptr: Ptr, off: Off } [Reads];
            /// R[dst..+3] := 3 words at R[ptr] + off.
            Load3 { dst: Out3, ptr: Ptr, off: Off } [Reads];
            /// Copies `bytes` bytes at R[ptr] + off to the frame from R[dst] on (whole words as
            /// words).
            LoadN { dst: OutN, ptr: Ptr, off: Off, bytes: XBytes } [Reads];
            /// *(R[ptr] + off) := low 8 bits of R[src].
            Store8 { ptr: Ptr, src: In, off: Off } [Writes] of Store U8;
            /// *(R[ptr] + off) := low 16 bits of R[src].
            Store16 { ptr: Ptr, src: In, off: Off } [Writes] of Store U16;
            /// *(R[ptr] + off) := low 32 bits of R[src].
            Store32 { ptr: Ptr, src: In, off: Off } [Writes] of Store U32;
            /// *(R[ptr] + off) := R[src], no pointer.
            Store64 { ptr: Ptr, src: In, off: Off } [Writes] of Store I64;
            /// *(R[ptr] + off) := the pointer R[src], by store_ptr.
            StorePtr { ptr: Ptr, src: In, off: Off } [Writes] of Store Ptr;
            /// *(R[ptr] + off) := the string R[src..+2]; its first word by store_ptr.
            StoreStr { ptr: Ptr, src: In2, off: Off } [Writes] of Store Str;
            /// *(R[ptr] + off) := the slice R[src..+3]; its first word by store_ptr.
            StoreSlice { ptr: Ptr, src: In3, off: Off } [Writes] of Store Slice;
            /// *(R[ptr] + off) := the interface R[src..+2]; its second word by store_ptr.
            StoreIface { ptr: Ptr, src: In2, off: Off } [Writes] of Store Iface;
            /// Copies a value from R[src..] to R[ptr] + off by copy_typed; sl = size | layout << 32
            /// (layout 0: no pointers).
            StoreTyped { ptr: Ptr, src: InN, off: Off, sl: XSizeLayout } [Writes] of Store Typed;
            /// Memory to memory, as memmove, by copy_typed: *R[dst] := *R[src], of any size. Either
            /// nil panics.
            CopyTyped { dst: In, src: In, layout: XLayout, size: XNum } [Reads(src), Writes(dst)];
            /// R[dst] := R[ptr] + off; nil panics.
            AddPtr { dst: Out, ptr: Ptr, off: Off } [Untouched];
            /// R[dst] := R[ptr] + off; nil panics. For offsets of 64 KB and more.
            AddPtrConst { dst: Out, ptr: Ptr, off: XOff } [Untouched];
            /// Panics (nil dereference) when R[ptr] is 0.
            CheckNil { ptr: Ptr } [Untouched];
            /// *(R[ptr] + off as *u64) += R[src].
            AddToMem { ptr: Ptr, src: In, off: Off } [Updates];
            /// *(R[ptr] + off as *u64) -= R[src].
            SubFromMem { ptr: Ptr, src: In, off: Off } [Updates];
            /// *(R[ptr] + off as *u64) += imm, sign-extended.
            AddImmToMem { ptr: Ptr, imm: Imm16, off: Off } [Updates];
            /// *(R[ptr] + off as *f64) += R[src].
            AddF64ToMem { ptr: Ptr, src: In, off: Off } [Updates];
            /// *(R[ptr] + off as *f64) -= R[src].
            SubF64FromMem { ptr: Ptr, src: In, off: Off } [Updates];
            // ---- Memory in the frame (fields and elements of structs and arrays). `at` counts
            // bytes from fp.
            /// R[dst] := *(fp + at as *u8), extended to 64 bits.
            FrameLoad8u { dst: Out, at: FrameIn } of FrameLoad U8;
            /// R[dst] := *(fp + at as *i8), extended to 64 bits.
            FrameLoad8s { dst: Out, at: FrameIn } of FrameLoad I8;
            /// R[dst] := *(fp + at as *u16), extended to 64 bits.
            FrameLoad16u { dst: Out, at: FrameIn } of FrameLoad U16;
            /// R[dst] := *(fp + at as *i16), extended to 64 bits.
            FrameLoad16s { dst: Out, at: FrameIn } of FrameLoad I16;
            /// R[dst] := *(fp + at as *u32), extended to 64 bits.
            FrameLoad32u { dst: Out, at: FrameIn } of FrameLoad U32;
            /// R[dst] := *(fp + at as *i32), extended to 64 bits.
            FrameLoad32s { dst: Out, at: FrameIn } of FrameLoad I32;
            /// *(fp + at) := low 8 bits of R[src].
            FrameStore8 { src: In, at: FrameOut } of FrameStore U8;
            /// *(fp + at) := low 16 bits of R[src].
            FrameStore16 { src: In, at: FrameOut } of FrameStore U16;
            /// *(fp + at) := low 32 bits of R[src].
            FrameStore32 { src: In, at: FrameOut } of FrameStore U32;
            /// Copies n bytes within the frame, as memmove: (fp + dst)[..n] := (fp + src)[..n]. For
            /// parts that do not begin at a slot.
            FrameCopy { n: Bytes, dst: FrameOut, src: XFrameIn };
            /// Element of an array in the frame: lo = len | off << 32. Panics unless R[idx] < len
            /// (unsigned); R[dst] := (fp + 8*base + off as *u8)[R[idx]], extended.
            FrameIndex8u { dst: Out, base: ArrayIn, idx: Idx, lo: XArray8 } of FrameIndex U8;
            /// Element of an array in the frame: lo = len | off << 32. Panics unless R[idx] < len
            /// (unsigned); R[dst] := (fp + 8*base + off as *i8)[R[idx]], extended.
            FrameIndex8s { dst: Out, base: ArrayIn, idx: Idx, lo: XArray8 } of FrameIndex I8;
            /// Element of an array in the frame: lo = len | off << 32. Panics unless R[idx] < len
            /// (unsigned); R[dst] := (fp + 8*base + off as *u16)[R[idx]], extended.
            FrameIndex16u { dst: Out, base: ArrayIn, idx: Idx, lo: XArray16 } of FrameIndex U16;
            /// Element of an array in the frame: lo = len | off << 32. Panics unless R[idx] < len
            /// (unsigned); R[dst] := (fp + 8*base + off as *i16)[R[idx]], extended.
            FrameIndex16s { dst: Out, base: ArrayIn, idx: Idx, lo: XArray16 } of FrameIndex I16;
            /// Element of an array in the frame: lo = len | off << 32. Panics unless R[idx] < len
            /// (unsigned); R[dst] := (fp + 8*base + off as *u32)[R[idx]], extended.
            FrameIndex32u { dst: Out, base: ArrayIn, idx: Idx, lo: XArray32 } of FrameIndex U32;
            /// Element of an array in the frame: lo = len | off << 32. Panics unless R[idx] < len
            /// (unsigned); R[dst] := (fp + 8*base + off as *i32)[R[idx]], extended.
            FrameIndex32s { dst: Out, base: ArrayIn, idx: Idx, lo: XArray32 } of FrameIndex I32;
            /// Element of an array in the frame: lo = len | off << 32. Panics unless R[idx] < len
            /// (unsigned); R[dst] := (fp + 8*base + off as *u64)[R[idx]], extended.
            FrameIndex64 { dst: Out, base: ArrayIn, idx: Idx, lo: XArray64 } of FrameIndex I64;
            /// ls = len | stride << 32, os = off | size << 32. Panics unless R[idx] < len; copies
            /// `size` bytes from fp + 8*base + off + R[idx]*stride to the frame from R[dst] on.
            FrameIndexN { dst: OutN, base: ArrayIn, idx: Idx, ls: XLenStride, os: XOffSize };
            /// lo = len | off << 32. Panics unless R[idx] < len; (fp + 8*base + off)[R[idx]] := low
            /// 8 bits of R[src]; also for pointers (frames need no barrier).
            FrameSet8 { base: ArrayUpd, idx: Idx, src: In, lo: XArray8 } of FrameSet U8;
            /// lo = len | off << 32. Panics unless R[idx] < len; (fp + 8*base + off)[R[idx]] := low
            /// 16 bits of R[src]; also for pointers (frames need no barrier).
            FrameSet16 { base: ArrayUpd, idx: Idx, src: In, lo: XArray16 } of FrameSet U16;
            /// lo = len | off << 32. Panics unless R[idx] < len; (fp + 8*base + off)[R[idx]] := low
            /// 32 bits of R[src]; also for pointers (frames need no barrier).
            FrameSet32 { base: ArrayUpd, idx: Idx, src: In, lo: XArray32 } of FrameSet U32;
            /// lo = len | off << 32. Panics unless R[idx] < len; (fp + 8*base + off)[R[idx]] :=
            /// R[src], no pointer; also for pointers (frames need no barrier).
            FrameSet64 { base: ArrayUpd, idx: Idx, src: In, lo: XArray64 } of FrameSet I64;
            /// ls = len | stride << 32, os = off | size << 32. Panics unless R[idx] < len; copies
            /// `size` bytes from R[src..] to fp + 8*base + off + R[idx]*stride.
            FrameSetN { base: ArrayUpd, idx: Idx, src: InN, ls: XLenStride, os: XOffSize };
            /// Panics (index out of range [R[idx]] with length len) unless R[idx] < len, unsigned.
            CheckIndex { idx: Idx, len: XNum };
            // ---- Slices: R[s], R[s+1], R[s+2] are pointer, length, capacity. All panic (index out
            // of range) unless R[idx] < R[s+1], unsigned.
            /// Does nothing else.
            CheckElem { s: In3, idx: Idx } [Untouched];
            /// R[dst] := (R[s] as *u8)[R[idx]], extended.
            SliceIndex8u { dst: Out, s: In3, idx: Idx } [Reads] of SliceIndex U8;
            /// R[dst] := (R[s] as *i8)[R[idx]], extended.
            SliceIndex8s { dst: Out, s: In3, idx: Idx } [Reads] of SliceIndex I8;
            /// R[dst] := (R[s] as *u16)[R[idx]], extended.
            SliceIndex16u { dst: Out, s: In3, idx: Idx } [Reads] of SliceIndex U16;
            /// R[dst] := (R[s] as *i16)[R[idx]], extended.
            SliceIndex16s { dst: Out, s: In3, idx: Idx } [Reads] of SliceIndex I16;
            /// R[dst] := (R[s] as *u32)[R[idx]], extended.
            SliceIndex32u { dst: Out, s: In3, idx: Idx } [Reads] of SliceIndex U32;
            /// R[dst] := (R[s] as *i32)[R[idx]], extended.
            SliceIndex32s { dst: Out, s: In3, idx: Idx } [Reads] of SliceIndex I32;
            /// R[dst] := (R[s] as *u64)[R[idx]], extended.
            SliceIndex64 { dst: Out, s: In3, idx: Idx } [Reads] of SliceIndex I64;
            /// R[dst] := ((R[s] as *[]u64)[R[i]])[R[k]]; either index panics as it would alone.
            SliceIndexTwice64 { dst: Out, s: In3, i: In, k: XIn }
                [ReadsTwice] of SliceIndexTwice I64;
            /// R[dst] := ((R[s] as *[]u8)[R[i]])[R[k]]; either index panics as it would alone.
            SliceIndexTwice8u { dst: Out, s: In3, i: In, k: XIn }
                [ReadsTwice] of SliceIndexTwice U8;
            /// R[dst..+2] := the 16-byte element R[idx].
            SliceIndex2 { dst: Out2, s: In3, idx: Idx } [Reads];
            /// R[dst..+3] := the 24-byte element R[idx].
            SliceIndex3 { dst: Out3, s: In3, idx: Idx } [Reads];
            /// so = stride | off << 32. Copies `size` bytes at R[s] + R[idx]*stride + off to the
            /// frame from R[dst] on.
            SliceIndexN { dst: OutN, s: In3, idx: Idx, so: XStrideOff, size: XBytes } [Reads];
            /// so = stride | off << 32. R[dst] := *(R[s] + R[idx]*stride + off as *u64).
            SliceField64 { dst: Out, s: In3, idx: Idx, so: XStrideOff } [Reads];
            /// As SliceField64 with 2 words.
            SliceField2 { dst: Out2, s: In3, idx: Idx, so: XStrideOff } [Reads];
            /// R[dst] := (R[s] as *u64)[i]; panics unless i < R[s+1].
            SliceIndexImm64 { dst: Out, s: In3, i: ImmU16 } [Reads];
            /// R[dst] := R[s] + R[idx]*stride.
            SliceElemAddr { dst: Out, s: In3, idx: Idx, stride: XNum } [Untouched];
            /// (R[s])[R[idx]] := low 8 bits of R[src].
            SliceSet8 { s: In3, idx: Idx, src: In } [Writes] of SliceSet U8;
            /// (R[s])[R[idx]] := low 16 bits of R[src].
            SliceSet16 { s: In3, idx: Idx, src: In } [Writes] of SliceSet U16;
            /// (R[s])[R[idx]] := low 32 bits of R[src].
            SliceSet32 { s: In3, idx: Idx, src: In } [Writes] of SliceSet U32;
            /// (R[s])[R[idx]] := R[src], no pointer.
            SliceSet64 { s: In3, idx: Idx, src: In } [Writes] of SliceSet I64;
            /// (R[s])[R[idx]] := the pointer R[src], by store_ptr.
            SliceSetPtr { s: In3, idx: Idx, src: In } [Writes] of SliceSet Ptr;
            /// (R[s])[R[idx]] := the string R[src..+2]; its first word by store_ptr.
            SliceSetStr { s: In3, idx: Idx, src: In2 } [Writes] of SliceSet Str;
            /// (R[s])[R[idx]] := the slice R[src..+3]; its first word by store_ptr.
            SliceSetSlice { s: In3, idx: Idx, src: In3 } [Writes] of SliceSet Slice;
            /// (R[s])[R[idx]] := the interface R[src..+2]; its second word by store_ptr.
            SliceSetIface { s: In3, idx: Idx, src: In2 } [Writes] of SliceSet Iface;
            /// Copies a value from R[src..] to R[s] + R[idx]*size by copy_typed; sl = size | layout
            /// << 32.
            SliceSetTyped { s: In3, idx: Idx, src: InN, sl: XSizeLayout }
                [Writes] of SliceSet Typed;
            /// (R[s] as *u64)[i] := R[src], no pointer; panics unless i < R[s+1].
            SliceSetImm64 { s: In3, i: ImmU16, src: In } [Writes];
            /// (R[s] as *u64)[R[idx]] += R[src].
            AddToElem { s: In3, idx: Idx, src: In } [Updates];
            /// (R[s] as *u64)[R[idx]] -= R[src].
            SubFromElem { s: In3, idx: Idx, src: In } [Updates];
            /// (R[s] as *u64)[R[idx]] += imm, sign-extended.
            AddImmToElem { s: In3, idx: Idx, imm: Imm16 } [Updates];
            /// (R[s] as *f64)[R[idx]] += R[src].
            AddF64ToElem { s: In3, idx: Idx, src: In } [Updates];
            /// (R[s] as *f64)[R[idx]] -= R[src].
            SubF64FromElem { s: In3, idx: Idx, src: In } [Updates];
            // ---- Arrays through a pointer. All panic when R[ptr] is 0 (nil dereference), then
            // unless R[idx] < len, unsigned.
            /// R[dst] := (R[ptr] as *u8)[R[idx]], extended.
            ArrayIndex8u { dst: Out, ptr: Ptr, idx: Idx, len: XNum } [Reads] of ArrayIndex U8;
            /// R[dst] := (R[ptr] as *i8)[R[idx]], extended.
            ArrayIndex8s { dst: Out, ptr: Ptr, idx: Idx, len: XNum } [Reads] of ArrayIndex I8;
            /// R[dst] := (R[ptr] as *u16)[R[idx]], extended.
            ArrayIndex16u { dst: Out, ptr: Ptr, idx: Idx, len: XNum } [Reads] of ArrayIndex U16;
            /// R[dst] := (R[ptr] as *i16)[R[idx]], extended.
            ArrayIndex16s { dst: Out, ptr: Ptr, idx: Idx, len: XNum } [Reads] of ArrayIndex I16;
            /// R[dst] := (R[ptr] as *u32)[R[idx]], extended.
            ArrayIndex32u { dst: Out, ptr: Ptr, idx: Idx, len: XNum } [Reads] of ArrayIndex U32;
            /// R[dst] := (R[ptr] as *i32)[R[idx]], extended.
            ArrayIndex32s { dst: Out, ptr: Ptr, idx: Idx, len: XNum } [Reads] of ArrayIndex I32;
            /// R[dst] := (R[ptr] as *u64)[R[idx]], extended.
            ArrayIndex64 { dst: Out, ptr: Ptr, idx: Idx, len: XNum } [Reads] of ArrayIndex I64;
            /// ls = len | stride << 32, os = off | size << 32. Copies `size` bytes at R[ptr] +
            /// R[idx]*stride + off to the frame from R[dst] on.
            ArrayIndexN { dst: OutN, ptr: Ptr, idx: Idx, ls: XLenStride, os: XOffSize } [Reads];
            /// R[dst] := R[ptr] + R[idx]*stride.
            ArrayElemAddr { dst: Out, ptr: Ptr, idx: Idx, len: XNum, stride: XNum } [Untouched];
            /// (R[ptr])[R[idx]] := low 8 bits of R[src].
            ArraySet8 { ptr: Ptr, idx: Idx, src: In, len: XNum } [Writes] of ArraySet U8;
            /// (R[ptr])[R[idx]] := low 16 bits of R[src].
            ArraySet16 { ptr: Ptr, idx: Idx, src: In, len: XNum } [Writes] of ArraySet U16;
            /// (R[ptr])[R[idx]] := low 32 bits of R[src].
            ArraySet32 { ptr: Ptr, idx: Idx, src: In, len: XNum } [Writes] of ArraySet U32;
            /// (R[ptr])[R[idx]] := R[src], no pointer.
            ArraySet64 { ptr: Ptr, idx: Idx, src: In, len: XNum } [Writes] of ArraySet I64;
            /// (R[ptr])[R[idx]] := the pointer R[src], by store_ptr.
            ArraySetPtr { ptr: Ptr, idx: Idx, src: In, len: XNum } [Writes] of ArraySet Ptr;
            /// Copies a value from R[src..] to R[ptr] + R[idx]*size by copy_typed; sl = size |
            /// layout << 32.
            ArraySetTyped { ptr: Ptr, idx: Idx, src: InN, len: XNum, sl: XSizeLayout }
                [Writes] of ArraySet Typed;
            // ---- Integer arithmetic. Slots hold narrow integers sign- or zero-extended; results
            // are wrapped to the kind and extended again.
            /// R[dst] := R[a] + R[b], wrapping, 64 bits.
            Add { dst: Out, a: In, b: In } of Add I64;
            /// R[dst] := R[a] + R[b], wrapping, i32.
            AddI32 { dst: Out, a: In, b: In } of Add I32;
            /// R[dst] := R[a] + R[b], wrapping, u32.
            AddU32 { dst: Out, a: In, b: In } of Add U32;
            /// R[dst] := R[a] + R[b], wrapping, i16.
            AddI16 { dst: Out, a: In, b: In } of Add I16;
            /// R[dst] := R[a] + R[b], wrapping, u16.
            AddU16 { dst: Out, a: In, b: In } of Add U16;
            /// R[dst] := R[a] + R[b], wrapping, i8.
            AddI8 { dst: Out, a: In, b: In } of Add I8;
            /// R[dst] := R[a] + R[b], wrapping, u8.
            AddU8 { dst: Out, a: In, b: In } of Add U8;
            /// R[dst] := R[a] - R[b], wrapping, 64 bits.
            Sub { dst: Out, a: In, b: In } of Sub I64;
            /// R[dst] := R[a] - R[b], wrapping, i32.
            SubI32 { dst: Out, a: In, b: In } of Sub I32;
            /// R[dst] := R[a] - R[b], wrapping, u32.
            SubU32 { dst: Out, a: In, b: In } of Sub U32;
            /// R[dst] := R[a] - R[b], wrapping, i16.
            SubI16 { dst: Out, a: In, b: In } of Sub I16;
            /// R[dst] := R[a] - R[b], wrapping, u16.
            SubU16 { dst: Out, a: In, b: In } of Sub U16;
            /// R[dst] := R[a] - R[b], wrapping, i8.
            SubI8 { dst: Out, a: In, b: In } of Sub I8;
            /// R[dst] := R[a] - R[b], wrapping, u8.
            SubU8 { dst: Out, a: In, b: In } of Sub U8;
            /// R[dst] := R[a] * R[b], wrapping, 64 bits.
            Mul { dst: Out, a: In, b: In } of Mul I64;
            /// R[dst] := R[a] * R[b], wrapping, i32.
            MulI32 { dst: Out, a: In, b: In } of Mul I32;
            /// R[dst] := R[a] * R[b], wrapping, u32.
            MulU32 { dst: Out, a: In, b: In } of Mul U32;
            /// R[dst] := R[a] * R[b], wrapping, i16.
            MulI16 { dst: Out, a: In, b: In } of Mul I16;
            /// R[dst] := R[a] * R[b], wrapping, u16.
            MulU16 { dst: Out, a: In, b: In } of Mul U16;
            /// R[dst] := R[a] * R[b], wrapping, i8.
            MulI8 { dst: Out, a: In, b: In } of Mul I8;
            /// R[dst] := R[a] * R[b], wrapping, u8.
            MulU8 { dst: Out, a: In, b: In } of Mul U8;
            /// R[dst] := R[a] << R[n], 64 bits; a count of the width or more (unsigned 64 bits)
            /// gives 0.
            Shl { dst: Out, a: In, n: In } of Shl I64;
            /// R[dst] := R[a] << R[n], i32; a count of the width or more (unsigned 64 bits) gives
            /// 0.
            ShlI32 { dst: Out, a: In, n: In } of Shl I32;
            /// R[dst] := R[a] << R[n], u32; a count of the width or more (unsigned 64 bits) gives
            /// 0.
            ShlU32 { dst: Out, a: In, n: In } of Shl U32;
            /// R[dst] := R[a] << R[n], i16; a count of the width or more (unsigned 64 bits) gives
            /// 0.
            ShlI16 { dst: Out, a: In, n: In } of Shl I16;
            /// R[dst] := R[a] << R[n], u16; a count of the width or more (unsigned 64 bits) gives
            /// 0.
            ShlU16 { dst: Out, a: In, n: In } of Shl U16;
            /// R[dst] := R[a] << R[n], i8; a count of the width or more (unsigned 64 bits) gives 0.
            ShlI8 { dst: Out, a: In, n: In } of Shl I8;
            /// R[dst] := R[a] << R[n], u8; a count of the width or more (unsigned 64 bits) gives 0.
            ShlU8 { dst: Out, a: In, n: In } of Shl U8;
            /// R[dst] := R[a] >> R[n], arithmetic, any kind; counts of 64 and more (unsigned) act
            /// as 63.
            ShrS { dst: Out, a: In, n: In };
            /// R[dst] := R[a] >> R[n], logical, any unsigned kind; counts of 64 and more give 0.
            ShrU { dst: Out, a: In, n: In };
            /// Panics (negative shift amount) when R[n] < 0.
            CheckShift { n: In };
            /// R[dst] := -R[a], wrapping, 64 bits.
            Neg { dst: Out, a: In } of Neg I64;
            /// R[dst] := -R[a], wrapping, i32.
            NegI32 { dst: Out, a: In } of Neg I32;
            /// R[dst] := -R[a], wrapping, u32.
            NegU32 { dst: Out, a: In } of Neg U32;
            /// R[dst] := -R[a], wrapping, i16.
            NegI16 { dst: Out, a: In } of Neg I16;
            /// R[dst] := -R[a], wrapping, u16.
            NegU16 { dst: Out, a: In } of Neg U16;
            /// R[dst] := -R[a], wrapping, i8.
            NegI8 { dst: Out, a: In } of Neg I8;
            /// R[dst] := -R[a], wrapping, u8.
            NegU8 { dst: Out, a: In } of Neg U8;
            /// R[dst] := ^R[a], 64 bits and all signed kinds.
            Not { dst: Out, a: In } of Not I64;
            /// R[dst] := ^R[a], u32.
            NotU32 { dst: Out, a: In } of Not U32;
            /// R[dst] := ^R[a], u16.
            NotU16 { dst: Out, a: In } of Not U16;
            /// R[dst] := ^R[a], u8.
            NotU8 { dst: Out, a: In } of Not U8;
            /// R[dst] := !R[a], booleans (0 or 1).
            NotBool { dst: Out, a: In };
            /// R[dst] := R[a] / R[b], truncated, i64; by zero panics (integer divide by zero); MIN
            /// / -1 = MIN.
            DivS { dst: Out, a: In, b: In } of DivS I64;
            /// R[dst] := R[a] / R[b], truncated, i32; by zero panics (integer divide by zero); MIN
            /// / -1 = MIN.
            DivSI32 { dst: Out, a: In, b: In } of DivS I32;
            /// R[dst] := R[a] / R[b], truncated, i16; by zero panics (integer divide by zero); MIN
            /// / -1 = MIN.
            DivSI16 { dst: Out, a: In, b: In } of DivS I16;
            /// R[dst] := R[a] / R[b], truncated, i8; by zero panics (integer divide by zero); MIN /
            /// -1 = MIN.
            DivSI8 { dst: Out, a: In, b: In } of DivS I8;
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
            AddImm { dst: Out, a: In, imm: Imm16 } of AddImm I64;
            /// R[dst] := R[a] + imm (sign-extended), wrapping, i32.
            AddImmI32 { dst: Out, a: In, imm: Imm16 } of AddImm I32;
            /// R[dst] := R[a] + imm (sign-extended), wrapping, u32.
            AddImmU32 { dst: Out, a: In, imm: Imm16 } of AddImm U32;
            /// R[dst] := R[a] + imm (sign-extended), wrapping, i16.
            AddImmI16 { dst: Out, a: In, imm: Imm16 } of AddImm I16;
            /// R[dst] := R[a] + imm (sign-extended), wrapping, u16.
            AddImmU16 { dst: Out, a: In, imm: Imm16 } of AddImm U16;
            /// R[dst] := R[a] + imm (sign-extended), wrapping, i8.
            AddImmI8 { dst: Out, a: In, imm: Imm16 } of AddImm I8;
            /// R[dst] := R[a] + imm (sign-extended), wrapping, u8.
            AddImmU8 { dst: Out, a: In, imm: Imm16 } of AddImm U8;
            /// R[dst] := R[a] * imm (sign-extended), wrapping, 64 bits.
            MulImm { dst: Out, a: In, imm: Imm16 } of MulImm I64;
            /// R[dst] := R[a] * imm (sign-extended), wrapping, i32.
            MulImmI32 { dst: Out, a: In, imm: Imm16 } of MulImm I32;
            /// R[dst] := R[a] * imm (sign-extended), wrapping, u32.
            MulImmU32 { dst: Out, a: In, imm: Imm16 } of MulImm U32;
            /// R[dst] := R[a] << n, 64 bits; n is below the width.
            ShlImm { dst: Out, a: In, n: ImmU16 } of ShlImm I64;
            /// R[dst] := R[a] << n, i32; n is below the width.
            ShlImmI32 { dst: Out, a: In, n: ImmU16 } of ShlImm I32;
            /// R[dst] := R[a] << n, u32; n is below the width.
            ShlImmU32 { dst: Out, a: In, n: ImmU16 } of ShlImm U32;
            /// R[dst] := R[a] << n, i16; n is below the width.
            ShlImmI16 { dst: Out, a: In, n: ImmU16 } of ShlImm I16;
            /// R[dst] := R[a] << n, u16; n is below the width.
            ShlImmU16 { dst: Out, a: In, n: ImmU16 } of ShlImm U16;
            /// R[dst] := R[a] << n, i8; n is below the width.
            ShlImmI8 { dst: Out, a: In, n: ImmU16 } of ShlImm I8;
            /// R[dst] := R[a] << n, u8; n is below the width.
            ShlImmU8 { dst: Out, a: In, n: ImmU16 } of ShlImm U8;
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
            RotateLeftImm { dst: Out, a: In, n: ImmU16 } of RotateLeftImm I64;
            /// R[dst] := R[a] rotated left by n bits, u32.
            RotateLeftImmU32 { dst: Out, a: In, n: ImmU16 } of RotateLeftImm U32;
            /// R[dst] := R[a] rotated left by R[n] modulo 64 bits.
            RotateLeft { dst: Out, a: In, n: In };
            /// R[dst] := R[a] rotated left by R[n] modulo 32 bits, u32.
            RotateLeftU32 { dst: Out, a: In, n: In };
            /// R[dst] := how many zeros R[a] ends with; 64 of 0.
            TrailingZeros { dst: Out, a: In };
            /// R[dst] := how many bits R[a] needs; 0 of 0.
            BitLen { dst: Out, a: In };
            /// R[dst] := how many ones R[a] has.
            OnesCount { dst: Out, a: In };
            /// R[dst] := R[a] with its bytes in reversed order.
            ReverseBytes { dst: Out, a: In };
            /// R[dst] := R[a] + *(R[ptr] + off as *u64), wrapping; nil panics.
            AddMem { dst: Out, a: In, ptr: Ptr, off: XOff } [Reads];
            /// R[dst] := R[a] + (R[s] as *u64)[R[idx]], wrapping; panics unless R[idx] < R[s+1].
            AddElem { dst: Out, a: In, s: In3, idx: XIdx } [Reads];
            /// R[dst] := R[a] + k, wrapping, 64 bits.
            AddConst { dst: Out, a: In, k: XBits } of AddConst I64;
            /// R[dst] := R[a] + k, wrapping, i32.
            AddConstI32 { dst: Out, a: In, k: XBits } of AddConst I32;
            /// R[dst] := R[a] + k, wrapping, u32.
            AddConstU32 { dst: Out, a: In, k: XBits } of AddConst U32;
            /// R[dst] := R[a] * k, wrapping, 64 bits.
            MulConst { dst: Out, a: In, k: XBits } of MulConst I64;
            /// R[dst] := R[a] * k, wrapping, i32.
            MulConstI32 { dst: Out, a: In, k: XBits } of MulConst I32;
            /// R[dst] := R[a] * k, wrapping, u32.
            MulConstU32 { dst: Out, a: In, k: XBits } of MulConst U32;
            /// R[dst] := R[a] & k, any kind.
            AndConst { dst: Out, a: In, k: XBits };
            /// R[dst] := R[a] | k, any kind.
            OrConst { dst: Out, a: In, k: XBits };
            /// R[dst] := R[a] ^ k, any kind.
            XorConst { dst: Out, a: In, k: XBits };
            /// R[dst] := the smaller, signed.
            MinS { dst: Out, a: In, b: In };
            /// R[dst] := the larger, signed.
            MaxS { dst: Out, a: In, b: In };
            /// R[dst] := the smaller, unsigned.
            MinU { dst: Out, a: In, b: In };
            /// R[dst] := the larger, unsigned.
            MaxU { dst: Out, a: In, b: In };
            // ---- Floating point. float64: the bits; float32: the bits zero-extended. Never fused
            // multiply-add.
            /// R[dst] := R[a] + R[b], f64.
            AddF64 { dst: Out, a: In, b: In } of Add F64;
            /// R[dst] := R[a] - R[b], f64.
            SubF64 { dst: Out, a: In, b: In } of Sub F64;
            /// R[dst] := R[a] * R[b], f64.
            MulF64 { dst: Out, a: In, b: In } of Mul F64;
            /// R[dst] := R[a] / R[b], f64.
            DivF64 { dst: Out, a: In, b: In } of Div F64;
            /// R[dst] := -R[a], f64 (flips the sign bit).
            NegF64 { dst: Out, a: In } of Neg F64;
            /// Spec: min: NaN if either is; -0 < +0.
            MinF64 { dst: Out, a: In, b: In } of Min F64;
            /// Spec: max: NaN if either is; -0 < +0.
            MaxF64 { dst: Out, a: In, b: In } of Max F64;
            /// R[dst] := R[a] + R[b], f32.
            AddF32 { dst: Out, a: In, b: In } of Add F32;
            /// R[dst] := R[a] - R[b], f32.
            SubF32 { dst: Out, a: In, b: In } of Sub F32;
            /// R[dst] := R[a] * R[b], f32.
            MulF32 { dst: Out, a: In, b: In } of Mul F32;
            /// R[dst] := R[a] / R[b], f32.
            DivF32 { dst: Out, a: In, b: In } of Div F32;
            /// R[dst] := -R[a], f32 (flips the sign bit).
            NegF32 { dst: Out, a: In } of Neg F32;
            /// Spec: min: NaN if either is; -0 < +0.
            MinF32 { dst: Out, a: In, b: In } of Min F32;
            /// Spec: max: NaN if either is; -0 < +0.
            MaxF32 { dst: Out, a: In, b: In } of Max F32;
            /// R[dst] := R[a] + k, f64; k holds its bits.
            AddF64Const { dst: Out, a: In, k: XBits };
            /// R[dst] := R[a] * k, f64; k holds its bits.
            MulF64Const { dst: Out, a: In, k: XBits };
            /// R[dst] := R[a] / k, f64; k holds its bits.
            DivF64Const { dst: Out, a: In, k: XBits };
            /// R[dst] := k - R[a], f64; k holds its bits.
            ConstSubF64 { dst: Out, a: In, k: XBits };
            /// R[dst] := k / R[a], f64; k holds its bits.
            ConstDivF64 { dst: Out, a: In, k: XBits };
            /// R[dst] := R[c] + R[a] * R[b], f64, rounded twice.
            MulAddF64 { dst: Out, a: In, b: In, c: XIn };
            /// R[dst] := R[a] + *(R[ptr] + off as *f64); nil panics.
            AddF64Mem { dst: Out, a: In, ptr: Ptr, off: XOff } [Reads];
            /// R[dst] := R[a] - *(R[ptr] + off as *f64); nil panics.
            SubF64Mem { dst: Out, a: In, ptr: Ptr, off: XOff } [Reads];
            /// R[dst] := R[a] * *(R[ptr] + off as *f64); nil panics.
            MulF64Mem { dst: Out, a: In, ptr: Ptr, off: XOff } [Reads];
            /// R[dst] := R[a] + (R[s] as *f64)[R[idx]]; panics unless R[idx] < R[s+1].
            AddF64Elem { dst: Out, a: In, s: In3, idx: XIdx } [Reads];
            /// R[dst] := R[a] * (R[s] as *f64)[R[idx]]; panics unless R[idx] < R[s+1].
            MulF64Elem { dst: Out, a: In, s: In3, idx: XIdx } [Reads];
            /// R[dst] := square root, f64.
            SqrtF64 { dst: Out, a: In };
            /// R[dst] := R[a] with the sign bit cleared.
            AbsF64 { dst: Out, a: In };
            /// R[dst] := the greatest integral value not above R[a].
            FloorF64 { dst: Out, a: In };
            // ---- Complex. complex128: two slots (re, im); complex64: one slot, re in the low
            // half.
            /// R[dst..+2] := R[a..+2] + R[b..+2].
            AddC128 { dst: Out2, a: In2, b: In2 } of Add C128;
            /// R[dst] := R[a] + R[b], complex64.
            AddC64 { dst: Out, a: In, b: In } of Add C64;
            /// R[dst..+2] := R[a..+2] - R[b..+2].
            SubC128 { dst: Out2, a: In2, b: In2 } of Sub C128;
            /// R[dst] := R[a] - R[b], complex64.
            SubC64 { dst: Out, a: In, b: In } of Sub C64;
            /// R[dst..+2] := R[a..+2] * R[b..+2].
            MulC128 { dst: Out2, a: In2, b: In2 } of Mul C128;
            /// R[dst] := R[a] * R[b], complex64, computed in complex128.
            MulC64 { dst: Out, a: In, b: In } of Mul C64;
            /// R[dst..+2] := R[a..+2] / R[b..+2] as Go's complex128 division (infinities and NaN:
            /// runtime/complex.go).
            DivC128 { dst: Out2, a: In2, b: In2 } of Div C128;
            /// R[dst] := R[a] / R[b], complex64, computed in complex128.
            DivC64 { dst: Out, a: In, b: In } of Div C64;
            /// R[dst..+2] := -R[a..+2].
            NegC128 { dst: Out2, a: In2 } of Neg C128;
            /// R[dst] := -R[a], complex64.
            NegC64 { dst: Out, a: In } of Neg C64;
            /// R[dst] := both parts equal.
            EqC128 { dst: Out, a: In2, b: In2 };
            /// R[dst] := both parts equal, complex64.
            EqC64 { dst: Out, a: In, b: In };
            /// R[dst..+2] := complex128(R[a]).
            C64ToC128 { dst: Out2, a: In };
            /// R[dst] := complex64(R[a..+2]).
            C128ToC64 { dst: Out, a: In2 };
            /// R[dst] := complex(R[re], R[im]) of two float32.
            MakeC64 { dst: Out, re: In, im: In };
            /// R[dst] := real part, float32.
            RealC64 { dst: Out, a: In };
            /// R[dst] := imaginary part, float32.
            ImagC64 { dst: Out, a: In };
            // ---- Conversions.
            /// R[dst] := R[a] as i8, extended.
            SignExtend8 { dst: Out, a: In };
            /// R[dst] := R[a] as i16, extended.
            SignExtend16 { dst: Out, a: In };
            /// R[dst] := R[a] as i32, extended.
            SignExtend32 { dst: Out, a: In };
            /// R[dst] := R[a] as u8, extended.
            ZeroExtend8 { dst: Out, a: In };
            /// R[dst] := R[a] as u16, extended.
            ZeroExtend16 { dst: Out, a: In };
            /// R[dst] := R[a] as u32, extended.
            ZeroExtend32 { dst: Out, a: In };
            /// R[dst] := float64(int64 R[a]).
            I64ToF64 { dst: Out, a: In };
            /// R[dst] := float64(uint64 R[a]).
            U64ToF64 { dst: Out, a: In };
            /// R[dst] := float32(int64 R[a]), rounded once.
            I64ToF32 { dst: Out, a: In };
            /// R[dst] := float32(uint64 R[a]), rounded once.
            U64ToF32 { dst: Out, a: In };
            /// R[dst] := int64(float64 R[a]); out of range as Go on amd64.
            F64ToI64 { dst: Out, a: In };
            /// R[dst] := int32(float64 R[a]), sign-extended; out of range as Go on amd64. (int8,
            /// int16: followed by SignExtend8, SignExtend16.)
            F64ToI32 { dst: Out, a: In };
            /// R[dst] := uint64(float64 R[a]); out of range as Go on amd64.
            F64ToU64 { dst: Out, a: In };
            /// R[dst] := uint32(float64 R[a]), zero-extended; out of range as Go on amd64. (uint8,
            /// uint16: followed by ZeroExtend8, ZeroExtend16.)
            F64ToU32 { dst: Out, a: In };
            /// R[dst] := float32(R[a]).
            F64ToF32 { dst: Out, a: In };
            /// R[dst] := float64(float32 R[a]).
            F32ToF64 { dst: Out, a: In };
            // ---- Comparisons to a boolean (0 or 1).
            /// R[dst] := R[a] == R[b].
            Eq { dst: Out, a: In, b: In } of Eq I64;
            /// R[dst] := R[a] != R[b].
            Ne { dst: Out, a: In, b: In } of Ne I64;
            /// R[dst] := R[a] < R[b], signed.
            Lt { dst: Out, a: In, b: In } of Lt I64;
            /// R[dst] := R[a] <= R[b], signed.
            Le { dst: Out, a: In, b: In } of Le I64;
            /// R[dst] := R[a] < R[b], unsigned.
            LtU { dst: Out, a: In, b: In } of Lt U64;
            /// R[dst] := R[a] <= R[b], unsigned.
            LeU { dst: Out, a: In, b: In } of Le U64;
            /// R[dst] := R[a] == imm, signed.
            EqImm { dst: Out, a: In, imm: Imm16 } of Eq Imm;
            /// R[dst] := R[a] != imm, signed.
            NeImm { dst: Out, a: In, imm: Imm16 } of Ne Imm;
            /// R[dst] := R[a] < imm, signed.
            LtImm { dst: Out, a: In, imm: Imm16 } of Lt Imm;
            /// R[dst] := R[a] <= imm, signed.
            LeImm { dst: Out, a: In, imm: Imm16 } of Le Imm;
            /// R[dst] := R[a] > imm, signed.
            GtImm { dst: Out, a: In, imm: Imm16 } of Gt Imm;
            /// R[dst] := R[a] >= imm, signed.
            GeImm { dst: Out, a: In, imm: Imm16 } of Ge Imm;
            /// R[dst] := R[a] == R[b], f64.
            EqF64 { dst: Out, a: In, b: In } of Eq F64;
            /// R[dst] := R[a] != R[b], f64.
            NeF64 { dst: Out, a: In, b: In } of Ne F64;
            /// R[dst] := R[a] < R[b], f64.
            LtF64 { dst: Out, a: In, b: In } of Lt F64;
            /// R[dst] := R[a] <= R[b], f64.
            LeF64 { dst: Out, a: In, b: In } of Le F64;
            /// R[dst] := R[a] == R[b], f32.
            EqF32 { dst: Out, a: In, b: In } of Eq F32;
            /// R[dst] := R[a] != R[b], f32.
            NeF32 { dst: Out, a: In, b: In } of Ne F32;
            /// R[dst] := R[a] < R[b], f32.
            LtF32 { dst: Out, a: In, b: In } of Lt F32;
            /// R[dst] := R[a] <= R[b], f32.
            LeF32 { dst: Out, a: In, b: In } of Le F32;
            /// R[dst] := R[a..+2] == R[b..+2], strings.
            EqStr { dst: Out, a: In2, b: In2 } of Eq Str;
            /// R[dst] := R[a..+2] != R[b..+2], strings.
            NeStr { dst: Out, a: In2, b: In2 } of Ne Str;
            /// R[dst] := R[a..+2] < R[b..+2], strings.
            LtStr { dst: Out, a: In2, b: In2 } of Lt Str;
            /// R[dst] := R[a..+2] <= R[b..+2], strings.
            LeStr { dst: Out, a: In2, b: In2 } of Le Str;
            /// R[dst] := two values of type any are equal; panics (comparing uncomparable type T).
            EqEface { dst: Out, a: In2, b: In2 };
            /// The same for two non-empty interfaces (first words: itabs of whatever interface, or
            /// 0).
            EqIface { dst: Out, a: In2, b: In2 };
            /// R[dst] := two values of `typ` (*const Rtype: a struct or array) with memory layout
            /// in the frame are equal; may panic.
            EqTyped { dst: Out, a: InN, b: InN, typ: XType };
            /// R[dst] := two values of `typ` in memory, at R[a] and R[b], are equal; may panic.
            EqMem { dst: Out, a: In, b: In, typ: XType };
            // ---- Jumps. `by` counts words from this instruction. Each J form is followed by its L
            // form: the same for backward jumps, a safepoint when taken (reads g.loop_guard).
            /// pc += by, forward.
            Jump { by: Rel32 } back Loop flow Ends;
            /// pc += by, backward; safepoint.
            Loop { by: Rel32 } flow Ends;
            /// If R[a] != 0: pc += by.
            JumpIf { a: In, by: Rel32 } back LoopIf;
            /// If R[a] != 0: pc += by, backward; safepoint.
            LoopIf { a: In, by: Rel32 };
            /// If R[a] == 0: pc += by.
            JumpUnless { a: In, by: Rel32 } back LoopUnless;
            /// If R[a] == 0: pc += by, backward; safepoint.
            LoopUnless { a: In, by: Rel32 };
            /// If R[a] == R[b]: pc += by.
            JumpEq { a: In, b: In, by: Rel16 } of JumpEq I64 back LoopEq;
            /// If R[a] == R[b]: pc += by, backward; safepoint.
            LoopEq { a: In, b: In, by: Rel16 };
            /// If R[a] != R[b]: pc += by.
            JumpNe { a: In, b: In, by: Rel16 } of JumpNe I64 back LoopNe;
            /// If R[a] != R[b]: pc += by, backward; safepoint.
            LoopNe { a: In, b: In, by: Rel16 };
            /// If R[a] < R[b] (signed): pc += by.
            JumpLt { a: In, b: In, by: Rel16 } of JumpLt I64 back LoopLt;
            /// If R[a] < R[b] (signed): pc += by, backward; safepoint.
            LoopLt { a: In, b: In, by: Rel16 };
            /// If R[a] <= R[b] (signed): pc += by.
            JumpLe { a: In, b: In, by: Rel16 } of JumpLe I64 back LoopLe;
            /// If R[a] <= R[b] (signed): pc += by, backward; safepoint.
            LoopLe { a: In, b: In, by: Rel16 };
            /// If R[a] < R[b] (unsigned): pc += by.
            JumpLtU { a: In, b: In, by: Rel16 } of JumpLt U64 back LoopLtU;
            /// If R[a] < R[b] (unsigned): pc += by, backward; safepoint.
            LoopLtU { a: In, b: In, by: Rel16 };
            /// If R[a] <= R[b] (unsigned): pc += by.
            JumpLeU { a: In, b: In, by: Rel16 } of JumpLe U64 back LoopLeU;
            /// If R[a] <= R[b] (unsigned): pc += by, backward; safepoint.
            LoopLeU { a: In, b: In, by: Rel16 };
            /// If R[a] == imm (signed): pc += by.
            JumpEqImm { a: In, imm: Imm16, by: Rel16 } of JumpEq Imm back LoopEqImm;
            /// If R[a] == imm (signed): pc += by, backward; safepoint.
            LoopEqImm { a: In, imm: Imm16, by: Rel16 };
            /// If R[a] != imm (signed): pc += by.
            JumpNeImm { a: In, imm: Imm16, by: Rel16 } of JumpNe Imm back LoopNeImm;
            /// If R[a] != imm (signed): pc += by, backward; safepoint.
            LoopNeImm { a: In, imm: Imm16, by: Rel16 };
            /// If R[a] < imm (signed): pc += by.
            JumpLtImm { a: In, imm: Imm16, by: Rel16 } of JumpLt Imm back LoopLtImm;
            /// If R[a] < imm (signed): pc += by, backward; safepoint.
            LoopLtImm { a: In, imm: Imm16, by: Rel16 };
            /// If R[a] <= imm (signed): pc += by.
            JumpLeImm { a: In, imm: Imm16, by: Rel16 } of JumpLe Imm back LoopLeImm;
            /// If R[a] <= imm (signed): pc += by, backward; safepoint.
            LoopLeImm { a: In, imm: Imm16, by: Rel16 };
            /// If R[a] > imm (signed): pc += by.
            JumpGtImm { a: In, imm: Imm16, by: Rel16 } of JumpGt Imm back LoopGtImm;
            /// If R[a] > imm (signed): pc += by, backward; safepoint.
            LoopGtImm { a: In, imm: Imm16, by: Rel16 };
            /// If R[a] >= imm (signed): pc += by.
            JumpGeImm { a: In, imm: Imm16, by: Rel16 } of JumpGe Imm back LoopGeImm;
            /// If R[a] >= imm (signed): pc += by, backward; safepoint.
            LoopGeImm { a: In, imm: Imm16, by: Rel16 };
            /// If R[a] < imm (unsigned): pc += by.
            JumpLtUImm { a: In, imm: ImmU16, by: Rel16 } of JumpLt UImm back LoopLtUImm;
            /// If R[a] < imm (unsigned): pc += by, backward; safepoint.
            LoopLtUImm { a: In, imm: ImmU16, by: Rel16 };
            /// If R[a] <= imm (unsigned): pc += by.
            JumpLeUImm { a: In, imm: ImmU16, by: Rel16 } of JumpLe UImm back LoopLeUImm;
            /// If R[a] <= imm (unsigned): pc += by, backward; safepoint.
            LoopLeUImm { a: In, imm: ImmU16, by: Rel16 };
            /// If R[a] > imm (unsigned): pc += by.
            JumpGtUImm { a: In, imm: ImmU16, by: Rel16 } of JumpGt UImm back LoopGtUImm;
            /// If R[a] > imm (unsigned): pc += by, backward; safepoint.
            LoopGtUImm { a: In, imm: ImmU16, by: Rel16 };
            /// If R[a] >= imm (unsigned): pc += by.
            JumpGeUImm { a: In, imm: ImmU16, by: Rel16 } of JumpGe UImm back LoopGeUImm;
            /// If R[a] >= imm (unsigned): pc += by, backward; safepoint.
            LoopGeUImm { a: In, imm: ImmU16, by: Rel16 };
            /// If R[a] == k: pc += by.
            JumpEqConst { a: In, by: Rel32, k: XBits } of JumpEq Const back LoopEqConst;
            /// If R[a] == k: pc += by, backward; safepoint.
            LoopEqConst { a: In, by: Rel32, k: XBits };
            /// If R[a] != k: pc += by.
            JumpNeConst { a: In, by: Rel32, k: XBits } of JumpNe Const back LoopNeConst;
            /// If R[a] != k: pc += by, backward; safepoint.
            LoopNeConst { a: In, by: Rel32, k: XBits };
            /// If R[a] < k (signed): pc += by.
            JumpLtConst { a: In, by: Rel32, k: XBits } of JumpLt Const back LoopLtConst;
            /// If R[a] < k (signed): pc += by, backward; safepoint.
            LoopLtConst { a: In, by: Rel32, k: XBits };
            /// If R[a] <= k (signed): pc += by.
            JumpLeConst { a: In, by: Rel32, k: XBits } of JumpLe Const back LoopLeConst;
            /// If R[a] <= k (signed): pc += by, backward; safepoint.
            LoopLeConst { a: In, by: Rel32, k: XBits };
            /// If R[a] > k (signed): pc += by.
            JumpGtConst { a: In, by: Rel32, k: XBits } of JumpGt Const back LoopGtConst;
            /// If R[a] > k (signed): pc += by, backward; safepoint.
            LoopGtConst { a: In, by: Rel32, k: XBits };
            /// If R[a] >= k (signed): pc += by.
            JumpGeConst { a: In, by: Rel32, k: XBits } of JumpGe Const back LoopGeConst;
            /// If R[a] >= k (signed): pc += by, backward; safepoint.
            LoopGeConst { a: In, by: Rel32, k: XBits };
            /// If R[a] is the type `typ`: pc += by, forward.
            JumpEqType { a: In, by: Rel32, typ: XType };
            /// If R[a] is another type than `typ`: pc += by, forward.
            JumpNeType { a: In, by: Rel32, typ: XType };
            /// If R[a] == R[b] (f64): pc += by.
            JumpEqF64 { a: In, b: In, by: Rel16 } of JumpEq F64 back LoopEqF64;
            /// If R[a] == R[b] (f64): pc += by, backward; safepoint.
            LoopEqF64 { a: In, b: In, by: Rel16 };
            /// If R[a] != R[b] (f64): pc += by.
            JumpNeF64 { a: In, b: In, by: Rel16 } of JumpNe F64 back LoopNeF64;
            /// If R[a] != R[b] (f64): pc += by, backward; safepoint.
            LoopNeF64 { a: In, b: In, by: Rel16 };
            /// If R[a] < R[b] (f64): pc += by.
            JumpLtF64 { a: In, b: In, by: Rel16 } of JumpLt F64 back LoopLtF64;
            /// If R[a] < R[b] (f64): pc += by, backward; safepoint.
            LoopLtF64 { a: In, b: In, by: Rel16 };
            /// If R[a] <= R[b] (f64): pc += by.
            JumpLeF64 { a: In, b: In, by: Rel16 } of JumpLe F64 back LoopLeF64;
            /// If R[a] <= R[b] (f64): pc += by, backward; safepoint.
            LoopLeF64 { a: In, b: In, by: Rel16 };
            /// If not R[a] < R[b] (f64): pc += by.
            JumpNotLtF64 { a: In, b: In, by: Rel16 } of JumpNotLt F64 back LoopNotLtF64;
            /// If not R[a] < R[b] (f64): pc += by, backward; safepoint.
            LoopNotLtF64 { a: In, b: In, by: Rel16 };
            /// If not R[a] <= R[b] (f64): pc += by.
            JumpNotLeF64 { a: In, b: In, by: Rel16 } of JumpNotLe F64 back LoopNotLeF64;
            /// If not R[a] <= R[b] (f64): pc += by, backward; safepoint.
            LoopNotLeF64 { a: In, b: In, by: Rel16 };
            /// If R[a] == R[b] (f32): pc += by.
            JumpEqF32 { a: In, b: In, by: Rel16 } of JumpEq F32 back LoopEqF32;
            /// If R[a] == R[b] (f32): pc += by, backward; safepoint.
            LoopEqF32 { a: In, b: In, by: Rel16 };
            /// If R[a] != R[b] (f32): pc += by.
            JumpNeF32 { a: In, b: In, by: Rel16 } of JumpNe F32 back LoopNeF32;
            /// If R[a] != R[b] (f32): pc += by, backward; safepoint.
            LoopNeF32 { a: In, b: In, by: Rel16 };
            /// If R[a] < R[b] (f32): pc += by.
            JumpLtF32 { a: In, b: In, by: Rel16 } of JumpLt F32 back LoopLtF32;
            /// If R[a] < R[b] (f32): pc += by, backward; safepoint.
            LoopLtF32 { a: In, b: In, by: Rel16 };
            /// If R[a] <= R[b] (f32): pc += by.
            JumpLeF32 { a: In, b: In, by: Rel16 } of JumpLe F32 back LoopLeF32;
            /// If R[a] <= R[b] (f32): pc += by, backward; safepoint.
            LoopLeF32 { a: In, b: In, by: Rel16 };
            /// If not R[a] < R[b] (f32): pc += by.
            JumpNotLtF32 { a: In, b: In, by: Rel16 } of JumpNotLt F32 back LoopNotLtF32;
            /// If not R[a] < R[b] (f32): pc += by, backward; safepoint.
            LoopNotLtF32 { a: In, b: In, by: Rel16 };
            /// If not R[a] <= R[b] (f32): pc += by.
            JumpNotLeF32 { a: In, b: In, by: Rel16 } of JumpNotLe F32 back LoopNotLeF32;
            /// If not R[a] <= R[b] (f32): pc += by, backward; safepoint.
            LoopNotLeF32 { a: In, b: In, by: Rel16 };
            /// If R[a..+2] == R[b..+2], strings: pc += by.
            JumpEqStr { a: In2, b: In2, by: Rel16 } of JumpEq Str back LoopEqStr;
            /// If R[a..+2] == R[b..+2], strings: pc += by, backward; safepoint.
            LoopEqStr { a: In2, b: In2, by: Rel16 };
            /// If R[a..+2] != R[b..+2], strings: pc += by.
            JumpNeStr { a: In2, b: In2, by: Rel16 } of JumpNe Str back LoopNeStr;
            /// If R[a..+2] != R[b..+2], strings: pc += by, backward; safepoint.
            LoopNeStr { a: In2, b: In2, by: Rel16 };
            /// R[i] += 1; if R[i] < R[n] (signed): pc += by, backward; safepoint.
            IncLoopLt { i: Upd, n: In, by: Rel16 } [Turn];
            /// R[i] += 1; if R[i] <= R[n] (signed): pc += by, backward; safepoint.
            IncLoopLe { i: Upd, n: In, by: Rel16 } [Turn];
            /// R[i] += 1; if R[i] < imm (signed): pc += by, backward; safepoint.
            IncLoopLtImm { i: Upd, imm: Imm16, by: Rel16 } [Turn];
            /// R[i] += 1; if R[i] <= imm (signed): pc += by, backward; safepoint.
            IncLoopLeImm { i: Upd, imm: Imm16, by: Rel16 } [Turn];
            /// R[i] += 1; if R[i] < k (signed): pc += by, backward; safepoint.
            IncLoopLtConst { i: Upd, by: Rel32, k: XBits } [Turn];
            /// R[i] += 1; if R[i] <= k (signed): pc += by, backward; safepoint.
            IncLoopLeConst { i: Upd, by: Rel32, k: XBits } [Turn];
            /// R[i] -= 1; if R[i] > imm (signed): pc += by, backward; safepoint.
            DecLoopGtImm { i: Upd, imm: Imm16, by: Rel16 } [Turn];
            /// R[i] -= 1; if R[i] >= imm (signed): pc += by, backward; safepoint.
            DecLoopGeImm { i: Upd, imm: Imm16, by: Rel16 } [Turn];
            /// R[i] += R[step]; if R[i] < R[n] (signed): pc += by, backward; safepoint.
            AddLoopLt { i: Upd, step: In, by: Rel16, n: XIn } [Turn];
            /// R[i] += R[step]; if R[i] <= R[n] (signed): pc += by, backward; safepoint.
            AddLoopLe { i: Upd, step: In, by: Rel16, n: XIn } [Turn];
            // ---- Calls. A window begins `win` slots above fp: results, parameters, closure word
            // as `abi` lays them; its header is the two slots below.
            /// Prologue: unless fp + 8*frame is above g.stackguard0, go on; else leave (grow the
            /// stack or yield), and do this instruction again. Then R[first..+n] := 0. `frame`
            /// includes the largest window and its header.
            Enter { frame: ImmU16, first: ImmU16, n: ImmU16 };
            /// fp[win-1] := address of the next instruction, fp[win-2] := 8*win, fp += 8*win, pc :=
            /// functions[func].entry.
            Call { win: Win, func: Func };
            /// Calls the func value R[clo] (*{func index: u64, captures…}; nil panics): R[win+cw]
            /// := R[clo] (its closure word), then as Call.
            CallClosure { win: Win, clo: In, cw: ImmU16 };
            /// Calls method m of the non-empty interface R[iface..+2] (itab 0 panics): R[win+recv]
            /// := data word, then as Call of itab.funcs[m].
            CallIface { win: Win, iface: In2, m: Method, recv: XNum };
            /// Locks the sync.Mutex at R[ptr] and pc += by, past the native that waits for it, if
            /// it is free; else goes on. Nil panics.
            LockJump { ptr: Ptr, by: Rel32 } [Locks(ptr)];
            /// Unlocks the sync.Mutex at R[ptr]; pc += by, past the native that wakes a waiting
            /// goroutine, if none waits; else goes on. Nil panics.
            UnlockJump { ptr: Ptr, by: Rel32 } [Unlocks(ptr)];
            /// Calls the native function with the window at fp + 8*win. It may park; the results
            /// are in the window at the next instruction.
            CallNative { win: Win, native: Native } [Calls];
            /// pc := fp[-1], fp -= fp[-2].
            Ret { } flow Returns;
            /// R[0] := R[src]; then as Ret.
            RetMov { src: In } flow ReturnsOne;
            /// R[0] := imm, sign-extended; then as Ret. (imm in b, c.)
            RetImm { imm: Imm32 } flow ReturnsOne;
            /// Starts a goroutine that calls the func value R[clo], which has no parameters and
            /// results (nil: fatal error, go of nil func value).
            Go { clo: In };
            /// Pushes a defer record for this frame: func value R[clo] without parameters and
            /// results (nil panics when run).
            Defer { clo: In };
            /// Pushes a defer record for this frame that stands for all func values in the slice
            /// that R[list] points to, as it is when the record's turn comes, the last one first.
            DeferList { list: Ptr } [Untouched];
            /// Runs and pops this frame's newest defer record: its func value is called with the
            /// window at `win` (the closure word is slot 0) and this instruction as resume pc; when
            /// there is no record left, goes on.
            RunDefers { win: Win };
            /// panic(R[v..+2]), a value of type any (nil: *runtime.PanicNilError).
            Panic { v: In2 } flow Ends;
            /// R[dst..+2] := recover(). The caller of this function must be the stub that runs
            /// deferred calls (wrappers skipped).
            Recover { dst: Out2 };
            /// Only at `defer_return`: nothing; marks where a recovered frame goes on. (Boxed
            /// results are copied by the ordinary instructions after it.)
            CopyResults { };
            /// Never executed: throw.
            Unreachable { } flow Ends;
            /// The pc a goroutine's first function returns to: the G is done.
            StubGoexit { };
            /// The pc to which a function called by a native returns: leaves the nested run.
            StubNativeReturn { };
            /// The pc to which a deferred call run by a panic or Goexit returns: takes the next
            /// record.
            StubPanicReturn { };
            // ---- Allocation. Never a safepoint.
            /// R[dst] := a zeroed heap object of any size.
            New { dst: Out, layout: Layout, size: XNum };
            /// R[dst] := a zeroed heap object of sl = size | layout << 32 whose first word is func.
            /// Captures are stored by the instructions that follow.
            MakeClosure { dst: Out, func: Func, sl: XSizeLayout };
            /// R[dst..+3] := make([]E, R[len], R[len+1]), elem = *const Rtype of E; panics
            /// (makeslice: len out of range, makeslice: cap out of range).
            MakeSlice { dst: Out3, len: In2, elem: XType };
            /// R[dst] := make(M, R[hint]), typ = *const Rtype of the map type.
            MakeMap { dst: Out, hint: In, typ: XType };
            /// R[dst] := make(C, R[size]), typ = *const Rtype of the channel type; panics
            /// (makechan: size out of range).
            MakeChan { dst: Out, size: In, typ: XType };
            /// R[dst..+3] := append(R[s..+3], v): low 8 bits of R[v]. elem = *const Rtype.
            Push8 { dst: Out3, s: In3, v: In, elem: XType } [Appends] of Push U8;
            /// R[dst..+3] := append(R[s..+3], v): low 16 bits of R[v]. elem = *const Rtype.
            Push16 { dst: Out3, s: In3, v: In, elem: XType } [Appends] of Push U16;
            /// R[dst..+3] := append(R[s..+3], v): low 32 bits of R[v]. elem = *const Rtype.
            Push32 { dst: Out3, s: In3, v: In, elem: XType } [Appends] of Push U32;
            /// R[dst..+3] := append(R[s..+3], v): R[v], no pointer. elem = *const Rtype.
            Push64 { dst: Out3, s: In3, v: In, elem: XType } [Appends] of Push I64;
            /// R[dst..+3] := append(R[s..+3], v): the pointer R[v], by store_ptr. elem = *const
            /// Rtype.
            PushPtr { dst: Out3, s: In3, v: In, elem: XType } [Appends] of Push Ptr;
            /// R[dst..+3] := append(R[s..+3], v): the string R[v..+2]; its first word by store_ptr.
            /// elem = *const Rtype.
            PushStr { dst: Out3, s: In3, v: In2, elem: XType } [Appends] of Push Str;
            /// R[dst..+3] := append(R[s..+3], v): the slice R[v..+3]; its first word by store_ptr.
            /// elem = *const Rtype.
            PushSlice { dst: Out3, s: In3, v: In3, elem: XType } [Appends] of Push Slice;
            /// R[dst..+3] := append(R[s..+3], v): the interface R[v..+2]; its second word by
            /// store_ptr. elem = *const Rtype.
            PushIface { dst: Out3, s: In3, v: In2, elem: XType } [Appends] of Push Iface;
            /// R[dst..+3] := append(R[s..+3], v), v of the type elem (*const Rtype) with memory
            /// layout in the frame.
            PushTyped { dst: Out3, s: In3, v: InN, elem: XType } [Appends] of Push Typed;
            /// R[dst..+3] := R[s..+3] lengthened by R[n] (zeroed if memory is new), reallocated as
            /// append does when it exceeds the capacity.
            GrowSlice { dst: Out3, s: In3, n: In, elem: XType } [Grows(n)];
            /// R[dst..+3] := append(R[s..+3], R[t..+3]...).
            AppendSlice { dst: Out3, s: In3, t: In3, elem: XType } [ReadsAll(t), Appends(t)];
            /// R[dst..+3] := append([]byte R[s..+3], string R[t..+2]...).
            AppendString { dst: Out3, s: In3, t: In2 } [Appends(t)];
            /// R[n] := copy(R[d..+3], R[s..+3]).
            CopySlice { n: Out, d: In3, s: In3, elem: XType } [Copies];
            /// R[n] := copy([]byte R[d..+3], string R[s..+2]).
            CopyString { n: Out, d: In3, s: In2 } [Copies];
            /// clear(R[s..+3]).
            ClearSlice { s: In3, elem: XType } [WritesAll(s)];
            /// R[dst..+3] := R[s..+3][lo:hi], lo = R[ix], hi = R[ix+1]; panics as Go (… with
            /// capacity N). A result of capacity 0 keeps the pointer R[s].
            SliceOfSlice { dst: Out3, s: In3, ix: Idx2, stride: XNum } [Untouched];
            /// R[dst..+3] := R[s..+3][lo:hi:max], from R[ix..+3].
            SliceOfSlice3 { dst: Out3, s: In3, ix: Idx3, stride: XNum } [Untouched];
            /// R[dst..+3] := (*R[ptr])[lo:hi] of an array of len elements; nil panics; panics as Go
            /// (… with length N).
            SliceOfArray { dst: Out3, ptr: Ptr, ix: Idx2, len: XNum, stride: XNum } [Untouched];
            /// R[dst..+3] := (*R[ptr])[lo:hi:max].
            SliceOfArray3 { dst: Out3, ptr: Ptr, ix: Idx3, len: XNum, stride: XNum } [Untouched];
            /// R[dst..+2] := R[s..+2][lo:hi]; panics as Go (… with length N).
            SliceOfStr { dst: Out2, s: In2, ix: Idx2 };
            /// R[dst] := R[s] as *[len]E; panics (cannot convert slice with length R[s+1] to array
            /// or pointer to array with length len).
            SliceToArray { dst: Out, s: In3, len: XNum } [Untouched];
            /// R[dst..+3] := unsafe.Slice(R[p], R[n]); panics as Go.
            UnsafeSlice { dst: Out3, p: In, n: In, elem: XType };
            /// R[dst..+2] := unsafe.String(R[p], R[n]); panics as Go.
            UnsafeString { dst: Out2, p: In, n: In };
            // ---- Strings.
            /// R[dst] := byte R[idx] of R[s..+2]; panics (index out of range).
            StrIndex { dst: Out, s: In2, idx: Idx };
            /// R[dst..+2] := R[a..+2] + R[b..+2].
            Concat2 { dst: Out2, a: In2, b: In2 };
            /// R[dst..+2] := n strings from R[base..] on, concatenated.
            ConcatN { dst: Out2, base: InN, n: Pairs };
            /// R[dst..+2] := string([]byte R[s..+3]).
            StrOfBytes { dst: Out2, s: In3 } [ReadsAll(s)];
            /// R[dst..+2] := the bytes of R[s..+3] as a string that shares their memory, for one
            /// comparison.
            ViewOfBytes { dst: Out2, s: In3 } [ReadsAll(s)];
            /// R[dst..+3] := []byte(R[s..+2]).
            BytesOfStr { dst: Out3, s: In2 };
            /// R[dst..+2] := string([]rune R[s..+3]).
            StrOfRunes { dst: Out2, s: In3 } [ReadsRunes(s)];
            /// R[dst..+3] := []rune(R[s..+2]).
            RunesOfStr { dst: Out3, s: In2 };
            /// R[dst..+2] := string(rune): R[a] is an integer extended to int64; invalid ones give
            /// U+FFFD.
            StrOfRune { dst: Out2, a: In };
            /// Decodes at byte R[it] < length: R[r] := the rune (U+FFFD, width 1 if invalid), R[it]
            /// += its width.
            StrNext { it: Upd, s: In2, r: Out };
            // ---- Maps. typ = *const Rtype of the map type. Suffix 32, 64, Str: keys of 4 bytes,
            // of 8 bytes (no floats), strings. Keys lie in slots as values do.
            /// R[dst..] := m[k], or zero.
            MapGet { dst: ElemOut, m: In, k: KeyIn, typ: XType } [Reads(m)] of MapGet Any;
            /// R[dst..] := m[k], or zero; R[ok] := present.
            MapGetOk { dst: ElemOut, m: In, k: KeyIn, typ: XType, ok: XOut }
                [Reads(m)] of MapGetOk Any;
            /// m[k] = v; nil panics (assignment to entry in nil map).
            MapSet { m: In, k: KeyIn, v: ElemIn, typ: XType } [Writes(m)] of MapSet Any;
            /// R[dst] := address of the element of k, inserted as zero if absent; valid until the
            /// next operation on the map.
            MapAddr { dst: Out, m: In, k: KeyIn, typ: XType } [Writes(m)] of MapAddr Any;
            /// delete(m, k).
            MapDelete { m: In, k: KeyIn, typ: XType } [Writes(m)] of MapDelete Any;
            /// R[dst..] := m[k], or zero.
            MapGet32 { dst: ElemOut, m: In, k: In, typ: XType } [Reads(m)] of MapGet U32;
            /// R[dst..] := m[k], or zero; R[ok] := present.
            MapGetOk32 { dst: ElemOut, m: In, k: In, typ: XType, ok: XOut }
                [Reads(m)] of MapGetOk U32;
            /// m[k] = v; nil panics (assignment to entry in nil map).
            MapSet32 { m: In, k: In, v: ElemIn, typ: XType } [Writes(m)] of MapSet U32;
            /// R[dst] := address of the element of k, inserted as zero if absent; valid until the
            /// next operation on the map.
            MapAddr32 { dst: Out, m: In, k: In, typ: XType } [Writes(m)] of MapAddr U32;
            /// delete(m, k).
            MapDelete32 { m: In, k: In, typ: XType } [Writes(m)] of MapDelete U32;
            /// R[dst..] := m[k], or zero.
            MapGet64 { dst: ElemOut, m: In, k: In, typ: XType } [Reads(m)] of MapGet I64;
            /// R[dst..] := m[k], or zero; R[ok] := present.
            MapGetOk64 { dst: ElemOut, m: In, k: In, typ: XType, ok: XOut }
                [Reads(m)] of MapGetOk I64;
            /// m[k] = v; nil panics (assignment to entry in nil map).
            MapSet64 { m: In, k: In, v: ElemIn, typ: XType } [Writes(m)] of MapSet I64;
            /// R[dst] := address of the element of k, inserted as zero if absent; valid until the
            /// next operation on the map.
            MapAddr64 { dst: Out, m: In, k: In, typ: XType } [Writes(m)] of MapAddr I64;
            /// delete(m, k).
            MapDelete64 { m: In, k: In, typ: XType } [Writes(m)] of MapDelete I64;
            /// R[dst..] := m[k], or zero.
            MapGetStr { dst: ElemOut, m: In, k: In2, typ: XType } [Reads(m)] of MapGet Str;
            /// R[dst..] := m[k], or zero; R[ok] := present.
            MapGetOkStr { dst: ElemOut, m: In, k: In2, typ: XType, ok: XOut }
                [Reads(m)] of MapGetOk Str;
            /// m[k] = v; nil panics (assignment to entry in nil map).
            MapSetStr { m: In, k: In2, v: ElemIn, typ: XType } [Writes(m)] of MapSet Str;
            /// R[dst] := address of the element of k, inserted as zero if absent; valid until the
            /// next operation on the map.
            MapAddrStr { dst: Out, m: In, k: In2, typ: XType } [Writes(m)] of MapAddr Str;
            /// delete(m, k).
            MapDeleteStr { m: In, k: In2, typ: XType } [Writes(m)] of MapDelete Str;
            /// R[dst] := address of the element of k, or 0 if absent; valid until the next
            /// operation on the map. (Any kind of key.)
            MapFind { dst: Out, m: In, k: KeyIn, typ: XType } [Reads(m)];
            /// R[dst] := len(m).
            MapLen { dst: Out, m: In } [Reads(m)];
            /// clear(m).
            MapClear { m: In, typ: XType } [Writes(m)];
            /// R[it..+8] := an iterator; words 0 and 1 are pointers, the others scalars.
            MapIter { it: IterOut, m: In, typ: XType } [Reads(m)];
            /// R[k..], R[v..] := the next entry (either slot may be NONE); at the end pc += done.
            MapNext { it: IterUpd, k: OptKeyOut, v: OptElemOut, typ: XType, done: XRel }
                [Reads(it)];
            // ---- Channels. Values lie in slots; received ones are written with their memory size
            // only (the compiler extends narrow ones afterwards).
            /// R[ch] <- R[v..+n]. Goes on behind the SendDone that follows, or parks and resumes at
            /// it. Nil parks forever; closed panics.
            Send { ch: In, v: InN, n: Slots } [Sends(ch)] flow Halves;
            /// Completes a Send that parked: panics if the channel was closed. Until then a
            /// receiver may read R[v..+n].
            SendDone { ch: In, v: InN, n: Slots } [Untouched];
            /// R[dst..+n], R[ok] := <-R[ch] (either slot may be NONE). Goes on behind the RecvDone
            /// that follows, or zeroes R[dst..+n], parks and resumes at it.
            Recv { dst: OptOutN, ch: In, ok: OptOut, n: XSlots } [Receives(ch)] flow Halves;
            /// Completes a Recv that parked: R[ok] := the value came from a sender, which has
            /// written R[dst..+n] itself.
            RecvDone { dst: OptInN, ch: In, ok: OptOut, n: XSlots } [Untouched];
            /// close(R[ch]); nil and closed panic.
            Close { ch: In } [Closes(ch)];
            /// R[dst] := len(R[ch]); nil gives 0.
            ChanLen { dst: Out, ch: In } [Looks(ch)];
            /// R[dst] := cap(R[ch]); nil gives 0.
            ChanCap { dst: Out, ch: In } [Untouched];
            /// Prepares a case: R[blk] := R[ch], R[blk+1] := v as a slot number (NONE: zero size).
            /// R[v..+n] is read until the select is done.
            SelectSend { blk: Out2, ch: In, v: OptInN, n: XSlots } [Untouched];
            /// Prepares a case: R[blk] := R[ch], R[blk+1] := v as a slot number (NONE: not wanted)
            /// | 1 << 16; R[v..+n] := 0. A sender may write R[v..+n] until the select is done.
            SelectRecv { blk: Out2, ch: In, v: OptOutN, n: XSlots } [Untouched];
            /// select over the n prepared cases at R[blk..+2n]: R[idx] := the chosen one, R[ok] :=
            /// received from a sender. flags bit 0: there is a default, chosen as -1. Goes on
            /// behind the SelectDone that follows, or parks and resumes at it. A send on a closed
            /// channel panics.
            Select { idx: Out, blk: InN, n: Pairs, flags: XNum, ok: XOut }
                [Selects(blk)] flow Halves;
            /// Completes a Select that parked.
            SelectDone { idx: Out, blk: InN, n: Pairs, flags: XNum, ok: XOut };
            // ---- Interfaces. any = (rtype, data), others = (itab, data); nil has first word 0.
            /// R[dst..+2] := tab, R[v]: a type whose value is its data word.
            MakeIface { dst: Out2, v: In, tab: XTab };
            /// R[dst..+2] := tab, a fresh heap copy of the value at R[v..]; sl = size | layout <<
            /// 32 (size 0: zerobase).
            BoxIface { dst: Out2, v: InN, tab: XTab, sl: XSizeLayout };
            /// R[dst] := the rtype of the itab R[itab], or 0 for 0.
            ItabType { dst: Out, itab: In };
            /// R[dst..+2] := the non-empty interface R[src..+2] as any.
            IfaceToEface { dst: Out2, src: In2 };
            /// R[dst..+2] := the any R[src..+2] as the non-empty interface typ (*const Rtype),
            /// which it implements; nil stays nil.
            EfaceToIface { dst: Out2, src: In2, typ: XType };
            /// Panics (interface conversion: …) unless the any R[src..+2] holds exactly typ; stat =
            /// rtype of the static type.
            AssertTypeEface { src: In2, typ: XType, stat: XType };
            /// The same for a non-empty interface.
            AssertTypeIface { src: In2, typ: XType, stat: XType };
            /// R[dst..+2] := the any R[src..+2] as the non-empty interface typ; panics when nil or
            /// a method is missing.
            AssertToIface { dst: Out2, src: In2, typ: XType };
            /// The same with R[ok]; the zero value on failure.
            AssertToIfaceOk { dst: Out2, src: In2, ok: Out, typ: XType };
            /// R[dst..+2] := R[src..+2], both any; panics when nil (x.(any)).
            AssertToEface { dst: Out2, src: In2 };
            /// Panics with the run-time error text (value method main.T.M called using nil *T
            /// pointer), n bytes at `text`.
            MethodNil { text: XData, n: XNum };
            // ---- Built-in print.
            /// Writes to standard error as print does: kind 0 bool, 1 int, 2 uint, 3 float64, 4
            /// complex128, 5 string, 6 pointer, 7 interface (either), 8 slice. kind 9: a space; 10:
            /// a newline (v unused); 11 float32, 12 complex64.
            Print { v: InN, kind: Printed };
            /// 1: begins a print statement, 0: ends it; output of one statement is not mixed with
            /// others'.
            PrintLock { on: ImmU16 };
        }
    };
}
