//! Tells why a program was refused: as Go does, for people at a terminal, or as JSON.

use super::{ErrorFormat, Options, Refused, print_error, print_output};
use crate::colors;
use serde::Serialize;
use source::Pos;
use syntax::diagnostics::render::{SHOWN, Style, end_of_token, place, render};
use syntax::diagnostics::{Diagnostic, Diagnostics, Kind};

/// An error as JSON. Its schema is examples/errors.schema.json.
#[derive(Serialize)]
struct Object<'d> {
    #[serde(flatten)]
    place: Option<Place>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<Spot>,
    /// In bytes from the beginning of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<u32>,
    message: &'d str,
    kind: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related: Vec<Related<'d>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'d str>,
}

#[derive(Serialize)]
struct Place {
    file: String,
    line: u32,
    /// In bytes, from 1; left out where Go's line has none.
    #[serde(skip_serializing_if = "is_zero")]
    column: u32,
}

/// The first place behind what is wrong.
#[derive(Serialize)]
struct Spot {
    line: u32,
    column: u32,
    offset: u32,
}

/// A place that a message mentions.
#[derive(Serialize)]
struct Related<'d> {
    #[serde(flatten)]
    place: Place,
    message: &'d str,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_zero(n: &u32) -> bool {
    *n == 0
}

/// As [`report`], with the options that there are without a command line.
pub(crate) fn report_refused(why: Refused) -> i32 {
    report(why, &Options::default())
}

/// Says why a program was refused; the exit status.
pub(super) fn report(why: Refused, options: &Options) -> i32 {
    let status = match why {
        Refused::Fatal(_) => 2,
        _ => 1,
    };
    for text in texts(why, options) {
        say(text, options);
    }
    status
}

/// Writes errors where they belong.
pub(super) fn say(text: String, options: &Options) {
    match options.is_asked_for_errors {
        true => _ = print_output(text),
        false => print_error(text),
    }
}

/// What to say of a refused program, in parts that make sense alone.
pub(super) fn texts(why: Refused, options: &Options) -> Vec<String> {
    let terminal = colors::on(&std::io::stderr());
    let format = match options.errors {
        _ if options.is_asked_for_errors => ErrorFormat::Json,
        ErrorFormat::Usual if terminal.is_terminal => ErrorFormat::Pretty,
        ErrorFormat::Usual => ErrorFormat::Go,
        format => format,
    };
    let is_json = format == ErrorFormat::Json;
    match why {
        Refused::Fatal(text) => vec![format!("fatal error: {text}\n")],
        Refused::Message(text) if is_json => {
            let kind = match text.contains("unsupported: ") {
                true => "unsupported",
                false => "input",
            };
            vec![line(&Object {
                place: None,
                end: None,
                offset: None,
                message: &text,
                kind,
                related: Vec::new(),
                help: None,
            })]
        }
        Refused::Message(text) => {
            let told = with_go(&text).filter(|_| format == ErrorFormat::Pretty);
            vec![format!("gosched: {}\n", told.unwrap_or(text))]
        }
        Refused::Errors(list) if is_json => json(list, options.all_errors),
        Refused::Errors(mut list) => {
            if format == ErrorFormat::Pretty {
                list.reword(|d| with_go(&d.message).or_else(|| of_bare(&d.message)));
            }
            let style = Style {
                carets: format == ErrorFormat::Pretty,
                colors: terminal.colors,
                all: options.all_errors,
            };
            vec![render(list, style)]
        }
    }
}

/// A message that tells people to use Go's command, with what somebody who has none must know.
fn with_go(message: &str) -> Option<String> {
    let commands = ["get", "mod download", "mod tidy", "mod vendor", "work use"];
    let names_one = commands
        .iter()
        .any(|command| message.contains(&format!("\tgo {command}")));
    names_one.then(|| {
        format!("{message}\n\t(gosched fetches no modules: the go command is of https://go.dev/dl)")
    })
}

/// What is said of a file without a package clause, with what to do if it is not missing.
fn of_bare(message: &str) -> Option<String> {
    (message == "syntax error: package statement must be first").then(|| {
        format!(
            "{message}\n\t(a program begins with: package main; statements alone are run by \
             gosched < FILE)"
        )
    })
}

/// A line of JSON for each error.
fn json(list: Diagnostics, all: bool) -> Vec<String> {
    let (list, _) = list.shown(if all { usize::MAX } else { SHOWN });
    list.iter().map(|d| line(&object(d))).collect()
}

fn line(object: &Object) -> String {
    // Strings and numbers can always be written.
    let text = serde_json::to_string(object).unwrap_or_default();
    text + "\n"
}

fn object(d: &Diagnostic) -> Object<'_> {
    let end = end_of_token(d.pos);
    let at = place(d.pos);
    let after = source::map().position(end);
    Object {
        place: Some(Place {
            file: at.file,
            line: at.line,
            column: at.column,
        }),
        end: offset(end).map(|offset| Spot {
            line: after.line,
            column: after.column,
            offset,
        }),
        offset: offset(d.pos),
        message: &d.message,
        kind: match d.kind() {
            Kind::Syntax => "syntax",
            Kind::Type => "type",
            Kind::Unsupported => "unsupported",
            Kind::Unused => "unused",
        },
        related: d.message.lines().filter_map(related).collect(),
        help: d.help.as_deref(),
    }
}

/// Where a place is in its file, in bytes.
fn offset(pos: Pos) -> Option<u32> {
    Some(pos.0 - source::map().file(pos)?.base)
}

/// The place that a line of a message is about: Go begins such lines with it, behind a tab.
fn related(line: &str) -> Option<Related<'_>> {
    let (at, message) = line.strip_prefix('\t')?.split_once(": ")?;
    let mut parts = at.rsplitn(3, ':');
    let (column, line, file) = (parts.next()?, parts.next()?, parts.next()?);
    let place = Place {
        file: file.to_string(),
        line: line.parse().ok()?,
        column: column.parse().ok()?,
    };
    Some(Related { place, message })
}
