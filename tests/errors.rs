//! Errors as JSON say what Go's lines say, on all of Go's own programs that must be refused, and
//! keep to `examples/errors.schema.json`.

mod support;

use boon::{Compiler, SchemaIndex, Schemas};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;
use support::{files, go_test_dir, gosched, needs, run};

/// At least so many programs begin with `// errorcheck`.
const PROGRAMS: usize = 508;

fn main() {
    let args = Arguments::from_args();
    let ours = files(&support::tests_dir().join("check"), "go");
    let mut trials = vec![Trial::test("ours", move || hold(&ours))];
    trials.push(needs("gos".into(), go_test_dir(), |dir| gos(&dir)));
    libtest_mimic::run(&args, trials).exit();
}

fn gos(dir: &Path) -> Result<(), Failed> {
    let mut all = files(dir, "go");
    all.retain(|file| {
        let text = std::fs::read(file).unwrap_or_default();
        text.starts_with(b"// errorcheck\n")
    });
    if all.len() < PROGRAMS {
        return Err(format!("there are only {} programs", all.len()).into());
    }
    hold(&all)
}

/// Holds the two forms of the errors of each program against one another.
fn hold(programs: &[PathBuf]) -> Result<(), Failed> {
    let mut schemas = Schemas::new();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/errors.schema.json");
    let schema = Compiler::new()
        .compile(path.to_str().unwrap(), &mut schemas)
        .map_err(|e| e.to_string())?;
    let mut wrong = String::new();
    let mut objects = 0;
    for program in programs {
        let lines = |json: &[&str]| {
            let mut command = gosched();
            command
                .args(["check", "--all-errors"])
                .args(json)
                .arg(program);
            run(&mut command, b"", Duration::from_secs(60))
        };
        let (text, json) = (lines(&[]), lines(&["--json"]));
        let mut told = String::new();
        for line in json.stdout.lines() {
            objects += 1;
            match line_of(line, &schemas, schema) {
                Ok(line) => told.push_str(&line),
                Err(why) => _ = writeln!(wrong, "{}: {why}: {line}", program.display()),
            }
        }
        if told != text.stderr || json.end != text.end || !json.stderr.is_empty() {
            let _ = writeln!(wrong, "{}:\n{}---\n{told}", program.display(), text.stderr);
        }
    }
    match wrong.is_empty() {
        true if objects < programs.len() / 2 => Err(format!("only {objects} errors").into()),
        true => Ok(()),
        false => Err(wrong.into()),
    }
}

/// The line that Go prints for an object.
fn line_of(object: &str, schemas: &Schemas, schema: SchemaIndex) -> Result<String, String> {
    let value: Value = serde_json::from_str(object).map_err(|e| e.to_string())?;
    schemas
        .validate(&value, schema)
        .map_err(|e| e.to_string())?;
    let message = value["message"].as_str().unwrap_or_default();
    let (file, line) = (&value["file"], &value["line"]);
    let column = value
        .get("column")
        .map_or(String::new(), |c| format!(":{c}"));
    Ok(match file.as_str() {
        Some(file) => format!("{file}:{line}{column}: {message}\n"),
        None => format!("gosched: {message}\n"),
    })
}
