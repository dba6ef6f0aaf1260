#![allow(unsafe_code)]
//! Traces that the program itself asks for, in Go's form: package `runtime/trace`.
//!
//! A thread takes the records, puts them in order and makes generations of them, a second each.
//! Who has asked for a trace gets those that begin after that, until it asks no more; a flight
//! recorder only the last of them. They are kept in memory until they are taken.
//!
//! What there is as a trace begins is looked at with the world stopped, and told first.
//!
//! Go: runtime/trace, runtime/traceadvance.go, for the order of things only.

use std::collections::VecDeque;
use std::time::Duration;

use ::trace::file::Tables;
use ::trace::go::{Begin, Converter, HEAD, There};
use ::trace::schema::Schema;
use ::trace::wire::Event;

use super::event::{Stack, Text, What};
use super::order::{Next, Order};
use super::{curg, hears, names, stack_of, stream};
use crate::clock::walltime;
use crate::g::Status;
use crate::lockrank::Rank;
use crate::m::M;
use crate::sched::for_each_g;
use crate::sync::plain::{AtomicU64, Ordering};
use crate::sync::{Guarded, GuardedRef, usleep};
use crate::{signal, stw};

/// How often the records are taken.
const PERIOD: Duration = Duration::from_millis(50);
/// How often a record that is missing is waited for: a millisecond each time.
const PATIENCE: u32 = 1000;

/// Who gets a trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asker {
    /// `trace.Start`: all of it.
    Start,
    /// A flight recorder: the last of it.
    Recorder {
        /// At least so many nanoseconds.
        age: i64,
        /// But no more than so many bytes, as far as that is possible.
        bytes: usize,
    },
}

/// The last generations.
#[derive(Debug)]
struct Last {
    age: i64,
    bytes: usize,
    /// When each ended, and its bytes.
    all: VecDeque<(i64, Vec<u8>)>,
}

/// A trace that is being made.
struct Making {
    /// The records in order.
    order: Order,
    made: Made,
}

/// What has been made of it.
struct Made {
    /// What records are written by.
    schema: Schema,
    tables: Tables,
    go: Converter,
    /// When the last one happened.
    ns: i64,
    /// What `trace.Start` has not taken yet, with what begins a file.
    rest: Option<Vec<u8>>,
    last: Option<Last>,
    /// Why there is no more of it.
    failure: Option<String>,
}

static MAKING: Guarded<Option<Box<Making>>> = Guarded::new(Rank::World, None);
/// How many have begun and ended, together. Written with [`MAKING`] locked.
static TURNS: AtomicU64 = AtomicU64::new(0);

/// A goroutine as a trace begins.
struct Seen {
    g: u64,
    function: String,
    there: There,
}

/// Begins a trace, of which `asker` is the only one to know.
///
/// Context: coroutine with a P, no lock held; the world is the current G's.
pub fn begin_in_turn(m: &mut M, asker: Asker) -> std::io::Result<()> {
    let (mut all, mut next, mut procs) = (Vec::new(), 0, 1);
    stw::in_turn(m, "start trace", &mut |m| {
        names::deepen(Some(::trace::file::FRAMES));
        super::record_for(stream::Reader::Program, true);
        next = stream::numbered();
        procs = crate::sched::allp().ps.len() as i64;
        all = seen(m);
    });
    let ns = super::time::now();
    let mut go = Converter::new(Begin {
        ns,
        wall: walltime(),
        procs,
        is_whole: true,
    });
    for seen in all {
        go.there_is(seen.g, &seen.function, seen.there);
    }
    let mut made = Made {
        schema: super::event::schema(),
        tables: Tables::default(),
        go,
        ns,
        rest: None,
        last: None,
        failure: None,
    };
    made.asks(asker);
    let mut locked = MAKING.lock();
    *locked = Some(Box::new(Making {
        // What happened before is known.
        order: Order::all_from(next),
        made,
    }));
    let turn = TURNS.fetch_add(1, Ordering::Relaxed) + 1;
    drop(locked);
    signal::with_blocked(|| {
        std::thread::Builder::new()
            .name("go-trace".into())
            .spawn(move || make_on(turn))
    })?;
    Ok(())
}

