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

mod blocking;
pub(crate) mod calls;
mod clock;
pub mod log;
pub mod operation;
mod outside;
mod points;
pub mod strategy;
pub mod tape;

use crate::g::{G, Goid, WaitReason};
use crate::lockrank::Rank;
use crate::m::{M, ParkArg};
use crate::p::P;
use crate::rand::Rand;
use crate::sched::SCHED;
use crate::sync::Guarded;
use crate::sync::plain::{AtomicBool, AtomicI32, AtomicU32, Ordering};
use crate::trace::{Chosen, What};
use crate::{knobs, proc, race, rand, signal, sysmon, tls, trace};

use std::collections::BTreeMap;

use outside::GATED;
use points::SHARED;

use clock::jump;
pub(crate) use clock::{now, passes_time, read_clock, wall_now};
pub use outside::{Outside, hear_outside, is_gated, refuse};
pub(crate) use outside::{hears_outside, registers};
pub use points::{
    has_read_early, has_shared, is_amid, is_shared, point, reads_early, reads_the_world, turn,
};

use log::{Key, Kind, Log, Record, standing};
use operation::{Act, Operation};
use strategy::{Candidate, Moment, Plan, Stop, Strategy, ordinary_case};

/// What kind of run it is.
#[derive(Clone, Default, Debug)]
pub struct Options {
    /// The run is controlled, and what is drawn is drawn from here.
    pub seed: Option<u64>,
    /// The clock is virtual, whether the run is controlled or not.
    pub virtual_time: bool,
    /// How many decisions there may be: then the process ends by SIGXCPU.
    pub steps: Option<u64>,
    /// Who takes the decisions.
    pub plan: Plan,
    /// One of so many decisions lets time pass though goroutines can run; 0: none does.
    pub passes: u32,
    /// The clock may pass a goroutine that can run by so many nanoseconds; `None`: by any number.
    pub max_stall: Option<i64>,
    /// Where is written what happens.
    pub log: Option<Log>,
    /// When the main goroutine has returned the others go on, unheard, until nothing can run.
    pub lingers: bool,
    /// The descriptor of a file for what they print then, before time passes.
    pub late: Option<i32>,
    /// What reaches outside ends the run: see [`refuse`].
    pub is_gated: bool,
    /// See [`is_shared`].
    pub shared: Vec<u64>,
}

/// Exit status of a run that does not go as it was recorded.
pub const DIVERGED: i32 = 69;

/// What may happen after the main goroutine has returned: decisions, and jumps of the clock.
const LINGERS: u64 = 20_000;
/// Decisions that may follow a race that has been told, in a run of a search: what has no end comes
/// to one.
const AFTER_RACE: u64 = 2_000;
const JUMPS: u32 = 200;

/// See [`told_procs`].
const USUAL_PROCS: i32 = 4;
/// 0: as at the start. Written by the program.
static TOLD_PROCS: AtomicI32 = AtomicI32::new(0);

static CONTROLLED: AtomicBool = AtomicBool::new(false);
/// See [`is_watched`].
static WATCHED: AtomicBool = AtomicBool::new(false);
static VIRTUAL: AtomicBool = AtomicBool::new(false);
/// See [`clock_is_told`].
static CLOCK_IS_TOLD: AtomicBool = AtomicBool::new(false);
/// See [`Options::late`]; -1: there is none.
static LATE: AtomicI32 = AtomicI32::new(-1);
/// The main goroutine has returned, and the others go on.
static LINGERING: AtomicBool = AtomicBool::new(false);
/// The exit status then. Written when it returns.
static STATUS: AtomicI32 = AtomicI32::new(0);
/// How often the clock may still jump, when they do.
static JUMPS_LEFT: AtomicU32 = AtomicU32::new(JUMPS);

/// See S2.
static STATE: Guarded<State> = Guarded::new(Rank::Leaf, State::new());

