//! Calls as a user types them, and all that they print.
//!
//! A transcript in `tests/calls` consists of blocks: a line `$ COMMAND` for the shell, more such
//! lines (`> MORE`) if the command has them, what it prints, standard output first, and `[STATUS]`
//! if that is not 0.
//! What stands between blocks begins with `#`. `UPDATE_EXPECT=1 cargo test --test calls` writes
//! what was seen.

mod support;

use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use support::{End, gosched};

/// What a shell prints that runs `text` in `folder`, where `gosched` is the program under test.
fn run(text: &str, folder: &Path) -> String {
    let program = gosched().get_program().to_owned();
    let bin = Path::new(&program).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let mut shell = Command::new("sh");
    for name in [
        "NO_COLOR",
        "CLICOLOR_FORCE",
        "GODEBUG",
        "GOTRACEBACK",
        "GOSCHED_WITHOUT",
    ] {
        shell.env_remove(name);
    }
    shell
        .args(["-c", text])
        .env("PATH", format!("{}:{path}", bin.display()))
        .env("GOMAXPROCS", "2")
        .current_dir(folder);
    let ran = support::run(&mut shell, b"", Duration::from_secs(60));
    let mut shown = ran.stdout + &ran.stderr;
    if !shown.is_empty() && !shown.ends_with('\n') {
        shown.push('\n');
    }
    match ran.end {
        End::Exit(0) => {}
        End::Exit(status) => _ = writeln!(shown, "[{status}]"),
        end => _ = writeln!(shown, "[{end:?}]"),
    }
    shown
}

/// Runs the calls of a transcript in a folder of their own, which has these files.
fn transcript(name: &str, least: usize, files: &[(&str, &str)]) {
    let folder = std::env::temp_dir().join(format!("gosched-calls-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (file, text) in files {
        let file = folder.join(file);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    let path = support::tests_dir().join(format!("calls/{name}.txt"));
    let expected = std::fs::read_to_string(&path).unwrap();
    let mut seen = String::new();
    let mut calls = 0;
    let mut lines = expected.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(first) = line.strip_prefix("$ ") else {
            if line.starts_with('#') || line.is_empty() {
                let _ = writeln!(seen, "{line}");
            }
            continue;
        };
        let mut call = first.to_string();
        let _ = writeln!(seen, "{line}");
        while let Some(more) = lines.peek().and_then(|l| l.strip_prefix("> ")) {
            let _ = write!(call, "\n{more}");
            let _ = writeln!(seen, "> {more}");
            lines.next();
        }
        seen.push_str(&run(&call, &folder));
        calls += 1;
    }
    let _ = std::fs::remove_dir_all(&folder);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &seen).unwrap();
    }
    for (want, have) in expected.lines().zip(seen.lines()) {
        assert_eq!(want, have, "{name}");
    }
    assert_eq!(expected.lines().count(), seen.lines().count(), "{name}");
    assert!(calls >= least, "{calls} calls");
}

const PROG: &str = "package main\n\nimport \"os\"\n\nfunc main() { println(len(os.Args)) }\n";

#[test]
fn one_liners() {
    transcript("one_liners", 50, &[("prog.go", PROG)]);
}

/// Each wrong call gets a sentence that says what is wrong, and one that says what to type.
#[test]
fn wrong_calls() {
    let bad = "package main\n\nfunc main() {\n\tvar count int\n\tcuont++\n}\n";
    transcript("wrong", 30, &[("prog.go", PROG), ("bad.go", bad)]);
}

#[test]
fn errors() {
    let bad = "package main\n\nimport \"fmt\"\n\n\
        type point struct{ first, second int }\n\n\
        func main() {\n\tvar count int\n\tcuont++\n\tfmt.Printn(1)\n\tvar p point\n\tp.frist = 1\n\
        \t_ = point{secnod: 2}\n\tcount, x := 1\n}\n";
    let module = "module m\n\ngo 1.27\n";
    let files = [
        ("bad.go", bad),
        (
            "import.go",
            "package main\n\nimport \"strngs\"\n\nfunc main() {}\n",
        ),
        ("prog.go", PROG),
        (
            "unimported.go",
            "package main\n\nfunc main() { fmt.Println(rand.IntN(1)) }\n",
        ),
        ("mod/go.mod", module),
        (
            "mod/main.go",
            "package main\n\nimport \"m/a\"\n\nfunc main() { a.F() }\n",
        ),
        ("mod/a/a.go", "package a\n\nfunc F() { undefined1() }\n"),
        ("mod/b/b.go", "package b\n\nfunc G() int { return \"\" }\n"),
        (
            "mod/b/testdata/c.go",
            "package c\n\nfunc G() int { return \"\" }\n",
        ),
        ("mod/good/good.go", "package good\n"),
        ("mod/other/go.mod", "module other\n"),
        ("mod/other/o.go", "package other\n\nvar x int = \"\"\n"),
    ];
    transcript("errors", 10, &files);
}

/// Programs that exceed a limit, and such as keep to it.
#[test]
fn limits() {
    let prog = "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n\t\"os/exec\"\n)\n\n\
        func main() {\n\tif len(os.Args) > 1 {\n\t\tc := exec.Command(os.Args[0])\n\
        \t\tc.Stderr, c.Env = os.Stderr, append(os.Environ(), \"GOTRACEBACK=none\")\n\
        \t\tfmt.Println(c.Run())\n\t\treturn\n\t}\n\
        \tfor {\n\t\tgo func() { select {} }()\n\t}\n}\n";
    transcript("limits", 25, &[("prog.go", prog)]);
}
