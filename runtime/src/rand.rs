//! Random streams: one seed per process, a stream per P drawn from it.
//!
//! Steal order, select order and map iteration draw on the stream of the P they run on, so that
//! a run can be repeated from its seed.
//!
//! Go: runtime/rand.go.

use crate::sync::{AtomicU64, Ordering};

/// The process's seed. Written by `set_seed` before the first P is made, and by `fork`.
static SEED: AtomicU64 = AtomicU64::new(0x9e37_79b9_7f4a_7c15);

/// A stream of pseudo-random numbers (wyrand).
#[derive(Clone, Debug)]
pub struct Rand(u64);

impl Rand {
    /// A stream begun at `seed`.
    pub(crate) const fn new(seed: u64) -> Rand {
        Rand(seed)
    }

    /// The next 64 bits.
    #[inline]
    #[allow(
        clippy::should_implement_trait,
        reason = "a stream that never ends is no iterator"
    )]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0xa076_1d64_78bd_642f);
        let t = (self.0 as u128).wrapping_mul((self.0 ^ 0xe703_7ed1_a0b4_28db) as u128);
        (t >> 64) as u64 ^ t as u64
    }

    /// The next 32 bits.
    #[inline]
    pub(crate) fn next32(&mut self) -> u32 {
        (self.next() >> 32) as u32
    }

    /// A number below `n`, near enough uniform; 0 if `n` is 0.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        ((u64::from(self.next32()) * u64::from(n)) >> 32) as u32
    }
}

/// Sets the process's seed. Called before the runtime starts.
pub(crate) fn set_seed(seed: u64) {
    SEED.store(seed, Ordering::Relaxed);
}

/// A seed for a new stream, drawn from the process's seed.
pub(crate) fn fork() -> u64 {
    let s = SEED.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
    let mut r = Rand(s);
    r.next()
}

/// A seed from the operating system.
pub(crate) fn entropy() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    let mut h = std::hash::RandomState::new().build_hasher();
    h.write_i64(crate::clock::walltime());
    h.finish()
}
