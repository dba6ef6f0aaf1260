#![allow(unsafe_code)]
//! Network poller: mio readiness becomes ready Gs. Also the clock of idle Ms, which block in it
//! until the next timer is due.
//!
//! A descriptor is registered once, edge-triggered, for reading and writing. A native that reads or
//! writes first resets the side ([`PollDesc::prepare`]), tries, and waits only if the kernel says
//! that it would block: edges are not repeated.
//!
//! # Invariants
//!
//! - I1. mio polls through `&mut`, so the poller lies behind a lock that is only tried, except by
//!   the one M that blocks; that M holds nothing else.
//! - I2. `BREAK_PENDING` is cleared by the blocking poller only, once its wait is over; so a break
//!   is never consumed by a poll that does not block.
//! - I3. A side of a descriptor is nil, ready, wait, or the G that waits: `NIL → WAIT → G` by
//!   the waiter, anything to `READY` or `NIL` by the function that unblocks it and thereby owns the
//!   G's wake-up.
//! - I4. Descriptors are never freed; a reused one has another sequence number, which its token
//!   carries, so late events do no harm.
//!
//! A descriptor may be *told* ([`open_told`]): the kernel does not know it, and who makes it ready
//! says so ([`PollDesc::tell`]). G that wait on it are not counted: nothing outside wakes them.
//!
//! mio is called on g0 only, for it keeps to the thread's own stack.
//!
//! Go: runtime/netpoll.go, netpoll_epoll.go.

use std::io;
use std::os::fd::RawFd;
use std::time::Duration;

use crate::clock::nanotime;
use crate::control::{self, tape};
use crate::coro::{assert_thread_stack, on_g0};
use crate::g::{G, WaitReason};
use crate::lockrank::Rank;
use crate::m::{M, ParkArg};
use crate::note::Note;
use crate::p::GList;
use crate::proc;
use crate::sync::{
    AtomicBool, AtomicI32, AtomicI64, AtomicPtr, AtomicU32, AtomicUsize, Guarded, Lock, Ordering,
    fence_after_rmw, plain,
};
use crate::timer::{self, Timer};

#[cfg(not(any(loom, shuttle)))]
mod kernel;
#[cfg(any(loom, shuttle))]
pub(crate) mod modelled;

#[cfg(not(any(loom, shuttle)))]
use kernel::{Kernel, Ready, Waiter};
#[cfg(any(loom, shuttle))]
use modelled::{Kernel, Ready, Waiter};

struct Poller {
    kernel: Kernel,
    waiter: Guarded<Waiter>,
}

/// Null until it is needed. Set once.
static POLLER: AtomicPtr<Poller> = AtomicPtr::new(std::ptr::null_mut());
/// A break has been asked for and not yet seen. See I2.
static BREAK_PENDING: AtomicBool = AtomicBool::new(false);
/// Gs that wait for readiness. Written by their commits and by what unblocks them.
static WAITERS: AtomicI32 = AtomicI32::new(0);

fn try_poller() -> Option<&'static Poller> {
    // SAFETY: once set it is never freed. Acquire: pairs with the AcqRel in `poller`.
    unsafe { POLLER.load(Ordering::Acquire).as_ref() }
}

/// The poller; an error if there is none yet and it cannot be made, for want of descriptors.
fn poller() -> io::Result<&'static Poller> {
    if let Some(p) = try_poller() {
        return Ok(p);
    }
    let (kernel, waiter) = Kernel::open()?;
    let new = Box::into_raw(Box::new(Poller {
        kernel,
        waiter: Guarded::new(Rank::Poll, waiter),
    }));
    let null = std::ptr::null_mut();
    // SAFETY: the thread that comes second drops its own, which no other thread has seen.
    unsafe {
        match POLLER.compare_exchange(null, new, Ordering::SeqCst, Ordering::Acquire) {
            Ok(_) => {
                poke();
                Ok(&*new)
            }
            Err(first) => {
                drop(Box::from_raw(new));
                Ok(&*first)
            }
        }
    }
}

