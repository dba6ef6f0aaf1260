//! The command line: a table of commands with their flags, and exit statuses.
//!
//! A new command is a row of [`COMMANDS`] and a function; a new flag is a row of its command's flags, or of [`COMMON`].
//!
//! Our own output goes to standard error; standard output belongs to the program, but for what was asked for: `disasm`,
//! `version`, `help`.

use crate::driver::{self, Input, Options};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Command};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Exit status of wrong usage, and of our own failures.
const USAGE: i32 = 2;

/// The version that `gosched version` prints.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The Go whose behaviour is followed.
pub const GO_VERSION: &str = "go1.27.3";

const EXIT_STATUSES: &str = "\
Exit status:
  the program's own (2 after a panic or a fatal error)
  1  the program is refused, or what was asked for is not there
  2  wrong usage";

/// A flag, `--name` or `--name=VALUE`.
struct Flag {
    name: &'static str,
    /// How help calls the value, if there is one.
    value: Option<&'static str>,
    help: &'static str,
    /// Not for people.
    is_hidden: bool,
}

const fn flag(name: &'static str, value: Option<&'static str>, help: &'static str) -> Flag {
    Flag {
        name,
        value,
        help,
        is_hidden: false,
    }
}

const fn hidden(name: &'static str, value: &'static str, help: &'static str) -> Flag {
    Flag {
        is_hidden: true,
        ..flag(name, Some(value), help)
    }
}

/// The flags of every command. They may stand before the command, and before a file that stands for `run`.
const COMMON: &[Flag] = &[
    flag(
        "without",
        Some("MECH,…"),
        "Switch off mechanisms of the scheduler (also GOSCHED_WITHOUT)",
    ),
    flag(
        "sched-log",
        Some("FILE"),
        "Write what the scheduler decides, and why, to FILE as JSON lines (examples/sched-log.md)",
    ),
    // A program that starts itself again is given these two.
    hidden("argv0", "NAME", "What os.Args[0] is"),
    hidden("files", "N", "How many of the words are files"),
];

/// What a command takes besides flags.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Words {
    /// What to run; all that follows is the program's.
    Program,
    /// What to compile.
    Files,
    /// The name of a command, or nothing.
    Command,
    Nothing,
}

struct Row {
    name: &'static str,
    about: &'static str,
    words: Words,
    flags: &'static [Flag],
    act: fn(&Call) -> i32,
}

const COMMANDS: &[Row] = &[
    Row {
        name: "run",
        about: "Compile and run a program; what follows the files are its arguments",
        words: Words::Program,
        flags: &[],
        act: run_program,
    },
    Row {
        name: "check",
        about: "Compile a program and report its errors",
        words: Words::Files,
        flags: &[flag(
            "all-errors",
            None,
            "Report every error, not only the first ten",
        )],
        act: check,
    },
    Row {
        name: "disasm",
        about: "Print a program's bytecode",
        words: Words::Files,
        flags: &[flag(
            "func",
            Some("NAME"),
            "Only functions whose name contains NAME, and where they are compiled in place",
        )],
        act: disasm,
    },
    Row {
        name: "version",
        about: "Print the version",
        words: Words::Nothing,
        flags: &[],
        act: |_| print_version(),
    },
    Row {
        name: "help",
        about: "Print this help, or that of a command",
        words: Words::Command,
        flags: &[],
        act: help,
    },
];

/// A command that has been given.
struct Call<'a> {
    matches: &'a ArgMatches,
    /// There was a file in place of the command: it is the whole program.
    is_bare: bool,
}

/// Runs the command line `args` of this process, the program's name first.
pub fn main(args: Vec<OsString>) -> ! {
    // A Rust panic is a bug of ours: said as such, with a fatal error's status.
    std::panic::set_hook(Box::new(|info| {
        eprintln!("fatal error: internal error: {info}");
        std::process::exit(USAGE);
    }));
    std::process::exit(run(args))
}

