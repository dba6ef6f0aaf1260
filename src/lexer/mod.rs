//! Lexer.
