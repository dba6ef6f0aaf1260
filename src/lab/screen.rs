//! What the laboratory shows: at most 40 rows of 100 columns.

use super::catalog::{Figure, Limit, Rule};
use super::{Run, Shown};
use crate::traces::timeline::{Look, picture};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;
use trace::timeline::{Axis, Timeline};

/// Columns of a lane.
const WIDTH: usize = 90;
/// Lanes of a picture, at most.
const LANES: usize = 4;
/// Goroutines that are named below it, at most.
const NAMED: usize = 4;

/// What a figure is to be, in words.
pub(super) fn limit(limit: Limit) -> String {
    match limit {
        Limit::AtLeast(n) => format!("at least {n}"),
        Limit::AtMost(n) => format!("at most {n}"),
        Limit::Between(a, b) => format!("{a} to {b}"),
        Limit::Times(n) => format!("{n} times as much, or more"),
        Limit::OneIn(n) => format!("one {n}th of that, or less"),
        Limit::Never => "never".into(),
        Limit::Any => "anything".into(),
    }
}

pub(super) fn number(figure: Option<i64>) -> String {
    figure.map_or("never".into(), |n| n.to_string())
}

fn good(is_good: bool) -> &'static str {
    if is_good { "good" } else { "BAD" }
}

/// The screen of a rule.
pub(super) fn rule(rule: &Rule, shown: &Shown) -> String {
    let without = format!("without {}", rule.off.join(","));
    let [a, b] = rule.verdicts(shown);
    let mut out = format!("{} {}: {}\n\n", rule.id, rule.name, rule.about);
    let rows = [
        ("", "with it".to_string(), without.clone()),
        (
            rule.unit,
            number(shown.figures[0]),
            number(shown.figures[1]),
        ),
        ("is to be", limit(rule.with), limit(rule.without)),
        ("", good(a).into(), good(b).into()),
    ];
    for (what, with, without) in rows {
        let _ = writeln!(
            out,
            "{}",
            format!("{what:40}  {with:24}  {without}").trim_end()
        );
    }
    out.push('\n');
    rule.why.iter().for_each(|line| {
        let _ = writeln!(out, "{line}");
    });
    let _ = writeln!(out, "\nWith it:");
    out += &lanes(&shown.with);
    let _ = writeln!(out, "\n{}{}:", &without[..1].to_uppercase(), &without[1..]);
    out += &lanes(&shown.without);
    let both = match rule.always {
        [] => String::new(),
        always => format!(", {} off in both", always.join(",")),
    };
    let counted = match rule.figure {
        Figure::Printed(_) => "",
        Figure::Untraced(_) => "; a trace would wake it",
        Figure::Counted(_) => "; the figure is counted in the trace",
    };
    let ps = if rule.procs == 1 { "P" } else { "Ps" };
    let _ = write!(
        out,
        "\nThe program: examples/lab/{}, on {} {ps}{both}{counted}\nNext: {}\n",
        rule.file, rule.procs, rule.next
    );
    out
}

/// The picture of a run.
fn lanes(run: &Run) -> String {
    let Some(trace) = &run.trace else {
        return "  (not traced)\n".into();
    };
    let timeline = Timeline::new(trace, Axis::Time, None, None, WIDTH);
    let look = Look {
        lanes: LANES,
        named: NAMED,
        has_colors: crate::colors::on(&std::io::stdout()).colors,
    };
    let mut out = String::new();
    for line in picture(trace, &timeline, look) {
        let _ = writeln!(out, "  {line}");
    }
    out
}

/// A rule in one line.
pub(super) fn line(rule: &Rule, shown: &Shown) -> String {
    let is_good = rule.verdicts(shown) == [true; 2];
    format!(
        "{:4}  {:3} {:18}  {} ({}), without {} ({}): {}\n",
        good(is_good),
        rule.id,
        rule.name,
        number(shown.figures[0]),
        limit(rule.with),
        number(shown.figures[1]),
        limit(rule.without),
        rule.unit,
    )
}

pub(super) fn end(run: &Run) -> String {
    match &run.failed {
        _ if run.is_endless => format!("ended after {:.1} s", run.took.as_secs_f64()),
        Some(status) => format!("{status} after {:.3} s", run.took.as_secs_f64()),
        None => format!("{:.3} s", run.took.as_secs_f64()),
    }
}

/// The screen of any program.
pub(super) fn runs(program: &Path, runs: &[Run; 2], without: &str) -> String {
    let mut out = String::new();
    let names = ["As it is".to_string(), format!("Without {without}")];
    for (run, name) in runs.iter().zip(names) {
        let _ = writeln!(out, "{name}: {}, {}", program.display(), end(run));
        let last: Vec<&str> = run.output.lines().rev().take(6).collect();
        for line in last.iter().rev() {
            let shown: String = line.chars().take(WIDTH).collect();
            let _ = writeln!(out, "  | {shown}");
        }
        out += &lanes(run);
        out.push('\n');
    }
    let same = if runs[0].output == runs[1].output {
        "the same"
    } else {
        "something else"
    };
    let _ = writeln!(out, "Without it the program prints {same}.");
    out
}

/// The same as JSON.
pub(super) fn runs_json(runs: &[Run; 2], off: &[&str]) -> Value {
    let run = |run: &Run| {
        json!({
            "seconds": run.took.as_secs_f64(),
            "endless": run.is_endless,
            "failed": run.failed,
            "output": run.output,
        })
    };
    json!({ "off": off, "with": run(&runs[0]), "without": run(&runs[1]) })
}
