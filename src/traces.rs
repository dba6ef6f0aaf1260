//! `gosched trace`: what is in a trace.
//!
//! Reading and rebuilding is the work of the package `trace`; here files are opened, and words
//! made.

mod choices;
mod replay;
pub(crate) mod timeline;
pub(crate) mod view;
pub(crate) mod why;

use crate::driver::{print_error, print_output};
use crate::steer;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{self, BufWriter, Write as _};
use std::path::Path;
use trace::flame;
use trace::go::Failure;
use trace::object::described;
use trace::queues::{Contradiction, Goroutine, Item, Place, Queues};
use trace::read::Trace;
use trace::steered;
use trace::summary::{Goroutine as Sum, Spent, Summary};
use trace::timeline::{Axis, Timeline};
use trace::waits::Waits;
use trace::why::{When, Who, Why};

/// The exit status when a trace contradicts itself, or is not whole.
const WRONG: i32 = 1;
/// The exit status when there is no trace to look at, or a file cannot be written.
const UNREADABLE: i32 = 2;

/// What is asked of a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Asked {
    /// Whether all its events agree.
    Check,
    /// What is in the queues then, at the end if nothing is said.
    Queues(Option<When>),
    /// What each goroutine spent its time with.
    Summary,
    /// Who ran where.
    Timeline {
        /// What a column is.
        by: Option<Axis>,
        /// Nanoseconds since the first event.
        from: Option<i64>,
        length: Option<i64>,
        /// Columns.
        width: usize,
    },
    /// Why a goroutine had no turn.
    Why(Who, When),
    /// All of it in another form.
    Convert(Form),
    /// Who waits for whom behind an event.
    Graph(Option<When>),
    /// Where goroutines spend their time, as a picture or as text.
    Flame(bool),
}

/// What a trace is made into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// JSON lines.
    Lines,
    /// Trace events, which Perfetto and Chrome show.
    Perfetto,
    /// Go's form.
    Go,
}

/// Reads the trace at `path`, or makes one of the recording there; what is wrong with it is told.
/// Without one, the exit status.
fn open(path: &Path) -> Result<Trace, i32> {
    let shown = path.display();
    let read = match std::fs::read(path) {
        Ok(bytes) if steer::is_recording(&bytes) => Ok(replay::traced(path)?),
        read => read.map_err(|e| crate::loader::message("open", path, &e)),
    };
    let trace =
        read.and_then(|bytes| Trace::from_bytes(&bytes).map_err(|why| format!("{shown}: {why}")));
    let trace = trace.map_err(|why| {
        print_error(format_args!("gosched: {why}\n"));
        UNREADABLE
    })?;
    if let Some(flaw) = trace.flaw() {
        let last = trace.events[..trace.sound].last();
        let last = last.map_or("none".into(), |e| e.seq.to_string());
        print_error(format_args!(
            "gosched: {shown}: {flaw}; the last event that none before it is missing for: {last}\n"
        ));
    }
    Ok(trace)
}

/// Were events of all these names recorded? If not, that is told.
fn has(trace: &Trace, path: &Path, needed: &[&str]) -> bool {
    let lacks = trace.lacks(needed);
    if !lacks.is_empty() {
        print_error(format_args!(
            "gosched: {}: what is asked cannot be known: only some events were recorded, and these \
             were not: {}\n",
            path.display(),
            lacks.join(", ")
        ));
    }
    lacks.is_empty()
}

/// The event behind which `when` is.
fn event_at(trace: &Trace, when: Option<When>) -> u64 {
    let events = &trace.events[..trace.sound];
    match when {
        None | Some(When::Longest) => events.last().map_or(0, |e| e.seq),
        Some(When::Event(seq)) => seq,
        Some(When::Time(ns)) => {
            let first = events.first().map_or(0, |e| e.ns);
            let is_before = |e: &&trace::wire::Event| e.ns.saturating_sub(first) <= ns;
            events.iter().rev().find(is_before).map_or(0, |e| e.seq)
        }
    }
}

