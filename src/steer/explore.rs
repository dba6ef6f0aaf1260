//! `gosched explore`: runs a program under many schedules until one of them fails.
//!
//! Schedule k of a search follows from the search's seed and k alone, however many run at once, and
//! results are looked at in their order: so the lowest that fails is reported.

use super::FOUND;
use super::child::{Run, Runner, Running, Spec, wait};
use super::finding::Finding;
use super::minimise::{Minimal, minimise};
use super::recording::{Recording, place, sources};
use super::schedules::{Looked, Schedules, schedules};
use super::story::Story;
use crate::driver::{print_error, print_output};
use crate::loader;
use gosched_runtime::control::strategy::Plan;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// What to search.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    /// At most so many schedules.
    pub schedules: u64,
    /// At most so long.
    pub time: Duration,
    /// Where the schedules come from.
    pub seed: u64,
    /// At most so many at once.
    pub jobs: usize,
    /// Decisions in one run.
    pub steps: u64,
    /// Who takes the decisions.
    pub strategies: Strategies,
    /// Which goroutines that are left behind count.
    pub leaks: Leaks,
    /// Look for races.
    pub races: bool,
    /// The program may reach outside.
    pub allows_io: bool,
    /// Make what is found small.
    pub minimises: bool,
    /// Tell it as an object of JSON.
    pub json: bool,
    /// The file for the recording.
    pub output: Option<PathBuf>,
    /// The words behind `gosched run` that run the program.
    pub args: Vec<String>,
}

/// Who takes the decisions of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Strategies {
    /// Each in turn.
    Auto,
    Random,
    Pos,
    /// With this depth.
    Pct(u32),
    /// All schedules: with at most so many preemptions, or one of each class.
    Dfs(Option<u32>),
}

/// Which goroutines that are left behind count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Leaks {
    /// Those that are not in every schedule.
    Schedule,
    All,
    Off,
}

/// How often what was found is replayed, before it is told.
const REPLAYS: u32 = 3;

/// A schedule that fails.
struct Found {
    number: u64,
    spec: Spec,
    run: Run,
    finding: Finding,
}

/// Searches. The exit status.
pub(crate) fn explore(search: &Search, runner: &mut Runner) -> i32 {
    let begin = Instant::now();
    runner.is_gated = !search.allows_io;
    match Explorer::new(search, runner).search(begin) {
        Ok(outcome) => outcome.report(search, runner, begin),
        Err(e) => failed(e),
    }
}

fn failed(e: io::Error) -> i32 {
    print_error(format_args!("gosched: explore: {e}\n"));
    2
}

/// What is told of a run that would have reached outside.
fn refusal(run: &Run) -> Option<io::Error> {
    let (what, at) = run.refused()?;
    let place = match at {
        0 => String::new(),
        at => format!(" ({})", place(at)),
    };
    Some(io::Error::other(format!(
        "the program {what}{place}, which needs --allow-io"
    )))
}

/// What a search has come to.
struct Outcome {
    found: Option<Found>,
    /// Schedules that were looked at.
    ended: u64,
    /// Those of them that did not end by themselves.
    cut: u64,
    /// Those that did not go as they were told to.
    escaped: u64,
    /// How many different outputs there were.
    outputs: usize,
    /// What can be said of all schedules.
    claim: Option<String>,
    /// Goroutines that are left in every schedule: where they were made, and where they wait.
    always_left: Vec<(u64, u64)>,
}

struct Explorer<'a> {
    search: &'a Search,
    runner: &'a mut Runner,
    schedules: Box<dyn Schedules>,
    /// What goes on, in the order of their numbers; and how each that was not looked at is steered.
    running: Vec<Running>,
    begun: VecDeque<Spec>,
    /// Runs that are over, but before which others are to be looked at.
    over: BTreeMap<u64, Run>,
    /// The fewest goroutines that were left behind, and the first schedule that left them.
    least_left: Option<Least>,
    ended: u64,
    cut: u64,
    escaped: u64,
    /// What runs have printed.
    outputs: BTreeSet<Vec<u8>>,
}

/// Who is left behind, in a schedule.
struct Least {
    left: Vec<(u64, u64)>,
    number: u64,
    spec: Spec,
}

