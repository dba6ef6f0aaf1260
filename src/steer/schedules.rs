//! Which schedules a search tries, one after the other.

use super::child::{Races, Run, Spec};
use super::explore::{Search, Strategies};
use super::{bounded::Bounded, drawn::Drawn, reduced::Reduced};
use gosched_runtime::control::log::Kind;
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
        max_stall: None,
        races: match search.races {
            Races::Noted => Races::Off,
            races => races,
        },
        shared: Vec::new(),
        plan: Plan::Ordinary,
    };
    match search.strategies {
        Strategies::Dfs(Some(bound)) => Box::new(Bounded::new(model, bound, search.schedules)),
        Strategies::Dfs(None) => Box::new(Reduced::new(model)),
        _ => Box::new(Drawn::new(search)),
    }
}

/// Why more cannot be said of all schedules than what is true of those that were tried.
#[derive(Default)]
pub(super) struct Doubts {
    /// Some runs read what comes from outside.
    pub world: bool,
    /// Races are not looked for.
    pub races: bool,
    /// Some runs have timers, which fire when nothing can run.
    pub time: bool,
}

impl Doubts {
    pub(super) fn new(model: &Spec) -> Doubts {
        Doubts {
            races: model.races == Races::Off,
            ..Doubts::default()
        }
    }

    /// Notes what a run gives reason for.
    pub(super) fn look(&mut self, run: &Run) {
        self.world |= run.has(Kind::World);
        self.time |= run.has_timers();
    }

    /// `claim`, under the conditions under which it holds.
    pub(super) fn told(&self, claim: &str) -> String {
        let mut text = claim.to_string();
        if self.world {
            text += ", if what it reads from outside stays the same";
        }
        if self.time {
            text += ", if no timer overtakes what can run";
        }
        if self.races {
            text += ", if it has no data race";
        }
        text
    }
}
