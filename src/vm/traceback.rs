#![allow(unsafe_code)]
//! Frames as people read them: tracebacks, and the pcs that `runtime.Callers` gives out.
//!
//! # Invariants
//!
//! - T1. The goroutine does not run, or is the one that asks and has saved its registers.
//!
//! Go: runtime/traceback.go (traceback1, printcreatedby), runtime/extern.go (Callers).

use super::call::native_at;
use super::frame::{Frame, State, Walk, stubs};
use super::native::InTraceback;
use super::native::table::{self, Placed};
use super::panic::op_at;
use super::synthetic::{self, Synthetic};
use bytecode::func::{self, FuncInfo, Logical};
use bytecode::op::{Op, insn};
use gosched_runtime::g::G;
use gosched_runtime::tls;
use source::{self, Position};
use std::collections::VecDeque;
use std::fmt::Write;
use std::ptr;

/// Frames printed at either end; the others are elided.
const ENDS: usize = 50;

/// Writes the frames of `g` and which goroutine created it.
/// At level 2 and above the runtime's own frames are shown.
///
/// # Safety
/// T1.
pub(super) unsafe fn write(g: &G, out: &mut dyn Write, level: i32) {
    // SAFETY: T1.
    let Ends {
        first,
        last,
        elided,
    } = unsafe { frames(g, level) };
    first.iter().for_each(|f| write_frame(f, out));
    if elided > 0 {
        let _ = writeln!(out, "...{elided} frames elided...");
    }
    last.iter().for_each(|f| write_frame(f, out));
    write_creator(out, g.gopc, g.parent_goid.0);
    for ancestor in g.ancestors.iter().flat_map(|all| all.iter()) {
        let _ = writeln!(out, "[originating from goroutine {}]:", ancestor.goid.0);
        write_way(&ancestor.pcs, out);
        if ancestor.pcs.len() == ENDS {
            let _ = writeln!(out, "...additional frames elided...");
        }
        if ancestor.goid.0 != 1 {
            write_creator(out, ancestor.gopc, 0);
        }
    }
}

/// Writes which function has created a goroutine, at `gopc`; 0 is no `parent` to be named.
fn write_creator(out: &mut dyn Write, gopc: usize, parent: u64) {
    let Some(info) = func::find(gopc) else {
        return;
    };
    let (file, line) = synthetic::position(info).unwrap_or_else(|| {
        let p = position(info, gopc);
        (p.file, p.line)
    });
    let off = offset(info, gopc);
    let creator = &info.name;
    let _ = match parent {
        // Something that is no goroutine, such as a timer, or one that is told of behind this.
        0 => writeln!(out, "created by {creator}"),
        parent => writeln!(out, "created by {creator} in goroutine {parent}"),
    };
    let _ = writeln!(out, "\t{file}:{line} +{off:#x}");
}

/// Where `g` goes on behind the instruction that starts a goroutine, and where its callers do. The
/// lines are those of these places, as in Go.
///
/// # Safety
/// T1.
pub(super) unsafe fn way_out(g: &G) -> Vec<usize> {
    let mut pcs = Vec::new();
    // SAFETY: T1.
    for frame in unsafe { Walk::new(g) } {
        let Some(info) = frame.info.filter(|i| !i.is_wrapper() && !i.is_stub()) else {
            continue;
        };
        let next = match (frame.is_top, op_at(frame.pc)) {
            (true, Some(Op::Go)) => frame.pc + size_of::<insn::Go>(),
            (true, _) => frame.pc + size_of::<insn::CallNative>(),
            (false, _) => frame.pc,
        };
        for part in info.logical(frame.at()) {
            pcs.push(if part.is_inlined { part.pc } else { next });
        }
    }
    pcs.truncate(ENDS);
    pcs
}

/// Writes frames as [`way_out`] gives them.
fn write_way(pcs: &[usize], out: &mut dyn Write) {
    for &pc in pcs {
        let Some(info) = func::find(pc).or_else(|| func::find(pc - 1)) else {
            continue;
        };
        let at = position(info, pc.min(info.end - 8));
        let part = info.logical(pc.min(info.end - 8)).next();
        let name = part.map_or(&*info.name, |l| l.name);
        let off = pc.saturating_sub(info.start);
        let _ = writeln!(out, "{name}(...)\n\t{}:{} +{off:#x}", at.file, at.line);
    }
}

/// The pcs of the frames of `g`, the innermost first, as far as one of the program itself.
///
/// # Safety
/// T1.
pub(super) unsafe fn way_in(g: &G) -> Vec<usize> {
    let mut pcs = Vec::new();
    // SAFETY: T1.
    for frame in unsafe { Walk::new(g) } {
        pcs.push(frame.pc);
        if frame.info.is_some_and(|i| i.flags & func::STD == 0) {
            break;
        }
    }
    pcs
}

