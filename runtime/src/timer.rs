//! Timers: the heap of each P; Sleep, channel timers, AfterFunc.
//!
//! A timer calls a function when its time has come. Each P keeps the timers set by its Gs in a heap
//! with four children per node; the owner runs those that are due when it looks for work, and so do
//! thieves. Stopping and changing a timer only mark it; the next M to work on the heap puts that
//! right.
//!
//! A timer with a channel is in a heap only while a goroutine waits on the channel. Otherwise the
//! channel operations themselves look whether it is due ([`maybe_run_chan`]); so a forgotten ticker
//! costs nothing and can be collected. Its channel has room for one tick but looks unbuffered, and
//! after Stop and Reset nothing stale is in it.
//!
//! # Invariants
//!
//! - K1. The fields of a timer are guarded by its `lock`, but for `chan`, which never changes,
//!   and `seq`, which is written under both its locks.
//! - K2. `state` has `HEAPED` just when `heap` is not null and that heap has one entry for it.
//!   `MODIFIED` (the entry's time is old) and `ZOMBIE` (to be taken out) only come with `HEAPED`.
//! - K3. A P's `entries` are guarded by its lock, taken before a timer's. The atomics beside it are
//!   for reading without it.
//! - K4. A modified entry is never earlier than `first_modified`, so an M that trusts the atomics
//!   wakes in time.
//! - K5. A tick is sent under `send_lock`, only if `seq` is still that of the setting it belongs
//!   to.
//! - K6. Timers in a heap are kept alive by it ([`scan`]); Ps and Gs are never freed.
//!
//! Go: runtime/time.go.

#![allow(unsafe_code)]

use std::mem::{offset_of, size_of};
use std::ptr;

use crate::chan::{self, Chan};
use crate::clock::nanotime;
use crate::control::operation::Act;
use crate::g::{G, WaitReason};
use crate::heap::{self, LayoutId, WordKind};
use crate::lockrank::Rank;
use crate::m::{M, ParkArg};
use crate::mutex::SyncOp;
use crate::p::P;
use crate::sync::{AtomicI32, AtomicU8, AtomicU32, Lock, Ordering};
use crate::{RootVisitor, bubble, control, proc, race, tls, trace};

mod queue;

pub(crate) use queue::Timers;
use queue::{Entry, Queue};

#[cfg(test)]
mod tests;

/// See [`Timer`]'s field `me`.
const ME: usize = 0x7469_6d65_725f_6d65;

const HEAPED: u8 = 1;
const MODIFIED: u8 = 2;
const ZOMBIE: u8 = 4;

/// What a timer calls when it fires: with its `arg`, its `seq`, and by how many nanoseconds it is
/// late.
///
/// For a channel timer `arg` is the channel, and the function makes the tick and calls
/// [`chan::send_tick`].
///
/// Context: g0 or coroutine, with a P; no lock held but the timer's `send_lock`; must not block.
type TimerFn = unsafe fn(m: &mut M, arg: usize, seq: usize, late_ns: i64);

/// A timer: a heap object, to which Go's `*time.Timer` and `*time.Ticker` point; those see the
/// first two words.
#[repr(C)]
#[derive(Debug)]
pub struct Timer {
    /// Go's field `C`. The program may change it.
    c: *mut Chan,
    /// Go's field `initTimer`: 1.
    init: usize,
    /// Its own address, disguised by [`ME`]: what has it is no copy. Set by `new_timer`.
    me: usize,
    /// The channel it feeds, or null.
    chan: *mut Chan,
    arg: usize,
    func: Option<TimerFn>,
    /// When it fires, 0 if it is not set.
    when: i64,
    /// Nanoseconds between ticks, 0 if it fires once.
    period: i64,
    /// Counts settings of a channel timer (K5).
    seq: usize,
    /// The heap it is in, or null.
    heap: *const Timers,
    lock: Lock,
    /// Held while a tick is sent.
    send_lock: Lock,
    /// Goroutines that wait on the channel.
    blocked: u32,
    /// Ticks which were begun but not yet sent. Raised under `lock`, lowered under `send_lock`.
    sending: AtomicI32,
    state: u8,
    /// It runs on the clock of the bubble that it was set in. Never changes.
    is_fake: bool,
    /// `state` as of the last unlock, for reading without the lock.
    seen: AtomicU8,
}

