#![allow(unsafe_code)]
//! Finding the next G: every source in order, the last look, the poller, sleep.
//!
//! Go: runtime/proc.go, findRunnable.

use std::ptr;

use super::handoff::{acquire_p, release_p, stop_m};
use super::helpers::wake_finalizer;
use super::queue::{inject_list, runq_get};
use super::steal::{Stolen, steal_work};
use super::wake::{become_spinning, drop_spinner, may_spin, wake_p};
use crate::clock::nanotime;
use crate::control::tape;
use crate::coro::assert_g0;
use crate::g::{G, Status};
use crate::gc::concurrent;
use crate::m::M;
use crate::p::P;
use crate::sched::{AllP, SCHED, allp};
use crate::switches::Mech;
use crate::sync::{Ordering, fence_seq_cst};
use crate::trace::{SpinBy, Why};
use crate::{control, coro, netpoll, prompt, stw, switches, timer, trace};

/// The global queue is looked at on every tick divisible by this.
const GLOBAL_POLL: u32 = 61;

/// What was found.
pub(crate) struct Found {
    /// The G.
    pub(super) g: *mut G,
    /// How.
    pub(super) how: How,
}

/// How a G was found, in one word: the reason, and whether it inherits the slice.
#[derive(Clone, Copy)]
pub(super) struct How(u64);

const _: () = assert!(Why::PACKED_BITS <= 63);

impl How {
    const INHERIT: u64 = 1 << 63;

    /// It begins a slice of its own.
    #[inline]
    pub(super) fn fresh(why: Why) -> How {
        How(why.pack())
    }

    /// It goes on with the slice of the one before it.
    #[inline]
    pub(super) fn inheriting(why: Why) -> How {
        How(why.pack() | How::INHERIT)
    }

    #[inline]
    pub(super) fn inherits(self) -> bool {
        self.0 & How::INHERIT != 0
    }

    /// The reason, as [`Why::pack`] gives it.
    #[inline]
    pub(super) fn packed_why(self) -> u64 {
        self.0 & !How::INHERIT
    }
}

impl Found {
    /// A G that begins a slice of its own.
    #[inline]
    fn fresh(g: *mut G, why: Why) -> Found {
        Found {
            g,
            how: How::fresh(why),
        }
    }
}

/// Notes that the M has come to step `n` (debug builds).
#[inline]
fn step(m: *mut M, n: u8) {
    trace::step(m, n);
    #[cfg(test)]
    super::tests::at_step(m, n);
}

