//! How much native stack is left: deep trees end in an error, not in a crash.
//!
//! The front end and the compiler recurse over trees that a program may nest as deeply as it likes.
//! Before each recursive step they ask [`is_low`], which compares the address of a local with a
//! limit kept per thread. A thread with a large stack announces it with [`announce`]; others are
//! taken to have the usual 2 MB.

use std::cell::Cell;

thread_local! {
    /// Lowest address that may be used; 0: not known yet.
    static LIMIT: Cell<usize> = const { Cell::new(0) };
}

/// What is kept for leaf functions, formatting and the like.
const RESERVE_BYTES: usize = 256 << 10;

#[inline(always)]
fn here() -> usize {
    let mark = 0u8;
    std::hint::black_box(&raw const mark) as usize
}

/// Says that the calling thread has `stack_bytes` of stack below this point.
/// Call it first thing in the thread.
pub fn announce(stack_bytes: usize) {
    LIMIT.set(
        here()
            .saturating_sub(stack_bytes.saturating_sub(RESERVE_BYTES))
            .max(1),
    );
}

/// The calling thread has left the stack it announced.
pub fn forget() {
    LIMIT.set(0);
}

/// Is the calling thread's native stack nearly used up?
#[inline]
pub fn is_low() -> bool {
    let limit = LIMIT.get();
    if limit == 0 {
        announce(1 << 20);
        return false;
    }
    here() < limit
}
