//! The write barrier: while goroutines run beside the marker, what a store overwrites is kept.
//!
//! A mark begins with a picture of the heap: it marks what could be reached at that moment, and
//! what has been allocated since is marked from the start. A pointer that was in the picture may be
//! moved to where the marker has looked already, and be overwritten where it has not: so the
//! old word of each store is kept, and marked too. What a goroutine loads it may then put anywhere:
//! frames, new objects and other goroutines' hands need no barrier.
//!
//! # Invariants
//!
//! - B1. [`MARKING`] changes with the world stopped.
//! - B2. A word is kept before it is overwritten, and both before the next safepoint; so with the
//!   world stopped all that was overwritten is in a buffer of a P or with the marker.
//!
//! Go: runtime/mbarrier.go, mwbbuf.go. Go's barrier also keeps what is stored, for its stacks are
//! looked at while others run; snapshots: Yuasa, Real-time garbage collection (1990).
#![allow(unsafe_code)]

use super::concurrent;
use crate::heap::heap;
use crate::sync::{AtomicBool, AtomicUsize, Ordering};
use crate::tls;
use std::ops::Range;

/// The marker works beside the program. Written by the collector: B1.
static MARKING: AtomicBool = AtomicBool::new(false);
/// Where the program's variables lie. Written with it.
static GLOBALS: AtomicUsize = AtomicUsize::new(0);
static GLOBALS_BYTES: AtomicUsize = AtomicUsize::new(0);

/// Does the marker work beside the program?
#[inline(always)]
pub(crate) fn is_marking() -> bool {
    MARKING.load(Ordering::Relaxed)
}

/// Where it says so: a byte that is 0 if not.
pub fn marking_flag() -> *const u8 {
    (&raw const MARKING).cast()
}

/// Switches the barrier, for stores to the heap and to `globals`. Context: world stopped.
pub(super) fn set_marking(on: bool, globals: Range<usize>) {
    GLOBALS.store(globals.start, Ordering::Relaxed);
    GLOBALS_BYTES.store(globals.len(), Ordering::Relaxed);
    MARKING.store(on, Ordering::Relaxed);
}

/// How many words a buffer has.
const WORDS: usize = 256;

/// Words that were overwritten, of one P; it belongs to the holder of the P.
#[derive(Debug)]
pub(crate) struct Buffer {
    n: usize,
    words: [usize; WORDS],
}

impl Buffer {
    pub(crate) const fn new() -> Buffer {
        Buffer {
            n: 0,
            words: [0; WORDS],
        }
    }

    fn push(&mut self, word: usize) {
        self.words[self.n] = word;
        self.n += 1;
        if self.n == WORDS {
            self.flush();
        }
    }

    /// Gives what it has to the marker.
    pub(crate) fn flush(&mut self) {
        let n = std::mem::take(&mut self.n);
        if n != 0 && !crate::fault!(ForgetOverwritten) {
            concurrent::keep(&self.words[..n]);
        }
    }
}

/// Does `dst` lie among the globals?
fn is_global(dst: usize) -> bool {
    let within = dst.wrapping_sub(GLOBALS.load(Ordering::Relaxed));
    within < GLOBALS_BYTES.load(Ordering::Relaxed) && !crate::fault!(ForgetOverwrittenGlobals)
}

/// Keeps `bytes / 8` words from `dst` on, which are about to be overwritten.
///
/// # Safety
///
/// If `dst` is in the heap or among the globals, it is aligned and the words can be read.
#[inline(never)]
unsafe extern "sysv64" fn keep_words(dst: *const usize, bytes: usize) {
    let arena = &heap().arena;
    let (base, used) = (arena.base(), arena.used());
    // What else a program writes to was looked at while the world was stopped, or is not.
    if (dst as usize).wrapping_sub(base) >= used && !is_global(dst as usize) {
        return;
    }
    let words = match crate::fault!(ForgetOverwrittenRest) {
        true => (bytes / 8).min(1),
        false => bytes / 8,
    };
    for i in 0..words {
        // SAFETY: by contract.
        let old = unsafe { (*(dst.add(i) as *const AtomicUsize)).load(Ordering::Relaxed) };
        if old.wrapping_sub(base) < used {
            keep(old);
        }
    }
}