/// Finds a G to run; sleeps until there is one.
///
/// The numbers given to `step` are those of the table of steps in `runtime/SCHEDULER.md`; 2 asks a
/// source that does not exist yet (trace reader).
pub(super) unsafe fn find_runnable(m: *mut M) -> Found {
    assert_g0(m);
    // SAFETY: context — g0 of `m`, which holds a P at the top of the loop.
    unsafe {
        loop {
            let p = (*m).p;
            step(m, 0);
            if SCHED.gcwaiting.load(Ordering::Relaxed) {
                stw::gcstop_m(m);
                continue;
            }
            if (*p).run_safepoint_fn.load(Ordering::Relaxed) != 0 {
                stw::run_safepoint_fn(m);
            }
            step(m, 1);
            let mut now = 0;
            let mut poll_until = 0;
            if !(*p).timers.is_empty() && !fault!(SkipOwnTimers) {
                let c = timer::check_timers(&mut *m, &*p, 0);
                now = c.now;
                poll_until = c.poll_until;
            }

            if SCHED.inputs.load(Ordering::Relaxed) != 0 {
                let _s = SCHED.lock.guard();
                let g = take_input(p);
                if !g.is_null() {
                    concurrent::return_worker(p);
                    return Found::fresh(g, Why::Global { n: 1 });
                }
            }
            if prompt::is_paused() && !prompt::gate(m) {
                continue;
            }
            if control::is_watched() && control::is_on() {
                wake_finalizer(&mut *m);
                // What the program has made ready itself is so at the next decision.
                if netpoll::waiters() > 0 {
                    inject_list(m, netpoll::poll(0));
                }
                match control::next(p) {
                    control::Next::Run(g) => return Found::fresh(g, Why::Chosen),
                    control::Next::Again => continue,
                    control::Next::Nothing => {}
                }
            }
            if control::is_watched() && tape::is_on() {
                tape::poll(&mut *m);
                if tape::is_chaotic() {
                    stir(p);
                }
            }
            step(m, 3);
            let g = concurrent::worker_for(p);
            if !g.is_null() {
                // It may keep the P for long: another is to look at what waits here.
                if !fault!(WorkerWithoutWake) {
                    wake_p(&mut *m);
                }
                return found_worker(m, g);
            }
            step(m, 4);
            let tick = (*p).schedtick.load(Ordering::Relaxed);
            let every = if fault!(GlobalPollAt60) {
                60
            } else {
                GLOBAL_POLL
            };
            if tick.is_multiple_of(every)
                && SCHED.runqsize.load(Ordering::Relaxed) > 0
                && switches::on(Mech::GlobalPoll)
            {
                let _s = SCHED.lock.guard();
                let g = SCHED.globrunq_get(&*p, 1);
                if !g.is_null() {
                    return Found::fresh(g, Why::Global61);
                }
            }
            step(m, 5);
            wake_finalizer(&mut *m);
            step(m, 6);
            let passed = fault!(GlobalBeforeLocal) && SCHED.runqsize.load(Ordering::Relaxed) != 0;
            let (g, inherit) = if passed {
                (ptr::null_mut(), false)
            } else {
                runq_get(p)
            };
            if !g.is_null() {
                let how = if inherit {
                    How::inheriting(Why::Runnext)
                } else {
                    How::fresh(Why::Local)
                };
                return Found { g, how };
            }
            step(m, 7);
            if SCHED.runqsize.load(Ordering::Relaxed) != 0 {
                let _s = SCHED.lock.guard();
                if let Some(found) = global_batch(p) {
                    return found;
                }
            }
            step(m, 8);
            // One at a time: more would only wait for each other in the kernel.
            if netpoll::waiters() > 0
                && !tape::is_on()
                && (SCHED.lastpoll.load(Ordering::SeqCst) != 0 || fault!(PollBesidePoller))
                && !fault!(NoIdlePoll)
                && (!SCHED.pollingnet.swap(true, Ordering::SeqCst) || fault!(PollTogether))
            {
                let mut list = netpoll::poll(0);
                SCHED.pollingnet.store(false, Ordering::SeqCst);
                let g = list.pop();
                if !g.is_null() {
                    inject_list(m, list);
                    (*g).cas_status(Status::Waiting, Status::Runnable);
                    trace::go_injected(m, g);
                    return Found::fresh(g, Why::Netpoll);
                }
            }

            if control::is_virtual() && control::passes_time() {
                continue;
            }
            if control::is_virtual() {
                // Time does not pass by itself.
                poll_until = 0;
            }
            if tape::is_on() && tape::waits(&mut *m, poll_until) {
                continue;
            }

            step(m, 9);
            let spins = switches::on(Mech::Spinning);
            if !spins || (*m).spinning.load(Ordering::Relaxed) || may_spin(m) {
                if spins && !(*m).spinning.load(Ordering::Relaxed) {
                    become_spinning(m, SpinBy::Limit);
                }
                match steal_work(m, now) {
                    Stolen::Found(g, how) => return Found { g, how },
                    Stolen::NewWork => continue,
                    Stolen::Nothing(n, when) => {
                        now = n;
                        if when != 0 && (poll_until == 0 || when < poll_until) {
                            poll_until = when;
                        }
                    }
                }
            }

            step(m, 10);
            let g = concurrent::idle_worker();
            if !g.is_null() {
                return found_worker(m, g);
            }

            // There is no work: the M gives up its P. What may change once the P is gone is read
            // before.
            step(m, 11);
            let all = allp();
            step(m, 12);
            let was_spinning = match give_up_p(m) {
                GaveUp::Kept => continue,
                GaveUp::Found(found) => return found,
                GaveUp::Gone { was_spinning } => was_spinning,
            };

            if was_spinning {
                step(m, 13);
                match last_look(m, all) {
                    LastLook::Found(found) => return found,
                    LastLook::Again => continue,
                    LastLook::Nothing => {}
                }
                for &p in &all.ps {
                    if control::is_virtual() {
                        break;
                    }
                    if !switches::on(Mech::TimerSteal) && !all.is_idle((*p).id) {
                        continue;
                    }
                    let when = (*p).timers.next_when();
                    if when != 0 && (poll_until == 0 || when < poll_until) {
                        poll_until = when;
                    }
                }
            }

            if prompt::is_paused() {
                prompt::gives_up(m);
            }
            step(m, 14);
            if (netpoll::waiters() > 0 && control::hears_outside() || poll_until != 0)
                && !fault!(NoBlockingPoll)
                && SCHED.lastpoll.swap(0, Ordering::SeqCst) != 0
            {
                SCHED.poll_until.store(poll_until, Ordering::SeqCst);
                if now == 0 {
                    now = nanotime();
                }
                let delay = if poll_until == 0 {
                    -1
                } else {
                    (poll_until - now).max(0)
                };
                coro::supply(m);
                let mut list = netpoll::block(delay);
                SCHED.poll_until.store(0, Ordering::SeqCst);
                SCHED.lastpoll.store(nanotime(), Ordering::SeqCst);
                let p = {
                    let _s = SCHED.lock.guard();
                    SCHED.pidle_get()
                };
                if p.is_null() {
                    inject_list(m, list);
                } else {
                    acquire_p(m, p);
                    if prompt::is_paused() {
                        inject_list(m, list);
                        continue;
                    }
                    let g = list.pop();
                    if !g.is_null() {
                        inject_list(m, list);
                        (*g).cas_status(Status::Waiting, Status::Runnable);
                        trace::go_injected(m, g);
                        return Found::fresh(g, Why::Netpoll);
                    }
                    if was_spinning {
                        become_spinning(m, SpinBy::Poll);
                    }
                    continue;
                }
            } else if poll_until != 0 {
                step(m, 15);
                let until = SCHED.poll_until.load(Ordering::SeqCst);
                if until == 0 || until > poll_until || fault!(AlwaysPollBreak) {
                    netpoll::break_poll();
                }
            }
            step(m, 16);
            stop_m(m);
        }
    }
}

