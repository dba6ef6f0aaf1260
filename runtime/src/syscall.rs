#![allow(unsafe_code)]
//! System calls: giving the P away while the kernel keeps the thread.
//!
//! The usual way is optimistic: the P stays bound weakly, and sysmon takes it if the call lasts.
//! A call known to block gives it away at once.
//!
//! # Invariants
//!
//! - C1. Between `enter` and `exit` the M has no P: no heap, no park, no spawn, no ready.
//! - C2. A P in `Syscall` is taken by compare-and-swap of its status only.
//!
//! Go: runtime/proc.go, entersyscall, exitsyscall.

use std::ptr;

use crate::control;
use crate::coro::{self, on_g0};
use crate::engine::Outcome;
use crate::g::{G, Status};
use crate::m::M;
use crate::p::PStatus;
use crate::proc;
use crate::prompt;
use crate::sched::SCHED;
use crate::stack;
use crate::stw;
use crate::switches::{self, Mech};
use crate::sync::Ordering;
use crate::trace;

/// Which call of the kernel, by its number there. Only traces ask for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KernelCall(pub i64);

impl KernelCall {
    /// It is not known, or none of the kernel's.
    pub const NONE: KernelCall = KernelCall(-1);

    /// Its name in the kernel, or its number if that has none; empty if it is not known.
    pub(crate) fn name(self) -> String {
        let number = usize::try_from(self.0).ok();
        match number.and_then(syscalls::Sysno::new) {
            Some(call) => call.name().into(),
            None if self == KernelCall::NONE => String::new(),
            None => self.0.to_string(),
        }
    }
}

/// Before a call that may block: keeps a weak hold of the P, which sysmon may take.
///
/// Context: coroutine; no lock held. Until [`exit`]: C1.
pub fn enter(m: &mut M, call: KernelCall) {
    if !switches::on(Mech::OptimisticSyscall) {
        return enter_block(m, call);
    }
    // SAFETY: m::M1, m::M3; the P is ours until its status says otherwise.
    unsafe {
        let g = m.curg;
        prepare(m, g);
        let p = m.p;
        if SCHED.sysmonwait.load(Ordering::Relaxed) && !fault!(EnterLeavesSysmon) {
            wake_sysmon();
        }
        if (*p).run_safepoint_fn.load(Ordering::Relaxed) != 0 {
            stw::run_safepoint_fn(m);
        }
        m.syscalltick = (*p).syscalltick.load(Ordering::Relaxed);
        trace::syscall_begin(m, false, call);
        m.oldp = p;
        if control::is_virtual() {
            control::calls::begins(m);
        }
        m.p = ptr::null_mut();
        if !fault!(KeepP) {
            m.p_seen.store(ptr::null_mut(), Ordering::Relaxed);
        }
        (*p).m.store(ptr::null_mut(), Ordering::Relaxed);
        (*p).set_status(PStatus::Syscall);
        if !fault!(NoFenceInEnter) {
            crate::sync::fence_seq_cst(); // with stop, which sets gcwaiting and then looks at Ps
        }
        if SCHED.gcwaiting.load(Ordering::Relaxed) {
            enter_gcwait(p);
        }
        m.locks -= 1;
    }
}

/// What both ways do first.
unsafe fn prepare(m: &mut M, g: *mut G) {
    // SAFETY: context — `g` is current.
    unsafe {
        m.locks += 1;
        coro::note_native(m);
        (*g).throwsplit = true;
        // A prologue would stop: there is no growing of the stack from here on.
        (*g).stackguard0.store(stack::PREEMPT, Ordering::Relaxed);
        (*g).syscallsp = (*g).sched.top.max(1);
        (*g).syscallpc = (*g).sched.pc;
        (*g).cas_status(Status::Running, Status::Syscall);
    }
}

#[cold]
fn wake_sysmon() {
    let _s = SCHED.lock.guard();
    if SCHED.sysmonwait.load(Ordering::Relaxed) {
        SCHED.sysmonwait.store(false, Ordering::Relaxed);
        SCHED.sysmonnote.wakeup();
    }
}

/// The world is being stopped while we enter: hand the P over ourselves.
#[cold]
unsafe fn enter_gcwait(p: *mut crate::p::P) {
    let _s = SCHED.lock.guard();
    // SAFETY: C2.
    unsafe {
        if SCHED.locked().stopwait > 0 && (*p).cas_status(PStatus::Syscall, PStatus::GcStop) {
            (*p).syscalltick.fetch_add(1, Ordering::Relaxed);
            let l = SCHED.locked();
            l.stopwait -= 1;
            if l.stopwait == 0 {
                SCHED.stopnote.wakeup();
            }
        }
    }
}

/// Before a call known to block: gives the P away at once.
///
/// Context: as [`enter`].
pub fn enter_block(m: &mut M, call: KernelCall) {
    // SAFETY: m::M1, m::M3.
    unsafe {
        let g = m.curg;
        prepare(m, g);
        let p = m.p;
        m.syscalltick = (*p).syscalltick.load(Ordering::Relaxed);
        (*p).syscalltick.fetch_add(1, Ordering::Relaxed);
        trace::syscall_begin(m, true, call);
        m.oldp = p;
        on_g0(m, |m| {
            let p = proc::release_p(m);
            proc::handoff_p(m, p);
        });
        m.locks -= 1;
    }
}

