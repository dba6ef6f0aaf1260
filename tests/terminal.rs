//! What happens at a terminal: one that `script` makes, on which keys are typed.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// Shown whenever a line is about to be read: from here on pasted text is marked.
const READY: &[u8] = b"\x1b[?2004h";

/// Types lines at a terminal on which `gosched -` runs,
/// each when it is asked for, and returns what the terminal shows.
fn type_program(lines: &[&str]) -> String {
    type_at("-", lines, Path::new("/nonexistent")).0
}

/// Types at a terminal on which gosched runs with these arguments; returns what the terminal shows,
/// and the exit status. A line is typed when the terminal is ready for it; [`INTERRUPT`] when the
/// line before it has printed that it runs; what follows [`SLOWLY`] key by key.
fn type_at(args: &str, lines: &[&str], state: &Path) -> (String, Option<i32>) {
    type_in(&[("NO_COLOR", "1")], args, lines, state)
}

/// As [`type_at`], in such an environment.
fn type_in(
    setting: &[(&str, &str)],
    args: &str,
    lines: &[&str],
    state: &Path,
) -> (String, Option<i32>) {
    let (shown, status, _) = type_timed(setting, args, lines, state);
    (shown, status)
}

/// As [`type_in`]; also how long it took after each [`INTERRUPT`] until a line could be typed.
fn type_timed(
    setting: &[(&str, &str)],
    args: &str,
    lines: &[&str],
    state: &Path,
) -> (String, Option<i32>, Vec<Duration>) {
    // No shell stands between script and gosched: it might die of a signal that gosched survives.
    let command = format!("exec {} {args}", env!("CARGO_BIN_EXE_gosched"));
    let mut child = Command::new("script")
        .args(["--quiet", "--return", "--command", &command, "/dev/null"])
        .env("TERM", "xterm")
        .env_remove("NO_COLOR")
        .envs(setting.iter().copied())
        .env("XDG_STATE_HOME", state)
        .env("XDG_CONFIG_HOME", state)
        .env_remove("VISUAL")
        .env("EDITOR", "sed -i -e 's/40/41/;w /dev/stdout'")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("script, of util-linux");
    let mut keyboard = child.stdin.take().expect("piped");
    let mut screen = child.stdout.take().expect("piped");
    // What is shown is read while keys are typed: who shows must not wait for who types.
    let (send, shows) = mpsc::channel();
    let reader = thread::spawn(move || {
        let mut some = [0; 4096];
        while let Ok(n) = screen.read(&mut some) {
            if n == 0 || send.send(some[..n].to_vec()).is_err() {
                break;
            }
        }
    });
    let mut shown = Vec::new();
    let mut delays = Vec::new();
    let mut interrupted: Option<Instant> = None;
    for line in lines {
        let from = shown.len();
        let behind = line.strip_prefix(BEHIND).and_then(|l| l.split_once('|'));
        let awaited = match behind {
            Some((text, _)) => text.as_bytes(),
            None if *line == INTERRUPT => RUNS,
            None => READY,
        };
        while !shown[from..].windows(awaited.len()).any(|w| w == awaited) {
            let Ok(some) = shows.recv_timeout(Duration::from_secs(60)) else {
                let _ = child.kill();
                panic!("ended early, or stuck: {}", String::from_utf8_lossy(&shown));
            };
            shown.extend(some);
        }
        delays.extend(interrupted.take().map(|at| at.elapsed()));
        if *line == INTERRUPT {
            // Behind what it has printed it comes to wait.
            thread::sleep(Duration::from_millis(300));
            interrupted = Some(Instant::now());
            keyboard.write_all(b"\x03").expect("it reads");
        } else if let Some((_, keys)) = behind {
            keyboard.write_all(keys.as_bytes()).expect("it reads");
        } else if let Some(keys) = line.strip_prefix(SLOWLY) {
            for key in keys.bytes() {
                thread::sleep(Duration::from_millis(10));
                keyboard.write_all(&[key]).expect("it reads");
            }
        } else {
            keyboard.write_all(line.as_bytes()).expect("it reads");
        }
    }
    shown.extend(shows.iter().flatten());
    reader.join().expect("it reads");
    let status = child.wait().expect("it has ended");
    let shown = String::from_utf8_lossy(&shown).into_owned();
    (shown, status.code(), delays)
}

