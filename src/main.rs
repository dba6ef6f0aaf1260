#![allow(unsafe_code)]
#![no_main]
//! `gosched`: hands the arguments to [`gosched::cli`].
//!
//! It is started by C's start code rather than by std's, which reads `/proc/self/maps` for the
//! bounds of the first thread's stack and gives each thread a stack for signals: the runtime has
//! its own. What else std would do is in [`main`].
//!
//! # Invariants
//!
//! - A1. A request that is not for the front end's arena goes to the system's allocator as it came,
//!   and what that answers goes back.
//! - A2. A block goes back where it came from: the arena knows its own by their addresses.

use gosched::arena;
use std::alloc::{GlobalAlloc, Layout, System};
use std::ffi::{CStr, OsStr};
use std::os::unix::ffi::OsStrExt;

/// The arena for the front end and the system's allocator for all else; when memory is used up the
/// process ends as a Go program does, rather than by SIGABRT.
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

/// Opens the null device in the place of standard descriptors that are closed, so that no file gets
/// their numbers, and lets writes to a pipe without a reader fail.
///
/// Go: runtime/fds_unix.go, checkfds.
fn prepare() {
    // SAFETY: neither call touches memory of ours.
    unsafe {
        for fd in 0..3 {
            if libc::fcntl(fd, libc::F_GETFD) < 0 {
                // The lowest free number is `fd`.
                libc::open(c"/dev/null".as_ptr(), libc::O_RDWR);
            }
        }
        libc::signal(libc::SIGPIPE, libc::SIG_IGN);
    }
}

#[unsafe(no_mangle)]
extern "C" fn main(argc: libc::c_int, argv: *const *const libc::c_char) -> libc::c_int {
    prepare();
    let args = (0..argc as usize).map(|i| {
        // SAFETY: C's start code passes `argc` strings, which live as long as the process.
        let arg = unsafe { CStr::from_ptr(*argv.add(i)) };
        OsStr::from_bytes(arg.to_bytes()).to_owned()
    });
    gosched::cli::main(args.collect())
}
