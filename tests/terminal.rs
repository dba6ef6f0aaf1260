//! What happens at a terminal: one that `script` makes, on which keys are typed.

use std::io::{Read, Write};
use std::process::{Command, Stdio};

/// Shown whenever a line is about to be read: from here on pasted text is marked.
const READY: &[u8] = b"\x1b[?2004h";

/// Types lines at a terminal on which `gosched -` runs,
/// each when it is asked for, and returns what the terminal shows.
fn type_program(lines: &[&str]) -> String {
    let command = format!("{} -", env!("CARGO_BIN_EXE_gosched"));
    let mut child = Command::new("script")
        .args(["--quiet", "--return", "--command", &command, "/dev/null"])
        .env("TERM", "xterm")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("script, of util-linux");
    let mut keyboard = child.stdin.take().expect("piped");
    let mut screen = child.stdout.take().expect("piped");
    let mut shown = Vec::new();
    for line in lines {
        let from = shown.len();
        while !shown[from..].windows(READY.len()).any(|w| w == READY) {
            let mut some = [0; 1024];
            let n = screen.read(&mut some).expect("it shows");
            assert!(n > 0, "ended early: {}", String::from_utf8_lossy(&shown));
            shown.extend(&some[..n]);
        }
        keyboard.write_all(line.as_bytes()).expect("it reads");
    }
    screen.read_to_end(&mut shown).expect("it ends");
    child.wait().expect("it has ended");
    String::from_utf8_lossy(&shown).into_owned()
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
