//! The values of flags: which are right, and what they mean.

use super::Takes;
use std::time::Duration;

/// Is `text` a value of this kind? The error says what is: it follows the word "Type".
pub(super) fn check(takes: Takes, text: &str) -> Result<(), String> {
    match takes {
        Takes::OneOf(all) if !all.iter().any(|one| is_it(one, text)) => {
            let (last, others) = all.split_last().unwrap_or((&"", &[]));
            Err(format!("{} or {last}", others.join(", ")))
        }
        Takes::Language => language(text).map(|_| ()),
        Takes::Number if text.parse::<usize>().is_err() => Err("a number".into()),
        Takes::Count if !text.parse().is_ok_and(|n: u32| n > 0) => Err("a number from 1 on".into()),
        Takes::UpTo(most) if !text.parse().is_ok_and(|n: u32| n > 0 && n <= most) => {
            Err(format!("a number from 1 to {most}"))
        }
        Takes::Duration if duration(text).is_none() => {
            Err("a duration, such as 300ms, 1.5s or 2m".into())
        }
        Takes::Moment if text.parse::<u64>().is_err() && duration(text).is_none() => {
            Err("the number of an event, or a time, such as 812 or 1.5s".into())
        }
        Takes::Stall if stall(text).is_none() => {
            Err("a duration, such as 50ms or 1s, or 0 or any".into())
        }
        Takes::Size if size(text).is_none() => {
            Err("a size in bytes, such as 500K, 64M or 2G".into())
        }
        Takes::File if text.is_empty() => Err("the name of a file".into()),
        _ => Ok(()),
    }
}

/// Is `text` the value `one`, behind which a number may follow if it says `[:N]`?
fn is_it(one: &str, text: &str) -> bool {
    match one.strip_suffix("[:N]") {
        None => one == text,
        Some(name) => text.strip_prefix(name).is_some_and(|rest| {
            let number = |n: &str| n.parse::<u32>().is_ok();
            rest.is_empty() || rest.strip_prefix(':').is_some_and(number)
        }),
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

/// A duration as Go writes them, of more than nothing. Go: time.ParseDuration.
pub(crate) fn duration(text: &str) -> Option<Duration> {
    const UNITS: &[(&str, f64)] = &[
        ("ns", 1e-9),
        ("us", 1e-6),
        ("µs", 1e-6),
        ("ms", 1e-3),
        ("s", 1.0),
        ("m", 60.0),
        ("h", 3600.0),
    ];
    let mut seconds = 0.0;
    let mut rest = text;
    while !rest.is_empty() {
        let is_unit = |c: char| !c.is_ascii_digit() && c != '.';
        let (number, tail) = rest.split_at(rest.find(is_unit)?);
        let end = tail.find(|c: char| !is_unit(c)).unwrap_or(tail.len());
        let (name, tail) = tail.split_at(end);
        let (_, unit) = UNITS.iter().find(|(unit, _)| *unit == name)?;
        seconds += number.parse::<f64>().ok()? * unit;
        rest = tail;
    }
    let duration = Duration::try_from_secs_f64(seconds).ok()?;
    (!duration.is_zero()).then_some(duration)
}

/// A duration that may be nothing, as `0`, or without end, as `any`: that is `None` inside.
pub(super) fn stall(text: &str) -> Option<Option<Duration>> {
    match text {
        "any" => Some(None),
        "0" => Some(Some(Duration::ZERO)),
        _ => duration(text).map(Some),
    }
}

/// A size in bytes: a number, perhaps with K, M, G or T behind it, the powers of 1024, and with B
/// or iB behind those.
pub(super) fn size(text: &str) -> Option<u64> {
    let digits = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit = unit.to_ascii_uppercase();
    let unit = unit
        .strip_suffix("IB")
        .or(unit.strip_suffix('B'))
        .unwrap_or(&unit);
    let shift = match unit {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return None,
    };
    let bytes = number.parse::<u64>().ok()?.checked_mul(1 << shift)?;
    (bytes > 0).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::GO_VERSION;

    #[test]
    fn durations_and_sizes() {
        let ms = |text| duration(text).map(|d| d.as_millis());
        assert_eq!(ms("1.5s"), Some(1500));
        assert_eq!(ms("1m30s"), Some(90_000));
        assert_eq!(ms("300ms"), Some(300));
        for bad in ["", "5", "-1s", "0s", "1x", "s", "1e99h", "1.s.", "1 s"] {
            assert_eq!(duration(bad), None, "{bad}");
        }
        assert_eq!(stall("any"), Some(None));
        assert_eq!(stall("0"), Some(Some(Duration::ZERO)));
        assert_eq!(stall("50ms"), Some(Some(Duration::from_millis(50))));
        assert_eq!(stall("50"), None);
        assert_eq!(size("1024"), Some(1024));
        assert_eq!(size("64M"), Some(64 << 20));
        assert_eq!(size("64mib"), Some(64 << 20));
        assert_eq!(size("2GB"), Some(2 << 30));
        for bad in ["", "0", "M", "1.5G", "-1", "1X", "99999999999T", "1KK"] {
            assert_eq!(size(bad), None, "{bad}");
        }
    }

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
