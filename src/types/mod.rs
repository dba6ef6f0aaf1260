//! Type checker.
