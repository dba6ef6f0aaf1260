//! The test of a package as a program: the package with the files of its test, the external test
//! package, and a main package that hands the tests to package testing.

use super::{
    Input, Packages, Refused, compile, debug_lines, explain_assembly, library_folder, load,
    new_checker, on_front_stack, parse, print_error, refuse_internal, restore_library, set_godebug,
};
use crate::loader;
use crate::steer::{self, Recording, Replay, Runner, Search};
use crate::test::testmain::{self, Parsed};
use crate::test::{Spec, Stage, cover};
use bytecode::image::Loaded;
use source::SourceFile;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::rc::Rc;
use stdlib::os::natives::Running;
use syntax::ast;
use syntax::diagnostics::render::{Style, render};
use syntax::diagnostics::{Diagnostic, Diagnostics};
use types::{Checker, Imported, Importer, PkgId, version};
use vm::engine;

/// Compiles the test of a package and runs it with these arguments. `tell` is told what comes of
/// it before it runs. Returns only if it does not run.
pub(crate) fn test(spec: &Spec, args: Vec<OsString>, tell: impl FnOnce(Stage)) -> i32 {
    let loaded = match build(spec) {
        Ok(Ok(loaded)) => loaded,
        Ok(Err(cover)) => {
            tell(Stage::NoTests { cover });
            return 0;
        }
        Err(Failed { is_setup, text, .. }) => {
            tell(Stage::Failed { is_setup, text });
            return 1;
        }
    };
    if spec.race && !super::look_for_races() {
        return 2;
    }
    gosched_runtime::race::leave_failures();
    if let Err(status) = enter(spec, args) {
        return status;
    }
    tell(Stage::Built);
    engine::start(loaded)
}

/// Compiles the test of a package and searches the schedules of a run with these arguments; the
/// exit status.
pub(crate) fn explore(spec: &Spec, args: Vec<OsString>, search: &Search) -> i32 {
    match runner(spec, args, search.steps) {
        Ok(mut runner) => steer::explore(search, &mut runner),
        Err(status) => status,
    }
}

/// Compiles the test of a package and runs it as it was recorded; the exit status.
pub(crate) fn replay(spec: &Spec, args: Vec<OsString>, recording: &Recording, how: Replay) -> i32 {
    match runner(spec, args, u64::MAX) {
        Ok(mut runner) => steer::replay(&mut runner, recording, how),
        Err(status) => status,
    }
}

fn runner(spec: &Spec, args: Vec<OsString>, steps: u64) -> Result<Runner, i32> {
    spec.set_how();
    let loaded = match build(spec) {
        Ok(Ok(loaded)) => loaded,
        Ok(Err(_)) => return Err(0),
        Err(failed) => {
            print_error(failed.text);
            return Err(1);
        }
    };
    gosched_runtime::race::leave_failures();
    // Only the child is the test: the next may be given other words.
    super::check_environment()?;
    go_to(spec)?;
    let shown = args.iter().map(|a| a.to_string_lossy().into_owned());
    let shown = shown.collect();
    let test = spec.clone();
    let start = Box::new(move |loaded, args: &[String]| {
        name_running(&test, args.iter().map(OsString::from));
        engine::start(loaded)
    });
    Ok(Runner::new(loaded, start, shown, steps))
}

/// Makes the process one that runs the test: its name, its arguments, its folder.
fn enter(spec: &Spec, args: Vec<OsString>) -> Result<(), i32> {
    name_running(spec, args.into_iter());
    super::check_environment()?;
    go_to(spec)
}

/// Tells the library which test runs, with which arguments.
fn name_running(spec: &Spec, args: impl Iterator<Item = OsString>) {
    let name = spec.program();
    let args = args.map(OsString::into_encoded_bytes);
    stdlib::os::natives::set_running(Running {
        arguments: std::iter::once(name.clone()).chain(args).collect(),
        again: spec.again(),
        path: name,
        is_test: true,
        build: loader::build_text(),
    });
}

/// Goes to the folder of the test.
fn go_to(spec: &Spec) -> Result<(), i32> {
    if spec.stays {
        return Ok(());
    }
    std::env::set_current_dir(&spec.dir).map_err(|e| {
        print_error(format_args!(
            "gosched: {}\n",
            loader::message("chdir", &spec.dir, &e)
        ));
        2
    })
}

/// Why there is no test to run, as Go says it.
struct Failed {
    /// The packages were not even all found.
    is_setup: bool,
    text: String,
    /// The files of tests that are wrong, and what is said first of each.
    files: BTreeMap<String, String>,
}

