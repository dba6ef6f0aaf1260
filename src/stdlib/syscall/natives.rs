//! Package `syscall`: a few calls of the kernel, and its errors.
//!
//! Every call that may wait is made as a system call of the scheduler's,
//! so the P moves on if it lasts.
//!
//! Go: syscall.

use std::ffi::CString;

use gosched_runtime::control::tape;
use gosched_runtime::signal;
use gosched_runtime::syscall::KernelCall;

use crate::os::natives as os;
use vm::native::{GoStr, Slice};

mod answers;
pub(crate) mod environ;
pub(crate) mod gate;
mod identity;
pub mod kernel;
pub(crate) mod loopback;
pub mod spawn;
mod world;

use kernel::calls;
use spawn::{Attributes, Job};

/// A result and an error number, 0 for none.
fn split<T: Default>(r: Result<T, kernel::Errno>) -> (T, i64) {
    match r {
        Ok(v) => (v, 0),
        Err(e) => (T::default(), i64::from(e)),
    }
}

/// A count, −1 if the call failed.
fn counted(r: Result<usize, kernel::Errno>) -> (i64, i64) {
    match r {
        Ok(n) => (n as i64, 0),
        Err(e) => (-1, i64::from(e)),
    }
}

/// The error number of a call that gives nothing else.
pub(crate) fn code(r: Result<(), kernel::Errno>) -> i64 {
    r.err().map_or(0, i64::from)
}

/// A program to start; `None` if a text holds a zero byte.
/// `attr` is as `attributes` in exec.go has it.
#[allow(clippy::too_many_arguments, reason = "the native's parameters")]
fn job(
    path: GoStr,
    argv: Slice<GoStr>,
    env: Slice<GoStr>,
    chroot: GoStr,
    dir: GoStr,
    fds: &[i64],
    attr: &[i64],
    groups: &[i64],
) -> Option<Job> {
    let text = |s: &GoStr| CString::new(s.as_bytes()).ok();
    let maybe = |s: &GoStr| {
        if s.is_empty() {
            Some(None)
        } else {
            text(s).map(Some)
        }
    };
    let all = |list: Slice<GoStr>| list.as_slice().iter().map(text).collect::<Option<Vec<_>>>();
    let &[
        setsid,
        setpgid,
        pgid,
        setctty,
        noctty,
        foreground,
        ctty,
        pdeathsig,
        credential,
        uid,
        gid,
        set_groups,
    ] = attr
    else {
        return None;
    };
    let groups = (set_groups != 0).then(|| groups.iter().map(|&g| g as u32).collect());
    Some(Job {
        path: text(&path)?,
        argv: all(argv)?,
        env: all(env)?,
        chroot: maybe(&chroot)?,
        dir: maybe(&dir)?,
        fds: fds.iter().map(|&fd| fd as i32).collect(),
        attributes: Attributes {
            setsid: setsid != 0,
            setpgid: setpgid != 0,
            pgid: pgid as i32,
            setctty: setctty != 0,
            noctty: noctty != 0,
            foreground: foreground != 0,
            ctty: ctty as i32,
            pdeathsig: pdeathsig as i32,
            credential: (credential != 0).then_some((uid as u32, gid as u32, groups)),
        },
    })
}

