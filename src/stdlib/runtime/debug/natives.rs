//! Package `runtime/debug`.
//!
//! Go: runtime/debug.

use crate::os::natives::build;
use gosched_runtime::{YieldKind, gc, proc};
use vm::native::{Cx, GoStr, NativeResult, Res, Slice, finish};

fn release_free(cx: &mut Cx) -> NativeResult {
    match gc::release_free(cx.m()) {
        true => {
            let r = cx.yield_now::<()>(YieldKind::Gosched, Some(release_free));
            finish(r, cx)
        }
        false => NativeResult::Ok,
    }
}

fn gc_stats_in_turn(cx: &mut Cx) -> Slice<i64> {
    let s = gc::read_mem_stats_in_turn(cx.m());
    let n = s.num_gc as usize;
    let mut w = vec![
        s.last_gc as i64,
        i64::from(s.num_gc),
        s.pause_total_ns as i64,
    ];
    for i in 0..n.min(256) {
        let k = (n + 255 - i) % 256;
        w.extend([s.pause_ns[k] as i64, s.pause_end[k] as i64]);
    }
    cx.slice(&w)
}

natives! {
    "SetGCPercent" => point(Process) |cx, percent: i64| {
        i64::from(gc::set_gc_percent(percent as i32))
    }
    "SetMemoryLimit" => point(Process) |cx, limit: i64| { gc::set_memory_limit(cx.m(), limit) }
    "FreeOSMemory" => |cx| { cx.collect::<()>(release_free) }
    "SetTraceback" => short |cx, level: GoStr| {
        gosched_runtime::knobs::set_traceback(&level.to_text())
    }
    "SetMaxThreads" => point(Process) |cx, n: i64| { proc::set_max_threads(n) }
    "setMaxStack" => point(Process) |cx, bytes: i64| {
        gosched_runtime::stack::set_max(bytes as usize) as i64
    }
    "buildText" => short |cx| { cx.string(build()) }
    "gcStats" => point(Process) |cx| {
        cx.take_world(|cx| finish(gc_stats_in_turn(cx), cx))?;
        Res::Ok(gc_stats_in_turn(cx))
    }
}
