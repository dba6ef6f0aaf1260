//! Runs whose decisions come from a seed: the same seed gives the same run, under any load, and
//! some seed gives each order. Virtual time passes only when nothing can run.

mod support;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
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

/// Goroutines that wait for a pipe in the kernel, for each other.
const PIPE: &str = r#"
    var p [2]int
    if err := syscall.Pipe(p[:]); err != nil { panic(err) }
    begin := time.Now()
    got := make(chan string)
    for range 3 {
        go func() {
            b := make([]byte, 5)
            n, err := syscall.Read(p[0], b)
            got <- fmt.Sprint(string(b[:n]), err)
        }()
    }
    for range 3 {
        time.Sleep(time.Hour)
        syscall.Write(p[1], []byte("hello"))
        fmt.Println(<-got)
    }
    fmt.Println(time.Since(begin).Round(time.Hour))
"#;

/// Children that take their time, and a goroutine that does not wait for them.
const CHILDREN: &str = r#"
    early := time.AfterFunc(time.Hour, func() { fmt.Println("too early") })
    done := make(chan error)
    go func() { done <- exec.Command("sleep", "0.2").Run() }()
    go func() {
        b, err := exec.Command("sh", "-c", "sleep 0.1; head -c 300000 /dev/zero").Output()
        if len(b) != 300000 { panic(len(b)) }
        done <- err
    }()
    turns, ended := 0, 0
    for ended < 2 {
        select {
        case err := <-done:
            fmt.Println(err)
            ended++
        default:
            turns++
            runtime.Gosched()
        }
    }
    fmt.Println(turns > 100)
    fmt.Println(exec.Command("sleep", "0.2").Run(), early.Stop())
"#;

/// A goroutine that the kernel keeps keeps nobody else; time does not pass while an answer from
/// outside is awaited.
#[test]
fn others_run_beside_a_system_call() {
    for flags in [["--virtual-time"], ["--seed=1"], ["--seed=2"], ["--seed=3"]] {
        let answers = [
            (PIPE, "hello<nil>\n".repeat(3) + "3h0m0s\n"),
            (CHILDREN, "<nil>\n<nil>\ntrue\n<nil> true\n".to_string()),
        ];
        for (code, want) in answers {
            let ran = steered(&flags, code);
            assert_eq!(
                (ran.end, ran.stdout),
                (End::Exit(0), want),
                "{flags:?}: {}",
                ran.stderr
            );
        }
    }
    let (ran, _) = explored(&["--schedules=10", "--seed=1"], &["-e", PIPE]);
    assert_eq!(ran.end, End::Exit(0), "{}{}", ran.stdout, ran.stderr);
}

/// A service that is told to stop by itself: the signal comes before any time passes.
const STOPS: &str = r#"
    ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
    defer stop()
    go func() {
        time.Sleep(time.Second)
        syscall.Kill(syscall.Getpid(), syscall.SIGTERM)
    }()
    select {
    case <-ctx.Done():
        fmt.Println(context.Cause(ctx))
    case <-time.After(1001 * time.Millisecond):
        fmt.Println("late")
    }"#;

#[test]
fn a_signal_to_itself_arrives_before_time_passes() {
    for seed in 1..=20 {
        let ran = with_seed(seed, STOPS);
        assert_eq!(ran.stdout, "terminated signal received\n", "{seed}");
    }
    let (ran, _) = explored(&["--schedules=50", "--seed=1"], &["-e", STOPS]);
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stdout);
}

#[test]
fn the_number_of_processors_is_told_as_ever() {
    let code = "fmt.Println(runtime.GOMAXPROCS(1<<32+3), runtime.GOMAXPROCS(0))";
    let ran = with_seed(1, code);
    assert_eq!((ran.end, &*ran.stdout), (End::Exit(0), "4 3\n"));
    let ran = with_seed(1, "runtime.GOMAXPROCS(1<<40)");
    assert_eq!(ran.end, End::Exit(2));
    assert!(
        ran.stderr
            .starts_with("fatal error: procresize: invalid arg"),
        "{}",
        ran.stderr
    );
}

