//! The laboratory, as a user of `gosched lab` sees it.
//!
//! `cargo test --test lab -- --ignored` makes all experiments: what they show are delays, so with
//! nothing beside them.

mod support;

use serde_json::Value;
use std::time::Duration;
use support::{End, Ran, gosched, run, tests_dir};

const LIMIT: Duration = Duration::from_secs(300);

fn lab(args: &[&str]) -> Ran {
    let mut command = gosched();
    command.arg("lab").args(args).env_remove("GOSCHED_WITHOUT");
    run(&mut command, b"", LIMIT)
}

fn json(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {}", ran.stdout))
}

/// The rules of fairness in the table of rules, each once.
fn rules() -> Vec<String> {
    let table = std::fs::read_to_string(tests_dir().join("sched/rules.md")).unwrap();
    let first = |l: &str| Some(l.strip_prefix("| F")?.split_once(' ')?.0.to_string());
    let mut all: Vec<String> = table.lines().filter_map(first).collect();
    all.dedup();
    all
}

#[test]
fn every_rule_of_fairness_has_an_experiment() {
    let all = json(&lab(&["--json"]));
    let all = all.as_array().unwrap();
    let numbers = all
        .iter()
        .map(|r| r["rule"].as_str().unwrap()[1..].to_string());
    assert_eq!(numbers.collect::<Vec<_>>(), rules());
    let text = lab(&[]);
    for r in all {
        assert!(text.stdout.contains(r["name"].as_str().unwrap()), "{r}");
    }
    assert!(
        text.stdout.lines().all(|l| l.chars().count() <= 100),
        "{}",
        text.stdout
    );
}

/// Programs are short enough to be read.
#[test]
fn programs_have_sixty_lines_at_most() {
    let folder = tests_dir().join("../examples/lab");
    let programs = support::files(&folder, "go");
    assert_eq!(programs.len(), rules().len());
    for p in programs {
        let text = std::fs::read_to_string(&p).unwrap();
        assert!(text.lines().count() <= 60, "{}", p.display());
    }
}

/// An experiment whose figures are no delays.
#[test]
fn a_screen_tells_what_becomes_of_it_and_why() {
    let ran = lab(&["random-select"]);
    assert_eq!(ran.end, End::Exit(0), "{}{}", ran.stdout, ran.stderr);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert!(lines.len() <= 40, "{} rows", lines.len());
    assert!(
        lines.iter().all(|l| l.chars().count() <= 100),
        "{}",
        ran.stdout
    );
    assert!(!ran.stdout.contains('\x1b'), "no terminal, no colors");
    assert!(lines[0].starts_with("F18 random-select: "), "{}", lines[0]);
    assert!(ran.stdout.contains("without select-random"));
    assert!(ran.stdout.contains("400 to 600") && ran.stdout.contains(" 1000\n"));
    assert_eq!(ran.stdout.matches("  P0 ").count(), 2, "{}", ran.stdout);
    assert!(ran.stdout.contains("main.main: "), "{}", ran.stdout);
}

/// Who runs seldom, and never longest, is seen all the same.
#[test]
fn pictures_show_who_runs_seldom() {
    let ran = lab(&["runnext-starvation"]);
    let seen = |picture: &str| {
        let is_third = |l: &&str| l.contains(" main.main.func3: ");
        let third = picture.lines().find(is_third)?.trim().chars().next()?;
        let lane = picture.lines().find(|l| l.starts_with("  P0 "))?;
        Some(lane.chars().filter(|c| *c == third).count())
    };
    let (with, without) = ran
        .stdout
        .split_once("\nWithout slice-inheritance:\n")
        .unwrap();
    assert!(seen(with) >= Some(3), "{}", ran.stdout);
    assert!(seen(without) <= Some(1), "{}", ran.stdout);
}

/// Who answers is told whether it was right, by a run.
#[test]
fn riddles_are_solved_by_a_run() {
    let quiz = |args: &[&str], input: &str| {
        let mut command = gosched();
        command.arg("lab").args(args).env_remove("GOSCHED_WITHOUT");
        let ran = run(&mut command, input.as_bytes(), LIMIT);
        assert_eq!(ran.end, End::Exit(0), "{args:?}: {}", ran.stderr);
        ran.stdout
    };
    let first = quiz(&["--quiz"], "what?\nc\nq\n");
    assert!(first.contains("or q to end.\n"), "{first}");
    assert!(first.contains("\nRight.\n"), "{first}");
    assert!(first.contains("It has printed: 3 1 2\n"), "{first}");
    assert!(first.ends_with("1 of 1 right.\n"), "{first}");
    let wrong = quiz(&["--quiz"], "a\n");
    assert!(wrong.contains("\nNo.\n"), "{wrong}");
    assert!(wrong.ends_with("0 of 1 right.\n"), "{wrong}");
    // Of a rule: both answers, and one of them is right.
    let both = ["a\n", "b\n"].map(|answer| quiz(&["random-select", "--quiz"], answer));
    let right = both.iter().filter(|text| text.contains("\nRight.\n"));
    assert_eq!(right.count(), 1, "{both:?}");
    assert!(both[0].contains("F18 random-select: "), "{}", both[0]);
}

#[test]
fn figures_come_as_json() {
    let all = json(&lab(&["F18", "--json"]));
    assert_eq!(all["good"], true, "{all}");
    assert_eq!(all["without"]["figure"], 1000, "{all}");
    assert_eq!(all["off"][0], "select-random");
}

#[test]
fn any_program_can_be_looked_at() {
    let program = tests_dir().join("../examples/hello.go");
    let ran = lab(&[program.to_str().unwrap(), "--without=steal"]);
    assert_eq!(ran.end, End::Exit(0), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("Without steal: "), "{}", ran.stdout);
    assert!(ran.stdout.ends_with("prints the same.\n"), "{}", ran.stdout);
}

#[test]
fn what_cannot_be_done_is_told() {
    for (args, told) in [
        (&["runnext-starvatoin"][..], "there is runnext-starvation"),
        (&["prog.go"], "--without=MECH says it"),
        (&["prog.go", "--without=none"], "none"),
        (&["missing.go", "--without=steal"], "missing.go"),
        (&["--all", "idle"], "--all is about no single experiment"),
    ] {
        let ran = lab(args);
        assert_ne!(ran.end, End::Exit(0), "{args:?}");
        let text = ran.stdout + &ran.stderr;
        assert!(text.contains(told), "{args:?}: {text}");
    }
}

#[test]
#[ignore = "makes all experiments, which takes a minute or two"]
fn all_experiments_are_good() {
    let ran = lab(&["--all", "--json"]);
    let all = json(&ran);
    let all = all.as_array().unwrap();
    let bad: Vec<&Value> = all.iter().filter(|r| r["good"] != true).collect();
    assert!(bad.is_empty(), "{bad:#?}");
    assert_eq!(all.len(), rules().len());
    // The starvation that is shown first takes no longer than anybody waits.
    let began = std::time::Instant::now();
    let ran = lab(&["runnext-starvation"]);
    assert!(
        began.elapsed() < Duration::from_secs(8),
        "{:?}",
        began.elapsed()
    );
    assert!(ran.stdout.contains("runnext"));
}
