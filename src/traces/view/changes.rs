//! What each event changes of the queues, so that a page can follow without knowing a rule.
//!
//! `trace::queues` alone knows the rules. An event is about one goroutine, one thread and one P, so
//! what it can have changed is found by looking at these before and after.
//!
//! A change is a row of whole numbers: which one it is, by its place in [`CHANGES`], and its
//! values. Lists are named by two numbers, the one of [`Of`] and that of the P or object.

use super::Texts;
use std::collections::{BTreeSet, HashMap};
use trace::queues::{Contradiction, Item, Place, Processor, Queues, Thread};
use trace::read::Trace;
use trace::wire::Event;

/// All changes: the name of each, and how many values it has; of the last of these as many pairs
/// follow as it says, if that is marked.
pub(super) const CHANGES: &[(&str, u64, bool)] = &[
    // A goroutine, its function, whether it is the runtime's, where the `go` statement is.
    ("made", 4, false),
    // A goroutine, its place, and the P or thread of that.
    ("is", 3, false),
    // A goroutine, and for what it waits.
    ("reason", 2, false),
    // A goroutine, and on how many objects it waits: these, and what it would do there.
    ("on", 2, true),
    // A P, the thread that it runs a goroutine with, and that one; 0 if it runs none.
    ("runs", 3, false),
    // A list, and who is taken out of it or put at its end or front.
    ("out", 3, false),
    ("back", 3, false),
    ("front", 3, false),
    // A thread, and what it does: 1 is there, 2 sleeps, 4 searches.
    ("thread", 2, false),
    // An object, its kind, its capacity, the type of its elements.
    ("object", 4, false),
];

/// Whose list.
#[derive(Clone, Copy)]
enum Of {
    Runnext,
    Ring,
    Global,
    Waiters,
    Holders,
}

/// The lists, in the order of [`Of`].
pub(super) const LISTS: &[&str] = &["runnext", "ring", "global", "waiters", "holders"];

/// Where a goroutine can be, by number.
pub(super) const PLACES: &[&str] = &[
    "gone", "unknown", "moving", "runnext", "ring", "global", "aside", "wired", "offered",
    "running", "syscall", "waiting",
];

/// The number of a change.
fn number(change: &str) -> i64 {
    let at = CHANGES.iter().position(|c| c.0 == change);
    at.map_or(-1, |at| at as i64)
}

/// The place's number, and that of the P or thread.
fn placed(place: Option<Place>) -> (i64, i64) {
    let word = place.map_or("gone", super::super::word);
    let at = PLACES.iter().position(|p| *p == word).unwrap_or(0) as i64;
    match place {
        Some(Place::Runnext(n) | Place::Ring(n) | Place::Hand(n)) => (at, n),
        Some(Place::Runs(n) | Place::Call(n)) => (at, n),
        _ => (at, -1),
    }
}

/// The list that a goroutine in this place is on.
fn list(place: Place) -> Option<(Of, i64)> {
    match place {
        Place::Runnext(p) => Some((Of::Runnext, p)),
        Place::Ring(p) => Some((Of::Ring, p)),
        Place::Global => Some((Of::Global, 0)),
        _ => None,
    }
}

fn flags(thread: Option<&Thread>) -> i64 {
    thread.map_or(0, |t| {
        1 + 2 * i64::from(t.is_idle) + 4 * i64::from(t.searches)
    })
}

/// What an event may change, as it was before.
struct Before {
    place: Option<Place>,
    waits_on: Vec<(u64, String)>,
    /// How many on the goroutine's ring a thief has, but for the goroutine itself.
    owed: usize,
    /// What ran on the P of the event, and on that of its goroutine.
    runs: Vec<(i64, Option<(i64, u64)>)>,
    thread: i64,
    knows_object: bool,
    holders: Vec<u64>,
}

/// Follows a trace, and tells of each event what it changes.
pub(super) struct Follower<'a> {
    trace: &'a Trace,
    queues: Queues,
    /// By goroutine: where the `go` statement is, a number of a stack.
    made: HashMap<u64, u64>,
    /// Ps that have been told of.
    known: BTreeSet<i64>,
    out: Vec<i64>,
}

