//! `gosched lab`: what the scheduler does, with each of its rules and without it.
//!
//! A rule has a small program, and a figure that shows what becomes of it when the mechanism is
//! switched off. Both runs are children, whose traces give the pictures, and the figures that a
//! program cannot see itself.

mod catalog;
mod figures;
mod page;
mod quiz;
mod screen;

use crate::driver::{print_error, print_output};
use crate::traces;
use catalog::{Figure, Limit, RULES, Rule};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use syntax::diagnostics::near::nearest;
use trace::read::Trace;

/// A run that takes so long is ended: it never comes to an end.
const LIMIT: Duration = Duration::from_secs(5);
/// On a busy machine a figure may be bad by chance: so many tries.
const TRIES: usize = 3;
/// The exit status when a figure is not what it is to be.
const BAD: i32 = 1;

/// What is asked for.
#[derive(Debug)]
pub(crate) struct Asked {
    /// The name of a rule, or a program; `None`: all rules are listed.
    pub(crate) what: Option<OsString>,
    /// What to switch off for the second run of a program.
    pub(crate) without: Option<String>,
    /// All rules are judged.
    pub(crate) all: bool,
    pub(crate) json: bool,
    /// Asks for the outcome first.
    pub(crate) quiz: bool,
    /// The file that gets both runs as a page.
    pub(crate) html: Option<PathBuf>,
}

/// Does it; the exit status.
pub(crate) fn run(asked: &Asked) -> i32 {
    if asked.all {
        return judge_all(asked.json);
    }
    let mut input = std::io::stdin().lock();
    let Some(what) = &asked.what else {
        return match asked.quiz {
            true => quiz::run(None, &mut input),
            false => list(asked.json),
        };
    };
    let name = what.to_string_lossy().replace('_', "-");
    if let Some(rule) = RULES.iter().find(|r| r.name == name || r.id == name) {
        return match asked.quiz {
            true => quiz::run(Some(rule), &mut input),
            false => show(rule, asked),
        };
    }
    if asked.quiz || !name.ends_with(".go") && !Path::new(what).is_dir() {
        print_error(format_args!(
            "gosched: lab: there is no experiment {what:?}{}\n",
            near(&name)
        ));
        return 2;
    }
    compare(Path::new(what), asked)
}

fn near(name: &str) -> String {
    match nearest(name, RULES.iter().map(|r| r.name)) {
        Some(near) => format!("; there is {near}"),
        None => "; gosched lab lists them".into(),
    }
}

fn list(as_json: bool) -> i32 {
    if as_json {
        let all: Vec<Value> = RULES.iter().map(Rule::json).collect();
        return print_output(format_args!("{}\n", Value::from(all)));
    }
    let width = RULES.iter().map(|r| r.name.len()).max().unwrap_or(0);
    let mut text = String::from("Experiments with the scheduler: gosched lab NAME runs one\n\n");
    for r in RULES {
        text += &format!("  {:width$}  {}\n", r.name, r.about);
    }
    text += "\nAny program: gosched lab prog.go --without=MECH. All of them: gosched lab --all.\n";
    print_output(text)
}

/// What one run has shown.
#[derive(Debug, Default)]
struct Run {
    /// What it printed.
    output: String,
    /// It was ended after [`LIMIT`].
    is_endless: bool,
    /// Its exit status, if it is not 0 and it was not ended.
    failed: Option<String>,
    took: Duration,
    trace: Option<Trace>,
}

