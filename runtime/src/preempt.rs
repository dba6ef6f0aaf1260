#![allow(unsafe_code)]
//! Asking a G to stop, and where it may stop.
//!
//! A request is `g.preempt`, plus `stackguard0 = 0` for prologues, plus bit 0 of `loop_guard` for
//! loop safepoints, plus SIGURG for fenced natives; the last two only while asynchronous preemption
//! is on. Requests may hit the wrong G or be lost: the caller repeats them.
//!
//! # Invariants
//!
//! - A1. Descriptors are never freed, so a stale request does no harm: it costs one needless yield.
//!
//! Go: runtime/preempt.go; runtime/proc.go, preemptone, preemptall.

use std::ptr;

use crate::edges::{self, Scan};
use crate::g::{G, SCAN, Status};
use crate::gc;
use crate::knobs::{self, Knob};
use crate::m::M;
use crate::p::{P, PStatus};
use crate::sched::allp;
use crate::signal;
use crate::stack;
use crate::switches::{self, Mech};
use crate::sync::{AtomicU64, Ordering};
use crate::tls;
use crate::trace;

/// Bit of `loop_guard`: stop at the next loop safepoint.
pub const LOOP_PREEMPT: usize = 1;
/// Bit of `loop_guard`: an interrupt of the whole program (by a prompt, or a time limit).
const LOOP_INTERRUPT: usize = 2;

/// Bit of `loop_guard`: a collection is due; see [`crate::gc::safepoint`].
pub(crate) const LOOP_GC: usize = 4;

/// Bit of `loop_guard`: a second interrupt has come before the first was obeyed.
const LOOP_INSIST: usize = 16;

/// Bit of `loop_guard`: the wait that it was in has been undone; it must not be completed.
const LOOP_UNDONE: usize = 32;

/// Bit of `loop_guard`: an input of a prompt wants to begin.
const LOOP_GIVE_WAY: usize = 8;

/// What a safepoint whose fast check failed must do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// Go on: the guard lets it pass now.
    Go,
    /// Leave with `Outcome::Yield(YieldKind::Preempt)`, and ask again when resumed.
    Preempt,
    /// Call [`crate::stack::grow`], and ask again.
    Grow,
    /// Call [`crate::gc::safepoint`], and ask again with `gc_done`.
    Gc,
    /// The program is interrupted ([`interrupt`]): call [`take_interrupt`] and act on it.
    Interrupt,
}

/// Tells what to do when the prologue of a function that needs `need` bytes above `g.sched.top`
/// has found the guard too low.
///
/// Context: coroutine; `g` is current, its registers saved.
pub fn newstack_check(m: &mut M, g: &mut G, need: usize, gc_done: bool) -> Stop {
    if let Some(stop) = common_check(m, g, gc_done) {
        return stop;
    }
    if gc_done && std::mem::take(&mut g.move_due) {
        g.stackguard0.store(stack::FORCE_MOVE, Ordering::Relaxed);
    }
    match g.stackguard0.load(Ordering::Relaxed) {
        stack::FORCE_MOVE => return Stop::Grow,
        stack::PREEMPT => {
            let asked = g.preempt.load(Ordering::Relaxed) && switches::on(Mech::CoopPreempt);
            if asked && can_preempt(m) {
                if g.preempt_shrink.swap(false, Ordering::Relaxed) {
                    stack::shrink(m, g);
                }
                trace::preempted(m, g, trace::Way::Prologue);
                return Stop::Preempt;
            }
            // The request is put off, stale, or the collector's: `g.preempt` remembers one that was
            // put off.
            g.stackguard0.store(g.normal_guard(), Ordering::Relaxed);
        }
        _ => {}
    }
    if g.sched.top + need > g.normal_guard() {
        Stop::Grow
    } else {
        Stop::Go
    }
}

