#![allow(unsafe_code)]
//! From the runtime into Go code and out again: the loop around the dispatcher, nested runs for
//! natives that call back, and the first frames of goroutines.
//!
//! [`drive`] runs the dispatcher and deals with everything it leaves for. There is one run for a
//! goroutine, and a nested one for each native that calls back; the frames of a nested run lie
//! above the native's window, and its bottom frame returns to a stub. What makes a goroutine leave
//! its M (a park, a yield) ends the goroutine's own run, which will be begun again from `g.sched`;
//! in a nested run the coroutine is suspended right there, with the Rust frames of the natives on
//! it.
//!
//! # Invariants
//!
//! - K1. `g.sched` and what of the stack it names are right whenever `drive` leaves or suspends.
//! - K2. After a suspension `g.m` is another M, perhaps: it is read again.
//!
//! Go: runtime/asm_amd64.s (gogo, morestack, reflectcall), runtime/stack.go, newstack.

use super::error_text::RuntimeError;
use super::exec::{self, Status};
use super::frame::{HEADER, Pending, State, Walk, Words, stubs};
use super::native::{Cx, Res, Stop, Target};
use super::panic::{self, Next, Raise};
use super::slow::{self, NativeEnd};
use bytecode::func;
use bytecode::op::{Op, insn};
use gosched_runtime::coro;
use gosched_runtime::g::G;
use gosched_runtime::gc;
use gosched_runtime::preempt;
use gosched_runtime::stack;
use gosched_runtime::{Outcome, YieldKind};
use std::sync::atomic::Ordering;

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Left {
    /// The goroutine's own run only: the M is to do this.
    Outcome(Outcome),
    /// A nested run only: its function has returned.
    Returned,
    /// A nested run only: it was cut through.
    Unwind,
}

/// Runs `g` from `g.sched` on. `base` is 0 for the goroutine's own run, else where the frames of
/// the nested run begin, in bytes from the start of the stack.
///
/// # Safety
/// `g` is the running G; the registers in `g.sched` are right.
pub(super) unsafe fn drive(g: *mut G, base: usize) -> Left {
    // SAFETY: the caller's, and K1; each step leaves the registers as the next one wants them.
    unsafe {
        loop {
            let status = exec::run(g);
            let raise = match status {
                Status::Enter | Status::Loop => match safepoint(g, base, status == Status::Enter) {
                    Some(left) => return left,
                    None => continue,
                },
                Status::Point => match leave(g, base, Outcome::Yield(YieldKind::Gosched)) {
                    Some(left) => return left,
                    None => continue,
                },
                Status::Park => match leave(g, base, Outcome::Park) {
                    Some(left) => return left,
                    None => continue,
                },
                Status::Native => match native_ended(g, base) {
                    Some(left) => return left,
                    None => continue,
                },
                Status::NativeReturn => {
                    debug_assert_ne!(base, 0);
                    return Left::Returned;
                }
                Status::Exit => {
                    debug_assert_eq!(base, 0);
                    match super::engine::function_ended(g) {
                        Some(outcome) => return Left::Outcome(outcome),
                        None => continue,
                    }
                }
                Status::DeferReturn => match step(g, base, panic::deferred_returned(g)) {
                    Some(left) => return left,
                    None => continue,
                },
                Status::Nil => Raise::Nil,
                Status::Fault => Raise::NilAt((*Words::at(g)).index),
                Status::Bounds => {
                    let words = &*Words::at(g);
                    Raise::bounds(words.index as u64, words.len as u64, 0)
                }
                Status::Divide => RuntimeError::Divide.into(),
                Status::Shift => RuntimeError::Shift.into(),
                Status::Raise => State::of(g).raise.take().unwrap_or(Raise::Nil),
                Status::Panic => {
                    let i = *((*g).sched.pc as *const insn::Panic);
                    Raise::Value(
                        *((*g).sched.fp as *const u64)
                            .add(i.v as usize)
                            .cast::<[u64; 2]>(),
                    )
                }
                Status::Done | Status::Unreachable => {
                    gosched_runtime::throw!("unreachable instruction at pc={:#x}", (*g).sched.pc)
                }
            };
            if let Some(left) = step(g, base, panic::start(g, raise)) {
                return left;
            }
        }
    }
}

