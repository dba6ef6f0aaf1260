//! Every `.go` file below `tests/corpus`, `tests/sched` and `tests/bench` is one test, named by its path.
//!
//! The first line of a file is its recipe (the benchmark programs need none):
//!
//! - `// run`: exits 0 and prints `NAME.out` (nothing where there is none). Programs below `chan`, `select`, `sched`, `gc` run at
//!   GOMAXPROCS 1, 2 and 8, the others at 2.
//! - `// run exit=N`: exits N; standard error, addresses and offsets normalised, equals `NAME.err` where that exists.
//!   `procs=N` in a recipe fixes GOMAXPROCS.
//! - `// errorcheck`: is refused with exactly the errors of `NAME.err`.
//! - `// wishlist: reason`: runs, and fails the test once it passes, so that it is promoted.
//!
//! `GOSCHED_CORPUS_GODEBUG` is handed to every program as `GODEBUG` (for example `gcstress=1`), and `GOSCHED_CORPUS_PART=SEED:K/N` keeps a
//! part of the tests, chosen by a hash of name and seed. `GOSCHED_DISPATCH=loop` runs them all by the looped dispatcher.
//!
//! Where all programs are asked to collect at every safepoint, one with `gcstress=N` in its first line does so at each `N`th only: it has so
//! many goroutines or frames that each collection takes long. With `gcstress=0` it does not at all: it counts collections itself.

mod support;

use libtest_mimic::{Arguments, Failed, Trial};
use regex::{Captures, Regex};
use std::path::{Path, PathBuf};
use std::time::Duration;
use support::{
    End, Ran, difference, files, gosched, in_part, is_our_crash, stress, stress_of, tests_dir,
};

fn main() {
    let args = Arguments::from_args();
    let mut trials = Vec::new();
    for folder in ["corpus", "bench", "sched"] {
        let root = tests_dir().join(folder);
        for path in files(&root, "go") {
            let name = path
                .strip_prefix(tests_dir())
                .unwrap()
                .with_extension("")
                .display()
                .to_string();
            if in_part(&name) {
                trials.push(Trial::test(name, move || test(&path)));
            }
        }
    }
    libtest_mimic::run(&args, trials).exit();
}

fn test(path: &Path) -> Result<(), Failed> {
    let source = std::fs::read_to_string(path)?;
    let is_bench = path.parent().is_some_and(|p| p.ends_with("bench"));
    let recipe = source.lines().next().unwrap_or("").trim();
    if is_bench {
        return bench(path, recipe);
    }
    if let Some(reason) = recipe.strip_prefix("// wishlist:") {
        let rest = source.lines().nth(1).unwrap_or("// run");
        return match follow(path, rest) {
            Ok(()) => Err(format!("passes now; promote it (was: {})", reason.trim()).into()),
            Err(_) => Ok(()),
        };
    }
    follow(path, recipe)
}

/// The benchmark programs print the same on one, two and four Ps; in a debug build only the last is tried.
fn bench(path: &Path, recipe: &str) -> Result<(), Failed> {
    let procs = match number(recipe, "procs") {
        Some(n) => vec![n],
        None if cfg!(debug_assertions) => vec![4],
        None => vec![1, 2, 4],
    };
    for procs in procs {
        expect_output(path, recipe, procs, limit().max(Duration::from_secs(300)))?;
    }
    Ok(())
}

fn follow(path: &Path, recipe: &str) -> Result<(), Failed> {
    let concurrent = ["chan", "select", "sched", "gc"]
        .iter()
        .any(|d| path.components().any(|c| c.as_os_str() == *d));
    if recipe.starts_with("// run") {
        let procs = match number(recipe, "procs") {
            Some(n) => vec![n],
            None if concurrent => vec![1, 2, 8],
            None => vec![2],
        };
        for procs in procs {
            expect_output(path, recipe, procs, limit())?;
        }
        Ok(())
    } else if recipe.starts_with("// errorcheck") {
        let ran = run_program(path, recipe, &["check"], 2, Duration::from_secs(60));
        expect(&ran, End::Exit(1), "", &sibling(path, "err"), path)
    } else {
        Err(format!("no recipe: {recipe:?}").into())
    }
}

/// The `N` of `name=N` in a recipe.
fn number(recipe: &str, name: &str) -> Option<u32> {
    let words = recipe.split_whitespace();
    let mut values = words.filter_map(|w| w.strip_prefix(name)?.strip_prefix('='));
    values.next().map(|n| n.parse().unwrap())
}

