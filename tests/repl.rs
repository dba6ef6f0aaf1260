//! Sessions: transcripts in `tests/repl`, as `gosched repl --echo --keep-going` prints them.
//!
//! An input begins with `> `, its further lines with `. `; what stands below is what came of it. A
//! first line `// exit N` says that the session ends with that status; otherwise it is 0, or not
//! when some input fails. `UPDATE_EXPECT=1` writes the files anew.

mod support;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use support::inputs;

/// What a session prints, errors included in their order, and its exit status.
fn session(text: &str, setting: &[(&str, &str)]) -> (String, Option<i32>) {
    let (mut read, write) = std::io::pipe().expect("a pipe");
    let mut command = Command::new(env!("CARGO_BIN_EXE_gosched"));
    command
        .args(["repl", "--echo", "--keep-going"])
        .env_remove("VISUAL")
        .env("EDITOR", "sed -i -e 's/1$/10/' -e 's/1 }/2 }/'")
        .envs(setting.iter().copied())
        .stdin(Stdio::piped())
        .stdout(write.try_clone().expect("a pipe"))
        .stderr(write);
    let mut child = command.spawn().expect("gosched runs");
    drop(command);
    let mut stdin = child.stdin.take().expect("it is piped");
    let text = text.to_string();
    let writer = std::thread::spawn(move || {
        // A session may end before it has read everything.
        let _ = stdin.write_all(text.as_bytes());
    });
    let mut out = Vec::new();
    std::io::Read::read_to_end(&mut read, &mut out).expect("the pipe is read");
    writer.join().expect("the writer does not panic");
    let status = child.wait().expect("gosched ends");
    (mask(&String::from_utf8_lossy(&out)), status.code())
}

/// What differs from run to run, or from one kind of build to another, is left out: numbers of
/// goroutines, places in code, addresses.
fn mask(text: &str) -> String {
    let line = |line: &str| {
        let line = match line.split_once(" +0x") {
            Some((place, _)) if line.starts_with('\t') => place.to_string(),
            _ => line.to_string(),
        };
        numbers_masked(&numbers_masked(&line, "goroutine ", 1), "0x", 6) + "\n"
    };
    text.lines().map(line).collect()
}

/// The text with `N` for what follows `before`, if that is a number of so many digits or more.
fn numbers_masked(text: &str, before: &str, digits: usize) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(i) = rest.find(before) {
        let (head, tail) = rest.split_at(i + before.len());
        let number = tail.trim_start_matches(|c: char| c.is_ascii_hexdigit());
        out.push_str(head);
        match tail.len() - number.len() {
            n if n >= digits => out.push('N'),
            n => out.push_str(&tail[..n]),
        }
        rest = number;
    }
    out + rest
}

fn transcripts() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/repl");
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut files: Vec<PathBuf> = entries.map(|e| e.expect("it can be read").path()).collect();
    files.sort();
    files
}

#[test]
fn transcripts_are_as_expected() {
    let files = transcripts();
    assert!(files.len() >= 100, "{} transcripts", files.len());
    let next = AtomicUsize::new(0);
    let check = || {
        let mut wrong = String::new();
        while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            let expected = fs::read_to_string(file).expect("it can be read");
            let (out, status) = session(&inputs(&expected), &[]);
            let head = match status {
                Some(0) => String::new(),
                Some(code) => format!("// exit {code}\n"),
                None => "// killed\n".to_string(),
            };
            let got = head + &out;
            if std::env::var_os("UPDATE_EXPECT").is_some() {
                fs::write(file, &got).expect("it can be written");
            } else if got != expected {
                wrong.push_str(&format!("{}:\n{got}\n", file.display()));
            }
        }
        wrong
    };
    let wrong: Vec<String> = std::thread::scope(|s| {
        let threads: Vec<_> = (0..4).map(|_| s.spawn(check)).collect();
        threads
            .into_iter()
            .map(|t| t.join().expect("no panic"))
            .collect()
    });
    let wrong = wrong.concat();
    assert!(wrong.is_empty(), "these are not as expected:\n{wrong}");
}

/// Numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }

    fn one_of<'a>(&mut self, list: &'a [String]) -> Option<&'a str> {
        (!list.is_empty()).then(|| &*list[self.below(list.len())])
    }
}

/// A session made up line by line, and the program that its right lines are.
struct MadeUp {
    numbers: Numbers,
    lines: Vec<String>,
    decls: String,
    body: String,
    ints: Vec<String>,
    strings: Vec<String>,
    slices: Vec<String>,
    functions: Vec<String>,
}