/// What stands on the screen of a terminal that is high enough for all, line by line.
fn on_screen(shown: &str) -> Vec<String> {
    let mut terminal = vt100::Parser::new(5000, 80, 0);
    terminal.process(shown.as_bytes());
    let rows = terminal.screen().rows(0, 80);
    let mut rows: Vec<String> = rows.map(|row| row.trim_end().to_string()).collect();
    while rows.last().is_some_and(String::is_empty) {
        rows.pop();
    }
    rows
}

/// Begins a line that says behind what text the keys are typed, which stand behind a bar.
const BEHIND: &str = "behind ";
/// Begins a line whose keys are typed one after another.
const SLOWLY: &str = "slowly: ";
/// Ctrl-C while an input runs that has printed [`RUNS`].
const INTERRUPT: &str = "interrupt";
const RUNS: &[u8] = b"it runs\r\n";

/// A folder that is gone when this is.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("gosched-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("it can be made");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What a session at a terminal shows, and its exit status.
fn session(name: &str, lines: &[&str]) -> (String, Option<i32>) {
    let folder = Folder::new(name);
    type_at("repl", lines, &folder.0)
}

#[test]
fn lines_of_a_typed_program_can_be_edited() {
    // Some steps to the left put the missing sign where it belongs.
    let shown = type_program(&[
        "package main\r",
        "func main() { println(\"product\", 67) }\x1b[D\x1b[D\x1b[D\x1b[D*\r",
        "\x04",
    ]);
    assert!(shown.contains("product 42\r\n"), "{shown:?}");
}

#[test]
fn an_interrupt_ends_the_typing() {
    let shown = type_program(&["package main\r", "\x03"]);
    let message = "reading standard input: interrupted";
    assert!(shown.contains(message), "{shown:?}");
}

#[test]
fn values_are_shown_at_the_prompt() {
    // Without any word gosched is the prompt, too.
    let folder = Folder::new("values");
    let (shown, status) = type_at("", &["x := 6\r", "x * 7\r", "exit\r", "\x04"], &folder.0);
    assert!(shown.contains("42 // int\r\n"), "{shown:?}");
    assert!(
        shown.contains("#3:1:1: undefined: exit\r\n\t:quit or Ctrl-D"),
        "{shown:?}"
    );
    assert_eq!(status, Some(0));
}

#[test]
fn a_function_of_several_lines_is_edited_as_one() {
    let (shown, _) = session(
        "lines",
        &[
            "func f() int {\rreturn 41\r}\r",
            "f()\r",
            // Two inputs back; then the figure in the middle line is mended.
            "\x1b[A\x1b[A\x1b[A\x05\x7f2\r",
            "f()\r",
            "\x04",
        ],
    );
    assert!(shown.contains("41 // int\r\n"), "{shown:?}");
    assert!(shown.contains("42 // int\r\n"), "{shown:?}");
}

#[test]
fn what_was_typed_is_found_by_its_beginning() {
    let (shown, _) = session(
        "prefix",
        &[
            "alpha := 40\r",
            "alpha + 1\r",
            "al := 7\r",
            "alpha + 2\r",
            // Past `al := 7`, and one back again: `alpha + 2`, then 3 in place of 2.
            "alpha\x1b[A\x1b[A\x1b[B\x05\x7f3\r",
            // Without a beginning all are gone through.
            "\x1b[A\x1b[A\x1b[A\r",
            "\x04",
        ],
    );
    assert!(shown.contains("43 // int\r\n"), "{shown:?}");
    assert_eq!(
        on_screen(&shown)
            .iter()
            .filter(|row| *row == "> al := 7")
            .count(),
        2
    );
}

#[test]
fn names_are_completed() {
    let (shown, _) = session(
        "names",
        &[
            "strings.ToUp\t(\"ab\")\r",
            "type P struct { width, height int }\r",
            "p := P{3, 4}\r",
            "p.hei\t*10\r",
            // A label, which is known by having been typed.
            "outermost: for { for { break outerm\t } }; \"out\"\r",
            ":without runnext-\t\r",
            ":with bananas\r",
            ":qu\t\r",
        ],
    );
    assert!(shown.contains("\"out\" // string\r\n"), "{shown:?}");
    let wrong = shown.matches("the mechanisms are").count();
    assert_eq!(wrong, 1, "{shown:?}");
    assert!(shown.contains("\"AB\" // string\r\n"), "{shown:?}");
    assert!(shown.contains("40 // int\r\n"), "{shown:?}");
}

