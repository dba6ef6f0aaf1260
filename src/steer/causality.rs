//! What happened in a run because of what: its events, and the pairs of them that could have come
//! the other way round.
//!
//! An *event* is an operation of a goroutine with all that it does up to its next one. Of two
//! events the earlier *comes before* the later if they are of one goroutine, if one has made or
//! woken the goroutine of the other, if they do [conflicting](Operation::conflicts) things, or if
//! the clock has jumped between them; and whatever comes before what comes before. Runs that agree
//! in this are of one class: all their goroutines see the same.
//!
//! Flanagan and Godefroid, Dynamic partial-order reduction for model checking software (POPL 2005);
//! Abdulla, Aronis, Jonsson and Sagonas, Source sets (JACM 2017).

use super::child::{Run, leaves};
use gosched_runtime::control::log::{Key, Kind, Record};
use gosched_runtime::control::operation::{Act, Operation};
use gosched_runtime::control::strategy::Sleeper;
use gosched_runtime::g::Goid;
use std::collections::{BTreeMap, BTreeSet};

/// See the module.
#[derive(Debug)]
pub(super) struct Event {
    pub g: Goid,
    /// What it does, the first by which it is known.
    pub ops: Vec<Operation>,
    /// Of those on channels that are only sent to and received from: which send or receive it is.
    turns: Vec<Option<Turn>>,
    /// The decisions in it, in their order.
    pub decisions: Vec<Decision>,
    /// The main goroutine returns in it.
    pub returns: bool,
    /// The last event of each goroutine that comes before it, and itself.
    clock: BTreeMap<Goid, usize>,
}

/// The how manyth send or receive, on a channel with so much room.
#[derive(Clone, Copy, Debug)]
struct Turn {
    number: usize,
    room: usize,
}

/// Where a run could have gone on in another way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Decision {
    /// Who runs, of these.
    Run { at: Key, of: Vec<Goid> },
    /// Which of so many ready cases, and which it was.
    Case { at: Key, n: u32, taken: u32 },
}

/// Two events, the second of which could have come before the first.
#[derive(Debug)]
pub(super) struct Reversal {
    /// The first.
    pub event: usize,
    /// The second.
    other: usize,
    /// Any of these is to run in its place, so that the second comes before it.
    pub first: BTreeSet<Goid>,
}

/// The events of a run.
pub(super) struct Causality {
    pub events: Vec<Event>,
    /// The clock jumped before these.
    jumps: BTreeSet<usize>,
    /// What makes a goroutine's next event possible: an event of another.
    enabled_by: BTreeMap<usize, Vec<usize>>,
    /// Groups are waited for before nothing is awaited any more.
    joins_early: bool,
}

/// Reads the records of a run.
#[derive(Default)]
struct Reader {
    events: Vec<Event>,
    jumps: BTreeSet<usize>,
    enabled_by: BTreeMap<usize, Vec<usize>>,
    /// What each goroutine did last.
    last: BTreeMap<Goid, Operation>,
    /// Who could run, were it not for the one that does.
    runnable: BTreeSet<Goid>,
    /// Those of which it has been decided that they can run, in that order.
    ready: Vec<Goid>,
    /// The events that made each able to run, since it ran.
    enablers: BTreeMap<Goid, Vec<usize>>,
    /// The clock has jumped.
    has_jumped: bool,
    /// How much room each channel has.
    rooms: BTreeMap<u64, usize>,
    /// Those at which somebody has had to wait.
    waited_at: BTreeSet<u64>,
}

impl Reader {
    fn begin(&mut self, g: Goid, op: Operation, decisions: Vec<Decision>) {
        let op = op.after(self.last.get(&g).copied().unwrap_or_default());
        self.last.insert(g, op);
        let at = self.events.len();
        if let Some(by) = self.enablers.remove(&g) {
            self.enabled_by.insert(at, by);
        }
        if std::mem::take(&mut self.has_jumped) {
            self.jumps.insert(at);
        }
        self.events.push(Event {
            g,
            ops: vec![op],
            decisions,
            turns: Vec::new(),
            returns: false,
            clock: BTreeMap::new(),
        });
    }

