//! `gosched test`: runs the tests of packages, each in a process of its own, and tells what has
//! come of them as Go does.
//!
//! This process finds the packages. For each it starts gosched with a description of the test, the
//! [`Spec`]; that process compiles the test and becomes it. Its standard input is at first a pipe,
//! by which it says how far it has come; the test has none.
//!
//! Go: cmd/go/internal/test.

pub(crate) mod cover;
mod find;
mod flags;
mod json;
pub(crate) mod testmain;

use crate::cli::{Flag, Takes, flag};
use crate::driver::{self, print_error};
use crate::loader;
use crate::steer::Search;
use cover::Mode;
pub(crate) use find::import_path;
use find::{find, matches};
use flags::Asked;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// The flags, for help; [`flags`] reads them.
pub(crate) const FLAGS: &[Flag] = &[
    flag(
        "run",
        Takes::Text("REGEXP"),
        "Only tests and examples that match, level by level",
    ),
    flag("skip", Takes::Text("REGEXP"), "Not those that match"),
    flag(
        "verbose",
        Takes::Nothing,
        "Tell of each test as it runs (-v)",
    )
    .letter('v'),
    flag(
        "count",
        Takes::Text("N"),
        "Run each test and benchmark N times",
    ),
    flag(
        "bench",
        Takes::Text("REGEXP"),
        "Run benchmarks that match, too",
    ),
    flag(
        "benchtime",
        Takes::Text("DUR|Nx"),
        "How long, or how often, each benchmark runs (1s)",
    ),
    flag(
        "benchmem",
        Takes::Nothing,
        "Tell of allocations with each benchmark",
    ),
    flag(
        "fuzz",
        Takes::Text("REGEXP"),
        "Look for inputs that make this fuzz target fail",
    ),
    flag("fuzztime", Takes::Text("DUR|Nx"), "How long to look"),
    flag(
        "fuzzminimizetime",
        Takes::Text("DUR|Nx"),
        "How long to make an input small (60s)",
    ),
    flag(
        "timeout",
        Takes::Duration,
        "End the program after this time (10m); 0: never",
    ),
    flag(
        "json",
        Takes::Nothing,
        "Tell all as JSON, an event on a line",
    ),
    flag(
        "shuffle",
        Takes::Text("off|on|N"),
        "Run tests in an order that is drawn, from N",
    ),
    flag(
        "short",
        Takes::Nothing,
        "Have tests that take long be shorter",
    ),
    flag(
        "parallel",
        Takes::Text("N"),
        "At most N parallel tests at once",
    ),
    flag(
        "failfast",
        Takes::Nothing,
        "Begin nothing after the first failure",
    ),
    flag(
        "cpu",
        Takes::Text("N,…"),
        "Run with GOMAXPROCS set to each of these",
    ),
    flag(
        "list",
        Takes::Text("REGEXP"),
        "Print the names that match; run nothing",
    ),
    flag(
        "race",
        Takes::Nothing,
        "Look for data races; goroutines run one at a time",
    ),
    flag("tags", Takes::Text("LIST"), "Build tags that are set"),
    flag("cover", Takes::Nothing, "Count which statements run"),
    flag(
        "covermode",
        Takes::OneOf(&["set", "count", "atomic"]),
        "How they are counted (set)",
    ),
    flag(
        "coverpkg",
        Takes::Text("PATTERN,…"),
        "In which packages (the one that is tested)",
    ),
    flag("coverprofile", Takes::File, "Write the counts to this file"),
    flag(
        "cpuprofile",
        Takes::File,
        "Write where the tests spend their time, for go tool pprof",
    ),
    flag(
        "memprofile",
        Takes::File,
        "Write where the tests allocate memory (-memprofilerate)",
    ),
    flag(
        "blockprofile",
        Takes::File,
        "Write where goroutines wait for others (-blockprofilerate)",
    ),
    flag(
        "mutexprofile",
        Takes::File,
        "Write who lets others wait for locks (-mutexprofilefraction)",
    ),
    flag(
        "trace",
        Takes::File,
        "Write what goroutines do, and when, for go tool trace",
    ),
    flag(
        "artifacts",
        Takes::Nothing,
        "Keep what tests put into t.ArtifactDir",
    ),
    flag(
        "outputdir",
        Takes::Text("DIR"),
        "Where the files named here go",
    ),
    flag(
        "fullpath",
        Takes::Nothing,
        "Show whole paths of files in messages",
    ),
    flag("vet", Takes::Text("LIST"), "Taken, and nothing is done"),
    flag("args", Takes::Nothing, "What follows is for the program"),
    flag(
        "explore",
        Takes::Nothing,
        "Search the schedules of each test, with explore's flags",
    ),
];

