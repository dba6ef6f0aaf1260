//! The event stream as a file of JSON lines.
//!
//! The first line names the schema; each other is one event, in the order of `seq`. A thread of its
//! own empties the rings and writes; the end of the process writes what is left. Only an error of
//! the file ends the log before that, with a line on standard error.

use std::fs::File;
use std::io::Write;
use std::time::Duration;

use super::event::{Event, What};
use super::ring::{self, Record};
use crate::clock::nanotime;
use crate::g::Goid;
use crate::lockrank::Rank;
use crate::signal;
use crate::sync::Guarded;
use crate::sync::plain::{AtomicBool, Ordering};

/// The version of the lines' form. It changes when a member is renamed, dropped, or means something else.
pub const VERSION: u32 = 1;

/// How often the writer looks.
const PERIOD: Duration = Duration::from_millis(20);
/// Rounds that a missing record is waited for.
const PATIENCE: u32 = 50;

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
}

static LOG: Guarded<Option<Log>> = Guarded::new(Rank::World, None);
/// Whether there is a log to finish.
static OPEN: AtomicBool = AtomicBool::new(false);

/// Begins to record, and to write to `file`. Before the runtime starts, and once.
pub fn log_to(mut file: File) -> std::io::Result<()> {
    let head = format!(
        "{{\"schema\":\"gosched-sched-log\",\"version\":{VERSION},\"pid\":{},\"ns\":{}}}\n",
        std::process::id(),
        nanotime()
    );
    file.write_all(head.as_bytes())?;
    *LOG.lock() = Some(Log {
        file,
        waiting: Vec::new(),
        next: 0,
        stuck: 0,
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

fn write_on() {
    while OPEN.load(Ordering::Relaxed) {
        std::thread::sleep(PERIOD);
        if let Some(log) = LOG.lock().as_mut() {
            log.round(false);
        }
    }
}

/// Writes what is left. Called at the end of the process, from wherever that comes.
pub(crate) fn finish() {
    if !OPEN.swap(false, Ordering::Relaxed) {
        return;
    }
    super::listen(false);
    // Who dies while it writes, or records, cannot wait for itself.
    if let Some(mut log) = LOG.try_guard_for(1000) {
        if let Some(log) = log.as_mut() {
            log.round(true);
        }
    }
}

impl Log {
    /// Writes what is in order; with `all`, whatever there is.
    fn round(&mut self, all: bool) {
        let Some((new, lost)) = ring::drain() else {
            return;
        };
        self.waiting.extend(new);
        self.waiting.sort_unstable_by_key(|r| r.seq);
        let mut text = Vec::with_capacity(CHUNK + 512);
        let mut done = 0;
        let hurry = all || self.stuck > PATIENCE;
        let waiting = std::mem::take(&mut self.waiting);
        for r in &waiting {
            if r.seq != self.next && !hurry {
                break;
            }
            self.next = r.seq + 1;
            done += 1;
            r.event().json(&mut text);
            if text.len() > CHUNK {
                self.put(&mut text);
            }
        }
        self.stuck = if done == 0 && !waiting.is_empty() {
            self.stuck + 1
        } else {
            0
        };
        self.waiting.extend(&waiting[done..]);
        if lost > 0 {
            let e = Event {
                seq: self.next,
                ns: nanotime(),
                m: -1,
                p: -1,
                g: Goid(0),
                what: What::Lost { n: lost },
            };
            e.json(&mut text);
            self.stuck = PATIENCE; // those will never come
        }
        self.put(&mut text);
    }

    /// Writes `text` and empties it. After an error there is no log any more.
    fn put(&mut self, text: &mut Vec<u8>) {
        if let Err(e) = self.file.write_all(text) {
            if OPEN.swap(false, Ordering::Relaxed) {
                crate::panic::print(format_args!("gosched: the scheduler's log: {e}\n"));
            }
            super::listen(false);
        }
        text.clear();
    }
}
