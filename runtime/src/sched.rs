#![allow(unsafe_code)]
//! The state shared by all Ms: the global queue, idle Ms and Ps, the list of all Gs, counts.
//!
//! # Invariants
//!
//! - D1. What is in [`Locked`] is touched with the sched lock held, or with the world stopped by
//!   the M that stopped it and no other thread able to look.
//! - D2. A P's bit in `idle` and its place on the idle list change together, under the lock.
//! - D3. [`AllP`] is replaced with the world stopped only, and never freed: a reader may go on
//!   with an old one. There is one for each number of Ps there ever was, which is used again.
//!
//! Go: runtime/runtime2.go, schedt; runtime/proc.go, allgadd, pidleput, globrunq*.

use std::cell::UnsafeCell;
use std::ptr;

use crate::g::{G, Goid};
use crate::lockrank::Rank;
use crate::m::M;
use crate::note::Note;
use crate::p::{GList, P};
use crate::proc::note_ring;
use crate::runq::RING;
use crate::switches::{self, Mech};
use crate::sync::{
    AtomicBool, AtomicI32, AtomicI64, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Guarded, Lock,
    Ordering,
};
use crate::trace::{self, Place};

/// Default limit of live Ms.
const MAX_M: i64 = 10_000;

/// The scheduler object.
pub struct Sched {
    /// Protects `Locked`.
    pub lock: Lock,
    locked: UnsafeCell<Locked>,

    /// Length of the global queue. Written under the lock.
    pub runqsize: AtomicUsize,
    /// Inputs of a prompt that no M has taken yet: they stand first in the global queue. Written
    /// under the lock.
    pub(crate) inputs: AtomicUsize,
    /// Number of idle Ps. Written under the lock.
    pub(crate) npidle: AtomicI32,
    /// Ms that search for work. Written by them and by the Ms that start them.
    pub nmspinning: AtomicI32,
    /// `wake_p` wanted a searcher and found no idle P.
    pub(crate) needspinning: AtomicU32,
    /// The world is being stopped. Written under the lock.
    pub(crate) gcwaiting: AtomicBool,
    /// sysmon sleeps deeply. Written under the lock.
    pub(crate) sysmonwait: AtomicBool,
    /// Ends sysmon's deep sleep.
    pub(crate) sysmonnote: Note,
    /// Freezes sysmon.
    pub(crate) sysmonlock: Lock,
    /// Time of the last poll, 0 while an M blocks in the poller.
    pub(crate) lastpoll: AtomicI64,
    /// An M that holds a P asks the poller, without waiting.
    pub(crate) pollingnet: AtomicBool,
    /// Deadline of that poll, 0 is never.
    pub(crate) poll_until: AtomicI64,
    /// Next batch of goroutine ids.
    pub(crate) goidgen: AtomicU64,
    /// Goroutines of the runtime.
    pub(crate) ngsys: AtomicI32,
    /// Goroutines ever started, by the Ps that are gone.
    pub(crate) gomaxprocs: AtomicI32,
    /// Goroutines of the user are not scheduled. Written under the lock.
    pub(crate) user_disabled: AtomicBool,
    /// How many goroutines are held. Written with the world stopped, and by those that end.
    pub(crate) holds: AtomicU32,
    /// runtime.main has begun.
    pub(crate) main_started: AtomicBool,
    /// A fatal error has frozen the world.
    pub(crate) freezing: AtomicBool,
    /// The failing M prints; deadlocks do not matter any more.
    pub(crate) panicking: AtomicU32,
    /// The stopper sleeps on it.
    pub(crate) stopnote: Note,
    /// The forEachP caller sleeps on it.
    pub(crate) safepoint_note: Note,
    /// All Ms, newest first, linked by `alllink`. Written under the lock.
    pub allm: AtomicPtr<M>,
    /// All Ps.
    allp: AtomicPtr<AllP>,
    /// All Gs ever made.
    pub allgs: Guarded<Vec<Gref>>,
    /// Dead Gs of no P.
    pub(crate) gfree: Guarded<GList>,
    /// Number of dead Gs in `gfree`. Written under its lock.
    pub ngfree: AtomicI32,
}

