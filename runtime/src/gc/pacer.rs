//! When to collect, and how much memory to keep: GOGC and GOMEMLIMIT.
//!
//! A mark beside the program begins so early that it ends when the goal is reached, as far as can
//! be told from the last one. Where the world is stopped for it, the trigger is the goal itself.
//!
//! Go: runtime/mgcpacer.go, mgclimit.go, mgcscavenge.go.

use super::barrier::is_marking;
use super::{State, concurrent};
use crate::heap::{Heap, PAGE_SHIFT};
use crate::sync::Ordering;

/// The heap goal at GOGC=100 if little lives. Go: defaultHeapMinimum.
const HEAP_MINIMUM: u64 = 4 << 20;
/// Share of the memory limit kept as headroom. Go: memoryLimitHeapGoalHeadroomPercent.
const HEADROOM_PERCENT: u64 = 3;
/// At least so much headroom. Go: memoryLimitMinHeapGoalHeadroom.
const HEADROOM_MIN: u64 = 1 << 20;
/// Free memory kept for the heap to grow into, over the goal. Go: retainExtraPercent.
const RETAIN_EXTRA_PERCENT: u64 = 10;

/// A mark begins when at least this share of what may be allocated has been. Go:
/// minTriggerRatioDistance, and maxTriggerRatioDistance.
const TRIGGER_MIN_PERCENT: u64 = 70;
const TRIGGER_MAX_PERCENT: u64 = 95;

/// So many pages go back to the system with the heap locked: that takes some 60 µs.
pub(super) const RELEASED_AT_ONCE: usize = (1 << 20) >> PAGE_SHIFT;
/// Such a part of the memory limit is much.
const MUCH: usize = 32;

/// What the pacer knows at the end of a mark.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Marked {
    /// Bytes of marked objects.
    pub(crate) heap: u64,
    /// Bytes of stacks and globals that were scanned.
    pub(crate) roots: u64,
    /// What the program would allocate during a mark if it had not to help.
    pub(super) runway: u64,
    /// Share of the time since the last cycle that the collector took.
    pub(super) gc_share: f64,
    /// What the program has allocated meanwhile.
    pub(super) allocated: u64,
}

/// The heap goal after a mark. `other` is memory that the limit counts and the heap cannot free.
pub(super) fn goal(percent: i64, limit: i64, marked: Marked, other: u64) -> u64 {
    let mut goal = u64::MAX;
    let limit = if crate::fault!(IgnoreMemoryLimit) {
        i64::MAX
    } else {
        limit
    };
    if percent >= 0 {
        let percent = percent as u64;
        let more = u128::from(marked.heap + marked.roots) * u128::from(percent) / 100;
        goal = marked
            .heap
            .saturating_add(u64::try_from(more).unwrap_or(u64::MAX));
        goal = goal.max(HEAP_MINIMUM * percent / 100);
    }
    if limit != i64::MAX {
        let room = (limit.max(0) as u64).saturating_sub(other);
        let headroom = (room * HEADROOM_PERCENT / 100).max(HEADROOM_MIN);
        goal = goal.min(room.saturating_sub(headroom));
    }
    // Never collect without some allocation in between, and let the heap pass the limit rather
    // than spend more than half of the time: the next mark will take as long as the last one.
    let share = marked.gc_share.clamp(0.0, 0.9);
    let balance = (marked.allocated as f64 * share / (1.0 - share)) as u64;
    let step = balance.clamp(marked.heap / 32, marked.heap);
    if percent == 0 && limit == i64::MAX {
        return marked.heap + (64 << 10);
    }
    goal.min(crate::limits::heap_goal(other))
        .max(marked.heap + step.max(64 << 10))
}

/// At how many live bytes a mark is to begin that is to end at the goal.
fn trigger(goal: u64, marked: Marked) -> u64 {
    let room = goal.saturating_sub(marked.heap);
    let at = |percent| {
        marked
            .heap
            .saturating_add((u128::from(room) * percent / 100) as u64)
    };
    let wanted = goal.saturating_sub(marked.runway);
    wanted.clamp(
        at(u128::from(TRIGGER_MIN_PERCENT)),
        at(u128::from(TRIGGER_MAX_PERCENT)),
    )
}

impl State {
    /// Raises the request when `live` passes the trigger; while the marker works, asks for help if
    /// it would fall behind.
    #[inline]
    pub(crate) fn note_live(&self, live: u64) {
        if is_marking() {
            if concurrent::must_assist(live, self.goal.load(Ordering::Relaxed)) {
                self.ask_for_help();
            }
        } else if live >= self.trigger.load(Ordering::Relaxed) {
            self.request();
        }
    }

    /// Has the program a memory limit?
    pub(crate) fn has_limit(&self) -> bool {
        self.limit.load(Ordering::Relaxed) != i64::MAX
    }

    /// Sets the goal from what the last mark found.
    pub(super) fn repace(&self, heap: &Heap) {
        let other = other_memory(heap);
        let marked = self.info.lock().marked;
        let percent = self.percent.load(Ordering::Relaxed);
        let goal = goal(percent, self.limit.load(Ordering::Relaxed), marked, other);
        self.goal.store(goal, Ordering::Relaxed);
        let trigger = match concurrent::is_possible() {
            true => trigger(goal, marked),
            false => goal,
        };
        self.trigger.store(trigger, Ordering::Relaxed);
        self.note_live(heap.live.load(Ordering::Relaxed));
    }

