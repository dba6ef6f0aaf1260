//! Package `sync`: its locks are the runtime's; Once, Pool, Map and Cond are Go.
//!
//! Go: sync, internal/sync.

use vm::native::Ptr;
use vm::value::Iface;

pub mod waits;

/// Offset of `RWMutex.readerCount` in Go, the first that the methods of readers and `Unlock` touch.
const READER_COUNT: usize = 16;

natives! { all untouched;
    "(*Mutex).Lock" => in_place point(Lock) |cx, m: Ptr| { waits::lock(cx, m) }
    "(*Mutex).TryLock" => in_place point(TryLock) |cx, m: Ptr| { waits::try_lock(m) }
    "(*Mutex).Unlock" => in_place point(Unlock) |cx, m: Ptr| { waits::unlock(cx, m) }
    "(*RWMutex).Lock" => point(Lock) |cx, m: Ptr| { waits::rw_lock(cx, m) }
    "(*RWMutex).RLock" => in_place touches(READER_COUNT) point(ReadLock) |cx, m: Ptr| {
        waits::rlock(cx, m)
    }
    "(*RWMutex).RUnlock" => in_place touches(READER_COUNT) point(ReadUnlock) |cx, m: Ptr| {
        waits::runlock(cx, m)
    }
    "(*RWMutex).TryLock" => point(TryLock) |cx, m: Ptr| { waits::rw_try_lock(cx, m) }
    "(*RWMutex).TryRLock" => touches(READER_COUNT) point(TryReadLock) |cx, m: Ptr| {
        waits::try_rlock(m)
    }
    "(*RWMutex).Unlock" => touches(READER_COUNT) point(Unlock) |cx, m: Ptr| {
        waits::rw_unlock(cx, m)
    }
    "(*WaitGroup).Add" => point(Add) |cx, wg: Ptr, delta: i64| {
        waits::wait_group_add(cx, wg, delta)
    }
    "(*WaitGroup).Done" => point(Done) |cx, wg: Ptr| { waits::wait_group_add(cx, wg, -1) }
    "(*WaitGroup).Wait" => point(Join) |cx, wg: Ptr| { waits::wait_group_wait(cx, wg) }
    "notifyListAdd" => point(Wait) |cx, l: Ptr| { waits::notify_add(l) }
    "notifyListWait" => |cx, l: Ptr, ticket: u32| { waits::notify_wait(cx, l, ticket) }
    "notifyListNotifyOne" => point(Change) |cx, l: Ptr| { waits::notify(cx, l, false) }
    "notifyListNotifyAll" => point(Change) |cx, l: Ptr| { waits::notify(cx, l, true) }
    "obeyInterrupt" => |cx| { cx.obey_interrupt() }
    "processors" => |_cx| { i64::from(gosched_runtime::sched::gomaxprocs()) }
    "pin" => point(Share) |cx, p: Ptr| {
        gosched_runtime::preempt::acquire_m(cx.m());
        cx.m().p().id as i64
    }
    "(*poolPlace).list" => |cx, l: Ptr| { waits::list_pool(l) }
    "unpin" => short point(Exchange) |cx, x: Iface| { gosched_runtime::preempt::release_m(cx.m()) }
}
