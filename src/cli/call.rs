//! Reads a command line: which command it is, what has been given to it, and what that means.

use super::values;
use super::wrong::{self, wrong};
use super::{COMMANDS, Flag, Row, Takes, Words, command, describe, go, help};
use crate::driver::{self, Input};
use crate::loader::{self, Code, How, Text};
use gosched_runtime::limits::Limits;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::IsTerminal;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;
use syntax::parser::code::Role;

/// What has been given to a command.
#[derive(Default)]
pub(super) struct Call {
    /// In their order; a flag without a value has an empty one.
    pub(super) flags: Vec<(&'static Flag, OsString)>,
    pub(super) words: Vec<OsString>,
    /// There was a file in place of the command: it is the whole program.
    is_bare: bool,
}

impl Call {
    /// The values of a flag, in their order.
    pub(super) fn all(&self, flag: &str) -> impl DoubleEndedIterator<Item = &OsString> {
        let given = self.flags.iter().filter(move |f| f.0.name == flag);
        given.map(|f| &f.1)
    }

    /// The value of a flag; of several the last counts.
    pub(super) fn last(&self, flag: &str) -> Option<&OsString> {
        self.all(flag).next_back()
    }

    pub(super) fn has(&self, flag: &str) -> bool {
        self.last(flag).is_some()
    }

    /// The N of the language version go1.N.
    pub(super) fn language(&self) -> Option<u32> {
        let text = self.last("lang")?.to_string_lossy();
        values::language(&text).ok()
    }

    /// The value of a flag that is a number.
    pub(super) fn number<N: FromStr>(&self, flag: &str) -> Option<N> {
        self.last(flag)?.to_string_lossy().parse().ok()
    }

    /// The value of a flag that is a duration.
    pub(super) fn duration(&self, flag: &str) -> Option<Duration> {
        values::duration(&self.last(flag)?.to_string_lossy())
    }

    /// What to run: the words behind `gosched run`.
    pub(super) fn again(&self) -> Vec<String> {
        let code = [
            "eval",
            "print",
            "each-line",
            "each-line-print",
            "end",
            "lang",
            "tags",
            "mod",
            "goroot",
            "files",
        ];
        // The program may be run again in another folder.
        let count = match self.has_code() {
            true => 0,
            false => self.words.len() - self.program().1.len(),
        };
        let (program, rest) = self.words.split_at(count);
        let absolute = |w: &OsString| match Path::new(w).exists() {
            true => std::path::absolute(w).map_or(w.clone(), PathBuf::into_os_string),
            false => w.clone(),
        };
        let flags = self.given(&code).into_iter();
        let all = flags
            .chain(program.iter().map(absolute))
            .chain(rest.iter().cloned());
        all.map(|w| w.to_string_lossy().into_owned()).collect()
    }

    /// The events that are to be recorded, if not all are.
    pub(super) fn events(&self) -> Vec<String> {
        let lists = self.all("sched-trace-only").map(|l| l.to_string_lossy());
        let names = lists.flat_map(|l| {
            l.split(',')
                .map(|n| n.trim().to_string())
                .collect::<Vec<_>>()
        });
        names.filter(|n| !n.is_empty()).collect()
    }

    /// How much the program may use.
    pub(super) fn limits(&self) -> Limits {
        let value = |flag| self.last(flag).map(|v| v.to_string_lossy());
        Limits {
            timeout: self.duration("timeout"),
            heap: value("max-heap").and_then(|text| values::size(&text)),
            goroutines: self.number("max-goroutines"),
        }
    }

    /// Those of these flags that were given, as they can be given again.
    pub(super) fn given(&self, names: &[&str]) -> Vec<OsString> {
        let wanted = self.flags.iter().filter(|f| names.contains(&f.0.name));
        let word = |(flag, value): &(&Flag, OsString)| {
            let mut word = OsString::from(format!("--{}", flag.name));
            if flag.takes != Takes::Nothing {
                word.push("=");
                word.push(value);
            }
            word
        };
        wanted.map(word).collect()
    }

