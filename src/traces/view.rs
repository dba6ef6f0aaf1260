//! Traces as a page: one HTML file that needs nothing else.
//!
//! In it are the events, and what each of them changes of the queues, as columns of whole numbers,
//! and a program that draws them. What comes from a trace is data to it and never text of the page:
//! functions and files may have any name.

mod changes;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use changes::{CHANGES, Follower, LISTS, PLACES};
use serde_json::{Value, json};
use std::collections::HashMap;
use trace::file::{self, Tables};
use trace::queues::Contradiction;
use trace::read::Trace;
use trace::schema::Form;
use trace::wire::{fold, push_varint};

const PAGE: &str = include_str!("view/page.html");
const STYLE: &str = include_str!("view/page.css");
const SCRIPTS: [&str; 4] = [
    include_str!("view/data.js"),
    include_str!("view/words.js"),
    include_str!("view/draw.js"),
    include_str!("view/page.js"),
];

/// The most events that a page shows; of more the last.
const MOST: usize = 500_000;
/// How hard to look for what repeats, from 0 to 10: more takes twice as long for a tenth of it.
const LEVEL: u8 = 6;

/// Which events are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Window {
    /// Nanoseconds since the first event.
    pub(crate) from: Option<i64>,
    pub(crate) length: Option<i64>,
}

/// Texts and stacks that a page has, by number. 0 is none of either.
#[derive(Default)]
struct Texts {
    texts: Vec<String>,
    numbers: HashMap<String, i64>,
    stacks: Vec<Value>,
    stack_numbers: HashMap<u64, i64>,
}

impl Texts {
    fn new() -> Texts {
        let mut texts = Texts::default();
        texts.number("");
        texts.stacks.push(json!([]));
        texts.stack_numbers.insert(0, 0);
        texts
    }

    fn number(&mut self, text: &str) -> i64 {
        if let Some(n) = self.numbers.get(text) {
            return *n;
        }
        let n = self.texts.len() as i64;
        self.texts.push(text.into());
        self.numbers.insert(text.into(), n);
        n
    }

    /// Of the stack with this number in `tables`.
    fn stack(&mut self, tables: &Tables, id: u64) -> i64 {
        if let Some(n) = self.stack_numbers.get(&id) {
            return *n;
        }
        let n = self.stacks.len() as i64;
        let frames = tables.stack(id).iter();
        let frames = frames.map(|f| {
            let func = self.number(tables.text(f.function));
            json!([func, self.number(tables.text(f.file)), f.line])
        });
        let frames: Vec<Value> = frames.collect();
        self.stacks.push(Value::from(frames));
        self.stack_numbers.insert(id, n);
        n
    }
}

/// Whole numbers, one after another.
#[derive(Default)]
struct Column {
    bytes: Vec<u8>,
    n: usize,
}

impl Column {
    fn push(&mut self, n: i64) {
        push_varint(&mut self.bytes, fold(n));
        self.n += 1;
    }

    fn extend(&mut self, all: &[i64]) {
        all.iter().for_each(|n| self.push(*n));
    }
}

/// The columns of a run, in the order in which they stand in the page.
const COLUMNS: &[&str] = &[
    "begin", "kind", "m", "p", "g", "ns", "ops", "lengths", "changes",
];

/// A run, as the page reads it.
pub(crate) fn run(name: &str, trace: &Trace, window: Window) -> Value {
    let all = &trace.events[..trace.sound];
    let zero = all.first().map_or(0, |e| e.ns);
    let at = |ns: i64| zero.saturating_add(ns);
    let from = window.from.map_or(0, |ns| {
        let first = all.iter().position(|e| e.ns >= at(ns));
        first.unwrap_or(all.len())
    });
    let to = window.length.map_or(all.len(), |ns| {
        let end = at(window.from.unwrap_or(0).saturating_add(ns));
        let last = all.iter().rposition(|e| e.ns <= end);
        last.map_or(from, |k| (k + 1).max(from))
    });
    let first = from.max(to.saturating_sub(MOST));
    let mut notes = Vec::new();
    notes.extend(trace.flaw());
    if first > from {
        notes.push(format!(
            "Of {} events these are the last {MOST}; --from and --for of trace view show others.",
            to - from
        ));
    }
    let mut texts = Texts::new();
    let mut columns: Vec<Column> = COLUMNS.iter().map(|_| Column::default()).collect();
    let (shown, wrong) = fill(trace, first..to, &mut texts, &mut columns);
    if let Some(wrong) = wrong {
        notes.push(format!(
            "Event {} contradicts those before it, and the page ends there: {}",
            wrong.seq, wrong.why
        ));
    }
    let sizes: Vec<usize> = columns.iter().map(|c| c.n).collect();
    let bytes: Vec<u8> = columns.into_iter().flat_map(|c| c.bytes).collect();
    let packed = miniz_oxide::deflate::compress_to_vec(&bytes, LEVEL);
    json!({
        "name": name,
        "notes": notes,
        "head": values(&trace.head),
        "first": all.get(first).map_or(0, |e| e.seq),
        "ns": all.get(first).map_or(0, |e| e.ns.saturating_sub(zero)),
        "events": shown,
        "kinds": kinds(trace),
        "lists": trace.schema.lists,
        "texts": texts.texts,
        "stacks": texts.stacks,
        "columns": COLUMNS,
        "sizes": sizes,
        "data": BASE64.encode(packed),
    })
}

