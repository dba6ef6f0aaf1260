#![allow(unsafe_code)]
//! Scheduling: `schedule`, `find_runnable`, `wake_p`, park and ready, the `go` statement.
//!
//! Each M runs [`m_loop`] on its own stack: choose a G, let it run on the coroutine, act on the
//! outcome. A *spinning* M holds a P, has no work and searches. The rules of waking are few: who
//! makes work visible looks, after a full barrier, whether anybody searches, and starts one
//! searcher if an idle P is at hand ([`wake_p`]); who stops searching says so first and then
//! looks once more; who finds work while being the last searcher starts the next. So with work
//! waiting and a P idle, somebody searches.
//!
//! # Invariants
//!
//! - R1. Between making work visible and the load of `nmspinning` stands a full fence, and
//!   another between the decrement of `nmspinning` and the last look at all queues.
//! - R2. Everything here but [`ready`], [`spawn`] and the parks runs on g0 (`assert_g0`).
//! - R3. `nmspinning` is the number of Ms with `spinning` set, and of those being started so.
//! - R4. An M about to sleep holds no P and does not spin.
//!
//! Go: runtime/proc.go.

use std::ptr;

use crate::clock::nanotime;
use crate::coro::{self, assert_g0, on_g0};
use crate::engine::{Engine, Outcome, YieldKind};
use crate::g::{G, NativeFn, Status, WaitReason};
use crate::m::{Commit, M};
use crate::p::{GList, P, PStatus};
use crate::runq::RING;
use crate::sched::{self, SCHED, allp, gomaxprocs};
use crate::switches::{self, Mech};
use crate::sync::{AtomicUsize, Lock, Ordering, fence_seq_cst, usleep};
use crate::trace::{self, Why};
use crate::{knobs, netpoll, panic, signal, stack, stw, syscall, sysmon, timer, tls};

/// Rounds of stealing over all Ps.
const STEAL_TRIES: u32 = 4;
/// The global queue is looked at on every tick divisible by this.
const GLOBAL_POLL: u32 = 61;
/// Dead Gs on a P's list: spill at, spill to, refill to.
const GFREE_SPILL: usize = 64;
const GFREE_KEEP: usize = 32;

/// Parks the current G under its native frames; see [`M::park`].
///
/// Returns when it is readied, on the M that runs it then: never use the old one.
///
/// Context: coroutine; no lock held but `lock`.
pub fn gopark(m: &mut M, commit: Option<Commit>, lock: usize, reason: WaitReason) -> &mut M {
    m.park(commit, lock, reason);
    coro::suspend(m, Outcome::Park)
}

/// As [`gopark`], releasing `lock` once the G is marked waiting.
pub fn gopark_unlock<'a>(m: &'a mut M, lock: &Lock, reason: WaitReason) -> &'a mut M {
    m.park_unlock(lock, reason);
    coro::suspend(m, Outcome::Park)
}

/// Lets others run, from native frames. Go: runtime.Gosched.
///
/// Context: coroutine; no lock held.
pub fn gosched(m: &mut M) -> &mut M {
    coro::suspend(m, Outcome::Yield(YieldKind::Gosched))
}

/// Makes a waiting G runnable: it runs next on this P.
///
/// Context: any stack of an M that holds a P; no channel or sched lock held.
///
/// # Safety
///
/// `g` waits, and the caller owns the right to wake it.
#[inline]
pub unsafe fn ready(m: &mut M, g: *mut G) {
    // SAFETY: the caller owns the G.
    unsafe {
        if (*g).status_bits() & !crate::g::SCAN != Status::Waiting as u32 {
            panic::print(format_args!(
                "runtime: goroutine {} has status {}\n",
                (*g).goid.0,
                (*g).status().name()
            ));
            crate::throw!("bad g->status in ready");
        }
        (*g).cas_status(Status::Waiting, Status::Runnable);
        trace::go_unblock(m, g);
        note_runnable(g);
        put(m, g, true);
    }
    wake_p(m);
}

/// As [`ready`], but at the tail of the local ring.
///
/// # Safety
///
/// As for [`ready`].
pub unsafe fn ready_tail(m: &mut M, g: *mut G) {
    // SAFETY: the caller owns the G.
    unsafe {
        (*g).cas_status(Status::Waiting, Status::Runnable);
        trace::go_unblock(m, g);
        note_runnable(g);
        put(m, g, false);
    }
    wake_p(m);
}

/// Queues a runnable G on the M's P: `runnext` here, the ring on g0 (Q3).
///
/// # Safety
///
/// The caller owns `g`; `m` holds a P.
#[inline]
unsafe fn put(m: &mut M, g: *mut G, next: bool) {
    let p = m.p;
    let mut g = g;
    // SAFETY: M1 — the P is ours.
    unsafe {
        let mut next = next && switches::on(Mech::Runnext);
        if next && knobs::get(knobs::Knob::RandomizeScheduler) != 0 {
            next = (*p).rand.below(2) == 0;
        }
        if next {
            g = (*p).runq.swap_next(g);
            if g.is_null() {
                return;
            }
        }
        on_g0(m, |m| runq_put_tail(m, m.p, g));
    }
}

/// Appends to the ring of `p`, or half of the ring and `g` to the global queue.
///
/// # Safety
///
/// Context: g0; the caller owns `g` and `p`.
unsafe fn runq_put_tail(m: *mut M, p: *mut P, g: *mut G) {
    assert_g0(m);
    let limit = if switches::on(Mech::Overflow) {
        RING
    } else {
        usize::MAX
    };
    // SAFETY: by the contract.
    unsafe {
        if (*p).runq.push(g, limit).is_err() {
            overflow(m, p, g);
        }
    }
}

/// Moves the older half of a full ring, and `g` behind it, to the global queue.
#[cold]
unsafe fn overflow(m: *mut M, p: *mut P, g: *mut G) {
    let mut batch: Vec<*mut G> = Vec::with_capacity(RING / 2 + 1);
    // SAFETY: the caller owns the P, and popped Gs are ours.
    unsafe {
        while batch.len() < RING / 2 {
            let h = (*p).runq.pop();
            if h.is_null() {
                break;
            }
            batch.push(h);
        }
        batch.push(g);
        if knobs::get(knobs::Knob::RandomizeScheduler) != 0 {
            for i in 1..batch.len() {
                let j = (*p).rand.below(i as u32 + 1) as usize;
                batch.swap(i, j);
            }
        }
        trace::overflow(m, batch.len());
        for w in batch.windows(2) {
            (*w[0]).schedlink = w[1];
        }
        let tail = batch[batch.len() - 1];
        (*tail).schedlink = ptr::null_mut();
        let _s = SCHED.lock.guard();
        SCHED.globrunq_put_list(batch[0], tail, batch.len());
    }
}

/// Takes the next G of the own queue; the flag says that it inherits the time slice.
#[inline]
unsafe fn runq_get(p: *mut P) -> (*mut G, bool) {
    // SAFETY: context — g0 of the owner.
    unsafe {
        let next = (*p).runq.take_next();
        if !next.is_null() {
            return (next, true);
        }
        ((*p).runq.pop(), false)
    }
}

/// Starts a searcher if nobody searches and a P is idle.
///
/// Called after making work visible.
///
/// Context: any stack of an M; sched lock not held.
#[inline]
pub fn wake_p(m: &mut M) {
    fence_seq_cst(); // R1
    if SCHED.nmspinning.load(Ordering::Relaxed) != 0 {
        return;
    }
    if SCHED.npidle.load(Ordering::Relaxed) == 0 {
        // Nobody to wake. An M about to give up its P shall search first; it looks at
        // `needspinning` after the P is on the list, we at the list after `needspinning` is set.
        if SCHED.needspinning.load(Ordering::Relaxed) != 0 {
            return;
        }
        SCHED.needspinning.store(1, Ordering::Relaxed);
        fence_seq_cst();
        if SCHED.npidle.load(Ordering::Relaxed) == 0 {
            return;
        }
    }
    wake_p_slow(m);
}