/// A worker of the collector, taken from where it waits.
///
/// # Safety
///
/// The caller has taken it.
#[cold]
unsafe fn found_worker(m: *mut M, g: *mut G) -> Found {
    // SAFETY: by the contract.
    unsafe {
        (*g).cas_status(Status::Waiting, Status::Runnable);
        trace::go_injected(m, g);
    }
    Found::fresh(g, Why::GcWorker)
}

/// Has those whose turn it is wait behind others, now and then.
///
/// # Safety
///
/// `p` is the caller's.
#[cold]
unsafe fn stir(p: *mut P) {
    // SAFETY: by the contract.
    unsafe {
        while tape::moves() {
            let (g, _) = runq_get(p);
            if g.is_null() {
                return;
            }
            let _s = SCHED.lock.guard();
            SCHED.globrunq_put(g);
        }
    }
}

/// The first of the global queue, if an input of a prompt was put there that is still to be taken.
///
/// # Safety
///
/// As [`global_batch`].
#[cold]
unsafe fn take_input(p: *mut P) -> *mut G {
    let n = SCHED.inputs.load(Ordering::Relaxed);
    if n == 0 {
        return ptr::null_mut();
    }
    SCHED.inputs.store(n - 1, Ordering::Relaxed);
    // SAFETY: by the contract.
    unsafe { SCHED.globrunq_get(&*p, 1) }
}

/// A batch from the global queue for `p`; the first of it, if there is any.
///
/// # Safety
///
/// The sched lock is held, and `p` is the caller's.
unsafe fn global_batch(p: *mut P) -> Option<Found> {
    // SAFETY: by the contract.
    unsafe {
        let before = SCHED.runqsize.load(Ordering::Relaxed);
        let g = SCHED.globrunq_get(&*p, 0);
        let n = before - SCHED.runqsize.load(Ordering::Relaxed);
        (!g.is_null()).then(|| Found::fresh(g, Why::Global { n: n as u32 }))
    }
}

