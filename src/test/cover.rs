//! Counting statements: how they are counted.
//!
//! Go: cmd/cover.

use super::Spec;
use super::testmain::Parsed;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use syntax::ast;

/// How statements are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Mode {
    /// Has it run?
    Set,
    Count,
    /// As `Count`, for several goroutines.
    Atomic,
}

impl Mode {
    pub(crate) fn of(name: &str) -> Option<Mode> {
        Some(match name {
            "set" => Mode::Set,
            "count" => Mode::Count,
            "atomic" => Mode::Atomic,
            _ => return None,
        })
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Mode::Set => "set",
            Mode::Count => "count",
            Mode::Atomic => "atomic",
        }
    }
}

pub(crate) fn instrument(_parsed: &mut [Parsed], _spec: &Spec, _mode: Mode) {}

pub(crate) fn instrument_package(
    _path: &str,
    files: &[&'static ast::File],
    _spec: &Spec,
) -> Vec<&'static ast::File> {
    files.to_vec()
}

/// Where a test writes its profile, before [`merge`] puts them together.
pub(crate) fn temporary(path: &str) -> PathBuf {
    let name = path.replace('/', "_");
    std::env::temp_dir().join(format!("gosched-cover-{}-{name}", std::process::id()))
}

/// Makes one profile of several.
pub(crate) fn merge(to: &Path, mode: Mode, profiles: &[PathBuf]) -> std::io::Result<()> {
    let head = format!("mode: {}\n", mode.name());
    let mut text = head.clone();
    for profile in profiles {
        if let Ok(one) = std::fs::read_to_string(profile) {
            text.push_str(one.strip_prefix(&head).unwrap_or(&one));
        }
        let _ = std::fs::remove_file(profile);
    }
    std::fs::write(to, text)
}
