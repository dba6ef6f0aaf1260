#![allow(unsafe_code)]
//! `gosched`: hands the arguments to [`gosched::cli`].

use std::alloc::{GlobalAlloc, Layout, System};

/// The system's allocator; when memory is used up the process ends as a Go program does, rather
/// than by SIGABRT.
struct OrDie;

#[global_allocator]
static ALLOCATOR: OrDie = OrDie;

/// More bytes than any machine has: somebody has a length that is none.
const ABSURD: usize = 1 << 46;

fn checked(p: *mut u8, size: usize) -> *mut u8 {
    if p.is_null() {
        if size > ABSURD {
            gosched_runtime::panic::absurd_size(size);
        }
        let text = "fatal error: runtime: out of memory\n";
        // SAFETY: writes a constant text, and leaves without running anything that may want memory.
        unsafe {
            libc::write(2, text.as_ptr().cast(), text.len());
            libc::_exit(2);
        }
    }
    p
}

// SAFETY: each request goes to the system's allocator as it came, and what that answers goes back.
unsafe impl GlobalAlloc for OrDie {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's.
        checked(unsafe { System.alloc(layout) }, layout.size())
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's.
        checked(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }
    unsafe fn realloc(&self, p: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's.
        checked(unsafe { System.realloc(p, layout, size) }, size)
    }
    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        // SAFETY: the caller's.
        unsafe { System.dealloc(p, layout) }
    }
}

fn main() -> ! {
    gosched::cli::main(std::env::args_os().collect())
}
