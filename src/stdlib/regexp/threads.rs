//! The engines that know of groups: one that tries path after path, and one that follows all at
//! once.
//!
//! Both take the path that a backtracking search would take first: [`backtrack`] by trying them in
//! that order and never being twice with one instruction at one position; [`all_paths`] by keeping
//! its threads in that order. The former is faster, and needs a bit for each instruction and
//! position; the latter is as fast as it is on the worst of texts.
//!
//! Go: regexp/backtrack.go, regexp/exec.go.

use super::program::{Inst, Program, conditions_at, decode};

/// A slot that nothing was noted in.
pub(super) const NONE: usize = usize::MAX;

/// Memory for the engines.
#[derive(Debug, Default)]
pub(super) struct Memory {
    visited: Vec<u64>,
    jobs: Vec<Job>,
    now: Threads,
    then: Threads,
    slots: Vec<usize>,
}

impl Memory {
    pub(super) fn bytes(&self) -> usize {
        (self.visited.capacity() + self.now.slots.capacity() + self.then.slots.capacity()) * 8
            + self.jobs.capacity() * 24
            + (self.now.seen.capacity() + self.now.order.capacity()) * 8
    }
}

#[derive(Clone, Copy, Debug)]
enum Job {
    /// Go on with an instruction at a position.
    Go(u32, usize),
    /// A slot has its former value again.
    Undo(u32, usize),
}

/// Bits that [`backtrack`] may take.
const MOST_BITS: usize = 1 << 20;

/// Whether [`backtrack`] is for so long a text.
pub(super) fn can_backtrack(p: &Program, len: usize) -> bool {
    p.insts.len().saturating_mul(len + 1) <= MOST_BITS
}

/// Fills the slots of the match that is known to be from `begin` to `end`.
pub(super) fn backtrack(
    p: &Program,
    m: &mut Memory,
    text: &[u8],
    (begin, end): (usize, usize),
    slots: &mut [usize],
) {
    let len = end - begin + 1;
    m.visited.clear();
    m.visited.resize((p.insts.len() * len).div_ceil(64), 0);
    m.jobs.clear();
    m.jobs.push(Job::Go(p.start, begin));
    while let Some(job) = m.jobs.pop() {
        let (mut pc, mut at) = match job {
            Job::Go(pc, at) => (pc, at),
            Job::Undo(slot, at) => {
                slots[slot as usize] = at;
                continue;
            }
        };
        loop {
            let bit = pc as usize * len + at - begin;
            let word = &mut m.visited[bit / 64];
            if *word >> (bit % 64) & 1 != 0 {
                break;
            }
            *word |= 1 << (bit % 64);
            match p.insts[pc as usize] {
                Inst::Alt(a, b) => {
                    m.jobs.push(Job::Go(b, at));
                    pc = a;
                }
                Inst::Nop(to) => pc = to,
                Inst::Capture(slot, to) => {
                    if let Some(place) = slots.get_mut(slot as usize) {
                        m.jobs.push(Job::Undo(slot, *place));
                        *place = at;
                    }
                    pc = to;
                }
                Inst::Empty(c, to) if c & !conditions_at(text, at) == 0 => pc = to,
                Inst::Set(set, to) if at < end => {
                    let (c, width) = decode(&text[at..end]);
                    if !p.sets[set as usize].has(c) {
                        break;
                    }
                    at += width;
                    pc = to;
                }
                Inst::Match if at == end => {
                    (slots[0], slots[1]) = (begin, end);
                    return;
                }
                _ => break,
            }
        }
    }
}

/// Threads in order of preference, with the slots of each; and which instructions have been seen.
#[derive(Debug, Default)]
struct Threads {
    seen: Vec<u32>,
    order: Vec<u32>,
    list: Vec<u32>,
    slots: Vec<usize>,
}

