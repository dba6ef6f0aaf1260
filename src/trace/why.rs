//! Why a goroutine had to wait for its turn: who ran instead, by which rule, until when.
//!
//! A goroutine that can run is in one place after another: a [`Stay`] each. While it is on a P's
//! own queue only that P matters, otherwise all do. What these did meanwhile is cut into [`Step`]s:
//! turns that began for the same reason are one step, and so are those that alternate so often that
//! there would be too many.
//!
//! The rules are those of the scheduler, by the names of their switches. A rule is named because a
//! turn that it gave came first, or because it is switched off and would have ended the step.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::file::Values;
use crate::queues::Place;
use crate::read::Trace;
use crate::rules::{self, Queue};
use crate::seen::Seen;
use crate::steered::{Choice, Chosen};
use crate::wire::Event;

/// Steps, at most.
pub const STEPS: usize = 12;
/// Pairs of goroutines that wake one another, of which a step takes note.
const WAKES: usize = 16;
/// Nanoseconds of a time slice, and of the watcher's longest sleep: who has run as long as both,
/// and still runs, is not stopped.
const NEVER_STOPPED: i64 = 25_000_000;

/// Which goroutine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Who {
    /// That of this number.
    Number(u64),
    /// The one that was made to run this function; of several the one that has waited longest.
    Function(String),
}

/// Which of its waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// The longest.
    Longest,
    /// The one at the event of this number.
    Event(u64),
    /// The one so many nanoseconds after the first event.
    Time(i64),
}

/// A rule of the scheduler.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rule {
    /// The name of its switch.
    pub name: &'static str,
    /// It is switched off.
    pub is_off: bool,
}

/// Where the goroutine waited for its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stay {
    /// There.
    pub place: Place,
    /// From then on, in nanoseconds since the first event.
    pub from: i64,
    /// The event that put it there.
    pub seq: u64,
}

/// What a goroutine has of a step.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Part {
    /// How often it had a turn.
    pub turns: u64,
    /// For how long, together.
    pub ns: i64,
    /// Where it stopped, a number of a stack, and how often.
    pub places: BTreeMap<u64, u64>,
}

/// What a P did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deed {
    /// It ran goroutines.
    Ran,
    /// It was held by a system call.
    Called,
    /// It ran none.
    Idled,
}

/// What a P did while the goroutine waited.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The P.
    pub p: i64,
    /// Where the goroutine was, an index of [`Why::stays`].
    pub stay: usize,
    /// From then on, in nanoseconds since the first event.
    pub from: i64,
    /// Until then.
    pub to: i64,
    /// What it did.
    pub deed: Deed,
    /// Why turns began, and how often.
    pub starts: BTreeMap<String, u64>,
    /// Who had them.
    pub who: BTreeMap<u64, Part>,
    /// The longest of them.
    pub longest: i64,
    /// How often the watcher asked one of them to stop.
    pub asked: u64,
    /// Who has woken whom, and how often.
    pub wakes: BTreeMap<(u64, u64), u64>,
    /// The rules that it was by.
    pub rules: Vec<Rule>,
}

impl Step {
    /// Turns, together.
    pub fn turns(&self) -> u64 {
        self.who.values().map(|p| p.turns).sum()
    }

    /// The reason for which most of its turns began.
    pub fn reason(&self) -> &str {
        let most = self.starts.iter().max_by_key(|(_, n)| **n);
        most.map_or("", |(why, _)| why)
    }

    /// Whether those that ran most of it were woken by one another.
    pub fn is_closed(&self) -> bool {
        let all: i64 = self.who.values().map(|p| p.ns).sum();
        let most = self.who.iter().filter(|(_, p)| p.ns >= all / 50);
        let most: Vec<&u64> = most.map(|(g, _)| g).collect();
        let is_woken = |g: &u64| {
            let mut by = self.wakes.keys().filter(|(_, woken)| woken == g);
            by.any(|(by, _)| most.contains(&by))
        };
        (2..=4).contains(&most.len()) && most.iter().all(|g| is_woken(g))
    }

