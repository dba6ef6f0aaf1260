//! Why a goroutine had no turn, in words.

use serde_json::{Value, json};
use std::fmt::Write as _;
use trace::object::described;
use trace::queues::Place;
use trace::read::Trace;
use trace::steered::CHOSEN;
use trace::why::{Deed, Part, Rule, Step, Unanswered, When, Who, Why};
use trace::wire::Event;

use super::choices;
use super::timeline::duration;

/// Goroutines that are named in a step, at most.
const NAMED: usize = 3;
/// Decisions of a steered run that are told, at most; switches come first.
const CHOICES: usize = 12;
/// Columns.
const WIDTH: usize = 100;
/// What is said of a turn that has no end.
const NEVER: &str = "nobody is stopped when its slice is over";

/// Which goroutine `text` means: a number, also behind a `g`, or the name of a function.
pub(crate) fn who(text: &str) -> Who {
    let number = text.strip_prefix('g').unwrap_or(text).parse();
    number.map_or_else(|_| Who::Function(text.into()), Who::Number)
}

/// What is to be said when there is no answer.
pub(super) fn none(who: &Who, when: When, why: Unanswered) -> String {
    let shown = match who {
        Who::Number(g) => format!("goroutine {g}"),
        Who::Function(name) => format!("goroutine of {name}"),
    };
    match (why, when) {
        (Unanswered::Nobody, _) => format!("the trace tells of no {shown}"),
        (Unanswered::NoWait, When::Longest) => format!("no {shown} ever waits for a turn"),
        (Unanswered::NoWait, _) => format!("no {shown} waits for a turn then"),
    }
}

/// A file's name without its folders, and the line.
fn line(trace: &Trace, stack: u64) -> Option<String> {
    let frame = trace.tables.stack(stack).first()?;
    let file = trace.tables.text(frame.file);
    let name = file.rsplit('/').next().filter(|name| !name.is_empty())?;
    Some(format!("{name}:{}", frame.line))
}

/// Where most of its turns ended.
fn place(trace: &Trace, part: &Part) -> Option<String> {
    let most = part.places.iter().max_by_key(|(_, n)| **n)?;
    line(trace, *most.0)
}

fn name(trace: &Trace, why: &Why, g: u64) -> String {
    let func = why.names.get(&g).map_or("", |f| trace.tables.text(*f));
    match func {
        "" => format!("g{g}"),
        func => format!("g{g} {func}"),
    }
}

/// What the goroutine waited on until then, unless it was one of several.
fn waited_on(trace: &Trace, why: &Why) -> Option<String> {
    let op = |e: &Event, name: &str| {
        let slot = trace.schema.slot(e.kind, name);
        slot.map_or(0, |i| trace.ops(e)[i])
    };
    let mut earlier = trace.events[..why.cause].iter().rev();
    let park = earlier.find(|e| e.g == why.g && trace.name(e) == "park")?;
    let id = op(park, "on");
    if id == 0 || op(park, "more") > 0 {
        return None;
    }
    let mut all = trace.events[..why.cause].iter().chain(&trace.before);
    let named = all.find(|e| trace.name(e) == "object" && op(e, "id") == id)?;
    let slot = trace.schema.slot(named.kind, "kind")?;
    let kind = trace
        .schema
        .word(named.kind, slot, trace.ops(named)[slot])?;
    let kind = described(kind, trace.tables.text(op(named, "elem")));
    Some(format!(" on {kind} {id}"))
}

/// What happened that it could run, and where.
fn cause(trace: &Trace, why: &Why) -> String {
    let e = &trace.events[why.cause];
    let op = |name: &str| trace.schema.slot(e.kind, name).map(|i| trace.ops(e)[i]);
    let word = |name: &str| {
        let slot = trace.schema.slot(e.kind, name);
        slot.and_then(|i| trace.schema.word(e.kind, i, trace.ops(e)[i]))
            .unwrap_or("")
    };
    let at = op("stack").and_then(|stack| line(trace, stack));
    let at = at.map_or_else(String::new, |line| format!(" at {line}"));
    let who = |g: Option<u64>| match g {
        Some(0) | None => "the runtime".to_string(),
        Some(g) => name(trace, why, g),
    };
    match (trace.name(e), word("how"), word("by")) {
        ("create", ..) => format!("{} made it{at}", who(op("by"))),
        ("yield", "preempt", _) => format!("it was stopped{at}, for its slice was over"),
        ("yield", ..) if trace::steered::is_steered(trace) => {
            format!("it let others be chosen{at}")
        }
        ("yield", ..) => format!("it called runtime.Gosched{at}"),
        ("ready", _, "goroutine") => match word("op") {
            "other" | "" => format!("{} woke it", who(op("goid"))),
            op_word => {
                let on = waited_on(trace, why).unwrap_or_default();
                format!("{} woke it: {op_word}{on}", who(op("goid")))
            }
        },
        ("ready", _, by) => format!("the {by} woke it"),
        _ => "it came back from a system call, and no P was free".into(),
    }
}

