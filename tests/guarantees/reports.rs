//! What is told of a bug of each kind, word for word: `tests/steer/reports/KIND.txt`.
//!
//! `UPDATE_EXPECT=1 cargo test --test guarantees reports` writes them: read the difference.

use super::support::{End, difference, tests_dir};
use super::{Folder, each, explored, name_of, programs};
use std::path::Path;

/// What is told of the first that is found, without what no two runs share.
fn told(program: &Path) -> String {
    let folder = Folder::new();
    let ran = explored(&folder, &["--seed=1", "--strategy=random"], program);
    assert_eq!(
        ran.end,
        End::Exit(3),
        "{}: {}",
        name_of(program),
        ran.stderr
    );
    let is_told = |line: &&str| !line.starts_with("again: ");
    let time = regex::Regex::new(r" \([0-9.]+ s\)").unwrap();
    let lines = ran.stderr.lines().filter(is_told);
    let lines = lines.map(|line| time.replace(line, "") + "\n");
    lines.collect::<String>().trim_start().into()
}

#[test]
fn reports() {
    let folder = tests_dir().join("steer/reports");
    let all = programs(|name| name.ends_with("_1_bad"));
    assert!(all.len() >= 14);
    let wrong = each(&all, 2, |program| {
        let told = told(program);
        let kind = name_of(program).replace("_1_bad", "");
        let file = folder.join(kind).with_extension("txt");
        // Both lines, and the switch, if it takes one.
        assert!(
            told.contains('▶') || told.contains("It happens in the ordinary order."),
            "{told}"
        );
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&file, &told).unwrap();
        }
        let want = std::fs::read_to_string(&file).unwrap_or_default();
        difference(&want, &told).map(|d| format!("{}: {d}", file.display()))
    });
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
