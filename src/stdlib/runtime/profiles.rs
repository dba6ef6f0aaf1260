#![allow(unsafe_code)]
//! What profiles count, as package runtime gives it to programs.
//!
//! # Invariants
//!
//! - R1. The program's variable `runtime.MemProfileRate` lives for ever.
//!
//! Go: runtime/mprof.go, runtime/cpuprof.go.

use gosched_runtime::prof::{self, cpu, heap, wait};
use gosched_runtime::stw;
use vm::native::{Cx, Ptr, Slice};

// The kinds of records, as extern.go numbers them.
const MEMORY: i64 = 0;
const BLOCKED: i64 = 1;
const CONTENDED: i64 = 2;

/// The program may read the profile of memory; `rate` is its variable.
pub(crate) fn watch_rate(rate: Ptr) {
    // SAFETY: R1.
    unsafe { heap::watch(rate.addr()) };
}

/// The stacks of all goroutines, each after its length. The world is the goroutine's.
pub(crate) fn goroutines_in_turn(cx: &mut Cx) -> Slice<u64> {
    let all = goroutines(cx);
    let mut words = Vec::new();
    for g in all {
        put_stack(&mut words, &g.stack);
    }
    cx.slice(&words)
}

/// The goroutines of a profile. The world is the goroutine's.
pub(crate) fn goroutines(cx: &mut Cx) -> Vec<prof::Goroutine> {
    let mut all = Vec::new();
    stw::in_turn(cx.m(), "goroutine profile", &mut |m| {
        all = prof::goroutines(m)
    });
    all
}

fn put_stack(words: &mut Vec<u64>, stack: &[usize]) {
    words.push(stack.len() as u64);
    words.extend(stack.iter().map(|pc| *pc as u64));
}

/// Records: four numbers each, then the stack after its length.
pub(crate) fn records(kind: i64) -> Vec<u64> {
    let mut words = Vec::new();
    if kind == MEMORY {
        for r in heap::records() {
            let size = r.size as u64;
            words.extend([r.allocs * size, r.frees * size, r.allocs, r.frees]);
            put_stack(&mut words, &r.stack);
        }
        return words;
    }
    let waits = match kind {
        BLOCKED => wait::blocked(),
        _ => wait::contended(),
    };
    for (stack, waited) in waits {
        words.extend([waited.count as u64, waited.ns as u64, 0, 0]);
        put_stack(&mut words, &stack);
    }
    words
}

/// Begins or ends a profile of time. Go: runtime.SetCPUProfileRate.
pub(crate) fn set_cpu_rate(hz: i64) {
    /// Go's limit.
    const MOST: i64 = 1_000_000;
    if hz <= 0 {
        cpu::stop();
    } else if !cpu::start(hz.min(MOST)) {
        eprintln!("runtime: cannot set CPU profile rate until previous profile has finished.");
    }
}

const _: () = assert!(CONTENDED == BLOCKED + 1);
