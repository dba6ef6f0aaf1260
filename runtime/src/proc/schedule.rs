#![allow(unsafe_code)]
//! The root loop of an M: choose a G, let it run, act on the outcome.
//!
//! Go: runtime/proc.go, schedule, execute.

use super::find::{Found, How, find_runnable};
use super::locked::{start_locked_m, stop_locked_m};
use super::newproc::goexit0;
use super::park::{park_m, yield_m};
use super::thread::exit_m;
use super::wake::reset_spinning;
use crate::coro::assert_g0;
use crate::engine::Outcome;
use crate::g::{G, Status};
use crate::gc::concurrent;
use crate::m::M;
use crate::sched::SCHED;
use crate::switches::Mech;
use crate::sync::Ordering;
use crate::trace::Why;
use crate::{coro, stack, switches, syscall, trace};

/// Schedules for ever, or until a G ends that was wired to the thread.
pub(super) unsafe fn m_loop(m: *mut M) {
    loop {
        // SAFETY: context — g0 of `m`.
        unsafe {
            schedule(m);
            loop {
                trace::gogo(m);
                let outcome = coro::resume(m);
                trace::mcall(m);
                let again = match outcome {
                    Outcome::Park => !park_m(m),
                    Outcome::Yield(kind) => {
                        yield_m(m, kind);
                        false
                    }
                    Outcome::Exit => {
                        if goexit0(m) {
                            return exit_m(m);
                        }
                        false
                    }
                    Outcome::SyscallExit => syscall::exit0(m),
                    Outcome::Again => true,
                };
                if !again {
                    break;
                }
            }
            if fault!(DeepG0) {
                m_loop(m);
                std::hint::black_box(m);
                return;
            }
        }
    }
}

/// One round of scheduling: chooses a G and makes it current.
unsafe fn schedule(m: *mut M) {
    assert_g0(m);
    crate::lockrank::assert_none_held();
    // SAFETY: context — g0 of `m`.
    unsafe {
        if (*m).locks != 0 {
            crate::throw!("schedule: holding locks");
        }
        let wired = (*m).lockedg.load(Ordering::Relaxed);
        if !wired.is_null() {
            stop_locked_m(m);
            execute(m, wired, fresh_unless(fault!(WiredKeepsSlice), Why::Wired));
            return;
        }
        loop {
            let p = (*m).p;
            if (*m).spinning.load(Ordering::Relaxed) && !(*p).runq.is_empty() {
                crate::throw!("schedule: spinning with local work");
            }
            let Found { g, how } = find_runnable(m);
            if crate::prompt::is_paused() {
                crate::prompt::chose(m, g);
            }
            if (*m).spinning.load(Ordering::Relaxed) {
                reset_spinning(m);
            }
            if SCHED.set_aside(g) {
                continue;
            }
            if !(*g).lockedm.load(Ordering::Relaxed).is_null() && !fault!(IgnoreWiring) {
                start_locked_m(m, g);
                continue;
            }
            execute(m, g, how);
            return;
        }
    }
}

/// A start with a slice of its own, unless the rule is broken.
fn fresh_unless(broken: bool, why: Why) -> How {
    if broken {
        How::inheriting(why)
    } else {
        How::fresh(why)
    }
}

/// Lets `g` be the M's current one, running.
pub(super) unsafe fn execute(m: *mut M, g: *mut G, how: How) {
    // SAFETY: the same contract.
    unsafe {
        // Recording is out of line, so that the common path saves no registers for it.
        if trace::hears(m) {
            execute_told(m, g, how)
        } else {
            begin(m, g, how);
        }
    }
}

/// As `execute`, and records it.
#[cold]
#[inline(never)]
unsafe fn execute_told(m: *mut M, g: *mut G, how: How) {
    // SAFETY: as for `execute`.
    unsafe {
        let asked = begin(m, g, how);
        trace::load(m);
        trace::go_start(m, g, how.packed_why(), how.inherits(), asked);
    }
}

/// What `execute` does; whether the G begins with a request to stop.
#[inline(always)]
unsafe fn begin(m: *mut M, g: *mut G, how: How) -> bool {
    // SAFETY: context — g0 of `m`, which holds a P; `g` was taken off a queue.
    unsafe {
        let inherit = how.inherits();
        let p = (*m).p;
        concurrent::before_run(m, g);
        (*m).curg = g;
        (*m).curg_seen.store(g, Ordering::Relaxed);
        (*g).m = m;
        (*g).cas_status(Status::Runnable, Status::Running);
        stack::settle(&mut *m, &mut *g);
        if (*g).waitsince.load(Ordering::Relaxed) != 0 {
            (*g).waitsince.store(0, Ordering::Relaxed);
        }
        (*g).preempt.store(false, Ordering::Relaxed);
        (*g).stackguard0
            .store((*g).stack_hi.wrapping_sub(stack::SLACK), Ordering::Relaxed);
        crate::preempt::clear_loop(g);
        if crate::gc::is_due() {
            crate::gc::arm(&*g);
        }
        if (*g).tracking {
            trace::latency(g);
        }
        if !inherit || fault!(TickInherited) {
            bump(&(*p).schedtick);
            bump(&(*p).slicetick);
        } else if !switches::on(Mech::SliceInheritance) {
            bump(&(*p).slicetick);
        }
        if !(*p).preempt.load(Ordering::Relaxed) {
            return false;
        }
        // The G that was asked has left the P without obeying: it waits, or has ended. The G that
        // goes on with its slice is asked instead. Otherwise two Gs that wake one another would
        // miss one request after the other, and keep the P.
        let asked =
            inherit && switches::on(Mech::SliceInheritance) && !fault!(ForgetUnservedRequest);
        if asked {
            (*g).preempt.store(true, Ordering::Relaxed);
            crate::preempt::rearm(g);
        } else {
            (*p).preempt.store(false, Ordering::Relaxed);
        }
        asked
    }
}

/// Breaks a rule, for tests: chooses the next G on the stack of one that has ended. `false`: it has
/// not, for the thread is to end.
///
/// # Safety
///
/// Context: coroutine of `m`, under the fault that breaks the rule.
#[cold]
pub(crate) unsafe fn switch_directly(m: *mut M) -> bool {
    // SAFETY: none is claimed; see above.
    unsafe {
        if !(*m).lockedg.load(Ordering::Relaxed).is_null() {
            return false;
        }
        goexit0(m);
        schedule(m);
        true
    }
}

/// As `execute`, for a G that returns from a system call: a fresh slice.
pub(crate) unsafe fn execute_syscall(m: *mut M, g: *mut G) {
    // SAFETY: as for `execute`.
    unsafe { execute(m, g, fresh_unless(fault!(ExitKeepsSlice), Why::Syscall)) }
}

/// Adds one to a counter only its owner writes.
#[inline]
pub(crate) fn bump(c: &crate::sync::AtomicU32) {
    c.store(c.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
}
