#![allow(unsafe_code)]
//! Dying: `throw` for our own failures, `fatal` for the program's, uncaught panics, and the
//! deadlock check.
//!
//! # Invariants
//!
//! - Z1. Once a thread dies it never goes back to running Gs; the process ends with it.
//!
//! Go: runtime/panic.go, throw, fatal, startpanic_m, dopanic_m; runtime/proc.go, checkdead,
//! freezetheworld.

use std::fmt;
use std::ptr;

use crate::g::{G, Status};
use crate::knobs::{self, Knob};
use crate::m::M;
use crate::preempt;
use crate::sched::{SCHED, for_each_g, try_allp};
use crate::sync::{AtomicI32, AtomicU32, Ordering, usleep};
use crate::{prompt, sysmon, tls, trace, traceback};

/// Ends the process because the runtime is wrong: prints `fatal error:`, all goroutines, exit 2.
#[macro_export]
macro_rules! throw {
    ($($arg:tt)*) => { $crate::panic::throw(::std::format_args!($($arg)*)) };
}

/// Ends the process because the program did what cannot be recovered: prints `fatal error:` and
/// the goroutine that did it, all of them if none did or GOTRACEBACK says so, exit 2.
#[macro_export]
macro_rules! fatal {
    ($($arg:tt)*) => { $crate::panic::fatal(::std::format_args!($($arg)*)) };
}

/// Goroutines that run deferred calls because of a panic; the main goroutine lets them finish.
pub static PANIC_DEFERS: AtomicU32 = AtomicU32::new(0);

/// Writes to standard error, past all buffers.
pub fn print(text: fmt::Arguments<'_>) {
    if crate::control::tape::is_print_elsewhere() {
        return;
    }
    let s = text.to_string();
    let mut b = s.as_bytes();
    while !b.is_empty() {
        // SAFETY: the buffer lives over the call.
        let n = unsafe { libc::write(2, b.as_ptr().cast(), b.len()) };
        if n <= 0 {
            return;
        }
        b = &b[n as usize..];
    }
}

/// Makes of a panic of Rust code, which is a bug of ours, a panic of the program if it happens in a
/// function of the library that holds no lock of the runtime; else it ends the process as `throw`
/// does.
///
/// Rust's frames vanish without their destructors, by the signal with which Rust ends a process
/// behind this hook: what they have of Rust memory is lost.
pub(crate) fn install_hook() {
    std::panic::set_hook(Box::new(|info| {
        let text = told(info);
        #[cfg(not(any(loom, shuttle)))]
        if becomes_panic(&text) {
            tls::set_panicked(true);
            leave_hook();
            return;
        }
        let m = tls::current_m();
        // SAFETY: the M is this thread's, and so is its G.
        let doing = unsafe {
            let g = m.as_ref().and_then(|m| m.curg.as_ref());
            g.and_then(|g| (*m).engine.operation(g))
        };
        match doing {
            Some(doing) => throw(format_args!("{doing}: {text}")),
            None => throw(format_args!("{text}")),
        }
    }));
}

/// Rust code asks for `size` bytes, which cannot be: it has been given a torn or made length. If it
/// is a function of the library, the program gets a panic for it.
pub fn absurd_size(size: usize) {
    #[cfg(not(any(loom, shuttle)))]
    if becomes_panic(&format!("cannot allocate {size} bytes")) {
        tls::set_panicked(true);
        std::process::abort();
    }
    let _ = size;
}

/// What is said of a Rust panic, which is a bug of ours.
pub fn told(info: &std::panic::PanicHookInfo<'_>) -> String {
    let text = info.payload_as_str().unwrap_or_default();
    let at = info.location().map(place).unwrap_or_default();
    format!("internal error: {text} ({at}); please report it")
}

