//! Stacks, looked at beside the program.
//!
//! A stack that does not run does not change: it is looked at when a worker comes to it, or when
//! its goroutine is about to run ([`before_run`]). So all are seen as they were at the beginning,
//! and only those of goroutines on a thread are looked at while the world is stopped. What others
//! take from a waiting goroutine's hands is kept (chan/step.rs).
//!
//! # Invariants
//!
//! - K1. The stack of a goroutine that runs has been looked at in this cycle, or the goroutine is
//!   younger. It does not run while it is looked at ([`Seen`]).
//!
//! Go: runtime/mgcmark.go, scanstack; there a goroutine is suspended for it.
#![allow(unsafe_code)]

use super::super::barrier::is_marking;
use super::super::mark::Turn;
use super::super::world;
use super::{mark, seems_done};
use crate::engine::{Engine, RootVisitor};
use crate::g::{G, Status};
use crate::lockrank::Rank;
use crate::m::M;
use crate::sched::{Gref, SCHED};
use crate::stack;
use crate::sync::{AtomicU32, AtomicUsize, Guarded, Ordering, pause};

/// So many goroutines are looked at at a time.
const BATCH: usize = 64;

/// For which mark a stack has been looked at last: twice the number of the mark; one less while it
/// is.
#[derive(Debug)]
pub(crate) struct Seen(AtomicU32);

impl Seen {
    pub(crate) fn new() -> Seen {
        Seen(AtomicU32::new(0))
    }

    /// Looked at for none.
    #[cfg(loom)]
    pub(crate) fn reset(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// Has it been, for mark `number`?
    #[inline]
    fn is(&self, number: u32) -> bool {
        // Acquire: pairs with the Release in `look`.
        self.0.load(Ordering::Acquire) == number.wrapping_mul(2)
    }

    /// Calls `f`, which looks at it, unless that has been done; returns when it has.
    pub(crate) fn look(&self, number: u32, f: impl FnOnce()) {
        let busy = number.wrapping_mul(2).wrapping_sub(1);
        loop {
            if self.is(number) {
                return;
            }
            let now = self.0.load(Ordering::Relaxed);
            if now == busy && crate::fault!(RunWhileScanned) {
                return;
            }
            let order = Ordering::Relaxed;
            let is_ours = now != busy && now != busy.wrapping_add(1);
            if is_ours && self.0.compare_exchange(now, busy, order, order).is_ok() {
                break;
            }
            pause(10);
        }
        f();
        // Release: who sees this may change the stack.
        self.0.store(busy.wrapping_add(1), Ordering::Release);
    }
}

/// The number of the mark.
static NUMBER: AtomicU32 = AtomicU32::new(0);
/// How many goroutines there were when it began, and the next to be looked at, in the order in
/// which they were made.
static GS: AtomicUsize = AtomicUsize::new(0);
static NEXT: AtomicUsize = AtomicUsize::new(0);
/// Those with more than the smallest stack.
static GROWN: Guarded<Vec<Gref>> = Guarded::new(Rank::Leaf, Vec::new());

/// A mark begins. Context: world stopped.
pub(super) fn begin() {
    NUMBER.store(number().wrapping_add(1), Ordering::Relaxed);
    NEXT.store(0, Ordering::Relaxed);
    GS.store(SCHED.allgs.lock().len(), Ordering::Relaxed);
}

/// Are there goroutines that have not been looked at yet?
pub(super) fn are_left() -> bool {
    NEXT.load(Ordering::Relaxed) < GS.load(Ordering::Relaxed)
}

fn number() -> u32 {
    NUMBER.load(Ordering::Relaxed)
}

/// A goroutine is made, of what another one has, which has been looked at.
///
/// # Safety
///
/// It is the caller's.
#[inline]
pub(crate) unsafe fn is_new(g: *mut G) {
    // SAFETY: by contract.
    unsafe {
        (*g).seen
            .0
            .store(number().wrapping_mul(2), Ordering::Relaxed)
    };
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
        if is_marking() && !(*g).seen.is(number()) {
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
pub(in crate::gc) unsafe fn look_at(engine: &dyn Engine, g: *mut G, v: &mut dyn RootVisitor) {
    // SAFETY: the caller's.
    unsafe {
        (*g).seen.look(number(), || {
            if matches!((*g).status(), Status::Idle | Status::Dead) {
                return;
            }
            if (*g).stack_hi - (*g).stack_lo > stack::MIN {
                GROWN.lock().push(Gref(g));
            }
            world::scan_g(engine, g, v);
        });
    }
}

/// Looks at the next goroutines; `false`: there are none left.
pub(super) fn take(engine: &dyn Engine) -> bool {
    if !are_left() {
        return false;
    }
    mark().roots(|v| {
        let from = NEXT.fetch_add(BATCH, Ordering::Relaxed);
        let to = (from + BATCH).min(GS.load(Ordering::Relaxed));
        let gs: Vec<Gref> = SCHED.allgs.lock().get(from..to).unwrap_or(&[]).to_vec();
        for Gref(g) in gs {
            // SAFETY: K1.
            unsafe { look_at(engine, g, v) };
        }
    });
    true
}

/// Those whose stacks may be too large, since the last call.
pub(in crate::gc) fn take_grown() -> Vec<Gref> {
    std::mem::take(&mut *GROWN.lock())
}
