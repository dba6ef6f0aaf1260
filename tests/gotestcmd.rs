//! `gosched test`: calls in the module `tests/gotestcmd/m`, whose output and exit status are those
//! of `go test`.
//!
//! `tests/gotestcmd/calls.txt` consists of blocks: a line `$ FOLDER: WORDS`, what `go test WORDS`
//! prints there, standard output first, `[STATUS]` if that is not 0, and the file `m/profile` if it
//! writes one. Times, addresses, numbers
//! of benchmarks and what tracebacks show of the library do not count.
//! `UPDATE_EXPECT=1 cargo test --test gotestcmd` asks real Go (`GOSCHED_GO`) again.

mod support;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use support::{End, gosched};

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        match path.is_dir() {
            true => copy(&path, &to),
            false => _ = std::fs::copy(&path, &to).unwrap(),
        }
    }
}

/// A copy of the module, deleted at the end.
struct Module(PathBuf);

impl Module {
    fn new(name: &str) -> Module {
        let path = std::env::temp_dir().join(format!("gosched-{name}-{}", std::process::id()));
        copy(&support::tests_dir().join("gotestcmd/m"), &path);
        std::fs::create_dir_all(path.join("none")).unwrap();
        Module(path.canonicalize().unwrap())
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What a call prints, and its status.
fn call(mut command: Command, module: &Module, folder: &str, words: &[&str]) -> String {
    command
        .arg("test")
        .args(words)
        .current_dir(module.0.join(folder))
        .env("GOMAXPROCS", "2")
        .env("TERM", "dumb")
        .env("GOFLAGS", "")
        .env("XDG_CACHE_HOME", module.0.join("cache"));
    let ran = support::run(&mut command, b"", Duration::from_secs(120));
    let root = module.0.to_string_lossy();
    let mut shown = plain(&ran.stdout.replace(&*root, "/m"));
    shown += &plain(&ran.stderr.replace(&*root, "/m"));
    match ran.end {
        End::Exit(0) => (),
        End::Exit(status) => _ = writeln!(shown, "[{status}]"),
        end => _ = writeln!(shown, "[{end:?}]"),
    }
    let profile = module.0.join("profile");
    if let Ok(text) = std::fs::read_to_string(&profile) {
        shown += &text;
        std::fs::remove_file(profile).unwrap();
    }
    // An empty line ends a block.
    let full = |line: &str| {
        if line.is_empty() {
            "\\\n".into()
        } else {
            format!("{line}\n")
        }
    };
    shown.lines().map(full).collect()
}

/// The text without what no two runs share.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if lines
            .peek()
            .is_some_and(|next| next.starts_with('\t') && next.contains(".go:"))
        {
            let place = lines.next().unwrap_or_default();
            if let Some(frame) = frame(line, place) {
                let _ = writeln!(out, "{frame}");
            }
            continue;
        }
        if !line.starts_with("cpu: ") {
            let _ = writeln!(out, "{}", plain_line(line));
        }
    }
    out
}

/// A frame of a traceback, if it is one of the module.
fn frame(line: &str, place: &str) -> Option<String> {
    let name = line.rsplit_once('(').map_or(line, |(name, _)| name);
    let name = name.split(" in goroutine").next()?;
    let place = place.trim().split(' ').next()?;
    line.starts_with("example.com/")
        .then(|| format!("{name} {place}"))
}

