//! Traces made for tests.

use crate::file::{Frame, Values};
use crate::read::{End, Trace, number};
use crate::schema::{Form, Kind, Schema, Slot};
use crate::wire::Event;

/// An operand's value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Is {
    Number(i64),
    /// A word of a list.
    Word(&'static str),
    /// A text of the table.
    Text(&'static str),
    /// A stack of one frame: `main.f`, in `/x/f.go`, at this line.
    Line(u64),
}

/// Time, thread, P, goroutine, event and operands.
pub(crate) type Line = (
    i64,
    i64,
    i64,
    u64,
    &'static str,
    &'static [(&'static str, Is)],
);

/// A trace of these events; the schema is what they need.
pub(crate) fn trace(without: &[&str], procs: i64, lines: &[Line]) -> Trace {
    let mut schema = Schema {
        kinds: Vec::new(),
        lists: vec![Vec::new()],
    };
    for (.., name, operands) in lines {
        let at = schema.kinds.iter().position(|k| k.name == *name);
        let at = at.unwrap_or_else(|| {
            schema.kinds.push(Kind {
                name: (*name).into(),
                slots: Vec::new(),
            });
            schema.kinds.len() - 1
        });
        for (operand, is) in *operands {
            let form = match is {
                Is::Number(_) => Form::Signed,
                Is::Word(_) => Form::Word(0),
                Is::Text(_) => Form::Text,
                Is::Line(_) => Form::Stack,
            };
            let slots = &mut schema.kinds[at].slots;
            if slots.iter().all(|s| s.name != *operand) {
                slots.push(Slot {
                    name: (*operand).into(),
                    form,
                });
            }
        }
    }
    let mut all = Trace {
        first: 0,
        before: Vec::new(),
        head: Values(vec![number("gomaxprocs", procs)]),
        schema,
        tables: Default::default(),
        events: Vec::new(),
        values: Vec::new(),
        sound: lines.len(),
        end: End::Whole(Values(vec![number("lost", 0)])),
    };
    let off = without.iter().map(|name| name.as_bytes().to_vec());
    let off = crate::file::Value::List(off.collect());
    all.head.0.push(("without".into(), off));
    for (seq, (ns, m, p, g, name, operands)) in lines.iter().enumerate() {
        let kind = all.schema.kind(name).unwrap();
        let at = all.values.len();
        let slots = all.schema.kinds[usize::from(kind)].slots.clone();
        for slot in slots {
            let given = operands.iter().find(|(name, _)| *name == slot.name);
            let value = given.map_or(0, |(_, is)| value(&mut all, *is));
            all.values.push(value);
        }
        all.events.push(Event {
            seq: seq as u64,
            ns: *ns,
            m: *m,
            p: *p,
            g: *g,
            kind,
            at,
        });
    }
    all
}

/// The number that means this, entered where it must be.
fn value(trace: &mut Trace, is: Is) -> u64 {
    let mut text = |text: &str| {
        let all = &mut trace.tables.strings;
        let at = all.iter().position(|t| t == text);
        at.unwrap_or_else(|| {
            all.push(text.into());
            all.len() - 1
        }) as u64
    };
    match is {
        Is::Number(n) => n as u64,
        Is::Text(name) => text(name),
        Is::Line(line) => {
            let frame = Frame {
                function: text("main.f"),
                file: text("/x/f.go"),
                line,
            };
            trace.tables.stacks.push(vec![frame]);
            trace.tables.stacks.len() as u64 - 1
        }
        Is::Word(word) => {
            let list = &mut trace.schema.lists[0];
            let at = list.iter().position(|w| w.0 == word);
            at.unwrap_or_else(|| {
                list.push((word.into(), Vec::new()));
                list.len() - 1
            }) as u64
        }
    }
}
