//! The pipeline on one screen: load, parse, check, compile, run.
//!
//! The front end runs on a very large stack, since it recurses over trees as deep as the program
//! has them; it and the program itself run on the first thread, as Go's main goroutine does while
//! packages are initialised.

use crate::loader::godebug::{self, Setting};
use crate::loader::{self, Missing, Module, goroot};
use crate::steer::{self, Record, Recording, Replay, Runner, Search, Taped};
use crate::watch;
use bytecode::arena::{CODE, GLOBALS};
use bytecode::func;
use bytecode::image::Loaded;
use bytecode::unit::{self, Unit};
use bytecode::{disasm, rtype};
use compile::{Compiler, Refusal};
use gosched_runtime::control::tape;
use gosched_runtime::{coro, knobs, race, trace};
use source::{self, Pos, SourceFile, Symbol};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt::{Display, Write as _};
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;
use std::sync::Once;
use std::time::Duration;
pub(crate) use stdlib::Finder;
use stdlib::runtime::pprof::natives::Wanted;
use stdlib::{self, os::natives::Running};
use syntax::ast;
use syntax::diagnostics::Diagnostics;
use syntax::diagnostics::near::nearest;
use syntax::diagnostics::render::place;
use syntax::nesting;
use syntax::parser::{self, code, embed};
use types::library::Library;
use types::{Checker, Imported, Importer, PkgId, version};
use vm::engine;
use vm::value;

mod below;
mod errors;
mod profiles;
pub mod session;
pub(crate) mod test;

pub use crate::loader::Input;
pub use below::check_below;
use errors::report;
pub(crate) use errors::report_refused;
pub(crate) use profiles::FLAGS as PROFILES;

/// Address space for the stack of the front end; what is not touched costs nothing.
const FRONT_STACK: usize = 1 << 30;
/// The least that is tried where there is not as much.
const FRONT_STACK_MIN: usize = 8 << 20;

/// Our version, which `gosched version` prints.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The Go whose behaviour is followed.
pub const GO_VERSION: &str = "go1.27.3";

/// How to compile and run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Report every error, not only the first ten.
    pub all_errors: bool,
    /// How errors are told.
    pub errors: ErrorFormat,
    /// Errors are what was asked for: they go to standard output, as JSON.
    pub is_asked_for_errors: bool,
    /// The N of the language version go1.N that the main package is of, whatever its module says.
    pub lang: Option<u32>,
    /// The descriptor by which to tell what has been read.
    pub watched: Option<i32>,
    /// Where the scheduler's decisions are written.
    pub traces: Traces,
    /// Which profiles are written, and where.
    pub profiles: Vec<(Wanted, PathBuf)>,
    /// A unit to run in place of what the files say; it is deleted when it has been read.
    pub unit: Option<PathBuf>,
    /// What GODEBUG is in that unit's program as far as the environment does not say.
    pub godebug: String,
    /// What the program is to see as its name; the path of its first file if unset.
    pub argv0: Option<OsString>,
    /// The words of the command line that the program needs to run like this again,
    /// the files left out.
    pub again: Vec<OsString>,
}

/// How errors are told.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ErrorFormat {
    /// As [`Pretty`](Self::Pretty) at a terminal, as [`Go`](Self::Go) elsewhere.
    #[default]
    Usual,
    /// Go's lines.
    Go,
    /// Below each of Go's lines that of the program, with the place, and perhaps some advice.
    Pretty,
    /// A JSON object on a line.
    Json,
}

/// Why a program was refused: what to print on standard error.
#[derive(Debug)]
pub enum Refused {
    /// Something that has no position: a file that cannot be read.
    Message(String),
    /// Errors in the program.
    Errors(Diagnostics),
    /// What the machine cannot give it.
    Fatal(String),
}

/// A compiled program, and what has found its natives.
type Program = (Unit, Finder);

/// Compiles and runs a program, whose arguments are `args`. Returns only if it was refused.
pub fn run(input: &Input, args: Vec<OsString>, options: &Options) -> i32 {
    let loaded = match &options.unit {
        Some(path) => {
            knobs::set_default_godebug(options.godebug.clone());
            load_file(path)
        }
        None => front(input, options, |checker, main| {
            let program = compile_command(checker, main)?;
            if std::env::var_os("GOSCHED_UNITS").is_some_and(|v| v == "roundtrip") {
                return Err(run_again(program.0));
            }
            load(program)
        }),
    };
    if let (Some(fd), None) = (options.watched, &options.unit) {
        watch::tell(fd, &loader::seen());
    }
    let program = match loaded {
        Ok(program) => program,
        Err(why) => return report(why, options),
    };
    stdlib::os::natives::set_running(running(input, args, options));
    if let Err(status) = check_environment().and_then(|()| options.traces.begin()) {
        return status;
    }
    if let Err(status) = profiles::begin(&options.profiles) {
        return status;
    }
    engine::start(program)
}

