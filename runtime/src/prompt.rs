#![allow(unsafe_code)]
//! A prompt: goroutines that a thread outside of the runtime starts, and what becomes of them.
//!
//! The *front thread* reads inputs; each is a goroutine that [`inject`] puts in front of the global
//! queue, as the poller queues those that it finds ready. Goroutine 1 is parked meanwhile, for
//! ever. The front thread runs no G and holds no P: it takes locks and wakes Ms.
//!
//! # Invariants
//!
//! - O1. The descriptor in [`FRONT`] belongs to the holder of that lock. It has no thread, no P and
//!   no G, and is not counted for deadlocks.
//! - O2. The lock of [`INPUTS`] may be taken with the sched lock held; in it none is taken.
//!
//! Go: none; runtime/proc.go, injectglist and sysmon, for how a G is queued without a P.

mod look;
mod pause;
mod who;

use std::collections::{BTreeMap, VecDeque};
use std::ptr;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, Instant};

use crate::coro::on_g0;
use crate::engine::Outcome;
use crate::g::{G, Status, WaitReason};
use crate::m::{M, ParkArg};
use crate::sched::{Gref, SCHED, allp, for_each_g};
use crate::switches::{self, Mech};
use crate::sync::plain;
use crate::sync::{AtomicBool, Ordering};
use crate::{gc, netpoll, panic, preempt, proc, prof, select, sema, signal, stw, timer, trace};

pub use look::{Info, Proc, Thread, View, delayed, goroutines, stack, view};
pub use pause::{
    Step, hold, is_evaluating, is_paused, leave_alone, pause, release, resume, step, watch, watched,
};
pub(crate) use pause::{chose, gate, gives_up, passes};
pub use who::{Kind, Who, who};
pub(crate) use who::{gave, gave_shared, took, took_shared};

/// An input: the goroutine that was started for it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Input(u64);

impl Input {
    /// The number of its goroutine.
    pub fn goid(self) -> u64 {
        self.0
    }
}

/// What has become of an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Ended {
    /// Its function has returned.
    Returned = 0,
    /// It has panicked, and that has been printed.
    Panicked = 1,
    /// It has ended by `runtime.Goexit`, or was interrupted.
    Exited = 2,
    /// It waits, and nothing can ever run again; another input may let it go on.
    Deadlocked = 3,
}

/// The account of an input.
#[derive(Default)]
struct Account {
    ended: Option<Ended>,
    /// Threads in [`wait_timeout`] for it.
    waiters: u32,
    /// Nothing could ever run again while it was waited for.
    asleep: bool,
    /// It was interrupted, and has not obeyed yet: who waits for it looks again.
    is_owing: bool,
    /// The goroutine that waits for its end.
    waiter: Option<Gref>,
}

static INPUTS: Mutex<BTreeMap<u64, Account>> = Mutex::new(BTreeMap::new());
/// Some account has changed.
static CHANGED: Condvar = Condvar::new();

fn inputs() -> MutexGuard<'static, BTreeMap<u64, Account>> {
    INPUTS.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Front(*mut M);

// SAFETY: O1.
unsafe impl Send for Front {}

/// In whose name threads that are no M use the scheduler.
static FRONT: Mutex<Front> = Mutex::new(Front(ptr::null_mut()));

/// A prompt is attached. Written once, by [`attach`].
static ATTACHED: AtomicBool = AtomicBool::new(false);

/// Whether a prompt is attached.
#[inline]
pub fn is_attached() -> bool {
    ATTACHED.load(Ordering::Relaxed)
}

/// Who holds a lock is noted beside it. Written by [`attach`], and before the runtime starts.
static NOTED: AtomicBool = AtomicBool::new(false);

/// Whether it is noted who holds a lock: then no lock is taken in place.
#[inline]
pub(crate) fn notes_holders() -> bool {
    NOTED.load(Ordering::Relaxed)
}

/// From now on it is noted who holds a lock.
pub(crate) fn note_holders() {
    NOTED.store(true, Ordering::SeqCst);
}

/// What [`attach`] is to call.
static READY: Mutex<Option<Box<dyn FnOnce() + Send>>> = Mutex::new(None);

