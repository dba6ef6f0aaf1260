//! Tests of other people's modules, as Debian packs them, run by `gosched test`: what passes under
//! real Go passes.
//!
//! `tests/thirdparty/table.txt` has a paragraph for each module: the folder below
//! `/usr/share/gocode/src` with its import path if that is another one, Debian's package and its
//! version, and how many of the tests (subtests, examples and fuzz targets among them) that real
//! Go passes pass here, too. Below, by package: `in PACKAGE: N` tests pass; `PACKAGE TEST: why` a
//! test does not; `Go fails it` begins the reason where it is no better there, `flaky` where it
//! may pass; `without PACKAGE` is left out. Lines `with PACKAGE` name packages of Debian which the
//! tests need and the package does not ask for. Numbers like 0xc000012345 in names are addresses.
//!
//! A module is copied into a temporary folder, gets a `go.mod` and a `vendor` folder with what its
//! packages and tests import, and is deleted afterwards; nothing of it belongs to this tree.
//! Nothing is installed: `.ci/run` does that. A module of another version than the table's is
//! passed over, or a failure if oracles are required.
//!
//! All is ignored by `cargo test`: `cargo test --test thirdparty -- --ignored` runs it, words
//! behind it choose modules, `GOSCHED_THIRDPARTY_PART=SEED:K/N` a part.
//! `GOSCHED_THIRDPARTY_TREE` names a folder in which the modules are to stay.
//! With `UPDATE_EXPECT=1` real Go runs the tests, too, and the paragraphs are written anew; causes
//! are kept, `?` is no cause. A module to be added needs the first two lines of its paragraph.

mod support;

use libtest_mimic::{Arguments, Failed};
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;
use support::{go_command, gosched, is_our_crash, needs, real_go, run, tests_dir};

/// Where Debian's packages lie.
const SOURCES: &str = "/usr/share/gocode/src";

/// So long may the tests of a module take.
const LIMIT: Duration = Duration::from_secs(600);

/// A test: package, below the module, and name.
type Test = (String, String);

/// A paragraph of the table.
#[derive(Clone, Default)]
struct Entry {
    folder: String,
    path: String,
    package: String,
    version: String,
    with: Vec<String>,
    without: BTreeMap<String, String>,
    /// How many tests pass, by package.
    passed: BTreeMap<String, usize>,
    fails: BTreeMap<Test, String>,
}

impl Entry {
    /// How many of the tests that real Go passes fail here.
    fn lacking(&self) -> usize {
        let is_ours = |why: &&String| !why.starts_with("Go fails it") && !why.starts_with("flaky");
        self.fails.values().filter(is_ours).count()
    }

    fn count(&self) -> usize {
        self.passed.values().sum()
    }
}

fn table_path() -> PathBuf {
    tests_dir().join("thirdparty/table.txt")
}

fn read_table() -> Vec<Entry> {
    let text = std::fs::read_to_string(table_path()).unwrap();
    let mut table: Vec<Entry> = Vec::new();
    for line in text
        .lines()
        .filter(|l| !l.starts_with('#') && !l.is_empty())
    {
        let Some(line) = line.strip_prefix("  ") else {
            let head = line.split_once(':').map_or(line, |(head, _)| head);
            let (folder, path) = head.split_once(" as ").unwrap_or((head, head));
            table.push(Entry {
                folder: folder.to_string(),
                path: path.to_string(),
                ..Entry::default()
            });
            continue;
        };
        let entry = table.last_mut().expect("a module's line comes first");
        let (subject, said) = line.split_once(": ").unwrap_or((line, "?"));
        match subject.split_once(' ').unwrap_or((subject, "")) {
            ("package", rest) => {
                (entry.package, entry.version) = match rest.split_once(' ') {
                    Some((name, version)) => (name.to_string(), version.to_string()),
                    None => (rest.to_string(), String::new()),
                }
            }
            ("with", name) => entry.with.push(name.to_string()),
            ("without", name) => _ = entry.without.insert(name.to_string(), said.to_string()),
            ("in", name) => _ = entry.passed.insert(name.to_string(), said.parse().unwrap()),
            (package, name) => {
                let test = (package.to_string(), name.to_string());
                entry.fails.insert(test, said.to_string());
            }
        }
    }
    table
}

