//! What the table of instructions says of operands and opcodes: kinds, flow, families, forms.

/// What an operand is.
///
/// The number at the end of a slot kind is the number of slots; `N`: as many as the measuring
/// operand of the instruction says (a count, a size, a type). `X` at the front: an extension word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Slots read.
    In,
    In2,
    In3,
    InN,
    /// A slot read as a pointer; nil panics.
    Ptr,
    /// A slot read as an index, which a panic names.
    Idx,
    /// Slots read as the bounds of a slice expression, which a panic names.
    Idx2,
    Idx3,
    /// A key or an element of the instruction's map, read.
    KeyIn,
    ElemIn,
    /// The array of which an element is read.
    ArrayIn,
    /// Slots written.
    Out,
    Out2,
    Out3,
    OutN,
    /// An element of the instruction's map, written.
    ElemOut,
    /// An iterator over a map, written.
    IterOut,
    /// Slots read and written.
    Upd,
    /// The array of which an element is written.
    ArrayUpd,
    /// An iterator over a map, read and written.
    IterUpd,
    /// Slots, or [`NONE`].
    OptInN,
    OptOut,
    OptOutN,
    /// Where a key or an element of the map goes, unless the map is at its end; or [`NONE`].
    OptKeyOut,
    OptElemOut,
    /// The first slot of an outgoing window.
    Win,
    /// A signed number.
    Imm16,
    /// An unsigned number.
    ImmU16,
    /// A distance in bytes from a pointer.
    Off,
    /// Place of a method in an itab.
    Method,
    /// A number of slots.
    Slots,
    /// A number of pairs of slots.
    Pairs,
    /// A number of bytes.
    Bytes,
    /// What `print` prints.
    Printed,
    /// A signed number in b and c.
    Imm32,
    /// A number of slots in b and c.
    Slots32,
    /// A number of bytes in b and c.
    Bytes32,
    /// A jump distance.
    Rel16,
    Rel32,
    /// Index of a function, a native, a layout.
    Func,
    Native,
    Layout,
    /// Byte offset from fp of what is read, of what is written.
    FrameIn,
    FrameOut,
    /// The bits of a constant.
    XBits,
    /// A number: a length, a distance, flags.
    XNum,
    /// A distance in bytes from a pointer.
    XOff,
    /// A number of slots.
    XSlots,
    /// A number of bytes.
    XBytes,
    /// The address of a type, `*const Rtype`.
    XType,
    /// The first word of an interface: the address of a type or of an itab, or 0.
    XTab,
    /// The address of a variable.
    XGlobal,
    /// The address of constant data, or 0.
    XData,
    /// Index of a layout.
    XLayout,
    /// `size | layout << 32` of a value.
    XSizeLayout,
    /// `len | stride << 32` of an array.
    XLenStride,
    /// `stride | off << 32`: elements, and the place of a part in each.
    XStrideOff,
    /// `off | size << 32`: the part of an element.
    XOffSize,
    /// `len | off << 32` of an array in the frame whose elements have so many bits.
    XArray8,
    XArray16,
    XArray32,
    XArray64,
    /// A slot read, written, read as an index.
    XIn,
    XOut,
    XIdx,
    /// A jump distance.
    XRel,
    /// Byte offset from fp of what is read.
    XFrameIn,
}

/// How an operand lies in its instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A field of 16 bits: a slot or an unsigned number.
    Field,
    /// A field of 16 bits: a signed number.
    Signed,
    /// b and c together.
    Wide,
    /// An extension word.
    Ext,
}

