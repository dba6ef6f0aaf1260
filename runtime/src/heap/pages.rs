//! The page heap: runs of free pages, best fit, joined with their neighbours when freed.
//!
//! A free run has a `Span` header at its first page and `FREE | first` in the page map at both
//! ends, which is how neighbours find each other. Runs below 128 pages lie in a bin of their
//! exact length, longer ones in four bins per power of two.
//!
//! A page is *dirty* if it may hold something but zeros. Fresh and released pages are clean;
//! they cost no memory and need no clearing.
//!
//! # Invariants
//!
//! - G1. All of it happens under the page lock, which owns every free run (span::P1).
//! - G2. No two free runs are neighbours.
//! - G3. `ndirty` of a free run is the number of dirty bits of its pages.
//! - G4. The alloc and mark bits of a free run's pages are clear.
//!
//! Go: runtime/mheap.go, runtime/mpagealloc.go, runtime/mgcscavenge.go (another structure).
#![allow(unsafe_code)]

use super::ahead;
use super::arena::{Arena, BIT_WORDS, FREE};
use super::sizeclass::{PAGE_SHIFT, PAGE_SIZE};
use super::span::state;
use crate::sync::Ordering;

const EXACT: usize = 128;
const BINS: usize = 256;
/// The arena is committed in steps of 4 MB, as Go's heap grows.
const GROW_PAGES: usize = (4 << 20) / PAGE_SIZE;
/// How many runs of a bin are looked at for the best fit.
const SEARCH: usize = 64;
/// Runs of dirty pages that are remembered for clearing; with more, all is cleared.
const MAX_PARTS: usize = 16;

/// The page heap; lives under the page lock.
pub(crate) struct PageHeap {
    bins: [u32; BINS],
    nonempty: [u64; BINS / 64],
    /// Pages that are readable and writable; page 0 is one of them.
    pub(crate) committed: usize,
    /// Free pages, dirty or not.
    pub(crate) free: usize,
    /// Free pages that are dirty.
    pub(crate) free_dirty: usize,
    /// Clean free pages, at most, that are there all the same ([`super::ahead`]).
    pub(crate) touched: usize,
    /// Pages of spans for the runtime.
    pub(crate) manual: usize,
}

/// Pages just taken from the page heap.
pub(crate) struct Pages {
    pub(crate) page: u32,
    pub(super) ndirty: usize,
    parts: [(u32, u32); MAX_PARTS],
    nparts: usize,
}

/// A dirty run of so many bytes is given back to the system to be cleared.
const GIVE_BACK: usize = 256 << 20;

impl Pages {
    /// Clears what is dirty of the `npages` pages.
    ///
    /// # Safety
    ///
    /// The caller owns the pages.
    pub(crate) unsafe fn clear(&self, arena: &Arena, npages: usize) {
        if self.ndirty == 0 {
            return;
        }
        let whole = [(self.page, npages as u32)];
        let parts = if self.nparts <= MAX_PARTS {
            &self.parts[..self.nparts]
        } else {
            &whole[..]
        };
        for &(first, n) in parts {
            let (at, bytes) = (arena.address(first as usize), (n as usize) << PAGE_SHIFT);
            // Writing zeros would take memory for all of them, though the program may touch few.
            if bytes >= GIVE_BACK && arena.release(first as usize, n as usize) {
                continue;
            }
            // SAFETY: by contract, the pages are the caller's.
            unsafe { std::ptr::write_bytes(at as *mut u8, 0, bytes) };
        }
    }
}

fn bin_of(npages: usize) -> usize {
    if npages < EXACT {
        return npages;
    }
    let log = npages.ilog2() as usize;
    EXACT + (log - 7) * 4 + ((npages >> (log - 2)) & 3)
}

impl PageHeap {
    pub(crate) const fn new() -> Self {
        PageHeap {
            bins: [0; BINS],
            nonempty: [0; BINS / 64],
            committed: 0,
            free: 0,
            free_dirty: 0,
            touched: 0,
            manual: 0,
        }
    }

