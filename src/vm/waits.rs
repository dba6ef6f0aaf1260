#![allow(unsafe_code)]
//! Natives' way to the locks, queues and timers of the runtime: safe functions over Go memory.
//!
//! # Invariants
//!
//! - W1. The pointers come from parameters whose Go types (`*sync.Mutex`, `*sync.notifyList`,
//!   `*time.Timer`, …) have the runtime's layout; nil is refused first.
//! - W2. A native that blocks leaves at once, and nothing of it remains on the native stack;
//!   [`resume`] completes it.
//! - W3. A tick's record is a [`Tick`] on the heap.
//! - W4. Before every call of `(*sync.Mutex).Lock` or
//!   `Unlock` stands the instruction that begins it.
//!
//! Go: the linknames of sync and time.

use gosched_runtime::YieldKind;
use gosched_runtime::chan::{self, Chan};
use gosched_runtime::clock;
use gosched_runtime::g::G;
use gosched_runtime::heap;
use gosched_runtime::m::M;
use gosched_runtime::mutex::{self, Mutex, RwMutex, SyncOp, WaitGroup};
use gosched_runtime::pool::{self, Place};
use gosched_runtime::sema::{self, NotifyList};
use gosched_runtime::timer::{self, Timer};

use super::engine;
use super::frame::Words;
use super::native::{Cx, FuncVal, NativeResult, Ptr, Res, Stop};
use super::synthetic::{self, Synthetic};
use super::value::heap_layouts;

/// Turns the runtime's answer into the native's.
fn answer(cx: &mut Cx, op: SyncOp) -> Res<()> {
    match op {
        SyncOp::Done => Ok(()),
        SyncOp::Yield => cx.yield_now(YieldKind::Local, None),
        SyncOp::Blocked => cx.parked(Some(resume)),
        SyncOp::Fatal(text) => cx.fatal(text),
        SyncOp::Panic(text) => cx.panic(text),
    }
}

/// What completes a wait once the goroutine has been woken.
fn resume(cx: &mut Cx) -> NativeResult {
    let (m, g) = both(cx);
    // SAFETY: W2 — the goroutine has parked after `Blocked`.
    let op = unsafe { mutex::resume(m, g) };
    super::native::finish(answer(cx, op), cx)
}

/// M and G, which are distinct objects.
fn both(cx: &mut Cx) -> (&mut M, &mut G) {
    // SAFETY: both are live while the native runs, and the `Cx` is borrowed as long as they are.
    unsafe { (&mut *cx.m_ptr(), &mut *cx.g_ptr()) }
}