/// Runs the command line `args` (the program's name first) and returns the exit status.
pub fn run(mut args: Vec<OsString>) -> i32 {
    if args.len() == 1 {
        driver::print_error(command().render_help());
        return USAGE;
    }
    // `gosched [flags] file args…` is `gosched run`: everything after the file is the program's, flags included.
    let at = args.len() - after_flags(&args[1..]).len();
    let mut is_bare = false;
    if let Some(first) = args.get(at) {
        let word = first.to_string_lossy();
        match word.as_ref() {
            "--version" | "-V" => return print_version(),
            word if is_flag(word) || COMMANDS.iter().any(|c| c.name == word) => {}
            word if is_file(word) => is_bare = true,
            word => return unknown_command(word),
        }
    }
    if is_bare {
        args.insert(at, "run".into());
    }
    let matches = match command().try_get_matches_from(&args) {
        Ok(matches) => matches,
        Err(e) => return explain(&e, &args[at..]),
    };
    if let Err(unknown) = switches(&matches) {
        let known: Vec<&str> = gosched_runtime::switches::ALL.iter().map(|m| m.1).collect();
        return wrong(format_args!(
            "unknown mechanism {unknown:?}; the mechanisms are {}",
            known.join(", ")
        ));
    }
    let called = matches
        .subcommand()
        .and_then(|(name, m)| Some((COMMANDS.iter().find(|c| c.name == name)?, m)));
    let Some((row, matches)) = called else {
        driver::print_error(command().render_help());
        return USAGE;
    };
    if row.words != Words::Program && matches.contains_id("sched-log") {
        return wrong(format_args!(
            "{} runs nothing that --sched-log could write of",
            row.name
        ));
    }
    (row.act)(&Call { matches, is_bare })
}

/// What follows the common flags at the start of `words`.
fn after_flags(mut words: &[OsString]) -> &[OsString] {
    while let Some(word) = words.first().and_then(|w| w.to_str()) {
        let Some((flag, has_value)) = common_flag(word) else {
            break;
        };
        let n = if flag.value.is_some() && !has_value {
            2
        } else {
            1
        };
        words = words.get(n..).unwrap_or_default();
    }
    words
}

/// The common flag that `word` is, and whether its value is with it.
fn common_flag(word: &str) -> Option<(&'static Flag, bool)> {
    let word = word.strip_prefix("--")?;
    let (name, has_value) = match word.split_once('=') {
        Some((name, _)) => (name, true),
        None => (word, false),
    };
    Some((COMMON.iter().find(|f| f.name == name)?, has_value))
}

fn is_flag(word: &str) -> bool {
    word.starts_with('-') && word != "-"
}

/// Is a word that is no command meant to be a file or a folder?
fn is_file(word: &str) -> bool {
    word == "-" || word.ends_with(".go") || word.contains('/') || Path::new(word).exists()
}

// ---- The commands.

fn run_program(call: &Call) -> i32 {
    let words = words(call.matches);
    if let Some(word) = words
        .first()
        .and_then(|w| w.to_str())
        .filter(|w| is_flag(w))
    {
        return unknown_flag("run", word);
    }
    let count = last(call, "files").and_then(|n| n.to_str());
    let count = match count.map(str::parse) {
        Some(Ok(n)) => Some(n),
        Some(Err(_)) => return wrong(format_args!("--files needs a number")),
        None if call.is_bare => Some(1),
        None => None,
    };
    // What the scheduler decides is written by one process.
    let without = call
        .matches
        .get_many::<OsString>("without")
        .into_iter()
        .flatten();
    let again = without.map(|list| {
        let mut word = OsString::from("--without=");
        word.push(list);
        word
    });
    let options = Options {
        sched_log: last(call, "sched-log").map(PathBuf::from),
        argv0: last(call, "argv0").cloned(),
        again: again.collect(),
        ..Options::default()
    };
    let (input, rest) = split(words, count);
    driver::run(&input, rest, &options)
}

fn check(call: &Call) -> i32 {
    let options = Options {
        all_errors: call.matches.get_flag("all-errors"),
        ..Options::default()
    };
    compiled(call, |input| driver::check(input, &options))
}

fn disasm(call: &Call) -> i32 {
    let filter = last(call, "func");
    let filter = filter.map_or("".into(), |f| f.to_string_lossy());
    compiled(call, |input| {
        driver::disasm(input, &filter, &Options::default())
    })
}

/// Does what is to be done with a program that is not run, and so takes no arguments.
fn compiled(call: &Call, act: impl FnOnce(&Input) -> i32) -> i32 {
    let (input, rest) = split(words(call.matches), None);
    match rest.first() {
        Some(word) => wrong(format_args!("{word:?} is more than is needed")),
        None => act(&input),
    }
}

