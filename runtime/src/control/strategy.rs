//! Who takes the decisions of a controlled run.
//!
//! A [`Strategy`] is asked with everything that can run, each with what it is about to do. What it
//! must not do is to look at anything else: a run follows from its answers alone.
//!
//! Go: none. POS: Yuan, Yang, Gu (CAV 2018). PCT: Burckhardt, Kothari, Musuvathi, Nagarakatte
//! (ASPLOS 2010).

use crate::g::{G, Goid};
use crate::rand::Rand;
use std::collections::{BTreeMap, VecDeque};

use super::blocking::{buffer, has_to_wait};
use super::log::Key;
use super::operation::{Act, Operation};

/// What can run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Candidate {
    pub(super) g: *mut G,
    /// Which it is.
    pub goid: Goid,
    /// What it does first.
    pub op: Operation,
    /// It has let others run by its own will, or turned in a loop for long.
    pub has_yielded: bool,
    /// For the use of a strategy; 0 at first.
    priority: u64,
}

// SAFETY: a queued G belongs to the queue (g::G1).
unsafe impl Send for Candidate {}

impl Candidate {
    pub(super) fn new(g: *mut G, op: Operation, has_yielded: bool) -> Candidate {
        Candidate {
            g,
            // SAFETY: a queued G belongs to the queue (g::G1).
            goid: unsafe { (*g).goid },
            op,
            has_yielded,
            priority: 0,
        }
    }
}

/// Why a run is not to go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    /// It is not the one that was recorded, from this decision on.
    Diverged(u64),
    /// All that can happen has been seen in another run.
    Redundant,
}

/// When a decision is taken, and what it may be drawn from.
pub(super) struct Moment {
    pub key: Key,
    /// One of so many decisions lets time pass; 0: none does.
    pub passes: u32,
    pub schedule: Rand,
    pub select: Rand,
    pub time: Rand,
}

/// See the module.
pub(super) trait Strategy: Send {
    /// Which of at least two runs next.
    fn next(&mut self, now: &mut Moment, ready: &mut [Candidate]) -> Result<usize, Stop>;

    /// Which of `n` ready cases, at least two, a `select` takes.
    fn case(&mut self, now: &mut Moment, n: usize) -> Result<usize, Stop> {
        Ok(now.select.below(n as u32) as usize)
    }

    /// This one runs next, for there is no other.
    fn only(&mut self, _one: &Candidate) -> Result<(), Stop> {
        Ok(())
    }

    /// `g` does this now.
    fn does(&mut self, _g: Goid, _op: &Operation) {}

    /// Which of these would run if nothing spoke against it.
    fn usual(&self, key: Key, ready: &[Candidate]) -> usize {
        ordinary(key, ready)
    }

    /// Whether time passes, though goroutines can run.
    fn passes(&mut self, now: &mut Moment) -> bool {
        now.passes != 0 && now.time.below(now.passes) == 0
    }

    /// Whether the decision that was taken last is a [switch](Decision::is_switch) of a recorded
    /// schedule; `None`: it is of none.
    fn switches(&self) -> Option<bool> {
        None
    }
}

/// Who takes the decisions of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Plan {
    /// Each is drawn, everything being equally likely.
    #[default]
    Random,
    /// The running G goes on; after it comes the G that has waited longest.
    Ordinary,
    /// Partial-order sampling: of operations with random priorities the highest goes first; those
    /// that conflict with it draw anew.
    Pos,
    /// Probabilistic concurrency testing: goroutines have random priorities, and who runs loses
    /// its at `depth - 1` of the `points`.
    Pct {
        /// How many orders a bug needs.
        depth: u32,
        /// How many decisions a run is thought to have.
        points: u32,
    },
    /// Ordinary, but for these.
    Guided(Vec<Choice>),
    /// These first, one after the other, and then in the ordinary order, except that who is
    /// [asleep](Sleeper) does not run.
    Systematic {
        /// All decisions at the beginning of the run.
        choices: Vec<Choice>,
        /// Who is asleep after them.
        asleep: Vec<Sleeper>,
        /// Groups are waited for before nothing is awaited any more.
        joins_early: bool,
    },
    /// These first, and then what is drawn.
    Branched {
        /// The beginning of a run.
        decisions: Vec<Decision>,
        /// Another number draws something else.
        way: u64,
    },
    /// These and no others.
    Recorded(Vec<Decision>),
}

/// A goroutine that need not run next, for what comes of that has been seen: not before another
/// does something that concerns it.
///
/// Godefroid, Partial-Order Methods for the Verification of Concurrent Systems (1996): sleep sets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sleeper {
    /// Which.
    pub g: Goid,
    /// What it will do.
    pub ops: Vec<Operation>,
}