/// What is watched is drawn again in its place, until Ctrl-C.
#[test]
fn the_scheduler_is_watched() {
    let (shown, status) = session(
        "watched",
        &[
            ":gomaxprocs 2\r",
            ":sched watch\r",
            "behind \x1b[J|\x03",
            "6 * 7\r",
            "\x04",
        ],
    );
    let screen = on_screen(&shown);
    let of = |begin: &str| screen.iter().filter(|l| l.starts_with(begin)).count();
    assert_eq!((of("P0  "), of("P1  ")), (1, 1), "{screen:?}");
    assert!(shown.matches("P0  ").count() > 1, "{shown:?}");
    assert!(shown.contains("42 // int\r\n"), "{shown:?}");
    assert_eq!(status, Some(0));
}

#[test]
fn an_interrupt_brings_the_prompt_back() {
    let (shown, status) = session(
        "interrupt",
        &[
            "n := 0\r",
            "defer fmt.Println(\"deferred\"); println(\"it runs\"); for { n++ }\r",
            INTERRUPT,
            "n > 0\r",
            "c := make(chan int); t := time.AfterFunc(time.Hour, func() {})\r",
            "println(\"it runs\"); <-c\r",
            INTERRUPT,
            // Nothing of it is left in the channel's queue.
            "go func() { c <- 5 }(); <-c\r",
            "var mu sync.Mutex; mu.Lock(); println(\"it runs\"); mu.Lock()\r",
            INTERRUPT,
            "mu.Unlock(); mu.Lock(); mu.Unlock(); \"free\"\r",
            "println(\"it runs\"); time.Sleep(time.Hour)\r",
            INTERRUPT,
            ":go\r",
            "abandoned(\x03",
            "t.Stop()\r",
            "\x04",
        ],
    );
    assert!(shown.contains("deferred\r\n"), "{shown:?}");
    assert!(shown.contains("true // bool\r\n"), "{shown:?}");
    assert!(shown.contains("\"free\" // string\r\n"), "{shown:?}");
    assert!(!shown.contains("sleep"), "{shown:?}");
    assert!(shown.contains("5 // int\r\n"), "{shown:?}");
    assert_eq!(status, Some(0));
}

#[test]
fn an_interrupt_ends_a_read_of_the_keyboard() {
    let (shown, status) = session(
        "keyboard",
        &[
            "in := bufio.NewReader(os.Stdin)\r",
            "defer fmt.Println(\"deferred\"); println(\"it runs\"); \
             in.ReadString('\\n'); println(\"goes on\")\r",
            INTERRUPT,
            "println(\"it runs\"); fmt.Scanln(new(string)); println(\"goes on\")\r",
            INTERRUPT,
            // What is typed next goes to the prompt.
            "6 * 7\r",
            "println(\"it runs\"); in.ReadString('\\n'); println(\"goes on\")\r",
            INTERRUPT,
            "\x04",
        ],
    );
    assert!(shown.contains("deferred\r\n"), "{shown:?}");
    assert!(shown.contains("42 // int\r\n"), "{shown:?}");
    assert!(!shown.contains("goes on\r\n"), "{shown:?}");
    assert_eq!(status, Some(0));
}

