//! Runs whose decisions come from a seed: the same seed gives the same run, under any load, and
//! some seed gives each order. Virtual time passes only when nothing can run.

mod support;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use support::{End, Ran, gosched, run};

/// Runs code with these flags.
fn steered(flags: &[&str], code: &str) -> Ran {
    let mut command = gosched();
    command.args(flags).args(["-e", code]);
    run(&mut command, b"", Duration::from_secs(60))
}

fn with_seed(seed: u32, code: &str) -> Ran {
    steered(&[&format!("--seed={seed}")], code)
}

/// Goroutines whose order shows in what is printed.
const ORDER: &str = r#"
    var mu sync.Mutex
    var order []int
    var wg sync.WaitGroup
    for i := range 6 {
        wg.Go(func() {
            for range 3 {
                mu.Lock()
                order = append(order, i)
                mu.Unlock()
            }
        })
    }
    wg.Wait()
    fmt.Println(order)
"#;

/// Everything else that is drawn.
const DRAWS: &str = r#"
    a, b := make(chan int, 9), make(chan int, 9)
    for i := range 9 { a <- i; b <- i }
    for range 9 {
        select {
        case n := <-a: fmt.Print("a", n, " ")
        case n := <-b: fmt.Print("b", n, " ")
        }
    }
    m := map[string]int{}
    for i := range 20 { m[fmt.Sprint(i)] = i }
    for k := range m { fmt.Print(k, " ") }
    fmt.Println(rand.IntN(1000000), time.Now().UTC(), runtime.GOMAXPROCS(0), runtime.NumCPU())
    fmt.Printf("%p\n", &m)
"#;

#[test]
fn a_seed_gives_one_run() {
    for code in [ORDER, DRAWS] {
        let mut all = BTreeSet::new();
        for seed in 0..5 {
            let first = with_seed(seed, code);
            assert_eq!(first.end, End::Exit(0), "{}", first.stderr);
            for _ in 0..5 {
                let again = with_seed(seed, code);
                assert_eq!((again.end, again.stdout), (first.end, first.stdout.clone()));
            }
            all.insert(first.stdout);
        }
        assert!(all.len() > 1, "{all:?}");
    }
}

/// An increment that is lost only if another goroutine runs in its middle.
const LOST: &str = r#"
    var n atomic.Int64
    var wg sync.WaitGroup
    for range 2 { wg.Go(func() { old := n.Load(); n.Store(old + 1) }) }
    wg.Wait()
    fmt.Println(n.Load())
"#;

/// Two locks in two orders.
const LOCKS: &str = r#"
    var a, b sync.Mutex
    done := make(chan bool)
    go func() { a.Lock(); b.Lock(); b.Unlock(); a.Unlock(); done <- true }()
    go func() { b.Lock(); a.Lock(); a.Unlock(); b.Unlock(); done <- true }()
    <-done
    <-done
    fmt.Println("done")
"#;

#[test]
fn some_seed_gives_each_order() {
    let seen: BTreeSet<String> = (0..40).map(|seed| with_seed(seed, LOST).stdout).collect();
    assert_eq!(seen, BTreeSet::from(["1\n".to_string(), "2\n".to_string()]));
    let ends: Vec<End> = (0..40).map(|seed| with_seed(seed, LOCKS).end).collect();
    assert!(
        ends.contains(&End::Exit(0)) && ends.contains(&End::Exit(2)),
        "{ends:?}"
    );
}

/// A loop that waits for a flag, and a goroutine that does not come to a point.
const SPIN: &str = r#"
    var stop atomic.Bool
    go func() { stop.Store(true) }()
    for !stop.Load() {}
    done := false
    go func() { done = true }()
    for i := 0; !done; i++ {}
    fmt.Println("over")
"#;

