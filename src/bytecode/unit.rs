//! A compiled program, package or input as a value: what `compile` makes and an
//! [`Image`](super::image::Image) loads.
//!
//! Nothing in a unit is an address. Its code names functions, natives, types, layouts and itabs by
//! their numbers in the unit's tables, variables and constant data by their places in its two
//! segments. What loading must put something else for is listed ([`Reloc`]), so that it looks at
//! nothing else.
//!
//! Go: cmd/internal/goobj, cmd/link.

use super::func::{FuncInfo, Word};
use super::rtype::{self, Method, Ty};
use serde::{Deserialize, Serialize};
use source::Pos;

pub mod file;

/// A compiled unit.
#[derive(Debug, Default)]
pub struct Unit {
    /// By number; those that nothing can call have no body.
    pub functions: Vec<Option<Function>>,
    /// The natives that it calls, by number.
    pub natives: Vec<NativeRef>,
    /// The types that its code names, by number.
    pub types: Vec<Ty>,
    /// Tables of methods, sorted as the run-time types have them; the functions are numbers of the
    /// unit.
    pub methods: Vec<(Ty, Vec<Method>)>,
    /// Layouts of what it allocates, by number from 1; 0 is that of memory without pointers.
    pub layouts: Vec<LayoutOf>,
    /// First words of interfaces, by number from 1; 0 is that of a nil interface.
    pub tabs: Vec<Tab>,
    pub variables: Variables,
    pub data: Data,
    /// What it needs of units that are loaded before it, by number from 0.
    pub imports: Vec<String>,
    /// What units loaded later may need of it.
    pub exports: Vec<Export>,
    /// Functions of other units, by the numbers of their imports, that get the bodies of functions
    /// of this one.
    pub replaced: Vec<(u32, u32)>,
    /// Initialises it: no parameters, no results.
    pub init: u32,
    /// `main.main`.
    pub main: u32,
}

/// Something of a unit that has a name in the whole program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Export {
    pub name: String,
    pub what: Exported,
    /// Every unit that wants it has it, and one is as good as the other: the first loaded stays.
    pub is_shared: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Exported {
    /// The number of a function.
    Function(u32),
    /// The place of a variable.
    Variable(usize),
}

/// Numbers of functions from here on are those of imports.
pub const IMPORTED: u32 = 1 << 30;

/// Places of variables of other units: the number of the import from 1 above so many bits, below
/// them a distance from the variable's start.
pub const IMPORT_SHIFT: u32 = 44;

impl Unit {
    /// Takes the next number for a function.
    pub fn reserve(&mut self) -> u32 {
        self.functions.push(None);
        self.functions.len() as u32 - 1
    }
}

/// A compiled function.
#[derive(Debug, Serialize, Deserialize)]
pub struct Function {
    #[serde(with = "words")]
    pub code: Vec<u64>,
    pub relocs: Vec<Reloc>,
    /// What is known of it; where it lies and what index it has, loading says.
    pub info: Box<FuncInfo>,
}

/// A native that a unit calls.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NativeRef {
    /// `strings.Repeat`, `sync.(*Mutex).Lock`
    pub name: String,
    /// Where it is declared.
    pub pos: Pos,
}

/// What a layout is of.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum LayoutOf {
    /// A value of a type.
    Type(Ty),
    /// Memory of these words.
    Words(Box<[Word]>),
}

impl LayoutOf {
    /// The heap's number for it.
    pub fn number(&self) -> u32 {
        match self {
            LayoutOf::Type(t) => t.layout,
            LayoutOf::Words(words) => rtype::layout(words.len() * 8, words),
        }
    }
}

/// The first word of an interface: of one with methods its itab, else a type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Tab {
    /// The interface type, if it has methods.
    pub inter: Option<Ty>,
    /// The type of the value.
    pub typ: Ty,
}

/// The package-level variables: a segment of zeros.
#[derive(Debug, Default)]
pub struct Variables {
    pub bytes: usize,
    /// Bytes of the largest.
    pub largest: usize,
    /// Those with pointers: their places and types.
    pub roots: Vec<(usize, Ty)>,
}

