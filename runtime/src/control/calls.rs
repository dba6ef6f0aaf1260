#![allow(unsafe_code)]
//! System calls that last, where time is virtual.
//!
//! The one P stays with a goroutine that makes a system call, for most come back at once, and the
//! end of such a call is no decision then. From a call whose thread sleeps in the kernel sysmon
//! takes the P, so that others go on: it goes by whether the thread sleeps, not by how long the
//! call takes, which on a busy machine says little. Time does not pass as long as the answer to
//! such a call comes from outside of the program.
//!
//! # Invariants
//!
//! - K1. A call is listed before its P is taken, and until its goroutine has a P again or is on the
//!   global queue.

use crate::lockrank::Rank;
use crate::m::M;
use crate::p::P;
use crate::sched::SCHED;
use crate::signal;
use crate::sync::plain::{AtomicPtr, AtomicU32, Ordering};
use crate::sync::{Guarded, usleep};
use std::ptr;

/// A call that has lost its P.
#[derive(Clone, Copy)]
struct Call {
    m: usize,
    number: u32,
    thread: u64,
}

/// See K1.
static CALLS: Guarded<Vec<Call>> = Guarded::new(Rank::Leaf, Vec::new());
/// How many there are. Written under the lock.
static LISTED: AtomicU32 = AtomicU32::new(0);
/// The M that made the last system call. Written by the M that holds the one P.
static CALLER: AtomicPtr<M> = AtomicPtr::new(ptr::null_mut());

/// How long to wait, each time, for a thread to fall asleep or to come back.
const SETTLES_US: u64 = 20;
/// At how many looks of sysmon in a row a thread sleeps that keeps its P no longer.
const LOOKS: u32 = 2;

/// `m` begins a system call, and holds its P loosely.
pub(crate) fn begins(m: *mut M) {
    CALLER.store(m, Ordering::Relaxed);
}

/// The system call of `m` is over: its goroutine has a P, or is on the global queue.
pub(crate) fn ends(m: *mut M) {
    signal::call_ends(m);
    if are_listed() {
        strike(|call| call.m == m as usize);
    }
}

fn strike(is_one: impl Fn(&Call) -> bool) {
    let mut all = CALLS.lock();
    all.retain(|call| !is_one(call));
    count(&all);
}

fn count(all: &[Call]) {
    // Release: pairs with the Acquire in `settled`.
    LISTED.store(all.len() as u32, Ordering::Release);
}

/// Does any call await an answer from outside? Once none does, each G whose call was answered is on
/// the global queue, or runs.
///
/// Context: as [`settle`].
pub(crate) fn is_awaited() -> bool {
    settled(|thread| match Sleep::of(thread) {
        Sleep::Not => None,
        Sleep::Here => Some(false),
        Sleep::Outside => Some(true),
    })
}

/// Has a call lost its P that is not over?
pub(crate) fn are_listed() -> bool {
    LISTED.load(Ordering::Relaxed) != 0
}

/// Lists the call that holds `p` loosely; its number there.
pub(crate) fn list() -> Option<u32> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let m = CALLER.load(Ordering::Relaxed);
    if m.is_null() {
        return None;
    }
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let call = Call {
        m: m as usize,
        number,
        thread: thread_of(m),
    };
    let mut all = CALLS.lock();
    all.push(call);
    count(&all);
    Some(number)
}

/// The call has not lost its P after all.
pub(crate) fn unlist(number: Option<u32>) {
    strike(|call| Some(call.number) == number);
}

fn thread_of(m: *mut M) -> u64 {
    // SAFETY: Ms stay; an atomic is read.
    unsafe { (*m).procid.load(Ordering::Relaxed) }
}

/// What sysmon remembers of the one P.
#[derive(Default)]
pub(crate) struct Watch {
    tick: u32,
    asleep: u32,
}

