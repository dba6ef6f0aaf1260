//! Asking a G to stop, and where it may stop.
//!
//! Go: runtime/preempt.go.

use crate::g::G;
use crate::m::M;

/// Why a prologue's check failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Newstack {
    /// Leave with `Outcome::Yield(YieldKind::Preempt)`.
    Preempt,
    /// Call [`crate::stack::grow`].
    Grow,
    /// Go on: the request was put off.
    Continue,
}

/// Tells why the prologue of a function that needs `need` bytes above `g.sched.top` failed.
///
/// Context: coroutine; `g` is current, its registers saved.
pub fn newstack_check(m: &mut M, g: &mut G) -> Newstack {
    let _ = (m, g);
    todo!()
}
