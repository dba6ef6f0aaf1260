#![allow(unsafe_code)]
//! `print` and `println`.
//!
//! Go: runtime/print.go.

use super::*;
use crate::vm::{frame, panic};

halves! {
    fn print(g, s, i: Print) {
        let buf = &mut State::of(g).print;
        match i.kind {
            0 => buf.push_str(if s.get(i.v) != 0 { "true" } else { "false" }),
            1 => put_text(buf, format_args!("{}", s.get(i.v) as i64)),
            2 => put_text(buf, format_args!("{}", s.get(i.v))),
            3 => panic::push_float(buf, s.f64(i.v)),
            4 => panic::push_complex(buf, s.f64(i.v), s.f64(i.v + 1)),
            5 => buf.push_bytes(as_str(s.get2(i.v)).as_bytes()),
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
    /// One statement is one write, so statements of different goroutines do not mix.
    fn print_lock(g, s, i: PrintLock) {
        let _ = s;
        if i.on == 0 {
            let buf = std::mem::take(&mut State::of(g).print);
            frame::write_stderr(buf.as_bytes());
        }
        DONE
    }
}

fn put_text(buf: &mut frame::Bytes, text: std::fmt::Arguments<'_>) {
    use std::fmt::Write;
    let _ = buf.write_fmt(text);
}
