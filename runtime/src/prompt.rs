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

use std::collections::BTreeMap;
use std::ptr;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::coro::on_g0;
use crate::g::{G, Status, WaitReason};
use crate::m::{M, ParkArg};
use crate::sched::SCHED;
use crate::sync::plain;
use crate::sync::{AtomicBool, Ordering};
use crate::{panic, preempt, proc, trace};

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
    ATTACHED.store(true, Ordering::SeqCst);
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

/// How long an input may be kept from its first start before the goroutines that run are asked to
/// give way, whatever mechanisms are switched off.
const PATIENCE: Duration = Duration::from_millis(10);

/// Waits until `input` has ended, or nothing can ever run again.
///
/// Context: a thread that is no M.
pub fn wait(input: &Input) -> Ended {
    loop {
        if let Some(ended) = wait_timeout(input, Duration::from_secs(3600)) {
            return ended;
        }
    }
}

/// As [`wait`], for at most `timeout`.
pub fn wait_timeout(input: &Input, timeout: Duration) -> Option<Ended> {
    let until = Instant::now() + timeout;
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

/// The goroutine of an input has ended.
pub(crate) fn ended(g: &G) {
    let how = [Ended::Returned, Ended::Panicked, Ended::Exited][usize::from(g.ending)];
    inputs().entry(g.input).or_default().ended = Some(how);
    CHANGED.notify_all();
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

/// Has `f` called once before the process ends: by `os.Exit`, by what cannot be recovered, or by a
/// signal. `f` may be called by any thread and in the handler of a signal, so that it must not
/// wait for locks that other code may hold.
pub fn on_exit(f: fn()) {
    ON_EXIT.store(f as usize, Ordering::SeqCst);
}

/// The process is about to end.
pub(crate) fn leaving() {
    let f = ON_EXIT.swap(0, Ordering::SeqCst);
    if f != 0 {
        // SAFETY: only `on_exit` stores here, and it stores functions of this type.
        let f: fn() = unsafe { std::mem::transmute(f) };
        f();
    }
}
