//! Holds `tests/sched/rules.md`, the table of the scheduler's rules, against the tests that exist;
//! and proves each row: its test must fail under its fault, and pass under a fault that breaks
//! nothing.
//!
//! `cargo test --test proof` holds the table and the log against what there is. All else takes an
//! hour and is ignored there; `cargo proof` runs it:
//!
//! - `delays/BINARY::NAME`: the tests that `cargo test` passes over, because their verdict is a
//!   measured delay. Each runs with nothing beside it.
//! - `ID/BINARY::NAME/FAULT`: a row. Its test runs under the fault until it fails, three times at
//!   most, and as often under the fault [`PLACEBO`], where it must pass: with the same limits and,
//!   if it measures a delay, alone as well. A test that its placebo breaks proves nothing, and the
//!   row fails.
//!
//! `cargo proof delays/` and `cargo proof T-30/` run a part by name,
//! `GOSCHED_PROOF_PART=SEED:K/N cargo proof` all delays and a part of the rows, chosen by a hash.
//! `UPDATE_EXPECT=1 cargo proof …` writes what was seen into `tests/sched/proof.md`; a row that was
//! not run keeps what was seen of it before. Builds without faults (release) check the table only.

mod support;

use libtest_mimic::{Arguments, Failed, Trial};
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock, RwLock};
use std::time::Duration;
use support::{End, Ran, tests_dir};

/// How long a test may take, under its fault or the placebo; what takes longer has failed.
const LIMIT: Duration = Duration::from_secs(60);
/// The same for a model.
const MODEL_LIMIT: Duration = Duration::from_secs(600);

/// The fault that breaks nothing.
const PLACEBO: &str = "placebo";

/// What a fault does can depend on which thread comes first: a test has so many chances to notice
/// it, and its placebo as many to fail.
const TRIES: usize = 3;

/// Ignored tests that measure no delay; they are called by name, by `.ci/run` or by hand.
const CALLED_BY_NAME: &[&str] = &[
    "edges::the_whole_suite_takes_each_edge",
    "stops::a_hundred_thousand_suspensions_leave_no_trace",
    "extremes::strings_above_4_gb",
    "gotraces::all_programs",
    "traces::all_programs_agree",
    "traces::ten_thousand_mutated_traces_are_told",
];

/// Ids of the rules: numbers 1 to 72 without 70, and those with letters.
const LETTERS: &[&str] = &[
    "10b", "16b", "18b", "19b", "20b", "25b", "25c", "26b", "26c", "26d", "27b", "30b", "30c",
    "31b", "32b", "33b", "33c", "33d", "33e", "34b", "34c", "35b", "35c", "36b", "36c", "36d",
    "40b", "49b", "49c", "55b",
];

/// What may be open: mechanisms that are not built.
const OPEN: &[&str] = &["diagnostics"];

/// One row of the table.
#[derive(Clone, Debug)]
struct Row {
    id: String,
    switch: String,
    test: String,
    fault: String,
    state: String,
}

/// The binary of a test as the table names it.
fn binary(test: &str) -> &str {
    test.split_once("::").map_or("", |t| t.0)
}

fn is_model(test: &str) -> bool {
    matches!(binary(test), "loom" | "shuttle")
}

impl Row {
    /// The row of `proof.md` without what was seen: its first cells.
    fn head(&self) -> String {
        format!("| {} | `{}` | `{}` |", self.id, self.test, self.fault)
    }
}

/// A test of the table itself.
type Check = fn(&[Row], &Bench) -> Result<(), Failed>;

