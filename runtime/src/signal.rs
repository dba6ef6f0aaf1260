//! Signal handlers, and the queue behind os/signal.
//!
//! Go: runtime/signal_unix.go.
