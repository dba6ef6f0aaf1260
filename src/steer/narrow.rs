//! Asks a test binary for nothing but the sub-test that has failed: what its siblings do is no part
//! of the story.
//!
//! Goroutines have other numbers then, so the schedule that failed means nothing: a new search
//! looks for the same failure.

use super::child::{Run, Runner, Spec};
use super::explore::{Found, Search};
use super::finding::Finding;
use super::schedules::schedules;
use gosched_runtime::control::log::Kind;
use std::io;

/// So many schedules are tried.
const SCHEDULES: u64 = 100;

const RUN: &str = "-test.run=";

/// The words that ask for the failed sub-test alone, if `args` ask for more.
fn words(args: &[String], finding: &Finding) -> Option<Vec<String>> {
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

/// What was found, in a run of less of the program if it fails there, too.
pub(super) fn narrowed(search: &Search, runner: &mut Runner, found: Found) -> io::Result<Found> {
    let Some(words) = words(&runner.args, &found.finding) else {
        return Ok(found);
    };
    let all = std::mem::replace(&mut runner.args, words);
    let run = again(search, runner, &found);
    let words = std::mem::replace(&mut runner.args, all);
    Ok(match run? {
        Some((spec, run)) => Found {
            spec,
            run,
            args: Some(words),
            ..found
        },
        None => found,
    })
}

/// A schedule of what `runner` runs that fails as `found` does; `None`: there is none among the
/// first. The clock passes nobody where it has not before.
fn again(search: &Search, runner: &mut Runner, found: &Found) -> io::Result<Option<(Spec, Run)>> {
    let mut schedules = schedules(search);
    for _ in 0..SCHEDULES {
        let Some(spec) = schedules.next() else {
            break;
        };
        let run = runner.run(spec.clone())?;
        schedules.look(&spec, &run);
        let is_late = run.has(Kind::Pass) && !found.run.has(Kind::Pass);
        if found.finding.is_in(&run) && !is_late {
            return Ok(Some((spec, run)));
        }
    }
    Ok(None)
}
