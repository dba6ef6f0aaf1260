//! A trace in the form that Perfetto and Chrome's viewer open: trace events as JSON.
//!
//! Three groups of lanes ("processes" there): the Ps, with a slice for each turn; the goroutines,
//! with a slice for each state; the runtime, with collections and stops of the world. An arrow goes
//! from whom a goroutine was woken or made by to its next turn. Times are microseconds since the
//! first event, to the nanosecond.
//!
//! The form: the document "Trace Event Format" of the Chromium project. Slices of a lane do not
//! overlap, so they nest; each arrow has one beginning and one end, both within a slice.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};

use crate::json::push_quoted;
use crate::read::Trace;
use crate::seen::Seen;

/// The groups of lanes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Group {
    Ps = 1,
    Goroutines = 2,
    Runtime = 3,
}

/// Lanes of the runtime.
const COLLECTIONS: i64 = 1;
const STOPS: i64 = 2;

/// A slice that has not ended.
#[derive(Clone, Debug)]
struct Open {
    name: String,
    from: i64,
    /// The members of its `args`.
    args: String,
    /// Whose turn it is, if it is one.
    g: u64,
    is_call: bool,
}

/// Writes a trace, as far as it is sound.
pub fn write(trace: &Trace, out: &mut dyn Write) -> io::Result<()> {
    let events = &trace.events[..trace.sound];
    let mut to = Writer {
        out,
        trace,
        first: events.first().map_or(0, |e| e.ns),
        text: Vec::new(),
        is_first: true,
        lanes: BTreeMap::new(),
        names: HashMap::new(),
        arrows: HashMap::new(),
        lengths: HashMap::new(),
    };
    to.out
        .write_all(b"{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n")?;
    for (group, name) in [
        (Group::Ps, "Ps"),
        (Group::Goroutines, "goroutines"),
        (Group::Runtime, "runtime"),
    ] {
        to.meta("process_name", group, 0, &format!("\"name\":\"{name}\""))?;
        let order = format!("\"sort_index\":{}", group as u32);
        to.meta("process_sort_index", group, 0, &order)?;
    }
    to.lane(Group::Runtime, COLLECTIONS, "collections")?;
    to.lane(Group::Runtime, STOPS, "stops of the world")?;
    for e in events {
        let seen = Seen::new(&trace.schema, e, trace.ops(e));
        to.event(&seen)?;
    }
    let end = events.last().map_or(0, |e| e.ns.saturating_sub(to.first));
    let open: Vec<(u32, i64)> = to.lanes.keys().copied().collect();
    for (group, lane) in open {
        to.close(group, lane, end, "")?;
    }
    to.out.write_all(b"\n]}\n")
}

/// What a lane shows.
#[derive(Clone, Debug, Default)]
struct Lane {
    open: Option<Open>,
    /// When its last slice ended: none begins before.
    end: i64,
}

/// Where an arrow begins.
#[derive(Clone, Debug)]
struct Arrow {
    id: u64,
    name: String,
    p: i64,
    ns: i64,
}

struct Writer<'a> {
    out: &'a mut dyn Write,
    trace: &'a Trace,
    first: i64,
    text: Vec<u8>,
    is_first: bool,
    /// By group and lane.
    lanes: BTreeMap<(u32, i64), Lane>,
    /// Functions of goroutines.
    names: HashMap<u64, u64>,
    /// By goroutine: the arrow that ends where its next turn begins.
    arrows: HashMap<u64, Arrow>,
    /// Lengths of queues as they were told last; −1 is the global queue.
    lengths: HashMap<i64, u64>,
}