fn main() {
    let args = Arguments::from_args();
    let table = std::fs::read_to_string(tests_dir().join("sched/rules.md")).unwrap();
    let rows = Arc::new(parse(&table));
    let updating = std::env::var_os("UPDATE_EXPECT").is_some();
    let bench = Arc::new(Bench::new(&rows));

    let mut trials = Vec::new();
    let mut check = |name: &str, f: Check| {
        let (rows, bench) = (rows.clone(), bench.clone());
        trials.push(Trial::test(name, move || f(&rows, &bench)));
    };
    check("table/every_rule_has_a_row", every_rule_has_a_row);
    check("table/switches_are_those_of_the_command_line", switches);
    check("table/rows_are_whole", rows_are_whole);
    check("table/every_test_has_a_row", every_test_has_a_row);
    check("log/every_line_is_an_event_in_order", log_lines);
    check("log/it_is_whole_however_the_program_ends", log_ends);
    check("log/it_is_refused_where_it_cannot_be", log_refused);
    if !updating {
        check("table/proof_is_up_to_date", proof_is_up_to_date);
    }
    let seen: Arc<Mutex<BTreeMap<String, Seen>>> = Arc::default();
    if gosched_runtime::faults::EXIST {
        for test in bench.delays.clone() {
            let bench = bench.clone();
            let name = format!("delays/{test}");
            let trial = Trial::test(name, move || bench.passes(&test, 1));
            trials.push(trial.with_ignored_flag(true));
        }
        for row in rows.iter().filter(|r| r.state == "proved") {
            let name = format!("{}/{}/{}", row.id, row.test, row.fault);
            if !support::in_part_of("GOSCHED_PROOF_PART", &name) {
                continue;
            }
            let (row, bench, seen) = (row.clone(), bench.clone(), seen.clone());
            let trial = Trial::test(name, move || {
                let how = bench.prove(&row)?;
                seen.lock().unwrap().insert(row.head(), how);
                Ok(())
            });
            trials.push(trial.with_ignored_flag(true));
        }
    }
    let ended = libtest_mimic::run(&args, trials);
    if updating && !args.list {
        let text = proof(&rows, &seen.lock().unwrap(), &recorded());
        std::fs::write(proof_file(), text).unwrap();
    }
    ended.exit();
}

fn parse(table: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    for line in table.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, id, _, switch, _, test, fault, state, _] = cells[..] else {
            continue;
        };
        let code = |s: &str| s.trim_matches('`').to_string();
        if id.starts_with("T-") || id.starts_with('F') {
            rows.push(Row {
                id: id.to_string(),
                switch: code(switch),
                test: code(test),
                fault: code(fault),
                state: state.to_string(),
            });
        }
    }
    rows
}

fn every_rule_has_a_row(rows: &[Row], _: &Bench) -> Result<(), Failed> {
    let mut want: BTreeSet<String> = (1..=72)
        .filter(|&n| n != 70)
        .map(|n| format!("T-{n}"))
        .collect();
    want.extend(LETTERS.iter().map(|l| format!("T-{l}")));
    want.extend((1..=23).map(|n| format!("F{n}")));
    let have: BTreeSet<String> = rows.iter().map(|r| r.id.clone()).collect();
    same("rules", &want, &have)
}

/// The column Switch and the command line's list, in both directions.
fn switches(rows: &[Row], _: &Bench) -> Result<(), Failed> {
    let mut command = support::gosched();
    let ran = support::run(
        command.args(["--without=?", "x.go"]),
        b"",
        Duration::from_secs(30),
    );
    let listed = ran
        .stderr
        .split_once("Type one of ")
        .ok_or_else(|| format!("no list of mechanisms in {:?}", ran.stderr))?
        .1;
    let cli: Vec<String> = listed
        .trim()
        .trim_end_matches('.')
        .split(", ")
        .map(str::to_string)
        .collect();
    let mut column: Vec<String> = Vec::new();
    for row in rows.iter().filter(|r| r.id.starts_with('F')) {
        let n: usize = row.id[1..].parse()?;
        if cli.get(n - 1) != Some(&row.switch) {
            return Err(format!("{}: switch {:?}", row.id, row.switch).into());
        }
        column.push(row.switch.clone());
    }
    same(
        "switches",
        &cli.into_iter().collect(),
        &column.into_iter().collect(),
    )
}

