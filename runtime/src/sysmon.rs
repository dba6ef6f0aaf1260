#![allow(unsafe_code)]
//! The watcher: a thread without P that retakes Ps from system calls, asks Gs that run too long to
//! stop, polls the network when no other M does, and forces collections.
//!
//! # Invariants
//!
//! - Y1. It never runs Gs, holds no P, and is not counted for deadlocks.
//!
//! Go: runtime/proc.go, sysmon, retake.

// The watcher lives by the machine's clock, whatever the program is shown.
use crate::clock::real_nanotime as nanotime;
use crate::control::calls::{self, Watch};
use crate::control::tape;
use crate::knobs::{self, Knob};
use crate::m::M;
use crate::p::{GList, P, PStatus};
use crate::proc::{self, Helper};
use crate::sched::{SCHED, allp, gomaxprocs};
use crate::switches::{self, Mech};
use crate::sync::{AtomicI64, AtomicU64, Ordering, usleep};
use crate::trace::Retake;
use crate::{control, cpus, gc, limits, netpoll, preempt, signal, trace};

/// A slice: how long a G may run.
const SLICE_NS: i64 = 10_000_000;
/// sysmon polls the network if it has not been polled for this long.
const POLL_NS: i64 = 10_000_000;
/// A collection is forced after this time without one.
pub const FORCE_GC_NS: i64 = 120_000_000_000;
/// The time in force, [`FORCE_GC_NS`] unless a test has called [`set_force_gc`].
static FORCE_GC: AtomicI64 = AtomicI64::new(FORCE_GC_NS);
/// How often the machine is asked how many CPUs there are.
const UPDATE_PROCS_NS: i64 = 1_000_000_000;
/// Delays between rounds: first, and at most.
const MIN_US: u64 = 20;
const MAX_US: u64 = 10_000;
/// Rounds without a retake before the delay grows.
const QUIET: u32 = 50;

/// Rounds done, and nanoseconds slept; for tests.
pub static ROUNDS: AtomicU64 = AtomicU64::new(0);
/// Ps taken from system calls; for tests.
pub static RETAKEN: AtomicU64 = AtomicU64::new(0);
/// Wakes from deep sleep; for tests.
pub static WOKEN: AtomicU64 = AtomicU64::new(0);
/// See [`ROUNDS`].
pub static SLEPT_NS: AtomicU64 = AtomicU64::new(0);
/// When the last collection ended. Written by the collector through `collected`.
static LAST_GC: AtomicI64 = AtomicI64::new(0);

/// Sets after how much time without a collection one is forced; for tests. Go:
/// runtime.forcegcperiod.
pub fn set_force_gc(ns: i64) {
    FORCE_GC.store(ns, Ordering::Relaxed);
}

/// Tells sysmon that a collection has ended.
pub(crate) fn collected(now: i64) {
    LAST_GC.store(now, Ordering::Relaxed);
}

/// Starts the thread.
///
/// Context: g0.
pub fn start(m: &mut M) {
    let id = {
        let _s = SCHED.lock.guard();
        // SAFETY: the lock is held.
        unsafe { SCHED.locked().nmsys += 1 };
        proc::reserve_id()
    };
    LAST_GC.store(nanotime(), Ordering::Relaxed);
    proc::launch_system(m, id, run);
}

/// How long to wait before the next round: 20 µs, doubled from the 51st quiet round on, at most
/// 10 ms.
fn delay_us(idle: u32, delay: u64) -> u64 {
    if idle == 0 {
        MIN_US
    } else if idle > QUIET && !fault!(SysmonFixedDelay) {
        (delay * 2).min(MAX_US)
    } else {
        delay
    }
}

/// Whether it has been started.
pub(crate) fn is_running() -> bool {
    SCHED.main_started.load(Ordering::SeqCst)
}

/// Wakes it from deep sleep.
pub(crate) fn poke() {
    SCHED.sysmonnote.poke();
}

