//! The heap: spans, size classes, caches.
//!
//! An object is plain bytes with a layout that says which words may be pointers. Small objects
//! come from spans of one size class, through a cache per P ([`MCache`]); larger ones have a
//! span of their own. Objects never move; interior pointers keep them alive.
//!
//! ```text
//! MCache  -- a span per class, no lock -->  Central  -- spans with free slots -->  PageHeap
//!  per P                                    per class, a lock                      one lock
//! ```
//!
//! A pointer one past the end of an object points to its neighbour, if it points to anything: as in
//! Go, such pointers must not be made. Slicing `s[len(s):]` to capacity 0 keeps the old base.
//!
//! # Invariants
//!
//! - H1. Allocation never collects: it raises `gc.requested`, which the next safepoint honours.
//! - H2. Lists marked unswept hold spans whose mark bits say what lives; nothing is allocated
//!   from them before they are swept.
//! - H3. `live` counts the bytes of all objects, as if cached spans were full.
//!
//! Go: runtime/malloc.go, mheap.go, mcentral.go, mcache.go.
#![allow(unsafe_code)]

pub(crate) mod ahead;
mod arena;
mod layout;
mod mcache;
mod pages;
mod sizeclass;
mod span;
mod write;

#[cfg(test)]
pub(crate) mod tests;

use arena::{Arena, RESERVE_BYTES};
pub(crate) use arena::{address_space, data_space, map_memory};
pub use layout::{Layout, LayoutId, Part, WordKind, layout, register_layout, register_parts};
pub(crate) use mcache::MCache;
pub use mcache::{AtHand, SpanLayout};
pub use sizeclass::{TINY_SIZE, round_up_size};
pub use write::{NOT_NULL_MAX, cas_ptr, copy_typed, not_null_raw, store_ptr, swap_ptr, zero_typed};
pub use write::{not_null, not_null_mut};

pub(crate) use arena::{BIT_WORDS, FREE};
use sizeclass::CLASS_PAGES;
pub(crate) use sizeclass::{CLASS_SIZE, NUM_CLASSES, NUM_SPAN_CLASSES, PAGE_SHIFT, PAGE_SIZE};
pub(crate) use span::{Found, MIXED, Span, alloc_word, find, mark_word, state};

use crate::gc;
use crate::lockrank::Rank;
use crate::m::M;
use crate::sync::{AtomicPtr, AtomicU64, AtomicUsize, Guarded, Ordering};
pub(crate) use pages::PageHeap;
use std::ptr::null_mut;

/// At most so many unswept spans are tried before a refill takes fresh pages. Go: spanBudget.
const REFILL_SWEEPS: usize = 100;
/// A refill that takes fresh pages sweeps at least so many spans while some are left.
const RECLAIM_SPANS: usize = 32;
/// And at most so many, or one for each page that it takes.
const RECLAIM_MOST: usize = 100;

/// The memory that all objects of size 0 share.
#[repr(align(16))]
struct ZeroBase([AtomicU64; 2]);

impl ZeroBase {
    /// Its address.
    pub(crate) fn address(&'static self) -> *mut u8 {
        self.0.as_ptr() as *mut u8
    }
}

/// The address of every object of size 0. Go: runtime.zerobase.
static ZERO_BASE: ZeroBase = ZeroBase([AtomicU64::new(0), AtomicU64::new(0)]);

/// The spans of one class that no cache holds.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    /// Swept, with free slots.
    pub(crate) partial: u32,
    /// Swept, full when it came.
    pub(crate) full: u32,
    /// Not swept since the last mark; had free slots before it.
    pub(crate) unswept_partial: u32,
    /// Not swept since the last mark; was full before it.
    pub(crate) unswept_full: u32,
}

/// Counts that are kept while the program runs.
#[derive(Debug)]
pub(crate) struct Stats {
    pub(crate) allocs: [AtomicU64; NUM_SPAN_CLASSES],
    pub(crate) frees: [AtomicU64; NUM_SPAN_CLASSES],
    pub(crate) large_alloc_bytes: AtomicU64,
    pub(crate) large_free_bytes: AtomicU64,
    pub(crate) tiny_allocs: AtomicU64,
    /// Pages of spans with objects.
    pub(crate) pages_in_use: AtomicUsize,
    /// Bytes of layout arrays of mixed spans, in use or kept for reuse.
    pub(crate) layout_bytes: AtomicUsize,
    /// Spans with objects or for the runtime.
    pub(crate) spans: AtomicUsize,
}

