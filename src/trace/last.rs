//! The end of a trace, kept in memory: a flight recorder.
//!
//! Records are kept in chunks, which begin where all streams begin a block anew: so those in front
//! can be dropped whole, and what is left can be read. Of what is dropped no more is kept than
//! names what is still there: the records that made the goroutines that have not ended, and those
//! that named objects. The head says which record is the first of which none is missing (`first`);
//! what is in the file before it only tells names.

use std::collections::{BTreeMap, HashMap, VecDeque};

use crate::file::{Kind, MAGIC, Part, Streams, Tables, Values, push_block};
use crate::read::{number, part_of};
use crate::schema::Schema;
use crate::wire::Event;

/// Objects whose names are kept, though the records that named them are dropped.
const OBJECTS: usize = 1 << 16;
/// Records in one block of those that name something.
const NAMES: usize = 1 << 16;
/// Chunks for the time that is kept.
const CHUNKS: i64 = 8;
/// How long a chunk is, at most and at least.
const LONGEST_NS: i64 = 1_000_000_000;
const SHORTEST_NS: i64 = 20_000_000;

#[derive(Debug, Default)]
struct Chunk {
    parts: Vec<Part>,
    bytes: usize,
    records: u64,
    /// When it ended.
    until: i64,
}

impl Chunk {
    fn push(&mut self, part: Part) {
        self.bytes += part.bytes.len();
        self.records += part.records;
        self.parts.push(part);
    }
}

/// A record by itself.
#[derive(Clone, Debug)]
struct Alone {
    event: Event,
    ops: Vec<u64>,
}

/// The end of a trace.
#[derive(Debug)]
pub struct Recorder {
    keep: i64,
    most: usize,
    chunks: VecDeque<Chunk>,
    open: Chunk,
    /// When that began.
    since: i64,
    /// What the records mean that are dropped.
    streams: Streams,
    /// By stream: the last block that was dropped.
    dropped: HashMap<i64, u64>,
    /// The number behind the last record that was dropped.
    first: u64,
    creates: BTreeMap<u64, Alone>,
    objects: BTreeMap<u64, Alone>,
    kinds: Kinds,
}

/// The numbers of events that matter here, and of operands.
#[derive(Clone, Copy, Debug)]
struct Kinds {
    create: Option<u8>,
    end: Option<u8>,
    object: Option<u8>,
    id: usize,
}

impl Recorder {
    /// Keeps the last `keep` nanoseconds, and no more than `most` bytes, from `now` on.
    pub fn new(schema: Schema, keep: i64, most: usize, now: i64) -> Recorder {
        let object = schema.kind("object");
        let kinds = Kinds {
            create: schema.kind("create"),
            end: schema.kind("end"),
            object,
            id: object.and_then(|k| schema.slot(k, "id")).unwrap_or(0),
        };
        Recorder {
            keep,
            most,
            chunks: VecDeque::new(),
            open: Chunk::default(),
            since: now,
            streams: Streams::new(schema),
            dropped: HashMap::new(),
            first: 0,
            creates: BTreeMap::new(),
            objects: BTreeMap::new(),
            kinds,
        }
    }

    /// Whether it is time that all streams begin a block anew: what comes then is to be added, and
    /// [`Recorder::turn`] to be called.
    pub fn is_due(&self, now: i64) -> bool {
        let length = (self.keep / CHUNKS).clamp(SHORTEST_NS, LONGEST_NS);
        now.saturating_sub(self.since) >= length || self.open.bytes > self.most / CHUNKS as usize
    }

    /// More records, of each stream in order.
    pub fn add(&mut self, parts: Vec<Part>) {
        parts.into_iter().for_each(|part| self.open.push(part));
    }

    /// All streams begin a block anew: what came before can be dropped when it is old.
    pub fn turn(&mut self, now: i64) {
        let mut chunk = std::mem::take(&mut self.open);
        (chunk.until, self.since) = (now, now);
        self.chunks.push_back(chunk);
        let mut bytes: usize = self.chunks.iter().map(|c| c.bytes).sum();
        while let Some(front) = self.chunks.front() {
            let is_old = front.until < now.saturating_sub(self.keep);
            if !is_old && bytes <= self.most {
                break;
            }
            bytes -= front.bytes;
            self.drop_front();
        }
    }