#[cold]
fn wake_p_slow(m: &mut M) {
    if !switches::on(Mech::Spinning)
        || !SCHED.main_started.load(Ordering::Relaxed)
        || SCHED
            .nmspinning
            .compare_exchange(0, 1, Ordering::SeqCst, Ordering::Relaxed)
            .is_err()
    {
        return;
    }
    on_g0(m, |m| {
        let p = {
            let _s = SCHED.lock.guard();
            // SAFETY: the lock is held.
            let p = unsafe { SCHED.pidle_get_spinning() };
            if p.is_null() {
                drop_spinner();
                return;
            }
            p
        };
        // SAFETY: the P is ours.
        unsafe { start_m(m, p, true) };
    });
}

fn drop_spinner() {
    if SCHED.nmspinning.fetch_sub(1, Ordering::SeqCst) < 1 {
        crate::throw!("negative nmspinning");
    }
}

/// Starts an M to run `p`, or an idle P if `p` is null. With `spinning` the caller has counted
/// the searcher already.
///
/// # Safety
///
/// Context: g0; the caller owns `p`; sched lock not held.
pub(crate) unsafe fn start_m(m: *mut M, p: *mut P, spinning: bool) {
    assert_g0(m);
    // SAFETY: by the contract; D1 under the lock.
    unsafe {
        SCHED.lock.lock();
        let p = if p.is_null() {
            if spinning {
                crate::throw!("startm: P required for spinning=true");
            }
            SCHED.pidle_get()
        } else {
            p
        };
        if p.is_null() {
            SCHED.lock.unlock();
            return;
        }
        let idle = SCHED.midle_get();
        if idle.is_null() {
            // Numbered under the lock, so that the deadlock check counts it already.
            let id = reserve_id();
            SCHED.lock.unlock();
            new_m(m, p, spinning, id);
            return;
        }
        SCHED.lock.unlock();
        wake_m(idle, p, spinning);
    }
}

/// Hands `p` to the sleeping `m` and wakes it.
unsafe fn wake_m(m: *mut M, p: *mut P, spinning: bool) {
    // SAFETY: M2 — an M off the idle list is the caller's to wake.
    unsafe {
        if (*m).spinning.load(Ordering::Relaxed) {
            crate::throw!("startm: m is spinning");
        }
        if !(*m).nextp.load(Ordering::Relaxed).is_null() {
            crate::throw!("startm: m has p");
        }
        if spinning && !(*p).runq.is_empty() {
            crate::throw!("startm: p has runnable gs");
        }
        (*m).spinning.store(spinning, Ordering::Relaxed);
        (*m).nextp.store(p, Ordering::Release); // with the note: acquire_p in stop_m
        (*m).park_note.wakeup();
    }
}

/// A number for a new M. The sched lock is held.
pub(crate) fn reserve_id() -> i64 {
    // SAFETY: the lock is held.
    let l = unsafe { SCHED.locked() };
    let id = l.mnext;
    l.mnext += 1;
    check_mcount();
    id
}

/// Dies if there are too many Ms. The sched lock is held.
pub(crate) fn check_mcount() {
    // SAFETY: the lock is held.
    let l = unsafe { SCHED.locked() };
    if l.mnext - l.nmfreed > l.maxmcount {
        panic::print(format_args!(
            "runtime: program exceeds {}-thread limit\n",
            l.maxmcount
        ));
        SCHED.lock.unlock();
        crate::throw!("thread exhaustion");
    }
}

/// Sets the limit of threads and returns the old one. Go: debug.SetMaxThreads.
pub fn set_max_threads(n: i64) -> i64 {
    let _s = SCHED.lock.guard();
    // SAFETY: the lock is held.
    let old = unsafe {
        let l = SCHED.locked();
        std::mem::replace(&mut l.maxmcount, n.clamp(0, i64::from(i32::MAX)))
    };
    check_mcount();
    old
}

/// Bytes of an M's own stack.
const M_STACK: usize = 1 << 20;

fn alloc_m(id: i64, engine: &'static dyn Engine) -> *mut M {
    let m = Box::into_raw(Box::new(M::new(id, engine)));
    let _s = SCHED.lock.guard();
    // SAFETY: nobody knows it yet; the list under the lock.
    unsafe { (*m).alllink = SCHED.allm.load(Ordering::Relaxed) };
    SCHED.allm.store(m, Ordering::Release); // pairs with the Acquire of walkers
    m
}

struct SendM(*mut M);
// SAFETY: an M is handed to its own thread.
unsafe impl Send for SendM {}

/// Makes a thread which begins by running `p`.
unsafe fn new_m(m: *mut M, p: *mut P, spinning: bool, id: i64) {
    // SAFETY: context — g0.
    unsafe {
        let new = alloc_m(id, (*m).engine);
        (*new).nextp.store(p, Ordering::Release);
        (*new).spinning.store(spinning, Ordering::Relaxed);
        trace::thread_made(m, id);
        launch(new, m_start);
    }
}

/// Starts the thread of `m` in `f`.
pub(crate) fn launch(m: *mut M, f: fn(*mut M)) {
    let sm = SendM(m);
    let t = signal::with_blocked(|| {
        std::thread::Builder::new()
            .stack_size(M_STACK)
            .spawn(move || {
                let sm = sm;
                let m = sm.0;
                bind_thread(m);
                f(m);
            })
    });
    if let Err(e) = t {
        panic::print(format_args!(
            "runtime: failed to create new OS thread ({e})\n"
        ));
        crate::throw!("newosproc");
    }
}

/// Starts a thread that runs no Gs.
pub(crate) fn launch_system(m: &mut M, id: i64, f: fn(*mut M)) {
    let new = alloc_m(id, m.engine);
    launch(new, f);
}

/// Makes this thread `m`'s.
fn bind_thread(m: *mut M) {
    tls::set_current_m(m);
    // SAFETY: M1 — we are its thread.
    unsafe {
        let (lo, hi) = thread_stack();
        (*m).stack_lo = lo;
        (*m).stack_hi = hi;
        (*m).procid
            .store(libc::syscall(libc::SYS_gettid) as u64, Ordering::Relaxed);
    }
    signal::init_m(m);
}

/// Bounds of the thread's own stack.
fn thread_stack() -> (usize, usize) {
    // SAFETY: the attributes are initialised by the first call and destroyed once.
    unsafe {
        let mut attr: libc::pthread_attr_t = std::mem::zeroed();
        if libc::pthread_getattr_np(libc::pthread_self(), &raw mut attr) != 0 {
            let here = coro::stack_pointer();
            return (here - (M_STACK / 2), here + M_STACK);
        }
        let (mut lo, mut n) = (ptr::null_mut(), 0);
        libc::pthread_attr_getstack(&raw const attr, &raw mut lo, &raw mut n);
        libc::pthread_attr_destroy(&raw mut attr);
        (lo as usize, lo as usize + n)
    }
}

/// The life of a thread made for running Gs.
fn m_start(m: *mut M) {
    // SAFETY: M2 — its first P was given with it.
    unsafe {
        let p = (*m).nextp.swap(ptr::null_mut(), Ordering::Acquire);
        if !p.is_null() {
            acquire_p(m, p);
        }
        m_loop(m);
    }
}

