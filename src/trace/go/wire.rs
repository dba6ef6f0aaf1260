//! Bytes of Go's execution traces, in the form of Go 1.26.
//!
//! A file is a head and *generations*, about a second each. A generation is *batches* and a byte
//! that ends it. A batch is of one thread: events, each a byte that says which, the time since the
//! event before, and arguments, all of them varints. Batches of their own hold the strings and the
//! stacks that the generation's events name, and the clocks.
//!
//! Go: internal/trace/tracev2 has the events, internal/trace/order.go what may follow what.

use std::collections::{BTreeMap, HashMap};

use crate::wire::{push_text, push_varint};

/// How a file begins.
pub const HEAD: &[u8; 16] = b"go 1.26 trace\0\0\0";
/// The most bytes of a batch.
const MOST: usize = 64 << 10;
/// Bytes that the longest event takes, and more.
const ROOM: usize = 64;
/// The longest string.
const STRING: usize = 1 << 10;
/// No thread.
pub(crate) const NO_THREAD: i64 = -1;

/// The events that are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Ev {
    EventBatch = 1,
    Stacks = 2,
    Stack = 3,
    Strings = 4,
    String = 5,
    Frequency = 8,
    ProcsChange = 9,
    ProcStart = 10,
    ProcStop = 11,
    ProcSteal = 12,
    ProcStatus = 13,
    GoCreate = 14,
    GoStart = 16,
    GoDestroy = 17,
    GoStop = 19,
    GoBlock = 20,
    GoUnblock = 21,
    GoSyscallBegin = 22,
    GoSyscallEnd = 23,
    GoSyscallEndBlocked = 24,
    GoStatus = 25,
    StwBegin = 26,
    StwEnd = 27,
    GcActive = 28,
    GcBegin = 29,
    GcEnd = 30,
    HeapAlloc = 37,
    UserTaskBegin = 40,
    UserTaskEnd = 41,
    UserRegionBegin = 42,
    UserRegionEnd = 43,
    UserLog = 44,
    GoStatusStack = 48,
    Sync = 50,
    ClockSnapshot = 51,
    EndOfGeneration = 52,
}

/// A frame: function, file and line.
pub(crate) type Frame<'a> = (&'a str, &'a str, u64);

/// What a thread has to tell that is not written yet.
#[derive(Debug, Default)]
struct Batch {
    bytes: Vec<u8>,
    first: u64,
    last: u64,
}

/// Writes a trace.
#[derive(Debug)]
pub(crate) struct Encoder {
    /// What is done.
    pub(crate) out: Vec<u8>,
    generation: u64,
    /// When the last event was. All events have times of their own, in the order in which they are
    /// given, so that a reader puts them into that order again.
    now: u64,
    batches: BTreeMap<i64, Batch>,
    strings: HashMap<String, u64>,
    /// The frames by their numbers, which stand for pcs.
    frames: HashMap<(u64, u64, u64), u64>,
    stacks: HashMap<Vec<u64>, u64>,
    /// The entries of the tables.
    string_table: Vec<Vec<u8>>,
    stack_table: Vec<Vec<u8>>,
}

impl Encoder {
    pub(crate) fn new() -> Encoder {
        Encoder {
            out: Vec::new(),
            generation: 1,
            now: 0,
            batches: BTreeMap::new(),
            strings: HashMap::new(),
            frames: HashMap::new(),
            stacks: HashMap::new(),
            string_table: Vec::new(),
            stack_table: Vec::new(),
        }
    }

    /// The generation's number, from 1.
    pub(crate) fn generation(&self) -> u64 {
        self.generation
    }

    /// When the last event was.
    pub(crate) fn now(&self) -> u64 {
        self.now
    }

    /// An event of a thread, at `ns`, or right after the one before if that is earlier.
    pub(crate) fn event(&mut self, m: i64, ns: u64, ev: Ev, args: &[u64]) {
        self.now = ns.max(self.now + 1);
        let now = self.now;
        let batch = self.batches.entry(m).or_default();
        if batch.bytes.len() + ROOM > MOST {
            self.flush(m);
        }
        let batch = self.batches.entry(m).or_default();
        if batch.bytes.is_empty() {
            (batch.first, batch.last) = (now, now);
        }
        batch.bytes.push(ev as u8);
        push_varint(&mut batch.bytes, now - batch.last);
        args.iter()
            .for_each(|arg| push_varint(&mut batch.bytes, *arg));
        batch.last = now;
    }

