#![allow(unsafe_code)]
//! What the scheduler does and why: the event stream, counters, schedtrace and scheddetail lines,
//! the histogram of scheduling delays.
//!
//! Events are recorded only while somebody listens; else each costs the test of one word.
//!
//! # Invariants
//!
//! - X1. Readers of other threads' Ms, Ps and Gs use atomics, or fields only written before
//!   publication; what they print may be a moment old.
//!
//! Go: runtime/proc.go, schedtrace; runtime/trace*.go; runtime/histogram.go.

use std::fmt::Write;

use crate::clock::nanotime;
use crate::engine::YieldKind;
use crate::g::{G, Goid};
use crate::lockrank::Rank;
use crate::m::M;
use crate::p::{P, PStatus};
use crate::sched::{SCHED, for_each_g, gomaxprocs, try_allp};
use crate::sync::{AtomicBool, AtomicI64, AtomicU64, Guarded, Ordering};

/// Why a G was chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// It was in `runnext`.
    Runnext,
    /// It was the head of the local ring.
    Local,
    /// The 61st tick looked at the global queue first.
    Global61,
    /// The local queue was empty; a batch came from the global one.
    Global,
    /// The network poller had it.
    Netpoll,
    /// It was the oldest of `n` stolen from a ring.
    Steal {
        /// How many were taken.
        n: u32,
        /// From which P.
        from: u32,
    },
    /// It was stolen from another P's `runnext`.
    StealNext {
        /// From which P.
        from: u32,
    },
}

/// Where a preempted G stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// At a function's prologue.
    Prologue,
    /// At a loop safepoint.
    Loop,
    /// By a signal, inside a fenced native.
    Signal,
}

/// What happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// A G was made.
    Create,
    /// A G was chosen, and why.
    Chosen(Why),
    /// A G begins to run.
    Start,
    /// A G waits.
    Block,
    /// A waiting G was made runnable.
    Unblock,
    /// A G stays runnable but stops.
    Yield(YieldKind),
    /// A G has ended.
    End,
    /// A G was found to be asked to stop.
    Preempted(Way),
    /// sysmon asked the G on this P to stop.
    Asked,
    /// sysmon took this P from a system call.
    Retaken,
    /// `find_runnable` came to this step of its table (debug builds).
    Step(u8),
    /// A P was given away, by this row of the table of `handoff_p`.
    Handoff(u8),
    /// A ring was full; so many Gs went to the global queue.
    Overflow(u32),
    /// An M was made, with this number.
    Thread(i64),
    /// An M wanted to search: allowed or not, searchers and busy Ps as read.
    Spin {
        /// Whether it might.
        ok: bool,
        /// Searchers.
        n: i32,
        /// Busy Ps.
        busy: i32,
    },
    /// Timers of this P were run by a thief.
    TimersStolen(u32),
    /// A system call begins.
    SyscallBegin,
    /// It ended, with a P.
    SyscallEnd,
    /// It ended, without one.
    SyscallBlocked,
}

/// One event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    /// When.
    pub ns: i64,
    /// On which M, −1 if none.
    pub m: i64,
    /// With which P, −1 if none.
    pub p: i64,
    /// About which G, 0 if none.
    pub g: Goid,
    /// What.
    pub what: What,
}

/// Whether events are recorded. Written by `listen`.
static ON: AtomicBool = AtomicBool::new(false);
static EVENTS: Guarded<Vec<Event>> = Guarded::new(Rank::Leaf, Vec::new());

/// Begins or ends recording.
pub fn listen(on: bool) {
    ON.store(on, Ordering::Relaxed);
}

/// The events recorded since the last call.
pub fn take_events() -> Vec<Event> {
    std::mem::take(&mut *EVENTS.lock())
}

#[inline]
fn on() -> bool {
    ON.load(Ordering::Relaxed)
}

#[cold]
#[inline(never)]
fn record(m: *const M, p: *const P, g: *const G, what: What) {
    // SAFETY: descriptors are never freed; ids are written before publication.
    let e = unsafe {
        let p = if p.is_null() && !m.is_null() {
            (*m).p.cast_const()
        } else {
            p
        };
        Event {
            ns: nanotime(),
            m: m.as_ref().map_or(-1, |m| m.id),
            p: p.as_ref().map_or(-1, |p| p.id as i64),
            g: g.as_ref().map_or(Goid(0), |g| g.goid),
            what,
        }
    };
    EVENTS.lock().push(e);
}

