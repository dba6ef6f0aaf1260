#![allow(unsafe_code)]
//! Controlled runs: one P, nobody who watches it, a clock of our own, and one source of decisions.
//!
//! A *decision* is a place where more than one thing may happen next: which goroutine runs, which
//! ready case a `select` takes. In a controlled run each is drawn from a stream that begins at the
//! run's seed, so the same seed gives the same run, whatever else the machine does. The virtual
//! clock stands still while a goroutine can run, and jumps to the next timer when none can.
//!
//! The seed gives a stream each to the schedule, to `select`, and to what the program draws (the
//! order of maps, `math/rand`), so that one does not disturb the other.
//!
//! # Invariants
//!
//! - S1. What kind of run it is, is written before [`start`](crate::proc::start), and never again.
//! - S2. In a controlled run there is one P, and only who holds it touches [`STATE`].
//!
//! Go: none; the clock resembles runtime/time_fake.go.

use crate::g::G;
use crate::lockrank::Rank;
use crate::p::P;
use crate::rand::Rand;
use crate::sched::SCHED;
use crate::sync::plain::{AtomicBool, AtomicI32, AtomicI64, AtomicU32, Ordering};
use crate::sync::{Guarded, usleep};
use crate::{knobs, netpoll, proc, rand, signal, sysmon};

/// What kind of run it is.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Options {
    /// The run is controlled, and decisions are drawn from here.
    pub seed: Option<u64>,
    /// The clock is virtual, whether the run is controlled or not.
    pub virtual_time: bool,
    /// How many decisions there may be: then the process ends by SIGXCPU.
    pub steps: Option<u64>,
}

/// Wall time at which a virtual clock begins, in nanoseconds since the Unix epoch: when Go became
/// public, as on its playground.
const EPOCH: i64 = 1_257_894_000_000_000_000;
/// What a virtual clock shows first.
const BEGIN: i64 = 1;
/// By how much a reading advances a virtual clock, the first time and at most: a loop that waits
/// for the time to pass must end.
const FIRST_STEP: i64 = 1;
const MOST_STEP: i64 = 10_000_000;

/// How often, and for how long, to wait for what is on its way from the kernel.
const PATIENCE: u32 = 20;
const ARRIVES_US: u64 = 100;

/// See [`told_procs`].
const USUAL_PROCS: i32 = 4;
/// 0: as at the start. Written by the program.
static TOLD_PROCS: AtomicI32 = AtomicI32::new(0);

static CONTROLLED: AtomicBool = AtomicBool::new(false);
static VIRTUAL: AtomicBool = AtomicBool::new(false);
/// The virtual clock. Written by who holds the one P.
static NOW: AtomicI64 = AtomicI64::new(BEGIN);
/// By how much the next reading advances it.
static STEP: AtomicI64 = AtomicI64::new(FIRST_STEP);

/// How often it was waited for the kernel since time passed. Written by who holds the one P.
static WAITED: AtomicU32 = AtomicU32::new(0);

/// Of so many turns of loops one is a point.
const POINT_TURNS: u32 = 1000;
/// Turns of loops so far. Written by who holds the one P.
static TURNS: AtomicU32 = AtomicU32::new(0);

/// See S2.
static STATE: Guarded<State> = Guarded::new(Rank::Leaf, State::new());

struct State {
    schedule: Rand,
    select: Rand,
    /// What can run, in the order in which it became so.
    ready: Vec<Ready>,
    /// How many decisions there may still be.
    left: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Ready(*mut G);

// SAFETY: a queued G belongs to the queue (g::G1).
unsafe impl Send for Ready {}

impl State {
    const fn new() -> State {
        State {
            schedule: Rand::new(0),
            select: Rand::new(0),
            ready: Vec::new(),
            left: u64::MAX,
        }
    }

