//! A trace as JSON lines: the head, each event, and the tail.
//!
//! A line of an event has the members `seq`, `ns`, `m`, `p`, `g`, `ev`, and one for each operand. A
//! word's members stand behind it; a text is looked up; a stack is a list of its frames, each
//! `"function file:line"`.

use crate::file::{Tables, Value, Values};
use crate::schema::{Form, Kind, Schema};
use crate::wire::Event;

/// The version of the lines' form. It changes when a member is renamed, dropped, or means something
/// else.
pub const VERSION: u32 = 3;

/// Appends the line of an event with these values, and the line's end.
pub fn event(out: &mut Vec<u8>, schema: &Schema, tables: &Tables, e: &Event, ops: &[u64]) {
    out.extend_from_slice(b"{\"seq\":");
    push_digits(e.seq as i64, out);
    push_number("ns", e.ns, out);
    push_number("m", e.m, out);
    push_number("p", e.p, out);
    push_number("g", e.g as i64, out);
    out.extend_from_slice(b",\"ev\":\"");
    if let Some(kind) = schema.kinds.get(usize::from(e.kind)) {
        out.extend_from_slice(kind.name.as_bytes());
        out.push(b'"');
        operands(out, schema, tables, kind, ops);
    } else {
        out.push(b'"');
    }
    out.extend_from_slice(b"}\n");
}

fn operands(out: &mut Vec<u8>, schema: &Schema, tables: &Tables, kind: &Kind, ops: &[u64]) {
    for (i, (slot, &v)) in kind.slots.iter().zip(ops).enumerate() {
        let name = &slot.name;
        match slot.form {
            Form::Member => {}
            Form::Flag => {
                member(name, out);
                out.extend_from_slice(if v != 0 { b"true" } else { b"false" });
            }
            Form::Word(list) => {
                let list = schema.lists.get(usize::from(list));
                let at = usize::try_from(v).unwrap_or(usize::MAX);
                match list.and_then(|l| l.get(at)) {
                    Some((word, members)) => {
                        member(name, out);
                        out.push(b'"');
                        out.extend_from_slice(word.as_bytes());
                        out.push(b'"');
                        for (name, v) in members.iter().zip(&ops[i + 1..]) {
                            push_number(name, *v as i64, out);
                        }
                    }
                    None => push_number(name, v as i64, out),
                }
            }
            Form::Text => {
                member(name, out);
                out.push(b'"');
                push_escaped(tables.text(v), out);
                out.push(b'"');
            }
            Form::Stack => {
                member(name, out);
                out.push(b'[');
                for (k, frame) in tables.stack(v).iter().enumerate() {
                    if k > 0 {
                        out.push(b',');
                    }
                    let (function, file) = (tables.text(frame.function), tables.text(frame.file));
                    out.push(b'"');
                    push_escaped(function, out);
                    if !file.is_empty() {
                        out.push(b' ');
                        push_escaped(file, out);
                        out.push(b':');
                        push_digits(frame.line as i64, out);
                    }
                    out.push(b'"');
                }
                out.push(b']');
            }
            Form::Number | Form::Signed | Form::Near | Form::Next | Form::Goid | Form::Object => {
                push_number(name, v as i64, out)
            }
        }
    }
}

/// Appends `,"name":value` for each value.
pub fn values(out: &mut Vec<u8>, all: &Values) {
    for (name, value) in &all.0 {
        out.push(b',');
        push_quoted(name.as_bytes(), out);
        out.push(b':');
        match value {
            Value::Number(n) => push_digits(*n, out),
            Value::Text(text) => push_quoted(text, out),
            Value::List(all) => {
                out.push(b'[');
                for (i, text) in all.iter().enumerate() {
                    if i > 0 {
                        out.push(b',');
                    }
                    push_quoted(text, out);
                }
                out.push(b']');
            }
        }
    }
}

/// The first line: that of a log of this version, with these values.
pub fn head(version: u32, all: &Values) -> Vec<u8> {
    let begin = format!("{{\"schema\":\"gosched-sched-log\",\"version\":{version}");
    let mut out = begin.into_bytes();
    values(&mut out, all);
    out.extend_from_slice(b"}\n");
    out
}

/// Appends the last line, the one after `seq` lines.
pub fn tail(out: &mut Vec<u8>, seq: u64, ns: i64, all: &Values) {
    out.extend_from_slice(b"{\"seq\":");
    push_digits(seq as i64, out);
    push_number("ns", ns, out);
    out.extend_from_slice(b",\"m\":-1,\"p\":-1,\"g\":0,\"ev\":\"log-end\"");
    values(out, all);
    out.extend_from_slice(b"}\n");
}

/// Appends the line that says that `n` records are missing from `seq` on.
pub fn lost(out: &mut Vec<u8>, seq: u64, ns: i64, n: u64) {
    out.extend_from_slice(b"{\"seq\":");
    push_digits(seq as i64, out);
    push_number("ns", ns, out);
    out.extend_from_slice(b",\"m\":-1,\"p\":-1,\"g\":0,\"ev\":\"lost\"");
    push_number("n", n as i64, out);
    out.extend_from_slice(b"}\n");
}

/// Appends a JSON string. What is not UTF-8 is replaced.
pub fn push_quoted(text: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    push_escaped(&String::from_utf8_lossy(text), out);
    out.push(b'"');
}

/// Appends what stands between the quotes of a JSON string.
fn push_escaped(text: &str, out: &mut Vec<u8>) {
    let is_plain = |b: &u8| *b >= b' ' && !b"\"\\".contains(b);
    if text.as_bytes().iter().all(is_plain) {
        return out.extend_from_slice(text.as_bytes());
    }
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend([b'\\', c as u8]),
            c if c < ' ' => out.extend_from_slice(format!("\\u{:04x}", c as u32).as_bytes()),
            c => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
}

/// Appends `,"name":`.
fn member(name: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(b",\"");
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b"\":");
}

/// Appends a member whose value is a number.
fn push_number(name: &str, n: i64, out: &mut Vec<u8>) {
    member(name, out);
    push_digits(n, out);
}

/// Appends a number. A log consists of little else, and `write!` makes the whole of it take twice
/// as long.
fn push_digits(n: i64, out: &mut Vec<u8>) {
    let mut digits = [0u8; 20];
    let mut at = digits.len();
    let mut rest = n.unsigned_abs();
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if n < 0 {
        out.push(b'-');
    }
    out.extend_from_slice(&digits[at..]);
}
