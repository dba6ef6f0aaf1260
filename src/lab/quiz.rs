//! `gosched lab --quiz`: asks what comes of an experiment, and then makes it.

use super::catalog::{RULES, Rule};
use super::{Folder, Run, fail, screen};
use crate::driver::print_output;
use std::io::BufRead;

/// The first riddle, what its program might print, and why it prints what it does.
const FIRST: &str = include_str!("../../examples/three.go");
const OUTPUTS: [&str; 3] = ["1 2 3", "3 2 1", "3 1 2"];
const WHY: &str = "\
Who is made goes to runnext, the place of who runs next, and pushes out who was there: 1 was
pushed out by 2, and 2 by 3. Those went to the ring, which gives what has been in it longest.
So 3 is first, from runnext; then 1 and 2, from the ring.
";

/// What was answered.
enum Answer {
    Choice(usize),
    /// The input has ended, or who answers wants to.
    End,
}

/// What became of a riddle.
enum Outcome {
    Right,
    Wrong,
    End,
    /// With this exit status.
    Failed(i32),
}

/// Asks about one rule, or about one after the other; the exit status.
pub(super) fn run(rule: Option<&Rule>, input: &mut dyn BufRead) -> i32 {
    let (mut right, mut asked) = (0, 0);
    let mut ask = |outcome| {
        match outcome {
            Outcome::Right => right += 1,
            Outcome::Wrong => {}
            Outcome::End => return Some(0),
            Outcome::Failed(status) => return Some(status),
        }
        asked += 1;
        None
    };
    let status = match rule {
        Some(rule) => ask(of_rule(rule, input)),
        None => ask(first(input)).or_else(|| RULES.iter().find_map(|r| ask(of_rule(r, input)))),
    };
    match status {
        Some(status) if status != 0 => status,
        _ => print_output(format_args!("{right} of {asked} right.\n")),
    }
}

/// Shows the choices until one is taken.
fn choose(choices: &[&str], input: &mut dyn BufRead) -> Answer {
    let letters = ('a'..='z').zip(choices);
    for (letter, choice) in letters.clone() {
        print_output(format_args!("  {letter}  {choice}\n"));
    }
    loop {
        print_output("> ");
        let mut line = String::new();
        match input.read_line(&mut line) {
            Ok(n) if n > 0 => {}
            _ => {
                print_output("\n");
                return Answer::End;
            }
        }
        let line = line.trim().to_lowercase();
        if line == "q" {
            return Answer::End;
        }
        let is_it =
            |(letter, choice): (char, &&str)| line == letter.to_string() || line == **choice;
        match letters.clone().position(is_it) {
            Some(i) => return Answer::Choice(i),
            None => print_output("Type the letter of one of these, or q to end.\n"),
        };
    }
}

/// Tells whether it was the right one.
fn judge(answer: usize, right: Option<usize>) -> Outcome {
    match right == Some(answer) {
        true => {
            print_output("\nRight.\n\n");
            Outcome::Right
        }
        false => {
            print_output("\nNo.\n\n");
            Outcome::Wrong
        }
    }
}

fn first(input: &mut dyn BufRead) -> Outcome {
    print_output(format_args!("{FIRST}\nIt prints:\n"));
    let Answer::Choice(answer) = choose(&OUTPUTS, input) else {
        return Outcome::End;
    };
    let made = Folder::new().and_then(|folder| {
        let file = folder.0.join("three.go");
        std::fs::write(&file, FIRST).map_err(|e| e.to_string())?;
        Run::new(&file, 0, &[], false)
    });
    let run = match made {
        Ok(run) => run,
        Err(why) => return Outcome::Failed(fail("three", &why)),
    };
    let printed = run.output.trim();
    let outcome = judge(answer, OUTPUTS.iter().position(|o| *o == printed));
    print_output(format_args!("It has printed: {printed}\n{WHY}\n"));
    outcome
}

fn of_rule(rule: &Rule, input: &mut dyn BufRead) -> Outcome {
    print_output(format_args!(
        "{} {}: {}\n\n",
        rule.id, rule.name, rule.about
    ));
    let is_comment = |line: &&str| line.starts_with("//");
    for line in rule.source.lines().take_while(is_comment) {
        print_output(format_args!("{}\n", line.trim_start_matches("//").trim()));
    }
    let with = screen::limit(rule.with);
    let without = screen::limit(rule.without);
    print_output(format_args!(
        "\nWith it: {with} {}. Without {}:\n",
        rule.unit,
        rule.off.join(" and ")
    ));
    // Not always in the same place.
    let is_first = rule.name.len().is_multiple_of(2);
    let same = "the same";
    let choices = if is_first {
        [&without, same]
    } else {
        [same, &without]
    };
    let Answer::Choice(answer) = choose(&choices, input) else {
        return Outcome::End;
    };
    let shown = match rule.judge() {
        Ok(shown) => shown,
        Err(why) => return Outcome::Failed(fail(rule.name, &why)),
    };
    let [with, without] = shown.figures;
    let differs = rule.without.holds(without, with);
    let outcome = judge(answer, Some(usize::from(differs != is_first)));
    print_output(screen::rule(rule, &shown));
    print_output("\n");
    outcome
}
