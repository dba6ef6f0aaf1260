#![allow(unsafe_code)]
//! The whole scheduler in a process of its own for each schedule, with closures for goroutines.
//!
//! The runtime's state is made of statics, and it ends its process; so each schedule is explored
//! in a fork of the test's, which begins with everything as the linker left it.
//!
//! A schedule is a number. One that fails is printed, and is run again, with its last steps, by
//! `GOSCHED_SCHEDULE=N cargo shuttle NAME -- --nocapture`. `GOSCHED_SCHEDULES=4000 cargo shuttle`
//! sets how many each test tries.

use std::fmt;

use crate::coro;
use crate::lockrank::Rank;
use crate::mutex::SyncOp;
use crate::panic::print;
use crate::sched::{SCHED, allp};
use crate::sync::model;
use crate::sync::{AtomicUsize, Lock, Ordering, usleep};
use crate::{
    Engine, G, M, Outcome, RootVisitor, WaitReason, YieldKind, preempt, proc, syscall, tls,
};

/// How many schedules a test tries, unless told by the environment.
const SCHEDULES: u64 = 400;
/// As many when a fault is to be found.
const TO_FAIL: u64 = 4_000;
/// A schedule that takes as many seconds of the machine's time hangs.
const HANG_S: u32 = 60;

type Body = Box<dyn FnOnce()>;

/// Runs the closure whose box `g.sched.ctxt` names.
struct Closures;

static ENGINE: Closures = Closures;

impl Engine for Closures {
    fn run(&self, _m: &mut M, g: &mut G) -> Outcome {
        let body = g.sched.ctxt as *mut Body;
        // SAFETY: laid by `lay`, and taken once: a closure that parks keeps its coroutine.
        let body = unsafe { Box::from_raw(body) };
        body();
        Outcome::Exit
    }
    fn scan_stack(&self, _: &G, _: &mut dyn RootVisitor) {}
    fn traceback(&self, _: &G, _: &mut dyn fmt::Write, _: i32) {}
}

fn lay(g: &mut G, f: impl FnOnce() + 'static) {
    g.sched.ctxt = Box::into_raw(Box::new(Box::new(f) as Body)) as usize;
}

/// The M this goroutine runs on now.
pub(super) fn m<'a>() -> &'a mut M {
    // SAFETY: models do not keep it over a park.
    unsafe { &mut *tls::current_m() }
}

/// Starts a goroutine.
pub(super) fn go(f: impl FnOnce() + Send + 'static) {
    proc::spawn(m(), 0, 0, |g| lay(g, f));
}

/// Starts the runtime with `main` as the main goroutine; ends the process.
pub(super) fn start(procs: i32, main: impl FnOnce() + 'static) -> ! {
    // SAFETY: the process has one thread.
    unsafe { std::env::set_var("GOMAXPROCS", procs.to_string()) };
    proc::start(&ENGINE, |g| {
        lay(g, move || {
            proc::main_init_done(m());
            main();
            if number("GOSCHED_SCHEDULE").is_some() {
                print(format_args!(
                    "{} steps, {} threads\n",
                    model::steps(),
                    model::tasks()
                ));
            }
            proc::main_exit(m(), 0);
        })
    })
}

/// A counting semaphore of goroutines, first come first served, made of a lock, park and ready.
pub(crate) struct Sema {
    lock: Lock,
    state: std::cell::UnsafeCell<(usize, std::collections::VecDeque<*mut G>)>,
}

// SAFETY: the state is only touched under the lock.
unsafe impl Sync for Sema {}
// SAFETY: as above.
unsafe impl Send for Sema {}

impl Sema {
    pub(super) const fn new(n: usize) -> Sema {
        Sema {
            lock: Lock::new(Rank::Chan),
            state: std::cell::UnsafeCell::new((n, std::collections::VecDeque::new())),
        }
    }
    pub(super) fn acquire(&self) {
        self.lock.lock();
        // SAFETY: the lock is held.
        let s = unsafe { &mut *self.state.get() };
        if s.0 > 0 {
            s.0 -= 1;
            self.lock.unlock();
            return;
        }
        let m = m();
        s.1.push_back(m.curg);
        proc::gopark_unlock(m, &self.lock, WaitReason::Semacquire);
    }
    pub(super) fn release(&self) {
        self.lock.lock();
        // SAFETY: the lock is held.
        let s = unsafe { &mut *self.state.get() };
        let g = s.1.pop_front();
        if g.is_none() {
            s.0 += 1;
        }
        self.lock.unlock();
        if let Some(g) = g {
            // SAFETY: off the queue, the wake-up is ours.
            unsafe { proc::ready(m(), g) };
        }
    }
}

