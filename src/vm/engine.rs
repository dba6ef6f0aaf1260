#![allow(unsafe_code)]
//! The VM as the scheduler sees it: [`Engine`] for goroutines that run bytecode;
//! starting a program.
//!
//! # Invariants
//!
//! - E1. What a goroutine calls has been loaded before it is called.
//!
//! Go: runtime/proc.go, main and newproc.

use super::call;
use super::exec;
use super::frame;
use super::native::{NativeEntry, table};
use super::profile;
use super::prompt;
use super::roots;
use super::started;
use super::tier;
use super::traceback;
use super::trap;
use bytecode::arena::GLOBALS;
use bytecode::func::{self, Word};
use bytecode::image::{Loaded, Unloadable, image};
use bytecode::rtype::{self, Rtype};
use bytecode::unit::Unit;
use gosched_runtime::FaultEnd;
use gosched_runtime::chan::ElemType;
use gosched_runtime::coro;
use gosched_runtime::g::G;
use gosched_runtime::m::M;
use gosched_runtime::proc;
use gosched_runtime::sched::Gref;
use gosched_runtime::signal::Context;
use gosched_runtime::{Engine, GlobalsAt, Outcome, RootVisitor, Stack};
use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// `main.main` of the program.
static MAIN: AtomicU32 = AtomicU32::new(0);

/// The packages have been initialised: the main goroutine runs `main.main`.
static IN_MAIN: AtomicBool = AtomicBool::new(false);

/// What channels know of the type of their elements.
#[inline]
pub(crate) fn elem_type(elem: &Rtype) -> ElemType {
    ElemType(elem.id + 1) // 0 is none
}

/// The engine of bytecode.
#[derive(Debug)]
pub(crate) struct Vm;

static VM: Vm = Vm;

/// Adds `unit` to what can be run; `find` knows the natives by their names.
pub fn load(
    unit: Unit,
    find: &mut dyn FnMut(&str) -> Option<NativeEntry>,
) -> Result<Loaded, Unloadable> {
    image().add(unit, &mut |name, pos| table::place(name, pos, find))
}

/// Runs a program that has been loaded on the scheduler. The process ends with it.
pub fn start(program: Loaded) -> ! {
    exec::prepare();
    MAIN.store(program.main, Ordering::Relaxed);
    launch(program.init)
}

/// Starts the scheduler with a main goroutine that calls function `init`.
pub(super) fn launch(init: u32) -> ! {
    proc::start(&VM, |g| {
        // SAFETY: the main goroutine is fresh.
        unsafe { call::lay(g, init, 0) }
    })
}

/// Starts a goroutine that calls the func value `f`, for the `go` statement at `gopc`.
pub(super) fn spawn(m: &mut M, f: usize, gopc: usize) {
    // SAFETY: a func value begins with the index of its function.
    let index = unsafe { *(f as *const u64) } as u32;
    let entry = func::entry(index).entry.load(Ordering::Relaxed);
    proc::spawn(m, gopc, entry, |g| {
        // SAFETY: the goroutine is fresh.
        unsafe { call::first_frame(g, f) }
    });
}

/// The function of `g`'s first frame has returned. `None`: it has another one to run.
///
/// # Safety
/// `g` is the running G.
pub(super) unsafe fn function_ended(g: *mut G) -> Option<Outcome> {
    // SAFETY: the caller's.
    unsafe {
        if !(*g).is_main() {
            return Some(Outcome::Exit);
        }
        let m = &mut *(*g).m;
        if IN_MAIN.swap(true, Ordering::Relaxed) {
            proc::main_exit(m, 0);
        }
        proc::main_init_done(m);
        if prompt::attach(m) {
            return Some(Outcome::Park);
        }
        call::lay(&mut *g, MAIN.load(Ordering::Relaxed), 0);
        None
    }
}

impl Engine for Vm {
    fn run(&self, _m: &mut M, g: &mut G) -> Outcome {
        // SAFETY: runtime::engine::E1: `g` runs on `m`, its registers are as they were left.
        unsafe { call::resume(g) }
    }

    fn scan_stack(&self, g: &G, v: &mut dyn RootVisitor) {
        // SAFETY: the collector has stopped `g`.
        unsafe { roots::scan_stack(g, v) }
    }

    fn collected(&self, gs: &[Gref]) {
        if tier::is_full() {
            // SAFETY: the world is stopped.
            unsafe { tier::give_back(gs) }
        }
    }

    fn scan_globals(&self, at: GlobalsAt, n: usize, v: &mut dyn RootVisitor) -> Option<GlobalsAt> {
        if at.variables == 0 && at.words == 0 {
            roots::scan_kept(v);
        }
        let mut left = n;
        for (k, root) in image().roots().iter().enumerate().skip(at.variables) {
            let from = if k == at.variables { at.words } else { 0 };
            let all = root.words.len() * root.count;
            let to = all.min(from.saturating_add(left));
            for (word, at) in (from..to).map(|k| (k, root.addr + 8 * k)) {
                debug_assert!(GLOBALS.contains(at));
                match root.words[word % root.words.len()] {
                    Word::Scalar => {}
                    Word::Pointer => v.pointer(at as *const usize),
                    // SAFETY: a word of the globals' arena, which is mapped for ever.
                    Word::Maybe => v.word(unsafe { *(at as *const usize) }),
                }
            }
            // Small ones count too.
            left = left.saturating_sub(to - from + 1);
            if left == 0 {
                let (variables, words) = if to == all { (k + 1, 0) } else { (k, to) };
                return Some(GlobalsAt { variables, words });
            }
        }
        None
    }

    fn globals(&self) -> Range<usize> {
        GLOBALS.extent()
    }