    fn drop_front(&mut self) {
        let Some(chunk) = self.chunks.pop_front() else {
            return;
        };
        for part in &chunk.parts {
            let dropped = self.dropped.entry(part.p).or_default();
            *dropped = (*dropped).max(part.block);
            self.forget(part);
        }
        // A record may have come into a block a moment after the next one was to begin.
        let dropped = &self.dropped;
        let is_late = |part: &Part| dropped.get(&part.p).is_some_and(|last| part.block <= *last);
        let mut all_late = Vec::new();
        for chunk in self.chunks.iter_mut().chain([&mut self.open]) {
            let parts = std::mem::take(&mut chunk.parts).into_iter();
            let (late, rest): (Vec<Part>, Vec<Part>) = parts.partition(is_late);
            chunk.parts = rest;
            for part in &late {
                chunk.bytes -= part.bytes.len();
                chunk.records -= part.records;
            }
            all_late.extend(late);
        }
        all_late.iter().for_each(|part| self.forget(part));
    }

    /// Keeps what names something of records that are dropped.
    fn forget(&mut self, part: &Part) {
        let (mut events, mut values) = (Vec::new(), Vec::new());
        // What is lost before it makes a part unreadable, for us as for others.
        if self.streams.read(part, &mut events, &mut values).is_err() {
            return;
        }
        let schema = self.streams.schema();
        for event in events {
            self.first = self.first.max(event.seq + 1);
            let kind = Some(event.kind);
            let slots = schema.kinds[usize::from(event.kind)].slots.len();
            let alone = || Alone {
                event,
                ops: values[event.at..event.at + slots].to_vec(),
            };
            if kind == self.kinds.create {
                self.creates.insert(event.g, alone());
            } else if kind == self.kinds.end {
                self.creates.remove(&event.g);
            } else if kind == self.kinds.object {
                let alone = alone();
                let id = alone.ops.get(self.kinds.id).copied().unwrap_or(0);
                self.objects.insert(id, alone);
                if self.objects.len() > OBJECTS {
                    self.objects.pop_first();
                }
            }
        }
    }

    /// A whole file of what there is; `all` records have been numbered, and `tail` says how the
    /// program ended.
    pub fn to_bytes(&self, head: &Values, tables: &Tables, all: u64, tail: &Values) -> Vec<u8> {
        let mut head = head.clone();
        head.0.push(number("first", self.first as i64));
        head.0.push(number("last_ns", self.keep));
        let schema = self.streams.schema();
        let mut out = MAGIC.to_vec();
        push_block(&mut out, Kind::Head, &head.to_bytes());
        push_block(&mut out, Kind::Schema, &schema.to_bytes());
        tables.push_all(&mut out);
        let mut names: Vec<&Alone> = self.creates.values().chain(self.objects.values()).collect();
        names.sort_by_key(|alone| alone.event.seq);
        for names in names.chunks(NAMES) {
            let all = names.iter().map(|alone| (&alone.event, &alone.ops[..]));
            push_block(&mut out, Kind::Part, &part_of(schema, 0, all).to_bytes());
        }
        let kept = || self.chunks.iter().chain([&self.open]);
        for part in kept().flat_map(|c| &c.parts) {
            out.extend_from_slice(&part.block_head());
            out.extend_from_slice(&part.bytes);
        }
        let records: u64 = kept().map(|c| c.records).sum();
        let is_there = records.saturating_sub(self.early());
        let lost = all.saturating_sub(self.first).saturating_sub(is_there);
        let mut tail = tail.clone();
        tail.0.push(number("records", all as i64));
        tail.0.push(number("lost", lost as i64));
        push_block(&mut out, Kind::Tail, &tail.to_bytes());
        out
    }

