//! Marking beside the program.
//!
//! A cycle stops the world twice. The first time it takes the roots as they are but for stacks and
//! what is gone through in pieces, and switches the write barrier on; the program goes on, and
//! workers mark what can be reached from there. What is allocated meanwhile is marked from the
//! start. When nothing is left to be marked the world is stopped again, for what the barrier has
//! kept last, and for what is to be done about dead objects.
//!
//! Stacks are looked at one by one meanwhile (`stacks.rs`), by workers (`workers.rs`) or when their
//! goroutines are about to run; a goroutine that allocates faster than they mark has to help
//! (`assist.rs`).
//!
//! # Invariants
//!
//! - N1. A cycle begins and ends with the world stopped.
//! - N2. A marker holds work only between two safepoints: with the world stopped all is in the
//!   pool.
//!
//! Go: runtime/mgc.go, gcStart, gcMarkDone, gcBgMarkWorker; mgcpacer.go.
#![allow(unsafe_code)]

mod assist;
mod stacks;
mod workers;

pub(super) use assist::{help, must_assist};
pub(crate) use stacks::{Seen, before_run, is_new};
pub(super) use stacks::{look_at, take_grown};
pub(super) use workers::make_workers;
pub(crate) use workers::{give_worker, idle_worker, return_worker, wants_idle, worker_for};

use super::barrier::{self, is_marking};
use super::mark::{Mark, Roots, Turn};
use super::special::{Reap, RootsAt};
use super::stats::Cycle;
use super::{World, leaks, world};
use crate::clock::nanotime;
use crate::engine::{Engine, GlobalsAt, RootVisitor};
use crate::g::WaitReason;
use crate::heap::{Heap, heap};
use crate::knobs::{self, Knob};
use crate::lockrank::Rank;
use crate::m::M;
use crate::p::{GList, P};
use crate::sched::{Gref, allp};
use crate::sync::plain::AtomicPtr;
use crate::sync::{AtomicBool, AtomicU32, Guarded, Ordering};
use crate::{control, coro, proc, prompt, stw};
use std::ptr;

/// How long the world stays stopped for what the barrier has kept last.
const REST_NS: i64 = 100_000;
/// So many entries of the table of specials, or words of globals, are looked at at a time.
const PIECE: usize = 1_000;

/// The mark, made by the first cycle and used for all.
static MARK: AtomicPtr<Mark<'static>> = AtomicPtr::new(ptr::null_mut());
/// Cycles that have begun; the collector's `cycles` counts those that have ended.
static STARTED: AtomicU32 = AtomicU32::new(0);
/// It looks as if all were marked: a worker is to find out.
static IS_DONE: AtomicBool = AtomicBool::new(false);
/// A worker finds out.
static ENDING: AtomicBool = AtomicBool::new(false);
/// From where on the roots of specials and globals are still to be taken.
static SPECIALS: Guarded<Option<RootsAt>> = Guarded::new(Rank::Leaf, None);
static GLOBALS: Guarded<Option<GlobalsAt>> = Guarded::new(Rank::Leaf, None);
/// What is done about the dead beside the program, and whether it is.
static REAP: Guarded<Option<Reap>> = Guarded::new(Rank::World, None);
static REAPING: AtomicBool = AtomicBool::new(false);
/// Goroutines that wait for the end of a cycle.
static WAITERS: Guarded<Vec<Gref>> = Guarded::new(Rank::Leaf, Vec::new());
/// What the cycle has taken so far. Written with the world stopped.
static CYCLE: Guarded<Option<Cycle>> = Guarded::new(Rank::Leaf, None);

/// May a cycle run beside the program? Runs that are controlled, recorded or watched collect at
/// counted safepoints with the world stopped, and so does a search for leaks. While a prompt has
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

