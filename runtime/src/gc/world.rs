//! The collector's side of the scheduler: requests, where all stops, and what the roots are.
//!
//! # Invariants
//!
//! - R1. Between the stop and the start of the world no G runs, save in system calls, where it
//!   touches no heap; so stacks, caches and timers are the collector's.
//!
//! Go: runtime/mgc.go, gcStart; runtime/mgcmark.go, markroot, scanstack.
#![allow(unsafe_code)]

use super::concurrent::wait;
use super::mark::prefetch;
use super::{Mode, Roots, World, barrier, concurrent, cycle, heap, leaks, pacer};
use crate::clock::nanotime;
use crate::control::{self, tape};
use crate::engine::{Engine, GlobalsAt, Outcome, RootVisitor};
use crate::g::{G, Status, WaitReason};
use crate::heap::{Heap, MCache, PAGE_SHIFT};
use crate::knobs::{self, Knob};
use crate::lockrank::Rank;
use crate::m::M;
use crate::mutex::SyncOp;
use crate::proc::{self, Helper};
use crate::sched::{self, Gref, SCHED, allp};
use crate::sync::{Guarded, Ordering};
use crate::{bubble, chan, coro, preempt, stack, stw, sysmon, timer};

/// Gs per job of the marker.
const BATCH: usize = 64;
/// So many words are followed without a break.
const KEPT_AT_ONCE: usize = 256;
/// The background sweeper lets others run after so many spans. Go: sweepBatchSize.
const SWEEP_BATCH: usize = 10;
/// How long a G that has asked for a collection waits for finalizers to begin.
const FINALIZERS_NS: i64 = 20_000;
/// How long the scavenger pauses when it has used its share.
const SCAVENGE_PAUSE_NS: i64 = 100_000_000;
/// The scavenger's share of time is 1 %; at about 60 ns per KB that is so many bytes per ms.
const SCAVENGE_BYTES_PER_MS: i64 = 160 << 10;

/// The stopped world.
struct Stopped {
    m: *mut M,
    engine: &'static dyn Engine,
    /// All Gs, dead ones included: looking at each costs more than the rest. For a mark beside the
    /// program those that are on a thread.
    gs: Vec<*mut G>,
    beside: bool,
    /// Those with more than the smallest stack.
    grown: Guarded<Vec<Gref>>,
    /// Those that wait for others, if it is asked which of them wait for ever.
    blocked: Option<Guarded<Vec<Gref>>>,
}

// SAFETY: R1 — markers only read what they are given.
unsafe impl Sync for Stopped {}

impl Stopped {
    fn new(m: &mut M, beside: bool) -> Stopped {
        let mut gs = Vec::new();
        match beside {
            false => sched::for_each_g(|g| gs.push(g)),
            true => on_threads(&mut gs),
        }
        Stopped {
            beside,
            engine: m.engine,
            m,
            gs,
            grown: Guarded::new(Rank::Leaf, Vec::new()),
            blocked: leaks::is_asked().then(|| Guarded::new(Rank::Leaf, Vec::new())),
        }
    }
}

/// Gives `v` what a goroutine holds.
///
/// # Safety
///
/// It does not run, or is the one that has stopped the world, or in a system call; another marker
/// does not look at it.
pub(super) unsafe fn scan_g(engine: &dyn Engine, g: *mut G, v: &mut dyn RootVisitor) {
    // SAFETY: the caller's; descriptors are never freed.
    unsafe {
        v.word((*g).param as usize);
        v.word((*g).sched.ctxt);
        v.word((*g).labels);
        if (*g).native.is_none() {
            engine.scan_stack(&*g, v);
        }
        // Also of a G that was readied and has not yet looked at what it got.
        chan::sudog::scan(&*g, v);
        if !tape::is_on() {
            coro::native_frames(g, |lo, n| v.range(lo, n));
        }
    }
}