// SAFETY: D1 for the pointers; the rest is atomics and locks.
unsafe impl Sync for Sched {}

/// A G in a list shared by threads.
#[derive(Clone, Copy, Debug)]
pub struct Gref(pub *mut G);

// SAFETY: descriptors are never freed, and g::G2 says what others may touch.
unsafe impl Send for Gref {}

// SAFETY: lists of Gs owned by the list.
unsafe impl Send for GList {}

/// What the sched lock protects.
#[derive(Debug)]
pub struct Locked {
    /// Idle Ms, last in first out.
    pub(crate) midle: *mut M,
    /// How many.
    pub nmidle: i64,
    /// Ms that wait for their locked G.
    pub(crate) nmidlelocked: i64,
    /// Ms ever made; the next number.
    pub(crate) mnext: i64,
    /// Limit of live Ms.
    pub(crate) maxmcount: i64,
    /// The limit was passed, and that has been said.
    pub(crate) is_exhausted: bool,
    /// Ms outside the deadlock count.
    pub(crate) nmsys: i64,
    /// Ms that have ended.
    pub(crate) nmfreed: i64,
    /// Idle Ps, last in first out.
    pub(crate) pidle: *mut P,
    runq_head: *mut G,
    runq_tail: *mut G,
    /// Goroutines of the user that were to run while those were disabled, oldest first.
    disabled: std::collections::VecDeque<Gref>,
    /// Ps the stopper still waits for.
    pub(crate) stopwait: i32,
    /// Ps the forEachP caller still waits for.
    pub(crate) safepoint_wait: i32,
    /// Its function.
    pub(crate) safepoint_fn: Option<fn(&mut P)>,
}

impl Locked {
    /// As it is before anything has begun.
    pub(crate) const fn new() -> Locked {
        Locked {
            midle: ptr::null_mut(),
            nmidle: 0,
            nmidlelocked: 0,
            mnext: 0,
            maxmcount: MAX_M,
            is_exhausted: false,
            nmsys: 0,
            nmfreed: 0,
            pidle: ptr::null_mut(),
            runq_head: ptr::null_mut(),
            runq_tail: ptr::null_mut(),
            disabled: std::collections::VecDeque::new(),
            stopwait: 0,
            safepoint_wait: 0,
            safepoint_fn: None,
        }
    }
}

/// The one scheduler.
pub static SCHED: Sched = Sched {
    lock: Lock::new(Rank::Sched),
    locked: UnsafeCell::new(Locked::new()),
    runqsize: AtomicUsize::new(0),
    inputs: AtomicUsize::new(0),
    npidle: AtomicI32::new(0),
    nmspinning: AtomicI32::new(0),
    needspinning: AtomicU32::new(0),
    gcwaiting: AtomicBool::new(false),
    sysmonwait: AtomicBool::new(false),
    sysmonnote: Note::new(),
    sysmonlock: Lock::new(Rank::Sysmon),
    lastpoll: AtomicI64::new(0),
    pollingnet: AtomicBool::new(false),
    poll_until: AtomicI64::new(0),
    goidgen: AtomicU64::new(0),
    ngsys: AtomicI32::new(0),
    gomaxprocs: AtomicI32::new(0),
    user_disabled: AtomicBool::new(false),
    holds: AtomicU32::new(0),
    main_started: AtomicBool::new(false),
    freezing: AtomicBool::new(false),
    panicking: AtomicU32::new(0),
    stopnote: Note::new(),
    safepoint_note: Note::new(),
    allm: AtomicPtr::new(ptr::null_mut()),
    allp: AtomicPtr::new(ptr::null_mut()),
    allgs: Guarded::new(Rank::Allg, Vec::new()),
    gfree: Guarded::new(Rank::GFree, GList::new()),
    ngfree: AtomicI32::new(0),
};

/// All Ps, and tables that change with their number.
#[derive(Debug)]
pub struct AllP {
    /// The Ps, by id.
    pub ps: Vec<*mut P>,
    /// One bit per P: idle. A hint.
    idle: Vec<AtomicU32>,
    /// All numbers from 1 to n that share no factor with n.
    pub(crate) coprimes: Vec<u32>,
}

