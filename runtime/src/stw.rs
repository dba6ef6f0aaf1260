#![allow(unsafe_code)]
//! Stopping and starting the world; running a function once on every P; changing their number.
//!
//! # Invariants
//!
//! - W1. One stop at a time: `WORLD` is held from before the stop until after the start.
//! - W2. While the world is stopped every P is `GcStop` and belongs to the stopper.
//!
//! Go: runtime/proc.go, stopTheWorld, startTheWorld, forEachP, procresize.

use std::collections::VecDeque;
use std::ptr;

use crate::control::tape;
use crate::coro::{self, assert_g0, on_g0};
use crate::cpus;
use crate::engine::Outcome;
use crate::g::{G, Status, WaitReason};
use crate::gc::concurrent;
use crate::knobs;
use crate::lockrank::Rank;
use crate::m::M;
use crate::p::{GList, P, PStatus};
use crate::preempt;
use crate::proc;
use crate::prof::histogram;
use crate::sched::{self, Gref, SCHED, allp};
use crate::sync::{
    AtomicU32, AtomicUsize, Guarded, Ordering, fence_seq_cst, futex_wait, futex_wake,
};
use crate::timer;
use crate::trace;

/// How long the stopper sleeps before it asks again.
const RETRY_NS: i64 = 100_000;

/// What a G wants of the world.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Want {
    /// To stop it itself, in its turn.
    Stop,
    /// That a collection is run, by itself or by another G.
    Collection,
}

/// What [`begin`] did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// The world is the caller's: [`in_turn`].
    Ours,
    /// Leave with `Outcome::Park`, no native frame being needed. When the G runs again the world is
    /// its own; only one that wants a collection asks [`is_ours`], for another G may have run it.
    Wait,
}

/// The semaphore of one stop at a time.
struct World {
    /// The G whose turn it is; null is none.
    owner: *mut G,
    /// Gs that want to stop the world themselves.
    stoppers: VecDeque<Gref>,
    /// Gs that want a collection: the next that ends serves all of them.
    collectors: VecDeque<Gref>,
    /// A collection has ended in this turn.
    collected: bool,
}

// SAFETY: Gs in it belong to it; the owner is only compared.
unsafe impl Send for World {}

static WORLD: Guarded<World> = Guarded::new(
    Rank::World,
    World {
        owner: ptr::null_mut(),
        stoppers: VecDeque::new(),
        collectors: VecDeque::new(),
        collected: false,
    },
);

/// Asks for the world. A G that must wait needs no native stack for it: thousands may.
///
/// Context: coroutine with a P, no lock held.
pub fn begin(m: &mut M, want: Want, reason: WaitReason) -> Turn {
    let mut w = WORLD.lock();
    if w.owner.is_null() {
        w.owner = m.curg;
        return Turn::Ours;
    }
    match want {
        Want::Stop => w.stoppers.push_back(Gref(m.curg)),
        Want::Collection => w.collectors.push_back(Gref(m.curg)),
    }
    // Held until the G waits, so that the M which takes it off the list may ready it.
    m.park_unlock(w.keep(), reason);
    Turn::Wait
}

/// Whether it is the current G's turn.
pub(crate) fn is_ours(m: &M) -> bool {
    WORLD.lock().owner == m.curg
}

/// Notes that a collection has ended. Context: world stopped.
pub(crate) fn collected() {
    WORLD.lock().collected = true;
}

/// As [`begin`] for natives of the runtime's own: suspends if it must wait.
pub(crate) fn take_world(m: &mut M) -> &mut M {
    match begin(m, Want::Stop, WaitReason::Semacquire) {
        Turn::Ours => m,
        Turn::Wait => coro::suspend(m, Outcome::Park),
    }
}

