//! Makes a schedule that fails as ordinary as can be.
//!
//! Of its decisions only those count that are not ordinary ones. First the shortest run of them
//! from the start is found that fails in the same way; then those are taken away, many at a time
//! and in the end one by one, that it fails without (delta debugging). That leaves some of which
//! none can be missed. Fewer may do: a single choice, a goroutine that is held, or another in the
//! place of two.

use super::child::{Run, Runner, Spec, spent};
use super::finding::Finding;
use gosched_runtime::control::log::Key;
use gosched_runtime::control::strategy::{Choice, Plan, Take};
use gosched_runtime::g::Goid;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::time::Duration;

/// So many decisions may be made to take choices away, and so many to look for others; but so many
/// runs in any case, and no more than so many.
const DECISIONS: usize = 200_000;
const LEAST_RUNS: usize = 200;
const MOST_RUNS: usize = 400;
/// So many times as many runs may be made to look for two choices, which are tried within so many
/// decisions; the first of them may be any in a run of so many.
const PAIR_RUNS: u32 = 4;
const SOON: usize = 5;
const SHORT: usize = 60;
/// So many choices are few.
const FEW: usize = 3;

/// However long a run takes: no more CPU than that.
const MOST_TIME: Duration = Duration::from_secs(20);

/// Of more choices than so many, those of one goroutine are taken away together at first.
const MANY: usize = 8;

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

/// What else is tried.
#[derive(Clone, Copy)]
enum Other {
    /// A single choice.
    Single,
    /// Two, the second soon after the first.
    Pair,
    /// A single goroutine that is held.
    Held,
    /// Goroutines that are held, for the choices by which others ran before them.
    Fold,
    /// Another choice at the moment of one.
    Exchange,
}

struct Search<'a> {
    runner: &'a mut Runner,
    spec: &'a Spec,
    finding: &'a Finding,
    left: u32,
    /// The CPU that had been spent before.
    before: Duration,
    /// Jumps of the clock are among what is tried.
    passes: bool,
    /// The smallest that fails so far.
    best: Option<(Vec<Choice>, Run)>,
}