fn written(table: &[Entry]) -> String {
    let passed: usize = table.iter().map(Entry::count).sum();
    let lacking: usize = table.iter().map(Entry::lacking).sum();
    let of = passed + lacking;
    let mut text = format!(
        "# Tests of other people's modules; `tests/thirdparty.rs` says what stands here.\n\
         # {} modules; of {of} tests that real Go passes {passed} pass: {:.2} %.\n",
        table.len(),
        100.0 * passed as f64 / of.max(1) as f64,
    );
    for entry in table {
        let _ = write!(text, "\n{}", entry.folder);
        if entry.path != entry.folder {
            let _ = write!(text, " as {}", entry.path);
        }
        let of = entry.count() + entry.lacking();
        let _ = writeln!(text, ": {} of {of}", entry.count());
        let _ = writeln!(text, "  package {} {}", entry.package, entry.version);
        for name in &entry.with {
            let _ = writeln!(text, "  with {name}");
        }
        for (name, why) in &entry.without {
            let _ = writeln!(text, "  without {name}: {why}");
        }
        for (name, count) in &entry.passed {
            let _ = writeln!(text, "  in {name}: {count}");
        }
        for ((package, name), why) in &entry.fails {
            let _ = writeln!(text, "  {package} {name}: {why}");
        }
    }
    text
}

fn main() {
    let args = Arguments::from_args();
    let updates = std::env::var_os("UPDATE_EXPECT").is_some();
    let go = updates.then(|| real_go().unwrap());
    let kept = std::env::var_os("GOSCHED_THIRDPARTY_TREE").map(PathBuf::from);
    let table = read_table();
    let all = Arc::new(Mutex::new(table.clone()));
    let mut trials = Vec::new();
    for (at, entry) in table.into_iter().enumerate() {
        if !support::in_part_of("GOSCHED_THIRDPARTY_PART", &entry.folder) {
            continue;
        }
        let (go, all, kept) = (go.clone(), all.clone(), kept.clone());
        let version = installed(&entry);
        let trial = needs(entry.folder.clone(), version, move |version| {
            let place = Place::new(&entry, kept.as_deref())?;
            let Some(go) = go else {
                return check(&entry, &place);
            };
            let mut new = found_out(&entry, &place, &go)?;
            new.version = version;
            let mut all = all.lock().unwrap();
            all[at] = new;
            std::fs::write(table_path(), written(&all))?;
            Ok(())
        });
        trials.push(trial.with_ignored_flag(true));
    }
    libtest_mimic::run(&args, trials).exit();
}

/// The version of Debian's package that is installed, which must be that of the table.
fn installed(entry: &Entry) -> Result<String, String> {
    let asked = Command::new("dpkg-query")
        .args(["-W", "-f=${Version}", &entry.package])
        .output();
    let lacking = || format!("needs Debian's {} {}", entry.package, entry.version);
    let version = asked.map_err(|_| lacking())?;
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    let is_any = entry.version.is_empty() || std::env::var_os("UPDATE_EXPECT").is_some();
    match !version.is_empty() && (is_any || version == entry.version) {
        true => Ok(version),
        false => Err(lacking()),
    }
}

/// Holds the module against its paragraph.
fn check(entry: &Entry, place: &Place) -> Result<(), Failed> {
    let came = came(&mut gosched(), entry, place);
    if came.crashed {
        return Err(format!("gosched crashes:\n{}", came.rest).into());
    }
    let mut wrong = String::new();
    for test in came.failed.keys().filter(|t| !entry.fails.contains_key(t)) {
        let _ = writeln!(
            wrong,
            "{} {} does not pass:\n{}",
            test.0,
            test.1,
            came.said(test)
        );
    }
    for (test, why) in &entry.fails {
        let is_told = why.starts_with("Go fails it") || why.starts_with("flaky");
        if why.starts_with('?') {
            let _ = writeln!(wrong, "{} {} has no cause", test.0, test.1);
        }
        if !is_told && came.passed.contains(test) {
            let _ = writeln!(
                wrong,
                "{} {} passes; strike it from the table",
                test.0, test.1
            );
        }
    }
    let counts = counted(entry, &came.passed);
    for (package, want) in &entry.passed {
        let have = counts.get(package).copied().unwrap_or_default();
        if have != *want {
            let _ = writeln!(wrong, "in {package} {have} tests pass instead of {want}");
        }
    }
    if wrong.is_empty() {
        return Ok(());
    }
    Err(format!("{wrong}{}", came.rest).into())
}

/// How many tests pass, by package, without those of which the paragraph speaks.
fn counted(entry: &Entry, passed: &BTreeSet<Test>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for test in passed.iter().filter(|t| !entry.fails.contains_key(t)) {
        *counts.entry(test.0.clone()).or_default() += 1;
    }
    counts
}