/// Ends the current G's turn.
pub(crate) fn drop_world(m: &mut M) {
    let (next, served) = {
        let mut w = WORLD.lock();
        let collected = std::mem::take(&mut w.collected);
        let served = match collected {
            true => std::mem::take(&mut w.collectors),
            false => VecDeque::new(),
        };
        // Neither kind keeps the other waiting for ever: after a collection a stop is next,
        // otherwise a collection.
        let w = &mut *w;
        let next = w
            .collectors
            .pop_front()
            .or_else(|| w.stoppers.pop_front())
            .map_or(ptr::null_mut(), |g| g.0);
        // The turn is handed over: it stays taken.
        w.owner = next;
        (next, served)
    };
    // SAFETY: off the lists, the wake-ups are ours.
    unsafe {
        if !next.is_null() {
            proc::ready(m, next);
        }
        if !served.is_empty() {
            let mut list = GList::new();
            for g in served.iter().rev() {
                list.push(g.0);
            }
            on_g0(m, |m| proc::inject_list(m, list));
        }
    }
}

/// Stops the world, runs `f` on the M's own stack, starts the world, and ends the current G's turn.
///
/// `reason` is one of Go's names, such as "GC mark termination".
///
/// Context: coroutine with a P, no lock held; the world is the current G's.
pub fn in_turn(m: &mut M, reason: &'static str, f: &mut dyn FnMut(&mut M)) {
    on_g0(m, |m| {
        // SAFETY: context — g0, the world taken.
        unsafe {
            stop(m, reason);
            f(m);
            start(m);
        }
    });
    drop_world(m);
}

/// Waits for the world, and then as [`in_turn`]. For tests.
///
/// Context: coroutine with a P, no lock held. May park under its native frames while another stop
/// is under way, so the M may change; returns the one the G runs on then.
pub fn stopped<'a>(m: &'a mut M, reason: &'static str, f: &mut dyn FnMut(&mut M)) -> &'a mut M {
    let m = take_world(m);
    in_turn(m, reason, f);
    m
}

/// Stops all other Ps.
pub(crate) unsafe fn stop(m: *mut M, reason: &'static str) {
    assert_g0(m);
    // SAFETY: context — g0 of `m` with a P; sched::D1 under the lock.
    unsafe {
        let g = (*m).curg;
        (*m).preemptoff = reason;
        if !g.is_null() {
            (*g).waitreason
                .store(WaitReason::StoppingTheWorld as u8, Ordering::Relaxed);
            (*g).cas_status(Status::Running, Status::Waiting);
        }
        histogram::stop_begins();
        trace::world_stop(m, reason);
        let all = allp();
        SCHED.lock.lock();
        SCHED.locked().stopwait = all.ps.len() as i32;
        SCHED.gcwaiting.store(true, Ordering::SeqCst);
        fence_seq_cst(); // with enter, which gives the P up and then looks at gcwaiting
        preempt::all(m);
        let l = SCHED.locked();
        (*(*m).p).set_status(PStatus::GcStop);
        l.stopwait -= 1;
        for &p in &all.ps {
            if !fault!(StopSkipsCalls) && (*p).cas_status(PStatus::Syscall, PStatus::GcStop) {
                (*p).syscalltick.fetch_add(1, Ordering::Relaxed);
                l.stopwait -= 1;
            }
        }
        loop {
            let p = SCHED.pidle_get();
            if p.is_null() {
                break;
            }
            (*p).set_status(PStatus::GcStop);
            SCHED.locked().stopwait -= 1;
        }
        let wait = SCHED.locked().stopwait > 0 && !fault!(StopWithoutWaiting);
        SCHED.lock.unlock();
        if wait {
            while !SCHED.stopnote.tsleep(RETRY_NS) {
                if !fault!(StopAsksOnce) {
                    preempt::all(m);
                }
            }
            SCHED.stopnote.clear();
        }
        if SCHED.locked().stopwait != 0 {
            crate::throw!("stopTheWorld: not stopped (stopwait != 0)");
        }
        histogram::stopped(reason);
        for &p in &all.ps {
            if (*p).status() != PStatus::GcStop {
                crate::throw!("stopTheWorld: not stopped (status != Pgcstop)");
            }
        }
    }
}

/// What GOMAXPROCS is to be at the next start of the world; 0 is no change.
static NEW_PROCS: AtomicUsize = AtomicUsize::new(0);

