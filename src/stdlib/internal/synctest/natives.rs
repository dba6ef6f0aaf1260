//! Package `internal/synctest`: bubbles of the runtime.
//!
//! Go: internal/synctest.

use gosched_runtime::bubble::{self, Ran};

use crate::sync::natives::waits::both;
use vm::native::{self, Cx, FuncVal, NativeResult, Res, finish};

natives! {
    "run" => short hidden point(Wait) |cx, f: FuncVal| {
        let pc = cx.callers(2, 1).first().map_or(1, |pc| *pc as usize);
        let (m, g) = both(cx);
        let ran = bubble::run(m, g, |m| native::spawn_in_bubble(m, f, pc));
        ended(cx, ran)
    }
    "wait" => hidden point(Wait) |cx| {
        let (m, g) = both(cx);
        match bubble::wait(m, g) {
            Ok(()) => cx.parked(Some(waited)),
            Err(bubble::Refused::Outside) => Ok(1),
            Err(bubble::Refused::Twice) => Res::Ok(2),
        }
    }
    "IsInBubble" => |cx| { bubble::is_in(cx.m()) }
}

/// The result of `run`.
fn ended(cx: &mut Cx, ran: Ran) -> Res<(i64, u32)> {
    match ran {
        Ran::Blocked => cx.parked(Some(resumed)),
        Ran::Done => Ok((0, 0)),
        Ran::Deadlock(bubble, is_main_done) => Ok((1 + i64::from(is_main_done), bubble)),
    }
}

/// The root of a bubble goes on.
fn resumed(cx: &mut Cx) -> NativeResult {
    let (m, g) = both(cx);
    let ran = bubble::resume(m, g);
    finish(ended(cx, ran), cx)
}

/// What has waited for its bubble goes on.
fn waited(cx: &mut Cx) -> NativeResult {
    bubble::waited(both(cx).1);
    finish(0i64, cx)
}
