#![allow(unsafe_code)]
//! Natives' way to the poller: reads and writes that park the goroutine until the descriptor is
//! ready, and the uses of descriptors.
//!
//! A call on a descriptor in the poller never blocks the thread, so it is made without entering a
//! system call. What would block parks; the woken goroutine runs the same native from its start,
//! which looks at closing and deadline before it tries again.
//!
//! # Invariants
//!
//! - L1. A handle is 0 (not in the poller) or the address of a [`PollDesc`], which is never freed.
//!   Only package internal/poll has handles, and programs cannot import that.
//! - L2. Pointers to descriptors come from parameters of the type `*FD` of that package,
//!   whose layout [`Fd`] has.
//!
//! Go: runtime/netpoll.go (poll_runtime_*),
//! internal/poll/fd_poll_runtime.go, fd_mutex.go and fd_unix.go.

use std::sync::atomic::{AtomicI64, Ordering};

use gosched_runtime::chan::{self, Chan};
use gosched_runtime::mutex::Mutex;
use gosched_runtime::netpoll::{self, Mode, PollDesc, PollError, Waiting};

use crate::syscall::natives::kernel::{self, Errno, calls};
use crate::syscall::natives::loopback;
use vm::native::outside::{self, Asked, Piece};
use vm::native::{Cx, NativeFn, NativeResult, Ptr, Res, Slice, finish, native};

/// In place of an error number: the descriptor is being closed.
pub(crate) const CLOSING: i64 = -1;
/// In place of an error number: the deadline has passed.
pub(crate) const TIMEOUT: i64 = -2;
/// In place of an error number: the goroutine was interrupted.
pub(crate) const INTERRUPTED: i64 = -3;

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
    if let Some(d) = loopback::opens(fd as i32) {
        return (std::ptr::from_ref(d) as u64, 0);
    }
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

/// Before a call is tried: forgets earlier readiness. 0, [`CLOSING`] or [`TIMEOUT`].
pub fn prepare(handle: u64, write: bool) -> i64 {
    code(desc(handle).prepare(mode(write)))
}

/// Sets when waits time out: at the time `at` of the runtime's clock,
/// never if 0, at once if negative.
pub fn set_deadline(cx: &mut Cx, handle: u64, write: bool, at: i64) {
    desc(handle).set_deadline(cx.m(), mode(write), at);
}

