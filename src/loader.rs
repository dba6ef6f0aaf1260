//! From what the command line or an import names to source files
//! in the [source map](source).
//!
//! Files named on the command line are taken as they are; a directory's files pass Go's build
//! constraints (file name suffixes and `//go:build` lines). Imports are looked up in the modules
//! that `go.mod` leads to; what is not there is the standard library's, or does not exist.
//!
//! Go: cmd/go/internal/load, go/build, go/build/constraint.

mod assembly;
pub mod embed;
pub mod godebug;
mod goenv;
mod gomod;
pub mod goroot;
mod modfile;
mod modules;
mod semver;
mod sum;

use assembly::Machine;
pub use assembly::refusal as assembly_refusal;
use modules::Modules;
pub use modules::{Located, Missing};
use rustyline::error::ReadlineError;
use source::{self, SourceFile};
use std::collections::BTreeMap;
use std::error::Error;
use std::io::{IsTerminal, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Mutex, OnceLock, PoisonError};
use syntax::parser::code::{self, Chunk, Role};
use syntax::parser::constraint::{self, Constraint};

/// What to run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Input {
    /// One package made of these files.
    Files(Vec<PathBuf>),
    /// The package in this directory.
    Dir(PathBuf),
    /// The package with this import path, for the module of the working directory.
    Package(String),
    /// A file on standard input.
    Stdin,
    /// What the command line says itself.
    Code(Code),
}

/// Code from the command line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Code {
    /// In their order.
    pub texts: Vec<Text>,
    /// The statements are run for each line of standard input.
    pub loops: bool,
    /// The line is printed after each round.
    pub prints: bool,
}

/// A text of the command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text {
    pub role: Role,
    pub bytes: Vec<u8>,
}

impl Code {
    /// How it is run for each line of standard input, if it is.
    pub fn round(&self) -> Option<code::Loop> {
        self.loops.then_some(code::Loop {
            prints: self.prints,
        })
    }

    /// The texts as files.
    pub fn files(&self) -> Vec<Chunk> {
        let chunk = |text: Text| Chunk {
            role: text.role,
            file: source::map().add_bytes(text.name(), text.name(), text.bytes),
        };
        join(&self.texts).into_iter().map(chunk).collect()
    }
}

impl Text {
    /// What errors call it: the flag that it is the value of.
    pub fn name(&self) -> &'static str {
        match self.role {
            Role::Code => "-e",
            Role::Value => "-p",
            Role::End => "--end",
        }
    }
}

/// Makes one text of those that follow each other and are statements, a line of each.
pub fn join(texts: &[Text]) -> Vec<Text> {
    let mut joined: Vec<Text> = Vec::new();
    for text in texts {
        match joined.last_mut() {
            Some(last) if last.role == text.role && text.role != Role::Value => {
                last.bytes.push(b'\n');
                last.bytes.extend(&text.bytes);
            }
            _ => joined.push(text.clone()),
        }
    }
    joined
}

/// The packages that are meant by names which several packages have.
const PREFERRED: &[&str] = &["math/rand/v2", "text/scanner", "text/template"];

/// The import paths of the library's packages by their names, by which code that is typed uses
/// them.
pub(crate) fn packages_by_name() -> BTreeMap<String, &'static str> {
    let mut packages: BTreeMap<String, &'static str> = BTreeMap::new();
    for path in stdlib::paths()
        .into_iter()
        .filter(|path| !stdlib::catalog::is_internal(path))
    {
        let name = types::session::package_name(path).to_string();
        let is_better =
            |have: &&str| PREFERRED.contains(&path) || !PREFERRED.contains(have) && path < *have;
        if packages.get(&name).is_none_or(&is_better) {
            packages.insert(name, path);
        }
    }
    packages
}

/// What a program was read from, or would have been.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Seen {
    /// A file, and its [`stamp`] before it was read.
    File(PathBuf, u64),
    /// A package's folder.
    Folder(PathBuf),
}