    /// The number of a string in this generation; 0 is the empty one.
    pub(crate) fn string(&mut self, text: &str) -> u64 {
        if text.is_empty() {
            return 0;
        }
        if let Some(id) = self.strings.get(text) {
            return *id;
        }
        let id = self.strings.len() as u64 + 1;
        self.strings.insert(text.into(), id);
        let mut entry = vec![Ev::String as u8];
        push_varint(&mut entry, id);
        let end = (0..=text.len().min(STRING)).rev();
        let end = end.into_iter().find(|i| text.is_char_boundary(*i));
        push_text(&mut entry, &text.as_bytes()[..end.unwrap_or(0)]);
        self.string_table.push(entry);
        id
    }

    /// The number of a stack in this generation, the innermost frame first; 0 is that of none.
    pub(crate) fn stack<'a>(&mut self, frames: impl Iterator<Item = Frame<'a>>) -> u64 {
        let mut pcs = Vec::new();
        let mut entry = Vec::new();
        for (function, file, line) in frames {
            let frame = (self.string(function), self.string(file), line);
            let next = self.frames.len() as u64 + 1;
            let pc = *self.frames.entry(frame).or_insert(next);
            pcs.push(pc);
            for value in [pc, frame.0, frame.1, frame.2] {
                push_varint(&mut entry, value);
            }
        }
        if pcs.is_empty() {
            return 0;
        }
        let next = self.stacks.len() as u64 + 1;
        let n = pcs.len() as u64;
        let id = *self.stacks.entry(pcs).or_insert(next);
        if id == next {
            let mut whole = vec![Ev::Stack as u8];
            push_varint(&mut whole, id);
            push_varint(&mut whole, n);
            whole.extend_from_slice(&entry);
            self.stack_table.push(whole);
        }
        id
    }

    /// Ends the generation. `begin` is when it began, as `wall` nanoseconds since 1970.
    pub(crate) fn end_generation(&mut self, begin: u64, wall: u64) {
        let threads: Vec<i64> = self.batches.keys().copied().collect();
        for m in threads {
            self.flush(m);
        }
        let stacks = std::mem::take(&mut self.stack_table);
        self.table(Ev::Stacks, stacks);
        let strings = std::mem::take(&mut self.string_table);
        self.table(Ev::Strings, strings);
        let mut sync = vec![Ev::Sync as u8, Ev::Frequency as u8];
        push_varint(&mut sync, 1_000_000_000);
        sync.push(Ev::ClockSnapshot as u8);
        for value in [0, begin, wall / 1_000_000_000, wall % 1_000_000_000] {
            push_varint(&mut sync, value);
        }
        self.batch(NO_THREAD, begin, &sync);
        self.out.push(Ev::EndOfGeneration as u8);
        self.generation += 1;
        self.strings.clear();
        self.frames.clear();
        self.stacks.clear();
    }

    fn table(&mut self, ev: Ev, entries: Vec<Vec<u8>>) {
        let mut bytes = vec![ev as u8];
        for entry in entries {
            if bytes.len() + entry.len() > MOST {
                self.batch(NO_THREAD, self.now, &bytes);
                bytes.truncate(1);
            }
            bytes.extend_from_slice(&entry);
        }
        if bytes.len() > 1 {
            self.batch(NO_THREAD, self.now, &bytes);
        }
    }

    /// What a thread has told is done.
    fn flush(&mut self, m: i64) {
        if let Some(batch) = self.batches.remove(&m).filter(|b| !b.bytes.is_empty()) {
            self.batch(m, batch.first, &batch.bytes);
        }
    }

    fn batch(&mut self, m: i64, first: u64, bytes: &[u8]) {
        self.out.push(Ev::EventBatch as u8);
        for value in [self.generation, m as u64, first, bytes.len() as u64] {
            push_varint(&mut self.out, value);
        }
        self.out.extend_from_slice(bytes);
    }
}
