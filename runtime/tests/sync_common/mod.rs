//! Goroutines as Rust closures, for the tests of channels, locks and timers.
//!
//! The runtime ends its process, so every test runs in a child process of its own: [`program`]
//! starts it, and in the child becomes the program.
//!
//! A goroutine waits under its native frames here, so it keeps its coroutine; [`Cx`] always names
//! the M of now.

#![allow(unsafe_code, dead_code, unreachable_pub)]

use std::fmt;
use std::process::{Command, Stdio};
use std::ptr;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use gosched_runtime::chan::{self, Chan, ChanError, ChanOp, SlotRef};
use gosched_runtime::gc;
use gosched_runtime::heap::LayoutId;
use gosched_runtime::mutex::{self, Mutex, RwMutex, SyncOp, WaitGroup};
use gosched_runtime::preempt::{Stop, loop_check};
use gosched_runtime::select::{self, SelectCase, SelectOp};
use gosched_runtime::sema::{self, NotifyList};
use gosched_runtime::{
    Engine, G, M, Outcome, RootVisitor, WaitReason, YieldKind, coro, proc, timer,
};
use std::sync::atomic::AtomicU32;

type Body = Box<dyn FnOnce(&mut Cx) + Send>;

struct Closures;

impl Engine for Closures {
    fn run(&self, m: &mut M, g: &mut G) -> Outcome {
        let body = std::mem::take(&mut g.vm[0]) as *mut Body;
        let is_main = g.vm[1] != 0;
        let mut cx = Cx { m };
        if is_main {
            proc::main_init_done(cx.m());
        }
        // SAFETY: `start` and `go` put it there, and it is taken once.
        unsafe { Box::from_raw(body)(&mut cx) };
        if is_main {
            proc::main_exit(cx.m(), 0);
        }
        Outcome::Exit
    }
    fn scan_stack(&self, _: &G, _: &mut dyn RootVisitor) {}
    fn traceback(&self, _: &G, _: &mut dyn fmt::Write, _: i32) {}
}

/// What a goroutine does things with.
pub struct Cx {
    m: *mut M,
}

/// A channel of words; to be copied into closures.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ch(pub *mut Chan);
// SAFETY: channels are made for this.
unsafe impl Send for Ch {}

/// A word of memory shared by goroutines, never freed.
pub struct Shared<T: 'static>(pub &'static T);
impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Shared<T> {}
// SAFETY: the tests touch it by atomics, or under the lock they test.
unsafe impl<T> Send for Shared<T> {}

/// Zeroed memory that looks like a Go variable of type `T`.
pub fn var<T>() -> Shared<T> {
    let words = size_of::<T>().div_ceil(8);
    let p = vec![0u64; words].leak().as_mut_ptr();
    // SAFETY: zero is a value of the types tested here.
    Shared(unsafe { &*p.cast::<T>() })
}

impl Cx {
    pub fn m(&mut self) -> &mut M {
        // SAFETY: it is the M this goroutine runs on now.
        unsafe { &mut *self.m }
    }

    fn both(&mut self) -> (&'static mut M, &'static mut G) {
        // SAFETY: as `m`; and its current G.
        unsafe { (&mut *self.m, &mut *(*self.m).curg) }
    }

    fn suspend(&mut self, outcome: Outcome) {
        self.m = coro::suspend(self.m(), outcome);
    }

    pub fn go(&mut self, f: impl FnOnce(&mut Cx) + Send + 'static) {
        let body: Box<Body> = Box::new(Box::new(f));
        let body = Box::into_raw(body) as usize;
        proc::spawn(self.m(), 0, 0, |g| g.vm[0] = body);
    }

    pub fn gosched(&mut self) {
        self.suspend(Outcome::Yield(YieldKind::Gosched));
    }

    /// `runtime.GC`.
    pub fn collect(&mut self) {
        self.m = gc::collect(self.m(), gc::Mode::Forced);
    }