/// By what a file is known again: 0 if it is not there, else another number whenever it was written
/// anew or replaced.
pub fn stamp(path: &Path) -> u64 {
    let Ok(meta) = std::fs::metadata(path) else {
        return 0;
    };
    let parts = [
        meta.ino(),
        meta.len(),
        meta.mtime() as u64,
        meta.mtime_nsec() as u64,
    ];
    let mixed = parts.iter().fold(0xcbf2_9ce4_8422_2325_u64, |h, part| {
        (h ^ part)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29)
    });
    mixed | 1
}

/// In the order of reading.
static SEEN: Mutex<Vec<Seen>> = Mutex::new(Vec::new());

/// What has been read so far.
pub fn seen() -> Vec<Seen> {
    SEEN.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

fn note(seen: Seen) {
    SEEN.lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(seen);
}

/// What the program is made of.
#[derive(Default)]
struct Built {
    /// The main package and its module, unless files are named.
    main: Option<(String, String)>,
    /// Lines of a `debug.BuildInfo` on the modules whose packages are used, by path.
    modules: BTreeMap<String, String>,
}

static BUILT: Mutex<Option<Built>> = Mutex::new(None);

fn with_built<T>(f: impl FnOnce(&mut Built) -> T) -> T {
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    f(built.get_or_insert_default())
}

/// Notes which package of which module the program is.
pub fn note_main(package: &str, module: &str) {
    with_built(|b| b.main = Some((package.into(), module.into())));
}

/// What the program is made of, as the text of a `debug.BuildInfo`.
pub fn build_text() -> String {
    let settings = "build\t-buildmode=exe\nbuild\t-compiler=gc\nbuild\tCGO_ENABLED=0\n\
                    build\tGOARCH=amd64\nbuild\tGOOS=linux\nbuild\tGOAMD64=v1\n";
    with_built(|b| {
        let mut text = match &b.main {
            Some((package, module)) => format!("path\t{package}\nmod\t{module}\t(devel)\t\n"),
            None => "path\tcommand-line-arguments\n".into(),
        };
        b.modules.values().for_each(|lines| text.push_str(lines));
        text + settings
    })
}

/// How to look for files and modules.
#[derive(Clone, Default, Debug)]
pub struct How {
    /// Build tags that are set besides those of the platform.
    pub tags: Vec<String>,
    /// `vendor`, `readonly` or `mod`, if that was said.
    pub modules: Option<String>,
    /// Where a Go source tree lies, if that was said.
    pub goroot: Option<PathBuf>,
}

static HOW: OnceLock<How> = OnceLock::new();

/// Says how to look for files and modules, before anything is loaded; `GOFLAGS` says what is left
/// open.
pub fn set_how(how: How) {
    let _ = HOW.set(how);
}

fn how() -> &'static How {
    HOW.get_or_init(How::default)
}

/// Build tags in a list, with commas or blanks between them.
pub fn tags_of(list: &str) -> Vec<String> {
    let words = list.split([',', ' ']).filter(|word| !word.is_empty());
    words.map(str::to_string).collect()
}

/// The tags that `GOFLAGS` sets where the command line sets none.
fn tags() -> &'static [String] {
    static TAGS: OnceLock<Vec<String>> = OnceLock::new();
    TAGS.get_or_init(|| match &how().tags {
        given if given.is_empty() => tags_of(&goenv::flag("tags").unwrap_or_default()),
        given => given.clone(),
    })
}

/// The module a program belongs to.
#[derive(Clone, Debug)]
pub struct Module {
    /// Its path, as `go.mod` says.
    pub path: String,
    /// Where `go.mod` lies.
    pub root: PathBuf,
    /// The N of its language version go1.N.
    pub lang: u32,
    /// Where its packages and those of others are.
    all: Rc<Modules>,
}

impl Module {
    /// What GODEBUG is in a program whose main package has these `//go:debug` lines, as far as the
    /// environment does not say.
    pub fn godebug(&self, lines: &[godebug::Setting]) -> String {
        let (lang, settings) = self.all.godebug();
        godebug::defaults(lang, settings.chain(lines))
    }

