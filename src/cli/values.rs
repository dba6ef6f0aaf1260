//! The values of flags: which are right, and what they mean.

use super::Takes;

/// Is `text` a value of this kind? The error says what is: it follows the word "Type".
pub(super) fn check(takes: Takes, text: &str) -> Result<(), String> {
    match takes {
        Takes::OneOf(all) if !all.contains(&text) => {
            let (last, others) = all.split_last().unwrap_or((&"", &[]));
            Err(format!("{} or {last}", others.join(", ")))
        }
        Takes::Language => language(text).map(|_| ()),
        Takes::Number if text.parse::<usize>().is_err() => Err("a number".into()),
        Takes::File if text.is_empty() => Err("the name of a file".into()),
        _ => Ok(()),
    }
}

/// The N of a language version go1.N.
pub(super) fn language(text: &str) -> Result<u32, String> {
    let minor = text.strip_prefix("go1").and_then(|rest| match rest {
        "" => Some("0"),
        _ => rest.strip_prefix('.'),
    });
    let is_number = |n: &str| {
        let is_plain = n == "0" || !n.starts_with('0') && !n.is_empty();
        is_plain && n.bytes().all(|b| b.is_ascii_digit())
    };
    let current = source::GO.0;
    let minor = minor.filter(|n| is_number(n)).and_then(|n| n.parse().ok());
    let known = minor.filter(|&n| n <= current);
    known.ok_or_else(|| format!("a version up to go1.{current}, such as go1.12"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::GO_VERSION;

    #[test]
    fn versions_of_the_language() {
        assert_eq!(language("go1.20"), Ok(20));
        assert_eq!(language("go1"), Ok(0));
        for bad in [
            "1.20", "go1.x", "go1.020", "go1.28", "go2.1", "go1.20.1", "",
        ] {
            assert!(language(bad).is_err(), "{bad}");
        }
        let (minor, patch) = source::GO;
        assert_eq!(GO_VERSION, format!("go1.{minor}.{patch}"));
    }
}
