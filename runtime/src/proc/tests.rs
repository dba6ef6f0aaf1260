//! The scheduler's decisions in forged states: one M that is the test's thread, Ps and Gs as the
//! test lays them, and nothing else. What a decision did is read from the event stream.
//!
//! The runtime is one per process, so each test runs in a child process: the test binary calls
//! itself with the test's name.

#![allow(unsafe_code)]

use std::fmt;
use std::mem::MaybeUninit;
use std::process::{Command, Output};
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering as StdOrdering};
use std::thread;
use std::time::Duration;

use super::find::find_runnable;
use super::handoff::{acquire_p, handoff_p, release_p};
use super::helpers::{Helper, finalizers_wait, park_helper, set_helper};
use super::newproc::new_g;
use super::park::park_m;
use super::steal::runq_steal;
use super::thread::{alloc_m, bind_thread, reserve_id};
use crate::clock::nanotime;
use crate::coro::Coro;
use crate::g::{G, Status};
use crate::gc::concurrent;
use crate::mutex::SyncOp;
use crate::p::{P, PStatus};
use crate::sched::{SCHED, allp};
use crate::sync::Ordering;
use crate::trace::{self, Event, What, Why};
use crate::{Engine, M, Outcome, RootVisitor, netpoll, stw, timer};

mod calls;
mod handoff;
mod path;
mod queues;
mod stops;

struct NoEngine;

impl Engine for NoEngine {
    fn run(&self, _: &mut M, _: &mut G) -> Outcome {
        Outcome::Exit
    }
    fn scan_stack(&self, _: &G, _: &mut dyn RootVisitor) {}
    fn traceback(&self, _: &G, _: &mut dyn fmt::Write, _: i32) {}
}

/// The step, so to speak, of a thief that has waited for another P's `runnext`.
pub(super) const WAITED: u8 = 100;
/// … and that of a goroutine which spins for a mutex.
pub(crate) const SPUN: u8 = 101;

/// What a test does when `find_runnable` comes to a step.
type Hook = fn(*mut M, u8);

/// The hook in force, 0 for none. Written by [`hook`].
static HOOK: AtomicUsize = AtomicUsize::new(0);

/// Lets `f` see each step that `find_runnable` comes to, before it acts.
pub(crate) fn hook(f: Hook) {
    HOOK.store(f as *const () as usize, StdOrdering::SeqCst);
}

/// Called by `find_runnable` at each of its steps.
pub(crate) fn at_step(m: *mut M, n: u8) {
    let f = HOOK.load(StdOrdering::SeqCst);
    if f != 0 {
        // SAFETY: only `hook` stores here, and it stores functions of this type.
        let f: Hook = unsafe { std::mem::transmute(f) };
        f(m, n);
    }
}

/// A world of one M, the calling thread's, with `procs` Ps, all but its own idle.
#[derive(Clone, Copy)]
struct World {
    m: *mut M,
}

/// Runs `f` in a child process, in a world of `procs` Ps, which must end well; `name` is the test's
/// own, with the path of its module below `proc::tests`.
fn forged(name: &str, procs: i32, f: impl FnOnce(World)) {
    let out = forged_child(name, procs, f);
    let (stdout, stderr) = (
        String::from_utf8_lossy(&out.stdout),
        String::from_utf8_lossy(&out.stderr),
    );
    assert!(out.status.success(), "{}\n{stdout}\n{stderr}", out.status);
}

/// As [`forged`]; returns how the child ended.
fn forged_child(name: &str, procs: i32, f: impl FnOnce(World)) -> Output {
    let name = format!("proc::tests::{name}");
    if std::env::var("RT_CHILD").as_deref() == Ok(&name) {
        f(World::new(procs));
        // SAFETY: ends the child; its half-made runtime needs no cleaning.
        unsafe { libc::_exit(0) };
    }
    let exe = std::env::current_exe().expect("own path");
    let out = Command::new("timeout")
        .arg("20")
        .arg(exe)
        .args([
            "--exact",
            &name,
            "--include-ignored",
            "--nocapture",
            "--test-threads=1",
        ])
        .env("RT_CHILD", &name)
        .output()
        .expect("runs");
    let stdout = String::from_utf8_lossy(&out.stdout);
    assert!(
        !stdout.contains("test result: ok"),
        "no test is called {name}"
    );
    out
}

