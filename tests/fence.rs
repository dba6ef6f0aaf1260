//! Natives that take long, wait or recurse, stacks that end, stacks that shall not shrink: Go
//! programs below `tests/fence`.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;
use support::{End, Ran, gosched, run, tests_dir};
use vm::native::Kind;

const LONG: Duration = Duration::from_secs(600);

fn program(name: &str) -> PathBuf {
    tests_dir().join("fence").join(name)
}

fn go(name: &str, args: &[&str], env: &[(&str, &str)]) -> Ran {
    let mut command = gosched();
    command.arg(program(name)).args(args);
    command.env_remove("RUST_BACKTRACE");
    for (k, v) in env {
        command.env(k, v);
    }
    run(&mut command, b"", LONG)
}

// ---- GODEBUG

/// The program whose stack shrinks keeps it when told so.
#[test]
fn t66_gcshrinkstackoff_keeps_stacks() {
    let shrinks = PathBuf::from("../sched/t41_stacks_shrink.go");
    let env = [("GOMAXPROCS", "2"), ("GODEBUG", "gcshrinkstackoff=1")];
    let ran = go(shrinks.to_str().unwrap(), &[], &env);
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    assert!(ran.stdout.starts_with("grown: true\n"), "{}", ran.stdout);
    assert!(
        ran.stdout.ends_with("small again: false\n"),
        "{}",
        ran.stdout
    );
}

/// With `invalidptr=0` the checks that end programs for their bad pointers let them pass.
#[test]
fn t66_invalidptr_passes_over_bad_pointers() {
    for name in [
        "t63_bad_pointer_in_an_object",
        "t63_bad_pointer_in_a_variable",
        "t40_small_number_in_a_pointer",
    ] {
        let path = format!("../corpus/panic/{name}.go");
        let ran = go(&path, &[], &[("GODEBUG", "invalidptr=0")]);
        assert_eq!(ran.end, End::Exit(0), "{name}: {}", ran.stderr);
        assert!(ran.stderr.contains("goes on"), "{name}: {}", ran.stderr);
    }
}

/// With `tracebackancestors=N` a traceback tells where the `N` goroutines stood that a goroutine
/// comes from; without it tells only which has started it. Names and lines are real Go's.
#[test]
fn t66_tracebackancestors_tells_where_goroutines_come_from() {
    let told = |n: u32| {
        let debug = format!("tracebackancestors={n}");
        let ran = go("ancestors.go", &[], &[("GODEBUG", &debug)]);
        assert_eq!(ran.end, End::Exit(2), "{}", ran.stderr);
        let lines = ran
            .stderr
            .lines()
            .skip_while(|l| !l.starts_with("created by"));
        let word = |l: &str| {
            let place = l.rsplit('/').next().unwrap_or(l);
            place.split(" +").next().unwrap_or(place).to_string()
        };
        lines.skip(2).map(word).collect::<Vec<String>>()
    };
    assert!(told(0).is_empty(), "{:?}", told(0));
    let nearest = told(1);
    assert!(
        nearest[0].starts_with("[originating from goroutine "),
        "{nearest:?}"
    );
    let second = [
        "main.second(...)",
        "ancestors.go:12",
        "created by main.first",
        "ancestors.go:16",
    ];
    assert_eq!(nearest[1..], second);
    let all = told(5);
    assert_eq!(all[1..5], second);
    let first = [
        "[originating from goroutine 1]:",
        "main.first(...)",
        "ancestors.go:17",
        "main.main(...)",
        "ancestors.go:22",
    ];
    assert_eq!(all[5..], first);
}

/// A collection at each `N`th safepoint, of prologues and of loops alike, if each is one stop of
/// the world; a program of stated steps counts them.
#[test]
fn gcstress_collects_at_every_nth_safepoint() {
    for every in [1, 7] {
        let debug = format!("gcstress={every},gcstoptheworld=1");
        let ran = go("stressed.go", &[], &[("GODEBUG", &debug)]);
        assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
        let counts: Vec<usize> = ran
            .stdout
            .split_whitespace()
            .map(|count| count.parse().expect("a number"))
            .collect();
        assert_eq!(counts.len(), 2, "{}", ran.stdout);
        // A collection runs code of its own, and some of ours lies between the two counts.
        for count in counts {
            let whole = 1000 / every;
            assert!(
                (whole..whole + whole / 4 + 5).contains(&count),
                "gcstress={every}: {count}"
            );
        }
    }
}

