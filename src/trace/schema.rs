//! Which events there are: their names, their operands, and how operands are written.
//!
//! The runtime makes the schema from its one list of events, and each file carries it. So a reader
//! needs no list of its own, shows events that it has never heard of, and finds those that it
//! knows by their names.

use crate::wire::{Bytes, push_text, push_varint};
use crate::{Error, Result};

/// Operands of an event, at most, each member of a word counted.
pub const SLOTS: usize = 16;
/// Events, at most: their numbers and a flag are one byte.
pub const KINDS: usize = 120;
/// The longest name.
const NAME: usize = 64;
/// Words of a list, at most.
const WORDS: usize = 1 << 12;

/// What an operand is, and so how it is written and shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// A number that is not negative.
    Number,
    /// A number.
    Signed,
    /// A number near the one that the event had before, in the same block.
    Near,
    /// A number that is usually one more than the one that the event had before.
    Next,
    /// True or false.
    Flag,
    /// A goroutine; written as [`Form::Near`].
    Goid,
    /// The number of an object; written as [`Form::Near`].
    Object,
    /// An entry of the list with this number; its members, if it has any, follow.
    Word(u8),
    /// A member of the word before it.
    Member,
    /// An entry of the table of strings.
    Text,
    /// An entry of the table of stacks; written as [`Form::Near`].
    Stack,
}

impl Form {
    fn code(self) -> u8 {
        match self {
            Form::Number => 0,
            Form::Signed => 1,
            Form::Near => 2,
            Form::Next => 3,
            Form::Flag => 4,
            Form::Goid => 5,
            Form::Object => 6,
            Form::Word(_) => 7,
            Form::Member => 8,
            Form::Text => 9,
            Form::Stack => 10,
        }
    }
}

/// How a value is written: as a number of its own, or as a difference.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// All ones if it is a difference from the value that the event had before.
    pub(crate) near: u64,
    /// What it is more than that one, usually.
    pub(crate) step: u64,
    /// Whether it may be negative, and is folded.
    pub(crate) folds: bool,
}

impl Form {
    /// How its values are written.
    pub const fn rule(self) -> Rule {
        let (near, step, folds) = match self {
            Form::Near | Form::Goid | Form::Object | Form::Stack => (u64::MAX, 0, true),
            Form::Next => (u64::MAX, 1, true),
            Form::Signed => (0, 0, true),
            Form::Number | Form::Flag | Form::Word(_) | Form::Member | Form::Text => (0, 0, false),
        };
        Rule { near, step, folds }
    }
}

/// An operand's place among the values of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slot {
    /// Its name; empty for a member.
    pub name: String,
    /// What it is.
    pub form: Form,
}

/// An event.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Kind {
    /// Its name.
    pub name: String,
    /// Its operands.
    pub slots: Vec<Slot>,
}

/// Words that an operand can be, each with the names of its members.
pub type List = Vec<(String, Vec<String>)>;

/// All events, by number, and the lists of words.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Schema {
    /// The events.
    pub kinds: Vec<Kind>,
    /// The lists.
    pub lists: Vec<List>,
}

impl Schema {
    /// The number of the event of this name.
    pub fn kind(&self, name: &str) -> Option<u8> {
        let at = self.kinds.iter().position(|k| k.name == name)?;
        u8::try_from(at).ok()
    }

    /// Where the values of an event have this operand.
    pub fn slot(&self, kind: u8, name: &str) -> Option<usize> {
        let kind = self.kinds.get(usize::from(kind))?;
        kind.slots.iter().position(|s| s.name == name)
    }

    /// The word that this operand's value means.
    pub fn word(&self, kind: u8, slot: usize, value: u64) -> Option<&str> {
        let slot = self.kinds.get(usize::from(kind))?.slots.get(slot)?;
        match slot.form {
            Form::Word(list) => {
                let list = self.lists.get(usize::from(list))?;
                let word = list.get(usize::try_from(value).ok()?)?;
                Some(&word.0)
            }
            _ => None,
        }
    }

    /// The schema as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        push_varint(&mut out, self.lists.len() as u64);
        for list in &self.lists {
            push_varint(&mut out, list.len() as u64);
            for (word, members) in list {
                push_text(&mut out, word.as_bytes());
                push_varint(&mut out, members.len() as u64);
                members
                    .iter()
                    .for_each(|m| push_text(&mut out, m.as_bytes()));
            }
        }
        push_varint(&mut out, self.kinds.len() as u64);
        for kind in &self.kinds {
            push_text(&mut out, kind.name.as_bytes());
            push_varint(&mut out, kind.slots.len() as u64);
            for slot in &kind.slots {
                push_text(&mut out, slot.name.as_bytes());
                out.push(slot.form.code());
                if let Form::Word(list) = slot.form {
                    out.push(list);
                }
            }
        }
        out
    }

    /// Reads what [`Schema::to_bytes`] wrote.
    pub fn from_bytes(bytes: &[u8]) -> Result<Schema> {
        let mut at = Bytes::new(bytes);
        let mut schema = Schema::default();
        for _ in 0..at.count(usize::from(u8::MAX))? {
            let mut list = List::new();
            for _ in 0..at.count(WORDS)? {
                let word = name(&mut at)?;
                let members = at.count(SLOTS)?;
                let members = (0..members).map(|_| name(&mut at));
                list.push((word, members.collect::<Result<_>>()?));
            }
            schema.lists.push(list);
        }
        for _ in 0..at.count(KINDS)? {
            let mut kind = Kind {
                name: name(&mut at)?,
                slots: Vec::new(),
            };
            for _ in 0..at.count(SLOTS)? {
                let name = name(&mut at)?;
                let form = match at.byte()? {
                    0 => Form::Number,
                    1 => Form::Signed,
                    2 => Form::Near,
                    3 => Form::Next,
                    4 => Form::Flag,
                    5 => Form::Goid,
                    6 => Form::Object,
                    7 => Form::Word(at.byte()?),
                    8 => Form::Member,
                    9 => Form::Text,
                    10 => Form::Stack,
                    _ => return Err("the schema has an operand of an unknown form".into()),
                };
                kind.slots.push(Slot { name, form });
            }
            schema.kinds.push(kind);
        }
        at.end()?;
        schema.check()?;
        Ok(schema)
    }

    /// Words name lists that exist, and have room for their members.
    fn check(&self) -> Result<()> {
        for kind in &self.kinds {
            for (i, slot) in kind.slots.iter().enumerate() {
                let Form::Word(list) = slot.form else {
                    continue;
                };
                let list = self.lists.get(usize::from(list));
                let list = list.ok_or(Error::from("the schema names a list that is not there"))?;
                let most = list.iter().map(|w| w.1.len()).max().unwrap_or(0);
                let behind = kind.slots[i + 1..].iter();
                let room = behind.take_while(|s| s.form == Form::Member).count();
                if room < most {
                    return Err("the schema has no room for the members of a word".into());
                }
            }
        }
        Ok(())
    }
}

/// A name: letters of ASCII, digits and the signs of wait reasons.
fn name(at: &mut Bytes<'_>) -> Result<String> {
    let text = at.text(NAME)?;
    let is_plain = text
        .iter()
        .all(|b| (b' '..=b'~').contains(b) && !b"\"\\".contains(b));
    match std::str::from_utf8(text) {
        Ok(text) if is_plain => Ok(text.to_string()),
        _ => Err("the schema has a name that is none".into()),
    }
}
