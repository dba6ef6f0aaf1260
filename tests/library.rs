//! Go's own tests of its library, each package's run by `gosched test` and by real `go test`.
//!
//! The tests are read from where Go is installed (`GOSCHED_GO_SRC`, else by `go env GOROOT`), and
//! put into a module of their own in a temporary folder: external tests (package `x_test`) into
//! `outside/x`, internal ones (package `x`) into `inside/x`, as package `x_test` that imports `x`
//! with a dot. Lines keep their numbers. What of Go's internal packages only serves tests
//! ([`SUPPORT`]) lies in the module, too, or has a stand-in there ([`STAND_INS`]). What
//! needs names that are not exported is left out, declaration by declaration, and files that need
//! another internal package. Both sides run with `-short`,
//! and take `go build` for missing.
//!
//! `tests/library/table.txt` has a paragraph for each package: how many of the tests (those of
//! the first level, examples and fuzz targets with their seeds among them) that real Go passes
//! pass here, too; what is left out of which file, and why; each test that does not pass, and why
//! (`flaky` before the cause: it may pass).
//! `UPDATE_EXPECT=1` finds all of this out again and keeps the causes; `?` is no cause.
//!
//! All is ignored by `cargo test`: `cargo test --test library -- --ignored` runs it, words behind
//! it choose packages, `GOSCHED_LIBRARY_PART=SEED:K/N` a part. `GOSCHED_LIBRARY_TREE` names a
//! folder in which the module is to stay.

mod support;

use libtest_mimic::{Arguments, Failed, Trial};
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;
use support::{End, go_command, go_sources, gosched, is_our_crash, needs, real_go, run, tests_dir};

/// Where in the module an internal package lies: all of it may import what is `internal` at its
/// top.
fn in_module(path: &str) -> String {
    format!("internal/{}", path.replace("internal/", ""))
}

/// Packages that serve tests only, or say what the machine is like.
const SUPPORT: &[&str] = &[
    "crypto/internal/cryptotest",
    "encoding/json/internal/jsontest",
    "internal/asan",
    "internal/cfg",
    "internal/diff",
    "internal/gate",
    "internal/goarch",
    "internal/goexperiment",
    "internal/goos",
    "internal/msan",
    "internal/nettest",
    "internal/obscuretestdata",
    "internal/platform",
    "internal/testenv",
    "internal/testhash",
    "internal/txtar",
    "internal/zstd",
    "net/http/internal/testcert",
];

/// Packages whose tests start the test again as the program that only its TestMain makes of it:
/// without that, all of them would start all of them again.
const SELF_STARTERS: &[&str] = &["net/http/cgi"];

/// Packages that are there for the support's sake, and have little to say here.
const STAND_INS: &[(&str, &str)] = &[
    (
        "crypto/internal/boring",
        "package boring\n\nconst Enabled = false\n",
    ),
    (
        "crypto/internal/fips140",
        "package fips140\n\nimport \"errors\"\n\nvar Enabled bool\n\n\
         func Supported() error { return errors.New(\"the mode is not on offer\") }\n\n\
         func Version() string { return \"latest\" }\n",
    ),
    (
        "crypto/internal/impl",
        "package impl\n\nfunc List(string) []string { return nil }\n\n\
         func Select(string, string) bool { return false }\n\nfunc Reset(string) {}\n",
    ),
    (
        "internal/race",
        "package race\n\nimport \"unsafe\"\n\nconst Enabled = false\n\n\
         func Acquire(unsafe.Pointer) {}\n\nfunc Release(unsafe.Pointer) {}\n\n\
         func ReleaseMerge(unsafe.Pointer) {}\n\nfunc Disable() {}\n\nfunc Enable() {}\n\n\
         func Read(unsafe.Pointer) {}\n\nfunc Write(unsafe.Pointer) {}\n\n\
         func Errors() int { return 0 }\n",
    ),
];

/// So long may the tests of one package take.
const LIMIT: Duration = Duration::from_secs(240);

