//! `gosched explore --strategy=dfs`: every schedule, or one of each class, and the right to say so.

mod support;

use std::path::Path;
use std::time::Duration;
use support::{End, Ran, gosched, run};

/// Searches what `code` can do.
fn searched(flags: &[&str], code: &str) -> Ran {
    let mut command = gosched();
    command.args(["explore", "--output=/dev/null"]);
    command.args(flags).args(["-e", code]);
    run(&mut command, b"", Duration::from_secs(120))
}

/// What is said at the end, when nothing is found.
fn verdict(flags: &[&str], code: &str) -> String {
    let ran = searched(flags, code);
    assert_eq!(ran.end, End::Exit(0), "{code}: {}", ran.stderr);
    ran.stderr.lines().last().unwrap_or_default().to_string()
}

/// Programs with the number of classes of their schedules. Two schedules are of one class if they
/// differ only in the order of operations that do not concern each other; an attempt to take a
/// lock, or to send, is an operation whether it has to wait or not.
const COUNTED: &[(u32, &str)] = &[
    (1, "fmt.Println(1)"),
    // What is only read can be read in any order.
    (
        1,
        "var n atomic.Int64; for range 3 { go func() { n.Load() }() }",
    ),
    // Each has its own.
    (
        1,
        "var n [3]atomic.Int64; for i := range 3 { go func() { n[i].Add(1); n[i].Add(1) }() }",
    ),
    // Sleepers wake in the order of their times.
    (
        1,
        "for i := range 3 { go func() { time.Sleep(time.Duration(i) * time.Second) }() }",
    ),
    // 4!
    (
        24,
        "var n atomic.Int64; for range 4 { go func() { n.Add(1) }() }",
    ),
    // Each of two loads before the store or behind it.
    (
        4,
        "var n atomic.Int64; for range 2 { go func() { n.Load() }() }; go func() { n.Store(1) }()",
    ),
    // The stores in two orders, the load at three places.
    (
        6,
        "var n atomic.Int64; for range 2 { go func() { n.Store(1) }() }; go func() { n.Load() }()",
    ),
    // Four operations, of which two are of one goroutine: 4 over 2.
    (
        6,
        "var n atomic.Int64; for range 2 { go func() { n.Add(1); n.Add(1) }() }",
    ),
    // What each does alone does not count.
    (
        2,
        "var n atomic.Int64
        for range 2 { go func() { var m atomic.Int64; m.Add(1); m.Add(1); n.Add(1) }() }",
    ),
    // Two ways for each select.
    (
        8,
        "a, b := make(chan int, 3), make(chan int, 3)
        for range 3 { a <- 1; b <- 1 }
        for range 3 { select { case <-a: case <-b: } }",
    ),
    // Who comes first waits.
    (2, "c := make(chan int); go func() { c <- 1 }(); <-c"),
    // Whoever is first, the other comes behind its unlock, or it comes before it: then it asks
    // again, before the unlock or behind it.
    (
        6,
        "var mu sync.Mutex; for range 2 { go func() { mu.Lock(); mu.Unlock() }() }",
    ),
    // Readers do not concern each other.
    (
        1,
        "var mu sync.RWMutex; for range 2 { go func() { mu.RLock(); mu.RUnlock() }() }",
    ),
    // The sends in two orders; the first receive before both, between them or behind both, and the
    // second, if it comes before the second send, at two places.
    (
        10,
        "c := make(chan int, 2); for i := range 2 { go func() { c <- i }() }; <-c; <-c",
    ),
    // Three receives and a close, in any order.
    (
        24,
        "c := make(chan int); for range 3 { go func() { <-c }() }; close(c)",
    ),
];

#[test]
fn each_class_is_visited_once() {
    for (classes, code) in COUNTED {
        let says = verdict(&["--strategy=dfs"], code);
        let all = match classes {
            1 => "the one class of schedules: nothing found".to_string(),
            n => format!("all {n} classes of schedules: nothing found"),
        };
        assert!(says.starts_with(&all), "{code}: {says}");
    }
}

#[test]
fn schedules_with_few_preemptions_are_counted() {
    let code = "c := make(chan int, 3)
        for range 3 { go func() { c <- 1 }() }
        for range 3 { <-c }";
    let mut counts = Vec::new();
    for bound in 0..4 {
        let says = verdict(&[&format!("--strategy=dfs:{bound}")], code);
        let few = match bound {
            0 => "without a preemption: nothing found (".to_string(),
            1 => "with at most 1 preemption: nothing found (".to_string(),
            n => format!("with at most {n} preemptions: nothing found ("),
        };
        assert!(says.starts_with("all ") && says.contains(&few), "{says}");
        counts.push(says.split(' ').nth(1).unwrap().parse::<u32>().unwrap());
    }
    assert!(counts.is_sorted_by(|a, b| a < b), "{counts:?}");
    let two = verdict(&["--strategy=dfs:2", "--jobs=1"], code);
    let many = verdict(&["--strategy=dfs:2", "--jobs=4"], code);
    let number = |says: &str| says.split(' ').nth(1).map(String::from);
    assert_eq!(number(&two), number(&many));
    assert_eq!(number(&two), Some(counts[2].to_string()));
}

