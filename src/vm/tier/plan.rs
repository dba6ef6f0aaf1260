//! Which slots of a function are kept in registers, and where.
//!
//! A *region* is a loop, with all that is inside it, or all of a function behind its prologue. In a
//! region some slots have a register of the machine: it is loaded where control comes in, and holds
//! the slot's value throughout; memory gets it back where control leaves the region, or native
//! code. So what a hot loop writes goes to memory only where somebody could look.
//!
//! Which slots: those that save most. A use counts eightfold for each loop around it; against it
//! stands what loading and storing costs, where the region is entered and around instructions
//! that the interpreter does. Where the loops inside a loop gain more alone than all of it, they
//! are regions.
//!
//! Go: none; compare cmd/compile/internal/ssa/regalloc.go.

use super::asm::{Gpr, RBP, RBX, Xmm};
use std::collections::BTreeMap;

/// The registers that slots may have.
const GPRS: [Gpr; 10] = [
    RBX,
    RBP,
    Gpr(8),
    Gpr(9),
    Gpr(10),
    Gpr(11),
    Gpr(12),
    Gpr(13),
    Gpr(14),
    Gpr(15),
];
const XMMS: [Xmm; 12] = [
    Xmm(4),
    Xmm(5),
    Xmm(6),
    Xmm(7),
    Xmm(8),
    Xmm(9),
    Xmm(10),
    Xmm(11),
    Xmm(12),
    Xmm(13),
    Xmm(14),
    Xmm(15),
];

/// How an instruction uses a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Use {
    /// Read as an integer or a pointer, as a floating-point number, as 64 bits.
    Int,
    Float,
    Bits,
    /// Written so.
    SetInt,
    SetFloat,
    SetBits,
    /// Read or written in memory.
    Memory,
}

impl Use {
    fn writes(self) -> bool {
        matches!(self, Use::SetInt | Use::SetFloat | Use::SetBits)
    }
}

/// What is to be known of an instruction.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    pub(super) uses: Vec<(u16, Use)>,
    /// All slots are in memory before and after it.
    pub(super) leaves: bool,
    /// Where it jumps to: index of an instruction.
    pub(super) target: Option<usize>,
}

/// Where a slot is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Home {
    Memory,
    Gpr(Gpr),
    Xmm(Xmm),
}

/// A slot that is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Kept {
    pub(super) slot: u16,
    pub(super) home: Home,
    /// It is written in the region.
    pub(super) is_written: bool,
}

/// A region: instructions `from..to`, by their index.
#[derive(Clone, Debug)]
pub(super) struct Region {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) kept: Vec<Kept>,
}

/// A loop: instructions `from..to`, and the loops inside.
#[derive(Debug)]
struct Loop {
    from: usize,
    to: usize,
    inner: Vec<Loop>,
    /// It is no loop, but the function.
    is_whole: bool,
}

/// Loops deeper than this count no more.
const DEEPEST: u32 = 5;
/// Loops inside so many others are no regions of their own, lest deep nests take long.
const MOST_AROUND: usize = 16;
/// More slots than this are not looked at.
const MOST_SLOTS: usize = 4096;

fn weight(depth: u32) -> i64 {
    1 << (3 * depth.min(DEEPEST))
}

/// The regions of the code, in order. If that gains more than its loops alone, all of it from
/// instruction `first` on is one.
pub(super) fn regions(code: &[Known], first: usize) -> Vec<Region> {
    let mut slots = code.iter().flat_map(|k| &k.uses).map(|u| u.0 as usize);
    if slots.any(|slot| slot >= MOST_SLOTS) || first >= code.len() {
        return Vec::new();
    }
    let flat = loops(code);
    let depths = depths(code.len(), &flat);
    let whole = Loop {
        from: first,
        to: code.len(),
        inner: nest(flat),
        is_whole: true,
    };
    best(code, &depths, &whole).1
}

/// Ranges between a target and the last jump back to it, widened until each two are apart or one in
/// the other: the outer one comes first.
fn loops(code: &[Known]) -> Vec<(usize, usize)> {
    let mut ends = BTreeMap::new();
    for (i, k) in code.iter().enumerate() {
        if let Some(from) = k.target.filter(|t| *t <= i) {
            ends.insert(from, i + 1);
        }
    }
    let mut all = Vec::new();
    // One in the other, the innermost last.
    let mut open: Vec<(usize, usize)> = Vec::new();
    for (mut from, to) in ends {
        while let Some(l) = open.pop_if(|l| l.1 < to) {
            match l.1 <= from {
                true => all.push(l),
                false => from = l.0,
            }
        }
        open.push((from, to));
    }
    all.extend(open);
    all.sort_unstable();
    all
}

/// How many of the loops are around each of `n` instructions.
fn depths(n: usize, flat: &[(usize, usize)]) -> Vec<u32> {
    let mut change = vec![0_i32; n + 1];
    for (from, to) in flat {
        change[*from] += 1;
        change[*to] -= 1;
    }
    let depths = change.iter().scan(0, |depth, change| {
        *depth += change;
        Some(*depth as u32)
    });
    depths.collect()
}