/// What a process is to test, and how: it can be given on a command line.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct Spec {
    /// The import path.
    pub path: String,
    /// The path of the module.
    pub module: String,
    pub dir: PathBuf,
    /// The test runs in the folder it is started in: it has started itself.
    pub(crate) stays: bool,
    /// The files, if not all of the folder.
    pub files: Vec<PathBuf>,
    pub race: bool,
    pub tags: String,
    /// The value of `-mod`.
    pub modules: Option<String>,
    /// Where a Go source tree lies, if that was said.
    pub goroot: Option<PathBuf>,
    pub cover: Option<Mode>,
    /// Patterns of the packages whose statements are counted; none: the one that is tested.
    pub cover_packages: Vec<String>,
    /// The program writes profiles.
    pub profiles: bool,
    /// Inputs are looked for that lead to statements which no other has led to.
    pub fuzz: bool,
    /// Standard input is a pipe for [`Stage`].
    pub(crate) tells: bool,
    /// The words behind `gosched explore`, if schedules are searched.
    pub(crate) explore: Option<Vec<String>>,
    /// Why there is no such package.
    pub(crate) missing: String,
}

/// How far a process has come.
#[derive(Serialize, Deserialize)]
pub(crate) enum Stage {
    /// The test begins to run.
    Built,
    /// There is none; what to say of its coverage, if that is wanted: how many statements there
    /// are, and their lines in a profile.
    NoTests { cover: Option<(u32, String)> },
    /// It could not be built.
    Failed { is_setup: bool, text: String },
}

/// The flag by which a process is given its [`Spec`].
const SPEC: &str = "--spec=";

impl Spec {
    /// What the program is called.
    pub(crate) fn program(&self) -> Vec<u8> {
        let last = self.path.rsplit('/').next().unwrap_or("main");
        let name = std::env::temp_dir()
            .join("gosched-test")
            .join(format!("{last}.test"));
        name.into_os_string().into_encoded_bytes()
    }

    /// The words behind gosched that make it this test, whatever folder it is started in.
    pub(crate) fn again(&self) -> Vec<Vec<u8>> {
        let spec = Spec {
            stays: true,
            tells: false,
            ..self.absolute()
        };
        vec![b"test".to_vec(), spec.word().into_bytes()]
    }

    /// The same, whatever folder it is looked at from.
    fn absolute(&self) -> Spec {
        let whole = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
        Spec {
            dir: whole(&self.dir),
            files: self.files.iter().map(whole).collect(),
            ..self.clone()
        }
    }

    /// Says how to look for files and modules.
    pub(crate) fn set_how(&self) {
        set_how(&self.tags, &self.modules, &self.goroot);
    }

    fn word(&self) -> String {
        format!("{SPEC}{}", serde_json::to_string(self).unwrap_or_default())
    }

    /// Are the statements of this package counted?
    pub(crate) fn covers(&self, path: &str) -> bool {
        match &self.cover_packages[..] {
            [] if self.fuzz && !self.module.is_empty() => matches("./...", path, &self.module),
            [] => path == self.path,
            patterns => patterns.iter().any(|p| matches(p, path, &self.module)),
        }
    }
}

/// Runs the command with the words behind `gosched test`; the exit status.
pub(crate) fn run(words: &[OsString]) -> i32 {
    let words: Vec<String> = words
        .iter()
        .map(|w| w.to_string_lossy().into_owned())
        .collect();
    if let Some((spec, args)) = of_words(&words) {
        return become_test(&spec, args);
    }
    let asked = match flags::parse(&words) {
        Ok(asked) => asked,
        Err((what, advice)) => return usage(&what, &advice),
    };
    set_how(&asked.tags, &asked.modules, &asked.goroot);
    let specs = match find(&asked) {
        Ok(specs) => specs,
        Err(why) => {
            print_error(format_args!("{why}\n"));
            return 1;
        }
    };
    if asked.fuzz && specs.len() != 1 {
        print_error("cannot use -fuzz flag with multiple packages\n");
        return 1;
    }
    if asked.fuzz && asked.cover_profile.is_some() {
        print_error("cannot use -coverprofile flag with -fuzz flag\n");
        return 1;
    }
    if let Some(flag) = asked.profile {
        let with = match (asked.fuzz, specs.len()) {
            (true, _) => "-fuzz flag",
            (_, 1) => "",
            _ => "multiple packages",
        };
        if !with.is_empty() {
            print_error(format_args!("cannot use -{flag} flag with {with}\n"));
            return 1;
        }
    }
    let tests = Tests::new(asked);
    match tests.asked.explores {
        true => tests.explore(&specs),
        false => tests.run(&specs),
    }
}

