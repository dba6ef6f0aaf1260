//! A whole trace.

use crate::file::{HEADER, Kind, MAGIC, Next, Part, Streams, Tables, Value, Values, next_block};
use crate::schema::{Rule, Schema};
use crate::wire::{Event, Listed, RECORD, Record, State};
use crate::{Error, Result};

/// How a file ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// With its tail.
    Whole(Values),
    /// Before its tail, after the block that ends there: the program was killed, or the file cut.
    Cut {
        /// Where the last whole block ends.
        at: usize,
    },
    /// With something that is no block; what follows is not read.
    Damaged {
        /// Where that begins.
        at: usize,
        /// What is wrong with it.
        why: String,
    },
}

/// A trace that has been read.
#[derive(Clone, Debug)]
pub struct Trace {
    /// About the program.
    pub head: Values,
    /// Which events there are.
    pub schema: Schema,
    /// Strings and stacks.
    pub tables: Tables,
    /// Where it begins: the number of the first record. What was before is not known, if that is
    /// not 0.
    pub first: u64,
    /// Records of before, which name goroutines and objects.
    pub before: Vec<Event>,
    /// All records in order.
    pub events: Vec<Event>,
    /// Their values; see [`Trace::ops`].
    pub values: Vec<u64>,
    /// How many of the records, from the first, lack none in between.
    pub sound: usize,
    /// How the file ends.
    pub end: End,
}

impl Trace {
    /// Reads a file. What is cut or damaged is read as far as it can be.
    pub fn from_bytes(bytes: &[u8]) -> Result<Trace> {
        let Some(rest) = bytes.strip_prefix(MAGIC) else {
            let name = &MAGIC[..MAGIC.len() - 2];
            return Err(match bytes.starts_with(name) {
                true => "a trace of another version of gosched".into(),
                false => "no trace of gosched".into(),
            });
        };
        let mut at = MAGIC.len();
        let (contents, len) = first(rest, Kind::Head)?;
        let head = Values::from_bytes(contents)?;
        at += len;
        let (contents, len) = first(&bytes[at..], Kind::Schema)?;
        let schema = Schema::from_bytes(contents)?;
        at += len;
        let mut reading = Reading {
            tables: Tables::default(),
            streams: Streams::new(schema),
            events: Vec::new(),
            values: Vec::new(),
        };
        let end = loop {
            if at == bytes.len() {
                break End::Cut { at };
            }
            let (kind, contents, len) = match next_block(&bytes[at..]) {
                Next::Block(kind, contents, len) => (kind, contents, len),
                Next::Cut => break End::Cut { at },
                Next::Damaged(why) => break damaged(at, why.into()),
            };
            match reading.block(kind, contents) {
                Ok(None) => at += len,
                Ok(Some(tail)) if at + len == bytes.len() => break End::Whole(tail),
                Ok(Some(_)) => break damaged(at + len, "something follows the tail".into()),
                Err(why) => break damaged(at, why),
            }
        };
        reading.finish(head, end)
    }

    /// The name of an event.
    pub fn name(&self, event: &Event) -> &str {
        let kind = self.schema.kinds.get(usize::from(event.kind));
        kind.map_or("", |k| &k.name)
    }

    /// The values of an event, as many as it has slots.
    pub fn ops(&self, event: &Event) -> &[u64] {
        let slots = self.schema.kinds[usize::from(event.kind)].slots.len();
        &self.values[event.at..event.at + slots]
    }

    /// Which of these events would be missing, though they happened: others were asked for.
    pub fn lacks<'a>(&self, names: &[&'a str]) -> Vec<&'a str> {
        let only = self.head.list("only");
        let is_there = |name: &str| only.is_empty() || only.iter().any(|o| o == name.as_bytes());
        names.iter().copied().filter(|n| !is_there(n)).collect()
    }

    /// What makes the trace less than whole, in words.
    pub fn flaw(&self) -> Option<String> {
        let lost = self.events.len() - self.sound;
        match &self.end {
            End::Cut { at } => Some(format!(
                "the trace is cut: it has no tail, and its last whole block ends at byte {at}"
            )),
            End::Damaged { at, why } => Some(format!(
                "the trace is damaged at byte {at}, where reading ends: {why}"
            )),
            End::Whole(tail) => match tail.number("lost") {
                Some(0) if lost == 0 => None,
                n => Some(format!("{} records are missing", n.unwrap_or(0))),
            },
        }
    }
}

fn damaged(at: usize, why: Error) -> End {
    End::Damaged { at, why: why.0 }
}