impl Stopped {
    /// The objects that native frames seem to point to. What else stands in such frames differs
    /// from run to run, and with it what lives: a tape has these, so that a replay collects the
    /// same.
    fn native_roots(&self) -> Vec<u64> {
        let heap = heap();
        let mut found = Vec::new();
        for &g in &self.gs {
            // SAFETY: R1; descriptors are never freed, and the frames are nobody's meanwhile.
            unsafe {
                if matches!((*g).status(), Status::Idle | Status::Dead) {
                    continue;
                }
                coro::native_frames(g, |lo, n| {
                    for i in 0..n {
                        let word = *lo.add(i);
                        found.extend(heap.find_object(word).map(|(base, ..)| base as u64));
                    }
                });
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

impl Roots for Stopped {
    fn jobs(&self) -> usize {
        1 + self.gs.len().div_ceil(BATCH)
    }

    fn scan(&self, job: usize, v: &mut dyn RootVisitor) {
        if job == 0 {
            if !self.beside {
                self.engine
                    .scan_globals(GlobalsAt::default(), usize::MAX, v);
            }
            let mut timers = Later(Vec::new());
            for &p in &allp().ps {
                // SAFETY: R1.
                let all = unsafe { &(*p).timers };
                match self.beside {
                    false => timer::scan(all, v),
                    true => timer::scan(all, &mut timers),
                }
            }
            timers.keep();
            bubble::scan(v);
            if tape::is_on() {
                for base in tape::kept(|| self.native_roots()) {
                    v.word(base as usize);
                }
            }
            return;
        }
        let first = (job - 1) * BATCH;
        let batch = &self.gs[first..self.gs.len().min(first + BATCH)];
        for (i, &g) in batch.iter().enumerate() {
            // SAFETY: R1; another marker never gets the same G, and descriptors are never freed.
            unsafe {
                if self.beside {
                    concurrent::look_at(self.engine, g, v);
                    continue;
                }
                if let Some(&ahead) = batch.get(i + 6) {
                    for line in 0..size_of::<G>().div_ceil(64) {
                        prefetch(ahead as usize + line * 64);
                    }
                }
                if let Some(&ahead) = batch.get(i + 3) {
                    prefetch((*ahead).stack_lo);
                }
                if matches!((*g).status(), Status::Idle | Status::Dead) {
                    continue;
                }
                if (*g).stack_hi - (*g).stack_lo > stack::MIN {
                    self.grown.lock().push(Gref(g));
                }
                match &self.blocked {
                    Some(blocked) if leaks::is_blocked(&*g) => blocked.lock().push(Gref(g)),
                    _ => scan_g(self.engine, g, v),
                }
            }
        }
    }
}

/// Roots that are looked at beside the program: only the words are taken now.
struct Later(Vec<usize>);

impl Later {
    fn keep(self) {
        self.0.chunks(KEPT_AT_ONCE).for_each(concurrent::keep);
    }
}

impl RootVisitor for Later {
    fn word(&mut self, word: usize) {
        self.0.push(word);
    }

    fn pointer(&mut self, at: *const usize) {
        // SAFETY: the caller gives readable memory.
        self.word(unsafe { *at });
    }

    fn range(&mut self, lo: *const usize, n: usize) {
        (0..n).for_each(|i| self.pointer(lo.wrapping_add(i)));
    }
}

impl World for Stopped {
    fn caches(&self, f: &mut dyn FnMut(&mut MCache)) {
        for &p in &allp().ps {
            // SAFETY: R1.
            f(unsafe { &mut (*p).mcache });
        }
    }

    fn parallel(&self, n: usize, f: &(dyn Fn(usize) + Sync)) {
        // SAFETY: `m` has stopped the world and is the thread that calls this.
        stw::parallel(unsafe { &mut *self.m }, n, f);
    }

    fn procs(&self) -> usize {
        allp().ps.len()
    }

    fn blocked(&self) -> Vec<Gref> {
        let blocked = self.blocked.as_ref();
        blocked.map_or(Vec::new(), |blocked| std::mem::take(&mut *blocked.lock()))
    }

    fn scan_blocked(&self, g: Gref, v: &mut dyn RootVisitor) {
        // SAFETY: R1; one marker is left.
        unsafe { scan_g(self.engine, g.0, v) };
    }
}

/// The Gs that are on a thread: those in system calls, and the one that has stopped the world.
///
/// Context: world stopped.
fn on_threads(gs: &mut Vec<*mut G>) {
    let mut m = SCHED.allm.load(Ordering::Acquire);
    while !m.is_null() {
        // SAFETY: R1; descriptors are never freed.
        unsafe {
            let g = (*m).curg;
            if !g.is_null() {
                gs.push(g);
            }
            m = (*m).alllink;
        }
    }
}

/// What a G at a safepoint has to do for the collector: the collection to run or to wait for, if
/// one is due.
///
/// Takes back what made the goroutine come here, unless it is to be preempted as well.
///
/// Context: coroutine, with a P, no lock held; the current G has saved `sched`, and all its Go
/// pointers lie in its stack as its maps say, or in native frames.
pub fn at_safepoint(m: &mut M) -> Option<Collection> {
    let heap = heap();
    disarm(m);
    let stress_turn = heap.gc.is_stress_turn();
    m.g().move_due |= stress_turn;
    let is_behind = barrier::is_marking() && concurrent::help(m, heap);
    let due = match heap.gc.due(stress_turn) {
        None if is_behind => Some(Collection::waiting()),
        due => due.map(Collection::new),
    };
    if heap.gc.stress.load(Ordering::Relaxed) != 0 {
        arm(m.g());
    }
    due
}

/// As [`at_safepoint`], and runs the collection. Returns the M the goroutine runs on then: never
/// use the old one.
pub fn safepoint(m: &mut M) -> &mut M {
    match at_safepoint(m) {
        Some(c) => c.finish(m),
        None => m,
    }
}

/// Makes a G come to its next safepoint: a collection is due, or `gcstress` is on.
///
/// Context: `g` is the caller's.
#[cold]
pub fn arm(g: &G) {
    // The loop word first: `restore_guard` reads it after it has set the guard.
    g.loop_guard.fetch_or(preempt::LOOP_GC, Ordering::Relaxed);
    g.stackguard0.store(stack::PREEMPT, Ordering::Relaxed);
}

fn disarm(m: &mut M) {
    let g = m.g();
    if !g.preempt.load(Ordering::Relaxed) && g.stackguard0.load(Ordering::Relaxed) == stack::PREEMPT
    {
        g.stackguard0.store(g.normal_guard(), Ordering::Relaxed);
        // A request to stop that came between the load and the store would be lost.
        if g.preempt.load(Ordering::Relaxed) {
            preempt::rearm(g);
        }
    }
    g.loop_guard.fetch_and(!preempt::LOOP_GC, Ordering::Relaxed);
}

/// A collection that a goroutine runs or waits for: what it has still to do.
///
/// One that ends serves all goroutines that had asked before it began. Between two steps the
/// goroutine may leave its M, and needs no native frame: a program may have more goroutines that
/// wait for a collection than there is room for native stacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Collection {
    mode: Mode,
    phase: Phase,
    /// It is served when so many have ended; later, how many had when it was.
    seen: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
enum Phase {
    /// Others that are about to ask may do so before it begins, and share it.
    New,
    /// It wants the world.
    Ask,
    /// It has waited for the world, or for another G to collect.
    Asked,
    /// It helps to sweep.
    Sweep,
    /// All is swept; finalizers shall begin.
    Swept,
    /// Nothing is left to do.
    Done,
    /// It waits for the end of the one that runs.
    Wait,
}

/// What a goroutine has to do next for its [`Collection`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Go on: it has ended.
    Done,
    /// Leave with `Outcome::Park`, and take the next step when it runs again.
    Park,
    /// Leave with `YieldKind::Gosched`, and take the next step when it runs again.
    Yield,
}

/// Whether the goroutine that steps a [`Collection`] may keep Go pointers in its native frames.
/// Those are scanned conservatively, with all that lies in the gaps between what they use: where it
/// is known that they hold nothing, more garbage is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NativeFrames {
    /// They hold none.
    Empty,
    /// They may.
    HoldPointers,
}

impl Collection {
    /// One that is asked for now; with [`Mode::Forced`] all is swept when it has ended.
    pub fn new(mode: Mode) -> Collection {
        Collection {
            mode,
            phase: match mode {
                Mode::Forced => Phase::New,
                _ => Phase::Ask,
            },
            // One that runs already does not know what dies now.
            seen: match mode {
                Mode::Forced => concurrent::started().wrapping_add(1),
                _ => super::cycles().wrapping_add(1),
            },
        }
    }

    /// The wait for the end of the one that runs.
    fn waiting() -> Collection {
        Collection {
            mode: Mode::Background,
            phase: Phase::Wait,
            seen: 0,
        }
    }

    /// In one word, of which the upper sixteen bits are 0.
    pub fn to_word(self) -> usize {
        (self.seen as usize) << 16 | (self.mode as usize) << 8 | self.phase as usize
    }

    /// From what [`Collection::to_word`] gave.
    pub fn from_word(word: usize) -> Collection {
        let [phase, mode, ..] = word.to_le_bytes();
        let modes = [Mode::Background, Mode::Forced, Mode::Periodic, Mode::Stress];
        let phases = [
            Phase::New,
            Phase::Ask,
            Phase::Asked,
            Phase::Sweep,
            Phase::Swept,
            Phase::Done,
            Phase::Wait,
        ];
        Collection {
            mode: modes[mode as usize],
            phase: phases[phase as usize],
            seen: (word >> 16) as u32,
        }
    }

    /// Does what can be done now. `frames` says where the goroutine may keep Go pointers besides
    /// its stack.
    ///
    /// Context: as [`at_safepoint`].
    pub fn step(&mut self, m: &mut M, frames: NativeFrames) -> Step {
        loop {
            match self.phase {
                Phase::Wait => {
                    self.phase = Phase::Done;
                    if wait(m, WaitReason::GcAssistWait) {
                        return Step::Park;
                    }
                }
                Phase::New => {
                    // In Go the finalizers run while the workers mark.
                    self.phase = Phase::Ask;
                    return Step::Yield;
                }
                Phase::Ask if self.is_served() => self.served(),
                Phase::Ask if self.mode == Mode::Forced && wait(m, WaitReason::WaitForGcCycle) => {
                    return Step::Park;
                }
                Phase::Ask if !sweep_before(m) => return Step::Yield,
                Phase::Ask => {
                    let reason = match self.mode {
                        Mode::Forced => WaitReason::WaitForGcCycle,
                        _ => WaitReason::Semacquire,
                    };
                    self.phase = Phase::Asked;
                    if stw::begin(m, stw::Want::Collection, reason) == stw::Turn::Wait {
                        return Step::Park;
                    }
                }
                Phase::Asked => {
                    if stw::is_ours(m) {
                        collect_in_turn(m, self.mode, frames);
                    }
                    match self.mode {
                        Mode::Forced => self.phase = Phase::Ask,
                        _ => self.served(),
                    }
                }
                Phase::Sweep => {
                    // A later collection sweeps what is left.
                    let is_last = super::cycles() == self.seen;
                    if !is_last || !super::sweep_some(SWEEP_BATCH) && super::has_been_swept() {
                        self.phase = Phase::Swept;
                        if pacer::has_excess(heap()) {
                            proc::wake_helper(m, Helper::Scavenger);
                        }
                    }
                    // Others run in between, above all the finalizers that are due.
                    return Step::Yield;
                }
                Phase::Swept => {
                    self.phase = Phase::Done;
                    if let_finalizers_begin(m) {
                        return Step::Park;
                    }
                }
                Phase::Done => return Step::Done,
            }
        }
    }

    /// Whether what has been asked for has been done.
    fn is_served(&self) -> bool {
        let behind = super::cycles().wrapping_sub(self.seen);
        (behind as i32) >= 0 && !fault!(CollectForEach)
    }

    fn served(&mut self) {
        self.seen = super::cycles();
        self.phase = match self.mode {
            Mode::Forced => Phase::Sweep,
            _ => Phase::Done,
        };
    }

    /// Takes all steps; suspends under the native frames of its caller when the goroutine must
    /// leave.
    ///
    /// Returns the M the goroutine runs on then: never use the old one. Context: as
    /// [`at_safepoint`].
    pub(crate) fn finish(mut self, m: &mut M) -> &mut M {
        let mut m = m;
        loop {
            m = match self.step(m, NativeFrames::HoldPointers) {
                Step::Done => return m,
                Step::Park => coro::suspend(m, Outcome::Park),
                Step::Yield => proc::gosched(m),
            };
        }
    }
}

/// Runs a collection, or waits for another's, until its end; with [`Mode::Forced`] all is swept
/// then.
///
/// Returns the M the goroutine runs on then: never use the old one. Context: as [`at_safepoint`].
pub fn collect(m: &mut M, mode: Mode) -> &mut M {
    Collection::new(mode).finish(m)
}

/// Sweeps what is left, while others run; `false`: they are to. Where the world is stopped for the
/// mark, what is left is swept then. Go: gcStart.
fn sweep_before(m: &mut M) -> bool {
    while concurrent::is_possible() && super::sweep_some(SWEEP_BATCH) {
        if is_asked(m) {
            return false;
        }
    }
    true
}

/// Is the goroutine to stop, or the world?
pub(super) fn is_asked(m: &mut M) -> bool {
    SCHED.gcwaiting.load(Ordering::Relaxed) || m.g().preempt.load(Ordering::Relaxed)
}

/// Runs a collection, or begins one. Context: the world is the current G's.
#[inline(never)]
fn collect_in_turn(m: &mut M, mode: Mode, frames: NativeFrames) {
    let beside = concurrent::is_possible();
    if barrier::is_marking() {
        return match mode == Mode::Stress || !beside {
            true => finish_in_turn(m, true),
            false => stw::drop_world(m),
        };
    }
    let heap = heap();
    if beside {
        concurrent::make_workers(m);
    }
    let begin = nanotime();
    let mut done = false;
    let reason = match beside {
        true => "GC sweep termination",
        false => "GC mark termination",
    };
    stw::in_turn(m, reason, &mut |m| {
        let world = Stopped::new(m, beside);
        if frames == NativeFrames::Empty {
            coro::forget_native(m);
        }
        done = match beside {
            true => super::begin(heap, m.engine, &world, mode, begin),
            false => cycle(heap, &world, mode, begin),
        };
        if done {
            sysmon::collected(nanotime());
        }
        if done && !beside {
            let grown = std::mem::take(&mut *world.grown.lock());
            shrink_stacks(m, grown);
            free_stacks();
            m.engine.collected(&SCHED.allgs.lock());
            stw::collected();
        }
    });
    if done && !beside {
        collected(m, mode);
    }
}

/// Ends the collection that has marked beside the program, unless too much is left to be marked;
/// with `all` even so. Context: the world is the current G's.
pub(super) fn finish_in_turn(m: &mut M, all: bool) {
    let heap = heap();
    let begin = nanotime();
    let mut done = false;
    let mode = match heap.gc.stress.load(Ordering::Relaxed) {
        0 => Mode::Background,
        _ => Mode::Stress,
    };
    stw::in_turn(m, "GC mark termination", &mut |m| {
        let world = Stopped::new(m, knobs::get(Knob::GcCheckMark) <= 0);
        done = super::end(m, heap, &world, mode, begin, all);
        if done {
            shrink_stacks(m, concurrent::take_grown());
            free_stacks();
            m.engine.collected(&SCHED.allgs.lock());
            stw::collected();
        }
    });
    if done {
        concurrent::serve_waiters(m);
        collected(m, mode);
    }
}

/// What comes after a collection, beside the program.
fn collected(m: &mut M, mode: Mode) {
    if super::has_dead() {
        proc::finalizers_wait();
        // On this P, which is at work, unless another P is running them already.
        proc::wake_finalizer(m);
    }
    if mode != Mode::Forced && !heap().gc.is_swept() {
        proc::wake_helper(m, Helper::Sweeper);
    }
}

/// Prepares to wait a moment if no finalizer has begun that was due; whether the G must park.
///
/// Their goroutine may be on another P, whose thread has no CPU on a machine that is busy. As long
/// as the caller runs or yields, its own P has work, and each of its collections stops the other
/// before that has begun. In Go the caller parks while the workers mark, and its P looks at the
/// queues of the others.
fn let_finalizers_begin(m: &mut M) -> bool {
    if !super::has_dead() {
        return false;
    }
    // SAFETY: the G that `m` runs is alive, and distinct from it.
    let g = unsafe { &mut *m.curg };
    timer::sleep(m, g, FINALIZERS_NS) == SyncOp::Blocked
}

/// Halves stacks that are mostly empty. Context: world stopped, g0.
fn shrink_stacks(m: &mut M, grown: Vec<Gref>) {
    let current = m.curg;
    for Gref(g) in grown {
        // SAFETY: R1.
        unsafe {
            match (*g).status() {
                _ if g == current => (*g).preempt_shrink.store(true, Ordering::Relaxed),
                Status::Waiting | Status::Runnable => stack::shrink(m, &mut *g),
                _ => {}
            }
        }
    }
}

/// Gives the memory of unused stacks back to the heap. Context: world stopped, g0.
fn free_stacks() {
    for &p in &allp().ps {
        // SAFETY: R1.
        unsafe { (*p).stacks.flush() };
    }
    stack::release_spans();
}

/// `debug.FreeOSMemory`: collects, sweeps and returns all free memory to the system.
///
/// Context: as [`at_safepoint`].
pub fn free_os_memory(m: &mut M) -> &mut M {
    let mut m = collect(m, Mode::Forced);
    while super::release_free(m) {
        m = proc::gosched(m);
    }
    m
}

/// `runtime.ReadMemStats`: the numbers at one moment, for which the world is stopped.
///
/// Context: as [`stw::in_turn`].
pub fn read_mem_stats_in_turn(m: &mut M) -> Box<super::MemStats> {
    let heap = heap();
    let mut stats = None;
    stw::in_turn(m, "read mem stats", &mut |_| {
        let ps = &allp().ps;
        for &p in ps {
            // SAFETY: R1.
            unsafe { (*p).mcache.flush() };
        }
        stats = Some(Box::new(super::mem_stats_of(heap, ps.len())));
    });
    match stats {
        Some(s) => s,
        None => crate::throw!("the world was not stopped"),
    }
}

/// Waits for the world, and then as [`read_mem_stats_in_turn`].
///
/// Context: as [`at_safepoint`].
pub fn read_mem_stats(m: &mut M) -> (&mut M, Box<super::MemStats>) {
    let m = stw::take_world(m);
    let stats = read_mem_stats_in_turn(m);
    (m, stats)
}

/// Hands the collector's goroutines their work, and takes its knobs. Called once, when the runtime
/// starts.
pub(crate) fn start() {
    super::gcstress(crate::knobs::get(crate::knobs::Knob::GcStress).max(0) as u32);
    proc::set_helper_hook(Helper::ForceGc, |m| {
        if control::is_on() {
            return leaks::look(m);
        }
        if heap().gc.percent.load(Ordering::Relaxed) < 0 {
            // Switched off: ask again later.
            sysmon::collected(nanotime());
            return m;
        }
        if crate::knobs::get(crate::knobs::Knob::GcTrace) > 0 {
            super::eprint(format_args!("GC forced\n"));
        }
        collect(m, Mode::Periodic)
    });
    proc::set_helper_hook(Helper::Sweeper, sweep_in_background);
    proc::set_helper_hook(Helper::Scavenger, scavenge_in_background);
}

fn sweep_in_background(m: &mut M) -> &mut M {
    let mut m = m;
    coro::on_g0(m, |_| crate::heap::ahead::begin(&heap().arena));
    while super::sweep_some(SWEEP_BATCH) {
        m = proc::gosched(m);
    }
    // Only after the sweep is it known what is free.
    proc::wake_helper(m, Helper::Scavenger);
    m
}

/// Releases what the heap will not need soon, at the pace of 1 % of the time since the last turn;
/// sysmon calls for another turn if that was not enough. What is above the memory limit goes at
/// once.
fn scavenge_in_background(m: &mut M) -> &mut M {
    let heap: &Heap = heap();
    let now = nanotime();
    let last = heap.gc.last_scavenge.swap(now, Ordering::Relaxed);
    let mut budget = (now - last) / 1_000_000 * SCAVENGE_BYTES_PER_MS;
    let mut next = 0;
    let mut m = m;
    loop {
        if budget <= 0 && !pacer::is_over(heap) {
            next = now + SCAVENGE_PAUSE_NS;
            break;
        }
        let n = pacer::scavenge(heap, pacer::RELEASED_AT_ONCE);
        if n == 0 {
            break;
        }
        budget -= (n << PAGE_SHIFT) as i64;
        m = proc::gosched(m);
    }
    heap.gc.next_scavenge.store(next, Ordering::Relaxed);
    m
}
