//! Traces and logs: a thread that reads the records and writes them to files.
//!
//! A trace is a file of the form that the crate `trace` describes; a log is the same as JSON lines,
//! in the order of `seq`, made from what is read of the records by the same crate. A thread
//! empties the streams and writes; the end of the process writes what is left, and how it ends.
//! Only an error of the file ends it before that, with a line on standard error, and with status 2
//! for a program that ends well.
//!
//! A handler of signals can write nothing. So when a signal is to end the process, the writer
//! does that.
//!
//! A trace needs no order; what is made of records while the program runs gets them in order.

use std::fs::File;
use std::io::Write;
use std::time::Duration;

use ::trace::file::{Kind, MAGIC, Tables, Values, push_block};
use ::trace::graph;
use ::trace::json;
use ::trace::last::Recorder;
use ::trace::latency::{self, Meter};
use ::trace::read::{number, text};
use ::trace::schema::Schema;
use ::trace::waits::Waits;

use super::live::Live;
use super::order::{Next, Order};
use super::{event, names, stream, time};
use crate::clock::{real_nanotime, walltime};
use crate::control::{self, tape};
use crate::lockrank::Rank;
use crate::sync::plain::{AtomicBool, AtomicI32, Ordering};
use crate::sync::{Guarded, usleep};
use crate::{cpus, knobs, limits, signal, switches};

/// What is told first of the program, besides what the runtime knows.
#[derive(Clone, Debug, Default)]
pub struct Head {
    /// Our version.
    pub gosched: &'static str,
    /// That of the Go which is followed.
    pub go: &'static str,
    /// The program's name, and its arguments.
    pub args: Vec<Vec<u8>>,
    /// The files that it was read from, each as `sha256sum` tells of it.
    pub files: Vec<Vec<u8>>,
}

/// How a process ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// With a status.
    Status(i32),
    /// By a signal.
    Signal(i32),
}

/// How often the writer looks.
const PERIOD: Duration = Duration::from_millis(20);
/// How long the end of the process waits for the writer, which may have much to do: milliseconds.
const PATIENCE_MS: u32 = 10_000;
/// How long it is waited for when the process ends. A round can take long by itself: there may be
/// millions of records behind the missing one.
const LAST_PATIENCE: Duration = Duration::from_secs(1);

/// Bytes that are kept of the end of a trace.
const MOST_KEPT: usize = 1 << 28;
/// Bytes that are written at once.
const CHUNK: usize = 1 << 16;

/// A file that is written.
pub(super) struct Out {
    pub(super) file: File,
    /// What errors call it.
    pub(super) name: &'static str,
    /// It has failed: nothing is written any more.
    pub(super) is_broken: bool,
}

/// A log.
struct Lines {
    out: Out,
    /// What is to be written.
    text: Vec<u8>,
    /// Numbers that were told as lost.
    lost: u64,
}

/// Measures how long goroutines wait for a turn.
struct Latency {
    meter: Meter,
    /// What was measured is told at the end.
    is_told: bool,
}

/// The end of a trace, which is written at the end.
struct Last {
    recorder: Recorder,
    out: Out,
    head: Values,
}

/// What is written.
#[derive(Default)]
struct Writer {
    last: Option<Last>,
    trace: Option<Out>,
    lines: Option<Lines>,
    latency: Option<Latency>,
    /// Who waits on what, for the graph and the live screen.
    waits: Option<Waits>,
    /// Where the graph of that goes at the end.
    graph: Option<Out>,
    live: Option<Live>,
    /// The records in order, for all but the trace itself.
    order: Option<Order>,
    /// What is known by number, and how much of it is in the trace.
    tables: Tables,
    /// When the process ended.
    ended: Option<i64>,
    /// Records that have been read.
    read: u64,
    /// Records that were lost.
    lost: u64,
}

static WRITER: Guarded<Option<Box<Writer>>> = Guarded::new(Rank::World, None);
/// Whether there is something to finish.
static OPEN: AtomicBool = AtomicBool::new(false);

/// Whether a file has failed. Written by the writer.
static FAILED: AtomicBool = AtomicBool::new(false);
/// The signal that is to end the process, 0 if none. Written by handlers.
static DEATH: AtomicI32 = AtomicI32::new(0);