impl MadeUp {
    fn new(seed: u64, n_lines: usize) -> MadeUp {
        let mut session = MadeUp {
            numbers: Numbers(seed),
            lines: Vec::new(),
            decls: String::new(),
            body: String::new(),
            ints: Vec::new(),
            strings: Vec::new(),
            slices: Vec::new(),
            functions: Vec::new(),
        };
        session
            .declare("func sum(s []int) int { t := 0; for _, x := range s { t += x }; return t }");
        while session.lines.len() < n_lines {
            let k = session.lines.len();
            match session.numbers.below(2) {
                0 => session.wrong_line(k),
                _ => session.right_line(k),
            }
        }
        session
    }

    fn program(&self) -> String {
        let show = "func show(x any) { fmt.Printf(\"%#v // %T\\n\", x, x) }";
        let (decls, body) = (&self.decls, &self.body);
        format!("package main\nimport \"fmt\"\n{show}\n{decls}func main() {{\n{body}}}\n")
    }

    fn int(&mut self, depth: u32) -> String {
        let choice = if depth > 2 { 0 } else { self.numbers.below(6) };
        let operand = match choice {
            1 => self.numbers.one_of(&self.ints).map(String::from),
            2 => self
                .numbers
                .one_of(&self.strings)
                .map(|s| format!("len({s})")),
            3 => self
                .numbers
                .one_of(&self.slices)
                .map(|s| format!("sum({s})")),
            4 => {
                let f = self.numbers.one_of(&self.functions).map(String::from);
                f.map(|f| format!("{f}({})", self.int(depth + 1)))
            }
            5 => {
                let (x, y) = (self.int(depth + 1), self.int(depth + 1));
                let op = ["+", "-", "*", "^", "&"][self.numbers.below(5)];
                Some(format!("({x} {op} {y})"))
            }
            _ => None,
        };
        operand.unwrap_or_else(|| self.numbers.below(50).to_string())
    }

    fn string(&mut self) -> String {
        let known = self.numbers.one_of(&self.strings).map(String::from);
        known.unwrap_or_else(|| format!("\"{}\"", self.numbers.below(99)))
    }

    fn declare(&mut self, decl: &str) {
        self.lines.push(decl.to_string());
        self.decls.push_str(&format!("{decl}\n"));
    }

    fn run(&mut self, stmt: &str) {
        self.lines.push(stmt.to_string());
        self.body.push_str(&format!("\t{stmt}\n"));
    }

    fn show(&mut self, value: &str) {
        self.lines.push(value.to_string());
        self.body.push_str(&format!("\tshow({value})\n"));
    }

    fn variable(&mut self, name: &str, typ: &str, value: &str) {
        self.lines.push(format!("{name} := {value}"));
        self.decls.push_str(&format!("var {name} {typ}\n"));
        self.body.push_str(&format!("\t{name} = {value}\n"));
    }

    fn right_line(&mut self, k: usize) {
        let (n, s) = (self.int(0), self.string());
        match self.numbers.below(11) {
            0 => {
                self.variable(&format!("v{k}"), "int", &n);
                self.ints.push(format!("v{k}"));
            }
            1 => {
                self.variable(&format!("s{k}"), "string", &s);
                self.strings.push(format!("s{k}"));
            }
            2 => {
                self.declare(&format!(
                    "func f{k}(a int) int {{ return (a + {n}) % 1000 }}"
                ));
                self.functions.push(format!("f{k}"));
            }
            3 => {
                self.variable(&format!("l{k}"), "[]int", &format!("[]int{{{n}, 7}}"));
                self.slices.push(format!("l{k}"));
            }
            4 => match self.numbers.one_of(&self.ints).map(String::from) {
                Some(v) => self.run(&format!("{v} = {n} % 100000")),
                None => self.show(&n),
            },
            5 => match self.numbers.one_of(&self.slices).map(String::from) {
                Some(l) => self.run(&format!("{l} = append({l}, {n})")),
                None => self.show(&s),
            },
            6 => {
                self.declare(&format!("type T{k} struct {{ a int; b string }}"));
                self.declare(&format!("func (t T{k}) M(n int) int {{ return t.a + n }}"));
                self.show(&format!("T{k}{{{n}, {s}}}.M(1)"));
            }
            7 => {
                self.variable(&format!("c{k}"), "chan int", "make(chan int)");
                self.run(&format!("go func() {{ c{k} <- {n} }}()"));
                self.show(&format!("<-c{k}"));
            }
            8 => self.show(&format!("map[string]int{{\"k\": {n}}}")),
            9 => {
                self.declare(&format!("func id{k}[E any](x E) []E {{ return []E{{x}} }}"));
                self.show(&format!("id{k}({n})"));
                self.show(&format!("id{k}({s})"));
            }
            _ => self.show(&n),
        }
    }

