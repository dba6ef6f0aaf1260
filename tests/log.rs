//! The scheduler's log says what happened: its head, its last line, what goroutines wait on, and
//! each move of a goroutine between the run queues, so that the queues can be rebuilt from it.
//!
//! Its form, line by line, is looked at by `tests/proof.rs`.

mod support;

use std::collections::{BTreeSet, HashMap, VecDeque};
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

// ---- queues ---------------------------------------------------------------------------------

/// Where a goroutine is, as far as the log has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum At {
    /// On no queue.
    Nowhere,
    /// In the `runnext` of a P.
    Runnext(i64),
    /// On the ring of a P.
    Ring(i64),
    /// On the global queue.
    Global,
    /// Kept back.
    Aside,
    /// With the thread it is wired to.
    Wired,
    /// In the hands of a thread that has stolen or fetched it.
    Hand(i64),
}

/// A goroutine on a ring.
struct Entry {
    g: i64,
    /// The owner has taken one behind it: a thief has it already, and is about to say so.
    is_stolen: bool,
}

/// What one more goroutine may be moved from, after `stolen`, `fetched` or `overflow`.
struct Moves {
    /// What announced them.
    by: &'static str,
    left: i64,
    from: At,
    /// Of a theft: those that followed the first on the ring, which are the ones to be moved.
    next: VecDeque<i64>,
}

/// The run queues, rebuilt.
#[derive(Default)]
struct Queues {
    at: HashMap<i64, At>,
    rings: HashMap<i64, VecDeque<Entry>>,
    global: VecDeque<i64>,
    /// By thread.
    moves: HashMap<i64, Moves>,
    /// How often each reason for a start was held against the queues.
    starts: HashMap<String, usize>,
}

type Checked<T = ()> = Result<T, String>;

impl Queues {
    /// Follows a log of `procs` Ps from its first event to its end.
    fn replay(text: &str, procs: u32) -> Checked<Queues> {
        let mut queues = Queues::default();
        for line in text.lines().skip(1) {
            queues
                .event(Line(line), procs)
                .map_err(|e| format!("{e}\nat {line}"))?;
        }
        Ok(queues)
    }

    fn where_is(&self, g: i64) -> At {
        self.at.get(&g).copied().unwrap_or(At::Nowhere)
    }

    fn event(&mut self, e: Line<'_>, procs: u32) -> Checked {
        let (g, m, p) = (e.number("g"), e.number("m"), e.number("p"));
        match e.text("ev") {
            "create" | "ready" => self.expect(g, At::Nowhere),
            "queued" => self.queued(g, m, p, e.text("to")),
            "stolen" => {
                let from = e.number("from");
                let source = match e.text("place") {
                    "runnext" => At::Runnext(from),
                    _ => At::Ring(from),
                };
                let index = self.take(g, source, "stolen")?;
                self.at.insert(g, At::Hand(m));
                let left = e.number("n") - 1;
                let ring = self.rings.entry(from).or_default();
                let next = ring.iter().skip(index).take(left as usize);
                let next = next.map(|e| e.g).collect();
                self.announce(m, "stolen", left, source, next)
            }
            "fetched" => {
                if e.number("of") != self.global.len() as i64 {
                    return Err(format!("{} on the global queue", self.global.len()));
                }
                self.take(g, At::Global, "fetched")?;
                self.at.insert(g, At::Hand(m));
                self.announce(m, "fetched", e.number("n") - 1, At::Global, VecDeque::new())
            }
            "overflow" => self.announce(m, "overflow", e.number("n"), At::Ring(p), VecDeque::new()),
            "start" => {
                let why = e.text("why");
                *self.starts.entry(why.to_string()).or_default() += 1;
                self.start(g, m, p, why)?;
                let len = self.rings.get(&p).map_or(0, VecDeque::len) as i64;
                if procs == 1 && e.number("local") != len {
                    return Err(format!("{len} on the ring"));
                }
                Ok(())
            }
            "park" | "end" | "yield" => {
                if let Some(moves) = self.moves.get(&m)
                    && moves.left > 0
                {
                    return Err(format!("{} moves of {} are missing", moves.left, moves.by));
                }
                self.expect(g, At::Nowhere)
            }
            _ => Ok(()),
        }
    }

    fn expect(&self, g: i64, at: At) -> Checked {
        let is = self.where_is(g);
        if is == at {
            Ok(())
        } else {
            Err(format!("goroutine {g} is {is:?}, not {at:?}"))
        }
    }

    fn announce(
        &mut self,
        m: i64,
        by: &'static str,
        left: i64,
        from: At,
        next: VecDeque<i64>,
    ) -> Checked {
        let moves = Moves {
            by,
            left,
            from,
            next,
        };
        match self.moves.insert(m, moves) {
            Some(before) if before.left > 0 => Err(format!(
                "{} moves of {} are missing",
                before.left, before.by
            )),
            _ => Ok(()),
        }
    }

    /// Takes a goroutine from where it must be; its place on the ring.
    fn take(&mut self, g: i64, from: At, by: &str) -> Checked<usize> {
        self.expect(g, from)?;
        self.at.remove(&g);
        match from {
            At::Global => match self.global.iter().position(|&q| q == g) {
                Some(0) => drop(self.global.pop_front()),
                at => return Err(format!("goroutine {g} is at {at:?} of the global queue")),
            },
            At::Ring(p) => {
                let ring = self.rings.entry(p).or_default();
                let at = ring
                    .iter()
                    .position(|e| e.g == g)
                    .ok_or_else(|| format!("goroutine {g} is not on the ring of {p}"))?;
                let entry = ring.remove(at).expect("it is there");
                if by == "stolen" {
                    return Ok(at);
                }
                // The owner takes the head.
                // What is before it was taken by other Ps that have not recorded it yet.
                if entry.is_stolen {
                    return Err(format!("goroutine {g} was behind one that its P took"));
                }
                for before in ring.iter_mut().take(at) {
                    before.is_stolen = true;
                }
            }
            _ => {}
        }
        Ok(0)
    }

