//! One schedule of each class: those that differ only in the order of what does not concern each
//! other are not tried twice.
//!
//! After each run it is looked for pairs of events that could have come the other way round
//! ([`Causality::reversals`]); for each, a goroutine that leads there is tried where the first of
//! the pair was. What has been tried at a decision sleeps in what is tried there later, until
//! something is done that concerns it. Some runs turn out to be of a class that was seen before:
//! they are cut short, and counted.
//!
//! Abdulla, Aronis, Jonsson and Sagonas, Source sets (JACM 2017): source-DPOR.

use super::causality::{Causality, Decision, Event};
use super::child::{Run, Spec};
use super::schedules::{Doubts, Looked, Schedules};
use gosched_runtime::control::log::{Key, Kind};
use gosched_runtime::control::operation::Operation;
use gosched_runtime::control::strategy::{Choice, Plan, Sleeper, Take};
use gosched_runtime::g::Goid;
use std::collections::{BTreeMap, BTreeSet};

/// A decision of the run that was tried last.
enum Node {
    /// Who runs.
    Run {
        at: Key,
        of: Vec<Goid>,
        /// The event that it begins.
        event: usize,
        chosen: Goid,
        /// What was tried here, and what each did.
        tried: BTreeMap<Goid, Vec<Operation>>,
        /// What is to be tried here.
        due: BTreeSet<Goid>,
        /// Who was asleep on arrival.
        asleep: Vec<Sleeper>,
    },
    /// Which case: all are tried.
    Case {
        at: Key,
        n: u32,
        event: usize,
        chosen: u32,
        /// Who is asleep behind it.
        asleep: Vec<Sleeper>,
    },
}

pub(super) struct Reduced {
    model: Spec,
    /// The decisions of the run that was tried last, from its beginning.
    nodes: Vec<Node>,
    /// The first event of the next run that is not known.
    from: usize,
    /// The next run can begin.
    is_due: bool,
    /// Who sleeps behind the decisions of the next run.
    asleep: Vec<Sleeper>,
    /// See [`Plan::Systematic`].
    joins_early: bool,
    classes: u64,
    redundant: u64,
    doubts: Doubts,
    is_complete: bool,
}

impl Reduced {
    pub(super) fn new(model: Spec) -> Reduced {
        Reduced {
            doubts: Doubts::new(&model),
            model,
            nodes: Vec::new(),
            from: 0,
            is_due: true,
            asleep: Vec::new(),
            joins_early: false,
            classes: 0,
            redundant: 0,
            is_complete: true,
        }
    }

    /// Adds the decisions behind those that were given.
    fn extend(&mut self, all: &Causality) {
        let mut asleep = Vec::new();
        let mut given = self.nodes.len();
        let mut known = self.nodes.iter_mut();
        let mut fresh = Vec::new();
        for (i, event) in all.events.iter().enumerate() {
            for decision in &event.decisions {
                if given > 0 {
                    given -= 1;
                    if let Some(Node::Run {
                        tried,
                        chosen,
                        asleep: here,
                        ..
                    }) = known.next()
                    {
                        let ops = tried.entry(*chosen).or_default();
                        let new = event.ops.iter().filter(|op| !ops.contains(op));
                        let new: Vec<Operation> = new.copied().collect();
                        ops.extend(new);
                        asleep = sleepers(here, tried, *chosen);
                    }
                    continue;
                }
                fresh.push(match decision {
                    Decision::Run { at, of } => Node::Run {
                        at: *at,
                        of: of.clone(),
                        event: i,
                        chosen: event.g,
                        tried: BTreeMap::from([(event.g, event.ops.clone())]),
                        due: BTreeSet::from([event.g]),
                        asleep: asleep.clone(),
                    },
                    Decision::Case { at, n, taken } => Node::Case {
                        at: *at,
                        n: *n,
                        event: i,
                        chosen: *taken,
                        asleep: {
                            let mut behind = asleep.clone();
                            wake(&mut behind, event);
                            behind
                        },
                    },
                });
            }
            wake(&mut asleep, event);
        }
        self.nodes.extend(fresh);
    }

    /// Has the reversal tried where event `event` began.
    fn reverse(&mut self, event: usize, first: &BTreeSet<Goid>) {
        let is_there = |n: &&mut Node| matches!(n, Node::Run { event: e, .. } if *e == event);
        let Some(Node::Run { of, due, .. }) = self.nodes.iter_mut().find(is_there) else {
            self.is_complete = false;
            return;
        };
        if due.is_disjoint(first) {
            match first.iter().find(|g| of.contains(g)) {
                Some(g) => drop(due.insert(*g)),
                None => self.is_complete = false,
            }
        }
    }

