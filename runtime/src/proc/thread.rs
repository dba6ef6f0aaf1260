#![allow(unsafe_code)]
//! The life of an M: numbered, made, bound to its thread, ended.
//!
//! A thread begins with much of what its maker had set for itself in the kernel. A goroutine that
//! wires itself to its thread may do so in order to change just that, so the threads that such an M
//! asks for are made by the *template thread*, which runs nothing else.
//!
//! Go: runtime/proc.go, allocm, newm, mstart, mexit, checkmcount, templateThread.

use std::ptr;

use super::handoff::{acquire_p, handoff_p, m_park, release_p};
use super::schedule::m_loop;
use crate::coro::on_g0;
use crate::engine::Engine;
use crate::lockrank::Rank;
use crate::m::M;
use crate::note::Note;
use crate::p::P;
use crate::sched::SCHED;
use crate::sync::{self, AtomicBool, Guarded, Ordering};
use crate::{coro, panic, prof, signal, tls, trace};

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
fn check_mcount() {
    // SAFETY: the lock is held.
    let l = unsafe { SCHED.locked() };
    if l.mnext - l.nmfreed > l.maxmcount && !fault!(NoThreadLimit) {
        let known = std::mem::replace(&mut l.is_exhausted, true);
        let limit = l.maxmcount;
        SCHED.lock.unlock();
        if known {
            // The thread that found it first says so and ends the process.
            crate::sync::block_forever();
        }
        panic::print(format_args!(
            "runtime: program exceeds {limit}-thread limit\n"
        ));
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

/// Ms whose threads have ended, linked by `alllink`. As a descriptor of a G, that of an M may be
/// looked at by an M that has seen it (preemption requests, dumps), so it is never freed but used
/// again.
struct Ended(*mut M);

// SAFETY: an M on the list belongs to it.
unsafe impl Send for Ended {}

static ENDED: Guarded<Ended> = Guarded::new(Rank::Leaf, Ended(ptr::null_mut()));

pub(super) fn alloc_m(id: i64, engine: &'static dyn Engine) -> *mut M {
    let m = {
        let mut ended = ENDED.lock();
        let m = ended.0;
        if m.is_null() {
            Box::into_raw(Box::new(M::new(id, engine)))
        } else {
            // SAFETY: it is on the list, so its thread is done with it. Others touch its atomics
            // only, and find nothing there.
            unsafe {
                ended.0 = (*m).alllink;
                (*m).renew(id, engine);
            }
            m
        }
    };
    let _s = SCHED.lock.guard();
    // SAFETY: it is on no list yet; the list is changed under the lock.
    unsafe { (*m).alllink = SCHED.allm.load(Ordering::Relaxed) };
    SCHED.allm.store(m, Ordering::Release); // pairs with the Acquire of walkers
    trace::made(m);
    m
}

/// The descriptor in whose name threads that are no M use the scheduler: it has no thread and is
/// not counted for deadlocks.
///
/// Context: g0.
pub(crate) fn front_m(m: &M) -> *mut M {
    let id = {
        let _s = SCHED.lock.guard();
        // SAFETY: the lock is held.
        unsafe { SCHED.locked().nmsys += 1 };
        reserve_id()
    };
    let front = alloc_m(id, m.engine);
    // SAFETY: it is ours. No goroutine runs on the stacks of the threads that use it.
    unsafe { ((*front).stack_lo, (*front).stack_hi) = (0, usize::MAX) };
    front
}

struct SendM(*mut M);

// SAFETY: an M is handed to its own thread.
unsafe impl Send for SendM {}

/// Makes a thread which begins by running `p`.
pub(super) unsafe fn new_m(m: *mut M, p: *mut P, spinning: bool, id: i64) {
    // SAFETY: context — g0.
    unsafe {
        let new = alloc_m(id, (*m).engine);
        (*new).nextp.store(p, Ordering::Release);
        (*new).spinning.store(spinning, Ordering::Relaxed);
        trace::thread_made(m, id);
        if (*m).locked_ext != 0 && !fault!(CloneWired) {
            ask_template(new);
        } else {
            launch(new, m_start);
        }
    }
}

/// Ms whose threads the template thread shall make.
struct Wanted {
    /// Linked by `schedlink`.
    first: *mut M,
    /// The template thread sleeps, and must be woken.
    asleep: bool,
}

// SAFETY: an M on the list belongs to it.
unsafe impl Send for Wanted {}

static WANTED: Guarded<Wanted> = Guarded::new(
    Rank::Leaf,
    Wanted {
        first: ptr::null_mut(),
        asleep: false,
    },
);
/// What the template thread sleeps on.
static TEMPLATE_NOTE: Note = Note::new();
/// Whether there is a template thread. Written by the first to wire itself.
static TEMPLATE: AtomicBool = AtomicBool::new(false);

/// Sees to it that there is a template thread. Go: runtime.startTemplateThread.
///
/// Context: any stack of an M whose thread is as it was made.
pub(super) fn start_template(m: &mut M) {
    if TEMPLATE.load(Ordering::Relaxed) || TEMPLATE.swap(true, Ordering::Relaxed) {
        return;
    }
    on_g0(m, |m| {
        let id = {
            let _s = SCHED.lock.guard();
            // SAFETY: the lock is held. It runs no Gs, and is not counted for deadlocks.
            unsafe { SCHED.locked().nmsys += 1 };
            reserve_id()
        };
        launch_system(m, id, template);
    });
}

/// Has the thread of `new` made by the template thread.
unsafe fn ask_template(new: *mut M) {
    let mut w = WANTED.lock();
    // SAFETY: the M is on no other list, and has no thread yet.
    unsafe { (*new).schedlink = w.first };
    w.first = new;
    if w.asleep {
        w.asleep = false;
        TEMPLATE_NOTE.wakeup();
    }
}

/// The life of the template thread.
fn template(_: *mut M) {
    loop {
        let mut w = WANTED.lock();
        let new = w.first;
        if new.is_null() {
            w.asleep = true;
            TEMPLATE_NOTE.clear();
            drop(w);
            TEMPLATE_NOTE.sleep();
            continue;
        }
        // SAFETY: off the list it is ours.
        unsafe { w.first = std::mem::replace(&mut (*new).schedlink, ptr::null_mut()) };
        drop(w);
        launch(new, m_start);
    }
}

/// Starts the thread of `m` in `f`.
fn launch(m: *mut M, f: fn(*mut M)) {
    let sm = SendM(m);
    let t = signal::with_blocked(|| {
        sync::spawn_thread(M_STACK, move || {
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
pub(super) fn bind_thread(m: *mut M) {
    tls::set_current_m(m);
    // SAFETY: m::M1 — we are its thread.
    unsafe {
        let (lo, hi) = sync::thread_stack().unwrap_or_else(|| {
            let here = coro::stack_pointer();
            (here - (M_STACK / 2), here + M_STACK)
        });
        (*m).stack_lo = lo;
        (*m).stack_hi = hi;
        (*m).procid.store(sync::thread_id(), Ordering::Relaxed);
    }
    signal::init_m(m);
    prof::cpu::thread_begins(m);
}

/// The life of a thread made for running Gs.
fn m_start(m: *mut M) {
    // SAFETY: m::M2 — its first P was given with it.
    unsafe {
        let p = (*m).nextp.swap(ptr::null_mut(), Ordering::Acquire);
        if !p.is_null() {
            acquire_p(m, p);
        }
        trace::m_start(m);
        m_loop(m);
    }
}

/// Ends the thread, giving up its P. The first thread sleeps for ever instead.
pub(super) unsafe fn exit_m(m: *mut M) {
    // SAFETY: context — g0 of `m`, the last thing it does.
    unsafe {
        trace::m_exit(m);
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
        {
            let _s = SCHED.lock.guard();
            SCHED.locked().nmfreed += 1;
            panic::check_dead();
        }
        prof::cpu::thread_ends(m);
        // From here on signals find no M; then the descriptor may be another thread's.
        signal::drop_m(m);
        tls::set_current_m(ptr::null_mut());
        let mut ended = ENDED.lock();
        (*m).alllink = ended.0;
        ended.0 = m;
    }
}
