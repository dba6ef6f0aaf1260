//! A schedule that was made small is 1-minimal: none of its choices can be taken away. A debug
//! build takes each away before it says so, and panics if it fails all the same.

use super::support::End;
use super::{Folder, bad_programs, each, explored, name_of, some};
use std::path::PathBuf;

/// Searches each from so many seeds. Of what is found nearly all has to be minimal, not only small.
fn check(programs: &[PathBuf], seeds: u32) {
    let pairs: Vec<_> = programs
        .iter()
        .flat_map(|p| (1..=seeds).map(move |s| (p, s)))
        .collect();
    let said = each(&pairs, 2, |(program, seed)| {
        let folder = Folder::new();
        let flags = [&*format!("--seed={seed}"), "--schedules=100"];
        let ran = explored(&folder, &flags, program);
        let name = name_of(program);
        assert_eq!(ran.end, End::Exit(3), "{name} from {seed}: {}", ran.stderr);
        assert!(
            ran.stderr.contains("; minimised from "),
            "{name}: {}",
            ran.stderr
        );
        (
            !ran.stderr.contains("perhaps fewer would do"),
            format!("{name} from {seed}"),
        )
    });
    let only_small: Vec<_> = said
        .iter()
        .filter(|(yes, _)| !yes)
        .map(|(_, n)| n)
        .collect();
    println!(
        "{} of {} are minimal, not {only_small:?}",
        said.len() - only_small.len(),
        said.len()
    );
    assert!(only_small.len() * 10 <= said.len());
}

#[test]
#[cfg_attr(not(debug_assertions), ignore = "a debug build looks once more")]
fn minimal() {
    check(&some(&bad_programs(), 6), 1);
}

/// What is found in each bad program from three seeds.
#[test]
#[ignore = "takes 3 minutes"]
fn minimal_of_all() {
    check(&bad_programs(), 3);
}
