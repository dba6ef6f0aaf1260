//! The collector's part in package sync's Pool: what two collections find unused is dropped.
//!
//! A pool has a [`Place`] for each P, which only the goroutine that is pinned to that P changes.
//! One that something was put into is on a list; each collection makes what is young there old and
//! forgets what was old, and takes off the list what is empty then.
//!
//! # Invariants
//!
//! - O1. A pinned goroutine keeps the world from stopping, so no place is changed meanwhile.
//! - O2. A listed place is alive: the list is a root.
//!
//! Go: runtime/mgc.go, clearpools; sync/pool.go, poolCleanup.
#![allow(unsafe_code)]

use crate::engine::RootVisitor;
use crate::gc;
use crate::heap::store_ptr;
use crate::sync::{AtomicUsize, Ordering};

/// What a pool keeps for one P, as package sync lays it out.
#[derive(Debug)]
#[repr(C)]
pub struct Place {
    /// One object apart from the others: an interface.
    apart: [usize; 2],
    old_apart: [usize; 2],
    /// Lists of rings.
    young: usize,
    old: usize,
    /// The next on the list.
    next: usize,
    listed: bool,
}

/// The first place that something was put into. Written by `list`, and by `age` in the stopped
/// world.
static LISTED: AtomicUsize = AtomicUsize::new(0);

/// Puts a place on the list.
///
/// # Safety
/// `place` is one, in the heap, and not listed; the caller is pinned to its P.
pub unsafe fn list(place: *mut Place) {
    gc::add_roots(roots);
    // SAFETY: the caller's; O1.
    unsafe {
        (*place).listed = true;
        let mut first = LISTED.load(Ordering::Relaxed);
        loop {
            store_ptr(&raw mut (*place).next, first);
            match LISTED.compare_exchange(
                first,
                place as usize,
                Ordering::SeqCst,
                Ordering::Relaxed,
            ) {
                Ok(_) => return,
                Err(now) => first = now,
            }
        }
    }
}

fn roots(v: &mut dyn RootVisitor) {
    v.word(LISTED.load(Ordering::Relaxed));
}

/// Ages all pools. Context: world stopped, before the mark.
pub(crate) fn age() {
    if fault!(ForgetCollections) {
        return;
    }
    let mut at = LISTED.swap(0, Ordering::Relaxed) as *mut Place;
    let mut kept = 0;
    while !at.is_null() {
        // SAFETY: O1, O2.
        unsafe {
            let next = (*at).next;
            (*at).old_apart[0] = (*at).apart[0];
            store_ptr(&raw mut (*at).old_apart[1], (*at).apart[1]);
            (*at).apart[0] = 0;
            store_ptr(&raw mut (*at).apart[1], 0);
            store_ptr(&raw mut (*at).old, (*at).young);
            store_ptr(&raw mut (*at).young, 0);
            let is_empty = (*at).old_apart[0] == 0 && (*at).old == 0;
            (*at).listed = !is_empty;
            store_ptr(&raw mut (*at).next, if is_empty { 0 } else { kept });
            if !is_empty {
                kept = at as usize;
            }
            at = next as *mut Place;
        }
    }
    LISTED.store(kept, Ordering::Relaxed);
}
