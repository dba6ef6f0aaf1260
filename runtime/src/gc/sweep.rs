//! The sweeper: what was not marked is free.
//!
//! After a mark every span waits on an unswept list. It is swept when a cache wants one of its
//! class, when the heap wants fresh pages, or in the background; all are swept before the next
//! mark.
//!
//! # Invariants
//!
//! - W1. Only the collector puts a span on an unswept list, with the world stopped.
//! - W2. The M that takes a span off such a list owns it (span::P1) and finishes it
//!   before its next safepoint; so with the world stopped no sweep is half done.
//!
//! Go: runtime/mgcsweep.go.
#![allow(unsafe_code)]

use super::bad;
use crate::heap::{Heap, NUM_SPAN_CLASSES, PAGE_SHIFT, alloc_word, mark_word};
use crate::sync::{AtomicUsize, Ordering};

/// The byte that freed memory is filled with under `gcstress`: eight of them are no address.
const POISON: u8 = 0xdb;
/// Of a large object only so many bytes are filled: the program may never have touched the rest.
const POISON_MAX: usize = 1 << 20;

/// Sweeps a span: its alloc bits become the mark bits, which are cleared. Returns what lives.
///
/// # Safety
///
/// The caller has taken the span off an unswept list (W2).
pub(crate) unsafe fn sweep_span(heap: &Heap, page: u32) -> usize {
    let s = heap.arena.span(page);
    let bits = heap.arena.bits(page);
    // SAFETY: W2 — the span is ours.
    unsafe {
        let mut live = 0;
        let mut freed = 0;
        let poison = heap.gc.poison.load(Ordering::Relaxed);
        for w in 0..(*s).words() {
            let (a, m) = (alloc_word(bits, w), mark_word(bits, w));
            let (alloc, mark) = (a.load(Ordering::Relaxed), m.load(Ordering::Relaxed));
            if mark & !alloc != 0 {
                bad::report_free_objects(heap, page);
            }
            a.store(mark, Ordering::Relaxed);
            m.store(0, Ordering::Relaxed);
            live += mark.count_ones() as usize;
            let mut dead = alloc & !mark;
            freed += dead.count_ones() as usize;
            while poison && dead != 0 {
                let i = w * 64 + dead.trailing_zeros() as usize;
                dead &= dead - 1;
                let size = (*s).elem_size;
                let p = (heap.arena.address(page as usize) + i * size) as *mut u8;
                std::ptr::write_bytes(p, POISON, size.min(POISON_MAX));
            }
        }
        (*s).count = live as u16;
        if freed != 0 {
            (*s).need_zero = true;
            let class = (*s).class as usize;
            heap.stats.frees[class].fetch_add(freed as u64, Ordering::Relaxed);
            if class < 2 {
                let bytes = u64::from((*s).npages) << PAGE_SHIFT;
                heap.stats
                    .large_free_bytes
                    .fetch_add(bytes, Ordering::Relaxed);
            }
        }
        live
    }
}

/// Counts a sweeper while it lives.
pub(crate) struct Sweeping<'a>(&'a AtomicUsize);

impl Drop for Sweeping<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Release);
    }
}

/// Counts the calling thread among the sweepers, before it takes a span off an unswept list;
/// `None`: no span is left.
pub(crate) fn sweeping(heap: &Heap) -> Option<Sweeping<'_>> {
    if heap.gc.is_swept() {
        return None;
    }
    let sweepers = &heap.gc.sweepers;
    // Counted before the list is read: a thread that finds the list empty then sees this one, if
    // it is this one that has taken the last span.
    sweepers.fetch_add(1, Ordering::SeqCst);
    Some(Sweeping(sweepers))
}

/// Sweeps one span of any class and puts it where it belongs.
///
/// Returns the pages that came free, or `None` if all is swept. Context: with a P, any stack, no
/// lock of the heap held.
pub(crate) fn sweep_one(heap: &Heap) -> Option<usize> {
    let _sweeping = sweeping(heap)?;
    loop {
        let class = heap.gc.sweep_class.load(Ordering::Relaxed);
        if class >= NUM_SPAN_CLASSES {
            return None;
        }
        let page = {
            let mut l = heap.central[class].lock();
            match heap.pop(&mut l.unswept_full) {
                0 => heap.pop(&mut l.unswept_partial),
                page => page,
            }
        };
        if page == 0 {
            // By W1 no span appears in the list again, so the first M to find it empty moves on.
            let (old, new) = (class, class + 1);
            let _ = heap.gc.sweep_class.compare_exchange(
                old,
                new,
                Ordering::Relaxed,
                Ordering::Relaxed,
            );
            continue;
        }
        // SAFETY: W2.
        unsafe {
            let live = sweep_span(heap, page);
            let s = heap.arena.span(page);
            if live == 0 {
                let npages = (*s).npages as usize;
                heap.free_span(page);
                return Some(npages);
            }
            let full = live == (*s).nelems as usize;
            let mut l = heap.central[class].lock();
            let list = if full { &mut l.full } else { &mut l.partial };
            heap.push(list, page);
            return Some(0);
        }
    }
}

/// Moves all spans to the unswept lists: the mark is over.
///
/// Context: world stopped; caches flushed; everything swept before.
pub(crate) fn begin(heap: &Heap) {
    for class in &heap.central {
        let mut l = class.lock();
        debug_assert!(l.unswept_full == 0 && l.unswept_partial == 0);
        l.unswept_full = std::mem::take(&mut l.full);
        l.unswept_partial = std::mem::take(&mut l.partial);
    }
    heap.gc.sweep_class.store(0, Ordering::Relaxed);
}

/// Sweeps what is left. Context: as [`sweep_one`].
pub(crate) fn finish(heap: &Heap) {
    while sweep_one(heap).is_some() {}
}