/// Where `g` is: the innermost frames, as many as `pcs` has room for, or, if that is one, the
/// innermost of the program itself; how many there are.
///
/// # Safety
/// T1.
pub(super) unsafe fn innermost(g: &G, pcs: &mut [usize]) -> usize {
    let only_own = pcs.len() == 1;
    let mut n = 0;
    // SAFETY: T1.
    for frame in unsafe { Walk::new(g) } {
        let Some(info) = frame.info.filter(|i| !i.is_wrapper() && !i.is_stub()) else {
            continue;
        };
        if only_own {
            if n == 0 || info.flags & func::STD == 0 {
                (pcs[0], n) = (frame.at(), 1);
            }
            if info.flags & func::STD == 0 {
                break;
            }
        } else if n < pcs.len() {
            pcs[n] = frame.at();
            n += 1;
        } else {
            break;
        }
    }
    n
}

/// Says which functions the instruction at `pc` belongs to, and where it is in their files.
pub(super) fn places_at(pc: usize, say: &mut dyn FnMut(&str, &str, u32)) {
    if let Some(info) = func::find(pc) {
        for part in info.logical(pc) {
            let at = position(info, part.pc);
            say(part.name, &at.file, at.line);
        }
    }
}

/// Writes the functions of an instruction and of where calls return to, and calls compiled in place
/// there.
pub(super) fn write_at(pcs: &[usize], out: &mut dyn Write) {
    for (k, pc) in pcs.iter().copied().enumerate().filter(|(_, pc)| *pc != 0) {
        let at = if k == 0 { pc } else { pc - 1 };
        let Some(info) = func::find(at).filter(|i| !i.is_wrapper() && !i.is_stub()) else {
            continue;
        };
        for part in info.logical(at) {
            let args = if part.has_params { "..." } else { "" };
            let at = position(info, part.pc);
            let offset = offset(info, pc);
            let _ = write!(out, "{}({args})\n\t{}:{}", part.name, at.file, at.line);
            let _ = match part.is_inlined {
                true => writeln!(out),
                false => writeln!(out, " +{offset:#x}"),
            };
        }
    }
}

/// A frame to show.
struct Shown {
    frame: Frame,
    part: Part,
}

/// What of a frame is shown.
enum Part {
    /// It is the pseudo frame of a panic.
    Panic,
    /// What its function, or a call compiled in place, does there.
    Logical(Logical<'static>),
    /// What has no frame of its own: a native, or a function of Go's runtime that we do not have.
    Other {
        name: &'static str,
        has_params: bool,
        at: Position,
    },
}

/// The frames to show at either end. A stack that has overflown has many millions,
/// of which no list is made.
#[derive(Default)]
struct Ends {
    first: Vec<Shown>,
    last: VecDeque<Shown>,
    /// How many between them are not shown.
    elided: usize,
}

impl Ends {
    fn push(&mut self, f: Shown) {
        if self.first.len() < ENDS {
            return self.first.push(f);
        }
        if self.last.len() == ENDS {
            self.last.pop_front();
            self.elided += 1;
        }
        self.last.push_back(f);
    }

    fn newest(&self) -> Option<&Shown> {
        self.last.back().or(self.first.last())
    }
}

/// The frames to show, those of natives and of calls compiled in place among them.
unsafe fn frames(g: &G, level: i32) -> Ends {
    // SAFETY: T1.
    let panics = unsafe { State::get(g) }.map_or(&[][..], |s| &s.panics);
    let panic_at = |f: &Frame| panics.iter().find(|p| g.stack_lo + p.at == f.fp);
    let mut shown = Ends::default();
    let mut above: Option<Frame> = None;
    // SAFETY: T1.
    for (k, frame) in unsafe { Walk::new(g) }.enumerate() {
        let above = above.replace(frame);
        let mut show = |part| shown.push(Shown { frame, part });
        let Some(info) = frame.info else { continue };
        let panic = panic_at(&frame);
        // Goexit is shown as the native that has been called.
        if panic.is_some_and(|p| p.is_goexit) {
            continue;
        }
        // The second: also that of a panic whose value is being printed,
        // for a method has been called on top of it.
        if frame.pc == stubs().defer || panic.is_some() {
            // That of the panic that kills the process is not shown; those below it are.
            if k > 0 || level >= 2 {
                show(Part::Panic);
            }
            let raised_by = panic.map_or(&[][..], |p| p.raised_by);
            raised_by
                .iter()
                .filter_map(|s| of_runtime(*s, level))
                .for_each(show);
            continue;
        }
        let is_shown = match () {
            () if info.is_stub() => false,
            // It shows when it panics itself, the library's own left aside.
            () if info.is_wrapper() => {
                let panics = || above.is_some_and(|a| calls_panic(g, &a, &frame));
                level >= 2 || info.flags & func::STD == 0 && panics()
            }
            () => true,
        };
        if is_shown {
            let native = native(&frame, level).filter(|_| k > 0 || !is_asking(g, &frame));
            native.into_iter().for_each(&mut show);
            for part in info.logical(frame.at()) {
                let repeats =
                    |s: &Shown| matches!(&s.part, Part::Logical(l) if l.name == part.name);
                // Go has no wrapper where the method itself takes what an interface holds.
                if info.is_wrapper() && shown.newest().is_some_and(repeats) {
                    continue;
                }
                let part = Part::Logical(part);
                shown.push(Shown { frame, part });
            }
        }
    }
    shown
}

/// Is a native shown at `level`? Below level 2 the runtime's own functions are not.
fn is_shown(native: &Placed, level: i32) -> bool {
    match native.entry.traits.in_traceback {
        InTraceback::Shown => true,
        InTraceback::WithRuntime => level >= 2,
        InTraceback::Hidden => false,
    }
}

/// A function of Go's runtime that has raised a panic.
fn of_runtime(s: Synthetic, level: i32) -> Option<Part> {
    let (name, file, line) = synthetic::describe(s);
    let column = 0;
    (level >= 2 || s.is_exported()).then_some(Part::Other {
        name,
        has_params: true,
        at: Position { file, line, column },
    })
}

/// The native that `frame` is calling.
pub(super) fn called(frame: &Frame) -> Option<&'static Placed> {
    let pc = frame.at() & !7;
    let pc = match op_at(pc) {
        // The way past it.
        Some(Op::LockJump) => pc + size_of::<insn::LockJump>(),
        Some(Op::UnlockJump) => pc + size_of::<insn::UnlockJump>(),
        _ => pc,
    };
    table::get(native_at(pc)?.native)
}