fn plain_line(line: &str) -> String {
    let bench = line.starts_with("Benchmark") && line.contains('\t') && line.contains("/op");
    let mut out = String::new();
    // Package testing has other files than Go's.
    let line = &*line.replace("benchmark.go:", "testing.go:");
    let mut rest = line;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let (head, tail) = rest.split_at(at);
        out.push_str(head);
        let end = tail.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == 'e'));
        let (number, after) = tail.split_at(end.unwrap_or(tail.len()));
        rest = after;
        // Where what stands before says that it is a time, an address, or another such number.
        let is_time =
            |before: &str, behind: &str| head.ends_with(before) && after.starts_with(behind);
        let is_plain = is_time("(", "s)")
            || is_time("\t", "s")
            || is_time("\\t", "s")
            || is_time("\"Elapsed\":", "}")
            || head.ends_with("goroutine ")
            || head.ends_with("testing.go:")
            || head.ends_with("fuzz: elapsed: ")
            || (bench && (head.ends_with(' ') || head.ends_with('\t')));
        match is_plain {
            true => {
                if bench {
                    // The columns are as wide as the numbers.
                    out.truncate(out.trim_end().len());
                    out.push(' ');
                }
                out.push('N');
            }
            false => out.push_str(number),
        }
    }
    out.push_str(rest);
    for key in ["\"Time\":\"", "0x"] {
        out = without(&out, key);
    }
    out
}

/// The line without what follows `key`, up to what cannot be a part of it.
fn without(line: &str, key: &str) -> String {
    let mut parts = line.split(key);
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        out.push_str(key);
        let is_part = |c: char| match key {
            "0x" => c.is_ascii_hexdigit(),
            _ => c != '"',
        };
        out.push_str(part.trim_start_matches(is_part));
    }
    out
}