/// Starts the world.
unsafe fn start(m: *mut M) {
    // SAFETY: context — the M that stopped the world.
    unsafe {
        // What is ready on a tape is found where it is noted.
        if !tape::is_on() {
            let ready = crate::netpoll::poll(0);
            proc::inject_list(m, ready);
        }
        SCHED.lock.lock();
        let n = match NEW_PROCS.swap(0, Ordering::Relaxed) {
            0 => allp().ps.len(),
            n => n,
        };
        let mut runnable = resize(m, n);
        give_ms(runnable);
        SCHED.gcwaiting.store(false, Ordering::SeqCst);
        trace::world_start(m, n as u32);
        if SCHED.sysmonwait.load(Ordering::Relaxed) {
            SCHED.sysmonwait.store(false, Ordering::Relaxed);
            SCHED.sysmonnote.wakeup();
        }
        SCHED.lock.unlock();
        while !runnable.is_null() {
            let p = runnable;
            runnable = (*p).link;
            (*p).link = ptr::null_mut();
            match (*p).old_m {
                by if by.is_null() => proc::start_m(m, p, false),
                by => proc::wake_m(by, p, false),
            }
        }
        if !fault!(StartWithoutWake) {
            proc::wake_p(&mut *m);
        }
        let g = (*m).curg;
        histogram::started((*m).preemptoff);
        (*m).preemptoff = "";
        if !g.is_null() {
            (*g).cas_status(Status::Waiting, Status::Running);
        }
    }
}

/// Takes an idle M off the list for each of the Ps, as far as there are any: that which has held it
/// last, if it is free, so that what runs stays on its thread; then the others. Each is noted as
/// the P's old one; null is none.
///
/// The world is stopped and the sched lock held.
unsafe fn give_ms(runnable: *mut P) {
    // SAFETY: W2 — all Ps are ours; the lock is held for the lists.
    unsafe {
        let mut p = runnable;
        while !p.is_null() {
            if fault!(ForgetOldM) || !SCHED.midle_take((*p).old_m) {
                (*p).old_m = ptr::null_mut();
            }
            p = (*p).link;
        }
        p = runnable;
        while !p.is_null() {
            if (*p).old_m.is_null() {
                (*p).old_m = SCHED.midle_get();
            }
            p = (*p).link;
        }
    }
}

/// Makes the first Ps and gives P0 to `m`.
///
/// # Safety
///
/// No other thread knows of the runtime.
pub(crate) unsafe fn first_ps(m: *mut M, n: i32) {
    // SAFETY: by the contract.
    unsafe {
        let p0 = sched::set_procs(1).ps[0];
        (*m).p = p0;
        (*m).p_seen.store(p0, Ordering::Relaxed);
        (*p0).m.store(m, Ordering::Relaxed);
        SCHED.lock.lock();
        let runnable = resize(m, n as usize);
        SCHED.lock.unlock();
        if !runnable.is_null() {
            crate::throw!("unknown runnable goroutine during bootstrap");
        }
    }
}

/// Changes the number of Ps and hands out those with work, as a list linked by `link`.
///
/// The world is stopped and the sched lock held. Afterwards the current P runs and idle ones
/// are on the idle list, lowest id first, but for those that workers of the collector are given to.
unsafe fn resize(m: *mut M, n: usize) -> *mut P {
    // SAFETY: W2 — all Ps are ours.
    unsafe {
        let old = allp();
        if n != old.ps.len() || SCHED.gomaxprocs.load(Ordering::Relaxed) == 0 {
            let new = sched::set_procs(n);
            for &p in &new.ps {
                if (*p).status() == PStatus::Dead {
                    (*p).set_status(PStatus::GcStop);
                }
            }
            if n < old.ps.len() {
                // Lists are prepended, so the last destroyed comes first, as in Go.
                let keep = if (*(*m).p).id < n { (*m).p } else { new.ps[0] };
                for &p in &old.ps[n..] {
                    destroy(m, p, keep);
                }
                if keep != (*m).p {
                    let gone = (*m).p;
                    (*gone).m.store(ptr::null_mut(), Ordering::Relaxed);
                    (*m).p = keep;
                    (*m).p_seen.store(keep, Ordering::Relaxed);
                    (*keep).m.store(m, Ordering::Relaxed);
                }
            }
            SCHED.gomaxprocs.store(n as i32, Ordering::Relaxed);
        }
        let cur = (*m).p;
        (*cur).set_status(PStatus::Running);
        for &p in &allp().ps {
            (*p).request_served(); // the world has stopped
        }
        let mut runnable: *mut P = ptr::null_mut();
        for &p in allp().ps.iter().rev() {
            if p == cur {
                continue;
            }
            (*p).m.store(ptr::null_mut(), Ordering::Relaxed);
            (*p).set_status(PStatus::Idle);
            if !(*p).runq.is_empty() || concurrent::give_worker(p) {
                (*p).link = runnable;
                runnable = p;
            } else if !fault!(LoseIdlePs) {
                SCHED.pidle_put(p);
            }
        }
        runnable
    }
}