/// All goroutines, and what they do.
///
/// Context: g0 of `m`, the world stopped.
fn seen(m: &M) -> Vec<Seen> {
    let mut all = Vec::new();
    for_each_g(|g| {
        // SAFETY: descriptors are never freed; none runs but the current one of `m`.
        let g = unsafe { &*g };
        let is_current = std::ptr::eq(g, m.curg);
        let there = match g.status() {
            _ if is_current => {
                // SAFETY: `m` holds its P.
                let p = unsafe { (*m.p).id };
                There::Runs(m.id, p as i64)
            }
            Status::Idle | Status::Dead => return,
            Status::Waiting => There::Waits,
            Status::Syscall if !g.m.is_null() => {
                // SAFETY: Ms are never freed.
                There::Calls(unsafe { (*g.m).id })
            }
            _ => There::Runnable,
        };
        let name = match (g.is_main(), g.is_system) {
            (true, _) => "main.main".into(),
            (_, true) => "runtime.system".into(),
            _ => m.engine.function_at(g.startpc),
        };
        all.push(Seen {
            g: g.goid.0,
            function: name,
            there,
        });
    });
    all
}

/// Makes the trace that began as this turn, until it ends.
fn make_on(turn: u64) {
    loop {
        std::thread::sleep(PERIOD);
        let mut making = MAKING.lock();
        match making.as_mut() {
            Some(own) if TURNS.load(Ordering::Relaxed) == turn => own.round(),
            _ => return,
        }
    }
}

/// One more asks for the trace that is being made; it gets what begins now.
pub fn asks_too(asker: Asker) {
    if let Some(making) = advanced().as_mut() {
        making.made.asks(asker);
    }
}

/// What there is for `trace.Start` since this was asked last.
pub fn written() -> Vec<u8> {
    let mut making = MAKING.lock();
    let rest = making.as_mut().and_then(|own| own.made.rest.as_mut());
    rest.map(std::mem::take).unwrap_or_default()
}

/// `asker` asks no more; what `trace.Start` has not taken yet, and why there is no more, if
/// something is missing. The trace ends with its last asker.
pub fn ends(asker: Asker) -> (Vec<u8>, Option<String>) {
    let mut making = advanced();
    let Some(own) = making.as_mut().map(|making| &mut making.made) else {
        return (Vec::new(), None);
    };
    let mut bytes = Vec::new();
    match asker {
        Asker::Start => bytes = own.rest.take().unwrap_or_default(),
        Asker::Recorder { .. } => own.last = None,
    }
    let failure = own.failure.clone();
    if own.rest.is_none() && own.last.is_none() {
        *making = None;
        TURNS.fetch_add(1, Ordering::Relaxed);
        drop(making);
        super::record_for(stream::Reader::Program, false);
        names::deepen(None);
    }
    (bytes, failure)
}

/// What the flight recorder has by now, as a file, and why there is no more, if something is
/// missing.
pub fn recorded() -> (Vec<u8>, Option<String>) {
    let making = advanced();
    let Some(made) = making.as_ref().map(|own| &own.made) else {
        return (Vec::new(), None);
    };
    let file = made.last.as_ref().map(Last::file);
    (file.unwrap_or_default(), made.failure.clone())
}

type Locked = GuardedRef<'static, Option<Box<Making>>>;

/// The trace that is being made, with a generation that has just begun: all that has a number by
/// now is in those before.
///
/// Context: no P held, for whoever stops the world must be able to.
fn advanced() -> Locked {
    let until = stream::numbered();
    for _ in 0..PATIENCE {
        let mut making = MAKING.lock();
        let Some(own) = making.as_mut() else {
            return making;
        };
        own.round();
        let is_there = own.order.next >= until || own.made.failure.is_some();
        if is_there && own.made.advance() {
            return making;
        }
        drop(making);
        usleep(1000);
    }
    let mut making = MAKING.lock();
    if let Some(own) = making.as_mut() {
        let next = own.order.next;
        let why = || format!("event {next} never came, or a stop of the world never ended");
        own.made.failure.get_or_insert_with(why);
        own.made.advance();
    }
    making
}

