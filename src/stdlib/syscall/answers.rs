#![allow(unsafe_code)]
//! Which memory a system call writes, by its number: that of a recorded run goes on the tape.
//!
//! What is not listed here is refused by name in a recorded run.
//!
//! # Invariants
//!
//! - V1. The program hands over addresses as the call wants them, kernel::Y2, and what they name
//!   lives until the call is over: heap memory that the program holds.

use std::ffi::{c_int, c_long};

use gosched_runtime::control::tape;
use gosched_runtime::proc;
use gosched_runtime::syscall::KernelCall;
use vm::native::outside::{Asked, Piece, ask, written as written_by};
use vm::native::{Cx, Res};

use super::kernel;

/// How much a call writes behind one of its arguments.
#[derive(Clone, Copy)]
enum Size {
    Bytes(usize),
    /// As much as it returns, in a buffer as large as that argument says.
    Result(usize),
    /// As many pieces of so many bytes as that argument says.
    Of(usize, usize),
    /// As much as stands, as 32 bits, where that argument points.
    At(usize),
}

use Size::{At, Bytes, Of, Result as Counted};

const STAT: &[(usize, Size)] = &[(1, Bytes(size_of::<libc::stat>()))];
const NAME: &[(usize, Size)] = &[(1, At(2)), (2, Bytes(4))];
const TIME: usize = size_of::<libc::timespec>();
const RUSAGE: usize = size_of::<libc::rusage>();
const NONE: &[(usize, Size)] = &[];

/// What a call writes; `None`: it is not known.
fn written(number: c_long, a: &[u64; 6]) -> Option<&'static [(usize, Size)]> {
    Some(match number {
        libc::SYS_read | libc::SYS_pread64 | libc::SYS_getdents64 | libc::SYS_readlink => {
            &[(1, Counted(2))]
        }
        libc::SYS_stat | libc::SYS_fstat | libc::SYS_lstat => STAT,
        libc::SYS_newfstatat => &[(2, Bytes(size_of::<libc::stat>()))],
        libc::SYS_statx => &[(4, Bytes(size_of::<libc::statx>()))],
        libc::SYS_statfs | libc::SYS_fstatfs => &[(1, Bytes(size_of::<libc::statfs>()))],
        libc::SYS_readlinkat => &[(2, Counted(3))],
        libc::SYS_getcwd => &[(0, Counted(1))],
        libc::SYS_getrandom => &[(0, Counted(1))],
        libc::SYS_poll => &[(0, Of(1, size_of::<libc::pollfd>()))],
        libc::SYS_nanosleep => &[(1, Bytes(TIME))],
        libc::SYS_clock_nanosleep => &[(3, Bytes(TIME))],
        libc::SYS_clock_gettime | libc::SYS_clock_getres => &[(1, Bytes(TIME))],
        libc::SYS_gettimeofday => &[(0, Bytes(size_of::<libc::timeval>()))],
        libc::SYS_accept | libc::SYS_accept4 => NAME,
        libc::SYS_getsockname | libc::SYS_getpeername => NAME,
        libc::SYS_getsockopt => &[(3, At(4)), (4, Bytes(4))],
        libc::SYS_recvfrom => &[(1, Counted(2)), (4, At(5)), (5, Bytes(4))],
        libc::SYS_recvmsg => NONE, // See `message`.
        libc::SYS_wait4 => &[(1, Bytes(4)), (3, Bytes(RUSAGE))],
        libc::SYS_waitid => &[(2, Bytes(size_of::<libc::siginfo_t>())), (4, Bytes(RUSAGE))],
        libc::SYS_getrusage => &[(1, Bytes(RUSAGE))],
        libc::SYS_getrlimit => &[(1, Bytes(size_of::<libc::rlimit>()))],
        libc::SYS_prlimit64 => &[(3, Bytes(size_of::<libc::rlimit>()))],
        libc::SYS_uname => &[(0, Bytes(size_of::<libc::utsname>()))],
        libc::SYS_sysinfo => &[(0, Bytes(size_of::<libc::sysinfo>()))],
        libc::SYS_getgroups => &[(1, Of(0, 4))],
        libc::SYS_pipe | libc::SYS_pipe2 => &[(0, Bytes(8))],
        libc::SYS_socketpair => &[(3, Bytes(8))],
        libc::SYS_fcntl => match a[1] as c_int {
            libc::F_GETLK => &[(2, Bytes(size_of::<libc::flock>()))],
            _ => NONE,
        },
        libc::SYS_ioctl => match a[1] {
            libc::TCGETS => &[(2, Bytes(60))],
            libc::TIOCGWINSZ => &[(2, Bytes(size_of::<libc::winsize>()))],
            libc::FIONREAD | libc::TIOCGPGRP => &[(2, Bytes(4))],
            libc::TCSETS | libc::TCSETSW | libc::TCSETSF | libc::TIOCSWINSZ => NONE,
            _ => return None,
        },
        libc::SYS_write
        | libc::SYS_pwrite64
        | libc::SYS_open
        | libc::SYS_openat
        | libc::SYS_creat
        | libc::SYS_close
        | libc::SYS_lseek
        | libc::SYS_access
        | libc::SYS_faccessat
        | libc::SYS_faccessat2
        | libc::SYS_dup
        | libc::SYS_dup2
        | libc::SYS_dup3
        | libc::SYS_getpid
        | libc::SYS_getppid
        | libc::SYS_gettid
        | libc::SYS_getuid
        | libc::SYS_getgid
        | libc::SYS_geteuid
        | libc::SYS_getegid
        | libc::SYS_getpgid
        | libc::SYS_getpgrp
        | libc::SYS_getsid
        | libc::SYS_setpgid
        | libc::SYS_setsid
        | libc::SYS_getpriority
        | libc::SYS_setpriority
        | libc::SYS_setrlimit
        | libc::SYS_socket
        | libc::SYS_connect
        | libc::SYS_bind
        | libc::SYS_listen
        | libc::SYS_shutdown
        | libc::SYS_setsockopt
        | libc::SYS_sendto
        | libc::SYS_sendmsg
        | libc::SYS_kill
        | libc::SYS_tgkill
        | libc::SYS_fsync
        | libc::SYS_fdatasync
        | libc::SYS_sync
        | libc::SYS_ftruncate
        | libc::SYS_truncate
        | libc::SYS_chdir
        | libc::SYS_fchdir
        | libc::SYS_rename
        | libc::SYS_renameat
        | libc::SYS_renameat2
        | libc::SYS_mkdir
        | libc::SYS_mkdirat
        | libc::SYS_rmdir
        | libc::SYS_link
        | libc::SYS_linkat
        | libc::SYS_unlink
        | libc::SYS_unlinkat
        | libc::SYS_symlink
        | libc::SYS_symlinkat
        | libc::SYS_chmod
        | libc::SYS_fchmod
        | libc::SYS_fchmodat
        | libc::SYS_chown
        | libc::SYS_lchown
        | libc::SYS_fchown
        | libc::SYS_fchownat
        | libc::SYS_utimes
        | libc::SYS_utimensat
        | libc::SYS_mknod
        | libc::SYS_mknodat
        | libc::SYS_umask
        | libc::SYS_flock
        | libc::SYS_fallocate
        | libc::SYS_fadvise64
        | libc::SYS_sched_yield => NONE,
        _ => return None,
    })
}