fn run(m: *mut M) {
    let mut idle = 0;
    let mut delay = 0;
    let mut last_trace = 0;
    let mut last_procs = nanotime();
    let (mut ran, mut same) = (0, 0);
    let mut watch = Watch::default();
    loop {
        delay = delay_us(idle, delay);
        usleep(delay);
        ROUNDS.fetch_add(1, Ordering::Relaxed);
        SLEPT_NS.fetch_add(delay * 1000, Ordering::Relaxed);
        let mut now = nanotime();
        let trace_ms = i64::from(knobs::get(Knob::SchedTrace));
        if trace_ms <= 0 && is_quiet() && deep_sleep(now) {
            idle = 0;
            delay = MIN_US;
            WOKEN.fetch_add(1, Ordering::Relaxed);
        }
        signal::check_dump(m);
        limits::check_time();
        if control::is_on() {
            // What sysmon does otherwise would decide something.
            // SAFETY: context — g0 of a P-less M.
            unsafe { retake_from_sleeper(m, &mut watch) };
            SCHED.sysmonnote.tsleep(MAX_US as i64 * 1000);
            SCHED.sysmonnote.clear();
            continue;
        }
        if tape::is_on() {
            usleep(SLICE_NS as u64 / 2000);
            let tick = slice_tick();
            same = if tick == ran { same + 1 } else { 0 };
            ran = tick;
            tape::ticks(same >= 2);
            continue;
        }
        let guard = SCHED.sysmonlock.guard();
        now = nanotime();
        let last = SCHED.lastpoll.load(Ordering::SeqCst);
        if netpoll::waiters() > 0 && is_poll_old(last, now) && switches::on(Mech::SysmonNetpoll) {
            let _ = SCHED
                .lastpoll
                .compare_exchange(last, now, Ordering::SeqCst, Ordering::Relaxed);
            let list = netpoll::poll(0);
            if list.n > 0 {
                // One more M counts as running, lest the deadlock check fire in between.
                proc::inc_idle_locked(-1);
                // SAFETY: the Gs are ours.
                unsafe { proc::inject_list(m, list) };
                proc::inc_idle_locked(1);
            }
        }
        // SAFETY: context — g0 of a P-less M.
        if unsafe { retake(m, now) } > 0 {
            idle = 0;
        } else {
            idle += 1;
        }
        if LAST_GC.load(Ordering::Relaxed) + FORCE_GC.load(Ordering::Relaxed) < now
            && !fault!(NoForcedGc)
        {
            wake(m, Helper::ForceGc);
        }
        let scavenge = gc::next_scavenge();
        if scavenge != 0 && scavenge <= now {
            wake(m, Helper::Scavenger);
        }
        if last_procs + UPDATE_PROCS_NS <= now {
            last_procs = now;
            if !knobs::has_custom_procs()
                && knobs::get(Knob::UpdateMaxProcs) >= 0
                && cpus::usable() != gomaxprocs()
            {
                wake(m, Helper::Updater);
            }
        }
        if trace_ms > 0 && last_trace + trace_ms * 1_000_000 <= now {
            last_trace = now;
            trace::sched_trace(knobs::get(Knob::SchedDetail) > 0);
        }
        drop(guard);
    }
}

/// Which slice the one P of a recorded run is in.
fn slice_tick() -> u32 {
    let p = allp().ps.first();
    // SAFETY: Ps are never freed; an atomic is read.
    p.map_or(0, |p| unsafe { (**p).slicetick.load(Ordering::Relaxed) })
}

/// Whether the last poll was so long ago that sysmon polls; not if an M blocks in one, which `last`
/// says by 0.
fn is_poll_old(last: i64, now: i64) -> bool {
    last != 0 && (last + POLL_NS < now || fault!(SysmonPollsAlways))
}

/// Wakes a helper if it is parked.
fn wake(m: *mut M, h: Helper) {
    let g = proc::take_helper(h);
    if !g.is_null() {
        let mut list = GList::new();
        // SAFETY: taking the helper gave us its wake-up.
        unsafe {
            list.push(g);
            proc::inject_list(m, list);
        }
    }
}

fn is_quiet() -> bool {
    switches::on(Mech::SysmonSleep)
        && (SCHED.gcwaiting.load(Ordering::SeqCst)
            || SCHED.npidle.load(Ordering::SeqCst) == gomaxprocs())
}

