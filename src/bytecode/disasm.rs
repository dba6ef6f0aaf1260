//! Bytecode as text.
