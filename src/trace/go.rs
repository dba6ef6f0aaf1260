//! A trace in the form of Go's own execution traces, which `go tool trace` opens.
//!
//! Go's form tells of three kinds of things: threads hold Ps, Ps run goroutines. Its readers follow
//! all of that and refuse what contradicts itself; so this follows it as well, and puts in what our
//! events leave open: when a thread lets go of a P that another goes on with, and which turns
//! follow on a system call that lost its P.
//!
//! Events that belong to a running goroutine there, and to none here, as collections, are told of
//! one that runs then, or of the next that does.

mod reasons;
mod state;
mod wire;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{self, Write};
use std::sync::Arc;

use crate::calls::Calls;
use crate::file::Tables;
use crate::read::Trace;
use crate::schema::Schema;
use crate::seen::Seen;
use crate::wire::Event;
use state::{Goroutine, Late, Processor, Status, Thread, fresh};
use wire::{Encoder, Ev, NO_THREAD};

pub use reasons::block_reason;
pub use wire::HEAD;

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

/// Writes a trace, as far as it is sound.
pub fn write(trace: &Trace, out: &mut dyn Write) -> Result<(), Failure> {
    /// Bytes that are written at once.
    const CHUNK: usize = 1 << 18;
    let events = &trace.events[..trace.sound];
    let head = &trace.head;
    let number = |name: &str| head.number(name);
    let ns = events.first().map_or(0, |e| e.ns);
    let wall = number("wall").unwrap_or(0).saturating_add(ns);
    let mut go = Converter::new(Begin {
        ns,
        wall: wall.saturating_sub(number("ns").unwrap_or(0)),
        procs: number("gomaxprocs").unwrap_or(1),
        is_whole: number("first").unwrap_or(0) == 0,
    });
    out.write_all(HEAD)?;
    for e in events {
        let seen = Seen::new(&trace.schema, e, trace.ops(e));
        let done = go.seen(&trace.tables, &seen);
        done.map_err(|why| Failure::Wrong(e.seq, why))?;
        if go.to.out.len() > CHUNK {
            out.write_all(&std::mem::take(&mut go.to.out))?;
        }
    }
    out.write_all(&go.end())?;
    Ok(())
}

type Done<T = ()> = Result<T, String>;

/// What is known as a trace begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Begin {
    /// By the clock of its events.
    pub ns: i64,
    /// As nanoseconds since 1970.
    pub wall: i64,
    /// How many Ps there are.
    pub procs: i64,
    /// All goroutines will have been made, or told of by [`Converter::there_is`].
    pub is_whole: bool,
}

/// Makes a trace of Go's form of one event after another.
#[derive(Debug)]
pub struct Converter {
    to: Encoder,
    /// When the generation began, by the trace's clock.
    begin: u64,
    /// The time of day less that clock.
    wall: i64,
    gs: BTreeMap<u64, Goroutine>,
    /// Functions of goroutines.
    names: HashSet<Arc<str>>,
    ps: BTreeMap<i64, Processor>,
    ms: BTreeMap<i64, Thread>,
    late: Vec<Late>,
    /// Goroutines that have started the world again, which is told when they run.
    starts: Vec<u64>,
    /// Numbers that stacks have in the generation.
    stacks: HashMap<u64, u64>,
    calls: Calls,
    /// Beginnings and ends of collections, as they are numbered.
    collections: u64,
    is_collecting: bool,
    /// Bytes of generations that have ended, and that nobody has taken.
    ended: usize,
    /// How many Ps there are.
    procs: u64,
    is_whole: bool,
}

/// What a goroutine does as a trace begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum There {
    /// It can run.
    Runnable,
    /// It runs, on this thread with this P.
    Runs(i64, i64),
    /// It is in a system call on this thread, which has no P.
    Calls(i64),
    /// It waits.
    Waits,
}

