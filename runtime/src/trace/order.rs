//! Records in the order of their numbers.
//!
//! A record has its number a moment before it is in a stream. So the one that is next is waited
//! for; one that does not come is told as lost.

use ::trace::file::{Part, Streams};
use ::trace::wire::Event;

use super::event;

/// Rounds that a missing record is waited for.
const PATIENCE: u32 = 50;

/// Puts records in the order of their numbers.
pub(super) struct Order {
    pub(super) streams: Streams,
    /// Records that came before one with a lower number, and all their values.
    pub(super) waiting: Vec<Event>,
    pub(super) values: Vec<u64>,
    /// The number of the next record.
    pub(super) next: u64,
    /// Rounds in which nothing could be told for want of that one.
    pub(super) stuck: u32,
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
        }
    }
}

impl Order {
    /// Gives what can be told in order, or with `hurry` all.
    pub(super) fn round(
        &mut self,
        parts: &[Part],
        hurry: bool,
        has_lost: bool,
        mut tell: impl FnMut(Next<'_>),
    ) {
        for part in parts {
            // A part of a block of which one has been lost is lost, too.
            let before = self.waiting.len();
            let read = self.streams.read(part, &mut self.waiting, &mut self.values);
            if read.is_err() {
                self.waiting.truncate(before);
            }
        }
        // A stable sort makes use of what is in order already: each stream is.
        self.waiting.sort_by_key(|e| e.seq);
        let hurry = hurry || self.stuck > PATIENCE;
        let mut done = 0;
        let waiting = std::mem::take(&mut self.waiting);
        for e in &waiting {
            if e.seq > self.next {
                if !hurry {
                    break;
                }
                tell(Next::Lost(self.next, e.seq - self.next));
            }
            // A record that comes after all has been reported as lost.
            if e.seq >= self.next {
                tell(Next::Event(e, &self.values[e.at..]));
                self.next = e.seq + 1;
            }
            done += 1;
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
