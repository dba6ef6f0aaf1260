//! The scheduler's log says what happened: its head, its last line, what goroutines wait on.
//!
//! Its form, line by line, is looked at by `tests/proof.rs`; that it says the same as a trace, and
//! that all of that agrees, by `tests/traces.rs`.

mod support;

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use support::{End, Ran, gosched, tests_dir};

const LIMIT: Duration = Duration::from_secs(60);

/// A file for a log, gone when this is.
struct LogFile(PathBuf);

impl LogFile {
    fn new(name: &str) -> LogFile {
        let name = format!("gosched-{}-{name}.log", std::process::id());
        LogFile(std::env::temp_dir().join(name))
    }

    fn text(&self) -> String {
        std::fs::read_to_string(&self.0).expect("a log")
    }
}

impl Drop for LogFile {
    fn drop(&mut self) {
        drop(std::fs::remove_file(&self.0));
    }
}

/// A command that runs a program below `tests/log` with a log.
fn logged(program: &str, file: &LogFile) -> Command {
    let mut command = gosched();
    command
        .arg("run")
        .arg(format!("--sched-log={}", file.0.display()))
        .arg(tests_dir().join("log").join(program));
    command
}

fn run(program: &str, procs: u32, name: &str) -> (Ran, String) {
    let file = LogFile::new(name);
    let mut command = logged(program, &file);
    let ran = support::run(command.env("GOMAXPROCS", procs.to_string()), b"", LIMIT);
    (ran, file.text())
}

/// One event.
#[derive(Clone, Copy)]
struct Line<'a>(&'a str);

impl<'a> Line<'a> {
    /// A member's text, without quotes; empty if there is none.
    fn text(self, member: &str) -> &'a str {
        let mut rest = self.0;
        while let Some(at) = rest.find(member) {
            let after = &rest[at + member.len()..];
            if rest[..at].ends_with('"')
                && let Some(value) = after.strip_prefix("\":")
            {
                let end = value.find([',', '}']).unwrap_or(value.len());
                return value[..end].trim_matches('"');
            }
            rest = after;
        }
        ""
    }
    /// A member's number; −1 if there is none.
    fn number(self, member: &str) -> i64 {
        self.text(member).parse().unwrap_or(-1)
    }
}

/// The last line, if it is there and says that nothing is missing.
fn end_of(text: &str) -> Result<(), String> {
    let last = text.lines().last().unwrap_or("");
    let line = Line(last);
    let events = text.lines().count() as i64 - 2;
    if line.text("ev") == "log-end" && line.number("records") == events && line.number("lost") == 0
    {
        Ok(())
    } else {
        Err(format!("{events} events, and the last line is {last}"))
    }
}

// ---- what is waited for -----------------------------------------------------------------------

#[test]
fn a_park_names_what_is_waited_for() {
    let (ran, text) = run("objects.go", 2, "objects");
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    let parks = |reason: &str| {
        let lines = text.lines().map(Line);
        let parks = lines.filter(|e| e.text("ev") == "park" && e.text("reason") == reason);
        parks.map(|e| e.text("on")).collect::<Vec<_>>()
    };
    let mutexes: BTreeSet<&str> = parks("sync.Mutex.Lock").into_iter().collect();
    assert_eq!(mutexes.len(), 600);
    assert!(parks("sleep").iter().all(|&on| on == "0"));

    // A select names all its channels, fewer as they become nil;
    // a receiver waits on each of the first three.
    let lines: Vec<Line<'_>> = text.lines().map(Line).collect();
    let mut sets: Vec<BTreeSet<&str>> = Vec::new();
    for (i, e) in lines.iter().enumerate() {
        if e.text("ev") == "park" && e.text("reason") == "select" {
            let more = e.number("more") as usize;
            let others = lines[i + 1..]
                .iter()
                .filter(|o| o.number("m") == e.number("m") && o.text("ev") != "object");
            let others: Vec<_> = others.take(more).collect();
            assert!(others.iter().all(|o| o.text("ev") == "park-also"));
            assert!(others.iter().all(|o| o.number("g") == e.number("g")));
            let all = others.iter().map(|o| o.text("on")).chain([e.text("on")]);
            sets.push(all.collect());
        }
    }
    let sizes: Vec<usize> = sets.iter().map(BTreeSet::len).collect();
    assert_eq!(sizes, [3, 2, 1]);
    assert!(sets[1].is_subset(&sets[0]) && sets[2].is_subset(&sets[1]));
    assert!(!sets[0].contains("0"));
}

// ---- the first line and the last ---------------------------------------------------------------