/// Makes the poller, if there is none yet. Go does it when the first file is opened, too: a program
/// that opens many has it before it has used up its descriptors.
///
/// Context: coroutine or g0.
pub fn init(m: &mut M) {
    if try_poller().is_none() && !tape::is_replayed() {
        // Without a poller nothing can be registered, and [`block`] sleeps on `NOTE`.
        let _ = on_g0(m, |_| poller().map(|_| ()));
    }
}

/// What the M sleeps on that would block in the poller, while there is none.
static NOTE: Note = Note::new();
/// An M sleeps there, or is about to. SeqCst: it sets this and then looks for what the others set
/// before they look here.
static ON_NOTE: plain::AtomicBool = plain::AtomicBool::new(false);

/// Ends a sleep on the note.
fn poke() {
    if ON_NOTE.load(Ordering::SeqCst) {
        NOTE.poke();
    }
}

/// Blocks for `delay` nanoseconds, for ever if negative, until broken, or until there is a poller.
/// Nothing is registered, so nothing becomes ready.
#[cold]
fn block_without_poller(delay: i64) {
    ON_NOTE.store(true, Ordering::SeqCst);
    if !BREAK_PENDING.load(Ordering::SeqCst) && POLLER.load(Ordering::SeqCst).is_null() {
        if delay < 0 {
            NOTE.sleep();
        } else {
            NOTE.tsleep(delay);
        }
    }
    ON_NOTE.store(false, Ordering::SeqCst);
    // A wake-up that comes late ends the next sleep too early, which does no harm.
    NOTE.clear();
    BREAK_PENDING.swap(false, Ordering::SeqCst);
}

/// Makes the poller, known to a model.
#[cfg(loom)]
pub(crate) fn touch() {
    modelled::reset();
    let _ = poller();
    BREAK_PENDING.load(Ordering::Relaxed);
    WAITERS.load(Ordering::Relaxed);
}

/// How many Gs wait in the poller.
#[inline]
pub fn waiters() -> i32 {
    WAITERS.load(Ordering::Relaxed)
}

/// Polls without blocking; the Gs that became ready, still waiting. Returns none while another M
/// polls.
pub fn poll(_now: i64) -> GList {
    assert_thread_stack();
    let mut list = GList::new();
    if let Some(p) = try_poller()
        && let Some(mut waiter) = p.waiter.try_lock()
    {
        if fault!(PollClearsBreak) {
            BREAK_PENDING.store(false, Ordering::SeqCst);
        }
        // A wait that fails has made no G ready.
        let _ = p.kernel.wait(&mut waiter, Some(Duration::ZERO), |r| {
            one_event(r, &mut list)
        });
    }
    list
}

/// Blocks for `delay` nanoseconds, for ever if negative, or until broken; the ready Gs.
///
/// Context: g0, no P, no lock; the caller has taken `lastpoll` and published `poll_until`.
pub(crate) fn block(delay: i64) -> GList {
    assert_thread_stack();
    let mut list = GList::new();
    let Ok(p) = poller() else {
        block_without_poller(delay);
        return list;
    };
    let mut waiter = p.waiter.lock();
    let mut timeout =
        (delay >= 0).then(|| Duration::from_nanos(delay.min(1_000_000_000_000_000) as u64));
    // I2: after `poll_until` is published. SeqCst: pairs with the swap in `break_poll`.
    if BREAK_PENDING.load(Ordering::SeqCst) && !fault!(BlockIgnoresBreak) {
        timeout = Some(Duration::ZERO);
    }
    // An interrupted wait is an empty one: the caller computes the delay anew.
    let _ = p
        .kernel
        .wait(&mut waiter, timeout, |r| one_event(r, &mut list));
    // A swap: what a breaker published before it asked is seen from here on.
    if fault!(BreakClearedByStore) {
        BREAK_PENDING.store(false, Ordering::Relaxed);
    } else {
        BREAK_PENDING.swap(false, Ordering::SeqCst);
    }
    list
}

/// Makes the blocking poller return, now or at its next wait.
///
/// Context: g0.
pub(crate) fn break_poll() {
    if crate::fault!(NoPollBreak) {
        return;
    }
    if !BREAK_PENDING.swap(true, Ordering::SeqCst) {
        poke();
        if let Some(p) = try_poller()
            && let Err(e) = p.kernel.wake()
        {
            crate::throw!("netpollBreak: {e}");
        }
    }
}

