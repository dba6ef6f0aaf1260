//! Searching with the engine that suits, and iterating over matches.

use super::automaton::{Automaton, GaveUp};
use super::program::{Program, decode};
use super::threads::{self, Memory, NONE};

/// What a search works with besides the program. No two share one at a time.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    forward: Option<Automaton>,
    reverse: Option<Automaton>,
    memory: Memory,
}

/// With more classes a state of an automaton takes too much memory.
const MOST_CLASSES: usize = 1 << 14;

impl Scratch {
    pub(super) fn bytes(&self) -> usize {
        let of = |a: &Option<Automaton>| a.as_ref().map_or(0, Automaton::bytes);
        of(&self.forward) + of(&self.reverse) + self.memory.bytes() + 256
    }

    /// Finds the leftmost match from `at` on, and the first `slots.len()` of its slots (of which
    /// there are two at least; without any, it is asked only whether there is one).
    pub(super) fn find(
        &mut self,
        p: &Program,
        text: &[u8],
        at: usize,
        slots: &mut [usize],
    ) -> bool {
        slots.fill(NONE);
        if p.is_impossible || p.is_anchored && at > 0 {
            return false;
        }
        if p.is_literal && slots.len() <= 2 {
            if let Some(literal) = &p.prefix {
                let Some(i) = literal.find(&text[at..]) else {
                    return false;
                };
                if let [begin, end] = slots {
                    *begin = at + i;
                    *end = at + i + literal.needle().len();
                }
                return true;
            }
        }
        match self.find_range(p, text, at, slots.is_empty()) {
            Ok(None) => return false,
            Ok(Some((begin, end))) => {
                if let [b, e] = slots {
                    (*b, *e) = (begin, end);
                } else if slots.len() > 2 {
                    if threads::can_backtrack(p, end - begin) {
                        threads::backtrack(p, &mut self.memory, text, (begin, end), slots);
                    } else {
                        let range = (begin, end);
                        threads::all_paths(p, &mut self.memory, text, range, false, slots);
                    }
                }
                return true;
            }
            Err(GaveUp) => {}
        }
        let anywhere = !p.is_anchored;
        threads::all_paths(p, &mut self.memory, text, (at, text.len()), anywhere, slots)
    }

    fn find_range(
        &mut self,
        p: &Program,
        text: &[u8],
        at: usize,
        any: bool,
    ) -> Result<Option<(usize, usize)>, GaveUp> {
        if p.classes.len() > MOST_CLASSES {
            return Err(GaveUp);
        }
        let forward = self.forward.get_or_insert_with(|| Automaton::forward(p));
        let Some(end) = forward.end(p, text, at, any)? else {
            return Ok(None);
        };
        if any || p.is_anchored {
            return Ok(Some((at, end)));
        }
        let reverse = self.reverse.get_or_insert_with(|| Automaton::reverse(p));
        let begin = reverse.begin(p, text, at, end)?;
        Ok(begin.map(|begin| (begin, end)))
    }

    /// Each match that does not touch the one before as an empty one, at most `most` of them.
    /// Go: regexp.(*Regexp).matches.
    pub(super) fn all(
        &mut self,
        p: &Program,
        text: &[u8],
        most: usize,
        slots: &mut [usize],
        each: &mut dyn FnMut(&[usize]),
    ) {
        let (mut at, mut last, mut count) = (0, NONE, 0);
        while at <= text.len() && count < most && self.find(p, text, at, slots) {
            let (begin, end) = (slots[0], slots[1]);
            let counts = end != at || begin != last;
            at = match end == at {
                false => end,
                true if at < text.len() => at + decode(&text[at..]).1,
                true => text.len() + 1,
            };
            last = end;
            if counts {
                count += 1;
                each(slots);
            }
        }
    }

    /// Calls `each` with where the text that stays begins before each match, and the match, or
    /// without that if an empty match follows another match. The result is where the rest begins.
    /// Go: regexp.(*Regexp).replaceAll.
    pub(super) fn between(
        &mut self,
        p: &Program,
        text: &[u8],
        slots: &mut [usize],
        each: &mut dyn FnMut(usize, &[usize], bool),
    ) -> usize {
        let (mut at, mut last) = (0, 0);
        while at <= text.len() && self.find(p, text, at, slots) {
            let (begin, end) = (slots[0], slots[1]);
            each(last, slots, end > last || begin == 0);
            last = end;
            let width = text.get(at..).filter(|t| !t.is_empty());
            let width = width.map_or(0, |t| decode(t).1);
            at = if at + width > end {
                at + width
            } else if at + 1 > end {
                at + 1
            } else {
                end
            };
        }
        last
    }
}
