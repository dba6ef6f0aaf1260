//! Goroutines that wait for ever, as the collector finds them.
//!
//! Go: runtime/mgc.go, findGoroutineLeaks; runtime/mprof.go, goroutineLeakProfileWithLabels.

use std::sync::atomic::{AtomicUsize, Ordering};

use gosched_runtime::{gc, prof};
use vm::native::{Cx, NativeResult, Res};

/// How many the last search has found.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Collects, and finds them.
pub(crate) fn find(cx: &mut Cx) -> Res<()> {
    gc::leaks::ask();
    cx.collect(|_| {
        COUNT.store(gc::leaks::asked(), Ordering::Relaxed);
        NativeResult::Ok
    })
}

/// How many the last search has found.
pub(crate) fn count() -> i64 {
    COUNT.load(Ordering::Relaxed) as i64
}

/// Those that the last search has found.
pub(crate) fn take(cx: &mut Cx) -> Vec<prof::Goroutine> {
    gc::leaks::found(cx.m())
}
