//! An event with its names.

use crate::schema::Schema;
use crate::wire::Event;

/// An event, and what the schema says of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen<'a> {
    schema: &'a Schema,
    pub(crate) e: &'a Event,
    pub(crate) name: &'a str,
    ops: &'a [u64],
}

impl<'a> Seen<'a> {
    /// An event with these values.
    pub(crate) fn new(schema: &'a Schema, e: &'a Event, ops: &'a [u64]) -> Seen<'a> {
        let kind = schema.kinds.get(usize::from(e.kind));
        Seen {
            schema,
            e,
            name: kind.map_or("", |k| &k.name),
            ops,
        }
    }

    fn slot(&self, name: &str) -> Option<usize> {
        self.schema.slot(self.e.kind, name)
    }

    /// The operand of this name, 0 if there is none.
    pub(crate) fn op(&self, name: &str) -> u64 {
        let value = self.slot(name).and_then(|i| self.ops.get(i));
        value.map_or(0, |v| *v)
    }

    /// The number of its place in a queue.
    pub(crate) fn at(&self) -> i64 {
        self.op("at") as i64
    }

    /// The word that the operand of this name is, empty if there is none.
    pub(crate) fn word(&self, name: &str) -> &'a str {
        let word = |i: usize| self.schema.word(self.e.kind, i, *self.ops.get(i)?);
        self.slot(name).and_then(word).unwrap_or("")
    }
}