/// Sleeps until somebody gives the M a P.
///
/// # Safety
///
/// Context: g0; no P, not spinning (R4).
pub(crate) unsafe fn stop_m(m: *mut M) {
    assert_g0(m);
    // SAFETY: by the contract.
    unsafe {
        if (*m).locks != 0 {
            crate::throw!("stopm holding locks");
        }
        if !(*m).p.is_null() {
            crate::throw!("stopm holding p");
        }
        if (*m).spinning.load(Ordering::Relaxed) {
            crate::throw!("stopm spinning");
        }
        loop {
            {
                let _s = SCHED.lock.guard();
                SCHED.midle_put(m);
            }
            m_park(m);
            let job = (*m).job.swap(ptr::null_mut(), Ordering::Acquire);
            if job.is_null() {
                break;
            }
            stw::run_job(job);
        }
        let p = (*m).nextp.swap(ptr::null_mut(), Ordering::Acquire);
        acquire_p(m, p);
    }
}

unsafe fn m_park(m: *mut M) {
    // SAFETY: M1.
    unsafe {
        (*m).blocked.store(true, Ordering::Relaxed);
        (*m).park_note.sleep();
        (*m).park_note.clear();
        (*m).blocked.store(false, Ordering::Relaxed);
    }
}

/// Binds `p` to `m`.
///
/// # Safety
///
/// The caller owns the idle `p`; `m` is this thread's and has none.
pub(crate) unsafe fn acquire_p(m: *mut M, p: *mut P) {
    // SAFETY: by the contract.
    unsafe {
        if !(*m).p.is_null() {
            crate::throw!("wirep: already in go");
        }
        if !(*p).m.load(Ordering::Relaxed).is_null() || (*p).status() != PStatus::Idle {
            panic::print(format_args!(
                "wirep: p->id={} p->status={:?}\n",
                (*p).id,
                (*p).status()
            ));
            crate::throw!("wirep: invalid p state");
        }
        (*m).p = p;
        (*m).p_seen.store(p, Ordering::Relaxed);
        (*p).m.store(m, Ordering::Relaxed);
        (*p).set_status(PStatus::Running);
    }
}

/// Unbinds the P of `m`: it is idle, and the caller's.
///
/// # Safety
///
/// `m` is this thread's.
pub(crate) unsafe fn release_p(m: *mut M) -> *mut P {
    // SAFETY: M1.
    unsafe {
        let p = (*m).p;
        if p.is_null() {
            crate::throw!("releasep: invalid arg");
        }
        if (*p).m.load(Ordering::Relaxed) != m || (*p).status() != PStatus::Running {
            crate::throw!("releasep: invalid p state");
        }
        (*m).p = ptr::null_mut();
        (*m).p_seen.store(ptr::null_mut(), Ordering::Relaxed);
        (*p).m.store(ptr::null_mut(), Ordering::Relaxed);
        (*p).set_status(PStatus::Idle);
        p
    }
}

/// Gives `p` to another M if there is any work for it, else to the idle list.
///
/// Whatever `find_runnable` would find must be a reason here.
///
/// # Safety
///
/// Context: any stack of an M that has no P; the caller owns the idle `p`.
pub(crate) unsafe fn handoff_p(m: *mut M, p: *mut P) {
    // SAFETY: by the contract.
    unsafe {
        if !(*p).runq.is_empty() || SCHED.runqsize.load(Ordering::Relaxed) != 0 {
            return start_m(m, p, false);
        }
        if switches::on(Mech::Spinning)
            && SCHED.nmspinning.load(Ordering::SeqCst) + SCHED.npidle.load(Ordering::SeqCst) == 0
            && SCHED
                .nmspinning
                .compare_exchange(0, 1, Ordering::SeqCst, Ordering::Relaxed)
                .is_ok()
        {
            SCHED.needspinning.store(0, Ordering::Relaxed);
            return start_m(m, p, true);
        }
        SCHED.lock.lock();
        if SCHED.gcwaiting.load(Ordering::Relaxed) {
            (*p).set_status(PStatus::GcStop);
            let l = SCHED.locked();
            l.stopwait -= 1;
            if l.stopwait == 0 {
                SCHED.stopnote.wakeup();
            }
            SCHED.lock.unlock();
            return;
        }
        stw::run_safepoint_locked(p);
        if SCHED.runqsize.load(Ordering::Relaxed) != 0 {
            SCHED.lock.unlock();
            return start_m(m, p, false);
        }
        // The last P with nobody in the poller: somebody must look at the network.
        if SCHED.npidle.load(Ordering::Relaxed) == gomaxprocs() - 1
            && SCHED.lastpoll.load(Ordering::Relaxed) != 0
        {
            SCHED.lock.unlock();
            return start_m(m, p, false);
        }
        let when = (*p).timers.next_when();
        SCHED.pidle_put(p);
        SCHED.lock.unlock();
        if when != 0 {
            wake_net_poller(&mut *m, when);
        }
    }
}

/// Sees to it that somebody is awake at `when`: breaks a poll that would last longer, or wakes
/// an M to find the timer.
///
/// Context: any stack of an M; the timer is visible already.
pub fn wake_net_poller(m: &mut M, when: i64) {
    if SCHED.lastpoll.load(Ordering::SeqCst) == 0 {
        let until = SCHED.poll_until.load(Ordering::SeqCst);
        if until == 0 || until > when {
            on_g0(m, |_| netpoll::break_poll());
        }
    } else {
        wake_p(m);
    }
}

/// Whether waiting actively for a mutex may pay: there are other CPUs, another P runs Go code,
/// and nothing waits on the own P.
///
/// Context: any stack of an M that holds a P.
#[inline]
pub fn can_spin(m: &mut M) -> bool {
    knobs::num_cpu() > 1
        && gomaxprocs()
            > SCHED.npidle.load(Ordering::Relaxed) + SCHED.nmspinning.load(Ordering::Relaxed) + 1
        && m.p().runq.is_empty()
}

/// Counts the M among those that search.
unsafe fn become_spinning(m: *mut M) {
    // SAFETY: M1.
    unsafe { (*m).spinning.store(true, Ordering::Relaxed) };
    SCHED.nmspinning.fetch_add(1, Ordering::SeqCst);
    SCHED.needspinning.store(0, Ordering::Relaxed);
}

/// Stops searching because of work found.
unsafe fn reset_spinning(m: *mut M) {
    // SAFETY: M1.
    unsafe {
        (*m).spinning.store(false, Ordering::Relaxed);
        drop_spinner();
        wake_p(&mut *m);
    }
}

/// What was found: the G, whether it inherits the slice, and whether to wake another M.
type Found = (*mut G, bool, bool);