fn timer_layout() -> LayoutId {
    /// 0 until it is registered; that twice does no harm. Written here.
    static LAYOUT: AtomicU32 = AtomicU32::new(0);
    let known = LAYOUT.load(Ordering::Relaxed);
    if known != 0 {
        return LayoutId(known);
    }
    let mut words = [WordKind::Scalar; size_of::<Timer>() / 8];
    words[offset_of!(Timer, c) / 8] = WordKind::Pointer;
    words[offset_of!(Timer, chan) / 8] = WordKind::Pointer;
    // The timer's function knows what `arg` is.
    words[offset_of!(Timer, arg) / 8] = WordKind::Maybe;
    let id = heap::register_layout(size_of::<Timer>(), &words);
    LAYOUT.store(id.0, Ordering::Relaxed);
    id
}

impl Timer {
    const fn new(chan: *mut Chan) -> Timer {
        Timer {
            c: chan,
            init: 1,
            me: 0,
            chan,
            arg: 0,
            func: None,
            when: 0,
            period: 0,
            seq: 0,
            heap: ptr::null(),
            lock: Lock::new(Rank::Timer),
            send_lock: Lock::new(Rank::TimerSend),
            blocked: 0,
            sending: AtomicI32::new(0),
            state: 0,
            is_fake: false,
            seen: AtomicU8::new(0),
        }
    }
}

/// The time `ns` nanoseconds from now, as timers want it: never before now, at most the end of
/// time.
pub fn when(ns: i64) -> i64 {
    after(nanotime(), ns)
}

/// As [`when`], by the clock of the goroutine that `m` runs.
pub fn when_here(m: &M, ns: i64) -> i64 {
    after(bubble::now(m).unwrap_or_else(nanotime), ns)
}

fn after(now: i64, ns: i64) -> i64 {
    if ns <= 0 { now } else { now.saturating_add(ns) }
}

/// Ends the program if `t`, which a goroutine wants to stop or reset, belongs to a bubble, and the
/// goroutine is in none.
///
/// # Safety
///
/// `t` came from [`new_timer`], as far as the program can be trusted.
pub unsafe fn check_bubble(m: &M, t: *mut Timer, does: &str) {
    // SAFETY: what passes the check is a timer.
    unsafe {
        check(t);
        if (*t).is_fake && !bubble::is_in(m) {
            crate::fatal!("{does} of synctest timer from outside bubble");
        }
    }
}

/// Makes a timer that calls `func(arg)` at `when`, and then every `period` nanoseconds if that is
/// positive. With a channel, made by [`chan::make_timer_chan`], it feeds that.
///
/// Context: with a P; no lock held.
///
/// # Safety
///
/// `func` may be called with `arg`; `chan` is null or a channel that no other timer feeds.
///
/// Go: runtime/time.go, newTimer.
pub unsafe fn new_timer(
    m: &mut M,
    when: i64,
    period: i64,
    func: TimerFn,
    arg: usize,
    chan: *mut Chan,
) -> *mut Timer {
    // SAFETY: fresh memory is ours, and the timer is not used before it is written.
    unsafe {
        let t = heap::alloc(m, size_of::<Timer>(), timer_layout()).cast::<Timer>();
        t.write(Timer::new(ptr::null_mut()));
        if !chan.is_null() {
            heap::store_ptr((&raw mut (*t).c).cast(), chan as usize);
            heap::store_ptr((&raw mut (*t).chan).cast(), chan as usize);
            heap::store_ptr((&raw mut (*chan).timer).cast(), t as usize);
        }
        (*t).me = t as usize ^ ME;
        (*t).func = Some(func);
        (*t).is_fake = bubble::is_in(m);
        heap::store_ptr(&raw mut (*t).arg, arg);
        set_any(m, t, when, period);
        t
    }
}

