//! Marking beside the program.
//!
//! A cycle stops the world twice. The first time it takes the roots as they are but for stacks, and
//! switches the write barrier on; the program goes on, and workers mark what can be reached from
//! there. What is allocated meanwhile is marked from the start. When nothing is left to be marked
//! the world is stopped again, for what the barrier has kept last, and for what is to be done about
//! dead objects.
//!
//! A stack that does not run does not change: it is looked at when a worker comes to it, or when
//! its goroutine is about to run ([`before_run`]). So all are seen as they were at the beginning,
//! and only those of goroutines on a thread are looked at while the world is stopped. What others
//! take from a waiting goroutine's hands is kept.
//!
//! Workers are goroutines that no queue has: an M that looks for work takes one where it is its
//! turn ([`worker_for`], [`idle_worker`]). They have a quarter of the Ps: whole ones, and where
//! that does not come out even a share of the time of each; and all Ps that have nothing else to
//! do. A goroutine that allocates faster than they mark has to mark itself ([`assist`]).
//!
//! # Invariants
//!
//! - N1. A cycle begins and ends with the world stopped.
//! - N2. A marker holds work only between two safepoints: with the world stopped all is in the
//!   pool.
//! - N3. The stack of a goroutine that runs has been looked at in this cycle, or the goroutine is
//!   younger. Who changes `G::scan` to "being looked at" looks at it; it does not run meanwhile.
//!
//! Go: runtime/mgc.go, gcStart, gcMarkDone, gcBgMarkWorker; mgcpacer.go.
#![allow(unsafe_code)]

use super::barrier::{self, is_marking};
use super::mark::{Mark, Roots, Turn};
use super::special::{Reap, RootsAt};
use super::stats::Cycle;
use super::{World, leaks, world};
use crate::clock::nanotime;
use crate::engine::{Engine, Outcome, RootVisitor};
use crate::g::{G, Status, WaitReason};
use crate::heap::{Heap, heap};
use crate::knobs::{self, Knob};
use crate::lockrank::Rank;
use crate::m::{M, ParkArg};
use crate::p::{GList, P};
use crate::sched::{Gref, SCHED, allp};
use crate::switches::{self, Mech};
use crate::sync::plain::{AtomicI64, AtomicPtr, AtomicU64};
use crate::sync::{AtomicBool, AtomicI32, AtomicU32, AtomicUsize, Guarded, Ordering};
use crate::{control, coro, netpoll, proc, prompt, stack, stw};
use std::ptr;

/// Share of all Ps that workers get. Go: gcBackgroundUtilization.
const SHARE: f64 = 0.25;
/// How far off whole Ps may be from that. Go: startCycle, maxUtilErr.
const SHARE_ERROR: f64 = 0.3;
/// A worker that has a share of a P stops when it is so much above. Go: pollFractionalWorkerExit.
const SHARE_OVER: f64 = 1.2;
/// A worker of an idle P looks so often whether there is something else to do. Go:
/// idleCheckThreshold.
const LOOK_NS: i64 = 20_000;
/// How long a goroutine that allocates marks at most at a time.
const ASSIST_NS: i64 = 200_000;
/// How long the world stays stopped for what the barrier has kept last.
const REST_NS: i64 = 100_000;
/// So many goroutines are looked at at a time.
const BATCH: usize = 64;
/// So many entries of the table of specials are looked at at a time.
const PIECE: usize = 1_000;
/// What goroutines may allocate in advance of the marking that it asks for.
const ASSIST_SLACK: u64 = 256 << 10;

