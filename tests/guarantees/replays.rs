//! What a search finds in a program with a bug comes back in every replay: with a collection at
//! every safepoint, by the other dispatcher and whatever GOMAXPROCS, too.
//!
//! The build under test searches; the binary that `GOSCHED_BIN` names replays, if it is of the same
//! commit. So a debug build reads what a release build has found, and the other way round.

use super::support::{End, run, run_merged};
use super::{Folder, LIMIT, bad_programs, each, name_of, programs, some, without_addresses};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Variables of the environment that change nothing.
const SETTINGS: [Option<(&str, &str)>; 4] = [
    None,
    Some(("GODEBUG", "gcstress=1")),
    Some(("GOSCHED_DISPATCH", "loop")),
    Some(("GOMAXPROCS", "7")),
];

/// A replay, in a folder of its own: how it ends, and all it prints.
fn replayed(file: &Path, setting: Option<(&str, &str)>) -> (End, String) {
    let folder = Folder::new();
    let mut command = folder.gosched();
    command.arg("replay").arg(file).envs(setting);
    let ran = run_merged(&mut command, LIMIT);
    (ran.end, ran.stdout)
}

/// What the build under test finds in a program: what the run prints.
fn found(folder: &Folder, program: &Path) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gosched"));
    command
        .args([
            "explore",
            "--seed=1",
            "-o",
            "found.gosched",
            "--max-stall=any",
        ])
        .arg(program);
    let ran = run(
        command.current_dir(&folder.0).env("TMPDIR", "tmp"),
        b"",
        LIMIT,
    );
    assert_eq!(
        ran.end,
        End::Exit(3),
        "{}: {}",
        name_of(program),
        ran.stderr
    );
    ran.stdout
}

/// Replays what is found in each program so many times, and a tenth of that in each other setting.
fn check(programs: &[PathBuf], replays: usize) {
    let said = each(programs, 2, |program| {
        let folder = Folder::new();
        let output = found(&folder, program);
        let file = folder.file("found.gosched");
        let first = replayed(&file, None);
        if first.1 != output {
            return Err(format!(
                "{}: {output}\nand then {}",
                name_of(program),
                first.1
            ));
        }
        for setting in SETTINGS {
            let times = if setting.is_none() {
                replays - 1
            } else {
                replays.div_ceil(10)
            };
            for i in 0..times {
                let again = replayed(&file, setting);
                let is_same = match setting {
                    None => again == first,
                    Some(_) => {
                        let [a, b] = [&first, &again].map(|r| (r.0, without_addresses(&r.1)));
                        a == b
                    }
                };
                if !is_same {
                    let name = name_of(program);
                    return Err(format!(
                        "{name}, {setting:?}, {i}: {first:?}\nand then {again:?}"
                    ));
                }
            }
        }
        Ok(())
    });
    let wrong: Vec<String> = said.into_iter().filter_map(Result::err).collect();
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        programs.len(),
        wrong.join("\n")
    );
}

#[test]
fn replays() {
    let mut some = some(&bad_programs(), 4);
    // A receive at the head of a loop; a panic whose value is asked for its text.
    some.extend(programs(|name| {
        ["server_3_bad", "send_after_close_3_bad"].contains(&name)
    }));
    check(&some, 3);
}

/// Each bad program's finding 100 times, and ten times in each other setting.
#[test]
#[ignore = "takes 3 minutes"]
fn replays_of_all() {
    check(&bad_programs(), 100);
}
