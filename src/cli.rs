//! The command line: what each command does with what is typed.
//!
//! A new command is a row of [`table`] and a function; a new flag is a row of the group of flags
//! that its commands take. [`call`] reads a line by these tables; [`help`] and [`describe`] tell
//! people and shells what is in them.
//!
//! Our own output goes to standard error; standard output belongs to the program, but for what was
//! asked for: `disasm`, `check --json`, `version`, `help`.

mod call;
mod describe;
mod go;
mod help;
mod table;
mod values;
mod wrong;

pub(crate) use call::quoted;
pub(crate) use table::{Flag, Takes, flag};
pub(crate) use values::duration;

use crate::colors;
use crate::driver::{self, ErrorFormat, Input, Options};
use crate::lab;
use crate::repl;
use crate::steer::{Check, Leaks, Races, Record, Recording, Replay, Search, Strategies, Taped};
use crate::test;
use crate::top;
use crate::traces::{self, Asked, Form};
use crate::watch;
use call::{Call, parse};
use gosched_runtime::gc::leaks;
use gosched_runtime::{control, limits};
use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;
use table::{COMMANDS, COMMON, Row, Words, command};
use trace::timeline::Axis;
use trace::why::When;
use wrong::{USAGE, wrong};
/// Runs the command line `args` of this process, the program's name first.
pub fn main(args: Vec<OsString>) -> ! {
    // A Rust panic is a bug of ours: said as such, with a fatal error's status.
    std::panic::set_hook(Box::new(|info| {
        eprintln!("fatal error: {}", gosched_runtime::panic::told(info));
        std::process::exit(USAGE);
    }));
    std::process::exit(run(args))
}

/// Runs the command line `args` (the program's name first) and returns the exit status.
pub fn run(args: Vec<OsString>) -> i32 {
    let (row, call) = match parse(args.clone()) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    if let Ok(list) = std::env::var("GOSCHED_WITHOUT")
        && let Err(unknown) = gosched_runtime::switches::without(&list)
    {
        return wrong::mechanism(&unknown, "GOSCHED_WITHOUT");
    }
    if let Ok(word) = std::env::var("GOSCHED_NATIVE")
        && !["", "off", "always"].contains(&word.as_str())
    {
        return wrong::native(&word);
    }
    for list in call.all("without") {
        if let Err(unknown) = gosched_runtime::switches::without(&list.to_string_lossy()) {
            return wrong::mechanism(&unknown, "--without");
        }
    }
    let known = gosched_runtime::trace::event_names();
    if let Some(unknown) = call.events().into_iter().find(|e| !known.contains(e)) {
        return wrong::event(&unknown, &known);
    }
    if let Some(when) = call.last("color") {
        colors::choose(&when.to_string_lossy());
    }
    if !matches!(
        row.words,
        Words::Recording | Words::Trace | Words::Experiment | Words::Test
    ) {
        call.set_how();
    }
    match call.has("watch") {
        true => watch::run(&args),
        false => (row.act)(&call),
    }
}

// ---- The commands.

/// What is the same for all commands that compile.
fn options(call: &Call) -> Options {
    let format = call.last("error-format").map(|f| f.to_string_lossy());
    Options {
        all_errors: call.has("all-errors"),
        lang: call.language(),
        errors: match format.as_deref() {
            Some("go") => ErrorFormat::Go,
            Some("pretty") => ErrorFormat::Pretty,
            Some("json") => ErrorFormat::Json,
            _ => ErrorFormat::default(),
        },
        ..Options::default()
    }
}