/// Tells what to do when a loop safepoint has found `loop_guard` nonzero; never `Grow`.
///
/// Context: coroutine; `g` is current.
pub fn loop_check(m: &mut M, g: &mut G, gc_done: bool) -> Stop {
    if let Some(stop) = common_check(m, g, gc_done) {
        return stop;
    }
    if g.loop_guard.load(Ordering::Relaxed) & LOOP_PREEMPT == 0 {
        return Stop::Go;
    }
    if can_preempt(m) {
        trace::preempted(m, g, trace::Way::Loop);
        return Stop::Preempt;
    }
    g.loop_guard.fetch_and(!LOOP_PREEMPT, Ordering::Relaxed);
    Stop::Go
}

fn common_check(m: &mut M, g: &mut G, gc_done: bool) -> Option<Stop> {
    let bits = g.loop_guard.load(Ordering::Relaxed);
    if bits & LOOP_INTERRUPT != 0 {
        return Some(Stop::Interrupt);
    }
    if bits & LOOP_GIVE_WAY != 0 {
        g.loop_guard.fetch_and(!LOOP_GIVE_WAY, Ordering::Relaxed);
        if can_preempt(m) {
            trace::preempted(m, g, trace::Way::Loop);
            return Some(Stop::Preempt);
        }
    }
    if bits & LOOP_GC != 0 {
        g.loop_guard.fetch_and(!LOOP_GC, Ordering::Relaxed);
    }
    (!gc_done && gc::is_due() && m.locks == 0).then_some(Stop::Gc)
}

/// The interrupt of `g` that was taken is to be obeyed at a later loop.
pub fn put_off_interrupt(g: &mut G) {
    g.loop_guard.fetch_or(LOOP_INTERRUPT, Ordering::Relaxed);
}

/// Whether the interrupt of `g` is to be obeyed wherever it is. Takes that back.
pub fn take_insistence(g: &mut G) -> bool {
    g.loop_guard.fetch_and(!LOOP_INSIST, Ordering::Relaxed) & LOOP_INSIST != 0
}

/// Whether `g`, which runs again, must look what became of its wait: see [`take_undone`].
#[inline]
pub fn is_disturbed(g: &G) -> bool {
    g.loop_guard.load(Ordering::Relaxed) & (LOOP_INTERRUPT | LOOP_UNDONE) != 0
}

/// Whether the wait that `g` comes from was undone, so that it goes on as by `runtime.Goexit`. If
/// not, the interrupt stands, and its prologues are made to see it.
pub fn take_undone(g: &mut G) -> bool {
    const ALL: usize = LOOP_UNDONE | LOOP_INTERRUPT | LOOP_INSIST;
    if g.loop_guard.load(Ordering::Relaxed) & LOOP_UNDONE == 0 {
        g.stackguard0.store(stack::PREEMPT, Ordering::Relaxed);
        return false;
    }
    g.loop_guard.fetch_and(!ALL, Ordering::Relaxed);
    true
}

/// Whether the interrupt of `g` is to be obeyed wherever it is.
pub(crate) fn is_insisted_on(g: &G) -> bool {
    g.loop_guard.load(Ordering::Relaxed) & LOOP_INSIST != 0
}

/// Whether the goroutine of this thread is interrupted, so that a system call that a signal has cut
/// short is not to be made again.
///
/// Context: any thread.
pub fn is_call_cut() -> bool {
    let m = tls::current_m();
    // SAFETY: the M is this thread's, and so is its current G.
    !m.is_null() && unsafe { (*m).curg.as_ref() }.is_some_and(is_interrupted)
}

/// Whether an interrupt of `g` is still to be obeyed.
pub fn is_interrupted(g: &G) -> bool {
    g.loop_guard.load(Ordering::Relaxed) & LOOP_INTERRUPT != 0
}

/// The wait of `g` was undone.
pub(crate) fn wait_undone(g: &G) {
    g.loop_guard.fetch_or(LOOP_UNDONE, Ordering::Relaxed);
}

/// Takes the interrupt of `g` back; `true` if there was one.
pub fn take_interrupt(g: &mut G) -> bool {
    g.loop_guard.fetch_and(!LOOP_INTERRUPT, Ordering::Relaxed) & LOOP_INTERRUPT != 0
}

