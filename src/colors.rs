//! Whether to use colors: what the command line says, then the environment, then whether it is a
//! terminal.
//!
//! <https://no-color.org>, <https://bixense.com/clicolors>.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicU8, Ordering};

const AUTO: u8 = 0;
const ALWAYS: u8 = 1;
const NEVER: u8 = 2;

/// What `--color` says; written while the command line is read.
static CHOICE: AtomicU8 = AtomicU8::new(AUTO);

/// Sets what `--color` says: `always`, `never`, or else `auto`.
pub(crate) fn choose(when: &str) {
    let choice = match when {
        "always" => ALWAYS,
        "never" => NEVER,
        _ => AUTO,
    };
    CHOICE.store(choice, Ordering::Relaxed);
}

/// What may be used on a stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Use {
    /// It is a terminal, or to be treated as one.
    pub is_terminal: bool,
    pub colors: bool,
}

/// What may be used on `stream`.
pub(crate) fn on(stream: &impl IsTerminal) -> Use {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|v| !v.is_empty());
    decide(
        CHOICE.load(Ordering::Relaxed),
        is_set("NO_COLOR"),
        is_set("CLICOLOR_FORCE") && std::env::var_os("CLICOLOR_FORCE").is_some_and(|v| v != "0"),
        std::env::var_os("TERM").is_some_and(|term| term == "dumb"),
        stream.is_terminal(),
    )
}

fn decide(choice: u8, no_color: bool, force: bool, is_dumb: bool, is_terminal: bool) -> Use {
    let is_forced = choice == ALWAYS || choice == AUTO && force && !no_color;
    let is_refused = choice == NEVER || choice == AUTO && (no_color || is_dumb);
    Use {
        is_terminal: is_terminal || is_forced,
        colors: is_forced || is_terminal && !is_refused,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flag_counts_most_and_then_the_environment() {
        let colors = |choice, no_color, force, dumb, terminal| {
            decide(choice, no_color, force, dumb, terminal).colors
        };
        assert!(colors(AUTO, false, false, false, true));
        assert!(!colors(AUTO, false, false, false, false));
        assert!(!colors(AUTO, true, true, false, true));
        assert!(colors(AUTO, false, true, true, false));
        assert!(!colors(AUTO, false, false, true, true));
        assert!(colors(ALWAYS, true, false, true, false));
        assert!(!colors(NEVER, false, true, false, true));
        assert!(decide(ALWAYS, true, false, false, false).is_terminal);
        assert!(decide(NEVER, false, false, false, true).is_terminal);
    }
}