/// May the call wait for long, so that others are to run meanwhile?
fn may_wait(number: c_long, a: &[u64; 6]) -> bool {
    let waits = |events| kernel::would_wait(a[0] as c_int, events);
    let blocks = || kernel::status_flags(a[0] as c_int) & libc::O_NONBLOCK == 0;
    match number {
        libc::SYS_wait4 => a[2] as c_int & libc::WNOHANG == 0,
        libc::SYS_waitid => a[3] as c_int & libc::WNOHANG == 0,
        libc::SYS_nanosleep | libc::SYS_clock_nanosleep | libc::SYS_poll | libc::SYS_flock => true,
        libc::SYS_fcntl => a[1] as c_int == libc::F_SETLKW,
        libc::SYS_connect => blocks(),
        libc::SYS_read | libc::SYS_accept | libc::SYS_accept4 => blocks() && waits(libc::POLLIN),
        libc::SYS_recvfrom | libc::SYS_recvmsg => blocks() && waits(libc::POLLIN),
        libc::SYS_write | libc::SYS_sendto | libc::SYS_sendmsg => blocks() && waits(libc::POLLOUT),
        _ => false,
    }
}

/// The memory behind the arguments of a call.
unsafe fn pieces(number: c_long, a: &[u64; 6]) -> Option<Vec<Piece>> {
    // SAFETY: V1.
    unsafe {
        let mut pieces = Vec::new();
        if number == libc::SYS_recvmsg {
            message(a[1], &mut pieces);
        }
        for &(at, size) in written(number, a)? {
            let to = a[at] as *mut u8;
            let (len, is_counted) = match size {
                Bytes(n) => (n, false),
                Counted(limit) => (a[limit] as usize, true),
                Of(count, bytes) => ((a[count] as u32 as usize).saturating_mul(bytes), false),
                At(at) if a[at] == 0 => (0, false),
                At(at) => ((a[at] as *const u32).read_unaligned() as usize, false),
            };
            if !to.is_null() && len != 0 {
                pieces.push(Piece::new(to, len, is_counted));
            }
        }
        Some(pieces)
    }
}