impl Converter {
    /// Begins a trace, and its first generation.
    pub fn new(at: Begin) -> Converter {
        let begin = at.ns.max(1) as u64;
        let mut go = Converter {
            to: Encoder::new(),
            begin,
            wall: at.wall.saturating_sub(at.ns),
            gs: BTreeMap::new(),
            names: HashSet::new(),
            ps: BTreeMap::new(),
            ms: BTreeMap::new(),
            late: Vec::new(),
            starts: Vec::new(),
            stacks: HashMap::new(),
            calls: Calls::default(),
            collections: 0,
            is_collecting: false,
            ended: 0,
            procs: 0,
            is_whole: at.is_whole,
        };
        go.procs(at.procs.max(1) as u64);
        go
    }

    /// There is a goroutine with this function already. Before all events.
    pub fn there_is(&mut self, g: u64, function: &str, there: There) {
        let stack = self.to.stack(std::iter::once((function, "", 0)));
        let (status, m) = match there {
            There::Runnable => (Status::Runnable, NO_THREAD),
            There::Waits => (Status::Waits, NO_THREAD),
            There::Calls(m) => (Status::Calls, m),
            There::Runs(m, p) => {
                // Nothing is known of any P yet: that cannot fail.
                drop(self.bind(m, p, self.begin));
                (Status::Running, m)
            }
        };
        if matches!(status, Status::Running | Status::Calls) {
            self.ms.entry(m).or_default().g = Some(g);
        }
        let known = Goroutine {
            name: Some(self.named(function)),
            m,
            is_fresh: true,
            ..fresh(status)
        };
        self.gs.insert(g, known);
        let args = [g, m as u64, status as u64, stack];
        self.to.event(m, self.begin, Ev::GoStatusStack, &args);
    }

    /// An event, of which the tables tell. The error says what it contradicts.
    pub fn event(
        &mut self,
        schema: &Schema,
        tables: &Tables,
        e: &Event,
        ops: &[u64],
    ) -> Result<(), String> {
        self.seen(tables, &Seen::new(schema, e, ops))
    }

    /// Ends the trace; the rest of it.
    fn end(&mut self) -> Vec<u8> {
        self.end_generation();
        std::mem::take(&mut self.to.out)
    }

    /// Whether a generation has ended that nobody has taken.
    pub fn has_ended(&self) -> bool {
        self.ended > 0
    }

    /// The generations that have ended, without what begins a file.
    pub fn take_generations(&mut self) -> Vec<u8> {
        let rest = self.to.out.split_off(self.ended);
        self.ended = 0;
        std::mem::replace(&mut self.to.out, rest)
    }

    /// Ends the generation, unless the world is stopped just now: a stop is in one generation.
    pub fn advance(&mut self, ns: i64) -> bool {
        let may = !self.gs.values().any(|g| g.stops);
        if may {
            self.next_generation(ns.max(1) as u64);
        }
        may
    }

    fn end_generation(&mut self) {
        let wall = self.wall.saturating_add(self.begin as i64).max(0);
        self.to.end_generation(self.begin, wall as u64);
        self.ended = self.to.out.len();
        self.stacks.clear();
    }

    /// So many Ps there are from now on.
    fn procs(&mut self, n: u64) {
        if std::mem::replace(&mut self.procs, n) != n {
            self.late.push(Late::Procs(n));
        }
    }