    /// The import path of a folder, if it is in the module.
    pub fn import_path(&self, dir: &Path) -> Option<String> {
        let dir = std::path::absolute(dir).ok()?;
        self.all.import_path(&dir.canonicalize().unwrap_or(dir))
    }
}

/// The files of the main package. The error is a message for the user.
pub fn load(input: &Input) -> Result<Vec<&'static SourceFile>, String> {
    match input {
        Input::Files(files) => files.iter().map(|f| read(f)).collect(),
        Input::Dir(dir) => load_dir(dir),
        Input::Package(path) if path.contains('@') => Err(format!(
            "package {path}: versions are chosen by go.mod; to install a command:\n\t\
             go install {path}"
        )),
        Input::Package(path) => {
            let module = module_of(input)?;
            match locate(module.as_ref(), path, None) {
                Ok(found) if found.is_foreign => load_foreign(&found.dir, goroot::has_bound(path)),
                Ok(found) => load_dir(&found.dir),
                Err(Missing::Told(text)) => Err(text),
                Err(Missing::NoModule) => Err(format!("package {path} is not in std")),
            }
        }
        Input::Code(_) => Ok(Vec::new()),
        Input::Stdin => {
            let bytes = standard_input().map_err(|e| format!("reading standard input: {e}"))?;
            add("-", "stdin.go", bytes).map(|f| vec![f])
        }
    }
}

/// The folder of what is a package.
pub fn folder(input: &Input) -> Option<PathBuf> {
    match input {
        Input::Dir(dir) => Some(dir.clone()),
        Input::Package(path) => {
            let module = module_of(input).ok()?;
            Some(locate(module.as_ref(), path, None).ok()?.dir)
        }
        _ => None,
    }
}

/// All of standard input. At a terminal its lines can be edited, until Ctrl-D ends them.
fn standard_input() -> Result<Vec<u8>, Box<dyn Error>> {
    let mut input = std::io::stdin();
    let mut bytes = Vec::new();
    if !input.is_terminal() {
        input.read_to_end(&mut bytes)?;
        return Ok(bytes);
    }
    let mut editor = rustyline::DefaultEditor::new()?;
    loop {
        match editor.readline("") {
            Ok(line) => {
                bytes.extend(line.as_bytes());
                bytes.push(b'\n');
                editor.add_history_entry(line)?;
            }
            Err(ReadlineError::Eof) => return Ok(bytes),
            Err(ReadlineError::Interrupted) => return Err("interrupted".into()),
            Err(e) => return Err(e.into()),
        }
    }
}

/// The files of the package in `dir` that are meant for this platform, without tests.
/// The error is a message for the user.
pub fn load_dir(dir: &Path) -> Result<Vec<&'static SourceFile>, String> {
    load_files(dir, Wanted::default())
}

/// As [`load_dir`], and the files of its tests.
pub fn load_with_tests(dir: &Path) -> Result<Vec<&'static SourceFile>, String> {
    let wanted = Wanted {
        tests: true,
        ..Wanted::default()
    };
    load_files(dir, wanted)
}

/// As [`load_dir`], of a module from elsewhere: files that need C are left out if there are others,
/// as where Go has no C compiler. Of some packages the functions `are_bound` whose body is
/// assembly.
pub fn load_foreign(dir: &Path, are_bound: bool) -> Result<Vec<&'static SourceFile>, String> {
    let wanted = Wanted {
        without_c: true,
        is_fixed: are_bound,
        machine: Machine {
            tags: if are_bound { goroot::TAGS } else { &[] },
            ..assembly::PLAIN
        },
        ..Wanted::default()
    };
    match load_files(dir, wanted) {
        Ok(files) if files.is_empty() => load_files(dir, Wanted::default()),
        files => files,
    }
}

/// The files of a package of a Go source tree.
pub fn load_tree(dir: &Path) -> Result<Vec<&'static SourceFile>, String> {
    let wanted = Wanted {
        without_c: true,
        is_fixed: true,
        machine: Machine {
            tags: goroot::TAGS,
            ..assembly::PLAIN
        },
        ..Wanted::default()
    };
    load_files(dir, wanted)
}

