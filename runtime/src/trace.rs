#![allow(unsafe_code)]
//! What the scheduler does and why: the event stream, schedtrace and scheddetail lines, the
//! histogram of scheduling delays.
//!
//! Every decision is recorded where it is made, with its reason and what it was made on, as one of
//! the events of [`What`]. Events are recorded only while [`listen`] has switched it on; else each
//! costs the test of one byte of the M. Tests take them with [`take_events`]; `--sched-log` writes
//! them to a file. Changes of status are recorded in debug builds only.
//!
//! Go: runtime/trace*.go, for the idea only.

mod delay;
mod event;
mod log;
mod ring;
mod text;
mod words;

use crate::control;
use crate::engine::YieldKind;
use crate::g::{G, Goid, Status, WaitReason};
use crate::m::M;
use crate::p::{P, PStatus};
use crate::sched::SCHED;
use crate::sync::fence_seq_cst;
use crate::sync::plain::{AtomicBool, Ordering};

pub use delay::{bucket, latencies};
pub(crate) use event::{Addr, By, HandOff, SpinBy, Word};
pub use event::{Event, Place, Retake, Way, What, Why};
pub use log::{Head, log_to};
pub(crate) use ring::Ring;
pub(crate) use text::sched_trace;
pub use text::{ring_and_tick, sched_text};

pub(crate) use delay::latency;
pub(crate) use log::{die_later, finish};

/// Whether events are recorded, for anybody. Written by [`record_for`]; each M has a copy, which is
/// nearer.
static ON: AtomicBool = AtomicBool::new(false);

/// Begins or ends recording, for the log or for tests.
pub fn listen(on: bool) {
    record_for(ring::Reader::Log, on);
}

/// Begins or ends recording, for a prompt.
pub(crate) fn watch(on: bool) {
    if on {
        // Slices are followed from now on only.
        for &p in &crate::sched::allp().ps {
            // SAFETY: Ps are never freed; an atomic is written.
            unsafe {
                (*p).slice_began
                    .store(crate::clock::nanotime(), Ordering::Relaxed)
            };
        }
    }
    record_for(ring::Reader::Prompt, on);
}

fn record_for(reader: ring::Reader, on: bool) {
    let on = ring::read_by(reader, on);
    ON.store(on, Ordering::SeqCst);
    fence_seq_cst(); // with `made`: an M not on the list yet sees the word
    let mut m = SCHED.allm.load(Ordering::Acquire);
    while !m.is_null() {
        // SAFETY: Ms are never freed; an atomic is written, and a link that stays.
        unsafe {
            (*m).traced.store(on, Ordering::Relaxed);
            m = (*m).alllink;
        }
    }
}

/// An M is on the list of all: it learns whether events are recorded.
pub(crate) fn made(m: *const M) {
    fence_seq_cst(); // with `listen`
    loop {
        let on = ON.load(Ordering::SeqCst);
        // SAFETY: Ms are never freed; an atomic is written.
        unsafe { (*m).traced.store(on, Ordering::SeqCst) };
        // Or `listen` has written both words in between.
        if ON.load(Ordering::SeqCst) == on {
            return;
        }
    }
}

/// Whether events of this M are recorded.
///
/// Context: the thread of `m`, which is not null.
#[inline]
pub(crate) fn hears(m: *const M) -> bool {
    // SAFETY: Ms are never freed.
    unsafe { (*m).traced.load(Ordering::Relaxed) }
}

/// The events recorded since the last call, in order. For tests.
pub fn take_events() -> Vec<Event> {
    ring::take()
}

/// The events recorded since [`watch`], or the last call, in order; the oldest of very many are
/// dropped.
pub(crate) fn take_watched() -> Vec<Event> {
    ring::take_watched()
}

/// Whether events are recorded.
#[inline]
pub(crate) fn on() -> bool {
    ON.load(Ordering::Relaxed)
}