    /// Takes in the step behind it.
    fn take(&mut self, next: Step) {
        self.to = next.to;
        if next.deed == Deed::Ran || self.deed == Deed::Ran {
            self.deed = Deed::Ran;
        }
        for (why, n) in next.starts {
            *self.starts.entry(why).or_default() += n;
        }
        for (g, part) in next.who {
            let own = self.who.entry(g).or_default();
            own.turns += part.turns;
            own.ns += part.ns;
            for (place, n) in part.places {
                *own.places.entry(place).or_default() += n;
            }
        }
        self.longest = self.longest.max(next.longest);
        self.asked += next.asked;
        for (pair, n) in next.wakes {
            if self.wakes.len() < WAKES || self.wakes.contains_key(&pair) {
                *self.wakes.entry(pair).or_default() += n;
            }
        }
    }
}

/// Why a goroutine had to wait.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Why {
    /// The goroutine.
    pub g: u64,
    /// The functions of all that are named, numbers of texts.
    pub names: BTreeMap<u64, u64>,
    /// When it could run, in nanoseconds since the first event.
    pub from: i64,
    /// When it ran, or the trace ends.
    pub to: i64,
    /// The event that made it runnable, as an index.
    pub cause: usize,
    /// The start that ended its wait, as an index.
    pub start: Option<usize>,
    /// Where it was.
    pub stays: Vec<Stay>,
    /// What happened instead.
    pub steps: Vec<Step>,
    /// The decisions of a steered run that it waited through: those by which others came first, and
    /// all that are switches.
    pub choices: Vec<Choice>,
    /// For how long the world was stopped meanwhile.
    pub stopped: i64,
    /// For how long Ps that could have taken it ran nobody, together.
    pub idle: i64,
    /// The rules of the steps, those of the longest first, each once.
    pub rules: Vec<Rule>,
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unanswered {
    /// There is no such goroutine.
    Nobody,
    /// It did not wait for a turn then, or never.
    NoWait,
}

/// A wait for a turn, from one event to another; both are indices.
#[derive(Clone, Copy, Debug)]
struct Wait {
    g: u64,
    from: usize,
    start: Option<usize>,
    ns: i64,
    /// So many events happened meanwhile: where time stands still, they tell how long it was.
    events: usize,
}

impl Why {
    /// Looks for the answer in a trace, as far as it is sound.
    pub fn new(trace: &Trace, who: &Who, when: When) -> Result<Why, Unanswered> {
        let wait = find(trace, who, when)?;
        Ok(Walk::new(trace, wait).walk())
    }
}

/// Whether a function's name is meant by `name`: all of it, or all behind a dot or slash of it.
fn is_named(function: &str, name: &str) -> bool {
    let before = function.strip_suffix(name);
    before.is_some_and(|b| b.is_empty() || b.ends_with(['.', '/']))
}

/// The goroutines that were made to run this function.
fn of_function(trace: &Trace, events: &[Event], name: &str) -> BTreeSet<u64> {
    let all = trace.before.iter().chain(events);
    let made = all.filter(|e| trace.name(e) == "create");
    let seen = made.map(|e| Seen::new(&trace.schema, e, trace.ops(e)));
    let its = seen.filter(|s| is_named(trace.tables.text(s.op("func")), name));
    its.map(|s| s.e.g).collect()
}

