//! Both runs of an experiment as a page, with figures, verdicts and the program above them.

use super::catalog::Rule;
use super::{Run, Shown, screen};
use crate::traces::view::{self, Window};
use serde_json::{Value, json};
use std::path::Path;

/// The page of a rule.
pub(super) fn rule(rule: &Rule, shown: &Shown) -> String {
    let without = format!("Without {}", rule.off.join(", "));
    let runs = [("With it", &shown.with), (&without, &shown.without)];
    let limits = [rule.with, rule.without];
    let verdicts = rule.verdicts(shown);
    let cards = (0..2).map(|k| {
        json!({
            "name": runs[k].0,
            "figure": screen::number(shown.figures[k]),
            "note": format!("is to be: {}", screen::limit(limits[k])),
            "good": verdicts[k],
        })
    });
    let card = json!({
        "title": format!("{} {}", rule.id, rule.name),
        "about": rule.about,
        "unit": rule.unit,
        "why": rule.why,
        "next": rule.next,
        "file": format!("examples/lab/{}", rule.file),
        "program": rule.source,
        "runs": cards.collect::<Vec<_>>(),
    });
    view::page(rule.name, &card, &traced(&runs))
}

/// The page of any program.
pub(super) fn runs(program: &Path, runs: &[Run; 2], without: &str) -> String {
    let name = format!("Without {without}");
    let same = match runs[0].output == runs[1].output {
        true => "prints the same",
        false => "prints something else",
    };
    let named = [("As it is", &runs[0]), (&name, &runs[1])];
    let cards = named.iter().zip(["", same]).map(
        |((name, run), note)| json!({ "name": name, "figure": screen::end(run), "note": note }),
    );
    let text = std::fs::read_to_string(program).ok();
    let card = json!({
        "title": program.display().to_string(),
        "about": format!("What becomes of it without {without}"),
        "why": [],
        "file": program.display().to_string(),
        "program": text,
        "runs": cards.collect::<Vec<_>>(),
    });
    view::page(&program.display().to_string(), &card, &traced(&named))
}

/// The runs that have been traced.
fn traced(runs: &[(&str, &Run)]) -> Vec<Value> {
    let traced = |(name, run): &(&str, &Run)| {
        let trace = run.trace.as_ref()?;
        Some(view::run(name, trace, Window::default()))
    };
    runs.iter().filter_map(traced).collect()
}
