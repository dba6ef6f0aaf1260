//! Records in the order of their numbers.
//!
//! A record has its number a moment before it is in a stream. So the one that is next is waited
//! for; one that does not come is told as lost, unless the reader has patience for ever.

use ::trace::file::{Part, Streams};
use ::trace::schema::Schema;
use ::trace::wire::Event;

use super::event;

/// Rounds that a missing record is waited for.
const PATIENCE: u32 = 50;

/// Puts records in the order of their numbers.
pub(super) struct Order {
    streams: Streams,
    /// Records that came before one with a lower number, and all their values.
    pub(super) waiting: Vec<Event>,
    values: Vec<u64>,
    /// The number of the next record.
    pub(super) next: u64,
    /// Rounds in which nothing could be told for want of that one.
    stuck: u32,
    /// So many such rounds are no reason to go on without it.
    patience: u32,
}

/// What comes next, in order.
pub(super) enum Next<'a> {
    /// So many records are missing, from this number on.
    Lost(u64, u64),
    /// A record, with its values.
    Event(&'a Event, &'a [u64]),
}

impl Default for Order {
    fn default() -> Order {
        Order {
            streams: Streams::new(event::schema()),
            waiting: Vec::new(),
            values: Vec::new(),
            next: 0,
            stuck: 0,
            patience: PATIENCE,
        }
    }
}

impl Order {
    /// That of the records from this number on, none of which is ever given up.
    pub(super) fn all_from(next: u64) -> Order {
        Order {
            next,
            patience: u32::MAX,
            ..Order::default()
        }
    }

    /// What the records are written by.
    pub(super) fn schema(&self) -> &Schema {
        self.streams.schema()
    }

    /// Gives what can be told in order, or with `hurry` all. Parts that cannot be read, such as
    /// those of a block of which one was lost, are left out; the error is that of the first.
    pub(super) fn round(
        &mut self,
        parts: &[Part],
        hurry: bool,
        has_lost: bool,
        mut tell: impl FnMut(Next<'_>),
    ) -> ::trace::Result<()> {
        let mut done = Ok(());
        for part in parts {
            let before = self.waiting.len();
            let read = self.streams.read(part, &mut self.waiting, &mut self.values);
            if read.is_err() {
                self.waiting.truncate(before);
                done = done.and(read);
            }
        }
        self.tell(hurry, &mut tell);
        if has_lost {
            self.stuck = self.patience.saturating_add(1); // those will never come
        }
        done
    }

    fn tell(&mut self, hurry: bool, tell: &mut impl FnMut(Next<'_>)) {
        // A stable sort makes use of what is in order already: each stream is.
        self.waiting.sort_by_key(|e| e.seq);
        let hurry = hurry || self.stuck > self.patience;
        let mut done = 0;
        let waiting = std::mem::take(&mut self.waiting);
        for e in &waiting {
            if e.seq > self.next {
                if !hurry {
                    break;
                }
                tell(Next::Lost(self.next, e.seq - self.next));
            }
            // One that comes after all has been reported as lost, or was never asked for.
            if e.seq >= self.next {
                tell(Next::Event(e, &self.values[e.at..]));
                self.next = e.seq + 1;
            }
            done += 1;
        }
        self.stuck = if done == 0 && !waiting.is_empty() {
            self.stuck.saturating_add(1)
        } else {
            0
        };
        self.keep(&waiting[done..]);
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
}
