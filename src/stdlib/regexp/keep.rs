//! The programs that are in use, and scratch memory for them.
//!
//! A Regexp of Go has a number, and its program as numbers; what the engines make of them is kept
//! here by that number. Nobody says when a Regexp is gone: what has not been used for long makes
//! room, and is made again should it be asked for. So nothing hangs on the collector, and all
//! engines together take [`MOST`] bytes, or as much as those that run.

use super::engine::Scratch;
use super::program::Program;
use rustc_hash::FxHashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// Memory of all that is kept.
const MOST: usize = 64 << 20;
/// A larger scratch is not kept.
const LARGE: usize = 16 << 20;
/// As many goroutines as use a program at a time keep a scratch.
const SCRATCHES: usize = 8;

#[derive(Debug)]
struct Kept {
    program: Arc<Program>,
    idle: Vec<Box<Scratch>>,
    bytes: usize,
    used: u64,
}

#[derive(Debug, Default)]
struct Keep {
    kept: FxHashMap<u64, Kept>,
    clock: u64,
    bytes: usize,
}

static KEEP: LazyLock<Mutex<Keep>> = LazyLock::new(Mutex::default);

/// The program of that number, if it is kept, with a scratch.
pub(super) fn take(number: u64) -> Option<(Arc<Program>, Box<Scratch>)> {
    let mut keep = KEEP.lock().unwrap_or_else(PoisonError::into_inner);
    keep.clock += 1;
    let clock = keep.clock;
    let kept = keep.kept.get_mut(&number)?;
    kept.used = clock;
    let program = Arc::clone(&kept.program);
    let scratch = kept.idle.pop();
    if let Some(scratch) = &scratch {
        let bytes = scratch.bytes();
        kept.bytes = kept.bytes.saturating_sub(bytes);
        keep.bytes = keep.bytes.saturating_sub(bytes);
    }
    drop(keep);
    Some((program, scratch.unwrap_or_default()))
}

/// Keeps the program and its scratch.
pub(super) fn give(number: u64, program: Arc<Program>, scratch: Box<Scratch>) {
    let mut keep = KEEP.lock().unwrap_or_else(PoisonError::into_inner);
    let keep = &mut *keep;
    let mut more = 0;
    let clock = keep.clock;
    let kept = keep.kept.entry(number).or_insert_with(|| {
        more = program.bytes();
        Kept {
            program,
            idle: Vec::new(),
            bytes: more,
            used: clock,
        }
    });
    let bytes = scratch.bytes();
    if bytes <= LARGE && kept.idle.len() < SCRATCHES {
        kept.idle.push(scratch);
        kept.bytes += bytes;
        more += bytes;
    }
    keep.bytes += more;
    if keep.bytes > MOST {
        let mut ages: Vec<u64> = keep.kept.values().map(|k| k.used).collect();
        let middle = ages.len() / 2;
        let oldest = *ages.select_nth_unstable(middle).1;
        let mut gone = 0;
        keep.kept.retain(|_, k| {
            let stays = k.used > oldest;
            if !stays {
                gone += k.bytes;
            }
            stays
        });
        keep.bytes = keep.bytes.saturating_sub(gone);
    }
}
