#![allow(unsafe_code)]
//! Where records wait to be read: a block of bytes for each P, and one for all that happens
//! without.
//!
//! A P's block is written by the M that holds the P, without a lock, and read under the sink's
//! lock, part by part: by a reader, or by the writer itself when the block is full. So nothing is
//! lost, unless what waits grows past [`MOST`] bytes; then the loss is counted.
//! Every record has its place in one sequence, so that those of several Ps can be put in order.
//! The sequence ends for all threads at once, when nobody reads any more: what is recorded has all
//! that came before it, and the last events do not depend on when each thread learns of the end.
//!
//! # Invariants
//!
//! - L1. The first `written` bytes of a block stay as they are until the block begins anew; the
//!   others, and what is `own`, belong to the P's owner.
//! - L2. `written` is stored by the P's owner, a block begun anew with the sink locked; `taken` is
//!   touched with the sink locked.

use std::cell::UnsafeCell;
use std::collections::VecDeque;

use ::trace::file::{Part, Streams};
use ::trace::wire::{self, RECORD, State};

use super::event::{Event, KINDS, RULES, What};
use super::time::now;
use crate::g::{G, Goid};
use crate::lockrank::Rank;
use crate::m::M;
use crate::p::P;
use crate::sync::plain::{AtomicBool, AtomicU64, Ordering};
use crate::sync::{Guarded, os_yield};

/// Bytes of a block.
const BLOCK: usize = 1 << 16;
/// Bytes that wait to be read.
const MOST: usize = 1 << 28;
/// Events that wait for the prompt.
const MOST_WATCHED: usize = 1 << 16;

/// How much of a block there is: bytes and records, in one word.
#[derive(Clone, Copy, Default)]
struct Extent(u64);

impl Extent {
    fn bytes(self) -> usize {
        self.0 as u32 as usize
    }
    fn records(self) -> u64 {
        self.0 >> 32
    }
    fn with(self, bytes: usize) -> Extent {
        Extent(self.0 + (1 << 32) + bytes as u64)
    }
}

/// The records of one P.
pub(crate) struct Stream {
    p: i64,
    /// An [`Extent`].
    written: AtomicU64,
    /// A reader has come that needs a block from its beginning. Set with the sink locked, cleared
    /// by the owner.
    begin: AtomicBool,
    block: Box<[UnsafeCell<u8>]>,
    own: UnsafeCell<Own>,
    taken: UnsafeCell<Taken>,
}

/// What only the P's owner knows.
pub(super) struct Own {
    state: State,
    /// What was put into the ring and into `runnext`.
    pub(super) ring: u64,
    pub(super) next: u64,
    /// Names that were given lately.
    pub(super) names: super::names::Recent,
    /// The last record says that a G stopped running.
    pub(super) has_left: bool,
}

/// How far a block has been read, and which one it is.
#[derive(Default)]
struct Taken {
    extent: Extent,
    block: u64,
    part: u64,
}

// SAFETY: L1, L2.
unsafe impl Sync for Stream {}

impl std::fmt::Debug for Stream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Stream({})", self.p)
    }
}

impl Stream {
    fn new(p: i64) -> Stream {
        Stream {
            p,
            written: AtomicU64::new(0),
            begin: AtomicBool::new(false),
            block: (0..BLOCK).map(|_| UnsafeCell::new(0)).collect(),
            own: UnsafeCell::new(Own {
                state: State::new(p, KINDS),
                ring: 0,
                next: 0,
                names: Default::default(),
                has_left: false,
            }),
            taken: UnsafeCell::default(),
        }
    }

    /// What only the owner knows.
    ///
    /// # Safety
    ///
    /// Context: the owner of the stream's P, which has no other reference from here.
    #[allow(clippy::mut_from_ref)]
    unsafe fn own(&self) -> &mut Own {
        // SAFETY: L1.
        unsafe { &mut *self.own.get() }
    }