/// Fills the columns with events; how many there are, and what ended them before their end.
fn fill(
    trace: &Trace,
    shown: std::ops::Range<usize>,
    texts: &mut Texts,
    columns: &mut [Column],
) -> (usize, Option<Contradiction>) {
    let [begin, kind, m, p, g, ns, ops, lengths, changes] = columns else {
        return (0, None);
    };
    let mut follower = Follower::new(trace);
    for e in &trace.events[..shown.start] {
        if let Err(wrong) = follower.skip(e) {
            return (0, Some(wrong));
        }
    }
    begin.extend(follower.all(texts));
    let mut before = trace.events.get(shown.start).map_or(0, |e| e.ns);
    for (k, e) in trace.events[shown].iter().enumerate() {
        let change = match follower.step(e, texts) {
            Ok(change) => change,
            Err(wrong) => return (k, Some(wrong)),
        };
        lengths.push(change.len() as i64);
        changes.extend(change);
        kind.push(e.kind.into());
        m.push(e.m);
        p.push(e.p);
        g.push(e.g as i64);
        ns.push(e.ns.wrapping_sub(before));
        before = e.ns;
        let slots = &trace.schema.kinds[usize::from(e.kind)].slots;
        for (slot, v) in slots.iter().zip(trace.ops(e)) {
            ops.push(match slot.form {
                Form::Text => texts.number(trace.tables.text(*v)),
                Form::Stack => texts.stack(&trace.tables, *v),
                _ => *v as i64,
            });
        }
    }
    (lengths.n, None)
}

/// The events that there are, with their operands.
fn kinds(trace: &Trace) -> Value {
    let slot = |s: &trace::schema::Slot| {
        let (form, list) = match s.form {
            Form::Flag => ("flag", None),
            Form::Goid => ("goid", None),
            Form::Object => ("object", None),
            Form::Word(list) => ("word", Some(list)),
            Form::Member => ("member", None),
            Form::Text => ("text", None),
            Form::Stack => ("stack", None),
            Form::Number | Form::Signed | Form::Near | Form::Next => ("number", None),
        };
        json!([s.name, form, list])
    };
    let kinds = trace.schema.kinds.iter();
    let kinds = kinds.map(|k| json!([k.name, k.slots.iter().map(slot).collect::<Vec<_>>()]));
    Value::from(kinds.collect::<Vec<_>>())
}

/// The head of a trace.
fn values(all: &file::Values) -> Value {
    let text = |t: &Vec<u8>| Value::from(String::from_utf8_lossy(t));
    let value = |v: &file::Value| match v {
        file::Value::Number(n) => Value::from(*n),
        file::Value::Text(t) => text(t),
        file::Value::List(all) => Value::from(all.iter().map(text).collect::<Vec<_>>()),
    };
    let all = all.0.iter().map(|(name, v)| (name.clone(), value(v)));
    Value::Object(all.collect())
}

/// The page with these runs; `card` is what stands above them, or null.
pub(crate) fn page(title: &str, card: &Value, runs: &[Value]) -> String {
    let data = json!({
        "title": title,
        "card": card,
        "runs": runs,
        "changes": CHANGES,
        "of": LISTS,
        "places": PLACES,
    });
    // No text in it can end the element that it stands in.
    let data = data.to_string().replace('<', "\\u003c");
    let mut page = String::with_capacity(data.len() + (1 << 16));
    let mut rest = PAGE;
    for (mark, text) in [
        ("/* style */", STYLE),
        ("/* data */", &data),
        ("/* scripts */", &SCRIPTS.join("\n")),
    ] {
        let (before, behind) = rest.split_once(mark).unwrap_or((rest, ""));
        page.push_str(before);
        page.push_str(text);
        rest = behind;
    }
    page + rest
}