impl Search<'_> {
    /// Has it been tried long enough?
    fn is_over(&self) -> bool {
        self.left == 0 || spent() - self.before > MOST_TIME
    }

    /// Does it fail with these? If so they are the best.
    fn fails(&mut self, choices: &[Choice]) -> io::Result<bool> {
        let run = self.guided(choices)?;
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

    /// Takes away all choices of which `of` says the same, those of which there are most first:
    /// most goroutines of a program have nothing to do with what is wrong.
    fn shed(&mut self, of: impl Fn(&Choice) -> u64) -> io::Result<()> {
        let choices = self.choices();
        if choices.len() <= MANY {
            return Ok(());
        }
        let mut alike: BTreeMap<u64, Vec<Choice>> = BTreeMap::new();
        for choice in choices {
            alike.entry(of(&choice)).or_default().push(choice);
        }
        let mut alike: Vec<Vec<Choice>> = alike.into_values().collect();
        alike.sort_by_key(|choices| std::cmp::Reverse(choices.len()));
        for gone in alike {
            if self.is_over() {
                break;
            }
            let mut fewer = self.choices();
            fewer.retain(|choice| !gone.contains(choice));
            self.fails(&fewer)?;
        }
        Ok(())
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
                if self.is_over() {
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

    /// Looks at all choices once more: it does not fail without any of them. In debug builds, so
    /// that whatever tests a search tests this too.
    fn assert_minimal(&mut self) -> io::Result<()> {
        let choices = self.choices();
        for i in 0..choices.len() {
            let mut fewer = choices.clone();
            fewer.remove(i);
            let run = self.guided(&fewer)?;
            assert!(
                !self.finding.is_in(&run),
                "it fails without {:?}, too",
                choices[i]
            );
        }
        Ok(())
    }

    /// Looks for fewer choices; has it found any?
    fn find(&mut self, other: Other) -> io::Result<bool> {
        match other {
            Other::Single => self.find_single(),
            Other::Pair => self.find_pair(),
            Other::Held => self.find_held(),
            Other::Fold => self.fold(),
            Other::Exchange => self.exchange(),
        }
    }

    /// Looks for a single choice by which the ordinary order fails.
    fn find_single(&mut self) -> io::Result<bool> {
        let ordinary = self.guided(&[])?;
        for choice in others(&ordinary, self.passes) {
            if self.is_over() {
                break;
            }
            if self.fails(&[choice])? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Looks for two choices by which the ordinary order fails: the first any in a short run, else
    /// one of those that are known.
    fn find_pair(&mut self) -> io::Result<bool> {
        self.left = self.left.saturating_mul(PAIR_RUNS);
        let passes = self.passes;
        let ordinary = self.guided(&[])?;
        let mut firsts = self.choices();
        if ordinary.count() <= SHORT {
            firsts.extend(others(&ordinary, passes));
        }
        for first in firsts {
            let run = self.guided(&[first])?;
            let moments: Vec<Key> = run.decisions().iter().map(|d| d.at).collect();
            let Some(at) = moments.iter().position(|at| *at == first.at) else {
                continue;
            };
            let soon = moments[at..].iter().take(SOON).collect::<Vec<_>>();
            let seconds = others(&run, passes).into_iter();
            for second in seconds.filter(|c| soon.contains(&&c.at) && *c != first) {
                if self.is_over() {
                    return Ok(false);
                }
                if self.fails(&[first, second])? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Looks for a goroutine that is held from some moment on, in the place of all choices.
    fn find_held(&mut self) -> io::Result<bool> {
        let ordinary = self.guided(&[])?;
        for d in ordinary.decisions() {
            let Take::Run(g) = d.take else {
                continue;
            };
            if self.is_over() {
                break;
            }
            let take = Take::Hold(g);
            if self.fails(&[Choice { at: d.at, take }])? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Looks for goroutines that are held, each in the place of all choices by which others ran
    /// before it.
    fn fold(&mut self) -> io::Result<bool> {
        let mut has_changed = false;
        'again: loop {
            let Some((choices, run)) = &self.best else {
                return Ok(has_changed);
            };
            let mut all = folds(run, choices);
            all.sort_by_key(Vec::len);
            for fewer in all {
                if self.is_over() {
                    return Ok(has_changed);
                }
                if self.fails(&fewer)? {
                    has_changed = true;
                    continue 'again;
                }
            }
            return Ok(has_changed);
        }
    }

    /// A run with these choices.
    fn guided(&mut self, choices: &[Choice]) -> io::Result<Run> {
        self.left = self.left.saturating_sub(1);
        self.runner.run(Spec {
            plan: Plan::Guided(choices.to_vec()),
            ..self.spec.clone()
        })
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
                        if self.is_over() {
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

fn is_jump(choice: &Choice) -> bool {
    choice.take == Take::Pass
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
            Take::Pass | Take::Hold(_) => {}
        }
        if passes {
            add(Take::Pass);
        }
    }
    others
}

/// For each time that a goroutine could run and did not: the choices without those that were made
/// meanwhile, but with the goroutine held. Only what makes them fewer.
fn folds(run: &Run, choices: &[Choice]) -> Vec<Vec<Choice>> {
    let decisions = run.decisions();
    // Since when each can run.
    let mut since: BTreeMap<u64, usize> = BTreeMap::new();
    let mut folds = Vec::new();
    for (i, d) in decisions.iter().enumerate() {
        let Take::Run(g) = d.take else {
            continue;
        };
        for ready in &d.of {
            since.entry(*ready).or_insert(i);
        }
        let Some(begin) = since.remove(&g.0).filter(|begin| *begin < i) else {
            continue;
        };
        let moments: BTreeSet<Key> = decisions[begin..i].iter().map(|d| d.at).collect();
        let is_meanwhile = |c: &&Choice| moments.contains(&c.at);
        if choices.iter().filter(is_meanwhile).count() < 2 {
            continue;
        }
        let hold = Choice {
            at: decisions[begin].at,
            take: Take::Hold(g),
        };
        let rest = choices.iter().filter(|c| !is_meanwhile(c)).copied();
        folds.push(std::iter::once(hold).chain(rest).collect());
    }
    folds
}

/// Makes what was found in `run` small; `None`: it does not come back when told what was chosen.
pub(super) fn minimise(
    runner: &mut Runner,
    spec: &Spec,
    run: &Run,
    finding: &Finding,
) -> io::Result<Option<Minimal>> {
    let mut all = run.choices();
    let before = all.len();
    let runs = (DECISIONS / run.count().max(1)).clamp(LEAST_RUNS, MOST_RUNS);
    let left = runs as u32;
    let mut search = Search {
        runner,
        spec,
        finding,
        left,
        before: spent(),
        passes: spec.passes != 0,
        best: None,
    };
    // What fails without a jump of the clock is told without one.
    let still: Vec<Choice> = all.iter().copied().filter(|c| !is_jump(c)).collect();
    if still.len() == all.len() || search.fails(&still)? {
        search.passes = false;
        all = still;
    }
    // The shortest beginning. It need not be that longer ones fail too, but nearly always is.
    let (mut low, mut high) = (0, all.len());
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
    search.shed(|choice| choice.at.g.0)?;
    search.shed(|choice| match choice.take {
        Take::Run(g) | Take::Hold(g) => g.0,
        Take::Case(_) | Take::Pass => 0,
    })?;
    let objects: BTreeMap<Key, u64> = match &search.best {
        Some((_, run)) => run
            .decisions()
            .iter()
            .map(|d| (d.at, d.op.object))
            .collect(),
        None => BTreeMap::new(),
    };
    search.shed(|choice| objects.get(&choice.at).copied().unwrap_or(0))?;
    let mut is_minimal = search.shrink()?;
    // Few choices tell more than a goroutine that is held, and those more than many.
    for (more_than, kind) in [
        (1, Other::Single),
        (2, Other::Pair),
        (FEW, Other::Held),
        (FEW, Other::Fold),
        (1, Other::Exchange),
    ] {
        search.left = left;
        if search.choices().len() > more_than && search.find(kind)? {
            search.left = left;
            is_minimal = search.shrink()?;
        }
    }
    if cfg!(debug_assertions) && is_minimal {
        search.assert_minimal()?;
    }
    Ok(search.best.map(|(choices, run)| Minimal {
        choices,
        run,
        before,
        is_minimal,
    }))
}