/// Of each kind of wait; the median of several tries. The locks serve as before afterwards.
#[test]
#[ignore = "measures a delay; .ci/run calls it"]
fn the_prompt_is_back_100_ms_after_an_interrupt() {
    const TRIES: usize = 5;
    const RUNS: &str = "println(\"it runs\"); ";
    let waits = [
        "for {}",
        "<-make(chan int)",
        "time.Sleep(time.Hour)",
        "mu.Lock()",
        "wg.Wait()",
        "cond.L.Lock(); defer cond.L.Unlock(); cond.Wait()",
        "rw.Lock()",
        "os.Stdin.Read(make([]byte, 1))",
        "exec.Command(\"sleep\", \"1000\").Run()",
    ];
    let mut lines: Vec<String> = [
        "var mu sync.Mutex; var rw sync.RWMutex; var wg sync.WaitGroup",
        "cond := sync.NewCond(new(sync.Mutex))",
        "mu.Lock(); wg.Add(1); rw.RLock()",
        "var ticks atomic.Int64",
        "go func() { for range time.Tick(time.Millisecond) { ticks.Add(1) } }()",
    ]
    .map(|line| format!("{line}\r"))
    .into();
    for wait in waits {
        for _ in 0..TRIES {
            lines.push(format!("{RUNS}{wait}\r"));
            lines.push(INTERRUPT.into());
        }
        lines.push("for n := ticks.Load(); n == ticks.Load(); { time.Sleep(1) }\r".into());
    }
    let rest = [
        "mu.Unlock(); wg.Done(); rw.RUnlock(); wg.Wait(); n := 0",
        "round := func(l sync.Locker) { for range 1000 { l.Lock(); n++; l.Unlock() } }",
        "both := func(l sync.Locker) { wg.Go(func() { round(l) }); round(l); wg.Wait() }",
        "both(&mu); both(&rw); both(cond.L); n",
        "\x04",
    ];
    lines.extend(rest.map(|line| format!("{line}\r")));
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let folder = Folder::new("delays");
    for procs in ["1", "4"] {
        let setting = [("NO_COLOR", "1"), ("GOMAXPROCS", procs)];
        let (shown, _, delays) = type_timed(&setting, "repl", &lines, &folder.0);
        assert!(shown.contains("6000 // int\r\n"), "{shown:?}");
        assert_eq!(delays.len(), waits.len() * TRIES);
        for (wait, delays) in waits.iter().zip(delays.chunks(TRIES)) {
            let mut delays = delays.to_vec();
            delays.sort();
            let median = delays[TRIES / 2];
            println!(
                "GOMAXPROCS={procs} {wait}: {median:?}, at most {:?}",
                delays[TRIES - 1]
            );
            assert!(median < Duration::from_millis(100), "{wait}: {delays:?}");
        }
    }
}

/// Others read the keyboard only while an input runs.
#[test]
fn what_is_typed_at_the_prompt_is_for_the_prompt() {
    let (shown, status) = session(
        "typed",
        &[
            "var got []string\r",
            "go func() { for { var s string; fmt.Scanln(&s); got = append(got, s) } }()\r",
            "time.Sleep(50 * time.Millisecond)\r",
            "slowly: 6 * 7\r",
            "len(got)\r",
            "println(\"it runs\"); for len(got) == 0 { time.Sleep(time.Millisecond) }\r",
            "behind it runs\r\n|hello\r",
            "got\r",
            "\x04",
        ],
    );
    assert!(shown.contains("42 // int\r\n"), "{shown:?}");
    assert!(shown.contains("0 // int\r\n"), "{shown:?}");
    assert!(shown.contains("[]string{\"hello\"}"), "{shown:?}");
    assert_eq!(status, Some(0));
}

/// An input that the scheduler does not come to is told why.
#[test]
fn an_input_that_starves_is_told_why() {
    let (shown, status) = session(
        "starves",
        &[
            ":gomaxprocs 1\r",
            "ping, pong := make(chan int), make(chan int)\r",
            "go func() { for { ping <- 1; <-pong } }()\r",
            "go func() { for { <-ping; pong <- 1 } }()\r",
            // Whom the machine keeps from running would be preempted, and queue behind the input.
            ":without coop-preempt\r",
            ":without async-preempt\r",
            ":without slice-inheritance\r",
            "runtime.Gosched()\r",
            "behind slice-inheritance, async-preempt and coop-preempt are off\r\n|\x03",
            ":with slice-inheritance\r",
            ":with coop-preempt\r",
            ":with async-preempt\r",
            "runtime.Gosched(); \"again\"\r",
            "\x04",
        ],
    );
    let told = shown.lines().find(|l| l.starts_with("// not run for 1 s"));
    let told = told.unwrap_or_else(|| panic!("{shown:?}"));
    let (place, ahead) = told.split_once(" behind ").expect("others run");
    assert_eq!(place, "// not run for 1 s: in the global queue");
    // Both of the pair, unless the machine does not come to one of them while it looks.
    assert!(ahead.starts_with('g'), "{told}");
    assert!(shown.contains("\"again\" // string\r\n"), "{shown:?}");
    // Ctrl-C ends it all the same.
    assert!(!shown.contains("has not ended"), "{shown:?}");
    assert_eq!(status, Some(0));
}

