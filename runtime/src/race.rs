#![allow(unsafe_code)]
//! The detector of data races: two accesses to the same bytes, at least one of them a write, that
//! nothing orders.
//!
//! What is ordered follows from the Go memory model alone, not from what happened to come first:
//! every goroutine has a vector clock, every object by which goroutines tell each other something
//! another, and each access is held against the last ones to the same bytes. Those are kept in
//! shadow memory, two epochs for each eight bytes of the heap and of package-level variables: the
//! last write and the last read (FastTrack); when that does not say it all (several
//! readers, neighbours in one word, atomic beside plain) a list.
//!
//! While the detector is on there is one P; so goroutines run one at a time, in any order.
//!
//! # Invariants
//!
//! - R1. Whether it is on, and where shadow memory lies, is written before
//!   [`start`](crate::proc::start), and never again.
//! - R2. Only the M that holds the one P touches [`DETECTOR`].
//! - R3. The frame of a [`Site`] is one of the goroutine's stack.
//!
//! Go: runtime/race.go. FastTrack: Flanagan, Freund (PLDI 2009).

mod clocks;
mod report;
mod shadow;

use crate::chan::Chan;
use crate::g::G;
use crate::m::M;
use crate::sync::plain::{AtomicBool, Ordering};
use clocks::{Clock, Threads};
use shadow::{Epoch, Shadow};
use std::cell::UnsafeCell;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

pub(crate) use report::status;
pub use report::{STATUS, report};

/// An access to memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// Where.
    pub at: usize,
    /// How many bytes.
    pub bytes: usize,
    /// It writes.
    pub writes: bool,
    /// It is one of `sync/atomic`.
    pub is_atomic: bool,
}

impl Access {
    /// One that is not atomic.
    #[inline]
    pub fn plain(at: usize, bytes: usize, writes: bool) -> Access {
        Access {
            at,
            bytes,
            writes,
            is_atomic: false,
        }
    }
}

/// Where a goroutine makes an access.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    /// The instruction.
    pub pc: usize,
    /// The frame, in the word below which is where its function returns to; null: not known.
    pub frame: *const u64,
}

/// What a goroutine does to an object by which goroutines tell each other something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edge {
    /// It goes on only after what others have released.
    Acquire,
    /// What it has done comes before what others do that acquire.
    Release,
    /// The same, and what others have released before counts no more.
    Replace,
    /// Both.
    Both,
}

static ON: AtomicBool = AtomicBool::new(false);
/// See [`keep_quiet`].
static QUIET: AtomicBool = AtomicBool::new(false);
/// See [`leave_failures`].
static LEAVES_FAILURES: AtomicBool = AtomicBool::new(false);

struct Place(UnsafeCell<Option<Box<Detector>>>);

// SAFETY: R2.
unsafe impl Sync for Place {}

/// See R2.
static DETECTOR: Place = Place(UnsafeCell::new(None));

/// What is known of a channel.
#[derive(Default)]
struct Channel {
    /// For each place in the buffer that has been used, in order.
    slots: Vec<Clock>,
    sent: usize,
    received: usize,
    closed: Clock,
}

impl Channel {
    /// That of `c`.
    fn of(channels: &mut Channels, c: *const Chan) -> &mut Channel {
        channels.entry(c as usize).or_default()
    }
}

/// By address.
type Channels = HashMap<usize, Channel, BuildHasherDefault<AddressHash>>;

/// Addresses differ enough to be multiplied only.
#[derive(Default)]
struct AddressHash(u64);

impl Hasher for AddressHash {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_usize(usize::from(*byte));
        }
    }

    fn write_usize(&mut self, n: usize) {
        self.0 = (self.0 ^ n as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        self.0.rotate_left(32)
    }
}

/// The clocks of objects, by address: those of each page, in order.
#[derive(Default)]
struct Objects {
    pages: HashMap<usize, Vec<(usize, Clock)>, BuildHasherDefault<AddressHash>>,
    /// Readers of an RWMutex have released something.
    has_readers: bool,
}

/// Of an address, what is not the page.
const PAGE_BITS: u32 = 12;