    fn wrong_line(&mut self, k: usize) {
        let n = self.int(0);
        let line = match self.numbers.below(11) {
            0 => format!("{n} + undefined{k}"),
            1 => format!("{n} + \"a\""),
            2 => format!("{n} ]"),
            3 => format!("var a{k} int = \"s\""),
            4 => format!("func g{k}() int {{ return \"s\" }}"),
            5 => format!("type U{k} struct {{ a missing{k} }}"),
            6 => "1 +* ]".to_string(),
            7 => format!("import \"no/such{k}\""),
            8 => format!("for i := range 3 {{ undefined{k}(i) }}"),
            9 => format!("y{k} := 1; z{k} := y{k} + \"s\""),
            _ => format!("func (t Nope{k}) m() {{}}; 5"),
        };
        self.lines.push(line);
    }
}

/// A made-up session says what the program says that its right lines are.
fn session_is_like_program(seed: u64, n_lines: usize, setting: &[(&str, &str)]) {
    let made_up = MadeUp::new(seed, n_lines);
    let path = std::env::temp_dir().join(format!("repl-{}-{seed}.go", std::process::id()));
    fs::write(&path, made_up.program()).expect("it can be written");
    let program = Command::new(env!("CARGO_BIN_EXE_gosched"))
        .arg(&path)
        .output();
    let program = program.expect("gosched runs");
    fs::remove_file(&path).expect("it is there");
    let said = String::from_utf8_lossy(&program.stderr);
    assert!(program.status.success(), "seed {seed}: {said}");
    let (out, status) = session(&(made_up.lines.join("\n") + "\n"), setting);
    assert_eq!(status, Some(1), "seed {seed}");
    let is_value = |line: &&str| {
        let is_ours = ["> ", "// ", "stdin:", "\t"]
            .iter()
            .any(|p| line.starts_with(p));
        !is_ours
    };
    let values: Vec<&str> = out.lines().filter(is_value).collect();
    let expected = String::from_utf8_lossy(&program.stdout).replace("main.", "");
    let expected: Vec<&str> = expected.lines().collect();
    assert!(expected.len() > n_lines / 10);
    assert_eq!(values, expected, "seed {seed}");
}

#[test]
fn made_up_sessions_are_like_programs() {
    for seed in 1..=4 {
        session_is_like_program(seed, 500, &[]);
    }
    session_is_like_program(5, 500, &[("GOMAXPROCS", "4")]);
}

/// A long session stays small: what it says of itself at its beginning and its end.
#[test]
#[ignore = "takes a minute; .ci/run calls it"]
fn a_long_session_leaves_nothing_behind() {
    let size = "\
        func number(name string) (n int) { b, _ := os.ReadFile(\"/proc/self/status\"); \
        _, rest, _ := strings.Cut(string(b), name+\":\"); fmt.Sscan(rest, &n); return n }\n\
        func size() { fds, _ := os.ReadDir(\"/proc/self/fd\"); \
        fmt.Println(\"size\", number(\"VmRSS\"), number(\"Threads\"), len(fds)) }\n";
    let lines = MadeUp::new(7, 10_000).lines.join("\n");
    let text = format!("{size}size()\n{lines}\nruntime.GC()\nsize()\n");
    let (out, status) = session(&text, &[("GOMAXPROCS", "4")]);
    assert_eq!(status, Some(1));
    let sizes = out.lines().filter_map(|l| l.strip_prefix("size "));
    let numbers = |l: &str| l.split(' ').map(|n| n.parse().expect("a number")).collect();
    let sizes: Vec<Vec<usize>> = sizes.map(numbers).collect();
    let [begin, end] = &sizes[..] else {
        panic!("{sizes:?}");
    };
    println!("kB, threads, descriptors: {begin:?}, {end:?}");
    assert!(end[0] <= 100_000, "{end:?}");
    // Four Ms, the front thread, sysmon and those that were in system calls.
    assert!(end[1] <= begin[1].max(12), "{begin:?} {end:?}");
    assert!(end[2] <= begin[2], "{begin:?} {end:?}");
}

