//! Typed tree to bytecode.
