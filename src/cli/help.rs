//! What help prints: all of it comes from the tables of commands and flags.

use super::call::Call;
use super::{COMMANDS, COMMON, Flag, Row, Takes, Words, command, wrong};
use crate::driver;
use std::fmt::Write;

/// How help calls what is to be compiled.
pub(super) const FILES: &str = "file.go… | dir | -";

/// What a newcomer tries first.
pub(super) const EXAMPLES: &[(&str, &str)] = &[
    (
        "gosched prog.go a b",
        "run a file; a and b are its arguments",
    ),
    ("gosched run ./cmd/tool", "run the package in a folder"),
    ("gosched -e 'fmt.Println(1 + 2)'", "run code"),
    ("gosched -p 'strings.ToUpper(\"x\")'", "print a value"),
    (
        "ls -l | gosched -ne 'if len(F) > 8 { fmt.Println(F[8]) }'",
        "run code for each line",
    ),
    ("gosched", "the prompt"),
    ("gosched check ./...", "report errors, run nothing"),
    (
        "gosched --without=runnext --sched-log=- prog.go",
        "see what the scheduler decides",
    ),
];

/// The environment variables that are heard.
pub(super) const ENVIRONMENT: &[(&str, &str)] = &[
    ("GOMAXPROCS", "How many goroutines run at once"),
    ("GOGC, GOMEMLIMIT", "When garbage is collected, as in Go"),
    (
        "GODEBUG",
        "schedtrace=MS, scheddetail=1, gctrace=1 and others, as in Go",
    ),
    (
        "GOTRACEBACK",
        "none, single, all, system or crash: what a dying program prints",
    ),
    ("GOSCHED_WITHOUT", "As --without"),
    (
        "GOSCHED_NATIVE",
        "off: no code of the machine is made of what runs hot",
    ),
    (
        "NO_COLOR, CLICOLOR_FORCE, TERM=dumb",
        "Never or always use colors, as --color",
    ),
    (
        "EDITOR, VISUAL, XDG_CONFIG_HOME",
        "The prompt's editor, and where its init.go is",
    ),
];

/// The exit statuses, in groups.
pub(super) const STATUSES: &[(&str, &str)] = &[
    (
        "the program's own",
        "2 after a panic, a fatal error or a deadlock",
    ),
    (
        "1",
        "The program is refused, or what was asked for is not there",
    ),
    (
        "2",
        "Wrong usage, or a file that was asked for cannot be written",
    ),
    ("3", "explore has found a schedule that fails"),
    ("66", "--race has found data races"),
    ("67", "--leaks has found goroutines that wait for ever"),
    (
        "68",
        "A goroutine waited longer for its turn than --latency-max",
    ),
    ("69", "replay runs into something that was not recorded"),
    ("71", "The program exceeded --max-heap"),
    ("72", "The program exceeded --max-goroutines"),
    ("124", "The program exceeded --timeout"),
    ("130", "Ended by Ctrl-C"),
];

/// The help of the whole.
pub(super) fn overview() -> String {
    let mut text =
        String::from("Runs Go programs from source, without a Go toolchain\n\nExamples:\n");
    table(&mut text, strings(EXAMPLES));
    text.push_str(
        "\nUsage: gosched [flags] file.go [arguments]\n       \
         gosched [flags] command …\n\nCommands:\n",
    );
    table(
        &mut text,
        COMMANDS.iter().map(|c| (c.name.into(), c.about)).collect(),
    );
    text.push_str("\nFlags:\n");
    let mut rows = flag_rows(COMMANDS[0].flags());
    rows.push(("-V, --version".into(), "Print the version"));
    rows.push((
        "-h, --help".into(),
        "Print help; behind a command, that of the command",
    ));
    rows.push((
        "--".into(),
        "What follows is the program, whatever it looks like",
    ));
    table(&mut text, rows);
    text.push_str("\nEnvironment:\n");
    table(&mut text, strings(ENVIRONMENT));
    text.push_str("\nExit status:\n");
    table(&mut text, strings(STATUSES));
    text
}

