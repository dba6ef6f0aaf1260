//! Workers: goroutines that mark, and that no queue has.
//!
//! An M that looks for work takes one where it is its turn ([`worker_for`], [`idle_worker`]). They
//! have a quarter of the Ps: whole ones, and where that does not come out even a share of the time
//! of each; and all Ps that have nothing else to do.
//!
//! Go: runtime/mgc.go, gcBgMarkWorker; mgcpacer.go, findRunnableGCWorker, startCycle.
#![allow(unsafe_code)]

use super::super::barrier::is_marking;
use super::super::mark::Turn;
use super::{ENDING, IS_DONE, PIECE, end, has_work, mark, take_roots};
use crate::clock::nanotime;
use crate::engine::Outcome;
use crate::g::{G, WaitReason};
use crate::heap::heap;
use crate::lockrank::Rank;
use crate::m::{M, ParkArg};
use crate::p::P;
use crate::sched::{Gref, SCHED, allp};
use crate::sync::plain::{AtomicI64, AtomicU64};
use crate::sync::{AtomicI32, AtomicUsize, Guarded, Ordering};
use crate::{coro, netpoll, proc, prompt};
use std::ptr;

/// Share of all Ps that workers get. Go: gcBackgroundUtilization.
const SHARE: f64 = 0.25;
/// How far off whole Ps may be from that. Go: startCycle, maxUtilErr.
const SHARE_ERROR: f64 = 0.3;
/// A worker that has a share of a P stops when it is so much above. Go: pollFractionalWorkerExit.
const SHARE_OVER: f64 = 1.2;
/// A worker looks so often whether there is something else to do, or something for others. Go:
/// idleCheckThreshold.
const LOOK_NS: i64 = 20_000;

/// Workers that do nothing, and how many there are in all.
static WORKERS: Guarded<Vec<Gref>> = Guarded::new(Rank::Leaf, Vec::new());
static MADE: AtomicUsize = AtomicUsize::new(0);
/// How many Ps are still to be given to workers whole; and the share of each P besides, in
/// millionths.
static DEDICATED: AtomicI32 = AtomicI32::new(0);
static P_SHARE: AtomicU64 = AtomicU64::new(0);
/// When the mark began.
static BEGAN: AtomicI64 = AtomicI64::new(0);
/// Processor time that they have taken.
static WORKED_NS: AtomicU64 = AtomicU64::new(0);

/// Makes the workers that are missing.
///
/// Context: coroutine with a P.
pub(in crate::gc) fn make_workers(m: &mut M) {
    let n = allp().ps.len();
    while MADE.load(Ordering::Relaxed) < n {
        MADE.fetch_add(1, Ordering::Relaxed);
        proc::spawn_system(m, worker);
    }
}

/// A mark begins. Context: world stopped.
pub(super) fn begin(procs: usize, now: i64) {
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
    BEGAN.store(now, Ordering::Relaxed);
    WORKED_NS.store(0, Ordering::Relaxed);
    for &p in &allp().ps {
        // SAFETY: the world is stopped.
        unsafe { (*p).marked_ns = 0 };
    }
}

/// Processor time that workers have taken in this cycle.
pub(super) fn time() -> u64 {
    WORKED_NS.load(Ordering::Relaxed)
}

/// Counts time of a worker.
pub(super) fn book(ns: i64) {
    WORKED_NS.fetch_add(ns.max(0) as u64, Ordering::Relaxed);
}

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

/// Is there something to do for a worker, in the mark that runs?
fn is_wanted() -> bool {
    let may_end = IS_DONE.load(Ordering::Relaxed) && !ENDING.load(Ordering::Relaxed);
    !prompt::is_paused() && (may_end || has_work())
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
    if !is_marking() || crate::fault!(SkipWorkers) {
        return ptr::null_mut();
    }
    // SAFETY: by contract.
    unsafe {
        match std::mem::replace(&mut (*p).next_worker, ptr::null_mut()) {
            g if g.is_null() => worker_for_slow(p),
            g => g,
        }
    }
}

/// Gives a worker to the idle `p`, if it is to have one: at the start of the world as many Ps as
/// are needed are started at once, and what ran on the others stays there.
///
/// # Safety
///
/// The world is stopped.
pub(crate) unsafe fn give_worker(p: *mut P) -> bool {
    if crate::fault!(GiveNoWorkers) {
        return false;
    }
    // SAFETY: by contract.
    unsafe {
        if !is_marking() {
            return_worker(p);
        } else if (*p).next_worker.is_null() {
            (*p).next_worker = worker_for(p);
        }
        !(*p).next_worker.is_null()
    }
}

/// The worker that waits for `p`, if there is one, is there for others again.
///
/// # Safety
///
/// The caller has `p`.
pub(crate) unsafe fn return_worker(p: *mut P) {
    // SAFETY: by contract; the worker waits.
    unsafe {
        let g = std::mem::replace(&mut (*p).next_worker, ptr::null_mut());
        if g.is_null() {
            return;
        }
        if std::mem::take(&mut (*g).native_state) == Kind::Dedicated as usize {
            DEDICATED.fetch_add(1, Ordering::Relaxed);
        }
        WORKERS.lock().push(Gref(g));
    }
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
    let (ns, began, tick) = unsafe {
        let tick = (*p).schedtick.load(Ordering::Relaxed);
        ((*p).marked_ns, (*p).marked_tick, tick)
    };
    // When it has marked others come first, if there are any.
    if share == 0.0 || began == tick || share_of(ns, nanotime()) > share {
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
    is_marking() && is_wanted() && !WORKERS.lock().is_empty()
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
    if kind == Kind::Fractional {
        m.p().marked_tick = m.p().schedtick.load(Ordering::Relaxed);
    }
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
        match kind {
            Kind::Dedicated => false,
            // Who sleeps for a moment shall not sleep for as long as it may mark.
            Kind::Fractional => is_timer_due(m.p(), now),
            Kind::Idle => has_other_work(m, now),
        }
    };
    while take_roots(engine, heap(), PIECE) {
        if stop() {
            break;
        }
    }
    let turn = mark().turn(&mut stop);
    let took = nanotime() - began;
    // SAFETY: as above.
    unsafe { (*m.p).marked_ns += took };
    book(took);
    turn
}

/// Wakes an idle P if there is work for it.
pub(super) fn call_idle(m: &mut M) {
    if SCHED.npidle.load(Ordering::Relaxed) > 0 && has_work() {
        proc::wake_p(m);
    }
}

fn is_timer_due(p: &P, now: i64) -> bool {
    let when = p.timers.next_when();
    when != 0 && when <= now
}

/// Is there something to run on the P of `m`, or somewhere? Go: pollWork.
///
/// Context: g0.
fn has_other_work(m: &mut M, now: i64) -> bool {
    let p = m.p();
    if SCHED.runqsize.load(Ordering::Relaxed) != 0 || !p.runq.is_empty() {
        return true;
    }
    if is_timer_due(p, now) {
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

/// The worker `g` marks what it has made to be marked. Context: g0.
pub(super) fn help_out(m: &mut M, g: &G) {
    work(m, g, Kind::Idle);
}

/// See [`super::forge`].
#[cfg(test)]
pub(super) fn forge(g: *mut G, whole: i32, share: f64) {
    DEDICATED.store(whole, Ordering::Relaxed);
    P_SHARE.store((share * 1e6) as u64, Ordering::Relaxed);
    BEGAN.store(nanotime() - 1_000_000, Ordering::Relaxed);
    WORKERS.lock().push(Gref(g));
}