impl Objects {
    fn get(&self, object: usize) -> Option<&Clock> {
        let page = self.pages.get(&(object >> PAGE_BITS))?;
        let at = page.binary_search_by_key(&object, |(at, _)| *at).ok()?;
        Some(&page[at].1)
    }

    /// The clock of an object, a new one if need be.
    fn entry(&mut self, object: usize) -> &mut Clock {
        self.has_readers |= object & READERS != 0;
        let page = self.pages.entry(object >> PAGE_BITS).or_default();
        let found = page.binary_search_by_key(&object, |(at, _)| *at);
        let at = found.unwrap_or_else(|at| {
            page.insert(at, (object, Clock::default()));
            at
        });
        &mut page[at].1
    }

    /// Forgets those in so many bytes.
    fn forget(&mut self, from: usize, bytes: usize) {
        let is_in = |at: usize| at.wrapping_sub(from) < bytes;
        let pages = from >> PAGE_BITS..=(from + bytes) >> PAGE_BITS;
        if pages.clone().count() > self.pages.len() {
            self.pages.retain(|_, page| {
                page.retain(|(at, _)| !is_in(*at));
                !page.is_empty()
            });
            return;
        }
        for number in pages {
            if let Some(page) = self.pages.get_mut(&number) {
                page.retain(|(at, _)| !is_in(*at));
                if page.is_empty() {
                    self.pages.remove(&number);
                }
            }
        }
    }
}

struct Detector {
    threads: Threads,
    shadow: Shadow,
    /// The clocks of locks, atomic words, timers.
    objects: Objects,
    channels: Channels,
    /// Pairs of places that have been reported.
    told: HashSet<(usize, usize)>,
    /// The lines of those that were told: a line that reads and writes makes one report.
    lines: HashSet<[String; 2]>,
    /// The last race.
    last: Option<shadow::Race>,
    /// How many were reported.
    count: u32,
    /// The timer that fires.
    firing: usize,
}

/// Switches the detector on; package-level variables lie in `globals`: an address and how many
/// bytes; `code` is an address in the code. Called before [`start`](crate::proc::start). `false`:
/// there is no address space for it.
pub fn switch_on(globals: (usize, usize), code: usize) -> bool {
    let Some(shadow) = Shadow::new(globals, code) else {
        return false;
    };
    let detector = Detector {
        threads: Threads::new(),
        shadow,
        objects: Objects::default(),
        channels: Channels::default(),
        told: HashSet::new(),
        lines: HashSet::new(),
        last: None,
        count: 0,
        firing: 0,
    };
    // SAFETY: nothing runs yet.
    unsafe { *DETECTOR.0.get() = Some(Box::new(detector)) };
    ON.store(true, Ordering::Relaxed);
    crate::control::watch();
    true
}

/// Is the detector on?
#[inline(always)]
pub fn is_on() -> bool {
    ON.load(Ordering::Relaxed)
}

/// Races are noted in the log of the run, and not told. Called before
/// [`start`](crate::proc::start).
pub fn keep_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

/// How many have been told.
pub fn found() -> i64 {
    match is_on() {
        // SAFETY: R2.
        true => unsafe { detector() }.count.into(),
        false => 0,
    }
}

/// The program says itself what races mean for its exit status: [`STATUS`] takes the place of 0
/// only. Called before [`start`](crate::proc::start).
pub fn leave_failures() {
    LEAVES_FAILURES.store(true, Ordering::Relaxed);
}

/// See [`keep_quiet`].
pub(crate) fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// The detector.
///
/// # Safety
///
/// R2; nobody else has it now.
#[inline]
unsafe fn detector<'a>() -> &'a mut Detector {
    // SAFETY: by the contract; it was made when it was switched on.
    unsafe {
        match &mut *DETECTOR.0.get() {
            Some(d) => d,
            None => crate::throw!("no detector of races"),
        }
    }
}

/// Notes what `g` is about to do at `site`, which is not atomic, if only it has touched that
/// memory. `false`: nothing is said yet; [`access`] says all.
///
/// # Safety
///
/// As [`access`].
#[inline(always)]
pub unsafe fn notes(g: *const G, site: Site, access: Access) -> bool {
    // SAFETY: the caller's, R2.
    unsafe { shadow::notes(Epoch((*g).race.get()), site, access) }
}