macro_rules! hooks {
    ($($(#[$doc:meta])* $name:ident($($arg:ident: $ty:ty),*) => ($m:expr, $p:expr, $g:expr, $what:expr);)*) => {$(
        $(#[$doc])*
        #[inline]
        pub(crate) fn $name($($arg: $ty),*) {
            if on() {
                record($m, $p, $g, $what);
            }
        }
    )*};
}

const NONE_M: *const M = std::ptr::null();
const NONE_P: *const P = std::ptr::null();
const NONE_G: *const G = std::ptr::null();

hooks! {
    why(m: *const M, g: *const G, w: Why) => (m, NONE_P, g, What::Chosen(w));
    go_create(m: *const M, g: *const G) => (m, NONE_P, g, What::Create);
    go_start(m: *const M, g: *const G) => (m, NONE_P, g, What::Start);
    go_block(m: *const M, g: *const G) => (m, NONE_P, g, What::Block);
    go_unblock(m: *const M, g: *const G) => (m, NONE_P, g, What::Unblock);
    go_yield(m: *const M, g: *const G, k: YieldKind) => (m, NONE_P, g, What::Yield(k));
    go_end(m: *const M, g: *const G) => (m, NONE_P, g, What::End);
    preempted(m: *const M, g: *const G, w: Way) => (m, NONE_P, g, What::Preempted(w));
    asked(p: *const P) => (NONE_M, p, NONE_G, What::Asked);
    retaken(p: *const P) => (NONE_M, p, NONE_G, What::Retaken);
    handoff(m: *const M, p: *const P, row: u8) => (m, p, NONE_G, What::Handoff(row));
    overflow(m: *const M, n: usize) => (m, NONE_P, NONE_G, What::Overflow(n as u32));
    thread_made(m: *const M, id: i64) => (m, NONE_P, NONE_G, What::Thread(id));
    spin(m: *const M, ok: bool, n: i32, busy: i32) => (m, NONE_P, NONE_G, What::Spin { ok, n, busy });
    timers_stolen(m: *const M, p: *const P) => (m, p, NONE_G, What::TimersStolen(0));
    syscall_begin(m: *const M) => (m, NONE_P, NONE_G, What::SyscallBegin);
    syscall_end(m: *const M) => (m, NONE_P, NONE_G, What::SyscallEnd);
    syscall_blocked(m: *const M) => (m, NONE_P, NONE_G, What::SyscallBlocked);
}

/// `find_runnable` has come to this step.
#[inline]
pub(crate) fn step(m: *const M, n: u8) {
    if cfg!(debug_assertions) && on() {
        record(m, NONE_P, NONE_G, What::Step(n));
    }
}

// ---- delays ---------------------------------------------------------------------------------

/// Buckets: powers of two from 2^9 ns, four each; plus underflow and overflow.
pub const BUCKETS: usize = 4 * 36;
static LATENCY: [AtomicU64; BUCKETS + 2] = [const { AtomicU64::new(0) }; BUCKETS + 2];

/// The bucket of a duration: 0 is underflow, `BUCKETS + 1` overflow.
pub fn bucket(ns: i64) -> usize {
    const MIN_BITS: u32 = 9;
    if ns < 1 << MIN_BITS {
        return 0;
    }
    let top = 63 - ns.leading_zeros();
    let sub = (ns >> (top - 2)) & 3;
    let i = ((top - MIN_BITS) * 4) as usize + sub as usize;
    1 + i.min(BUCKETS)
}

/// Counts the time a sampled G was runnable.
#[cold]
pub(crate) unsafe fn latency(g: *mut G) {
    // SAFETY: context — the G's owner.
    unsafe {
        (*g).tracking = false;
        let d = nanotime() - (*g).runnable_stamp;
        (*g).runnable_stamp = 0;
        LATENCY[bucket(d)].fetch_add(1, Ordering::Relaxed);
    }
}

/// Counts of scheduling delays by bucket; see [`bucket`].
pub fn latencies() -> Vec<u64> {
    LATENCY.iter().map(|c| c.load(Ordering::Relaxed)).collect()
}

// ---- schedtrace -----------------------------------------------------------------------------

static BEGAN: AtomicI64 = AtomicI64::new(0);

/// Prints the line, or the lines, of GODEBUG=schedtrace.
///
/// Context: any thread; sched lock not held.
pub fn sched_trace(detailed: bool) {
    crate::panic::print(format_args!("{}", sched_text(detailed)));
}

/// The text of [`sched_trace`].
pub fn sched_text(detailed: bool) -> String {
    let now = nanotime();
    let _ = BEGAN.compare_exchange(0, now, Ordering::Relaxed, Ordering::Relaxed);
    let mut s = String::with_capacity(256);
    let _guard = SCHED.lock.guard();
    // Writing to a String cannot fail.
    let _ = write_text(&mut s, now, detailed);
    s
}

fn write_text(s: &mut String, now: i64, detailed: bool) -> std::fmt::Result {
    let Some(all) = try_allp() else { return Ok(()) };
    // SAFETY: the lock is held; X1 for the rest.
    unsafe {
        let l = SCHED.locked();
        write!(
            s,
            "SCHED {}ms: gomaxprocs={} idleprocs={} threads={} spinningthreads={} \
             needspinning={} idlethreads={} runqueue={}",
            (now - BEGAN.load(Ordering::Relaxed)) / 1_000_000,
            gomaxprocs(),
            SCHED.npidle.load(Ordering::Relaxed),
            l.mnext - l.nmfreed,
            SCHED.nmspinning.load(Ordering::Relaxed),
            SCHED.needspinning.load(Ordering::Relaxed),
            if fault!(SchedtraceNoIdle) {
                -1
            } else {
                l.nmidle
            },
            SCHED.runqsize.load(Ordering::Relaxed)
        )?;
        if detailed {
            writeln!(
                s,
                " gcwaiting={} nmidlelocked={} stopwait={} sysmonwait={}",
                SCHED.gcwaiting.load(Ordering::Relaxed),
                l.nmidlelocked,
                l.stopwait,
                SCHED.sysmonwait.load(Ordering::Relaxed)
            )?;
        } else {
            write!(s, " [ ")?;
            for &p in &all.ps {
                write!(s, "{} ", (*p).runq.ring_len())?;
            }
            write!(s, "] schedticks=[ ")?;
            for &p in &all.ps {
                write!(s, "{} ", (*p).schedtick.load(Ordering::Relaxed))?;
            }
            return writeln!(s, "]");
        }
        for (i, &p) in all.ps.iter().enumerate() {
            let m = (*p).m.load(Ordering::Relaxed);
            writeln!(
                s,
                "  P{i}: status={} schedtick={} syscalltick={} m={} runqsize={} gfreecnt={} \
                 timerslen={}",
                (*p).status() as u32,
                (*p).schedtick.load(Ordering::Relaxed),
                (*p).syscalltick.load(Ordering::Relaxed),
                or_nil(m.as_ref().map(|m| m.id)),
                (*p).runq.ring_len(),
                std::ptr::read_volatile(&raw const (*p).gfree.n),
                (*p).timers.len()
            )?;
        }
        let mut m = SCHED.allm.load(Ordering::Acquire);
        while !m.is_null() {
            let locked = (*m).lockedg.load(Ordering::Relaxed);
            writeln!(
                s,
                "  M{}: p={} curg={} mallocing=0 throwing={} preemptoff={} locks={} dying={} \
                 spinning={} blocked={} lockedg={}",
                (*m).id,
                or_nil(
                    (*m).p_seen
                        .load(Ordering::Relaxed)
                        .as_ref()
                        .map(|p| p.id as i64)
                ),
                or_nil(
                    (*m).curg_seen
                        .load(Ordering::Relaxed)
                        .as_ref()
                        .map(|g| g.goid.0 as i64)
                ),
                i32::from((*m).dying.load(Ordering::Relaxed) > 0),
                (*m).preemptoff,
                std::ptr::read_volatile(&raw const (*m).locks),
                (*m).dying.load(Ordering::Relaxed),
                (*m).spinning.load(Ordering::Relaxed),
                (*m).blocked.load(Ordering::Relaxed),
                or_nil(locked.as_ref().map(|g| g.goid.0 as i64))
            )?;
            m = (*m).alllink;
        }
        let mut r = Ok(());
        for_each_g(|g| {
            let m = std::ptr::read_volatile(&raw const (*g).m);
            let locked = (*g).lockedm.load(Ordering::Relaxed);
            let w = writeln!(
                s,
                "  G{}: status={}({}) m={} lockedm={}",
                (*g).goid.0,
                (*g).status_bits(),
                (*g).wait_reason().text(),
                or_nil(m.as_ref().map(|m| m.id)),
                or_nil(locked.as_ref().map(|m| m.id))
            );
            r = r.and(w);
        });
        r
    }
}

fn or_nil(id: Option<i64>) -> String {
    id.map_or_else(|| "nil".to_string(), |i| i.to_string())
}

/// Gs in the ring of the caller's P, `runnext` included, and the P's tick: the (s, T) that fix
/// the run orders of a single P.
pub fn ring_and_tick(m: &mut M) -> (usize, u32) {
    let p = m.p();
    let next = usize::from(!p.runq.peek_next().is_null());
    debug_assert_eq!(p.status(), PStatus::Running);
    (
        p.runq.ring_len() + next,
        p.schedtick.load(Ordering::Relaxed),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_monotonic_and_start_at_512ns() {
        assert_eq!(bucket(0), 0);
        assert_eq!(bucket(511), 0);
        assert_eq!(bucket(512), 1);
        assert_eq!(bucket(640), 2);
        assert_eq!(bucket(1024), 5);
        assert_eq!(bucket(i64::MAX), BUCKETS + 1);
    }
}