/// Files of the tests of one of our own packages that are taken otherwise than they are: they would
/// have to be a part of the package, which is compiled. So they become external ones that import
/// all of its names, and are left out if that is not enough.
type Changed = BTreeMap<String, Change>;

enum Change {
    /// Left out, and why.
    Out(String),
    /// It uses no name of the package.
    NoImport,
}

/// Is it a test of a package that we have, in Go's own tree?
fn is_of_library(spec: &Spec) -> bool {
    spec.module == "std" && stdlib::package(&spec.path).is_some()
}

impl Failed {
    fn setup(spec: &Spec, why: &str) -> Failed {
        Failed {
            is_setup: true,
            text: format!("# {}\n{why}\n", spec.path),
            files: BTreeMap::new(),
        }
    }
}

/// Compiles and loads. A package without tests gives what there is to say of its coverage.
fn build(spec: &Spec) -> Result<Result<Loaded, Option<(u32, String)>>, Failed> {
    on_front_stack(|| {
        let checked =
            check_fitting(spec).or_else(|failed| match spec.cover.is_some() || spec.fuzz {
                // Places are right in the texts as they are.
                true => check_fitting(&Spec {
                    cover: None,
                    fuzz: false,
                    ..spec.clone()
                }),
                false => Err(failed),
            });
        let (checker, main) = match checked? {
            Checked::Test(checker, main) => (*checker, main),
            Checked::NoTests(cover) => return Ok(Err(cover)),
        };
        let program = compile(checker, main).and_then(load);
        program.map(Ok).map_err(|why| failed(spec, &[], why))
    })
}

/// As [`check`]; files of the tests of our own packages are changed until they fit.
fn check_fitting(spec: &Spec) -> Result<Checked, Failed> {
    let mut changed = Changed::new();
    loop {
        let failed = match check(spec, &changed) {
            Err(failed) if is_of_library(spec) && !failed.files.is_empty() => failed,
            checked => {
                for (name, change) in &changed {
                    if let Change::Out(why) = change {
                        print_error(format_args!("{name}: left out: {why}\n"));
                    }
                }
                return checked;
            }
        };
        let before = changed.len();
        for (name, why) in failed.files {
            let is_unused = why.contains("imported and not used") && why.contains(&*spec.path);
            let change = match is_unused && !changed.contains_key(&name) {
                true => Change::NoImport,
                false => Change::Out(why),
            };
            changed.insert(name, change);
        }
        let is_stuck =
            changed.len() == before && changed.values().all(|c| matches!(c, Change::Out(_)));
        if is_stuck {
            return check(spec, &changed);
        }
    }
}

/// The text of a test of our own package, as an external one.
fn as_external(spec: &Spec, file: Parsed, changed: &Changed) -> Option<&'static SourceFile> {
    let source = file.source;
    let imports = match changed.get(&source.name) {
        Some(Change::Out(_)) => return None,
        Some(Change::NoImport) => String::new(),
        None => format!(";import . {:?}", spec.path),
    };
    if file.is_external() {
        return Some(source);
    }
    let name = file.tree.package;
    let end = (name.pos.0 - source.base) as usize + name.name.as_str().len();
    let text = format!(
        "{}_test{imports}{}",
        &source.text[..end],
        &source.text[end..]
    );
    Some(source::map().add(&source.name, &source.path, text))
}

/// The files of the package and of its tests.
fn files(spec: &Spec, changed: &Changed) -> Result<(Vec<Parsed>, Diagnostics), Failed> {
    let sources = match spec.files.is_empty() {
        true => loader::load_with_tests(&spec.dir),
        false => loader::load(&Input::Files(spec.files.clone())),
    };
    let sources = sources.map_err(|why| Failed::setup(spec, &why))?;
    let (trees, diagnostics) = parse(&sources);
    if diagnostics.has_syntax_errors() {
        let why = Refused::Errors(diagnostics);
        return Err(failed(spec, &[], why));
    }
    let pairs = sources.iter().zip(trees);
    let parsed = pairs.map(|(source, tree)| Parsed { source, tree });
    if is_of_library(spec) {
        let tests = parsed.filter(Parsed::is_test);
        let tests = tests.filter_map(|file| as_external(spec, file, changed));
        return Ok((parse_again(&tests.collect::<Vec<_>>()), diagnostics));
    }
    Ok((parsed.collect(), diagnostics))
}

