//! The command line: subcommands and exit codes.
//!
//! Our own output goes to standard error; standard output belongs to the program, but for what was asked for: `disasm`,
//! `version`, `help`. Exit status: the program's own; 1 for compile errors; 2 for wrong usage.

use crate::driver::{self, Input, Options};
use clap::{Arg, ArgAction, ArgMatches, Command};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Exit status of wrong usage, and of our own failures.
const USAGE: i32 = 2;

/// The version that `gosched version` prints.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The Go whose behaviour is followed.
pub const GO_VERSION: &str = "go1.27.3";

/// Runs the command line `args` of this process, the program's name first.
pub fn main(args: Vec<OsString>) -> ! {
    // A Rust panic is a bug of ours: said as such, with a fatal error's status.
    std::panic::set_hook(Box::new(|info| {
        eprintln!("fatal error: internal error: {info}");
        std::process::exit(USAGE);
    }));
    std::process::exit(run(args))
}

fn command() -> Command {
    let files = Arg::new("files")
        .value_name("file.go… | dir | -")
        .value_parser(clap::value_parser!(OsString))
        .num_args(1..)
        .required(true)
        .trailing_var_arg(true)
        .allow_hyphen_values(true);
    let all_errors = Arg::new("all-errors")
        .long("all-errors")
        .action(ArgAction::SetTrue)
        .help("Report every error, not only the first ten");
    Command::new("gosched")
        .about("Runs Go programs from source on real G, M and P machinery")
        .override_usage("gosched [options] file.go [arguments]\n       gosched [options] <command>")
        .disable_help_subcommand(true)
        .disable_version_flag(true)
        .arg(
            Arg::new("without")
                .long("without")
                .value_name("MECH,…")
                .global(true)
                .action(ArgAction::Append)
                .help("Switch off mechanisms of the scheduler (also GOSCHED_WITHOUT)"),
        )
        .arg(
            Arg::new("sched-log")
                .long("sched-log")
                .value_name("FILE")
                .value_parser(clap::value_parser!(PathBuf))
                .global(true)
                .help("Write what the scheduler decides, and why, to FILE as JSON lines (examples/sched-log.md)"),
        )
        .subcommand(
            Command::new("run")
                .about("Compile and run a program; what follows the files are its arguments")
                .arg(files.clone()),
        )
        .subcommand(
            Command::new("check")
                .about("Compile a program and report its errors")
                .arg(all_errors)
                .arg(files.clone()),
        )
        .subcommand(
            Command::new("disasm")
                .about("Print a program's bytecode")
                .arg(
                    Arg::new("func")
                        .long("func")
                        .value_name("NAME")
                        .help("Only functions whose name contains NAME"),
                )
                .arg(files),
        )
        .subcommand(Command::new("version").about("Print the version"))
        .subcommand(Command::new("help").about("Print this help"))
}

