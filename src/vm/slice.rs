#![allow(unsafe_code)]
//! Slices: append's growth, copy, make.
//!
//! # Invariants
//!
//! - L1. A slice's pointer is the address of `cap` elements, or anything if `cap` is 0.
//!
//! Go: runtime/slice.go. Spec: Appending to and copying slices.

use std::ptr;

use gosched_runtime::fence;
use gosched_runtime::heap::{self, LayoutId};
use gosched_runtime::m::M;

use super::error_text::RuntimeError;
use super::native::{PIECE, Slice};
use super::value::layout_of;
use bytecode::rtype::{self, Rtype};

/// More bytes than any object can have.
const MAX_ALLOC: usize = 1 << 48;

/// The capacity that Go wants, before rounding to a size class,
/// for a slice of capacity `old` that must hold `len`.
pub(crate) fn next_cap(len: usize, old: usize) -> usize {
    const THRESHOLD: usize = 256;
    if len > 2 * old {
        return len;
    }
    if old < THRESHOLD {
        return 2 * old;
    }
    let mut cap = old;
    while cap < len {
        cap += (cap + 3 * THRESHOLD) >> 2;
    }
    cap
}

/// Makes room for `num` more elements of `elem` behind the `len` of `s`, whose capacity does not
/// suffice; the result has length `len + num` and the new elements are zero.
///
/// Fails if that is too long.
///
/// # Safety
///
/// `s` is a slice with elements of type `elem`.
pub(super) unsafe fn grow(
    m: &mut M,
    elem: &Rtype,
    s: Slice<u8>,
    num: usize,
) -> Result<Slice<u8>, RuntimeError> {
    const TOO_LONG: RuntimeError = RuntimeError::GrowSlice;
    let len = s
        .len()
        .checked_add(num)
        .filter(|n| *n <= isize::MAX as usize)
        .ok_or(TOO_LONG)?;
    if elem.size == 0 {
        let p = heap::alloc(m, 0, LayoutId::NOSCAN);
        // SAFETY: elements without bytes.
        return Ok(unsafe { Slice::from_raw(p, len, len) });
    }
    let cap = next_cap(len, s.cap());
    let bytes = cap
        .checked_mul(elem.size)
        .filter(|n| *n <= MAX_ALLOC)
        .ok_or(TOO_LONG)?;
    let noscan = elem.flags & rtype::POINTERS == 0;
    let g = m.curg;
    let bytes = heap::round_up_size(bytes, noscan);
    let cap = bytes / elem.size;
    // SAFETY: `m` holds a P; L1 for the copy, into fresh memory.
    unsafe {
        let p = heap::alloc(m, cap * elem.size, layout_of(elem));
        let used = s.len() * elem.size;
        if used > PIECE {
            copy_long(&mut *(*g).m, layout_of(elem), p, s.as_ptr(), used);
        } else if noscan {
            ptr::copy_nonoverlapping(heap::not_null_raw(s.as_ptr()), p, used);
        } else {
            heap::copy_typed(layout_of(elem), p, s.as_ptr(), used);
        }
        Ok(Slice::from_raw(p, len, cap))
    }
}

/// `append(s, t...)`
///
/// # Safety
///
/// Both are slices with elements of type `elem` (`t` may be a string's bytes).
pub(super) unsafe fn append(
    m: &mut M,
    elem: &Rtype,
    s: Slice<u8>,
    t: *const u8,
    n: usize,
) -> Result<Slice<u8>, RuntimeError> {
    if n == 0 {
        return Ok(s);
    }
    let g = m.curg;
    // SAFETY: the caller's. A long copy may have come back on another M.
    unsafe {
        let out = if s.len().checked_add(n).is_some_and(|l| l <= s.cap()) {
            s.longer(n)
        } else {
            grow(m, elem, s, n)?
        };
        move_long(
            &mut *(*g).m,
            elem,
            out.as_ptr().add(s.len() * elem.size),
            t,
            n,
        );
        Ok(out)
    }
}