    /// After pages were taken, `fresh` of them clean: releases free pages if the memory limit is
    /// passed.
    #[inline]
    pub(crate) fn keep_limit(&self, heap: &Heap, h: &mut crate::heap::PageHeap, fresh: usize) {
        let limit = self.limit.load(Ordering::Relaxed);
        if limit != i64::MAX {
            keep_limit_slow(heap, h, limit, fresh);
        }
    }
}

#[cold]
fn keep_limit_slow(heap: &Heap, h: &mut crate::heap::PageHeap, limit: i64, fresh: usize) {
    let over = over(heap, h, limit);
    let could_go = over.min(h.free_dirty);
    // An allocation that takes no fresh pages pays only where much could go, as after a limit has
    // fallen: the scavenger may wait long for its turn.
    let much = (limit.max(0) as usize >> PAGE_SHIFT) / MUCH;
    if could_go > 0 && (fresh != 0 || could_go > much) {
        // A little more at once, so that not every span of a growing heap costs a system call; not
        // all that was allowed under a limit of before, for the heap is locked.
        let most = RELEASED_AT_ONCE.max(2 * fresh);
        h.scavenge(&heap.arena, over.clamp(16, most));
    }
}

/// By how many pages memory is above the limit.
fn over(heap: &Heap, h: &crate::heap::PageHeap, limit: i64) -> usize {
    let used_pages = h.committed - (h.free - h.free_dirty);
    let total = (used_pages << PAGE_SHIFT) + heap.arena.side_bytes();
    match crate::fault!(IgnoreMemoryLimit) {
        true => 0,
        false => total.saturating_sub(limit.max(0) as usize) >> PAGE_SHIFT,
    }
}

/// Memory besides objects that a limit counts: stacks, the side arrays.
fn other_memory(heap: &Heap) -> u64 {
    let manual = heap.pages.lock().manual;
    ((manual << PAGE_SHIFT) + heap.arena.side_bytes()) as u64
}

/// How many pages of free memory there are beyond what the heap will soon need, and how many of
/// them because the limit is passed.
fn excess(heap: &Heap, h: &crate::heap::PageHeap) -> (usize, usize) {
    let goal = heap.gc.goal.load(Ordering::Relaxed);
    let in_use = (heap.stats.pages_in_use.load(Ordering::Relaxed) << PAGE_SHIFT) as u64;
    let keep = goal.min(u64::MAX / 200) * (100 + RETAIN_EXTRA_PERCENT) / 100;
    let dirty = (h.free_dirty << PAGE_SHIFT) as u64;
    let excess = (in_use + dirty).saturating_sub(keep) >> PAGE_SHIFT;
    let over = over(heap, h, heap.gc.limit.load(Ordering::Relaxed)).min(h.free_dirty);
    ((excess as usize).min(h.free_dirty).max(over), over)
}

/// Is there free memory beyond what the heap will soon need?
pub(super) fn has_excess(heap: &Heap) -> bool {
    excess(heap, &heap.pages.lock()).0 != 0
}

/// Is the limit passed for there is free memory?
pub(super) fn is_over(heap: &Heap) -> bool {
    excess(heap, &heap.pages.lock()).1 != 0
}

/// Returns free memory beyond what the heap will soon need; at most about `max_pages`.
///
/// Returns the pages released. Context: any thread; no lock of the heap held.
pub(crate) fn scavenge(heap: &Heap, max_pages: usize) -> usize {
    let mut h = heap.pages.lock();
    let (excess, _) = excess(heap, &h);
    if excess == 0 || crate::fault!(KeepMemory) {
        return 0;
    }
    h.scavenge(&heap.arena, excess.min(max_pages))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MB: u64 = 1 << 20;

    fn marked(heap: u64) -> Marked {
        Marked {
            heap,
            ..Marked::default()
        }
    }

    #[test]
    fn gogc_sets_the_goal() {
        assert_eq!(goal(100, i64::MAX, marked(10 * MB), 0), 20 * MB);
        assert_eq!(goal(50, i64::MAX, marked(10 * MB), 0), 15 * MB);
        assert_eq!(goal(100, i64::MAX, marked(MB), 0), 4 * MB);
        assert_eq!(goal(200, i64::MAX, marked(MB), 0), 8 * MB);
        assert_eq!(goal(-1, i64::MAX, marked(10 * MB), 0), u64::MAX);
    }

    #[test]
    fn roots_count_as_live() {
        let m = Marked {
            heap: 10 * MB,
            roots: 10 * MB,
            ..Marked::default()
        };
        assert_eq!(goal(100, i64::MAX, m, 0), 30 * MB);
    }

    #[test]
    fn the_memory_limit_caps_the_goal() {
        let g = goal(100, 100 * MB as i64, marked(80 * MB), 0);
        assert_eq!(g, 97 * MB);
        assert_eq!(
            goal(-1, 100 * MB as i64, marked(80 * MB), 20 * MB),
            80 * MB + 80 * MB / 32
        );
        // More than half of the time is spent collecting: rather grow.
        let m = |gc_share| Marked {
            gc_share,
            allocated: 8 * MB,
            ..marked(80 * MB)
        };
        assert_eq!(goal(-1, 50 * MB as i64, m(0.5), 0), 88 * MB);
        assert_eq!(goal(-1, 50 * MB as i64, m(0.75), 0), 104 * MB);
        assert!(goal(-1, 50 * MB as i64, m(1.0), 0) <= 160 * MB);
    }
}
