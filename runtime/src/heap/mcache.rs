//! The allocation cache of a P.
//!
//! For each span class a cache holds one span and walks its free slots, 64 at a time: the word
//! `cache` has a 1 for each free slot of the present group. Allocation is "lowest set bit".
//!
//! # Invariants
//!
//! - C1. A cache is used by the holder of its P only; with the world stopped, by the collector.
//! - C2. A cached span is on no list (span::P1). Its alloc words up to the present group
//!   say "allocated" throughout; `uncache` puts the truth back (span::P3).
//! - C3. Free slots of the present group hold zeros, if `zero_late` is false.
//! - C4. `layout` equals the span's; if that is `MIXED`, each allocation writes its own to
//!   `layouts`.
//!
//! Go: runtime/mcache.go, runtime/malloc.go.
#![allow(unsafe_code)]

use super::layout::LayoutId;
use super::sizeclass::{CLASS_SIZE, MAX_SMALL, NUM_SPAN_CLASSES, TINY_SIZE, size_class};
use super::span::{MIXED, alloc_word, mark_word};
use super::{Heap, ZERO_BASE};
use crate::gc::barrier::is_marking;
use crate::p::P;
use crate::prof;
use crate::sync::Ordering;
use std::mem::offset_of;
use std::ptr::{null, null_mut};

/// Slots up to this size are cleared a group at a time, larger ones when they are given out.
const ZERO_EARLY: usize = 64;

/// Where a cache allocates objects of one span class.
#[derive(Debug)]
#[repr(C)]
struct Slot {
    /// Free slots of the present group of 64, up to one that the profile of memory wants.
    cache: u64,
    /// Address of the group's first object.
    base: usize,
    elem_size: u32,
    layout: u32,
    /// If the span is mixed: where the layouts of the group are.
    layouts: *mut u32,
    /// The span, or 0.
    span: u32,
    /// The present group.
    word: u16,
    words: u16,
    /// The span's `count` when it was cached.
    count: u16,
    need_zero: bool,
    zero_late: bool,
    /// Free slots of the present group from that one on, which are not in `cache`.
    held: u64,
    /// So many bytes of the class are allocated until a sample is due, that one included; 0: it is
    /// to be drawn. See [`prof::heap`].
    until: u64,
}

const EMPTY: Slot = Slot {
    cache: 0,
    base: 0,
    elem_size: 0,
    layout: 0,
    layouts: null_mut(),
    span: 0,
    word: 0,
    words: 0,
    count: 0,
    need_zero: false,
    zero_late: false,
    held: 0,
    until: 0,
};

/// Where code that knows size and layout of an object finds a free slot for it, if there is one at
/// hand: in bytes from the start of a [`P`]. It then does what [`MCache::alloc`] does.
#[derive(Clone, Copy, Debug)]
pub struct AtHand {
    /// The 64 bits that say which slots of the present group are free. Taking a slot clears its
    /// bit.
    pub free: usize,
    /// The address of the group's first slot.
    pub base: usize,
    /// How far slots are apart.
    pub elem_size: usize,
    /// Where the span's layout is; none if it need not be looked at.
    pub layout: Option<SpanLayout>,
}

/// The layout of the objects of a span: it must be theirs, or [`SpanLayout::MIXED`].
#[derive(Clone, Copy, Debug)]
pub struct SpanLayout {
    /// The layout, 32 bits.
    pub at: usize,
    /// If the span is mixed: the address of the layouts of the group's slots, 32 bits each, of
    /// which that of the slot is to be set.
    pub layouts: usize,
}

impl SpanLayout {
    /// Says that each object of the span has its own.
    pub const MIXED: u32 = MIXED;
}

impl AtHand {
    /// For an object of so many bytes; `None`: it is not so simple.
    pub fn of(size: usize, layout: LayoutId) -> Option<AtHand> {
        // Larger ones are cleared when they are given out, smaller ones are joined.
        if !(8..=ZERO_EARLY).contains(&size) {
            return None;
        }
        let noscan = layout == LayoutId::NOSCAN;
        let class = size_class(size);
        let slot = offset_of!(P, mcache)
            + offset_of!(MCache, slots)
            + (class * 2 + noscan as usize) * size_of::<Slot>();
        let span_layout = SpanLayout {
            at: slot + offset_of!(Slot, layout),
            layouts: slot + offset_of!(Slot, layouts),
        };
        Some(AtHand {
            free: slot + offset_of!(Slot, cache),
            base: slot + offset_of!(Slot, base),
            elem_size: CLASS_SIZE[class] as usize,
            layout: (!noscan).then_some(span_layout),
        })
    }
}