/// Where it all is.
struct Place {
    go: PathBuf,
    /// Go's `src`.
    src: PathBuf,
    /// The module's folder.
    tree: PathBuf,
    is_kept: bool,
}

impl Drop for Place {
    fn drop(&mut self) {
        if !self.is_kept {
            let _ = std::fs::remove_dir_all(&self.tree);
        }
    }
}

/// A paragraph of the table.
#[derive(Clone, Default, Debug)]
struct Entry {
    passed: usize,
    of: usize,
    left_out: Cuts,
    /// Test to cause.
    fails: BTreeMap<String, String>,
}

/// Of files, what is left out.
type Cuts = BTreeMap<String, Cut>;

/// Declarations of a file, or the whole file if there are none, and what is said of the first.
#[derive(Clone, Default, Debug)]
struct Cut {
    names: BTreeSet<String>,
    why: String,
}

impl Cut {
    fn is_whole(&self) -> bool {
        self.names.is_empty()
    }
}

type Table = BTreeMap<String, Entry>;

fn table_path() -> PathBuf {
    tests_dir().join("library/table.txt")
}

fn read_table() -> Table {
    let text = std::fs::read_to_string(table_path()).unwrap_or_default();
    let mut table = Table::new();
    let mut package = "";
    for line in text.lines().filter(|l| !l.starts_with('#')) {
        let Some(line) = line.strip_prefix("  ") else {
            let Some((name, counts)) = line.split_once(": ") else {
                continue;
            };
            package = name;
            let (passed, of) = counts.split_once(" of ").unwrap();
            let of = of.split(',').next().unwrap();
            let new = table.entry(package.to_string()).or_default();
            (new.passed, new.of) = (passed.parse().unwrap(), of.parse().unwrap());
            continue;
        };
        let entry = table.get_mut(package).unwrap();
        let (subject, why) = line.split_once(": ").unwrap();
        let Some(cut) = subject.strip_prefix("without ") else {
            entry.fails.insert(subject.to_string(), why.to_string());
            continue;
        };
        let (file, names) = cut.split_once(' ').unwrap_or((cut, ""));
        let names = names.trim_matches(['[', ']']).split_whitespace();
        let cut = Cut {
            names: names.map(str::to_string).collect(),
            why: why.to_string(),
        };
        entry.left_out.insert(file.to_string(), cut);
    }
    table
}

fn written(table: &Table) -> String {
    let sum = |f: fn(&Entry) -> usize| table.values().map(f).sum::<usize>();
    let (passed, of) = (sum(|e| e.passed), sum(|e| e.of));
    let mut text = format!(
        "# Go's own tests of its library; `tests/library.rs` says what stands here.\n\
         # {} packages, {passed} of {of} tests pass, {} fail; {} files are left out whole, of {}\n\
         # declarations.\n",
        table.len(),
        of - passed,
        sum(|e| e.left_out.values().filter(|cut| cut.is_whole()).count()),
        sum(|e| e.left_out.values().filter(|cut| !cut.is_whole()).count()),
    );
    for (package, entry) in table {
        let _ = writeln!(text, "\n{package}: {} of {}", entry.passed, entry.of);
        for (file, cut) in &entry.left_out {
            let names: Vec<&str> = cut.names.iter().map(String::as_str).collect();
            let _ = match cut.is_whole() {
                true => writeln!(text, "  without {file}: {}", cut.why),
                false => writeln!(text, "  without {file} [{}]: {}", names.join(" "), cut.why),
            };
        }
        for (name, why) in &entry.fails {
            let _ = writeln!(text, "  {name}: {why}");
        }
    }
    text
}

/// The packages that are on offer here and in Go.
fn packages(src: &Path) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/stdlib");
    let folders: BTreeSet<String> = support::files(&root, "go")
        .iter()
        .map(|f| f.parent().unwrap().strip_prefix(&root).unwrap())
        .map(|f| f.display().to_string())
        .filter(|f| !f.split('/').any(|part| part == "internal") && src.join(f).is_dir())
        .collect();
    folders.into_iter().collect()
}