/// The loops as a forest, from a list in which the outer one comes first.
fn nest(flat: Vec<(usize, usize)>) -> Vec<Loop> {
    fn within(
        flat: &mut std::iter::Peekable<std::vec::IntoIter<(usize, usize)>>,
        end: usize,
        around: usize,
    ) -> Vec<Loop> {
        let mut all = Vec::new();
        while let Some((from, to)) = flat.next_if(|l| l.0 < end) {
            if around < MOST_AROUND {
                let inner = within(flat, to, around + 1);
                all.push(Loop {
                    from,
                    to,
                    inner,
                    is_whole: false,
                });
            }
        }
        all
    }
    within(&mut flat.into_iter().peekable(), usize::MAX, 0)
}

/// The best regions for the loop, and what they gain.
fn best(code: &[Known], depths: &[u32], l: &Loop) -> (i64, Vec<Region>) {
    let (gain, kept) = keep(code, depths, l);
    let inner = l.inner.iter().map(|i| best(code, depths, i));
    let inner: Vec<_> = inner.collect();
    let gain_inside: i64 = inner.iter().map(|i| i.0).sum();
    if gain_inside > gain {
        return (gain_inside, inner.into_iter().flat_map(|i| i.1).collect());
    }
    if gain <= 0 {
        return (0, Vec::new());
    }
    let (from, to) = (l.from, l.to);
    (gain, vec![Region { from, to, kept }])
}

/// What is known of a slot in a loop.
#[derive(Clone, Copy, Default)]
struct Score {
    uses: i64,
    floats: i64,
    ints: i64,
    is_written: bool,
    is_in_memory: bool,
}

/// The slots to be kept in the loop, and what that gains.
fn keep(code: &[Known], depths: &[u32], l: &Loop) -> (i64, Vec<Kept>) {
    let mut scores = BTreeMap::<u16, Score>::new();
    let mut left = 0;
    for (k, depth) in code[l.from..l.to].iter().zip(&depths[l.from..]) {
        let w = weight(*depth);
        if k.leaves {
            left += w;
        }
        for &(slot, how) in &k.uses {
            let s = scores.entry(slot).or_default();
            s.uses += w;
            s.is_written |= how.writes();
            match how {
                Use::Int | Use::SetInt => s.ints += w,
                Use::Float | Use::SetFloat => s.floats += w,
                Use::Bits | Use::SetBits => {}
                Use::Memory => s.is_in_memory = true,
            }
        }
    }
    // No other loop begins where this one does.
    let outside = weight(depths[l.from].saturating_sub(1));
    let loads = outside + left;
    // What is left by returning is not stored.
    let stores = if l.is_whole { left } else { loads };
    let mut ranked: Vec<(i64, u16)> = Vec::new();
    for (slot, s) in &scores {
        let gain = s.uses - loads - stores * i64::from(s.is_written);
        if gain > 0 && !s.is_in_memory {
            ranked.push((gain, *slot));
        }
    }
    ranked.sort_by_key(|(gain, slot)| (-gain, *slot));
    let (mut gprs, mut xmms) = (GPRS.iter(), XMMS.iter());
    let mut gain = 0;
    let mut kept = Vec::new();
    for (g, slot) in ranked {
        let s = &scores[&slot];
        let home = match s.floats > s.ints {
            true => xmms.next().map(|x| Home::Xmm(*x)),
            false => gprs.next().map(|r| Home::Gpr(*r)),
        };
        let Some(home) = home else { continue };
        gain += g;
        let is_written = s.is_written;
        kept.push(Kept {
            slot,
            home,
            is_written,
        });
    }
    (gain, kept)
}

/// One region of all the code, in which slots are kept as `seed` says.
#[cfg(test)]
pub(super) fn forced(code: &[Known], seed: u64) -> Vec<Region> {
    let mut all = BTreeMap::new();
    for (slot, how) in code.iter().flat_map(|k| &k.uses) {
        let s: &mut Score = all.entry(*slot).or_default();
        s.is_written |= how.writes();
        s.is_in_memory |= *how == Use::Memory;
    }
    let (mut gprs, mut xmms) = (GPRS.iter(), XMMS.iter());
    let mut kept = Vec::new();
    for (k, (slot, s)) in all.into_iter().enumerate() {
        let home = match (seed >> (2 * (k % 32))) & 3 {
            _ if s.is_in_memory => None,
            0 => None,
            1 => xmms.next().map(|x| Home::Xmm(*x)),
            _ => gprs.next().map(|r| Home::Gpr(*r)),
        };
        let is_written = s.is_written;
        kept.extend(home.map(|home| Kept {
            slot,
            home,
            is_written,
        }));
    }
    let to = code.len();
    vec![Region { from: 0, to, kept }]
}

#[cfg(test)]
mod tests;
