//! `go.mod` and `go.work`: a module's path, its version of the language, which other modules it
//! asks for and what stands in place of them; the modules of a workspace.
//!
//! What else such files say has to be right, and does nothing. Of a module from elsewhere only
//! `module`, `go` and `require` count.
//!
//! Go: golang.org/x/mod/modfile, cmd/go/internal/modload, cmd/go/internal/gover.

use super::godebug::Setting;
use super::modfile::{self, Place, Statement, Wrong, unquoted};
use super::semver;
use source;
use std::cmp::Ordering;
use std::collections::BTreeMap;
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
    /// With their lines.
    pub godebug: Vec<(usize, Setting)>,
}

/// What a `go.work` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GoWork {
    /// The N of its language version go1.N.
    pub lang: u32,
    /// Folders, as they are written.
    pub uses: Vec<String>,
    pub replace: Vec<Replace>,
    /// With their lines.
    pub godebug: Vec<(usize, Setting)>,
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

/// Reads the text of a `go.mod`, which errors call `name`.
/// The error is a message for the user, in Go's words.
pub(super) fn read(text: &str, name: &str) -> Result<GoMod, String> {
    let (says, errors) = take(text, name, true);
    if !errors.is_empty() {
        let (says, others) = take(text, name, false);
        if others.is_empty() {
            too_new(says.go.as_ref(), name)?;
        }
        return Err(format!("errors parsing {name}:\n{}", told(errors, name)));
    }
    let lang = lang_of(says.go, name, "go.mod", "go mod tidy")?.unwrap_or(DEFAULT);
    let path = says.path.ok_or_else(|| {
        format!(
            "error reading {name}: missing module declaration. To specify the module path:\n\t\
             go mod edit -module=example.com/mod"
        )
    })?;
    if matches!(&*path, "go" | "toolchain") {
        return Err(format!(
            "error reading {name}: invalid module path: {path:?}"
        ));
    }
    if let Some(why) = wrong_path(&path) {
        return Err(format!("malformed module path {path:?}: {why}"));
    }
    if !says.toolchain.is_none_or(|t| is_wanted(t, says.go_line)) {
        return Err("updates to go.mod needed; to update it:\n\tgo mod tidy".into());
    }
    agree(&says.replace)?;
    Ok(GoMod {
        path,
        lang,
        require: says.require,
        replace: says.replace,
        exclude: says.exclude,
        godebug: says.godebug,
    })
}

/// What the `go.mod` of a module from elsewhere says, of which some lines do not count; errors call
/// it `name`. The error is a message for the user.
pub(super) fn read_lax(text: &str, name: &str) -> Result<GoMod, String> {
    let (says, errors) = take(text, name, false);
    if !errors.is_empty() {
        return Err(told(errors, name));
    }
    let lang = says.go.and_then(|(_, version)| version.minor.parse().ok());
    Ok(GoMod {
        path: says.path.unwrap_or_default(),
        lang: lang.unwrap_or(DEFAULT),
        require: says.require,
        replace: Vec::new(),
        exclude: Vec::new(),
        godebug: Vec::new(),
    })
}

/// The N of the language version go1.N that the words of a `go` line say.
pub(super) fn lang_of_line(version: &str) -> u32 {
    let version = Version::parse(version);
    let minor = version.and_then(|v| v.minor.parse().ok());
    minor.unwrap_or(DEFAULT)
}

/// What the lines of a `go.mod` say.
#[derive(Default)]
struct Lines<'t> {
    path: Option<String>,
    go: Option<(&'t str, Version<'t>)>,
    /// The word of the `go` line.
    go_line: Option<&'t str>,
    toolchain: Option<&'t str>,
    /// The places and words of `retract` lines.
    retract: Vec<(Place, Vec<&'t str>)>,
    require: Vec<ModVersion>,
    replace: Vec<Replace>,
    exclude: Vec<ModVersion>,
    godebug: Vec<(usize, Setting)>,
}

