//! The arena: one reserved range of addresses, and the dense arrays beside it.
//!
//! The arena is reserved at once and committed in steps as the heap grows, so that "is this word
//! a heap address" is one subtraction and one compare. Beside it lie four arrays, indexed by page
//! and faulted in lazily by the kernel:
//!
//! | array  | per page  | says |
//! |--------|-----------|------|
//! | `map`  | 4 bytes   | which span the page belongs to |
//! | `spans`| 64 bytes  | the header of the span that begins here |
//! | `bits` | 256 bytes | (alloc, mark) words, in pairs, of the span that begins here |
//! | `dirty`| 1 bit     | may hold something but zeros |
//!
//! All are reserved without access and opened in steps, so that limits on writable memory
//! (RLIMIT_DATA) count what is used and not what might be.
//!
//! # Invariants
//!
//! - A1. The base addresses never change after `reserve`, and the ranges stay mapped until the
//!   arena is dropped; the four arrays are readable for every page below `used`.
//! - A2. Page 0 is never given out, so that span index 0 means "none".
//! - A3. `map[p]` of a page in use is the index of its span's first page. Free runs have
//!   `FREE | first` at both ends and 0, or old values with `FREE`, in between.
//! - A4. `used` only grows; it is raised after the pages below it are readable.
//!
//! Go: runtime/malloc.go, runtime/mheap.go (heapArena).
#![allow(unsafe_code)]

use super::sizeclass::{PAGE_SHIFT, PAGE_SIZE};
use super::span::Span;
use crate::sync::{AtomicU32, AtomicU64, AtomicUsize, Ordering};

/// Where the arena lies if the system lets us choose. Go's heap begins there as well.
const HINT: usize = 0xc0_0000_0000;
/// The first try at a reservation; it is halved until the system agrees.
pub(super) const RESERVE_BYTES: usize = 1 << 40;
/// The least reservation that is worth trying, and the step by which it grows.
const MIN_RESERVE: usize = SIDE_STEP * PAGE_SIZE;
/// `map` entry of a page that is not in use.
pub(crate) const FREE: u32 = 1 << 31;
/// Beyond this size of the heap the system is asked for huge pages: faults and TLB misses become
/// far fewer, and the heap grows dense enough not to waste them.
const SMALL_HEAP: usize = 16 << 20;
/// The side arrays are opened for this many pages at once: whole system pages of each.
const SIDE_STEP: usize = 4096 * 8;
/// u64 words of alloc and mark bits per page: 16 pairs for 1024 objects.
pub(crate) const BIT_WORDS: usize = 32;

/// The reserved range and its arrays.
pub(crate) struct Arena {
    base: usize,
    /// Pages reserved.
    limit: usize,
    /// Bytes from `base` on that may hold objects. Written under the page lock.
    used: AtomicUsize,
    /// Pages for which the side arrays are open. Written under the page lock.
    side_open: AtomicUsize,
    map: *const AtomicU32,
    spans: *mut Span,
    bits: *const AtomicU64,
    dirty: *mut u64,
    side_bytes: usize,
}

// SAFETY: A1 — the fields are constant; what they point to is guarded as span.rs and pages.rs
// say.
unsafe impl Sync for Arena {}
// SAFETY: A1 — nothing in it belongs to a thread.
unsafe impl Send for Arena {}

impl Arena {
    /// Reserves up to `bytes` of address space; less where the system refuses.
    ///
    /// Returns `None` if not even 256 MB can be had.
    pub(crate) fn reserve(bytes: usize, hint: bool) -> Option<Arena> {
        // Where address space is limited, others need their share.
        let share = address_space() / 8 * 3;
        let whole_steps = |bytes: usize| (bytes / MIN_RESERVE).max(1) * MIN_RESERVE;
        let mut want = whole_steps(bytes.min(share));
        loop {
            if let Some(arena) = Arena::try_reserve(want, if hint { HINT } else { 0 }) {
                return Some(arena);
            }
            if want <= MIN_RESERVE {
                return None;
            }
            want = whole_steps(want / 2);
        }
    }

