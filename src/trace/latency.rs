//! How long goroutines wait for a turn, who ran instead, and by which rule.
//!
//! A [`Meter`] is given events one by one, in order, and keeps no more than it needs to tell who
//! ran while somebody waited: of each P the last runs as they were, older ones summed up, by
//! stretches of time that grow with their age. So its memory has a bound, however long the program
//! runs and however long one waits; of what is summed up the edges are not exact.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt::Write as _;

use crate::file::Tables;
use crate::schema::Schema;
use crate::wire::Event;

/// Runs of a P that are kept as they were.
const RUNS: usize = 1 << 12;
/// Stretches of older ones.
const STRETCHES: usize = 1 << 11;
/// How long a stretch is at first.
const STRETCH_NS: i64 = 1_000_000;
/// Goroutines that a stretch tells apart.
const APART: usize = 8;
/// Waits that are told.
const TOLD: usize = 5;
/// Who ran instead: how many of them are told.
const CULPRITS: usize = 4;
/// Places in which one wait is followed.
const PLACES: usize = 4;
/// A run is long if it lasts longer than a time slice and what it takes to end it.
const LONG_NS: i64 = 15_000_000;

/// The reasons of starts that are counted, as the schema has them.
const WHYS: usize = 16;

/// Where a goroutine waits for its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Place {
    /// It is not queued yet.
    #[default]
    Nowhere,
    Runnext,
    Ring,
    Global,
    Aside,
    Wired,
}

/// A place, of which P, and from when on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Stay {
    place: Place,
    p: i64,
    from: i64,
}

/// A wait that has not ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Pending {
    since: i64,
    stays: [Stay; PLACES],
    n: usize,
}

/// A goroutine.
#[derive(Clone, Debug, Default)]
struct Known {
    func: u64,
    /// Where it stopped last, or was made.
    stack: u64,
    is_system: bool,
    waits: Option<Pending>,
}

/// What a goroutine had of a P.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Had {
    g: u64,
    func: u64,
    stack: u64,
    ns: i64,
    n: u64,
    /// Its longest run.
    longest: i64,
    whys: [u64; WHYS],
}

impl Had {
    fn add(&mut self, other: &Had) {
        self.ns += other.ns;
        self.n += other.n;
        self.longest = self.longest.max(other.longest);
        (self.func, self.stack) = (other.func, other.stack);
        for (own, more) in self.whys.iter_mut().zip(other.whys) {
            *own += more;
        }
    }
}

/// Sums by goroutine; those for whom there is no room are summed up as goroutine 0.
fn add(all: &mut Vec<Had>, more: &Had, most: usize) {
    let g = match all.iter().any(|h| h.g == more.g) || all.len() < most {
        true => more.g,
        false => 0,
    };
    let more = match g {
        0 => Had {
            g,
            func: 0,
            stack: 0,
            ..*more
        },
        _ => *more,
    };
    match all.iter_mut().find(|h| h.g == g) {
        Some(own) => own.add(&more),
        None => all.push(more),
    }
}

/// A goroutine had a P from here to there.
#[derive(Clone, Copy, Debug)]
struct Run {
    from: i64,
    to: i64,
    g: u64,
    func: u64,
    stack: u64,
    why: u8,
}

impl Run {
    fn had(&self, from: i64, to: i64) -> Option<Had> {
        let ns = self.to.min(to) - self.from.max(from);
        let mut had = Had {
            g: self.g,
            func: self.func,
            stack: self.stack,
            ns,
            n: 1,
            longest: self.to - self.from,
            ..Had::default()
        };
        had.whys[usize::from(self.why) % WHYS] = 1;
        (ns >= 0 && self.to > from && self.from < to).then_some(had)
    }
}

/// What went on on a P for a while.
#[derive(Clone, Debug)]
struct Stretch {
    from: i64,
    to: i64,
    had: Vec<Had>,
}

/// A P.
#[derive(Clone, Debug, Default)]
struct Lane {
    runs: Option<Run>,
    recent: VecDeque<Run>,
    older: VecDeque<Stretch>,
}

