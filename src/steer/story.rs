//! A run told in a few lines: what each goroutine did to what matters in the end, in its order.

mod graph;

use super::child::{Run, is_decision, leaves};
use super::finding::{self, Failure, Finding};
use super::minimise::Minimal;
use super::recording::{is_own, place, position};
use bytecode::func;
use gosched_runtime::control::log::{Kind, Record};
use gosched_runtime::control::operation::{Act, Operation};
use gosched_runtime::control::strategy::Take;
use gosched_runtime::g::Goid;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use trace::graph::Graph;

/// Steps that are shown at most; of more the last.
const STEPS: usize = 28;
/// Columns of the program's text that are shown.
const TEXT: usize = 36;

/// The main goroutine returns; a goroutine panics, or does what is fatal.
const RETURNS: &str = "returns";
const FAILS: &str = "fails";
/// Said of the goroutine that holds what another waits for; since when comes behind it.
const HOLDS: &str = "which holds it";
/// One of two accesses that race.
const RACES: &str = "races";

/// What a goroutine did.
#[derive(Clone, Serialize)]
pub(super) struct Event {
    g: u64,
    at: String,
    /// The line of the program.
    text: String,
    what: &'static str,
    /// What came of it.
    note: String,
    /// That it came now is no ordinary choice.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_switch: bool,
    /// From here on it cannot be saved.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_lost: bool,
    #[serde(skip)]
    op: Operation,
    /// Its number among all events, and that of the one by which another holds what it waits for.
    #[serde(skip)]
    n: usize,
    #[serde(skip)]
    since: Option<usize>,
}

/// A goroutine of the story.
#[derive(Clone, Serialize)]
struct Actor {
    g: u64,
    /// The statement that has made it.
    does: String,
    /// Where it was made.
    made: String,
    /// What it holds in the end.
    holds: Vec<String>,
    /// What it waits for in the end, and where.
    wants: Option<String>,
    at: String,
}

/// A story, as data.
#[derive(Serialize)]
pub(super) struct Story {
    title: String,
    /// What to do about it, where that is always the same.
    #[serde(skip_serializing_if = "str::is_empty")]
    advice: &'static str,
    events: Vec<Event>,
    goroutines: Vec<Actor>,
    /// It ends because goroutines wait.
    #[serde(skip)]
    is_stuck: bool,
    /// Who waits for whom then.
    #[serde(skip)]
    pub(super) graph: Graph,
}

/// The text of the line that the program is at.
fn text(pc: u64) -> String {
    let own = position(pc).filter(|pos| is_own(*pos));
    let Some((file, pos)) = own.and_then(|pos| Some((source::map().file(pos)?, pos))) else {
        return String::new();
    };
    let (_, start) = file.line(pos.0 - file.base);
    let rest = file.text.get(start as usize..).unwrap_or_default();
    rest.lines().next().unwrap_or_default().trim().to_string()
}

/// What the program calls the object of an operation, if its line says so.
fn name(op: &Operation) -> Option<String> {
    let line = text(op.at);
    let is_part = |c: char| c.is_alphanumeric() || "_.[]".contains(c);
    let before = |at: usize| {
        let words = line[..at].trim_end();
        let from = words.rfind(|c| !is_part(c)).map_or(0, |i| i + 1);
        Some(words[from..].to_string())
    };
    let behind = |at: usize| {
        let words = line[at..].trim_start();
        let to = words.find(|c| !is_part(c)).unwrap_or(words.len());
        Some(words[..to].to_string())
    };
    let method = |names: &[&str]| names.iter().find_map(|n| line.find(n)).and_then(before);
    let found = match op.act {
        Act::Send => line.find("<-").and_then(before),
        Act::Receive => match line.find("<-") {
            Some(at) => behind(at + 2),
            None => line.find("range ").and_then(|at| behind(at + 6)),
        },
        Act::Close => line.find("close(").and_then(|at| behind(at + 6)),
        Act::Lock | Act::TryLock => method(&[".Lock(", ".TryLock("]),
        Act::Unlock => method(&[".Unlock("]),
        Act::ReadLock | Act::TryReadLock => method(&[".RLock(", ".TryRLock("]),
        Act::ReadUnlock => method(&[".RUnlock("]),
        Act::Wait | Act::Join => method(&[".Wait("]),
        Act::Add | Act::Done => method(&[".Add(", ".Done(", ".Go("]),
        Act::Change => method(&[".Signal(", ".Broadcast("]),
        Act::Load | Act::Store => method(&[".Load(", ".Store(", ".Add(", ".Swap(", ".Compare"]),
        _ => None,
    };
    found.filter(|name| !name.is_empty())
}

