//! What each instruction does: the table of bodies, from which both dispatchers are made.
//!
//! A row of `for_each_body!` is a list of opcodes and one body. In a body `s` is the registers
//! ([`Regs`](super::Regs)) and `i` the decoded instruction (`insn::Add` for `Add`); when the body
//! ends, control goes to the next instruction. An opcode may have a type after a colon: the body
//! calls it `T`, so that instructions which differ in the width of a number, in the kind of a value
//! or in an operator share a row. What an instruction means stands in `bytecode/table.rs`.
//!
//! Bodies rest on exec::X1 to X5. They leave early by these macros, which each
//! dispatcher has in its own form:
//!
//! - `next!(s, i)` goes to the next instruction, `jump!(s, by)` to the one `by` words from here,
//!   `go!(s, pc, fp)` to any instruction on any frame;
//! - `leave!(s, status)` saves the registers and returns from the dispatcher, `leave_at!(s, pc,
//!   status)` does so with another `pc`.

/// The pointer in a slot; leaves if it is nil.
macro_rules! nonnil {
    ($s:ident, $slot:expr) => {{
        let p = $s.get($slot) as usize;
        if p < NIL_PAGE {
            leave!($s, Status::Nil)
        }
        p
    }};
}

/// The address `i.off` bytes behind the pointer `i.ptr`; leaves if that is nil.
macro_rules! field {
    ($s:ident, $i:ident) => {
        nonnil!($s, $i.ptr).wrapping_add($i.off as usize)
    };
}

/// The index `$x`; leaves if it is not below `$len`.
macro_rules! index {
    ($s:ident, $x:expr, $len:expr) => {{
        let x = $x as usize;
        let n = $len;
        if x >= n {
            (*Words::at($s.g)).index = x;
            (*Words::at($s.g)).len = n;
            leave!($s, Status::Bounds)
        }
        x
    }};
}

/// The data of the slice or string in slot `$slice`, and the index `$x`; leaves if there is no such
/// element.
macro_rules! element {
    ($s:ident, $slice:expr, $x:expr) => {{
        let x = index!($s, $x, $s.get($slice + 1) as usize);
        ($s.get($slice) as usize, x)
    }};
}

/// The array in the frame at `i.base`, and the index `i.idx`; leaves if there is no such element.
macro_rules! frame_element {
    ($s:ident, $i:ident) => {{
        let (len, off) = halves($i.lo);
        let x = index!($s, $s.get($i.idx), len);
        (($s.at($i.base) as usize).wrapping_add(off), x)
    }};
}

/// As `frame_element!`, for elements of any size: the address and the size of a part of one.
macro_rules! frame_part {
    ($s:ident, $i:ident) => {{
        let (len, stride) = halves($i.ls);
        let (off, size) = halves($i.os);
        let x = index!($s, $s.get($i.idx), len);
        let p = ($s.at($i.base) as usize).wrapping_add(off);
        (p.wrapping_add(x.wrapping_mul(stride)), size)
    }};
}

/// The array that `i.ptr` points to and the index `i.idx`; leaves if the pointer is nil or there is
/// no such element.
macro_rules! array_element {
    ($s:ident, $i:ident) => {{
        let p = nonnil!($s, $i.ptr);
        (p, index!($s, $s.get($i.idx), $i.len as usize))
    }};
}

/// Jumps backward, which is a safepoint.
macro_rules! back {
    ($s:ident, $by:expr) => {{
        let to = $s.pc.offset($by as isize);
        if $s.is_asked_to_stop() {
            leave_at!($s, to, Status::Loop)
        }
        go!($s, to, $s.fp)
    }};
}

/// Jumps by `jump!` or `back!` if the condition holds.
macro_rules! branch {
    ($s:ident, $i:ident, $jump:ident, $condition:expr) => {
        if $condition {
            keep_branch();
            $jump!($s, $i.by)
        }
    };
}

/// Adds to the counter `i.i`, and jumps backward if the relation holds between it and the limit.
macro_rules! count {
    ($s:ident, $i:ident, $relation:ty, $by:expr, $limit:expr) => {{
        let x = ($s.get($i.i) as i64).wrapping_add($by);
        $s.set($i.i, x as u64);
        branch!($s, $i, back, <$relation>::holds(x, $limit as i64))
    }};
}

/// Calls the function at `$entry` with its frame at slot `$win`; it returns to `$pc`.
macro_rules! enter {
    ($s:ident, $pc:expr, $win:expr, $entry:expr) => {{
        let fp = $s.at($win);
        let entry = $entry;
        *fp.sub(1) = $pc as u64;
        *fp.sub(2) = $win as u64 * 8;
        go!($s, entry, fp)
    }};
}

/// The address of the instruction behind this one.
macro_rules! behind {
    ($s:ident, $i:ident) => {
        $s.pc.byte_add(size_of_val(&$i))
    };
}

/// Has the function `$f` of `slow` do it all. The registers are saved first: `$f` may raise a panic
/// or fault, and the traceback then finds them in `g.sched`.
macro_rules! slow {
    ($s:ident, $i:ident, $f:ident) => {{
        $s.save();
        let st = slow::$f($s.pc, $s.fp, $s.g);
        if st != 0 {
            leave!($s, st)
        }
        next!($s, $i)
    }};
}

