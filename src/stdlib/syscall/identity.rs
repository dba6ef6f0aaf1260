//! Numbers of processes, as a controlled run is told them: the same in each run.
//!
//! The program's own process has one that no process of the kernel's has; calls that are given it
//! mean that process. Who started it has another, by which nobody can be reached.

use std::ffi::c_long;

use gosched_runtime::control;

/// The process, and its threads. The kernel's numbers end at 4,194,304.
const SELF: i32 = 5_000_000;
/// Who started it.
const PARENT: i32 = 4_999_999;

/// What the program is told by a call that asks who it is.
pub(super) fn told(number: u64) -> Option<(u64, u64)> {
    let told = match number as c_long {
        libc::SYS_getpid | libc::SYS_gettid => SELF,
        libc::SYS_getppid => PARENT,
        _ => return None,
    };
    control::is_on().then_some((told as u64, 0))
}

/// The arguments of a call as the kernel is to see them.
pub(super) fn meant(number: u64, arguments: [u64; 6]) -> [u64; 6] {
    let places: &[usize] = match number as c_long {
        libc::SYS_kill
        | libc::SYS_tkill
        | libc::SYS_getpgid
        | libc::SYS_getsid
        | libc::SYS_pidfd_open
        | libc::SYS_prlimit64
        | libc::SYS_sched_getaffinity
        | libc::SYS_sched_setaffinity => &[0],
        libc::SYS_setpgid | libc::SYS_tgkill => &[0, 1],
        libc::SYS_getpriority | libc::SYS_setpriority => &[1],
        _ => &[],
    };
    let mut meant = arguments;
    for &i in places {
        let number = meant[i] as i32;
        if process(number) != number {
            meant[i] = process(number) as u64;
        }
    }
    meant
}

/// The number of a process, or of a group if it is negative, as the kernel is to see it.
pub(super) fn process(number: i32) -> i32 {
    let own = std::process::id() as i32;
    match control::is_on() {
        true if number == SELF => own,
        true if number == -SELF => -own,
        _ => number,
    }
}
