//! What is to be marked and no worker has; and when all is marked.
//!
//! # Invariants
//!
//! - K3. A worker counted in `State::active` may have work; when none is and the pool is empty, all
//!   that can be reached is marked. Both are told under the pool's lock.

use crate::lockrank::Rank;
use crate::sync::{AtomicBool, Guarded, Ordering};

/// Up to so many objects lie together: of many goroutines that begin while there is a mark, each
/// gives a few.
const FEW: usize = 64;

/// A piece of an object to scan: words from `addr` on, which is at an element's start.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Work {
    pub(crate) addr: usize,
    pub(crate) words: u32,
    pub(crate) layout: u32,
}

/// What the pool gives.
#[derive(Debug)]
pub(crate) enum Batch {
    /// Marked objects, to be scanned.
    Objects(Vec<Work>),
    /// Words that the write barrier has kept, to be followed: see [`crate::gc::barrier`].
    Words(Box<[usize]>),
}

/// How far one turn of a marker has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Turn {
    /// There is more to do.
    More,
    /// What is left is with other markers.
    Elsewhere,
    /// Nothing is left anywhere but in buffers of the write barrier.
    Done,
}

/// The work that belongs to no worker.
#[derive(Debug)]
pub(crate) struct Pool {
    state: Guarded<State>,
    /// Some worker has asked and found nothing. Written under the lock.
    hungry: AtomicBool,
}

#[derive(Debug, Default)]
struct State {
    objects: Vec<Vec<Work>>,
    words: Vec<Box<[usize]>>,
    active: usize,
}

impl State {
    fn is_empty(&self) -> bool {
        self.objects.is_empty() && self.words.is_empty()
    }

    fn turn(&self) -> Turn {
        match (self.is_empty(), self.active) {
            (false, _) => Turn::More,
            (true, 0) => Turn::Done,
            (true, _) if crate::fault!(ForgetBusyMarkers) => Turn::Done,
            (true, _) => Turn::Elsewhere,
        }
    }

    fn take(&mut self) -> Option<Batch> {
        let objects = self.objects.pop().map(Batch::Objects);
        objects.or_else(|| self.words.pop().map(Batch::Words))
    }
}

impl Pool {
    pub(crate) fn new() -> Pool {
        Pool {
            state: Guarded::new(Rank::Mark, State::default()),
            hungry: AtomicBool::new(false),
        }
    }

    /// Puts marked objects into the pool. A short batch is joined to the one put before it.
    pub(crate) fn put(&self, objects: &[Work]) {
        let mut s = self.state.lock();
        match s.objects.last_mut() {
            Some(last) if last.len() + objects.len() <= FEW => last.extend_from_slice(objects),
            _ => s.objects.push(objects.to_vec()),
        }
        self.hungry.store(false, Ordering::Relaxed);
    }

    /// As [`Pool::put`], of words; from anybody.
    pub(crate) fn keep(&self, words: &[usize]) {
        let words = Box::from(words);
        self.state.lock().words.push(words);
    }

    /// Has some worker found nothing?
    #[inline]
    pub(crate) fn is_hungry(&self) -> bool {
        self.hungry.load(Ordering::Relaxed)
    }

    /// Is there work that no worker has?
    pub(crate) fn has_work(&self) -> bool {
        !self.state.lock().is_empty()
    }

    /// Has a worker work?
    pub(crate) fn is_active(&self) -> bool {
        self.state.lock().active != 0
    }

    /// A worker has work from now on, which it has not from here.
    pub(crate) fn enter(&self) {
        self.state.lock().active += 1;
    }

    /// A worker takes part, with work that it is given, unless there is none.
    pub(crate) fn begin(&self) -> Result<Batch, Turn> {
        self.ask(true)
    }

    /// A worker that takes part wants more.
    pub(crate) fn take(&self) -> Option<Batch> {
        self.state.lock().take()
    }

    /// A worker takes part no more. What it had is in the pool.
    pub(crate) fn leave(&self) -> Turn {
        let mut s = self.state.lock();
        s.active -= 1;
        s.turn()
    }

    /// A worker that has nothing, and is counted unless it asks `again`, is given something and
    /// counted, or neither.
    pub(crate) fn ask(&self, again: bool) -> Result<Batch, Turn> {
        let mut s = self.state.lock();
        match s.take() {
            Some(batch) => {
                s.active += usize::from(again);
                Ok(batch)
            }
            None => {
                s.active -= usize::from(!again);
                self.hungry.store(true, Ordering::Relaxed);
                Err(s.turn())
            }
        }
    }
}
