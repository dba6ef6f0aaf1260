#![allow(unsafe_code)]
//! Dying: `throw` for our own failures, `fatal` for the program's, and the deadlock check.
//!
//! Go: runtime/panic.go; runtime/proc.go, checkdead.

use std::fmt;

/// Ends the process because the runtime is wrong: prints `fatal error:`, all goroutines, exit 2.
#[macro_export]
macro_rules! throw {
    ($($arg:tt)*) => { $crate::panic::throw(::std::format_args!($($arg)*)) };
}

/// Ends the process because the program did what cannot be recovered: prints `fatal error:` and
/// the goroutines, exit 2.
#[macro_export]
macro_rules! fatal {
    ($($arg:tt)*) => { $crate::panic::fatal(::std::format_args!($($arg)*)) };
}

/// See [`throw!`](crate::throw!).
#[cold]
pub fn throw(text: fmt::Arguments<'_>) -> ! {
    die(text)
}

/// See [`fatal!`](crate::fatal!).
#[cold]
pub fn fatal(text: fmt::Arguments<'_>) -> ! {
    die(text)
}

fn die(text: fmt::Arguments<'_>) -> ! {
    let s = format!("fatal error: {text}\n");
    // SAFETY: the buffer lives over the call; exiting needs nothing.
    unsafe {
        libc::write(2, s.as_ptr().cast(), s.len());
        libc::_exit(2)
    }
}
