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

use std::collections::{BTreeMap, HashMap, VecDeque};

use crate::read::Trace;
use crate::wire::Event;

/// Where a goroutine is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
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
            Place::Limbo => write!(f, "runnable, and not put anywhere yet"),
            Place::Runnext(p) => write!(f, "in runnext of P{p}"),
            Place::Ring(p) => write!(f, "on the ring of P{p}"),
            Place::Global => write!(f, "on the global queue"),
            Place::Aside => write!(f, "kept back"),
            Place::Wired => write!(f, "with the thread it is wired to"),
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
}

/// What can be waited for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Object {
    /// Its kind.
    pub kind: String,
    /// A channel's capacity.
    pub cap: u64,
    /// Who waits on it, in the order in which they came.
    pub waiters: VecDeque<u64>,
    /// Who holds it. Of a lock that is given back this is told a moment later, so for a moment
    /// there may be two.
    pub holders: Vec<u64>,
}

/// More goroutines that are moved, after `stolen`, `fetched` or `overflow`.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Moves {
    by: Mover,
    left: u64,
    from: Place,
    /// Of a theft: those behind the first on the ring, which are the ones to be moved.
    next: VecDeque<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mover {
    Thief,
    Fetcher,
    Overflow,
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
    /// Where the decisions are somebody else's, rings are not taken from in order.
    is_steered: bool,
    /// The number of Ps has never changed.
    is_steady: bool,
    /// Starts by reason.
    pub starts: HashMap<String, u64>,
}

/// An event with its names.
struct View<'a> {
    trace: &'a Trace,
    e: &'a Event,
    name: &'a str,
    ops: &'a [u64],
}

impl<'a> View<'a> {
    fn slot(&self, name: &str) -> Option<usize> {
        self.trace.schema.slot(self.e.kind, name)
    }

    /// The operand of this name, 0 if there is none.
    fn op(&self, name: &str) -> u64 {
        self.slot(name)
            .and_then(|i| self.ops.get(i))
            .map_or(0, |v| *v)
    }

    fn at(&self) -> i64 {
        self.op("at") as i64
    }

    fn word(&self, name: &str) -> &'a str {
        let word = |i| self.trace.schema.word(self.e.kind, i, self.ops[i]);
        self.slot(name).and_then(word).unwrap_or("")
    }
}

impl Queues {
    /// As a program begins, of which this trace tells.
    pub fn new(trace: &Trace) -> Queues {
        let without = trace.head.list("without");
        Queues {
            procs: trace.head.number("gomaxprocs").unwrap_or(1),
            is_fifo: !without.iter().any(|name| name == b"fifo"),
            is_steered: trace.head.number("steered").unwrap_or(0) != 0,
            is_steady: true,
            ..Queues::default()
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
        let view = View {
            trace,
            e: event,
            name: trace.name(event),
            ops: trace.ops(event),
        };
        self.event(&view).map_err(|why| Contradiction {
            seq: event.seq,
            why,
        })
    }

    fn event(&mut self, v: &View<'_>) -> Checked {
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
                if v.op("n") > 1 && !ring.iter().any(|i| i.at == at) {
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
            "park" => {
                self.leaves(v)?;
                let reason = v.word("reason").to_string();
                self.goroutine(g)?.reason = reason;
                self.threads.entry(m).or_default().cases = v.op("more");
                self.waits(v, true)
            }
            "park-also" => {
                let thread = self.threads.entry(m).or_default();
                let left = thread.cases.checked_sub(1);
                thread.cases = left.ok_or("no select waits on this thread")?;
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
                Ok(())
            }
            "preempted" | "task-begin" | "task-end" | "region-begin" | "region-end"
            | "user-log" => self.expect(g, Place::Runs(m)),
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
                let object = Object {
                    kind: v.word("kind").to_string(),
                    cap: v.op("cap"),
                    waiters: VecDeque::new(),
                    holders: Vec::new(),
                };
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
                Ok(())
            }
            "lock" | "unlock" => {
                self.expect(g, Place::Runs(m))?;
                let object = self.objects.get_mut(&v.op("on"));
                let holders = &mut object.ok_or("an object has no name")?.holders;
                if v.name == "lock" {
                    holders.push(g);
                } else if !holders.is_empty() {
                    // Whoever has taken a mutex, any goroutine may give it back.
                    let own = holders.iter().position(|h| *h == g);
                    holders.remove(own.unwrap_or(0));
                }
                Ok(())
            }
            "due" => self.expect(g, Place::Waits),
            // Changes of status are told of goroutines that are being made as well.
            "g-status" | "gogo" | "mcall" => Ok(()),
            _ => no_goroutine(g),
        }
    }

