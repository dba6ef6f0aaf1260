//! Package `internal/poll`: descriptors for packages os and net. Programs cannot import it.
//!
//! Go: internal/poll.

use vm::native::{Ptr, Slice};

pub mod descriptor;

natives! {
    "func pollOpen(fd int) (pd uintptr, errno int)" => |cx, fd: i64| { descriptor::open(cx, fd) }
    /// Makes the poller before the descriptors that it needs are used up.
    "func MakePoller()" => |cx| { gosched_runtime::netpoll::init(cx.m()) }
    "func pollEvict(pd uintptr)" => |cx, pd: u64| { descriptor::evict(cx, pd) }
    "func pollPrepare(pd uintptr, write bool) (code int)" => |cx, pd: u64, write: bool| {
        descriptor::prepare(pd, write)
    }
    "func pollWait(pd uintptr, write bool) (code int)" => |cx, pd: u64, write: bool| {
        descriptor::wait(cx, pd, write)
    }
    "func pollDeadline(pd uintptr, write bool, at int64)" => |cx, pd: u64, write: bool, at: i64| {
        descriptor::set_deadline(cx, pd, write, at)
    }
    "func begin(fd *FD) bool" => |cx, fd: Ptr| { descriptor::begin(fd) }
    "func end(fd *FD)" => |cx, fd: Ptr| { descriptor::end(cx, fd) }
    "func readOnce(fd *FD, p []byte) (n, code int)" => blocking |cx, fd: Ptr, p: Slice<u8>| {
        descriptor::read(cx, fd, p)
    }
    "func writeAll(fd *FD, p []byte) (n, code int)" => blocking |cx, fd: Ptr, p: Slice<u8>| {
        descriptor::write(cx, fd, p)
    }
    "func nanotime() int64" => |cx| { gosched_runtime::clock::nanotime() }
}