/// Searches the schedules of what `what` says, which may be flags and a file or code.
fn explored(flags: &[&str], what: &[&str]) -> (Ran, PathBuf) {
    let file = tempfile_path();
    let mut command = gosched();
    command.arg("explore").arg("-o").arg(&file).args(flags);
    // What is ended in its middle leaves its temporary files behind.
    command.args(what).env("TMPDIR", file.with_file_name(""));
    (run(&mut command, b"", Duration::from_secs(120)), file)
}

/// A name for a file that nobody else has.
fn tempfile_path() -> PathBuf {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let folder = std::env::temp_dir().join(format!("gosched-steer-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(format!("{}.gosched", NUMBER.fetch_add(1, Relaxed)))
}

fn replayed(flags: &[&str], file: &Path) -> Ran {
    let mut command = gosched();
    command.arg("replay").args(flags).arg(file);
    run(&mut command, b"", Duration::from_secs(60))
}

/// What follows `begin` in the line of a report that begins so.
fn told<'r>(ran: &'r Ran, begin: &str) -> &'r str {
    let found = ran.stderr.lines().find_map(|l| l.strip_prefix(begin));
    found.unwrap_or_else(|| panic!("no {begin:?} in {}", ran.stderr))
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
                close(c)
                mu.Unlock()
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
fn what_a_search_finds_is_replayed() {
    for seed in 0..5 {
        let seed = format!("--seed={seed}");
        for (code, kind) in [(LOCKS, "deadlock, "), (CLOSED, "panic, ")] {
            for small in [&[&*seed][..], &[&*seed, "--no-minimise"]] {
                let (ran, file) = explored(small, &["-e", code]);
                assert_eq!(ran.end, End::Exit(3), "{}", ran.stderr);
                assert!(told(&ran, "found: ").starts_with(kind), "{}", ran.stderr);
                assert!(!ran.stderr.contains("not reproducible"), "{}", ran.stderr);
                for _ in 0..3 {
                    let again = replayed(&[], &file);
                    assert_eq!((again.end, &again.stderr), (End::Exit(2), &ran.stdout));
                }
            }
        }
        let (ran, _) = explored(&[&seed, "--schedules=50"], &["-e", FIXED]);
        assert_eq!(ran.end, End::Exit(0), "{}{}", ran.stdout, ran.stderr);
        told(&ran, "nothing found in 50 schedules");
    }
}

#[test]
fn how_many_run_at_once_does_not_matter() {
    for seed in ["--seed=3", "--seed=4"] {
        let (one, file_of_one) = explored(&[seed, "--jobs=1"], &["-e", CLOSED]);
        let (many, file_of_many) = explored(&[seed, "--jobs=4"], &["-e", CLOSED]);
        assert_eq!(one.stdout, many.stdout);
        let [one, many] = [file_of_one, file_of_many].map(|f| std::fs::read(f).unwrap());
        assert_eq!(one, many);
    }
}

#[test]
fn a_run_without_end_is_a_note() {
    let (ran, _) = explored(&["--schedules=3", "--steps=1000"], &["-e", "for {}"]);
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    let note = "3 did not end in 1000 decisions";
    assert!(ran.stderr.contains(note), "{}", ran.stderr);
}

/// The programs with a bug, or those that are mended.
fn programs(are_mended: bool) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["examples/steer", "tests/steer"] {
        let folder = std::fs::read_dir(root.join(folder)).unwrap();
        files.extend(folder.map(|f| f.unwrap().path()));
    }
    files.retain(|f| f.extension().is_some_and(|e| e == "go"));
    let is_mended = |f: &Path| {
        let name = f.file_stem().unwrap().to_string_lossy();
        name.ends_with("_fixed") || name.ends_with("_mended")
    };
    files.retain(|f| is_mended(f) == are_mended);
    files.sort();
    assert!(files.len() >= 70);
    files
}

/// Of the programs those that `GOSCHED_STEER_PART=SEED:K/N` asks for.
fn part(mut all: Vec<PathBuf>) -> Vec<PathBuf> {
    all.retain(|f| support::in_part_of("GOSCHED_STEER_PART", &f.to_string_lossy()));
    all
}