/// Compiles a program and searches its schedules for one that fails; the exit status.
pub(crate) fn explore(
    input: &Input,
    args: Vec<OsString>,
    options: &Options,
    search: &Search,
) -> i32 {
    match runner(input, args, options, search.steps) {
        Ok(mut runner) => steer::explore(search, &mut runner),
        Err(status) => status,
    }
}

/// Compiles a program and runs it as it was recorded; the exit status.
pub(crate) fn replay(
    input: &Input,
    args: Vec<OsString>,
    options: &Options,
    recording: &Recording,
    how: Replay,
) -> i32 {
    match runner(input, args, options, u64::MAX) {
        Ok(mut runner) => steer::replay(&mut runner, recording, how),
        Err(status) => status,
    }
}

/// Compiles a program, and runs and records it. Returns only if it was refused.
pub(crate) fn record(input: &Input, args: Vec<OsString>, options: &Options, how: &Record) -> i32 {
    run_taped(input, args, options, false, || {
        steer::record(how).map_err(|e| {
            print_error(format_args!(
                "gosched: record: {}\n",
                crate::loader::os_text(&e)
            ));
            2
        })
    })
}

/// Compiles a program and runs it as it was recorded. Returns only if it was refused.
pub(crate) fn replay_tape(
    input: &Input,
    args: Vec<OsString>,
    options: &Options,
    taped: Taped,
    how: Replay,
) -> i32 {
    run_taped(input, args, options, true, || {
        steer::replay_tape(taped, how)
    })
}

/// Executes gosched once more, with the same words and these variables of the environment. Returns
/// only if that fails.
pub(crate) fn start_again(variables: &[(&str, Option<&str>)]) -> i32 {
    let gosched = std::env::current_exe().unwrap_or_else(|_| "gosched".into());
    let mut command = Command::new(gosched);
    command.args(std::env::args_os().skip(1));
    for (name, value) in variables {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let e = command.exec();
    print_error(format_args!(
        "gosched: replay: {}\n",
        crate::loader::os_text(&e)
    ));
    2
}

/// Runs a program with a tape, which `begin` lays in when all has been loaded.
fn run_taped(
    input: &Input,
    args: Vec<OsString>,
    options: &Options,
    replays: bool,
    begin: impl FnOnce() -> Result<(), i32>,
) -> i32 {
    tape::announce(replays);
    let loaded = front(input, options, |checker, main| {
        load(compile_command(checker, main)?)
    });
    let program = match loaded {
        Ok(program) => program,
        Err(why) => return report(why, options),
    };
    stdlib::os::natives::set_running(running(input, args, options));
    match check_environment().and_then(|()| begin()) {
        Ok(()) => engine::start(program),
        Err(status) => status,
    }
}

/// Switches the detector of races on, for the program that is to be run. `false`, and said: there
/// is no address space for it.
pub(crate) fn look_for_races() -> bool {
    let is_on = race::switch_on(GLOBALS.whole(), CODE.base());
    if !is_on {
        print_error("gosched: no address space to look for races\n");
    }
    is_on
}

/// Compiles a program that is to be run in children, with so many decisions at most; the exit
/// status if it is refused.
fn runner(
    input: &Input,
    args: Vec<OsString>,
    options: &Options,
    steps: u64,
) -> Result<Runner, i32> {
    let loaded = front(input, options, |checker, main| {
        load(compile_command(checker, main)?)
    });
    let loaded = loaded.map_err(|why| report(why, options))?;
    check_environment()?;
    stdlib::os::natives::set_running(running(input, args, options));
    let start = |loaded, _: &[String]| engine::start(loaded);
    Ok(Runner::new(loaded, Box::new(start), Vec::new(), steps))
}

/// Where the scheduler's decisions are written, and how much of them.
#[derive(Clone, Debug, Default)]
pub struct Traces {
    /// The file for JSON lines.
    pub log: Option<PathBuf>,
    /// The file for a trace.
    pub trace: Option<PathBuf>,
    /// Frames of each stack.
    pub frames: Option<usize>,
    /// Of a trace only what has been recorded in this time is kept, and is written at the end.
    pub last: Option<Duration>,
    /// Only these events are recorded; empty: all.
    pub only: Vec<String>,
    /// The file for a graph of who waits for whom at the end.
    pub graph: Option<PathBuf>,
    /// The descriptor by which to tell what there is to see.
    pub live: Option<i32>,
    /// At the end is told how long goroutines waited for a turn.
    pub tells_latency: bool,
    /// How long one may wait for a turn.
    pub latency_most: Option<Duration>,
}

impl Traces {
    /// Begins to write, of the program that has been loaded; the exit status if that fails.
    pub(crate) fn begin(&self) -> Result<(), i32> {
        if !self.only.is_empty()
            && let Err(unknown) = trace::record_only(&self.only)
        {
            print_error(format_args!("gosched: there is no event {unknown:?}\n"));
            return Err(2);
        }
        if self.tells_latency || self.latency_most.is_some() {
            let begun = trace::measure_latency(self.tells_latency, self.latency_most);
            begun.map_err(|e| {
                print_error(format_args!(
                    "gosched: --latency: {}\n",
                    crate::loader::os_text(&e)
                ));
                2
            })?;
        }
        if let Some(pipe) = self.live.and_then(crate::watch::inherited) {
            let begun = trace::tell_live(pipe);
            begun.map_err(|e| {
                print_error(format_args!(
                    "gosched: top: {}\n",
                    crate::loader::os_text(&e)
                ));
                2
            })?;
        }
        if self.log.is_none() && self.trace.is_none() && self.graph.is_none() {
            return Ok(());
        }
        let head = trace::Head {
            gosched: VERSION,
            go: GO_VERSION,
            args: stdlib::os::natives::arguments(),
            files: steer::files_read(),
        };
        if let Some(frames) = self.frames {
            trace::set_depth(frames);
        }
        type Begin<'a> = &'a dyn Fn(File, &trace::Head) -> io::Result<()>;
        let begin = |path: &Option<PathBuf>, to: Begin<'_>| {
            let Some(path) = path else { return Ok(()) };
            let file = match path.as_os_str() == "-" {
                true => io::stderr().as_fd().try_clone_to_owned().map(File::from),
                false => File::create(path),
            };
            file.and_then(|f| to(f, &head)).map_err(|e| {
                print_error(format_args!(
                    "gosched: {}\n",
                    loader::message("open", path, &e)
                ));
                2
            })
        };
        match self.last {
            Some(keep) => begin(&self.trace, &|file, head| {
                trace::keep_last(file, head, keep)
            })?,
            None => begin(&self.trace, &trace::trace_to)?,
        }
        begin(&self.graph, &|file, _| trace::draw_waits_to(file))?;
        begin(&self.log, &trace::log_to)
    }
}