fn rows_are_whole(rows: &[Row], _: &Bench) -> Result<(), Failed> {
    let faults: BTreeSet<&str> = gosched_runtime::faults::ALL
        .iter()
        .map(|f| f.1)
        .chain(gosched_runtime::switches::ALL.iter().map(|m| m.1))
        .collect();
    let mut wrong = String::new();
    let mut used = BTreeSet::new();
    let mut seen = BTreeSet::new();
    for r in rows {
        let is_proved = !r.test.is_empty() && !r.fault.is_empty();
        match r.state.as_str() {
            "proved" if is_proved => {}
            s if s.strip_prefix("open: ").is_some_and(|s| OPEN.contains(&s)) && !is_proved => {}
            s => writeln!(wrong, "{} {}: state {s:?}", r.id, r.test)?,
        }
        if !seen.insert((&r.id, &r.test, &r.fault, &r.state)) {
            writeln!(wrong, "{} {}: twice", r.id, r.test)?;
        }
        for f in r.fault.split(',').filter(|f| !f.is_empty()) {
            used.insert(f);
            if !faults.contains(f) {
                writeln!(wrong, "{} {}: unknown fault {f:?}", r.id, r.test)?;
            }
        }
    }
    for (_, name) in gosched_runtime::faults::ALL {
        if (*name == PLACEBO) == used.contains(name) {
            writeln!(wrong, "fault {name} proves nothing")?;
        }
    }
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(wrong.into())
    }
}

/// Tests of the table exist, and tests named for an id are in the table.
fn every_test_has_a_row(rows: &[Row], bench: &Bench) -> Result<(), Failed> {
    let mut have = BTreeSet::new();
    for binary in bench.binaries.keys() {
        // Behind the name of one whose oracle is not there stands why it is passed over.
        let name = |t: String| t.split(" (").next().unwrap_or_default().to_string();
        have.extend(bench.tests(binary, false).into_iter().map(name));
    }
    // The models are built otherwise: their names stand in the sources.
    let model = Regex::new(r"fn ((loom|shuttle)_\w+)\(").unwrap();
    let mut models = BTreeSet::new();
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("runtime/src/tests");
    for file in support::files(&runtime, "rs") {
        for c in model.captures_iter(&std::fs::read_to_string(file)?) {
            models.insert(format!("{}::{}", &c[2], &c[1]));
        }
    }
    let named = Regex::new(r"^(?:[tf]\d+[a-z]?)_").unwrap();
    let in_table: BTreeSet<String> = rows.iter().map(|r| r.test.clone()).collect();
    let mut wrong = String::new();
    for test in in_table.iter().filter(|t| !t.is_empty()) {
        if !have.contains(test) && !models.contains(test) {
            writeln!(wrong, "in the table but not a test: {test}")?;
        }
    }
    for test in have.iter().chain(&models) {
        let last = test.rsplit(['/', ':']).next().unwrap();
        if named.is_match(last) && !in_table.contains(test) {
            writeln!(wrong, "a test but not in the table: {test}")?;
        }
    }
    for r in rows.iter().filter(|r| !r.test.is_empty()) {
        let last = r.test.rsplit(['/', ':']).next().unwrap();
        let id = r.id.replace('-', "").to_lowercase();
        if named.is_match(last) && !is_for(last, &id, rows) {
            writeln!(wrong, "{}: {} bears another id", r.id, r.test)?;
        }
    }
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(wrong.into())
    }
}

/// Does a test of that name bear the id?
/// A rule may lean on another's test if that has a row of its own.
fn is_for(last: &str, id: &str, rows: &[Row]) -> bool {
    let own = last.split('_').next().unwrap();
    own == id
        || rows
            .iter()
            .any(|r| r.id.replace('-', "").to_lowercase() == own && r.test.ends_with(last))
}

fn same(what: &str, want: &BTreeSet<String>, have: &BTreeSet<String>) -> Result<(), Failed> {
    if want == have {
        return Ok(());
    }
    let missing: Vec<_> = want.difference(have).collect();
    let surplus: Vec<_> = have.difference(want).collect();
    Err(format!("{what}: missing {missing:?}, not known {surplus:?}").into())
}