    /// Records `what`, of which `r` tells the rest; a record without a time happens when the one
    /// before it did.
    ///
    /// Context: the owner of the stream's P.
    #[inline(always)]
    fn push(&self, mut r: wire::Record, what: &What) {
        let mut written = Extent(self.written.load(Ordering::Relaxed));
        if BLOCK - written.bytes() < RECORD || self.begin.load(Ordering::Relaxed) {
            self.begin_anew();
            written = Extent::default();
        }
        if r.ns.is_none() && written.records() == 0 {
            r.ns = Some(now());
        }
        let slots = RULES[usize::from(r.kind)].len();
        // SAFETY: context; the bytes behind `written` are ours (L1), and a record has room there.
        let n = unsafe {
            let own = self.own();
            own.has_left = what.leaves();
            let at = self.block.as_ptr().add(written.bytes());
            let room = &mut *UnsafeCell::raw_get(at).cast::<[u8; RECORD]>();
            own.state.encode(&r, slots, room, what)
        };
        // Release: pairs with the Acquire in `empty`.
        self.written.store(written.with(n).0, Ordering::Release);
    }

    #[cold]
    fn begin_anew(&self) {
        let mut sink = SINK.lock();
        self.empty(&mut sink);
        // SAFETY: context of `push`; the sink is locked (L1, L2).
        unsafe {
            self.own().state.begin();
            let taken = &mut *self.taken.get();
            (taken.extent, taken.part) = (Extent::default(), 0);
            taken.block += 1;
        }
        self.begin.store(false, Ordering::Relaxed);
        self.written.store(0, Ordering::Relaxed);
    }

    /// Gives the sink what it has not got yet.
    fn empty(&self, sink: &mut Sink) {
        // Acquire: pairs with the Release in `push`.
        let written = Extent(self.written.load(Ordering::Acquire));
        // SAFETY: L2; L1 for the bytes.
        unsafe {
            let taken = &mut *self.taken.get();
            let from = taken.extent.bytes();
            if from == written.bytes() {
                return;
            }
            let at = UnsafeCell::raw_get(self.block.as_ptr().add(from));
            let bytes = std::slice::from_raw_parts(at, written.bytes() - from);
            sink.add(Part {
                p: self.p,
                block: taken.block,
                part: taken.part,
                records: written.records() - taken.extent.records(),
                bytes: bytes.to_vec(),
            });
            taken.extent = written;
            taken.part += 1;
        }
    }
}

/// The records of all that have no P; its lock is the sink's.
struct Shared {
    state: Option<State>,
    part: Part,
    /// Bytes of the block that are in parts before this one.
    before: usize,
}

impl Shared {
    fn push(&mut self, r: wire::Record, what: &What) {
        let state = self.state.get_or_insert_with(|| State::new(-1, KINDS));
        let mut room = [0; RECORD];
        let slots = RULES[usize::from(r.kind)].len();
        let n = state.encode(&r, slots, &mut room, what);
        self.part.bytes.extend_from_slice(&room[..n]);
        self.part.records += 1;
    }

    /// What has come since the last call.
    fn take(&mut self, begin: bool) -> Option<Part> {
        let n = self.part.bytes.len();
        let next = match begin || self.before + n >= BLOCK {
            true => {
                self.before = 0;
                if let Some(state) = self.state.as_mut() {
                    state.begin();
                }
                (self.part.block + 1, 0)
            }
            false => {
                self.before += n;
                (self.part.block, self.part.part + u64::from(n > 0))
            }
        };
        let part = std::mem::replace(
            &mut self.part,
            Part {
                p: -1,
                block: next.0,
                part: next.1,
                ..Part::default()
            },
        );
        (n > 0).then_some(part)
    }
}

struct Sink {
    parts: Vec<Part>,
    /// Their bytes.
    bytes: usize,
    streams: Vec<&'static Stream>,
    shared: Shared,
    /// Records that were dropped, and of which streams the rest of which block must be, too.
    lost: u64,
    dropped: Vec<(i64, u64)>,
    /// Who reads: see [`Reader`].
    readers: [bool; 3],
    /// There is a log, or was: records that have a number belong to it when it ends.
    has_log: bool,
    /// What the prompt has not taken yet.
    watched: VecDeque<Event>,
    watching: Option<Streams>,
    /// What the program has not taken yet, its bytes, and whether there was too much of it.
    program: Vec<Part>,
    program_bytes: usize,
    program_has_lost: bool,
}

