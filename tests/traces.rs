//! Traces: what is in them, that all their events agree, and that bytes which are wrong in any way
//! are told and nothing worse.
//!
//! The programs of all folders, with all switches, are for
//! `cargo test --release --test traces -- --ignored`.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use support::{End, Ran, gosched, tests_dir};
use trace::file::{Kind, MAGIC, Next, next_block, push_block};
use trace::queues::{Place, Queues};
use trace::read::{self, Trace};
use trace::why::{When, Who};
use trace::wire::Event;

const LIMIT: Duration = Duration::from_secs(120);

/// A file for a trace, gone when this is.
struct TraceFile(PathBuf);

impl TraceFile {
    fn new(name: &str) -> TraceFile {
        let name = format!("gosched-{}-{name}.trace", std::process::id());
        TraceFile(std::env::temp_dir().join(name))
    }

    fn bytes(&self) -> Vec<u8> {
        std::fs::read(&self.0).expect("a trace")
    }
}

impl Drop for TraceFile {
    fn drop(&mut self) {
        drop(std::fs::remove_file(&self.0));
    }
}

/// Runs a program with a trace; how it ended, and the file.
fn traced(program: &Path, name: &str, change: impl FnOnce(&mut Command)) -> (Ran, TraceFile) {
    let file = TraceFile::new(name);
    let mut command = gosched();
    command
        .arg("run")
        .arg(format!("--sched-trace={}", file.0.display()))
        .arg(program);
    change(&mut command);
    (support::run(&mut command, b"", LIMIT), file)
}

/// A trace of a program that ends well, of which nothing is missing.
fn trace_of(program: &str, name: &str, procs: u32) -> Trace {
    let program = tests_dir().join(program);
    let (ran, file) = traced(&program, name, |c| {
        c.env("GOMAXPROCS", procs.to_string());
    });
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    let trace = Trace::from_bytes(&file.bytes()).unwrap();
    assert_eq!(trace.flaw(), None);
    trace
}

/// The operand of this name.
fn op(trace: &Trace, e: &Event, name: &str) -> u64 {
    let slot = trace.schema.slot(e.kind, name);
    trace.ops(e)[slot.unwrap_or_else(|| panic!("{} has no {name}", trace.name(e)))]
}

fn word<'a>(trace: &'a Trace, e: &Event, name: &str) -> &'a str {
    let slot = trace.schema.slot(e.kind, name).unwrap();
    trace.schema.word(e.kind, slot, trace.ops(e)[slot]).unwrap()
}

fn named<'a>(trace: &'a Trace, name: &str) -> impl Iterator<Item = &'a Event> {
    let kind = trace.schema.kind(name);
    trace.events.iter().filter(move |e| Some(e.kind) == kind)
}

// ---- what is in it ------------------------------------------------------------------------------

#[test]
fn objects_have_numbers_that_stay_theirs() {
    let trace = trace_of("sched/waits.go", "waits", 2);
    Queues::check(&trace).unwrap();
    let parks = |reason: &str| -> Vec<&Event> {
        let all = named(&trace, "park");
        all.filter(|e| word(&trace, e, "reason") == reason)
            .collect()
    };
    let on = |e: &&Event| op(&trace, e, "on");
    let mutexes: BTreeSet<u64> = parks("sync.Mutex.Lock").iter().map(on).collect();
    // Three more in boxes of which at least two had the same address, one after the other.
    assert_eq!(mutexes.len(), 603);
    let kind = |id: u64| {
        let objects = named(&trace, "object").filter(|e| op(&trace, e, "id") == id);
        word(&trace, objects.last().unwrap(), "kind")
    };
    assert!(mutexes.iter().all(|id| kind(*id) == "mutex"));
    for (reason, want) in [
        ("sync.WaitGroup.Wait", "waitgroup"),
        ("sync.Cond.Wait", "cond"),
        ("sync.RWMutex.RLock", "rwmutex"),
    ] {
        assert!(!parks(reason).is_empty(), "{reason}");
        assert!(
            parks(reason).iter().all(|e| kind(on(e)) == want),
            "{reason}"
        );
    }
    for reason in ["chan receive (nil chan)", "sleep"] {
        assert!(!parks(reason).is_empty());
        assert!(parks(reason).iter().all(|e| on(e) == 0), "{reason}");
    }
    // A sleep says when it ends.
    assert_eq!(named(&trace, "due").count(), parks("sleep").len());

    // Both selects wait on the same two channels, to receive.
    let mut sets = Vec::new();
    for e in parks("select") {
        assert_eq!(op(&trace, e, "more"), 1);
        let also = named(&trace, "park-also").find(|a| a.g == e.g && a.seq > e.seq);
        let cases = [e, also.unwrap()];
        assert!(cases.iter().all(|c| word(&trace, c, "dir") == "receive"));
        sets.push(cases.iter().map(on).collect::<BTreeSet<u64>>());
    }
    assert_eq!(sets.len(), 2);
    assert_eq!((sets[0].len(), &sets[0]), (2, &sets[1]));
    let caps: BTreeSet<u64> = named(&trace, "object")
        .filter(|e| sets[0].contains(&op(&trace, e, "id")))
        .map(|e| op(&trace, e, "cap"))
        .collect();
    assert_eq!(caps, BTreeSet::from([0, 3]));
    let elems: BTreeSet<&str> = named(&trace, "object")
        .filter(|e| sets[0].contains(&op(&trace, e, "id")))
        .map(|e| trace.tables.text(op(&trace, e, "elem")))
        .collect();
    assert_eq!(elems, BTreeSet::from(["int", "string"]));

    // While all wait, the main goroutine holds the 600 mutexes, and the lock for writing.
    let all_wait = parks("chan receive (nil chan)")[0].seq;
    let queues = Queues::at(&trace, all_wait).unwrap();
    let held = mutexes
        .iter()
        .filter(|id| queues.objects[id].holders == [1]);
    assert_eq!(held.count(), 600);
    let rw = on(&parks("sync.RWMutex.RLock")[0]);
    assert!(named(&trace, "lock").any(|e| op(&trace, e, "on") == rw && e.g == 1));

    // What ends a wait is told with it.
    let ends: BTreeSet<&str> = named(&trace, "ready")
        .map(|e| word(&trace, e, "op"))
        .collect();
    for op in ["unlock", "done", "signal", "send", "timer"] {
        assert!(ends.contains(op), "{op} is not among {ends:?}");
    }
}