impl Lane {
    /// What runs stops.
    fn stops(&mut self, ns: i64, stack: u64) {
        let Some(mut run) = self.runs.take() else {
            return;
        };
        run.to = ns.max(run.from);
        if stack != 0 {
            run.stack = stack;
        }
        self.recent.push_back(run);
        if self.recent.len() > RUNS
            && let Some(run) = self.recent.pop_front()
        {
            self.sum_up(&run);
        }
    }

    fn sum_up(&mut self, run: &Run) {
        let Some(had) = run.had(i64::MIN, i64::MAX) else {
            return;
        };
        match self.older.back_mut() {
            Some(last) if run.to - last.from <= STRETCH_NS => {
                last.to = run.to;
                add(&mut last.had, &had, APART);
            }
            _ => self.older.push_back(Stretch {
                from: run.from,
                to: run.to,
                had: vec![had],
            }),
        }
    }

    /// Forgets what happened before `oldest`, and sums up more of the older half if that is much.
    fn shrink(&mut self, oldest: i64) {
        while self.older.front().is_some_and(|s| s.to < oldest) {
            self.older.pop_front();
        }
        if self.older.len() <= STRETCHES {
            return;
        }
        let newer = self.older.split_off(STRETCHES / 2);
        let mut merged: VecDeque<Stretch> = VecDeque::new();
        for (i, stretch) in std::mem::take(&mut self.older).into_iter().enumerate() {
            match merged.back_mut() {
                Some(last) if i % 2 == 1 => {
                    last.to = stretch.to;
                    stretch
                        .had
                        .iter()
                        .for_each(|h| add(&mut last.had, h, APART));
                }
                _ => merged.push_back(stretch),
            }
        }
        merged.extend(newer);
        self.older = merged;
    }

    /// Who had it from `from` to `to`.
    fn had(&self, from: i64, to: i64, all: &mut Vec<Had>) {
        // Of a stretch that begins before, what belongs here is not known.
        let older = self.older.iter().filter(|s| s.from >= from && s.to <= to);
        for had in older.flat_map(|s| &s.had) {
            add(all, had, usize::MAX);
        }
        let now = self.runs.map(|run| Run { to, ..run });
        for run in self.recent.iter().rev().take_while(|r| r.to >= from) {
            run.had(from, to)
                .into_iter()
                .for_each(|h| add(all, &h, usize::MAX));
        }
        let now = now.and_then(|run| run.had(from, to));
        now.into_iter().for_each(|h| add(all, &h, usize::MAX));
    }
}

/// Who ran while another waited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Culprit {
    /// The goroutine.
    pub g: u64,
    /// Its function, a number of a text.
    pub func: u64,
    /// Where it stopped last, a number of a stack.
    pub stack: u64,
    /// How long it ran, meanwhile.
    pub ns: i64,
    /// How often.
    pub n: u64,
}

/// A wait for a turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wait {
    /// The goroutine.
    pub g: u64,
    /// Its function, a number of a text.
    pub func: u64,
    /// Where it stopped before, or was made; a number of a stack.
    pub stack: u64,
    /// How long it was, or has been.
    pub ns: i64,
    /// It got its turn.
    pub is_over: bool,
    /// Where it was longest.
    pub place: String,
    /// Who ran there, the longest first.
    pub culprits: Vec<Culprit>,
    /// How many others did.
    pub others: usize,
    /// The rule by which they did, by the name of its switch or of what decided.
    pub rule: &'static str,
    /// The same in words.
    pub because: &'static str,
}

/// What an event means here, and where the values are that tell the rest.
#[derive(Clone, Copy, Default)]
enum Act {
    #[default]
    Nothing,
    Create {
        func: usize,
        stack: usize,
        system: usize,
    },
    Ready,
    Queued {
        to: usize,
    },
    Start {
        why: usize,
    },
    /// It stops; with a yield it can go on.
    Stop {
        stack: usize,
        can_run: bool,
    },
    Back,
    BackLate,
    End,
}

/// Bounds of the histogram, in nanoseconds.
const BOUNDS: [i64; 15] = [
    1_000,
    3_000,
    10_000,
    30_000,
    100_000,
    300_000,
    1_000_000,
    3_000_000,
    10_000_000,
    30_000_000,
    100_000_000,
    300_000_000,
    1_000_000_000,
    3_000_000_000,
    10_000_000_000,
];

/// The words of an operand, as far as they matter here.
type Words = Vec<String>;

