//! Schedules that are drawn.
//!
//! Number k follows from the search's seed, from k, and from what the rounds before have shown,
//! each of so many schedules: accesses to memory that were in a race are points from then on, in
//! every second schedule, for what comes of a race depends on the order of its accesses.

use super::child::{Races, Run, Spec, is_decision};
use super::explore::{Search, Strategies};
use super::schedules::{Doubts, Looked, Schedules};
use gosched_runtime::control::log::Kind;
use gosched_runtime::control::strategy::Plan;
use std::collections::BTreeSet;

/// While time may pass, one of so many decisions lets it.
const PASSES: u32 = 16;
/// Schedules in a round.
const ROUND: u64 = 32;
/// What `auto` tries first, behind the ordinary order. A random walk finds half of all bugs within
/// a few schedules, also where three orders have to be right; the other half it finds late.
const FIRST: [Strategies; 9] = [
    Strategies::Random,
    Strategies::Random,
    Strategies::Pos,
    Strategies::Random,
    Strategies::Random,
    Strategies::Random,
    Strategies::Pos,
    Strategies::Pct(2),
    Strategies::Pos,
];
/// Strategies that take turns from then on.
const ALL: [Strategies; 4] = [
    Strategies::Random,
    Strategies::Pos,
    Strategies::Pct(2),
    Strategies::Pct(3),
];

/// See the module.
pub(super) struct Drawn {
    strategies: Strategies,
    seed: u64,
    races: Races,
    /// The clock may pass what can run by so much.
    max_stall: Option<i64>,
    /// The number of the next.
    number: u64,
    /// How many were looked at.
    looked: u64,
    /// The number of decisions in the first.
    points: Option<u32>,
    /// Nothing could have come otherwise in the first.
    is_only: bool,
    doubts: Doubts,
    /// Accesses that were in a race, and those of them that are points in this round.
    racy: BTreeSet<u64>,
    shared: Vec<u64>,
}

impl Drawn {
    pub(super) fn new(search: &Search) -> Drawn {
        Drawn {
            strategies: search.strategies,
            seed: search.seed,
            races: search.races,
            max_stall: search.max_stall,
            number: 0,
            looked: 0,
            points: None,
            is_only: false,
            doubts: Doubts::default(),
            racy: BTreeSet::new(),
            shared: Vec::new(),
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
        if self.is_only {
            return None;
        }
        let number = self.number;
        // Where the first fails, or how long it is, decides on the others.
        let points = match (number, self.points) {
            (0, _) => 1,
            (_, points) => points?,
        };
        if number != 0 && number.is_multiple_of(ROUND) {
            if self.looked < number {
                return None;
            }
            self.shared = self.racy.iter().copied().collect();
        }
        self.number += 1;
        let turn = number.saturating_sub(1);
        let strategy = match self.strategies {
            Strategies::Auto => {
                let turn = turn as usize;
                *FIRST.get(turn).unwrap_or(&ALL[turn % ALL.len()])
            }
            one => one,
        };
        let plan = match strategy {
            _ if number == 0 && self.strategies == Strategies::Auto => Plan::Ordinary,
            Strategies::Pos => Plan::Pos,
            Strategies::Pct(depth) => Plan::Pct { depth, points },
            _ => Plan::Random,
        };
        let passes = turn / 4 % 2 == 1 && number != 0 && self.max_stall != Some(0);
        // A machine is as slow as it may be, or less so.
        let seed = self.seed_of(number);
        let max_stall = self.max_stall.map(|most| match seed & 1 {
            0 => most,
            _ => (seed >> 1) as i64 % most.saturating_add(1).max(1),
        });
        // With each strategy, whether time may pass or not.
        let shared = match (turn + turn / 8) % 2 {
            0 => Vec::new(),
            _ => self.shared.clone(),
        };
        // With points at accesses others come to be in races; and what comes of one is looked for.
        let races = match self.races {
            _ if !shared.is_empty() => Races::Noted,
            Races::Noted if number >= ROUND => Races::Off,
            races => races,
        };
        Some(Spec {
            seed,
            passes: if passes { PASSES } else { 0 },
            max_stall: if number == 0 {
                self.max_stall
            } else {
                max_stall
            },
            races,
            shared,
            plan,
        })
    }

    fn look(&mut self, _: &Spec, run: &Run) -> Looked {
        if self.looked == 0 {
            self.doubts.look(run);
            let has_choice = run.records.iter().any(is_decision) || run.has(Kind::CouldPass);
            self.is_only = !has_choice && !run.is_limited();
        }
        let count = || run.count().clamp(1, u32::MAX as usize) as u32;
        self.points.get_or_insert_with(count);
        let races = run.records.iter().filter(|r| r.kind == Kind::Race);
        self.racy.extend(races.map(|r| r.op.pc));
        self.looked += 1;
        Looked::New
    }

    fn claim(&self) -> Option<String> {
        let all = "the one schedule: nothing found";
        self.is_only.then(|| self.doubts.told(all))
    }
}
