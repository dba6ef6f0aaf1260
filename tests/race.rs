//! The detector of data races: for each edge of the memory model, and each way to touch memory, it
//! finds the race that there is and none where there is none. Real Go finds none that it does not.

#[path = "race/rows.rs"]
mod rows;
mod support;

use libtest_mimic::{Arguments, Failed, Trial};
use rows::{Order, Row};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;
use support::{End, go_command, gosched, is_our_crash, needs, real_go, run};

/// How often each is run with several Ps.
const SEVERAL_RUNS: usize = 8;

/// A case of `race/edges.txt`: statements of `main`.
#[derive(Clone)]
struct Case {
    name: String,
    is_race: bool,
    body: String,
}

/// Packages whose last word is another's, too: what programs call them.
const NAMES: &[(&str, &str)] = &[
    ("crypto/rand", "crand"),
    ("encoding/json/v2", "jsonv2"),
    ("html/template", "htemplate"),
    ("math/rand", "mrand"),
    ("math/rand/v2", "rand"),
    ("net/http/pprof", "webpprof"),
    ("text/scanner", "tscanner"),
];

fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/race");
    let text = std::fs::read_to_string(folder.join("edges.txt")).unwrap();
    let parts = text.split("\n== ").skip(1);
    let case = |part: &str| {
        let (title, body) = part.split_once('\n').unwrap();
        let (name, verdict) = title.rsplit_once(": ").unwrap();
        Case {
            name: name.into(),
            is_race: match verdict {
                "race" => true,
                "ok" => false,
                _ => panic!("{title}"),
            },
            body: body.into(),
        }
    };
    parts.map(case).collect()
}

/// The library's packages.
fn packages() -> impl Iterator<Item = &'static str> {
    let lines = include_str!("../src/stdlib/exports.txt").lines();
    lines.filter(|line| !line.is_empty() && !line.starts_with([' ', '#']))
}

/// The imports of some code, which has no other words that are names of packages.
fn imports(code: &str) -> String {
    let name = |path: &str| {
        let other = NAMES.iter().find(|(p, _)| *p == path);
        other
            .map_or(path.rsplit('/').next().unwrap(), |(_, name)| name)
            .to_string()
    };
    let words = code.split(|c: char| !c.is_alphanumeric() && c != '.');
    let begins = words.filter_map(|w| w.trim_start_matches('.').split_once('.'));
    let begins: BTreeSet<&str> = begins.map(|(begin, _)| begin).collect();
    let used = packages().filter(|path| begins.contains(name(path).as_str()));
    used.map(|path| format!("import {} {path:?}\n", name(path)))
        .collect()
}

