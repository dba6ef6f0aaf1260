//! Package `time`: the clock and the timers; calendars and formats are Go.
//!
//! Go: time.

use gosched_runtime::clock;

use crate::syscall::natives::environ;
use vm::native::{FuncVal, GoStr, Ptr, Slice};

pub mod timers;

natives! {
    "func now() (sec int64, nsec int32, mono int64)" => |cx| {
        let t = clock::walltime();
        (t.div_euclid(1_000_000_000), t.rem_euclid(1_000_000_000) as i32, clock::nanotime())
    }
    "func runtimeNano() int64" => |cx| { clock::nanotime() }
    "func Sleep(d Duration)" => |cx, d: i64| { timers::sleep(cx, d) }
    "func newChanTimer(d, period int64, loc *Location) *Timer" =>
    |cx, d: i64, period: i64, loc: Ptr| {
        timers::new_chan_timer(cx, d, period, loc)
    }
    "func newFuncTimer(d int64, f func()) *Timer" => short |cx, d: i64, f: FuncVal| {
        timers::new_func_timer(cx, d, f)
    }
    "func stopTimer(t *Timer) bool" => |cx, t: Ptr| { timers::stop_timer(t) }
    "func resetTimer(t *Timer, d, period int64) bool" => |cx, t: Ptr, d: i64, period: i64| {
        timers::reset_timer(cx, t, d, period)
    }
    "func readFile(name string) (data []byte, ok bool)" => blocking |cx, name: GoStr| {
        let path = name.to_text();
        match cx.blocking(|| std::fs::read(path)) {
            Ok(b) => (cx.bytes(&b), true),
            Err(_) => (Slice::NIL, false),
        }
    }
    "func getenv(name string) (value string, ok bool)" => short |cx, name: GoStr| {
        match environ::get(name.as_bytes()) {
            Some(v) => (cx.string(v), true),
            None => (GoStr::EMPTY, false),
        }
    }
}