/// One name for each object: a name by which no other is called, else the first, with a number.
fn names(events: &[Event]) -> BTreeMap<u64, String> {
    let mut of: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    let mut objects: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for event in events.iter().filter(|e| e.op.object != 0) {
        let Some(called) = name(&event.op) else {
            continue;
        };
        let names = of.entry(event.op.object).or_default();
        if !names.contains(&called) {
            names.push(called.clone());
        }
        let all = objects.entry(called).or_default();
        if !all.contains(&event.op.object) {
            all.push(event.op.object);
        }
    }
    let name = |object: u64, names: &Vec<String>| {
        let first = names.first()?;
        if let Some(own) = names.iter().find(|name| objects[*name].len() == 1) {
            return Some(own.clone());
        }
        let number = objects[first].iter().position(|o| *o == object)? + 1;
        Some(format!("{first} ({number})"))
    };
    let named = of.iter();
    named
        .filter_map(|(object, names)| Some((*object, name(*object, names)?)))
        .collect()
}

/// Reads a run.
struct Reader {
    events: Vec<Event>,
    /// What a goroutine is about to do, having let others run before.
    put_off: BTreeMap<Goid, Operation>,
    /// The last event of each.
    last: BTreeMap<Goid, usize>,
    /// Who holds a lock, since which event.
    holders: BTreeMap<u64, Vec<(Goid, usize)>>,
    waits: BTreeMap<Goid, Option<Operation>>,
    made: BTreeMap<Goid, u64>,
    /// The goroutine that runs was chosen against the ordinary order.
    is_switch: bool,
    /// The first goroutine of a race.
    races: Option<Goid>,
    /// What objects are called.
    names: BTreeMap<u64, String>,
    /// The decision has been taken from which on it cannot be saved, and nothing was done since.
    is_lost: bool,
}

impl Reader {
    fn read(run: &Run, failure: Failure, cause: Option<usize>) -> Reader {
        let mut reader = Reader {
            events: Vec::new(),
            put_off: BTreeMap::new(),
            last: BTreeMap::new(),
            holders: BTreeMap::new(),
            waits: BTreeMap::new(),
            made: BTreeMap::new(),
            is_switch: false,
            races: None,
            names: BTreeMap::new(),
            is_lost: false,
        };
        let mut decided = 0;
        for (i, r) in run.records.iter().enumerate() {
            if is_decision(r) {
                reader.is_lost |= cause == Some(decided);
                decided += 1;
            }
            match r.kind {
                Kind::Operation => match leaves(&run.records[i..]) {
                    true => reader.puts_off(r.g, r.op),
                    false => reader.does(r.g, r.op),
                },
                Kind::Run => {
                    reader.is_switch |= r.n > 1 && r.g.0 != r.other;
                    reader.waits.remove(&r.g);
                    if let Some(op) = reader.put_off.remove(&r.g) {
                        reader.does(r.g, op);
                    }
                }
                Kind::Pass => {
                    reader.is_switch = true;
                    let nothing = Operation::default();
                    reader.push(Goid(0), nothing, "time passes", String::new());
                }
                Kind::Case if r.other >> 32 == r.other & 0xffff_ffff => (),
                Kind::Case if r.op.act == Act::Time => {
                    reader.is_switch = true;
                    let nothing = Operation::default();
                    let what = "another timer, due at the same time, comes first";
                    reader.push(Goid(0), nothing, what, String::new());
                }
                Kind::Case => {
                    if let Some(&at) = reader.last.get(&r.g) {
                        reader.events[at].is_switch = true;
                    }
                }
                Kind::Park => reader.parks(r),
                Kind::Wake => reader.wakes(r),
                Kind::Go => {
                    let at = reader.maker(r);
                    reader.made.insert(r.g, at);
                }
                Kind::Race if failure == Failure::Race => {
                    let what = match r.op.act {
                        Act::Store | Act::Write => "writes",
                        _ => "reads",
                    };
                    let is_second = reader.races.is_some();
                    let note = match is_second {
                        true => format!("{what}; nothing orders it and what G{} did", r.other),
                        false => format!("{what}, at some time before"),
                    };
                    reader.push(r.g, Operation::default(), RACES, note);
                    if let Some(event) = reader.events.last_mut() {
                        (event.at, event.text) = (place(r.op.at), text(r.op.at));
                    }
                    if is_second {
                        break;
                    }
                    reader.races = Some(r.g);
                }
                Kind::MainEnd => {
                    let op = Operation::default();
                    reader.push(r.g, op, RETURNS, String::new());
                }
                _ => {}
            }
        }
        // What was about to be done is never done.
        reader.names = names(&reader.events);
        reader
    }