/// So many different outputs are told apart.
const OUTPUTS: usize = 1000;

impl<'a> Explorer<'a> {
    fn new(search: &'a Search, runner: &'a mut Runner) -> Explorer<'a> {
        Explorer {
            search,
            runner,
            schedules: schedules(search),
            running: Vec::new(),
            begun: VecDeque::new(),
            over: BTreeMap::new(),
            least_left: None,
            ended: 0,
            cut: 0,
            escaped: 0,
            outputs: BTreeSet::new(),
        }
    }

    fn search(mut self, begin: Instant) -> io::Result<Outcome> {
        let mut next = 0;
        let mut is_limited = false;
        loop {
            let may_begin = self.running.len() < self.search.jobs && !is_limited;
            if may_begin && let Some(spec) = self.schedules.next() {
                if next == self.search.schedules || begin.elapsed() > self.search.time {
                    is_limited = true;
                    continue;
                }
                let running = self.runner.begin(next, spec.clone())?;
                self.running.push(running);
                self.begun.push_back(spec);
                next += 1;
                continue;
            }
            if self.running.is_empty() {
                break;
            }
            wait(&self.running, true);
            for running in std::mem::take(&mut self.running) {
                let number = running.number;
                match self.runner.ended(running) {
                    Ok(run) => drop(self.over.insert(number, run)),
                    Err(still) => self.running.push(still),
                }
            }
            while let Some(run) = self.over.remove(&self.ended)
                && let Some(spec) = self.begun.pop_front()
            {
                let number = self.ended;
                self.ended += 1;
                let found = match refusal(&run) {
                    Some(refusal) => Err(refusal),
                    None => self.look(number, spec, run),
                };
                if !matches!(found, Ok(None)) {
                    for running in std::mem::take(&mut self.running) {
                        self.runner.end(running);
                    }
                    return Ok(self.outcome(found?, true));
                }
            }
        }
        Ok(self.outcome(None, is_limited))
    }

    fn outcome(self, found: Option<Found>, is_limited: bool) -> Outcome {
        Outcome {
            found,
            ended: self.ended,
            cut: self.cut,
            escaped: self.escaped,
            outputs: self.outputs.len(),
            claim: self.schedules.claim().filter(|_| !is_limited),
            always_left: self.least_left.map_or(Vec::new(), |least| least.left),
        }
    }

    /// Is something wrong with a run?
    fn look(&mut self, number: u64, spec: Spec, run: Run) -> io::Result<Option<Found>> {
        match self.schedules.look(&spec, &run) {
            Looked::New => (),
            Looked::Redundant => return Ok(None),
            Looked::Escaped => {
                self.escaped += 1;
                return Ok(None);
            }
        }
        if run.is_cut() {
            self.cut += 1;
            return Ok(None);
        }
        let found = |spec, run, finding| {
            Ok(Some(Found {
                number,
                spec,
                run,
                finding,
            }))
        };
        if let Some(finding) = Finding::of(&run) {
            return found(spec, run, finding);
        }
        if self.outputs.len() < OUTPUTS {
            self.outputs.insert(run.output.clone());
        }
        if !run.has_lingered() || self.search.leaks == Leaks::Off {
            return Ok(None);
        }
        let left = run.left();
        if self.search.leaks == Leaks::All && !left.is_empty() {
            let finding = Finding::leak(&run, &[]);
            return found(spec, run, finding);
        }
        let Some(least) = &self.least_left else {
            self.least_left = Some(Least { left, number, spec });
            return Ok(None);
        };
        if left.len() > least.left.len() {
            let finding = Finding::leak(&run, &least.left);
            return found(spec, run, finding);
        }
        if left.len() == least.left.len() {
            return Ok(None);
        }
        // An earlier schedule has left more.
        let run = self.runner.run(least.spec.clone())?;
        let finding = Finding::leak(&run, &left);
        Ok(Some(Found {
            number: least.number,
            spec: least.spec.clone(),
            run,
            finding,
        }))
    }
}

