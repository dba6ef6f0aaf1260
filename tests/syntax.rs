//! What the front end says about wrong programs, against what Go's compiler says.
//!
//! `syntax/errors.txt` holds small programs and the errors of Go 1.27's parser for each;
//! `syntax/rejected.txt` lists the files of two Go trees (the standard library's sources of 1.27,
//! and the `test` folder of 1.19) which that parser rejects, with the first error. The second is
//! checked where `GOSCHED_GO_SRC` or `GOSCHED_GO_TEST` names such a tree.

use std::collections::BTreeMap;
use std::path::Path;
use syntax::ast;
use syntax::diagnostics::Diagnostics;
use syntax::parser;

/// Runs `f` with the stack the driver gives the front end.
fn on_big_stack<T: Send>(f: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(1 << 30);
        let thread = builder.spawn_scoped(scope, f).unwrap();
        thread.join().unwrap()
    })
}

/// The tree, leaked, and the errors as `line:col: message`.
fn parse(name: &str, text: Vec<u8>) -> (Option<&'static ast::File>, Vec<String>) {
    let file = source::map().add_bytes(name, name, text);
    let mut diagnostics = Diagnostics::new();
    let tree = parser::parse_file(file, &mut diagnostics);
    let errors = diagnostics.sorted().into_iter().take(10).map(|d| {
        let p = source::map().position(d.pos);
        format!("{}:{}: {}", p.line, p.column, d.message)
    });
    let errors = errors.collect();
    (tree.map(|t| &*Box::leak(Box::new(t))), errors)
}

/// One case of a table: `=== name`, the program, `---`, its errors.
fn cases(table: &str) -> Vec<(String, String, Vec<String>)> {
    let mut cases = Vec::new();
    for case in format!("\n{table}").split("\n=== ").skip(1) {
        let (name, rest) = case.split_once('\n').unwrap();
        let (text, errors) = rest.split_once("\n---\n").unwrap();
        let errors = errors.lines().filter(|l| !l.is_empty());
        cases.push((
            name.to_string(),
            format!("{text}\n"),
            errors.map(String::from).collect(),
        ));
    }
    cases
}

#[test]
fn errors_are_gos() {
    let table = include_str!("syntax/errors.txt");
    let failures = on_big_stack(|| {
        let mut failures = Vec::new();
        for (name, text, want) in cases(table) {
            let (tree, got) = parse(&name, text.clone().into_bytes());
            let syntax = want.iter().any(|e| e.contains(": syntax error: "));
            if got != want || tree.is_some() == syntax {
                failures.push(format!("{name}:\n{text}want {want:#?}\ngot {got:#?}"));
            }
        }
        failures
    });
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

fn go_files(dir: &Path, out: &mut Vec<String>, root: &Path) {
    let Ok(entries) = std::fs::read_dir(dir) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            go_files(&path, out, root);
        } else if path.extension().is_some_and(|e| e == "go") {
            let name = path.strip_prefix(root).unwrap();
            out.push(name.to_string_lossy().into_owned());
        }
    }
}

/// The rejected files of the tree with this heading, and the first error of each.
fn rejected(heading: &str) -> BTreeMap<String, String> {
    let table = include_str!("syntax/rejected.txt");
    let part = table.split("=== ").find(|p| p.starts_with(heading));
    let lines = part.unwrap().lines().skip(1);
    lines
        .filter_map(|l| l.split_once('\t'))
        .map(|(file, error)| (file.to_string(), error.to_string()))
        .collect()
}

/// Files accepted and rejected must be Go's;
/// of the first errors, no fewer than `at_least` must have Go's text.
fn check_tree(variable: &str, heading: &str, at_least: usize) {
    let Ok(root) = std::env::var(variable) else {
        let required = std::env::var("GOSCHED_ORACLE").is_ok_and(|v| v == "required");
        assert!(!required, "{variable} must name a Go tree");
        eprintln!("{variable} is not set: nothing to check");
        return;
    };
    let root = Path::new(&root);
    let mut files = Vec::new();
    go_files(root, &mut files, root);
    let want = rejected(heading);
    let (wrong, same) = on_big_stack(|| {
        let mut wrong = Vec::new();
        let mut same = 0;
        for name in &files {
            let text = std::fs::read(root.join(name)).unwrap();
            let (tree, errors) = parse(name, text);
            let type_error = tree.is_some() && !want.contains_key(name);
            if errors.is_empty() == want.contains_key(name) && !type_error {
                wrong.push(format!("{name}: {:?}", errors.first()));
            }
            same += usize::from(errors.first() == want.get(name) && !errors.is_empty());
        }
        (wrong, same)
    });
    assert!(files.len() > 1000, "{variable} names no Go tree");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(same >= at_least, "only {same} first errors are Go's");
}

