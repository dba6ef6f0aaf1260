#![allow(unsafe_code)]
//! When events happen.
//!
//! Two readings of the kernel's clock are a third of what a trace costs a program that does nothing
//! but wake goroutines. So where the kernel itself counts the processor's ticks, these are read in
//! its place, and converted at a rate that [`measure`] finds once. The rate is good to some
//! millionths; events of one trace are all converted alike.
//!
//! # Invariants
//!
//! - V1. `RATE` is 0 until `TICKS` and `NS` have been written, and neither changes after that.

use crate::clock::nanotime;
use crate::control::{self, tape};
use crate::sync::plain::{AtomicI64, AtomicU64, Ordering};

/// Nanoseconds a tick, times 2³²; 0: ticks are not read. Written by [`measure`], once.
static RATE: AtomicU64 = AtomicU64::new(0);
/// A moment in ticks. Written before `RATE`.
static TICKS: AtomicU64 = AtomicU64::new(0);
/// The same moment by [`nanotime`].
static NS: AtomicI64 = AtomicI64::new(0);

/// The time, about as [`nanotime`] tells it.
#[inline]
pub(super) fn now() -> i64 {
    // Acquire: pairs with the Release in `measure` (V1).
    let rate = RATE.load(Ordering::Acquire);
    if rate == 0 || control::clock_is_told() {
        return read();
    }
    let passed = ticks().wrapping_sub(TICKS.load(Ordering::Relaxed)) as i64;
    let ns = (i128::from(passed) * i128::from(rate)) >> 32;
    NS.load(Ordering::Relaxed) + ns as i64
}

/// Reads the clock. That of a tape is not asked, for it tells each time once: to the program.
fn read() -> i64 {
    match tape::is_on() {
        true => tape::time_of_traces(),
        false => nanotime(),
    }
}

/// Which clock it is, if it is not the machine's: for the heads of traces.
pub(super) fn clock() -> Option<&'static str> {
    match () {
        () if control::is_virtual() => Some("virtual"),
        () if tape::is_replayed() => Some("replayed"),
        () => None,
    }
}

/// The processor's ticks.
#[cfg(target_arch = "x86_64")]
#[inline]
fn ticks() -> u64 {
    // SAFETY: every processor of this kind has the instruction.
    unsafe { std::arch::x86_64::_rdtsc() }
}

#[cfg(not(target_arch = "x86_64"))]
fn ticks() -> u64 {
    0
}

/// Ticks and time of one moment, as near as can be had.
pub(super) fn moment() -> (u64, i64) {
    let tries = (0..8).map(|_| {
        let (before, ns, after) = (ticks(), crate::sync::nanotime(), ticks());
        (after.wrapping_sub(before), before, ns)
    });
    let (gap, before, ns) = tries.min_by_key(|t| t.0).unwrap_or_default();
    (before + gap / 2, ns)
}

/// Whether the kernel tells the time by ticks.
pub(super) fn has_ticks() -> bool {
    let source = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
    cfg!(target_arch = "x86_64")
        && std::fs::read_to_string(source).is_ok_and(|name| name.trim() == "tsc")
}

/// Finds the rate, from a moment a while ago; from now on ticks are read.
pub(super) fn measure(begin: (u64, i64)) {
    let end = moment();
    let (ticks, ns) = (end.0.wrapping_sub(begin.0), end.1 - begin.1);
    if RATE.load(Ordering::Relaxed) != 0 || ns < 1_000_000 || ticks == 0 {
        return;
    }
    let rate = (i128::from(ns) << 32) / i128::from(ticks);
    TICKS.store(end.0, Ordering::Relaxed);
    NS.store(end.1, Ordering::Relaxed);
    if let Ok(rate) = u64::try_from(rate) {
        // Release: pairs with the Acquire in `now`.
        RATE.store(rate, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_tell_the_time() {
        if !has_ticks() {
            return;
        }
        let begin = moment();
        std::thread::sleep(std::time::Duration::from_millis(20));
        measure(begin);
        for _ in 0..5 {
            let (low, now, high) = (nanotime(), now(), nanotime());
            assert!(
                low - 20_000 < now && now < high + 20_000,
                "{low} {now} {high}"
            );
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    }
}
