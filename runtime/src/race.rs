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
//! While the detector is on there is one P, unless GOMAXPROCS says otherwise. With one,
//! goroutines run one at a time and most accesses are noted in place. With several an M takes a
//! cell of shadow memory for the moment in which it changes it, and one lock guards all that orders
//! goroutines: what an operation tells a goroutine is joined into its clock at its next operation.
//!
//! # Invariants
//!
//! - R1. Whether it is on, and where shadow memory lies, is written before
//!   [`start`](crate::proc::start), and never again.
//! - R2. Only the M that holds the one P touches [`DETECTOR`]; with several Ps the M that holds
//!   [`LOCK`], and any M reads the thread of the goroutine that it runs ([`Own`]).
//! - R3. The frame of a [`Site`] is one of the goroutine's stack.
//!
//! Go: runtime/race.go. FastTrack: Flanagan, Freund (PLDI 2009).

mod clocks;
mod report;
mod shadow;

use crate::chan::Chan;
use crate::g::G;
use crate::m::M;
use crate::sync::plain::{AtomicBool, AtomicPtr, Ordering};
use crate::sync::{os_yield, pause};
use crate::{control, heap, knobs};
use clocks::{Clock, Own, Threads};
use shadow::{Epoch, Race};
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::{Deref, DerefMut};
use std::ptr;

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
/// See [`are_several`].
static SEVERAL: AtomicBool = AtomicBool::new(false);
/// See [`keep_quiet`].
static QUIET: AtomicBool = AtomicBool::new(false);
/// See [`leave_failures`].
static LEAVES_FAILURES: AtomicBool = AtomicBool::new(false);

/// See R2. Null until it is switched on.
static DETECTOR: AtomicPtr<Detector> = AtomicPtr::new(ptr::null_mut());
static LOCK: Spin = Spin::new();
/// Turns at operations on words that goroutines tell each other something by, by address.
static TURNS: [Spin; 1 << TURN_BITS] = [const { Spin::new() }; 1 << TURN_BITS];
const TURN_BITS: u32 = 8;

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
struct Objects {
    pages: HashMap<usize, Vec<(usize, Clock)>, BuildHasherDefault<AddressHash>>,
    /// Readers of an RWMutex have released something.
    has_readers: bool,
    /// For each page of the heap, whether an object in it has had a clock.
    in_heap: Marks,
}

/// A mark for each page of the heap.
#[derive(Clone, Copy)]
struct Marks {
    heap: (usize, usize),
    marks: *const AtomicBool,
}

impl Marks {
    fn new() -> Option<Marks> {
        let heap = heap::arena_range();
        let prot = libc::PROT_READ | libc::PROT_WRITE;
        let marks = heap::map_memory(0, (heap.1 >> PAGE_BITS) + 1, prot)?;
        Some(Marks {
            heap,
            marks: marks as *const AtomicBool,
        })
    }

    /// That of the page of an address in the heap.
    fn of(&self, at: usize) -> Option<&AtomicBool> {
        let within = at.wrapping_sub(self.heap.0);
        // SAFETY: there is one for each page, as long as the process lives.
        (within < self.heap.1).then(|| unsafe { &*self.marks.add(within >> PAGE_BITS) })
    }

    /// May objects in so many bytes of the heap have clocks?
    fn are_in(&self, from: usize, bytes: usize) -> bool {
        let pages = (from >> PAGE_BITS..=(from + bytes - 1) >> PAGE_BITS).map(|p| p << PAGE_BITS);
        let mut marks = pages.filter_map(|page| self.of(page));
        marks.any(|mark| mark.load(Ordering::Relaxed))
    }
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
        if page.is_empty()
            && let Some(mark) = self.in_heap.of(object)
        {
            mark.store(true, Ordering::Relaxed);
        }
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
    /// The clocks of locks, atomic words, timers.
    objects: Objects,
    channels: Channels,
    /// Pairs of places that have been reported.
    told: HashSet<(usize, usize)>,
    /// The lines of those that were told: a line that reads and writes makes one report.
    lines: HashSet<[String; 2]>,
    /// How many were reported.
    count: u32,
}

/// A lock that is held for less time than it takes a thread to fall asleep and wake up.
struct Spin(AtomicBool);

impl Spin {
    const fn new() -> Spin {
        Spin(AtomicBool::new(false))
    }

    fn guard(&'static self) -> SpinGuard {
        let mut spins = 0;
        // Acquire: pairs with the Release in `drop`.
        while self.0.load(Ordering::Relaxed) || self.0.swap(true, Ordering::Acquire) {
            wait(&mut spins);
        }
        SpinGuard(self)
    }
}

