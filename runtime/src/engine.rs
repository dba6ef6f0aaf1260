//! The seam between the scheduler and what goroutines do.
//!
//! The virtual machine implements [`Engine`]; Rust closures are a second engine, for tests.
//!
//! # Invariants
//!
//! - E1. `run` is called on a coroutine, with `g` running on `m`, and comes back on the M that
//!   `g.m` names *then*, which is another one if `g` was suspended under native frames.
//! - E2. An outcome describes `g`'s state as saved in `g.sched`; `run` is called again with it.

use std::fmt;
use std::ops::Range;

use crate::chan::ElemType;
use crate::sched::Gref;
use crate::signal::Context;
use crate::{g::G, m::M};

/// How far roots outside goroutines have been taken, piece by piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GlobalsAt {
    /// Variables that are done.
    pub variables: usize,
    /// Words of the next one that are.
    pub words: usize,
}

/// What an engine has made of a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultEnd {
    /// The program goes on where the machine context says now.
    Resumed,
    /// The program is to end: the address is not one that it may touch.
    Fault,
    /// The program is to end: what has faulted is something that the runtime does for it.
    InRuntime,
}

/// Why an engine gave a goroutine back to the scheduler.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Wait: [`M::park`] has named the commit function, the lock and the reason.
    Park,
    /// Stay runnable, but let others run.
    Yield(YieldKind),
    /// The goroutine has ended.
    Exit,
    /// A system call has returned and found no P; made by [`crate::syscall::exit`] only.
    SyscallExit,
    /// Begin again at once; made by the runtime's own goroutines only.
    Again,
}

/// The kinds of yielding, which differ in the queue the goroutine goes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum YieldKind {
    /// `runtime.Gosched`: the tail of the global queue.
    Gosched,
    /// Preempted at a safepoint: the tail of the global queue.
    Preempt,
    /// The internal yield of semaphore hand-off: the tail of the local ring.
    Local,
}

/// Which frames of a goroutine are wanted for a profile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stack {
    /// All of them, with those that Go's runtime has where a goroutine waits.
    Whole,
    /// Of one that waits: the operation that it waits in, and what has called that.
    Waiting,
    /// Of the running one: the native it is in, or its instruction, and what has called that.
    Calling,
}

/// What runs goroutines. See the module's invariants.
pub trait Engine: Sync {
    /// Interprets `g` until it must leave.
    ///
    /// Context: coroutine; with a P; no lock held.
    fn run(&self, m: &mut M, g: &mut G) -> Outcome;

    /// Gives `v` the roots in a stopped goroutine: its VM stack, defer and panic words.
    ///
    /// Context: any thread; `g` cannot run meanwhile.
    fn scan_stack(&self, g: &G, v: &mut dyn RootVisitor);

    /// Gives `v` about `n` words of the roots outside goroutines, from `at` on; returns where to go
    /// on, if there are more.
    ///
    /// Context: any thread; the program may run.
    fn scan_globals(&self, at: GlobalsAt, n: usize, v: &mut dyn RootVisitor) -> Option<GlobalsAt> {
        let _ = (at, n, v);
        None
    }

    /// Addresses between which the roots outside goroutines lie; what else does can be read.
    fn globals(&self) -> Range<usize> {
        0..0
    }

    /// A collection ends.
    ///
    /// Context: g0, world stopped; `gs` are all goroutines.
    fn collected(&self, _gs: &[Gref]) {}

    /// Looks for a small number in a slot of `g`'s frames that holds a live pointer: what `unsafe`
    /// has put there. Gives its function, its address and the number.
    ///
    /// Context: g0; `g` does not run.
    fn bad_pointer(&self, g: &G) -> Option<(&'static str, usize, usize)> {
        let _ = g;
        None
    }

    /// The end of the used part of `g`'s stack, where `g.sched` is as the engine left it.
    fn stack_top(&self, g: &G) -> usize {
        g.sched.top
    }

    /// Writes `g`'s frames and its "created by" lines, without the header line.
    ///
    /// `level` is GOTRACEBACK's: at 2 and above, frames of the runtime are shown.
    fn traceback(&self, g: &G, out: &mut dyn fmt::Write, level: i32);

    /// Where `g` is, the innermost frame first, as far as one of the program itself: the pc of its
    /// instruction, and those that calls return to. `g` has saved its registers.
    fn way_in(&self, g: &G) -> Vec<usize> {
        let _ = g;
        Vec::new()
    }

    /// Where `g`, which starts a goroutine, goes on behind that: of each frame, the innermost
    /// first, the pc of the next instruction, and the pc of a call for each that was compiled in
    /// place.
    ///
    /// Context: `g` is current and has saved its registers.
    fn way_out(&self, g: &G) -> Vec<usize> {
        let _ = g;
        Vec::new()
    }

    /// Writes the functions and the lines of pcs as [`way_in`](Self::way_in) gives them, and calls
    /// compiled in place there, as [`traceback`](Self::traceback) does. Those that are 0 are none.
    fn frames_at(&self, pcs: &[usize], out: &mut dyn fmt::Write) {
        let _ = (pcs, out);
    }