/// What receiving a message writes: lengths and flags in its head, a name, data, control messages.
unsafe fn message(at: u64, pieces: &mut Vec<Piece>) {
    let head = at as *mut libc::msghdr;
    if head.is_null() {
        return;
    }
    // SAFETY: V1.
    unsafe {
        let mut add = |at: *mut u8, len: usize| {
            if !at.is_null() && len != 0 {
                pieces.push(Piece::new(at, len, false));
            }
        };
        add((&raw mut (*head).msg_namelen).cast(), 4);
        add((&raw mut (*head).msg_controllen).cast(), 8);
        add((&raw mut (*head).msg_flags).cast(), 4);
        add((*head).msg_name.cast(), (*head).msg_namelen as usize);
        add((*head).msg_control.cast(), (*head).msg_controllen);
        for i in 0..(*head).msg_iovlen {
            let part = (*head).msg_iov.add(i);
            add((*part).iov_base.cast(), (*part).iov_len);
        }
    }
}

/// Makes a system call in a recorded run, or takes what it gave from the tape.
pub(super) fn call(cx: &mut Cx, number: u64, a: [u64; 6]) -> Res<(u64, u64)> {
    let trap = number as c_long;
    match trap {
        libc::SYS_exit | libc::SYS_exit_group => proc::exit(a[0] as i32),
        libc::SYS_close => tape::closes(a[0] as c_int),
        _ => {}
    }
    // SAFETY: V1.
    let Some(pieces) = (unsafe { pieces(trap, &a) }) else {
        tape::refuse(&what(trap), cx.place());
    };
    let told = |asked: &mut Asked| {
        asked.number(number);
        // What is a descriptor, or a number of a process, and no address.
        asked.number(if a[0] >> 32 == 0 { a[0] } else { 0 });
    };
    ask(cx, "system call", told, &pieces, |cx| {
        let done = cx.waiting(
            KernelCall(number as i64),
            || may_wait(trap, &a),
            || match kernel::raw_call(number, a) {
                (r, 0) => Ok(r),
                (_, errno) => Err(errno),
            },
        );
        Ok(done.map_or_else(|errno| (u64::MAX, errno), |r| (r, 0)))
    })
    .inspect(|(r, errno)| {
        if *errno == 0 {
            done(trap, &a, *r);
        }
    })
}

/// What has become of descriptors 1 and 2 by a call, and what it has written there.
fn done(number: c_long, a: &[u64; 6], r: u64) {
    let fd = a[0] as c_int;
    match number {
        libc::SYS_dup | libc::SYS_dup2 | libc::SYS_dup3 => tape::doubles(fd, r as c_int),
        libc::SYS_fcntl if matches!(a[1] as c_int, libc::F_DUPFD | libc::F_DUPFD_CLOEXEC) => {
            tape::doubles(fd, r as c_int);
        }
        libc::SYS_write if r != 0 && tape::standard(fd).is_some() => {
            // SAFETY: V1.
            let bytes = unsafe { std::slice::from_raw_parts(a[1] as *const u8, r as usize) };
            written_by(i64::from(fd), bytes, r as i64);
        }
        _ => {}
    }
}

/// What a call is that is refused.
fn what(number: c_long) -> String {
    let name = match number {
        libc::SYS_mmap | libc::SYS_mremap => "mapped memory (mmap)",
        libc::SYS_shmat | libc::SYS_shmget => "shared memory (shmat)",
        libc::SYS_execve | libc::SYS_execveat => "a program in place of this one (exec)",
        libc::SYS_fork | libc::SYS_vfork | libc::SYS_clone | libc::SYS_clone3 => "a fork",
        libc::SYS_futex => "a futex of the program's own",
        libc::SYS_ioctl => "this ioctl",
        libc::SYS_ptrace => "ptrace",
        libc::SYS_io_uring_setup => "io_uring",
        n => return format!("system call {n}"),
    };
    name.into()
}
