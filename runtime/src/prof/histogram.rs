//! Histograms of durations, in Go's buckets, and the ones that there are.
//!
//! A bucket is a quarter of a power of two of nanoseconds, from 2^8 up to 2^47; four below that are
//! of 64 ns.
//!
//! Go: runtime/histogram.go.

use crate::sync::plain::{AtomicI64, AtomicU64, Ordering};

/// The lowest power of two whose bucket is divided into quarters of itself, and the highest.
const MIN_BITS: u32 = 9;
const MAX_BITS: u32 = 48;
/// Parts of a power of two.
const PARTS: usize = 4;
const PART_BITS: u32 = 2;
const BUCKETS: usize = (MAX_BITS - MIN_BITS + 1) as usize * PARTS;

/// How often which durations were met.
#[derive(Debug)]
pub struct Histogram {
    below: AtomicU64,
    counts: [AtomicU64; BUCKETS],
    above: AtomicU64,
}

/// How long goroutines that were sampled could run before they did.
pub static LATENCIES: Histogram = Histogram::new();
/// How long it took to stop the world, and how long it was stopped: for the collector, and for
/// others.
pub static STOPPING: [Histogram; 2] = [const { Histogram::new() }; 2];
pub static STOPPED: [Histogram; 2] = [const { Histogram::new() }; 2];

/// When the stop of the world that is under way began. Written by the M that stops it.
static STOP_BEGAN: AtomicI64 = AtomicI64::new(0);

impl Histogram {
    const fn new() -> Histogram {
        Histogram {
            below: AtomicU64::new(0),
            counts: [const { AtomicU64::new(0) }; BUCKETS],
            above: AtomicU64::new(0),
        }
    }

    /// Counts a duration.
    pub(crate) fn record(&self, ns: i64) {
        let count = match bucket(ns) {
            Some(at) => self.counts.get(at).unwrap_or(&self.above),
            None => &self.below,
        };
        count.fetch_add(1, Ordering::Relaxed);
    }

    /// The counts: one for each two neighbours of [`bounds`].
    pub fn counts(&self) -> Vec<u64> {
        let all = [&self.below].into_iter().chain(&self.counts);
        let all = all.chain([&self.above]);
        all.map(|c| c.load(Ordering::Relaxed)).collect()
    }
}

/// The place of a duration among the counts, `None` for a negative one.
fn bucket(ns: i64) -> Option<usize> {
    let ns = u64::try_from(ns).ok()?;
    let bits = u64::BITS - ns.leading_zeros();
    let (bits, power) = match bits < MIN_BITS {
        true => (MIN_BITS, 0),
        false => (bits, (bits - MIN_BITS + 1) as usize),
    };
    let part = (ns >> (bits - 1 - PART_BITS)) as usize % PARTS;
    Some(power * PARTS + part)
}

/// The bounds of the buckets, in seconds: from minus infinity up to infinity.
pub fn bounds() -> Vec<f64> {
    let part =
        |power: u32, k: u64, step: u32| (if power > 0 { 1 << power } else { 0 }) + (k << step);
    let first = (0..PARTS as u64).map(|k| part(0, k, MIN_BITS - 1 - PART_BITS));
    let powers = (MIN_BITS - 1..MAX_BITS - 1)
        .flat_map(|power| (0..PARTS as u64).map(move |k| part(power, k, power - PART_BITS)));
    let inner = first.chain(powers).chain([1 << (MAX_BITS - 1)]);
    [f64::NEG_INFINITY]
        .into_iter()
        .chain(inner.map(|ns| ns as f64 / 1e9))
        .chain([f64::INFINITY])
        .collect()
}

/// Which of two histograms a stop of the world for `reason` belongs to.
fn which(reason: &str) -> usize {
    usize::from(!["GC mark termination", "GC sweep termination"].contains(&reason))
}

/// The world begins to stop.
pub(crate) fn stop_begins() {
    STOP_BEGAN.store(crate::clock::real_nanotime(), Ordering::Relaxed);
}

/// It has stopped for `reason`.
pub(crate) fn stopped(reason: &str) {
    STOPPING[which(reason)].record(since_stop());
}

/// It runs again.
pub(crate) fn started(reason: &str) {
    STOPPED[which(reason)].record(since_stop());
}

fn since_stop() -> i64 {
    crate::clock::real_nanotime() - STOP_BEGAN.load(Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_duration_lies_between_the_bounds_of_its_bucket() {
        let bounds = bounds();
        assert_eq!(bounds.len(), BUCKETS + 3);
        assert!(bounds.is_sorted());
        for ns in (0..47).flat_map(|k| [1u64 << k, (1 << k) + 1, (1 << k) * 7 / 4]) {
            let at = bucket(ns as i64).unwrap() + 1;
            let seconds = ns as f64 / 1e9;
            assert!(bounds[at] <= seconds && seconds < bounds[at + 1], "{ns}");
        }
        assert_eq!(bucket(-1), None);
        let h = Histogram::new();
        h.record(-1);
        h.record(i64::MAX);
        let counts = h.counts();
        assert_eq!(counts.len(), bounds.len() - 1);
        assert_eq!((counts[0], counts[counts.len() - 1]), (1, 1));
    }
}