    /// What the command line says itself, in its order.
    pub(super) fn texts(&self) -> Vec<Text> {
        let text = |(flag, value): &(&Flag, OsString)| {
            let role = match flag.name {
                "eval" => Role::Code,
                "print" => Role::Value,
                "end" => Role::End,
                _ => return None,
            };
            let bytes = value.as_bytes().to_vec();
            Some(Text { role, bytes })
        };
        self.flags.iter().filter_map(text).collect()
    }

    /// Is there code to run in place of files?
    pub(super) fn has_code(&self) -> bool {
        self.has("eval") || self.has("print")
    }

    /// Says how the files of what is to be compiled are looked for.
    pub(super) fn set_how(&self) {
        let value = |flag| self.last(flag).map(|v| v.to_string_lossy().into_owned());
        loader::set_how(How {
            tags: loader::tags_of(&value("tags").unwrap_or_default()),
            modules: value("mod"),
            goroot: self.last("goroot").map(PathBuf::from),
        });
    }

    /// What to compile, and the words behind it.
    pub(super) fn program(&self) -> (Input, Vec<OsString>) {
        if self.has_code() {
            let code = Code {
                texts: self.texts(),
                loops: self.has("each-line") || self.has("each-line-print"),
                prints: self.has("each-line-print"),
            };
            return (Input::Code(code), self.words.clone());
        }
        let count = self.number("files");
        split(self.words.clone(), count.or(self.is_bare.then_some(1)))
    }
}

/// A word as a shell reads it.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=,:@%+".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// The command and what has been given to it.
/// Where something else is to be done, does that: the error is the exit status.
pub(super) fn parse(args: Vec<OsString>) -> Result<(&'static Row, Call), i32> {
    let mut words = args.into_iter().skip(1).peekable();
    let mut call = Call::default();
    let mut are_flags_over = false;
    let row = loop {
        let text = words.peek().map(|w| w.to_string_lossy().into_owned());
        match text.as_deref() {
            Some("-h" | "--help" | "-help") => {
                return Err(driver::print_output(help::overview()));
            }
            Some("-V" | "--version" | "-version") => {
                return Err(describe::version(&Call::default()));
            }
            Some("--") => {
                words.next();
                are_flags_over = true;
                call.is_bare = true;
                break &COMMANDS[0];
            }
            Some(text) if is_flag(text) => {
                let word = words.next().unwrap_or_default();
                take_flags(None, &word, &mut words, &mut call)?;
            }
            // What follows code are its arguments.
            _ if call.has_code() => break &COMMANDS[0],
            Some(text) if command(text).is_some() => {
                words.next();
                break command(text).unwrap_or(&COMMANDS[0]);
            }
            // `gosched [flags] file args…` is `gosched run`.
            Some(text) if is_file(text) => {
                call.is_bare = true;
                break &COMMANDS[0];
            }
            Some(text) => return Err(wrong::command(text)),
            None => break without_words(&mut call)?,
        }
    };
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        // Everything after the file is the program's, flags included.
        are_flags_over |= row.words == Words::Program && !call.words.is_empty();
        are_flags_over |= row.words == Words::Test && !["-h", "--help"].contains(&&*text);
        match &*text {
            _ if are_flags_over || !is_flag(&text) => call.words.push(word),
            "--" => are_flags_over = true,
            "-h" | "--help" | "-help" => return Err(driver::print_output(help::topic(row))),
            _ => take_flags(Some(row), &word, &mut words, &mut call)?,
        }
    }
    agree(row, &call)?;
    Ok((row, call))
}

/// The command that is meant where there is no word.
fn without_words(call: &mut Call) -> Result<&'static Row, i32> {
    // At a terminal somebody wants to type.
    let is_typed = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    match command("repl").filter(|_| is_typed || call.has("interactive")) {
        Some(_) if call.has("interactive") => Ok(&COMMANDS[0]),
        Some(repl) => Ok(repl),
        None if is_piped() => {
            call.words.push("-".into());
            Ok(&COMMANDS[0])
        }
        None if call.flags.is_empty() => {
            driver::print_error(help::overview());
            Err(wrong::USAGE)
        }
        None => Ok(&COMMANDS[0]),
    }
}