/// A P's allocation cache.
#[derive(Debug)]
pub(crate) struct MCache {
    slots: [Slot; NUM_SPAN_CLASSES],
    /// The present block of the tiny allocator and the bytes used of it.
    tiny: usize,
    tiny_used: usize,
    /// Objects joined with others in a tiny block; not yet in the heap's statistics.
    tiny_allocs: u64,
    heap: *const Heap,
}

// SAFETY: C1.
unsafe impl Send for MCache {}

impl Default for MCache {
    fn default() -> MCache {
        MCache::new()
    }
}

impl MCache {
    /// An empty cache, of the process's heap.
    pub(crate) const fn new() -> MCache {
        MCache {
            slots: [EMPTY; NUM_SPAN_CLASSES],
            tiny: 0,
            tiny_used: 0,
            tiny_allocs: 0,
            heap: null(),
        }
    }

    /// An empty cache of another heap.
    #[cfg(test)]
    pub(crate) fn of(heap: &'static Heap) -> MCache {
        let mut c = MCache::new();
        c.heap = heap;
        c
    }

    /// The heap it allocates from.
    #[inline]
    pub(crate) fn heap(&mut self) -> &'static Heap {
        if self.heap.is_null() {
            self.heap = super::heap();
        }
        // SAFETY: set from a `&'static Heap`.
        unsafe { &*self.heap }
    }

    /// Allocates `size` zeroed bytes, elements of `layout` repeated.
    ///
    /// Never collects and never returns null: it raises the request for a collection when one is
    /// due, and dies as Go does when the system has no more memory. `size` 0 gives `zerobase`.
    ///
    /// Context: any stack, with the P of this cache.
    #[inline(always)]
    pub(crate) fn alloc(&mut self, size: usize, layout: LayoutId) -> *mut u8 {
        self.alloc_after(size, layout, || ())
    }

    /// As `alloc`; calls `before` unless there is a free slot at hand.
    ///
    /// Context: as `alloc`.
    #[inline(always)]
    pub(crate) fn alloc_after(
        &mut self,
        size: usize,
        layout: LayoutId,
        before: impl FnOnce(),
    ) -> *mut u8 {
        let noscan = layout == LayoutId::NOSCAN;
        if size.wrapping_sub(1) < 1024 && (!noscan || size >= 8) {
            let class = size_class(size) * 2 + noscan as usize;
            return self.alloc_class(class, layout, before);
        }
        before();
        self.alloc_other(size, layout)
    }

    /// Allocates one object of a span class, whose layout must fit it.
    ///
    /// Context: as `alloc`.
    #[inline(always)]
    fn alloc_class(&mut self, class: usize, layout: LayoutId, before: impl FnOnce()) -> *mut u8 {
        let s = &mut self.slots[class];
        if s.cache != 0 && (s.layout == layout.0 || s.layout == MIXED) {
            let bit = s.cache.trailing_zeros() as usize;
            s.cache &= s.cache - 1;
            if s.layout != layout.0 {
                // SAFETY: C4 — the array has an entry for each slot.
                unsafe { *s.layouts.add(bit) = layout.0 };
            }
            let p = (s.base + bit * s.elem_size as usize) as *mut u8;
            if s.zero_late {
                // SAFETY: C2 — the slot is free and ours.
                unsafe { std::ptr::write_bytes(p, 0, s.elem_size as usize) };
            }
            return p;
        }
        before();
        self.alloc_slow(class, layout, true)
    }

    /// Allocates `size` bytes that hold no pointers and are *not* zeroed: for callers that write
    /// all of them at once.
    ///
    /// Context: as `alloc`.
    #[inline]
    pub(super) fn alloc_dirty(&mut self, size: usize) -> *mut u8 {
        if (8..=MAX_SMALL).contains(&size) {
            let class = size_class(size) * 2 + 1;
            let s = &mut self.slots[class];
            if s.cache != 0 {
                let bit = s.cache.trailing_zeros() as usize;
                s.cache &= s.cache - 1;
                return (s.base + bit * s.elem_size as usize) as *mut u8;
            }
            return self.alloc_slow(class, LayoutId::NOSCAN, false);
        }
        if size > MAX_SMALL {
            return self.heap().alloc_large(size, LayoutId::NOSCAN, false);
        }
        self.alloc_other(size, LayoutId::NOSCAN)
    }

    #[inline(never)]
    fn alloc_other(&mut self, size: usize, layout: LayoutId) -> *mut u8 {
        if size == 0 {
            return ZERO_BASE.address();
        }
        let noscan = layout == LayoutId::NOSCAN;
        if noscan && size < 8 {
            return self.alloc_tiny(size);
        }
        if size <= MAX_SMALL {
            return self.alloc_class(size_class(size) * 2 + noscan as usize, layout, || ());
        }
        self.heap().alloc_large(size, layout, true)
    }

    /// Joins pointer-free objects below 8 bytes into blocks of 16. Go: malloc.go, mallocgcTiny.
    fn alloc_tiny(&mut self, size: usize) -> *mut u8 {
        let align = if size.is_multiple_of(4) {
            4
        } else if size.is_multiple_of(2) {
            2
        } else {
            1
        };
        let off = self.tiny_used.next_multiple_of(align);
        if self.tiny != 0 && off + size <= TINY_SIZE {
            self.tiny_used = off + size;
            self.tiny_allocs += 1;
            return (self.tiny + off) as *mut u8;
        }
        let p = self.alloc_class(size_class(TINY_SIZE) * 2 + 1, LayoutId::NOSCAN, || ());
        self.tiny = p as usize;
        self.tiny_used = size;
        p
    }

    /// The ways of `alloc_class` that are not the fast one: the next group, another span, another
    /// layout than the span has had so far.
    #[cold]
    #[inline(never)]
    fn alloc_slow(&mut self, class: usize, layout: LayoutId, zero: bool) -> *mut u8 {
        let heap = self.heap();
        let s = &mut self.slots[class];
        let mut is_sample = false;
        while s.cache == 0 {
            if s.held != 0 {
                s.cache = std::mem::take(&mut s.held);
                is_sample = true;
                break;
            }
            if s.span == 0 || !s.next_group(heap) {
                s.refill(heap, class, layout);
            }
        }
        if s.layout != layout.0 && s.layout != MIXED {
            // SAFETY: C2 — the span is ours.
            unsafe { heap.make_mixed(s.span) };
            s.layout = MIXED;
            s.find_layouts(heap);
        }
        let bit = s.cache.trailing_zeros() as usize;
        s.cache &= s.cache - 1;
        let p = (s.base + bit * s.elem_size as usize) as *mut u8;
        // SAFETY: C2 — the span and the slot are ours; C4.
        unsafe {
            if s.layout == MIXED {
                *s.layouts.add(bit) = layout.0;
            }
            if s.zero_late && zero {
                std::ptr::write_bytes(p, 0, s.elem_size as usize);
            }
        }
        if is_sample {
            s.until = 0;
            s.hold_back();
            prof::heap::sampled(p as usize, s.elem_size as usize);
        }
        p
    }

    /// Gives every span back to the central lists and the counts to the heap.
    ///
    /// Context: the holder of the P, or with the world stopped.
    pub(crate) fn flush(&mut self) {
        if self.heap.is_null() {
            return;
        }
        let heap = self.heap();
        for (class, s) in self.slots.iter_mut().enumerate() {
            if s.span != 0 {
                s.uncache(heap, class);
                *s = EMPTY;
            }
        }
        self.tiny = 0;
        heap.stats
            .tiny_allocs
            .fetch_add(self.tiny_allocs, Ordering::Relaxed);
        self.tiny_allocs = 0;
    }
}