/// One of those with a bug.
fn example(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    root.join("examples/steer").join(name)
}

/// Some bugs show only where what can run waits for seconds.
const STALL: &str = "--max-stall=any";

/// In how many schedules from a seed each bug is found, and whether what is found is replayed.
fn find_bugs(seeds: u32) {
    let mut quick = 0;
    let mut all = 0;
    for program in part(programs(false)) {
        let mut counts = Vec::new();
        for seed in 0..seeds {
            let seed = format!("--seed={seed}");
            let flags = [&*seed, "--schedules=100", STALL];
            let (ran, file) = explored(&flags, &[program.to_str().unwrap()]);
            assert_eq!(
                ran.end,
                End::Exit(3),
                "{}: {}",
                program.display(),
                ran.stderr
            );
            assert!(!ran.stderr.contains("not reproducible"), "{}", ran.stderr);
            let (_, n) = told(&ran, "found: ").split_once("after ").unwrap();
            let n: u32 = n.split(' ').next().unwrap().parse().unwrap();
            let again = replayed(&[], &file);
            // A program that leaves goroutines behind ends well.
            assert!(
                matches!(again.end, End::Exit(0..=2 | 66)),
                "{}",
                again.stderr
            );
            counts.push(n);
        }
        quick += counts.iter().filter(|n| **n <= 10).count();
        all += counts.len();
        counts.sort_unstable();
        println!("{}: {counts:?}", program.file_name().unwrap().display());
    }
    println!("{quick} of {all} in ten schedules");
}

#[test]
fn bugs_are_found() {
    find_bugs(2);
}

#[test]
#[ignore = "takes minutes"]
fn bugs_are_found_from_every_seed() {
    find_bugs(20);
}

fn find_nothing(schedules: u32) {
    for program in part(programs(true)) {
        let schedules = format!("--schedules={schedules}");
        let flags = ["--seed=1", &*schedules, STALL];
        let (ran, _) = explored(&flags, &[program.to_str().unwrap()]);
        assert_eq!(
            ran.end,
            End::Exit(0),
            "{}: {}",
            program.display(),
            ran.stderr
        );
    }
}

#[test]
fn nothing_is_found_where_nothing_is() {
    find_nothing(50);
}

#[test]
#[ignore = "takes minutes"]
fn nothing_is_found_in_many_schedules() {
    find_nothing(1000);
}

/// Instances of one generic function have one name, and are told apart all the same.
#[test]
fn instances_of_a_generic_function_are_told_apart() {
    let folder = tempfile_path();
    std::fs::create_dir(&folder).unwrap();
    let program = folder.join("prog.go");
    let code = r#"package main
        func pass[T any](from, to chan T) {
            for v := range from { to <- v }
            close(to)
        }
        func main() {
            a, b := make(chan int), make(chan int)
            c, d := make(chan string), make(chan string)
            go pass(a, b)
            go pass(c, d)
            go func() { close(a); close(c) }()
            last := ""
            for b != nil || d != nil {
                select {
                case _, ok := <-b: if !ok { b, last = nil, last+"b" }
                case _, ok := <-d: if !ok { d, last = nil, last+"d" }
                }
            }
            if last == "db" { panic(last) }
        }
    "#;
    std::fs::write(&program, code).unwrap();
    for seed in 0..3 {
        let seed = format!("--seed={seed}");
        let (ran, file) = explored(&[&seed], &[program.to_str().unwrap()]);
        assert_eq!(ran.end, End::Exit(3), "{}", ran.stderr);
        assert!(!ran.stderr.contains("not reproducible"), "{}", ran.stderr);
        assert_eq!(replayed(&[], &file).end, End::Exit(2));
    }
}

/// A recording, and what it is of.
fn recorded() -> (String, PathBuf) {
    let (ran, file) = explored(&["--seed=1", "--no-minimise"], &["-e", LOCKS]);
    assert_eq!(ran.end, End::Exit(3));
    (std::fs::read_to_string(&file).unwrap(), file)
}

