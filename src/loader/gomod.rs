//! `go.mod`: the module's path, its version of the language, and what other modules it asks for.
//!
//! What else such a file says is skipped. Modules from elsewhere are not supported: that they are
//! named here is what an import of them is refused for.
//!
//! Go: golang.org/x/mod/modfile, cmd/go/internal/modload, cmd/go/internal/gover.

use source;
use std::cmp::Ordering;
use std::path::{Path, PathBuf};

/// The N of go1.N where the file does not say.
const DEFAULT: u32 = 16;

/// What a file says.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct GoMod {
    pub path: String,
    /// The N of its language version go1.N.
    pub lang: u32,
    /// Modules from elsewhere.
    pub others: Vec<Other>,
}

/// A module that `require` or `replace` names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Other {
    pub path: String,
    /// The directive, and where it stands.
    pub by: &'static str,
    pub at: String,
}

/// Reads the text of a file, which errors call `name`.
/// The error is a message for the user, in Go's words.
pub(super) fn read(text: &str, name: &str) -> Result<GoMod, String> {
    let mut errors = Vec::new();
    let (mut path, mut go, mut toolchain) = (None, None, false);
    let mut block: Option<&str> = None;
    let mut others = Vec::new();
    for (line, text) in text.lines().enumerate() {
        let mut error = |why: String| errors.push(format!("{name}:{}: {why}", line + 1));
        let words: Vec<&str> = text
            .split("//")
            .next()
            .unwrap_or("")
            .split_whitespace()
            .collect();
        let (verb, args) = match (block, words.split_first()) {
            (_, None) => continue,
            (Some(_), Some((&")", []))) => {
                block = None;
                continue;
            }
            (Some(verb), Some(_)) => (verb, &words[..]),
            (None, Some((&verb, args))) => match args.split_last() {
                Some((&"(", before)) => {
                    block = Some(verb);
                    if !before.is_empty() || !BLOCKS.contains(&verb) {
                        let head = &words[..words.len() - 1];
                        error(format!("unknown block type: {}", head.join(" ")));
                        block = Some("");
                    }
                    continue;
                }
                _ => (verb, args),
            },
        };
        match verb {
            "module" => match args {
                _ if path.is_some() => error("repeated module statement".into()),
                [one] => path = Some(unquoted(one)),
                _ => error("usage: module module/path".into()),
            },
            "go" => match args {
                _ if go.is_some() => error("repeated go statement".into()),
                [one] => match Version::parse(one) {
                    Some(version) => go = Some((*one, version)),
                    None => error(format!(
                        "invalid go version '{one}': must match format 1.23.0"
                    )),
                },
                _ => error("go directive expects exactly one argument".into()),
            },
            "toolchain" => match args {
                _ if toolchain => error("repeated toolchain statement".into()),
                [one] => {
                    toolchain = true;
                    if *one != "default" && *one != "go1" && !one.starts_with("go1.") {
                        error(format!(
                            "invalid toolchain version '{one}': must match format go1.23.0 or \
                             default"
                        ));
                    }
                }
                _ => error("toolchain directive expects exactly one argument".into()),
            },
            "require" | "replace" => others.extend(args.first().map(|path| Other {
                path: unquoted(path),
                by: if verb == "require" {
                    "require"
                } else {
                    "replace"
                },
                at: format!("{name}:{}", line + 1),
            })),
            _ if verb.is_empty() || BLOCKS.contains(&verb) => {}
            _ => error(format!("unknown directive: {verb}")),
        }
    }
    if !errors.is_empty() {
        return Err(format!("errors parsing {name}:\n{}", errors.join("\n")));
    }
    let lang = match go {
        None => DEFAULT,
        Some((text, version)) => {
            if version.patch.is_some() && version.is_pre {
                return Err("updates to go.mod needed; to update it:\n\tgo mod tidy".into());
            }
            if version.is_too_new() {
                let (n, m) = source::GO;
                return Err(format!(
                    "{name} requires go >= {text} (running go 1.{n}.{m}; GOTOOLCHAIN=local)"
                ));
            }
            version.minor.parse().unwrap_or(DEFAULT)
        }
    };
    let path = path.ok_or_else(|| {
        format!(
            "error reading {name}: missing module declaration. To specify the module path:\n\t\
             go mod edit -module=example.com/mod"
        )
    })?;
    Ok(GoMod { path, lang, others })
}

fn unquoted(word: &str) -> String {
    word.trim_matches(['"', '`']).to_string()
}

/// Statements that may be blocks.
const BLOCKS: [&str; 8] = [
    "module", "godebug", "require", "exclude", "replace", "retract", "tool", "ignore",
];

/// `1.N`, `1.N.M`, `1.NrcK`; the numbers as written, for they may be of any length.
struct Version<'t> {
    major: &'t str,
    minor: &'t str,
    patch: Option<&'t str>,
    is_pre: bool,
}