    /// Ends a generation, and says what there is as the next begins.
    fn next_generation(&mut self, ns: u64) {
        self.end_generation();
        self.begin = ns.max(self.to.now() + 1);
        for (p, processor) in &mut self.ps {
            processor.seq = 0;
            let (m, status) = match (processor.m, processor.calls) {
                (Some(m), false) => (m, 1),
                (Some(m), true) => (m, 3),
                (None, _) => (NO_THREAD, 2),
            };
            self.to.event(m, ns, Ev::ProcStatus, &[*p as u64, status]);
        }
        for (g, goroutine) in &mut self.gs {
            goroutine.seq = 0;
            let m = match goroutine.status {
                Status::Running | Status::Calls => goroutine.m,
                Status::Runnable | Status::Waits => NO_THREAD,
            };
            let frame = goroutine.name.iter().map(|name| (&**name, "", 0));
            let stack = self.to.stack(frame);
            let args = [*g, m as u64, goroutine.status as u64, stack];
            self.to.event(m, ns, Ev::GoStatusStack, &args);
        }
        if self.is_collecting {
            self.late.insert(0, Late::GcActive);
            self.catch_up(ns);
        }
    }

    fn seen(&mut self, tables: &Tables, seen: &Seen<'_>) -> Done {
        let (m, p, g) = (seen.e.m, seen.e.p, seen.e.g);
        let ns = seen.e.ns.max(1) as u64;
        if self.is_whole && ns.saturating_sub(self.begin) >= GENERATION {
            self.advance(seen.e.ns);
        }
        let has_kept = self.calls.event(seen);
        if let Some(known) = self.gs.get_mut(&g)
            && std::mem::replace(&mut known.is_fresh, false)
            && known.status == Status::Runnable
            && matches!(seen.name, "ready" | "syscall-blocked")
        {
            return Ok(());
        }
        match seen.name {
            "create" => self.create(tables, seen, ns),
            "ready" => self.ready(m, g, ns),
            "start" => self.start(m, p, g, ns),
            "park" => {
                let reason = self.to.string(block_reason(seen.word("reason")));
                let stack = self.stack(tables, seen);
                self.leaves(m, p, g, ns, Status::Waits)?;
                self.told(m, ns, Ev::GoBlock, &[reason, stack])
            }
            "yield" => {
                let reason = match seen.word("how") {
                    "gosched" => "runtime.Gosched",
                    "preempt" => "preempted",
                    _ => "unspecified",
                };
                let (reason, stack) = (self.to.string(reason), self.stack(tables, seen));
                self.leaves(m, p, g, ns, Status::Runnable)?;
                self.told(m, ns, Ev::GoStop, &[reason, stack])
            }
            "end" => {
                self.leaves(m, p, g, ns, Status::Waits)?;
                self.gs.remove(&g);
                self.told(m, ns, Ev::GoDestroy, &[])
            }
            "syscall" => {
                self.runs(m, p, g, ns)?;
                let stack = self.stack(tables, seen);
                let own = self.ms.get(&m).and_then(|t| t.p);
                let own = own.ok_or_else(|| format!("M{m} has no P"))?;
                let processor = self.ps.entry(own).or_default();
                processor.seq += 1;
                processor.calls = true;
                let seq = processor.seq;
                self.is(g, Status::Calls, m);
                self.to.event(m, ns, Ev::GoSyscallBegin, &[seq, stack]);
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
                self.told(m, ns, Ev::GoSyscallEndBlocked, &[])
            }
            "retaken" => self.retake(m, p, ns),
            "m-stop" | "m-exit" if self.ms.get(&m).is_some_and(|t| t.g.is_none()) => {
                self.stop(m, ns)
            }
            "task-begin" | "task-end" | "region-begin" | "region-end" | "user-log" => {
                self.runs(m, p, g, ns)?;
                let (task, stack) = (seen.op("task"), self.stack(tables, seen));
                let mut text = |name: &str| self.to.string(tables.text(seen.op(name)));
                let name = text("name");
                let (ev, args) = match seen.name {
                    "task-begin" => (
                        Ev::UserTaskBegin,
                        vec![task, seen.op("parent"), name, stack],
                    ),
                    "task-end" => (Ev::UserTaskEnd, vec![task, stack]),
                    "region-begin" => (Ev::UserRegionBegin, vec![task, name, stack]),
                    "region-end" => (Ev::UserRegionEnd, vec![task, name, stack]),
                    _ => (Ev::UserLog, vec![task, name, text("message"), stack]),
                };
                self.told(m, ns, ev, &args)
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
                self.told(m, ns, Ev::StwBegin, &[why, 0])
            }
            "world-start" => {
                self.procs(seen.op("procs"));
                let stopping = self.gs.iter().filter(|(_, known)| known.stops);
                self.starts = stopping.map(|(g, _)| *g).collect();
                self.told_late(ns)
            }
            "gc-begin" => {
                self.late.push(Late::GcBegin);
                self.told_late(ns)
            }
            "gc-end" => {
                self.late.push(Late::GcEnd(seen.op("live")));
                self.told_late(ns)
            }
            _ => Ok(()),
        }
    }