#[test]
fn goroutines_are_named_and_their_places_told() {
    let trace = trace_of("sched/waits.go", "names", 1);
    let creates: Vec<&Event> = named(&trace, "create").collect();
    let text = |e: &Event, name: &str| trace.tables.text(op(&trace, e, name));
    let main = creates.iter().find(|e| e.g == 1).unwrap();
    assert_eq!(text(main, "func"), "main.main");
    let line = |e: &Event| {
        let frame = trace.tables.stack(op(&trace, e, "stack")).first()?;
        let file = trace.tables.text(frame.file);
        Some((
            trace.tables.text(frame.function).to_string(),
            file.ends_with("waits.go"),
            frame.line,
        ))
    };
    let of_start = creates.iter().filter(|e| {
        line(e)
            .is_some_and(|(func, is_here, line)| func == "main.main.func1" && is_here && line == 27)
    });
    assert!(of_start.count() > 600);
    assert!(creates.iter().any(|e| op(&trace, e, "system") == 1));
    // A wait in the library has the line of the program.
    let sleep = named(&trace, "park").find(|e| word(&trace, e, "reason") == "sync.Mutex.Lock");
    let (_, is_here, _) = line(sleep.unwrap()).unwrap();
    assert!(is_here);
}

#[test]
fn system_calls_have_the_name_of_who_makes_them() {
    let code = "os.ReadFile(\"/dev/null\"); os.Stat(\"/\")";
    let (ran, file) = traced_code(code, "calls", &[]);
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    let trace = Trace::from_bytes(&file.bytes()).unwrap();
    let calls = named(&trace, "syscall").map(|e| trace.tables.text(op(&trace, e, "call")));
    let calls: BTreeSet<&str> = calls.collect();
    for call in ["os.OpenFile", "internal/poll.(*FD).Read", "syscall.Fstat"] {
        assert!(calls.contains(call), "{call} is not among {calls:?}");
    }
    let kernel = named(&trace, "syscall").map(|e| trace.tables.text(op(&trace, e, "kernel")));
    let kernel: BTreeSet<&str> = kernel.collect();
    for call in ["openat", "read", "fstat"] {
        assert!(kernel.contains(call), "{call} is not among {kernel:?}");
    }
}

/// While the program ends others still take goroutines from the global queue.
#[test]
fn t69_a_trace_ends_for_all_threads_at_once() {
    let code = "
        for range 64 {
            go func() { for { runtime.Gosched() } }()
        }
        time.Sleep(2 * time.Millisecond)
        os.Exit(0)
    ";
    for _ in 0..5 {
        let (ran, file) = traced_code(code, "end", &[]);
        assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
        let trace = Trace::from_bytes(&file.bytes()).unwrap();
        assert_eq!(trace.flaw(), None);
        Queues::check(&trace).unwrap();
    }
}

/// `go f(x)` starts a function of the compiler's, `wg.Go(f)` one of the library's; a trace names
/// `f`.
#[test]
fn goroutines_are_named_for_what_is_called_with_arguments() {
    let code = "
        type T struct{ n int }
        func (t T) M(int) {}
        func (t *T) P(int) {}
        func f(int) {}
        func g[X any](X) {}
        var i interface{ M(int) } = T{1}
        t, fn := &T{2}, f
        bound := t.P
        go f(1); go g(2); go fn(3); go i.M(4); go t.P(5); go bound(6); go T.M(*t, 7)
        go func(int) {}(8); go func() {}(); go time.Sleep(0); go println()
        var wg sync.WaitGroup
        h := func() { t.P(1) }
        wg.Go(h); wg.Go(func() {})
        wg.Wait()
    ";
    let (ran, file) = traced_code(code, "wrappers", &[]);
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    let trace = Trace::from_bytes(&file.bytes()).unwrap();
    let text = |e: &Event, name: &str| trace.tables.text(op(&trace, e, name));
    let own = named(&trace, "create")
        .filter(|e| op(&trace, e, "by") == 1 && op(&trace, e, "system") == 0);
    let named: Vec<(&str, &str)> = own.map(|e| (text(e, "func"), text(e, "wrapper"))).collect();
    let wrapper = |n: u32| format!("main.main.gowrap{n}");
    let by_library = "sync.(*WaitGroup).Go.func1";
    let want = [
        ("main.f", wrapper(1)),
        ("main.g[...]", wrapper(2)),
        ("main.f", wrapper(3)),
        ("main.T.M", wrapper(4)),
        ("main.(*T).P", wrapper(5)),
        ("main.(*T).P", wrapper(6)),
        ("main.T.M", wrapper(7)),
        ("main.main.func1", wrapper(8)),
        ("main.main.func2", String::new()),
        ("time.Sleep", wrapper(9)),
        // A statement of the language calls no function.
        ("main.main.gowrap10", String::new()),
        ("main.main.func3", by_library.into()),
        ("main.main.func4", by_library.into()),
    ];
    let want = want.iter().map(|(func, wrapper)| (*func, wrapper.as_str()));
    assert_eq!(named, want.collect::<Vec<_>>());
}

