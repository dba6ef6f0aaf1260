//! The virtual clock: it stands still while a goroutine can run, but for its readings, and jumps to
//! the next timer when none can.

use super::outside::hears_outside;
use super::{JUMPS_LEFT, LINGERING, STATE, calls, finish, too_many};
use crate::sched::SCHED;
use crate::sync::plain::{AtomicI64, AtomicU32, Ordering};
use crate::sync::usleep;
use crate::{netpoll, sysmon};

/// Wall time at which a virtual clock begins, in nanoseconds since the Unix epoch: when Go became
/// public, as on its playground.
const EPOCH: i64 = 1_257_894_000_000_000_000;
/// What a virtual clock shows first.
const BEGIN: i64 = 1;
/// By how much a reading advances a virtual clock, the first time and at most: a loop that waits
/// for the time to pass must end.
const FIRST_STEP: i64 = 1;
const MOST_STEP: i64 = 10_000_000;

/// How often, and for how long, to wait for what is on its way from the kernel.
const PATIENCE: u32 = 20;
const ARRIVES_US: u64 = 100;

/// The virtual clock. Written by the M that holds the one P.
static NOW: AtomicI64 = AtomicI64::new(BEGIN);
/// By how much the next reading advances it.
static STEP: AtomicI64 = AtomicI64::new(FIRST_STEP);

/// How often it was waited for the kernel since time passed. Written by the M that holds the one P.
static WAITED: AtomicU32 = AtomicU32::new(0);

/// What the virtual clock shows.
pub(crate) fn now() -> i64 {
    NOW.load(Ordering::Relaxed)
}

/// The wall time that goes with it.
pub(crate) fn wall_now() -> i64 {
    EPOCH + now() - BEGIN
}

/// The program reads the clock, which goes on a little.
pub(crate) fn read_clock() {
    let step = STEP.load(Ordering::Relaxed);
    STEP.store((step * 2).min(MOST_STEP), Ordering::Relaxed);
    NOW.fetch_add(step, Ordering::Relaxed);
}

/// Lets the virtual clock jump to the next timer, if there is one. What is on its way from the
/// kernel gets a moment to arrive before; while a system call waits for an answer from outside, no
/// time passes. `true`: look again for what can run.
///
/// Context: g0 with a P; nothing can run.
pub(crate) fn passes_time() -> bool {
    let next = sysmon::next_timer();
    let lingers = LINGERING.load(Ordering::Relaxed);
    if next == 0 && !lingers {
        return false;
    }
    // Read before the queue: a G whose call was answered is queued before it stops being awaited.
    let awaits = calls::is_awaited();
    if SCHED.runqsize.load(Ordering::Relaxed) != 0 {
        return true;
    }
    if awaits && !lingers {
        return false;
    }
    let hears = awaits || netpoll::waiters() > 0 && hears_outside();
    if hears && WAITED.fetch_add(1, Ordering::Relaxed) < PATIENCE {
        usleep(ARRIVES_US);
        return true;
    }
    WAITED.store(0, Ordering::Relaxed);
    if lingers && next == 0 {
        finish(false);
    }
    if lingers && JUMPS_LEFT.fetch_sub(1, Ordering::Relaxed) == 0 {
        finish(true);
    }
    if !STATE.lock().count() {
        too_many();
    }
    jump(next);
    true
}

/// Sets the clock forward to `when`.
pub(super) fn jump(when: i64) {
    super::falls_silent();
    NOW.fetch_max(when, Ordering::Relaxed);
    STEP.store(FIRST_STEP, Ordering::Relaxed);
}
