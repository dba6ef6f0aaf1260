//! A compiled program as a value: what `compile` makes, and what `vm` runs.
//!
//! Code, types, constants and variables lie in the arenas, functions in their table; the image says
//! what else the VM must know of them.

use super::func::{Word, make_stub};
use super::op::Op;
use crate::source::Pos;

/// A program ready to run. Everything in it lives as long as the process.
#[derive(Clone, Debug)]
pub struct Image {
    /// Initialises all packages: no parameters, no results.
    pub init: u32,
    /// `main.main`.
    pub main: u32,
    pub stubs: Stubs,
    /// Package-level variables that hold pointers.
    pub roots: Vec<Root>,
    /// The natives that it calls, by their places in the table of natives, and where they are
    /// declared.
    pub natives: Vec<(u32, Pos)>,
}

/// A package-level variable that holds pointers.
#[derive(Clone, Copy, Debug)]
pub struct Root {
    pub addr: usize,
    /// Kinds of its words, repeated `count` times.
    pub words: &'static [Word],
    pub count: usize,
}

/// The addresses of the stub instructions.
#[derive(Clone, Copy, Debug)]
pub struct Stubs {
    /// Where a goroutine's function returns to.
    pub exit: usize,
    /// Where a function called by a native returns to.
    pub native: usize,
    /// Where a deferred call made by a panic or Goexit returns to.
    pub defer: usize,
}

impl Stubs {
    /// Makes the stubs, by the names that tracebacks print of them.
    pub fn make() -> Stubs {
        Stubs {
            exit: make_stub("runtime.goexit", Op::StubGoexit),
            native: make_stub("runtime.callback", Op::StubNativeReturn),
            defer: make_stub("runtime.gopanic", Op::StubPanicReturn),
        }
    }
}