/// As [`access`], for one that is not atomic; its parts are passed in registers.
///
/// # Safety
///
/// As [`access`].
pub unsafe fn plain(g: *const G, site: Site, at: usize, bytes: usize, writes: bool) -> bool {
    // SAFETY: the caller's.
    unsafe { access(g, site, Access::plain(at, bytes, writes)) }
}

/// `g` is about to do `access`, at `site`. `true`: it is a race, which [`report`] tells.
///
/// # Safety
///
/// `g` runs, and holds the one P; R3.
#[inline]
pub unsafe fn access(g: *const G, site: Site, access: Access) -> bool {
    // SAFETY: R2.
    let d = unsafe { detector() };
    // SAFETY: the caller's.
    let me = d.threads.of(unsafe { &*g });
    let race = d.shadow.access(&d.threads, me, site, access);
    d.is_new(site.pc, race)
}

/// As [`access`], for one that is atomic; what it does to what others have released at its address
/// is `edge`.
///
/// # Safety
///
/// As [`access`].
pub unsafe fn atomic(g: *const G, site: Site, access: Access, edge: Edge) -> bool {
    // SAFETY: R2.
    let d = unsafe { detector() };
    // SAFETY: the caller's.
    let me = d.threads.of(unsafe { &*g });
    let race = d.shadow.clash(&d.threads, me, access);
    // It is noted when the thread knows of those before, for which it stands then.
    if matches!(edge, Edge::Acquire | Edge::Both) {
        d.edge(me, access.at, Edge::Acquire);
    }
    d.shadow.access(&d.threads, me, site, access);
    if matches!(edge, Edge::Replace | Edge::Both) {
        d.edge(me, access.at, Edge::Replace);
    }
    d.is_new(site.pc, race)
}

/// `g` does something to the object at `object`.
///
/// # Safety
///
/// As [`access`].
pub unsafe fn edge(g: *const G, object: usize, edge: Edge) {
    // SAFETY: R2.
    let d = unsafe { detector() };
    // SAFETY: the caller's.
    let me = d.threads.of(unsafe { &*g });
    d.edge(me, object, edge);
}

/// `g` calls a finalizer or a cleanup, which comes after all that the program has done. Go:
/// runtime/race.go, racefingo.
///
/// # Safety
///
/// As [`access`].
pub unsafe fn finalizes(g: *const G) {
    // SAFETY: R2.
    let d = unsafe { detector() };
    // SAFETY: the caller's.
    let me = d.threads.of(unsafe { &*g });
    d.threads.join_all(me);
}

/// `g` acquires what is at these addresses, now and whenever it runs again.
///
/// # Safety
///
/// As [`access`].
pub unsafe fn wants(g: *const G, objects: [Option<usize>; 2]) {
    // SAFETY: R2.
    let d = unsafe { detector() };
    // SAFETY: the caller's.
    let me = d.threads.of(unsafe { &*g });
    d.threads.wants(me, objects);
    for object in objects.into_iter().flatten() {
        d.edge(me, object, Edge::Acquire);
    }
}

/// `g` gives up a lock, and waits for nothing.
///
/// # Safety
///
/// As [`access`].
pub unsafe fn unlocks(g: *const G, object: usize) {
    // SAFETY: R2.
    let d = unsafe { detector() };
    // SAFETY: the caller's.
    let me = d.threads.of(unsafe { &*g });
    d.threads.wants(me, [None; 2]);
    d.edge(me, object, Edge::Release);
}

/// `g` runs again.
///
/// # Safety
///
/// As [`access`].
pub unsafe fn resumed(g: *const G) {
    // SAFETY: R2.
    let d = unsafe { detector() };
    // SAFETY: the caller's.
    let me = d.threads.of(unsafe { &*g });
    for object in d.threads.wanted(me).into_iter().flatten() {
        d.edge(me, object, Edge::Acquire);
    }
}