/// Measures how long goroutines wait for a turn.
pub struct Meter {
    acts: Vec<Act>,
    places: Vec<Place>,
    whys: Words,
    /// Rules that are switched off.
    without: Vec<String>,
    goroutines: HashMap<u64, Known>,
    lanes: BTreeMap<i64, Lane>,
    /// When the last event happened.
    now: i64,
    counts: [u64; BOUNDS.len() + 1],
    /// The longest waits, each of another goroutine, the longest first.
    longest: Vec<Wait>,
    /// How long a wait may be.
    limit: Option<i64>,
    /// The first one that was longer.
    broken: Option<Wait>,
    /// Records were missing.
    has_gaps: bool,
}

impl std::fmt::Debug for Meter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Meter({:?})", self.longest)
    }
}

impl Meter {
    /// Of events that this schema names, of a program without these rules. If a wait is longer
    /// than `limit` nanoseconds, [`Meter::broken`] tells of it.
    pub fn new(schema: &Schema, without: &[Vec<u8>], limit: Option<i64>) -> Meter {
        let list = |name: &str, operand: &str| -> Words {
            let kind = schema.kind(name).unwrap_or(u8::MAX);
            let words = |i: u64| {
                let word = schema.word(kind, schema.slot(kind, operand)?, i)?;
                Some(word.to_string())
            };
            (0..).map_while(words).collect()
        };
        let places = list("queued", "to").into_iter();
        let places = places.map(|word| match &*word {
            "runnext" => Place::Runnext,
            "ring" => Place::Ring,
            "global" | "global-front" => Place::Global,
            "aside" => Place::Aside,
            "wired" => Place::Wired,
            _ => Place::Nowhere,
        });
        let acts = (0..schema.kinds.len()).map(|k| act(schema, k as u8).unwrap_or_default());
        let without = without.iter();
        Meter {
            acts: acts.collect(),
            places: places.collect(),
            whys: list("start", "why"),
            without: without
                .map(|name| String::from_utf8_lossy(name).into_owned())
                .collect(),
            goroutines: HashMap::new(),
            lanes: BTreeMap::new(),
            now: 0,
            counts: [0; BOUNDS.len() + 1],
            longest: Vec::new(),
            limit,
            broken: None,
            has_gaps: false,
        }
    }

    /// The next event, with its values.
    pub fn event(&mut self, e: &Event, ops: &[u64]) {
        let act = self.acts.get(usize::from(e.kind)).copied();
        self.now = self.now.max(e.ns);
        match act.unwrap_or_default() {
            Act::Nothing => {}
            _ if e.g == 0 => {}
            Act::Create {
                func,
                stack,
                system,
            } => {
                let known = Known {
                    func: ops[func],
                    stack: ops[stack],
                    is_system: ops[system] != 0,
                    waits: None,
                };
                self.goroutines.insert(e.g, known);
                self.can_run(e);
            }
            Act::Ready => self.can_run(e),
            Act::Queued { to } => {
                let place = self.places.get(ops[to] as usize);
                let stay = Stay {
                    place: place.copied().unwrap_or_default(),
                    p: e.p,
                    from: e.ns,
                };
                if let Some(pending) = self.goroutines.get_mut(&e.g).and_then(|g| g.waits.as_mut())
                {
                    pending.moves(stay);
                }
            }
            Act::Start { why } => {
                self.ends_wait(e.g, e.ns);
                self.runs(e, ops[why] as u8);
            }
            Act::Back => self.runs(e, u8::MAX),
            Act::BackLate => self.can_run(e),
            Act::Stop { stack, can_run } => {
                let stack = ops[stack];
                self.goroutines.entry(e.g).or_default().stack = stack;
                self.stops(e, stack);
                if can_run {
                    self.can_run(e);
                }
            }
            Act::End => {
                self.stops(e, 0);
                self.goroutines.remove(&e.g);
            }
        }
    }

    /// Records are missing: who runs and who waits is not known any more.
    pub fn skips(&mut self) {
        self.has_gaps = true;
        self.lanes.values_mut().for_each(|lane| lane.runs = None);
        self.goroutines
            .values_mut()
            .for_each(|known| known.waits = None);
    }

