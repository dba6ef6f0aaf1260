//! Who ran where: of each P a lane, of so many columns.
//!
//! A column is a stretch of time, and shows who ran longest in it; who would be seen nowhere, since
//! others always ran longer, is shown where it ran, in up to half of the columns. Or a column is a
//! decision, and shows who ran behind it: programs that live on channels decide so often that time
//! shows nothing.

use std::collections::{BTreeMap, BTreeSet};

use crate::read::Trace;
use crate::steered::{Choice, Chosen, choices};

/// A column shows nobody if less of it than this was taken by goroutines.
const SHOWN: f64 = 0.1;

/// Events without which it cannot be told who ran where.
pub const NEEDED: &[&str] = &[
    "create",
    "start",
    "park",
    "yield",
    "end",
    "syscall",
    "syscall-end",
];

/// Columns, at most.
const WIDEST: usize = 10_000;

/// By P and column: how much of it each goroutine has.
type Parts = BTreeMap<i64, Vec<BTreeMap<u64, f64>>>;

/// What a column is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Axis {
    /// A stretch of time.
    Time,
    /// A start of a goroutine, anywhere.
    Decision,
}

/// A goroutine had a P.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    /// The P.
    pub p: i64,
    /// The goroutine.
    pub g: u64,
    /// The number of the event that it begins with.
    pub seq: u64,
    /// From when on, in nanoseconds since the first event.
    pub from: i64,
    /// Until when.
    pub to: i64,
}

/// What is known of a goroutine that runs in the picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Share {
    /// Its number.
    pub g: u64,
    /// Its function, a number of a text; 0 if its beginning is not in the trace.
    pub func: u64,
    /// The runtime's own.
    pub is_system: bool,
    /// How long it ran in the picture, in nanoseconds.
    pub ns: i64,
    /// How often it began to.
    pub turns: u64,
}

/// A picture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Timeline {
    /// What a column is.
    pub axis: Axis,
    /// Where it begins and ends: nanoseconds since the first event, or the numbers of decisions.
    pub from: i64,
    /// See `from`.
    pub to: i64,
    /// By P: who ran, in each column.
    pub lanes: BTreeMap<i64, Vec<Option<u64>>>,
    /// Those who run in it, who ran longest first.
    pub shares: Vec<Share>,
    /// Columns in which a steered run had a switch.
    pub marks: BTreeSet<usize>,
    /// Switches that are not in the picture.
    pub unseen: usize,
}

/// All runs of a trace, as far as it is sound, in the order in which they began.
pub fn runs(trace: &Trace) -> Vec<Run> {
    let events = &trace.events[..trace.sound];
    let (Some(first), Some(last)) = (events.first(), events.last()) else {
        return Vec::new();
    };
    let zero = first.ns;
    let mut all: Vec<Run> = Vec::new();
    // By P: the run that has not ended.
    let mut open: BTreeMap<i64, usize> = BTreeMap::new();
    for e in events {
        let at = e.ns.saturating_sub(zero);
        match trace.name(e) {
            "start" | "syscall-end" if e.p >= 0 && e.g != 0 => {
                let run = Run {
                    p: e.p,
                    g: e.g,
                    seq: e.seq,
                    from: at,
                    to: i64::MAX,
                };
                if let Some(before) = open.insert(e.p, all.len()) {
                    all[before].to = at;
                }
                all.push(run);
            }
            "park" | "yield" | "end" | "syscall" => {
                // Who leaves may have lost its P before.
                let is_its = |k: &usize| all[*k].g == e.g;
                let lane = open.iter().find(|(_, k)| is_its(k)).map(|(p, _)| *p);
                if let Some(k) = lane.and_then(|p| open.remove(&p)) {
                    all[k].to = at;
                }
            }
            _ => {}
        }
    }
    let end = last.ns.saturating_sub(zero);
    for run in &mut all {
        run.to = run.to.min(end).max(run.from);
    }
    all
}

impl Timeline {
    /// Of `width` columns, from `from` to `to` of the axis, or of all that there is: with
    /// [`Axis::Decision`] of the last so many decisions, if `from` is not given.
    pub fn new(
        trace: &Trace,
        axis: Axis,
        from: Option<i64>,
        to: Option<i64>,
        width: usize,
    ) -> Timeline {
        let runs = runs(trace);
        let width = width.clamp(1, WIDEST);
        let end = match axis {
            Axis::Time => runs.iter().map(|r| r.to).max().unwrap_or(0),
            Axis::Decision => runs.len() as i64,
        };
        let to = to.unwrap_or(end).clamp(0, end.max(0));
        let usual = match axis {
            Axis::Time => 0,
            Axis::Decision => to - width as i64,
        };
        let from = from.unwrap_or(usual).clamp(0, to);
        let mut picture = Timeline {
            axis,
            from,
            to,
            lanes: BTreeMap::new(),
            shares: Vec::new(),
            marks: BTreeSet::new(),
            unseen: 0,
        };
        match axis {
            Axis::Time => {
                let parts = picture.parts(&runs, width);
                picture.by_time(&parts);
                picture.share(trace, &runs);
                picture.show_seldom(&parts, width / 2);
            }
            Axis::Decision => {
                picture.by_decision(&runs, width);
                picture.share(trace, &runs);
            }
        }
        for switch in choices(trace).iter().filter(|c| c.is_switch) {
            match picture.column(switch, &runs, width) {
                Some(column) => drop(picture.marks.insert(column)),
                None => picture.unseen += 1,
            }
        }
        picture
    }