/// The mark, made by the first cycle and used for all.
static MARK: AtomicPtr<Mark<'static>> = AtomicPtr::new(ptr::null_mut());
/// Cycles that have begun; the collector's `cycles` counts those that have ended.
static STARTED: AtomicU32 = AtomicU32::new(0);
/// It looks as if all were marked: a worker is to find out.
static IS_DONE: AtomicBool = AtomicBool::new(false);
/// A worker finds out.
static ENDING: AtomicBool = AtomicBool::new(false);
/// Workers that do nothing, and how many there are in all.
static WORKERS: Guarded<Vec<Gref>> = Guarded::new(Rank::Leaf, Vec::new());
static MADE: AtomicUsize = AtomicUsize::new(0);
/// How many Ps are still to be given to workers whole.
static DEDICATED: AtomicI32 = AtomicI32::new(0);
/// The number of the mark: `G::scan` is twice that when the stack has been looked at, and one less
/// while it is.
static NUMBER: AtomicU32 = AtomicU32::new(0);
/// Goroutines that there were when it began, in the order in which they were made, and the next to
/// be looked at.
static GS: AtomicUsize = AtomicUsize::new(0);
static NEXT_G: AtomicUsize = AtomicUsize::new(0);
/// Those with more than the smallest stack.
static GROWN: Guarded<Vec<Gref>> = Guarded::new(Rank::Leaf, Vec::new());
/// From where on the roots of specials are still to be taken.
static SPECIALS: Guarded<Option<RootsAt>> = Guarded::new(Rank::Leaf, None);
/// What is done about the dead beside the program, and whether it is.
static REAP: Guarded<Option<Reap>> = Guarded::new(Rank::World, None);
static REAPING: AtomicBool = AtomicBool::new(false);
/// Goroutines that wait for the end of a cycle.
static WAITERS: Guarded<Vec<Gref>> = Guarded::new(Rank::Leaf, Vec::new());
/// The cycle: when it began, what was allocated then, and the goal; the share of each P in
/// millionths.
static BEGAN: AtomicI64 = AtomicI64::new(0);
static LIVE: AtomicU64 = AtomicU64::new(0);
static EXPECTED: AtomicU64 = AtomicU64::new(0);
static P_SHARE: AtomicU64 = AtomicU64::new(0);
/// What the cycle has taken so far. Written with the world stopped.
static CYCLE: Guarded<Option<Cycle>> = Guarded::new(Rank::Leaf, None);
/// Processor time of workers and of goroutines that assist.
static WORKED_NS: AtomicU64 = AtomicU64::new(0);
static ASSISTED_NS: AtomicU64 = AtomicU64::new(0);

/// May a cycle run beside the program? Runs that are controlled, recorded or watched collect at
/// counted safepoints with the world stopped, and so does who looks for leaks. While a prompt has
/// goroutines chosen in steps, workers are not chosen.
pub(super) fn is_possible() -> bool {
    !cfg!(any(loom, shuttle))
        && knobs::get(Knob::GcStopTheWorld) == 0
        && !control::is_watched()
        && !leaks::is_asked()
        && !prompt::is_paused()
}

/// How many cycles have begun.
pub(super) fn started() -> u32 {
    STARTED.load(Ordering::Relaxed)
}

/// A cycle begins. Context: world stopped.
pub(super) fn starts() {
    STARTED.store(started().wrapping_add(1), Ordering::Relaxed);
}

/// The mark of the cycle that runs.
fn mark() -> &'static Mark<'static> {
    // SAFETY: it is made once, and never freed.
    match unsafe { MARK.load(Ordering::Acquire).as_ref() } {
        Some(mark) => mark,
        None => crate::throw!("no mark"),
    }
}

/// Keeps words for the marker; see [`barrier`].
pub(super) fn keep(words: &[usize]) {
    mark().keep(words);
}

// ---- The beginning -------------------------------------------------------------------------

/// Makes the workers that are missing.
///
/// Context: coroutine with a P.
pub(super) fn make_workers(m: &mut M) {
    let n = allp().ps.len();
    while MADE.load(Ordering::Relaxed) < n {
        MADE.fetch_add(1, Ordering::Relaxed);
        proc::spawn_system(m, worker);
    }
}

