//! Every exported function and method of the library, called with zero values and extreme
//! arguments, does what it does in Go.
//!
//! `tests/arguments/generate.go`, run by gosched itself, reads Go's declarations and writes a
//! program of such calls, which is then run by both: the results, or the texts of panics, are held
//! against one another. Which run-time error the library stumbles over (an index, or nil) does not
//! count. What is not called stands in `skip.txt`; `known.txt` names functions that differ, each
//! with the reason why they may. A line of it whose function does not differ any more is to be
//! struck.
//!
//! `tests/arguments/random.go` prints what random formats, layouts of times, numbers and JSON give;
//! both print the same.
//!
//! `cargo test --test arguments -- --ignored` makes some 20,000 calls and 300,000 random cases,
//! otherwise 6,000 and 20,000.

mod support;

use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;
use support::{
    End, Ran, difference, files, go_command, go_sources, gosched, needs, real_go, run, tests_dir,
};

const LIMIT: Duration = Duration::from_secs(600);

/// The packages of our library that programs can import.
fn packages() -> Vec<String> {
    let root = tests_dir().join("../src/stdlib");
    let found: BTreeSet<String> = files(&root, "go")
        .iter()
        .filter_map(|file| file.parent()?.strip_prefix(&root).ok())
        .map(|folder| folder.to_string_lossy().into_owned())
        .filter(|path| !path.split('/').any(|part| part == "internal"))
        .collect();
    found.into_iter().collect()
}

/// The functions that differ, with the reasons.
fn known() -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(tests_dir().join("arguments/known.txt")).unwrap();
    let lines = text
        .lines()
        .filter(|l| !l.is_empty() && !l.starts_with('#'));
    let entries = lines.map(|l| l.split_once(' ').expect("a name and a reason"));
    entries.map(|(n, why)| (n.into(), why.into())).collect()
}

fn ended(ran: Ran, what: &str) -> Result<String, Failed> {
    match ran.end {
        End::Exit(0) => Ok(ran.stdout),
        end => Err(format!("{what}: {end:?}: {}", ran.stderr).into()),
    }
}

/// Makes so many calls of each function at most.
fn compare(sources: &Path, go: &Path, calls: usize, is_whole: bool) -> Result<(), Failed> {
    let own = format!("gosched-arguments-{}-{calls}", std::process::id());
    let folder = std::env::temp_dir().join(own);
    let result = compare_in(&folder, sources, go, calls, is_whole);
    let _ = std::fs::remove_dir_all(&folder);
    result
}

fn compare_in(
    folder: &Path,
    sources: &Path,
    go: &Path,
    calls: usize,
    is_whole: bool,
) -> Result<(), Failed> {
    let program = folder.join("program");
    let mut generate = gosched();
    generate.arg(tests_dir().join("arguments/generate.go"));
    generate.args([sources, &program]);
    generate.args(["1", &calls.to_string()]).args(packages());
    ended(run(&mut generate, b"", LIMIT), "generate")?;
    // Files that calls make are to lie here, and standard output holds what is printed.
    let within = |name: &str| -> Result<PathBuf, Failed> {
        let folder = folder.join(name);
        std::fs::create_dir_all(&folder)?;
        Ok(folder)
    };
    let built = within("go")?.join("program");
    let mut build = go_command(go);
    build
        .current_dir(&program)
        .args(["build", "-o"])
        .arg(&built);
    ended(run(&mut build, b"", LIMIT), "go build")?;
    let mut theirs = std::process::Command::new(&built);
    let theirs = run(theirs.current_dir(within("theirs")?), b"", LIMIT);
    let theirs = ended(theirs, "real Go")?;
    let mut ours = gosched();
    ours.arg(&program).current_dir(within("ours")?);
    let ours = ended(run(&mut ours, b"", LIMIT), "gosched")?;
    judge(&theirs, &ours, is_whole)
}

fn judge(theirs: &str, ours: &str, is_whole: bool) -> Result<(), Failed> {
    let (theirs, ours): (Vec<_>, Vec<_>) = (theirs.lines().collect(), ours.lines().collect());
    if theirs.len() != ours.len() {
        return Err(format!("{} lines, and {} of Go", ours.len(), theirs.len()).into());
    }
    let mut known = known();
    let mut wrong = Vec::new();
    let mut differ = BTreeSet::new();
    for (theirs, ours) in theirs.iter().zip(&ours).filter(|(a, b)| a != b) {
        let name = theirs.split(' ').next().unwrap_or_default();
        differ.insert(name);
        if !known.contains_key(name) {
            wrong.push(format!("Go:  {theirs}\nours {ours}"));
        }
    }
    known.retain(|name, _| !differ.contains(&**name));
    if is_whole {
        wrong.extend(
            known
                .keys()
                .map(|name| format!("{name} does not differ; strike it")),
        );
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(wrong.join("\n").into()),
    }
}

/// Holds what random values give against real Go.
fn random(go: &Path, cases: usize) -> Result<(), Failed> {
    let program = tests_dir().join("arguments/random.go");
    let cases = cases.to_string();
    let mut theirs = go_command(go);
    theirs.arg("run").arg(&program).args([&cases, "1"]);
    let theirs = ended(run(&mut theirs, b"", LIMIT), "real Go")?;
    let mut ours = gosched();
    ours.arg(&program).args([&cases, "1"]);
    let ours = ended(run(&mut ours, b"", LIMIT), "gosched")?;
    match difference(&theirs, &ours) {
        None => Ok(()),
        Some(found) => Err(found.into()),
    }
}

fn main() {
    let args = Arguments::from_args();
    let trial = |name: &str, calls: usize, is_whole: bool| -> Trial {
        let oracles = go_sources().and_then(|sources| Ok((sources, real_go()?)));
        needs(name.into(), oracles, move |(sources, go)| {
            compare(&sources, &go, calls, is_whole)
        })
    };
    let few = trial("few_calls_are_as_in_go", 2, false);
    let many = trial("many_calls_are_as_in_go", 11, true).with_ignored_flag(true);
    let values = |name: &str, cases: usize| -> Trial {
        needs(name.into(), real_go(), move |go| random(&go, cases))
    };
    let some = values("some_random_values_are_as_in_go", 20_000);
    let most = values("random_values_are_as_in_go", 300_000).with_ignored_flag(true);
    libtest_mimic::run(&args, vec![few, many, some, most]).exit();
}
