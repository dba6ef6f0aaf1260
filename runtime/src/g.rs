#![allow(unsafe_code)]
//! G: a goroutine, its status, its wait reason and its VM stack.
//!
//! Descriptors are type-stable memory: never freed, reused through the free lists of the Ps.
//!
//! # Invariants
//!
//! - G1. The status says what owns the rest: `Running` and `Syscall` the M in `m`; `Runnable` the
//!   queue it is on; `Waiting` the function that will wake it; `Dead` the free list, or the M that
//!   took it off.
//! - G2. Only atomics may be touched from elsewhere.
//! - G3. The first fields stand in a fixed order: handlers of the VM know their offsets.
//!
//! Go: runtime/runtime2.go, g; runtime/proc.go, casgstatus.

use std::marker::PhantomPinned;
use std::ptr;
use std::sync::Arc;

use crate::bubble::Bubble;
use crate::chan::Sudog;
use crate::coro::Coro;
use crate::edges::{self, Scan};
use crate::engine::Outcome;
use crate::m::M;
use crate::prof::ancestors::Ancestor;
use crate::sync::plain;
use crate::sync::{
    AtomicBool, AtomicI64, AtomicPtr, AtomicU8, AtomicU32, AtomicUsize, Ordering, os_yield, pause,
};
use crate::timer::Timer;

/// The identity of a goroutine; never used twice. 0 is none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Goid(pub u64);

/// The saved registers of a G that does not run.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Gobuf {
    /// Where to go on.
    pub pc: usize,
    /// The frame.
    pub fp: usize,
    /// The end of the used part of the stack.
    pub top: usize,
    /// The closure word, at the start of a function only.
    pub ctxt: usize,
}

/// The words of a G that belong to the VM.
pub const VM_WORDS: usize = 16;

/// The status of a G. Numbers are Go's; 5 and 7 are never used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Status {
    /// Just allocated.
    Idle = 0,
    /// On a run queue.
    Runnable = 1,
    /// Has an M and a P.
    Running = 2,
    /// Has an M, and a P only weakly.
    Syscall = 3,
    /// Off every queue, recorded where the function that wakes it finds it.
    Waiting = 4,
    /// On a free list, or being taken off or put there.
    Dead = 6,
    /// Its stack is being copied.
    Copystack = 8,
    /// Stopped itself for `suspend_g`, which has not come yet.
    Preempted = 9,
}

/// Set in a status while `suspend_g` owns the stack: the status cannot change.
pub(crate) const SCAN: u32 = 0x1000;

impl Status {
    /// The status of that number, without the scan bit.
    pub(crate) fn from_bits(bits: u32) -> Option<Status> {
        Some(match bits & !SCAN {
            0 => Status::Idle,
            1 => Status::Runnable,
            2 => Status::Running,
            3 => Status::Syscall,
            4 => Status::Waiting,
            6 => Status::Dead,
            8 => Status::Copystack,
            9 => Status::Preempted,
            _ => return None,
        })
    }

    /// Go's word for it, as tracebacks print it.
    pub fn name(self) -> &'static str {
        match self {
            Status::Idle => "idle",
            Status::Runnable => "runnable",
            Status::Running => "running",
            Status::Syscall => "syscall",
            Status::Waiting => "waiting",
            Status::Dead => "dead",
            Status::Copystack => "copystack",
            Status::Preempted => "preempted",
        }
    }
}

macro_rules! wait_reasons {
    ($($id:ident = $text:literal,)*) => {
        /// Why a G waits. Texts are Go's.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        #[allow(missing_docs, reason = "the text says it")]
        pub enum WaitReason { $($id),* }

        /// Every reason with its text, in order of its number.
        pub(crate) const WAIT_REASONS: &[(WaitReason, &str)] = &[$((WaitReason::$id, $text)),*];
    };
}