/// Where Rust code has panicked, without folders of the machine that has built us.
fn place(at: &std::panic::Location<'_>) -> String {
    let file = at.file();
    let inside = ["/registry/src/", "/rustc/"].iter().find_map(|root| {
        let (_, rest) = file.split_once(root)?;
        Some(rest.split_once('/')?.1)
    });
    let file = match inside {
        Some(file) => file,
        None if file.starts_with('/') => file.rsplit('/').next().unwrap_or_default(),
        None => file,
    };
    format!("{file}:{}", at.line())
}

/// Does what this thread runs become a panic of the program?
#[cfg(not(any(loom, shuttle)))]
fn becomes_panic(text: &str) -> bool {
    let m = tls::current_m();
    // SAFETY: the M is this thread's, and so is its G.
    unsafe {
        let Some(m) = m.as_mut() else { return false };
        let Some(g) = m.curg.as_mut() else {
            return false;
        };
        m.dying.load(Ordering::SeqCst) == 0
            && !m.yielder.is_null()
            && m.locks == 0
            && g.status() == crate::g::Status::Running
            && m.engine.native_panicked(g, text)
    }
}

/// Has Rust end the process, as it does by itself where panics do not unwind.
#[cfg(not(any(loom, shuttle)))]
fn leave_hook() {
    #[cfg(panic = "unwind")]
    {
        // The thread is not in a hook any more once a panic has been caught.
        let _ = std::panic::catch_unwind(|| std::panic::resume_unwind(Box::new(())));
        std::process::abort();
    }
}

/// See [`throw!`](crate::throw!).
#[cold]
pub fn throw(text: fmt::Arguments<'_>) -> ! {
    die(Kind::Runtime, Some(text))
}

/// See [`fatal!`](crate::fatal!).
#[cold]
pub fn fatal(text: fmt::Arguments<'_>) -> ! {
    die(Kind::User, Some(text))
}

/// Ends the process because of a panic that was not recovered and has been printed: prints the
/// goroutine, all of them if GOTRACEBACK says so, exit 2. If it tells of a deadlock in a bubble,
/// `bubble` is its number, and the bubble's goroutines are printed, too.
///
/// Context: coroutine.
#[cold]
pub fn fatal_panic(bubble: Option<u32>) -> ! {
    die(Kind::Panic(bubble), None)
}

/// Prints the current goroutine, which ends by a panic that was not recovered and has been printed;
/// the process goes on.
///
/// Context: coroutine.
#[cold]
pub fn print_panicked(m: &mut M) {
    let tb = knobs::traceback();
    if tb.level > 0 {
        traceback::print_one(m, m.curg, tb.level, tb.level >= 2);
    }
}

/// As `throw`, because of the program: where the runtime was does not matter.
#[cold]
pub(crate) fn throw_at_program(text: fmt::Arguments<'_>) -> ! {
    die(Kind::Program, Some(text))
}

/// As `throw`, in a signal handler.
#[cold]
pub(crate) fn throw_on_signal(text: fmt::Arguments<'_>) -> ! {
    throw(text)
}

/// Ends the process because of a fault in the program's code that is no panic; `text` is printed
/// first.
#[cold]
pub(crate) fn fault(text: fmt::Arguments<'_>) -> ! {
    print(text);
    die(Kind::Runtime, None)
}

/// Ends the process because it has exceeded a limit: prints the text, the goroutines that
/// GOTRACEBACK asks for, and exits with `status`.
#[cold]
pub(crate) fn exceeded(status: i32, text: fmt::Arguments<'_>) -> ! {
    die(Kind::Limit(status), Some(text))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Runtime,
    /// As `Runtime`, because of the program.
    Program,
    User,
    Panic(Option<u32>),
    /// The exit status.
    Limit(i32),
}

impl Kind {
    /// What the text begins with.
    fn head(self) -> &'static str {
        match self {
            Kind::Limit(_) => "gosched: ",
            _ => "fatal error: ",
        }
    }
}

/// How deep this thread is in dying, where it has no M to count it.
static DYING: AtomicI32 = AtomicI32::new(0);
/// Threads that print before the process ends.
static PRINTER: crate::sync::AtomicBool = crate::sync::AtomicBool::new(false);

