//! The run queues, rebuilt from a trace: what is in them, who runs, who waits on what.
//!
//! Each putting into a queue has a number ([`Item::at`]), and each taking names it. So every
//! goroutine has one place at any event, whatever the order of records is; and an event that
//! contradicts what came before is found at once. This is what all views show, and what
//! `gosched trace check` checks.
//!
//! # What may be out of order
//!
//! A thief records what it took a moment after it took it. So the owner of a ring may be seen to
//! take an item while older ones are still there: those are owed by thieves, and only a thief may
//! take them. In the same way `runnext` can hold an older item beside the newest one. The global
//! queue has a lock, under which all is recorded.
//!
//! # A trace that begins in the middle
//!
//! Of a trace whose first records were dropped nothing is known at first: goroutines are where the
//! first event about each says. What is on a queue from before is not shown, and what is taken from
//! there contradicts nothing.

mod moves;

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use crate::read::Trace;
use crate::seen::Seen;
use crate::wire::Event;
use moves::{Mover, Moves, Taker};

/// Where a goroutine is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// It was there before the trace begins, and nothing has been told of it.
    Unknown,
    /// It can run, and is about to be put somewhere, by a thread that has said so.
    Limbo,
    /// In the `runnext` of a P.
    Runnext(i64),
    /// On the ring of a P.
    Ring(i64),
    /// On the global queue.
    Global,
    /// Kept back, for no goroutine of the program may run just now.
    Aside,
    /// With the thread that it is wired to.
    Wired,
    /// Among the goroutines from which a steered run chooses the next.
    Offered,
    /// In the hands of a thread that has stolen or fetched it.
    Hand(i64),
    /// It runs, on this thread.
    Runs(i64),
    /// It is in a system call, on this thread.
    Call(i64),
    /// It waits.
    Waits,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Place::Unknown => write!(f, "where it was before the trace begins"),
            Place::Limbo => write!(f, "runnable, and not put anywhere yet"),
            Place::Runnext(p) => write!(f, "in runnext of P{p}"),
            Place::Ring(p) => write!(f, "on the ring of P{p}"),
            Place::Global => write!(f, "on the global queue"),
            Place::Aside => write!(f, "kept back"),
            Place::Wired => write!(f, "with the thread it is wired to"),
            Place::Offered => write!(f, "among those that are chosen from"),
            Place::Hand(m) => write!(f, "in the hands of M{m}"),
            Place::Runs(m) => write!(f, "running on M{m}"),
            Place::Call(m) => write!(f, "in a system call on M{m}"),
            Place::Waits => write!(f, "waiting"),
        }
    }
}

/// What is in a queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Item {
    /// The goroutine.
    pub g: u64,
    /// The number of its place.
    pub at: i64,
    /// Something behind it was taken: a thief has it already, and is about to say so.
    pub is_owed: bool,
}

/// A goroutine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Goroutine {
    /// Where it is.
    pub place: Place,
    /// Its function, a number of a text.
    pub func: u64,
    /// The runtime's own.
    pub is_system: bool,
    /// What it waits for, or waited for last.
    pub reason: String,
    /// The objects that it waits on, and what it would do there.
    pub waits_on: Vec<(u64, String)>,
}

/// A P.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Processor {
    /// The thread that runs a goroutine with it, and that one.
    pub runs: Option<(i64, u64)>,
    /// Its one-place slot: the newest is the last.
    pub runnext: Vec<Item>,
    /// Its ring, the oldest first.
    pub ring: VecDeque<Item>,
    /// The last number of a place in either.
    next_at: i64,
    ring_at: i64,
}

/// A thread.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Thread {
    /// It sleeps, for there is no work.
    pub is_idle: bool,
    /// It searches for work.
    pub searches: bool,
    /// The goroutine that it runs.
    runs: Option<u64>,
    /// Moves that it has announced.
    moves: Option<Moves>,
    /// Cases that are still to come, of a select that waits.
    cases: u64,
    /// A goroutine has stopped running on it.
    has_left: bool,
}

/// What can be waited for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Object {
    /// Its kind.
    pub kind: String,
    /// A channel's capacity.
    pub cap: u64,
    /// The type of its elements, a number of a text.
    pub elem: u64,
    /// Who waits on it, in the order in which they came.
    pub waiters: VecDeque<u64>,
    /// Who holds it. Of a lock that is given back this is told a moment later, so for a moment
    /// there may be two.
    pub holders: Vec<u64>,
}

/// An event that contradicts what came before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contradiction {
    /// The event's number.
    pub seq: u64,
    /// What is wrong.
    pub why: String,
}

