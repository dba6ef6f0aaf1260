#![allow(unsafe_code)]
//! The histogram of scheduling delays: how long sampled Gs were runnable before they ran.
//!
//! Go: runtime/histogram.go.

use crate::clock::real_nanotime;
use crate::g::G;
use crate::sync::{AtomicU64, Ordering};

/// Buckets: powers of two from 2^9 ns, four each; plus underflow and overflow.
const BUCKETS: usize = 4 * 36;
static LATENCY: [AtomicU64; BUCKETS + 2] = [const { AtomicU64::new(0) }; BUCKETS + 2];

/// The bucket of a duration: 0 is underflow, `BUCKETS + 1` overflow.
pub fn bucket(ns: i64) -> usize {
    const MIN_BITS: u32 = 9;
    if ns < 1 << MIN_BITS {
        return 0;
    }
    let top = 63 - ns.leading_zeros();
    let sub = (ns >> (top - 2)) & 3;
    let i = ((top - MIN_BITS) * 4) as usize + sub as usize;
    1 + i.min(BUCKETS)
}

/// Counts the time a sampled G was runnable.
#[cold]
pub(crate) unsafe fn latency(g: *mut G) {
    // SAFETY: context — the G's owner.
    unsafe {
        (*g).tracking = false;
        let d = real_nanotime() - (*g).runnable_stamp;
        (*g).runnable_stamp = 0;
        LATENCY[bucket(d)].fetch_add(1, Ordering::Relaxed);
        crate::prof::histogram::LATENCIES.record(d);
    }
}

/// Counts of scheduling delays by bucket; see [`bucket`]. For tests.
pub fn latencies() -> Vec<u64> {
    LATENCY.iter().map(|c| c.load(Ordering::Relaxed)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_monotonic_and_start_at_512ns() {
        assert_eq!(bucket(0), 0);
        assert_eq!(bucket(511), 0);
        assert_eq!(bucket(512), 1);
        assert_eq!(bucket(640), 2);
        assert_eq!(bucket(1024), 5);
        assert_eq!(bucket(i64::MAX), BUCKETS + 1);
    }
}
