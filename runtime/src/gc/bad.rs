//! Bad pointers: what `unsafe` has made and neither the marker nor a stack that moves can take.
//!
//! A word that a map calls a pointer is nil, points to something outside the heap, or into an
//! object that lives. One that points to pages of the heap that belong to no span, or behind the
//! last object of a span, shows that a pointer was hidden from the collector, so the program ends.
//! As in Go the check is a net with holes: memory that is in use again goes unnoticed, and so does
//! most of what the heap has never given out. `GODEBUG=invalidptr=0` passes over such pointers.
//!
//! One to an object that is free among others that live is marked like any other; the sweeper,
//! which sees what is marked but not allocated, ends the program.
//!
//! # Invariants
//!
//! - B1. The function that reports owns what it shows: the marker has stopped the world, and a span
//!   that is swept belongs to its sweeper.
//!
//! Go: runtime/mbitmap.go, findObject and badPointer; runtime/mgcmark.go, gcDumpObject;
//! runtime/mgcsweep.go, reportZombies; runtime/stack.go, adjustpointers.
#![allow(unsafe_code)]

use crate::engine::Engine;
use crate::g::G;
use crate::heap::{FREE, Found, Heap, PAGE_SHIFT, alloc_word, find, mark_word, state};
use crate::knobs::{Knob, get};
use crate::panic::print;
use crate::sync::{AtomicU64, Ordering};
use std::fmt::Write;

/// Words of an object that are shown from its beginning on.
const FIRST_WORDS: usize = 128;
/// Words that are shown on either side of the bad one.
const NEAR_WORDS: usize = 16;
/// Bytes that are shown of a free object.
const DUMP_BYTES: usize = 1024;

fn is_checked() -> bool {
    get(Knob::InvalidPtr) >= 0 && !crate::fault!(PassBadPointers)
}

/// What lies where a word points to: the run of pages and what it is used for.
struct Run {
    base: usize,
    limit: usize,
    state: u8,
    class: u8,
    elem_size: usize,
}

impl Run {
    /// The run that has, or had last, the page of `addr`; `None` outside the heap and in the middle
    /// of what it has never given out.
    fn of(heap: &Heap, addr: usize) -> Option<Run> {
        let arena = &heap.arena;
        let off = addr.wrapping_sub(arena.base());
        if off >= arena.used() {
            return None;
        }
        let page = arena.map(off >> PAGE_SHIFT).load(Ordering::Relaxed);
        if page == 0 {
            return None;
        }
        let first = page & !FREE;
        // SAFETY: B1, and arena::A1 — headers are readable.
        let s = unsafe { &*arena.span(first) };
        let state = if page & FREE != 0 {
            state::FREE
        } else {
            s.state.load(Ordering::Relaxed)
        };
        let (class, elem_size, bytes) = if state == state::IN_USE {
            (s.class, s.elem_size, s.nelems as usize * s.elem_size)
        } else {
            (0, 0, (s.npages as usize) << PAGE_SHIFT)
        };
        let base = arena.address(first as usize);
        Some(Run {
            base,
            limit: base + bytes,
            state,
            class,
            elem_size,
        })
    }

    /// Its state by Go's number and name (mspan.state).
    fn state(&self) -> (u8, &'static str) {
        match self.state {
            state::IN_USE => (1, "mSpanInUse"),
            state::MANUAL => (2, "mSpanManual"),
            _ => (0, "mSpanDead"),
        }
    }
}

/// Dies because of `word`, by its type a pointer and into no object, if that can be known for
/// certain. `at` is where it was found, or null.
///
/// Context: a marker, the world stopped.
#[cold]
#[inline(never)]
pub(super) fn check(heap: &Heap, word: usize, at: *const usize) {
    let Some(run) = Run::of(heap, word) else {
        return;
    };
    if !is_checked() || run.state == state::MANUAL {
        return;
    }
    let what = match run.state {
        state::IN_USE => "unused region of",
        _ => "unallocated",
    };
    let mut text = format!(
        "runtime: pointer {word:#x} to {what} span \
         span.base()={:#x} span.limit={:#x} span.state={}\n",
        run.base,
        run.limit,
        run.state().0
    );
    if !at.is_null() {
        describe(heap, at as usize, &mut text);
    }
    print(format_args!("{text}"));
    crate::throw!("found bad pointer in Go heap (incorrect use of unsafe or cgo?)");
}