natives! {
    "sysRead" => blocking fills follows(p) |cx, fd: i64, p: Slice<u8>| {
        let mut p = p;
        if let Some(done) = loopback::read(cx, fd as i32, p.as_mut_slice()) {
            cx.touches(p.as_ptr(), done.unwrap_or(0), true);
            return Ok(counted(done));
        }
        let fd = fd as i32;
        let waits = || kernel::would_wait(fd, libc::POLLIN);
        let read = cx.waiting_call(calls::READ, waits, || kernel::read(fd, p.as_mut_slice()))?;
        cx.touches(p.as_ptr(), read.unwrap_or(0), true);
        Ok(counted(read))
    }
    "sysWrite" => blocking writes follows(p) |cx, fd: i64, p: Slice<u8>| {
        if let Some(done) = loopback::write(cx, fd as i32, p.as_slice()) {
            cx.touches(p.as_ptr(), done.unwrap_or(0), false);
            return Ok(counted(done));
        }
        let waits = || kernel::would_wait(fd as i32, libc::POLLOUT);
        let write = || kernel::write(fd as i32, p.as_slice());
        let written = cx.waiting_call(calls::WRITE, waits, write)?;
        cx.touches(p.as_ptr(), written.unwrap_or(0), false);
        if written.is_ok_and(|n| n < p.len()) {
            cx.obey_interrupt()?;
        }
        Ok(counted(written))
    }
    "sysPread" => blocking fills follows(p) |cx, fd: i64, p: Slice<u8>, offset: i64| {
        let mut p = p;
        let read = || kernel::pread(fd as i32, p.as_mut_slice(), offset);
        let read = cx.system_call(calls::PREAD, read)?;
        cx.touches(p.as_ptr(), read.unwrap_or(0), true);
        Ok(counted(read))
    }
    "sysPwrite" => blocking writes follows(p) |cx, fd: i64, p: Slice<u8>, offset: i64| {
        let write = || kernel::pwrite(fd as i32, p.as_slice(), offset);
        let written = cx.system_call(calls::PWRITE, write)?;
        cx.touches(p.as_ptr(), written.unwrap_or(0), false);
        Ok(counted(written))
    }
    "sysOpen" => blocking asks |cx, path: GoStr, flags: i64, perm: u32| {
        gate::opens(cx, path.as_bytes(), flags as i32);
        let fd = cx.system_call(calls::OPEN, || kernel::open(path.as_bytes(), flags as i32, perm))?;
        Ok(counted(fd.map(|fd| fd as usize)))
    }
    "sysClose" => |cx, fd: i64| {
        loopback::closes(cx, fd as i32);
        kernel::closes(cx, fd as i32)
    }
    "sysSeek" => asks |cx, fd: i64, offset: i64, whence: i64| {
        split(kernel::seek(fd as i32, offset, whence as i32))
    }
    "sysPipe" => asks |cx, flags: i64| {
        match kernel::pipe(flags as i32) {
            Ok((r, w)) => (i64::from(r), i64::from(w), 0),
            Err(e) => (-1, -1, i64::from(e)),
        }
    }
    "blockingCall" => |cx, trap: u64, a: u64, b: u64, c: u64, d: u64, e: u64, f: u64| {
        let arguments = identity::meant(trap, [a, b, c, d, e, f]);
        let told = identity::told(trap).or_else(|| loopback::call(cx, trap, arguments));
        if let Some(done) = told {
            return Ok(done);
        }
        if tape::is_on() {
            return answers::call(cx, trap, arguments);
        }
        let call = || match kernel::raw_call(trap, arguments) {
            (r, 0) => Ok(r),
            (_, errno) => Err(errno as i32),
        };
        let done = cx.system_call(KernelCall(trap as i64), call)?;
        Ok(done.map_or_else(|errno| (u64::MAX, errno as u64), |r| (r, 0)))
    }
    "rawCall" => |cx, trap: u64, a: u64, b: u64, c: u64, d: u64, e: u64, f: u64| {
        let arguments = identity::meant(trap, [a, b, c, d, e, f]);
        if tape::is_on() {
            return answers::call(cx, trap, arguments);
        }
        Ok(identity::told(trap)
            .or_else(|| loopback::call(cx, trap, arguments))
            .unwrap_or_else(|| kernel::raw_call(trap, arguments)))
    }
    "forkExec" => blocking
    asks |
        cx, path: GoStr, argv: Slice<GoStr>, env: Slice<GoStr>, chroot: GoStr, dir: GoStr,
        fds: Slice<i64>, attr: Slice<i64>, groups: Slice<i64>
    | {
        gate::starts_process(cx);
        match job(
            path,
            argv,
            env,
            chroot,
            dir,
            fds.as_slice(),
            attr.as_slice(),
            groups.as_slice(),
        ) {
            Some(job) => {
                let pid = cx.blocking_long(calls::CLONE, || spawn::spawn(&job));
                split(pid.map(i64::from))
            }
            None => (0, i64::from(libc::EINVAL)),
        }
    }
    "Getenv" => short asks |cx, key: GoStr| {
        match environ::get(key.as_bytes()) {
            Some(v) => (cx.string(v), true),
            None => (GoStr::EMPTY, false),
        }
    }
    "setenv" => short |cx, key: GoStr, value: GoStr| {
        environ::set(key.as_bytes(), value.as_bytes())
    }
    "unsetenv" => short |cx, key: GoStr| { environ::unset(key.as_bytes()) }
    "Clearenv" => |cx| { environ::clear() }
    "Environ" => asks |cx| {
        let all: Vec<GoStr> = environ::all().into_iter().map(|entry| cx.string(entry)).collect();
        cx.slice(&all)
    }
    "again" => short asks |cx, path: GoStr, argv: Slice<GoStr>| {
        match os::again(path.as_bytes(), argv.as_slice()) {
            Some(words) => {
                let words: Vec<GoStr> = words.into_iter().map(|w| cx.string(w)).collect();
                cx.slice(&words)
            }
            None => Slice::NIL,
        }
    }
    "sysKill" => asks |cx, pid: i64, signal: i64| {
        let (pid, sig) = (identity::process(pid as i32), signal as i32);
        code(match pid == std::process::id() as i32 {
            true => signal::send_self(sig, || kernel::kill(pid, sig)),
            false => kernel::kill(pid, sig),
        })
    }
    "sysNanosleep" => asks |cx, ns: i64| {
        Ok(code(cx.waiting_call(calls::SLEEP, || true, || kernel::nanosleep(ns))?))
    }
    "Errno.Error" => |cx, errno: u64| {
        // Go's table is as long; what lies outside has no text.
        if !(1..133).contains(&errno) {
            return cx.string(format!("errno {}", errno as i64));
        }
        // "No such file or directory (os error 2)": Go has the kernel's text in lower case.
        let text = std::io::Error::from_raw_os_error(errno as i32).to_string();
        let text = text.split(" (os error").next().unwrap_or("");
        if text.starts_with("Unknown error") {
            return cx.string(format!("errno {}", errno as i64));
        }
        let second_is_lower = text.as_bytes().get(1).is_some_and(|b| !b.is_ascii_uppercase());
        let mut text = text.to_string();
        if second_is_lower && let Some(first) = text.get_mut(0..1) {
            first.make_ascii_lowercase();
        }
        cx.string(text)
    }
}
