//! Writing pointers into memory that the collector sees.
//!
//! Every such write outside frames goes through these functions: moves of aligned words, which may
//! be seen by other threads meanwhile, so each is one relaxed atomic store; and the write barrier,
//! while the marker works ([`crate::gc::barrier`]).
//!
//! # Invariants
//!
//! - W1. `dst` and `src` are valid for the given bytes; where the layout has pointers, both are
//!   aligned to 8 bytes, and no word is ever seen half written.
//!
//! Go: runtime/mbarrier.go.
#![allow(unsafe_code)]

use super::layout::LayoutId;
use crate::gc::barrier::{before_store, is_marking, keep};
use crate::sync::{AtomicUsize, Ordering};

/// `p` as an address that Rust takes for one of values: for null, which only a race or `unsafe`
/// gives a length, one in the page of nil that faults as null does.
#[inline(always)]
pub fn not_null<T>(p: *const T) -> *const T {
    const { assert!(align_of::<T>() <= NOT_NULL_MAX) };
    if p.is_null() { std::ptr::dangling() } else { p }
}

/// As [`not_null`], for copies by address: only builds with assertions look at that.
#[inline(always)]
pub fn not_null_raw<T>(p: *const T) -> *const T {
    if cfg!(debug_assertions) {
        not_null(p)
    } else {
        p
    }
}

/// As [`not_null`].
#[inline(always)]
pub fn not_null_mut<T>(p: *mut T) -> *mut T {
    not_null(p).cast_mut()
}

/// The highest address that [`not_null`] makes of null.
pub const NOT_NULL_MAX: usize = 8;

/// Stores a pointer.
///
/// # Safety
///
/// `dst` is aligned and valid for a word.
#[inline(always)]
pub unsafe fn store_ptr(dst: *mut usize, v: usize) {
    // SAFETY: W1 by contract.
    unsafe {
        if is_marking() {
            before_store(dst.cast(), size_of::<usize>());
        }
        (*(dst as *const AtomicUsize)).store(v, Ordering::Relaxed)
    }
}

/// Stores a pointer and returns what was there, in one step that orders everything
/// (`atomic.SwapPointer`).
///
/// # Safety
///
/// As [`store_ptr`].
#[inline]
pub unsafe fn swap_ptr(dst: *mut usize, v: usize) -> usize {
    // SAFETY: W1 by contract.
    let old = unsafe { (*(dst as *const AtomicUsize)).swap(v, Ordering::SeqCst) };
    if is_marking() {
        keep(old);
    }
    old
}

/// Stores the pointer `new` if `old` is there (`atomic.CompareAndSwapPointer`).
///
/// # Safety
///
/// As [`store_ptr`].
#[inline]
pub unsafe fn cas_ptr(dst: *mut usize, old: usize, new: usize) -> bool {
    // SAFETY: W1 by contract.
    let word = unsafe { &*(dst as *const AtomicUsize) };
    let is_done = word
        .compare_exchange(old, new, Ordering::SeqCst, Ordering::SeqCst)
        .is_ok();
    if is_done && is_marking() {
        keep(old);
    }
    is_done
}

/// Copies `bytes` bytes of elements of `layout`; the ranges may overlap.
///
/// # Safety
///
/// W1 holds for the two ranges.
#[inline]
pub unsafe fn copy_typed(layout: LayoutId, dst: *mut u8, src: *const u8, bytes: usize) {
    // SAFETY: W1 by contract.
    unsafe {
        if layout == LayoutId::NOSCAN {
            std::ptr::copy(not_null_raw(src), not_null_raw(dst).cast_mut(), bytes);
            return;
        }
        if is_marking() {
            before_store(dst, bytes);
        }
        let n = bytes / 8;
        let d = not_null_raw(dst as *const AtomicUsize);
        let s = not_null_raw(src as *const AtomicUsize);
        debug_assert!((d as usize | s as usize).is_multiple_of(8));
        if (dst as usize).wrapping_sub(src as usize) >= bytes {
            for i in 0..n {
                (*d.add(i)).store((*s.add(i)).load(Ordering::Relaxed), Ordering::Relaxed);
            }
            // A tail shorter than a word holds no pointer.
            std::ptr::copy(src.add(n * 8), dst.add(n * 8), bytes % 8);
        } else {
            std::ptr::copy(src.add(n * 8), dst.add(n * 8), bytes % 8);
            for i in (0..n).rev() {
                (*d.add(i)).store((*s.add(i)).load(Ordering::Relaxed), Ordering::Relaxed);
            }
        }
    }
}

/// Clears `bytes` bytes of elements of `layout`.
///
/// # Safety
///
/// W1 holds for the range.
#[inline]
pub unsafe fn zero_typed(layout: LayoutId, dst: *mut u8, bytes: usize) {
    // SAFETY: W1 by contract.
    unsafe {
        if layout == LayoutId::NOSCAN {
            std::ptr::write_bytes(not_null_raw(dst).cast_mut(), 0, bytes);
            return;
        }
        if is_marking() {
            before_store(dst, bytes);
        }
        let d = not_null_raw(dst as *const AtomicUsize);
        debug_assert!((d as usize).is_multiple_of(8));
        for i in 0..bytes / 8 {
            (*d.add(i)).store(0, Ordering::Relaxed);
        }
        std::ptr::write_bytes(dst.add(bytes / 8 * 8), 0, bytes % 8);
    }
}
