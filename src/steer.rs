//! Steered schedules: one run in a child, a search over many, and what has come of it.
//!
//! A program is compiled and loaded once. Each run is a child made by `fork` before the runtime
//! starts; it writes what happens into memory that both share, so that the parent knows it however
//! the child ends, and knows what its program counters mean.

mod bounded;
mod causality;
mod cause;
mod child;
mod explore;
mod finding;
mod minimise;
mod recording;
mod reduced;
mod replay;
mod report;
mod schedules;
mod story;

pub(crate) use child::Runner;
pub(crate) use explore::{Leaks, Search, Strategies, explore};
pub(crate) use recording::Recording;
pub(crate) use replay::{Replay, replay};

/// Exit status of a search that has found something.
const FOUND: i32 = 3;