/// Adds a text that is part of gosched.
pub fn add_own(path: &str, text: &str) -> &'static SourceFile {
    let name = path.rsplit('/').next().unwrap_or(path);
    let shown = format!("$GOROOT/src/{path}/{name}.go");
    source::map().add_bytes(&shown, &shown, text.as_bytes().to_vec())
}

/// Which files of a folder are wanted.
#[derive(Clone, Copy)]
struct Wanted {
    tests: bool,
    without_c: bool,
    machine: Machine,
    /// They are not chosen as for another machine.
    is_fixed: bool,
}

impl Default for Wanted {
    fn default() -> Wanted {
        Wanted {
            tests: false,
            without_c: false,
            machine: assembly::PLAIN,
            is_fixed: false,
        }
    }
}

/// A Go file of a folder.
struct Candidate {
    path: PathBuf,
    name: String,
    bytes: Vec<u8>,
}

/// Which of a folder's Go files are chosen.
struct Choice<'c> {
    files: Vec<&'c Candidate>,
    /// Others are for other platforms, or need C.
    excluded: bool,
    has_c: bool,
}

fn choose(all: &[Candidate], wanted: Wanted) -> Result<Choice<'_>, String> {
    let mut choice = Choice {
        files: Vec::new(),
        excluded: false,
        has_c: false,
    };
    for file in all {
        let text = String::from_utf8_lossy(&file.bytes);
        let is_meant = text_matches(&text, wanted.machine)
            .map_err(|e| format!("{}: {e}", file.path.display()))?;
        if !is_meant || !name_matches(&file.name, wanted.machine) {
            choice.excluded = true;
        } else if wanted.without_c && imports_c(&file.bytes) {
            choice.has_c = true;
        } else {
            choice.files.push(file);
        }
    }
    Ok(choice)
}

impl Choice<'_> {
    /// Have all functions a body?
    fn is_whole(&self) -> bool {
        self.files.iter().all(|file| {
            let text = String::from_utf8_lossy(&file.bytes);
            assembly::without_bodies(&text).is_empty()
        })
    }

    /// Are some of the files for this system alone, with the processor `arch`? What is in them may
    /// be wrong with another one.
    fn is_of_system(&self, arch: &str) -> bool {
        let suffix = format!("_linux_{arch}.go");
        self.files.iter().any(|file| file.name.ends_with(&suffix))
    }
}

/// The files of assembly in a folder that Go would take.
fn assembly_in(names: &[PathBuf]) -> Vec<PathBuf> {
    let is_meant = |path: &&PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_it = name.ends_with(".s") && !name.starts_with(['_', '.']);
        is_it && name_matches(&name, assembly::PLAIN) && {
            let text = std::fs::read(path).unwrap_or_default();
            text_matches(&String::from_utf8_lossy(&text), assembly::PLAIN).unwrap_or(true)
        }
    };
    names.iter().filter(is_meant).cloned().collect()
}

fn load_files(dir: &Path, wanted: Wanted) -> Result<Vec<&'static SourceFile>, String> {
    note(Seen::Folder(dir.to_path_buf()));
    let entries = std::fs::read_dir(dir).map_err(|e| message("open", dir, &e))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    paths.sort();
    let mut all = Vec::new();
    for path in &paths {
        let Some(name) = path.file_name().and_then(|n| n.to_str()) else {
            continue;
        };
        let is_wanted = name.ends_with(".go") && (wanted.tests || !name.ends_with("_test.go"));
        if !is_wanted || name.starts_with(['_', '.']) {
            continue;
        }
        all.push(Candidate {
            path: path.clone(),
            name: name.to_string(),
            bytes: std::fs::read(path).map_err(|e| message("open", path, &e))?,
        });
    }
    let mut choice = choose(&all, wanted)?;
    if !wanted.is_fixed && !choice.is_whole() {
        let in_assembly = assembly_in(&paths);
        let others = assembly::OTHERS.iter().filter(|_| !in_assembly.is_empty());
        let other = others.filter_map(|&machine| {
            let other = choose(&all, Wanted { machine, ..wanted }).ok()?;
            let is_whole = !other.files.is_empty() && other.is_whole();
            (is_whole && !other.is_of_system(machine.arch)).then_some(other)
        });
        match other.into_iter().next() {
            Some(other) => choice = other,
            None if in_assembly.is_empty() => (),
            None => assembly::is_needed(dir, in_assembly),
        }
    }
    let mut files = Vec::new();
    for Candidate { path, bytes, .. } in &choice.files {
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.clone());
        let shown = shown(path, &absolute);
        note(Seen::File(path.clone(), stamp(path)));
        files.push(add(&shown, &absolute.to_string_lossy(), bytes.clone())?);
    }
    match (files.is_empty() && !choice.has_c, choice.excluded) {
        (true, true) => Err(format!(
            "build constraints exclude all Go files in {}",
            dir.display()
        )),
        (true, false) => Err(format!("no Go files in {}", dir.display())),
        (false, _) => Ok(files),
    }
}

