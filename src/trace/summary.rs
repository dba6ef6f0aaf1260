//! What each goroutine spent its time with.

use std::collections::BTreeMap;

use crate::calls::Calls;
use crate::read::Trace;
use crate::seen::Seen;

/// Events without which what goroutines did cannot be told.
pub const NEEDED: &[&str] = &[
    "create",
    "start",
    "park",
    "ready",
    "yield",
    "end",
    "syscall",
    "syscall-end",
    "syscall-blocked",
    "world-stop",
    "world-start",
    "gc-begin",
    "gc-end",
];

/// How often, and how long.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Spent {
    /// How often.
    pub n: u64,
    /// Nanoseconds, together.
    pub ns: i64,
}

impl Spent {
    fn add(&mut self, ns: i64) {
        self.n += 1;
        self.ns += ns;
    }
}

/// A wait for a turn.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Turn {
    /// How long it was.
    pub ns: i64,
    /// The number of the event that ended it, a start.
    pub seq: u64,
    /// Where the goroutine came from then.
    pub why: String,
}

/// What a goroutine does.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
enum Doing {
    #[default]
    Nothing,
    Runs,
    Runnable,
    /// For this reason, and on this object, 0 if none.
    Waits(String, u64),
    /// Called by the kernel so, a number of a text.
    Calls(u64),
}

/// What a goroutine has done.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Goroutine {
    /// Its function, a number of a text.
    pub func: u64,
    /// Where the `go` statement is, a number of a stack.
    pub made: u64,
    /// The runtime's own.
    pub is_system: bool,
    /// It has ended.
    pub has_ended: bool,
    /// It ran.
    pub ran: Spent,
    /// It could run, and others did.
    pub runnable: Spent,
    /// It was in system calls.
    pub calls: Spent,
    /// The same by the name of the kernel's call, a number of a text; 0 where it is not known.
    pub calls_of: BTreeMap<u64, Spent>,
    /// It waited, by reason.
    pub waited: BTreeMap<String, Spent>,
    /// It waited, by object; in a select by the first.
    pub waited_on: BTreeMap<u64, Spent>,
    /// How often it began to run, by where it came from: `syscall` is also who comes back from a
    /// system call that has lost its P.
    pub starts: BTreeMap<String, u64>,
    /// How often it was stopped for its slice was over.
    pub preempted: u64,
    /// Its longest wait for a turn.
    pub longest: Turn,
    doing: Doing,
    since: i64,
}

impl Goroutine {
    /// It does something else from now on.
    fn turns(&mut self, to: Doing, ns: i64) {
        let spent = ns.saturating_sub(self.since);
        match std::mem::replace(&mut self.doing, to) {
            Doing::Nothing => {}
            Doing::Runs => self.ran.add(spent),
            Doing::Runnable => self.runnable.add(spent),
            Doing::Calls(kernel) => {
                self.calls.add(spent);
                self.calls_of.entry(kernel).or_default().add(spent);
            }
            Doing::Waits(reason, on) => {
                self.waited.entry(reason).or_default().add(spent);
                if on != 0 {
                    self.waited_on.entry(on).or_default().add(spent);
                }
            }
        }
        self.since = ns;
    }
}

/// What all goroutines have done.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// By number.
    pub goroutines: BTreeMap<u64, Goroutine>,
    /// From the first event to the last.
    pub ns: i64,
    /// Collections, from their beginning until all that is alive was found.
    pub collections: Spent,
    /// Stops of the world.
    pub stops: Spent,
    /// What was waited on, by number.
    pub objects: BTreeMap<u64, Object>,
}

/// What can be waited for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Object {
    /// Its kind.
    pub kind: String,
    /// The type of a channel's elements, a number of a text.
    pub elem: u64,
}

impl Summary {
    /// Of a trace, as far as it is sound.
    pub fn new(trace: &Trace) -> Summary {
        let mut all = Summary::default();
        let events = &trace.events[..trace.sound];
        let (Some(first), Some(last)) = (events.first(), events.last()) else {
            return all;
        };
        for e in &trace.before {
            let seen = Seen::new(&trace.schema, e, trace.ops(e));
            match seen.name {
                "create" => {
                    all.event(&seen, false);
                    // What it did until then is not known.
                    let g = all.goroutines.entry(e.g).or_default();
                    g.doing = Doing::Nothing;
                }
                "object" => all.object(&seen),
                _ => {}
            }
        }
        all.ns = last.ns.saturating_sub(first.ns);
        let (mut collects, mut stops) = (None, None);
        let mut calls = Calls::default();
        for e in events {
            let seen = Seen::new(&trace.schema, e, trace.ops(e));
            let has_kept = calls.event(&seen);
            match seen.name {
                "gc-begin" => collects = Some(e.ns),
                "gc-end" => {
                    let began = collects.take();
                    began
                        .into_iter()
                        .for_each(|t| all.collections.add(e.ns - t));
                }
                "world-stop" => stops = Some(e.ns),
                "world-start" => {
                    let began = stops.take();
                    began.into_iter().for_each(|t| all.stops.add(e.ns - t));
                }
                "object" => all.object(&seen),
                _ if e.g != 0 => all.event(&seen, has_kept),
                _ => {}
            }
        }
        for g in all.goroutines.values_mut() {
            g.turns(Doing::Nothing, last.ns);
        }
        all
    }

    fn object(&mut self, seen: &Seen<'_>) {
        let object = Object {
            kind: seen.word("kind").into(),
            elem: seen.op("elem"),
        };
        self.objects.insert(seen.op("id"), object);
    }

    fn event(&mut self, seen: &Seen<'_>, has_kept: bool) {
        let e = seen.e;
        let word = |operand: &str| seen.word(operand).to_string();
        let op = |operand: &str| seen.op(operand);
        let g = self.goroutines.entry(e.g).or_default();
        match seen.name {
            "create" => {
                (g.func, g.made, g.is_system) = (op("func"), op("stack"), op("system") != 0);
                g.turns(Doing::Runnable, e.ns);
            }
            "start" => {
                let waited = match g.doing {
                    Doing::Runnable => e.ns.saturating_sub(g.since),
                    _ => 0,
                };
                let why = word("why");
                if waited > g.longest.ns {
                    g.longest = Turn {
                        ns: waited,
                        seq: e.seq,
                        why: why.clone(),
                    };
                }
                *g.starts.entry(why).or_default() += 1;
                g.turns(Doing::Runs, e.ns);
            }
            "park" => g.turns(Doing::Waits(word("reason"), op("on")), e.ns),
            "ready" | "syscall-blocked" => g.turns(Doing::Runnable, e.ns),
            "yield" => {
                g.preempted += u64::from(word("how") == "preempt");
                g.turns(Doing::Runnable, e.ns);
            }
            "syscall" => g.turns(Doing::Calls(op("kernel")), e.ns),
            "syscall-end" => {
                if !has_kept {
                    *g.starts.entry("syscall".into()).or_default() += 1;
                }
                g.turns(Doing::Runs, e.ns);
            }
            "end" => {
                g.turns(Doing::Nothing, e.ns);
                g.has_ended = true;
            }
            _ => {}
        }
    }
}