    fn can_run(&mut self, e: &Event) {
        self.goroutines.entry(e.g).or_default().waits = Some(Pending {
            since: e.ns,
            stays: [Stay {
                from: e.ns,
                p: e.p,
                ..Stay::default()
            }; PLACES],
            n: 1,
        });
    }

    fn runs(&mut self, e: &Event, why: u8) {
        let known = self.goroutines.entry(e.g).or_default();
        let run = Run {
            from: e.ns,
            to: e.ns,
            g: e.g,
            func: known.func,
            stack: known.stack,
            why,
        };
        let lane = self.lanes.entry(e.p).or_default();
        lane.stops(e.ns, 0);
        lane.runs = Some(run);
        if lane.older.len() > STRETCHES {
            let since = |g: &Known| g.waits.map(|w| w.since);
            let oldest = self.goroutines.values().filter_map(since).min();
            lane.shrink(oldest.unwrap_or(e.ns));
        }
    }

    fn stops(&mut self, e: &Event, stack: u64) {
        let is_its = |lane: &&mut Lane| lane.runs.is_some_and(|run| run.g == e.g);
        // Who leaves has usually the P that it is told with.
        let own = self.lanes.get_mut(&e.p).filter(is_its);
        match own {
            Some(lane) => lane.stops(e.ns, stack),
            None => {
                let lane = self.lanes.values_mut().find(is_its);
                lane.into_iter().for_each(|lane| lane.stops(e.ns, stack));
            }
        }
    }

    fn ends_wait(&mut self, g: u64, ns: i64) {
        let Some(known) = self.goroutines.get_mut(&g) else {
            return;
        };
        let (Some(pending), false) = (known.waits.take(), known.is_system) else {
            return;
        };
        self.counts_wait(g, &pending, ns, true);
    }

    fn counts_wait(&mut self, g: u64, pending: &Pending, ns: i64, is_over: bool) {
        let length = ns.saturating_sub(pending.since);
        let bucket = BOUNDS.iter().position(|b| length < *b);
        self.counts[bucket.unwrap_or(BOUNDS.len())] += 1;
        let own = self.longest.iter().position(|w| w.g == g);
        let least = match own {
            Some(i) => self.longest[i].ns,
            None if self.longest.len() < TOLD => -1,
            None => self.longest.last().map_or(-1, |w| w.ns),
        };
        let breaks = self.broken.is_none() && self.limit.is_some_and(|limit| length > limit);
        if length <= least && !breaks {
            return;
        }
        let wait = self.explained(g, pending, ns, is_over);
        if breaks {
            self.broken = Some(wait.clone());
        }
        if length > least {
            own.into_iter().for_each(|i| drop(self.longest.remove(i)));
            let at = self.longest.partition_point(|w| w.ns >= wait.ns);
            self.longest.insert(at, wait);
            self.longest.truncate(TOLD);
        }
    }

    /// All that has happened until `ns` has been told: those who wait have waited so long.
    pub fn is_at(&mut self, ns: i64) {
        let (Some(limit), None) = (self.limit, &self.broken) else {
            return;
        };
        let longer = |(g, known): (&u64, &Known)| {
            let pending = known.waits.filter(|w| ns.saturating_sub(w.since) > limit)?;
            (!known.is_system).then_some((*g, pending))
        };
        let all = self.goroutines.iter().filter_map(longer);
        if let Some((g, pending)) = all.min_by_key(|(g, w)| (w.since, *g)) {
            self.broken = Some(self.explained(g, &pending, ns, false));
        }
    }

    /// The program has ended, then or when the last event happened: those who still wait have
    /// waited until then.
    pub fn ends(&mut self, ns: i64) {
        let ns = ns.max(self.now);
        self.is_at(ns);
        let waits = |(g, known): (&u64, &Known)| {
            let pending = known.waits.filter(|_| !known.is_system)?;
            Some((*g, pending))
        };
        let mut rest: Vec<(u64, Pending)> = self.goroutines.iter().filter_map(waits).collect();
        rest.sort_by_key(|(g, w)| (w.since, *g));
        for (g, pending) in rest {
            self.counts_wait(g, &pending, ns, false);
        }
        self.goroutines.clear();
    }

    /// The first wait that was longer than it may be.
    pub fn broken(&self) -> Option<&Wait> {
        self.broken.as_ref()
    }