/// Begins to record, and to write lines to `file`. Before the runtime starts, and once.
pub fn log_to(mut file: File, head: &Head) -> std::io::Result<()> {
    file.write_all(&json::head(json::VERSION, &head.values()))?;
    let out = Out {
        file,
        name: "the scheduler's log",
        is_broken: false,
    };
    let lines = Lines {
        out,
        text: Vec::new(),
        lost: 0,
    };
    crate::prompt::note_holders();
    begin(|writer| {
        writer.lines = Some(lines);
        writer.order.get_or_insert_default();
    })
}

/// Begins to record, and to write a trace to `file`. Before the runtime starts, and once.
pub fn trace_to(mut file: File, head: &Head) -> std::io::Result<()> {
    let mut first = MAGIC.to_vec();
    push_block(&mut first, Kind::Head, &head.values().to_bytes());
    push_block(&mut first, Kind::Schema, &event::schema().to_bytes());
    file.write_all(&first)?;
    let out = Out {
        file,
        name: "the trace",
        is_broken: false,
    };
    crate::prompt::note_holders();
    begin(|writer| writer.trace = Some(out))
}

/// Begins to record, and to keep what has been recorded in this time: at the end of the process
/// that is written to `file`, as a trace. Before the runtime starts, and once.
pub fn keep_last(file: File, head: &Head, keep: Duration) -> std::io::Result<()> {
    let keep = i64::try_from(keep.as_nanos()).unwrap_or(i64::MAX);
    let last = Last {
        recorder: Recorder::new(event::schema(), keep, MOST_KEPT, time::now()),
        out: Out {
            file,
            name: "the trace",
            is_broken: false,
        },
        head: head.values(),
    };
    crate::prompt::note_holders();
    begin(|writer| writer.last = Some(last))
}

/// The names of the events that are recorded, if not all are.
static ONLY: Guarded<Vec<Vec<u8>>> = Guarded::new(Rank::World, Vec::new());

/// Heads tell that only events of these names are recorded.
pub(super) fn tell_only(names: &[String]) {
    *ONLY.lock() = names.iter().map(|n| n.as_bytes().to_vec()).collect();
}

/// Begins to record, and to measure how long goroutines wait for a turn: what was measured is told
/// at the end, if so asked; a wait that is longer than `most` ends the program. Before the runtime
/// starts, and once.
pub fn measure_latency(is_told: bool, most: Option<Duration>) -> std::io::Result<()> {
    let limit = most.map(|most| i64::try_from(most.as_nanos()).unwrap_or(i64::MAX));
    let meter = Meter::new(&event::schema(), &rules_off(), limit);
    begin(|writer| {
        writer.latency = Some(Latency { meter, is_told });
        writer.order.get_or_insert_default();
    })
}

/// Begins to record, and to follow who waits on what: at the end that is written to `file`, as a
/// graph. Before the runtime starts, and once.
pub fn draw_waits_to(file: File) -> std::io::Result<()> {
    crate::prompt::note_holders();
    begin(|writer| {
        writer.follow_waits();
        writer.graph = Some(Out {
            file,
            name: "the graph",
            is_broken: false,
        });
    })
}

/// Begins to record, and to tell several times a second what there is to see, to this pipe. Before
/// the runtime starts, and once.
pub fn tell_live(pipe: File) -> std::io::Result<()> {
    crate::prompt::note_holders();
    begin(|writer| {
        writer.follow_waits();
        writer.live = Some(Live::new(pipe));
    })
}

fn begin(add: impl FnOnce(&mut Writer)) -> std::io::Result<()> {
    add(WRITER.lock().get_or_insert_default());
    if OPEN.swap(true, Ordering::Relaxed) {
        return Ok(());
    }
    super::listen(true);
    signal::with_blocked(|| {
        std::thread::Builder::new()
            .name("sched-log".into())
            .spawn(write_on)
    })?;
    Ok(())
}

/// The rules that are switched off.
fn rules_off() -> Vec<Vec<u8>> {
    let off = switches::ALL
        .iter()
        .filter(|(mech, _)| !switches::on(*mech));
    off.map(|(_, name)| name.as_bytes().to_vec()).collect()
}