/// Is standard input a pipe or a file, which says something?
fn is_piped() -> bool {
    let input = std::io::stdin().as_fd().try_clone_to_owned();
    let kind = input.and_then(|fd| File::from(fd).metadata());
    kind.is_ok_and(|meta| {
        let kind = meta.file_type();
        kind.is_fifo() || kind.is_socket() || kind.is_file()
    })
}

/// Do the flags and words of a call agree with its command, and with one another?
fn agree(row: &Row, call: &Call) -> Result<(), i32> {
    for (flag, _) in &call.flags {
        if !row.flags().any(|f| f.name == flag.name) {
            return Err(wrong::flag_of_another(row, flag));
        }
    }
    let loops = ["each-line", "each-line-print"];
    let looping = loops.iter().find(|name| call.has(name));
    let flag = |name: &str| shown(row.flags().find(|f| f.name == name));
    if call.has("interactive") {
        if let Some(name) = looping {
            return Err(wrong(
                format_args!(
                    "{} reads standard input, which is the prompt's with -i",
                    flag(name)
                ),
                "Type one of the two.",
            ));
        }
        if let Some(word) = call.words.first() {
            return Err(wrong(
                format_args!("{word:?} cannot be run at the prompt by -i"),
                "Type gosched, and at the prompt :load FILE.",
            ));
        }
        return Ok(());
    }
    let is_stdin = call.words.first().is_some_and(|w| w == "-");
    if call.has("watch") && (call.has_code() || is_stdin) {
        return Err(wrong(
            "--watch needs files that can change",
            "Type it with a file or a folder, as in gosched --watch prog.go.",
        ));
    }
    if let (Some(name), false) = (looping, call.has_code()) {
        return Err(wrong(
            format_args!("{} runs code for each line, and there is none", flag(name)),
            "Type it behind -e, as in gosched -ne 'fmt.Println(len(line))'.",
        ));
    }
    if call.has("end") && looping.is_none() {
        return Err(wrong(
            "--end is for after the last line, and no lines are read",
            "Type -n or -N before -e to read them.",
        ));
    }
    let (trace, log) = (call.has("sched-trace"), call.has("sched-log"));
    let measures = call.has("latency") || call.has("latency-max");
    let only = call.has("sched-trace-only");
    let needed = [
        ("sched-trace-last", trace, "--sched-trace=FILE"),
        ("sched-trace-only", trace || log, "--sched-trace=FILE"),
    ];
    let needs = needed.iter().find(|(flag, has, _)| call.has(flag) && !has);
    if let Some((flag, _, other)) = needs {
        return Err(wrong(
            format_args!("--{flag} says what is kept of a trace, and none is written"),
            format_args!("Type it with {other}."),
        ));
    }
    let measures = measures || call.has("dot");
    if only && (measures || call.events().is_empty()) {
        return Err(wrong(
            match measures {
                true => "--latency, --latency-max and --dot need all events",
                false => "--sched-trace-only names no event",
            },
            "Leave out --sched-trace-only, or type the names of events behind it.",
        ));
    }
    let (least, most, wanted) = match row.words {
        Words::Program | Words::Files if call.has_code() => (0, usize::MAX, ""),
        Words::Program | Words::Files => (1, usize::MAX, help::FILES),
        Words::Shell => (1, 1, "bash, zsh or fish"),
        Words::Recording => (1, 1, "its file"),
        Words::Trace => (
            2,
            3,
            "check, queues, summary, timeline, graph, flame, why, view or convert, and the file",
        ),
        Words::Experiment => (0, 1, ""),
        Words::Test => (0, usize::MAX, ""),
        Words::Command => (0, 1, ""),
        Words::Nothing => (0, 0, ""),
    };
    if call.words.len() < least {
        let what = match row.words {
            Words::Shell => "the name of a shell",
            Words::Recording => "a recording",
            Words::Trace => "to know what to show, and a trace",
            _ => "a program",
        };
        return Err(wrong(
            format_args!("{} needs {what}", row.name),
            format_args!("Type gosched {} and then {wanted}.", row.name),
        ));
    }
    match call.words.get(most) {
        Some(word) => Err(wrong(
            format_args!("{word:?} is more than {} takes", row.name),
            format_args!("Type gosched {}{}.", row.name, help::words(row)),
        )),
        None => Ok(()),
    }
}