struct State {
    strategy: Option<Box<dyn Strategy>>,
    seed: u64,
    /// The key changes with each decision.
    now: Moment,
    /// Who stands at a point, having run last.
    at_point: Option<Operation>,
    /// How many points each goroutine has come to.
    points: Vec<u32>,
    /// What each has done last.
    last: Vec<Operation>,
    /// What can run, in the order in which it became so.
    ready: Vec<Candidate>,
    /// See [`Options::max_stall`].
    max_stall: Option<i64>,
    /// Time could have passed already, though goroutines could run.
    could_pass: bool,
    /// Since when, by the clock, each could run that can, whatever it has done since then.
    since: Vec<i64>,
    /// How often each has taken a lock as a reader that it has not given back.
    taken: BTreeMap<(Goid, u64), u32>,
    /// How many decisions there were, with those between yielding and going on.
    decisions: u64,
    /// The number of the next, as a recording counts them.
    number: u32,
    /// How many there may be.
    most: u64,
    log: Option<Log>,
    lingers: bool,
    /// See [`reads_early`]: who, where, and what.
    early: Vec<(Goid, usize, u64)>,
    /// After so many decisions the collector looks for goroutines that wait for ever.
    look_at: u64,
}

/// The number of decisions before its first look, and the factor between two looks.
const LOOK_AT: u64 = 500;
const LOOK_LATER: u64 = 4;

impl State {
    const fn new() -> State {
        State {
            strategy: None,
            seed: 0,
            now: Moment {
                key: Key {
                    g: Goid(0),
                    points: 0,
                    is_point: false,
                },
                passes: 0,
                schedule: Rand::new(0),
                select: Rand::new(0),
                time: Rand::new(0),
            },
            at_point: None,
            points: Vec::new(),
            last: Vec::new(),
            ready: Vec::new(),
            max_stall: None,
            could_pass: false,
            since: Vec::new(),
            taken: BTreeMap::new(),
            decisions: 0,
            number: 0,
            most: u64::MAX,
            log: None,
            lingers: false,
            early: Vec::new(),
            look_at: u64::MAX,
        }
    }

    /// Is a look for goroutines that wait for ever due?
    fn is_look_due(&self) -> bool {
        self.decisions >= self.look_at && !LINGERING.load(Ordering::Relaxed)
    }

    /// May the clock jump to `timer`, though these can run, and those that are ready?
    fn may_pass(&mut self, timer: i64, own: Option<Goid>) -> bool {
        if timer == 0 {
            return false;
        }
        if let Some(most) = self.max_stall {
            let since = |g: Goid| self.since.get(g.0 as usize).copied().unwrap_or_default();
            let mut all = self.ready.iter().map(|c| c.goid).chain(own);
            if !all.all(|g| timer - since(g) <= most) {
                return false;
            }
        }
        if !std::mem::replace(&mut self.could_pass, true) {
            self.push(Record {
                kind: Kind::CouldPass,
                ..Record::default()
            });
        }
        true
    }

    /// What `g` does to a lock for readers: who gives one back that it has not taken itself
    /// concerns all other readers.
    fn as_reader(&mut self, g: Goid, op: Operation) -> Operation {
        let mut act = op.act;
        if matches!(act, Act::ReadLock | Act::TryReadLock | Act::ReadUnlock) {
            let taken = self.taken.entry((g, op.object)).or_default();
            match act {
                Act::ReadUnlock if *taken == 0 => act = Act::Change,
                Act::ReadUnlock => *taken -= 1,
                _ => *taken += 1,
            }
        }
        Operation { act, ..op }
    }

    /// Counts a decision. `false`: there were too many.
    fn count(&mut self) -> bool {
        self.decisions += 1;
        self.decisions <= self.most && !self.log.is_some_and(|log| log.is_full())
    }

    fn push(&self, record: Record) {
        if let Some(log) = &self.log {
            log.push(record);
        }
    }

    /// How many points `g` has come to.
    fn points(&mut self, g: Goid) -> &mut u32 {
        let at = g.0 as usize;
        if self.points.len() <= at {
            self.points.resize(at + 1, 0);
        }
        &mut self.points[at]
    }

    /// Makes the moment that of the next decision.
    fn set_key(&mut self, is_point: bool) {
        let g = self.now.key.g;
        let points = *self.points(g);
        self.now.key = Key {
            g,
            points,
            is_point,
        };
    }

    /// `g` does `op` now.
    fn does(&mut self, g: Goid, op: Operation) {
        let at = g.0 as usize;
        if self.last.len() <= at {
            self.last.resize(at + 1, Operation::default());
        }
        let op = op.after(self.last[at]);
        self.last[at] = op;
        if let Some(strategy) = &mut self.strategy {
            strategy.does(g, &op);
        }
    }