/// Who has been asked to stop says where it does.
#[test]
fn a_stop_has_its_place() {
    let code = "
        func spin() {
            for begin := time.Now(); time.Since(begin) < 40*time.Millisecond; {
            }
        }
        var all sync.WaitGroup
        for range 4 { all.Go(spin) }
        all.Wait()
    ";
    let (ran, file) = traced_code(code, "stops", &["--sched-trace-stack=4"]);
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    let trace = Trace::from_bytes(&file.bytes()).unwrap();
    let is_in = |e: &Event, name: &str| {
        let frames = trace.tables.stack(op(&trace, e, "stack"));
        assert!(!frames.is_empty(), "event {}", e.seq);
        frames.iter().any(|f| trace.tables.text(f.function) == name)
    };
    let stops = named(&trace, "preempted");
    assert!(stops.filter(|e| is_in(e, "main.spin")).count() > 1);
}

#[test]
fn head_and_tail_tell_of_the_run() {
    let program = tests_dir().join("../examples/hello.go");
    let (ran, file) = traced(&program, "head", |c| {
        c.args(["one", "a \"b\"\n"])
            .env("GOMAXPROCS", "3")
            .env("GOSCHED_WITHOUT", "fifo,runnext")
            .env("GODEBUG", "gctrace=0");
    });
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    let trace = Trace::from_bytes(&file.bytes()).unwrap();
    assert_eq!(trace.head.number("gomaxprocs"), Some(3));
    assert_eq!(
        trace.head.list("without"),
        [b"runnext".to_vec(), b"fifo".to_vec()]
    );
    assert_eq!(
        trace.head.list("args"),
        [b"one".to_vec(), b"a \"b\"\n".to_vec()]
    );
    let files = trace.head.list("files");
    let own = files.iter().find(|f| f.ends_with(b"hello.go")).unwrap();
    assert_eq!(own.iter().position(|b| *b == b' '), Some(64));
    for name in ["pid", "ns", "wall", "cpus"] {
        assert!(trace.head.number(name).is_some_and(|n| n > 0), "{name}");
    }
    let read::End::Whole(tail) = &trace.end else {
        panic!("{:?}", trace.end);
    };
    assert_eq!(tail.number("status"), Some(0));
    assert_eq!(tail.number("records"), Some(trace.events.len() as i64));
    assert_eq!(tail.number("lost"), Some(0));
}

// ---- that its events agree ----------------------------------------------------------------------

#[test]
fn every_start_is_where_the_rebuilt_queues_say() {
    let mut seen = BTreeSet::new();
    for procs in [1, 2, 4] {
        let trace = trace_of("log/moves.go", &format!("moves-{procs}"), procs);
        let queues = Queues::check(&trace).unwrap_or_else(|e| panic!("{procs} Ps: {e:?}"));
        seen.extend(queues.starts.into_keys());

        // Without a move less is explained. Some moves do not matter: a goroutine's that was
        // displaced from `runnext` at once.
        for (name, to) in [
            ("queued", "runnext"),
            ("queued", "ring"),
            ("queued", "global"),
            ("fetched", ""),
        ] {
            let is_it = |e: &&Event| to.is_empty() || word(&trace, e, "to") == to;
            let moves = named(&trace, name).filter(is_it).take(40);
            for e in moves {
                let mut without = trace.clone();
                without.events.retain(|other| other.seq != e.seq);
                without.sound = without.events.len();
                assert!(Queues::check(&without).is_err(), "{procs} Ps: {name} {to}");
            }
        }
    }
    for why in ["runnext", "local", "global", "global-61", "steal", "wired"] {
        assert!(seen.contains(why), "no start by {why}, only {seen:?}");
    }
}

/// A generator of numbers that are nothing special.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % n
    }
}

#[test]
fn an_event_with_another_goroutine_is_noticed() {
    let mut draw = Draw(7);
    for procs in [1, 2] {
        let trace = trace_of("log/moves.go", &format!("changed-{procs}"), procs);
        for _ in 0..60 {
            let mut changed = trace.clone();
            let at = draw.below(changed.events.len());
            let event = &mut changed.events[at];
            let name = trace.name(event);
            // Debug builds tell more of what a goroutine's status is.
            if matches!(name, "g-status" | "gogo" | "mcall") {
                continue;
            }
            let other = 1 + draw.below(900) as u64;
            event.g = if other == event.g { other + 1 } else { other };
            let (seq, g) = (event.seq, event.g);
            let Err(wrong) = Queues::check(&changed) else {
                // Nothing that is told later is about the goroutine that it was.
                let was = trace.events[at].g;
                assert!(
                    trace.events[at + 1..].iter().all(|e| e.g != was),
                    "{name} of {was}"
                );
                continue;
            };
            assert!(wrong.seq >= seq, "{wrong:?}");

            // In the file as well, and the command names the event.
            if at.is_multiple_of(8) {
                let file = TraceFile::new("changed");
                std::fs::write(&file.0, read::to_bytes(&changed)).unwrap();
                let ran = trace_command(&["check"], &file);
                assert_eq!(ran.end, End::Exit(1), "{name} of {g}: {}", ran.stderr);
                let told = format!(": event {}: ", wrong.seq);
                assert!(ran.stderr.contains(&told), "{}", ran.stderr);
            }
        }
    }
}

