//! Package `time`: the clock and the timers; calendars and formats are Go.
//!
//! Go: time.

use gosched_runtime::{bubble, clock};

use crate::syscall::natives::environ;
use crate::syscall::natives::kernel::calls;
use vm::native::{FuncVal, GoStr, Ptr, Slice};

pub mod timers;

natives! {
    "now" => |cx| {
        let (t, mono) = match bubble::now(cx.m()) {
            Some(now) => (now, 0),
            None => clock::read(),
        };
        (t.div_euclid(1_000_000_000), t.rem_euclid(1_000_000_000) as i32, mono)
    }
    "runtimeNano" => |cx| {
        match bubble::is_in(cx.m()) {
            true => 0,
            false => clock::read().1,
        }
    }
    "Sleep" => point(Time) |cx, d: i64| { timers::sleep(cx, d) }
    "newChanTimer" => point(Time) untouched |cx, d: i64, period: i64, loc: Ptr| {
        timers::new_chan_timer(cx, d, period, loc)
    }
    "newFuncTimer" => short point(Time) untouched |cx, d: i64, f: FuncVal| {
        timers::new_func_timer(cx, d, f)
    }
    "stopTimer" => point(Timer) untouched |cx, t: Ptr| { timers::stop_timer(cx, t) }
    "resetTimer" => point(Timer) untouched |cx, t: Ptr, d: i64, period: i64| {
        timers::reset_timer(cx, t, d, period)
    }
    "readFile" => blocking asks |cx, name: GoStr| {
        let path = name.to_text();
        match cx.blocking(calls::OPEN, || std::fs::read(path)) {
            Ok(b) => (cx.bytes(&b), true),
            Err(_) => (Slice::NIL, false),
        }
    }
    "getenv" => short asks |cx, name: GoStr| {
        match environ::get(name.as_bytes()) {
            Some(v) => (cx.string(v), true),
            None => (GoStr::EMPTY, false),
        }
    }
}