    // ---- what goroutines do ---------------------------------------------------------------------

    fn create(&mut self, v: &View<'_>) -> Checked {
        self.acts(v.op("by"), v.e.m)?;
        let fresh = Goroutine {
            place: Place::Limbo,
            func: v.op("func"),
            is_system: v.op("system") != 0,
            reason: String::new(),
            waits_on: Vec::new(),
        };
        match self.goroutines.insert(v.e.g, fresh) {
            _ if v.e.g == 0 => Err("no goroutine is made".into()),
            None => Ok(()),
            Some(_) => Err(format!("there is a goroutine {} already", v.e.g)),
        }
    }

    fn ready(&mut self, v: &View<'_>) -> Checked {
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
            _ => self.expect(by, Place::Runs(m)),
        }
    }

    /// The goroutine of the event has stopped running on its thread.
    fn leaves(&mut self, v: &View<'_>) -> Checked {
        let (g, m) = (v.e.g, v.e.m);
        self.expect(g, Place::Runs(m))?;
        let thread = self.threads.entry(m).or_default();
        if let Some(moves) = thread.moves.as_ref().filter(|moves| moves.left > 0) {
            return Err(format!("{} moves are missing", moves.left));
        }
        thread.runs = None;
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

    /// It waits, on one object more.
    fn waits(&mut self, v: &View<'_>, is_first: bool) -> Checked {
        let (g, on, dir) = (v.e.g, v.op("on"), v.word("dir").to_string());
        if !is_first {
            self.expect(g, Place::Waits)?;
        }
        if on != 0 {
            let object = self.objects.get_mut(&on).ok_or("an object has no name")?;
            object.waiters.push_back(g);
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

    fn start(&mut self, v: &View<'_>) -> Checked {
        let (g, m, p, why) = (v.e.g, v.e.m, v.e.p, v.word("why"));
        *self.starts.entry(why.to_string()).or_default() += 1;
        let is = self.place(g)?;
        let from = match why {
            "runnext" => Place::Runnext(p),
            "local" if self.is_steered => is,
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
        let at = self.take(g, from, Taker::Owner)?;
        if at.is_some_and(|at| at != v.at()) {
            return Err(format!("goroutine {g} had place {}", at.unwrap_or(0)));
        }
        let len = self.ps.entry(p).or_default().ring.len() as u64;
        if self.procs == 1 && self.is_steady && v.op("local") != len {
            return Err(format!("{len} goroutines are on the ring of P{p}"));
        }
        self.runs(g, m, p)
    }

    // ---- moves ----------------------------------------------------------------------------------

    fn stolen(&mut self, v: &View<'_>) -> Checked {
        let (g, m, from) = (v.e.g, v.e.m, v.op("from") as i64);
        let source = match v.word("place") {
            "runnext" => Place::Runnext(from),
            _ => Place::Ring(from),
        };
        let left = v.op("n").checked_sub(1).ok_or("nothing is stolen")?;
        let ring = self.ps.entry(from).or_default().ring.iter();
        let behind = ring.skip_while(|i| i.g != g).skip(1);
        // A ring that is none is robbed of one item after another, and not by one thief alone.
        let next = match self.is_fifo {
            true => behind.take(left as usize).map(|i| i.g).collect(),
            false => VecDeque::new(),
        };
        if self.is_fifo && next.len() as u64 != left && source == Place::Ring(from) {
            return Err(format!("{} goroutines are behind it", next.len()));
        }
        let at = self.take(g, source, Taker::Thief)?;
        if at != Some(v.at()) {
            return Err(format!("goroutine {g} had place {}", at.unwrap_or(0)));
        }
        self.goroutine(g)?.place = Place::Hand(m);
        self.announce(m, Mover::Thief, left, source, next)
    }

    fn fetched(&mut self, v: &View<'_>) -> Checked {
        let (g, m) = (v.e.g, v.e.m);
        if v.op("of") != self.global.len() as u64 {
            return Err(format!("{} are on the global queue", self.global.len()));
        }
        let at = self.take(g, Place::Global, Taker::Owner)?;
        if at != Some(v.at()) {
            return Err(format!("goroutine {g} had place {}", at.unwrap_or(0)));
        }
        self.goroutine(g)?.place = Place::Hand(m);
        let left = v.op("n").checked_sub(1).ok_or("nothing is fetched")?;
        self.announce(m, Mover::Fetcher, left, Place::Global, VecDeque::new())
    }

    fn announce(
        &mut self,
        m: i64,
        by: Mover,
        left: u64,
        from: Place,
        next: VecDeque<u64>,
    ) -> Checked {
        let moves = Moves {
            by,
            left,
            from,
            next,
        };
        let thread = self.threads.entry(m).or_default();
        match thread.moves.replace(moves) {
            Some(before) if before.left > 0 => Err(format!("{} moves are missing", before.left)),
            _ => Ok(()),
        }
    }

    fn queued(&mut self, v: &View<'_>) -> Checked {
        let (g, m, p, to) = (v.e.g, v.e.m, v.e.p, v.word("to"));
        let is = self.place(g)?;
        let thread = self.threads.entry(m).or_default();
        let moves = thread.moves.as_mut().filter(|moves| moves.left > 0);
        if let Some(moves) = moves {
            moves.left -= 1;
            let (by, from) = (moves.by, moves.from);
            let next = moves.next.pop_front();
            if by == Mover::Thief && next.is_some_and(|next| next != g) {
                return Err(format!("goroutine {} was next", next.unwrap_or(0)));
            }
            let source = match (by, is) {
                // The last of these is the one that found the ring full.
                (Mover::Overflow, Place::Limbo | Place::Runnext(_)) => is,
                _ => from,
            };
            let taker = match by {
                Mover::Thief => Taker::Thief,
                Mover::Fetcher => Taker::Owner,
                Mover::Overflow => Taker::Nobody,
            };
            self.take(g, source, taker)?;
        } else {
            let may = match is {
                Place::Limbo => true,
                // Another has come into its place.
                Place::Runnext(own) if own == p && to == "ring" => true,
                // A P is gone, with all threads stopped.
                Place::Runnext(_) | Place::Ring(_) if to == "global-front" => true,
                Place::Aside => to == "global",
                // Found, but not to be run here.
                Place::Hand(own) => own == m && matches!(to, "wired" | "aside"),
                Place::Runnext(own) | Place::Ring(own) => {
                    own == p && matches!(to, "wired" | "aside")
                }
                _ => false,
            };
            if !may {
                return Err(format!("goroutine {g} is {is}"));
            }
            let taker = match to {
                "wired" | "aside" => Taker::Owner,
                _ => Taker::Nobody,
            };
            self.take(g, is, taker)?;
        }
        self.put(v, to)
    }

    /// Puts the goroutine of the event where that says.
    fn put(&mut self, v: &View<'_>, to: &str) -> Checked {
        let (g, p, at) = (v.e.g, v.e.p, v.at());
        let item = Item {
            g,
            at,
            is_owed: false,
        };
        let processor = self.ps.entry(p).or_default();
        let follows = |last: &mut i64| match std::mem::replace(last, at) {
            before if before + 1 == at => Ok(()),
            before => Err(format!("place {} is the next of P{p}", before + 1)),
        };
        let place = match to {
            "runnext" => {
                follows(&mut processor.next_at)?;
                // A thief may have had it since.
                let out = v.op("out");
                let newest = processor.runnext.last().map_or(0, |i| i.g);
                if out != 0 && newest != 0 && out != newest {
                    return Err(format!("goroutine {newest} is in runnext of P{p}"));
                }
                processor.runnext.push(item);
                Place::Runnext(p)
            }
            "ring" => {
                follows(&mut processor.ring_at)?;
                processor.ring.push_back(item);
                Place::Ring(p)
            }
            "global" => {
                if self.global.back().is_some_and(|last| last.at >= at) {
                    return Err("the global queue has a later place already".into());
                }
                self.global.push_back(item);
                Place::Global
            }
            "global-front" => {
                if self.global.front().is_some_and(|first| first.at <= at) {
                    return Err("the global queue has an earlier place already".into());
                }
                self.global.push_front(item);
                Place::Global
            }
            "aside" => Place::Aside,
            "wired" => Place::Wired,
            _ => return Err(format!("there is no place {to:?}")),
        };
        self.goroutine(g)?.place = place;
        Ok(())
    }

    // ---- items ----------------------------------------------------------------------------------

    fn goroutine(&mut self, g: u64) -> Checked<&mut Goroutine> {
        let none = || format!("there is no goroutine {g}");
        self.goroutines.get_mut(&g).ok_or_else(none)
    }

    fn place(&self, g: u64) -> Checked<Place> {
        let none = || format!("there is no goroutine {g}");
        Ok(self.goroutines.get(&g).ok_or_else(none)?.place)
    }

    fn expect(&self, g: u64, want: Place) -> Checked {
        match self.place(g)? {
            is if is == want => Ok(()),
            is => Err(format!("goroutine {g} is {is}, not {want}")),
        }
    }

    /// Takes a goroutine from where it must be; the number of its place, if it had one.
    fn take(&mut self, g: u64, from: Place, by: Taker) -> Checked<Option<i64>> {
        self.expect(g, from)?;
        let item = match from {
            Place::Global => match self.global.front() {
                Some(first) if first.g == g => self.global.pop_front(),
                Some(first) => return Err(format!("goroutine {} comes first", first.g)),
                None => None,
            },
            Place::Runnext(p) => {
                let next = &mut self.ps.entry(p).or_default().runnext;
                let i = next.iter().position(|i| i.g == g);
                let i = i.ok_or_else(|| format!("goroutine {g} is not in runnext of P{p}"))?;
                // The owner takes the newest; what is older is a thief's.
                if by == Taker::Owner && i + 1 != next.len() {
                    return Err(format!(
                        "goroutine {} came into runnext later",
                        next[i + 1].g
                    ));
                }
                Some(next.remove(i))
            }
            Place::Ring(p) => Some(self.take_from_ring(g, p, by)?),
            _ => None,
        };
        Ok(item.map(|i| i.at))
    }

    fn take_from_ring(&mut self, g: u64, p: i64, by: Taker) -> Checked<Item> {
        let (is_fifo, is_steered) = (self.is_fifo, self.is_steered);
        let ring = &mut self.ps.entry(p).or_default().ring;
        let none = || format!("goroutine {g} is not on the ring of P{p}");
        let i = ring.iter().position(|i| i.g == g).ok_or_else(none)?;
        let is_last = i + 1 == ring.len();
        let item = ring.remove(i).ok_or_else(none)?;
        if by != Taker::Owner || is_steered {
            return Ok(item);
        }
        if item.is_owed {
            return Err(format!("goroutine {g} was in front of one that P{p} took"));
        }
        if is_fifo {
            ring.iter_mut().take(i).for_each(|i| i.is_owed = true);
        } else if !is_last {
            return Err(format!(
                "goroutine {g} is not the newest on the ring of P{p}"
            ));
        }
        Ok(item)
    }
}

/// The event is about no goroutine.
fn no_goroutine(g: u64) -> Checked {
    match g {
        0 => Ok(()),
        _ => Err("it is about no goroutine".into()),
    }
}

/// Who takes an item, and so which one it may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Taker {
    /// The owner of the queue, in order.
    Owner,
    /// Another P.
    Thief,
    /// What takes all, in no order.
    Nobody,
}