/// The trees of texts that others have been changed to.
pub(crate) fn parse_again(sources: &[&'static SourceFile]) -> Vec<Parsed> {
    let (trees, _) = parse(sources);
    let pairs = sources.iter().zip(trees);
    pairs
        .map(|(source, tree)| Parsed { source, tree })
        .collect()
}

/// What a package is, which is right.
enum Checked {
    Test(Box<Checker>, PkgId),
    /// Its statements, and their lines in a profile, if these are wanted.
    NoTests(Option<(u32, String)>),
}

/// Checks the package, its tests and the main package.
fn check(spec: &Spec, changed: &Changed) -> Result<Checked, Failed> {
    if library_folder().is_none() {
        restore_library();
    }
    let input = match spec.files.is_empty() {
        true => Input::Dir(spec.dir.clone()),
        false => Input::Files(spec.files.clone()),
    };
    let module = loader::module_of(&input).map_err(|why| Failed::setup(spec, &why))?;
    let (mut parsed, mut diagnostics) = files(spec, changed)?;
    let (external, own): (Vec<&Parsed>, Vec<&Parsed>) =
        parsed.iter().partition(|file| file.is_external());
    let lines = |files: Vec<&Parsed>| {
        let sources: Vec<_> = files.into_iter().map(|file| file.source).collect();
        debug_lines(&sources)
    };
    let (mut settings, mut wrong) = lines(own);
    let (stronger, more) = lines(external);
    settings.extend(stronger);
    wrong.append(more);
    set_godebug(module.as_ref(), &settings);
    let has_tests = parsed.iter().any(Parsed::is_test);
    let found = testmain::find(&parsed).map_err(|why| Failed::setup(spec, &why))?;
    let trees = |wanted: &dyn Fn(&Parsed) -> bool, all: &[Parsed]| -> Vec<&'static ast::File> {
        all.iter().filter(|f| wanted(f)).map(|f| f.tree).collect()
    };
    let every = trees(&|_| true, &parsed);
    if refuse_internal(&every, Some(&spec.path), &mut diagnostics) {
        let why = Refused::Errors(diagnostics);
        return Err(Failed {
            is_setup: true,
            ..failed(spec, &parsed, why)
        });
    }
    let mut registrations = String::new();
    let cover = spec.cover.filter(|_| has_tests);
    if let Some(mode) = cover {
        let of = match &spec.cover_packages[..] {
            [] => String::new(),
            patterns => format!(" in {}", patterns.join(", ")),
        };
        registrations = format!(
            "\ttestdeps.CoverMode = {:?}\n\ttestdeps.Covered = {}\n",
            mode.name(),
            testmain::quoted(&of)
        );
    }
    let counts = cover.or(spec.fuzz.then_some(cover::Mode::Set));
    if let Some(mode) = counts.filter(|_| has_tests && spec.covers(&spec.path)) {
        cover::instrument(&mut parsed, spec, mode);
    }
    let mut given = BTreeMap::new();
    let external = trees(&Parsed::is_external, &parsed);
    let own = trees(&|f| !f.is_external(), &parsed);
    let has = [!own.is_empty(), !external.is_empty()];
    given.insert(spec.path.clone(), own);
    given.insert(format!("{}_test", spec.path), external);
    // Files that are named belong to no module.
    let of = module.as_ref().filter(|_| spec.files.is_empty());
    let lang = of.map_or(version::CURRENT, |module| module.lang);
    if let Some(module) = of {
        loader::note_main(&format!("{}.test", spec.path), &module.path);
    }
    let inner = Packages::new(module);
    inner.note_imports(&spec.path, &every);
    let tested = Tested {
        inner,
        given,
        lang,
        cover: counts.map(|_| Rc::new(spec.clone())),
    };
    let (syntax, refused) = (tested.inner.syntax.clone(), tested.inner.refused.clone());
    let mut checker = new_checker(tested);
    checker.diags.append(diagnostics);
    let text = found.text(spec, has, &registrations);
    let main = source::map().add(testmain::FILE, testmain::FILE, text);
    let (main, _) = parse(&[main]);
    let main = match has_tests {
        true => {
            checker.declare_versions(&main, version::CURRENT);
            Some(checker.check_package("main", main))
        }
        // Whether it is right is of interest nevertheless.
        false => checker.import_package(&spec.path).ok().filter(|_| false),
    };
    let syntax = syntax.take();
    if !syntax.is_empty() {
        return Err(failed(spec, &parsed, Refused::Errors(syntax)));
    }
    let mut diagnostics = std::mem::take(&mut checker.diags);
    explain_assembly(&mut diagnostics);
    let refused = refused.take();
    let is_setup = refused.iter().any(|r| r.is_missing);
    let mut wrong = match wrong.is_empty() || is_setup {
        true => diagnostics,
        false => wrong,
    };
    if is_setup {
        wrong.retain(|d| refused.iter().any(|r| r.text == d.message));
    }
    let cover = || spec.cover.map(|_| cover::unrun(&spec.path, &parsed));
    match wrong.is_empty() {
        true => Ok(match main {
            Some(main) => Checked::Test(Box::new(checker), main),
            None => Checked::NoTests(cover()),
        }),
        false => Err(Failed {
            is_setup,
            ..failed(spec, &parsed, Refused::Errors(wrong))
        }),
    }
}