/// Takes the roots, and lets the program go on beside the marker.
///
/// Context: world stopped; everything is swept, and the caches are flushed.
pub(super) fn begin(heap: &'static Heap, world: &dyn World, roots: &dyn Roots, mut c: Cycle) {
    NUMBER.store(
        NUMBER.load(Ordering::Relaxed).wrapping_add(1),
        Ordering::Relaxed,
    );
    NEXT_G.store(0, Ordering::Relaxed);
    GS.store(SCHED.allgs.lock().len(), Ordering::Relaxed);
    if MARK.load(Ordering::Relaxed).is_null() {
        let mark = Box::into_raw(Box::new(Mark::new(heap)));
        // Release: pairs with the Acquire in `mark`.
        MARK.store(mark, Ordering::Release);
    }
    let mark = mark();
    mark.restart();
    let procs = world.procs();
    if c.workers > 1 {
        world.parallel(c.workers, &|_| mark.take_roots(roots));
    } else {
        mark.take_roots(roots);
    }
    let total = SHARE * procs as f64;
    let mut whole = (total + 0.5).floor();
    let mut share = 0.0;
    if (whole / total - 1.0).abs() > SHARE_ERROR {
        if whole > total {
            whole -= 1.0;
        }
        share = (total - whole) / procs as f64;
    }
    DEDICATED.store(whole as i32, Ordering::Relaxed);
    P_SHARE.store((share * 1e6) as u64, Ordering::Relaxed);
    for &p in &allp().ps {
        // SAFETY: the world is stopped.
        unsafe { (*p).marked_ns = 0 };
    }
    let last = heap.gc.info.lock().marked.heap;
    EXPECTED.store(
        last.max(1 << 20).min(c.live_before.max(1)),
        Ordering::Relaxed,
    );
    LIVE.store(c.live_before, Ordering::Relaxed);
    WORKED_NS.store(0, Ordering::Relaxed);
    ASSISTED_NS.store(0, Ordering::Relaxed);
    let any_specials = heap.gc.any_specials.load(Ordering::Relaxed);
    *SPECIALS.lock() = any_specials.then_some(RootsAt::FIRST);
    IS_DONE.store(!has_work(), Ordering::Relaxed);
    let now = nanotime();
    BEGAN.store(now, Ordering::Relaxed);
    c.started_ns = now;
    *CYCLE.lock() = Some(c);
    barrier::set_marking(true);
}

// ---- Stacks --------------------------------------------------------------------------------

/// What `G::scan` is when the stack has been looked at.
fn seen() -> u32 {
    NUMBER.load(Ordering::Relaxed).wrapping_mul(2)
}

/// A goroutine is made, of what another one has, which has been looked at.
///
/// # Safety
///
/// It is the caller's.
#[inline]
pub(crate) unsafe fn is_new(g: *mut G) {
    // SAFETY: by contract.
    unsafe { (*g).scan.store(seen(), Ordering::Relaxed) };
}

/// A goroutine is about to run.
///
/// # Safety
///
/// Context: g0 of `m`, which has a P; the G is the caller's.
#[inline(always)]
pub(crate) unsafe fn before_run(m: *mut M, g: *mut G) {
    #[cold]
    unsafe fn look(m: *mut M, g: *mut G) {
        // SAFETY: the caller's.
        unsafe {
            if !crate::fault!(RunUnscanned) {
                let turn = mark().roots(|v| look_at((*m).engine, g, v));
                if turn == Turn::Done {
                    seems_done(&mut *m);
                }
            }
        }
    }
    // SAFETY: the caller's.
    unsafe {
        if is_marking() && (*g).scan.load(Ordering::Acquire) != seen() {
            look(m, g);
        }
    }
}

/// Gives `v` the roots of a goroutine, if that has not been done in this cycle; returns when it
/// has.
///
/// # Safety
///
/// The G does not run before that; descriptors are never freed.
pub(super) unsafe fn look_at(engine: &dyn Engine, g: *mut G, v: &mut dyn RootVisitor) {
    let seen = seen();
    let busy = seen.wrapping_sub(1);
    // SAFETY: the caller's.
    unsafe {
        loop {
            let now = (*g).scan.load(Ordering::Acquire);
            if now == seen {
                return;
            }
            if now == busy {
                crate::sync::pause(10);
                continue;
            }
            let scan = &(*g).scan;
            let order = Ordering::Relaxed;
            if scan.compare_exchange(now, busy, order, order).is_ok() {
                break;
            }
        }
        if !matches!((*g).status(), Status::Idle | Status::Dead) {
            if (*g).stack_hi - (*g).stack_lo > stack::MIN {
                GROWN.lock().push(Gref(g));
            }
            world::scan_g(engine, g, v);
        }
        // Release: who sees this may change the stack.
        (*g).scan.store(seen, Ordering::Release);
    }
}

