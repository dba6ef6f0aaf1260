//! Decisions of a steered run: by a seed, a search, or a recording, and not by the scheduler's
//! rules.
//!
//! Those that are not ordinary are its switches. A schedule that has been minimised is marked with
//! those that it cannot do without.

use crate::file::Value;
use crate::read::Trace;
use crate::seen::Seen;
use crate::wire::Event;

/// Why a turn came first that was chosen.
pub const CHOSEN: &str = "the schedule of the steered run chose them, and no rule did";

/// What is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Chosen {
    /// Which goroutine runs next: that of the choice.
    Run,
    /// Which ready case its `select` takes, or which timer fires first.
    Case(u64),
    /// That time passes, though goroutines can run.
    Time,
}

/// A decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The event's number.
    pub seq: u64,
    /// When, in nanoseconds since the first event.
    pub ns: i64,
    /// The decision's number, as in the recording.
    pub n: u64,
    /// What is chosen.
    pub what: Chosen,
    /// From how many goroutines or cases.
    pub of: u64,
    /// The goroutine, 0 if it is about none.
    pub g: u64,
    /// The goroutine that would run in the ordinary order.
    pub usual: u64,
    /// It is a switch.
    pub is_switch: bool,
}

impl Choice {
    /// The decision that an event of the trace tells of, if it is one.
    pub(crate) fn of(trace: &Trace, e: &Event) -> Option<Choice> {
        if trace.name(e) != "choice" {
            return None;
        }
        let seen = Seen::new(&trace.schema, e, trace.ops(e));
        let first = trace.events.first().map_or(0, |e| e.ns);
        Some(Choice {
            seq: e.seq,
            ns: e.ns.saturating_sub(first),
            n: seen.op("n"),
            what: match seen.word("what") {
                "run" => Chosen::Run,
                "case" => Chosen::Case(seen.op("case")),
                _ => Chosen::Time,
            },
            of: seen.op("of"),
            g: e.g,
            usual: seen.op("usual"),
            is_switch: seen.op("switch") != 0,
        })
    }
}

/// The decisions of a trace, as far as it is sound; none if the run was not steered.
pub fn choices(trace: &Trace) -> Vec<Choice> {
    let events = trace.events[..trace.sound].iter();
    events.filter_map(|e| Choice::of(trace, e)).collect()
}

/// Somebody else than the scheduler has taken its decisions.
pub fn is_steered(trace: &Trace) -> bool {
    trace.head.number("steered").unwrap_or(0) != 0
}

/// Time stood still in the run while a goroutine could run: it does not tell how long they ran.
pub fn is_time_virtual(trace: &Trace) -> bool {
    let clock = trace.head.get("clock");
    matches!(clock, Some(Value::Text(clock)) if clock == b"virtual")
}