    // ---- goroutines -----------------------------------------------------------------------------

    fn create(&mut self, tables: &Tables, seen: &Seen<'_>, ns: u64) -> Done {
        let (mut m, p, g) = (seen.e.m, seen.e.p, seen.e.g);
        if self.gs.contains_key(&g) {
            return Err(format!("there is a goroutine {g} already"));
        }
        if p >= 0 {
            self.bind(m, p, ns)?;
        } else if self.ms.get(&m).is_none_or(|t| t.p.is_none()) {
            // Somebody must have made it who has a P.
            let other = self.ms.iter().find(|(_, t)| t.p.is_some());
            m = *other.ok_or_else(|| format!("M{m} has no P"))?.0;
        }
        // Go's tools show the function of the compiler's, if there is one.
        let name = match seen.op("wrapper") {
            0 => tables.text(seen.op("func")),
            wrapper => tables.text(wrapper),
        };
        let is_ours = seen.op("system") != 0 && !name.starts_with("runtime.");
        // Go's readers know goroutines of the runtime by their names.
        let name = if is_ours { "runtime.system" } else { name };
        let own = self.to.stack(std::iter::once((name, "", 0)));
        let stack = self.stack(tables, seen);
        let known = Goroutine {
            name: Some(self.named(name)),
            ..fresh(Status::Runnable)
        };
        self.gs.insert(g, known);
        self.told(m, ns, Ev::GoCreate, &[g, own, stack])
    }

    fn ready(&mut self, m: i64, g: u64, ns: u64) -> Done {
        self.known(m, g, Status::Waits, ns)?;
        let known = self.gs.get_mut(&g);
        let Some(known) = known.filter(|known| known.status == Status::Waits) else {
            return Err(format!("goroutine {g} does not wait"));
        };
        known.status = Status::Runnable;
        known.seq += 1;
        let seq = known.seq;
        let m = m.max(NO_THREAD);
        self.told(m, ns, Ev::GoUnblock, &[g, seq, 0])
    }