    fn try_reserve(bytes: usize, hint: usize) -> Option<Arena> {
        let pages = bytes >> PAGE_SHIFT;
        let map_bytes = pages * 4;
        let span_bytes = pages * size_of::<Span>();
        let bit_bytes = pages * BIT_WORDS * 8;
        let dirty_bytes = pages / 8;
        let side_bytes = map_bytes + span_bytes + bit_bytes + dirty_bytes;
        let base = map_memory(hint, bytes + PAGE_SIZE, libc::PROT_NONE)?;
        let Some(side) = map_memory(0, side_bytes, libc::PROT_NONE) else {
            // SAFETY: the range was mapped above and is not used yet.
            unsafe { libc::munmap(base as *mut _, bytes + PAGE_SIZE) };
            return None;
        };
        // SAFETY: advice about our own fresh mapping. Huge pages would make sparse use expensive.
        unsafe { libc::madvise(side as *mut _, side_bytes, libc::MADV_NOHUGEPAGE) };
        Some(Arena {
            base: base.next_multiple_of(PAGE_SIZE),
            limit: pages,
            used: AtomicUsize::new(0),
            side_open: AtomicUsize::new(0),
            map: side as *const AtomicU32,
            spans: (side + map_bytes) as *mut Span,
            bits: (side + map_bytes + span_bytes) as *const AtomicU64,
            dirty: (side + map_bytes + span_bytes + bit_bytes) as *mut u64,
            side_bytes,
        })
    }

    /// The first address of the arena.
    #[inline(always)]
    pub(crate) fn base(&self) -> usize {
        self.base
    }

    /// Pages reserved.
    pub(crate) fn limit(&self) -> usize {
        self.limit
    }

    /// Bytes from the base on that may hold objects.
    #[inline(always)]
    pub(crate) fn used(&self) -> usize {
        // Acquire: pairs with the Release in `commit`.
        self.used.load(Ordering::Acquire)
    }

    /// Makes pages `from..to` readable and writable; `from` is the present end of what is.
    ///
    /// Returns false if the system refuses. Context: page lock held.
    pub(crate) fn commit(&self, from: usize, to: usize) -> bool {
        debug_assert!(from <= to && to <= self.limit);
        if !self.open_side(to) {
            return false;
        }
        let addr = self.address(from);
        let len = (to - from) << PAGE_SHIFT;
        // SAFETY: A1 — the range lies inside our reservation and holds nothing yet.
        let ok =
            unsafe { libc::mprotect(addr as *mut _, len, libc::PROT_READ | libc::PROT_WRITE) } == 0;
        if ok && to << PAGE_SHIFT > SMALL_HEAP {
            // SAFETY: advice about our own memory, which may be ignored.
            unsafe { libc::madvise(addr as *mut _, len, libc::MADV_HUGEPAGE) };
        }
        if ok {
            // Release: pairs with the Acquire in `used`.
            self.used.store(to << PAGE_SHIFT, Ordering::Release);
        }
        ok
    }

    /// Opens the side arrays for the pages below `to`.
    fn open_side(&self, to: usize) -> bool {
        let from = self.side_open.load(Ordering::Relaxed);
        if to <= from {
            return true;
        }
        let to = to.next_multiple_of(SIDE_STEP);
        let open = |array: usize, bits_per_page: usize| {
            let (lo, hi) = (
                array + from * bits_per_page / 8,
                array + to * bits_per_page / 8,
            );
            // SAFETY: A1 — the range lies inside the reservation of the side arrays.
            unsafe {
                if from > 0 {
                    // A heap that has filled the first step uses them densely; the marker jumps
                    // about in them.
                    libc::madvise(lo as *mut _, hi - lo, libc::MADV_HUGEPAGE);
                }
                libc::mprotect(lo as *mut _, hi - lo, libc::PROT_READ | libc::PROT_WRITE) == 0
            }
        };
        let ok = open(self.map as usize, 32)
            && open(self.spans as usize, size_of::<Span>() * 8)
            && open(self.bits as usize, BIT_WORDS * 64)
            && open(self.dirty as usize, 1);
        if ok {
            self.side_open.store(to, Ordering::Relaxed);
        }
        ok
    }

    /// Bytes of the side arrays that are open. Context: any.
    pub(crate) fn side_bytes(&self) -> usize {
        let per_page = 4 + size_of::<Span>() + BIT_WORDS * 8;
        let pages = self
            .side_open
            .load(Ordering::Relaxed)
            .min(self.used() / PAGE_SIZE);
        pages * per_page + pages / 8
    }

    /// The address of a page.
    #[inline(always)]
    pub(crate) fn address(&self, page: usize) -> usize {
        self.base + (page << PAGE_SHIFT)
    }

    /// The page of an address inside the arena.
    #[inline(always)]
    pub(crate) fn page_of(&self, addr: usize) -> usize {
        (addr - self.base) >> PAGE_SHIFT
    }

    /// The map entry of a page.
    #[inline(always)]
    pub(crate) fn map(&self, page: usize) -> &AtomicU32 {
        debug_assert!(page < self.limit);
        // SAFETY: A1 — the index is in bounds.
        unsafe { &*self.map.add(page) }
    }

    /// The header of the span that begins at a page.
    #[inline(always)]
    pub(crate) fn span(&self, page: u32) -> *mut Span {
        debug_assert!((page as usize) < self.limit);
        // SAFETY: A1 — the index is in bounds.
        unsafe { self.spans.add(page as usize) }
    }

