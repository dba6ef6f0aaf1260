//! Programs that Go's checker is tested with: each file of `internal/types/testdata` in the
//! sources of real Go, and each of Go's own test programs whose recipe is exactly `// errorcheck`
//! (`test/` before their names), is checked by us and by real Go's compiler, in the version of the
//! language that its first line names. The errors must be the same, and at the same lines.
//!
//! `tests/typesdata/differ.txt` names each file for which they are not, and how far they agree:
//! `text` (only texts differ), `lines` (both refuse, at other lines), `verdict` (one refuses), or
//! `unasked` (real Go takes minutes); and why. A file that agrees better than that must be struck
//! from the list, or moved up in it.

mod support;

use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use support::{
    files, go_command, go_sources, go_test_dir, gosched, needs, real_go, run, tests_dir,
};

/// At most so many files of either sort may differ in lines or verdict.
const MAX_DIFFERENT: usize = 10;

/// What the names of Go's test programs begin with.
const TEST: &str = "test/";

/// How far the two agree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Level {
    Verdict,
    Lines,
    Text,
    Same,
}

/// Real Go, and where it finds packages.
struct Oracle {
    go: PathBuf,
    dir: PathBuf,
    importcfg: OnceLock<Result<PathBuf, String>>,
}

fn main() {
    let args = Arguments::from_args();
    let listed = listed();
    let dir = std::env::temp_dir().join(format!("gosched-typesdata-{}", std::process::id()));
    let mut trials = vec![Trial::test("list", list_is_short)];
    for (what, programs) in [("testdata", testdata()), ("errorcheck", errorchecks())] {
        let oracle = match (real_go(), programs) {
            (Ok(go), Ok(programs)) => Ok((go, programs)),
            (Err(reason), _) | (_, Err(reason)) => Err(reason),
        };
        let (go, programs) = match oracle {
            Ok(found) => found,
            Err(reason) => {
                trials.push(needs::<()>(what.into(), Err(reason), |()| Ok(())));
                continue;
            }
        };
        let oracle = Arc::new(Oracle {
            go,
            dir: dir.join(what),
            importcfg: OnceLock::new(),
        });
        for (name, path) in programs {
            let (oracle, level) = (oracle.clone(), listed.get(&name).cloned());
            trials.push(Trial::test(name.clone(), move || {
                oracle.test(&name, &path, level.as_deref())
            }));
        }
    }
    let conclusion = libtest_mimic::run(&args, trials);
    let _ = std::fs::remove_dir_all(dir);
    conclusion.exit();
}

type Programs = Vec<(String, PathBuf)>;

/// The files of `internal/types/testdata` that are packages; folders hold packages of several.
fn testdata() -> Result<Programs, String> {
    let root = go_sources()?.join("internal/types/testdata");
    let is_alone = |path: &PathBuf| path.parent().and_then(Path::parent) == Some(&root);
    let named = |path: PathBuf| (relative(&path, &root), path);
    let alone = files(&root, "go").into_iter().filter(is_alone);
    Ok(alone.map(named).collect())
}

/// Go's test programs whose first line is `// errorcheck`.
fn errorchecks() -> Result<Programs, String> {
    let root = go_test_dir()?;
    let is_one = |path: &PathBuf| {
        let text = std::fs::read(path).unwrap_or_default();
        text.starts_with(b"// errorcheck\n")
    };
    let named = |path: PathBuf| (format!("{TEST}{}", relative(&path, &root)), path);
    let all = files(&root, "go").into_iter().filter(is_one);
    Ok(all.map(named).collect())
}

fn relative(path: &Path, root: &Path) -> String {
    path.strip_prefix(root).unwrap().display().to_string()
}

/// `path: level why`
fn listed() -> HashMap<String, String> {
    let text = std::fs::read_to_string(tests_dir().join("typesdata/differ.txt")).unwrap();
    let lines = text
        .lines()
        .filter(|l| !l.is_empty() && !l.starts_with('#'));
    let pairs = lines.filter_map(|l| l.split_once(": "));
    pairs.map(|(p, v)| (p.to_string(), v.to_string())).collect()
}

fn list_is_short() -> Result<(), Failed> {
    let far = listed().into_iter().filter(|l| !l.1.starts_with("text "));
    let (test, data): (Vec<_>, Vec<_>) = far.partition(|l| l.0.starts_with(TEST));
    match test.len().max(data.len()) {
        n if n > MAX_DIFFERENT => Err(format!("{n} files differ in lines or verdict").into()),
        _ => Ok(()),
    }
}

