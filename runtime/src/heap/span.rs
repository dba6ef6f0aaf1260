//! Span headers, and the alloc and mark bits of a span.
//!
//! A span is a run of pages that holds objects of one size. Its header and its bits lie in the
//! arena's arrays under the number of its first page, and that number is how a span is named.
//!
//! # Invariants
//!
//! - P1. A span has one owner at a time: the page heap (free), a P's cache, a central list, or
//!   the thread that took it off a list to sweep it. Only the owner writes the header and the
//!   alloc bits; with the world stopped the collector may, and any marker may set mark bits.
//! - P2. `state` is written last when a span is made, and first when it is freed.
//! - P3. Outside a P's cache the alloc bits are exact. In it, the words the cache has reached
//!   say "allocated" throughout, and the cache knows better.
//! - P4. Mark bits are clear except from the start of a mark until the span is swept.
//!
//! Go: runtime/mheap.go (mspan), runtime/mbitmap.go.
#![allow(unsafe_code)]

use super::arena::Arena;
use super::sizeclass::{CLASS_MAGIC, CLASS_PAGES, CLASS_SIZE, PAGE_SHIFT};
use crate::sync::{AtomicU8, AtomicU32, AtomicU64, Ordering};

/// What a span is used for.
pub(crate) mod state {
    /// No span begins here.
    pub(crate) const NONE: u8 = 0;
    /// A run of free pages.
    pub(crate) const FREE: u8 = 1;
    /// Heap objects.
    pub(crate) const IN_USE: u8 = 2;
    /// Stacks and other memory of the runtime, which the collector does not look at.
    pub(crate) const MANUAL: u8 = 3;
}

/// `layout` of a span whose objects differ in layout; then `layouts` has one for each.
pub(crate) const MIXED: u32 = u32::MAX;

/// The header of a span, or of a run of free pages.
#[repr(C, align(64))]
pub(crate) struct Span {
    pub(crate) elem_size: usize,
    pub(crate) magic: u32,
    /// Pages of the span or run.
    pub(crate) npages: u32,
    /// Written by the owner, read by every check of a word (P2).
    pub(crate) state: AtomicU8,
    /// Size class × 2, plus 1 if noscan.
    pub(crate) class: u8,
    /// Free slots may hold something but zeros.
    pub(crate) need_zero: bool,
    pub(crate) nelems: u16,
    /// Allocated objects, exact while not in a cache.
    pub(crate) count: u16,
    /// The layout of all objects, or `MIXED`. Written by the owner.
    pub(crate) layout: AtomicU32,
    /// The layout of each object if `MIXED`.
    pub(crate) layouts: *mut u32,
    /// Links of a central list (`next`) or of a bin of free runs (both).
    pub(crate) next: u32,
    pub(crate) prev: u32,
    /// Free run: how many of its pages are dirty.
    pub(super) ndirty: u32,
}

const _: () = assert!(size_of::<Span>() == 64);

impl Span {
    /// Makes the header of a span of small objects (`class` ≥ 2) or one large object.
    ///
    /// # Safety
    ///
    /// The caller owns the pages `page..page + npages` (P1); the bits of the span are clear.
    pub(crate) unsafe fn init(
        arena: &Arena,
        page: u32,
        npages: u32,
        class: u8,
        layout: u32,
        need_zero: bool,
    ) {
        let size_class = (class / 2) as usize;
        let bytes = (npages as usize) << PAGE_SHIFT;
        let s = arena.span(page);
        // SAFETY: P1 by contract.
        unsafe {
            if size_class == 0 {
                (*s).elem_size = bytes;
                (*s).magic = 0;
                (*s).nelems = 1;
            } else {
                debug_assert_eq!(npages, CLASS_PAGES[size_class] as u32);
                (*s).elem_size = CLASS_SIZE[size_class] as usize;
                (*s).magic = CLASS_MAGIC[size_class];
                (*s).nelems = (bytes / (*s).elem_size) as u16;
            }
            (*s).npages = npages;
            (*s).class = class;
            (*s).need_zero = need_zero;
            (*s).count = 0;
            (*s).layouts = std::ptr::null_mut();
            (*s).next = 0;
            (*s).layout.store(layout, Ordering::Relaxed);
            // Release: pairs with the Acquire in `find`.
            (*s).state.store(state::IN_USE, Ordering::Release);
        }
    }

    #[inline(always)]
    pub(crate) fn is_noscan(&self) -> bool {
        self.class & 1 == 1
    }

    /// Words of alloc bits.
    #[inline(always)]
    pub(crate) fn words(&self) -> usize {
        (self.nelems as usize).div_ceil(64)
    }

    /// The objects that exist among the 64 of word `w`.
    #[inline(always)]
    pub(super) fn valid(&self, w: usize) -> u64 {
        let left = self.nelems as usize - w * 64;
        if left >= 64 {
            u64::MAX
        } else {
            (1 << left) - 1
        }
    }
}

/// The alloc word `w` of a span's bits.
///
/// # Safety
///
/// `bits` are a span's, and `w` is below 16.
#[inline(always)]
pub(crate) unsafe fn alloc_word<'a>(bits: *const AtomicU64, w: usize) -> &'a AtomicU64 {
    // SAFETY: arena::A1: 16 pairs per page, never unmapped while in use.
    unsafe { &*bits.add(w * 2) }
}

/// The mark word `w` of a span's bits.
///
/// # Safety
///
/// `bits` are a span's, and `w` is below 16.
#[inline(always)]
pub(crate) unsafe fn mark_word<'a>(bits: *const AtomicU64, w: usize) -> &'a AtomicU64 {
    // SAFETY: arena::A1: 16 pairs per page, never unmapped while in use.
    unsafe { &*bits.add(w * 2 + 1) }
}

/// Where a word points to.
pub(crate) struct Found {
    pub(crate) page: u32,
    pub(crate) index: usize,
    pub(crate) base: usize,
}

/// The object slot a word points into, whether allocated or not.
///
/// Any word is safe. Returns `None` for what is outside the arena, in no span of objects, or in
/// the unused tail of one.
#[inline(always)]
pub(crate) fn find(arena: &Arena, word: usize) -> Option<Found> {
    let off = word.wrapping_sub(arena.base());
    if off >= arena.used() {
        return None;
    }
    let page = arena.map(off >> PAGE_SHIFT).load(Ordering::Relaxed);
    if page.wrapping_sub(1) >= super::arena::FREE - 1 {
        return None;
    }
    let s = arena.span(page);
    // SAFETY: arena::A1 — headers are always readable; the state says whether the rest means
    // anything.
    unsafe {
        // Acquire: pairs with the Release in `init`.
        if (*s).state.load(Ordering::Acquire) != state::IN_USE {
            return None;
        }
        let start = arena.address(page as usize);
        let within = word - start;
        let index = ((within as u64).wrapping_mul((*s).magic as u64) >> 32) as usize;
        if index >= (*s).nelems as usize {
            return None;
        }
        Some(Found {
            page,
            index,
            base: start + index * (*s).elem_size,
        })
    }
}