/// Does a text import package C?
fn imports_c(text: &[u8]) -> bool {
    let mut lines = text.split(|&b| b == b'\n').map(<[u8]>::trim_ascii);
    lines.any(|line| line.starts_with(b"import \"C\""))
}

/// The folders from `above` on that hold a package, as Go's pattern `above...` means: not those
/// named `testdata` or with `.` or `_` first, nor those of other modules. With tests a package
/// may have nothing else.
///
/// Go: cmd/go/internal/modload, matchPackages. The error is a message for the user.
pub fn folders_below(above: &Path, with_tests: bool) -> Result<Vec<PathBuf>, String> {
    let top = match above.as_os_str().is_empty() {
        true => PathBuf::from("."),
        false => above.to_path_buf(),
    };
    let mut found = Vec::new();
    let mut todo = vec![top.clone()];
    while let Some(dir) = todo.pop() {
        let entries = std::fs::read_dir(&dir).map_err(|e| message("open", &dir, &e))?;
        let mut has_go = false;
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = dir.join(&name);
            let is_hidden = name.starts_with(['.', '_']);
            if entry.file_type().is_ok_and(|t| t.is_dir()) {
                let is_skipped = is_hidden || name == "testdata" || name == "vendor";
                if !is_skipped && !path.join("go.mod").is_file() {
                    todo.push(path);
                }
            } else if name.ends_with(".go")
                && !is_hidden
                && (with_tests || !name.ends_with("_test.go"))
            {
                let text = std::fs::read(&path).map_err(|e| message("open", &path, &e))?;
                let text = String::from_utf8_lossy(&text);
                let is_meant = text_matches(&text, assembly::PLAIN);
                has_go |= name_matches(&name, assembly::PLAIN) && is_meant.unwrap_or(true);
            }
        }
        if has_go {
            found.push(dir);
        }
    }
    found.sort();
    Ok(found)
}

/// How messages call a file of a package: from the working directory.
///
/// Go: cmd/go/internal/base, ShortPath.
fn shown(path: &Path, absolute: &Path) -> String {
    let short = gomod::shown(absolute);
    match Path::new(&short) {
        _ if !short.contains('/') => format!("./{short}"),
        p if p.is_absolute() => path.display().to_string(),
        _ => short,
    }
}

/// The folder of the `go.mod` whose module a folder is in.
pub fn root_of(folder: &Path) -> Option<PathBuf> {
    let folder = std::path::absolute(folder).ok()?;
    let folder = folder.canonicalize().unwrap_or(folder);
    let mut above = folder.ancestors();
    let root = above.find(|dir| dir.join("go.mod").is_file())?;
    Some(root.to_path_buf())
}

