//! Profiles: which goroutines there are, where they wait, where memory is allocated, where time
//! goes.
//!
//! The runtime keeps *records*: a stack, as the engine gives it, and what was counted there.
//! Package runtime/pprof makes a file of them. What a record of a waiting goroutine counts is
//! decided at its park and booked by who wakes it ([`wait`]); of memory the allocator samples
//! ([`heap`]); of time a timer of each thread does ([`cpu`]).
//!
//! # Invariants
//!
//! - Q1. While no profile is switched on, a goroutine that waits costs the test of the word that a
//!   prompt tests too, an allocation nothing, and a thread nothing.
//!
//! Go: runtime/mprof.go, runtime/cpuprof.go.

pub mod cpu;
pub mod heap;
mod stacks;
pub mod wait;

pub(crate) use stacks::of;
pub use stacks::{Goroutine, goroutines, threads};

/// The most frames of a stack that a record keeps. Go: maxProfStackDepth.
pub const MAX_FRAMES: usize = 128;
