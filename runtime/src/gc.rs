//! The collector: roots, mark, sweep, pacing.
//!
//! A cycle finishes the last sweep, flushes the caches and takes the roots with the world stopped;
//! marks from there beside the program ([`concurrent`]); and is ended with the world stopped again.
//! Where that must not be it does all of it in one stop, on several threads. Spans are swept as
//! they are wanted. Objects never move.
//!
//! An allocation past the goal raises a request; the next safepoint of a goroutine honours it
//! ([`at_safepoint`]).
//!
//! # Invariants
//!
//! - C1. A cycle begins and ends with the world stopped, on g0; so no cache is in use then, and no
//!   sweep half done. While it marks nothing is swept, for all has been.
//! - C2. What is reachable from a root is marked: the engine's globals and stacks, native stacks
//!   kept by goroutines, sources added with [`add_roots`], and the tables of `special.rs`.
//!
//! Go: runtime/mgc.go, mgcmark.go, mgcsweep.go, mgcpacer.go.
#![allow(unsafe_code)]

mod bad;
pub(crate) mod barrier;
mod check;
pub(crate) mod concurrent;
pub mod leaks;
pub(crate) mod mark;
mod pacer;
mod special;
mod stats;
mod sweep;
mod world;

#[cfg(test)]
mod tests;

pub(crate) use bad::check_stack;
pub use barrier::marking_flag;
pub(crate) use mark::PIECE_WORDS;
use mark::Roots;
pub use special::{Special, SpecialKind};
pub(crate) use stats::MemStats;
pub(crate) use sweep::{sweep_one, sweep_span, sweeping};
pub(crate) use world::start;
pub use world::{Collection, NativeFrames, Step, arm, at_safepoint, free_os_memory, safepoint};
pub use world::{collect, read_mem_stats, read_mem_stats_in_turn};

use crate::engine::RootVisitor;
use crate::heap::{Heap, NUM_SPAN_CLASSES, find, heap, mark_word};
use crate::lockrank::Rank;
use crate::m::M;
use crate::proc::{self, Helper};
use crate::sched::Gref;
use crate::sync::{AtomicBool, AtomicI64, AtomicU32, AtomicU64, AtomicUsize, Guarded, Ordering};
use special::{Reap, ReapStep, RootsAt, Specials};
use stats::{Cycle, Info};

/// Below so many live bytes one worker marks alone: waking others would take longer.
const PARALLEL_BYTES: u64 = 512 << 10;
/// With more entries in the table of specials it is gone through beside the program.
const REAP_STOPPED: usize = 1_000;
/// After so many stress collections only each 1000th is done.
const STRESS_MANY: u64 = 20_000;
const STRESS_THIN: u64 = 1_000;

/// The state of a heap's collector.
#[derive(Debug)]
pub(crate) struct State {
    /// A collection is due. Raised by allocation, lowered by the collector.
    requested: AtomicBool,
    /// How many live bytes there may be. Written by the pacer.
    goal: AtomicU64,
    /// The number of live bytes at which one is due: so far before the goal that it ends there.
    /// Written by the pacer.
    trigger: AtomicU64,
    /// GOGC; negative is off.
    percent: AtomicI64,
    /// GOMEMLIMIT in bytes; `i64::MAX` is none.
    limit: AtomicI64,
    /// The first span class that may have unswept spans. Reset by the collector.
    sweep_class: AtomicUsize,
    /// How many threads have a span to sweep, or look for one.
    sweepers: AtomicUsize,
    /// Fill freed memory.
    poison: AtomicBool,
    /// `gcstress=N`, 0 if off.
    stress: AtomicU32,
    stress_seen: AtomicU64,
    stress_done: AtomicU64,
    info: Guarded<Info>,
    specials: Guarded<Specials>,
    /// There are or were entries in `specials`.
    any_specials: AtomicBool,
    /// Collections that have ended.
    cycles: AtomicU32,
    /// When the scavenger last ran.
    last_scavenge: AtomicI64,
    /// When it wants to run again, 0 if it does not. Written by it.
    next_scavenge: AtomicI64,
}