impl World {
    fn new(procs: i32) -> World {
        crate::panic::install_hook();
        crate::faults::read_environment();
        crate::rand::set_seed(1);
        let id = {
            let _s = SCHED.lock.guard();
            // One more M, which counts as running: so it is no deadlock when this one sleeps.
            reserve_id();
            reserve_id()
        };
        let m = alloc_m(id, &NoEngine);
        bind_thread(m);
        SCHED.lastpoll.store(nanotime(), Ordering::SeqCst);
        // SAFETY: no other thread knows of the runtime.
        unsafe {
            stw::first_ps(m, procs);
            // No tick is divisible by 61 unless a test says so.
            (*(*m).p).schedtick.store(1, Ordering::Relaxed);
        }
        World { m }
    }

    fn m(self) -> &'static mut M {
        // SAFETY: the one M, which is this thread's.
        unsafe { &mut *self.m }
    }

    fn p(self, i: usize) -> *mut P {
        allp().ps[i]
    }

    fn set_tick(self, tick: u32) {
        self.m().p().schedtick.store(tick, Ordering::Relaxed);
    }

    /// A G that is on no queue.
    fn g(self, status: Status) -> *mut G {
        // SAFETY: the M holds a P; the G is ours.
        unsafe {
            let g = new_g(self.m);
            (*g).goid = crate::sched::next_goid(&mut *(*self.m).p);
            (*g).cas_status(Status::Dead, Status::Runnable);
            if status != Status::Runnable {
                (*g).cas_status(Status::Runnable, Status::Running);
            }
            if status == Status::Waiting {
                (*g).cas_status(Status::Running, Status::Waiting);
            }
            g
        }
    }

    /// A runnable G on the global queue.
    fn global(self) -> *mut G {
        let g = self.g(Status::Runnable);
        put_global(g);
        g
    }

    /// A runnable G in the ring of P `i`.
    fn ring(self, i: usize) -> *mut G {
        let g = self.g(Status::Runnable);
        // SAFETY: only the test touches the ring.
        unsafe { (*self.p(i)).runq.push(g, usize::MAX).expect("room") };
        g
    }

    /// A runnable G in `runnext` of P `i`.
    fn next(self, i: usize) -> *mut G {
        let g = self.g(Status::Runnable);
        // SAFETY: only the test touches it.
        let old = unsafe { (*self.p(i)).runq.swap_next(g) };
        assert!(old.is_null());
        g
    }

    /// Takes P `i` off the idle list and makes it look as if another M ran it.
    fn busy(self, i: usize) {
        let other = alloc_m(1000 + i as i64, &NoEngine);
        // SAFETY: the lock is held for the list; the P is then ours.
        unsafe {
            let _s = SCHED.lock.guard();
            let mut kept = Vec::new();
            loop {
                let p = SCHED.pidle_get();
                assert!(!p.is_null(), "P{i} is not idle");
                if (*p).id == i {
                    (*p).m.store(other, Ordering::Relaxed);
                    (*p).set_status(PStatus::Running);
                    break;
                }
                kept.push(p);
            }
            for p in kept.into_iter().rev() {
                SCHED.pidle_put(p);
            }
        }
    }

    /// Takes P `i` off the idle list and makes it look as if its M were in a system call.
    fn in_call(self, i: usize) {
        self.busy(i);
        // SAFETY: Ps are never freed, and this one is ours to forge.
        unsafe {
            (*self.p(i)).m.store(ptr::null_mut(), Ordering::Relaxed);
            (*self.p(i)).set_status(PStatus::Syscall);
        }
    }

    /// Lets a new G be the M's current one, as if it ran on a coroutine.
    fn current(self) -> *mut G {
        let g = self.g(Status::Running);
        let m = self.m();
        if m.coro.is_null() {
            // Calls of natives only note their registers there.
            m.coro = Box::leak(Box::new(MaybeUninit::<Coro>::zeroed())).as_mut_ptr();
        }
        // SAFETY: the G is ours.
        unsafe {
            (*g).m = self.m;
            (*g).sched.fp = (*g).stack_lo;
            (*g).sched.top = (*g).stack_lo;
        }
        m.curg = g;
        m.curg_seen.store(g, Ordering::Relaxed);
        g
    }

    /// Says that `runtime.main` runs: from now on searchers are started.
    fn main_runs(self) {
        SCHED.main_started.store(true, Ordering::Relaxed);
    }

    /// A G that sleeps for `ns` nanoseconds by a timer of P `i`, which is not idle.
    fn sleeper(self, i: usize, ns: i64) -> *mut G {
        let g = self.g(Status::Running);
        let own = self.m().p;
        self.m().p = self.p(i);
        self.park(g, |m, g| {
            assert_eq!(timer::sleep(m, g, ns), SyncOp::Blocked);
        });
        self.m().p = own;
        g
    }

    /// A G that waits for a descriptor to be readable.
    fn reader(self, fd: i32) -> *mut G {
        let g = self.g(Status::Running);
        let pd = netpoll::open(self.m(), fd).expect("pollable");
        self.park(g, |m, _| {
            pd.prepare(netpoll::Mode::Read).expect("open");
            assert_eq!(
                pd.wait_begin(m, netpoll::Mode::Read),
                netpoll::Waiting::Blocked
            );
        });
        g
    }

    fn park(self, g: *mut G, begin: impl FnOnce(&mut M, &mut G)) {
        // SAFETY: by its status the G is running.
        unsafe {
            (*g).m = self.m;
            self.m().curg = g;
            begin(self.m(), &mut *g);
            assert!(park_m(self.m));
        }
    }

    /// Asks `find_runnable`; what it found, by which steps, and the reason.
    fn find(self) -> Found {
        trace::listen(true);
        // SAFETY: this thread's stack is g0's.
        let found = unsafe { find_runnable(self.m) };
        trace::listen(false);
        let events = trace::take_events();
        let path = events.iter().filter_map(|e| match e.what {
            What::Step { n } => Some(n as u8),
            _ => None,
        });
        Found {
            g: found.g,
            inherits: found.how.inherits(),
            path: path.collect(),
            why: Why::unpack(found.how.packed_why()),
            events,
        }
    }

    /// Says that the M does not search any more; what `schedule` does after a find.
    fn stop_spinning(self) {
        if self.m().spinning.swap(false, Ordering::Relaxed) {
            SCHED.nmspinning.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

struct Found {
    g: *mut G,
    inherits: bool,
    path: Vec<u8>,
    why: Why,
    events: Vec<Event>,
}

fn put_global(g: *mut G) {
    let _s = SCHED.lock.guard();
    // SAFETY: the lock is held, the G is the caller's.
    unsafe { SCHED.globrunq_put(g) };
}

/// A non-blocking pipe: reading and writing end.
fn pipe() -> (i32, i32) {
    let mut ends = [0; 2];
    // SAFETY: two descriptors are written.
    let r = unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_NONBLOCK | libc::O_CLOEXEC) };
    assert_eq!(r, 0);
    (ends[0], ends[1])
}

