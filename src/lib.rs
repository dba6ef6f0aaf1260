//! A Go-compatible runtime.
//!
//! The pipeline is one package after the other: `syntax`, `types`, `compile`, `bytecode`, `vm`,
//! which runs on `gosched-runtime`; `stdlib` is the library. This one leads programs through it.

pub mod cli;
mod colors;
pub mod driver;
mod lab;
pub mod loader;
mod repl;
mod steer;
mod test;
mod top;
mod traces;
mod watch;