    /// Notes that the run does not go on.
    fn stops(&self, why: Stop) {
        let (kind, other) = match why {
            Stop::Diverged(number) => (Kind::Diverged, number),
            Stop::Redundant => (Kind::Redundant, 0),
        };
        self.push(Record {
            kind,
            other,
            ..Record::default()
        });
    }

    /// What a trace tells of a decision, which is an ordinary one or not.
    fn told(&mut self, what: Chosen, is_ordinary: bool) -> Choice {
        let switches = self.strategy.as_ref().and_then(|s| s.switches());
        let n = self.number;
        self.number += 1;
        Choice {
            what,
            n,
            of: 0,
            case: 0,
            usual: Goid(0),
            is_switch: switches.unwrap_or(!is_ordinary),
        }
    }
}

/// A decision, as traces tell it.
struct Choice {
    what: Chosen,
    n: u32,
    of: u32,
    case: u32,
    usual: Goid,
    is_switch: bool,
}

impl Choice {
    /// Tells traces of it. No lock is held.
    ///
    /// Context: with a P; `g` is what it is about, or null.
    fn tell(self, g: *const G) {
        let m = tls::current_m();
        if !m.is_null() {
            let Choice {
                what,
                n,
                of,
                case,
                usual,
                is_switch: switch,
            } = self;
            let what = What::Choice {
                what,
                n,
                of,
                case,
                usual,
                switch,
            };
            trace::chose(m, g, what);
        }
    }
}

/// Why no decision is taken.
enum Halt {
    /// There were too many.
    TooMany,
    /// The strategy has none.
    Stopped,
}

impl Halt {
    /// Ends the run. No lock is held.
    fn end(self) -> ! {
        match self {
            Halt::TooMany => too_many(),
            Halt::Stopped => leave(DIVERGED),
        }
    }
}

/// There were too many decisions. A run with races ends as one that comes to its end.
#[cold]
fn too_many() -> ! {
    if LINGERING.load(Ordering::Relaxed) {
        finish(true);
    }
    match race::status(0) {
        0 => signal::die_by(libc::SIGXCPU),
        status => leave(status),
    }
}

/// Says what kind of run it is. Called before [`start`](crate::proc::start).
pub fn set(options: Options) {
    VIRTUAL.store(
        options.virtual_time || options.seed.is_some(),
        Ordering::Relaxed,
    );
    CLOCK_IS_TOLD.store(is_virtual(), Ordering::Relaxed);
    CONTROLLED.store(options.seed.is_some(), Ordering::Relaxed);
    GATED.store(options.is_gated, Ordering::Relaxed);
    let mut shared = options.shared;
    if !shared.is_empty() {
        shared.sort_unstable();
        drop(SHARED.set(shared));
    }
    if let Some(seed) = options.seed {
        watch();
        proc::set_seed(seed);
        let mut state = STATE.lock();
        state.now.schedule = Rand::new(rand::fork());
        state.now.select = Rand::new(rand::fork());
        state.now.time = Rand::new(rand::fork());
        state.now.passes = options.passes;
        state.max_stall = options.max_stall;
        state.seed = seed;
        state.most = options.steps.unwrap_or(u64::MAX);
        state.log = options.log;
        state.lingers = options.lingers;
        LATE.store(options.late.unwrap_or(-1), Ordering::Relaxed);
        if options.lingers {
            state.look_at = LOOK_AT;
        }
        let strategy = options.plan.strategy(&mut state.now.schedule);
        state.strategy = Some(strategy);
    }
}

/// Is the run controlled?
#[inline]
pub fn is_on() -> bool {
    CONTROLLED.load(Ordering::Relaxed)
}

/// Is the run controlled or on a tape, or are races looked for? One look where goroutines come and
/// go, for all.
#[inline(always)]
pub fn is_watched() -> bool {
    WATCHED.load(Ordering::Relaxed)
}

/// Races are looked for.
pub(crate) fn watch() {
    WATCHED.store(true, Ordering::Relaxed);
}

/// Is what the clock shows told by us: virtual time, or from a tape?
#[inline]
pub(crate) fn clock_is_told() -> bool {
    CLOCK_IS_TOLD.load(Ordering::Relaxed)
}

/// Is the clock virtual?
#[inline]
pub fn is_virtual() -> bool {
    VIRTUAL.load(Ordering::Relaxed)
}

// ---- What is outside.
// ---- What the program is told of the machine.