type Checked<T = ()> = std::result::Result<T, String>;

/// All queues at some event.
#[derive(Clone, Debug, Default)]
pub struct Queues {
    /// Goroutines that have begun and not ended.
    pub goroutines: BTreeMap<u64, Goroutine>,
    /// Ps that have been seen.
    pub ps: BTreeMap<i64, Processor>,
    /// The global queue, its front first.
    pub global: VecDeque<Item>,
    /// Threads that have been seen.
    pub threads: BTreeMap<i64, Thread>,
    /// Objects that have been named.
    pub objects: BTreeMap<u64, Object>,
    /// How many Ps there are.
    pub procs: i64,
    /// Rings are first-in first-out.
    is_fifo: bool,
    /// Somebody else takes the decisions: a seed, a search, or a recording.
    is_steered: bool,
    /// Who is first on a queue may be put on the global one, by lot.
    is_chaotic: bool,
    /// Goroutines of the program in [`Place::Offered`].
    offered: u64,
    /// Who has been chosen from these on a thread, and does not run yet.
    chosen: HashMap<i64, u64>,
    /// The number of Ps has never changed.
    is_steady: bool,
    /// The trace begins in the middle.
    is_partial: bool,
    /// Goroutines that have ended since, if it does.
    ended: HashSet<u64>,
    /// Starts by reason.
    pub starts: HashMap<String, u64>,
}

/// Events without which the queues cannot be rebuilt.
pub const NEEDED: &[&str] = &[
    "create",
    "start",
    "park",
    "park-also",
    "object",
    "queued",
    "stolen",
    "fetched",
    "ready",
    "yield",
    "end",
    "preempted",
    "overflow",
    "m-start",
    "m-stop",
    "m-wake",
    "m-exit",
    "spin-start",
    "spin-end",
    "syscall",
    "syscall-end",
    "syscall-blocked",
    "lock",
    "unlock",
    "world-start",
];

impl Goroutine {
    /// One that an event tells of as made.
    fn new(v: &Seen<'_>, place: Place) -> Goroutine {
        Goroutine {
            place,
            func: v.op("func"),
            is_system: v.op("system") != 0,
            reason: String::new(),
            waits_on: Vec::new(),
        }
    }
}

impl Object {
    /// One that an event names.
    fn new(v: &Seen<'_>) -> Object {
        Object {
            kind: v.word("kind").to_string(),
            cap: v.op("cap"),
            elem: v.op("elem"),
            waiters: VecDeque::new(),
            holders: Vec::new(),
        }
    }
}

impl Queues {
    /// As a program begins, of which this trace tells.
    pub fn new(trace: &Trace) -> Queues {
        let without = trace.head.list("without");
        let mut queues = Queues {
            procs: trace.head.number("gomaxprocs").unwrap_or(1),
            is_fifo: !without.iter().any(|name| name == b"fifo"),
            is_steered: trace.head.number("steered").unwrap_or(0) != 0,
            is_chaotic: trace.head.number("chaos").unwrap_or(0) != 0,
            is_steady: true,
            is_partial: trace.first > 0,
            ..Queues::default()
        };
        trace.before.iter().for_each(|e| queues.name(trace, e));
        queues
    }

    /// A record of before the trace begins: what it names may still be there.
    fn name(&mut self, trace: &Trace, e: &Event) {
        let view = Seen::new(&trace.schema, e, trace.ops(e));
        match view.name {
            "create" => {
                let known = Goroutine::new(&view, Place::Unknown);
                self.goroutines.insert(e.g, known);
            }
            "end" => {
                self.goroutines.remove(&e.g);
                self.ended.insert(e.g);
            }
            "object" => drop(self.objects.insert(view.op("id"), Object::new(&view))),
            _ => {}
        }
    }

    /// Follows a trace up to the event with this number, that one as well, or as far as it is
    /// sound.
    pub fn at(trace: &Trace, seq: u64) -> Result<Queues, Contradiction> {
        let mut queues = Queues::new(trace);
        let events = trace.events[..trace.sound].iter();
        for event in events.take_while(|e| e.seq <= seq) {
            queues.apply(trace, event)?;
        }
        Ok(queues)
    }

    /// Follows a trace as far as it is sound; the first event that contradicts the others is the
    /// error.
    pub fn check(trace: &Trace) -> Result<Queues, Contradiction> {
        Queues::at(trace, u64::MAX)
    }

    /// Goes on by an event.
    pub fn apply(&mut self, trace: &Trace, event: &Event) -> Result<(), Contradiction> {
        let view = Seen::new(&trace.schema, event, trace.ops(event));
        self.event(&view).map_err(|why| Contradiction {
            seq: event.seq,
            why,
        })
    }

