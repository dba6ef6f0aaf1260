//! The event stream as a file of JSON lines.
//!
//! The first line names the schema; each other is one event, in the order of `seq`. A thread of its
//! own empties the rings and writes; the end of the process writes what is left. Only an error of
//! the file ends the log before that, with a line on standard error.
//!
//! A record has its number a moment before it is in a ring. So who writes waits for the one that is
//! next; one that does not come is told as lost.

use std::fs::File;
use std::io::Write;
use std::time::Duration;

use super::event::{Event, What};
use super::ring::{self, Record};
use crate::clock::nanotime;
use crate::g::Goid;
use crate::lockrank::Rank;
use crate::signal;
use crate::sync::plain::{AtomicBool, Ordering};
use crate::sync::{Guarded, usleep};

/// The version of the lines' form. It changes when a member is renamed, dropped, or means something else.
pub const VERSION: u32 = 1;

/// How often the writer looks.
const PERIOD: Duration = Duration::from_millis(20);
/// Rounds that a missing record is waited for.
const PATIENCE: u32 = 50;
/// Milliseconds that it is waited for when the process ends.
const LAST_PATIENCE_MS: u32 = 1000;

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
    /// The file has failed: nothing is written any more.
    is_broken: bool,
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

fn write_on() {
    while OPEN.load(Ordering::Relaxed) {
        std::thread::sleep(PERIOD);
        if let Some(log) = LOG.lock().as_mut() {
            log.round(log.stuck > PATIENCE);
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
            for _ in 0..LAST_PATIENCE_MS {
                log.round(false);
                if log.next == ring::numbered() {
                    return;
                }
                usleep(1000);
            }
            log.round(true);
        }
    }
}

impl Log {
    /// Writes what is in order; in a `hurry`, whatever there is.
    fn round(&mut self, hurry: bool) {
        let Some((new, lost)) = ring::drain() else {
            return;
        };
        self.waiting.extend(new);
        self.waiting.sort_unstable_by_key(|r| r.seq);
        let mut text = Vec::with_capacity(CHUNK + 512);
        let mut done = 0;
        let waiting = std::mem::take(&mut self.waiting);
        for r in &waiting {
            if r.seq > self.next {
                if !hurry {
                    break;
                }
                self.lost(r.seq - self.next).json(&mut text);
            }
            // One that comes late after all has been told as lost.
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
        self.waiting.extend(&waiting[done..]);
        if lost > 0 {
            self.stuck = PATIENCE + 1; // those will never come
        }
        self.put(&mut text);
    }

    /// Says that the next `n` records are missing.
    fn lost(&self, n: u64) -> Event {
        Event {
            seq: self.next,
            ns: nanotime(),
            m: -1,
            p: -1,
            g: Goid(0),
            what: What::Lost { n: n as u32 },
        }
    }

    /// Writes `text` and empties it. After an error there is no log any more.
    fn put(&mut self, text: &mut Vec<u8>) {
        if !self.is_broken
            && let Err(e) = self.file.write_all(text)
        {
            self.is_broken = true;
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
        // Too late: it stands as lost already.
        log.waiting.push(record(3));
        log.round(false);
        assert_eq!((lines().len(), log.next, log.waiting.len()), (4, 5, 0));
        drop(std::fs::remove_file(&path));
    }
}