/// What is told of a search, as data.
#[derive(Serialize)]
struct Report<'a> {
    found: Option<String>,
    schedules: u64,
    cut: u64,
    escaped: u64,
    outputs: usize,
    seconds: f64,
    /// What can be said of all schedules.
    #[serde(skip_serializing_if = "Option::is_none")]
    all: Option<String>,
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
    fn report(self, search: &Search, runner: &mut Runner, begin: Instant) -> i32 {
        let seconds = begin.elapsed().as_secs_f64();
        let mut limits = match self.cut {
            0 => String::new(),
            n => format!("; {n} did not end in {} decisions or 10 s", search.steps),
        };
        if self.escaped != 0 {
            let n = self.escaped;
            limits += &format!("; {n} did not go as told: what the program reads has changed");
        }
        let Some(found) = self.found else {
            if search.json {
                return print_json(&Report {
                    found: None,
                    schedules: self.ended,
                    cut: self.cut,
                    escaped: self.escaped,
                    outputs: self.outputs,
                    seconds,
                    all: self.claim,
                    story: None,
                    output: None,
                    choices: None,
                    again: None,
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
            let told = match self.claim {
                Some(claim) => claim,
                None => format!("nothing found in {} schedules", self.ended),
            };
            print_error(format_args!(
                "{told} ({seconds:.2} s){limits}{left}{outputs}\n"
            ));
            return 0;
        };
        let minimal = match search.minimises {
            true => minimise(runner, &found.spec, &found.run, &found.finding),
            false => Ok(None),
        };
        let minimal = match minimal {
            Ok(minimal) => minimal,
            Err(e) => return failed(e),
        };
        let run = minimal.as_ref().map_or(&found.run, |m| &m.run);
        let what = found.finding.failure.text();
        let recording = Recording::new(
            search.args.clone(),
            sources(&loader::seen()),
            &found.spec,
            &found.finding,
            run,
        );
        let is_same = (0..REPLAYS).all(|_| {
            let plan = Plan::Recorded(recording.decisions());
            let again = runner.run(Spec {
                plan,
                ..found.spec.clone()
            });
            again.is_ok_and(|again| again.records == run.records && again.output == run.output)
        });
        let again = match write(search, &recording, &found) {
            Ok(path) => format!(
                "gosched replay {}",
                crate::cli::quoted(&path.to_string_lossy())
            ),
            Err(e) => return failed(e),
        };
        let story = Story::new(run, &found.finding);
        let output = String::from_utf8_lossy(&run.output);
        let status = match search.json {
            true => print_json(&Report {
                found: Some(what),
                schedules: found.number + 1,
                cut: self.cut,
                escaped: self.escaped,
                outputs: self.outputs,
                seconds,
                all: None,
                story: Some(&story),
                output: Some(output.into()),
                choices: minimal.map(|m| [m.before, m.choices.len()]),
                again: Some(again),
            }),
            false => {
                let status = print_output(output);
                let small = match &minimal {
                    Some(Minimal {
                        choices, before, ..
                    }) => format!("; minimised from {before} switches to {}", choices.len()),
                    None => String::new(),
                };
                let n = found.number + 1;
                let schedules = if n == 1 { "schedule" } else { "schedules" };
                let doubt = match is_same {
                    true => "",
                    false => {
                        "not reproducible: a replay was not the same. What the program reads from \
                         outside differs, or this is a bug of gosched\n"
                    }
                };
                print_error(format_args!(
                    "\n{}\nfound: {what}, after {n} {schedules} ({seconds:.2} \
                     s){small}{limits}\n{doubt}again: {again}\n",
                    story.text(minimal.as_ref())
                ));
                status
            }
        };
        match status {
            0 => FOUND,
            wrong => wrong,
        }
    }
}

fn print_json(report: &Report<'_>) -> i32 {
    match serde_json::to_string(report) {
        Ok(text) => print_output(format_args!("{text}\n")),
        Err(e) => failed(e.into()),
    }
}

/// Writes the recording, and returns where.
fn write(search: &Search, recording: &Recording, found: &Found) -> io::Result<PathBuf> {
    let usual = || {
        let name = found.finding.failure.file_name();
        PathBuf::from(format!("{name}-{}.gosched", recording.short()))
    };
    let path = search.output.clone().unwrap_or_else(usual);
    let told = |e: io::Error| io::Error::other(format!("{}: {e}", path.display()));
    recording.write(&path).map_err(told)?;
    Ok(path)
}