/// The test that words describe, and its arguments.
pub(crate) fn of_words(words: &[String]) -> Option<(Spec, Vec<OsString>)> {
    let (first, rest) = words.split_first()?;
    let spec = serde_json::from_str(first.strip_prefix(SPEC)?).ok()?;
    Some((spec, rest.iter().map(OsString::from).collect()))
}

fn usage(what: &str, advice: &str) -> i32 {
    print_error(format_args!("gosched: {what}\n{advice}\n"));
    2
}

fn set_how(tags: &str, modules: &Option<String>, goroot: &Option<PathBuf>) {
    loader::set_how(loader::How {
        tags: loader::tags_of(tags),
        modules: modules.clone(),
        goroot: goroot.clone(),
    });
}

/// The test that these arguments ask for.
fn test_of(args: &[OsString]) -> Option<String> {
    let run = args
        .iter()
        .find_map(|a| a.to_str()?.strip_prefix("-test.run=^"))?;
    Some(run.split('$').next().unwrap_or_default().to_string())
}

/// In the process that was started for it: runs a test.
fn become_test(spec: &Spec, args: Vec<OsString>) -> i32 {
    spec.set_how();
    if let Some(flags) = spec.explore.as_ref().filter(|_| !spec.tells) {
        let shown = args.iter().map(|a| a.to_string_lossy().into_owned());
        let spec = spec.absolute();
        let words = std::iter::once(spec.word()).chain(shown).collect();
        return match crate::cli::search_by(flags, words) {
            Ok(search) => {
                let test = test_of(&args).map(|test| format!("{}.{test}", spec.path));
                driver::test::explore(&spec, args, &Search { test, ..search })
            }
            Err(status) => status,
        };
    }
    let mut pipe = match spec.tells {
        true => std::io::stdin()
            .as_fd()
            .try_clone_to_owned()
            .ok()
            .map(File::from),
        false => None,
    };
    if spec.tells
        && let Ok(nothing) = File::open("/dev/null")
    {
        let _ = rustix::stdio::dup2_stdin(&nothing);
    }
    driver::test::test(spec, args, |stage| {
        if let Some(mut pipe) = pipe.take() {
            let text = serde_json::to_string(&stage).unwrap_or_default();
            let _ = pipe.write_all(text.as_bytes());
        }
    })
}

/// The tests of packages.
struct Tests {
    asked: Asked,
    failed: AtomicBool,
    /// Nothing more is to begin.
    is_enough: AtomicBool,
}

/// What has come of the test of a package.
#[derive(Default)]
struct Outcome {
    /// To be printed when it is its turn.
    output: Vec<u8>,
    /// What is for standard error.
    errors: String,
    profile: Option<PathBuf>,
}

/// Where what a test prints goes.
enum Sink<'a> {
    /// Where we print.
    Ours,
    /// It is kept, and printed at once as well if that is true.
    Kept(&'a mut Vec<u8>, bool),
    /// It is told as JSON, and kept if there is something to keep it in.
    Json(Option<&'a mut Vec<u8>>, json::Teller),
}

impl Sink<'_> {
    fn write(&mut self, bytes: &[u8]) {
        match self {
            Sink::Ours => print(bytes),
            Sink::Kept(kept, is_shown) => {
                kept.extend_from_slice(bytes);
                if *is_shown {
                    print(bytes);
                }
            }
            Sink::Json(kept, json) => {
                if let Some(kept) = kept {
                    kept.extend_from_slice(bytes);
                }
                json.converter().write(bytes);
            }
        }
    }

    /// What has been printed, as far as it is known.
    fn seen(&self) -> &[u8] {
        match self {
            Sink::Ours | Sink::Json(None, _) => &[],
            Sink::Kept(kept, _) | Sink::Json(Some(kept), _) => kept,
        }
    }
}

