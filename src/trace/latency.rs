//! How long goroutines wait for a turn, who ran instead, and by which rule.
//!
//! A [`Meter`] is given events one by one, in order, and keeps no more than it needs to tell who
//! ran while a goroutine waited: of each P the last runs as they were, older ones summed up, by
//! stretches of time that grow with their age. So its memory has a bound, however long the program
//! runs and however long one waits; of what is summed up the edges are not exact.

mod lanes;
mod report;
mod rule;

use std::collections::{BTreeMap, HashMap};

use crate::schema::Schema;
use crate::wire::Event;
use lanes::{Had, Lane, Run, STRETCHES};
pub use report::time;

/// Waits that are told.
const TOLD: usize = 5;
/// Who ran instead: how many of them are told.
const CULPRITS: usize = 4;
/// Places in which one wait is followed.
const PLACES: usize = 4;

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
    use super::lanes::RUNS;
    use super::*;
    use crate::file::Tables;
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