#[cfg(any(loom, shuttle))]
fn die(_kind: Kind, text: Option<fmt::Arguments<'_>>) -> ! {
    crate::sync::model::died(text)
}

#[cfg(not(any(loom, shuttle)))]
fn die(kind: Kind, text: Option<fmt::Arguments<'_>>) -> ! {
    let m = tls::current_m();
    let dying = if m.is_null() {
        &DYING
    } else {
        // SAFETY: an M is never freed while its thread lives.
        unsafe { &(*m).dying }
    };
    match dying.fetch_add(1, Ordering::SeqCst) {
        0 => {}
        1 => {
            if let Some(t) = text {
                print(format_args!("{}{t}\n", kind.head()));
            }
            print(format_args!("panic during panic\n"));
            end(3);
        }
        2 => {
            print(format_args!("stack trace unavailable\n"));
            end(4);
        }
        _ => end(5),
    }
    SCHED.panicking.fetch_add(1, Ordering::SeqCst);
    if let Some(t) = text
        && !fault!(NoFatalLine)
    {
        print(format_args!("{}{t}\n", kind.head()));
    }
    // Dying threads print one after the other; the last one ends the process.
    while PRINTER.swap(true, Ordering::Acquire) {
        usleep(1000);
    }
    #[cfg(debug_assertions)]
    tls::held_forget();
    if knobs::get(Knob::SchedTrace) > 0 || knobs::get(Knob::SchedDetail) > 0 {
        without_sched_lock(|| trace::sched_trace(true));
    }
    freeze_the_world(m);
    let tb = knobs::traceback();
    let is_throw = matches!(kind, Kind::Runtime | Kind::Program);
    let level = if is_throw { 2 } else { tb.level };
    if level > 0 && try_allp().is_some() && !m.is_null() {
        // SAFETY: Z1 — this thread's M does nothing else any more.
        let (g, on_g0) = unsafe { ((*m).curg, (*m).yielder.is_null()) };
        let detailed = level >= 2;
        let mut all = tb.all || is_throw;
        let mut shown: *mut G = ptr::null_mut();
        if g.is_null() || on_g0 {
            all = true;
            match kind {
                Kind::Runtime => print(format_args!("\nruntime stack:\n{}", native_frames())),
                Kind::Program => print(format_args!("\nruntime stack:\nruntime.throw(...)\n")),
                _ => {}
            }
        } else {
            traceback::print_one(m, g, level, detailed);
            shown = g;
        }
        if all {
            traceback::print_others(m, shown, level, detailed);
        } else if let Kind::Panic(Some(bubble)) = kind {
            traceback::print_bubble(m, shown, level, detailed, bubble);
        }
    }
    PRINTER.store(false, Ordering::Release);
    if SCHED.panicking.fetch_sub(1, Ordering::SeqCst) != 1 {
        // Another thread dies too: it ends the process when it has printed.
        crate::sync::block_forever();
    }
    if tb.crash {
        prompt::leaving(false);
        trace::finish(trace::End::Signal(libc::SIGABRT));
        // SAFETY: ends the process by the signal, its default action restored.
        unsafe {
            libc::signal(libc::SIGABRT, libc::SIG_DFL);
            libc::abort();
        }
    }
    if let Kind::Panic(_) | Kind::Limit(_) = kind {
        crate::prof::leaving();
    }
    match kind {
        Kind::Limit(status) => end(status),
        _ => end(2),
    }
}

fn end(code: i32) -> ! {
    prompt::leaving(false);
    leave(crate::trace::finish(crate::trace::End::Status(code)))
}

/// Ends the process, of which all has been told.
pub(crate) fn leave(code: i32) -> ! {
    crate::control::tape::ends(code);
    // SAFETY: ends the process.
    unsafe { libc::_exit(code) }
}

/// Runs `f` if the sched lock is free.
fn without_sched_lock(f: impl FnOnce()) {
    for _ in 0..100 {
        if !SCHED.lock.is_locked() {
            f();
            return;
        }
        usleep(100);
    }
}