wait_reasons! {
    Zero = "",
    GcAssistMarking = "GC assist marking",
    IoWait = "IO wait",
    DumpingHeap = "dumping heap",
    GarbageCollection = "garbage collection",
    GarbageCollectionScan = "garbage collection scan",
    PanicWait = "panicwait",
    GcAssistWait = "GC assist wait",
    GcSweepWait = "GC sweep wait",
    GcScavengeWait = "GC scavenge wait",
    FinalizerWait = "finalizer wait",
    ForceGcIdle = "force gc (idle)",
    UpdateGomaxprocsIdle = "GOMAXPROCS updater (idle)",
    Semacquire = "semacquire",
    Sleep = "sleep",
    ChanReceiveNilChan = "chan receive (nil chan)",
    ChanSendNilChan = "chan send (nil chan)",
    SelectNoCases = "select (no cases)",
    Select = "select",
    ChanReceive = "chan receive",
    ChanSend = "chan send",
    SyncCondWait = "sync.Cond.Wait",
    SyncMutexLock = "sync.Mutex.Lock",
    SyncRwMutexRLock = "sync.RWMutex.RLock",
    SyncRwMutexLock = "sync.RWMutex.Lock",
    SyncWaitGroupWait = "sync.WaitGroup.Wait",
    TraceReaderBlocked = "trace reader (blocked)",
    WaitForGcCycle = "wait for GC cycle",
    GcWorkerIdle = "GC worker (idle)",
    GcWorkerActive = "GC worker (active)",
    Preempted = "preempted",
    DebugCall = "debug call",
    GcMarkTermination = "GC mark termination",
    StoppingTheWorld = "stopping the world",
    FlushProcCaches = "flushing proc caches",
    TraceGoroutineStatus = "trace goroutine status",
    TraceProcStatus = "trace proc status",
    PageTraceFlush = "page trace flush",
    Coroutine = "coroutine",
    GcWeakToStrongWait = "GC weak to strong wait",
    SynctestRun = "synctest.Run",
    SynctestWait = "synctest.Wait",
    SynctestChanReceive = "chan receive (durable)",
    SynctestChanSend = "chan send (durable)",
    SynctestSelect = "select (durable)",
    SynctestWaitGroupWait = "sync.WaitGroup.Wait (durable)",
    CleanupWait = "cleanup wait",
    Prompt = "prompt",
}

impl WaitReason {
    /// The text that tracebacks print.
    pub(crate) fn text(self) -> &'static str {
        WAIT_REASONS[self as usize].1
    }

    /// Whether in a bubble only the bubble itself can end such a wait.
    ///
    /// Go: runtime/runtime2.go, isIdleInSynctest.
    pub(crate) fn is_durable(self) -> bool {
        use WaitReason::*;
        matches!(
            self,
            ChanReceiveNilChan
                | ChanSendNilChan
                | SelectNoCases
                | Sleep
                | SyncCondWait
                | Coroutine
                | SynctestRun
                | SynctestWait
                | SynctestChanReceive
                | SynctestChanSend
                | SynctestSelect
                | SynctestWaitGroupWait
        )
    }

    /// Whether it waits on several channels.
    pub(crate) fn is_select(self) -> bool {
        matches!(self, WaitReason::Select | WaitReason::SynctestSelect)
    }
}

/// What a goroutine of the runtime itself does at each start; see [`crate::proc::spawn_system`].
pub(crate) type NativeFn = fn(&mut M, &mut G) -> Outcome;

/// A goroutine.
#[repr(C)]
#[derive(Debug)]
pub struct G {
    /// Limit compared by prologues; `stack::PREEMPT` (0) asks to stop. Written by the owner and,
    /// to ask, by anyone.
    pub stackguard0: AtomicUsize,
    /// Nonzero asks to stop at the next loop safepoint. Written as `stackguard0`.
    pub loop_guard: AtomicUsize,
    /// The M that runs it, else null. Written by the owner.
    pub m: *mut M,
    /// Start of the VM stack.
    pub stack_lo: usize,
    /// End of the VM stack.
    pub stack_hi: usize,
    /// Saved registers.
    pub sched: Gobuf,
    /// The VM's own words. All but the first are zero when a goroutine begins; until then the last
    /// ones hold its first frame.
    pub vm: [usize; VM_WORDS],
    /// Handed over by the function that wakes it: the sudog of the wait that is over.
    pub param: *mut Sudog,

