#![allow(unsafe_code)]
//! P: what an M needs to run Go code: a run queue, timers, an allocation cache.
//!
//! # Invariants
//!
//! - P1. The plain fields belong to the M that holds the P, or to the function that moves it
//!   between owners (idle list, stopped world). Ownership passes by Release and Acquire: the
//!   status, `nextp` with its note, or the sched lock.
//! - P2. An idle P's ring and `runnext` are empty.
//!
//! Go: runtime/runtime2.go, p.

use std::marker::PhantomPinned;
use std::ptr;

use crate::g::G;
use crate::m::M;
use crate::rand::{self, Rand};
use crate::runq::RunQ;
use crate::sync::{AtomicBool, AtomicPtr, AtomicU32, Ordering, plain};

/// The status of a P. Numbers are Go's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum PStatus {
    /// On the idle list, or being moved.
    Idle = 0,
    /// Held by an M.
    Running = 1,
    /// Its M is in a system call; left by compare-and-swap only.
    Syscall = 2,
    /// Belongs to the M that stopped the world.
    GcStop = 3,
    /// GOMAXPROCS was lowered.
    Dead = 4,
}

/// What sysmon remembers of a P.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SysmonTick {
    /// `slicetick` at `schedwhen`.
    pub(crate) schedtick: u32,
    /// When it was first seen.
    pub(crate) schedwhen: i64,
    /// `syscalltick` at `syscallwhen`.
    pub(crate) syscalltick: u32,
    /// When it was first seen.
    pub(crate) syscallwhen: i64,
    /// `paused_ns` when it was seen last.
    pub(crate) paused_ns: i64,
}

/// A list of dead Gs.
#[derive(Debug)]
pub struct GList {
    /// First, linked by `schedlink`.
    pub(crate) head: *mut G,
    /// How many.
    pub n: usize,
}

impl GList {
    /// An empty list.
    pub(crate) const fn new() -> GList {
        GList {
            head: ptr::null_mut(),
            n: 0,
        }
    }

    /// Puts `g` in front.
    ///
    /// # Safety
    ///
    /// The caller owns `g` and the list.
    #[inline]
    pub(crate) unsafe fn push(&mut self, g: *mut G) {
        // SAFETY: by the contract.
        unsafe { (*g).schedlink = self.head };
        self.head = g;
        self.n += 1;
    }

    /// Takes the first, or null.
    ///
    /// # Safety
    ///
    /// The caller owns the list.
    #[inline]
    pub(crate) unsafe fn pop(&mut self) -> *mut G {
        let g = self.head;
        if !g.is_null() {
            // SAFETY: a listed G belongs to the list's owner.
            self.head = unsafe { (*g).schedlink };
            self.n -= 1;
        }
        g
    }
}

impl Default for GList {
    fn default() -> GList {
        GList::new()
    }
}

/// A processor.
#[repr(C)]
pub struct P {
    /// Its place in the list of all Ps.
    pub id: usize,
    /// A [`PStatus`]. Written by its owner; compare-and-swap out of `Syscall`.
    pub(crate) status: AtomicU32,
    /// Starts of new time slices. Written by the owner.
    pub schedtick: AtomicU32,
    /// What retake compares: as `schedtick`, save under `--without=slice-inheritance`.
    pub(crate) slicetick: AtomicU32,
    /// System calls completed or abandoned.
    pub(crate) syscalltick: AtomicU32,
    /// The G that runs was asked to stop and has not obeyed yet. Set with each request, cleared by
    /// the owner.
    pub(crate) preempt: AtomicBool,
    /// 1: run the pending safepoint function.
    pub(crate) run_safepoint_fn: AtomicU32,
    /// Next in the idle list; under the sched lock.
    pub(crate) link: *mut P,
    /// The M that holds it, null when idle or in a system call.
    pub m: AtomicPtr<M>,
    /// The M that has held it last; it is only compared, for that M may be gone. Once the world is
    /// about to start, the idle M that will hold it. Written by the holder, and under stw::W2.
    pub(crate) old_m: *mut M,
    /// A worker of the collector that waits to run here when the world starts. Written by the
    /// holder, and under stw::W2.
    pub(crate) next_worker: *mut G,
    /// The local run queue and `runnext`.
    pub runq: RunQ,
    /// Dead Gs for reuse.
    pub gfree: GList,
    /// Batch of goroutine ids: next and end.
    pub(crate) goidcache: u64,
    /// End of the batch.
    pub(crate) goidcacheend: u64,
    /// Stream of random numbers.
    pub rand: Rand,
    /// Allocation cache.
    pub(crate) mcache: crate::heap::MCache,
    /// What the write barrier keeps.
    pub(crate) overwritten: crate::gc::barrier::Buffer,
    /// How long workers of the collector have had it in this cycle.
    pub(crate) marked_ns: i64,
    /// `schedtick` when one that has a share of its time began last. Its holder's.
    pub(crate) marked_tick: u32,
    /// Cache of sudogs.
    pub(crate) sudogs: crate::chan::SudogCache,
    /// Timer heap.
    pub timers: crate::timer::Timers,
    /// Stacks for reuse.
    pub(crate) stacks: crate::stack::StackCache,
    /// sysmon's memory; touched by sysmon only.
    pub(crate) sysmontick: SysmonTick,
    /// When the slice began, as far as events are recorded. Written by the owner.
    pub(crate) slice_began: plain::AtomicI64,
    /// How long its Ms have waited to be let choose: see [`crate::prompt::pause`]. Written by the
    /// owner.
    pub(crate) paused_ns: plain::AtomicI64,
    /// Where its events are recorded, null until there are any. Written by the owner.
    pub(crate) events: plain::AtomicPtr<crate::trace::Stream>,
    _pin: PhantomPinned,
}