/// The parts of a cycle that need the scheduler; it runs with the world stopped.
pub(crate) trait World: Roots {
    /// Gives `f` each allocation cache.
    fn caches(&self, f: &mut dyn FnMut(&mut crate::heap::MCache));
    /// Runs `f(0..n)` on up to `n` threads.
    fn parallel(&self, n: usize, f: &(dyn Fn(usize) + Sync));
    /// GOMAXPROCS.
    fn procs(&self) -> usize;
    /// Those that wait for others, and have not been scanned; see [`leaks`].
    fn blocked(&self) -> Vec<Gref> {
        Vec::new()
    }
    /// Gives `v` the roots of one of them.
    fn scan_blocked(&self, _: Gref, _: &mut dyn RootVisitor) {}
}

/// Why a cycle is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Mode {
    /// The heap has grown to its goal; nothing is done if another has collected meanwhile.
    Background,
    /// `runtime.GC`: always, and all is swept at the end.
    Forced,
    /// No collection for two minutes.
    Periodic,
    /// `GODEBUG=gcstress`: always, swept at once.
    Stress,
}

impl State {
    pub(crate) fn new() -> State {
        State {
            requested: AtomicBool::new(false),
            goal: AtomicU64::new(4 << 20),
            trigger: AtomicU64::new(4 << 20),
            percent: AtomicI64::new(100),
            limit: AtomicI64::new(i64::MAX),
            sweep_class: AtomicUsize::new(NUM_SPAN_CLASSES),
            sweepers: AtomicUsize::new(0),
            poison: AtomicBool::new(false),
            stress: AtomicU32::new(0),
            stress_seen: AtomicU64::new(0),
            stress_done: AtomicU64::new(0),
            info: Guarded::new(Rank::Leaf, Info::new()),
            specials: Guarded::new(Rank::HeapCentral, Specials::new()),
            any_specials: AtomicBool::new(false),
            cycles: AtomicU32::new(0),
            last_scavenge: AtomicI64::new(crate::clock::nanotime()),
            next_scavenge: AtomicI64::new(0),
        }
    }

    /// Takes GOGC and GOMEMLIMIT from the environment.
    pub(crate) fn read_environment(&self) {
        let percent = match std::env::var("GOGC").as_deref() {
            Ok("off") => -1,
            Ok(text) => text.parse().unwrap_or(100),
            Err(_) => 100,
        };
        self.percent.store(i64::from(percent), Ordering::Relaxed);
        if let Ok(text) = std::env::var("GOMEMLIMIT") {
            match parse_limit(&text) {
                Some(n) => self.limit.store(n, Ordering::Relaxed),
                None => {
                    eprint(format_args!("GOMEMLIMIT={text}\n"));
                    crate::fatal!(
                        "malformed GOMEMLIMIT; see `go doc runtime/debug.SetMemoryLimit`"
                    );
                }
            }
        }
        let marked = pacer::Marked::default();
        let goal = pacer::goal(
            self.percent.load(Ordering::Relaxed),
            self.limit.load(Ordering::Relaxed),
            marked,
            0,
        );
        self.goal.store(goal, Ordering::Relaxed);
        self.trigger.store(goal, Ordering::Relaxed);
    }

    fn set_stress(&self, n: u32) {
        self.stress.store(n, Ordering::Relaxed);
        self.poison.store(n != 0, Ordering::Relaxed);
        ATTENTION.store(n != 0, Ordering::Relaxed);
    }

    /// Whether nothing waits to be swept.
    #[inline]
    pub(crate) fn is_swept(&self) -> bool {
        self.sweep_class.load(Ordering::Relaxed) >= NUM_SPAN_CLASSES
    }

    /// Asks for a collection at the next safepoint.
    ///
    /// Context: any thread. The G that is nudged may leave its M before it gets there, so the
    /// allocator calls this again and again.
    #[cold]
    pub(crate) fn request(&self) {
        self.requested.store(true, Ordering::Relaxed);
        ATTENTION.store(true, Ordering::Relaxed);
        nudge();
    }

    /// Asks the goroutine that allocates to help the marker at its next safepoint.
    #[cold]
    pub(crate) fn ask_for_help(&self) {
        ATTENTION.store(true, Ordering::Relaxed);
        nudge();
    }

    /// Counts a safepoint, and tells whether it is one of those that `gcstress` means.
    fn is_stress_turn(&self) -> bool {
        let n = u64::from(self.stress.load(Ordering::Relaxed));
        n != 0
            && self
                .stress_seen
                .fetch_add(1, Ordering::Relaxed)
                .is_multiple_of(n)
    }

