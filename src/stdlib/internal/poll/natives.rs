//! Package `internal/poll`: descriptors for packages os and net. Programs cannot import it.
//!
//! Go: internal/poll.

use crate::vm::native::{Ptr, Slice};
use crate::vm::poll;

natives! {
    "func pollOpen(fd int) (pd uintptr, errno int)" => |cx, fd: i64| { poll::open(cx, fd) }
    /// Makes the poller before the descriptors that it needs are used up.
    "func MakePoller()" => |cx| { gosched_runtime::netpoll::init(cx.m()) }
    "func pollEvict(pd uintptr)" => |cx, pd: u64| { poll::evict(cx, pd) }
    "func pollPrepare(pd uintptr, write bool) (code int)" => |cx, pd: u64, write: bool| {
        poll::prepare(pd, write)
    }
    "func pollWait(pd uintptr, write bool) (code int)" => |cx, pd: u64, write: bool| {
        poll::wait(cx, pd, write)
    }
    "func pollDeadline(pd uintptr, write bool, at int64)" => |cx, pd: u64, write: bool, at: i64| {
        poll::set_deadline(cx, pd, write, at)
    }
    "func begin(fd *FD) bool" => |cx, fd: Ptr| { poll::begin(fd) }
    "func end(fd *FD)" => |cx, fd: Ptr| { poll::end(cx, fd) }
    "func readOnce(fd *FD, p []byte) (n, code int)" => blocking |cx, fd: Ptr, p: Slice<u8>| {
        poll::read(cx, fd, p)
    }
    "func writeAll(fd *FD, p []byte) (n, code int)" => blocking |cx, fd: Ptr, p: Slice<u8>| {
        poll::write(cx, fd, p)
    }
    "func nanotime() int64" => |cx| { gosched_runtime::clock::nanotime() }
}
