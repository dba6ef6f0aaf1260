//! What is wrong with a run.

use super::check::Check;
use super::child::Run;
use super::story::places_of_cycle;
use gosched_runtime::control::log::Kind;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A kind of failure, which names it to people and in the names of files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Failure {
    Race,
    Deadlock,
    /// Some wait for ever, while others run.
    PartialDeadlock,
    Panic,
    FatalError,
    Exit(i32),
    Signal(i32),
    Leak,
    /// The main goroutine returns while others have something to print.
    Early,
    /// It did not come to its end.
    Limit,
    /// It printed something else than another run.
    Output,
    /// What it printed is wrong, says the command that was asked.
    Check,
}

impl Failure {
    /// As it is told.
    pub(super) fn text(self) -> String {
        match self {
            Failure::Race => "data race".into(),
            Failure::Deadlock => "deadlock".into(),
            Failure::PartialDeadlock => "partial deadlock".into(),
            Failure::Panic => "panic".into(),
            Failure::FatalError => "fatal error".into(),
            Failure::Exit(status) => format!("exit status {status}"),
            Failure::Signal(sig) => format!("end by signal {sig}"),
            Failure::Leak => "leak".into(),
            Failure::Early => "main returns first".into(),
            Failure::Limit => "no end".into(),
            Failure::Output => "different output".into(),
            Failure::Check => "wrong output".into(),
        }
    }

    /// That of which `text` tells.
    fn told(text: &str) -> Option<Failure> {
        let number = |text: &str| text.rsplit(' ').next().and_then(|n| n.parse().ok());
        Some(match text {
            "data race" => Failure::Race,
            "deadlock" => Failure::Deadlock,
            "partial deadlock" => Failure::PartialDeadlock,
            "panic" => Failure::Panic,
            "fatal error" => Failure::FatalError,
            "leak" => Failure::Leak,
            "main returns first" => Failure::Early,
            "no end" => Failure::Limit,
            "different output" => Failure::Output,
            "wrong output" => Failure::Check,
            _ if text.starts_with("exit ") => Failure::Exit(number(text)?),
            _ => Failure::Signal(number(text)?),
        })
    }

    /// What the name of its recording begins with.
    pub(super) fn file_name(self) -> &'static str {
        match self {
            Failure::Race => "race",
            Failure::Deadlock | Failure::PartialDeadlock => "deadlock",
            Failure::Panic => "panic",
            Failure::FatalError => "fatal",
            Failure::Exit(_) => "exit",
            Failure::Signal(_) => "signal",
            Failure::Leak => "leak",
            Failure::Early => "early",
            Failure::Limit => "limit",
            Failure::Output | Failure::Check => "output",
        }
    }
}

/// A failure, and where it shows: two with the same are the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Finding {
    pub failure: Failure,
    /// What it says first.
    message: String,
    /// The test that fails, with all above it: `TestA/one`.
    pub test: Option<String>,
    /// The places that its goroutines stand at.
    places: BTreeSet<String>,
    /// Goroutines that were left behind, besides those that always are.
    pub left: Vec<(u64, u64)>,
    /// What another run has printed.
    unlike: Vec<u8>,
    /// Who says that what it prints is wrong.
    check: Option<Rc<Check>>,
}

const RACE: &str = "WARNING: DATA RACE\n";
const PARTIAL: &str = " for ever - partial deadlock!";
const DEADLOCK: &str = "fatal error: all goroutines are asleep - deadlock!";

impl Finding {
    /// A failure of which no more is known.
    pub(super) fn new(failure: Failure) -> Finding {
        Finding {
            failure,
            message: String::new(),
            test: None,
            places: BTreeSet::new(),
            left: Vec::new(),
            unlike: Vec::new(),
            check: None,
        }
    }

    /// How a run has failed by itself, if it has.
    pub(super) fn of(run: &Run) -> Option<Finding> {
        let text = String::from_utf8_lossy(&run.output);
        if let Some(at) = text.find(RACE) {
            let report = text[at..].split("\n====").next().unwrap_or_default();
            return Some(Finding {
                message: "DATA RACE".into(),
                test: failed_test(&text).map(|(test, _)| test),
                places: report.split("\n\n").take(2).flat_map(way_in).collect(),
                ..Finding::new(Failure::Race)
            });
        }
        if run.has_returned() || run.is_cut() || run.refused().is_some() {
            return None;
        }
        let says = |what: &str| text.lines().rev().find(|line| line.starts_with(what));
        let (status, signal) = (run.status.exit_status(), run.status.terminating_signal());
        let (failure, message) = match (status, signal) {
            (Some(0), _) => return None,
            (_, Some(signal)) => (Failure::Signal(signal), None),
            (Some(2), _) if says(DEADLOCK).is_some() => (Failure::Deadlock, None),
            (Some(2), _) if says("fatal error: ").is_some_and(|l| l.ends_with(PARTIAL)) => {
                (Failure::PartialDeadlock, None)
            }
            (Some(2), _) if says("panic: ").is_some() => (Failure::Panic, says("panic: ")),
            (Some(2), _) if says("fatal error: ").is_some() => {
                (Failure::FatalError, says("fatal error: "))
            }
            (Some(code), _) => (Failure::Exit(code), None),
            (None, None) => return None,
        };
        let shows_goroutines = matches!(
            failure,
            Failure::Deadlock | Failure::PartialDeadlock | Failure::Panic | Failure::FatalError
        );
        // Where others wait that are no part of a cycle is another matter.
        let is_deadlock = matches!(failure, Failure::Deadlock | Failure::PartialDeadlock);
        let cycle = is_deadlock.then(|| places_of_cycle(run));
        let lines = text.lines().filter(|_| shows_goroutines);
        let (test, complaint) = failed_test(&text).unzip();
        Some(Finding {
            message: match (message, complaint) {
                (Some(message), _) => message.into(),
                (None, Some(complaint)) if failure == Failure::Exit(1) => complaint,
                _ => String::new(),
            },
            test,
            places: match cycle {
                Some(cycle) if !cycle.is_empty() => cycle,
                _ => lines.filter_map(place).collect(),
            },
            ..Finding::new(failure)
        })
    }