/// Does what is asked with the file at `path`; the exit status.
pub(crate) fn run(asked: Asked, path: &OsString, as_json: bool) -> i32 {
    let path = Path::new(path);
    let shown = path.display();
    let trace = match open(path) {
        Ok(trace) => trace,
        Err(status) => return status,
    };
    let all: Vec<&str> = trace.schema.kinds.iter().map(|k| &*k.name).collect();
    let needed: &[&str] = match asked {
        Asked::Check | Asked::Queues(_) => trace::queues::NEEDED,
        Asked::Summary => trace::summary::NEEDED,
        Asked::Timeline { .. } => trace::timeline::NEEDED,
        Asked::Convert(Form::Lines) => &[],
        Asked::Graph(_) | Asked::Flame(_) => trace::waits::NEEDED,
        Asked::Why(..) | Asked::Convert(_) => &all,
    };
    if !has(&trace, path, needed) {
        return UNREADABLE;
    }
    if trace.first > 0 && matches!(asked, Asked::Check | Asked::Queues(_)) {
        print_error(format_args!(
            "gosched: {shown}: it begins with event {}: where goroutines were before is not \
             known\n",
            trace.first
        ));
    }
    match asked {
        Asked::Check => check(&trace, path, trace.flaw().is_some()),
        Asked::Queues(at) => queues(&trace, path, at, as_json),
        Asked::Summary if as_json => match summary_json(&trace) {
            Ok(text) => print_output(format_args!("{text}\n")),
            Err(e) => {
                print_error(format_args!("gosched: {shown}: {e}\n"));
                UNREADABLE
            }
        },
        Asked::Summary => print_output(summary_text(&trace)),
        Asked::Timeline {
            by,
            from,
            length,
            width,
        } => {
            let usual = match steered::is_time_virtual(&trace) && from.or(length).is_none() {
                true => Axis::Decision,
                false => Axis::Time,
            };
            let axis = by.unwrap_or(usual);
            let to = length.map(|n| from.unwrap_or(0).saturating_add(n));
            let picture = Timeline::new(&trace, axis, from, to, width);
            print_output(timeline::text(&trace, &picture))
        }
        Asked::Graph(at) => {
            let waits = Waits::at(&trace, event_at(&trace, at));
            print_output(trace::graph::dot(&waits, &trace.tables))
        }
        Asked::Flame(is_picture) => {
            let folded = flame::folded(&trace);
            print_output(match is_picture {
                true => {
                    let are_turns = steered::is_time_virtual(&trace);
                    flame::svg(&folded, &shown.to_string(), are_turns)
                }
                false => flame::text(&folded),
            })
        }
        Asked::Why(who, when) => match Why::new(&trace, &who, when) {
            Ok(why) if as_json => print_output(format_args!("{}\n", why::to_json(&trace, &why))),
            Ok(why) => print_output(why::text(&trace, &why)),
            Err(none) => {
                let none = why::none(&who, when, none);
                print_error(format_args!("gosched: {shown}: {none}\n"));
                UNREADABLE
            }
        },
        Asked::Convert(form) => match convert(&trace, form) {
            Ok(()) => 0,
            Err(Failure::Write(e)) if e.kind() == io::ErrorKind::BrokenPipe => 0,
            Err(Failure::Write(e)) => {
                print_error(format_args!("gosched: {}\n", crate::loader::os_text(&e)));
                UNREADABLE
            }
            Err(Failure::Wrong(seq, why)) => {
                say_wrong(&trace, path, &Contradiction { seq, why });
                WRONG
            }
        },
    }
}

fn convert(trace: &Trace, form: Form) -> Result<(), Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    match form {
        Form::Lines => lines(trace, &mut out)?,
        Form::Perfetto => trace::chrome::write(trace, &mut out)?,
        Form::Go => trace::go::write(trace, &mut out)?,
    }
    Ok(out.flush()?)
}