/// What is wrong, below a line for each package that it is in.
fn failed(spec: &Spec, parsed: &[Parsed], why: Refused) -> Failed {
    let diagnostics = match why {
        Refused::Errors(diagnostics) => diagnostics,
        Refused::Message(text) | Refused::Fatal(text) => return Failed::setup(spec, &text),
    };
    let (all, _) = diagnostics.shown(usize::MAX);
    let has_internal = parsed.iter().any(|f| f.is_test() && !f.is_external());
    let mut groups: Vec<(String, Diagnostics)> = Vec::new();
    let mut files = BTreeMap::new();
    for d in all {
        if let Some(file) = source::map()
            .file(d.pos)
            .filter(|f| f.name.ends_with("_test.go"))
        {
            let said = files.entry(file.name.clone());
            said.or_insert_with(|| d.message.clone());
        }
        let head = heading(spec, parsed, has_internal, &d);
        let at = groups.iter().position(|g| g.0 == head);
        let at = at.unwrap_or_else(|| {
            groups.push((head, Diagnostics::new()));
            groups.len() - 1
        });
        groups[at].1.error(d.pos, d.message.clone());
    }
    let style = Style {
        carets: false,
        colors: false,
        all: false,
    };
    let mut text = String::new();
    for (head, list) in groups {
        text += &format!("# {head}\n{}", render(list, style));
    }
    Failed {
        is_setup: false,
        text,
        files,
    }
}

/// The package that an error is in, as Go calls it.
fn heading(spec: &Spec, parsed: &[Parsed], has_internal: bool, d: &Diagnostic) -> String {
    let path = &spec.path;
    let Some(file) = source::map().file(d.pos) else {
        return path.clone();
    };
    let same = |a: &SourceFile| a.path == file.path;
    match parsed.iter().find(|f| same(f.source)) {
        Some(f) if f.is_external() => format!("{path}_test [{path}.test]"),
        Some(_) if has_internal => format!("{path} [{path}.test]"),
        Some(_) => path.clone(),
        None => {
            let folder = PathBuf::from(&file.path);
            let folder = folder.parent().map(PathBuf::from).unwrap_or_default();
            crate::test::import_path(&folder).unwrap_or_else(|| path.clone())
        }
    }
}

/// Where imports of a test come from: the packages that are tested, then as ever.
struct Tested {
    inner: Packages,
    given: BTreeMap<String, Vec<&'static ast::File>>,
    /// The N of the language version go1.N that these are of.
    lang: u32,
    /// Statements of other packages are counted, too.
    cover: Option<Rc<Spec>>,
}

impl Importer for Tested {
    fn import(&mut self, path: &str) -> Result<Imported, String> {
        if let Some(files) = self.given.get(path).filter(|files| !files.is_empty()) {
            return Ok(Imported {
                path: path.to_string(),
                files: files.clone(),
                is_std: false,
                lang: self.lang,
            });
        }
        let mut imported = self.inner.import(path)?;
        if let Some(spec) = self.cover.as_ref().filter(|_| !imported.is_std)
            && spec.covers(path)
        {
            let mode = spec.cover.unwrap_or(cover::Mode::Set);
            imported.files = cover::instrument_package(path, &imported.files, mode);
        }
        Ok(imported)
    }

    fn is_of_tree(&self, path: &str) -> bool {
        self.inner.is_of_tree(path)
    }

    fn bound(&self, path: &str, name: &str) -> Option<(String, String)> {
        self.inner.bound(path, name)
    }

    fn linked(&self, remote: &str) -> Option<(String, String)> {
        self.inner.linked(remote)
    }

    fn lacks(&self, path: &str, name: &str) -> bool {
        self.inner.lacks(path, name)
    }

    fn packages(&self) -> BTreeMap<String, &'static str> {
        self.inner.packages()
    }

    fn near(&self, path: &str) -> Option<String> {
        self.inner.near(path)
    }
}
