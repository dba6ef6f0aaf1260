//! Holds `tests/sched/rules.md`, the table of the scheduler's rules, against the tests that exist, and proves each row: its
//! test must fail under its fault.
//!
//! `cargo test --test proof` checks the table and runs every test under its fault, each in a process of its own; a test that has
//! not ended after [`LIMIT`] counts as failing. `UPDATE_EXPECT=1` runs each test without its fault too, demands that it passes
//! then, and writes into `tests/sched/proof.md` what was seen; a row that was not run keeps what was seen of it before.
//! Otherwise that file must list the proved rows, and no others. `GOSCHED_PROOF=models` takes in the models of loom and shuttle,
//! which are built for it. Builds without faults (release) check the table only.

mod support;

use libtest_mimic::{Arguments, Failed, Trial};
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, RwLock};
use std::time::Duration;
use support::{End, Ran, tests_dir};

/// How long a test may take under its fault.
const LIMIT: Duration = Duration::from_secs(45);

/// Ids of the rules: numbers 1 to 71 without 70, and those with letters.
const LETTERS: &[&str] = &[
    "10b", "16b", "18b", "19b", "20b", "25b", "25c", "26b", "26c", "26d", "27b", "30b", "30c",
    "31b", "32b", "33b", "33c", "33d", "33e", "34b", "34c", "35b", "35c", "36b", "36c", "36d",
    "40b", "49b", "49c", "55b",
];

/// What may be open: mechanisms that are not built.
const OPEN: &[&str] = &["concurrent collector", "diagnostics", "execution trace"];

/// One row of the table.
#[derive(Clone, Debug)]
struct Row {
    id: String,
    switch: String,
    limits: String,
    test: String,
    fault: String,
    state: String,
}

impl Row {
    fn binary(&self) -> &str {
        self.test.split_once("::").map_or("", |t| t.0)
    }
    fn name(&self) -> &str {
        self.test.split_once("::").map_or("", |t| t.1)
    }
    fn is_model(&self) -> bool {
        matches!(self.binary(), "loom" | "shuttle")
    }
    /// The row of `proof.md` without what was seen: its first cells.
    fn head(&self) -> String {
        format!("| {} | `{}` | `{}` |", self.id, self.test, self.fault)
    }
}

/// A test of the table itself, given its rows and the test binaries by name.
type Check = fn(&[Row], &BTreeMap<String, PathBuf>) -> Result<(), Failed>;