/// The help of one command.
pub(super) fn topic(row: &Row) -> String {
    let mut text = format!("{}\n", row.about);
    if !row.examples.is_empty() {
        text.push_str("\nExamples:\n");
        table(&mut text, strings(row.examples));
    }
    let _ = write!(
        text,
        "\nUsage: gosched {} [flags]{}\n\nFlags:\n",
        row.name,
        words(row)
    );
    let mut rows = flag_rows(
        row.flags()
            .filter(|f| !COMMON.iter().any(|c| c.name == f.name)),
    );
    rows.extend(flag_rows(COMMON.iter()));
    rows.push(("-h, --help".into(), "Print help"));
    table(&mut text, rows);
    text
}

/// What a command takes besides flags.
pub(super) fn words(row: &Row) -> String {
    match row.words {
        Words::Program => format!(" {FILES} [arguments]"),
        Words::Files => format!(" {FILES}"),
        Words::Command => " [command]".into(),
        Words::Shell => " bash | zsh | fish".into(),
        Words::Recording => " file.gosched".into(),
        Words::Trace => " check | queues | summary | … file.trace | file.gosched".into(),
        Words::Experiment => " [experiment | file.go]".into(),
        Words::Test => " [packages] [flags of the test]".into(),
        Words::Nothing => String::new(),
    }
}

/// `gosched help [command]`.
pub(super) fn help(call: &Call) -> i32 {
    let Some(name) = call.words.first() else {
        return driver::print_output(overview());
    };
    let name = name.to_string_lossy();
    match command(&name) {
        Some(row) => driver::print_output(topic(row)),
        None => wrong::command(&name),
    }
}

/// How a flag is typed.
pub(super) fn head(flag: &Flag, takes: Takes) -> String {
    let value = value_name(takes);
    match (flag.letter, value.as_str()) {
        (Some(letter), "") => format!("-{letter}, --{}", flag.name),
        (Some(letter), value) => format!("-{letter}, --{} {value}", flag.name),
        (None, "") => format!("--{}", flag.name),
        (None, value) => format!("--{}={value}", flag.name),
    }
}

/// How help calls the value of a flag.
pub(super) fn value_name(takes: Takes) -> String {
    match takes {
        Takes::Nothing => String::new(),
        Takes::Text(name) => name.into(),
        Takes::File => "FILE".into(),
        Takes::Mechanisms => "MECH,…".into(),
        Takes::OneOf(all) => all.join("|"),
        Takes::Language => "go1.N".into(),
        Takes::Number | Takes::Count | Takes::UpTo(_) => "N".into(),
        Takes::Duration => "DUR".into(),
        Takes::Moment => "N|DUR".into(),
        Takes::Stall => "DUR|0|any".into(),
        Takes::Size => "SIZE".into(),
    }
}

fn flag_rows<'a>(flags: impl Iterator<Item = &'a Flag>) -> Vec<(String, &'static str)> {
    let shown = flags.filter(|f| !f.is_hidden);
    shown.map(|f| (head(f, f.takes), f.help)).collect()
}

fn strings(rows: &'static [(&str, &str)]) -> Vec<(String, &'static str)> {
    rows.iter()
        .map(|(head, about)| ((*head).into(), *about))
        .collect()
}

/// The widest first column beside which the second one stands.
const WIDEST: usize = 36;

/// Writes rows of two columns.
fn table(text: &mut String, rows: Vec<(String, &str)>) {
    let widths = rows.iter().map(|r| r.0.chars().count());
    let width = widths.filter(|&w| w <= WIDEST).max().unwrap_or(0);
    for (head, about) in rows {
        if head.chars().count() > width {
            let _ = writeln!(text, "  {head}\n  {:width$}  {about}", "");
        } else {
            let _ = writeln!(text, "  {head:width$}  {about}");
        }
    }
}