fn print_version() -> i32 {
    driver::print_output(format_args!("gosched {VERSION} ({GO_VERSION})\n"))
}

fn help(call: &Call) -> i32 {
    let mut all = command();
    let Some(name) = call.matches.get_one::<OsString>("command") else {
        return driver::print_output(all.render_help());
    };
    let name = name.to_string_lossy();
    // The flags of every command come with it.
    all.build();
    match all.find_subcommand_mut(name.as_ref()) {
        Some(c) => driver::print_output(c.render_help()),
        None => unknown_command(&name),
    }
}

/// The value of a flag; of several the last counts.
fn last<'a>(call: &Call<'a>, flag: &str) -> Option<&'a OsString> {
    call.matches.get_many(flag)?.next_back()
}

fn words(matches: &ArgMatches) -> Vec<OsString> {
    matches
        .get_many("words")
        .into_iter()
        .flatten()
        .cloned()
        .collect()
}

/// Divides words into what to run and the program's arguments.
///
/// The first `count` are files of one package; unless that is known, all leading `.go` files.
fn split(mut words: Vec<OsString>, count: Option<usize>) -> (Input, Vec<OsString>) {
    let first = words[0].clone();
    if first == "-" {
        return (Input::Stdin, words.split_off(1));
    }
    let path = Path::new(&first);
    if path.is_dir() {
        return (Input::Dir(path.to_path_buf()), words.split_off(1));
    }
    let is_go = |w: &OsString| Path::new(w).extension().is_some_and(|e| e == "go");
    let n = match count {
        Some(n) => n.clamp(1, words.len()),
        None => words.iter().take_while(|w| is_go(w)).count().max(1),
    };
    let rest = words.split_off(n);
    let files = words.into_iter().map(PathBuf::from).collect();
    (Input::Files(files), rest)
}

/// Switches mechanisms off as the environment and the command line say; the first unknown name is the error.
fn switches(matches: &ArgMatches) -> Result<(), String> {
    if let Ok(list) = std::env::var("GOSCHED_WITHOUT") {
        gosched_runtime::switches::without(&list)?;
    }
    let sub = matches.subcommand().map(|(_, m)| m);
    for m in std::iter::once(matches).chain(sub) {
        for list in m.get_many::<OsString>("without").into_iter().flatten() {
            gosched_runtime::switches::without(&list.to_string_lossy())?;
        }
    }
    Ok(())
}

// ---- The table as clap has it.

impl Flag {
    fn arg(&self) -> Arg {
        let arg = Arg::new(self.name)
            .long(self.name)
            .hide(self.is_hidden)
            .help(self.help);
        match self.value {
            Some(value) => arg
                .value_name(value)
                .value_parser(clap::value_parser!(OsString))
                .action(ArgAction::Append),
            None => arg.action(ArgAction::SetTrue),
        }
    }
}

impl Row {
    fn command(&self) -> Command {
        let words = Arg::new("words").value_parser(clap::value_parser!(OsString));
        let files = words
            .value_name("file.go… | dir | -")
            .num_args(1..)
            .required(true);
        let words = match self.words {
            Words::Program => Some(files.trailing_var_arg(true).allow_hyphen_values(true)),
            Words::Files => Some(files),
            Words::Command => Some(
                Arg::new("command")
                    .value_name("command")
                    .value_parser(clap::value_parser!(OsString)),
            ),
            Words::Nothing => None,
        };
        Command::new(self.name)
            .about(self.about)
            .args(self.flags.iter().map(Flag::arg))
            .args(words)
    }
}

fn command() -> Command {
    Command::new("gosched")
        .about("Runs Go programs from source on real G, M and P machinery")
        .override_usage("gosched [options] file.go [arguments]\n       gosched [options] <command>")
        .after_help(EXIT_STATUSES)
        .disable_help_subcommand(true)
        .disable_version_flag(true)
        .args(COMMON.iter().map(|f| f.arg().global(true)))
        .arg(
            Arg::new("version")
                .long("version")
                .short('V')
                .action(ArgAction::SetTrue)
                .help("Print the version"),
        )
        .subcommands(COMMANDS.iter().map(Row::command))
}

// ---- Wrong usage.

