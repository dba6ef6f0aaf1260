//! All schedules with few preemptions: first those with none, then those with one, and so on.
//!
//! A schedule is told by what is not ordinary in it. From each run follow those that have one such
//! choice more, behind its last: so each schedule comes once. A choice that takes the processor
//! from a goroutine that could go on is a preemption; others are free.
//!
//! Musuvathi and Qadeer, Iterative context bounding (PLDI 2007).

use super::child::{Run, Spec};
use super::schedules::{Doubts, Looked, Schedules};
use gosched_runtime::control::log::Kind;
use gosched_runtime::control::operation::Act;
use gosched_runtime::control::strategy::{Choice, Plan, Take};
use gosched_runtime::g::Goid;
use std::collections::{BTreeMap, VecDeque};

pub(super) struct Bounded {
    /// What all runs have in common.
    model: Spec,
    /// At most so many preemptions.
    bound: u32,
    /// How many preemptions those have that are tried now.
    level: u32,
    /// What is to be tried, by the number of preemptions.
    waiting: BTreeMap<u32, VecDeque<Vec<Choice>>>,
    /// Runs that have begun and were not looked at, with their choices and preemptions.
    begun: VecDeque<(usize, u32)>,
    /// How many there may be, and how many there are so far.
    most: u64,
    known: u64,
    looked_at: u64,
    doubts: Doubts,
    is_complete: bool,
}

impl Bounded {
    pub(super) fn new(model: Spec, bound: u32, most: u64) -> Bounded {
        Bounded {
            doubts: Doubts::new(&model),
            model,
            bound,
            level: 0,
            waiting: BTreeMap::from([(0, VecDeque::from([Vec::new()]))]),
            begun: VecDeque::new(),
            most,
            known: 1,
            looked_at: 0,
            is_complete: true,
        }
    }

    fn add(&mut self, choices: Vec<Choice>, cost: u32) {
        if cost > self.bound {
            return;
        }
        match self.known < self.most {
            true => {
                self.known += 1;
                self.waiting.entry(cost).or_default().push_back(choices);
            }
            false => self.is_complete = false,
        }
    }
}

impl Schedules for Bounded {
    fn next(&mut self) -> Option<Spec> {
        if self.waiting.get(&self.level).is_none_or(VecDeque::is_empty) {
            // Runs that go on may have more of this level.
            if !self.begun.is_empty() {
                return None;
            }
            self.waiting.remove(&self.level);
            self.level = *self.waiting.keys().next()?;
        }
        let choices = self.waiting.get_mut(&self.level)?.pop_front()?;
        self.begun.push_back((choices.len(), self.level));
        Some(Spec {
            plan: Plan::Guided(choices),
            ..self.model.clone()
        })
    }

    fn look(&mut self, spec: &Spec, run: &Run) -> Looked {
        let Some((given, cost)) = self.begun.pop_front() else {
            return Looked::Escaped;
        };
        self.looked_at += 1;
        self.doubts.look(run);
        self.is_complete &= !run.is_limited();
        let Plan::Guided(choices) = &spec.plan else {
            return Looked::Escaped;
        };
        let made = run.choices();
        // What was chosen has come to pass, and nothing else.
        if made != *choices {
            self.is_complete = false;
            return Looked::Escaped;
        }
        // Behind the last choice each decision is ordinary.
        for other in alternatives(run, given) {
            let choices = choices.iter().copied().chain([other.choice]).collect();
            self.add(choices, cost + other.cost);
        }
        Looked::New
    }

    fn claim(&self) -> Option<String> {
        let schedules = match self.looked_at {
            1 => "the one schedule".to_string(),
            n => format!("all {n} schedules"),
        };
        let preemptions = match self.bound {
            0 => "without a preemption".to_string(),
            1 => "with at most 1 preemption".to_string(),
            n => format!("with at most {n} preemptions"),
        };
        let all = format!("{schedules} {preemptions}: nothing found");
        self.is_complete.then(|| self.doubts.told(&all))
    }
}

/// What could have been chosen otherwise.
struct Alternative {
    choice: Choice,
    /// 1 if it is a preemption.
    cost: u32,
}

/// The alternatives to the decisions of a run behind its first `given` choices.
fn alternatives(run: &Run, given: usize) -> Vec<Alternative> {
    let mut alternatives = Vec::new();
    let mut ready: Vec<(Goid, Act)> = Vec::new();
    let mut passed = 0;
    for r in &run.records {
        match r.kind {
            Kind::Ready => ready.push((r.g, r.op.act)),
            Kind::Run => {
                let goes_on = ready
                    .iter()
                    .any(|(g, act)| *g == r.key.g && r.key.is_point && *act != Act::Turn);
                let is_ordinary = r.g.0 == r.other;
                let others = ready.iter().filter(|(g, _)| *g != r.g && is_ordinary);
                if passed >= given && r.n > 1 {
                    alternatives.extend(others.map(|(g, act)| {
                        // A loop that has turned for long lets others run: it goes on at a price.
                        let insists = *act == Act::Turn && *g == r.key.g;
                        Alternative {
                            choice: Choice {
                                at: r.key,
                                take: Take::Run(*g),
                            },
                            cost: u32::from(goes_on || insists),
                        }
                    }));
                }
                passed += usize::from(!is_ordinary && r.n > 1);
                ready.retain(|(g, _)| *g != r.g);
            }
            Kind::Case => {
                let (usual, taken) = (r.other >> 32, r.other & 0xffff_ffff);
                if passed >= given {
                    let others = (0..u64::from(r.n)).filter(|i| *i != taken);
                    alternatives.extend(others.map(|i| Alternative {
                        choice: Choice {
                            at: r.key,
                            take: Take::Case(i as u32),
                        },
                        cost: 0,
                    }));
                }
                passed += usize::from(usual != taken);
            }
            _ => (),
        }
    }
    alternatives
}