    /// Whether the G at a safepoint should collect, and how; `stress_turn` is what
    /// [`Self::is_stress_turn`] says of it.
    fn due(&self, stress_turn: bool) -> Option<Mode> {
        if self.requested.load(Ordering::Relaxed) {
            return Some(Mode::Background);
        }
        if !stress_turn {
            return None;
        }
        let done = self.stress_done.fetch_add(1, Ordering::Relaxed);
        (done < STRESS_MANY || done.is_multiple_of(STRESS_THIN)).then_some(Mode::Stress)
    }
}

/// The goroutine that was asked for help has come.
fn forget_help(heap: &Heap) {
    let gc = &heap.gc;
    if !gc.requested.load(Ordering::Relaxed) && gc.stress.load(Ordering::Relaxed) == 0 {
        ATTENTION.store(false, Ordering::Relaxed);
    }
}

/// Makes the G that allocates come to a safepoint soon.
#[cold]
fn nudge() {
    let m = crate::tls::current_m();
    if m.is_null() {
        return;
    }
    // SAFETY: m::M3 — this thread's M and its current G stay valid while it runs; the guards are
    // atomics.
    unsafe {
        let g = (*m).curg;
        if !g.is_null() {
            (*g).stackguard0
                .store(crate::stack::PREEMPT, Ordering::Relaxed);
            (*g).loop_guard
                .fetch_or(crate::preempt::LOOP_GC, Ordering::Relaxed);
        }
    }
}

/// One cycle, in one stop of the world. Context: C1; no other cycle runs.
///
/// `begin_ns` is when the world began to stop. Returns false if there was nothing to do.
pub(crate) fn cycle(heap: &Heap, world: &dyn World, mode: Mode, begin_ns: i64) -> bool {
    let Some(c) = prepare(heap, world, mode, begin_ns) else {
        return false;
    };
    let mark = mark::Mark::new(heap);
    let all = AllRoots::new(heap, world);
    if c.workers > 1 {
        world.parallel(c.workers, &|_| mark.work(&all, true));
    } else {
        mark.work(&all, false);
    }
    leaks::find(heap, &mark, world);
    reap_all(heap, &mark, Reap::new());
    finish(heap, &mark, mode, c);
    true
}

/// As [`cycle`], but takes the roots only, and switches the marker on that works beside the
/// program.
fn begin(
    heap: &'static Heap,
    engine: &dyn crate::engine::Engine,
    world: &dyn World,
    mode: Mode,
    begin_ns: i64,
) -> bool {
    let Some(c) = prepare(heap, world, mode, begin_ns) else {
        return false;
    };
    let roots = AllRoots {
        // Those are many, and taken beside the program.
        has_specials: false,
        ..AllRoots::new(heap, world)
    };
    concurrent::begin(heap, engine, world, &roots, c);
    true
}

/// Ends the cycle that has marked beside the program; `false`: it goes on, since more is left to be
/// marked, or to be done about the dead, than a stopped world should wait for, and `all` is not
/// asked for.
fn end(
    m: &crate::m::M,
    heap: &Heap,
    world: &dyn World,
    mode: Mode,
    begin_ns: i64,
    all: bool,
) -> bool {
    if !concurrent::is_over(m, heap, world, all) {
        concurrent::stopped_for(crate::clock::nanotime() - begin_ns);
        return false;
    }
    if !concurrent::is_reaping() {
        if crate::knobs::get(crate::knobs::Knob::GcCheckMark) > 0 {
            // What is free then has contents of before, and is not to be looked at.
            world.caches(&mut |cache| cache.flush());
            check::check(heap, &AllRoots::new(heap, world));
        }
        let specials = heap.gc.specials.lock().len();
        if specials > REAP_STOPPED && !all {
            concurrent::reap_beside();
            concurrent::stopped_for(crate::clock::nanotime() - begin_ns);
            return false;
        }
    }
    // The barrier is on until now, for what caches give back was marked when they took it.
    world.caches(&mut |cache| cache.flush());
    let (mark, mut c) = concurrent::over(heap);
    let new = heap
        .live
        .load(Ordering::Relaxed)
        .saturating_sub(c.live_before);
    mark.marked_bytes.fetch_add(new, Ordering::Relaxed);
    c.last_begin_ns = begin_ns;
    finish(heap, mark, mode, c);
    true
}

