#![allow(unsafe_code)]
//! Goroutines that are held, and all of them: the scheduler then chooses step by step.
//!
//! While the goroutines are *paused* an M that looks for work waits at a gate, before it looks. A
//! step lets one through: what it chooses runs until the next time that an M has to choose. Queues
//! are left as they are, so what is chosen is what would have been. The goroutine of the input that
//! the prompt waits for and those of the runtime pass.
//!
//! # Invariants
//!
//! - H1. [`CHOOSER`] is an M that was let through and has not chosen yet. Only that M,
//!   [`step`] at its end, and [`resume`] take it back.
//! - H2. [`RUNS`] is an M that runs what was chosen in a step.
//!
//! Go: none.

use std::collections::{HashSet, VecDeque};
use std::ptr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::{find, with_world_stopped};
use crate::clock::nanotime;
use crate::g::{G, Status};
use crate::m::M;
use crate::p::P;
use crate::sched::{SCHED, allp, for_each_g};
use crate::sync::plain::{AtomicBool, AtomicI64, AtomicPtr, AtomicU32, AtomicU64};
use crate::sync::{Ordering, usleep};
use crate::trace::{self, Event};
use crate::{preempt, timer};

/// Holds the goroutine of that number: from its next safepoint on, or when its wait is over, it is
/// not scheduled until [`release`]. `false`: there is none.
///
/// While one is held nothing is called a deadlock. Context: as [`with_world_stopped`].
pub fn hold(id: u64) -> bool {
    with_world_stopped(move |_| {
        let g = find(id);
        // SAFETY: the world is stopped; descriptors are never freed.
        unsafe {
            if g.is_null() || (*g).is_system || (*g).is_main() {
                return false;
            }
            SCHED.set_held(&*g, true);
            if (*g).status() == Status::Syscall {
                preempt::ask(g);
            }
        }
        true
    })
}

/// Lets a held goroutine go on. `false`: there is none of that number, or it was not held.
///
/// Context: as [`with_world_stopped`].
pub fn release(id: u64) -> bool {
    with_world_stopped(move |_| {
        let g = find(id);
        // SAFETY: the world is stopped; descriptors are never freed.
        unsafe { !g.is_null() && release_stopped(g) }
    })
}

/// # Safety
///
/// Context: g0 with a P; the world is stopped.
pub(super) unsafe fn release_stopped(g: *mut G) -> bool {
    // SAFETY: the caller's. Ms look for work when the world starts.
    unsafe {
        let was_held = SCHED.set_held(&*g, false);
        if was_held {
            SCHED.take_back(g);
        }
        was_held
    }
}

/// Goroutines are chosen in steps only. Written by [`pause`] and [`resume`].
static PAUSED: AtomicBool = AtomicBool::new(false);
/// The goroutine of the input that the prompt waits for, 0 if it waits for none.
static INPUT: AtomicU64 = AtomicU64::new(0);
/// Steps that no M has begun.
static STEPS: AtomicU32 = AtomicU32::new(0);
/// When the last was allowed.
static ALLOWED: AtomicI64 = AtomicI64::new(0);
/// Steps that are over.
static OVER: AtomicU32 = AtomicU32::new(0);
/// See H1.
static CHOOSER: AtomicPtr<M> = AtomicPtr::new(ptr::null_mut());
/// See H2.
static RUNS: AtomicPtr<M> = AtomicPtr::new(ptr::null_mut());

/// How long an M at the gate sleeps at a time, in µs: at first, and when it has waited for long.
const NAP_US: u64 = 500;
const LONG_NAP_US: u64 = 5_000;
const LONG_NS: i64 = 2_000_000_000;
/// For how long an M that would have to steal leaves a step to one that need not.
const THIEF_NS: i64 = 3_000_000;
/// How long [`pause`] waits until nothing runs, and [`step`] until its goroutine stops.
const PATIENCE: Duration = Duration::from_millis(200);
/// How long [`step`] waits for an M that finds something to run.
const SEARCH: Duration = Duration::from_millis(30);

/// Whether goroutines are chosen in steps only.
#[inline]
pub fn is_paused() -> bool {
    PAUSED.load(Ordering::Relaxed)
}