/// What proofs are done with.
struct Bench {
    /// The test executables of the table, but for the models, by name.
    binaries: BTreeMap<String, PathBuf>,
    /// Those of the models, which are built when the first is needed.
    models: OnceLock<BTreeMap<String, PathBuf>>,
    /// The tests that `cargo test` passes over, because they measure a delay.
    delays: BTreeSet<String>,
    /// Tests of delays run alone, the others side by side.
    alone: RwLock<()>,
    /// By test: how often it has passed under the placebo; or how it failed.
    placebos: Mutex<BTreeMap<String, Arc<Mutex<Passed>>>>,
}

type Passed = Result<usize, String>;

impl Bench {
    fn new(rows: &[Row]) -> Bench {
        // As `cargo test --workspace` has built them;
        // and the other tests of the root package are none of ours.
        let mut binaries = build(&["test", "--workspace"]);
        let named: BTreeSet<&str> = rows.iter().map(|r| binary(&r.test)).collect();
        binaries.retain(|name, _| {
            let root = tests_dir().join(format!("{name}.rs"));
            *name == "lib" || !root.exists() || named.contains(name.as_str())
        });
        let mut bench = Bench {
            binaries,
            models: OnceLock::new(),
            delays: BTreeSet::new(),
            alone: RwLock::new(()),
            placebos: Mutex::default(),
        };
        let ignored = bench.binaries.keys().flat_map(|b| bench.tests(b, true));
        // Names with blanks tell why a test cannot be run here.
        let is_delay = |t: &String| !t.contains(' ') && !CALLED_BY_NAME.contains(&t.as_str());
        bench.delays = ignored.filter(is_delay).collect();
        bench
    }

    /// The tests of a binary as the table names them; all, or those which are ignored.
    fn tests(&self, binary: &str, ignored: bool) -> BTreeSet<String> {
        let mut command = Command::new(&self.binaries[binary]);
        command.args(["--list", "--format", "terse"]);
        command.args(ignored.then_some("--ignored"));
        let ran = support::run(&mut command, b"", Duration::from_secs(60));
        let names = ran.stdout.lines().filter_map(|l| l.strip_suffix(": test"));
        names.map(|name| format!("{binary}::{name}")).collect()
    }

    /// The models' executables, built with nothing beside it.
    fn models(&self) -> &BTreeMap<String, PathBuf> {
        let _alone = self.alone.write();
        self.models.get_or_init(|| {
            let mut all = build(&["loom"]);
            all.extend(build(&["shuttle"]));
            all
        })
    }

    /// Runs the row's test under its fault, where it must fail, and under the placebo, where it
    /// must pass as often as it was tried.
    fn prove(&self, row: &Row) -> Result<Seen, Failed> {
        for tries in 1..=TRIES {
            let ran = self.run(&row.test, &row.fault)?;
            if ran.end != End::Exit(0) {
                self.passes(&row.test, tries)?;
                return Ok(Seen {
                    end: Ending::of(row, &ran),
                    tries,
                });
            }
        }
        Err(format!("passes {TRIES} times under the fault {}", row.fault).into())
    }

    /// The test passes so many times under the placebo.
    fn passes(&self, test: &str, times: usize) -> Result<(), Failed> {
        let known = self
            .placebos
            .lock()
            .unwrap()
            .entry(test.to_string())
            .or_insert(Arc::new(Mutex::new(Ok(0))))
            .clone();
        let mut known = known.lock().unwrap();
        while let Ok(n) = *known
            && n < times
        {
            let ran = self.run(test, PLACEBO)?;
            *known = match ran.end {
                End::Exit(0) => Ok(n + 1),
                end => Err(format!(
                    "fails under the fault {PLACEBO}, which breaks nothing, and so proves nothing: \
                     {end:?}\n{}",
                    tail(&ran)
                )),
            };
        }
        match &*known {
            Ok(_) => Ok(()),
            Err(how) => Err(how.into()),
        }
    }