/// What comes before the mark; `None`: there is nothing to do.
fn prepare(heap: &Heap, world: &dyn World, mode: Mode, begin_ns: i64) -> Option<Cycle> {
    let gc = &heap.gc;
    let wanted = gc.requested.swap(false, Ordering::Relaxed);
    ATTENTION.store(gc.stress.load(Ordering::Relaxed) != 0, Ordering::Relaxed);
    if mode == Mode::Background && !wanted {
        return None;
    }
    concurrent::starts();
    let mut c = Cycle {
        begin_ns,
        stopped_ns: crate::clock::nanotime(),
        ..Cycle::default()
    };
    c.procs = world.procs();
    c.forced = mode == Mode::Forced;
    crate::trace::gc_begin(c.forced);
    sweep::finish(heap);
    crate::pool::age();
    world.caches(&mut |cache| cache.flush());
    c.live_before = heap.live.load(Ordering::Relaxed);
    c.goal = gc.goal.load(Ordering::Relaxed);
    let last = gc.info.lock().marked.heap;
    c.workers = if last.max(c.live_before / 2) >= PARALLEL_BYTES {
        c.procs
    } else {
        1
    };
    Some(c)
}

/// What comes after the mark.
fn finish(heap: &Heap, mark: &mark::Mark<'_>, mode: Mode, mut c: Cycle) {
    let gc = &heap.gc;
    c.live_after = mark.marked_bytes.load(Ordering::Relaxed);
    c.stack_bytes = mark.root_words.load(Ordering::Relaxed) * 8;
    c.live_end = heap.live.load(Ordering::Relaxed);
    heap.live.store(c.live_after, Ordering::Relaxed);
    let object = |addr| heap.find_object(addr).map(|(base, ..)| base);
    crate::trace::forget_dead(|addr| object(addr).is_some_and(|o| !is_marked(heap, o)));
    sweep::begin(heap);
    c.marked_ns = crate::clock::nanotime();
    if mode == Mode::Stress {
        sweep::finish(heap);
    }
    c.end_ns = crate::clock::nanotime();
    {
        let mut info = gc.info.lock();
        info.marked.heap = c.live_after;
        info.marked.roots = c.stack_bytes;
        info.book(&c);
    }
    gc.cycles.fetch_add(1, Ordering::Relaxed);
    gc.repace(heap);
    crate::trace::gc_end(c.live_after);
    crate::limits::check_live(c.live_after, crate::heap::stack_bytes() as u64);
    if crate::knobs::get(crate::knobs::Knob::GcTrace) > 0 {
        stats::trace(gc, &c);
    }
}

/// Whether the object is still there that `word` points to, which was no pointer for the collector:
/// then it is the program's again. Go: runtime/mheap.go,
/// internal_weak_runtime_makeStrongFromWeak.
pub fn revive(word: usize) -> bool {
    if !barrier::is_marking() {
        return true;
    }
    if concurrent::is_reaping() {
        return is_marked(heap(), word);
    }
    barrier::keep(word);
    true
}

/// After the mark: what happens to dead objects with entries in the table, as far as `reap` has not
/// come yet.
///
/// Context: world stopped.
fn reap_all(heap: &Heap, mark: &mark::Mark<'_>, mut reap: Reap) {
    if heap.gc.any_specials.load(Ordering::Relaxed) {
        while reap_piece(heap, &mut reap, usize::MAX, &mut |revived| {
            mark.mark_from(|v| revived.iter().for_each(|o| v.word(*o)));
        }) {}
        reap.publish(&mut heap.gc.specials.lock());
    }
    crate::prof::heap::marked(&|o| is_marked(heap, o));
}

/// Goes on with a reap by `n` entries; `mark` marks objects and all that they reach. `false`: it is
/// done.
fn reap_piece(heap: &Heap, reap: &mut Reap, n: usize, mark: &mut dyn FnMut(Vec<usize>)) -> bool {
    match reap.step() {
        ReapStep::Done => return false,
        ReapStep::Mark => mark(reap.take_revived(n)),
        ReapStep::Finalizers | ReapStep::Cleanups => {
            let mut t = heap.gc.specials.lock();
            // SAFETY: all is marked, so what is not is dead.
            unsafe { reap.piece(&mut t, n, &|o| !is_marked(heap, o)) };
        }
    }
    true
}

fn is_marked(heap: &Heap, object: usize) -> bool {
    let Some(f) = find(&heap.arena, object) else {
        return true;
    };
    // SAFETY: `find` gave the first page of a span and an index in bounds.
    let word = unsafe { mark_word(heap.arena.bits(f.page), f.index / 64) };
    word.load(Ordering::Relaxed) >> (f.index % 64) & 1 == 1
}

