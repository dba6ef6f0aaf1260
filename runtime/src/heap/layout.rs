//! Layouts: which words of an object may be pointers.
//!
//! A layout is the pattern of one element; an object is that pattern repeated over its size. The
//! registry is append-only: a layout is never freed, and reading one takes no lock.
//!
//! The marker follows `Pointer` and `Maybe` alike, since it checks every word; but what it finds in
//! a `Pointer` word must be one (see gc/bad.rs). Equal patterns (after cutting repetitions) share
//! an id: the fewer ids there are, the more spans hold objects of one layout only, which costs
//! nothing per object.
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
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
    /// Every word is a pointer.
    pub const POINTERS: LayoutId = LayoutId(1);
}

/// One layout, as the marker reads it.
pub struct Layout {
    /// Words of an element.
    pub(crate) words: usize,
    /// For elements up to 64 words: the pointers of the pattern repeated over 64 words.
    pub(crate) mask: u64,
    /// The same of what may be a pointer or not.
    pub(crate) maybe: u64,
    /// For longer elements: the offsets (in words) of pointers.
    pub(crate) offsets: Box<[u32]>,
    /// The same of what may be a pointer or not.
    pub(crate) maybe_offsets: Box<[u32]>,
    /// For elements that are too long to be told word by word: their parts, which have layouts of
    /// their own.
    pub(crate) parts: Box<[Part]>,
}

/// A part of a long element.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// Its first word, and how many it has.
    pub at: usize,
    pub words: usize,
    /// Repeated over it.
    pub layout: LayoutId,
}

impl Layout {
    /// The layout of an element with these words.
    fn new(kinds: &[WordKind]) -> Layout {
        let mut l = Layout {
            words: kinds.len(),
            mask: 0,
            maybe: 0,
            offsets: Box::new([]),
            maybe_offsets: Box::new([]),
            parts: Box::new([]),
        };
        let at = |kind| (0..kinds.len()).filter(move |&i| kinds[i] == kind);
        if kinds.len() <= 64 {
            let repeated = |kind| {
                let all = at(kind).flat_map(|i| (i..64).step_by(kinds.len()));
                all.fold(0, |mask, i| mask | 1 << i)
            };
            l.mask = repeated(WordKind::Pointer);
            l.maybe = repeated(WordKind::Maybe);
        } else {
            l.offsets = at(WordKind::Pointer).map(|i| i as u32).collect();
            l.maybe_offsets = at(WordKind::Maybe).map(|i| i as u32).collect();
        }
        l
    }
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
    ids: BTreeMap<Box<[WordKind]>, u32>,
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
    let mut kinds: Vec<WordKind> = words.iter().copied().take(n).collect();
    if kinds.iter().all(|k| *k == WordKind::Scalar) {
        return LayoutId::NOSCAN;
    }
    debug_assert!(
        elem_size.is_multiple_of(8),
        "an element with pointers is a multiple of 8 bytes"
    );
    kinds.resize(n, WordKind::Scalar);
    kinds.truncate(period(&kinds));
    assert!(u32::try_from(kinds.len()).is_ok(), "a layout's words");
    let mut r = REGISTRY.lock();
    r.ensure_fixed();
    LayoutId(r.add(kinds))
}

/// Registers the layout of an element of `words` words, more than the marker scans at once, by the
/// parts that have pointers.
///
/// Context: any thread or stack.
pub fn register_parts(words: usize, parts: Vec<Part>) -> LayoutId {
    debug_assert!(words > crate::gc::PIECE_WORDS);
    let mut r = REGISTRY.lock();
    r.ensure_fixed();
    let mut l = Layout::new(&[]);
    (l.words, l.parts) = (words, parts.into());
    LayoutId(r.append(l))
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
            self.add(vec![WordKind::Scalar]);
            self.add(vec![WordKind::Pointer]);
        }
    }

    fn add(&mut self, kinds: Vec<WordKind>) -> u32 {
        if let Some(id) = self.ids.get(kinds.as_slice()) {
            return *id;
        }
        let id = self.append(Layout::new(&kinds));
        self.ids.insert(kinds.into_boxed_slice(), id);
        id
    }

    fn append(&mut self, l: Layout) -> u32 {
        let id = self.next as usize;
        assert!(id < CHUNK * CHUNKS, "too many layouts");
        let mut chunk = TABLE[id / CHUNK].load(Ordering::Relaxed);
        if chunk.is_null() {
            chunk = Box::leak(Box::<[Layout]>::new_uninit_slice(CHUNK))
                .as_mut_ptr()
                .cast();
            // Release: pairs with the Acquire in `layout`.
            TABLE[id / CHUNK].store(chunk, Ordering::Release);
        }
        // SAFETY: Y1 — the entry's id is not given out yet, and the registry's lock is held.
        unsafe { chunk.add(id % CHUNK).write(l) };
        self.next += 1;
        id as u32
    }
}

/// The length of the shortest pattern of which `kinds` is a whole number of repetitions.
fn period(kinds: &[WordKind]) -> usize {
    let n = kinds.len();
    (1..=n / 2)
        .filter(|d| n.is_multiple_of(*d))
        .find(|&d| kinds[d..] == kinds[..n - d])
        .unwrap_or(n)
}