impl Head {
    /// All that is told first.
    fn values(&self) -> Values {
        let program = self.args.first().map_or(&[][..], Vec::as_slice);
        let list = |name: &str, all: Vec<Vec<u8>>| (name.into(), ::trace::file::Value::List(all));
        let godebug = std::env::var_os("GODEBUG").unwrap_or_default();
        let cpus = std::thread::available_parallelism().map_or(1, usize::from);
        let procs = match control::has_one_p() {
            true => 1,
            false => knobs::procs_from_environment().unwrap_or_else(cpus::usable),
        };
        let mut all = vec![
            number("pid", std::process::id().into()),
            number("ns", time::now()),
            number("wall", walltime()),
            text("gosched", self.gosched.as_bytes()),
            text("go", self.go.as_bytes()),
            text("program", program),
            list("files", self.files.clone()),
            list("args", self.args.get(1..).unwrap_or_default().to_vec()),
            number("gomaxprocs", procs.into()),
            number("cpus", cpus as i64),
            list("without", rules_off()),
            text("godebug", godebug.as_encoded_bytes()),
        ];
        if let Some(clock) = time::clock() {
            all.push(text("clock", clock.as_bytes()));
        }
        if control::is_on() {
            all.push(number("steered", 1));
        }
        if tape::is_chaotic() {
            all.push(number("chaos", 1));
        }
        let only = ONLY.lock().clone();
        if !only.is_empty() {
            all.push(list("only", only));
        }
        Values(all)
    }
}

/// Leaves it to the writer to finish the log and to end the process by `sig`; `false` if there is
/// no log, or another signal has come before.
///
/// Context: any, handlers of signals too.
pub(crate) fn die_later(sig: i32) -> bool {
    OPEN.load(Ordering::Relaxed) && DEATH.swap(sig, Ordering::Relaxed) == 0
}

fn write_on() {
    let mut begin = time::has_ticks().then(time::moment);
    while OPEN.load(Ordering::Relaxed) {
        std::thread::sleep(PERIOD);
        if let Some(begin) = begin.take() {
            time::measure(begin);
        }
        let sig = DEATH.load(Ordering::Relaxed);
        if sig != 0 {
            finish(End::Signal(sig));
            signal::die_by(sig);
        }
        let mut is_over = false;
        if let Some(writer) = WRITER.lock().as_mut() {
            writer.round(false);
            is_over = writer.breaks_bound();
            if writer.is_over() {
                OPEN.store(false, Ordering::Relaxed);
                super::listen(false);
            }
        }
        if is_over {
            end_for_latency();
        }
    }
}

/// Ends the process: a goroutine has waited for a turn for longer than `--latency-max`.
fn end_for_latency() {
    crate::prof::leaving();
    if close(End::Status(limits::LATENCY_STATUS)).is_some() {
        crate::prompt::leaving(false);
        crate::panic::leave(limits::LATENCY_STATUS);
    }
}

/// Writes what is left, and how the process ends; the status that it ends with. Called at the end
/// of the process, from wherever that comes.
pub(crate) fn finish(end: End) -> i32 {
    let end = close(end).unwrap_or(end);
    match end {
        // If something could not be written, the status says so.
        End::Status(0) if FAILED.load(Ordering::Relaxed) => 2,
        End::Status(status) => status,
        End::Signal(sig) => 128 + sig,
    }
}

/// Writes what is left, and how the process ends after all; none if that has been done.
fn close(end: End) -> Option<End> {
    if !OPEN.swap(false, Ordering::Relaxed) {
        return None;
    }
    let now = time::now();
    super::listen(false);
    // Others may read, but nothing that comes now belongs to a trace that ends.
    stream::end();
    // A thread that dies while it writes, or records, cannot wait for itself.
    let mut writer = WRITER.try_guard_for(PATIENCE_MS);
    let writer = writer.as_mut().and_then(|writer| writer.as_mut());
    Some(writer.map_or(end, |writer| writer.finish(end, now)))
}

impl Writer {
    fn follow_waits(&mut self) {
        self.order.get_or_insert_default();
        self.waits
            .get_or_insert_with(|| Waits::new(&event::schema()));
    }