fn main() {
    let args = Arguments::from_args();
    let table = std::fs::read_to_string(tests_dir().join("sched/rules.md")).unwrap();
    let rows = Arc::new(parse(&table));
    let updating = std::env::var_os("UPDATE_EXPECT").is_some();
    let models = std::env::var("GOSCHED_PROOF").as_deref() == Ok("models");
    let binaries = Arc::new(if args.list {
        BTreeMap::new()
    } else {
        binaries(&rows, models)
    });

    let mut trials = Vec::new();
    let mut check = |name: &str, f: Check| {
        let (rows, binaries) = (rows.clone(), binaries.clone());
        trials.push(Trial::test(name, move || f(&rows, &binaries)));
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
    // Tests of delays run alone, the others side by side.
    let alone = Arc::new(RwLock::new(()));
    let seen: Arc<Mutex<BTreeMap<String, Seen>>> = Arc::default();
    for row in rows.iter().filter(|r| r.state == "proved") {
        let name = format!("{}/{}/{}", row.id, row.test, row.fault);
        let (r, binaries) = (row.clone(), binaries.clone());
        let (alone, seen) = (alone.clone(), seen.clone());
        let skipped = !cfg!(debug_assertions) || (r.is_model() && !models);
        trials.push(
            Trial::test(name, move || {
                let how = prove(&r, &binaries, updating, &alone)?;
                seen.lock().unwrap().insert(r.head(), how);
                Ok(())
            })
            .with_ignored_flag(skipped),
        );
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
        let [_, id, _, switch, limits, test, fault, state, _] = cells[..] else {
            continue;
        };
        let code = |s: &str| s.trim_matches('`').to_string();
        if id.starts_with("T-") || id.starts_with('F') {
            rows.push(Row {
                id: id.to_string(),
                switch: code(switch),
                limits: limits.to_string(),
                test: code(test),
                fault: code(fault),
                state: state.to_string(),
            });
        }
    }
    rows
}

fn every_rule_has_a_row(rows: &[Row], _: &BTreeMap<String, PathBuf>) -> Result<(), Failed> {
    let mut want: BTreeSet<String> = (1..=71)
        .filter(|&n| n != 70)
        .map(|n| format!("T-{n}"))
        .collect();
    want.extend(LETTERS.iter().map(|l| format!("T-{l}")));
    want.extend((1..=23).map(|n| format!("F{n}")));
    let have: BTreeSet<String> = rows.iter().map(|r| r.id.clone()).collect();
    same("rules", &want, &have)
}

/// The column Switch and the command line's list, in both directions.
fn switches(rows: &[Row], _: &BTreeMap<String, PathBuf>) -> Result<(), Failed> {
    let mut command = support::gosched();
    let ran = support::run(
        command.args(["--without=?", "x.go"]),
        b"",
        Duration::from_secs(30),
    );
    let listed = ran
        .stderr
        .split_once("the mechanisms are ")
        .ok_or_else(|| format!("no list of mechanisms in {:?}", ran.stderr))?
        .1;
    let cli: Vec<String> = listed.trim().split(", ").map(str::to_string).collect();
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

fn rows_are_whole(rows: &[Row], _: &BTreeMap<String, PathBuf>) -> Result<(), Failed> {
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
        if !used.contains(name) {
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
fn every_test_has_a_row(rows: &[Row], binaries: &BTreeMap<String, PathBuf>) -> Result<(), Failed> {
    let mut have = BTreeSet::new();
    // Binaries of models hold the unit tests besides, which their own binary lists.
    let is_model = |name: &str| matches!(name, "loom" | "shuttle");
    for (binary, exe) in binaries.iter().filter(|b| !is_model(b.0)) {
        let ran = support::run(
            Command::new(exe).args(["--list", "--format", "terse"]),
            b"",
            Duration::from_secs(60),
        );
        for line in ran.stdout.lines() {
            if let Some(name) = line.strip_suffix(": test") {
                have.insert(format!("{binary}::{name}"));
            }
        }
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

/// Does a test of that name bear the id? A rule may lean on another's test if that has a row of its own.
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

/// The test executables that the table needs, by name; built if they are not up to date.
fn binaries(rows: &[Row], models: bool) -> BTreeMap<String, PathBuf> {
    let mut found = BTreeMap::new();
    let mut build = |args: &[&str]| {
        // `loom` and `shuttle` are aliases for their own ways of `test`.
        let model = matches!(args[0], "loom" | "shuttle").then_some(args[0]);
        let out = Command::new(env!("CARGO"))
            .args(model.is_none().then_some("test"))
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
        let artifact = Regex::new(
            r#""target":\{"kind":\["(\w+)"\].*?"name":"([^"]+)".*"executable":"([^"]+)""#,
        )
        .unwrap();
        for line in String::from_utf8_lossy(&out.stdout).lines() {
            if let Some(c) = artifact.captures(line) {
                let name = if &c[1] == "lib" {
                    model.unwrap_or("lib")
                } else {
                    &c[2]
                };
                if &c[1] != "bin" {
                    found.insert(name.to_string(), PathBuf::from(&c[3]));
                }
            }
        }
    };
    build(&["-p", "gosched-runtime", "--lib", "--tests"]);
    build(&["-p", "gosched", "--test", "corpus"]);
    if models {
        build(&["loom"]);
        build(&["shuttle"]);
    }
    let named: BTreeSet<&str> = rows
        .iter()
        .filter(|r| !r.test.is_empty() && !r.is_model())
        .map(Row::binary)
        .collect();
    for name in named {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/{name}.rs"));
        if name != "corpus" && root.exists() {
            build(&["-p", "gosched", "--test", name]);
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

/// The file of `--sched-log`: the header, lines without a gap, starts of what was ready, and changes of status by the tables.
fn log_lines(_: &[Row], _: &BTreeMap<String, PathBuf>) -> Result<(), Failed> {
    let (ran, text) = logged(&tests_dir().join("sched/log_workload.go"))?;
    if ran.end != End::Exit(0) {
        return Err(tail(&ran).into());
    }
    let mut lines = text.lines();
    let head = lines.next().unwrap_or("");
    if !head.starts_with("{\"schema\":\"gosched-sched-log\",\"version\":1,") {
        return Err(format!("first line {head:?}").into());
    }
    let line = Regex::new(
        r#"^\{"seq":(\d+),"ns":(\d+),"m":(-?\d+),"p":(-?\d+),"g":(\d+),"ev":"([a-z-]+)"((?:,"\w+":(?:-?\d+|true|false|"[^"]*"))*)\}$"#,
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
    ];
    for w in want {
        if !counts.contains_key(w) {
            return Err(format!("no {w:?} among {counts:?}").into());
        }
    }
    Ok(())
}

/// Whatever ends the program, the log is whole up to there.
fn log_ends(_: &[Row], _: &BTreeMap<String, PathBuf>) -> Result<(), Failed> {
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
        let lines = text.lines().count();
        let starts = text.matches("\"ev\":\"start\"").count();
        if !text.ends_with("}\n") || lines < 20 || starts == 0 || text.contains("\"lost\"") {
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
fn log_refused(_: &[Row], _: &BTreeMap<String, PathBuf>) -> Result<(), Failed> {
    let hello = tests_dir().join("../examples/hello.go");
    for (words, want) in [
        (["--sched-log=/no/such/folder/log", "run"], "no/such/folder"),
        (["--sched-log=/dev/full", "run"], "/dev/full: "),
        (["check", "--sched-log=/dev/null"], "check runs nothing"),
        (["--sched-log=/dev/null", "disasm"], "disasm runs nothing"),
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

/// How a test failed under its fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Seen {
    /// It found that something is not as it should be.
    Assertion,
    /// The runtime itself died of it.
    FatalError,
    /// It did not end in time.
    NoEnd,
}

impl Seen {
    fn of(row: &Row, ran: &Ran) -> Seen {
        let text = format!("{}\n{}", ran.stdout, ran.stderr);
        // A test's child that is too slow is ended by timeout(1).
        let is_late = ["exit status: 124", "ended with Timeout"];
        if ran.end == End::Timeout || is_late.iter().any(|t| text.contains(t)) {
            return Seen::NoEnd;
        }
        // Tests of the root package look at what a program printed; an assertion in a child is a fatal error that names a test's file.
        let is_root = tests_dir().join(format!("{}.rs", row.binary())).exists();
        let asserted = Regex::new(r"\(\S*tests\S*\.rs:\d+:\d+\)").unwrap();
        if is_root || !text.contains("fatal error: ") || asserted.is_match(&text) {
            Seen::Assertion
        } else {
            Seen::FatalError
        }
    }
    fn words(self) -> &'static str {
        match self {
            Seen::Assertion => "an assertion fails",
            Seen::FatalError => "a fatal error",
            Seen::NoEnd => "no end",
        }
    }
}

/// Runs the row's test under its fault: it must fail. With `both`, without the fault it must pass.
fn prove(
    row: &Row,
    binaries: &BTreeMap<String, PathBuf>,
    both: bool,
    alone: &RwLock<()>,
) -> Result<Seen, Failed> {
    if both {
        let is_delay = row.limits.contains("ms");
        let (_shared, _own);
        if is_delay {
            _own = alone.write();
        } else {
            _shared = alone.read();
        }
        let ran = run(row, binaries, None)?;
        if ran.end != End::Exit(0) {
            return Err(format!("fails without any fault: {:?}\n{}", ran.end, tail(&ran)).into());
        }
    }
    let _shared = alone.read();
    // What a fault does can depend on who comes first: it has three chances to be seen.
    for _ in 0..3 {
        let ran = run(row, binaries, Some(&row.fault))?;
        if ran.stderr.contains("GOSCHED_FAULT: unknown") {
            return Err(ran.stderr.into());
        }
        if ran.end != End::Exit(0) {
            return Ok(Seen::of(row, &ran));
        }
    }
    Err(format!("passes three times under the fault {}", row.fault).into())
}

fn tail(ran: &Ran) -> String {
    let all = format!("{}\n{}", ran.stdout, ran.stderr);
    let lines: Vec<&str> = all.lines().collect();
    lines[lines.len().saturating_sub(40)..].join("\n")
}

fn run(
    row: &Row,
    binaries: &BTreeMap<String, PathBuf>,
    fault: Option<&str>,
) -> Result<Ran, Failed> {
    let exe = binaries
        .get(row.binary())
        .ok_or_else(|| format!("no test binary {:?}", row.binary()))?;
    let mut command = Command::new(exe);
    // The names of models stand in the table without their module.
    command.args((!row.is_model()).then_some("--exact"));
    command.args([row.name(), "--test-threads=1"]);
    command.env_remove("GOSCHED_FAULT");
    // What is done under a fault is not counted for the suite.
    command.env_remove("GOSCHED_EDGES");
    if let Some(fault) = fault {
        // A hang is a failure too, and need not be waited for long.
        command.env("GOSCHED_FAULT", fault).env("RT_LIMIT", "8");
    }
    let limit = if row.is_model() {
        Duration::from_secs(600)
    } else if fault.is_none() {
        LIMIT * 8
    } else {
        LIMIT
    };
    let ran = support::run(&mut command, b"", limit);
    if ran.end == End::Exit(0) && ran.stdout.contains("running 0 tests") {
        return Err(format!("no test is called {}", row.test).into());
    }
    Ok(ran)
}

fn proof_file() -> PathBuf {
    tests_dir().join("sched/proof.md")
}

/// The rows of `proof.md`: their first cells, and what was seen.
fn recorded() -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(proof_file()).unwrap_or_default();
    let mut rows = BTreeMap::new();
    for line in text.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        if let [_, id, test, fault, _, seen, _] = cells[..] {
            rows.insert(format!("| {id} | {test} | {fault} |"), seen.to_string());
        }
    }
    rows
}

fn proof_is_up_to_date(rows: &[Row], _: &BTreeMap<String, PathBuf>) -> Result<(), Failed> {
    let have = std::fs::read_to_string(proof_file()).unwrap_or_default();
    let proved = rows.iter().filter(|r| r.state == "proved");
    let want = proved.map(Row::head).collect();
    let listed = recorded().into_keys().filter(|k| k.contains('`')).collect();
    same("rows of proof.md", &want, &listed)?;
    match support::difference(&have, &proof(rows, &BTreeMap::new(), &recorded())) {
        None => Ok(()),
        Some(d) => Err(format!("UPDATE_EXPECT=1 cargo test --test proof\n{d}").into()),
    }
}

/// The table of what was seen to pass, and to fail; of what was not run now, what was seen before.
fn proof(rows: &[Row], seen: &BTreeMap<String, Seen>, before: &BTreeMap<String, String>) -> String {
    let mut out = String::from(
        "# What was seen to fail\n\nMade from rules.md by `UPDATE_EXPECT=1 cargo test --test proof`, which runs each test without its fault and under it.\n\n\
         | Id | Test | Fault | Result | Under the fault |\n|---|---|---|---|---|\n",
    );
    for r in rows.iter().filter(|r| r.state == "proved") {
        let head = r.head();
        let now = seen.get(&head).map(|s| s.words());
        if let Some(how) = now.or(before.get(&head).map(String::as_str)) {
            let _ = writeln!(out, "{head} passes | {how} |");
        }
    }
    out
}