/// A step of the panic machine was taken: `None` to go on in this run.
unsafe fn step(g: *mut G, base: usize, next: Next) -> Option<Left> {
    if next == Next::Run {
        return None;
    }
    // SAFETY: as `drive`.
    match unsafe { panic::cut(g, base) } {
        Some(Next::Run) => None,
        Some(Next::Cut) => Some(Left::Outcome(Outcome::Exit)),
        None => Some(Left::Unwind),
    }
}

/// Leaves the M. `None`: the goroutine is running again, go on.
unsafe fn leave(g: *mut G, base: usize, outcome: Outcome) -> Option<Left> {
    // SAFETY: as `drive`; K2.
    unsafe {
        if base == 0 {
            return Some(Left::Outcome(outcome));
        }
        coro::suspend(&mut *(*g).m, outcome);
        if preempt::is_disturbed(&*g) {
            return disturbed(g, base, Pending::Nothing);
        }
        None
    }
}

/// The goroutine runs again after an interrupt: ends as by Goexit if its wait was undone, or if it
/// stands at an instruction that is to be done next. `None` to go on.
#[cold]
unsafe fn disturbed(g: *mut G, base: usize, pending: Pending) -> Option<Left> {
    // SAFETY: as `drive`.
    unsafe {
        if preempt::take_undone(&mut *g) {
            (*Words::at(g)).resume = None;
            return step(g, base, obey_interrupt(g));
        }
        // A channel operation that is over must be completed first.
        if pending == Pending::Nothing && (*g).waiting.is_null() {
            if obeys_interrupt(g) {
                return step(g, base, obey_interrupt(g));
            }
            preempt::put_off_interrupt(&mut *g);
        }
        None
    }
}

/// Takes the interrupt of `g` if it is to be obeyed where it stands: in the library only if that is
/// insisted on, for it may hold locks.
unsafe fn obeys_interrupt(g: *mut G) -> bool {
    // SAFETY: as `drive`.
    unsafe {
        preempt::take_interrupt(&mut *g);
        let insists = preempt::take_insistence(&mut *g);
        let in_library = func::find((*g).sched.pc).is_some_and(|f| f.flags & func::STD != 0);
        insists || !(in_library || is_unlocked(g))
    }
}

/// As by `runtime.Goexit` where `g` stands. If that is in a function that relocks (`Cond.Wait`),
/// its deferred calls are not made: they may unlock what it has not got.
unsafe fn obey_interrupt(g: *mut G) -> Next {
    // SAFETY: as `drive`.
    unsafe {
        if is_unlocked(g)
            && let Some(state) = State::get(g)
        {
            state.defers.clear();
        }
        panic::start_goexit(g)
    }
}

/// Is `g` in a call of a function that relocks, which no panic has cut through?
///
/// # Safety
/// `g` does not interpret, and stays so.
pub(super) unsafe fn is_unlocked(g: *const G) -> bool {
    // SAFETY: the caller's.
    let mut frames = unsafe { Walk::new(g) }.take_while(|f| f.pc != stubs().defer);
    frames.any(|f| f.info.is_some_and(|i| i.flags & func::RELOCKS != 0))
}

/// Bytes that `g`'s frames have elsewhere.
///
/// # Safety
/// As [`safepoint`].
unsafe fn beside(g: &G) -> usize {
    if !func::any_beside() {
        return 0;
    }
    // SAFETY: the goroutine has saved its registers.
    let frames = unsafe { Walk::new(g) };
    frames
        .filter_map(|f| f.info)
        .map(|info| info.beside as usize)
        .sum()
}