impl AllP {
    /// The tables for these Ps.
    pub(crate) fn new(ps: Vec<*mut P>) -> AllP {
        let n = ps.len() as u32;
        AllP {
            idle: (0..n.div_ceil(32)).map(|_| AtomicU32::new(0)).collect(),
            coprimes: (1..=n)
                .filter(|&c| gcd(c, n) == 1 || fault!(AnyStride))
                .collect(),
            ps,
        }
    }

    /// Whether P `id` is idle, as far as known.
    #[inline]
    pub(crate) fn is_idle(&self, id: usize) -> bool {
        self.idle[id / 32].load(Ordering::Relaxed) & 1 << (id % 32) != 0
    }

    fn set_idle(&self, id: usize, idle: bool) {
        let (w, bit) = (&self.idle[id / 32], 1 << (id % 32));
        if idle {
            w.fetch_or(bit, Ordering::SeqCst);
        } else {
            w.fetch_and(!bit, Ordering::SeqCst);
        }
    }

    /// The order of one stealing round: all Ps once, from a random start by a random stride.
    pub(crate) fn order(&self, r: u32) -> impl Iterator<Item = *mut P> + '_ {
        let n = self.ps.len() as u32;
        let stride = self.coprimes[(r / n) as usize % self.coprimes.len()];
        let start = if fault!(FixedStart) { 0 } else { r % n };
        (0..n).scan(start, move |at, _| {
            let i = *at;
            *at = (i + stride) % n;
            Some(self.ps[i as usize])
        })
    }
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// All Ps.
#[inline]
pub fn allp() -> &'static AllP {
    // SAFETY: D3 — set before it is read, never freed.
    unsafe { &*SCHED.allp.load(Ordering::Acquire) }
}

/// All Ps, or `None` before the runtime has started.
pub(crate) fn try_allp() -> Option<&'static AllP> {
    // SAFETY: D3.
    unsafe { SCHED.allp.load(Ordering::Acquire).as_ref() }
}

/// Every P there ever was, by id, and for each number of Ps the list of the first so many, once
/// there was one.
struct Procs {
    made: Vec<*mut P>,
    lists: Vec<*mut AllP>,
}

// SAFETY: Ps and lists of them are never freed, and may be looked at by any thread.
unsafe impl Send for Procs {}

static PROCS: Guarded<Procs> = Guarded::new(
    Rank::Allp,
    Procs {
        made: Vec::new(),
        lists: Vec::new(),
    },
);

/// The first `n` Ps become all of them; missing ones are made. The world is stopped.
pub(crate) fn set_procs(n: usize) -> &'static AllP {
    let mut procs = PROCS.lock();
    while procs.made.len() < n {
        let p = P::new(procs.made.len());
        procs.made.push(Box::into_raw(Box::new(p)));
    }
    if procs.lists.len() <= n {
        procs.lists.resize(n + 1, ptr::null_mut());
    }
    if procs.lists[n].is_null() {
        let all = AllP::new(procs.made[..n].to_vec());
        procs.lists[n] = Box::into_raw(Box::new(all));
    }
    // SAFETY: D3.
    let all = unsafe { &*procs.lists[n] };
    for word in &all.idle {
        word.store(0, Ordering::Relaxed);
    }
    SCHED.allp.store(procs.lists[n], Ordering::Release);
    all
}

/// Replaces the list of Ps by one that tests have made.
#[cfg(all(test, any(loom, shuttle)))]
pub(crate) fn set_allp(all: AllP) {
    SCHED
        .allp
        .store(Box::leak(Box::new(all)), Ordering::Release);
}

/// GOMAXPROCS.
#[inline]
pub fn gomaxprocs() -> i32 {
    SCHED.gomaxprocs.load(Ordering::Relaxed)
}

impl Sched {
    /// What the lock protects.
    ///
    /// # Safety
    ///
    /// D1. The caller holds the lock, and no other reference from here is alive.
    #[inline]
    #[allow(clippy::mut_from_ref)]
    pub unsafe fn locked(&self) -> &mut Locked {
        // SAFETY: by the contract.
        unsafe { &mut *self.locked.get() }
    }

