//! Native code: that it comes to be, and does what the interpreter does. Each row `T-72` of
//! `tests/sched/rules.md` is a test here; the whole corpus with `GOSCHED_NATIVE=always`, which
//! compiles all that is run, is the rest of the proof.

mod support;

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};
use support::{End, Ran, gosched, run};

const LONG: Duration = Duration::from_secs(20);

/// Is there native code in this build?
const EXISTS: bool = cfg!(all(
    feature = "native",
    target_arch = "x86_64",
    target_os = "linux"
));

fn program(path: &str) -> PathBuf {
    support::tests_dir().join(path)
}

/// Runs a program with all of it compiled, or none.
fn go(path: &str, args: &[&str], env: &[(&str, &str)]) -> Ran {
    let mut command = gosched();
    command.arg(program(path)).args(args);
    command.env("GOSCHED_NATIVE", "always");
    run(command.envs(env.iter().copied()), b"", LONG)
}

#[test]
fn t72_loops_are_preempted() {
    let ran = go("native/endless.go", &[], &[("GOMAXPROCS", "1")]);
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    assert_eq!(ran.stdout, "preempted\n");
}

#[test]
fn t72_bounds_are_checked() {
    let ran = go("native/bounds.go", &[], &[]);
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    assert_eq!(ran.stdout, "8 of 8 indices were out of range\n");
}

/// A soak of the collector for some seconds, which ends badly if something is not marked that can
/// be reached.
#[test]
fn t72_the_marker_is_told() {
    let env = [("GODEBUG", "gccheckmark=1"), ("GOGC", "10")];
    let ran = go("native/marked.go", &[], &env);
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    assert_eq!(ran.stdout, "all is there\n");
}

#[test]
fn t72_slots_are_kept() {
    let ran = go("corpus/spec/hot_loops.go", &[], &[]);
    let expected = std::fs::read_to_string(program("corpus/spec/hot_loops.out")).unwrap();
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    assert_eq!(ran.stdout, expected);
}

/// Stops of the world and signals come into the midst of everything, and change nothing. Without
/// an argument the program takes a hundred thousand of each.
#[test]
fn results_do_not_depend_on_stops() {
    for procs in ["1", "2"] {
        let ran = go("native/stopped.go", &["3000"], &[("GOMAXPROCS", procs)]);
        assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
        assert_eq!(ran.stdout, "wrong: 0 enough rounds: true\n");
    }
}

/// A session that replaces a function again and again, for so many seconds, while goroutines run it
/// and wait in the midst of others; the bytes of code that there were most, and at the end.
fn replace_for(seconds: u64) -> (usize, usize) {
    let mut command = gosched();
    command.args(["repl", "--keep-going"]);
    command.env("GOSCHED_NATIVE", "always");
    command.env("GODEBUG", "nativetrace=1");
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut to = child.stdin.take().unwrap();
    let stderr = BufReader::new(child.stderr.take().unwrap());
    let watch = std::thread::spawn(move || {
        let (mut now, mut most) = (0, 0);
        for line in stderr.lines().map_while(Result::ok) {
            let number = |from: &str| {
                let rest = line.split_once(from)?.1;
                rest.split(' ').next()?.parse::<usize>().ok()
            };
            match (number(" bytes="), number("native: ")) {
                (Some(n), _) => now += n.next_multiple_of(32),
                (_, Some(n)) => now -= n,
                _ => eprintln!("{line}"),
            }
            most = most.max(now);
        }
        (most, now)
    });
    let begin = "import \"runtime\"
        func f(x int) int { return x }
        gate, stop, done := make(chan int), make(chan bool), make(chan int)
        func deep(n int) int { if n == 0 { return <-gate }; return f(deep(n-1)) + 1 }
        go func() { done <- deep(50) }()
        go func() { for n := 0; ; { for i := range 1000 { n += f(i) - i }; select {
            case <-stop: done <- n; return
            default:
        } } }()";
    writeln!(to, "{begin}").unwrap();
    let started = Instant::now();
    let mut round = 0;
    while round < 60 || started.elapsed() < Duration::from_secs(seconds) {
        let some = (0..150).map(|k| format!("if x > {} {{ s += {round} }}; ", 1_000_000 + k));
        let some = some.collect::<String>();
        writeln!(to, "func f(x int) int {{ s := x; {some}return s }}").unwrap();
        writeln!(to, "for i := range 2000 {{ if f(i) != i {{ panic(i) }} }}").unwrap();
        writeln!(to, "runtime.GC()").unwrap();
        round += 1;
    }
    writeln!(
        to,
        "gate <- 7; stop <- true; fmt.Println(<-done + <-done, true)"
    )
    .unwrap();
    drop(to);
    let out = child.wait_with_output().unwrap();
    let stdout = String::from_utf8_lossy(&out.stdout);
    assert!(stdout.contains("57 true"), "{round} rounds: {stdout}");
    assert!(out.status.success());
    watch.join().unwrap()
}

/// The code of functions that have been replaced is given back. `GOSCHED_SECONDS` says how long
/// that is tried.
#[test]
fn code_of_replaced_functions_is_given_back() {
    let seconds = std::env::var("GOSCHED_SECONDS");
    let seconds = seconds.ok().and_then(|s| s.parse().ok());
    let (most, end) = replace_for(seconds.unwrap_or(0));
    assert!(!EXISTS || end < most && most < 300 << 10, "{most} {end}");
}

/// What runs hot is compiled, and nothing of what does not; a word says that nothing is.
#[test]
fn what_is_hot_is_compiled() {
    let compiled = |path: &str, native: &str| {
        let mut command = gosched();
        command.arg(program(path)).env("GOSCHED_NATIVE", native);
        let ran = run(command.env("GODEBUG", "nativetrace=1"), b"", LONG);
        assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
        let lines = ran.stderr.lines().map(str::to_string);
        lines.collect::<Vec<_>>()
    };
    let hot = compiled("bench/fib.go", "");
    let is_fib = |l: &String| l.starts_with("native main.fib words=");
    assert_eq!(hot.iter().any(is_fib), EXISTS, "{hot:?}");
    assert!(compiled("../examples/hello.go", "").is_empty());
    assert!(compiled("bench/fib.go", "off").is_empty());
}

/// `gosched disasm --native` shows the bytecode and the machine's code of it.
#[test]
fn code_can_be_read() {
    let mut command = gosched();
    command.args(["disasm", "--native", "--func=main.fib"]);
    let ran = run(command.arg(program("bench/fib.go")), b"", LONG);
    if !EXISTS {
        assert_eq!(ran.end, End::Exit(1));
        return;
    }
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    let lines: Vec<_> = ran.stdout.lines().map(str::trim).collect();
    let at = lines.iter().rposition(|l| l.contains("Call ")).unwrap();
    assert!(lines[at].contains("func=main.fib"), "{}", lines[at]);
    let is_jump = |l: &&&str| l.contains("jmp qword ptr");
    assert!(lines[at..].iter().find(is_jump).is_some(), "{}", ran.stdout);
}

/// No memory can be written and run at once.
#[test]
fn code_is_never_writable() {
    let ran = go("native/maps.go", &[], &[]);
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    let both: Vec<_> = ran.stdout.lines().filter(|l| l.contains(" rwx")).collect();
    assert!(both.is_empty(), "{both:?}");
    assert_eq!(ran.stdout.contains("gosched-code"), EXISTS);
}
