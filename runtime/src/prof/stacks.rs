#![allow(unsafe_code)]
//! Stacks, and tables of what was counted at each.
//!
//! # Invariants
//!
//! - P1. The world is stopped while the stacks of all goroutines are taken.

use std::collections::HashMap;

use super::MAX_FRAMES;
use crate::engine::Stack;
use crate::g::{G, Goid, Status};
use crate::m::M;
use crate::sched::{SCHED, for_each_g};
use crate::sync::Ordering;

/// What was counted, by stack. Frames are as [`Engine::stack`](crate::Engine::stack) gives them.
#[derive(Debug)]
pub(crate) struct Stacks<T> {
    by_stack: Option<HashMap<Box<[usize]>, T>>,
}

impl<T: Copy + Default> Stacks<T> {
    /// An empty table.
    pub(crate) const fn new() -> Stacks<T> {
        Stacks { by_stack: None }
    }

    /// What was counted at `stack`.
    pub(crate) fn at(&mut self, stack: &[usize]) -> &mut T {
        let table = self.by_stack.get_or_insert_with(HashMap::new);
        // A look-up by a borrowed key, so that what is there already costs no allocation.
        if !table.contains_key(stack) {
            table.insert(stack.into(), T::default());
        }
        match table.get_mut(stack) {
            Some(count) => count,
            None => unreachable!("it was inserted"),
        }
    }

    /// All of it.
    pub(crate) fn all(&self) -> Vec<(Box<[usize]>, T)> {
        let all = self.by_stack.iter().flatten();
        all.map(|(stack, count)| (stack.clone(), *count)).collect()
    }

    /// Forgets all of it.
    pub(crate) fn clear(&mut self) {
        self.by_stack = None;
    }
}

/// A goroutine in a profile.
#[derive(Debug)]
pub struct Goroutine {
    pub goid: Goid,
    /// What [`G::labels`](crate::G::labels) holds.
    pub labels: usize,
    pub stack: Vec<usize>,
}

/// The program's goroutines, the M's current one first, then the others in the order of their
/// making.
///
/// Context: coroutine; P1.
pub fn goroutines(m: &mut M) -> Vec<Goroutine> {
    let current = m.curg;
    let mut all = vec![current];
    for_each_g(|g| {
        // SAFETY: descriptors are never freed.
        let (status, is_system) = unsafe { ((*g).status(), (*g).is_system) };
        let is_dead = matches!(status, Status::Dead | Status::Idle);
        if g != current && !is_dead && !is_system {
            all.push(g);
        }
    });
    // SAFETY: P1; descriptors are never freed.
    let of = |g: *mut G| unsafe {
        let which = match g == current {
            true => Stack::Calling,
            false => Stack::Whole,
        };
        of(m, &*g, which)
    };
    all.into_iter().map(of).collect()
}

/// A goroutine as profiles have it.
///
/// # Safety
///
/// It does not run, or is the M's current one and has saved its registers.
pub(crate) unsafe fn of(m: &M, g: &G, which: Stack) -> Goroutine {
    Goroutine {
        goid: g.goid,
        labels: g.labels,
        stack: m.engine.stack(g, which, MAX_FRAMES),
    }
}

/// How many threads the runtime has made that still live.
pub fn threads() -> usize {
    let mut n = 0;
    let mut m = SCHED.allm.load(Ordering::Acquire);
    while !m.is_null() {
        n += 1;
        // SAFETY: Ms are never freed; the link stays.
        m = unsafe { (*m).alllink };
    }
    n
}