/// A timer in the runtime's own memory, never freed, which calls `func` with `arg`.
pub(crate) fn runtime_timer(func: TimerFn, arg: usize) -> *mut Timer {
    let t = Box::leak(Box::new(Timer::new(ptr::null_mut())));
    t.me = ptr::from_ref(t) as usize ^ ME;
    t.func = Some(func);
    t.arg = arg;
    t
}

/// Dies unless `t` is what [`new_timer`] made. The program sees the first two words of a timer as
/// a struct, which it can copy; the copy is not a timer.
///
/// # Safety
///
/// `t` points into memory that can be read.
unsafe fn check(t: *const Timer) {
    // SAFETY: the caller's; the word is only looked at.
    if unsafe { (&raw const (*t).me).read_volatile() } != t as usize ^ ME {
        crate::throw!("timer data corruption");
    }
}

/// Stops the timer; `true` if it would still have fired, or had a tick that was not received.
///
/// Context: with a P; no lock held.
///
/// # Safety
///
/// `t` came from [`new_timer`], as far as the program can be trusted.
///
/// Go: runtime/time.go, stop.
pub unsafe fn stop(t: *mut Timer) -> bool {
    // SAFETY: what passes the check is a timer.
    unsafe {
        check(t);
        stop_any(t)
    }
}

/// What else is done to the object at this address concerns who stops or sets the timer: its
/// channel, or, if it has none, itself.
///
/// # Safety
///
/// As [`stop`]; or null.
pub unsafe fn object(t: *const Timer) -> u64 {
    // SAFETY: the caller's; what is its own address disguised is a timer.
    unsafe {
        let is_timer = !t.is_null() && (&raw const (*t).me).read_volatile() == t as usize ^ ME;
        match is_timer && !(*t).chan.is_null() {
            true => (*t).chan as u64,
            false => t as u64,
        }
    }
}

/// Of timers that are due together, and whose channels one `select` waits for, any may be the
/// first: a controlled run decides.
///
/// # Safety
///
/// The entries are those of a heap whose lock is held, by the M that holds the one P.
unsafe fn choose_first(entries: &mut [Entry], now: i64) {
    let waiter = |e: &Entry| {
        // SAFETY: K1; with one P nobody touches the channel meanwhile.
        unsafe {
            let c = (*e.timer).chan;
            let is_set = (*e.timer).seen.load(Ordering::Relaxed) & (MODIFIED | ZOMBIE) == 0;
            let s = c.as_ref().filter(|_| is_set)?.first_receiver().as_ref()?;
            s.is_select.then_some(s.g)
        }
    };
    let Some(first) = entries.first().filter(|e| e.when <= now) else {
        return;
    };
    let Some(g) = waiter(first) else { return };
    let is_like = |e: &Entry| e.when == first.when && waiter(e) == Some(g);
    let all: Vec<usize> = (0..entries.len())
        .filter(|i| is_like(&entries[*i]))
        .collect();
    entries.swap(0, all[control::case(Act::Time, all.len())]);
}

/// Of timers of a bubble that are due together, any may be the first: the order shall not be one
/// that programs rely on.
fn draw_first(m: &mut M, entries: &mut [Entry]) {
    let mut at = 0;
    while let Some(i) = queue::tied_child(entries, at, m.p().rand.next32()) {
        at = i;
    }
    if at != 0 {
        entries.swap(0, at);
    }
}

/// # Safety
///
/// `t` is a timer.
unsafe fn stop_any(t: *mut Timer) -> bool {
    // SAFETY: K1, K5.
    unsafe {
        let c = (*t).chan;
        if !c.is_null() {
            (*t).send_lock.lock();
        }
        lock(t);
        if (*t).state & HEAPED != 0 {
            (*t).state |= MODIFIED;
            make_zombie(t);
        }
        let mut pending = (*t).when > 0;
        (*t).when = 0;
        if !c.is_null() {
            (*t).seq = (*t).seq.wrapping_add(1);
            // A tick that is being sent will find `seq` changed.
            pending |= (*t).period == 0 && (*t).sending.load(Ordering::Relaxed) > 0;
        }
        unlock(t);
        if !c.is_null() {
            pending |= chan::drain(c);
            (*t).send_lock.unlock();
        }
        pending || fault!(StopSaysTrue)
    }
}