impl Threads {
    fn clear(&mut self, p: &Program) {
        self.seen.resize(p.insts.len(), 0);
        self.order.clear();
        self.list.clear();
        self.slots.clear();
    }

    /// Whether this is the first time that it is asked for.
    fn see(&mut self, pc: u32) -> bool {
        let i = self.seen[pc as usize] as usize;
        if self.order.get(i) == Some(&pc) {
            return false;
        }
        self.seen[pc as usize] = self.order.len() as u32;
        self.order.push(pc);
        true
    }

    /// Adds the threads that `pc` leads to at a position. `slots` is as it was when it comes back.
    fn add(
        &mut self,
        p: &Program,
        jobs: &mut Vec<Job>,
        pc: u32,
        at: usize,
        holding: u8,
        slots: &mut [usize],
    ) {
        jobs.push(Job::Go(pc, at));
        while let Some(job) = jobs.pop() {
            let mut pc = match job {
                Job::Go(pc, _) => pc,
                Job::Undo(slot, old) => {
                    slots[slot as usize] = old;
                    continue;
                }
            };
            while self.see(pc) {
                match p.insts[pc as usize] {
                    Inst::Alt(a, b) => {
                        jobs.push(Job::Go(b, at));
                        pc = a;
                    }
                    Inst::Nop(to) => pc = to,
                    Inst::Capture(slot, to) => {
                        if let Some(place) = slots.get_mut(slot as usize) {
                            jobs.push(Job::Undo(slot, *place));
                            *place = at;
                        }
                        pc = to;
                    }
                    Inst::Empty(c, to) if c & !holding == 0 => pc = to,
                    Inst::Set(..) | Inst::Match => {
                        self.list.push(pc);
                        self.slots.extend_from_slice(slots);
                        break;
                    }
                    _ => break,
                }
            }
        }
    }
}

/// Finds a match that begins at `at`, or anywhere from there on, and does not go beyond `end`.
pub(super) fn all_paths(
    p: &Program,
    m: &mut Memory,
    text: &[u8],
    (mut at, end): (usize, usize),
    anywhere: bool,
    slots: &mut [usize],
) -> bool {
    let n = slots.len();
    let mut matched = false;
    let Memory {
        jobs,
        now,
        then,
        slots: own,
        ..
    } = m;
    jobs.clear();
    own.clear();
    own.resize(n, NONE);
    now.clear(p);
    let begin = at;
    loop {
        if now.list.is_empty() {
            if matched || at > begin && !anywhere {
                break;
            }
            if let Some(prefix) = p.prefix.as_ref().filter(|_| anywhere && p.is_skipping()) {
                match prefix.find(&text[at..end]) {
                    None => break,
                    Some(n) => at += n,
                }
            }
        }
        if !matched && (at == begin || anywhere) {
            if n > 0 {
                own[0] = at;
            }
            now.add(p, jobs, p.start, at, conditions_at(text, at), own);
        }
        then.clear(p);
        let next = (at < end).then(|| decode(&text[at..end]));
        let holding = match next {
            Some((_, width)) => conditions_at(text, at + width),
            None => 0,
        };
        for i in 0..now.list.len() {
            let row = &mut now.slots[i * n..(i + 1) * n];
            if p.longest && matched && n > 0 && slots[0] < row[0] {
                continue;
            }
            match (p.insts[now.list[i] as usize], next) {
                (Inst::Match, _) => {
                    if n > 0 && (!p.longest || !matched || slots[1] < at) {
                        slots.copy_from_slice(row);
                        slots[1] = at;
                    }
                    matched = true;
                    if !p.longest {
                        break;
                    }
                }
                (Inst::Set(set, to), Some((c, width))) if p.sets[set as usize].has(c) => {
                    then.add(p, jobs, to, at + width, holding, row);
                }
                _ => {}
            }
        }
        let Some((_, width)) = next else { break };
        if n == 0 && matched {
            break;
        }
        at += width;
        std::mem::swap(now, then);
    }
    matched
}
