//! Package `regexp`: the engines behind its methods.
//!
//! Every native gets the number of the Regexp (twice, and one more if the longest match counts),
//! its program as `encode` in regexp.go writes it, and the text.
//!
//! Go: regexp.

use std::sync::Arc;

use vm::fenced;
use vm::native::{Cx, GoStr, Slice};

pub mod automaton;
pub mod engine;
pub mod keep;
pub mod program;
pub mod threads;

use engine::Scratch;
use program::Program;

/// Runs `f` with the program and a scratch, where a signal may suspend it.
fn search<R: Send>(
    cx: &mut Cx,
    number: u64,
    code: Slice<u32>,
    text: GoStr,
    f: impl FnOnce(&Program, &mut Scratch, &[u8]) -> R + Send,
) -> R {
    let (program, mut scratch) = keep::take(number).unwrap_or_else(|| {
        let program = fenced!(cx, code.len() * 16, || {
            Arc::new(Program::new(code.as_slice(), number & 1 != 0))
        });
        (program, Box::default())
    });
    let work = text.len().saturating_mul(1 + program.insts.len() / 16);
    let of = &*program;
    let on = &mut *scratch;
    let r = fenced!(cx, work, move || f(of, on, text.as_bytes()));
    keep::give(number, program, scratch);
    r
}

/// Slots as Go has them.
fn ints(slots: &[usize]) -> impl Iterator<Item = i64> + '_ {
    slots.iter().map(|s| *s as i64)
}

natives! {
    "all" => fenced untouched(code) |cx, id: u64, code: Slice<u32>, s: GoStr, max: i64, n: i64| {
        let v = search(cx, id, code, s, |p, scratch, text| {
            let mut v: Vec<i64> = Vec::new();
            let mut slots = vec![0; n as usize];
            scratch.all(p, text, max as usize, &mut slots, &mut |m| v.extend(ints(m)));
            v
        });
        cx.slice(&v)
    }
    "allStrings" => fenced untouched(code) |cx, id: u64, code: Slice<u32>, s: GoStr, max: i64| {
        let v = search(cx, id, code, s, |p, scratch, text| {
            let mut v: Vec<GoStr> = Vec::new();
            scratch.all(p, text, max as usize, &mut [0; 2], &mut |m| v.push(s.sub(m[0], m[1])));
            v
        });
        match &v[..] {
            [] => Slice::NIL,
            v => cx.slice(v),
        }
    }
    "find" => fenced untouched(code) |cx, id: u64, code: Slice<u32>, s: GoStr, n: i64| {
        let v = search(cx, id, code, s, |p, scratch, text| {
            let mut slots = vec![0; n as usize];
            let found = scratch.find(p, text, 0, &mut slots);
            found.then(|| ints(&slots).collect::<Vec<i64>>())
        });
        match v {
            None => Slice::NIL,
            Some(v) => cx.slice(&v),
        }
    }
    "match" => fenced untouched(code) |cx, id: u64, code: Slice<u32>, s: GoStr| {
        search(cx, id, code, s, |p, scratch, text| scratch.find(p, text, 0, &mut []))
    }
    "replace" => fenced untouched |
        cx,
        id: u64,
        code: Slice<u32>,
        s: GoStr,
        n: i64,
        parts: Slice<GoStr>,
        groups: Slice<i64>,
    |
    {
        let out = search(cx, id, code, s, |p, scratch, text| {
            let mut out: Vec<u8> = Vec::with_capacity(text.len());
            let mut slots = vec![0; n as usize];
            let last = scratch.between(p, text, &mut slots, &mut |from, m, is_replaced| {
                out.extend_from_slice(&text[from..m[0]]);
                if !is_replaced {
                    return;
                }
                for (part, group) in parts.as_slice().iter().zip(groups.as_slice()) {
                    out.extend_from_slice(part.as_bytes());
                    // None is no number.
                    let at = usize::try_from(*group).map_or(threads::NONE, |g| 2 * g);
                    if let Some([from, to]) = m.get(at..).and_then(|m| m.first_chunk()) {
                        if *from != threads::NONE {
                            out.extend_from_slice(&text[*from..*to]);
                        }
                    }
                }
            });
            out.extend_from_slice(&text[last..]);
            out
        });
        match &out[..] {
            [] => Slice::NIL,
            out => cx.bytes(out),
        }
    }
    "spans" => fenced untouched(code) |cx, id: u64, code: Slice<u32>, s: GoStr, n: i64| {
        let v = search(cx, id, code, s, |p, scratch, text| {
            let mut v: Vec<i64> = Vec::new();
            let mut slots = vec![0; n as usize];
            scratch.between(p, text, &mut slots, &mut |_, m, is_replaced| {
                v.push(i64::from(is_replaced));
                v.extend(ints(m));
            });
            v
        });
        cx.slice(&v)
    }
}
