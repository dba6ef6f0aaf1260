//! Pictures of what waits: graphs of who waits for whom, flame graphs, and the live screen of
//! `gosched top`, at a terminal that `script` makes.

mod support;

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;
use support::{End, gosched, tests_dir};

const LIMIT: Duration = Duration::from_secs(120);

/// A file, gone when this is.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let name = format!("gosched-{}-{name}", std::process::id());
        Scratch(std::env::temp_dir().join(name))
    }

    fn text(&self) -> String {
        std::fs::read_to_string(&self.0).expect("a file")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        drop(std::fs::remove_file(&self.0));
    }
}

// ---- graphs -------------------------------------------------------------------------------------

/// Two that hold what the other wants, five that are alike, and one that waits for the two.
const STUCK: &str = "
    var a, b sync.Mutex
    never := make(chan int, 2)
    for range 5 {
        go func() { <-never }()
    }
    var wg sync.WaitGroup
    wg.Go(func() { a.Lock(); time.Sleep(50 * time.Millisecond); b.Lock() })
    wg.Go(func() { b.Lock(); time.Sleep(50 * time.Millisecond); a.Lock() })
    wg.Wait()
";

/// A node and what is said of it; an edge, from where, to where, and what is said of it.
type Parts = (Vec<(String, String)>, Vec<(String, String, String)>);

/// The lines of a graph that say what a node is, or an edge, each with what it leads to.
fn parts(dot: &str) -> Parts {
    assert!(
        dot.starts_with("digraph waits {\n") && dot.ends_with("}\n"),
        "{dot}"
    );
    let (mut nodes, mut edges) = (Vec::new(), Vec::new());
    for line in dot
        .lines()
        .filter(|l| l.contains("[") && l.contains("label"))
    {
        let (what, rest) = line.trim().split_once(" [").unwrap();
        match what.split_once(" -> ") {
            Some((from, to)) => edges.push((from.into(), to.into(), rest.into())),
            None => nodes.push((what.into(), rest.into())),
        }
    }
    (nodes, edges)
}

#[test]
fn a_deadlock_is_drawn_with_its_circle() {
    let (dot, file) = (Scratch::new("stuck.dot"), Scratch::new("stuck.trace"));
    let mut command = gosched();
    command
        .arg("run")
        .arg(format!("--dot={}", dot.0.display()))
        .arg(format!("--sched-trace={}", file.0.display()))
        .args(["-e", STUCK]);
    let ran = support::run(&mut command, b"", LIMIT);
    assert_eq!(ran.end, End::Exit(2), "{}", ran.stderr);
    let (nodes, edges) = parts(&dot.text());
    let red = |text: &str| text.contains("color=red");
    let marked: BTreeSet<&str> = nodes.iter().filter(|n| red(&n.1)).map(|n| &*n.0).collect();
    // Two goroutines and the two mutexes, in a circle.
    let goroutines = marked.iter().filter(|n| n.starts_with('g'));
    assert_eq!((marked.len(), goroutines.count()), (4, 2), "{}", dot.text());
    let held = edges.iter().filter(|e| e.2.contains("held by"));
    assert!(held.clone().count() == 2 && held.clone().all(|e| red(&e.2)));
    for node in &marked {
        assert!(
            edges
                .iter()
                .any(|e| e.0 == **node && marked.contains(&*e.1))
        );
    }
    // The five are one, and wait on the channel with its capacity.
    let five = nodes.iter().find(|n| n.1.contains("5 goroutines")).unwrap();
    assert!(
        !red(&five.1) && five.1.contains("chan receive"),
        "{}",
        five.1
    );
    let on = edges.iter().find(|e| e.0 == five.0).unwrap();
    let channel = nodes.iter().find(|n| n.0 == on.1).unwrap();
    assert!(channel.1.contains("cap 2") && on.2.contains("receives"));
    let main = nodes.iter().find(|n| n.0 == "g1").unwrap();
    assert!(main.1.contains("main.main\\n") && main.1.contains("sync.WaitGroup.Wait"));

    // The trace tells the same.
    let mut command = gosched();
    let ran = support::run(command.args(["trace", "graph"]).arg(&file.0), b"", LIMIT);
    assert_eq!(ran.stdout, dot.text());
}