    fn bad_pointer(&self, g: &G) -> Option<(&'static str, usize, usize)> {
        // SAFETY: the caller has stopped `g`.
        unsafe { roots::bad_pointer(g) }
    }

    fn stack_top(&self, g: &G) -> usize {
        // SAFETY: as `scan_stack`.
        unsafe { roots::stack_top(g) }
    }

    fn traceback(&self, g: &G, out: &mut dyn fmt::Write, level: i32) {
        // SAFETY: the caller has stopped `g`, or is it.
        unsafe { traceback::write(g, out, level) }
    }

    fn way_in(&self, g: &G) -> Vec<usize> {
        // SAFETY: the caller's: `g` has saved its registers.
        unsafe { traceback::way_in(g) }
    }

    fn frames_at(&self, pcs: &[usize], out: &mut dyn fmt::Write) {
        traceback::write_at(pcs, out);
    }

    fn way_out(&self, g: &G) -> Vec<usize> {
        // SAFETY: the caller's: `g` has saved its registers.
        unsafe { traceback::way_out(g) }
    }

    fn stack(&self, g: &G, which: Stack, max: usize) -> Vec<usize> {
        // SAFETY: the caller's: `g` does not run, or has saved its registers.
        unsafe { profile::stack(g, which, max) }
    }

    fn sample(&self, g: &G, context: Context, to: &mut [usize]) -> usize {
        // SAFETY: the caller's: `g` is the G of this thread, which is in the signal handler.
        unsafe { profile::sample(g, context, to) }
    }

    fn frames(&self, sample: &[usize]) -> Vec<usize> {
        profile::frames(sample)
    }

    fn innermost(&self, g: &G, pcs: &mut [usize]) -> usize {
        // SAFETY: the caller's: `g` has saved its registers.
        unsafe { traceback::innermost(g, pcs) }
    }

    fn is_own(&self, pc: usize) -> bool {
        func::find(pc).is_some_and(|info| {
            info.flags & func::STD == 0 && !info.is_wrapper() && !info.is_stub()
        })
    }

    fn places_at(&self, pc: usize, say: &mut dyn FnMut(&str, &str, u32)) {
        traceback::places_at(pc, say);
    }

    fn function_at(&self, pc: usize) -> String {
        func::find(pc).map_or_else(String::new, |info| info.name.to_string())
    }

    fn begins_with(&self, g: &G) -> (usize, bool) {
        // SAFETY: the caller's: `g` is new.
        unsafe { started::entry(g) }
    }

    fn elem_type(&self, elem: ElemType) -> String {
        match elem {
            ElemType::NONE => String::new(),
            ElemType::TICK => "time.Time".into(),
            ElemType(n) => rtype::numbered(n - 1).map_or_else(String::new, |t| t.string.into()),
        }
    }

    fn hides_races(&self, pc: usize) -> bool {
        let hidden = ["sync.", "sync/atomic.", "runtime.", "internal/"];
        func::find(pc).is_some_and(|info| {
            info.flags & func::STD != 0 && hidden.iter().any(|p| info.name.starts_with(p))
        })
    }

    fn fault(&self, g: &mut G, nil: Option<usize>, context: Context) -> FaultEnd {
        // What forbids preemption has said before where it is.
        // SAFETY: `g` is the G of this thread, and has its M.
        if unsafe { (*g.m).locks } != 0 {
            return FaultEnd::InRuntime;
        }
        // SAFETY: in the signal handler.
        if unsafe { trap::leaves_native(context) } {
            return FaultEnd::Resumed;
        }
        let end = match nil {
            // SAFETY: `g` is the G of this thread, which is in the signal handler.
            Some(addr) => unsafe { trap::fault(g, addr, context) },
            None => FaultEnd::Fault,
        };
        if end == FaultEnd::Resumed {
            return end;
        }
        // What follows ends the process; only its traceback asks where the goroutine was.
        let mut words = [0; 160];
        let n = coro::words_of(context, &mut words);
        // SAFETY: `g` is the G of this thread, which is in the signal handler.
        unsafe {
            if let Some((pc, fp)) = frame::interrupted(g, &words[..n]) {
                g.sched.pc = pc;
                g.sched.fp = fp;
            }
        }
        end
    }

    fn native_panicked(&self, g: &mut G, text: &str) -> bool {
        // SAFETY: `g` is the G of this thread, and runs.
        unsafe { trap::native_panicked(g, text) }
    }

    fn leave_native(&self, g: &mut G, context: Context) {
        // SAFETY: the runtime's: `native_panicked` has been asked.
        unsafe { trap::leave_native(g, context) }
    }

    fn operation(&self, g: &G) -> Option<String> {
        let name = traceback::native_name(g.sched.pc);
        name.map(str::to_string)
            .or_else(|| super::panic::op_at(g.sched.pc).map(|op| format!("{op:?}")))
    }

    fn is_unlocked(&self, g: &G) -> bool {
        // SAFETY: the caller has stopped `g`.
        unsafe { call::is_unlocked(g) }
    }

    fn spawn_callback(&self, m: &mut M, f: usize, arg: usize) {
        // SAFETY: as in `spawn`.
        let index = unsafe { *(f as *const u64) } as u32;
        let entry = func::entry(index).entry.load(Ordering::Relaxed);
        let closure_slot = func::info(index).map_or(0, |f| f.closure_slot as usize);
        proc::spawn(m, 0, entry, |g| {
            debug_assert!(closure_slot <= 1);
            // SAFETY: the goroutine is fresh; there is room for one parameter.
            unsafe {
                call::first_frame(g, f);
                let fp = g.sched.fp as *mut usize;
                if closure_slot > 0 {
                    *fp = arg;
                    *fp.add(closure_slot) = f;
                    g.sched.top = fp as usize + 8 * (closure_slot + 1);
                }
            }
        });
    }
}
