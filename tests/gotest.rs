//! Go's own test programs: every one whose recipe is exactly `// run`,
//! from where Debian installs Go 1.19's sources.
//!
//! `tests/gotest/verdicts.txt` names each program that does not pass and why: `refused` (it must
//! then be refused at compile time with `unsupported:`), or `differs` with the cause. A program
//! that is not named must print what Go prints and exit 0; a named one that passes must be struck
//! from the list. Crashes and hangs of ours are never allowed; `differs hangs` is for what waits,
//! or works, longer than a test may take.
//!
//! `GOSCHED_CORPUS_GODEBUG`, `GOSCHED_CORPUS_PART`, `GOSCHED_DISPATCH` and `GOSCHED_STEERED` do
//! here what they do in `tests/corpus.rs`. Under stress a program that is named may differ in
//! another way, and is not held against the list.
//!
//! `tests/gotest/golden127` holds what Go 1.27.3 prints where that changed since 1.19.

#[path = "support/steered.rs"]
mod steered;
mod support;

use libtest_mimic::{Arguments, Failed};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use steered::Way;
use support::{
    End, difference, files, go_test_dir, gosched, in_part, is_our_crash, needs, stress, stress_of,
    tests_dir,
};

/// Programs that under stress collect at each so many'th safepoint only: they have many goroutines
/// or large stacks, or collect all the time themselves.
const PERIODS: &[(&str, u32)] = &[
    ("abi/uglyfib.go", 1000),
    ("chan/goroutines.go", 20),
    ("fixedbugs/issue16016.go", 10),
    ("gcgort.go", 1000),
    ("peano.go", 1000),
    ("stack.go", 10),
];

/// Programs whose result depends on when finalizers run, which Go leaves open. Each has three
/// tries.
const FINALIZED: &[&str] = &["stackobj.go", "stackobj3.go"];

const BUILD_TAGS: &[&str] = &["linux", "amd64", "gc", "unix", "test_run"];

fn main() {
    let args = Arguments::from_args();
    let verdicts = read_verdicts();
    let mut trials = Vec::new();
    match go_test_dir() {
        Err(reason) => trials.push(needs::<()>("gotest".into(), Err(reason), |()| Ok(()))),
        Ok(root) => {
            for path in files(&root, "go") {
                if !is_run_test(&path)
                    || path
                        .ancestors()
                        .any(|a| a.extension().is_some_and(|e| e == "dir"))
                {
                    continue;
                }
                let relative = path.strip_prefix(&root).unwrap().display().to_string();
                if !in_part(&relative) {
                    continue;
                }
                let verdict = verdicts.get(&relative).cloned();
                let root = root.clone();
                trials.push(needs(relative.clone(), Ok(()), move |()| {
                    test(&root, &relative, verdict)
                }));
            }
        }
    }
    libtest_mimic::run(&args, trials).exit();
}

/// `path: word cause`
fn read_verdicts() -> HashMap<String, String> {
    let text = std::fs::read_to_string(tests_dir().join("gotest/verdicts.txt")).unwrap_or_default();
    text.lines()
        .filter(|l| !l.is_empty() && !l.starts_with('#'))
        .filter_map(|l| l.split_once(": "))
        .map(|(path, verdict)| (path.to_string(), verdict.to_string()))
        .collect()
}

fn is_run_test(path: &Path) -> bool {
    let Ok(source) = std::fs::read(path) else {
        return false;
    };
    let source = String::from_utf8_lossy(&source);
    let header = source.split("\npackage").next().unwrap_or("");
    let mut lines = source.lines();
    let mut first = lines.next().unwrap_or("");
    if first.contains("+build") {
        first = lines.find(|l| !l.is_empty()).unwrap_or("");
    }
    let head: Vec<&str> = source
        .split("\n\n")
        .next()
        .unwrap_or("")
        .lines()
        .filter(|l| !l.contains("+build"))
        .collect();
    first.trim() == "// run"
        && head.len() <= 1
        && !source.contains("import \"C\"")
        && header.lines().all(constraint_holds)
}