#[test]
fn calls_print_what_go_test_prints() {
    let path = support::tests_dir().join("gotestcmd/calls.txt");
    let expected = std::fs::read_to_string(&path).unwrap();
    let real =
        std::env::var_os("GOSCHED_GO").filter(|_| std::env::var_os("UPDATE_EXPECT").is_some());
    let module = Module::new("gotestcmd");
    let mut seen = String::new();
    let mut calls = 0;
    let mut lines = expected.lines().peekable();
    while let Some(line) = lines.next() {
        let Some((folder, words)) = line.strip_prefix("$ ").and_then(|l| l.split_once(':')) else {
            if line.starts_with('#') || line.is_empty() {
                let _ = writeln!(seen, "{line}");
            }
            continue;
        };
        while lines.next_if(|line| !line.is_empty()).is_some() {}
        let words: Vec<&str> = words.split_whitespace().collect();
        let mut command = real.as_ref().map_or_else(gosched, Command::new);
        if real.is_some() {
            command.env("GOFLAGS", "-vet=off");
        }
        let _ = writeln!(seen, "{line}");
        seen.push_str(&call(command, &module, folder, &words));
        calls += 1;
    }
    if real.is_some() {
        std::fs::write(&path, &seen).unwrap();
        return;
    }
    let blocks = |text: &str| -> Vec<String> { text.split("\n\n").map(str::to_string).collect() };
    let mut wrong = String::new();
    for (want, have) in blocks(&expected).iter().zip(&blocks(&seen)) {
        if want != have {
            let _ = writeln!(wrong, "{}", want.lines().next().unwrap_or_default());
            let (want, have) = (want.lines().skip(1), have.lines().skip(1));
            let (want, have): (Vec<_>, Vec<_>) = (want.collect(), have.collect());
            for line in want.iter().filter(|line| !have.contains(line)) {
                let _ = writeln!(wrong, "  go test: {line}");
            }
            for line in have.iter().filter(|line| !want.contains(line)) {
                let _ = writeln!(wrong, "  gosched: {line}");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert_eq!(expected.lines().count(), seen.lines().count());
    assert!(calls >= 56, "{calls} calls");
}

/// An input that makes the target panic is found, made small and written; the next call runs it.
#[test]
fn fuzzing_finds_what_fails() {
    let module = Module::new("gotestcmd-fuzz");
    let said = |words: &[&str]| call(gosched(), &module, "fuzz", words);
    let found = said(&["-fuzz=FuzzBroken", "-fuzztime=60s", "-run=None"]);
    let has = |text: &str, part: &str| assert!(text.contains(part), "{part}:\n{text}");
    has(&found, "panic: found: FUZ");
    has(&found, "Failing input written to testdata/fuzz/FuzzBroken/");
    assert!(found.ends_with("[1]\n"), "{found}");
    let folder = module.0.join("fuzz/testdata/fuzz/FuzzBroken");
    let files: Vec<_> = std::fs::read_dir(folder).unwrap().flatten().collect();
    assert_eq!(files.len(), 1);
    let text = std::fs::read_to_string(files[0].path()).unwrap();
    assert_eq!(text, "go test fuzz v1\nstring(\"FUZ\")\n");
    let again = said(&["-run=FuzzBroken"]);
    has(&again, "panic: found: FUZ");
    let none = said(&["-fuzz=FuzzGood", "-fuzztime=200x", "-run=None"]);
    has(&none, "fuzz: elapsed: Ns, execs: ");
    has(&none, "PASS\nok");
}

/// Of each test the schedules are searched; one that fails is told, with its recording.
#[test]
fn exploring_finds_what_fails() {
    let module = Module::new("gotestcmd-explore");
    let words = ["--explore", "--schedules=100"];
    let told = call(gosched(), &module, "explore", &words);
    for part in [
        "=== EXPLORE TestFine\nnothing found",
        "=== EXPLORE TestOrder\n--- FAIL: TestOrder",
        "found: exit status 1",
        "again: gosched replay .gosched/exit-",
        "DEADLOCK",
        "FAIL\texample.com/m/explore",
    ] {
        let told = told.replace("\\\n", "");
        let is_there = part.split('\n').all(|line| told.contains(line));
        assert!(is_there, "{part}:\n{told}");
    }
}

/// Of many sub-tests that run beside each other only the one that fails is in the story, whose
/// recording is replayed from anywhere.
#[test]
fn exploring_narrows_a_test_to_what_fails() {
    let module = Module::new("gotestcmd-narrow");
    let words = ["--explore", "--seed=1", "--json", "./narrow"];
    let mut command = gosched();
    command.arg("test").args(words).current_dir(&module.0);
    let ran = support::run(&mut command, b"", Duration::from_secs(120));
    assert_eq!(ran.end, End::Exit(1), "{}", ran.stderr);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let (found, test) = (&report["found"], &report["test"]);
    assert_eq!(
        (found, test),
        (
            &"exit status 1".into(),
            &"example.com/m/narrow.TestMany".into()
        )
    );
    let [before, after] = [0, 1].map(|i| report["choices"][i].as_u64().unwrap());
    assert!(before < 100 && after <= 3, "{report:#}");
    let output = report["output"].as_str().unwrap();
    assert!(!output.contains("well"), "{output}");
    let all = report["story"]["goroutines"].as_array().unwrap();
    let does: Vec<&str> = all.iter().map(|g| g["does"].as_str().unwrap()).collect();
    let is_known = |does: &&&str| **does == "main" || does.starts_with("wg.Go(func()");
    assert!(does.iter().all(|does| is_known(&does)), "{does:?}");
    let file = report["again"].as_str().unwrap();
    let file = module.0.join(file.strip_prefix("gosched replay ").unwrap());
    assert_eq!(file.parent(), Some(&*module.0.join(".gosched")));
    let mut again = gosched();
    again.arg("replay").arg(&file).current_dir("/");
    let again = support::run(&mut again, b"", Duration::from_secs(60));
    assert_eq!(
        (again.end, &*again.stdout),
        (End::Exit(1), output),
        "{}",
        again.stderr
    );
}

/// Each test of several has a recording of its own.
#[test]
fn exploring_names_recordings_after_tests() {
    let module = Module::new("gotestcmd-names");
    let words = ["--explore", "--schedules=100", "-o", "found.gosched"];
    call(gosched(), &module, "explore", &words);
    let folder = module.0.join("explore");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|f| f.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with("found"))
        .collect();
    names.sort();
    let want = ["TestDeadlock", "TestOrder"].map(|t| format!("found-explore-{t}.gosched"));
    assert_eq!(names, want);
}
