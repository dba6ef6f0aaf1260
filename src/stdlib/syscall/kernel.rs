//! The kernel's file and process calls, each as a safe function that gives the error number.
//!
//! Descriptors are plain numbers, as Go programs use them; a wrong one is the kernel's `EBADF`.
//! Calls interrupted by a signal are made again, unless the goroutine itself is interrupted: then
//! they fail with `EINTR`. A native that may block calls these within `Cx::blocking` or
//! `Cx::system_call`.
//!
//! # Invariants
//!
//! - Y1. Pointers given to the kernel come from slices that outlive the call,
//!   or from NUL-terminated copies.
//! - Y2. [`raw_call`] does what the program asks, as its `unsafe.Pointer` would; the library's own
//!   Go text passes it addresses of variables that outlive the call.
//!
//! Go: syscall/zsyscall_linux_amd64.go; os/file_unix.go; runtime/sigqueue.go for SIGPIPE.
#![allow(unsafe_code)]

use gosched_runtime::control::tape;
use gosched_runtime::{preempt, prompt};
use std::ffi::CString;
use vm::native::outside::{Asked, ask};
use vm::native::{Cx, Res};

/// A kernel error number, never 0.
pub(crate) type Errno = i32;

/// What the kernel gets from these functions, from those of the C library that they call, and from
/// those of `std::fs`: for traces.
pub(crate) mod calls {
    use gosched_runtime::syscall::KernelCall;

    macro_rules! calls {
        ($($name:ident: $number:ident;)*) => {
            $(pub(crate) const $name: KernelCall = KernelCall(libc::$number);)*
        };
    }

    calls! {
        CHDIR: SYS_chdir;
        CHMOD: SYS_chmod;
        CLONE: SYS_clone;
        CLOSE: SYS_close;
        FSYNC: SYS_fsync;
        FTRUNCATE: SYS_ftruncate;
        FUTEX: SYS_futex;
        LINK: SYS_linkat;
        MKDIR: SYS_mkdir;
        OPEN: SYS_openat;
        PREAD: SYS_pread64;
        PWRITE: SYS_pwrite64;
        RANDOM: SYS_getrandom;
        READ: SYS_read;
        READLINK: SYS_readlink;
        RENAME: SYS_rename;
        RMDIR: SYS_rmdir;
        SLEEP: SYS_clock_nanosleep;
        SYMLINK: SYS_symlink;
        UNLINK: SYS_unlink;
        WRITE: SYS_write;
    }
}

/// The calling thread's error number.
fn errno() -> Errno {
    std::io::Error::last_os_error()
        .raw_os_error()
        .unwrap_or(libc::EIO)
}

/// Repeats a call while a signal interrupts it.
fn retry(mut call: impl FnMut() -> isize) -> Result<usize, Errno> {
    loop {
        let n = call();
        if n >= 0 {
            return Ok(n as usize);
        }
        match errno() {
            libc::EINTR if !preempt::is_call_cut() => {}
            e => return Err(e),
        }
    }
}

fn check(result: i32) -> Result<(), Errno> {
    if result < 0 { Err(errno()) } else { Ok(()) }
}

fn c_path(path: &[u8]) -> Result<CString, Errno> {
    CString::new(path).map_err(|_| libc::EINVAL)
}

/// A system call by its number: the result and the error number.
pub(crate) fn raw_call(number: u64, args: [u64; 6]) -> (u64, u64) {
    let [a, b, c, d, e, f] = args;
    // SAFETY: Y2.
    let r = unsafe { libc::syscall(number as libc::c_long, a, b, c, d, e, f) };
    if r == -1 {
        return (u64::MAX, errno() as u64);
    }
    (r as u64, 0)
}

/// Puts a descriptor into non-blocking mode, for tests that break a rule.
pub(crate) fn set_nonblocking(fd: i32) {
    // SAFETY: no memory is involved.
    unsafe { libc::fcntl(fd, libc::F_SETFL, libc::O_NONBLOCK) };
}