/// The check of a prologue or of a loop has failed: collects and grows the stack as need be, and
/// lets others run. `None`: the instruction is to be done again.
unsafe fn safepoint(g: *mut G, base: usize, prologue: bool) -> Option<Left> {
    // SAFETY: as `drive`. At the prologue only the window is in use.
    unsafe {
        if prologue {
            let (pc, fp) = ((*g).sched.pc, (*g).sched.fp);
            let window = func::find(pc).map_or(0, |f| f.closure_slot as usize + 1);
            (*g).sched.top = fp + 8 * window;
        } else {
            set_top(g);
        }
        pass(g, base, prologue, false)
    }
}

/// As [`safepoint`], once it is known how far the stack is used;
/// a collection has been done already, perhaps.
unsafe fn pass(g: *mut G, base: usize, prologue: bool, gc_done: bool) -> Option<Left> {
    let mut put_off = false;
    // SAFETY: as `drive`.
    unsafe {
        let left = pass_or_put_off(g, base, prologue, gc_done, &mut put_off);
        if put_off {
            preempt::put_off_interrupt(&mut *g);
        }
        left
    }
}

/// What [`pass`] does, but that an interrupt which must come later is forgotten.
unsafe fn pass_or_put_off(
    g: *mut G,
    base: usize,
    prologue: bool,
    mut gc_done: bool,
    put_off: &mut bool,
) -> Option<Left> {
    // SAFETY: as `drive`. The frame needs what the instruction says.
    unsafe {
        let mut need = 0;
        if prologue {
            let s = &(*g).sched;
            let i = *(s.pc as *const insn::Enter);
            need = (8 * i.frame as usize).saturating_sub(s.top - s.fp);
        }
        let then = match prologue {
            true => Pending::Prologue,
            false => Pending::Loop,
        };
        loop {
            let (m, gr) = (&mut *(*g).m, &mut *g);
            let stop = match prologue {
                true => preempt::newstack_check(m, gr, need, gc_done),
                false => preempt::loop_check(m, gr, gc_done),
            };
            match stop {
                preempt::Stop::Gc => {
                    if let Some(c) = gc::at_safepoint(m)
                        && let Some(left) = collect(g, base, then, c)
                    {
                        return Some(left);
                    }
                    gc_done = true;
                }
                preempt::Stop::Grow => {
                    stack::check_limit(m, gr, beside(gr));
                    stack::grow(m, gr, need);
                }
                preempt::Stop::Interrupt => {
                    if obeys_interrupt(g) {
                        return step(g, base, obey_interrupt(g));
                    }
                    *put_off = true;
                }
                preempt::Stop::Preempt => {
                    poison(g, prologue);
                    return leave(g, base, Outcome::Yield(YieldKind::Preempt));
                }
                preempt::Stop::Go => {
                    poison(g, prologue);
                    if gc::is_stressed() {
                        come_again(g, prologue);
                    }
                    return None;
                }
            }
        }
    }
}

/// Under `gcstress` makes `g` come to its next safepoint too.
/// A prologue is done here, since its check would fail again.
///
/// # Safety
/// As [`safepoint`].
#[cold]
unsafe fn come_again(g: *mut G, prologue: bool) {
    // SAFETY: the caller's; the stack has room for the frame now.
    unsafe {
        if prologue {
            let s = &mut (*g).sched;
            let i = *(s.pc as *const insn::Enter);
            let first = (s.fp as *mut u64).add(i.first as usize);
            first.write_bytes(0, i.n as usize);
            s.pc += size_of::<insn::Enter>();
        }
        gc::arm(&*g);
    }
}

/// A number that no pointer can be: what slots hold under `gcstress` that no function has set.
const POISON: u64 = 0xbad;

/// Writes [`POISON`] where the function at its prologue may not rely on anything: into its results,
/// and into the slot of a closure word that it does not read. So a map that names one of them shows
/// when the stack next moves.
///
/// # Safety
/// As [`safepoint`].
unsafe fn poison(g: *mut G, prologue: bool) {
    if !(cfg!(debug_assertions) && prologue && gc::is_stressed()) {
        return;
    }
    // SAFETY: the caller's.
    let s = unsafe { &(*g).sched };
    let Some(info) = func::find(s.pc) else {
        return;
    };
    let fp = s.fp as *mut u64;
    // SAFETY: K1 — the window that the caller has made reaches to the closure word.
    unsafe {
        for k in 0..info.n_results as usize {
            *fp.add(k) = POISON;
        }
        if info.flags & func::CLOSURE == 0 {
            *fp.add(info.closure_slot as usize) = POISON;
        }
    }
}