/// `id` is the goroutine of the input that the prompt waits for.
pub(super) fn waits_for(id: u64) {
    INPUT.store(id, Ordering::Relaxed);
}

/// Whether the prompt waits for an input.
pub fn is_evaluating() -> bool {
    INPUT.load(Ordering::Relaxed) != 0
}

/// The prompt waits for its input no longer, though that has not ended.
pub fn leave_alone() {
    waits_for(0);
}

/// Whether `g` runs although the others are paused.
///
/// # Safety
///
/// `g` is a descriptor.
#[cold]
pub(crate) unsafe fn passes(g: *const G) -> bool {
    // SAFETY: by the contract.
    unsafe { (*g).is_system || (*g).goid.0 == INPUT.load(Ordering::Relaxed) }
}

/// Holds all goroutines where they next come to the scheduler, until [`resume`]: one that runs is
/// asked to, and is queued as if it had been preempted. The inputs that the prompt waits for run.
/// `false`: that is so already.
///
/// Context: a thread that is no M; a prompt is attached.
pub fn pause() -> bool {
    if PAUSED.swap(true, Ordering::SeqCst) {
        return false;
    }
    trace::watch(true);
    let begin = Instant::now();
    // One that runs native code, or waits for the machine, comes when that is over.
    while begin.elapsed() < PATIENCE && allp().ps.iter().any(|&p| runs(p)) {
        preempt::give_way();
        std::thread::sleep(Duration::from_micros(200));
    }
    true
}

/// Whether a goroutine runs on `p`.
fn runs(p: *mut P) -> bool {
    // SAFETY: Ps, Ms and Gs are never freed; atomics are read.
    unsafe {
        let m = (*p).m.load(Ordering::Relaxed);
        !m.is_null() && !(*m).curg_seen.load(Ordering::Relaxed).is_null()
    }
}

/// Lets all goroutines go on that were paused, and those that were held one by one. `false`: there
/// were none.
///
/// Context: as [`pause`].
pub fn resume() -> bool {
    let was_paused = PAUSED.swap(false, Ordering::SeqCst);
    if was_paused {
        STEPS.store(0, Ordering::SeqCst);
        CHOOSER.store(ptr::null_mut(), Ordering::SeqCst);
        RUNS.store(ptr::null_mut(), Ordering::SeqCst);
        trace::watch(WATCHED.load(Ordering::Relaxed));
    }
    if SCHED.holds.load(Ordering::Relaxed) == 0 {
        return was_paused;
    }
    with_world_stopped(|_| {
        let mut held = Vec::new();
        for_each_g(|g| held.push(g));
        // SAFETY: the world is stopped; descriptors are never freed.
        held.into_iter()
            .filter(|&g| unsafe { release_stopped(g) })
            .count()
    });
    true
}

/// What came of a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// A goroutine was chosen, and has run until it came to the scheduler again.
    Over(Vec<Event>),
    /// One was chosen, and still runs.
    Runs(Vec<Event>),
    /// None can run.
    Nothing,
}

/// Has one decision made while all are paused: what happened until the next.
///
/// Context: as [`pause`].
pub fn step() -> Step {
    let _ = take_watched();
    let before = OVER.load(Ordering::SeqCst);
    ALLOWED.store(nanotime(), Ordering::SeqCst);
    STEPS.store(1, Ordering::SeqCst);
    let begin = Instant::now();
    loop {
        if OVER.load(Ordering::SeqCst) != before {
            return Step::Over(take_watched());
        }
        if begin.elapsed() > SEARCH && STEPS.swap(0, Ordering::SeqCst) != 0 {
            return Step::Nothing;
        }
        if begin.elapsed() > PATIENCE {
            // Or an M still searches.
            return match CHOOSER.swap(ptr::null_mut(), Ordering::SeqCst).is_null() {
                true => Step::Runs(take_watched()),
                false => Step::Nothing,
            };
        }
        std::thread::sleep(Duration::from_micros(100));
    }
}

/// Between [`watch`] and its end.
static WATCHED: AtomicBool = AtomicBool::new(false);