    /// Records that were numbered before others that have been dropped: they are in the chunk
    /// behind those.
    fn early(&self) -> u64 {
        let front = self.chunks.front().unwrap_or(&self.open);
        let mut streams = Streams::new(self.streams.schema().clone());
        let mut n = 0;
        for part in &front.parts {
            let (mut events, mut values) = (Vec::new(), Vec::new());
            if streams.read(part, &mut events, &mut values).is_ok() {
                n += events.iter().filter(|e| e.seq < self.first).count() as u64;
            }
        }
        n
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::Trace;
    use crate::schema::{Form, Kind as Event_, Slot};
    use crate::wire::{Listed, RECORD, Record, State};

    fn schema() -> Schema {
        let kind = |name: &str, slots: &[&str]| Event_ {
            name: name.into(),
            slots: slots
                .iter()
                .map(|name| Slot {
                    name: name.to_string(),
                    form: Form::Number,
                })
                .collect(),
        };
        Schema {
            kinds: vec![
                kind("create", &["func"]),
                kind("end", &[]),
                kind("object", &["id"]),
                kind("tick", &[]),
            ],
            lists: Vec::new(),
        }
    }

    /// The stream of a P.
    struct Stream {
        state: State,
        part: Part,
    }

    impl Stream {
        fn new(p: i64) -> Stream {
            let part = Part {
                p,
                ..Part::default()
            };
            Stream {
                state: State::new(p, 4),
                part,
            }
        }

        /// The next part, with such records: number, goroutine, kind and operand.
        fn part(&mut self, all: &[(u64, u64, &str, u64)]) -> Part {
            let schema = schema();
            self.part.bytes.clear();
            self.part.records = all.len() as u64;
            for &(seq, g, name, op) in all {
                let kind = schema.kind(name).unwrap();
                let slots = &schema.kinds[usize::from(kind)].slots;
                let rules: Vec<_> = slots.iter().map(|s| s.form.rule()).collect();
                let (m, p) = (0, self.part.p);
                let ns = Some(seq as i64);
                let record = Record {
                    kind,
                    seq,
                    ns,
                    m,
                    p,
                    g,
                };
                let mut room = [0; RECORD];
                let ops = &[op][..rules.len()];
                let values = Listed(ops, &rules);
                let n = self.state.encode(&record, rules.len(), &mut room, &values);
                self.part.bytes.extend_from_slice(&room[..n]);
            }
            let next = Part {
                part: self.part.part + 1,
                ..self.part.clone()
            };
            std::mem::replace(&mut self.part, next)
        }

        fn begin(&mut self) {
            self.state.begin();
            (self.part.block, self.part.part) = (self.part.block + 1, 0);
        }
    }

    #[test]
    fn what_is_kept_can_be_read_and_is_named() {
        let second = 1_000_000_000;
        let mut recorder = Recorder::new(schema(), second, 1 << 20, 0);
        let (mut a, mut b) = (Stream::new(0), Stream::new(1));
        recorder.add(vec![a.part(&[
            (0, 5, "create", 50),
            (1, 6, "create", 60),
            (2, 6, "end", 0),
            (3, 0, "object", 9),
        ])]);
        recorder.add(vec![b.part(&[(4, 7, "create", 70)])]);
        assert!(recorder.is_due(second / 2));
        recorder.turn(second / 2);
        // One stream has begun another block; a record of the other comes two turns too late.
        a.begin();
        recorder.add(vec![a.part(&[(5, 5, "tick", 0)])]);
        recorder.turn(second);
        recorder.add(vec![b.part(&[(6, 7, "tick", 0)])]);
        b.begin();
        recorder.add(vec![
            a.part(&[(7, 5, "tick", 0)]),
            b.part(&[(8, 7, "tick", 0)]),
        ]);
        let all = |recorder: &Recorder| {
            let (head, tables) = (Values::default(), Tables::default());
            let bytes = recorder.to_bytes(&head, &tables, 9, &Values::default());
            let trace = Trace::from_bytes(&bytes).unwrap();
            assert_eq!(trace.flaw(), None);
            trace
        };
        assert_eq!((all(&recorder).first, all(&recorder).events.len()), (0, 9));

        recorder.turn(2 * second);
        let trace = all(&recorder);
        let seqs = |events: &[Event]| events.iter().map(|e| e.seq).collect::<Vec<u64>>();
        // Up to the one that was too late nothing is whole.
        assert_eq!((trace.first, seqs(&trace.events)), (7, vec![7, 8]));
        // What has ended needs no name; record 5 is there for its own sake.
        assert_eq!(seqs(&trace.before), [0, 3, 4, 5]);

        // Nothing but names is left.
        recorder.turn(9 * second);
        let trace = all(&recorder);
        assert_eq!((trace.first, trace.events.len()), (9, 0));
        assert_eq!(seqs(&trace.before), [0, 3, 4]);
    }
}
