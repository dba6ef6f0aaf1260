//! A Go-compatible runtime. See ARCHITECTURE.md.