/// Reads at most 1 GiB from a non-blocking descriptor; `EAGAIN` if there is nothing yet.
pub(crate) fn try_read(fd: i32, buf: &mut [u8]) -> Result<usize, Errno> {
    // SAFETY: Y1.
    retry(|| unsafe { libc::read(fd, buf.as_mut_ptr().cast(), buf.len().min(1 << 30)) })
}

/// The reader of standard output or error has gone:
/// ends the process by SIGPIPE, unless the program deals with that signal.
fn broken_standard_pipe() {
    use gosched_runtime::signal;
    if !signal::is_wanted(libc::SIGPIPE) && !signal::is_ignored(libc::SIGPIPE) {
        signal::end_by(libc::SIGPIPE);
    }
}

/// Waits until a non-blocking descriptor is ready.
fn wait_ready(fd: i32, events: i16) -> Result<(), Errno> {
    let mut poll = libc::pollfd {
        fd,
        events,
        revents: 0,
    };
    // SAFETY: Y1.
    retry(|| unsafe { libc::poll(&mut poll, 1, -1) as isize }).map(|_| ())
}

/// Reads at most 1 GiB; 0 at the end; `EAGAIN` if the descriptor is in non-blocking mode and there
/// is nothing yet.
pub fn read(fd: i32, buf: &mut [u8]) -> Result<usize, Errno> {
    if fd == 0 && prompt::is_attached() {
        wait_for_turn()?;
    }
    try_read(fd, buf)
}

/// Makes `call` on a descriptor that may be in non-blocking mode, until it does not say `EAGAIN`.
pub fn patiently(
    fd: i32,
    events: i16,
    mut call: impl FnMut() -> Result<usize, Errno>,
) -> Result<usize, Errno> {
    loop {
        match call() {
            Err(libc::EAGAIN) => wait_ready(fd, events)?,
            done => return done,
        }
    }
}

/// Waits until standard input has something and a prompt evaluates an input: what is typed at
/// other times is for the prompt.
fn wait_for_turn() -> Result<(), Errno> {
    const NAP_MS: i32 = 10;
    let poll = |n: u64, patience: i32| {
        let mut poll = libc::pollfd {
            fd: 0,
            events: libc::POLLIN,
            revents: 0,
        };
        // SAFETY: Y1.
        retry(|| unsafe { libc::poll(&mut poll, n, patience) as isize })
    };
    loop {
        if !prompt::is_evaluating() {
            poll(0, NAP_MS)?;
        } else if poll(1, NAP_MS)? > 0 && prompt::is_evaluating() {
            return Ok(());
        }
    }
}

/// Writes at most 1 GiB; `EAGAIN` if the descriptor is in non-blocking mode and there is no room.
/// A broken pipe on standard output or error ends the process by SIGPIPE, as in Go.
pub fn write(fd: i32, buf: &[u8]) -> Result<usize, Errno> {
    // SAFETY: Y1.
    let r = retry(|| unsafe { libc::write(fd, buf.as_ptr().cast(), buf.len().min(1 << 30)) });
    if r == Err(libc::EPIPE) && (fd == 1 || fd == 2) {
        broken_standard_pipe();
    }
    r
}

/// Reads at an offset in bytes.
pub(crate) fn pread(fd: i32, buf: &mut [u8], offset: i64) -> Result<usize, Errno> {
    // SAFETY: Y1.
    retry(|| unsafe { libc::pread(fd, buf.as_mut_ptr().cast(), buf.len().min(1 << 30), offset) })
}

/// Writes at an offset in bytes.
pub(crate) fn pwrite(fd: i32, buf: &[u8], offset: i64) -> Result<usize, Errno> {
    // SAFETY: Y1.
    retry(|| unsafe { libc::pwrite(fd, buf.as_ptr().cast(), buf.len().min(1 << 30), offset) })
}

/// Opens a file.
pub fn open(path: &[u8], flags: i32, perm: u32) -> Result<i32, Errno> {
    let path = c_path(path)?;
    // SAFETY: Y1.
    retry(|| unsafe { libc::open(path.as_ptr(), flags, perm) as isize }).map(|fd| fd as i32)
}

