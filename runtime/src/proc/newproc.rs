#![allow(unsafe_code)]
//! The `go` statement and the end of a goroutine, with the lists of dead Gs between them.
//!
//! Go: runtime/proc.go, newproc1, goexit0, gfget, gfput.

use std::ptr;

use super::park::{drop_g, note_runnable, ready};
use super::queue::put;
use super::wake::wake_p;
use crate::control::log::Kind;
use crate::g::{G, NativeFn, Status};
use crate::gc::concurrent;
use crate::m::M;
use crate::p::P;
use crate::prof::ancestors;
use crate::sched::SCHED;
use crate::sync::Ordering;
use crate::{bubble, control, limits, sched, stack, trace};

/// Dead Gs on a P's list: spill at, spill to, refill to.
const GFREE_SPILL: usize = 64;

const GFREE_KEEP: usize = 32;

/// Starts a goroutine: takes a dead G, lets `init` lay its first frame, and queues it to run next.
/// It gets its stack when it does.
///
/// `init` sets `g.sched` (and what it likes of the first half of `g.vm`, which is zero); `gopc` and
/// `startpc` are for tracebacks. There is room for six words above the header of the first frame.
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
pub(super) fn spawn_raw(
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
        (*g).gopc = gopc;
        (*g).startpc = startpc;
        (*g).native_state = 0;
        (*g).is_system = system;
        if system {
            SCHED.ngsys.fetch_add(1, Ordering::Relaxed);
        } else {
            limits::check_goroutines(m);
        }
        if creator.is_null() {
            (*g).parent_goid = crate::g::Goid(0);
            (*g).input = 0;
            (*g).labels = 0;
        } else {
            (*g).parent_goid = (*creator).goid;
            (*g).input = (*creator).input;
            (*g).labels = (*creator).labels;
        }
        if !system {
            bubble::begins(m, g);
        }
        ancestors::note(m, creator, g);
        let p = m.p;
        (*g).goid = sched::next_goid(&mut *p);
        (*g).tracking_seq = (*p).rand.next32() as u8;
        (*g).sample();
        init(&mut *g);
        trace::go_create(m, g);
        if control::is_watched() {
            control::does(Kind::Go, m, g);
        }
        (*g).cas_status(Status::Dead, Status::Runnable);
        note_runnable(g);
        put(m, g, true);
        if SCHED.main_started.load(Ordering::Relaxed) {
            wake_p(m);
        }
        g
    }
}

/// The current G has ended. `true`: it was wired to this thread, which must end too.
pub(super) unsafe fn goexit0(m: *mut M) -> bool {
    // SAFETY: context — g0 of `m`.
    unsafe {
        let g = (*m).curg;
        bubble::ends(m, g);
        trace::go_end(m, g);
        if control::is_watched() {
            control::does(Kind::End, m, g);
        }
        if fault!(IllegalStatus) {
            (*g).cas_status(Status::Running, Status::Waiting);
            (*g).cas_status(Status::Waiting, Status::Dead);
        }
        (*g).cas_status(Status::Running, Status::Dead);
        if (*g).is_system {
            SCHED.ngsys.fetch_sub(1, Ordering::Relaxed);
            (*g).is_system = false;
        }
        // The main goroutine may end while packages are initialised, which happens wired to its
        // thread.
        if (*g).is_main() && (*m).locked_int != 0 {
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
            // The thread ends, so that no other G runs on one that this G may have changed.
            if fault!(KeepWiredThread) {
                (*m).locked_ext = 0;
            }
        }
        (*g).param = ptr::null_mut();
        (*g).waiting = ptr::null_mut();
        (*g).waitreason.store(0, Ordering::Relaxed);
        (*g).native = None;
        (*g).preempt_stop.store(false, Ordering::Relaxed);
        drop_g(m);
        // An interrupt that came too late is not for the next of this descriptor.
        (*g).loop_guard.store(0, Ordering::Relaxed);
        if (*g).input == (*g).goid.0 {
            let waiter = crate::prompt::ended(&*g);
            if !waiter.is_null() {
                ready(&mut *m, waiter);
            }
        }
        SCHED.set_held(&*g, false);
        if !fault!(LoseDeadG) {
            gfree_put(m, g);
        }
        wired && !fault!(KeepWiredThread)
    }
}

/// A dead G, with no stack but the room for its first frame.
pub(super) unsafe fn new_g(m: *mut M) -> *mut G {
    // SAFETY: context — `m` holds a P.
    unsafe {
        let g = gfree_get(m);
        if !g.is_null() {
            // The first word stays: the next goroutine of this descriptor uses again what the
            // engine keeps there.
            if !fault!(KeepWords) {
                (&mut (*g).vm)[1..].fill(0);
            }
            stack::lend(&mut *m, &mut *g);
            concurrent::is_new(g);
            return g;
        }
        let g = Box::into_raw(Box::new(G::new()));
        stack::lend(&mut *m, &mut *g);
        concurrent::is_new(g);
        (*g).cas_status(Status::Idle, Status::Dead);
        sched::allg_add(g);
        g
    }
}

/// A dead G with a number, made by a thread that holds no P; room for its first frame is in it.
pub(crate) fn new_detached(startpc: usize) -> *mut G {
    let mut g = {
        let mut global = SCHED.gfree.lock();
        // SAFETY: Gs of the list are the list's.
        let g = unsafe { global.pop() };
        if !g.is_null() {
            SCHED.ngfree.fetch_sub(1, Ordering::Relaxed);
        }
        g
    };
    // SAFETY: a G that is on no list is ours.
    unsafe {
        let fresh = g.is_null();
        if fresh {
            g = Box::into_raw(Box::new(G::new()));
        }
        (&mut (*g).vm)[1..].fill(0);
        stack::lend_cradle(&mut *g);
        if fresh {
            (*g).cas_status(Status::Idle, Status::Dead);
            sched::allg_add(g);
        }
        (*g).sched = crate::g::Gobuf {
            pc: 0,
            fp: (*g).stack_lo,
            top: (*g).stack_lo,
            ctxt: 0,
        };
        (*g).gopc = 0;
        (*g).startpc = startpc;
        (*g).native_state = 0;
        (*g).is_system = false;
        (*g).labels = 0;
        (*g).parent_goid = crate::g::Goid(0);
        (*g).goid = crate::g::Goid(SCHED.goidgen.fetch_add(1, Ordering::Relaxed) + 1);
        (*g).tracking_seq = 0;
        (*g).sample();
        note_runnable(g);
    }
    g
}

/// A dead G of the free lists, or null.
unsafe fn gfree_get(m: *mut M) -> *mut G {
    // SAFETY: context — `m` holds a P.
    unsafe {
        let list = &mut (*(*m).p).gfree;
        if list.head.is_null() && SCHED.ngfree.load(Ordering::Relaxed) > 0 {
            let mut global = SCHED.gfree.lock();
            while list.n < GFREE_KEEP {
                let g = global.pop();
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

/// Puts a dead G on the P's list; spills to the global list.
unsafe fn gfree_put(m: *mut M, g: *mut G) {
    // SAFETY: context — g0 of `m`, which holds a P; the G is dead and ours.
    unsafe {
        stack::take(&mut *m, &mut *g);
        let list = &mut (*(*m).p).gfree;
        list.push(g);
        if list.n >= GFREE_SPILL && !fault!(NoSpill) {
            let mut n = 0;
            let mut global = SCHED.gfree.lock();
            while list.n >= GFREE_KEEP {
                global.push(list.pop());
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
            global.push(g);
            SCHED.ngfree.fetch_add(1, Ordering::Relaxed);
        }
    }
}
