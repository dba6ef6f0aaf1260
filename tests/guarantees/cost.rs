//! What steered runs cost, in processor time of a release build: of the process and its children,
//! so that it matters little what else the machine does. Of several measurements the median counts.

use super::{Folder, gosched, median};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How often each is measured.
const TIMES: usize = 5;

/// Runs a command to its end: the processor time, user and system, that it and its children take,
/// and how long it is.
#[allow(unsafe_code)]
fn cost(command: &mut Command) -> (Duration, Duration) {
    let begin = Instant::now();
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    #[expect(clippy::zombie_processes, reason = "wait4 waits for it")]
    let child = command.spawn().unwrap();
    // SAFETY: zeros are a `rusage`; the child is ours, and nobody else waits for it.
    let (status, usage) = unsafe {
        let (mut status, mut usage) = (0, std::mem::zeroed::<libc::rusage>());
        let waited = libc::wait4(child.id() as i32, &mut status, 0, &mut usage);
        assert_eq!(waited, child.id() as i32);
        (status, usage)
    };
    assert_eq!(status, 0, "{command:?}");
    let time = |t: libc::timeval| Duration::new(t.tv_sec as u64, t.tv_usec as u32 * 1000);
    (time(usage.ru_utime) + time(usage.ru_stime), begin.elapsed())
}

/// The median of what `TIMES` runs cost.
fn usual_cost(make: impl Fn() -> Command) -> Duration {
    median((0..TIMES).map(|_| cost(&mut make()).0).collect())
}

/// A search of a program that prints one line: so many schedules.
fn hello(folder: &Folder, schedules: u32) -> Command {
    let program = folder.file("hello.go");
    // Where nothing can come otherwise there is one schedule.
    let code = "package main\n\nimport \"fmt\"\n\nfunc main() {\n\tdone := make(chan bool)\n\t\
                go func() { done <- true }()\n\t<-done\n\tfmt.Println(\"hello\")\n}\n";
    std::fs::write(&program, code).unwrap();
    let mut command = folder.gosched();
    let schedules = format!("--schedules={schedules}");
    command
        .args(["explore", "--seed=1", "--jobs=2", &schedules])
        .arg(program);
    command
}

/// The same program, run.
fn plain(folder: &Folder) -> Command {
    let mut command = folder.gosched();
    command.arg("run").arg(folder.file("hello.go"));
    command
}

/// A schedule costs at most half of what the program run from nothing does, which is measured
/// beside it: some 1.5 ms of 4.5 where a processor does three billion steps in a second. Two
/// workers share the schedules: a thousand take at most three quarters of what they cost.
#[test]
#[ignore = "measures processor time; for a release build"]
fn cost_of_a_schedule() {
    let folder = Folder::new();
    let all = usual_cost(|| hello(&folder, 1001));
    let one = usual_cost(|| hello(&folder, 1));
    let run = median(
        (0..8 * TIMES)
            .map(|_| cost(&mut plain(&folder)).0)
            .collect(),
    );
    let each = (all - one) / 1000;
    println!("a schedule costs {each:?}, what comes before the first {one:?}, a run {run:?}");
    assert!(each <= run / 2, "{each:?} of {run:?}");
    // How long they take is told by the runs that have had both processors; if others want them all
    // the time, it is half of what they cost.
    let runs = (0..2 * TIMES).map(|_| cost(&mut hello(&folder, 1000)));
    let long = |(cost, long): (Duration, Duration)| match cost > long.mul_f64(1.2) {
        true => long.div_duration_f64(cost),
        false => 0.5,
    };
    let mut shares: Vec<f64> = runs.map(long).collect();
    shares.sort_by(f64::total_cmp);
    let share = shares[shares.len() / 2];
    println!("1,000 schedules take {share:.2} of their cost");
    assert!(share <= 0.75, "{share}");
}

fn benchmark(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/bench")
        .join(name)
        .with_extension("go")
}

/// A benchmark, run so, by one P.
fn benched(name: &str, words: &[&str]) -> Command {
    let mut command = gosched();
    command
        .args(words)
        .arg(benchmark(name))
        .env("GOMAXPROCS", "1");
    command
}

/// How many times as much benchmarks cost when they are run so. None is to be above `most`.
fn check_ratio(names: &[&str], words: &[&str], most: f64) {
    let mut wrong = Vec::new();
    for name in names {
        let ordinary = usual_cost(|| benched(name, &["run"])).as_secs_f64();
        let other = usual_cost(|| benched(name, words)).as_secs_f64();
        let ratio = other / ordinary;
        println!("{name}: {other:.2} s, not {ordinary:.2} s: {ratio:.2}");
        if ratio > most {
            wrong.push(format!("{name}: {ratio:.2}"));
        }
    }
    assert!(wrong.is_empty(), "more than {most}: {wrong:?}");
}

/// Benchmarks in which goroutines do little but meet.
const CONCURRENT: &[&str] = &[
    "fanin",
    "mutex",
    "pingpong",
    "prodcons",
    "primesieve",
    "spawn",
    "threadring",
    "timers",
];

/// Those that only compute.
const COMPUTING: &[&str] = &[
    "binarytrees",
    "fannkuch",
    "fib",
    "mapint",
    "matmul",
    "nbody",
    "nqueens",
    "sieve",
    "sortslice",
    "spectralnorm",
    "structs",
    "wordcount",
];

/// The detector of races costs at most four times as much where goroutines meet, and eight times
/// where one computes.
#[test]
#[ignore = "measures processor time; for a release build"]
fn cost_of_the_detector_of_races() {
    check_ratio(CONCURRENT, &["run", "--race"], 4.0);
    check_ratio(COMPUTING, &["run", "--race"], 8.0);
}

/// A recorded run costs at most half as much again.
#[test]
#[ignore = "measures processor time; for a release build"]
fn cost_of_recording() {
    let folder = Folder::new();
    let file = folder.file("run.gosched");
    let words = ["record", "-o", file.to_str().unwrap()];
    check_ratio(CONCURRENT, &words, 1.5);
    check_ratio(COMPUTING, &words, 1.5);
}

/// What is measured is what is meant.
#[test]
fn cost_is_counted() {
    let folder = Folder::new();
    let (few, many) = (
        cost(&mut hello(&folder, 2)).0,
        cost(&mut hello(&folder, 300)).0,
    );
    assert!(many > few, "{many:?}, {few:?}");
}