impl<'a> Follower<'a> {
    pub(super) fn new(trace: &'a Trace) -> Follower<'a> {
        Follower {
            trace,
            queues: Queues::new(trace),
            made: HashMap::new(),
            known: BTreeSet::new(),
            out: Vec::new(),
        }
    }

    fn op(&self, e: &Event, name: &str) -> u64 {
        let slot = self.trace.schema.slot(e.kind, name);
        slot.map_or(0, |i| self.trace.ops(e)[i])
    }

    /// Goes on by an event of which nothing is to be told.
    pub(super) fn skip(&mut self, e: &Event) -> Result<(), Contradiction> {
        if self.trace.name(e) == "create" {
            self.made.insert(e.g, self.op(e, "stack"));
        }
        self.queues.apply(self.trace, e)
    }

    /// Goes on by an event; what it changes.
    pub(super) fn step(&mut self, e: &Event, texts: &mut Texts) -> Result<&[i64], Contradiction> {
        self.out.clear();
        let before = self.before(e);
        self.skip(e)?;
        self.changes(e, &before, texts);
        Ok(&self.out)
    }

    fn before(&self, e: &Event) -> Before {
        let q = &self.queues;
        let goroutine = q.goroutines.get(&e.g);
        let place = goroutine.map(|g| g.place);
        let owed = match place {
            Some(Place::Ring(p)) => q.ps.get(&p).map_or(0, |p| owed(p, e.g).count()),
            _ => 0,
        };
        let runs_it = |p: &Processor| p.runs.is_some_and(|r| r.1 == e.g);
        let its = match place {
            Some(Place::Runs(_)) => q.ps.iter().find(|(_, p)| runs_it(p)).map(|(p, _)| *p),
            _ => None,
        };
        // A stopped world can go on with other Ps.
        let all = q.ps.keys().filter(|_| self.trace.name(e) == "world-start");
        let ps = its.into_iter().chain([e.p]).chain(all.copied());
        let object = q.objects.get(&self.op(e, "on"));
        Before {
            place,
            waits_on: goroutine.map_or(Vec::new(), |g| g.waits_on.clone()),
            owed,
            runs: ps.map(|p| (p, self.runs(p))).collect(),
            thread: flags(q.threads.get(&e.m)),
            knows_object: object.is_some(),
            holders: object.map_or(Vec::new(), |o| o.holders.clone()),
        }
    }

    fn runs(&self, p: i64) -> Option<(i64, u64)> {
        self.queues.ps.get(&p).and_then(|p| p.runs)
    }

    fn changes(&mut self, e: &Event, before: &Before, texts: &mut Texts) {
        let (g, name) = (e.g, self.trace.name(e));
        let place = self.queues.goroutines.get(&g).map(|g| g.place);
        if before.place.is_none() && place.is_some() {
            self.tell_made(g, texts);
        }
        let moves = matches!(name, "queued" | "start" | "stolen" | "fetched");
        if place != before.place || moves {
            if let Some((of, id)) = before.place.and_then(list) {
                self.tell_list("out", of, id, g);
            }
            if let Some(Place::Ring(p)) = before.place {
                let ring = self.queues.ps.get(&p);
                let more = ring.map_or(Vec::new(), |p| {
                    owed(p, g).skip(before.owed).map(|i| i.g).collect()
                });
                more.into_iter()
                    .for_each(|g| self.tell_list("out", Of::Ring, p, g));
            }
            let (at, of) = placed(place);
            self.tell("is", &[g as i64, at, of]);
            if let Some((of, id)) = place.and_then(list) {
                let to = self.trace.schema.slot(e.kind, "to");
                let to = to.and_then(|i| {
                    let value = self.trace.ops(e)[i];
                    self.trace.schema.word(e.kind, i, value)
                });
                let end = match to {
                    Some("global-front") => "front",
                    _ => "back",
                };
                self.tell_list(end, of, id, g);
            }
        }
        if name == "park" {
            self.tell_reason(g, texts);
        }
        let on = self.op(e, "on");
        if name == "object" {
            self.tell_object(self.op(e, "id"), texts);
        } else if !before.knows_object {
            self.tell_object(on, texts);
        }
        self.tell_waits(g, before, texts);
        for (p, was) in &before.runs {
            if self.runs(*p) != *was {
                self.tell_runs(*p);
            }
        }
        self.tell_new_ps();
        let thread = flags(self.queues.threads.get(&e.m));
        if thread != before.thread {
            self.tell("thread", &[e.m, thread]);
        }
        if matches!(name, "lock" | "unlock") {
            self.tell_holders(on, &before.holders);
        }
    }

    /// The changes that lead from nothing to what is now.
    pub(super) fn all(&mut self, texts: &mut Texts) -> &[i64] {
        self.out.clear();
        let objects: Vec<u64> = self.queues.objects.keys().copied().collect();
        for id in objects {
            self.tell_object(id, texts);
            let object = &self.queues.objects[&id];
            let waiters = object.waiters.iter().map(|g| (Of::Waiters, *g));
            let holders = object.holders.iter().map(|g| (Of::Holders, *g));
            let both: Vec<(Of, u64)> = waiters.chain(holders).collect();
            for (of, g) in both {
                self.tell_list("back", of, id as i64, g);
            }
        }
        let goroutines: Vec<u64> = self.queues.goroutines.keys().copied().collect();
        for g in goroutines {
            self.tell_made(g, texts);
            let (at, of) = placed(self.queues.goroutines.get(&g).map(|g| g.place));
            self.tell("is", &[g as i64, at, of]);
            self.tell_reason(g, texts);
            self.tell_on(g, texts);
        }
        let here = |i: &&Item| !i.is_owed;
        let mut items: Vec<(Of, i64, u64)> = Vec::new();
        for (id, p) in &self.queues.ps {
            items.extend(p.runnext.iter().map(|i| (Of::Runnext, *id, i.g)));
            items.extend(p.ring.iter().filter(here).map(|i| (Of::Ring, *id, i.g)));
        }
        let global = self.queues.global.iter().filter(here);
        items.extend(global.map(|i| (Of::Global, 0, i.g)));
        for (of, id, g) in items {
            self.tell_list("back", of, id, g);
        }
        self.known.clear();
        self.tell_new_ps();
        let threads = self.queues.threads.iter();
        let threads: Vec<(i64, i64)> = threads.map(|(m, t)| (*m, flags(Some(t)))).collect();
        for (m, flags) in threads {
            self.tell("thread", &[m, flags]);
        }
        &self.out
    }

    // ---- single changes -------------------------------------------------------------------------

    fn tell(&mut self, change: &str, values: &[i64]) {
        self.out.push(number(change));
        self.out.extend_from_slice(values);
    }

    fn tell_list(&mut self, change: &str, of: Of, id: i64, g: u64) {
        self.out.push(number(change));
        self.out.extend([of as i64, id, g as i64]);
    }

    fn tell_made(&mut self, g: u64, texts: &mut Texts) {
        let Some(goroutine) = self.queues.goroutines.get(&g) else {
            return;
        };
        let func = texts.number(self.trace.tables.text(goroutine.func));
        let made = self.made.get(&g).copied().unwrap_or(0);
        let made = texts.stack(&self.trace.tables, made);
        let is_system = i64::from(goroutine.is_system);
        self.tell("made", &[g as i64, func, is_system, made]);
    }

    fn tell_reason(&mut self, g: u64, texts: &mut Texts) {
        let reason = self.queues.goroutines.get(&g).map(|g| &g.reason);
        let reason = texts.number(reason.map_or("", String::as_str));
        self.tell("reason", &[g as i64, reason]);
    }

    /// On what the goroutine waits, and where it stands in line.
    fn tell_waits(&mut self, g: u64, before: &Before, texts: &mut Texts) {
        let now = self.queues.goroutines.get(&g);
        let now = now.map_or(Vec::new(), |g| g.waits_on.clone());
        if now == before.waits_on {
            return;
        }
        let kept = match now.starts_with(&before.waits_on) {
            true => before.waits_on.len(),
            false => 0,
        };
        for (on, _) in &before.waits_on[kept..] {
            self.tell_list("out", Of::Waiters, *on as i64, g);
        }
        for (on, _) in &now[kept..] {
            self.tell_list("back", Of::Waiters, *on as i64, g);
        }
        self.tell_on(g, texts);
    }

    fn tell_on(&mut self, g: u64, texts: &mut Texts) {
        let goroutine = self.queues.goroutines.get(&g);
        let on = goroutine.map_or(Vec::new(), |g| g.waits_on.clone());
        self.tell("on", &[g as i64, on.len() as i64]);
        for (object, dir) in on {
            self.out.extend([object as i64, texts.number(&dir)]);
        }
    }

    fn tell_runs(&mut self, p: i64) {
        let (m, g) = self.runs(p).unwrap_or((0, 0));
        self.known.insert(p);
        self.tell("runs", &[p, m, g as i64]);
    }

    /// Tells of Ps that have not been told of.
    fn tell_new_ps(&mut self) {
        if self.queues.ps.len() > self.known.len() {
            let all: Vec<i64> = self.queues.ps.keys().copied().collect();
            for p in all {
                if !self.known.contains(&p) {
                    self.tell_runs(p);
                }
            }
        }
    }

    fn tell_object(&mut self, id: u64, texts: &mut Texts) {
        if let Some(object) = self.queues.objects.get(&id) {
            let (kind, cap) = (texts.number(&object.kind), object.cap as i64);
            let elem = texts.number(self.trace.tables.text(object.elem));
            self.tell("object", &[id as i64, kind, cap, elem]);
        }
    }

    /// One more holds the object, or one less.
    fn tell_holders(&mut self, id: u64, before: &[u64]) {
        let now = self.queues.objects.get(&id).map(|o| &o.holders);
        let now = now.map_or(&[][..], Vec::as_slice);
        let (change, g) = match now.len().cmp(&before.len()) {
            std::cmp::Ordering::Greater => ("back", now[now.len() - 1]),
            std::cmp::Ordering::Less => {
                let same = before.iter().zip(now).take_while(|(b, n)| b == n);
                ("out", before[same.count()])
            }
            std::cmp::Ordering::Equal => return,
        };
        self.tell_list(change, Of::Holders, id as i64, g);
    }
}

/// Those on the ring that a thief has, but for `g`.
fn owed(p: &Processor, g: u64) -> impl Iterator<Item = &Item> {
    p.ring.iter().filter(move |i| i.is_owed && i.g != g)
}