    /// What the object of an operation is called, or the line, if that does not name it.
    fn called(&self, op: &Operation) -> String {
        match (name(op), self.names.get(&op.object)) {
            (None, _) => text(op.at),
            (Some(_), Some(known)) => known.clone(),
            (Some(here), None) => here,
        }
    }

    /// Where the program itself has made a goroutine. What the library has made for it was made
    /// by what the maker did last.
    fn maker(&self, r: &Record) -> u64 {
        let info = func::find(r.op.at as usize);
        // Package testing starts a test, whatever was done before.
        if info.is_some_and(|info| info.flags & func::TESTING != 0) {
            return 0;
        }
        let is_own = info.is_none_or(|info| info.flags & func::STD == 0);
        let last = self.last.get(&Goid(r.other)).filter(|_| !is_own);
        last.map_or(r.op.at, |i| self.events[*i].op.at)
    }

    fn push(&mut self, g: Goid, op: Operation, what: &'static str, note: String) {
        let is_switch = std::mem::take(&mut self.is_switch);
        self.last.insert(g, self.events.len());
        self.events.push(Event {
            g: g.0,
            at: place(op.at),
            text: text(op.at),
            what,
            note,
            is_switch,
            is_lost: std::mem::take(&mut self.is_lost),
            op,
            n: self.events.len(),
            since: None,
        });
    }

    fn does(&mut self, g: Goid, op: Operation) {
        // A lock that is not free is asked for twice: by an instruction, and by the library.
        if let Some(last) = self.last.get(&g).map(|i| &self.events[*i])
            && (last.op.act, last.op.object) == (op.act, op.object)
            && last.at == place(op.at)
            && matches!(op.act, Act::Lock | Act::Unlock)
            && last.op.pc != op.pc
        {
            return;
        }
        // The main goroutine returns: that is told when it has come to pass.
        if op.act == Act::Exit && op.at == 0 {
            return;
        }
        let n = self.events.len();
        match op.act {
            Act::Lock | Act::TryLock | Act::ReadLock | Act::TryReadLock => {
                self.holders.entry(op.object).or_default().push((g, n));
            }
            Act::Unlock => {
                self.holders.remove(&op.object);
            }
            Act::ReadUnlock => {
                let holders = self.holders.entry(op.object).or_default();
                match holders.iter().position(|(h, _)| *h == g) {
                    Some(at) => drop(holders.remove(at)),
                    None => drop(holders.pop()),
                }
            }
            _ => {}
        }
        let note = match op.act {
            Act::Read => "reads",
            Act::Write => "writes",
            Act::Modify => "writes what follows from what it has read",
            _ => "",
        };
        self.push(g, op, op.act.name(), note.into());
    }

    /// Others are let run before `g` does something; what it changes it has read then.
    fn puts_off(&mut self, g: Goid, op: Operation) {
        self.put_off.insert(g, op);
        if op.act == Act::Modify {
            let read = Act::Read;
            let op = Operation { act: read, ..op };
            self.push(g, op, read.name(), "reads".into());
        }
    }

