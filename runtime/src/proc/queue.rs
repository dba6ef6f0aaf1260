#![allow(unsafe_code)]
//! The run queues as the scheduler uses them: put, overflow to the global queue, get, inject.
//!
//! Go: runtime/proc.go, runqput, runqputslow, runqget, injectglist.

use std::ptr;

use super::handoff::start_m;
use super::park::note_runnable;
use super::wake::wake_p;
use crate::clock::nanotime;
use crate::coro::{assert_g0, on_g0};
use crate::g::{G, Status};
use crate::m::M;
use crate::p::{GList, P};
use crate::runq::RING;
use crate::sched::SCHED;
use crate::switches::Mech;
use crate::sync::Ordering;
use crate::trace::Place;
use crate::{knobs, prompt, switches, trace};

/// Queues a runnable G on the M's P: `runnext` here, the ring on g0 (runq::Q3).
///
/// # Safety
///
/// The caller owns `g`; `m` holds a P.
#[inline]
pub(crate) unsafe fn put(m: &mut M, g: *mut G, next: bool) {
    let p = m.p;
    let mut g = g;
    // SAFETY: p::P1 — the P is ours.
    unsafe {
        if prompt::is_paused() && prompt::passes(g) {
            return on_g0(m, |m| queue_first(m, g));
        }
        let mut next = next && switches::on(Mech::Runnext);
        if next && knobs::get(knobs::Knob::RandomizeScheduler) != 0 {
            next = (*p).rand.below(2) == 0;
        }
        if next {
            // Recorded before the G is in the queue: an M that takes it from there records that
            // later.
            trace::queued(m, g, Place::Runnext);
            g = (*p).runq.swap_next(g);
            if g.is_null() {
                return;
            }
        }
        on_g0(m, |m| runq_put_tail(m, m.p, g));
    }
}

/// Appends to the ring of `p`, or half of the ring and `g` to the global queue.
///
/// # Safety
///
/// Context: g0; the caller owns `g` and `p`.
pub(super) unsafe fn runq_put_tail(m: *mut M, p: *mut P, g: *mut G) {
    assert_g0(m);
    let limit = if switches::on(Mech::Overflow) {
        RING
    } else {
        usize::MAX
    };
    // SAFETY: by the contract.
    unsafe {
        if !(*p).runq.has_room(limit) {
            overflow(m, p, g);
            return;
        }
        trace::queued(m, g, Place::Ring);
        note_ring(p, g);
        if (*p).runq.push(g, usize::MAX).is_err() {
            crate::throw!("runqput: no room");
        }
    }
}

/// `g` is put into the ring of `p`.
///
/// # Safety
///
/// The caller owns both.
#[inline]
pub(crate) unsafe fn note_ring(p: *const P, g: *const G) {
    if prompt::is_attached() {
        // SAFETY: by the contract.
        unsafe {
            (*g).in_ring.0.store(nanotime(), Ordering::Relaxed);
            (*g).in_ring.1.store((*p).id, Ordering::Relaxed);
        }
    }
}

/// Moves the older half of a full ring, and `g` behind it, to the global queue.
#[cold]
unsafe fn overflow(m: *mut M, p: *mut P, g: *mut G) {
    let mut batch: Vec<*mut G> = Vec::with_capacity(RING / 2 + 1);
    // SAFETY: the caller owns the P, and popped Gs are ours.
    unsafe {
        while batch.len() < RING / 2 {
            let h = (*p).runq.pop();
            if h.is_null() {
                break;
            }
            batch.push(h);
        }
        batch.push(g);
        trace::overflow(m, batch[0], batch.len());
        shuffle(p, &mut batch);
        globrunq_put_batch(&batch);
    }
}

/// Puts these Gs into a random order, if the scheduler is to be random.
///
/// Context: as the owner of `p`.
unsafe fn shuffle(p: *mut P, gs: &mut [*mut G]) {
    if knobs::get(knobs::Knob::RandomizeScheduler) == 0 || fault!(NoShuffle) {
        return;
    }
    for i in 1..gs.len() {
        let among = if fault!(BiasedShuffle) {
            gs.len()
        } else {
            i + 1
        } as u32;
        // SAFETY: the caller owns the P.
        let j = unsafe { (*p).rand.below(among) } as usize;
        gs.swap(i, j);
    }
}

/// Appends Gs to the global queue under one hold of the lock.
///
/// # Safety
///
/// The caller owns the Gs and does not hold the lock.
unsafe fn globrunq_put_batch(gs: &[*mut G]) {
    let (Some(&head), Some(&tail)) = (gs.first(), gs.last()) else {
        return;
    };
    // SAFETY: the caller owns the Gs.
    unsafe {
        for w in gs.windows(2) {
            (*w[0]).schedlink = w[1];
        }
        (*tail).schedlink = ptr::null_mut();
        let _s = SCHED.lock.guard();
        SCHED.globrunq_put_list(head, tail, gs.len());
    }
}