#[test]
fn not_all_is_said_where_something_stands_in_the_way() {
    let add = "var n atomic.Int64; for range 4 { go func() { n.Add(1) }() }";
    // There are 24.
    for flags in [
        ["--strategy=dfs", "--schedules=23"],
        ["--strategy=dfs:5", "--schedules=23"],
    ] {
        let says = verdict(&flags, add);
        assert!(says.starts_with("nothing found in 23 schedules"), "{says}");
    }
    let says = verdict(&["--strategy=dfs", "--schedules=24"], add);
    assert!(says.starts_with("all 24 "), "{says}");
    // A run that is cut may have hidden others.
    let says = verdict(&["--strategy=dfs", "--steps=100"], "for {}");
    assert!(says.starts_with("nothing found in 1 schedules"), "{says}");
    let spin = "go func() { for { runtime.Gosched() } }()";
    let says = verdict(&["--strategy=dfs", "--steps=100"], spin);
    assert!(says.starts_with("nothing found in 1 schedules"), "{says}");
    // What it reads may be something else another time.
    let reads = "b := make([]byte, 1); os.Stdin.Read(b)";
    let says = verdict(&["--strategy=dfs"], reads);
    assert!(
        says.contains("if what it reads from outside stays the same"),
        "{says}"
    );
    let sleeps = "go func() { time.Sleep(1) }()";
    for strategy in ["--strategy=dfs", "--strategy=dfs:1"] {
        let says = verdict(&[strategy], sleeps);
        assert!(
            says.contains("if no timer overtakes what can run"),
            "{says}"
        );
        assert!(!verdict(&[strategy], add).contains("timer"));
    }
    let says = verdict(&["--strategy=dfs", "--no-race"], add);
    assert!(says.contains("if it has no data race"), "{says}");
}

/// What ends the program may come before what others would have done.
#[test]
fn what_comes_behind_the_end_may_come_before_it() {
    for code in [
        "go func() { panic(1) }()",
        "go func() { panic(1) }(); os.Exit(0)",
        "var n atomic.Int64; go func() { if n.Load() == 1 { panic(1) } }(); n.Store(1)",
    ] {
        for strategy in ["dfs", "dfs:1"] {
            let ran = searched(&[&format!("--strategy={strategy}")], code);
            assert_eq!(ran.end, End::Exit(3), "{strategy}: {code}: {}", ran.stderr);
        }
    }
}

/// Whatever reads what other goroutines change is a point: what ordinary schedules find of it, one
/// schedule of each class finds, too.
#[test]
fn looks_are_points() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/steer/looks");
    let programs: Vec<_> = std::fs::read_dir(folder).unwrap().collect();
    assert!(programs.len() >= 25);
    for program in programs {
        let program = program.unwrap().path();
        let found = ["--strategy=auto", "--strategy=dfs"].map(|strategy| {
            let mut command = gosched();
            command.args([
                "explore",
                "--seed=1",
                "--no-race",
                "--no-minimise",
                strategy,
            ]);
            let recording = std::env::temp_dir().join("gosched-exhaust-looks.gosched");
            command.arg("-o").arg(recording).arg(&program);
            let ran = run(&mut command, b"", Duration::from_secs(120));
            let found = ran.stderr.lines().find_map(|l| l.strip_prefix("found: "));
            let found = found.unwrap_or_else(|| {
                panic!("{strategy}: {}: {}", program.display(), ran.stderr);
            });
            found.split_once(", ").unwrap().0.to_string()
        });
        assert_eq!(found[0], found[1], "{}", program.display());
    }
}

/// A program of three goroutines that do what the numbers say, and tell what they have seen.
fn generated(seed: u64, ops: [u32; 3]) -> String {
    let mut state = seed;
    let mut draw = |n: u64| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (state >> 33) % n
    };
    let mut code = String::from(
        "var a, b atomic.Int64; var mu sync.Mutex; c := make(chan int, 2); var seen [3]int64\n",
    );
    for (g, n) in ops.into_iter().enumerate() {
        code += "go func() {\n";
        for _ in 0..n {
            code += &match draw(6) {
                0 => format!("seen[{g}] = seen[{g}]*10 + a.Add({})\n", g + 1),
                1 => format!("b.Store(a.Load() + {g})\n"),
                2 => format!("seen[{g}] = seen[{g}]*10 + b.Load()\n"),
                3 => format!("mu.Lock(); seen[{g}] = seen[{g}]*10 + b.Load(); mu.Unlock()\n"),
                4 => format!("select {{ case c <- {g}: default: seen[{g}] += 100 }}\n"),
                _ => {
                    format!("select {{ case v := <-c: seen[{g}] += int64(v) * 1000; default: }}\n")
                }
            };
        }
        code += "}()\n";
    }
    code + "time.Sleep(1); fmt.Println(seen, a.Load(), b.Load(), len(c))\n"
}

/// How many different outputs `code` has, and in how many schedules.
fn outputs(strategy: &str, code: &str) -> (u64, u64) {
    let ran = searched(&[strategy, "--no-race", "--json"], code);
    assert_eq!(ran.end, End::Exit(0), "{code}: {}", ran.stderr);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert!(report["all"].is_string(), "{code}: {report}");
    let number = |name: &str| report[name].as_u64().unwrap();
    (number("outputs"), number("schedules"))
}

/// Classes lose nothing: what programs print in all schedules they print in one of each class. In
/// three operations there is no room for more than three preemptions.
#[test]
fn classes_show_all_that_schedules_show() {
    let mut most = 0;
    for seed in 0..12 {
        let code = generated(seed * 7919 + 1, [1, 1, 1]);
        let (of_all, all) = outputs("--strategy=dfs:3", &code);
        let (of_classes, classes) = outputs("--strategy=dfs", &code);
        assert_eq!(of_all, of_classes, "{code}");
        assert!(classes <= all, "{code}: {classes} of {all}");
        let code = generated(seed * 7919 + 1, [2, 2, 1]);
        let (of_some, _) = outputs("--strategy=dfs:1", &code);
        let (of_classes, _) = outputs("--strategy=dfs", &code);
        assert!(of_some <= of_classes, "{code}: {of_some}, {of_classes}");
        most = most.max(of_classes);
    }
    assert!(most > 5, "none has more than {most} outputs");
}