    /// Tells of the goroutine that ends the run, and where, as the traceback has it.
    fn fails(&mut self, run: &Run) {
        let text = String::from_utf8_lossy(&run.output);
        let mut lines = text.lines().skip_while(|l| !l.starts_with("goroutine "));
        let head = lines.next().and_then(|l| l.split(' ').nth(1));
        let Some(g) = head.and_then(|g| g.parse().ok()).map(Goid) else {
            return;
        };
        let mut places = lines
            .take_while(|l| !l.is_empty())
            .filter_map(finding::place);
        let at = places.find(|at| !at.starts_with("$GOROOT"));
        self.push(g, Operation::default(), FAILS, String::new());
        if let (Some(event), Some(at)) = (self.events.last_mut(), at) {
            event.at = at.rsplit('/').next().unwrap_or_default().to_string();
        }
    }

    fn parks(&mut self, r: &Record) {
        let Some(&at) = self.last.get(&r.g) else {
            self.waits.insert(r.g, None);
            return;
        };
        // The main goroutine has returned, and what the others do is waited for.
        if self.events[at].what == RETURNS {
            return;
        }
        let op = self.events[at].op;
        self.waits.insert(r.g, Some(op));
        let mut note = String::from("waits");
        if matches!(op.act, Act::Lock | Act::ReadLock) {
            let holders = self.holders.entry(op.object).or_default();
            // It does not have it yet.
            holders.retain(|h| *h != (r.g, at));
            // Readers come behind a writer that waits, whoever holds the lock.
            let writes = |(g, waits): (&Goid, &Option<Operation>)| {
                let is_it = |w: &Operation| (w.act, w.object) == (Act::Lock, op.object);
                (*g != r.g && waits.as_ref().is_some_and(is_it)).then_some(g.0)
            };
            let writer = match op.act {
                Act::ReadLock => self.waits.iter().find_map(writes),
                _ => None,
            };
            if let Some(writer) = writer {
                let _ = write!(note, " behind G{writer}, which wants it alone");
            } else if let Some((holder, since)) = holders.first() {
                let _ = write!(note, " for G{}, {HOLDS}", holder.0);
                self.events[at].since = Some(*since);
            }
        }
        self.events[at].note = note;
    }

    fn wakes(&mut self, r: &Record) {
        let waited = self.waits.remove(&r.g).flatten();
        if let Some(op) = waited
            && matches!(op.act, Act::Lock | Act::ReadLock)
            && let Some(&at) = self.last.get(&r.g)
        {
            self.holders.entry(op.object).or_default().push((r.g, at));
        }
        if let Some(&at) = self.last.get(&Goid(r.other)) {
            let note = &mut self.events[at].note;
            let wakes = format!("wakes G{}", r.g.0);
            // Time that passes a ticker's many ticks wakes one goroutine as often.
            if note.split(", ").all(|n| n != wakes) {
                let gap = if note.is_empty() { "" } else { ", " };
                let _ = write!(note, "{gap}{wakes}");
            }
        }
    }

    /// The function of the program itself that a goroutine was in at first, a test if it was in
    /// one, and where that is.
    fn first(&self, g: Goid) -> Option<(String, String)> {
        let own = |pc: &u64| position(*pc).is_some_and(is_own);
        let all = self.events.iter().filter(|e| e.g == g.0).map(|e| e.op.at);
        let mut all = all.filter(own).filter_map(|pc| {
            let info = func::find(pc as usize)?;
            let path = info.name.rfind('/').map_or(0, |i| i + 1);
            let (_, name) = info.name[path..].split_once('.')?;
            Some((name.to_string(), place(info.start as u64)))
        });
        let first = all.next()?;
        let is_test = |(name, _): &(String, String)| name.starts_with("Test");
        match is_test(&first) {
            true => Some(first),
            false => Some(all.find(is_test).unwrap_or(first)),
        }
    }

