//! Random programs: well-typed, ending, with one possible output;
//! gosched must do with each what real Go does.
//!
//! Standard output, exit status and the first line of what stands on standard error are compared,
//! by both dispatchers of the VM. A program that differs is shrunk (each candidate must be a valid
//! program and still differ) and left in the folder that the failure names.
//!
//! Some programs depend on an order of evaluation that the language leaves open
//! (`generate/order.rs`), others leave what they are in by every way there is
//! (`generate/exits.rs`).
//!
//! `GOSCHED_GENERATE=N` sets how many programs (24, and a sixth of that), `GOSCHED_GENERATE_SEED`
//! the seed of the first, `GOSCHED_GENERATE_SIZE` how many functions each has (40),
//! `GOSCHED_GENERATE_KEEP=FOLDER` leaves all programs there, `GOSCHED_GENERATE_SHRINK=N` how many
//! candidates are tried (400).

#[path = "generate/exits.rs"]
mod exits;
#[path = "generate/expr.rs"]
mod expr;
#[path = "generate/order.rs"]
mod order;
#[path = "generate/program.rs"]
mod program;
#[path = "generate/stmt.rs"]
mod stmt;
mod support;
#[path = "generate/tree.rs"]
mod tree;
#[path = "generate/types.rs"]
mod types;

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use support::{End, Ran, difference, go_command, gosched, is_our_crash, needs, real_go};
use tree::Node;

const LIMIT: Duration = Duration::from_secs(60);

fn main() {
    let args = Arguments::from_args();
    let count: u64 = number("GOSCHED_GENERATE", 24);
    let first: u64 = number("GOSCHED_GENERATE_SEED", 1);
    let size: usize = number("GOSCHED_GENERATE_SIZE", 40);
    let folder = Arc::new(folder());
    let mut trials = vec![Trial::test("shrinking_finds_the_cause", shrinking)];
    let go = real_go();
    for seed in first..first + count {
        let folder = folder.clone();
        trials.push(needs(format!("seed_{seed}"), go.clone(), move |go| {
            let program = program::program(seed, size);
            compare(&program, &format!("p{seed}"), &go, &folder)
        }));
    }
    for seed in first..first + count.div_ceil(6) {
        let folder = folder.clone();
        trials.push(needs(format!("order_{seed}"), go.clone(), move |go| {
            let program = order::program(seed, 4 * size);
            compare(&program, &format!("o{seed}"), &go, &folder)
        }));
    }
    for seed in first..first + count.div_ceil(6) {
        let folder = folder.clone();
        trials.push(needs(format!("exits_{seed}"), go.clone(), move |go| {
            let program = exits::program(seed, size);
            compare(&program, &format!("e{seed}"), &go, &folder)
        }));
    }
    libtest_mimic::run(&args, trials).exit();
}

fn number<T: std::str::FromStr>(name: &str, default: T) -> T {
    let set = std::env::var(name).ok();
    set.and_then(|v| v.parse().ok()).unwrap_or(default)
}

/// Where programs go.
fn folder() -> PathBuf {
    let folder = std::env::var_os("GOSCHED_GENERATE_KEEP").map_or_else(
        || std::env::temp_dir().join(format!("gosched-generate-{}", std::process::id())),
        PathBuf::from,
    );
    std::fs::create_dir_all(&folder).expect("a folder for programs");
    folder
}

/// Runs the program here and there; where they differ, fails with the difference of the smallest
/// program that does.
fn compare(program: &Node, name: &str, go: &Path, folder: &Path) -> Result<(), Failed> {
    let file = folder.join(format!("{name}.go"));
    let Some(found) = differs(program, go, &file, true)? else {
        if std::env::var_os("GOSCHED_GENERATE_KEEP").is_none() {
            let _ = std::fs::remove_file(&file);
        }
        return Ok(());
    };
    let candidate = folder.join(format!("{name}_candidate.go"));
    let kind = |d: &str| d.split(':').next().map(str::to_string);
    let wanted = kind(&found);
    let budget = number("GOSCHED_GENERATE_SHRINK", 400);
    let is_check = wanted.as_deref() == Some("check");
    let small = tree::shrink(program, budget, |n| {
        match differs(n, go, &candidate, is_check) {
            Ok(Some(d)) => kind(&d) == wanted,
            _ => false,
        }
    });
    let _ = std::fs::remove_file(&candidate);
    let smallest = folder.join(format!("{name}_small.go"));
    std::fs::write(&smallest, small.print())?;
    Err(format!("{found}\n{}\n{}", file.display(), smallest.display()).into())
}

/// How the two differ, if they do: its first word says in what. A program that real Go refuses is a
/// fault of the generator. With `asks_go`, real Go is asked about what `check` refuses, too.
fn differs(
    program: &Node,
    go: &Path,
    file: &Path,
    asks_go: bool,
) -> Result<Option<String>, Failed> {
    std::fs::write(file, program.print())?;
    let checked = support::run(gosched().arg("check").arg(file), b"", LIMIT);
    let exe = file.with_extension("exe");
    let is_refused = checked.end != End::Exit(0);
    if is_refused && !asks_go {
        return Ok(None);
    }
    let build = support::run(
        go_command(go).args(["build", "-o"]).arg(&exe).arg(file),
        b"",
        2 * LIMIT,
    );
    if is_refused && build.end == End::Exit(0) {
        return Ok(Some(format!("check: {}", checked.stderr)));
    }
    if build.end != End::Exit(0) {
        return Err(format!("Go refuses {}:\n{}", file.display(), build.stderr).into());
    }
    let want = support::run(&mut std::process::Command::new(&exe), b"", LIMIT);
    let _ = std::fs::remove_file(&exe);
    for dispatch in ["", "loop"] {
        let mut command = gosched();
        if !dispatch.is_empty() {
            command.env("GOSCHED_DISPATCH", dispatch);
        }
        let got = support::run(command.arg(file), b"", 2 * LIMIT);
        if let Some(d) = outcome(&want, &got) {
            return Ok(Some(d));
        }
    }
    Ok(None)
}

fn outcome(want: &Ran, got: &Ran) -> Option<String> {
    if is_our_crash(got) {
        return Some(format!("crash: {}", got.stderr));
    }
    if let Some(d) = difference(&want.stdout, &got.stdout) {
        return Some(format!("stdout: {d}\n{}", got.stderr));
    }
    if want.end != got.end {
        return Some(format!(
            "status: {:?} for {:?}\n{}",
            got.end, want.end, got.stderr
        ));
    }
    // Addresses follow.
    let first = |ran: &Ran| ran.stderr.lines().next().unwrap_or("").to_string();
    difference(&first(want), &first(got)).map(|d| format!("stderr: {d}"))
}

/// Of a program with one wrong statement among many only that is left.
fn shrinking() -> Result<(), Failed> {
    let program = program::program(7, 6);
    let is_wrong = |n: &Node| n.print().contains("func constants() {");
    let small = tree::shrink(&program, 100_000, is_wrong);
    let text = small.print();
    let rest = text.replace(include_str!("generate/prelude.go"), "");
    if rest.trim() != "func constants() {\n}"
        && rest.trim() != "func constants() {\n}\n\nfunc main() {\n}"
    {
        return Err(format!("left over:\n{rest}").into());
    }
    Ok(())
}