impl Version<'_> {
    fn parse(text: &str) -> Option<Version<'_>> {
        let (major, rest) = number(text)?;
        let (minor, rest) = number(rest.strip_prefix('.')?)?;
        let (patch, rest) = match rest.strip_prefix('.') {
            Some(rest) => number(rest).map(|(n, rest)| (Some(n), rest))?,
            None => (None, rest),
        };
        let kind = rest.trim_start_matches(|c: char| c.is_ascii_lowercase());
        let is_pre = !rest.is_empty();
        let is_word = kind.len() < rest.len() && !kind.is_empty();
        let is_good = !is_pre || is_word && kind.bytes().all(|b| b.is_ascii_digit());
        (is_good && major != "0").then_some(Version {
            major,
            minor,
            patch,
            is_pre,
        })
    }

    /// Does it ask for a later Go than the one that is followed?
    fn is_too_new(&self) -> bool {
        let (minor, patch) = source::GO;
        let order = compare(self.major, "1")
            .then_with(|| compare(self.minor, &minor.to_string()))
            .then_with(|| match self.patch {
                Some(p) => compare(p, &patch.to_string()),
                None => Ordering::Less,
            });
        order == Ordering::Greater
    }
}

/// The digits at the start of `text`, which begin with 0 only if they are no more,
/// and what follows.
fn number(text: &str) -> Option<(&str, &str)> {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let (digits, rest) = text.split_at(text.len() - rest.len());
    let is_number = digits == "0" || !digits.is_empty() && !digits.starts_with('0');
    is_number.then_some((digits, rest))
}

/// The order of two numbers without leading zeros.
fn compare(a: &str, b: &str) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

/// How messages name a file: from the working directory, where that is shorter.
pub(super) fn shown(file: &Path) -> String {
    let whole = file.display().to_string();
    let here = std::env::current_dir().and_then(|d| d.canonicalize());
    let Ok(here) = here else { return whole };
    let shared = here.components().zip(file.components());
    let shared = shared.take_while(|(a, b)| a == b).count();
    let up = here.components().skip(shared).map(|_| "..".as_ref());
    let down = file.components().skip(shared).map(|c| c.as_os_str());
    let relative: PathBuf = up.chain(down).collect();
    let relative = relative.display().to_string();
    if relative.len() < whole.len() {
        relative
    } else {
        whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lang(text: &str) -> Result<u32, String> {
        read(text, "go.mod").map(|m| m.lang)
    }

    #[test]
    fn paths_and_versions_are_found() {
        let text = "// c\nmodule \"a/b\" // d\ngo 1.21.3\nretract (\n\tv1.2.3\n)\n";
        let want = GoMod {
            path: "a/b".into(),
            lang: 21,
            others: Vec::new(),
        };
        assert_eq!(read(text, "go.mod"), Ok(want));
        let text =
            "module a\nreplace \"b/c\" v1.2.3 => ../c\nrequire (\n\n\td v1.0.0 // indirect\n)\n";
        let others = read(text, "go.mod").unwrap().others;
        let others: Vec<_> = others.iter().map(|o| (&*o.path, o.by, &*o.at)).collect();
        let want = [("b/c", "replace", "go.mod:2"), ("d", "require", "go.mod:5")];
        assert_eq!(others, want);
        assert_eq!(lang("module (\n\ta\n)\n"), Ok(16));
        assert_eq!(lang("module a\ngo 1.5beta1\n"), Ok(5));
        assert_eq!(lang("module a\ngo 1.27rc1\n"), Ok(27));
        assert_eq!(lang("module a\ngo 1.27.3\r\ntoolchain go1.30\r\n"), Ok(27));
    }

    #[test]
    fn bad_files_are_refused_as_by_go() {
        let parsing = |why: &str| Err(format!("errors parsing go.mod:\ngo.mod:2: {why}"));
        for bad in [
            "1.x", "1", "v1.20", "1.20-foo", "0.9", "1.020", "\"1.20\"", "1.20rc",
        ] {
            let why = format!("invalid go version '{bad}': must match format 1.23.0");
            assert_eq!(lang(&format!("module a\ngo {bad}\n")), parsing(&why));
        }
        let one = "go directive expects exactly one argument";
        assert_eq!(lang("module a\ngo\n"), parsing(one));
        assert_eq!(lang("module a\ngo 1.20 1.21\n"), parsing(one));
        assert_eq!(lang("go 1.1\ngo 1.2\n"), parsing("repeated go statement"));
        assert_eq!(lang("module a\nfoo 1\n"), parsing("unknown directive: foo"));
        let block = "module a\ngo (\n1.21\n)\n";
        assert_eq!(lang(block), parsing("unknown block type: go"));
        for new in ["1.28", "1.27.4", "2.0", "1.28rc1", "1.99999999999999999999"] {
            let why = format!("go.mod requires go >= {new} (running go 1.27.3; GOTOOLCHAIN=local)");
            assert_eq!(lang(&format!("module a\ngo {new}\n")), Err(why));
        }
        assert!(
            lang("go 1.20\n")
                .unwrap_err()
                .contains("missing module declaration")
        );
        assert!(lang("module a\ngo 1.20.1rc1\n").is_err());
    }
}