/// Is there one P, whatever the program is told? So it is in runs that we decide on, and mostly
/// while races are looked for.
pub fn has_one_p() -> bool {
    is_virtual() || race::is_on() && !race::are_several() || tape::is_on()
}

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
    if n > 0 && n != i64::from(old) {
        // Go keeps the low half, and dies of one that is none.
        let n = n as i32;
        if n <= 0 {
            crate::throw!("procresize: invalid arg");
        }
        TOLD_PROCS.store(n, Ordering::Relaxed);
    }
    old
}

// ---- The end.

/// The main goroutine has returned from `main`. Where the others are to go on, it waits for ever.
///
/// Context: coroutine, no lock held.
pub(crate) fn main_ends(m: &mut M) {
    let mut m = m;
    let end = Operation {
        act: Act::Exit,
        ..Operation::default()
    };
    // SAFETY: by the contract.
    if is_on() && unsafe { point(m.p, end) } {
        m = proc::gosched(m);
    }
    {
        let mut state = STATE.lock();
        let g = state.now.key.g;
        state.push(Record {
            kind: Kind::MainEnd,
            g,
            ..Record::default()
        });
        if !state.lingers {
            return;
        }
        state.most = state.most.min(state.decisions + LINGERS);
    }
    LINGERING.store(true, Ordering::Relaxed);
    STATUS.store(race::status(0), Ordering::Relaxed);
    // What they print is no part of the run.
    match LATE.load(Ordering::Relaxed) {
        -1 => print_to_nobody(),
        late => print_to(late),
    }
    loop {
        m = proc::gopark(m, None, ParkArg::NONE, crate::g::WaitReason::Zero);
    }
}

/// What the others print is heard no more, since time passes.
fn falls_silent() {
    if LINGERING.load(Ordering::Relaxed) && LATE.swap(-1, Ordering::Relaxed) != -1 {
        print_to_nobody();
    }
}

/// What is printed from now on is heard by nobody.
fn print_to_nobody() {
    // SAFETY: a plain call.
    print_to(unsafe { libc::open(c"/dev/null".as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC) });
}

/// What is printed from now on goes to this file.
fn print_to(file: i32) {
    // SAFETY: plain calls.
    unsafe {
        libc::dup2(file, 1);
        libc::dup2(file, 2);
    }
}

/// Ends the process well: no goroutine can run any more, or a limit is reached (`is_limited`). The
/// log gets a record for each goroutine that is left.
fn finish(is_limited: bool) -> ! {
    let log = STATE.lock().log;
    if let Some(log) = log {
        if is_limited {
            log.push(Record {
                kind: Kind::Limit,
                ..Record::default()
            });
        }
        log.push_left();
    }
    leave(STATUS.load(Ordering::Relaxed))
}

/// Ends the process at once, but for what a trace lacks. No lock is held.
fn leave(code: i32) -> ! {
    let code = trace::finish(trace::End::Status(code));
    // SAFETY: ends the process; nothing of ours needs cleaning.
    unsafe { libc::_exit(code) }
}

// ---- The schedule.

/// What is to be done next.
pub(crate) enum Next {
    /// Run this.
    Run(*mut G),
    /// Look again: time has passed.
    Again,
    /// Nothing can run.
    Nothing,
}

/// Chooses what runs next on `p` from all that can.
///
/// # Safety
///
/// Context: g0 of the M that holds `p`, in a controlled run.
pub(crate) unsafe fn next(p: *mut P) -> Next {
    // SAFETY: by the contract; S2.
    unsafe {
        let is_look_due = {
            let mut state = STATE.lock();
            let is_due = state.is_look_due();
            if is_due {
                state.look_at = state.decisions * LOOK_LATER;
            }
            is_due
        };
        if is_look_due {
            proc::wake_helper(&mut *(*p).m.load(Ordering::Relaxed), proc::Helper::ForceGc);
        }
        calls::settle();
        let fresh = gather(p);
        let m = (*p).m.load(Ordering::Relaxed);
        for (g, _) in &fresh {
            trace::queued(m, *g, trace::Place::Offered);
        }
        let mut state = STATE.lock();
        for (g, has_yielded) in fresh {
            state.add(g, has_yielded);
        }
        // What the runtime does for itself is no decision.
        let own = state.ready.iter().position(|c| (*c.g).is_system);
        if let Some(at) = own {
            return Next::Run(state.ready.remove(at).g);
        }
        if state.ready.is_empty() {
            return Next::Nothing;
        }
        let is_point = state.at_point.is_some();
        state.set_key(is_point);
        let chosen = state.choose();
        drop(state);
        match chosen {
            Ok((c, choice)) => {
                let g = c.map_or(std::ptr::null_mut(), |c| c.g);
                if let Some(choice) = choice {
                    choice.tell(g);
                }
                c.map_or(Next::Again, |c| Next::Run(c.g))
            }
            Err(halt) => halt.end(),
        }
    }
}