impl Kind {
    pub const fn shape(self) -> Shape {
        use Kind::*;
        match self {
            Imm16 | Rel16 => Shape::Signed,
            Imm32 | Slots32 | Bytes32 | Rel32 | Func | Native | Layout | FrameIn | FrameOut => {
                Shape::Wide
            }
            XBits | XNum | XOff | XSlots | XBytes | XType | XTab | XGlobal | XData | XLayout
            | XSizeLayout | XLenStride | XStrideOff | XOffSize | XArray8 | XArray16 | XArray32
            | XArray64 | XIn | XOut | XIdx | XRel | XFrameIn => Shape::Ext,
            _ => Shape::Field,
        }
    }
    /// Takes an extension word.
    pub const fn is_ext(self) -> bool {
        matches!(self.shape(), Shape::Ext)
    }
    /// Names a slot (perhaps [`NONE`]).
    pub const fn is_slot(self) -> bool {
        use Kind::*;
        match self {
            Imm16 | ImmU16 | Off | Method | Slots | Pairs | Bytes | Printed | Rel16 => false,
            XIn | XOut | XIdx => true,
            _ => matches!(self.shape(), Shape::Field),
        }
    }
    /// Names a slot or says that there is none.
    pub(crate) const fn is_optional(self) -> bool {
        use Kind::*;
        matches!(self, OptInN | OptOut | OptOutN | OptKeyOut | OptElemOut)
    }
    /// Names slots whose number another operand says; [`NONE`] if there are none.
    pub const fn is_open(self) -> bool {
        use Kind::*;
        match self {
            InN | KeyIn | ElemIn | ArrayIn | OutN | ElemOut | IterOut | ArrayUpd | IterUpd => true,
            _ => self.is_optional() && !matches!(self, OptOut),
        }
    }
    /// Names a slot that is read as an index or as the first of several bounds.
    pub const fn is_index(self) -> bool {
        matches!(self, Kind::Idx | Kind::Idx2 | Kind::Idx3 | Kind::XIdx)
    }
    /// A byte offset from fp.
    pub const fn is_frame_offset(self) -> bool {
        matches!(self, Kind::FrameIn | Kind::FrameOut | Kind::XFrameIn)
    }
    /// A jump distance.
    pub const fn is_rel(self) -> bool {
        matches!(self, Kind::Rel16 | Kind::Rel32 | Kind::XRel)
    }
    /// The number of slots, where the kind says it: 1 for the open kinds.
    pub const fn width(self) -> u32 {
        match self {
            Kind::In2 | Kind::Out2 | Kind::Idx2 => 2,
            Kind::In3 | Kind::Out3 | Kind::Idx3 => 3,
            _ => 1,
        }
    }
}

/// Where control goes behind an instruction, jumps apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// To the next one.
    Next,
    /// Never there.
    Ends,
    /// To the caller, which gets the results; the instruction has written none of them itself.
    Returns,
    /// To the caller; the instruction writes the first result itself.
    ReturnsOne,
    /// The next instruction completes this one if it parks: control goes behind both, or to it.
    Halves,
}

/// The families: opcodes that do the same in several forms. An entry of the table names family and
/// form of its opcode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    LoadGlobal,
    StoreGlobal,
    Load,
    Store,
    FrameLoad,
    FrameStore,
    FrameIndex,
    FrameSet,
    SliceIndex,
    SliceIndexTwice,
    SliceSet,
    ArrayIndex,
    ArraySet,
    Push,
    MapGet,
    MapGetOk,
    MapSet,
    MapAddr,
    MapDelete,
    Add,
    Sub,
    Mul,
    Div,
    DivS,
    Neg,
    Not,
    Min,
    Max,
    Shl,
    AddImm,
    MulImm,
    ShlImm,
    RotateLeftImm,
    AddConst,
    MulConst,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    JumpEq,
    JumpNe,
    JumpLt,
    JumpLe,
    JumpGt,
    JumpGe,
    JumpNotLt,
    JumpNotLe,
}

/// The forms of a family: the kind of number or value, or of the second operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// 64 bits; signed, where that makes a difference.
    I64,
    U64,
    I32,
    U32,
    I16,
    U16,
    I8,
    U8,
    F64,
    F32,
    C128,
    C64,
    /// A pointer.
    Ptr,
    Str,
    Slice,
    Iface,
    /// A value with a layout.
    Typed,
    /// A second operand that is a signed, an unsigned number of the instruction, a word behind it.
    Imm,
    UImm,
    Const,
    /// Of whatever type.
    Any,
}

impl Form {
    pub(super) const COUNT: usize = Form::Any as usize + 1;

    /// The form for integers of so many bits.
    pub const fn int(bits: u8, signed: bool) -> Form {
        match (bits, signed) {
            (8, true) => Form::I8,
            (8, false) => Form::U8,
            (16, true) => Form::I16,
            (16, false) => Form::U16,
            (32, true) => Form::I32,
            (32, false) => Form::U32,
            _ => Form::I64,
        }
    }
}