fn main() {
    let args = Arguments::from_args();
    let oracle = real_go().and_then(|go| Ok((go, go_sources()?)));
    let (go, src) = match oracle {
        Ok(found) => found,
        Err(reason) => {
            let trial = needs::<()>("library".into(), Err(reason), |()| Ok(()));
            libtest_mimic::run(&args, vec![trial]).exit();
        }
    };
    let kept = std::env::var_os("GOSCHED_LIBRARY_TREE");
    let tree = kept.as_ref().map_or_else(
        || std::env::temp_dir().join(format!("gosched-library-{}", std::process::id())),
        PathBuf::from,
    );
    let names = packages(&src);
    let place = Arc::new(Place {
        go,
        src,
        tree,
        is_kept: kept.is_some(),
    });
    if !args.list {
        make_module(&place);
    }
    let updates = std::env::var_os("UPDATE_EXPECT").is_some();
    let table = read_table();
    let seen = Arc::new(Mutex::new(table.clone()));
    let mut trials = Vec::new();
    for name in names {
        if !support::in_part_of("GOSCHED_LIBRARY_PART", &name) {
            continue;
        }
        let (entry, place, seen) = (table.get(&name).cloned(), place.clone(), seen.clone());
        let trial = Trial::test(name.clone(), move || {
            if !updates {
                let entry = entry.ok_or("the table does not have this package")?;
                return check(&place, &name, &entry);
            }
            let new = found_out(&place, &name, &entry.unwrap_or_default())?;
            let mut seen = seen.lock().unwrap();
            seen.insert(name, new);
            std::fs::write(table_path(), written(&seen)).unwrap();
            Ok(())
        });
        trials.push(trial.with_ignored_flag(true));
    }
    let conclusion = libtest_mimic::run(&args, trials);
    drop(place);
    conclusion.exit();
}

/// Holds the package against its paragraph.
fn check(place: &Place, package: &str, entry: &Entry) -> Result<(), Failed> {
    let (want, have) = both(place, package, entry)?;
    let mut wrong = String::new();
    let not_passed: BTreeSet<&String> = want.iter().filter(|t| !have.passed(t)).collect();
    for name in &not_passed {
        if !entry.fails.contains_key(*name) {
            let _ = writeln!(wrong, "{name} does not pass:\n{}", have.said(name));
        }
    }
    for (name, why) in &entry.fails {
        if why.starts_with('?') {
            let _ = writeln!(wrong, "{name} has no cause");
        }
        if want.contains(name) && !not_passed.contains(name) && !why.starts_with("flaky") {
            let _ = writeln!(wrong, "{name} passes; strike it from the table");
        }
    }
    if entry.of != want.len() && place.is_kept {
        println!(
            "{package}: the table counts {}, real Go passes {}",
            entry.of,
            want.len()
        );
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(wrong.into()),
    }
}

/// The package's paragraph, as it is now.
fn found_out(place: &Place, package: &str, old: &Entry) -> Result<Entry, Failed> {
    let mut new = Entry {
        left_out: left_out(place, package)?,
        ..Entry::default()
    };
    let (want, have) = both(place, package, &new)?;
    new.of = want.len();
    for name in &want {
        match have.passed(name) {
            true => new.passed += 1,
            false => {
                let why = cause(have.said(name), old.fails.get(name));
                new.fails.insert(name.clone(), why);
            }
        }
    }
    Ok(new)
}

