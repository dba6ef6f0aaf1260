#![allow(unsafe_code)]
//! Limits on a whole run: its time, its memory, its goroutines. A program that exceeds one ends
//! with a status of its own, after a line that says which, and what GOTRACEBACK asks for.
//!
//! Time is watched by a thread, which has sysmon print the goroutines; memory by the collector, by
//! what gives out stacks and large objects; goroutines where they are made.
//!
//! # Invariants
//!
//! - L1. Limits are written before [`start`](crate::proc::start), and never again.

use crate::g::Status;
use crate::m::M;
use crate::panic;
use crate::sched::{for_each_g, num_goroutine};
use crate::sync::plain::{AtomicI64, AtomicU64, AtomicUsize, Ordering};
use std::fmt;
use std::time::Duration;

/// Exit status of a program in which a wait for a turn was longer than `--latency-max`.
pub const LATENCY_STATUS: i32 = 68;
/// Exit status of a program that used more than `--max-heap`.
pub const HEAP_STATUS: i32 = 71;
/// Exit status of a program that had more goroutines than `--max-goroutines`.
pub const GOROUTINES_STATUS: i32 = 72;
/// Exit status of a program that ran longer than `--timeout`.
pub const TIMEOUT_STATUS: i32 = 124;

/// How much a run may use; `None` is as much as there is.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Limits {
    /// From when this is set.
    pub timeout: Option<Duration>,
    /// Bytes of live objects and of stacks.
    pub heap: Option<u64>,
    /// Of the program, alive at once.
    pub goroutines: Option<u64>,
}

/// Bytes; `u64::MAX` is no limit.
static HEAP: AtomicU64 = AtomicU64::new(u64::MAX);
/// `i64::MAX` is no limit.
static GOROUTINES: AtomicI64 = AtomicI64::new(i64::MAX);
/// Bytes that lived after the last collection. Written by the collector.
static LIVE: AtomicU64 = AtomicU64::new(0);

/// Whether the time is over.
static TIME: AtomicUsize = AtomicUsize::new(RUNNING);
const RUNNING: usize = 0;
const OVER: usize = 1;
/// sysmon tells it, and ends the process.
const TOLD: usize = 2;

/// How long sysmon has to begin to tell that the time is over.
const PATIENCE: Duration = Duration::from_secs(1);

/// Sets what the run may use. Its time begins now.
///
/// Fails if there is no thread to watch the time.
pub fn set(limits: Limits) -> std::io::Result<()> {
    HEAP.store(limits.heap.unwrap_or(u64::MAX), Ordering::Relaxed);
    let goroutines = limits.goroutines.and_then(|n| i64::try_from(n).ok());
    GOROUTINES.store(goroutines.unwrap_or(i64::MAX), Ordering::Relaxed);
    let Some(time) = limits.timeout else {
        return Ok(());
    };
    let watch = move || {
        std::thread::sleep(time);
        TIME.store(OVER, Ordering::SeqCst);
        crate::sysmon::poke();
        // Before the program begins there is no sysmon, and nothing but this to tell.
        if crate::sysmon::is_running() {
            std::thread::sleep(PATIENCE);
        }
        if TIME.swap(TOLD, Ordering::SeqCst) == TOLD {
            loop {
                std::thread::park();
            }
        }
        out_of_time(time);
    };
    TIMEOUT.store(time.as_nanos() as u64, Ordering::Relaxed);
    let thread = std::thread::Builder::new().name("timeout".into());
    thread.spawn(watch).map(|_| ())
}

/// The limit on time in nanoseconds.
static TIMEOUT: AtomicU64 = AtomicU64::new(0);

/// Ends the process if its time is over.
///
/// Context: sysmon.
pub(crate) fn check_time() {
    if TIME.load(Ordering::Relaxed) == OVER && TIME.swap(TOLD, Ordering::SeqCst) == OVER {
        out_of_time(Duration::from_nanos(TIMEOUT.load(Ordering::Relaxed)));
    }
}

#[cold]
fn out_of_time(time: Duration) -> ! {
    exceeded(
        TIMEOUT_STATUS,
        format_args!("--timeout: the program has run for {time:?}"),
    )
}

/// The most bytes that objects may take up when `other` bytes are stacks and the like.
#[inline]
pub(crate) fn heap_goal(other: u64) -> u64 {
    HEAP.load(Ordering::Relaxed).saturating_sub(other)
}

/// Ends the process if what lives after a collection is too much; `stacks` are bytes.
pub(crate) fn check_live(live: u64, stacks: u64) {
    LIVE.store(live, Ordering::Relaxed);
    check_heap(live + stacks);
}

/// Ends the process if its stacks have become too large.
#[inline]
pub(crate) fn check_stacks(bytes: u64) {
    check_heap(LIVE.load(Ordering::Relaxed) + bytes);
}

/// Ends the process if one object is too large.
#[inline]
pub(crate) fn check_object(bytes: u64) {
    check_heap(bytes);
}

#[inline]
fn check_heap(bytes: u64) {
    let limit = HEAP.load(Ordering::Relaxed);
    if bytes > limit {
        let (uses, most) = (Size(bytes), Size(limit));
        exceeded(
            HEAP_STATUS,
            format_args!("--max-heap: the program needs {uses}, more than {most}"),
        );
    }
}

/// Ends the process if the goroutine that is being made is one too many.
///
/// Context: as [`spawn`](crate::proc::spawn); the new G is off the lists and dead.
#[inline]
pub(crate) fn check_goroutines(m: &M) {
    let most = GOROUTINES.load(Ordering::Relaxed);
    if most != i64::MAX && num_goroutine() > most {
        count_goroutines(m, most);
    }
}

/// Counts those of the program that live: [`num_goroutine`] also counts those on their way from
/// one list of dead ones to another.
#[cold]
fn count_goroutines(_: &M, most: i64) {
    let mut count = 1;
    for_each_g(|g| {
        // SAFETY: descriptors are never freed.
        let lives =
            unsafe { !(*g).is_system && !matches!((*g).status(), Status::Dead | Status::Idle) };
        count += i64::from(lives);
    });
    if count > most {
        exceeded(
            GOROUTINES_STATUS,
            format_args!("--max-goroutines: the program has {count} goroutines, more than {most}"),
        );
    }
}

#[cold]
fn exceeded(status: i32, text: fmt::Arguments<'_>) -> ! {
    panic::exceeded(status, text)
}

/// A number of bytes as `--max-heap` takes it.
struct Size(u64);

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [(30, "G"), (20, "M"), (10, "K")];
        let Some((shift, unit)) = units.into_iter().find(|(shift, _)| self.0 >> shift > 0) else {
            return write!(f, "{}", self.0);
        };
        match self.0.trailing_zeros() >= shift {
            true => write!(f, "{}{unit}", self.0 >> shift),
            false => write!(f, "{:.1}{unit}", self.0 as f64 / (1_u64 << shift) as f64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (bytes, text) in [
            (0, "0"),
            (1023, "1023"),
            (1 << 10, "1K"),
            (64 << 20, "64M"),
            ((64 << 20) + (1 << 19), "64.5M"),
            (3 << 30, "3G"),
        ] {
            assert_eq!(Size(bytes).to_string(), text);
        }
    }
}
