//! A Go source tree as a second library: a package that is not on offer here is compiled from its
//! source there.
//!
//! The tree is the one that `--goroot`, `GOROOT` or a `go` on the path names, and must be of the Go
//! that is followed; nothing of this is looked for before an import is missing. What our library
//! has wins always. Files are chosen with the tags by which Go leaves assembly out. A package of
//! the tree is checked as the library's own texts are, a declaration or a body when something asks
//! for it: so what cannot be had (a function whose body is in Go's runtime, a name that our library
//! lacks) is refused only where a program reaches it.
//!
//! Packages of the tree import others that are for them alone: internal and vendored ones. Their
//! paths get a [`MARK`] in front, which no program can write, so ours and theirs can have the same.
//! What differs for us lies in `tree/`: packages that stand in place of Go's, and `list.txt`, which
//! says of functions without a body whose body they have, and of packages why they are refused.
//!
//! Go: cmd/go/internal/load, go/build (GOROOT, src/vendor).

use super::{How, goenv, how};
use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// Stands before the import paths of packages that only those of the tree import.
pub const MARK: &str = "tree:";

/// The tags that Go provides for those who have neither its assembler nor a C compiler.
pub(super) const TAGS: &[&str] = &["purego", "math_big_pure_go", "osusergo", "netgo"];

/// The packages that stand in place of those of the tree.
const OURS: &[(&str, &str)] = &[
    (
        "crypto/internal/fips140/check",
        include_str!("tree/crypto/internal/fips140/check.go"),
    ),
    ("internal/bound", include_str!("tree/internal/bound.go")),
    ("internal/bytealg", include_str!("tree/internal/bytealg.go")),
    ("internal/godebug", include_str!("tree/internal/godebug.go")),
    ("internal/linked", include_str!("tree/internal/linked.go")),
];

const LIST: &str = include_str!("tree/list.txt");

/// Where debug builds find the texts of `tree/`, for those who work on them.
fn texts() -> Option<PathBuf> {
    match cfg!(debug_assertions) {
        true => std::env::var_os("GOSCHED_TREE").map(PathBuf::from),
        false => None,
    }
}

/// The text of the package that stands in place of the tree's.
pub fn own_text(path: &str) -> Option<Cow<'static, str>> {
    if let Some(folder) = texts() {
        let file = folder.join(format!("{path}.go"));
        return std::fs::read_to_string(file).ok().map(Cow::Owned);
    }
    let found = OURS.iter().find(|(have, _)| *have == path);
    found.map(|(_, text)| Cow::Borrowed(*text))
}

/// What `list.txt` says.
#[derive(Default)]
struct List {
    /// Bodies of functions without one, by their names.
    bound: HashMap<&'static str, &'static str>,
    /// What programs get that link to a function, by that one's name.
    linked: HashMap<&'static str, &'static str>,
    /// Why packages are refused; `p/...` are those below `p`.
    refused: Vec<(&'static str, &'static str)>,
}

fn list() -> &'static List {
    static LISTED: OnceLock<List> = OnceLock::new();
    LISTED.get_or_init(|| {
        let text = match texts() {
            None => LIST,
            Some(folder) => std::fs::read_to_string(folder.join("list.txt"))
                .unwrap_or_default()
                .leak(),
        };
        let mut list = List::default();
        for line in text.lines() {
            if let Some(rest) = line.strip_prefix("bind ") {
                list.bound.extend(rest.split_once(" = "));
            } else if let Some(rest) = line.strip_prefix("link ") {
                list.linked.extend(rest.split_once(" = "));
            } else if let Some(rest) = line.strip_prefix("refuse ") {
                list.refused.extend(rest.split_once(" = "));
            }
        }
        list
    })
}

/// The package and the name of the function that is the body of one without: `name` of the package
/// at `path`.
pub fn bound(path: &str, name: &str) -> Option<(String, String)> {
    let path = path.strip_prefix("vendor/").unwrap_or(path);
    let full = format!("{path}.{name}");
    place_of(list().bound.get(&*full)?)
}

/// The function that a program gets which links to `remote`.
pub fn linked(remote: &str) -> Option<(String, String)> {
    place_of(list().linked.get(remote)?)
}

/// The package of a body, and its name there.
fn place_of(full: &str) -> Option<(String, String)> {
    let (package, name) = full.rsplit_once('.')?;
    let package = match is_internal(package) {
        true => format!("{MARK}{package}"),
        false => package.to_string(),
    };
    Some((package, name.to_string()))
}

/// Is it a package, of the tree or of a module, that has functions whose bodies are ours?
pub fn has_bound(path: &str) -> bool {
    let mut names = list().bound.keys().filter_map(|name| name.rsplit_once('.'));
    names.any(|(package, _)| package == path)
}

