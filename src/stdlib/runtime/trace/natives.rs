//! Package `runtime/trace`.
//!
//! Go: runtime/trace.

use gosched_runtime::syscall::KernelCall;
use gosched_runtime::trace::program::{self, Asker, Says};
use vm::native::{Cx, GoStr, Res, native};

/// What the program calls the one who asks.
fn asker(is_recorder: bool, age: i64, bytes: i64) -> Asker {
    match is_recorder {
        false => Asker::Start,
        true => Asker::Recorder {
            age,
            bytes: usize::try_from(bytes).unwrap_or(usize::MAX),
        },
    }
}

/// Begins; the world is the goroutine's. Why it did not, if it did not.
fn begin_in_turn(cx: &mut Cx, is_recorder: bool, age: i64, bytes: i64) -> GoStr {
    let begun = program::begin_in_turn(cx.m(), asker(is_recorder, age, bytes));
    cx.string(begun.err().map_or_else(String::new, |e| e.to_string()))
}

natives! {
    "begin" => |cx, is_recorder: bool, age: i64, bytes: i64| {
        cx.take_world(
            native(|cx: &mut Cx, is_recorder: bool, age: i64, bytes: i64| {
                begin_in_turn(cx, is_recorder, age, bytes)
            })
            .func,
        )?;
        Res::Ok(begin_in_turn(cx, is_recorder, age, bytes))
    }
    "join" => |cx, is_recorder: bool, age: i64, bytes: i64| {
        cx.blocking(KernelCall::NONE, || program::asks_too(asker(is_recorder, age, bytes)))
    }
    "written" => |cx| {
        let bytes = cx.blocking(KernelCall::NONE, program::written);
        cx.bytes(&bytes)
    }
    "end" => |cx, is_recorder: bool| {
        let (file, why) = cx.blocking(KernelCall::NONE, || {
            program::ends(asker(is_recorder, 0, 0))
        });
        (cx.bytes(&file), cx.string(why.unwrap_or_default()))
    }
    "recorded" => |cx| {
        let (file, why) = cx.blocking(KernelCall::NONE, program::recorded);
        (cx.bytes(&file), cx.string(why.unwrap_or_default()))
    }
    "userTaskCreate" => short |cx, id: i64, parent: i64, kind: GoStr| {
        let kind = kind.to_text();
        program::says(cx.m(), Says::TaskBegins(id, parent, &kind))
    }
    "userTaskEnd" => |cx, id: i64| { program::says(cx.m(), Says::TaskEnds(id)) }
    "userRegion" => short |cx, id: i64, begins: bool, kind: GoStr| {
        let kind = kind.to_text();
        let says = match begins {
            true => Says::RegionBegins(id, &kind),
            false => Says::RegionEnds(id, &kind),
        };
        program::says(cx.m(), says)
    }
    "userLog" => short |cx, id: i64, category: GoStr, message: GoStr| {
        let (category, message) = (category.to_text(), message.to_text());
        program::says(cx.m(), Says::Logs(id, &category, &message))
    }
}
