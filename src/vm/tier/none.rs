//! The native tier where there is none.

use super::exec::{Handler, TABLE};
use bytecode::func::FuncInfo;
use gosched_runtime::sched::Gref;

pub(super) fn prepare() {}

/// The dispatch table of runs that are not watched.
#[inline]
pub(super) fn table() -> *const Handler {
    TABLE.as_ptr()
}

/// No table is the tier's.
#[inline]
pub(super) fn resumed(_: *const Handler) -> Option<&'static Handler> {
    None
}

/// No fault is one of native code.
#[cfg(target_arch = "x86_64")]
pub(super) fn after_fault(_: usize) -> Option<usize> {
    None
}

/// No address is in native code.
#[cfg(target_arch = "x86_64")]
pub(super) fn pc_at(_: usize) -> Option<usize> {
    None
}

/// There is no native code.
pub(super) fn is_full() -> bool {
    false
}

/// Gives none back.
///
/// # Safety
///
/// There is nothing to it.
#[allow(unsafe_code, reason = "as where there is native code")]
pub(super) unsafe fn give_back(_: &[Gref]) {}

/// There is no native code.
pub fn listing(_: &FuncInfo) -> Option<String> {
    None
}
