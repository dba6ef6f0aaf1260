use proptest::prelude::*;

use crate::file::{self, Part, Values, push_block};
use crate::read::{End, Trace, number, to_bytes};
use crate::schema::{Form, Kind, Rule, Schema, Slot};
use crate::wire::{Bytes, Event, Listed, RECORD, Record, State};

/// A schema with an operand of each form.
fn schema() -> Schema {
    let slot = |name: &str, form| Slot {
        name: name.into(),
        form,
    };
    let forms = [
        Form::Number,
        Form::Signed,
        Form::Near,
        Form::Next,
        Form::Flag,
        Form::Goid,
        Form::Object,
        Form::Word(0),
        Form::Member,
        Form::Text,
        Form::Stack,
    ];
    let all = forms.iter().enumerate();
    let all = all.map(|(i, &form)| match form {
        Form::Member => slot("", form),
        _ => slot(&format!("o{i}"), form),
    });
    Schema {
        kinds: vec![
            Kind {
                name: "all".into(),
                slots: all.collect(),
            },
            Kind {
                name: "none".into(),
                slots: Vec::new(),
            },
        ],
        lists: vec![vec![
            ("plain".into(), vec![]),
            ("with".into(), vec!["n".into()]),
        ]],
    }
}

/// A record's number, time, thread, P, goroutine, event and values.
type Raw = (u64, Option<i64>, i64, i64, u64, u8, [u64; 11]);

fn raw() -> impl Strategy<Value = Raw> {
    let value = || prop_oneof![Just(0), 0..300u64, any::<u64>()];
    (
        any::<u64>(),
        proptest::option::of(any::<i64>()),
        any::<i64>(),
        any::<i64>(),
        value(),
        0..2u8,
        proptest::array::uniform11(value()),
    )
}

proptest! {
    #[test]
    fn records_survive(all in proptest::collection::vec(raw(), 0..50)) {
        let schema = schema();
        let (mut write, mut read) = (State::new(3, 2), State::new(3, 2));
        let mut bytes = Vec::new();
        for (seq, ns, m, p, g, kind, ops) in &all {
            let slots = schema.kinds[usize::from(*kind)].slots.iter();
            let rules: Vec<Rule> = slots.map(|s| s.form.rule()).collect();
            let mut room = [0; RECORD];
            let record = Record {
                kind: *kind,
                seq: *seq,
                ns: *ns,
                m: *m,
                p: *p,
                g: *g,
            };
            let n = write.encode(&record, rules.len(), &mut room, &Listed(ops, &rules));
            bytes.extend_from_slice(&room[..n]);
        }
        let (mut from, mut ops) = (Bytes::new(&bytes), Vec::new());
        let mut before = 0;
        for (seq, ns, m, p, g, kind, values) in all {
            let e = read.read(&mut from, &schema, &mut ops).unwrap();
            before = ns.unwrap_or(before);
            let slots = schema.kinds[usize::from(kind)].slots.len();
            prop_assert_eq!((e.seq, e.ns, e.m, e.p, e.g, e.kind), (seq, before, m, p, g, kind));
            prop_assert_eq!(&ops[e.at..], &values[..slots]);
        }
        prop_assert_eq!(from.left(), 0);
    }

    #[test]
    fn any_bytes_can_be_read(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let (mut state, mut ops) = (State::new(0, 2), Vec::new());
        let mut from = Bytes::new(&bytes);
        while state.read(&mut from, &schema(), &mut ops).is_ok() {}
        let _ = Schema::from_bytes(&bytes);
        let _ = Values::from_bytes(&bytes);
        let _ = Trace::from_bytes(&bytes);
    }
}

fn trace() -> Trace {
    let event = |seq: u64, at| Event {
        seq,
        ns: 100 + seq as i64,
        g: seq % 7,
        m: 0,
        p: 1,
        kind: 0,
        at,
    };
    Trace {
        first: 0,
        before: Vec::new(),
        head: Values(vec![number("pid", 4)]),
        schema: schema(),
        tables: Default::default(),
        events: (0..10_000).map(|i| event(i, i as usize * 11)).collect(),
        values: (0..110_000).map(|i| i % 2).collect(),
        sound: 10_000,
        end: End::Whole(Values(vec![number("records", 10_000), number("lost", 0)])),
    }
}

#[test]
fn a_trace_survives() {
    let before = trace();
    let after = Trace::from_bytes(&to_bytes(&before)).unwrap();
    assert_eq!(after.head, before.head);
    assert_eq!(after.end, before.end);
    assert_eq!(after.sound, 10_000);
    assert_eq!(after.flaw(), None);
    for (b, a) in before.events.iter().zip(&after.events) {
        assert_eq!((b.seq, b.ns, b.g, b.m, b.p), (a.seq, a.ns, a.g, a.m, a.p));
        assert_eq!(before.ops(b), after.ops(a));
    }
}

#[test]
fn a_cut_trace_is_read_up_to_its_last_whole_block() {
    let whole = to_bytes(&trace());
    let mut most = 0;
    for at in (0..whole.len()).step_by(997) {
        match Trace::from_bytes(&whole[..at]) {
            Ok(trace) => {
                assert!(
                    trace.flaw().unwrap().starts_with("the trace is cut"),
                    "{at}"
                );
                assert_eq!(trace.sound, trace.events.len());
                most = most.max(trace.sound);
            }
            Err(why) => assert!(at < 1000, "{at}: {why}"),
        }
    }
    assert!(most >= 8192);
}

#[test]
fn a_byte_that_is_changed_is_noticed() {
    let whole = to_bytes(&trace());
    for at in (0..whole.len()).step_by(1009) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        if let Ok(trace) = Trace::from_bytes(&bytes) {
            assert!(trace.flaw().is_some(), "{at}");
        }
    }
}

#[test]
fn a_part_is_written_without_a_copy_of_it() {
    let part = Part {
        p: -1,
        block: 300,
        part: 2,
        records: 9,
        bytes: vec![7; 1000],
    };
    let mut whole = Vec::new();
    push_block(&mut whole, file::Kind::Part, &part.to_bytes());
    let mut pieces = part.block_head();
    pieces.extend_from_slice(&part.bytes);
    assert_eq!(whole, pieces);
    let file::Next::Block(_, contents, _) = file::next_block(&whole) else {
        panic!("no block");
    };
    assert_eq!(Part::from_bytes(contents), Ok(part));
}