/// Sleeps until there is something to watch; `true` if it was woken.
fn deep_sleep(now: i64) -> bool {
    SCHED.lock.lock();
    let mut woken = false;
    if is_quiet() {
        // Virtual time does not pass by itself.
        let next = if control::is_virtual() {
            0
        } else {
            next_timer()
        };
        if next == 0 || next > now {
            SCHED.sysmonwait.store(true, Ordering::SeqCst);
            SCHED.lock.unlock();
            let mut ns = FORCE_GC.load(Ordering::Relaxed) / 2;
            for due in [next, gc::next_scavenge()] {
                if due != 0 {
                    ns = ns.min((due - now).max(MIN_US as i64 * 1000));
                }
            }
            let scavenge = gc::next_scavenge();
            if scavenge != 0 {
                ns = ns.min((scavenge - now).max(1));
            }
            woken = SCHED.sysmonnote.tsleep(ns);
            SLEPT_NS.fetch_add((nanotime() - now).max(0) as u64, Ordering::Relaxed);
            SCHED.lock.lock();
            SCHED.sysmonwait.store(false, Ordering::SeqCst);
            SCHED.sysmonnote.clear();
        }
    }
    SCHED.lock.unlock();
    woken
}

/// When the first timer of any P is due, 0 if there is none.
pub(crate) fn next_timer() -> i64 {
    let mut next = 0;
    for &p in &allp().ps {
        // SAFETY: Ps are never freed; an atomic is read.
        let when = unsafe { (*p).timers.next_when() };
        if when != 0 && (next == 0 || when < next) {
            next = when;
        }
    }
    next
}

/// What to do about one P.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Decision {
    preempt: bool,
    retake: Option<Retake>,
}

/// Looks at one P, updating sysmon's memory of it.
fn decide(p: &P, tick: &mut crate::p::SysmonTick, now: i64, others: i32) -> Decision {
    let s = p.status();
    let mut d = Decision {
        preempt: false,
        retake: None,
    };
    let mut force = false;
    let paused_ns = p.paused_ns.load(Ordering::Relaxed);
    tick.schedwhen += paused_ns - tick.paused_ns;
    tick.paused_ns = paused_ns;
    if s == PStatus::Running || s == PStatus::Syscall {
        let t = p.slicetick.load(Ordering::Relaxed);
        if tick.schedtick != t {
            tick.schedtick = t;
            tick.schedwhen = now;
        } else if tick.schedwhen + SLICE_NS <= now {
            d.preempt = !fault!(AskNever);
            // A P in a system call has no M to ask.
            force = true;
        }
    }
    if fault!(AskAlways) {
        d.preempt = true;
    }
    if s == PStatus::Syscall && switches::on(Mech::Retake) {
        let t = p.syscalltick.load(Ordering::Relaxed);
        if !force && tick.syscalltick != t {
            tick.syscalltick = t;
            tick.syscallwhen = now;
            return d;
        }
        d.retake = if !p.runq.is_empty() && !fault!(RetakeIgnoresWork) {
            Some(Retake::Work)
        } else if others <= 0 {
            Some(Retake::NobodyIdle)
        } else if tick.syscallwhen + SLICE_NS <= now || fault!(RetakeAlways) {
            Some(Retake::Expired)
        } else {
            None
        };
    }
    d
}

/// Takes Ps from long system calls and asks long runners to stop; how many Ps it took.
pub(crate) unsafe fn retake(m: *mut M, now: i64) -> u32 {
    let mut n = 0;
    // SAFETY: `sysmontick` is ours alone; syscall::C2 for the Ps.
    unsafe {
        for &p in &allp().ps {
            let others =
                SCHED.nmspinning.load(Ordering::Relaxed) + SCHED.npidle.load(Ordering::Relaxed);
            let mut tick = (*p).sysmontick;
            let d = decide(&*p, &mut tick, now, others);
            (*p).sysmontick = tick;
            if d.preempt && preempt::one(m, p) {
                trace::asked(m, p, now - tick.schedwhen);
            }
            if let Some(why) = d.retake {
                n += u32::from(take(m, p, why, now - tick.syscallwhen));
            }
        }
    }
    n
}

