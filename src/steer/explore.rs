//! `gosched explore`: runs a program under many schedules until one of them fails.
//!
//! Schedule k of a search follows from the search's seed and k alone, however many run at once, and
//! results are looked at in their order: so the lowest that fails is reported.

use super::FOUND;
use super::child::{Run, Runner, Running, Spec, wait};
use super::finding::Finding;
use super::minimise::{Minimal, minimise};
use super::recording::{Recording, place, sources};
use super::story::Story;
use crate::driver::{print_error, print_output};
use crate::loader;
use gosched_runtime::control::strategy::Plan;
use serde::Serialize;
use std::collections::BTreeMap;
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
}

/// Which goroutines that are left behind count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Leaks {
    /// Those that are not in every schedule.
    Schedule,
    All,
    Off,
}

/// While time may pass, one of so many decisions lets it.
const PASSES: u32 = 16;
/// How often what was found is replayed, before it is told.
const REPLAYS: u32 = 3;

/// The seed of a schedule: near numbers give far ones (SplitMix64).
fn seed_of(search: &Search, number: u64) -> u64 {
    let n = search
        .seed
        .wrapping_mul(0xd134_2543_de82_ef95)
        .wrapping_add(number);
    let n = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let n = (n ^ n >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let n = (n ^ n >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    n ^ n >> 31
}

/// How schedule `number` is steered, if runs have about so many decisions.
fn spec(search: &Search, number: u64, points: u32) -> Spec {
    let turn = number.wrapping_sub(1);
    let plan = match search.strategies {
        Strategies::Random => Plan::Random,
        Strategies::Pos => Plan::Pos,
        Strategies::Pct(depth) => Plan::Pct { depth, points },
        Strategies::Auto if number == 0 => Plan::Ordinary,
        Strategies::Auto => match turn % 4 {
            0 => Plan::Random,
            1 => Plan::Pos,
            2 => Plan::Pct { depth: 2, points },
            _ => Plan::Pct { depth: 3, points },
        },
    };
    let passes = turn / 4 % 2 == 1 && number != 0;
    Spec {
        seed: seed_of(search, number),
        passes: if passes { PASSES } else { 0 },
        races: search.races,
        plan,
    }
}

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
    /// Goroutines that are left in every schedule: where they were made, and where they wait.
    always_left: Vec<(u64, u64)>,
}

struct Explorer<'a> {
    search: &'a Search,
    runner: &'a mut Runner,
    running: Vec<Running>,
    /// Runs that are over, but before which others are to be looked at.
    over: BTreeMap<u64, Run>,
    /// The number of decisions in the first schedule.
    points: u32,
    /// The fewest goroutines that were left behind, and the first schedule in which more were.
    least_left: Option<Vec<(u64, u64)>>,
    more_left: Option<u64>,
    ended: u64,
    cut: u64,
}

impl<'a> Explorer<'a> {
    fn new(search: &'a Search, runner: &'a mut Runner) -> Explorer<'a> {
        Explorer {
            search,
            runner,
            running: Vec::new(),
            over: BTreeMap::new(),
            points: 1,
            least_left: None,
            more_left: None,
            ended: 0,
            cut: 0,
        }
    }

    fn search(mut self, begin: Instant) -> io::Result<Outcome> {
        let mut next = 0;
        // Where the first fails, or how long it is, decides on the others.
        let mut jobs = 1;
        loop {
            let is_over = begin.elapsed() > self.search.time;
            let may_begin = next < self.search.schedules && !is_over;
            if may_begin && self.running.len() < jobs {
                let spec = spec(self.search, next, self.points);
                let running = self.runner.begin(next, spec)?;
                self.running.push(running);
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
            while let Some(run) = self.over.remove(&self.ended) {
                let number = self.ended;
                self.ended += 1;
                if number == 0 {
                    self.points = run.count().clamp(1, u32::MAX as usize) as u32;
                    jobs = self.search.jobs;
                }
                let found = match refusal(&run) {
                    Some(refusal) => Err(refusal),
                    None => self.look(number, run),
                };
                if !matches!(found, Ok(None)) {
                    for running in std::mem::take(&mut self.running) {
                        self.runner.end(running);
                    }
                    return Ok(self.outcome(found?));
                }
            }
        }
        Ok(self.outcome(None))
    }

    fn outcome(self, found: Option<Found>) -> Outcome {
        Outcome {
            found,
            ended: self.ended,
            cut: self.cut,
            always_left: self.least_left.unwrap_or_default(),
        }
    }

    /// Is something wrong with a run?
    fn look(&mut self, number: u64, run: Run) -> io::Result<Option<Found>> {
        let spec = spec(self.search, number, self.points);
        if run.is_cut() {
            self.cut += 1;
            return Ok(None);
        }
        if let Some(finding) = Finding::of(&run) {
            return Ok(Some(Found {
                number,
                spec,
                run,
                finding,
            }));
        }
        if !run.has_returned() || self.search.leaks == Leaks::Off {
            return Ok(None);
        }
        let left = run.left();
        let least = match (self.search.leaks, &self.least_left) {
            (Leaks::All, _) => Vec::new(),
            (_, Some(least)) => least.clone(),
            (_, None) => left.clone(),
        };
        if left.len() > least.len() {
            let finding = Finding::leak(&run, &least);
            return Ok(Some(Found {
                number,
                spec,
                run,
                finding,
            }));
        }
        if left.len() < least.len() {
            // An earlier schedule has left more.
            let number = self.more_left.unwrap_or(0);
            let spec = self::spec(self.search, number, self.points);
            let run = self.runner.run(spec.clone())?;
            let finding = Finding::leak(&run, &left);
            return Ok(Some(Found {
                number,
                spec,
                run,
                finding,
            }));
        }
        self.more_left.get_or_insert(number);
        self.least_left = Some(least);
        Ok(None)
    }
}

/// What is told of a search, as data.
#[derive(Serialize)]
struct Report<'a> {
    found: Option<String>,
    schedules: u64,
    cut: u64,
    seconds: f64,
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
        let limits = match self.cut {
            0 => String::new(),
            n => format!("; {n} did not end in {} decisions or 10 s", search.steps),
        };
        let Some(found) = self.found else {
            if search.json {
                return print_json(&Report {
                    found: None,
                    schedules: self.ended,
                    cut: self.cut,
                    seconds,
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
            print_error(format_args!(
                "nothing found in {} schedules ({seconds:.2} s){limits}{left}\n",
                self.ended
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
                seconds,
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
