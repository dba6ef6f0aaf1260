//! What holds of the sources as texts. Which package may know which is in their manifests.

use regex::Regex;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn sources(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                found.push(path);
            }
        }
    }
    found
}

/// The files of the VM that name functions or types of the library, with the reason.
const NAMES_IN_VM: &[(&str, &str)] = &[
    (
        "synthetic.rs",
        "the table of functions of Go's runtime that are shown and that we do not have",
    ),
    (
        "error_text.rs",
        "the Go types that the values of run-time errors are of",
    ),
];

/// What the VM must know of a function of the library is an attribute of the function, declared
/// where it is. A literal counts that begins with a package's path and a dot, or is a path with a
/// slash. Those with spaces are texts for people, such as "runtime.SetFinalizer: …".
#[test]
fn the_vm_names_nothing_of_the_library() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/vm");
    let literal = Regex::new(r#""([^"\\\s]+)""#).unwrap();
    let paths = stdlib::paths();
    let is_name = |text: &str| {
        paths.iter().any(|path| {
            let rest = text.strip_prefix(path);
            rest.is_some_and(|rest| rest.starts_with('.') || rest.is_empty() && path.contains('/'))
        })
    };
    let mut named: BTreeSet<String> = BTreeSet::new();
    let mut wrong = Vec::new();
    for file in sources(&root) {
        let name = file.strip_prefix(&root).unwrap().display().to_string();
        if name == "tests.rs" {
            continue;
        }
        let text = std::fs::read_to_string(&file).unwrap();
        for line in text.lines().filter(|l| !l.trim_start().starts_with("//")) {
            for found in literal.captures_iter(line).filter(|c| is_name(&c[1])) {
                if !NAMES_IN_VM.iter().any(|(file, _)| *file == name) {
                    wrong.push(format!("{name}: {}", &found[1]));
                }
                named.insert(name.clone());
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for (file, why) in NAMES_IN_VM {
        assert!(named.contains(*file), "{file} names none: {why}");
    }
}

/// The longest line of a Rust file, in characters: rustfmt's width, but for comments, long texts
/// and macros too, which rustfmt does not touch.
const COLUMNS: usize = 100;

#[test]
fn lines_are_within_100_columns() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["src", "tests", "runtime"].map(|f| sources(&root.join(f)));
    let mut long = Vec::new();
    for file in folders.into_iter().flatten().chain([root.join("build.rs")]) {
        let name = file.strip_prefix(root).unwrap().display().to_string();
        let text = std::fs::read_to_string(&file).unwrap();
        for (i, line) in text.lines().enumerate() {
            if line.chars().count() > COLUMNS {
                long.push(format!("{name}:{}", i + 1));
            }
        }
    }
    assert!(
        long.is_empty(),
        "more than {COLUMNS} columns:\n{}",
        long.join("\n")
    );
}

/// The table of instructions says what is the same of several opcodes: nothing reckons with their
/// order, and nothing but the disassembler reads the names of opcodes and operands.
#[test]
fn opcodes_are_neither_reckoned_nor_read() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let wrong = [
        r"Op::ALL\s*\[",
        r"Op::from_u16\([^)]*[+-]",
        r"\bOp::\w+ as (usize|u16|i64) *[+-]",
        r"\b(op|of)\.name\(\)\s*(\[|==|!=|\.(starts|ends|contains|eq|find|strip))",
        r"\bo\.name\s*(==|!=)\s*\x22|\bo\.name\.(starts|ends)",
        r"match o\.name \{|match \(.*\bo\.name\)|matches!\(\s*o\.name",
    ]
    .map(|pattern| Regex::new(pattern).unwrap());
    let mut found = Vec::new();
    for room in ["bytecode", "compile", "vm"] {
        for file in sources(&root.join(room)) {
            let is_exempt = |name: &&str| file.ends_with(name);
            if ["bytecode/op.rs", "bytecode/disasm.rs", "vm/tests.rs"]
                .iter()
                .any(is_exempt)
            {
                continue;
            }
            let text = std::fs::read_to_string(&file).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap();
            for (n, line) in code.lines().enumerate() {
                let line = line.split("//").next().unwrap();
                if wrong.iter().any(|w| w.is_match(line)) {
                    found.push(format!("{}:{}: {}", file.display(), n + 1, line.trim()));
                }
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