/// The contents of the first block, which must be of this kind, and its length.
fn first(bytes: &[u8], want: Kind) -> Result<(&[u8], usize)> {
    match next_block(bytes) {
        Next::Block(kind, contents, len) if kind == want => Ok((contents, len)),
        Next::Block(..) => Err("the trace does not begin with its head and schema".into()),
        Next::Cut => Err("the trace is cut within its head".into()),
        Next::Damaged(why) => Err(Error(format!("the trace's head is damaged: {why}"))),
    }
}

struct Reading {
    tables: Tables,
    streams: Streams,
    events: Vec<Event>,
    values: Vec<u64>,
}

impl Reading {
    /// Reads a block; the tail is given back. Of a block that is wrong nothing is kept.
    fn block(&mut self, kind: Kind, contents: &[u8]) -> Result<Option<Values>> {
        let (events, values) = (self.events.len(), self.values.len());
        let read = match kind {
            Kind::Head | Kind::Schema => Err("a second head".into()),
            Kind::Strings => self.tables.read_strings(contents),
            Kind::Stacks => self.tables.read_stacks(contents),
            Kind::Part => Part::from_bytes(contents)
                .and_then(|part| self.streams.read(&part, &mut self.events, &mut self.values)),
            Kind::Tail => return Values::from_bytes(contents).map(Some),
        };
        if read.is_err() {
            self.events.truncate(events);
            self.values.truncate(values);
        }
        read.map(|()| None)
    }

    fn finish(mut self, head: Values, end: End) -> Result<Trace> {
        self.events.sort_by_key(|e| e.seq);
        if self.events.windows(2).any(|w| w[0].seq == w[1].seq) {
            return Err("two records have one number".into());
        }
        let first = head.number("first").unwrap_or(0).max(0) as u64;
        let events = self.events.partition_point(|e| e.seq < first);
        let events = self.events.split_off(events);
        let before = std::mem::replace(&mut self.events, events);
        let expected = (first..).zip(&self.events);
        let sound = expected.take_while(|(n, e)| *n == e.seq).count();
        Ok(Trace {
            head,
            schema: self.streams.schema().clone(),
            tables: self.tables,
            first,
            before,
            events: self.events,
            values: self.values,
            sound,
            end,
        })
    }
}

/// Writes a trace as one file, with all records of a P in one block after another; for tests and
/// for tools that change one.
pub fn to_bytes(trace: &Trace) -> Vec<u8> {
    use crate::file::push_block;
    let mut out = MAGIC.to_vec();
    push_block(&mut out, Kind::Head, &trace.head.to_bytes());
    push_block(&mut out, Kind::Schema, &trace.schema.to_bytes());
    trace.tables.push_all(&mut out);
    let all: Vec<&Event> = trace.before.iter().chain(&trace.events).collect();
    for (block, events) in all.chunks(1 << 12).enumerate() {
        let events = events.iter().map(|e| (*e, trace.ops(e)));
        let part = part_of(&trace.schema, block as u64, events);
        push_block(&mut out, Kind::Part, &part.to_bytes());
    }
    if let End::Whole(tail) = &trace.end {
        push_block(&mut out, Kind::Tail, &tail.to_bytes());
    }
    debug_assert!(out.len() >= MAGIC.len() + HEADER);
    out
}

/// These events, with their values, as a block of this number of those that happen with no P.
pub(crate) fn part_of<'a>(
    schema: &Schema,
    block: u64,
    events: impl Iterator<Item = (&'a Event, &'a [u64])>,
) -> Part {
    let mut state = State::new(-1, schema.kinds.len());
    let mut part = Part {
        p: -1,
        block,
        ..Part::default()
    };
    for (e, ops) in events {
        let slots = &schema.kinds[usize::from(e.kind)].slots;
        let rules: Vec<Rule> = slots.iter().map(|s| s.form.rule()).collect();
        let record = Record {
            kind: e.kind,
            seq: e.seq,
            ns: Some(e.ns),
            m: e.m,
            p: e.p,
            g: e.g,
        };
        let mut room = [0; RECORD];
        let n = state.encode(&record, rules.len(), &mut room, &Listed(ops, &rules));
        part.bytes.extend_from_slice(&room[..n]);
        part.records += 1;
    }
    part
}

/// A number of the head or the tail.
pub fn number(name: &str, n: i64) -> (String, Value) {
    (name.into(), Value::Number(n))
}

/// A text of the head or the tail.
pub fn text(name: &str, text: &[u8]) -> (String, Value) {
    (name.into(), Value::Text(text.to_vec()))
}