/// Looks at the next goroutines; `false`: there are none left.
fn take_gs(engine: &dyn Engine) -> bool {
    if NEXT_G.load(Ordering::Relaxed) >= GS.load(Ordering::Relaxed) {
        return false;
    }
    mark().roots(|v| {
        let from = NEXT_G.fetch_add(BATCH, Ordering::Relaxed);
        let to = (from + BATCH).min(GS.load(Ordering::Relaxed));
        let gs: Vec<Gref> = SCHED.allgs.lock().get(from..to).unwrap_or(&[]).to_vec();
        for Gref(g) in gs {
            // SAFETY: N3.
            unsafe { look_at(engine, g, v) };
        }
    });
    true
}

/// Those whose stacks may be too large, since the last call.
pub(super) fn take_grown() -> Vec<Gref> {
    std::mem::take(&mut *GROWN.lock())
}

/// Waits for the end of the cycle that runs; `false`: none does, or the caller must end it.
///
/// Context: coroutine; the caller leaves with `Outcome::Park`.
pub(super) fn wait(m: &mut M, reason: WaitReason) -> bool {
    let mut waiters = WAITERS.lock();
    if !is_marking() || !is_possible() {
        return false;
    }
    waiters.push(Gref(m.curg));
    m.park_unlock(waiters.keep(), reason);
    true
}

// ---- Workers -------------------------------------------------------------------------------

/// What a worker does with the P that it is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
enum Kind {
    /// It keeps it.
    Dedicated = 1,
    /// It has a share of its time.
    Fractional,
    /// It has it until there is something else to do.
    Idle,
}

/// Is there something to mark that no worker has?
fn has_work() -> bool {
    mark().has_work()
        || NEXT_G.load(Ordering::Relaxed) < GS.load(Ordering::Relaxed)
        || SPECIALS.lock().is_some()
}

/// Is there something to do for a worker?
fn is_wanted() -> bool {
    let may_end = IS_DONE.load(Ordering::Relaxed) && !ENDING.load(Ordering::Relaxed);
    is_marking() && (may_end || has_work())
}

fn take_worker(kind: Kind) -> *mut G {
    let Some(Gref(g)) = WORKERS.lock().pop() else {
        return ptr::null_mut();
    };
    // SAFETY: it waits for being taken.
    unsafe { (*g).native_state = kind as usize };
    g
}

/// The worker that is to run on `p` now, if it is a worker's turn: waiting, for the caller to run.
/// Go: mgcpacer.go, findRunnableGCWorker.
///
/// # Safety
///
/// The caller has `p`.
#[inline]
pub(crate) unsafe fn worker_for(p: *mut P) -> *mut G {
    if !is_marking() || prompt::is_paused() || crate::fault!(SkipWorkers) {
        return ptr::null_mut();
    }
    // SAFETY: by contract.
    unsafe { worker_for_slow(p) }
}

#[cold]
unsafe fn worker_for_slow(p: *mut P) -> *mut G {
    if !is_wanted() {
        return ptr::null_mut();
    }
    let n = DEDICATED.load(Ordering::Relaxed);
    if n > 0
        && DEDICATED
            .compare_exchange(n, n - 1, Ordering::Relaxed, Ordering::Relaxed)
            .is_ok()
    {
        let g = take_worker(Kind::Dedicated);
        if g.is_null() {
            DEDICATED.fetch_add(1, Ordering::Relaxed);
        }
        return g;
    }
    let share = P_SHARE.load(Ordering::Relaxed) as f64 / 1e6;
    // SAFETY: the caller's.
    let has_had = share_of(unsafe { (*p).marked_ns }, nanotime());
    if share == 0.0 || has_had > share {
        return ptr::null_mut();
    }
    take_worker(Kind::Fractional)
}

/// Which share of the time since the cycle began `ns` are.
fn share_of(ns: i64, now: i64) -> f64 {
    ns as f64 / (now - BEGAN.load(Ordering::Relaxed)).max(1) as f64
}

/// A worker for a P that has nothing else to do, as [`worker_for`].
#[inline]
pub(crate) fn idle_worker() -> *mut G {
    match wants_idle() && !crate::fault!(SkipIdleWorkers) {
        true => take_worker(Kind::Idle),
        false => ptr::null_mut(),
    }
}

/// Is there something to do for a worker that a P could be found for?
#[inline]
pub(crate) fn wants_idle() -> bool {
    is_marking() && !prompt::is_paused() && is_wanted() && !WORKERS.lock().is_empty()
}

