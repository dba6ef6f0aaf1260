#![allow(unsafe_code)]
//! The current M: the only thread-locals of the crate.
//!
//! Everything that runs on an M is handed it as an argument. These words serve signal handlers,
//! dying, and the lock ranks of debug builds.
//!
//! # Invariants
//!
//! - T1. Getters are never inlined and return by value: a G may go on on another thread, and a
//!   compiler may have kept the old address (llvm-project issue 98479).
//! - T2. The words are const-initialised and have no destructor, so handlers may read them.

use std::cell::Cell;
use std::ptr;

use crate::m::M;

#[cfg(not(any(loom, shuttle)))]
thread_local! {
    static CURRENT: Cell<*mut M> = const { Cell::new(ptr::null_mut()) };
}
#[cfg(loom)]
loom::thread_local! {
    static CURRENT: Cell<*mut M> = Cell::new(ptr::null_mut());
}
#[cfg(shuttle)]
shuttle::thread_local! {
    static CURRENT: Cell<*mut M> = Cell::new(ptr::null_mut());
}

/// The M of this thread, or null.
#[inline(never)]
pub fn current_m() -> *mut M {
    let m = CURRENT.with(Cell::get);
    // SAFETY: an empty statement; it keeps the function from being taken for a pure one.
    unsafe { std::arch::asm!("", options(nomem, nostack, preserves_flags)) };
    m
}

/// Makes `m` the M of this thread.
#[inline(never)]
pub(crate) fn set_current_m(m: *mut M) {
    CURRENT.with(|c| c.set(m));
}

#[cfg(not(any(loom, shuttle)))]
thread_local! {
    static PANICKED: Cell<bool> = const { Cell::new(false) };
}

/// Notes whether Rust code on this thread has panicked, and is to be left by the signal that Rust
/// ends a process with; gives what was noted.
#[cfg(not(any(loom, shuttle)))]
#[inline(never)]
pub(crate) fn set_panicked(is: bool) -> bool {
    PANICKED.with(|c| c.replace(is))
}

#[cfg(debug_assertions)]
pub(crate) use held::*;

#[cfg(debug_assertions)]
mod held {
    use super::Cell;
    use crate::lockrank::Rank;

    const MAX: usize = 64;

    #[cfg(not(any(loom, shuttle)))]
    thread_local! {
        static HELD: Cell<(usize, [Option<Rank>; MAX])> = const { Cell::new((0, [None; MAX])) };
    }
    #[cfg(loom)]
    loom::thread_local! {
        static HELD: Cell<(usize, [Option<Rank>; MAX])> = Cell::new((0, [None; MAX]));
    }
    #[cfg(shuttle)]
    shuttle::thread_local! {
        static HELD: Cell<(usize, [Option<Rank>; MAX])> = Cell::new((0, [None; MAX]));
    }

    #[inline(never)]
    pub(crate) fn held_top() -> Option<Rank> {
        HELD.with(|h| {
            let (n, ranks) = h.get();
            ranks[..n.min(MAX)].iter().flatten().copied().max()
        })
    }

    /// Forgets all ranks: the thread is dying.
    #[inline(never)]
    pub(crate) fn held_forget() {
        HELD.with(|h| h.set((0, [None; MAX])));
    }

    #[inline(never)]
    pub(crate) fn held_push(r: Rank) {
        HELD.with(|h| {
            let (n, mut ranks) = h.get();
            if n < MAX {
                ranks[n] = Some(r);
            }
            h.set((n + 1, ranks));
        });
    }

    #[inline(never)]
    pub(crate) fn held_pop(r: Rank) {
        HELD.with(|h| {
            let (n, mut ranks) = h.get();
            let top = n.min(MAX);
            if let Some(i) = ranks[..top].iter().rposition(|x| *x == Some(r)) {
                ranks.copy_within(i + 1..top, i);
                ranks[top - 1] = None;
            }
            h.set((n.saturating_sub(1), ranks));
        });
    }
}
