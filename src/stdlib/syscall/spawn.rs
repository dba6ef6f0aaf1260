#![allow(unsafe_code)]
//! Starting another program: fork and exec in one call.
//!
//! The child runs on the parent's memory (`CLONE_VM`) until it executes the program, while the
//! calling thread sleeps in the kernel (`CLONE_VFORK`): nothing is copied, however large the heap,
//! and the child tells what failed through that memory.
//!
//! # Invariants
//!
//! - F1. The child makes system calls only, on memory prepared by the parent: no allocation, no
//!   locks, no panics. It uses raw calls where the C library's own would act on all threads
//!   (set*id).
//! - F2. All signals are blocked around the call. The child resets every handler, which would run
//!   on shared memory, before it unblocks them.
//! - F3. The child's stack and the [`Job`] outlive the call:
//!   it returns once the child has left this memory.
//!
//! Go: syscall/exec_linux.go (forkAndExecInChild1).

use std::ffi::{CStr, CString, c_char, c_int, c_long, c_void};
use std::ptr;

use super::kernel::Errno;

/// Bytes of the child's stack; its frames are few and small.
const STACK: usize = 64 << 10;

/// What the child becomes beside its program. Go: syscall.SysProcAttr.
#[derive(Debug, Default)]
pub struct Attributes {
    /// New session.
    pub(crate) setsid: bool,
    /// Into the process group `pgid`, or a new one if 0.
    pub(crate) setpgid: bool,
    /// See `setpgid`.
    pub(crate) pgid: i32,
    /// The child's descriptor `ctty` becomes the controlling terminal.
    pub(crate) setctty: bool,
    /// Gives the controlling terminal up.
    pub(crate) noctty: bool,
    /// The group goes to the foreground of the terminal `ctty`, the parent's descriptor.
    pub(crate) foreground: bool,
    /// See `setctty`, `foreground`.
    pub(crate) ctty: i32,
    /// Signal the child gets when its parent thread dies, 0 for none.
    pub(crate) pdeathsig: i32,
    /// User, group and supplementary groups (`None`: left as they are).
    pub(crate) credential: Option<(u32, u32, Option<Vec<u32>>)>,
}

/// A program to start.
#[derive(Debug)]
pub struct Job {
    /// The file to execute.
    pub path: CString,
    /// Its arguments, its own name first.
    pub argv: Vec<CString>,
    /// Its environment.
    pub env: Vec<CString>,
    /// Its root, if another.
    pub(crate) chroot: Option<CString>,
    /// Its directory, if another.
    pub dir: Option<CString>,
    /// Which of our descriptors become its 0, 1, 2, …; −1 for none.
    pub fds: Vec<i32>,
    /// The rest.
    pub attributes: Attributes,
}

/// What the child reads and writes.
struct Shared<'a> {
    job: &'a Job,
    argv: *const *const c_char,
    env: *const *const c_char,
    /// Room to move descriptors out of the way.
    fds: *mut c_int,
    mask: libc::sigset_t,
    failed: Errno,
}

fn pointers(list: &[CString]) -> Vec<*const c_char> {
    list.iter()
        .map(|s| s.as_ptr())
        .chain([ptr::null()])
        .collect()
}

/// Starts the program: its process number.
///
/// Context: in a system call; the thread sleeps until the child has executed the program or failed.
pub fn spawn(job: &Job) -> Result<i32, Errno> {
    let (argv, env) = (pointers(&job.argv), pointers(&job.env));
    let mut fds = job.fds.clone();
    // SAFETY: F1–F3. The sets are plain data that the calls fill.
    unsafe {
        let mut all: libc::sigset_t = std::mem::zeroed();
        let mut old: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&raw mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const all, &raw mut old);
        let mut shared = Shared {
            job,
            argv: argv.as_ptr(),
            env: env.as_ptr(),
            fds: fds.as_mut_ptr(),
            mask: old,
            failed: 0,
        };
        let mut stack: Vec<u128> = Vec::with_capacity(STACK / size_of::<u128>());
        let top = stack.as_mut_ptr().add(STACK / size_of::<u128>());
        let pid = libc::clone(
            child,
            top.cast(),
            libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD,
            (&raw mut shared).cast(),
        );
        let error = std::io::Error::last_os_error();
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const old, ptr::null_mut());
        if pid < 0 {
            return Err(error.raw_os_error().unwrap_or(libc::EAGAIN));
        }
        // Written by the child, which has left.
        let failed = (&raw const shared.failed).read_volatile();
        if failed != 0 {
            let mut status = 0;
            while libc::waitpid(pid, &raw mut status, 0) < 0
                && *libc::__errno_location() == libc::EINTR
            {}
            return Err(failed);
        }
        Ok(pid)
    }
}