/// Whether the M may be preempted now.
pub(crate) fn can_preempt(m: &M) -> bool {
    (m.locks == 0 || fault!(IgnoreHolds))
        && m.preemptoff.is_empty()
        && !m.p.is_null()
        // SAFETY: p::P1 — the P is ours.
        && unsafe { (*m.p).status() } == PStatus::Running
}

/// Forbids preemption of the M until [`release_m`]; nests. The request survives.
pub fn acquire_m(m: &mut M) {
    m.locks += 1;
}

/// Undoes [`acquire_m`].
pub fn release_m(m: &mut M) {
    m.locks -= 1;
    if fault!(ForgetToRearm) {
        return;
    }
    // SAFETY: m::M3.
    if m.locks == 0 && !m.curg.is_null() && unsafe { (*m.curg).preempt.load(Ordering::Relaxed) } {
        rearm(m.curg);
    }
}

/// Whether loop safepoints and signals are in use.
#[inline]
pub(crate) fn is_async() -> bool {
    switches::on(Mech::AsyncPreempt)
        && (knobs::get(Knob::AsyncPreemptOff) == 0 || fault!(IgnoreAsyncPreemptOff))
}

/// Makes the guards say again what `g.preempt` remembers.
pub(crate) fn rearm(g: *mut G) {
    // SAFETY: A1; atomics only.
    unsafe {
        if switches::on(Mech::CoopPreempt) {
            (*g).stackguard0.store(stack::PREEMPT, Ordering::Relaxed);
        }
        if is_async() {
            (*g).loop_guard.fetch_or(LOOP_PREEMPT, Ordering::Relaxed);
        }
    }
}

/// Takes the loop request back.
#[inline]
pub(crate) fn clear_loop(g: *mut G) {
    // SAFETY: A1; atomics only.
    unsafe {
        if (*g).loop_guard.load(Ordering::Relaxed) & LOOP_PREEMPT != 0 {
            (*g).loop_guard.fetch_and(!LOOP_PREEMPT, Ordering::Relaxed);
        }
    }
}

/// Requests made so far; for tests and dumps.
pub static ASKED: AtomicU64 = AtomicU64::new(0);

/// Asks all running Gs but the own to stop; for tests, which call it again and again.
pub fn ask_all(m: &mut M) {
    all(m);
}

/// Asks the G that runs on `p` to stop. Best effort; `false` if there was no G to ask.
///
/// Context: any thread; `me` is its M or null.
pub(crate) fn one(me: *mut M, p: *mut P) -> bool {
    // SAFETY: Ps, Ms and Gs are never freed; only atomics are touched (g::G2, m::M1).
    unsafe {
        let mp = (*p).m.load(Ordering::Relaxed);
        if mp.is_null() || mp == me {
            return false;
        }
        let g = (*mp).curg_seen.load(Ordering::Relaxed);
        if g.is_null() {
            return false;
        }
        ASKED.fetch_add(1, Ordering::Relaxed);
        // The P's word first: a G that sees its own word obeys, and the P's must not be set after
        // that.
        (*p).preempt.store(true, Ordering::Relaxed);
        (*g).preempt.store(true, Ordering::Release);
        rearm(g);
        // Only a G in a fenced native needs the signal; elsewhere the words in the G are enough.
        if is_async() && (*g).fenced.load(Ordering::Relaxed) {
            signal::preempt_m(mp);
        }
        true
    }
}

/// Asks all running Gs but the own to stop.
pub(crate) fn all(me: *mut M) -> bool {
    let mut any = false;
    for &p in &allp().ps {
        // SAFETY: Ps are never freed.
        if unsafe { (*p).status() } == PStatus::Running && one(me, p) {
            any = true;
        }
    }
    any
}