/// Empties `p`: its Gs go to the front of the global queue, its timers to `to`.
unsafe fn destroy(m: *mut M, p: *mut P, to: *mut P) {
    // SAFETY: W2; the sched lock is held.
    unsafe {
        let next = (*p).runq.take_next();
        let mut gs: Vec<*mut G> = if next.is_null() { vec![] } else { vec![next] };
        loop {
            let g = (*p).runq.pop();
            if g.is_null() {
                break;
            }
            gs.push(g);
        }
        if fault!(LoseDestroyedRing) {
            gs.clear();
        }
        if fault!(ReverseDestroyedRing) {
            gs.reverse();
        }
        for w in gs.windows(2) {
            (*w[0]).schedlink = w[1];
        }
        if let (Some(&head), Some(&tail)) = (gs.first(), gs.last()) {
            SCHED.globrunq_prepend_list(head, tail, gs.len());
        }
        if !(*p).timers.is_empty() && !fault!(LoseDestroyedTimers) {
            timer::move_timers(&*p, &*to);
        }
        concurrent::return_worker(p);
        (*p).mcache.flush();
        (*p).overwritten.flush();
        (*p).stacks.flush();
        proc::gfree_purge(p);
        (*p).set_status(PStatus::Dead);
        let _ = m;
    }
}

/// Sets GOMAXPROCS to `n`, which is positive. Go: runtime.GOMAXPROCS.
///
/// Context: as [`in_turn`].
pub fn set_gomaxprocs_in_turn(m: &mut M, n: i32) {
    knobs::set_custom_procs(true);
    in_turn(m, "GOMAXPROCS", &mut |_| {
        NEW_PROCS.store(n as usize, Ordering::Relaxed)
    });
}

/// Sets GOMAXPROCS if `n` is positive and another; returns the old value, and the M the G runs
/// on then.
///
/// Context: as [`stopped`].
pub fn set_gomaxprocs(m: &mut M, n: i32) -> (&mut M, i32) {
    let old = sched::gomaxprocs();
    if n <= 0 {
        return (m, old);
    }
    knobs::set_custom_procs(true);
    if n == old {
        return (m, old);
    }
    let m = take_world(m);
    set_gomaxprocs_in_turn(m, n);
    (m, old)
}

/// Whether GOMAXPROCS is what the machine offers, and follows it.
pub fn follows_machine() -> bool {
    !knobs::has_custom_procs() && cpus::usable() == sched::gomaxprocs()
}

/// Sets GOMAXPROCS to what the machine offers, whatever the environment says, and lets it follow
/// the machine from now on. Go: runtime.SetDefaultGOMAXPROCS.
///
/// Context: as [`in_turn`].
pub fn follow_machine_in_turn(m: &mut M) {
    knobs::set_custom_procs(false);
    let n = cpus::usable() as usize;
    in_turn(m, "GOMAXPROCS", &mut |_| {
        NEW_PROCS.store(n, Ordering::Relaxed)
    });
}

/// Waits for the world, and then as [`follow_machine_in_turn`]. For tests.
///
/// Context: as [`stopped`].
pub fn follow_machine(m: &mut M) -> &mut M {
    let m = take_world(m);
    follow_machine_in_turn(m);
    m
}

/// What the helper that follows the machine does: see [`crate::sysmon`].
pub(crate) fn update_gomaxprocs(m: &mut M) -> &mut M {
    if knobs::has_custom_procs() || follows_machine() {
        return m;
    }
    let m = take_world(m);
    match knobs::has_custom_procs() {
        // The program has set it while this waited for its turn.
        true => drop_world(m),
        false => follow_machine_in_turn(m),
    }
    m
}