    /// The frames of `g` for a profile, the innermost first, `max` at most, as
    /// `runtime.Callers` gives them: addresses behind calls.
    ///
    /// Context: `g` does not run, or is current and has saved its registers.
    fn stack(&self, g: &G, which: Stack, max: usize) -> Vec<usize> {
        let _ = (g, which, max);
        Vec::new()
    }

    /// Writes where `g` is, which a signal has interrupted, in a form of the engine's own that
    /// [`frames`](Self::frames) reads; how many words that are, 0 if it cannot be told.
    ///
    /// Context: signal handler of the thread that runs `g`. May only do what is async-signal-safe.
    fn sample(&self, g: &G, context: Context, to: &mut [usize]) -> usize {
        let _ = (g, context, to);
        0
    }

    /// The frames of what [`sample`](Self::sample) has written, as [`stack`](Self::stack) gives
    /// them.
    fn frames(&self, sample: &[usize]) -> Vec<usize> {
        let _ = sample;
        Vec::new()
    }

    /// Where `g` is, for [`places_at`](Self::places_at): the innermost frames, as many as `pcs` has
    /// room for, or, if that is one, the innermost of the program itself; how many there are. `g`
    /// has saved its registers.
    fn innermost(&self, g: &G, pcs: &mut [usize]) -> usize {
        let _ = (g, pcs);
        0
    }

    /// Whether the instruction at `pc` is of the program itself, and not of the library.
    fn is_own(&self, pc: usize) -> bool {
        let _ = pc;
        false
    }

    /// The functions that the instruction at `pc` belongs to, with file and line: calls compiled in
    /// place first.
    fn places_at(&self, pc: usize, say: &mut dyn FnMut(&str, &str, u32)) {
        let _ = (pc, say);
    }

    /// The name of the function that begins at `pc`.
    fn function_at(&self, pc: usize) -> String {
        let _ = pc;
        String::new()
    }

    /// Where the function begins that `g` is made to run: not the one that the compiler has put
    /// between, if it is made for a call with arguments. And whether that is so of each goroutine
    /// that begins where `g` does.
    ///
    /// Context: `g` is new, `init` of `spawn` done.
    fn begins_with(&self, g: &G) -> (usize, bool) {
        (g.startpc, true)
    }

    /// The text of a type of channels' elements, as Go spells it; empty if it is not known.
    fn elem_type(&self, elem: ElemType) -> String {
        let _ = elem;
        String::new()
    }

    /// Is the instruction part of what makes locks and the like, whose races are none?
    fn hides_races(&self, pc: usize) -> bool {
        let _ = pc;
        false
    }

    /// A fault in user code on `g`, at `nil` if it was an access near address 0 while `g` ran and
    /// its M held no lock. The engine may turn that into a panic of the program by changing the
    /// machine's `context`.
    ///
    /// Context: signal handler on the alternate stack. May only do what is async-signal-safe.
    fn fault(&self, g: &mut G, nil: Option<usize>, context: Context) -> FaultEnd {
        let _ = (g, nil, context);
        FaultEnd::Fault
    }

    /// Rust code that works for `g` has panicked, which is a bug of ours: `text` says how. `true`:
    /// the engine has made a panic of the program of it, and [`Engine::leave_native`] comes next.
    ///
    /// Context: coroutine of `g`, which runs; its M holds no lock.
    fn native_panicked(&self, g: &mut G, text: &str) -> bool {
        let _ = (g, text);
        false
    }

    /// Leaves the Rust code that has panicked by changing the machine's `context`.
    ///
    /// Context: as `fault`, after `native_panicked`.
    fn leave_native(&self, g: &mut G, context: Context) {
        let _ = (g, context);
    }

    /// What of the program `g` is doing, as the program names it.
    ///
    /// Context: coroutine of `g`.
    fn operation(&self, g: &G) -> Option<String> {
        let _ = g;
        None
    }

    /// Whether `g` is in a call that gives a lock of its caller away for a while, as
    /// `sync.Cond.Wait` does: the lock is not its own.
    ///
    /// Context: `g` does not run.
    fn is_unlocked(&self, g: &G) -> bool {
        let _ = g;
        false
    }

    /// Starts a goroutine that calls the func value `func` with `arg`, such as the one that runs
    /// finalizers.
    ///
    /// Context: g0 or coroutine, with a P.
    fn spawn_callback(&self, m: &mut M, func: usize, arg: usize) {
        let _ = (m, func, arg);
    }
}

/// Receives roots.
pub trait RootVisitor {
    /// A word which is, or may be, a pointer. Any value is safe.
    fn word(&mut self, w: usize);

    /// The word at `at`, which is live and by its type a pointer: one into free memory of the heap
    /// ends the program, unless `GODEBUG=invalidptr=0` forbids it.
    fn pointer(&mut self, at: *const usize);

    /// `n` words from `lo`, each of which may be a pointer.
    fn range(&mut self, lo: *const usize, n: usize);
}