/// Waits for goroutines.
pub(super) struct WaitGroup {
    n: AtomicUsize,
    sema: Sema,
}

impl WaitGroup {
    pub(super) fn done(&self) {
        if self.n.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.sema.release();
        }
    }
    pub(super) fn wait(&self) {
        self.sema.acquire();
    }
}

pub(super) fn wait_group(n: usize) -> &'static WaitGroup {
    Box::leak(Box::new(WaitGroup {
        n: AtomicUsize::new(n),
        sema: Sema::new(0),
    }))
}

pub(super) fn sema(n: usize) -> &'static Sema {
    Box::leak(Box::new(Sema::new(n)))
}

pub(super) fn gosched() {
    proc::gosched(m());
}

/// Where compiled loops look whether they must stop.
pub(super) fn safepoint() {
    let m = m();
    let g = m.curg;
    // SAFETY: the current G.
    unsafe {
        if (*g).loop_guard.load(Ordering::Relaxed) != 0
            && preempt::loop_check(m, &mut *g, true) == preempt::Stop::Preempt
        {
            coro::suspend(m, Outcome::Yield(YieldKind::Preempt));
        }
    }
}

/// A call into the kernel that lasts `us` microseconds.
pub(super) fn kernel_sleep(us: u64) {
    syscall::enter(m(), syscall::KernelCall::NONE);
    usleep(us);
    syscall::exit(m());
}

/// time.Sleep.
pub(super) fn sleep_us(us: i64) {
    let m = m();
    let g = m.curg;
    // SAFETY: the current G.
    let op = unsafe { crate::timer::sleep(m, &mut *g, us * 1000) };
    if matches!(op, SyncOp::Blocked) {
        coro::suspend(m, Outcome::Park);
    }
}

/// With every thread asleep: whether a G is runnable and a P idle. proc::R1 and proc::R3 forbid it,
/// for an M should search.
fn is_work_forgotten() -> bool {
    if !SCHED.main_started.load(Ordering::SeqCst)
        || SCHED.gcwaiting.load(Ordering::SeqCst)
        || SCHED.npidle.load(Ordering::SeqCst) == 0
    {
        return false;
    }
    let all = allp();
    SCHED.runqsize.load(Ordering::SeqCst) > 0
        || all.ps.iter().any(|&p| {
            // SAFETY: Ps are never freed; only atomics are touched.
            unsafe { !all.is_idle((*p).id) && !(*p).runq.is_empty() }
        })
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Runs one schedule of `f` in a child process; whether it ended well.
fn try_one(schedule: u64, quiet: bool, f: fn()) -> bool {
    // A child inherits the locks of std as they are: one test forks at a time.
    static FORK: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let _one = FORK.lock();
    // SAFETY: the child has this thread alone, and ends by `_exit` or a signal.
    unsafe {
        let child = libc::fork();
        assert!(child >= 0, "fork");
        if child == 0 {
            libc::alarm(HANG_S);
            if quiet {
                let null = libc::open(c"/dev/null".as_ptr(), libc::O_WRONLY);
                libc::dup2(null, 2);
            }
            std::panic::set_hook(Box::new(|info| model::fail(format_args!("{info}"))));
            proc::set_seed(schedule);
            model::run(schedule, f, is_work_forgotten);
            libc::_exit(0);
        }
        let mut status = 0;
        assert!(libc::waitpid(child, &raw mut status, 0) == child);
        status == 0
    }
}

/// Tries many schedules of `f`, which starts the runtime; panics at the first that fails.
pub(super) fn explore(name: &str, f: fn()) {
    let faulty = std::env::var_os("GOSCHED_FAULT").is_some();
    let n = if faulty { TO_FAIL } else { SCHEDULES };
    explore_n(name, number("GOSCHED_SCHEDULES").unwrap_or(n), f);
}

/// As [`explore`], that many whatever the environment says.
pub(super) fn explore_n(name: &str, n: u64, f: fn()) {
    let one = number("GOSCHED_SCHEDULE");
    for schedule in one.map_or(0..n, |s| s..s + 1) {
        assert!(
            try_one(schedule, false, f),
            "schedule {schedule} failed: run it again with \
             GOSCHED_SCHEDULE={schedule} cargo shuttle {name} -- --nocapture"
        );
    }
}
