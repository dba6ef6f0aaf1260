#![allow(unsafe_code)]
//! `gosched`: hands the arguments to [`gosched::cli`].
//!
//! # Invariants
//!
//! - A1. A request that is not for the front end's arena goes to the system's allocator as it came, and what that answers goes back.
//! - A2. A block goes back where it came from: the arena knows its own by their addresses.

use gosched::arena;
use std::alloc::{GlobalAlloc, Layout, System};

/// The arena for the front end and the system's allocator for all else; when memory is used up the process ends as a Go program does, rather than by SIGABRT.
struct OrDie;

#[global_allocator]
static ALLOCATOR: OrDie = OrDie;

fn checked(p: *mut u8) -> *mut u8 {
    if p.is_null() {
        let text = "fatal error: runtime: out of memory\n";
        // SAFETY: writes a constant text, and leaves without running anything that may want memory.
        unsafe {
            libc::write(2, text.as_ptr().cast(), text.len());
            libc::_exit(2);
        }
    }
    p
}

// SAFETY: A1, A2.
unsafe impl GlobalAlloc for OrDie {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match arena::alloc(layout) {
            Some(p) => p.as_ptr(),
            // SAFETY: the caller's.
            None => checked(unsafe { System.alloc(layout) }),
        }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        match arena::alloc(layout) {
            Some(p) => {
                // SAFETY: the block is that long.
                unsafe { p.write_bytes(0, layout.size()) };
                p.as_ptr()
            }
            // SAFETY: the caller's.
            None => checked(unsafe { System.alloc_zeroed(layout) }),
        }
    }
    unsafe fn realloc(&self, p: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's.
        match unsafe { arena::resize(p, layout, size) } {
            Some(true) => p,
            // SAFETY: the caller's; both blocks are as long as what is copied.
            Some(false) => unsafe {
                let new = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
                new.copy_from_nonoverlapping(p, layout.size().min(size));
                self.dealloc(p, layout);
                new
            },
            // SAFETY: the caller's.
            None => checked(unsafe { System.realloc(p, layout, size) }),
        }
    }
    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        // SAFETY: the caller's.
        unsafe {
            if !arena::dealloc(p, layout) {
                System.dealloc(p, layout);
            }
        }
    }
}

fn main() -> ! {
    gosched::cli::main()
}