struct SpinGuard(&'static Spin);

impl Drop for SpinGuard {
    fn drop(&mut self) {
        self.0.0.store(false, Ordering::Release);
    }
}

/// One more round of waiting for what another M has for a moment.
fn wait(spins: &mut u32) {
    *spins += 1;
    // Its thread may have lost its CPU.
    match spins.is_multiple_of(256) {
        true => os_yield(),
        false => pause(1),
    }
}

/// The detector, as long as this lives.
struct Held {
    detector: &'static mut Detector,
    _lock: Option<SpinGuard>,
}

impl Deref for Held {
    type Target = Detector;

    fn deref(&self) -> &Detector {
        self.detector
    }
}

impl DerefMut for Held {
    fn deref_mut(&mut self) -> &mut Detector {
        self.detector
    }
}

/// Switches the detector on; package-level variables lie in `globals`: an address and how many
/// bytes; `code` is an address in the code. Called before [`start`](crate::proc::start). `false`:
/// there is no address space for it.
pub fn switch_on(globals: (usize, usize), code: usize) -> bool {
    let (Some(threads), Some(in_heap)) = (Threads::new(), Marks::new()) else {
        return false;
    };
    if !shadow::map(globals, code) {
        return false;
    }
    let objects = Objects {
        pages: HashMap::default(),
        has_readers: false,
        in_heap,
    };
    let detector = Detector {
        threads,
        objects,
        channels: Channels::default(),
        told: HashSet::new(),
        lines: HashSet::new(),
        count: 0,
    };
    let procs = knobs::procs_from_environment().unwrap_or(1);
    SEVERAL.store(procs > 1 && !control::is_virtual(), Ordering::Relaxed);
    DETECTOR.store(Box::into_raw(Box::new(detector)), Ordering::Relaxed);
    ON.store(true, Ordering::Relaxed);
    crate::control::watch();
    true
}

/// Is the detector on?
#[inline(always)]
pub fn is_on() -> bool {
    ON.load(Ordering::Relaxed)
}

/// Are there several Ps, since GOMAXPROCS says so in the environment?
#[inline(always)]
pub fn are_several() -> bool {
    SEVERAL.load(Ordering::Relaxed)
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
        true => unsafe { hold() }.count.into(),
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
/// R2, with the lock that is taken here; the M has not got it already.
#[inline]
unsafe fn hold() -> Held {
    let lock = are_several().then(|| LOCK.guard());
    Held {
        // SAFETY: by the contract.
        detector: unsafe { &mut *place() },
        _lock: lock,
    }
}

/// Where the detector is.
fn place() -> *mut Detector {
    let place = DETECTOR.load(Ordering::Relaxed);
    if place.is_null() {
        crate::throw!("no detector of races");
    }
    place
}

/// Notes what `g` is about to do at `site`, which is not atomic, if only it has touched that
/// memory, or with several Ps (`SHARED`) if that is known. `false`: nothing is said yet; [`access`]
/// says all.
///
/// # Safety
///
/// As [`access`].
#[inline(always)]
pub unsafe fn notes<const SHARED: bool>(g: *const G, site: Site, access: Access) -> bool {
    // SAFETY: the caller's, R2.
    unsafe { shadow::notes::<SHARED>(Epoch((*g).race.get()), site, access) }
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
    // SAFETY: the caller's.
    unsafe {
        let own = own(g);
        match shadow::access(&own, site, access) {
            Some(race) => hold().is_new(own.thread, site.pc, race),
            None => false,
        }
    }
}

/// The thread of `g`, which has learnt all that its operations have told it.
///
/// # Safety
///
/// As [`access`].
#[inline]
unsafe fn own<'a>(g: *const G) -> Own<'a> {
    // SAFETY: the caller's.
    unsafe {
        let epoch = Epoch((*g).race.get());
        let threads = &raw const (*place()).threads;
        if epoch.is_none() || are_several() && Own::is_pending(threads, epoch) {
            hold().thread(&*g);
        }
        Own::new(threads, Epoch((*g).race.get()))
    }
}

/// As [`access`], for one that is atomic; what it does to what others have released at its address
/// is `edge`. With several Ps the goroutine has its turn at the address ([`Turn`]) until it has
/// done the access.
///
/// # Safety
///
/// As [`access`].
pub unsafe fn atomic(g: *const G, site: Site, access: Access, edge: Edge) -> bool {
    // SAFETY: the caller's.
    unsafe {
        let race = shadow::clash(&own(g), access);
        // It is noted when the thread knows of those before, for which it stands then.
        if matches!(edge, Edge::Acquire | Edge::Both) {
            self::edge(g, access.at, Edge::Acquire);
        }
        shadow::access(&own(g), site, access);
        let mut d = hold();
        let me = d.thread(&*g);
        if matches!(edge, Edge::Replace | Edge::Both) {
            d.edge(me, access.at, Edge::Replace);
        }
        race.is_some_and(|race| d.is_new(me, site.pc, race))
    }
}

/// The turn of a goroutine at an operation by which goroutines tell each other something: what it
/// tells the detector and what it does are one, as others see it.
pub struct Turn(#[allow(dead_code, reason = "dropped")] Option<SpinGuard>);

impl Turn {
    /// The turn at an address, waited for.
    pub fn at(address: usize) -> Turn {
        if !are_several() {
            return Turn(None);
        }
        let hash = (address as u64 >> 3).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Turn(Some(TURNS[(hash >> (64 - TURN_BITS)) as usize].guard()))
    }
}

/// `g` does something to the object at `object`.
///
/// # Safety
///
/// As [`access`].
pub unsafe fn edge(g: *const G, object: usize, edge: Edge) {
    // SAFETY: R2.
    let mut d = unsafe { hold() };
    // SAFETY: the caller's.
    let me = d.thread(unsafe { &*g });
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
    let mut d = unsafe { hold() };
    // SAFETY: the caller's.
    let me = d.thread(unsafe { &*g });
    d.threads.join_all(me);
}

/// `g` acquires what is at these addresses, now and whenever it runs again.
///
/// # Safety
///
/// As [`access`].
pub unsafe fn wants(g: *const G, objects: [Option<usize>; 2]) {
    // SAFETY: R2.
    let mut d = unsafe { hold() };
    // SAFETY: the caller's.
    let me = d.thread(unsafe { &*g });
    d.threads.wants(me, objects, are_several());
    if !are_several() {
        d.acquire(me, objects);
    }
}

/// `g` gives up a lock, and waits for nothing.
///
/// # Safety
///
/// As [`access`].
pub unsafe fn unlocks(g: *const G, object: usize) {
    // SAFETY: R2.
    let mut d = unsafe { hold() };
    // SAFETY: the caller's.
    let me = d.thread(unsafe { &*g });
    d.threads.wants(me, [None; 2], false);
    d.edge(me, object, Edge::Release);
}

/// `g` runs again.
///
/// # Safety
///
/// As [`access`].
pub unsafe fn resumed(g: *const G) {
    // SAFETY: R2.
    let mut d = unsafe { hold() };
    // SAFETY: the caller's.
    let me = d.thread(unsafe { &*g });
    let objects = d.threads.wanted(me);
    d.threads.wants(me, objects, are_several());
    if !are_several() {
        d.acquire(me, objects);
    }
}

/// In place of an address, for what goes through descriptors.
pub const WORLD: usize = 8;

/// Added to the address of an RWMutex for what its readers release.
pub const READERS: usize = 1;

impl Detector {
    /// The thread of `g`, in whose name something is done: it has learnt all that its operations
    /// have told it.
    fn thread(&mut self, g: &G) -> usize {
        let me = self.threads.of(g);
        if self.threads.take_pending(me) {
            let objects = self.threads.wanted(me);
            self.acquire(me, objects);
        }
        me
    }

    fn acquire(&mut self, me: usize, objects: [Option<usize>; 2]) {
        for object in objects.into_iter().flatten() {
            self.edge(me, object, Edge::Acquire);
        }
    }

    /// Has the race not been told that thread `me` is in by what happens at `pc`?
    fn is_new(&mut self, me: usize, pc: usize, race: Race) -> bool {
        let is_new = self.told.insert((pc, race.pcs[0]));
        if is_new {
            self.threads.finds(me, race);
        }
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
                Some(g) => Giver::Thread(self.thread(g)),
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
    let mut d = unsafe { hold() };
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
        let mut d = hold();
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
        let mut d = hold();
        let from = d.giver(from, c);
        let to = d.thread(&*to);
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
    let mut d = unsafe { hold() };
    // SAFETY: the caller's.
    let me = d.thread(unsafe { &*g });
    let d = &mut *d;
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
        let mut d = hold();
        if let Some(g) = g.as_ref() {
            let me = d.thread(g);
            let d = &mut *d;
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
    unsafe { hold() }.channels.remove(&(c as usize));
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
        let parent = (*m).curg.as_ref().filter(|by| !by.is_system);
        let made_at = parent.map_or_else(Vec::new, |by| (*m).engine.way_in(by));
        let mut d = hold();
        let parent = parent.map(|by| d.thread(by));
        let me = d.threads.spawn(&mut *g, parent, made_at);
        if parent.is_none() {
            let d = &mut *d;
            match d.objects.get((*m).race_firing) {
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
    unsafe { hold().threads.end(&mut *g) };
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
        let mut d = hold();
        let Some(by) = (*m).curg.as_ref() else { return };
        let is_lock = matches!(
            (*g).wait_reason(),
            SyncCondWait
                | SyncMutexLock
                | SyncRwMutexLock
                | SyncRwMutexRLock
                | SyncWaitGroupWait
                | SynctestWaitGroupWait
        );
        if is_lock && !by.is_system {
            let (by, to) = (d.thread(by), d.threads.of(&*g));
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

/// A timer fires on `m`; 0: it has fired.
#[cold]
pub(crate) fn fires(m: &mut M, t: usize) {
    m.race_firing = t;
}

/// So many bytes of memory are given out anew: what was known of them is forgotten.
///
/// # Safety
///
/// The caller holds a P, and has the memory.
#[cold]
pub(crate) unsafe fn fresh(at: usize, bytes: usize) {
    shadow::clear(at, bytes);
    // SAFETY: R2; that of the marks never changes.
    unsafe {
        let marks = (&raw const (*place()).objects.in_heap).read();
        if bytes != 0 && marks.are_in(at, bytes) {
            hold().objects.forget(at, bytes);
        }
    }
}
