//! `GODEBUG=gccheckmark=1`: when a mark beside the program has ended, all is marked once more with
//! the world stopped, to see that nothing was missed.
//!
//! Go: runtime/mcheckmark.go.
#![allow(unsafe_code)]

use super::mark::Roots;
use super::{AllRoots, is_marked};
use crate::engine::RootVisitor;
use crate::heap::{Heap, Layout, LayoutId, layout};

/// What has been seen, and what of it is still to be looked at.
struct Seen<'a> {
    heap: &'a Heap,
    /// A bit for each word of the heap: an object that begins there has been seen.
    all: Vec<u64>,
    left: Vec<(usize, usize, LayoutId)>,
}

impl Seen<'_> {
    /// Dies if the word points to an object that is not marked.
    fn look(&mut self, word: usize, from: usize) {
        let Some((base, size, layout)) = self.heap.find_object(word) else {
            return;
        };
        let word_at = (base - self.heap.arena.address(0)) / 8;
        let (seen, bit) = (&mut self.all[word_at / 64], 1 << (word_at % 64));
        if *seen & bit != 0 {
            return;
        }
        *seen |= bit;
        if !is_marked(self.heap, base) {
            let holder = self.heap.find_object(from);
            super::eprint(format_args!(
                "runtime: checkmarks found unmarked object {word:#x} at {from:#x} of {holder:x?}\n"
            ));
            crate::throw!("checkmark found unmarked object");
        }
        if layout != LayoutId::NOSCAN {
            self.left.push((base, size, layout));
        }
    }

    fn look_into(&mut self, base: usize, words: usize, l: &Layout) {
        if !l.parts.is_empty() {
            for at in (0..words).step_by(l.words) {
                for part in l.parts.iter().filter(|p| at + p.at < words) {
                    let n = part.words.min(words - at - part.at);
                    self.look_into(base + (at + part.at) * 8, n, layout(part.layout));
                }
            }
            return;
        }
        for at in (0..words).step_by(l.words) {
            for i in 0..l.words.min(words - at) {
                let is_pointer = match l.words <= 64 {
                    true => (l.mask | l.maybe) >> i & 1 == 1,
                    false => {
                        l.offsets.contains(&(i as u32)) || l.maybe_offsets.contains(&(i as u32))
                    }
                };
                if is_pointer {
                    let at = base + (at + i) * 8;
                    // SAFETY: the object is allocated, and the world stopped.
                    self.look(unsafe { *(at as *const usize) }, at);
                }
            }
        }
    }
}

impl RootVisitor for Seen<'_> {
    fn word(&mut self, word: usize) {
        self.look(word, 0);
    }

    fn pointer(&mut self, at: *const usize) {
        // SAFETY: the caller gives readable memory.
        self.look(unsafe { *at }, at as usize);
    }

    /// What stands in native frames may be left over from before the mark.
    fn range(&mut self, lo: *const usize, n: usize) {
        for i in 0..n {
            // SAFETY: the caller gives readable memory.
            let word = unsafe { *lo.add(i) };
            if self
                .heap
                .find_object(word)
                .is_some_and(|o| is_marked(self.heap, o.0))
            {
                self.look(word, lo as usize + i * 8);
            }
        }
    }
}

/// Dies if something can be reached from the roots that is not marked.
///
/// Context: world stopped, a mark has just ended.
pub(super) fn check(heap: &Heap, roots: &AllRoots<'_>) {
    let mut seen = Seen {
        heap,
        all: vec![0; heap.arena.used().div_ceil(512)],
        left: Vec::new(),
    };
    for job in 0..roots.jobs() {
        roots.scan(job, &mut seen);
        while let Some((base, size, id)) = seen.left.pop() {
            seen.look_into(base, size / 8, layout(id));
        }
    }
}
