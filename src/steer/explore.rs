//! `gosched explore`: runs a program under many schedules until one of them fails.
//!
//! Schedule k of a search follows from the search's seed and k alone, however many run at once, and
//! results are looked at in their order: so the lowest that fails is reported.

use super::check::Check;
use super::child::{Races, Run, Runner, Running, Spec, spent, wait};
use super::finding::{Failure, Finding};
use super::minimise::{Minimal, minimise};
use super::narrow::narrowed;
use super::recording::place;
use super::report::Outcome;
use super::schedules::{Looked, Schedules, schedules};
use crate::driver::print_error;
use gosched_runtime::control::log::Kind;
use gosched_runtime::control::strategy::Take;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// What to search.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    /// At most so many schedules.
    pub schedules: u64,
    /// At most so much CPU.
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
    pub races: Races,
    /// The clock may pass goroutines that can run by so many nanoseconds; `None`: by any number.
    pub max_stall: Option<i64>,
    /// The program may reach outside.
    pub allows_io: bool,
    /// Go on when something is found, and tell of all that is different.
    pub keeps_going: bool,
    /// Runs that do not come to their end count.
    pub limits_count: bool,
    /// Outputs that differ from that of the first schedule count.
    pub outputs_count: bool,
    /// Says what is wrong with the output of a run.
    pub check: Option<Rc<Check>>,
    /// Make what is found small.
    pub minimises: bool,
    /// Tell it as an object of JSON.
    pub json: bool,
    /// The file for the recording.
    pub output: Option<PathBuf>,
    /// Where the graph goes of who waits for whom in what is found first.
    pub dot: Option<PathBuf>,
    /// The words behind `gosched run` that run the program.
    pub args: Vec<String>,
    /// The folder in which the search is asked for.
    pub folder: PathBuf,
    /// The test that is searched, with its package.
    pub test: Option<String>,
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

/// A schedule that fails.
pub(super) struct Found {
    pub number: u64,
    pub spec: Spec,
    pub run: Run,
    pub finding: Finding,
    /// What it was made, where it had to be known whether it needs a jump of the clock.
    pub minimal: Option<Minimal>,
    /// The words that the program was given, if they were others than those of the search.
    pub args: Option<Vec<String>>,
}

impl Found {
    fn new(number: u64, spec: Spec, run: Run, finding: Finding) -> Found {
        Found {
            number,
            spec,
            run,
            finding,
            minimal: None,
            args: None,
        }
    }

    /// Gives `runner` the words of this; those that it had.
    pub(super) fn set_args(&self, runner: &mut Runner) -> Vec<String> {
        let all = runner.args.clone();
        std::mem::replace(&mut runner.args, self.args.clone().unwrap_or(all))
    }

    /// Does it fail only if the clock passes goroutines that can run?
    pub(super) fn needs_jump(&self) -> bool {
        jumps(self.minimal.as_ref(), &self.run)
    }
}

/// Does the clock pass goroutines that can run in what is left of a run?
pub(super) fn jumps(minimal: Option<&Minimal>, run: &Run) -> bool {
    match minimal {
        Some(minimal) => minimal.choices.iter().any(|c| c.take == Take::Pass),
        None => run.has(Kind::Pass),
    }
}

/// Searches. The exit status.
pub(crate) fn explore(search: &Search, runner: &mut Runner) -> i32 {
    let begin = Instant::now();
    runner.is_gated = !search.allows_io;
    let outcome = Explorer::new(search, runner).search(begin);
    let status = outcome.and_then(|outcome| outcome.report(search, runner, begin.elapsed()));
    status.unwrap_or_else(|e| {
        print_error(format_args!(
            "gosched: explore: {}\n",
            crate::loader::os_text(&e)
        ));
        2
    })
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
    found: Vec<Found>,
    /// The first schedule in which the main goroutine does not wait for what others print. It is
    /// told if nothing worse is found.
    early: Option<Found>,
    /// What runs have printed; and the first of them.
    outputs: BTreeSet<Vec<u8>>,
    first_output: Option<Vec<u8>>,
}

/// Who is left behind, in a schedule.
struct Least {
    left: Vec<(u64, u64)>,
    number: u64,
    spec: Spec,
}

