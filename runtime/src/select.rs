//! Select over several channels.
//!
//! Cases are tried in random order. Pass 0 takes the first that looks ready, under its channel's
//! lock alone: whichever of the ready cases it is, the choice is fair. Only to say that *none* is
//! ready takes one moment in which all are looked at: so pass 1 tries again with all channels
//! locked, in order of address. If there is none, pass 2 queues a sudog on every channel and parks;
//! the locks are released once the goroutine is marked waiting. Pass 3, after the wake-up, takes
//! the other sudogs out again.
//!
//! Go has no pass 0; it saves the locks of the other channels when a case is ready.
//!
//! # Invariants
//!
//! - L1. Locks are taken in order of address, each channel's once; sudogs are linked in that order.
//! - L2. Of all operations that want to wake the goroutine one wins `select_done`; it is 0 again
//!   when pass 3 has all locks.
//! - L3. While the commit function still has a lock to release, pass 3 cannot get past it: so the
//!   sudogs live until the last unlock, and are not touched after it.
//!
//! Go: runtime/select.go. Spec: Select statements.

#![allow(unsafe_code)]

use std::ptr;

use crate::chan::step::{self, Step};
use crate::chan::sudog::{self, Sudog};
use crate::chan::{self, Chan, ChanError, SlotRef};
use crate::control::operation::Act;
use crate::g::{G, WaitReason};
use crate::m::{M, ParkArg};
use crate::switches::{self, Mech};
use crate::sync::Ordering;
use crate::{bubble, control, timer};

/// Cases up to which the orders are kept on the native stack.
const FEW: usize = 16;

/// One communication of a select.
#[derive(Clone, Copy, Debug)]
pub struct SelectCase {
    /// The channel, or null, which is never ready.
    pub chan: *mut Chan,
    /// What to send, or where to receive it.
    pub elem: SlotRef,
    /// Sends, rather than receives.
    pub is_send: bool,
}

/// What became of a select.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use]
pub enum SelectOp {
    /// The case of that index was done; for a receive, whether a value came.
    Ready(usize, bool),
    /// None was ready, and the select has a default.
    Default,
    /// The goroutine is queued: leave with `Outcome::Park`, later call [`finish`].
    Blocked,
    /// A run-time panic.
    Panic(ChanError),
}

/// Does one of the cases, or queues the goroutine on all of them. `may_block` is false if the
/// select has a default.
///
/// Context: coroutine; with a P; no lock held. After `Blocked` the goroutine must park, and then
/// call [`finish`].
///
/// # Safety
///
/// `g` runs on `m`. Each case is as [`chan::send`] and [`chan::recv`] want it; `cases` itself is
/// not needed after the call. There are at most 65,536: their orders are kept in 16 bits.
///
/// Spec: Select statements. Go: runtime/select.go, selectgo.
pub unsafe fn select(m: &mut M, g: &mut G, cases: &[SelectCase], may_block: bool) -> SelectOp {
    if cases.is_empty() {
        if !may_block {
            return SelectOp::Default;
        }
        g.param = ptr::null_mut();
        m.park(None, ParkArg::NONE, WaitReason::SelectNoCases);
        return SelectOp::Blocked;
    }
    if cases.len() <= FEW {
        let (mut poll, mut lock) = ([0u16; FEW], [0u16; FEW]);
        // SAFETY: the caller's.
        unsafe { select_in(m, g, cases, may_block, &mut poll, &mut lock) }
    } else {
        let (mut poll, mut lock) = (vec![0u16; cases.len()], vec![0u16; cases.len()]);
        // SAFETY: the caller's.
        unsafe { select_in(m, g, cases, may_block, &mut poll, &mut lock) }
    }
}

