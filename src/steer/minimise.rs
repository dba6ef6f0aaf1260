//! Makes a schedule that fails as ordinary as can be.
//!
//! Of its decisions only those count that are not ordinary ones. First the shortest run of them
//! from the start is found that fails in the same way; then those are taken away, many at a time
//! and in the end one by one, that it fails without (delta debugging).

use super::child::{Run, Runner, Spec};
use super::finding::Finding;
use gosched_runtime::control::strategy::{Choice, Plan};
use std::io;

/// So many runs are made at most.
const RUNS: u32 = 200;

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
    let mut is_minimal = false;
    let mut pieces = 2;
    while let Some((choices, _)) = &search.best {
        let choices = choices.clone();
        if choices.is_empty() {
            is_minimal = true;
            break;
        }
        if search.left == 0 {
            break;
        }
        let size = choices.len().div_ceil(pieces);
        let mut has_shrunk = false;
        for at in (0..choices.len()).step_by(size).rev() {
            let mut fewer = choices.clone();
            fewer.drain(at..(at + size).min(choices.len()));
            if search.fails(&fewer)? {
                has_shrunk = true;
                break;
            }
            if search.left == 0 {
                break;
            }
        }
        match has_shrunk {
            true => pieces = pieces.saturating_sub(1).max(2),
            false if size == 1 => {
                is_minimal = search.left > 0;
                break;
            }
            false => pieces = (pieces * 2).min(choices.len()),
        }
    }
    // A choice that never came to pass is none.
    Ok(search.best.map(|(_, run)| Minimal {
        choices: run.choices(),
        run,
        before,
        is_minimal,
    }))
}