fn stays(place: Place) -> String {
    match place {
        Place::Runnext(p) => format!("in runnext of P{p}"),
        Place::Ring(p) => format!("on the ring of P{p}"),
        Place::Global => "on the global queue".into(),
        Place::Aside => "kept back, for no goroutine may run".into(),
        Place::Wired => "with the thread it is wired to".into(),
        Place::Offered => "among those that are chosen from".into(),
        _ => "in no queue".into(),
    }
}

fn rule(rule: &Rule) -> String {
    let state = if rule.is_off { " (off)" } else { "" };
    format!("{}{state}", rule.name)
}

fn rules(all: &[Rule]) -> String {
    let all: Vec<String> = all.iter().map(rule).collect();
    all.join(", ")
}

/// Why the step came first, in a sentence or two.
fn because(step: &Step, place: Place) -> String {
    let is_off = |name: &str| step.rules.iter().any(|r| r.name == name && r.is_off);
    let mut text = match (step.deed, step.reason()) {
        (Deed::Called, _) if is_off("retake") => {
            "it is in a system call, and nobody takes its P away"
        }
        (Deed::Called, _) => "it is in a system call, until its P is taken away",
        (Deed::Idled, _) => "",
        (Deed::Ran, "runnext") if is_off("slice-inheritance") => match step.is_closed() {
            true => "they wake one another: who is woken comes first, in a new slice",
            false => "who is woken comes first, in a new slice",
        },
        (Deed::Ran, "runnext") => match step.is_closed() {
            true => "they wake one another: who is woken comes first, in the same slice",
            false => "who is woken comes first, in the same slice",
        },
        (Deed::Ran, "local") => match place {
            Place::Ring(_) if is_off("fifo") => "who came to the ring last comes first",
            Place::Ring(_) => "they were on the ring before it",
            Place::Global if is_off("global-poll") => {
                "the ring comes before the global queue, always"
            }
            Place::Global => "the ring comes before the global queue, but for each 61st turn",
            _ => "",
        },
        (Deed::Ran, "global-61") => "it is the 61st turn, which is the global queue's",
        (Deed::Ran, "global") => match place {
            Place::Global => "they were on the global queue before it",
            _ => "they came from the global queue",
        },
        (Deed::Ran, "steal" | "steal-runnext") => "they were stolen from another P",
        (Deed::Ran, "timer") => "a timer of another P woke them",
        (Deed::Ran, "netpoll") => "the network woke them",
        (Deed::Ran, "chosen") => CHOSEN,
        (Deed::Ran, "wired") => "they are wired to the thread",
        (Deed::Ran, "syscall") => "they came back from a system call, and took an idle P",
        (Deed::Ran, "gc-worker") => "the collector has its share",
        (Deed::Ran, _) => "",
    }
    .to_string();
    if is_off("async-preempt") || is_off("coop-preempt") {
        let comma = if text.is_empty() { "" } else { "; " };
        text += comma;
        text += NEVER;
    }
    text
}

/// Who had the turns of a step, a line each.
fn people(trace: &Trace, why: &Why, step: &Step) -> Vec<String> {
    let mut all: Vec<(&u64, &Part)> = step.who.iter().collect();
    all.sort_by_key(|(g, part)| (std::cmp::Reverse((part.ns, part.turns)), **g));
    let shown = all.iter().take(NAMED).map(|(g, part)| {
        let at = place(trace, part);
        let at = at.map_or_else(String::new, |line| format!(" ({line})"));
        format!("{}{at}", name(trace, why, **g))
    });
    let mut lines: Vec<String> = shown.collect();
    match all.len() - lines.len() {
        0 => {}
        1 => lines.push("and one more".into()),
        n => lines.push(format!("and {n} more")),
    }
    lines
}

/// What happened, then by which rule: lines of a step.
fn told(trace: &Trace, why: &Why, step: &Step) -> Vec<String> {
    let mut lines = match step.deed {
        Deed::Idled => vec!["nobody runs".into()],
        Deed::Called | Deed::Ran => people(trace, why, step),
    };
    let place = why.stays[step.stay].place;
    let because = because(step, place);
    if step.deed == Deed::Ran {
        let turns = match step.turns() {
            1 => "1 turn".into(),
            n => format!("{n} turns"),
        };
        let mut starts: Vec<(&String, &u64)> = step.starts.iter().collect();
        starts.sort_by_key(|(_, n)| std::cmp::Reverse(**n));
        let starts: Vec<&str> = starts.iter().map(|(why, _)| why.as_str()).collect();
        lines.push(format!(
            "{turns} ({}), the longest {}",
            starts.join(", "),
            duration(step.longest)
        ));
    }
    let because = because.split("; ").filter(|part| !part.is_empty());
    lines.extend(because.map(String::from));
    if !step.rules.is_empty() {
        let one = if step.rules.len() == 1 {
            "rule"
        } else {
            "rules"
        };
        lines.push(format!("{one}: {}", rules(&step.rules)));
    }
    lines
}

