#![allow(unsafe_code)]
//! Where the goroutines stood that a goroutine comes from, for `GODEBUG=tracebackancestors=N`.
//!
//! # Invariants
//!
//! - A1. `G::ancestors` belongs to the owner of the G; what it names is not changed.
//!
//! Go: runtime/proc.go, saveAncestors.

use std::sync::Arc;

use crate::g::{G, Goid};
use crate::knobs::{self, Knob};
use crate::m::M;

/// A goroutine that one of its ancestors' `go` statements has come from.
#[derive(Debug)]
pub struct Ancestor {
    pub goid: Goid,
    /// pc of its own `go` statement.
    pub gopc: usize,
    /// Where it stood, as [`Engine::way_out`](crate::Engine::way_out) tells, the innermost frame
    /// first.
    pub pcs: Vec<usize>,
}

/// Notes where `creator` stands, the current G of `m`, which starts `g`.
///
/// # Safety
///
/// Both are the caller's; the creator has saved its registers.
#[inline]
pub(crate) unsafe fn note(m: &M, creator: *const G, g: *mut G) {
    let most = knobs::get(Knob::TracebackAncestors);
    if most > 0 {
        // SAFETY: the caller's.
        unsafe { note_at_most(most as usize, m, creator, g) };
    }
}

#[cold]
unsafe fn note_at_most(most: usize, m: &M, creator: *const G, g: *mut G) {
    // SAFETY: the caller's; A1.
    unsafe {
        let Some(creator) = creator.as_ref() else {
            (*g).ancestors = None;
            return;
        };
        let nearest = Arc::new(Ancestor {
            goid: creator.goid,
            gopc: creator.gopc,
            pcs: m.engine.way_out(creator),
        });
        let further = creator.ancestors.iter().flat_map(|a| a.iter().cloned());
        let all = [nearest].into_iter().chain(further).take(most).collect();
        (*g).ancestors = Some(Arc::new(all));
    }
}
