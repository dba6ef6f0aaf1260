//! Models of the scheduler, and tests that need private items.
//!
//! `cargo loom` goes through every interleaving of the small pieces, `cargo shuttle` tries random
//! ones of the whole scheduler. Each model calls the functions that a program runs, not copies.
//! Beside each stands the same model with a fault injected, which must fail.

#[cfg(loom)]
mod loom_note;
#[cfg(shuttle)]
mod shuttle_core;
#[cfg(shuttle)]
mod world;