/// Runs `gosched trace`.
fn trace_command(args: &[&str], file: &TraceFile) -> Ran {
    let mut command = gosched();
    command.arg("trace").args(args).arg(&file.0);
    support::run(&mut command, b"", LIMIT)
}

#[test]
fn queues_are_shown_at_any_event() {
    let program = tests_dir().join("sched/waits.go");
    let (ran, file) = traced(&program, "queues", |c| {
        c.env("GOMAXPROCS", "1");
    });
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    let trace = Trace::from_bytes(&file.bytes()).unwrap();
    // Where the first of the selects waits.
    let at = named(&trace, "park").find(|e| word(&trace, e, "reason") == "select");
    let at = at.unwrap().seq + 1;
    let ran = trace_command(&["queues", "--json", &format!("--at={at}")], &file);
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    let shown: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let queues = Queues::at(&trace, at).unwrap();
    assert_eq!(shown["at"], at);
    let ring: Vec<u64> = queues.ps[&0].ring.iter().map(|i| i.g).collect();
    assert_eq!(shown["ps"][0]["ring"], serde_json::json!(ring));
    let waiting = shown["goroutines"].as_array().unwrap().iter();
    let waiting = waiting.filter(|g| g["reason"] == "sync.Mutex.Lock");
    assert_eq!(waiting.count(), 600);
    let places = queues.goroutines.values();
    assert!(places.filter(|g| g.place == Place::Waits).count() > 600);

    let ran = trace_command(&["queues", &format!("--at={at}")], &file);
    assert!(
        ran.stdout.contains("select: receive on chan "),
        "{}",
        ran.stdout
    );
    let ran = trace_command(&["queues", "--at=99999999"], &file);
    assert_eq!(ran.end, End::Exit(2));
}

#[test]
fn a_summary_accounts_for_all_time() {
    let program = tests_dir().join("log/moves.go");
    let (ran, file) = traced(&program, "summary", |c| {
        c.env("GOMAXPROCS", "2");
    });
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    let trace = Trace::from_bytes(&file.bytes()).unwrap();
    let ran = trace_command(&["summary", "--json"], &file);
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    let all: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(all["creates"], named(&trace, "create").count());
    // Who comes back from a system call that has lost its P starts as well.
    let starts = named(&trace, "start").count();
    let back = named(&trace, "syscall-end").count();
    let told = all["starts"].as_u64().unwrap() as usize;
    assert!((starts..=starts + back).contains(&told), "{told}");
    let sleeps = named(&trace, "park").filter(|e| word(&trace, e, "reason") == "sleep");
    assert_eq!(all["blocks"]["sleep"], sleeps.count());
    assert!(all["collections"]["n"].as_u64() >= Some(1));
    let last = trace.events.last().unwrap().ns;
    for g in all["goroutines"].as_array().unwrap() {
        let ns = |v: &serde_json::Value| v["ns"].as_i64().unwrap();
        let waited = g["waited"].as_object().unwrap().values();
        let spent = [&g["ran"], &g["runnable"], &g["syscall"]].map(ns);
        let spent = spent.iter().sum::<i64>() + waited.map(ns).sum::<i64>();
        let own = |name: &str| named(&trace, name).find(|e| e.g == g["g"].as_u64().unwrap());
        let end = own("end").map_or(last, |e| e.ns);
        assert_eq!(spent, end - own("create").unwrap().ns, "{g}");
        assert!(ns(&g["longest"]) <= ns(&g["runnable"]), "{g}");
    }
    let main = &all["goroutines"][0];
    assert_eq!(
        (&main["g"], &main["func"]),
        (&1.into(), &"main.main".into())
    );

    let ran = trace_command(&["summary"], &file);
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("main.main"), "{}", ran.stdout);
    assert!(ran.stdout.lines().all(|l| l.chars().count() <= 100));
}

/// Runs `gosched trace why` for a goroutine.
fn why(who: &str, args: &[&str], file: &TraceFile) -> Ran {
    let mut command = gosched();
    command.args(["trace", "why", who]).arg(&file.0).args(args);
    support::run(&mut command, b"", LIMIT)
}

