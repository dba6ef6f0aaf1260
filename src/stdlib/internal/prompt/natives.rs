//! Package `internal/prompt`: what a session shows.

natives! {
    "look" => |cx, at: u64| {
        let _ = cx;
        vm::prompt::look(at as usize);
    }
    "wait" => |cx, input: i64| {
        vm::prompt::park_until_ended(cx.m(), input as usize);
        cx.parked::<()>(None)
    }
}
