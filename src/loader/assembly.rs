//! Packages of which a part is written in assembly: their files are chosen as for a machine that
//! has none.
//!
//! A package is taken as Go takes it, unless functions of the files chosen have no body and files
//! of assembly beside them are chosen, too. Then the choice is made again, as for [`OTHERS`] one
//! after the other, until each function has a body. What is looked at is the text: a function at
//! package level has no body if its line ends before a brace opens one; one that `//go:linkname`
//! names is not missed.
//!
//! Go: go/build (matchFile, goodOSArchFile); the tags are a custom among authors.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// For what files are chosen: a processor, and tags that are set besides those of the platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Machine {
    pub(super) arch: &'static str,
    pub(super) tags: &'static [&'static str],
}

/// What Go chooses files for.
pub(super) const PLAIN: Machine = Machine {
    arch: "amd64",
    tags: &[],
};

const fn with(tags: &'static [&'static str]) -> Machine {
    Machine {
        arch: "amd64",
        tags,
    }
}

const fn like(arch: &'static str) -> Machine {
    Machine { arch, tags: &[] }
}

/// What files may be chosen for in place of [`PLAIN`]. The processors have 64 bits, the lowest
/// byte first; those come first for which people seldom write assembly.
pub(super) const OTHERS: &[Machine] = &[
    with(&["purego"]),
    with(&["noasm"]),
    with(&["appengine"]),
    with(&["purego", "noasm", "appengine", "generic"]),
    like("mips64le"),
    like("riscv64"),
    like("loong64"),
    like("ppc64le"),
    like("arm64"),
];

/// The functions at package level that have no body and no other name.
pub(super) fn without_bodies(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut linked = BTreeSet::new();
    let (mut at, mut depth) = (0, 0_usize);
    let mut is_start = true;
    // The function whose body is looked for, and whether a brace would belong to a type.
    let mut open: Option<&str> = None;
    let mut is_type = false;
    while let Some(&b) = bytes.get(at) {
        let rest = &text.as_bytes()[at..];
        let length = match b {
            b'/' if rest.starts_with(b"//") => {
                let line = text[at..].lines().next().unwrap_or("");
                if let Some(link) = line.strip_prefix("//go:linkname ") {
                    linked.extend(link.split_whitespace().next());
                }
                at += line.len();
                continue;
            }
            b'/' if rest.starts_with(b"/*") => {
                text[at + 2..].find("*/").map_or(rest.len(), |end| end + 4)
            }
            b'"' | b'\'' | b'`' => literal(rest),
            b'\n' | b';' => {
                if depth == 0 {
                    found.extend(open.take());
                    is_start = true;
                }
                at += 1;
                continue;
            }
            b'(' | b'[' => {
                depth += 1;
                1
            }
            b'{' => {
                if depth == 0 && !is_type {
                    open = None;
                }
                depth += 1;
                1
            }
            b')' | b']' | b'}' => {
                depth = depth.saturating_sub(1);
                1
            }
            _ if is_letter(b) => {
                let length = rest.iter().take_while(|b| is_letter(**b)).count();
                let word = &rest[..length];
                if is_start && depth == 0 && word == b"func" {
                    open = name_of(text[at + length..].trim_start());
                }
                is_type = word == b"struct" || word == b"interface";
                is_start = false;
                at += length;
                continue;
            }
            b' ' | b'\t' | b'\r' => {
                at += 1;
                continue;
            }
            _ => 1,
        };
        (is_start, is_type) = (false, false);
        at += length;
    }
    found.extend(open);
    found.retain(|name| !linked.contains(name));
    found
}

fn is_letter(b: u8) -> bool {
    b == b'_' || b.is_ascii_alphanumeric() || b >= 0x80
}

/// The length of the literal that a text begins with.
fn literal(text: &[u8]) -> usize {
    let quote = text[0];
    let mut at = 1;
    while let Some(&b) = text.get(at) {
        at += 1;
        match b {
            b'\\' if quote != b'`' => at += 1,
            b'\n' if quote != b'`' => break,
            b if b == quote => break,
            _ => (),
        }
    }
    at.min(text.len())
}

/// The name of a function, what follows `func` being `text`.
fn name_of(text: &str) -> Option<&str> {
    let name = match text.strip_prefix('(') {
        Some(receiver) => receiver.split_once(')')?.1.trim_start(),
        None => text,
    };
    let end = name.bytes().position(|b| !is_letter(b));
    Some(&name[..end.unwrap_or(name.len())]).filter(|name| !name.is_empty())
}

/// The folders for whose packages no choice gives each function a body, with their files of
/// assembly.
static NEEDED: Mutex<BTreeMap<PathBuf, Vec<PathBuf>>> = Mutex::new(BTreeMap::new());

/// Notes that a package cannot do without these files.
pub(super) fn is_needed(folder: &Path, files: Vec<PathBuf>) {
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf());
    let mut needed = NEEDED.lock().unwrap_or_else(PoisonError::into_inner);
    needed.insert(folder, files);
}

/// Why a function of the Go file at `path` has no body, if that is written in assembly; `text`
/// begins with its name.
pub fn refusal(path: &Path, text: &str) -> Option<String> {
    let function = name_of(text)?;
    let needed = NEEDED.lock().unwrap_or_else(PoisonError::into_inner);
    let files = needed.get(path.parent()?)?;
    let symbol = format!("·{function}");
    let has_it = |file: &&PathBuf| {
        let text = std::fs::read(file).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let mut ends = text
            .match_indices(&symbol)
            .map(|(at, s)| &text[at + s.len()..]);
        ends.any(|rest| rest.starts_with(['(', '<']))
    };
    let file = files.iter().find(has_it).or(files.first())?;
    let name = file.file_name()?.to_string_lossy();
    Some(format!(
        "unsupported: assembly: {function} is written in {name}, and neither a build tag (purego, \
         noasm, appengine were tried; --tags sets others) nor another processor gives it a body \
         in Go"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_without_bodies_are_found() {
        for (text, want) in [
            ("package p\n\nfunc f(a, b int64) int64\n", &["f"][..]),
            ("func f() int { return 1 }\nfunc g()", &["g"]),
            (
                "func (t *T) m(x struct{ a int }) interface{ n() }\n",
                &["m"],
            ),
            ("func f() struct{ a int } {\n\treturn x\n}\n", &[]),
            ("func f(\n\ta int, // {\n\tb string,\n) (n int)\n", &["f"]),
            ("//go:linkname now time.now\nfunc now() int64\n", &[]),
            ("var f = func() {\n\tfunc() {}()\n}\ntype g func()\n", &[]),
            (
                "const c = `\nfunc f()\n`\n/*\nfunc g()\n*/\nvar r = '\\''\n",
                &[],
            ),
            ("func f[T interface{ m() }](x T) {\n}\n", &[]),
        ] {
            assert_eq!(without_bodies(text), want, "{text}");
        }
    }
}