#[test]
fn why_names_the_pair_and_the_rule_that_is_off() {
    let program = tests_dir().join("../examples/lab/runnext_starvation.go");
    let (ran, file) = traced(&program, "why", |c| {
        c.env("GOMAXPROCS", "1")
            .env("GOSCHED_WITHOUT", "slice-inheritance");
    });
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    let ran = why("main.main.func3", &[], &file);
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    for part in [
        "main.main.func1 (runnext_starvation.go:1",
        "main.main.func2 (runnext_starvation.go:2",
        "rules: slice-inheritance (off), runnext",
        "they wake one another",
        "it called runtime.Gosched at runnext_starvation.go:34",
        "on the global queue",
    ] {
        assert!(ran.stdout.contains(part), "no {part} in\n{}", ran.stdout);
    }
    assert!(ran.stdout.lines().all(|l| l.chars().count() <= 100));

    let ran = why("func3", &["--json"], &file);
    let all: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let off = serde_json::json!({"rule": "slice-inheritance", "off": true});
    assert_eq!(all["rules"][0], off);
    let steps = all["steps"].as_array().unwrap();
    let length = |s: &serde_json::Value| s["to"].as_i64().unwrap() - s["from"].as_i64().unwrap();
    let longest = steps.iter().max_by_key(|s| length(s)).unwrap();
    assert_eq!(longest["rules"][0], off);
    let names = longest["who"].as_array().unwrap().iter();
    let names: BTreeSet<&str> = names.map(|w| w["func"].as_str().unwrap()).collect();
    assert!(names.is_superset(&BTreeSet::from(["main.main.func1", "main.main.func2"])));

    // At an event and at a time, and what there is not.
    let at = all["seq"].to_string();
    let there = why(
        &all["g"].to_string(),
        &[&format!("--at={at}"), "--json"],
        &file,
    );
    assert_eq!(there.stdout, ran.stdout);
    let middle = all["from"].as_i64().unwrap() + length(&all) / 2;
    let there = why("g9", &[&format!("--at={middle}ns"), "--json"], &file);
    assert_eq!(there.stdout, ran.stdout);
    for (who, at, told) in [
        ("77", "--at=1", "the trace tells of no goroutine 77"),
        (
            "main.four",
            "--at=1",
            "the trace tells of no goroutine of main.four",
        ),
        ("9", "--at=1", "no goroutine 9 waits for a turn then"),
    ] {
        let ran = why(who, &[at], &file);
        assert_eq!(ran.end, End::Exit(2));
        assert!(
            ran.stderr.ends_with(&format!(": {told}\n")),
            "{}",
            ran.stderr
        );
    }
}

/// A function of the compiler's calls what follows `go`, if it has arguments; the trace names what
/// it calls.
#[test]
fn why_knows_who_was_made_with_arguments() {
    let program = tests_dir().join("../examples/primesieve.go");
    let (ran, file) = traced(&program, "sieve", |c| {
        c.env("GOMAXPROCS", "1");
    });
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    let ran = why("main.filter", &["--json"], &file);
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    let all: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let number = all["g"].to_string();
    let same = why(&number, &["--json"], &file);
    assert_eq!(same.stdout, ran.stdout);
    assert_eq!(all["func"], "main.filter");
}

#[test]
fn why_knows_the_rule_of_each_wait() {
    let program = tests_dir().join("../examples/lab/blocking_call.go");
    let (ran, file) = traced(&program, "why-call", |c| {
        c.env("GOMAXPROCS", "1").env("GOSCHED_WITHOUT", "retake");
    });
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    let ran = why("main.main.func1", &["--json"], &file);
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    let all: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        all["rules"][0],
        serde_json::json!({"rule": "retake", "off": true})
    );
    let text = why("main.main.func1", &[], &file).stdout;
    assert!(
        text.contains("it is in a system call, and nobody takes its P away"),
        "{text}"
    );
}

#[test]
fn lines_are_those_of_the_log() {
    let file = TraceFile::new("lines");
    let log = TraceFile::new("lines-log");
    let program = tests_dir().join("log/objects.go");
    let mut command = gosched();
    command
        .arg(format!("--sched-trace={}", file.0.display()))
        .arg(format!("--sched-log={}", log.0.display()))
        .arg(program);
    let ran = support::run(&mut command, b"", LIMIT);
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    let ran = trace_command(&["convert", "--to=json"], &file);
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    let log = String::from_utf8(log.bytes()).unwrap();
    let (log, lines): (Vec<&str>, Vec<&str>) =
        (log.lines().collect(), ran.stdout.lines().collect());
    assert_eq!(log.len(), lines.len());
    // The heads say when they were made, the tails as well.
    let middle = 1..log.len() - 1;
    for (a, b) in log[middle.clone()].iter().zip(&lines[middle]) {
        assert_eq!(a, b);
    }
}

/// The events of a trace as Perfetto shows it, each held against the rules of the form.
fn perfetto(file: &TraceFile) -> Vec<serde_json::Value> {
    use serde_json::Value;
    let ran = trace_command(&["convert", "--to=perfetto"], file);
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    let mut all: Value = serde_json::from_str(&ran.stdout).unwrap();
    let Value::Array(all) = all["traceEvents"].take() else {
        panic!("no events");
    };
    let mut named = BTreeSet::new();
    let mut slices: BTreeMap<(u64, u64), Vec<(f64, f64)>> = BTreeMap::new();
    let lane = |e: &Value| (e["pid"].as_u64().unwrap(), e["tid"].as_u64().unwrap());
    let ts = |e: &Value| e["ts"].as_f64().unwrap();
    for e in &all {
        assert!(e["name"].is_string() && ts(e) >= 0.0, "{e}");
        match e["ph"].as_str().unwrap() {
            "M" => {
                let is_known =
                    ["process_name", "thread_name"].contains(&e["name"].as_str().unwrap());
                let order = &e["args"]["sort_index"];
                assert!(
                    is_known && e["args"]["name"].is_string() || order.is_u64(),
                    "{e}"
                );
                named.insert(lane(e));
            }
            "X" => {
                let dur = e["dur"].as_f64().unwrap();
                assert!(
                    dur >= 0.0 && e["args"].is_object() && named.contains(&lane(e)),
                    "{e}"
                );
                slices
                    .entry(lane(e))
                    .or_default()
                    .push((ts(e), ts(e) + dur));
            }
            "i" => assert!(e["s"] == "t" && e["args"].is_object(), "{e}"),
            "C" => assert!(e["args"]["goroutines"].is_u64(), "{e}"),
            "s" | "f" => assert!(e["id"].is_u64() && e["cat"].is_string(), "{e}"),
            _ => panic!("{e}"),
        }
    }
    // Slices of a lane follow one another; what is a rounding is none.
    for lane in slices.values_mut() {
        lane.sort_by(|a, b| a.partial_cmp(b).unwrap());
        for pair in lane.windows(2) {
            assert!(pair[0].1 <= pair[1].0 + 1e-4, "{pair:?}");
        }
    }
    // Each arrow begins in a slice and ends in a later one.
    let mut begun = BTreeMap::new();
    for e in all.iter().filter(|e| e["ph"] == "s" || e["ph"] == "f") {
        let within = slices[&lane(e)].iter();
        let mut within = within.filter(|(from, to)| *from - 1e-4 <= ts(e) && ts(e) <= to + 1e-4);
        assert!(within.next().is_some(), "{e}");
        match e["ph"] == "s" {
            true => assert!(begun.insert(e["id"].as_u64(), ts(e)).is_none(), "{e}"),
            false => {
                assert_eq!(e["bp"], "e");
                assert!(
                    begun
                        .remove(&e["id"].as_u64())
                        .is_some_and(|at| at <= ts(e)),
                    "{e}"
                );
            }
        }
    }
    assert!(begun.is_empty(), "{begun:?}");
    all
}

