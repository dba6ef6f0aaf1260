//! Packages from a Go source tree: which ones of Go's library load, and what is said otherwise.
//!
//! `tests/goroot/table.txt` has a line for each package of Go's library: whether it is ours, loads
//! from the tree, or is refused and why. One loads if a program compiles and runs that names all
//! its exported functions and methods; of its example tests the line says how many pass.
//! `UPDATE_EXPECT=1 cargo test --test goroot` writes it. `types.out` is what real Go prints for
//! `types.go`. The tree is the one whose folder `src` is
//! `GOSCHED_GO_SRC`; without it only the messages are tested.

mod support;

use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::Duration;
use support::{End, Ran, gosched, needs};

const LIMIT: Duration = Duration::from_secs(300);

/// A folder that is deleted at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let name = format!(
            "gosched-goroot-{}-{}",
            name.replace('/', "-"),
            std::process::id()
        );
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn write(&self, name: &str, text: &str) -> &Folder {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        self
    }

    fn run(&self, change: impl FnOnce(&mut Command)) -> Ran {
        let mut command = gosched();
        command
            .current_dir(&self.0)
            .env_remove("GOROOT")
            .env("GOENV", "off")
            .env("PATH", "/nowhere");
        change(&mut command);
        support::run(&mut command, b"", LIMIT)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The root of the tree.
fn tree() -> Result<PathBuf, String> {
    let found = std::env::var_os("GOSCHED_GO_SRC").map(PathBuf::from);
    let root = found.as_deref().and_then(Path::parent);
    root.map(Path::to_path_buf)
        .ok_or("GOSCHED_GO_SRC is not set".into())
}

fn main() {
    let args = Arguments::from_args();
    let found = || {
        trees_are_found_and_held_against_the_version();
        Ok(())
    };
    let table = each_package_of_gos_library_is_ours_loads_or_is_refused;
    let trials = vec![
        Trial::test("trees_are_found_and_held_against_the_version", found),
        needs(
            "each_package_of_gos_library_is_ours_loads_or_is_refused".into(),
            tree(),
            table,
        ),
        needs(
            "gos_type_checker_checks_net_http".into(),
            tree(),
            gos_type_checker_checks_net_http,
        ),
    ];
    libtest_mimic::run(&args, trials).exit();
}

/// Programs see packages of the tree by each way of naming it, and are told how if by none.
fn trees_are_found_and_held_against_the_version() {
    let folder = Folder::new("found");
    folder.write(
        "a.go",
        "package main\n\nimport _ \"debug/gosym\"\n\nfunc main() {}\n",
    );
    let said = |tree: &str, by_variable: bool| {
        let ran = folder.run(|command| {
            command.arg("run");
            match by_variable {
                true => _ = command.env("GOROOT", tree),
                false => _ = command.arg(format!("--goroot={tree}")),
            }
            command.arg("a.go");
        });
        ran.stderr.trim_end().to_string()
    };
    let none = folder.run(|command| _ = command.args(["run", "a.go"]));
    assert_eq!(
        none.stderr,
        "a.go:3:8: unsupported: package debug/gosym; a source tree of Go 1.27 would give it: \
         --goroot=DIR, GOROOT, or go on the PATH\n"
    );
    folder
        .write("old/VERSION", "go1.26.1\ntime x\n")
        .write("old/src/x", "");
    let start = "a.go:3:8: unsupported: package debug/gosym; it would load from a source tree of";
    assert_eq!(
        said("old", false),
        format!("{start} Go 1.27, and old is one of go1.26.1")
    );
    assert_eq!(
        said("old", true),
        format!("{start} Go 1.27, and old is one of go1.26.1")
    );
    assert_eq!(
        said("away", false),
        format!("{start} Go 1.27, and away is none")
    );
    // A tree made up: its `go` lies beside it, and a script on the path may know where.
    folder
        .write("new/VERSION", "go1.27.9\n")
        .write("new/src/debug/gosym/a.go", GOSYM)
        .write(
            "new/src/debug/gosym/a_windows.go",
            "package gosym\n\nvar x int = \"\"\n",
        )
        .write(
            "new/src/debug/gosym/asm.go",
            "//go:build !purego\n\npackage gosym\n\nfunc f()\n",
        )
        .write(
            "new/src/internal/cpu/a.go",
            "package cpu\n\nvar Is = \"tree\"\n",
        )
        .write(
            "new/src/vendor/a.b/c/a.go",
            "package c\n\nvar Is = \"vendor\"\n",
        )
        .write("new/bin/go", "#!/bin/sh\nexit 1\n")
        .write("script/go", "#!/bin/sh\necho ${0%/script/go}/new\n");
    executable(&folder.0.join("script/go"));
    executable(&folder.0.join("new/bin/go"));
    let path = |dir: &str| format!("{}:/bin:/usr/bin", folder.0.join(dir).display());
    folder.write("b.go", USES);
    for dir in ["new/bin", "script"] {
        let ran = folder.run(|command| _ = command.env("PATH", path(dir)).args(["run", "b.go"]));
        assert_eq!(ran.stdout, "made tree vendor\n", "{dir}: {}", ran.stderr);
    }
    // What has no body is refused where it is reached, and only there.
    folder.write("c.go", &USES.replace("Get()", "Missing()"));
    let ran = folder.run(|command| _ = command.args(["run", "--goroot=new", "c.go"]));
    let refused = "new/src/debug/gosym/a.go:12:6: unsupported: debug/gosym.missing";
    assert!(ran.stderr.contains(refused), "{}", ran.stderr);
    // Packages that are for the tree alone are not for programs.
    folder.write(
        "d.go",
        "package main\n\nimport _ \"a.b/c\"\n\nfunc main() {}\n",
    );
    let ran = folder.run(|command| _ = command.args(["run", "--goroot=new", "d.go"]));
    assert!(
        ran.stderr
            .contains("no required module provides package a.b/c"),
        "{}",
        ran.stderr
    );
}

const GOSYM: &str = r#"package gosym

import (
	"internal/cpu"
	"strings"

	"a.b/c"
)

var made = strings.ToLower("MADE")

func missing() string

func Get() string { return made + " " + cpu.Is + " " + c.Is }

func Missing() string { return missing() }
"#;

const USES: &str = r#"package main

import (
	"debug/gosym"
	"fmt"
)

func main() { fmt.Println(gosym.Get()) }
"#;

fn executable(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// The packages of Go's library with what they export.
fn packages() -> BTreeMap<String, Vec<String>> {
    let list = support::tests_dir().join("../src/stdlib/exports.txt");
    let mut packages = BTreeMap::new();
    let mut names: &mut Vec<String> = &mut Vec::new();
    let text = std::fs::read_to_string(list).unwrap();
    for line in text.lines() {
        match line.strip_prefix(' ') {
            None => names = packages.entry(line.to_string()).or_default(),
            Some(line) => names.extend(line.split(' ').map(str::to_string)),
        }
    }
    packages
}

fn is_ours(path: &str) -> bool {
    let folder = support::tests_dir().join("../src/stdlib").join(path);
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names = entries.map(|entry| entry.file_name().into_string().unwrap_or_default());
    path == "unsafe" || names.any(|name| name.ends_with(".go"))
}

/// The Go files of a package in the tree that are no tests, or are examples.
fn sources(dir: &Path, tests: bool) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let name = entry.file_name().into_string().unwrap_or_default();
        let is_wanted = match tests {
            true => name.starts_with("example") && name.ends_with("_test.go"),
            false => name.ends_with(".go") && !name.ends_with("_test.go"),
        };
        if is_wanted {
            files.push((
                name,
                std::fs::read_to_string(entry.path()).unwrap_or_default(),
            ));
        }
    }
    files.sort();
    files
}