impl Watch {
    /// Has the call that holds `p` loosely slept for long enough?
    pub(crate) fn is_over(&mut self, p: &P) -> bool {
        let tick = p.syscalltick.load(Ordering::Relaxed);
        let m = CALLER.load(Ordering::Relaxed);
        if m.is_null() || Sleep::of(thread_of(m)) == Sleep::Not {
            self.asleep = 0;
            return false;
        }
        if self.tick != tick {
            (self.tick, self.asleep) = (tick, 0);
        }
        self.asleep += 1;
        self.asleep >= LOOKS
    }
}

/// Waits until each call either sleeps or is over, so that an answer which the program has caused
/// itself is there at the next decision.
///
/// Context: g0 with the one P; no lock held.
pub(crate) fn settle() {
    settled(|thread| is_asleep(thread).then_some(false));
}

/// Asks `look` of the thread of each call, again and again until it knows an answer for each; does
/// it say yes of any? Not if there is no call.
fn settled(look: impl Fn(u64) -> Option<bool>) -> bool {
    while LISTED.load(Ordering::Acquire) != 0 && !SCHED.freezing.load(Ordering::Relaxed) {
        let all = CALLS.lock().clone();
        let looks: Option<Vec<bool>> = all.iter().map(|call| look(call.thread)).collect();
        if let Some(answers) = looks {
            return answers.contains(&true);
        }
        usleep(SETTLES_US);
    }
    false
}

/// What the kernel says of a thread.
fn told(thread: u64, file: &str) -> Option<String> {
    std::fs::read_to_string(format!("/proc/self/task/{thread}/{file}")).ok()
}

/// Does the thread sleep until something comes that may never come? A thread that waits for a disk
/// or for a processor does not. A thread that the kernel tells nothing of counts as asleep.
fn is_asleep(thread: u64) -> bool {
    let Some(stat) = told(thread, "stat") else {
        return true;
    };
    // Behind the name, which may have parentheses itself.
    let state = stat.rsplit(')').next().map(str::trim_start);
    state.is_some_and(|state| state.starts_with('S'))
}

/// What a thread that makes a system call sleeps for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sleep {
    /// It does not sleep in the call: it has not come to it yet, or is on its way back.
    Not,
    /// For what the program itself can bring about: the call reads or writes a pipe whose other end
    /// is open in this process, waits for a file's lock, or opens a FIFO whose other end is not
    /// open yet.
    Here,
    /// For something from outside, as far as the kernel tells.
    Outside,
}

impl Sleep {
    fn of(thread: u64) -> Sleep {
        if !is_asleep(thread) {
            return Sleep::Not;
        }
        let Some(call) = told(thread, "syscall") else {
            return Sleep::Outside;
        };
        // "running" is said of a thread that has woken up since, -1 of one that sleeps outside of
        // any call.
        let mut words = call.split_ascii_whitespace();
        let Some(number) = words.next().and_then(|word| word.parse::<u32>().ok()) else {
            return Sleep::Not;
        };
        let fd = words
            .next()
            .and_then(|word| i64::from_str_radix(word.trim_start_matches("0x"), 16).ok());
        let is_here = match i64::from(number) {
            libc::SYS_open | libc::SYS_openat => true,
            libc::SYS_read | libc::SYS_readv | libc::SYS_write | libc::SYS_writev => {
                fd.is_some_and(is_shared_pipe)
            }
            libc::SYS_flock | libc::SYS_fcntl => fd.is_some_and(|fd| names(fd) > 1),
            _ => false,
        };
        match is_here {
            true => Sleep::Here,
            false => Sleep::Outside,
        }
    }
}

fn is_shared_pipe(fd: i64) -> bool {
    let target = std::fs::read_link(format!("/proc/self/fd/{fd}"));
    target.is_ok_and(|t| t.as_os_str().as_encoded_bytes().starts_with(b"pipe:")) && names(fd) > 1
}

/// How many descriptors are of the same file as `fd`.
fn names(fd: i64) -> usize {
    let (Ok(target), Ok(all)) = (
        std::fs::read_link(format!("/proc/self/fd/{fd}")),
        std::fs::read_dir("/proc/self/fd"),
    ) else {
        return 0;
    };
    let targets = all
        .flatten()
        .filter_map(|e| std::fs::read_link(e.path()).ok());
    targets.filter(|t| *t == target).count()
}