/// Describes what holds the word at `at`: an object of the heap with its words, a stack, or a
/// variable.
fn describe(heap: &Heap, at: usize, out: &mut String) {
    let found = find(&heap.arena, at);
    let base = found.as_ref().map_or(at, |f: &Found| f.base);
    let bad = at - base;
    // Writing to a String cannot fail.
    let _ = writeln!(out, "runtime: found in object at *({base:#x}+{bad:#x})");
    let Some(run) = Run::of(heap, at) else {
        let _ = writeln!(out, "object={base:#x} s=nil");
        return;
    };
    let _ = writeln!(
        out,
        "object={base:#x} s.base()={:#x} s.limit={:#x} s.spanclass={} s.elemsize={} s.state={}",
        run.base,
        run.limit,
        run.class,
        run.elem_size,
        run.state().1
    );
    let words = if found.is_some() {
        run.elem_size / 8
    } else {
        bad / 8 + 1
    };
    let mut is_skipping = false;
    for k in 0..words {
        if k >= FIRST_WORDS && k.abs_diff(bad / 8) >= NEAR_WORDS {
            is_skipping = true;
            continue;
        }
        if std::mem::take(&mut is_skipping) {
            out.push_str(" ...\n");
        }
        // SAFETY: B1 — a word of an object, or the one that the marker has read.
        let word = unsafe { *((base + 8 * k) as *const usize) };
        let arrow = if 8 * k == bad { " <==" } else { "" };
        let _ = writeln!(out, " *(object+{}) = {word:#x}{arrow}", 8 * k);
    }
    if is_skipping {
        out.push_str(" ...\n");
    }
}

/// Dies because of free objects of a span that are marked: shows all its objects, and what those
/// hold.
///
/// Context: the sweeper, before it changes the span.
#[cold]
#[inline(never)]
pub(super) fn report_free_objects(heap: &Heap, page: u32) -> ! {
    let s = heap.arena.span(page);
    let bits = heap.arena.bits(page);
    // SAFETY: B1.
    unsafe {
        let (size, n) = ((*s).elem_size, (*s).nelems as usize);
        let is_set = |word: &AtomicU64, i: usize| word.load(Ordering::Relaxed) >> (i % 64) & 1 == 1;
        let is_allocated = |i: usize| is_set(alloc_word(bits, i / 64), i);
        let first_free = (0..n).find(|i| !is_allocated(*i)).unwrap_or(n);
        let mut text = format!(
            "runtime: marked free object in span {:#x}, elemsize={size} freeindex={first_free} \
             (bad use of unsafe.Pointer or having race conditions? try -d=checkptr or -race)\n",
            heap.arena.address(page as usize)
        );
        for i in 0..n {
            let addr = heap.arena.address(page as usize) + i * size;
            let words = match (is_allocated(i), is_set(mark_word(bits, i / 64), i)) {
                (true, true) => "alloc marked  ",
                (true, false) => "alloc unmarked",
                (false, true) => "free  marked   zombie",
                (false, false) => "free  unmarked",
            };
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{addr:#x} {words}");
            if words.ends_with("zombie") {
                dump(addr, size.min(DUMP_BYTES), &mut text);
            }
        }
        print(format_args!("{text}"));
    }
    crate::throw!("found pointer to free object");
}

/// Writes `n` bytes from `addr` on, two words a line, as numbers and as text.
///
/// # Safety
///
/// They are readable; `addr` and `n` are multiples of 8.
unsafe fn dump(addr: usize, n: usize, out: &mut String) {
    out.push_str("                   7 6 5 4  3 2 1 0   f e d c  b a 9 8  0123456789abcdef\n");
    for line in (addr..addr + n).step_by(16) {
        let _ = write!(out, "{line:016x}:");
        let mut chars = String::new();
        for at in [line, line + 8] {
            if at >= addr + n {
                out.push_str("                   ");
                continue;
            }
            // SAFETY: by contract.
            let word = unsafe { *(at as *const u64) };
            let _ = write!(out, " {:08x} {:08x} ", word >> 32, word as u32);
            chars.extend(word.to_le_bytes().map(|b| match b {
                b' '..=b'~' => char::from(b),
                _ => '.',
            }));
        }
        let _ = writeln!(out, " {chars}");
    }
}

/// Dies if a live pointer slot of `g`'s frames holds a small number. Those are no addresses, and
/// following one is a nil dereference; but in a stack that moves they tell that something is wrong.
///
/// Context: g0; `g` does not run, and its stack is about to move.
pub(crate) fn check_stack(engine: &dyn Engine, g: &G) {
    if !is_checked() {
        return;
    }
    if let Some((func, at, word)) = engine.bad_pointer(g) {
        print(format_args!(
            "runtime: bad pointer in frame {func} at {at:#x}: {word:#x}\n"
        ));
        crate::throw!("invalid pointer found on stack");
    }
}
