//! The REPL.
