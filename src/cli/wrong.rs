//! Wrong usage: a sentence that says what is wrong, and one that says what to type.

use super::call::flags_of;
use super::{COMMANDS, Flag, Row, go, help};
use crate::driver;
use std::fmt::Display;
use std::path::Path;
use syntax::diagnostics::near::nearest;

/// Exit status of wrong usage, and of our own failures.
pub(super) const USAGE: i32 = 2;

/// Says what is wrong, and what to type; the exit status.
pub(super) fn wrong(what: impl Display, advice: impl Display) -> i32 {
    driver::print_error(format_args!("gosched: {what}\n{advice}\n"));
    USAGE
}

/// The first word is neither a command nor a file.
pub(super) fn command(word: &str) -> i32 {
    let what = format!("there is no command {word:?}, and no file of that name");
    if Path::new(&format!("{word}.go")).exists() {
        return wrong(
            what,
            format_args!("Type gosched {word}.go if that is meant."),
        );
    }
    if let Some(advice) = go::command(word) {
        return wrong(what, advice);
    }
    match nearest(word, COMMANDS.iter().map(|row| row.name)) {
        Some(name) => wrong(what, format_args!("Type gosched {name} if that is meant.")),
        None => wrong(what, "Type gosched help for the list of commands."),
    }
}

/// There is no such flag.
pub(super) fn unknown_flag(row: Option<&'static Row>, word: &str) -> i32 {
    let word = word.split('=').next().unwrap_or("");
    let given = word.trim_start_matches('-');
    let flags = || flags_of(row).filter(|f| !f.is_hidden);
    let names = flags().map(|f| f.name).chain(["help", "version"]);
    let what = match row {
        Some(row) => format!("{} has no flag {word}", row.name),
        None => format!("there is no flag {word}"),
    };
    let mut others = COMMANDS.iter().flat_map(Row::flags);
    let is_typed = |f: &&Flag| given == f.name || f.letter.is_some_and(|c| given == c.to_string());
    if let (Some(row), Some(flag)) = (row, others.find(is_typed)) {
        return flag_of_another(row, flag);
    }
    let near = nearest(given, names);
    match near.map(|name| (name, flags().find(|f| f.name == name))) {
        Some((_, Some(flag))) => wrong(
            what,
            format_args!("Type {} if that is meant.", help::head(flag, flag.takes)),
        ),
        Some((name, None)) => wrong(what, format_args!("Type --{name} if that is meant.")),
        None => {
            let topic = row.map_or(String::new(), |row| format!(" {}", row.name));
            wrong(
                what,
                format_args!("Type gosched help{topic} for the list of flags."),
            )
        }
    }
}

/// A flag stands before a command that does not have it.
pub(super) fn flag_of_another(row: &Row, flag: &Flag) -> i32 {
    let has = |other: &&Row| other.flags().any(|f| f.name == flag.name);
    let others: Vec<&str> = COMMANDS.iter().filter(has).map(|row| row.name).collect();
    let what = format!("{} has no flag --{}", row.name, flag.name);
    if (row.name, flag.name) == ("explore", "race") {
        return wrong(
            what,
            "Leave it out: explore looks for races, unless --no-race is typed.",
        );
    }
    wrong(
        what,
        format_args!("Type it with gosched {}.", others.join(" or gosched ")),
    )
}

/// There is no mechanism of this name.
pub(super) fn mechanism(unknown: &str, given_by: &str) -> i32 {
    let what = format!("{given_by}: there is no mechanism {unknown:?}");
    let known = || gosched_runtime::switches::ALL.iter().map(|m| m.1);
    match nearest(unknown, known()) {
        Some(name) => wrong(what, format_args!("Type {name} if that is meant.")),
        None => {
            let known: Vec<&str> = known().collect();
            wrong(what, format_args!("Type one of {}.", known.join(", ")))
        }
    }
}

/// `GOSCHED_NATIVE` is none of its words.
pub(super) fn native(word: &str) -> i32 {
    wrong(
        format_args!("GOSCHED_NATIVE: there is no {word:?}"),
        "Set it to off or always, or not at all.",
    )
}

/// There is no event of this name among those of a trace.
pub(super) fn event(unknown: &str, known: &[String]) -> i32 {
    let what = format!("--sched-trace-only: there is no event {unknown:?}");
    match nearest(unknown, known.iter().map(String::as_str)) {
        Some(name) => wrong(what, format_args!("Type {name} if that is meant.")),
        None => wrong(what, format_args!("Type some of {}.", known.join(", "))),
    }
}

/// There are no completions for this shell.
pub(super) fn shell(name: &str) -> i32 {
    wrong(
        format_args!("there are no completions for {name:?}"),
        "Type gosched completions and then bash, zsh or fish.",
    )
}