    /// Appends `g` to the global queue. The lock is held.
    ///
    /// # Safety
    ///
    /// The caller owns the runnable `g` and holds the lock.
    pub(crate) unsafe fn globrunq_put(&self, g: *mut G) {
        // SAFETY: by the contract.
        unsafe {
            (*g).schedlink = ptr::null_mut();
            self.globrunq_put_list(g, g, 1);
        }
    }

    /// Appends a linked list of `n` Gs from `head` to `tail`. The lock is held.
    ///
    /// # Safety
    ///
    /// As for `globrunq_put`, for all of them.
    pub(crate) unsafe fn globrunq_put_list(&self, head: *mut G, tail: *mut G, n: usize) {
        // SAFETY: by the contract.
        let l = unsafe { self.locked() };
        trace::queued_list(head, n, Place::Global);
        if l.runq_head.is_null() {
            l.runq_head = head;
        } else {
            // SAFETY: queued Gs belong to the queue, that is to us.
            unsafe { (*l.runq_tail).schedlink = head };
        }
        l.runq_tail = tail;
        self.runqsize
            .store(self.runqsize.load(Ordering::Relaxed) + n, Ordering::Relaxed);
    }

    /// Puts a linked list in front of the global queue. The lock is held.
    ///
    /// # Safety
    ///
    /// As for `globrunq_put_list`.
    pub(crate) unsafe fn globrunq_prepend_list(&self, head: *mut G, tail: *mut G, n: usize) {
        // SAFETY: by the contract.
        let l = unsafe { self.locked() };
        trace::queued_list(head, n, Place::Front);
        // SAFETY: the caller owns the list.
        unsafe { (*tail).schedlink = l.runq_head };
        if l.runq_head.is_null() {
            l.runq_tail = tail;
        }
        l.runq_head = head;
        self.runqsize
            .store(self.runqsize.load(Ordering::Relaxed) + n, Ordering::Relaxed);
    }

    /// Puts `g` in front of the global queue, where the next M that schedules takes it, whatever it
    /// would look at first. The lock is held.
    ///
    /// # Safety
    ///
    /// As for `globrunq_put`.
    pub(crate) unsafe fn globrunq_put_input(&self, g: *mut G) {
        // SAFETY: by the contract.
        unsafe {
            (*g).schedlink = ptr::null_mut();
            self.globrunq_prepend_list(g, g, 1);
        }
        let n = self.inputs.load(Ordering::Relaxed);
        self.inputs.store(n + 1, Ordering::Relaxed);
    }

    /// Takes `g` out of the global queue; whether it was there. The lock is held.
    ///
    /// # Safety
    ///
    /// The caller holds the lock.
    pub(crate) unsafe fn globrunq_remove(&self, g: *mut G) -> bool {
        // SAFETY: by the contract; queued Gs belong to the queue.
        unsafe {
            let l = self.locked();
            let (mut before, mut at, mut place) = (ptr::null_mut::<G>(), l.runq_head, 0);
            while !at.is_null() && at != g {
                (before, at, place) = (at, (*at).schedlink, place + 1);
            }
            if at.is_null() {
                return false;
            }
            match before.as_mut() {
                Some(before) => before.schedlink = (*g).schedlink,
                None => l.runq_head = (*g).schedlink,
            }
            if l.runq_tail == g {
                l.runq_tail = before;
            }
            (*g).schedlink = ptr::null_mut();
            let lower = |n: &AtomicUsize| n.store(n.load(Ordering::Relaxed) - 1, Ordering::Relaxed);
            lower(&self.runqsize);
            // An input that no M has taken yet is counted as one.
            if place < self.inputs.load(Ordering::Relaxed) {
                lower(&self.inputs);
            }
            true
        }
    }

    /// The Gs of the global queue, and those set aside, in order. The lock is held.
    ///
    /// # Safety
    ///
    /// The caller holds the lock.
    pub(crate) unsafe fn globrunq_list(&self) -> (Vec<Gref>, Vec<Gref>) {
        let mut all = Vec::new();
        // SAFETY: by the contract; queued Gs belong to the queue.
        unsafe {
            let l = self.locked();
            let mut g = l.runq_head;
            while !g.is_null() {
                all.push(Gref(g));
                g = (*g).schedlink;
            }
            (all, l.disabled.iter().copied().collect())
        }
    }

