//! What is outside of the process: whether a run may reach it, and whether it can make a goroutine
//! runnable.

use super::log::{Kind, Record};
use super::operation::Operation;
use super::{STATE, calls, is_on, leave};
use crate::netpoll;
use crate::sync::plain::{AtomicBool, Ordering};

/// Exit status of a run that would have reached outside.
const REFUSED: i32 = 2;

/// See [`is_gated`].
pub(super) static GATED: AtomicBool = AtomicBool::new(false);
/// See [`hears_outside`].
static HEARS: AtomicBool = AtomicBool::new(false);

/// Something outside of the process that a program can reach, where that is to be allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u64)]
pub enum Outside {
    /// Another program.
    Process,
    /// A connection, or a message, to another machine or process.
    Dial,
    /// A port that other machines can reach.
    Listen,
    /// The name of another machine.
    Name,
    /// A file that others see.
    File,
}

impl Outside {
    /// What a program does that reaches it.
    pub const TEXTS: [&'static str; 5] = [
        "starts a process",
        "connects beyond loopback",
        "listens beyond loopback",
        "looks up a name",
        "writes a file outside of the temporary folder",
    ];
}

/// Does the run end where it would reach outside?
#[inline]
pub fn is_gated() -> bool {
    GATED.load(Ordering::Relaxed)
}

/// Ends the run where it would reach outside; `at` is where the program does so, 0 if nowhere.
pub fn refuse(outside: Outside, at: usize) -> ! {
    let op = Operation {
        at: at as u64,
        ..Operation::default()
    };
    let state = STATE.lock();
    state.push(Record {
        kind: Kind::Refused,
        g: state.now.key.g,
        op,
        other: outside as u64,
        ..Record::default()
    });
    drop(state);
    leave(REFUSED)
}

/// Can something outside of the process make a goroutine runnable? As long as nothing can, time
/// jumps and a deadlock is reported although goroutines wait in the poller.
pub(crate) fn hears_outside() -> bool {
    !is_on() || HEARS.load(Ordering::Relaxed)
}

/// Does a goroutine wait for something outside of the process, which may have come by now?
pub(super) fn hears_now() -> bool {
    calls::are_listed() || HEARS.load(Ordering::Relaxed) && netpoll::waiters() > 0
}

/// From now on something outside can make a goroutine runnable.
pub fn hear_outside() {
    HEARS.store(true, Ordering::Relaxed);
}

/// A descriptor goes into the poller. Only a pipe has both ends here.
pub(crate) fn registers(fd: i32) {
    let target = std::fs::read_link(format!("/proc/self/fd/{fd}"));
    let is_pipe = target.is_ok_and(|t| t.as_os_str().as_encoded_bytes().starts_with(b"pipe:"));
    if !is_pipe {
        hear_outside();
    }
}

// ---- The clock.
