//! `gosched replay`: a recorded run once more, exactly.

use super::child::{self, Races, Run, Runner, Spec};
use super::finding::Finding;
use super::recording::{Recording, sources, steps, this_gosched};
use super::story::{self, Story};
use crate::driver::{Traces, print_error, print_output};
use crate::loader;
use gosched_runtime::control::DIVERGED;
use gosched_runtime::control::log::Kind;
use gosched_runtime::control::strategy::Plan;
use std::path::PathBuf;

/// What to do besides.
#[derive(Clone, Default, Debug)]
pub(crate) struct Replay {
    /// Tell it as a story.
    pub story: bool,
    /// Stop before the decision of this number, and say where everything is.
    pub until: Option<u64>,
    /// The sources, or the recording, have been edited.
    pub edited: bool,
    /// Write who waits for whom at the end to this file, as a graph.
    pub dot: Option<PathBuf>,
    /// Where to write what the scheduler does.
    pub traces: Traces,
}

/// Runs what was recorded, which `runner` has loaded. The exit status is that of the program.
pub(crate) fn replay(runner: &mut Runner, recording: &Recording, options: Replay) -> i32 {
    let changed = recording.changed(&sources(&loader::seen()));
    if let (Some(file), false) = (changed.first(), options.edited) {
        print_error(format_args!(
            "gosched: replay: {} is not as it was recorded\nRun it with --edited to see how far it \
             goes.\n",
            file.display()
        ));
        return DIVERGED;
    }
    if recording.head.gosched != this_gosched() && !options.edited {
        print_error(format_args!(
            "gosched: replay: recorded by gosched {}, and this is {}\nRun it with --edited to see \
             how far it goes.\n",
            recording.head.gosched,
            this_gosched()
        ));
        return DIVERGED;
    }
    let mut decisions = recording.decisions();
    if let Some(until) = options.until {
        decisions.truncate(until as usize);
    }
    let spec = Spec {
        seed: recording.head.seed,
        passes: recording.head.passes,
        max_stall: recording.head.max_stall,
        races: match recording.head.races {
            true => Races::Told,
            false => Races::Off,
        },
        shared: recording.shared(),
        plan: Plan::Recorded(decisions.clone()),
    };
    runner.traces = options.traces;
    let run = runner.begin_here(spec).and_then(|r| {
        child::wait(std::slice::from_ref(&r), false);
        runner.finish(r)
    });
    let run = match run {
        Ok(run) => run,
        Err(e) => {
            print_error(format_args!(
                "gosched: replay: {}\n",
                crate::loader::os_text(&e)
            ));
            return 2;
        }
    };
    if let (true, Some(status)) = (run.records.is_empty(), run.status.exit_status()) {
        // It has not begun, for a trace cannot be written.
        return status;
    }
    let here = steps(&run);
    let diverged = run.records.iter().find(|r| r.kind == Kind::Diverged);
    if options
        .until
        .is_some_and(|n| n < here.len() as u64 || diverged.is_some())
    {
        print_output(story::standing(&run));
        return 0;
    }
    // It has made fewer decisions, or more, or they are others than were written.
    let first = diverged.map(|r| r.other).or_else(|| {
        let is_over = here.len() == recording.steps.len() && recording.altered.is_none();
        (!is_over).then_some((here.len() as u64).saturating_sub(1))
    });
    let head = &recording.head;
    let finding = Finding::recorded(&head.finding, &head.message, &run);
    let story = finding.map(|finding| Story::new(&run, &finding, None));
    if let (Some(story), true) = (&story, options.story) {
        print_output(format_args!("\n{}", story.text(None)));
    }
    if let (Some(story), Some(path)) = (&story, &options.dot)
        && let Err(e) = super::write_graph(path, story)
    {
        print_error(format_args!(
            "gosched: replay: {}\n",
            crate::loader::os_text(&e)
        ));
        return 2;
    }
    if let Some(n) = first {
        let recorded = recording.steps.get(n as usize);
        let recorded = recorded.map_or("nothing".into(), |s| s.text());
        print_error(format_args!(
            "gosched: replay diverged at decision {n}\n\trecorded: {recorded}\n\there:     {}\n",
            what_is_there(&run, n)
        ));
        return DIVERGED;
    }
    match (run.status.exit_status(), run.status.terminating_signal()) {
        (Some(status), _) => status,
        (_, Some(signal)) => 128 + signal,
        _ => 2,
    }
}

/// What there is to decide at decision `n`.
fn what_is_there(run: &Run, n: u64) -> String {
    match steps(run).get(n as usize).filter(|s| s.k != "end") {
        Some(step) => step.text(),
        None => story::choices(run),
    }
}
