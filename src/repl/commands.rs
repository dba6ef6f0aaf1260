//! Commands: lines that begin with a colon.
//!
//! A new command is a row of [`COMMANDS`] and a function.

use super::front::Front;
use super::{save, screen, watch};
use std::fmt::Write;
use std::io::IsTerminal;
use std::path::Path;
use std::process::Command as Process;
use std::time::{Duration, Instant};
use vm::prompt::{self, Info};

/// What came of a command: the exit status if the session ended here, and what to print.
pub(super) enum Outcome {
    Said(String),
    Wrong(String),
    /// An input that the command has run.
    Ran(i32),
    Quit,
}

use Outcome::{Quit, Ran, Said, Wrong};

struct Command {
    name: &'static str,
    /// What it wants behind its name, as help shows it; empty: nothing.
    argument: &'static str,
    about: &'static str,
    act: fn(&mut Front, &str) -> Outcome,
}

const COMMANDS: &[Command] = &[
    Command {
        name: "help",
        argument: "",
        about: "this list",
        act: |_, _| Said(help()),
    },
    Command {
        name: "type",
        argument: "EXPR",
        about: "the type of an expression, which is not evaluated",
        act: |front, text| match front.session.borrow_mut().type_of(text) {
            Ok(text) => Said(text + "\n"),
            Err(why) => Wrong(why.to_string()),
        },
    },
    Command {
        name: "info",
        argument: "NAME",
        about: "what a name means, and the methods of a type",
        act: |front, text| match front.session.borrow_mut().info(text) {
            Some(text) => Said(text),
            None => Wrong(format!("nothing is called {text}\n")),
        },
    },
    Command {
        name: "doc",
        argument: "NAME",
        about: "the same, with the comment above it, or where there is one",
        act: |front, text| match front.session.borrow_mut().doc(text) {
            Some(text) => Said(text),
            None => Wrong(format!("nothing is called {text}\n")),
        },
    },
    Command {
        name: "vars",
        argument: "",
        about: "the variables and constants",
        act: |front, _| Said(front.session.borrow().variables()),
    },
    Command {
        name: "funcs",
        argument: "",
        about: "the functions",
        act: |front, _| Said(front.session.borrow().functions()),
    },
    Command {
        name: "types",
        argument: "",
        about: "the types, with their methods",
        act: |front, _| Said(front.session.borrow().types()),
    },
    Command {
        name: "imports",
        argument: "",
        about: "the imported packages",
        act: |front, _| Said(front.session.borrow().imports()),
    },
    Command {
        name: "go",
        argument: "[N]",
        about: "the goroutines, or the stack of one",
        act: goroutines,
    },
    Command {
        name: "who",
        argument: "X",
        about: "who waits on a channel or lock, holds it, and can reach it",
        act: who,
    },
    Command {
        name: "kill",
        argument: "N",
        about: "ends a goroutine as runtime.Goexit does",
        act: |_, number| on_goroutine(number, prompt::kill),
    },
    Command {
        name: "hold",
        argument: "[N]",
        about: "holds a goroutine at its next safepoint, or all",
        act: |_, number| match number {
            "" => {
                prompt::pause();
                Said(String::new())
            }
            number => on_goroutine(number, prompt::hold),
        },
    },
    Command {
        name: "run",
        argument: "[N]",
        about: "lets a held goroutine go on, or all",
        act: |_, number| match number {
            "" => {
                prompt::resume();
                Said(String::new())
            }
            number => on_goroutine(number, prompt::release),
        },
    },
    Command {
        name: "step",
        argument: "[N]",
        about: "holds all, and lets the scheduler choose once, or N times",
        act: step,
    },
    Command {
        name: "trace",
        argument: "on|off",
        about: "shows what the scheduler chooses while it goes on",
        act: |_, text| match text {
            "on" | "off" => {
                watch::trace(text == "on");
                Said(String::new())
            }
            _ => Wrong(":trace needs on or off\n".into()),
        },
    },
    Command {
        name: "bg",
        argument: "[INPUT]",
        about: "runs an input in the background, or leaves it there; `it` gets a channel",
        act: background,
    },
    Command {
        name: "without",
        argument: "MECH",
        about: "switches a mechanism of the scheduler off",
        act: |_, name| switch(name, false),
    },
    Command {
        name: "with",
        argument: "MECH",
        about: "switches it on again",
        act: |_, name| switch(name, true),
    },
    Command {
        name: "sched",
        argument: "[watch|detail]",
        about: "what the scheduler holds",
        act: sched,
    },
    Command {
        name: "gomaxprocs",
        argument: "[N]",
        about: "how many goroutines run at once; sets it to N",
        act: gomaxprocs,
    },
    Command {
        name: "gc",
        argument: "",
        about: "collects garbage",
        act: |_, _| Said(format!("// {:.3?}\n", prompt::collect())),
    },
    Command {
        name: "mem",
        argument: "",
        about: "what the heap, the stacks and the collector take",
        act: |_, _| Said(memory()),
    },
    Command {
        name: "time",
        argument: "INPUT",
        about: "runs an input and says how long that took",
        act: |front, text| {
            let begin = Instant::now();
            let status = front.input(format!("{text}\n").into_bytes());
            super::front::say(&format!("// {:.3?}\n", begin.elapsed()));
            Ran(status)
        },
    },
    Command {
        name: "disasm",
        argument: "NAME",
        about: "the bytecode of a function or method that has been typed",
        act: |_, text| match disassembled(text) {
            Some(text) => Said(text),
            None => Wrong(format!("no function is called {text}\n")),
        },
    },
    Command {
        name: "load",
        argument: "FILE",
        about: "runs a file's text as one input",
        act: |front, path| match std::fs::read(path) {
            Ok(text) => {
                front.place = (path.to_string(), 1);
                Ran(front.input(text))
            }
            Err(e) => Wrong(crate::loader::message("open", path.as_ref(), &e) + "\n"),
        },
    },
    Command {
        name: "save",
        argument: "FILE",
        about: "writes the session as a program that Go compiles",
        act: |front, path| save(&front.session.borrow().program(), path.as_ref()),
    },
    Command {
        name: "edit",
        argument: "[NAME]",
        about: "has $EDITOR change the last input, or the one that declared NAME, and runs it",
        act: edit,
    },
    Command {
        name: "undo",
        argument: "",
        about: "takes back what the last input has declared; values stay as they are",
        act: |front, _| match front.session.borrow_mut().undo() {
            true => Said(String::new()),
            false => Wrong("nothing is left to be taken back\n".into()),
        },
    },
    Command {
        name: "reset",
        argument: "",
        about: "takes back all that has been declared; goroutines run on",
        act: |front, _| {
            front.session.borrow_mut().reset();
            Said(String::new())
        },
    },
    Command {
        name: "quit",
        argument: "",
        about: "ends the session",
        act: |_, _| Quit,
    },
];

