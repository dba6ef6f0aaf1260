//! Which schedules a search tries, one after the other.

use super::child::{Run, Spec};
use super::explore::{Search, Strategies};
use super::{bounded::Bounded, reduced::Reduced};
use gosched_runtime::control::strategy::Plan;

/// See the module. What comes next follows from what the runs before have shown, looked at in their
/// order, and not from how many go on at once.
pub(super) trait Schedules {
    /// The next; `None` while runs have to be looked at before, or when there is no other.
    fn next(&mut self) -> Option<Spec>;

    /// Looks at a run, each in its turn, and says whether it was one of its own.
    fn look(&mut self, spec: &Spec, run: &Run) -> Looked;

    /// What can be said when all have been tried; `None`: nothing.
    fn claim(&self) -> Option<String> {
        None
    }
}

/// What came of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Looked {
    /// A schedule.
    New,
    /// What it would have shown, others show.
    Redundant,
    /// It did not go as it should have.
    Escaped,
}

/// Those that `search` asks for.
pub(super) fn schedules(search: &Search) -> Box<dyn Schedules> {
    let model = Spec {
        seed: search.seed,
        passes: 0,
        races: search.races,
        plan: Plan::Ordinary,
    };
    match search.strategies {
        Strategies::Dfs(Some(bound)) => Box::new(Bounded::new(model, bound, search.schedules)),
        Strategies::Dfs(None) => Box::new(Reduced::new(model)),
        _ => Box::new(Drawn::new(search)),
    }
}

/// While time may pass, one of so many decisions lets it.
const PASSES: u32 = 16;

/// Schedules that are drawn: number k follows from the search's seed, from k, and from how many
/// decisions the first had.
struct Drawn {
    strategies: Strategies,
    seed: u64,
    races: bool,
    /// The number of the next.
    number: u64,
    /// The number of decisions in the first.
    points: Option<u32>,
}

impl Drawn {
    fn new(search: &Search) -> Drawn {
        Drawn {
            strategies: search.strategies,
            seed: search.seed,
            races: search.races,
            number: 0,
            points: None,
        }
    }

    /// The seed of a schedule: near numbers give far ones (SplitMix64).
    fn seed_of(&self, number: u64) -> u64 {
        let n = self.seed.wrapping_mul(0xd134_2543_de82_ef95);
        let n = n.wrapping_add(number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let n = (n ^ n >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let n = (n ^ n >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        n ^ n >> 31
    }
}

impl Schedules for Drawn {
    fn next(&mut self) -> Option<Spec> {
        let number = self.number;
        // Where the first fails, or how long it is, decides on the others.
        let points = match (number, self.points) {
            (0, _) => 1,
            (_, points) => points?,
        };
        self.number += 1;
        let turn = number.wrapping_sub(1);
        let plan = match self.strategies {
            Strategies::Random => Plan::Random,
            Strategies::Pos => Plan::Pos,
            Strategies::Pct(depth) => Plan::Pct { depth, points },
            _ if number == 0 => Plan::Ordinary,
            _ => match turn % 4 {
                0 => Plan::Random,
                1 => Plan::Pos,
                2 => Plan::Pct { depth: 2, points },
                _ => Plan::Pct { depth: 3, points },
            },
        };
        let passes = turn / 4 % 2 == 1 && number != 0;
        Some(Spec {
            seed: self.seed_of(number),
            passes: if passes { PASSES } else { 0 },
            races: self.races,
            plan,
        })
    }

    fn look(&mut self, _: &Spec, run: &Run) -> Looked {
        let count = || run.count().clamp(1, u32::MAX as usize) as u32;
        self.points.get_or_insert_with(count);
        Looked::New
    }
}

/// Why more cannot be said of all schedules than what is true of those that were tried.
#[derive(Default)]
pub(super) struct Doubts {
    /// Some runs read what comes from outside.
    pub world: bool,
    /// Races are not looked for.
    pub races: bool,
}

impl Doubts {
    /// `claim`, under the conditions under which it holds.
    pub(super) fn told(&self, claim: &str) -> String {
        let mut text = claim.to_string();
        if self.world {
            text += ", if what it reads from outside stays the same";
        }
        if self.races {
            text += ", if it has no data race";
        }
        text
    }
}