/// Whether a break has been asked for and not yet seen.
#[cfg(test)]
pub(crate) fn is_break_pending() -> bool {
    BREAK_PENDING.load(Ordering::SeqCst)
}

/// Adds the Gs that this event makes ready.
fn one_event(e: Ready, list: &mut GList) {
    let (index, seq) = (e.token & 0xffff_ffff, (e.token >> 32) as u32);
    let Some(pd) = TABLE.lock().all.get(index).copied() else {
        return;
    };
    if pd.seq.load(Ordering::Acquire) != seq && !crate::fault!(IgnoreSequence) {
        return; // I4
    }
    for (hit, mode) in [
        (e.read, Mode::Read),
        (e.write && !fault!(ForgetWriters), Mode::Write),
    ] {
        if hit {
            if tape::is_recorded() {
                tape::finds(index, mode);
            }
            let g = pd.unblock(mode, true);
            if !g.is_null() {
                // SAFETY: I3 — the wake-up is ours.
                unsafe { list.push(g) };
            }
        }
    }
}

/// A descriptor has become ready, as a tape says: adds the G that waited for that.
pub(crate) fn told(index: usize, mode: Mode, list: &mut GList) {
    let Some(pd) = TABLE.lock().all.get(index).copied() else {
        return;
    };
    let g = pd.unblock(mode, true);
    if !g.is_null() {
        // SAFETY: I3 — the wake-up is ours.
        unsafe { list.push(g) };
    }
}

/// A side of a descriptor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Reading.
    Read,
    /// Writing.
    Write,
}

/// Why a wait ended without readiness, or may not begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PollError {
    /// The descriptor is being closed.
    Closing,
    /// The deadline has passed.
    Timeout,
}

/// What [`PollDesc::wait_begin`] did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Waiting {
    /// Over at once.
    Done(Result<(), PollError>),
    /// Leave with `Outcome::Park`; when resumed, [`PollDesc::wait_end`].
    Blocked,
}

const NIL: usize = 0;
const READY: usize = 1;
const WAIT: usize = 2;

/// One side. I3.
struct Side {
    state: AtomicUsize,
    /// When waits time out: 0 never, negative already.
    deadline: AtomicI64,
    /// Fires at the deadline; null until first needed. Under the descriptor's lock.
    timer: AtomicUsize,
    /// The descriptor is told. Written when it is opened.
    is_told: plain::AtomicBool,
}

impl Side {
    const fn new() -> Side {
        Side {
            state: AtomicUsize::new(NIL),
            deadline: AtomicI64::new(0),
            timer: AtomicUsize::new(0),
            is_told: plain::AtomicBool::new(false),
        }
    }

    /// So many Gs more wait in the poller.
    fn count(&self, more: i32) {
        if !self.is_told.load(Ordering::Relaxed) {
            WAITERS.fetch_add(more, Ordering::Relaxed);
        }
    }
}

/// A descriptor known to the poller.
pub struct PollDesc {
    lock: Lock,
    index: usize,
    seq: AtomicU32,
    fd: AtomicI32,
    closing: AtomicBool,
    read: Side,
    write: Side,
}

impl std::fmt::Debug for PollDesc {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PollDesc({})", self.fd.load(Ordering::Relaxed))
    }
}

struct Table {
    all: Vec<&'static PollDesc>,
    free: Vec<&'static PollDesc>,
}

static TABLE: Guarded<Table> = Guarded::new(
    Rank::Leaf,
    Table {
        all: Vec::new(),
        free: Vec::new(),
    },
);

/// Registers `fd`, which must be non-blocking, with the poller. Fails with EPERM for what cannot
/// be polled, such as regular files.
///
/// Context: coroutine or g0.
pub fn open(m: &mut M, fd: RawFd) -> io::Result<&'static PollDesc> {
    if control::is_on() {
        control::registers(fd);
    }
    let (pd, seq) = fresh(fd, false);
    let token = pd.index | (seq as usize) << 32;
    let register = |m: &mut M| on_g0(m, |_| poller()?.kernel.register(fd, token));
    let r = match tape::is_on() {
        true => tape::registers(|| register(m)),
        false => register(m),
    };
    match r {
        Ok(()) => Ok(pd),
        Err(e) => {
            pd.release();
            Err(e)
        }
    }
}