/// Begins or ends to record what [`watched`] tells.
pub fn watch(on: bool) {
    WATCHED.store(on, Ordering::Relaxed);
    if !is_paused() {
        trace::watch(on);
    }
}

/// What the scheduler has done since [`watch`], or since this was asked last, the oldest of very
/// many left out; nothing while all are paused, for [`step`] tells that.
pub fn watched() -> Vec<Event> {
    match is_paused() {
        true => Vec::new(),
        false => take_watched(),
    }
}

/// Goroutines that have done something for the prompt.
static OWN: Mutex<VecDeque<u64>> = Mutex::new(VecDeque::new());
/// How many of these are remembered.
const OWN_MAX: usize = 256;

/// `id` is a goroutine that does something for the prompt.
pub(super) fn is_own(id: u64) {
    let mut own = OWN.lock().unwrap_or_else(PoisonError::into_inner);
    if own.len() == OWN_MAX {
        own.pop_front();
    }
    own.push_back(id);
}

/// What has been recorded of the program's goroutines.
fn take_watched() -> Vec<Event> {
    let mut all = trace::take_watched();
    let own = OWN.lock().unwrap_or_else(PoisonError::into_inner);
    let mut own: HashSet<u64> = own.iter().copied().collect();
    for_each_g(|g| {
        // SAFETY: descriptors are never freed, and these fields stay.
        let (id, is_system) = unsafe { ((*g).goid.0, (*g).is_system) };
        if is_system {
            own.insert(id);
        }
    });
    all.retain(|e| !own.contains(&e.g.0));
    all
}

/// The M is about to look for work while goroutines are paused: whether it may. If not it has slept
/// a little.
///
/// # Safety
///
/// Context: g0 of `m`, which holds a P.
#[cold]
pub(crate) unsafe fn gate(m: *mut M) -> bool {
    // SAFETY: by the contract.
    unsafe {
        let p = (*m).p;
        if RUNS.load(Ordering::SeqCst) == m {
            RUNS.store(ptr::null_mut(), Ordering::SeqCst);
            OVER.fetch_add(1, Ordering::SeqCst);
        }
        if CHOOSER.load(Ordering::SeqCst) == m {
            return true;
        }
        let now = nanotime();
        let has_work = !(*p).runq.is_empty() || SCHED.runqsize.load(Ordering::Relaxed) > 0;
        let since_allowed = now - ALLOWED.load(Ordering::SeqCst);
        if STEPS.load(Ordering::SeqCst) > 0
            && (has_work || since_allowed > THIEF_NS)
            && STEPS.swap(0, Ordering::SeqCst) > 0
        {
            CHOOSER.store(m, Ordering::SeqCst);
            return true;
        }
        // What sleeps wakes: it can run, and waits for a step then.
        for &p in &allp().ps {
            timer::check_timers(&mut *m, &*p, 0);
        }
        usleep(if since_allowed > LONG_NS {
            LONG_NAP_US
        } else {
            NAP_US
        });
        // The slice of who ran last does not pass meanwhile.
        let slept = nanotime() - now;
        (*p).slice_began.fetch_add(slept, Ordering::Relaxed);
        (*p).paused_ns.fetch_add(slept, Ordering::Relaxed);
        false
    }
}

/// The M has chosen `g` while goroutines are paused.
///
/// # Safety
///
/// Context: as [`gate`]; `g` is the caller's.
#[cold]
pub(crate) unsafe fn chose(m: *mut M, g: *const G) {
    // SAFETY: by the contract.
    if CHOOSER.load(Ordering::SeqCst) == m && unsafe { !passes(g) } {
        RUNS.store(m, Ordering::SeqCst);
        CHOOSER.store(ptr::null_mut(), Ordering::SeqCst);
    }
}

/// The M has found nothing to run while goroutines are paused: another may.
#[cold]
pub(crate) fn gives_up(m: *mut M) {
    if CHOOSER.load(Ordering::SeqCst) == m {
        CHOOSER.store(ptr::null_mut(), Ordering::SeqCst);
        STEPS.store(1, Ordering::SeqCst);
    }
}