    /// Takes the first of the global queue, or null. The lock is held.
    ///
    /// # Safety
    ///
    /// The caller holds the lock.
    pub(crate) unsafe fn globrunq_pop(&self) -> *mut G {
        // SAFETY: by the contract.
        let l = unsafe { self.locked() };
        let g = l.runq_head;
        if !g.is_null() {
            // SAFETY: queued Gs belong to the queue.
            unsafe {
                l.runq_head = (*g).schedlink;
                (*g).schedlink = ptr::null_mut();
            }
            if l.runq_head.is_null() {
                l.runq_tail = ptr::null_mut();
            }
            self.runqsize
                .store(self.runqsize.load(Ordering::Relaxed) - 1, Ordering::Relaxed);
        }
        g
    }

    /// Takes a batch from the global queue: the first to run now, the others to `p`'s ring.
    ///
    /// `max` limits it if positive. The lock is held.
    ///
    /// # Safety
    ///
    /// The caller holds the lock and owns `p`.
    pub(crate) unsafe fn globrunq_get(&self, p: &P, max: usize) -> *mut G {
        let size = self.runqsize.load(Ordering::Relaxed);
        if size == 0 {
            return ptr::null_mut();
        }
        let n = batch(size, gomaxprocs() as usize, max);
        // SAFETY: by the contract.
        let g = unsafe { self.globrunq_pop() };
        trace::fetched(p, g, n, size);
        for _ in 1..n {
            // SAFETY: by the contract.
            let more = unsafe { self.globrunq_pop() };
            if more.is_null() {
                break;
            }
            trace::fetched_also(p, more);
            // SAFETY: by the contract.
            unsafe { note_ring(p, more) };
            if p.runq.push(more, usize::MAX).is_err() {
                crate::throw!("globrunqget: no room");
            }
        }
        g
    }

    /// Whether `g` may be scheduled now.
    ///
    /// Go: runtime/proc.go, schedEnabled.
    #[inline]
    pub(crate) fn is_enabled(&self, g: &G) -> bool {
        let is_user_enabled = !self.user_disabled.load(Ordering::Relaxed);
        (is_user_enabled || g.is_system || fault!(IgnoreDisabled)) && !self.holds(g)
    }

    /// Whether `g` is held.
    #[inline]
    fn holds(&self, g: &G) -> bool {
        self.holds.load(Ordering::Relaxed) != 0 && g.is_held.load(Ordering::Relaxed)
    }

    /// Holds `g`, or no longer; whether that is new.
    pub(crate) fn set_held(&self, g: &G, held: bool) -> bool {
        if g.is_held.swap(held, Ordering::Relaxed) == held {
            return false;
        }
        match held {
            true => self.holds.fetch_add(1, Ordering::Relaxed),
            false => self.holds.fetch_sub(1, Ordering::Relaxed),
        };
        true
    }

    /// Puts `g` back into the global queue if it was set aside, and may be scheduled again;
    /// whether it was.
    ///
    /// # Safety
    ///
    /// Context: g0 with a P; the world is stopped.
    pub(crate) unsafe fn take_back(&self, g: *mut G) -> bool {
        let _s = self.lock.guard();
        // SAFETY: the lock is held, and what was set aside belongs to the list.
        unsafe {
            let aside = &mut self.locked().disabled;
            let Some(at) = aside.iter().position(|kept| kept.0 == g) else {
                return false;
            };
            if !self.is_enabled(&*g) {
                return false;
            }
            aside.remove(at);
            self.globrunq_put(g);
            true
        }
    }

    /// Keeps `g` until [`enable_user`] or [`take_back`](Self::take_back) if it may not be
    /// scheduled now; whether it does.
    ///
    /// # Safety
    ///
    /// The caller owns the runnable `g`, which is on no queue; the lock is not held.
    #[inline]
    pub(crate) unsafe fn set_aside(&self, g: *mut G) -> bool {
        // SAFETY: by the contract.
        if self.is_enabled(unsafe { &*g }) {
            return false;
        }
        let _s = self.lock.guard();
        // SAFETY: by the contract; the lock is held. The flag is read again under the lock.
        unsafe {
            if self.is_enabled(&*g) {
                return false;
            }
            trace::queued_list(g, 1, Place::Aside);
            self.locked().disabled.push_back(Gref(g));
        }
        true
    }

