//! Traces and logs: a thread that reads the records and writes them to files.
//!
//! A trace is a file of the form that the crate `trace` describes; a log is the same as JSON lines,
//! in the order of `seq`, made from what is read of the records by the same crate. A thread
//! empties the streams and writes; the end of the process writes what is left, and how it ends.
//! Only an error of the file ends it before that, with a line on standard error, and with status 1
//! for a program that ends well.
//!
//! A handler of signals can write nothing. So when a signal is to end the process, the writer
//! does that.
//!
//! A record has its number a moment before it is in a stream. So the log waits for the one that is
//! next; one that does not come is told as lost. A trace needs no order.

use std::fs::File;
use std::io::Write;
use std::time::Duration;

use ::trace::file::{Kind, MAGIC, Part, Streams, Tables, Values, push_block};
use ::trace::json;
use ::trace::read::{number, text};
use ::trace::wire::Event;

use super::{event, names, stream, time};
use crate::clock::{nanotime, walltime};
use crate::lockrank::Rank;
use crate::sync::plain::{AtomicBool, AtomicI32, Ordering};
use crate::sync::{Guarded, usleep};
use crate::{knobs, signal, switches};

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
/// Rounds that a missing record is waited for.
const PATIENCE: u32 = 50;
/// How long it is waited for when the process ends. A round can take long by itself: there may be
/// millions of records behind the missing one.
const LAST_PATIENCE: Duration = Duration::from_secs(1);

/// Bytes that are written at once.
const CHUNK: usize = 1 << 16;

/// A file that is written.
struct Out {
    file: File,
    /// What errors call it.
    name: &'static str,
    /// It has failed: nothing is written any more.
    is_broken: bool,
}

/// A log.
struct Lines {
    out: Out,
    streams: Streams,
    /// Records that came before one with a lower number, and all their values.
    waiting: Vec<Event>,
    values: Vec<u64>,
    /// The number of the next line.
    next: u64,
    /// Rounds in which nothing could be written for want of that one.
    stuck: u32,
    /// Numbers that were told as lost.
    lost: u64,
}

/// What is written.
#[derive(Default)]
struct Writer {
    trace: Option<Out>,
    lines: Option<Lines>,
    /// What is known by number, and how much of it is in the trace.
    tables: Tables,
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
        streams: Streams::new(event::schema()),
        waiting: Vec::new(),
        values: Vec::new(),
        next: 0,
        stuck: 0,
        lost: 0,
    };
    begin(|writer| writer.lines = Some(lines))
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
    begin(|writer| writer.trace = Some(out))
}

fn begin(add: impl FnOnce(&mut Writer)) -> std::io::Result<()> {
    add(WRITER.lock().get_or_insert_default());
    if OPEN.swap(true, Ordering::Relaxed) {
        return Ok(());
    }
    crate::prompt::note_holders();
    super::listen(true);
    signal::with_blocked(|| {
        std::thread::Builder::new()
            .name("sched-log".into())
            .spawn(write_on)
    })?;
    Ok(())
}

impl Head {
    /// All that is told first.
    fn values(&self) -> Values {
        let program = self.args.first().map_or(&[][..], Vec::as_slice);
        let list = |name: &str, all: Vec<Vec<u8>>| (name.into(), ::trace::file::Value::List(all));
        let off = switches::ALL
            .iter()
            .filter(|(mech, _)| !switches::on(*mech));
        let off = off.map(|(_, name)| name.as_bytes().to_vec());
        let godebug = std::env::var_os("GODEBUG").unwrap_or_default();
        let cpus = std::thread::available_parallelism().map_or(1, usize::from);
        let procs = knobs::procs_from_environment().unwrap_or_else(knobs::default_procs);
        Values(vec![
            number("pid", std::process::id().into()),
            number("ns", nanotime()),
            number("wall", walltime()),
            text("gosched", self.gosched.as_bytes()),
            text("go", self.go.as_bytes()),
            text("program", program),
            list("files", self.files.clone()),
            list("args", self.args.get(1..).unwrap_or_default().to_vec()),
            number("gomaxprocs", procs.into()),
            number("cpus", cpus as i64),
            list("without", off.collect()),
            text("godebug", godebug.as_encoded_bytes()),
        ])
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
        if let Some(writer) = WRITER.lock().as_mut() {
            writer.round(false);
            if writer.is_over() {
                OPEN.store(false, Ordering::Relaxed);
                super::listen(false);
            }
        }
    }
}

/// Writes what is left, and how the process ends; whether the files have taken everything. Called
/// at the end of the process, from wherever that comes.
pub(crate) fn finish(end: End) -> bool {
    if OPEN.swap(false, Ordering::Relaxed) {
        super::listen(false);
        // A thread that dies while it writes, or records, cannot wait for itself.
        if let Some(mut writer) = WRITER.try_guard_for(1000)
            && let Some(writer) = writer.as_mut()
        {
            writer.finish(end);
        }
    }
    !FAILED.load(Ordering::Relaxed)
}