/// One turn of a worker.
fn worker(m: &mut M, g: &mut G) -> Outcome {
    let kind = match std::mem::take(&mut g.native_state) {
        1 => Some(Kind::Dedicated),
        2 => Some(Kind::Fractional),
        3 => Some(Kind::Idle),
        _ => None,
    };
    let mut m = m;
    if let Some(kind) = kind {
        g.waitreason
            .store(WaitReason::GcWorkerActive as u8, Ordering::Relaxed);
        let mut turn = Turn::More;
        coro::on_g0(m, |m| turn = work(m, g, kind));
        if kind == Kind::Dedicated {
            DEDICATED.fetch_add(1, Ordering::Relaxed);
        }
        if turn == Turn::Done || IS_DONE.load(Ordering::Relaxed) {
            m = end(m);
        }
    }
    unsafe fn commit(g: *mut G, _: ParkArg) -> bool {
        WORKERS.lock().push(Gref(g));
        true
    }
    m.park(Some(commit), ParkArg::NONE, WaitReason::GcWorkerIdle);
    Outcome::Park
}

/// Marks as long as a worker of that kind may. Context: g0.
fn work(m: &mut M, g: &G, kind: Kind) -> Turn {
    let began = nanotime();
    let share = P_SHARE.load(Ordering::Relaxed) as f64 / 1e6;
    let before = m.p().marked_ns;
    let mut looked = began;
    let engine = m.engine;
    let mut stop = || {
        // SAFETY: the M runs this, and holds the P.
        let p = unsafe { &*m.p };
        if SCHED.gcwaiting.load(Ordering::Relaxed)
            || p.run_safepoint_fn.load(Ordering::Relaxed) != 0
        {
            return true;
        }
        if kind != Kind::Dedicated && g.preempt.load(Ordering::Relaxed) {
            return true;
        }
        let now = nanotime();
        if kind == Kind::Fractional && share_of(before + now - began, now) > share * SHARE_OVER {
            return true;
        }
        if now - looked < LOOK_NS {
            return false;
        }
        looked = now;
        call_idle(m);
        kind == Kind::Idle && has_other_work(m, now)
    };
    while take_gs(engine) || take_specials(heap(), PIECE) {
        if stop() {
            break;
        }
    }
    let turn = mark().turn(&mut stop);
    let took = nanotime() - began;
    // SAFETY: as above.
    unsafe { (*m.p).marked_ns += took };
    WORKED_NS.fetch_add(took as u64, Ordering::Relaxed);
    turn
}

/// Takes the roots of `n` specials; `false`: there are none left.
fn take_specials(heap: &Heap, n: usize) -> bool {
    let mut more = false;
    mark().roots(|v| {
        let at = SPECIALS.lock().take();
        let Some(at) = at else { return };
        let next = super::special_roots(heap, at, n, v);
        *SPECIALS.lock() = next;
        more = next.is_some();
    });
    more
}

/// Wakes an idle P if there is work for it.
fn call_idle(m: &mut M) {
    if SCHED.npidle.load(Ordering::Relaxed) > 0 && has_work() {
        proc::wake_p(m);
    }
}

/// Is there something to run on the P of `m`, or somewhere? Go: pollWork.
///
/// Context: g0.
fn has_other_work(m: &mut M, now: i64) -> bool {
    let p = m.p();
    if SCHED.runqsize.load(Ordering::Relaxed) != 0 || !p.runq.is_empty() {
        return true;
    }
    let when = p.timers.next_when();
    if when != 0 && when <= now {
        return true;
    }
    if netpoll::waiters() == 0 || SCHED.lastpoll.load(Ordering::SeqCst) == 0 {
        return false;
    }
    let ready = netpoll::poll(0);
    let any = ready.n != 0;
    // SAFETY: context; what the poller gives is the caller's.
    unsafe { proc::inject_list(m, ready) };
    any
}

// ---- Goroutines that allocate ----------------------------------------------------------------