#[test]
fn an_interrupt_ends_the_wait_for_a_child() {
    let (shown, status) = session(
        "child",
        &[
            "c := exec.Command(\"sh\", \"-c\", \"echo it runs; exec sleep 1000\")\r",
            "c.Stdout = os.Stdout\r",
            // The terminal interrupts the child, too; which of the two ends first is open.
            "c.Run()\r",
            INTERRUPT,
            "c = exec.Command(\"sh\", \"-c\", \"trap '' INT; echo it runs; exec sleep 1000\")\r",
            "c.Stdout = os.Stdout\r",
            "c.Run(); println(\"goes on\")\r",
            INTERRUPT,
            "c.Process.Kill()\r",
            "s, _ := c.Process.Wait(); \"2: \" + s.String()\r",
            "\x04",
        ],
    );
    assert!(
        shown.contains("\"2: signal: killed\" // string"),
        "{shown:?}"
    );
    assert!(!shown.contains("goes on\r\n"), "{shown:?}");
    assert_eq!(status, Some(0));
}

#[test]
fn what_the_background_prints_does_not_tear_the_line() {
    let typed = format!(
        "n := len(\"{}\"); n // typed whole",
        "0123456789".repeat(10)
    );
    let slowly = format!("{SLOWLY}{typed}\r");
    let (shown, _) = session(
        "background",
        &[
            "done := make(chan bool)\r",
            // Half of each third line is late, and some come from a child.
            "go func() {\rfor i := range 1000 {\r\
                 if i % 3 == 0 { print(\"li\"); time.Sleep(2*time.Millisecond) } \
                 else { print(\"li\") }\r\
                 println(\"ne\", i)\r\
                 if i % 100 == 0 {\rc := exec.Command(\"echo\", \"child\", fmt.Sprint(i))\r\
                 c.Stdout = os.Stdout\rc.Run()\r}\r\
             }\rclose(done) }()\r",
            &slowly,
            "<-done\r",
            "\x04",
        ],
    );
    let rows = on_screen(&shown);
    let lines = rows.iter().filter(|row| !row.starts_with("> "));
    let lines = lines.filter(|row| row.starts_with("li") || row.starts_with("child"));
    let mut expected = Vec::new();
    for i in 0..1000 {
        expected.push(format!("line {i}"));
        if i % 100 == 0 {
            expected.push(format!("child {i}"));
        }
    }
    assert!(lines.eq(&expected), "{}", rows.join("\n"));
    // The line that was typed stands there whole, in two rows.
    let typed = format!("> {typed}");
    let at = rows.iter().position(|row| *row == typed[..80]);
    let at = at.unwrap_or_else(|| panic!("{}", rows.join("\n")));
    assert_eq!(rows[at + 1], typed[80..], "{}", rows.join("\n"));
    assert!(rows.contains(&"100 // int".to_string()), "{shown:?}");
    // While it was typed there was something to be seen.
    assert!(
        rows[..at].contains(&"line 0".to_string()),
        "{}",
        rows.join("\n")
    );
}

#[test]
fn dots_make_one_line() {
    let (shown, _) = session(
        "dots",
        &[
            "done := make(chan bool)\r",
            "go func() { for range 100 { fmt.Print(\".\"); time.Sleep(time.Millisecond) }; \
             println(); close(done) }()\r",
            "slowly: 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10 + 11 + 12\r",
            "<-done\r",
            "\x04",
        ],
    );
    let rows = on_screen(&shown);
    assert!(rows.contains(&".".repeat(80)), "{}", rows.join("\n"));
    assert!(rows.contains(&".".repeat(20)), "{}", rows.join("\n"));
}

#[test]
fn the_end_of_the_process_shows_what_was_printed() {
    let (shown, status) = session("end", &["fmt.Println(\"bye\"); os.Exit(3)\r"]);
    assert!(shown.contains("bye\r\n"), "{shown:?}");
    assert_eq!(status, Some(3));
    let text =
        "go func() { time.Sleep(100 * time.Millisecond); println(\"gone\"); os.Exit(4) }()\r";
    let (shown, status) = session("end2", &[text, "half a line"]);
    assert!(shown.contains("gone\r\n"), "{shown:?}");
    assert_eq!(status, Some(4));
}

#[test]
fn an_editor_changes_what_was_typed() {
    let (shown, _) = session(
        "editor",
        &[
            "func f() int { return 40 }\r",
            ":edit\r",
            "f() + 1\r",
            "\x04",
        ],
    );
    // The editor has the terminal for itself, and its text is an input.
    let rows = on_screen(&shown);
    let edited = rows
        .iter()
        .filter(|row| *row == "func f() int { return 41 }");
    assert_eq!(edited.count(), 2, "{rows:?}");
    assert!(shown.contains("42 // int\r\n"), "{shown:?}");
}