    /// The longest waits, each of another goroutine, the longest first.
    pub fn longest(&self) -> &[Wait] {
        &self.longest
    }

    // ---- why ------------------------------------------------------------------------------------

    fn explained(&self, g: u64, pending: &Pending, ns: i64, is_over: bool) -> Wait {
        let known = self.goroutines.get(&g);
        let mut all: Vec<Had> = Vec::new();
        let stays = &pending.stays[..pending.n];
        for (i, stay) in stays.iter().enumerate() {
            let to = stays.get(i + 1).map_or(ns, |next| next.from);
            for (p, lane) in &self.lanes {
                let is_there = match stay.place {
                    Place::Global | Place::Aside | Place::Nowhere => true,
                    Place::Runnext | Place::Ring | Place::Wired => *p == stay.p,
                };
                if is_there {
                    lane.had(stay.from, to, &mut all);
                }
            }
        }
        // It may have been told of its own turn already.
        all.retain(|h| h.g != g);
        all.sort_by_key(|h| (h.g == 0, -h.ns, h.g));
        let length = |i: usize| {
            let to = stays.get(i + 1).map_or(ns, |next| next.from);
            to - stays[i].from
        };
        let longest = (0..stays.len()).max_by_key(|&i| (length(i), i));
        let stay = longest.map_or(Stay::default(), |i| stays[i]);
        let length = ns.saturating_sub(pending.since);
        let (rule, because) = self.rule(stay.place, &all, length);
        let culprits = all.iter().filter(|h| h.g != 0).take(CULPRITS);
        let culprits = culprits.map(|h| Culprit {
            g: h.g,
            func: h.func,
            stack: h.stack,
            ns: h.ns,
            n: h.n,
        });
        Wait {
            g,
            func: known.map_or(0, |k| k.func),
            stack: known.map_or(0, |k| k.stack),
            ns: length,
            is_over,
            place: match stay.place {
                Place::Nowhere => "on its way to a queue".into(),
                Place::Runnext => format!("in runnext of P{}", stay.p),
                Place::Ring => format!("on the ring of P{}", stay.p),
                Place::Global => "on the global queue".into(),
                Place::Aside => "kept back".into(),
                Place::Wired => "with the thread it is wired to".into(),
            },
            culprits: culprits.collect(),
            others: all.len().saturating_sub(CULPRITS),
            rule,
            because,
        }
    }

    fn is_off(&self, rule: &str) -> bool {
        self.without.iter().any(|name| name == rule)
    }

    /// By which rule these ran while one waited so long, most of that in this place.
    fn rule(&self, place: Place, all: &[Had], length: i64) -> (&'static str, &'static str) {
        let ran: i64 = all.iter().map(|h| h.ns).sum();
        let all = &all[..all.len().min(CULPRITS)];
        let starts: u64 = all.iter().map(|h| h.n).sum();
        let by = |why: &str| {
            let at = self.whys.iter().position(|w| w == why);
            let n: u64 = at.map_or(0, |at| {
                all.iter().map(|h| h.whys.get(at).unwrap_or(&0)).sum()
            });
            n * 2 > starts
        };
        let longest = all.iter().map(|h| h.longest).max().unwrap_or(0);
        match place {
            Place::Aside => {
                return (
                    "world",
                    "no goroutine of the program might run, for the world was being stopped",
                );
            }
            Place::Wired => {
                return (
                    "wired",
                    "its thread had to be woken and to be given a P, and nobody else may run it",
                );
            }
            _ => {}
        }
        if ran < length / 4 {
            return match place {
                Place::Ring | Place::Runnext if self.is_off("steal") => (
                    "steal",
                    "steal is off: no other P takes what waits on this one",
                ),
                _ if self.is_off("spinning") => (
                    "spinning",
                    "spinning is off: no thread is woken to search for work",
                ),
                _ => (
                    "wake-up",
                    "no goroutine had the P for most of that: a thread had to wake, or the machine \
                     was busy, or the world was stopped",
                ),
            };
        }
        if longest > LONG_NS && longest > length / 4 {
            return match () {
                () if self.is_off("async-preempt") => (
                    "async-preempt",
                    "async-preempt is off: a loop without calls is not stopped when its slice is \
                     over",
                ),
                () if self.is_off("coop-preempt") => (
                    "coop-preempt",
                    "coop-preempt is off: a call does not stop a goroutine whose slice is over",
                ),
                () => (
                    "time slice",
                    "who runs keeps the P until it waits, or is asked to stop after 10 ms and \
                     comes to a safepoint",
                ),
            };
        }
        if by("runnext") {
            return match () {
                () if self.is_off("slice-inheritance") => (
                    "slice-inheritance",
                    "slice-inheritance is off: who is woken goes first (runnext), and with a time \
                     slice of its own, so those who wake one another are never asked to stop",
                ),
                () => (
                    "runnext",
                    "who is woken goes first (runnext), in the time slice of who woke it, which \
                     ends after 10 ms",
                ),
            };
        }
        match place {
            Place::Global if self.is_off("global-poll") => (
                "global-poll",
                "global-poll is off: the global queue has its turn when a P's own is empty",
            ),
            Place::Global if !by("global") && !by("global-61") => (
                "global-poll",
                "a P's own queue goes first; the global one has every 61st turn",
            ),
            Place::Global => (
                "global queue",
                "those who came to the global queue before it go first",
            ),
            _ if self.is_off("fifo") => {
                ("fifo", "fifo is off: who came to the ring last goes first")
            }
            _ if by("gc-worker") => ("gc-worker", "a worker of the collector had its share"),
            _ if by("global") || by("global-61") => (
                "global-poll",
                "those on the global queue have every 61st turn, and those that a ring lacks",
            ),
            _ => ("fifo", "those who came to the ring before it go first"),
        }
    }