/// Runs a collection, or waits for it; `None` when it has ended. A goroutine's own run leaves
/// meanwhile, so that what waits needs no native stack; [`resume`] goes on with it, and then with
/// what `then` says.
unsafe fn collect(g: *mut G, base: usize, then: Pending, mut c: gc::Collection) -> Option<Left> {
    // In a goroutine's own run no native is under way.
    let frames = if base == 0 {
        gc::NativeFrames::Empty
    } else {
        gc::NativeFrames::HoldPointers
    };
    // SAFETY: as `drive`; K2.
    unsafe {
        loop {
            let outcome = match c.step(&mut *(*g).m, frames) {
                gc::Step::Done => return None,
                gc::Step::Park => Outcome::Park,
                gc::Step::Yield => Outcome::Yield(YieldKind::Gosched),
            };
            if base == 0 {
                let words = &mut *Words::at(g);
                (words.pending, words.collection) = (then, c.to_word());
                return Some(Left::Outcome(outcome));
            }
            coro::suspend(&mut *(*g).m, outcome);
        }
    }
}

/// Notes how far the stack is used.
unsafe fn set_top(g: *mut G) {
    // SAFETY: as `drive`.
    unsafe {
        let slots = func::find((*g).sched.pc).map_or(0, |f| f.frame_max) as usize;
        (*g).sched.top = ((*g).sched.fp + 8 * slots).min((*g).stack_hi);
    }
}

/// A native did not end well: `None` to go on.
unsafe fn native_ended(g: *mut G, base: usize) -> Option<Left> {
    // SAFETY: as `drive`.
    unsafe {
        let outcome = match (*Words::at(g)).native_end {
            NativeEnd::Goexit => return step(g, base, panic::start_goexit(g)),
            NativeEnd::Unwind => return step(g, base, Next::Cut),
            NativeEnd::Collect => {
                let c = gc::Collection::new(gc::Mode::Forced);
                return collect(g, base, Pending::NativeCollects, c)
                    .or_else(|| complete_native(g, base));
            }
            NativeEnd::Park => Outcome::Park,
            NativeEnd::Gosched => Outcome::Yield(YieldKind::Gosched),
            NativeEnd::Local => Outcome::Yield(YieldKind::Local),
            NativeEnd::Preempt | NativeEnd::Well => Outcome::Yield(YieldKind::Preempt),
        };
        if base == 0 {
            // `resume` completes the native when the goroutine runs again.
            (*Words::at(g)).pending = Pending::Native;
            return Some(Left::Outcome(outcome));
        }
        coro::suspend(&mut *(*g).m, outcome);
        if preempt::is_disturbed(&*g)
            && let Some(left) = disturbed(g, base, Pending::Native)
        {
            return Some(left);
        }
        complete_native(g, base)
    }
}

/// The goroutine runs again after a native let it wait: runs what completes the native, if
/// anything; `None` to go on behind it.
unsafe fn complete_native(g: *mut G, base: usize) -> Option<Left> {
    // SAFETY: as `drive`; `g.sched` is at the `CallNative`.
    unsafe {
        let pc = (*g).sched.pc;
        if let Some(f) = (*Words::at(g)).resume.take() {
            let i = *(pc as *const insn::CallNative);
            let off = (*g).sched.fp - (*g).stack_lo;
            let st = slow::call_native(f, g, off + 8 * i.win as usize);
            (*g).sched.pc = pc;
            (*g).sched.fp = (*g).stack_lo + off;
            match Status::from_u64(st) {
                Status::Done => {}
                Status::Native => return native_ended(g, base),
                _ => {
                    let raise = State::of(g).raise.take().unwrap_or(Raise::Nil);
                    return step(g, base, panic::start(g, raise));
                }
            }
        }
        (*g).sched.pc = pc + size_of::<insn::CallNative>();
        None
    }
}