impl Slot {
    /// Goes on to the next group of 64 with a free slot; false if the span is full.
    fn next_group(&mut self, heap: &Heap) -> bool {
        debug_assert_eq!(self.cache, 0);
        let span = heap.arena.span(self.span);
        let bits = heap.arena.bits(self.span);
        while self.word + 1 < self.words {
            self.word += 1;
            if self.take_group(heap, span, bits) {
                return true;
            }
        }
        false
    }

    /// Takes the free slots of group `self.word`.
    fn take_group(
        &mut self,
        heap: &Heap,
        span: *const super::span::Span,
        bits: *const crate::sync::AtomicU64,
    ) -> bool {
        let w = self.word as usize;
        // SAFETY: C2 — the span is ours, and `w` is below its number of words.
        let (word, valid) = unsafe { (alloc_word(bits, w), (*span).valid(w)) };
        let free = !word.load(Ordering::Relaxed) & valid;
        if free == 0 {
            return false;
        }
        if is_marking() && !crate::fault!(AllocateWhite) {
            // SAFETY: as above. Marked before the marker can see them.
            unsafe { mark_word(bits, w) }.fetch_or(free, Ordering::Relaxed);
        }
        // Release: who sees them allocated sees them marked.
        word.store(valid, Ordering::Release);
        let size = self.elem_size as usize;
        self.cache = free;
        if prof::heap::is_on() {
            self.hold_back();
        }
        self.base = heap.arena.address(self.span as usize) + w * 64 * size;
        if self.layout == MIXED {
            self.find_layouts(heap);
        }
        if crate::race::is_on() {
            for i in (0..64).filter(|i| free >> i & 1 == 1) {
                // SAFETY: who allocates holds a P, of which there is one.
                unsafe { crate::race::fresh(self.base + i * size, size) };
            }
        }
        if self.need_zero && !self.zero_late {
            let mut left = free;
            while left != 0 {
                let first = left.trailing_zeros();
                let run = (!(left >> first)).trailing_zeros();
                // SAFETY: C2 — these slots are free and ours.
                unsafe {
                    let p = (self.base + first as usize * size) as *mut u8;
                    std::ptr::write_bytes(p, 0, run as usize * size);
                }
                if first + run >= 64 {
                    break;
                }
                left &= u64::MAX << (first + run);
            }
        }
        true
    }