impl Oracle {
    fn test(&self, name: &str, path: &Path, listed: Option<&str>) -> Result<(), Failed> {
        let (listed, _) = listed
            .unwrap_or("same")
            .split_once(' ')
            .unwrap_or(("same", ""));
        let expected = match listed {
            "unasked" => return Ok(()),
            "verdict" => Level::Verdict,
            "lines" => Level::Lines,
            "text" => Level::Text,
            _ => Level::Same,
        };
        let text = std::fs::read(path)?;
        let lang = language(&String::from_utf8_lossy(&text));
        let dir = self.dir.join(name.replace('/', "-"));
        std::fs::create_dir_all(&dir)?;
        std::fs::write(dir.join("x.go"), text)?;
        let theirs = self.asked(&dir, &lang)?;
        let lang = format!("--lang={lang}");
        let mut command = gosched();
        command.args(["check", "--all-errors", &lang, "x.go"]);
        let ours = run(command.current_dir(&dir), b"", Duration::from_secs(60));
        let ours = ours.stderr.replace("./x.go:", "x.go:");
        let found = match () {
            () if ours == theirs => Level::Same,
            () if ours.is_empty() != theirs.is_empty() => Level::Verdict,
            () if lines(&ours) != lines(&theirs) => Level::Lines,
            () => Level::Text,
        };
        match found {
            _ if found == expected => Ok(()),
            _ if found > expected => Err(format!("is {found:?} now, listed as {listed}").into()),
            _ => Err(difference(&theirs, &ours).into()),
        }
    }

    /// What real Go says of `x.go` in the folder.
    fn asked(&self, dir: &Path, lang: &str) -> Result<String, Failed> {
        let importcfg = self.importcfg.get_or_init(|| self.packages());
        let importcfg = importcfg.as_ref().map_err(Failed::from)?;
        let mut command = go_command(&self.go);
        command.args(["tool", "compile", "-e", "-complete", "-p=main"]);
        command.args([&format!("-lang={lang}"), "-o=nothing.o", "-importcfg"]);
        command.arg(importcfg).arg("x.go").current_dir(dir);
        let ran = run(&mut command, b"", Duration::from_secs(100));
        // What its back end says it says with whole paths.
        let said = (ran.stdout + &ran.stderr).replace(&format!("{}/", dir.display()), "");
        Ok(said.replace("./x.go:", "x.go:"))
    }

    /// Where the compiled packages are that the files import.
    fn packages(&self) -> Result<PathBuf, String> {
        let format = "{{if .Export}}packagefile {{.ImportPath}}={{.Export}}{{end}}";
        let mut command = go_command(&self.go);
        command
            .args(["list", "-export", "-deps", "-f", format])
            .args(PACKAGES);
        let ran = run(&mut command, b"", Duration::from_secs(600));
        if ran.stdout.is_empty() {
            return Err(ran.stderr);
        }
        let path = self.dir.join("importcfg");
        std::fs::write(&path, ran.stdout).map_err(|e| e.to_string())?;
        Ok(path)
    }
}

/// What the files import.
const PACKAGES: &[&str] = &[
    "bufio",
    "context",
    "embed",
    "database/sql",
    "fmt",
    "go/ast",
    "io",
    "math",
    "math/big",
    "net/http",
    "net/rpc",
    "os",
    "reflect",
    "runtime",
    "sort",
    "strconv",
    "strings",
    "sync",
    "syscall",
    "testing",
    "time",
    "unicode/utf8",
];

/// The version that the first line asks for: `// -lang=go1.17`.
fn language(text: &str) -> String {
    let first = text.lines().next().unwrap_or("");
    let flags = first.trim_start_matches('/').trim_start();
    let mut flags = flags.split_whitespace().filter(|_| flags.starts_with('-'));
    let lang = flags.find_map(|f| f.strip_prefix("-lang="));
    lang.unwrap_or("go1.27").to_string()
}

/// The lines of the errors; what goes on in further lines begins with a tab.
fn lines(errors: &str) -> Vec<&str> {
    let of = |l: &str| {
        l.strip_prefix("x.go:")
            .and_then(|l| l.split_once(':'))
            .map(|l| l.0.len())
    };
    let starts = errors.lines().filter_map(|l| of(l).map(|n| &l[5..5 + n]));
    starts.collect()
}

fn difference(theirs: &str, ours: &str) -> String {
    let without = |a: &str, b: &str, mark: char| -> String {
        let lines = a.lines().filter(|l| !b.lines().any(|o| o == *l));
        lines.map(|l| format!("{mark} {l}\n")).collect()
    };
    without(theirs, ours, '-') + &without(ours, theirs, '+')
}