/// The goroutine's own run goes on with what [`collect`] has left for.
#[cold]
unsafe fn complete_collection(g: *mut G, then: Pending) -> Option<Left> {
    // SAFETY: as `drive`; `g.sched` is at the safepoint, or at the native's call.
    unsafe {
        let collection = gc::Collection::from_word((*Words::at(g)).collection);
        let left = collect(g, 0, then, collection);
        left.or_else(|| match then {
            Pending::Nothing | Pending::Native | Pending::NativeCollects => complete_native(g, 0),
            Pending::Loop => pass(g, 0, false, true),
            Pending::Prologue => pass(g, 0, true, true),
        })
    }
}

/// Runs `g` as the scheduler asks: completes what it waited for, then goes on.
///
/// # Safety
/// As [`drive`].
pub(super) unsafe fn resume(g: *mut G) -> Outcome {
    // SAFETY: the caller's.
    unsafe {
        let pending = std::mem::take(&mut (*Words::at(g)).pending);
        if preempt::is_disturbed(&*g)
            && let Some(left) = disturbed(g, 0, pending)
        {
            return outcome(left);
        }
        let left = match pending {
            Pending::Nothing => None,
            Pending::Native => complete_native(g, 0),
            then => complete_collection(g, then),
        };
        outcome(left.unwrap_or_else(|| drive(g, 0)))
    }
}

fn outcome(left: Left) -> Outcome {
    match left {
        Left::Outcome(o) => o,
        Left::Returned | Left::Unwind => {
            gosched_runtime::throw!("a goroutine's own run was left like a nested one")
        }
    }
}

/// Runs Go code on top of a native: lays `args` in a window at [`Cx::scratch`], runs the target to
/// its end and copies `results` out.
pub(super) fn from_native(
    cx: &mut Cx,
    target: Target,
    args: &[u64],
    results: &mut [u64],
) -> Res<()> {
    let g = cx.g_ptr();
    // SAFETY: native::N1, native::N2: `g` runs,
    // the native's window lies on its stack and ends at `scratch`.
    unsafe {
        let r = nested(g, cx.window(), cx.scratch(), target, args, results);
        cx.set_m((*g).m);
        r
    }
}

/// Calls Go code on top of the pseudo frame of a panic, which is in `g.sched`.
///
/// # Safety
/// As [`drive`].
pub(super) unsafe fn call_on_panic(
    g: *mut G,
    target: Target,
    args: &[u64],
    results: &mut [u64],
) -> Res<()> {
    // SAFETY: the caller's; the stack's slack has room for a header above a pseudo frame.
    unsafe {
        debug_assert_eq!((*g).sched.pc, stubs().defer);
        // The nested run returns through a native's window. It is an empty one above the pseudo
        // frame, which shows those who walk that the frame below it has panicked.
        let delta = 16 + HEADER;
        let window = (*g).sched.fp + delta;
        *((window - 8) as *mut usize) = stubs().defer;
        *((window - HEADER) as *mut usize) = delta;
        let window = window - (*g).stack_lo;
        nested(g, window, window, target, args, results)
    }
}

/// Calls `target` in a nested run whose frames begin at `top`; `below` is the window of the native
/// that calls. Both are in bytes from the start of the stack.
unsafe fn nested(
    g: *mut G,
    below: usize,
    top: usize,
    target: Target,
    args: &[u64],
    results: &mut [u64],
) -> Res<()> {
    // SAFETY: the caller's.
    let m = unsafe { &mut *(*g).m };
    if coro::native_low(m) {
        let more = coro::with_more_stack(m, || {
            // SAFETY: the same call on another native stack.
            unsafe { nested_here(g, below, top, target, args, results) }
        });
        return more.unwrap_or_else(|_| {
            // SAFETY: the caller's.
            stack::native_overflow(unsafe { &mut *(*g).m })
        });
    }
    // SAFETY: the caller's.
    unsafe { nested_here(g, below, top, target, args, results) }
}

