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
    table: BTreeMap<usize, Vec<Special>>,
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
        let list = self.table.entry(object).or_default();
        let is_same = |s: &Special| s.kind == kind && s.within == within;
        if kind == SpecialKind::Finalizer && list.iter().any(is_same) {
            return None;
        }
        let id = self.next_id;
        self.next_id += 1;
        list.push(Special {
            object,
            within,
            kind,
            words,
            id,
        });
        Some(id)
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
        let list = self.table.get(&object).map_or(&[][..], |l| l);
        let is_same = |s: &&Special| s.kind == kind && s.within == within;
        if let Some(s) = list.iter().find(is_same) {
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
        let Some(list) = self.table.get_mut(&object) else {
            return 0;
        };
        let before = list.len();
        list.retain(|s| !want(s));
        let gone = before - list.len();
        if list.is_empty() {
            self.table.remove(&object);
        }
        gone
    }

    /// Calls `word` with each root of F2, and returns the objects that have finalizers: what such
    /// an object points to must outlive it, so that finalizers run from the outside in.
    pub(crate) fn roots(&self, word: &mut dyn FnMut(usize)) -> Vec<usize> {
        for s in self.table.values().flatten() {
            s.words.iter().for_each(|w| word(*w));
        }
        for s in &self.dead {
            s.words.iter().for_each(|w| word(*w));
            if s.kind == SpecialKind::Finalizer {
                word(s.object);
            }
        }
        self.table
            .values()
            .flatten()
            .filter(|s| s.kind == SpecialKind::Finalizer)
            .map(|s| s.object)
            .collect()
    }

    /// Moves the entries of one kind whose object is dead to the queue; returns the objects.
    pub(super) fn reap(
        &mut self,
        kind: SpecialKind,
        is_marked: impl Fn(usize) -> bool,
    ) -> Vec<usize> {
        let mut objects = Vec::new();
        for (&object, list) in &mut self.table {
            if is_marked(object) {
                continue;
            }
            for s in list.extract_if(.., |s| s.kind == kind) {
                objects.push(object);
                self.dead.push_back(s);
            }
        }
        self.table.retain(|_, list| !list.is_empty());
        objects
    }
}