/// The module of the directory the input lies in. The error is a message for the user.
pub fn module_of(input: &Input) -> Result<Option<Module>, String> {
    let start = match input {
        Input::Files(files) => files
            .first()
            .and_then(|f| f.parent())
            .map(Path::to_path_buf),
        Input::Dir(dir) => Some(dir.clone()),
        Input::Stdin | Input::Code(_) | Input::Package(_) => Some(PathBuf::new()),
    };
    let start = start.and_then(|dir| std::path::absolute(Path::new(".").join(dir)).ok());
    let Some(mut dir) = start else {
        return Ok(None);
    };
    dir = dir.canonicalize().unwrap_or(dir);
    loop {
        let file = dir.join("go.mod");
        if let Ok(text) = std::fs::read(&file) {
            let text = String::from_utf8_lossy(&text);
            note(Seen::File(file.clone(), stamp(&file)));
            let read = gomod::read(&text, &gomod::shown(&file))?;
            let how = how().modules.clone().or_else(|| goenv::flag("mod"));
            return Ok(Some(Module {
                path: read.path.clone(),
                lang: read.lang,
                all: Rc::new(Modules::new(&dir, read, how.as_deref())?),
                root: dir,
            }));
        }
        if !dir.pop() {
            return Ok(None);
        }
    }
}

/// Where package `import` lies, which the package at `by` imports: in the module that the program
/// belongs to, or one that it requires.
pub fn locate(module: Option<&Module>, import: &str, by: Option<&str>) -> Result<Located, Missing> {
    match module {
        Some(module) => module.all.locate(import, by),
        None if import
            .split('/')
            .next()
            .is_some_and(|first| first.contains('.')) =>
        {
            Err(Missing::Told(format!(
                "no required module provides package {import}: go.mod file not found in current \
                 directory or any parent directory; see 'go help modules'"
            )))
        }
        None => Err(Missing::NoModule),
    }
}

/// May the package at `by` import `import`, whose path may have a part `internal`?
///
/// Go: cmd/go/internal/load, disallowInternal.
pub fn may_import(by: Option<&str>, import: &str) -> bool {
    // What is below the folder that the last such part lies in may.
    let is_whole = |at: &usize| {
        let (before, after) = (&import[..*at], &import[at + "internal".len()..]);
        (before.is_empty() || before.ends_with('/')) && (after.is_empty() || after.starts_with('/'))
    };
    let places = import.rmatch_indices("internal").map(|(at, _)| at);
    match places.into_iter().find(is_whole) {
        None => true,
        Some(0) => false,
        Some(at) => by.is_some_and(|by| part_of(&import[..at - 1], by).is_some()),
    }
}

/// What follows the path of a module in that of one of its packages.
fn part_of<'p>(module: &str, import: &'p str) -> Option<&'p str> {
    let rest = import.strip_prefix(module)?;
    match rest.strip_prefix('/') {
        None if !rest.is_empty() => None,
        below => Some(below.unwrap_or("")),
    }
}

fn read(path: &Path) -> Result<&'static SourceFile, String> {
    note(Seen::File(path.to_path_buf(), stamp(path)));
    let bytes = std::fs::read(path).map_err(|e| message("open", path, &e))?;
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    // A file that is named is meant, whatever its constraint says; but that must be one.
    header(&String::from_utf8_lossy(&bytes)).map_err(|e| format!("{}: {e}", path.display()))?;
    add(&path.to_string_lossy(), &absolute.to_string_lossy(), bytes)
}

fn add(name: &str, path: &str, bytes: Vec<u8>) -> Result<&'static SourceFile, String> {
    Ok(source::map().add_bytes(name, path, bytes))
}