fn write_byte(fd: i32) {
    // SAFETY: one byte is read from the buffer.
    let n = unsafe { libc::write(fd, [1u8].as_ptr().cast(), 1) };
    assert_eq!(n, 1);
}

/// Waits, on a thread of its own, until something has come about.
fn wait_until(ok: impl Fn() -> bool) {
    while !ok() {
        thread::sleep(Duration::from_micros(200));
    }
}

/// Gives an idle P to the M once it sleeps in `stop_m`, from another thread; does `before` before.
fn wake_after(before: fn()) {
    thread::spawn(move || {
        // SAFETY: the lock is held for the lists; what is taken off them is ours.
        unsafe {
            wait_until(|| {
                let _s = SCHED.lock.guard();
                !SCHED.locked().midle.is_null()
            });
            before();
            let (m, p) = {
                let _s = SCHED.lock.guard();
                (SCHED.midle_get(), SCHED.pidle_get())
            };
            assert!(!m.is_null() && !p.is_null(), "nobody sleeps");
            (*m).nextp.store(p, Ordering::Release);
            (*m).park_note.wakeup();
        }
    });
}

/// Ends the process, which then has failed, unless it ends by itself within ten seconds.
fn must_end(what: &'static str) {
    thread::spawn(move || {
        thread::sleep(Duration::from_secs(10));
        eprintln!("in vain: {what}");
        // SAFETY: ends the process.
        unsafe { libc::_exit(1) };
    });
}

/// The events of what `f` does.
fn record(f: impl FnOnce()) -> Vec<Event> {
    trace::listen(true);
    f();
    trace::listen(false);
    trace::take_events()
}
