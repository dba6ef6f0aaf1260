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
mod live;
mod log;
mod names;
mod order;
pub mod program;
mod stream;
mod text;
mod time;
mod waited;
mod words;

use crate::engine::YieldKind;
use crate::g::{G, Goid, Status, WaitReason};
use crate::m::M;
use crate::p::{P, PStatus};
use crate::sched::SCHED;
use crate::sync::fence_seq_cst;
use crate::sync::plain::{AtomicBool, AtomicI64, Ordering};
use crate::syscall::KernelCall;

pub use delay::{bucket, latencies};
use event::{At, Doing, Stack, Text};
pub(crate) use event::{By, HandOff, SpinBy, Word};
pub use event::{Chosen, Event, Place, Retake, Way, What, Why};
pub use log::{Head, draw_waits_to, keep_last, log_to, measure_latency, tell_live, trace_to};
pub use names::set_depth;
pub(crate) use stream::Stream;
pub(crate) use text::sched_trace;
pub use text::{ring_and_tick, sched_text};

pub(crate) use delay::latency;
pub(crate) use log::{End, die_later, finish};
pub(crate) use waited::{forget, forget_dead, go_park, locked, object, unlocked, waits_on};

/// Whether events are recorded, for anybody. Written by [`record_for`]; each M has a copy, which is
/// nearer.
static ON: AtomicBool = AtomicBool::new(false);

/// Begins or ends recording, for the log or for tests.
pub fn listen(on: bool) {
    record_for(stream::Reader::Log, on);
}

/// From now on only events of these names are recorded; the first that is none is the error. Before
/// the runtime starts, and once.
pub fn record_only(names: &[String]) -> Result<(), String> {
    let schema = event::schema();
    let kind = |name: &String| schema.kind(name).ok_or_else(|| name.clone());
    let kinds: Result<Vec<u8>, String> = names.iter().map(kind).collect();
    stream::record_only(&kinds?);
    log::tell_only(names);
    Ok(())
}

/// The names of all events.
pub fn event_names() -> Vec<String> {
    event::schema().kinds.into_iter().map(|k| k.name).collect()
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
    record_for(stream::Reader::Prompt, on);
}