    fn actor(&self, g: Goid) -> Actor {
        let gopc = self.made.get(&g).copied().unwrap_or_default();
        let is_known = g.0 == 1 || !text(gopc).is_empty();
        let first = (!is_known).then(|| self.first(g)).flatten();
        // By the names that the goroutine itself has for them.
        let called = |op: &Operation| self.called(op);
        let held = self.holders.values().flatten();
        let held = held.filter(|(holder, _)| *holder == g);
        let held = held.map(|(_, since)| called(&self.events[*since].op));
        let waits = self.waits.get(&g);
        let wanted = waits.copied().flatten().filter(|op| op.object != 0);
        let place_of = match waits {
            Some(Some(op)) => place(op.at),
            _ => self
                .last
                .get(&g)
                .map_or(String::new(), |i| self.events[*i].at.clone()),
        };
        Actor {
            g: g.0,
            does: match g.0 {
                1 => "main".into(),
                _ => match (text(gopc), &first) {
                    (text, _) if !text.is_empty() => text,
                    (_, Some((name, _))) => name.clone(),
                    (_, None) => "(a timer, or the library)".into(),
                },
            },
            made: first.map_or(place(gopc), |(_, place)| place),
            holds: held.collect(),
            wants: match (waits, wanted) {
                (None, _) => None,
                (_, Some(op)) => Some(called(&op)),
                (Some(_), None) => Some(text(self.waits[&g].map_or(0, |op| op.at))),
            },
            at: place_of,
        }
    }
}

/// Where goroutines wait of which each wants what the next holds, all round.
pub(super) fn places_of_cycle(run: &Run) -> BTreeSet<String> {
    let reader = Reader::read(run, Failure::Deadlock, None);
    let cycle = cycle(&reader).into_iter();
    let waits = cycle.filter_map(|g| reader.waits.get(&g).copied().flatten());
    waits.map(|op| place(op.at)).collect()
}

/// A ring of goroutines, each of which wants what the next holds; empty: there is none.
fn cycle(reader: &Reader) -> Vec<Goid> {
    let next = |g: Goid| -> Option<Goid> {
        let op = reader.waits.get(&g).copied().flatten()?;
        let holders = reader.holders.get(&op.object)?;
        holders.first().map(|(h, _)| *h)
    };
    for &g in reader.waits.keys() {
        let mut seen = Vec::new();
        let mut at = Some(g);
        while let Some(one) = at {
            if let Some(begin) = seen.iter().position(|g| *g == one) {
                return seen.split_off(begin);
            }
            seen.push(one);
            at = next(one);
        }
    }
    Vec::new()
}

impl Story {
    /// The story of a run that fails.
    ///
    /// `cause` is the decision from which on it could not be saved.
    pub(super) fn new(run: &Run, finding: &Finding, cause: Option<usize>) -> Story {
        let mut reader = Reader::read(run, finding.failure, cause);
        let left: BTreeSet<Goid> = match finding.failure {
            Failure::Leak => left_in(run, finding),
            Failure::PartialDeadlock => {
                let left = run.records.iter().filter(|r| r.kind == Kind::Left);
                left.map(|r| r.g).collect()
            }
            _ => reader.waits.keys().copied().collect(),
        };
        let matters = objects(&reader, finding, &left);
        if matches!(finding.failure, Failure::Panic | Failure::FatalError) {
            reader.fails(run);
        }
        let is_shown = |e: &&Event| {
            let is_end = e.what == RETURNS || e.what == FAILS;
            let is_racy = matches!(e.op.act, Act::Read | Act::Write | Act::Modify);
            let matters = matters.contains(&e.op.object) && e.op.object != 0;
            e.is_switch || e.is_lost || is_end || is_racy || matters
        };
        // Of a race, what the two did; what should have ordered them may be anything.
        let both: Vec<u64> = match reader.races {
            Some(first) => reader
                .events
                .last()
                .map_or(Vec::new(), |last| vec![first.0, last.g]),
            None => Vec::new(),
        };
        let shows_all = matters.is_empty();
        let mut events: Vec<Event> = reader
            .events
            .iter()
            .filter(|e| shows_all || is_shown(e))
            .filter(|e| both.is_empty() || e.is_switch || e.is_lost || both.contains(&e.g))
            .cloned()
            .collect();
        number(&mut events);
        let mut who: BTreeSet<Goid> = events.iter().map(|e| Goid(e.g)).collect();
        who.remove(&Goid(0));
        let is_stuck = matches!(
            finding.failure,
            Failure::Deadlock | Failure::PartialDeadlock | Failure::Leak
        );
        if is_stuck {
            who.extend(&left);
        }
        let title = match finding.failure {
            Failure::Deadlock if !cycle(&reader).is_empty() => {
                "DEADLOCK  goroutines wait for each other".into()
            }
            Failure::Deadlock => "DEADLOCK  nothing can run".to_string(),
            Failure::PartialDeadlock if !cycle(&reader).is_empty() => {
                "DEADLOCK  goroutines wait for each other, while others run".into()
            }
            Failure::PartialDeadlock => {
                format!("DEADLOCK  {} cannot go on, while others run", those(&left))
            }
            Failure::Leak => format!("LEAK  {} waits for ever", those(&left)),
            Failure::Panic | Failure::FatalError | Failure::Race => finding.message().to_string(),
            Failure::Early => format!("MAIN RETURNS FIRST  {}", finding.message()),
            Failure::Check if !finding.message().is_empty() => {
                format!("WRONG OUTPUT  {}", finding.message())
            }
            _ => finding.failure.text().to_uppercase(),
        };
        Story {
            is_stuck,
            graph: graph::of(&reader, &left),
            title,
            advice: match finding.failure {
                Failure::Early => {
                    "Let main wait for its goroutines: with a sync.WaitGroup, or a channel."
                }
                _ => "",
            },
            goroutines: who.into_iter().map(|g| reader.actor(g)).collect(),
            events,
        }
    }

