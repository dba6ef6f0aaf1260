//! What is known of goroutines, Ps and threads.

use std::sync::Arc;

use super::wire::NO_THREAD;

/// What a goroutine does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u64)]
pub(super) enum Status {
    Runnable = 1,
    /// On this thread, as the next.
    Running = 2,
    Calls = 3,
    Waits = 4,
}

/// A goroutine.
#[derive(Clone, Debug)]
pub(super) struct Goroutine {
    /// Its function, if that is known.
    pub(super) name: Option<Arc<str>>,
    pub(super) status: Status,
    /// The thread that it runs or calls on.
    pub(super) m: i64,
    pub(super) seq: u64,
    /// It has stopped the world, and has not been told to have started it again.
    pub(super) stops: bool,
    /// Nothing has been told of it but what it did as the trace began: the event that led to that
    /// may still come.
    pub(super) is_fresh: bool,
}

/// A P.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Processor {
    /// The thread that holds it.
    pub(super) m: Option<i64>,
    /// Its thread is in a system call.
    pub(super) calls: bool,
    pub(super) seq: u64,
}

/// What a thread holds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Thread {
    pub(super) p: Option<i64>,
    pub(super) g: Option<u64>,
}

/// What waits for a goroutine that runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Late {
    Procs(u64),
    GcBegin,
    /// One goes on as a generation begins.
    GcActive,
    /// So many bytes are alive.
    GcEnd(u64),
}

/// A goroutine of which nothing else is known.
pub(super) fn fresh(status: Status) -> Goroutine {
    Goroutine {
        name: None,
        status,
        m: NO_THREAD,
        seq: 0,
        stops: false,
        is_fresh: false,
    }
}