/// After a call would have blocked: waits for readiness. 0, [`CLOSING`], [`TIMEOUT`] or
/// [`INTERRUPTED`].
pub fn wait(cx: &mut Cx, handle: u64, write: bool) -> Res<i64> {
    fn waited(cx: &mut Cx) -> NativeResult {
        // SAFETY: the same window: one result slot, then the parameters.
        let (handle, write): (u64, bool) = unsafe { (cx.at(1), cx.at(2)) };
        let ended = code(desc(handle).wait_end(mode(write)));
        let code = if cx.is_interrupted() {
            INTERRUPTED
        } else {
            ended
        };
        finish(code, cx)
    }
    if cx.is_interrupted() {
        return Ok(INTERRUPTED);
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
    mut call: impl FnMut(&mut Cx) -> Res<Result<usize, Errno>>,
) -> Res<(i64, i64)> {
    let d = desc(handle);
    loop {
        if let Err(e) = d.prepare(mode) {
            return Ok((0, code(Err(e))));
        }
        match call(cx)? {
            Ok(n) => return Ok((n as i64, 0)),
            Err(libc::EAGAIN) if cx.is_interrupted() => return Ok((0, INTERRUPTED)),
            Err(libc::EAGAIN) => match d.wait_begin(cx.m(), mode) {
                Waiting::Done(Ok(())) => {}
                Waiting::Done(Err(e)) => return Ok((0, code(Err(e)))),
                Waiting::Blocked => return cx.parked(Some(again)),
            },
            Err(e) => return Ok(counted(Err(e))),
        }
    }
}

/// A count and 0, or 0 and an error number.
fn counted(r: Result<usize, Errno>) -> (i64, i64) {
    match r {
        Ok(n) => (n as i64, 0),
        // Other calls that a signal cuts short are made again.
        Err(libc::EINTR) => (0, INTERRUPTED),
        Err(e) => (0, i64::from(e)),
    }
}

/// A descriptor as package internal/poll declares it.
#[repr(C)]
struct Fd {
    /// Twice the number of uses; odd once closed.
    state: AtomicI64,
    reading: Mutex,
    writing: Mutex,
    /// Of one in the poller: closed when it is closed in the kernel.
    gone: *mut Chan,
    /// The poller's handle.
    handle: u64,
    /// Of the close in the kernel.
    errno: i64,
    sysfd: i64,
    is_stream: bool,
    zero_read_is_eof: bool,
    /// An error.
    closed: [usize; 2],
    /// Is it not in the poller?
    blocking: bool,
}

const CLOSED: i64 = 1;
const ONE_USE: i64 = 2;

impl Fd {
    /// What reads and writes of the descriptor wait with, and its number.
    ///
    /// # Safety
    ///
    /// `fd` is live, and in use until this returns.
    unsafe fn in_use(fd: *const Fd) -> (u64, i32) {
        // SAFETY: L2; reads words of Go memory, which races may change as they do in Go.
        unsafe {
            let sysfd = (*fd).sysfd as i32;
            let blocks = (*fd).blocking && !loopback::is_socket(sysfd);
            (if blocks { 0 } else { (*fd).handle }, sysfd)
        }
    }

    /// Does the poller know the descriptor, also if the program has had its number since? Then a
    /// call that would block waits; else it gives `EAGAIN`, if the program has set that mode.
    ///
    /// # Safety
    ///
    /// As of [`Fd::in_use`].
    unsafe fn is_known(fd: *const Fd) -> bool {
        // SAFETY: L2; reads a word of Go memory.
        unsafe { (*fd).handle != 0 }
    }
}

/// Counts one more use of the descriptor, unless it has been closed.
pub fn begin(fd: Ptr) -> Res<bool> {
    let fd = fd.check()? as *const Fd;
    // SAFETY: L2.
    let state = unsafe { &(*fd).state };
    let use_it = |s| (s & CLOSED == 0).then_some(s + ONE_USE);
    let (done, seen) = (Ordering::AcqRel, Ordering::Relaxed);
    Ok(state.fetch_update(done, seen, use_it).is_ok())
}

/// Ends a use; the last one of a closed descriptor closes it in the kernel.
pub fn end(cx: &mut Cx, fd: Ptr) -> Res<()> {
    let fd = fd.check()? as *mut Fd;
    // SAFETY: L2; after the last use no other thread touches what is touched here.
    unsafe {
        if (*fd).state.fetch_sub(ONE_USE, Ordering::AcqRel) != CLOSED + ONE_USE {
            return Ok(());
        }
        let handle = (*fd).handle;
        if handle != 0 {
            desc(handle).close(cx.m());
        }
        let sysfd = (*fd).sysfd as i32;
        loopback::closes(cx, sysfd);
        (*fd).errno = kernel::closes(cx, sysfd)?;
        (*fd).sysfd = -1;
        let gone = (*fd).gone;
        if !gone.is_null() {
            let closed = chan::close(cx.m(), gone);
            debug_assert!(closed.is_ok());
        }
    }
    Ok(())
}

/// Reads once; waits in the poller, or in the kernel if the descriptor is not in the poller.
pub fn read(cx: &mut Cx, fd: Ptr, mut p: Slice<u8>) -> Res<(i64, i64)> {
    let go_fd = fd.check()? as *const Fd;
    // SAFETY: L2, and the caller has begun a use.
    let ((mut handle, sysfd), is_known) = unsafe { (Fd::in_use(go_fd), Fd::is_known(go_fd)) };
    if gosched_runtime::fault!(PollInherited) && handle == 0 {
        kernel::set_nonblocking(sysfd);
        handle = open(cx, i64::from(sysfd)).0;
    }
    if handle == 0 {
        return reads(cx, sysfd, p, |cx, p| {
            let waits = || kernel::would_wait(sysfd, libc::POLLIN);
            cx.waiting(calls::READ, waits, || {
                let mut read = || kernel::read(sysfd, p.as_mut_slice());
                match is_known {
                    true => kernel::patiently(sysfd, libc::POLLIN, read),
                    false => read(),
                }
            })
        })
        .map(counted);
    }
    let again = native(
        |cx: &mut Cx, fd: Ptr, p: Slice<u8>| match cx.is_interrupted() {
            true => Ok((0, INTERRUPTED)),
            false => read(cx, fd, p),
        },
    )
    .func;
    until_done(cx, handle, Mode::Read, again, |cx| {
        if let Some(done) = loopback::read(cx, sysfd, p.as_mut_slice()) {
            cx.touches(p.as_ptr(), done.unwrap_or(0), true);
            return Ok(done);
        }
        reads(cx, sysfd, p, |_, p| {
            kernel::try_read(sysfd, p.as_mut_slice())
        })
    })
}

/// Reads by `f`, or what was read when it was recorded.
fn reads(
    cx: &mut Cx,
    fd: i32,
    p: Slice<u8>,
    f: impl FnOnce(&mut Cx, &mut Slice<u8>) -> Result<usize, Errno>,
) -> Res<Result<usize, Errno>> {
    let mut p = p;
    let piece = Piece::filled(&mut p);
    let told = |asked: &mut Asked| {
        asked.number(fd as u64);
        asked.number(p.len() as u64);
    };
    let mut to = p;
    let r = outside::ask(cx, "read", told, &[piece], |cx| Ok(split(f(cx, &mut to))))?;
    cx.touches(p.as_ptr(), r.0 as usize, true);
    Ok(joined(r))
}

/// Writes by `f`, or as was written when it was recorded.
fn writes(
    cx: &mut Cx,
    fd: i32,
    bytes: &[u8],
    f: impl FnOnce(&mut Cx) -> Result<usize, Errno>,
) -> Res<Result<usize, Errno>> {
    let told = |asked: &mut Asked| {
        asked.number(fd as u64);
        asked.bytes(bytes);
    };
    let r = outside::ask(cx, "write", told, &[], |cx| Ok(split(f(cx))))?;
    outside::written(i64::from(fd), bytes, r.0);
    Ok(joined(r))
}

/// A count and an error number, one of which is 0.
fn split(r: Result<usize, Errno>) -> (i64, i64) {
    match r {
        Ok(n) => (n as i64, 0),
        Err(e) => (0, i64::from(e)),
    }
}

fn joined((n, errno): (i64, i64)) -> Result<usize, Errno> {
    match errno {
        0 => Ok(n as usize),
        e => Err(e as Errno),
    }
}

/// Writes until all is written, the descriptor takes nothing, or something fails;
/// waits as [`read`] does.
pub fn write(cx: &mut Cx, fd: Ptr, p: Slice<u8>) -> Res<(i64, i64)> {
    cx.set_state(DONE, 0);
    write_rest(cx, fd, p)
}

/// Where a write keeps the number of bytes written.
const DONE: usize = 0;

fn write_rest(cx: &mut Cx, fd: Ptr, p: Slice<u8>) -> Res<(i64, i64)> {
    let go_fd = fd.check()? as *const Fd;
    // SAFETY: L2, and the caller has begun a use.
    let ((handle, sysfd), is_known) = unsafe { (Fd::in_use(go_fd), Fd::is_known(go_fd)) };
    let again = native(
        |cx: &mut Cx, fd: Ptr, p: Slice<u8>| match cx.is_interrupted() {
            true => Ok((0, INTERRUPTED)),
            false => write_rest(cx, fd, p),
        },
    )
    .func;
    loop {
        let done = cx.state(DONE);
        let rest = &p.as_slice()[done..];
        let (n, code) = if handle == 0 {
            let r = writes(cx, sysfd, rest, |cx| {
                let waits = || kernel::would_wait(sysfd, libc::POLLOUT);
                cx.waiting(calls::WRITE, waits, || {
                    let write = || kernel::write(sysfd, rest);
                    match is_known {
                        true => kernel::patiently(sysfd, libc::POLLOUT, write),
                        false => write(),
                    }
                })
            })?;
            counted(r)
        } else {
            until_done(cx, handle, Mode::Write, again, |cx| {
                match loopback::write(cx, sysfd, rest) {
                    Some(done) => Ok(done),
                    None => writes(cx, sysfd, rest, |_| kernel::write(sysfd, rest)),
                }
            })?
        };
        cx.touches(rest.as_ptr(), n as usize, false);
        let done = done + n as usize;
        if code != 0 || n == 0 || done == p.as_slice().len() {
            return Ok((done as i64, code));
        }
        cx.set_state(DONE, done);
        cx.poll();
    }
}