/// In place of an address, for what goes through descriptors.
pub const WORLD: usize = 8;

/// Added to the address of an RWMutex for what its readers release.
pub const READERS: usize = 1;

impl Detector {
    /// Is there a race with what happens at `pc` that has not been told?
    fn is_new(&mut self, pc: usize, race: Option<shadow::Race>) -> bool {
        let Some(race) = race else { return false };
        let is_new = self.told.insert((pc, race.pcs[0]));
        self.last = Some(race);
        is_new
    }

    fn edge(&mut self, me: usize, object: usize, edge: Edge) {
        if edge == Edge::Acquire {
            if object & READERS != 0 && !self.objects.has_readers {
                return;
            }
            if let Some(clock) = self.objects.get(object) {
                self.threads.join(me, clock);
            }
            return;
        }
        let clock = self.objects.entry(object);
        match edge {
            Edge::Both => {
                self.threads.join(me, clock);
                self.threads.replace(me, clock);
            }
            Edge::Replace => self.threads.replace(me, clock),
            _ => self.threads.release(me, clock),
        }
    }

    /// The clock of a goroutine, or of the timer that feeds a channel.
    fn giver(&mut self, g: *const G, c: *const Chan) -> Giver {
        // SAFETY: the caller's G is one; the lock of the channel is held.
        unsafe {
            match g.as_ref() {
                Some(g) => Giver::Thread(self.threads.of(g)),
                None => Giver::Timer((*c).timer as usize),
            }
        }
    }

    /// A value goes into a place of a buffer, or comes out of it: each use of the place comes after
    /// the one before.
    fn use_slot(&mut self, c: *const Chan, by: Giver, sends: bool) {
        let channel = Channel::of(&mut self.channels, c);
        let n = match sends {
            true => &mut channel.sent,
            false => &mut channel.received,
        };
        // SAFETY: the caller's is a channel.
        let at = *n % unsafe { (*c).places().max(1) };
        *n += 1;
        if channel.slots.len() <= at {
            channel.slots.resize(at + 1, Clock::default());
        }
        let slot = &mut channel.slots[at];
        match by {
            Giver::Thread(me) => {
                self.threads.join(me, slot);
                self.threads.replace(me, slot);
            }
            Giver::Timer(t) => {
                if let Some(clock) = self.objects.get(t) {
                    self.threads.join_clocks(slot, clock);
                }
            }
        }
    }
}

/// Who sends.
#[derive(Clone, Copy)]
enum Giver {
    Thread(usize),
    Timer(usize),
}

/// A value is put into the buffer of `c`, for `g`, or for the timer of `c`.
///
/// # Safety
///
/// The lock of `c` is held, by the M that holds the one P.
#[cold]
pub(crate) unsafe fn pushed(c: *const Chan, g: *const G) {
    // SAFETY: R2.
    let d = unsafe { detector() };
    let by = d.giver(g, c);
    d.use_slot(c, by, true);
}

/// `g` takes a value from the buffer of `c`.
///
/// # Safety
///
/// As [`pushed`].
#[cold]
pub(crate) unsafe fn popped(c: *const Chan, g: *const G) {
    // SAFETY: R2; drained by a timer it is nobody's.
    unsafe {
        let d = detector();
        match g.is_null() {
            true => Channel::of(&mut d.channels, c).received += 1,
            false => {
                let by = d.giver(g, c);
                d.use_slot(c, by, false);
            }
        }
    }
}

/// A value goes from one goroutine, or from the timer of `c`, to another.
///
/// # Safety
///
/// As [`pushed`].
#[cold]
pub(crate) unsafe fn handed(c: *const Chan, from: *const G, to: *const G) {
    // SAFETY: R2.
    unsafe {
        let d = detector();
        let from = d.giver(from, c);
        let to = d.threads.of(&*to);
        if (*c).places() > 0 {
            d.use_slot(c, from, true);
            return d.use_slot(c, Giver::Thread(to), false);
        }
        match from {
            Giver::Thread(from) => d.threads.meet(from, to),
            Giver::Timer(t) => d.edge(to, t, Edge::Acquire),
        }
    }
}