#[test]
fn loops_let_others_run() {
    for seed in 0..10 {
        let ran = with_seed(seed, SPIN);
        assert_eq!(
            (ran.end, &*ran.stdout),
            (End::Exit(0), "over\n"),
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn sleeping_takes_no_time() {
    let day = r#"
        begin := time.Now()
        fired := 0
        for i := range 100 { time.AfterFunc(time.Duration(i) * time.Minute, func() { fired++ }) }
        t := time.NewTicker(time.Hour)
        for range 5 { <-t.C }
        time.Sleep(24 * time.Hour)
        ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
        <-ctx.Done()
        cancel()
        for e := time.Now().Add(time.Second); time.Now().Before(e); {}
        fmt.Println(time.Since(begin).Round(time.Minute), fired, ctx.Err())
    "#;
    for flags in [["--virtual-time"], ["--seed=7"]] {
        let begin = Instant::now();
        let ran = steered(&flags, day);
        let want = "30h0m0s 100 context deadline exceeded\n";
        assert_eq!(
            (ran.end, &*ran.stdout),
            (End::Exit(0), want),
            "{}",
            ran.stderr
        );
        assert!(begin.elapsed() < Duration::from_secs(30));
    }
}

#[test]
fn timers_fire_in_their_order() {
    let code = r#"
        var order []int
        done := make(chan bool)
        for _, d := range []int{5, 1, 4, 2, 3} {
            time.AfterFunc(time.Duration(d)*time.Hour, func() {
                order = append(order, d)
                if len(order) == 5 { done <- true }
            })
        }
        <-done
        fmt.Println(order)
    "#;
    for seed in 0..10 {
        assert_eq!(with_seed(seed, code).stdout, "[1 2 3 4 5]\n");
    }
}

#[test]
fn deadlocks_and_panics_are_told_as_ever() {
    let ran = with_seed(1, "var mu sync.Mutex; mu.Lock(); mu.Lock()");
    assert_eq!(ran.end, End::Exit(2));
    assert!(
        ran.stderr
            .starts_with("fatal error: all goroutines are asleep - deadlock!")
    );
    let ran = with_seed(1, "go panic(1); select {}");
    assert_eq!(ran.end, End::Exit(2));
    assert!(ran.stderr.starts_with("panic: 1"), "{}", ran.stderr);
}

/// Goroutines that talk over the loopback, whose kernel takes its time.
#[test]
fn sockets_work() {
    let code = r#"
        l, err := net.Listen("tcp", "127.0.0.1:0")
        if err != nil { panic(err) }
        go func() {
            c, _ := l.Accept()
            io.Copy(c, c)
            c.Close()
        }()
        c, err := net.Dial("tcp", l.Addr().String())
        if err != nil { panic(err) }
        c.SetDeadline(time.Now().Add(time.Hour))
        fmt.Fprintln(c, "hello")
        line, err := bufio.NewReader(c).ReadString('\n')
        fmt.Print(line, err, "\n")
    "#;
    for seed in 0..5 {
        let ran = with_seed(seed, code);
        assert_eq!(
            (ran.end, &*ran.stdout),
            (End::Exit(0), "hello\n<nil>\n"),
            "{}",
            ran.stderr
        );
    }
}

/// Searches the schedules of code.
fn explored(flags: &[&str], code: &str) -> Ran {
    let mut command = gosched();
    command.arg("explore").args(flags).args(["-e", code]);
    run(&mut command, b"", Duration::from_secs(120))
}

/// What follows `begin` in the line of a report that begins so.
fn told<'r>(ran: &'r Ran, begin: &str) -> &'r str {
    let found = ran.stderr.lines().find_map(|l| l.strip_prefix(begin));
    found.unwrap_or_else(|| panic!("no {begin:?} in {}", ran.stderr))
}

/// What a dying program prints, without the addresses of descriptions of types, which are where
/// the machine puts them.
fn dump(text: &str) -> String {
    let words = text.split_inclusive(|c: char| !c.is_ascii_alphanumeric());
    words
        .filter(|w| !(w.starts_with("0x") && w.len() > 8))
        .collect()
}

/// A channel that two may close.
const CLOSED: &str = r#"
    var mu sync.Mutex
    closed := false
    c := make(chan int)
    var wg sync.WaitGroup
    for range 2 {
        wg.Go(func() {
            mu.Lock()
            is := closed
            mu.Unlock()
            if !is {
                mu.Lock()
                closed = true
                mu.Unlock()
                close(c)
            }
        })
    }
    wg.Wait()
"#;

/// As [`LOCKS`], in one order.
const FIXED: &str = r#"
    var a, b sync.Mutex
    done := make(chan bool)
    for range 2 {
        go func() { a.Lock(); b.Lock(); b.Unlock(); a.Unlock(); done <- true }()
    }
    <-done
    <-done
"#;

#[test]
fn a_search_finds_and_says_how_to_see_it_again() {
    for seed in 0..10 {
        let seed = format!("--seed={seed}");
        for (code, kind) in [(LOCKS, "deadlock, "), (CLOSED, "panic, ")] {
            let ran = explored(&[&seed, "--schedules=100"], code);
            assert_eq!(ran.end, End::Exit(3), "{}", ran.stderr);
            assert!(told(&ran, "found: ").starts_with(kind), "{}", ran.stderr);
            let rest = told(&ran, "again: gosched run --seed=");
            let found = rest.split(' ').next().unwrap().parse().unwrap();
            for _ in 0..3 {
                let again = with_seed(found, code);
                assert_eq!(again.end, End::Exit(2));
                assert_eq!(dump(&again.stderr), dump(&ran.stdout));
            }
        }
        let ran = explored(&[&seed, "--schedules=50"], FIXED);
        assert_eq!(ran.end, End::Exit(0), "{}{}", ran.stdout, ran.stderr);
        told(&ran, "nothing found in 50 schedules");
    }
}

#[test]
fn how_many_run_at_once_does_not_matter() {
    for seed in ["--seed=3", "--seed=4"] {
        let one = explored(&[seed, "--jobs=1"], CLOSED);
        let many = explored(&[seed, "--jobs=4"], CLOSED);
        assert_eq!(told(&one, "again: "), told(&many, "again: "));
        assert_eq!(dump(&one.stdout), dump(&many.stdout));
    }
}

#[test]
fn a_run_without_end_is_a_note() {
    let ran = explored(&["--schedules=3", "--steps=1000"], "for {}");
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    let note = "3 did not end in 1000 decisions";
    assert!(ran.stderr.contains(note), "{}", ran.stderr);
}
