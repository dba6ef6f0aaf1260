//! Makes a schedule that fails as ordinary as can be.
//!
//! Of its decisions only those count that are not ordinary ones. First the shortest run of them
//! from the start is found that fails in the same way; then those are taken away, many at a time
//! and in the end one by one, that it fails without (delta debugging). That leaves some of which
//! none can be missed. Fewer may do: a single choice, or another in the place of two.

use super::child::{Run, Runner, Spec};
use super::finding::Finding;
use gosched_runtime::control::strategy::{Choice, Plan, Take};
use gosched_runtime::g::Goid;
use std::io;

/// So many runs are made at most to take choices away, and to look for others.
const RUNS: u32 = 200;
const OTHERS: u32 = 200;

/// A schedule that has been made smaller.
pub(super) struct Minimal {
    pub run: Run,
    /// What is not ordinary in it.
    pub choices: Vec<Choice>,
    /// How many there were at first.
    pub before: usize,
    /// There is none that could be taken away.
    pub is_minimal: bool,
}

struct Search<'a> {
    runner: &'a mut Runner,
    spec: &'a Spec,
    finding: &'a Finding,
    left: u32,
    /// The smallest that fails so far.
    best: Option<(Vec<Choice>, Run)>,
}

impl Search<'_> {
    /// Does it fail with these? If so they are the best.
    fn fails(&mut self, choices: &[Choice]) -> io::Result<bool> {
        self.left = self.left.saturating_sub(1);
        let plan = Plan::Guided(choices.to_vec());
        let run = self.runner.run(Spec {
            plan,
            ..self.spec.clone()
        })?;
        let fails = self.finding.is_in(&run);
        if fails {
            self.best = Some((choices.to_vec(), run));
        }
        Ok(fails)
    }
}

impl Search<'_> {
    /// The best so far.
    fn choices(&self) -> Vec<Choice> {
        self.best
            .as_ref()
            .map_or(Vec::new(), |(choices, _)| choices.clone())
    }

    /// Takes away what it fails without. `true`: there is nothing more to take away.
    fn shrink(&mut self) -> io::Result<bool> {
        let mut pieces = 2;
        loop {
            let choices = self.choices();
            if choices.is_empty() {
                return Ok(true);
            }
            let size = choices.len().div_ceil(pieces);
            let mut has_shrunk = false;
            for at in (0..choices.len()).step_by(size).rev() {
                if self.left == 0 {
                    return Ok(false);
                }
                let mut fewer = choices.clone();
                fewer.drain(at..(at + size).min(choices.len()));
                if self.fails(&fewer)? {
                    has_shrunk = true;
                    break;
                }
            }
            match has_shrunk {
                true => pieces = pieces.saturating_sub(1).max(2),
                false if size == 1 => return Ok(true),
                false => pieces = (pieces * 2).min(choices.len()),
            }
        }
    }

    /// Looks for a single choice by which the ordinary order fails.
    fn find_single(&mut self) -> io::Result<bool> {
        let plan = Plan::Guided(Vec::new());
        let ordinary = self.runner.run(Spec {
            plan,
            ..self.spec.clone()
        })?;
        for choice in others(&ordinary, self.spec.passes != 0) {
            if self.left == 0 {
                break;
            }
            if self.fails(&[choice])? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Looks for a choice in place of one, with which another is not needed.
    fn exchange(&mut self) -> io::Result<bool> {
        let mut has_changed = false;
        'again: loop {
            let choices = self.choices();
            let run = self.best.as_ref().map(|(_, run)| others(run, false));
            for (i, choice) in choices.iter().enumerate() {
                let run = run.iter().flatten();
                for other in run.filter(|o| o.at == choice.at && *o != choice) {
                    for gone in (0..choices.len()).filter(|gone| *gone != i) {
                        if self.left == 0 {
                            return Ok(has_changed);
                        }
                        let mut fewer = choices.clone();
                        fewer[i] = *other;
                        fewer.remove(gone);
                        if self.fails(&fewer)? {
                            has_changed = true;
                            continue 'again;
                        }
                    }
                }
            }
            return Ok(has_changed);
        }
    }
}

/// What could have been chosen otherwise in a run.
fn others(run: &Run, passes: bool) -> Vec<Choice> {
    let mut others = Vec::new();
    for d in run.decisions() {
        let mut add = |take| {
            if take != d.take {
                others.push(Choice { at: d.at, take });
            }
        };
        match d.take {
            Take::Run(_) => d.of.iter().for_each(|g| add(Take::Run(Goid(*g)))),
            Take::Case(_) => (0..d.of[0] as u32).for_each(|i| add(Take::Case(i))),
            Take::Pass => {}
        }
        if passes {
            add(Take::Pass);
        }
    }
    others
}

/// Makes what was found in `run` small; `None`: it does not come back when told what was chosen.
pub(super) fn minimise(
    runner: &mut Runner,
    spec: &Spec,
    run: &Run,
    finding: &Finding,
) -> io::Result<Option<Minimal>> {
    let all = run.choices();
    let before = all.len();
    let mut search = Search {
        runner,
        spec,
        finding,
        left: RUNS,
        best: None,
    };
    // The shortest beginning. It need not be that longer ones fail too, but nearly always is.
    let (mut low, mut high) = (0, before);
    while low < high {
        let middle = (low + high) / 2;
        match search.fails(&all[..middle])? {
            true => high = middle,
            false => low = middle + 1,
        }
    }
    search.fails(&all[..high])?;
    if search.best.is_none() && !search.fails(&all)? {
        return Ok(None);
    }
    let mut is_minimal = search.shrink()?;
    search.left = OTHERS;
    if search.choices().len() > 1 && (search.find_single()? || search.exchange()?) {
        search.left = search.left.max(1);
        is_minimal = search.shrink()?;
    }
    // A choice that never came to pass is none.
    Ok(search.best.map(|(_, run)| Minimal {
        choices: run.choices(),
        run,
        before,
        is_minimal,
    }))
}
