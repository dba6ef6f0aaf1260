#![allow(unsafe_code)]
//! Memory of the front end: blocks of up to 64 KiB, cut from one reservation.
//!
//! A front end allocates much in small pieces, keeps most of it until the process ends, and works
//! on one thread: it needs neither locks nor headers nor memory given back. A block that is freed
//! waits in the list of its size for the next one that wants it. Pages come from the kernel
//! [`STEP`] bytes at a time, since a fault for each costs more than they do. Everything else
//! (larger blocks, other threads, the running program) goes to the system's allocator.
//!
//! # Invariants
//!
//! - M1. `State` is touched by the thread that [`enter`] let in and by no other,
//!   and no second one is let in before it has left.
//! - M2. What lies between `START` and `END` was handed out by [`alloc`] or not at all; what the
//!   block of a layout spans depends on the layout alone, so that [`dealloc`], called with the same
//!   layout, finds its list.
//! - M3. Blocks in the lists and what lies behind `next` have no other owner than `State`.

use std::alloc::Layout;
use std::cell::{Cell, UnsafeCell};
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Sizes up to [`SMALL`] are rounded up to this many bytes, and blocks begin at multiples of it.
const UNIT: usize = 16;
/// Above this many bytes sizes are rounded up to quarters of powers of two.
const SMALL: usize = 1024;
/// The largest block, in bytes.
const MAX_BLOCK: usize = 64 << 10;
const LISTS: usize = SMALL / UNIT + 4 * (MAX_BLOCK / SMALL).ilog2() as usize + 1;
/// Address space that [`enter`] reserves, in bytes; what is not touched costs nothing, and what
/// does not fit is the system's.
pub const RESERVED: usize = 8 << 30;
/// Pages come from the kernel in runs of this many bytes.
const STEP: usize = 256 << 10;

/// The reservation; both 0 before there is one, or if there is no room for one.
static START: AtomicUsize = AtomicUsize::new(0);
static END: AtomicUsize = AtomicUsize::new(0);
/// Is a thread inside?
static TAKEN: AtomicBool = AtomicBool::new(false);