/// # Safety
///
/// As [`select`]; the orders have room for all cases.
#[inline]
unsafe fn select_in(
    m: &mut M,
    g: &mut G,
    cases: &[SelectCase],
    may_block: bool,
    poll: &mut [u16],
    lock: &mut [u16],
) -> SelectOp {
    // SAFETY: the caller's; channel operations are done between `lock_all` and `unlock_all`.
    unsafe {
        let (n, is_bubbled) = poll_order(m, cases, poll);
        let (poll, lock) = (&poll[..n], &mut lock[..n]);
        let mut reason = WaitReason::Select;
        if is_bubbled || n == 0 {
            match is_durable(g, cases) {
                Err(e) => return SelectOp::Panic(e),
                Ok(true) => reason = WaitReason::SynctestSelect,
                Ok(false) => {}
            }
        }

        // Pass 0.
        for &i in poll {
            let case = &cases[usize::from(i)];
            if step::looks_ready(case.chan, case.is_send) {
                (*case.chan).lock.lock();
                let step = try_case(g, case);
                (*case.chan).lock.unlock();
                if !matches!(step, Step::Wait) {
                    return finish_case(m, i, case, step);
                }
            }
        }

        lock_order(cases, poll, lock);
        lock_all(cases, lock);
        for &i in poll {
            let case = &cases[usize::from(i)];
            let step = try_case(g, case);
            if !matches!(step, Step::Wait) {
                unlock_all(cases, lock);
                return finish_case(m, i, case, step);
            }
        }
        if !may_block {
            unlock_all(cases, lock);
            return SelectOp::Default;
        }

        if !g.waiting.is_null() {
            crate::throw!("gp.waiting != nil");
        }
        let mut tail: *mut Sudog = ptr::null_mut();
        let mut tell = false;
        for &i in lock.iter() {
            let SelectCase {
                chan: c,
                elem,
                is_send,
            } = cases[usize::from(i)];
            let s = sudog::acquire(m, g);
            (*s).chan = c;
            (*s).elem = elem;
            (*s).case = u32::from(i);
            (*s).is_select = true;
            (*s).is_send = is_send;
            if tail.is_null() {
                g.waiting = s;
            } else {
                (*tail).waitlink = s;
            }
            tail = s;
            chan::queue_of(c, is_send).enqueue(s);
            if !(*c).timer.is_null() {
                tell |= timer::block_chan(m, (*c).timer);
            }
        }
        g.param = ptr::null_mut();
        let tell = ParkArg::number(usize::from(tell));
        m.park(Some(commit_select), tell, reason);
    }
    SelectOp::Blocked
}

/// Does the case if it can be done at once.
///
/// # Safety
///
/// The lock of the case's channel is held; else as [`select`].
#[inline]
unsafe fn try_case(g: &G, case: &SelectCase) -> Step {
    // SAFETY: the caller's.
    unsafe {
        if case.is_send {
            step::send(g, case.chan, case.elem)
        } else {
            step::recv(g, case.chan, case.elem)
        }
    }
}

/// Wakes the partner of case `i`, which was done; the result of the select.
///
/// # Safety
///
/// No lock is held; `step` is what [`try_case`] came to, and not `Wait`.
#[inline]
unsafe fn finish_case(m: &mut M, i: u16, case: &SelectCase, step: Step) -> SelectOp {
    let i = usize::from(i);
    match step {
        Step::Closed if case.is_send => SelectOp::Panic(ChanError::SendOnClosed),
        Step::Closed | Step::Wait => SelectOp::Ready(i, false),
        Step::Done => SelectOp::Ready(i, true),
        Step::Wake(s) => {
            // SAFETY: the case claimed it.
            unsafe { chan::wake(m, s, true) };
            SelectOp::Ready(i, true)
        }
    }
}

/// Whether the select waits on channels of the goroutine's bubble only.
///
/// # Safety
///
/// As [`select`].
#[cold]
unsafe fn is_durable(g: &G, cases: &[SelectCase]) -> Result<bool, ChanError> {
    let mut all = !g.bubble.is_null();
    for case in cases.iter().filter(|case| !case.chan.is_null()) {
        // SAFETY: the caller's.
        let owner = unsafe { (*case.chan).bubble };
        match owner {
            0 => all = false,
            // SAFETY: the goroutine runs.
            owner if unsafe { bubble::is_outside(g, owner) } => {
                // Of one case, with a default, Go makes an operation on the channel.
                return Err(match cases {
                    [one] if one.is_send => ChanError::SendOutside,
                    [_] => ChanError::ReceiveOutside,
                    _ => ChanError::SelectOutside,
                });
            }
            _ => {}
        }
    }
    Ok(all)
}

