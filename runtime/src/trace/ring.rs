#![allow(unsafe_code)]
//! Where records wait to be read: a ring for each P, and a list for all the rest.
//!
//! A P's ring is written by the M that holds the P, without a lock, and emptied under the sink's
//! lock: by a reader, or by the writer itself when the ring is full. So nothing is lost, unless
//! the list grows past [`MOST`] records; then the loss is counted, and told in the stream.
//! Every record has its place in one sequence, so that those of several Ps can be put in order.
//!
//! # Invariants
//!
//! - L1. Records between `tail` and `head` belong to the ring; the slot at `head` to the P's owner.
//! - L2. `head` is written by the P's owner; `tail` with the sink locked.

use std::cell::UnsafeCell;
use std::collections::VecDeque;

use super::event::{Event, WORDS, What};
use crate::clock::nanotime;
use crate::g::{G, Goid};
use crate::lockrank::Rank;
use crate::m::M;
use crate::p::P;
use crate::sync::plain::{AtomicU64, AtomicUsize, Ordering};
use crate::sync::{Guarded, os_yield};

/// Records in a ring.
const RING: usize = 1 << 13;
/// Records in the list.
const MOST: usize = 1 << 22;
/// Records that wait for the prompt.
const MOST_WATCHED: usize = 1 << 16;

/// An event as it is stored.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub(super) struct Record {
    pub(super) seq: u64,
    ns: i64,
    g: u64,
    m: i32,
    /// The kind, and the P's number plus one, shifted.
    kind_p: u32,
    ops: [u32; WORDS],
}

impl Record {
    pub(super) fn event(&self) -> Event {
        Event {
            seq: self.seq,
            ns: self.ns,
            m: i64::from(self.m),
            p: i64::from(self.kind_p >> 8) - 1,
            g: Goid(self.g),
            what: What::decode(self.kind_p as u8, &self.ops),
        }
    }
}

/// The records of one P.
pub(crate) struct Ring {
    /// How many were ever written.
    head: AtomicUsize,
    /// How many were ever read.
    tail: AtomicUsize,
    slots: Box<[UnsafeCell<Record>]>,
}

// SAFETY: L1, L2.
unsafe impl Sync for Ring {}

impl std::fmt::Debug for Ring {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Ring({})", self.head.load(Ordering::Relaxed))
    }
}

impl Ring {
    fn new() -> Ring {
        Ring {
            head: AtomicUsize::new(0),
            tail: AtomicUsize::new(0),
            slots: (0..RING).map(|_| UnsafeCell::default()).collect(),
        }
    }

    /// Context: the owner of the ring's P.
    #[inline]
    fn push(&self, r: Record) {
        let head = self.head.load(Ordering::Relaxed);
        // Acquire: pairs with the Release in `empty`; the slot has been read.
        if head - self.tail.load(Ordering::Acquire) == RING {
            let mut sink = SINK.lock();
            self.empty(&mut sink);
        }
        // SAFETY: L1 — the slot at `head` is ours.
        unsafe { *self.slots[head % RING].get() = r };
        // Release: pairs with the Acquire in `empty`.
        self.head.store(head + 1, Ordering::Release);
    }

    /// Moves the records to the list.
    fn empty(&self, sink: &mut Sink) {
        // Acquire: pairs with the Release in `push`.
        let head = self.head.load(Ordering::Acquire);
        for i in self.tail.load(Ordering::Relaxed)..head {
            // SAFETY: L1 — written, and not written again before `tail` has passed it.
            sink.add(unsafe { *self.slots[i % RING].get() });
        }
        // Release: pairs with the Acquire in `push`.
        self.tail.store(head, Ordering::Release);
    }
}

struct Sink {
    list: Vec<Record>,
    rings: Vec<&'static Ring>,
    lost: u32,
    /// Who reads: see [`Reader`].
    readers: [bool; 2],
    /// There is a log, or was: records that have a number belong to it when it ends.
    has_log: bool,
    /// What the prompt has not taken yet.
    watched: VecDeque<Record>,
}

/// Who may read records. Each gets them all.
#[derive(Clone, Copy)]
pub(super) enum Reader {
    Log,
    Prompt,
}

impl Sink {
    fn add(&mut self, r: Record) {
        if self.readers[Reader::Prompt as usize] {
            if self.watched.len() == MOST_WATCHED {
                self.watched.pop_front();
            }
            self.watched.push_back(r);
        }
        if self.has_log && self.list.len() < MOST {
            self.list.push(r);
        } else if self.has_log {
            self.lost += 1;
        }
    }