/// Takes the roots, and lets the program go on beside the marker.
///
/// Context: world stopped; everything is swept, and the caches are flushed.
pub(super) fn begin(
    heap: &'static Heap,
    engine: &dyn Engine,
    world: &dyn World,
    roots: &dyn Roots,
    mut c: Cycle,
) {
    stacks::begin();
    if MARK.load(Ordering::Relaxed).is_null() {
        let mark = Box::into_raw(Box::new(Mark::new(heap)));
        // Release: pairs with the Acquire in `mark`.
        MARK.store(mark, Ordering::Release);
    }
    let mark = mark();
    mark.restart();
    // They are few: waking others would take longer.
    mark.take_roots(roots);
    let now = nanotime();
    workers::begin(world.procs(), now);
    let last = heap.gc.info.lock().marked.heap;
    assist::begin(c.live_before, last);
    let any_specials = heap.gc.any_specials.load(Ordering::Relaxed);
    *SPECIALS.lock() = any_specials.then_some(RootsAt::FIRST);
    *GLOBALS.lock() = Some(GlobalsAt::default());
    IS_DONE.store(!has_work(), Ordering::Relaxed);
    c.started_ns = now;
    *CYCLE.lock() = Some(c);
    barrier::set_marking(true, engine.globals());
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

/// Is there something to mark that no worker has?
fn has_work() -> bool {
    mark().has_work() || has_roots()
}

/// Is there something to mark, or is some worker at it?
fn is_any_left() -> bool {
    has_work() || mark().is_active()
}

/// Are there roots that have not been taken yet?
fn has_roots() -> bool {
    stacks::are_left() || SPECIALS.lock().is_some() || GLOBALS.lock().is_some()
}

/// Takes roots, of `n` specials or globals or of some stacks; `false`: there are none left, or
/// another is at it.
fn take_roots(engine: &dyn Engine, heap: &Heap, n: usize) -> bool {
    stacks::take(engine)
        || take_piece(&SPECIALS, |at, v| super::special_roots(heap, at, n, v))
        || take_piece(&GLOBALS, |at, v| engine.scan_globals(at, n, v))
}

/// Takes the roots that `scan` gives from a place on; `scan` says where to go on then.
fn take_piece<At: Copy>(
    place: &Guarded<Option<At>>,
    scan: impl FnOnce(At, &mut dyn RootVisitor) -> Option<At>,
) -> bool {
    let mut more = false;
    mark().roots(|v| {
        let at = place.lock().take();
        let Some(at) = at else { return };
        let next = scan(at, v);
        *place.lock() = next;
        more = next.is_some();
    });
    more
}

/// Tells a worker that it looks as if all were marked. Context: an M with a P.
fn seems_done(m: &mut M) {
    IS_DONE.store(true, Ordering::SeqCst);
    proc::wake_p(m);
}

/// Gives what the barrier has kept on a P to the marker, so that the mark can end.
fn flush(p: &mut P) {
    if !crate::fault!(LateFlush) {
        p.overwritten.flush();
    }
}

/// Gives what the barrier has kept on each P to the marker. Context: world stopped.
fn flush_all() {
    for &p in &allp().ps {
        // SAFETY: the Ps are the caller's.
        flush(unsafe { &mut *p });
    }
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
        m = stw::for_each_p(m, flush);
        if is_marking() && !is_any_left() {
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
        workers::book(nanotime() - began);
        // What is revived is marked before it is asked which objects are dead then.
        while is_any_left() {
            let g = m.curg;
            // SAFETY: m::M3 — the current G.
            coro::on_g0(m, |m| unsafe { workers::help_out(m, &*g) });
            m = proc::gosched(m);
        }
        if !more {
            return match is_reaping() {
                true => finish(m),
                false => m,
            };
        }
        if world::is_asked(m) {
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
        while take_roots(m.engine, heap, usize::MAX) {}
        match world.procs() {
            1 => mark.rest(false),
            n => world.parallel(n, &|_| mark.rest(true)),
        }
        return true;
    }
    if has_roots() {
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
    let reap = REAP.lock().take().unwrap_or_else(Reap::new);
    super::reap_all(heap, mark(), reap);
    REAPING.store(false, Ordering::Relaxed);
    barrier::set_marking(false, 0..0);
    let Some(mut c) = CYCLE.lock().take() else {
        crate::throw!("no cycle to end");
    };
    c.worker_ns = workers::time();
    c.assist_ns = assist::time();
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

/// A mark in which there is something to do, with `g` for a worker; `whole` Ps and a `share` of
/// each are to be given to workers.
///
/// # Safety
///
/// The runtime is forged, and `g` waits.
#[cfg(test)]
pub(crate) unsafe fn forge(g: *mut crate::g::G, whole: i32, share: f64) {
    let mark = Box::into_raw(Box::new(Mark::new(heap())));
    MARK.store(mark, Ordering::Release);
    IS_DONE.store(true, Ordering::Relaxed);
    workers::forge(g, whole, share);
    barrier::set_marking(true, 0..0);
}