    // ---- words ----------------------------------------------------------------------------------

    /// How many waits there were.
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// What was measured, in lines.
    pub fn report(&self, tables: &Tables) -> String {
        let mut text = String::new();
        let n = self.count();
        let times = if n == 1 { "turn was" } else { "turns were" };
        // Writing to a String cannot fail.
        let _ = write!(text, "gosched: latency: {n} {times} waited for");
        for percent in [50, 99] {
            if let Some(bound) = self.within(percent) {
                let _ = write!(text, ", {percent} % of them less than {}", time(bound));
            }
        }
        text.push('\n');
        if self.has_gaps {
            text +=
                "records of the scheduler were lost: what was being waited for then is missing\n";
        }
        if !self.longest.is_empty() {
            text += "The longest waits, of one goroutine each:\n";
        }
        for wait in &self.longest {
            let _ = write!(text, "{:>9}  ", time(wait.ns));
            text += &wait.told(tables, "\n           ");
            text.push('\n');
        }
        text += &self.histogram();
        text
    }

    /// The least bound under which so many of a hundred waits are.
    fn within(&self, percent: u64) -> Option<i64> {
        let n = self.count();
        let mut sum = 0;
        for (bound, count) in BOUNDS.iter().zip(self.counts) {
            sum += count;
            if sum > 0 && sum * 100 >= n * percent {
                return Some(*bound);
            }
        }
        None
    }

    fn histogram(&self) -> String {
        const WIDTH: u64 = 40;
        let mut text = String::new();
        let first = self.counts.iter().position(|n| *n > 0);
        let last = self.counts.iter().rposition(|n| *n > 0);
        let (Some(first), Some(last)) = (first, last) else {
            return text;
        };
        let most = self.counts.iter().max().copied().unwrap_or(1).max(1);
        text += "How long they were:\n";
        for (i, n) in self.counts.iter().enumerate().take(last + 1).skip(first) {
            let bound = match BOUNDS.get(i) {
                Some(bound) => format!("< {}", time(*bound)),
                None => format!("≥ {}", time(BOUNDS[BOUNDS.len() - 1])),
            };
            let bar = n * WIDTH / most + u64::from(*n > 0 && n * WIDTH < most);
            let bar = "#".repeat(bar as usize);
            let line = format!("{bound:>9}  {n:>9}  {bar}");
            text += line.trim_end();
            text.push('\n');
        }
        text
    }
}

impl Pending {
    fn moves(&mut self, stay: Stay) {
        let last = &mut self.stays[self.n - 1];
        if last.from == stay.from || self.n == PLACES {
            // It was nowhere else in between; or of too many places the last are one.
            let from = last.from;
            *last = Stay { from, ..stay };
        } else {
            self.stays[self.n] = stay;
            self.n += 1;
        }
    }
}

