//! A Go-compatible runtime.
//!
//! source → lexer → parser → types → compile → bytecode → vm, which runs on `gosched-runtime`.

pub mod arena;
pub mod ast;
pub mod bytecode;
pub mod cli;
pub mod compile;
pub mod diagnostics;
pub mod driver;
pub mod lexer;
pub mod loader;
pub mod nesting;
pub mod parser;
pub mod source;
pub mod stdlib;
pub mod types;
pub mod vm;
