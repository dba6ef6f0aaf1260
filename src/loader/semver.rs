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
