//! Packages `bufio`, `bytes` and `io`, which are Go altogether.
//!
//! Go: bufio, bytes, io.

package! { "bufio", ["bufio.go"]; }

/// Package `bytes`.
pub mod bytes {
    package! { "bytes", ["bytes.go", "bytes_iter.go"]; }
}

/// Package `io`.
pub mod io {
    package! { "io", ["io.go"]; }
}