    /// A [`Status`], perhaps with [`SCAN`]. Written through `cas_status` and its kin.
    pub(crate) status: AtomicU32,
    /// A [`WaitReason`], the last one.
    pub(crate) waitreason: AtomicU8,
    /// A copy of the request to stop, which survives a reset of the guard.
    pub preempt: AtomicBool,
    /// When preempted, go to `Preempted` rather than the queue.
    pub(crate) preempt_stop: AtomicBool,
    /// Inside a fenced native, which a signal may suspend; see [`crate::fence`].
    pub fenced: AtomicBool,
    /// Shrink the stack at the next synchronous safepoint.
    pub(crate) preempt_shrink: AtomicBool,
    /// 0 or 1: the compare-and-swap winner may wake a select.
    pub(crate) select_done: AtomicU32,
    /// About to park on a channel; forbids shrinking.
    parking_on_chan: AtomicBool,
    /// Parked with channel sudogs that name its stack, channels unlocked.
    active_stack_chans: AtomicBool,
    /// `gcstress` wants its stack moved at the next prologue.
    pub(crate) move_due: bool,
    /// The instruction before which it lets others run, in a controlled run; 0: none.
    pub stands_at: usize,
    /// Stack growth is forbidden now.
    pub(crate) throwsplit: bool,
    /// A goroutine of the runtime.
    pub(crate) is_system: bool,
    /// It is not to be scheduled: see [`crate::prompt::hold`].
    pub(crate) is_held: AtomicBool,
    /// The M it is wired to, or null.
    pub lockedm: AtomicPtr<M>,
    /// Link in the global queue and in free lists.
    pub(crate) schedlink: *mut G,
    /// The first of the sudogs it waits on, linked by `waitlink`.
    pub waiting: *mut Sudog,
    /// Its timer for Sleep, made by the first one and kept.
    pub(crate) timer: *mut Timer,
    /// The bubble it belongs to, or null.
    pub(crate) bubble: *mut Bubble,
    /// The coroutine that holds its native frames, else null.
    pub coro: *mut Coro,
    /// What the runtime's own goroutines run instead of the engine.
    pub native: Option<NativeFn>,
    /// State of `native`.
    pub(crate) native_state: usize,
    /// Top of the stack at syscall entry; nonzero forbids a stack copy.
    pub(crate) syscallsp: usize,
    /// pc at syscall entry.
    pub(crate) syscallpc: usize,
    /// Its identity. Written by `spawn`.
    pub goid: Goid,
    /// The goroutine that made it.
    pub parent_goid: Goid,
    /// pc of the `go` statement.
    pub gopc: usize,
    /// Its function.
    pub(crate) startpc: usize,
    /// The program's labels for profiles, an object of the heap or 0, which the goroutines that it
    /// starts begin with. Written by the owner.
    pub labels: usize,
    /// When it began to wait, see [`crate::prof::wait`].
    pub(crate) blocked_since: i64,
    /// When it began to wait for a lock, if that is measured; see [`crate::prof::metrics`].
    pub(crate) lock_since: i64,
    /// The goroutines that it comes from, the nearest first, if somebody asks; see
    /// [`crate::prof::ancestors`].
    pub ancestors: Option<Arc<Vec<Arc<Ancestor>>>>,
    /// When it came to wait, or could run again; 0 while it runs, and while no prompt is attached.
    /// Written by the owner.
    pub(crate) waitsince: AtomicI64,
    /// When it was put into a P's ring last, and the P's number: while a prompt is attached.
    /// Written by the owner.
    pub(crate) in_ring: (plain::AtomicI64, plain::AtomicUsize),
    /// The number of the place in a queue that it was given last, while events are recorded.
    /// Written by the owner.
    pub(crate) place: plain::AtomicU64,
    /// Counts departures from `Running`, to sample every 8th.
    pub(crate) tracking_seq: u8,
    /// This departure is sampled.
    pub(crate) tracking: bool,
    /// When it became runnable, if sampled.
    pub(crate) runnable_stamp: i64,
    /// Position in the list of all Gs.
    pub(crate) index: usize,
    /// The input of a prompt that it comes from, by the number of that one's goroutine; 0 is none.
    pub(crate) input: u64,
    /// Its thread and time for the detector of races, see [`crate::race`]; 0: it has none yet.
    pub(crate) race: std::cell::Cell<u64>,
    /// For which mark of the collector its stack has been looked at last.
    pub(crate) seen: crate::gc::concurrent::Seen,
    /// How the goroutine of an input ends: a [`crate::prompt::Ended`].
    pub(crate) ending: u8,
    _pin: PhantomPinned,
}