#[test]
fn what_perfetto_shows_follows_its_rules() {
    let program = tests_dir().join("log/moves.go");
    for procs in ["1", "2"] {
        let (ran, file) = traced(&program, "perfetto", |c| {
            c.env("GOMAXPROCS", procs);
        });
        assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
        let all = perfetto(&file);
        let trace = Trace::from_bytes(&file.bytes()).unwrap();
        let turns = all.iter().filter(|e| e["ph"] == "X" && e["pid"] == 1);
        let turns: Vec<_> = turns.filter(|e| e["args"]["why"].is_string()).collect();
        let told = named(&trace, "start").count() + named(&trace, "syscall-end").count();
        assert_eq!(turns.len(), told);
        assert!(turns.iter().any(|e| e["name"] == "g1 main.main"));
        let count = |ph: &str| all.iter().filter(|e| e["ph"] == ph).count();
        assert!(count("s") > 100, "{} arrows", count("s"));
        assert!(
            all.iter()
                .any(|e| e["name"] == "collection" && e["pid"] == 3)
        );
        assert!(
            all.iter()
                .any(|e| e["ph"] == "C" && e["name"] == "global queue")
        );
        assert!(all.iter().any(|e| e["pid"] == 2 && e["name"] == "sleep"));
    }
}

/// The switches of the scheduler's rules.
fn switches() -> impl Iterator<Item = &'static str> {
    gosched_runtime::switches::ALL.iter().map(|s| s.1)
}

#[test]
fn without_rules_events_agree_by_others() {
    for without in ["runnext", "fifo", "overflow,steal", "preempt-to-global"] {
        let program = tests_dir().join("log/moves.go");
        let (ran, file) = traced(&program, "without", |c| {
            c.env("GOMAXPROCS", "2").env("GOSCHED_WITHOUT", without);
        });
        assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
        let trace = Trace::from_bytes(&file.bytes()).unwrap();
        if let Err(wrong) = Queues::check(&trace) {
            panic!("without {without}: {wrong:?}");
        }
    }
}

/// The Go programs in a folder.
fn programs(folder: &str) -> Vec<PathBuf> {
    let all = std::fs::read_dir(tests_dir().join(folder)).unwrap();
    let all = all.map(|e| e.unwrap().path());
    let mut all: Vec<PathBuf> = all
        .filter(|p| p.extension().is_some_and(|e| e == "go"))
        .collect();
    all.sort();
    assert!(!all.is_empty(), "{folder}");
    all
}

/// Checks a trace of a program, whatever its end.
fn check(program: &Path, procs: u32, without: &str) -> Result<usize, String> {
    let name = program.file_stem().unwrap().to_string_lossy().into_owned();
    let (ran, file) = traced(program, &name, |c| {
        c.arg("1").env("GOMAXPROCS", procs.to_string());
        c.env("GOSCHED_WITHOUT", without);
        // A server would wait for ever.
        c.env("GODEBUG", "");
    });
    let here = format!("{name} at {procs} without {without:?}");
    if ran.end == End::Timeout {
        return match without {
            // A loop that waits for another goroutine need not end.
            "async-preempt" => Ok(0),
            _ => Err(format!("{here} does not end")),
        };
    }
    let trace = Trace::from_bytes(&file.bytes()).map_err(|e| format!("{here}: {e}"))?;
    if let Some(flaw) = trace.flaw() {
        return Err(format!("{here}: {flaw}"));
    }
    match Queues::check(&trace) {
        Ok(_) => Ok(trace.events.len()),
        Err(wrong) => Err(format!("{here}: event {}: {}", wrong.seq, wrong.why)),
    }
}

