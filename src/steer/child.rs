//! One run, in a child of this process.

use crate::driver::Traces;
use bytecode::image::Loaded;
use gosched_runtime::control::log::{Kind, Log, Record};
use gosched_runtime::control::operation::Act;
use gosched_runtime::control::strategy::{Choice, Decision, Plan, Take};
use gosched_runtime::control::{self, Options, Outside};
use gosched_runtime::g::Goid;
use gosched_runtime::race;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{MemfdFlags, SeekFrom, ftruncate, seek};
use rustix::process::{Pid, PidfdFlags, Resource, Rlimit, Signal, WaitOptions, WaitStatus};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Seek};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::time::{Duration, Instant};

/// So much CPU one run may take, in seconds; and so long it may wait for the world, in which it
/// takes next to none. However busy the machine is, the same runs end by themselves.
pub(super) const RUN_LIMIT: u64 = 10;
const NEXT_TO_NONE: Duration = Duration::from_millis(100);
/// Records that a run may write; what is not written takes no memory.
const RECORDS: usize = 4 << 20;

/// What is run, and how.
pub(crate) struct Runner {
    /// Taken by the child.
    program: Option<Loaded>,
    start: Start,
    /// The words that the program is given.
    pub(super) args: Vec<String>,
    /// Decisions in one run.
    steps: u64,
    /// What reaches outside ends a run.
    pub(super) is_gated: bool,
    /// Where runs write what the scheduler does.
    pub(super) traces: Traces,
    /// Places where a run leaves something, free for the next.
    slots: Vec<Slot>,
}

/// Starts a program with the words that it is given; the process ends with it.
pub(crate) type Start = Box<dyn Fn(Loaded, &[String])>;

/// Where a run leaves what it prints and what happens in it.
struct Slot {
    output: OwnedFd,
    late: OwnedFd,
    log: Log,
}

/// How a run is steered.
#[derive(Clone, Debug)]
pub(super) struct Spec {
    /// Where from what is drawn comes.
    pub seed: u64,
    /// One of so many decisions lets time pass.
    pub passes: u32,
    /// By so many nanoseconds the clock may pass what can run; `None`: by any number.
    pub max_stall: Option<i64>,
    pub races: Races,
    /// Accesses to memory that are points.
    pub shared: Vec<u64>,
    pub plan: Plan,
}

/// What becomes of data races.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Races {
    /// They are not looked for.
    Off,
    /// They are in the records of a run, and not told.
    Noted,
    /// They are wrong.
    Told,
}

/// A run that goes on.
pub(super) struct Running {
    /// By which the caller that began the run tells it from others.
    pub number: u64,
    pid: Pid,
    ended: OwnedFd,
    slot: Slot,
    /// Since when it is looked at, and the CPU that it had taken then.
    since: Cell<(Instant, Duration)>,
}

/// A run that is over.
#[derive(Clone)]
pub(super) struct Run {
    pub status: WaitStatus,
    /// What it has printed; and what goroutines have that the main goroutine did not wait for.
    pub output: Vec<u8>,
    pub late: Vec<u8>,
    pub records: Vec<Record>,
}

impl Runner {
    pub(crate) fn new(program: Loaded, start: Start, args: Vec<String>, steps: u64) -> Runner {
        Runner {
            program: Some(program),
            start,
            args,
            steps,
            is_gated: false,
            traces: Traces::default(),
            slots: Vec::new(),
        }
    }

    fn slot(&mut self) -> io::Result<Slot> {
        let file = || rustix::fs::memfd_create("gosched-output", MemfdFlags::CLOEXEC);
        let slot = match self.slots.pop() {
            Some(slot) => slot,
            None => Slot {
                output: file()?,
                late: file()?,
                log: Log::new(RECORDS).ok_or(ErrorKind::OutOfMemory)?,
            },
        };
        for file in [&slot.output, &slot.late] {
            ftruncate(file, 0)?;
            seek(file, SeekFrom::Start(0))?;
        }
        slot.log.clear();
        Ok(slot)
    }

