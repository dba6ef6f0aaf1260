//! Dialogues with `gosched repl --json`, in `tests/protocol`.
//!
//! `> ` stands before a request, whose reply is awaited; `>> ` before one whose reply is not; `? `
//! waits for a line that has this text in it. `< ` stands before what comes back. A last line
//! `// exit N` tells the status, if it is not 0. `UPDATE_EXPECT=1` writes the files anew.

mod support;

use regex::Regex;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{ChildStdout, Command, Stdio};

/// What is said and what comes back, as the file has it.
fn dialogue(text: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_gosched"))
        .args(["repl", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("gosched runs");
    let mut requests = child.stdin.take().expect("it is piped");
    let mut replies = BufReader::new(child.stdout.take().expect("it is piped"));
    let id = Regex::new(r#""id":("[^"]*"|\d+)"#).expect("it is one");
    let mut out = String::new();
    for line in text.lines() {
        let (kind, rest) = line.split_once(' ').unwrap_or((line, ""));
        if kind == "<" || kind == "//" {
            continue;
        }
        out += &format!("{line}\n");
        let awaited = match kind {
            "?" => rest.to_string(),
            _ => {
                writeln!(requests, "{rest}").expect("it reads");
                let id = id
                    .captures(rest)
                    .map_or("null".into(), |c| c[1].to_string());
                format!("{{\"id\":{id},")
            }
        };
        if kind != ">>" {
            listen(&mut replies, &awaited, &mut out);
        }
    }
    drop(requests);
    listen(&mut replies, "\n\n", &mut out);
    let status = child.wait().expect("it ends").code();
    if status != Some(0) {
        out += &format!("// exit {}\n", status.unwrap_or(-1));
    }
    out
}

/// Takes lines down until one has this text in it, or there are no more.
fn listen(replies: &mut BufReader<ChildStdout>, awaited: &str, out: &mut String) {
    const NUMBERS: [(&str, &str); 5] = [
        (r"goroutine \d+", "goroutine N"),
        (r#"\{"id":\d+,"state""#, r#"{"id":N,"state""#),
        (r"0x[0-9a-f]{6,}", "0xN"),
        (r"\+0x[0-9a-f]+", "+0xN"),
        (r"\bg\d+\b", "gN"),
    ];
    let numbers = NUMBERS.map(|(n, masked)| (Regex::new(n).expect("it is one"), masked));
    loop {
        let mut line = String::new();
        if replies.read_line(&mut line).expect("it is text") == 0 {
            return;
        }
        let has_come = line.contains(awaited);
        for (number, masked) in &numbers {
            line = number.replace_all(&line, *masked).into_owned();
        }
        join(out, &line);
        if has_come {
            return;
        }
    }
}

/// Adds a line. What was written at once may be told in parts, which are put together.
fn join(out: &mut String, line: &str) {
    let begin = out.trim_end().rfind('\n').map_or(0, |end| end + 1);
    let head = |line: &str| {
        let text = line.find("\"text\":\"")? + 8;
        line.starts_with("{\"event\":\"output\"")
            .then(|| line[..text].to_string())
    };
    let before = out[begin..].strip_prefix("< ").and_then(head);
    match head(line) {
        Some(head) if before.as_ref() == Some(&head) => {
            out.truncate(out.len() - "\"}\n".len());
            *out += &line[head.len()..];
        }
        _ => *out += &format!("< {line}"),
    }
}

#[test]
fn dialogues_are_as_recorded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/protocol");
    let files = support::files(&folder, "txt");
    assert!(files.len() >= 30, "{} dialogues", files.len());
    let mut wrong = String::new();
    for file in files {
        let expected = fs::read_to_string(&file).expect("it can be read");
        let got = dialogue(&expected);
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&file, &got).expect("it can be written");
        } else if got != expected {
            wrong += &format!("{}:\n{got}\n", file.display());
        }
    }
    assert!(wrong.is_empty(), "these are not as recorded:\n{wrong}");
}