/// As Go words the errors of the operating system.
pub fn message(what: &str, path: &Path, e: &std::io::Error) -> String {
    let text = match e.kind() {
        std::io::ErrorKind::NotFound => "no such file or directory".to_string(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_string(),
        std::io::ErrorKind::IsADirectory => "is a directory".to_string(),
        _ => os_text(e),
    };
    format!("{what} {}: {text}", path.display())
}

/// An error as Go's texts have it: without its number, and in small letters.
pub fn os_text(e: &std::io::Error) -> String {
    let text = e.to_string();
    match (e.raw_os_error(), text.rfind(" (os error ")) {
        (Some(_), Some(end)) => text[..end].to_lowercase(),
        _ => text,
    }
}

const KNOWN_OS: &[&str] = &[
    "aix",
    "android",
    "darwin",
    "dragonfly",
    "freebsd",
    "hurd",
    "illumos",
    "ios",
    "js",
    "linux",
    "nacl",
    "netbsd",
    "openbsd",
    "plan9",
    "solaris",
    "wasip1",
    "windows",
    "zos",
];
const KNOWN_ARCH: &[&str] = &[
    "386",
    "amd64",
    "amd64p32",
    "arm",
    "armbe",
    "arm64",
    "arm64be",
    "loong64",
    "mips",
    "mipsle",
    "mips64",
    "mips64le",
    "mips64p32",
    "mips64p32le",
    "ppc",
    "ppc64",
    "ppc64le",
    "riscv",
    "riscv64",
    "s390",
    "s390x",
    "sparc",
    "sparc64",
    "wasm",
];

/// Is the file `name`, by its `_os` and `_arch` suffixes, meant for this platform?
fn name_matches(name: &str, machine: Machine) -> bool {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let stem = stem.strip_suffix("_test").unwrap_or(stem);
    // The part before the first underscore is never a constraint.
    let Some((_, tail)) = stem.split_once('_') else {
        return true;
    };
    let parts: Vec<&str> = tail.split('_').collect();
    match parts.as_slice() {
        [.., os, arch] if KNOWN_OS.contains(os) && KNOWN_ARCH.contains(arch) => {
            tag(os, machine) && tag(arch, machine)
        }
        [.., last] if KNOWN_OS.contains(last) || KNOWN_ARCH.contains(last) => tag(last, machine),
        _ => true,
    }
}

/// What stands before a file's package clause:
/// its `//go:build` line, and where `// +build` lines may stand.
///
/// Go: go/build, parseFileHeader.
fn header(text: &str) -> Result<(Option<Constraint>, &str), String> {
    let mut found = None;
    let (mut in_comment, mut ended) = (false, false);
    let (mut at, mut end) = (0, 0);
    'lines: for whole in text.split_inclusive('\n') {
        at += whole.len();
        let mut line = whole.trim();
        if line.is_empty() && !ended {
            end = at;
            continue;
        }
        ended |= !line.starts_with("//");
        if !in_comment && let Some(rest) = constraint::after_go_build(line) {
            if found.is_some() {
                return Err("multiple //go:build comments".into());
            }
            let x = Constraint::parse(rest);
            found = Some(x.map_err(|e| format!("parsing //go:build line: {e}"))?);
        }
        while !line.is_empty() {
            let close = if in_comment { line.find("*/") } else { None };
            if let Some(close) = close {
                in_comment = false;
                line = line[close + 2..].trim();
            } else if in_comment || line.starts_with("//") {
                break;
            } else if let Some(rest) = line.strip_prefix("/*") {
                in_comment = true;
                line = rest.trim();
            } else {
                break 'lines;
            }
        }
    }
    Ok((found, &text[..end]))
}

/// Do the constraints before the package clause hold here:
/// the `//go:build` line, or the older `// +build` lines?
fn text_matches(text: &str, machine: Machine) -> Result<bool, String> {
    let (found, head) = header(text)?;
    let holds = |x: Constraint| x.eval(&mut |name| tag(name, machine));
    Ok(match found {
        Some(x) => holds(x),
        None => head
            .lines()
            .filter_map(constraint::after_plus_build)
            .filter_map(Constraint::parse_plus)
            .all(holds),
    })
}

/// The experiments that are on in Go 1.27 if nobody asks. Go: internal/buildcfg, ParseGOEXPERIMENT.
const EXPERIMENTS: &[&str] = &[
    "regabiwrappers",
    "regabiargs",
    "dwarf5",
    "randomizedheapbase64",
    "greenteagc",
    "jsonv2",
    "sizespecializedmalloc",
];

