//! Profiles: which goroutines there are, where they wait, where memory is allocated, where time
//! goes.
//!
//! The runtime keeps *records*: a stack, as the engine gives it, and what was counted there.
//! Package runtime/pprof makes a file of them. What a record of a waiting goroutine counts is
//! decided at its park and booked by who wakes it ([`wait`]); of memory the allocator samples
//! ([`heap`]); of time a timer of each thread does ([`cpu`]).
//!
//! # Invariants
//!
//! - Q1. While no profile is switched on, a goroutine that waits costs the test of the word that a
//!   prompt tests too, an allocation nothing, and a thread nothing.
//!
//! Go: runtime/mprof.go, runtime/cpuprof.go.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::time::Duration;

pub mod ancestors;
pub mod cpu;
pub mod heap;
pub mod histogram;
pub mod metrics;
mod stacks;
pub mod wait;

pub(crate) use stacks::of;
pub use stacks::{Goroutine, goroutines, threads};

/// The most frames of a stack that a record keeps. Go: maxProfStackDepth.
pub const MAX_FRAMES: usize = 128;

/// What writes labels for tracebacks. Written once the program has set some.
static LABEL_TEXT: OnceLock<fn(usize) -> String> = OnceLock::new();

/// Has `write` write labels, as [`G::labels`](crate::G::labels) has them, for tracebacks.
pub fn write_labels_by(write: fn(usize) -> String) {
    LABEL_TEXT.get_or_init(|| write);
}

/// Labels for a traceback.
pub(crate) fn label_text(labels: usize) -> String {
    LABEL_TEXT
        .get()
        .map_or(String::new(), |write| write(labels))
}

/// What is to be done when the process ends. Written by [`at_end`].
static AT_END: OnceLock<fn()> = OnceLock::new();
/// It has been done, or is being done.
static HAS_ENDED: AtomicBool = AtomicBool::new(false);
/// The signal that is to end the process, or 0. Written by [`dies_later`].
static DIES_BY: AtomicI32 = AtomicI32::new(0);

/// Has `f` called before the process ends, unless it ends by a failure of the runtime.
pub fn at_end(f: fn()) {
    /// How long a signal that ends the process may wait.
    const PERIOD: Duration = Duration::from_millis(20);
    if AT_END.set(f).is_err() {
        return;
    }
    // A handler can do nothing of the kind.
    std::thread::spawn(|| {
        loop {
            std::thread::sleep(PERIOD);
            let sig = DIES_BY.load(Ordering::Relaxed);
            if sig != 0 {
                leaving();
                crate::signal::end_by(sig);
            }
        }
    });
}

/// The process ends: does what is to be done before.
///
/// Context: no lock of the runtime held.
pub(crate) fn leaving() {
    if let Some(f) = AT_END.get()
        && !HAS_ENDED.swap(true, Ordering::SeqCst)
    {
        f();
    }
}

/// Whether somebody else ends the process by the signal, when he has done what is to be done.
///
/// Context: signal handler.
pub(crate) fn dies_later(sig: i32) -> bool {
    let later = AT_END.get().is_some();
    if later {
        DIES_BY.store(sig, Ordering::Relaxed);
    }
    later
}