fn run_program(path: &Path, recipe: &str, verb: &[&str], procs: u32, limit: Duration) -> Ran {
    let mut command = gosched();
    command
        .args(verb)
        .arg(path.file_name().unwrap())
        .current_dir(path.parent().unwrap())
        .env("GOMAXPROCS", procs.to_string());
    if let Some(debug) = stress_of(number(recipe, "gcstress")) {
        command.env("GODEBUG", debug);
    }
    support::run(&mut command, b"", limit)
}

fn expect_output(path: &Path, recipe: &str, procs: u32, limit: Duration) -> Result<(), Failed> {
    let ran = run_program(path, recipe, &[], procs, limit);
    let exit = number(recipe, "exit").unwrap_or(0) as i32;
    let err = sibling(path, "err");
    expect(&ran, End::Exit(exit), &sibling(path, "out"), &err, path)
        .map_err(|e| format!("GOMAXPROCS={procs}: {}", e.message().unwrap_or("")).into())
}

/// Time for one run; a collection at every safepoint takes longer.
fn limit() -> Duration {
    Duration::from_secs(if stress().is_some() { 600 } else { 60 })
}

fn sibling(path: &Path, extension: &str) -> String {
    let file: PathBuf = path.with_extension(extension);
    std::fs::read(file).map_or_else(
        |_| String::new(),
        |b| String::from_utf8_lossy(&b).into_owned(),
    )
}

fn expect(ran: &Ran, end: End, stdout: &str, stderr: &str, path: &Path) -> Result<(), Failed> {
    let shown = |s: &str| s.chars().take(2000).collect::<String>();
    if is_our_crash(ran) {
        return Err(format!("crash of ours: {:?}\n{}", ran.end, shown(&ran.stderr)).into());
    }
    if ran.end != end {
        return Err(format!(
            "ended with {:?}, want {end:?}\nstdout: {}\nstderr: {}",
            ran.end,
            shown(&ran.stdout),
            shown(&ran.stderr)
        )
        .into());
    }
    if let Some(d) = difference(stdout, &ran.stdout) {
        return Err(format!("stdout differs at {d}").into());
    }
    let (want, got) = (normalise(stderr, path), normalise(&ran.stderr, path));
    let agrees = match want.strip_suffix("...\n") {
        Some(head) => got.starts_with(head),
        None => want == got,
    };
    if !agrees {
        let at = difference(&want, &got).unwrap_or_default();
        return Err(format!("stderr differs at {at}\nwhole: {}", shown(&ran.stderr)).into());
    }
    Ok(())
}

/// Takes out what no two runs share (addresses, numbers of goroutines and threads, folders), what inlining decides (arguments), and the frames of the
/// runtime, of the library, and of wrappers, which are Go's own business.
fn normalise(text: &str, path: &Path) -> String {
    let folder = path.parent().unwrap().display().to_string();
    let text = text
        .replace(&format!("{folder}/"), "")
        .replace("\t./", "\t");
    let frame = Regex::new(r"(?m)^(\S.*)\([^()]*\)\n\t(\S+):(\d+).*\n").unwrap();
    let text = frame.replace_all(&text, |c: &Captures<'_>| {
        let is_theirs = c[2].contains('/');
        if is_theirs {
            String::new()
        } else {
            format!("{}(...)\n\t{}:{}\n", &c[1], &c[2], &c[3])
        }
    });
    let created = Regex::new(r"(?m)^(created by \S+ in goroutine )\d+\n\t(\S+):(\d+).*\n").unwrap();
    let text = created.replace_all(&text, "${1}N\n\t$2:$3\n");
    let text = Regex::new(r"goroutine ([2-9]|\d\d+)\b")
        .unwrap()
        .replace_all(&text, "goroutine N");
    let threads = Regex::new(r" m=\d+ ").unwrap();
    let text = threads.replace_all(&text, " m=N ");
    // Addresses differ, but not those on the page of nil.
    Regex::new(r"( addr=0x[0-9a-f]{1,3} )|0x[0-9a-f]+")
        .unwrap()
        .replace_all(&text, |c: &Captures<'_>| {
            c.get(1).map_or("0x?", |m| m.as_str()).to_string()
        })
        .into_owned()
}