    /// Waits for records that have a number and are not there yet, and writes the end; which one
    /// that is. It ended at `now`.
    fn finish(&mut self, end: End, now: i64) -> End {
        self.ended = Some(now);
        // Not by the clock of the program, which may stand still.
        let until = real_nanotime() + LAST_PATIENCE.as_nanos() as i64;
        loop {
            self.round(false);
            if self.read + self.lost == stream::numbered() || real_nanotime() >= until {
                break;
            }
            usleep(1000);
        }
        self.round(true);
        let end = self.tell_latency(end, now);
        let all = stream::numbered();
        let how = match end {
            End::Status(status) => number("status", status.into()),
            End::Signal(sig) => number("signal", sig.into()),
        };
        let values = |lost: u64| {
            Values(vec![
                how.clone(),
                number("records", all as i64),
                number("lost", lost as i64),
            ])
        };
        if let Some(out) = self.trace.as_mut() {
            let mut bytes = Vec::new();
            let tail = values(all.saturating_sub(self.read));
            push_block(&mut bytes, Kind::Tail, &tail.to_bytes());
            out.put(&mut bytes);
        }
        if let Some(last) = self.last.as_mut() {
            let (recorder, tail) = (&last.recorder, Values(vec![how.clone()]));
            let mut bytes = recorder.to_bytes(&last.head, &self.tables, all, &tail);
            last.out.put(&mut bytes);
        }
        if let (Some(out), Some(waits)) = (self.graph.as_mut(), self.waits.as_ref()) {
            out.put(&mut graph::dot(waits, &self.tables).into_bytes());
        }
        if let (Some(lines), Some(order)) = (self.lines.as_mut(), self.order.as_mut()) {
            // After records lost at the end comes no line that would show the gap.
            let missing = all.saturating_sub(order.next);
            if missing > 0 {
                lines.say_lost(order.next, missing);
                order.next += missing;
            }
            json::tail(&mut lines.text, order.next, now, &values(lines.lost));
            lines.out.put(&mut lines.text);
        }
        end
    }

    /// Tells of the waits for turns until `now`, and how the process ends if one was too long.
    fn tell_latency(&mut self, end: End, now: i64) -> End {
        let Some(measured) = self.latency.as_mut() else {
            return end;
        };
        measured.meter.ends(now);
        let mut end = end;
        if let Some(wait) = measured.meter.broken() {
            let told = wait.told(&self.tables, "\n  ");
            let ns = latency::time(wait.ns);
            crate::panic::print(format_args!(
                "gosched: --latency-max: {ns} without a turn: {told}\n"
            ));
            if end == End::Status(0) {
                end = End::Status(limits::LATENCY_STATUS);
            }
        }
        if measured.is_told {
            let report = measured.meter.report(&self.tables);
            crate::panic::print(format_args!("{report}"));
        }
        end
    }

    /// A goroutine has waited for a turn for longer than `--latency-max`.
    fn breaks_bound(&self) -> bool {
        let latency = self.latency.as_ref();
        latency.is_some_and(|l| l.meter.broken().is_some())
    }

    /// Writes what there is; lines as far as they are in order, or all of them.
    fn round(&mut self, hurry: bool) {
        // What has no number by now happens later.
        let now = self.ended.unwrap_or_else(time::now);
        let numbered = stream::numbered();
        let begin = self.last.as_ref().is_some_and(|l| l.recorder.is_due(now));
        let Some((parts, lost)) = stream::drain(begin) else {
            return;
        };
        self.read += parts.iter().map(|p| p.records).sum::<u64>();
        self.lost += lost;
        let known = (self.tables.strings.len(), self.tables.stacks.len());
        names::tables_since(&mut self.tables);
        if let Some(out) = self.trace.as_mut() {
            let mut bytes = Vec::new();
            if self.tables.strings.len() > known.0 {
                let new = self.tables.strings_from(known.0);
                push_block(&mut bytes, Kind::Strings, &new);
            }
            if self.tables.stacks.len() > known.1 {
                let new = self.tables.stacks_from(known.1);
                push_block(&mut bytes, Kind::Stacks, &new);
            }
            out.put(&mut bytes);
            for part in &parts {
                out.put(&mut part.block_head());
                out.put_all(&part.bytes);
            }
        }
        if let Some(order) = self.order.as_mut() {
            let (lines, latency) = (&mut self.lines, &mut self.latency);
            let waits = &mut self.waits;
            let schema = order.schema().clone();
            // What cannot be read is told as lost.
            let _ = order.round(&parts, hurry, lost > 0, |next| {
                if let Some(lines) = lines.as_mut() {
                    lines.add(&schema, &self.tables, &next);
                }
                if let (Some(waits), Next::Event(e, ops)) = (waits.as_mut(), &next) {
                    waits.event(e, ops);
                }
                match (latency.as_mut(), next) {
                    (Some(latency), Next::Event(e, ops)) => latency.meter.event(e, ops),
                    (Some(latency), Next::Lost(..)) => latency.meter.skips(),
                    (None, _) => {}
                }
            });
            if let Some(lines) = lines.as_mut() {
                lines.out.put(&mut lines.text);
            }
            if let Some(latency) = latency.as_mut()
                && order.next >= numbered
            {
                latency.meter.is_at(now);
            }
        }
        if let (Some(live), Some(waits)) = (self.live.as_mut(), self.waits.as_ref()) {
            live.round(waits, &self.tables, now);
        }
        if let Some(last) = self.last.as_mut() {
            last.recorder.add(parts);
            if begin {
                last.recorder.turn(now);
            }
        }
    }