impl Wait {
    /// Who waited and where, who ran instead, and the rule, with this between the lines.
    pub fn told(&self, tables: &Tables, between: &str) -> String {
        let mut text = named(tables, self.g, self.func, self.stack);
        // Writing to a String cannot fail.
        let _ = write!(text, ", {}", self.place);
        if !self.is_over {
            text += ", and it still waits";
        }
        for c in &self.culprits {
            let who = named(tables, c.g, c.func, c.stack);
            let times = if c.n == 1 { "time" } else { "times" };
            let _ = write!(
                text,
                "{between}instead ran {who}: {} {times}, {}",
                c.n,
                time(c.ns)
            );
        }
        if self.others > 0 {
            let _ = write!(text, "{between}and {} more", self.others);
        }
        let _ = write!(text, "{between}rule {}: {}", self.rule, self.because);
        text
    }
}

/// A goroutine with its function and the place where it stopped last.
fn named(tables: &Tables, g: u64, func: u64, stack: u64) -> String {
    let mut text = format!("goroutine {g}");
    let func = tables.text(func);
    let frame = tables.stack(stack).first();
    let line = frame.map(|f| {
        let file = tables.text(f.file);
        let name = file.rsplit('/').next().unwrap_or(file);
        format!("{name}:{}", f.line)
    });
    let known: Vec<String> = [(!func.is_empty()).then(|| func.to_string()), line]
        .into_iter()
        .flatten()
        .collect();
    if !known.is_empty() {
        // Writing to a String cannot fail.
        let _ = write!(text, " ({})", known.join(", "));
    }
    text
}

/// A time in three digits or so.
pub fn time(ns: i64) -> String {
    let (n, unit) = match ns {
        1_000_000_000.. => (ns as f64 / 1e9, "s"),
        1_000_000.. => (ns as f64 / 1e6, "ms"),
        1_000.. => (ns as f64 / 1e3, "µs"),
        _ => return format!("{ns} ns"),
    };
    match n {
        n if n.fract() == 0.0 => format!("{n:.0} {unit}"),
        n if n < 10.0 => format!("{n:.2} {unit}"),
        n if n < 100.0 => format!("{n:.1} {unit}"),
        n => format!("{n:.0} {unit}"),
    }
}

