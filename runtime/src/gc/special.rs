//! What is to be done when an object dies: finalizers, cleanups, weak pointers, and side tables of
//! natives.
//!
//! The table is asked once per cycle, after the mark: entries of unmarked objects move to the
//! queue of the dead. A finalizer's object is marked first, with all it reaches, since the
//! finalizer will be given it.
//!
//! # Invariants
//!
//! - F1. `object` is the base of an allocated object; an entry never keeps its object alive.
//! - F2. The `words` of an entry are roots, in the table as in the queue; in the queue a
//!   finalizer's object is one too.
//! - F3. The handle of a weak pointer is 0 or a word in an object of the heap without pointers.
//!
//! Go: runtime/mfinal.go, mcleanup.go, mheap.go (special).

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
    pub(crate) dead: VecDeque<Special>,
    next_id: u64,
}

impl Specials {
    pub(crate) const fn new() -> Specials {
        Specials {
            table: BTreeMap::new(),
            dead: VecDeque::new(),
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

    /// Takes the weak pointers out of the queue; gives their handles.
    pub(super) fn take_weak(&mut self) -> impl Iterator<Item = usize> + use<> {
        let mut handles = Vec::new();
        self.dead.retain(|s| {
            if s.kind == SpecialKind::Weak {
                handles.push(s.words[0]);
            }
            s.kind != SpecialKind::Weak
        });
        handles.into_iter()
    }

    /// Takes back the entries of an object that `want` chooses; returns how many there were.
    pub(crate) fn remove(&mut self, object: usize, want: impl Fn(&Special) -> bool) -> usize {
        self.take(object, want).len()
    }

    /// Calls `word` with each root of F2, and returns the objects that have finalizers: what such
    /// an object points to must outlive it, so that finalizers run from the outside in.
    pub(crate) fn roots(&self, word: &mut dyn FnMut(usize)) -> Vec<usize> {
        let mut objects = Vec::with_capacity(self.table.len());
        for s in self.table.values() {
            s.words.iter().for_each(|w| word(*w));
            if s.kind == SpecialKind::Finalizer {
                objects.push(s.object);
            }
        }
        for s in &self.dead {
            s.words.iter().for_each(|w| word(*w));
            if s.kind == SpecialKind::Finalizer {
                word(s.object);
            }
        }
        objects
    }

    /// The objects in the table, in order; one with several entries so many times.
    pub(super) fn objects(&self) -> impl Iterator<Item = usize> {
        self.table.keys().map(|(object, _)| *object)
    }

    /// Moves the entries of one kind of objects that are dead to the queue; returns those that had
    /// one.
    pub(super) fn reap(&mut self, kind: SpecialKind, dead: &[usize]) -> Vec<usize> {
        let mut reaped = Vec::new();
        for &object in dead {
            for s in self.take(object, |s| s.kind == kind) {
                reaped.push(object);
                self.dead.push_back(s);
            }
        }
        reaped
    }
}