/// Runs the command line `args` (the program's name first) and returns the exit status.
pub fn run(mut args: Vec<OsString>) -> i32 {
    // `gosched [--without=X] file args…` is `gosched run`: everything after the file is the program's, flags included.
    let mut words = 1;
    while let Some(word) = args.get(words).and_then(|w| w.to_str()) {
        match word {
            "--without" | "--sched-log" => words += 2,
            _ if word.starts_with("--without=") || word.starts_with("--sched-log=") => words += 1,
            _ => break,
        }
    }
    let is_command = |w: &OsString| {
        let word = w.to_string_lossy();
        (word.starts_with('-') && word != "-")
            || command().get_subcommands().any(|c| c.get_name() == word)
    };
    let bare = args.get(words).is_some_and(|w| !is_command(w));
    if bare {
        args.insert(words, "run".into());
    }
    if args.len() == 1 {
        driver::print_error(command().render_help());
        return USAGE;
    }
    let matches = match command().try_get_matches_from(args) {
        Ok(matches) => matches,
        Err(e) => {
            let is_help = !e.use_stderr();
            let _ = e.print();
            return if is_help { 0 } else { USAGE };
        }
    };
    if let Err(unknown) = switches(&matches) {
        let known: Vec<&str> = gosched_runtime::switches::ALL.iter().map(|m| m.1).collect();
        driver::print_error(format_args!(
            "gosched: unknown mechanism {unknown:?}; the mechanisms are {}\n",
            known.join(", ")
        ));
        return USAGE;
    }
    if let Some((name, m)) = matches.subcommand()
        && name != "run"
        && m.contains_id("sched-log")
    {
        driver::print_error(format_args!(
            "gosched: {name} runs nothing that --sched-log could write of\n"
        ));
        return USAGE;
    }
    match matches.subcommand() {
        Some(("run", m)) => {
            let words: Vec<OsString> = m.get_many("files").into_iter().flatten().cloned().collect();
            let (input, rest) = split(words, bare);
            let options = Options {
                sched_log: m.get_one::<PathBuf>("sched-log").cloned(),
                ..Options::default()
            };
            driver::run(&input, rest, &options)
        }
        Some(("check", m)) => {
            let words: Vec<OsString> = m.get_many("files").into_iter().flatten().cloned().collect();
            let (input, _) = split(words, false);
            let options = Options {
                all_errors: m.get_flag("all-errors"),
                ..Options::default()
            };
            driver::check(&input, &options)
        }
        Some(("disasm", m)) => {
            let words: Vec<OsString> = m.get_many("files").into_iter().flatten().cloned().collect();
            let (input, _) = split(words, false);
            let filter = m.get_one::<String>("func").map_or("", String::as_str);
            driver::disasm(&input, filter, &Options::default())
        }
        Some(("version", _)) => {
            driver::print_output(format_args!("gosched {VERSION} ({GO_VERSION})\n"))
        }
        Some(("help", _)) => driver::print_output(command().render_help()),
        _ => {
            driver::print_error(command().render_help());
            USAGE
        }
    }
}

/// Switches mechanisms off as the environment and the command line say; the first unknown name is the error.
fn switches(matches: &ArgMatches) -> Result<(), String> {
    if let Ok(list) = std::env::var("GOSCHED_WITHOUT") {
        gosched_runtime::switches::without(&list)?;
    }
    let sub = matches.subcommand().map(|(_, m)| m);
    for m in std::iter::once(matches).chain(sub) {
        for list in m.get_many::<String>("without").into_iter().flatten() {
            gosched_runtime::switches::without(list)?;
        }
    }
    Ok(())
}

/// Divides the words after `run` into what to run and the program's arguments.
///
/// Several leading `.go` files form one package, unless there may be only one (`single`).
fn split(mut words: Vec<OsString>, single: bool) -> (Input, Vec<OsString>) {
    let first = words[0].clone();
    if first == "-" {
        return (Input::Stdin, words.split_off(1));
    }
    let path = Path::new(&first);
    if path.is_dir() {
        return (Input::Dir(path.to_path_buf()), words.split_off(1));
    }
    let is_go = |w: &OsString| Path::new(w).extension().is_some_and(|e| e == "go");
    let n = if single || !is_go(&first) {
        1
    } else {
        words.iter().take_while(|w| is_go(w)).count()
    };
    let rest = words.split_off(n);
    let files = words.into_iter().map(PathBuf::from).collect();
    (Input::Files(files), rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<OsString> {
        text.split_whitespace().map(OsString::from).collect()
    }

    #[test]
    fn files_and_arguments_are_told_apart() {
        let (input, rest) = split(words("a.go b.go -v c.go"), false);
        assert_eq!(input, Input::Files(vec!["a.go".into(), "b.go".into()]));
        assert_eq!(rest, words("-v c.go"));
        let (input, rest) = split(words("a.go b.go"), true);
        assert_eq!(input, Input::Files(vec!["a.go".into()]));
        assert_eq!(rest, words("b.go"));
        assert_eq!(split(words("- x"), false), (Input::Stdin, words("x")));
    }

    #[test]
    fn the_command_is_well_formed() {
        command().debug_assert();
    }

    #[test]
    fn wrong_usage_is_2() {
        assert_eq!(run(words("gosched run")), USAGE);
        assert_eq!(run(words("gosched --without=nonsense x.go")), USAGE);
        assert_eq!(run(words("gosched --nonsense")), USAGE);
    }
}