/// The module's paragraph, as it is now.
fn found_out(old: &Entry, place: &Place, go: &Path) -> Result<Entry, Failed> {
    let real = came(&mut go_command(go), old, place);
    let ours = came(&mut gosched(), old, place);
    if ours.crashed {
        return Err(format!("gosched crashes:\n{}", ours.rest).into());
    }
    let mut new = old.clone();
    new.fails = old.fails.clone();
    new.fails.retain(|_, why| why.starts_with("flaky"));
    for test in real.passed.iter().filter(|t| !ours.passed.contains(t)) {
        let known = old.fails.get(test).filter(|why| !why.starts_with('?'));
        let mut lines = ours.said(test).lines().map(str::trim);
        let first = lines.find(|l| !l.is_empty()).unwrap_or("did not run");
        let why = known.cloned().unwrap_or_else(|| format!("? {first}"));
        new.fails.insert(test.clone(), why);
    }
    // Neither side has to pass what real Go does not.
    let mut others: BTreeSet<&Test> = ours.failed.keys().chain(real.failed.keys()).collect();
    others.extend(ours.passed.difference(&real.passed));
    for test in others {
        if !real.passed.contains(test) {
            let known = old
                .fails
                .get(test)
                .filter(|why| why.starts_with("Go fails it"));
            let why = known.cloned().unwrap_or_else(|| "Go fails it".into());
            new.fails.entry(test.clone()).or_insert(why);
        }
    }
    new.passed = counted(&new, &ours.passed);
    Ok(new)
}

/// What has come of the tests of a module.
#[derive(Default)]
struct Came {
    passed: BTreeSet<Test>,
    /// With what they have printed.
    failed: BTreeMap<Test, String>,
    /// What belongs to no test.
    rest: String,
    crashed: bool,
}

impl Came {
    fn said(&self, test: &Test) -> &str {
        self.failed.get(test).unwrap_or(&self.rest)
    }
}

/// Runs `COMMAND test` on the packages of the module.
fn came(command: &mut Command, entry: &Entry, place: &Place) -> Came {
    command
        .args(["test", "-json", "-vet=off", "-mod=vendor", "-timeout=300s"])
        .args(place.packages.iter().map(|p| format!("./{p}")))
        .current_dir(&place.tree)
        .env("GOFLAGS", "")
        .env("GO111MODULE", "on")
        .env("TZ", "UTC");
    let ran = run(command, b"", LIMIT);
    let mut came = Came {
        rest: ran.stderr.clone(),
        crashed: is_our_crash(&ran),
        ..Came::default()
    };
    let mut said: BTreeMap<Test, String> = BTreeMap::new();
    for line in ran.stdout.lines() {
        let Ok(event) = serde_json::from_str::<serde_json::Value>(line) else {
            came.rest += line;
            came.rest += "\n";
            continue;
        };
        let text = |key: &str| event.get(key).and_then(|v| v.as_str()).unwrap_or_default();
        let test = (entry.below(text("Package")), plain(text("Test")));
        let is_test = !test.1.is_empty();
        match text("Action") {
            "output" if is_test => *said.entry(test).or_default() += text("Output"),
            "output" | "build-output" => {
                let line = text("Output");
                if !line.starts_with("ok ") && !line.contains("[no test files]") {
                    came.rest += line;
                }
            }
            "run" => _ = said.entry(test).or_default(),
            "pass" if is_test => {
                said.remove(&test);
                came.passed.insert(test);
            }
            "skip" => _ = said.remove(&test),
            "fail" if is_test => {
                let text = said.remove(&test).unwrap_or_default();
                came.failed.insert(test, text);
            }
            _ => (),
        }
    }
    // What had begun when the process ended.
    came.failed.extend(said);
    came.passed.retain(|t| !came.failed.contains_key(t));
    came
}

impl Entry {
    /// A package as the table names it.
    fn below(&self, package: &str) -> String {
        match package.strip_prefix(&self.path) {
            Some(rest) if !rest.is_empty() => rest.trim_start_matches('/').to_string(),
            _ => ".".to_string(),
        }
    }
}

/// The name of a test without addresses.
fn plain(name: &str) -> String {
    static ADDRESS: LazyLock<Regex> = LazyLock::new(|| Regex::new("0x[0-9a-f]{5,}").unwrap());
    ADDRESS.replace_all(name, "0x").replace(": ", ":_")
}