fn print(bytes: &[u8]) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(bytes).and_then(|()| out.flush());
}

impl Tests {
    fn new(asked: Asked) -> Tests {
        Tests {
            asked,
            failed: AtomicBool::new(false),
            is_enough: AtomicBool::new(false),
        }
    }

    /// Does what is printed go out at once?
    fn is_streaming(&self) -> bool {
        self.asked.packages.is_empty() || self.asked.bench || self.asked.fuzz
    }

    fn run(&self, specs: &[Spec]) -> i32 {
        let cpus = std::thread::available_parallelism().map_or(1, |n| n.get());
        let jobs = match self.is_streaming() || self.asked.explores {
            true => 1,
            false => self.asked.jobs.unwrap_or(cpus).min(specs.len()),
        };
        let mut profiles = Vec::new();
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let (send, ended) = mpsc::channel();
            for _ in 0..jobs {
                let (send, next) = (send.clone(), &next);
                scope.spawn(move || {
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let Some(spec) = specs.get(at) else { return };
                        let is_enough = self.is_enough.load(Ordering::Relaxed);
                        let outcome = match is_enough {
                            true => Outcome::default(),
                            false => self.package(spec, specs.len() == 1 || jobs == 1),
                        };
                        let _ = send.send((at, outcome));
                    }
                });
            }
            drop(send);
            let mut waiting: Vec<Option<Outcome>> = specs.iter().map(|_| None).collect();
            let mut turn = 0;
            for (at, outcome) in ended {
                waiting[at] = Some(outcome);
                while let Some(outcome) = waiting.get_mut(turn).and_then(Option::take) {
                    print_error(&outcome.errors);
                    print(&outcome.output);
                    profiles.extend(outcome.profile);
                    turn += 1;
                }
            }
        });
        if let (Some(path), Some(mode)) = (&self.asked.cover_profile, self.asked.cover) {
            let path = self.in_output_dir(path);
            if let Err(e) = cover::merge(&path, mode, &profiles) {
                print_error(format_args!("{}\n", loader::message("open", &path, &e)));
                return 1;
            }
        }
        if !self.failed.load(Ordering::Relaxed) {
            return 0;
        }
        if !self.asked.json && !self.asked.fuzz && !self.asked.packages.is_empty() {
            print(b"FAIL\n");
        }
        1
    }

    /// Searches the schedules of each test, one after the other; the exit status.
    fn explore(&self, specs: &[Spec]) -> i32 {
        let mut status = 0;
        for spec in specs {
            let since = Instant::now();
            let one = self.explore_package(spec, specs.len() == 1);
            let result = match one {
                Ok(None) => continue,
                Ok(Some(true)) => "ok  ",
                Ok(Some(false)) | Err(_) => {
                    status = 1;
                    "FAIL"
                }
            };
            if let Err(e) = one {
                print_error(format_args!("gosched: {e}\n"));
            }
            let time = since.elapsed().as_secs_f64();
            if !self.asked.json {
                print(format!("{result}\t{}\t{time:.3}s\n", spec.path).as_bytes());
            }
        }
        status
    }

    /// Searches the schedules of the tests of a package, which may be the only one. Was nothing
    /// found? Nothing: there is none.
    fn explore_package(&self, spec: &Spec, is_alone: bool) -> std::io::Result<Option<bool>> {
        let mut names = Vec::new();
        let mut outcome = Outcome::default();
        let list = Tests::new(Asked {
            args: self.listing(),
            shows_all: true,
            packages: vec![spec.path.clone()],
            timeout: self.asked.timeout,
            ..Asked::default()
        });
        let (is_well, _) = list.test(spec, &mut Sink::Kept(&mut names, false), &mut outcome);
        print_error(&outcome.errors);
        let names = String::from_utf8_lossy(&names).into_owned();
        let has_none = names.starts_with("?   \t");
        if !is_well || has_none {
            match self.asked.json {
                true => print_error(names),
                false => print(names.as_bytes()),
            }
            return Ok((!has_none).then_some(false));
        }
        let names: Vec<&str> = names.lines().filter(|n| n.starts_with("Test")).collect();
        let mut is_well = true;
        for name in &names {
            if !self.asked.json {
                print(format!("=== EXPLORE {name}\n").as_bytes());
            }
            let searched = Spec {
                tells: false,
                explore: Some(self.explore_flags(spec, name, is_alone && names.len() == 1)),
                ..spec.clone()
            };
            let mut command = Command::new(std::env::current_exe()?);
            command.arg("test").arg(searched.word());
            command
                .arg("-test.paniconexit0")
                .args(self.asked.args.iter().filter(|arg| {
                    let ours = ["run", "timeout", "list", "coverprofile", "bench", "count"];
                    !ours
                        .iter()
                        .any(|name| arg.starts_with(&format!("-test.{name}=")))
                }));
            let below = self
                .pattern()
                .find('/')
                .map_or("", |at| &self.pattern()[at..]);
            command.arg(format!("-test.run=^{name}$") + below);
            is_well &= command.status()?.success();
        }
        Ok(Some(is_well))
    }

    /// The flags of the search for one test. The files that it writes have names of their own, if
    /// the test is not the only one.
    fn explore_flags(&self, spec: &Spec, test: &str, is_alone: bool) -> Vec<String> {
        let mut flags = self.asked.explore.clone();
        if self.asked.json {
            flags.push("--json".into());
        }
        for (flag, file) in [("output", &self.asked.output), ("dot", &self.asked.dot)] {
            let Some(file) = file else {
                continue;
            };
            let mut path = PathBuf::from(file);
            if !is_alone {
                let package = spec.path.rsplit('/').next().unwrap_or_default();
                let part = |part: Option<&std::ffi::OsStr>| {
                    part.map_or(String::new(), |p| p.to_string_lossy().into_owned())
                };
                let mut name = format!("{}-{package}-{test}", part(path.file_stem()));
                if let Some(extension) = path.extension() {
                    name += &format!(".{}", extension.to_string_lossy());
                }
                path.set_file_name(name);
            }
            flags.push(format!("--{flag}={}", path.display()));
        }
        flags
    }

    /// The value of `-run`.
    fn pattern(&self) -> &str {
        let given = self.asked.args.iter().rev();
        let mut given = given.filter_map(|w| w.strip_prefix("-test.run="));
        given.next().unwrap_or("")
    }

    /// The arguments that have a test list the names which are meant.
    fn listing(&self) -> Vec<String> {
        let name = self.pattern().split('/').next().unwrap_or("");
        let name = if name.is_empty() { "^Test" } else { name };
        vec![format!("-test.list={name}")]
    }

    fn in_output_dir(&self, path: &str) -> PathBuf {
        let dir = self.asked.args.iter().rev();
        let mut dir = dir.filter_map(|w| w.strip_prefix("-test.outputdir="));
        Path::new(dir.next().unwrap_or(".")).join(path)
    }

    /// Tests a package; `is_alone` if no other runs beside it.
    fn package(&self, spec: &Spec, is_alone: bool) -> Outcome {
        let mut outcome = Outcome::default();
        let mut kept = Vec::new();
        if self.asked.json {
            let kept = (!self.is_streaming()).then_some(&mut kept);
            let mut sink = Sink::Json(kept, json::Teller::new(&spec.path));
            let (is_well, failed_build) = self.test(spec, &mut sink, &mut outcome);
            if let Sink::Json(_, json) = sink {
                json.finish(is_well, &failed_build);
            }
        } else if self.is_streaming() {
            self.test(spec, &mut Sink::Ours, &mut outcome);
        } else {
            let is_shown = self.asked.shows_all && is_alone;
            self.test(spec, &mut Sink::Kept(&mut kept, is_shown), &mut outcome);
            if !is_shown {
                outcome.output = kept;
            }
        }
        outcome
    }

    /// Starts the process of a test and waits for it. Was all well? Else the package that could
    /// not be built, if it was that.
    fn test(&self, spec: &Spec, sink: &mut Sink, outcome: &mut Outcome) -> (bool, String) {
        let path = &spec.path;
        let fail = || {
            self.failed.store(true, Ordering::Relaxed);
            if self.asked.fail_fast {
                self.is_enough.store(true, Ordering::Relaxed);
            }
        };
        let mut running = match self.start(spec, sink, outcome) {
            Ok(running) => running,
            Err(e) => {
                fail();
                outcome.errors = format!("gosched: {e}\n");
                return (false, String::new());
            }
        };
        let since = match std::mem::replace(&mut running.stage, Stage::Built) {
            Stage::Built => running.since,
            Stage::NoTests { cover } => {
                let text = match cover {
                    Some((statements, lines)) if statements > 0 => {
                        if let Some(profile) = &outcome.profile {
                            let _ = std::fs::write(profile, lines);
                        }
                        format!("\t{path}\t\tcoverage: 0.0% of statements\n")
                    }
                    _ => format!("?   \t{path}\t[no test files]\n"),
                };
                sink.write(text.as_bytes());
                let _ = running.wait();
                return (true, String::new());
            }
            Stage::Failed { is_setup, text } => {
                let _ = running.wait();
                fail();
                let head = text
                    .lines()
                    .next()
                    .and_then(|l| l.strip_prefix("# "))
                    .unwrap_or(path);
                let (what, built) = match is_setup {
                    true => ("setup", ""),
                    false => ("build", head),
                };
                match self.asked.json {
                    true => json::build(head, &text),
                    false if self.is_streaming() => print_error(&text),
                    false => outcome.errors.clone_from(&text),
                }
                sink.write(format!("FAIL\t{path} [{what} failed]\n").as_bytes());
                return (false, built.to_string());
            }
        };
        let is_killed = running.pump(sink);
        let status = running.wait();
        let time = format!("{:.3}s", since.elapsed().as_secs_f64());
        let is_well = !is_killed && status.as_ref().is_ok_and(|s| s.success());
        let ends_line = |seen: &[u8]| seen.is_empty() || seen.ends_with(b"\n");
        if is_well {
            let cover = match spec.cover {
                Some(_) => coverage(sink.seen()),
                None => String::new(),
            };
            let none = no_tests(sink.seen());
            if let Sink::Kept(kept, false) = sink
                && !self.asked.shows_all
            {
                kept.clear();
            }
            if !ends_line(sink.seen()) {
                sink.write(b"\n");
            }
            sink.write(format!("ok  \t{path}\t{time}{cover}{none}\n").as_bytes());
            return (true, String::new());
        }
        fail();
        if is_killed {
            let limit = shown(running.limit.unwrap_or_default());
            sink.write(format!("*** Test killed: ran too long ({limit}).\n").as_bytes());
        }
        let exited = status
            .as_ref()
            .ok()
            .and_then(std::process::ExitStatus::code);
        if exited.is_none() || sink.seen().is_empty() {
            sink.write(format!("{}\n", ending(&status)).as_bytes());
        } else if !ends_line(sink.seen()) {
            sink.write(b"\n");
        }
        let mark = if self.asked.json { "\x16" } else { "" };
        sink.write(format!("{mark}FAIL\t{path}\t{time}\n").as_bytes());
        (false, String::new())
    }

    /// Starts the process of a test, and waits until it has been built.
    fn start(&self, spec: &Spec, sink: &Sink, outcome: &mut Outcome) -> std::io::Result<Running> {
        if !spec.missing.is_empty() {
            return Ok(Running::failed(spec));
        }
        let mut command = Command::new(std::env::current_exe()?);
        command
            .arg("test")
            .arg(spec.word())
            .arg("-test.paniconexit0");
        if self.asked.fuzz {
            let cache = fuzz_cache().join(&spec.path);
            command.arg(format!("-test.fuzzcachedir={}", cache.display()));
        }
        for arg in &self.asked.args {
            match arg.strip_prefix("-test.coverprofile=") {
                None => command.arg(arg),
                Some(_) => {
                    let profile = cover::temporary(&spec.path);
                    command.arg(format!("-test.coverprofile={}", profile.display()));
                    outcome.profile = Some(profile);
                    &mut command
                }
            };
        }
        let dir = std::path::absolute(&spec.dir)?;
        command.env("PWD", dir.canonicalize().unwrap_or(dir));
        let (mut stages, tells) = std::io::pipe()?;
        command.stdin(tells);
        let mut output = None;
        if matches!(sink, Sink::Ours) {
            command.stderr(std::io::stdout().as_fd().try_clone_to_owned()?);
        } else {
            let (read, write) = std::io::pipe()?;
            command.stderr(write.try_clone()?);
            command.stdout(write);
            output = Some(read);
        }
        let child = command.spawn()?;
        drop(command);
        let mut told = String::new();
        let _ = stages.read_to_string(&mut told);
        let stage = serde_json::from_str(&told).unwrap_or(Stage::Built);
        let limit = self.asked.timeout;
        let has_limit = !limit.is_zero() && !self.asked.bench && !self.asked.fuzz;
        Ok(Running {
            child: Some(child),
            stage,
            since: Instant::now(),
            output,
            limit: has_limit.then(|| limit + (limit / 10).max(Duration::from_secs(60))),
        })
    }
}