macro_rules! hooks {
    ($(
        $(#[$doc:meta])*
        $name:ident($($arg:ident: $ty:ty),*) => ($m:expr, $p:expr, $g:expr, $what:expr);
    )*) => {$(
        $(#[$doc])*
        #[inline]
        pub(crate) fn $name($($arg: $ty),*) {
            // Out of line, so that the callers save no registers for it.
            #[cold]
            #[inline(never)]
            fn told($($arg: $ty),*) {
                ring::record($m, $p, $g, $what);
            }
            if hears($m) {
                told($($arg),*);
            }
        }
    )*};
}

const NONE_P: *const P = std::ptr::null();
const NONE_G: *const G = std::ptr::null();

hooks! {
    /// By the current G of `m`.
    go_create(m: *const M, g: *const G) => (m, NONE_P, g, What::Create { by: current(m) });
    go_ready(m: *const M, g: *const G) => (m, NONE_P, g, readied(m));
    go_injected(m: *const M, g: *const G)
        => (m, NONE_P, g, What::Ready { by: By::Poller, goid: Goid(0) });
    queued(m: *const M, g: *const G, to: Place) => (m, NONE_P, g, What::Queued { to });
    stolen(m: *const M, g: *const G, from: u32, place: Place, n: u32, of: u32)
        => (m, NONE_P, g, What::Stolen { from, place, n, of });
    timers(m: *const M, p: *const P, n: u32) => (m, p, NONE_G, What::Timers { n });
    go_yield(m: *const M, g: *const G, how: YieldKind) => (m, NONE_P, g, What::Yield { how });
    go_end(m: *const M, g: *const G) => (m, NONE_P, g, What::End {});
    preempted(m: *const M, g: *const G, way: Way) => (m, NONE_P, g, What::Preempted { way });
    asked(m: *const M, p: *const P, ns: i64) => (m, p, NONE_G, What::Asked { ran_us: us(ns) });
    retaken(m: *const M, p: *const P, why: Retake, ns: i64)
        => (m, p, NONE_G, What::Retaken { why, in_us: us(ns) });
    handed_off(m: *const M, p: *const P, why: HandOff) => (m, p, NONE_G, What::Handoff { why });
    overflow(m: *const M, n: usize) => (m, NONE_P, NONE_G, What::Overflow { n: n as u32 });
    injected(m: *const M, global: usize, local: usize)
        => (m, NONE_P, NONE_G, What::Inject { global: global as u32, local: local as u32 });
    thread_made(m: *const M, id: i64) => (m, NONE_P, NONE_G, What::Thread { id });
    m_start(m: *const M) => (m, NONE_P, NONE_G, What::MStart {});
    m_stop(m: *const M) => (m, NONE_P, NONE_G, What::MStop {});
    m_wake(m: *const M) => (m, NONE_P, NONE_G, What::MWake {});
    m_exit(m: *const M) => (m, NONE_P, NONE_G, What::MExit {});
    spin(m: *const M, ok: bool, n: i32, busy: i32)
        => (m, NONE_P, NONE_G, What::Spin { ok, n, busy });
    spin_start(m: *const M, by: SpinBy, n: i32) => (m, NONE_P, NONE_G, What::SpinStart { by, n });
    spin_end(m: *const M, found: bool, n: i32) => (m, NONE_P, NONE_G, What::SpinEnd { found, n });
    timers_stolen(m: *const M, from: u32) => (m, NONE_P, NONE_G, What::TimersStolen { from });
    syscall_begin(m: *const M, blocking: bool)
        => (m, NONE_P, curg(m), What::SyscallBegin { blocking });
    syscall_end(m: *const M, same: bool) => (m, NONE_P, curg(m), What::SyscallEnd { same });
    syscall_blocked(m: *const M) => (m, NONE_P, curg(m), What::SyscallBlocked {});
    world_stop(m: *const M, why: &'static str)
        => (m, NONE_P, NONE_G, What::WorldStop { why: Word(why) });
    world_start(m: *const M, procs: u32) => (m, NONE_P, NONE_G, What::WorldStart { procs });
}

/// The M's current G waits, its locks still held: what it waits on, and with a select all of that.
#[inline]
pub(crate) fn go_park(m: *const M, g: *const G) {
    #[cold]
    #[inline(never)]
    fn told(m: *const M, g: *const G) {
        // SAFETY: context — g0 of `m`, whose current G has not been let go yet: its sudogs are in
        // queues whose locks are held for it, and nothing else changes their order.
        unsafe {
            let all: Vec<Addr> = waits_on(g).collect();
            let on = Addr(object(m, g));
            let what = What::Park {
                reason: (*g).wait_reason(),
                on,
                more: all.len().saturating_sub(1) as u32,
            };
            ring::record(m, NONE_P, g, what);
            for &on in all.iter().skip(1) {
                ring::record(m, NONE_P, g, What::ParkAlso { on });
            }
        }
    }
    if hears(m) {
        told(m, g);
    }
    if control::is_on() {
        // SAFETY: the context.
        unsafe { control::parks(m, g) };
    }
}

/// What the current G of `m` begins to wait on, or the first of that; 0 if it is nothing.
///
/// # Safety
///
/// Context: as in [`go_park`].
pub(crate) unsafe fn object(m: *const M, g: *const G) -> usize {
    // SAFETY: by the contract.
    unsafe {
        if let Some(Addr(first)) = waits_on(g).next() {
            return first;
        }
        // With other reasons the commit function has an argument of its own: a sleeper's time, a
        // helper's number.
        let other = (*m).waitlock.as_number();
        let has_object = (*g).wait_reason() != WaitReason::Sleep && other > 4096;
        if has_object { other } else { 0 }
    }
}

/// The channels that `g` waits on, or the address.
///
/// # Safety
///
/// Context: as in [`go_park`].
pub(crate) unsafe fn waits_on(g: *const G) -> impl Iterator<Item = Addr> {
    // SAFETY: by the contract.
    let (first, is_select) = unsafe { ((*g).waiting, (*g).wait_reason().is_select()) };
    let mut at = first.cast_const();
    std::iter::from_fn(move || {
        // SAFETY: by the contract.
        let s = unsafe { at.as_ref()? };
        // Only in a select does the link lead to the G's own next sudog.
        at = if is_select {
            s.waitlink
        } else {
            std::ptr::null()
        };
        Some(Addr(if s.chan.is_null() {
            s.addr
        } else {
            s.chan as usize
        }))
    })
}

/// `n` Gs linked from `head` are put on the global queue, or before it, or aside. The sched lock is
/// held.
#[inline]
pub(crate) fn queued_list(head: *const G, n: usize, to: Place) {
    #[cold]
    #[inline(never)]
    fn told(head: *const G, n: usize, to: Place) {
        let m = crate::tls::current_m();
        let mut gs = Vec::with_capacity(n);
        let mut g = head;
        for _ in 0..n {
            gs.push(g);
            // SAFETY: the list is the caller's.
            g = unsafe { (*g).schedlink };
        }
        if to == Place::Front {
            gs.reverse(); // each is put in front of the one before
        }
        for g in gs {
            ring::record(m, NONE_P, g, What::Queued { to });
        }
    }
    if on() {
        told(head, n, to);
    }
}

/// `n` of the `of` Gs of the global queue go to `p`: `g` to run, the others to its ring. The sched
/// lock is held.
#[inline]
pub(crate) fn fetched(p: *const P, g: *const G, n: usize, of: usize) {
    if on() {
        let (n, of) = (n as u32, of as u32);
        ring::record(crate::tls::current_m(), p, g, What::Fetched { n, of });
    }
}

/// One of the others that [`fetched`] tells of.
#[inline]
pub(crate) fn fetched_also(p: *const P, g: *const G) {
    if on() {
        let to = Place::Ring;
        ring::record(crate::tls::current_m(), p, g, What::Queued { to });
    }
}

/// A G begins to run: the decision, packed as [`Why::pack`] does, and what it was made on. Only if
/// [`hears`] says so.
///
/// # Safety
///
/// Context: g0 of `m`, which holds `p`.
pub(crate) unsafe fn go_start(m: *const M, g: *const G, why: u64, inherit: bool, asked: bool) {
    // SAFETY: by the contract.
    unsafe {
        let p = (*m).p;
        let now = crate::clock::nanotime();
        if !inherit || !crate::switches::on(crate::switches::Mech::SliceInheritance) {
            (*p).slice_began.store(now, Ordering::Relaxed);
        }
        let what = What::Start {
            why: Why::unpack(why),
            inherit,
            asked,
            used_us: us(now - (*p).slice_began.load(Ordering::Relaxed)),
            tick: (*p).schedtick.load(Ordering::Relaxed),
            local: (*p).runq.ring_len() as u32,
            global: SCHED.runqsize.load(Ordering::Relaxed) as u32,
        };
        ring::record(m, NONE_P, g, what);
    }
}

/// `find_runnable` has come to this step.
#[inline]
pub(crate) fn step(m: *const M, n: u8) {
    if cfg!(debug_assertions) && on() {
        ring::record(m, NONE_P, NONE_G, What::Step { n: u32::from(n) });
    }
}

/// Whether switches of stacks are recorded too. Written by `listen_to_switches`.
static SWITCHES: AtomicBool = AtomicBool::new(false);

/// Begins or ends recording each switch of stacks, of debug builds, while events are recorded. For
/// tests.
pub fn listen_to_switches(on: bool) {
    SWITCHES.store(on, Ordering::Relaxed);
}

/// The M is about to leave its own stack for that of its current G.
#[inline]
pub(crate) fn gogo(m: *mut M) {
    if cfg!(debug_assertions) && on() && SWITCHES.load(Ordering::Relaxed) {
        ring::record(m, NONE_P, curg(m), What::Gogo {});
    }
}

/// The M has come back to its own stack, having left that of its current G.
#[inline]
pub(crate) fn mcall(m: *mut M) {
    if cfg!(debug_assertions) && on() && SWITCHES.load(Ordering::Relaxed) {
        ring::record(m, NONE_P, curg(m), What::Mcall {});
    }
}

/// A G begins to run on the P of `m`: what waits there, and what could take it.
///
/// # Safety
///
/// Context: g0 of `m`, which holds a P.
#[inline]
pub(crate) unsafe fn load(m: *const M) {
    if cfg!(debug_assertions) && on() {
        // SAFETY: by the contract.
        let q = unsafe { &(*(*m).p).runq };
        let what = What::Load {
            local: q.ring_len() as u32 + u32::from(!q.peek_next().is_null()),
            idle: SCHED.npidle.load(Ordering::SeqCst),
            searching: SCHED.nmspinning.load(Ordering::SeqCst),
        };
        ring::record(m, NONE_P, NONE_G, what);
    }
}

/// Nanoseconds as microseconds, at most what an operand holds.
fn us(ns: i64) -> u32 {
    u32::try_from(ns / 1000).unwrap_or(u32::MAX)
}

/// The M's current goroutine.
fn curg(m: *const M) -> *const G {
    // SAFETY: context of the hooks — `m` is this thread's.
    unsafe { (*m).curg }
}

/// The number of the M's current goroutine, 0 if there is none.
fn current(m: *const M) -> Goid {
    // SAFETY: context of the hooks — `m` is this thread's, and descriptors are never freed.
    unsafe { (*m).curg.as_ref().map_or(Goid(0), |g| g.goid) }
}

fn readied(m: *const M) -> What {
    let goid = current(m);
    let by = if goid.0 == 0 {
        By::Timer
    } else {
        By::Goroutine
    };
    What::Ready { by, goid }
}

/// A G has changed its status; `scan` is 1 if the scan bit was taken with it, 2 if dropped.
pub(crate) fn g_status(g: *const G, from: Status, to: Status, scan: u32) {
    if on() {
        let m = crate::tls::current_m();
        ring::record(m, NONE_P, g, What::GStatus { from, to, scan });
    }
}

/// A P has changed its status.
pub(crate) fn p_status(p: *const P, from: PStatus, to: PStatus) {
    if on() {
        let m = crate::tls::current_m();
        ring::record(m, p, NONE_G, What::PStatusIs { from, to });
    }
}
