#![allow(unsafe_code)]
//! Points: where the goroutine that runs may let others run, and what is a point.

use super::log::{Kind, Record};
use super::operation::{Act, Operation};
use super::outside::hears_now;
use super::{STATE, blocking, too_many};
use crate::g::Goid;
use crate::p::P;
use crate::rand::Rand;
use crate::sched::SCHED;
use crate::sync::plain::{AtomicU32, Ordering};
use crate::{preempt, sysmon};
use std::sync::OnceLock;

/// Of so many turns of loops one is a point.
const POINT_TURNS: u32 = 1000;
/// See [`is_shared`]: in order. Written by [`set`](super::set).
pub(super) static SHARED: OnceLock<Vec<u64>> = OnceLock::new();
/// Turns of loops so far. Written by the M that holds the one P.
static TURNS: AtomicU32 = AtomicU32::new(0);

/// The goroutine that runs on `p` has come to a point, before `op`. `true`: others are to get a
/// chance.
///
/// # Safety
///
/// Context: coroutine of the M that holds `p`, in a controlled run.
pub unsafe fn point(p: *mut P, op: Operation) -> bool {
    // SAFETY: by the contract.
    unsafe {
        let mut state = STATE.lock();
        let g = state.now.key.g;
        *state.points(g) += 1;
        let op = state.as_reader(g, op);
        if op.act != Act::Turn {
            state.push(Record {
                kind: Kind::Operation,
                n: blocking::buffer(&op) as u32,
                g,
                op,
                ..Record::default()
            });
        }
        let asks = state.now.passes != 0 || !state.could_pass;
        let may_pass = asks && state.may_pass(sysmon::next_timer(), Some(g));
        let may_pass = may_pass && state.now.passes != 0;
        let has_choice = !(*p).runq.is_empty()
            || SCHED.runqsize.load(Ordering::Relaxed) != 0
            || !state.ready.is_empty()
            || state.is_look_due()
            || hears_now()
            || may_pass;
        // The library may be bound to its P in what is a point elsewhere.
        let leaves = has_choice && preempt::can_preempt(&*(*p).m.load(Ordering::Relaxed));
        state.at_point = leaves.then_some(op);
        if !leaves {
            state.does(g, op);
        }
        leaves
    }
}

/// The goroutine that runs reads what comes from outside.
pub fn reads_the_world() {
    let state = STATE.lock();
    state.push(Record {
        kind: Kind::World,
        g: state.now.key.g,
        ..Record::default()
    });
}

/// A loop begins another turn: is that a point? One of a thousand is.
#[inline]
pub fn turn() -> bool {
    let n = TURNS.load(Ordering::Relaxed).wrapping_add(1);
    TURNS.store(n, Ordering::Relaxed);
    let is_point = n.is_multiple_of(POINT_TURNS);
    // Whether others can run or not: a loop without end is to end.
    if is_point && !STATE.lock().count() {
        too_many();
    }
    is_point
}

/// Are there accesses to memory that are points?
pub fn has_shared() -> bool {
    SHARED.get().is_some()
}

/// Is there an access at `pc` that is to be a point, for it has been in a race?
pub fn is_shared(pc: usize) -> bool {
    SHARED
        .get()
        .is_some_and(|all| all.binary_search(&(pc as u64)).is_ok())
}

/// The goroutine that runs comes to a point at an instruction that reads and writes memory. Is that
/// between both? So it is at every second such moment.
pub fn is_amid() -> bool {
    let mut state = STATE.lock();
    let g = state.now.key.g;
    let moment = g.0 << 32 | u64::from(*state.points(g));
    Rand::new(state.seed ^ moment).next() & 1 == 1
}

/// The goroutine that runs is let go in the midst of an instruction that changes the eight bytes at
/// `at`: it has read them.
///
/// # Safety
///
/// They can be read.
pub unsafe fn reads_early(at: usize) {
    let mut state = STATE.lock();
    let g = state.now.key.g;
    // SAFETY: the caller's.
    let value = unsafe { (at as *const u64).read_unaligned() };
    state.early.push((g, at, value));
}

/// `g` runs again: what it has read early is what it finds.
///
/// # Safety
///
/// Its next instruction is that in whose midst it was, if it has read early.
pub unsafe fn has_read_early(g: Goid) {
    let mut state = STATE.lock();
    if let Some(i) = state.early.iter().position(|(by, ..)| *by == g) {
        let (_, at, value) = state.early.swap_remove(i);
        // SAFETY: the memory is held by what the instruction has in its registers.
        unsafe { (at as *mut u64).write_unaligned(value) };
    }
}
