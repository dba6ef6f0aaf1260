//! Go from text to trees: lexer, parser, trees, and what is told of errors in a text.

pub mod ast;
pub mod diagnostics;
pub mod lexer;
pub mod nesting;
pub mod parser;