/// Copies `n` elements, which may overlap.
///
/// # Safety
///
/// Both name `n` elements of type `elem`.
#[inline]
pub(crate) unsafe fn move_elems(elem: &Rtype, dst: *mut u8, src: *const u8, n: usize) {
    // SAFETY: the caller's.
    unsafe {
        if elem.flags & rtype::POINTERS == 0 {
            ptr::copy(
                heap::not_null_raw(src),
                heap::not_null_raw(dst).cast_mut(),
                n * elem.size,
            );
        } else {
            heap::copy_typed(layout_of(elem), dst, src, n * elem.size);
        }
    }
}

/// As [`move_elems`], letting others run meanwhile if it is much.
/// Afterwards the goroutine may be on another M.
///
/// # Safety
///
/// As there; context as [`fence::poll`], the registers saved.
#[inline]
unsafe fn move_long(m: &mut M, elem: &Rtype, dst: *mut u8, src: *const u8, n: usize) {
    // SAFETY: the caller's.
    unsafe {
        if n * elem.size > PIECE {
            copy_long(m, layout_of(elem), dst, src, n * elem.size);
        } else {
            move_elems(elem, dst, src, n);
        }
    }
}

/// Copies in pieces, with a look for requests after each.
/// Afterwards the goroutine may be on another M.
///
/// # Safety
///
/// As [`heap::copy_typed`]; context as [`fence::poll`], the registers saved.
#[cold]
pub(super) unsafe fn copy_long(
    m: &mut M,
    layout: LayoutId,
    dst: *mut u8,
    src: *const u8,
    bytes: usize,
) {
    let g = m.curg;
    let pieces = bytes.div_ceil(PIECE);
    let down = (dst as usize).wrapping_sub(src as usize) < bytes;
    for k in 0..pieces {
        // What the ranges share is read before it is written over.
        let at = PIECE * if down { pieces - 1 - k } else { k };
        // SAFETY: the caller's.
        unsafe {
            heap::copy_typed(layout, dst.add(at), src.add(at), PIECE.min(bytes - at));
            fence::poll(&mut *(*g).m);
        }
    }
}

/// `copy(dst, src)`: returns the number of elements copied.
///
/// # Safety
///
/// Both name as many elements of type `elem` as is said.
#[inline]
pub unsafe fn copy(
    m: &mut M,
    elem: &Rtype,
    dst: *mut u8,
    dst_len: usize,
    src: *const u8,
    src_len: usize,
) -> usize {
    let n = dst_len.min(src_len);
    if n != 0 {
        // SAFETY: the caller's.
        unsafe { move_long(m, elem, dst, src, n) };
    }
    n
}

/// `make([]T, len, cap)`.
pub(super) fn make(m: &mut M, elem: &Rtype, len: i64, cap: i64) -> Result<Slice<u8>, RuntimeError> {
    let fits = |n: i64| {
        u64::try_from(n)
            .ok()
            .and_then(|n| n.checked_mul(elem.size as u64))
            .is_some_and(|b| b <= MAX_ALLOC as u64)
    };
    if !fits(cap) || len < 0 || len > cap {
        return Err(if !fits(len) || len < 0 {
            RuntimeError::MakeSliceLen
        } else {
            RuntimeError::MakeSliceCap
        });
    }
    let p = heap::alloc(m, cap as usize * elem.size, layout_of(elem));
    // SAFETY: L1 — fresh memory for `cap` elements.
    Ok(unsafe { Slice::from_raw(p, len as usize, cap as usize) })
}

#[cfg(test)]
mod tests {
    use super::next_cap;

    #[test]
    fn capacity_doubles_then_grows_by_a_quarter() {
        assert_eq!(next_cap(1, 0), 1);
        assert_eq!(next_cap(5, 4), 8);
        assert_eq!(next_cap(9, 4), 9);
        assert_eq!(next_cap(256, 255), 510);
        assert_eq!(next_cap(257, 256), 512);
        assert_eq!(next_cap(1025, 1024), 1472);
    }
}
