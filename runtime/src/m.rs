#![allow(unsafe_code)]
//! M: a thread, its loop on its own stack (g0), its note.
//!
//! # Invariants
//!
//! - M1. Only the thread itself touches an M's plain fields; others use the atomics.
//! - M2. `nextp` belongs to this M alone as soon as it is set; the wakeup of `park` publishes it.
//! - M3. Code that runs a G has `curg` set; the coroutine it runs on is `coro`.
//!
//! Go: runtime/runtime2.go, m.

use std::marker::PhantomPinned;
use std::ptr;

use crate::bubble::Bubble;
use crate::coro::{Coro, GYielder};
use crate::engine::Engine;
use crate::g::{G, WaitReason};
use crate::note::Note;
use crate::p::P;
use crate::sync::{AtomicBool, AtomicI32, AtomicPtr, AtomicU32, AtomicU64, Lock, Ordering, plain};

/// The commit function of a park: run on g0 when the G is marked waiting; `false` undoes the park.
///
/// The argument is what `park` was given.
pub type Commit = unsafe fn(g: *mut G, arg: ParkArg) -> bool;

/// What a park gives its commit function: the object that is waited for, or a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct ParkArg(usize);

impl ParkArg {
    /// For a commit function that wants none.
    pub const NONE: ParkArg = ParkArg(0);

    /// The object at `p`.
    #[inline]
    pub fn object<T>(p: *const T) -> ParkArg {
        ParkArg(p as usize)
    }

    /// A number.
    #[inline]
    pub fn number(n: usize) -> ParkArg {
        ParkArg(n)
    }

    /// The address of the object.
    #[inline]
    pub fn as_ptr<T>(self) -> *const T {
        self.0 as *const T
    }

    /// The number.
    #[inline]
    pub fn as_number(self) -> usize {
        self.0
    }
}

/// A thread.
#[repr(C)]
pub struct M {
    /// The P it holds, null when it runs no Go code.
    pub p: *mut P,
    /// The G it runs.
    pub curg: *mut G,
    /// The engine.
    pub engine: &'static dyn Engine,
    /// The coroutine it interprets on.
    pub(crate) coro: *mut Coro,
    /// Set while code runs on `coro`: the way to g0's stack.
    pub(crate) yielder: *const GYielder,
    /// Commit function of the park in progress.
    pub(crate) waitunlockf: Option<Commit>,
    /// Its argument.
    pub(crate) waitlock: ParkArg,
    /// The bubble whose timers it fires, or null.
    pub(crate) bubble: *mut Bubble,
    /// Number of holds that forbid preemption.
    pub locks: i32,
    /// The timer that fires, for [`crate::race`]; 0: none does.
    pub(crate) race_firing: usize,
    /// Whether events of this M are recorded. Written by [`crate::trace::listen`].
    pub(crate) traced: plain::AtomicBool,
    /// P held before a system call.
    pub(crate) oldp: *mut P,
    /// Copy of the P's tick at syscall entry.
    pub(crate) syscalltick: u32,
    /// Number; never used twice.
    pub id: i64,
    /// A coroutine in reserve. Written by this M, and by the M that takes it for a goroutine that
    /// waits for one.
    pub(crate) spare: plain::AtomicPtr<Coro>,
    /// Low end of the thread's own stack.
    pub(crate) stack_lo: usize,
    /// High end of the thread's own stack.
    pub(crate) stack_hi: usize,
    /// Its alternate stack for signals.
    pub(crate) alt_stack: usize,
    /// User's LockOSThread count.
    pub(crate) locked_ext: u32,
    /// The runtime's own.
    pub(crate) locked_int: u32,
    /// The thread is to end.
    exiting: bool,
    /// It is dying: 1 printing a failure, 2 a failure within that, …
    pub(crate) dying: AtomicI32,
    /// Why preemption is off; empty is not.
    pub(crate) preemptoff: &'static str,

    /// Out of work and searching. Written by this M, and by the M that starts it.
    pub(crate) spinning: AtomicBool,
    /// Sleeping on its note. Written by itself.
    pub(crate) blocked: AtomicBool,
    /// The P to take on waking. Written by the M that wakes this one.
    pub(crate) nextp: AtomicPtr<P>,
    /// The G wired to it.
    pub lockedg: AtomicPtr<G>,
    /// What it sleeps on.
    pub(crate) park_note: Note,
    /// A job for an idle M during a stop of the world; see [`crate::stw::parallel`].
    pub(crate) job: AtomicPtr<crate::stw::Job>,
    /// Preemption signals handled. Written by the handler.
    pub(crate) preempt_gen: AtomicU32,
    /// One signal is on its way.
    pub(crate) signal_pending: AtomicU32,
    /// Its timer for the profile of time, see [`crate::prof::cpu`], and 1; 0: none.
    pub(crate) profile_timer: plain::AtomicUsize,
    /// Kernel's thread id.
    pub(crate) procid: AtomicU64,
    /// The P, as others may see it (dumps): mirrors `p`.
    pub p_seen: AtomicPtr<P>,
    /// The G, as others may see it: mirrors `curg`.
    pub(crate) curg_seen: AtomicPtr<G>,
    /// Next in the list of all Ms.
    pub alllink: *mut M,
    /// Next in the idle list; under the sched lock.
    pub(crate) schedlink: *mut M,
    _pin: PhantomPinned,
}

