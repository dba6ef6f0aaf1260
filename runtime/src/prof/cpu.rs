#![allow(unsafe_code)]
//! The profile of time: a timer for each thread counts the time it computes, and its signal notes
//! where the thread is.
//!
//! The handler writes a sample into a slot of the ring, and does nothing else; what it writes is
//! raw, and the engine makes frames of it later ([`Engine::frames`](crate::Engine::frames)). A
//! thread that is no M empties the ring into the table ten times a second.
//!
//! # Invariants
//!
//! - U1. A slot belongs to who has moved its `state` from `FREE` to `TAKEN`, then, once it is
//!   `FULL`, to the holder of the table's lock.
//! - U2. The ring is made once, and never freed: a handler may come late.
//! - U3. An M's timer is made and deleted under [`TIMERS`]; threads of the list of all Ms have one
//!   while the profile is on.
//!
//! Go: runtime/cpuprof.go; runtime/os_linux.go, setThreadCPUProfiler; runtime/proc.go, sigprof.

use std::cell::UnsafeCell;

use super::stacks::Stacks;
use crate::coro;
use crate::gc::barrier;
use crate::lockrank::Rank;
use crate::m::M;
use crate::sched::SCHED;
use crate::signal::{self, Context};
use crate::sync::plain::{AtomicI64, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use crate::sync::{self, Guarded};
use crate::tls;

/// The most frames of a sample. Go: maxCPUProfStack.
const FRAMES: usize = 64;
/// Samples that the ring holds: a tenth of a second of 500 Hz on 100 threads.
const SLOTS: usize = 1 << 13;
/// How often the ring is emptied.
const DRAIN_US: u64 = 100_000;

/// A raw frame below this is none, but says what the thread does that runs no Go.
pub const SPECIALS: usize = 64;
/// The thread schedules, or does something else for the runtime.
pub const SYSTEM: usize = 1;
/// It marks for the collector.
pub const MARK: usize = 2;
/// It is no thread of the runtime's.
pub const EXTERNAL: usize = 3;
/// No sample: there was no slot for it.
pub const LOST: usize = 4;

const FREE: u32 = 0;
const TAKEN: u32 = 1;
const FULL: u32 = 2;

/// A sample: its labels, then its frames.
struct Slot {
    state: AtomicU32,
    n: UnsafeCell<usize>,
    words: UnsafeCell<[usize; 1 + FRAMES]>,
}

// SAFETY: U1.
unsafe impl Sync for Slot {}

/// The ring, null before the first profile.
static RING: AtomicPtr<Slot> = AtomicPtr::new(std::ptr::null_mut());
/// The slot that is tried next.
static NEXT: AtomicUsize = AtomicUsize::new(0);
/// Samples without a slot.
static DROPPED: AtomicU64 = AtomicU64::new(0);
/// Samples a second while the profile is on, else 0. Written under [`TIMERS`].
static HZ: AtomicI64 = AtomicI64::new(0);

/// What has been sampled: labels and raw frames, and how often.
static TABLE: Guarded<Stacks<u64>> = Guarded::new(Rank::Leaf, Stacks::new());
static TIMERS: Guarded<()> = Guarded::new(Rank::Sysmon, ());

/// A profile.
#[derive(Debug)]
pub struct Samples {
    /// Of each stack the labels, as `G::labels` has them, the frames as
    /// [`Engine::stack`](crate::Engine::stack) gives them, and how often it was met.
    pub all: Vec<(usize, Vec<usize>, u64)>,
}

/// Is a profile being made?
#[inline]
pub fn is_on() -> bool {
    HZ.load(Ordering::Relaxed) != 0
}

/// Has there ever been one, so that the signal is the profile's?
pub(crate) fn is_used() -> bool {
    !RING.load(Ordering::Relaxed).is_null()
}

/// Begins a profile of so many samples a second of each thread; `false`: one is being made.
///
/// Context: any; no lock of the runtime held.
pub fn start(hz: i64) -> bool {
    if cfg!(any(loom, shuttle)) {
        return false; // Models have no signals.
    }
    {
        let _timers = TIMERS.lock();
        if is_on() {
            return false;
        }
        if !is_used() {
            let free = || Slot {
                state: AtomicU32::new(FREE),
                n: UnsafeCell::new(0),
                words: UnsafeCell::new([0; 1 + FRAMES]),
            };
            let ring: Box<[Slot]> = (0..SLOTS).map(|_| free()).collect();
            RING.store(Box::leak(ring).as_mut_ptr(), Ordering::Release);
            signal::hear_profile();
        }
        drain();
        TABLE.lock().clear();
        HZ.store(hz, Ordering::SeqCst);
        let mut m = SCHED.allm.load(sync::Ordering::Acquire);
        while !m.is_null() {
            // SAFETY: Ms are never freed; U3; the link stays.
            unsafe {
                arm(m);
                m = (*m).alllink;
            }
        }
    }
    std::thread::spawn(|| {
        while is_on() {
            sync::usleep(DRAIN_US);
            drain();
        }
    });
    true
}

/// Ends the profile. The samples are there until the next begins.
pub fn stop() {
    let _timers = TIMERS.lock();
    HZ.store(0, Ordering::SeqCst);
    let mut m = SCHED.allm.load(sync::Ordering::Acquire);
    while !m.is_null() {
        // SAFETY: Ms are never freed; U3; the link stays.
        unsafe {
            disarm(m);
            m = (*m).alllink;
        }
    }
}

/// What has been sampled.
pub fn samples() -> Samples {
    drain();
    let mut all = TABLE.lock().all();
    let lost = DROPPED.swap(0, Ordering::Relaxed);
    if lost > 0 {
        all.push(([0, LOST].into(), lost));
    }
    // SAFETY: Ms are never freed.
    let Some(m) = (unsafe { SCHED.allm.load(sync::Ordering::Acquire).as_ref() }) else {
        return Samples { all: Vec::new() };
    };
    let framed = all
        .into_iter()
        .map(|(words, n)| (words[0], m.engine.frames(&words[1..]), n));
    Samples {
        all: framed.collect(),
    }
}

/// The thread of `m` begins.
///
/// Context: that thread, which has its number.
pub(crate) fn thread_begins(m: *mut M) {
    if is_on() {
        let _timers = TIMERS.lock();
        // SAFETY: U3.
        unsafe { arm(m) };
    }
}

/// The thread of `m` ends. It is on no list.
pub(crate) fn thread_ends(m: *mut M) {
    // SAFETY: the thread's own; U3.
    unsafe {
        if (*m).profile_timer.load(Ordering::Relaxed) != 0 {
            let _timers = TIMERS.lock();
            disarm(m);
        }
    }
}

/// Gives `m` a timer, unless it has one, or no thread yet.
///
/// # Safety
///
/// `m` is an M; U3.
unsafe fn arm(m: *mut M) {
    // SAFETY: the caller's; the kernel is given plain data.
    unsafe {
        let hz = HZ.load(Ordering::Relaxed);
        let tid = (*m).procid.load(sync::Ordering::Relaxed) as libc::pid_t;
        if tid == 0 || hz == 0 || (*m).profile_timer.load(Ordering::Relaxed) != 0 {
            return;
        }
        // The kernel's number for the clock of a thread's processor time.
        let clock = !tid << 3 | 6;
        let mut event: libc::sigevent = std::mem::zeroed();
        event.sigev_notify = libc::SIGEV_THREAD_ID;
        event.sigev_signo = libc::SIGPROF;
        event.sigev_notify_thread_id = tid;
        let mut timer: libc::timer_t = std::mem::zeroed();
        if libc::timer_create(clock, &raw mut event, &raw mut timer) != 0 {
            return;
        }
        // The first period is of random length, as in Go: else threads that begin together are
        // asked together.
        let period = 1_000_000_000 / hz;
        let spec = |ns: i64| libc::timespec {
            tv_sec: ns / 1_000_000_000,
            tv_nsec: ns % 1_000_000_000,
        };
        let first = 1 + crate::clock::real_nanotime().rem_euclid(period);
        let times = libc::itimerspec {
            it_interval: spec(period),
            it_value: spec(first),
        };
        libc::timer_settime(timer, 0, &raw const times, std::ptr::null_mut());
        // Numbers of timers begin at 0.
        (*m).profile_timer
            .store(timer as usize + 1, Ordering::Relaxed);
    }
}

/// Takes the timer of `m` away.
///
/// # Safety
///
/// As [`arm`].
unsafe fn disarm(m: *mut M) {
    // SAFETY: the caller's.
    unsafe {
        let timer = (*m).profile_timer.swap(0, Ordering::Relaxed);
        if timer != 0 {
            libc::timer_delete((timer - 1) as libc::timer_t);
        }
    }
}

/// Notes where the thread is.
///
/// Context: handler of the timer's signal.
pub(crate) fn tick(context: Context) {
    let ring = RING.load(Ordering::Acquire);
    if !is_on() || ring.is_null() {
        return;
    }
    let at = NEXT.fetch_add(1, Ordering::Relaxed) % SLOTS;
    // SAFETY: U2.
    let slot = unsafe { &*ring.add(at) };
    if slot
        .state
        .compare_exchange(FREE, TAKEN, Ordering::Acquire, Ordering::Relaxed)
        .is_err()
    {
        DROPPED.fetch_add(1, Ordering::Relaxed);
        return;
    }
    // SAFETY: U1.
    unsafe {
        let words = &mut *slot.words.get();
        let (labels, n) = sample(context, &mut words[1..]);
        words[0] = labels;
        *slot.n.get() = n;
    }
    slot.state.store(FULL, Ordering::Release);
}

/// Writes the raw frames of the thread; its goroutine's labels, and how many there are.
///
/// # Safety
///
/// Context: as [`tick`].
unsafe fn sample(context: Context, to: &mut [usize]) -> (usize, usize) {
    let m = tls::current_m();
    // SAFETY: the M is this thread's, which stands still; m::M3.
    unsafe {
        to[0] = EXTERNAL;
        if m.is_null() {
            return (0, 1);
        }
        to[0] = SYSTEM;
        let g = (*m).curg;
        if g.is_null() || (*m).yielder.is_null() || !coro::is_within(context) {
            return (0, 1);
        }
        if (*g).native.is_some() {
            if barrier::is_marking() {
                to[0] = MARK;
            }
            return (0, 1);
        }
        let n = (*m).engine.sample(&*g, context, to);
        ((*g).labels, n.max(1))
    }
}

/// Moves what is in the ring to the table.
fn drain() {
    let ring = RING.load(Ordering::Acquire);
    if ring.is_null() {
        return;
    }
    let mut table = TABLE.lock();
    for i in 0..SLOTS {
        // SAFETY: U2.
        let slot = unsafe { &*ring.add(i) };
        // Acquire: pairs with the Release in `tick`.
        if slot.state.load(Ordering::Acquire) != FULL {
            continue;
        }
        // SAFETY: U1.
        let words = unsafe { &(&*slot.words.get())[..1 + *slot.n.get()] };
        *table.at(words) += 1;
        slot.state.store(FREE, Ordering::Release);
    }
}
