//! What the compiler makes and the virtual machine runs: instructions, functions, run-time types.
//!
//! `compile` and `vm` know nothing of each other; they meet here. See `table` for the
//! instructions, `kind` for what their operands are, `op` for both in Rust,
//! `abi` for the shape of frames and windows, `unit` for what is compiled together, `image` for
//! what has been loaded, `func` for functions and their tables, `touch` for what instructions do to
//! memory that goroutines share, `effects` and `liveness` for what
//! instructions do to frames, `pair` for two numbers in one operand, `rtype` for type descriptors,
//! `arena` for where all this lies.

pub mod abi;
pub mod arena;
pub mod disasm;
pub(crate) mod effects;
pub mod encode;
mod flow;
pub mod func;
pub mod image;
pub mod kind;
pub(crate) mod liveness;
pub mod op;
pub mod pair;
pub mod rtype;
pub mod table;
pub mod touch;
pub mod unit;
pub mod verify;
