//! Package `os/signal`: the arrival of signals.
//!
//! Go: os/signal.

use gosched_runtime::control::tape;
use gosched_runtime::signal;

use crate::syscall::natives::kernel::calls;

natives! {
    "enable" => asks |cx, sig: i64| { signal::enable(sig as i32) }
    "disable" => asks |cx, sig: i64| { signal::disable(sig as i32) }
    "ignore" => asks |cx, sig: i64| { signal::ignore(sig as i32) }
    "ignored" => asks |cx, sig: i64| { signal::is_ignored(sig as i32) }
    "receive" => asks |cx| {
        match tape::is_on() {
            true => i64::from(cx.waiting(calls::FUTEX, || true, signal::wait)),
            false => i64::from(cx.switching(signal::recv)),
        }
    }
}