/// The name of the native that is called at `pc`.
pub(super) fn native_name(pc: usize) -> Option<&'static str> {
    let placed = table::get(native_at(pc)?.native)?;
    Some(&placed.entry.name)
}

/// The native that `frame` is calling, if it is shown.
fn native(frame: &Frame, level: i32) -> Option<Part> {
    let native = called(frame)?;
    is_shown(native, level).then(|| Part::Other {
        name: &native.entry.name,
        has_params: native.entry.slots.1 > 0,
        at: source::map().runtime_position(native.pos),
    })
}

/// Is `frame`, the innermost of `g`, the one that has called for this traceback? Its text begins
/// with the caller.
fn is_asking(g: &G, frame: &Frame) -> bool {
    // SAFETY: the M is this thread's.
    let current = unsafe { tls::current_m().as_ref() }.map_or(ptr::null_mut(), |m| m.curg);
    let called = native_at(frame.at() & !7).and_then(|n| table::get(n.native));
    ptr::eq(current, g) && called.is_some_and(|n| n.entry.traits.omits_itself)
}

/// Is it the pseudo frame of a panic that the function below it has called for, or been given by
/// the machine, rather than the runtime or the library on its behalf? Go: runtime/traceback.go,
/// elideWrapperCalling.
fn calls_panic(g: &G, pseudo: &Frame, below: &Frame) -> bool {
    if native_at(below.at() & !7).is_some() {
        return false;
    }
    // SAFETY: T1.
    let panics = unsafe { State::get(g) }.map_or(&[][..], |s| &s.panics);
    panics
        .iter()
        .find(|p| g.stack_lo + p.at == pseudo.fp)
        .is_some_and(|p| p.raised_by.last().is_none_or(|s| *s == Synthetic::Sigpanic))
}

fn write_frame(shown: &Shown, out: &mut dyn Write) {
    let Shown { frame, part } = shown;
    // As Go does it, only frames with a place on the stack show how far their function has come.
    let (name, has_params, at, offset) = match (part, frame.info) {
        (Part::Logical(part), Some(info)) => {
            let offset = (!part.is_inlined).then(|| offset(info, frame.pc));
            (part.name, part.has_params, position(info, part.pc), offset)
        }
        (
            Part::Other {
                name,
                has_params,
                at,
            },
            _,
        ) => (*name, *has_params, at.clone(), None),
        _ => return write_panic(frame, out),
    };
    let args = if has_params { "..." } else { "" };
    let _ = write!(out, "{name}({args})\n\t{}:{}", at.file, at.line);
    let _ = match offset {
        Some(offset) => writeln!(out, " +{offset:#x}"),
        None => writeln!(out),
    };
}

/// Writes the pseudo frame of a panic.
fn write_panic(frame: &Frame, out: &mut dyn Write) {
    // SAFETY: the pseudo frame of a panic holds the two words of its value.
    let [t, v] = unsafe { *(frame.fp as *const [u64; 2]) };
    // Where deferred calls are made, or values printed.
    let (line, offset) = if frame.pc == stubs().defer {
        (859, 0x13a)
    } else {
        (876, 0x192)
    };
    let file = synthetic::describe(Synthetic::Gopanic).1;
    let _ = writeln!(
        out,
        "panic({{{t:#x}?, {v:#x}?}})\n\t{file}:{line} +{offset:#x}"
    );
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

/// The pcs of at most `max` frames of `g`, the innermost first, wrappers left out and `skip` of
/// them passed over: each is an address inside a call, one byte behind where its position is looked
/// up. Calls compiled in place count as frames, and so do those that Go's runtime would have: the
/// first is `runtime.Callers` itself.
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
    let is_main = g.is_main().then(|| synthetic::at(Synthetic::Main));
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
pub(super) fn panic_frames(g: &G, f: &Frame) -> Vec<usize> {
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