    pub fn heap_objects(&mut self) -> u64 {
        let (m, stats) = gc::read_mem_stats(self.m());
        self.m = m;
        stats.heap_objects
    }

    pub fn chan(&mut self, cap: i64) -> Ch {
        Ch(chan::make_chan(self.m(), 8, LayoutId::NOSCAN, cap).unwrap())
    }

    pub fn try_send(&mut self, c: Ch, v: u64) -> bool {
        let (m, g) = self.both();
        // SAFETY: `v` lives over the call.
        match unsafe { chan::send(m, g, c.0, SlotRef::addr(&raw const v), false) } {
            ChanOp::Done(_) => true,
            ChanOp::WouldBlock => false,
            op => panic!("{op:?}"),
        }
    }

    pub fn send_result(&mut self, c: Ch, v: u64) -> Result<(), &'static str> {
        let (m, g) = self.both();
        // SAFETY: `v` lives until the send is finished.
        match unsafe { chan::send(m, g, c.0, SlotRef::addr(&raw const v), true) } {
            ChanOp::Done(_) => Ok(()),
            ChanOp::Blocked => {
                self.suspend(Outcome::Park);
                let (m, g) = self.both();
                // SAFETY: it has parked.
                unsafe { chan::finish_send(m, g) }.map_err(ChanError::text)
            }
            ChanOp::Panic(e) => Err(e.text()),
            ChanOp::WouldBlock => unreachable!(),
        }
    }

    pub fn send(&mut self, c: Ch, v: u64) {
        self.send_result(c, v).unwrap();
    }

    pub fn recv_ok(&mut self, c: Ch) -> (u64, bool) {
        let mut v = u64::MAX;
        let (m, g) = self.both();
        // SAFETY: `v` lives until the receive is finished.
        match unsafe { chan::recv(m, g, c.0, SlotRef::addr(&raw mut v), true) } {
            ChanOp::Done(ok) => (v, ok),
            ChanOp::Blocked => {
                self.suspend(Outcome::Park);
                let (m, g) = self.both();
                // SAFETY: it has parked.
                let ok = unsafe { chan::finish_recv(m, g) };
                // SAFETY: the sender wrote it.
                (unsafe { ptr::read_volatile(&raw const v) }, ok)
            }
            op => panic!("{op:?}"),
        }
    }

    pub fn recv(&mut self, c: Ch) -> u64 {
        self.recv_ok(c).0
    }

    pub fn try_recv(&mut self, c: Ch) -> Option<(u64, bool)> {
        let mut v = u64::MAX;
        let (m, g) = self.both();
        // SAFETY: `v` lives over the call.
        match unsafe { chan::recv(m, g, c.0, SlotRef::addr(&raw mut v), false) } {
            ChanOp::Done(ok) => Some((v, ok)),
            ChanOp::WouldBlock => None,
            op => panic!("{op:?}"),
        }
    }

    pub fn close(&mut self, c: Ch) {
        // SAFETY: it is a channel.
        unsafe { chan::close(self.m(), c.0).unwrap() };
    }

    /// Cases are (channel, `Some` value to send or `None`); gives the index, the value received,
    /// ok.
    pub fn select(
        &mut self,
        cases: &[(Ch, Option<u64>)],
        block: bool,
    ) -> Result<Option<(usize, u64, bool)>, &'static str> {
        // On the stack, where the collector looks.
        let (mut few, mut many) = ([0; 8], Vec::new());
        let slots: &mut [u64] = if cases.len() <= few.len() {
            &mut few[..cases.len()]
        } else {
            many.resize(cases.len(), 0);
            &mut many
        };
        for (slot, case) in slots.iter_mut().zip(cases) {
            *slot = case.1.unwrap_or(u64::MAX);
        }
        let list: Vec<SelectCase> = cases
            .iter()
            .zip(slots.iter_mut())
            .map(|(c, slot)| SelectCase {
                chan: c.0.0,
                elem: SlotRef::addr(&raw mut *slot),
                is_send: c.1.is_some(),
            })
            .collect();
        let (m, g) = self.both();
        // SAFETY: the slots live until the select is finished.
        let mut op = unsafe { select::select(m, g, &list, block) };
        drop(list);
        if op == SelectOp::Blocked {
            self.suspend(Outcome::Park);
            let (m, g) = self.both();
            // SAFETY: it has parked.
            op = unsafe { select::finish(m, g) };
        }
        match op {
            // SAFETY: a partner may have written it.
            SelectOp::Ready(i, ok) => Ok(Some((
                i,
                unsafe { ptr::read_volatile(&raw const slots[i]) },
                ok,
            ))),
            SelectOp::Default => Ok(None),
            SelectOp::Panic(e) => Err(e.text()),
            SelectOp::Blocked => unreachable!(),
        }
    }

    /// Where compiled loops look whether they must stop.
    pub fn safepoint(&mut self) {
        let (m, g) = self.both();
        if g.loop_guard.load(Ordering::Relaxed) != 0 && loop_check(m, g, true) == Stop::Preempt {
            self.suspend(Outcome::Yield(YieldKind::Preempt));
        }
    }

    /// Goes to the end of the local ring.
    pub fn yield_local(&mut self) {
        self.suspend(Outcome::Yield(YieldKind::Local));
    }

    /// Ends an operation of package sync.
    fn sync(&mut self, mut op: SyncOp) -> Result<(), &'static str> {
        loop {
            match op {
                SyncOp::Done => return Ok(()),
                SyncOp::Yield => {
                    self.suspend(Outcome::Yield(YieldKind::Local));
                    return Ok(());
                }
                SyncOp::Blocked => {
                    self.suspend(Outcome::Park);
                    let (m, g) = self.both();
                    // SAFETY: it has parked.
                    op = unsafe { mutex::resume(m, g) };
                }
                SyncOp::Fatal(text) | SyncOp::Panic(text) => return Err(text),
            }
        }
    }

    pub fn lock(&mut self, mu: Shared<Mutex>) {
        let (m, g) = self.both();
        // SAFETY: it is a mutex.
        let op = unsafe { mutex::lock(m, g, mu.0) };
        self.sync(op).unwrap();
    }

    pub fn unlock(&mut self, mu: Shared<Mutex>) -> Result<(), &'static str> {
        // SAFETY: it is a mutex.
        let op = unsafe { mutex::unlock(self.m(), mu.0) };
        self.sync(op)
    }

    pub fn rlock(&mut self, mu: Shared<RwMutex>) {
        let (m, g) = self.both();
        // SAFETY: it is an RWMutex.
        let op = unsafe { mutex::rlock(m, g, mu.0) };
        self.sync(op).unwrap();
    }

    pub fn runlock(&mut self, mu: Shared<RwMutex>) -> Result<(), &'static str> {
        // SAFETY: it is an RWMutex.
        let op = unsafe { mutex::runlock(self.m(), mu.0) };
        self.sync(op)
    }

    pub fn wlock(&mut self, mu: Shared<RwMutex>) {
        let (m, g) = self.both();
        // SAFETY: it is an RWMutex.
        let op = unsafe { mutex::rw_lock(m, g, mu.0) };
        self.sync(op).unwrap();
    }

    pub fn wunlock(&mut self, mu: Shared<RwMutex>) -> Result<(), &'static str> {
        // SAFETY: it is an RWMutex.
        let op = unsafe { mutex::rw_unlock(self.m(), mu.0) };
        self.sync(op)
    }

    pub fn add(&mut self, wg: Shared<WaitGroup>, n: i64) -> Result<(), &'static str> {
        // SAFETY: it is a WaitGroup.
        let op = unsafe { mutex::wait_group_add(self.m(), wg.0, n) };
        self.sync(op)
    }

    pub fn wait_result(&mut self, wg: Shared<WaitGroup>) -> Result<(), &'static str> {
        let (m, g) = self.both();
        // SAFETY: it is a WaitGroup.
        let op = unsafe { mutex::wait_group_wait(m, g, wg.0) };
        self.sync(op)
    }

    pub fn wait(&mut self, wg: Shared<WaitGroup>) {
        self.wait_result(wg).unwrap();
    }

    pub fn acquire(&mut self, s: Shared<AtomicU32>) {
        let (m, g) = self.both();
        // SAFETY: it is a semaphore.
        let op = unsafe { sema::acquire(m, g, s.0, false, WaitReason::Semacquire) };
        self.sync(op).unwrap();
    }

    pub fn release(&mut self, s: Shared<AtomicU32>, handoff: bool) {
        // SAFETY: it is a semaphore.
        if unsafe { sema::release(self.m(), s.0, handoff) } {
            self.suspend(Outcome::Yield(YieldKind::Local));
        }
    }

    /// Cond.Wait in its parts: `between` runs after the ticket is taken.
    pub fn cond_wait(&mut self, l: Shared<NotifyList>, between: impl FnOnce(&mut Cx)) {
        let l = ptr::from_ref(l.0).cast_mut();
        // SAFETY: it is a notify list.
        let ticket = unsafe { sema::notify_add(l) };
        between(self);
        let (m, g) = self.both();
        // SAFETY: as above.
        let op = unsafe { sema::notify_wait(m, g, l, ticket) };
        self.sync(op).unwrap();
    }

    pub fn signal(&mut self, l: Shared<NotifyList>) {
        // SAFETY: it is a notify list.
        unsafe { sema::notify_one(self.m(), ptr::from_ref(l.0).cast_mut()) };
    }

    pub fn broadcast(&mut self, l: Shared<NotifyList>) {
        // SAFETY: it is a notify list.
        unsafe { sema::notify_all(self.m(), ptr::from_ref(l.0).cast_mut()) };
    }

    pub fn sleep(&mut self, ns: i64) {
        let (m, g) = self.both();
        if timer::sleep(m, g, ns) == SyncOp::Blocked {
            self.suspend(Outcome::Park);
        }
    }
}

