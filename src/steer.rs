//! Steered schedules: one run in a child, a search over many, and what has come of it.
//!
//! A program is compiled and loaded once. Each run is a child made by `fork` before the runtime
//! starts; it writes what happens into memory that both share, so that the parent knows it however
//! the child ends, and knows what its program counters mean.

mod bounded;
mod causality;
mod cause;
mod check;
mod child;
mod drawn;
mod explore;
mod finding;
mod minimise;
mod narrow;
mod record;
mod recording;
mod reduced;
mod replay;
mod report;
mod schedules;
mod story;

pub(crate) use check::Check;
pub(crate) use child::{Races, Runner};
pub(crate) use explore::{Leaks, Search, Strategies, explore};
pub(crate) use record::{Record, Taped};
pub(crate) use recording::{Recording, files_read, is_recording};
pub(crate) use replay::{Replay, replay};

use gosched_runtime::control::DIVERGED;
use std::io;
use std::path::Path;

/// Exit status of a search that has found something.
const FOUND: i32 = 3;

/// Writes who waits for whom at the end of a story.
fn write_graph(path: &Path, story: &story::Story) -> io::Result<()> {
    let told = |e: io::Error| io::Error::other(crate::loader::message("write", path, &e));
    std::fs::write(path, story.graph.dot()).map_err(told)
}

/// Begins to record the program that has just been loaded.
pub(crate) fn record(how: &Record) -> std::io::Result<()> {
    record::begin(how, recording::sources(&crate::loader::seen()))
}

/// Begins to replay the program that has just been loaded; the exit status if it cannot be.
pub(crate) fn replay_tape(taped: Taped, how: Replay) -> Result<(), i32> {
    let sources = recording::sources(&crate::loader::seen());
    if let (Some(why), false) = (taped.obstacle(&sources), how.edited) {
        crate::driver::print_error(format_args!(
            "gosched: replay: {why}\nRun it with --edited to see how far it goes.\n"
        ));
        return Err(DIVERGED);
    }
    taped.begin(how.until).map_err(|e| {
        crate::driver::print_error(format_args!(
            "gosched: replay: {}\n",
            crate::loader::os_text(&e)
        ));
        2
    })?;
    how.traces.begin()
}