/// What came of [`give_up_p`].
pub(crate) enum GaveUp {
    /// The M has its P: begin again.
    Kept,
    /// So has it, and a G.
    Found(Found),
    /// The P is on the idle list.
    Gone {
        /// The M was searching, and still counts as doing so.
        was_spinning: bool,
    },
}

/// Puts the P of `m` on the idle list, after a look, under the lock, at what may change once it
/// is gone.
///
/// # Safety
///
/// Context: g0 of `m`, which holds a P and has found nothing.
pub(crate) unsafe fn give_up_p(m: *mut M) -> GaveUp {
    // SAFETY: by the contract; sched::D1 under the lock.
    unsafe {
        let p = (*m).p;
        let _s = SCHED.lock.guard();
        if (SCHED.gcwaiting.load(Ordering::Relaxed)
            || (*p).run_safepoint_fn.load(Ordering::Relaxed) != 0)
            && !fault!(NoLockedRecheck)
        {
            return GaveUp::Kept;
        }
        if !fault!(NoLockedRecheck)
            && let Some(found) = global_batch(p)
        {
            return GaveUp::Found(found);
        }
        let was_spinning = (*m).spinning.load(Ordering::Relaxed);
        let wanted = || {
            !was_spinning
                && SCHED.needspinning.load(Ordering::Relaxed) == 1
                && !fault!(IgnoreNeedspinning)
                && switches::on(Mech::Spinning)
        };
        if wanted() {
            become_spinning(m, SpinBy::Needed);
            return GaveUp::Kept;
        }
        release_p(m);
        if !fault!(LoseIdleP) {
            SCHED.pidle_put(p);
        }
        if !fault!(NoFenceAfterIdle) {
            fence_seq_cst(); // with wake_p, which sets needspinning and then looks for idle Ps
        }
        if wanted() {
            let p = SCHED.pidle_get();
            acquire_p(m, p);
            become_spinning(m, SpinBy::Needed);
            return GaveUp::Kept;
        }
        GaveUp::Gone { was_spinning }
    }
}

/// What came of [`last_look`].
pub(crate) enum LastLook {
    /// A G; the M has a P and searches.
    Found(Found),
    /// There is work somewhere: the M has a P again and searches.
    Again,
    /// There is no work, or no idle P to run it with.
    Nothing,
}

/// Stops searching and looks once more: proc::R1, first say that we do not search any more.
///
/// # Safety
///
/// Context: g0 of `m`, which searches and has given up its P.
pub(crate) unsafe fn last_look(m: *mut M, all: &AllP) -> LastLook {
    // SAFETY: by the contract; sched::D1 under the lock.
    unsafe {
        (*m).spinning.store(false, Ordering::Relaxed);
        if !fault!(LeakStopped) {
            drop_spinner(m, false);
        }
        if !fault!(NoFenceInLook) {
            fence_seq_cst();
        }
        if fault!(NoLastLook) {
            return LastLook::Nothing;
        }
        if SCHED.runqsize.load(Ordering::Relaxed) != 0 {
            let _s = SCHED.lock.guard();
            if SCHED.runqsize.load(Ordering::Relaxed) != 0 {
                let p = SCHED.pidle_get_spinning();
                if !p.is_null() {
                    let found = global_batch(p);
                    acquire_p(m, p);
                    become_spinning(m, SpinBy::Recheck);
                    return found.map_or(LastLook::Again, LastLook::Found);
                }
            }
        }
        // While stealing is switched off, what other Ps have is no work for this M.
        let work = switches::on(Mech::Steal)
            && all
                .ps
                .iter()
                .any(|&p| !all.is_idle((*p).id) && !(*p).runq.is_empty());
        if work || concurrent::wants_idle() {
            let p = {
                let _s = SCHED.lock.guard();
                SCHED.pidle_get_spinning()
            };
            if !p.is_null() {
                acquire_p(m, p);
                become_spinning(m, SpinBy::Recheck);
                return LastLook::Again;
            }
        }
        LastLook::Nothing
    }
}