fn check(trace: &Trace, path: &Path, is_flawed: bool) -> i32 {
    match Queues::check(trace) {
        Ok(_) => {
            let n = trace.sound;
            let told = print_output(format_args!("{}: {n} events agree\n", path.display()));
            if is_flawed { WRONG } else { told }
        }
        Err(wrong) => {
            say_wrong(trace, path, &wrong);
            WRONG
        }
    }
}

/// Writes the page of the trace at `path` to the file `to`, and says so; the exit status.
pub(crate) fn view(path: &Path, window: view::Window, to: &Path) -> i32 {
    let trace = match open(path) {
        Ok(trace) => trace,
        Err(status) => return status,
    };
    if !has(&trace, path, trace::queues::NEEDED) {
        return UNREADABLE;
    }
    let program = match trace.head.get("program") {
        Some(trace::file::Value::Text(program)) => String::from_utf8_lossy(program),
        _ => "".into(),
    };
    let title = match Path::new(&*program).file_name() {
        Some(name) => name.to_string_lossy().into_owned(),
        None => path.display().to_string(),
    };
    let page = view::page(&title, &Value::Null, &[view::run("", &trace, window)]);
    write_page(&page, to)
}

/// Writes a page to a file, and says so, or to standard output; the exit status.
pub(crate) fn write_page(page: &str, to: &Path) -> i32 {
    if to.as_os_str() == "-" {
        return print_output(page);
    }
    match std::fs::write(to, page) {
        Ok(()) => print_output(format_args!("wrote {}\n", to.display())),
        Err(e) => {
            let why = crate::loader::message("write", to, &e);
            print_error(format_args!("gosched: {why}\n"));
            UNREADABLE
        }
    }
}

/// Names the event that contradicts the others.
fn say_wrong(trace: &Trace, path: &Path, wrong: &Contradiction) {
    let event = trace.events.iter().find(|e| e.seq == wrong.seq);
    let line = event.map_or_else(String::new, |e| line(trace, e));
    print_error(format_args!(
        "gosched: {}: event {}: {}\n{line}",
        path.display(),
        wrong.seq,
        wrong.why
    ));
}

/// An event as it is in a log.
fn line(trace: &Trace, event: &trace::wire::Event) -> String {
    let mut out = Vec::new();
    let ops = trace.ops(event);
    trace::json::event(&mut out, &trace.schema, &trace.tables, event, ops);
    String::from_utf8_lossy(&out).into_owned()
}

fn lines(trace: &Trace, out: &mut dyn io::Write) -> io::Result<()> {
    out.write_all(&trace::json::head(trace::json::VERSION, &trace.head))?;
    let (mut text, mut next, mut ns) = (Vec::new(), trace.first, 0);
    for event in &trace.events {
        if event.seq > next {
            trace::json::lost(&mut text, next, event.ns, event.seq - next);
        }
        (next, ns) = (event.seq + 1, event.ns);
        let ops = trace.ops(event);
        trace::json::event(&mut text, &trace.schema, &trace.tables, event, ops);
        out.write_all(&text)?;
        text.clear();
    }
    if let trace::read::End::Whole(tail) = &trace.end {
        trace::json::tail(&mut text, next, ns, tail);
        out.write_all(&text)?;
    }
    Ok(())
}

// ---- queues -------------------------------------------------------------------------------------

fn queues(trace: &Trace, path: &Path, when: Option<When>, as_json: bool) -> i32 {
    let last = event_at(trace, None);
    let at = event_at(trace, when);
    if at > last {
        print_error(format_args!(
            "gosched: {}: the last event is {last}, and not {at} or later\n",
            path.display()
        ));
        return UNREADABLE;
    }
    let queues = match Queues::at(trace, at) {
        Ok(queues) => queues,
        Err(wrong) => {
            say_wrong(trace, path, &wrong);
            return WRONG;
        }
    };
    match as_json {
        true => print_output(format_args!("{}\n", to_json(&queues, trace, at))),
        false => print_output(to_text(&queues, trace, at)),
    }
}