#[test]
fn a_recording_that_was_changed_is_noticed_where_it_was() {
    let (text, file) = recorded();
    let lines: Vec<&str> = text.lines().collect();
    let steps = lines.len() - 2;
    assert!(steps >= 3, "{text}");
    let check = |lines: Vec<String>, n: usize, what: &str| {
        std::fs::write(&file, lines.join("\n") + "\n").unwrap();
        let ran = replayed(&[], &file);
        assert_eq!(ran.end, End::Exit(69), "{what} at {n}: {}", ran.stderr);
        let told = format!("gosched: replay diverged at decision {n}\n");
        assert!(ran.stderr.contains(&told), "{what} at {n}: {}", ran.stderr);
    };
    let all = || lines.iter().map(|l| (*l).to_string()).collect::<Vec<_>>();
    for n in 0..steps {
        let mut cut = all();
        cut.remove(n + 1);
        check(cut, n, "cut");
        let mut doubled = all();
        doubled.insert(n + 1, doubled[n + 1].clone());
        check(doubled, n + 1, "doubled");
        let mut step: serde_json::Value = serde_json::from_str(lines[n + 1]).unwrap();
        let of = step["of"].as_array().unwrap().clone();
        let other = of.iter().find(|g| **g != step["g"]).unwrap();
        step["g"] = other.clone();
        let mut changed = all();
        changed[n + 1] = step.to_string();
        check(changed, n, "changed");
    }
}

#[test]
fn a_recording_can_be_edited_on_purpose() {
    let (text, file) = recorded();
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    // Without its last decision it is a run that wants another one.
    let last = lines.len() - 2;
    lines.remove(last);
    std::fs::write(&file, lines.join("\n") + "\n").unwrap();
    let ran = replayed(&["--edited"], &file);
    let told = format!("gosched: replay diverged at decision {}\n", last - 1);
    assert!(ran.stderr.contains(&told), "{}", ran.stderr);
}

#[test]
fn a_recording_is_of_its_sources() {
    let folder = tempfile_path();
    std::fs::create_dir(&folder).unwrap();
    let program = folder.join("prog.go");
    let bad = std::fs::read_to_string(example("transfers.go")).unwrap();
    std::fs::write(&program, &bad).unwrap();
    let (ran, file) = explored(&["--seed=1"], &[program.to_str().unwrap()]);
    assert_eq!(ran.end, End::Exit(3), "{}", ran.stderr);
    std::fs::write(&program, bad + "\n// changed\n").unwrap();
    let ran = replayed(&[], &file);
    assert_eq!(ran.end, End::Exit(69));
    assert!(
        ran.stderr.contains("prog.go is not as it was recorded"),
        "{}",
        ran.stderr
    );
    // The change is none that matters.
    let ran = replayed(&["--edited"], &file);
    assert_eq!(ran.end, End::Exit(2), "{}", ran.stderr);
}

#[test]
fn a_replay_stops_where_it_is_asked_to() {
    let (text, file) = recorded();
    assert_eq!(replayed(&["--dump"], &file).stdout, text);
    let ran = replayed(&["--until=2"], &file);
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    assert!(ran.stdout.starts_with("G1 is at "), "{}", ran.stdout);
}

#[test]
fn what_is_no_recording_is_refused() {
    let file = tempfile_path();
    let refused = |text: &str, says: &str| {
        std::fs::write(&file, text).unwrap();
        let ran = replayed(&[], &file);
        assert_eq!(ran.end, End::Exit(1), "{text}");
        assert!(ran.stderr.contains(says), "{}", ran.stderr);
    };
    refused("", "not a recording of gosched");
    refused("package main\n", "not a recording of gosched");
    let (text, _) = recorded();
    refused(
        &text.replace("\"version\":1", "\"version\":99"),
        "a recording of version 99",
    );
    refused(&text.replace("\"k\":\"run\"", "\"k\":run"), "line 2: ");
}

