//! What holds of the sources as texts. Which package may know which is in their manifests.

use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
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
        "reflect/made.rs",
        "functions of package reflect that tracebacks of Go show",
    ),
    (
        "synthetic.rs",
        "the table of functions of Go's runtime that are shown and that we do not have",
    ),
    (
        "engine.rs",
        "the packages whose code makes locks and the like, which is no race",
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

/// The module of a source file, from its package down: `vm::exec::regs`.
fn module(root: &Path, file: &Path) -> Vec<String> {
    let path = file.strip_prefix(root).unwrap().with_extension("");
    let mut names: Vec<String> = path.iter().map(|n| n.to_str().unwrap().into()).collect();
    let is_root = |names: &[String]| root.join("src").join(&names[1]).join("Cargo.toml").exists();
    match names[0].as_str() {
        "runtime" => drop(names.remove(1)),
        "src" if is_root(&names) => drop(names.remove(0)),
        _ => names[0] = "gosched".into(),
    }
    names.retain(|n| n != "mod" && n != "lib");
    names
}

/// The comment in a line of code, without what it quotes.
fn comment(line: &str) -> String {
    let (_, text) = line.split_once("//").unwrap_or_default();
    text.split('`').step_by(2).collect::<Vec<_>>().join("`")
}

/// A label, `D1`, is defined once in its file: in the header as `//! - D1. …`, or beside an item as
/// `/// D1: …`. Cited bare it is the file's own; another's is cited as `module::D1`, with as much
/// of the path as it takes. `D1 to D3` cites all three of one file.
#[test]
fn cited_invariants_are_defined_once() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["src", "tests", "runtime/src", "runtime/tests"].map(|f| sources(&root.join(f)));
    let definition = Regex::new(r"^\s*(?://! - ([A-Z][1-9]\d?)\.|/// ([A-Z][1-9]\d?):) ").unwrap();
    let citation =
        Regex::new(r"((?:\w+::)*)\b([A-Z])([1-9]\d?)\b(?: (?:to|–) ([A-Z])([1-9]\d?)\b)?");
    let citation = citation.unwrap();
    let mut wrong = Vec::new();
    // By module: where each label is defined.
    let mut defined: BTreeMap<Vec<String>, BTreeSet<String>> = BTreeMap::new();
    let mut cited = Vec::new();
    for file in folders.into_iter().flatten() {
        let at = module(root, &file);
        let text = std::fs::read_to_string(&file).unwrap();
        let mut is_example = false;
        for (n, line) in text.lines().enumerate() {
            is_example ^= line.contains("//! ```") || line.contains("/// ```");
            if is_example {
                continue;
            }
            let place = format!("{}:{}", file.display(), n + 1);
            let mut text = comment(line);
            if let Some(found) = definition.captures(line) {
                let label = found.get(1).or(found.get(2)).unwrap().as_str();
                text = text.replacen(label, "", 1);
                let labels = defined.entry(at.clone()).or_default();
                if !labels.insert(label.into()) {
                    wrong.push(format!("{place}: {label} is defined before"));
                }
            }
            for found in citation.captures_iter(&text) {
                let path: Vec<&str> = found[1].split_terminator("::").collect();
                let path: Vec<String> = path.into_iter().map(String::from).collect();
                let first: u32 = found[3].parse().unwrap();
                let last = found.get(5).map_or(first, |n| n.as_str().parse().unwrap());
                if first > last || found.get(4).is_some_and(|l| l.as_str() != &found[2]) {
                    wrong.push(format!("{place}: {} is no range", &found[0]));
                }
                for n in first..=last {
                    let label = format!("{}{n}", &found[2]);
                    cited.push((place.clone(), at.clone(), path.clone(), label));
                }
            }
        }
    }
    assert!(cited.len() > 500, "only {} citations", cited.len());
    for (place, at, path, label) in cited {
        let names = |m: &Vec<String>| match path.is_empty() {
            true => *m == at,
            false => *m == path || m[0] == at[0] && m.ends_with(&path),
        };
        let places = defined
            .iter()
            .filter(|(m, l)| names(m) && l.contains(&label));
        let found: Vec<_> = places.map(|(m, _)| m.join("::")).collect();
        if found.len() != 1 {
            let cited = path.into_iter().chain([label]).collect::<Vec<_>>();
            wrong.push(format!(
                "{place}: {} is defined in {found:?}",
                cited.join("::")
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
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

/// What is made once in a process, by file: how many such cells, and why they belong to the process
/// or to the value that has them rather than to a program: many can be loaded into one process.
const MADE_ONCE: &[(&str, usize, &str)] = &[
    (
        "bytecode/arena.rs",
        2,
        "the address space of an arena, taken when it is first used",
    ),
    (
        "bytecode/func.rs",
        2,
        "of a function: its liveness, made when it is first scanned; who is told of new ones",
    ),
    (
        "bytecode/image.rs",
        2,
        "of an image: the stubs, made when they are first asked for",
    ),
    (
        "bytecode/rtype.rs",
        3,
        "types are the same in all programs, and so is their heap",
    ),
    (
        "loader.rs",
        2,
        "how the process looks for files: flags, the environment",
    ),
    (
        "loader/goroot.rs",
        2,
        "the tree of Go's sources, which flags and the environment name, and the list of it",
    ),
    (
        "repl/protocol.rs",
        1,
        "the pipes of the protocol, one for descriptors that the process has once",
    ),
    (
        "repl/screen.rs",
        1,
        "the pseudo-terminal that the end of the process empties",
    ),
    (
        "repl/terminal.rs",
        1,
        "the file of inputs that the end of the process names or removes",
    ),
    (
        "source/lib.rs",
        5,
        "the one map of sources and names; of a file: where lines begin",
    ),
    (
        "source/snapshot.rs",
        4,
        "the library's names and files; of a file: that it is in the map",
    ),
    (
        "stdlib/encoding/json/v2/plan.rs",
        1,
        "plans of types, which hold for good",
    ),
    (
        "stdlib/internal/curves/natives.rs",
        2,
        "tables of curves, made when they are first used",
    ),
    (
        "stdlib/os/natives.rs",
        1,
        "the file that the process was started from",
    ),
    (
        "stdlib/regexp/keep.rs",
        1,
        "automata of patterns, which may be thrown away",
    ),
    (
        "stdlib/syscall/environ.rs",
        1,
        "the environment is the process's",
    ),
    (
        "stdlib/unicode/natives.rs",
        4,
        "tables that are worked out from std's",
    ),
    (
        "vm/reflect/made.rs",
        1,
        "where the code of method values is said to lie",
    ),
    (
        "vm/native/table.rs",
        2,
        "the stub of a native, which has one place for all images",
    ),
    ("vm/slow/slices.rs", 1, "the run-time type of a byte"),
    (
        "vm/tier.rs",
        2,
        "the native code that is there from the beginning; a test's",
    ),
    ("vm/tier/memory.rs", 1, "where native code lies"),
    (
        "vm/synthetic.rs",
        1,
        "the stubs of all images have the same code",
    ),
];

#[test]
fn what_is_made_once_is_not_a_programs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let cell = Regex::new(r"\b(OnceLock|LazyLock)(<|::)").unwrap();
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    for file in sources(&root) {
        let text = std::fs::read_to_string(&file).unwrap();
        let code = text.lines().filter(|l| !l.trim_start().starts_with("//"));
        let n = code.filter(|line| cell.is_match(line)).count();
        if n > 0 {
            let name = file.strip_prefix(&root).unwrap().display().to_string();
            found.insert(name, n);
        }
    }
    let known = MADE_ONCE.iter().map(|(file, n, _)| (file.to_string(), *n));
    assert_eq!(found, known.collect());
}

/// A package of the library is a folder: in `src/stdlib` itself lies what is of no package.
#[test]
fn the_library_is_in_folders() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/stdlib");
    let entries = std::fs::read_dir(root).unwrap().flatten();
    let files = entries.filter(|e| e.path().is_file()).count();
    assert!(files <= 6, "{files} files");
}

/// What is kept lies in its place: nothing that a run left behind is committed at the top.
#[test]
fn the_top_level_is_as_it_was_agreed() {
    const FILES: [&str; 12] = [
        ".gitignore",
        "ARCHITECTURE.md",
        "CHANGELOG.md",
        "COMPATIBILITY.md",
        "CONTRIBUTING.md",
        "Cargo.lock",
        "Cargo.toml",
        "LICENSE",
        "NOTICE",
        "README.md",
        "build.rs",
        "rust-toolchain.toml",
    ];
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    if !root.join(".git").exists() {
        return; // a package
    }
    let mut git = std::process::Command::new("git");
    let listed = git.arg("ls-files").current_dir(root).output().unwrap();
    assert!(listed.status.success(), "{listed:?}");
    let listed = String::from_utf8(listed.stdout).unwrap();
    let others = listed
        .lines()
        .filter(|file| !file.contains('/') && !FILES.contains(file));
    assert_eq!(others.collect::<Vec<_>>(), [""; 0]);
}