/// A process that has been started.
struct Running {
    child: Option<std::process::Child>,
    stage: Stage,
    since: Instant,
    output: Option<std::io::PipeReader>,
    /// It is killed when it runs for so long.
    limit: Option<Duration>,
}

impl Running {
    /// Of a package that is not there nothing runs.
    fn failed(spec: &Spec) -> Running {
        Running {
            child: None,
            stage: Stage::Failed {
                is_setup: true,
                text: format!("# {}\n{}\n", spec.path, spec.missing),
            },
            since: Instant::now(),
            output: None,
            limit: None,
        }
    }

    fn wait(&mut self) -> std::io::Result<std::process::ExitStatus> {
        match &mut self.child {
            Some(child) => child.wait(),
            None => Ok(std::process::ExitStatus::default()),
        }
    }

    /// Takes what it prints until it prints no more. True: it has been killed.
    fn pump(&mut self, sink: &mut Sink) -> bool {
        let mut buffer = [0; 1 << 14];
        let Some(output) = &mut self.output else {
            return false;
        };
        loop {
            use rustix::event::{PollFd, PollFlags, Timespec, poll};
            let left = self.limit.map(|l| l.saturating_sub(self.since.elapsed()));
            if left.is_some_and(|left| left.is_zero()) {
                if let Some(child) = &mut self.child {
                    let _ = child.kill();
                }
                return true;
            }
            let time = left.map(|left| Timespec {
                tv_sec: left.as_secs() as i64,
                tv_nsec: left.subsec_nanos().into(),
            });
            let mut fds = [PollFd::new(output, PollFlags::IN)];
            if poll(&mut fds, time.as_ref()).is_ok_and(|n| n == 0) {
                continue;
            }
            match output.read(&mut buffer) {
                Ok(0) | Err(_) => return false,
                Ok(n) => sink.write(&buffer[..n]),
            }
        }
    }
}