/// As [`open`], for a descriptor whose readiness somebody tells.
pub fn open_told(fd: RawFd) -> &'static PollDesc {
    fresh(fd, true).0
}

/// A descriptor for `fd`, and its sequence number.
fn fresh(fd: RawFd, is_told: bool) -> (&'static PollDesc, u32) {
    let pd = {
        let mut t = TABLE.lock();
        match t.free.pop() {
            Some(pd) => pd,
            None => {
                let pd: &'static PollDesc = Box::leak(Box::new(PollDesc::new(t.all.len())));
                t.all.push(pd);
                pd
            }
        }
    };
    let seq = pd.seq.fetch_add(1, Ordering::AcqRel).wrapping_add(1);
    pd.fd.store(fd, Ordering::Relaxed);
    pd.closing.store(false, Ordering::Relaxed);
    for s in [&pd.read, &pd.write] {
        crate::trace::forget::<Side>(s);
        s.state.store(NIL, Ordering::Relaxed);
        s.deadline.store(0, Ordering::Relaxed);
        s.is_told.store(is_told, Ordering::Relaxed);
    }
    (pd, seq)
}

impl PollDesc {
    pub(crate) const fn new(index: usize) -> PollDesc {
        PollDesc {
            lock: Lock::new(Rank::PollDesc),
            index,
            seq: AtomicU32::new(0),
            fd: AtomicI32::new(-1),
            closing: AtomicBool::new(false),
            read: Side::new(),
            write: Side::new(),
        }
    }

    /// Makes it known to a model.
    #[cfg(loom)]
    pub(crate) fn touch(&self) {
        WAITERS.load(Ordering::Relaxed);
        self.closing.load(Ordering::Relaxed);
        for s in [&self.read, &self.write] {
            s.state.load(Ordering::Relaxed);
            s.deadline.load(Ordering::Relaxed);
            s.timer.load(Ordering::Relaxed);
        }
    }

    fn side(&self, mode: Mode) -> &Side {
        match mode {
            Mode::Read => &self.read,
            Mode::Write => &self.write,
        }
    }

    fn check(&self, mode: Mode) -> Result<(), PollError> {
        if self.closing.load(Ordering::Acquire) {
            return Err(PollError::Closing);
        }
        if self.side(mode).deadline.load(Ordering::Acquire) < 0 {
            return Err(PollError::Timeout);
        }
        Ok(())
    }

    /// Before a read or write is tried: forgets earlier readiness. Go: pollReset.
    pub fn prepare(&self, mode: Mode) -> Result<(), PollError> {
        self.check(mode)?;
        self.side(mode).state.store(NIL, Ordering::SeqCst);
        Ok(())
    }

    /// After it would have blocked: waits for readiness. Go: pollWait.
    ///
    /// Context: coroutine; no lock held. `g` is current.
    pub fn wait_begin(&'static self, m: &mut M, mode: Mode) -> Waiting {
        unsafe fn commit(g: *mut G, side: ParkArg) -> bool {
            // SAFETY: the address of a side of a descriptor, which is never freed.
            let s = unsafe { &*side.as_ptr::<Side>() };
            // Counted before [`unblock`] can count it down.
            s.count(1);
            let ok = if fault!(PollCommitByStore) {
                s.state.store(g as usize, Ordering::SeqCst);
                true
            } else {
                cas(s, WAIT, g as usize)
            };
            if !ok {
                s.count(-1);
            }
            ok
        }
        if let Err(e) = self.check(mode) {
            return Waiting::Done(Err(e));
        }
        let side = self.side(mode);
        loop {
            if cas(side, READY, NIL) {
                return Waiting::Done(Ok(()));
            }
            if cas(side, NIL, WAIT) {
                break;
            }
            let s = side.state.load(Ordering::SeqCst);
            if s != READY && s != NIL {
                crate::throw!("runtime: double wait");
            }
        }
        // Once more, now that `evict` and the deadlines see that we wait.
        fence_after_rmw();
        if self.check(mode).is_err() && !fault!(NoSecondPollCheck) {
            return Waiting::Done(self.wait_end(mode));
        }
        m.park(Some(commit), ParkArg::object(side), WaitReason::IoWait);
        Waiting::Blocked
    }