/// A heap. The process has one; tests make their own.
pub(crate) struct Heap {
    pub(crate) arena: Arena,
    pub(crate) pages: Guarded<PageHeap>,
    pub(crate) central: [Guarded<Lists>; NUM_SPAN_CLASSES],
    /// Layout arrays for reuse, by size class; a list through their first word.
    layout_arrays: Guarded<[usize; NUM_CLASSES]>,
    pub(crate) stats: Stats,
    /// See H3. Written by refills and the collector.
    pub(crate) live: AtomicU64,
    pub(crate) gc: gc::State,
}

// SAFETY: the raw parts are guarded as span::P1 and pages::G1 say.
unsafe impl Sync for Heap {}
// SAFETY: nothing in it belongs to a thread.
unsafe impl Send for Heap {}

static HEAP: AtomicPtr<Heap> = AtomicPtr::new(null_mut());
static MAKING: Guarded<()> = Guarded::new(Rank::HeapCentral, ());

/// Where the objects of the process's heap may be: an address, and how many bytes.
pub(crate) fn arena_range() -> (usize, usize) {
    let arena = &heap().arena;
    (arena.base(), arena.limit() << PAGE_SHIFT)
}

/// The process's heap, made at the first call.
#[inline]
pub(crate) fn heap() -> &'static Heap {
    // Acquire: pairs with the Release in `make`.
    let h = HEAP.load(Ordering::Acquire);
    if h.is_null() {
        return make();
    }
    // SAFETY: set once, never freed.
    unsafe { &*h }
}

#[cold]
fn make() -> &'static Heap {
    let _making = MAKING.lock();
    if HEAP.load(Ordering::Acquire).is_null() {
        let Some(heap) = Heap::new(RESERVE_BYTES, true) else {
            crate::fatal!("runtime: cannot reserve arena virtual address space");
        };
        heap.gc.read_environment();
        // Release: pairs with the Acquire in `heap`.
        HEAP.store(Box::into_raw(heap), Ordering::Release);
    }
    heap()
}

/// Allocates `size` zeroed bytes for the goroutine on `m`; see [`MCache::alloc`].
#[inline(always)]
pub fn alloc(m: &mut M, size: usize, layout: LayoutId) -> *mut u8 {
    m.p().mcache.alloc(size, layout)
}

/// As [`alloc`], for code that has not saved the goroutine's registers: `save` does, if somebody
/// may look at them.
#[inline(always)]
pub fn alloc_after(m: &mut M, size: usize, layout: LayoutId, save: impl FnOnce()) -> *mut u8 {
    m.p().mcache.alloc_after(size, layout, save)
}

/// Allocates `size` bytes without pointers that are *not* zeroed: the caller writes them all.
///
/// Context: as [`alloc`].
#[inline]
pub fn alloc_dirty(m: &mut M, size: usize) -> *mut u8 {
    m.p().mcache.alloc_dirty(size)
}

/// The allocated object that `word` points to or into, with its size and layout.
///
/// Any word is safe. Objects of the same cached span which are about to be allocated count as
/// allocated.
pub fn find_object(word: usize) -> Option<(usize, usize, LayoutId)> {
    heap().find_object(word)
}

/// The words of the allocated object that `word` points to or into; none if there is no such
/// object.
pub fn object_words(word: usize) -> impl Iterator<Item = usize> {
    let (base, size, _) = find_object(word).unwrap_or((0, 0, LayoutId::NOSCAN));
    // SAFETY: the object is allocated, and nothing is collected while its words are looked at (H1).
    (0..size / 8)
        .map(move |k| unsafe { (*(base as *const AtomicUsize).add(k)).load(Ordering::Relaxed) })
}

/// Takes `npages` pages of 8 KB for stacks or other memory of the runtime. Not zeroed.
///
/// Context: any; no lock of the heap held.
pub(crate) fn stack_span(npages: usize) -> *mut u8 {
    heap().stack_span(npages)
}

/// Gives back what [`stack_span`] gave.
///
/// # Safety
///
/// The memory is not used any more.
pub(crate) unsafe fn free_stack_span(p: *mut u8) {
    // SAFETY: by contract.
    unsafe { heap().free_stack_span(p) }
}

/// Bytes of memory that [`stack_span`] has given out.
pub(crate) fn stack_bytes() -> usize {
    heap().pages.lock().manual << PAGE_SHIFT
}

