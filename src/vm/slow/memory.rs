#![allow(unsafe_code)]
//! Values between memory and slots, and new objects.
//!
//! A scalar is extended to its slot, everything else lies in slots as in memory; a value above a
//! size is a slot with its address.

use super::*;
use bytecode::abi;
use bytecode::rtype::Kind;
use std::sync::atomic::{AtomicU64, Ordering};

/// Copies a value of `bytes` bytes to slots of the frame: whole words as words.
///
/// # Safety
/// exec::X2, exec::X4.
#[inline(never)]
pub(crate) unsafe fn load_n(dst: *mut u64, src: usize, bytes: usize) {
    // SAFETY: the caller's.
    unsafe {
        if src.is_multiple_of(8) {
            copy_words(dst, src as *const u64, bytes);
        } else {
            std::ptr::copy(src as *const u8, dst.cast(), bytes);
        }
    }
}

/// Copies whole words as words, and what is left by bytes.
unsafe fn copy_words(dst: *mut u64, src: *const u64, bytes: usize) {
    // SAFETY: the caller's. Slots and memory do not overlap, or are the same.
    unsafe {
        let n = bytes / 8;
        for k in 0..n {
            *dst.add(k) = (*src.add(k).cast::<AtomicU64>()).load(Ordering::Relaxed);
        }
        std::ptr::copy(src.add(n).cast::<u8>(), dst.add(n).cast::<u8>(), bytes % 8);
    }
}

/// A zeroed object.
///
/// # Safety
/// exec::X3.
#[inline]
pub(crate) unsafe fn new(s: Regs, layout: LayoutId, size: usize) -> u64 {
    // SAFETY: exec::X3.
    unsafe { heap::alloc_after(m(s.g()), size, layout, || s.save()) as u64 }
}

/// A new object with the value at `from`.
///
/// # Safety
/// exec::X3, exec::X4.
#[inline]
pub(crate) unsafe fn new_copy(s: Regs, layout: LayoutId, size: usize, from: *const u64) -> u64 {
    // SAFETY: exec::X3; the object is as large as the value.
    unsafe {
        let p = new(s, layout, size);
        heap::copy_typed(layout, p as *mut u8, from.cast(), size);
        p
    }
}

/// Loads the value of type `t` at `src` into slots: scalars extended, everything else as in memory.
///
/// # Safety
/// exec::X2, exec::X4.
#[inline]
pub(super) unsafe fn load_value(t: &Rtype, dst: *mut u64, src: *const u8) {
    // SAFETY: the caller's.
    unsafe {
        if t.size == 8 {
            *dst = src.cast::<u64>().read();
            return;
        }
        *dst = match t.kind {
            Kind::Int8 => src.cast::<i8>().read() as i64 as u64,
            Kind::Int16 => src.cast::<i16>().read() as i64 as u64,
            Kind::Int32 => src.cast::<i32>().read() as i64 as u64,
            Kind::Bool | Kind::Uint8 => u64::from(src.read()),
            Kind::Uint16 => u64::from(src.cast::<u16>().read()),
            Kind::Uint32 | Kind::Float32 => u64::from(src.cast::<u32>().read()),
            _ => {
                load_n(dst, src as usize, t.size);
                return;
            }
        };
    }
}

/// Does a slot hold the address of such a value, rather than the value?
#[inline]
pub(super) fn is_huge(t: &Rtype) -> bool {
    t.size as u64 > abi::BY_REF_ABOVE
}

/// Zeroes the slots of a value of type `t`.
///
/// # Safety
/// exec::X2.
#[inline]
pub(super) unsafe fn zero_value(t: &Rtype, dst: *mut u64) {
    for k in 0..t.size.div_ceil(8) {
        // SAFETY: the caller's.
        unsafe { *dst.add(k) = 0 }
    }
}

/// Stores the value of type `t` in slots at `src` to memory.
///
/// # Safety
/// exec::X2, exec::X4.
#[inline]
pub(super) unsafe fn store_value(t: &Rtype, dst: *mut u8, src: *const u64) {
    // SAFETY: the caller's. Slots are little-endian, as memory is.
    unsafe {
        if t.size == 8 && !t.has_pointers() {
            dst.cast::<u64>().write(*src);
        } else {
            heap::copy_typed(LayoutId(t.layout), dst, src.cast(), t.size);
        }
    }
}
