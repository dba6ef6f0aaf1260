//! Programs whose runs are steered, or watched, do what they do in plain runs.
//!
//! `GOSCHED_STEERED` says which way the tests of `corpus.rs` and `gotest.rs` run those programs
//! that end well: `race` looks for races and finds none, `record` records them and replays that,
//! `explore` searches some schedules and finds nothing. `tests/steered.txt` names the programs of
//! which that is not true, and why; they must not crash either.

use super::support::{End, Ran, difference, gosched, is_our_crash, run_merged, tests_dir};
use std::path::Path;
use std::time::Duration;

/// How programs are run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    Race,
    Record,
    Explore,
}

impl Way {
    /// The one that is asked for.
    pub(crate) fn asked() -> Option<Way> {
        let way = std::env::var("GOSCHED_STEERED").ok()?;
        Some(match &*way {
            "race" => Way::Race,
            "record" => Way::Record,
            "explore" => Way::Explore,
            _ => panic!("GOSCHED_STEERED={way}"),
        })
    }

    fn word(self) -> &'static str {
        match self {
            Way::Race => "race",
            Way::Record => "record",
            Way::Explore => "explore",
        }
    }

    /// Is a program excepted?
    fn passes_over(self, name: &str) -> bool {
        let text = std::fs::read_to_string(tests_dir().join("steered.txt")).unwrap();
        let named = text.lines().filter_map(|line| line.split_once(": "));
        let mut ways = named.filter(|(program, _)| *program == name);
        ways.any(|(_, rest)| {
            let (ways, _) = rest.split_once(": ").unwrap_or((rest, ""));
            ways.split(", ").any(|way| way == self.word())
        })
    }

    /// Runs a program in its folder: `words` are flags, the file and its arguments. In a plain run
    /// it ends well, and `want` is what it prints, on both streams.
    pub(crate) fn check(
        self,
        name: &str,
        folder: &Path,
        words: &[&str],
        want: &str,
    ) -> Result<(), String> {
        let own = std::env::temp_dir().join(format!(
            "gosched-steered-{}-{}",
            std::process::id(),
            name.replace('/', "-")
        ));
        std::fs::create_dir_all(own.join("tmp")).unwrap();
        let file = own.join("run.gosched").display().to_string();
        let run = |first: &[&str], words: &[&str]| {
            let mut command = gosched();
            command.args(first).args(words).current_dir(folder);
            command.env("TMPDIR", own.join("tmp"));
            run_merged(&mut command, Duration::from_secs(300))
        };
        let runs: Vec<Ran> = match self {
            Way::Race => vec![run(&["run", "--race"], words)],
            Way::Record => {
                let recorded = run(&["record", "-o", &file], words);
                vec![recorded, run(&["replay", &file], &[])]
            }
            Way::Explore => {
                let flags = ["--schedules=10", "--time=20s", "--jobs=1", "--seed=1"];
                let first = [&["explore", "-o", &file], &flags[..]].concat();
                vec![run(&first, words)]
            }
        };
        let _ = std::fs::remove_dir_all(&own);
        if let Some(ran) = runs.iter().find(|ran| is_our_crash(ran)) {
            return Err(format!("crash of ours: {:?}\n{}", ran.end, ran.stdout));
        }
        if self.passes_over(name) {
            return Ok(());
        }
        for ran in runs {
            let shown: String = ran.stdout.chars().take(1500).collect();
            if ran.end != End::Exit(0) {
                return Err(format!("ended with {:?}\n{shown}", ran.end));
            }
            // What a search says is its own.
            if self != Way::Explore {
                if let Some(d) = difference(want, &ran.stdout) {
                    return Err(format!("output differs at {d}"));
                }
            }
        }
        Ok(())
    }
}
