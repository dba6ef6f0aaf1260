//! The watcher
//!
//! Go: runtime/ retakes Ps, polls, asks to preempt.:proc.go, sysmon.