/// Has the function `$f` of `slow` begin what the next instruction, a `$done`, completes if the
/// goroutine parks; control goes behind both if it need not.
macro_rules! half {
    ($s:ident, $i:ident, $f:ident, $done:ident) => {{
        let st = slow::$f($s.pc, $s.fp, $s.g);
        let done = behind!($s, $i);
        if st == 0 {
            go!($s, done.byte_add(size_of::<insn::$done>()), $s.fp)
        }
        if st == Status::Park as u64 {
            leave_at!($s, done, st)
        }
        leave!($s, st)
    }};
}

/// Hands the table to `$consumer`: `|s, i|`, then rows `Opcode: Type, … => { body }`.
macro_rules! for_each_body {
    ($consumer:ident) => { $consumer! { |s, i|

    // ---- Moves and constants.
    Nop => {}
    Mov => { s.set(i.dst, s.get(i.src)) }
    Mov2 => { s.set2(i.dst, s.get2(i.src)) }
    ViewOfBytes => { s.set2(i.dst, s.get2(i.s)) }
    Mov3 => { s.set3(i.dst, s.get3(i.src)) }
    MovN => { std::ptr::copy(s.at(i.src), s.at(i.dst), i.n as usize) }
    LoadImm => { s.set(i.dst, i.imm as i64 as u64) }
    LoadConst => { s.set(i.dst, i.k) }
    LoadConst2 => { s.set2(i.dst, [i.k0, i.k1]) }
    LoadGlobalAddr, LoadData => { s.set(i.dst, i.at) }
    LoadStr => { s.set2(i.dst, [i.at, i.len]) }
    LoadIface => { s.set2(i.dst, [i.tab, i.at]) }
    LoadIfaceBits => { s.set2(i.dst, [i.tab, i.k]) }
    Zero => { s.set(i.dst, 0) }
    Zero2 => { s.set2(i.dst, [0; 2]) }
    Zero3 => { s.set3(i.dst, [0; 3]) }
    ZeroN => { std::ptr::write_bytes(s.at(i.dst), 0, i.n as usize) }

    // ---- Globals.
    LoadGlobal8u: u8, LoadGlobal8s: i8, LoadGlobal16u: u16, LoadGlobal16s: i16,
    LoadGlobal32u: u32, LoadGlobal32s: i32, LoadGlobal64: u64,
    LoadGlobal2: [u64; 2], LoadGlobal3: [u64; 3] => {
        s.put(i.dst, ld::<T>(i.at as usize));
    }
    LoadGlobalN => { load_n(s.at(i.dst), i.at as usize, i.bytes as usize) }
    StoreGlobal8: u8, StoreGlobal16: u16, StoreGlobal32: u32, StoreGlobal64: u64,
    StoreGlobalPtr: Ptr, StoreGlobalStr: GoStr, StoreGlobalSlice: Slice<u8>,
    StoreGlobalIface: Iface => {
        st::<T>(i.at as usize, s.read(i.src));
    }
    StoreGlobalTyped => { st_typed(i.at as usize, s.at(i.src) as usize, i.sl) }

    // ---- Memory through a pointer.
    Load8u: u8, Load8s: i8, Load16u: u16, Load16s: i16, Load32u: u32, Load32s: i32, Load64: u64,
    Load2: [u64; 2], Load3: [u64; 3] => {
        let p = field!(s, i);
        s.put(i.dst, ld::<T>(p));
    }
    LoadN => {
        let p = field!(s, i);
        load_n(s.at(i.dst), p, i.bytes as usize);
    }
    Store8: u8, Store16: u16, Store32: u32, Store64: u64,
    StorePtr: Ptr, StoreStr: GoStr, StoreSlice: Slice<u8>, StoreIface: Iface => {
        let p = field!(s, i);
        st::<T>(p, s.read(i.src));
    }
    StoreTyped => {
        let p = field!(s, i);
        st_typed(p, s.at(i.src) as usize, i.sl);
    }
    CopyTyped => {
        let to = nonnil!(s, i.dst);
        let from = nonnil!(s, i.src);
        if i.size as usize > PIECE {
            slow!(s, i, copy_typed)
        }
        copy_typed(to, from, LayoutId(i.layout as u32), i.size as usize);
    }
    AddPtr, AddPtrConst => {
        let p = field!(s, i);
        s.set(i.dst, p as u64);
    }
    CheckNil => { nonnil!(s, i.ptr) }
    AddToMem: Plus<u64>, SubFromMem: Minus<u64>,
    AddF64ToMem: Plus<f64>, SubF64FromMem: Minus<f64> => {
        let p = field!(s, i);
        st::<u64>(p, T::apply(ld::<u64>(p), s.get(i.src)));
    }
    AddImmToMem => {
        let p = field!(s, i);
        st::<u64>(p, ld::<u64>(p).wrapping_add(i.imm as i64 as u64));
    }

    // ---- Memory in the frame.
    FrameLoad8u: u8, FrameLoad8s: i8, FrameLoad16u: u16, FrameLoad16s: i16,
    FrameLoad32u: u32, FrameLoad32s: i32 => {
        s.set(i.dst, ld::<T>(s.byte(i.at)));
    }
    FrameStore8: u8, FrameStore16: u16, FrameStore32: u32 => {
        st::<T>(s.byte(i.at), s.get(i.src));
    }
    FrameCopy => {
        let (to, from) = (s.byte(i.dst), s.byte(i.src as i32));
        std::ptr::copy(from as *const u8, to as *mut u8, i.n as usize);
    }
    FrameIndex8u: u8, FrameIndex8s: i8, FrameIndex16u: u16, FrameIndex16s: i16,
    FrameIndex32u: u32, FrameIndex32s: i32, FrameIndex64: u64 => {
        let (p, x) = frame_element!(s, i);
        s.set(i.dst, ld::<T>(elem(p, x, size_of::<T>())));
    }
    FrameIndexN => {
        let (p, size) = frame_part!(s, i);
        std::ptr::copy(p as *const u8, s.at(i.dst).cast(), size);
    }
    FrameSet8: u8, FrameSet16: u16, FrameSet32: u32, FrameSet64: u64 => {
        let (p, x) = frame_element!(s, i);
        st::<T>(elem(p, x, size_of::<T>()), s.get(i.src));
    }
    FrameSetN => {
        let (p, size) = frame_part!(s, i);
        std::ptr::copy(s.at(i.src).cast(), p as *mut u8, size);
    }
    CheckIndex => { index!(s, s.get(i.idx), i.len as usize) }

    // ---- Slices.
    CheckElem => { index!(s, s.get(i.idx), s.get(i.s + 1) as usize) }
    SliceIndex8u: u8, SliceIndex8s: i8, SliceIndex16u: u16, SliceIndex16s: i16,
    SliceIndex32u: u32, SliceIndex32s: i32, SliceIndex64: u64,
    SliceIndex2: [u64; 2], SliceIndex3: [u64; 3] => {
        let (p, x) = element!(s, i.s, s.get(i.idx));
        s.put(i.dst, s.ld_elem::<T>(p, x));
    }
    SliceIndexTwice64: u64, SliceIndexTwice8u: u8 => {
        let (p, x) = element!(s, i.s, s.get(i.i));
        let p = elem(p, x, size_of::<Slice<u8>>());
        let y = index!(s, s.get(i.k as u16), s.ld64::<8>(p) as usize);
        s.set(i.dst, s.ld_elem::<T>(ld::<u64>(p) as usize, y));
    }
    SliceIndexN => {
        let (p, x) = element!(s, i.s, s.get(i.idx));
        let (stride, off) = halves(i.so);
        let p = s.touched(elem(p, x, stride).wrapping_add(off));
        load_n(s.at(i.dst), p, i.size as usize);
    }
    SliceField64 => {
        let (p, x) = element!(s, i.s, s.get(i.idx));
        let (stride, off) = halves(i.so);
        s.set(i.dst, s.ld64::<0>(elem(p, x, stride).wrapping_add(off)));
    }
    SliceField2 => {
        let (p, x) = element!(s, i.s, s.get(i.idx));
        let (stride, off) = halves(i.so);
        s.set2(i.dst, ld::<[u64; 2]>(s.touched(elem(p, x, stride).wrapping_add(off))));
    }
    SliceIndexImm64 => {
        let (p, x) = element!(s, i.s, i.i);
        s.set(i.dst, s.ld_elem::<u64>(p, x));
    }
    SliceElemAddr => {
        let (p, x) = element!(s, i.s, s.get(i.idx));
        s.set(i.dst, elem(p, x, i.stride as usize) as u64);
    }
    SliceSet8: u8, SliceSet16: u16, SliceSet32: u32, SliceSet64: u64,
    SliceSetPtr: Ptr, SliceSetStr: GoStr, SliceSetSlice: Slice<u8>, SliceSetIface: Iface => {
        let (p, x) = element!(s, i.s, s.get(i.idx));
        s.st_elem::<T>(p, x, i.src);
    }
    SliceSetTyped => {
        let (p, x) = element!(s, i.s, s.get(i.idx));
        let (size, _) = halves(i.sl);
        st_typed(s.touched(elem(p, x, size)), s.at(i.src) as usize, i.sl);
    }
    SliceSetImm64 => {
        let (p, x) = element!(s, i.s, i.i);
        s.st_elem::<u64>(p, x, i.src);
    }
    AddToElem: Plus<u64>, SubFromElem: Minus<u64>,
    AddF64ToElem: Plus<f64>, SubF64FromElem: Minus<f64> => {
        let (p, x) = element!(s, i.s, s.get(i.idx));
        let p = elem(p, x, 8);
        st::<u64>(p, T::apply(s.ld64::<0>(p), s.get(i.src)));
    }
    AddImmToElem => {
        let (p, x) = element!(s, i.s, s.get(i.idx));
        let p = elem(p, x, 8);
        st::<u64>(p, s.ld64::<0>(p).wrapping_add(i.imm as i64 as u64));
    }

    // ---- Arrays through a pointer.
    ArrayIndex8u: u8, ArrayIndex8s: i8, ArrayIndex16u: u16, ArrayIndex16s: i16,
    ArrayIndex32u: u32, ArrayIndex32s: i32, ArrayIndex64: u64 => {
        let (p, x) = array_element!(s, i);
        s.set(i.dst, ld::<T>(elem(p, x, size_of::<T>())));
    }
    ArrayIndexN => {
        let p = nonnil!(s, i.ptr);
        let (len, stride) = halves(i.ls);
        let (off, size) = halves(i.os);
        let x = index!(s, s.get(i.idx), len);
        load_n(s.at(i.dst), elem(p, x, stride).wrapping_add(off), size);
    }
    ArrayElemAddr => {
        let (p, x) = array_element!(s, i);
        s.set(i.dst, elem(p, x, i.stride as usize) as u64);
    }
    ArraySet8: u8, ArraySet16: u16, ArraySet32: u32, ArraySet64: u64, ArraySetPtr: Ptr => {
        let (p, x) = array_element!(s, i);
        st::<T>(elem(p, x, size_of::<T>()), s.get(i.src));
    }
    ArraySetTyped => {
        let (p, x) = array_element!(s, i);
        let (size, _) = halves(i.sl);
        st_typed(elem(p, x, size), s.at(i.src) as usize, i.sl);
    }

    // ---- Operators with two operands: slots, a slot and a constant, a slot and memory.
    Add: Plus<u64>, AddI32: Plus<i32>, AddU32: Plus<u32>, AddI16: Plus<i16>, AddU16: Plus<u16>,
    AddI8: Plus<i8>, AddU8: Plus<u8>, AddF64: Plus<f64>, AddF32: Plus<f32>,
    Sub: Minus<u64>, SubI32: Minus<i32>, SubU32: Minus<u32>, SubI16: Minus<i16>,
    SubU16: Minus<u16>, SubI8: Minus<i8>, SubU8: Minus<u8>, SubF64: Minus<f64>, SubF32: Minus<f32>,
    Mul: Times<u64>, MulI32: Times<i32>, MulU32: Times<u32>, MulI16: Times<i16>,
    MulU16: Times<u16>, MulI8: Times<i8>, MulU8: Times<u8>, MulF64: Times<f64>, MulF32: Times<f32>,
    DivF64: Over<f64>, DivF32: Over<f32>,
    And: And<u64>, Or: Or<u64>, Xor: Xor<u64>, AndNot: AndNot<u64>,
    MinS: Least<i64>, MinU: Least<u64>, MinF64: Least<f64>, MinF32: Least<f32>,
    MaxS: Greatest<i64>, MaxU: Greatest<u64>, MaxF64: Greatest<f64>, MaxF32: Greatest<f32> => {
        s.set(i.dst, T::apply(s.get(i.a), s.get(i.b)));
    }
    AddImm: Plus<u64>, AddImmI32: Plus<i32>, AddImmU32: Plus<u32>, AddImmI16: Plus<i16>,
    AddImmU16: Plus<u16>, AddImmI8: Plus<i8>, AddImmU8: Plus<u8>,
    MulImm: Times<u64>, MulImmI32: Times<i32>, MulImmU32: Times<u32>,
    AndImm: And<u64>, OrImm: Or<u64>, XorImm: Xor<u64> => {
        s.set(i.dst, T::apply(s.get(i.a), i.imm as i64 as u64));
    }
    AddConst: Plus<u64>, AddConstI32: Plus<i32>, AddConstU32: Plus<u32>, AddF64Const: Plus<f64>,
    MulConst: Times<u64>, MulConstI32: Times<i32>, MulConstU32: Times<u32>,
    MulF64Const: Times<f64>, DivF64Const: Over<f64>,
    AndConst: And<u64>, OrConst: Or<u64>, XorConst: Xor<u64> => {
        s.set(i.dst, T::apply(s.get(i.a), i.k));
    }
    ConstSubF64: Minus<f64>, ConstDivF64: Over<f64> => {
        s.set(i.dst, T::apply(i.k, s.get(i.a)));
    }
    AddMem: Plus<u64>, AddF64Mem: Plus<f64>, SubF64Mem: Minus<f64>, MulF64Mem: Times<f64> => {
        let p = field!(s, i);
        s.set(i.dst, T::apply(s.get(i.a), ld::<u64>(p)));
    }
    AddElem => {
        let (p, x) = element!(s, i.s, s.get(i.idx as u16));
        let v = s.ld_elem::<u64>(p, x);
        s.set(i.dst, s.get(i.a).wrapping_add(v));
    }
    AddF64Elem: Plus<f64>, MulF64Elem: Times<f64> => {
        let (p, x) = element!(s, i.s, s.get(i.idx as u16));
        let v = s.ld_elem_f64(p, x);
        s.set(i.dst, T::apply(s.get(i.a), v.to_bits()));
    }
    MulAddF64 => { s.put(i.dst, s.f64(i.c as u16) + s.f64(i.a) * s.f64(i.b)) }

    // ---- Integer arithmetic.
    Shl: u64, ShlI32: i32, ShlU32: u32, ShlI16: i16, ShlU16: u16, ShlI8: i8, ShlU8: u8 => {
        let n = s.get(i.n);
        let v = if n < T::BITS as u64 { (s.get(i.a) as T) << n } else { 0 };
        s.put(i.dst, v);
    }
    ShlImm: u64, ShlImmI32: i32, ShlImmU32: u32, ShlImmI16: i16, ShlImmU16: u16,
    ShlImmI8: i8, ShlImmU8: u8 => {
        s.put(i.dst, (s.get(i.a) as T).wrapping_shl(i.n as u32));
    }
    ShrS => {
        let n = s.get(i.n).min(63);
        s.put(i.dst, (s.get(i.a) as i64) >> n);
    }
    ShrU => {
        let n = s.get(i.n);
        s.set(i.dst, if n < 64 { s.get(i.a) >> n } else { 0 });
    }
    ShrSImm: i64, ShrUImm: u64 => { s.put(i.dst, (s.get(i.a) as T).wrapping_shr(i.n as u32)) }
    CheckShift => {
        if (s.get(i.n) as i64) < 0 {
            leave!(s, Status::Shift)
        }
    }
    RotateLeftImm: u64, RotateLeftImmU32: u32 => {
        s.put(i.dst, (s.get(i.a) as T).rotate_left(i.n as u32));
    }
    RotateLeft: u64, RotateLeftU32: u32 => {
        s.put(i.dst, (s.get(i.a) as T).rotate_left(s.get(i.n) as u32 & (T::BITS - 1)));
    }
    TrailingZeros => { s.put(i.dst, u64::from(s.get(i.a).trailing_zeros())) }
    BitLen => { s.put(i.dst, u64::from(64 - s.get(i.a).leading_zeros())) }
    OnesCount => { s.put(i.dst, u64::from(s.get(i.a).count_ones())) }
    ReverseBytes => { s.put(i.dst, s.get(i.a).swap_bytes()) }
    Neg: u64, NegI32: i32, NegU32: u32, NegI16: i16, NegU16: u16, NegI8: i8, NegU8: u8 => {
        s.put(i.dst, (s.get(i.a) as T).wrapping_neg());
    }
    Not: u64, NotU32: u32, NotU16: u16, NotU8: u8 => { s.put(i.dst, !(s.get(i.a) as T)) }
    NotBool => { s.set(i.dst, s.get(i.a) ^ 1) }
    DivS: i64, DivSI32: i32, DivSI16: i16, DivSI8: i8, DivU: u64 => {
        let b = s.get(i.b) as T;
        if b == 0 {
            leave!(s, Status::Divide)
        }
        s.put(i.dst, (s.get(i.a) as T).wrapping_div(b));
    }
    RemS: i64, RemU: u64 => {
        let b = s.get(i.b) as T;
        if b == 0 {
            leave!(s, Status::Divide)
        }
        s.put(i.dst, (s.get(i.a) as T).wrapping_rem(b));
    }
    DivSImm: i64, DivUImm: u64 => {
        s.put(i.dst, (s.get(i.a) as T).checked_div(i.imm as T).unwrap_or_default());
    }
    RemSImm: i64, RemUImm: u64 => {
        s.put(i.dst, (s.get(i.a) as T).checked_rem(i.imm as T).unwrap_or_default());
    }
    DivPow2 => {
        let (x, n) = (s.get(i.a) as i64, i.n as u32);
        let bias = ((x >> 63) as u64).wrapping_shr(64 - n) as i64;
        s.put(i.dst, x.wrapping_add(bias).wrapping_shr(n));
    }
    RemPow2 => {
        let (x, n) = (s.get(i.a) as i64, i.n as u32);
        let bias = ((x >> 63) as u64).wrapping_shr(64 - n) as i64;
        let multiple = x.wrapping_add(bias).wrapping_shr(n).wrapping_shl(n);
        s.put(i.dst, x.wrapping_sub(multiple));
    }

    // ---- Floating point.
    NegF64 => { s.set(i.dst, s.get(i.a) ^ (1 << 63)) }
    NegF32 => { s.set(i.dst, s.get(i.a) ^ (1 << 31)) }
    SqrtF64 => { s.put(i.dst, s.f64(i.a).sqrt()) }
    AbsF64 => { s.set(i.dst, s.get(i.a) & !(1 << 63)) }
    FloorF64 => { s.put(i.dst, s.f64(i.a).floor()) }

    // ---- Complex.
    AddC128: C128, AddC64: C64 => {
        let (a, b) = (s.read::<T>(i.a), s.read::<T>(i.b));
        s.put(i.dst, [a[0] + b[0], a[1] + b[1]]);
    }
    SubC128: C128, SubC64: C64 => {
        let (a, b) = (s.read::<T>(i.a), s.read::<T>(i.b));
        s.put(i.dst, [a[0] - b[0], a[1] - b[1]]);
    }
    MulC128 => { s.put(i.dst, mul_c128(s.read(i.a), s.read(i.b))) }
    MulC64 => { s.put(i.dst, mul_c64(s.read(i.a), s.read(i.b))) }
    DivC128 => { slow!(s, i, div_c128) }
    DivC64 => { slow!(s, i, div_c64) }
    NegC128 => { s.set2(i.dst, s.get2(i.a).map(|x| x ^ (1 << 63))) }
    NegC64 => { s.set(i.dst, s.get(i.a) ^ (1 << 31 | 1 << 63)) }
    C64ToC128 => { s.put(i.dst, s.c64(i.a).map(f64::from)) }
    C128ToC64 => { s.put(i.dst, s.c128(i.a).map(|x| x as f32)) }
    MakeC64 => { s.set(i.dst, s.get(i.re) & 0xffff_ffff | s.get(i.im) << 32) }
    RealC64 => { s.set(i.dst, s.get(i.a) & 0xffff_ffff) }
    ImagC64 => { s.set(i.dst, s.get(i.a) >> 32) }

    // ---- Conversions.
    SignExtend8: i8, SignExtend16: i16, SignExtend32: i32,
    ZeroExtend8: u8, ZeroExtend16: u16, ZeroExtend32: u32 => {
        s.put(i.dst, s.get(i.a) as T);
    }
    I64ToF64: i64, U64ToF64: u64 => { s.put(i.dst, s.get(i.a) as T as f64) }
    I64ToF32: i64, U64ToF32: u64 => { s.put(i.dst, s.get(i.a) as T as f32) }
    F64ToI64 => { s.put(i.dst, f64_to_i64(s.f64(i.a))) }
    F64ToI32 => { s.put(i.dst, f64_to_i32(s.f64(i.a))) }
    F64ToU64 => { s.put(i.dst, f64_to_u64(s.f64(i.a))) }
    F64ToU32 => { s.put(i.dst, f64_to_i64(s.f64(i.a)) as u32) }
    F64ToF32 => { s.put(i.dst, s.f64(i.a) as f32) }
    F32ToF64 => { s.put(i.dst, s.f32(i.a) as f64) }

    // ---- Comparisons to a boolean.
    Eq: Equal<u64>, Ne: Unequal<u64>, Lt: Less<i64>, Le: AtMost<i64>,
    LtU: Less<u64>, LeU: AtMost<u64>,
    EqF64: Equal<f64>, NeF64: Unequal<f64>, LtF64: Less<f64>, LeF64: AtMost<f64>,
    EqF32: Equal<f32>, NeF32: Unequal<f32>, LtF32: Less<f32>, LeF32: AtMost<f32>,
    EqC128: Equal<C128>, EqC64: Equal<C64> => {
        s.set(i.dst, s.holds::<T>(i.a, i.b) as u64);
    }
    EqImm: Equal<i64>, NeImm: Unequal<i64>, LtImm: Less<i64>, LeImm: AtMost<i64>,
    GtImm: Greater<i64>, GeImm: AtLeast<i64> => {
        s.set(i.dst, s.holds_with::<T>(i.a, i.imm as i64 as u64) as u64);
    }
    EqStr: Equal<bool>, NeStr: Unequal<bool> => {
        let equal = s.str_eq(i.a, i.b);
        s.set(i.dst, T::holds(equal, true) as u64);
    }
    LtStr: Less<i64>, LeStr: AtMost<i64> => {
        let order = s.str_cmp(i.a, i.b);
        s.set(i.dst, T::holds(order, 0) as u64);
    }
    EqEface => { slow!(s, i, eq_eface) }
    EqIface => { slow!(s, i, eq_iface) }
    EqTyped => { slow!(s, i, eq_typed) }
    EqMem => { slow!(s, i, eq_mem) }

    // ---- Jumps: forward, then the backward twins with their safepoint.
    Jump => { jump!(s, i.by) }
    Loop => { back!(s, i.by) }
    JumpIf: Unequal<u64>, JumpUnless: Equal<u64> => {
        branch!(s, i, jump, s.holds_with::<T>(i.a, 0))
    }
    LoopIf: Unequal<u64>, LoopUnless: Equal<u64> => {
        branch!(s, i, back, s.holds_with::<T>(i.a, 0))
    }
    JumpEq: Equal<u64>, JumpNe: Unequal<u64>, JumpLt: Less<i64>, JumpLe: AtMost<i64>,
    JumpLtU: Less<u64>, JumpLeU: AtMost<u64>,
    JumpEqF64: Equal<f64>, JumpNeF64: Unequal<f64>, JumpLtF64: Less<f64>, JumpLeF64: AtMost<f64>,
    JumpNotLtF64: NotLess<f64>, JumpNotLeF64: NotAtMost<f64>,
    JumpEqF32: Equal<f32>, JumpNeF32: Unequal<f32>, JumpLtF32: Less<f32>, JumpLeF32: AtMost<f32>,
    JumpNotLtF32: NotLess<f32>, JumpNotLeF32: NotAtMost<f32> => {
        branch!(s, i, jump, s.holds::<T>(i.a, i.b))
    }
    LoopEq: Equal<u64>, LoopNe: Unequal<u64>, LoopLt: Less<i64>, LoopLe: AtMost<i64>,
    LoopLtU: Less<u64>, LoopLeU: AtMost<u64>,
    LoopEqF64: Equal<f64>, LoopNeF64: Unequal<f64>, LoopLtF64: Less<f64>, LoopLeF64: AtMost<f64>,
    LoopNotLtF64: NotLess<f64>, LoopNotLeF64: NotAtMost<f64>,
    LoopEqF32: Equal<f32>, LoopNeF32: Unequal<f32>, LoopLtF32: Less<f32>, LoopLeF32: AtMost<f32>,
    LoopNotLtF32: NotLess<f32>, LoopNotLeF32: NotAtMost<f32> => {
        branch!(s, i, back, s.holds::<T>(i.a, i.b))
    }
    JumpEqImm: Equal<i64>, JumpNeImm: Unequal<i64>, JumpLtImm: Less<i64>, JumpLeImm: AtMost<i64>,
    JumpGtImm: Greater<i64>, JumpGeImm: AtLeast<i64>, JumpLtUImm: Less<u64>,
    JumpLeUImm: AtMost<u64>, JumpGtUImm: Greater<u64>, JumpGeUImm: AtLeast<u64> => {
        branch!(s, i, jump, s.holds_with::<T>(i.a, i.imm as i64 as u64))
    }
    LoopEqImm: Equal<i64>, LoopNeImm: Unequal<i64>, LoopLtImm: Less<i64>, LoopLeImm: AtMost<i64>,
    LoopGtImm: Greater<i64>, LoopGeImm: AtLeast<i64>, LoopLtUImm: Less<u64>,
    LoopLeUImm: AtMost<u64>, LoopGtUImm: Greater<u64>, LoopGeUImm: AtLeast<u64> => {
        branch!(s, i, back, s.holds_with::<T>(i.a, i.imm as i64 as u64))
    }
    JumpEqConst: Equal<i64>, JumpNeConst: Unequal<i64>, JumpLtConst: Less<i64>,
    JumpLeConst: AtMost<i64>, JumpGtConst: Greater<i64>, JumpGeConst: AtLeast<i64> => {
        branch!(s, i, jump, s.holds_with::<T>(i.a, i.k))
    }
    LoopEqConst: Equal<i64>, LoopNeConst: Unequal<i64>, LoopLtConst: Less<i64>,
    LoopLeConst: AtMost<i64>, LoopGtConst: Greater<i64>, LoopGeConst: AtLeast<i64> => {
        branch!(s, i, back, s.holds_with::<T>(i.a, i.k))
    }
    JumpEqType: Equal<u64>, JumpNeType: Unequal<u64> => {
        branch!(s, i, jump, s.holds_with::<T>(i.a, i.typ))
    }
    JumpEqStr: Equal<bool>, JumpNeStr: Unequal<bool> => {
        branch!(s, i, jump, T::holds(s.str_eq(i.a, i.b), true))
    }
    LoopEqStr: Equal<bool>, LoopNeStr: Unequal<bool> => {
        branch!(s, i, back, T::holds(s.str_eq(i.a, i.b), true))
    }

    // ---- Fused loops.
    IncLoopLt: Less<i64>, IncLoopLe: AtMost<i64> => { count!(s, i, T, 1, s.get(i.n)) }
    IncLoopLtImm: Less<i64>, IncLoopLeImm: AtMost<i64> => { count!(s, i, T, 1, i.imm) }
    IncLoopLtConst: Less<i64>, IncLoopLeConst: AtMost<i64> => { count!(s, i, T, 1, i.k) }
    DecLoopGtImm: Greater<i64>, DecLoopGeImm: AtLeast<i64> => { count!(s, i, T, -1, i.imm) }
    AddLoopLt: Less<i64>, AddLoopLe: AtMost<i64> => {
        count!(s, i, T, s.get(i.step) as i64, s.get(i.n as u16))
    }

    // ---- Calls.
    Enter => {
        if s.at(i.frame) as usize > s.guard() {
            leave!(s, Status::Enter)
        }
        zero(s.at(i.first), i.n as usize);
    }
    Call => { enter!(s, behind!(s, i), i.win, func_entry(i.func)) }
    CallClosure => {
        let f = nonnil!(s, i.clo);
        s.set(i.win + i.cw, f as u64);
        enter!(s, behind!(s, i), i.win, func_entry(ld::<u64>(f) as u32))
    }
    CallIface => {
        let itab = nonnil!(s, i.iface);
        let data = s.get(i.iface + 1);
        s.set(i.win + i.recv as u16, data);
        enter!(s, behind!(s, i), i.win, func_entry(itab_func(itab, i.m)))
    }
    LockJump => {
        let mutex = nonnil!(s, i.ptr) as *const Mutex;
        branch!(s, i, jump, mutex::lock_fast(mutex))
    }
    UnlockJump => {
        let mutex = nonnil!(s, i.ptr) as *const Mutex;
        if let Some(state) = mutex::unlock_fast(mutex) {
            (*Words::at(s.g)).mutex = state;
            next!(s, i)
        }
        jump!(s, i.by)
    }
    CallNative => {
        s.save();
        let st = slow::native(i.native, i.win, s.g);
        // A native may move the frame; `g.sched` says where it is now.
        let fp = (*s.g).sched.fp as *mut u64;
        if st != 0 {
            return st;
        }
        go!(s, behind!(s, i), fp)
    }
    Ret => {
        let (pc, fp) = s.caller();
        go!(s, pc, fp)
    }
    RetMov => {
        s.set(0, s.get(i.src));
        let (pc, fp) = s.caller();
        go!(s, pc, fp)
    }
    RetImm => {
        s.set(0, i.imm as i64 as u64);
        let (pc, fp) = s.caller();
        go!(s, pc, fp)
    }
    Go => { slow!(s, i, go) }
    Defer => { slow!(s, i, defer) }
    DeferList => { slow!(s, i, defer_list) }
    RunDefers => {
        let f = slow::next_deferred(s.fp, s.g);
        if f == 0 {
            next!(s, i)
        }
        if f == slow::NIL_FUNC {
            leave!(s, Status::Nil)
        }
        // The deferred function returns to this instruction, which runs the next one.
        s.set(i.win, f as u64);
        enter!(s, s.pc, i.win, func_entry(ld::<u64>(f) as u32))
    }
    Panic => { leave!(s, Status::Panic) }
    Recover => { slow!(s, i, recover) }
    CopyResults => {}
    Unreachable => { leave!(s, Status::Unreachable) }
    StubGoexit => { leave!(s, Status::Exit) }
    StubNativeReturn => { leave!(s, Status::NativeReturn) }
    StubPanicReturn => { leave!(s, Status::DeferReturn) }

    // ---- Allocation.
    New => {
        let p = new(s.now(), i.layout, i.size as usize);
        s.set(i.dst, p);
    }
    MakeClosure => {
        let (size, layout) = halves(i.sl);
        let p = new(s.now(), layout as u32, size);
        st::<u64>(p as usize, i.func as u64);
        s.set(i.dst, p);
    }
    MakeSlice => { slow!(s, i, make_slice) }
    MakeMap => { slow!(s, i, make_map) }
    MakeChan => { slow!(s, i, make_chan) }
    Push8: u8, Push16: u16, Push32: u32, Push64: u64,
    PushPtr: Ptr, PushStr: GoStr, PushSlice: Slice<u8>, PushIface: Iface => {
        let [p, len, cap] = s.get3(i.s);
        if len < cap {
            s.st_elem::<T>(p as usize, len as usize, i.v);
            s.set3(i.dst, [p, len + 1, cap]);
            next!(s, i)
        }
        slow!(s, i, push)
    }
    PushTyped => { slow!(s, i, push) }
    GrowSlice => { slow!(s, i, grow_slice) }
    AppendSlice => { slow!(s, i, append_slice) }
    AppendString => { slow!(s, i, append_string) }
    CopySlice => { slow!(s, i, copy_slice) }
    CopyString => { slow!(s, i, copy_string) }
    ClearSlice => { slow!(s, i, clear_slice) }
    SliceOfSlice => { slow!(s, i, slice_s) }
    SliceOfSlice3 => { slow!(s, i, slice_s3) }
    SliceOfArray => { slow!(s, i, slice_p) }
    SliceOfArray3 => { slow!(s, i, slice_p3) }
    SliceOfStr => { slow!(s, i, slice_str) }
    SliceToArray => { slow!(s, i, slice_to_arr) }
    UnsafeSlice => { slow!(s, i, unsafe_slice) }
    UnsafeString => { slow!(s, i, unsafe_string) }

    // ---- Strings.
    StrIndex => {
        let (p, x) = element!(s, i.s, s.get(i.idx));
        s.set(i.dst, s.ld_elem::<u8>(p, x));
    }
    Concat2 => { slow!(s, i, concat2) }
    ConcatN => { slow!(s, i, concat_n) }
    StrOfBytes => { slow!(s, i, str_of_bytes) }
    BytesOfStr => { slow!(s, i, bytes_of_str) }
    StrOfRunes => { slow!(s, i, str_of_runes) }
    RunesOfStr => { slow!(s, i, runes_of_str) }
    StrOfRune => { slow!(s, i, str_of_rune) }
    StrNext => {
        let at = s.get(i.it) as usize;
        let b = s.ld_elem::<u8>(s.get(i.s) as usize, at);
        if b < 0x80 {
            s.set(i.it, at as u64 + 1);
            s.set(i.r, b);
            next!(s, i)
        }
        slow!(s, i, str_next)
    }

    // ---- Maps.
    MapGet => { slow!(s, i, map_get) }
    MapGetOk => { slow!(s, i, map_get2) }
    MapSet => { slow!(s, i, map_set) }
    MapAddr => { slow!(s, i, map_addr) }
    MapFind => { slow!(s, i, map_find) }
    MapDelete => { slow!(s, i, map_del) }
    MapGet32 => { slow!(s, i, map_get32) }
    MapGetOk32 => { slow!(s, i, map_get2_32) }
    MapSet32 => { slow!(s, i, map_set32) }
    MapAddr32 => { slow!(s, i, map_addr32) }
    MapDelete32 => { slow!(s, i, map_del32) }
    MapGet64 => { slow!(s, i, map_get64) }
    MapGetOk64 => { slow!(s, i, map_get2_64) }
    MapSet64 => { slow!(s, i, map_set64) }
    MapAddr64 => { slow!(s, i, map_addr64) }
    MapDelete64 => { slow!(s, i, map_del64) }
    MapGetStr => { slow!(s, i, map_get_str) }
    MapGetOkStr => { slow!(s, i, map_get2_str) }
    MapSetStr => { slow!(s, i, map_set_str) }
    MapAddrStr => { slow!(s, i, map_addr_str) }
    MapDeleteStr => { slow!(s, i, map_del_str) }
    MapLen => { slow!(s, i, map_len) }
    MapClear => { slow!(s, i, map_clear) }
    MapIter => { slow!(s, i, map_iter) }
    MapNext => {
        let st = slow::map_next(s.pc, s.fp, s.g);
        if st == 0 {
            next!(s, i)
        }
        if st == slow::AT_END {
            jump!(s, i.done)
        }
        leave!(s, st)
    }

    // ---- Channels.
    Send => { half!(s, i, send, SendDone) }
    SendDone => { slow!(s, i, send_done) }
    Recv => { half!(s, i, recv, RecvDone) }
    RecvDone => { slow!(s, i, recv_done) }
    Select => { half!(s, i, select, SelectDone) }
    SelectDone => { slow!(s, i, select_done) }
    Close => { slow!(s, i, close) }
    ChanLen => { slow!(s, i, chan_len) }
    ChanCap => { slow!(s, i, chan_cap) }
    SelectSend => { s.set2(i.blk, [s.get(i.ch), i.v as u64]) }
    SelectRecv => {
        let ch = s.get(i.ch);
        if i.v != NONE {
            zero(s.at(i.v), i.n as usize);
        }
        s.set2(i.blk, [ch, i.v as u64 | 1 << 16]);
    }

    // ---- Interfaces.
    MakeIface => { s.set2(i.dst, [i.tab, s.get(i.v)]) }
    BoxIface => {
        let p = new_copy(s.now(), i.sl, s.at(i.v));
        s.set2(i.dst, [i.tab, p]);
    }
    ItabType => {
        let t = itab_typ(s.get(i.itab));
        s.set(i.dst, t);
    }
    IfaceToEface => {
        let [itab, data] = s.get2(i.src);
        s.set2(i.dst, [itab_typ(itab), data]);
    }
    EfaceToIface => { slow!(s, i, conv_iface) }
    AssertTypeEface => {
        if s.get(i.src) == i.typ {
            next!(s, i)
        }
        slow!(s, i, assert_e)
    }
    AssertTypeIface => {
        if itab_typ(s.get(i.src)) == i.typ {
            next!(s, i)
        }
        slow!(s, i, assert_i)
    }
    AssertToIface => { slow!(s, i, assert_iface) }
    AssertToIfaceOk => { slow!(s, i, assert_iface2) }
    AssertToEface => { slow!(s, i, assert_eface) }
    MethodNil => { slow!(s, i, method_nil) }

    // ---- Built-in print.
    Print => { slow!(s, i, print) }
    PrintLock => { slow!(s, i, print_lock) }
    } };
}