/// Compiles a program; the unit, written out.
pub fn compile_to_bytes(input: &Input, options: &Options) -> Result<Vec<u8>, Refused> {
    front(input, options, |checker, main| {
        let (unit, _) = compile_command(checker, main)?;
        Ok(unit::file::write(unit))
    })
}

/// Compiles a program and reports its errors.
pub fn check(input: &Input, options: &Options) -> i32 {
    match front(input, options, compile) {
        Ok(_) => 0,
        Err(why) => report(why, options),
    }
}

/// Prints the bytecode of the functions whose name contains `filter`, with `native` the code of the
/// machine that it becomes, and where calls of such functions have been compiled in place.
pub fn disasm(input: &Input, filter: &str, native: bool, options: &Options) -> i32 {
    if let Err(why) = front(input, options, |c, main| compile(c, main).and_then(load)) {
        return report(why, options);
    }
    let mut out = String::new();
    let mut in_place: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
    for info in (0..func::count()).filter_map(func::info) {
        let is_wanted = if filter.is_empty() {
            !info.is_stub() && info.flags & func::STD == 0
        } else {
            info.name.contains(filter)
        };
        if is_wanted {
            out.push_str(&disasm::function(info.code(), info, vm::native::name));
            out.push('\n');
            if native {
                let Some(text) = vm::listing(info) else {
                    print_error(format_args!(
                        "gosched: there is no native code on this system\n"
                    ));
                    return 1;
                };
                out.push_str(&text);
                out.push('\n');
            }
        }
        let calls = info.inlined.iter().map(|call| &*call.name);
        for name in calls.filter(|name| !filter.is_empty() && name.contains(filter)) {
            *in_place
                .entry(name)
                .or_default()
                .entry(&info.name)
                .or_default() += 1;
        }
    }
    for (name, places) in in_place {
        let places: Vec<String> = places
            .iter()
            .map(|(function, calls)| match calls {
                1 => (*function).to_string(),
                _ => format!("{function} ({calls} times)"),
            })
            .collect();
        let _ = writeln!(out, "{name}: compiled in place in {}", places.join(", "));
    }
    if out.is_empty() {
        print_error(format_args!(
            "gosched: no function that the program reaches has a name with {filter:?} in it\n"
        ));
        return 1;
    }
    print_output(out)
}

/// Writes what was asked for to standard output; the exit status: 2 if it could not be written.
///
/// A reader that has gone away, as in `gosched disasm f.go | head`, is no failure.
pub fn print_output(text: impl Display) -> i32 {
    let mut out = std::io::stdout().lock();
    match write!(out, "{text}").and_then(|()| out.flush()) {
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => {
            print_error(format_args!(
                "gosched: writing standard output: {}\n",
                crate::loader::os_text(&e)
            ));
            2
        }
        _ => 0,
    }
}

/// Writes to standard error. That this failed could be told nowhere else.
pub fn print_error(text: impl Display) {
    let _ = write!(std::io::stderr().lock(), "{text}");
}