    /// Begins a run whose output is kept.
    pub(super) fn begin(&mut self, number: u64, spec: Spec) -> io::Result<Running> {
        let slot = self.slot()?;
        let output = slot.output.as_fd().try_clone_to_owned()?;
        self.fork(number, spec, slot, true, || {
            let _ = rustix::stdio::dup2_stdout(&output);
            let _ = rustix::stdio::dup2_stderr(&output);
            if let Ok(nothing) = File::open("/dev/null") {
                let _ = rustix::stdio::dup2_stdin(&nothing);
            }
        })
    }

    /// Begins a run whose input and output are ours.
    pub(super) fn begin_here(&mut self, spec: Spec) -> io::Result<Running> {
        let slot = self.slot()?;
        self.fork(0, spec, slot, false, || ())
    }

    #[expect(unsafe_code)]
    fn fork(
        &mut self,
        number: u64,
        spec: Spec,
        slot: Slot,
        is_limited: bool,
        prepare: impl FnOnce(),
    ) -> io::Result<Running> {
        // SAFETY: this process has one thread, since the runtime has not been started.
        match unsafe { libc::fork() } {
            -1 => Err(io::Error::last_os_error()),
            0 => {
                let _ = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
                let limit = Rlimit {
                    current: Some(RUN_LIMIT),
                    maximum: Some(RUN_LIMIT),
                };
                if is_limited {
                    let _ = rustix::process::setrlimit(Resource::Cpu, limit);
                }
                prepare();
                control::set(Options {
                    seed: Some(spec.seed),
                    steps: Some(self.steps),
                    plan: spec.plan,
                    passes: spec.passes,
                    max_stall: spec.max_stall,
                    log: Some(slot.log),
                    lingers: true,
                    late: Some(slot.late.as_raw_fd()),
                    is_gated: self.is_gated,
                    shared: spec.shared,
                    ..Options::default()
                });
                if spec.races != Races::Off && !crate::driver::look_for_races() {
                    std::process::exit(2);
                }
                if spec.races == Races::Noted {
                    race::keep_quiet();
                }
                if let Err(status) = self.traces.begin() {
                    std::process::exit(status);
                }
                if let Some(program) = self.program.take() {
                    (self.start)(program, &self.args);
                }
                std::process::exit(2)
            }
            id => {
                let pid = Pid::from_raw(id).ok_or(ErrorKind::Other)?;
                let ended = rustix::process::pidfd_open(pid, PidfdFlags::empty())?;
                Ok(Running {
                    number,
                    pid,
                    ended,
                    slot,
                    since: Cell::new((Instant::now(), Duration::ZERO)),
                })
            }
        }
    }

    /// What a run has left, if it is over.
    pub(super) fn ended(&mut self, running: Running) -> Result<Run, Running> {
        let waited = rustix::process::waitpid(Some(running.pid), WaitOptions::NOHANG);
        match waited.ok().flatten() {
            Some((_, status)) => Ok(self.collect(status, running.slot)),
            None => Err(running),
        }
    }

    fn collect(&mut self, status: WaitStatus, slot: Slot) -> Run {
        let text = |file: &OwnedFd| {
            let mut text = Vec::new();
            let copy = file.try_clone().map(File::from);
            let _ = copy.and_then(|mut f| {
                f.rewind()?;
                f.read_to_end(&mut text)
            });
            text
        };
        let run = Run {
            status,
            output: text(&slot.output),
            late: text(&slot.late),
            records: slot.log.records().to_vec(),
        };
        self.slots.push(slot);
        run
    }

    /// Runs to the end.
    pub(super) fn run(&mut self, spec: Spec) -> io::Result<Run> {
        let running = self.begin(0, spec)?;
        self.finish(running)
    }

    /// Waits for the end of a run.
    pub(super) fn finish(&mut self, running: Running) -> io::Result<Run> {
        let mut running = running;
        loop {
            match self.ended(running) {
                Ok(run) => return Ok(run),
                Err(still) => running = still,
            }
            wait(std::slice::from_ref(&running), true);
        }
    }