/// A copy of a module, with what it imports.
struct Place {
    tree: PathBuf,
    /// Folders with Go files.
    packages: BTreeSet<String>,
    is_kept: bool,
}

impl Drop for Place {
    fn drop(&mut self) {
        if !self.is_kept {
            let _ = std::fs::remove_dir_all(&self.tree);
            // Whoever is the last takes the folders above along.
            let above = self.tree.ancestors().skip(1).take(4);
            let _ = above.map(std::fs::remove_dir).find(Result::is_err);
        }
    }
}

impl Place {
    fn new(entry: &Entry, kept: Option<&Path>) -> std::io::Result<Place> {
        let own =
            || std::env::temp_dir().join(format!("gosched-thirdparty-{}", std::process::id()));
        // Some tests look for the module's path in that of its files.
        let mut place = Place {
            tree: kept.map_or_else(own, Path::to_path_buf).join(&entry.folder),
            packages: BTreeSet::new(),
            is_kept: kept.is_some(),
        };
        let from = Path::new(SOURCES).join(&entry.folder);
        let _ = std::fs::remove_dir_all(&place.tree);
        copy(&from, &place.tree, &|name, path| {
            name != "vendor" && !path.join("go.mod").exists()
        })?;
        let mut imports = Vec::new();
        place.gather(entry, "", &mut imports)?;
        place.vendor(entry, imports)?;
        Ok(place)
    }

    /// Adds the packages at and below `folder`, and what they import.
    fn gather(
        &mut self,
        entry: &Entry,
        folder: &str,
        imports: &mut Vec<String>,
    ) -> std::io::Result<()> {
        for item in std::fs::read_dir(self.tree.join(folder))?.flatten() {
            let (name, path) = (item.file_name().into_string().unwrap(), item.path());
            if name.starts_with(['.', '_']) {
                continue;
            }
            if path.is_dir() {
                self.gather(entry, &format!("{folder}{name}/"), imports)?;
            } else if name.ends_with(".go") {
                imports.extend(imports_of(&path)?);
                if format!("/{folder}").contains("/testdata/") {
                    continue;
                }
                let package = folder.trim_end_matches('/');
                let package = if package.is_empty() { "." } else { package };
                if !entry.without.contains_key(package) {
                    self.packages.insert(package.to_string());
                }
            }
        }
        Ok(())
    }

    /// Makes the vendor folder: what is imported, from Debian's packages, each module of which has
    /// a version that its path allows. What is not there is not needed on this machine.
    fn vendor(&self, entry: &Entry, mut imports: Vec<String>) -> std::io::Result<()> {
        let mut modules: BTreeMap<String, (Option<String>, BTreeSet<String>)> = BTreeMap::new();
        let mut seen = BTreeSet::new();
        while let Some(import) = imports.pop() {
            let is_ours = import == entry.path || import.starts_with(&format!("{}/", entry.path));
            let is_library = !import.split('/').next().unwrap().contains('.');
            if is_ours || is_library || !seen.insert(import.clone()) {
                continue;
            }
            let Some(found) = find(&import) else {
                continue;
            };
            let to = self.tree.join("vendor").join(&import);
            std::fs::create_dir_all(&to)?;
            for item in std::fs::read_dir(&found.folder)?.flatten() {
                let (name, path) = (item.file_name().into_string().unwrap(), item.path());
                if path.is_dir() {
                    // What a package embeds.
                    if support::files(&path, "go").is_empty() {
                        copy(&path, &to.join(name), &|_, _| true)?;
                    }
                } else if !name.ends_with("_test.go") {
                    std::fs::copy(&path, to.join(&name))?;
                    if name.ends_with(".go") {
                        imports.extend(imports_of(&path)?);
                    }
                }
            }
            let module = modules.entry(found.module).or_default();
            module.0 = found.go;
            module.1.insert(import);
        }
        let own = Path::new(SOURCES).join(&entry.folder);
        let go = go_line(&own).unwrap_or_else(|| "1.16".into());
        let mut go_mod = format!("module {}\n\ngo {go}\n", entry.path);
        let mut list = String::new();
        for (module, (go, packages)) in &modules {
            let version = format!("{}.0.0", major(module).unwrap_or_else(|| "v1".into()));
            let _ = write!(go_mod, "\nrequire {module} {version}");
            let go = go.as_ref().map(|go| format!("; go {go}"));
            let _ = writeln!(
                list,
                "# {module} {version}\n## explicit{}",
                go.unwrap_or_default()
            );
            packages.iter().for_each(|p| _ = writeln!(list, "{p}"));
        }
        go_mod += "\n";
        std::fs::write(self.tree.join("go.mod"), go_mod)?;
        std::fs::create_dir_all(self.tree.join("vendor"))?;
        std::fs::write(self.tree.join("vendor/modules.txt"), list)
    }
}

