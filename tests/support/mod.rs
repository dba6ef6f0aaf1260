//! What the test binaries share: running a program with a time limit,
//! finding the oracles, reading recipes.
//!
//! The oracles are the real `go` 1.27.3 (`GOSCHED_GO`, else `go` on the path) and the test folder
//! of Go 1.19's sources (`GOSCHED_GOTEST`, else where Debian installs it). Without them tests that
//! need them are listed as ignored, unless `GOSCHED_ORACLE=required`: then they fail.
#![allow(dead_code)]

use libtest_mimic::{Failed, Trial};
use std::ffi::OsStr;
use std::io::{Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

/// How a process ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    Exit(i32),
    Signal(i32),
    Timeout,
}

pub(crate) struct Ran {
    pub(crate) end: End,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// The program under test: the one that `GOSCHED_BIN` names, or else the one that has just been
/// built.
pub(crate) fn gosched() -> Command {
    let named = std::env::var_os("GOSCHED_BIN");
    let program = named.unwrap_or_else(|| env!("CARGO_BIN_EXE_gosched").into());
    let mut c = Command::new(program);
    c.env_remove("GODEBUG")
        .env_remove("GOMAXPROCS")
        .env_remove("GOSCHED_WITHOUT")
        .env_remove("GOTRACEBACK");
    c
}

/// Runs `command` to its end, or kills its whole process group after `limit`.
pub(crate) fn run(command: &mut Command, stdin: &[u8], limit: Duration) -> Ran {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    run_with(command, stdin, limit, None)
}

/// As [`run`], with standard output and standard error in one stream,
/// which is `stdout` of the result.
pub(crate) fn run_merged(command: &mut Command, limit: Duration) -> Ran {
    let (reader, writer) = std::io::pipe().unwrap();
    command.stdout(writer.try_clone().unwrap()).stderr(writer);
    run_with(command, b"", limit, Some(reader))
}

fn run_with(
    command: &mut Command,
    stdin: &[u8],
    limit: Duration,
    merged: Option<std::io::PipeReader>,
) -> Ran {
    command.stdin(Stdio::piped()).process_group(0);
    die_with_us(command);
    let mut child = command
        .spawn()
        .unwrap_or_else(|e| panic!("cannot start {command:?}: {e}"));
    command.stdout(Stdio::null()).stderr(Stdio::null()); // closes our ends of a merged pipe
    let mut input = child.stdin.take().unwrap();
    let stdin = stdin.to_vec();
    std::thread::spawn(move || drop(input.write_all(&stdin)));
    let (stdout, stderr) = match merged {
        Some(both) => (gather(both), gather(std::io::empty())),
        None => (
            gather(child.stdout.take().unwrap()),
            gather(child.stderr.take().unwrap()),
        ),
    };
    let end = wait_or_kill(&mut child, limit);
    Ran {
        end,
        stdout: stdout.finish(),
        stderr: stderr.finish(),
    }
}

/// Time that a killed process has to go away and its pipes to close.
const AFTERMATH: Duration = Duration::from_secs(10);

/// Waits for the end of `child` for at most `limit`, then kills its group. A process that is not
/// gone [`AFTERMATH`] later (one thread in an endless call of the kernel keeps it) is left behind.
fn wait_or_kill(child: &mut Child, limit: Duration) -> End {
    let start = Instant::now();
    let mut pause = Duration::from_micros(200);
    let mut killed = false;
    loop {
        match child.try_wait().unwrap() {
            Some(_) if killed => return End::Timeout,
            Some(status) => {
                return status
                    .code()
                    .map_or_else(|| End::Signal(status.signal().unwrap_or(0)), End::Exit);
            }
            None if killed && start.elapsed() > limit + AFTERMATH => {
                eprintln!("process {} does not end when killed", child.id());
                return End::Timeout;
            }
            None if !killed && start.elapsed() > limit => {
                kill_group(child.id());
                killed = true;
            }
            None => std::thread::sleep(pause),
        }
        pause = (pause * 2).min(Duration::from_millis(5));
    }
}

/// What comes out of a pipe, gathered by a thread.
struct Gathered {
    so_far: Arc<Mutex<Vec<u8>>>,
    closed: mpsc::Receiver<()>,
}

impl Gathered {
    /// What came until the pipe was closed;
    /// should a descendant that left the process group hold it open, what came in time.
    fn finish(self) -> String {
        let _ = self.closed.recv_timeout(AFTERMATH);
        String::from_utf8_lossy(&self.so_far.lock().unwrap()).into_owned()
    }
}

/// Reads all of a pipe (at most 64 MiB are kept) on a thread.
fn gather(mut from: impl Read + Send + 'static) -> Gathered {
    let so_far = Arc::new(Mutex::new(Vec::new()));
    let kept = so_far.clone();
    let (close, closed) = mpsc::channel();
    std::thread::spawn(move || {
        let mut block = vec![0; 64 << 10];
        while let Ok(n @ 1..) = from.read(&mut block) {
            let mut kept = kept.lock().unwrap();
            let room = (64 << 20) - kept.len();
            kept.extend_from_slice(&block[..n.min(room)]);
        }
        drop(close);
    });
    Gathered { so_far, closed }
}

/// Has the program end with the thread that started it, which waits for it: a test that is killed
/// must leave nothing that runs on. Signals do what they do by default: some that start tests
/// ignore one or another.
#[allow(unsafe_code)]
pub(crate) fn die_with_us(command: &mut Command) {
    // SAFETY: the calls are async-signal-safe; the kernel's `sigaction` of zeros (32 bytes:
    // handler, flags, restorer, mask) is read, nothing is written. By the system call, since the C
    // library keeps two of the signals to itself.
    unsafe {
        command.pre_exec(|| {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            let default = [0u64; 4];
            let nowhere = std::ptr::null_mut::<u64>();
            for signal in 1..=64 {
                libc::syscall(libc::SYS_rt_sigaction, signal, default.as_ptr(), nowhere, 8);
            }
            Ok(())
        })
    };
}

/// Ends a whole process group. By the system call itself:
/// programs called `kill` differ in how they take negative numbers.
#[allow(unsafe_code)]
fn kill_group(pid: u32) {
    // SAFETY: no memory is involved; `pid` leads a group of its own (see `run_with`),
    // and is no smaller than 2.
    unsafe { libc::kill(-(pid as i32), libc::SIGKILL) };
}

/// What the programs get as `GODEBUG`, by `GOSCHED_CORPUS_GODEBUG`.
pub(crate) fn stress() -> Option<String> {
    std::env::var("GOSCHED_CORPUS_GODEBUG").ok()
}

/// As [`stress`], for a program that is to collect at each `period`th safepoint only, if at every
/// one is asked for. Of two settings of a knob the later counts.
pub(crate) fn stress_of(period: Option<u32>) -> Option<String> {
    let asked = stress()?;
    match period {
        Some(n) if asked.contains("gcstress=") => Some(format!("{asked},gcstress={n}")),
        _ => Some(asked),
    }
}

/// Is this test in the part asked for by `GOSCHED_CORPUS_PART=SEED:K/N`?
pub(crate) fn in_part(name: &str) -> bool {
    in_part_of("GOSCHED_CORPUS_PART", name)
}

/// The same by another variable.
pub(crate) fn in_part_of(variable: &str, name: &str) -> bool {
    let Ok(part) = std::env::var(variable) else {
        return true;
    };
    let (seed, fraction) = part.split_once(':').unwrap_or(("", &part));
    let (k, n) = fraction
        .split_once('/')
        .unwrap_or_else(|| panic!("{variable}=SEED:K/N"));
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in seed.bytes().chain(name.bytes()) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    (hash >> 20) % n.parse::<u64>().unwrap() == k.parse::<u64>().unwrap()
}

/// Marks of a failure that is ours whatever the program: a Rust panic or a death by signal.
pub(crate) fn is_our_crash(ran: &Ran) -> bool {
    matches!(ran.end, End::Signal(s) if s != 2 && s != 9 && s != 15)
        || [&ran.stdout, &ran.stderr].iter().any(|s| {
            s.contains("panicked at src/")
                || s.contains("panicked at runtime/")
                || s.contains("RUST_BACKTRACE")
        })
}

/// All files below `root` with this extension, sorted.
pub(crate) fn files(root: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension() == Some(OsStr::new(extension)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The folder `tests/` of the source tree.
pub(crate) fn tests_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// Are the oracles required to be there?
pub(crate) fn oracle_required() -> bool {
    std::env::var("GOSCHED_ORACLE").is_ok_and(|v| v == "required")
}

/// The real Go 1.27.3, or why there is none.
pub(crate) fn real_go() -> Result<PathBuf, String> {
    let go = std::env::var_os("GOSCHED_GO").map_or_else(|| PathBuf::from("go"), PathBuf::from);
    let version = Command::new(&go)
        .arg("version")
        .env("GOTOOLCHAIN", "local")
        .output();
    match version {
        Ok(v) if String::from_utf8_lossy(&v.stdout).contains("go1.27.3") => Ok(go),
        Ok(v) => Err(format!(
            "needs go1.27.3, found {}",
            String::from_utf8_lossy(&v.stdout).trim()
        )),
        Err(_) => Err("needs go1.27.3 (set GOSCHED_GO)".into()),
    }
}

/// A command of the real toolchain that touches no network.
pub(crate) fn go_command(go: &Path) -> Command {
    let mut c = Command::new(go);
    c.env("GOTOOLCHAIN", "local")
        .env("GOPROXY", "off")
        .env("GOFLAGS", "-mod=mod");
    c
}

/// The `test` folder of Go's sources, or why there is none.
pub(crate) fn go_test_dir() -> Result<PathBuf, String> {
    let dir = std::env::var_os("GOSCHED_GOTEST")
        .map_or_else(|| PathBuf::from("/usr/share/go-1.19/test"), PathBuf::from);
    if dir.join("run.go").exists() {
        Ok(dir)
    } else {
        Err("needs Debian's golang-1.19-src (set GOSCHED_GOTEST)".into())
    }
}

/// The sources of Go's library: the folder that `GOSCHED_GO_SRC` names, else that of real Go.
pub(crate) fn go_sources() -> Result<PathBuf, String> {
    let src = match std::env::var_os("GOSCHED_GO_SRC") {
        Some(src) => PathBuf::from(src),
        None => {
            let asked = go_command(&real_go()?).args(["env", "GOROOT"]).output();
            let asked = asked.map_err(|e| e.to_string())?;
            PathBuf::from(String::from_utf8_lossy(&asked.stdout).trim()).join("src")
        }
    };
    match src.join("strings").is_dir() {
        true => Ok(src),
        false => Err("needs Go's sources (set GOSCHED_GO_SRC)".into()),
    }
}

/// A trial that needs an oracle: ignored with the reason where the oracle is missing and may be,
/// failing where it must be there.
pub(crate) fn needs<T: Send + 'static>(
    name: String,
    oracle: Result<T, String>,
    test: impl FnOnce(T) -> Result<(), Failed> + Send + 'static,
) -> Trial {
    match oracle {
        Ok(found) => Trial::test(name, move || test(found)),
        Err(reason) if oracle_required() => Trial::test(name, move || Err(reason.into())),
        Err(reason) => Trial::test(format!("{name} ({reason})"), || Ok(())).with_ignored_flag(true),
    }
}

/// The first difference between two texts, shown with its line.
pub(crate) fn difference(want: &str, got: &str) -> Option<String> {
    if want == got {
        return None;
    }
    let (mut w, mut g) = (want.split_inclusive('\n'), got.split_inclusive('\n'));
    let mut line = 0;
    loop {
        line += 1;
        match (w.next(), g.next()) {
            (a, b) if a == b => {}
            (a, b) => return Some(format!("line {line}:\n  want {a:?}\n  got  {b:?}")),
        }
    }
}

/// The inputs of a session's transcript, as they are typed.
pub(crate) fn inputs(transcript: &str) -> String {
    let typed = |line: &str| {
        let text = line.strip_prefix("> ").or_else(|| line.strip_prefix(". "));
        let text = text.or((line == ".").then_some(""));
        text.map(|text| format!("{text}\n"))
    };
    transcript.lines().filter_map(typed).collect()
}