/// The story of a deadlock names both locks, who holds them, and what makes it happen.
#[test]
fn a_deadlock_is_told() {
    let program = example("transfers.go");
    let (ran, file) = explored(&["--seed=1"], &[program.to_str().unwrap()]);
    let story = ran.stderr.split("\nfound: ").next().unwrap();
    for part in [
        "DEADLOCK  goroutines wait for each other\n",
        "▶ ",
        "transfers.go:16  from.mu.Lock()",
        "transfers.go:18  to.mu.Lock()    waits for G",
        ", which holds it since ",
        " holds from.mu (1), waits for ",
    ] {
        assert!(story.contains(part), "no {part:?} in {story}");
    }
    let again = replayed(&["--story"], &file);
    assert!(
        again
            .stdout
            .contains("DEADLOCK  goroutines wait for each other\n")
    );
}

/// Goroutines that can never go on are told of while others run: main, and whoever waits for a
/// lock; a worker that nobody stops is none of them, nor is what others may still wake.
#[test]
fn deadlocks_are_found_while_others_run() {
    let wrap = |code: &str| format!("func() {{ go func() {{ for {{ }} }}(); {code} }}()");
    for stuck in [
        "mu := new(sync.Mutex); mu.Lock(); mu.Lock()",
        "c := make(chan int); <-c",
        "var mu sync.Mutex
         p := &mu
         go func() { p.Lock(); p.Lock() }()
         for { runtime.Gosched() }",
        "select {}",
    ] {
        let (ran, file) = explored(&["--seed=1"], &["-e", &wrap(stuck)]);
        assert_eq!(ran.end, End::Exit(3), "{stuck}: {}", ran.stderr);
        let says = told(&ran, "found: ");
        assert!(says.starts_with("partial deadlock, "), "{stuck}: {says}");
        assert!(!ran.stderr.contains("not reproducible"), "{}", ran.stderr);
        assert_eq!(replayed(&[], &file).end, End::Exit(2));
    }
    for goes_on in [
        "c := make(chan int); go func() { <-c }(); for { runtime.Gosched() }",
        "c := make(chan int); go func() { for range 1000000 { runtime.Gosched() }; c <- 1 }(); <-c",
        "go func() { select {} }(); for range time.Tick(time.Second) {}",
    ] {
        let flags = ["--seed=1", "--schedules=3", "--steps=3000"];
        let (ran, _) = explored(&flags, &["-e", &wrap(goes_on)]);
        assert_eq!(ran.end, End::Exit(0), "{goes_on}: {}", ran.stderr);
    }
}

/// A leak is a finding if only some schedules have it.
#[test]
fn leaks_of_some_schedules_are_found() {
    let always = "go func() { select {} }()";
    let (ran, _) = explored(&["--seed=1", "--schedules=50"], &["-e", always]);
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    let note = "1 goroutines are left behind in each";
    assert!(ran.stderr.contains(note), "{}", ran.stderr);
    let (ran, _) = explored(&["--seed=1", "--left-over=all"], &["-e", always]);
    assert_eq!(ran.end, End::Exit(3), "{}", ran.stderr);
    let program = example("answer.go");
    let program = program.to_str().unwrap();
    let (ran, _) = explored(&["--seed=1", STALL], &[program]);
    assert!(
        told(&ran, "found: ").starts_with("leak, "),
        "{}",
        ran.stderr
    );
    let (ran, _) = explored(
        &["--seed=1", "--left-over=off", "--schedules=100", STALL],
        &[program],
    );
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
}

#[test]
fn a_report_can_be_data() {
    let (ran, _) = explored(&["--seed=1", "--json"], &["-e", LOCKS]);
    assert_eq!(ran.end, End::Exit(3), "{}", ran.stderr);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(report["found"], "deadlock");
    assert!(report["story"]["events"].as_array().unwrap().len() >= 4);
    assert!(
        report["again"]
            .as_str()
            .unwrap()
            .starts_with("gosched replay ")
    );
}