/// Where inputs of fuzz targets are kept.
fn fuzz_cache() -> PathBuf {
    let base = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    let base = base.or_else(home).unwrap_or_else(std::env::temp_dir);
    base.join("gosched").join("fuzz")
}

/// A duration as Go writes it.
fn shown(d: Duration) -> String {
    let seconds = d.as_secs();
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, s) => format!("{s}s"),
        (0, m, s) => format!("{m}m{s}s"),
        (h, m, s) => format!("{h}h{m}m{s}s"),
    }
}

/// How a process has ended.
fn ending(status: &std::io::Result<std::process::ExitStatus>) -> String {
    use std::os::unix::process::ExitStatusExt;
    match status {
        Ok(status) => match (status.code(), status.signal()) {
            (Some(code), _) => format!("exit status {code}"),
            (None, Some(signal)) => {
                let name = match signal {
                    libc::SIGKILL => "killed",
                    libc::SIGTERM => "terminated",
                    libc::SIGINT => "interrupt",
                    libc::SIGQUIT => "quit",
                    libc::SIGABRT => "aborted",
                    libc::SIGSEGV => "segmentation fault",
                    _ => return format!("signal: signal {signal}"),
                };
                format!("signal: {name}")
            }
            (None, None) => "exit status 1".into(),
        },
        Err(e) => e.to_string(),
    }
}

/// What the line of a package says of its coverage.
fn coverage(output: &[u8]) -> String {
    let text = String::from_utf8_lossy(output);
    let mut found = text.lines().filter_map(|l| l.split_once("coverage: "));
    found
        .next()
        .map_or(String::new(), |(_, of)| format!("\tcoverage: {of}"))
}

/// What it says if nothing was to run.
fn no_tests(output: &[u8]) -> &'static str {
    let text = String::from_utf8_lossy(output);
    let has = |line: &str| text.lines().any(|l| l == line);
    if has("testing: warning: -fuzz matches more than one fuzz test, won't fuzz") {
        return "[-fuzz matches more than one fuzz test, won't fuzz]";
    }
    if has("testing: warning: no fuzz tests to fuzz") {
        return " [no fuzz tests to fuzz]";
    }
    if has("testing: warning: no tests to run") {
        return " [no tests to run]";
    }
    ""
}