/// Stops this M for a stop of the world.
///
/// # Safety
///
/// Context: g0 of `m`, which holds a P.
pub(crate) unsafe fn gcstop_m(m: *mut M) {
    // SAFETY: by the contract.
    unsafe {
        if !SCHED.gcwaiting.load(Ordering::Relaxed) {
            crate::throw!("gcstopm: not waiting for gc");
        }
        if (*m).spinning.swap(false, Ordering::Relaxed) {
            let n = SCHED.nmspinning.fetch_sub(1, Ordering::SeqCst);
            if n < 1 {
                crate::throw!("gcstopm: negative nmspinning");
            }
            trace::spin_end(m, false, n - 1);
        }
        let p = proc::release_p(m);
        {
            let _s = SCHED.lock.guard();
            (*p).set_status(PStatus::GcStop);
            let l = SCHED.locked();
            l.stopwait -= 1;
            if l.stopwait == 0 {
                SCHED.stopnote.wakeup();
            }
        }
        proc::stop_m(m);
    }
}

/// Runs the pending function of [`for_each_p`] on the M's own P.
pub(crate) unsafe fn run_safepoint_fn(m: *mut M) {
    // SAFETY: context — `m` holds its P.
    unsafe {
        let p = (*m).p;
        if (*p)
            .run_safepoint_fn
            .compare_exchange(1, 0, Ordering::SeqCst, Ordering::Relaxed)
            .is_err()
        {
            return;
        }
        (*p).request_served(); // which was for this, or is made again
        let f = SCHED.locked().safepoint_fn;
        if let Some(f) = f {
            f(&mut *p);
        }
        let _s = SCHED.lock.guard();
        safepoint_done();
    }
}

/// The same for a P that the caller owns. The sched lock is held.
pub(crate) unsafe fn run_safepoint_locked(p: *mut P) {
    // SAFETY: the P is the caller's, the lock held.
    unsafe {
        if (*p).run_safepoint_fn.load(Ordering::Relaxed) != 0
            && (*p)
                .run_safepoint_fn
                .compare_exchange(1, 0, Ordering::SeqCst, Ordering::Relaxed)
                .is_ok()
        {
            if let Some(f) = SCHED.locked().safepoint_fn {
                f(&mut *p);
            }
            safepoint_done();
        }
    }
}

/// One P less to wait for. The sched lock is held.
unsafe fn safepoint_done() {
    // SAFETY: the lock is held.
    let l = unsafe { SCHED.locked() };
    l.safepoint_wait -= 1;
    if l.safepoint_wait == 0 {
        SCHED.safepoint_note.wakeup();
    }
}

/// Runs `f` once for every P, at a moment when the P's owner is at a safepoint, without stopping
/// the world.
///
/// Context: coroutine with a P, no lock held; the M may change.
pub fn for_each_p(m: &mut M, f: fn(&mut P)) -> &mut M {
    let m = take_world(m);
    on_g0(m, |m| {
        // SAFETY: context — g0, the world taken.
        unsafe {
            let m: *mut M = m;
            let g = (*m).curg;
            (*g).waitreason
                .store(WaitReason::FlushProcCaches as u8, Ordering::Relaxed);
            (*g).cas_status(Status::Running, Status::Waiting);
            let me = (*m).p;
            SCHED.lock.lock();
            let l = SCHED.locked();
            l.safepoint_wait = allp().ps.len() as i32 - 1;
            l.safepoint_fn = Some(f);
            for &p in &allp().ps {
                if p != me {
                    (*p).run_safepoint_fn.store(1, Ordering::SeqCst);
                }
            }
            preempt::all(m);
            let mut p = SCHED.locked().pidle;
            while !p.is_null() {
                run_idle_safepoint(p, f);
                p = (*p).link;
            }
            let wait = SCHED.locked().safepoint_wait > 0;
            SCHED.lock.unlock();
            f(&mut *me);
            for &p in &allp().ps {
                if (*p).status() == PStatus::Syscall
                    && !fault!(SafepointSkipsCalls)
                    && (*p).run_safepoint_fn.load(Ordering::Relaxed) == 1
                    && (*p).cas_status(PStatus::Syscall, PStatus::Idle)
                {
                    (*p).syscalltick.fetch_add(1, Ordering::Relaxed);
                    proc::handoff_p(m, p);
                }
            }
            if wait {
                while !SCHED.safepoint_note.tsleep(RETRY_NS) {
                    if !fault!(SafepointAsksOnce) {
                        preempt::all(m);
                    }
                }
                SCHED.safepoint_note.clear();
            }
            SCHED.lock.lock();
            SCHED.locked().safepoint_fn = None;
            SCHED.lock.unlock();
            (*g).cas_status(Status::Waiting, Status::Running);
        }
    });
    drop_world(m);
    m
}