thread_local! {
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// A free block: where the next one of its list is.
struct Free {
    next: Option<NonNull<Free>>,
}

struct State {
    /// What was never handed out begins here.
    next: usize,
    /// Up to here there are pages.
    ready: usize,
    /// Free blocks by size: see [`list`].
    lists: [Option<NonNull<Free>>; LISTS],
}

struct Shared(UnsafeCell<State>);

// SAFETY: M1.
unsafe impl Sync for Shared {}

static STATE: Shared = Shared(UnsafeCell::new(State {
    next: 0,
    ready: 0,
    lists: [None; LISTS],
}));

/// While it lives, its thread's small blocks come from here.
#[derive(Debug)]
pub struct Inside {
    /// Stays on its thread.
    _here: std::marker::PhantomData<*const ()>,
}

/// Lets this thread in; `None` if another one is, or there is no address space.
pub fn enter() -> Option<Inside> {
    if TAKEN.swap(true, Ordering::Acquire) {
        return None;
    }
    if START.load(Ordering::Relaxed) == 0 && !reserve() {
        TAKEN.store(false, Ordering::Release);
        return None;
    }
    INSIDE.set(true);
    Some(Inside {
        _here: std::marker::PhantomData,
    })
}

impl Drop for Inside {
    fn drop(&mut self) {
        INSIDE.set(false);
        TAKEN.store(false, Ordering::Release);
    }
}

fn reserve() -> bool {
    let prot = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: a mapping at an address of the kernel's choice touches nothing that exists.
    let at = unsafe { libc::mmap(ptr::null_mut(), RESERVED, prot, flags, -1, 0) };
    if at == libc::MAP_FAILED {
        return false;
    }
    let start = at.addr();
    // SAFETY: M1, since `enter` has just taken the place.
    let state = unsafe { &mut *STATE.0.get() };
    (state.next, state.ready) = (start, start);
    END.store(start + RESERVED, Ordering::Relaxed);
    START.store(start, Ordering::Relaxed);
    true
}

/// Does the block come from here?
#[inline]
fn is_ours(p: *mut u8) -> bool {
    let at = p.addr();
    at >= START.load(Ordering::Relaxed) && at < END.load(Ordering::Relaxed)
}

/// A quarter of the largest power of two below `size`.
#[inline]
fn quarter(size: usize) -> usize {
    1 << ((size - 1).ilog2() - 2)
}

/// The bytes that a block for `layout` spans; `None` if it is not for here.
#[inline]
fn span(layout: Layout) -> Option<usize> {
    let size = layout.size();
    if layout.align() > UNIT || size > MAX_BLOCK {
        None
    } else if size <= SMALL {
        Some(size.next_multiple_of(UNIT))
    } else {
        Some(size.next_multiple_of(quarter(size)))
    }
}

/// The number of the list for blocks that span so many bytes.
#[inline]
fn list(span: usize) -> usize {
    if span <= SMALL {
        span / UNIT
    } else {
        let doublings = ((span - 1) / SMALL).ilog2() as usize;
        SMALL / UNIT + 4 * doublings + span.div_ceil(quarter(span)) - 4
    }
}

/// A block, if this thread is inside and the layout is for here.
#[inline]
pub fn alloc(layout: Layout) -> Option<NonNull<u8>> {
    if !INSIDE.get() {
        return None;
    }
    let size = span(layout)?;
    // SAFETY: M1.
    let state = unsafe { &mut *STATE.0.get() };
    let list = &mut state.lists[list(size)];
    if let Some(block) = *list {
        // SAFETY: M3: a free block holds the link that `dealloc` left.
        *list = unsafe { block.as_ref().next };
        return Some(block.cast());
    }
    let (at, end) = (state.next, state.next + size);
    if end > state.ready && !state.extend(end) {
        return None;
    }
    state.next = end;
    NonNull::new(ptr::with_exposed_provenance_mut(at))
}

impl State {
    /// Makes pages ready up to `end` and some way on; false at the end of the reservation.
    #[cold]
    fn extend(&mut self, end: usize) -> bool {
        if end > END.load(Ordering::Relaxed) - STEP {
            return false;
        }
        let at = ptr::with_exposed_provenance_mut(self.ready);
        // SAFETY: the range lies in the reservation.
        // A kernel before 5.14 refuses; then the first access to each page faults it in.
        unsafe { libc::madvise(at, STEP, libc::MADV_POPULATE_WRITE) };
        self.ready += STEP;
        true
    }
}

/// Takes a block back if it comes from here; says whether it does. Blocks freed by others than the
/// thread inside are not used again.
///
/// # Safety
///
/// The block is live, was allocated with this layout, and is not used again.
#[inline]
pub unsafe fn dealloc(p: *mut u8, layout: Layout) -> bool {
    if !is_ours(p) {
        return false;
    }
    if let (true, Some(size), Some(block)) = (INSIDE.get(), span(layout), NonNull::new(p)) {
        // SAFETY: M1.
        let list = unsafe { &mut (*STATE.0.get()).lists[list(size)] };
        let block = block.cast::<Free>();
        // SAFETY: the block is the caller's, and no smaller than a link (M2).
        unsafe { block.write(Free { next: *list }) };
        *list = Some(block);
    }
    true
}

/// Can a block from here stay where it is when it becomes `size` bytes long?
/// `None`: it is not from here.
///
/// # Safety
///
/// The block is live and was allocated with this layout.
#[inline]
pub unsafe fn resize(p: *mut u8, layout: Layout, size: usize) -> Option<bool> {
    if !is_ours(p) {
        return None;
    }
    let old = span(layout)?;
    let new = match Layout::from_size_align(size, layout.align())
        .ok()
        .and_then(span)
    {
        Some(new) if new == old => return Some(true),
        Some(new) if INSIDE.get() => new,
        _ => return Some(false),
    };
    // SAFETY: M1.
    let state = unsafe { &mut *STATE.0.get() };
    // The last block grows in place.
    let end = p.addr() + new;
    let grows = p.addr() + old == state.next && end <= state.ready;
    if grows {
        state.next = end;
    }
    Some(grows)
}