/// What an event of this kind means; none if it does not matter, or lacks an operand.
fn act(schema: &Schema, kind: u8) -> Option<Act> {
    let slot = |name: &str| schema.slot(kind, name);
    let name = &schema.kinds.get(usize::from(kind))?.name;
    Some(match &**name {
        "create" => Act::Create {
            func: slot("func")?,
            stack: slot("stack")?,
            system: slot("system")?,
        },
        "ready" => Act::Ready,
        "queued" => Act::Queued { to: slot("to")? },
        "start" => Act::Start { why: slot("why")? },
        "park" | "syscall" => Act::Stop {
            stack: slot("stack")?,
            can_run: false,
        },
        "yield" => Act::Stop {
            stack: slot("stack")?,
            can_run: true,
        },
        "syscall-end" => Act::Back,
        "syscall-blocked" => Act::BackLate,
        "end" => Act::End,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Form, Kind, Slot};

    /// Events with the operands that are looked at.
    fn schema() -> Schema {
        let words = |all: &[&str]| all.iter().map(|w| (w.to_string(), Vec::new())).collect();
        let kind = |name: &str, slots: &[(&str, Form)]| Kind {
            name: name.into(),
            slots: slots
                .iter()
                .map(|(name, form)| Slot {
                    name: name.to_string(),
                    form: *form,
                })
                .collect(),
        };
        Schema {
            kinds: vec![
                kind(
                    "create",
                    &[
                        ("func", Form::Text),
                        ("stack", Form::Stack),
                        ("system", Form::Flag),
                    ],
                ),
                kind("start", &[("why", Form::Word(0))]),
                kind("queued", &[("to", Form::Word(1))]),
                kind("yield", &[("stack", Form::Stack)]),
                kind("park", &[("stack", Form::Stack)]),
                kind("ready", &[]),
            ],
            lists: vec![
                words(&["runnext", "local"]),
                words(&["runnext", "ring", "global"]),
            ],
        }
    }

    fn meter(without: &[&str], limit: Option<i64>) -> (Meter, Schema) {
        let schema = schema();
        let without: Vec<Vec<u8>> = without.iter().map(|w| w.as_bytes().to_vec()).collect();
        (Meter::new(&schema, &without, limit), schema)
    }

    fn tell(meter: &mut Meter, schema: &Schema, ns: i64, g: u64, name: &str, ops: &[u64]) {
        let e = Event {
            seq: 0,
            ns,
            g,
            m: 0,
            p: 0,
            kind: schema.kind(name).unwrap(),
            at: 0,
        };
        meter.event(&e, ops);
    }

    /// Goroutines 2 and 3 wake one another from `from` on, every microsecond, so many times.
    fn pair(meter: &mut Meter, schema: &Schema, from: i64, times: i64) {
        for i in 0..times {
            let (ns, g) = (from + i * 1000, 2 + i as u64 % 2);
            tell(meter, schema, ns, g, "start", &[0]);
            tell(meter, schema, ns + 1000, g, "park", &[0]);
            let other = 5 - g;
            tell(meter, schema, ns + 1000, other, "ready", &[]);
            tell(meter, schema, ns + 1000, other, "queued", &[0]);
        }
    }

    #[test]
    fn a_long_wait_names_who_ran_and_the_rule() {
        for (without, rule) in [
            (&["slice-inheritance"][..], "slice-inheritance"),
            (&[], "runnext"),
        ] {
            let (mut m, schema) = meter(without, Some(200_000_000));
            for g in 1..=4 {
                tell(&mut m, &schema, 0, g, "create", &[0, 0, 0]);
                tell(&mut m, &schema, 0, g, "queued", &[1]);
            }
            // More than is kept as it was, and more than there are stretches.
            let n = 4_000_000;
            pair(&mut m, &schema, 0, n);
            tell(&mut m, &schema, n * 1000, 4, "start", &[1]);
            let wait = &m.longest()[0];
            assert_eq!((wait.g, wait.ns, wait.is_over), (4, n * 1000, true));
            let mut who: Vec<u64> = wait.culprits.iter().map(|c| c.g).collect();
            who.sort_unstable();
            assert_eq!(who, [2, 3]);
            let ran: i64 = wait.culprits.iter().map(|c| c.ns).sum();
            assert!((ran - n * 1000).abs() < n * 10, "{ran}");
            assert_eq!((wait.rule, &*wait.place), (rule, "on the ring of P0"));
            assert_eq!(m.broken().unwrap().g, 4);
            let lane = &m.lanes[&0];
            assert!(lane.recent.len() <= RUNS && lane.older.len() <= STRETCHES + 1);
        }
    }

    #[test]
    fn who_still_waits_is_noticed() {
        let (mut m, schema) = meter(&[], Some(20_000_000));
        for g in 1..=2 {
            tell(&mut m, &schema, 0, g, "create", &[0, 0, 0]);
            tell(&mut m, &schema, 0, g, "queued", &[1]);
        }
        tell(&mut m, &schema, 10, 1, "start", &[1]);
        m.is_at(19_000_000);
        assert_eq!(m.broken(), None);
        m.is_at(21_000_000);
        let wait = m.broken().unwrap().clone();
        assert_eq!((wait.g, wait.is_over, wait.rule), (2, false, "time slice"));
        assert_eq!(wait.culprits[0].g, 1);
        m.ends(29_000_000);
        assert_eq!((m.longest()[0].g, m.longest()[0].ns), (2, 29_000_000));
        assert_eq!(m.count(), 2);
        let text = m.report(&Tables::default());
        assert!(text.contains("and it still waits"), "{text}");
        assert!(text.contains("\n  < 30 ms          1  ####"), "{text}");
    }

    #[test]
    fn after_a_gap_nobody_waits() {
        let (mut m, schema) = meter(&[], Some(10));
        tell(&mut m, &schema, 0, 1, "create", &[0, 0, 0]);
        m.skips();
        tell(&mut m, &schema, 100, 1, "start", &[1]);
        m.ends(100);
        assert_eq!((m.count(), m.broken()), (0, None));
    }
}