/// Appends Gs to the ring of `p` while it has room, the others to the global queue.
///
/// # Safety
///
/// Context: g0; the caller owns `p` and the Gs.
///
/// Go: runtime/proc.go, runqputbatch.
pub(super) unsafe fn runq_put_batch(m: *mut M, p: *mut P, gs: &mut [*mut G]) {
    assert_g0(m);
    // SAFETY: by the contract.
    unsafe {
        // The Gs for the global queue keep their order; those that stay are shuffled.
        let fit = if switches::on(Mech::Overflow) {
            gs.len().min(RING.saturating_sub((*p).runq.ring_len()))
        } else {
            gs.len()
        };
        let (here, rest) = gs.split_at_mut(fit);
        shuffle(p, here);
        for &mut g in here {
            trace::queued(m, g, Place::Ring);
            note_ring(p, g);
            if (*p).runq.push(g, usize::MAX).is_err() {
                crate::throw!("runqputbatch: no room");
            }
        }
        globrunq_put_batch(rest);
    }
}

/// Takes the next G of the own queue; the flag says that it inherits the time slice.
#[inline]
pub(crate) unsafe fn runq_get(p: *mut P) -> (*mut G, bool) {
    // SAFETY: context — g0 of the owner.
    unsafe {
        if fault!(RingBeforeRunnext) {
            let g = (*p).runq.pop();
            if !g.is_null() {
                return (g, false);
            }
        }
        let next = (*p).runq.take_next();
        if !next.is_null() {
            return (next, true);
        }
        ((*p).runq.pop(), false)
    }
}

/// Puts a runnable G in front of the global queue, where the next M that schedules takes it, and
/// starts an M if a P is idle.
///
/// # Safety
///
/// The caller owns `g`; `m` is a descriptor that is no thread's, and the caller's.
pub(crate) unsafe fn queue_first(m: *mut M, g: *mut G) {
    // SAFETY: by the contract; sched::D1 under the lock.
    unsafe {
        let p = {
            let _s = SCHED.lock.guard();
            SCHED.globrunq_put_input(g);
            if SCHED.sysmonwait.load(Ordering::Relaxed) {
                SCHED.sysmonwait.store(false, Ordering::Relaxed);
                SCHED.sysmonnote.wakeup();
            }
            SCHED.pidle_get_spinning()
        };
        if !p.is_null() {
            start_m(m, p, false);
        }
    }
}

/// Makes a list of waiting Gs runnable and queues them where idle Ps will find them.
///
/// # Safety
///
/// Context: g0, with or without a P; the caller owns the Gs.
pub(crate) unsafe fn inject_list(m: *mut M, list: GList) {
    // SAFETY: by the contract.
    unsafe { inject(m, list, false) }
}

/// As [`inject_list`], behind all that waits in the global queue: for Gs that were made to wait so
/// that others could go on.
///
/// # Safety
///
/// As [`inject_list`].
pub(crate) unsafe fn inject_behind(m: *mut M, list: GList) {
    // SAFETY: by the contract.
    unsafe { inject(m, list, true) }
}

unsafe fn inject(m: *mut M, mut list: GList, behind: bool) {
    if list.n == 0 {
        return;
    }
    // SAFETY: by the contract.
    unsafe {
        let mut gs: Vec<*mut G> = Vec::with_capacity(list.n);
        loop {
            let g = list.pop();
            if g.is_null() {
                break;
            }
            (*g).cas_status(Status::Waiting, Status::Runnable);
            trace::go_injected(m, g);
            note_runnable(g);
            gs.push(g);
        }
        if fault!(ReverseInjected) {
            gs.reverse();
        }
        if prompt::is_paused() {
            let first = gs.extract_if(.., |g| prompt::passes(*g));
            first.for_each(|g| queue_first(m, g));
        }
        let p = (*m).p;
        let n = if fault!(InjectIgnoresIdle) {
            0
        } else if p.is_null() || behind {
            gs.len()
        } else {
            (SCHED.npidle.load(Ordering::SeqCst) as usize).min(gs.len())
        };
        trace::injected(m, n, gs.len() - n);
        if n > 0 {
            let _s = SCHED.lock.guard();
            for &g in &gs[..n] {
                SCHED.globrunq_put(g);
            }
        }
        for _ in 0..n {
            let idle = {
                let _s = SCHED.lock.guard();
                SCHED.pidle_get_spinning()
            };
            if idle.is_null() {
                break;
            }
            start_m(m, idle, false);
        }
        if n < gs.len() {
            runq_put_batch(m, p, &mut gs[n..]);
            wake_p(&mut *m);
        }
    }
}