/// Where a package lies, its module, and the `go` line of that.
struct Found {
    folder: PathBuf,
    module: String,
    go: Option<String>,
}

/// Finds a package among Debian's. A part `vN` of its path may be missing there.
fn find(import: &str) -> Option<Found> {
    let parts: Vec<&str> = import.split('/').collect();
    let mut ways = vec![parts.clone()];
    for at in 0..parts.len() {
        if is_major(parts[at]) {
            ways.push([&parts[..at], &parts[at + 1..]].concat());
        }
    }
    for way in ways {
        let folder = Path::new(SOURCES).join(way.join("/"));
        let is_go = |e: std::fs::DirEntry| e.path().extension().is_some_and(|e| e == "go");
        if !std::fs::read_dir(&folder).is_ok_and(|all| all.flatten().any(is_go)) {
            continue;
        }
        for above in folder.ancestors().take_while(|a| *a != Path::new(SOURCES)) {
            let Some(module) = mod_line(above, "module") else {
                continue;
            };
            let rest = import.strip_prefix(&module);
            if rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/')) {
                let go = go_line(above);
                return Some(Found { folder, module, go });
            }
        }
        if way == parts {
            let module = usual_module(&parts);
            return Some(Found {
                folder,
                module,
                go: None,
            });
        }
    }
    None
}

fn is_major(part: &str) -> bool {
    let number = part.strip_prefix('v').and_then(|n| n.parse::<u32>().ok());
    number.is_some_and(|n| n >= 2)
}

/// The module of a package without a `go.mod`, as hosts have them.
fn usual_module(parts: &[&str]) -> String {
    let count = match parts[0] {
        "github.com" | "golang.org" => 3,
        "gopkg.in" if parts.len() > 2 && !parts[1].contains(".v") => 3,
        _ => 2,
    };
    let with_major = count + usize::from(parts.get(count).is_some_and(|p| is_major(p)));
    parts[..with_major.min(parts.len())].join("/")
}

/// The major version that a module's path asks for.
fn major(module: &str) -> Option<String> {
    let last = module.rsplit(['/', '.']).next()?;
    is_major(last).then(|| last.to_string())
}

fn mod_line(folder: &Path, word: &str) -> Option<String> {
    let text = std::fs::read_to_string(folder.join("go.mod")).ok()?;
    let line = text
        .lines()
        .find_map(|l| l.strip_prefix(word)?.strip_prefix(' '))?;
    let said = line.split("//").next()?.trim().trim_matches('"');
    Some(said.to_string())
}

fn go_line(folder: &Path) -> Option<String> {
    mod_line(folder, "go")
}

/// What a file imports.
fn imports_of(file: &Path) -> std::io::Result<Vec<String>> {
    static CLAUSE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"(?ms)^import\s+(?:(?:[\w.]+\s+)?["`]([^"`]+)["`]|\((.*?)^\s*\))"#).unwrap()
    });
    static LINE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r#"(?m)^\s*(?:[\w.]+\s+)?["`]([^"`]+)["`]"#).unwrap());
    let text = String::from_utf8_lossy(&std::fs::read(file)?).into_owned();
    let mut found = Vec::new();
    for clause in CLAUSE.captures_iter(&text) {
        match (clause.get(1), clause.get(2)) {
            (Some(one), _) => found.push(one.as_str().to_string()),
            (_, Some(many)) => {
                let lines = LINE.captures_iter(many.as_str());
                found.extend(lines.map(|l| l[1].to_string()));
            }
            _ => (),
        }
    }
    Ok(found)
}

/// Copies a folder without those folders for which `takes` says no, given the name and the path.
fn copy(from: &Path, to: &Path, takes: &dyn Fn(&str, &Path) -> bool) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for item in std::fs::read_dir(from)?.flatten() {
        let (name, path) = (item.file_name(), item.path());
        let is_link = path.is_symlink();
        if !path.is_dir() {
            // A link that leads nowhere is left out.
            if path.exists() {
                std::fs::copy(&path, to.join(name))?;
            }
        } else if !is_link && takes(&name.to_string_lossy(), &path) {
            copy(&path, &to.join(name), takes)?;
        }
    }
    Ok(())
}