/// The child: F1.
extern "C" fn child(arg: *mut c_void) -> c_int {
    let shared = arg.cast::<Shared>();
    // SAFETY: F1, F3.
    unsafe {
        if become_program(shared).is_none() {
            (*shared).failed = *libc::__errno_location();
        }
        libc::_exit(253)
    }
}

/// `None` with the error number set if a call failed.
fn ok(r: c_long) -> Option<c_long> {
    (r >= 0).then_some(r)
}

fn path_of(s: &Option<CString>) -> Option<&CStr> {
    s.as_deref()
}

unsafe fn become_program(shared: *mut Shared) -> Option<()> {
    // SAFETY: F1, F2; all pointers come from the parent, which waits.
    unsafe {
        let job = (*shared).job;
        let a = &job.attributes;
        reset_handlers();
        if a.setsid {
            ok(libc::syscall(libc::SYS_setsid))?;
        }
        if a.setpgid || a.foreground {
            ok(libc::syscall(libc::SYS_setpgid, 0, a.pgid))?;
        }
        if a.foreground {
            let group = if a.pgid == 0 {
                libc::syscall(libc::SYS_getpid) as c_int
            } else {
                a.pgid
            };
            ok(c_long::from(libc::ioctl(
                a.ctty,
                libc::TIOCSPGRP,
                &raw const group,
            )))?;
        }
        if let Some(root) = path_of(&job.chroot) {
            ok(c_long::from(libc::chroot(root.as_ptr())))?;
        }
        if let Some((uid, gid, groups)) = &a.credential {
            if let Some(groups) = groups {
                ok(libc::syscall(
                    libc::SYS_setgroups,
                    groups.len(),
                    groups.as_ptr(),
                ))?;
            }
            ok(libc::syscall(libc::SYS_setgid, *gid))?;
            ok(libc::syscall(libc::SYS_setuid, *uid))?;
        }
        if let Some(dir) = path_of(&job.dir) {
            ok(c_long::from(libc::chdir(dir.as_ptr())))?;
        }
        if a.pdeathsig != 0 {
            ok(c_long::from(libc::prctl(
                libc::PR_SET_PDEATHSIG,
                a.pdeathsig,
            )))?;
        }
        place_descriptors((*shared).fds, job.fds.len() as c_int)?;
        if a.noctty {
            ok(c_long::from(libc::ioctl(0, libc::TIOCNOTTY)))?;
        }
        if a.setctty {
            ok(c_long::from(libc::ioctl(a.ctty, libc::TIOCSCTTY, 1)))?;
        }
        libc::sigprocmask(
            libc::SIG_SETMASK,
            &raw const (*shared).mask,
            ptr::null_mut(),
        );
        libc::execve(job.path.as_ptr(), (*shared).argv, (*shared).env);
        None
    }
}

/// F2. Ignored signals stay ignored.
unsafe fn reset_handlers() {
    // SAFETY: plain data; the child's dispositions are its own.
    unsafe {
        for sig in 1..65 {
            let mut sa: libc::sigaction = std::mem::zeroed();
            if libc::sigaction(sig, ptr::null(), &raw mut sa) != 0 {
                continue;
            }
            if ![libc::SIG_IGN, libc::SIG_DFL].contains(&sa.sa_sigaction) {
                let mut fresh: libc::sigaction = std::mem::zeroed();
                fresh.sa_sigaction = libc::SIG_DFL;
                libc::sigaction(sig, &raw const fresh, ptr::null_mut());
            }
        }
    }
}

/// Makes `fds[i]` the descriptor `i`: first out of the way what would be overwritten,
/// then each to its place.
unsafe fn place_descriptors(fds: *mut c_int, count: c_int) -> Option<()> {
    // SAFETY: `count` elements.
    unsafe {
        for i in 0..count {
            let fd = fds.add(i as usize);
            if *fd >= 0 && *fd < i {
                *fd = ok(c_long::from(libc::fcntl(*fd, libc::F_DUPFD_CLOEXEC, count)))? as c_int;
            }
        }
        for i in 0..count {
            let fd = *fds.add(i as usize);
            if fd == -1 {
                libc::close(i);
            } else if fd == i {
                ok(c_long::from(libc::fcntl(i, libc::F_SETFD, 0)))?;
            } else {
                ok(c_long::from(libc::dup2(fd, i)))?;
            }
        }
        // A shorter list leaves the standard descriptors closed.
        for i in count..3 {
            libc::close(i);
        }
        Some(())
    }
}
