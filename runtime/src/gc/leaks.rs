#![allow(unsafe_code)]
//! Goroutines that wait for ever.
//!
//! A goroutine waits for ever if nothing that may still run can reach what it waits for. The
//! collector knows: it marks from everything but the goroutines that wait for others; then from
//! those whose channel, lock or group is marked, until there are none; the rest is leaked. At the
//! end it marks from them too, so that nothing of theirs is freed.
//!
//! # Invariants
//!
//! - L1. The world is stopped while the goroutines are looked at.
//!
//! Go: runtime/mgc.go, findGoroutineLeaks.

use super::mark::Mark;
use super::{Collection, Mode, NativeFrames, Step, World, is_marked};
use crate::engine::{Outcome, Stack};
use crate::g::{G, Status, WaitReason};
use crate::heap::Heap;
use crate::lockrank::Rank;
use crate::m::M;
use crate::panic::print;
use crate::sched::Gref;
use crate::sync::Guarded;
use crate::{control, coro, proc, prof, trace, traceback};
use std::sync::atomic::{AtomicU8, Ordering};

/// What is to be done about leaks when the program ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Check {
    /// Nothing.
    Off,
    /// Say which there are.
    Tell,
    /// The same, and end with status 67.
    Fail,
}

/// Exit status of a program with leaks.
const STATUS: i32 = 67;

/// A [`Check`]. Written before the start.
static CHECK: AtomicU8 = AtomicU8::new(Check::Off as u8);
/// The next collection is to look for them. Written by who asks for it.
static ASKED: AtomicU8 = AtomicU8::new(0);
/// What it has found.
static FOUND: Guarded<Vec<Gref>> = Guarded::new(Rank::Leaf, Vec::new());

/// What was found for a profile.
static LAST: Guarded<Vec<Gref>> = Guarded::new(Rank::Leaf, Vec::new());

/// Says what is to be done when the program ends; the most that is asked for counts.
pub fn set(check: Check) {
    CHECK.fetch_max(check as u8, Ordering::Relaxed);
}

/// Is the collection that begins to look for leaks?
pub(super) fn is_asked() -> bool {
    ASKED.load(Ordering::Relaxed) != 0
}

/// Does the goroutine wait for another?
pub(super) fn is_blocked(g: &G) -> bool {
    use WaitReason::*;
    let waits_for_others = matches!(
        g.wait_reason(),
        ChanReceive
            | ChanSend
            | ChanReceiveNilChan
            | ChanSendNilChan
            | Select
            | SelectNoCases
            | SyncCondWait
            | SyncMutexLock
            | SyncRwMutexLock
            | SyncRwMutexRLock
            | SyncWaitGroupWait
            | SynctestChanReceive
            | SynctestChanSend
            | SynctestSelect
            | SynctestWaitGroupWait
    );
    g.status() == Status::Waiting && !g.is_system && waits_for_others
}

/// Can what has been marked reach something that `g` waits for?
fn can_be_woken(heap: &Heap, g: &G) -> bool {
    use WaitReason::*;
    // SAFETY: L1.
    let mut objects = unsafe { trace::waits_on(g) }.peekable();
    match (objects.peek(), g.wait_reason()) {
        (None, ChanReceiveNilChan | ChanSendNilChan | SelectNoCases | Select | SynctestSelect) => {
            false
        }
        // What it waits for is not known.
        (None, _) => true,
        // Outside of the heap are package-level variables.
        _ => objects.any(|object| is_marked(heap, object.0)),
    }
}

/// Marks from the goroutines that wait for others.
pub(super) fn find(heap: &Heap, mark: &Mark<'_>, world: &dyn World) {
    if !is_asked() {
        return;
    }
    let mut rest = world.blocked();
    loop {
        let before = rest.len();
        rest.retain(|g| {
            // SAFETY: descriptors are never freed.
            let wakes = can_be_woken(heap, unsafe { &*g.0 });
            if wakes {
                mark.mark_from(|v| world.scan_blocked(*g, v));
            }
            !wakes
        });
        if rest.len() == before {
            break;
        }
    }
    for g in &rest {
        mark.mark_from(|v| world.scan_blocked(*g, v));
    }
    *FOUND.lock() = rest;
}