/// All that is different is told, each with a recording of its own; what is the same, once.
#[test]
fn a_search_can_go_on() {
    let code = r#"
        var n atomic.Int64
        go func() { if n.Load() == 1 { panic("one") } }()
        go func() { if n.Load() == 2 { panic("two") } }()
        n.Add(1)
        n.Add(1)
        runtime.Gosched()
    "#;
    let flags = ["--seed=1", "--schedules=300", "--keep-going", "--json"];
    let (ran, file) = explored(&flags, &["-e", code]);
    assert_eq!(ran.end, End::Exit(3), "{}", ran.stderr);
    let reports: Vec<serde_json::Value> = ran
        .stdout
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    let outputs: Vec<&str> = reports
        .iter()
        .map(|r| r["output"].as_str().unwrap())
        .collect();
    assert_eq!(outputs.len(), 2, "{outputs:?}");
    for says in ["panic: one\n", "panic: two\n"] {
        assert!(outputs.iter().any(|o| o.contains(says)), "{outputs:?}");
    }
    let second = PathBuf::from(format!("{}.2", file.display()));
    for (file, output) in [file, second].iter().zip(outputs) {
        assert_eq!(replayed(&[], file).stderr, output);
    }
}

/// What is a note can be made a finding.
#[test]
fn notes_can_count() {
    let endless = ["--limits=error", "--steps=1000", "--schedules=2"];
    let (ran, _) = explored(&endless, &["-e", "for {}"]);
    assert_eq!(ran.end, End::Exit(3), "{}", ran.stderr);
    assert!(told(&ran, "found: ").starts_with("no end, after 1 schedule"));
    let racy = "go fmt.Println(1); go fmt.Println(2); time.Sleep(1)";
    let (ran, _) = explored(&["--seed=1", "--schedules=50"], &["-e", racy]);
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("; 2 different outputs"),
        "{}",
        ran.stderr
    );
    let flags = ["--seed=1", "--schedules=50", "--outputs=error"];
    let (ran, file) = explored(&flags, &["-e", racy]);
    assert_eq!(ran.end, End::Exit(3), "{}", ran.stderr);
    assert!(told(&ran, "found: ").starts_with("different output, "));
    assert!(!ran.stderr.contains("not reproducible"), "{}", ran.stderr);
    let again = replayed(&[], &file);
    assert_eq!((again.end, again.stdout), (End::Exit(0), ran.stdout));
}

