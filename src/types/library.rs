//! The library's texts: packages as folders of Go files, checked whole.
//!
//! That is done when gosched is built; at a start only for those who work on the library.

use super::{Checker, Imported, Importer, version};
use source::SourceFile;
use std::path::PathBuf;
use syntax::ast;
use syntax::diagnostics::Diagnostics;
use syntax::parser;

/// Finds packages below a folder, each in the folder of its import path.
#[derive(Clone, Debug)]
pub struct Library {
    root: PathBuf,
}

impl Library {
    pub fn new(root: impl Into<PathBuf>) -> Library {
        Library { root: root.into() }
    }

    /// The import paths of all packages, in order.
    pub fn paths(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut folders = vec![String::new()];
        while let Some(path) = folders.pop() {
            for entry in std::fs::read_dir(self.root.join(&path))
                .into_iter()
                .flatten()
                .flatten()
            {
                let name = entry.file_name().into_string().unwrap_or_default();
                if entry.path().is_dir() {
                    folders.push(format!("{path}/{name}").trim_start_matches('/').to_string());
                } else if name.ends_with(".go") && !path.is_empty() && found.last() != Some(&path) {
                    found.push(path.clone());
                }
            }
        }
        found.sort();
        found.dedup();
        found
    }

    /// The Go files of a package, if there is one, in the order of their names.
    pub fn files(&self, path: &str) -> std::io::Result<Vec<&'static SourceFile>> {
        let folder = self.root.join(path);
        let mut names = Vec::new();
        for entry in std::fs::read_dir(&folder)? {
            let name = entry?.file_name().into_string().unwrap_or_default();
            names.extend(name.ends_with(".go").then_some(name));
        }
        names.sort();
        let add = |name: String| {
            let text = std::fs::read_to_string(folder.join(&name))?;
            let name = format!("{path}/{name}");
            Ok(source::map().add(&name, &format!("$GOROOT/src/{name}"), text))
        };
        names.into_iter().map(add).collect()
    }

    /// Checks every package, bodies included. Fails with what is wrong with them, a line each.
    pub fn check(&self) -> Result<Checker, String> {
        let mut checker = Checker::new(Box::new(self.clone()));
        for path in self.paths() {
            checker.import_package(&path)?;
        }
        checker.complete_all();
        let errors = std::mem::take(&mut checker.diags);
        match errors.is_empty() {
            true => Ok(checker),
            false => Err(texts(errors)),
        }
    }
}

impl Importer for Library {
    fn import(&mut self, path: &str) -> Result<Imported, String> {
        let missing = || format!("package {path} is not in std");
        let files = self.files(path).ok().filter(|files| !files.is_empty());
        let mut errors = Diagnostics::new();
        let trees = files.ok_or_else(missing)?.into_iter().filter_map(|file| {
            let tree = parser::parse_file(file, &mut errors)?;
            Some::<&'static ast::File>(Box::leak(Box::new(tree)))
        });
        let files = trees.collect();
        if !errors.is_empty() {
            return Err(texts(errors));
        }
        Ok(Imported {
            lang: version::CURRENT,
            path: path.to_string(),
            files,
            is_std: true,
        })
    }
}

fn texts(errors: Diagnostics) -> String {
    let line = |d: &syntax::diagnostics::Diagnostic| {
        format!("{}: {}", source::map().position(d.pos), d.message)
    };
    errors
        .sorted()
        .iter()
        .map(line)
        .collect::<Vec<_>>()
        .join("\n")
}