/// `//go:build` and `// +build` lines; the few forms that Go's tests use:
/// words, `!`, `&&`, `||`, blanks and commas.
fn constraint_holds(line: &str) -> bool {
    let word = |w: &str| {
        let w = w.trim().trim_matches(['(', ')']);
        match w.strip_prefix('!') {
            Some(w) => !tag(w.trim_matches(['(', ')'])),
            None => tag(w),
        }
    };
    if let Some(expr) = line.strip_prefix("//go:build ") {
        return expr.split("||").any(|all| all.split("&&").all(word));
    }
    match line.strip_prefix("// +build ") {
        Some(terms) => terms.split_whitespace().any(|all| all.split(',').all(word)),
        None => true,
    }
}

fn tag(word: &str) -> bool {
    BUILD_TAGS.contains(&word) || word.starts_with("go1.")
}

fn test(root: &Path, relative: &str, verdict: Option<String>) -> Result<(), Failed> {
    if let Some(way) = Way::asked() {
        if verdict.is_some() {
            return Ok(());
        }
        let want = golden(root, relative);
        return Ok(way.check(relative, root, &[relative], &want)?);
    }
    let mut command = gosched();
    let files = std::env::temp_dir().join(format!(
        "gosched-gotest-{}-{}",
        std::process::id(),
        relative.replace('/', "-")
    ));
    std::fs::create_dir_all(&files)?;
    let command = command.arg(relative).current_dir(root);
    command.env("TMPDIR", &files);
    let period = PERIODS.iter().find(|p| p.0 == relative).map(|p| p.1);
    if let Some(debug) = stress_of(period) {
        command.env("GODEBUG", debug);
    }
    let slow = verdict
        .as_ref()
        .is_some_and(|v| v.starts_with("differs hangs"));
    let limit = Duration::from_secs(match stress() {
        _ if slow => 2,
        Some(_) => 600,
        None => 300,
    });
    let mut ran = support::run_merged(command, limit);
    for _ in 1..3 {
        if ran.end == End::Exit(2) && FINALIZED.contains(&relative) {
            ran = support::run_merged(command, limit);
        }
    }
    let _ = std::fs::remove_dir_all(&files);
    let expected = golden(root, relative);
    let output = &ran.stdout;
    let shown: String = output.chars().take(1500).collect();
    if is_our_crash(&ran) {
        return Err(format!("crash of ours: {:?}\n{shown}", ran.end).into());
    }
    let passes = ran.end == End::Exit(0) && *output == expected;
    match verdict.as_deref() {
        None if passes => Ok(()),
        None => {
            let d = difference(&expected, output).unwrap_or_default();
            Err(format!("ended with {:?}; output differs at {d}\n{shown}", ran.end).into())
        }
        Some(_) if stress().is_some() => Ok(()),
        Some(v) if passes => {
            Err(format!("passes now; strike it from verdicts.txt (was: {v})").into())
        }
        Some(v) if v.starts_with("refused") => {
            if ran.end == End::Exit(1) && output.contains("unsupported") {
                Ok(())
            } else {
                Err(format!("should be refused, ended with {:?}\n{shown}", ran.end).into())
            }
        }
        Some(v) if v.starts_with("differs hangs") => Ok(()),
        Some(_) if ran.end == End::Timeout => Err("hangs".into()),
        Some(_) => Ok(()),
    }
}

fn golden(root: &Path, relative: &str) -> String {
    let name = PathBuf::from(relative).with_extension("out");
    let ours = tests_dir().join("gotest/golden127").join(&name);
    std::fs::read(if ours.exists() { ours } else { root.join(name) })
        .map(|b| String::from_utf8_lossy(&b).into_owned())
        .unwrap_or_default()
}