impl std::fmt::Debug for M {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "M{}", self.id)
    }
}

impl M {
    /// A fresh M with number `id`.
    pub(crate) fn new(id: i64, engine: &'static dyn Engine) -> M {
        M {
            p: ptr::null_mut(),
            curg: ptr::null_mut(),
            engine,
            coro: ptr::null_mut(),
            yielder: ptr::null(),
            waitunlockf: None,
            waitlock: ParkArg::NONE,
            bubble: ptr::null_mut(),
            locks: 0,
            race_firing: 0,
            traced: plain::AtomicBool::new(false),
            oldp: ptr::null_mut(),
            syscalltick: 0,
            id,
            spare: plain::AtomicPtr::new(ptr::null_mut()),
            stack_lo: 0,
            stack_hi: 0,
            alt_stack: 0,
            locked_ext: 0,
            locked_int: 0,
            exiting: false,
            dying: AtomicI32::new(0),
            preemptoff: "",
            spinning: AtomicBool::new(false),
            blocked: AtomicBool::new(false),
            nextp: AtomicPtr::new(ptr::null_mut()),
            lockedg: AtomicPtr::new(ptr::null_mut()),
            park_note: Note::new(),
            job: AtomicPtr::new(ptr::null_mut()),
            preempt_gen: AtomicU32::new(0),
            signal_pending: AtomicU32::new(0),
            profile_timer: plain::AtomicUsize::new(0),
            procid: AtomicU64::new(0),
            p_seen: AtomicPtr::new(ptr::null_mut()),
            curg_seen: AtomicPtr::new(ptr::null_mut()),
            alllink: ptr::null_mut(),
            schedlink: ptr::null_mut(),
            _pin: PhantomPinned,
        }
    }

    /// Makes the descriptor of an M whose thread has ended that of a new one with number `id`. Its
    /// lists are empty, its notes are clear and it holds nothing: see `exit_m`.
    pub(crate) fn renew(&mut self, id: i64, engine: &'static dyn Engine) {
        debug_assert!(self.p.is_null() && self.curg.is_null() && self.coro.is_null());
        self.id = id;
        self.engine = engine;
        self.locks = 0;
        self.oldp = ptr::null_mut();
        self.locked_ext = 0;
        self.locked_int = 0;
        self.exiting = false;
        self.preemptoff = "";
        self.waitunlockf = None;
        self.procid.store(0, Ordering::Relaxed);
        self.signal_pending.store(0, Ordering::Relaxed);
        self.alllink = ptr::null_mut();
        self.schedlink = ptr::null_mut();
    }

    /// Prepares the current G to wait: the caller then leaves with `Outcome::Park`.
    ///
    /// `commit` runs on g0 once the G is marked waiting and must make it findable for the function
    /// that will wake it, if that has not been done under a lock which `commit` releases.
    ///
    /// Context: coroutine.
    #[inline]
    pub fn park(&mut self, commit: Option<Commit>, arg: ParkArg, reason: WaitReason) {
        self.waitunlockf = commit;
        self.waitlock = arg;
        // SAFETY: M3 — there is a current G when code runs on a coroutine.
        unsafe {
            (*self.curg)
                .waitreason
                .store(reason as u8, Ordering::Relaxed)
        };
    }

    /// As [`M::park`], releasing `lock` once the G is marked waiting.
    #[inline]
    pub fn park_unlock(&mut self, lock: &Lock, reason: WaitReason) {
        self.park(Some(commit_unlock), ParkArg::object(lock), reason);
    }

    /// The P it holds.
    ///
    /// Context: holds a P.
    #[inline]
    pub fn p(&mut self) -> &mut P {
        debug_assert!(!self.p.is_null());
        // SAFETY: p::P1 — a P belongs to the M that holds it.
        unsafe { &mut *self.p }
    }

    /// The G it runs.
    ///
    /// Context: coroutine.
    #[inline]
    pub fn g(&mut self) -> &mut G {
        debug_assert!(!self.curg.is_null());
        // SAFETY: M3.
        unsafe { &mut *self.curg }
    }
}

/// The commit function that releases a [`Lock`].
///
/// # Safety
///
/// `lock` is the address of a live, held [`Lock`].
unsafe fn commit_unlock(_g: *mut G, lock: ParkArg) -> bool {
    // SAFETY: by the contract.
    unsafe { (*lock.as_ptr::<Lock>()).unlock() };
    true
}
