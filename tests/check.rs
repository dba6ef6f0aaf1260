//! Programs that are refused, with every error real Go reports for them.
//!
//! Each `tests/check/NAME.go` is checked through the library, against the declarations in
//! `tests/check/std`; the errors must be those of `NAME.err`, line for line. `UPDATE_EXPECT=1`
//! writes the tables from `go build -gcflags=-e`, run with the program that `GO` names.

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use syntax::ast::File;
use syntax::diagnostics::Diagnostics;
use syntax::{nesting, parser};
use types::{Checker, Imported, Importer};

const STACK_BYTES: usize = 64 << 20;

fn dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/check")
}

fn main() {
    let args = Arguments::from_args();
    let mut trials = Vec::new();
    let mut names: Vec<PathBuf> = std::fs::read_dir(dir())
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "go"))
        .collect();
    names.sort();
    for path in names {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        trials.push(Trial::test(name, move || test(&path)));
    }
    for (name, text) in long_programs() {
        trials.push(Trial::test(format!("long/{name}"), move || {
            match errors(&format!("{name}.go"), text).as_str() {
                "" => Ok(()),
                other => Err(other.into()),
            }
        }));
    }
    libtest_mimic::run(&args, trials).exit();
}

/// Programs that a checker which recurses or compares all with all would not survive.
fn long_programs() -> Vec<(&'static str, String)> {
    let body = |b: String| format!("package main\n\nfunc main() {{\n{b}\n}}\n");
    let cases: String = (0..50_000).map(|i| format!("case {i}:\nx = 1\n")).collect();
    let elems: String = (0..100_000).map(|i| format!("\"k{i}\": {i},\n")).collect();
    vec![
        (
            "sum",
            body(format!(
                "x := 1\nx = x{}\nprintln(x)",
                " + 1".repeat(1_000_000)
            )),
        ),
        (
            "text",
            body(format!(
                "const s = \"a\"{}\nprintln(len(s))",
                " + \"b\"".repeat(1_000_000)
            )),
        ),
        ("switch", body(format!("switch x := 1; x {{\n{cases}}}"))),
        (
            "map",
            body(format!("m := map[string]int{{\n{elems}}}\nprintln(len(m))")),
        ),
        (
            "parens",
            body(format!(
                "x := {}1{}\nprintln(x)",
                "(".repeat(30_000),
                ")".repeat(30_000)
            )),
        ),
        (
            "stars",
            body(format!(
                "var x {}int\nprintln(x == nil)",
                "*".repeat(30_000)
            )),
        ),
    ]
}

fn test(path: &Path) -> Result<(), Failed> {
    let expected_path = path.with_extension("err");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&expected_path, real_go(path)?)?;
    }
    let expected = std::fs::read_to_string(&expected_path)?;
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let found = errors(&name, std::fs::read_to_string(path)?);
    if expected == found {
        return Ok(());
    }
    let mut report = String::new();
    for line in expected.lines().filter(|l| !found.lines().any(|f| f == *l)) {
        report.push_str(&format!("missing: {line}\n"));
    }
    for line in found.lines().filter(|l| !expected.lines().any(|e| e == *l)) {
        report.push_str(&format!("extra:   {line}\n"));
    }
    Err(report.into())
}

/// What real Go says, file names without directory.
fn real_go(path: &Path) -> Result<String, Failed> {
    let go = std::env::var("GO").unwrap_or("go".into());
    let name = path.file_name().unwrap();
    let out = std::process::Command::new(go)
        .args(["build", "-gcflags=-e", "-o", "/dev/null"])
        .arg(name)
        .current_dir(dir())
        .output()?;
    let text = String::from_utf8(out.stderr)?;
    let lines: Vec<String> = text
        .lines()
        .filter(|l| !l.starts_with('#'))
        .map(|l| l.replace("./", "") + "\n")
        .collect();
    Ok(lines.concat())
}

/// What we say.
fn errors(name: &str, text: String) -> String {
    let name = name.to_string();
    let work = move || {
        nesting::announce(STACK_BYTES);
        let mut diags = Diagnostics::new();
        let mut checker = Checker::new(Box::new(Stubs));
        if let Some(file) = parse(&name, text, &mut diags) {
            checker.diags.append(std::mem::take(&mut diags));
            checker.check_package("main", vec![file]);
        }
        diags.append(std::mem::take(&mut checker.diags));
        let lines: Vec<String> = diags
            .sorted()
            .into_iter()
            .map(|d| format!("{}: {}\n", source::map().position(d.pos), d.message))
            .collect();
        // Types may be nested as deeply as the program; there is no need to take them apart.
        std::mem::forget(checker);
        lines.concat()
    };
    std::thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(work)
        .unwrap()
        .join()
        .unwrap_or_else(|_| "the checker panicked\n".into())
}

fn parse(name: &str, text: String, diags: &mut Diagnostics) -> Option<&'static File> {
    let file = source::map().add(name, name, text);
    parser::parse_file(file, diags).map(|f| &*Box::leak(Box::new(f)))
}

/// The standard packages that the programs import, as far as they use them.
struct Stubs;

impl Importer for Stubs {
    fn import(&mut self, path: &str) -> Result<Imported, String> {
        let file = dir().join("std").join(path.replace('/', "_") + ".txt");
        let text =
            std::fs::read_to_string(file).map_err(|_| format!("package {path} is not in std"))?;
        let mut diags = Diagnostics::new();
        let files = parse(&format!("$GOROOT/src/{path}.go"), text, &mut diags);
        assert!(diags.is_empty(), "{path}: {:?}", diags.as_slice());
        Ok(Imported {
            path: path.to_string(),
            files: files.into_iter().collect(),
            is_std: true,
            lang: types::version::CURRENT,
        })
    }
}
