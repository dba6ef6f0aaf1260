#![allow(unsafe_code)]
//! Natives' way to the timers of the runtime: safe functions over Go memory.
//!
//! # Invariants
//!
//! - T1. The pointers come from parameters of the Go type `*time.Timer`, which has the runtime's
//!   layout; nil is refused first.
//! - T2. A tick's record is a [`Tick`] on the heap.
//! - T3. The argument of a timer that calls is a func value, which the timer keeps alive.
//!
//! Go: the linknames of time.

use gosched_runtime::bubble;
use gosched_runtime::chan::{self, Chan};
use gosched_runtime::clock;
use gosched_runtime::heap;
use gosched_runtime::m::M;
use gosched_runtime::mutex::SyncOp;
use gosched_runtime::timer::{self, Timer};

use crate::sync::natives::waits::{answer, both};
use vm::native::{self, Cx, FuncVal, Ptr, Res};
use vm::value::heap_layouts;

/// `time.Sleep`
pub fn sleep(cx: &mut Cx, ns: i64) -> Res<()> {
    let (m, g) = both(cx);
    match timer::sleep(m, g, ns) {
        SyncOp::Blocked => cx.parked(None),
        op => answer(cx, op),
    }
}

/// A `time.Time`, as the Go source of package time lays it out.
#[repr(C)]
struct Instant {
    wall: u64,
    ext: i64,
    loc: usize,
}

/// What a timer with a channel sends: a tick's record.
#[repr(C)]
struct Tick {
    c: *mut Chan,
    /// Where the times are.
    loc: usize,
}

heap_layouts! {
    fn instant_layout = Instant { wall: Scalar, ext: Scalar, loc: Pointer }
    fn tick_layout = Tick { c: Pointer, loc: Pointer }
}

impl Instant {
    /// The time now, less `late_ns`, for the timer that `m` fires.
    fn now(m: &M, late_ns: i64, loc: usize) -> Instant {
        const UNIX_TO_INTERNAL: i64 = (1969 * 365 + 1969 / 4 - 1969 / 100 + 1969 / 400) * 86_400;
        const MIN_WALL: i64 = (1884 * 365 + 1884 / 4 - 1884 / 100 + 1884 / 400) * 86_400;
        let in_bubble = bubble::now(m);
        let wall = in_bubble.unwrap_or_else(clock::walltime) - late_ns;
        let (sec, nsec) = (
            wall.div_euclid(1_000_000_000),
            wall.rem_euclid(1_000_000_000),
        );
        if in_bubble.is_some() {
            return Instant {
                wall: nsec as u64,
                ext: sec + UNIX_TO_INTERNAL,
                loc,
            };
        }
        let since_1885 = sec + UNIX_TO_INTERNAL - MIN_WALL;
        let wall = 1 << 63 | (since_1885 as u64) << 30 | nsec as u64;
        Instant {
            wall,
            ext: clock::nanotime() - late_ns,
            loc,
        }
    }
}

/// Sends a tick. `arg` is the record of T2.
unsafe fn tick(m: &mut M, arg: usize, _seq: usize, late_ns: i64) {
    // SAFETY: T2.
    unsafe {
        let Tick { c, loc } = (arg as *const Tick).read();
        let t = Instant::now(m, late_ns, loc);
        chan::send_tick(m, c, (&raw const t).cast());
    }
}

/// Starts a goroutine that calls the func value `arg`.
unsafe fn go(m: &mut M, arg: usize, _seq: usize, _late_ns: i64) {
    // SAFETY: T3.
    native::spawn_for_timer(m, unsafe { FuncVal::from_raw(arg) });
}

/// Makes and starts a `*time.Timer` (or Ticker, if `period` is positive) with a channel;
/// its times are in `loc`.
pub(crate) fn new_chan_timer(cx: &mut Cx, ns: i64, period: i64, loc: Ptr) -> Ptr {
    let c = chan::make_timer_chan(cx.m(), size_of::<Instant>(), instant_layout());
    let record = cx.alloc(size_of::<Tick>(), tick_layout()).cast::<Tick>();
    // SAFETY: T2 — fresh memory; the timer's function fits its argument, the channel is its own.
    unsafe {
        heap::store_ptr((&raw mut (*record).c).cast(), c as usize);
        heap::store_ptr(&raw mut (*record).loc, loc.addr());
        let when = timer::when_here(cx.m(), ns);
        let t = timer::new_timer(cx.m(), when, period, tick, record as usize, c);
        Ptr::from_raw(t as usize)
    }
}

/// Makes and starts a `*time.Timer` that calls `f` in a goroutine.
pub(crate) fn new_func_timer(cx: &mut Cx, ns: i64, f: FuncVal) -> Ptr {
    let no_chan = std::ptr::null_mut();
    // SAFETY: T3.
    unsafe {
        let when = timer::when_here(cx.m(), ns);
        let t = timer::new_timer(cx.m(), when, 0, go, f.addr(), no_chan);
        Ptr::from_raw(t as usize)
    }
}

/// `(*time.Timer).Stop`
pub(crate) fn stop_timer(cx: &mut Cx, t: Ptr) -> Res<bool> {
    let t = t.check()? as *mut Timer;
    // SAFETY: T1.
    unsafe {
        timer::check_bubble(cx.m(), t, "stop");
        Ok(timer::stop(t))
    }
}

/// `(*time.Timer).Reset`
pub(crate) fn reset_timer(cx: &mut Cx, t: Ptr, ns: i64, period: i64) -> Res<bool> {
    let t = t.check()? as *mut Timer;
    // SAFETY: T1.
    unsafe {
        timer::check_bubble(cx.m(), t, "reset");
        let when = timer::when_here(cx.m(), ns);
        Ok(timer::set(cx.m(), t, when, period))
    }
}