/// Sets the timer anew, whether it is set or not; the result is as [`stop`]'s.
///
/// Context: with a P; no lock held.
///
/// # Safety
///
/// `t` came from [`new_timer`], as far as the program can be trusted; `when > 0`, `period >= 0`.
///
/// Go: runtime/time.go, reset and modify.
pub unsafe fn set(m: &mut M, t: *mut Timer, when: i64, period: i64) -> bool {
    // SAFETY: what passes the check is a timer.
    unsafe {
        check(t);
        set_any(m, t, when, period)
    }
}

/// # Safety
///
/// `t` is a timer.
unsafe fn set_any(m: &mut M, t: *mut Timer, when: i64, period: i64) -> bool {
    if when <= 0 {
        crate::throw!("timer when must be positive");
    }
    if period < 0 {
        crate::throw!("timer period must be non-negative");
    }
    // SAFETY: K1 to K5.
    unsafe {
        if race::is_on() {
            race::timer_set(m, t as usize);
        }
        let c = (*t).chan;
        if !c.is_null() {
            (*t).send_lock.lock();
        }
        lock(t);
        let old_period = (*t).period;
        (*t).period = period;
        let mut pending = (*t).when > 0;
        (*t).when = when;
        let mut wake = false;
        if (*t).state & HEAPED != 0 {
            (*t).state |= MODIFIED;
            if (*t).state & ZOMBIE != 0 {
                (*t).state &= !ZOMBIE;
                (*(*t).heap).zombies.fetch_sub(1, Ordering::Relaxed);
            }
            let first = (*(*t).heap).first_modified.load(Ordering::SeqCst);
            if first == 0 || when < first {
                wake = true;
                // In this order: an M that sees the new time must also find the timer marked (K4).
                (*t).seen.store((*t).state, Ordering::SeqCst);
                (*(*t).heap).lower_first_modified(when);
            }
        }
        let add = wants_heap(t);
        if add && c.is_null() && (*t).is_fake && bubble::now(m).is_some_and(|now| when <= now) {
            // At once, and not when all of its bubble wait.
            fire(m, t, when, None);
            return pending;
        }
        if !c.is_null() {
            (*t).seq = (*t).seq.wrapping_add(1);
            pending |= old_period == 0 && (*t).sending.load(Ordering::Relaxed) > 0;
        }
        unlock(t);
        if !c.is_null() {
            pending |= chan::drain(c);
            (*t).send_lock.unlock();
        }
        if ((add && add_to_heap(m, t)) || wake) && !(*t).is_fake {
            proc::wake_net_poller(m, when);
        }
        pending
    }
}

/// # Safety
///
/// `t` is a timer.
#[inline]
unsafe fn lock(t: *mut Timer) {
    // SAFETY: the caller's.
    unsafe { (*t).lock.lock() };
}

/// Publishes the state and unlocks.
///
/// # Safety
///
/// `t` is a timer whose lock the caller holds.
#[inline]
unsafe fn unlock(t: *mut Timer) {
    // SAFETY: the caller's.
    unsafe {
        (*t).seen.store((*t).state, Ordering::Release);
        (*t).lock.unlock();
    }
}