/// A program that names the functions and methods that the package exports.
fn program(path: &str, names: &[String], dir: &Path) -> String {
    let text: String = sources(dir, false)
        .into_iter()
        .map(|(_, text)| text)
        .collect();
    let has = |start: &str| text.lines().any(|line| line.starts_with(start));
    let mut uses = String::new();
    for name in names {
        match name.split_once('.') {
            None if has(&format!("func {name}(")) => _ = writeln!(uses, "\tuse(p.{name})"),
            Some((ty, method)) => {
                let heads = ["(", "(*"].map(|open| format!("{open}{ty}) {method}("));
                let is_method = |line: &str| {
                    let rest = line.strip_prefix("func (");
                    rest.is_some_and(|rest| {
                        let rest = rest.split_once(' ').map_or(rest, |(first, after)| {
                            if first.ends_with(')') { rest } else { after }
                        });
                        heads.iter().any(|head| rest.starts_with(&head[1..]))
                    })
                };
                if text.lines().any(is_method) {
                    let _ = writeln!(uses, "\tuse((*p.{ty}).{method})");
                }
            }
            None => (),
        }
    }
    let import = if uses.is_empty() { "_" } else { "p" };
    format!(
        "package main\n\nimport {import} {path:?}\n\nvar used []any\n\nfunc use(x any) {{ used = \
         append(used, x) }}\n\nfunc main() {{\n{uses}\tprintln(\"runs\")\n}}\n"
    )
}

