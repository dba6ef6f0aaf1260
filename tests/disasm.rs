//! The bytecode of a few functions, so that a change of the compiler shows what it changes.
//!
//! Each `tests/disasm/NAME.golden` holds Go declarations, a line of dashes, and what
//! `gosched disasm` prints of their functions. `UPDATE_EXPECT=1 cargo test --test disasm` writes
//! the second part anew: read the difference before committing it.

mod support;

use std::time::Duration;
use support::{End, difference, files, gosched, tests_dir};

const RULE: &str = "\n--------\n";

#[test]
fn goldens() {
    let paths = files(&tests_dir().join("disasm"), "golden");
    assert!(paths.len() >= 6, "where are the goldens?");
    let mut wrong = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        let (source, want) = text.split_once(RULE).unwrap_or((text.trim_end(), ""));
        let got = bytecode(source);
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&path, format!("{source}{RULE}{got}")).unwrap();
        } else if let Some(d) = difference(want, &got) {
            wrong.push(format!("{}: {d}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A program that uses nothing of what it imports initialises nothing.
#[test]
fn imports_alone_cost_nothing() {
    let paths = stdlib::paths().into_iter();
    let paths = paths.filter(|p| !stdlib::catalog::is_internal(p) && *p != "unsafe");
    let imports: String = paths.map(|p| format!("import _ {p:?}\n")).collect();
    let program = format!("package main\n{imports}\nfunc main() {{}}\n");
    let mut command = gosched();
    command.args(["disasm", "-"]);
    let ran = support::run(&mut command, program.as_bytes(), Duration::from_secs(60));
    assert_eq!(ran.end, End::Exit(0), "{}{}", ran.stdout, ran.stderr);
    let (_, init) = ran.stdout.split_once("runtime.doInit:").expect("an init");
    assert!(!init.contains("Call"), "{init}");
}

/// What `disasm` prints of the functions of package main; `keep` names those that are wanted.
fn bytecode(source: &str) -> String {
    let program = format!("package main\n{source}\nfunc main() {{ keep() }}\n");
    let mut command = gosched();
    command.args(["disasm", "-"]);
    let ran = support::run(&mut command, program.as_bytes(), Duration::from_secs(60));
    assert_eq!(ran.end, End::Exit(0), "{}{}", ran.stdout, ran.stderr);
    ran.stdout
        .split("\n\n")
        .map(str::trim)
        .filter(|f| {
            f.starts_with("main.")
                && !f.starts_with("main.main:")
                && !f.starts_with("main.keep:")
                && !f.starts_with("main.init")
        })
        .map(|f| format!("{f}\n"))
        .collect::<Vec<_>>()
        .join("\n")
}
