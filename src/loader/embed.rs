//! Which files the patterns of `//go:embed` mean.
//!
//! Go: cmd/go/internal/load (pkg.go: resolveEmbed), cmd/compile/internal/staticdata (embed.go),
//! path (match.go).

use super::{Seen, note, stamp};
use std::path::Path;
use syntax::parser::embed::Content;

/// The files that a pattern means, by their names from the folder of the package, in order.
pub fn resolve(folder: &Path, pattern: &str) -> Result<Vec<String>, String> {
    let (glob, all) = match pattern.strip_prefix("all:") {
        Some(glob) => (glob, true),
        None => (pattern, false),
    };
    if !is_well_formed(glob) || !is_valid_path(glob) {
        return Err("invalid pattern syntax".into());
    }
    let mut matches = vec![String::new()];
    for part in glob.split('/') {
        let mut next = Vec::new();
        for above in matches {
            if !part.contains(['*', '?', '[', '\\']) {
                let name = join(&above, part);
                if std::fs::symlink_metadata(folder.join(&name)).is_ok() {
                    next.push(name);
                }
                continue;
            }
            let names = names_in(&folder.join(&above));
            let names = names.into_iter().filter(|name| matches_part(part, name));
            next.extend(names.map(|name| join(&above, &name)));
        }
        matches = next;
    }
    let mut list = Vec::new();
    for name in matches {
        let meta = std::fs::symlink_metadata(folder.join(&name)).map_err(|e| e.to_string())?;
        let what = if meta.is_dir() { "directory" } else { "file" };
        check_path(folder, &name, what)?;
        if meta.is_dir() {
            let mut below = Vec::new();
            walk(folder, &name, all, &mut below)?;
            if below.is_empty() {
                return Err(format!(
                    "cannot embed directory {name}: contains no embeddable files"
                ));
            }
            list.extend(below);
        } else if meta.is_file() {
            list.push(name);
        } else {
            return Err(format!("cannot embed irregular file {name}"));
        }
    }
    if list.is_empty() {
        return Err("no matching files found".into());
    }
    list.sort();
    list.dedup();
    Ok(list)
}

/// What the files hold, and, where they make a tree, the folders that they are in.
pub fn contents(folder: &Path, names: &[String], is_tree: bool) -> Result<Vec<Content>, String> {
    let mut found: Vec<Content> = Vec::new();
    for name in names {
        let path = folder.join(name);
        note(Seen::File(path.clone(), stamp(&path)));
        let data = std::fs::read(&path).map_err(|e| super::message("open", &path, &e))?;
        found.push((name.clone(), data));
        let mut above = name.as_str();
        while is_tree && let Some((folder, _)) = above.rsplit_once('/') {
            found.push((format!("{folder}/"), Vec::new()));
            above = folder;
        }
    }
    let key = |name: &str| {
        let name = name.trim_end_matches('/');
        let (folder, own) = name.rsplit_once('/').unwrap_or((".", name));
        (folder.to_string(), own.to_string())
    };
    found.sort_by_key(|(name, _)| key(name));
    found.dedup_by(|a, b| a.0 == b.0);
    Ok(found)
}

fn join(above: &str, name: &str) -> String {
    match above {
        "" => name.to_string(),
        _ => format!("{above}/{name}"),
    }
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .filter_map(|e| e.file_name().into_string().ok())
        .collect();
    names.sort();
    names
}

/// Can all parts of a path be in a module?
fn check_path(folder: &Path, name: &str, what: &str) -> Result<(), String> {
    let mut path = name;
    loop {
        let is_whole = path == name;
        if folder.join(path).join("go.mod").exists() {
            return Err(format!("cannot embed {what} {name}: in different module"));
        }
        let meta = std::fs::symlink_metadata(folder.join(path));
        if !is_whole && meta.is_ok_and(|m| !m.is_dir()) {
            return Err(format!(
                "cannot embed {what} {name}: in non-directory {path}"
            ));
        }
        let (above, own) = path.rsplit_once('/').unwrap_or(("", path));
        if is_bad_name(own) {
            return Err(match is_whole {
                true => format!("cannot embed {what} {name}: invalid name {own}"),
                false => format!("cannot embed {what} {name}: in invalid directory {own}"),
            });
        }
        if above.is_empty() {
            return Ok(());
        }
        path = above;
    }
}

/// The files below a folder, without hidden ones unless `all` are wanted.
fn walk(folder: &Path, below: &str, all: bool, list: &mut Vec<String>) -> Result<(), String> {
    for own in names_in(&folder.join(below)) {
        let name = join(below, &own);
        let path = folder.join(&name);
        let Ok(meta) = std::fs::symlink_metadata(&path) else {
            continue;
        };
        let is_hidden = own.starts_with(['.', '_']);
        if is_bad_name(&own) || is_hidden && !all {
            if !meta.is_dir() && !is_hidden {
                return Err(format!("cannot embed file {name}: invalid name {own}"));
            }
        } else if meta.is_dir() {
            if !path.join("go.mod").exists() {
                walk(folder, &name, all, list)?;
            }
        } else if meta.is_file() {
            list.push(name);
        }
    }
    Ok(())
}