/// Items by their goroutines; those that a thief has are left out.
fn present<'a>(items: impl IntoIterator<Item = &'a Item>) -> Vec<u64> {
    let here = items.into_iter().filter(|i| !i.is_owed);
    here.map(|i| i.g).collect()
}

/// The goroutines in this place.
fn placed(queues: &Queues, place: Place) -> Vec<u64> {
    let all = queues.goroutines.iter();
    let here = all.filter(|(_, g)| g.place == place);
    here.map(|(id, _)| *id).collect()
}

fn to_json(queues: &Queues, trace: &Trace, at: u64) -> Value {
    let ps = queues.ps.iter().filter(|(p, _)| **p >= 0);
    let ps = ps.map(|(id, p)| {
        json!({
            "p": id,
            "m": p.runs.map(|r| r.0),
            "g": p.runs.map(|r| r.1),
            "runnext": p.runnext.last().map(|i| i.g),
            "ring": present(&p.ring),
        })
    });
    let waits = |g: &Goroutine| {
        let on = g.waits_on.iter();
        let on: Vec<Value> = on
            .map(|(o, dir)| json!({"object": o, "dir": dir}))
            .collect();
        json!(on)
    };
    let goroutines = queues.goroutines.iter().map(|(id, g)| {
        let waiting = g.place == Place::Waits;
        json!({
            "g": id,
            "func": trace.tables.text(g.func),
            "system": g.is_system,
            "is": word(g.place),
            "reason": waiting.then_some(&g.reason),
            "on": waits(g),
        })
    });
    let has_any = |o: &trace::queues::Object| !o.waiters.is_empty() || !o.holders.is_empty();
    let objects = queues.objects.iter().filter(|(_, o)| has_any(o));
    let objects = objects.map(|(id, o)| {
        json!({
            "object": id,
            "kind": o.kind,
            "cap": o.cap,
            "elem": trace.tables.text(o.elem),
            "waiters": o.waiters,
            "holders": o.holders,
        })
    });
    let threads = |which: fn(&trace::queues::Thread) -> bool| -> Vec<i64> {
        let all = queues.threads.iter().filter(|(_, t)| which(t));
        all.map(|(m, _)| *m).collect()
    };
    json!({
        "at": at,
        "ps": ps.collect::<Vec<_>>(),
        "global": present(&queues.global),
        "aside": placed(queues, Place::Aside),
        "wired": placed(queues, Place::Wired),
        "offered": placed(queues, Place::Offered),
        "idle": threads(|t| t.is_idle),
        "searching": threads(|t| t.searches),
        "goroutines": goroutines.collect::<Vec<_>>(),
        "objects": objects.collect::<Vec<_>>(),
    })
}

/// One word for where a goroutine is.
fn word(place: Place) -> &'static str {
    match place {
        Place::Unknown => "unknown",
        Place::Limbo | Place::Hand(_) => "moving",
        Place::Runnext(_) => "runnext",
        Place::Ring(_) => "ring",
        Place::Global => "global",
        Place::Aside => "aside",
        Place::Wired => "wired",
        Place::Offered => "offered",
        Place::Runs(_) => "running",
        Place::Call(_) => "syscall",
        Place::Waits => "waiting",
    }
}

