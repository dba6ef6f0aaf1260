//! Select over several channels.
//!
//! Go: runtime/select.go.