/// Finds a G to run; sleeps until there is one.
unsafe fn find_runnable(m: *mut M) -> Found {
    // SAFETY: context — g0 of `m`, which holds a P at the top of the loop.
    unsafe {
        loop {
            let p = (*m).p;
            if SCHED.gcwaiting.load(Ordering::Relaxed) {
                stw::gcstop_m(m);
                continue;
            }
            if (*p).run_safepoint_fn.load(Ordering::Relaxed) != 0 {
                stw::run_safepoint_fn(m);
            }
            let mut now = 0;
            let mut poll_until = 0;
            if !(*p).timers.is_empty() {
                let c = timer::check_timers(&mut *m, &*p, 0);
                now = c.now;
                poll_until = c.poll_until;
            }

            let tick = (*p).schedtick.load(Ordering::Relaxed);
            if tick.is_multiple_of(GLOBAL_POLL)
                && SCHED.runqsize.load(Ordering::Relaxed) > 0
                && switches::on(Mech::GlobalPoll)
            {
                let _s = SCHED.lock.guard();
                let g = SCHED.globrunq_get(&*p, 1);
                if !g.is_null() {
                    trace::why(m, g, Why::Global61);
                    return (g, false, false);
                }
            }
            let (g, inherit) = runq_get(p);
            if !g.is_null() {
                trace::why(m, g, if inherit { Why::Runnext } else { Why::Local });
                return (g, inherit, false);
            }
            if SCHED.runqsize.load(Ordering::Relaxed) != 0 {
                let _s = SCHED.lock.guard();
                let g = SCHED.globrunq_get(&*p, 0);
                if !g.is_null() {
                    trace::why(m, g, Why::Global);
                    return (g, false, false);
                }
            }
            if netpoll::waiters() > 0 && SCHED.lastpoll.load(Ordering::SeqCst) != 0 {
                let mut list = netpoll::poll(0);
                let g = list.pop();
                if !g.is_null() {
                    inject_list(m, list);
                    (*g).cas_status(Status::Waiting, Status::Runnable);
                    trace::why(m, g, Why::Netpoll);
                    return (g, false, false);
                }
            }

            let spins = switches::on(Mech::Spinning);
            if !spins || (*m).spinning.load(Ordering::Relaxed) || may_spin(m) {
                if spins && !(*m).spinning.load(Ordering::Relaxed) {
                    become_spinning(m);
                }
                match steal_work(m, now) {
                    Stolen::Found(g, inherit) => return (g, inherit, false),
                    Stolen::NewWork => continue,
                    Stolen::Nothing(n, when) => {
                        now = n;
                        if when != 0 && (poll_until == 0 || when < poll_until) {
                            poll_until = when;
                        }
                    }
                }
            }

            // Nothing: give the P up. What may change once it is gone is looked at before.
            let all = allp();
            SCHED.lock.lock();
            if SCHED.gcwaiting.load(Ordering::Relaxed)
                || (*p).run_safepoint_fn.load(Ordering::Relaxed) != 0
            {
                SCHED.lock.unlock();
                continue;
            }
            if SCHED.runqsize.load(Ordering::Relaxed) != 0 {
                let g = SCHED.globrunq_get(&*p, 0);
                SCHED.lock.unlock();
                trace::why(m, g, Why::Global);
                return (g, false, false);
            }
            let was_spinning = (*m).spinning.load(Ordering::Relaxed);
            if !was_spinning
                && SCHED.needspinning.load(Ordering::Relaxed) == 1
                && switches::on(Mech::Spinning)
            {
                become_spinning(m);
                SCHED.lock.unlock();
                continue;
            }
            release_p(m);
            SCHED.pidle_put(p);
            fence_seq_cst(); // with wake_p, which sets needspinning and then looks for idle Ps
            if !was_spinning
                && SCHED.needspinning.load(Ordering::Relaxed) == 1
                && switches::on(Mech::Spinning)
            {
                let p = SCHED.pidle_get();
                acquire_p(m, p);
                become_spinning(m);
                SCHED.lock.unlock();
                continue;
            }
            SCHED.lock.unlock();

            if was_spinning {
                // R1: first say that we do not search any more, then look once more.
                (*m).spinning.store(false, Ordering::Relaxed);
                drop_spinner();
                fence_seq_cst();
                if SCHED.runqsize.load(Ordering::Relaxed) != 0 {
                    SCHED.lock.lock();
                    if SCHED.runqsize.load(Ordering::Relaxed) != 0 {
                        let p = SCHED.pidle_get();
                        if !p.is_null() {
                            let g = SCHED.globrunq_get(&*p, 0);
                            SCHED.lock.unlock();
                            acquire_p(m, p);
                            become_spinning(m);
                            trace::why(m, g, Why::Global);
                            return (g, false, false);
                        }
                    }
                    SCHED.lock.unlock();
                }
                let work = all
                    .ps
                    .iter()
                    .any(|&p| !all.is_idle((*p).id) && !(*p).runq.is_empty());
                if work {
                    let p = {
                        let _s = SCHED.lock.guard();
                        SCHED.pidle_get_spinning()
                    };
                    if !p.is_null() {
                        acquire_p(m, p);
                        become_spinning(m);
                        continue;
                    }
                }
                for &p in &all.ps {
                    if !switches::on(Mech::TimerSteal) && !all.is_idle((*p).id) {
                        continue;
                    }
                    let when = (*p).timers.next_when();
                    if when != 0 && (poll_until == 0 || when < poll_until) {
                        poll_until = when;
                    }
                }
            }

            if (netpoll::waiters() > 0 || poll_until != 0)
                && SCHED.lastpoll.swap(0, Ordering::SeqCst) != 0
            {
                SCHED.poll_until.store(poll_until, Ordering::SeqCst);
                if now == 0 {
                    now = nanotime();
                }
                let delay = if poll_until == 0 {
                    -1
                } else {
                    (poll_until - now).max(0)
                };
                let mut list = netpoll::block(delay);
                SCHED.poll_until.store(0, Ordering::SeqCst);
                SCHED.lastpoll.store(nanotime(), Ordering::SeqCst);
                let p = {
                    let _s = SCHED.lock.guard();
                    SCHED.pidle_get()
                };
                if p.is_null() {
                    inject_list(m, list);
                } else {
                    acquire_p(m, p);
                    let g = list.pop();
                    if !g.is_null() {
                        inject_list(m, list);
                        (*g).cas_status(Status::Waiting, Status::Runnable);
                        trace::why(m, g, Why::Netpoll);
                        return (g, false, false);
                    }
                    if was_spinning {
                        become_spinning(m);
                    }
                    continue;
                }
            } else if poll_until != 0 {
                let until = SCHED.poll_until.load(Ordering::SeqCst);
                if until == 0 || until > poll_until {
                    netpoll::break_poll();
                }
            }
            stop_m(m);
        }
    }
}

/// Whether the M may begin to search: fewer than half as many searchers as busy Ps.
unsafe fn may_spin(m: *mut M) -> bool {
    let (n, busy) = (
        SCHED.nmspinning.load(Ordering::SeqCst),
        gomaxprocs() - SCHED.npidle.load(Ordering::SeqCst),
    );
    let ok = 2 * n < busy || !switches::on(Mech::SpinLimit);
    trace::spin(m, ok, n, busy);
    ok
}

enum Stolen {
    Found(*mut G, bool),
    /// Timers ran or the world stops: begin again.
    NewWork,
    /// The time, and when the next timer anywhere is due.
    Nothing(i64, i64),
}

/// Tries to take work from other Ps.
///
/// Timers of idle Ps are run in any case, whatever is switched off: nobody else would.
unsafe fn steal_work(m: *mut M, now: i64) -> Stolen {
    let mut now = now;
    let mut poll_until = 0;
    let mut ran = false;
    let steal = switches::on(Mech::Steal) && switches::on(Mech::Spinning);
    let steal_timers = switches::on(Mech::TimerSteal) && steal;
    // SAFETY: context — g0 of `m`, which holds a P; others' Ps through what P1 allows.
    unsafe {
        let me = (*m).p;
        let all = allp();
        let first = if steal { 0 } else { STEAL_TRIES - 1 };
        for i in first..STEAL_TRIES {
            let last = i == STEAL_TRIES - 1;
            for p2 in all.order((*me).rand.next32()) {
                if SCHED.gcwaiting.load(Ordering::Relaxed) {
                    return Stolen::NewWork;
                }
                if p2 == me {
                    continue;
                }
                let idle = all.is_idle((*p2).id);
                if last && (idle || steal_timers) && !(*p2).timers.is_empty() {
                    let c = timer::check_timers(&mut *m, &*p2, now);
                    now = c.now;
                    if c.poll_until != 0 && (poll_until == 0 || c.poll_until < poll_until) {
                        poll_until = c.poll_until;
                    }
                    if c.ran {
                        trace::timers_stolen(m, p2);
                        let (g, inherit) = runq_get(me);
                        if !g.is_null() {
                            trace::why(m, g, Why::Local);
                            return Stolen::Found(g, inherit);
                        }
                        ran = true;
                    }
                }
                if idle || !steal {
                    continue;
                }
                let g = runq_steal(m, me, p2, last);
                if !g.is_null() {
                    return Stolen::Found(g, false);
                }
            }
        }
    }
    if ran {
        Stolen::NewWork
    } else {
        Stolen::Nothing(now, poll_until)
    }
}