    /// What came of a wait that had blocked.
    pub fn wait_end(&self, mode: Mode) -> Result<(), PollError> {
        let old = self.side(mode).state.swap(NIL, Ordering::SeqCst);
        if old > WAIT {
            crate::throw!("runtime: corrupted polldesc");
        }
        self.check(mode)?;
        // Woken by a deadline that was moved since: try again, as after readiness.
        Ok(())
    }

    /// As `wait_begin` and `wait_end`, for natives that suspend. The M may change. For tests.
    pub fn wait<'a>(&'static self, m: &'a mut M, mode: Mode) -> (&'a mut M, Result<(), PollError>) {
        if crate::fault!(BlockInPoll) {
            return self.wait_in_kernel(m, mode);
        }
        match self.wait_begin(m, mode) {
            Waiting::Done(r) => (m, r),
            Waiting::Blocked => {
                let m = crate::coro::suspend(m, crate::Outcome::Park);
                (m, self.wait_end(mode))
            }
        }
    }

    /// The wait under a fault, which keeps the thread in the kernel.
    #[cold]
    fn wait_in_kernel<'a>(
        &'static self,
        m: &'a mut M,
        mode: Mode,
    ) -> (&'a mut M, Result<(), PollError>) {
        let events = match mode {
            Mode::Read => libc::POLLIN,
            Mode::Write => libc::POLLOUT,
        };
        let mut p = libc::pollfd {
            fd: self.fd.load(Ordering::Relaxed),
            events,
            revents: 0,
        };
        crate::syscall::enter_block(m, crate::syscall::KernelCall(libc::SYS_poll));
        // SAFETY: one structure, which outlives the call.
        unsafe { libc::poll(&raw mut p, 1, -1) };
        (crate::syscall::exit(m), self.check(mode))
    }

    /// Says that the side is ready, of a descriptor that is told.
    ///
    /// Context: as [`proc::ready`].
    pub fn tell(&'static self, m: &mut M, mode: Mode) {
        let g = self.unblock(mode, true);
        if !g.is_null() {
            // SAFETY: I3.
            unsafe { proc::ready(m, g) };
        }
    }

    /// Makes the side ready, or only ends a wait; the G that waited, which the caller must ready.
    pub(crate) fn unblock(&self, mode: Mode, ready: bool) -> *mut G {
        let side = self.side(mode);
        let new = if ready { READY } else { NIL };
        loop {
            let old = side.state.load(Ordering::SeqCst);
            if old == READY || (old == NIL && !ready) {
                return std::ptr::null_mut();
            }
            if cas(side, old, new) {
                if old <= WAIT {
                    return std::ptr::null_mut();
                }
                side.count(-1);
                return old as *mut G;
            }
        }
    }

    /// Sets when waits on this side time out: at the time `at` of the runtime's clock, never if 0,
    /// at once if negative or past.
    ///
    /// Context: coroutine or g0 with a P, no lock held.
    pub fn set_deadline(&'static self, m: &mut M, mode: Mode, at: i64) {
        let mut woken = std::ptr::null_mut();
        {
            let _l = self.lock.guard();
            if self.closing.load(Ordering::Relaxed) {
                return;
            }
            let side = self.side(mode);
            let past = at < 0 || (at > 0 && at <= nanotime());
            side.deadline
                .swap(if past { -1 } else { at }, Ordering::SeqCst);
            fence_after_rmw(); // as in `evict`
            let mut t = side.timer.load(Ordering::Relaxed) as *mut Timer;
            // SAFETY: timers of descriptors are never freed; they are set under the lock.
            unsafe {
                if !t.is_null() {
                    timer::stop(t);
                }
                if past {
                    woken = self.unblock(mode, false);
                } else if at > 0 {
                    if t.is_null() {
                        t = timer::runtime_timer(expired, arg(self, mode));
                        side.timer.store(t as usize, Ordering::Relaxed);
                    }
                    timer::set(m, t, at, 0);
                }
            }
        }
        if !woken.is_null() {
            // SAFETY: I3.
            unsafe { proc::ready(m, woken) };
        }
    }

    /// Ends all waits, now and later, with [`PollError::Closing`]. Go: pollUnblock.
    ///
    /// Context: coroutine or g0 with a P, no lock held.
    pub fn evict(&'static self, m: &mut M) {
        let mut woken = [std::ptr::null_mut(); 2];
        {
            let _l = self.lock.guard();
            self.closing.swap(true, Ordering::SeqCst);
            fence_after_rmw(); // with wait_begin, which takes the slot and then looks here
            for (w, mode) in woken.iter_mut().zip([Mode::Read, Mode::Write]) {
                let t = self.side(mode).timer.load(Ordering::Relaxed) as *mut Timer;
                if !t.is_null() {
                    // SAFETY: timers of descriptors are never freed.
                    unsafe { timer::stop(t) };
                }
                if !crate::fault!(CloseWithoutWaking) {
                    *w = self.unblock(mode, false);
                }
            }
        }
        for g in woken {
            if !g.is_null() {
                // SAFETY: I3.
                unsafe { proc::ready(m, g) };
            }
        }
    }

    /// Takes the descriptor from the poller, before `fd` is closed. No G may wait on it any more:
    /// see [`PollDesc::evict`]. Go: pollClose.
    ///
    /// Context: coroutine or g0.
    pub fn close(&'static self, m: &mut M) {
        if !self.closing.load(Ordering::Acquire) {
            crate::throw!("runtime: close polldesc w/o unblock");
        }
        if self.read.is_told.load(Ordering::Relaxed) {
            self.release();
            return;
        }
        if tape::is_replayed() {
            self.release();
            return;
        }
        let fd = self.fd.load(Ordering::Relaxed);
        // A descriptor closed behind our back is not registered any more: nothing to undo.
        let _ = on_g0(m, |_| poller()?.kernel.deregister(fd));
        self.release();
    }

    fn release(&'static self) {
        self.seq.fetch_add(1, Ordering::AcqRel);
        TABLE.lock().free.push(self);
    }
}