/// What is chosen, and what is told of that if it was a decision. `None`: time has passed.
type Taken = (Option<Candidate>, Option<Choice>);

impl State {
    /// Takes a decision.
    fn choose(&mut self) -> Result<Taken, Halt> {
        let timer = sysmon::next_timer();
        let may_pass = self.may_pass(timer, None);
        let State {
            strategy,
            now,
            ready,
            ..
        } = self;
        let Some(strategy) = strategy else {
            return Ok((ready.pop(), None));
        };
        if may_pass && strategy.passes(now) && !calls::is_awaited() {
            let key = now.key;
            self.push(Record {
                kind: Kind::Pass,
                key,
                ..Record::default()
            });
            jump(timer);
            let choice = self.told(Chosen::Time, false);
            return match self.count() {
                true => Ok((None, Some(choice))),
                false => Err(Halt::TooMany),
            };
        }
        let n = ready.len();
        let is_alone = n == 1 && !ready[0].has_yielded;
        let usual = ready[strategy.usual(now.key, ready)].goid;
        let chosen = match &mut ready[..] {
            [one] => strategy.only(one).map(|()| 0),
            many => strategy.next(now, many),
        };
        // A goroutine that only yields counts although nothing else can run: its loop must end.
        if !is_alone && !self.count() {
            return Err(Halt::TooMany);
        }
        let chosen = match chosen {
            Ok(at) => self.ready.remove(at),
            Err(why) => {
                self.stops(why);
                return Err(Halt::Stopped);
            }
        };
        let choice = (n > 1).then(|| Choice {
            of: n as u32,
            usual,
            ..self.told(Chosen::Run, chosen.goid == usual)
        });
        self.push(Record {
            kind: Kind::Run,
            n: n as u32,
            g: chosen.goid,
            op: chosen.op,
            other: usual.0,
            key: self.now.key,
        });
        self.does(chosen.goid, chosen.op);
        // A goroutine that stopped without coming to a point has come to a new moment all the same.
        let last = std::mem::replace(&mut self.now.key.g, chosen.goid);
        if self.at_point.take().is_none() {
            *self.points(last) += 1;
        }
        Ok((Some(chosen), choice))
    }
}

/// Takes what is in the queues: with each, whether it has let others run by its own will.
///
/// # Safety
///
/// As [`next`].
unsafe fn gather(p: *mut P) -> Vec<(*mut G, bool)> {
    let mut fresh = Vec::new();
    // SAFETY: by the contract.
    unsafe {
        loop {
            let (g, _) = proc::runq_get(p);
            if g.is_null() {
                break;
            }
            fresh.push((g, false));
        }
        while SCHED.runqsize.load(Ordering::Relaxed) != 0 {
            let _s = SCHED.lock.guard();
            let g = SCHED.globrunq_get(&*p, 1);
            if g.is_null() {
                break;
            }
            fresh.push((g, true));
        }
    }
    fresh
}

impl State {
    /// Adds what can run; `has_yielded`: by its own will it let others run.
    ///
    /// # Safety
    ///
    /// `g` has been taken from a queue.
    unsafe fn add(&mut self, g: *mut G, has_yielded: bool) {
        // SAFETY: by the contract.
        let (g_ref, goid) = unsafe { (&*g, (*g).goid) };
        let left = self.at_point.filter(|_| goid == self.now.key.g);
        let op = left.unwrap_or_else(|| standing(g_ref));
        let has_yielded = match left {
            Some(op) => op.act == Act::Turn,
            None => has_yielded,
        };
        if !g_ref.is_system {
            self.push(Record {
                kind: Kind::Ready,
                g: goid,
                op,
                ..Record::default()
            });
        }
        if left.is_none() || has_yielded {
            let at = goid.0 as usize;
            if self.since.len() <= at {
                self.since.resize(at + 1, 0);
            }
            self.since[at] = now();
        }
        self.ready.push(Candidate::new(g, op, has_yielded));
    }
}