unsafe fn nested_here(
    g: *mut G,
    below: usize,
    top: usize,
    target: Target,
    args: &[u64],
    results: &mut [u64],
) -> Res<()> {
    // SAFETY: the caller's; room for the window is made first.
    unsafe {
        let (index, closure) = match target {
            Target::Func(index) => (index, 0),
            Target::Closure(f) => (*(f as *const u64) as u32, f),
        };
        let entry = func::entry(index);
        let closure_slot = func::info(index).map_or(0, |f| f.closure_slot as usize);
        let (saved_pc, saved_fp) = ((*g).sched.pc, (*g).sched.fp - (*g).stack_lo);
        let base = top + HEADER;
        let need = HEADER + 8 * (closure_slot + 1);
        if (*g).stack_lo + top + need > (*g).normal_guard() {
            (*g).sched.top = (*g).stack_lo + top;
            stack::grow(&mut *(*g).m, &mut *g, need);
        }
        let fp = ((*g).stack_lo + base) as *mut u64;
        *fp.sub(1) = stubs().native as u64;
        *fp.sub(2) = (base - below) as u64;
        let n_results = closure_slot - args.len();
        for k in 0..n_results {
            *fp.add(k) = 0;
        }
        for (k, &a) in args.iter().enumerate() {
            *fp.add(n_results + k) = a;
        }
        *fp.add(closure_slot) = closure as u64;
        (*g).sched.pc = entry.entry.load(Ordering::Relaxed);
        (*g).sched.fp = fp as usize;
        // The native's own run of the dispatcher is not to be ended by what faults in this one.
        let frame = std::mem::take(&mut (*Words::at(g)).native_frame);
        let left = drive(g, base);
        (*Words::at(g)).native_frame = frame;
        match left {
            Left::Returned => {
                let fp = ((*g).stack_lo + base) as *const u64;
                for (k, r) in results.iter_mut().enumerate() {
                    *r = *fp.add(k);
                }
                // The registers as they were: the native's caller.
                (*g).sched.pc = saved_pc;
                (*g).sched.fp = (*g).stack_lo + saved_fp;
                Ok(())
            }
            // A cut leaves the registers alone until the run that owns the target sets them: the
            // walk that looks for the target's function begins at the newest frame.
            Left::Unwind => Err(Stop::Unwind),
            Left::Outcome(_) => {
                gosched_runtime::throw!("a nested run was left like a goroutine's own")
            }
        }
    }
}

/// Lays the first frame of a goroutine that calls the func value `closure`,
/// which has no parameters and results.
///
/// # Safety
/// `g` is fresh and known to this function only.
pub(super) unsafe fn first_frame(g: &mut G, closure: usize) {
    // SAFETY: the caller's; a func value begins with its function's index.
    // There is room for a header and a slot.
    unsafe {
        let index = *(closure as *const u64) as u32;
        lay(g, index, closure);
    }
}

/// Lays the first frame of a goroutine that calls function `index`.
///
/// # Safety
/// As [`first_frame`].
pub(super) unsafe fn lay(g: &mut G, index: u32, closure: usize) {
    // SAFETY: the caller's.
    unsafe {
        // All but the first word; in the last of them the frame of a new goroutine is laid.
        (*Words::at(g)).clear();
        let fp = (g.stack_lo + HEADER) as *mut u64;
        *fp.sub(2) = 0;
        *fp.sub(1) = stubs().exit as u64;
        *fp = closure as u64;
        g.sched.pc = func::entry(index).entry.load(Ordering::Relaxed);
        g.sched.fp = fp as usize;
        g.sched.top = fp as usize + 8;
        // The closure word is in the frame, where it can be seen to be dead.
        g.sched.ctxt = 0;
    }
}

/// Is the instruction at `pc` a call of a native?
pub(super) fn native_at(pc: usize) -> Option<insn::CallNative> {
    let info = func::find(pc)?;
    if !pc.is_multiple_of(8) || pc < info.start {
        return None;
    }
    // SAFETY: `pc` lies in the code of a function;
    // whether it is the beginning of an instruction its caller knows.
    unsafe {
        let i = *(pc as *const insn::CallNative);
        (i.op == Op::CallNative as u16).then_some(i)
    }
}
