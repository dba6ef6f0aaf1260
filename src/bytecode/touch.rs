//! What instructions do to memory that goroutines may share, and to what they tell each other
//! something by: channels, locks, the turns of loops.
//!
//! All is derived from the table of instructions: its words say what is done, the kinds of operands
//! where, and kinds and forms to how many bytes. Frames belong to their goroutines.

use super::kind::{Form, Kind, Shape};
use super::op::{Op, Operand};

/// What an entry of the table says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Word {
    /// It reads the variable, field or element that its operands address; with an operand: what is
    /// at the address in its slot, of a map its first word, for what an element is only maps know.
    Reads,
    /// It writes that.
    Writes,
    /// It reads that and writes it then; others may write between both.
    Updates,
    /// It reads an element of an element.
    ReadsTwice,
    /// It reads all elements of a slice.
    ReadsAll,
    /// Those of a slice of runes.
    ReadsRunes,
    /// It writes all elements of a slice.
    WritesAll,
    /// It appends an element, or as many as the operand has: written behind the others if there is
    /// room, else all of them are read.
    Appends,
    /// It makes room for that many elements, which others write.
    Grows,
    /// It reads and writes as many elements as the shorter of `d` and `s` has, but no string.
    Copies,
    /// It sends to a channel, which must not meet a close.
    Sends,
    Receives,
    /// It closes a channel.
    Closes,
    /// It looks how much is in a channel.
    Looks,
    /// It sends to one of the channels of its cases, or receives.
    Selects,
    Locks,
    Unlocks,
    /// It calls a native, which says what it does.
    Calls,
    /// It is a turn of a loop; jumps with a twin need not say so of the twin.
    Turn,
    /// It does nothing to memory: it only has addresses.
    Untouched,
}

/// A word of an entry, and the operand that it is of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Said {
    pub word: Word,
    /// Empty: of none.
    pub of: &'static str,
}

/// How goroutines concern each other by an instruction, apart from plain memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Point {
    Send(Place),
    Receive(Place),
    Close(Place),
    Look(Place),
    Select,
    Lock(Place),
    Unlock(Place),
    Native,
}

/// Where an operand lies in its instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// The field of 16 bits with that number, from 1 on.
    Field(u8),
    /// 32 bits in the second and third field.
    Wide,
    /// The extension word with that number, from 1 on.
    Ext(u8),
}

/// A number that an instruction has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Number {
    Is(u64),
    /// An operand.
    Of(Place),
    /// The low half of an operand.
    Low(Place),
    /// The high half of an operand.
    High(Place),
    /// The size of values of the type that an operand names.
    SizeOf(Place),
    /// What is in the slot that an operand names.
    In(Place),
    /// What is in the slot behind it: the length of a slice.
    Behind(Place),
}

/// Memory that an instruction touches. Slices are named by the operand that is their first slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Memory {
    /// What is `off` bytes behind `base`, unless that is nil.
    At { base: Number, off: Number },
    /// Part of an element of a slice.
    Element {
        s: Place,
        idx: Number,
        stride: Number,
        off: Number,
    },
    /// Part of an element of an array behind a pointer.
    Item {
        ptr: Place,
        idx: Number,
        len: Number,
        stride: Number,
        off: Number,
    },
    /// Element R[k] of the slice that is element R[i] of a slice.
    Inner { s: Place, i: Place, k: Place },
    /// All elements of a slice or bytes of a string.
    All { s: Place },
    /// As many of its first elements as another slice or string has, too.
    Common { s: Place, other: Place },
    /// Room for `n` elements behind those of a slice. Where there is none, all are read.
    Room { s: Place, n: Number },
    /// All elements of a slice that has no room for `n` more.
    Full { s: Place, n: Number },
}

/// A touch of memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Touch {
    pub memory: Memory,
    /// How many bytes, or of what size the elements are.
    pub bytes: Number,
    pub writes: bool,
}

/// The pieces of memory that an instruction touches, in order.
pub type Touches = [Option<Touch>; 2];

impl Op {
    /// The memory that the instruction touches.
    #[inline]
    pub const fn touches(self) -> Touches {
        TOUCHES[self as usize]
    }

    /// Does the instruction touch memory?
    pub const fn touches_memory(self) -> bool {
        self.touches()[0].is_some()
    }

    /// Does the instruction read what it writes?
    pub const fn updates(self) -> bool {
        self.says(Word::Updates)
    }