/// Marks a timer to be taken out of its heap.
///
/// # Safety
///
/// The timer's lock is held, and it is in a heap.
unsafe fn make_zombie(t: *mut Timer) {
    // SAFETY: K1, K2.
    unsafe {
        if (*t).state & ZOMBIE == 0 {
            (*t).state |= ZOMBIE;
            (*(*t).heap).zombies.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Whether the timer should be in a heap and is not.
///
/// # Safety
///
/// The timer's lock is held.
unsafe fn wants_heap(t: *mut Timer) -> bool {
    // SAFETY: K1.
    unsafe {
        (*t).state & HEAPED == 0 && (*t).when > 0 && ((*t).chan.is_null() || (*t).blocked > 0)
    }
}

/// Puts the timer into the heap of `m`'s P, or of its bubble, if it still wants that. `true` if it
/// is now the first of the P: then the M that polls must be told, once no lock is held.
///
/// # Safety
///
/// `t` is a timer; neither its lock nor a heap's is held.
unsafe fn add_to_heap(m: &mut M, t: *mut Timer) -> bool {
    // SAFETY: K1 to K3.
    unsafe {
        let ts: *const Timers = match bubble::current(m).filter(|_| (*t).is_fake) {
            Some(b) => &raw const b.timers,
            None => &raw const m.p().timers,
        };
        let mut heap = (*ts).lock();
        heap.clean_ends();
        lock(t);
        let mut first = false;
        if wants_heap(t) {
            (*t).state |= HEAPED;
            let next = (*ts).next_when();
            first = (next == 0 || (*t).when < next) && !(*t).is_fake;
            heap.insert(t);
        }
        unlock(t);
        first
    }
}

/// What [`check_timers`] did.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Checked {
    /// The time, read if it was not given.
    pub(crate) now: i64,
    /// When the next timer of that P is due, 0 if there is none.
    pub(crate) poll_until: i64,
    /// At least one was run.
    pub(crate) ran: bool,
}

/// Runs the expired timers of `p`, readying Gs on `m`'s P. `now` is 0 if not yet read.
///
/// Context: g0 of `m`, which holds a P, perhaps another one than `p`; no lock held.
///
/// Go: runtime/time.go, check.
#[inline]
pub(crate) fn check_timers(m: &mut M, p: &P, now: i64) -> Checked {
    let next = p.timers.next_when();
    if next == 0 {
        return Checked {
            now,
            poll_until: 0,
            ran: false,
        };
    }
    check_slow(m, p, next, now)
}

fn check_slow(m: &mut M, p: &P, next: i64, now: i64) -> Checked {
    let ts = &p.timers;
    let mut now = if now == 0 { nanotime() } else { now };
    if fault!(EarlyTimers) {
        now += 2_000_000;
    }
    // Only the owner takes out marked timers: a thief runs what is due.
    let own = ptr::eq(m.p, p);
    if now < next && !(own && ts.many_zombies()) {
        return Checked {
            now,
            poll_until: next,
            ran: false,
        };
    }
    let mut checked = Checked {
        now,
        poll_until: 0,
        ran: false,
    };
    let fired = run_due(m, ts, now);
    if own && ts.many_zombies() {
        ts.lock().adjust(now, true);
    }
    // Not the first entry's time: another one may have been modified to be earlier.
    checked.poll_until = ts.next_when();
    if fired > 0 {
        checked.ran = true;
        trace::timers(m, p, fired);
    }
    checked
}

/// Runs the timers of `ts` that are due at `now`; how many.
///
/// Context: g0 of `m`, which holds a P; no lock held.
///
/// Go: runtime/time.go, check.
pub(crate) fn run_due(m: &mut M, ts: &Timers, now: i64) -> u32 {
    let mut fired = 0;
    let mut heap = ts.lock();
    heap.adjust(now, false);
    loop {
        // SAFETY: K1 to K3.
        unsafe {
            if control::is_on() {
                choose_first(heap.entries(), now);
            } else if !m.bubble.is_null() {
                draw_first(m, heap.entries());
            }
            let Some(&Entry { timer: t, when }) = heap.entries().first() else {
                break;
            };
            if when > now && (*t).seen.load(Ordering::Acquire) & (MODIFIED | ZOMBIE) == 0 {
                break;
            }
            lock(t);
            if heap.update_first(t) {
                unlock(t);
                continue;
            }
            if (*t).when > now {
                unlock(t);
                break;
            }
            heap = fire(m, t, now, Some(heap)).unwrap_or_else(|| ts.lock());
            fired += 1;
        }
    }
    fired
}

/// Calls the timer's function and sets it to its next time. Its lock and that of its heap, if it is
/// in one, are released meanwhile; the heap is locked again at the end.
///
/// # Safety
///
/// The timer's lock is held, it is due at `now` and has no mark; if it is in a heap it is the
/// first, and `heap` that heap.
unsafe fn fire<'a>(
    m: &mut M,
    t: *mut Timer,
    now: i64,
    heap: Option<Queue<'a>>,
) -> Option<Queue<'a>> {
    // SAFETY: K1 to K5.
    unsafe {
        let ts = heap.as_ref().map(|h| h.ts);
        let (func, arg, seq, c) = ((*t).func, (*t).arg, (*t).seq, (*t).chan);
        let (late, period) = (now - (*t).when, (*t).period);
        let passed = if period > 0 && !fault!(KeepMissedTicks) {
            late / period
        } else {
            0
        };
        // Ticks that were missed are skipped.
        (*t).when = if period > 0 {
            (*t).when.saturating_add(period.saturating_mul(1 + passed))
        } else {
            0
        };
        if let Some(mut heap) = heap {
            (*t).state |= MODIFIED;
            if (*t).when == 0 {
                make_zombie(t);
            }
            heap.update_first(t);
            if !c.is_null() && period == 0 {
                (*t).sending.fetch_add(1, Ordering::Relaxed);
            }
            unlock(t);
            drop(heap);
        } else {
            if !c.is_null() && period == 0 {
                (*t).sending.fetch_add(1, Ordering::Relaxed);
            }
            unlock(t);
        }
        let mut stale = false;
        if !c.is_null() {
            (*t).send_lock.lock();
            if period == 0 {
                (*t).sending.fetch_sub(1, Ordering::Relaxed);
            }
            stale = (*t).seq != seq;
        }
        if let Some(func) = func
            && !stale
        {
            if race::is_on() {
                race::fires(m, t as usize);
            }
            func(m, arg, seq, late);
            if race::is_on() {
                race::fires(m, 0);
            }
        }
        if !c.is_null() {
            (*t).send_lock.unlock();
        }
        ts.map(Timers::lock)
    }
}

