//! The command line: what is heard where, what is wrong usage, and exit statuses.

mod support;

use std::path::{Path, PathBuf};
use std::time::Duration;
use support::{End, gosched};

/// A folder for one test, with these files.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Folder {
        let path = std::env::temp_dir().join(format!("gosched-cli-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        for (file, text) in files {
            let file = path.join(file);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text).unwrap();
        }
        Folder(path)
    }

    /// Runs gosched here: exit status, standard output, standard error.
    fn gosched(&self, words: &[&str]) -> (i32, String, String) {
        run(&self.0, words)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn run(folder: &Path, words: &[&str]) -> (i32, String, String) {
    let mut command = gosched();
    command.args(words).current_dir(folder);
    let ran = support::run(&mut command, b"", Duration::from_secs(60));
    let End::Exit(status) = ran.end else {
        panic!("{words:?}: {:?}\n{}", ran.end, ran.stderr);
    };
    (status, ran.stdout, ran.stderr)
}

const ARGS: &str = "package main\nimport (\n\"fmt\"\n\"os\"\n)\n\
func main() { fmt.Printf(\"%q\\n\", os.Args[1:]) }\n";

/// More errors than are reported unless all are asked for.
fn twelve_errors() -> String {
    let lines: String = (0..12).map(|i| format!("\tx{i}()\n")).collect();
    format!("package main\nfunc main() {{\n{lines}}}\n")
}

const IN_PLACE: &str = "package main
func f(x int) int { return x + 1 }
func g(x int) int { return f(x) + f(2) }
//go:noinline
func h(x int) int { return f(x) }
func unused() {}
func main() { println(g(1), h(2)) }
";

#[test]
fn flags_are_heard_after_the_file_where_nothing_runs() {
    let errors = twelve_errors();
    let here = Folder::new("flags", &[("e.go", &errors), ("p.go", IN_PLACE)]);
    for words in [
        ["check", "--all-errors", "e.go"],
        ["check", "e.go", "--all-errors"],
    ] {
        let (status, _, stderr) = here.gosched(&words);
        assert_eq!((status, stderr.lines().count()), (1, 12), "{stderr}");
    }
    let (_, _, stderr) = here.gosched(&["check", "e.go"]);
    assert!(stderr.ends_with("too many errors\n"), "{stderr}");
    let before = here.gosched(&["disasm", "--func", "main.h", "p.go"]);
    assert!(before.1.starts_with("main.h:"), "{before:?}");
    assert_eq!(here.gosched(&["disasm", "p.go", "--func=main.h"]), before);
    assert_eq!(
        here.gosched(&["disasm", "p.go", "--func", "main.h"]),
        before
    );
}

#[test]
fn what_follows_the_file_is_the_programs() {
    let here = Folder::new("args", &[("a.go", ARGS), ("b.go", "package main\n")]);
    let want = "[\"--without=x\" \"--version\" \"-h\" \"--\" \"b.go\"]\n";
    let rest = ["--without=x", "--version", "-h", "--", "b.go"];
    for head in [
        &["a.go"][..],
        &["run", "a.go"],
        &["run", "--without=steal", "a.go"],
    ] {
        let words: Vec<&str> = head.iter().chain(&rest).copied().collect();
        assert_eq!(
            here.gosched(&words),
            (0, want.to_string(), String::new()),
            "{words:?}"
        );
    }
    // Of several leading files only `run` makes one program.
    assert_eq!(here.gosched(&["a.go", "b.go"]).1, "[\"b.go\"]\n");
    assert_eq!(here.gosched(&["run", "a.go", "b.go", "c"]).1, "[\"c\"]\n");
}

#[test]
fn versions_and_help() {
    let here = Folder::new("help", &[]);
    let version = here.gosched(&["version"]);
    assert!(
        version.0 == 0 && version.1.starts_with("gosched "),
        "{version:?}"
    );
    assert_eq!(here.gosched(&["--version"]), version);
    for words in [&["help"][..], &["--help"], &["-h"]] {
        let (status, stdout, _) = here.gosched(words);
        assert_eq!(status, 0);
        for part in ["disasm", "--without", "--version", "Exit status:"] {
            assert!(stdout.contains(part), "{words:?}: {stdout}");
        }
        assert!(!stdout.contains("--argv0"), "{stdout}");
    }
    for words in [["help", "check"], ["check", "--help"]] {
        let (status, stdout, _) = here.gosched(&words);
        assert!(
            status == 0 && stdout.contains("--all-errors"),
            "{words:?}: {stdout}"
        );
    }
    // Standard input is empty: there is no program.
    assert_eq!(here.gosched(&[]).0, 1);
}

#[test]
fn disasm_says_where_functions_are_compiled_in_place() {
    let here = Folder::new("place", &[("p.go", IN_PLACE)]);
    let (status, stdout, _) = here.gosched(&["disasm", "--func", "main.f", "p.go"]);
    let want = "main.f: compiled in place in main.h, main.main (2 times)\n";
    assert_eq!((status, &*stdout), (0, want));
    for name in ["main.unused", "nonsense"] {
        let (status, stdout, stderr) = here.gosched(&["disasm", "--func", name, "p.go"]);
        assert_eq!((status, &*stdout), (1, ""));
        assert!(stderr.contains(name), "{stderr}");
    }
}

/// Packages that no module has are refused where they are imported, and what depends on them is not
/// complained of.
#[test]
fn packages_that_no_module_has_are_refused() {
    let here = Folder::new(
        "directives",
        &[
            (
                "go.mod",
                "module a.org/m\n\ngo 1.27\n\n\
                 replace (\n\tc => ../outside\n\tb.org/lib => ./lib\n)\n",
            ),
            ("lib/lib.go", "package other\n\nconst X = 1\n"),
        ],
    );
    let nobody = "no required module provides package";
    for (path, want) in [
        ("c", "package c is not in std".to_string()),
        ("cc", "package cc is not in std".to_string()),
        (
            "b.org/lib",
            "module b.org/lib provides package b.org/lib and is replaced but not required; to add \
             it:\n\tgo get b.org/lib"
                .to_string(),
        ),
        (
            "d.org/lib",
            format!("{nobody} d.org/lib; to add it:\n\tgo get d.org/lib"),
        ),
        (
            "a.org/m/none",
            format!("{nobody} a.org/m/none; to add it:\n\tgo get a.org/m/none"),
        ),
    ] {
        let main = format!(
            "package main\nimport \"{path}\"\n\nvar unused int = other.X\n\
             func main() {{ x := other.F(); println(lib.X) }}\n"
        );
        std::fs::write(here.0.join("main.go"), main).unwrap();
        for input in ["main.go", "."] {
            let (status, _, stderr) = run(&here.0, &[input]);
            let stderr = stderr.trim_start_matches("./");
            assert_eq!((status, stderr), (1, &*format!("main.go:2:8: {want}\n")));
        }
    }
}

/// A folder with a go.mod of its own belongs to that module, by whatever way it is reached.
#[test]
fn folders_of_other_modules_are_not_imported() {
    let lib = "package lib\n\nconst X = 1\n";
    let main =
        |path: &str| format!("package main\nimport \"{path}\"\nfunc main() {{ println(lib.X) }}\n");
    let here = Folder::new(
        "modules",
        &[
            ("m/go.mod", "module m\n\ngo 1.27\n"),
            ("m/in/lib/lib.go", lib),
            ("m/nested/go.mod", "module nested\n"),
            ("m/nested/lib/lib.go", lib),
            ("outside/lib/lib.go", lib),
        ],
    );
    let m = here.0.join("m");
    std::os::unix::fs::symlink("../outside", m.join("link")).unwrap();
    std::os::unix::fs::symlink(".", m.join("round")).unwrap();
    for (path, is_found) in [
        ("m/in/lib", true),
        ("m/link/lib", true),
        ("m/nested/lib", false),
        ("m/round/in/lib", false),
    ] {
        std::fs::write(m.join("main.go"), main(path)).unwrap();
        let (status, _, stderr) = run(&m, &["main.go"]);
        let want = match is_found {
            true => (0, "1\n".to_string()),
            false => (1, format!("main.go:2:8: package {path} is not in std\n")),
        };
        assert_eq!((status, stderr), want);
    }
}

/// `GOSCHED_BIN` names a static binary. Only root may change the root folder.
#[test]
#[ignore = "needs a static binary, and root"]
fn a_static_binary_runs_in_an_empty_root() {
    let here = Folder::new("root", &[]);
    let root = &here.0;
    let copy = |from: &Path, to: &str| std::fs::copy(from, root.join(to)).unwrap();
    copy(Path::new(gosched().get_program()), "gosched");
    copy(&support::tests_dir().join("bench/hello.go"), "hello.go");
    let zones = support::tests_dir().join("corpus/stdlib/time/embedded_zones.go");
    copy(&zones, "zones.go");
    let script = "mkdir proc dev && mount --bind /proc proc && mount --bind /dev dev && \
                  chroot . /gosched hello.go && chroot . /gosched -p 'os.ReadDir(\"/\")' && \
                  chroot . /gosched zones.go";
    // The mounts end with the namespace.
    let mut unshare = std::process::Command::new("unshare");
    unshare.args(["-m", "sh", "-c", script]).current_dir(root);
    let ran = support::run(&mut unshare, b"", Duration::from_secs(60));
    let want = "hello\n[d dev/ - gosched - hello.go d proc/ - zones.go]\n<nil>\n".to_string()
        + &std::fs::read_to_string(zones.with_extension("out")).unwrap();
    assert_eq!(
        (ran.end, ran.stdout),
        (End::Exit(0), want),
        "{}",
        ran.stderr
    );
}