/// Takes `p` from a system call, if that still holds it, and gives it to another M.
///
/// # Safety
///
/// Context: g0 of an M without P; `p` is a P.
unsafe fn take(m: *mut M, p: *mut P, why: Retake, lasts: i64) -> bool {
    // SAFETY: by the contract; syscall::C2.
    unsafe {
        // Keeps the deadlock check from firing while sysmon owns the P.
        proc::inc_idle_locked(-1);
        let number = match control::is_virtual() {
            true => calls::list(),
            false => None,
        };
        let is_taken = (*p).cas_status(PStatus::Syscall, PStatus::Idle);
        if is_taken {
            RETAKEN.fetch_add(1, Ordering::Relaxed);
            (*p).syscalltick.fetch_add(1, Ordering::Relaxed);
            trace::retaken(m, p, why, lasts);
            proc::handoff_p(m, p);
        } else if number.is_some() {
            calls::unlist(number);
        }
        proc::inc_idle_locked(1);
        is_taken
    }
}

/// In a controlled run: takes the P from a system call that sleeps.
///
/// # Safety
///
/// Context: g0 of an M without P.
unsafe fn retake_from_sleeper(m: *mut M, watch: &mut Watch) {
    for &p in &allp().ps {
        // SAFETY: Ps are never freed; the contract.
        unsafe {
            if (*p).status() == PStatus::Syscall && watch.is_over(&*p) {
                take(m, p, Retake::Expired, 0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::p::SysmonTick;

    #[test]
    fn t31b_delays() {
        let (mut idle, mut delay, mut seen) = (0, 0, Vec::new());
        for _ in 0..63 {
            delay = delay_us(idle, delay);
            seen.push(delay);
            idle += 1;
        }
        assert!(seen[..51].iter().all(|&d| d == 20));
        assert_eq!(
            seen[51..],
            [
                40, 80, 160, 320, 640, 1280, 2560, 5120, 10_000, 10_000, 10_000, 10_000
            ]
        );
    }

    #[test]
    fn t31_the_network_is_polled_if_the_last_poll_is_10_ms_old() {
        let ms = 1_000_000;
        for (last, now, old) in [
            (5 * ms, 5 * ms, false),
            (5 * ms, 15 * ms, false),
            (5 * ms, 15 * ms + 1, true),
            // An M blocks in the poller.
            (0, 15 * ms, false),
        ] {
            assert_eq!(is_poll_old(last, now), old, "{last} {now}");
        }
    }

    #[test]
    fn t32_decisions() {
        let p = P::new(0);
        let old = SysmonTick {
            paused_ns: 0,
            schedtick: 0,
            schedwhen: 1,
            syscalltick: 0,
            syscallwhen: 1,
        };
        let ms = 1_000_000;
        let go = |p: &P, now, others| decide(p, &mut old.clone(), now, others);
        p.set_status(PStatus::Running);
        assert_eq!(
            go(&p, 5 * ms, 1),
            Decision {
                preempt: false,
                retake: None
            }
        );
        assert_eq!(
            go(&p, 12 * ms, 1),
            Decision {
                preempt: true,
                retake: None
            }
        );
        p.set_status(PStatus::Syscall);
        // Other Ms look for work, nothing waits on this P, and 10 ms have not passed.
        assert_eq!(
            go(&p, 5 * ms, 1),
            Decision {
                preempt: false,
                retake: None
            }
        );
        assert_eq!(
            go(&p, 5 * ms, 0),
            Decision {
                preempt: false,
                retake: Some(Retake::NobodyIdle)
            }
        );
        assert_eq!(
            go(&p, 12 * ms, 1),
            Decision {
                preempt: true,
                retake: Some(Retake::Expired)
            }
        );
        p.syscalltick.store(7, Ordering::Relaxed);
        assert_eq!(
            go(&p, 5 * ms, 0),
            Decision {
                preempt: false,
                retake: None
            }
        );
        p.set_status(PStatus::Idle);
        assert_eq!(
            go(&p, 50 * ms, 0),
            Decision {
                preempt: false,
                retake: None
            }
        );
    }
}