fn run_program(call: &Call) -> i32 {
    if let Err(e) = limits::set(call.limits()) {
        driver::print_error(format_args!(
            "gosched: --timeout: {}\n",
            crate::loader::os_text(&e)
        ));
        return USAGE;
    }
    control::set(control::Options {
        seed: call.number("seed"),
        virtual_time: call.has("virtual-time"),
        ..control::Options::default()
    });
    if call.has("interactive") {
        return repl::run(prompt(call));
    }
    if call.has("leaks") {
        leaks::set(leaks::Check::Fail);
    }
    if call.has("race") && !driver::look_for_races() {
        return USAGE;
    }
    let (input, rest) = call.program();
    let profile = |(flag, wanted)| Some((wanted, PathBuf::from(call.last(flag)?)));
    let options = Options {
        traces: traces(call),
        profiles: driver::PROFILES.into_iter().filter_map(profile).collect(),
        argv0: call.last("argv0").cloned(),
        unit: call.last("unit").map(PathBuf::from),
        godebug: call
            .last("godebug")
            .map_or(String::new(), |list| list.to_string_lossy().into()),
        watched: call.number("watched"),
        // What the scheduler decides is written by one process.
        again: call.given(&[
            "without",
            "lang",
            "tags",
            "mod",
            "goroot",
            "timeout",
            "max-heap",
            "max-goroutines",
        ]),
        ..options(call)
    };
    driver::run(&input, rest, &options)
}

/// A seed, if none was given.
fn any_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |t| u64::from(t.subsec_nanos()))
}

fn record(call: &Call) -> i32 {
    let (input, rest) = call.program();
    let record = Record {
        output: call.last("output").map(PathBuf::from),
        chaos: call.has("chaos"),
        seed: call.number("seed").unwrap_or_else(any_seed),
        args: call.again(),
    };
    driver::record(&input, rest, &options(call), &record)
}

/// Replays a recording of a run.
fn replay_tape(call: &Call, taped: Taped) -> i32 {
    if call.has("dump") {
        return driver::print_output(taped);
    }
    if call.has("story") || call.has("dot") {
        driver::print_error(
            "gosched: a recorded run has no story, and no graph; --until and --dump show what \
             happens\n",
        );
        return USAGE;
    }
    if let Some(variables) = taped.environment() {
        return driver::start_again(&variables);
    }
    let how = Replay {
        story: false,
        until: call.number("until"),
        edited: call.has("edited"),
        dot: None,
        traces: traces_of_replay(call),
    };
    let words = ["gosched", "run"].into_iter().map(OsString::from);
    let words = words.chain(taped.head.args.iter().map(OsString::from));
    match parse(words.collect()) {
        Ok((_, recorded)) => {
            recorded.set_how();
            let (input, rest) = recorded.program();
            enter(call, &input);
            driver::replay_tape(&input, rest, &options(&recorded), taped, how)
        }
        Err(status) => status,
    }
}

fn explore(call: &Call) -> i32 {
    let (input, rest) = call.program();
    driver::explore(&input, rest, &options(call), &search(call, call.again()))
}

/// What these flags of `explore` say to search; `args` are the words behind `gosched run` that run
/// the program. The error is the exit status.
pub(crate) fn search_by(flags: &[String], args: Vec<String>) -> Result<Search, i32> {
    let words = ["gosched", "explore"].into_iter().map(OsString::from);
    let words = words.chain(flags.iter().map(OsString::from));
    let (_, call) = parse(words.chain([OsString::from("-")]).collect())?;
    Ok(search(&call, args))
}