    /// Takes `npages` pages; `None` if there are none and the arena cannot grow.
    ///
    /// The caller makes the span's header. The page map is set.
    pub(crate) fn alloc(&mut self, arena: &Arena, npages: usize) -> Option<Pages> {
        let run = match self.best(arena, npages) {
            0 => {
                self.grow(arena, npages)?;
                self.best(arena, npages)
            }
            run => run,
        };
        debug_assert!(run != 0);
        self.unlink(arena, run);
        // SAFETY: G1 — the run is ours.
        let (total, dirty) = unsafe {
            (
                (*arena.span(run)).npages as usize,
                (*arena.span(run)).ndirty as usize,
            )
        };
        let page = run as usize;
        let ndirty = match dirty {
            0 => 0,
            d if d == total => npages,
            _ => arena.count_dirty(page, npages),
        };
        let mut out = Pages {
            page: run,
            ndirty,
            parts: [(0, 0); MAX_PARTS],
            nparts: 0,
        };
        if ndirty != 0 {
            arena.dirty_runs(page, npages, |first, n| {
                if out.nparts < MAX_PARTS {
                    out.parts[out.nparts] = (first as u32, n as u32);
                }
                out.nparts += 1;
            });
        }
        self.free -= npages;
        self.free_dirty -= ndirty;
        self.touched = self.touched.saturating_sub(npages - ndirty);
        if total > npages {
            self.insert(arena, page + npages, total - npages, dirty - ndirty);
        }
        arena.set_dirty(page, npages, true);
        // SAFETY: G1 — the header is ours until the caller takes it over.
        unsafe {
            (*arena.span(run))
                .state
                .store(state::NONE, Ordering::Relaxed)
        };
        for p in page..page + npages {
            arena.map(p).store(run, Ordering::Relaxed);
        }
        Some(out)
    }

    /// Grows before it must, if little is free, and has the new pages touched.
    pub(crate) fn grow_ahead(&mut self, arena: &Arena) {
        if self.free >= GROW_PAGES / 2 {
            return;
        }
        let first = self.committed;
        if let Some(thread) = ahead::thread()
            && self.grow(arena, 1).is_some()
        {
            self.touched += self.committed - first;
            ahead::touch(thread, arena.address(first));
        }
    }

    /// Takes pages back; their span's state is already `NONE`, and its bits are clear (G4).
    pub(crate) fn free(&mut self, arena: &Arena, page: u32, npages: usize) {
        debug_assert!((0..npages.min(4)).all(|i| {
            let bits = arena.bits(page + i as u32);
            // SAFETY: arena::A1.
            (0..BIT_WORDS).all(|w| unsafe { (*bits.add(w)).load(Ordering::Relaxed) } == 0)
        }));
        let first = page as usize;
        for p in first..first + npages {
            arena.map(p).store(FREE | page, Ordering::Relaxed);
        }
        self.free += npages;
        self.free_dirty += npages;
        self.join(arena, first, npages, npages);
    }

    /// Adds the free run `first..first + npages`, joined with free neighbours.
    fn join(&mut self, arena: &Arena, mut first: usize, mut npages: usize, mut ndirty: usize) {
        let left = arena.map(first - 1).load(Ordering::Relaxed);
        if left & FREE != 0 {
            let run = left & !FREE;
            self.unlink(arena, run);
            // SAFETY: G1.
            unsafe {
                npages += (*arena.span(run)).npages as usize;
                ndirty += (*arena.span(run)).ndirty as usize;
            }
            first = run as usize;
        }
        let end = first + npages;
        if end < self.committed {
            let right = arena.map(end).load(Ordering::Relaxed);
            if right & FREE != 0 {
                let run = right & !FREE;
                debug_assert_eq!(run as usize, end);
                self.unlink(arena, run);
                // SAFETY: G1.
                unsafe {
                    npages += (*arena.span(run)).npages as usize;
                    ndirty += (*arena.span(run)).ndirty as usize;
                    (*arena.span(run))
                        .state
                        .store(state::NONE, Ordering::Relaxed);
                }
            }
        }
        self.insert(arena, first, npages, ndirty);
    }

    /// Commits at least `npages` more pages; `None` if the system refuses or the arena is full.
    fn grow(&mut self, arena: &Arena, npages: usize) -> Option<()> {
        if self.committed == 0 {
            // Page 0 stays in use for ever (arena::A2).
            if !arena.commit(0, 1) {
                return None;
            }
            self.committed = 1;
        }
        let left = arena.limit() - self.committed;
        let step = npages
            .max(GROW_PAGES - self.committed % GROW_PAGES)
            .min(left);
        if step < npages {
            return None;
        }
        let first = self.committed;
        if !arena.commit(first, first + step) {
            return None;
        }
        self.committed += step;
        self.free += step;
        for p in [first, first + step - 1] {
            arena.map(p).store(FREE | first as u32, Ordering::Relaxed);
        }
        self.join(arena, first, step, 0);
        Some(())
    }

    /// The free run that fits best, or 0.
    fn best(&self, arena: &Arena, npages: usize) -> u32 {
        let bin = bin_of(npages);
        let mut from = bin;
        if npages >= EXACT {
            // Runs of this bin may be too short.
            if let Some(run) = self.best_in(arena, bin, npages) {
                return run;
            }
            from = bin + 1;
        }
        while from < BINS {
            let word = self.nonempty[from / 64] >> (from % 64);
            if word == 0 {
                from = (from / 64 + 1) * 64;
                continue;
            }
            from += word.trailing_zeros() as usize;
            if let Some(run) = self.best_in(arena, from, npages) {
                return run;
            }
            from += 1;
        }
        0
    }