/// So many bytes have been allocated, garbage included: must who allocates mark?
#[inline]
pub(super) fn must_assist(live: u64, goal: u64) -> bool {
    if !switches::on(Mech::GcAssist) {
        return false;
    }
    let from = LIVE.load(Ordering::Relaxed);
    let room = goal.saturating_sub(from) as f64;
    let expected = EXPECTED.load(Ordering::Relaxed).max(1) as f64;
    let done = (mark().marked() as f64 / expected).min(1.0);
    live > (from + ASSIST_SLACK).saturating_add((room * done) as u64)
}

/// Marks, if what the program allocates asks for it; `true`: there is nothing that the goroutine
/// could mark, and it must wait for the end, for the goal has been passed. Go: gcAssistAlloc.
///
/// Context: coroutine, at a safepoint.
pub(super) fn help(m: &mut M, heap: &Heap) -> bool {
    // Raised again when more has been allocated.
    super::forget_help(heap);
    let goal = heap.gc.goal.load(Ordering::Relaxed);
    if !must_assist(heap.live.load(Ordering::Relaxed), goal) {
        return false;
    }
    let mut is_behind = false;
    coro::on_g0(m, |m| is_behind = assist(m, heap, goal));
    is_behind && heap.live.load(Ordering::Relaxed) > goal.saturating_add(ASSIST_SLACK)
}

/// Marks for a while; `true`: nothing is left that could be marked here.
#[cold]
fn assist(m: &mut M, heap: &Heap, goal: u64) -> bool {
    let began = nanotime();
    let mut n = 0_u32;
    let mut now = began;
    let mut is_behind = false;
    while now - began < ASSIST_NS && must_assist(heap.live.load(Ordering::Relaxed), goal) {
        let turn = mark().turn(&mut || {
            n += 1;
            if n.is_multiple_of(4) {
                call_idle(m);
            }
            n.is_multiple_of(16)
        });
        now = nanotime();
        is_behind = turn != Turn::More;
        if turn == Turn::Done {
            seems_done(m);
        }
        if is_behind {
            break;
        }
    }
    ASSISTED_NS.fetch_add((now - began) as u64, Ordering::Relaxed);
    is_behind
}

// ---- The end -------------------------------------------------------------------------------

/// Tells a worker that it looks as if all were marked. Context: an M with a P.
fn seems_done(m: &mut M) {
    IS_DONE.store(true, Ordering::SeqCst);
    proc::wake_p(m);
}

/// Gives what the barrier has kept on each P to the marker. Were there any?
///
/// Context: world stopped.
fn flush_all() -> bool {
    let mut any = false;
    for &p in &allp().ps {
        // SAFETY: the Ps are the caller's.
        any |= unsafe { (*p).overwritten.flush() };
    }
    any
}

/// Ends the cycle, if all is marked. Returns the M that the goroutine runs on then. Go: gcMarkDone.
///
/// Context: coroutine, with a P.
fn end(m: &mut M) -> &mut M {
    // If another worker is at it, that one's M will see this.
    IS_DONE.store(true, Ordering::SeqCst);
    if ENDING.swap(true, Ordering::SeqCst) {
        return m;
    }
    IS_DONE.store(false, Ordering::SeqCst);
    let mut m = m;
    if is_marking() {
        m = stw::for_each_p(m, |p| {
            p.overwritten.flush();
        });
        if is_marking() && !has_work() {
            m = finish(m);
        }
        if is_reaping() {
            m = reap(m);
        }
    }
    ENDING.store(false, Ordering::SeqCst);
    m
}

/// Stops the world to end the cycle, unless it has ended.
fn finish(m: &mut M) -> &mut M {
    let m = stw::take_world(m);
    match is_marking() {
        true => world::finish_in_turn(m, false),
        false => stw::drop_world(m),
    }
    m
}

/// Is it done beside the program what is to be done about the dead?
pub(super) fn is_reaping() -> bool {
    REAPING.load(Ordering::Relaxed)
}

/// Context: world stopped, all is marked.
pub(super) fn reap_beside() {
    *REAP.lock() = Some(Reap::new());
    REAPING.store(true, Ordering::Relaxed);
}

