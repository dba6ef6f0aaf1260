//! `gosched explore --strategy=dfs`: every schedule, or one of each class, and the right to say so.

mod support;

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;
use support::{End, Ran, gosched, run};

/// Searches what `code` can do.
fn searched(flags: &[&str], code: &str) -> Ran {
    let mut command = gosched();
    let recording = std::env::temp_dir().join(format!("gosched-exhaust-{}", std::process::id()));
    command.arg("explore").arg("-o").arg(recording);
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
/// differ only in the order of operations that do not concern each other. Who would have to wait
/// for a lock, a group, or a channel with a buffer does so until it need not, which is none;
/// but at a channel without a buffer it is one, for the partner finds who waits.
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
    // 2!, 3!
    (
        2,
        "var mu sync.Mutex; for range 2 { go func() { mu.Lock(); mu.Unlock() }() }",
    ),
    (
        6,
        "var mu sync.Mutex; for range 3 { go func() { mu.Lock(); mu.Unlock() }() }",
    ),
    // Nobody sees who is done first.
    (
        1,
        "var wg sync.WaitGroup; wg.Add(3); for range 3 { go wg.Done() }; wg.Wait()",
    ),
    (
        6,
        "var mu sync.Mutex; var wg sync.WaitGroup; wg.Add(3)
        for range 3 { go func() { mu.Lock(); mu.Unlock(); wg.Done() }() }
        wg.Wait()",
    ),
    // 4!
    (
        24,
        "c := make(chan int, 4); for i := range 4 { go func() { c <- i }() }",
    ),
    // Readers do not concern each other.
    (
        1,
        "var mu sync.RWMutex; for range 2 { go func() { mu.RLock(); mu.RUnlock() }() }",
    ),
    // The sends in two orders; what is received follows from that.
    (
        2,
        "c := make(chan int, 2); for i := range 2 { go func() { c <- i }() }; <-c; <-c",
    ),
    // Three receives and a close, in any order.
    (
        24,
        "c := make(chan int); for range 3 { go func() { <-c }() }; close(c)",
    ),
];

/// A step of a goroutine in a generated program.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Step {
    /// Of the atomic number of this index.
    Load(usize),
    Add(usize),
    /// Of the lock of this index.
    Lock(usize),
    Unlock(usize),
    /// Into a channel with room for all.
    Send,
    Done,
    /// Waits until all are done.
    Wait,
}

impl Step {
    fn code(self) -> String {
        match self {
            Step::Load(i) => format!("n[{i}].Load();"),
            Step::Add(i) => format!("n[{i}].Add(1);"),
            Step::Lock(i) => format!("mu[{i}].Lock();"),
            Step::Unlock(i) => format!("mu[{i}].Unlock();"),
            Step::Send => "c <- 1;".into(),
            Step::Done => "wg.Done();".into(),
            Step::Wait => "wg.Wait();".into(),
        }
    }

    /// Does it matter which of both comes first?
    fn concerns(self, other: Step) -> bool {
        match (self, other) {
            (Step::Add(i), Step::Add(j) | Step::Load(j)) | (Step::Load(i), Step::Add(j)) => i == j,
            (Step::Lock(i) | Step::Unlock(i), Step::Lock(j) | Step::Unlock(j)) => i == j,
            (Step::Send, Step::Send) => true,
            (Step::Done, Step::Wait) | (Step::Wait, Step::Done) => true,
            _ => false,
        }
    }
}

