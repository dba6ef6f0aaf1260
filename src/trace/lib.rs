//! The form of gosched's traces, and what can be found out from one.
//!
//! A trace tells of the scheduler's decisions and of what goroutines do. It is a file of blocks:
//! a *head* about the program, a *schema* that names all events with their operands, tables of
//! *strings* and of *stacks*, *parts* with the records of one P each, and a *tail* that says how
//! many records there are. This crate knows that form and no more: which events there are is
//! written in the file, by the runtime, which has the one list of them.
//!
//! - [`wire`]: records to bytes and back.
//! - [`schema`]: which events there are, which operands they have, and how these are written.
//! - [`file`]: the blocks.
//! - [`read`]: a whole file.
//! - [`json`]: events as JSON lines.
//! - [`chrome`]: a trace for Perfetto and Chrome's viewer.
//! - [`go`]: a trace for `go tool trace`.
//! - [`queues`]: what is in the run queues, and who waits, at any event.
//! - [`last`]: the end of a trace, kept in memory.
//! - [`latency`]: how long goroutines wait for a turn, and who ran instead.
//! - [`waits`]: who waits on what, kept up event by event; [`graph`]: the same as a graph.
//! - [`flame`]: where goroutines spend their time, as folded stacks.
//! - [`steered`]: the decisions of a run that is steered.
//! - [`summary`]: what each goroutine spent its time with.
//! - [`timeline`]: who ran where, as a picture.
//! - [`why`]: who ran while a goroutine waited for its turn, and by which rule.
//!
//! Nothing here reads a file or prints: bytes in, values out. Bytes that are wrong in any way end
//! in an [`Error`], and cost no more memory than a fixed multiple of their number.

mod calls;
pub mod chrome;
pub mod file;
pub mod flame;
pub mod go;
pub mod graph;
pub mod json;
pub mod last;
pub mod latency;
pub mod object;
pub mod queues;
pub mod read;
mod rules;
pub mod schema;
mod seen;
pub mod steered;
pub mod summary;
pub mod timeline;
pub mod waits;
pub mod why;
pub mod wire;

#[cfg(test)]
mod made;
#[cfg(test)]
mod tests;

/// What is wrong with the bytes of a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error(pub String);

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

impl From<&str> for Error {
    fn from(text: &str) -> Error {
        Error(text.into())
    }
}

/// What came of reading.
pub type Result<T> = std::result::Result<T, Error>;
