//! Package `runtime/metrics`.
//!
//! Go: runtime/metrics, runtime/metrics.go.

use gosched_runtime::prof::{self, histogram, metrics};
use gosched_runtime::{gc, stack};

natives! {
    "sizes" => |cx| {
        let (classes, tiny) = metrics::sizes();
        (cx.slice(&classes.concat()), tiny)
    }
    "statuses" => |cx| { cx.slice(&metrics::statuses()) }
    "counts" => |cx, which: i64| {
        let all = [
            &histogram::LATENCIES,
            &histogram::STOPPING[0],
            &histogram::STOPPING[1],
            &histogram::STOPPED[0],
            &histogram::STOPPED[1],
        ];
        let counts = all.get(which as usize).map_or(Vec::new(), |h| h.counts());
        cx.slice(&counts)
    }
    "bounds" => |cx| { cx.slice(&histogram::bounds()) }
    "live" => |cx| { metrics::live() }
    "gcPercent" => |cx| { metrics::gc_percent() }
    "memoryLimit" => |cx| { gc::memory_limit() }
    "stackSize" => |cx| { stack::MIN as i64 }
    "threads" => |cx| { prof::threads() as i64 }
    "lockWait" => |cx| { metrics::lock_wait() }
}
