//! Traces in Go's form: `go tool trace` of real Go accepts them, and counts in them what
//! `gosched trace summary` does.
//!
//! The programs of all folders, with all switches, are for
//! `cargo test --release --test gotraces -- --ignored`.

mod support;

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use support::{End, go_command, gosched, needs, real_go, tests_dir};

const LIMIT: Duration = Duration::from_secs(300);

/// Programs with, together, all that a trace can tell of: what is made, stolen, waits, calls,
/// collects.
const SOME: &[(&str, &str, &str)] = &[
    ("../examples/hello.go", "1", ""),
    ("log/moves.go", "1", ""),
    ("log/moves.go", "4", ""),
    ("log/objects.go", "2", ""),
    ("sched/waits.go", "2", ""),
    ("../examples/lab/blocking_call.go", "2", ""),
    ("../examples/lab/garbage.go", "2", ""),
    ("../examples/lab/netpoll.go", "2", ""),
    // Longer than a generation.
    ("../examples/lab/second_job.go", "2", ""),
    ("../examples/lab/full_ring.go", "2", "retake,steal"),
];

fn main() {
    let args = Arguments::from_args();
    let mut trials: Vec<Trial> = SOME
        .iter()
        .map(|(program, procs, without)| {
            let name = Path::new(program).file_stem().unwrap_or_default();
            let name = format!("{}_{procs}{without}", name.to_string_lossy());
            needs(name.clone(), real_go(), move |go| {
                agrees(&go, &tests_dir().join(program), procs, without, &name)
            })
        })
        .collect();
    let all = needs("all_programs".into(), real_go(), |go| all(&go));
    trials.push(all.with_ignored_flag(true));
    libtest_mimic::run(&args, trials).exit();
}

/// A file that is gone at the end.
struct Gone(PathBuf);

impl Gone {
    fn new(name: &str, end: &str) -> Gone {
        let name = format!("gosched-go-{}-{name}.{end}", std::process::id());
        Gone(std::env::temp_dir().join(name))
    }
}

impl Drop for Gone {
    fn drop(&mut self) {
        drop(std::fs::remove_file(&self.0));
    }
}

/// What is counted in a trace: goroutines made, starts, waits by reason.
#[derive(PartialEq, Eq, Debug, Default)]
struct Counts {
    creates: u64,
    starts: u64,
    blocks: BTreeMap<String, u64>,
}

/// Runs a program with a trace, whatever its end, and holds both counts against each other.
fn agrees(go: &Path, program: &Path, procs: &str, without: &str, name: &str) -> Result<(), Failed> {
    let (own, theirs) = (Gone::new(name, "trace"), Gone::new(name, "gotrace"));
    let mut command = gosched();
    command
        .arg("run")
        .arg(format!("--sched-trace={}", own.0.display()));
    command.arg(program).arg("1");
    command
        .env("GOMAXPROCS", procs)
        .env("GOSCHED_WITHOUT", without);
    let ran = support::run(&mut command, b"", LIMIT);
    if ran.end == End::Timeout {
        return Err(format!("{name} does not end").into());
    }
    let out = std::fs::File::create(&theirs.0)?;
    let mut convert = gosched();
    convert.args(["trace", "convert", "--to=go"]).arg(&own.0);
    let status = convert.stdout(out).status()?;
    if !status.success() {
        return Err(format!("{name} is not converted: {status}").into());
    }
    let summary = support::run(
        gosched().args(["trace", "summary", "--json"]).arg(&own.0),
        b"",
        LIMIT,
    );
    let summary: Value = serde_json::from_str(&summary.stdout)?;
    let number = |v: &Value| v.as_u64().unwrap_or(u64::MAX);
    let blocks = summary["blocks"].as_object().into_iter().flatten();
    let summed = Counts {
        creates: number(&summary["creates"]),
        starts: number(&summary["starts"]),
        blocks: blocks
            .map(|(reason, n)| (reason.clone(), number(n)))
            .collect(),
    };
    let parsed = parsed(go, &theirs.0)?;
    match parsed == summed {
        true => Ok(()),
        false => Err(format!("{name}: Go counts {parsed:?}, the summary {summed:?}").into()),
    }
}

/// What real Go counts in a file of its form.
fn parsed(go: &Path, file: &Path) -> Result<Counts, Failed> {
    let mut command = go_command(go);
    command.args(["tool", "trace", "-d=parsed"]).arg(file);
    let ran = support::run(&mut command, b"", LIMIT);
    if ran.end != End::Exit(0) || !ran.stderr.is_empty() {
        return Err(format!("{:?}: {}", ran.end, ran.stderr).into());
    }
    let mut counts = Counts::default();
    for line in ran.stdout.lines().filter(|l| l.contains(" GoID=")) {
        let reason = || {
            line.split_once("Reason=\"")
                .and_then(|(_, rest)| rest.split_once('"'))
        };
        if line.contains(" NotExist->") {
            counts.creates += 1;
        } else if line.contains(" Runnable->Running ") {
            counts.starts += 1;
        } else if line.contains(" Running->Waiting ") {
            let (reason, _) = reason().ok_or_else(|| format!("no reason: {line}"))?;
            *counts.blocks.entry(reason.into()).or_default() += 1;
        }
    }
    Ok(counts)
}

/// The Go programs in a folder.
fn programs(folder: &str) -> Result<Vec<PathBuf>, Failed> {
    let all = std::fs::read_dir(tests_dir().join(folder))?;
    let mut all: Vec<PathBuf> = all.map(|e| e.map(|e| e.path())).collect::<Result<_, _>>()?;
    // That one serves until it is stopped.
    all.retain(|p| p.extension().is_some_and(|e| e == "go") && !p.ends_with("echo.go"));
    all.sort();
    Ok(all)
}

fn all(go: &Path) -> Result<(), Failed> {
    let mut runs = Vec::new();
    for folder in ["../examples", "bench", "../examples/lab", "fairness"] {
        for program in programs(folder)? {
            for procs in ["1", "2", "4"] {
                runs.push((program.clone(), procs, ""));
            }
        }
    }
    for program in programs("../examples/lab")? {
        for (_, without) in gosched_runtime::switches::ALL {
            runs.push((program.clone(), "2", without));
        }
    }
    let mut wrong = 0;
    for (program, procs, without) in &runs {
        let name = program
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if let Err(why) = agrees(go, program, procs, without, &name) {
            println!(
                "{name} at {procs} without {without:?}: {}",
                why.message().unwrap_or("")
            );
            wrong += 1;
        }
    }
    match wrong {
        0 => Ok(()),
        n => Err(format!("{n} of {} disagree", runs.len()).into()),
    }
}
