//! The blocks of a function's code, and sets of bits for data flow over them.

use super::effects::target;
use super::encode::Instr;
use super::op::{Flow, Op};

/// A straight run of instructions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// Index of the first instruction, and behind the last.
    pub(super) from: usize,
    pub(super) to: usize,
    /// The blocks that control goes to: falling through, and by a jump.
    pub(super) succ: [usize; 2],
}

/// No block.
pub(super) const NO_BLOCK: usize = usize::MAX;

/// Cuts instructions, which stand at ascending words, into blocks. `defer_return`: where a
/// recovered frame goes on, or 0.
pub(super) fn blocks(code: &[(usize, Instr)], defer_return: usize) -> Vec<Block> {
    let mut starts = vec![0, defer_return];
    for (at, i) in code {
        let next = at + i.op.words();
        if let Some(t) = target(*at, i) {
            starts.extend([t, next]);
        } else if ends_block(i.op) {
            starts.push(next);
        }
        if i.op.flow() == Flow::Halves {
            starts.push(next + i.op.words());
        }
    }
    starts.sort_unstable();
    starts.dedup();
    let index = |at: usize| code.binary_search_by_key(&at, |c| c.0).ok();
    let firsts: Vec<usize> = starts.iter().filter_map(|at| index(*at)).collect();
    let block_of = |at: usize| {
        let found = index(at).and_then(|i| firsts.binary_search(&i).ok());
        found.unwrap_or(NO_BLOCK)
    };
    let ends = firsts.iter().skip(1).copied().chain([code.len()]);
    firsts
        .iter()
        .zip(ends)
        .map(|(&from, to)| {
            let (at, i) = &code[to - 1];
            let next = at + i.op.words();
            let falls = if i.op.ends() {
                NO_BLOCK
            } else {
                block_of(next)
            };
            let jumps = match target(*at, i) {
                Some(t) => block_of(t),
                None if i.op.flow() == Flow::Halves => block_of(next + i.op.words()),
                None => NO_BLOCK,
            };
            let succ = [falls, jumps];
            Block { from, to, succ }
        })
        .collect()
}

fn ends_block(op: Op) -> bool {
    op.flow() != Flow::Next || matches!(op, Op::Defer | Op::DeferList)
}

/// Sets of bits, all of the same length.
pub(super) struct Sets {
    words: usize,
    bits: Vec<u64>,
}

impl Sets {
    /// `n` sets of `words` words, each word being `fill`.
    pub(super) fn new(n: usize, words: usize, fill: u64) -> Sets {
        Sets {
            words,
            bits: vec![fill; n * words],
        }
    }
    pub(super) fn get(&self, i: usize) -> &[u64] {
        &self.bits[i * self.words..(i + 1) * self.words]
    }
    pub(super) fn get_mut(&mut self, i: usize) -> &mut [u64] {
        &mut self.bits[i * self.words..(i + 1) * self.words]
    }
}

pub(super) fn set(bits: &mut [u64], i: usize) {
    bits[i / 64] |= 1 << (i % 64);
}

pub(super) fn clear(bits: &mut [u64], i: usize) {
    bits[i / 64] &= !(1 << (i % 64));
}

pub(super) fn has(bits: &[u64], i: usize) -> bool {
    bits[i / 64] >> (i % 64) & 1 == 1
}

pub(super) fn unite(to: &mut [u64], from: &[u64]) {
    to.iter_mut().zip(from).for_each(|(t, f)| *t |= f);
}

/// Keeps in `to` what is in `from` too; did anything go?
pub(super) fn intersect(to: &mut [u64], from: &[u64]) -> bool {
    let mut changed = false;
    for (t, f) in to.iter_mut().zip(from) {
        changed |= *t & !f != 0;
        *t &= f;
    }
    changed
}