impl Heap {
    /// A heap with up to `reserve` bytes of address space; `None` if that cannot be had.
    pub(crate) fn new(reserve: usize, hint: bool) -> Option<Box<Heap>> {
        layout::init();
        Some(Box::new(Heap {
            arena: Arena::reserve(reserve, hint)?,
            pages: Guarded::new(Rank::Heap, PageHeap::new()),
            central: [const { Guarded::new(Rank::HeapCentral, Lists::new()) }; NUM_SPAN_CLASSES],
            layout_arrays: Guarded::new(Rank::Leaf, [0; NUM_CLASSES]),
            stats: Stats {
                allocs: [const { AtomicU64::new(0) }; NUM_SPAN_CLASSES],
                frees: [const { AtomicU64::new(0) }; NUM_SPAN_CLASSES],
                large_alloc_bytes: AtomicU64::new(0),
                large_free_bytes: AtomicU64::new(0),
                tiny_allocs: AtomicU64::new(0),
                pages_in_use: AtomicUsize::new(0),
                layout_bytes: AtomicUsize::new(0),
                spans: AtomicUsize::new(0),
            },
            live: AtomicU64::new(0),
            gc: gc::State::new(),
        }))
    }

    /// See [`find_object`].
    pub(crate) fn find_object(&self, word: usize) -> Option<(usize, usize, LayoutId)> {
        let f = find(&self.arena, word)?;
        let s = self.arena.span(f.page);
        // SAFETY: `find` gave the span's first page and an index in bounds.
        unsafe {
            let bit = alloc_word(self.arena.bits(f.page), f.index / 64).load(Ordering::Relaxed)
                >> (f.index % 64);
            if bit & 1 == 0 {
                return None;
            }
            let layout = match (*s).layout.load(Ordering::Relaxed) {
                MIXED => *(*s).layouts.add(f.index),
                l => l,
            };
            Some((f.base, (*s).elem_size, LayoutId(layout)))
        }
    }

    /// A span of `class` with at least one free slot, now the caller's.
    fn cache_span(&self, class: usize, layout: LayoutId) -> u32 {
        let page = self.take_partial(class, layout);
        let s = self.arena.span(page);
        // SAFETY: the span is ours (span::P1).
        let added = unsafe { ((*s).nelems - (*s).count) as u64 * (*s).elem_size as u64 };
        let live = self.live.fetch_add(added, Ordering::Relaxed) + added;
        self.gc.note_live(live);
        page
    }

    fn take_partial(&self, class: usize, layout: LayoutId) -> u32 {
        for _ in 0..REFILL_SWEEPS {
            let _sweeping = gc::sweeping(self);
            let page = {
                let mut l = self.central[class].lock();
                let page = self.pop(&mut l.partial);
                if page != 0 {
                    return page;
                }
                match self.pop(&mut l.unswept_partial) {
                    0 => self.pop(&mut l.unswept_full),
                    page => page,
                }
            };
            if page == 0 {
                break;
            }
            // SAFETY: taken off the list, the span is ours (span::P1), and it was unswept (H2).
            unsafe {
                let live = gc::sweep_span(self, page);
                let s = self.arena.span(page);
                if live == 0 {
                    self.drop_layouts(page);
                    (*s).layout.store(layout.0, Ordering::Relaxed);
                }
                if live < (*s).nelems as usize {
                    return page;
                }
            }
            let mut l = self.central[class].lock();
            self.push(&mut l.full, page);
        }
        let npages = CLASS_PAGES[class / 2] as usize;
        self.reclaim(npages);
        let Some(pages) = self.take_pages(npages) else {
            self.out_of_memory(npages)
        };
        // SAFETY: the pages are ours; the bits of free pages are clear (pages::G4).
        unsafe {
            Span::init(
                &self.arena,
                pages.page,
                npages as u32,
                class as u8,
                layout.0,
                pages.ndirty != 0,
            )
        };
        pages.page
    }

    /// Puts a span that was cached on its list and counts what was allocated from it.
    fn uncache_span(&self, page: u32, class: usize, allocated: u64, left_bytes: u64) {
        self.stats.allocs[class].fetch_add(allocated, Ordering::Relaxed);
        self.live.fetch_sub(left_bytes, Ordering::Relaxed);
        let mut l = self.central[class].lock();
        let list = if left_bytes == 0 {
            &mut l.full
        } else {
            &mut l.partial
        };
        self.push(list, page);
    }