/// Takes the lines of a `go.mod`; those that count in a main module alone only if that `is_main`.
fn take<'t>(text: &'t str, name: &str, is_main: bool) -> (Lines<'t>, Vec<Wrong>) {
    let (mut says, mut errors) = (Lines::default(), Vec::new());
    let mut of_blocks = |at, why| {
        if is_main {
            errors.push((at, why));
        }
    };
    let statements = match modfile::statements(text, name, &BLOCKS, &mut of_blocks) {
        Ok(found) => found,
        Err(wrong) => return (says, vec![wrong]),
    };
    for Statement { at, verb, args } in statements {
        if !is_main && !["go", "module", "retract", "require", "ignore"].contains(&verb) {
            continue;
        }
        if let Err(why) = says.take(verb, &args, at, is_main) {
            errors.push((at, why));
        }
    }
    errors.sort_by_key(|(at, _)| at.line);
    // What versions there are is known when the module's path is.
    for (at, args) in &says.retract {
        let Some(path) = says.path.as_deref().filter(|path| !path.is_empty()) else {
            let why = "no module directive found, so retract cannot be used";
            errors.push((*at, why.into()));
            break;
        };
        let version = |word: &str| take_version("retract", path, word, true).map(|_| ());
        errors.extend(take_interval(args, &version).err().map(|why| (*at, why)));
    }
    (says, errors)
}

