//! Event rings, schedtrace.
//!
//! Go: runtime/proc.go, schedtrace.
