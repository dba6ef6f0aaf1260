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
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::thread::{self, Thread};

/// Heaps of so many bytes are large.
const LARGE: usize = 64 << 20;
/// The kernel's ordinary pages.
const STEP: usize = 4096;

/// The thread, once it has been started; none where the system had none left.
static THREAD: OnceLock<Option<Thread>> = OnceLock::new();
/// From where on the heap is to be touched, 0 if it need not be.
static FROM: AtomicUsize = AtomicUsize::new(0);

/// Starts the thread if the heap is large.
///
/// Context: g0.
pub(crate) fn begin(arena: &Arena) {
    // Where objects lie must not depend on when the thread comes.
    if arena.used() < LARGE || control::is_watched() {
        return;
    }
    THREAD.get_or_init(|| {
        let named = thread::Builder::new()
            .name("heap-ahead".into())
            .stack_size(64 << 10);
        let begun = signal::with_blocked(|| named.spawn(touch_on)).ok()?;
        Some(begun.thread().clone())
    });
}

/// The thread that touches fresh memory.
pub(super) fn thread() -> Option<&'static Thread> {
    THREAD.get()?.as_ref()
}

/// Has the heap touched from `at` on, where it has just grown.
pub(super) fn touch(thread: &Thread, at: usize) {
    FROM.store(at, Ordering::Release);
    thread.unpark();
}

fn touch_on() {
    let arena = &super::heap().arena;
    loop {
        thread::park();
        let from = FROM.swap(0, Ordering::Acquire);
        if from == 0 {
            continue;
        }
        for at in (from..arena.base() + arena.used()).step_by(STEP) {
            // SAFETY: the arena stays mapped, and what is used of it can be written. The program
            // may use the byte already: one access, which changes no value, is no race for it.
            let byte = unsafe { &*(at as *const AtomicU8) };
            let _ = byte.compare_exchange(0, 0, Ordering::Relaxed, Ordering::Relaxed);
        }
    }
}
