//! Models of the scheduler.
//!
//! `cargo loom` goes through every interleaving of the small pieces, `cargo shuttle` tries random
//! ones of the whole scheduler. Each model calls the functions that a program runs, not copies.
//! The table of rules names, for each, the faults under which it fails: `GOSCHED_FAULT=NAME cargo
//! loom MODEL`, or `cargo proof loom::MODEL`.

#[cfg(loom)]
mod forged;
#[cfg(loom)]
mod loom_idle;
#[cfg(loom)]
mod loom_mark;
#[cfg(loom)]
mod loom_note;
#[cfg(loom)]
mod loom_poll;
#[cfg(loom)]
mod loom_runq;
#[cfg(loom)]
mod loom_scan;
#[cfg(loom)]
mod loom_sema;
#[cfg(loom)]
mod loom_spin;
#[cfg(loom)]
mod loom_syscall;
#[cfg(shuttle)]
mod shuttle_bubble;
#[cfg(shuttle)]
mod shuttle_chan;
#[cfg(shuttle)]
mod shuttle_core;
#[cfg(shuttle)]
mod shuttle_f16;
#[cfg(shuttle)]
mod world;
