//! Virtual slots and where they are free.
//!
//! A [`Slot`] names an area and an index in it: fixed (results, parameters, closure word),
//! pointers, scalars, window. What a value with pointers takes lies wholly in the pointer area,
//! with the kinds of its words. Slots are taken and given back like a stack; what is given back is
//! reused by values of the same kinds only (compile::C2).

use super::TypeInfo;
use bytecode::func::Word;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A virtual slot. `link` gives it its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Slot(pub(super) u32);

/// Areas of a frame, in the top bits of a slot.
pub(super) const FIXED: u32 = 0;
pub(super) const POINTERS: u32 = 1 << 28;
pub(super) const SCALARS: u32 = 2 << 28;
pub(super) const WINDOW: u32 = 3 << 28;
pub(super) const AREA: u32 = 15 << 28;

impl Slot {
    /// No slot: what an optional operand says, and where values without size are.
    pub(super) const NONE: Slot = Slot(u32::MAX);

    pub(super) fn fixed(i: u32) -> Slot {
        Slot(FIXED | i)
    }
    pub(super) fn window(i: u32) -> Slot {
        Slot(WINDOW | i)
    }
    pub(super) fn area(self) -> u32 {
        self.0 & AREA
    }
    pub(super) fn is_window(self) -> bool {
        self != Slot::NONE && self.area() == WINDOW
    }
    /// The slot `n` further on.
    pub(super) fn plus(self, n: u32) -> Slot {
        if self == Slot::NONE {
            self
        } else {
            Slot(self.0 + n)
        }
    }
}

/// What makes slots interchangeable.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Pattern {
    Scalars(u32),
    Words(Rc<[Word]>),
}

/// The slots of one function.
#[derive(Default)]
pub(super) struct Alloc {
    /// Kinds of the pointer area.
    pub(super) pointers: Vec<Word>,
    pub(super) n_scalars: u32,
    free: FxHashMap<Pattern, Vec<u32>>,
    live: Vec<(Slot, Pattern)>,
}

impl Alloc {
    /// Slots for a value.
    pub(super) fn take(&mut self, ti: &TypeInfo) -> Slot {
        self.take_words(&ti.words)
    }

    /// One scalar slot.
    pub(super) fn scalar(&mut self) -> Slot {
        self.take_words(&[Word::Scalar])
    }

    /// One pointer slot.
    pub(super) fn pointer(&mut self) -> Slot {
        self.take_words(&[Word::Pointer])
    }

    /// One pointer slot that is never given back.
    pub(super) fn pointer_for_good(&mut self) -> Slot {
        self.pointers.push(Word::Pointer);
        Slot(POINTERS | (self.pointers.len() as u32 - 1))
    }

    /// Consecutive slots of these kinds.
    pub(super) fn take_words(&mut self, words: &[Word]) -> Slot {
        if words.is_empty() {
            return Slot::NONE;
        }
        let n = words.len() as u32;
        let pattern = if words.iter().all(|w| *w == Word::Scalar) {
            Pattern::Scalars(n)
        } else {
            Pattern::Words(words.into())
        };
        let slot = match (self.free.get_mut(&pattern).and_then(Vec::pop), &pattern) {
            (Some(s), _) => Slot(s),
            (None, Pattern::Scalars(_)) => {
                self.n_scalars += n;
                Slot(SCALARS | (self.n_scalars - n))
            }
            (None, Pattern::Words(_)) => {
                self.pointers.extend_from_slice(words);
                Slot(POINTERS | (self.pointers.len() as u32 - n))
            }
        };
        self.live.push((slot, pattern));
        slot
    }

    /// Was the slot taken after `mark`?
    pub(super) fn is_taken_since(&self, slot: Slot, mark: usize) -> bool {
        self.live.iter().skip(mark).any(|(s, _)| *s == slot)
    }

    /// Slots of both areas.
    pub(super) fn size(&self) -> u32 {
        self.n_scalars + self.pointers.len() as u32
    }

    /// What is taken from now on ends with `release` of this mark.
    pub(super) fn mark(&self) -> usize {
        self.live.len()
    }

    /// Gives back what was taken since `mark`.
    pub(super) fn release(&mut self, mark: usize) {
        while self.live.len() > mark {
            if let Some((slot, pattern)) = self.live.pop() {
                self.free.entry(pattern).or_default().push(slot.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_equal_kinds_share_slots() {
        let mut a = Alloc::default();
        let m = a.mark();
        let s = a.scalar();
        let p = a.take_words(&[Word::Pointer, Word::Scalar]);
        a.release(m);
        assert_eq!(a.scalar(), s);
        assert_ne!(a.pointer(), p);
        assert_eq!(a.take_words(&[Word::Pointer, Word::Scalar]), p);
        assert_eq!(a.pointers.len(), 3);
    }
}