/// The world's roots and one more job: added sources and the tables of specials.
struct AllRoots<'a> {
    heap: &'a Heap,
    world: &'a dyn World,
    has_specials: bool,
}

impl<'a> AllRoots<'a> {
    fn new(heap: &'a Heap, world: &'a dyn World) -> AllRoots<'a> {
        AllRoots {
            heap,
            world,
            has_specials: heap.gc.any_specials.load(Ordering::Relaxed),
        }
    }
}

/// Gives `v` the roots of `n` entries from `at` on; where to go on, if there are more.
fn special_roots(heap: &Heap, at: RootsAt, n: usize, v: &mut dyn RootVisitor) -> Option<RootsAt> {
    let (objects, next) = heap.gc.specials.lock().roots(at, n, &mut |w| v.word(w));
    for o in objects {
        if let Some((base, size, layout)) = heap.find_object(o)
            && layout != crate::heap::LayoutId::NOSCAN
        {
            v.range(base as *const usize, size / 8);
        }
    }
    next
}

impl Roots for AllRoots<'_> {
    fn jobs(&self) -> usize {
        self.world.jobs() + 1
    }

    fn scan(&self, job: usize, v: &mut dyn RootVisitor) {
        if job > 0 {
            self.world.scan(job - 1, v);
            return;
        }
        let sources = SOURCES.lock().clone();
        sources.iter().for_each(|source| source(v));
        let mut at = self.has_specials.then_some(RootsAt::FIRST);
        while let Some(from) = at {
            at = special_roots(self.heap, from, usize::MAX, v);
        }
    }
}

/// Sources of roots besides the engine's: side tables of the runtime.
static SOURCES: Guarded<Vec<RootSource>> = Guarded::new(Rank::HeapCentral, Vec::new());

/// Gives a visitor the roots of one part of the runtime. Context: world stopped, any thread.
type RootSource = fn(&mut dyn RootVisitor);

/// Adds a source of roots, for ever.
pub fn add_roots(source: RootSource) {
    let mut s = SOURCES.lock();
    if !s.contains(&source) {
        s.push(source);
    }
}

/// Raised while the process's heap has a request, or is under stress, so that frequent checks read
/// one word. Written by `request`, `set_stress` and the collector.
static ATTENTION: AtomicBool = AtomicBool::new(false);

/// Whether a G at a safepoint must call [`safepoint`].
#[inline(always)]
pub fn is_due() -> bool {
    ATTENTION.load(Ordering::Relaxed)
}

/// Watches over an object; see [`SpecialKind`]. `object` may point into it.
///
/// Returns the entry's id; `None` if `object` is no heap object, or a finalizer was set for the
/// same pointer already.
///
/// Context: any, with a P.
pub fn add_special(object: usize, kind: SpecialKind, words: [usize; 3]) -> Option<u64> {
    let heap = heap();
    let (base, ..) = heap.find_object(object)?;
    heap.gc.any_specials.store(true, Ordering::Relaxed);
    let mut specials = heap.gc.specials.lock();
    specials.add(base, object - base, kind, words)
}

/// As [`add_special`], unless there is an entry of this kind for the same pointer. Returns the
/// words of the one that there is then; `None` if `object` is no heap object.
///
/// Context: any, with a P.
pub fn share_special(object: usize, kind: SpecialKind, words: [usize; 3]) -> Option<[usize; 3]> {
    let heap = heap();
    let (base, ..) = heap.find_object(object)?;
    heap.gc.any_specials.store(true, Ordering::Relaxed);
    let mut specials = heap.gc.specials.lock();
    Some(specials.share(base, object - base, kind, words))
}

/// Takes back the entries of an object that `want` chooses; returns how many there were.
pub fn remove_special(object: usize, want: impl Fn(&Special) -> bool) -> usize {
    let heap = heap();
    let Some((base, ..)) = heap.find_object(object) else {
        return 0;
    };
    heap.gc.specials.lock().remove(base, want)
}

/// How many collections have ended. Context: any.
#[inline]
pub fn cycles() -> u32 {
    heap().gc.cycles.load(Ordering::Relaxed)
}

/// The next entry whose object has died. Context: any, with a P.
pub fn next_dead() -> Option<Special> {
    let gc = &heap().gc;
    if !gc.any_specials.load(Ordering::Relaxed) {
        return None;
    }
    let s = gc.specials.lock().dead.pop()?;
    if barrier::is_marking() {
        s.words.iter().for_each(|w| barrier::keep(*w));
        barrier::keep(s.object);
    }
    Some(s)
}