/// Which of `n` ready cases a `select` takes; or, if `act` is [`Act::Time`], which of the timers
/// that it waits for, due together, fires first.
pub(crate) fn case(act: Act, n: usize) -> usize {
    if n < 2 {
        return 0;
    }
    let mut state = STATE.lock();
    state.set_key(true);
    let State { strategy, now, .. } = &mut *state;
    let key = now.key;
    let usual = ordinary_case(key, n);
    let chosen = match strategy {
        Some(strategy) => strategy.case(now, n),
        None => Ok(usual),
    };
    let chosen = match chosen {
        Ok(chosen) => chosen,
        Err(why) => {
            state.stops(why);
            drop(state);
            Halt::Stopped.end()
        }
    };
    state.push(Record {
        kind: Kind::Case,
        n: n as u32,
        g: key.g,
        op: Operation {
            act,
            ..Operation::default()
        },
        other: (usual as u64) << 32 | chosen as u64,
        key,
    });
    let choice = Choice {
        of: n as u32,
        case: chosen as u32,
        ..state.told(Chosen::Case, chosen == usual)
    };
    let is_over = !state.count();
    drop(state);
    if is_over {
        too_many();
    }
    let m = tls::current_m();
    // SAFETY: the M is this thread's, and descriptors are never freed.
    choice.tell(unsafe { m.as_ref().map_or(std::ptr::null(), |m| m.curg.cast_const()) });
    chosen
}

/// Notes a race between what the goroutine of `other` has done and what that of `own` does. One
/// that is told is a finding however the run goes on, which is not to be long.
pub(crate) fn races(other: (Goid, Operation), own: (Goid, Operation)) {
    let mut state = STATE.lock();
    if state.lingers && !race::is_quiet() {
        state.most = state.most.min(state.decisions + AFTER_RACE);
    }
    for ((g, op), by) in [(other, own.0), (own, other.0)] {
        state.push(Record {
            kind: Kind::Race,
            g,
            op,
            other: by.0,
            ..Record::default()
        });
    }
}

/// Notes that these goroutines wait for ever.
pub(crate) fn wait_for_ever(all: impl Iterator<Item = *mut G>) {
    let state = STATE.lock();
    for g in all {
        // SAFETY: descriptors are never freed.
        state.push(Record::left(unsafe { &*g }));
    }
}

// ---- What goroutines do.

/// Notes that the current G of `m` waits; see [`trace::go_park`].
///
/// # Safety
///
/// Context: as there.
pub(crate) unsafe fn parks(m: *const M, g: *const G) {
    // SAFETY: by the contract.
    unsafe {
        if (*g).is_system {
            return;
        }
        let reason = (*g).wait_reason();
        // Descriptors of the poller have other addresses in each run.
        let object = match reason {
            WaitReason::IoWait => 0,
            _ => trace::object(m, g) as u64,
        };
        STATE.lock().push(Record {
            kind: Kind::Park,
            n: reason as u32,
            g: (*g).goid,
            op: Operation {
                object,
                ..standing(&*g)
            },
            ..Record::default()
        });
    }
}

/// Something that `m` does with `g`, while [`is_watched`].
///
/// # Safety
///
/// Both are the caller's.
#[cold]
#[inline(never)]
pub(crate) unsafe fn does(kind: Kind, m: *const M, g: *mut G) {
    // SAFETY: by the contract.
    unsafe {
        if race::is_on() {
            match kind {
                Kind::Go => race::spawned(m, g),
                Kind::Wake => race::readied(m, g),
                _ => race::ended(g),
            }
        }
        if !is_on() || (*g).is_system {
            return;
        }
        let by = match (*m).curg.as_ref() {
            Some(by) if !by.is_system => by.goid,
            _ => Goid(0),
        };
        let pc = match kind {
            Kind::Go => (*g).gopc as u64,
            _ => 0,
        };
        let mut state = STATE.lock();
        state.push(Record {
            kind,
            g: (*g).goid,
            op: Operation {
                pc,
                at: pc,
                ..Operation::default()
            },
            other: by.0,
            ..Record::default()
        });
        if let Some(op) = Operation::beside(kind)
            && let Some(strategy) = &mut state.strategy
        {
            strategy.does(by, &op);
        }
    }
}