/// Takes half of `p2`'s ring, or, if `take_next`, its `runnext`.
unsafe fn runq_steal(m: *mut M, me: *mut P, p2: *mut P, take_next: bool) -> *mut G {
    // SAFETY: Q1 — `me` is ours and its ring is empty; of `p2` the shared side.
    unsafe {
        let (g, more) = (*p2).runq.steal_into(&(*me).runq);
        if !g.is_null() {
            trace::why(
                m,
                g,
                Why::Steal {
                    n: more as u32 + 1,
                    from: (*p2).id as u32,
                },
            );
            return g;
        }
        if !take_next || (*p2).runq.peek_next().is_null() {
            return ptr::null_mut();
        }
        // A running P is about to run it itself; do not let a pair that wakes one another
        // bounce between Ps.
        if (*p2).status() == PStatus::Running && switches::on(Mech::RunnextBackoff) {
            usleep(3);
        }
        let g = (*p2).runq.take_next();
        if !g.is_null() {
            trace::why(
                m,
                g,
                Why::StealNext {
                    from: (*p2).id as u32,
                },
            );
        }
        g
    }
}

/// Makes a list of waiting Gs runnable and queues them where idle Ps will find them.
///
/// # Safety
///
/// Context: g0, with or without a P; the caller owns the Gs.
pub(crate) unsafe fn inject_list(m: *mut M, mut list: GList) {
    if list.n == 0 {
        return;
    }
    // SAFETY: by the contract.
    unsafe {
        let mut gs: Vec<*mut G> = Vec::with_capacity(list.n);
        loop {
            let g = list.pop();
            if g.is_null() {
                break;
            }
            (*g).cas_status(Status::Waiting, Status::Runnable);
            trace::go_unblock(m, g);
            note_runnable(g);
            gs.push(g);
        }
        let p = (*m).p;
        let n = if p.is_null() {
            gs.len()
        } else {
            (SCHED.npidle.load(Ordering::SeqCst) as usize).min(gs.len())
        };
        if n > 0 {
            let _s = SCHED.lock.guard();
            for &g in &gs[..n] {
                SCHED.globrunq_put(g);
            }
        }
        for _ in 0..n {
            let idle = {
                let _s = SCHED.lock.guard();
                SCHED.pidle_get_spinning()
            };
            if idle.is_null() {
                break;
            }
            start_m(m, idle, false);
        }
        for &g in &gs[n..] {
            runq_put_tail(m, p, g);
        }
        if n < gs.len() {
            wake_p(&mut *m);
        }
    }
}

/// Lets `g` be the M's current one, running.
unsafe fn execute(m: *mut M, g: *mut G, inherit: bool) {
    // SAFETY: context — g0 of `m`, which holds a P; `g` was taken off a queue.
    unsafe {
        let p = (*m).p;
        (*m).curg = g;
        (*m).curg_seen.store(g, Ordering::Relaxed);
        (*g).m = m;
        (*g).cas_status(Status::Runnable, Status::Running);
        if (*g).waitsince.load(Ordering::Relaxed) != 0 {
            (*g).waitsince.store(0, Ordering::Relaxed);
        }
        (*g).preempt.store(false, Ordering::Relaxed);
        (*g).stackguard0
            .store((*g).stack_hi.wrapping_sub(stack::SLACK), Ordering::Relaxed);
        crate::preempt::clear_loop(g);
        if crate::gc::is_due() {
            crate::gc::arm(&*g);
        }
        if (*g).tracking {
            trace::latency(g);
        }
        if !inherit {
            bump(&(*p).schedtick);
            bump(&(*p).slicetick);
        } else if !switches::on(Mech::SliceInheritance) {
            bump(&(*p).slicetick);
        }
        if (*p).preempt.load(Ordering::Relaxed) {
            // The slice is over. Who inherits it inherits the request too: the one it was made
            // to may have parked before it came to a safepoint, as pairs that wake one another do.
            if inherit && switches::on(Mech::SliceInheritance) {
                (*g).preempt.store(true, Ordering::Relaxed);
                crate::preempt::rearm(g);
            } else {
                (*p).preempt.store(false, Ordering::Relaxed);
            }
        }
        trace::go_start(m, g);
    }
}

/// As `execute`, for a G that returns from a system call: a fresh slice.
pub(crate) unsafe fn execute_syscall(m: *mut M, g: *mut G) {
    // SAFETY: as for `execute`.
    unsafe { execute(m, g, false) }
}

