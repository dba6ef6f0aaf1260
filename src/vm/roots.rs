#![allow(unsafe_code)]
//! What the collector sees of the VM: frames, globals, deferred calls and panics.
//!
//! Frames are walked precisely: each slot has one kind throughout its function, and of those with
//! pointers the ones count that are live where the frame stands ([`FuncInfo::live_at`]). At the
//! prologue only parameters and closure word hold values. A frame that has panicked goes on at its
//! `defer_return` or nowhere. Windows of natives, whose words have no map, are given as ranges of
//! words that may be pointers; so is the innermost frame of a goroutine that was stopped in the
//! middle of an instruction.
//!
//! # Invariants
//!
//! - W1. The goroutine does not run while its frames
//!   are walked (the collector has stopped the world).
//!
//! Go: runtime/mgcmark.go (scanstack, scanframeworker).

use super::call::native_at;
use super::frame::{Frame, HEADER, State, Walk, Words, stubs};
use super::native::table;
use bytecode::func::{FuncInfo, Word};
use bytecode::op::Op;
use gosched_runtime::RootVisitor;
use gosched_runtime::g::G;
use gosched_runtime::signal::NIL_PAGE;
use std::ops::Range;
use std::ptr;
use std::sync::Mutex;

/// Words that the library keeps outside of goroutines. Written by [`keep`].
static KEPT: Mutex<Vec<usize>> = Mutex::new(Vec::new());

/// From now on the objects that `words` name are kept, and no others on the library's behalf.
pub fn keep(words: Vec<usize>) {
    *KEPT.lock().unwrap_or_else(|e| e.into_inner()) = words;
}

/// Gives `v` what the library keeps.
pub(super) fn scan_kept(v: &mut dyn RootVisitor) {
    let kept = KEPT.lock().unwrap_or_else(|e| e.into_inner());
    kept.iter().for_each(|word| v.word(*word));
}

/// Gives `v` the roots of `g`.
///
/// # Safety
/// W1.
pub(super) unsafe fn scan_stack(g: &G, v: &mut dyn RootVisitor) {
    // SAFETY: W1.
    unsafe {
        if g.stack_lo != 0 && g.sched.fp != 0 {
            let mut inner = None;
            for f in Walk::new(g) {
                if inner.is_none() && gosched_runtime::fault!(SkipInnermostFrame) {
                    inner = Some(f);
                    continue;
                }
                scan_frame(&f, inner, v);
                if inner.is_none()
                    && !g.coro.is_null()
                    && let Some(info) = f.info
                {
                    // Stopped in the middle of an instruction: its operands, and its outgoing
                    // window which no map knows, may hold values.
                    let end = (f.fp + 8 * info.frame_max as usize).min(g.stack_hi);
                    v.range(f.fp as *const usize, (end - f.fp) / 8);
                }
                inner = Some(f);
            }
        }
        if let Some(state) = State::get(g) {
            for d in &state.defers {
                v.word(d.func);
            }
            for p in &state.panics {
                v.word(p.value[1] as usize);
                v.word(p.text.map_or(0, |t| t.as_ptr() as usize));
            }
        }
        for word in (*Words::at(ptr::from_ref(g).cast_mut())).kept {
            v.word(word);
        }
    }
}

/// Scans one frame; `inner` is the frame above it.
unsafe fn scan_frame(f: &Frame, inner: Option<Frame>, v: &mut dyn RootVisitor) {
    let slot = |k: usize| (f.fp + 8 * k) as *const usize;
    // SAFETY: W1; slots of a function's map lie in its frame.
    unsafe {
        let stub = stubs();
        if f.pc == stub.native {
            // A native that has called back: everything up to the callback's header.
            if let Some(inner) = inner {
                v.range(slot(0), (inner.fp - HEADER - f.fp) / 8);
            }
            return;
        }
        if f.pc == stub.defer {
            // The value of a panic.
            v.range(slot(0), 2);
            return;
        }
        let Some(info) = f.info else { return };
        let valued = slots_with_values(f, info);
        match live_slots(f, info, inner) {
            Some(live) => {
                let live = live.iter().map(|k| usize::from(*k));
                for k in live.filter(|k| valued.contains(k)) {
                    match info.slots[k] {
                        Word::Pointer => v.pointer(slot(k)),
                        _ => v.word(*slot(k)),
                    }
                }
            }
            // What is dead may have been freed, and be a stack by now.
            None => {
                for k in valued {
                    if info.slots[k] != Word::Scalar {
                        v.range(slot(k), 1);
                    }
                }
            }
        }
        if f.is_top
            && let Some(i) = native_at(f.pc)
        {
            let n = table::get(i.native).map_or(0, |n| n.slots());
            v.range(slot(i.win as usize), n);
        }
    }
}

/// The slots of a frame that hold values: at the prologue parameters and closure word; results are
/// what others have left there.
fn slots_with_values(f: &Frame, info: &FuncInfo) -> Range<usize> {
    if f.is_top && is_at_prologue(f.pc) {
        info.n_results.into()..info.slots.len().min(info.closure_slot as usize + 1)
    } else {
        0..info.slots.len()
    }
}

/// A small number in a live pointer slot of `g`'s frames:
/// the function, the slot's address and the number.
/// Go: runtime/stack.go, adjustpointers.
///
/// # Safety
/// W1.
pub(super) unsafe fn bad_pointer(g: &G) -> Option<(&'static str, usize, usize)> {
    let mut inner = None;
    // SAFETY: W1; slots of a function's map lie in its frame.
    unsafe {
        for f in Walk::new(g) {
            if let Some(info) = f.info {
                for k in slots_with_values(&f, info) {
                    let at = f.fp + 8 * k;
                    // Numbers first: there are few, and only for them a map is worth making.
                    if info.slots[k] == Word::Pointer
                        && (1..NIL_PAGE).contains(&*(at as *const usize))
                        && live_slots(&f, info, inner).is_some_and(|l| l.contains(&(k as u16)))
                    {
                        return Some((&info.name, at, *(at as *const usize)));
                    }
                }
            }
            inner = Some(f);
        }
    }
    None
}

/// The slots of a frame that the collector must follow; `None`: all that hold pointers.
fn live_slots(f: &Frame, info: &'static FuncInfo, inner: Option<Frame>) -> Option<&'static [u16]> {
    let has_panicked = inner.is_some_and(|i| i.pc == stubs().defer);
    if !has_panicked {
        return info.live_at(f.pc);
    }
    match info.defer_return {
        0 => Some(&[]),
        at => info.live_at(info.start + 8 * at as usize),
    }
}

/// Is the instruction at `pc` a prologue?
pub(super) fn is_at_prologue(pc: usize) -> bool {
    // SAFETY: the pc of a stopped goroutine is an instruction in the code arena.
    pc != 0 && unsafe { *(pc as *const u16) == Op::Enter as u16 }
}

/// The end of the used part of `g`'s stack.
///
/// # Safety
/// W1.
pub(super) unsafe fn stack_top(g: &G) -> usize {
    // SAFETY: W1.
    let Some(f) = (unsafe { Walk::new(g) }).next() else {
        return g.stack_lo;
    };
    let slots = match f.info {
        Some(info) if is_at_prologue(f.pc) => info.closure_slot as u32 + 1,
        Some(info) => info.frame_max.max(info.closure_slot as u32 + 1),
        None => 2,
    };
    (f.fp + 8 * slots as usize).min(g.stack_hi)
}
