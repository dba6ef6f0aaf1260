//! Who had a P, and when.

use std::collections::VecDeque;

/// Runs of a P that are kept as they were.
pub(super) const RUNS: usize = 1 << 12;
/// Stretches of older ones.
pub(super) const STRETCHES: usize = 1 << 11;
/// How long a stretch is at first.
pub(super) const STRETCH_NS: i64 = 1_000_000;
/// Goroutines that a stretch tells apart.
pub(super) const APART: usize = 8;
/// The reasons of starts that are counted, as the schema has them.
pub(super) const WHYS: usize = 16;

/// What a goroutine had of a P.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Had {
    pub(super) g: u64,
    pub(super) func: u64,
    pub(super) stack: u64,
    pub(super) ns: i64,
    pub(super) n: u64,
    /// Its longest run.
    pub(super) longest: i64,
    pub(super) whys: [u64; WHYS],
}

impl Had {
    fn add(&mut self, other: &Had) {
        self.ns += other.ns;
        self.n += other.n;
        self.longest = self.longest.max(other.longest);
        (self.func, self.stack) = (other.func, other.stack);
        for (own, more) in self.whys.iter_mut().zip(other.whys) {
            *own += more;
        }
    }
}

/// Sums by goroutine; those for whom there is no room are summed up as goroutine 0.
pub(super) fn add(all: &mut Vec<Had>, more: &Had, most: usize) {
    let g = match all.iter().any(|h| h.g == more.g) || all.len() < most {
        true => more.g,
        false => 0,
    };
    let more = match g {
        0 => Had {
            g,
            func: 0,
            stack: 0,
            ..*more
        },
        _ => *more,
    };
    match all.iter_mut().find(|h| h.g == g) {
        Some(own) => own.add(&more),
        None => all.push(more),
    }
}

/// A goroutine had a P from here to there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) from: i64,
    pub(super) to: i64,
    pub(super) g: u64,
    pub(super) func: u64,
    pub(super) stack: u64,
    pub(super) why: u8,
}

impl Run {
    fn had(&self, from: i64, to: i64) -> Option<Had> {
        let ns = self.to.min(to) - self.from.max(from);
        let mut had = Had {
            g: self.g,
            func: self.func,
            stack: self.stack,
            ns,
            n: 1,
            longest: self.to - self.from,
            ..Had::default()
        };
        had.whys[usize::from(self.why) % WHYS] = 1;
        (ns >= 0 && self.to > from && self.from < to).then_some(had)
    }
}

/// What went on on a P for a while.
#[derive(Clone, Debug)]
pub(super) struct Stretch {
    pub(super) from: i64,
    pub(super) to: i64,
    pub(super) had: Vec<Had>,
}

/// A P.
#[derive(Clone, Debug, Default)]
pub(super) struct Lane {
    pub(super) runs: Option<Run>,
    pub(super) recent: VecDeque<Run>,
    pub(super) older: VecDeque<Stretch>,
}

impl Lane {
    /// What runs stops.
    pub(super) fn stops(&mut self, ns: i64, stack: u64) {
        let Some(mut run) = self.runs.take() else {
            return;
        };
        run.to = ns.max(run.from);
        if stack != 0 {
            run.stack = stack;
        }
        self.recent.push_back(run);
        if self.recent.len() > RUNS
            && let Some(run) = self.recent.pop_front()
        {
            self.sum_up(&run);
        }
    }

    fn sum_up(&mut self, run: &Run) {
        let Some(had) = run.had(i64::MIN, i64::MAX) else {
            return;
        };
        match self.older.back_mut() {
            Some(last) if run.to - last.from <= STRETCH_NS => {
                last.to = run.to;
                add(&mut last.had, &had, APART);
            }
            _ => self.older.push_back(Stretch {
                from: run.from,
                to: run.to,
                had: vec![had],
            }),
        }
    }

    /// Forgets what happened before `oldest`, and sums up more of the older half if that is much.
    pub(super) fn shrink(&mut self, oldest: i64) {
        while self.older.front().is_some_and(|s| s.to < oldest) {
            self.older.pop_front();
        }
        if self.older.len() <= STRETCHES {
            return;
        }
        let newer = self.older.split_off(STRETCHES / 2);
        let mut merged: VecDeque<Stretch> = VecDeque::new();
        for (i, stretch) in std::mem::take(&mut self.older).into_iter().enumerate() {
            match merged.back_mut() {
                Some(last) if i % 2 == 1 => {
                    last.to = stretch.to;
                    stretch
                        .had
                        .iter()
                        .for_each(|h| add(&mut last.had, h, APART));
                }
                _ => merged.push_back(stretch),
            }
        }
        merged.extend(newer);
        self.older = merged;
    }

    /// Who had it from `from` to `to`.
    pub(super) fn had(&self, from: i64, to: i64, all: &mut Vec<Had>) {
        // Of a stretch that begins before, what belongs here is not known.
        let older = self.older.iter().filter(|s| s.from >= from && s.to <= to);
        for had in older.flat_map(|s| &s.had) {
            add(all, had, usize::MAX);
        }
        let now = self.runs.map(|run| Run { to, ..run });
        for run in self.recent.iter().rev().take_while(|r| r.to >= from) {
            run.had(from, to)
                .into_iter()
                .for_each(|h| add(all, &h, usize::MAX));
        }
        let now = now.and_then(|run| run.had(from, to));
        now.into_iter().for_each(|h| add(all, &h, usize::MAX));
    }
}