/// Adds one to a counter only its owner writes.
#[inline]
pub(crate) fn bump(c: &crate::sync::AtomicU32) {
    c.store(c.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
}

/// Counts departures from `Running`; every 8th is followed until the next start.
#[inline]
unsafe fn note_leaving(g: *mut G) {
    // SAFETY: context — the G's owner.
    unsafe {
        (*g).tracking_seq = (*g).tracking_seq.wrapping_add(1);
        (*g).tracking = (*g).tracking_seq.is_multiple_of(crate::g::TRACKING_PERIOD);
    }
}

#[inline]
unsafe fn note_runnable(g: *mut G) {
    // SAFETY: context — the G's owner.
    unsafe {
        if (*g).tracking {
            (*g).runnable_stamp = nanotime();
        }
    }
}

/// The M has no current G any more.
#[inline]
unsafe fn drop_g(m: *mut M) {
    // SAFETY: M1.
    unsafe {
        (*(*m).curg).m = ptr::null_mut();
        (*m).curg = ptr::null_mut();
        (*m).curg_seen.store(ptr::null_mut(), Ordering::Relaxed);
    }
}

/// One round of scheduling: chooses a G and makes it current.
unsafe fn schedule(m: *mut M) {
    assert_g0(m);
    crate::lockrank::assert_none_held();
    // SAFETY: context — g0 of `m`.
    unsafe {
        if (*m).locks != 0 {
            crate::throw!("schedule: holding locks");
        }
        let wired = (*m).lockedg.load(Ordering::Relaxed);
        if !wired.is_null() {
            stop_locked_m(m);
            execute(m, wired, false);
            return;
        }
        loop {
            let p = (*m).p;
            if (*m).spinning.load(Ordering::Relaxed) && !(*p).runq.is_empty() {
                crate::throw!("schedule: spinning with local work");
            }
            let (g, inherit, wake) = find_runnable(m);
            if (*m).spinning.load(Ordering::Relaxed) {
                reset_spinning(m);
            }
            if wake {
                wake_p(&mut *m);
            }
            if !(*g).lockedm.load(Ordering::Relaxed).is_null() {
                start_locked_m(m, g);
                continue;
            }
            execute(m, g, inherit);
            return;
        }
    }
}

/// Waits until the G wired to the M is runnable and somebody gives the M a P.
unsafe fn stop_locked_m(m: *mut M) {
    // SAFETY: context — g0 of `m`.
    unsafe {
        let g = (*m).lockedg.load(Ordering::Relaxed);
        if g.is_null() || (*g).lockedm.load(Ordering::Relaxed) != m {
            crate::throw!("stoplockedm: inconsistent locking");
        }
        if !(*m).p.is_null() {
            let p = release_p(m);
            handoff_p(m, p);
        }
        inc_idle_locked(1);
        m_park(m);
        if (*g).status() != Status::Runnable {
            crate::throw!("stoplockedm: not runnable");
        }
        let p = (*m).nextp.swap(ptr::null_mut(), Ordering::Acquire);
        acquire_p(m, p);
    }
}

/// Gives the P to the M that `g` is wired to, and sleeps until there is another.
unsafe fn start_locked_m(m: *mut M, g: *mut G) {
    // SAFETY: context — g0 of `m`; the wired M sleeps in `stop_locked_m` or is about to.
    unsafe {
        let mp = (*g).lockedm.load(Ordering::Relaxed);
        if mp == m {
            crate::throw!("startlockedm: locked to me");
        }
        if !(*mp).nextp.load(Ordering::Relaxed).is_null() {
            crate::throw!("startlockedm: m has p");
        }
        inc_idle_locked(-1);
        let p = release_p(m);
        (*mp).nextp.store(p, Ordering::Release);
        (*mp).park_note.wakeup();
        stop_m(m);
    }
}

/// Counts Ms that wait for their wired G; more of them may be a deadlock.
pub(crate) fn inc_idle_locked(by: i64) {
    let _s = SCHED.lock.guard();
    // SAFETY: the lock is held.
    unsafe { SCHED.locked().nmidlelocked += by };
    if by > 0 {
        panic::check_dead();
    }
}

/// Schedules for ever, or until a G ends that was wired to the thread.
unsafe fn m_loop(m: *mut M) {
    loop {
        // SAFETY: context — g0 of `m`.
        unsafe {
            schedule(m);
            loop {
                let again = match coro::resume(m) {
                    Outcome::Park => !park_m(m),
                    Outcome::Yield(kind) => {
                        yield_m(m, kind);
                        false
                    }
                    Outcome::Exit => {
                        if goexit0(m) {
                            return exit_m(m);
                        }
                        false
                    }
                    Outcome::SyscallExit => syscall::exit0(m),
                    Outcome::Again => true,
                };
                if !again {
                    break;
                }
            }
        }
    }
}

/// Commits a park. `false`: it was undone, and the G runs on.
unsafe fn park_m(m: *mut M) -> bool {
    // SAFETY: context — g0 of `m`, whose current G has left its coroutine. Once the commit
    // function has run, the G is somebody else's.
    unsafe {
        let g = (*m).curg;
        note_leaving(g);
        trace::go_block(m, g);
        (*g).cas_status(Status::Running, Status::Waiting);
        drop_g(m);
        if let Some(f) = (*m).waitunlockf.take() {
            let ok = f(g, (*m).waitlock);
            if !ok {
                (*g).cas_status(Status::Waiting, Status::Runnable);
                execute(m, g, true);
                return false;
            }
        }
        true
    }
}

/// The current G stays runnable and goes to the end of a queue.
unsafe fn yield_m(m: *mut M, kind: YieldKind) {
    // SAFETY: context — g0 of `m`.
    unsafe {
        let g = (*m).curg;
        if (*g).preempt_stop.load(Ordering::Relaxed) && kind == YieldKind::Preempt {
            return crate::preempt::preempt_park(m, g);
        }
        note_leaving(g);
        trace::go_yield(m, g, kind);
        (*g).cas_status(Status::Running, Status::Runnable);
        note_runnable(g);
        drop_g(m);
        if kind == YieldKind::Local
            || (kind == YieldKind::Preempt && !switches::on(Mech::PreemptToGlobal))
        {
            return runq_put_tail(m, (*m).p, g);
        }
        {
            let _s = SCHED.lock.guard();
            SCHED.globrunq_put(g);
        }
        if SCHED.main_started.load(Ordering::Relaxed) {
            wake_p(&mut *m);
        }
    }
}

/// The current G has ended. `true`: it was wired to this thread, which must end too.
unsafe fn goexit0(m: *mut M) -> bool {
    // SAFETY: context — g0 of `m`.
    unsafe {
        let g = (*m).curg;
        trace::go_end(m, g);
        (*g).cas_status(Status::Running, Status::Dead);
        if (*g).is_system {
            SCHED.ngsys.fetch_sub(1, Ordering::Relaxed);
            (*g).is_system = false;
        }
        // The main goroutine may end while packages are initialised, which happens wired to its thread.
        if (*g).goid.0 == 1 && (*m).locked_int != 0 {
            (*m).locked_int = 0;
            if (*m).locked_ext == 0 {
                (*g).lockedm.store(ptr::null_mut(), Ordering::Relaxed);
                (*m).lockedg.store(ptr::null_mut(), Ordering::Relaxed);
            }
        }
        let wired = !(*m).lockedg.load(Ordering::Relaxed).is_null();
        if wired {
            (*g).lockedm.store(ptr::null_mut(), Ordering::Relaxed);
            (*m).lockedg.store(ptr::null_mut(), Ordering::Relaxed);
            if (*m).locked_int != 0 {
                crate::throw!("internal lockOSThread error");
            }
            (*m).locked_ext = 0;
        }
        (*g).param = 0;
        (*g).waiting = 0;
        (*g).waitreason.store(0, Ordering::Relaxed);
        (*g).labels = 0;
        (*g).native = None;
        (*g).preempt_stop.store(false, Ordering::Relaxed);
        drop_g(m);
        gfree_put(m, g);
        wired
    }
}

/// Ends the thread, giving up its P. The first thread sleeps for ever instead.
unsafe fn exit_m(m: *mut M) {
    // SAFETY: context — g0 of `m`, the last thing it does.
    unsafe {
        let p = release_p(m);
        if (*m).id == 0 {
            handoff_p(m, p);
            {
                let _s = SCHED.lock.guard();
                SCHED.locked().nmfreed += 1;
                panic::check_dead();
            }
            loop {
                m_park(m);
            }
        }
        coro::drop_all(m);
        {
            let _s = SCHED.lock.guard();
            let mut at = SCHED.allm.load(Ordering::Relaxed);
            if at == m {
                SCHED.allm.store((*m).alllink, Ordering::Release);
            } else {
                while !at.is_null() && (*at).alllink != m {
                    at = (*at).alllink;
                }
                if !at.is_null() {
                    (*at).alllink = (*m).alllink;
                }
            }
        }
        handoff_p(m, p);
        let _s = SCHED.lock.guard();
        SCHED.locked().nmfreed += 1;
        panic::check_dead();
        signal::drop_m(m);
    }
}

/// Puts a dead G on the P's list; spills to the global list.
unsafe fn gfree_put(m: *mut M, g: *mut G) {
    // SAFETY: context — g0 of `m`, which holds a P; the G is dead and ours.
    unsafe {
        if (*g).stack_hi - (*g).stack_lo != stack::MIN {
            stack::take(&mut *m, &mut *g);
        }
        let list = &mut (*(*m).p).gfree;
        list.push(g);
        if list.n >= GFREE_SPILL {
            let mut n = 0;
            let mut global = SCHED.gfree.lock();
            while list.n >= GFREE_KEEP {
                let g = list.pop();
                if (*g).stack_lo == 0 {
                    global.1.push(g)
                } else {
                    global.0.push(g)
                }
                n += 1;
            }
            SCHED.ngfree.fetch_add(n, Ordering::Relaxed);
        }
    }
}

/// Empties a P's list into the global one; the P is destroyed.
pub(crate) unsafe fn gfree_purge(p: *mut P) {
    // SAFETY: the world is stopped.
    unsafe {
        let mut global = SCHED.gfree.lock();
        loop {
            let g = (*p).gfree.pop();
            if g.is_null() {
                return;
            }
            if (*g).stack_lo == 0 {
                global.1.push(g)
            } else {
                global.0.push(g)
            }
            SCHED.ngfree.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// A dead G of the free lists, or null.
unsafe fn gfree_get(m: *mut M) -> *mut G {
    // SAFETY: context — `m` holds a P.
    unsafe {
        let list = &mut (*(*m).p).gfree;
        if list.head.is_null() && SCHED.ngfree.load(Ordering::Relaxed) > 0 {
            let mut global = SCHED.gfree.lock();
            while list.n < GFREE_KEEP {
                let mut g = global.0.pop();
                if g.is_null() {
                    g = global.1.pop();
                }
                if g.is_null() {
                    break;
                }
                SCHED.ngfree.fetch_sub(1, Ordering::Relaxed);
                list.push(g);
            }
        }
        list.pop()
    }
}

/// A dead G with a stack.
unsafe fn new_g(m: *mut M) -> *mut G {
    // SAFETY: context — `m` holds a P.
    unsafe {
        let g = gfree_get(m);
        if !g.is_null() {
            if (*g).stack_lo == 0 {
                stack::give(&mut *m, &mut *g);
            }
            return g;
        }
        let g = Box::into_raw(Box::new(G::new()));
        stack::give(&mut *m, &mut *g);
        (*g).cas_status(Status::Idle, Status::Dead);
        sched::allg_add(g);
        g
    }
}

/// Starts a goroutine: takes a dead G, gives it a stack, lets `init` lay its first frame, and
/// queues it to run next.
///
/// `init` sets `g.sched` (and what it likes of `g.vm`, which is zero); `gopc` and `startpc` are
/// for tracebacks.
///
/// Context: coroutine or g0 with a P.
#[inline]
pub fn spawn(m: &mut M, gopc: usize, startpc: usize, init: impl FnOnce(&mut G)) -> *mut G {
    spawn_raw(m, gopc, startpc, false, init)
}

/// Starts a goroutine of the runtime, which runs `f` whenever it is scheduled.
///
/// `f` may park by [`M::park`] and `Outcome::Park`, keeping its state in `g.native_state`, or
/// suspend, which keeps a coroutine.
pub fn spawn_system(m: &mut M, f: NativeFn) -> *mut G {
    spawn_raw(m, 0, f as *const () as usize, true, |g| g.native = Some(f))
}

#[inline]
fn spawn_raw(
    m: &mut M,
    gopc: usize,
    startpc: usize,
    system: bool,
    init: impl FnOnce(&mut G),
) -> *mut G {
    // SAFETY: `m` holds a P; the G is ours until it is queued.
    unsafe {
        let g = new_g(m);
        let creator = m.curg;
        (*g).sched = crate::g::Gobuf {
            pc: 0,
            fp: (*g).stack_lo,
            top: (*g).stack_lo,
            ctxt: 0,
        };
        (*g).vm = [0; crate::g::VM_WORDS];
        (*g).gopc = gopc;
        (*g).startpc = startpc;
        (*g).native_state = 0;
        (*g).is_system = system;
        if system {
            SCHED.ngsys.fetch_add(1, Ordering::Relaxed);
        }
        if creator.is_null() {
            (*g).parent_goid = crate::g::Goid(0);
        } else {
            (*g).parent_goid = (*creator).goid;
            (*g).labels = if system { 0 } else { (*creator).labels };
        }
        let p = m.p;
        (*g).goid = sched::next_goid(&mut *p);
        (*g).tracking_seq = (*p).rand.next32() as u8;
        (*g).tracking = (*g).tracking_seq.is_multiple_of(crate::g::TRACKING_PERIOD);
        init(&mut *g);
        trace::go_create(m, g);
        (*g).cas_status(Status::Dead, Status::Runnable);
        note_runnable(g);
        put(m, g, true);
        if SCHED.main_started.load(Ordering::Relaxed) {
            wake_p(m);
        }
        g
    }
}

/// Wires the current G to its thread; nests. Go: runtime.LockOSThread.
///
/// Context: coroutine. `Err` on overflow of the nesting count.
pub fn lock_os_thread(m: &mut M) -> Result<(), &'static str> {
    if m.locked_ext == u32::MAX {
        return Err("LockOSThread nesting overflow");
    }
    m.locked_ext += 1;
    wire(m);
    Ok(())
}

/// Undoes one [`lock_os_thread`]; a surplus call does nothing.
pub fn unlock_os_thread(m: &mut M) {
    if m.locked_ext == 0 {
        return;
    }
    m.locked_ext -= 1;
    unwire(m);
}

fn wire(m: &mut M) {
    let g = m.curg;
    m.lockedg.store(g, Ordering::Relaxed);
    let mp = ptr::from_mut(m);
    // SAFETY: M3.
    unsafe { (*g).lockedm.store(mp, Ordering::Relaxed) };
}

fn unwire(m: &mut M) {
    if m.locked_ext != 0 || m.locked_int != 0 {
        return;
    }
    let g = m.lockedg.swap(ptr::null_mut(), Ordering::Relaxed);
    if !g.is_null() {
        // SAFETY: M3 — it is the current G.
        unsafe { (*g).lockedm.store(ptr::null_mut(), Ordering::Relaxed) };
    }
}

// ---- starting and ending ------------------------------------------------------------------

/// Starts the runtime on this thread and runs the main goroutine, whose first frame `init` lays.
/// Never returns: the process ends with the program.
///
/// When the runtime has set itself up it calls the engine with the main goroutine. The engine
/// runs the program's initialisation, calls [`main_init_done`], runs `main.main`, and calls
/// [`main_exit`].
pub fn start(engine: &'static dyn Engine, init: impl FnOnce(&mut G)) -> ! {
    panic::install_hook();
    boot("args");
    knobs::read_environment();
    boot("osinit");
    knobs::num_cpu();
    boot("schedinit");
    crate::gc::start();
    let id = {
        let _s = SCHED.lock.guard();
        reserve_id()
    };
    let m = alloc_m(id, engine);
    bind_thread(m);
    if SEEDED.load(Ordering::Relaxed) == 0 {
        crate::rand::set_seed(crate::rand::entropy());
    }
    SCHED.lastpoll.store(nanotime(), Ordering::SeqCst);
    // SAFETY: no other thread knows of the runtime.
    unsafe {
        stw::first_ps(m, knobs::initial_procs());
        signal::install();
        boot("newproc main");
        spawn_raw(&mut *m, 0, 0, false, |g| {
            init(g);
            g.native = Some(runtime_main);
        });
        boot("mstart");
        boot("schedule");
        m_loop(m);
    }
    crate::throw!("the first thread returned");
}

/// 1 if the seed was set by hand.
static SEEDED: AtomicUsize = AtomicUsize::new(0);

/// Fixes the seed of all random streams, so that runs can be repeated. Before [`start`].
pub fn set_seed(seed: u64) {
    SEEDED.store(1, Ordering::Relaxed);
    crate::rand::set_seed(seed);
}

fn boot(step: &str) {
    if knobs::get(knobs::Knob::BootTrace) != 0 {
        panic::print(format_args!("boot: {step}\n"));
    }
}

/// How many of the collector's helpers have begun; those the main goroutine waits for.
static HELPERS: AtomicUsize = AtomicUsize::new(0);

/// The main goroutine's part before the program's: sysmon, the runtime's own goroutines.
///
/// The helpers are started, waited for and left queued just as real Go does it, so that the
/// program begins with the same two goroutines in the ring and the same tick: golden orders of
/// runs depend on both.
fn runtime_main(m: &mut M, g: &mut G) -> Outcome {
    let step = g.native_state;
    g.native_state += 1;
    match step {
        0 => {
            boot("execute G1");
            SCHED.main_started.store(true, Ordering::Relaxed);
            on_g0(m, sysmon::start);
            boot("sysmon started");
            m.locked_int += 1;
            wire(m);
            boot("runtime init");
            set_helper(Helper::ForceGc, spawn_system(m, force_gc_helper));
            set_helper(Helper::Sweeper, spawn_system(m, sweeper));
            set_helper(Helper::Scavenger, spawn_system(m, scavenger));
            wait_helpers(m, g)
        }
        _ if HELPERS.load(Ordering::SeqCst) < 2 => wait_helpers(m, g),
        _ => {
            boot("gc enabled");
            set_helper(Helper::Updater, spawn_system(m, updater));
            set_helper(Helper::Finalizer, spawn_system(m, finalizer));
            boot("main init");
            g.native = None;
            g.native_state = 0;
            Outcome::Again
        }
    }
}

fn wait_helpers(m: &mut M, _g: &mut G) -> Outcome {
    unsafe fn commit(g: *mut G, _: usize) -> bool {
        // Published only now, so that no helper readies it before it waits.
        MAIN_WAITS.store(g as usize, Ordering::SeqCst);
        if HELPERS.load(Ordering::SeqCst) >= 2 {
            // A helper came in between: whoever takes the word readies.
            return MAIN_WAITS.swap(0, Ordering::SeqCst) == 0;
        }
        true
    }
    m.park(Some(commit), 0, WaitReason::ChanReceive);
    Outcome::Park
}

/// The waiting main goroutine, 0 if it does not wait. Taken by whoever readies it.
static MAIN_WAITS: AtomicUsize = AtomicUsize::new(0);

fn helper_ready(m: &mut M) {
    HELPERS.fetch_add(1, Ordering::SeqCst);
    let g = MAIN_WAITS.swap(0, Ordering::SeqCst);
    if g != 0 {
        // SAFETY: whoever takes the word owns the wake-up.
        unsafe { ready(m, g as *mut G) };
    }
}

/// The runtime's own goroutines that others wake.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Helper {
    /// Collects when sysmon finds that it is time.
    ForceGc,
    /// Sweeps in the background.
    Sweeper,
    /// Returns memory.
    Scavenger,
    /// Follows the machine's limit of CPUs.
    Updater,
    /// Runs finalizers and cleanups.
    Finalizer,
}

/// The helpers' Gs; 1 in `HELPER_IDLE` means that it is parked and may be woken.
static HELPER_G: [AtomicUsize; 5] = [const { AtomicUsize::new(0) }; 5];
static HELPER_IDLE: [AtomicUsize; 5] = [const { AtomicUsize::new(0) }; 5];

fn set_helper(h: Helper, g: *mut G) {
    HELPER_G[h as usize].store(g as usize, Ordering::Release);
}

/// Takes the right to wake a parked helper; its G, or null if it is not parked.
pub(crate) fn take_helper(h: Helper) -> *mut G {
    if HELPER_IDLE[h as usize].swap(0, Ordering::SeqCst) == 0 {
        return ptr::null_mut();
    }
    HELPER_G[h as usize].load(Ordering::Acquire) as *mut G
}

/// Wakes a helper if it is parked.
///
/// Context: any stack of an M that holds a P.
pub fn wake_helper(m: &mut M, h: Helper) {
    let g = take_helper(h);
    if !g.is_null() {
        // SAFETY: taking it gave us the wake-up.
        unsafe { ready(m, g) };
    }
}

/// Parks a helper until [`wake_helper`].
pub(crate) fn park_helper(m: &mut M, h: Helper, reason: WaitReason) -> Outcome {
    unsafe fn commit(_g: *mut G, h: usize) -> bool {
        HELPER_IDLE[h].store(1, Ordering::SeqCst);
        true
    }
    m.park(Some(commit), h as usize, reason);
    Outcome::Park
}

/// One turn of a helper: says that it has begun, or does its work, and parks again.
fn helper(m: &mut M, g: &mut G, h: Helper, reason: WaitReason) -> Outcome {
    let mut m = m;
    if g.native_state > 0 {
        m = hook(h, m);
    } else if matches!(h, Helper::Sweeper | Helper::Scavenger) {
        helper_ready(m);
    }
    g.native_state += 1;
    park_helper(m, h, reason)
}

fn force_gc_helper(m: &mut M, g: &mut G) -> Outcome {
    helper(m, g, Helper::ForceGc, WaitReason::ForceGcIdle)
}

fn sweeper(m: &mut M, g: &mut G) -> Outcome {
    helper(m, g, Helper::Sweeper, WaitReason::GcSweepWait)
}

fn scavenger(m: &mut M, g: &mut G) -> Outcome {
    helper(m, g, Helper::Scavenger, WaitReason::GcScavengeWait)
}

fn updater(m: &mut M, g: &mut G) -> Outcome {
    helper(m, g, Helper::Updater, WaitReason::UpdateGomaxprocsIdle)
}

fn finalizer(m: &mut M, g: &mut G) -> Outcome {
    helper(m, g, Helper::Finalizer, WaitReason::FinalizerWait)
}

/// Work of a helper: runs on its coroutine, may park, returns the M it is on then.
pub type HelperFn = for<'a> fn(&'a mut M) -> &'a mut M;

/// What a helper does when woken; 0 is nothing. Written by `set_helper_hook`.
static HOOKS: [AtomicUsize; 5] = [const { AtomicUsize::new(0) }; 5];

/// Sets what a helper does when it is woken.
pub fn set_helper_hook(h: Helper, f: HelperFn) {
    HOOKS[h as usize].store(f as *const () as usize, Ordering::Release);
}

fn hook(h: Helper, m: &mut M) -> &mut M {
    let f = HOOKS[h as usize].load(Ordering::Acquire);
    if f == 0 {
        return match h {
            Helper::Updater => stw::update_gomaxprocs(m),
            _ => m,
        };
    }
    // SAFETY: only `set_helper_hook` stores here, and it stores functions of this type.
    let f: HelperFn = unsafe { std::mem::transmute(f) };
    f(m)
}

/// Program initialisation is over: the main goroutine is not wired to the first thread any more.
///
/// Context: coroutine, main goroutine.
pub fn main_init_done(m: &mut M) {
    boot("main.main");
    if m.locked_int > 0 {
        m.locked_int -= 1;
        unwire(m);
    }
}

/// `main.main` has returned: ends the process.
///
/// Other goroutines are not waited for. If one of them dies of a panic just now, it ends the
/// process instead.
///
/// Context: coroutine, main goroutine.
pub fn main_exit(m: &mut M, code: i32) -> ! {
    let mut m = m;
    // Goroutines that run deferred calls because of a panic may yet end the process their way.
    for _ in 0..1000 {
        if panic::PANIC_DEFERS.load(Ordering::SeqCst) == 0 {
            break;
        }
        m = gosched(m);
    }
    while SCHED.panicking.load(Ordering::SeqCst) != 0 {
        m = gopark(m, None, 0, WaitReason::PanicWait);
    }
    exit(code)
}

/// What runs before the process ends. Written by `set_exit_hook`.
static EXIT_HOOK: AtomicUsize = AtomicUsize::new(0);

/// Sets what runs before the process ends, such as writing out what is buffered.
pub fn set_exit_hook(f: fn()) {
    EXIT_HOOK.store(f as *const () as usize, Ordering::Release);
}

/// Ends the process at once. Go: os.Exit.
pub fn exit(code: i32) -> ! {
    let f = EXIT_HOOK.swap(0, Ordering::AcqRel);
    if f != 0 {
        // SAFETY: only `set_exit_hook` stores here, and it stores functions of this type.
        let f: fn() = unsafe { std::mem::transmute(f) };
        f();
    }
    // SAFETY: ends the process; nothing of ours needs cleaning.
    unsafe { libc::_exit(code) }
}