    /// Ends a run of which nobody wants to know.
    pub(super) fn end(&mut self, running: Running) {
        let _ = rustix::process::kill_process(running.pid, Signal::KILL);
        let _ = rustix::process::waitpid(Some(running.pid), WaitOptions::empty());
        self.slots.push(running.slot);
    }
}

/// Waits until a run has ended; with `is_limited` one that does nothing for too long is ended.
pub(super) fn wait(running: &[Running], is_limited: bool) {
    let mut fds: Vec<PollFd<'_>> = running
        .iter()
        .map(|run| PollFd::from_borrowed_fd(run.ended.as_fd(), PollFlags::IN))
        .collect();
    if !is_limited {
        let _ = poll(&mut fds, None);
        return;
    }
    let limit = Duration::from_secs(RUN_LIMIT);
    let rest = running
        .iter()
        .map(|run| limit.saturating_sub(run.since.get().0.elapsed()));
    let rest = rest.min().unwrap_or_default();
    let time = Timespec {
        tv_sec: rest.as_secs() as i64,
        tv_nsec: rest.subsec_nanos().into(),
    };
    let _ = poll(&mut fds, Some(&time));
    for run in running {
        let (since, before) = run.since.get();
        if since.elapsed() < limit {
            continue;
        }
        match cpu_of(run.pid).filter(|cpu| *cpu >= before + NEXT_TO_NONE) {
            Some(cpu) => run.since.set((Instant::now(), cpu)),
            None => drop(rustix::process::kill_process(run.pid, Signal::KILL)),
        }
    }
}

/// The CPU that a process has taken.
fn cpu_of(pid: Pid) -> Option<Duration> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_pid())).ok()?;
    // What stands before is its number, and its name in parentheses.
    let mut fields = stat.rsplit_once(')')?.1.split(' ').skip(12);
    let mut ticks = || fields.next()?.parse::<u64>().ok();
    let ticks = ticks()? + ticks()?;
    Some(Duration::from_secs(ticks) / rustix::param::clock_ticks_per_second() as u32)
}

/// The CPU that this process has taken, and its children that are over.
#[expect(unsafe_code)]
pub(super) fn spent() -> Duration {
    let of = |who| {
        let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
        // SAFETY: `usage` is one, and zeros are a value of it if the kernel writes none.
        let usage = unsafe {
            libc::getrusage(who, usage.as_mut_ptr());
            usage.assume_init()
        };
        let time = |t: libc::timeval| Duration::new(t.tv_sec as u64, t.tv_usec as u32 * 1000);
        time(usage.ru_utime) + time(usage.ru_stime)
    };
    of(libc::RUSAGE_SELF) + of(libc::RUSAGE_CHILDREN)
}

impl Run {
    /// The run was ended by us.
    pub(super) fn is_cut(&self) -> bool {
        let signal = self.status.terminating_signal();
        signal == Some(libc::SIGXCPU) || signal == Some(libc::SIGKILL)
    }

    /// Is there a record of this kind?
    pub(super) fn has(&self, kind: Kind) -> bool {
        self.records.iter().any(|r| r.kind == kind)
    }

    /// Has anybody set a timer?
    pub(super) fn has_timers(&self) -> bool {
        let is_set = |r: &Record| matches!(r.op.act, Act::Time | Act::Timer);
        self.records.iter().any(is_set)
    }

    /// Has a limit ended the run, or what went on after the return of the main goroutine?
    pub(super) fn is_limited(&self) -> bool {
        self.is_cut() || self.has(Kind::Limit)
    }

    /// What the run would have done outside, and where, if it was ended for that.
    pub(super) fn refused(&self) -> Option<(&'static str, u64)> {
        let last = self.records.last().filter(|r| r.kind == Kind::Refused)?;
        let text = Outside::TEXTS.get(last.other as usize)?;
        Some((text, last.op.at))
    }

    /// Has the main goroutine returned?
    pub(super) fn has_returned(&self) -> bool {
        self.has(Kind::MainEnd)
    }

    /// Has it, and have the others gone on until nothing could run?
    pub(super) fn has_lingered(&self) -> bool {
        let is_well = matches!(self.status.exit_status(), Some(0 | race::STATUS));
        self.has_returned() && is_well
    }

