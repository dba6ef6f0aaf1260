//! Recordings in `gosched trace`: each command shows the trace of a replay, which takes the same
//! decisions, whose events agree, and in which the switches are marked that `explore` told of.

mod support;

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use support::{End, Ran, gosched, run, tests_dir};

const LIMIT: Duration = Duration::from_secs(120);

/// A folder of a test's own, gone when this is.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let name = format!("gosched-recordings-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Place(folder)
    }

    fn gosched(&self, words: &[&str]) -> Ran {
        let mut command = gosched();
        command.args(words).current_dir(&self.0);
        // What is ended in its middle leaves its temporary files behind.
        run(command.env("TMPDIR", &self.0), b"", LIMIT)
    }

    /// What a command prints that ends well.
    fn told(&self, words: &[&str]) -> String {
        let ran = self.gosched(words);
        assert_eq!(ran.end, End::Exit(0), "{words:?}: {}", ran.stderr);
        assert_eq!(ran.stderr, "", "{words:?}");
        ran.stdout
    }

    /// Searches a program, and writes what is found to `found.gosched`; how many switches it was
    /// left with.
    fn explored(&self, program: &str, flags: &[&str]) -> u64 {
        let words = ["explore", "--json", "-o", "found.gosched"];
        let ran = self.gosched(&[&words, flags, &[program]].concat());
        assert_eq!(ran.end, End::Exit(3), "{program}: {}", ran.stderr);
        let found: Value = serde_json::from_str(&ran.stdout).unwrap();
        found["choices"][1].as_u64().unwrap_or(0)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap()
    }

    fn summary(&self, file: &str) -> Value {
        serde_json::from_str(&self.told(&["trace", "summary", "--json", file])).unwrap()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

/// A program of `tests/` or `examples/`.
fn program(name: &str) -> String {
    let root = tests_dir();
    let path = root.parent().map(|root| root.join(name)).unwrap();
    path.to_str().unwrap().into()
}

fn count(text: &str, of: &str) -> u64 {
    text.matches(of).count() as u64
}

const FOUND: &str = "found.gosched";

// ---- explore ------------------------------------------------------------------------------------

#[test]
fn what_explore_finds_opens_in_every_command() {
    let place = Place::new("every");
    let switches = place.explored(&program("examples/lock_order.go"), &["--seed=1"]);
    assert!(switches > 0);
    let checked = place.told(&["trace", "check", FOUND]);
    assert!(
        checked.starts_with(FOUND)
            && checked.ends_with(" events agree\n")
            && count(&checked, "\n") == 1,
        "{checked}"
    );

    let summary = place.summary(FOUND);
    let marked = summary["switches"].as_array().unwrap();
    assert_eq!(
        (&summary["steered"], marked.len() as u64),
        (&true.into(), switches)
    );
    let text = place.told(&["trace", "summary", FOUND]);
    assert!(
        text.contains("steered: ") && count(&text, "  decision ") == switches,
        "{text}"
    );

    // A column is a decision: time stands still.
    let timeline = place.told(&["trace", "timeline", FOUND]);
    assert!(timeline.contains("decision 1"), "{timeline}");
    assert_eq!(count(&timeline, "▲"), switches + 1, "{timeline}");
    let short = place.told(&["trace", "timeline", "--width=1", FOUND]);
    let unseen = match switches {
        1 => "1 switch of the schedule is not in the picture\n".to_string(),
        n => format!("{n} switches of the schedule are not in the picture\n"),
    };
    assert!(short.ends_with(&unseen), "{short}");
    let by_time = place.told(&["trace", "timeline", "--by=time", FOUND]);
    assert!(!by_time.contains("decision 1"), "{by_time}");

    let lines = place.told(&["trace", "convert", "--to=json", FOUND]);
    let all = lines.lines().filter(|l| l.contains("\"ev\":\"choice\""));
    let all: Vec<Value> = all.map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(summary["choices"], all.len());
    assert!(all.iter().enumerate().all(|(n, c)| c["n"] == n), "{lines}");
    let is_marked = |c: &&Value| c["switch"] == true;
    assert_eq!(all.iter().filter(is_marked).count() as u64, switches);
    assert!(
        lines.contains("\"clock\":\"virtual\",\"steered\":1"),
        "{lines}"
    );
    // The numbers are those of the recording.
    let steps = place.read(FOUND);
    for step in steps
        .lines()
        .skip(1)
        .filter(|l| l.contains("\"switch\":true"))
    {
        let step: Value = serde_json::from_str(step).unwrap();
        let same = marked.iter().find(|m| m["n"] == step["n"]).unwrap();
        assert_eq!((&same["what"], &same["g"]), (&step["k"], &step["g"]));
    }

    let perfetto = place.told(&["trace", "convert", "--to=perfetto", FOUND]);
    assert_eq!(count(&perfetto, "\"switch of the schedule\""), switches);
    let go = gosched()
        .args(["trace", "convert", "--to=go", FOUND])
        .current_dir(&place.0)
        .output()
        .unwrap();
    assert!(go.status.success() && go.stdout.starts_with(b"go 1."));

    let page = place.told(&["trace", "view", "-o", "-", FOUND]);
    assert!(page.contains("<html") && page.contains("\"steered\":1"));
    let graph = place.told(&["trace", "graph", FOUND]);
    assert!(
        graph.contains("digraph") && count(&graph, "sync.Mutex.Lock") > 0,
        "{graph}"
    );
    let flame = place.told(&["trace", "flame", FOUND]);
    assert!(flame.contains("waiting;sync.Mutex.Lock"), "{flame}");
    let queues = place.told(&["trace", "queues", FOUND]);
    assert!(queues.contains("sync.Mutex.Lock: mutex"), "{queues}");
    // Some goroutine has been passed over by a switch.
    let passed = marked[0]["usual"].to_string();
    let why = place.told(&["trace", "why", &passed, FOUND]);
    assert!(
        why.contains("(chosen)") && why.contains("the schedule of the steered run chose them"),
        "{why}"
    );
    assert!(why.contains("▲ event "), "{why}");
}

/// Programs with bugs of all kinds: the traces agree, the switches are those that were told of, and
/// a traced replay is the same replay.
#[test]
fn marked_are_the_switches_that_are_told() {
    let place = Place::new("marked");
    let folder = tests_dir().join("steer");
    let mut all: Vec<PathBuf> = support::files(&folder, "go");
    all.retain(|f| f.to_str().unwrap().ends_with("_bad.go"));
    all.sort();
    let some = (0..6).map(|i| &all[i * all.len() / 6]);
    for program in some {
        let program = program.to_str().unwrap();
        let switches = place.explored(program, &["--seed=1", "--max-stall=any"]);
        let checked = place.told(&["trace", "check", FOUND]);
        assert!(checked.ends_with(" events agree\n"), "{program}: {checked}");
        let summary = place.summary(FOUND);
        let marked = summary["switches"].as_array().unwrap().len() as u64;
        assert_eq!(marked, switches, "{program}");
        let plain = place.gosched(&["replay", FOUND]);
        let traced = place.gosched(&["replay", "--sched-trace=run.trace", FOUND]);
        assert_eq!(
            (traced.end, &traced.stdout, &traced.stderr),
            (plain.end, &plain.stdout, &plain.stderr),
            "{program}"
        );
        // Events of idle threads are not the same in each run.
        place.told(&["trace", "check", "run.trace"]);
        let again = place.summary("run.trace");
        assert_eq!(again["choices"], summary["choices"], "{program}");
    }
}

/// Locks that are taken at once, that are waited for, and that others want meanwhile.
const LOCKS: &str = r#"
    var mu sync.Mutex
    var rw sync.RWMutex
    c := make(chan int, 1)
    var wg sync.WaitGroup
    for i := range 4 {
        wg.Go(func() {
            for range 3 {
                mu.Lock()
                runtime.Gosched()
                mu.Unlock()
                if mu.TryLock() { mu.Unlock() }
                rw.RLock()
                rw.RUnlock()
            }
            rw.Lock()
            select { case c <- i: case <-c: default: }
            rw.Unlock()
            time.Sleep(time.Millisecond)
        })
    }
    wg.Wait()
"#;

#[test]
fn runs_by_a_seed_agree() {
    let place = Place::new("seed");
    for seed in 0..5 {
        let flag = format!("--seed={seed}");
        let ran = place.gosched(&[&flag, "--sched-trace=run.trace", "-e", LOCKS]);
        assert_eq!((ran.end, &*ran.stderr), (End::Exit(0), ""));
        place.told(&["trace", "check", "run.trace"]);
        assert!(place.summary("run.trace")["choices"].as_u64() > Some(5));
    }
}

#[test]
fn a_choice_of_somebody_else_is_noticed() {
    use trace::queues::Queues;
    let place = Place::new("else");
    place.gosched(&["--seed=1", "--sched-trace=run.trace", "-e", LOCKS]);
    let bytes = fs::read(place.0.join("run.trace")).unwrap();
    let trace = trace::read::Trace::from_bytes(&bytes).unwrap();
    let is_choice = |e: &trace::wire::Event| {
        let what = trace.schema.slot(e.kind, "what");
        trace.name(e) == "choice"
            && trace.schema.word(e.kind, 0, trace.ops(e)[0]) == Some("run")
            && what == Some(0)
    };
    let at = trace.events.iter().position(is_choice).unwrap();
    let seq = trace.events[at].seq;
    let mut other = trace.clone();
    other.events[at].g = 1_000_000;
    assert_eq!(Queues::check(&other).unwrap_err().seq, seq);
    // One more is said to be there to choose from.
    let mut more = trace.clone();
    let of = trace.schema.slot(trace.events[at].kind, "of").unwrap();
    more.values[trace.events[at].at + of] += 1;
    assert_eq!(Queues::check(&more).unwrap_err().seq, seq);
    // The scheduler decides itself.
    let mut ruled = trace.clone();
    ruled.head.0.retain(|(name, _)| name != "steered");
    assert!(Queues::check(&ruled).is_err());
}

// ---- what is not as it was ----------------------------------------------------------------------

#[test]
fn what_cannot_be_replayed_ends_as_a_replay_does() {
    let place = Place::new("wrong");
    let code = fs::read_to_string(program("examples/lock_order.go")).unwrap();
    place.write("main.go", &code);
    place.explored("main.go", &["--seed=1"]);
    let whole = place.read(FOUND);
    let as_replay = |what: &str| {
        let replay = place.gosched(&["replay", FOUND]);
        assert_ne!(replay.stderr, "", "{what}");
        for command in ["check", "summary"] {
            let shown = place.gosched(&["trace", command, FOUND]);
            assert_eq!(
                (shown.end, &*shown.stdout, &shown.stderr),
                (replay.end, "", &replay.stderr),
                "{what}: {command}"
            );
        }
        replay
    };
    // Another schedule than was written.
    let last = whole.rfind("\"g\":").unwrap();
    let digit = whole[last + 4..].chars().next().unwrap();
    let other = if digit == '1' { "2" } else { "1" };
    let mut altered = whole.clone();
    altered.replace_range(last + 4..last + 5, other);
    place.write(FOUND, &altered);
    let ran = as_replay("altered");
    assert!(
        ran.stderr.contains("replay diverged at decision"),
        "{}",
        ran.stderr
    );
    assert_eq!(ran.end, End::Exit(69));
    // No line of a recording.
    place.write(FOUND, &whole.replacen("\"n\":0", "\"n\":\"x\"", 1));
    assert_eq!(as_replay("no line").end, End::Exit(1));
    // A program that has changed.
    place.write(FOUND, &whole);
    place.write("main.go", &format!("{code}\n// more\n"));
    let ran = as_replay("changed");
    assert_eq!(ran.end, End::Exit(69));
    assert!(
        ran.stderr.contains("main.go is not as it was recorded"),
        "{}",
        ran.stderr
    );
    place.write("main.go", "package main\n\nfunc main() { x }\n");
    as_replay("wrong");
}

// ---- record -------------------------------------------------------------------------------------

/// It waits for times, and for a pipe.
const WAITS: &str = r#"package main

import (
    "fmt"
    "io"
    "os"
    "sync"
    "time"
)

func main() {
    r, w, _ := os.Pipe()
    var wg sync.WaitGroup
    for i := range 3 {
        wg.Go(func() {
            time.Sleep(time.Duration(i+1) * 50 * time.Millisecond)
            fmt.Fprintln(w, i, len(os.Args))
        })
    }
    go func() { wg.Wait(); w.Close() }()
    all, _ := io.ReadAll(r)
    fmt.Print(string(all), time.Now().Unix() > 0)
}
"#;

#[test]
fn what_was_recorded_opens_as_well() {
    let place = Place::new("recorded");
    place.write("main.go", WAITS);
    for flags in [&[][..], &["--chaos", "--seed=3"]] {
        let words = ["record", "-o", "run.gosched"];
        let ran = place.gosched(&[&words, flags, &["main.go", "one"]].concat());
        assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
        assert!(ran.stdout.contains("0 2\n"), "{}", ran.stdout);
        let checked = place.told(&["trace", "check", "run.gosched"]);
        assert!(checked.ends_with(" events agree\n"), "{checked}");
        let summary = place.summary("run.gosched");
        assert_eq!(
            (&summary["steered"], &summary["choices"]),
            (&false.into(), &0.into())
        );
        // The replay does not wait, but the clock is that of a run that has.
        let ns = summary["ns"].as_i64().unwrap();
        assert!(ns >= 150_000_000, "{ns}");
        let lines = place.told(&["trace", "convert", "run.gosched"]);
        assert!(lines.contains("\"clock\":\"replayed\""), "{lines}");
        let mut last = 0;
        for line in lines.lines().skip(1).filter(|l| l.contains("\"m\":0,")) {
            let line: Value = serde_json::from_str(line).unwrap();
            let now = line["ns"].as_i64().unwrap();
            assert!(now >= last, "{line}");
            last = now;
        }
        let traced = place.gosched(&["replay", "--sched-trace=run.trace", "run.gosched"]);
        assert_eq!((traced.end, &traced.stdout), (ran.end, &ran.stdout));
    }
    place.write("main.go", "package main\n\nfunc main() {}\n");
    let replay = place.gosched(&["replay", "run.gosched"]);
    let shown = place.gosched(&["trace", "timeline", "run.gosched"]);
    assert_eq!((shown.end, shown.stderr), (replay.end, replay.stderr));
    assert_eq!(shown.end, End::Exit(69));
}

#[test]
fn a_replay_writes_its_trace_where_it_is_told() {
    let place = Place::new("told");
    place.explored(&program("examples/lock_order.go"), &["--seed=1"]);
    let ran = place.gosched(&["replay", "--sched-log=run.log", FOUND]);
    assert_eq!(ran.end, End::Exit(2), "{}", ran.stderr);
    let log = place.read("run.log");
    assert!(
        log.contains("\"why\":\"chosen\"") && log.contains("\"to\":\"offered\""),
        "{log}"
    );
    assert!(
        log.trim_end()
            .lines()
            .last()
            .unwrap()
            .contains("\"status\":2"),
        "{log}"
    );
    let none = place.gosched(&["replay", "--sched-trace=no/such/file", FOUND]);
    assert_eq!(none.end, End::Exit(2));
    assert!(Path::new(&place.0).join("found.gosched").exists());
    assert!(none.stderr.contains("no/such/file"), "{}", none.stderr);
}