impl<'t> Lines<'t> {
    fn take(
        &mut self,
        verb: &'t str,
        args: &[&'t str],
        at: Place,
        is_main: bool,
    ) -> Result<(), String> {
        match verb {
            "module" if self.path.is_some() => Err("repeated module statement".into()),
            "module" => {
                self.path = Some(String::new());
                let [one] = *args else {
                    return Err("usage: module module/path".into());
                };
                self.path = Some(string(one)?);
                Ok(())
            }
            "go" => {
                take_go(args, &mut self.go, is_main)?;
                self.go_line = args.first().copied();
                Ok(())
            }
            "toolchain" => take_toolchain(args, &mut self.toolchain),
            "require" | "exclude" => {
                let [path, version] = *args else {
                    return Err(format!("usage: {verb} module/path v1.2.3"));
                };
                let path = string(path)?;
                let version = take_version(verb, &path, version, is_main)?;
                let list = match verb {
                    "require" => &mut self.require,
                    _ => &mut self.exclude,
                };
                list.push(ModVersion { path, version });
                Ok(())
            }
            "replace" => {
                self.replace.push(take_replace(args)?);
                Ok(())
            }
            "godebug" => {
                let setting = take_godebug(args).ok_or(GODEBUG_USAGE)?;
                self.godebug.push((at.line, setting));
                Ok(())
            }
            "retract" if is_main => {
                let version = |word: &str| match unquoted(word) {
                    Ok(_) => Ok(()),
                    Err(why) => Err(format!("retract: version {word:?} invalid: {why}")),
                };
                take_interval(args, &version)?;
                self.retract.push((at, args.to_vec()));
                Ok(())
            }
            "retract" => Ok(()),
            "tool" | "ignore" => match *args {
                [one] => string(one).map(|_| ()),
                _ => Err(format!("{verb} directive expects exactly one argument")),
            },
            _ => Err(format!("unknown directive: {verb}")),
        }
    }
}

/// What a word means.
fn string(word: &str) -> Result<String, String> {
    unquoted(word).map_err(|why| format!("invalid quoted string: {why}"))
}

/// A version of the module `path`; in a main module it has to be written out.
fn take_version(verb: &str, path: &str, word: &str, is_main: bool) -> Result<String, String> {
    let wrong = |version: &str, why: &str| {
        Err(format!("{verb} {path}: version {version:?} invalid: {why}"))
    };
    let version = match unquoted(word) {
        Ok(version) => version,
        Err(why) => return wrong(word, why),
    };
    let Some(major) = semver::major_of(path) else {
        return match is_main {
            true => wrong(&version, &format!("malformed module path {path:?}")),
            false => Err("invalid module path".into()),
        };
    };
    let canonical = match is_main {
        true => Some(version.clone()).filter(|v| semver::is_canonical(v)),
        false => semver::canonical(&version),
    };
    let Some(canonical) = canonical else {
        return wrong(&version, "must be of the form v1.2.3");
    };
    match semver::check_major(&canonical, major) {
        Ok(()) => Ok(canonical),
        Err(why) => Err(format!("{verb} {path}: {why}")),
    }
}

/// Versions that a module takes back: one, or `[from, to]`, of which each is looked at.
///
/// Go: golang.org/x/mod/modfile, parseVersionInterval.
fn take_interval(
    args: &[&str],
    version: &dyn Fn(&str) -> Result<(), String>,
) -> Result<(), String> {
    let (first, rest) = match args {
        [] | ["(", ..] => return Err("expected '[' or version".into()),
        [first, rest @ ..] => (first, rest),
    };
    let mut rest = rest.iter();
    if *first != "[" {
        version(first)?;
    } else {
        version(rest.next().ok_or("expected version after '['")?)?;
        rest.next()
            .filter(|w| **w == ",")
            .ok_or("expected ',' after version")?;
        version(rest.next().ok_or("expected version after ','")?)?;
        rest.next()
            .filter(|w| **w == "]")
            .ok_or("expected ']' after version")?;
    }
    match rest.next() {
        None => Ok(()),
        Some(word) => Err(format!("unexpected token after version: {word:?}")),
    }
}

/// Is each module replaced by one thing? The error is a message for the user.
fn agree(replace: &[Replace]) -> Result<(), String> {
    let mut seen: BTreeMap<&ModVersion, &ModVersion> = BTreeMap::new();
    for Replace { old, new } in replace {
        if let Some(before) = seen.insert(old, new).filter(|before| *before != new) {
            return Err(format!(
                "conflicting replacements for {old}:\n\t{before}\n\t{new}"
            ));
        }
    }
    Ok(())
}

/// Reads the text of a `go.work`, which errors call `name`.
/// The error is a message for the user, in Go's words.
pub(super) fn read_work(text: &str, name: &str) -> Result<GoWork, String> {
    let (mut says, mut uses, mut errors) = (Lines::default(), Vec::new(), Vec::new());
    const BLOCKS: [&str; 3] = ["godebug", "use", "replace"];
    let statements = modfile::statements(text, name, &BLOCKS, &mut |at, why| {
        errors.push((at, why));
    });
    match statements {
        Err(wrong) => errors = vec![wrong],
        Ok(statements) => {
            for Statement { at, verb, args } in statements {
                let taken = match (verb, &args[..]) {
                    ("use", [one]) => string(one).map(|one| uses.push(one)),
                    ("use", _) => Err("usage: use local/dir".into()),
                    ("go" | "toolchain" | "replace" | "godebug", args) => {
                        says.take(verb, args, at, true)
                    }
                    _ => Err(format!("unknown directive: {verb}")),
                };
                if let Err(why) = taken {
                    errors.push((at, why));
                }
            }
        }
    }
    if !errors.is_empty() {
        errors.sort_by_key(|(at, _)| at.line);
        return Err(format!("errors parsing {name}:\n{}", told(errors, name)));
    }
    let lang = lang_of(says.go, name, "go.work", "go work use")?.unwrap_or(18);
    agree(&says.replace)?;
    Ok(GoWork {
        lang,
        uses,
        replace: says.replace,
        godebug: says.godebug,
    })
}

/// Errors, a line of each.
fn told(errors: Vec<Wrong>, name: &str) -> String {
    let lines = errors.iter().map(|(at, why)| format!("{name}:{at}: {why}"));
    lines.collect::<Vec<_>>().join("\n")
}

fn take_go<'t>(
    args: &[&'t str],
    go: &mut Option<(&'t str, Version<'t>)>,
    is_main: bool,
) -> Result<(), String> {
    if go.is_some() {
        return Err("repeated go statement".into());
    }
    let [one] = *args else {
        return Err("go directive expects exactly one argument".into());
    };
    let version = Version::parse(one).or_else(|| match is_main {
        true => None,
        false => Version::begin(one),
    });
    let wrong = || format!("invalid go version '{one}': must match format 1.23.0");
    *go = Some((one, version.ok_or_else(wrong)?));
    Ok(())
}

fn take_toolchain<'t>(args: &[&'t str], seen: &mut Option<&'t str>) -> Result<(), String> {
    if seen.is_some() {
        return Err("repeated toolchain statement".into());
    }
    let [one] = *args else {
        return Err("toolchain directive expects exactly one argument".into());
    };
    if one != "default" && one != "go1" && !one.starts_with("go1.") {
        return Err(format!(
            "invalid toolchain version '{one}': must match format go1.23.0 or default"
        ));
    }
    *seen = Some(one);
    Ok(())
}

