//! `--latency` and `--latency-max`: who waited for a turn, who ran instead, and by which rule.

mod support;

use std::time::Duration;
use support::{End, Ran, gosched, tests_dir};
use trace::read::{self, Trace};

const LIMIT: Duration = Duration::from_secs(120);

/// Runs a program of `examples/` on one P.
fn run(program: &str, flags: &[&str]) -> Ran {
    let mut command = gosched();
    command
        .arg("run")
        .args(flags)
        .arg(tests_dir().join("../examples").join(program))
        .env("GOMAXPROCS", "1");
    support::run(&mut command, b"", LIMIT)
}

/// Whether the third goroutine of the program is named as the one that waits, and the pair and the
/// rule are.
fn names_all(told: &str) -> bool {
    let who = told.split("instead ran ").next().unwrap_or_default();
    let is_named = |func: &str| {
        let is_it = |l: &str| l.trim_start().starts_with("instead ran ") && l.contains(func);
        told.lines().any(is_it)
    };
    who.contains("(main.main.func3, runnext_starvation.go:")
        && is_named("(main.main.func1, runnext_starvation.go:")
        && is_named("(main.main.func2, runnext_starvation.go:")
        && told.contains("rule slice-inheritance: ")
}

/// Runs the program in which a pair starves a third goroutine, until what is told is as it should
/// be: where the machine is so busy that the pair has no processor for 10 ms, it is stopped.
fn starve(flags: &[&str], is_right: impl Fn(&Ran) -> bool) -> Ran {
    let mut last = String::new();
    for _ in 0..8 {
        let ran = run("lab/runnext_starvation.go", flags);
        if is_right(&ran) {
            return ran;
        }
        last = format!("{:?}: {}", ran.end, ran.stderr);
    }
    panic!("{last}");
}

#[test]
fn a_wait_that_is_too_long_ends_the_program() {
    let file = std::env::temp_dir().join(format!("gosched-{}-latency", std::process::id()));
    let to = format!("--sched-trace={}", file.display());
    let flags = [
        "--latency-max=200ms",
        "--without=slice-inheritance",
        "--sched-trace-last=1s",
        &to,
    ];
    let ran = starve(&flags, |ran| {
        ran.end == End::Exit(68) && names_all(&ran.stderr)
    });
    assert!(
        ran.stderr.starts_with("gosched: --latency-max: "),
        "{}",
        ran.stderr
    );
    // A trace ends as the program does.
    let trace = Trace::from_bytes(&std::fs::read(&file).unwrap()).unwrap();
    drop(std::fs::remove_file(&file));
    let read::End::Whole(tail) = &trace.end else {
        panic!("{:?}", trace.end);
    };
    assert_eq!(tail.number("status"), Some(68));

    let ran = run("hello.go", &["--latency-max=10s"]);
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    assert_eq!(ran.stderr, "");
}

#[test]
fn the_longest_waits_are_told_at_the_end() {
    // What is told of the first of them.
    let first = |told: &str| {
        let from = told.find(":\n").map_or(0, |i| i + 2);
        let rest = &told[from..];
        let rule = rest.find("\n           rule ").map_or(0, |i| i + 1);
        let end = rest[rule..].find('\n').map_or(rest.len(), |i| rule + i);
        rest[..end].to_string()
    };
    let flags = ["--latency", "--without=slice-inheritance"];
    let ran = starve(&flags, |ran| names_all(&first(&ran.stderr)));
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    let lines: Vec<&str> = ran.stderr.lines().collect();
    assert!(lines[0].starts_with("gosched: latency: "), "{}", ran.stderr);
    assert_eq!(lines[1], "The longest waits, of one goroutine each:");

    // The histogram has all of them.
    let n = lines[0].split(' ').nth(2).unwrap();
    let rows = lines.iter().skip_while(|l| **l != "How long they were:");
    let counts = rows.skip(1).map(|l| {
        let behind = l.trim_start().splitn(4, ' ').nth(3).unwrap();
        let count = behind.split_whitespace().next().unwrap();
        count.parse::<u64>().unwrap()
    });
    assert_eq!(counts.sum::<u64>().to_string(), n, "{}", ran.stderr);
}

#[test]
fn it_is_told_whatever_the_end() {
    for (code, status) in [("os.Exit(3)", 3), ("panic(1)", 2), ("select {}", 2)] {
        let mut command = gosched();
        command.args(["run", "--latency", "--latency-max=10s", "-e", code]);
        let ran = support::run(&mut command, b"", LIMIT);
        assert_eq!(ran.end, End::Exit(status), "{code}: {}", ran.stderr);
        let told = ran.stderr.matches("gosched: latency: ").count();
        assert_eq!(told, 1, "{code}: {}", ran.stderr);
    }
}