/// Is the input a command?
pub(super) fn is_command(text: &str) -> bool {
    text.trim_start().starts_with(':')
}

/// The commands that the text may be the beginning of, and where in it they begin; `None` if it is
/// no command, or has one already.
pub(super) fn complete(text: &str) -> Option<(usize, Vec<String>)> {
    let name = text.strip_prefix(':')?;
    if let Some((command, argument)) = name.split_once(' ') {
        let at = text.len() - argument.len();
        return match command {
            "lo" | "loa" | "load" | "sa" | "sav" | "save" => Some(files(at, argument)),
            "with" | "without" => {
                let all = gosched_runtime::switches::ALL.iter().map(|m| m.1);
                let fits = all.filter(|name| name.starts_with(argument));
                Some((at, fits.map(String::from).collect()))
            }
            _ => None,
        };
    }
    let fits = COMMANDS.iter().filter(|c| c.name.starts_with(name));
    let with_blank = |c: &Command| match c.argument {
        "" => c.name.to_string(),
        _ => format!("{} ", c.name),
    };
    Some((1, fits.map(with_blank).collect()))
}

/// The files that a path may be the beginning of.
fn files(at: usize, path: &str) -> (usize, Vec<String>) {
    let (folder, name) = path
        .rsplit_once('/')
        .map_or((".", path), |(folder, name)| (folder, name));
    let folder = if folder.is_empty() { "/" } else { folder };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|e| {
        let is_folder = e.file_type().is_ok_and(|t| t.is_dir());
        let found = e.file_name().into_string().ok()?;
        let end = if is_folder { "/" } else { "" };
        found.starts_with(name).then(|| format!("{found}{end}"))
    });
    let mut names: Vec<String> = names.collect();
    names.sort();
    (at + path.len() - name.len(), names)
}