    /// Allocates an object above 32 KB.
    fn alloc_large(&self, size: usize, layout: LayoutId, zero: bool) -> *mut u8 {
        let npages = size.div_ceil(PAGE_SIZE);
        crate::limits::check_object(size as u64);
        self.reclaim(npages);
        let Some(pages) = self.take_pages(npages) else {
            self.out_of_memory(npages)
        };
        let class = (layout == LayoutId::NOSCAN) as usize;
        let bytes = (npages << PAGE_SHIFT) as u64;
        // SAFETY: the pages are ours; the bits of free pages are clear (pages::G4).
        unsafe {
            if zero {
                pages.clear(&self.arena, npages);
            }
            Span::init(
                &self.arena,
                pages.page,
                npages as u32,
                class as u8,
                layout.0,
                true,
            );
            (*self.arena.span(pages.page)).count = 1;
            let bits = self.arena.bits(pages.page);
            if gc::barrier::is_marking() {
                mark_word(bits, 0).store(1, Ordering::Relaxed);
            }
            // Release: who sees it allocated sees it marked.
            alloc_word(bits, 0).store(1, Ordering::Release);
        }
        self.stats.allocs[class].fetch_add(1, Ordering::Relaxed);
        self.stats
            .large_alloc_bytes
            .fetch_add(bytes, Ordering::Relaxed);
        {
            let mut l = self.central[class].lock();
            self.push(&mut l.full, pages.page);
        }
        let live = self.live.fetch_add(bytes, Ordering::Relaxed) + bytes;
        self.gc.note_live(live);
        let at = self.arena.address(pages.page as usize);
        if crate::race::is_on() {
            // SAFETY: who allocates holds a P, of which there is one.
            unsafe { crate::race::fresh(at, npages << PAGE_SHIFT) };
        }
        if crate::prof::heap::is_on() {
            crate::prof::heap::large(at, npages << PAGE_SHIFT);
        }
        at as *mut u8
    }

    /// Pages for a span of objects, from a heap that keeps its memory limit.
    fn take_pages(&self, npages: usize) -> Option<pages::Pages> {
        if npages > self.arena.limit() {
            return None;
        }
        let pages = {
            let mut h = self.pages.lock();
            let pages = h.alloc(&self.arena, npages)?;
            self.gc.keep_limit(self, &mut h, npages - pages.ndirty);
            if !self.gc.has_limit() {
                h.grow_ahead(&self.arena);
            }
            pages
        };
        self.stats.pages_in_use.fetch_add(npages, Ordering::Relaxed);
        self.stats.spans.fetch_add(1, Ordering::Relaxed);
        Some(pages)
    }

    /// Sweeps a share of the unswept spans, more if `npages` pages do not come free by that, so
    /// that the heap does not grow while garbage waits to be swept. Where nearly all lives, it is
    /// swept when it has grown by a hundredth. Go: mheap.go, reclaim; mgcsweep.go,
    /// deductSweepCredit.
    fn reclaim(&self, npages: usize) {
        if self.gc.is_swept() {
            return;
        }
        let mut freed = 0;
        let mut spans = 0;
        let most = npages.max(RECLAIM_MOST);
        while spans < RECLAIM_SPANS || (freed < npages && spans < most) {
            match gc::sweep_one(self) {
                Some(n) => freed += n,
                None => break,
            }
            spans += 1;
        }
    }

    /// Gives a span without objects back to the page heap.
    ///
    /// # Safety
    ///
    /// The span is the caller's, and its bits are clear.
    pub(crate) unsafe fn free_span(&self, page: u32) {
        let s = self.arena.span(page);
        // SAFETY: by contract.
        let npages = unsafe {
            self.drop_layouts(page);
            (*s).state.store(state::NONE, Ordering::Relaxed);
            (*s).npages as usize
        };
        self.stats.pages_in_use.fetch_sub(npages, Ordering::Relaxed);
        self.stats.spans.fetch_sub(1, Ordering::Relaxed);
        self.pages.lock().free(&self.arena, page, npages);
    }