/// Medians of the CPU time until the end of an empty session, and of one with an input.
#[test]
#[ignore = "measures a delay; .ci/run calls it in a release build"]
fn the_prompt_is_ready_in_20_ms_and_answers_in_5() {
    let median = |text: &str| {
        let mut all: Vec<f64> = (0..50).map(|_| cpu_ms(text)).collect();
        all.sort_by(f64::total_cmp);
        all[25]
    };
    let (ready, answered) = (median(""), median("1+2\n"));
    println!(
        "ready after {ready:.1} ms, answered after {:.1}",
        answered - ready
    );
    assert!(ready <= 20.0, "{ready}");
    assert!(answered - ready <= 5.0, "{}", answered - ready);
}

/// The CPU time that a session of this text takes, in ms.
#[allow(unsafe_code, clippy::zombie_processes)] // The kernel tells it to who waits.
fn cpu_ms(text: &str) -> f64 {
    let mut child = Command::new(env!("CARGO_BIN_EXE_gosched"))
        .arg("repl")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("gosched runs");
    let mut stdin = child.stdin.take().expect("it is piped");
    stdin.write_all(text.as_bytes()).expect("it reads");
    drop(stdin);
    // SAFETY: the child is ours, and the kernel writes to the variables.
    let (user, system) = unsafe {
        let (mut status, mut usage) = (0, std::mem::zeroed::<libc::rusage>());
        let id = libc::wait4(child.id() as i32, &raw mut status, 0, &raw mut usage);
        assert_eq!((id, status), (child.id() as i32, 0));
        (usage.ru_utime, usage.ru_stime)
    };
    let ms = |t: libc::timeval| t.tv_sec as f64 * 1e3 + t.tv_usec as f64 / 1e3;
    ms(user) + ms(system)
}

#[test]
fn made_up_sessions_bear_collections_everywhere() {
    let setting = [("GOMAXPROCS", "4"), ("GODEBUG", "gcstress=1")];
    session_is_like_program(6, 1000, &setting);
}

/// What is behind an input belongs to the program while that runs.
#[test]
fn programs_read_what_follows() {
    let text = "\
        func line() string { var s []byte; b := make([]byte, 1); for { n, _ := os.Stdin.Read(b); \
        if n == 0 || b[0] == '\\n' { return string(s) }; s = append(s, b[0]) } }\n\
        line()\n\
        this is read\n\
        1 + 1\n";
    let (out, status) = session(text, &[]);
    let values: Vec<&str> = out.lines().filter(|l| !l.starts_with("> ")).collect();
    let expected = ["// import \"os\"", "\"this is read\" // string", "2 // int"];
    assert_eq!((values, status), (expected.to_vec(), Some(0)));
}

/// Without `--keep-going` the first error ends the session.
#[test]
fn the_first_error_ends_a_session() {
    let run = |text: &str| {
        let path = std::env::temp_dir().join(format!("repl-{}-{}", std::process::id(), text.len()));
        fs::write(&path, text).expect("it can be written");
        let stdin = fs::File::open(&path).expect("it is there");
        let mut command = Command::new(env!("CARGO_BIN_EXE_gosched"));
        let output = command
            .arg("repl")
            .stdin(stdin)
            .output()
            .expect("gosched runs");
        fs::remove_file(&path).expect("it is there");
        let text = |b: Vec<u8>| String::from_utf8(b).expect("it is text");
        (
            output.status.code(),
            text(output.stdout),
            mask(&text(output.stderr)),
        )
    };
    let refused = run("1\nx\n2\n");
    let message = "stdin:2:1: undefined: x\n".to_string();
    assert_eq!(refused, (Some(1), "1 // int\n".to_string(), message));
    let (status, out, _) = run("1\npanic(1)\n2\n");
    assert_eq!((status, &*out), (Some(2), "1 // int\n"));
    let (status, out, _) = run("1\n<-make(chan int)\n2\n");
    assert_eq!((status, &*out), (Some(2), "1 // int\n"));
    // What ends a program ends a session.
    let (status, out, err) = run("1\nvar f func(); f = func() { f() }\nf()\n2\n");
    assert_eq!((status, &*out), (Some(2), "1 // int\n"));
    assert!(err.contains("fatal error: stack overflow"), "{err}");
    assert_eq!(run("os.Exit(7)\n").0, Some(7));
    assert_eq!(run(""), (Some(0), String::new(), String::new()));
    assert_eq!(run("\"no newline\"").1, "\"no newline\" // string\n");
}