/// Closes a descriptor.
pub fn close(fd: i32) -> Result<(), Errno> {
    // SAFETY: no memory is involved.
    check(unsafe { libc::close(fd) })
}

/// Closes a descriptor of the program's; the error number.
pub(crate) fn closes(cx: &mut Cx, fd: i32) -> Res<i64> {
    tape::closes(fd);
    let told = |asked: &mut Asked| asked.number(fd as u64);
    ask(cx, "close", told, &[], |cx| {
        Ok(cx
            .blocking(calls::CLOSE, || close(fd))
            .err()
            .map_or(0, i64::from))
    })
}

/// Is the descriptor standard output or error of a recorded run? At a terminal other programs are
/// to find that.
pub(crate) fn is_taped(fd: i32) -> bool {
    // SAFETY: no memory is involved.
    tape::is_on() && tape::standard(fd).is_some() && unsafe { libc::isatty(fd) } == 0
}

/// Would a call on the descriptor wait for these events?
pub(crate) fn would_wait(fd: i32, events: i16) -> bool {
    let mut poll = libc::pollfd {
        fd,
        events,
        revents: 0,
    };
    // SAFETY: Y1.
    retry(|| unsafe { libc::poll(&mut poll, 1, 0) as isize }) == Ok(0)
}

/// Moves a file's position; the new one in bytes.
pub(crate) fn seek(fd: i32, offset: i64, whence: i32) -> Result<i64, Errno> {
    // SAFETY: no memory is involved.
    let at = unsafe { libc::lseek(fd, offset, whence) };
    if at < 0 { Err(errno()) } else { Ok(at) }
}

/// A pipe: its reading and its writing end.
pub fn pipe(flags: i32) -> Result<(i32, i32), Errno> {
    let mut ends = [0; 2];
    // SAFETY: Y1.
    check(unsafe { libc::pipe2(ends.as_mut_ptr(), flags) })?;
    Ok((ends[0], ends[1]))
}

/// Random bytes, as many as the result says.
pub fn random(buf: &mut [u8]) -> Result<usize, Errno> {
    // SAFETY: Y1.
    retry(|| unsafe { libc::getrandom(buf.as_mut_ptr().cast(), buf.len(), 0) })
}

/// Sends a signal.
pub fn kill(pid: i32, signal: i32) -> Result<(), Errno> {
    // SAFETY: no memory is involved.
    check(unsafe { libc::kill(pid, signal) })
}

/// Sleeps in the kernel for `ns` nanoseconds, through signals.
pub(crate) fn nanosleep(ns: i64) -> Result<(), Errno> {
    let mut left = libc::timespec {
        tv_sec: ns / 1_000_000_000,
        tv_nsec: ns % 1_000_000_000,
    };
    loop {
        let want = left;
        // SAFETY: Y1.
        match check(unsafe { libc::nanosleep(&want, &mut left) }) {
            Err(libc::EINTR) if !preempt::is_call_cut() => {}
            done => return done,
        }
    }
}

/// Cuts or extends an open file.
pub(crate) fn ftruncate(fd: i32, size: i64) -> Result<(), Errno> {
    // SAFETY: no memory is involved.
    check(unsafe { libc::ftruncate(fd, size) })
}

/// The status flags of a descriptor (fcntl's F_GETFL), 0 if it has none.
pub(crate) fn status_flags(fd: i32) -> i32 {
    // SAFETY: no memory is involved.
    unsafe { libc::fcntl(fd, libc::F_GETFL) }.max(0)
}

/// Writes a file's data through to the disk.
pub(crate) fn fsync(fd: i32) -> Result<(), Errno> {
    // SAFETY: no memory is involved.
    check(unsafe { libc::fsync(fd) })
}

/// The machine's name.
pub(crate) fn hostname() -> Result<Vec<u8>, Errno> {
    let mut buf = [0u8; 256];
    // SAFETY: Y1.
    check(unsafe { libc::gethostname(buf.as_mut_ptr().cast(), buf.len()) })?;
    Ok(buf.split(|&b| b == 0).next().unwrap_or_default().to_vec())
}
