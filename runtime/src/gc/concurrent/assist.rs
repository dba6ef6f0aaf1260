//! Goroutines that allocate faster than the marker marks help it.
//!
//! What may be allocated grows with what has been marked: from what there was when the mark began
//! up to the goal, when as much is marked as was last time. A goroutine that allocates more has to
//! mark first, or to wait for the end if nothing is left to mark and the goal has been passed.
//!
//! Go: runtime/mgcmark.go, gcAssistAlloc; mgcpacer.go, revise. There each goroutine has its debt.

use super::super::mark::Turn;
use super::workers::call_idle;
use super::{mark, seems_done};
use crate::clock::nanotime;
use crate::coro;
use crate::heap::Heap;
use crate::m::M;
use crate::switches::{self, Mech};
use crate::sync::Ordering;
use crate::sync::plain::AtomicU64;

/// How long a goroutine marks at most at a time.
const LONGEST_NS: i64 = 200_000;
/// What may be allocated in advance of the marking that it asks for.
const SLACK: u64 = 256 << 10;

/// What was allocated when the mark began, and what is expected to be marked, in bytes.
static FROM: AtomicU64 = AtomicU64::new(0);
static EXPECTED: AtomicU64 = AtomicU64::new(0);
/// Processor time that it has taken.
static TOOK_NS: AtomicU64 = AtomicU64::new(0);

/// A mark begins with so many bytes allocated; so many were marked last time.
pub(super) fn begin(live: u64, last: u64) {
    FROM.store(live, Ordering::Relaxed);
    EXPECTED.store(last.max(1 << 20).min(live.max(1)), Ordering::Relaxed);
    TOOK_NS.store(0, Ordering::Relaxed);
}

/// Processor time that goroutines have helped in this cycle.
pub(super) fn time() -> u64 {
    TOOK_NS.load(Ordering::Relaxed)
}

/// So many bytes have been allocated, garbage included: must the goroutine that allocates mark?
#[inline]
pub(in crate::gc) fn must_assist(live: u64, goal: u64) -> bool {
    if !switches::on(Mech::GcAssist) {
        return false;
    }
    let from = FROM.load(Ordering::Relaxed);
    let room = goal.saturating_sub(from) as f64;
    let expected = EXPECTED.load(Ordering::Relaxed).max(1) as f64;
    let done = (mark().marked() as f64 / expected).min(1.0);
    live > (from + SLACK).saturating_add((room * done) as u64)
}

/// Marks, if what the program allocates asks for it; `true`: there is nothing that the goroutine
/// could mark, and it must wait for the end, for the goal has been passed. Go: gcAssistAlloc.
///
/// Context: coroutine, at a safepoint.
pub(in crate::gc) fn help(m: &mut M, heap: &Heap) -> bool {
    // Raised again when more has been allocated.
    crate::gc::forget_help(heap);
    let goal = heap.gc.goal.load(Ordering::Relaxed);
    if !must_assist(heap.live.load(Ordering::Relaxed), goal) {
        return false;
    }
    let mut is_behind = false;
    coro::on_g0(m, |m| is_behind = assist(m, heap, goal));
    is_behind && heap.live.load(Ordering::Relaxed) > goal.saturating_add(SLACK)
}

/// Marks for a while; `true`: nothing is left that could be marked here.
#[cold]
fn assist(m: &mut M, heap: &Heap, goal: u64) -> bool {
    let began = nanotime();
    let mut n = 0_u32;
    let mut now = began;
    let mut is_behind = false;
    while now - began < LONGEST_NS && must_assist(heap.live.load(Ordering::Relaxed), goal) {
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
    TOOK_NS.fetch_add((now - began) as u64, Ordering::Relaxed);
    is_behind
}