/// Why a package of the tree is refused.
pub fn refusal(path: &str) -> Option<&'static str> {
    let is_meant = |what: &str| match what.strip_suffix("/...") {
        Some(above) => super::part_of(above, path).is_some(),
        None => what == path,
    };
    let mut refused = list().refused.iter();
    refused
        .find(|(what, _)| is_meant(what))
        .map(|(_, why)| *why)
}

fn is_internal(path: &str) -> bool {
    path.split('/').any(|part| part == "internal")
}

/// The path of a package for a package of the tree that imports it as `path`, if that is another.
pub fn own_path(path: &str) -> Option<String> {
    match path
        .split('/')
        .next()
        .is_some_and(|first| first.contains('.'))
    {
        true => Some(format!("{MARK}vendor/{path}")),
        false => is_internal(path).then(|| format!("{MARK}{path}")),
    }
}

/// The folder of package `path` in the tree. Fails with what is said behind the package's name.
pub fn folder_of(path: &str) -> Result<PathBuf, String> {
    static TREE: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let tree = TREE.get_or_init(find).as_ref().map_err(Clone::clone)?;
    let folder = tree.join("src").join(path);
    match super::modules::has_go_files(&folder) {
        true => Ok(folder),
        false => Err(format!(" is not in {}", tree.join("src").display())),
    }
}

fn find() -> Result<PathBuf, String> {
    let (wanted, _) = source::GO;
    let How { goroot, .. } = how();
    let named = goroot
        .clone()
        .or_else(|| goenv::variable("GOROOT").map(PathBuf::from));
    let Some(root) = named.or_else(of_command) else {
        return Err(format!(
            "; a source tree of Go 1.{wanted} would give it: \
             --goroot=DIR, GOROOT, or go on the PATH"
        ));
    };
    let text = std::fs::read_to_string(root.join("VERSION")).unwrap_or_default();
    let version = text.lines().next().unwrap_or("").trim();
    let digits = version.strip_prefix("go1.").unwrap_or("");
    let end = digits.find(|c: char| !c.is_ascii_digit());
    match digits[..end.unwrap_or(digits.len())].parse::<u32>() {
        Ok(minor) if minor == wanted && root.join("src").is_dir() => {
            Ok(std::path::absolute(&root).unwrap_or(root))
        }
        Ok(minor) if minor != wanted => Err(format!(
            "; it would load from a source tree of Go 1.{wanted}, and {} is one of {version}",
            root.display()
        )),
        _ => Err(format!(
            "; it would load from a source tree of Go 1.{wanted}, and {} is none",
            root.display()
        )),
    }
}

/// The tree of the `go` that is on the path.
fn of_command() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let mut files = std::env::split_paths(&path).map(|dir| dir.join("go"));
    let found = files.find(|file| file.is_file())?;
    let go = found.canonicalize().unwrap_or_else(|_| found.clone());
    let beside = go.parent()?.parent()?;
    if is_tree(beside) {
        return Some(beside.to_path_buf());
    }
    // It is a script, or something else that knows where the tree is.
    let asked = Command::new(found)
        .args(["env", "GOROOT"])
        .env("GOTOOLCHAIN", "local")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output();
    let root = PathBuf::from(String::from_utf8_lossy(&asked.ok()?.stdout).trim());
    is_tree(&root).then_some(root)
}

fn is_tree(root: &Path) -> bool {
    root.join("VERSION").is_file() && root.join("src").is_dir()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_list_are_understood() {
        for line in LIST
            .lines()
            .filter(|l| !l.is_empty() && !l.starts_with('#'))
        {
            let said = ["bind ", "refuse ", "link "];
            let is_said = said.iter().any(|word| line.starts_with(word));
            assert!(is_said && line.contains(" = "), "{line}");
        }
        let of_module = bound("golang.org/x/sys/unix", "Syscall");
        assert_eq!(of_module, Some(("syscall".into(), "Syscall".into())));
        assert_eq!(bound("vendor/golang.org/x/sys/unix", "Syscall"), of_module);
        assert!(has_bound("golang.org/x/sys/unix") && !has_bound("golang.org/x/sys"));
        assert!(refusal("runtime/race").is_some() && refusal("go/ast").is_none());
    }

    #[test]
    fn packages_for_the_tree_alone_are_marked() {
        let marked = own_path("golang.org/x/net/idna");
        assert_eq!(marked.unwrap(), "tree:vendor/golang.org/x/net/idna");
        assert_eq!(own_path("internal/cpu").unwrap(), "tree:internal/cpu");
        assert_eq!(own_path("go/ast"), None);
    }
}