/// Asks all running Gs to stop once, however preemption is set.
///
/// Context: any thread.
pub(crate) fn give_way() {
    for &p in &allp().ps {
        // SAFETY: as in `one`.
        unsafe {
            let mp = (*p).m.load(Ordering::Relaxed);
            if mp.is_null() {
                continue;
            }
            let g = (*mp).curg_seen.load(Ordering::Relaxed);
            if g.is_null() {
                continue;
            }
            (*g).loop_guard.fetch_or(LOOP_GIVE_WAY, Ordering::Relaxed);
            (*g).stackguard0.store(stack::PREEMPT, Ordering::Relaxed);
            if (*g).fenced.load(Ordering::Relaxed) {
                signal::preempt_m(mp);
            }
        }
    }
}

/// Asks `g`, which is in a system call, to stop once when it is back.
///
/// # Safety
///
/// `g` is a descriptor.
pub(crate) unsafe fn ask(g: *mut G) {
    // SAFETY: A1; atomics only.
    unsafe {
        (*g).loop_guard.fetch_or(LOOP_GIVE_WAY, Ordering::Relaxed);
        (*g).stackguard0.store(stack::PREEMPT, Ordering::Relaxed);
    }
}

/// Interrupts `g` at its next safepoint, however preemption is set: [`loop_check`] and
/// [`newstack_check`] say [`Stop::Interrupt`] until [`take_interrupt`].
///
/// A G that does not run is interrupted at its next loop: when it begins to run its guard is made
/// normal, and its prologues pass.
///
/// # Safety
///
/// `g` is a descriptor of the runtime's; whatever its state.
pub unsafe fn interrupt(g: *mut G) {
    // SAFETY: A1; atomics only.
    unsafe {
        if (*g).loop_guard.fetch_or(LOOP_INTERRUPT, Ordering::Relaxed) & LOOP_INTERRUPT != 0 {
            (*g).loop_guard.fetch_or(LOOP_INSIST, Ordering::Relaxed);
        }
        (*g).stackguard0.store(stack::PREEMPT, Ordering::Relaxed);
    }
}

/// Stops the current G for [`suspend_g`], whose caller alone will wake it.
///
/// # Safety
///
/// Context: g0 of `m`; `g` is current and has left its coroutine.
pub(crate) unsafe fn preempt_park(m: *mut M, g: *mut G) {
    // SAFETY: by the contract.
    unsafe {
        (*g).waitreason
            .store(crate::g::WaitReason::Preempted as u8, Ordering::Relaxed);
        // Through the scan bit, which keeps suspend_g away until the M has let go.
        (*g).cas_preempted_scan();
        (*g).m = ptr::null_mut();
        (*m).curg = ptr::null_mut();
        (*m).curg_seen.store(ptr::null_mut(), Ordering::Relaxed);
        (*g).cas_from_scan(Status::Preempted);
    }
}

/// What [`suspend_g`] did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Suspended {
    /// It was dead: nothing to resume.
    pub(crate) dead: bool,
    /// It was stopped while running, and [`resume_g`] must ready it.
    pub(crate) stopped: bool,
}