    fn queued(&mut self, g: i64, m: i64, p: i64, to: &str) -> Checked {
        if let Some(moves) = self.moves.get_mut(&m)
            && moves.left > 0
        {
            moves.left -= 1;
            let (by, from) = (moves.by, moves.from);
            let next = moves.next.pop_front();
            if by == "stolen" && next != Some(g) {
                return Err(format!("{next:?} was next to be moved, not {g}"));
            }
            let source = match (by, self.where_is(g)) {
                // The last of these is the one that found the ring full.
                ("overflow", is @ (At::Nowhere | At::Runnext(_))) => is,
                _ => from,
            };
            self.take(g, source, by)?;
        } else {
            match self.where_is(g) {
                At::Nowhere => {}
                // Another has come into its place.
                At::Runnext(own) if own == p && to == "ring" => drop(self.at.remove(&g)),
                // A P is gone, with all threads stopped.
                is @ (At::Runnext(_) | At::Ring(_)) if to == "global-front" => {
                    self.at.remove(&g);
                    if let At::Ring(gone) = is {
                        self.rings.entry(gone).or_default().retain(|e| e.g != g);
                    }
                }
                At::Aside if to == "global" => {}
                // Found, but not to be run here.
                At::Hand(own) if own == m && matches!(to, "wired" | "aside") => {}
                is @ (At::Runnext(own) | At::Ring(own))
                    if own == p && matches!(to, "wired" | "aside") =>
                {
                    self.take(g, is, "owner")?;
                }
                is => return Err(format!("goroutine {g} is {is:?}")),
            }
        }
        let at = match to {
            "runnext" => At::Runnext(p),
            "ring" => {
                let ring = self.rings.entry(p).or_default();
                ring.push_back(Entry {
                    g,
                    is_stolen: false,
                });
                At::Ring(p)
            }
            "global" => {
                self.global.push_back(g);
                At::Global
            }
            "global-front" => {
                self.global.push_front(g);
                At::Global
            }
            "aside" => At::Aside,
            "wired" => At::Wired,
            _ => return Err(format!("no place {to:?}")),
        };
        self.at.insert(g, at);
        Ok(())
    }

    fn start(&mut self, g: i64, m: i64, p: i64, why: &str) -> Checked {
        let from = match why {
            "runnext" => At::Runnext(p),
            "local" => At::Ring(p),
            "global" | "global-61" | "steal" | "steal-runnext" => At::Hand(m),
            "wired" => At::Wired,
            // Which of them depends on whether another timer made one ready after it.
            "timer" if self.where_is(g) == At::Ring(p) => At::Ring(p),
            "timer" => At::Runnext(p),
            "netpoll" | "syscall" | "unparked" | "gc-worker" => At::Nowhere,
            _ => return Err(format!("no reason {why:?}")),
        };
        self.take(g, from, "owner").map(drop)
    }
}

#[test]
fn every_start_is_where_the_rebuilt_queues_say() {
    let mut seen = BTreeSet::new();
    for procs in [1, 2, 4] {
        let (ran, text) = run("moves.go", procs, "moves");
        assert_eq!(ran.end, End::Exit(0), "{}", ran.stderr);
        end_of(&text).unwrap();
        let queues = Queues::replay(&text, procs).unwrap_or_else(|e| panic!("{procs} Ps: {e}"));
        seen.extend(queues.starts.into_keys());

        // A log that leaves out a move explains less. Some moves do not matter: a goroutine's that
        // was displaced from `runnext` at once.
        for kind in [
            "\"to\":\"runnext\"",
            "\"to\":\"ring\"",
            "\"to\":\"global\"",
            "\"ev\":\"fetched\"",
        ] {
            let is_missed = text.match_indices(kind).take(40).any(|(at, _)| {
                let from = text[..at].rfind('\n').unwrap() + 1;
                let to = at + text[at..].find('\n').unwrap() + 1;
                let without = format!("{}{}", &text[..from], &text[to..]);
                Queues::replay(&without, procs).is_err()
            });
            assert!(is_missed, "{procs} Ps: moves {kind} are not missed");
        }
    }
    for why in ["runnext", "local", "global", "global-61", "steal", "wired"] {
        assert!(seen.contains(why), "no start by {why}, only {seen:?}");
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
    assert!(parks("sleep").iter().all(|&on| on == "0x0"));

    // A select names all its channels, fewer as they become nil;
    // a receiver waits on each of the first three.
    let lines: Vec<Line<'_>> = text.lines().map(Line).collect();
    let mut sets: Vec<BTreeSet<&str>> = Vec::new();
    for (i, e) in lines.iter().enumerate() {
        if e.text("ev") == "park" && e.text("reason") == "select" {
            let more = e.number("more") as usize;
            let others = lines[i + 1..]
                .iter()
                .filter(|o| o.number("m") == e.number("m"));
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
    assert!(!sets[0].contains("0x0"));
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
        "{\"schema\":\"gosched-sched-log\",\"version\":2,\"pid\":",
        "\"gosched\":\"",
        "\"go\":\"go1.27.3\"",
        "objects.go\",\"args\":[\"one\",\"a \\\"b\\\"\\u000a\"]",
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
    for (args, want) in [(&[][..], 1), (&["x"][..], 3)] {
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
