//! What happens at a terminal: one that `script` makes, on which keys are typed.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Shown whenever a line is about to be read: from here on pasted text is marked.
const READY: &[u8] = b"\x1b[?2004h";

/// Types lines at a terminal on which `gosched -` runs,
/// each when it is asked for, and returns what the terminal shows.
fn type_program(lines: &[&str]) -> String {
    type_at("-", lines, Path::new("/nonexistent")).0
}

/// Types at a terminal on which gosched runs with these arguments; returns what the terminal shows,
/// and the exit status. A line is typed when the terminal is ready for it; [`INTERRUPT`] when the
/// line before it has printed that it runs.
fn type_at(args: &str, lines: &[&str], state: &Path) -> (String, Option<i32>) {
    // Between script and gosched stands no shell, which might die of a signal that gosched survives.
    let command = format!("exec {} {args}", env!("CARGO_BIN_EXE_gosched"));
    let mut child = Command::new("script")
        .args(["--quiet", "--return", "--command", &command, "/dev/null"])
        .env("TERM", "xterm")
        .env("NO_COLOR", "1")
        .env("XDG_STATE_HOME", state)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("script, of util-linux");
    let mut keyboard = child.stdin.take().expect("piped");
    let mut screen = child.stdout.take().expect("piped");
    let mut shown = Vec::new();
    for line in lines {
        let from = shown.len();
        let awaited = if *line == INTERRUPT { RUNS } else { READY };
        while !shown[from..].windows(awaited.len()).any(|w| w == awaited) {
            let mut some = [0; 1024];
            let n = screen.read(&mut some).expect("it shows");
            assert!(n > 0, "ended early: {}", String::from_utf8_lossy(&shown));
            shown.extend(&some[..n]);
        }
        if *line == INTERRUPT {
            // Behind what it has printed it comes to wait.
            std::thread::sleep(Duration::from_millis(300));
        }
        let keys = if *line == INTERRUPT { "\x03" } else { line };
        keyboard.write_all(keys.as_bytes()).expect("it reads");
    }
    screen.read_to_end(&mut shown).expect("it ends");
    let status = child.wait().expect("it has ended");
    (String::from_utf8_lossy(&shown).into_owned(), status.code())
}

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
fn names_are_completed() {
    let (shown, _) = session(
        "names",
        &[
            "strings.ToUp\t(\"ab\")\r",
            "type P struct { width, height int }\r",
            "p := P{3, 4}\r",
            "p.hei\t*10\r",
            ":qu\t\r",
        ],
    );
    assert!(shown.contains("\"AB\" // string\r\n"), "{shown:?}");
    assert!(shown.contains("40 // int\r\n"), "{shown:?}");
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
fn what_the_background_prints_does_not_tear_the_line() {
    let (shown, _) = session(
        "background",
        &[
            "done := make(chan bool)\r",
            "go func() { for i := range 1000 { println(\"line\", i) }; close(done) }()\r",
            "1 + 1 // typed whole\r",
            "<-done\r",
            "\x04",
        ],
    );
    let lines = shown.lines().filter(|l| l.starts_with("line "));
    let lines: Vec<&str> = lines.map(str::trim_end).collect();
    let expected: Vec<String> = (0..1000).map(|i| format!("line {i}")).collect();
    assert_eq!(lines, expected, "{shown:?}");
    assert!(shown.contains("2 // int\r\n"), "{shown:?}");
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
