//! A trace in the form of Go's own execution traces, which `go tool trace` opens.
//!
//! Go's form tells of three kinds of things: threads hold Ps, Ps run goroutines. Its readers follow
//! all of that and refuse what contradicts itself; so this follows it as well, and puts in what our
//! events leave open: when a thread lets go of a P that another goes on with, and which turns
//! follow on a system call that lost its P.
//!
//! Events that belong to a running goroutine there, and to none here, as collections, are told of
//! one that runs then, or of the next that does.

mod wire;

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};

use crate::calls::Calls;
use crate::read::Trace;
use crate::seen::Seen;
use wire::{Encoder, Ev, NO_THREAD};

/// How long a generation is, in nanoseconds.
const GENERATION: u64 = 1_000_000_000;

/// Why there is no such trace.
#[derive(Debug)]
pub enum Failure {
    /// It cannot be written.
    Write(io::Error),
    /// The event of this number contradicts those before it.
    Wrong(u64, String),
}

impl From<io::Error> for Failure {
    fn from(e: io::Error) -> Failure {
        Failure::Write(e)
    }
}

/// What a wait for this reason, as tracebacks have it, is called in Go's traces.
pub fn block_reason(wait: &str) -> &'static str {
    match wait {
        "chan receive" | "chan receive (durable)" => "chan receive",
        "chan send" | "chan send (durable)" => "chan send",
        "select" | "select (durable)" => "select",
        "chan receive (nil chan)" | "chan send (nil chan)" | "select (no cases)" | "panicwait" => {
            "forever"
        }
        "sync.Mutex.Lock"
        | "sync.RWMutex.RLock"
        | "sync.RWMutex.Lock"
        | "sync.WaitGroup.Wait"
        | "sync.WaitGroup.Wait (durable)"
        | "semacquire" => "sync",
        "sync.Cond.Wait" => "sync.(*Cond).Wait",
        "sleep" => "sleep",
        "IO wait" => "network",
        "GC assist wait" => "GC mark assist wait for work",
        "GC sweep wait" => "GC background sweeper wait",
        "GC weak to strong wait" => "GC weak to strong wait",
        "wait for GC cycle" => "wait until GC ends",
        "preempted" => "preempted",
        "debug call" => "wait for debug call",
        "synctest.Run" | "synctest.Wait" => "synctest",
        "GC scavenge wait"
        | "finalizer wait"
        | "cleanup wait"
        | "force gc (idle)"
        | "GOMAXPROCS updater (idle)"
        | "trace reader (blocked)"
        | "GC worker (idle)" => "system goroutine wait",
        _ => "unspecified",
    }
}

/// What a goroutine does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u64)]
enum Status {
    Runnable = 1,
    /// On this thread, as the next.
    Running = 2,
    Calls = 3,
    Waits = 4,
}

/// A goroutine.
#[derive(Clone, Copy, Debug)]
struct Goroutine {
    status: Status,
    /// The thread that it runs or calls on.
    m: i64,
    seq: u64,
    /// It has stopped the world, and has not been told to have started it again.
    stops: bool,
}

/// A P.
#[derive(Clone, Copy, Debug, Default)]
struct Processor {
    /// The thread that holds it.
    m: Option<i64>,
    /// Its thread is in a system call.
    calls: bool,
    seq: u64,
}

/// What a thread holds.
#[derive(Clone, Copy, Debug, Default)]
struct Thread {
    p: Option<i64>,
    g: Option<u64>,
}

/// What waits for a goroutine that runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Late {
    Procs(u64),
    GcBegin,
    /// So many bytes are alive.
    GcEnd(u64),
}

/// Writes a trace, as far as it is sound.
pub fn write(trace: &Trace, out: &mut dyn Write) -> Result<(), Failure> {
    let mut go = Converter {
        to: Encoder::new(out)?,
        trace,
        begin: 0,
        wall: 0,
        gs: BTreeMap::new(),
        ps: BTreeMap::new(),
        ms: BTreeMap::new(),
        late: Vec::new(),
        starts: Vec::new(),
        stacks: HashMap::new(),
        calls: Calls::default(),
        collections: 0,
        procs: 0,
        is_whole: trace.head.number("first").unwrap_or(0) == 0,
    };
    go.procs(trace.head.number("gomaxprocs").unwrap_or(1).max(1) as u64);
    let events = &trace.events[..trace.sound];
    go.begins(events.first().map_or(0, |e| e.ns).max(1) as u64);
    for e in events {
        let seen = Seen::new(&trace.schema, e, trace.ops(e));
        go.event(&seen).map_err(|why| match why {
            Wrong::Write(e) => Failure::Write(e),
            Wrong::Because(why) => Failure::Wrong(e.seq, why),
        })?;
    }
    go.to.end_generation(go.begin, go.wall)?;
    Ok(())
}