#[test]
fn standard_library_sources() {
    check_tree("GOSCHED_GO_SRC", "src 1.27", 48);
}

#[test]
fn go_test_programs() {
    check_tree("GOSCHED_GO_TEST", "test 1.19", 70);
}

/// Constructs nested `n` deep, and chains `n` long.
fn towers(n: usize) -> Vec<(&'static str, String)> {
    let wrap = |open: &str, middle: &str, close: &str| {
        format!(
            "package p\nvar x = {}{middle}{}\n",
            open.repeat(n),
            close.repeat(n)
        )
    };
    let body = |text: String| format!("package p\nfunc f() {{\n{text}\n}}\n");
    vec![
        ("parentheses", wrap("(", "1", ")")),
        ("indices", wrap("a[", "1", "]")),
        ("arguments", wrap("f(", "", ")")),
        ("literals", wrap("T{", "", "}")),
        (
            "elided literals",
            format!("package p\nvar x = T{}{}\n", "{".repeat(n), "}".repeat(n)),
        ),
        ("functions", wrap("func() {", "", "}")),
        ("negations", wrap("- ", "1", "")),
        ("unclosed", wrap("(", "", "")),
        ("calls", wrap("", "f", "()")),
        ("selectors", wrap("", "f", ".a")),
        (
            "pointers",
            format!("package p\nvar x {}int\n", "*".repeat(n)),
        ),
        (
            "slices",
            format!("package p\nvar x {}int\n", "[]".repeat(n)),
        ),
        (
            "channels",
            format!("package p\nvar x {}int\n", "chan ".repeat(n)),
        ),
        (
            "results",
            format!("package p\nvar x {}\n", "func() ".repeat(n)),
        ),
        ("maps", wrap("map[a]*", "int{}", "")),
        (
            "structs",
            format!(
                "package p\nvar x {}int{}\n",
                "struct { a ".repeat(n),
                "}".repeat(n)
            ),
        ),
        ("blocks", body("{".repeat(n) + &"}".repeat(n))),
        ("ifs", body("if a {\n".repeat(n) + &"}\n".repeat(n))),
        (
            "else ifs",
            body("if a {}".to_string() + &" else if a {}".repeat(n)),
        ),
        ("labels", body((0..n).map(|i| format!("L{i}: ")).collect())),
    ]
}

#[test]
fn deep_nesting_is_an_error_not_a_crash() {
    on_big_stack(|| {
        for (name, text) in towers(60_000) {
            let (tree, errors) = parse(name, text.into_bytes());
            assert!(tree.is_none(), "{name}");
            assert!(
                errors[0].ends_with("exceeded max nesting depth"),
                "{name}: {errors:?}"
            );
        }
        for (name, text) in towers(1_000) {
            let (tree, errors) = parse(name, text.into_bytes());
            let wrong = matches!(name, "unclosed" | "labels");
            assert_eq!(
                tree.is_none() || !errors.is_empty(),
                wrong,
                "{name}: {errors:?}"
            );
        }
    });
}

#[test]
fn long_sums_and_lines_parse() {
    on_big_stack(|| {
        let sum = format!("package p\nvar x = 1{}\n", " + 1".repeat(300_000));
        assert!(parse("sum", sum.clone().into_bytes()).1.is_empty());
        let (_, errors) = parse("broken sum", (sum + "var y = 1 2\n").into_bytes());
        assert_eq!(
            errors,
            ["3:11: syntax error: unexpected literal 2 after top level declaration"]
        );
        let line = format!("package p\nvar x = \"{}\"\n", "a".repeat(10 << 20));
        assert!(parse("line", line.into_bytes()).1.is_empty());
    });
}

#[test]
fn line_directives_move_errors() {
    let text = "package p\n//line a/b.go:100\nvar x = )\n//line :7\nvar /*line c.go:3:9*/ y = )\n";
    let file = source::map().add("line", "line", text.to_string());
    let mut diagnostics = Diagnostics::new();
    assert!(parser::parse_file(file, &mut diagnostics).is_none());
    let errors = diagnostics.sorted();
    let places: Vec<String> = errors
        .iter()
        .map(|d| source::map().position(d.pos).to_string())
        .collect();
    assert_eq!(places, ["a/b.go:100", "c.go:3:14"]);
}

#[test]
fn bytes_that_are_not_text() {
    let (_, errors) = parse(
        "bytes",
        b"package p\nvar x = \"a\xffb\"\nvar \x00y = 1\n".to_vec(),
    );
    assert_eq!(
        errors,
        ["2:11: invalid UTF-8 encoding", "3:5: invalid NUL character"]
    );
}