/// Stops one G without stopping the world; the caller then owns its stack. For tests.
///
/// The caller's own G must itself be marked waiting, or two of them wait for one another.
///
/// Context: g0.
///
/// # Safety
///
/// `g` is a descriptor of the runtime's, not the caller's own.
pub unsafe fn suspend_g(g: *mut G) -> Suspended {
    const YIELD_NS: i64 = 10_000;
    let mut stopped = false;
    let mut asked: Option<(*mut M, u32)> = None;
    let mut next_yield = crate::clock::real_nanotime() + YIELD_NS;
    let mut next_signal = 0;
    // SAFETY: descriptors are never freed; the scan bit gives the rest.
    unsafe {
        loop {
            let s = (*g).status_bits();
            match Status::from_bits(s) {
                _ if s & SCAN != 0 => {}
                Some(Status::Dead) | None => {
                    return Suspended {
                        dead: true,
                        stopped: false,
                    };
                }
                Some(Status::Preempted) => {
                    if (*g)
                        .status
                        .compare_exchange(
                            s,
                            Status::Waiting as u32,
                            Ordering::AcqRel,
                            Ordering::Relaxed,
                        )
                        .is_ok()
                    {
                        edges::g(&*g, Status::Preempted, Status::Waiting, Scan::No);
                        stopped = true;
                        continue;
                    }
                }
                Some(st @ (Status::Runnable | Status::Syscall | Status::Waiting)) => {
                    if (*g).cas_to_scan(st) {
                        (*g).preempt_stop.store(false, Ordering::Relaxed);
                        (*g).preempt.store(false, Ordering::Relaxed);
                        if (*g).stack_hi != 0 {
                            (*g).stackguard0
                                .store((*g).normal_guard(), Ordering::Relaxed);
                        }
                        clear_loop(g);
                        return Suspended {
                            dead: false,
                            stopped,
                        };
                    }
                }
                Some(Status::Running) => {
                    let mp = ptr::read_volatile(&raw const (*g).m);
                    let generation = if mp.is_null() {
                        0
                    } else {
                        (*mp).preempt_gen.load(Ordering::Relaxed)
                    };
                    let known = asked == Some((mp, generation))
                        && (*g).preempt_stop.load(Ordering::Relaxed)
                        && (*g).preempt.load(Ordering::Relaxed);
                    if !known && (*g).cas_to_scan(Status::Running) {
                        (*g).preempt_stop.store(true, Ordering::Relaxed);
                        (*g).preempt.store(true, Ordering::Relaxed);
                        rearm(g);
                        let mp = (*g).m;
                        asked = (!mp.is_null())
                            .then(|| (mp, (*mp).preempt_gen.load(Ordering::Relaxed)));
                        (*g).cas_from_scan(Status::Running);
                        let now = crate::clock::real_nanotime();
                        let fenced = (*g).fenced.load(Ordering::Relaxed);
                        if is_async() && fenced && !mp.is_null() && now >= next_signal {
                            next_signal = now + YIELD_NS / 2;
                            signal::preempt_m(mp);
                        }
                    }
                }
                Some(_) => {}
            }
            if crate::clock::real_nanotime() < next_yield {
                crate::sync::pause(10);
            } else {
                crate::sync::os_yield();
                next_yield = crate::clock::real_nanotime() + YIELD_NS / 2;
            }
        }
    }
}

/// Lets go of a G stopped by [`suspend_g`]. For tests.
///
/// # Safety
///
/// `was` is what `suspend_g` returned for this `g`; context as there, `m` holds a P.
pub unsafe fn resume_g(m: &mut M, g: *mut G, was: Suspended) {
    if was.dead {
        return;
    }
    // SAFETY: by the contract the scan bit is ours.
    unsafe {
        if let Some(s) = Status::from_bits((*g).status_bits()) {
            (*g).cas_from_scan(s);
        }
        if was.stopped && !fault!(ForgetToResume) {
            crate::proc::ready(m, g);
        }
    }
}

/// Runs `f` on g0 while `g` is suspended; tells it how that was done. Meanwhile the caller's own
/// goroutine counts as waiting. For tests.
///
/// # Safety
///
/// `g` is a descriptor of the runtime's, not the caller's own. Context: coroutine with a P, no lock
/// held; `f` does not wait.
pub unsafe fn while_suspended(m: &mut M, g: *mut G, f: impl FnOnce(Suspended)) {
    crate::coro::on_g0(m, |m| {
        let own = m.curg;
        // SAFETY: by the contract. The own G is marked first, so that another suspender need not
        // wait for it.
        unsafe {
            (*own).waitreason.store(
                crate::g::WaitReason::StoppingTheWorld as u8,
                Ordering::Relaxed,
            );
            (*own).cas_status(Status::Running, Status::Waiting);
            let was = suspend_g(g);
            f(was);
            resume_g(m, g, was);
            (*own).cas_status(Status::Waiting, Status::Running);
        }
    });
}