enum Wrong {
    Write(io::Error),
    Because(String),
}

impl From<io::Error> for Wrong {
    fn from(e: io::Error) -> Wrong {
        Wrong::Write(e)
    }
}

impl From<String> for Wrong {
    fn from(why: String) -> Wrong {
        Wrong::Because(why)
    }
}

type Done<T = ()> = Result<T, Wrong>;

struct Converter<'a> {
    to: Encoder<'a>,
    trace: &'a Trace,
    /// When the generation began, by the trace's clock and as nanoseconds since 1970.
    begin: u64,
    wall: u64,
    gs: BTreeMap<u64, Goroutine>,
    ps: BTreeMap<i64, Processor>,
    ms: BTreeMap<i64, Thread>,
    late: Vec<Late>,
    /// Goroutines that have started the world again, which is told when they run.
    starts: Vec<u64>,
    /// Numbers that stacks have in the generation.
    stacks: HashMap<u64, u64>,
    calls: Calls,
    /// Beginnings and ends of collections.
    collections: u64,
    /// How many Ps there are.
    procs: u64,
    /// It tells of all goroutines from their beginning.
    is_whole: bool,
}

impl Converter<'_> {
    /// So many Ps there are from now on.
    fn procs(&mut self, n: u64) {
        if std::mem::replace(&mut self.procs, n) != n {
            self.late.push(Late::Procs(n));
        }
    }

    /// A generation begins.
    fn begins(&mut self, ns: u64) {
        let head = &self.trace.head;
        let (wall, zero) = (
            head.number("wall").unwrap_or(0),
            head.number("ns").unwrap_or(0),
        );
        self.begin = ns;
        self.wall = wall.saturating_add(ns as i64).saturating_sub(zero).max(0) as u64;
        self.stacks.clear();
    }

    /// Ends a generation, and says what there is as the next begins.
    fn next_generation(&mut self, ns: u64) -> Done {
        self.to.end_generation(self.begin, self.wall)?;
        self.begins(ns.max(self.to.now() + 1));
        for (p, processor) in &mut self.ps {
            processor.seq = 0;
            let (m, status) = match (processor.m, processor.calls) {
                (Some(m), false) => (m, 1),
                (Some(m), true) => (m, 3),
                (None, _) => (NO_THREAD, 2),
            };
            self.to.event(m, ns, Ev::ProcStatus, &[*p as u64, status])?;
        }
        for (g, goroutine) in &mut self.gs {
            goroutine.seq = 0;
            let m = match goroutine.status {
                Status::Running | Status::Calls => goroutine.m,
                Status::Runnable | Status::Waits => NO_THREAD,
            };
            let args = [*g, m as u64, goroutine.status as u64];
            self.to.event(m, ns, Ev::GoStatus, &args)?;
        }
        Ok(())
    }

    fn event(&mut self, seen: &Seen<'_>) -> Done {
        let (m, p, g) = (seen.e.m, seen.e.p, seen.e.g);
        let ns = seen.e.ns.max(1) as u64;
        if self.is_whole && ns.saturating_sub(self.begin) >= GENERATION {
            self.next_generation(ns)?;
        }
        let has_kept = self.calls.event(seen);
        match seen.name {
            "create" => self.create(seen, ns),
            "ready" => self.ready(m, g, ns),
            "start" => self.start(m, p, g, ns),
            "park" => {
                let reason = self.to.string(block_reason(seen.word("reason")));
                let stack = self.stack(seen);
                self.leaves(m, p, g, ns, Status::Waits)?;
                Ok(self.to.event(m, ns, Ev::GoBlock, &[reason, stack])?)
            }
            "yield" => {
                let reason = match seen.word("how") {
                    "gosched" => "runtime.Gosched",
                    "preempt" => "preempted",
                    _ => "unspecified",
                };
                let (reason, stack) = (self.to.string(reason), self.stack(seen));
                self.leaves(m, p, g, ns, Status::Runnable)?;
                Ok(self.to.event(m, ns, Ev::GoStop, &[reason, stack])?)
            }
            "end" => {
                self.leaves(m, p, g, ns, Status::Waits)?;
                self.gs.remove(&g);
                Ok(self.to.event(m, ns, Ev::GoDestroy, &[])?)
            }
            "syscall" => {
                self.runs(m, p, g, ns)?;
                let stack = self.stack(seen);
                let own = self.ms.get(&m).and_then(|t| t.p);
                let own = own.ok_or_else(|| format!("M{m} has no P"))?;
                let processor = self.ps.entry(own).or_default();
                processor.seq += 1;
                processor.calls = true;
                let seq = processor.seq;
                self.is(g, Status::Calls, m);
                self.to.event(m, ns, Ev::GoSyscallBegin, &[seq, stack])?;
                match seen.op("blocking") {
                    0 => Ok(()),
                    _ => self.stop(m, ns),
                }
            }
            "syscall-end" => self.returns(m, p, g, ns, has_kept),
            "syscall-blocked" => {
                self.called(m, g, ns)?;
                self.stop(m, ns)?;
                self.ms.entry(m).or_default().g = None;
                self.is(g, Status::Runnable, m);
                Ok(self.to.event(m, ns, Ev::GoSyscallEndBlocked, &[])?)
            }
            "retaken" => self.retake(m, p, ns),
            "m-stop" | "m-exit" if self.ms.get(&m).is_some_and(|t| t.g.is_none()) => {
                self.stop(m, ns)
            }
            "world-stop" => {
                let Some(g) = self.running(m) else {
                    return Ok(());
                };
                let known = self.gs.get_mut(&g);
                if known.is_none_or(|known| std::mem::replace(&mut known.stops, true)) {
                    return Ok(());
                }
                let why = self.to.string(seen.word("why"));
                Ok(self.to.event(m, ns, Ev::StwBegin, &[why, 0])?)
            }
            "world-start" => {
                self.procs(seen.op("procs"));
                let stopping = self.gs.iter().filter(|(_, known)| known.stops);
                self.starts = stopping.map(|(g, _)| *g).collect();
                self.catch_up(ns)
            }
            "gc-begin" => {
                self.late.push(Late::GcBegin);
                self.catch_up(ns)
            }
            "gc-end" => {
                self.late.push(Late::GcEnd(seen.op("live")));
                self.catch_up(ns)
            }
            _ => Ok(()),
        }
    }

    // ---- goroutines -----------------------------------------------------------------------------

    fn create(&mut self, seen: &Seen<'_>, ns: u64) -> Done {
        let (mut m, p, g) = (seen.e.m, seen.e.p, seen.e.g);
        if self.gs.contains_key(&g) {
            return Err(format!("there is a goroutine {g} already").into());
        }
        if p >= 0 {
            self.bind(m, p, ns)?;
        } else if self.ms.get(&m).is_none_or(|t| t.p.is_none()) {
            // Somebody must have made it who has a P.
            let other = self.ms.iter().find(|(_, t)| t.p.is_some());
            m = *other.ok_or_else(|| format!("M{m} has no P"))?.0;
        }
        let name = self.trace.tables.text(seen.op("func"));
        let is_ours = seen.op("system") != 0 && !name.starts_with("runtime.");
        // Go's readers know goroutines of the runtime by their names.
        let name = if is_ours { "runtime.system" } else { name };
        let own = self.to.stack(std::iter::once((name, "", 0)));
        let stack = self.stack(seen);
        self.gs.insert(g, fresh(Status::Runnable));
        Ok(self.to.event(m, ns, Ev::GoCreate, &[g, own, stack])?)
    }

    fn ready(&mut self, m: i64, g: u64, ns: u64) -> Done {
        self.known(m, g, Status::Waits, ns)?;
        let known = self.gs.get_mut(&g);
        let Some(known) = known.filter(|known| known.status == Status::Waits) else {
            return Err(format!("goroutine {g} does not wait").into());
        };
        known.status = Status::Runnable;
        known.seq += 1;
        let seq = known.seq;
        let m = m.max(NO_THREAD);
        Ok(self.to.event(m, ns, Ev::GoUnblock, &[g, seq, 0])?)
    }

    fn start(&mut self, m: i64, p: i64, g: u64, ns: u64) -> Done {
        self.bind(m, p, ns)?;
        if let Some(other) = self.ms.entry(m).or_default().g {
            return Err(format!("M{m} still has goroutine {other}").into());
        }
        self.known(m, g, Status::Runnable, ns)?;
        if self
            .gs
            .get(&g)
            .is_some_and(|known| known.status == Status::Waits)
        {
            // What it was to wait for had come.
            self.ready(m, g, ns)?;
        }
        let known = self.gs.get_mut(&g);
        let Some(known) = known.filter(|known| known.status == Status::Runnable) else {
            return Err(format!("goroutine {g} cannot run").into());
        };
        known.seq += 1;
        let seq = known.seq;
        self.is(g, Status::Running, m);
        self.ms.entry(m).or_default().g = Some(g);
        self.to.event(m, ns, Ev::GoStart, &[g, seq])?;
        self.catch_up(ns)
    }

    /// Comes back from a system call.
    fn returns(&mut self, m: i64, p: i64, g: u64, ns: u64, has_kept: bool) -> Done {
        self.called(m, g, ns)?;
        if has_kept {
            let processor = self
                .ps
                .get_mut(&p)
                .filter(|own| own.m == Some(m) && own.calls);
            let processor = processor.ok_or_else(|| format!("M{m} does not have P{p}"))?;
            processor.calls = false;
            self.is(g, Status::Running, m);
            self.to.event(m, ns, Ev::GoSyscallEnd, &[])?;
            return self.catch_up(ns);
        }
        self.stop(m, ns)?;
        self.bind(m, p, ns)?;
        self.ms.entry(m).or_default().g = None;
        self.is(g, Status::Runnable, m);
        self.to.event(m, ns, Ev::GoSyscallEndBlocked, &[])?;
        self.start(m, p, g, ns)
    }

    /// The goroutine runs on this thread: this was told, or is told now.
    fn runs(&mut self, m: i64, p: i64, g: u64, ns: u64) -> Done {
        if !self.gs.contains_key(&g) && !self.is_whole {
            self.bind(m, p, ns)?;
            if self.ms.entry(m).or_default().g.is_none() {
                self.known(m, g, Status::Running, ns)?;
                self.ms.entry(m).or_default().g = Some(g);
            }
        }
        match self.running(m) {
            Some(own) if own == g => Ok(()),
            _ => Err(format!("goroutine {g} does not run on M{m}").into()),
        }
    }

    /// The goroutine is in a system call on this thread: this was told, or is told now.
    fn called(&mut self, m: i64, g: u64, ns: u64) -> Done {
        if !self.gs.contains_key(&g) && !self.is_whole && m >= 0 {
            self.known(m, g, Status::Calls, ns)?;
            self.ms.entry(m).or_default().g = Some(g);
        }
        let known = self.gs.get(&g);
        match known.is_some_and(|known| (known.status, known.m) == (Status::Calls, m)) {
            true => Ok(()),
            false => Err(format!("goroutine {g} is in no system call on M{m}").into()),
        }
    }

    /// The goroutine stops running on this thread.
    fn leaves(&mut self, m: i64, p: i64, g: u64, ns: u64, status: Status) -> Done {
        self.runs(m, p, g, ns)?;
        self.is(g, status, m);
        self.ms.entry(m).or_default().g = None;
        Ok(())
    }

    /// Says of a goroutine that the trace has not told of what it does.
    fn known(&mut self, m: i64, g: u64, status: Status, ns: u64) -> Done {
        if self.gs.contains_key(&g) {
            return Ok(());
        }
        if self.is_whole || self.to.generation() > 1 {
            return Err(format!("there is no goroutine {g}").into());
        }
        self.gs.insert(g, Goroutine { m, ..fresh(status) });
        let args = [g, m as u64, status as u64];
        Ok(self.to.event(m.max(NO_THREAD), ns, Ev::GoStatus, &args)?)
    }

    fn is(&mut self, g: u64, status: Status, m: i64) {
        if let Some(known) = self.gs.get_mut(&g) {
            (known.status, known.m) = (status, m);
        }
    }

    /// The goroutine that runs on a thread.
    fn running(&self, m: i64) -> Option<u64> {
        let g = self.ms.get(&m)?.g?;
        let known = self.gs.get(&g)?;
        (known.status == Status::Running).then_some(g)
    }

    // ---- Ps -------------------------------------------------------------------------------------

    /// The thread has this P from now on.
    fn bind(&mut self, m: i64, p: i64, ns: u64) -> Done {
        if m < 0 || p < 0 {
            return Err("a goroutine runs without a P".to_string().into());
        }
        if self.ms.get(&m).and_then(|t| t.p) == Some(p) {
            return Ok(());
        }
        self.stop(m, ns)?;
        match self.ps.get(&p) {
            None => {
                let own = Processor {
                    m: Some(m),
                    ..Processor::default()
                };
                self.ps.insert(p, own);
                self.to.event(m, ns, Ev::ProcStatus, &[p as u64, 1])?;
            }
            Some(known) => {
                match known.m {
                    Some(_) if known.calls => self.retake(m, p, ns)?,
                    Some(other) => match self.running(other) {
                        None => self.stop(other, ns)?,
                        Some(g) => {
                            return Err(format!("goroutine {g} runs on P{p}, on M{other}").into());
                        }
                    },
                    None => {}
                }
                let own = self.ps.entry(p).or_default();
                own.seq += 1;
                own.m = Some(m);
                let seq = own.seq;
                self.to.event(m, ns, Ev::ProcStart, &[p as u64, seq])?;
            }
        }
        self.ms.entry(m).or_default().p = Some(p);
        Ok(())
    }

    /// The thread gives up its P, if it has one.
    fn stop(&mut self, m: i64, ns: u64) -> Done {
        let Some(p) = self.ms.get_mut(&m).and_then(|t| t.p.take()) else {
            return Ok(());
        };
        let own = self.ps.entry(p).or_default();
        (own.m, own.calls) = (None, false);
        Ok(self.to.event(m, ns, Ev::ProcStop, &[])?)
    }

    /// The thread `m` takes a P from a system call.
    fn retake(&mut self, m: i64, p: i64, ns: u64) -> Done {
        let known = self.ps.get_mut(&p).filter(|known| known.calls);
        let Some((known, from)) = known.and_then(|known| known.m.map(|m| (known, m))) else {
            return Ok(());
        };
        if m < 0 || m == from {
            return self.stop(from, ns);
        }
        (known.m, known.calls) = (None, false);
        known.seq += 1;
        let seq = known.seq;
        self.ms.entry(from).or_default().p = None;
        Ok(self
            .to
            .event(m, ns, Ev::ProcSteal, &[p as u64, seq, from as u64])?)
    }

    // ---- what belongs to a goroutine that runs --------------------------------------------------

    /// Tells what has waited for one.
    fn catch_up(&mut self, ns: u64) -> Done {
        for g in std::mem::take(&mut self.starts) {
            let m = self.gs.get(&g).map(|known| known.m);
            match m.filter(|m| self.running(*m) == Some(g)) {
                Some(m) => {
                    self.to.event(m, ns, Ev::StwEnd, &[])?;
                    if let Some(known) = self.gs.get_mut(&g) {
                        known.stops = false;
                    }
                }
                None if m.is_some() => self.starts.push(g),
                None => {}
            }
        }
        if self.late.is_empty() {
            return Ok(());
        }
        let running = self.ms.keys().copied().find(|m| self.running(*m).is_some());
        let Some(m) = running else {
            return Ok(());
        };
        for late in std::mem::take(&mut self.late) {
            match late {
                Late::Procs(n) => self.to.event(m, ns, Ev::ProcsChange, &[n, 0])?,
                Late::GcBegin if self.collections.is_multiple_of(2) => {
                    self.collections += 1;
                    self.to.event(m, ns, Ev::GcBegin, &[self.collections, 0])?;
                }
                Late::GcEnd(live) if self.collections % 2 == 1 => {
                    self.collections += 1;
                    self.to.event(m, ns, Ev::GcEnd, &[self.collections])?;
                    self.to.event(m, ns, Ev::HeapAlloc, &[live])?;
                }
                // The other end of it is not in the trace.
                Late::GcBegin | Late::GcEnd(_) => {}
            }
        }
        Ok(())
    }

    /// The stack of an event.
    fn stack(&mut self, seen: &Seen<'_>) -> u64 {
        let id = seen.op("stack");
        if let Some(known) = self.stacks.get(&id) {
            return *known;
        }
        let tables = &self.trace.tables;
        let frames = tables.stack(id).iter();
        let frames = frames.map(|f| (tables.text(f.function), tables.text(f.file), f.line));
        let known = self.to.stack(frames);
        self.stacks.insert(id, known);
        known
    }
}

fn fresh(status: Status) -> Goroutine {
    Goroutine {
        status,
        m: NO_THREAD,
        seq: 0,
        stops: false,
    }
}

#[cfg(test)]
mod tests;