fn to_text(queues: &Queues, trace: &Trace, at: u64) -> String {
    let name = |g: u64| {
        let func = queues.goroutines.get(&g).map_or(0, |g| g.func);
        match trace.tables.text(func) {
            "" => format!("g{g}"),
            func => format!("g{g} {func}"),
        }
    };
    let names = |all: Vec<u64>| match all.is_empty() {
        true => "-".to_string(),
        false => {
            let all: Vec<String> = all.into_iter().map(name).collect();
            all.join(", ")
        }
    };
    let mut text = String::new();
    // Writing to a String cannot fail.
    let event = trace.events.iter().find(|e| e.seq == at);
    if let Some(event) = event {
        let _ = write!(text, "behind event {at}: {}", line(trace, event));
    }
    for (id, p) in queues.ps.iter().filter(|(p, _)| **p >= 0) {
        let runs = p.runs.map_or("nothing runs".into(), |(m, g)| {
            format!("M{m} runs {}", name(g))
        });
        let _ = writeln!(text, "P{id}       {runs}");
        let next = p.runnext.last().map(|i| i.g);
        let _ = writeln!(text, "  runnext {}", names(next.into_iter().collect()));
        let _ = writeln!(text, "  ring    {}", names(present(&p.ring)));
    }
    let _ = writeln!(text, "global    {}", names(present(&queues.global)));
    for (title, place) in [
        ("aside", Place::Aside),
        ("wired", Place::Wired),
        ("offered", Place::Offered),
    ] {
        let here = placed(queues, place);
        if !here.is_empty() {
            let _ = writeln!(text, "{title:9} {}", names(here));
        }
    }
    for (id, g) in &queues.goroutines {
        let on: Vec<String> = g
            .waits_on
            .iter()
            .map(|(object, dir)| {
                let known = queues.objects.get(object);
                let kind = known.map_or("object".into(), |o| {
                    described(&o.kind, trace.tables.text(o.elem))
                });
                let holders = known.map_or(&[][..], |o| &o.holders);
                let held = match holders {
                    [] => String::new(),
                    all => format!(" (held by {})", names(all.to_vec())),
                };
                let dir = match dir.as_str() {
                    "" | "none" => String::new(),
                    dir => format!("{dir} on "),
                };
                format!("{dir}{kind} {object}{held}")
            })
            .collect();
        if g.place == Place::Waits {
            let reason = &g.reason;
            let _ = match on.is_empty() {
                true => writeln!(text, "waits     {}: {reason}", name(*id)),
                false => writeln!(text, "waits     {}: {reason}: {}", name(*id), on.join(", ")),
            };
        }
    }
    text
}

// ---- the summary --------------------------------------------------------------------------------

/// Where the `go` statement of a goroutine is.
fn made_at(trace: &Trace, g: &Sum) -> String {
    let frame = trace.tables.stack(g.made).first();
    frame.map_or_else(String::new, |f| {
        format!("{}:{}", trace.tables.text(f.file), f.line)
    })
}

/// What `--json` says, in the order of its names.
#[derive(Serialize)]
#[serde(bound = "I: Iterator<Item = Value>")]
struct SummaryJson<'a, I> {
    blocks: BTreeMap<&'a str, u64>,
    choices: usize,
    collections: Value,
    creates: usize,
    goroutines: OneByOne<I>,
    ns: i64,
    starts: u64,
    steered: bool,
    stops: Value,
    switches: Vec<Value>,
    waits: BTreeMap<&'a str, u64>,
}

/// Values that are made when they are written: of a million goroutines they take 16 GB together.
struct OneByOne<I>(Cell<Option<I>>);

impl<I: Iterator<Item = Value>> Serialize for OneByOne<I> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.take().into_iter().flatten())
    }
}