impl Writer {
    /// Waits for records that have a number and are not there yet, and writes the end.
    fn finish(&mut self, end: End) {
        let until = nanotime() + LAST_PATIENCE.as_nanos() as i64;
        loop {
            self.round(false);
            if self.read + self.lost == stream::numbered() || nanotime() >= until {
                break;
            }
            usleep(1000);
        }
        self.round(true);
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
        if let Some(lines) = self.lines.as_mut() {
            let mut text = Vec::new();
            // After records lost at the end comes no line that would show the gap.
            let missing = all.saturating_sub(lines.next);
            if missing > 0 {
                lines.say_lost(missing, &mut text);
                lines.next += missing;
            }
            json::tail(&mut text, lines.next, nanotime(), &values(lines.lost));
            lines.out.put(&mut text);
        }
    }

    /// Writes what there is; lines as far as they are in order, or all of them.
    fn round(&mut self, hurry: bool) {
        let Some((parts, lost)) = stream::drain() else {
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
        if let Some(lines) = self.lines.as_mut() {
            lines.round(&parts, &self.tables, hurry, lost > 0);
        }
    }

    /// Nothing that is asked for can be written any more.
    fn is_over(&self) -> bool {
        let trace = self.trace.iter().all(|out| out.is_broken);
        trace && self.lines.iter().all(|lines| lines.out.is_broken)
    }
}

impl Lines {
    fn round(&mut self, parts: &[Part], tables: &Tables, hurry: bool, has_lost: bool) {
        for part in parts {
            // A part of a block of which one has been lost is lost, too.
            let before = self.waiting.len();
            let read = self.streams.read(part, &mut self.waiting, &mut self.values);
            if read.is_err() {
                self.waiting.truncate(before);
            }
        }
        self.waiting.sort_unstable_by_key(|e| e.seq);
        let hurry = hurry || self.stuck > PATIENCE;
        let mut text = Vec::with_capacity(CHUNK + 512);
        let mut done = 0;
        let waiting = std::mem::take(&mut self.waiting);
        for e in &waiting {
            if e.seq > self.next {
                if !hurry {
                    break;
                }
                self.say_lost(e.seq - self.next, &mut text);
            }
            // A record that comes after all has been reported as lost.
            if e.seq >= self.next {
                let ops = &self.values[e.at..];
                json::event(&mut text, self.streams.schema(), tables, e, ops);
                self.next = e.seq + 1;
            }
            done += 1;
            if text.len() > CHUNK {
                self.out.put(&mut text);
            }
        }
        self.stuck = if done == 0 && !waiting.is_empty() {
            self.stuck + 1
        } else {
            0
        };
        self.keep(&waiting[done..]);
        if has_lost {
            self.stuck = PATIENCE + 1; // those will never come
        }
        self.out.put(&mut text);
    }

    /// Keeps these for the next round, with their values and no others.
    fn keep(&mut self, rest: &[Event]) {
        let mut values = Vec::new();
        for e in rest {
            let slots = self.streams.schema().kinds[usize::from(e.kind)].slots.len();
            self.waiting.push(Event {
                at: values.len(),
                ..*e
            });
            values.extend_from_slice(&self.values[e.at..e.at + slots]);
        }
        self.values = values;
    }

    /// Says that the next `n` records are missing.
    fn say_lost(&mut self, n: u64, text: &mut Vec<u8>) {
        self.lost += n;
        json::lost(text, self.next, nanotime(), n);
    }
}

impl Out {
    /// Writes `bytes` and empties them. After an error nothing is written any more.
    fn put(&mut self, bytes: &mut Vec<u8>) {
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
            crate::panic::print(format_args!("gosched: {}: {e}\n", self.name));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
            streams: Streams::new(event::schema()),
            waiting: Vec::new(),
            values: Vec::new(),
            next: 0,
            stuck: 0,
            lost: 0,
        };
        let tables = Tables::default();
        let lines = || {
            let text = std::fs::read_to_string(&path).unwrap();
            let line = |l: &str| l.replace(",\"ns\":", " ").replace(['{', '}', '"'], "");
            text.lines().map(line).collect::<Vec<_>>()
        };
        log.round(&[part(0, &[4, 0, 1])], &tables, false, false);
        assert_eq!((lines().len(), log.next, log.waiting.len()), (2, 2, 1));
        log.round(&[], &tables, true, false);
        let all = lines();
        assert_eq!(all.len(), 4, "{all:?}");
        assert!(all[2].starts_with("seq:2 ") && all[2].ends_with("ev:lost,n:2"));
        assert!(all[3].starts_with("seq:4 "), "{all:?}");
        // Too late: the record has been reported as lost.
        log.round(&[part(1, &[3])], &tables, false, false);
        assert_eq!((lines().len(), log.next, log.waiting.len()), (4, 5, 0));
        assert_eq!(log.lost, 2);
        drop(std::fs::remove_file(&path));
    }
}
