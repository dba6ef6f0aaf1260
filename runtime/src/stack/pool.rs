#![allow(unsafe_code)]
//! The pools of small stacks, one for each size.
//!
//! A pool cuts spans of 32 KB into stacks. The header of such a span counts the stacks that are out
//! and keeps a list of the others, linked through their first words. A span of which none is out
//! stays in the pool until a collection gives it back to the heap.
//!
//! # Invariants
//!
//! - Q1. The header of a span of stacks is guarded by the lock of its pool: `count` stacks are out,
//!   `layouts` is the first of those that are not.
//! - Q2. A span with stacks to give is on `partial` if some are out, on `empty` if none is; one
//!   without is on neither.
//!
//! Go: runtime/stack.go, stackpoolalloc, stackpoolfree, freeStackSpans.

use super::{MIN, ORDERS};
use crate::heap::{self, Heap, PAGE_SIZE, Span, heap};
use crate::lockrank::Rank;
use crate::sync::{Guarded, Ordering};

/// Bytes of a span of small stacks. Go: _StackCacheSize.
const SPAN_BYTES: usize = 32 << 10;

/// Stacks of one size that no cache has.
#[derive(Debug)]
pub(super) struct Pool {
    /// First pages of spans, linked both ways; 0 is none.
    partial: u32,
    /// The same, linked by `next`.
    empty: u32,
}

/// One pool for each order.
pub(super) static POOLS: [Guarded<Pool>; ORDERS] = [const {
    Guarded::new(
        Rank::StackPool,
        Pool {
            partial: 0,
            empty: 0,
        },
    )
}; ORDERS];

impl Pool {
    /// A stack of that order; its contents are undefined.
    pub(super) fn take(&mut self, order: usize) -> usize {
        let heap = heap();
        if self.partial == 0 {
            let page = match heap.pop(&mut self.empty) {
                0 => fresh(heap, order),
                page => page,
            };
            self.link(heap, page);
        }
        // SAFETY: Q1, Q2 — spans on the list have a stack to give, and a free stack is a word at
        // least.
        unsafe {
            let s = heap.arena.span(self.partial);
            let at = (*s).layouts as usize;
            let next = *(at as *const usize);
            (*s).layouts = next as *mut u32;
            (*s).count += 1;
            if next == 0 {
                self.unlink(heap, self.partial);
            }
            at
        }
    }

    /// Takes a stack back.
    ///
    /// # Safety
    ///
    /// `at` came from [`Pool::take`], and is not used.
    pub(super) unsafe fn give(&mut self, at: usize) {
        let heap = heap();
        let arena = &heap.arena;
        let page = arena.map(arena.page_of(at)).load(Ordering::Relaxed);
        // SAFETY: Q1; the stack is ours by the contract.
        unsafe {
            let s = arena.span(page);
            debug_assert!((*s).count > 0);
            let first = (*s).layouts as usize;
            *(at as *mut usize) = first;
            (*s).layouts = at as *mut u32;
            (*s).count -= 1;
            if (*s).count == 0 {
                if first != 0 {
                    self.unlink(heap, page);
                }
                heap.push(&mut self.empty, page);
            } else if first == 0 {
                self.link(heap, page);
            }
        }
    }

    fn link(&mut self, heap: &Heap, page: u32) {
        let s = heap.arena.span(page);
        // SAFETY: Q1 for this span and the one it is put before.
        unsafe {
            (*s).prev = 0;
            (*s).next = self.partial;
            if self.partial != 0 {
                (*heap.arena.span(self.partial)).prev = page;
            }
        }
        self.partial = page;
    }

    fn unlink(&mut self, heap: &Heap, page: u32) {
        // SAFETY: Q1 for this span and its neighbours on the list.
        unsafe {
            let (next, prev) = {
                let s: *const Span = heap.arena.span(page);
                ((*s).next, (*s).prev)
            };
            if next != 0 {
                (*heap.arena.span(next)).prev = prev;
            }
            if prev != 0 {
                (*heap.arena.span(prev)).next = next;
            } else {
                self.partial = next;
            }
        }
    }
}

/// A span cut into stacks of that order, on no list.
fn fresh(heap: &Heap, order: usize) -> u32 {
    let base = heap.stack_span(SPAN_BYTES / PAGE_SIZE) as usize;
    let page = heap.arena.page_of(base) as u32;
    let size = MIN << order;
    // SAFETY: the span is fresh and ours; each stack lies inside it.
    unsafe {
        let s = heap.arena.span(page);
        (*s).count = 0;
        (*s).layouts = base as *mut u32;
        for at in (base..base + SPAN_BYTES).step_by(size) {
            let next = at + size;
            *(at as *mut usize) = if next < base + SPAN_BYTES { next } else { 0 };
        }
    }
    page
}

/// Gives the spans of which no stack is out back to the heap. Go: freeStackSpans.
///
/// Context: any thread; no lock of a pool or the heap held.
pub(crate) fn release_spans() {
    if fault!(KeepStackSpans) {
        return;
    }
    for pool in &POOLS {
        let mut pool = pool.lock();
        loop {
            let page = heap().pop(&mut pool.empty);
            if page == 0 {
                break;
            }
            let at = heap().arena.address(page as usize);
            // SAFETY: Q2 — no stack of it is out, and it is on no list any more.
            unsafe { heap::free_stack_span(at as *mut u8) };
        }
    }
}