/// Carries out a command.
pub(super) fn run(front: &mut Front, text: &str) -> Outcome {
    let text = text.trim().trim_start_matches(':');
    let (name, argument) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let argument = argument.trim();
    let exact = COMMANDS.iter().find(|c| c.name == name);
    let mut abbreviated = COMMANDS
        .iter()
        .filter(|c| !name.is_empty() && c.name.starts_with(name));
    let command = match (exact, abbreviated.next(), abbreviated.next()) {
        (Some(command), ..) | (None, Some(command), None) => command,
        (None, Some(a), Some(b)) => {
            return Wrong(format!(":{name} may be :{} or :{}\n", a.name, b.name));
        }
        _ => return Wrong(format!("no command :{name}; :help lists them\n")),
    };
    let wants_nothing = command.argument.is_empty();
    let is_optional = command.argument.starts_with('[');
    if wants_nothing && !argument.is_empty() {
        return Wrong(format!(":{} takes nothing\n", command.name));
    }
    if !wants_nothing && !is_optional && argument.is_empty() {
        return Wrong(format!(":{} needs {}\n", command.name, command.argument));
    }
    (command.act)(front, argument)
}

fn help() -> String {
    let mut out = String::new();
    for c in COMMANDS {
        let usage = format!(":{} {}", c.name, c.argument);
        let _ = writeln!(out, "{usage:21} {}", c.about);
    }
    out.push_str("Names may be cut short as long as they are clear.\n");
    out
}

/// The goroutines of the program, but for the one that the session is.
pub(super) fn live() -> Vec<Info> {
    let mut all = prompt::goroutines();
    all.retain(|g| g.id != 1);
    all
}

fn goroutines(_: &mut Front, number: &str) -> Outcome {
    if number.is_empty() {
        let rows: Vec<[String; 3]> = live().iter().map(row).collect();
        return Said(table(&rows));
    }
    match goroutine_number(number).and_then(prompt::stack) {
        Some(text) => Said(text),
        None => Wrong(format!("no goroutine {number}\n")),
    }
}

/// `7` or `g7`.
fn goroutine_number(text: &str) -> Option<u64> {
    text.strip_prefix('g').unwrap_or(text).parse().ok()
}

/// Does to a goroutine what says whether it was there.
fn on_goroutine(number: &str, act: fn(u64) -> bool) -> Outcome {
    let id = goroutine_number(number).filter(|id| *id != 1);
    match id.is_some_and(act) {
        true => Said(String::new()),
        false => Wrong(format!("no goroutine {number}\n")),
    }
}

/// Runs an input in a goroutine of its own, which sends its value to a channel.
fn background(front: &mut Front, text: &str) -> Outcome {
    if text.is_empty() {
        let input = front.unfinished.take();
        let Some((input, value)) = input.filter(|i| live().iter().any(|g| g.id == i.0)) else {
            return Wrong("no input waits that is to have a value\n".into());
        };
        let steps = front.session.borrow_mut().detach(input, value);
        return match steps {
            Some(steps) => {
                front.run(steps, &mut |_| {});
                Ran(0)
            }
            None => Wrong("another value has come since\n".into()),
        };
    }
    let typ = front.session.borrow_mut().type_of(text);
    let code = match typ {
        Ok(typ) if typ != "no value" && !typ.starts_with('(') => format!(
            "func(value func() {typ}) <-chan {typ} {{ c := make(chan {typ}, 1); \
             go func() {{ c <- value() }}(); return c }}(func() {typ} {{ return {text} }})"
        ),
        _ => format!("go func() {{ {text}\n}}()"),
    };
    Ran(front.input((code + "\n").into_bytes()))
}

