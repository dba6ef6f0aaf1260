//! `NOTICE` names whose work the program carries; `gosched licenses` prints it.
//!
//! Its first part is written by hand. What stands below [`CRATES`] is made from the manifests and
//! the licence files of the crates that cargo links into the program, as they lie in cargo's
//! folders: nothing is fetched. `UPDATE_EXPECT=1 cargo test --test licenses` writes it anew. It is
//! kept as a file, and not made by a build script, so that a change of a licence is seen in review,
//! and packers without cargo's folders can build.

mod support;

use regex::Regex;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use support::gosched;

/// The line below which `NOTICE` is made.
const CRATES: &str = "Crates\n======\n";

/// Where the program runs.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// The first words of the licences by which crates are taken, best first: of a choice the first.
const BEGINNINGS: &[(&str, &str)] = &[
    ("MIT", "Permission is hereby granted, free of charge"),
    ("BSD-3-Clause", "Redistribution and use"),
    ("BSD-2-Clause", "Redistribution and use"),
    ("Zlib", "This software is provided 'as-is'"),
];

fn cargo(args: &[&str]) -> String {
    let root = env!("CARGO_MANIFEST_DIR");
    let mut cargo = Command::new(env!("CARGO"));
    let ran = cargo.args(args).arg("--offline").current_dir(root).output();
    let ran = ran.expect("cargo can be started");
    let errors = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{args:?}: {errors}");
    String::from_utf8(ran.stdout).expect("cargo prints UTF-8")
}

/// A crate that the program carries.
struct Crate {
    name: String,
    version: String,
    /// Whose it is, a line each.
    owners: Vec<String>,
    license: &'static str,
    /// What its licence says, without the owners.
    terms: String,
}

/// Names and versions of the crates that are linked into the program.
fn linked() -> Vec<(String, String)> {
    let edges = ["tree", "-e", "normal,no-proc-macro", "--prefix=none"];
    let form = ["--no-dedupe", "--format={p}", "--target", TARGET];
    let tree = cargo(&[&edges[..], &form[..]].concat());
    let mut crates: Vec<(String, String)> = tree
        .lines()
        .filter_map(|line| line.split_once(" v"))
        .filter(|(_, rest)| !rest.contains('(')) // ours have a path
        .map(|(name, version)| (name.to_string(), version.to_string()))
        .collect();
    crates.sort();
    crates.dedup();
    crates
}

/// The texts of licences that lie in a crate's folder, and those in files of other names after
/// them.
fn texts(folder: &Path) -> Vec<String> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("cargo has unpacked the crate")
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.is_file())
        .collect();
    files.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.to_uppercase().contains("LICEN")
    });
    // LICENSE-MIT before LICENSE, which may only name it.
    files.sort_by_key(|path| (!path.to_string_lossy().contains("MIT"), path.clone()));
    files
        .iter()
        .map(|path| std::fs::read_to_string(path).expect("licences are UTF-8"))
        .collect()
}

fn read_crate(name: &str, version: &str, package: &Value) -> Crate {
    let declared = package["license"].as_str().unwrap_or_default();
    let manifest = package["manifest_path"].as_str().unwrap_or_default();
    let folder = Path::new(manifest)
        .parent()
        .expect("a manifest is in a folder");
    let mut texts = texts(folder);
    if texts.is_empty() && declared == "MIT" {
        // Its terms are those of our own, whose owners are cut off below.
        let (_, ours) = include_str!("../LICENSE")
            .split_once("maintainers\n")
            .unwrap();
        texts.push(ours.split_once("\n\n---").unwrap().0.into());
    }
    let found = BEGINNINGS
        .iter()
        .filter(|(license, _)| declared.split([' ', '/', '(', ')']).any(|w| w == *license))
        .find_map(|(license, beginning)| {
            let text = texts.iter().find(|text| text.contains(beginning))?;
            Some((*license, text.split_once(beginning)?, *beginning))
        });
    let Some((license, (head, rest), beginning)) = found else {
        panic!("{name} {version}: none of the licences we take crates by: {declared:?}");
    };
    let rest = rest.split("\n----").next().unwrap_or(rest);
    let is_owner = |line: &&str| line.to_lowercase().contains("copyright");
    let mut owners: Vec<String> = head
        .lines()
        .map(str::trim)
        .filter(is_owner)
        .map(String::from)
        .collect();
    if owners.is_empty() {
        let authors = package["authors"].as_array().cloned().unwrap_or_default();
        let authors: Vec<&str> = authors.iter().filter_map(Value::as_str).collect();
        owners.push(match authors.is_empty() {
            true => format!("by the authors of {name}"),
            false => format!("by {}", authors.join(", ")),
        });
    }
    Crate {
        name: name.to_string(),
        version: version.to_string(),
        owners,
        license,
        terms: format!("{beginning}{}", rest.trim_end()),
    }
}

/// The made part of `NOTICE`: crates with the same terms together, those with the most first.
fn crates() -> String {
    let metadata = cargo(&[
        "metadata",
        "--format-version=1",
        "--filter-platform",
        TARGET,
    ]);
    let metadata: Value = serde_json::from_str(&metadata).expect("cargo prints JSON");
    let packages = metadata["packages"].as_array().expect("there are packages");
    let words = Regex::new(r"\s+").unwrap();
    let mut by_terms: BTreeMap<(&str, String), Vec<Crate>> = BTreeMap::new();
    for (name, version) in linked() {
        let is_it = |p: &&Value| p["name"] == *name && p["version"] == *version;
        let package = packages.iter().find(is_it);
        let package = package.unwrap_or_else(|| panic!("cargo knows no {name} {version}"));
        let found = read_crate(&name, &version, package);
        let same = words.replace_all(&found.terms, " ").to_lowercase();
        by_terms
            .entry((found.license, same))
            .or_default()
            .push(found);
    }
    let mut groups: Vec<Vec<Crate>> = by_terms.into_values().collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    let mut out = String::new();
    for group in groups {
        let _ = writeln!(out, "\n{}", group[0].license);
        let _ = writeln!(out, "{}\n", "-".repeat(group[0].license.len()));
        for one in &group {
            let _ = writeln!(out, "{} {}", one.name, one.version);
            for owner in &one.owners {
                let _ = writeln!(out, "    {owner}");
            }
        }
        let _ = writeln!(out, "\n{}", group[0].terms);
    }
    out
}

#[test]
fn the_notice_names_every_crate() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("NOTICE");
    let have = std::fs::read_to_string(&path).expect("there is a NOTICE");
    let (by_hand, made) = have.split_once(CRATES).expect("NOTICE has crates");
    let want = crates();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, format!("{by_hand}{CRATES}{want}")).unwrap();
        return;
    }
    for (have, want) in made.lines().zip(want.lines()) {
        assert_eq!(have, want, "UPDATE_EXPECT=1 writes what NOTICE is to say");
    }
    assert_eq!(made.len(), want.len());
}

#[test]
fn licenses_are_printed() {
    let ran = gosched().arg("licenses").output().unwrap();
    assert!(ran.status.success());
    let said = String::from_utf8(ran.stdout).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for file in ["LICENSE", "NOTICE"] {
        let text = std::fs::read_to_string(root.join(file)).unwrap();
        assert!(said.contains(text.trim_end()), "{file}");
    }
}
