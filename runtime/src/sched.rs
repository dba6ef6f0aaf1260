//! The state shared by all Ms: the global queue, idle Ms and Ps, counts.
//!
//! Go: runtime/runtime2.go, schedt.
