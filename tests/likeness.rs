//! The library's function bodies are our own: none is as like one of Go's as only a copy is.
//!
//! `tests/likeness/` measures, run by gosched itself: the share of tokens that a body has in
//! common, in order, with the most alike one of Go's, private names put aside. Bodies of 60 tokens
//! and more count. Independent projects with Go's interfaces have 1 to 5 % of bodies at 0.8 and
//! above, and 10 to 16 % at 0.7: the limits here.
//!
//! A body that is [`ALIKE`] fails the test, with both places, but for those that
//! `tests/likeness/forced.txt` names with the reason why nothing else is sensible (an interface or
//! a formula that leaves no choice). A line whose body is no longer alike is to be struck.

mod support;

use libtest_mimic::{Arguments, Failed};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;
use support::{End, go_sources, gosched, needs, run, tests_dir};

/// From here on a body needs a reason.
const ALIKE: f64 = 0.8;

/// So many bodies may have one.
const FORCED: usize = 60;

/// The tokens of a long body.
const LONG: usize = 200;

/// What of the bodies, in per cent, may be so alike: all, and long ones.
const SHARES: &[(f64, f64)] = &[(0.9, 0.3), (0.8, 2.5), (0.7, 12.0)];
const LONG_SHARES: &[(f64, f64)] = &[(0.7, 3.0)];

/// What of the tokens in bodies may lie in exact runs of 25 that Go's library has, too, and what of
/// the private names of several words Go's package may have, too; in per cent.
const IN_RUNS: f64 = 2.0;
const NAMES: f64 = 8.0;

/// What was measured of a body.
struct Body {
    likeness: f64,
    tokens: usize,
    package: String,
    name: String,
    ours: String,
    theirs: String,
}

/// What was measured of all.
#[derive(Default)]
struct Measured {
    bodies: Vec<Body>,
    /// Tokens in bodies, and those in runs.
    tokens: (usize, usize),
    /// Private names of several words, and those in common.
    names: (usize, usize),
}

impl Measured {
    fn read(text: &str) -> Option<Measured> {
        let mut read = Measured::default();
        for line in text.lines() {
            let words: Vec<&str> = line.split('\t').collect();
            match words[..] {
                ["body", likeness, tokens, package, name, ours, theirs] => read.bodies.push(Body {
                    likeness: likeness.parse().ok()?,
                    tokens: tokens.parse().ok()?,
                    package: package.into(),
                    name: name.into(),
                    ours: ours.into(),
                    theirs: theirs.into(),
                }),
                ["runs", _, all, some] => {
                    read.tokens.0 += all.parse::<usize>().ok()?;
                    read.tokens.1 += some.parse::<usize>().ok()?;
                }
                ["names", _, all, some, _] => {
                    read.names.0 += all.parse::<usize>().ok()?;
                    read.names.1 += some.parse::<usize>().ok()?;
                }
                _ => return None,
            }
        }
        (read.bodies.len() > 1000 && read.tokens.0 > 0 && read.names.0 > 0).then_some(read)
    }
}

fn share(part: usize, all: usize) -> f64 {
    100.0 * part as f64 / all.max(1) as f64
}

/// The bodies that have a reason: package and name.
fn forced() -> BTreeMap<(String, String), String> {
    let text = std::fs::read_to_string(tests_dir().join("likeness/forced.txt")).unwrap();
    let lines = text
        .lines()
        .filter(|l| !l.is_empty() && !l.starts_with('#'));
    lines
        .map(|line| {
            let mut words = line.splitn(3, ' ');
            let mut word = || words.next().unwrap_or_default().to_string();
            let (package, name, reason) = (word(), word(), word());
            assert!(!reason.is_empty(), "no reason: {line}");
            ((package, name), reason)
        })
        .collect()
}

fn bodies_are_our_own(sources: &Path) -> Result<(), Failed> {
    let library = tests_dir().parent().unwrap().join("src/stdlib");
    let mut command = gosched();
    command.arg("run").arg(tests_dir().join("likeness"));
    command.args([&library, sources]);
    let ran = run(&mut command, b"", Duration::from_secs(600));
    if ran.end != End::Exit(0) {
        return Err(format!("{:?}: {}", ran.end, ran.stderr).into());
    }
    let measured = Measured::read(&ran.stdout).ok_or("it printed something else")?;
    let mut wrong = String::new();
    let mut forced = forced();
    if forced.len() > FORCED {
        let _ = writeln!(wrong, "{} bodies have a reason", forced.len());
    }
    for body in measured.bodies.iter().filter(|b| b.likeness >= ALIKE) {
        let named = (body.package.clone(), body.name.clone());
        if forced.remove(&named).is_none() {
            let Body { likeness, name, .. } = body;
            let (ours, theirs) = (&body.ours, &body.theirs);
            let _ = writeln!(wrong, "{likeness:.2} alike: {name}, {ours} and {theirs}");
        }
    }
    for ((package, name), _) in forced {
        let _ = writeln!(wrong, "strike from forced.txt: {package} {name}");
    }
    let mut limit = |what: String, have: f64, limit: f64| {
        println!("{what}: {have:.2} % of {limit} %");
        if have > limit {
            let _ = writeln!(wrong, "{what}: {have:.2} % are more than {limit} %");
        }
    };
    for (shares, shortest) in [(SHARES, 0), (LONG_SHARES, LONG)] {
        let all = || measured.bodies.iter().filter(|b| b.tokens >= shortest);
        for &(from, most) in shares {
            let alike = all().filter(|b| b.likeness >= from).count();
            let what = format!("bodies of {shortest} tokens and more at {from}");
            limit(what, share(alike, all().count()), most);
        }
    }
    let (tokens, names) = (measured.tokens, measured.names);
    limit("exact runs".into(), share(tokens.1, tokens.0), IN_RUNS);
    limit("private names".into(), share(names.1, names.0), NAMES);
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(wrong.into()),
    }
}

fn main() {
    let args = Arguments::from_args();
    let name = "bodies_are_our_own".into();
    let trial = needs(name, go_sources(), |sources| bodies_are_our_own(&sources));
    libtest_mimic::run(&args, vec![trial]).exit();
}
