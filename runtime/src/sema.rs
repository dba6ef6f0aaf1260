//! Sleep and wakeup keyed by address; notify lists.
//!
//! Go: runtime/sema.go.