/// A search that waits for the world goes on for so many times the time that it may take.
const IDLE: u32 = 10;

/// So many different outputs are told apart.
pub(super) const OUTPUTS: usize = 1000;

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
            found: Vec::new(),
            early: None,
            outputs: BTreeSet::new(),
            first_output: None,
        }
    }

    fn search(mut self, begin: Instant) -> io::Result<Outcome> {
        let mut next = 0;
        let mut is_limited = false;
        let before = spent();
        loop {
            let may_begin = self.running.len() < self.search.jobs && !is_limited;
            if may_begin && let Some(spec) = self.schedules.next() {
                let is_late = || {
                    spent() - before > self.search.time || begin.elapsed() > self.search.time * IDLE
                };
                if next == self.search.schedules || is_late() {
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
                let is_over = match found {
                    Ok(None) => false,
                    Ok(Some(found)) => self.keep(found)? && !self.search.keeps_going,
                    Err(refusal) => return Err(self.stop(refusal)),
                };
                if is_over {
                    self.stop(());
                    return Ok(self.outcome(true));
                }
            }
        }
        Ok(self.outcome(is_limited))
    }

    /// Keeps what is found, once. `true`: it fails however fast the machine is; else it is told
    /// last, and only if nothing else fails so.
    fn keep(&mut self, found: Found) -> io::Result<bool> {
        let mut found = found;
        let known = self.found.iter().position(|f| f.finding == found.finding);
        if found.run.has(Kind::Pass) {
            if known.is_some() {
                return Ok(false);
            }
            if self.search.minimises {
                found = narrowed(self.search, self.runner, found)?;
                let args = found.set_args(self.runner);
                let Found { spec, run, .. } = &found;
                found.minimal = minimise(self.runner, spec, run, &found.finding)?;
                self.runner.args = args;
            }
        }
        let is_sure = !found.needs_jump();
        match known {
            // One that needs a jump is enough, if not all are asked for.
            None if !is_sure && !self.search.keeps_going && !self.found.is_empty() => (),
            None => self.found.push(found),
            Some(at) if self.found[at].needs_jump() => self.found[at] = found,
            Some(_) => (),
        }
        Ok(is_sure)
    }

    /// Ends what still goes on.
    fn stop<T>(&mut self, with: T) -> T {
        for running in std::mem::take(&mut self.running) {
            self.runner.end(running);
        }
        with
    }

    fn outcome(mut self, is_limited: bool) -> Outcome {
        if self.found.is_empty() {
            self.found.extend(self.early.take());
        }
        self.found.sort_by_key(Found::needs_jump);
        if !self.search.keeps_going {
            self.found.truncate(1);
        }
        Outcome {
            claim: self
                .schedules
                .claim()
                .filter(|_| !is_limited && self.found.is_empty()),
            found: self.found,
            ended: self.ended,
            cut: self.cut,
            escaped: self.escaped,
            outputs: self.outputs.len(),
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
            let finding = Finding::new(Failure::Limit);
            let counts = self.search.limits_count;
            return Ok(counts.then(|| Found::new(number, spec, run, finding)));
        }
        let found = |spec, run, finding| Ok(Some(Found::new(number, spec, run, finding)));
        if let Some(finding) = Finding::of(&run) {
            return found(spec, run, finding);
        }
        if self.outputs.len() < OUTPUTS {
            self.outputs.insert(run.output.clone());
        }
        let first = self.first_output.get_or_insert_with(|| run.output.clone());
        if self.search.outputs_count && *first != run.output {
            let finding = Finding::output(first.clone());
            return found(spec, run, finding);
        }
        if let Some(check) = &self.search.check
            && let Some(message) = check.judge(&run.output)?
        {
            let finding = Finding::wrong(check.clone(), message);
            return found(spec, run, finding);
        }
        // Tests fail by themselves if they say something too late.
        if self.early.is_none()
            && self.search.test.is_none()
            && let Some(finding) = Finding::early(&run)
        {
            self.early = Some(Found::new(number, spec.clone(), run.clone(), finding));
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
        let spec = least.spec.clone();
        Ok(Some(Found::new(least.number, spec, run, finding)))
    }
}