fn summary_json(trace: &Trace) -> serde_json::Result<String> {
    let all = Summary::new(trace);
    let spent = |s: &Spent| json!({"n": s.n, "ns": s.ns});
    // By what Go's traces call it, and by what tracebacks do.
    let mut blocks: BTreeMap<&str, u64> = BTreeMap::new();
    let mut waits: BTreeMap<&str, u64> = BTreeMap::new();
    for (reason, s) in all.goroutines.values().flat_map(|g| &g.waited) {
        *blocks.entry(trace::go::block_reason(reason)).or_default() += s.n;
        *waits.entry(reason).or_default() += s.n;
    }
    let goroutines = all.goroutines.iter().map(|(id, g)| {
        let waited: serde_json::Map<String, Value> = g
            .waited
            .iter()
            .map(|(reason, s)| (reason.clone(), spent(s)))
            .collect();
        let calls = g.calls_of.iter().map(|(kernel, s)| {
            let name = match trace.tables.text(*kernel) {
                "" => "other",
                name => name,
            };
            (name.to_string(), spent(s))
        });
        let calls: serde_json::Map<String, Value> = calls.collect();
        let on = g.waited_on.iter().map(|(id, s)| {
            let known = all.objects.get(id);
            let elem = known.map_or("", |o| trace.tables.text(o.elem));
            json!({
                "object": id,
                "kind": known.map_or("object", |o| &o.kind),
                "elem": elem,
                "n": s.n,
                "ns": s.ns,
            })
        });
        json!({
            "g": id,
            "func": trace.tables.text(g.func),
            "made": made_at(trace, g),
            "system": g.is_system,
            "ended": g.has_ended,
            "ran": spent(&g.ran),
            "runnable": spent(&g.runnable),
            "syscall": spent(&g.calls),
            "syscalls": calls,
            "waited": waited,
            "on": on.collect::<Vec<_>>(),
            "starts": g.starts,
            "preempted": g.preempted,
            "longest": {"ns": g.longest.ns, "at": g.longest.seq, "why": g.longest.why},
        })
    });
    let starts = all.goroutines.values().flat_map(|g| g.starts.values());
    let choices = steered::choices(trace);
    let switches = choices.iter().filter(|c| c.is_switch);
    serde_json::to_string(&SummaryJson {
        blocks,
        choices: choices.len(),
        collections: spent(&all.collections),
        creates: all.goroutines.len(),
        goroutines: OneByOne(Cell::new(Some(goroutines))),
        ns: all.ns,
        starts: starts.sum(),
        steered: steered::is_steered(trace),
        stops: spent(&all.stops),
        switches: switches.map(choices::to_json).collect(),
        waits,
    })
}

/// A time in three digits or so.
fn time(ns: i64) -> String {
    let ns = ns as f64;
    match () {
        () if ns < 1e3 => format!("{ns} ns"),
        () if ns < 1e6 => format!("{:.1} µs", ns / 1e3),
        () if ns < 1e9 => format!("{:.1} ms", ns / 1e6),
        () => format!("{:.2} s", ns / 1e9),
    }
}

/// Goroutines that ran longest first; of many of the same function the others are left out.
fn summary_text(trace: &Trace) -> String {
    const ROWS: usize = 40;
    let all = Summary::new(trace);
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = writeln!(
        text,
        "{} goroutines in {}; {} collections of {}, {} stops of {}\n",
        all.goroutines.len(),
        time(all.ns),
        all.collections.n,
        time(all.collections.ns),
        all.stops.n,
        time(all.stops.ns),
    );
    text += &choices::text(trace);
    let mut rows: Vec<(&u64, &Sum)> = all.goroutines.iter().collect();
    rows.sort_by_key(|(id, g)| (g.is_system, -g.ran.ns, **id));
    let _ = writeln!(
        text,
        "{:<24} {:>9} {:>9} {:>9}  waited, and where it came from",
        "goroutine", "ran", "runnable", "longest"
    );
    for (id, g) in rows.iter().take(ROWS) {
        let name: String = trace.tables.text(g.func).chars().take(24 - 8).collect();
        let mut waited: Vec<(&String, &Spent)> = g.waited.iter().collect();
        waited.sort_by_key(|(_, s)| -s.ns);
        let waits = waited.iter().take(2).map(|(reason, s)| {
            let reason = if reason.is_empty() {
                "the runtime"
            } else {
                reason
            };
            format!("{reason} {} × {}", s.n, time(s.ns))
        });
        let starts = g.starts.iter().map(|(why, n)| format!("{why} {n}"));
        let what: Vec<String> = waits.chain(starts).collect();
        let line = format!(
            "{:<24} {:>9} {:>9} {:>9}  {}",
            format!("g{id} {name}"),
            time(g.ran.ns),
            time(g.runnable.ns),
            time(g.longest.ns),
            what.join(", ")
        );
        let short: String = line.chars().take(100).collect();
        let _ = writeln!(text, "{}", short.trim_end());
    }
    if rows.len() > ROWS {
        let _ = writeln!(text, "and {} more; --json tells of all", rows.len() - ROWS);
    }
    text
}