/// Loads, parses and checks, then hands the checker and the main package to `back`,
/// all on a large stack.
fn front<T>(
    input: &Input,
    options: &Options,
    back: impl FnOnce(Checker, PkgId) -> Result<T, Refused>,
) -> Result<T, Refused> {
    on_front_stack(|| {
        let (checker, main) = check_sources(input, options.lang)?;
        back(checker, main)
    })
}

/// Does work that recurses over trees on a large stack.
fn on_front_stack<T>(front: impl FnOnce() -> T) -> T {
    // Where address space is limited, a smaller stack has to do.
    let mut bytes = FRONT_STACK;
    while !coro::is_room_for(bytes) && bytes > FRONT_STACK_MIN {
        bytes /= 2;
    }
    let work = || {
        nesting::announce(bytes);
        front()
    };
    let result = coro::on_large_stack(bytes, work);
    nesting::forget();
    result.unwrap_or_else(|| {
        print_error("fatal error: out of memory: no address space for the compiler\n");
        std::process::exit(2)
    })
}

fn check_sources(input: &Input, lang: Option<u32>) -> Result<(Checker, PkgId), Refused> {
    if library_folder().is_none() {
        restore_library();
    }
    let module = loader::module_of(input).map_err(Refused::Message)?;
    let sources = loader::load(input).map_err(Refused::Message)?;
    if let (Input::Stdin, &[file]) = (input, &sources[..])
        && file.text.trim().is_empty()
    {
        let text = "standard input is empty: a program is expected, or statements";
        return Err(Refused::Message(text.into()));
    }
    let (files, mut diagnostics) = match (input, &sources[..]) {
        (Input::Code(code), _) => parse_code(&code.files(), code.round()),
        // Standard input may be statements, as they stand behind -e.
        (Input::Stdin, &[file]) if is_bare(file.text) => {
            let role = code::Role::Code;
            parse_code(&[code::Chunk { role, file }], None)
        }
        _ => parse(&sources),
    };
    let own_path = own_path(input, module.as_ref());
    let (settings, wrong) = debug_lines(&sources);
    set_godebug(module.as_ref(), &settings);
    if diagnostics.has_syntax_errors()
        || refuse_internal(&files, own_path.as_deref(), &mut diagnostics)
    {
        return Err(Refused::Errors(diagnostics));
    }
    // Files that are named belong to no module.
    let is_named = !matches!(input, Input::Dir(_) | Input::Package(_));
    if let (false, Some(path), Some(module)) = (is_named, &own_path, &module) {
        loader::note_main(path, &module.path);
    }
    let module_lang = module.as_ref().map_or(version::CURRENT, |m| m.lang);
    let own_lang = if is_named {
        version::CURRENT
    } else {
        module_lang
    };
    let importer = Packages::new(module);
    if let Some(path) = own_path.filter(|_| !is_named) {
        importer.note_imports(&path, &files);
    }
    let (syntax, refused) = (importer.syntax.clone(), importer.refused.clone());
    let mut checker = new_checker(importer);
    checker.diags.append(diagnostics);
    checker.declare_versions(&files, lang.unwrap_or(own_lang));
    let main = checker.check_package("main", files);
    // Syntax errors of imported packages come first: what depends on them is not worth reading.
    let syntax = syntax.take();
    if !syntax.is_empty() {
        return Err(Refused::Errors(syntax));
    }
    let mut diagnostics = std::mem::take(&mut checker.diags);
    // An import by use has no place: that it is not used is nobody's mistake.
    diagnostics.retain(|d| d.pos.is_known() || !d.is_soft);
    explain_assembly(&mut diagnostics);
    // What depends on packages that do not exist is not worth reading either.
    let refused = refused.take();
    if refused.iter().any(|r| r.is_missing) {
        diagnostics.retain(|d| refused.iter().any(|r| r.text == d.message));
    } else if !wrong.is_empty() {
        diagnostics = wrong;
    }
    if diagnostics.is_empty() {
        Ok((checker, main))
    } else {
        Err(Refused::Errors(diagnostics))
    }
}

