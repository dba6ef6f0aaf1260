//! The blocks of a file.
//!
//! A file begins with [`MAGIC`]. Each block is a byte that says what it is, the length of its
//! contents and their checksum in four bytes each, the least significant first, and the contents.
//! The head comes first, then the schema; the tail is the last block. Those in between stand in the
//! order in which they were written: an entry of a table may follow a record that names it.

use std::collections::HashMap;

use crate::schema::Schema;
use crate::wire::{Bytes, Event, State, fold, push_text, push_varint, unfold};
use crate::{Error, Result};

/// How a file begins: the name of the form, and its version. The version changes when a reader of
/// the one before would misread what it finds; events and operands may be added within one.
pub const MAGIC: &[u8; 16] = b"gosched-trace 1\n";

/// The most bytes that a block holds.
pub const MOST: usize = 1 << 24;
/// Bytes before the contents of a block.
pub const HEADER: usize = 9;
/// Frames of a stack, at most.
pub const FRAMES: usize = 32;
/// The longest text.
const TEXT: usize = 1 << 20;
/// Entries of a table in one block, where all are written.
const ENTRIES: usize = 1 << 12;
/// Streams that a file can have.
const STREAMS: usize = 1 << 12;

/// What a block is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Kind {
    /// About the program.
    Head = 1,
    /// Which events there are.
    Schema = 2,
    /// Entries of the table of strings.
    Strings = 3,
    /// Entries of the table of stacks.
    Stacks = 4,
    /// Records.
    Part = 5,
    /// How it ended.
    Tail = 6,
}

impl Kind {
    fn from_byte(byte: u8) -> Option<Kind> {
        use Kind::*;
        let all = [Head, Schema, Strings, Stacks, Part, Tail];
        all.into_iter().find(|k| *k as u8 == byte)
    }
}

/// Appends a block.
pub fn push_block(out: &mut Vec<u8>, kind: Kind, contents: &[u8]) {
    let sum = checksum(kind as u8, contents);
    out.extend_from_slice(&header(kind, contents.len(), sum));
    out.extend_from_slice(contents);
}

fn checksum(kind: u8, contents: &[u8]) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    sum.update(&[kind]);
    sum.update(contents);
    sum.finalize()
}

/// What stands before the contents of a block of this kind and length.
fn header(kind: Kind, len: usize, checksum: u32) -> [u8; HEADER] {
    debug_assert!(len <= MOST);
    let mut out = [kind as u8; HEADER];
    out[1..5].copy_from_slice(&(len as u32).to_le_bytes());
    out[5..].copy_from_slice(&checksum.to_le_bytes());
    out
}

/// What stands at the beginning of some bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Next<'a> {
    /// A whole block, and how long it is with what stands before its contents.
    Block(Kind, &'a [u8], usize),
    /// The beginning of one.
    Cut,
    /// What is no block.
    Damaged(&'static str),
}

/// Looks at the first block of `bytes`, which are not empty.
pub fn next_block(bytes: &[u8]) -> Next<'_> {
    let Some((header, rest)) = bytes.split_at_checked(HEADER) else {
        return Next::Cut;
    };
    let word =
        |i: usize| u32::from_le_bytes([header[i], header[i + 1], header[i + 2], header[i + 3]]);
    let Some(kind) = Kind::from_byte(header[0]) else {
        return Next::Damaged("no block is of that kind");
    };
    let len = word(1) as usize;
    if len > MOST {
        return Next::Damaged("a block is too long");
    }
    let Some(contents) = rest.get(..len) else {
        return Next::Cut;
    };
    if checksum(header[0], contents) != word(5) {
        return Next::Damaged("a block has another checksum than it says");
    }
    Next::Block(kind, contents, HEADER + len)
}

/// A value in the head or the tail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// A number.
    Number(i64),
    /// Text, which need not be UTF-8.
    Text(Vec<u8>),
    /// Several texts.
    List(Vec<Vec<u8>>),
}

/// The head or the tail: values by name, in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Values(pub Vec<(String, Value)>);