    /// As people read it.
    pub(super) fn text(&self, minimal: Option<&Minimal>) -> String {
        let mut out = format!("{}\n\n", self.title);
        if !self.advice.is_empty() {
            let _ = writeln!(out, "  {}\n", self.advice);
        }
        let width = |f: fn(&Actor) -> usize| self.goroutines.iter().map(f).max().unwrap_or(0);
        let (ids, names) = (
            width(|a| a.g.to_string().len() + 1),
            width(|a| a.does.len()),
        );
        for a in &self.goroutines {
            let made = match a.made.is_empty() {
                true => String::new(),
                false => format!("  {}", a.made),
            };
            let who = format!("G{}", a.g);
            let line = format!("  {who:<ids$}  {:<names$}{made}", a.does);
            let _ = writeln!(out, "{}", line.trim_end());
        }
        out.push('\n');
        let skipped = self.events.len().saturating_sub(STEPS);
        if skipped > 0 {
            let _ = writeln!(out, "  … {skipped} steps before");
        }
        let shown = &self.events[skipped..];
        let places = shown.iter().map(|e| e.at.len()).max().unwrap_or(0);
        let texts = shown.iter().map(|e| cut(&e.text).chars().count()).max();
        let (texts, numbers) = (texts.unwrap_or(0), self.events.len().to_string().len());
        for (i, e) in shown.iter().enumerate() {
            if e.is_lost && i > 0 {
                let _ = writeln!(out, "  ─── from here on it cannot be saved ───");
            }
            let mark = if e.is_switch { '▶' } else { ' ' };
            let what = if e.text.is_empty() {
                e.what.into()
            } else {
                cut(&e.text)
            };
            let who = match e.g {
                0 => String::new(),
                g => format!("G{g}"),
            };
            let line = format!(
                "{mark} {:>numbers$}  {:<ids$}  {:<places$}  {what:<texts$}  {}",
                skipped + i + 1,
                who,
                e.at,
                e.note
            );
            let _ = writeln!(out, "{}", line.trim_end());
        }
        out.push('\n');
        for a in &self.goroutines {
            let holds = match a.holds.is_empty() {
                true => String::new(),
                false => format!(" holds {},", a.holds.join(" and ")),
            };
            if let (Some(wants), true) = (&a.wants, self.is_stuck) {
                let _ = writeln!(out, "  G{}{holds} waits for {wants} at {}", a.g, a.at);
            }
        }
        if let Some(minimal) = minimal {
            for choice in &minimal.choices {
                if let Take::Hold(g) = choice.take {
                    let _ = write!(
                        out,
                        "\nG{} is held back from a ▶ on: it runs only when no other can.",
                        g.0
                    );
                }
            }
            let n = minimal.choices.len();
            let _ = match (n, minimal.is_minimal) {
                (0, _) => writeln!(out, "\nIt happens in the ordinary order."),
                (1, true) => writeln!(out, "\nWithout what is marked by ▶ it does not happen."),
                (_, true) => writeln!(
                    out,
                    "\nIt takes {n} choices that are not ordinary (▶); without any one of them it \
                     does not happen."
                ),
                (_, false) => writeln!(
                    out,
                    "\nThere are {n} choices that are not ordinary (▶); perhaps fewer would do."
                ),
            };
        }
        out
    }
}