/// Would Go's command leave a `toolchain` line as it is? It names a version from go1.21 on that is
/// not that of the `go` line.
fn is_wanted(toolchain: &str, go: Option<&str>) -> bool {
    let name = toolchain.strip_prefix("go").unwrap_or(toolchain);
    let name = name.split('-').next().unwrap_or(name);
    let version = Version::parse(name);
    let is_late = version.is_some_and(|v| v.major != "1" || compare(v.minor, "21").is_ge());
    is_late && Some(name) != go
}

/// What is wrong with a module's path.
///
/// Go: golang.org/x/mod/module, checkPath.
fn wrong_path(path: &str) -> Option<String> {
    const RESERVED: [&str; 4] = ["con", "prn", "aux", "nul"];
    let whole = match path {
        "" => "empty string",
        _ if path.contains('\u{fffd}') => "invalid UTF-8",
        _ if path.starts_with('-') => "leading dash",
        _ if path.contains("//") => "double slash",
        _ if path.ends_with('/') => "trailing slash",
        _ => "",
    };
    if !whole.is_empty() {
        return Some(whole.into());
    }
    let is_good = |c: &char| c.is_ascii_alphanumeric() || "-._~+".contains(*c);
    path.split('/').find_map(|part| {
        if part.is_empty() {
            return Some("empty path element".into());
        }
        if part.bytes().all(|b| b == b'.') {
            return Some(format!("invalid path element {part:?}"));
        }
        if part.ends_with('.') {
            return Some("trailing dot in path element".into());
        }
        if let Some(c) = part.chars().find(|c| !is_good(c)) {
            return Some(format!("invalid char {c:?}"));
        }
        let short = part.split('.').next().unwrap_or(part);
        let small = short.to_ascii_lowercase();
        let port = small.strip_prefix("com").or(small.strip_prefix("lpt"));
        let is_port = port.is_some_and(|n| matches!(n.as_bytes(), [b'1'..=b'9']));
        if is_port || RESERVED.contains(&&*small) {
            return Some(format!(
                "{short:?} disallowed as path element component on Windows"
            ));
        }
        let behind = short.rsplit_once('~').map_or("", |(_, digits)| digits);
        let are_digits = !behind.is_empty() && behind.bytes().all(|b| b.is_ascii_digit());
        are_digits.then(|| "trailing tilde and digits in path element".into())
    })
}

fn take_godebug(args: &[&str]) -> Option<Setting> {
    match *args {
        [one] if !one.contains(['"', '`', '\'', ',']) => Setting::parse(one),
        _ => None,
    }
}

const GODEBUG_USAGE: &str = "usage: godebug key=value";