fn who(front: &mut Front, text: &str) -> Outcome {
    let steps = front.session.borrow_mut().look_at(text);
    let (steps, kind) = match steps {
        Ok(steps) => steps,
        Err(why) => return Wrong(why.to_string()),
    };
    prompt::looked_at();
    front.run(steps, &mut |_| {});
    let shown = prompt::who(prompt::looked_at(), kind);
    match shown {
        Some(who) => Said(watch::who(&who)),
        None => Wrong(format!("{text} is nil\n")),
    }
}

fn sched(_: &mut Front, how: &str) -> Outcome {
    match how {
        "" => Said(watch::sched()),
        "detail" => Said(gosched_runtime::trace::sched_text(true)),
        "watch" if watch::watch() => Said(String::new()),
        "watch" => Wrong(":sched watch needs a terminal\n".into()),
        _ => Wrong(format!("{how} is neither watch nor detail\n")),
    }
}

fn step(_: &mut Front, number: &str) -> Outcome {
    let n = if number.is_empty() { "1" } else { number };
    match n.parse() {
        Ok(n) if (1..=watch::STEPS_MAX).contains(&n) => Said(watch::steps(n)),
        _ => Wrong(format!(
            "{number} is not a number from 1 to {}\n",
            watch::STEPS_MAX
        )),
    }
}

fn gomaxprocs(_: &mut Front, number: &str) -> Outcome {
    if number.is_empty() {
        return Said(format!("{}\n", prompt::set_gomaxprocs(0)));
    }
    match number.parse() {
        Ok(n) if (1..=PROCS_MAX).contains(&n) => {
            prompt::set_gomaxprocs(n);
            Said(String::new())
        }
        _ => Wrong(format!("{number} is not a number from 1 to {PROCS_MAX}\n")),
    }
}

/// The most Ps that a prompt makes.
const PROCS_MAX: i32 = 1024;

/// What memory the program takes.
fn memory() -> String {
    let m = prompt::memory();
    let last = m.pause_ns[(m.num_gc as usize + 255) % 256];
    let mb = |bytes: u64| format!("{:.1} MB", bytes as f64 / 1e6);
    let mut out = format!(
        "heap: {} in {} objects; the next collection at {}; {} from the system\nstacks: {}\n",
        mb(m.heap_alloc),
        m.heap_objects,
        mb(m.next_gc),
        mb(m.heap_sys - m.heap_released),
        mb(m.stack_inuse),
    );
    let pause = |ns: u64| format!("{:.1?}", Duration::from_nanos(ns));
    let _ = writeln!(
        out,
        "collections: {}, {} of pauses in all, {} in the last",
        m.num_gc,
        pause(m.pause_total_ns),
        pause(if m.num_gc == 0 { 0 } else { last }),
    );
    out
}

/// Has the user's editor change an input, which is run then.
fn edit(front: &mut Front, name: &str) -> Outcome {
    let Some(text) = front.session.borrow_mut().text_of(name) else {
        return Wrong(match name {
            "" => "nothing has been typed yet\n".into(),
            name => format!("{name} was not typed\n"),
        });
    };
    let path = std::env::temp_dir().join(format!("gosched-{}.go", std::process::id()));
    let changed = edited(&path, &text);
    let _ = std::fs::remove_file(&path);
    match changed {
        Ok(changed) if changed.trim().is_empty() || changed == text + "\n" => Said(String::new()),
        Ok(changed) => {
            super::front::say(&changed);
            Ran(front.input(changed.into_bytes()))
        }
        Err(why) => Wrong(why),
    }
}

/// The text as it is when the user's editor has ended.
fn edited(path: &Path, text: &str) -> Result<String, String> {
    let failed = |e: std::io::Error| crate::loader::message("edit", path, &e) + "\n";
    std::fs::write(path, format!("{text}\n")).map_err(failed)?;
    let mut set = ["VISUAL", "EDITOR"]
        .into_iter()
        .filter_map(std::env::var_os);
    let editor = set.find(|e| !e.is_empty());
    let usual = || std::io::stdin().is_terminal().then(|| "vi".into());
    let Some(editor) = editor.or_else(usual) else {
        return Err("no editor: set VISUAL or EDITOR\n".into());
    };
    let mut command = Process::new("sh");
    // The variable may hold arguments.
    let mut script = editor.clone();
    script.push(" \"$@\"");
    command.arg("-c").arg(script).arg(&editor).arg(path);
    let ended = screen::lend(&mut command).map_err(failed)?;
    if !ended.success() {
        return Err(format!("{}: {ended}\n", editor.display()));
    }
    std::fs::read_to_string(path).map_err(failed)
}

