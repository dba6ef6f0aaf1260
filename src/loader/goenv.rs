//! What Go's command takes from the environment: variables, the file that `go env -w` writes, and
//! the flags of `GOFLAGS`.
//!
//! Go: cmd/go/internal/cfg, cmd/go/internal/base (goflags.go).

use std::path::PathBuf;

/// The value of a variable that is set, if not to nothing.
pub(super) fn variable(name: &str) -> Option<String> {
    let set = |value: String| Some(value).filter(|v| !v.is_empty());
    match std::env::var(name) {
        Ok(value) => set(value),
        Err(_) => set(of_file(name)?),
    }
}

/// What the file of `go env -w` says.
fn of_file(name: &str) -> Option<String> {
    let file = match std::env::var("GOENV") {
        Ok(off) if off == "off" => return None,
        Ok(file) if !file.is_empty() => PathBuf::from(file),
        _ => {
            let config = std::env::var_os("XDG_CONFIG_HOME").filter(|dir| !dir.is_empty());
            let config = config.map(PathBuf::from);
            config
                .or_else(|| Some(home()?.join(".config")))?
                .join("go/env")
        }
    };
    let text = std::fs::read_to_string(file).ok()?;
    let lines = text.lines().filter_map(|line| line.split_once('='));
    let mut values = lines.filter(|(have, _)| *have == name);
    values.next_back().map(|(_, value)| value.to_string())
}

pub(super) fn home() -> Option<PathBuf> {
    let home = std::env::var_os("HOME").filter(|home| !home.is_empty());
    home.map(PathBuf::from)
}

/// The value of a flag in `GOFLAGS`.
pub(super) fn flag(name: &str) -> Option<String> {
    let flags = variable("GOFLAGS")?;
    let words = flags.split_whitespace();
    let mut values = words.filter_map(|word| {
        let word = word.strip_prefix("--").or(word.strip_prefix('-'))?;
        word.strip_prefix(name)?.strip_prefix('=')
    });
    values.next_back().map(str::to_string)
}

/// Where modules from elsewhere lie.
pub(super) fn module_cache() -> PathBuf {
    if let Some(folder) = variable("GOMODCACHE") {
        return PathBuf::from(folder);
    }
    let paths = variable("GOPATH").map(PathBuf::from);
    let first = paths.and_then(|all| std::env::split_paths(&all).next());
    let gopath = first.or_else(|| Some(home()?.join("go")));
    gopath.unwrap_or_default().join("pkg/mod")
}

/// Where gosched keeps what it has found out.
pub(super) fn own_cache() -> Option<PathBuf> {
    let cache = std::env::var_os("XDG_CACHE_HOME").filter(|dir| !dir.is_empty());
    let cache = cache.map(PathBuf::from);
    Some(
        cache
            .or_else(|| Some(home()?.join(".cache")))?
            .join("gosched"),
    )
}