fn wrong(text: impl std::fmt::Display) -> i32 {
    driver::print_error(format_args!("gosched: {text}\n"));
    USAGE
}

fn unknown_command(word: &str) -> i32 {
    let near = nearest(word, COMMANDS.iter().map(|c| c.name));
    let hint = near.map_or(String::new(), |name| format!("; is {name:?} meant?"));
    wrong(format_args!(
        "unknown command {word:?}{hint} ('gosched help' lists the commands)"
    ))
}

/// An unknown flag of the command called `name`, or of none.
fn unknown_flag(name: &str, word: &str) -> i32 {
    let row = COMMANDS.iter().find(|c| c.name == name);
    let own = row.map_or(&[][..], |row| row.flags);
    let flags = own.iter().chain(COMMON).filter(|f| !f.is_hidden);
    let names = flags.map(|f| f.name).chain(["help", "version"]);
    let given = word.trim_start_matches('-').split('=').next().unwrap_or("");
    let near = nearest(given, names);
    let hint = near.map_or(String::new(), |name| format!("; is --{name} meant?"));
    let topic = row.map_or(String::new(), |row| format!(" {}", row.name));
    wrong(format_args!(
        "unknown flag {word}{hint} ('gosched help{topic}' lists the flags)"
    ))
}

/// Says what clap has found in the words from the command on; the exit status.
fn explain(e: &clap::Error, words: &[OsString]) -> i32 {
    if !e.use_stderr() {
        return driver::print_output(e);
    }
    let text = |kind| match e.get(kind) {
        Some(ContextValue::String(s)) => Some(s.as_str()),
        _ => None,
    };
    if e.kind() == ErrorKind::UnknownArgument
        && let Some(word) = text(ContextKind::InvalidArg).filter(|w| is_flag(w))
    {
        let command = words.first().map_or("".into(), |w| w.to_string_lossy());
        return unknown_flag(&command, word);
    }
    driver::print_error(e);
    USAGE
}

/// The name that `word` is likely to have been meant for.
fn nearest<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > 32 {
        return None;
    }
    let by_distance = names.map(|name| (distance(word, name), name));
    let (distance, name) = by_distance.min()?;
    (distance <= name.len().div_ceil(3)).then_some(name)
}

/// How many letters must be put in, taken out, changed or swapped with their neighbour to make `b` of `a`.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let above = &rows[i - 1];
            let changed = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = changed.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<OsString> {
        text.split_whitespace().map(OsString::from).collect()
    }

    #[test]
    fn files_and_arguments_are_told_apart() {
        let (input, rest) = split(words("a.go b.go -v c.go"), None);
        assert_eq!(input, Input::Files(vec!["a.go".into(), "b.go".into()]));
        assert_eq!(rest, words("-v c.go"));
        let (input, rest) = split(words("a.go b.go"), Some(1));
        assert_eq!(input, Input::Files(vec!["a.go".into()]));
        assert_eq!(rest, words("b.go"));
        assert_eq!(split(words("- x"), None), (Input::Stdin, words("x")));
    }

    #[test]
    fn common_flags_are_passed_over() {
        let all = words("--without=x --sched-log y run --without=z");
        assert_eq!(after_flags(&all), words("run --without=z"));
        assert_eq!(after_flags(&words("--without")), words(""));
        assert_eq!(after_flags(&words("--nonsense x")), words("--nonsense x"));
    }

    #[test]
    fn distances() {
        for (a, b, want) in [
            ("", "abc", 3),
            ("chekc", "check", 1),
            ("rnu", "run", 1),
            ("x", "x", 0),
        ] {
            assert_eq!((distance(a, b), distance(b, a)), (want, want), "{a} {b}");
        }
        assert_eq!(
            nearest("disas", ["run", "disasm"].into_iter()),
            Some("disasm")
        );
        assert_eq!(nearest("build", ["run", "disasm"].into_iter()), None);
    }

    #[test]
    fn the_command_is_well_formed() {
        command().debug_assert();
    }

    #[test]
    fn wrong_usage_is_2() {
        for line in [
            "run",
            "--without=nonsense x.go",
            "--nonsense",
            "run --nonsense x.go",
            "chekc x.go",
        ] {
            assert_eq!(run(words(&format!("gosched {line}"))), USAGE, "{line}");
        }
    }
}
