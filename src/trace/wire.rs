//! Records as bytes.
//!
//! The records of one P, or of all threads without one, are a *stream*; a stream is cut into blocks
//! that can be read by themselves, and a block into parts that follow one another. A record is
//!
//! - prefixes: another thread than the record before ([`Tag::THREAD`]), a P other than the stream's
//!   ([`Tag::ABOUT`]), numbers that other streams have taken since ([`Tag::SKIP`]), a clock that
//!   went back ([`Tag::BACK`]);
//! - a byte: the event's number, and whether it has a time of its own;
//! - the nanoseconds since the record before, if it has;
//! - the goroutine, as the difference from that of the record before;
//! - if the event has operands, a mask of those that are not zero, of a byte for each seven of
//!   them, and these.
//!
//! An operand that is near the one that the same event had before is written as the difference from
//! that. All numbers are varints: seven bits a byte, the least first; differences are folded so
//! that small ones of either sign are short.

use crate::schema::{Rule, SLOTS, Schema};
use crate::{Error, Result};

/// The most bytes that a record takes.
pub const RECORD: usize = 4 * 11 + 2 + 10 + 10 + 3 + 10 * SLOTS;

/// What the first byte of a record, or of a prefix, means.
struct Tag;

impl Tag {
    const THREAD: u8 = 0;
    const ABOUT: u8 = 1;
    const SKIP: u8 = 2;
    const BACK: u8 = 3;
    /// The number of the first event.
    const FIRST: u8 = 4;
    /// Set in that of an event that happened when the one before it did.
    const SAME_TIME: u8 = 1 << 7;
}

const _: () = assert!(crate::schema::KINDS + Tag::FIRST as usize <= Tag::SAME_TIME as usize);

/// A signed number as one that is small if it is near 0.
#[inline]
pub fn fold(n: i64) -> u64 {
    ((n << 1) ^ (n >> 63)) as u64
}

/// What [`fold`] was given.
#[inline]
pub fn unfold(n: u64) -> i64 {
    (n >> 1) as i64 ^ -((n & 1) as i64)
}

/// Appends a varint.
pub fn push_varint(out: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

/// Appends bytes with their number before them.
pub fn push_text(out: &mut Vec<u8>, text: &[u8]) {
    push_varint(out, text.len() as u64);
    out.extend_from_slice(text);
}

/// Bytes that are being read.
#[derive(Clone, Copy, Debug)]
pub struct Bytes<'a> {
    rest: &'a [u8],
}

impl<'a> Bytes<'a> {
    /// All of them are still to be read.
    pub fn new(rest: &'a [u8]) -> Bytes<'a> {
        Bytes { rest }
    }

    /// How many are left.
    pub fn left(&self) -> usize {
        self.rest.len()
    }

    /// The next one.
    #[inline]
    pub fn byte(&mut self) -> Result<u8> {
        let (&first, rest) = self
            .rest
            .split_first()
            .ok_or_else(|| Error::from("it ends early"))?;
        self.rest = rest;
        Ok(first)
    }

    /// A varint.
    #[inline]
    pub fn varint(&mut self) -> Result<u64> {
        let mut n = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                break;
            }
            n |= bits << shift;
            if byte < 0x80 {
                return Ok(n);
            }
        }
        Err("a number is too long".into())
    }

    /// A number of things that follow, at most `most`; each takes a byte at least.
    pub fn count(&mut self, most: usize) -> Result<usize> {
        let n = self.varint()?;
        match usize::try_from(n) {
            Ok(n) if n <= most && n <= self.left() => Ok(n),
            _ => Err("a number of things is too large".into()),
        }
    }

    /// Bytes with their number before them, at most `most`.
    pub fn text(&mut self, most: usize) -> Result<&'a [u8]> {
        let n = self.count(most)?;
        let (text, rest) = self.rest.split_at(n);
        self.rest = rest;
        Ok(text)
    }

    /// Nothing may be left.
    pub fn end(&self) -> Result<()> {
        match self.rest {
            [] => Ok(()),
            _ => Err("there is more than belongs there".into()),
        }
    }
}