    /// Puts `p` on the idle list. The lock is held.
    ///
    /// # Safety
    ///
    /// The caller holds the lock and owns `p`, whose queue is empty.
    pub(crate) unsafe fn pidle_put(&self, p: *mut P) {
        // SAFETY: by the contract.
        unsafe {
            debug_assert!((*p).runq.is_empty(), "pidleput: P has non-empty run queue");
            (*p).request_served(); // nothing runs
            let l = self.locked();
            (*p).link = l.pidle;
            l.pidle = p;
            allp().set_idle((*p).id, true);
        }
        self.npidle.fetch_add(1, Ordering::SeqCst);
    }

    /// Takes an idle P, or null. The lock is held.
    ///
    /// # Safety
    ///
    /// The caller holds the lock.
    pub(crate) unsafe fn pidle_get(&self) -> *mut P {
        // SAFETY: by the contract; a listed P belongs to the list.
        unsafe {
            let l = self.locked();
            let p = l.pidle;
            if !p.is_null() {
                if !fault!(KeepIdleP) {
                    l.pidle = (*p).link;
                }
                (*p).link = ptr::null_mut();
                allp().set_idle((*p).id, false);
                self.npidle.fetch_sub(1, Ordering::SeqCst);
            }
            p
        }
    }

    /// As `pidle_get` for a searcher: finding none is remembered in `needspinning`.
    ///
    /// # Safety
    ///
    /// The caller holds the lock.
    pub(crate) unsafe fn pidle_get_spinning(&self) -> *mut P {
        // SAFETY: by the contract.
        let p = unsafe { self.pidle_get() };
        if p.is_null() {
            self.needspinning.store(1, Ordering::SeqCst);
        }
        p
    }

    /// Puts `m` on the idle list. The lock is held.
    ///
    /// # Safety
    ///
    /// The caller holds the lock; `m` is about to sleep.
    pub(crate) unsafe fn midle_put(&self, m: *mut M) {
        // SAFETY: by the contract.
        unsafe {
            let l = self.locked();
            (*m).schedlink = l.midle;
            l.midle = m;
            l.nmidle += 1;
        }
        crate::panic::check_dead();
    }

    /// Takes an idle M, or null. The lock is held.
    ///
    /// # Safety
    ///
    /// The caller holds the lock.
    pub(crate) unsafe fn midle_get(&self) -> *mut M {
        // SAFETY: by the contract.
        unsafe {
            let l = self.locked();
            let m = l.midle;
            if fault!(IgnoreIdleMs) {
                return ptr::null_mut();
            }
            if !m.is_null() {
                if !fault!(KeepIdleM) {
                    l.midle = (*m).schedlink;
                }
                l.nmidle -= 1;
            }
            m
        }
    }

    /// Takes `m` off the list of idle Ms; `false` if it is not among the first, as many as there
    /// are Ps: those that slept last. It may be gone.
    ///
    /// # Safety
    ///
    /// The caller holds the lock.
    pub(crate) unsafe fn midle_take(&self, m: *mut M) -> bool {
        // SAFETY: by the contract; listed Ms belong to the list, and `m` is only compared.
        unsafe {
            let l = self.locked();
            let mut at = &raw mut l.midle;
            for _ in 0..allp().ps.len() {
                if (*at).is_null() {
                    return false;
                }
                if *at == m {
                    *at = (*m).schedlink;
                    l.nmidle -= 1;
                    return true;
                }
                at = &raw mut (**at).schedlink;
            }
            false
        }
    }
}

/// Allows or forbids that goroutines of the user are scheduled. For tests.
///
/// Those that run go on until they leave by themselves. What was kept back goes to the global
/// queue in order, and Ms are started for it, as far as there are idle Ps.
///
/// Context: g0, with or without a P; sched lock not held.
///
/// Go: runtime/proc.go, schedEnableUser.
pub fn enable_user(m: &mut M, enable: bool) {
    let mut n = {
        let _s = SCHED.lock.guard();
        if SCHED.user_disabled.swap(!enable, Ordering::Relaxed) != enable || !enable {
            return;
        }
        // SAFETY: the lock is held, and what was set aside belongs to the list.
        unsafe {
            let kept = std::mem::take(&mut SCHED.locked().disabled);
            for g in &kept {
                SCHED.globrunq_put(g.0);
            }
            kept.len()
        }
    };
    while n > 0 && SCHED.npidle.load(Ordering::Relaxed) != 0 {
        // SAFETY: context — g0.
        unsafe { crate::proc::start_m(m, ptr::null_mut(), false) };
        n -= 1;
    }
}