/// Runs `f` for an idle P. The lock is held; the note is not woken, the caller does not sleep yet.
unsafe fn run_idle_safepoint(p: *mut P, f: fn(&mut P)) {
    // SAFETY: an idle P under the lock is ours.
    unsafe {
        if (*p)
            .run_safepoint_fn
            .compare_exchange(1, 0, Ordering::SeqCst, Ordering::Relaxed)
            .is_ok()
        {
            if !fault!(SkipIdleSafepoint) {
                f(&mut *p);
            }
            SCHED.locked().safepoint_wait -= 1;
        }
    }
}

// ---- jobs ---------------------------------------------------------------------------------

/// Work for idle Ms while the world is stopped.
pub(crate) struct Job {
    f: *const (dyn Fn(usize) + Sync),
    /// Next index to run.
    next: AtomicUsize,
    n: usize,
    /// Indices finished.
    done: AtomicUsize,
    /// Threads that hold a reference.
    users: AtomicU32,
}

impl std::fmt::Debug for Job {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Job({})", self.n)
    }
}

fn work(job: &Job) {
    loop {
        let i = job.next.fetch_add(1, Ordering::Relaxed);
        if i >= job.n {
            return;
        }
        // SAFETY: `parallel` keeps the function alive until all users are gone.
        unsafe { (*job.f)(i) };
        job.done.fetch_add(1, Ordering::Release); // with the Acquire in `parallel`
    }
}

/// Takes part in a job, on an idle M.
pub(crate) unsafe fn run_job(job: *mut Job) {
    // SAFETY: `parallel` waits until `users` is 0 before the job goes away.
    unsafe {
        work(&*job);
        let users = &raw const (*job).users;
        if (*users).fetch_sub(1, Ordering::AcqRel) == 1 {
            // The word may be gone after the decrement: waking needs its address only.
            futex_wake(&*users, 1);
        }
    }
}

/// Runs `f(0)` … `f(n-1)` on up to `n` threads at once, this one included, and waits for all.
///
/// Indices are handed out to whatever threads are free, so `f` must not make one index wait for
/// another.
///
/// Context: g0 with the world stopped.
pub fn parallel(m: &mut M, n: usize, f: &(dyn Fn(usize) + Sync)) {
    // SAFETY: only the lifetime is changed; see `work`.
    let f: *const (dyn Fn(usize) + Sync + 'static) = unsafe { std::mem::transmute(f) };
    let job = Job {
        f,
        next: AtomicUsize::new(0),
        n,
        done: AtomicUsize::new(0),
        users: AtomicU32::new(0),
    };
    let jp = (&raw const job).cast_mut();
    for _ in 1..n {
        // SAFETY: sched::D1 under the lock; an M off the idle list is ours to wake.
        unsafe {
            let idle = {
                let _s = SCHED.lock.guard();
                SCHED.midle_get()
            };
            if idle.is_null() {
                break;
            }
            job.users.fetch_add(1, Ordering::AcqRel);
            (*idle).job.store(jp, Ordering::Release);
            (*idle).park_note.wakeup();
        }
    }
    let _ = m;
    work(&job);
    loop {
        let u = job.users.load(Ordering::Acquire);
        if u == 0 {
            break;
        }
        futex_wait(&job.users, u, -1);
    }
    debug_assert_eq!(job.done.load(Ordering::Acquire), n);
}
