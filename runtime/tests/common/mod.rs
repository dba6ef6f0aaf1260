#![allow(
    unsafe_code,
    dead_code,
    unreachable_pub,
    reason = "each test file uses what it needs"
)]
//! Closures as goroutines: a second engine, so that the scheduler is tested with no language.
//!
//! The runtime is one per process and ends it, so each test runs in a child process: the test
//! binary calls itself with the test's name. See [`run`].

use std::fmt;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

use gosched_runtime::{
    Engine, G, Lock, M, Outcome, RootVisitor, WaitReason, coro, proc, tls, trace,
};

type Body = Box<dyn FnOnce()>;

/// Runs the closure whose box `g.sched.ctxt` names.
pub struct Closures;

impl Engine for Closures {
    fn run(&self, _m: &mut M, g: &mut G) -> Outcome {
        let body = g.sched.ctxt as *mut Body;
        // SAFETY: laid by `lay`, and taken once: a closure that parks keeps its coroutine.
        let body = unsafe { Box::from_raw(body) };
        body();
        Outcome::Exit
    }
    fn scan_stack(&self, _g: &G, _v: &mut dyn RootVisitor) {}
    fn traceback(&self, _g: &G, out: &mut dyn fmt::Write, _level: i32) {
        let _ = out.write_str("main.main()\n");
    }
}

pub static ENGINE: Closures = Closures;

/// Lets `f` be what the new `g` runs.
pub fn lay(g: &mut G, f: impl FnOnce() + 'static) {
    g.sched.ctxt = Box::into_raw(Box::new(Box::new(f) as Body)) as usize;
}

/// The M this goroutine runs on now.
pub fn m<'a>() -> &'a mut M {
    // SAFETY: tests do not keep it over a park.
    unsafe { &mut *tls::current_m() }
}

/// Starts a goroutine.
pub fn go(f: impl FnOnce() + Send + 'static) {
    proc::spawn(m(), 0, 0, |g| lay(g, f));
}

pub fn gosched() {
    proc::gosched(m());
}

/// A counting semaphore of goroutines, first come first served.
pub struct Sema {
    lock: Lock,
    state: std::cell::UnsafeCell<(usize, std::collections::VecDeque<*mut G>)>,
}

// SAFETY: the state is only touched under the lock.
unsafe impl Sync for Sema {}
// SAFETY: as above.
unsafe impl Send for Sema {}