    /// Is the instruction a turn of a loop, a jump back to its head?
    #[inline]
    pub const fn is_turn(self) -> bool {
        TURNS[self as usize]
    }

    /// How goroutines concern each other by the instruction.
    pub const fn point(self) -> Option<Point> {
        POINTS[self as usize]
    }

    const fn says(self, word: Word) -> bool {
        let said = Op::SAID[self as usize];
        let mut i = 0;
        while i < said.len() {
            if said[i].word as usize == word as usize {
                return true;
            }
            i += 1;
        }
        false
    }
}

#[allow(clippy::large_const_arrays, reason = "constants are made of it")]
const TOUCHES: [Touches; Op::COUNT] = {
    let mut all = [[None; 2]; Op::COUNT];
    let mut i = 0;
    while i < Op::COUNT {
        let mut n = 0;
        let mut k = 0;
        while k < Op::SAID[i].len() {
            let [one, other] = touches(i, Op::SAID[i][k]);
            if one.is_some() {
                all[i][n] = one;
                n += 1;
            }
            if other.is_some() {
                all[i][n] = other;
                n += 1;
            }
            k += 1;
        }
        i += 1;
    }
    all
};

const TURNS: [bool; Op::COUNT] = {
    let mut all = [false; Op::COUNT];
    let mut i = 0;
    while i < Op::COUNT {
        all[i] = Op::numbered(i).says(Word::Turn);
        i += 1;
    }
    i = 0;
    while i < Op::BACK.len() {
        all[Op::BACK[i].1 as usize] = true;
        i += 1;
    }
    all
};

const POINTS: [Option<Point>; Op::COUNT] = {
    let mut all = [None; Op::COUNT];
    let mut i = 0;
    while i < Op::COUNT {
        let mut k = 0;
        while k < Op::SAID[i].len() {
            let operands = Operands(Op::OPERANDS[i]);
            let Said { word, of } = Op::SAID[i][k];
            all[i] = match word {
                Word::Sends => Some(Point::Send(operands.named(of))),
                Word::Receives => Some(Point::Receive(operands.named(of))),
                Word::Closes => Some(Point::Close(operands.named(of))),
                Word::Looks => Some(Point::Look(operands.named(of))),
                Word::Selects => Some(Point::Select),
                Word::Locks => Some(Point::Lock(operands.named(of))),
                Word::Unlocks => Some(Point::Unlock(operands.named(of))),
                Word::Calls => Some(Point::Native),
                _ => all[i],
            };
            k += 1;
        }
        i += 1;
    }
    all
};

/// What opcode number `i` touches by a word.
const fn touches(i: usize, said: Said) -> Touches {
    let operands = Operands(Op::OPERANDS[i]);
    let writes = matches!(
        said.word,
        Word::Writes | Word::Updates | Word::WritesAll | Word::Appends | Word::Closes
    );
    let elem = match operands.first(Kind::XType) {
        Some(typ) => Number::SizeOf(typ),
        None => Number::Is(1),
    };
    let (memory, bytes) = match said.word {
        Word::Reads | Word::Writes | Word::Updates if said.of.is_empty() => {
            let bytes = operands.bytes(form(i));
            (operands.addressed(bytes), bytes)
        }
        Word::Reads | Word::Writes | Word::Sends | Word::Closes => {
            let base = Number::In(operands.named(said.of));
            let off = Number::Is(0);
            let bytes = match operands.find("size") {
                Some(size) => Number::Of(size),
                None => Number::Is(8),
            };
            (Memory::At { base, off }, bytes)
        }
        Word::ReadsTwice => {
            let [s, at, k] = [
                operands.named("s"),
                operands.named("i"),
                operands.named("k"),
            ];
            let outer = Memory::Element {
                s,
                idx: Number::In(at),
                stride: Number::Is(24),
                off: Number::Is(0),
            };
            let outer = Touch {
                memory: outer,
                bytes: Number::Is(24),
                writes,
            };
            let inner = Touch {
                memory: Memory::Inner { s, i: at, k },
                bytes: operands.bytes(form(i)),
                writes,
            };
            return [Some(outer), Some(inner)];
        }
        Word::ReadsAll | Word::WritesAll => (
            Memory::All {
                s: operands.named(said.of),
            },
            elem,
        ),
        Word::ReadsRunes => (
            Memory::All {
                s: operands.named(said.of),
            },
            Number::Is(4),
        ),
        Word::Appends => {
            let n = match said.of.is_empty() {
                true => Number::Is(1),
                false => Number::Behind(operands.named(said.of)),
            };
            let s = operands.named("s");
            (Memory::Room { s, n }, elem)
        }
        Word::Grows => {
            let n = Number::In(operands.named(said.of));
            let s = operands.named("s");
            (Memory::Full { s, n }, elem)
        }
        Word::Copies => {
            let [d, s] = [operands.named("d"), operands.named("s")];
            let to = Touch {
                memory: Memory::Common { s: d, other: s },
                bytes: elem,
                writes: true,
            };
            let from = Touch {
                memory: Memory::Common { s, other: d },
                bytes: elem,
                writes: false,
            };
            return match operands.kind("s") {
                Kind::In2 => [Some(to), None],
                _ => [Some(from), Some(to)],
            };
        }
        _ => return [None; 2],
    };
    let touch = Touch {
        memory,
        bytes,
        writes,
    };
    [Some(touch), None]
}