/// Can no file of a module have this name?
///
/// Go: golang.org/x/mod/module, checkElem.
fn is_bad_name(name: &str) -> bool {
    const SIGNS: &str = "!#$%&()+,-.=@[]^_{}~ ";
    const RESERVED: [&str; 4] = ["con", "prn", "aux", "nul"];
    let is_good = |c: char| match c.is_ascii() {
        true => c.is_ascii_alphanumeric() || SIGNS.contains(c),
        false => c.is_alphabetic(),
    };
    let first = name.split('.').next().unwrap_or("").to_ascii_lowercase();
    let is_port = ["com", "lpt"].iter().any(|port| {
        let rest = first.strip_prefix(port);
        rest.is_some_and(|n| matches!(n.as_bytes(), [b'1'..=b'9']))
    });
    let all_dots = name.bytes().all(|b| b == b'.');
    all_dots
        || name.ends_with('.')
        || !name.chars().all(is_good)
        || RESERVED.contains(&&*first)
        || is_port
        || matches!(name, ".bzr" | ".hg" | ".git" | ".svn")
}

/// Go: io/fs, ValidPath; the folder itself is none.
fn is_valid_path(path: &str) -> bool {
    path.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

/// Is a pattern one that can be matched?
fn is_well_formed(pattern: &str) -> bool {
    let chars: Vec<char> = pattern.chars().collect();
    let mut rest = &chars[..];
    while !rest.is_empty() {
        match step(rest, Some('x')) {
            Some((after, _)) => rest = after,
            None => return false,
        }
    }
    true
}

/// Takes one part of a pattern other than `*`: what is left, and whether it matches a character.
/// `None`: it is malformed.
fn step(pattern: &[char], c: Option<char>) -> Option<(&[char], bool)> {
    match *pattern {
        ['*', ref rest @ ..] => Some((rest, true)),
        ['?', ref rest @ ..] => Some((rest, c.is_some_and(|c| c != '/'))),
        ['\\', one, ref rest @ ..] => Some((rest, c == Some(one))),
        ['\\'] => None,
        ['[', ref rest @ ..] => {
            let (is_negated, mut rest) = match *rest {
                ['^', ref rest @ ..] => (true, rest),
                _ => (false, rest),
            };
            let mut is_in = false;
            let mut count = 0;
            loop {
                if let [']', after @ ..] = rest
                    && count > 0
                {
                    return Some((after, is_in != is_negated));
                }
                let (low, after) = bound(rest)?;
                let (high, after) = match *after {
                    ['-', ref after @ ..] => bound(after)?,
                    _ => (low, after),
                };
                is_in |= c.is_some_and(|c| low <= c && c <= high);
                rest = after;
                count += 1;
            }
        }
        [one, ref rest @ ..] => Some((rest, c == Some(one))),
        [] => None,
    }
}

/// A character of a class, behind which there must be more.
fn bound(pattern: &[char]) -> Option<(char, &[char])> {
    let (one, rest) = match *pattern {
        [] | ['-' | ']', ..] | ['\\'] => return None,
        ['\\', one, ref rest @ ..] => (one, rest),
        [one, ref rest @ ..] => (one, rest),
    };
    (!rest.is_empty()).then_some((one, rest))
}

/// Does a name match a part of a pattern?
fn matches_part(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    let (mut p, mut n) = (&pattern[..], &name[..]);
    // Where to go on with one character more for the last star.
    let mut again: Option<(&[char], &[char])> = None;
    loop {
        if let ['*', rest @ ..] = p {
            again = Some((rest, n));
            p = rest;
            continue;
        }
        if p.is_empty() && n.is_empty() {
            return true;
        }
        if let [c, after @ ..] = n
            && let Some((rest, true)) = step(p, Some(*c))
        {
            (p, n) = (rest, after);
            continue;
        }
        match again {
            Some((rest, [_, after @ ..])) => {
                again = Some((rest, after));
                (p, n) = (rest, after);
            }
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match() {
        for (pattern, name, want) in [
            ("*.txt", "a.txt", true),
            ("*.txt", "a.txt.b", false),
            ("a*b*c", "axxbyyc", true),
            ("a*b*c", "axxbyy", false),
            ("[a-c]?", "b1", true),
            ("[^a-c]?", "b1", false),
            ("\\*", "*", true),
            ("*", "", true),
        ] {
            assert_eq!(matches_part(pattern, name), want, "{pattern} {name}");
        }
        for bad in ["[", "[a", "a[", "[]", "[-x]", "\\"] {
            assert!(!is_well_formed(bad), "{bad}");
        }
        assert!(is_well_formed("a/[x-z]*?"));
        assert!(is_bad_name("a:b") && is_bad_name("nul.txt") && is_bad_name(".git"));
        assert!(!is_bad_name("a b.txt") && !is_bad_name("com.txt"));
    }
}
