//! Opcodes, made from the [table of instructions](super::table), and instructions in memory.

pub use super::kind::{Family, Flow, Form, Kind, Shape};
use crate::for_each_op;
use crate::touch::{Said, Word};

/// The slot number that says "no slot".
pub const NONE: u16 = 0xffff;

/// One operand of an opcode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operand {
    pub name: &'static str,
    pub kind: Kind,
}

macro_rules! define_enum {
    ($( $(#[$doc:meta])* $name:ident { $($field:ident : $kind:ident),* $(,)? }
        $([ $( $word:ident $(($of:ident))? ),* ])?
        $(of $family:ident $form:ident)? $(back $back:ident)? $(flow $flow:ident)?; )*) => {
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
            pub(crate) const OPERANDS: &'static [&'static [Operand]] = &[
                $( &[$( Operand { name: stringify!($field), kind: Kind::$kind } ),*] ),*
            ];
            /// What the table says of memory.
            pub(crate) const SAID: &'static [&'static [Said]] = &[
                $( &[ $( $( Said {
                    word: Word::$word,
                    of: concat!($( stringify!($of) )?),
                } ),* )? ] ),*
            ];
            /// Families and forms.
            pub(crate) const FAMILIES: &'static [(Family, Form, Op)] = &[
                $( $( (Family::$family, Form::$form, Op::$name), )? )*
            ];
            /// Forward jumps and their backward twins.
            pub(crate) const BACK: &'static [(Op, Op)] = &[ $( $( (Op::$name, Op::$back), )? )* ];
            const FLOW: &'static [(Op, Flow)] = &[ $( $( (Op::$name, Flow::$flow), )? )* ];
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
        In, In2, In3, InN, Ptr, Idx, Idx2, Idx3, KeyIn, ElemIn, ArrayIn: u16;
        Out, Out2, Out3, OutN, ElemOut, IterOut, Upd, ArrayUpd, IterUpd: u16;
        OptInN, OptOut, OptOutN, OptKeyOut, OptElemOut, Win: u16;
        ImmU16, Off, Method, Slots, Pairs, Bytes, Printed: u16;
        Imm16, Rel16: i16;
        Imm32, Slots32, Bytes32, Rel32, FrameIn, FrameOut: i32;
        Func, Native, Layout: u32;
        XBits, XNum, XOff, XSlots, XBytes, XType, XTab, XGlobal, XData, XLayout: u64;
        XSizeLayout, XLenStride, XStrideOff, XOffSize: u64;
        XArray8, XArray16, XArray32, XArray64: u64;
        XIn, XOut, XIdx: u64;
        XRel, XFrameIn: i64;
    }
}

/// One struct per opcode whose memory is the encoding: a pc may be read as `*const insn::Add`. Its
/// size is the instruction's length.
pub mod insn {
    use super::operand::*;
    use crate::for_each_op;
    macro_rules! define_insns {
        ($( $(#[$doc:meta])* $name:ident { $($field:ident : $kind:ident),* $(,)? }
            $([$($word:tt)*])? $($attribute:ident)*; )*) => { $(
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

    /// One opcode after the other, for tables that are made while this is compiled.
    pub const fn numbered(i: usize) -> Op {
        Op::ALL[i]
    }

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

    /// The backward twin of a forward jump.
    pub fn backward(self) -> Option<Op> {
        let back = BACK[self as usize];
        (back != self).then_some(back)
    }

    /// The backward twin of a forward jump, itself otherwise.
    pub fn backward_or_self(self) -> Op {
        BACK[self as usize]
    }

    /// Where control goes behind the instruction.
    pub fn flow(self) -> Flow {
        FLOW[self as usize]
    }

    /// Does control never get to the next instruction?
    pub fn ends(self) -> bool {
        matches!(self.flow(), Flow::Ends | Flow::Returns | Flow::ReturnsOne)
    }
}

const BACK: [Op; Op::COUNT] = {
    let mut back = [Op::Nop; Op::COUNT];
    let mut i = 0;
    while i < Op::COUNT {
        back[i] = Op::ALL[i];
        i += 1;
    }
    i = 0;
    while i < Op::BACK.len() {
        back[Op::BACK[i].0 as usize] = Op::BACK[i].1;
        i += 1;
    }
    back
};

const FLOW: [Flow; Op::COUNT] = {
    let mut flow = [Flow::Next; Op::COUNT];
    let mut i = 0;
    while i < Op::FLOW.len() {
        flow[Op::FLOW[i].0 as usize] = Op::FLOW[i].1;
        i += 1;
    }
    flow
};

/// Opcodes by family and form; [`Op::Nop`] where a family has no such form.
const FORMS: [[Op; Form::COUNT]; Family::COUNT] = {
    let mut forms = [[Op::Nop; Form::COUNT]; Family::COUNT];
    let mut i = 0;
    while i < Op::FAMILIES.len() {
        let (family, form, op) = Op::FAMILIES[i];
        assert!(
            matches!(forms[family as usize][form as usize], Op::Nop),
            "one opcode for a form"
        );
        forms[family as usize][form as usize] = op;
        i += 1;
    }
    forms
};

impl Family {
    const COUNT: usize = Family::JumpNotLe as usize + 1;

    /// The opcode of that form, if the family has it.
    pub const fn form(self, form: Form) -> Option<Op> {
        match FORMS[self as usize][form as usize] {
            Op::Nop => None,
            op => Some(op),
        }
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
pub(crate) struct Insn {
    pub op: u16,
    pub a: u16,
    pub b: u16,
    pub c: u16,
}

impl Insn {
    /// b and c as one signed number.
    pub(crate) fn wide(self) -> i32 {
        (self.b as u32 | (self.c as u32) << 16) as i32
    }
    /// The instruction as a word of code.
    pub(crate) fn to_word(self) -> u64 {
        self.op as u64 | (self.a as u64) << 16 | (self.b as u64) << 32 | (self.c as u64) << 48
    }
    pub(crate) fn from_word(w: u64) -> Insn {
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
                if o.kind.shape() == Shape::Wide {
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
            ($( $(#[$doc:meta])* $name:ident { $($field:ident : $kind:ident),* $(,)? }
                $([$($word:tt)*])? $($attribute:ident)*; )*) => { $(
                assert_eq!(size_of::<insn::$name>(), 8 * Op::$name.words(), stringify!($name));
            )* };
        }
        for_each_op!(sizes);
        assert_eq!(std::mem::offset_of!(insn::Jump, by), 4);
        assert_eq!(std::mem::offset_of!(insn::JumpEqConst, by), 4);
    }

    #[test]
    fn backward_twins_have_the_same_operands() {
        for (op, back) in Op::BACK {
            assert_eq!(op.operands(), back.operands(), "{}", op.name());
            assert_eq!(op.name().replacen("Jump", "Loop", 1), back.name());
        }
        assert_eq!(Op::Jump.backward(), Some(Op::Loop));
    }

    #[test]
    fn forms_of_a_family_have_the_same_number_of_operands() {
        for (family, _, op) in Op::FAMILIES {
            let same = Op::FAMILIES.iter().filter(|(f, ..)| f == family);
            for (.., other) in same.filter(|o| o.2.words() == op.words()) {
                assert_eq!(op.operands().len(), other.operands().len(), "{family:?}");
            }
        }
    }
}
