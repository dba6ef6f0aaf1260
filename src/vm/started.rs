#![allow(unsafe_code)]
//! What a new goroutine is made for.
//!
//! The statement `go f(x)` starts a function that the compiler has made, which holds the arguments
//! and calls `f`. Go's tools show that one, `main.main.gowrap1`; a reader of a trace looks for `f`.
//! Its code tells which function it calls, or where its closure holds a func value or an interface.
//! So it is with the library's function literals that call what the program has given them, as that
//! of `sync.(*WaitGroup).Go` does.
//!
//! # Invariants
//!
//! - O1. The closure of a goroutine that has not begun to run is a live object, and what its own
//!   function reads of it by a constant offset lies within. The same holds of a func value there.

use super::frame::HEADER;
use super::native::table;
use super::slow::itab_func;
use bytecode::encode;
use bytecode::func::{self, FuncInfo};
use bytecode::op::Op;
use gosched_runtime::g::G;
use std::collections::HashMap;
use std::sync::atomic::Ordering;

/// Functions of the compiler's that call one another, at most: a thunk, a bound method, the method
/// of a pointer that calls that of its value.
const DEEP: usize = 4;

/// Where the function begins that `g` is made to run, and whether that is so of each goroutine that
/// begins where `g` does.
///
/// # Safety
///
/// `g` is new, its first frame laid.
pub(super) unsafe fn entry(g: &G) -> (usize, bool) {
    debug_assert!(g.sched.fp >= g.stack_lo + HEADER);
    // SAFETY: the caller's: the first word of the frame is the closure.
    let closure = unsafe { *(g.sched.fp as *const usize) };
    let (mut pc, mut closure, mut is_fixed) = (g.sched.pc, closure, true);
    for _ in 0..DEEP {
        let Some(info) = func::find(pc) else {
            break;
        };
        let callee = match info.is_wrapper() {
            true => called(info, closure),
            false if is_librarys_literal(info) => match called(info, closure) {
                Some(callee) if callee.is_fixed => break,
                given => given,
            },
            false => break,
        };
        let Some(callee) = callee else {
            return (pc, false);
        };
        (pc, closure) = (callee.entry, callee.closure);
        is_fixed &= callee.is_fixed;
    }
    (pc, is_fixed)
}

/// Is it a function literal of the library?
fn is_librarys_literal(info: &FuncInfo) -> bool {
    let is = func::STD | func::CLOSURE;
    info.flags & is == is
}

/// What a function calls.
struct Callee {
    /// Where it begins.
    entry: usize,
    /// Its closure, 0 if none is known.
    closure: usize,
    /// The call names it.
    is_fixed: bool,
}

impl Callee {
    fn fixed(entry: usize) -> Option<Callee> {
        Some(Callee {
            entry,
            closure: 0,
            is_fixed: true,
        })
    }

    fn found(entry: usize, closure: usize) -> Option<Callee> {
        Some(Callee {
            entry,
            closure,
            is_fixed: false,
        })
    }
}

/// What this function calls last. Its own closure is `closure`, or that is 0.
fn called(info: &FuncInfo, closure: usize) -> Option<Callee> {
    // What is in slots, as far as it comes from the closure.
    let mut known: HashMap<i64, usize> = HashMap::new();
    let mut found = None;
    let begin = |index: u32| func::entry(index).entry.load(Ordering::Relaxed);
    for (_, i) in encode::instructions(info.code()) {
        let a = &i.args;
        match i.op {
            Op::Load64 | Op::Load2 if closure != 0 && a[1] == i64::from(info.closure_slot) => {
                let at = (closure as i64 + a[2]) as *const usize;
                let n = if i.op == Op::Load2 { 2 } else { 1 };
                for k in 0..n {
                    // SAFETY: O1.
                    known.insert(a[0] + k as i64, unsafe { *at.add(k) });
                }
            }
            Op::Call => found = Callee::fixed(begin(a[1] as u32)),
            Op::CallClosure => {
                let value = known.get(&a[1]).copied().filter(|value| *value != 0)?;
                // SAFETY: O1; a func value begins with the index of its function.
                let index = unsafe { *(value as *const u64) } as u32;
                found = Callee::found(begin(index), value);
            }
            Op::CallIface => {
                let itab = known.get(&a[1]).copied().filter(|itab| *itab != 0)?;
                // SAFETY: exec::X4 — the first word of an interface that has methods.
                let index = unsafe { itab_func(itab, a[2] as u16) };
                found = Callee::found(begin(index), 0);
            }
            Op::CallNative => found = Callee::fixed(table::get(a[1] as u32)?.stub()),
            _ => {}
        }
    }
    found
}