/// After the call: takes the old P back, or another, or parks the G until there is one.
///
/// Returns the M the G runs on now: never use the old one.
pub fn exit(m: &mut M) -> &mut M {
    // SAFETY: m::M1, m::M3; C2 for the Ps.
    unsafe {
        let g = m.curg;
        m.locks += 1;
        if SCHED.freezing.load(Ordering::Relaxed) {
            freeze();
        }
        (*g).waitsince.store(0, Ordering::Relaxed);
        let old = m.oldp;
        if fast(m) {
            if control::is_virtual() {
                control::calls::ends(m);
            }
            proc::bump(&(*m.p).syscalltick);
            (*g).cas_status(Status::Syscall, Status::Running);
            (*g).syscallsp = 0;
            (*g).throwsplit = false;
            restore_guard(g);
            m.locks -= 1;
            trace::syscall_end(m, m.p == old);
            if !SCHED.is_enabled(&*g) {
                return proc::gosched_guarded(m);
            }
            return m;
        }
        m.locks -= 1;
        trace::syscall_blocked(m);
        let m = coro::suspend(m, Outcome::SyscallExit);
        (*g).syscallsp = 0;
        (*g).throwsplit = false;
        let p = m.p;
        proc::bump(&(*p).syscalltick);
        m
    }
}

/// Makes prologues pass again, unless the G was asked for something meanwhile.
unsafe fn restore_guard(g: *mut G) {
    // SAFETY: context — `g` is current.
    unsafe {
        // SeqCst: a request sets its word first and the guard then, so either we see the word or
        // its write of the guard comes after ours.
        (*g).stackguard0.swap((*g).normal_guard(), Ordering::SeqCst);
        if (*g).preempt.load(Ordering::Relaxed) {
            crate::preempt::rearm(g);
        } else if (*g).loop_guard.load(Ordering::Relaxed) != 0 {
            (*g).stackguard0.store(stack::PREEMPT, Ordering::Relaxed);
        }
    }
}

/// Sleeps for ever: a fatal error has frozen the world.
#[cold]
fn freeze() -> ! {
    crate::sync::block_forever()
}

/// Takes the old P or an idle one.
pub(crate) unsafe fn fast(m: &mut M) -> bool {
    let old = m.oldp;
    m.oldp = ptr::null_mut();
    // SAFETY: C2; sched::D1 under the lock.
    unsafe {
        if fault!(IllegalPStatus) && !old.is_null() {
            (*old).cas_status(PStatus::Syscall, PStatus::Running);
        }
        let regain = |p: *mut crate::p::P| {
            if fault!(RegainByStore) && (*p).status() == PStatus::Syscall {
                (*p).set_status(PStatus::Idle);
                return true;
            }
            (*p).cas_status(PStatus::Syscall, PStatus::Idle)
        };
        if !old.is_null() && regain(old) {
            let retaken = (*old).syscalltick.load(Ordering::Relaxed) != m.syscalltick;
            proc::acquire_p(m, old);
            if retaken {
                proc::bump(&(*old).syscalltick);
            }
            return true;
        }
        // In a controlled run it is a decision that a goroutine which has lost the P goes on.
        if SCHED.npidle.load(Ordering::Relaxed) == 0 || control::is_on() {
            return false;
        }
        let p = idle_p();
        if p.is_null() {
            return false;
        }
        proc::acquire_p(m, p);
        true
    }
}

/// Ends sysmon's deep sleep, as an idle P is about to run. The sched lock is held.
fn wake_sysmon_locked() {
    if SCHED.sysmonwait.load(Ordering::Relaxed) && !fault!(ExitLeavesSysmon) {
        SCHED.sysmonwait.store(false, Ordering::Relaxed);
        SCHED.sysmonnote.wakeup();
    }
}

/// An idle P, or null.
unsafe fn idle_p() -> *mut crate::p::P {
    let _s = SCHED.lock.guard();
    // SAFETY: the lock is held.
    unsafe {
        let p = SCHED.pidle_get();
        if !p.is_null() {
            wake_sysmon_locked();
        }
        p
    }
}

/// The slow half of [`exit`], on g0: `true` if the G runs on at once.
///
/// # Safety
///
/// Context: g0 of `m`, which has no P; its current G has left its coroutine.
pub(crate) unsafe fn exit0(m: *mut M) -> bool {
    // SAFETY: by the contract.
    unsafe {
        let g = (*m).curg;
        (*g).cas_status(Status::Syscall, Status::Runnable);
        let wired = !(*g).lockedm.load(Ordering::Relaxed).is_null();
        (*g).m = ptr::null_mut();
        (*m).curg = ptr::null_mut();
        (*m).curg_seen.store(ptr::null_mut(), Ordering::Relaxed);
        SCHED.lock.lock();
        let p = if SCHED.is_enabled(&*g) {
            SCHED.pidle_get()
        } else {
            ptr::null_mut()
        };
        let is_chosen = !p.is_null() && !control::is_on();
        if !is_chosen {
            if prompt::is_paused() && prompt::passes(g) {
                SCHED.globrunq_put_input(g);
            } else if fault!(SyscallExitFirst) {
                SCHED.globrunq_prepend_list(g, g, 1);
            } else {
                SCHED.globrunq_put(g);
            }
        }
        if !p.is_null() {
            wake_sysmon_locked();
        }
        if control::is_virtual() {
            control::calls::ends(m);
        }
        SCHED.lock.unlock();
        if !p.is_null() {
            proc::acquire_p(m, p);
            if is_chosen {
                proc::execute_syscall(m, g);
            }
            return is_chosen;
        }
        if wired {
            // The M that finds the G on the global queue gives us its P: `schedule` waits.
            return false;
        }
        proc::stop_m(m);
        false
    }
}
