//! What well-formed bytecode is.