/// The clock passes what can run by so much as it may, and no more; what needs that says so, and is
/// told behind what does not.
#[test]
fn the_clock_passes_what_can_run_for_a_while() {
    let waits = |time: &str| {
        format!(
            "c := make(chan int); go func() {{ c <- 1 }}()
            select {{ case <-c: case <-time.After({time}): panic(\"late\") }}"
        )
    };
    let finds = |time: &str, flags: &[&str]| {
        let flags = [&["--schedules=1000", "--seed=1"], flags].concat();
        let (ran, file) = explored(&flags, &["-e", &waits(time)]);
        let is_found = ran.end == End::Exit(3);
        if is_found {
            let says = "panic, if the clock passes goroutines that can run, after ";
            assert!(told(&ran, "found: ").starts_with(says), "{}", ran.stderr);
            assert!(!ran.stderr.contains("not reproducible"), "{}", ran.stderr);
            assert_eq!(replayed(&[], &file).end, End::Exit(2));
        }
        is_found
    };
    assert!(finds("40 * time.Millisecond", &[]));
    assert!(!finds("60 * time.Millisecond", &[]));
    assert!(!finds("24 * time.Hour", &[]));
    assert!(finds("24 * time.Hour", &["--max-stall=any"]));
    assert!(finds("900 * time.Millisecond", &["--max-stall=1s"]));
    assert!(!finds("1001 * time.Millisecond", &["--max-stall=1s"]));
    assert!(!finds("1", &["--max-stall=0"]));
    // However often the goroutine comes to a point: it could run all the while.
    let long = "done := make(chan int)
        go func() { var n atomic.Int64; for range 20 { n.Add(1) }; close(done) }()
        for range 4 { time.Sleep(30 * time.Millisecond) }
        select { case <-done: default: panic(\"late\") }";
    let (ran, _) = explored(&["--seed=1", "--schedules=300"], &["-e", long]);
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    let both = "c := make(chan int)
        go func() { c <- 1 }()
        var n atomic.Int64
        go func() { if n.Load() == 1 { panic(\"first\") } }()
        n.Add(1)
        n.Add(1)
        select { case <-c: case <-time.After(10 * time.Millisecond): panic(\"late\") }";
    for seed in ["--seed=1", "--seed=2", "--seed=3"] {
        let flags = [seed, "--schedules=300", "--keep-going"];
        let (ran, _) = explored(&flags, &["-e", both]);
        let all = ran.stderr.lines().filter(|l| l.starts_with("found: "));
        let late: Vec<bool> = all.map(|l| l.contains("if the clock passes")).collect();
        assert_eq!(late, [false, true], "{}", ran.stderr);
        let (ran, _) = explored(&[seed, "--schedules=300"], &["-e", both]);
        assert!(
            told(&ran, "found: ").starts_with("panic, after "),
            "{}",
            ran.stderr
        );
        assert!(ran.stdout.contains("panic: first"), "{}", ran.stdout);
    }
}

/// Of timers that are due together, for which one `select` waits, any may come first.
#[test]
fn timers_due_together_come_in_any_order() {
    let code = "tick, end := time.NewTicker(10), time.After(50); n := 0; \
                for done := false; !done; { select { case <-tick.C: n++; case <-end: \
                done = true } }; \
                if n != NUMBER { panic(n) }";
    for number in ["4", "5"] {
        let code = code.replace("NUMBER", number);
        for strategy in ["--strategy=auto", "--strategy=dfs"] {
            let (ran, file) = explored(&["--seed=1", strategy], &["-e", &code]);
            assert_eq!(ran.end, End::Exit(3), "{number}: {}", ran.stderr);
            assert!(told(&ran, "found: ").starts_with("panic, "), "{number}");
            assert_eq!(replayed(&[], &file).end, End::Exit(2), "{number}");
        }
    }
}

/// What comes of a race is found where races are not told, or when the search goes on behind them:
/// lost updates, a check that is out of date, an object seen before it is whole.
#[test]
fn what_comes_of_a_race_is_found() {
    let lost = "n := 0; var wg sync.WaitGroup; for range 3 { wg.Go(func() { n++ }) }; wg.Wait(); \
                if n != 3 { panic(n) }";
    let stale = "n := 100; var wg sync.WaitGroup; for range 2 { wg.Go(func() { if n >= 80 { \
                 n -= 80 } }) }; wg.Wait(); if n < 0 { panic(n) }";
    let half = "var p *int; done := false; go func() { p = new(7); done = true }(); \
                for i := 0; !done && i < 5000; i++ {}; if !done && p != nil { panic(*p) }";
    for code in [lost, stale, half] {
        let (ran, file) = explored(&["--seed=1", "--no-race"], &["-e", code]);
        assert_eq!(ran.end, End::Exit(3), "{code}: {}", ran.stderr);
        assert!(told(&ran, "found: ").starts_with("panic, "), "{code}");
        assert!(!ran.stderr.contains("not reproducible"), "{code}");
        let again = replayed(&[], &file);
        assert_eq!(again.end, End::Exit(2), "{code}: {}", again.stderr);
        assert!(ran.stdout.contains(&again.stderr), "{code}");
    }
    let (ran, _) = explored(&["--seed=1", "--keep-going"], &["-e", lost]);
    let found: Vec<_> = ran
        .stderr
        .lines()
        .filter(|l| l.starts_with("found: "))
        .collect();
    assert!(found[0].starts_with("found: data race, "), "{found:?}");
    assert!(found[1].starts_with("found: panic, "), "{found:?}");
    assert!(
        ran.stderr
            .contains("writes what follows from what it has read")
    );
}

/// A command says which outputs are wrong, and why; one that cannot be run is no verdict.
#[test]
fn a_command_can_judge() {
    let code = "c := make(chan int, 2); go func() { c <- 1 }(); go func() { c <- 2 }(); \
                fmt.Println(<-c, <-c)";
    let check =
        r#"--check=read a; case $a in "1 2") ;; *) echo "$a is out of order"; exit 1; esac"#;
    let (ran, file) = explored(&["--seed=1", check], &["-e", code]);
    assert_eq!(ran.end, End::Exit(3), "{}", ran.stderr);
    assert!(told(&ran, "found: ").starts_with("wrong output, "));
    assert_eq!(told(&ran, "WRONG OUTPUT  "), "2 1 is out of order");
    assert_eq!(replayed(&[], &file).stdout, "2 1\n");
    let (ran, _) = explored(&["--seed=1", "--check=grep -q 2"], &["-e", code]);
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    let (ran, _) = explored(&["--check=no-such-command"], &["-e", code]);
    assert_eq!(ran.end, End::Exit(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("gosched: explore: --check: "));
}

/// The story marks the decision behind which the program fails whatever comes: here, that the
/// second lock is taken while the other is held.
#[test]
fn a_story_tells_from_where_on_it_cannot_be_saved() {
    let (ran, _) = explored(&["--seed=1", "--json"], &["-e", LOCKS]);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let events = report["story"]["events"].as_array().unwrap();
    let lost: Vec<usize> = (0..events.len())
        .filter(|i| events[*i]["is_lost"] == true)
        .collect();
    assert_eq!(lost.len(), 1, "{events:?}");
    let locks_before = events[..lost[0]].iter().filter(|e| e["what"] == "lock");
    assert_eq!(locks_before.count(), 1, "{events:?}");
    assert_eq!(events[lost[0]]["what"], "lock", "{events:?}");
}

/// Each strategy finds what takes two orders, and PCT of depth 1, which has no change of
/// priorities, does not find what takes one in the middle.
#[test]
fn strategies_find() {
    for strategy in ["random", "pos", "pct:2", "pct:3"] {
        for seed in 0..3 {
            let flags = [
                &*format!("--seed={seed}"),
                &*format!("--strategy={strategy}"),
            ];
            let (ran, _) = explored(&flags, &["-e", LOCKS]);
            assert_eq!(ran.end, End::Exit(3), "{strategy}: {}", ran.stderr);
        }
    }
    let (ran, _) = explored(&["--strategy=pct:1", "--schedules=200"], &["-e", LOCKS]);
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
}

/// Nothing is wrong with any goroutine, but nobody waits for them.
#[test]
fn main_that_returns_first_is_told() {
    let code = r#"for i := range 3 { go fmt.Println("worker", i) }"#;
    let (ran, file) = explored(&["--seed=1"], &["-e", code]);
    assert_eq!(ran.end, End::Exit(3), "{}", ran.stderr);
    assert!(
        ran.stderr
            .contains("MAIN RETURNS FIRST  it does not wait for what prints \"worker")
    );
    assert!(ran.stderr.contains("sync.WaitGroup"), "{}", ran.stderr);
    assert_eq!(replayed(&[], &file).end, End::Exit(0));
    // What comes only when time passes is heard by nobody, nor what is waited for.
    let later = r#"go func() { time.Sleep(1e9); fmt.Println("later") }()"#;
    let waits = r#"c := make(chan int); go func() { fmt.Println("now"); c <- 1 }(); <-c"#;
    for code in [later, waits] {
        let (ran, _) = explored(&["--seed=1"], &["-e", code]);
        assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    }
}

/// Two locks that goroutines call by the same names are told apart.
#[test]
fn locks_of_one_name_are_numbered() {
    let code = r#"
        both := func(from, to *sync.Mutex) { from.Lock(); to.Lock(); to.Unlock(); from.Unlock() }
        var a, b sync.Mutex
        var wg sync.WaitGroup
        wg.Go(func() { both(&a, &b) })
        wg.Go(func() { both(&b, &a) })
        wg.Wait()
    "#;
    let (ran, _) = explored(&["--seed=1"], &["-e", code]);
    let ends: Vec<&str> = ran
        .stderr
        .lines()
        .filter(|line| line.contains(", waits for "))
        .filter_map(|line| line.split_once(" holds "))
        .map(|(_, what)| what.split(" at ").next().unwrap())
        .collect();
    let want = [
        "from (1), waits for from (2)",
        "from (2), waits for from (1)",
    ];
    assert!(
        ends == want || ends.iter().rev().eq(&want),
        "{}",
        ran.stderr
    );
}