/// Tells since when what is waited for is held: since which of the events that are shown.
fn number(events: &mut [Event]) {
    let shown: Vec<usize> = events.iter().map(|e| e.n).collect();
    for event in events {
        let since = event.since.and_then(|n| shown.binary_search(&n).ok());
        if let Some(at) = since {
            let told = format!("{HOLDS} since {}", at + 1);
            event.note = event.note.replacen(HOLDS, &told, 1);
        }
    }
}

/// Some goroutines.
fn those(gs: &BTreeSet<Goid>) -> String {
    let all: Vec<String> = gs.iter().map(|g| format!("G{}", g.0)).collect();
    all.join(", ")
}

/// The goroutines of a leak.
fn left_in(run: &Run, finding: &Finding) -> BTreeSet<Goid> {
    let is_one = |r: &&Record| {
        let at = run.place(r.g).unwrap_or(r.op.at);
        r.kind == Kind::Left && finding.left.contains(&(r.other, at))
    };
    run.records.iter().filter(is_one).map(|r| r.g).collect()
}

/// The objects that the end is about.
fn objects(reader: &Reader, finding: &Finding, left: &BTreeSet<Goid>) -> BTreeSet<u64> {
    let mut objects = BTreeSet::new();
    match finding.failure {
        Failure::Deadlock | Failure::PartialDeadlock | Failure::Leak => {
            for g in left {
                let wanted = reader.waits.get(g).copied().flatten();
                objects.extend(wanted.map(|op| op.object));
                if finding.failure == Failure::Leak
                    && let Some(&at) = reader.last.get(g)
                {
                    objects.insert(reader.events[at].op.object);
                }
            }
            for (object, holders) in &reader.holders {
                if holders.iter().any(|(h, _)| left.contains(h)) {
                    objects.insert(*object);
                }
            }
        }
        // What should have ordered them may be anything.
        Failure::Race => {}
        // Who fails has done something to it last.
        _ => objects.extend(reader.events.last().map(|e| e.op.object)),
    }
    objects.remove(&0);
    objects
}

/// As much of a line as is shown.
fn cut(line: &str) -> String {
    match line.chars().count() > TEXT {
        true => line.chars().take(TEXT - 1).chain(['…']).collect(),
        false => line.to_string(),
    }
}

/// Where every goroutine is.
pub(super) fn standing(run: &Run) -> String {
    let mut out = String::new();
    for g in run.alive() {
        let at = run.place(g).map_or("its begin".into(), |pc| {
            format!("{}: {}", place(pc), text(pc))
        });
        let _ = writeln!(out, "G{} is at {at}", g.0);
    }
    out
}

/// What could be chosen when a run has ended.
pub(super) fn choices(run: &Run) -> String {
    let mut ready: Vec<(Goid, Operation)> = Vec::new();
    for r in &run.records {
        match r.kind {
            Kind::Ready => ready.push((r.g, r.op)),
            Kind::Run => ready.retain(|(g, _)| *g != r.g),
            _ => {}
        }
    }
    if ready.len() < 2 {
        return "nothing to decide".into();
    }
    let each: Vec<String> = ready
        .iter()
        .map(|(g, op)| format!("g{} at {} ({})", g.0, place(op.at), op.act.name()))
        .collect();
    format!("one of {}", each.join(", "))
}
