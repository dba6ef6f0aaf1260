//! Package `sync`: its locks are the runtime's; Once, Pool, Map and Cond are Go.
//!
//! Go: sync, internal/sync.

use vm::native::Ptr;

pub mod waits;

/// Offset of `RWMutex.readerCount` in Go, the first that the methods of readers and `Unlock` touch.
const READER_COUNT: usize = 16;

natives! {
    "func (m *Mutex) Lock()" => in_place |cx, m: Ptr| { waits::lock(cx, m) }
    "func (m *Mutex) TryLock() bool" => in_place |cx, m: Ptr| { waits::try_lock(m) }
    "func (m *Mutex) Unlock()" => in_place |cx, m: Ptr| { waits::unlock(cx, m) }
    "func (rw *RWMutex) Lock()" => |cx, m: Ptr| { waits::rw_lock(cx, m) }
    "func (rw *RWMutex) RLock()" => in_place touches(READER_COUNT) |cx, m: Ptr| {
        waits::rlock(cx, m)
    }
    "func (rw *RWMutex) RUnlock()" => in_place touches(READER_COUNT) |cx, m: Ptr| {
        waits::runlock(cx, m)
    }
    "func (rw *RWMutex) TryLock() bool" => |cx, m: Ptr| { waits::rw_try_lock(cx, m) }
    "func (rw *RWMutex) TryRLock() bool" => touches(READER_COUNT) |cx, m: Ptr| {
        waits::try_rlock(m)
    }
    "func (rw *RWMutex) Unlock()" => touches(READER_COUNT) |cx, m: Ptr| {
        waits::rw_unlock(cx, m)
    }
    "func (wg *WaitGroup) Add(delta int)" => |cx, wg: Ptr, delta: i64| {
        waits::wait_group_add(cx, wg, delta)
    }
    "func (wg *WaitGroup) Done()" => |cx, wg: Ptr| { waits::wait_group_add(cx, wg, -1) }
    "func (wg *WaitGroup) Wait()" => |cx, wg: Ptr| { waits::wait_group_wait(cx, wg) }
    "func notifyListAdd(l *notifyList) uint32" => |cx, l: Ptr| { waits::notify_add(l) }
    "func notifyListWait(l *notifyList, ticket uint32)" => |cx, l: Ptr, ticket: u32| {
        waits::notify_wait(cx, l, ticket)
    }
    "func notifyListNotifyOne(l *notifyList)" => |cx, l: Ptr| { waits::notify(cx, l, false) }
    "func notifyListNotifyAll(l *notifyList)" => |cx, l: Ptr| { waits::notify(cx, l, true) }
    "func processors() int" => |_cx| { i64::from(gosched_runtime::sched::gomaxprocs()) }
    "func pin() int" => |cx| {
        gosched_runtime::preempt::acquire_m(cx.m());
        cx.m().p().id as i64
    }
    "func (l *poolPlace) list()" => |cx, l: Ptr| { waits::list_pool(l) }
    "func unpin()" => |cx| { gosched_runtime::preempt::release_m(cx.m()) }
}