impl Writer<'_> {
    /// Begins an event.
    fn begin(&mut self, phase: char, name: &str, group: Group, lane: i64, ns: i64) {
        self.text.clear();
        let comma: &[u8] = if self.is_first { b"" } else { b",\n" };
        self.is_first = false;
        self.text.extend_from_slice(comma);
        self.text.extend_from_slice(b"{\"name\":");
        push_quoted(name.as_bytes(), &mut self.text);
        let rest = format!(
            ",\"ph\":\"{phase}\",\"pid\":{},\"tid\":{lane},\"ts\":{}",
            group as u32,
            micros(ns)
        );
        self.text.extend_from_slice(rest.as_bytes());
    }

    /// Ends an event with these members.
    fn end(&mut self, members: &str) -> io::Result<()> {
        self.text.extend_from_slice(members.as_bytes());
        self.text.push(b'}');
        self.out.write_all(&self.text)
    }

    fn meta(&mut self, name: &str, group: Group, lane: i64, args: &str) -> io::Result<()> {
        self.begin('M', name, group, lane, 0);
        self.end(&format!(",\"args\":{{{args}}}"))
    }

    /// Names a lane that is new.
    fn lane(&mut self, group: Group, lane: i64, name: &str) -> io::Result<()> {
        let key = (group as u32, lane);
        if self.lanes.contains_key(&key) {
            return Ok(());
        }
        self.lanes.insert(key, Lane::default());
        let mut args = b"\"name\":".to_vec();
        push_quoted(name.as_bytes(), &mut args);
        self.meta("thread_name", group, lane, &String::from_utf8_lossy(&args))?;
        let order = format!("\"sort_index\":{lane}");
        self.meta("thread_sort_index", group, lane, &order)
    }

    /// A slice begins; one that has not ended does.
    fn open(&mut self, group: Group, lane: i64, open: Open) -> io::Result<()> {
        self.close(group as u32, lane, open.from, "")?;
        let lane = self.lanes.entry((group as u32, lane)).or_default();
        let from = open.from.max(lane.end);
        lane.open = Some(Open { from, ..open });
        Ok(())
    }

    /// The slice of a lane ends, with more members of its `args`.
    fn close(&mut self, group: u32, lane: i64, at: i64, args: &str) -> io::Result<()> {
        let Some(own) = self.lanes.get_mut(&(group, lane)) else {
            return Ok(());
        };
        let Some(open) = own.open.take() else {
            return Ok(());
        };
        let to = at.max(open.from);
        own.end = to;
        let group = match group {
            1 => Group::Ps,
            2 => Group::Goroutines,
            _ => Group::Runtime,
        };
        self.begin('X', &open.name, group, lane, open.from);
        let comma = if open.args.is_empty() || args.is_empty() {
            ""
        } else {
            ","
        };
        self.end(&format!(
            ",\"dur\":{},\"args\":{{{}{comma}{args}}}",
            micros(to - open.from),
            open.args
        ))
    }

    /// A mark on a lane.
    fn mark(&mut self, name: &str, lane: i64, ns: i64, args: &str) -> io::Result<()> {
        self.begin('i', name, Group::Ps, lane, ns);
        self.end(&format!(",\"s\":\"t\",\"args\":{{{args}}}"))
    }

    /// The length of a queue.
    fn length(&mut self, p: i64, n: u64, ns: i64) -> io::Result<()> {
        if self.lengths.insert(p, n) == Some(n) {
            return Ok(());
        }
        let name = match p {
            -1 => "global queue".into(),
            p => format!("ring of P{p}"),
        };
        self.begin('C', &name, Group::Ps, 0, ns);
        self.end(&format!(",\"args\":{{\"goroutines\":{n}}}"))
    }

    fn name(&self, g: u64) -> String {
        let func = self
            .names
            .get(&g)
            .map_or("", |f| self.trace.tables.text(*f));
        match func {
            "" => format!("g{g}"),
            func => format!("g{g} {func}"),
        }
    }

    /// The innermost frame of a stack, as a member of `args`.
    fn place(&self, seen: &Seen<'_>) -> String {
        let frames = self.trace.tables.stack(seen.op("stack"));
        let Some(frame) = frames.first() else {
            return String::new();
        };
        let (function, file) = (
            self.trace.tables.text(frame.function),
            self.trace.tables.text(frame.file),
        );
        let mut out = b"\"at\":".to_vec();
        push_quoted(
            format!("{function} {file}:{}", frame.line).as_bytes(),
            &mut out,
        );
        String::from_utf8_lossy(&out).into_owned()
    }

    /// A goroutine does something else from now on.
    fn state(&mut self, g: u64, name: String, ns: i64, args: String) -> io::Result<()> {
        let own = self.name(g);
        self.lane(Group::Goroutines, g as i64, &own)?;
        let open = Open {
            name,
            from: ns,
            args,
            g,
            is_call: false,
        };
        self.open(Group::Goroutines, g as i64, open)
    }

    /// An arrow begins where the goroutine `by` runs, if it does. It is written when it ends.
    fn arrow(&mut self, by: u64, seen: &Seen<'_>, ns: i64, what: &str) {
        let lane = self.lanes.get(&(Group::Ps as u32, seen.e.p));
        let runs = lane.and_then(|l| l.open.as_ref());
        let runs = runs.filter(|o| o.g == by && !o.is_call);
        let Some(open) = runs else {
            self.arrows.remove(&seen.e.g);
            return;
        };
        let arrow = Arrow {
            id: seen.e.seq,
            name: what.into(),
            p: seen.e.p,
            ns: ns.max(open.from),
        };
        self.arrows.insert(seen.e.g, arrow);
    }

    /// The arrow to this goroutine ends, where its turn begins.
    fn lands(&mut self, g: u64, p: i64, ns: i64) -> io::Result<()> {
        let Some(arrow) = self.arrows.remove(&g) else {
            return Ok(());
        };
        self.begin('s', &arrow.name, Group::Ps, arrow.p, arrow.ns);
        self.end(&format!(",\"cat\":\"wake\",\"id\":{}", arrow.id))?;
        let lane = self.lanes.get(&(Group::Ps as u32, p));
        let from = lane.and_then(|l| l.open.as_ref()).map_or(ns, |o| o.from);
        self.begin('f', &arrow.name, Group::Ps, p, from);
        self.end(&format!(
            ",\"cat\":\"wake\",\"id\":{},\"bp\":\"e\"",
            arrow.id
        ))
    }

    /// A goroutine has a P from now on.
    fn turn(&mut self, seen: &Seen<'_>, ns: i64, args: String) -> io::Result<()> {
        let (g, p) = (seen.e.g, seen.e.p);
        self.lane(Group::Ps, p, &format!("P{p}"))?;
        let open = Open {
            name: self.name(g),
            from: ns,
            args,
            g,
            is_call: false,
        };
        self.open(Group::Ps, p, open)?;
        self.state(g, format!("running on P{p}"), ns, String::new())
    }

    /// It has none any more.
    fn leaves(&mut self, g: u64, ns: i64, args: &str) -> io::Result<Option<i64>> {
        let ps = self
            .lanes
            .range((Group::Ps as u32, i64::MIN)..(Group::Goroutines as u32, i64::MIN));
        let is_its = |l: &Lane| l.open.as_ref().is_some_and(|o| o.g == g);
        let own = ps.filter(|(_, l)| is_its(l)).map(|(k, _)| *k).next();
        let Some((group, p)) = own else {
            return Ok(None);
        };
        self.close(group, p, ns, args)?;
        Ok(Some(p))
    }

    fn event(&mut self, seen: &Seen<'_>) -> io::Result<()> {
        let (g, p, seq) = (seen.e.g, seen.e.p, seen.e.seq);
        let ns = seen.e.ns.saturating_sub(self.first);
        match seen.name {
            "create" => {
                self.names.insert(g, seen.op("func"));
                self.arrow(seen.op("by"), seen, ns, "go");
                let place = self.place(seen);
                self.state(g, "runnable".into(), ns, place)
            }
            "ready" => {
                let what = seen.word("op");
                self.arrow(seen.op("goid"), seen, ns, what);
                self.state(g, "runnable".into(), ns, String::new())
            }
            "queued" => {
                let (to, at) = (seen.word("to"), seen.at());
                let on = match to {
                    "runnext" | "ring" => format!("runnable: {to} of P{p}"),
                    to => format!("runnable: {to}"),
                };
                self.state(g, on, ns, format!("\"event\":{seq},\"place\":{at}"))
            }
            "start" if p >= 0 => {
                let mut args = format!("\"event\":{seq},\"why\":\"{}\"", seen.word("why"));
                for name in ["inherit", "asked", "used_us", "local", "global"] {
                    args += &format!(",\"{name}\":{}", seen.op(name));
                }
                self.length(p, seen.op("local"), ns)?;
                self.length(-1, seen.op("global"), ns)?;
                self.turn(seen, ns, args)?;
                self.lands(g, p, ns)
            }
            "syscall-end" if p >= 0 => {
                self.leaves(g, ns, "")?;
                self.turn(seen, ns, format!("\"event\":{seq},\"why\":\"syscall\""))
            }
            "park" => {
                let reason = seen.word("reason");
                let place = self.place(seen);
                self.leaves(g, ns, &format!("\"ends\":\"{reason}\""))?;
                let on = seen.op("on");
                let comma = if place.is_empty() { "" } else { "," };
                self.state(
                    g,
                    reason.into(),
                    ns,
                    format!("\"event\":{seq},\"on\":{on}{comma}{place}"),
                )
            }
            "yield" => {
                let place = self.place(seen);
                let how = seen.word("how");
                self.leaves(g, ns, &format!("\"ends\":\"{how}\""))?;
                self.state(g, "runnable".into(), ns, place)
            }
            "end" => {
                self.leaves(g, ns, "\"ends\":\"end\"")?;
                self.close(Group::Goroutines as u32, g as i64, ns, "")
            }
            "syscall" => {
                let place = self.place(seen);
                let call = match self.trace.tables.text(seen.op("kernel")) {
                    "" => "system call".to_string(),
                    kernel => format!("system call: {kernel}"),
                };
                let own = self.leaves(g, ns, "\"ends\":\"syscall\"")?;
                if let Some(p) = own.filter(|_| seen.op("blocking") == 0) {
                    let open = Open {
                        name: format!("{}: {call}", self.name(g)),
                        from: ns,
                        args: place.clone(),
                        g,
                        is_call: true,
                    };
                    self.open(Group::Ps, p, open)?;
                }
                self.state(g, call, ns, place)
            }
            "syscall-blocked" => {
                self.leaves(g, ns, "")?;
                self.state(g, "runnable".into(), ns, String::new())
            }
            "retaken" => {
                let lane = self.lanes.get(&(Group::Ps as u32, p));
                if lane
                    .and_then(|l| l.open.as_ref())
                    .is_some_and(|o| o.is_call)
                {
                    self.close(Group::Ps as u32, p, ns, "")?;
                }
                let args = format!("\"event\":{seq},\"why\":\"{}\"", seen.word("why"));
                self.mark("retaken", p, ns, &args)
            }
            "asked" => {
                let args = format!("\"event\":{seq},\"ran_us\":{}", seen.op("ran_us"));
                self.mark("asked to stop", p, ns, &args)
            }
            "choice" if p >= 0 && seen.op("switch") != 0 => {
                let what = seen.word("what");
                let (n, usual) = (seen.op("n"), seen.op("usual"));
                let args = format!(
                    "\"event\":{seq},\"decision\":{n},\"what\":\"{what}\",\"g\":{g},\
                     \"usual\":{usual}"
                );
                self.mark("switch of the schedule", p, ns, &args)
            }
            "preempted" if p >= 0 => {
                let args = format!("\"event\":{seq},\"way\":\"{}\"", seen.word("way"));
                self.mark("preempted", p, ns, &args)
            }
            "overflow" if p >= 0 => {
                let args = format!("\"event\":{seq},\"n\":{}", seen.op("n"));
                self.mark("overflow", p, ns, &args)
            }
            "gc-begin" | "world-stop" => {
                let (lane, name) = match seen.name {
                    "gc-begin" => (COLLECTIONS, "collection".to_string()),
                    _ => (STOPS, format!("stopped: {}", seen.word("why"))),
                };
                let open = Open {
                    name,
                    from: ns,
                    args: format!("\"event\":{seq}"),
                    g: 0,
                    is_call: false,
                };
                self.open(Group::Runtime, lane, open)
            }
            "gc-end" => {
                let live = format!("\"live\":{}", seen.op("live"));
                self.close(Group::Runtime as u32, COLLECTIONS, ns, &live)
            }
            "world-start" => self.close(Group::Runtime as u32, STOPS, ns, ""),
            _ => Ok(()),
        }
    }
}

/// Microseconds as a number of JSON, to the nanosecond.
fn micros(ns: i64) -> String {
    let sign = if ns < 0 { "-" } else { "" };
    let ns = ns.unsigned_abs();
    format!("{sign}{}.{:03}", ns / 1000, ns % 1000)
}
