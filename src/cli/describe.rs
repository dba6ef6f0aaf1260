//! What the tables of commands and flags become for shells and `man`, and who we are.

use super::call::Call;
use super::help::{ENVIRONMENT, EXAMPLES, STATUSES, head, value_name, words};
use super::{COMMANDS, Flag, Row, Takes, Words, wrong};
use crate::driver::{self, GO_VERSION, VERSION};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ValueHint};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

/// The program's name.
const NAME: &str = "gosched";

/// The commit that this was built from, if that was known, and the target it was built for.
const COMMIT: &str = env!("GOSCHED_COMMIT");
const TARGET: &str = env!("GOSCHED_TARGET");

/// `gosched version`.
pub(super) fn version(call: &Call) -> i32 {
    if !call.has("json") {
        return driver::print_output(format_args!("{NAME} {VERSION} ({GO_VERSION})\n"));
    }
    let version = serde_json::json!({
        "version": VERSION,
        "commit": (!COMMIT.is_empty()).then_some(COMMIT),
        "go": GO_VERSION,
        "target": TARGET,
    });
    driver::print_output(format_args!("{version}\n"))
}

/// `gosched licenses`: ours, then those of what the program carries.
pub(super) fn licenses() -> i32 {
    let ours = include_str!("../../LICENSE").trim_end();
    let others = include_str!("../../NOTICE").trim_end();
    let line = "-".repeat(80);
    driver::print_output(format_args!("{ours}\n\n{line}\n{others}\n"))
}

/// `gosched completions SHELL`.
pub(super) fn completions(call: &Call) -> i32 {
    let name = call.words.first().map(|w| w.to_string_lossy());
    let name = name.unwrap_or_default();
    let shell = match &*name {
        "bash" => Shell::Bash,
        "zsh" => Shell::Zsh,
        "fish" => Shell::Fish,
        _ => return wrong::shell(&name),
    };
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command(), NAME, &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    driver::print_output(match shell {
        Shell::Bash => with_equals_signs(&script),
        _ => script,
    })
}

/// Bash divides `--flag=value` into three words: has the flag be the word before the value.
fn with_equals_signs(script: &str) -> String {
    let mending = "    \
    if [[ \"${cur}\" == \"=\" ]]; then
        cur=\"\"
    elif [[ \"${prev}\" == \"=\" ]]; then
        prev=\"${COMP_WORDS[COMP_CWORD-2]}\"
    fi
";
    let before = "    cmd=\"\"\n";
    script.replacen(before, &format!("{mending}{before}"), 1)
}

/// `gosched man`.
pub(super) fn man() -> i32 {
    driver::print_output(page().unwrap_or_default())
}

/// The manual page.
fn page() -> std::io::Result<String> {
    let man = Man::new(command());
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    let mut roff = Roff::new();
    roff.control("SH", ["SYNOPSIS"]);
    roff.text([bold(NAME), roman(" [flags] file.go [arguments]")]);
    roff.control("br", []);
    roff.text([bold(NAME), roman(" [flags] command …")]);
    roff.control("SH", ["EXAMPLES"]);
    rows(&mut roff, EXAMPLES.iter().map(|&(a, b)| (a.into(), b)));
    roff.control("SH", ["COMMANDS"]);
    rows(
        &mut roff,
        COMMANDS.iter().map(|row| (row.name.into(), row.about)),
    );
    for row in COMMANDS {
        let title = format!("{NAME} {}{}", row.name, words(row));
        roff.control("SH", [title.as_str()]);
        let shown = row.flags().filter(|f| !f.is_hidden);
        rows(&mut roff, shown.map(|f| (head(f, f.takes), f.help)));
    }
    roff.control("SH", ["ENVIRONMENT"]);
    rows(&mut roff, ENVIRONMENT.iter().map(|&(a, b)| (a.into(), b)));
    roff.control("SH", ["EXIT STATUS"]);
    rows(&mut roff, STATUSES.iter().map(|&(a, b)| (a.into(), b)));
    roff.to_writer(&mut page)?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}

/// Rows of a head and what is said of it.
fn rows(roff: &mut Roff, rows: impl Iterator<Item = (String, &'static str)>) {
    for (head, about) in rows {
        roff.control("TP", []);
        roff.text([bold(head)]);
        roff.text([roman(about)]);
    }
}

/// The command line as clap describes it.
fn command() -> clap::Command {
    let bare = clap::Command::new(NAME)
        .version(VERSION)
        .about("Runs Go programs from source, without a Go toolchain")
        .args(COMMANDS[0].flags().filter(|f| !f.is_hidden).map(arg))
        .arg(operands(&COMMANDS[0]))
        .disable_help_subcommand(true);
    bare.subcommands(COMMANDS.iter().map(|row| {
        clap::Command::new(row.name)
            .about(row.about)
            .args(row.flags().filter(|f| !f.is_hidden).map(arg))
            .args((row.words != Words::Nothing).then(|| operands(row)))
    }))
}

/// What a command takes besides flags.
fn operands(row: &Row) -> Arg {
    let arg = Arg::new("words").num_args(0..);
    match row.words {
        Words::Program | Words::Files | Words::Test => arg.value_hint(ValueHint::AnyPath),
        Words::Recording | Words::Trace | Words::Experiment => arg.value_hint(ValueHint::FilePath),
        Words::Command => arg.value_parser(PossibleValuesParser::new(
            COMMANDS.iter().map(|row| row.name),
        )),
        Words::Shell => arg.value_parser(PossibleValuesParser::new(["bash", "zsh", "fish"])),
        Words::Nothing => arg,
    }
}

fn arg(flag: &Flag) -> Arg {
    let arg = Arg::new(flag.name).long(flag.name).help(flag.help);
    let arg = match flag.letter {
        Some(letter) => arg.short(letter),
        None => arg,
    };
    if flag.takes == Takes::Nothing {
        return arg.action(ArgAction::SetTrue);
    }
    let arg = arg.value_name(value_name(flag.takes)).num_args(1);
    match flag.takes {
        Takes::OneOf(all) => {
            let names = all.iter().map(|one| one.trim_end_matches("[:N]"));
            arg.value_parser(PossibleValuesParser::new(names))
        }
        Takes::Mechanisms => {
            let known = gosched_runtime::switches::ALL.iter().map(|m| m.1);
            arg.value_delimiter(',')
                .value_parser(PossibleValuesParser::new(known))
        }
        Takes::File => arg.value_hint(ValueHint::FilePath),
        _ => arg.value_hint(ValueHint::Other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_description_agrees_with_itself() {
        command().debug_assert();
    }
}