/// The wait that is asked for.
fn find(trace: &Trace, who: &Who, when: When) -> Result<Wait, Unanswered> {
    let events = &trace.events[..trace.sound];
    let first = events.first().map_or(0, |e| e.ns);
    let meant = match who {
        Who::Number(g) => BTreeSet::from([*g]),
        Who::Function(name) => of_function(trace, events, name),
    };
    let mut since: HashMap<u64, usize> = HashMap::new();
    let mut best: Option<Wait> = None;
    let mut is_known = false;
    let is_it = |from: usize, to: usize| match when {
        When::Longest => true,
        When::Event(seq) => (events[from].seq..=events[to].seq).contains(&seq),
        When::Time(ns) => (events[from].ns..=events[to].ns).contains(&first.saturating_add(ns)),
    };
    let mut note = |g: u64, from: usize, start: Option<usize>| {
        let to = start.unwrap_or(events.len() - 1);
        let ns = events[to].ns.saturating_sub(events[from].ns);
        let events = to - from;
        if is_it(from, to) && best.is_none_or(|b| (ns, events) > (b.ns, b.events)) {
            best = Some(Wait {
                g,
                from,
                start,
                ns,
                events,
            });
        }
    };
    for (i, e) in events.iter().enumerate().filter(|(_, e)| e.g != 0) {
        if !meant.contains(&e.g) {
            continue;
        }
        is_known = true;
        match trace.name(e) {
            "create" | "ready" | "yield" | "syscall-blocked" => drop(since.insert(e.g, i)),
            "start" | "end" => {
                if let Some(from) = since.remove(&e.g) {
                    note(e.g, from, Some(i));
                }
            }
            _ => {}
        }
    }
    for (g, from) in since {
        note(g, from, None);
    }
    match best {
        Some(wait) => Ok(wait),
        None if is_known => Err(Unanswered::NoWait),
        None => Err(Unanswered::Nobody),
    }
}

/// What a P does now.
#[derive(Clone, Debug, Default)]
struct Lane<'a> {
    /// Who runs, since when, and why.
    runs: Option<(u64, i64, &'a str)>,
    /// Its goroutine is in a system call.
    call: Option<i64>,
    /// Since when nobody runs.
    idle: i64,
    /// The step that has not ended, and the reason of its turns.
    open: Option<(Step, &'a str)>,
}

/// The way through a wait.
struct Walk<'a> {
    trace: &'a Trace,
    wait: Wait,
    first: i64,
    /// What is shorter is part of the step that it is in.
    short: i64,
    lanes: BTreeMap<i64, Lane<'a>>,
    woken: HashMap<u64, u64>,
    stays: Vec<Stay>,
    steps: Vec<Step>,
    choices: Vec<Choice>,
    stopped: i64,
    idle: i64,
    names: BTreeMap<u64, u64>,
}

