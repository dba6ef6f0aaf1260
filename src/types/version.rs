//! Which version of the language a file is written in.
//!
//! A package is of the version that its module names, or the command line; a file's
//! `//go:build go1.N` changes it for the file, but to no less than go1.21, where that began. The
//! standard library is of the current version. The compiler asks, too: below go1.22 the iterations
//! of a loop share its variables.
//!
//! Versions are the N of go1.N.
//!
//! Go: go/types (version.go, check.go initFiles), cmd/compile/internal/noder/irgen.go.

use super::*;
use source;
use syntax::ast::File;

/// The version of the present language.
pub const CURRENT: u32 = source::GO.0;

/// Since this version each iteration of a loop has variables of its own.
pub const LOOP_VARS: u32 = 22;

/// The least version that a file can ask for.
const LEAST_OF_FILE: u32 = 21;

/// The versions of a program's files.
#[derive(Debug, Default)]
pub struct Versions {
    /// Of the files that are not of the current version, by the file's base.
    files: FxHashMap<u32, FileVersion>,
}

#[derive(Clone, Copy, Debug)]
struct FileVersion {
    version: u32,
    /// Of the package.
    lang: u32,
    /// The version is the one that the file itself names.
    is_declared: bool,
}

impl Versions {
    fn of(&self, pos: Pos) -> Option<FileVersion> {
        if self.files.is_empty() {
            return None;
        }
        let file = source::map().file(pos)?;
        self.files.get(&file.base).copied()
    }

    /// Is the file at `pos` of version go1.`want` or a later one?
    pub fn allows(&self, pos: Pos, want: u32) -> bool {
        self.of(pos).is_none_or(|f| f.version >= want)
    }

    /// What an error at `pos` adds that says some version is required:
    /// where the present one is set.
    fn hint(&self, pos: Pos) -> String {
        match self.of(pos) {
            Some(f) if f.is_declared => format!("(file declares //go:build go1.{})", f.version),
            f => {
                let lang = f.map_or(CURRENT, |f| f.lang);
                format!("(-lang was set to go1.{lang}; check go.mod)")
            }
        }
    }
}

impl Checker {
    /// Finds out the versions of the files of a package that is of version `lang`.
    pub fn declare_versions(&mut self, files: &[&'static File], lang: u32) {
        for file in files {
            let wanted = file.go_version;
            let version = wanted.map_or(lang, |v| v.max(LEAST_OF_FILE));
            if version != CURRENT
                && let Some(source) = source::map().file(file.pos)
            {
                let is_declared = wanted == Some(version);
                let entry = FileVersion {
                    version,
                    lang,
                    is_declared,
                };
                self.prog.versions.files.insert(source.base, entry);
            }
            if let Some(v) = wanted.filter(|&v| v > CURRENT) {
                self.error(
                    file.package.pos,
                    format!("file requires newer Go version go1.{v}"),
                );
            }
        }
    }

    /// Is the file at `pos` of version go1.`want` or a later one?
    pub(super) fn allows(&self, pos: Pos, want: u32) -> bool {
        self.prog.versions.allows(pos, want)
    }

    /// As [`allows`](Self::allows); reports if not that `what` requires that version.
    pub(super) fn requires(&mut self, pos: Pos, want: u32, what: &str) -> bool {
        let allowed = self.allows(pos, want);
        if !allowed {
            self.error(pos, format!("{what} requires go1.{want} or later"));
        }
        allowed
    }

    /// Adds to a message that requires some version where the present one comes from.
    pub(super) fn explain_version(&self, pos: Pos, msg: &mut String) {
        let is_required = msg.match_indices(" or later").any(|(end, _)| {
            let before = msg[..end].trim_end_matches(|c: char| c.is_ascii_digit());
            before.len() < end && before.ends_with("requires go1.")
        });
        if is_required {
            msg.push(' ');
            msg.push_str(&self.prog.versions.hint(pos));
        }
    }
}