// ---- md5

/// Of so many MB as md5.go fills them, from real Go.
const DIGESTS: [(&str, &str); 3] = [
    ("100", "17d2d680f4430e8d1d070fb488f9673c"),
    ("400", "35d6f5b746c1468d5ee13a14a5fa53f2"),
    ("800", "bb567db1aa905cf4a0b1bc84f38e7065"),
];

/// The length of the call and of the longest gap,
/// in the time of processors that the process has used.
fn digest(mb: &str, hog: bool, env: &[(&str, &str)]) -> (Duration, Duration) {
    let args: &[&str] = if hog { &[mb, "hog"] } else { &[mb] };
    let ran = go("md5.go", args, env);
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    let words: Vec<&str> = ran.stdout.split_whitespace().collect();
    let want = DIGESTS.iter().find(|d| d.0 == mb).unwrap().1;
    assert_eq!(words[0], want, "the digest");
    let micros = |i: usize| Duration::from_micros(words[i].parse().unwrap());
    (micros(1), micros(2))
}

/// A call that lasts half a second at least, on whatever machine and in whatever build: no machine
/// has instructions for MD5.
fn long_call(mut f: impl FnMut(&str) -> (Duration, Duration)) -> (Duration, Duration) {
    for (mb, _) in DIGESTS {
        let r = f(mb);
        if r.0 >= Duration::from_millis(500) {
            return r;
        }
    }
    panic!("no call has lasted half a second");
}

/// The best of some tries: another process may have had the CPU.
fn best(mut f: impl FnMut() -> (Duration, Duration)) -> (Duration, Duration) {
    let mut best = f();
    for _ in 0..3 {
        if best.1 <= Duration::from_millis(100) {
            break;
        }
        best = std::cmp::min_by_key(best, f(), |b| b.1);
    }
    best
}

#[test]
#[ignore = "measures a delay; `cargo proof` runs it"]
fn t36d_md5_lets_others_run() {
    let (took, gap) = long_call(|mb| best(|| digest(mb, false, &[("GOMAXPROCS", "1")])));
    println!("one P: {took:?}, longest gap {gap:?}");
    assert!(gap <= Duration::from_millis(100), "{gap:?} of {took:?}");
}

/// Beside a hog the call is suspended by signals, and goes on on either thread;
/// the digest stays right.
#[test]
#[ignore = "measures a delay; `cargo proof` runs it"]
fn t36d_md5_moves_between_threads() {
    let log = std::env::temp_dir().join(format!("md5-{}.jsonl", std::process::id()));
    let mut command = gosched();
    command.arg(format!("--sched-log={}", log.display()));
    command.arg(program("md5.go")).args(["400", "hog"]);
    let ran = run(command.env("GOMAXPROCS", "2"), b"", LONG);
    let text = std::fs::read_to_string(&log).unwrap();
    std::fs::remove_file(&log).unwrap();
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    assert!(ran.stdout.starts_with(DIGESTS[1].1), "{}", ran.stdout);
    let member = |line: &str, name: &str| {
        let at = line.find(&format!("\"{name}\":")).unwrap() + name.len() + 3;
        line[at..].split([',', '}']).next().unwrap().to_string()
    };
    let (mut stopped, mut moved, mut last) = (0, 0, None);
    for line in text.lines() {
        if line.contains("\"ev\":\"preempted\"") && line.contains("\"signal\"") {
            stopped += 1;
            last = Some((member(line, "g"), member(line, "m")));
        } else if line.contains("\"ev\":\"start\"") {
            if let Some((g, m)) = &last
                && *g == member(line, "g")
            {
                moved += u32::from(*m != member(line, "m"));
                last = None;
            }
        }
    }
    println!("{stopped} times stopped by a signal, {moved} times gone on on the other thread");
    assert!(stopped >= 10, "{stopped} suspensions");
    assert!(moved >= 1, "never moved");
}

#[test]
#[ignore = "measures a delay; `cargo proof` runs it"]
fn t36d_off_md5_keeps_its_p() {
    let env = [("GOMAXPROCS", "1"), ("GODEBUG", "asyncpreemptoff=1")];
    let (took, gap) = long_call(|mb| digest(mb, false, &env));
    assert!(gap >= took / 2, "{gap:?} of {took:?}");
}

// ---- every native, every operation on much memory

/// Natives and operations whose gaps may be longer, as COMPATIBILITY.md says; five at most.
const LONGER: &[&str] = &[];

