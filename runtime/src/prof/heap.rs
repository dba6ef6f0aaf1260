#![allow(unsafe_code)]
//! The profile of memory: which allocations there were, by a sample of one in so many bytes.
//!
//! Of each class of sizes, and of large objects, bytes are drawn with exponentially distributed
//! distances; the object that such a byte falls into is sampled. So each byte is as likely as any
//! other, whatever else is allocated. A cache knows the distance when it takes a group of slots,
//! and holds back the slot that is to be sampled, with those behind it: allocations on the fast way
//! do not know of it.
//!
//! Objects that were sampled are looked at after each mark. What the profile tells is of the end of
//! the last one, for what has been allocated since is mostly garbage.
//!
//! # Invariants
//!
//! - S1. [`RATE_AT`] is null or names a variable of the program, which lives for ever.
//!
//! Go: runtime/mprof.go, mProf_Malloc, mProf_Free; runtime/malloc.go, profilealloc, nextSample.

use std::collections::HashMap;

use super::MAX_FRAMES;
use crate::engine::Stack;
use crate::lockrank::Rank;
use crate::sync::Guarded;
use crate::sync::plain::{AtomicBool, AtomicI64, AtomicPtr, AtomicU64, Ordering};
use crate::tls;

/// Bytes of which one is sampled, where the program does not say. Go: runtime.MemProfileRate.
pub const RATE: i64 = 512 << 10;

/// Samples are wanted. Written by [`switch_on`].
static ON: AtomicBool = AtomicBool::new(false);
/// The program's variable with the rate.
static RATE_AT: AtomicPtr<AtomicI64> = AtomicPtr::new(std::ptr::null_mut());
/// Bytes of large objects until a sample is due.
static LARGE: AtomicI64 = AtomicI64::new(0);
/// The state of [`random`]. Of its own, so that a profile changes no decision of the scheduler.
static SEED: AtomicU64 = AtomicU64::new(0x9e37_79b9_7f4a_7c15);

/// What was sampled of one size at one stack.
#[derive(Clone, Debug, Default)]
pub struct Record {
    pub stack: Box<[usize]>,
    pub size: usize,
    /// Objects that were allocated, and freed, when the last collection had marked.
    pub allocs: u64,
    pub frees: u64,
    /// Allocated since.
    new: u64,
}

#[derive(Default)]
struct Table {
    records: Vec<Record>,
    /// Their numbers, by size and stack.
    numbers: HashMap<(usize, Box<[usize]>), usize>,
    /// The records of objects that live.
    live: HashMap<usize, usize>,
    has_collected: bool,
}

static TABLE: Guarded<Option<Table>> = Guarded::new(Rank::Leaf, None);

/// Whether allocations are to be sampled, if the rate says so.
#[inline]
pub(crate) fn is_on() -> bool {
    ON.load(Ordering::Relaxed)
}

/// Samples from now on.
pub fn switch_on() {
    ON.store(true, Ordering::Relaxed);
}

/// As [`switch_on`]; the rate is what the program's variable at `at` says.
///
/// # Safety
///
/// S1.
pub unsafe fn watch(at: usize) {
    RATE_AT.store(at as *mut AtomicI64, Ordering::Release);
    switch_on();
}

/// The rate just now.
pub fn rate() -> i64 {
    let at = RATE_AT.load(Ordering::Acquire);
    // SAFETY: S1.
    unsafe { at.as_ref() }.map_or(RATE, |rate| rate.load(Ordering::Relaxed))
}

/// A random number, by xorshift.
fn random() -> u64 {
    let mut x = SEED.load(Ordering::Relaxed);
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    SEED.store(x, Ordering::Relaxed);
    x
}

/// How many bytes further on the next sample is.
pub(crate) fn distance() -> u64 {
    match rate() {
        // The rate is looked at again from time to time.
        ..=0 => RATE as u64,
        1 => 1,
        rate => {
            let uniform = ((random() >> 11) + 1) as f64 / (1u64 << 53) as f64;
            1 + (-uniform.ln() * rate as f64) as u64
        }
    }
}

/// A distance above this was drawn at another rate: of 500 million no other is as long.
pub(crate) fn farthest() -> u64 {
    const MEANS: u64 = 20;
    match rate() {
        ..=0 => MEANS * RATE as u64,
        1 => 1,
        rate => MEANS * rate as u64,
    }
}

/// A large object has been allocated.
#[cold]
pub(crate) fn large(object: usize, size: usize) {
    if !(1..=farthest() as i64).contains(&LARGE.load(Ordering::Relaxed)) {
        LARGE.store(distance() as i64, Ordering::Relaxed);
    }
    if LARGE.fetch_sub(size as i64, Ordering::Relaxed) <= size as i64 {
        LARGE.store(0, Ordering::Relaxed);
        sampled(object, size);
    }
}

/// The object has been allocated by the current goroutine, and is part of the sample.
///
/// Context: a thread with a P; the goroutine has saved its registers.
#[cold]
pub(crate) fn sampled(object: usize, size: usize) {
    if rate() <= 0 {
        return;
    }
    let m = tls::current_m();
    // SAFETY: the M is this thread's; m::M3.
    let stack = unsafe {
        match m.as_ref().and_then(|m| m.curg.as_ref()) {
            Some(g) if g.native.is_none() => (*m).engine.stack(g, Stack::Calling, MAX_FRAMES),
            _ => Vec::new(),
        }
    };
    let mut table = TABLE.lock();
    let Table {
        records,
        numbers,
        live,
        ..
    } = table.get_or_insert_default();
    let stack = stack.into_boxed_slice();
    let number = *numbers.entry((size, stack)).or_insert_with_key(|key| {
        records.push(Record {
            stack: key.1.clone(),
            size,
            ..Record::default()
        });
        records.len() - 1
    });
    records[number].new += 1;
    live.insert(object, number);
}

/// All is marked: what is not is about to be freed.
///
/// Context: world stopped.
pub(crate) fn marked(is_marked: &dyn Fn(usize) -> bool) {
    if !is_on() {
        return;
    }
    let mut table = TABLE.lock();
    let table = table.get_or_insert_default();
    table.has_collected = true;
    for record in &mut table.records {
        record.allocs += std::mem::take(&mut record.new);
    }
    let records = &mut table.records;
    table.live.retain(|object, number| {
        let lives = is_marked(*object);
        records[*number].frees += u64::from(!lives);
        lives
    });
}

/// The records: of the end of the last mark, or of now if there has been none.
pub fn records() -> Vec<Record> {
    let table = TABLE.lock();
    let Some(table) = &*table else {
        return Vec::new();
    };
    let all = table.records.iter().cloned();
    all.map(|mut record| {
        if !table.has_collected {
            record.allocs += record.new;
        }
        record
    })
    .filter(|record| record.allocs > 0)
    .collect()
}