    /// The alloc and mark words of the span that begins at a page.
    #[inline(always)]
    pub(crate) fn bits(&self, page: u32) -> *const AtomicU64 {
        debug_assert!((page as usize) < self.limit);
        // SAFETY: A1 — the index is in bounds.
        unsafe { self.bits.add(page as usize * BIT_WORDS) }
    }

    /// How many of the pages `from..from + n` are dirty. Context: page lock held.
    pub(super) fn count_dirty(&self, from: usize, n: usize) -> usize {
        let mut count = 0;
        // SAFETY: A1 — the words are in bounds; the page lock guards them.
        self.each_dirty_word(from, n, |w, mask| unsafe {
            count += (*w & mask).count_ones() as usize
        });
        count
    }

    /// Sets or clears the dirty bits of `from..from + n`. Context: page lock held.
    pub(super) fn set_dirty(&self, from: usize, n: usize, dirty: bool) {
        self.each_dirty_word(from, n, |w, mask| {
            // SAFETY: A1 — the word is in bounds; the page lock guards it.
            unsafe { if dirty { *w |= mask } else { *w &= !mask } }
        });
    }

    /// Calls `f(first, n)` for each maximal run of dirty pages in `from..from + n`.
    ///
    /// Context: page lock held.
    pub(super) fn dirty_runs(&self, from: usize, n: usize, mut f: impl FnMut(usize, usize)) {
        let end = from + n;
        let mut page = from;
        while page < end {
            // SAFETY: A1 — the word is in bounds; the page lock guards it.
            let word = unsafe { *self.dirty.add(page / 64) } >> (page % 64);
            if word == 0 {
                page = (page / 64 + 1) * 64;
                continue;
            }
            if word & 1 == 0 {
                page += word.trailing_zeros() as usize;
                continue;
            }
            let first = page;
            // SAFETY: as above.
            while page < end && unsafe { *self.dirty.add(page / 64) } >> (page % 64) & 1 == 1 {
                page += 1;
            }
            f(first, page - first);
        }
    }

    fn each_dirty_word(&self, from: usize, n: usize, mut f: impl FnMut(*mut u64, u64)) {
        let end = from + n;
        let mut page = from;
        while page < end {
            let stop = end.min((page / 64 + 1) * 64);
            let len = stop - page;
            let mask = if len == 64 {
                u64::MAX
            } else {
                ((1 << len) - 1) << (page % 64)
            };
            // SAFETY: A1 — the index is in bounds.
            f(unsafe { self.dirty.add(page / 64) }, mask);
            page = stop;
        }
    }

    /// Gives the memory of pages `from..from + n` back to the system; they read as zeros
    /// afterwards.
    ///
    /// Context: page lock held and the pages free, or the pages the caller's, of which nothing is
    /// wanted.
    pub(crate) fn release(&self, from: usize, n: usize) -> bool {
        // SAFETY: A1 — the range is inside the arena, and by the context nothing there is used.
        unsafe {
            libc::madvise(
                self.address(from) as *mut _,
                n << PAGE_SHIFT,
                libc::MADV_DONTNEED,
            ) == 0
        }
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        // SAFETY: A1 — both ranges were mapped by `try_reserve`; an arena that is dropped has no
        // object left.
        unsafe {
            libc::munmap(self.base as *mut _, self.limit << PAGE_SHIFT);
            libc::munmap(self.map as *mut _, self.side_bytes);
        }
    }
}

/// Bytes of address space that the process may have (`ulimit -v`).
pub(crate) fn address_space() -> usize {
    limit_of(libc::RLIMIT_AS)
}

/// Bytes of writable private memory that the process may have (`ulimit -d`).
pub(crate) fn data_space() -> usize {
    limit_of(libc::RLIMIT_DATA)
}

fn limit_of(resource: libc::__rlimit_resource_t) -> usize {
    let mut limit = libc::rlimit {
        rlim_cur: libc::RLIM_INFINITY,
        rlim_max: libc::RLIM_INFINITY,
    };
    // SAFETY: the kernel writes to `limit`, which lives over the call.
    unsafe { libc::getrlimit(resource, &raw mut limit) };
    // Infinity is the largest number there is.
    limit.rlim_cur as usize
}

/// Fresh zeroed private memory that takes no space until it is touched; `None` if refused.
pub(crate) fn map_memory(hint: usize, bytes: usize, prot: i32) -> Option<usize> {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: a new anonymous mapping without MAP_FIXED disturbs nothing.
    let p = unsafe { libc::mmap(hint as *mut _, bytes, prot, flags, -1, 0) };
    if p == libc::MAP_FAILED || p.is_null() {
        None
    } else {
        Some(p as usize)
    }
}
