//! Decisions of steered runs, in words.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use trace::read::Trace;
use trace::steered::{self, Choice, Chosen};

/// Switches that are told one by one, at most.
const SHOWN: usize = 20;

/// What is chosen; `name` names goroutines.
pub(super) fn sentence(choice: &Choice, name: impl Fn(u64) -> String) -> String {
    let Choice { g, usual, of, .. } = *choice;
    match choice.what {
        Chosen::Run if usual == g => format!("of {of} {} runs", name(g)),
        Chosen::Run => format!("of {of} {} runs, not {} as usual", name(g), name(usual)),
        Chosen::Case(case) => {
            let who = match g {
                0 => "of timers that are due together".into(),
                g => format!("a select of {}", name(g)),
            };
            format!("{who}: ready case {} of {of} is taken", case + 1)
        }
        Chosen::Time => "time passes, though goroutines can run".into(),
    }
}

pub(super) fn to_json(choice: &Choice) -> Value {
    let (what, case) = match choice.what {
        Chosen::Run => ("run", None),
        Chosen::Case(case) => ("case", Some(case)),
        Chosen::Time => ("time", None),
    };
    json!({
        "seq": choice.seq,
        "n": choice.n,
        "what": what,
        "g": choice.g,
        "usual": choice.usual,
        "of": choice.of,
        "case": case,
        "switch": choice.is_switch,
    })
}

/// Who is who, by the functions that goroutines were made to run.
fn names(trace: &Trace) -> impl Fn(u64) -> String {
    let mut funcs: BTreeMap<u64, String> = BTreeMap::new();
    for e in trace.before.iter().chain(&trace.events) {
        let slot = trace.schema.slot(e.kind, "func");
        if let ("create", Some(slot)) = (trace.name(e), slot) {
            let func = trace.tables.text(trace.ops(e)[slot]);
            funcs.insert(e.g, func.into());
        }
    }
    move |g| match funcs.get(&g) {
        Some(func) if !func.is_empty() => format!("g{g} {func}"),
        _ => format!("g{g}"),
    }
}

/// The switches of a trace, a line each; nothing if its run was not steered.
pub(super) fn text(trace: &Trace) -> String {
    let mut text = String::new();
    if !steered::is_steered(trace) {
        return text;
    }
    let all = steered::choices(trace);
    let switches: Vec<&Choice> = all.iter().filter(|c| c.is_switch).collect();
    let many = |n: usize, one: &str| match n {
        1 => format!("1 {one}"),
        n => format!("{n} {one}s"),
    };
    // Writing to a String cannot fail.
    let _ = writeln!(
        text,
        "steered: {}, {}",
        many(all.len(), "decision"),
        match switches.len() {
            1 => "1 switch".into(),
            n => format!("{n} switches"),
        }
    );
    let name = names(trace);
    for choice in switches.iter().take(SHOWN) {
        let told = sentence(choice, &name);
        let line = format!("  decision {} (event {}): {told}", choice.n, choice.seq);
        let short: String = line.chars().take(100).collect();
        let _ = writeln!(text, "{short}");
    }
    if switches.len() > SHOWN {
        let more = switches.len() - SHOWN;
        let _ = writeln!(text, "  and {more} more; --json tells of all");
    }
    text.push('\n');
    text
}
