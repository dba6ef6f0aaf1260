//! From which decision on a run cannot be saved.
//!
//! Behind each decision of a run that fails, the program could go on in many ways. Some of them are
//! tried, drawn at random: if all fail, whatever is decided there, it is too late.

use super::child::{Run, Runner, Spec};
use super::finding::Finding;
use gosched_runtime::control::strategy::Plan;
use std::io;
use std::time::{Duration, Instant};

/// So many ways are tried behind a decision.
const WAYS: u64 = 20;

/// However long a run takes, it is not looked for longer than that.
const MOST_TIME: Duration = Duration::from_secs(10);

/// The number of the first decision of `run` behind which it fails in all ways that are tried;
/// `None`: there is none, or it fails in all ways from the beginning.
pub(super) fn cause(
    runner: &mut Runner,
    spec: &Spec,
    run: &Run,
    finding: &Finding,
) -> io::Result<Option<usize>> {
    let begin = Instant::now();
    let decisions = run.decisions();
    let mut is_lost = |made: usize| -> io::Result<bool> {
        for way in 0..WAYS {
            let tried = runner.run(Spec {
                plan: Plan::Branched {
                    decisions: decisions[..made].to_vec(),
                    way,
                },
                ..spec.clone()
            })?;
            if !finding.is_in(&tried) {
                return Ok(false);
            }
        }
        Ok(true)
    };
    // What is lost stays so, and nothing is lost before anything was decided.
    let (mut saved, mut lost) = (0, decisions.len());
    if lost == 0 || is_lost(0)? || !is_lost(lost)? {
        return Ok(None);
    }
    while lost - saved > 1 {
        if begin.elapsed() > MOST_TIME {
            return Ok(None);
        }
        let middle = (saved + lost) / 2;
        match is_lost(middle)? {
            true => lost = middle,
            false => saved = middle,
        }
    }
    Ok(Some(saved))
}