/// Is the build tag set?
fn tag(name: &str, machine: Machine) -> bool {
    if let Some(minor) = name.strip_prefix("go1.") {
        return minor
            .parse::<u32>()
            .is_ok_and(|m| (1..=source::GO.0).contains(&m));
    }
    if let Some(experiment) = name.strip_prefix("goexperiment.") {
        return EXPERIMENTS.contains(&experiment);
    }
    matches!(name, "linux" | "unix" | "gc" | "gosched")
        || name == machine.arch
        || name == "amd64.v1" && machine.arch == "amd64"
        || machine.tags.contains(&name)
        || tags().iter().any(|tag| tag == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_constrain() {
        for (name, want) in [
            ("x.go", true),
            ("linux.go", true),
            ("x_linux.go", true),
            ("x_windows.go", false),
            ("x_linux_amd64.go", true),
            ("x_linux_arm64.go", false),
            ("x_windows_amd64.go", false),
            ("windows_x.go", true),
        ] {
            assert_eq!(name_matches(name, assembly::PLAIN), want, "{name}");
        }
    }

    #[test]
    fn build_lines_constrain() {
        for (line, want) in [
            ("//go:build linux", true),
            ("//go:build ignore", false),
            ("//go:build !linux || (go1.27 && amd64)", true),
            ("//go:build go1.28", false),
            ("//go:build linux &&", false),
            ("//go:build !!linux", false),
            ("package p\n//go:build ignore", true),
            (
                "/* x\n//go:build ignore\n*/\n// c\n\n//go:build !unix",
                false,
            ),
            ("// +build ignore\n\npackage p", false),
            ("// +build ignore\npackage p", true),
            ("//+build windows linux,amd64\n\npackage p", true),
            ("// +build linux\n// +build !amd64\n\npackage p", false),
            ("//go:build linux\n// +build ignore\n\npackage p", true),
        ] {
            assert_eq!(
                text_matches(line, assembly::PLAIN).unwrap_or(false),
                want,
                "{line}"
            );
        }
    }

    #[test]
    fn malformed_build_lines_are_told() {
        let error = |line: &str| {
            text_matches(&format!("{line}\n\npackage p\n"), assembly::PLAIN).unwrap_err()
        };
        for (line, want) in [
            ("//go:build", "unexpected end of expression"),
            ("//go:build (", "missing close paren"),
            ("//go:build (a b)", "missing close paren"),
            ("//go:build a)", "unexpected token )"),
            ("//go:build && a", "unexpected token &&"),
            ("//go:build !!a", "double negation not allowed"),
            ("//go:build a & b", "invalid syntax at &"),
            ("//go:build a // b", "invalid syntax at /"),
        ] {
            assert_eq!(error(line), format!("parsing //go:build line: {want}"));
        }
        let twice = "//go:build a\n//go:build b";
        assert_eq!(error(twice), "multiple //go:build comments");
    }

    #[test]
    fn long_and_deep_build_lines_end() {
        let long = |n| format!("//go:build {}linux", "windows || ".repeat(n));
        assert_eq!(text_matches(&long(999), assembly::PLAIN), Ok(true));
        let too_large = "parsing //go:build line: build expression too large";
        assert_eq!(
            text_matches(&long(1_000_000), assembly::PLAIN),
            Err(too_large.into())
        );
        let deep = format!(
            "//go:build {}linux{}",
            "(".repeat(1 << 20),
            ")".repeat(1 << 20)
        );
        assert_eq!(text_matches(&deep, assembly::PLAIN), Err(too_large.into()));
    }

    #[test]
    fn internal_packages_are_for_those_beside_them() {
        for (by, import, want) in [
            ("a.b/c", "a.b/c/internal/x", true),
            ("a.b/c/d", "a.b/c/internal", true),
            ("a.b/cd", "a.b/c/internal/x", false),
            ("a.b/c", "a.b/c/internal/x/internal/y", false),
            ("a.b/c/internal/x/z", "a.b/c/internal/x/internal/y", true),
            ("a.b", "internal/poll", false),
            ("a.b", "x/internals/y", true),
        ] {
            assert_eq!(may_import(Some(by), import), want, "{by} {import}");
        }
        assert!(!may_import(None, "a/internal/x"));
    }
}