impl Run {
    /// Runs `program` on so many Ps; 0: as many as usual.
    fn new(program: &Path, procs: u32, off: &[&str], is_traced: bool) -> Result<Run, String> {
        let folder = Folder::new()?;
        let file = folder.0.join("run.trace");
        let exe = std::env::current_exe().map_err(|e| e.to_string())?;
        let mut command = Command::new(exe);
        let mut flag = OsString::from("--sched-trace=");
        flag.push(&file);
        command
            .arg("run")
            .args(is_traced.then_some(flag))
            .arg(program);
        command.env("GOSCHED_WITHOUT", off.join(","));
        if procs != 0 {
            command.env("GOMAXPROCS", procs.to_string());
        }
        let output = folder.0.join("output");
        let to = std::fs::File::create(&output).map_err(|e| e.to_string())?;
        let errors = to.try_clone().map_err(|e| e.to_string())?;
        command.stdin(Stdio::null()).stdout(to).stderr(errors);
        let began = Instant::now();
        let mut child = command.spawn().map_err(|e| e.to_string())?;
        let status = loop {
            match child.try_wait().map_err(|e| e.to_string())? {
                Some(status) => break Some(status),
                None if began.elapsed() > LIMIT => {
                    drop(child.kill());
                    drop(child.wait());
                    break None;
                }
                None => std::thread::sleep(Duration::from_millis(2)),
            }
        };
        let took = began.elapsed();
        let output = std::fs::read(&output).map_err(|e| e.to_string())?;
        let failed = status.filter(|s| !s.success()).map(|s| s.to_string());
        let bytes = std::fs::read(&file).unwrap_or_default();
        Ok(Run {
            output: String::from_utf8_lossy(&output).into_owned(),
            is_endless: status.is_none(),
            failed,
            took,
            trace: Trace::from_bytes(&bytes).ok(),
        })
    }

    /// The figure; `None` is never.
    fn figure(&self, figure: Figure) -> Result<Option<i64>, String> {
        if let Some(status) = &self.failed {
            return Err(format!("the program ended with {status}:\n{}", self.output));
        }
        match figure {
            Figure::Printed(_) | Figure::Untraced(_) if self.is_endless => Ok(None),
            Figure::Printed(k) | Figure::Untraced(k) => {
                let mut numbers = self
                    .output
                    .split_whitespace()
                    .filter_map(|w| w.parse().ok());
                let n: Option<i64> = numbers.nth(k);
                let n = n.ok_or_else(|| format!("the program printed {:?}", self.output))?;
                Ok((n >= 0).then_some(n))
            }
            Figure::Counted(count) => {
                let trace = self.trace.as_ref();
                Ok(count(trace.ok_or("the program has left no trace")?))
            }
        }
    }
}

/// A folder that goes with it, in memory where that can be had.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Folder, String> {
        let memory = PathBuf::from("/dev/shm");
        let parent = match memory.is_dir() {
            true => memory,
            false => std::env::temp_dir(),
        };
        let made = (0..1000).find_map(|n| {
            let folder = parent.join(format!("gosched-lab-{}-{n}", std::process::id()));
            std::fs::create_dir(&folder).ok().map(|()| folder)
        });
        made.map(Folder)
            .ok_or_else(|| format!("no folder can be made in {}", parent.display()))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

/// Both runs of a rule.
struct Shown {
    with: Run,
    without: Run,
    figures: [Option<i64>; 2],
}

impl Limit {
    /// Is `figure` what it is to be, beside the `other` of the run with the rule?
    fn holds(self, figure: Option<i64>, other: Option<i64>) -> bool {
        match (self, figure) {
            (Limit::Never, _) => figure.is_none(),
            (Limit::Any, _) => figure.is_some(),
            (Limit::AtLeast(n), Some(f)) => f >= n,
            (Limit::AtMost(n), Some(f)) => f <= n,
            (Limit::Between(a, b), Some(f)) => (a..=b).contains(&f),
            (Limit::Times(n), Some(f)) => other.is_some_and(|o| f >= n * o.max(1)),
            (Limit::OneIn(n), Some(f)) => other.is_some_and(|o| o >= n * f),
            (Limit::Times(_), None) => other.is_some(),
            (_, None) => false,
        }
    }
}

impl Rule {
    fn run(&self) -> Result<Shown, String> {
        let folder = Folder::new()?;
        let file = folder.0.join(self.file);
        std::fs::write(&file, self.source).map_err(|e| e.to_string())?;
        let is_traced = !matches!(self.figure, Figure::Untraced(_));
        let with = Run::new(&file, self.procs, self.always, is_traced)?;
        let off = [self.always, self.off].concat();
        let without = Run::new(&file, self.procs, &off, is_traced)?;
        let figures = [with.figure(self.figure)?, without.figure(self.figure)?];
        Ok(Shown {
            with,
            without,
            figures,
        })
    }