impl Making {
    /// Takes the records, as far as none before them is missing.
    fn round(&mut self) {
        let Making { order, made } = self;
        let Some(parts) = stream::take_program() else {
            let why = "there were too many events at a time";
            made.failure.get_or_insert_with(|| why.into());
            return;
        };
        if made.failure.is_some() {
            return;
        }
        names::tables_since(&mut made.tables);
        let read = order.round(&parts, false, false, |next| {
            if let Next::Event(e, ops) = next {
                made.event(e, ops);
            }
        });
        if let Err(why) = read {
            made.failure.get_or_insert(why.0);
        }
    }
}

impl Made {
    fn asks(&mut self, asker: Asker) {
        match asker {
            Asker::Start => self.rest = Some(HEAD.to_vec()),
            Asker::Recorder { age, bytes } => {
                self.last = Some(Last {
                    age,
                    bytes,
                    all: VecDeque::new(),
                });
            }
        }
    }

    /// The next event, with its values.
    fn event(&mut self, e: &Event, ops: &[u64]) {
        if self.failure.is_some() {
            return;
        }
        self.ns = self.ns.max(e.ns);
        match self.go.event(&self.schema, &self.tables, e, ops) {
            Err(why) => self.failure = Some(format!("event {}: {why}", e.seq)),
            Ok(()) if self.go.has_ended() => self.pass_on(),
            Ok(()) => {}
        }
    }

    /// Begins a generation, unless the world is stopped just now.
    fn advance(&mut self) -> bool {
        let has_ended = self.go.advance(self.ns);
        if has_ended {
            self.pass_on();
        }
        has_ended
    }

    /// Gives `Start` and the flight recorder the generations that have ended.
    fn pass_on(&mut self) {
        let bytes = self.go.take_generations();
        if let Some(rest) = self.rest.as_mut() {
            rest.extend_from_slice(&bytes);
        }
        if let Some(last) = self.last.as_mut() {
            last.all.push_back((self.ns, bytes));
            let mut size: usize = last.all.iter().map(|g| g.1.len()).sum();
            while last.all.len() > 1
                && (size > last.bytes || last.all[0].0 < self.ns.saturating_sub(last.age))
            {
                size -= last.all.pop_front().map_or(0, |g| g.1.len());
            }
        }
    }
}

impl Last {
    /// All of it, as a file.
    fn file(&self) -> Vec<u8> {
        let mut file = HEAD.to_vec();
        self.all.iter().for_each(|g| file.extend_from_slice(&g.1));
        file
    }
}

// ---- what the program says -------------------------------------------------------------------

/// What a program says in its trace.
#[derive(Clone, Copy, Debug)]
pub enum Says<'a> {
    /// A task begins, of this kind, as part of another.
    TaskBegins(i64, i64, &'a str),
    /// It ends.
    TaskEnds(i64),
    /// A region of this kind begins, of a task.
    RegionBegins(i64, &'a str),
    /// It ends.
    RegionEnds(i64, &'a str),
    /// Something of this kind, about a task.
    Logs(i64, &'a str, &'a str),
}

/// The current G says this.
///
/// Context: coroutine with a P, its registers saved.
pub fn says(m: &M, what: Says<'_>) {
    #[cold]
    #[inline(never)]
    fn told(m: *const M, what: Says<'_>) {
        let g = curg(m);
        let stack: Stack = stack_of(m, g);
        let text = |text: &str| Text(names::text(text));
        let what = match what {
            Says::TaskBegins(task, parent, name) => What::TaskBegin {
                task,
                parent,
                name: text(name),
                stack,
            },
            Says::TaskEnds(task) => What::TaskEnd { task, stack },
            Says::RegionBegins(task, name) => What::RegionBegin {
                task,
                name: text(name),
                stack,
            },
            Says::RegionEnds(task, name) => What::RegionEnd {
                task,
                name: text(name),
                stack,
            },
            Says::Logs(task, name, message) => What::UserLog {
                task,
                name: text(name),
                message: text(message),
                stack,
            },
        };
        stream::record(m, std::ptr::null(), g, what);
    }
    if hears(m) {
        told(m, what);
    }
}
