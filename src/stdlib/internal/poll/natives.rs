//! Package `internal/poll`: descriptors for packages os and net. Programs cannot import it.
//!
//! Go: internal/poll.

use crate::syscall::natives::{kernel, loopback};
use vm::native::{Ptr, Slice};

pub mod descriptor;

natives! {
    "pollOpen" => |cx, fd: i64| { descriptor::open(cx, fd) }
    "MakePoller" => |cx| { gosched_runtime::netpoll::init(cx.m()) }
    "pollEvict" => |cx, pd: u64| { descriptor::evict(cx, pd) }
    "pollPrepare" => |cx, pd: u64, write: bool| {
        descriptor::prepare(pd, write)
    }
    "pollWait" => |cx, pd: u64, write: bool| {
        descriptor::wait(cx, pd, write)
    }
    "pollDeadline" => |cx, pd: u64, write: bool, at: i64| {
        descriptor::set_deadline(cx, pd, write, at)
    }
    "begin" => point(Exchange) untouched |cx, fd: Ptr| { descriptor::begin(fd) }
    "end" => point(Exchange) untouched |cx, fd: Ptr| { descriptor::end(cx, fd) }
    "readOnce" => blocking point(Input) follows |cx, fd: Ptr, p: Slice<u8>| {
        descriptor::read(cx, fd, p)
    }
    "writeAll" => blocking point(Output) follows |cx, fd: Ptr, p: Slice<u8>| {
        descriptor::write(cx, fd, p)
    }
    "AsksForNames" => |cx, fd: i64| { loopback::asks_for_names(cx, fd as i32) }
    "IsTaped" => asks |cx, fd: i64| { kernel::is_taped(fd as i32) }
    "concerns" => point(Network) |cx, whom: u64| { let _ = whom; }
    "obeyInterrupt" => |cx| { cx.obey_interrupt() }
    "nanotime" => |cx| { gosched_runtime::clock::nanotime() }
}
