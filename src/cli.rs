//! The command line: a table of commands with their flags, and exit statuses.
//!
//! A new command is a row of [`COMMANDS`] and a function;
//! a new flag is a row of its command's flags, or of [`COMMON`].
//!
//! Our own output goes to standard error; standard output belongs to the program, but for what was
//! asked for: `disasm`, `version`, `help`.

use crate::driver::{self, GO_VERSION, Input, Options, VERSION};
use crate::loader::Code;
use crate::repl;
use source;
use std::ffi::{OsStr, OsString};
use std::fmt::Write;
use std::io::IsTerminal;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Exit status of wrong usage, and of our own failures.
const USAGE: i32 = 2;

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
    /// Given by gosched to itself only: help does not show it.
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

/// The flags of every command. They may stand before the command,
/// and before a file that stands for `run`.
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
    flag(
        "lang",
        Some("go1.N"),
        "The version of the language that the package is of, whatever go.mod says",
    ),
    flag(
        "e",
        Some("CODE"),
        "Run CODE: statements and declarations; packages are imported by use",
    ),
    flag(
        "p",
        Some("EXPR"),
        "Print the values of EXPR, each on a line",
    ),
    flag(
        "n",
        None,
        "Run the code for each line of standard input: `line`, its fields `F`",
    ),
    flag("N", None, "As -n, and print the line after each round"),
    // A program that starts itself again is given these.
    hidden("argv0", "NAME", "What os.Args[0] is"),
    hidden("files", "N", "How many of the words are files"),
    hidden("unit", "FILE", "What the files have been compiled to"),
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
        name: "repl",
        about: "Run what standard input says, input by input, and show values",
        words: Words::Nothing,
        flags: &[
            flag("echo", None, "Print each input before what comes of it"),
            flag("keep-going", None, "Do not end at the first error"),
            flag("json", None, "Read requests and write replies as JSON"),
            flag("no-init", None, "Do not run init.go first, at a terminal"),
        ],
        act: |call| {
            repl::run(repl::Options {
                echo: call.last("echo").is_some(),
                keep_going: call.last("keep-going").is_some(),
                init: call.last("no-init").is_none(),
                json: call.last("json").is_some(),
                lang: call.lang,
                sched_log: call.last("sched-log").map(PathBuf::from),
            })
        },
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

/// What has been given to a command.
#[derive(Default)]
struct Call {
    /// In their order; a flag without a value has an empty one.
    flags: Vec<(&'static str, OsString)>,
    words: Vec<OsString>,
    /// There was a file in place of the command: it is the whole program.
    is_bare: bool,
    /// The N of the language version go1.N.
    lang: Option<u32>,
}

impl Call {
    /// The values of a flag, in their order.
    fn all(&self, flag: &str) -> impl DoubleEndedIterator<Item = &OsString> {
        let given = self.flags.iter().filter(move |f| f.0 == flag);
        given.map(|f| &f.1)
    }

    /// Is there code to run in place of files?
    fn has_code(&self) -> bool {
        self.flags.iter().any(|f| matches!(f.0, "e" | "p"))
    }

    /// What to run, if the command line says so itself.
    fn code(&self) -> Option<Code> {
        let chunks = self.flags.iter().filter_map(|(name, text)| {
            let text = text.as_bytes().to_vec();
            match *name {
                "e" => Some((true, text)),
                "p" => Some((false, text)),
                _ => None,
            }
        });
        self.has_code().then(|| Code {
            chunks: chunks.collect(),
            loops: self.last("n").or(self.last("N")).is_some(),
            prints: self.last("N").is_some(),
        })
    }