impl Values {
    /// The value of this name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(n, _)| n == name).map(|(_, v)| v)
    }

    /// The number of this name.
    pub fn number(&self, name: &str) -> Option<i64> {
        match self.get(name)? {
            Value::Number(n) => Some(*n),
            _ => None,
        }
    }

    /// The texts of this name.
    pub fn list(&self, name: &str) -> &[Vec<u8>] {
        match self.get(name) {
            Some(Value::List(all)) => all,
            _ => &[],
        }
    }

    /// As bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        push_varint(&mut out, self.0.len() as u64);
        for (name, value) in &self.0 {
            push_text(&mut out, name.as_bytes());
            match value {
                Value::Number(n) => {
                    out.push(0);
                    push_varint(&mut out, fold(*n));
                }
                Value::Text(text) => {
                    out.push(1);
                    push_text(&mut out, text);
                }
                Value::List(all) => {
                    out.push(2);
                    push_varint(&mut out, all.len() as u64);
                    all.iter().for_each(|text| push_text(&mut out, text));
                }
            }
        }
        out
    }

    /// Reads what [`Values::to_bytes`] wrote.
    pub fn from_bytes(bytes: &[u8]) -> Result<Values> {
        let mut at = Bytes::new(bytes);
        let mut all = Vec::new();
        for _ in 0..at.count(1 << 10)? {
            let name = String::from_utf8_lossy(at.text(1 << 10)?).into_owned();
            let value = match at.byte()? {
                0 => Value::Number(unfold(at.varint()?)),
                1 => Value::Text(at.text(MOST)?.to_vec()),
                2 => {
                    let n = at.count(MOST)?;
                    let texts = (0..n).map(|_| Ok(at.text(MOST)?.to_vec()));
                    Value::List(texts.collect::<Result<_>>()?)
                }
                _ => return Err("a value is of an unknown kind".into()),
            };
            all.push((name, value));
        }
        at.end()?;
        Ok(Values(all))
    }
}

/// A frame of a stack: a function, and where it is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Frame {
    /// The function's name, an entry of the table of strings.
    pub function: u64,
    /// The file's, as well.
    pub file: u64,
    /// The line.
    pub line: u64,
}

/// The tables: texts and stacks by number. 0 is none of either.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tables {
    /// The texts.
    pub strings: Vec<String>,
    /// The stacks, the innermost frame first.
    pub stacks: Vec<Vec<Frame>>,
}

impl Default for Tables {
    fn default() -> Tables {
        Tables {
            strings: vec![String::new()],
            stacks: vec![Vec::new()],
        }
    }
}

impl Tables {
    /// The text of this number, empty if there is none.
    pub fn text(&self, id: u64) -> &str {
        let at = usize::try_from(id).unwrap_or(usize::MAX);
        self.strings.get(at).map_or("", String::as_str)
    }

    /// The frames of the stack of this number.
    pub fn stack(&self, id: u64) -> &[Frame] {
        let at = usize::try_from(id).unwrap_or(usize::MAX);
        self.stacks.get(at).map_or(&[], Vec::as_slice)
    }

    /// Appends blocks with all that is in them.
    pub fn push_all(&self, out: &mut Vec<u8>) {
        for from in (1..self.strings.len()).step_by(ENTRIES) {
            push_block(
                out,
                Kind::Strings,
                &self.strings_up_to(from, from + ENTRIES),
            );
        }
        for from in (1..self.stacks.len()).step_by(ENTRIES) {
            push_block(out, Kind::Stacks, &self.stacks_up_to(from, from + ENTRIES));
        }
    }

    /// The contents of a block with the strings from `from` on.
    pub fn strings_from(&self, from: usize) -> Vec<u8> {
        self.strings_up_to(from, self.strings.len())
    }

    fn strings_up_to(&self, from: usize, to: usize) -> Vec<u8> {
        let mut out = Vec::new();
        push_varint(&mut out, from as u64);
        let new = self.strings.get(from..to.min(self.strings.len()));
        let new = new.unwrap_or_default();
        push_varint(&mut out, new.len() as u64);
        new.iter()
            .for_each(|text| push_text(&mut out, text.as_bytes()));
        out
    }

    /// The contents of a block with the stacks from `from` on.
    pub fn stacks_from(&self, from: usize) -> Vec<u8> {
        self.stacks_up_to(from, self.stacks.len())
    }

    fn stacks_up_to(&self, from: usize, to: usize) -> Vec<u8> {
        let mut out = Vec::new();
        push_varint(&mut out, from as u64);
        let new = self.stacks.get(from..to.min(self.stacks.len()));
        let new = new.unwrap_or_default();
        push_varint(&mut out, new.len() as u64);
        for stack in new {
            push_varint(&mut out, stack.len() as u64);
            for frame in stack {
                push_varint(&mut out, frame.function);
                push_varint(&mut out, frame.file);
                push_varint(&mut out, frame.line);
            }
        }
        out
    }