/// Who may read records. Each gets them all.
#[derive(Clone, Copy)]
pub(super) enum Reader {
    Log,
    Prompt,
    /// The program itself.
    Program,
}

impl Sink {
    fn add(&mut self, part: Part) {
        if self.readers[Reader::Prompt as usize] {
            let streams = self
                .watching
                .get_or_insert_with(|| Streams::new(super::event::schema()));
            // What began before the prompt came cannot be read.
            if let Some(events) = decode(streams, &part) {
                self.watched.extend(events);
                let surplus = self.watched.len().saturating_sub(MOST_WATCHED);
                self.watched.drain(..surplus);
            }
        }
        if self.readers[Reader::Program as usize] {
            match self.program_bytes + part.bytes.len() {
                n if n <= MOST => {
                    self.program_bytes = n;
                    self.program.push(part.clone());
                }
                _ => self.program_has_lost = true,
            }
        }
        if !self.has_log {
            return;
        }
        let is_broken = part.part > 0 && self.dropped.contains(&(part.p, part.block));
        if self.bytes + part.bytes.len() > MOST || is_broken {
            self.lost += part.records;
            self.dropped.retain(|d| d.0 != part.p);
            self.dropped.push((part.p, part.block));
        } else {
            self.bytes += part.bytes.len();
            self.parts.push(part);
        }
    }

    /// Empties all streams.
    fn gather(&mut self, begin: bool) {
        let streams = std::mem::take(&mut self.streams);
        for stream in &streams {
            stream.empty(self);
            if begin {
                stream.begin.store(true, Ordering::Relaxed);
            }
        }
        self.streams = streams;
        if let Some(part) = self.shared.take(begin) {
            self.add(part);
        }
    }
}

/// The events of a part; none if it does not follow what has been read.
fn decode(streams: &mut Streams, part: &Part) -> Option<Vec<Event>> {
    let (mut events, mut values) = (Vec::new(), Vec::new());
    streams.read(part, &mut events, &mut values).ok()?;
    let all = events.iter().map(|e| Event {
        seq: e.seq,
        ns: e.ns,
        m: e.m,
        p: e.p,
        g: Goid(e.g),
        what: What::decode(e.kind, &values[e.at..]),
    });
    Some(all.collect())
}

/// From now on `reader` reads, or does not; whether anybody does.
pub(super) fn read_by(reader: Reader, on: bool) -> bool {
    // A thread that dies while it records cannot wait for itself.
    let Some(mut sink) = SINK.try_guard_for(1000) else {
        return false;
    };
    if on {
        go_on();
    }
    sink.gather(on);
    sink.readers[reader as usize] = on;
    match reader {
        Reader::Log => sink.has_log |= on,
        Reader::Prompt => (sink.watching, sink.watched) = (None, VecDeque::new()),
        Reader::Program => {
            (sink.program, sink.program_bytes) = (Vec::new(), 0);
            sink.program_has_lost = false;
        }
    }
    let is_read = sink.readers.contains(&true);
    if !is_read {
        end();
    }
    is_read
}

/// Takes what there is for the prompt, in order.
pub(super) fn take_watched() -> Vec<Event> {
    let mut sink = SINK.lock();
    sink.gather(false);
    let mut all = Vec::from(std::mem::take(&mut sink.watched));
    drop(sink);
    all.sort_unstable_by_key(|e| e.seq);
    all
}

/// Takes what there is for the program, each stream's parts in order; none if there was too much.
pub(super) fn take_program() -> Option<Vec<Part>> {
    let mut sink = SINK.lock();
    sink.gather(false);
    sink.program_bytes = 0;
    let all = std::mem::take(&mut sink.program);
    (!sink.program_has_lost).then_some(all)
}

