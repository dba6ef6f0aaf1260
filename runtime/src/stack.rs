//! VM stacks: sizes, guards, caches, growth by copying.
//!
//! Stacks grow upward: `[lo, top)` is used, and the prologue compares the end of the new frame
//! with `stackguard0`.
//!
//! Go: runtime/stack.go.

use crate::g::G;
use crate::m::M;

/// Bytes of a new goroutine's stack.
pub const MIN: usize = 2048;
/// Bytes kept free below the end of a stack: a frame header and the largest unchecked frame.
pub const SLACK: usize = 64;
/// The guard that asks to stop: below any frame, so that every check fails.
pub const PREEMPT: usize = 0;
/// The guard that forces a copy to a stack of the same size, for tests.
pub const FORCE_MOVE: usize = 2;

/// Free stacks of a P, by order.
#[derive(Debug, Default)]
pub struct StackCache {
    _private: (),
}

impl StackCache {
    /// An empty cache.
    pub const fn new() -> StackCache {
        StackCache { _private: () }
    }
}

/// Copies `g`'s stack to one with room for `need` bytes above `g.sched.top`.
///
/// Dies with Go's stack overflow past the limit. The caller has saved `g.sched`; afterwards
/// `g.sched.fp`, `g.sched.top`, `g.stack_lo` and `g.stack_hi` name the new stack.
///
/// Context: coroutine or g0; `g` is current.
pub fn grow(m: &mut M, g: &mut G, need: usize) {
    let _ = (m, g, need);
    todo!()
}
