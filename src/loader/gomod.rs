//! `go.mod` and `go.work`: a module's path, its version of the language, which other modules it
//! asks for and what stands in place of them; the modules of a workspace.
//!
//! What else such files say is skipped. Of a module from elsewhere only `module`, `go` and
//! `require` count.
//!
//! Go: golang.org/x/mod/modfile, cmd/go/internal/modload, cmd/go/internal/gover.

use super::semver;
use source;
use std::cmp::Ordering;
use std::fmt::{self, Display};
use std::path::{Path, PathBuf};

/// The N of go1.N where the file does not say.
pub(super) const DEFAULT: u32 = 16;

/// What a `go.mod` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GoMod {
    pub path: String,
    /// The N of its language version go1.N.
    pub lang: u32,
    pub require: Vec<ModVersion>,
    pub replace: Vec<Replace>,
    pub exclude: Vec<ModVersion>,
}

/// What a `go.work` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GoWork {
    /// The N of its language version go1.N.
    pub lang: u32,
    /// Folders, as they are written.
    pub uses: Vec<String>,
    pub replace: Vec<Replace>,
}

/// A module at a version, which is empty where any is meant, or where the path is a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ModVersion {
    pub path: String,
    pub version: String,
}

impl ModVersion {
    pub(super) fn new(path: &str, version: &str) -> ModVersion {
        ModVersion {
            path: path.into(),
            version: version.into(),
        }
    }
}

impl Display for ModVersion {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.version.is_empty() {
            true => f.write_str(&self.path),
            false => write!(f, "{}@{}", self.path, self.version),
        }
    }
}

/// What stands in place of a module: another one, or a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Replace {
    pub old: ModVersion,
    pub new: ModVersion,
}

/// A line of a file, without the block that it may stand in.
struct Statement<'t> {
    /// From 1.
    line: usize,
    verb: &'t str,
    args: Vec<&'t str>,
}

/// The statements of a file of which those of `blocks` may stand in blocks.
fn statements<'t>(
    text: &'t str,
    blocks: &[&str],
    error: &mut dyn FnMut(usize, String),
) -> Vec<Statement<'t>> {
    let mut found = Vec::new();
    let mut block: Option<&str> = None;
    for (line, text) in text.lines().enumerate() {
        let line = line + 1;
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
                    if !before.is_empty() || !blocks.contains(&verb) {
                        let head = &words[..words.len() - 1];
                        error(line, format!("unknown block type: {}", head.join(" ")));
                        block = Some("");
                    }
                    continue;
                }
                _ => (verb, args),
            },
        };
        if !verb.is_empty() {
            found.push(Statement {
                line,
                verb,
                args: args.to_vec(),
            });
        }
    }
    found
}

/// Reads the text of a `go.mod`, which errors call `name`.
/// The error is a message for the user, in Go's words.
pub(super) fn read(text: &str, name: &str) -> Result<GoMod, String> {
    let mut errors = Vec::new();
    let mut error = |line: usize, why: String| errors.push((line, why));
    let (mut path, mut go, mut toolchain) = (None, None, false);
    let (mut require, mut replace, mut exclude) = (Vec::new(), Vec::new(), Vec::new());
    for Statement { line, verb, args } in statements(text, &BLOCKS, &mut error) {
        let mut error = |why: String| error(line, why);
        match verb {
            "module" => match args[..] {
                _ if path.is_some() => error("repeated module statement".into()),
                [one] => path = Some(unquoted(one)),
                _ => error("usage: module module/path".into()),
            },
            "go" => take_go(&args, &mut go, &mut error),
            "toolchain" => take_toolchain(&args, &mut toolchain, &mut error),
            "require" | "exclude" => match args[..] {
                [path, version] => {
                    let (path, version) = (unquoted(path), unquoted(version));
                    if semver::is_valid(&version) {
                        let list = match verb {
                            "require" => &mut require,
                            _ => &mut exclude,
                        };
                        list.push(ModVersion { path, version });
                    } else {
                        error(bad_version(verb, &path, &version));
                    }
                }
                _ => error(format!("usage: {verb} module/path v1.2.3")),
            },
            "replace" => match take_replace(&args) {
                Ok(one) => replace.push(one),
                Err(why) => error(why),
            },
            _ if BLOCKS.contains(&verb) => {}
            _ => error(format!("unknown directive: {verb}")),
        }
    }
    told(errors, name)?;
    let lang = lang_of(go, name, "go.mod", "go mod tidy")?.unwrap_or(DEFAULT);
    let path = path.ok_or_else(|| {
        format!(
            "error reading {name}: missing module declaration. To specify the module path:\n\t\
             go mod edit -module=example.com/mod"
        )
    })?;
    Ok(GoMod {
        path,
        lang,
        require,
        replace,
        exclude,
    })
}