    /// Counts a decision; the process ends by SIGXCPU when there were too many.
    fn count(&mut self) {
        if self.left == 0 {
            signal::die_by(libc::SIGXCPU);
        }
        self.left -= 1;
    }
}

/// Says what kind of run it is. Called before [`start`](crate::proc::start).
pub fn set(options: Options) {
    VIRTUAL.store(
        options.virtual_time || options.seed.is_some(),
        Ordering::Relaxed,
    );
    CONTROLLED.store(options.seed.is_some(), Ordering::Relaxed);
    if let Some(seed) = options.seed {
        proc::set_seed(seed);
        let mut state = STATE.lock();
        state.schedule = Rand::new(rand::fork());
        state.select = Rand::new(rand::fork());
        state.left = options.steps.unwrap_or(u64::MAX);
    }
}

/// Is the run controlled?
#[inline]
pub fn is_on() -> bool {
    CONTROLLED.load(Ordering::Relaxed)
}

/// Is the clock virtual?
#[inline]
pub fn is_virtual() -> bool {
    VIRTUAL.load(Ordering::Relaxed)
}

// ---- The clock.

/// What the virtual clock shows.
pub(crate) fn now() -> i64 {
    NOW.load(Ordering::Relaxed)
}

/// The wall time that goes with it.
pub(crate) fn wall_now() -> i64 {
    EPOCH + now() - BEGIN
}

/// The program reads the clock, which goes on a little.
pub(crate) fn read_clock() {
    let step = STEP.load(Ordering::Relaxed);
    STEP.store((step * 2).min(MOST_STEP), Ordering::Relaxed);
    NOW.fetch_add(step, Ordering::Relaxed);
}

/// Lets the virtual clock jump to the next timer, if there is one. What is on its way from the
/// kernel gets a moment to arrive before. `true`: look again for what can run.
///
/// Context: g0 with a P; nothing can run.
pub(crate) fn passes_time() -> bool {
    let next = sysmon::next_timer();
    if next == 0 {
        return false;
    }
    if netpoll::waiters() > 0 && WAITED.fetch_add(1, Ordering::Relaxed) < PATIENCE {
        usleep(ARRIVES_US);
        return true;
    }
    WAITED.store(0, Ordering::Relaxed);
    NOW.fetch_max(next, Ordering::Relaxed);
    STEP.store(FIRST_STEP, Ordering::Relaxed);
    true
}

// ---- What the program is told of the machine.

/// GOMAXPROCS and the number of CPUs, as the program is told: the same on every machine.
pub fn told_procs() -> i32 {
    match TOLD_PROCS.load(Ordering::Relaxed) {
        0 => knobs::procs_from_environment().unwrap_or(USUAL_PROCS),
        n => n,
    }
}

/// The program sets GOMAXPROCS to `n`, if that is positive; the old value. There is one P all the
/// same.
pub fn tell_procs(n: i64) -> i32 {
    let old = told_procs();
    if n > 0 {
        TOLD_PROCS.store(n.min(i64::from(i32::MAX)) as i32, Ordering::Relaxed);
    }
    old
}

// ---- The schedule.

/// Chooses what runs next on `p` from all that can; null if nothing can.
///
/// # Safety
///
/// Context: g0 of the M that holds `p`, in a controlled run.
pub(crate) unsafe fn next(p: *mut P) -> *mut G {
    // SAFETY: by the contract; S2.
    unsafe {
        let fresh = gather(p);
        let mut state = STATE.lock();
        state.ready.extend(fresh);
        // What the runtime does for itself is no decision.
        let own = state.ready.iter().position(|g| (*g.0).is_system);
        let n = state.ready.len();
        let at = match own {
            Some(at) => at,
            None if n == 0 => return std::ptr::null_mut(),
            None if n == 1 => 0,
            None => {
                state.count();
                state.schedule.below(n as u32) as usize
            }
        };
        state.ready.remove(at).0
    }
}

/// Takes what is in the queues.
///
/// # Safety
///
/// As [`next`].
unsafe fn gather(p: *mut P) -> Vec<Ready> {
    let mut fresh = Vec::new();
    // SAFETY: by the contract.
    unsafe {
        loop {
            let (g, _) = proc::runq_get(p);
            if g.is_null() {
                break;
            }
            fresh.push(Ready(g));
        }
        while SCHED.runqsize.load(Ordering::Relaxed) != 0 {
            let _s = SCHED.lock.guard();
            let g = SCHED.globrunq_get(&*p, 1);
            if g.is_null() {
                break;
            }
            fresh.push(Ready(g));
        }
    }
    fresh
}

/// Whether another goroutine than the one that runs on `p` can run: if not there is nothing to
/// decide.
///
/// # Safety
///
/// Context: coroutine of the M that holds `p`, in a controlled run.
pub unsafe fn has_others(p: *mut P) -> bool {
    // SAFETY: by the contract.
    unsafe {
        !(*p).runq.is_empty()
            || SCHED.runqsize.load(Ordering::Relaxed) != 0
            || !STATE.lock().ready.is_empty()
    }
}

/// A loop begins another turn: is that a point? One of a thousand is.
#[inline]
pub fn turn() -> bool {
    let n = TURNS.load(Ordering::Relaxed).wrapping_add(1);
    TURNS.store(n, Ordering::Relaxed);
    let is_point = n.is_multiple_of(POINT_TURNS);
    if is_point {
        // Whether others can run or not: a loop without end is to end.
        STATE.lock().count();
    }
    is_point
}

/// Which of `n` ready cases a `select` takes.
pub(crate) fn case(n: usize) -> usize {
    if n < 2 {
        return 0;
    }
    let mut state = STATE.lock();
    state.count();
    state.select.below(n as u32) as usize
}