/// Go: golang.org/x/mod/modfile, parseReplace.
fn take_replace(args: &[&str]) -> Result<Replace, String> {
    let (old, version, rest) = match *args {
        [old, "=>", ref rest @ ..] => (old, None, rest),
        [old, version, "=>", ref rest @ ..] => (old, Some(version), rest),
        _ => return Err(REPLACE_USAGE.into()),
    };
    let (new, new_version) = match *rest {
        [new] => (new, None),
        [new, version] => (new, Some(version)),
        _ => return Err(REPLACE_USAGE.into()),
    };
    let old = string(old)?;
    if semver::major_of(&old).is_none() {
        return Err(format!("replace {old}: invalid module path"));
    }
    let version = version.map(|version| take_version("replace", &old, version, true));
    let new = string(new)?;
    let version = version.transpose()?.unwrap_or_default();
    let why = match new_version {
        None if !is_folder(&new) && new.contains('@') => {
            "replacement module must match format 'path version', not 'path@version'"
        }
        None if !is_folder(&new) => {
            "replacement module without version must be directory path (rooted or starting with . \
             or ..)"
        }
        None if new.contains('\\') => {
            "replacement directory appears to be Windows path (on a non-windows system)"
        }
        None => "",
        Some(_) => "",
    };
    if !why.is_empty() {
        return Err(why.into());
    }
    let new_version = new_version.map(|version| take_version("replace", &new, version, true));
    let new_version = new_version.transpose()?.unwrap_or_default();
    if !new_version.is_empty() && is_folder(&new) {
        return Err(format!(
            "replacement module directory path {new:?} cannot have version"
        ));
    }
    Ok(Replace {
        old: ModVersion { path: old, version },
        new: ModVersion::new(&new, &new_version),
    })
}

const REPLACE_USAGE: &str = "usage: replace module/path [v1.2.3] => other/module v1.4\n\t or \
                             replace module/path [v1.2.3] => ../local/directory";

/// Is it a folder, of this system or of Windows?
fn is_folder(path: &str) -> bool {
    let begins = ["./", "../", "/", ".\\", "..\\", "\\"];
    let is_drive = |b: &[u8]| matches!(b, [letter, b':', ..] if letter.is_ascii_alphabetic());
    matches!(path, "." | "..")
        || begins.iter().any(|p| path.starts_with(p))
        || is_drive(path.as_bytes())
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
    let minor = version.minor.parse().unwrap_or(DEFAULT);
    too_new(Some(&(text, version)), name)?;
    Ok(Some(minor))
}

/// Does the file ask for a later Go than the one that is followed? The error is a message.
fn too_new(go: Option<&(&str, Version)>, name: &str) -> Result<(), String> {
    match go {
        Some((text, version)) if version.is_too_new() => {
            let (n, m) = source::GO;
            Err(format!(
                "{name} requires go >= {text} (running go 1.{n}.{m}; GOTOOLCHAIN=local)"
            ))
        }
        _ => Ok(()),
    }
}

/// Statements that may be blocks.
const BLOCKS: [&str; 8] = [
    "module", "godebug", "require", "exclude", "replace", "retract", "tool", "ignore",
];

/// `1.N`, `1.N.M`, `1.NrcK`; the numbers as written, for they may be of any length.
pub(super) struct Version<'t> {
    major: &'t str,
    pub(super) minor: &'t str,
    patch: Option<&'t str>,
    is_pre: bool,
}

impl Version<'_> {
    pub(super) fn parse(text: &str) -> Option<Version<'_>> {
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

    /// The version that a text begins with, perhaps behind a `v`; what follows is no digit.
    fn begin(text: &str) -> Option<Version<'_>> {
        let (major, rest) = number(text.strip_prefix('v').unwrap_or(text))?;
        let (minor, rest) = number(rest.strip_prefix('.')?)?;
        (!rest.is_empty() && major != "0").then_some(Version {
            major,
            minor,
            patch: None,
            is_pre: false,
        })
    }

    /// Does it ask for a later Go than the one that is followed?
    pub(super) fn is_too_new(&self) -> bool {
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
        let lax = read_lax(&text.replace("=>", "?"), "go.mod").unwrap();
        assert_eq!(lax.require, found.require);
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