/// What the table says of a package.
fn verdict(path: &str, names: &[String], tree: &Path) -> String {
    if is_ours(path) {
        return "ours".into();
    }
    let dir = tree.join("src").join(path);
    let folder = Folder::new(path);
    folder.write("all.go", &program(path, names, &dir));
    let flag = format!("--goroot={}", tree.display());
    let ran = folder.run(|command| _ = command.args(["run", &flag, "all.go"]));
    if ran.end != End::Exit(0) {
        let first = ran.stderr.lines().next().unwrap_or("no message");
        // The table is the same wherever the tree lies.
        let plain = first
            .find(&format!("{path}/"))
            .map_or(first, |at| &first[at..]);
        let plain = plain.strip_prefix("all.go:3:8: ").unwrap_or(plain);
        return format!("refused: {plain}");
    }
    let examples = sources(&dir, true);
    if examples.is_empty() {
        return "loads".into();
    }
    folder.write("test/go.mod", "module example\n\ngo 1.27\n");
    for (name, text) in &examples {
        folder.write(&format!("test/{name}"), text);
    }
    // Some examples read the package's own files.
    let ran = folder.run(|command| {
        let words = ["test", "-v", "-run=^Example", &flag];
        command.args(words).current_dir(folder.0.join("test"));
    });
    let count = |start: &str| ran.stdout.lines().filter(|l| l.starts_with(start)).count();
    let (passed, failed) = (count("--- PASS: "), count("--- FAIL: "));
    match (passed, failed) {
        (0, 0) if ran.end == End::Exit(0) => "loads; its examples have no output".into(),
        (0, 0) => {
            let said = format!("{}{}", ran.stdout, ran.stderr);
            let mut lines = said.lines().filter(|l| !l.starts_with("# "));
            format!(
                "loads; its examples do not build: {}",
                lines.next().unwrap_or("")
            )
        }
        (_, 0) => format!("loads; {passed} examples pass"),
        _ => format!("loads; {passed} examples pass, {failed} fail"),
    }
}

fn each_package_of_gos_library_is_ours_loads_or_is_refused(tree: PathBuf) -> Result<(), Failed> {
    let packages = packages();
    let todo: Mutex<Vec<_>> = Mutex::new(packages.iter().rev().collect());
    let done: Mutex<BTreeMap<&String, String>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let next = todo.lock().unwrap().pop();
                    let Some((path, names)) = next else { return };
                    let verdict = verdict(path, names, &tree);
                    done.lock().unwrap().insert(path, verdict);
                }
            });
        }
    });
    let done = done.into_inner().unwrap();
    let loads = done.values().filter(|v| v.starts_with("loads")).count();
    let ours = done.values().filter(|v| *v == "ours").count();
    let mut table = format!(
        "{} packages: {ours} ours, {loads} load from a Go source tree, {} are refused\n\n",
        done.len(),
        done.len() - ours - loads,
    );
    for (path, verdict) in &done {
        let _ = writeln!(table, "{path:24}{verdict}");
    }
    let file = support::tests_dir().join("goroot/table.txt");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(file, table)?;
        return Ok(());
    }
    let want = std::fs::read_to_string(file).unwrap_or_default();
    if let Some(difference) = support::difference(&want, &table) {
        return Err(difference.into());
    }
    Ok(())
}

/// The type checker of the tree, run by us, finds in the library's own net/http what it finds when
/// Go runs it.
fn gos_type_checker_checks_net_http(tree: PathBuf) -> Result<(), Failed> {
    let program = support::tests_dir().join("goroot/types.go");
    let folder = Folder::new("types");
    let ran = folder.run(|command| {
        command.env("GOROOT", tree).env("CGO_ENABLED", "0");
        command.arg("run").arg(&program);
    });
    assert_eq!((ran.end, &*ran.stderr), (End::Exit(0), ""));
    let want = std::fs::read_to_string(program.with_extension("out")).unwrap();
    if let Some(difference) = support::difference(&want, &ran.stdout) {
        return Err(difference.into());
    }
    Ok(())
}