    /// The column of a decision of a steered run.
    fn column(&self, choice: &Choice, runs: &[Run], width: usize) -> Option<usize> {
        let at = match self.axis {
            Axis::Time => choice.ns,
            // What it leads to, or in the midst of which it is taken.
            Axis::Decision => {
                let next = runs.partition_point(|r| r.seq < choice.seq) as i64;
                next - i64::from(matches!(choice.what, Chosen::Case(_)))
            }
        };
        let is_seen = match self.axis {
            Axis::Time => (self.from..=self.to).contains(&at),
            Axis::Decision => (self.from..self.to).contains(&at),
        };
        let column = match self.axis {
            Axis::Time => {
                let span = (self.to - self.from).max(1) as f64;
                ((at - self.from) as f64 / span * width as f64) as usize
            }
            Axis::Decision => usize::try_from(at - self.from).ok()?,
        };
        is_seen.then(|| column.min(width - 1))
    }

    fn parts(&self, runs: &[Run], width: usize) -> Parts {
        let span = (self.to - self.from).max(1) as f64;
        let column = |ns: i64| (ns - self.from) as f64 / span * width as f64;
        let mut parts = Parts::new();
        for run in runs {
            let lane = parts.entry(run.p);
            let lane = lane.or_insert_with(|| vec![BTreeMap::new(); width]);
            let (from, to) = (run.from.max(self.from), run.to.min(self.to));
            if from > to || from == to && run.from != run.to {
                continue;
            }
            let (from, to) = (column(from), column(to));
            let last = (to.ceil() as usize).clamp(1, width);
            for (k, part) in lane.iter_mut().enumerate().take(last).skip(from as usize) {
                let inside = to.min((k + 1) as f64) - from.max(k as f64);
                *part.entry(run.g).or_default() += inside.max(f64::MIN_POSITIVE);
            }
        }
        parts
    }

    fn by_time(&mut self, parts: &Parts) {
        let most = |part: &BTreeMap<u64, f64>| {
            let most = part.iter().max_by(|a, b| a.1.total_cmp(b.1));
            most.filter(|_| part.values().sum::<f64>() >= SHOWN)
                .map(|(g, _)| *g)
        };
        self.lanes = parts
            .iter()
            .map(|(p, lane)| (*p, lane.iter().map(most).collect()))
            .collect();
    }

    /// Shows goroutines of the program that are in no column in those where they ran, as far as no
    /// more than `columns` are taken for that; who ran longest first.
    fn show_seldom(&mut self, parts: &Parts, columns: usize) {
        let shown: BTreeSet<u64> = self.lanes.values().flatten().flatten().copied().collect();
        let seldom = self.shares.iter().filter(|s| !s.is_system);
        let mut taken = BTreeSet::new();
        for g in seldom.map(|s| s.g).filter(|g| !shown.contains(g)) {
            let mut places = Vec::new();
            for (p, lane) in parts {
                let ran = lane.iter().enumerate().filter(|(_, c)| c.contains_key(&g));
                places.extend(ran.map(|(k, _)| (*p, k)));
            }
            places.retain(|place| !taken.contains(place));
            if taken.len() + places.len() > columns {
                return;
            }
            for (p, k) in &places {
                if let Some(lane) = self.lanes.get_mut(p) {
                    lane[*k] = Some(g);
                }
            }
            taken.extend(places);
        }
    }

    fn by_decision(&mut self, runs: &[Run], width: usize) {
        let shown = self.from as usize..(self.to as usize).min(self.from as usize + width);
        for run in runs {
            self.lanes.insert(run.p, Vec::new());
        }
        let mut now: BTreeMap<i64, Run> = BTreeMap::new();
        for (k, run) in runs.iter().enumerate().take(shown.end) {
            now.retain(|_, r| r.to > run.from);
            now.insert(run.p, *run);
            if shown.contains(&k) {
                for (p, lane) in &mut self.lanes {
                    lane.push(now.get(p).map(|r| r.g));
                }
            }
        }
        self.to = shown.end as i64;
    }

    /// Notes who runs in the picture, and how much.
    fn share(&mut self, trace: &Trace, runs: &[Run]) {
        let mut all: BTreeMap<u64, Share> = BTreeMap::new();
        for (k, run) in runs.iter().enumerate() {
            let (from, to) = match self.axis {
                Axis::Time => (run.from.max(self.from), run.to.min(self.to)),
                Axis::Decision if (self.from..self.to).contains(&(k as i64)) => (run.from, run.to),
                Axis::Decision => continue,
            };
            if from <= to {
                let share = all.entry(run.g).or_default();
                share.g = run.g;
                share.ns += to - from;
                share.turns += 1;
            }
        }
        for e in trace.before.iter().chain(&trace.events[..trace.sound]) {
            if trace.name(e) != "create" {
                continue;
            }
            if let Some(share) = all.get_mut(&e.g) {
                let op = |name| trace.schema.slot(e.kind, name).map(|i| trace.ops(e)[i]);
                share.func = op("func").unwrap_or(0);
                share.is_system = op("system").unwrap_or(0) != 0;
            }
        }
        self.shares = all.into_values().collect();
        self.shares
            .sort_by_key(|s| (-s.ns, std::cmp::Reverse(s.turns), s.g));
    }

    /// The letter of each goroutine in the picture: of the program's those of the alphabet, who ran
    /// longest first, as far as they go, and then `*`; of the runtime's own `#`.
    pub fn letters(&self) -> BTreeMap<u64, char> {
        let mut names = ('a'..='z').chain('A'..='Z');
        let letter = |s: &Share| match s.is_system {
            true => '#',
            false => names.next().unwrap_or('*'),
        };
        let gs = self.shares.iter().map(|s| s.g);
        gs.zip(self.shares.iter().map(letter).collect::<Vec<_>>())
            .collect()
    }
}