/// Whether [`next_dead`] has something to give.
pub fn has_dead() -> bool {
    let gc = &heap().gc;
    gc.any_specials.load(Ordering::Relaxed) && !gc.specials.lock().dead.is_empty()
}

/// Sets GOGC; negative switches the collector off. Returns the old value, −1 if it was off.
///
/// Context: any, with a P.
pub fn set_gc_percent(percent: i32) -> i32 {
    let heap = heap();
    let old = heap
        .gc
        .percent
        .swap(i64::from(percent.max(-1)), Ordering::Relaxed);
    heap.gc.repace(heap);
    old as i32
}

/// The share that is set now.
pub(crate) fn percent() -> i64 {
    heap().gc.percent.load(Ordering::Relaxed)
}

/// Bytes that the last mark has found alive.
pub(crate) fn live() -> u64 {
    heap().gc.info.lock().marked.heap
}

/// The memory limit in bytes.
pub fn memory_limit() -> i64 {
    heap().gc.limit.load(Ordering::Relaxed)
}

/// Sets the memory limit in bytes, unless negative. Returns the old one.
///
/// Context: any stack of an M that holds a P.
pub fn set_memory_limit(m: &mut M, bytes: i64) -> i64 {
    if bytes < 0 {
        return memory_limit();
    }
    let heap = heap();
    let old = heap.gc.limit.swap(bytes, Ordering::Relaxed);
    heap.gc.repace(heap);
    if pacer::is_over(heap) {
        proc::wake_helper(m, Helper::Scavenger);
    }
    old
}

/// `GODEBUG=gcstress=n`: collect at every `n`th safepoint, and move the stack at the prologue; 0
/// switches it off.
pub(crate) fn gcstress(n: u32) {
    heap().gc.set_stress(n);
}

/// Whether `gcstress` is on.
#[inline]
pub fn is_stressed() -> bool {
    heap().gc.stress.load(Ordering::Relaxed) != 0
}

/// Whether all has been swept, to the last span. Go: runtime/mgc.go, GC, waits for that.
fn has_been_swept() -> bool {
    let gc = &heap().gc;
    gc.is_swept() && gc.sweepers.load(Ordering::Acquire) == 0
}

/// Sweeps up to `n` spans; false once nothing is left. The background sweeper's step.
///
/// Context: any stack, with a P.
fn sweep_some(n: usize) -> bool {
    let heap = heap();
    (0..n).all(|_| sweep_one(heap).is_some())
}

/// When sysmon should wake the scavenger (monotonic), 0 for never.
pub(crate) fn next_scavenge() -> i64 {
    heap().gc.next_scavenge.load(Ordering::Relaxed)
}

/// Returns free memory to the system, until the goroutine is asked to stop: `true`, and there may
/// be more. The second half of `debug.FreeOSMemory`, after a forced collection.
///
/// Context: any stack of an M that holds a P.
pub fn release_free(m: &mut M) -> bool {
    let heap = heap();
    loop {
        if crate::fault!(KeepMemory)
            || heap
                .pages
                .lock()
                .scavenge(&heap.arena, pacer::RELEASED_AT_ONCE)
                == 0
        {
            return false;
        }
        if world::is_asked(m) {
            return true;
        }
    }
}

/// Reads a GOMEMLIMIT: a number with an optional B, KiB, MiB, GiB or TiB, or `off`.
fn parse_limit(text: &str) -> Option<i64> {
    if text.is_empty() || text == "off" {
        return Some(i64::MAX);
    }
    let digits = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let n: i64 = text[..digits].parse().ok()?;
    let unit = match &text[digits..] {
        "" | "B" => 0,
        "KiB" => 10,
        "MiB" => 20,
        "GiB" => 30,
        "TiB" => 40,
        _ => return None,
    };
    n.checked_mul(1 << unit)
}

/// Writes to standard error at once.
pub(crate) fn eprint(args: std::fmt::Arguments<'_>) {
    let s = args.to_string();
    // SAFETY: the buffer lives over the call.
    unsafe { libc::write(2, s.as_ptr().cast(), s.len()) };
}

/// The numbers of a heap whose caches, `ncaches` of them, are flushed.
pub(crate) fn mem_stats_of(heap: &Heap, ncaches: usize) -> MemStats {
    stats::mem_stats(heap, ncaches)
}