/// What the `go.mod` of a module from elsewhere says; what is wrong with it is skipped.
pub(super) fn read_lax(text: &str) -> GoMod {
    let mut found = GoMod {
        path: String::new(),
        lang: DEFAULT,
        require: Vec::new(),
        replace: Vec::new(),
        exclude: Vec::new(),
    };
    for Statement { verb, args, .. } in statements(text, &BLOCKS, &mut |_, _| ()) {
        match (verb, &args[..]) {
            ("module", [one]) => found.path = unquoted(one),
            ("go", [one]) => {
                let version = Version::parse(one);
                let minor = version.and_then(|v| v.minor.parse().ok());
                found.lang = minor.unwrap_or(DEFAULT);
            }
            ("require", [path, version]) => {
                let one = ModVersion::new(&unquoted(path), &unquoted(version));
                if semver::is_valid(&one.version) {
                    found.require.push(one);
                }
            }
            _ => (),
        }
    }
    found
}

/// Reads the text of a `go.work`, which errors call `name`.
/// The error is a message for the user, in Go's words.
pub(super) fn read_work(text: &str, name: &str) -> Result<GoWork, String> {
    let mut errors = Vec::new();
    let mut error = |line: usize, why: String| errors.push((line, why));
    let (mut go, mut toolchain) = (None, false);
    let (mut uses, mut replace) = (Vec::new(), Vec::new());
    const BLOCKS: [&str; 3] = ["godebug", "use", "replace"];
    for Statement { line, verb, args } in statements(text, &BLOCKS, &mut error) {
        let mut error = |why: String| error(line, why);
        match verb {
            "go" => take_go(&args, &mut go, &mut error),
            "toolchain" => take_toolchain(&args, &mut toolchain, &mut error),
            "use" => match args[..] {
                [one] => uses.push(unquoted(one)),
                _ => error("usage: use local/dir".into()),
            },
            "replace" => match take_replace(&args) {
                Ok(one) => replace.push(one),
                Err(why) => error(why),
            },
            "godebug" => {}
            _ => error(format!("unknown directive: {verb}")),
        }
    }
    told(errors, name)?;
    let lang = lang_of(go, name, "go.work", "go work use")?.unwrap_or(18);
    Ok(GoWork {
        lang,
        uses,
        replace,
    })
}

/// Fails with errors, if there are any.
fn told(errors: Vec<(usize, String)>, name: &str) -> Result<(), String> {
    let lines = errors
        .iter()
        .map(|(line, why)| format!("{name}:{line}: {why}"));
    let lines: Vec<String> = lines.collect();
    match lines.is_empty() {
        true => Ok(()),
        false => Err(format!("errors parsing {name}:\n{}", lines.join("\n"))),
    }
}

fn take_go<'t>(
    args: &[&'t str],
    go: &mut Option<(&'t str, Version<'t>)>,
    error: &mut dyn FnMut(String),
) {
    match *args {
        _ if go.is_some() => error("repeated go statement".into()),
        [one] => match Version::parse(one) {
            Some(version) => *go = Some((one, version)),
            None => error(format!(
                "invalid go version '{one}': must match format 1.23.0"
            )),
        },
        _ => error("go directive expects exactly one argument".into()),
    }
}

