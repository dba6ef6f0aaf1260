//! Package `internal/prompt`: what a session shows.

natives! {
    "look" => |cx, at: u64| {
        let _ = cx;
        vm::prompt::look(at as usize);
    }
}
