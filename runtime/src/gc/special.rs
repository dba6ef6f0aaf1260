//! What is to be done when an object dies: finalizers, cleanups, weak pointers, and side tables of
//! natives.
//!
//! The table is asked once per cycle, after the mark: entries of unmarked objects move to the
//! queue of the dead. A finalizer's object is marked first, with all it reaches, since the
//! finalizer will be given it. A long table is gone through in pieces, beside the program.
//!
//! # Invariants
//!
//! - F1. `object` is the base of an allocated object; an entry never keeps its object alive.
//! - F2. The `words` of an entry are roots, in the table as in the queue; in the queue a
//!   finalizer's object is one too.
//! - F3. The handle of a weak pointer is 0 or a word in an object of the heap without pointers.
//!
//! Go: runtime/mfinal.go, mcleanup.go, mheap.go (special).

#![allow(unsafe_code)]

use crate::sync::{AtomicUsize, Ordering};
use std::collections::{BTreeMap, VecDeque};

/// What happens when an object dies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SpecialKind {
    /// The object lives once more, for `runtime.SetFinalizer`; one per place in an object (several
    /// values may share one).
    Finalizer,
    /// The object is gone, for `runtime.AddCleanup` and side tables; any number per object.
    Cleanup,
    /// The object is gone and a weak pointer's handle is to be cleared: `words[0]` is the handle.
    Weak,
}

/// One entry: what [`add_special`](super::add_special) was given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Special {
    /// Base of the object.
    pub object: usize,
    /// Bytes from there to what was given.
    pub within: usize,
    /// What to do.
    pub kind: SpecialKind,
    /// Words of the function that added it; they are treated as roots.
    pub words: [usize; 3],
    /// Names the entry, to take it back.
    pub id: u64,
}

/// The table and the queue.
#[derive(Debug, Default)]
pub(super) struct Specials {
    /// By object and id: those of an object stand together.
    table: BTreeMap<(usize, u64), Special>,
    pub(super) dead: Queue,
    next_id: u64,
}

/// Entries that are due, in pieces: however many there are, it takes a moment to add them, and to
/// give back the memory of those that have been taken.
#[derive(Debug, Default)]
pub(super) struct Queue {
    /// None is empty.
    pieces: VecDeque<VecDeque<Special>>,
    /// How many have been taken from it.
    taken: u64,
}

impl Queue {
    const fn new() -> Queue {
        Queue {
            pieces: VecDeque::new(),
            taken: 0,
        }
    }

    fn add(&mut self, piece: VecDeque<Special>) {
        if !piece.is_empty() {
            self.pieces.push_back(piece);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Special> {
        self.pieces.iter().flatten()
    }

    /// Takes the first.
    pub(super) fn pop(&mut self) -> Option<Special> {
        let piece = self.pieces.front_mut()?;
        let first = piece.pop_front();
        if piece.is_empty() {
            self.pieces.pop_front();
        }
        self.taken += 1;
        first
    }
}

/// How far roots have been taken from table and queue, piece by piece.
#[derive(Clone, Copy, Debug)]
pub(super) enum RootsAt {
    /// The next entry of the table.
    Table((usize, u64)),
    /// The next one of the queue, as counted from the first that ever was in it.
    Dead(u64),
}

impl RootsAt {
    pub(super) const FIRST: RootsAt = RootsAt::Table((0, 0));
}

/// What is done about dead objects after a mark, piece by piece.
#[derive(Debug)]
pub(super) struct Reap {
    step: ReapStep,
    /// The next entry.
    at: (usize, u64),
    /// For the queue.
    dead: Queue,
    /// Objects that their finalizers will be given.
    revived: Vec<usize>,
}

/// What a [`Reap`] does next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ReapStep {
    /// Weak pointers are cleared, before a finalizer could revive what they point to, and
    /// finalizers taken.
    Finalizers,
    /// All that finalizers will be given is to be marked, with what it reaches.
    Mark,
    /// What is dead now is gone.
    Cleanups,
    Done,
}

impl Reap {
    pub(super) fn new() -> Reap {
        Reap {
            step: ReapStep::Finalizers,
            at: (0, 0),
            dead: Queue::new(),
            revived: Vec::new(),
        }
    }

    pub(super) fn step(&self) -> ReapStep {
        self.step
    }

    /// `n` of the objects to be marked in that step, which is over with the last.
    pub(super) fn take_revived(&mut self, n: usize) -> Vec<usize> {
        let left = self.revived.len().saturating_sub(n);
        if left == 0 {
            self.step = ReapStep::Cleanups;
            return std::mem::take(&mut self.revived);
        }
        self.revived.split_off(left)
    }