impl<'a> Walk<'a> {
    fn new(trace: &'a Trace, wait: Wait) -> Walk<'a> {
        let procs = trace.head.number("gomaxprocs").unwrap_or(1);
        Walk {
            trace,
            wait,
            first: trace.events.first().map_or(0, |e| e.ns),
            short: (wait.ns / 50).max(20_000),
            // What names more Ps than there can be is no trace of a program.
            lanes: (0..procs.clamp(0, 1 << 12))
                .map(|p| (p, Lane::default()))
                .collect(),
            woken: HashMap::new(),
            stays: Vec::new(),
            steps: Vec::new(),
            choices: Vec::new(),
            stopped: 0,
            idle: 0,
            names: BTreeMap::new(),
        }
    }

    fn walk(mut self) -> Why {
        let events = &self.trace.events[..self.trace.sound];
        let last = self.wait.start.unwrap_or(events.len() - 1);
        let mut stopped = None;
        for (i, e) in events[..=last].iter().enumerate() {
            let seen = Seen::new(&self.trace.schema, e, self.trace.ops(e));
            let at = e.ns.saturating_sub(self.first);
            let is_within = i >= self.wait.from;
            if i == self.wait.from {
                self.stays.push(Stay {
                    place: Place::Limbo,
                    from: at,
                    seq: e.seq,
                });
                for lane in self.lanes.values_mut() {
                    if let Some(runs) = &mut lane.runs {
                        runs.1 = at;
                    }
                    lane.call = lane.call.map(|_| at);
                    lane.idle = at;
                }
            }
            match seen.name {
                "create" => drop(self.names.insert(e.g, seen.op("func"))),
                "queued" if is_within && e.g == self.wait.g => self.moves(&seen, at),
                "world-stop" => stopped = Some(at),
                "world-start" => {
                    let began = stopped.take().filter(|_| is_within);
                    self.stopped += began.map_or(0, |t| at - t.max(self.stays[0].from));
                }
                "choice" if is_within => {
                    let choice = Choice::of(self.trace, e);
                    let is_told =
                        |c: &Choice| c.is_switch || c.what == Chosen::Run && c.g != self.wait.g;
                    self.choices.extend(choice.filter(is_told));
                }
                "ready" if is_within => drop(self.woken.insert(e.g, seen.op("goid"))),
                "asked" if is_within => {
                    if let Some(open) = self.lanes.get_mut(&e.p).and_then(|l| l.open.as_mut()) {
                        open.0.asked += 1;
                    }
                }
                _ if i == last && self.wait.start.is_some() => {}
                _ => self.lane(&seen, at, is_within),
            }
        }
        let end = events[last].ns.saturating_sub(self.first);
        self.close_all(end);
        self.finish(end)
    }

    /// What the event means for its P.
    fn lane(&mut self, seen: &Seen<'a>, at: i64, is_within: bool) {
        let (g, p) = (seen.e.g, seen.e.p);
        match seen.name {
            "start" if p >= 0 => {
                self.leave(p, at, 0, is_within);
                let lane = self.lanes.entry(p).or_default();
                lane.runs = Some((g, at, seen.word("why")));
            }
            "syscall-end" if p >= 0 => {
                let lane = self.lanes.entry(p).or_default();
                let is_its = lane.runs.as_ref().is_some_and(|r| r.0 == g);
                match lane.call.take() {
                    Some(since) if is_its && at - since < self.short => {}
                    since => {
                        lane.call = since;
                        self.leave(p, at, 0, is_within);
                        let lane = self.lanes.entry(p).or_default();
                        lane.runs = Some((g, at, "syscall"));
                    }
                }
            }
            "syscall" if seen.op("blocking") == 0 => {
                if let Some(lane) = self.lanes.get_mut(&p) {
                    lane.call = Some(at);
                }
            }
            "retaken" => self.leave(p, at, 0, is_within),
            "park" | "yield" | "end" | "syscall" => {
                // Who leaves may have lost its P before.
                let is_its = |l: &Lane<'_>| l.runs.as_ref().is_some_and(|r| r.0 == g);
                let own = self.lanes.iter().find(|(_, l)| is_its(l)).map(|(p, _)| *p);
                if let Some(p) = own {
                    self.leave(p, at, seen.op("stack"), is_within);
                }
            }
            _ => {}
        }
    }

    /// Nobody runs on the P from now on.
    fn leave(&mut self, p: i64, at: i64, place: u64, is_within: bool) {
        let lane = self.lanes.entry(p).or_default();
        let (runs, call) = (lane.runs.take(), lane.call.take());
        let since = std::mem::replace(&mut lane.idle, at);
        if !is_within {
            return;
        }
        let Some((g, from, why)) = runs else {
            return self.idles(p, since, at);
        };
        self.idles(p, since, from);
        let by = self.woken.remove(&g).filter(|by| *by != 0 && *by != g);
        if g == self.wait.g || !self.concerns(p) {
            return;
        }
        let to = call.map_or(at, |t| t.max(from));
        let step = self.open(p, Deed::Ran, why, from, to);
        *step.starts.entry(why.into()).or_default() += 1;
        step.longest = step.longest.max(to - from);
        if let Some(by) = by
            && (step.wakes.len() < WAKES || step.wakes.contains_key(&(by, g)))
        {
            *step.wakes.entry((by, g)).or_default() += 1;
        }
        let part = step.who.entry(g).or_default();
        part.turns += 1;
        part.ns += to - from;
        if place != 0 {
            *part.places.entry(place).or_default() += 1;
        }
        if call.is_some() && at - to >= self.short {
            let step = self.open(p, Deed::Called, "", to, at);
            step.who.entry(g).or_default();
        }
    }

    /// Nobody ran on the P.
    fn idles(&mut self, p: i64, from: i64, to: i64) {
        if !self.concerns(p) {
            let since = self.stays.last().map_or(from, |s| s.from.max(from));
            self.idle += (to - since).max(0);
        } else if to - from >= self.short {
            self.open(p, Deed::Idled, "", from, to);
        }
    }

    /// The step that goes on until `to`, which is a new one unless the P has done the same before.
    fn open(&mut self, p: i64, deed: Deed, why: &'a str, from: i64, to: i64) -> &mut Step {
        if self.steps.len() > 1 << 12 {
            self.halve();
        }
        let stay = self.stays.len() - 1;
        let lane = self.lanes.entry(p).or_default();
        if let Some((open, reason)) = &lane.open
            && (open.deed, open.stay, *reason) != (deed, stay, why)
        {
            self.steps.extend(lane.open.take().map(|o| o.0));
        }
        let fresh = || {
            let step = Step {
                p,
                stay,
                from,
                to,
                deed,
                starts: BTreeMap::new(),
                who: BTreeMap::new(),
                longest: 0,
                asked: 0,
                wakes: BTreeMap::new(),
                rules: Vec::new(),
            };
            (step, why)
        };
        let open = &mut lane.open.get_or_insert_with(fresh).0;
        open.to = to;
        open
    }

    /// Whether what this P does matters to who waits where it is now.
    fn concerns(&self, p: i64) -> bool {
        match self.stays.last().map(|s| s.place) {
            Some(Place::Runnext(own) | Place::Ring(own)) => own == p,
            _ => true,
        }
    }

    /// The goroutine is put somewhere.
    fn moves(&mut self, seen: &Seen<'_>, at: i64) {
        let p = seen.e.p;
        let place = match seen.word("to") {
            "runnext" => Place::Runnext(p),
            "ring" => Place::Ring(p),
            "aside" => Place::Aside,
            "wired" => Place::Wired,
            "offered" => Place::Offered,
            _ => Place::Global,
        };
        let stay = Stay {
            place,
            from: at,
            seq: seen.e.seq,
        };
        if place == Place::Offered
            && let Some(last) = self.stays.last_mut()
        {
            // Nobody has had a turn since it was queued.
            *last = stay;
            return;
        }
        match self.stays.last() {
            // Its turns go on where it is now.
            Some(last) if last.place == Place::Limbo && at - last.from < self.short => {
                self.steps.clear();
                for lane in self.lanes.values_mut() {
                    lane.open = None;
                }
            }
            _ => self.close_all(at),
        }
        // What takes no time is no stay.
        match self.stays.last_mut() {
            Some(last) if last.place == Place::Limbo => *last = stay,
            _ => self.stays.push(stay),
        }
        if self.stays.len() > STEPS {
            // Who is moved to and fro without end: the first places, and the last.
            self.stays.remove(STEPS / 2);
            let gone = STEPS / 2;
            for step in &mut self.steps {
                step.stay -= usize::from(step.stay >= gone.max(1));
            }
        }
    }

    /// All steps end.
    fn close_all(&mut self, at: i64) {
        let all: Vec<i64> = self.lanes.keys().copied().collect();
        for p in all {
            let lane = self.lanes.entry(p).or_default();
            let (runs, call) = (lane.runs, lane.call);
            self.leave(p, at, 0, true);
            let lane = self.lanes.entry(p).or_default();
            // It goes on as it was.
            lane.runs = runs.map(|(g, _, why)| (g, at, why));
            lane.call = call.map(|_| at);
            self.steps.extend(lane.open.take().map(|o| o.0));
        }
    }

    /// Makes one of each two steps of a P that follow one another.
    fn halve(&mut self) {
        let mut left: Vec<Step> = Vec::new();
        let mut waiting: HashMap<i64, usize> = HashMap::new();
        for step in self.steps.drain(..) {
            match waiting.remove(&step.p) {
                Some(i) if left[i].stay == step.stay => left[i].take(step),
                _ => {
                    waiting.insert(step.p, left.len());
                    left.push(step);
                }
            }
        }
        self.steps = left;
    }

    /// Makes one of the two steps of a P that are shortest together, until there are few.
    fn shorten(&mut self) {
        self.steps.sort_by_key(|s| (s.stay, s.p, s.from));
        while self.steps.len() > STEPS {
            let pairs = self.steps.windows(2).enumerate();
            let pairs = pairs.filter(|(_, w)| (w[0].stay, w[0].p) == (w[1].stay, w[1].p));
            let least = pairs.min_by_key(|(_, w)| w[1].to - w[0].from);
            let Some((i, _)) = least else {
                break;
            };
            let next = self.steps.remove(i + 1);
            self.steps[i].take(next);
        }
        // What is left of them is too short to matter.
        if self.steps.len() > STEPS {
            self.steps.sort_by_key(|s| std::cmp::Reverse(s.to - s.from));
            self.steps.truncate(STEPS);
        }
        self.steps.sort_by_key(|s| (s.from, s.p));
    }

    fn finish(mut self, end: i64) -> Why {
        self.shorten();
        for i in 0..self.steps.len() {
            let place = self.stays[self.steps[i].stay].place;
            self.steps[i].rules = rules_of(&self.trace.head, &self.steps[i], place);
        }
        let mut order: Vec<&Step> = self.steps.iter().collect();
        order.sort_by_key(|s| std::cmp::Reverse(s.to - s.from));
        let mut all: Vec<Rule> = Vec::new();
        for rule in order.iter().flat_map(|s| &s.rules) {
            if !all.contains(rule) {
                all.push(*rule);
            }
        }
        // Others could have taken it, if that were not switched off.
        let steal = rule(&self.trace.head, "steal");
        if steal.is_off && self.idle >= self.short && !all.contains(&steal) {
            all.push(steal);
        }
        // What is off has kept it waiting; what is on has only taken its course.
        all.sort_by_key(|r| !r.is_off);
        let named: BTreeSet<u64> = self
            .steps
            .iter()
            .flat_map(|s| s.who.keys().copied())
            .chain(self.choices.iter().flat_map(|c| [c.g, c.usual]))
            .collect();
        let (g, cause) = (self.wait.g, self.wait.from);
        self.names.retain(|k, _| *k == g || named.contains(k));
        Why {
            g,
            names: self.names,
            from: self.trace.events[cause].ns.saturating_sub(self.first),
            to: end,
            cause,
            start: self.wait.start,
            stays: self.stays,
            steps: self.steps,
            choices: self.choices,
            stopped: self.stopped,
            idle: self.idle,
            rules: all,
        }
    }
}

/// The rule of this name, as it is in the run that the head is of.
fn rule(head: &Values, name: &'static str) -> Rule {
    let is_off = head.list("without").iter().any(|n| n == name.as_bytes());
    Rule { name, is_off }
}

/// The rules by which a step came before who waits in this place.
fn rules_of(head: &Values, step: &Step, place: Place) -> Vec<Rule> {
    let named = |name: &&'static str| rule(head, name);
    let waits = match place {
        Place::Global => Queue::Global,
        Place::Ring(_) => Queue::Ring,
        _ => Queue::Other,
    };
    let names = match step.deed {
        Deed::Called => &["retake"][..],
        Deed::Idled => &[],
        Deed::Ran => rules::of(step.reason(), waits),
    };
    let mut all: Vec<Rule> = names.iter().map(named).collect();
    if step.deed == Deed::Ran && step.longest > NEVER_STOPPED {
        let stops = rules::STOPS.iter().map(named);
        all.extend(stops.filter(|r| r.is_off));
    }
    all.sort_by_key(|r| !r.is_off);
    all
}

#[cfg(test)]
mod tests;
