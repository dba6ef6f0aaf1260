//! What is told of a search: what was found, made small, as a story or as data; or that nothing
//! was.

use super::FOUND;
use super::cause::cause;
use super::child::{RUN_LIMIT, Runner, Spec};
use super::explore::{Found, OUTPUTS, Search, jumps};
use super::minimise::{Minimal, minimise};
use super::narrow::narrowed;
use super::recording::{Recording, sources, usual_file};
use super::story::Story;
use crate::driver::{print_error, print_output};
use crate::loader;
use gosched_runtime::control::strategy::Plan;
use serde::Serialize;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// How often what was found is replayed, before it is told.
const REPLAYS: u32 = 3;

/// What a search has come to.
pub(super) struct Outcome {
    pub found: Vec<Found>,
    /// Schedules that were looked at.
    pub ended: u64,
    /// Those of them that did not end by themselves.
    pub cut: u64,
    /// Those that did not go as they were told to.
    pub escaped: u64,
    /// How many different outputs there were.
    pub outputs: usize,
    /// What can be said of all schedules.
    pub claim: Option<String>,
    /// Goroutines that are left in every schedule: where they were made, and where they wait.
    pub always_left: Vec<(u64, u64)>,
}

/// What is told of a search, as data: an object for each thing found, or one that says that there
/// is none.
#[derive(Serialize, Default)]
struct Report<'a> {
    /// The test whose schedules were searched, with its package.
    #[serde(skip_serializing_if = "Option::is_none")]
    test: Option<&'a str>,
    found: Option<String>,
    schedules: u64,
    cut: u64,
    escaped: u64,
    outputs: usize,
    seconds: f64,
    /// What can be said of all schedules.
    #[serde(skip_serializing_if = "Option::is_none")]
    all: Option<String>,
    /// It is found only if the clock passes goroutines that can run.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    jumps: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    story: Option<&'a Story>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    choices: Option<[usize; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    again: Option<String>,
}

impl Outcome {
    /// Tells what has come of it; the exit status.
    pub(super) fn report(
        mut self,
        search: &Search,
        runner: &mut Runner,
        time: Duration,
    ) -> io::Result<i32> {
        let all = std::mem::take(&mut self.found);
        if all.is_empty() {
            return self.tell_nothing(search, time);
        }
        let mut status = FOUND;
        for (i, found) in all.into_iter().enumerate() {
            let found = match search.minimises && found.minimal.is_none() {
                true => narrowed(search, runner, found)?,
                false => found,
            };
            let args = found.set_args(runner);
            match self.tell(search, runner, time, &found, i)? {
                0 => (),
                wrong => status = wrong,
            }
            runner.args = args;
        }
        Ok(status)
    }

    /// What stood in the way.
    fn limits(&self, search: &Search) -> String {
        let mut limits = match self.cut {
            0 => String::new(),
            n => format!(
                "; {n} did not end in {} decisions or {RUN_LIMIT} s",
                search.steps
            ),
        };
        if self.escaped != 0 {
            let n = self.escaped;
            limits += &format!("; {n} did not go as told: what the program reads has changed");
        }
        limits
    }