/// A record before it is written.
#[derive(Clone, Copy, Debug)]
pub struct Record {
    /// The number of its event in the schema.
    pub kind: u8,
    /// Its place among all records.
    pub seq: u64,
    /// When; `None`: when the record before it in the block happened.
    pub ns: Option<i64>,
    /// On which thread, −1 if none.
    pub m: i64,
    /// With, or about, which P, −1 if none.
    pub p: i64,
    /// About which goroutine, 0 if none.
    pub g: u64,
}

/// Takes the values of a record, slot by slot.
pub trait Put {
    /// The next slot has this value, which is written by this rule.
    fn put(&mut self, value: u64, rule: Rule);
}

/// The values of a record.
pub trait Values {
    /// Gives the value of each slot, in order.
    fn put_all(&self, to: &mut impl Put);
}

/// Values that have been read, and their rules.
#[derive(Clone, Copy, Debug)]
pub struct Listed<'a>(pub &'a [u64], pub &'a [Rule]);

impl Values for Listed<'_> {
    fn put_all(&self, to: &mut impl Put) {
        let all = self.0.iter().zip(self.1);
        all.for_each(|(v, rule)| to.put(*v, *rule));
    }
}

/// Where the values of a record are written.
struct Slots<'a, 'b> {
    last: &'a mut [u64; SLOTS],
    at: &'a mut Cursor<'b>,
    i: usize,
    mask: u64,
}

impl Put for Slots<'_, '_> {
    #[inline(always)]
    fn put(&mut self, value: u64, rule: Rule) {
        let last = &mut self.last[self.i];
        let d = value
            .wrapping_sub(*last & rule.near)
            .wrapping_sub(rule.step);
        if rule.near != 0 {
            *last = value;
        }
        let written = if rule.folds { fold(d as i64) } else { d };
        if written != 0 {
            self.mask |= 1 << self.i;
            self.at.varint(written);
        }
        self.i += 1;
    }
}

/// How many bytes the mask of an event with so many slots takes: it is written last.
const fn mask_bytes(slots: usize) -> usize {
    slots.div_ceil(7)
}

/// What the records of a block so far mean for the next one: the same at both ends.
#[derive(Clone, Debug)]
pub struct State {
    /// The stream's P, −1 if none.
    p: i64,
    seq: u64,
    ns: i64,
    m: i64,
    g: u64,
    /// The last value of each operand of each event.
    last: Box<[[u64; SLOTS]]>,
}

impl State {
    /// At the beginning of a block of the stream of this P, −1 if none, for so many events.
    pub fn new(p: i64, kinds: usize) -> State {
        State {
            p,
            seq: 0,
            ns: 0,
            m: -1,
            g: 0,
            last: vec![[0; SLOTS]; kinds].into(),
        }
    }

    /// Another block begins.
    pub fn begin(&mut self) {
        (self.seq, self.ns, self.m, self.g) = (0, 0, -1, 0);
        self.last.fill([0; SLOTS]);
    }

    /// When the last record happened.
    #[inline]
    pub fn ns(&self) -> i64 {
        self.ns
    }

    /// Writes a record of an event with so many slots to `out`; how many bytes it takes.
    #[inline(always)]
    pub fn encode(
        &mut self,
        r: &Record,
        slots: usize,
        out: &mut [u8; RECORD],
        values: &impl Values,
    ) -> usize {
        let mut at = Cursor { out, len: 0 };
        if r.m != self.m || r.p != self.p || r.seq != self.seq {
            self.prefix(r, &mut at);
        }
        self.seq = r.seq.wrapping_add(1);
        let kind = r.kind + Tag::FIRST;
        match r.ns {
            Some(ns) => {
                if ns < self.ns {
                    at.tagged(Tag::BACK, self.ns.wrapping_sub(ns) as u64);
                    self.ns = ns;
                }
                at.byte(kind);
                at.varint(ns.wrapping_sub(self.ns) as u64);
                self.ns = ns;
            }
            None => at.byte(kind | Tag::SAME_TIME),
        }
        at.varint(fold(r.g.wrapping_sub(self.g) as i64));
        self.g = r.g;
        if slots > 0 {
            let mask_at = at.len;
            at.len += mask_bytes(slots);
            let mut to = Slots {
                last: &mut self.last[usize::from(r.kind)],
                at: &mut at,
                i: 0,
                mask: 0,
            };
            values.put_all(&mut to);
            let mask = to.mask;
            at.mask(mask_at, mask, slots);
        }
        at.len
    }