impl Variables {
    /// The place of a new one.
    pub fn add(&mut self, t: Ty) -> usize {
        const ALIGN: usize = 16;
        let at = self.bytes.next_multiple_of(ALIGN);
        let bytes = t.size.next_multiple_of(8).max(8);
        self.bytes = at.saturating_add(bytes);
        self.largest = self.largest.max(bytes);
        if t.has_pointers() {
            self.roots.push((at, t));
        }
        at
    }
}

/// Constant data: a segment that is never written to.
#[derive(Debug, Serialize, Deserialize)]
pub struct Data {
    pub bytes: Vec<u8>,
    /// Words that stand for something of the unit.
    pub relocs: Vec<(usize, In)>,
}

/// Bytes of constant data that a unit may have.
const DATA_MAX: usize = 2 << 30;

impl Default for Data {
    fn default() -> Data {
        Data {
            // No data is at place 0, which means that there is none.
            bytes: vec![0; 8],
            relocs: Vec::new(),
        }
    }
}

impl Data {
    /// Appends `bytes`; their place, or `None` when there would be too many.
    pub fn put(&mut self, bytes: &[u8]) -> Option<usize> {
        let at = self.bytes.len();
        if at + bytes.len() > DATA_MAX {
            return None;
        }
        self.bytes.extend_from_slice(bytes);
        Some(at)
    }

    /// Appends `words`, of which some stand for something of the unit.
    pub fn put_words(&mut self, words: &[u64], relocs: &[(usize, In)]) -> Option<usize> {
        let at = self.bytes.len().next_multiple_of(8);
        if at + words.len() * 8 > DATA_MAX {
            return None;
        }
        self.bytes.resize(at, 0);
        self.bytes
            .extend(words.iter().flat_map(|w| w.to_le_bytes()));
        self.relocs
            .extend(relocs.iter().map(|&(k, what)| (at + 8 * k, what)));
        Some(at)
    }
}

/// What a number in code or data stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[repr(u8)]
pub enum In {
    /// The upper half of a word, which is b and c of an instruction: a function, a native, a
    /// layout.
    Func,
    Native,
    Layout,
    /// A word: a type, the first word of an interface, a place in one of the segments, a layout, a
    /// function.
    Type,
    Tab,
    Variables,
    Data,
    LayoutWord,
    FuncWord,
}

impl In {
    const ALL: [In; 9] = [
        In::Func,
        In::Native,
        In::Layout,
        In::Type,
        In::Tab,
        In::Variables,
        In::Data,
        In::LayoutWord,
        In::FuncWord,
    ];
}

/// A word of a function's code that stands for something of the unit: the word's offset, and what.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Reloc(u32);

impl Reloc {
    const WHAT_BITS: u32 = 4;

    /// # Panics
    /// For code of 2 GB and more.
    pub fn new(offset: usize, what: In) -> Reloc {
        assert!(offset < 1 << (32 - Reloc::WHAT_BITS), "function too large");
        Reloc((offset as u32) << Reloc::WHAT_BITS | what as u32)
    }
    /// In words from the function's start.
    pub fn offset(self) -> usize {
        (self.0 >> Reloc::WHAT_BITS) as usize
    }
    pub fn what(self) -> In {
        In::ALL[(self.0 & ((1 << Reloc::WHAT_BITS) - 1)) as usize]
    }
}

/// Words of code as bytes, all of the same length.
mod words {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(words: &[u64], to: S) -> Result<S::Ok, S::Error> {
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        to.serialize_bytes(&bytes)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u64>, D::Error> {
        let bytes = <&[u8]>::deserialize(from)?;
        let (words, rest) = bytes.as_chunks();
        if !rest.is_empty() {
            return Err(D::Error::custom("half a word of code"));
        }
        Ok(words.iter().map(|w| u64::from_le_bytes(*w)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relocations_are_packed() {
        for what in In::ALL {
            let r = Reloc::new(12_345_678, what);
            assert_eq!((r.offset(), r.what()), (12_345_678, what));
        }
    }

    #[test]
    fn data_is_aligned_and_never_at_0() {
        let mut data = Data::default();
        let text = data.put(b"abc").unwrap();
        let words = data.put_words(&[text as u64, 3], &[(0, In::Data)]).unwrap();
        assert_eq!((text, words), (8, 16));
        assert_eq!(data.relocs, [(16, In::Data)]);
        assert_eq!(data.bytes[16], 8);
    }
}