#[test]
#[ignore = "measures a delay; `cargo proof` runs it"]
fn t36_long_natives_and_operations_let_others_run() {
    let listed = go("natives.go", &["list"], &[]);
    let cases: BTreeSet<&str> = listed.stdout.lines().collect();
    let natives = stdlib::natives();
    let long: BTreeMap<&str, Kind> = natives
        .iter()
        .filter(|n| n.kind != Kind::Short)
        .map(|n| (n.name.as_str(), n.kind))
        .collect();
    let missing: Vec<_> = long.keys().filter(|n| !cases.contains(*n)).collect();
    assert!(missing.is_empty(), "natives.go has no case for {missing:?}");
    let unknown: Vec<_> = cases
        .iter()
        .filter(|c| !c.starts_with("op ") && !long.contains_key(*c))
        .collect();
    assert!(unknown.is_empty(), "no long natives: {unknown:?}");
    assert!(LONGER.len() <= 5);
    // A part each time unless all are asked for,
    // as `.ci/run` does with a release build, where they take a minute.
    let all = std::env::var_os("GOSCHED_ALL_NATIVES").is_some();
    let quick = [
        "strings.Index",
        "strings.ToUpper",
        "unicode/utf8.RuneCount",
        "strconv.Quote",
        "fmt.sprintf",
    ];
    let chosen: Vec<&str> = cases
        .iter()
        .copied()
        .filter(|c| all || quick.contains(c) || (c.starts_with("op ") && !c.contains("map")))
        .collect();
    // Those whose gaps were too long are tried again: another process may have had the CPU.
    let mut wrong: Vec<String> = chosen.iter().map(|c| c.to_string()).collect();
    for _ in 0..4 {
        wrong = with_long_gaps(&wrong);
        if wrong.is_empty() {
            return;
        }
    }
    panic!("longest gaps above 100 ms: {wrong:#?}");
}

/// Runs these cases; those whose longest gap is above 100 ms.
fn with_long_gaps(chosen: &[String]) -> Vec<String> {
    let args: Vec<&str> = chosen.iter().map(String::as_str).collect();
    let ran = go("natives.go", &args, &[("GOMAXPROCS", "1")]);
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    assert_eq!(ran.stdout.lines().count(), chosen.len());
    let mut long = Vec::new();
    for line in ran.stdout.lines() {
        let f: Vec<&str> = line.split('\t').collect();
        let (gap, took): (u64, u64) = (f[1].parse().unwrap(), f[2].parse().unwrap());
        println!(
            "{:40} {:>8.1} ms of {:>8.1} ms",
            f[0],
            gap as f64 / 1e3,
            took as f64 / 1e3
        );
        if gap > 100_000 && !LONGER.contains(&f[0]) {
            long.push(f[0].to_string());
        }
    }
    long
}

// ---- ends of stacks

fn overflow(arg: &str) -> Ran {
    let ran = go("overflow.go", &[arg], &[]);
    assert_eq!(ran.end, End::Exit(2), "{}", ran.stderr);
    ran
}

/// The first lines are Go's, with the limit; the traceback leaves out the middle.
fn check_overflow(ran: &Ran, limit: &str) {
    let lines: Vec<&str> = ran.stderr.lines().collect();
    let first = format!("runtime: goroutine stack exceeds {limit}-byte limit");
    assert_eq!(lines[0], first);
    assert!(
        lines[1].starts_with("runtime: sp=0x") && lines[1].contains(" stack=[0x"),
        "{}",
        lines[1]
    );
    assert_eq!(
        lines[2..6],
        [
            "fatal error: stack overflow",
            "",
            "runtime stack:",
            lines[5]
        ]
    );
    let left_out = lines
        .iter()
        .filter(|l| l.ends_with(" frames elided..."))
        .count();
    assert_eq!(left_out, 1, "{}", ran.stderr);
    assert!(
        lines.iter().any(|l| l.starts_with("goroutine 1 gp=")),
        "{}",
        ran.stderr
    );
}

#[test]
fn t43_a_stack_ends_at_its_limit() {
    for limit in ["67108864", "65536"] {
        let ran = overflow(limit);
        assert_eq!(ran.stdout, "1000000000\n");
        check_overflow(&ran, limit);
    }
}

#[test]
fn t43_recursion_of_natives_ends_as_a_stack_does() {
    check_overflow(&overflow("fmt"), "1000000000");
}
