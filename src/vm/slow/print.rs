#![allow(unsafe_code)]
//! `print` and `println`.
//!
//! Go: runtime/print.go.

use super::*;
use crate::{frame, panic};
use gosched_runtime::preempt;

/// Strings that are longer are written from where they lie.
const LONG: usize = 1 << 16;

halves! {
    fn print(g, s, i: Print) {
        let buf = &mut State::of(g).print;
        match i.kind {
            0 => buf.push_str(if s.get(i.v) != 0 { "true" } else { "false" }),
            1 => put_text(buf, format_args!("{}", s.get(i.v) as i64)),
            2 => put_text(buf, format_args!("{}", s.get(i.v))),
            3 => panic::push_float(buf, s.f64(i.v)),
            4 => panic::push_complex(buf, s.f64(i.v), s.f64(i.v + 1)),
            5 => {
                let text = as_str(s.get2(i.v));
                if text.len() > LONG {
                    (*g).sched.pc = s.pc() as usize;
                    (*g).sched.fp = s.fp() as usize;
                    print_long(m(g), &std::mem::take(buf), text);
                } else {
                    buf.push_bytes(text.as_bytes());
                }
            }
            6 => put_text(buf, format_args!("{:#x}", s.get(i.v))),
            7 => {
                let [t, d] = s.get2(i.v);
                put_text(buf, format_args!("({t:#x},{d:#x})"));
            }
            8 => {
                let [p, len, cap] = s.get3(i.v);
                put_text(buf, format_args!("[{len}/{cap}]{p:#x}"));
            }
            9 => buf.push_str(" "),
            11 => panic::push_float32(buf, s.f32(i.v)),
            12 => {
                let [re, im] = s.c64(i.v);
                panic::push_complex64(buf, re, im);
            }
            _ => buf.push_str("\n"),
        }
        DONE
    }
    /// One statement is one write, so statements of different goroutines do not mix,
    /// unless there are long strings in them.
    fn print_lock(g, s, i: PrintLock) {
        let _ = s;
        if i.on == 0 {
            let buf = std::mem::take(&mut State::of(g).print);
            frame::write_stderr(buf.as_bytes());
        }
        DONE
    }
}

/// Writes `before` and a long string. While that is looked through no fault is a panic, as in Go
/// while it prints; `g.sched` says where.
///
/// Go: runtime/print.go, gwrite, recordForPanic.
fn print_long(m: &mut M, before: &frame::Bytes, text: GoStr) {
    frame::write_stderr(before.as_bytes());
    preempt::acquire_m(m);
    frame::look_through(text);
    preempt::release_m(m);
    frame::write_stderr(text.as_bytes());
}

fn put_text(buf: &mut frame::Bytes, text: std::fmt::Arguments<'_>) {
    use std::fmt::Write;
    let _ = buf.write_fmt(text);
}
