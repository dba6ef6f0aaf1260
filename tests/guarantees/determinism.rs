//! The same seed gives the same decisions and the same output: beside busy processes, with a
//! collection at every safepoint, by the other dispatcher, in another folder, whatever GOMAXPROCS.

use super::support::{End, run};
use super::{Busy, Folder, LIMIT, each, name_of, programs, some, without_addresses};
use std::path::Path;

/// What differs between two runs that must be the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Setting {
    Plain,
    /// Each safepoint collects.
    GcStress,
    /// The dispatcher that is a loop.
    Loop,
    /// The program lies in another folder, and is called by another name.
    Elsewhere,
    /// The environment asks for another number of processors.
    Procs,
}

const SETTINGS: [Setting; 5] = [
    Setting::Plain,
    Setting::GcStress,
    Setting::Loop,
    Setting::Elsewhere,
    Setting::Procs,
];

/// What came of a run.
struct Told {
    end: End,
    stdout: String,
    stderr: String,
    /// When by the virtual clock, which goroutine, and what: what it made, why it stopped, who woke
    /// it. What the runtime does for itself, and on which thread, is not the program's.
    decisions: Vec<String>,
}

/// The events that follow from decisions.
const EVENTS: &[&str] = &["create", "start", "park", "yield", "ready", "end"];

/// Of an event's line what is the same in each run.
fn decision(line: &str) -> Option<String> {
    let (_, rest) = line.split_once("\"ev\":\"")?;
    if !EVENTS.contains(&rest.split('"').next()?) {
        return None;
    }
    let event: serde_json::Value = serde_json::from_str(line).ok()?;
    let names = ["ns", "g", "ev", "by", "goid", "reason", "how"];
    let members = names.map(|name| event[name].to_string());
    Some(members.join(" "))
}

fn told(program: &Path, seed: u32, setting: Setting) -> Told {
    let folder = Folder::new();
    let mut command = folder.gosched();
    command.args(["run", "--sched-log=log", &format!("--seed={seed}")]);
    match setting {
        Setting::Plain => drop(command.arg(program)),
        Setting::GcStress => drop(command.arg(program).env("GODEBUG", "gcstress=1")),
        Setting::Loop => drop(command.arg(program).env("GOSCHED_DISPATCH", "loop")),
        Setting::Procs => drop(command.arg(program).env("GOMAXPROCS", "7")),
        Setting::Elsewhere => {
            std::fs::copy(program, folder.file("another.go")).unwrap();
            command.arg("./another.go");
        }
    }
    let ran = run(&mut command, b"", LIMIT);
    let here = folder.file("another.go").to_string_lossy().into_owned();
    let there = program.to_string_lossy();
    let log = std::fs::read_to_string(folder.file("log")).unwrap_or_default();
    Told {
        end: ran.end,
        stdout: ran.stdout.replace(&here, &there),
        stderr: ran.stderr.replace(&here, &there),
        decisions: log.lines().filter_map(decision).collect(),
    }
}

/// The first thing in which two runs differ, the second in this setting.
fn difference(first: &Told, other: &Told, setting: Setting) -> Option<String> {
    let both = first.decisions.iter().zip(&other.decisions);
    let at = both.take_while(|(a, b)| a == b).count();
    let [a, b] = [first, other].map(|t| t.decisions.get(at));
    if a != b {
        return Some(format!("decision {at}: {a:?}, then {b:?}"));
    }
    let shown = |text: &str| match setting {
        Setting::GcStress => without_addresses(text),
        _ => text.to_string(),
    };
    let [a, b] = [first, other].map(|t| (t.end, shown(&t.stdout), shown(&t.stderr)));
    (a != b).then(|| format!("{a:?}, then {b:?}"))
}

/// Runs each of so many programs from each of so many seeds so many times, and once in each other
/// setting. How many runs and decisions there were.
fn check(many: usize, seeds: u32, runs: usize, jobs: usize) {
    let all = some(&programs(|_| true), many);
    let pairs: Vec<_> = all
        .iter()
        .flat_map(|p| (1..=seeds).map(move |s| (p, s)))
        .collect();
    let said = each(&pairs, jobs, |(program, seed)| {
        let plain = std::iter::repeat_n(Setting::Plain, runs - 1);
        let first = told(program, *seed, Setting::Plain);
        assert!(first.decisions.len() > 2, "{}", first.stderr);
        for setting in plain.chain(SETTINGS[1..].iter().copied()) {
            let again = told(program, *seed, setting);
            if let Some(what) = difference(&first, &again, setting) {
                return Err(format!(
                    "{} from {seed}, {setting:?}: {what}",
                    name_of(program)
                ));
            }
        }
        Ok(first.decisions)
    });
    let wrong: Vec<_> = said.iter().filter_map(|s| s.as_ref().err()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    // Seeds are for something.
    let different: std::collections::BTreeSet<_> = said.iter().flatten().collect();
    assert!(
        different.len() * 2 > pairs.len(),
        "{} of {}",
        different.len(),
        pairs.len()
    );
    let runs = pairs.len() * (runs + SETTINGS.len() - 1);
    println!("{runs} runs, {} different", different.len());
}

#[test]
fn determinism() {
    let _busy = Busy::new();
    check(6, 2, 2, 4);
}

/// What stands first behind a safepoint is a point though a collection has stopped the goroutine.
#[test]
fn determinism_of_what_follows_a_collection() {
    let folder = Folder::new();
    let program = folder.file("main.go");
    let code = "package main\n\nimport \"fmt\"\n\nfunc main() {
        c := make(chan int)
        for i := range 3 { go func() { c <- i }() }
        sum := 0
        for range 3 { sum += <-c }
        fmt.Println(sum)\n}\n";
    std::fs::write(&program, code).unwrap();
    for seed in 0..5 {
        let [plain, stressed] =
            [Setting::Plain, Setting::GcStress].map(|setting| told(&program, seed, setting));
        let what = difference(&plain, &stressed, Setting::GcStress);
        assert_eq!(what, None, "from {seed}");
    }
}

/// 40 programs from 25 seeds, 20 times and once in each other setting, beside twice as many busy
/// processes as CPUs: 24,000 runs.
#[test]
#[ignore = "takes 6 minutes"]
fn determinism_of_all() {
    let _busy = Busy::new();
    check(40, 25, 20, 8);
}