/// How a flag is called in messages.
fn shown(flag: Option<&Flag>) -> String {
    match flag {
        Some(Flag {
            letter: Some(c), ..
        }) => format!("-{c}"),
        Some(flag) => format!("--{}", flag.name),
        None => String::new(),
    }
}

/// The flags that may stand here: those of a command, and before there is one those of all.
pub(super) fn flags_of(row: Option<&'static Row>) -> impl Iterator<Item = &'static Flag> {
    let rows = match row {
        Some(row) => std::slice::from_ref(row),
        None => COMMANDS,
    };
    rows.iter().flat_map(Row::flags)
}

/// Takes the flag that `word` is, or the letters of which it consists; a value may be the next
/// word.
fn take_flags(
    row: Option<&'static Row>,
    word: &OsStr,
    words: &mut impl Iterator<Item = OsString>,
    call: &mut Call,
) -> Result<(), i32> {
    let text = word.to_string_lossy();
    if text.starts_with("--") {
        let mut parts = word.as_bytes()[2..].splitn(2, |&b| b == b'=');
        let mut part = || parts.next().map(OsStr::from_bytes);
        let (name, value) = (part().unwrap_or_default(), part());
        let Some(flag) = flags_of(row).find(|f| name == f.name) else {
            return Err(wrong::unknown_flag(row, &text));
        };
        return take_value(flag, value, words, call);
    }
    // Go's command takes each flag with one dash, too.
    let mut parts = word.as_bytes()[1..].splitn(2, |&b| b == b'=');
    let mut part = || parts.next().map(OsStr::from_bytes);
    let (name, value) = (part().unwrap_or_default(), part());
    let is_name = |f: &&Flag| f.name.len() > 1 && name == f.name;
    if let Some(flag) = flags_of(row).find(is_name) {
        return take_value(flag, value, words, call);
    }
    let compiles = row.is_none_or(|row| matches!(row.words, Words::Program | Words::Files));
    let known = go::flag(&name.to_string_lossy()).filter(|_| compiles);
    if let Some(flag) = known {
        let value = match value {
            None if flag.has_value => words.next().unwrap_or_default(),
            value => value.unwrap_or_default().into(),
        };
        return match flag.advice(&value.to_string_lossy()) {
            None => Ok(()),
            Some(advice) => {
                let who = row.map_or("gosched", |row| row.name);
                Err(wrong(
                    format_args!("{who} has no flag -{}", flag.name),
                    advice,
                ))
            }
        };
    }
    let mut rest = &word.as_bytes()[1..];
    while let [letter, tail @ ..] = rest {
        let Some(flag) = flags_of(row).find(|f| f.letter == Some(*letter as char)) else {
            return Err(wrong::unknown_flag(row, &text));
        };
        if flag.takes != Takes::Nothing {
            let value = (!tail.is_empty()).then(|| OsStr::from_bytes(tail));
            return take_value(flag, value, words, call);
        }
        take_value(flag, None, words, call)?;
        rest = tail;
    }
    Ok(())
}

/// Takes a flag with its value, which may be the next word.
fn take_value(
    flag: &'static Flag,
    value: Option<&OsStr>,
    words: &mut impl Iterator<Item = OsString>,
    call: &mut Call,
) -> Result<(), i32> {
    let name = shown(Some(flag));
    let value = match (flag.takes, value) {
        (Takes::Nothing, None) => OsString::new(),
        (Takes::Nothing, Some(value)) if value == "true" => OsString::new(),
        (Takes::Nothing, Some(value)) if value == "false" => return Ok(()),
        (Takes::Nothing, Some(_)) => {
            return Err(wrong(
                format_args!("--{} takes no value", flag.name),
                format_args!("Type {name} alone."),
            ));
        }
        (_, Some(value)) => value.into(),
        (takes, None) => match words.next() {
            Some(value) => value,
            None => {
                return Err(wrong(
                    format_args!("{name} needs a value"),
                    format_args!("Type {}.", help::head(flag, takes)),
                ));
            }
        },
    };
    if let Err(why) = values::check(flag.takes, &value.to_string_lossy()) {
        return Err(wrong(
            format_args!("invalid value {value:?} for {name}"),
            format_args!("Type {why}."),
        ));
    }
    call.flags.push((flag, value));
    Ok(())
}

fn is_flag(word: &str) -> bool {
    word.starts_with('-') && word != "-"
}

/// Is a word that is no command meant to be a file or a folder?
fn is_file(word: &str) -> bool {
    word == "-" || word.ends_with(".go") || word.contains('/') || Path::new(word).exists()
}

/// Can a word be the import path of a package?
fn is_import_path(word: &str) -> bool {
    let is_path = word.starts_with(['.', '/']) || word.ends_with(".go");
    word.contains('/') && !is_path
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
    if count.is_none_or(|n| n == 1) && is_import_path(&first.to_string_lossy()) && !path.exists() {
        let package = first.to_string_lossy().into_owned();
        return (Input::Package(package), words.split_off(1));
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

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<OsString> {
        text.split_whitespace().map(OsString::from).collect()
    }

    fn flags(call: &Call) -> Vec<(&str, &str)> {
        let pair = |(flag, value): &'_ (&'static Flag, OsString)| {
            let value: &'static str = Box::leak(value.to_str().unwrap().into());
            (flag.name, value)
        };
        call.flags.iter().map(pair).collect()
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
        let package = Input::Package("example.com/a/cmd".into());
        assert_eq!(
            split(words("example.com/a/cmd x"), Some(1)),
            (package, words("x"))
        );
    }

    #[test]
    fn flags_have_values_with_them_or_behind_them() {
        let line = "gosched --without=fifo --sched-log y run --without= --argv0 z a.go --without=w";
        let (row, call) = parse(words(line)).unwrap();
        assert_eq!(row.name, "run");
        let want = [
            ("without", "fifo"),
            ("sched-log", "y"),
            ("without", ""),
            ("argv0", "z"),
        ];
        assert_eq!(flags(&call), want);
        assert_eq!(call.words, words("a.go --without=w"));
        let (_, call) = parse(words("gosched check a.go --all-errors -- --func")).unwrap();
        assert_eq!(call.words, words("a.go --func"));
        assert!(call.has("all-errors"));
        for line in ["check --all-errors=yes a.go", "a.go --without", "--without"] {
            let status = parse(words(&format!("gosched {line}"))).err();
            let want = (line != "a.go --without").then_some(wrong::USAGE);
            assert_eq!(status, want, "{line}");
        }
    }

    #[test]
    fn letters_are_joined() {
        let call = |line| parse(words(line)).unwrap().1;
        assert_eq!(
            flags(&call("gosched -ne a -p b c -d")),
            [("each-line", ""), ("eval", "a"), ("print", "b")]
        );
        assert_eq!(flags(&call("gosched -px=1")), [("print", "x=1")]);
        assert_eq!(call("gosched -e a check").words, words("check"));
        assert_eq!(call("gosched -- -x.go").words, words("-x.go"));
        for line in ["-y", "-ny", "-en", "-error-format=jsn", "-n a.go", "-e"] {
            let status = parse(words(&format!("gosched {line}"))).err();
            let want = (line != "-en").then_some(wrong::USAGE);
            assert_eq!(status, want, "{line}");
        }
    }

    #[test]
    fn wrong_usage_is_2() {
        for line in [
            "run --lang=go1.28 x.go",
            "run",
            "--nonsense",
            "run --nonsense x.go",
            "chekc x.go",
        ] {
            let status = parse(words(&format!("gosched {line}"))).err();
            assert_eq!(status, Some(wrong::USAGE), "{line}");
        }
    }
}
