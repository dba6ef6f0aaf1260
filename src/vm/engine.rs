#![allow(unsafe_code)]
//! The VM as the scheduler sees it: [`Engine`] for goroutines that run bytecode;
//! starting a program.
//!
//! # Invariants
//!
//! - E1. `start` has made everything known that never changes (stubs, natives, the program) before
//!   the first goroutine runs.
//!
//! Go: runtime/proc.go, main and newproc.

use super::call;
use super::exec;
use super::frame::{self, State, Words};
use super::native::NativeEntry;
use super::roots;
use super::slow;
use super::traceback;
use super::trap;
use crate::bytecode::arena::GLOBALS;
use crate::bytecode::func::{self, Word};
use crate::bytecode::image::Image;
use gosched_runtime::FaultEnd;
use gosched_runtime::coro;
use gosched_runtime::g::G;
use gosched_runtime::m::M;
use gosched_runtime::proc;
use gosched_runtime::signal::Context;
use gosched_runtime::{Engine, Outcome, RootVisitor};
use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

static IMAGE: OnceLock<Image> = OnceLock::new();

/// The packages have been initialised: the main goroutine runs `main.main`.
static IN_MAIN: AtomicBool = AtomicBool::new(false);

/// The engine of bytecode.
#[derive(Debug)]
pub struct Vm;

static VM: Vm = Vm;

/// Runs the program on the scheduler; `natives` is the table whose places its code names. The
/// process ends with it.
pub fn start(image: Image, natives: Vec<NativeEntry>) -> ! {
    exec::prepare();
    frame::set_stubs(image.stubs);
    slow::set_natives(natives, &image.natives);
    let init = image.init;
    let _ = IMAGE.set(image);
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
        let main = IMAGE.get().map_or(0, |i| i.main);
        call::lay(&mut *g, main, 0);
        None
    }
}

impl Engine for Vm {
    fn run(&self, _m: &mut M, g: &mut G) -> Outcome {
        // SAFETY: E1 of the runtime's engine: `g` runs on `m`, its registers are as they were left.
        unsafe { call::resume(g) }
    }

    fn scan_stack(&self, g: &G, v: &mut dyn RootVisitor) {
        // SAFETY: the collector has stopped `g`.
        unsafe { roots::scan_stack(g, v) }
    }

    fn scan_globals(&self, v: &mut dyn RootVisitor) {
        let Some(image) = IMAGE.get() else { return };
        for root in &image.roots {
            let words = root
                .words
                .iter()
                .cycle()
                .take(root.words.len() * root.count);
            for (k, word) in words.enumerate() {
                let at = root.addr + 8 * k;
                debug_assert!(GLOBALS.contains(at));
                match word {
                    Word::Scalar => {}
                    Word::Pointer => v.pointer(at as *const usize),
                    // SAFETY: a word of the globals' arena, which is mapped for ever.
                    Word::Maybe => v.word(unsafe { *(at as *const usize) }),
                }
            }
        }
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

    fn fault(&self, g: &mut G, nil: Option<usize>, context: Context) -> FaultEnd {
        // What forbids preemption has said before where it is.
        // SAFETY: `g` is the G of this thread, and has its M.
        if unsafe { (*g.m).locks } != 0 {
            return FaultEnd::InRuntime;
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

    fn goroutine_ended(&self, g: &mut G) {
        // SAFETY: `g` is dead and ours.
        unsafe {
            if let Some(state) = State::get(g) {
                state.reset();
            }
            (*Words::at(g)).pending = 0;
        }
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
