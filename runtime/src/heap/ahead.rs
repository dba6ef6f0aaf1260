//! Fresh memory of a large heap is there before the program comes to it.
//!
//! The kernel clears memory when it is first touched, 2 MB at a time in a large heap; where it must
//! find them first, or a hypervisor must, that takes milliseconds, in which a P does nothing. So a
//! large heap grows while it still has some free memory, and a thread touches what is new.
//!
//! Go: none; its heap has pages of 4 KB, each of which the program waits for.

use super::arena::Arena;
use crate::{control, signal};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::thread::{self, Thread};

/// Heaps of so many bytes are large.
const LARGE: usize = 64 << 20;
/// The kernel's ordinary pages.
const STEP: usize = 4096;

/// The thread, once it is there.
static THREAD: OnceLock<Thread> = OnceLock::new();
static HAS_BEGUN: AtomicBool = AtomicBool::new(false);
/// What it is asked to touch: an address and a length, 0 if nothing.
static AT: AtomicUsize = AtomicUsize::new(0);
static LEN: AtomicUsize = AtomicUsize::new(0);

/// Starts the thread if the heap is large. A system that has no thread left does without.
///
/// Context: g0.
pub(crate) fn begin(arena: &Arena) {
    // Where objects lie must not depend on when the thread comes.
    if arena.used() < LARGE || control::is_watched() {
        return;
    }
    start();
}

fn start() {
    if HAS_BEGUN.swap(true, Ordering::Relaxed) {
        return;
    }
    let named = thread::Builder::new()
        .name("heap-ahead".into())
        .stack_size(64 << 10);
    let thread = signal::with_blocked(|| named.spawn(touch_on));
    if let Ok(thread) = thread {
        let _ = THREAD.set(thread.thread().clone());
    }
}

/// Is there a thread that touches fresh memory?
pub(super) fn is_on() -> bool {
    THREAD.get().is_some()
}

/// Has the `len` bytes at `at` touched, which the heap has just grown by.
pub(super) fn touch(at: usize, len: usize) {
    LEN.store(len, Ordering::Relaxed);
    AT.store(at, Ordering::Release);
    if let Some(thread) = THREAD.get() {
        thread.unpark();
    }
}

fn touch_on() {
    loop {
        thread::park();
        let at = AT.swap(0, Ordering::Acquire);
        if at == 0 {
            continue;
        }
        for at in (at..at + LEN.load(Ordering::Relaxed)).step_by(STEP) {
            // SAFETY: the arena stays mapped, and what it has grown by can be written. The program
            // may use the byte already: one access, which changes no value, is no race for it.
            let byte = unsafe { &*(at as *const AtomicU8) };
            let _ = byte.compare_exchange(0, 0, Ordering::Relaxed, Ordering::Relaxed);
        }
    }
}
