//! Profiles as protocol buffers.
//!
//! Go: runtime/pprof/proto.go; github.com/google/pprof/proto/profile.proto.

use rustc_hash::FxHashMap;

use super::profile::{Profile, place};

// Numbers of fields, by message.

/// `Profile`
mod profile {
    pub(super) const SAMPLE_TYPE: u64 = 1;
    pub(super) const SAMPLE: u64 = 2;
    pub(super) const MAPPING: u64 = 3;
    pub(super) const LOCATION: u64 = 4;
    pub(super) const FUNCTION: u64 = 5;
    pub(super) const STRINGS: u64 = 6;
    pub(super) const TIME_NANOS: u64 = 9;
    pub(super) const DURATION_NANOS: u64 = 10;
    pub(super) const PERIOD_TYPE: u64 = 11;
    pub(super) const PERIOD: u64 = 12;
    pub(super) const DEFAULT_SAMPLE_TYPE: u64 = 14;
}

/// A message as it is written.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn varint(&mut self, mut n: u64) {
        while n >= 0x80 {
            self.0.push(n as u8 | 0x80);
            n >>= 7;
        }
        self.0.push(n as u8);
    }

    /// A number; 0 is what a field is that is missing.
    fn number(&mut self, field: u64, n: u64) {
        if n != 0 {
            self.varint(field << 3);
            self.varint(n);
        }
    }

    fn bytes(&mut self, field: u64, bytes: &[u8]) {
        self.varint(field << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    fn numbers(&mut self, field: u64, all: impl IntoIterator<Item = u64>) {
        let mut packed = Message::default();
        all.into_iter().for_each(|n| packed.varint(n));
        self.bytes(field, &packed.0);
    }

    fn message(&mut self, field: u64, fill: impl FnOnce(&mut Message)) {
        let mut inner = Message::default();
        fill(&mut inner);
        self.bytes(field, &inner.0);
    }
}

/// Things with numbers from 1 on, in the order in which they were first asked for.
struct Numbered<K>(FxHashMap<K, u64>);

impl<K: std::hash::Hash + Eq> Numbered<K> {
    /// The number of `key`, and whether it is new.
    fn get(&mut self, key: K) -> (u64, bool) {
        let next = self.0.len() as u64 + 1;
        let n = *self.0.entry(key).or_insert(next);
        (n, n == next)
    }
}

/// The table of strings, which begins with the empty one.
struct Strings {
    numbers: FxHashMap<String, u64>,
    all: Message,
}

impl Strings {
    fn get(&mut self, text: &str) -> u64 {
        if let Some(&n) = self.numbers.get(text) {
            return n;
        }
        let n = self.numbers.len() as u64;
        self.numbers.insert(text.to_string(), n);
        self.all.bytes(profile::STRINGS, text.as_bytes());
        n
    }
}

/// The profile as a protocol buffer, not compressed.
pub(crate) fn encode(p: &Profile) -> Vec<u8> {
    let mut strings = Strings {
        numbers: FxHashMap::default(),
        all: Message::default(),
    };
    strings.get("");
    let mut out = Message::default();
    for kind in &p.kinds {
        kind_of(&mut out, profile::SAMPLE_TYPE, kind, &mut strings);
    }
    let mut locations = Numbered(FxHashMap::default());
    let mut functions = Numbered(FxHashMap::default());
    let mut tables = Message::default();
    for sample in &p.samples {
        let mut ids = Vec::new();
        for &pc in sample.stack.iter().filter(|pc| **pc != 0) {
            let Some(at) = place(pc) else { continue };
            // As in Go: it says nothing.
            if at.name == "runtime.goexit" {
                continue;
            }
            let (id, is_new) = locations.get(pc);
            ids.push(id);
            if !is_new {
                continue;
            }
            let (name, file) = (strings.get(&at.name), strings.get(&at.file));
            let (function, is_new) = functions.get((name, file));
            if is_new {
                tables.message(profile::FUNCTION, |f| {
                    f.number(1, function);
                    f.number(2, name);
                    f.number(3, name);
                    f.number(4, file);
                    f.number(5, at.first_line);
                });
            }
            tables.message(profile::LOCATION, |l| {
                l.number(1, id);
                l.number(2, 1);
                l.number(3, pc as u64 - 1);
                l.message(4, |line| {
                    line.number(1, function);
                    line.number(2, at.line);
                });
            });
        }
        out.message(profile::SAMPLE, |s| {
            s.numbers(1, ids);
            s.numbers(2, sample.values.iter().map(|v| *v as u64));
            for (key, value) in sample.labels.iter() {
                s.message(3, |l| {
                    l.number(1, strings.get(key));
                    l.number(2, strings.get(value));
                });
            }
            if let Some(bytes) = sample.bytes {
                s.message(3, |l| {
                    l.number(1, strings.get("bytes"));
                    l.number(3, bytes);
                });
            }
        });
    }
    // All code counts as one mapping, so that nobody looks for it in a file.
    out.message(profile::MAPPING, |m| {
        m.number(1, 1);
        m.number(3, u64::MAX);
        m.number(5, strings.get(&p.program));
        m.number(7, 1);
        m.number(8, 1);
        m.number(9, 1);
    });
    out.0.extend(tables.0);
    out.number(profile::TIME_NANOS, p.time_ns);
    out.number(profile::DURATION_NANOS, p.duration_ns);
    kind_of(&mut out, profile::PERIOD_TYPE, &p.period_kind, &mut strings);
    out.number(profile::PERIOD, p.period as u64);
    if let Some(kind) = p.default_kind {
        out.number(profile::DEFAULT_SAMPLE_TYPE, strings.get(kind));
    }
    out.0.extend(strings.all.0);
    out.0
}

/// What is counted, and in which unit.
fn kind_of(out: &mut Message, field: u64, kind: &(String, &str), strings: &mut Strings) {
    out.message(field, |m| {
        m.number(1, strings.get(&kind.0));
        m.number(2, strings.get(kind.1));
    });
}
