//! Roots, mark, sweep, pacing.
//!
//! Go: runtime/mgc.go.
