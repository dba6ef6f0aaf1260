//! The end of a trace, kept in memory: a flight recorder.
//!
//! Records are kept in chunks, which begin where all streams begin a block anew: so those in front
//! can be dropped whole, and what is left can be read. Of what is dropped no more is kept than
//! names what is still there: the records that made the goroutines that have not ended, and those
//! that named objects. The head says which record is the first of which none is missing (`first`);
//! what is in the file before it only tells names.

use std::collections::{BTreeMap, HashSet, VecDeque};

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
        let blocks: HashSet<(i64, u64)> = chunk.parts.iter().map(|p| (p.p, p.block)).collect();
        chunk.parts.iter().for_each(|part| self.forget(part));
        // A record may have come into a block a moment after the next one was to begin.
        let next = self.chunks.front_mut().unwrap_or(&mut self.open);
        let parts = std::mem::take(&mut next.parts).into_iter();
        let is_late = |part: &Part| part.part > 0 && blocks.contains(&(part.p, part.block));
        let (late, rest): (Vec<Part>, Vec<Part>) = parts.partition(is_late);
        next.parts = rest;
        for part in &late {
            next.bytes -= part.bytes.len();
            next.records -= part.records;
        }
        late.iter().for_each(|part| self.forget(part));
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