impl Sleeper {
    /// Does it matter whether it comes before this or after? `has_room`: `op` is done to a channel
    /// with a buffer. Who could send there is not concerned by who receives, and the other way
    /// round.
    pub fn is_woken_by(&self, op: &Operation, has_room: bool) -> bool {
        let passes_by = |own: &Operation| {
            let acts = [Act::Send, Act::Receive];
            has_room && own.act != op.act && acts.contains(&own.act) && acts.contains(&op.act)
        };
        let mut all = self.ops.iter();
        all.any(|own| own.conflicts(op) && !passes_by(own))
    }
}

/// What is chosen at a moment, other than is ordinary.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Choice {
    /// When.
    pub at: Key,
    /// What.
    pub take: Take,
}

/// What is chosen.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Take {
    /// This goroutine runs.
    Run(Goid),
    /// The ready case of this number.
    Case(u32),
    /// Time passes.
    Pass,
    /// From now on this goroutine runs only when no other can, or when it is chosen.
    Hold(Goid),
}

/// A decision of a recorded run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decision {
    /// When.
    pub at: Key,
    /// What was chosen.
    pub take: Take,
    /// The goroutine that would have run in the ordinary order.
    pub usual: Goid,
    /// From which goroutines, or from how many cases.
    pub of: Vec<u64>,
    /// What the goroutine was about to do.
    pub op: Operation,
    /// It is not what is ordinary; of a schedule that has been minimised, one of the decisions that
    /// it was left with.
    pub is_switch: bool,
}

impl Plan {
    pub(super) fn strategy(self, random: &mut Rand) -> Box<dyn Strategy> {
        match self {
            Plan::Random => Box::new(Random),
            Plan::Ordinary => Box::new(Guided::default()),
            Plan::Pos => Box::new(Pos),
            Plan::Pct { depth, points } => Box::new(Pct::new(depth, points, random)),
            Plan::Guided(choices) => Box::new(Guided::new(choices)),
            Plan::Systematic {
                choices,
                asleep,
                joins_early,
            } => Box::new(Systematic {
                choices: choices.into(),
                asleep,
                joins_early,
                done: 0,
                asked: 0,
            }),
            Plan::Branched { decisions, way } => Box::new(Branched {
                begin: Recorded::new(decisions),
                random: Rand::new(way),
            }),
            Plan::Recorded(decisions) => Box::new(Recorded::new(decisions)),
        }
    }
}

/// What is chosen if nothing speaks against it: who runs goes on, else the one that has waited
/// longest.
pub(super) fn ordinary(key: Key, ready: &[Candidate]) -> usize {
    let goes_on = |c: &Candidate| c.goid == key.g && key.is_point && !c.has_yielded;
    ready.iter().position(goes_on).unwrap_or(0)
}

/// The case that is taken if nothing speaks against it: any, but at the same moment the same.
pub(super) fn ordinary_case(key: Key, n: usize) -> usize {
    let mut random = Rand::new(key.g.0 << 32 | u64::from(key.points));
    random.next();
    random.below(n as u32) as usize
}

struct Random;

impl Strategy for Random {
    fn next(&mut self, now: &mut Moment, ready: &mut [Candidate]) -> Result<usize, Stop> {
        Ok(now.schedule.below(ready.len() as u32) as usize)
    }
}

struct Pos;

impl Strategy for Pos {
    fn next(&mut self, now: &mut Moment, ready: &mut [Candidate]) -> Result<usize, Stop> {
        for c in ready.iter_mut().filter(|c| c.priority == 0) {
            // Who only turns in a loop waits for somebody.
            c.priority = if c.has_yielded {
                1
            } else {
                now.schedule.next() | 2
            };
        }
        let best = (0..ready.len())
            .max_by_key(|i| ready[*i].priority)
            .unwrap_or(0);
        let op = ready[best].op;
        for c in ready
            .iter_mut()
            .filter(|c| c.op.conflicts(&op) || c.has_yielded)
        {
            c.priority = 0;
        }
        Ok(best)
    }
}

struct Pct {
    priorities: BTreeMap<Goid, u64>,
    /// When who runs loses its priority.
    changes: Vec<u32>,
    decisions: u32,
    /// The next priority below all others.
    lowest: u64,
}

impl Pct {
    fn new(depth: u32, points: u32, random: &mut Rand) -> Pct {
        let changes = (1..depth).map(|_| random.below(points.max(1)));
        Pct {
            changes: changes.collect(),
            priorities: BTreeMap::new(),
            decisions: 0,
            lowest: u64::MAX / 2,
        }
    }

    fn demote(&mut self, g: Goid) {
        self.lowest -= 1;
        self.priorities.insert(g, self.lowest);
    }
}