    /// Runs a test of the table under a fault.
    fn run(&self, test: &str, fault: &str) -> Result<Ran, Failed> {
        let (name, limit) = (
            test.split_once("::").map_or("", |t| t.1),
            if is_model(test) { MODEL_LIMIT } else { LIMIT },
        );
        let all = if is_model(test) {
            self.models()
        } else {
            &self.binaries
        };
        let exe = all
            .get(binary(test))
            .ok_or_else(|| format!("no test binary for {test}"))?;
        let mut command = Command::new(exe);
        // The names of models stand in the table without their module.
        command.args((!is_model(test)).then_some("--exact"));
        command.args([name, "--include-ignored", "--test-threads=1"]);
        command.env("GOSCHED_FAULT", fault);
        // What is done under a fault is not counted for the suite.
        command.env_remove("GOSCHED_EDGES");
        let (_shared, _alone);
        if self.delays.contains(test) {
            _alone = self.alone.write();
        } else {
            _shared = self.alone.read();
        }
        let ran = support::run(&mut command, b"", limit);
        if ran.stderr.contains("GOSCHED_FAULT: unknown") {
            return Err(ran.stderr.into());
        }
        if ran.end == End::Exit(0) && ran.stdout.contains("running 0 tests") {
            return Err(format!("no test is called {test}").into());
        }
        Ok(ran)
    }
}

