//! Package `os/signal`: the arrival of signals.
//!
//! Go: os/signal.

use gosched_runtime::signal;

natives! {
    "func enable(sig int)" => |cx, sig: i64| { signal::enable(sig as i32) }
    "func disable(sig int)" => |cx, sig: i64| { signal::disable(sig as i32) }
    "func ignore(sig int)" => |cx, sig: i64| { signal::ignore(sig as i32) }
    "func ignored(sig int) bool" => |cx, sig: i64| { signal::is_ignored(sig as i32) }
    "func receive() (sig int)" => |cx| { i64::from(cx.switching(signal::recv)) }
}
