//! Goroutines that wait for ever: which `--leaks` shows, and which it does not.

mod support;

use std::time::Duration;
use support::{End, Ran, gosched, run};

/// Statements of `main`, and how many goroutines they leak.
const CASES: &[(&str, usize)] = &[
    // Nobody else has the channel.
    ("c := make(chan int); go func() { c <- 1 }()", 1),
    ("c := make(chan int); go func() { <-c }()", 1),
    ("c := make(chan int, 1); go func() { c <- 1; c <- 2 }()", 1),
    ("c := make(chan int); go func() { for range c {} }()", 1),
    (
        "c := make(chan int); for range 3 { go func() { <-c }() }",
        3,
    ),
    (
        "a, b := make(chan int), make(chan int); go func() { select { case <-a: case <-b: } }()",
        1,
    ),
    // Nobody can.
    ("go func() { select {} }()", 1),
    ("go func() { var c chan int; <-c }()", 1),
    ("go func() { var c chan int; c <- 1 }()", 1),
    (
        "go func() { var c chan int; select { case <-c: case c <- 1: } }()",
        1,
    ),
    // Those that could are leaked too.
    (
        "a, b := make(chan int), make(chan int); go func() { <-a; b <- 1 }(); go func() { <-b; \
         a <- 1 }()",
        2,
    ),
    (
        "a, b := make(chan int), make(chan int); go func() { <-a; close(b) }(); \
         go func() { <-b }()",
        2,
    ),
    // Locks and groups.
    (
        "mu := new(sync.Mutex); mu.Lock(); go func() { mu.Lock() }()",
        1,
    ),
    (
        "mu := new(sync.RWMutex); mu.RLock(); go func() { mu.Lock() }()",
        1,
    ),
    (
        "mu := new(sync.RWMutex); mu.Lock(); go func() { mu.RLock() }()",
        1,
    ),
    (
        "wg := new(sync.WaitGroup); wg.Add(1); go func() { wg.Wait() }()",
        1,
    ),
    (
        "c := sync.NewCond(new(sync.Mutex)); go func() { c.L.Lock(); c.Wait() }()",
        1,
    ),
    // A context that nobody cancels.
    (
        "ctx, _ := context.WithCancel(context.Background()); go func() { <-ctx.Done() }()",
        1,
    ),
    // Somebody can still do it.
    (
        "c := make(chan int); go func() { <-c }(); go func() { time.Sleep(time.Hour); c <- 1 }()",
        0,
    ),
    (
        "c := make(chan int); go func() { <-c }(); time.AfterFunc(time.Hour, func() { c <- 1 })",
        0,
    ),
    ("go func() { <-time.After(time.Hour) }()", 0),
    ("go func() { for range time.Tick(time.Hour) {} }()", 0),
    (
        "t := time.NewTimer(time.Hour); c := make(chan int); \
         go func() { select { case <-t.C: case <-c: } }()",
        0,
    ),
    (
        "ctx, _ := context.WithTimeout(context.Background(), time.Hour); \
         go func() { <-ctx.Done() }()",
        0,
    ),
    (
        "mu := new(sync.Mutex); mu.Lock(); go func() { mu.Lock() }(); \
         time.AfterFunc(time.Hour, mu.Unlock)",
        0,
    ),
    (
        "c := make(chan chan int); d := make(chan int); go func() { <-d }(); \
         go func() { time.Sleep(time.Hour); c <- d }(); go func() { (<-c) <- 1 }()",
        0,
    ),
    // What waits is done with.
    ("c := make(chan int); go func() { c <- 1 }(); <-c", 0),
    (
        "wg := new(sync.WaitGroup); for range 5 { wg.Go(func() {}) }; wg.Wait()",
        0,
    ),
    ("go func() { time.Sleep(time.Hour) }()", 0),
    (
        "r, _, _ := os.Pipe(); go func() { r.Read(make([]byte, 1)) }()",
        0,
    ),
];

fn leaking(flags: &[&str], body: &str) -> Ran {
    let mut command = gosched();
    // Goroutines come to wait before the end.
    let code = format!("{body}; for range 20 {{ runtime.Gosched(); time.Sleep(100) }}");
    command.args(flags).args(["-e", &code]);
    run(&mut command, b"", Duration::from_secs(60))
}

#[test]
fn what_waits_for_ever_is_leaked() {
    for (body, n) in CASES {
        for flags in [&["--leaks", "--virtual-time"][..], &["--leaks", "--seed=1"]] {
            let ran = leaking(flags, body);
            let status = if *n == 0 { 0 } else { 67 };
            let shown = ran.stderr.matches(" (leaked)]:\n").count();
            assert_eq!(
                (ran.end, shown),
                (End::Exit(status), *n),
                "{body}\n{}",
                ran.stderr
            );
        }
    }
}

/// A package-level variable may be used by whoever runs.
#[test]
fn what_package_level_variables_hold_is_not() {
    let code = "package main\nvar c = make(chan int)\nfunc main() { go func() { <-c }(); \
     for range 9 { println() } }";
    let file = std::env::temp_dir().join(format!("gosched-leaks-{}.go", std::process::id()));
    std::fs::write(&file, code).unwrap();
    let ran = run(
        gosched().arg("--leaks").arg(&file),
        b"",
        Duration::from_secs(60),
    );
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
}

#[test]
fn without_the_flag_the_status_stays() {
    let body = "go func() { select {} }()";
    let ran = leaking(&[], body);
    assert_eq!((ran.end, &*ran.stderr), (End::Exit(0), ""));
    let mut command = gosched();
    command.env("GODEBUG", "leakcheck=1");
    command.args(["-e", &format!("{body}; time.Sleep(1e7)")]);
    let ran = run(&mut command, b"", Duration::from_secs(60));
    assert_eq!(ran.end, End::Exit(0));
    let shown = ran
        .stderr
        .starts_with("leaked: 1 goroutine waits for ever\n\n");
    let header = " [select (no cases) (leaked)]:\n";
    assert!(shown && ran.stderr.contains(header), "{}", ran.stderr);
}