    /// Nothing that is asked for can be written any more.
    fn is_over(&self) -> bool {
        let trace = self.trace.iter().all(|out| out.is_broken);
        let is_seen = self.live.as_ref().is_some_and(|live| !live.is_over());
        let is_kept = self.latency.is_some() || self.last.is_some() || self.graph.is_some();
        let is_kept = is_kept || is_seen;
        trace && !is_kept && self.lines.iter().all(|lines| lines.out.is_broken)
    }
}

impl Lines {
    /// Adds the line of what comes next, and writes if there is much.
    fn add(&mut self, schema: &Schema, tables: &Tables, next: &Next<'_>) {
        match next {
            Next::Lost(from, n) => self.say_lost(*from, *n),
            Next::Event(e, ops) => json::event(&mut self.text, schema, tables, e, ops),
        }
        if self.text.len() > CHUNK {
            self.out.put(&mut self.text);
        }
    }

    /// Says that `n` records are missing, from this one on.
    fn say_lost(&mut self, from: u64, n: u64) {
        self.lost += n;
        json::lost(&mut self.text, from, time::now(), n);
    }
}

impl Out {
    /// Writes `bytes` and empties them. After an error nothing is written any more.
    pub(super) fn put(&mut self, bytes: &mut Vec<u8>) {
        self.put_all(bytes);
        bytes.clear();
    }

    /// Writes `bytes`.
    fn put_all(&mut self, bytes: &[u8]) {
        if !self.is_broken
            && let Err(e) = self.file.write_all(bytes)
        {
            self.is_broken = true;
            FAILED.store(true, Ordering::Relaxed);
            let text = e.to_string();
            // Rust puts the number behind it.
            let text = text
                .split(" (os error")
                .next()
                .unwrap_or(&text)
                .to_lowercase();
            crate::panic::print(format_args!("gosched: {}: {text}\n", self.name));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::trace::file::Part;
    use ::trace::wire::{RECORD, Record, State};

    /// A part with the record of an M that starts, under each of these numbers.
    fn part(block: u64, all: &[u64]) -> Part {
        let mut state = State::new(0, event::KINDS);
        let mut part = Part {
            block,
            records: all.len() as u64,
            ..Part::default()
        };
        for &seq in all {
            let mut room = [0; RECORD];
            let record = Record {
                kind: event::What::MStart {}.kind(),
                seq,
                ns: Some(1),
                m: 0,
                p: 0,
                g: 0,
            };
            let n = state.encode(&record, 0, &mut room, &event::What::MStart {});
            part.bytes.extend_from_slice(&room[..n]);
        }
        part
    }

    #[test]
    fn a_missing_record_is_waited_for_and_then_told_as_lost() {
        let path = std::env::temp_dir().join(format!("sched-log-{}", std::process::id()));
        let mut log = Lines {
            out: Out {
                file: File::create(&path).unwrap(),
                name: "the log",
                is_broken: false,
            },
            text: Vec::new(),
            lost: 0,
        };
        let mut order = Order::default();
        let (schema, tables) = (event::schema(), Tables::default());
        let mut round = |parts: &[Part], hurry: bool| {
            let add = |next: Next<'_>| log.add(&schema, &tables, &next);
            order.round(parts, hurry, false, add).unwrap();
            log.out.put(&mut log.text);
            let text = std::fs::read_to_string(&path).unwrap();
            let line = |l: &str| l.replace(",\"ns\":", " ").replace(['{', '}', '"'], "");
            let lines: Vec<String> = text.lines().map(line).collect();
            (lines, order.next, order.waiting.len(), log.lost)
        };
        let (lines, next, waiting, _) = round(&[part(0, &[4, 0, 1])], false);
        assert_eq!((lines.len(), next, waiting), (2, 2, 1));
        let (all, ..) = round(&[], true);
        assert_eq!(all.len(), 4, "{all:?}");
        assert!(all[2].starts_with("seq:2 ") && all[2].ends_with("ev:lost,n:2"));
        assert!(all[3].starts_with("seq:4 "), "{all:?}");
        // Too late: the record has been reported as lost.
        let (lines, next, waiting, lost) = round(&[part(1, &[3])], false);
        assert_eq!((lines.len(), next, waiting, lost), (4, 5, 0, 2));
        drop(std::fs::remove_file(&path));
    }
}