    fn read(&mut self, records: &[Record]) {
        for (i, r) in records.iter().enumerate() {
            if let Some(op) = Operation::beside(r.kind)
                && let Some(event) = self.events.last_mut()
            {
                event
                    .ops
                    .extend(Some(op).filter(|op| !event.ops.contains(op)));
            }
            if r.kind == Kind::Operation && r.n != 0 {
                self.rooms.insert(r.op.object, r.n as usize);
            }
            match r.kind {
                Kind::Park => drop(self.waited_at.insert(r.op.object)),
                Kind::Ready => {
                    self.runnable.insert(r.g);
                    self.ready.push(r.g);
                }
                Kind::Run => {
                    let of = self.ready.clone();
                    self.ready.retain(|g| *g != r.g);
                    self.runnable.remove(&r.g);
                    let decision = Decision::Run { at: r.key, of };
                    self.begin(r.g, r.op, Vec::from_iter((r.n > 1).then_some(decision)));
                }
                Kind::Case => {
                    if let Some(event) = self.events.last_mut() {
                        event.decisions.push(Decision::Case {
                            at: r.key,
                            n: r.n,
                            taken: r.other as u32,
                        });
                    }
                }
                Kind::Operation if leaves(&records[i..]) => (),
                Kind::Operation if self.runnable.is_empty() => {
                    self.begin(r.g, r.op, Vec::new());
                }
                Kind::Operation => {
                    self.last.insert(r.g, r.op);
                    if let Some(event) = self.events.last_mut() {
                        event.ops.push(r.op);
                    }
                }
                Kind::Go | Kind::Wake => {
                    self.runnable.insert(r.g);
                    let by = self.events.len().checked_sub(1);
                    let is_idle = self.runnable.len() == 1;
                    match by {
                        // The clock has jumped, for nobody could run.
                        Some(_) if r.other == 0 && is_idle => self.has_jumped = true,
                        Some(by) => self.enablers.entry(r.g).or_default().push(by),
                        None => (),
                    }
                }
                Kind::MainEnd => {
                    if let Some(event) = self.events.last_mut() {
                        event.returns = true;
                    }
                }
                _ => (),
            }
        }
    }
}

impl Reader {
    /// Numbers the sends and receives on channels to which nothing else is done.
    ///
    /// What the first receive gets was sent first, whoever comes when: of sends and receives only
    /// those concern each other of which one has made the other possible.
    fn number(&mut self) {
        let mut rooms = std::mem::take(&mut self.rooms);
        rooms.retain(|c, _| !self.waited_at.contains(c));
        for op in self.events.iter().flat_map(|e| &e.ops) {
            match op.act {
                Act::Send | Act::Receive => (),
                Act::Select => rooms.clear(),
                _ => drop(rooms.remove(&op.object)),
            }
        }
        let mut counts: BTreeMap<(u64, bool), usize> = BTreeMap::new();
        for event in &mut self.events {
            let turn = |op: &Operation| {
                let room = *rooms.get(&op.object)?;
                let number = counts.entry((op.object, op.act == Act::Send)).or_default();
                *number += 1;
                let number = *number;
                Some(Turn { number, room })
            };
            event.turns = event.ops.iter().map(turn).collect();
        }
    }
}

/// How an operation concerns a later one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Concern {
    No,
    /// It has made it possible.
    Enables,
    /// They could have come the other way round.
    Turns,
}

impl Event {
    fn does(&self, act: Act) -> bool {
        self.ops.iter().any(|op| op.act == act)
    }

    /// Does it matter for who sleeps whether this comes first?
    pub(super) fn wakes(&self, sleeper: &Sleeper) -> bool {
        let mut all = self.ops.iter().zip(&self.turns);
        all.any(|(op, turn)| sleeper.is_woken_by(op, turn.is_some()))
    }

    /// How this concerns a later event.
    fn concerns(&self, later: &Event) -> Concern {
        let all = |e: &Event| {
            e.ops
                .iter()
                .copied()
                .zip(e.turns.clone())
                .collect::<Vec<_>>()
        };
        let (own, others) = (all(self), all(later));
        let pairs = own.iter().flat_map(|a| others.iter().map(move |b| (a, b)));
        pairs
            .map(|(a, b)| concern(a, b))
            .max()
            .unwrap_or(Concern::No)
    }
}

fn concern(
    (a, of_a): &(Operation, Option<Turn>),
    (b, of_b): &(Operation, Option<Turn>),
) -> Concern {
    if !a.conflicts(b) {
        return Concern::No;
    }
    match (of_a, of_b) {
        (Some(i), Some(j)) if a.act != b.act => {
            let enables = match a.act {
                Act::Send => i.number == j.number,
                _ => i.number + i.room == j.number,
            };
            if enables {
                Concern::Enables
            } else {
                Concern::No
            }
        }
        _ if a.enables(b) => Concern::Enables,
        _ => Concern::Turns,
    }
}

impl Causality {
    pub(super) fn of(run: &Run, joins_early: bool) -> Causality {
        let mut reader = Reader::default();
        reader.read(&run.records);
        reader.number();
        let mut all = Causality {
            events: reader.events,
            jumps: reader.jumps,
            enabled_by: reader.enabled_by,
            joins_early,
        };
        all.order();
        all
    }

