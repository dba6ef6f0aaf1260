//! What Go's traces call the reasons of waits.

/// What a wait for this reason, as tracebacks have it, is called in Go's traces.
pub fn block_reason(wait: &str) -> &'static str {
    match wait {
        "chan receive" | "chan receive (durable)" => "chan receive",
        "chan send" | "chan send (durable)" => "chan send",
        "select" | "select (durable)" => "select",
        "chan receive (nil chan)" | "chan send (nil chan)" | "select (no cases)" | "panicwait" => {
            "forever"
        }
        "sync.Mutex.Lock"
        | "sync.RWMutex.RLock"
        | "sync.RWMutex.Lock"
        | "sync.WaitGroup.Wait"
        | "sync.WaitGroup.Wait (durable)"
        | "semacquire" => "sync",
        "sync.Cond.Wait" => "sync.(*Cond).Wait",
        "sleep" => "sleep",
        "IO wait" => "network",
        "GC assist wait" => "GC mark assist wait for work",
        "GC sweep wait" => "GC background sweeper wait",
        "GC weak to strong wait" => "GC weak to strong wait",
        "wait for GC cycle" => "wait until GC ends",
        "preempted" => "preempted",
        "debug call" => "wait for debug call",
        "synctest.Run" | "synctest.Wait" => "synctest",
        "GC scavenge wait"
        | "finalizer wait"
        | "cleanup wait"
        | "force gc (idle)"
        | "GOMAXPROCS updater (idle)"
        | "trace reader (blocked)"
        | "GC worker (idle)" => "system goroutine wait",
        _ => "unspecified",
    }
}