fn record_for(reader: stream::Reader, on: bool) {
    let on = stream::read_by(reader, on);
    ON.store(on, Ordering::SeqCst);
    fence_seq_cst(); // with `made`: an M not on the list yet sees the word
    let mut m = SCHED.allm.load(Ordering::Acquire);
    while !m.is_null() {
        if fault!(EndTracesOneByOne) && !on {
            crate::sync::usleep(1000);
        }
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
    stream::take()
}

/// The events recorded since [`watch`], or the last call, in order; the oldest of very many are
/// dropped.
pub(crate) fn take_watched() -> Vec<Event> {
    stream::take_watched()
}

/// Whether events are recorded.
#[inline]
pub(crate) fn on() -> bool {
    ON.load(Ordering::Relaxed)
}

macro_rules! hooks {
    ($(
        $(#[$doc:meta])*
        $name:ident($($arg:ident: $ty:ty),*)
            => $record:ident($m:expr, $p:expr, $g:expr, $what:expr);
    )*) => {$(
        $(#[$doc])*
        #[inline]
        pub(crate) fn $name($($arg: $ty),*) {
            // Out of line, so that the callers save no registers for it.
            #[cold]
            #[inline(never)]
            fn told($($arg: $ty),*) {
                stream::$record($m, $p, $g, $what);
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
    go_create(m: *const M, g: *const G) => record(m, NONE_P, g, created(m, g));
    go_ready(m: *const M, g: *const G) => record_often(m, NONE_P, g, readied(m, g));
    go_injected(m: *const M, g: *const G) => record(m, NONE_P, g, injected_one(g));
    queued(m: *const M, g: *const G, to: Place) => record_often(m, NONE_P, g, put(m, g, to));
    stolen(m: *const M, g: *const G, from: u32, place: Place, n: u32, of: u32)
        => record(m, NONE_P, g, What::Stolen { from, place, n, of, at: place_of(g) });
    /// A decision of a controlled run, as a [`What::Choice`].
    chose(m: *const M, g: *const G, what: What) => record(m, NONE_P, g, what);
    timers(m: *const M, p: *const P, n: u32) => record(m, p, NONE_G, What::Timers { n });
    go_yield(m: *const M, g: *const G, how: YieldKind)
        => record(m, NONE_P, g, What::Yield { how, stack: stack_of(m, g) });
    go_end(m: *const M, g: *const G) => record(m, NONE_P, g, What::End {});
    /// The registers of `g` are saved.
    preempted(m: *const M, g: *const G, way: Way)
        => record(m, NONE_P, g, What::Preempted { way, stack: stack_of(m, g) });
    asked(m: *const M, p: *const P, ns: i64)
        => record(m, p, NONE_G, What::Asked { ran_us: us(ns) });
    retaken(m: *const M, p: *const P, why: Retake, ns: i64)
        => record(m, p, NONE_G, What::Retaken { why, in_us: us(ns) });
    handed_off(m: *const M, p: *const P, why: HandOff)
        => record(m, p, NONE_G, What::Handoff { why });
    /// Of these, which leave the ring, the first one is `g`.
    overflow(m: *const M, g: *const G, n: usize)
        => record(m, NONE_P, NONE_G, What::Overflow { n: n as u32, at: place_of(g) });
    injected(m: *const M, global: usize, local: usize)
        => record(m, NONE_P, NONE_G, What::Inject { global: global as u32, local: local as u32 });
    thread_made(m: *const M, id: i64) => record(m, NONE_P, NONE_G, What::Thread { id });
    m_start(m: *const M) => record(m, NONE_P, NONE_G, What::MStart {});
    m_stop(m: *const M) => record(m, NONE_P, NONE_G, What::MStop {});
    m_wake(m: *const M) => record(m, NONE_P, NONE_G, What::MWake {});
    m_exit(m: *const M) => record(m, NONE_P, NONE_G, What::MExit {});
    spin(m: *const M, ok: bool, n: i32, busy: i32)
        => record(m, NONE_P, NONE_G, What::Spin { ok, n, busy });
    spin_start(m: *const M, by: SpinBy, n: i32)
        => record(m, NONE_P, NONE_G, What::SpinStart { by, n });
    spin_end(m: *const M, found: bool, n: i32)
        => record(m, NONE_P, NONE_G, What::SpinEnd { found, n });
    timers_stolen(m: *const M, from: u32) => record(m, NONE_P, NONE_G, What::TimersStolen { from });
    syscall_begin(m: *const M, blocking: bool, call: KernelCall)
        => record(m, NONE_P, curg(m), called(m, blocking, call));
    syscall_end(m: *const M, same: bool) => record(m, NONE_P, curg(m), What::SyscallEnd { same });
    syscall_blocked(m: *const M) => record(m, NONE_P, curg(m), What::SyscallBlocked {});
    world_stop(m: *const M, why: &'static str)
        => record(m, NONE_P, NONE_G, What::WorldStop { why: Word(why) });
    world_start(m: *const M, procs: u32) => record(m, NONE_P, NONE_G, What::WorldStart { procs });
}

/// A collection begins.
pub(crate) fn gc_begin(forced: bool) {
    if on() && !fault!(ForgetTracedCollections) {
        let m = crate::tls::current_m();
        stream::record(m, NONE_P, NONE_G, What::GcBegin { forced });
    }
}

/// All is marked; so many bytes are alive.
pub(crate) fn gc_end(live: u64) {
    if on() {
        let (m, live) = (crate::tls::current_m(), live as i64);
        stream::record(m, NONE_P, NONE_G, What::GcEnd { live });
    }
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
            stream::record(m, NONE_P, g, put(m, g, to));
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
        let at = place_of(g);
        stream::record(crate::tls::current_m(), p, g, What::Fetched { n, of, at });
    }
}

/// One of the others that [`fetched`] tells of, whose P is the caller's.
#[inline]
pub(crate) fn fetched_also(p: *const P, g: *const G) {
    if on() {
        // SAFETY: the caller owns the P.
        let at = unsafe { next_in_ring(p, g) };
        let what = What::Queued {
            to: Place::Ring,
            at,
            out: Goid(0),
        };
        stream::record(crate::tls::current_m(), p, g, what);
    }
}

/// What of the global queue has been used: places at its end, and in front of it. Written with the
/// sched lock held.
static GLOBAL: [AtomicI64; 2] = [AtomicI64::new(0), AtomicI64::new(0)];

/// Gives `g` the place that it is put into: the queue of `m` or its P, or the global one.
///
/// Context: as the function that puts it there.
fn put(m: *const M, g: *const G, to: Place) -> What {
    let mut out = Goid(0);
    let at = match to {
        // SAFETY: context — `m` holds a P, and descriptors are never freed.
        Place::Runnext => unsafe {
            let p = (*m).p;
            out = (*p).runq.peek_next().as_ref().map_or(Goid(0), |g| g.goid);
            let own = stream::own(p);
            own.next += 1;
            given(g, own.next)
        },
        // SAFETY: context — `m` holds a P.
        Place::Ring => unsafe { next_in_ring((*m).p, g) },
        Place::Global => given(g, GLOBAL[0].fetch_add(1, Ordering::Relaxed) as u64),
        Place::Front => given(g, (GLOBAL[1].fetch_sub(1, Ordering::Relaxed) - 1) as u64),
        Place::Aside | Place::Wired | Place::Offered => At(0),
    };
    What::Queued { to, at, out }
}

/// # Safety
///
/// The caller owns `p`.
unsafe fn next_in_ring(p: *const P, g: *const G) -> At {
    // SAFETY: by the contract.
    let own = unsafe { stream::own(p) };
    own.ring += 1;
    given(g, own.ring)
}

/// `g`, which is the caller's, has this place.
fn given(g: *const G, at: u64) -> At {
    // SAFETY: descriptors are never freed; an atomic is written.
    unsafe { (*g).place.store(at, Ordering::Relaxed) };
    At(at)
}

/// The place that `g` was given last.
fn place_of(g: *const G) -> At {
    // SAFETY: descriptors are never freed.
    At(unsafe { (*g).place.load(Ordering::Relaxed) })
}

/// Where `g` is, which does not run or is the current one of `m`, its registers saved.
fn stack_of(m: *const M, g: *const G) -> Stack {
    // SAFETY: context — `m` is this thread's.
    unsafe {
        if (*g).native.is_some() || (*m).p.is_null() {
            return Stack(0);
        }
        let (engine, names) = ((*m).engine, &mut stream::own((*m).p).names);
        let depth = names::depth();
        let find = |names: &mut names::Recent| {
            let mut pcs = [0; ::trace::file::FRAMES];
            let n = engine.innermost(&*g, &mut pcs[..depth]);
            names.stack(engine, &pcs[..n])
        };
        // Where the program itself is, nobody need look further for one frame.
        let pc = (*g).sched.pc;
        Stack(match depth {
            1 => match names.here(pc) {
                Some(id) => id,
                None => {
                    let id = find(names);
                    if engine.is_own(pc) {
                        names.is_here(pc, id);
                    }
                    id
                }
            },
            _ => find(names),
        })
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
        let why = Why::unpack(why);
        // What ran before has stopped just now: that was recorded, and there was nothing to look
        // for.
        let follows = matches!(why, Why::Runnext | Why::Local)
            && stream::own(p).has_left
            && !stream::is_part();
        let now = match follows {
            true => stream::last_ns(p),
            false => time::now(),
        };
        if !inherit || !crate::switches::on(crate::switches::Mech::SliceInheritance) {
            (*p).slice_began.store(now, Ordering::Relaxed);
        }
        let what = What::Start {
            why,
            inherit,
            asked,
            used_us: us(now - (*p).slice_began.load(Ordering::Relaxed)),
            tick: (*p).schedtick.load(Ordering::Relaxed),
            at: place_of(g),
            local: (*p).runq.ring_len() as u32,
            global: SCHED.runqsize.load(Ordering::Relaxed) as u32,
        };
        stream::record_at(m, g, what, now);
    }
}

/// `find_runnable` has come to this step.
#[inline]
pub(crate) fn step(m: *const M, n: u8) {
    if cfg!(debug_assertions) && on() {
        stream::record(m, NONE_P, NONE_G, What::Step { n: u32::from(n) });
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
        stream::record(m, NONE_P, curg(m), What::Gogo {});
    }
}

/// The M has come back to its own stack, having left that of its current G.
#[inline]
pub(crate) fn mcall(m: *mut M) {
    if cfg!(debug_assertions) && on() && SWITCHES.load(Ordering::Relaxed) {
        stream::record(m, NONE_P, curg(m), What::Mcall {});
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
        stream::record(m, NONE_P, NONE_G, what);
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

/// The current G of `m`, or the runtime, has made `g`.
fn created(m: *const M, g: *const G) -> What {
    // SAFETY: context of the hooks; `g` is the caller's, and not queued yet.
    unsafe {
        let (engine, g) = ((*m).engine, &*g);
        let mut fresh = names::Recent::default();
        let names = match (*m).p.as_ref() {
            Some(p) => &mut stream::own(p).names,
            None => &mut fresh,
        };
        let place = [g.gopc].into_iter().filter(|&pc| pc != 0);
        let place: Vec<usize> = place.collect();
        let is_made = !g.is_main() && g.native.is_none();
        let begin = match is_made {
            true => names.begins_with(engine, g),
            false => g.startpc,
        };
        let wrapper = match begin == g.startpc {
            true => 0,
            false => names.function(engine, g.startpc, false),
        };
        What::Create {
            by: current(m),
            func: Text(names.function(engine, begin, g.is_main())),
            wrapper: Text(wrapper),
            stack: Stack(names.stack(engine, &place)),
            system: g.is_system,
        }
    }
}

/// The current G of `m` makes a system call.
fn called(m: *const M, blocking: bool, call: KernelCall) -> What {
    let g = curg(m);
    // SAFETY: context of the hooks; a call is made with a P.
    let (by, kernel) = unsafe {
        match (*m).p.as_ref() {
            Some(p) => {
                let names = &mut stream::own(p).names;
                let by = names.function((*m).engine, (*g).sched.pc, false);
                (Text(by), Text(names.call(call)))
            }
            None => (Text(0), Text(0)),
        }
    };
    let stack = stack_of(m, g);
    What::SyscallBegin {
        blocking,
        call: by,
        kernel,
        stack,
    }
}

fn readied(m: *const M, g: *const G) -> What {
    let goid = current(m);
    let (by, op) = match goid.0 {
        0 => (By::Timer, Doing::Timer),
        _ => (By::Goroutine, deed(g)),
    };
    What::Ready { by, goid, op }
}

fn injected_one(g: *const G) -> What {
    // SAFETY: descriptors are never freed.
    let op = match unsafe { (*g).wait_reason() } {
        WaitReason::IoWait => Doing::Poller,
        WaitReason::Sleep => Doing::Timer,
        _ => Doing::Other,
    };
    What::Ready {
        by: By::Poller,
        goid: Goid(0),
        op,
    }
}

/// What the function that makes `g` ready has done: what `g` waited for, and how that has come.
fn deed(g: *const G) -> Doing {
    use WaitReason::*;
    // SAFETY: context of `ready` — the G is the caller's, and with it the sudog that was handed
    // over.
    unsafe {
        let with = |done: Doing| match (*g).param.as_ref() {
            Some(s) if s.success => done,
            Some(_) => Doing::Close,
            None => Doing::Other,
        };
        match (*g).wait_reason() {
            ChanReceive | SynctestChanReceive => with(Doing::Send),
            ChanSend | SynctestChanSend => with(Doing::Receive),
            Select | SynctestSelect => match (*g).param.as_ref() {
                Some(s) if s.is_send => with(Doing::Receive),
                _ => with(Doing::Send),
            },
            SyncMutexLock | SyncRwMutexLock | SyncRwMutexRLock => Doing::Unlock,
            SyncWaitGroupWait | SynctestWaitGroupWait => Doing::Done,
            SyncCondWait => Doing::Signal,
            Semacquire => Doing::Release,
            Sleep => Doing::Timer,
            IoWait => Doing::Poller,
            _ => Doing::Other,
        }
    }
}

/// A G has changed its status; `scan` is 1 if the scan bit was taken with it, 2 if dropped.
pub(crate) fn g_status(g: *const G, from: Status, to: Status, scan: u32) {
    if on() {
        let m = crate::tls::current_m();
        stream::record(m, NONE_P, g, What::GStatus { from, to, scan });
    }
}

/// A P has changed its status.
pub(crate) fn p_status(p: *const P, from: PStatus, to: PStatus) {
    if on() {
        let m = crate::tls::current_m();
        stream::record(m, p, NONE_G, What::PStatusIs { from, to });
    }
}