/// Fills `order` with the cases that have a channel, in the order in which they shall be tried.
/// Returns how many there are, and whether one belongs to a bubble.
///
/// # Safety
///
/// Channels are channels or null.
#[inline]
unsafe fn poll_order(m: &mut M, cases: &[SelectCase], order: &mut [u16]) -> (usize, bool) {
    let random = switches::on(Mech::SelectRandom);
    let mut n = 0;
    let mut bubbles = 0;
    for (i, case) in cases.iter().enumerate() {
        if case.chan.is_null() {
            continue;
        }
        // SAFETY: the caller's.
        unsafe {
            bubbles |= (*case.chan).bubble;
            if !(*case.chan).timer.is_null() {
                timer::maybe_run_chan(m, (*case.chan).timer);
            }
        }
        let at = if random && fault!(BiasedSelect) {
            n - m.p().rand.below(n.min(1) as u32 + 1) as usize
        } else if random {
            m.p().rand.below(n as u32 + 1) as usize
        } else {
            n
        };
        order[n] = order[at];
        order[at] = i as u16;
        n += 1;
    }
    if control::is_on() {
        // SAFETY: the caller's.
        unsafe { choose(cases, &mut order[..n]) };
    }
    (n, bubbles != 0)
}

/// Puts the ready case in front that the source of decisions chooses.
///
/// # Safety
///
/// As [`poll_order`].
#[cold]
unsafe fn choose(cases: &[SelectCase], order: &mut [u16]) {
    let is_ready = |i: u16| {
        let case = &cases[usize::from(i)];
        // SAFETY: the caller's.
        unsafe { step::looks_ready(case.chan, case.is_send) }
    };
    order.sort_unstable();
    let ready: Vec<usize> = (0..order.len()).filter(|&at| is_ready(order[at])).collect();
    if !ready.is_empty() {
        order.swap(0, ready[control::case(Act::Select, ready.len())]);
    }
}

/// Fills `lock` with the cases in `poll`, by address of channel (L1).
#[inline]
fn lock_order(cases: &[SelectCase], poll: &[u16], lock: &mut [u16]) {
    let key = |i: u16| cases[usize::from(i)].chan as usize;
    lock.copy_from_slice(poll);
    if fault!(LockInCaseOrder) {
        lock.sort_unstable();
        return;
    }
    if lock.len() > FEW {
        lock.sort_unstable_by_key(|&i| key(i));
        return;
    }
    for i in 1..lock.len() {
        let x = lock[i];
        let mut j = i;
        while j > 0 && key(lock[j - 1]) > key(x) {
            lock[j] = lock[j - 1];
            j -= 1;
        }
        lock[j] = x;
    }
}

/// # Safety
///
/// `order` names cases with a channel, by address; none is locked by us.
#[inline]
unsafe fn lock_all(cases: &[SelectCase], order: &[u16]) {
    let mut last: *mut Chan = ptr::null_mut();
    for &i in order {
        let c = cases[usize::from(i)].chan;
        if c != last {
            debug_assert!(last < c, "channels are locked in order of address"); // L1
            // SAFETY: the caller's.
            unsafe { (*c).lock.lock() };
            last = c;
        }
    }
}

/// # Safety
///
/// As [`lock_all`], all are locked by us.
#[inline]
unsafe fn unlock_all(cases: &[SelectCase], order: &[u16]) {
    let mut last: *mut Chan = ptr::null_mut();
    for &i in order.iter().rev() {
        let c = cases[usize::from(i)].chan;
        if c != last {
            // SAFETY: the caller's.
            unsafe { (*c).lock.unlock() };
            last = c;
        }
    }
}