    fn data<'s>(&self, search: &'s Search, time: Duration) -> Report<'s> {
        Report {
            test: search.test.as_deref(),
            schedules: self.ended,
            cut: self.cut,
            escaped: self.escaped,
            outputs: self.outputs,
            seconds: time.as_secs_f64(),
            ..Report::default()
        }
    }

    fn tell_nothing(self, search: &Search, time: Duration) -> io::Result<i32> {
        if search.json {
            let data = self.data(search, time);
            return print_json(&Report {
                all: self.claim,
                ..data
            });
        }
        let left = match self.always_left.len() {
            0 => String::new(),
            n => format!("; {n} goroutines are left behind in each"),
        };
        let outputs = match self.outputs {
            0 | 1 => String::new(),
            OUTPUTS => format!("; {OUTPUTS} or more different outputs"),
            n => format!("; {n} different outputs"),
        };
        let limits = self.limits(search);
        let told = match self.claim {
            Some(claim) => claim,
            None => format!("nothing found in {} schedules", self.ended),
        };
        let seconds = time.as_secs_f64();
        print_error(format_args!(
            "{told} ({seconds:.2} s){limits}{left}{outputs}\n"
        ));
        Ok(0)
    }

    /// Tells of the `i`th that was found.
    fn tell(
        &self,
        search: &Search,
        runner: &mut Runner,
        time: Duration,
        found: &Found,
        i: usize,
    ) -> io::Result<i32> {
        let made = match search.minimises && found.minimal.is_none() {
            true => minimise(runner, &found.spec, &found.run, &found.finding)?,
            false => None,
        };
        let minimal = found.minimal.as_ref().or(made.as_ref());
        let run = minimal.map_or(&found.run, |m| &m.run);
        let jumps = jumps(minimal, run);
        let cause = match search.minimises {
            true => cause(runner, &found.spec, run, &found.finding)?,
            false => None,
        };
        let what = found.finding.failure.text();
        // Behind the words that name the test stand those that it is given.
        let program = search.args.len() - runner.args.len();
        let recording = Recording::new(
            [&search.args[..program], &runner.args[..]].concat(),
            sources(&loader::seen()),
            &found.spec,
            &found.finding,
            run,
            minimal.map(|m| &m.choices[..]),
        );
        let is_same = (0..REPLAYS).all(|_| {
            let plan = Plan::Recorded(recording.decisions());
            let again = runner.run(Spec {
                plan,
                ..found.spec.clone()
            });
            again.is_ok_and(|again| again.records == run.records && again.output == run.output)
        });
        let path = write(search, &recording, found, i)?;
        let path = path.to_string_lossy();
        let again = format!("gosched replay {}", crate::cli::quoted(&path));
        let story = Story::new(run, &found.finding, cause);
        if let (Some(path), 0) = (&search.dot, i) {
            super::write_graph(&search.folder.join(path), &story)?;
        }
        let output = String::from_utf8_lossy(&run.output);
        if search.json {
            return print_json(&Report {
                found: Some(what),
                schedules: found.number + 1,
                jumps,
                story: Some(&story),
                output: Some(output.into()),
                choices: minimal.map(|m| [m.before, m.choices.len()]),
                again: Some(again),
                ..self.data(search, time)
            });
        }
        let status = print_output(output);
        let small = match minimal {
            Some(Minimal {
                choices, before, ..
            }) => format!("; minimised from {before} switches to {}", choices.len()),
            None => String::new(),
        };
        let if_late = match jumps {
            true => "if the clock passes goroutines that can run, ",
            false => "",
        };
        let n = found.number + 1;
        let schedules = if n == 1 { "schedule" } else { "schedules" };
        let doubt = match is_same {
            true => "",
            false => {
                "not reproducible: a replay was not the same. What the program reads from outside \
                 differs, or this is a bug of gosched\n"
            }
        };
        let (seconds, limits) = (time.as_secs_f64(), self.limits(search));
        print_error(format_args!(
            "\n{}\nfound: {what}, {if_late}after {n} {schedules} ({seconds:.2} s){small}{limits}\n\
             {doubt}again: {again}\n",
            story.text(minimal)
        ));
        Ok(status)
    }
}

fn print_json(report: &Report<'_>) -> io::Result<i32> {
    let text = serde_json::to_string(report)?;
    Ok(print_output(format_args!("{text}\n")))
}

/// Writes the recording of the `i`th that was found, and returns where, from the folder on in
/// which the search was asked for.
fn write(search: &Search, recording: &Recording, found: &Found, i: usize) -> io::Result<PathBuf> {
    let usual = || {
        let name = found.finding.failure.file_name();
        usual_file(
            &search.folder,
            &format!("{name}-{}.gosched", recording.short()),
        )
    };
    let mut path = search.output.clone().unwrap_or_else(usual);
    if i > 0 && search.output.is_some() {
        path.as_mut_os_string().push(format!(".{}", i + 1));
    }
    let told = |e: io::Error| io::Error::other(crate::loader::message("write", &path, &e));
    recording.write(&search.folder.join(&path)).map_err(told)?;
    Ok(path)
}
