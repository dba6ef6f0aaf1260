#![allow(unsafe_code)]
//! Starting the runtime, the main goroutine's part of it, and the end of the process.
//!
//! Go: runtime/proc.go, schedinit, main; runtime.go, os_beforeExit.

use super::helpers::{
    HELPERS, Helper, finalizer, force_gc_helper, scavenger, set_helper, sweeper, updater,
    wait_helpers,
};
use super::locked::{unwire, wire};
use super::newproc::{spawn_raw, spawn_system};
use super::park::{gopark, gosched};
use super::schedule::m_loop;
use super::thread::{alloc_m, bind_thread, reserve_id};
use crate::clock::nanotime;
use crate::coro::on_g0;
use crate::engine::{Engine, Outcome};
use crate::g::{G, WaitReason};
use crate::m::{M, ParkArg};
use crate::sched::SCHED;
use crate::sync::{AtomicUsize, Ordering};
use crate::{control, cpus, gc, knobs, panic, prof, prompt, race, signal, stw, sysmon, trace};

/// Starts the runtime on this thread and runs the main goroutine, whose first frame `init` lays.
/// Never returns: the process ends with the program.
///
/// When the runtime has set itself up it calls the engine with the main goroutine. The engine
/// runs the program's initialisation, calls [`main_init_done`], runs `main.main`, and calls
/// [`main_exit`].
pub fn start(engine: &'static dyn Engine, init: impl FnOnce(&mut G)) -> ! {
    panic::install_hook();
    crate::faults::read_environment();
    crate::edges::read_environment();
    knobs::read_environment();
    boot("args");
    boot("osinit");
    cpus::at_start();
    boot("schedinit");
    crate::gc::start();
    let id = {
        let _s = SCHED.lock.guard();
        reserve_id()
    };
    let m = alloc_m(id, engine);
    bind_thread(m);
    if SEEDED.load(Ordering::Relaxed) == 0 {
        crate::rand::set_seed(crate::rand::entropy());
    }
    SCHED.lastpoll.store(nanotime(), Ordering::SeqCst);
    // SAFETY: no other thread knows of the runtime.
    unsafe {
        stw::first_ps(m, knobs::initial_procs());
        signal::install();
        boot("newproc main");
        spawn_raw(&mut *m, 0, 0, false, |g| {
            init(g);
            g.native = Some(runtime_main);
        });
        boot("mstart");
        boot("schedule");
        m_loop(m);
    }
    crate::throw!("the first thread returned");
}

/// 1 if the seed was set by hand.
static SEEDED: AtomicUsize = AtomicUsize::new(0);

/// Fixes the seed of all random streams, so that runs can be repeated. Before [`start`]. For tests.
pub fn set_seed(seed: u64) {
    SEEDED.store(1, Ordering::Relaxed);
    crate::rand::set_seed(seed);
}

fn boot(step: &str) {
    if knobs::get(knobs::Knob::BootTrace) != 0 {
        panic::print(format_args!("boot: {step}\n"));
    }
}

/// The main goroutine's part before the program's: sysmon, the runtime's own goroutines.
///
/// The helpers are started, waited for and left queued just as real Go does it, so that the
/// program begins with the same two goroutines in the ring and the same tick: golden orders of
/// runs depend on both.
fn runtime_main(m: &mut M, g: &mut G) -> Outcome {
    let step = g.native_state;
    g.native_state += 1;
    match step {
        0 => {
            boot("execute G1");
            SCHED.main_started.store(true, Ordering::Relaxed);
            if !fault!(NoSysmon) {
                on_g0(m, sysmon::start);
                boot("sysmon started");
            }
            m.locked_int += 1;
            if !fault!(UnwiredInit) {
                wire(m);
            }
            boot("runtime init");
            set_helper(Helper::ForceGc, spawn_system(m, force_gc_helper));
            set_helper(Helper::Sweeper, spawn_system(m, sweeper));
            set_helper(Helper::Scavenger, spawn_system(m, scavenger));
            wait_helpers(m, g)
        }
        _ if HELPERS.load(Ordering::SeqCst) < 2 => wait_helpers(m, g),
        _ => {
            boot("gc enabled");
            set_helper(Helper::Updater, spawn_system(m, updater));
            set_helper(Helper::Finalizer, spawn_system(m, finalizer));
            boot("main init");
            g.native = None;
            g.native_state = 0;
            Outcome::Again
        }
    }
}

/// Program initialisation is over: the main goroutine is not wired to the first thread any more.
///
/// Context: coroutine, main goroutine.
pub fn main_init_done(m: &mut M) {
    boot("main.main");
    main_init_failed(m);
}

/// The main goroutine dies of a panic. If that is while packages are initialised it is no longer
/// wired to the first thread, as after a deferred call of Go's runtime.main.
///
/// Context: coroutine, main goroutine.
pub fn main_init_failed(m: &mut M) {
    if m.locked_int > 0 {
        m.locked_int -= 1;
        unwire(m);
    }
}

/// `main.main` has returned: ends the process.
///
/// Other goroutines are not waited for. If one of them dies of a panic just now, it ends the
/// process instead.
///
/// Context: coroutine, main goroutine.
pub fn main_exit(m: &mut M, code: i32) -> ! {
    if control::is_on() {
        control::main_ends(m);
    }
    let (mut m, code) = gc::leaks::at_end(m, code);
    while fault!(MainWaits) {
        m = gosched(m);
    }
    // Goroutines that run deferred calls because of a panic may yet end the process with its
    // status.
    for _ in 0..1000 {
        if panic::PANIC_DEFERS.load(Ordering::SeqCst) == 0 || fault!(ExitPastPanics) {
            break;
        }
        m = gosched(m);
    }
    while SCHED.panicking.load(Ordering::SeqCst) != 0 {
        m = gopark(m, None, ParkArg::NONE, WaitReason::PanicWait);
    }
    exit(code)
}

/// Ends the process at once. Go: os.Exit.
pub fn exit(code: i32) -> ! {
    prof::leaving();
    prompt::leaving(true);
    let code = if fault!(ExitStatusZero) { 0 } else { code };
    let code = race::status(code);
    let code = trace::finish(trace::End::Status(code));
    control::tape::ends(code);
    // SAFETY: ends the process; nothing of ours needs cleaning.
    unsafe { libc::_exit(code) }
}