/// Why a test fails: what it lacks, the cause that is known, or what its text gives away.
fn cause(said: &str, known: Option<&String>) -> String {
    static COUNTS: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?i)\ballocat|allocs").unwrap());
    let is_told = |line: &&str| {
        let is_frame = ["#", "PASS", "FAIL", "ok "]
            .iter()
            .any(|s| line.starts_with(s));
        !line.is_empty() && !is_frame
    };
    let first = said
        .lines()
        .map(str::trim)
        .find(is_told)
        .unwrap_or_default();
    if first.starts_with("needs ") {
        return first.to_string();
    }
    match known.filter(|known| !known.starts_with('?') && !known.starts_with("needs ")) {
        Some(known) => known.clone(),
        None if COUNTS.is_match(first) => "counts allocations: nothing is kept off the heap".into(),
        None if first.contains("GOROOT/src") => "looks for Go's sources beside the program".into(),
        None => {
            let plain = |c: char| if c.is_control() { ' ' } else { c };
            format!(
                "? {}",
                first.chars().map(plain).take(120).collect::<String>()
            )
        }
    }
}

/// The two forms of a package's tests.
const FORMS: [&str; 2] = ["outside", "inside"];

/// What real Go passes, and what has come of everything here.
fn both(place: &Place, package: &str, entry: &Entry) -> Result<(BTreeSet<String>, Came), Failed> {
    let (mut want, mut have) = (BTreeSet::new(), Came::default());
    for form in FORMS {
        let folder = place.tree.join(form).join(package);
        let files = test_files(place, package, form);
        let files: Vec<&String> = files
            .iter()
            .filter(|f| !entry.left_out.get(*f).is_some_and(Cut::is_whole))
            .collect();
        if files.is_empty() {
            continue;
        }
        let cuts = &entry.left_out;
        let mut unused = BTreeSet::new();
        lay(place, package, form, &files, cuts, &unused)?;
        if form == "inside" || files.iter().any(|f| cuts.contains_key(*f)) {
            let said = compiled(place, package, form)?.into_iter();
            unused.extend(
                said.filter(|e| is_unused(&e.message))
                    .map(|e| (e.file, e.line)),
            );
            lay(place, package, form, &files, cuts, &unused)?;
        }
        let path = format!("./{form}/{package}");
        let mut command = go_command(&place.go);
        let real = came(&mut command, place, &path, None);
        let passed: BTreeSet<String> = real.passed.iter().cloned().collect();
        // What does not compile here is taken out, so that the rest runs. What has not been tried,
        // since an earlier test ended the process, is run alone.
        let mut missing: Vec<&String> = passed.iter().collect();
        let mut only = None;
        while !missing.is_empty() {
            let mut command = gosched();
            let now = came(&mut command, place, &path, only.as_deref());
            if now.crashed {
                return Err(format!("gosched crashes:\n{}", now.rest).into());
            }
            let told = errors_in(&now.rest);
            let taken_out = without(&folder, told, &mut have.failed)?;
            let before = missing.len();
            have.add(now);
            let ended = |t: &String| have.passed.contains(t) || have.failed.contains_key(t);
            missing.retain(|t| !ended(t));
            if missing.len() == before && !taken_out {
                break;
            }
            if !taken_out {
                let names: Vec<&str> = missing.iter().map(|t| t.as_str()).collect();
                only = Some(format!("^({})$", names.join("|")));
            }
        }
        want.extend(passed);
    }
    Ok((want, have))
}

