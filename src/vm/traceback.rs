#![allow(unsafe_code)]
//! Frames as people read them: tracebacks, and the pcs that `runtime.Callers` gives out.
//!
//! # Invariants
//!
//! - T1. The goroutine does not run, or is the one that asks and has saved its registers.
//!
//! Go: runtime/traceback.go (traceback1, printcreatedby), runtime/extern.go (Callers).

use super::frame::{Frame, State, Walk, stubs};
use super::panic::op_at;
use super::synthetic::{self, Synthetic};
use crate::bytecode::func::{self, FuncInfo, Logical};
use crate::bytecode::op::Op;
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
        let creator = &info.name;
        let _ = writeln!(out, "created by {creator} in goroutine {}", g.parent_goid.0);
        let _ = writeln!(out, "\t{}:{} +{off:#x}", p.file, p.line);
    }
}

/// A frame to show.
struct Shown {
    frame: Frame,
    /// What of it; `None`: the pseudo frame of a panic.
    part: Option<Logical<'static>>,
}

/// The frames to show, those of calls compiled in place among them.
unsafe fn frames(g: &G, level: i32) -> Vec<Shown> {
    // SAFETY: T1.
    let panics = unsafe { State::get(g) }.map_or(&[][..], |s| &s.panics);
    // Also that of a panic whose value is being printed: a method has been called on top of it.
    let is_panic =
        |f: &Frame| f.pc == stubs().defer || panics.iter().any(|p| g.stack_lo + p.at == f.fp);
    let mut above: Option<Frame> = None;
    // SAFETY: T1.
    let walk = unsafe { Walk::new(g) };
    // The pseudo frame of the panic that kills the process is not shown; those below it are.
    walk.enumerate()
        .filter(|(k, f)| {
            let above = above.replace(*f);
            match f.info {
                None => false,
                Some(_) if is_panic(f) => *k > 0 || level >= 2,
                Some(info) if info.is_stub() => false,
                Some(info) if info.is_wrapper() => {
                    // It shows when it panics itself, the library's own left aside.
                    let panics = || above.is_some_and(|a| calls_panic(g, &a, f));
                    level >= 2 || info.flags & func::STD == 0 && panics()
                }
                Some(_) => true,
            }
        })
        .flat_map(|(_, f)| {
            let info = f.info.filter(|_| !is_panic(&f));
            let parts = info.into_iter().flat_map(move |i| i.logical(f.at()));
            let whole = info.is_none().then_some(Shown {
                frame: f,
                part: None,
            });
            whole.into_iter().chain(parts.map(move |p| Shown {
                frame: f,
                part: Some(p),
            }))
        })
        .collect()
}

/// Is it the pseudo frame of a panic that the function below it has called for, or been given by the machine, rather than the runtime or
/// the library on its behalf? Go: runtime/traceback.go, elideWrapperCalling.
fn calls_panic(g: &G, pseudo: &Frame, below: &Frame) -> bool {
    if op_at(below.at() & !7) == Some(Op::CallNative) {
        return false;
    }
    // SAFETY: T1.
    let panics = unsafe { State::get(g) }.map_or(&[][..], |s| &s.panics);
    panics
        .iter()
        .find(|p| g.stack_lo + p.at == pseudo.fp)
        .is_some_and(|p| p.raised_by.last().is_none_or(|s| *s == Synthetic::Sigpanic))
}

fn write_frame(f: &Shown, out: &mut dyn Write) {
    let Shown { frame, part } = f;
    let (Some(info), Some(part)) = (frame.info, part) else {
        // SAFETY: the pseudo frame of a panic holds the two words of its value.
        let [t, v] = unsafe { *(frame.fp as *const [u64; 2]) };
        // Where deferred calls are made, or values printed.
        let (line, off) = if frame.pc == stubs().defer {
            (859, 0x13a)
        } else {
            (876, 0x192)
        };
        let _ = writeln!(
            out,
            "panic({{{t:#x}?, {v:#x}?}})\n\t/usr/local/go/src/runtime/panic.go:{line} +{off:#x}"
        );
        return;
    };
    let p = position(info, part.pc);
    let args = if part.has_params { "..." } else { "" };
    let _ = write!(out, "{}({args})\n\t{}:{}", part.name, p.file, p.line);
    // As Go does it, only frames with a place on the stack show how far their function has come.
    let _ = if part.is_inlined {
        writeln!(out)
    } else {
        writeln!(out, " +{:#x}", offset(info, frame.pc))
    };
}

fn offset(info: &FuncInfo, pc: usize) -> usize {
    pc - info.start
}

/// The position of the instruction that `pc` lies in.
pub(super) fn position(info: &FuncInfo, pc: usize) -> Position {
    if info.flags & func::AUTOGENERATED != 0 {
        return Position {
            file: "<autogenerated>".into(),
            line: 1,
            column: 0,
        };
    }
    let pos = info.pos_at(pc);
    let pos = if pos.is_known() { pos } else { info.pos };
    source::map().runtime_position(pos)
}

/// The pcs of at most `max` frames of `g`, the innermost first, wrappers left out and `skip` of them passed over: each is an address
/// inside a call, one byte behind where its position is looked up. Calls compiled in place count as frames, and so do those that Go's
/// runtime would have: the first is `runtime.Callers` itself.
///
/// # Safety
/// T1.
pub(super) unsafe fn callers(g: &G, skip: usize, max: usize) -> Vec<u64> {
    let first = [synthetic::at(Synthetic::Callers)];
    // SAFETY: T1.
    let walk = unsafe { Walk::new(g) };
    let frames = walk.flat_map(|f| {
        let of_runtime = if f.pc == stubs().defer {
            panic_frames(g, &f)
        } else {
            Vec::new()
        };
        let own = f.info.filter(|i| !i.is_wrapper() && !i.is_stub());
        let logical = own.into_iter().flat_map(move |i| i.logical(f.at()));
        let logical = logical.map(|l| l.pc & !7);
        of_runtime.into_iter().chain(logical)
    });
    let is_main = (g.goid.0 == 1).then(|| synthetic::at(Synthetic::Main));
    let last = is_main
        .into_iter()
        .chain([synthetic::at(Synthetic::GoexitStub)]);
    first
        .into_iter()
        .chain(frames)
        .chain(last)
        .skip(skip)
        .take(max)
        .map(|pc| pc as u64 + 1)
        .collect()
}

/// What Go's runtime has on the stack where we have the pseudo frame `f` of a panic or Goexit.
fn panic_frames(g: &G, f: &Frame) -> Vec<usize> {
    // SAFETY: T1.
    let panics = unsafe { State::get(g) }.map_or(&[][..], |s| &s.panics);
    let Some(p) = panics.iter().find(|p| g.stack_lo + p.at == f.fp) else {
        return Vec::new();
    };
    if p.is_goexit {
        return vec![synthetic::at(Synthetic::Goexit)];
    }
    let frames = [Synthetic::Gopanic].iter().chain(p.raised_by);
    frames.map(|s| synthetic::at(*s)).collect()
}