    /// Goes through `n` entries of the table, and takes those that are due; `is_dead` tells of an
    /// object.
    ///
    /// # Safety
    ///
    /// F3; the objects that are said to be dead stay so.
    pub(super) unsafe fn piece(
        &mut self,
        t: &mut Specials,
        n: usize,
        is_dead: &dyn Fn(usize) -> bool,
    ) {
        use SpecialKind::*;
        let mut due = Vec::new();
        let mut next = None;
        for (i, (key, s)) in t.table.range(self.at..).enumerate() {
            if i == n {
                next = Some(*key);
                break;
            }
            let is_due = match self.step {
                ReapStep::Finalizers => matches!(s.kind, Weak | Finalizer),
                _ => s.kind == Cleanup,
            };
            if is_due && is_dead(s.object) {
                due.push(*key);
            }
        }
        let mut dead = VecDeque::new();
        for key in due {
            let Some(s) = t.table.remove(&key) else {
                continue;
            };
            match s.kind {
                // SAFETY: F3.
                Weak if s.words[0] != 0 => unsafe {
                    (*(s.words[0] as *const AtomicUsize)).store(0, Ordering::Relaxed);
                },
                Weak => {}
                Cleanup if crate::fault!(ForgetCleanups) => {}
                Cleanup => dead.push_back(s),
                Finalizer => {
                    self.revived.push(s.object);
                    dead.push_back(s);
                }
            }
        }
        self.dead.add(dead);
        (self.at, self.step) = match (next, self.step) {
            (Some(at), step) => (at, step),
            (None, ReapStep::Finalizers) => ((0, 0), ReapStep::Mark),
            (None, _) => ((0, 0), ReapStep::Done),
        };
    }

    /// Puts what has been taken into the queue.
    pub(super) fn publish(self, t: &mut Specials) {
        t.dead.pieces.extend(self.dead.pieces);
    }
}

impl Specials {
    pub(crate) const fn new() -> Specials {
        Specials {
            table: BTreeMap::new(),
            dead: Queue::new(),
            next_id: 1,
        }
    }

    /// Adds an entry for the place `within` bytes into the object; `None` if it already has a
    /// finalizer and this is another.
    pub(crate) fn add(
        &mut self,
        object: usize,
        within: usize,
        kind: SpecialKind,
        words: [usize; 3],
    ) -> Option<u64> {
        let is_same = |s: &Special| s.kind == kind && s.within == within;
        if kind == SpecialKind::Finalizer && self.of(object).any(is_same) {
            return None;
        }
        let id = self.next_id;
        self.next_id += 1;
        let special = Special {
            object,
            within,
            kind,
            words,
            id,
        };
        self.table.insert((object, id), special);
        Some(id)
    }

    /// The entries of an object, in the order in which they were added.
    fn of(&self, object: usize) -> impl Iterator<Item = &Special> {
        let ids = (object, 0)..=(object, u64::MAX);
        self.table.range(ids).map(|(_, s)| s)
    }

    /// Takes the entries of an object out that `want` chooses.
    fn take(&mut self, object: usize, want: impl Fn(&Special) -> bool) -> Vec<Special> {
        let taken: Vec<Special> = self.of(object).filter(|s| want(s)).copied().collect();
        for s in &taken {
            self.table.remove(&(object, s.id));
        }
        taken
    }

    /// The words of the entry of this kind for the place `within` bytes into the object, which is
    /// added if there is none.
    pub(crate) fn share(
        &mut self,
        object: usize,
        within: usize,
        kind: SpecialKind,
        words: [usize; 3],
    ) -> [usize; 3] {
        let is_same = |s: &&Special| s.kind == kind && s.within == within;
        if let Some(s) = self.of(object).find(is_same) {
            return s.words;
        }
        self.add(object, within, kind, words);
        words
    }

    /// How many entries the table has.
    pub(super) fn len(&self) -> usize {
        self.table.len()
    }

    /// Takes back the entries of an object that `want` chooses; returns how many there were.
    pub(crate) fn remove(&mut self, object: usize, want: impl Fn(&Special) -> bool) -> usize {
        self.take(object, want).len()
    }

    /// Gives up to `n` entries' roots of F2 from `at` on: `word` is called with each, and returned
    /// are the objects that have finalizers, since what such an object points to must outlive it,
    /// so that finalizers run from the outside in; and where to go on, if there are more.
    pub(super) fn roots(
        &self,
        at: RootsAt,
        n: usize,
        word: &mut dyn FnMut(usize),
    ) -> (Vec<usize>, Option<RootsAt>) {
        let mut objects = Vec::new();
        match at {
            RootsAt::Table(from) => {
                for (i, (key, s)) in self.table.range(from..).enumerate() {
                    if i == n {
                        return (objects, Some(RootsAt::Table(*key)));
                    }
                    s.words.iter().for_each(|w| word(*w));
                    if s.kind == SpecialKind::Finalizer {
                        objects.push(s.object);
                    }
                }
                (objects, Some(RootsAt::Dead(self.dead.taken)))
            }
            RootsAt::Dead(from) => {
                // Those taken meanwhile have been kept by who took them.
                let from = from.max(self.dead.taken);
                let mut left = self.dead.iter().skip((from - self.dead.taken) as usize);
                for s in left.by_ref().take(n) {
                    s.words.iter().for_each(|w| word(*w));
                    if s.kind == SpecialKind::Finalizer {
                        word(s.object);
                    }
                }
                let next = RootsAt::Dead(from.saturating_add(n as u64));
                (objects, left.next().map(|_| next))
            }
        }
    }
}