fn search(call: &Call, args: Vec<String>) -> Search {
    let jobs = std::thread::available_parallelism().map_or(1, |n| n.get());
    let value = |flag| call.last(flag).map(|v| v.to_string_lossy());
    let strategies = match value("strategy")
        .as_deref()
        .map(|s| s.split_once(':').unwrap_or((s, "")))
    {
        Some(("random", _)) => Strategies::Random,
        Some(("pos", _)) => Strategies::Pos,
        Some(("pct", depth)) => Strategies::Pct(depth.parse().unwrap_or(3)),
        Some(("dfs", bound)) => Strategies::Dfs(bound.parse().ok()),
        _ => Strategies::Auto,
    };
    let most = match strategies {
        Strategies::Dfs(_) => u64::MAX,
        _ => 1000,
    };
    Search {
        schedules: call.number("schedules").unwrap_or(most),
        time: call.duration("time").unwrap_or(Duration::from_secs(60)),
        seed: call.number("seed").unwrap_or_else(any_seed),
        jobs: call.number("jobs").unwrap_or(jobs),
        steps: call.number("steps").unwrap_or(200_000),
        strategies,
        leaks: match value("left-over").as_deref() {
            Some("all") => Leaks::All,
            Some("off") => Leaks::Off,
            _ => Leaks::Schedule,
        },
        races: match call.has("no-race") {
            true => Races::Noted,
            false => Races::Told,
        },
        max_stall: match value("max-stall") {
            Some(text) => values::stall(&text).flatten().map(nanoseconds),
            None => Some(MAX_STALL),
        },
        allows_io: call.has("allow-io"),
        keeps_going: call.has("keep-going"),
        limits_count: value("limits").as_deref() == Some("error"),
        outputs_count: value("outputs").as_deref() == Some("error"),
        check: value("check").map(|command| Rc::new(Check::new(command.into()))),
        minimises: !call.has("no-minimise"),
        json: call.has("json"),
        output: call.last("output").map(PathBuf::from),
        dot: call.last("dot").map(PathBuf::from),
        args,
        folder: std::env::current_dir().unwrap_or_default(),
        test: None,
    }
}

/// By how much a machine under load lets what can run wait, in nanoseconds.
const MAX_STALL: i64 = 50_000_000;

/// As far as the clocks of traces go.
fn nanoseconds(time: Duration) -> i64 {
    time.as_nanos().try_into().unwrap_or(i64::MAX)
}

fn trace(call: &Call) -> i32 {
    let (what, who, file) = match call.words.as_slice() {
        [what, file] => (what.to_string_lossy(), None, file),
        [what, who, file] => (what.to_string_lossy(), Some(who.to_string_lossy()), file),
        _ => return USAGE,
    };
    match (&*what, &who) {
        ("why", None) => {
            return wrong(
                "trace why needs a goroutine",
                "Type its number or its function before the file: gosched trace why 7 run.trace.",
            );
        }
        ("why", _) | (_, None) => {}
        (_, Some(_)) => {
            return wrong(
                format_args!(
                    "{:?} is more than trace {what} takes",
                    file.to_string_lossy()
                ),
                format_args!("Type gosched trace {what}, and then the file."),
            );
        }
    }
    let ns = |flag| call.duration(flag).map(nanoseconds);
    let at = match (call.number("at"), call.duration("at")) {
        (Some(seq), _) => Some(When::Event(seq)),
        (_, time) => time.map(|time| When::Time(nanoseconds(time))),
    };
    let asked = match &*what {
        "check" => Asked::Check,
        "queues" => Asked::Queues(at),
        "why" => Asked::Why(
            traces::why::who(who.as_deref().unwrap_or("")),
            at.unwrap_or(When::Longest),
        ),
        "summary" => Asked::Summary,
        "timeline" => Asked::Timeline {
            by: call.last("by").map(|by| match by == "decision" {
                true => Axis::Decision,
                false => Axis::Time,
            }),
            from: ns("from"),
            length: ns("for"),
            width: call.number("width").unwrap_or(100),
        },
        "convert" => Asked::Convert(match call.last("to") {
            Some(to) if to == "perfetto" => Form::Perfetto,
            Some(to) if to == "go" => Form::Go,
            _ => Form::Lines,
        }),
        "graph" => Asked::Graph(at),
        "flame" => Asked::Flame(call.has("svg")),
        // Asked below.
        "view" => Asked::Check,
        _ => {
            return wrong(
                format_args!("{what:?} is nothing that trace shows"),
                "Type gosched help trace for the list of what it shows.",
            );
        }
    };
    let flags: [(&str, &[&str]); 9] = [
        ("svg", &["flame"]),
        ("by", &["timeline"]),
        ("from", &["timeline", "view"]),
        ("for", &["timeline", "view"]),
        ("output", &["view"]),
        ("width", &["timeline"]),
        ("at", &["queues", "graph", "why"]),
        ("to", &["convert"]),
        ("json", &["queues", "summary", "why"]),
    ];
    if let Asked::Timeline {
        by: Some(Axis::Decision),
        from,
        length,
        ..
    } = asked
        && (from.is_some() || length.is_some())
    {
        return wrong(
            "--from and --for are times, and a column is a decision",
            "Leave out one or the other.",
        );
    }
    let misplaced = flags
        .iter()
        .find(|(flag, of)| call.has(flag) && !of.contains(&&*what));
    if let Some((flag, of)) = misplaced {
        return wrong(
            format_args!(
                "--{flag} is of trace {}, not of trace {what}",
                of.join(" and ")
            ),
            format_args!("Type gosched trace {}, or leave it out.", of[0]),
        );
    }
    let is_shown = std::io::stdout().is_terminal();
    if let (Asked::Convert(Form::Go), true) = (&asked, is_shown) {
        return wrong(
            "trace convert --to=go writes bytes that no terminal shows",
            format_args!(
                "Type > and a file behind it, as in gosched trace convert --to=go {} > go.trace.",
                quoted(&file.to_string_lossy())
            ),
        );
    }
    if what == "view" {
        let window = traces::view::Window {
            from: ns("from"),
            length: ns("for"),
        };
        let to = call.last("output").map(PathBuf::from);
        let to = to.unwrap_or_else(|| {
            let mut to = file.clone();
            to.push(".html");
            to.into()
        });
        return traces::view(file.as_ref(), window, &to);
    }
    traces::run(asked, file, call.has("json"))
}