#[test]
fn a_file_is_run_first() {
    let folder = Folder::new("init");
    std::fs::create_dir_all(folder.0.join("gosched")).expect("it can be made");
    let text = "const answer = 42\nfunc double(n int) int { return 2 * n }\n";
    std::fs::write(folder.0.join("gosched/init.go"), text).expect("it can be written");
    let lines = ["double(answer)\r", "\x04"];
    let (shown, _) = type_at("repl", &lines, &folder.0);
    assert!(shown.contains("84 // int\r\n"), "{shown:?}");
    let (shown, _) = type_at("repl --no-init", &lines, &folder.0);
    assert!(shown.contains("undefined: double"), "{shown:?}");
    // An error in it ends nothing.
    std::fs::write(folder.0.join("gosched/init.go"), "x := undefined\n").expect("it is there");
    let (shown, _) = type_at("repl", &["1 + 1\r", "\x04"], &folder.0);
    assert!(
        shown.contains("init.go:1:6: undefined: undefined"),
        "{shown:?}"
    );
    assert!(shown.contains("2 // int\r\n"), "{shown:?}");
}

#[test]
fn the_history_is_kept() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("history");
    type_at(
        "repl",
        &["x := 20\r", "x + 22\r", "x + 22\r", "\x04"],
        &folder.0,
    );
    let path = folder.0.join("gosched/history");
    let text = std::fs::read_to_string(&path).expect("it is there");
    assert_eq!(text, "#V2\nx := 20\nx + 22\n");
    let mode = std::fs::metadata(&path)
        .expect("it is there")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    let (shown, _) = type_at(
        "repl",
        &["\x1b[A\x1b[A\r", "\x1b[A\x1b[A\r", "\x04"],
        &folder.0,
    );
    assert!(shown.contains("42 // int\r\n"), "{shown:?}");
}

/// What no program survives ends the session; what was typed can be found.
#[test]
fn a_fatal_error_leaves_the_history() {
    let folder = Folder::new("fatal");
    let race = "for range 4 { go func() { for { m[0]++ } }() }; select {}";
    let lines = [
        ":gomaxprocs 4\r",
        "m := map[int]int{}\r",
        &format!("{race}\r"),
    ];
    let (shown, status) = type_at("repl", &lines, &folder.0);
    assert!(shown.contains("fatal error: concurrent map"), "{shown:?}");
    assert_eq!(status, Some(2));
    let path = folder.0.join("gosched/history");
    let text = std::fs::read_to_string(&path).expect("it is there");
    assert!(text.ends_with(&format!("{race}\n")), "{text:?}");
    // A later session brings back what had run.
    let told = shown
        .split("\":load ")
        .nth(1)
        .and_then(|rest| rest.split('"').next());
    let load = format!(":load {}\r", told.expect("where the inputs are"));
    let (shown, status) = type_at("repl", &[&load, "len(m)\r", "\x04"], &folder.0);
    assert!(shown.contains("0 // int\r\n"), "{shown:?}");
    assert_eq!(status, Some(0));
    let left = std::fs::read_dir(folder.0.join("gosched")).expect("it is there");
    assert_eq!(left.count(), 2, "the history, and what was loaded");
}

/// The session that the README shows.
const PICTURE: &[&str] = &[
    "x := 6\r",
    "x * 7\r",
    "func f(n int) int { return n + x }\r",
    "f(1)\r",
    "func f(n int) int { return -n }\r",
    "f(5)\r",
    ":gomaxprocs 1\r",
    "a, b, n := make(chan int), make(chan int), 0\r",
    "go func() { for { b <- <-a } }()\r",
    "go func() { for { a <- <-b } }()\r",
    "go func() { for { n++ } }()\r",
    "a <- 1\r",
    ":go\r",
    "m := n; time.Sleep(time.Second); n - m\r",
    ":without slice-inheritance\r",
    "m = n; time.Sleep(time.Second); n - m\r",
    ":with slice-inheritance\r",
    "m = n; time.Sleep(time.Second); n - m\r",
    "\x04",
];