/// The innermost frames of the native stack, as far as symbols are known. They name no files: those
/// are of the machine that has built us.
fn native_frames() -> String {
    if std::env::var_os("RUST_BACKTRACE").is_none() {
        // Finding symbols takes long, so it is done only when asked for.
        return "runtime.throw(...)\n".to_string();
    }
    let mut s = String::new();
    for line in std::backtrace::Backtrace::force_capture()
        .to_string()
        .lines()
        .take(100)
    {
        if let Some((n, name)) = line.trim_start().split_once(": ")
            && n.bytes().all(|b| b.is_ascii_digit())
        {
            if name.contains("m_loop") {
                // Below is only what has started the runtime, which a replay does elsewhere.
                break;
            }
            s.push_str(name);
            s.push_str("(...)\n");
        }
    }
    s
}

/// Stops the other threads as well as can be done; never undone.
pub(crate) fn freeze_the_world(m: *mut M) {
    if try_allp().is_none()
        || knobs::get(Knob::DontFreezeTheWorld) != 0
        || SCHED.freezing.swap(true, Ordering::SeqCst)
    {
        return;
    }
    SCHED.gcwaiting.store(true, Ordering::SeqCst);
    for _ in 0..5 {
        if !preempt::all(m) {
            break;
        }
        usleep(1000);
    }
}

/// Dies if no G can ever run again. The sched lock is held.
///
/// Called whenever an M becomes idle, waits for its wired G, or ends.
pub(crate) fn check_dead() {
    // SAFETY: the lock is held.
    let l = unsafe { SCHED.locked() };
    let run = l.mnext - l.nmfreed - l.nmidle - l.nmidlelocked - l.nmsys;
    if run > 0 || SCHED.freezing.load(Ordering::Relaxed) || fault!(NoDeadlockCheck) {
        return;
    }
    if SCHED.panicking.load(Ordering::SeqCst) != 0 {
        return;
    }
    if run < 0 {
        let (n, i, li, s) = (l.mnext - l.nmfreed, l.nmidle, l.nmidlelocked, l.nmsys);
        SCHED.lock.unlock();
        print(format_args!(
            "runtime: checkdead: nmidle={i} nmidlelocked={li} mcount={n} nmsys={s}\n"
        ));
        crate::throw!("checkdead: inconsistent counts");
    }
    if SCHED.gcwaiting.load(Ordering::Relaxed) || !SCHED.main_started.load(Ordering::Relaxed) {
        return;
    }
    if SCHED.holds.load(Ordering::Relaxed) != 0 {
        return; // It can be let go.
    }
    let mut waiting = 0;
    let mut bad: *mut G = ptr::null_mut();
    for_each_g(|g| {
        // SAFETY: descriptors are never freed.
        unsafe {
            if (*g).is_system {
                return;
            }
            match (*g).status() {
                Status::Waiting | Status::Preempted => waiting += 1,
                Status::Runnable | Status::Running | Status::Syscall => bad = g,
                _ => {}
            }
        }
    });
    if !bad.is_null() {
        SCHED.lock.unlock();
        // SAFETY: as above.
        let (id, s) = unsafe { ((*bad).goid.0, (*bad).status()) };
        print(format_args!(
            "runtime: checkdead: find g {id} in status {}\n",
            s.name()
        ));
        crate::throw!("checkdead: runnable g");
    }
    if waiting == 0 {
        SCHED.lock.unlock();
        crate::panic::no_goroutines();
    }
    if sysmon::next_timer() != 0 {
        return;
    }
    let starving = crate::coro::starving();
    if starving == 0 && prompt::is_attached() {
        return prompt::all_asleep();
    }
    SCHED.lock.unlock();
    if starving > 0 {
        crate::fatal!("out of memory: {starving} goroutines wait for a native stack");
    }
    crate::fatal!("all goroutines are asleep - deadlock!");
}

/// The main goroutine has ended by Goexit, and so has everything else.
fn no_goroutines() -> ! {
    crate::fatal!("no goroutines (main called runtime.Goexit) - deadlock!")
}