impl Sema {
    pub const fn new(n: usize) -> Sema {
        Sema {
            lock: Lock::new(gosched_runtime::lockrank::Rank::Chan),
            state: std::cell::UnsafeCell::new((n, std::collections::VecDeque::new())),
        }
    }
    pub fn acquire(&self) {
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
    pub fn release(&self) {
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
pub struct WaitGroup {
    n: AtomicUsize,
    sema: Sema,
}

impl WaitGroup {
    pub const fn new(n: usize) -> WaitGroup {
        WaitGroup {
            n: AtomicUsize::new(n),
            sema: Sema::new(0),
        }
    }
    pub fn done(&self) {
        if self.n.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.sema.release();
        }
    }
    pub fn wait(&self) {
        self.sema.acquire();
    }
}

/// Starts the runtime with `main` as main goroutine; ends the process.
pub fn start(main: impl FnOnce() + 'static) -> ! {
    proc::start(&ENGINE, |g| {
        lay(g, move || {
            proc::main_init_done(m());
            main();
            proc::main_exit(m(), 0);
        })
    })
}

/// Runs `main` as the main goroutine of a child process, with these environment variables, and
/// returns what became of it. `name` is the test's own name.
pub fn run(name: &str, env: &[(&str, &str)], main: impl FnOnce() + 'static) -> Output {
    if std::env::var("RT_CHILD").as_deref() == Ok(name) {
        start(main);
    }
    let exe = std::env::current_exe().expect("own path");
    let mut c = Command::new("timeout");
    let limit = std::env::var("RT_LIMIT").unwrap_or("40".into());
    c.arg("-s")
        .arg("QUIT")
        .arg("-k")
        .arg("2")
        .arg(limit)
        .arg(exe);
    c.args([
        "--exact",
        name,
        "--include-ignored",
        "--nocapture",
        "--test-threads=1",
    ])
    .env("RT_CHILD", name);
    for (k, v) in env {
        c.env(k, v);
    }
    let out = c.output().expect("runs");
    // The child ends in the runtime, never in the test harness.
    let text = String::from_utf8_lossy(&out.stdout);
    assert!(!text.contains("test result"), "no test is called {name}");
    out
}

/// As [`ok`], for measurements that a busy machine can spoil: one of three tries must end well, and
/// none may hang.
pub fn ok_mostly(name: &str, env: &[(&str, &str)], main: impl Fn() + Copy + 'static) {
    for _ in 0..2 {
        let out = run(name, env, main);
        if out.status.success() {
            return;
        }
        // timeout(1) had to end it.
        if matches!(out.status.code(), Some(124 | 137)) {
            return ended_well(&out);
        }
    }
    ok(name, env, main);
}

/// As [`run`], asserting that it ended well.
pub fn ok(name: &str, env: &[(&str, &str)], main: impl FnOnce() + 'static) {
    ended_well(&run(name, env, main));
}

fn ended_well(out: &Output) {
    assert!(
        out.status.success(),
        "{}\n{}\n{}",
        out.status,
        String::from_utf8_lossy(&out.stdout),
        String::from_utf8_lossy(&out.stderr)
    );
}

pub fn suspend(o: Outcome) {
    coro::suspend(m(), o);
}

/// The events of what `f` does.
pub fn record(f: impl FnOnce()) -> Vec<trace::Event> {
    trace::listen(true);
    f();
    trace::listen(false);
    trace::take_events()
}

/// Goes to the end of the local ring.
pub fn yield_local() {
    suspend(Outcome::Yield(gosched_runtime::YieldKind::Local));
}

/// Where compiled loops look whether they must stop.
pub fn safepoint() {
    use gosched_runtime::preempt::{Stop, loop_check};
    let m = m();
    let g = m.curg;
    // SAFETY: the current G.
    unsafe {
        if (*g).loop_guard.load(Ordering::Relaxed) != 0
            && loop_check(m, &mut *g, true) == Stop::Preempt
        {
            coro::suspend(m, Outcome::Yield(gosched_runtime::YieldKind::Preempt));
        }
    }
}

/// Where compiled functions look on entry.
pub fn prologue() {
    use gosched_runtime::preempt::{Stop, newstack_check};
    let m = m();
    let g = m.curg;
    // SAFETY: the current G.
    unsafe {
        if (*g).sched.top + 64 > (*g).stackguard0.load(Ordering::Relaxed)
            && newstack_check(m, &mut *g, 64, true) == Stop::Preempt
        {
            coro::suspend(m, Outcome::Yield(gosched_runtime::YieldKind::Preempt));
        }
    }
}

/// Runs a loop with safepoints for `ms` milliseconds.
pub fn spin_ms(ms: u64) {
    let t = std::time::Instant::now();
    while t.elapsed().as_millis() < u128::from(ms) {
        for _ in 0..100 {
            safepoint();
        }
    }
}

/// A call into the kernel that may block.
pub fn in_syscall(f: impl FnOnce()) {
    use gosched_runtime::syscall::{self, KernelCall};
    syscall::enter(m(), KernelCall::NONE);
    f();
    syscall::exit(m());
}

pub fn wait_group(n: usize) -> &'static WaitGroup {
    Box::leak(Box::new(WaitGroup::new(n)))
}

pub fn kernel_sleep_ms(ms: u64) {
    in_syscall(|| std::thread::sleep(std::time::Duration::from_millis(ms)));
}

/// The kernel's id of this thread.
pub fn tid() -> i64 {
    // SAFETY: asks only.
    unsafe { libc::syscall(libc::SYS_gettid) }
}

/// time.Sleep.
pub fn sleep_us(us: i64) {
    let m = m();
    let g = m.curg;
    // SAFETY: the current G.
    let op = unsafe { gosched_runtime::timer::sleep(m, &mut *g, us * 1000) };
    if matches!(op, gosched_runtime::mutex::SyncOp::Blocked) {
        suspend(Outcome::Park);
    }
}