/// Takes out of the files of a folder what does not compile: declarations, imports, or that they
/// are used. Tests among them have failed. False: there is nothing more to take out.
fn without(
    folder: &Path,
    told: Vec<Told>,
    failed: &mut HashMap<String, String>,
) -> std::io::Result<bool> {
    let mut has_changed = false;
    for Told {
        file,
        line,
        message,
    } in told
    {
        let path = folder.join(file);
        let Ok(text) = std::fs::read_to_string(&path) else {
            continue;
        };
        let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
        let declared = declarations(&text);
        let at = declared.iter().rposition(|d| d.0 <= line);
        match at {
            _ if line == 0 || line > lines.len() || message == "too many errors" => continue,
            None if is_unused(&message) => lines[line - 1] = not_used(&lines[line - 1]),
            None => {
                if let Some(package) = message.strip_prefix("unsupported: package ") {
                    let name = package.rsplit('/').next().unwrap_or(package);
                    failed.insert(name.to_string(), format!("needs package {package}"));
                }
                lines[line - 1].clear();
            }
            // Without it, tests that start themselves would start all of them again.
            Some(at) if declared[at].1 == "TestMain" => {
                for file in support::files(folder, "go") {
                    let text = std::fs::read_to_string(&file)?;
                    for (_, name) in declarations(&text) {
                        let said = format!("needs what its TestMain does: {message}");
                        failed.entry(name).or_insert(said);
                    }
                    std::fs::remove_file(file)?;
                }
                return Ok(true);
            }
            Some(at) => {
                // What needs something that has been taken out fails for the same reason.
                let lacking = message.strip_prefix("undefined: ");
                let known = lacking.and_then(|name| failed.get(name)).cloned();
                let said = match message.strip_prefix("unsupported: ") {
                    Some(what) => format!("needs {what}"),
                    None => format!("does not compile: {message}"),
                };
                let name = &declared[at].1;
                failed.entry(name.clone()).or_insert(known.unwrap_or(said));
                let end = declared.get(at + 1).map_or(lines.len(), |d| d.0 - 1);
                lines[declared[at].0 - 1..end]
                    .iter_mut()
                    .for_each(String::clear);
            }
        }
        let new = lines.join("\n") + "\n";
        has_changed |= new != text;
        std::fs::write(path, new)?;
    }
    Ok(has_changed)
}

/// A line with an import, so that it is not used.
fn not_used(line: &str) -> String {
    static IMPORT: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r#"^(\s*(?:import\s+)?)(?:[\w.]+\s+)?(".*)$"#).unwrap());
    if let Some((clause, _)) = line.split_once("; import . ") {
        return clause.to_string();
    }
    IMPORT.replace(line, "${1}_ $2").into_owned()
}

/// What has come of tests.
#[derive(Default, Debug)]
struct Came {
    passed: BTreeSet<String>,
    /// With what they have printed.
    failed: HashMap<String, String>,
    /// What belongs to no test.
    rest: String,
    crashed: bool,
}

impl Came {
    fn passed(&self, name: &str) -> bool {
        self.passed.contains(name) && !self.failed.contains_key(name)
    }

    fn said(&self, name: &str) -> &str {
        self.failed.get(name).unwrap_or(&self.rest)
    }

    fn add(&mut self, other: Came) {
        self.passed.extend(other.passed);
        self.failed.extend(other.failed);
        self.rest += &other.rest;
    }
}

/// Runs `COMMAND test` in the module.
fn came(command: &mut Command, place: &Place, path: &str, only: Option<&str>) -> Came {
    command
        .args(["test", "-json", "-short", "-vet=off", "-timeout=180s"])
        .args(only.map(|only| format!("-run={only}")))
        .arg(path)
        .current_dir(&place.tree)
        .env("GO_GCFLAGS", "none")
        .env("GOFLAGS", "")
        .env("TZ", "UTC");
    let ran = run(command, b"", LIMIT);
    let mut came = Came {
        rest: ran.stderr.clone(),
        crashed: is_our_crash(&ran),
        ..Came::default()
    };
    let mut said: HashMap<String, String> = HashMap::new();
    for line in ran.stdout.lines() {
        let Ok(event) = serde_json::from_str::<serde_json::Value>(line) else {
            came.rest += line;
            came.rest += "\n";
            continue;
        };
        let text = |key: &str| event.get(key).and_then(|v| v.as_str()).unwrap_or_default();
        let (name, output) = (text("Test"), text("Output"));
        let first = name.split('/').next().unwrap_or_default();
        match text("Action") {
            "output" | "build-output" if name.is_empty() => came.rest += output,
            "output" => {
                let is_frame = output.starts_with("=== ") || output.trim().starts_with("---");
                if !is_frame {
                    *said.entry(first.to_string()).or_default() += output;
                }
            }
            "run" if name == first => _ = said.entry(name.to_string()).or_default(),
            "pass" if name == first && !name.is_empty() => {
                came.passed.insert(name.to_string());
                said.remove(name);
            }
            "skip" if name == first && !name.is_empty() => {
                let text = said.remove(name).unwrap_or_default();
                came.failed
                    .insert(name.to_string(), format!("skipped: {text}"));
            }
            "fail" if name == first && !name.is_empty() => {
                came.failed
                    .insert(name.to_string(), said.remove(name).unwrap_or_default());
            }
            _ => (),
        }
    }
    // What had begun when the process ended.
    for (name, text) in said {
        let how = match ran.end {
            End::Timeout => "hangs",
            _ => "ends the process",
        };
        came.failed.insert(name, format!("{how}: {text}"));
    }
    came
}

