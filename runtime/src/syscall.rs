//! System calls: giving the P away while the kernel keeps the thread.
//!
//! Go: runtime/proc.go, entersyscall, exitsyscall.

use crate::m::M;

/// Before a call that may block: keeps a weak hold of the P, which sysmon may take.
///
/// Context: coroutine; no lock held. Until [`exit`] no heap, no park, no spawn.
pub fn enter(m: &mut M) {
    let _ = m;
    todo!()
}

/// Before a call known to block: gives the P away at once.
///
/// Context: as [`enter`].
pub fn enter_block(m: &mut M) {
    let _ = m;
    todo!()
}

/// After the call: takes the old P back, or another, or parks the G until there is one.
///
/// Returns the M the G runs on now: never use the old one.
pub fn exit(m: &mut M) -> &mut M {
    let _ = &m;
    todo!()
}