/// Does what is to be done about the dead, and ends the cycle.
fn reap(m: &mut M) -> &mut M {
    let mut m = m;
    loop {
        let began = nanotime();
        let mut more = false;
        coro::on_g0(m, |_| {
            if let Some(reap) = &mut *REAP.lock() {
                more = super::reap_piece(heap(), reap, PIECE, &mut |revived| mark().keep(&revived));
            }
        });
        // What is revived is marked before it is asked which objects are dead then.
        while has_work() || mark().is_active() {
            let g = m.curg;
            // SAFETY: m::M3 — the current G.
            coro::on_g0(m, |m| unsafe { work(m, &*g, Kind::Idle) });
            m = proc::gosched(m);
        }
        WORKED_NS.fetch_add((nanotime() - began).max(0) as u64, Ordering::Relaxed);
        if !more {
            return match is_reaping() {
                true => finish(m),
                false => m,
            };
        }
        if SCHED.gcwaiting.load(Ordering::Relaxed) || m.g().preempt.load(Ordering::Relaxed) {
            m = proc::gosched(m);
        }
    }
}

/// The world was stopped for so long while the cycle went on.
pub(super) fn stopped_for(ns: i64) {
    if let Some(c) = &mut *CYCLE.lock() {
        c.between_ns += ns;
    }
}

/// Marks what is left, the last that the barrier has kept. `all`: however long it takes; else
/// `false` says that too much is left for a stopped world.
///
/// Context: world stopped.
pub(super) fn is_over(m: &M, heap: &Heap, world: &dyn World, all: bool) -> bool {
    flush_all();
    let mark = mark();
    if all {
        while take_gs(m.engine) || take_specials(heap, usize::MAX) {}
        match world.procs() {
            1 => mark.rest(false),
            n => world.parallel(n, &|_| mark.rest(true)),
        }
        return true;
    }
    if has_work() && !mark.has_work() {
        return false;
    }
    let until = nanotime() + REST_NS;
    loop {
        match mark.turn(&mut || nanotime() > until) {
            Turn::Done => return true,
            _ if nanotime() > until => return false,
            _ => {}
        }
    }
}

/// The cycle has ended: what it has marked and what it took. Switches the barrier off.
///
/// Context: world stopped, all is marked.
pub(super) fn over(heap: &Heap) -> (&'static Mark<'static>, Cycle) {
    match REAP.lock().take() {
        None => super::reap_all(heap, mark()),
        Some(mut reap) => {
            let mark = mark();
            // What it had left to mark has been.
            while super::reap_piece(heap, &mut reap, usize::MAX, &mut |revived| {
                mark.mark_from(|v| revived.iter().for_each(|o| v.word(*o)));
            }) {}
            reap.publish(&mut heap.gc.specials.lock());
        }
    }
    REAPING.store(false, Ordering::Relaxed);
    barrier::set_marking(false);
    let Some(mut c) = CYCLE.lock().take() else {
        crate::throw!("no cycle to end");
    };
    c.worker_ns = WORKED_NS.load(Ordering::Relaxed);
    c.assist_ns = ASSISTED_NS.load(Ordering::Relaxed);
    (mark(), c)
}

/// Goroutines that have waited for the end, made runnable.
///
/// Context: coroutine with a P.
pub(super) fn serve_waiters(m: &mut M) {
    let waiters = std::mem::take(&mut *WAITERS.lock());
    if waiters.is_empty() {
        return;
    }
    let mut list = GList::new();
    for g in waiters.iter().rev() {
        // SAFETY: off the list, the wake-ups are ours.
        unsafe { list.push(g.0) };
    }
    // SAFETY: as above.
    coro::on_g0(m, |m| unsafe { proc::inject_behind(m, list) });
}

/// A mark in which there is something to do, for `g` or whoever else waits for it; `whole` Ps and a
/// `share` of each are to be given to workers.
///
/// # Safety
///
/// The runtime is forged, and `g` waits.
#[cfg(test)]
pub(crate) unsafe fn forge(g: *mut G, whole: i32, share: f64) {
    let mark = Box::into_raw(Box::new(Mark::new(crate::heap::heap())));
    MARK.store(mark, Ordering::Release);
    IS_DONE.store(true, Ordering::Relaxed);
    DEDICATED.store(whole, Ordering::Relaxed);
    P_SHARE.store((share * 1e6) as u64, Ordering::Relaxed);
    BEGAN.store(nanotime() - 1_000_000, Ordering::Relaxed);
    WORKERS.lock().push(Gref(g));
    barrier::set_marking(true);
}