/// Collects. What is left in the native frames of the goroutine, which has returned from `main`,
/// does not count.
fn collect(m: &mut M) -> &mut M {
    let mut collection = Collection::new(Mode::Forced);
    let mut m = m;
    loop {
        m = match collection.step(m, NativeFrames::Empty) {
            Step::Done => return m,
            Step::Park => coro::suspend(m, Outcome::Park),
            Step::Yield => proc::gosched(m),
        };
    }
}

/// The goroutines that wait for ever.
///
/// Context: as [`super::at_safepoint`].
fn leaked(m: &mut M) -> (&mut M, Vec<Gref>) {
    ASKED.store(1, Ordering::Relaxed);
    let m = collect(m);
    ASKED.store(0, Ordering::Relaxed);
    (m, std::mem::take(&mut *FOUND.lock()))
}

/// The next collection is to look for goroutines that wait for ever. One that is forced must
/// follow, and then [`asked`].
pub fn ask() {
    ASKED.store(1, Ordering::Relaxed);
}

/// How many the collection has found since [`ask`].
pub fn asked() -> usize {
    ASKED.store(0, Ordering::Relaxed);
    let found = std::mem::take(&mut *FOUND.lock());
    let n = found.len();
    *LAST.lock() = found;
    n
}

/// Those that the last call of [`asked`] has counted.
///
/// Context: coroutine.
pub fn found(m: &M) -> Vec<prof::Goroutine> {
    let last = std::mem::take(&mut *LAST.lock());
    // SAFETY: descriptors are never freed, and these goroutines wait for ever.
    let all = last
        .iter()
        .map(|g| unsafe { prof::of(m, &*g.0, Stack::Whole) })
        .collect();
    *LAST.lock() = last;
    all
}

/// Prints where they stand.
fn tell(m: &mut M, leaked: &[Gref]) {
    for g in leaked {
        let text = traceback::text(m, g.0, crate::knobs::traceback().level.max(1), false);
        print(format_args!("\n{}", text.replacen("]:", " (leaked)]:", 1)));
    }
}

/// Ends the program if it cannot come to its end, or if a lock will never be free, while other
/// goroutines run.
///
/// Context: as [`super::at_safepoint`].
pub(super) fn look(m: &mut M) -> &mut M {
    use WaitReason::*;
    let (m, leaked) = leaked(m);
    // A worker that nobody stops is a habit; these are none.
    let matters = |g: &&Gref| {
        // SAFETY: descriptors are never freed.
        let g = unsafe { &*g.0 };
        let waits_for_lock = matches!(
            g.wait_reason(),
            SyncMutexLock | SyncRwMutexLock | SyncRwMutexRLock
        );
        g.is_main() || waits_for_lock
    };
    if leaked.iter().find(matters).is_some() {
        control::wait_for_ever(leaked.iter().map(|g| g.0));
        let (n, wait) = match leaked.len() {
            1 => ("1 goroutine".to_string(), "waits"),
            n => (format!("{n} goroutines"), "wait"),
        };
        print(format_args!(
            "fatal error: {n} {wait} for ever - partial deadlock!\n"
        ));
        tell(m, &leaked);
        proc::exit(2);
    }
    m
}

/// The program ends with `code`: says which goroutines are leaked, if that was asked for. The M
/// that the goroutine runs on then, and the exit status.
///
/// Context: as [`super::at_safepoint`].
pub(crate) fn at_end(m: &mut M, code: i32) -> (&mut M, i32) {
    let is_told = crate::knobs::get(crate::knobs::Knob::LeakCheck) > 0;
    let told = if is_told { Check::Tell } else { Check::Off };
    let check = CHECK.load(Ordering::Relaxed).max(told as u8);
    if check == Check::Off as u8 {
        return (m, code);
    }
    let (m, leaked) = leaked(m);
    if leaked.is_empty() {
        return (m, code);
    }
    let n = leaked.len();
    let what = if n == 1 {
        "goroutine waits"
    } else {
        "goroutines wait"
    };
    print(format_args!("leaked: {n} {what} for ever\n"));
    tell(m, &leaked);
    let code = match code {
        0 if check == Check::Fail as u8 => STATUS,
        code => code,
    };
    (m, code)
}
