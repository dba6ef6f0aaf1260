//! Every `.go` file below `tests/corpus`,
//! `tests/sched` and `tests/bench` is one test, named by its path.
//!
//! The first line of a file is its recipe (the benchmark programs need none):
//!
//! - `// run`: exits 0 and prints `NAME.out` (nothing where there is none). Programs below `chan`,
//!   `select`, `sched`, `gc` run at GOMAXPROCS 1, 2 and 8, the others at 2.
//! - `// run exit=N`: exits N; standard error, addresses and offsets normalised, equals `NAME.err`
//!   where that exists. `procs=N` in a recipe fixes GOMAXPROCS. With `each=A,B` the program is a
//!   test for each of the words, which is its argument: named `NAME/A`, with what follows the line
//!   `== A` in `NAME.out` and `NAME.err` up to the next such line.
//! - `// errorcheck`: is refused with exactly the errors of `NAME.err`.
//! - `// wishlist: reason`: runs, and fails the test once it passes, so that it is promoted.
//!
//! Programs below `departures` show what COMPATIBILITY.md says we do otherwise: `NAME.out` is ours,
//! and `NAME.go.out` is what real Go prints, which the test `NAME/go` asks, and which must differ.
//! `UPDATE_EXPECT=1` writes the latter.
//!
//! With `lang=go1.N` in its recipe a program is of that version of the language; with `of=dir` it
//! is the package of the file's folder.
//!
//! `GOSCHED_CORPUS_GODEBUG` is handed to every program as `GODEBUG` (for example `gcstress=1`), and
//! `GOSCHED_CORPUS_PART=SEED:K/N` keeps a part of the tests, chosen by a hash of name and seed.
//! `GOSCHED_DISPATCH=loop` runs them all by the looped dispatcher, and `GOSCHED_STEERED=WAY` runs
//! them so that their schedule is steered or watched (`support/steered.rs`).
//!
//! Where all programs are asked to collect at every safepoint, one with `gcstress=N` in its first
//! line does so at each `N`th only: it has so many goroutines or frames that each collection takes
//! long. With `gcstress=0` it does not at all: it counts collections itself, or holds pointers that
//! a collection refuses.

#[path = "support/steered.rs"]
mod steered;
mod support;

use libtest_mimic::{Arguments, Failed, Trial};
use regex::{Captures, Regex};
use std::path::{Path, PathBuf};
use std::time::Duration;
use steered::Way;
use support::{
    End, Ran, difference, files, go_command, gosched, in_part, is_our_crash, needs, real_go,
    stress, stress_of, tests_dir,
};

/// A program, or one of several runs of it.
#[derive(Clone)]
struct Case {
    path: PathBuf,
    /// The first line.
    recipe: String,
    /// The argument, where the recipe names several.
    word: Option<String>,
}

impl Case {
    fn all(path: &Path) -> Vec<Case> {
        let case = Case {
            path: path.to_path_buf(),
            recipe: first_lines(path, 1).concat(),
            word: None,
        };
        let words = value(&case.recipe, "each").map(|each| each.split(','));
        let cases = words.map(|words| {
            words.map(|word| Case {
                word: Some(word.to_string()),
                ..case.clone()
            })
        });
        cases.map_or_else(|| vec![case.clone()], Iterator::collect)
    }

    fn name(&self) -> String {
        let path = self.path.strip_prefix(tests_dir()).unwrap();
        let name = path.with_extension("").display().to_string();
        match &self.word {
            Some(word) => format!("{name}/{word}"),
            None => name,
        }
    }

    /// Is it a single file that ends well, and does what it does for its order alone?
    fn can_be_steered(&self) -> bool {
        let words = ["exit", "lang", "of", "procs"];
        let is_plain = words.iter().all(|w| value(&self.recipe, w).is_none());
        let mut folders = self.path.components().map(|c| c.as_os_str());
        let is_elsewhere = folders.any(|f| f == "departures" || f == "bench");
        self.recipe.starts_with("// run") && is_plain && !is_elsewhere
    }

    /// The `N` of `name=N` in the recipe.
    fn number(&self, name: &str) -> Option<u32> {
        value(&self.recipe, name).map(|n| n.parse().unwrap())
    }

    /// What the file with this extension says is expected.
    fn golden(&self, extension: &str) -> String {
        let whole = std::fs::read(self.path.with_extension(extension)).unwrap_or_default();
        let whole = String::from_utf8_lossy(&whole).into_owned();
        let Some(word) = &self.word else { return whole };
        let head = format!("== {word}");
        let part = whole.lines().skip_while(|l| *l != head).skip(1);
        part.take_while(|l| !l.starts_with("== "))
            .map(|l| format!("{l}\n"))
            .collect()
    }
}

/// The text after `name=` in a recipe.
fn value<'a>(recipe: &'a str, name: &str) -> Option<&'a str> {
    let mut words = recipe.split_whitespace();
    words.find_map(|w| w.strip_prefix(name)?.strip_prefix('='))
}

fn first_lines(path: &Path, n: usize) -> Vec<String> {
    let source = std::fs::read_to_string(path).unwrap_or_default();
    let lines = source.lines().take(n);
    lines.map(|l| l.trim().to_string()).collect()
}