static SINK: Guarded<Sink> = Guarded::new(
    Rank::Trace,
    Sink {
        parts: Vec::new(),
        bytes: 0,
        streams: Vec::new(),
        shared: Shared {
            state: None,
            part: Part {
                p: -1,
                block: 0,
                part: 0,
                records: 0,
                bytes: Vec::new(),
            },
            before: 0,
        },
        lost: 0,
        dropped: Vec::new(),
        readers: [false; 3],
        has_log: false,
        watched: VecDeque::new(),
        watching: None,
        program: Vec::new(),
        program_bytes: 0,
        program_has_lost: false,
    },
);

/// The next event's place in the sequence, or with [`ENDED`] as many events as were dropped since.
static SEQ: AtomicU64 = AtomicU64::new(0);
/// The bit of [`SEQ`] that says that nobody reads: what would be recorded is dropped.
const ENDED: u64 = 1 << 63;
/// How long the sequence was when it ended. Written before the bit is.
static LENGTH: AtomicU64 = AtomicU64::new(0);

/// Ends the sequence, if it goes on.
pub(super) fn end() {
    while !fault!(EndTracesOneByOne) {
        let length = SEQ.load(Ordering::Relaxed);
        if length & ENDED != 0 {
            return;
        }
        LENGTH.store(length, Ordering::Relaxed);
        // Release: pairs with the Acquire in `numbered`.
        let (new, done, seen) = (length | ENDED, Ordering::Release, Ordering::Relaxed);
        if SEQ.compare_exchange(length, new, done, seen).is_ok() {
            return;
        }
    }
}

/// Goes on with a sequence that has ended.
fn go_on() {
    if SEQ.load(Ordering::Acquire) & ENDED != 0 {
        SEQ.store(LENGTH.load(Ordering::Relaxed), Ordering::Relaxed);
    }
}

/// Which kinds of events are recorded, a bit for each. Written before the runtime starts.
static WANTED: [AtomicU64; 2] = [const { AtomicU64::new(u64::MAX) }; 2];
/// Whether some are not. Written before the runtime starts.
static IS_PART: AtomicBool = AtomicBool::new(false);

/// From now on only these kinds of events are recorded. Before the runtime starts.
pub(super) fn record_only(kinds: &[u8]) {
    let mut wanted = [0; 2];
    for kind in kinds {
        wanted[usize::from(kind / 64)] |= 1 << (kind % 64);
    }
    for (word, wanted) in WANTED.iter().zip(wanted) {
        word.store(wanted, Ordering::Relaxed);
    }
    IS_PART.store(true, Ordering::Relaxed);
}

/// Whether events are left out.
#[inline]
pub(super) fn is_part() -> bool {
    IS_PART.load(Ordering::Relaxed)
}

/// Whether an event of this kind is left out.
#[cold]
fn is_left_out(kind: u8) -> bool {
    let wanted = WANTED[usize::from(kind / 64)].load(Ordering::Relaxed);
    wanted >> (kind % 64) & 1 == 0
}

/// How many records have a number.
pub(super) fn numbered() -> u64 {
    // Acquire: pairs with the Release in `end`.
    let next = SEQ.load(Ordering::Acquire);
    match next & ENDED {
        0 => next,
        _ => LENGTH.load(Ordering::Relaxed),
    }
}

/// Records an event about `g` and `p`, or the P of `m` if `p` is null.
///
/// Context: the thread of `m`, if that is not null; any stack; no lock of rank `Trace` held.
#[inline(never)]
pub(super) fn record(m: *const M, p: *const P, g: *const G, what: What) {
    record_often(m, p, g, what);
}

/// As [`record`], where that happens so often that it has code of its own.
#[inline(always)]
pub(super) fn record_often(m: *const M, p: *const P, g: *const G, what: What) {
    // The one before may be left out.
    let ns = match what.follows() && !is_part() {
        true => None,
        false => Some(now()),
    };
    put(m, p, g, what, ns);
}

/// As [`record_often`], of what happened at `ns`.
#[inline(always)]
pub(super) fn record_at(m: *const M, g: *const G, what: What, ns: i64) {
    put(m, std::ptr::null(), g, what, Some(ns));
}