/// By which decisions of a steered run others came first, a line each; switches have a mark.
fn decisions(trace: &Trace, why: &Why) -> String {
    let mut text = String::new();
    let mut shown: Vec<usize> = (0..why.choices.len()).collect();
    shown.sort_by_key(|i| !why.choices[*i].is_switch);
    shown.truncate(CHOICES);
    shown.sort_unstable();
    for i in &shown {
        let choice = &why.choices[*i];
        let mark = if choice.is_switch { '▲' } else { ' ' };
        let told = choices::sentence(choice, |g| name(trace, why, g));
        let line = format!("{mark} event {}, decision {}: {told}", choice.seq, choice.n);
        let short: String = line.chars().take(WIDTH).collect();
        text += short.trim_end();
        text.push('\n');
    }
    let more = why.choices.len() - shown.len();
    if more > 0 {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "  and {more} more decisions; --json tells of all");
    }
    text
}

pub(super) fn text(trace: &Trace, why: &Why) -> String {
    let mut text = String::new();
    let me = name(trace, why, why.g);
    let ns = duration(why.to - why.from);
    let (from, to) = (duration(why.from), duration(why.to));
    // Writing to a String cannot fail.
    let _ = match why.start {
        Some(_) => writeln!(text, "{me} waited {ns} for a turn, from {from} to {to}"),
        None => writeln!(
            text,
            "{me} waits {ns} for a turn, from {from} until the trace ends"
        ),
    };
    let seq = trace.events[why.cause].seq;
    let _ = writeln!(text, "  event {seq}: {}", cause(trace, why));
    for stay in &why.stays {
        let _ = writeln!(text, "  event {}: it is {}", stay.seq, stays(stay.place));
    }
    let _ = writeln!(
        text,
        "\n{:>12} {:>12}  {:4} who ran instead",
        "from", "until", "P"
    );
    for step in &why.steps {
        let (from, to) = (duration(step.from), duration(step.to));
        let p = format!("P{}", step.p);
        for (i, line) in told(trace, why, step).iter().enumerate() {
            let line = match i {
                0 => format!("{from:>12} {to:>12}  {p:4} {line}"),
                _ => format!("{:>31} {line}", ""),
            };
            let short: String = line.chars().take(WIDTH).collect();
            let _ = writeln!(text, "{}", short.trim_end());
        }
    }
    text.push('\n');
    text += &decisions(trace, why);
    if let Some(start) = why.start {
        let e = &trace.events[start];
        let slot = trace.schema.slot(e.kind, "why");
        let word = slot.and_then(|i| trace.schema.word(e.kind, i, trace.ops(e)[i]));
        let _ = writeln!(
            text,
            "event {}: its turn on P{}: {}",
            e.seq,
            e.p,
            word.unwrap_or("-")
        );
    }
    if why.stopped > 0 {
        let _ = writeln!(
            text,
            "the world was stopped for {} of it",
            duration(why.stopped)
        );
    }
    if why.idle > (why.to - why.from) / 50 {
        let _ = writeln!(text, "other Ps ran nobody for {} of it", duration(why.idle));
    }
    if !why.rules.is_empty() {
        let one = if why.rules.len() == 1 {
            "rule"
        } else {
            "rules"
        };
        let _ = writeln!(text, "{one}: {}", rules(&why.rules));
    }
    text
}

pub(super) fn to_json(trace: &Trace, why: &Why) -> Value {
    let rules = |all: &[Rule]| -> Vec<Value> {
        let all = all.iter();
        all.map(|r| json!({"rule": r.name, "off": r.is_off}))
            .collect()
    };
    let named = |g: u64| why.names.get(&g).map_or("", |f| trace.tables.text(*f));
    let places = why.stays.iter();
    let stays: Vec<Value> = places
        .map(|s| json!({"seq": s.seq, "ns": s.from, "place": stays(s.place)}))
        .collect();
    let steps = why.steps.iter().map(|step| {
        let who = step.who.iter().map(|(g, part)| {
            json!({
                "g": g,
                "func": named(*g),
                "turns": part.turns,
                "ns": part.ns,
                "at": place(trace, part),
            })
        });
        json!({
            "p": step.p,
            "from": step.from,
            "to": step.to,
            "did": match step.deed {
                Deed::Ran => "ran",
                Deed::Called => "syscall",
                Deed::Idled => "idle",
            },
            "who": who.collect::<Vec<_>>(),
            "turns": step.turns(),
            "longest": step.longest,
            "starts": step.starts,
            "because": because(step, why.stays[step.stay].place),
            "rules": rules(&step.rules),
        })
    });
    json!({
        "g": why.g,
        "func": named(why.g),
        "from": why.from,
        "to": why.to,
        "ns": why.to - why.from,
        "seq": trace.events[why.cause].seq,
        "cause": cause(trace, why),
        "ended": why.start.map(|i| trace.events[i].seq),
        "stays": stays,
        "steps": steps.collect::<Vec<_>>(),
        "choices": why.choices.iter().map(choices::to_json).collect::<Vec<_>>(),
        "stopped": why.stopped,
        "idle": why.idle,
        "rules": rules(&why.rules),
    })
}