impl Strategy for Pct {
    fn next(&mut self, now: &mut Moment, ready: &mut [Candidate]) -> Result<usize, Stop> {
        for c in ready.iter() {
            let random = &mut now.schedule;
            let draw = || random.next() | 1 << 63;
            self.priorities.entry(c.goid).or_insert_with(draw);
            if c.has_yielded && c.goid == now.key.g {
                self.demote(c.goid);
            }
        }
        if self.changes.contains(&self.decisions) {
            self.demote(now.key.g);
        }
        self.decisions += 1;
        let best = (0..ready.len()).max_by_key(|i| self.priorities[&ready[*i].goid]);
        Ok(best.unwrap_or(0))
    }
}

#[derive(Default)]
struct Guided {
    choices: BTreeMap<Key, VecDeque<Take>>,
    /// Who is held, the first of them first.
    held: Vec<Goid>,
}

impl Guided {
    fn new(choices: Vec<Choice>) -> Guided {
        let mut guided = Guided::default();
        for c in choices {
            guided.choices.entry(c.at).or_default().push_back(c.take);
        }
        guided
    }

    /// What is to be taken now, if it is what `f` knows.
    fn take<T>(&mut self, key: Key, f: impl Fn(Take) -> Option<T>) -> Option<T> {
        let due = self.choices.get_mut(&key)?;
        let taken = f(*due.front()?)?;
        due.pop_front();
        Some(taken)
    }
}

impl Strategy for Guided {
    fn next(&mut self, now: &mut Moment, ready: &mut [Candidate]) -> Result<usize, Stop> {
        let hold = |take| match take {
            Take::Hold(g) => Some(g),
            _ => None,
        };
        while let Some(g) = self.take(now.key, hold) {
            self.held.push(g);
        }
        let place = |g| ready.iter().position(|c| c.goid == g);
        let taken = self.take(now.key, |take| match take {
            Take::Run(g) => Some(place(g)),
            _ => None,
        });
        if let Some(at) = taken.flatten() {
            self.held.retain(|g| *g != ready[at].goid);
            return Ok(at);
        }
        Ok(self.usual(now.key, ready))
    }

    fn usual(&self, key: Key, ready: &[Candidate]) -> usize {
        let usual = ordinary(key, ready);
        if self.held.is_empty() {
            return usual;
        }
        let is_held = |i: &usize| self.held.contains(&ready[*i].goid);
        let mut all = std::iter::once(usual).chain(0..ready.len());
        let free = all.find(|i| !is_held(i));
        let first = || {
            let mut held = self.held.iter();
            held.find_map(|g| ready.iter().position(|c| c.goid == *g))
        };
        free.or_else(first).unwrap_or(usual)
    }

    fn case(&mut self, now: &mut Moment, n: usize) -> Result<usize, Stop> {
        let taken = self.take(now.key, |take| match take {
            Take::Case(i) => Some(i as usize),
            _ => None,
        });
        Ok(taken
            .filter(|i| *i < n)
            .unwrap_or_else(|| ordinary_case(now.key, n)))
    }

    fn passes(&mut self, now: &mut Moment) -> bool {
        let taken = self.take(now.key, |take| (take == Take::Pass).then_some(()));
        taken.is_some()
    }
}

struct Systematic {
    choices: VecDeque<Choice>,
    asleep: Vec<Sleeper>,
    /// How many of the choices were taken.
    done: u64,
    /// How many there were behind them.
    asked: u32,
    /// See [`Plan::Systematic`].
    joins_early: bool,
}

/// Behind so many decisions who would have to wait does so: if others run for ever, it shows that
/// it waits in vain.
const YOUNG: u32 = 500;

impl Systematic {
    fn is_asleep(&self, g: Goid) -> bool {
        self.choices.is_empty() && self.asleep.iter().any(|s| s.g == g)
    }

    /// What is to be taken now; `None`: the choices are at their end.
    fn due(&mut self, key: Key) -> Result<Option<Take>, Stop> {
        match self.choices.pop_front() {
            None => Ok(None),
            Some(c) if c.at == key => {
                self.done += 1;
                Ok(Some(c.take))
            }
            Some(_) => Err(Stop::Diverged(self.done)),
        }
    }
}

impl Strategy for Systematic {
    fn next(&mut self, now: &mut Moment, ready: &mut [Candidate]) -> Result<usize, Stop> {
        if let Some(take) = self.due(now.key)? {
            let at = ready.iter().position(|c| Take::Run(c.goid) == take);
            return at.ok_or(Stop::Diverged(self.done - 1));
        }
        let usual = ordinary(now.key, ready);
        self.asked += 1;
        let is_young = self.asked < YOUNG;
        // Who would only wait comes when all would.
        let mut all: Vec<usize> = std::iter::once(usual).chain(0..ready.len()).collect();
        let can_go_on = |i: &usize| {
            let op = &ready[*i].op;
            !is_young || self.joins_early && op.act == Act::Join || !has_to_wait(op)
        };
        if all.iter().any(can_go_on) {
            all.retain(can_go_on);
        }
        let awake = |i: &usize| !self.is_asleep(ready[*i].goid);
        all.into_iter().find(awake).ok_or(Stop::Redundant)
    }

