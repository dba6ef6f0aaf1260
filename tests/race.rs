//! The detector of data races: for each edge of the memory model, and each way to touch memory, it
//! finds the race that there is and none where there is none. Real Go finds none that it does not.

mod support;

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;
use support::{End, go_command, gosched, needs, real_go, run};

/// How often each is run with several Ps.
const SEVERAL_RUNS: usize = 8;

/// A case of `race/edges.txt`: statements of `main`.
#[derive(Clone)]
struct Case {
    name: String,
    is_race: bool,
    body: String,
}

/// The packages that bodies use.
const PACKAGES: &[&str] = &[
    "bytes",
    "context",
    "crypto/sha256",
    "encoding/binary",
    "fmt",
    "io",
    "os",
    "runtime",
    "sort",
    "strconv",
    "strings",
    "sync",
    "sync/atomic",
    "time",
    "unicode/utf8",
];

fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/race");
    let text = std::fs::read_to_string(folder.join("edges.txt")).unwrap();
    let parts = text.split("\n== ").skip(1);
    let case = |part: &str| {
        let (title, body) = part.split_once('\n').unwrap();
        let (name, verdict) = title.rsplit_once(": ").unwrap();
        Case {
            name: name.into(),
            is_race: match verdict {
                "race" => true,
                "ok" => false,
                _ => panic!("{title}"),
            },
            body: body.into(),
        }
    };
    parts.map(case).collect()
}

/// The imports of some code.
fn imports(code: &str) -> String {
    let is_used = |path: &&&str| {
        let name = path.rsplit('/').next().unwrap();
        let words = code.split(|c: char| !c.is_alphanumeric() && c != '.');
        let begin = format!("{name}.");
        let mut words = words.map(|w| w.trim_start_matches('.'));
        words.any(|w| w.starts_with(&begin))
    };
    let used = PACKAGES.iter().filter(is_used);
    used.map(|path| format!("import {path:?}\n")).collect()
}

/// A folder of our own.
fn folder() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("gosched-race-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Does a run report races? How it does must be right.
fn finds(flags: &[&str], procs: u32, case: &Case, file: &Path) -> Result<bool, Failed> {
    let mut command = gosched();
    command.args(flags).arg(file);
    if procs > 1 {
        command.env("GOMAXPROCS", procs.to_string());
    }
    let ran = run(&mut command, b"", Duration::from_secs(60));
    let has_report = ran.stderr.contains("WARNING: DATA RACE\n");
    match (ran.end, has_report) {
        (End::Exit(66), true) => Ok(true),
        (End::Exit(0), false) => Ok(false),
        _ => Err(format!("{}: {:?}\n{}", case.name, ran.end, ran.stderr).into()),
    }
}

fn check(number: usize, case: &Case) -> Result<(), Failed> {
    let file = folder().join(format!("case{number}.go"));
    let code = format!("func main() {{\n{}}}\n", case.body);
    std::fs::write(&file, format!("package main\n{}\n{code}", imports(&code))).unwrap();
    let said = |found| match found {
        true => "race",
        false => "no race",
    };
    let seeds = ["--seed=1", "--seed=2", "--seed=3"];
    for flags in [&["--race"][..]]
        .into_iter()
        .chain(seeds.iter().map(std::slice::from_ref))
    {
        let mut flags = flags.to_vec();
        if flags != ["--race"] {
            flags.push("--race");
        }
        let found = finds(&flags, 1, case, &file)?;
        if found != case.is_race {
            return Err(format!("{flags:?}: {}", said(found)).into());
        }
    }
    // With several Ps what happens first is left to the machine, and a race may not happen.
    let found = (0..SEVERAL_RUNS).map(|_| finds(&["--race"], 4, case, &file));
    let found = found.collect::<Result<Vec<bool>, _>>()?;
    match (case.is_race, found.contains(&true)) {
        (true, false) => Err("GOMAXPROCS=4: no race".into()),
        (false, true) => Err("GOMAXPROCS=4: race".into()),
        _ => Ok(()),
    }
}

/// Real Go finds no race in a case that has none. It finds those that happen.
fn check_by_go(go: &Path, number: usize, case: &Case) -> Result<(), Failed> {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    let program = PROGRAM.get_or_init(|| {
        let cases = cases();
        let mut code = String::new();
        for (i, case) in cases.iter().enumerate() {
            code += &format!("func case{i}() {{\n{}}}\n", case.body);
        }
        let calls: String = (0..cases.len())
            .map(|i| format!("case \"{i}\": case{i}()\n"))
            .collect();
        code += &format!("func main() {{ switch os.Args[1] {{\n{calls}}} }}\n");
        let source = folder().join("all.go");
        let all = format!("package main\n{}\n{code}", imports(&code));
        std::fs::write(&source, all).unwrap();
        let program = folder().join("all");
        let built = go_command(go)
            .args(["build", "-race", "-o"])
            .arg(&program)
            .arg(&source)
            .env("CGO_ENABLED", "1")
            .output()
            .unwrap();
        assert!(
            built.status.success(),
            "{}",
            String::from_utf8_lossy(&built.stderr)
        );
        program
    });
    let status = Command::new(program)
        .arg(number.to_string())
        .stderr(Stdio::null())
        .status()?;
    match status.code() == Some(66) && !case.is_race {
        true => Err("real Go finds a race".into()),
        false => Ok(()),
    }
}

fn main() {
    let args = Arguments::from_args();
    let mut trials = Vec::new();
    for (number, case) in cases().into_iter().enumerate() {
        let name = case.name.replace(' ', "_");
        let same = case.clone();
        let by_go = move |go: PathBuf| check_by_go(&go, number, &same);
        trials.push(needs(format!("by_go/{name}"), real_go(), by_go));
        trials.push(Trial::test(name, move || check(number, &case)));
    }
    libtest_mimic::run(&args, trials).exit();
}