    fn best_in(&self, arena: &Arena, bin: usize, npages: usize) -> Option<u32> {
        let mut best = None;
        let mut best_len = u32::MAX;
        let mut run = self.bins[bin];
        // A list of exact lengths is settled by its first run; a list that may hold too short
        // ones is searched until one fits.
        let mut looked = 0;
        while run != 0 {
            // SAFETY: G1 — it is on a list of free runs.
            let (len, next) = unsafe { ((*arena.span(run)).npages, (*arena.span(run)).next) };
            if len as usize >= npages && len < best_len {
                (best, best_len) = (Some(run), len);
                if len as usize == npages || bin < EXACT {
                    break;
                }
            }
            looked += 1;
            if looked >= SEARCH && best.is_some() {
                break;
            }
            run = next;
        }
        best
    }

    fn insert(&mut self, arena: &Arena, first: usize, npages: usize, ndirty: usize) {
        let bin = bin_of(npages);
        let run = first as u32;
        let head = self.bins[bin];
        // SAFETY: G1.
        unsafe {
            let s = arena.span(run);
            (*s).npages = npages as u32;
            (*s).ndirty = ndirty as u32;
            (*s).prev = 0;
            (*s).next = head;
            (*s).state.store(state::FREE, Ordering::Relaxed);
            if head != 0 {
                (*arena.span(head)).prev = run;
            }
        }
        self.bins[bin] = run;
        self.nonempty[bin / 64] |= 1 << (bin % 64);
        arena.map(first).store(FREE | run, Ordering::Relaxed);
        arena
            .map(first + npages - 1)
            .store(FREE | run, Ordering::Relaxed);
    }

    fn unlink(&mut self, arena: &Arena, run: u32) {
        // SAFETY: G1 — the run and its neighbours in the list are free runs.
        unsafe {
            let s = arena.span(run);
            debug_assert_eq!((*s).state.load(Ordering::Relaxed), state::FREE);
            let (next, prev, bin) = ((*s).next, (*s).prev, bin_of((*s).npages as usize));
            if next != 0 {
                (*arena.span(next)).prev = prev;
            }
            if prev != 0 {
                (*arena.span(prev)).next = next;
            } else {
                self.bins[bin] = next;
                if next == 0 {
                    self.nonempty[bin / 64] &= !(1 << (bin % 64));
                }
            }
        }
    }

    /// Returns up to about `max` dirty free pages to the system, the longest runs first.
    ///
    /// Returns the number of pages released.
    pub(crate) fn scavenge(&mut self, arena: &Arena, max: usize) -> usize {
        let mut released = 0;
        for bin in (0..BINS).rev() {
            if self.nonempty[bin / 64] >> (bin % 64) & 1 == 0 {
                continue;
            }
            let mut run = self.bins[bin];
            while run != 0 {
                if released >= max {
                    return released;
                }
                // SAFETY: G1.
                let (npages, ndirty) = unsafe {
                    (
                        (*arena.span(run)).npages as usize,
                        (*arena.span(run)).ndirty as usize,
                    )
                };
                if ndirty != 0 {
                    let mut done = 0;
                    let mut parts = Vec::new();
                    arena.dirty_runs(run as usize, npages, |first, n| parts.push((first, n)));
                    for (first, n) in parts {
                        let n = n.min((max - released).max(1));
                        if released < max && arena.release(first, n) {
                            arena.set_dirty(first, n, false);
                            done += n;
                            released += n;
                        }
                    }
                    self.free_dirty -= done;
                    // SAFETY: G1; G3 is kept.
                    unsafe { (*arena.span(run)).ndirty -= done as u32 };
                }
                // SAFETY: G1.
                run = unsafe { (*arena.span(run)).next };
            }
        }
        released
    }

    /// Checks the invariants by walking all committed pages; for tests.
    #[cfg(test)]
    pub(crate) fn verify(&self, arena: &Arena) {
        let (mut page, mut free, mut dirty, mut last_free) = (1, 0, 0, false);
        while page < self.committed {
            let m = arena.map(page).load(Ordering::Relaxed);
            let s = arena.span(m & !FREE);
            // SAFETY: the test holds the lock; headers are readable.
            let (n, nd, st) = unsafe {
                (
                    (*s).npages as usize,
                    (*s).ndirty as usize,
                    (*s).state.load(Ordering::Relaxed),
                )
            };
            assert_eq!((m & !FREE) as usize, page, "page {page} begins no span");
            if m & FREE != 0 {
                assert!(!last_free, "neighbouring free runs at {page}");
                assert_eq!(st, state::FREE);
                assert_eq!(arena.map(page + n - 1).load(Ordering::Relaxed), m);
                assert_eq!(nd, arena.count_dirty(page, n));
                free += n;
                dirty += nd;
            }
            last_free = m & FREE != 0;
            page += n;
        }
        assert_eq!((free, dirty), (self.free, self.free_dirty));
    }
}