/// `g` closes `c`.
///
/// # Safety
///
/// As [`pushed`].
#[cold]
pub(crate) unsafe fn closed(c: *const Chan, g: *const G) {
    // SAFETY: R2.
    let d = unsafe { detector() };
    // SAFETY: the caller's.
    let me = d.threads.of(unsafe { &*g });
    let channel = Channel::of(&mut d.channels, c);
    d.threads.release(me, &mut channel.closed);
}

/// `g` finds that `c` is closed.
///
/// # Safety
///
/// As [`pushed`].
#[cold]
pub(crate) unsafe fn drained(c: *const Chan, g: *const G) {
    // SAFETY: R2; a timer does not care.
    unsafe {
        let d = detector();
        if let Some(g) = g.as_ref() {
            let me = d.threads.of(g);
            let channel = Channel::of(&mut d.channels, c);
            d.threads.join(me, &channel.closed);
        }
    }
}

/// A channel is made.
///
/// # Safety
///
/// The caller holds the one P.
#[cold]
pub(crate) unsafe fn made(c: *const Chan) {
    // SAFETY: R2.
    unsafe { detector() }.channels.remove(&(c as usize));
}

/// The goroutine that `m` runs, or a timer that it fires, makes `g`.
///
/// # Safety
///
/// The caller holds the one P.
#[cold]
pub(crate) unsafe fn spawned(m: *const M, g: *mut G) {
    // SAFETY: R2.
    unsafe {
        let d = detector();
        let parent = match (*m).curg.as_ref() {
            Some(by) if !by.is_system => Some(d.threads.of(by)),
            _ => None,
        };
        let made_at = match (*m).curg.as_ref() {
            Some(by) if !by.is_system => (*m).engine.way_in(by),
            _ => Vec::new(),
        };
        let me = d.threads.spawn(&mut *g, parent, made_at);
        if parent.is_none() {
            match d.objects.get(d.firing) {
                Some(clock) => d.threads.join(me, clock),
                // What the runtime does for the program comes after all that the program has done.
                None => d.threads.join_all(me),
            }
        }
    }
}

/// `g` has ended.
///
/// # Safety
///
/// The caller holds the one P.
#[cold]
pub(crate) unsafe fn ended(g: *mut G) {
    // SAFETY: R2.
    unsafe { detector().threads.end(&mut *g) };
}

/// `m` makes `g` runnable, which waits for a lock or the like.
///
/// # Safety
///
/// The caller holds the one P.
#[cold]
pub(crate) unsafe fn readied(m: *const M, g: *const G) {
    use crate::g::WaitReason::*;
    // SAFETY: R2.
    unsafe {
        let d = detector();
        let Some(by) = (*m).curg.as_ref() else { return };
        let is_lock = matches!(
            (*g).wait_reason(),
            SyncCondWait | SyncMutexLock | SyncRwMutexLock | SyncRwMutexRLock | SyncWaitGroupWait
        );
        if is_lock && !by.is_system {
            let (by, to) = (d.threads.of(by), d.threads.of(&*g));
            d.threads.pass(by, to);
        }
    }
}

/// A timer is set by the goroutine that `m` runs.
///
/// # Safety
///
/// The caller holds the one P.
#[cold]
pub(crate) unsafe fn timer_set(m: *const M, t: usize) {
    // SAFETY: R2.
    unsafe {
        if let Some(g) = (*m).curg.as_ref() {
            edge(g, t, Edge::Release);
        }
    }
}

/// A timer fires; 0: it has fired.
///
/// # Safety
///
/// The caller holds the one P.
#[cold]
pub(crate) unsafe fn fires(t: usize) {
    // SAFETY: R2.
    unsafe { detector() }.firing = t;
}

/// So many bytes of memory are given out anew: what was known of them is forgotten.
///
/// # Safety
///
/// The caller holds the one P.
#[cold]
pub(crate) unsafe fn fresh(at: usize, bytes: usize) {
    // SAFETY: R2.
    let d = unsafe { detector() };
    d.shadow.clear(at, bytes);
    d.objects.forget(at, bytes);
}