/// The form of opcode number `i`.
const fn form(i: usize) -> Option<Form> {
    let mut k = 0;
    while k < Op::FAMILIES.len() {
        if Op::FAMILIES[k].2 as usize == i {
            return Some(Op::FAMILIES[k].1);
        }
        k += 1;
    }
    None
}

/// The operands of an opcode.
#[derive(Clone, Copy)]
struct Operands(&'static [Operand]);

impl Operands {
    /// Where operand number `k` lies.
    const fn place(self, k: usize) -> Place {
        let (mut fields, mut exts) = (0, 0);
        let mut i = 0;
        loop {
            let kind = self.0[i].kind;
            match kind.shape() {
                Shape::Ext => exts += 1,
                Shape::Wide if i == k => return Place::Wide,
                Shape::Wide => fields += 2,
                Shape::Field | Shape::Signed => fields += 1,
            }
            if i == k {
                return match kind.is_ext() {
                    true => Place::Ext(exts),
                    false => Place::Field(fields),
                };
            }
            i += 1;
        }
    }

    /// Where the first operand of a kind lies.
    const fn first(self, kind: Kind) -> Option<Place> {
        let mut i = 0;
        while i < self.0.len() {
            if self.0[i].kind as usize == kind as usize {
                return Some(self.place(i));
            }
            i += 1;
        }
        None
    }

    const fn position(self, name: &str) -> Option<usize> {
        let mut i = 0;
        while i < self.0.len() {
            if is_same(self.0[i].name, name) {
                return Some(i);
            }
            i += 1;
        }
        None
    }

    /// Where the operand of that name lies, if there is one.
    const fn find(self, name: &str) -> Option<Place> {
        match self.position(name) {
            Some(i) => Some(self.place(i)),
            None => None,
        }
    }

    const fn named(self, name: &str) -> Place {
        match self.find(name) {
            Some(place) => place,
            None => panic!("a word is of no operand"),
        }
    }

    const fn kind(self, name: &str) -> Kind {
        match self.position(name) {
            Some(i) => self.0[i].kind,
            None => panic!("a word is of no operand"),
        }
    }

    /// How many bytes of memory an opcode of that form touches.
    const fn bytes(self, form: Option<Form>) -> Number {
        if let Some(place) = self.first(Kind::XSizeLayout) {
            return Number::Low(place);
        }
        if let Some(place) = self.first(Kind::XOffSize) {
            return Number::High(place);
        }
        if let Some(place) = self.first(Kind::XBytes) {
            return Number::Of(place);
        }
        if let Some(place) = self.first(Kind::Bytes32) {
            return Number::Of(place);
        }
        Number::Is(match form {
            Some(Form::I8 | Form::U8) => 1,
            Some(Form::I16 | Form::U16) => 2,
            Some(Form::I32 | Form::U32) => 4,
            Some(Form::Str | Form::Iface) => 16,
            Some(Form::Slice) => 24,
            _ if self.first(Kind::Out2).is_some() => 16,
            _ if self.first(Kind::Out3).is_some() => 24,
            _ => 8,
        })
    }

    /// The memory that the operands address, in pieces of so many bytes.
    const fn addressed(self, bytes: Number) -> Memory {
        let nothing = Number::Is(0);
        let idx = match (self.first(Kind::Idx), self.first(Kind::XIdx)) {
            (Some(idx), _) | (_, Some(idx)) => Some(Number::In(idx)),
            _ => match self.first(Kind::ImmU16) {
                Some(i) => Some(Number::Of(i)),
                None => None,
            },
        };
        if let Some(at) = self.first(Kind::XGlobal) {
            let (base, off) = (Number::Of(at), nothing);
            return Memory::At { base, off };
        }
        if let (Some(ptr), Some(idx)) = (self.first(Kind::Ptr), idx) {
            let off = match self.first(Kind::XOffSize) {
                Some(os) => Number::Low(os),
                None => nothing,
            };
            let (len, stride) = match self.first(Kind::XLenStride) {
                Some(ls) => (Number::Low(ls), Number::High(ls)),
                None => (Number::Of(self.named("len")), bytes),
            };
            return Memory::Item {
                ptr,
                idx,
                len,
                stride,
                off,
            };
        }
        if let Some(ptr) = self.first(Kind::Ptr) {
            let off = match (self.first(Kind::Off), self.first(Kind::XOff)) {
                (Some(off), _) | (_, Some(off)) => Number::Of(off),
                _ => nothing,
            };
            let base = Number::In(ptr);
            return Memory::At { base, off };
        }
        if let (Some(s), Some(idx)) = (self.first(Kind::In3), idx) {
            let (stride, off) = match self.first(Kind::XStrideOff) {
                Some(so) => (Number::Low(so), Number::High(so)),
                None => (bytes, nothing),
            };
            return Memory::Element {
                s,
                idx,
                stride,
                off,
            };
        }
        panic!("operands that address nothing")
    }
}

/// Are two names the same?
pub const fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// May the operand be an address of memory that goroutines share?
    fn is_memory(o: &Operand) -> bool {
        use Kind::*;
        let is_object = matches!(o.name, "m" | "ch") && o.kind == In;
        is_object || matches!(o.kind, Ptr | XGlobal | In3 | KeyIn | IterUpd)
    }

    #[test]
    fn each_opcode_with_memory_says_a_word() {
        for &op in Op::ALL {
            let could = op.operands().iter().find(|o| is_memory(o));
            let says = !Op::SAID[op as usize].is_empty();
            assert!(says || could.is_none(), "{}: {could:?}", op.name());
        }
    }

    #[test]
    fn who_touches_nothing_says_nothing_else() {
        for &op in Op::ALL.iter().filter(|op| op.says(Word::Untouched)) {
            assert_eq!(Op::SAID[op as usize].len(), 1, "{}", op.name());
            assert!(
                !op.touches_memory() && op.point().is_none(),
                "{}",
                op.name()
            );
        }
    }

    #[test]
    fn turns_are_the_jumps_back() {
        for &op in Op::ALL {
            assert_eq!(op.is_turn(), op.name().contains("Loop"), "{}", op.name());
        }
    }

    #[test]
    fn touches_follow_from_kinds_and_forms() {
        use Memory::*;
        use Number::*;
        use Place::*;
        let of = |op: Op| {
            op.touches()
                .map(|t| t.map(|t| (t.memory, t.bytes, t.writes)))
        };
        let at = |base, off| At { base, off };
        assert_eq!(
            of(Op::StoreIface),
            [Some((at(In(Field(1)), Of(Field(3))), Is(16), true)), None]
        );
        assert_eq!(
            of(Op::LoadGlobalN),
            [Some((at(Of(Ext(1)), Is(0)), Of(Wide), false)), None]
        );
        assert_eq!(
            of(Op::MulF64Mem),
            [Some((at(In(Field(3)), Of(Ext(1))), Is(8), false)), None]
        );
        let item = Item {
            ptr: Field(2),
            idx: In(Field(3)),
            len: Low(Ext(1)),
            stride: High(Ext(1)),
            off: Low(Ext(2)),
        };
        assert_eq!(
            of(Op::ArrayIndexN),
            [Some((item, High(Ext(2)), false)), None]
        );
        let element = Element {
            s: Field(1),
            idx: In(Field(2)),
            stride: Low(Ext(1)),
            off: Is(0),
        };
        assert_eq!(
            of(Op::SliceSetTyped),
            [Some((element, Low(Ext(1)), true)), None]
        );
        let copied = [at(In(Field(2)), Is(0)), at(In(Field(1)), Is(0))];
        assert_eq!(
            of(Op::CopyTyped),
            [
                Some((copied[0], Of(Ext(2)), false)),
                Some((copied[1], Of(Ext(2)), true))
            ]
        );
    }
}