    /// Gives each event its clock.
    fn order(&mut self) {
        let mut last: BTreeMap<Goid, usize> = BTreeMap::new();
        let mut barrier: BTreeMap<Goid, usize> = BTreeMap::new();
        for j in 0..self.events.len() {
            if self.jumps.contains(&j) {
                barrier = last.clone();
            }
            let mut clock = barrier.clone();
            let g = self.events[j].g;
            let own = last.get(&g).copied();
            let enablers = self.enabled_by.get(&j).into_iter().flatten().copied();
            let before: Vec<usize> = enablers.chain(own).collect();
            for i in before {
                join(&mut clock, &self.events[i].clock);
            }
            for i in (0..j).rev() {
                if !self.knows(&clock, i) && self.concern(i, j) != Concern::No {
                    join(&mut clock, &self.events[i].clock);
                }
            }
            clock.insert(g, j);
            self.events[j].clock = clock;
            last.insert(g, j);
        }
    }

    /// Does event `i` come before what has this clock?
    fn knows(&self, clock: &BTreeMap<Goid, usize>, i: usize) -> bool {
        clock.get(&self.events[i].g).is_some_and(|last| *last >= i)
    }

    fn comes_before(&self, i: usize, j: usize) -> bool {
        self.knows(&self.events[j].clock, i)
    }

    /// How event `i` concerns the later event `j`.
    fn concern(&self, i: usize, j: usize) -> Concern {
        let (a, b) = (&self.events[i], &self.events[j]);
        match a.concerns(b) {
            Concern::Enables if self.joins_early && (a.does(Act::Join) || b.does(Act::Join)) => {
                Concern::Turns
            }
            concern => concern,
        }
    }

    /// Is a group added to while it is waited for, and could either come first? Then it may be used
    /// again before who waits has gone on.
    pub(super) fn adds_late(&self, reversal: &Reversal) -> bool {
        let (a, b) = (&self.events[reversal.event], &self.events[reversal.other]);
        let pair = |a: &Event, b: &Event| {
            let joined = b.ops.iter().filter(|op| op.act == Act::Join);
            let mut joined = joined.map(|op| op.object);
            joined.any(|o| a.ops.iter().any(|op| op.act == Act::Add && op.object == o))
        };
        pair(a, b) || pair(b, a)
    }

    /// What could have come the other way round; the second event of each is `from` or a later one.
    pub(super) fn reversals(&self, from: usize) -> Vec<Reversal> {
        let mut all = Vec::new();
        for j in from..self.events.len() {
            let event = &self.events[j];
            let own = (0..j).rev().find(|i| self.events[*i].g == event.g);
            let enablers = self.enabled_by.get(&j).into_iter().flatten().copied();
            let mut clock = BTreeMap::new();
            for i in enablers.chain(own) {
                join(&mut clock, &self.events[i].clock);
            }
            for jump in self.jumps.iter().filter(|jump| **jump <= j) {
                for i in 0..*jump {
                    let last = clock.entry(self.events[i].g).or_insert(i);
                    *last = (*last).max(i);
                }
            }
            for i in (0..j).rev() {
                if self.knows(&clock, i) || self.concern(i, j) != Concern::Turns {
                    continue;
                }
                join(&mut clock, &self.events[i].clock);
                all.push(self.reversal(i, j));
            }
        }
        all
    }

    /// Event `j` before event `i`: which Gs have to run where `i` ran.
    pub(super) fn reversal(&self, i: usize, j: usize) -> Reversal {
        let between = (i + 1..j).filter(|k| !self.comes_before(i, *k));
        let moved: Vec<usize> = between.chain([j]).collect();
        let mut first = BTreeSet::new();
        let mut seen = BTreeSet::new();
        for (n, &k) in moved.iter().enumerate() {
            let g = self.events[k].g;
            let is_free = || {
                !moved[..n]
                    .iter()
                    .any(|l| self.comes_before(*l, k) || *l == k)
            };
            if seen.insert(g) && is_free() {
                first.insert(g);
            }
        }
        Reversal {
            event: i,
            other: j,
            first,
        }
    }

    /// The event in which the main goroutine returns.
    pub(super) fn end_of_main(&self) -> Option<usize> {
        self.events.iter().position(|e| e.returns)
    }
}

fn join(clock: &mut BTreeMap<Goid, usize>, other: &BTreeMap<Goid, usize>) {
    for (g, i) in other {
        let last = clock.entry(*g).or_insert(*i);
        *last = (*last).max(*i);
    }
}
