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

/// The third goroutine of the program is named as the one that waits, and the pair and the rule
/// are.
fn names_all(told: &str) {
    let who = told.split("instead ran ").next().unwrap();
    assert!(
        who.contains("(main.main.func3, runnext_starvation.go:"),
        "{told}"
    );
    for func in ["func1", "func2"] {
        let line = format!("instead ran goroutine {{}} (main.main.{func}, runnext_starvation.go:");
        let parts: Vec<&str> = line.split("{}").collect();
        let named = told.lines().any(|l| {
            let l = l.trim_start();
            l.starts_with(parts[0]) && l.contains(parts[1])
        });
        assert!(named, "{told}");
    }
    assert!(told.contains("rule slice-inheritance: "), "{told}");
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
    let ran = run("lab/runnext_starvation.go", &flags);
    assert_eq!(ran.end, End::Exit(68), "{}", ran.stderr);
    assert!(
        ran.stderr.starts_with("gosched: --latency-max: "),
        "{}",
        ran.stderr
    );
    names_all(&ran.stderr);
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
    let flags = ["--latency", "--without=slice-inheritance"];
    let ran = run("lab/runnext_starvation.go", &flags);
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    let lines: Vec<&str> = ran.stderr.lines().collect();
    assert!(lines[0].starts_with("gosched: latency: "), "{}", ran.stderr);
    assert_eq!(lines[1], "The longest waits, of one goroutine each:");
    let first = ran.stderr.split("goroutine ").nth(2).unwrap();
    assert!(first.contains("main.main.func3"), "{}", ran.stderr);
    let from = ran.stderr.find(lines[2]).unwrap();
    let until = ran.stderr.find("\n           rule ").unwrap();
    let until = until + 1 + ran.stderr[until + 1..].find('\n').unwrap();
    names_all(&ran.stderr[from..until]);

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