/// Attaches a prompt: the current goroutine is to leave with `Outcome::Park` and never comes back;
/// `ready` is called, on some thread, when it waits.
///
/// Context: coroutine, main goroutine.
pub fn attach(m: &mut M, ready: Box<dyn FnOnce() + Send>) {
    unsafe fn commit(_g: *mut G, _: ParkArg) -> bool {
        let ready = READY.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(ready) = ready {
            ready();
        }
        true
    }
    *READY.lock().unwrap_or_else(PoisonError::into_inner) = Some(ready);
    on_g0(m, |m| {
        FRONT.lock().unwrap_or_else(PoisonError::into_inner).0 = proc::front_m(m);
    });
    signal::hear_cuts();
    note_holders();
    ATTACHED.store(true, Ordering::SeqCst);
    prof::wait::want(prof::wait::PROMPT, true);
    m.park(Some(commit), ParkArg::NONE, WaitReason::Prompt);
}

/// Starts a goroutine whose first frame `init` lays, as in [`proc::spawn`]. It is the next that any
/// M takes from the queues, whatever mechanisms are switched off.
///
/// Context: a thread that is no M; a prompt is attached.
pub fn inject(startpc: usize, init: impl FnOnce(&mut G)) -> Input {
    let front = FRONT.lock().unwrap_or_else(PoisonError::into_inner);
    let m = front.0;
    if m.is_null() {
        crate::throw!("inject: no prompt is attached");
    }
    // One M more counts as running meanwhile: the deadlock check does not see the G before an M is
    // on its way, and looks again when one is.
    proc::inc_idle_locked(-1);
    // SAFETY: O1; the G is ours until it is queued.
    let id = unsafe {
        let g = proc::new_detached(startpc);
        let id = (*g).goid.0;
        pause::waits_for(id);
        (*g).input = id;
        (*g).ending = Ended::Returned as u8;
        init(&mut *g);
        trace::go_create(m, g);
        inputs().insert(id, Account::default());
        (*g).cas_status(Status::Dead, Status::Runnable);
        proc::queue_first(m, g);
        id
    };
    proc::inc_idle_locked(1);
    Input(id)
}

/// What the front thread wants done by an M.
type Job = Box<dyn FnOnce(&mut M) + Send>;

/// Jobs, each of which has a goroutine of the runtime on its way.
static JOBS: Mutex<VecDeque<Job>> = Mutex::new(VecDeque::new());

/// The life of a goroutine that does a job.
fn do_job(m: &mut M, _g: &mut G) -> Outcome {
    let mut jobs = JOBS.lock().unwrap_or_else(PoisonError::into_inner);
    let job = jobs.pop_front();
    drop(jobs);
    if let Some(job) = job {
        job(m);
    }
    Outcome::Exit
}

/// Stops the world, runs `f` on an M that holds a P, and starts the world.
///
/// Context: a thread that is no M; a prompt is attached.
pub fn with_world_stopped<R: Send + 'static>(f: impl FnOnce(&mut M) -> R + Send + 'static) -> R {
    in_goroutine(move |m| {
        let (mut f, mut result) = (Some(f), None);
        stw::stopped(m, "prompt", &mut |m| {
            result = f.take().map(|f| f(m));
        });
        match result {
            Some(result) => result,
            None => crate::throw!("the world was not stopped"),
        }
    })
}

/// Runs `f` in a goroutine of the runtime. It must not use the M after it may have changed.
///
/// Context: as [`with_world_stopped`].
fn in_goroutine<R: Send + 'static>(f: impl FnOnce(&mut M) -> R + Send + 'static) -> R {
    let (done, result) = mpsc::channel();
    let job: Job = Box::new(move |m| {
        // The receiver waits for it.
        let _ = done.send(f(m));
    });
    {
        let front = FRONT.lock().unwrap_or_else(PoisonError::into_inner);
        let m = front.0;
        if m.is_null() {
            crate::throw!("in_goroutine: no prompt is attached");
        }
        JOBS.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push_back(job);
        proc::inc_idle_locked(-1);
        // SAFETY: O1; the G is ours until it is queued.
        unsafe {
            let g = proc::new_detached(do_job as *const () as usize);
            (*g).input = 0;
            (*g).is_system = true;
            SCHED.ngsys.fetch_add(1, Ordering::Relaxed);
            (*g).native = Some(do_job);
            pause::is_own((*g).goid.0);
            trace::go_create(m, g);
            (*g).cas_status(Status::Dead, Status::Runnable);
            proc::queue_first(m, g);
        }
        proc::inc_idle_locked(1);
    }
    loop {
        match result.recv_timeout(PATIENCE) {
            Ok(r) => return r,
            // Goroutines may run that no preemption reaches.
            Err(mpsc::RecvTimeoutError::Timeout) => preempt::give_way(),
            Err(mpsc::RecvTimeoutError::Disconnected) => crate::throw!("a prompt's job was lost"),
        }
    }
}

