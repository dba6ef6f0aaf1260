//! `gosched explore`: runs a program under many schedules until one of them fails.
//!
//! The program is compiled and loaded once. Each schedule is a child made by `fork` before the
//! runtime starts, whose decisions come from a seed of its own: schedule k of a search is always
//! the same, however many run at once, and of those that fail the lowest is reported.

use crate::driver::{print_error, print_output};
use bytecode::image::Loaded;
use gosched_runtime::control::{self, Options};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::MemfdFlags;
use rustix::process::{Pid, PidfdFlags, Signal, WaitOptions, WaitStatus};
use std::fs::File;
use std::io::{Read, Seek};
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

/// Exit status of a search that has found something.
pub(crate) const FOUND: i32 = 3;

/// What to search.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    /// At most so many schedules.
    pub schedules: u64,
    /// At most so long.
    pub time: Duration,
    /// Where the schedules' seeds come from.
    pub seed: u64,
    /// At most so many at once.
    pub jobs: usize,
    /// Decisions in one run.
    pub steps: u64,
    /// The words that run the program again, behind `gosched run --seed=N`.
    pub again: String,
}

/// How long one run may take: it may wait for the world.
const RUN_LIMIT: Duration = Duration::from_secs(10);

/// A running schedule.
struct Run {
    number: u64,
    pid: Pid,
    ended: OwnedFd,
    output: File,
    since: Instant,
}

/// How a run has failed.
struct Finding {
    number: u64,
    what: String,
    output: Vec<u8>,
}

/// The seed of a schedule.
fn seed_of(search: &Search, number: u64) -> u64 {
    // Seeds that people type again are short.
    (search.seed.wrapping_add(number)) % 1_000_000_000
}

/// Searches; `start` runs the program and does not return. The exit status.
pub(crate) fn explore(search: &Search, loaded: Loaded, start: fn(Loaded) -> !) -> i32 {
    let begin = Instant::now();
    let mut loaded = Some(loaded);
    let mut running: Vec<Run> = Vec::new();
    let mut found: Option<Finding> = None;
    let (mut next, mut ended, mut cut) = (0, 0, 0);
    loop {
        let is_over = begin.elapsed() > search.time;
        let may_start = found.is_none() && next < search.schedules && !is_over;
        if may_start && running.len() < search.jobs {
            match begin_run(search, next, &mut loaded, start) {
                Ok(run) => running.push(run),
                Err(e) => {
                    print_error(format_args!("gosched: explore: {e}\n"));
                    return 2;
                }
            }
            next += 1;
            continue;
        }
        // Of those that fail the lowest counts.
        running.retain(|run| {
            let counts = found.as_ref().is_none_or(|f| run.number < f.number);
            if !counts {
                end(run);
            }
            counts
        });
        if running.is_empty() {
            break;
        }
        wait(&running);
        let mut i = 0;
        while i < running.len() {
            let Some(status) = ended_with(&running[i]) else {
                i += 1;
                continue;
            };
            let mut run = running.swap_remove(i);
            ended += 1;
            if status.terminating_signal() == Some(libc::SIGXCPU)
                || status.terminating_signal() == Some(libc::SIGKILL)
            {
                cut += 1;
                continue;
            }
            if status.exit_status() == Some(0) {
                continue;
            }
            let mut output = Vec::new();
            let _ = run
                .output
                .rewind()
                .and_then(|()| run.output.read_to_end(&mut output));
            found = Some(Finding {
                number: run.number,
                what: kind(status, &output),
                output,
            });
        }
    }
    let seconds = begin.elapsed().as_secs_f64();
    let limits = match cut {
        0 => String::new(),
        n => format!("; {n} did not end in {} decisions or 10 s", search.steps),
    };
    match found {
        None => {
            print_error(format_args!(
                "nothing found in {ended} schedules ({seconds:.2} s){limits}\n"
            ));
            0
        }
        Some(f) => {
            print_output(String::from_utf8_lossy(&f.output));
            print_error(format_args!(
                "\nfound: {}, after {} schedules ({seconds:.2} s){limits}\nagain: gosched run \
                 --seed={} {}\n",
                f.what,
                f.number + 1,
                seed_of(search, f.number),
                search.again
            ));
            FOUND
        }
    }
}

/// Starts schedule `number`.
#[expect(unsafe_code)]
fn begin_run(
    search: &Search,
    number: u64,
    loaded: &mut Option<Loaded>,
    start: fn(Loaded) -> !,
) -> std::io::Result<Run> {
    let output = rustix::fs::memfd_create("gosched-output", MemfdFlags::CLOEXEC)?;
    // SAFETY: this process has one thread, since the runtime has not been started.
    match unsafe { libc::fork() } {
        -1 => Err(std::io::Error::last_os_error()),
        0 => {
            let _ = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
            let _ = rustix::stdio::dup2_stdout(&output);
            let _ = rustix::stdio::dup2_stderr(&output);
            if let Ok(nothing) = File::open("/dev/null") {
                let _ = rustix::stdio::dup2_stdin(&nothing);
            }
            control::set(Options {
                seed: Some(seed_of(search, number)),
                steps: Some(search.steps),
                ..Options::default()
            });
            match loaded.take() {
                Some(loaded) => start(loaded),
                None => std::process::exit(2),
            }
        }
        id => {
            let pid = Pid::from_raw(id).ok_or(std::io::ErrorKind::Other)?;
            let ended = rustix::process::pidfd_open(pid, PidfdFlags::empty())?;
            Ok(Run {
                number,
                pid,
                ended,
                output: output.into(),
                since: Instant::now(),
            })
        }
    }
}

/// Waits until a run has ended, or one has run too long.
fn wait(running: &[Run]) {
    let mut fds: Vec<PollFd<'_>> = running
        .iter()
        .map(|run| PollFd::from_borrowed_fd(run.ended.as_fd(), PollFlags::IN))
        .collect();
    let rest = running
        .iter()
        .map(|run| RUN_LIMIT.saturating_sub(run.since.elapsed()));
    let rest = rest.min().unwrap_or_default();
    let time = Timespec {
        tv_sec: rest.as_secs() as i64,
        tv_nsec: rest.subsec_nanos().into(),
    };
    let _ = poll(&mut fds, Some(&time));
    for run in running
        .iter()
        .filter(|run| run.since.elapsed() >= RUN_LIMIT)
    {
        let _ = rustix::process::kill_process(run.pid, Signal::KILL);
    }
}

/// How a run has ended, if it has.
fn ended_with(run: &Run) -> Option<WaitStatus> {
    let waited = rustix::process::waitpid(Some(run.pid), WaitOptions::NOHANG);
    waited.ok().flatten().map(|(_, status)| status)
}

/// Ends a run of which nobody wants to know.
fn end(run: &Run) {
    let _ = rustix::process::kill_process(run.pid, Signal::KILL);
    let _ = rustix::process::waitpid(Some(run.pid), WaitOptions::empty());
}

/// What kind of failure it is.
fn kind(status: WaitStatus, output: &[u8]) -> String {
    let text = String::from_utf8_lossy(output);
    let says = |what: &str| text.lines().any(|line| line.starts_with(what));
    if says("fatal error: all goroutines are asleep - deadlock!") {
        return "deadlock".into();
    }
    if says("panic: ") {
        return "panic".into();
    }
    if says("fatal error: ") {
        return "fatal error".into();
    }
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => format!("exit status {code}"),
        (_, Some(sig)) => format!("end by signal {sig}"),
        _ => "failure".into(),
    }
}