/// The settings that `//go:debug` lines of a package ask for, and what is wrong with them.
///
/// Go: cmd/go/internal/work, checkDirectives.
fn debug_lines(sources: &[&'static SourceFile]) -> (Vec<Setting>, Diagnostics) {
    let (mut settings, mut wrong) = (Vec::new(), Diagnostics::new());
    let mut seen: BTreeMap<String, Pos> = BTreeMap::new();
    for source in sources {
        for (at, line) in godebug::lines(source.text) {
            let pos = Pos(source.base + at as u32);
            match line {
                Ok(setting) => match seen.get(&setting.key) {
                    Some(&before) => {
                        let text = format!("repeated //go:debug for {}", setting.key);
                        let before = place(before);
                        let (line, column) = (before.line, before.column);
                        let text = format!(
                            "{text}\n\t{}:{line}:{column}: previous //go:debug",
                            before.file
                        );
                        wrong.error(pos, text);
                    }
                    None => {
                        seen.insert(setting.key.clone(), pos);
                        settings.push(setting);
                    }
                },
                Err(why) if why.starts_with("unsupported: ") => wrong.error(pos, why),
                Err(why) => wrong.error(pos, format!("invalid //go:debug: {why}")),
            }
        }
    }
    (settings, wrong)
}

/// Says what GODEBUG is in the program as far as the environment does not say.
fn set_godebug(module: Option<&Module>, settings: &[Setting]) {
    let list = match module {
        Some(module) => module.godebug(settings),
        None => godebug::defaults(version::CURRENT, settings),
    };
    knobs::set_default_godebug(list);
}

/// Does GODEBUG in the environment ask for what there is? The error is the exit status.
fn check_environment() -> Result<(), i32> {
    let list = std::env::var("GODEBUG").unwrap_or_default();
    match godebug::wrong_in_environment(&list) {
        Some(why) => Err(report(Refused::Fatal(why), &Options::default())),
        None => Ok(()),
    }
}

/// Says of functions without a body where their bodies are, if they are written in assembly.
fn explain_assembly(diagnostics: &mut Diagnostics) {
    diagnostics.reword(|d| {
        let file = source::map().file(d.pos)?;
        let text = file.text.get((d.pos.0 - file.base) as usize..)?;
        match d.message == "missing function body" {
            true => loader::assembly_refusal(Path::new(&file.path), text),
            false => None,
        }
    });
}

/// Where debug builds find the texts of the library, for those who work on it: nothing has to be
/// built anew. The packages are those that there were when this was built.
fn library_folder() -> Option<OsString> {
    match cfg!(debug_assertions) {
        true => std::env::var_os("GOSCHED_STDLIB"),
        false => None,
    }
}

/// Makes the names and files known that the library mentions.
fn restore_library() {
    static RESTORED: Once = Once::new();
    RESTORED.call_once(|| source::restore(stdlib::SOURCES));
}

/// The syntax trees of files, which live as long as the process, and what is wrong with them.
/// Without syntax errors there is a tree of each.
fn parse(sources: &[&'static SourceFile]) -> (Vec<&'static ast::File>, Diagnostics) {
    parse_with(sources, |_| ())
}

/// As [`parse`], with something changed in the trees.
fn parse_with(
    sources: &[&'static SourceFile],
    change: impl Fn(&mut ast::File),
) -> (Vec<&'static ast::File>, Diagnostics) {
    let mut diagnostics = Diagnostics::new();
    let mut files = Vec::new();
    for source in sources {
        if let Some(mut file) = parser::parse_file(source, &mut diagnostics) {
            embed_files(source, &mut file, &mut diagnostics);
            change(&mut file);
            files.push(&*Box::leak(Box::new(file)));
        }
    }
    (files, diagnostics)
}

/// Gives variables below `//go:embed` their values.
fn embed_files(source: &SourceFile, file: &mut ast::File, diagnostics: &mut Diagnostics) {
    if file.directives.embeds.is_empty() || !embed::imports_embed(file) {
        return;
    }
    let folder = Path::new(&source.path).parent();
    let folder = folder.unwrap_or(Path::new("."));
    let mut names: BTreeMap<Symbol, Vec<String>> = BTreeMap::new();
    for embed in file.directives.embeds.iter().filter(|e| e.why.is_none()) {
        for (pos, pattern) in &embed.patterns {
            match loader::embed::resolve(folder, pattern) {
                Ok(found) => embed
                    .variable
                    .into_iter()
                    .for_each(|v| names.entry(v).or_default().extend(found.clone())),
                Err(why) => {
                    diagnostics.error(*pos, format!("pattern {pattern}: {why}"));
                    // Of a package Go tells the first one only.
                    return;
                }
            }
        }
    }
    for (variable, mut list) in names {
        list.sort();
        list.dedup();
        for embed in &mut file.directives.embeds {
            if embed.variable == Some(variable) {
                embed.files = list.len();
            }
        }
        // Folders count where there is a tree; one file alone may be one as well.
        match loader::embed::contents(folder, &list, true) {
            Ok(contents) => embed::give_value(file, variable, &contents),
            Err(why) => diagnostics.error(file.pos, why),
        }
    }
}

/// Has a text no package clause, but something else?
fn is_bare(text: &str) -> bool {
    let first = &text[godebug::end_of_comments(text)..];
    !first.is_empty() && !first.starts_with("package")
}

/// As [`parse`], of code from the command line.
fn parse_code(
    chunks: &[code::Chunk],
    round: Option<code::Loop>,
) -> (Vec<&'static ast::File>, Diagnostics) {
    let mut diagnostics = Diagnostics::new();
    let packages = loader::packages_by_name();
    let package_of = |name: &str| packages.get(name).copied();
    let file = code::parse_code(chunks, round, &package_of, &mut diagnostics);
    let files = file.map(|f| &*Box::leak(Box::new(f)));
    (files.into_iter().collect(), diagnostics)
}

/// The import path that a program's main package would have.
fn own_path(input: &Input, module: Option<&Module>) -> Option<String> {
    match input {
        Input::Package(path) => Some(path.clone()),
        Input::Dir(dir) => module?.import_path(dir),
        Input::Files(files) => {
            let dir = files.first()?.parent()?;
            module?.import_path(&Path::new(".").join(dir))
        }
        Input::Stdin | Input::Code(_) => module?.import_path(Path::new(".")),
    }
}

/// The library's own packages, and those that other modules keep to themselves, are not for
/// programs. Does the package at `by` import one? Go: cmd/go/internal/load, disallowInternal.
pub(crate) fn refuse_internal(
    files: &[&'static ast::File],
    by: Option<&str>,
    diagnostics: &mut Diagnostics,
) -> bool {
    let before = diagnostics.len();
    for decl in files.iter().flat_map(|f| &f.decls) {
        if let ast::Decl::Import(spec) = decl
            && !loader::may_import(by, &spec.path)
            && spec.path_pos.is_known()
        {
            let text = format!("use of internal package {} not allowed", spec.path);
            diagnostics.error(spec.name.map_or(spec.path_pos, |name| name.pos), text);
        }
    }
    diagnostics.len() > before
}

/// Why an import was refused.
struct RefusedImport {
    path: String,
    text: String,
    /// Neither the program's module nor Go has the package.
    is_missing: bool,
}

/// Where imports come from: the program's own module, those that it requires, then the standard
/// library.
struct Packages {
    module: Option<Module>,
    /// By which package each is imported first.
    importers: Rc<RefCell<BTreeMap<String, String>>>,
    /// The packages that come from a Go source tree, or are checked as those are.
    of_tree: BTreeSet<String>,
    /// Syntax errors found in imported packages.
    syntax: Rc<RefCell<Diagnostics>>,
    refused: Rc<RefCell<Vec<RefusedImport>>>,
}

impl Importer for Packages {
    fn import(&mut self, path: &str) -> Result<Imported, String> {
        if let Some(folder) = library_folder()
            && stdlib::package(path).is_some()
        {
            return Library::new(folder).import(path);
        }
        if let Some(marked) = path.strip_prefix(goroot::MARK) {
            return self.tree_package(marked);
        }
        let is_library = stdlib::catalog::is_go_package(path);
        let found = match is_library {
            true => Err(Missing::NoModule),
            false => {
                let by = self.importers.borrow().get(path).cloned();
                loader::locate(self.module.as_ref(), path, by.as_deref())
            }
        };
        let (text, is_missing) = match found {
            Ok(found) => {
                let sources = match found.is_foreign {
                    true => loader::load_foreign(&found.dir, goroot::has_bound(path))?,
                    false => loader::load_dir(&found.dir)?,
                };
                return self.module_package(path, &sources, found.lang);
            }
            Err(_) if path == "C" => ("unsupported: cgo".into(), false),
            Err(_) if is_library => return self.tree_package(path),
            Err(Missing::Told(text)) => (text, true),
            Err(Missing::NoModule) => (format!("package {path} is not in std"), true),
        };
        Err(self.refuse(path, text, is_missing))
    }

    fn is_of_tree(&self, path: &str) -> bool {
        self.of_tree.contains(path)
    }

    fn bound(&self, path: &str, name: &str) -> Option<(String, String)> {
        goroot::bound(path, name)
    }

    fn linked(&self, remote: &str) -> Option<(String, String)> {
        goroot::linked(remote)
    }

    fn lacks(&self, path: &str, name: &str) -> bool {
        stdlib::catalog::is_go_name(path, name)
    }

    fn packages(&self) -> BTreeMap<String, &'static str> {
        loader::packages_by_name()
    }

    fn near(&self, path: &str) -> Option<String> {
        if stdlib::catalog::is_go_package(path) {
            return None;
        }
        let paths = stdlib::paths();
        let open = paths.iter().filter(|p| !p.starts_with("internal/"));
        nearest(path, open.copied()).map(str::to_string)
    }
}

impl Packages {
    fn new(module: Option<Module>) -> Packages {
        Packages {
            module,
            importers: Rc::default(),
            of_tree: BTreeSet::new(),
            syntax: Rc::default(),
            refused: Rc::default(),
        }
    }

    fn refuse(&mut self, path: &str, text: String, is_missing: bool) -> String {
        let refused = RefusedImport {
            path: path.to_string(),
            text: text.clone(),
            is_missing,
        };
        self.refused.borrow_mut().push(refused);
        text
    }

    /// A package of a Go source tree, or what stands in its place. The error is a message.
    fn tree_package(&mut self, path: &str) -> Result<Imported, String> {
        match self.find_in_tree(path) {
            Ok(found) => Ok(found),
            Err(why) => Err(self.refuse(path, format!("unsupported: package {path}{why}"), false)),
        }
    }

    /// Fails with what is said behind the package's name.
    fn find_in_tree(&mut self, path: &str) -> Result<Imported, String> {
        if let Some(why) = goroot::refusal(path) {
            return Err(format!(": {why}"));
        }
        let sources = match goroot::own_text(path) {
            Some(text) => vec![loader::add_own(path, &text)],
            None => {
                self.of_tree.insert(path.to_string());
                let files = loader::load_tree(&goroot::folder_of(path)?);
                files.map_err(|e| format!(": {e}"))?
            }
        };
        let mark = |spec: &mut ast::ImportSpec| {
            if let Some(path) = goroot::own_path(&spec.path) {
                spec.path = path;
            }
        };
        let (files, errors) = parse_with(&sources, |file| {
            for decl in &mut file.decls {
                if let ast::Decl::Import(spec) = decl {
                    mark(spec);
                }
            }
        });
        if let Some(first) = errors.as_slice().first() {
            let at = source::map().position(first.pos);
            return Err(format!(": {at}: {}", first.message));
        }
        if let Some((local, remote)) = linked_variable(&files) {
            return Err(format!(": its variable {local} is that of {remote}"));
        }
        Ok(Imported {
            lang: version::CURRENT,
            path: path.to_string(),
            files,
            is_std: true,
        })
    }

    /// Notes what the package at `path` imports.
    fn note_imports(&self, path: &str, files: &[&'static ast::File]) {
        note_imports(&mut self.importers.borrow_mut(), path, files);
    }

    fn module_package(
        &mut self,
        path: &str,
        sources: &[&'static SourceFile],
        lang: u32,
    ) -> Result<Imported, String> {
        let (mut files, mut errors) = parse(sources);
        refuse_internal(&files, Some(path), &mut errors);
        // They count in the main package alone, but must be right.
        errors.append(debug_lines(sources).1);
        if !errors.is_empty() {
            self.syntax.borrow_mut().append(errors);
            files.clear();
        }
        if files
            .first()
            .is_some_and(|f| f.package.name.as_str() == "main")
        {
            let text = format!("import {path:?} is a program, not an importable package");
            return Err(self.refuse(path, text, true));
        }
        self.note_imports(path, &files);
        let is_std = goroot::has_bound(path);
        if is_std {
            self.of_tree.insert(path.to_string());
        }
        Ok(Imported {
            path: path.to_string(),
            files,
            is_std,
            lang,
        })
    }
}

/// Notes what the package at `path` imports, by which package each is imported first.
fn note_imports(
    importers: &mut BTreeMap<String, String>,
    path: &str,
    files: &[&'static ast::File],
) {
    for decl in files.iter().flat_map(|f| &f.decls) {
        if let ast::Decl::Import(spec) = decl {
            let importer = importers.entry(spec.path.to_string());
            importer.or_insert_with(|| path.to_string());
        }
    }
}

/// A variable that `//go:linkname` makes another package's, and which one.
fn linked_variable(files: &[&'static ast::File]) -> Option<(String, String)> {
    let is_variable = |local: &str| {
        let mut decls = files.iter().flat_map(|file| &file.decls);
        decls.any(|decl| match decl {
            ast::Decl::Var(spec) => spec.names.iter().any(|name| name.name.as_str() == local),
            _ => false,
        })
    };
    let mut links = files.iter().flat_map(|file| &file.directives.linknames);
    links.find_map(|link| {
        let remote = link.remote.clone()?;
        is_variable(&link.local).then(|| (link.local.clone(), remote))
    })
}

/// A program without anything in it, to which a session adds.
pub(crate) fn empty_program() -> Result<(Checker, PkgId), Refused> {
    if library_folder().is_none() {
        restore_library();
    }
    let text = "package main\n".to_string();
    let (files, _) = parse(&[source::map().add("prompt.go", "prompt.go", text)]);
    // The folder's module, if it is one, has packages to import.
    let module = loader::module_of(&Input::Dir(".".into())).ok().flatten();
    set_godebug(module.as_ref(), &[]);
    let importer = Packages::new(module);
    let mut checker = new_checker(importer);
    checker.declare_versions(&files, version::CURRENT);
    let main = checker.check_package("main", files);
    Ok((checker, main))
}

fn new_checker(importer: impl Importer + 'static) -> Checker {
    match library_folder() {
        None => Checker::with_exported(stdlib::EXPORTED, Box::new(importer)),
        Some(_) => Checker::new(Box::new(importer)),
    }
}

/// As [`compile`]; refuses a package that is no command.
fn compile_command(checker: Checker, main: PkgId) -> Result<Program, Refused> {
    let name = checker.pkg(main).name;
    if name.as_str() != "main" {
        let text = format!("package {name} is not a main package");
        return Err(Refused::Message(text));
    }
    // The checker has seen to it that it is a function without parameters, if anything.
    if checker.lookup_in_package(main, "main").is_none() {
        let text = "function main is undeclared in the main package";
        return Err(Refused::Message(text.into()));
    }
    compile(checker, main)
}

fn compile(checker: Checker, main: PkgId) -> Result<Program, Refused> {
    let finder = Rc::new(RefCell::new(Finder::default()));
    let mut compiler = compiler(checker, &finder);
    let unit = compiler.compile_program(main).map_err(refused)?;
    // The checker's tables are not needed any more,
    // and taking them apart takes longer than leaving them.
    std::mem::forget(compiler);
    Ok((unit, finder.take()))
}

/// A compiler, which asks `finder` what functions are native.
pub(crate) fn compiler(checker: Checker, finder: &Rc<RefCell<Finder>>) -> Compiler {
    register_layouts();
    let finder = finder.clone();
    let is_native = move |path: &str, name: &str| finder.borrow_mut().has(path, name);
    let compiler = Compiler::new(checker, Box::new(is_native));
    match library_folder() {
        None => compiler.with_objects(stdlib::OBJECTS),
        Some(_) => compiler,
    }
}

/// What the compiler has refused.
pub(crate) fn refused(mut errors: Vec<Refusal>) -> Refused {
    errors.sort_by_key(|e| e.pos);
    let mut diagnostics = Diagnostics::new();
    for e in errors {
        diagnostics.error(e.pos, e.message);
    }
    Refused::Errors(diagnostics)
}

/// Says where the layouts of types are registered.
fn register_layouts() {
    rtype::register_layouts(value::heap_layout, value::heap_layout_of_parts);
}

/// Makes a compiled program ready to run.
fn load((unit, mut finder): Program) -> Result<Loaded, Refused> {
    let loaded = engine::load(unit, &mut |name| finder.entry(name));
    loaded.map_err(|why| Refused::Fatal(why.to_string()))
}

/// Loads a unit that [`run_again`] has written.
fn load_file(path: &Path) -> Result<Loaded, Refused> {
    let fail = |why: &dyn Display| Refused::Message(format!("{}: {why}", path.display()));
    let bytes = std::fs::read(path).map_err(|e| fail(&e))?;
    register_layouts();
    let unit = unit::file::read(&bytes).map_err(|e| fail(&e))?;
    let _ = std::fs::remove_file(path);
    load((unit, Finder::default()))
}

/// Writes the unit out and has it read back and run by another process, in place of this one:
/// whatever a unit does not say is lost. Returns why that cannot be.
fn run_again(unit: Unit) -> Refused {
    let path = std::env::temp_dir().join(format!("gosched-unit-{}", std::process::id()));
    if let Err(e) = std::fs::write(&path, unit::file::write(unit)) {
        return Refused::Message(loader::message("write", &path, &e));
    }
    let mut words = std::env::args_os();
    let mut flag = OsString::from("--unit=");
    flag.push(&path);
    let error = Command::new("/proc/self/exe")
        .arg0(words.next().unwrap_or_default())
        .arg(flag)
        .arg(format!("--godebug={}", knobs::default_godebug()))
        .args(words)
        .env_remove("GOSCHED_UNITS")
        .exec();
    Refused::Message(format!("starting anew: {error}"))
}

/// What the program may know of itself.
/// Its name is an absolute path, so that it can start itself again from anywhere.
fn running(input: &Input, args: Vec<OsString>, options: &Options) -> Running {
    let bytes = |p: &PathBuf| {
        let absolute = std::path::absolute(p).unwrap_or_else(|_| p.clone());
        absolute.into_os_string().into_encoded_bytes()
    };
    let files: Vec<Vec<u8>> = match input {
        Input::Files(files) => files.iter().map(bytes).collect(),
        Input::Dir(dir) => vec![bytes(dir)],
        Input::Package(_) => loader::folder(input).iter().map(bytes).collect(),
        Input::Stdin | Input::Code(_) => Vec::new(),
    };
    let path = files.first().cloned().unwrap_or_default();
    let name = options.argv0.clone().map(OsString::into_encoded_bytes);
    let name = name.unwrap_or_else(|| match input {
        Input::Stdin => b"-".to_vec(),
        Input::Code(_) => b"-e".to_vec(),
        _ => path.clone(),
    });
    let mut again = options.again.clone();
    again.push(format!("--files={}", files.len()).into());
    let again = again.into_iter().map(OsString::into_encoded_bytes);
    let args = args.into_iter().map(OsString::into_encoded_bytes);
    Running {
        arguments: std::iter::once(name).chain(args).collect(),
        again: again.chain(files).collect(),
        path,
        is_test: false,
        build: loader::build_text(),
    }
}