    fn event(&mut self, v: &Seen<'_>) -> Checked {
        let (g, m, p) = (v.e.g, v.e.m, v.e.p);
        let cases = self.threads.get(&m).map_or(0, |t| t.cases);
        if cases > 0 && !matches!(v.name, "park-also" | "object") {
            return Err(format!("{cases} cases of a select are missing"));
        }
        match v.name {
            "create" => self.create(v),
            "ready" => self.ready(v),
            "queued" => self.queued(v),
            "stolen" => self.stolen(v),
            "fetched" => self.fetched(v),
            "overflow" => {
                no_goroutine(g)?;
                let at = v.at();
                let ring = &self.ps.entry(p).or_default().ring;
                // Thieves may have left none but the one that is to be put there.
                if v.op("n") > 1 && !self.is_partial && !ring.iter().any(|i| i.at == at) {
                    return Err(format!("nothing has place {at} on the ring of P{p}"));
                }
                self.announce(
                    m,
                    Mover::Overflow,
                    v.op("n"),
                    Place::Ring(p),
                    VecDeque::new(),
                )
            }
            "start" => self.start(v),
            "choice" => self.choice(v),
            "park" => {
                self.leaves(v)?;
                let reason = v.word("reason").to_string();
                self.goroutine(g)?.reason = reason;
                self.threads.entry(m).or_default().cases = v.op("more");
                self.waits(v, true)
            }
            "park-also" => {
                let is_partial = self.is_partial;
                let thread = self.threads.entry(m).or_default();
                // The trace may begin within the cases.
                let left = match thread.cases.checked_sub(1) {
                    None if is_partial && !thread.has_left => 0,
                    left => left.ok_or("no select waits on this thread")?,
                };
                thread.cases = left;
                self.waits(v, false)
            }
            "yield" => {
                self.leaves(v)?;
                self.goroutine(g)?.place = Place::Limbo;
                Ok(())
            }
            "end" => {
                self.leaves(v)?;
                self.goroutines.remove(&g);
                if self.is_partial {
                    self.ended.insert(g);
                }
                Ok(())
            }
            "preempted" | "task-begin" | "task-end" | "region-begin" | "region-end"
            | "user-log" => self.expect(g, Place::Runs(m)).map(drop),
            "syscall" => {
                self.leaves(v)?;
                self.goroutine(g)?.place = Place::Call(m);
                Ok(())
            }
            "syscall-end" => {
                self.expect(g, Place::Call(m))?;
                self.runs(g, m, p)
            }
            "syscall-blocked" => {
                self.expect(g, Place::Call(m))?;
                self.goroutine(g)?.place = Place::Limbo;
                Ok(())
            }
            "object" => {
                no_goroutine(g)?;
                let object = Object::new(v);
                match self.objects.get_mut(&v.op("id")) {
                    // An RWMutex begins with a mutex, which may be locked first.
                    Some(known) if known.kind == "mutex" && object.kind == "rwmutex" => {
                        known.kind = object.kind;
                    }
                    Some(_) => return Err("an object has the number of another".into()),
                    None => drop(self.objects.insert(v.op("id"), object)),
                }
                Ok(())
            }
            "m-stop" => {
                no_goroutine(g)?;
                self.threads.entry(m).or_default().is_idle = true;
                Ok(())
            }
            "m-wake" | "m-start" => {
                no_goroutine(g)?;
                self.threads.entry(m).or_default().is_idle = false;
                Ok(())
            }
            "m-exit" => {
                no_goroutine(g)?;
                self.threads.remove(&m);
                Ok(())
            }
            "spin-start" | "spin-end" => {
                no_goroutine(g)?;
                let thread = self.threads.entry(m).or_default();
                // Others say of a thread that they wake that it searches.
                if v.name == "spin-end" || matches!(v.word("by"), "limit" | "needspinning" | "poll")
                {
                    thread.searches = v.name == "spin-start";
                }
                Ok(())
            }
            "world-start" => {
                no_goroutine(g)?;
                let procs = v.op("procs") as i64;
                self.is_steady &= procs == self.procs;
                self.procs = procs;
                self.goes_on(m, p)
            }
            "lock" | "unlock" => {
                self.expect(g, Place::Runs(m))?;
                let holders = &mut self.object(v.op("on"))?.holders;
                if v.name == "lock" {
                    holders.push(g);
                } else if !holders.is_empty() {
                    // Whoever has taken a mutex, any goroutine may give it back.
                    let own = holders.iter().position(|h| *h == g);
                    holders.remove(own.unwrap_or(0));
                }
                Ok(())
            }
            "due" => self.expect(g, Place::Waits).map(drop),
            // Changes of status are told of goroutines that are being made as well.
            "g-status" | "gogo" | "mcall" => Ok(()),
            _ => no_goroutine(g),
        }
    }

