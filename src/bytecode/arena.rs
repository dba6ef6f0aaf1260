#![allow(unsafe_code)]
//! Where compiled code, function tables, globals and constants lie.
//!
//! Regions of address space are reserved once per process and filled from the bottom; nothing in
//! them ever moves or is given back, so an address in them is good for ever: a pc is an address in
//! [`CODE`], instructions hold addresses of [`GLOBALS`] and [`CONSTS`], and the function table is
//! at a fixed place.
//!
//! # Invariants
//!
//! - N1. `[base, base + bytes)` is mapped from the first use on, for the life of the process, as
//!   are the pieces beside it; what has been given out is readable, writable, and was zero when it
//!   was.
//! - N2. `len` only grows, under `open`'s lock; each piece given out belongs to the caller alone.
//!
//! Go: the segments text, data, bss and rodata of a binary; runtime/symtab.go.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

/// A reserved region, filled from the bottom.
pub struct Arena {
    /// Bytes wanted.
    wanted: usize,
    /// Where it is wanted.
    place: usize,
    /// Its address, and the bytes that could be had.
    region: OnceLock<(usize, usize)>,
    len: AtomicUsize,
    /// Bytes made accessible; grows in steps of [`STEP`].
    open: Mutex<usize>,
    /// Mappings of their own, of pieces for which the region has no room: address and end.
    beside: Mutex<Vec<(usize, usize)>>,
}

/// The address space is made accessible in steps,
/// so that reserving it does not count against memory limits.
const STEP: usize = 1 << 20;

/// Instructions.
pub static CODE: Arena = Arena::new(1 << 30, 0xa0_0000_0000);
/// Package-level variables.
pub static GLOBALS: Arena = Arena::new(4 << 30, 0xa1_0000_0000);
/// String constants, static closures, literal data, itabs:
/// never written after they are made, no pointers to the heap.
pub static CONSTS: Arena = Arena::new(2 << 30, 0xa4_0000_0000);
/// Descriptions of types and what else is made as it is wanted, and may be printed by its address.
static LASTING: Arena = Arena::new(1 << 30, 0xab_0000_0000);

/// Puts a value where it stays for ever: in the same order of such calls, at the same address.
pub fn lasting<T>(value: T) -> &'static mut T {
    match LASTING.alloc(size_of::<T>(), align_of::<T>()) {
        // SAFETY: N2 — the piece is ours, and as large and aligned as it must be.
        Some(at) => unsafe {
            (at as *mut T).write(value);
            &mut *(at as *mut T)
        },
        None => Box::leak(Box::new(value)),
    }
}

/// The function table ([`super::func::FuncEntry`]).
pub static FUNCS: Arena = Arena::new(64 << 20, 0xa8_0000_0000);
/// The table of code ranges, in order of address ([`super::func`]).
pub(super) static RANGES: Arena = Arena::new(64 << 20, 0xa9_0000_0000);

/// What one region may take where address space is limited (`ulimit -v`):
/// the heap and the stacks need some too.
fn share() -> Option<usize> {
    let mut limit = libc::rlimit {
        rlim_cur: libc::RLIM_INFINITY,
        rlim_max: libc::RLIM_INFINITY,
    };
    // SAFETY: the kernel writes to `limit`, which lives over the call.
    unsafe { libc::getrlimit(libc::RLIMIT_AS, &raw mut limit) };
    let is_limited = limit.rlim_cur != libc::RLIM_INFINITY;
    is_limited.then_some(limit.rlim_cur as usize / 24)
}

impl Arena {
    /// An arena for which so many bytes of address space are reserved at its first use: at address
    /// `place`, unless something else is there. Programs that print such addresses then print the
    /// same in each run.
    pub const fn new(wanted: usize, place: usize) -> Arena {
        Arena {
            wanted,
            place,
            region: OnceLock::new(),
            len: AtomicUsize::new(0),
            open: Mutex::new(0),
            beside: Mutex::new(Vec::new()),
        }
    }

    /// All that may ever be in it: an address, and how many bytes.
    pub fn whole(&self) -> (usize, usize) {
        self.region()
    }

    /// Addresses between which all lies that has been given out, and maybe more.
    pub fn extent(&self) -> std::ops::Range<usize> {
        let base = self.base();
        let beside = self.beside.lock().unwrap_or_else(|e| e.into_inner());
        beside
            .iter()
            .fold(base..base + self.len(), |all, (lo, hi)| {
                all.start.min(*lo)..all.end.max(*hi)
            })
    }