#[test]
#[ignore = "takes many minutes; see the file's header"]
fn all_programs_agree() {
    let mut wrong = Vec::new();
    let (mut traces, mut events) = (0, 0);
    let mut note = |result: Result<usize, String>| match result {
        Ok(n) => (traces, events) = (traces + 1, events + n),
        Err(why) => {
            println!("{why}");
            wrong.push(why);
        }
    };
    for folder in ["../examples", "bench", "../examples/lab", "fairness"] {
        for program in programs(folder) {
            // It serves until it is stopped.
            if program.ends_with("echo.go") {
                continue;
            }
            for procs in [1, 2, 4] {
                note(check(&program, procs, ""));
            }
        }
    }
    for program in programs("../examples/lab") {
        for without in switches() {
            note(check(&program, 2, without));
        }
    }
    println!("{traces} traces with {events} events agree");
    assert!(wrong.is_empty(), "{} of them do not", wrong.len());
}

// ---- a part of it -------------------------------------------------------------------------------

/// Runs code with a trace and these flags.
fn traced_code(code: &str, name: &str, flags: &[&str]) -> (Ran, TraceFile) {
    let file = TraceFile::new(name);
    let mut command = gosched();
    command
        .arg("run")
        .arg(format!("--sched-trace={}", file.0.display()))
        .args(flags)
        .args(["-e", code])
        .env("GOMAXPROCS", "2");
    (support::run(&mut command, b"", LIMIT), file)
}

/// Goroutines of many kinds for as long as the condition holds: a loop that sleeps, one that waits
/// on a channel from the beginning, ones that end, mutexes, selects.
const BUSY: &str = "
    wait, tick := make(chan int), make(chan int, 4)
    var mu sync.Mutex
    go func() { <-wait }()
    go func() {
        for {
            select {
            case v := <-tick:
                mu.Lock()
                _ = v
                mu.Unlock()
            case <-wait:
                return
            }
        }
    }()
    begin := time.Now()
    for i := 0; time.Since(begin) < 600*time.Millisecond; i++ {
        go func() { mu.Lock(); defer mu.Unlock(); tick <- i }()
        time.Sleep(100 * time.Microsecond)
    }
";

#[test]
fn the_end_of_a_trace_is_kept() {
    for (end, status) in [
        ("", 0),
        ("panic(1)", 2),
        (
            "syscall.Kill(syscall.Getpid(), syscall.SIGQUIT); select {}",
            2,
        ),
    ] {
        let flags = ["--sched-trace-last=160ms"];
        let (ran, file) = traced_code(&format!("{BUSY}{end}"), "last", &flags);
        assert_eq!(ran.end, End::Exit(status), "{}", ran.stderr);
        let trace = Trace::from_bytes(&file.bytes()).unwrap();
        assert_eq!(trace.flaw(), None, "{end}");
        assert!(trace.first > 0);
        assert_eq!(trace.events[0].seq, trace.first);
        let (first, last) = (trace.events[0].ns, trace.events.last().unwrap().ns);
        // What is older is dropped in pieces.
        assert!(last - first > 100_000_000, "{} ns", last - first);
        let queues = Queues::check(&trace).unwrap_or_else(|e| panic!("{end}: {e:?}"));
        // Names are of before.
        let main = &queues.goroutines[&1];
        assert_eq!(trace.tables.text(main.func), "main.main");
        assert!(trace.before.iter().all(|e| e.seq < trace.first));
        let read::End::Whole(tail) = &trace.end else {
            panic!("{:?}", trace.end);
        };
        assert_eq!(tail.number("status"), Some(status.into()));

        let ran = trace_command(&["check"], &file);
        assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
        assert!(
            ran.stderr.contains("it begins with event "),
            "{}",
            ran.stderr
        );
        let ran = trace_command(&["convert", "--to=json"], &file);
        assert!(!ran.stdout.contains("\"ev\":\"lost\""));
        // An event about a goroutine that has ended contradicts, as in a whole trace.
        let ended = named(&trace, "end").next().unwrap().g;
        let mut changed = trace.clone();
        let at = changed
            .events
            .iter()
            .rposition(|e| trace.name(e) == "ready");
        changed.events[at.unwrap()].g = ended;
        assert!(Queues::check(&changed).is_err());
    }
    // A program that ends before is all there.
    let (_, file) = traced_code("println(1)", "last-all", &["--sched-trace-last=1h"]);
    let trace = Trace::from_bytes(&file.bytes()).unwrap();
    assert_eq!((trace.first, trace.flaw()), (0, None));
    Queues::check(&trace).unwrap();
}

#[test]
fn only_some_events_are_recorded() {
    let flags = ["--sched-trace-only=create,start", "--sched-trace-only=due"];
    let (ran, file) = traced_code(BUSY, "only", &flags);
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    let trace = Trace::from_bytes(&file.bytes()).unwrap();
    assert_eq!(trace.flaw(), None);
    let seen: BTreeSet<&str> = trace.events.iter().map(|e| trace.name(e)).collect();
    assert_eq!(seen, BTreeSet::from(["create", "start", "due"]));
    // When they happened does not depend on those that are left out.
    let mut last = std::collections::BTreeMap::new();
    for e in trace.events.iter().filter(|e| trace.name(e) == "start") {
        let before: Option<i64> = last.insert(e.m, e.ns);
        assert!(before.is_none_or(|before| before < e.ns), "{e:?}");
    }
    for what in ["check", "queues", "summary", "timeline"] {
        let ran = trace_command(&[what], &file);
        assert_eq!(ran.end, End::Exit(2), "{what}: {}", ran.stdout);
        assert!(ran.stderr.contains("cannot be known"), "{}", ran.stderr);
    }
    let ran = trace_command(&["convert", "--to=json"], &file);
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);

    for (flags, told) in [
        (
            &["--sched-trace-only=strat"][..],
            "Type start if that is meant.",
        ),
        (&["--sched-trace-only=,"], "names no event"),
        (
            &["--sched-trace-only=start", "--latency"],
            "need all events",
        ),
        (&["--sched-trace-stack=33"], "a number from 1 to 32"),
    ] {
        let (ran, _) = traced_code("", "refused", flags);
        assert_eq!(ran.end, End::Exit(2), "{flags:?}");
        assert!(ran.stderr.contains(told), "{}", ran.stderr);
    }
    let mut command = gosched();
    command.args(["run", "--sched-trace-last=1s", "-e", ""]);
    let ran = support::run(&mut command, b"", LIMIT);
    assert!(
        ran.stderr.contains("Type it with --sched-trace=FILE."),
        "{}",
        ran.stderr
    );
}