    /// Reads what [`Tables::strings_from`] gave.
    pub fn read_strings(&mut self, bytes: &[u8]) -> Result<()> {
        let mut at = Bytes::new(bytes);
        if at.varint()? != self.strings.len() as u64 {
            return Err("strings are missing".into());
        }
        for _ in 0..at.count(MOST)? {
            let text = String::from_utf8_lossy(at.text(TEXT)?);
            self.strings.push(text.into_owned());
        }
        at.end()
    }

    /// Reads what [`Tables::stacks_from`] gave.
    pub fn read_stacks(&mut self, bytes: &[u8]) -> Result<()> {
        let mut at = Bytes::new(bytes);
        if at.varint()? != self.stacks.len() as u64 {
            return Err("stacks are missing".into());
        }
        for _ in 0..at.count(MOST)? {
            let mut stack = Vec::new();
            for _ in 0..at.count(FRAMES)? {
                stack.push(Frame {
                    function: at.varint()?,
                    file: at.varint()?,
                    line: at.varint()?,
                });
            }
            self.stacks.push(stack);
        }
        at.end()
    }
}

/// A part of a block of records.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Part {
    /// The P whose stream it belongs to; −1 for what happened without one.
    pub p: i64,
    /// The block's number in its stream.
    pub block: u64,
    /// The part's number in its block.
    pub part: u64,
    /// How many records there are.
    pub records: u64,
    /// These.
    pub bytes: Vec<u8>,
}

impl Part {
    /// Its numbers, which stand before its records.
    fn numbers(&self) -> Vec<u8> {
        let mut out = Vec::new();
        push_varint(&mut out, fold(self.p));
        push_varint(&mut out, self.block);
        push_varint(&mut out, self.part);
        push_varint(&mut out, self.records);
        out
    }

    /// The contents of its block.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = self.numbers();
        out.extend_from_slice(&self.bytes);
        out
    }

    /// All of its block that stands before `bytes`, with which it ends.
    pub fn block_head(&self) -> Vec<u8> {
        let numbers = self.numbers();
        let mut sum = crc32fast::Hasher::new();
        sum.update(&[Kind::Part as u8]);
        sum.update(&numbers);
        sum.update(&self.bytes);
        let len = numbers.len() + self.bytes.len();
        let mut out = header(Kind::Part, len, sum.finalize()).to_vec();
        out.extend_from_slice(&numbers);
        out
    }

    /// Reads what [`Part::to_bytes`] gave.
    pub fn from_bytes(bytes: &[u8]) -> Result<Part> {
        let mut at = Bytes::new(bytes);
        let (p, block) = (unfold(at.varint()?), at.varint()?);
        let (part, records) = (at.varint()?, at.varint()?);
        let bytes = bytes[bytes.len() - at.left()..].to_vec();
        Ok(Part {
            p,
            block,
            part,
            records,
            bytes,
        })
    }
}

/// Reads the parts of all streams, each stream's in order.
#[derive(Debug)]
pub struct Streams {
    schema: Schema,
    /// By P: what the records so far mean, and the next part's block and number.
    states: HashMap<i64, (State, u64, u64)>,
}

impl Streams {
    /// Nothing has been read.
    pub fn new(schema: Schema) -> Streams {
        Streams {
            schema,
            states: HashMap::new(),
        }
    }

    /// Which events there are.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// Reads a part, and appends its events and their values.
    pub fn read(&mut self, part: &Part, events: &mut Vec<Event>, ops: &mut Vec<u64>) -> Result<()> {
        let kinds = self.schema.kinds.len();
        if self.states.len() >= STREAMS && !self.states.contains_key(&part.p) {
            return Err("there are too many streams".into());
        }
        let fresh = || (State::new(part.p, kinds), 0, 0);
        let (state, block, number) = self.states.entry(part.p).or_insert_with(fresh);
        if part.part == 0 {
            state.begin();
        } else if (part.block, part.part) != (*block, *number) {
            return Err("a part of a block is missing".into());
        }
        (*block, *number) = (part.block, part.part + 1);
        let mut from = Bytes::new(&part.bytes);
        let before = events.len();
        while from.left() > 0 {
            events.push(state.read(&mut from, &self.schema, ops)?);
        }
        match (events.len() - before) as u64 == part.records {
            true => Ok(()),
            false => Err(Error::from(
                "a part has another number of records than it says",
            )),
        }
    }
}
