//! Package `internal/poll`: descriptors for packages os and net. Programs cannot import it.
//!
//! Go: internal/poll.

use super::syscall::code;
use crate::vm::native::Slice;
use crate::vm::{poll, sys};

package! { "internal/poll", ["poll.go", "poll_socket.go"];
    "func pollOpen(fd int) (pd uintptr, errno int)" => |cx, fd: i64| { poll::open(cx, fd) }
    "func pollEvict(pd uintptr)" => |cx, pd: u64| { poll::evict(cx, pd) }
    "func pollClose(pd uintptr)" => |cx, pd: u64| { poll::close(cx, pd) }
    "func pollPrepare(pd uintptr, write bool) (code int)" => |cx, pd: u64, write: bool| { poll::prepare(pd, write) }
    "func pollWait(pd uintptr, write bool) (code int)" => |cx, pd: u64, write: bool| { poll::wait(cx, pd, write) }
    "func pollDeadline(pd uintptr, write bool, at int64)" => |cx, pd: u64, write: bool, at: i64| { poll::set_deadline(cx, pd, write, at) }
    "func readOnce(pd uintptr, fd int, p []byte) (n, errno int)" => blocking |cx, pd: u64, fd: i64, p: Slice<u8>| { poll::read(cx, pd, fd, p) }
    "func writeOnce(pd uintptr, fd int, p []byte) (n, errno int)" => blocking |cx, pd: u64, fd: i64, p: Slice<u8>| { poll::write(cx, pd, fd, p) }
    "func closeOnce(fd int) (errno int)" => |cx, fd: i64| { code(cx.blocking(|| sys::close(fd as i32))) }
    "func nanotime() int64" => |cx| { gosched_runtime::clock::nanotime() }
}