/// Commits the park of a select: releases all its locks, and tells the poller of a new first timer
/// if `tell` is not 0.
///
/// # Safety
///
/// `g` was prepared by [`select`], which left the locks held.
unsafe fn commit_select(g: *mut G, tell: ParkArg) -> bool {
    // SAFETY: L3: everything is read before the unlock that may let pass 3 through.
    unsafe {
        let mut s = (*g).waiting;
        if s.is_null() {
            // All channels are nil: it waits for ever, and holds no lock.
            return true;
        }
        let mut last = (*s).chan;
        s = (*s).waitlink;
        while !s.is_null() {
            let c = (*s).chan;
            s = (*s).waitlink;
            if c != last {
                (*last).lock.unlock();
                last = c;
            }
        }
        (*last).lock.unlock();
    }
    if tell.as_number() != 0 {
        timer::tell_poller();
    }
    true
}

/// Takes `g` out of the queues of all channels that it waits on.
///
/// Context: g0 with a P; no lock held.
///
/// # Safety
///
/// `g` waits on channels, and no operation has claimed it; the world is stopped.
pub(crate) unsafe fn undo_wait(m: &mut M, g: &mut G) {
    let is_select = g.wait_reason().is_select();
    let is_send = matches!(
        g.wait_reason(),
        WaitReason::ChanSend | WaitReason::SynctestChanSend
    );
    let mut s = std::mem::replace(&mut g.waiting, ptr::null_mut());
    while !s.is_null() {
        // SAFETY: the sudogs are ours once they are dequeued, each under its channel's lock.
        unsafe {
            let c = (*s).chan;
            (*c).lock.lock();
            let senders = if is_select { (*s).is_send } else { is_send };
            chan::queue_of(c, senders).remove(s);
            if !(*c).timer.is_null() {
                timer::unblock_chan((*c).timer);
            }
            (*c).lock.unlock();
            let next = std::mem::replace(&mut (*s).waitlink, ptr::null_mut());
            sudog::release(m, s);
            s = next;
        }
    }
}

/// Ends a select that was [`SelectOp::Blocked`], when its goroutine runs again: `Ready` or `Panic`.
///
/// Context: coroutine; with a P; no lock held.
///
/// # Safety
///
/// `g` runs on `m`, and has parked after `Blocked`.
///
/// Go: runtime/select.go, selectgo, pass 3.
pub unsafe fn finish(m: &mut M, g: &mut G) -> SelectOp {
    let first = g.waiting;
    let won = g.param;
    if first.is_null() || won.is_null() {
        crate::throw!("selectgo: bad wakeup");
    }
    let mut result = None;
    // SAFETY: the sudogs are ours alone once all their channels are locked and they are dequeued.
    unsafe {
        let mut last: *mut Chan = ptr::null_mut();
        let mut s = first;
        while !s.is_null() {
            if (*s).chan != last {
                last = (*s).chan;
                (*last).lock.lock();
            }
            s = (*s).waitlink;
        }
        // Relaxed: an operation that wants to win it must first take one of the locks (L2).
        g.select_done.store(0, Ordering::Relaxed);
        g.waiting = ptr::null_mut();
        g.param = ptr::null_mut();
        s = first;
        while !s.is_null() {
            let c = (*s).chan;
            if !(*c).timer.is_null() {
                timer::unblock_chan((*c).timer);
            }
            if s == won {
                let (i, success) = ((*s).case as usize, (*s).success);
                result = Some(if (*s).is_send && !success {
                    SelectOp::Panic(ChanError::SendOnClosed)
                } else {
                    SelectOp::Ready(i, success)
                });
            } else {
                chan::queue_of(c, (*s).is_send).remove(s);
            }
            s = (*s).waitlink;
        }
        last = ptr::null_mut();
        s = first;
        while !s.is_null() {
            if (*s).chan != last {
                last = (*s).chan;
                (*last).lock.unlock();
            }
            s = (*s).waitlink;
        }
        s = first;
        while !s.is_null() {
            let next = (*s).waitlink;
            (*s).waitlink = ptr::null_mut();
            sudog::release(m, s);
            s = next;
        }
    }
    match result {
        Some(op) => op,
        None => crate::throw!("selectgo: bad wakeup"),
    }
}