fn top(call: &Call) -> i32 {
    let names: Vec<&str> = call.flags.iter().map(|f| f.0.name).collect();
    let mut words = call.given(&names);
    words.push("--".into());
    words.extend(call.words.iter().cloned());
    if call.has_code() {
        words.retain(|w| w != "--");
    }
    let title = call
        .words
        .first()
        .map_or("gosched".into(), |w| w.to_string_lossy());
    top::run(&title, words)
}

fn lab(call: &Call) -> i32 {
    let asked = lab::Asked {
        what: call.words.first().cloned(),
        without: call.last("without").map(|w| w.to_string_lossy().into()),
        all: call.has("all"),
        json: call.has("json"),
        quiz: call.has("quiz"),
        html: call.last("html").map(PathBuf::from),
    };
    if asked.quiz {
        let others = ["all", "json", "html", "without"];
        if let Some(other) = others.iter().find(|flag| call.has(flag)) {
            return wrong(
                format_args!("--quiz asks, and --{other} does not"),
                "Leave out one or the other.",
            );
        }
    }
    if asked.html.is_some() && asked.what.is_none() {
        return wrong(
            "--html is about one experiment",
            "Type gosched lab NAME --html=FILE, or leave it out.",
        );
    }
    if asked.all && asked.what.is_some() {
        return wrong(
            "--all is about no single experiment",
            "Leave it out, or the name.",
        );
    }
    lab::run(&asked)
}

fn replay(call: &Call) -> i32 {
    let path = call.words.first().map(PathBuf::from).unwrap_or_default();
    match Taped::read(&path) {
        Ok(Some(taped)) => return replay_tape(call, taped),
        Ok(None) => (),
        Err(e) => {
            driver::print_error(format_args!("gosched: {e}\n"));
            return 1;
        }
    }
    let recording = match Recording::read(&path, call.has("edited")) {
        Ok(recording) => recording,
        Err(e) => {
            driver::print_error(format_args!("gosched: {e}\n"));
            return 1;
        }
    };
    if call.has("dump") {
        return driver::print_output(recording);
    }
    let options_of_replay = Replay {
        story: call.has("story"),
        until: call.number("until"),
        edited: call.has("edited"),
        dot: call
            .last("dot")
            .map(|dot| std::path::absolute(dot).unwrap_or_else(|_| dot.into())),
        traces: traces_of_replay(call),
    };
    if let Some((spec, args)) = test::of_words(&recording.head.args) {
        return driver::test::replay(&spec, args, &recording, options_of_replay);
    }
    let words = ["gosched", "run"].into_iter().map(OsString::from);
    let words = words.chain(recording.head.args.iter().map(OsString::from));
    match parse(words.collect()) {
        Ok((_, recorded)) => {
            recorded.set_how();
            let (input, rest) = recorded.program();
            enter(call, &input);
            let options = options(&recorded);
            driver::replay(&input, rest, &options, &recording, options_of_replay)
        }
        Err(status) => status,
    }
}