/// A folder of our own.
fn folder() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("gosched-race-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Does a run report races? How it does must be right.
fn finds(flags: &[&str], procs: u32, case: &Case, file: &Path) -> Result<bool, Failed> {
    let mut command = gosched();
    command.args(flags).arg(file);
    if procs > 1 {
        command.env("GOMAXPROCS", procs.to_string());
    }
    let ran = run(&mut command, b"", Duration::from_secs(60));
    let has_report = ran.stderr.contains("WARNING: DATA RACE\n");
    match (ran.end, has_report) {
        (End::Exit(66), true) => Ok(true),
        (End::Exit(0), false) => Ok(false),
        _ => Err(format!("{}: {:?}\n{}", case.name, ran.end, ran.stderr).into()),
    }
}

fn check(number: usize, case: &Case) -> Result<(), Failed> {
    let file = folder().join(format!("case{number}.go"));
    let code = format!("func main() {{\n{}}}\n", case.body);
    std::fs::write(&file, format!("package main\n{}\n{code}", imports(&code))).unwrap();
    let said = |found| match found {
        true => "race",
        false => "no race",
    };
    let seeds = ["--seed=1", "--seed=2", "--seed=3"];
    for flags in [&["--race"][..]]
        .into_iter()
        .chain(seeds.iter().map(std::slice::from_ref))
    {
        let mut flags = flags.to_vec();
        if flags != ["--race"] {
            flags.push("--race");
        }
        let found = finds(&flags, 1, case, &file)?;
        if found != case.is_race {
            return Err(format!("{flags:?}: {}", said(found)).into());
        }
    }
    // With several Ps what happens first is left to the machine, and a race may not happen.
    let found = (0..SEVERAL_RUNS).map(|_| finds(&["--race"], 4, case, &file));
    let found = found.collect::<Result<Vec<bool>, _>>()?;
    match (case.is_race, found.contains(&true)) {
        (true, false) => Err("GOMAXPROCS=4: no race".into()),
        (false, true) => Err("GOMAXPROCS=4: race".into()),
        _ => Ok(()),
    }
}

/// Real Go finds no race in a case that has none. It finds those that happen.
fn check_by_go(go: &Path, number: usize, case: &Case) -> Result<(), Failed> {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    let program = PROGRAM.get_or_init(|| {
        let cases = cases();
        let mut code = String::new();
        for (i, case) in cases.iter().enumerate() {
            code += &format!("func case{i}() {{\n{}}}\n", case.body);
        }
        let calls: String = (0..cases.len())
            .map(|i| format!("case \"{i}\": case{i}()\n"))
            .collect();
        code += &format!("func main() {{ switch os.Args[1] {{\n{calls}}} }}\n");
        let source = folder().join("all.go");
        let all = format!("package main\n{}\n{code}", imports(&code));
        std::fs::write(&source, all).unwrap();
        let program = folder().join("all");
        build_with_race(go, &source, &program);
        program
    });
    let status = Command::new(program)
        .arg(number.to_string())
        .stderr(Stdio::null())
        .status()?;
    match status.code() == Some(66) && !case.is_race {
        true => Err("real Go finds a race".into()),
        false => Ok(()),
    }
}

/// The tables of rows, and what was reported of them.
struct Table {
    file: &'static str,
    rows: OnceLock<Vec<Row>>,
    ours: [OnceLock<Result<[BTreeSet<usize>; 2], String>>; 3],
    real: [OnceLock<Result<BTreeSet<usize>, String>>; 3],
}

/// With several Ps a race may not happen at once, and real Go sees only those that happen.
const MOST_RUNS: usize = 6;

impl Table {
    const fn new(file: &'static str) -> Table {
        Table {
            file,
            rows: OnceLock::new(),
            ours: [const { OnceLock::new() }; 3],
            real: [const { OnceLock::new() }; 3],
        }
    }

    fn rows(&self) -> &[Row] {
        let file = || {
            Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("tests/race")
                .join(self.file)
        };
        self.rows.get_or_init(|| rows::rows(&file()))
    }

    /// The program of the rows.
    fn program(&self, order: Order) -> PathBuf {
        let rows: Vec<_> = self.rows().iter().enumerate().collect();
        let code = rows::program(&rows, order);
        let file = folder().join(format!("{}-{order:?}.go", self.file.replace('.', "-")));
        std::fs::write(&file, format!("package main\n{}\n{code}", imports(&code))).unwrap();
        file
    }

    /// The rows that are reported when a program is run often enough to see them all.
    fn reports(&self, order: Order, mut command: Command) -> Result<BTreeSet<usize>, String> {
        let runs = if order == Order::None { MOST_RUNS } else { 2 };
        let mut found = BTreeSet::new();
        for _ in 0..runs {
            let ran = run(&mut command, b"", Duration::from_secs(120));
            let reported = rows::reported(&ran.stderr);
            let status = if reported.is_empty() { 0 } else { 66 };
            // What races may fail, too, and what stands behind it is not run then.
            let may_fail = order == Order::None && ran.end == End::Exit(2) && !is_our_crash(&ran);
            if ran.end != End::Exit(status) && !may_fail {
                return Err(format!("{command:?}: {:?}\n{}", ran.end, ran.stderr));
            }
            found.extend(reported);
            if found.len() == self.rows().len() {
                break;
            }
        }
        Ok(found)
    }

    /// What we report of the rows, with one P and with several.
    fn ours(&self, order: Order) -> Result<&[BTreeSet<usize>; 2], Failed> {
        let find = || {
            let file = self.program(order);
            let mut command = gosched();
            command.arg("--race").arg(&file);
            let mut several = gosched();
            several.arg("--race").arg(&file).env("GOMAXPROCS", "4");
            Ok([self.reports(order, command)?, self.reports(order, several)?])
        };
        let found = self.ours[order as usize].get_or_init(find);
        found.as_ref().map_err(|e| e.into())
    }

    /// What real Go reports of them.
    fn real(&self, go: &Path, order: Order) -> Result<&BTreeSet<usize>, Failed> {
        let find = || {
            let file = self.program(order);
            let program = file.with_extension("");
            build_with_race(go, &file, &program);
            let mut command = Command::new(program);
            command.env("GORACE", "atexit_sleep_ms=0 suppress_equal_addresses=0");
            self.reports(order, command)
        };
        let found = self.real[order as usize].get_or_init(find);
        found.as_ref().map_err(|e| e.into())
    }

    fn check(&self, number: usize) -> Result<(), Failed> {
        for order in Order::ALL {
            for (found, procs) in self.ours(order)?.iter().zip([1, 4]) {
                if found.contains(&number) != (order == Order::None) {
                    let found = found.contains(&number);
                    return Err(format!("{order:?}, {procs} Ps: reported: {found}").into());
                }
            }
        }
        Ok(())
    }

    /// Real Go says the same, or less: a race that does not happen it does not see. But of twenty
    /// it may miss one at most.
    fn check_by_go(&self, go: &Path, number: usize) -> Result<(), Failed> {
        for order in Order::ALL {
            let seen = self.real(go, order)?;
            let found = seen.contains(&number);
            let rows = self.rows().iter().enumerate();
            let missed = rows
                .filter(|(i, row)| !row.is_ours && !seen.contains(i))
                .count();
            let may_miss = self.rows()[number].is_ours || missed * 20 <= self.rows().len();
            if found != (order == Order::None) && !(order == Order::None && may_miss) {
                return Err(format!("{order:?}: reported: {found}, {missed} missed").into());
            }
        }
        Ok(())
    }
}

/// Builds a program by real Go.
fn build_with_race(go: &Path, source: &Path, program: &Path) {
    let built = go_command(go)
        .args(["build", "-race", "-o"])
        .arg(program)
        .arg(source)
        .env("CGO_ENABLED", "1")
        .output()
        .unwrap();
    assert!(
        built.status.success(),
        "{}",
        String::from_utf8_lossy(&built.stderr)
    );
}

/// What the library's packages do for several goroutines at once is no race. Of a package all lines
/// are one program.
fn check_together(file: &Path, package: &str) -> Result<(), Failed> {
    let (lines, code) = rows::together(file, &|of| of == package);
    if lines.is_empty() {
        let text = std::fs::read_to_string(file)?;
        let none = text
            .lines()
            .next()
            .unwrap()
            .split_once("there is none: ")
            .unwrap()
            .1;
        return match none
            .trim_end_matches('.')
            .split(' ')
            .any(|of| of == package)
        {
            true => Ok(()),
            false => Err("no line".into()),
        };
    }
    let source = folder().join(format!("together-{}.go", package.replace('/', "-")));
    std::fs::write(
        &source,
        format!("package main\n{}\n{SHARED}\n{code}", imports(&code)),
    )?;
    for procs in ["1", "4"] {
        let mut command = gosched();
        command.arg("--race").arg(&source).env("GOMAXPROCS", procs);
        let ran = run(&mut command, b"", Duration::from_secs(120));
        if ran.end != End::Exit(0) || ran.stderr.contains("DATA RACE") {
            return Err(format!("GOMAXPROCS={procs}: {:?}\n{}", ran.end, ran.stderr).into());
        }
    }
    Ok(())
}

/// Types of the lines.
const SHARED: &str = r#"
type shape struct {
	A int
	B string
	C []int
	D map[string]int
}
type node struct {
	Name  string   `xml:"name,attr"`
	Parts []string `xml:"part"`
}
type ints []int
func (h ints) Len() int           { return len(h) }
func (h ints) Less(i, j int) bool { return h[i] < h[j] }
func (h ints) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *ints) Push(x any)        { *h = append(*h, x.(int)) }
func (h *ints) Pop() any          { x := (*h)[0]; *h = (*h)[1:]; return x }
"#;

static TABLES: [Table; 2] = [Table::new("rows.txt"), Table::new("library.txt")];

fn main() {
    let args = Arguments::from_args();
    let mut trials = Vec::new();
    for (number, case) in cases().into_iter().enumerate() {
        let name = case.name.replace(' ', "_");
        let same = case.clone();
        let by_go = move |go: PathBuf| check_by_go(&go, number, &same);
        trials.push(needs(format!("by_go/{name}"), real_go(), by_go));
        trials.push(Trial::test(name, move || check(number, &case)));
    }
    for table in &TABLES {
        for (number, row) in table.rows().iter().enumerate() {
            let name = row.name.replace(' ', "_");
            let by_go = move |go: PathBuf| table.check_by_go(&go, number);
            trials.push(needs(format!("by_go/{name}"), real_go(), by_go));
            trials.push(Trial::test(name, move || table.check(number)));
        }
    }
    for package in packages().filter(|p| !p.contains("internal")) {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/race/together.txt");
        let check = move || check_together(&file, package);
        trials.push(Trial::test(format!("together/{package}"), check));
    }
    libtest_mimic::run(&args, trials).exit();
}
