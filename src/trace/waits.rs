//! Who waits, where and since when, on what, and who holds that: kept up event by event.
//!
//! This is less than [`crate::queues`] rebuilds, and checks nothing; so it costs little, and a
//! program can be watched by it while it runs.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use crate::file::Tables;
use crate::object::described;
use crate::read::Trace;
use crate::schema::Schema;
use crate::wire::Event;

/// Objects that are remembered; of more the oldest are forgotten.
const OBJECTS: usize = 1 << 20;

/// What a goroutine does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Doing {
    /// It is not known: it began before the first event.
    #[default]
    Unknown,
    /// It runs.
    Runs,
    /// It could, and waits for its turn.
    CanRun,
    /// It is in a system call.
    Calls,
    /// It waits.
    Waits,
}

/// A goroutine.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Goroutine {
    /// Its function, a number of a text.
    pub func: u64,
    /// Where it stopped last, or was made; a number of a stack.
    pub stack: u64,
    /// The runtime's own.
    pub is_system: bool,
    /// What it does.
    pub doing: Doing,
    /// Since when.
    pub since: i64,
    /// What it waits for: see [`Waits::reason`].
    reason: u64,
    /// The function that has made the system call it was in last, a number of a text.
    pub call: u64,
    /// What the kernel calls that, a number of a text; 0 if it is not known.
    pub kernel: u64,
    /// What it waits on, and what it would do there.
    pub on: Vec<(u64, Dir)>,
}

/// What a goroutine would do with what it waits on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Dir {
    /// Nothing but wait.
    None,
    /// Send.
    Send,
    /// Receive.
    Receive,
}

/// What is waited for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Object {
    kind: u64,
    /// A channel's capacity.
    pub cap: u64,
    /// The type of its elements, a number of a text.
    elem: u64,
    /// Who holds it.
    pub holders: Vec<u64>,
}

/// What an event means here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Act {
    Create,
    Start,
    Park,
    Also,
    Ready,
    Yield,
    Call,
    Back,
    BackLate,
    End,
    Object,
    Lock,
    Unlock,
}

const ACTS: &[(&str, Act)] = &[
    ("create", Act::Create),
    ("start", Act::Start),
    ("park", Act::Park),
    ("park-also", Act::Also),
    ("ready", Act::Ready),
    ("yield", Act::Yield),
    ("syscall", Act::Call),
    ("syscall-end", Act::Back),
    ("syscall-blocked", Act::BackLate),
    ("end", Act::End),
    ("object", Act::Object),
    ("lock", Act::Lock),
    ("unlock", Act::Unlock),
];

/// Events without which it cannot be told who waits on what.
pub const NEEDED: &[&str] = &[
    "create",
    "start",
    "park",
    "park-also",
    "ready",
    "yield",
    "syscall",
    "syscall-end",
    "syscall-blocked",
    "end",
    "object",
    "lock",
    "unlock",
];

/// Who waits, on what.
#[derive(Clone, Debug)]
pub struct Waits {
    /// By kind, with the places of these operands: see [`Waits::op`].
    acts: Vec<Option<(Act, [usize; OPERANDS.len()])>>,
    reasons: Vec<String>,
    things: Vec<String>,
    /// Goroutines that have not ended.
    pub goroutines: HashMap<u64, Goroutine>,
    /// What has been named.
    pub objects: BTreeMap<u64, Object>,
    /// When the last event happened.
    pub now: i64,
}

/// Operands that are looked at.
const OPERANDS: [&str; 12] = [
    "func", "stack", "system", "reason", "on", "dir", "id", "kind", "cap", "call", "elem", "kernel",
];

impl Waits {
    /// At the beginning of a program, with events that this schema names.
    pub fn new(schema: &Schema) -> Waits {
        let known = |k: usize| {
            let name = &schema.kinds[k].name;
            let act = ACTS.iter().find(|a| a.0 == name)?.1;
            let slots = OPERANDS.map(|o| schema.slot(k as u8, o).unwrap_or(usize::MAX));
            Some((act, slots))
        };
        let list = |name: &str, operand: &str| -> Vec<String> {
            let kind = schema.kind(name).unwrap_or(u8::MAX);
            let word = |i: u64| schema.word(kind, schema.slot(kind, operand)?, i);
            (0..).map_while(word).map(str::to_string).collect()
        };
        Waits {
            acts: (0..schema.kinds.len()).map(known).collect(),
            reasons: list("park", "reason"),
            things: list("object", "kind"),
            goroutines: HashMap::new(),
            objects: BTreeMap::new(),
            now: 0,
        }
    }