    /// The value of a flag; of several the last counts.
    fn last(&self, flag: &str) -> Option<&OsString> {
        self.all(flag).next_back()
    }
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
pub fn run(args: Vec<OsString>) -> i32 {
    let (row, call) = match parse(args) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    if let Err(unknown) = switches(&call) {
        let known: Vec<&str> = gosched_runtime::switches::ALL.iter().map(|m| m.1).collect();
        return wrong(format_args!(
            "unknown mechanism {unknown:?}; the mechanisms are {}",
            known.join(", ")
        ));
    }
    let runs = row.words == Words::Program || row.name == "repl";
    if !runs && call.last("sched-log").is_some() {
        return wrong(format_args!(
            "{} runs nothing that --sched-log could write of",
            row.name
        ));
    }
    let lang = call
        .last("lang")
        .map(|text| (text, language(&text.to_string_lossy())));
    let lang = match lang {
        Some((text, Err(why))) => {
            return wrong(format_args!("invalid value {text:?} for --lang: {why}"));
        }
        Some((_, Ok(version))) => Some(version),
        None => None,
    };
    let call = Call { lang, ..call };
    (row.act)(&call)
}

/// The command and what has been given to it.
/// Where something else is to be done, does that: the error is the exit status.
fn parse(args: Vec<OsString>) -> Result<(&'static Row, Call), i32> {
    let mut words = args.into_iter().skip(1).peekable();
    let mut call = Call::default();
    let row = loop {
        if call.has_code() && words.peek().is_none_or(|w| !is_flag(&w.to_string_lossy())) {
            break &COMMANDS[0];
        }
        let Some(first) = words.peek() else {
            // At a terminal somebody wants to type.
            let is_typed = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
            if let Some(row) = COMMANDS.iter().find(|c| is_typed && c.name == "repl") {
                break row;
            }
            driver::print_error(overview());
            return Err(USAGE);
        };
        let word = first.to_string_lossy().into_owned();
        match &*word {
            "-h" | "--help" => return Err(driver::print_output(overview())),
            "-V" | "--version" => return Err(print_version()),
            _ if is_flag(&word) => {
                let first = words.next().unwrap_or_default();
                call.flags.push(take_flag(None, &first, &mut words)?);
                continue;
            }
            _ => {}
        }
        if let Some(row) = COMMANDS.iter().find(|c| c.name == word) {
            words.next();
            break row;
        }
        // `gosched [flags] file args…` is `gosched run`.
        if !is_file(&word) {
            return Err(unknown_command(&word));
        }
        call.is_bare = true;
        break &COMMANDS[0];
    };
    let mut are_flags_over = false;
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        // Everything after the file is the program's, flags included.
        are_flags_over |= row.words == Words::Program && !call.words.is_empty();
        match &*text {
            _ if are_flags_over || !is_flag(&text) => call.words.push(word),
            "--" => are_flags_over = true,
            "-h" | "--help" => return Err(driver::print_output(topic(row))),
            _ => {
                let taken = take_flag(Some(row), &word, &mut words)?;
                call.flags.push(taken);
            }
        }
    }
    let most = match row.words {
        Words::Program | Words::Files if call.words.is_empty() && !call.has_code() => {
            return Err(wrong(format_args!("{} needs a program: {FILES}", row.name)));
        }
        Words::Program | Words::Files => usize::MAX,
        Words::Command => 1,
        Words::Nothing => 0,
    };
    match call.words.get(most) {
        Some(word) => Err(wrong(format_args!("{word:?} is more than is needed"))),
        None => Ok((row, call)),
    }
}

/// The flag that `word` is, with its value, which may be the next word.
fn take_flag(
    row: Option<&Row>,
    word: &OsStr,
    words: &mut impl Iterator<Item = OsString>,
) -> Result<(&'static str, OsString), i32> {
    let mut parts = word.as_bytes().splitn(2, |&b| b == b'=');
    let mut part = || parts.next().map(OsStr::from_bytes);
    let (name, value) = (part().unwrap_or_default().to_string_lossy(), part());
    let own = row.map_or(&[][..], |row| row.flags);
    let mut flags = own.iter().chain(COMMON);
    let flag = flags.find(|f| name.strip_prefix(dashes(f)) == Some(f.name));
    let Some(flag) = flag else {
        return Err(unknown_flag(row, &word.to_string_lossy()));
    };
    let value = match (flag.value, value) {
        (None, None) => OsString::new(),
        (None, Some(_)) => return Err(wrong(format_args!("{name} takes no value"))),
        (Some(_), Some(value)) => value.into(),
        (Some(what), None) => match words.next() {
            Some(value) => value,
            None => return Err(wrong(format_args!("{name} needs a value: {what}"))),
        },
    };
    Ok((flag.name, value))
}

/// What stands before the name of a flag.
fn dashes(flag: &Flag) -> &'static str {
    if flag.name.len() == 1 { "-" } else { "--" }
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
    let count = match call.last("files").map(|n| n.to_string_lossy().parse()) {
        Some(Ok(n)) => Some(n),
        Some(Err(_)) => return wrong(format_args!("--files needs a number")),
        None if call.is_bare => Some(1),
        None => None,
    };
    // What the scheduler decides is written by one process.
    let again = call.all("without").map(|list| {
        let mut word = OsString::from("--without=");
        word.push(list);
        word
    });
    let lang = call.lang.map(|n| format!("--lang=go1.{n}").into());
    let options = Options {
        sched_log: call.last("sched-log").map(PathBuf::from),
        argv0: call.last("argv0").cloned(),
        unit: call.last("unit").map(PathBuf::from),
        again: again.chain(lang).collect(),
        lang: call.lang,
        ..Options::default()
    };
    let (input, rest) = match call.code() {
        Some(code) => (Input::Code(code), call.words.clone()),
        None => split(call.words.clone(), count),
    };
    driver::run(&input, rest, &options)
}

