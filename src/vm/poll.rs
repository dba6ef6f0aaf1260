#![allow(unsafe_code)]
//! Natives' way to the poller: reads and writes that park the goroutine until the descriptor is ready.
//!
//! A call on a descriptor in the poller never blocks the thread, so it is made without entering a system call. What would block
//! parks; the woken goroutine runs the same native from its start, which looks at closing and deadline before it tries again.
//!
//! # Invariants
//!
//! - L1. A handle is 0 (not in the poller) or the address of a [`PollDesc`], which is never freed. Only package internal/poll has
//!   handles, and programs cannot import that.
//!
//! Go: runtime/netpoll.go (poll_runtime_*), internal/poll/fd_poll_runtime.go.

use gosched_runtime::netpoll::{self, Mode, PollDesc, PollError, Waiting};

use super::native::{Cx, NativeFn, NativeResult, Res, Slice, finish, native};
use super::sys::{self, Errno};

/// In place of an error number: the descriptor is being closed.
pub const CLOSING: i64 = -1;
/// In place of an error number: the deadline has passed.
pub const TIMEOUT: i64 = -2;

fn desc(handle: u64) -> &'static PollDesc {
    // SAFETY: L1.
    unsafe { &*(handle as *const PollDesc) }
}

fn mode(write: bool) -> Mode {
    if write { Mode::Write } else { Mode::Read }
}

fn code(r: Result<(), PollError>) -> i64 {
    match r {
        Ok(()) => 0,
        Err(PollError::Closing) => CLOSING,
        Err(PollError::Timeout) => TIMEOUT,
    }
}

/// Registers a non-blocking descriptor: its handle, or an error number.
pub fn open(cx: &mut Cx, fd: i64) -> (u64, i64) {
    match netpoll::open(cx.m(), fd as i32) {
        Ok(d) => (std::ptr::from_ref(d) as u64, 0),
        Err(e) => (0, i64::from(e.raw_os_error().unwrap_or(libc::EIO))),
    }
}

/// Ends all waits on the descriptor, now and later.
pub fn evict(cx: &mut Cx, handle: u64) {
    if handle != 0 {
        desc(handle).evict(cx.m());
    }
}

/// Takes the descriptor, on which nobody waits any more, from the poller.
pub fn close(cx: &mut Cx, handle: u64) {
    if handle != 0 {
        desc(handle).close(cx.m());
    }
}

/// Before a call is tried: forgets earlier readiness. 0, [`CLOSING`] or [`TIMEOUT`].
pub fn prepare(handle: u64, write: bool) -> i64 {
    code(desc(handle).prepare(mode(write)))
}

/// Sets when waits time out: at the time `at` of the runtime's clock, never if 0, at once if negative.
pub fn set_deadline(cx: &mut Cx, handle: u64, write: bool, at: i64) {
    desc(handle).set_deadline(cx.m(), mode(write), at);
}

/// After a call would have blocked: waits for readiness. 0, [`CLOSING`] or [`TIMEOUT`].
pub fn wait(cx: &mut Cx, handle: u64, write: bool) -> Res<i64> {
    fn waited(cx: &mut Cx) -> NativeResult {
        // The same window: one result slot, then the parameters.
        let (handle, write) = (cx.slot(1), cx.slot(2) as u8 != 0);
        finish(code(desc(handle).wait_end(mode(write))), cx)
    }
    match desc(handle).wait_begin(cx.m(), mode(write)) {
        Waiting::Done(r) => Ok(code(r)),
        Waiting::Blocked => cx.parked(Some(waited)),
    }
}

/// Makes `call` until it does not say that it would block. A count and 0, or 0 and an error number.
fn until_done(
    cx: &mut Cx,
    handle: u64,
    mode: Mode,
    again: NativeFn,
    mut call: impl FnMut() -> Result<usize, Errno>,
) -> Res<(i64, i64)> {
    let d = desc(handle);
    loop {
        if let Err(e) = d.prepare(mode) {
            return Ok((0, code(Err(e))));
        }
        match call() {
            Ok(n) => return Ok((n as i64, 0)),
            Err(libc::EAGAIN) => match d.wait_begin(cx.m(), mode) {
                Waiting::Done(Ok(())) => {}
                Waiting::Done(Err(e)) => return Ok((0, code(Err(e)))),
                Waiting::Blocked => return cx.parked(Some(again)),
            },
            Err(e) => return Ok((0, i64::from(e))),
        }
    }
}

/// A count and 0, or 0 and an error number.
fn counted(r: Result<usize, Errno>) -> (i64, i64) {
    match r {
        Ok(n) => (n as i64, 0),
        Err(e) => (0, i64::from(e)),
    }
}

/// Reads once; waits in the poller, or in the kernel if `handle` is 0.
pub fn read(cx: &mut Cx, handle: u64, fd: i64, p: Slice<u8>) -> Res<(i64, i64)> {
    let mut p = p;
    let handle = if gosched_runtime::fault!(PollInherited) && handle == 0 {
        sys::set_nonblocking(fd as i32);
        open(cx, fd).0
    } else {
        handle
    };
    if handle == 0 {
        return Ok(counted(
            cx.blocking(|| sys::read(fd as i32, p.as_mut_slice())),
        ));
    }
    let again = native(|cx: &mut Cx, h: u64, fd: i64, p: Slice<u8>| read(cx, h, fd, p)).0;
    until_done(cx, handle, Mode::Read, again, || {
        sys::try_read(fd as i32, p.as_mut_slice())
    })
}

/// Writes once, perhaps a part; waits as [`read`] does.
pub fn write(cx: &mut Cx, handle: u64, fd: i64, p: Slice<u8>) -> Res<(i64, i64)> {
    if handle == 0 {
        return Ok(counted(cx.blocking(|| sys::write(fd as i32, p.as_slice()))));
    }
    let again = native(|cx: &mut Cx, h: u64, fd: i64, p: Slice<u8>| write(cx, h, fd, p)).0;
    until_done(cx, handle, Mode::Write, again, || {
        sys::try_write(fd as i32, p.as_slice())
    })
}
