#![allow(unsafe_code)]
//! Coroutines: where Ms interpret, so that a G which parks under native frames can keep them.
//!
//! The only caller of corosensei.
//!
//! # Invariants
//!
//! - S1. A coroutine is resumed only by the M that runs its G.
//! - S2. Nothing alive on a suspended coroutine's stack is tied to its thread.
//!
//! Go: runtime/asm_*.s, gogo, mcall, systemstack.

use corosensei::Yielder;

use crate::engine::Outcome;
use crate::m::M;

/// An M on its way into a coroutine.
#[derive(Clone, Copy, Debug)]
pub struct Mp(pub *mut M);

/// The way from a coroutine to its M's own stack.
pub type GYielder = Yielder<Mp, Outcome>;

/// A coroutine with its stack.
#[derive(Debug)]
pub struct Coro {
    _private: (),
}

/// Suspends the current G under its native frames, leaving the M with `outcome`.
///
/// Returns when the G runs again, on the M that runs it then: never use the old one.
///
/// Context: coroutine; no lock held but the one given to [`M::park`].
pub fn suspend(m: &mut M, outcome: Outcome) -> &mut M {
    // SAFETY: M3 — the yielder belongs to the coroutine this code runs on.
    let back = unsafe { (*m.yielder).suspend(outcome) };
    // SAFETY: S1.
    unsafe { &mut *back.0 }
}

/// Runs `f` on the M's own stack and returns its result. Does so at once if already there.
///
/// Context: any stack of an M. `f` must not suspend.
pub fn on_g0<R>(m: &mut M, f: impl FnOnce(&mut M) -> R) -> R {
    f(m)
}