#[test]
fn the_first_line_tells_of_the_program() {
    let file = LogFile::new("head");
    let mut command = logged("objects.go", &file);
    command
        .args(["one", "a \"b\"\n"])
        .env("GOMAXPROCS", "3")
        .env("GOSCHED_WITHOUT", "fifo,runnext")
        .env("GODEBUG", "gctrace=0");
    let ran = support::run(&mut command, b"", LIMIT);
    assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
    let text = file.text();
    let head = text.lines().next().unwrap();
    for part in [
        "{\"schema\":\"gosched-sched-log\",\"version\":3,\"pid\":",
        "\"gosched\":\"",
        "\"go\":\"go1.27.3\"",
        "objects.go\",\"files\":[\"",
        "objects.go\"],\"args\":[\"one\",\"a \\\"b\\\"\\u000a\"]",
        "\"gomaxprocs\":3",
        "\"without\":[\"runnext\",\"fifo\"]",
        "\"godebug\":\"gctrace=0\"}",
    ] {
        assert!(head.contains(part), "{part} is not in {head}");
    }
    end_of(&text).unwrap();
}

/// Writes a program to run; its folder is the system's for temporary files.
fn program(name: &str, body: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("gosched-{}-{name}.go", std::process::id()));
    std::fs::write(&path, format!("package main\n\n{body}")).unwrap();
    path
}

#[test]
fn a_signal_that_ends_the_program_leaves_a_whole_log() {
    let source = program(
        "signalled",
        "import (\n\t\"fmt\"\n\t\"time\"\n)\n\nfunc main() {\n\tfmt.Println(\"up\")\n\tfor {\n\
         \t\ttime.Sleep(time.Millisecond)\n\t}\n}\n",
    );
    for sig in [libc::SIGTERM, libc::SIGINT, libc::SIGHUP, libc::SIGQUIT] {
        let file = LogFile::new(&format!("signal-{sig}"));
        let mut command = gosched();
        command
            .arg(format!("--sched-log={}", file.0.display()))
            .arg(&source)
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        // What is ignored when a program begins stays so.
        support::die_with_us(&mut command);
        let mut child = command.spawn().unwrap();
        let mut up = [0; 3];
        child.stdout.take().unwrap().read_exact(&mut up).unwrap();
        std::thread::sleep(Duration::from_millis(30));
        kill(child.id(), sig);
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            assert!(begun.elapsed() < LIMIT, "signal {sig} ends nothing");
            std::thread::sleep(Duration::from_millis(5));
        };
        use std::os::unix::process::ExitStatusExt;
        let want = if sig == libc::SIGQUIT {
            None
        } else {
            Some(sig)
        };
        assert_eq!(status.signal(), want, "signal {sig}: {status:?}");
        end_of(&file.text()).unwrap_or_else(|e| panic!("signal {sig}: {e}"));
    }
    drop(std::fs::remove_file(source));
}

fn kill(pid: u32, sig: i32) {
    let status = Command::new("kill")
        .args([format!("-{sig}"), pid.to_string()])
        .status();
    assert!(status.is_ok_and(|s| s.success()));
}

#[test]
fn a_log_that_fails_midway_is_told_and_changes_the_status() {
    let source = program(
        "failing",
        "import (\n\t\"os\"\n\t\"runtime\"\n)\n\nfunc main() {\n\tfor i := 0; i < 100000; i++ {\n\
         \t\truntime.Gosched()\n\t}\n\tos.Stdout.WriteString(\"done\\n\")\n\
         \tif len(os.Args) > 1 {\n\t\tos.Exit(3)\n\t}\n}\n",
    );
    for (args, want) in [(&[][..], 2), (&["x"][..], 3)] {
        let file = LogFile::new("failing");
        let mut command = Command::new("bash");
        // Files of at most 100 blocks of 1024 bytes.
        command
            .args(["-c", "ulimit -f 100; trap '' XFSZ; exec \"$@\"", "sh"])
            .arg(env!("CARGO_BIN_EXE_gosched"))
            .arg(format!("--sched-log={}", file.0.display()))
            .arg(&source)
            .args(args);
        let ran = support::run(&mut command, b"", LIMIT);
        assert_eq!(ran.end, End::Exit(want), "{}", ran.stderr);
        assert_eq!(ran.stdout, "done\n");
        let told = ran.stderr.matches("the scheduler's log: ").count();
        assert_eq!(told, 1, "{}", ran.stderr);
        assert!(File::open(&file.0).unwrap().metadata().unwrap().len() <= 100 << 10);
        assert!(end_of(&file.text()).is_err());
    }
    drop(std::fs::remove_file(source));
}