    // ---- what goroutines do ---------------------------------------------------------------------

    fn create(&mut self, v: &Seen<'_>) -> Checked {
        self.acts(v.op("by"), v.e.m)?;
        let fresh = Goroutine::new(v, Place::Limbo);
        match self.goroutines.insert(v.e.g, fresh) {
            _ if v.e.g == 0 => Err("no goroutine is made".into()),
            None => Ok(()),
            Some(_) => Err(format!("there is a goroutine {} already", v.e.g)),
        }
    }

    fn ready(&mut self, v: &Seen<'_>) -> Checked {
        self.acts(v.op("goid"), v.e.m)?;
        self.expect(v.e.g, Place::Waits)?;
        self.ends_wait(v.e.g)?;
        self.goroutine(v.e.g)?.place = Place::Limbo;
        Ok(())
    }

    /// The goroutine `by` runs on this thread, if it is one.
    fn acts(&self, by: u64, m: i64) -> Checked {
        match by {
            0 => Ok(()),
            _ => self.expect(by, Place::Runs(m)).map(drop),
        }
    }

    /// The goroutine of the event has stopped running on its thread.
    fn leaves(&mut self, v: &Seen<'_>) -> Checked {
        let (g, m) = (v.e.g, v.e.m);
        let is = self.expect(g, Place::Runs(m))?;
        let thread = self.threads.entry(m).or_default();
        if let Some(moves) = thread.moves.as_ref().filter(|moves| moves.left > 0) {
            return Err(format!("{} moves are missing", moves.left));
        }
        (thread.runs, thread.has_left) = (None, true);
        if is == Place::Unknown {
            return Ok(());
        }
        let p = self.ps.values_mut().find(|p| p.runs == Some((m, g)));
        p.ok_or("it runs with no P")?.runs = None;
        Ok(())
    }

    /// The goroutine runs from now on.
    fn runs(&mut self, g: u64, m: i64, p: i64) -> Checked {
        let thread = self.threads.entry(m).or_default();
        if let Some(other) = thread.runs {
            return Err(format!("M{m} still runs goroutine {other}"));
        }
        thread.runs = Some(g);
        (thread.is_idle, thread.searches) = (false, false);
        let processor = self.ps.entry(p).or_default();
        if let Some((m, other)) = processor.runs {
            return Err(format!("goroutine {other} runs on P{p}, on M{m}"));
        }
        if p < 0 {
            return Err("it runs with no P".into());
        }
        processor.runs = Some((m, g));
        self.goroutine(g)?.place = Place::Runs(m);
        Ok(())
    }

    /// The world goes on: the thread that had stopped it has this P, which need not be the one it
    /// had.
    fn goes_on(&mut self, m: i64, p: i64) -> Checked {
        let its = |(_, had): &(&i64, &Processor)| had.runs.is_some_and(|r| r.0 == m);
        let before = self.ps.iter().find(its).map(|(p, _)| *p);
        let Some(before) = before.filter(|before| p >= 0 && *before != p) else {
            return Ok(());
        };
        let runs = self.ps.entry(before).or_default().runs.take();
        match std::mem::replace(&mut self.ps.entry(p).or_default().runs, runs) {
            Some((m, g)) => Err(format!("goroutine {g} runs on P{p}, on M{m}")),
            None => Ok(()),
        }
    }

    /// It waits, on one object more.
    fn waits(&mut self, v: &Seen<'_>, is_first: bool) -> Checked {
        let (g, on, dir) = (v.e.g, v.op("on"), v.word("dir").to_string());
        if !is_first {
            self.expect(g, Place::Waits)?;
        }
        if on != 0 {
            self.object(on)?.waiters.push_back(g);
        }
        let goroutine = self.goroutine(g)?;
        goroutine.place = Place::Waits;
        if is_first {
            goroutine.waits_on.clear();
        }
        goroutine.waits_on.extend((on != 0).then_some((on, dir)));
        Ok(())
    }

    fn ends_wait(&mut self, g: u64) -> Checked {
        for (on, _) in std::mem::take(&mut self.goroutine(g)?.waits_on) {
            let Some(object) = self.objects.get_mut(&on) else {
                continue;
            };
            // All who wait for a channel are woken in the reverse order when it is closed.
            if object.waiters.back() == Some(&g) {
                object.waiters.pop_back();
            } else if let Some(i) = object.waiters.iter().position(|w| *w == g) {
                object.waiters.remove(i);
            }
        }
        Ok(())
    }

