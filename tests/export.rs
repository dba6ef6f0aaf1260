//! Export data: programs are checked against what a checker of another process has written of the
//! library just as they are against its texts.

use source::SourceFile;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;
use syntax::diagnostics::Diagnostics;
use syntax::{ast, parser};
use types::library::Library;
use types::{Checker, Imported, Importer};

mod support;

/// Where a child finds what its parent has written.
const FOLDER: &str = "GOSCHED_TEST_EXPORTED";

/// Finds the packages of the library; reads each once.
#[derive(Clone)]
struct Texts(
    Library,
    Rc<RefCell<BTreeMap<String, Vec<&'static ast::File>>>>,
);

impl Importer for Texts {
    fn import(&mut self, path: &str) -> Result<Imported, String> {
        let known = self.1.borrow().get(path).cloned();
        let files = match known {
            Some(files) => files,
            None => self.0.import(path)?.files,
        };
        self.1.borrow_mut().insert(path.into(), files.clone());
        Ok(Imported {
            path: path.to_string(),
            files,
            is_std: true,
            lang: types::version::CURRENT,
        })
    }
}

/// No packages but those that are known.
struct Nothing;

impl Importer for Nothing {
    fn import(&mut self, path: &str) -> Result<Imported, String> {
        Err(format!("package {path} is not in std"))
    }
}

fn tree(file: &'static SourceFile, diagnostics: &mut Diagnostics) -> Option<&'static ast::File> {
    let tree = parser::parse_file(file, diagnostics)?;
    Some(Box::leak(Box::new(tree)))
}

fn texts(diagnostics: Diagnostics) -> String {
    let mut out = String::new();
    for d in diagnostics.sorted() {
        let _ = writeln!(out, "{}: {}", source::map().position(d.pos), d.message);
    }
    out
}

/// Programs that are a file each.
fn programs() -> Vec<PathBuf> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let folders = ["corpus", "check", "bench"].map(|f| support::files(&tests.join(f), "go"));
    let mut files: Vec<PathBuf> = folders.into_iter().flatten().collect();
    files.retain(|f| !f.components().any(|c| c.as_os_str() == "modules"));
    files
}

/// What is said of each program by a checker made by `checker`.
fn verdicts(checker: impl Fn() -> Checker) -> String {
    let mut out = String::new();
    for path in programs() {
        let name = path.display().to_string();
        let text = std::fs::read(&path).unwrap();
        let file = source::map().add_bytes(&name, &name, text);
        let mut checker = checker();
        let mut diagnostics = Diagnostics::new();
        if let Some(tree) = tree(file, &mut diagnostics) {
            checker.diags.append(diagnostics);
            checker.check_package("main", vec![tree]);
            diagnostics = std::mem::take(&mut checker.diags);
        }
        let _ = writeln!(out, "{name}\n{}", texts(diagnostics));
    }
    out
}

/// Runs `f` where trees of any depth have room.
fn deep<R: Send>(f: impl FnOnce() -> R + Send) -> R {
    const STACK: usize = 64 << 20;
    std::thread::scope(|s| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        thread.spawn_scoped(s, f).unwrap().join().unwrap()
    })
}

#[test]
fn programs_are_checked_as_against_the_texts() {
    let folder = std::env::temp_dir().join(format!("gosched-export-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let want = deep(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/stdlib");
        let library = Library::new(root);
        let data = library.check().unwrap().export(|_| true);
        let texts = Texts(library, Rc::default());
        let sources = source::snapshot();
        println!("{} bytes, {} of names and files", data.len(), sources.len());
        std::fs::write(folder.join("types"), data).unwrap();
        std::fs::write(folder.join("sources"), sources).unwrap();
        verdicts(|| Checker::new(Box::new(texts.clone())))
    });
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "a_process_that_reads"])
        .env(FOLDER, &folder)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&child.stdout);
    assert!(
        child.status.success(),
        "{said}{}",
        String::from_utf8_lossy(&child.stderr)
    );
    let have = std::fs::read_to_string(folder.join("verdicts")).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let mut lines = want.lines().zip(have.lines());
    if let Some((want, have)) = lines.find(|(want, have)| want != have) {
        panic!("want: {want}\nhave: {have}");
    }
    assert_eq!(want.len(), have.len());
}

#[test]
#[ignore = "is run by the other"]
fn a_process_that_reads() {
    let Some(folder) = std::env::var_os(FOLDER) else {
        return;
    };
    let folder = PathBuf::from(folder);
    let read = |name| &*std::fs::read(folder.join(name)).unwrap().leak();
    source::restore(read("sources"));
    let data = read("types");
    let verdicts = deep(|| verdicts(|| Checker::with_exported(data, Box::new(Nothing))));
    std::fs::write(folder.join("verdicts"), verdicts).unwrap();
}

/// What a program is given of the functions compiled ahead is what their texts are compiled to,
/// instruction by instruction. Debug builds alone can read the texts.
#[cfg(debug_assertions)]
#[test]
fn programs_are_compiled_as_against_the_texts() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let functions = |program: &Path, from_texts: bool| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gosched"));
        command.args(["disasm", "--func=."]).arg(program);
        if from_texts {
            command.env("GOSCHED_STDLIB", root.join("src/stdlib"));
        }
        let output = command.output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        // Layouts are numbered, variables placed, and packages of the same rank initialised, in the
        // order in which they come up.
        let by_order = ["layout=", "at=global+"];
        let is_same = |word: &&str| {
            !by_order.iter().any(|begin| word.starts_with(begin)) && !word.contains('|')
        };
        let functions = text
            .split("\n\n")
            .filter(|f| !f.starts_with("runtime.doInit"));
        let mut functions: Vec<String> = functions
            .map(|f| f.split(' ').filter(is_same).collect::<Vec<_>>().join(" "))
            .collect();
        functions.sort();
        functions
    };
    let mut n = 0;
    for program in support::files(&root.join("tests/corpus/stdlib"), "go") {
        let (mut want, mut have) = (functions(&program, true), functions(&program, false));
        // What is reached by reflection is not told apart as finely where it was compiled ahead: a
        // program may be given more. What it must have is there, and the same.
        if have.iter().any(|f| f.starts_with("reflect.")) {
            let is_code = |f: &String| !f.contains(": compiled in place in ");
            want.retain(is_code);
            have.retain(|f| is_code(f) && want.binary_search(f).is_ok());
        }
        if let Some((want, have)) = want.iter().zip(&have).find(|(want, have)| want != have) {
            panic!("{program:?}\nwant: {want}\nhave: {have}");
        }
        assert_eq!(want.len(), have.len(), "{program:?}");
        n += want.len();
    }
    assert!(n > 10_000, "{n} functions");
}