/// Wakes `g`, which waits here, as if what it waits for were ready; unless an event has come first,
/// whose poller wakes it.
///
/// Context: g0 with a P; no lock held. The world is stopped.
pub(crate) fn end_wait(m: &mut M, g: *mut G) {
    let found = {
        let table = TABLE.lock();
        let sides = table
            .all
            .iter()
            .flat_map(|pd| [(*pd, Mode::Read), (*pd, Mode::Write)]);
        let is_its = |(pd, mode): &(&PollDesc, Mode)| {
            pd.side(*mode).state.load(Ordering::SeqCst) == g as usize
        };
        sides.into_iter().find(is_its)
    };
    let woken = found.map_or(std::ptr::null_mut(), |(pd, mode)| pd.unblock(mode, false));
    if !woken.is_null() {
        // SAFETY: I3.
        unsafe { proc::ready(m, woken) };
    }
}

fn cas(side: &Side, from: usize, to: usize) -> bool {
    side.state
        .compare_exchange(from, to, Ordering::SeqCst, Ordering::SeqCst)
        .is_ok()
}

/// What a deadline's timer carries: the descriptor, and in bit 0 the side.
fn arg(pd: &'static PollDesc, mode: Mode) -> usize {
    std::ptr::from_ref(pd) as usize | usize::from(mode == Mode::Write)
}

/// A deadline has come, unless it was moved meanwhile.
unsafe fn expired(m: &mut M, arg: usize, _: usize, _: i64) {
    let mode = if arg & 1 == 0 {
        Mode::Read
    } else {
        Mode::Write
    };
    // SAFETY: made by `arg`; descriptors are never freed.
    let pd = unsafe { &*((arg & !1) as *const PollDesc) };
    let g = {
        let _l = pd.lock.guard();
        let at = pd.side(mode).deadline.load(Ordering::Relaxed);
        if at <= 0 || at > nanotime() || pd.closing.load(Ordering::Relaxed) {
            return;
        }
        if crate::fault!(IgnoreDeadline) {
            return;
        }
        pd.side(mode).deadline.swap(-1, Ordering::SeqCst);
        fence_after_rmw(); // as in `evict`
        pd.unblock(mode, false)
    };
    if !g.is_null() {
        // SAFETY: I3.
        unsafe { proc::ready(m, g) };
    }
}