/// How many Gs one fetch takes from a global queue of `size`.
pub(crate) fn batch(size: usize, procs: usize, max: usize) -> usize {
    if fault!(BatchAll) {
        return size;
    }
    let mut n = size.min(size / procs.max(1) + 1);
    if max > 0 {
        n = n.min(max);
    }
    if !switches::on(Mech::GlobalBatch) && max == 0 {
        return size.min(RING);
    }
    n.min(RING / 2)
}

/// Calls `f` with every G ever made, in order of making, dead ones included.
///
/// `f` must not make goroutines.
pub(crate) fn for_each_g(mut f: impl FnMut(*mut G)) {
    for g in SCHED.allgs.lock().iter() {
        f(g.0);
    }
}

/// As [`for_each_g`] for a dying thread: goes on without the lock if it is not to be had.
pub(crate) fn for_each_g_dying(mut f: impl FnMut(*mut G)) {
    let locked = SCHED.allgs.try_lock_for(100);
    // SAFETY: either the lock is held, or the list is read as it is: the process ends anyway.
    let all = unsafe { &*SCHED.allgs.peek() };
    for g in all {
        f(g.0);
    }
    if locked {
        SCHED.allgs.unlock_raw();
    }
}

/// Makes a G known to [`for_each_g`].
pub(crate) fn allg_add(g: *mut G) {
    let mut all = SCHED.allgs.lock();
    // SAFETY: the caller owns the fresh G.
    unsafe { (*g).index = all.len() };
    all.push(Gref(g));
}

/// The number of user goroutines: never less than 1.
pub fn num_goroutine() -> i64 {
    let all = SCHED.allgs.lock().len() as i64;
    let mut n = all
        - i64::from(SCHED.ngfree.load(Ordering::Relaxed))
        - if fault!(CountSystemGoroutines) {
            0
        } else {
            i64::from(SCHED.ngsys.load(Ordering::Relaxed))
        };
    for &p in &allp().ps {
        // SAFETY: Ps are never freed; a racy count is good enough, as in Go.
        n -= unsafe { ptr::read_volatile(&raw const (*p).gfree.n) } as i64;
    }
    n.max(1)
}

/// A fresh goroutine id for the owner of `p`.
pub(crate) fn next_goid(p: &mut P) -> Goid {
    const BATCH: u64 = 16;
    if p.goidcache == p.goidcacheend {
        p.goidcache = SCHED.goidgen.fetch_add(BATCH, Ordering::Relaxed) + 1;
        p.goidcacheend = p.goidcache + BATCH;
    }
    p.goidcache += 1;
    if fault!(RepeatGoids) {
        return Goid(p.goidcache / 2);
    }
    Goid(p.goidcache - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t21_batch_formula() {
        for (size, procs, n) in [
            (1, 1, 1),
            (10, 1, 10),
            (300, 1, 128),
            (10, 4, 3),
            (3, 8, 1),
            (1000, 8, 126),
            (2000, 8, 128),
        ] {
            assert_eq!(batch(size, procs, 0), n, "size {size} procs {procs}");
            assert_eq!(batch(size, procs, 1), 1);
        }
    }

    #[test]
    fn t26b_every_order_visits_each_p_once() {
        for n in 1..=64usize {
            let ps: Vec<*mut P> = (1..=n).map(|i| i as *mut P).collect();
            let all = AllP::new(ps);
            for stride in 0..all.coprimes.len() {
                let r = (stride * n) as u32;
                let mut seen: Vec<usize> = all.order(r).map(|p| p as usize).collect();
                seen.sort_unstable();
                assert_eq!(seen, (1..=n).collect::<Vec<_>>());
            }
        }
    }
}