/// Has the goroutine of `input` end as by `runtime.Goexit`: at its next safepoint outside of the
/// library, or where it waits, as if it had never come to wait. A second call does not wait for the
/// library, and abandons the deferred call that the first has led to. `false`: it has ended.
///
/// Where the library holds something, it gives that back first: a read, a write or a connection
/// leaves its file as it was, for others to use. A system call that blocks is cut short. A child
/// that is waited for lives on; who waits for it again gets its status, and if nobody does it is
/// forgotten when the next child is started after its end. In `sync.Cond.Wait` the goroutine gets
/// the lock before it ends; if a second call has it end without, none of its deferred calls is
/// made, for they may unlock what it has not got.
///
/// Context: as [`with_world_stopped`].
pub fn interrupt(input: &Input) -> bool {
    kill(input.0)
}

/// As [`interrupt`], for the goroutine of that number. Goroutine 1 stays.
pub fn kill(id: u64) -> bool {
    // One that was not to be ended where it was may come to wait before it obeys.
    for look in 0..2 * KILL_LOOKS {
        match look_at(id, look == 0) {
            Killed::Gone => return look > 0,
            Killed::Now => return true,
            Killed::Later if look >= KILL_LOOKS => break,
            Killed::Later | Killed::InCall => {
                let patience = if look < KILL_LOOKS { 1 } else { 10 };
                std::thread::sleep(Duration::from_millis(patience));
            }
        }
    }
    if let Some(account) = inputs().get_mut(&id) {
        account.is_owing = true;
    }
    true
}

/// Looks what the goroutine of that number, which is to end, does now; `is_new`: it is interrupted,
/// or interrupted again.
fn look_at(id: u64, is_new: bool) -> Killed {
    with_world_stopped(move |m| {
        let g = find(id);
        // SAFETY: the world is stopped; descriptors are never freed.
        unsafe {
            if g.is_null() || (*g).is_system || (*g).is_main() {
                return Killed::Gone;
            }
            pause::release_stopped(g);
            if is_new {
                preempt::interrupt(g);
            } else if !preempt::is_interrupted(&*g) {
                return Killed::Now;
            }
            interrupt_stopped(m, g)
        }
    })
}

/// How often [`kill`] looks whether a goroutine has obeyed; twice as often and in the end less
/// frequently if it is in a system call, which may not yet have come to the kernel.
const KILL_LOOKS: u32 = 50;

/// What has come of an attempt to end a goroutine.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Killed {
    /// There is none of that number.
    Gone,
    /// It ends.
    Now,
    /// It is to end where it next may.
    Later,
    /// It is to end when the system call has been cut short that it is in.
    InCall,
}

/// Puts the rule of that name in or out of force, with the world stopped. `false`: there is none.
///
/// Context: as [`with_world_stopped`].
pub fn set_mechanism(name: &str, on: bool) -> bool {
    let Some(mech) = switches::by_name(name) else {
        return false;
    };
    with_world_stopped(move |_| {
        let was_on = switches::on(mech);
        switches::set(mech, on);
        if mech == Mech::Fifo && on != was_on {
            for &p in &allp().ps {
                // SAFETY: the world is stopped: nobody looks into a queue.
                unsafe { (*p).runq.renew() };
            }
        }
    });
    true
}

/// Sets GOMAXPROCS, if `n` is positive; what it was.
///
/// Context: as [`with_world_stopped`].
pub fn set_gomaxprocs(n: i32) -> i32 {
    in_goroutine(move |m| stw::set_gomaxprocs(m, n).1)
}

/// Collects garbage, as `runtime.GC` does; how long that took.
///
/// Context: as [`with_world_stopped`].
pub fn collect() -> Duration {
    let begin = Instant::now();
    in_goroutine(|m| _ = gc::collect(m, gc::Mode::Forced));
    begin.elapsed()
}

/// What the heap and the collector tell about themselves.
///
/// Context: as [`with_world_stopped`].
pub fn memory() -> Box<gc::MemStats> {
    in_goroutine(|m| gc::read_mem_stats(m).1)
}