/// Goes to the folder of the recording if the program is there and not here: recordings name it as
/// it was typed where they were made.
fn enter(call: &Call, input: &Input) {
    let paths = match input {
        Input::Files(files) => files.as_slice(),
        Input::Dir(dir) => std::slice::from_ref(dir),
        _ => return,
    };
    let recording = call.words.first().map(Path::new);
    let Some(folder) = recording.and_then(Path::parent) else {
        return;
    };
    let are_here = paths.iter().all(|path| path.exists());
    if !are_here && paths.iter().all(|path| folder.join(path).exists()) {
        // If that fails, the program is not found, which is told.
        let _ = std::env::set_current_dir(folder);
    }
}

fn check(call: &Call) -> i32 {
    let options = Options {
        is_asked_for_errors: call.has("json"),
        ..options(call)
    };
    let is_pattern = |word: &OsString| word.to_string_lossy().ends_with("...");
    let is_folder = |word: &OsString| Path::new(word).is_dir();
    let are_several = call.words.len() > 1 && call.words.iter().all(is_folder);
    if are_several || call.words.iter().any(is_pattern) {
        return driver::check_below(&call.words, &options);
    }
    compiled(call, |input| driver::check(input, &options))
}

fn disasm(call: &Call) -> i32 {
    let filter = call.last("func").map_or("".into(), |f| f.to_string_lossy());
    let native = call.has("native");
    compiled(call, |input| {
        driver::disasm(input, &filter, native, &options(call))
    })
}

/// Does what is to be done with a program that is not run, and so takes no arguments.
fn compiled(call: &Call, act: impl FnOnce(&Input) -> i32) -> i32 {
    let (input, rest) = call.program();
    match rest.first() {
        Some(word) => wrong(
            format_args!(
                "{word:?} is no Go file, and a program that is not run takes no arguments"
            ),
            "Type the files of one package, or its folder.",
        ),
        None => act(&input),
    }
}

/// Where the scheduler's decisions are to be written.
fn traces(call: &Call) -> driver::Traces {
    driver::Traces {
        log: call.last("sched-log").map(PathBuf::from),
        trace: call.last("sched-trace").map(PathBuf::from),
        frames: call.number("sched-trace-stack"),
        last: call.duration("sched-trace-last"),
        only: call.events(),
        graph: call.last("dot").map(PathBuf::from),
        live: call.number("top"),
        tells_latency: call.has("latency"),
        latency_most: call.duration("latency-max"),
    }
}

/// The same for a replay, which may run in another folder.
fn traces_of_replay(call: &Call) -> driver::Traces {
    let absolute = |path: PathBuf| match path.as_os_str() == "-" {
        true => path,
        false => std::path::absolute(&path).unwrap_or(path),
    };
    let traces = traces(call);
    driver::Traces {
        log: traces.log.map(absolute),
        trace: traces.trace.map(absolute),
        // The replay itself tells who waits for whom.
        graph: None,
        ..traces
    }
}

/// How to run the prompt.
fn prompt(call: &Call) -> repl::Options {
    repl::Options {
        echo: call.has("echo"),
        keep_going: call.has("keep-going"),
        init: !call.has("no-init"),
        json: call.has("json"),
        lang: call.language(),
        traces: traces(call),
        first: call.texts(),
    }
}