// ---- bytes that are wrong -----------------------------------------------------------------------

/// A small trace of a program that ends well.
fn small() -> Vec<u8> {
    let program = tests_dir().join("../examples/workerpool.go");
    let (ran, file) = traced(&program, "small", |c| {
        c.env("GOMAXPROCS", "2");
    });
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    file.bytes()
}

#[test]
fn a_cut_trace_is_read_up_to_there() {
    let whole = small();
    let events = Trace::from_bytes(&whole).unwrap().events.len();
    let mut draw = Draw(3);
    let file = TraceFile::new("cut");
    for _ in 0..20 {
        let at = draw.below(whole.len());
        std::fs::write(&file.0, &whole[..at]).unwrap();
        let ran = trace_command(&["check"], &file);
        match Trace::from_bytes(&whole[..at]) {
            Ok(trace) => {
                assert!(trace.events.len() <= events);
                assert!(ran.stderr.contains("the trace is cut"), "{}", ran.stderr);
                assert_eq!(ran.end, End::Exit(1));
                let told = format!(": {} events agree\n", trace.sound);
                assert!(ran.stdout.ends_with(&told), "{}", ran.stdout);
            }
            Err(why) => {
                assert!(
                    ran.stderr.ends_with(&format!(": {why}\n")),
                    "{}",
                    ran.stderr
                );
                assert_eq!(ran.end, End::Exit(2));
            }
        }
    }
}

/// Changes bytes within blocks, and makes their checksums fit.
fn change_blocks(bytes: &[u8], draw: &mut Draw) -> Vec<u8> {
    let mut blocks: Vec<(Kind, Vec<u8>)> = Vec::new();
    let mut at = MAGIC.len();
    while let Next::Block(kind, contents, len) = next_block(&bytes[at..]) {
        blocks.push((kind, contents.to_vec()));
        at += len;
        if at == bytes.len() {
            break;
        }
    }
    for _ in 0..=draw.below(3) {
        let which = draw.below(blocks.len());
        let contents = &mut blocks[which].1;
        match draw.below(5) {
            0 => contents.truncate(draw.below(contents.len().max(1))),
            1 => drop(blocks.remove(which)),
            2 => contents.extend_from_slice(&[0xff; 9]),
            _ => {
                for _ in 0..=draw.below(4) {
                    let at = draw.below(contents.len().max(1));
                    if let Some(byte) = contents.get_mut(at) {
                        *byte = draw.below(256) as u8;
                    }
                }
            }
        }
        if blocks.is_empty() {
            break;
        }
    }
    let mut out = MAGIC.to_vec();
    blocks
        .iter()
        .for_each(|(kind, contents)| push_block(&mut out, *kind, contents));
    out
}

/// Whatever the bytes are, they are read or refused, and shown.
fn look_at(bytes: &[u8]) -> &'static str {
    let Ok(trace) = Trace::from_bytes(bytes) else {
        return "refused";
    };
    let mut text = Vec::new();
    for e in &trace.events {
        text.clear();
        trace::json::event(&mut text, &trace.schema, &trace.tables, e, trace.ops(e));
    }
    trace::chrome::write(&trace, &mut std::io::sink()).unwrap();
    drop(trace::go::write(&trace, &mut std::io::sink()));
    for g in 1..4 {
        let _ = trace::why::Why::new(&trace, &Who::Number(g), When::Longest);
    }
    match Queues::check(&trace) {
        Err(_) => "contradicts itself",
        Ok(_) if trace.flaw().is_some() => "has a flaw",
        Ok(_) => "agrees",
    }
}

fn mutate(rounds: usize) {
    let whole = small();
    let mut draw = Draw(11);
    let mut seen: std::collections::BTreeMap<&str, usize> = Default::default();
    for round in 0..rounds {
        let bytes = match round % 4 {
            0 => {
                let mut bytes = whole.clone();
                for _ in 0..=draw.below(3) {
                    let at = draw.below(bytes.len());
                    bytes[at] ^= 1 << draw.below(8);
                }
                // What is told of it is a flaw.
                let seen = look_at(&bytes);
                assert!(bytes == whole || seen != "agrees", "round {round}");
                bytes
            }
            _ => change_blocks(&whole, &mut draw),
        };
        *seen.entry(look_at(&bytes)).or_default() += 1;
    }
    println!("{seen:?}");
    for what in ["refused", "contradicts itself", "has a flaw"] {
        assert!(seen.contains_key(what), "{seen:?}");
    }
}

#[test]
fn mutated_traces_are_told() {
    mutate(400);
}

#[test]
#[ignore = "takes a minute; see the file's header"]
fn ten_thousand_mutated_traces_are_told() {
    mutate(10_000);
}
