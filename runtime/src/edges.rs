#![allow(unsafe_code)]
//! The tables of status changes, of goroutines and of Ps: what is not in them is fatal in debug
//! builds, what is in them is counted there.
//!
//! `GOSCHED_EDGES=FILE` has each process add its counts to those in FILE, a word for each edge: so
//! one sees what a whole suite of programs has done, however they end.
//!
//! Other builds neither look nor count: a wrong change of a goroutine's status fails at its
//! compare-and-swap.
//!
//! # Invariants
//!
//! - J1. What `SHARED` points to is a mapping of [`WORDS`] words, which stays for good.
//!
//! Go: runtime/proc.go, casgstatus and its kin, wirep, releasep; runtime2.go, the comments of the
//! status constants.

use crate::g::{G, Status};
use crate::p::{P, PStatus};
use crate::sync::plain::{AtomicPtr, AtomicU64, Ordering};
use crate::trace;

/// Whether this build looks and counts.
pub const COUNTED: bool = cfg!(debug_assertions);

/// What a change does to the scan bit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Scan {
    /// It is not set, before or after.
    No = 0,
    /// It is set.
    Set = 1,
    /// It is dropped.
    Drop = 2,
}

/// Every change of a goroutine's status.
pub const G_EDGES: &[(Status, Status, Scan)] = {
    use Scan::*;
    use Status::*;
    &[
        (Idle, Dead, No),
        (Status::Dead, Runnable, No),
        (Runnable, Running, No),
        (Running, Runnable, No),
        (Running, Waiting, No),
        (Running, Syscall, No),
        (Running, Dead, No),
        (Running, Copystack, No),
        (Copystack, Running, No),
        (Waiting, Runnable, No),
        (Waiting, Running, No),
        (Syscall, Running, No),
        (Syscall, Runnable, No),
        (Running, Preempted, Set),
        (Preempted, Preempted, Drop),
        (Preempted, Waiting, No),
        (Runnable, Runnable, Set),
        (Runnable, Runnable, Drop),
        (Running, Running, Set),
        (Running, Running, Drop),
        (Syscall, Syscall, Set),
        (Syscall, Syscall, Drop),
        (Waiting, Waiting, Set),
        (Waiting, Waiting, Drop),
    ]
};

/// Every change of a P's status. With the world stopped all are `GcStop`, so that no other state
/// leads to `Dead`.
pub const P_EDGES: &[(PStatus, PStatus)] = {
    use PStatus::*;
    &[
        (GcStop, Idle),
        (GcStop, Running),
        (GcStop, Dead),
        (Dead, GcStop),
        (Idle, Running),
        (Idle, GcStop),
        (Running, Idle),
        (Running, Syscall),
        (Running, GcStop),
        (Syscall, Idle),
        (Syscall, GcStop),
    ]
};

/// Words of a file of counts: the edges of goroutines, then those of Ps, in the order of the
/// tables.
const WORDS: usize = G_EDGES.len() + P_EDGES.len();

/// The counts of all processes that share a file. Written once, by [`read_environment`].
static SHARED: AtomicPtr<AtomicU64> = AtomicPtr::new(std::ptr::null_mut());

static G_TAKEN: [AtomicU64; G_EDGES.len()] = [const { AtomicU64::new(0) }; G_EDGES.len()];
static P_TAKEN: [AtomicU64; P_EDGES.len()] = [const { AtomicU64::new(0) }; P_EDGES.len()];

/// How often each of [`G_EDGES`] was taken. For tests.
pub fn g_taken() -> Vec<u64> {
    G_TAKEN.iter().map(|n| n.load(Ordering::Relaxed)).collect()
}

/// How often each of [`P_EDGES`] was taken. For tests.
pub fn p_taken() -> Vec<u64> {
    P_TAKEN.iter().map(|n| n.load(Ordering::Relaxed)).collect()
}

/// Maps the file that `GOSCHED_EDGES` names, making it if it is not there. No name, no file.
///
/// Fails the process if there cannot be one: what was to be counted would be missing.
pub(crate) fn read_environment() {
    if !COUNTED || fault!(LoseEdges) {
        return;
    }
    let Some(path) = std::env::var_os("GOSCHED_EDGES").filter(|p| !p.is_empty()) else {
        return;
    };
    let bytes = WORDS * size_of::<AtomicU64>();
    let file = std::fs::OpenOptions::new()
        .create(true)
        .truncate(false)
        .read(true)
        .write(true)
        .open(&path);
    let file = match file.and_then(|f| f.set_len(bytes as u64).map(|()| f)) {
        Ok(file) => file,
        Err(e) => crate::throw!("GOSCHED_EDGES={}: {e}", path.display()),
    };
    // SAFETY: a fresh mapping of a file of that size, which no process makes smaller.
    let at = unsafe {
        libc::mmap(
            std::ptr::null_mut(),
            bytes,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_SHARED,
            std::os::fd::AsRawFd::as_raw_fd(&file),
            0,
        )
    };
    if at == libc::MAP_FAILED {
        crate::throw!("GOSCHED_EDGES={}: no mapping", path.display());
    }
    SHARED.store(at.cast(), Ordering::Relaxed);
}

/// The counts in a file that `GOSCHED_EDGES` has named: those of [`G_EDGES`], then of [`P_EDGES`].
/// For tests.
///
/// Fails if it cannot be read or has another form.
pub fn read_shared(path: &std::path::Path) -> std::io::Result<(Vec<u64>, Vec<u64>)> {
    let bytes = std::fs::read(path)?;
    let (words, rest) = bytes.as_chunks::<8>();
    if words.len() != WORDS || !rest.is_empty() {
        return Err(std::io::ErrorKind::InvalidData.into());
    }
    let mut g: Vec<u64> = words.iter().map(|w| u64::from_ne_bytes(*w)).collect();
    let p = g.split_off(G_EDGES.len());
    Ok((g, p))
}

/// Counts the edge at `i` of a file of counts.
#[inline]
fn share(i: usize) {
    let at = SHARED.load(Ordering::Relaxed);
    if !at.is_null() {
        // SAFETY: J1 — `i` is below `WORDS`.
        unsafe { (*at.add(i)).fetch_add(1, Ordering::Relaxed) };
    }
}

/// The status of `g` has changed.
#[inline]
pub(crate) fn g(g: &G, from: Status, to: Status, scan: Scan) {
    if COUNTED {
        let Some(i) = G_EDGES.iter().position(|e| *e == (from, to, scan)) else {
            crate::throw!(
                "goroutine {}: status {} to {}, scan bit {scan:?}",
                g.goid.0,
                from.name(),
                to.name()
            );
        };
        G_TAKEN[i].fetch_add(1, Ordering::Relaxed);
        share(i);
        trace::g_status(g, from, to, scan as u32);
    }
}

/// The status of `p` changes.
#[inline]
pub(crate) fn p(p: &P, from: PStatus, to: PStatus) {
    if COUNTED {
        let Some(i) = P_EDGES.iter().position(|e| *e == (from, to)) else {
            crate::throw!("P{}: status {} to {}", p.id, from.name(), to.name());
        };
        P_TAKEN[i].fetch_add(1, Ordering::Relaxed);
        share(G_EDGES.len() + i);
        trace::p_status(p, from, to);
    }
}
