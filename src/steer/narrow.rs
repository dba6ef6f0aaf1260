//! Asks a test binary for nothing but the sub-test that has failed: what its siblings do is no part
//! of the story.
//!
//! Goroutines have other numbers then, so the schedule that failed means nothing: a new search
//! looks for the same failure.

use super::child::{Run, Runner, Spec};
use super::explore::{Found, Search};
use super::finding::Finding;
use super::schedules::schedules;
use std::io;

/// So many schedules are tried.
const SCHEDULES: u64 = 100;

const RUN: &str = "-test.run=";

/// The words that ask for the failed sub-test alone, if `args` ask for more.
pub(super) fn words(args: &[String], finding: &Finding) -> Option<Vec<String>> {
    let test = finding.test.as_ref().filter(|test| test.contains('/'))?;
    let names: Vec<String> = test.split('/').map(pattern).collect();
    let asked = format!("{RUN}{}", names.join("/"));
    let is_run = |arg: &String| arg.starts_with(RUN);
    if !args.iter().any(is_run) || args.contains(&asked) {
        return None;
    }
    let word = |arg: &String| match is_run(arg) {
        true => asked.clone(),
        false => arg.clone(),
    };
    Some(args.iter().map(word).collect())
}

/// The pattern that matches this name alone.
fn pattern(name: &str) -> String {
    let mut pattern = "^".to_string();
    for c in name.chars() {
        if r"\.+*?()|[]{}^$".contains(c) {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern + "$"
}

/// A schedule of what `runner` runs now that fails as `found` does; `None`: there is none among
/// the first.
pub(super) fn again(
    search: &Search,
    runner: &mut Runner,
    found: &Found,
) -> io::Result<Option<(Spec, Run)>> {
    let mut schedules = schedules(search);
    for _ in 0..SCHEDULES {
        let Some(spec) = schedules.next() else {
            break;
        };
        let run = runner.run(spec.clone())?;
        schedules.look(&spec, &run);
        if found.finding.is_in(&run) {
            return Ok(Some((spec, run)));
        }
    }
    Ok(None)
}