fn take_toolchain(args: &[&str], seen: &mut bool, error: &mut dyn FnMut(String)) {
    match *args {
        _ if *seen => error("repeated toolchain statement".into()),
        [one] => {
            *seen = true;
            if one != "default" && one != "go1" && !one.starts_with("go1.") {
                error(format!(
                    "invalid toolchain version '{one}': must match format go1.23.0 or default"
                ));
            }
        }
        _ => error("toolchain directive expects exactly one argument".into()),
    }
}

/// Go: golang.org/x/mod/modfile, parseReplace.
fn take_replace(args: &[&str]) -> Result<Replace, String> {
    let (old, version, rest) = match *args {
        [old, "=>", ref rest @ ..] => (old, "", rest),
        [old, version, "=>", ref rest @ ..] => (old, version, rest),
        _ => return Err(REPLACE_USAGE.into()),
    };
    let (new, new_version) = match *rest {
        [new] => (unquoted(new), ""),
        [new, version] => (unquoted(new), version),
        _ => return Err(REPLACE_USAGE.into()),
    };
    let (old, version) = (unquoted(old), unquoted(version));
    if !version.is_empty() && !semver::is_valid(&version) {
        return Err(bad_version("replace", &old, &version));
    }
    let new = ModVersion::new(&new, &unquoted(new_version));
    if new.version.is_empty() && !is_folder(&new.path) {
        return Err(
            "replacement module without version must be directory path (rooted or starting with \
             . or ..)"
                .into(),
        );
    }
    if !new.version.is_empty() && is_folder(&new.path) {
        return Err(format!(
            "replacement module directory path {:?} cannot have version",
            new.path
        ));
    }
    let old = ModVersion { path: old, version };
    Ok(Replace { old, new })
}

const REPLACE_USAGE: &str = "usage: replace module/path [v1.2.3] => other/module v1.4\n\t or \
                             replace module/path [v1.2.3] => ../local/directory";

fn is_folder(path: &str) -> bool {
    matches!(path, "." | "..") || ["./", "../", "/"].iter().any(|p| path.starts_with(p))
}

fn bad_version(verb: &str, path: &str, version: &str) -> String {
    format!("{verb} {path}: version {version:?} invalid: must be of the form v1.2.3")
}

/// The N of the language version that a `go` line says, if there is one.
fn lang_of(
    go: Option<(&str, Version)>,
    name: &str,
    file: &str,
    command: &str,
) -> Result<Option<u32>, String> {
    let Some((text, version)) = go else {
        return Ok(None);
    };
    if version.patch.is_some() && version.is_pre {
        return Err(format!(
            "updates to {file} needed; to update it:\n\t{command}"
        ));
    }
    if version.is_too_new() {
        let (n, m) = source::GO;
        return Err(format!(
            "{name} requires go >= {text} (running go 1.{n}.{m}; GOTOOLCHAIN=local)"
        ));
    }
    Ok(Some(version.minor.parse().unwrap_or(DEFAULT)))
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
        let found = read(text, "go.mod").unwrap();
        assert_eq!((&*found.path, found.lang), ("a/b", 21));
        let text =
            "module a\nreplace \"b/c\" v1.2.3 => ../c\nrequire (\n\n\td v1.0.0 // indirect\n)\n";
        let found = read(text, "go.mod").unwrap();
        assert_eq!(found.require, [ModVersion::new("d", "v1.0.0")]);
        let (old, new) = (
            ModVersion::new("b/c", "v1.2.3"),
            ModVersion::new("../c", ""),
        );
        assert_eq!(found.replace, [Replace { old, new }]);
        assert_eq!(read_lax(&text.replace("=>", "?")).require, found.require);
        let work = read_work("go 1.27\nuse (\n\t./a\n\t../b\n)\n", "go.work").unwrap();
        assert_eq!(work.uses, ["./a", "../b"]);
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
        let version = "require b: version \"1.0\" invalid: must be of the form v1.2.3";
        assert_eq!(lang("module a\nrequire b 1.0\n"), parsing(version));
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
