//! G, M, P, channels, timers, stacks, heap and collector: a Go runtime that knows no Go.
//!
//! Goroutines (`G`) are run by threads (`M`) that hold a processor (`P`). What a goroutine *does*
//! is the business of an [`Engine`]: the virtual machine, or Rust closures in tests. The
//! runtime knows sizes, word kinds and callbacks, never a type or an opcode of the language.
//!
//! # Where to begin
//!
//! - a `go` statement: [`proc::spawn`]; waiting: [`proc::M::park`](m::M::park) and [`proc::ready`];
//! - choosing the next goroutine: [`proc`], `schedule` and `find_runnable`;
//! - starting everything: [`proc::start`].
//!
//! Go: src/runtime.

#![allow(
    rustdoc::private_intra_doc_links,
    reason = "the documentation is for readers of the source"
)]
#![cfg_attr(
    any(loom, shuttle),
    allow(
        dead_code,
        unused,
        unreachable_pub,
        reason = "models replace parts of the seams"
    )
)]

mod engine;
#[macro_use]
pub mod faults;
#[macro_use]
pub mod panic;

pub mod bubble;
pub mod chan;
pub mod clock;
pub mod control;
pub mod coro;
pub mod cpus;
pub mod edges;
pub mod fence;
pub mod g;
pub mod gc;
pub mod heap;
pub mod knobs;
pub mod limits;
pub mod lockrank;
pub mod m;
pub mod mutex;
pub mod netpoll;
mod note;
pub mod p;
pub mod pool;
pub mod preempt;
pub mod proc;
pub mod prof;
pub mod prompt;
pub mod race;
mod rand;
pub mod runq;
pub mod sched;
pub mod select;
pub mod sema;
pub mod signal;
pub mod stack;
pub mod stw;
pub mod switches;
pub mod sync;
pub mod syscall;
pub mod sysmon;
#[cfg(test)]
mod testing;
#[cfg(all(test, any(loom, shuttle)))]
mod tests;
pub mod timer;
pub mod tls;
pub mod trace;
pub mod traceback;

pub use engine::{Engine, FaultEnd, GlobalsAt, Outcome, RootVisitor, Stack, YieldKind};
pub use g::{G, Status, WaitReason};
pub use m::M;
pub use p::P;
pub use sync::Lock;
