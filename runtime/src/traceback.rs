//! What a dying program prints of its goroutines.
//!
//! Go: runtime/traceback.go.