/// The test files of a package in one form, as Go chooses them for this machine.
fn test_files(place: &Place, package: &str, form: &str) -> Vec<String> {
    let list = match form {
        "outside" => "{{range .XTestGoFiles}}{{.}}\n{{end}}",
        _ => "{{range .TestGoFiles}}{{.}}\n{{end}}",
    };
    let mut command = go_command(&place.go);
    command
        .env("GOFLAGS", "")
        .args(["list", "-f", list, package]);
    let said = command.current_dir(&place.src).output().unwrap();
    let text = String::from_utf8_lossy(&said.stdout);
    text.lines()
        .map(str::to_string)
        .filter(|l| !l.is_empty())
        .collect()
}

/// What must be left out: the declarations that do not compile, again and again, since others may
/// need them; files that import what is not there.
fn left_out(place: &Place, package: &str) -> Result<Cuts, Failed> {
    let mut out = Cuts::new();
    for form in FORMS {
        let all = test_files(place, package, form);
        for file in &all {
            let text = std::fs::read_to_string(place.src.join(package).join(file)).unwrap();
            let (_, needs) = rewritten(&text);
            if let Some(path) = needs.iter().find(|p| !is_offered(p)) {
                let why = format!("imports {path}");
                out.insert(
                    file.clone(),
                    Cut {
                        why,
                        ..Cut::default()
                    },
                );
            }
        }
        let mut unused = BTreeSet::new();
        loop {
            let is_in = |f: &&String| !out.get(*f).is_some_and(Cut::is_whole);
            let files: Vec<&String> = all.iter().filter(is_in).collect();
            if files.is_empty() {
                break;
            }
            lay(place, package, form, &files, &out, &unused)?;
            let said = compiled(place, package, form)?;
            if said.is_empty() {
                break;
            }
            let mut has_changed = false;
            for Told {
                file,
                line,
                message,
            } in said
            {
                if is_unused(&message) {
                    has_changed |= unused.insert((file, line));
                    continue;
                }
                let text = std::fs::read_to_string(place.src.join(package).join(&file))?;
                let name = declarations(&text)
                    .into_iter()
                    .rfind(|d| d.0 <= line)
                    .map(|d| d.1);
                let why = message.replace("lib.test/", "");
                if name.as_deref() == Some("TestMain") && SELF_STARTERS.contains(&package) {
                    let why = format!("needs TestMain, which is left out: {why}");
                    let cut = Cut {
                        why,
                        ..Cut::default()
                    };
                    out.extend(all.iter().map(|file| (file.clone(), cut.clone())));
                    has_changed = true;
                    break;
                }
                let is_new = !out.contains_key(&file);
                let new = || Cut {
                    why,
                    ..Cut::default()
                };
                let cut = out.entry(file).or_insert_with(new);
                has_changed |= match name {
                    Some(name) if is_new || !cut.is_whole() => cut.names.insert(name),
                    _ => is_new || !std::mem::take(&mut cut.names).is_empty(),
                };
            }
            if !has_changed {
                return Err(format!("real Go does not compile the tests {form} {package}").into());
            }
        }
    }
    Ok(out)
}

