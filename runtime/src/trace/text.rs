#![allow(unsafe_code)]
//! The lines of GODEBUG=schedtrace and scheddetail.
//!
//! # Invariants
//!
//! - X1. Readers of other threads' Ms, Ps and Gs use atomics, or fields only written before
//!   publication; what they print may be a moment old.
//!
//! Go: runtime/proc.go, schedtrace.

use std::fmt::Write;

use crate::clock::nanotime;
use crate::m::M;
use crate::p::PStatus;
use crate::sched::{SCHED, for_each_g, gomaxprocs, try_allp};
use crate::sync::{AtomicI64, Ordering, usleep};

static BEGAN: AtomicI64 = AtomicI64::new(0);

/// Prints the line, or the lines, of GODEBUG=schedtrace.
///
/// Context: any thread; sched lock not held.
pub(crate) fn sched_trace(detailed: bool) {
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

/// What [`sched_text`] tells, as numbers.
pub(super) struct Look {
    pub(super) idle: i32,
    pub(super) threads: i64,
    pub(super) idle_threads: i64,
    pub(super) searching: i32,
    pub(super) global: i64,
    pub(super) ps: Vec<LookP>,
}

/// A P; −1 and 0 where there is no M and no G.
pub(super) struct LookP {
    pub(super) status: &'static str,
    pub(super) m: i64,
    pub(super) g: u64,
    pub(super) runnext: u64,
    pub(super) ring: usize,
    pub(super) tick: u32,
}

/// What there is to see; none before the runtime has started, or if it is dying.
pub(super) fn look() -> Option<Look> {
    let all = try_allp()?;
    // Whoever dies may hold it.
    if !(0..10).any(|_| {
        SCHED.lock.try_lock() || {
            usleep(1000);
            false
        }
    }) {
        return None;
    }
    // SAFETY: the lock is held; X1 for the rest.
    let look = unsafe {
        let l = SCHED.locked();
        let ps = all.ps.iter().map(|&p| {
            let m = (*p).m.load(Ordering::Relaxed).as_ref();
            let g = m.and_then(|m| m.curg_seen.load(Ordering::Relaxed).as_ref());
            LookP {
                status: (*p).status().name(),
                m: m.map_or(-1, |m| m.id),
                g: g.map_or(0, |g| g.goid.0),
                runnext: (*p).runq.peek_next().as_ref().map_or(0, |g| g.goid.0),
                ring: (*p).runq.ring_len(),
                tick: (*p).schedtick.load(Ordering::Relaxed),
            }
        });
        Look {
            idle: SCHED.npidle.load(Ordering::Relaxed),
            threads: l.mnext - l.nmfreed,
            idle_threads: l.nmidle,
            searching: SCHED.nmspinning.load(Ordering::Relaxed),
            global: SCHED.runqsize.load(Ordering::Relaxed) as i64,
            ps: ps.collect(),
        }
    };
    SCHED.lock.unlock();
    Some(look)
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
            if fault!(SchedtraceNoGlobal) {
                0
            } else {
                SCHED.runqsize.load(Ordering::Relaxed)
            }
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
            let m = if fault!(DetailWithoutMs) {
                std::ptr::null_mut()
            } else {
                m
            };
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

/// Gs in the ring of the caller's P, `runnext` included, and the P's tick: the (s, T) that fix the
/// run orders of a single P. For tests.
pub fn ring_and_tick(m: &mut M) -> (usize, u32) {
    let p = m.p();
    let next = usize::from(!p.runq.peek_next().is_null());
    debug_assert_eq!(p.status(), PStatus::Running);
    (
        p.runq.ring_len() + next,
        p.schedtick.load(Ordering::Relaxed),
    )
}