    /// Behind the event of this number of a trace, or at its end.
    pub fn at(trace: &Trace, seq: u64) -> Waits {
        let mut waits = Waits::at_begin(trace);
        let events = trace.events[..trace.sound].iter();
        for e in events.take_while(|e| e.seq <= seq) {
            waits.event(e, trace.ops(e));
        }
        waits
    }

    /// Before the first event of a trace, which may begin in the middle.
    pub fn at_begin(trace: &Trace) -> Waits {
        let mut waits = Waits::new(&trace.schema);
        for e in &trace.before {
            waits.event(e, trace.ops(e));
        }
        // What they did since they were made is not known.
        for g in waits.goroutines.values_mut() {
            g.doing = Doing::Unknown;
        }
        waits
    }

    /// What this goroutine waits for, as a traceback says it.
    pub fn reason(&self, g: &Goroutine) -> &str {
        let reason = self.reasons.get(g.reason as usize);
        reason.map_or("", String::as_str)
    }

    /// What the object is; its type's text is in `tables`.
    pub fn kind(&self, object: &Object, tables: &Tables) -> Cow<'_, str> {
        let kind = self.things.get(object.kind as usize);
        let kind = kind.map_or("object", String::as_str);
        described(kind, tables.text(object.elem))
    }

    /// The next event, with its values.
    pub fn event(&mut self, e: &Event, ops: &[u64]) {
        self.now = self.now.max(e.ns);
        let Some(Some((act, slots))) = self.acts.get(usize::from(e.kind)).copied() else {
            return;
        };
        let op = |name: &str| {
            let slot = OPERANDS.iter().position(|o| *o == name);
            let slot = slot.map_or(usize::MAX, |i| slots[i]);
            ops.get(slot).copied().unwrap_or(0)
        };
        let dir = || match op("dir") {
            1 => Dir::Send,
            2 => Dir::Receive,
            _ => Dir::None,
        };
        match act {
            Act::Object => {
                let fresh = self.objects.entry(op("id")).or_default();
                (fresh.kind, fresh.cap, fresh.elem) = (op("kind"), op("cap"), op("elem"));
                if self.objects.len() > OBJECTS {
                    self.objects.pop_first();
                }
                return;
            }
            Act::End => return drop(self.goroutines.remove(&e.g)),
            Act::Lock => return self.objects.entry(op("on")).or_default().holders.push(e.g),
            Act::Unlock => {
                let holders = &mut self.objects.entry(op("on")).or_default().holders;
                // Whoever has taken a mutex, any goroutine may give it back.
                if !holders.is_empty() {
                    let own = holders.iter().position(|h| *h == e.g);
                    holders.remove(own.unwrap_or(0));
                }
                return;
            }
            _ if e.g == 0 => return,
            _ => {}
        }
        let g = self.goroutines.entry(e.g).or_default();
        if act == Act::Also {
            return g.on.push((op("on"), dir()));
        }
        g.since = e.ns;
        g.on.clear();
        g.doing = match act {
            Act::Start | Act::Back => Doing::Runs,
            Act::Call => Doing::Calls,
            Act::Park => Doing::Waits,
            _ => Doing::CanRun,
        };
        match act {
            Act::Create => {
                (g.func, g.stack, g.is_system) = (op("func"), op("stack"), op("system") != 0)
            }
            Act::Park => {
                (g.reason, g.stack) = (op("reason"), op("stack"));
                let on = op("on");
                g.on.extend((on != 0).then(|| (on, dir())));
            }
            Act::Yield => g.stack = op("stack"),
            Act::Call => {
                (g.call, g.kernel, g.stack) = (op("call"), op("kernel"), op("stack"));
            }
            _ => {}
        }
    }
}