/// How many classes the interleavings of these goroutines have: all are tried. A class is known by
/// which of two steps that concern each other comes first. `None`: some end in a deadlock.
fn enumerated(all: &[Vec<Step>]) -> Option<usize> {
    fn go(all: &[Vec<Step>], way: &mut Vec<(usize, usize)>, seen: &mut BTreeSet<Vec<u8>>) -> bool {
        let dones = all.iter().flatten().filter(|s| **s == Step::Done).count();
        let mut can_end = true;
        let mut can_go = false;
        for g in 0..all.len() {
            let i = way.iter().filter(|(by, _)| *by == g).count();
            let Some(step) = all[g].get(i) else { continue };
            can_end = false;
            let done = |step: Step| way.iter().filter(|(g, i)| all[*g][*i] == step).count();
            let waits = match *step {
                Step::Lock(m) => done(Step::Lock(m)) > done(Step::Unlock(m)),
                Step::Wait => done(Step::Done) < dones,
                _ => false,
            };
            if waits {
                continue;
            }
            can_go = true;
            way.push((g, i));
            let ends = go(all, way, seen);
            way.pop();
            if !ends {
                return false;
            }
        }
        if can_end {
            let place = |x: (usize, usize)| way.iter().position(|y| *y == x);
            let steps = || (0..all.len()).flat_map(|g| (0..all[g].len()).map(move |i| (g, i)));
            let mut class = Vec::new();
            for a in steps() {
                for b in steps().filter(|b| b.0 > a.0 && all[a.0][a.1].concerns(all[b.0][b.1])) {
                    class.push(u8::from(place(a) < place(b)));
                }
            }
            seen.insert(class);
        }
        can_end || can_go
    }
    let mut seen = BTreeSet::new();
    go(all, &mut Vec::new(), &mut seen).then_some(seen.len())
}

/// The classes that are visited are as many as there are, in programs drawn by lot.
#[test]
fn classes_are_as_many_as_there_are() {
    let mut state = 1_u64;
    let mut draw = |n: u64| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (state >> 33) % n
    };
    let mut programs = 0;
    let mut most = 0;
    while programs < 40 {
        let mut all: Vec<Vec<Step>> = Vec::new();
        for _ in 0..2 + draw(2) {
            let mut steps = Vec::new();
            for _ in 0..1 + draw(2) {
                let i = draw(2) as usize;
                match draw(5) {
                    0 => steps.push(Step::Load(i)),
                    1 => steps.push(Step::Add(i)),
                    2 => steps.push(Step::Send),
                    3 => steps.extend([Step::Lock(i), Step::Unlock(i)]),
                    _ => steps.extend([Step::Lock(i), Step::Load(i), Step::Unlock(i)]),
                }
            }
            if draw(2) == 0 {
                steps.push(Step::Done);
            }
            all.push(steps);
        }
        if draw(2) == 0 {
            all.push(vec![Step::Wait, Step::Add(0)]);
        }
        let Some(classes) = enumerated(&all) else {
            continue;
        };
        let dones = all.iter().flatten().filter(|s| **s == Step::Done).count();
        let mut code = format!(
            "var n [2]atomic.Int64; var mu [2]sync.Mutex; c := make(chan int, 9)
            var wg sync.WaitGroup; _, _, _, _ = &n, &mu, c, &wg; wg.Add({dones})\n"
        );
        for steps in &all {
            let steps: String = steps.iter().map(|s| s.code()).collect();
            code += &format!("go func() {{ {steps} }}()\n");
        }
        let says = verdict(&["--strategy=dfs"], &code);
        let told = match classes {
            1 => "the one class of schedules".to_string(),
            n => format!("all {n} classes of schedules"),
        };
        assert!(
            says.starts_with(&told),
            "{code}{says}, and there are {classes}"
        );
        programs += 1;
        most = most.max(classes);
    }
    assert!(most >= 15, "{most}");
}

/// A program in which nothing can come otherwise is run once.
#[test]
fn a_search_without_a_choice_is_over() {
    for code in [
        "fmt.Println(1)",
        "done := make(chan int, 1); done <- 1; <-done",
        "t := time.NewTimer(time.Hour); done := make(chan int, 1); done <- 1; t.Stop()",
    ] {
        let says = verdict(&[], code);
        assert!(
            says.starts_with("the one schedule: nothing found"),
            "{says}"
        );
    }
    for code in [
        "c := make(chan int); go func() { c <- 1 }(); <-c",
        "time.Sleep(1); go func() {}(); time.Sleep(1)",
    ] {
        let says = verdict(&["--schedules=20"], code);
        assert!(says.starts_with("nothing found in 20 schedules"), "{says}");
    }
}

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
    assert!(programs.len() >= 29);
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
