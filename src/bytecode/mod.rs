//! Bytecode.