#[inline(always)]
fn put(m: *const M, p: *const P, g: *const G, what: What, ns: Option<i64>) {
    if is_part() && is_left_out(what.kind()) {
        return;
    }
    let seq = SEQ.fetch_add(1, Ordering::Relaxed);
    if seq & ENDED != 0 {
        return;
    }
    // SAFETY: descriptors are never freed; ids are written before publication; a P that `m`
    // holds is this thread's.
    unsafe {
        let own = if m.is_null() {
            std::ptr::null_mut()
        } else {
            (*m).p
        };
        let p = if p.is_null() { own.cast_const() } else { p };
        let r = wire::Record {
            kind: what.kind(),
            seq,
            ns,
            m: m.as_ref().map_or(-1, |m| m.id),
            p: p.as_ref().map_or(-1, |p| p.id as i64),
            g: g.as_ref().map_or(0, |g| g.goid.0),
        };
        match own.as_ref() {
            Some(own) => of(own).push(r, &what),
            None => put_shared(r, what),
        }
    }
}

/// Adds a record to the stream of all that have no P.
#[cold]
#[inline(never)]
fn put_shared(mut r: wire::Record, what: What) {
    r.ns = Some(r.ns.unwrap_or_else(now));
    SINK.lock().shared.push(r, &what);
}

/// The stream of a P.
///
/// # Safety
///
/// Context: the owner of `p`.
#[inline]
unsafe fn of(p: *const P) -> &'static Stream {
    // SAFETY: the word is null or a stream, and those are never freed.
    unsafe {
        let stream = (*p).events.load(Ordering::Relaxed);
        stream.as_ref().unwrap_or_else(|| new_stream(p))
    }
}

/// What only the owner of a P knows of its stream.
///
/// # Safety
///
/// Context: the owner of `p`, with no other reference from here.
pub(super) unsafe fn own(p: *const P) -> &'static mut Own {
    // SAFETY: by the contract.
    unsafe { of(p).own() }
}

/// When the last event with this P happened that was recorded.
///
/// # Safety
///
/// Context: the owner of `p`.
pub(super) unsafe fn last_ns(p: *const P) -> i64 {
    // SAFETY: by the contract.
    unsafe { own(p).state.ns() }
}

/// Gives the P its stream.
#[cold]
unsafe fn new_stream(p: *const P) -> &'static Stream {
    // SAFETY: context — the P's owner; no other M looks at the word.
    unsafe {
        let stream: &'static Stream = Box::leak(Box::new(Stream::new((*p).id as i64)));
        SINK.lock().streams.push(stream);
        (*p).events
            .store(std::ptr::from_ref(stream).cast_mut(), Ordering::Relaxed);
        stream
    }
}

/// Takes what there is, each stream's parts in order, with the number of records lost since the
/// last call. With `begin` all streams begin a block anew behind that.
///
/// `None` if the lock is not to be had within a second: its holder is dying.
pub(super) fn drain(begin: bool) -> Option<(Vec<Part>, u64)> {
    let mut sink = SINK.try_guard_for(1000)?;
    sink.gather(begin);
    sink.bytes = 0;
    Some((
        std::mem::take(&mut sink.parts),
        std::mem::take(&mut sink.lost),
    ))
}

/// What [`take`] has read so far.
static TAKING: Guarded<Option<Streams>> = Guarded::new(Rank::World, None);

/// Takes all events recorded so far, in order. Waits a little for those being recorded just now.
pub(super) fn take() -> Vec<Event> {
    let before = numbered();
    let mut taking = TAKING.lock();
    let streams = taking.get_or_insert_with(|| Streams::new(super::event::schema()));
    let mut all: Vec<Event> = Vec::new();
    let mut tries = 0;
    loop {
        for part in drain(false).unwrap_or_default().0 {
            all.extend(decode(streams, &part).unwrap_or_default());
        }
        all.sort_unstable_by_key(|e| e.seq);
        let whole = all.windows(2).all(|w| w[0].seq + 1 == w[1].seq)
            && all.last().is_none_or(|e| e.seq + 1 >= before);
        tries += 1;
        if whole || tries > 200 {
            return all;
        }
        os_yield();
    }
}
