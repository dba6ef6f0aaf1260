//! Versions of modules: `v1.2.3-pre+build`.
//!
//! Go: golang.org/x/mod/semver, cmd/go/internal/gover.

use std::cmp::Ordering;

/// The parts of a version that order it.
struct Parts<'v> {
    numbers: [&'v str; 3],
    /// Behind the `-`; empty if there is none.
    pre: &'v str,
}

fn parts(version: &str) -> Option<Parts<'_>> {
    let rest = version.strip_prefix('v')?;
    let (rest, build) = rest
        .split_once('+')
        .map_or((rest, None), |(r, b)| (r, Some(b)));
    let (rest, pre) = rest
        .split_once('-')
        .map_or((rest, None), |(r, p)| (r, Some(p)));
    let mut numbers = rest.split('.');
    let mut number = || numbers.next().filter(|n| is_number(n));
    let found = [number()?, number()?, number()?];
    let is_word =
        |w: &str| !w.is_empty() && w.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    let are_words = |text: &str| text.split('.').all(is_word);
    let is_good = pre.is_none_or(are_words) && build.is_none_or(are_words);
    (is_good && numbers.next().is_none()).then_some(Parts {
        numbers: found,
        pre: pre.unwrap_or(""),
    })
}

fn is_number(text: &str) -> bool {
    let is_digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    is_digits && (text == "0" || !text.starts_with('0'))
}

pub(super) fn is_valid(version: &str) -> bool {
    parts(version).is_some()
}

/// Is it a version as files of modules have it? It says nothing of a build but `+incompatible`.
pub(super) fn is_canonical(version: &str) -> bool {
    let build = version.split_once('+').map_or("", |(_, build)| build);
    is_valid(version) && matches!(build, "" | "incompatible")
}

/// A version as files of modules have it, if `version`, which may be without its last numbers, is
/// one.
pub(super) fn canonical(version: &str) -> Option<String> {
    if is_valid(version) {
        let (plain, build) = version.split_once('+').unwrap_or((version, ""));
        return Some(match build {
            "incompatible" => version.to_string(),
            _ => plain.to_string(),
        });
    }
    let is_short = !version.contains(['-', '+']);
    let longer = [format!("{version}.0"), format!("{version}.0.0")];
    longer.into_iter().find(|v| is_short && is_valid(v))
}

/// The major version that a path ends in (`/v2`, `.v2` at gopkg.in), empty if in none; nothing if
/// what it ends in is none that there may be.
///
/// Go: golang.org/x/mod/module, SplitPathVersion.
pub(super) fn major_of(path: &str) -> Option<&str> {
    if path.starts_with("gopkg.in/") {
        let stem = path.strip_suffix("-unstable").unwrap_or(path);
        let digits = stem.trim_end_matches(|c: char| c.is_ascii_digit());
        let number = &stem[digits.len()..];
        let stem = digits.strip_suffix(".v").filter(|stem| !stem.is_empty())?;
        let is_good = !number.is_empty() && (number == "0" || !number.starts_with('0'));
        return is_good.then_some(&path[stem.len()..]);
    }
    let stem = path.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let number = &path[stem.len()..];
    let Some(stem) = stem.strip_suffix("/v").filter(|_| !number.is_empty()) else {
        return Some("");
    };
    let is_good = !number.contains('.') && !number.starts_with('0') && number != "1";
    is_good.then_some(&path[stem.len()..])
}

/// Is a version one of the major version that a path ends in? The error is Go's.
///
/// Go: golang.org/x/mod/module, CheckPathMajor.
pub(super) fn check_major(version: &str, of_path: &str) -> Result<(), String> {
    let mut wanted = of_path;
    if of_path.starts_with(".v") {
        wanted = of_path.strip_suffix("-unstable").unwrap_or(of_path);
    }
    if version.starts_with("v0.0.0-") && wanted == ".v1" {
        return Ok(());
    }
    let major = version.split('.').next().unwrap_or(version);
    let is_right = match wanted {
        "" => matches!(major, "v0" | "v1") || version.ends_with("+incompatible"),
        _ => major == &wanted[1..],
    };
    let wanted = wanted.get(1..).unwrap_or("v0 or v1");
    match is_right {
        true => Ok(()),
        false => Err(format!(
            "version {version:?} invalid: should be {wanted}, not {major}"
        )),
    }
}

/// The order of two versions; one that is none comes before all others.
pub(super) fn compare(a: &str, b: &str) -> Ordering {
    let (a, b) = match (parts(a), parts(b)) {
        (Some(a), Some(b)) => (a, b),
        (a, b) => return a.is_some().cmp(&b.is_some()),
    };
    let numbers = a.numbers.iter().zip(&b.numbers);
    let order = numbers.map(|(a, b)| compare_numbers(a, b));
    order
        .fold(Ordering::Equal, Ordering::then)
        .then_with(|| compare_pre(a.pre, b.pre))
}

fn compare_numbers(a: &str, b: &str) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

/// A version comes behind what leads to it; numbers come before words.
fn compare_pre(a: &str, b: &str) -> Ordering {
    if a.is_empty() || b.is_empty() {
        return a.is_empty().cmp(&b.is_empty());
    }
    let (mut a, mut b) = (a.split('.'), b.split('.'));
    loop {
        let order = match (a.next(), b.next()) {
            (None, None) => return Ordering::Equal,
            (a, b) if a.is_none() || b.is_none() => a.is_some().cmp(&b.is_some()),
            (a, b) => {
                let (a, b) = (a.unwrap_or(""), b.unwrap_or(""));
                let is_digits = |w: &str| w.bytes().all(|b| b.is_ascii_digit());
                match (is_digits(a), is_digits(b)) {
                    (true, true) => compare_numbers(a, b),
                    (false, false) => a.cmp(b),
                    (a, b) => b.cmp(&a),
                }
            }
        };
        if order.is_ne() {
            return order;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_in_order() {
        let sorted = [
            "bad",
            "v0.0.0-20200101000000-abcdefabcdef",
            "v0.0.0",
            "v1.0.0-1",
            "v1.0.0-2",
            "v1.0.0-10",
            "v1.0.0-a",
            "v1.0.0-a.1",
            "v1.0.0-b",
            "v1.0.0",
            "v1.2.0",
            "v1.10.0",
            "v2.0.0+incompatible",
        ];
        for (i, a) in sorted.iter().enumerate() {
            for (j, b) in sorted.iter().enumerate() {
                assert_eq!(compare(a, b), i.cmp(&j), "{a} {b}");
            }
        }
        for bad in [
            "1.0.0", "v1", "v1.0", "v1.0.0.0", "v01.0.0", "v1.0.0-", "v1.0.x",
        ] {
            assert!(!is_valid(bad), "{bad}");
        }
        assert_eq!(compare("v1.0.0+a", "v1.0.0+b"), Ordering::Equal);
    }
}