    /// Gives each object of a span a layout of its own.
    ///
    /// # Safety
    ///
    /// The span is the caller's, and not mixed yet.
    #[cold]
    unsafe fn make_mixed(&self, page: u32) {
        let s = self.arena.span(page);
        // SAFETY: by contract; the array has an entry for each object.
        unsafe {
            let class = (*s).class as usize / 2;
            let n = (*s).nelems as usize;
            let array = {
                let mut arrays = self.layout_arrays.lock();
                let first = arrays[class];
                if first != 0 {
                    arrays[class] = *(first as *const usize);
                }
                first as *mut u32
            };
            let array = if array.is_null() {
                let len = n.max(2);
                self.stats
                    .layout_bytes
                    .fetch_add(len * 4, Ordering::Relaxed);
                Box::into_raw(vec![0u64; len.div_ceil(2)].into_boxed_slice()) as *mut u32
            } else {
                array
            };
            let old = (*s).layout.load(Ordering::Relaxed);
            std::slice::from_raw_parts_mut(array, n).fill(old);
            (*s).layouts = array;
            // Release: a reader that sees MIXED sees the array.
            (*s).layout.store(MIXED, Ordering::Release);
        }
    }

    /// Keeps the layout array of a span for another of its class.
    ///
    /// # Safety
    ///
    /// The span is the caller's and has no objects.
    unsafe fn drop_layouts(&self, page: u32) {
        let s = self.arena.span(page);
        // SAFETY: by contract.
        unsafe {
            let array = (*s).layouts;
            if array.is_null() {
                return;
            }
            (*s).layout.store(0, Ordering::Relaxed);
            (*s).layouts = null_mut();
            let mut arrays = self.layout_arrays.lock();
            let class = (*s).class as usize / 2;
            *(array as *mut usize) = arrays[class];
            arrays[class] = array as usize;
        }
    }

    /// See [`stack_span`].
    pub(crate) fn stack_span(&self, npages: usize) -> *mut u8 {
        let bytes;
        let pages = {
            let mut h = self.pages.lock();
            let pages = if npages > self.arena.limit() {
                None
            } else {
                h.alloc(&self.arena, npages)
            };
            if let Some(p) = &pages {
                h.manual += npages;
                self.gc.keep_limit(self, &mut h, npages - p.ndirty);
            }
            bytes = h.manual << PAGE_SHIFT;
            pages
        };
        crate::limits::check_stacks(bytes as u64);
        let Some(pages) = pages else {
            self.out_of_memory(npages)
        };
        let s = self.arena.span(pages.page);
        // SAFETY: the pages are ours.
        unsafe {
            (*s).npages = npages as u32;
            (*s).layouts = null_mut();
            (*s).state.store(state::MANUAL, Ordering::Release);
        }
        self.stats.spans.fetch_add(1, Ordering::Relaxed);
        self.arena.address(pages.page as usize) as *mut u8
    }

    /// See [`free_stack_span`].
    ///
    /// # Safety
    ///
    /// `p` came from `stack_span` of this heap, and the memory is not used any more.
    pub(crate) unsafe fn free_stack_span(&self, p: *mut u8) {
        let page = self.arena.page_of(p as usize) as u32;
        let s = self.arena.span(page);
        // SAFETY: by contract the span is ours.
        let npages = unsafe {
            debug_assert_eq!((*s).state.load(Ordering::Relaxed), state::MANUAL);
            (*s).state.store(state::NONE, Ordering::Relaxed);
            (*s).npages as usize
        };
        self.stats.spans.fetch_sub(1, Ordering::Relaxed);
        let mut h = self.pages.lock();
        h.manual -= npages;
        h.free(&self.arena, page, npages);
    }

    /// Takes the first span of a list, or 0. Context: the list's lock held.
    pub(crate) fn pop(&self, head: &mut u32) -> u32 {
        let page = *head;
        if page != 0 {
            // SAFETY: the list owns its spans, and its lock is held.
            *head = unsafe { (*self.arena.span(page)).next };
        }
        page
    }

    /// Puts a span in front of a list. Context: the list's lock held.
    pub(crate) fn push(&self, head: &mut u32, page: u32) {
        // SAFETY: the caller owns the span and gives it to the list.
        unsafe { (*self.arena.span(page)).next = *head };
        *head = page;
    }

    /// Dies as Go does. Go: mheap.go, grow.
    #[cold]
    fn out_of_memory(&self, npages: usize) -> ! {
        let ask = npages.next_multiple_of(512).saturating_mul(PAGE_SIZE);
        let in_use = self.arena.used();
        gc::eprint(format_args!(
            "runtime: out of memory: cannot allocate {ask}-byte block ({in_use} in use)\n"
        ));
        crate::throw!("out of memory")
    }
}

impl Lists {
    const fn new() -> Lists {
        Lists {
            partial: 0,
            full: 0,
            unswept_partial: 0,
            unswept_full: 0,
        }
    }
}