/// The live goroutine of that number, or null. The world is stopped.
fn find(id: u64) -> *mut G {
    let mut found = ptr::null_mut();
    for_each_g(|g| {
        // SAFETY: descriptors are never freed.
        let (goid, status) = unsafe { ((*g).goid.0, (*g).status()) };
        if goid == id && !matches!(status, Status::Dead | Status::Idle) {
            found = g;
        }
    });
    found
}

/// Ends the wait or the system call of `g`, which is interrupted, if it is in one.
///
/// # Safety
///
/// Context: g0 with a P; the world is stopped, and `g` is not the M's own.
unsafe fn interrupt_stopped(m: &mut M, g: *mut G) -> Killed {
    // SAFETY: nothing runs, so what is waiting stays so; Ms are not freed.
    unsafe {
        match (*g).status() {
            Status::Waiting => {}
            // Calls that come back meanwhile change the word.
            Status::Syscall => {
                signal::cut_call(ptr::read_volatile(&raw const (*g).m));
                return Killed::InCall;
            }
            Status::Runnable => {
                run_next(g);
                return Killed::Later;
            }
            _ => return Killed::Later,
        }
        let reason = (*g).wait_reason();
        if reason == WaitReason::SyncCondWait && sema::notify_undo(m, &mut *g) {
            // Its Wait locks; then comes the end.
            return Killed::Now;
        }
        if !preempt::is_insisted_on(&*g) && m.engine.is_unlocked(&*g) {
            return Killed::Later;
        }
        match reason {
            WaitReason::ChanReceive
            | WaitReason::ChanSend
            | WaitReason::Select
            | WaitReason::SynctestChanReceive
            | WaitReason::SynctestChanSend
            | WaitReason::SynctestSelect => {
                if (*g).waiting.is_null() {
                    return Killed::Later;
                }
                select::undo_wait(m, &mut *g);
            }
            WaitReason::ChanReceiveNilChan
            | WaitReason::ChanSendNilChan
            | WaitReason::SelectNoCases => {}
            WaitReason::Sleep => timer::undo_sleep(&*g),
            WaitReason::IoWait => {
                // The native that waits finds out why.
                netpoll::end_wait(m, g);
                return Killed::Later;
            }
            _ if sema::undo_wait(m, &mut *g) => {}
            _ => return Killed::Later,
        }
        (*g).param = ptr::null_mut();
        preempt::wait_undone(&*g);
        proc::ready(m, g);
        Killed::Now
    }
}

/// Has `g` run next, whatever keeps it in its queue.
///
/// # Safety
///
/// As [`interrupt_stopped`]; `g` is runnable.
unsafe fn run_next(g: *mut G) {
    let _s = SCHED.lock.guard();
    // SAFETY: the caller's; the lock is held. One that is in no queue is about to run.
    unsafe {
        if SCHED.globrunq_remove(g) || allp().ps.iter().any(|&p| (*p).runq.remove(g)) {
            SCHED.globrunq_put_input(g);
        }
    }
}

/// SIGINT is for the front thread.
static HEARS: AtomicBool = AtomicBool::new(false);
/// It has come.
static WAS_INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From now on SIGINT does not end the process: [`take_interrupt`] tells of it, unless the program
/// wants to have the signal.
pub fn hear_interrupts() {
    HEARS.store(true, Ordering::Relaxed);
    signal::hear(libc::SIGINT);
}

/// As if SIGINT had come.
pub fn raise_interrupt() {
    WAS_INTERRUPTED.store(true, Ordering::Relaxed);
}

/// Whether SIGINT has come since this was asked last.
pub fn take_interrupt() -> bool {
    WAS_INTERRUPTED.swap(false, Ordering::Relaxed)
}

/// Takes a signal that is meant for the front thread.
///
/// Context: signal handler.
pub(crate) fn takes(sig: i32) -> bool {
    let is_ours = sig == libc::SIGINT && HEARS.load(Ordering::Relaxed);
    if is_ours {
        WAS_INTERRUPTED.store(true, Ordering::Relaxed);
    }
    is_ours
}

/// How long an input may be kept from its first start before the goroutines that run are asked to
/// give way, whatever mechanisms are switched off.
const PATIENCE: Duration = Duration::from_millis(10);

/// An interrupt misses a system call that begins just then: so much later it is sent again.
const LOOK_AGAIN: Duration = Duration::from_millis(100);
/// As long as anybody waits.
const LONG: Duration = Duration::from_secs(3600);