/// Every how many departures from `Running` the delay until the next start is sampled.
const TRACKING_PERIOD: u8 = 8;

impl G {
    /// Is it the main goroutine? That is the first to be made.
    #[inline]
    pub fn is_main(&self) -> bool {
        self.goid.0 == 1
    }

    /// Where its function begins.
    pub fn start(&self) -> usize {
        self.startpc
    }

    /// A descriptor without a stack, `Idle`.
    pub fn new() -> G {
        G {
            stackguard0: AtomicUsize::new(0),
            loop_guard: AtomicUsize::new(0),
            m: ptr::null_mut(),
            stack_lo: 0,
            stack_hi: 0,
            sched: Gobuf::default(),
            vm: [0; VM_WORDS],
            param: ptr::null_mut(),
            status: AtomicU32::new(Status::Idle as u32),
            waitreason: AtomicU8::new(0),
            preempt: AtomicBool::new(false),
            preempt_stop: AtomicBool::new(false),
            fenced: AtomicBool::new(false),
            preempt_shrink: AtomicBool::new(false),
            select_done: AtomicU32::new(0),
            parking_on_chan: AtomicBool::new(false),
            active_stack_chans: AtomicBool::new(false),
            move_due: false,
            stands_at: 0,
            throwsplit: false,
            is_system: false,
            is_held: AtomicBool::new(false),
            lockedm: AtomicPtr::new(ptr::null_mut()),
            schedlink: ptr::null_mut(),
            waiting: ptr::null_mut(),
            timer: ptr::null_mut(),
            bubble: ptr::null_mut(),
            coro: ptr::null_mut(),
            native: None,
            native_state: 0,
            syscallsp: 0,
            syscallpc: 0,
            goid: Goid(0),
            parent_goid: Goid(0),
            gopc: 0,
            startpc: 0,
            labels: 0,
            blocked_since: 0,
            lock_since: 0,
            ancestors: None,
            waitsince: AtomicI64::new(0),
            in_ring: (plain::AtomicI64::new(0), plain::AtomicUsize::new(0)),
            place: plain::AtomicU64::new(0),
            tracking_seq: 0,
            tracking: false,
            runnable_stamp: 0,
            index: 0,
            input: 0,
            race: std::cell::Cell::new(0),
            seen: crate::gc::concurrent::Seen::new(),
            ending: 0,
            _pin: PhantomPinned,
        }
    }

    /// The status with the scan bit.
    #[inline]
    pub(crate) fn status_bits(&self) -> u32 {
        // Acquire: pairs with the Release of the status writers.
        self.status.load(Ordering::Acquire)
    }

    /// The status without the scan bit.
    #[inline]
    pub fn status(&self) -> Status {
        Status::from_bits(self.status_bits()).unwrap_or(Status::Dead)
    }

    /// Decides whether the time from runnable to running is counted, by the number of departures.
    #[inline]
    pub(crate) fn sample(&mut self) {
        self.tracking = self.tracking_seq.is_multiple_of(TRACKING_PERIOD) || fault!(TrackAll);
    }

    /// Why it waits, or waited last.
    pub fn wait_reason(&self) -> WaitReason {
        WAIT_REASONS[usize::from(self.waitreason.load(Ordering::Relaxed))].0
    }

    /// Moves the status from `from` to `to`, waiting while `suspend_g` holds the scan bit.
    ///
    /// Dies if the status is neither `from` nor `from` with the scan bit.
    #[inline]
    pub fn cas_status(&self, from: Status, to: Status) {
        // AcqRel: hands over the fields of G1.
        if self
            .status
            .compare_exchange(from as u32, to as u32, Ordering::AcqRel, Ordering::Relaxed)
            .is_err()
        {
            self.cas_status_slow(from, to);
        }
        edges::g(self, from, to, Scan::No);
    }