/// Writes a session's program, which is no other's file, and has it checked.
fn save(program: &str, path: &Path) -> Outcome {
    let is_own = |text: &[u8]| text.starts_with(save::HEAD.as_bytes());
    if std::fs::read(path).is_ok_and(|text| !is_own(&text)) {
        let path = path.display();
        return Wrong(format!("{path} is there, and is not of a session\n"));
    }
    if let Err(e) = std::fs::write(path, program) {
        return Wrong(crate::loader::message("write", path, &e) + "\n");
    }
    let gosched = std::env::current_exe().unwrap_or_else(|_| "gosched".into());
    let checked = Process::new(gosched).arg("check").arg(path).output();
    match checked {
        Ok(checked) if !checked.status.success() => {
            let errors = String::from_utf8_lossy(&checked.stderr);
            let path = path.display();
            Wrong(format!("{path} needs your hand:\n{errors}"))
        }
        _ => Said(String::new()),
    }
}

/// Puts a rule of the scheduler in or out of force.
fn switch(name: &str, on: bool) -> Outcome {
    if prompt::set_mechanism(name, on) {
        return Said(String::new());
    }
    let known = gosched_runtime::switches::ALL.iter().map(|m| m.1);
    let known: Vec<&str> = known.collect();
    Wrong(format!("the mechanisms are {}\n", known.join(", ")))
}

/// Number, state and place of a goroutine.
pub(super) fn row(g: &Info) -> [String; 3] {
    let reason = if g.reason.is_empty() {
        g.status
    } else {
        g.reason
    };
    let mut state = match (g.is_held, g.reason.is_empty()) {
        (true, true) => "held".to_string(),
        (true, false) => format!("{reason}, held"),
        _ => reason.to_string(),
    };
    if g.waits >= Duration::from_secs(1) {
        let _ = write!(state, ", {}s", g.waits.as_secs());
    }
    let mut lines = g.stack.lines();
    let place = |line: &str| {
        line.trim()
            .split(" +0x")
            .next()
            .unwrap_or_default()
            .to_string()
    };
    // Where the program's own text has led there.
    let mut at = String::new();
    let mut is_own = false;
    let mut from = String::new();
    while let (Some(function), Some(line)) = (lines.next(), lines.next()) {
        if function.starts_with("created by ") {
            from = format!("created at {}", place(line));
        } else if at.is_empty() || !is_own && !is_library(line) {
            is_own = !is_library(line);
            let name = function.split('(').next().unwrap_or_default();
            at = format!("{} {}", name.trim_start_matches("main."), place(line));
        }
    }
    let parts = [at, from].into_iter().filter(|s| !s.is_empty());
    let parts: Vec<String> = parts.collect();
    [format!("g{}", g.id), state, parts.join(", ")]
}

fn is_library(place: &str) -> bool {
    place.trim().starts_with("$GOROOT")
}

/// Rows as a table whose columns are as wide as need be.
fn table(rows: &[[String; 3]]) -> String {
    let width = |k: usize| rows.iter().map(|row| row[k].len()).max().unwrap_or(0);
    let (a, b) = (width(0), width(1));
    let mut out = String::new();
    for [id, state, place] in rows {
        let line = format!("{id:a$}  {state:b$}  {place}");
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}

/// The bytecode of the last function of that name.
fn disassembled(name: &str) -> Option<String> {
    use bytecode::{disasm, func};
    let full = format!("main.{name}");
    let functions = (0..func::count()).rev().filter_map(func::info);
    let info = functions.into_iter().find(|info| *info.name == *full)?;
    Some(disasm::function(info.code(), info, vm::native::name))
}