    fn start(&mut self, v: &Seen<'_>) -> Checked {
        let (g, m, p, why) = (v.e.g, v.e.m, v.e.p, v.word("why"));
        *self.starts.entry(why.to_string()).or_default() += 1;
        let is = self.place(g)?;
        let from = match why {
            "runnext" => Place::Runnext(p),
            "chosen" if self.is_steered => Place::Offered,
            "local" => Place::Ring(p),
            "global" | "global-61" | "steal" | "steal-runnext" => Place::Hand(m),
            "wired" => Place::Wired,
            // Which of them depends on whether another timer made one ready after it.
            "timer" if is == Place::Ring(p) => is,
            "timer" => Place::Runnext(p),
            "netpoll" | "syscall" | "gc-worker" => Place::Limbo,
            "unparked" => Place::Waits,
            _ => return Err(format!("it starts for no known reason, {why:?}")),
        };
        if from == Place::Waits {
            self.ends_wait(g)?;
        }
        if let Some(other) = self.chosen.remove(&m).filter(|other| *other != g) {
            return Err(format!("goroutine {other} was chosen"));
        }
        let at = self.take(g, from, Taker::Owner)?;
        if at.is_some_and(|at| at != v.at()) {
            return Err(format!("goroutine {g} had place {}", at.unwrap_or(0)));
        }
        let len = self.ps.entry(p).or_default().ring.len() as u64;
        let is_wrong = v.op("local") < len || v.op("local") > len && !self.is_partial;
        if self.procs == 1 && self.is_steady && is_wrong {
            return Err(format!("{len} goroutines are on the ring of P{p}"));
        }
        self.runs(g, m, p)
    }

    /// A steered run decides.
    fn choice(&mut self, v: &Seen<'_>) -> Checked {
        let (g, m, of) = (v.e.g, v.e.m, v.op("of"));
        if !self.is_steered {
            return Err("the run is not steered".into());
        }
        match v.word("what") {
            "run" => {
                self.expect(g, Place::Offered)?;
                if of < 2 || of < self.offered || of > self.offered && !self.is_partial {
                    return Err(format!("{} are to be chosen from", self.offered));
                }
                if v.op("usual") != g {
                    self.expect(v.op("usual"), Place::Offered)?;
                }
                self.chosen.insert(m, g);
                Ok(())
            }
            "case" if v.op("case") < of => match g {
                0 => Ok(()),
                _ => self.expect(g, Place::Runs(m)).map(drop),
            },
            "case" => Err(format!("there are {of} cases")),
            _ => no_goroutine(g),
        }
    }

    // ---- what is there --------------------------------------------------------------------------

    /// Whether the goroutine may have been there before the trace begins.
    fn may_be_old(&self, g: u64) -> bool {
        self.is_partial && g != 0 && !self.ended.contains(&g)
    }

    fn goroutine(&mut self, g: u64) -> Checked<&mut Goroutine> {
        if self.may_be_old(g) {
            let old = Goroutine {
                place: Place::Unknown,
                func: 0,
                is_system: false,
                reason: String::new(),
                waits_on: Vec::new(),
            };
            return Ok(self.goroutines.entry(g).or_insert(old));
        }
        let none = || format!("there is no goroutine {g}");
        self.goroutines.get_mut(&g).ok_or_else(none)
    }

    fn object(&mut self, id: u64) -> Checked<&mut Object> {
        if self.is_partial && id != 0 {
            return Ok(self.objects.entry(id).or_default());
        }
        let object = self.objects.get_mut(&id);
        object.ok_or_else(|| "an object has no name".into())
    }

    fn place(&self, g: u64) -> Checked<Place> {
        match self.goroutines.get(&g) {
            Some(goroutine) => Ok(goroutine.place),
            None if self.may_be_old(g) => Ok(Place::Unknown),
            None => Err(format!("there is no goroutine {g}")),
        }
    }

    /// Where the goroutine is, which is `want` or not known.
    fn expect(&self, g: u64, want: Place) -> Checked<Place> {
        match self.place(g)? {
            is if is == want || is == Place::Unknown => Ok(is),
            is => Err(format!("goroutine {g} is {is}, not {want}")),
        }
    }
}

/// The event is about no goroutine.
fn no_goroutine(g: u64) -> Checked {
    match g {
        0 => Ok(()),
        _ => Err("it is about no goroutine".into()),
    }
}