    #[cold]
    fn prefix(&mut self, r: &Record, at: &mut Cursor<'_>) {
        if r.m != self.m {
            at.tagged(Tag::THREAD, fold(r.m));
            self.m = r.m;
        }
        if r.p != self.p {
            at.tagged(Tag::ABOUT, fold(r.p));
        }
        if r.seq != self.seq {
            at.tagged(Tag::SKIP, r.seq.wrapping_sub(self.seq));
        }
    }

    /// Reads a record; its values go to the end of `ops`.
    pub fn read(
        &mut self,
        from: &mut Bytes<'_>,
        schema: &Schema,
        ops: &mut Vec<u64>,
    ) -> Result<Event> {
        let mut p = self.p;
        let tag = loop {
            match from.byte()? {
                Tag::THREAD => self.m = unfold(from.varint()?),
                Tag::ABOUT => p = unfold(from.varint()?),
                Tag::SKIP => self.seq = self.seq.wrapping_add(from.varint()?),
                Tag::BACK => self.ns = self.ns.wrapping_sub(from.varint()? as i64),
                tag => break tag,
            }
        };
        if tag & Tag::SAME_TIME == 0 {
            self.ns = self.ns.wrapping_add(from.varint()? as i64);
        }
        let kind = (tag & !Tag::SAME_TIME).checked_sub(Tag::FIRST);
        let kind = kind.filter(|&k| usize::from(k) < schema.kinds.len());
        let (Some(kind), true) = (kind, self.last.len() >= schema.kinds.len()) else {
            return Err("an event has no name in the schema".into());
        };
        self.g = self.g.wrapping_add(unfold(from.varint()?) as u64);
        let event = Event {
            seq: self.seq,
            ns: self.ns,
            g: self.g,
            m: self.m,
            p,
            kind,
            at: ops.len(),
        };
        self.seq = self.seq.wrapping_add(1);
        let slots = &schema.kinds[usize::from(kind)].slots;
        if slots.is_empty() {
            return Ok(event);
        }
        let mask = from.varint()?;
        if mask >> slots.len() != 0 {
            return Err("an event has too many operands".into());
        }
        let last = &mut self.last[usize::from(kind)];
        for (i, slot) in slots.iter().enumerate() {
            let written = match mask >> i & 1 {
                0 => 0,
                _ => from.varint()?,
            };
            let rule = slot.form.rule();
            let d = match rule.folds {
                true => unfold(written) as u64,
                false => written,
            };
            last[i] = d.wrapping_add(last[i] & rule.near).wrapping_add(rule.step);
            ops.push(last[i]);
        }
        Ok(event)
    }
}

/// A record that has been read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    /// Its place among all records.
    pub seq: u64,
    /// When.
    pub ns: i64,
    /// About which goroutine, 0 if none.
    pub g: u64,
    /// On which thread, −1 if none.
    pub m: i64,
    /// With, or about, which P, −1 if none.
    pub p: i64,
    /// The number of the event in the schema.
    pub kind: u8,
    /// Where its values begin among all.
    pub at: usize,
}

struct Cursor<'a> {
    out: &'a mut [u8; RECORD],
    len: usize,
}

impl Cursor<'_> {
    #[inline]
    fn byte(&mut self, b: u8) {
        self.out[self.len] = b;
        self.len += 1;
    }

    #[inline]
    fn varint(&mut self, mut n: u64) {
        while n >= 0x80 {
            self.byte(n as u8 | 0x80);
            n >>= 7;
        }
        self.byte(n as u8);
    }

    /// Writes a mask to where room was left for it.
    #[inline(always)]
    fn mask(&mut self, at: usize, mask: u64, slots: usize) {
        let bytes = mask_bytes(slots);
        for k in 0..bytes {
            let more = if k + 1 < bytes { 0x80 } else { 0 };
            self.out[at + k] = (mask >> (7 * k)) as u8 & 0x7f | more;
        }
    }

    fn tagged(&mut self, tag: u8, n: u64) {
        self.byte(tag);
        self.varint(n);
    }
}