    /// The records up to the return of the main goroutine.
    fn until_return(&self) -> &[Record] {
        let at = self.records.iter().position(|r| r.kind == Kind::MainEnd);
        &self.records[..at.unwrap_or(self.records.len())]
    }

    /// How many decisions there were.
    pub(super) fn count(&self) -> usize {
        let is = |r: &&Record| is_decision(r);
        self.until_return().iter().filter(is).count()
    }

    /// What was decided otherwise than is ordinary.
    pub(super) fn choices(&self) -> Vec<Choice> {
        let choice = |r: &Record| {
            Some(Choice {
                at: r.key,
                take: switch(r)?,
            })
        };
        self.records.iter().filter_map(choice).collect()
    }

    /// All decisions.
    pub(super) fn decisions(&self) -> Vec<Decision> {
        let mut ready: Vec<Goid> = Vec::new();
        let mut decisions = Vec::new();
        for r in &self.records {
            let (take, of) = match r.kind {
                Kind::Ready => {
                    ready.push(r.g);
                    continue;
                }
                Kind::Run => {
                    let of: Vec<u64> = ready.iter().map(|g| g.0).collect();
                    ready.retain(|g| *g != r.g);
                    if r.n < 2 {
                        continue;
                    }
                    (Take::Run(r.g), of)
                }
                Kind::Case => (Take::Case(r.other as u32), vec![r.n.into()]),
                Kind::Pass => (Take::Pass, Vec::new()),
                _ => continue,
            };
            decisions.push(Decision {
                at: r.key,
                take,
                usual: match r.kind {
                    Kind::Run => Goid(r.other),
                    _ => Goid(0),
                },
                of,
                op: r.op,
                is_switch: switch(r).is_some(),
            });
        }
        decisions
    }

    /// Goroutines that were left behind: where each was made, and where it waits.
    pub(super) fn left(&self) -> Vec<(u64, u64)> {
        let mut left: Vec<(u64, u64)> = self
            .records
            .iter()
            .filter(|r| r.kind == Kind::Left)
            .map(|r| (r.other, self.place(r.g).unwrap_or(r.op.at)))
            .collect();
        left.sort_unstable();
        left
    }

    /// Where the program itself stands in a goroutine.
    pub(super) fn place(&self, g: Goid) -> Option<u64> {
        let op = self
            .records
            .iter()
            .rev()
            .find(|r| r.g == g && r.kind == Kind::Operation);
        op.map(|r| r.op.at)
    }

    /// The goroutines that had not ended.
    pub(super) fn alive(&self) -> BTreeSet<Goid> {
        let mut alive = BTreeSet::from([Goid(1)]);
        for r in &self.records {
            match r.kind {
                Kind::Go => alive.insert(r.g),
                Kind::End => alive.remove(&r.g),
                _ => continue,
            };
        }
        alive
    }
}

/// `records` begin with an operation. Does its goroutine let others run before it?
pub(super) fn leaves(records: &[Record]) -> bool {
    let [operation, rest @ ..] = records else {
        return false;
    };
    let before_choice = |r: &&Record| match r.kind {
        Kind::Ready => true,
        Kind::Go | Kind::Wake => r.other != operation.g.0,
        _ => false,
    };
    let is_it = |r: &Record| r.kind == Kind::Ready && r.g == operation.g;
    rest.iter().take_while(before_choice).any(is_it)
}

/// What was chosen, if that is not ordinary.
fn switch(r: &Record) -> Option<Take> {
    Some(match r.kind {
        Kind::Run if r.n > 1 && r.g.0 != r.other => Take::Run(r.g),
        Kind::Case if r.other >> 32 != r.other & 0xffff_ffff => Take::Case(r.other as u32),
        Kind::Pass => Take::Pass,
        _ => return None,
    })
}

/// Is it a decision, rather than something that had to be?
pub(super) fn is_decision(r: &Record) -> bool {
    match r.kind {
        Kind::Run | Kind::Case => r.n > 1,
        Kind::Pass => true,
        _ => false,
    }
}
