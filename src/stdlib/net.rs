//! Packages `net`, `os/exec` and `os/signal`.
//! All but the arrival of signals is Go, over internal/poll and syscall.
//!
//! Go: net, os/exec, os/signal.

package! { "net", [
    "net.go", "net_ip.go", "net_addr.go", "net_fd.go", "net_dial.go", "net_listener.go",
    "net_datagram.go", "net_tcp.go", "net_udp.go", "net_unix.go", "net_lookup.go", "net_dns.go",
    "net_pipe.go", "net_interface.go",
]; }

/// Package `os/exec`.
pub mod exec {
    package! { "os/exec", ["exec.go"]; }
}

/// Package `os/signal`.
pub mod signal {
    use gosched_runtime::signal;

    package! { "os/signal", ["signal.go"];
        "func enable(sig int)" => |cx, sig: i64| { signal::enable(sig as i32) }
        "func disable(sig int)" => |cx, sig: i64| { signal::disable(sig as i32) }
        "func ignore(sig int)" => |cx, sig: i64| { signal::ignore(sig as i32) }
        "func ignored(sig int) bool" => |cx, sig: i64| { signal::is_ignored(sig as i32) }
        "func receive() (sig int)" => |cx| { i64::from(cx.switching(signal::recv)) }
    }
}