/// The declarations of a file, each with its first line and its name, with a method's receiver.
fn declarations(text: &str) -> Vec<(usize, String)> {
    static HEAD: LazyLock<Regex> = LazyLock::new(|| {
        let head = r"^(?:func (?:\((?:\w+ )?\*?(\w+)[^)]*\) )?(\w+)|(?:type|var|const) (\w+|\())";
        Regex::new(head).unwrap()
    });
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(head) = HEAD.captures(line) else {
            continue;
        };
        let part = |n| head.get(n).map_or("", |m| m.as_str());
        let name = match (part(1), part(2), part(3)) {
            ("", "", "(") => format!("{}@{}", line.split(' ').next().unwrap(), at + 1),
            ("", func, other) => format!("{func}{other}"),
            (receiver, method, _) => format!("{receiver}.{method}"),
        };
        found.push((at + 1, name));
    }
    found
}

fn is_unused(message: &str) -> bool {
    message.contains("imported") && message.contains("and not used")
}

/// What real Go's compiler says of the files.
fn compiled(place: &Place, package: &str, form: &str) -> Result<Vec<Told>, Failed> {
    let mut command = go_command(&place.go);
    let out = place
        .tree
        .join(format!("{}.{form}", package.replace('/', "-")));
    command
        .args(["test", "-c", "-vet=off", "-gcflags=-e", "-o"])
        .arg(&out)
        .arg(format!("./{form}/{package}"))
        .current_dir(&place.tree)
        .env("GOFLAGS", "");
    let ran = run(&mut command, b"", LIMIT);
    let _ = std::fs::remove_file(out);
    if ran.end == End::Exit(0) {
        return Ok(Vec::new());
    }
    let said = errors_in(&(ran.stderr.clone() + &ran.stdout));
    match said.is_empty() {
        true => Err(format!("{form}/{package}: {}{}", ran.stdout, ran.stderr).into()),
        false => Ok(said),
    }
}

/// An error, as a compiler tells of it.
struct Told {
    file: String,
    line: usize,
    message: String,
}

/// The errors in test files that a compiler tells of.
fn errors_in(text: &str) -> Vec<Told> {
    static ERROR: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^\S*?([\w.]+_test\.go):(\d+)(?::\d+)?: (.*)").unwrap());
    let found = text.lines().filter_map(|line| ERROR.captures(line));
    let told = found.map(|found| Told {
        file: found[1].to_string(),
        line: found[2].parse().unwrap(),
        message: found[3].to_string(),
    });
    told.collect()
}

fn is_offered(path: &str) -> bool {
    SUPPORT.contains(&path) || STAND_INS.iter().any(|(p, _)| *p == path)
}

/// The text with the imports of internal packages from the module, and which these are.
fn rewritten(text: &str) -> (String, Vec<String>) {
    static IMPORT: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"^(\s*(?:import\s+)?(?:[\w.]+\s+)?)"([^"]+)"(.*)$"#).unwrap()
    });
    let mut out = String::with_capacity(text.len());
    let mut needs = Vec::new();
    let mut in_imports = true;
    for line in text.split_inclusive('\n') {
        let is_declaration = ["func ", "type ", "var ", "const "]
            .iter()
            .any(|k| line.starts_with(k));
        in_imports &= !is_declaration;
        let found = in_imports
            .then(|| IMPORT.captures(line.trim_end()))
            .flatten();
        let internal = found.filter(|found| {
            let path = &found[2];
            path.split('/').any(|part| part == "internal") || path.starts_with("golang.org/")
        });
        match internal {
            // A function without a body is no function then, and left out.
            _ if line.starts_with("//go:linkname ") => out.push('\n'),
            Some(found) => {
                needs.push(found[2].to_string());
                let path = in_module(&found[2]);
                let _ = writeln!(out, "{}\"lib.test/{path}\"{}", &found[1], &found[3]);
            }
            None => out.push_str(line),
        }
    }
    (out, needs)
}