    /// Empties all rings.
    fn gather(&mut self) {
        let rings = std::mem::take(&mut self.rings);
        for ring in &rings {
            ring.empty(self);
        }
        self.rings = rings;
    }
}

/// From now on `reader` reads, or does not; whether anybody does.
pub(super) fn read_by(reader: Reader, on: bool) -> bool {
    // A thread that dies while it records cannot wait for itself.
    let Some(mut sink) = SINK.try_guard_for(1000) else {
        return false;
    };
    sink.gather();
    sink.readers[reader as usize] = on;
    match reader {
        Reader::Log => sink.has_log |= on,
        Reader::Prompt => sink.watched.clear(),
    }
    sink.readers.contains(&true)
}

/// Takes what there is for the prompt, in order.
pub(super) fn take_watched() -> Vec<Event> {
    let mut sink = SINK.lock();
    sink.gather();
    let mut all = Vec::from(std::mem::take(&mut sink.watched));
    drop(sink);
    all.sort_unstable_by_key(|r| r.seq);
    all.iter().map(Record::event).collect()
}

static SINK: Guarded<Sink> = Guarded::new(
    Rank::Leaf,
    Sink {
        list: Vec::new(),
        rings: Vec::new(),
        lost: 0,
        readers: [false; 2],
        has_log: false,
        watched: VecDeque::new(),
    },
);

/// The next event's place in the sequence.
static SEQ: AtomicU64 = AtomicU64::new(0);

/// How many records have a number.
pub(super) fn numbered() -> u64 {
    SEQ.load(Ordering::Relaxed)
}

/// Records an event about `g` and `p`, or the P of `m` if `p` is null.
///
/// Context: the thread of `m`, if that is not null; any stack; no lock of rank `Leaf` held.
#[cold]
#[inline(never)]
pub(super) fn record(m: *const M, p: *const P, g: *const G, what: What) {
    let mut ops = [0; WORDS];
    let kind = what.encode(&mut ops);
    // SAFETY: descriptors are never freed; ids are written before publication; a P that `m`
    // holds is this thread's.
    unsafe {
        let own = if m.is_null() {
            std::ptr::null_mut()
        } else {
            (*m).p
        };
        let p = if p.is_null() { own.cast_const() } else { p };
        let r = Record {
            seq: SEQ.fetch_add(1, Ordering::Relaxed),
            ns: nanotime(),
            g: g.as_ref().map_or(0, |g| g.goid.0),
            m: m.as_ref().map_or(-1, |m| m.id as i32),
            kind_p: u32::from(kind) | p.as_ref().map_or(0, |p| p.id as u32 + 1) << 8,
            ops,
        };
        if own.is_null() {
            SINK.lock().add(r);
        } else {
            let ring = (*own).events.load(Ordering::Relaxed);
            let ring = ring.as_ref().unwrap_or_else(|| new_ring(own));
            ring.push(r);
        }
    }
}

/// Gives the P its ring.
#[cold]
fn new_ring(p: *mut P) -> &'static Ring {
    let ring: &'static Ring = Box::leak(Box::new(Ring::new()));
    SINK.lock().rings.push(ring);
    // SAFETY: context — the P's owner; no other M looks at the word.
    unsafe {
        (*p).events
            .store(std::ptr::from_ref(ring).cast_mut(), Ordering::Relaxed)
    };
    ring
}

/// Takes what there is, in no order, with the number of records lost since the last call.
///
/// `None` if the lock is not to be had within a second: its holder is dying.
pub(super) fn drain() -> Option<(Vec<Record>, u32)> {
    let mut sink = SINK.try_guard_for(1000)?;
    sink.gather();
    Some((
        std::mem::take(&mut sink.list),
        std::mem::take(&mut sink.lost),
    ))
}

/// Takes all events recorded so far, in order. Waits a little for those being recorded just now.
pub(super) fn take() -> Vec<Event> {
    let before = SEQ.load(Ordering::Relaxed);
    let mut all = Vec::new();
    let mut tries = 0;
    loop {
        all.extend(drain().unwrap_or_default().0);
        all.sort_unstable_by_key(|r| r.seq);
        let whole = all.windows(2).all(|w| w[0].seq + 1 == w[1].seq)
            && all.last().is_none_or(|r| r.seq + 1 >= before);
        tries += 1;
        if whole || tries > 200 {
            return all.iter().map(Record::event).collect();
        }
        os_yield();
    }
}
