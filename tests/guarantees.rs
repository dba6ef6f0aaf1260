//! What is promised of steered runs, proved by measuring: that a seed gives one run and a recording
//! one replay, how soon planted bugs are found, what a schedule costs, what no longer escapes, and
//! what reports say.
//!
//! `cargo test` runs small versions. `cargo test --test guarantees -- --ignored NAME` runs the
//! whole one of a module, of which each says how long it takes on two cores; those that measure
//! time want `--release`. `GOSCHED_BIN` names another binary to prove it of.

#[path = "guarantees/cost.rs"]
mod cost;
#[path = "guarantees/determinism.rs"]
mod determinism;
#[path = "guarantees/escapes.rs"]
mod escapes;
#[path = "guarantees/minimal.rs"]
mod minimal;
#[path = "guarantees/power.rs"]
mod power;
#[path = "guarantees/replays.rs"]
mod replays;
#[path = "guarantees/reports.rs"]
mod reports;
mod support;

use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;
use support::{Ran, gosched, run};

/// A run that takes so long hangs.
const LIMIT: Duration = Duration::from_secs(600);

/// The programs below `tests/steer` and `examples/steer` whose names `is_one` picks.
fn programs(is_one: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["examples/steer", "tests/steer"].map(|f| root.join(f));
    let mut found: Vec<PathBuf> = folders
        .iter()
        .flat_map(|f| support::files(f, "go"))
        .collect();
    found.retain(|f| is_one(&name_of(f)));
    assert!(!found.is_empty());
    found
}

/// Those with a bug.
fn bad_programs() -> Vec<PathBuf> {
    programs(|name| !name.ends_with("_fixed") && !name.ends_with("_mended"))
}

/// `n` of them, from all over.
fn some<T: Clone>(all: &[T], n: usize) -> Vec<T> {
    (0..n).map(|i| all[i * all.len() / n].clone()).collect()
}

fn name_of(program: &Path) -> String {
    program.file_stem().unwrap().to_string_lossy().into_owned()
}

/// A folder of one run's own, which goes with it, and in it `tmp` for the program's own files.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let all = std::env::temp_dir().join(format!("gosched-guarantees-{}", std::process::id()));
        let folder = all.join(NUMBER.fetch_add(1, Relaxed).to_string());
        std::fs::create_dir_all(folder.join("tmp")).unwrap();
        Folder(folder)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// A command of gosched, run in here.
    fn gosched(&self) -> Command {
        let mut command = gosched();
        command.current_dir(&self.0).env("TMPDIR", "tmp");
        command
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
        // Whoever is the last takes the folder of all with it.
        let _ = self.0.parent().map(std::fs::remove_dir);
    }
}

/// Searches the schedules of a program; the recording is `found.gosched` in the folder.
fn explored(folder: &Folder, flags: &[&str], program: &Path) -> Ran {
    let mut command = folder.gosched();
    command
        // Some have bugs that only a slow machine shows: what can run waits there for seconds.
        .args(["explore", "-o", "found.gosched", "--max-stall=any"])
        .args(flags)
        .arg(program);
    run(&mut command, b"", LIMIT)
}

/// What `explore --json` says, on its one line.
fn report(ran: &Ran) -> serde_json::Value {
    let said = format!("{}{}", ran.stdout, ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {said}"))
}

/// A text without addresses in the heap: where all that can be is collected at once, they are given
/// to others earlier.
fn without_addresses(text: &str) -> String {
    let address = regex::Regex::new("0x(00)?c0[0-9a-f]+").unwrap();
    address.replace_all(text, "0x").into_owned()
}

/// Twice as many busy processes as there are CPUs.
struct Busy(Vec<Child>);

impl Busy {
    fn new() -> Busy {
        let cpus = std::thread::available_parallelism().map_or(2, |n| n.get());
        let start = |_| {
            let mut command = Command::new("sh");
            command.args(["-c", "while :; do :; done"]);
            support::die_with_us(&mut command);
            command.spawn().unwrap()
        };
        Busy((0..2 * cpus).map(start).collect())
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// What `f` says of each, `jobs` at a time.
fn each<T: Sync, R: Send>(all: &[T], jobs: usize, f: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut said = Vec::new();
        while let Some((i, one)) = all.iter().enumerate().nth(next.fetch_add(1, Relaxed)) {
            said.push((i, f(one)));
        }
        said
    };
    let mut said: Vec<(usize, R)> = std::thread::scope(|s| {
        let workers: Vec<_> = (0..jobs).map(|_| s.spawn(work)).collect();
        workers
            .into_iter()
            .flat_map(|w| w.join().unwrap())
            .collect()
    });
    said.sort_by_key(|(i, _)| *i);
    said.into_iter().map(|(_, r)| r).collect()
}

/// The one in the middle.
fn median<T: PartialOrd + Copy>(mut all: Vec<T>) -> T {
    all.sort_by(|a, b| a.partial_cmp(b).unwrap());
    all[all.len() / 2]
}