    fn start(&mut self, m: i64, p: i64, g: u64, ns: u64) -> Done {
        self.bind(m, p, ns)?;
        if let Some(other) = self.ms.entry(m).or_default().g {
            return Err(format!("M{m} still has goroutine {other}"));
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
            return Err(format!("goroutine {g} cannot run"));
        };
        known.seq += 1;
        let seq = known.seq;
        self.is(g, Status::Running, m);
        self.ms.entry(m).or_default().g = Some(g);
        self.to.event(m, ns, Ev::GoStart, &[g, seq]);
        self.told_late(ns)
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
            self.to.event(m, ns, Ev::GoSyscallEnd, &[]);
            return self.told_late(ns);
        }
        self.stop(m, ns)?;
        self.bind(m, p, ns)?;
        self.ms.entry(m).or_default().g = None;
        self.is(g, Status::Runnable, m);
        self.to.event(m, ns, Ev::GoSyscallEndBlocked, &[]);
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
            _ => Err(format!("goroutine {g} does not run on M{m}")),
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
            false => Err(format!("goroutine {g} is in no system call on M{m}")),
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
            return Err(format!("there is no goroutine {g}"));
        }
        self.gs.insert(g, Goroutine { m, ..fresh(status) });
        let args = [g, m as u64, status as u64];
        self.told(m.max(NO_THREAD), ns, Ev::GoStatus, &args)
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
            return Err("a goroutine runs without a P".to_string());
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
                self.to.event(m, ns, Ev::ProcStatus, &[p as u64, 1]);
            }
            Some(known) => {
                match known.m {
                    Some(_) if known.calls => self.retake(m, p, ns)?,
                    Some(other) => match self.running(other) {
                        None => self.stop(other, ns)?,
                        Some(g) => {
                            return Err(format!("goroutine {g} runs on P{p}, on M{other}"));
                        }
                    },
                    None => {}
                }
                let own = self.ps.entry(p).or_default();
                own.seq += 1;
                own.m = Some(m);
                let seq = own.seq;
                self.to.event(m, ns, Ev::ProcStart, &[p as u64, seq]);
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
        self.told(m, ns, Ev::ProcStop, &[])
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
        self.told(m, ns, Ev::ProcSteal, &[p as u64, seq, from as u64])
    }

    // ---- what belongs to a goroutine that runs --------------------------------------------------

    fn told_late(&mut self, ns: u64) -> Done {
        self.catch_up(ns);
        Ok(())
    }

    /// Tells what has waited for one.
    fn catch_up(&mut self, ns: u64) {
        for g in std::mem::take(&mut self.starts) {
            let m = self.gs.get(&g).map(|known| known.m);
            match m.filter(|m| self.running(*m) == Some(g)) {
                Some(m) => {
                    self.to.event(m, ns, Ev::StwEnd, &[]);
                    if let Some(known) = self.gs.get_mut(&g) {
                        known.stops = false;
                    }
                }
                None if m.is_some() => self.starts.push(g),
                None => {}
            }
        }
        if self.late.is_empty() {
            return;
        }
        let running = self.ms.keys().copied().find(|m| self.running(*m).is_some());
        let Some(m) = running else {
            return;
        };
        for late in std::mem::take(&mut self.late) {
            match late {
                Late::Procs(n) => self.to.event(m, ns, Ev::ProcsChange, &[n, 0]),
                Late::GcBegin if !self.is_collecting => {
                    self.is_collecting = true;
                    self.collections += 1;
                    self.to.event(m, ns, Ev::GcBegin, &[self.collections, 0]);
                }
                Late::GcActive if self.is_collecting => {
                    self.collections += 1;
                    self.to.event(m, ns, Ev::GcActive, &[self.collections]);
                }
                Late::GcEnd(live) if self.is_collecting => {
                    self.is_collecting = false;
                    self.collections += 1;
                    self.to.event(m, ns, Ev::GcEnd, &[self.collections]);
                    self.to.event(m, ns, Ev::HeapAlloc, &[live]);
                }
                // The other end of it is not in the trace.
                Late::GcBegin | Late::GcActive | Late::GcEnd(_) => {}
            }
        }
    }

    /// The name, once for all who have it.
    fn named(&mut self, name: &str) -> Arc<str> {
        if let Some(known) = self.names.get(name) {
            return known.clone();
        }
        let known: Arc<str> = name.into();
        self.names.insert(known.clone());
        known
    }

    fn told(&mut self, m: i64, ns: u64, ev: Ev, args: &[u64]) -> Done {
        self.to.event(m, ns, ev, args);
        Ok(())
    }

    /// The stack of an event.
    fn stack(&mut self, tables: &Tables, seen: &Seen<'_>) -> u64 {
        let id = seen.op("stack");
        if let Some(known) = self.stacks.get(&id) {
            return *known;
        }
        let frames = tables.stack(id).iter();
        let frames = frames.map(|f| (tables.text(f.function), tables.text(f.file), f.line));
        let known = self.to.stack(frames);
        self.stacks.insert(id, known);
        known
    }
}

#[cfg(test)]
mod tests;