    #[cold]
    fn cas_status_slow(&self, from: Status, to: Status) {
        const YIELD_DELAY_NS: i64 = 5_000;
        let mut next_yield = crate::clock::real_nanotime() + YIELD_DELAY_NS;
        loop {
            match self.status.compare_exchange(
                from as u32,
                to as u32,
                Ordering::AcqRel,
                Ordering::Relaxed,
            ) {
                Ok(_) => return,
                Err(seen) if seen == from as u32 | SCAN => {
                    if crate::clock::real_nanotime() < next_yield {
                        pause(10);
                    } else {
                        os_yield();
                        next_yield = crate::clock::real_nanotime() + YIELD_DELAY_NS / 2;
                    }
                }
                Err(seen) => self.bad_status(from, seen),
            }
        }
    }

    #[cold]
    fn bad_status(&self, from: Status, seen: u32) -> ! {
        if from == Status::Waiting && seen == Status::Runnable as u32 {
            crate::throw!("casgstatus: waiting for Gwaiting but is Grunnable");
        }
        crate::throw!(
            "bad g->status: goroutine {} is {seen:#x}, expected {:#x}",
            self.goid.0,
            from as u32
        );
    }

    /// Sets the scan bit if the status is `from`; the caller then owns the stack.
    pub(crate) fn cas_to_scan(&self, from: Status) -> bool {
        // Acquire: the stack as its last owner left it.
        let done = self
            .status
            .compare_exchange(
                from as u32,
                from as u32 | SCAN,
                Ordering::AcqRel,
                Ordering::Relaxed,
            )
            .is_ok();
        if done {
            edges::g(self, from, from, Scan::Set);
        }
        done
    }

    /// From `Running` to `Preempted` with the scan bit: see [`crate::preempt`].
    pub(crate) fn cas_preempted_scan(&self) {
        while self
            .status
            .compare_exchange(
                Status::Running as u32,
                Status::Preempted as u32 | SCAN,
                Ordering::AcqRel,
                Ordering::Relaxed,
            )
            .is_err()
        {
            pause(1);
        }
        edges::g(self, Status::Running, Status::Preempted, Scan::Set);
    }

    /// Drops the scan bit, which the caller has set.
    pub(crate) fn cas_from_scan(&self, to: Status) {
        // Release: pairs with the Acquire of the stack's next owner.
        if self
            .status
            .compare_exchange(
                to as u32 | SCAN,
                to as u32,
                Ordering::AcqRel,
                Ordering::Relaxed,
            )
            .is_err()
        {
            crate::throw!("casfrom_Gscanstatus: gp->status is not in scan state");
        }
        edges::g(self, to, to, Scan::Drop);
    }

    /// The normal value of `stackguard0`.
    #[inline]
    pub fn normal_guard(&self) -> usize {
        self.stack_hi - crate::stack::SLACK
    }
}

impl Default for G {
    fn default() -> G {
        G::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_fields_stand_where_handlers_expect_them() {
        assert_eq!(std::mem::offset_of!(G, stackguard0), 0);
        assert_eq!(std::mem::offset_of!(G, loop_guard), 8);
        assert_eq!(std::mem::offset_of!(G, m), 16);
        assert_eq!(std::mem::offset_of!(G, sched), 40);
        assert_eq!(std::mem::offset_of!(G, vm), 72);
        assert_eq!(std::mem::offset_of!(G, param), 72 + 8 * VM_WORDS);
    }

    #[test]
    fn wait_reasons_are_numbered_as_in_go() {
        for (i, (r, _)) in WAIT_REASONS.iter().enumerate() {
            assert_eq!(*r as usize, i);
        }
        assert_eq!(WaitReason::ChanReceive as u8, 19);
        assert_eq!(WaitReason::CleanupWait as u8, 46);
        assert_eq!(WaitReason::StoppingTheWorld as u8, 33);
    }
}
