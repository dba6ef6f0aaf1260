//! How the things that goroutines wait on are called.

use std::borrow::Cow;

/// What an object of this kind is: of a channel whose elements have this type, that as well, as Go
/// spells it.
pub fn described<'a>(kind: &'a str, elem: &str) -> Cow<'a, str> {
    match (kind, elem) {
        ("chan", "") => kind.into(),
        // Else it would be a channel that can only be sent to, or whose elements could be.
        ("chan", _) if elem.starts_with("<-") => format!("chan ({elem})").into(),
        ("chan", _) => format!("chan {elem}").into(),
        _ => kind.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::described;

    #[test]
    fn channels_are_called_as_in_go() {
        assert_eq!(described("chan", "main.job"), "chan main.job");
        assert_eq!(described("chan", "<-chan int"), "chan (<-chan int)");
        assert_eq!(described("chan", "chan<- int"), "chan chan<- int");
        assert_eq!(described("chan", ""), "chan");
        assert_eq!(described("mutex", ""), "mutex");
    }
}