fn check(call: &Call) -> i32 {
    let options = Options {
        all_errors: call.last("all-errors").is_some(),
        lang: call.lang,
        ..Options::default()
    };
    compiled(call, |input| driver::check(input, &options))
}

fn disasm(call: &Call) -> i32 {
    let filter = call.last("func").map_or("".into(), |f| f.to_string_lossy());
    let options = Options {
        lang: call.lang,
        ..Options::default()
    };
    compiled(call, |input| driver::disasm(input, &filter, &options))
}

/// Does what is to be done with a program that is not run, and so takes no arguments.
fn compiled(call: &Call, act: impl FnOnce(&Input) -> i32) -> i32 {
    let (input, rest) = match call.code() {
        Some(code) => (Input::Code(code), call.words.clone()),
        None => split(call.words.clone(), None),
    };
    match rest.first() {
        Some(word) => wrong(format_args!("{word:?} is more than is needed")),
        None => act(&input),
    }
}

fn print_version() -> i32 {
    driver::print_output(format_args!("gosched {VERSION} ({GO_VERSION})\n"))
}

fn help(call: &Call) -> i32 {
    let Some(name) = call.words.first() else {
        return driver::print_output(overview());
    };
    let name = name.to_string_lossy();
    match COMMANDS.iter().find(|c| c.name == name) {
        Some(row) => driver::print_output(topic(row)),
        None => unknown_command(&name),
    }
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

/// The N of a language version go1.N.
fn language(text: &str) -> Result<u32, String> {
    let minor = text.strip_prefix("go1").and_then(|rest| match rest {
        "" => Some("0"),
        _ => rest.strip_prefix('.'),
    });
    let is_number = |n: &str| {
        let is_plain = n == "0" || !n.starts_with('0') && !n.is_empty();
        is_plain && n.bytes().all(|b| b.is_ascii_digit())
    };
    let minor = minor.filter(|n| is_number(n));
    let minor = minor.ok_or("should be something like \"go1.12\"")?;
    let current = source::GO.0;
    let known = minor.parse().ok().filter(|&n| n <= current);
    known.ok_or_else(|| format!("max known version is \"go1.{current}\""))
}

/// Switches mechanisms off as the environment and the command line say;
/// the first unknown name is the error.
fn switches(call: &Call) -> Result<(), String> {
    if let Ok(list) = std::env::var("GOSCHED_WITHOUT") {
        gosched_runtime::switches::without(&list)?;
    }
    call.all("without")
        .try_for_each(|list| gosched_runtime::switches::without(&list.to_string_lossy()))
}

// ---- Help.

/// How help calls what is to be compiled.
const FILES: &str = "file.go… | dir | -";

fn overview() -> String {
    let mut text = String::from(
        "Runs Go programs from source on real G, M and P machinery\n\n\
         Usage: gosched [flags] file.go [arguments]\n       \
         gosched [flags] command …\n\nCommands:\n",
    );
    let rows = COMMANDS.iter().map(|c| (c.name.to_string(), c.about));
    table(&mut text, rows.collect());
    text.push_str("\nFlags:\n");
    let mut rows = flag_rows(COMMON);
    rows.push(("-V, --version".into(), "Print the version"));
    rows.push(("-h, --help".into(), "Print help"));
    table(&mut text, rows);
    let _ = writeln!(text, "\n{EXIT_STATUSES}");
    text
}

/// The help of one command.
fn topic(row: &Row) -> String {
    let words = match row.words {
        Words::Program => format!(" {FILES} [arguments]"),
        Words::Files => format!(" {FILES}"),
        Words::Command => " [command]".into(),
        Words::Nothing => String::new(),
    };
    let mut text = format!(
        "{}\n\nUsage: gosched {} [flags]{words}\n\nFlags:\n",
        row.about, row.name
    );
    let mut rows = flag_rows(row.flags);
    rows.extend(flag_rows(COMMON));
    rows.push(("-h, --help".into(), "Print help"));
    table(&mut text, rows);
    text
}

fn flag_rows(flags: &[Flag]) -> Vec<(String, &'static str)> {
    let shown = flags.iter().filter(|f| !f.is_hidden);
    let head = |f: &Flag| match f.value {
        Some(value) if f.name.len() == 1 => format!("-{} {value}", f.name),
        Some(value) => format!("--{}={value}", f.name),
        None => format!("{}{}", dashes(f), f.name),
    };
    shown.map(|f| (head(f), f.help)).collect()
}

/// Writes rows of two columns.
fn table(text: &mut String, rows: Vec<(String, &str)>) {
    let width = rows.iter().map(|r| r.0.chars().count()).max().unwrap_or(0);
    for (head, about) in rows {
        let _ = writeln!(text, "  {head:width$}  {about}");
    }
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

fn unknown_flag(row: Option<&Row>, word: &str) -> i32 {
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

/// The name that `word` is likely to have been meant for.
fn nearest<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > 32 {
        return None;
    }
    let by_distance = names.map(|name| (distance(word, name), name));
    let (distance, name) = by_distance.min()?;
    (distance <= name.len().div_ceil(3)).then_some(name)
}

/// How many letters must be put in, taken out,
/// changed or swapped with their neighbour to make `b` of `a`.
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
    fn flags_have_values_with_them_or_behind_them() {
        let line = "gosched --without=x --sched-log y run --without= --argv0 z a.go --without=w";
        let (row, call) = parse(words(line)).unwrap();
        assert_eq!(row.name, "run");
        let given: Vec<_> = call
            .flags
            .iter()
            .map(|(name, v)| (*name, v.to_str()))
            .collect();
        let want = [
            ("without", "x"),
            ("sched-log", "y"),
            ("without", ""),
            ("argv0", "z"),
        ];
        assert_eq!(given, want.map(|(name, v)| (name, Some(v))));
        assert_eq!(call.words, words("a.go --without=w"));
        let (_, call) = parse(words("gosched check a.go --all-errors -- --func")).unwrap();
        assert_eq!(call.words, words("a.go --func"));
        assert!(call.last("all-errors").is_some());
        for line in ["check --all-errors=yes a.go", "a.go --without", "--without"] {
            let status = parse(words(&format!("gosched {line}"))).err();
            let want = (line != "a.go --without").then_some(USAGE);
            assert_eq!(status, want, "{line}");
        }
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
    fn names_are_unique() {
        for row in COMMANDS {
            let flags = row.flags.iter().chain(COMMON);
            let mut names: Vec<&str> = flags.map(|f| f.name).chain(["help", "version"]).collect();
            names.sort_unstable();
            assert!(
                names.windows(2).all(|w| w[0] != w[1]),
                "{}: {names:?}",
                row.name
            );
        }
        let same = |name| COMMANDS.iter().filter(|c| c.name == name).count();
        assert!(COMMANDS.iter().all(|c| same(c.name) == 1));
    }

    #[test]
    fn versions_of_the_language() {
        assert_eq!(language("go1.20"), Ok(20));
        assert_eq!(language("go1"), Ok(0));
        for bad in [
            "1.20", "go1.x", "go1.020", "go1.28", "go2.1", "go1.20.1", "",
        ] {
            assert!(language(bad).is_err(), "{bad}");
        }
        let (minor, patch) = source::GO;
        assert_eq!(GO_VERSION, format!("go1.{minor}.{patch}"));
    }

    #[test]
    fn wrong_usage_is_2() {
        assert_eq!(run(words("gosched run --lang=go1.28 x.go")), USAGE);
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
