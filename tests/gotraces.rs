//! Traces in Go's form: `go tool trace` of real Go accepts them, and counts in them what
//! `gosched trace summary` does.
//!
//! The programs of all folders, with all switches, are for
//! `cargo test --release --test gotraces -- --ignored`; `GOSCHED_GOTRACES_PART=SEED:K/N` keeps a
//! part of the runs.

mod support;

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;
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
    for procs in ["1", "2"] {
        let name = format!("annotated_{procs}");
        trials.push(needs(name, real_go(), move |go| annotated(&go, procs)));
    }
    trials.push(needs("tests".into(), real_go(), |go| tests(&go)));
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
        return match without {
            // A loop that waits for another goroutine need not end.
            "async-preempt" => Ok(()),
            _ => Err(format!("{name} does not end").into()),
        };
    }
    let out = std::fs::File::create(&theirs.0)?;
    let mut convert = gosched();
    convert.args(["trace", "convert", "--to=go"]).arg(&own.0);
    let status = convert.stdout(out).status()?;
    if !status.success() {
        return Err(format!("{name} is not converted: {status}").into());
    }
    let mut summary = gosched();
    summary.args(["trace", "summary", "--json"]).arg(&own.0);
    let summary: Value = serde_json::from_slice(&summary.output()?.stdout)?;
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
    // It says more than is kept of what others say.
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let out = child.stdout.take().ok_or("no output")?;
    let mut counts = Counts::default();
    for line in BufReader::new(out).lines() {
        let line = line?;
        if !line.contains(" GoID=") {
            continue;
        }
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
    match child.wait()? {
        status if status.success() => Ok(counts),
        status => Err(format!("{status}").into()),
    }
}

/// What `annotated.go` prints under real Go as well.
const PRINTED: &str = "false
true execution tracer already enabled
<nil> cannot enable a enabled flight recorder true
true <nil>
0 cannot snapshot a disabled flight recorder false true
false
<nil> true
true <nil>
";

/// A program that writes traces itself: what `go tool trace` reads in them.
fn annotated(go: &Path, procs: &str) -> Result<(), Failed> {
    let stem =
        std::env::temp_dir().join(format!("gosched-annotated-{}-{procs}", std::process::id()));
    let files = [0, 1, 2].map(|i| Gone(stem.with_extension(i.to_string())));
    let mut command = gosched();
    command
        .arg("run")
        .arg(tests_dir().join("gotraces/annotated.go"))
        .arg(&stem);
    let ran = support::run(command.env("GOMAXPROCS", procs), b"", LIMIT);
    if (&ran.end, ran.stdout.as_str()) != (&End::Exit(0), PRINTED) {
        return Err(format!("{:?}\n{}\n{}", ran.end, ran.stdout, ran.stderr).into());
    }
    let mut texts = Vec::new();
    for file in &files {
        let mut command = go_command(go);
        command.args(["tool", "trace", "-d=parsed"]).arg(&file.0);
        let ran = support::run(&mut command, b"", LIMIT);
        if ran.end != End::Exit(0) || !ran.stderr.is_empty() {
            return Err(format!("{:?}: {}", ran.end, ran.stderr).into());
        }
        texts.push(ran.stdout);
    }
    let count = |text: &str, part: &str| text.lines().filter(|l| l.contains(part)).count();
    let [whole, last, second] = [&texts[0], &texts[1], &texts[2]];
    let is_cut = format!("Category=\"long\" Message=\"{}\"", "x".repeat(1024));
    for (what, is_so) in [
        // All that begins ends.
        (
            "tasks",
            count(whole, " TaskBegin ") == count(whole, " TaskEnd "),
        ),
        (
            "parts",
            count(whole, " TaskBegin ") > 30 && whole.contains("Parent=1 Type=\"part\""),
        ),
        (
            "regions",
            count(whole, " RegionBegin ") == count(whole, " RegionEnd "),
        ),
        (
            "names",
            count(whole, "Type=\"inner\"") == count(whole, "Type=\"outer\""),
        ),
        (
            "logs",
            count(whole, "Category=\"number\" Message=\"it is 2\"") > 10,
        ),
        ("strings", whole.contains(&is_cut)),
        (
            "stacks",
            whole.contains("main.work.func1") && whole.contains("annotated.go:2"),
        ),
        ("collections", count(whole, "GC concurrent mark phase") > 20),
        ("stops", count(whole, "stop-the-world") > 20),
        ("generations", count(whole, " Sync ") >= 4),
        // One was there before, and one has ended since.
        ("before", count(whole, "Undetermined->Waiting") >= 1),
        (
            "waiting",
            whole.contains("main.waiting") && last.contains("main.waiting"),
        ),
        // The recorder has the end only.
        ("last", count(last, " TaskBegin ") > 3),
        ("first", !last.contains("Category=\"long\"")),
        (
            "alone",
            count(second, " TaskBegin ") == 2 && count(second, " Log ") == 2,
        ),
    ] {
        if !is_so {
            return Err(format!("{what} are not as they must be").into());
        }
    }
    Ok(())
}

/// `gosched test -trace`.
fn tests(go: &Path) -> Result<(), Failed> {
    let folder = std::env::temp_dir().join(format!("gosched-test-trace-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let test = "package p\n\nimport (\n\t\"testing\"\n\t\"time\"\n)\n\n\
                func TestSleep(t *testing.T) { time.Sleep(time.Millisecond) }\n";
    std::fs::write(folder.join("go.mod"), "module p\n\ngo 1.27\n")?;
    std::fs::write(folder.join("p_test.go"), test)?;
    let mut command = gosched();
    command
        .args(["test", "-trace=p.trace"])
        .current_dir(&folder);
    let ran = support::run(&mut command, b"", LIMIT);
    let parsed = match ran.end {
        End::Exit(0) => parsed(go, &folder.join("p.trace")),
        end => Err(format!("{end:?}\n{}\n{}", ran.stdout, ran.stderr).into()),
    };
    std::fs::remove_dir_all(&folder)?;
    let parsed = parsed?;
    match parsed.creates >= 1 && parsed.blocks.get("sleep") == Some(&1) {
        true => Ok(()),
        false => Err(format!("{parsed:?}").into()),
    }
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
    runs.retain(|(program, procs, without)| {
        let file = program.file_name().unwrap_or_default().to_string_lossy();
        let name = format!("{file} {procs} {without}");
        support::in_part_of("GOSCHED_GOTRACES_PART", &name)
    });
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