    fn case(&mut self, now: &mut Moment, n: usize) -> Result<usize, Stop> {
        match self.due(now.key)? {
            None => Ok(0),
            Some(Take::Case(i)) if (i as usize) < n => Ok(i as usize),
            Some(_) => Err(Stop::Diverged(self.done - 1)),
        }
    }

    fn only(&mut self, one: &Candidate) -> Result<(), Stop> {
        match self.is_asleep(one.goid) {
            true => Err(Stop::Redundant),
            false => Ok(()),
        }
    }

    fn does(&mut self, _g: Goid, op: &Operation) {
        if self.choices.is_empty() {
            self.asleep.retain(|s| !s.is_woken_by(op, buffer(op) != 0));
        }
    }

    fn passes(&mut self, _now: &mut Moment) -> bool {
        false
    }
}

struct Recorded {
    decisions: VecDeque<Decision>,
    number: u64,
    /// See [`Strategy::switches`].
    is_switch: bool,
}

impl Recorded {
    fn new(decisions: Vec<Decision>) -> Recorded {
        Recorded {
            decisions: decisions.into(),
            number: 0,
            is_switch: false,
        }
    }

    /// The next decision, if it is of this moment.
    fn due(&self, now: &Moment) -> Option<&Decision> {
        self.decisions.front().filter(|d| d.at == now.key)
    }

    fn decided(&mut self) {
        let decision = self.decisions.pop_front();
        self.is_switch = decision.is_some_and(|d| d.is_switch);
        self.number += 1;
    }
}

impl Strategy for Recorded {
    fn next(&mut self, now: &mut Moment, ready: &mut [Candidate]) -> Result<usize, Stop> {
        let found = self.due(now).and_then(|d| {
            let at = |g| ready.iter().position(|c| c.goid == g);
            let same = ready.iter().map(|c| c.goid.0).eq(d.of.iter().copied());
            match d.take {
                Take::Run(g) if same => at(g).filter(|i| {
                    let op = ready[*i].op;
                    (op.act, op.pc) == (d.op.act, d.op.pc)
                }),
                _ => None,
            }
        });
        let found = found.ok_or(Stop::Diverged(self.number))?;
        self.decided();
        Ok(found)
    }

    fn usual(&self, key: Key, ready: &[Candidate]) -> usize {
        let due = self.decisions.front().filter(|d| d.at == key);
        let told = due.and_then(|d| ready.iter().position(|c| c.goid == d.usual));
        told.unwrap_or_else(|| ordinary(key, ready))
    }

    fn case(&mut self, now: &mut Moment, n: usize) -> Result<usize, Stop> {
        let found = self.due(now).and_then(|d| match d.take {
            Take::Case(i) if d.of == [n as u64] => Some(i as usize).filter(|i| *i < n),
            _ => None,
        });
        let found = found.ok_or(Stop::Diverged(self.number))?;
        self.decided();
        Ok(found)
    }

    fn passes(&mut self, now: &mut Moment) -> bool {
        let is_due = self.due(now).is_some_and(|d| d.take == Take::Pass);
        if is_due {
            self.decided();
        }
        is_due
    }

    fn switches(&self) -> Option<bool> {
        Some(self.is_switch)
    }
}

struct Branched {
    begin: Recorded,
    random: Rand,
}

impl Branched {
    fn has_begun(&self) -> bool {
        self.begin.decisions.is_empty()
    }
}

impl Strategy for Branched {
    fn next(&mut self, now: &mut Moment, ready: &mut [Candidate]) -> Result<usize, Stop> {
        match self.has_begun() {
            true => Ok(self.random.below(ready.len() as u32) as usize),
            false => self.begin.next(now, ready),
        }
    }

    fn usual(&self, key: Key, ready: &[Candidate]) -> usize {
        self.begin.usual(key, ready)
    }

    fn case(&mut self, now: &mut Moment, n: usize) -> Result<usize, Stop> {
        match self.has_begun() {
            true => Ok(self.random.below(n as u32) as usize),
            false => self.begin.case(now, n),
        }
    }

    fn passes(&mut self, now: &mut Moment) -> bool {
        match self.has_begun() {
            true => now.passes != 0 && self.random.below(now.passes) == 0,
            false => self.begin.passes(now),
        }
    }
}