/// Puts the tests of a package into the module, without `cuts`. `unused` are imports, by file and
/// line, that are not used then.
fn lay(
    place: &Place,
    package: &str,
    form: &str,
    files: &[&String],
    cuts: &Cuts,
    unused: &BTreeSet<(String, usize)>,
) -> Result<(), Failed> {
    let from = place.src.join(package);
    let to = place.tree.join(form).join(package);
    std::fs::create_dir_all(&to)?;
    for entry in std::fs::read_dir(&to)?.flatten() {
        let name = entry.file_name();
        if name.to_string_lossy().ends_with("_test.go") && !entry.path().is_dir() {
            std::fs::remove_file(entry.path())?;
        }
    }
    static CLAUSE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^package (\w+)( *//.*| */\*.*)?$").unwrap());
    let mut embeds = false;
    for file in files {
        let text = std::fs::read_to_string(from.join(file))?;
        embeds |= text.contains("\n//go:embed");
        let declared = declarations(&text);
        let text = rewritten(&text).0;
        let cut = cuts.get(*file);
        let mut out = String::with_capacity(text.len());
        let mut is_cut = false;
        for (at, line) in text.lines().enumerate() {
            if let Some((_, name)) = declared.iter().find(|d| d.0 == at + 1) {
                is_cut = cut.is_some_and(|cut| cut.names.contains(name));
            }
            let is_unused = unused.contains(&((*file).clone(), at + 1));
            if is_cut {
            } else if let Some(clause) = CLAUSE.captures(line).filter(|_| form == "inside") {
                let _ = write!(out, "package {}_test", &clause[1]);
                if !is_unused {
                    let _ = write!(out, "; import . \"{package}\"");
                }
            } else if is_unused {
                out.push_str(&not_used(line));
            } else {
                out.push_str(line);
            }
            out.push('\n');
        }
        std::fs::write(to.join(file), out)?;
    }
    // What the tests read: of the package, and of the folders above it.
    let mut folder = package;
    loop {
        let (from, to) = (place.src.join(folder), place.tree.join(form).join(folder));
        for entry in std::fs::read_dir(&from)?.flatten() {
            let name = entry.file_name();
            let (text, target) = (name.to_string_lossy(), to.join(&name));
            let is_data = match entry.path().is_dir() {
                true => text == "testdata" || text.starts_with('_'),
                false => folder == package && !text.ends_with(".go") && !text.ends_with(".s"),
            };
            if is_data && target.symlink_metadata().is_err() {
                match embeds && folder == package {
                    true => copy(&entry.path(), &target)?,
                    // Another package's trial may have come first.
                    false => _ = std::os::unix::fs::symlink(entry.path(), target),
                }
            }
        }
        match folder.rsplit_once('/') {
            Some((above, _)) => folder = above,
            None => break,
        }
    }
    Ok(())
}

/// The module, with all that serves tests.
fn make_module(place: &Place) {
    std::fs::create_dir_all(&place.tree).unwrap();
    std::fs::write(place.tree.join("go.mod"), "module lib.test\n\ngo 1.27\n").unwrap();
    for (path, text) in STAND_INS {
        let folder = place.tree.join(in_module(path));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("standin.go"), text).unwrap();
    }
    for path in SUPPORT {
        copy_package(&place.src.join(path), &place.tree.join(in_module(path)));
    }
}

/// Copies a package without its tests; its internal imports are the module's.
fn copy_package(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    let Ok(entries) = std::fs::read_dir(from) else {
        panic!("there is no {}", from.display());
    };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_dir() {
            if name.starts_with('_') {
                copy(&entry.path(), &to.join(name)).unwrap();
            }
            continue;
        }
        if !name.ends_with(".go") || name.ends_with("_test.go") {
            continue;
        }
        let text = std::fs::read_to_string(entry.path()).unwrap();
        if text.contains("import \"C\"") || text.contains("//go:build race") {
            continue;
        }
        std::fs::write(to.join(name), rewritten(&text).0).unwrap();
    }
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    if !from.is_dir() {
        return std::fs::copy(from, to).map(|_| ());
    }
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)?.flatten() {
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}