/// Moves all timers of `from` to `to`, for `from` is being destroyed. The world is stopped.
///
/// Go: runtime/time.go, take.
pub(crate) fn move_timers(from: &P, to: &P) {
    let mut src = from.timers.lock();
    let entries = std::mem::take(src.entries());
    from.timers.zombies.store(0, Ordering::Relaxed);
    from.timers.first_modified.store(0, Ordering::SeqCst);
    src.publish_first();
    drop(src);
    let mut dst = to.timers.lock();
    for Entry { timer: t, .. } in entries {
        // SAFETY: K1 to K3.
        unsafe {
            lock(t);
            (*t).heap = ptr::null();
            if (*t).state & ZOMBIE != 0 {
                (*t).state &= !(HEAPED | MODIFIED | ZOMBIE);
            } else {
                (*t).state &= !MODIFIED;
                dst.insert(t);
            }
            unlock(t);
        }
    }
}

/// Gives the collector the timers in a heap (K6).
///
/// Context: the world is stopped.
pub(crate) fn scan(ts: &Timers, v: &mut dyn RootVisitor) {
    let mut heap = ts.lock();
    for e in heap.entries().iter() {
        v.word(e.timer as usize);
    }
}

/// Waits for `ns` nanoseconds: `Done` at once if that is not positive, else `Blocked`, and when the
/// goroutine runs again the time has come; there is nothing to finish.
///
/// Context: coroutine; with a P; no lock held.
///
/// Go: runtime/time.go, timeSleep.
pub fn sleep(m: &mut M, g: &mut G, ns: i64) -> SyncOp {
    if ns <= 0 {
        return SyncOp::Done;
    }
    // SAFETY: nobody else knows the timer of a G that runs.
    let is_unfit = |t: *mut Timer| unsafe { (*t).is_fake } == g.bubble.is_null();
    if g.timer.is_null() || is_unfit(g.timer) {
        // One for each G, kept for its next sleep; another one for a bubble's.
        let t = Box::leak(Box::new(Timer::new(ptr::null_mut())));
        t.func = Some(wake_sleeper);
        t.arg = ptr::from_mut(g) as usize;
        t.is_fake = !g.bubble.is_null();
        g.timer = t;
    }
    let when = when_here(m, ns);
    if !g.bubble.is_null() {
        // Now, while it is known whose timer it is: the time does not come before the park.
        // SAFETY: the timer of a G is never freed.
        unsafe { set_any(m, g.timer, when, 0) };
        m.park(None, ParkArg::NONE, WaitReason::Sleep);
        return SyncOp::Blocked;
    }
    let when = ParkArg::number(when as usize);
    m.park(Some(commit_sleep), when, WaitReason::Sleep);
    SyncOp::Blocked
}