/// Waits until `input` has ended, or nothing can ever run again.
///
/// Context: a thread that is no M.
pub fn wait(input: &Input) -> Ended {
    loop {
        let owes = inputs().entry(input.0).or_default().is_owing;
        let patience = if owes { LOOK_AGAIN } else { LONG };
        if let Some(ended) = wait_timeout(input, patience) {
            return ended;
        }
    }
}

/// As [`wait`], for at most `timeout`. One that was interrupted in the library and waits since then
/// ends at the beginning of such a call.
pub fn wait_timeout(input: &Input, timeout: Duration) -> Option<Ended> {
    let until = Instant::now() + timeout;
    pause::waits_for(input.0);
    let owes = std::mem::take(&mut inputs().entry(input.0).or_default().is_owing);
    if owes && matches!(look_at(input.0, false), Killed::Later | Killed::InCall) {
        inputs().entry(input.0).or_default().is_owing = true;
    }
    inputs().entry(input.0).or_default().waiters += 1;
    {
        // The last M may have gone to sleep before anybody waited.
        let _s = SCHED.lock.guard();
        panic::check_dead();
    }
    let mut all = inputs();
    let ended = loop {
        let account = all.entry(input.0).or_default();
        let ended = account
            .ended
            .or_else(|| std::mem::take(&mut account.asleep).then_some(Ended::Deadlocked));
        let left = until.saturating_duration_since(Instant::now());
        if ended.is_some() || left.is_zero() {
            break ended;
        }
        let waits = SCHED.inputs.load(Ordering::Relaxed) != 0;
        let nap = if waits { left.min(PATIENCE) } else { left };
        let woken = CHANGED.wait_timeout(all, nap);
        let (guard, nap) = woken.unwrap_or_else(PoisonError::into_inner);
        all = guard;
        if nap.timed_out() && SCHED.inputs.load(Ordering::Relaxed) != 0 {
            preempt::give_way();
        }
    };
    let account = all.entry(input.0).or_default();
    account.waiters -= 1;
    if ended.is_some() {
        pause::waits_for(0);
    }
    ended
}

/// The current goroutine's end will be told as `how` if it is an input's.
///
/// # Safety
///
/// `g` is the running G.
pub unsafe fn ends_by(g: *mut G, how: Ended) {
    // SAFETY: by the contract.
    unsafe { (*g).ending = how as u8 };
}

/// The goroutine of an input has ended; the one that waits for that and is to be made ready, or
/// null.
pub(crate) fn ended(g: &G) -> *mut G {
    let how = [Ended::Returned, Ended::Panicked, Ended::Exited][usize::from(g.ending)];
    let mut all = inputs();
    let account = all.entry(g.input).or_default();
    account.ended = Some(how);
    CHANGED.notify_all();
    account.waiter.take().map_or(ptr::null_mut(), |g| g.0)
}

/// Parks the current goroutine, which leaves then, until the goroutine of the input of that number
/// has ended. One may wait for each.
///
/// Context: coroutine, no lock held.
pub fn park_until_ended(m: &mut M, input: usize) {
    unsafe fn commit(g: *mut G, input: ParkArg) -> bool {
        let mut all = inputs();
        let account = all.entry(input.as_number() as u64).or_default();
        if account.ended.is_none() {
            account.waiter = Some(Gref(g));
        }
        account.ended.is_none()
    }
    m.park(Some(commit), ParkArg::number(input), WaitReason::Prompt);
}

/// Nothing can ever run again: who waits for an input is told. The sched lock is held.
pub(crate) fn all_asleep() {
    for account in inputs().values_mut() {
        account.asleep = account.waiters > 0 && account.ended.is_none();
    }
    CHANGED.notify_all();
}

/// What is to be called before the process ends, 0 if nothing.
static ON_EXIT: plain::AtomicUsize = plain::AtomicUsize::new(0);

/// Has `f` called once before the process ends: by `os.Exit`, which it is told by `true`, by what
/// cannot be recovered, or by a signal. `f` may be called by any thread and in the handler of a
/// signal, so that it must not wait for locks that other code may hold.
pub fn on_exit(f: fn(bool)) {
    ON_EXIT.store(f as usize, Ordering::SeqCst);
}

/// The process is about to end, by its own wish or not.
pub(crate) fn leaving(is_wanted: bool) {
    let f = ON_EXIT.swap(0, Ordering::SeqCst);
    if f != 0 {
        // SAFETY: only `on_exit` stores here, and it stores functions of this type.
        let f: fn(bool) = unsafe { std::mem::transmute(f) };
        f(is_wanted);
    }
}