/// Builds tests unless they are up to date: `test` and its words, or `loom` or `shuttle`, which are
/// aliases. Their executables by the name that the table has for them.
fn build(args: &[&str]) -> BTreeMap<String, PathBuf> {
    let out = Command::new(env!("CARGO"))
        .args(args)
        .args(["--no-run", "--message-format=json"])
        .args((!cfg!(debug_assertions)).then_some("--release"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(
        out.status.success(),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
    let artifact =
        Regex::new(r#""target":\{"kind":\["(\w+)"\].*?"name":"([^"]+)".*"executable":"([^"]+)""#)
            .unwrap();
    let mut found = BTreeMap::new();
    for line in String::from_utf8_lossy(&out.stdout).lines() {
        let Some(c) = artifact.captures(line) else {
            continue;
        };
        let name = match (&c[1], &c[2]) {
            ("test", name) => name,
            ("lib", "gosched_runtime") if args[0] == "test" => "lib",
            ("lib", "gosched_runtime") => args[0],
            _ => continue,
        };
        // Of two with one name, in whatever order they are built, the runtime's is in the table.
        let is_runtimes = line.contains("/runtime/Cargo.toml\"");
        if is_runtimes || !found.contains_key(name) {
            found.insert(name.to_string(), PathBuf::from(&c[3]));
        }
    }
    found
}

/// Runs a program with `--sched-log`; how it ended, and the file.
fn logged(program: &Path) -> Result<(Ran, String), Failed> {
    let name = program.file_stem().unwrap().display();
    let file = std::env::temp_dir().join(format!("gosched-{}-{name}.log", std::process::id()));
    let mut command = support::gosched();
    command
        .env("GOMAXPROCS", "4")
        .arg("--sched-log")
        .args([&file, program]);
    let ran = support::run(&mut command, b"", Duration::from_secs(60));
    let text = std::fs::read_to_string(&file)?;
    std::fs::remove_file(&file)?;
    Ok((ran, text))
}

/// The file of `--sched-log`: the header, lines without a gap, starts of what was ready, and
/// changes of status by the tables.
fn log_lines(_: &[Row], _: &Bench) -> Result<(), Failed> {
    let (ran, text) = logged(&tests_dir().join("sched/log_workload.go"))?;
    if ran.end != End::Exit(0) {
        return Err(tail(&ran).into());
    }
    let mut lines = text.lines();
    let head = lines.next().unwrap_or("");
    if !head.starts_with("{\"schema\":\"gosched-sched-log\",\"version\":3,") {
        return Err(format!("first line {head:?}").into());
    }
    let line = Regex::new(
        r#"(?x)
        ^\{"seq":(\d+),"ns":(\d+),"m":(-?\d+),"p":(-?\d+),"g":(\d+),"ev":"([a-z-]+)"
        ((?:,"\w+":(?:-?\d+|true|false|"[^"]*"|\[[^\]]*\]))*)\}$"#,
    )?;
    let text_of = |rest: &str, name: &str| -> String {
        let (_, after) = rest.split_once(&format!("\"{name}\":")).unwrap_or(("", ""));
        after
            .split(',')
            .next()
            .unwrap_or("")
            .trim_matches('"')
            .to_string()
    };
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (i, l) in lines.enumerate() {
        let c = line.captures(l).ok_or_else(|| format!("line {i}: {l}"))?;
        if c[1] != i.to_string() {
            return Err(format!("line {i} has seq {}", &c[1]).into());
        }
        *counts.entry(c[6].to_string()).or_default() += 1;
        if &c[6] == "start" {
            *counts
                .entry(format!("start {}", text_of(&c[7], "why")))
                .or_default() += 1;
        }
        let (from, to) = (text_of(&c[7], "from"), text_of(&c[7], "to"));
        let legal = match &c[6] {
            "g-status" => gosched_runtime::edges::G_EDGES.iter().any(|e| {
                (e.0.name(), e.1.name(), (e.2 as u32).to_string())
                    == (from.as_str(), to.as_str(), text_of(&c[7], "scan"))
            }),
            "p-status" => gosched_runtime::edges::P_EDGES
                .iter()
                .any(|e| (e.0.name(), e.1.name()) == (from.as_str(), to.as_str())),
            _ => true,
        };
        if !legal {
            return Err(format!("not in the table: {l}").into());
        }
    }
    let want = [
        "create",
        "end",
        "park",
        "ready",
        "yield",
        "syscall",
        "syscall-end",
        "spin",
        "spin-start",
        "spin-end",
        "thread",
        "m-start",
        "m-stop",
        "m-wake",
        "world-stop",
        "world-start",
        "start runnext",
        "start local",
        "start global",
        "queued",
        "fetched",
        "timers",
        "log-end",
    ];
    for w in want {
        if !counts.contains_key(w) {
            return Err(format!("no {w:?} among {counts:?}").into());
        }
    }
    Ok(())
}

/// Whatever ends the program, the log is whole up to there.
fn log_ends(_: &[Row], _: &Bench) -> Result<(), Failed> {
    for (program, code) in [
        ("sched/t13_exit_ends_at_once", 3),
        ("corpus/panic/t59_repanicked", 2),
        ("corpus/panic/t59_nil_dereference", 2),
        ("corpus/panic/t63_unlock_of_unlocked_mutex", 2),
        ("corpus/panic/t63_too_many_threads", 2),
        ("corpus/panic/deadlock_chan", 2),
        ("corpus/panic/fault_in_goroutine", 2),
    ] {
        let (ran, text) = logged(&tests_dir().join(program).with_extension("go"))?;
        if ran.end != End::Exit(code) {
            return Err(format!("{program}: {:?}\n{}", ran.end, tail(&ran)).into());
        }
        let lines = text.lines().count().max(2);
        let starts = text.matches("\"ev\":\"start\"").count();
        let end = format!(",\"records\":{},\"lost\":0}}\n", lines - 2);
        if !text.ends_with(&end) || lines < 20 || starts == 0 {
            return Err(format!("{program}: {lines} lines, {starts} starts").into());
        }
        for (i, line) in text.lines().skip(1).enumerate() {
            if !line.starts_with(&format!("{{\"seq\":{i},")) || !line.ends_with('}') {
                return Err(format!("{program}: line {i} is {line}").into());
            }
        }
    }
    Ok(())
}

/// Nothing runs if there is no file to write, or nothing to write of.
fn log_refused(_: &[Row], _: &Bench) -> Result<(), Failed> {
    let hello = tests_dir().join("../examples/hello.go");
    for (words, want) in [
        (["--sched-log=/no/such/folder/log", "run"], "no/such/folder"),
        (["--sched-log=/dev/full", "run"], "/dev/full: "),
        (["check", "--sched-log=/dev/null"], "check has no flag"),
        (["--sched-log=/dev/null", "disasm"], "disasm has no flag"),
    ] {
        let mut command = support::gosched();
        let command = command.args(words).arg(&hello);
        let ran = support::run(command, b"", Duration::from_secs(60));
        if ran.end != End::Exit(2) || !ran.stdout.is_empty() || !ran.stderr.contains(want) {
            return Err(format!("{words:?}: {:?}\n{}", ran.end, tail(&ran)).into());
        }
    }
    Ok(())
}

/// How a row was proved.
#[derive(Clone, Copy)]
struct Seen {
    end: Ending,
    /// The runs under the fault, of which the last failed;
    /// and those under the placebo, which passed.
    tries: usize,
}

impl Seen {
    /// The last two cells of its row in `proof.md`.
    fn words(self) -> String {
        let end = self.end.words();
        match self.tries {
            1 => format!("passes | {end}"),
            n => format!("passes {n} times | {end}, time {n}"),
        }
    }
}

/// How a test failed under its fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ending {
    /// It found that something is not as it should be.
    Assertion,
    /// The runtime itself died of it.
    FatalError,
    /// It did not end in time.
    NoEnd,
}

impl Ending {
    fn of(row: &Row, ran: &Ran) -> Ending {
        let text = format!("{}\n{}", ran.stdout, ran.stderr);
        // A test's child that is too slow is ended by timeout(1).
        let is_late = ["exit status: 124", "ended with Timeout"];
        if ran.end == End::Timeout || is_late.iter().any(|t| text.contains(t)) {
            return Ending::NoEnd;
        }
        // Tests of the root package look at what a program printed; an assertion in a child is a
        // fatal error that names a test's file.
        let is_root = tests_dir()
            .join(format!("{}.rs", binary(&row.test)))
            .exists();
        let asserted = Regex::new(r"\(\S*tests\S*\.rs:\d+(:\d+)?\)").unwrap();
        if is_root || !text.contains("fatal error: ") || asserted.is_match(&text) {
            Ending::Assertion
        } else {
            Ending::FatalError
        }
    }
    fn words(self) -> &'static str {
        match self {
            Ending::Assertion => "an assertion fails",
            Ending::FatalError => "a fatal error",
            Ending::NoEnd => "no end",
        }
    }
}

fn tail(ran: &Ran) -> String {
    let all = format!("{}\n{}", ran.stdout, ran.stderr);
    let lines: Vec<&str> = all.lines().collect();
    lines[lines.len().saturating_sub(40)..].join("\n")
}

fn proof_file() -> PathBuf {
    tests_dir().join("sched/proof.md")
}

/// The rows of `proof.md`: their first cells, and what was seen, which is two.
fn recorded() -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(proof_file()).unwrap_or_default();
    let mut rows = BTreeMap::new();
    for line in text.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        if let [_, id, test, fault, placebo, seen, _] = cells[..] {
            let head = format!("| {id} | {test} | {fault} |");
            rows.insert(head, format!("{placebo} | {seen}"));
        }
    }
    rows
}

fn proof_is_up_to_date(rows: &[Row], _: &Bench) -> Result<(), Failed> {
    let have = std::fs::read_to_string(proof_file()).unwrap_or_default();
    let proved = rows.iter().filter(|r| r.state == "proved");
    let want = proved.map(Row::head).collect();
    let listed = recorded().into_keys().filter(|k| k.contains('`')).collect();
    same("rows of proof.md", &want, &listed)?;
    match support::difference(&have, &proof(rows, &BTreeMap::new(), &recorded())) {
        None => Ok(()),
        Some(d) => Err(format!("UPDATE_EXPECT=1 cargo proof\n{d}").into()),
    }
}

/// The table of what was seen to pass, and to fail; of what was not run now, what was seen before.
fn proof(rows: &[Row], seen: &BTreeMap<String, Seen>, before: &BTreeMap<String, String>) -> String {
    let mut out = String::from(
        "# What was seen to fail\n\n\
         Made from rules.md by `UPDATE_EXPECT=1 cargo proof`, which runs each test under its \
         fault, and under a fault that breaks nothing.\n\n\
         | Id | Test | Fault | Under the placebo | Under the fault |\n|---|---|---|---|---|\n",
    );
    for r in rows.iter().filter(|r| r.state == "proved") {
        let head = r.head();
        let now = seen.get(&head).map(|s| s.words());
        if let Some(how) = now.or(before.get(&head).cloned()) {
            let _ = writeln!(out, "{head} {how} |");
        }
    }
    out
}