#[test]
fn explore_draws_what_it_finds() {
    let (dot, again) = (Scratch::new("found.dot"), Scratch::new("again.dot"));
    let recording = Scratch::new("found.gosched");
    let mut command = gosched();
    command
        .args(["explore", "--seed=1"])
        .arg(format!("--dot={}", dot.0.display()))
        .arg(format!("--output={}", recording.0.display()))
        .arg(tests_dir().join("../examples/lock_order.go"));
    let ran = support::run(&mut command, b"", LIMIT);
    assert_eq!(ran.end, End::Exit(3), "{}", ran.stderr);
    let (nodes, edges) = parts(&dot.text());
    let marked = nodes.iter().filter(|n| n.1.contains("color=red"));
    assert_eq!(marked.count(), 4, "{}", dot.text());
    assert_eq!(edges.iter().filter(|e| e.2.contains("held by")).count(), 2);
    let mut command = gosched();
    command
        .arg("replay")
        .arg(format!("--dot={}", again.0.display()))
        .arg(&recording.0);
    support::run(&mut command, b"", LIMIT);
    assert_eq!(again.text(), dot.text());
}

#[test]
fn leaks_are_drawn() {
    let dot = Scratch::new("leak.dot");
    let code = "c := make(chan int); go func() { c <- 1 }(); time.Sleep(time.Millisecond)";
    let mut command = gosched();
    command
        .args(["run", "--leaks"])
        .arg(format!("--dot={}", dot.0.display()))
        .args(["-e", code]);
    let ran = support::run(&mut command, b"", LIMIT);
    assert_eq!(ran.end, End::Exit(67), "{}", ran.stderr);
    let (nodes, edges) = parts(&dot.text());
    assert_eq!((nodes.len(), edges.len()), (2, 1), "{}", dot.text());
    assert!(edges[0].2.contains("sends"));
}

// ---- flame graphs -------------------------------------------------------------------------------

