//! `gosched trace`: what is in a trace.
//!
//! Reading and rebuilding is the work of the package `trace`; here files are opened, and words
//! made.

use crate::driver::{print_error, print_output};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{self, BufWriter, Write as _};
use std::path::Path;
use trace::queues::{Contradiction, Goroutine, Item, Place, Queues};
use trace::read::Trace;

/// The exit status when a trace contradicts itself, or is not whole.
const WRONG: i32 = 1;
/// The exit status when there is no trace to look at.
const UNREADABLE: i32 = 2;

/// What is asked of a trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Asked {
    /// Whether all its events agree.
    Check,
    /// What is in the queues behind the event of this number.
    Queues(Option<u64>),
    /// All of it as JSON lines.
    Lines,
}

/// Does what is asked with the file at `path`; the exit status.
pub(crate) fn run(asked: Asked, path: &OsString, as_json: bool) -> i32 {
    let path = Path::new(path);
    let read = std::fs::read(path).map_err(|e| crate::loader::message("open", path, &e));
    let shown = path.display();
    let trace =
        read.and_then(|bytes| Trace::from_bytes(&bytes).map_err(|why| format!("{shown}: {why}")));
    let trace = match trace {
        Ok(trace) => trace,
        Err(why) => {
            print_error(format_args!("gosched: {why}\n"));
            return UNREADABLE;
        }
    };
    let flaw = trace.flaw();
    if let Some(flaw) = &flaw {
        let last = trace.events[..trace.sound].last();
        let last = last.map_or("none".into(), |e| e.seq.to_string());
        print_error(format_args!(
            "gosched: {shown}: {flaw}; the last event that none before it is missing for: {last}\n"
        ));
    }
    match asked {
        Asked::Check => check(&trace, path, flaw.is_some()),
        Asked::Queues(at) => queues(&trace, path, at, as_json),
        Asked::Lines => match lines(&trace) {
            Ok(()) => 0,
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => 0,
            Err(e) => {
                print_error(format_args!("gosched: {e}\n"));
                WRONG
            }
        },
    }
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

fn lines(trace: &Trace) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    out.write_all(&trace::json::head(trace::json::VERSION, &trace.head))?;
    let (mut text, mut next, mut ns) = (Vec::new(), 0, 0);
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
    out.flush()
}

// ---- queues -------------------------------------------------------------------------------------

fn queues(trace: &Trace, path: &Path, at: Option<u64>, as_json: bool) -> i32 {
    let last = trace.events[..trace.sound].last().map_or(0, |e| e.seq);
    let at = at.unwrap_or(last);
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
    let objects = queues.objects.iter().filter(|(_, o)| !o.waiters.is_empty());
    let objects = objects
        .map(|(id, o)| json!({"object": id, "kind": o.kind, "cap": o.cap, "waiters": o.waiters}));
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
        "idle": threads(|t| t.is_idle),
        "searching": threads(|t| t.searches),
        "goroutines": goroutines.collect::<Vec<_>>(),
        "objects": objects.collect::<Vec<_>>(),
    })
}

/// One word for where a goroutine is.
fn word(place: Place) -> &'static str {
    match place {
        Place::Limbo | Place::Hand(_) => "moving",
        Place::Runnext(_) => "runnext",
        Place::Ring(_) => "ring",
        Place::Global => "global",
        Place::Aside => "aside",
        Place::Wired => "wired",
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
    for (title, place) in [("aside", Place::Aside), ("wired", Place::Wired)] {
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
                let kind = queues.objects.get(object).map_or("object", |o| &o.kind);
                let dir = match dir.as_str() {
                    "" | "none" => String::new(),
                    dir => format!("{dir} on "),
                };
                format!("{dir}{kind} {object}")
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
