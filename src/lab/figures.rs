//! Figures that only a trace shows.

use std::collections::HashMap;
use trace::read::Trace;
use trace::wire::Event;

/// An event, with its operands by name.
struct View<'a> {
    trace: &'a Trace,
    e: &'a Event,
}

impl<'a> View<'a> {
    fn name(&self) -> &'a str {
        self.trace.name(self.e)
    }

    /// An operand's number, 0 if there is none of this name.
    fn number(&self, name: &str) -> u64 {
        let slot = self.trace.schema.slot(self.e.kind, name);
        slot.map_or(0, |i| self.trace.ops(self.e)[i])
    }

    fn word(&self, name: &str) -> &'a str {
        let slot = self.trace.schema.slot(self.e.kind, name);
        let word = slot.and_then(|i| {
            let ops = self.trace.ops(self.e);
            self.trace.schema.word(self.e.kind, i, ops[i])
        });
        word.unwrap_or("")
    }
}

fn events(trace: &Trace) -> impl Iterator<Item = View<'_>> {
    trace.events.iter().map(move |e| View { trace, e })
}

/// How often a thief took what was in the `runnext` of another P.
pub(super) fn runnext_stolen(trace: &Trace) -> Option<i64> {
    let stolen = events(trace).filter(|e| e.word("why") == "steal-runnext" && e.name() == "start");
    Some(stolen.count() as i64)
}

/// After how many ticks, at most, the main goroutine ran again that had gone to the global queue;
/// `None`: it never did.
pub(super) fn ticks_of_main(trace: &Trace) -> Option<i64> {
    let (mut most, mut yielded, mut tick) = (None, None, 0);
    for e in events(trace) {
        match (e.name(), e.e.g) {
            ("start", g) => {
                tick = e.number("tick") as i64;
                if let (1, Some(since)) = (g, yielded) {
                    most = most.max(Some(tick - since));
                    yielded = None;
                }
            }
            ("yield", 1) if e.word("how") == "gosched" => yielded = Some(tick),
            _ => {}
        }
    }
    most
}

/// The goroutines that main has made, in order, each with the P that it first ran on.
fn first_starts(trace: &Trace) -> Vec<i64> {
    let mut made = Vec::new();
    let mut on: HashMap<u64, i64> = HashMap::new();
    for e in events(trace) {
        match e.name() {
            "create" if e.number("by") == 1 && e.number("system") == 0 => made.push(e.e.g),
            "start" => {
                on.entry(e.e.g).or_insert(e.e.p);
            }
            _ => {}
        }
    }
    made.iter().filter_map(|g| on.get(g).copied()).collect()
}

/// How many percent of main's goroutines began on the P that began most of them.
pub(super) fn largest_share(trace: &Trace) -> Option<i64> {
    let ran = first_starts(trace);
    let mut n: HashMap<i64, i64> = HashMap::new();
    ran.iter().for_each(|p| *n.entry(*p).or_default() += 1);
    n.values().max().map(|most| most * 100 / ran.len() as i64)
}

/// How many pairs of main's goroutines, made one after the other, began on two Ps.
pub(super) fn apart(trace: &Trace) -> Option<i64> {
    let ran = first_starts(trace);
    Some(
        ran.chunks(2)
            .filter(|c| c.len() == 2 && c[0] != c[1])
            .count() as i64,
    )
}

/// How often a thread was not let search for work.
pub(super) fn refused(trace: &Trace) -> Option<i64> {
    Some(
        events(trace)
            .filter(|e| e.name() == "spin" && e.number("ok") == 0)
            .count() as i64,
    )
}

/// How many goroutines one P took from the global queue at most.
pub(super) fn largest_fetch(trace: &Trace) -> Option<i64> {
    let fetches = events(trace).filter(|e| e.name() == "fetched");
    fetches.map(|e| e.number("n") as i64).max()
}