/// Writes `examples/repl.svg`: see CONTRIBUTING.md.
#[test]
#[ignore = "draws the picture in the README"]
fn picture() {
    let folder = Folder::new("picture");
    let (shown, _) = type_in(&[], "repl --no-init", PICTURE, &folder.0);
    let mut terminal = vt100::Parser::new(100, 80, 0);
    terminal.process(shown.as_bytes());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/repl.svg");
    std::fs::write(path, drawn(terminal.screen())).expect("it can be written");
}

/// Writes `examples/lab.svg`: see CONTRIBUTING.md.
#[test]
#[ignore = "draws the picture in the README"]
fn picture_of_the_laboratory() {
    let call = ["lab", "runnext-starvation", "--color=always"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_gosched"));
    let ran = command.args(call).output().expect("it runs");
    let mut terminal = vt100::Parser::new(42, 100, 0);
    let shown = String::from_utf8(ran.stdout).expect("it is text");
    let shown = format!("$ gosched {} {}\n{shown}", call[0], call[1]);
    terminal.process(shown.replace('\n', "\r\n").as_bytes());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/lab.svg");
    std::fs::write(path, drawn(terminal.screen())).expect("it can be written");
}

/// A screen as a picture.
fn drawn(screen: &vt100::Screen) -> String {
    /// Of a character.
    const WIDTH: f64 = 8.4;
    const HEIGHT: f64 = 18.0;
    let (_, columns) = screen.size();
    let rows: Vec<String> = screen.rows(0, columns).collect();
    let last = rows.iter().rposition(|row| !row.trim().is_empty());
    let n_rows = last.map_or(0, |last| last + 1);
    let (width, height) = (
        f64::from(columns) * WIDTH + 32.0,
        n_rows as f64 * HEIGHT + 32.0,
    );
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"ui-monospace, Menlo, Consolas, monospace\" font-size=\"14\">\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"#16181d\"/>\n"
    );
    for row in 0..n_rows as u16 {
        let y = f64::from(row) * HEIGHT + 30.0;
        let mut column = 0;
        while column < columns {
            let style = |c: u16| {
                screen
                    .cell(row, c)
                    .map(|c| (c.fgcolor(), c.dim(), c.bold(), c.bgcolor()))
            };
            let begin = column;
            let mut text = String::new();
            while column < columns && style(column) == style(begin) {
                let cell = screen.cell(row, column).map_or("", |c| c.contents());
                text += if cell.is_empty() { " " } else { cell };
                column += 1;
            }
            let x = f64::from(begin) * WIDTH + 16.0;
            if let Some(back) = style(begin).and_then(|s| shade(s.3)) {
                let width = f64::from(column - begin) * WIDTH;
                out += &format!(
                    "<rect x=\"{x:.1}\" y=\"{}\" width=\"{width:.1}\" height=\"{HEIGHT}\" \
                     fill=\"{back}\"/>\n",
                    y - 13.5
                );
            }
            let text = text.trim_end();
            if text.is_empty() {
                continue;
            }
            let long = text.chars().count() as f64 * WIDTH;
            let text = text.replace('&', "&amp;").replace('<', "&lt;");
            out += &format!(
                "<text x=\"{x:.1}\" y=\"{y}\" fill=\"{}\" textLength=\"{long:.1}\" \
                 xml:space=\"preserve\">{text}</text>\n",
                color(style(begin))
            );
        }
    }
    out + "</svg>\n"
}

fn color(style: Option<(vt100::Color, bool, bool, vt100::Color)>) -> &'static str {
    match style {
        Some((vt100::Color::Idx(0), ..)) => "#000000",
        Some((vt100::Color::Idx(2), ..)) => "#98c379",
        Some((vt100::Color::Idx(5), ..)) => "#c678dd",
        Some((vt100::Color::Idx(6), ..)) => "#56b6c2",
        Some((_, true, ..)) => "#7f848e",
        _ => "#dcdfe4",
    }
}

/// A color of the cube of 6 × 6 × 6 that terminals have.
fn shade(color: vt100::Color) -> Option<String> {
    let vt100::Color::Idx(n @ 16..232) = color else {
        return None;
    };
    let level = |n: u8| [0, 95, 135, 175, 215, 255][usize::from(n % 6)];
    let n = n - 16;
    Some(format!(
        "#{:02x}{:02x}{:02x}",
        level(n / 36),
        level(n / 6),
        level(n)
    ))
}
