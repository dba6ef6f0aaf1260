//! Layouts: which words of an object may be pointers.
//!
//! A layout is the pattern of one element; an object is that pattern repeated over its size. The
//! registry is append-only: a layout is never freed, and reading one takes no lock.
//!
//! The marker treats `Pointer` and `Maybe` alike, since it checks every word, so a layout keeps
//! one bit per word, and equal bit patterns (after cutting repetitions) share an id. The fewer
//! ids there are, the more spans hold objects of one layout only, which costs nothing per object.
//!
//! # Invariants
//!
//! - Y1. A chunk of the table, once linked, is never moved or freed; an entry is written before
//!   its id is given out, and never again.
//!
//! Go: internal/abi Type.PtrBytes and GCData.
#![allow(unsafe_code)]

use crate::lockrank::Rank;
use crate::sync::{AtomicPtr, Guarded, Ordering};
use std::collections::BTreeMap;
use std::ptr::null_mut;

/// What one 8-byte word of an object holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WordKind {
    /// Never a pointer.
    Scalar,
    /// A pointer, or nil.
    Pointer,
    /// A pointer or any number (the data word of an interface).
    Maybe,
}

/// A registered layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct LayoutId(pub u32);

impl LayoutId {
    /// No word is a pointer.
    pub const NOSCAN: LayoutId = LayoutId(0);
    /// Every word may be a pointer.
    pub const POINTERS: LayoutId = LayoutId(1);
}

/// One layout, as the marker reads it.
pub struct Layout {
    /// Words of an element.
    pub(crate) words: usize,
    /// For elements up to 64 words: the pattern repeated over 64 words.
    pub(crate) mask: u64,
    /// For longer elements: the offsets (in words) of what may be a pointer.
    pub(crate) offsets: Box<[u32]>,
}

const CHUNK: usize = 1024;
const CHUNKS: usize = 8192;

static TABLE: [AtomicPtr<Layout>; CHUNKS] = [const { AtomicPtr::new(null_mut()) }; CHUNKS];
static REGISTRY: Guarded<Registry> = Guarded::new(
    Rank::Leaf,
    Registry {
        ids: BTreeMap::new(),
        next: 0,
    },
);

struct Registry {
    ids: BTreeMap<Box<[bool]>, u32>,
    next: u32,
}

/// Registers a layout of `elem_size` bytes; `words[i]` is the kind of the word at `8 * i`.
///
/// Words that are not told are scalars; a tail of less than 8 bytes holds no pointer. Equal
/// layouts get equal ids.
///
/// Context: any thread or stack.
pub fn register_layout(elem_size: usize, words: &[WordKind]) -> LayoutId {
    let n = elem_size / 8;
    let mut bits: Vec<bool> = words
        .iter()
        .take(n)
        .map(|k| *k != WordKind::Scalar)
        .collect();
    if !bits.contains(&true) {
        return LayoutId::NOSCAN;
    }
    debug_assert!(
        elem_size.is_multiple_of(8),
        "an element with pointers is a multiple of 8 bytes"
    );
    bits.resize(n, false);
    bits.truncate(period(&bits));
    let mut r = REGISTRY.lock();
    r.ensure_fixed();
    LayoutId(r.add(bits))
}

/// The layout with an id that was given out. Context: any.
#[inline(always)]
pub fn layout(id: LayoutId) -> &'static Layout {
    // Acquire: pairs with the Release in `add`.
    let chunk = TABLE[id.0 as usize / CHUNK].load(Ordering::Acquire);
    debug_assert!(!chunk.is_null());
    // SAFETY: Y1 — ids are given out after their entry is written.
    unsafe { &*chunk.add(id.0 as usize % CHUNK) }
}

/// Makes the two fixed ids known. Called when a heap is made.
pub(crate) fn init() {
    REGISTRY.lock().ensure_fixed();
}

impl Registry {
    fn ensure_fixed(&mut self) {
        if self.next == 0 {
            self.add(vec![false]);
            self.add(vec![true]);
        }
    }

    fn add(&mut self, bits: Vec<bool>) -> u32 {
        if let Some(id) = self.ids.get(bits.as_slice()) {
            return *id;
        }
        let id = self.next as usize;
        assert!(id < CHUNK * CHUNKS, "too many layouts");
        let mut chunk = TABLE[id / CHUNK].load(Ordering::Relaxed);
        if chunk.is_null() {
            let entries: Vec<Layout> = (0..CHUNK)
                .map(|_| Layout {
                    words: 1,
                    mask: 0,
                    offsets: Box::new([]),
                })
                .collect();
            chunk = Box::leak(entries.into_boxed_slice()).as_mut_ptr();
            // Release: pairs with the Acquire in `layout`.
            TABLE[id / CHUNK].store(chunk, Ordering::Release);
        }
        let mut entry = Layout {
            words: bits.len(),
            mask: 0,
            offsets: Box::new([]),
        };
        if bits.len() <= 64 {
            for i in 0..64 {
                entry.mask |= (bits[i % bits.len()] as u64) << i;
            }
        } else {
            entry.offsets = (0..bits.len() as u32)
                .filter(|&i| bits[i as usize])
                .collect();
        }
        // SAFETY: Y1 — the entry's id is not given out yet, and the registry's lock is held.
        unsafe { *chunk.add(id % CHUNK) = entry };
        self.ids.insert(bits.into_boxed_slice(), id as u32);
        self.next += 1;
        id as u32
    }
}

/// The length of the shortest pattern of which `bits` is a whole number of repetitions.
fn period(bits: &[bool]) -> usize {
    let n = bits.len();
    (1..=n / 2)
        .filter(|d| n.is_multiple_of(*d))
        .find(|&d| bits[d..] == bits[..n - d])
        .unwrap_or(n)
}