fn main() {
    let args = Arguments::from_args();
    let mut trials = Vec::new();
    for folder in ["corpus", "bench", "sched"] {
        for path in files(&tests_dir().join(folder), "go") {
            for case in Case::all(&path) {
                let is_wanted = Way::asked().is_none() || case.can_be_steered();
                if is_wanted && in_part(&case.name()) {
                    trials.push(Trial::test(case.name(), move || test(&case)));
                }
            }
        }
    }
    let go = real_go();
    let departures = match Way::asked() {
        None => files(&tests_dir().join("corpus/departures"), "go"),
        Some(_) => Vec::new(),
    };
    for path in departures {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let name = format!("corpus/departures/{name}/go");
        if in_part(&name) {
            trials.push(needs(name, go.clone(), move |go| departs(&path, &go)));
        }
    }
    libtest_mimic::run(&args, trials).exit();
}

/// Real Go prints what is said, and that is not what we print.
fn departs(path: &Path, go: &Path) -> Result<(), Failed> {
    let golden = path.with_extension("go.out");
    let mut run = go_command(go);
    run.arg("run").arg(path);
    let ran = support::run(&mut run, b"", Duration::from_secs(300));
    if ran.end != End::Exit(0) {
        return Err(format!("real Go ends with {:?}: {}", ran.end, ran.stderr).into());
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&golden, &ran.stdout)?;
    }
    if let Some(d) = difference(&std::fs::read_to_string(&golden)?, &ran.stdout) {
        return Err(format!("real Go differs at {d}").into());
    }
    if std::fs::read_to_string(path.with_extension("out"))? == ran.stdout {
        return Err("real Go does the same: this is no departure any more".into());
    }
    Ok(())
}

fn test(case: &Case) -> Result<(), Failed> {
    if let Some(way) = Way::asked() {
        let folder = case.path.parent().unwrap();
        let file = case.path.file_name().unwrap().to_str().unwrap();
        let mut words = vec![file];
        words.extend(case.word.as_deref());
        let out = case.golden("out") + &case.golden("err");
        return Ok(way.check(&case.name(), folder, &words, &out)?);
    }
    let folder = case.path.parent().unwrap();
    if folder.ends_with("bench") || folder.ends_with("bench/wide") {
        return bench(case);
    }
    if let Some(reason) = case.recipe.strip_prefix("// wishlist:") {
        let hoped = Case {
            recipe: first_lines(&case.path, 2).swap_remove(1),
            ..case.clone()
        };
        return match follow(&hoped) {
            Ok(()) => Err(format!("passes now; promote it (was: {})", reason.trim()).into()),
            Err(_) => Ok(()),
        };
    }
    follow(case)
}

/// The benchmark programs print the same on one, two and four Ps;
/// in a debug build only the last is tried.
fn bench(case: &Case) -> Result<(), Failed> {
    let procs = match case.number("procs") {
        Some(n) => vec![n],
        None if cfg!(debug_assertions) => vec![4],
        None => vec![1, 2, 4],
    };
    for procs in procs {
        expect_output(case, procs, limit().max(Duration::from_secs(300)))?;
    }
    Ok(())
}

fn follow(case: &Case) -> Result<(), Failed> {
    let concurrent = ["chan", "select", "sched", "gc"]
        .iter()
        .any(|d| case.path.components().any(|c| c.as_os_str() == *d));
    if case.recipe.starts_with("// run") {
        let procs = match case.number("procs") {
            Some(n) => vec![n],
            None if concurrent => vec![1, 2, 8],
            None => vec![2],
        };
        for procs in procs {
            expect_output(case, procs, limit())?;
        }
        Ok(())
    } else if case.recipe.starts_with("// errorcheck") {
        let ran = run_program(case, &["check"], 2, Duration::from_secs(60));
        expect(&ran, End::Exit(1), "", &case.golden("err"), &case.path)
    } else {
        Err(format!("no recipe: {:?}", case.recipe).into())
    }
}

fn run_program(case: &Case, verb: &[&str], procs: u32, limit: Duration) -> Ran {
    let mut command = gosched();
    command
        .args(verb)
        .args(value(&case.recipe, "lang").map(|lang| format!("--lang={lang}")))
        .arg(match value(&case.recipe, "of") {
            Some("dir") => ".".as_ref(),
            _ => case.path.file_name().unwrap(),
        })
        .args(&case.word)
        .current_dir(case.path.parent().unwrap())
        .env("GOMAXPROCS", procs.to_string());
    if let Some(debug) = stress_of(case.number("gcstress")) {
        command.env("GODEBUG", debug);
    }
    support::run(&mut command, b"", limit)
}

fn expect_output(case: &Case, procs: u32, limit: Duration) -> Result<(), Failed> {
    let ran = run_program(case, &[], procs, limit);
    let end = End::Exit(case.number("exit").unwrap_or(0) as i32);
    let (out, err) = (case.golden("out"), case.golden("err"));
    expect(&ran, end, &out, &err, &case.path)
        .map_err(|e| format!("GOMAXPROCS={procs}: {}", e.message().unwrap_or("")).into())
}

/// Time for one run; a collection at every safepoint takes longer.
fn limit() -> Duration {
    Duration::from_secs(if stress().is_some() { 600 } else { 60 })
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

/// Takes out what no two runs share (addresses, numbers of goroutines and threads, folders), what
/// inlining decides (arguments), and the frames of the runtime, of the library, and of wrappers,
/// which are Go's own business.
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
