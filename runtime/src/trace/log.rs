//! The event stream as a file of JSON lines.
//!
//! The first line names the schema and the program; each other is one event, in the order of `seq`.
//! A thread of its own empties the rings and writes; the end of the process writes what is left,
//! and a last line that says how much is missing. Only an error of the file ends the log before
//! that, with a line on standard error, and with status 1 for a program that ends well.
//!
//! A handler of signals can write nothing. So when a signal is to end the process, the writer
//! does that.
//!
//! A record has its number a moment before it is in a ring. So the writer waits for the one that is
//! next; one that does not come is told as lost.

use std::fs::File;
use std::io::Write;
use std::time::Duration;

use super::event::{Event, What};
use super::ring::{self, Record};
use crate::clock::nanotime;
use crate::g::Goid;
use crate::lockrank::Rank;
use crate::sync::plain::{AtomicBool, AtomicI32, Ordering};
use crate::sync::{Guarded, usleep};
use crate::{knobs, signal, switches};

/// The version of the lines' form. It changes when a member is renamed, dropped, or means something
/// else.
const VERSION: u32 = 2;

/// What the first line tells of the program, besides what the runtime knows.
#[derive(Clone, Debug, Default)]
pub struct Head {
    /// Our version.
    pub gosched: &'static str,
    /// That of the Go which is followed.
    pub go: &'static str,
    /// The program's name, and its arguments.
    pub args: Vec<Vec<u8>>,
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

struct Log {
    file: File,
    /// Records that came before one with a lower number.
    waiting: Vec<Record>,
    /// The number of the next line.
    next: u64,
    /// Rounds in which nothing could be written for want of that one.
    stuck: u32,
    /// Numbers that were told as lost.
    lost: u64,
    /// The file has failed: nothing is written any more.
    is_broken: bool,
}

static LOG: Guarded<Option<Log>> = Guarded::new(Rank::World, None);
/// Whether there is a log to finish.
static OPEN: AtomicBool = AtomicBool::new(false);

/// Whether the file has failed. Written by the writer.
static FAILED: AtomicBool = AtomicBool::new(false);
/// The signal that is to end the process, 0 if none. Written by handlers.
static DEATH: AtomicI32 = AtomicI32::new(0);

/// Begins to record, and to write to `file`. Before the runtime starts, and once.
pub fn log_to(mut file: File, head: &Head) -> std::io::Result<()> {
    file.write_all(&head.line())?;
    *LOG.lock() = Some(Log {
        file,
        waiting: Vec::new(),
        next: 0,
        stuck: 0,
        lost: 0,
        is_broken: false,
    });
    OPEN.store(true, Ordering::Relaxed);
    super::listen(true);
    signal::with_blocked(|| {
        std::thread::Builder::new()
            .name("sched-log".into())
            .spawn(write_on)
    })?;
    Ok(())
}

impl Head {
    /// The first line.
    fn line(&self) -> Vec<u8> {
        let texts = |all: &[&[u8]]| {
            let all: Vec<String> = all.iter().map(|t| quoted(t)).collect();
            format!("[{}]", all.join(","))
        };
        let args: Vec<&[u8]> = self.args.iter().map(Vec::as_slice).collect();
        let program = args.first().copied().unwrap_or_default();
        let off = switches::ALL
            .iter()
            .filter(|(mech, _)| !switches::on(*mech));
        let off: Vec<&[u8]> = off.map(|(_, name)| name.as_bytes()).collect();
        let godebug = std::env::var_os("GODEBUG").unwrap_or_default();
        format!(
            "{{\"schema\":\"gosched-sched-log\",\"version\":{VERSION},\"pid\":{},\
             \"ns\":{},\"gosched\":{},\"go\":{},\"program\":{},\"args\":{},\
             \"gomaxprocs\":{},\"without\":{},\"godebug\":{}}}\n",
            std::process::id(),
            nanotime(),
            quoted(self.gosched.as_bytes()),
            quoted(self.go.as_bytes()),
            quoted(program),
            texts(args.get(1..).unwrap_or_default()),
            knobs::procs_from_environment().unwrap_or_else(knobs::default_procs),
            texts(&off),
            quoted(godebug.as_encoded_bytes()),
        )
        .into_bytes()
    }
}

/// A JSON string. What is not UTF-8 is replaced.
fn quoted(text: &[u8]) -> String {
    let mut out = String::from('"');
    for c in String::from_utf8_lossy(text).chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Leaves it to the writer to finish the log and to end the process by `sig`; `false` if there is
/// no log, or another signal has come before.
///
/// Context: any, handlers of signals too.
pub(crate) fn die_later(sig: i32) -> bool {
    OPEN.load(Ordering::Relaxed) && DEATH.swap(sig, Ordering::Relaxed) == 0
}

fn write_on() {
    while OPEN.load(Ordering::Relaxed) {
        std::thread::sleep(PERIOD);
        let sig = DEATH.load(Ordering::Relaxed);
        if sig != 0 {
            finish();
            signal::die_by(sig);
        }
        if let Some(log) = LOG.lock().as_mut() {
            log.round(log.stuck > PATIENCE);
        }
    }
}

/// Writes what is left; whether the file has taken everything. Called at the end of the process,
/// from wherever that comes.
pub(crate) fn finish() -> bool {
    if OPEN.swap(false, Ordering::Relaxed) {
        super::listen(false);
        // A thread that dies while it writes, or records, cannot wait for itself.
        if let Some(mut log) = LOG.try_guard_for(1000)
            && let Some(log) = log.as_mut()
        {
            log.finish();
        }
    }
    !FAILED.load(Ordering::Relaxed)
}

impl Log {
    /// Waits for records that have a number and are not there yet, and writes the last line.
    fn finish(&mut self) {
        let until = nanotime() + LAST_PATIENCE.as_nanos() as i64;
        loop {
            self.round(self.stuck > PATIENCE);
            if self.next == ring::numbered() || nanotime() >= until {
                break;
            }
            usleep(1000);
        }
        self.round(true);
        // After records lost at the end comes no line that would show the gap.
        let missing = ring::numbered().saturating_sub(self.next);
        let mut text = Vec::new();
        if missing > 0 {
            self.lost(missing).json(&mut text);
            self.next += missing;
        }
        let what = What::LogEnd {
            records: self.next as i64,
            lost: self.lost as i64,
        };
        self.line(what).json(&mut text);
        self.put(&mut text);
    }

    /// Writes what is in order; in a `hurry`, whatever there is.
    fn round(&mut self, hurry: bool) {
        let Some((new, lost)) = ring::drain() else {
            return;
        };
        self.waiting.extend(new);
        self.waiting.sort_unstable_by_key(|r| r.seq);
        let mut text = Vec::with_capacity(CHUNK + 512);
        let mut done = 0;
        let mut waiting = std::mem::take(&mut self.waiting);
        for r in &waiting {
            if r.seq > self.next {
                if !hurry {
                    break;
                }
                self.lost(r.seq - self.next).json(&mut text);
            }
            // A record that comes after all has been reported as lost.
            if r.seq >= self.next {
                r.event().json(&mut text);
                self.next = r.seq + 1;
            }
            done += 1;
            if text.len() > CHUNK {
                self.put(&mut text);
            }
        }
        self.stuck = if done == 0 && !waiting.is_empty() {
            self.stuck + 1
        } else {
            0
        };
        waiting.drain(..done);
        self.waiting = waiting;
        if lost > 0 {
            self.stuck = PATIENCE + 1; // those will never come
        }
        self.put(&mut text);
    }

    /// Says that the next `n` records are missing.
    fn lost(&mut self, n: u64) -> Event {
        self.lost += n;
        self.line(What::Lost { n: n as u32 })
    }

    /// A line of the log's own.
    fn line(&self, what: What) -> Event {
        Event {
            seq: self.next,
            ns: nanotime(),
            m: -1,
            p: -1,
            g: Goid(0),
            what,
        }
    }

    /// Writes `text` and empties it. After an error there is no log any more.
    fn put(&mut self, text: &mut Vec<u8>) {
        if !self.is_broken
            && let Err(e) = self.file.write_all(text)
        {
            self.is_broken = true;
            FAILED.store(true, Ordering::Relaxed);
            OPEN.store(false, Ordering::Relaxed);
            super::listen(false);
            crate::panic::print(format_args!("gosched: the scheduler's log: {e}\n"));
        }
        text.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(seq: u64) -> Record {
        let mut r = Record::default();
        r.seq = seq;
        r
    }

    #[test]
    fn a_missing_record_is_waited_for_and_then_told_as_lost() {
        let path = std::env::temp_dir().join(format!("sched-log-{}", std::process::id()));
        let mut log = Log {
            file: File::create(&path).unwrap(),
            waiting: vec![record(4), record(0), record(1)],
            next: 0,
            stuck: 0,
            lost: 0,
            is_broken: false,
        };
        let lines = || {
            let text = std::fs::read_to_string(&path).unwrap();
            let line = |l: &str| l.replace(",\"ns\":", " ").replace(['{', '}', '"'], "");
            text.lines().map(line).collect::<Vec<_>>()
        };
        log.round(false);
        assert_eq!((lines().len(), log.next, log.waiting.len()), (2, 2, 1));
        log.round(true);
        let all = lines();
        assert_eq!(all.len(), 4, "{all:?}");
        assert!(all[2].starts_with("seq:2 ") && all[2].ends_with("ev:lost,n:2"));
        assert!(all[3].starts_with("seq:4 "), "{all:?}");
        // Too late: the record has been reported as lost.
        log.waiting.push(record(3));
        log.round(false);
        assert_eq!((lines().len(), log.next, log.waiting.len()), (4, 5, 0));
        log.next = ring::numbered().max(5);
        log.finish();
        let last = lines().pop().unwrap();
        assert!(
            last.ends_with(&format!("ev:log-end,records:{},lost:2", log.next)),
            "{last}"
        );
        drop(std::fs::remove_file(&path));
    }

    #[test]
    fn texts_of_the_first_line_are_json() {
        assert_eq!(
            quoted(b"a\"b\\c\n\x1b\xff"),
            "\"a\\\"b\\\\c\\u000a\\u001b\u{fffd}\""
        );
    }
}
