#![allow(unsafe_code)]
//! Frames as people read them: tracebacks, and the pcs that `runtime.Callers` gives out.
//!
//! # Invariants
//!
//! - T1. The goroutine does not run, or is the one that asks and has saved its registers.
//!
//! Go: runtime/traceback.go (traceback1, printcreatedby), runtime/extern.go (Callers).

use super::frame::{Frame, Walk, stubs};
use crate::bytecode::func::{self, FuncInfo};
use crate::source::{self, Position};
use gosched_runtime::g::G;
use std::fmt::Write;

/// Frames printed at either end; the others are elided.
const ENDS: usize = 50;

/// Writes the frames of `g` and who created it. At level 2 and above the runtime's own frames are shown.
///
/// # Safety
/// T1.
pub(super) unsafe fn write(g: &G, out: &mut dyn Write, level: i32) {
    // SAFETY: T1.
    let lines = unsafe { frames(g, level) };
    let n = lines.len();
    for (k, f) in lines.into_iter().enumerate() {
        if n > 2 * ENDS && k == ENDS {
            let _ = writeln!(out, "...{} frames elided...", n - 2 * ENDS);
        }
        if n <= 2 * ENDS || k < ENDS || k >= n - ENDS {
            write_frame(&f, out);
        }
    }
    if g.gopc != 0
        && let Some(info) = func::find(g.gopc)
    {
        let p = position(info, g.gopc);
        let off = offset(info, g.gopc);
        let creator = innermost_user(info);
        let _ = writeln!(out, "created by {creator} in goroutine {}", g.parent_goid.0);
        let _ = writeln!(out, "\t{}:{} +{off:#x}", p.file, p.line);
    }
}

fn innermost_user(info: &FuncInfo) -> &str {
    &info.name
}

/// The frames to show.
unsafe fn frames(g: &G, level: i32) -> Vec<Frame> {
    let is_panic = |f: &Frame| f.pc == stubs().defer;
    // SAFETY: T1.
    let walk = unsafe { Walk::new(g) };
    // The pseudo frame of the panic that kills the process is not shown; those below it are.
    walk.enumerate()
        .filter(|(k, f)| match f.info {
            None => false,
            Some(_) if is_panic(f) => *k > 0 || level >= 2,
            Some(info) => !info.is_wrapper() && !info.is_stub() || level >= 2 && !info.is_stub(),
        })
        .map(|(_, f)| f)
        .collect()
}

fn write_frame(f: &Frame, out: &mut dyn Write) {
    let Some(info) = f.info else { return };
    if f.pc == stubs().defer {
        // SAFETY: the pseudo frame of a panic holds the two words of its value.
        let [t, v] = unsafe { *(f.fp as *const [u64; 2]) };
        let _ = writeln!(
            out,
            "panic({{{t:#x}?, {v:#x}?}})\n\t/usr/local/go/src/runtime/panic.go:859 +0x13a"
        );
        return;
    }
    let p = position(info, f.at());
    let args = if info.n_params == 0 { "" } else { "..." };
    let off = offset(info, f.pc);
    let _ = writeln!(
        out,
        "{}({args})\n\t{}:{} +{off:#x}",
        info.name, p.file, p.line
    );
}

fn offset(info: &FuncInfo, pc: usize) -> usize {
    pc - info.start
}

/// The position of the instruction that `pc` lies in.
pub(super) fn position(info: &FuncInfo, pc: usize) -> Position {
    let pos = info.pos_at(pc);
    let pos = if pos.is_known() { pos } else { info.pos };
    source::map().runtime_position(pos)
}

/// The pcs of at most `max` frames of `g`, the innermost first, wrappers left out and `skip` of them passed over: each is the address
/// after a call.
///
/// # Safety
/// T1.
pub(super) unsafe fn callers(g: &G, skip: usize, max: usize) -> Vec<u64> {
    // SAFETY: T1.
    unsafe { Walk::new(g) }
        .filter(|f| f.info.is_some_and(|i| !i.is_wrapper() && !i.is_stub()))
        .skip(skip)
        .take(max)
        .map(|f| f.at() as u64 + 1)
        .collect()
}