#[test]
fn a_flame_graph_accounts_for_all_time() {
    let file = Scratch::new("flame.trace");
    let code = "
        c := make(chan int)
        go func() { for range c { time.Sleep(2 * time.Millisecond) } }()
        for i := range 20 { c <- i }
        os.ReadFile(\"/proc/self/maps\")
    ";
    let mut command = gosched();
    command
        .arg("run")
        .arg(format!("--sched-trace={}", file.0.display()))
        .arg("--sched-trace-stack=8")
        .args(["-e", code]);
    let ran = support::run(&mut command, b"", LIMIT);
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    let show = |what: &[&str]| {
        let mut command = gosched();
        let command = command.arg("trace").args(what).arg(&file.0);
        let ran = support::run(command, b"", LIMIT);
        assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
        ran.stdout
    };
    let folded = show(&["flame"]);
    let lines = folded.lines().map(|l| {
        let (frames, us) = l.rsplit_once(' ').unwrap();
        (
            frames.split(';').collect::<Vec<_>>(),
            us.parse::<i64>().unwrap(),
        )
    });
    let lines: Vec<_> = lines.collect();
    // The sum is that of the summary, of all goroutines of the program.
    let summary: serde_json::Value = serde_json::from_str(&show(&["summary", "--json"])).unwrap();
    let ns = |v: &serde_json::Value| v["ns"].as_i64().unwrap();
    let own = summary["goroutines"].as_array().unwrap().iter();
    let all: i64 = own
        .filter(|g| g["system"] == false)
        .map(|g| {
            let waited = g["waited"].as_object().unwrap().values();
            ns(&g["ran"]) + ns(&g["runnable"]) + ns(&g["syscall"]) + waited.map(ns).sum::<i64>()
        })
        .sum();
    let sum: i64 = lines.iter().map(|l| l.1).sum();
    assert!((sum - all / 1000).abs() <= 100, "{sum} {all}: {folded}");
    // Both wait, for a reason and at a line: the one sleeps, the other cannot send.
    for (reason, func) in [
        ("sleep", "main.main.func1 (-e:3)"),
        ("chan send", "main.main (-e:4)"),
    ] {
        let is_it = |l: &&(Vec<&str>, i64)| l.0[..2] == ["waiting", reason] && l.0.contains(&func);
        let us: i64 = lines.iter().filter(is_it).map(|l| l.1).sum();
        assert!(us >= 30_000, "{reason}: {folded}");
    }
    let calls = lines.iter().filter(|l| l.0[0] == "syscall");
    let made = calls.map(|l| l.0[1]).collect::<BTreeSet<_>>();
    assert!(made.contains("internal/poll.(*FD).Read"), "{made:?}");
    let svg = show(&["flame", "--svg"]);
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert_eq!(svg.matches("<g>").count(), svg.matches("</g>").count());
    assert!(svg.contains("<title>chan send: "), "{svg}");
}

// ---- the live screen ----------------------------------------------------------------------------

/// How a frame begins, and ends.
const BEGIN: &str = "\x1b[?2026h";
const DONE: &str = "\x1b[?2026l";
const ENTER: &str = "\x1b[?1049h";
const LEAVE: &str = "\x1b[?25h\x1b[?1049l";

/// Runs `gosched top` with these words at a terminal, whose modes must be the same behind it; what
/// the terminal gets while it runs, and after. With `interrupt` Ctrl-C is typed when so many frames
/// have been shown.
fn top(words: &str, environment: &[(&str, &str)], interrupt: Option<usize>) -> Vec<String> {
    let program = gosched().get_program().to_string_lossy().into_owned();
    // A shell that Ctrl-C does not end.
    let command = format!(
        "trap : INT; stty cols 100 rows 30; stty -g; {program} top {words}; echo status $?; stty -g"
    );
    let mut child = Command::new("script")
        .args(["--quiet", "--command", &command, "/dev/null"])
        .env("TERM", "xterm")
        .env("SHELL", "/bin/sh")
        .envs(environment.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("script, of util-linux");
    let mut keyboard = child.stdin.take().unwrap();
    let mut screen = child.stdout.take().unwrap();
    let (mut shown, mut some, mut is_typed) = (Vec::new(), [0; 4096], false);
    while let Ok(n @ 1..) = screen.read(&mut some) {
        shown.extend_from_slice(&some[..n]);
        let frames = shown.windows(DONE.len()).filter(|w| *w == DONE.as_bytes());
        if !is_typed && interrupt.is_some_and(|n| frames.count() >= n) {
            is_typed = true;
            keyboard.write_all(b"\x03").unwrap();
        }
    }
    child.wait().unwrap();
    let shown = String::from_utf8_lossy(&shown).into_owned();
    let (before, rest) = shown
        .split_once(ENTER)
        .unwrap_or_else(|| panic!("{shown:?}"));
    let (screen, after) = rest
        .rsplit_once(LEAVE)
        .unwrap_or_else(|| panic!("{shown:?}"));
    // The terminal is as it was.
    let modes = |text: &str| {
        let line = text.lines().rfind(|l| l.matches(':').count() > 10);
        line.unwrap_or_else(|| panic!("{shown:?}")).to_string()
    };
    assert_eq!(modes(before), modes(after));
    [screen, after].map(str::to_string).into()
}

/// What stands on the screen behind each frame.
fn frames(screen: &str) -> Vec<Vec<String>> {
    let mut terminal = vt100::Parser::new(30, 100, 0);
    let mut all = Vec::new();
    for frame in screen.split(DONE) {
        terminal.process(frame.as_bytes());
        let Some((_, frame)) = frame.split_once(BEGIN) else {
            continue;
        };
        // Without flicker: nothing is cleared before it is written.
        assert!(
            frame.starts_with("\x1b[H") && !frame.contains("\x1b[2J"),
            "{frame:?}"
        );
        let rows = terminal.screen().rows(0, 100);
        all.push(rows.map(|r| r.trim_end().to_string()).collect());
    }
    all
}

/// The status that the shell tells, and what came before it.
fn ended(after: &str) -> (&str, i32) {
    let (printed, rest) = after.rsplit_once("status ").unwrap();
    let status = rest.lines().next().unwrap().trim();
    (printed, status.parse().unwrap())
}

#[test]
fn top_shows_the_queues_that_scheddetail_shows() {
    // One goroutine keeps the P, and five wait for it.
    let code = "
        for range 5 { go func() {}() }
        for begin := time.Now(); time.Since(begin) < 1500*time.Millisecond; {}
        os.Exit(7)
    ";
    let words = format!("--without=async-preempt,coop-preempt,steal -e '{code}'");
    let environment = [
        ("GOMAXPROCS", "1"),
        ("GODEBUG", "schedtrace=200,scheddetail=1"),
    ];
    let shown = top(&words, &environment, None);
    let (printed, status) = ended(&shown[1]);
    assert_eq!(status, 7, "{printed}");
    let rings: BTreeSet<&str> = printed
        .lines()
        .filter(|l| l.starts_with("  P0: ") && l.contains(" m=0 "))
        .filter_map(|l| l.split("runqsize=").nth(1)?.split(' ').next())
        .collect();
    let frames = frames(&shown[0]);
    let row = |f: &Vec<String>| -> Option<Vec<String>> {
        let row = f.iter().find(|l| l.starts_with("P0 "))?;
        Some(row.split_whitespace().map(str::to_string).collect())
    };
    let rows: Vec<Vec<String>> = frames.iter().filter_map(row).collect();
    let busy: BTreeSet<&str> = rows.iter().skip(1).map(|r| &*r[3]).collect();
    assert!(rows.len() >= 4, "{} frames in 1.5 s", rows.len());
    let is_long = |ring: &&str| ring.parse::<u32>().is_ok_and(|n| n >= 4);
    assert!(busy.iter().all(is_long), "{busy:?}\n{printed}");
    assert!(busy.is_subset(&rings), "{busy:?} {rings:?}\n{printed}");
    let last = &rows[rows.len() - 2];
    assert_eq!((&*last[1], &*last[6]), ("running", "goroutine"), "{last:?}");
    // Who waits longest, and for what.
    let all = frames[frames.len() - 2].join("\n");
    assert!(all.contains("its turn"), "{all}");
    assert!(all.contains("main.main.func1"), "{all}");
}

#[test]
fn top_leaves_the_terminal_as_it_was() {
    // Its own end.
    let pipeline = tests_dir().join("../examples/pipeline.go");
    let shown = top(&pipeline.display().to_string(), &[], None);
    let (printed, status) = ended(&shown[1]);
    assert_eq!(status, 0, "{printed}");
    assert!(printed.contains("the sum passed 1000 at 196"), "{printed}");

    // A panic: what it prints is all there, and so is the status.
    let code = "go func() { for {} }(); println(41); time.Sleep(1500*time.Millisecond); panic(5)";
    let shown = top(&format!("-e '{code}'"), &[], None);
    let (printed, status) = ended(&shown[1]);
    assert_eq!(status, 2, "{printed}");
    assert!(
        printed.starts_with("41\r\n") && printed.contains("panic: 5"),
        "{printed:?}"
    );
    let frames = frames(&shown[0]);
    assert!(frames.len() >= 2);
    // Meanwhile the last lines are shown.
    let mut lines = frames.iter().flatten();
    assert!(lines.any(|l| l == "41"), "{frames:?}");

    // Ctrl-C, of a program that does not care for it.
    let code = "for range 1000 { go func() { select {} }() }; println(7); time.Sleep(time.Hour)";
    let shown = top(&format!("-e '{code}'"), &[], Some(2));
    let (_, status) = ended(&shown[1]);
    assert_eq!(status, 130);
    assert!(
        shown[0].contains("1000 × main.main.func1"),
        "{:?}",
        shown[0]
    );
}

#[test]
fn top_needs_a_terminal() {
    let mut command = gosched();
    let ran = support::run(command.args(["top", "-e", "println(1)"]), b"", LIMIT);
    assert_eq!((ran.end, &*ran.stdout), (End::Exit(2), ""));
    assert!(ran.stderr.contains("is no terminal"), "{}", ran.stderr);
}