    /// The address of its first byte.
    pub fn base(&self) -> usize {
        self.region().0
    }

    fn region(&self) -> (usize, usize) {
        *self.region.get_or_init(|| {
            let bytes = match share() {
                Some(share) => self.wanted.min(share.next_multiple_of(STEP)),
                None => self.wanted,
            };
            // SAFETY: N1 — a fresh private anonymous mapping touches nothing that exists.
            let p = unsafe {
                libc::mmap(
                    std::ptr::with_exposed_provenance_mut(self.place),
                    bytes,
                    libc::PROT_NONE,
                    libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                    -1,
                    0,
                )
            };
            if p == libc::MAP_FAILED {
                eprintln!(
                    "fatal error: out of memory: cannot reserve {} MB of address space",
                    bytes >> 20
                );
                std::process::exit(2);
            }
            (p as usize, bytes)
        })
    }

    /// Bytes given out so far.
    pub fn len(&self) -> usize {
        self.len.load(Ordering::Acquire)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Does `addr` lie in what has been given out?
    pub fn contains(&self, addr: usize) -> bool {
        if addr.wrapping_sub(self.base()) < self.len() {
            return true;
        }
        let beside = self.beside.lock().unwrap_or_else(|e| e.into_inner());
        beside.iter().any(|(lo, hi)| (*lo..*hi).contains(&addr))
    }

    /// As [`alloc`](Self::alloc), in a mapping of its own where the region is full;
    /// `None` when memory is.
    pub(crate) fn alloc_anywhere(&self, size: usize, align: usize) -> Option<usize> {
        if let Some(at) = self.alloc(size, align) {
            return Some(at);
        }
        // SAFETY: N1 — a fresh private anonymous mapping touches nothing that exists.
        let p = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                size,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if p == libc::MAP_FAILED {
            return None;
        }
        let mut beside = self.beside.lock().unwrap_or_else(|e| e.into_inner());
        beside.push((p as usize, p as usize + size));
        Some(p as usize)
    }

    /// `size` zeroed bytes, aligned to `align` (a power of two), or `None` when the region is full.
    pub fn alloc(&self, size: usize, align: usize) -> Option<usize> {
        let (base, reserve) = self.region();
        // Made accessible before the new length is stored: a thread that sees it may read up to it.
        let mut open = self.open.lock().unwrap_or_else(|e| e.into_inner());
        let len = self.len.load(Ordering::Relaxed);
        let start = len.checked_add(align - 1)? & !(align - 1);
        let end = start.checked_add(size)?;
        if end > reserve {
            return None;
        }
        if end > *open {
            let to = end.next_multiple_of(STEP).min(reserve);
            // SAFETY: N1 — the range lies in our own mapping, and `alloc` has given out none of it.
            let failed = unsafe {
                libc::mprotect(
                    (base + *open) as *mut libc::c_void,
                    to - *open,
                    libc::PROT_READ | libc::PROT_WRITE,
                )
            };
            if failed != 0 {
                return None;
            }
            *open = to;
        }
        // Release: pairs with the Acquire in `len`.
        self.len.store(end, Ordering::Release);
        Some(base + start)
    }

    /// Copies `bytes` in.
    pub fn put(&self, bytes: &[u8], align: usize) -> Option<usize> {
        let at = self.alloc(bytes.len(), align)?;
        // SAFETY: N2 — the piece is ours and as long as `bytes`.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), at as *mut u8, bytes.len()) };
        Some(at)
    }

    /// Copies `words` in.
    pub fn put_words(&self, words: &[u64]) -> Option<usize> {
        let at = self.alloc(words.len() * 8, 8)?;
        // SAFETY: N2 — the piece is ours, aligned to 8, and as long as `words`.
        unsafe { std::ptr::copy_nonoverlapping(words.as_ptr(), at as *mut u64, words.len()) };
        Some(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_aligned_and_apart() {
        static A: Arena = Arena::new(1 << 16, 0);
        let x = A.put(b"abc", 1).unwrap();
        let y = A.put_words(&[7]).unwrap();
        assert_eq!(x, A.base());
        assert_eq!(y, A.base() + 8);
        assert!(A.contains(y + 7) && !A.contains(y + 8));
        assert_eq!(A.alloc(1 << 16, 1), None);
        let big = A.alloc_anywhere(1 << 17, 16).unwrap();
        assert!(A.contains(big + (1 << 17) - 1));
        assert_eq!(A.alloc_anywhere(1 << 60, 16), None);
    }
}