/// Keeps one word.
pub(crate) fn keep(word: usize) {
    let m = tls::current_m();
    // SAFETY: m::M3, p::P1 — this thread's M, and the P that it holds.
    unsafe {
        match m.is_null() || (*m).p.is_null() {
            true => concurrent::keep(&[word]),
            false => (*(*m).p).overwritten.push(word),
        }
    }
}

/// As [`keep_words`], in a way that costs the surrounding code no frame: all registers but two stay
/// as they are.
///
/// # Safety
///
/// As [`keep_words`].
#[inline(always)]
pub(crate) unsafe fn before_store(dst: *const u8, bytes: usize) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: by contract; `enter` leaves the red zone and all registers alone.
    unsafe {
        std::arch::asm!(
            "lea r11, [rip + 2f]",
            "jmp {enter}",
            "2:",
            enter = sym x86_64::enter,
            in("r10") dst,
            in("rax") bytes,
            out("r11") _,
            options(nostack),
        )
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    // SAFETY: by contract.
    unsafe {
        keep_words(dst.cast(), bytes)
    }
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
mod x86_64 {
    use super::keep_words;
    use std::arch::naked_asm;

    /// Calls [`keep_words`] with r10 and rax, and jumps to r11. Keeps all registers but that.
    #[unsafe(naked)]
    pub(super) unsafe extern "sysv64" fn enter() {
        naked_asm!(
            "lea rsp, [rsp - 128]",
            "push rbp",
            "mov rbp, rsp",
            "push rax",
            "push rcx",
            "push rdx",
            "push rsi",
            "push rdi",
            "push r8",
            "push r9",
            "push r10",
            "push r11",
            "and rsp, -16",
            "sub rsp, 256",
            "movups [rsp], xmm0",
            "movups [rsp + 16], xmm1",
            "movups [rsp + 32], xmm2",
            "movups [rsp + 48], xmm3",
            "movups [rsp + 64], xmm4",
            "movups [rsp + 80], xmm5",
            "movups [rsp + 96], xmm6",
            "movups [rsp + 112], xmm7",
            "movups [rsp + 128], xmm8",
            "movups [rsp + 144], xmm9",
            "movups [rsp + 160], xmm10",
            "movups [rsp + 176], xmm11",
            "movups [rsp + 192], xmm12",
            "movups [rsp + 208], xmm13",
            "movups [rsp + 224], xmm14",
            "movups [rsp + 240], xmm15",
            "mov rdi, r10",
            "mov rsi, rax",
            "cld",
            "call {keep}",
            "movups xmm0, [rsp]",
            "movups xmm1, [rsp + 16]",
            "movups xmm2, [rsp + 32]",
            "movups xmm3, [rsp + 48]",
            "movups xmm4, [rsp + 64]",
            "movups xmm5, [rsp + 80]",
            "movups xmm6, [rsp + 96]",
            "movups xmm7, [rsp + 112]",
            "movups xmm8, [rsp + 128]",
            "movups xmm9, [rsp + 144]",
            "movups xmm10, [rsp + 160]",
            "movups xmm11, [rsp + 176]",
            "movups xmm12, [rsp + 192]",
            "movups xmm13, [rsp + 208]",
            "movups xmm14, [rsp + 224]",
            "movups xmm15, [rsp + 240]",
            "lea rsp, [rbp - 72]",
            "pop r11",
            "pop r10",
            "pop r9",
            "pop r8",
            "pop rdi",
            "pop rsi",
            "pop rdx",
            "pop rcx",
            "pop rax",
            "pop rbp",
            "lea rsp, [rsp + 128]",
            "jmp r11",
            keep = sym keep_words,
        )
    }
}