/// A session that is typed line by line, each when what came of the one before has been read.
struct Live {
    child: std::process::Child,
    stdin: std::process::ChildStdin,
    stdout: std::io::BufReader<std::process::ChildStdout>,
}

impl Live {
    fn begin() -> Live {
        let mut child = Command::new(env!("CARGO_BIN_EXE_gosched"))
            .args(["repl", "--keep-going"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("gosched runs");
        let stdin = child.stdin.take().expect("it is piped");
        let stdout = std::io::BufReader::new(child.stdout.take().expect("it is piped"));
        Live {
            child,
            stdin,
            stdout,
        }
    }

    /// Types a line; what it prints.
    fn type_line(&mut self, line: &str) -> String {
        use std::io::BufRead;
        writeln!(self.stdin, "{line}\nfmt.Println(\"that was it\")").expect("it reads");
        let mut shown = String::new();
        loop {
            let from = shown.len();
            let n = self.stdout.read_line(&mut shown).expect("it prints text");
            assert!(n > 0, "{line} ended the session: {shown}");
            if &shown[from..] == "that was it\n" {
                shown.truncate(from);
                return shown.replace("// import \"fmt\"\n", "");
            }
        }
    }

    /// The number of the goroutine that is listed in a line with this text.
    fn goroutine(&mut self, text: &str) -> String {
        // It may be on its way there.
        for _ in 0..1000 {
            let list = self.type_line(":go");
            if let Some(line) = list.lines().find(|line| line.contains(text)) {
                return line.split(' ').next().unwrap_or_default().to_string();
            }
        }
        panic!("no {text}");
    }

    fn end(self) {
        assert_eq!(self.status(), Some(0));
    }

    fn status(mut self) -> Option<i32> {
        drop(self.stdin);
        self.child.wait().expect("it ends").code()
    }
}

#[test]
fn goroutines_are_held_and_let_go() {
    let mut s = Live::begin();
    s.type_line("n := 0");
    s.type_line("go func() { for { n++ } }()");
    let counter = s.goroutine(".func1");
    let stands = "for m := -1; n != m; { m = n; time.Sleep(20 * time.Millisecond) }";
    let moves = "for m := n; n == m; { time.Sleep(time.Millisecond) }";
    s.type_line(moves);
    s.type_line(&format!(":hold {counter}"));
    s.type_line(stands);
    assert!(s.type_line(":go").contains("  held  "));
    // Collections and stops of the world do not mind.
    s.type_line(":gc");
    s.type_line(":gomaxprocs 1");
    assert_eq!(s.type_line(":gomaxprocs"), "1\n");
    s.type_line(&format!(":run {counter}"));
    s.type_line(moves);
    // One that waits is held when its wait is over.
    s.type_line("c := make(chan int); var got atomic.Int64");
    s.type_line("go func() { got.Store(int64(<-c)) }()");
    let receiver = s.goroutine("chan receive");
    s.type_line(&format!(":hold {receiver}"));
    assert!(s.type_line(":go").contains("chan receive, held"));
    s.type_line("c <- 5");
    assert_eq!(
        s.type_line("time.Sleep(20 * time.Millisecond); got.Load()"),
        "0 // int64\n"
    );
    assert!(s.type_line(":go").contains("  held  "));
    s.type_line(&format!(":run {receiver}"));
    s.type_line("for got.Load() == 0 { time.Sleep(time.Millisecond) }");
    // A held one can be ended.
    s.type_line(&format!(":hold {counter}"));
    s.type_line(&format!(":kill {counter}"));
    s.type_line("for runtime.NumGoroutine() > 2 { time.Sleep(time.Millisecond) }");
    assert_eq!(s.type_line(":go").lines().count(), 0);
    s.end();
}

#[test]
fn goroutines_are_listed_with_why_and_where_they_wait() {
    let mut s = Live::begin();
    s.type_line("var mu sync.Mutex; var wg sync.WaitGroup; c := make(chan int); wg.Add(1)");
    s.type_line("mu.Lock()");
    let waits = [
        ("c <- 1", "chan send"),
        ("<-make(chan int)", "chan receive"),
        (
            "select { case <-make(chan int): case <-make(chan int): }",
            "select",
        ),
        ("time.Sleep(time.Hour)", "sleep"),
        ("mu.Lock()", "sync.Mutex.Lock"),
        ("wg.Wait()", "sync.WaitGroup.Wait"),
        ("for {}", "runn"),
    ];
    let mut lines = Vec::new();
    for (statement, _) in waits {
        let line = format!("go func() {{ {statement} }}()");
        s.type_line(&line);
        lines.push(line);
    }
    for (_, reason) in waits {
        s.goroutine(&format!("  {reason}"));
    }
    let list = s.type_line(":go");
    for (i, (_, reason)) in waits.iter().enumerate() {
        let listed = list
            .lines()
            .filter(|line| line.contains(&format!("  {reason}")));
        assert_eq!(listed.count(), 1, "{reason} in {list}");
        let place = format!("stdin:{}", 5 + 2 * i);
        assert!(list.contains(&place), "{place} in {list}");
    }
    s.type_line("1");
    s.end();
}

/// The numbers behind each `name=` of a text.
fn numbers_behind(text: &str, name: &str) -> Vec<usize> {
    let name = format!("{name}=");
    let parts = text.split(&name).skip(1);
    let number = |part: &str| {
        part.split(|c: char| !c.is_ascii_digit())
            .next()?
            .parse()
            .ok()
    };
    parts.filter_map(number).collect()
}

/// What `:sched` says is what the scheduler's own account says, while all are held; steps show
/// whom it chooses, and why.
#[test]
fn goroutines_are_held_all_and_stepped() {
    let mut s = Live::begin();
    s.type_line(":gomaxprocs 1");
    s.type_line("ping, pong, done := make(chan int), make(chan int), make(chan int)");
    s.type_line("third := 0");
    s.type_line("go func() { for { ping <- 1; <-pong } }()");
    s.type_line("go func() { for { <-ping; pong <- 1 } }()");
    s.type_line("for range 3 { go func() { for { third++ } }() }");
    s.type_line("time.Sleep(30 * time.Millisecond)");
    s.type_line(":hold");
    let stands = "for m, i := third, 0; i < 20; i++ { if m != third { panic(m) }; \
                  time.Sleep(time.Millisecond) }";
    s.type_line(stands);
    let seen = s.type_line(":sched");
    let account = s.type_line(":sched detail");
    let listed = |place: &str| {
        let line = seen.lines().find(|l| l.contains(place));
        let rest = line.and_then(|l| l.split_once(place));
        rest.map_or(0, |(_, rest)| {
            rest.split(' ').filter(|g| g.starts_with('g')).count()
        })
    };
    assert_eq!(
        numbers_behind(&account, " runqsize"),
        [listed("ring ")],
        "{seen}{account}"
    );
    assert_eq!(
        numbers_behind(&account, " runqueue"),
        [listed("global queue: ")],
        "{account}"
    );
    assert!(seen.starts_with("P0  paused"), "{seen}");
    // Some are in the queues, and each of them can run.
    let runnable = s.type_line(":go");
    let runnable = runnable
        .lines()
        .filter(|l| l.contains("  runnable"))
        .count();
    let next = usize::from(seen.contains("runnext g"));
    assert_eq!(
        listed("ring ") + listed("global queue: ") + next,
        runnable,
        "{seen}"
    );
    // The pair hands its slice on; a step is over in less.
    let steps = s.type_line(":step 40");
    assert!(steps.contains("from runnext; 0."), "{steps}");
    assert!(steps.contains(" ms of the slice are used"), "{steps}");
    assert!(steps.contains("    g"), "{steps}");
    s.type_line(":without slice-inheritance");
    let steps = s.type_line(":step 40");
    assert!(
        steps.contains("the slice is its own, slice-inheritance is off"),
        "{steps}"
    );
    s.type_line(":with slice-inheritance");
    // Collections, other stops of the world and inputs of all kinds do not mind.
    s.type_line(":gc");
    s.type_line(":gomaxprocs 3");
    s.type_line("go func() { done <- 7 }()");
    assert!(
        s.type_line(":step 100")
            .lines()
            .filter(|l| l.contains(" runs on P"))
            .count()
            >= 100
    );
    s.type_line("runtime.GC(); runtime.Gosched(); time.Sleep(time.Millisecond)");
    s.type_line(":run");
    assert_eq!(s.type_line("<-done"), "7 // int\n");
    s.type_line("for m := third; m == third; { time.Sleep(time.Millisecond) }");
    s.type_line("1");
    s.end();
}

/// With nothing to run a step says so.
#[test]
fn steps_end_when_none_can_run() {
    let mut s = Live::begin();
    assert!(s.type_line(":step 3").contains("// none can run"));
    s.type_line("c := make(chan int)");
    s.type_line("go func() { c <- 1; c <- 2 }()");
    let steps = s.type_line(":step 3");
    assert!(
        steps.contains(" waits: chan send\n// none can run"),
        "{steps}"
    );
    s.type_line(":run");
    assert_eq!(s.type_line("<-c + <-c"), "3 // int\n");
    s.end();
}

#[test]
fn decisions_are_shown() {
    let mut s = Live::begin();
    s.type_line(":gomaxprocs 1");
    s.type_line("c := make(chan int)");
    s.type_line("go func() { for { c <- 1 } }(); go func() { for { <-c } }()");
    s.type_line(":trace on");
    let shown = s.type_line("time.Sleep(1500 * time.Millisecond)");
    let shown = shown + &s.type_line(":trace off");
    let is_decision = |l: &&str| l.starts_with('g') && l.contains(" runs on P0: from ");
    let decisions = shown.lines().filter(is_decision).count();
    assert!((20..=60).contains(&decisions), "{shown}");
    assert!(
        shown
            .lines()
            .any(|l| l.starts_with("… ") && l.ends_with(" more")),
        "{shown}"
    );
    s.type_line("time.Sleep(200 * time.Millisecond)");
    let shown = s.type_line("time.Sleep(200 * time.Millisecond)");
    assert_eq!(shown, "", "nothing after it was switched off");
    s.end();
}

#[test]
fn who_waits_and_holds_is_told() {
    let mut s = Live::begin();
    let who = |s: &mut Live, what: &str, lines: &[&str]| {
        // They may be on their way there.
        for i in 0.. {
            let said = s.type_line(&format!(":who {what}"));
            let said: Vec<&str> = said.lines().collect();
            // Numbers differ from run to run.
            let plain = |l: &str| {
                let words = l.split(' ').map(|w| match w.strip_prefix('g') {
                    Some(n) if n.parse::<u64>().is_ok() => "g",
                    _ => w,
                });
                words.collect::<Vec<_>>().join(" ")
            };
            let said: Vec<String> = said.into_iter().map(plain).collect();
            if said == lines {
                break;
            }
            assert!(i < 1000, "{what}: {said:?}");
        }
    };
    s.type_line("c := make(chan int, 2)");
    who(&mut s, "c", &["0 of 2 buffered", "reached from: variables"]);
    s.type_line("c <- 1; close(c)");
    who(
        &mut s,
        "c",
        &["1 of 2 buffered, closed", "reached from: variables"],
    );
    // One that only a goroutine knows is reached through what that holds.
    s.type_line("type box struct { next *box; c chan int }");
    s.type_line("d, done := make(chan int), make(chan bool)");
    s.type_line(
        "go func(b *box) { <-done; b.next.next.c <- 1 }(&box{next: &box{next: &box{c: d}}})",
    );
    s.type_line("go func() { d <- 1 }()");
    let waits = "waiting: g chan send";
    who(
        &mut s,
        "d",
        &["0 of 0 buffered", waits, "reached from: g g variables"],
    );
    s.type_line("var mu sync.Mutex");
    who(&mut s, "mu", &["unlocked", "reached from: variables"]);
    s.type_line("work := func() { mu.Lock(); defer mu.Unlock(); <-done }");
    s.type_line("go work()");
    // Its deferred call knows the lock.
    let held = ["locked", "held by: g", "reached from: g variables"];
    who(&mut s, "mu", &held);
    s.type_line("go work()");
    let second = ["waiting: g sync.Mutex.Lock", "reached from: g g variables"];
    who(
        &mut s,
        "&mu",
        &["locked", "held by: g", second[0], second[1]],
    );
    s.type_line("done <- true; done <- true; done <- true");
    who(&mut s, "mu", &["unlocked", "reached from: variables"]);
    s.type_line("mu.Lock()");
    who(
        &mut s,
        "mu",
        &[
            "locked by a goroutine that has ended",
            "reached from: variables",
        ],
    );
    s.type_line("rw := new(sync.RWMutex)");
    s.type_line("for range 2 { go func() { rw.RLock(); <-done; rw.RUnlock() }() }");
    who(
        &mut s,
        "rw",
        &[
            "locked by 2 for reading",
            "held by: g g",
            "reached from: variables",
        ],
    );
    s.type_line("go func() { rw.Lock(); <-done; rw.Unlock() }()");
    let state = "locked by 2 for reading, and a writer waits for them";
    let waits = "waiting: g sync.RWMutex.Lock";
    who(
        &mut s,
        "rw",
        &[state, "held by: g g", waits, "reached from: g variables"],
    );
    s.type_line("done <- true; done <- true");
    who(
        &mut s,
        "rw",
        &[
            "locked for writing",
            "held by: g",
            "reached from: variables",
        ],
    );
    s.type_line("done <- true");
    who(&mut s, "rw", &["unlocked", "reached from: variables"]);
    s.type_line("var wg sync.WaitGroup; wg.Add(2)");
    s.type_line("go wg.Wait()");
    let waits = "waiting: g sync.WaitGroup.Wait";
    who(
        &mut s,
        "wg",
        &["counter 2", waits, "reached from: g variables"],
    );
    s.type_line("cond := sync.NewCond(rw)");
    s.type_line("go func() { rw.Lock(); cond.Wait(); rw.Unlock() }()");
    who(
        &mut s,
        "cond",
        &["waiting: g sync.Cond.Wait", "reached from: g variables"],
    );
    s.type_line("1");
    s.end();
}

/// An input that was left waiting tells its value through a channel, when it has one.
#[test]
fn an_input_that_waits_is_left_in_the_background() {
    let mut s = Live::begin();
    s.type_line("c := make(chan int)");
    s.type_line("<-c");
    assert!(s.type_line(":bg").contains("<-chan int"));
    s.type_line("go func() { c <- 5 }()");
    let shown = s.type_line("7 * <-it");
    assert!(shown.contains("35 // int\n"), "{shown}");
    assert_eq!(s.type_line(":bg"), "", "no input waits");
    s.type_line("<-c");
    s.type_line("it + 1");
    assert_eq!(s.type_line(":bg"), "", "another value has come");
    s.type_line("go func() { c <- 6 }()");
    s.type_line("for runtime.NumGoroutine() > 2 { time.Sleep(time.Millisecond) }");
    // Who waits for what never comes is told so.
    s.type_line("<-make(chan string)");
    assert!(s.type_line(":bg").contains("<-chan string"));
    s.type_line("<-it");
    assert_eq!(s.type_line("1 + 1"), "2 // int\n");
    assert_eq!(s.status(), Some(2));
}

/// What waits in a ring keeps its order when that is made anew.
#[test]
fn rings_are_made_anew_with_what_is_in_them() {
    let mut s = Live::begin();
    s.type_line(":gomaxprocs 1");
    s.type_line("var order []int");
    s.type_line(":hold");
    s.type_line("for i := range 5 { go func() { order = append(order, i) }() }");
    s.type_line(":without fifo");
    let lifo = s.type_line(":sched");
    s.type_line(":step 5");
    let backwards = s.type_line("order");
    s.type_line("order = nil");
    s.type_line("for i := range 5 { go func() { order = append(order, i) }() }");
    s.type_line(":with fifo");
    s.type_line(":step 5");
    let forwards = s.type_line("order");
    // The last one made stands in runnext.
    assert_eq!(backwards, "[]int{4, 3, 2, 1, 0} // []int\n", "{lifo}");
    assert_eq!(forwards, "[]int{4, 0, 1, 2, 3} // []int\n");
    s.end();
}

#[test]
fn a_session_hears_the_flags_of_a_program() {
    let path = std::env::temp_dir().join(format!("repl-log-{}", std::process::id()));
    let mut child = Command::new(env!("CARGO_BIN_EXE_gosched"))
        .args(["repl", "--keep-going", "--lang=go1.20", "--without=runnext"])
        .arg(format!("--sched-log={}", path.display()))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("gosched runs");
    let mut stdin = child.stdin.take().expect("it is piped");
    // Steps and traces are taken from the same records as the log.
    let text = "for i := range 3 { println(i) }\n:trace on\n:step\n:run\n6 * 7\n";
    stdin.write_all(text.as_bytes()).expect("it reads");
    drop(stdin);
    let out = child.wait_with_output().expect("it ends");
    let errors = String::from_utf8_lossy(&out.stderr);
    assert!(errors.contains("requires go1.22 or later"), "{errors}");
    assert!(out.stdout.ends_with(b"42 // int\n"), "{out:?}");
    let log = fs::read_to_string(&path).expect("it is there");
    fs::remove_file(&path).expect("it is there");
    let (head, end) = (log.lines().next(), log.lines().last());
    assert!(
        head.expect("a head").contains("\"without\":[\"runnext\"]"),
        "{log}"
    );
    assert!(end.expect("an end").ends_with("\"lost\":0}"), "{log}");
    assert!(log.contains("\"ev\":\"start\""), "{log}");
}