    /// Runs it until both figures are what they are to be, or there have been enough tries.
    fn judge(&self) -> Result<Shown, String> {
        let mut shown = self.run()?;
        for _ in 1..TRIES {
            if self.verdicts(&shown) == [true; 2] {
                break;
            }
            shown = self.run()?;
        }
        Ok(shown)
    }

    fn verdicts(&self, shown: &Shown) -> [bool; 2] {
        let [with, without] = shown.figures;
        [
            self.with.holds(with, None),
            self.without.holds(without, with),
        ]
    }

    fn json(&self) -> Value {
        json!({
            "rule": self.id,
            "name": self.name,
            "about": self.about,
            "procs": self.procs,
            "off": self.off,
            "off_in_both": self.always,
            "figure": self.unit,
            "limit": screen::limit(self.with),
            "limit_without": screen::limit(self.without),
        })
    }

    /// With figures and verdicts.
    fn judged(&self, shown: &Shown) -> Value {
        let [with, without] = self.verdicts(shown);
        let mut all = self.json();
        all["with"] = json!({ "figure": shown.figures[0], "good": with });
        all["without"] = json!({ "figure": shown.figures[1], "good": without });
        all["good"] = Value::from(with && without);
        all
    }
}

/// Says why an experiment could not be made.
fn fail(name: &str, why: &str) -> i32 {
    print_error(format_args!("gosched: lab: {name}: {}\n", why.trim_end()));
    2
}

fn show(rule: &Rule, asked: &Asked) -> i32 {
    let shown = match rule.judge() {
        Ok(shown) => shown,
        Err(why) => return fail(rule.name, &why),
    };
    let told = match &asked.html {
        Some(to) => traces::write_page(&page::rule(rule, &shown), to),
        None if asked.json => print_output(format_args!("{}\n", rule.judged(&shown))),
        None => print_output(screen::rule(rule, &shown)),
    };
    match rule.verdicts(&shown) {
        [true, true] => told,
        _ => BAD,
    }
}

fn judge_all(as_json: bool) -> i32 {
    let (mut all, mut status) = (Vec::new(), 0);
    for rule in RULES {
        let shown = match rule.judge() {
            Ok(shown) => shown,
            Err(why) => return fail(rule.name, &why),
        };
        if rule.verdicts(&shown) != [true; 2] {
            status = BAD;
        }
        if as_json {
            all.push(rule.judged(&shown));
        } else if print_output(screen::line(rule, &shown)) != 0 {
            return BAD;
        }
    }
    if as_json {
        print_output(format_args!("{}\n", Value::from(all)));
    }
    status
}

/// Runs any program with and without some mechanisms.
fn compare(program: &Path, asked: &Asked) -> i32 {
    let Some(without) = &asked.without else {
        print_error(format_args!(
            "gosched: lab: what is to be switched off? --without=MECH says it\n"
        ));
        return 2;
    };
    let off: Vec<&str> = without.split(',').collect();
    let runs = Run::new(program, 0, &[], true);
    let runs = runs.and_then(|a| Ok([a, Run::new(program, 0, &off, true)?]));
    match runs {
        // It cannot be compiled, or is not there.
        Ok(
            [
                Run {
                    failed: Some(_),
                    trace: None,
                    output,
                    ..
                },
                _,
            ],
        ) => {
            print_error(format_args!("{output}"));
            BAD
        }
        Ok(runs) if asked.html.is_some() => {
            let page = page::runs(program, &runs, without);
            let to = asked.html.iter();
            to.map(|to| traces::write_page(&page, to)).sum()
        }
        Ok(runs) if asked.json => {
            print_output(format_args!("{}\n", screen::runs_json(&runs, &off)))
        }
        Ok(runs) => print_output(screen::runs(program, &runs, without)),
        Err(why) => fail(&program.display().to_string(), &why),
    }
}