macro_rules! waits {
    ($($(#[$doc:meta])* $name:ident($t:ty) => |$m:ident, $g:ident, $p:ident| $op:expr;)*) => { $(
        $(#[$doc])*
        pub fn $name(cx: &mut Cx, p: Ptr) -> Res<()> {
            let $p = p.check()? as *mut $t;
            let ($m, $g) = both(cx);
            let _ = &$g;
            // SAFETY: W1, W4.
            let op = unsafe { $op };
            answer(cx, op)
        }
    )* };
}
waits! {
    /// `(*sync.Mutex).Lock`, when `Op::LockJump` has not got it
    lock(Mutex) => |m, g, p| mutex::lock_slow(m, g, p);
    /// `(*sync.Mutex).Unlock`, as far as `Op::UnlockJump` has not done it
    unlock(Mutex) => |m, g, p| mutex::unlock_slow(m, p, (*Words::at(g)).mutex);
    /// `(*sync.RWMutex).Lock`
    rw_lock(RwMutex) => |m, g, p| mutex::rw_lock(m, g, p);
    /// `(*sync.RWMutex).Unlock`
    rw_unlock(RwMutex) => |m, g, p| mutex::rw_unlock(m, p);
    /// `(*sync.RWMutex).RLock`
    rlock(RwMutex) => |m, g, p| mutex::rlock(m, g, p);
    /// `(*sync.RWMutex).RUnlock`
    runlock(RwMutex) => |m, g, p| mutex::runlock(m, p);
    /// `(*sync.WaitGroup).Wait`
    wait_group_wait(WaitGroup) => |m, g, p| mutex::wait_group_wait(m, g, p);
}

/// `(*sync.WaitGroup).Add`
pub fn wait_group_add(cx: &mut Cx, p: Ptr, delta: i64) -> Res<()> {
    let p = p.check()? as *const WaitGroup;
    let (m, _) = both(cx);
    // SAFETY: W1.
    let op = unsafe { mutex::wait_group_add(m, p, delta) };
    answer(cx, op)
}

/// `(*sync.Mutex).TryLock`
pub fn try_lock(p: Ptr) -> Res<bool> {
    let p = p.check()? as *const Mutex;
    // SAFETY: W1.
    Ok(unsafe { mutex::try_lock(p) })
}

/// `(*sync.RWMutex).TryLock`
pub fn rw_try_lock(cx: &mut Cx, p: Ptr) -> Res<bool> {
    let p = p.check()? as *const RwMutex;
    // SAFETY: W1.
    Ok(unsafe { mutex::rw_try_lock(cx.m(), p) })
}

/// `(*sync.RWMutex).TryRLock`
pub fn try_rlock(p: Ptr) -> Res<bool> {
    let p = p.check()? as *const RwMutex;
    // SAFETY: W1.
    Ok(unsafe { mutex::try_rlock(p) })
}

/// Tells the collector of a place of a `sync.Pool`.
pub fn list_pool(p: Ptr) -> Res<()> {
    let p = p.check()? as *mut Place;
    // SAFETY: W1; package sync calls this pinned, for places that are not listed.
    unsafe { pool::list(p) };
    Ok(())
}

/// Takes a ticket of a `sync.Cond`.
pub fn notify_add(p: Ptr) -> Res<u32> {
    let p = p.check()? as *mut NotifyList;
    // SAFETY: W1.
    Ok(unsafe { sema::notify_add(p) })
}

/// Waits until the ticket is called.
pub fn notify_wait(cx: &mut Cx, p: Ptr, ticket: u32) -> Res<()> {
    let p = p.check()? as *mut NotifyList;
    let (m, g) = both(cx);
    // SAFETY: W1.
    let op = unsafe { sema::notify_wait(m, g, p, ticket) };
    answer(cx, op)
}

/// Calls one ticket, or all.
pub fn notify(cx: &mut Cx, p: Ptr, all: bool) -> Res<()> {
    let p = p.check()? as *mut NotifyList;
    let (m, _) = both(cx);
    // SAFETY: W1.
    unsafe {
        if all {
            sema::notify_all(m, p);
        } else {
            sema::notify_one(m, p);
        }
    }
    Ok(())
}

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
    /// The time now, less `late_ns`.
    fn now(late_ns: i64, loc: usize) -> Instant {
        const UNIX_TO_INTERNAL: i64 = (1969 * 365 + 1969 / 4 - 1969 / 100 + 1969 / 400) * 86_400;
        const MIN_WALL: i64 = (1884 * 365 + 1884 / 4 - 1884 / 100 + 1884 / 400) * 86_400;
        let wall = clock::walltime() - late_ns;
        let (sec, nsec) = (
            wall.div_euclid(1_000_000_000),
            wall.rem_euclid(1_000_000_000),
        );
        let since_1885 = sec + UNIX_TO_INTERNAL - MIN_WALL;
        let wall = 1 << 63 | (since_1885 as u64) << 30 | nsec as u64;
        Instant {
            wall,
            ext: clock::nanotime() - late_ns,
            loc,
        }
    }
}

/// Sends a tick. `arg` is the record of W3.
unsafe fn tick(m: &mut M, arg: usize, _seq: usize, late_ns: i64) {
    // SAFETY: W3.
    unsafe {
        let Tick { c, loc } = (arg as *const Tick).read();
        let t = Instant::now(late_ns, loc);
        chan::send_tick(m, c, (&raw const t).cast());
    }
}

/// Starts a goroutine that calls the func value `arg`.
unsafe fn go(m: &mut M, arg: usize, _seq: usize, _late_ns: i64) {
    engine::spawn(m, arg, synthetic::at(Synthetic::GoFunc));
}

/// Makes and starts a `*time.Timer` (or Ticker, if `period` is positive) with a channel;
/// its times are in `loc`.
pub fn new_chan_timer(cx: &mut Cx, ns: i64, period: i64, loc: Ptr) -> Ptr {
    let c = chan::make_timer_chan(cx.m(), size_of::<Instant>(), instant_layout());
    let record = cx.alloc(size_of::<Tick>(), tick_layout()).cast::<Tick>();
    // SAFETY: W3 — fresh memory; the timer's function fits its argument, the channel is its own.
    unsafe {
        heap::store_ptr((&raw mut (*record).c).cast(), c as usize);
        heap::store_ptr(&raw mut (*record).loc, loc.0);
        Ptr(timer::new_timer(cx.m(), timer::when(ns), period, tick, record as usize, c) as usize)
    }
}

/// Makes and starts a `*time.Timer` that calls `f` in a goroutine.
pub fn new_func_timer(cx: &mut Cx, ns: i64, f: FuncVal) -> Ptr {
    // SAFETY: the function fits its argument.
    Ptr(
        unsafe { timer::new_timer(cx.m(), timer::when(ns), 0, go, f.0, std::ptr::null_mut()) }
            as usize,
    )
}

/// `(*time.Timer).Stop`
pub fn stop_timer(t: Ptr) -> Res<bool> {
    let t = t.check()? as *mut Timer;
    // SAFETY: W1.
    Ok(unsafe { timer::stop(t) })
}

/// `(*time.Timer).Reset`
pub fn reset_timer(cx: &mut Cx, t: Ptr, ns: i64, period: i64) -> Res<bool> {
    let t = t.check()? as *mut Timer;
    // SAFETY: W1.
    Ok(unsafe { timer::set(cx.m(), t, timer::when(ns), period) })
}

/// `runtime.Goexit`
pub fn goexit<T>() -> Res<T> {
    Err(Stop::Goexit)
}