    /// Begins again, and lets groups be waited for early: what comes of that shows.
    fn begin_again(&mut self) {
        self.joins_early = true;
        self.nodes.clear();
        self.asleep.clear();
        (self.from, self.classes, self.redundant) = (0, 0, 0);
        self.is_due = true;
    }

    /// Goes back to the last decision at which something is left to be tried.
    fn back(&mut self) {
        while let Some(node) = self.nodes.last_mut() {
            match node {
                Node::Case {
                    n,
                    event,
                    chosen,
                    asleep,
                    ..
                } if *chosen + 1 < *n => {
                    *chosen += 1;
                    self.from = *event;
                    self.asleep = asleep.clone();
                    return;
                }
                Node::Run {
                    event,
                    chosen,
                    tried,
                    due,
                    asleep,
                    ..
                } => {
                    let sleeps = |g: &Goid| asleep.iter().any(|s| s.g == *g);
                    let next = due.iter().find(|g| !tried.contains_key(g) && !sleeps(g));
                    if let Some(next) = next.copied() {
                        *chosen = next;
                        self.from = *event;
                        self.asleep = sleepers(asleep, tried, next);
                        return;
                    }
                }
                Node::Case { .. } => (),
            }
            self.nodes.pop();
        }
        self.is_due = false;
    }
}

/// Who sleeps when `chosen` runs: those that slept, and those that were tried before it.
fn sleepers(
    asleep: &[Sleeper],
    tried: &BTreeMap<Goid, Vec<Operation>>,
    chosen: Goid,
) -> Vec<Sleeper> {
    let others = tried.iter().filter(|(g, _)| **g != chosen);
    let others = others.map(|(g, ops)| Sleeper {
        g: *g,
        ops: ops.clone(),
    });
    asleep.iter().cloned().chain(others).collect()
}

/// Wakes those that `event` concerns.
fn wake(asleep: &mut Vec<Sleeper>, event: &Event) {
    asleep.retain(|s| s.g != event.g && !event.wakes(s));
}

impl Schedules for Reduced {
    fn next(&mut self) -> Option<Spec> {
        if !std::mem::take(&mut self.is_due) {
            return None;
        }
        let choices = self.nodes.iter().map(|node| match node {
            Node::Run { at, chosen, .. } => Choice {
                at: *at,
                take: Take::Run(*chosen),
            },
            Node::Case { at, chosen, .. } => Choice {
                at: *at,
                take: Take::Case(*chosen),
            },
        });
        Some(Spec {
            plan: Plan::Systematic {
                choices: choices.collect(),
                asleep: self.asleep.clone(),
                joins_early: self.joins_early,
            },
            ..self.model.clone()
        })
    }

    fn look(&mut self, _: &Spec, run: &Run) -> Looked {
        if run.has(Kind::Diverged) {
            self.is_complete = false;
            return Looked::Escaped;
        }
        let is_redundant = run.has(Kind::Redundant);
        match is_redundant {
            true => self.redundant += 1,
            false => self.classes += 1,
        }
        self.doubts.look(run);
        self.is_complete &= !run.is_limited();
        let all = Causality::of(run, self.joins_early);
        self.extend(&all);
        for reversal in all.reversals(self.from) {
            if !self.joins_early && all.adds_late(&reversal) {
                self.begin_again();
                return Looked::Redundant;
            }
            self.reverse(reversal.event, &reversal.first);
        }
        let last = all.events.len().saturating_sub(1);
        match all.end_of_main() {
            // Who fails behind the end of the program may do so before it.
            Some(end) if !run.has_lingered() => {
                let reversal = all.reversal(end, last);
                self.reverse(reversal.event, &reversal.first);
            }
            // The program ends while others could still do something.
            None if !is_redundant => {
                if let Some(Node::Run { of, due, .. }) = self.nodes.last_mut() {
                    due.extend(of.iter());
                }
            }
            _ => (),
        }
        self.is_due = true;
        self.back();
        match is_redundant {
            true => Looked::Redundant,
            false => Looked::New,
        }
    }

    fn claim(&self) -> Option<String> {
        let redundant = match self.redundant {
            0 => String::new(),
            1 => " (1 run was of a class seen before)".to_string(),
            n => format!(" ({n} runs were of classes seen before)"),
        };
        let classes = match self.classes {
            1 => "the one class".to_string(),
            n => format!("all {n} classes"),
        };
        let all = format!("{classes} of schedules{redundant}: nothing found");
        self.is_complete.then(|| self.doubts.told(&all))
    }
}
