//! Mutated inputs to every decoder of the library: each gives an error or a value, and real Go's.
//!
//! `tests/hostile/decoders.go` says what is fed; `few.out` has real Go's lines for 100 inputs to
//! each decoder. `cargo test --test hostile -- --ignored` feeds 100,000, and asks the Go that
//! `GOSCHED_GO` names what comes of them.

mod support;

use std::process::Command;
use std::time::Duration;
use support::{End, gosched, run, tests_dir};

const LONG: Duration = Duration::from_secs(3600);

/// Feeds so many inputs to each decoder; `expected` gives the line that Go prints, from the one for
/// 100 inputs.
fn feed(inputs: usize, expected: impl Fn(&str, &str) -> Option<String>) {
    let folder = tests_dir().join("hostile");
    let lines = std::fs::read_to_string(folder.join("few.out")).unwrap();
    let mut wrong = Vec::new();
    for line in lines.lines() {
        let class = line.split(' ').next().unwrap();
        let mut command = gosched();
        command.arg(folder.join("decoders.go"));
        command.args([class, &inputs.to_string()]);
        let ran = run(&mut command, b"", LONG);
        let is_same = expected(class, line).is_none_or(|line| ran.stdout.trim_end() == line);
        if ran.end != End::Exit(0) || !is_same {
            wrong.push(format!(
                "{class}: {:?} {}{}",
                ran.end, ran.stdout, ran.stderr
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn few_mutated_inputs_end_as_in_go() {
    feed(100, |_, line| Some(line.to_owned()));
}

#[test]
#[ignore = "takes long"]
fn many_mutated_inputs_end_as_in_go() {
    const INPUTS: usize = 100_000;
    let program = tests_dir().join("hostile/decoders.go");
    feed(INPUTS, |class, _| {
        let mut go = Command::new(std::env::var_os("GOSCHED_GO")?);
        go.arg("run")
            .arg(&program)
            .args([class, &INPUTS.to_string()]);
        let ran = run(&mut go, b"", LONG);
        Some(ran.stdout.trim_end().to_owned())
    });
}