    /// Holds the slots of `cache` back from that on whose allocation is to be sampled: then that
    /// one is allocated by `alloc_slow`, and the others cost nothing.
    #[cold]
    fn hold_back(&mut self) {
        if self.until == 0 || self.until > prof::heap::farthest() {
            self.until = prof::heap::distance();
        }
        let size = u64::from(self.elem_size);
        let before = (self.until - 1) / size;
        let n = u64::from(self.cache.count_ones());
        if before >= n {
            self.until -= n * size;
            return;
        }
        let mut held = self.cache;
        for _ in 0..before {
            held &= held - 1;
        }
        self.held = held;
        self.cache &= !held;
    }

    /// Points `layouts` to the present group's.
    fn find_layouts(&mut self, heap: &Heap) {
        let first = self.word as usize * 64;
        // SAFETY: C2, C4 — the span is ours and mixed.
        self.layouts = unsafe { (*heap.arena.span(self.span)).layouts.add(first) };
    }

    /// Gives the span back, if there is one, and takes one with free slots.
    #[inline(never)]
    fn refill(&mut self, heap: &Heap, class: usize, layout: LayoutId) {
        if self.span != 0 {
            self.uncache(heap, class);
        }
        let page = heap.cache_span(class, layout);
        let span = heap.arena.span(page);
        // SAFETY: C2 — the span has just become ours.
        unsafe {
            *self = Slot {
                cache: 0,
                base: 0,
                elem_size: (*span).elem_size as u32,
                layout: (*span).layout.load(Ordering::Relaxed),
                layouts: null_mut(),
                span: page,
                word: 0,
                words: (*span).words() as u16,
                count: (*span).count,
                need_zero: (*span).need_zero,
                zero_late: (*span).need_zero && (*span).elem_size > ZERO_EARLY,
                held: 0,
                until: self.until,
            };
            if !self.take_group(heap, span, heap.arena.bits(page)) {
                self.next_group(heap);
            }
        }
        debug_assert!(self.cache | self.held != 0);
    }

    /// Makes the alloc bits exact, counts, and puts the span on its central list.
    fn uncache(&mut self, heap: &Heap, class: usize) {
        let span = heap.arena.span(self.span);
        let bits = heap.arena.bits(self.span);
        // SAFETY: C2 — the span is ours until it is on the list.
        unsafe {
            let free = self.cache | self.held;
            if is_marking() && free != 0 {
                // The world is stopped: these have not been given out.
                mark_word(bits, self.word as usize).fetch_and(!free, Ordering::Relaxed);
            }
            alloc_word(bits, self.word as usize)
                .store((*span).valid(self.word as usize) & !free, Ordering::Relaxed);
            let mut count = 0;
            for w in 0..self.words as usize {
                count += alloc_word(bits, w).load(Ordering::Relaxed).count_ones();
            }
            (*span).count = count as u16;
            let new = count as u64 - self.count as u64;
            let left = (*span).nelems as u64 - count as u64;
            heap.uncache_span(self.span, class, new, left * self.elem_size as u64);
        }
        self.span = 0;
        self.cache = 0;
        self.held = 0;
    }
}

const _: () = assert!(CLASS_SIZE[2] as usize == TINY_SIZE);