    /// One of which a recording tells, in a run of that whose output is not known.
    pub(super) fn recorded(told: &str, message: &str, run: &Run) -> Option<Finding> {
        let failure = Failure::told(told)?;
        Some(Finding {
            message: message.into(),
            left: run.left(),
            ..Finding::new(failure)
        })
    }

    /// Goroutines that are left behind, besides those that are left in every run.
    pub(super) fn leak(run: &Run, always: &[(u64, u64)]) -> Finding {
        Finding {
            left: without(run.left(), always),
            ..Finding::new(Failure::Leak)
        }
    }

    /// The main goroutine did not wait for goroutines that have something to print, though no time
    /// passed while they could.
    pub(super) fn early(run: &Run) -> Option<Finding> {
        if !ends_well(run) || run.has(Kind::Pass) {
            return None;
        }
        let late = String::from_utf8_lossy(&run.late);
        let first = late.lines().next()?;
        Some(Finding {
            message: format!("it does not wait for what prints {first:?}"),
            ..Finding::new(Failure::Early)
        })
    }

    /// One that printed something else than `unlike`.
    pub(super) fn output(unlike: Vec<u8>) -> Finding {
        Finding {
            unlike,
            ..Finding::new(Failure::Output)
        }
    }

    /// One of which `check` says that what it printed is wrong, and `message`.
    pub(super) fn wrong(check: Rc<Check>, message: String) -> Finding {
        Finding {
            message,
            check: Some(check),
            ..Finding::new(Failure::Check)
        }
    }

    /// What it says first.
    pub(super) fn message(&self) -> &str {
        &self.message
    }

    /// Does a run fail in the same way?
    pub(super) fn is_in(&self, run: &Run) -> bool {
        match self.failure {
            Failure::Leak => {
                run.has_returned() && without(self.left.clone(), &run.left()).is_empty()
            }
            Failure::Early => Finding::early(run).is_some(),
            Failure::Limit => run.is_cut(),
            Failure::Output => ends_well(run) && run.output != self.unlike,
            Failure::Check => {
                let judged = self.check.as_ref().map(|check| check.judge(&run.output));
                ends_well(run) && matches!(judged, Some(Ok(Some(_))))
            }
            _ => Finding::of(run).is_some_and(|f| f == *self),
        }
    }
}

/// Is nothing wrong with a run but, perhaps, what it prints?
fn ends_well(run: &Run) -> bool {
    run.has_lingered() && Finding::of(run).is_none()
}

/// The test that has failed first, the innermost of those that hold each other, and where it
/// complains first: `file_test.go:12`. What it says there may have an address or a time in it.
fn failed_test(text: &str) -> Option<(String, String)> {
    let mut lines = text.lines();
    let name = |line: &str| {
        let (name, _) = line
            .trim_start()
            .strip_prefix("--- FAIL: ")?
            .split_once(" (")?;
        Some(name.to_string())
    };
    let mut failed = lines.find_map(name)?;
    let mut complaint = None;
    for line in lines {
        match name(line) {
            Some(inner) if inner.starts_with(&format!("{failed}/")) => {
                failed = inner;
                complaint = None;
            }
            Some(_) => break,
            None => complaint = complaint.or_else(|| complaint_of(line)),
        }
    }
    // With -v tests complain before they end.
    let complaint = complaint.or_else(|| text.lines().find_map(complaint_of));
    Some((failed, complaint.unwrap_or_default()))
}

/// The place in a line like `    file_test.go:12: what`.
fn complaint_of(line: &str) -> Option<String> {
    let (file, rest) = line.strip_prefix("    ")?.trim_start().split_once(':')?;
    let (number, _) = rest.split_once(": ")?;
    let is_place = file.ends_with(".go") && number.parse::<u32>().is_ok();
    is_place.then(|| format!("{file}:{number}"))
}

/// `all` without `those`, each of which takes away one.
fn without(all: Vec<(u64, u64)>, those: &[(u64, u64)]) -> Vec<(u64, u64)> {
    let mut rest = all;
    for one in those {
        if let Some(at) = rest.iter().position(|x| x == one) {
            rest.remove(at);
        }
    }
    rest
}

/// The places of an access, as far as the program's own: those of its callers, and where its
/// goroutine was made, are another matter.
fn way_in(access: &str) -> Vec<String> {
    let all: Vec<String> = access.lines().filter_map(place).collect();
    let own = all.iter().position(|at| !at.starts_with("$GOROOT"));
    let count = own.map_or(all.len(), |i| i + 1);
    all.into_iter().take(count).collect()
}

/// The place that a line of a traceback names.
pub(super) fn place(line: &str) -> Option<String> {
    let rest = line.strip_prefix('\t').or(line.strip_prefix("      "))?;
    let place = rest.split(" +0x").next()?;
    let (_, number) = place.rsplit_once(':')?;
    number.parse::<u32>().is_ok().then(|| place.to_string())
}