impl std::fmt::Debug for P {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "P{}", self.id)
    }
}

impl PStatus {
    /// The status of that number.
    pub(crate) fn from_bits(bits: u32) -> PStatus {
        match bits {
            0 => PStatus::Idle,
            1 => PStatus::Running,
            2 => PStatus::Syscall,
            3 => PStatus::GcStop,
            _ => PStatus::Dead,
        }
    }

    /// Go's word for it.
    pub fn name(self) -> &'static str {
        match self {
            PStatus::Idle => "idle",
            PStatus::Running => "running",
            PStatus::Syscall => "syscall",
            PStatus::GcStop => "gcstop",
            PStatus::Dead => "dead",
        }
    }
}

impl P {
    /// A request to stop what runs here has been served: the next start knows nothing of it.
    ///
    /// Context: as the owner.
    #[inline]
    pub(crate) fn request_served(&self) {
        if self.preempt.load(Ordering::Relaxed) && !fault!(KeepServedRequest) {
            self.preempt.store(false, Ordering::Relaxed);
        }
    }

    /// A fresh P, `GcStop`.
    pub(crate) fn new(id: usize) -> P {
        P {
            id,
            status: AtomicU32::new(PStatus::GcStop as u32),
            schedtick: AtomicU32::new(0),
            slicetick: AtomicU32::new(0),
            syscalltick: AtomicU32::new(0),
            preempt: AtomicBool::new(false),
            run_safepoint_fn: AtomicU32::new(0),
            link: ptr::null_mut(),
            m: AtomicPtr::new(ptr::null_mut()),
            old_m: ptr::null_mut(),
            next_worker: ptr::null_mut(),
            runq: RunQ::new(),
            gfree: GList::new(),
            goidcache: 0,
            goidcacheend: 0,
            rand: Rand::new(rand::fork()),
            mcache: crate::heap::MCache::new(),
            overwritten: crate::gc::barrier::Buffer::new(),
            marked_ns: 0,
            marked_tick: u32::MAX,
            sudogs: crate::chan::SudogCache::new(),
            timers: crate::timer::Timers::new(),
            stacks: crate::stack::StackCache::new(),
            sysmontick: SysmonTick::default(),
            slice_began: plain::AtomicI64::new(0),
            paused_ns: plain::AtomicI64::new(0),
            events: plain::AtomicPtr::new(ptr::null_mut()),
            _pin: PhantomPinned,
        }
    }

    /// Its status.
    #[inline]
    pub fn status(&self) -> PStatus {
        // Acquire: pairs with the Release in `set_status` and `cas_status`.
        PStatus::from_bits(self.status.load(Ordering::Acquire))
    }

    /// Sets the status; the caller owns the P.
    #[inline]
    pub fn set_status(&self, s: PStatus) {
        crate::edges::p(self, self.status(), s);
        // Release: pairs with the Acquire in `status`.
        self.status.store(s as u32, Ordering::Release);
    }

    /// Moves the status if it is `from`.
    #[inline]
    pub(crate) fn cas_status(&self, from: PStatus, to: PStatus) -> bool {
        // AcqRel: hands the P over (P1).
        let done = self
            .status
            .compare_exchange(from as u32, to as u32, Ordering::AcqRel, Ordering::Relaxed)
            .is_ok();
        if done {
            crate::edges::p(self, from, to);
        }
        done
    }
}
