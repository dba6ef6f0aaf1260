#![allow(unsafe_code)]
//! A prompt attached to a program: its inputs are functions that a thread outside of the runtime
//! starts, each in a goroutine of its own. See [`gosched_runtime::prompt`].

use super::call;
use super::{engine, exec};
use bytecode::func;
use bytecode::image::Loaded;
use gosched_runtime::m::M;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

pub use gosched_runtime::prompt::{
    Ended, Info, Input, Kind, Step, View, Who, collect, delayed, goroutines, hear_interrupts, hold,
    interrupt, is_attached, is_evaluating, is_paused, kill, leave_alone, memory, on_exit,
    park_until_ended, pause, raise_interrupt, release, resume, set_gomaxprocs, set_mechanism,
    stack, step, take_interrupt, view, wait, wait_timeout, watch, watched, who,
};

/// What is to be called when the prompt is attached; none if no prompt is wanted.
static READY: Mutex<Option<Box<dyn FnOnce() + Send>>> = Mutex::new(None);

/// Initialises the program and attaches a prompt: goroutine 1 then waits for ever, and `ready` is
/// called, on any thread. `main.main` is not called. The process ends by `os.Exit` or what cannot
/// be recovered.
pub fn start(program: Loaded, ready: impl FnOnce() + Send + 'static) -> ! {
    exec::prepare();
    *READY.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(ready));
    engine::launch(program.init)
}

/// Where the thing is that the prompt asks about.
static LOOKED_AT: AtomicUsize = AtomicUsize::new(0);

/// The prompt asks about what is at this address.
pub fn look(at: usize) {
    LOOKED_AT.store(at, Ordering::Relaxed);
}

/// What the prompt has asked about last; it is not asked about any more.
pub fn looked_at() -> usize {
    LOOKED_AT.swap(0, Ordering::Relaxed)
}

/// Attaches the prompt if one is wanted; whether the main goroutine is to park now.
pub(super) fn attach(m: &mut M) -> bool {
    let ready = READY.lock().unwrap_or_else(PoisonError::into_inner).take();
    let Some(ready) = ready else {
        return false;
    };
    gosched_runtime::prompt::attach(m, ready);
    true
}

/// Starts a goroutine that calls function `index`, which has no parameters and no results: such as
/// the `init` of a unit.
///
/// Context: a thread that is none of the runtime's, once `ready` of [`start`] was called.
pub fn inject(index: u32) -> Input {
    let entry = func::entry(index).entry.load(Ordering::Relaxed);
    gosched_runtime::prompt::inject(entry, |g| {
        // SAFETY: the goroutine is fresh.
        unsafe { call::lay(g, index, 0) }
    })
}