/// Commits the park of a sleeper: only now may the timer fire.
///
/// # Safety
///
/// `g` was prepared by [`sleep`]; runs on g0.
unsafe fn commit_sleep(g: *mut G, when: ParkArg) -> bool {
    // SAFETY: the timer of a G is never freed; this thread's M is alive and waits for us.
    unsafe {
        set_any(
            &mut *tls::current_m(),
            (*g).timer,
            when.as_number() as i64,
            0,
        )
    };
    true
}

/// Undoes the sleep of `g`.
///
/// # Safety
///
/// `g` sleeps; the world is stopped.
pub(crate) unsafe fn undo_sleep(g: &G) {
    // SAFETY: its timer was made when it first slept.
    unsafe { stop_any(g.timer) };
}

/// # Safety
///
/// `g` is a sleeping G.
unsafe fn wake_sleeper(m: &mut M, g: usize, _: usize, _: i64) {
    // SAFETY: the timer fires once for each sleep, and holds the right to wake.
    unsafe { proc::ready(m, g as *mut G) };
}

/// Fires a channel timer that is due and which no heap looks after.
///
/// Context: with a P; no lock held.
///
/// # Safety
///
/// `t` is a channel timer.
///
/// Go: runtime/time.go, maybeRunChan.
pub(crate) unsafe fn maybe_run_chan(m: &mut M, t: *mut Timer) {
    // SAFETY: K1.
    unsafe {
        if (*t).seen.load(Ordering::Acquire) & HEAPED != 0 {
            return;
        }
        lock(t);
        let now = bubble::now(m)
            .filter(|_| (*t).is_fake)
            .unwrap_or_else(nanotime);
        if (*t).state & HEAPED != 0 || (*t).when == 0 || (*t).when > now {
            unlock(t);
            return;
        }
        fire(m, t, now, None);
    }
}

/// Says that a goroutine is queued on the channel of `t`: the timer must be in a heap. `true` if
/// [`tell_poller`] must be called once the channel's lock is released.
///
/// # Safety
///
/// `t` is a channel timer; the channel's lock is held.
pub(crate) unsafe fn block_chan(m: &mut M, t: *mut Timer) -> bool {
    // SAFETY: K1, K2.
    unsafe {
        lock(t);
        (*t).blocked += 1;
        if (*t).state & ZOMBIE != 0 && (*t).when > 0 {
            (*t).state &= !ZOMBIE;
            (*(*t).heap).zombies.fetch_sub(1, Ordering::Relaxed);
        }
        let add = wants_heap(t);
        unlock(t);
        add && add_to_heap(m, t)
    }
}

/// Sees to it that an M is awake when the first timer of this thread's P is due.
///
/// Context: g0, with a P; no lock held.
pub(crate) fn tell_poller() {
    // SAFETY: a thread that commits a park is an M, and has a P.
    let m = unsafe { &mut *tls::current_m() };
    let when = m.p().timers.next_when();
    if when != 0 {
        proc::wake_net_poller(m, when);
    }
}

/// Says that a goroutine is no longer queued on the channel of `t`.
///
/// # Safety
///
/// `t` is a channel timer, and [`block_chan`] was called before.
pub(crate) unsafe fn unblock_chan(t: *mut Timer) {
    // SAFETY: K1, K2.
    unsafe {
        lock(t);
        (*t).blocked -= 1;
        if (*t).blocked == 0 && (*t).state & HEAPED != 0 {
            // It keeps `when`: from now on channel operations look whether it is due.
            make_zombie(t);
        }
        unlock(t);
    }
}
