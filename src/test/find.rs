//! Which packages are meant: by folders, files and patterns.
//!
//! Go: cmd/go/internal/load (PackagesAndErrors), cmd/internal/pkgpattern.

use super::Spec;
use super::flags::Asked;
use crate::driver::{Input, print_error};
use crate::loader;
use std::path::{Path, PathBuf};

/// Does a pattern of packages match this one? `...` stands for anything.
pub(super) fn matches(pattern: &str, path: &str, module: &str) -> bool {
    let pattern = match pattern.strip_prefix("./").filter(|_| !module.is_empty()) {
        Some("") => module.to_string(),
        Some(rest) => format!("{module}/{rest}"),
        None if pattern == "." && !module.is_empty() => module.to_string(),
        None => pattern.to_string(),
    };
    if pattern == "all" {
        return true;
    }
    // `x/...` matches x as well.
    if pattern
        .strip_suffix("/...")
        .is_some_and(|above| above == path)
    {
        return true;
    }
    let mut parts = pattern.split("...");
    let Some(mut rest) = parts.next().and_then(|head| path.strip_prefix(head)) else {
        return false;
    };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    true
}

/// The packages that are meant. The error is a message for the user.
pub(super) fn find(asked: &Asked) -> Result<Vec<Spec>, String> {
    let here = [".".to_string()];
    let patterns = match &asked.packages[..] {
        [] => &here[..],
        patterns => patterns,
    };
    let base = Spec {
        race: asked.race,
        tags: asked.tags.clone(),
        modules: asked.modules.clone(),
        goroot: asked
            .goroot
            .as_ref()
            .map(|dir| std::path::absolute(dir).unwrap_or(dir.clone())),
        cover: asked.cover,
        cover_packages: asked.cover_packages.clone(),
        fuzz: asked.fuzz,
        tells: true,
        profiles: asked.profile.is_some(),
        explore: asked.explores.then(|| asked.explore.clone()),
        ..Spec::default()
    };
    if patterns.iter().all(|p| p.ends_with(".go")) {
        let files: Vec<PathBuf> = patterns.iter().map(PathBuf::from).collect();
        let dir = files[0]
            .parent()
            .filter(|p| *p != Path::new(""))
            .unwrap_or(Path::new("."));
        return Ok(vec![Spec {
            path: FILES.into(),
            dir: dir.to_path_buf(),
            files,
            ..base
        }]);
    }
    let module = loader::module_of(&Input::Dir(".".into()))?;
    let mut specs: Vec<Spec> = Vec::new();
    for pattern in patterns {
        let dirs = match folders(pattern, module.as_ref()) {
            Ok(dirs) => dirs,
            Err(missing) => {
                specs.push(Spec {
                    path: pattern.clone(),
                    missing,
                    ..base.clone()
                });
                continue;
            }
        };
        for dir in dirs {
            let module = loader::module_of(&Input::Dir(dir.clone()))?;
            if !has_go_files(&dir) {
                // It has no path, as far as anybody knows.
                let dir = std::path::absolute(&dir).unwrap_or(dir);
                specs.push(Spec {
                    path: pattern.clone(),
                    missing: format!("no Go files in {}", dir.display()),
                    dir,
                    ..base.clone()
                });
                continue;
            }
            let spec = Spec {
                path: import_path(&dir).unwrap_or_else(|| FILES.into()),
                module: module.map_or(String::new(), |m| m.path),
                dir,
                ..base.clone()
            };
            if specs.iter().all(|s| s.dir != spec.dir) {
                specs.push(spec);
            }
        }
    }
    // What is not there is told first.
    specs.sort_by_key(|spec| spec.missing.is_empty());
    match specs.is_empty() {
        true => Err("no packages to test".into()),
        false => Ok(specs),
    }
}

fn has_go_files(dir: &Path) -> bool {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let mut names = entries.map(|e| e.file_name().to_string_lossy().into_owned());
    names.any(|name| name.ends_with(".go"))
}

/// The import path of a package that is made of files.
const FILES: &str = "command-line-arguments";

/// The folders that a pattern names.
fn folders(pattern: &str, module: Option<&loader::Module>) -> Result<Vec<PathBuf>, String> {
    let is_path = pattern == "." || pattern == ".." || pattern.starts_with(['.', '/']);
    let path = match module.and_then(|m| pattern.strip_prefix(&m.path).map(|rest| (m, rest))) {
        Some((m, rest)) if !is_path && (rest.is_empty() || rest.starts_with(['/', '.'])) => m
            .root
            .join(rest.trim_start_matches('/'))
            .to_string_lossy()
            .into_owned(),
        _ => pattern.to_string(),
    };
    if let Some((head, _)) = path.split_once("...") {
        let above = head.rfind('/').map_or(0, |at| at + 1);
        let mut found = loader::folders_below(Path::new(&path[..above]), true)?;
        found.retain(|dir| {
            let dir = dir.to_string_lossy();
            matches(&path, &dir, "") || matches(&path, &format!("{dir}/"), "")
        });
        if found.is_empty() {
            print_error(format_args!(
                "go: warning: {pattern:?} matched no packages\n"
            ));
        }
        return Ok(found);
    }
    match Path::new(&path).is_dir() {
        true => Ok(vec![PathBuf::from(path)]),
        false if is_path => {
            let path = std::path::absolute(&path).unwrap_or_else(|_| path.into());
            Err(format!("stat {}: directory not found", path.display()))
        }
        false => Err(format!("package {pattern} is not in std")),
    }
}

/// The import path of the package in a folder, if it is of a module.
pub(crate) fn import_path(dir: &Path) -> Option<String> {
    let module = loader::module_of(&Input::Dir(dir.to_path_buf())).ok()??;
    let dir = std::path::absolute(dir).ok()?;
    let dir = dir.canonicalize().unwrap_or(dir);
    let below = dir
        .strip_prefix(&module.root)
        .ok()?
        .to_string_lossy()
        .into_owned();
    Some(match (module.path.as_str(), below.as_str()) {
        ("std", below) => below.to_string(),
        (path, "") => path.to_string(),
        (path, below) => format!("{path}/{below}"),
    })
}