/// Runs `main` as a program with GOMAXPROCS=`procs`, in a child process, which must end well
/// within `seconds`. `name` is the path of the test that calls.
pub fn program_in(
    name: &str,
    procs: u32,
    seconds: u64,
    env: &[(&str, &str)],
    main: impl FnOnce(&mut Cx) + Send + 'static,
) {
    if std::env::var("GOSCHED_TEST_PROGRAM").as_deref() == Ok(name) {
        // By hand: which switches to try a test without.
        let list = std::env::var("GOSCHED_WITHOUT").unwrap_or_default();
        gosched_runtime::switches::without(&list).unwrap();
        let body: Box<Body> = Box::new(Box::new(main));
        let body = Box::into_raw(body) as usize;
        proc::start(&Closures, |g| {
            g.vm[0] = body;
            g.vm[1] = 1;
        });
    }
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args([
            name,
            "--exact",
            "--include-ignored",
            "--nocapture",
            "--test-threads=1",
        ])
        .env("GOSCHED_TEST_PROGRAM", name)
        .env("GOMAXPROCS", procs.to_string())
        .envs(env.iter().copied())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let end = Instant::now() + Duration::from_secs(seconds);
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break Some(status);
        }
        if Instant::now() > end {
            break None;
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    if !status.is_some_and(|s| s.success()) {
        let _ = child.kill();
        let out = child.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&out.stderr);
        panic!("{name} GOMAXPROCS={procs}: {status:?}\n{text}");
    }
}

/// As [`program_in`], with a minute to end.
pub fn program(name: &str, procs: u32, main: impl FnOnce(&mut Cx) + Send + 'static) {
    program_in(name, procs, 60, &[], main);
}
