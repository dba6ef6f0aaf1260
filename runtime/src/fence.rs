#![allow(unsafe_code)]
//! Fenced natives: Rust code that a signal may suspend in the middle, to go on later on any M.
//!
//! A native that computes for long without looking at the request words runs inside [`fenced`]. If
//! its goroutine is asked to stop, SIGURG interrupts it; the handler edits the interrupted context
//! so that the thread, back from the handler, calls a trampoline as if the native had called it.
//! That saves every register, suspends the coroutine, and puts everything back when the G runs
//! again. On other machines than x86-64 fenced natives simply run to their end.
//!
//! # Invariants
//!
//! - F1. Inside the fence nothing is tied to the thread and nothing is half-done: no allocation,
//!   no lock, no thread-local, no system call, no panic, no unwinding. [`fenced`]'s caller answers
//!   for it.
//! - F2. `g.fenced` is true exactly while the code between the fences runs; it travels with the G.
//!   The handler clears it when it injects, the trampoline's Rust part sets it again.
//! - F3. At least [`ROOM`] bytes of native stack are left where the trampoline runs; else the
//!   handler refuses, and the request stays in the G's words.
//!
//! Go: runtime/preempt.go, asyncPreempt; runtime/signal_unix.go, doSigPreempt.

use crate::coro;
use crate::engine::{Outcome, YieldKind};
use crate::g::{G, Status};
use crate::m::M;
use crate::preempt;
use crate::sync::{AtomicU32, Ordering};
use crate::trace;

/// Native stack the trampoline may need: register areas and frames.
pub const ROOM: usize = 16 << 10;

/// Runs `f(arg)` where a signal may suspend it. Returns the M the G runs on then.
///
/// Context: coroutine, with a P, no lock held.
///
/// # Safety
///
/// `f` keeps to F1, and takes and gives everything through `arg`.
pub unsafe fn fenced(m: &mut M, f: unsafe extern "C" fn(*mut u8), arg: *mut u8) -> &mut M {
    let g = m.curg;
    let mut m = m;
    // SAFETY: the current G; by the contract for `f`.
    unsafe {
        if (*g).preempt.load(Ordering::Relaxed) && preempt::is_async() && preempt::can_preempt(m) {
            // Asked already: a signal that came before the fence would be lost.
            m = coro::suspend(m, Outcome::Yield(YieldKind::Preempt));
        }
        let _ = m;
        (*g).fenced.store(true, Ordering::Relaxed);
        std::sync::atomic::compiler_fence(Ordering::SeqCst);
        call(f, arg);
        std::sync::atomic::compiler_fence(Ordering::SeqCst);
        (*g).fenced.store(false, Ordering::Relaxed);
        &mut *(*g).m
    }
}

/// Keeps what surrounds the fence from being moved into it.
#[inline(never)]
unsafe fn call(f: unsafe extern "C" fn(*mut u8), arg: *mut u8) {
    // SAFETY: the caller's.
    unsafe { f(arg) }
}

/// Decides in the handler whether to suspend the interrupted code, and does it.
///
/// # Safety
///
/// Context: SIGURG's handler on `m`'s thread; `uc` is the kernel's context.
pub(crate) unsafe fn inject(m: *mut M, uc: *mut libc::c_void) -> bool {
    // SAFETY: H1 of the signal module; the M is this thread's and was interrupted.
    unsafe {
        let g = (*m).curg;
        if g.is_null()
            || (*m).yielder.is_null()
            || !(*g).fenced.load(Ordering::Relaxed)
            || (*g).status() != Status::Running
            || !preempt::can_preempt(&*m)
        {
            return false;
        }
        let wanted =
            (*g).preempt.load(Ordering::Relaxed) || (*(*m).p).preempt.load(Ordering::Relaxed);
        wanted && arch::inject(g, uc)
    }
}

/// What the trampoline calls: suspends the G, on whose coroutine this runs.
extern "C" fn stopped(g: *mut G) {
    // SAFETY: S4 — the G is current on the M that was interrupted; F2.
    unsafe {
        let m = (*g).m;
        trace::preempted(m, g, trace::Way::Signal);
        SUSPENDED.fetch_add(1, Ordering::Relaxed);
        coro::suspend(&mut *m, Outcome::Yield(YieldKind::Preempt));
        (*g).fenced.store(true, Ordering::Relaxed);
        std::sync::atomic::compiler_fence(Ordering::SeqCst);
    }
}

/// Natives suspended by a signal so far; for tests and dumps.
pub static SUSPENDED: AtomicU32 = AtomicU32::new(0);

/// Finds out what of the registers there is to save. Called once at start.
pub(crate) fn init() {
    arch::init();
}

#[cfg(target_arch = "x86_64")]
mod arch {
    use std::arch::x86_64::__cpuid_count;
    use std::arch::{asm, naked_asm};

    use super::{G, Ordering, ROOM, stopped};
    use crate::coro;
    use crate::sync::{AtomicU32, AtomicUsize};

    /// The part of the stack below its pointer that leaf functions may use.
    const RED_ZONE: usize = 128;
    /// x87, SSE, AVX and AVX-512; neither AMX tiles nor protection keys.
    const SAVED: u32 = 0xe7;
    /// The direction flag.
    const DF: i64 = 1 << 10;

    /// Which of them this machine has; 0 is no XSAVE, and so no preemption. Written by `init`.
    static MASK: AtomicU32 = AtomicU32::new(0);
    /// Bytes they take. Written by `init`.
    static SIZE: AtomicUsize = AtomicUsize::new(0);

    pub(super) fn init() {
        // SAFETY: CPUID is there on every x86-64; XGETBV if the operating system uses XSAVE.
        unsafe {
            let osxsave = __cpuid_count(1, 0).ecx & (1 << 27) != 0;
            if !osxsave {
                return;
            }
            let xcr0: u32;
            asm!("xgetbv", in("ecx") 0, out("eax") xcr0, out("edx") _, options(nomem, nostack));
            let mask = xcr0 & SAVED;
            let mut size = 512 + 64;
            for i in 2..8 {
                if mask & (1 << i) != 0 {
                    let c = __cpuid_count(0xd, i);
                    size = size.max((c.ebx + c.eax) as usize);
                }
            }
            if size + 1024 < ROOM {
                SIZE.store(size.next_multiple_of(64), Ordering::Relaxed);
                MASK.store(mask, Ordering::Relaxed);
            }
        }
    }

    /// Makes the interrupted code call the trampoline.
    pub(super) unsafe fn inject(g: *mut G, uc: *mut libc::c_void) -> bool {
        // SAFETY: the kernel's context; F3 for what is written below the stack pointer.
        unsafe {
            let regs = &mut (*uc.cast::<libc::ucontext_t>()).uc_mcontext.gregs;
            let sp = regs[libc::REG_RSP as usize] as usize;
            if MASK.load(Ordering::Relaxed) == 0 || coro::room_at(sp) < ROOM {
                return false;
            }
            (*g).fenced.store(false, Ordering::Relaxed);
            let at = sp - RED_ZONE - 16;
            let words = at as *mut usize;
            *words = g as usize;
            *words.add(1) = regs[libc::REG_RIP as usize] as usize;
            regs[libc::REG_RSP as usize] = at as i64;
            regs[libc::REG_RIP as usize] = trampoline as *const () as i64;
            regs[libc::REG_EFL as usize] &= !DF;
            true
        }
    }

    /// Saves everything, calls `stopped(g)`, restores everything, and goes on where the code was
    /// interrupted. On entry the stack holds the G, the place to go on, and the red zone.
    #[unsafe(naked)]
    unsafe extern "C" fn trampoline() {
        naked_asm!(
            "pushfq",
            "push rax", "push rcx", "push rdx", "push rbx", "push rbp", "push rsi", "push rdi",
            "push r8", "push r9", "push r10", "push r11",
            "push r12", "push r13", "push r14", "push r15",
            "cld",
            "mov rbp, rsp",
            // The register area, 64-aligned, its header zero as XSAVE wants it.
            "sub rsp, qword ptr [rip + {size}]",
            "and rsp, -64",
            "xor eax, eax",
            "mov qword ptr [rsp + 512], rax", "mov qword ptr [rsp + 520], rax",
            "mov qword ptr [rsp + 528], rax", "mov qword ptr [rsp + 536], rax",
            "mov qword ptr [rsp + 544], rax", "mov qword ptr [rsp + 552], rax",
            "mov qword ptr [rsp + 560], rax", "mov qword ptr [rsp + 568], rax",
            "mov eax, dword ptr [rip + {mask}]",
            "xor edx, edx",
            "xsave64 [rsp]",
            "mov rbx, rsp",
            "mov rdi, qword ptr [rbp + 128]",
            "call {stopped}",
            "mov rsp, rbx",
            "mov eax, dword ptr [rip + {mask}]",
            "xor edx, edx",
            "xrstor64 [rsp]",
            "mov rsp, rbp",
            "pop r15", "pop r14", "pop r13", "pop r12",
            "pop r11", "pop r10", "pop r9", "pop r8",
            "pop rdi", "pop rsi", "pop rbp", "pop rbx", "pop rdx", "pop rcx", "pop rax",
            "popfq",
            // Drop the G without touching flags; return over the red zone.
            "lea rsp, [rsp + 8]",
            "ret {red_zone}",
            size = sym SIZE,
            mask = sym MASK,
            stopped = sym stopped,
            red_zone = const RED_ZONE,
        )
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod arch {
    use super::G;

    pub(super) fn init() {}

    pub(super) unsafe fn inject(_: *mut G, _: *mut libc::c_void) -> bool {
        false
    }
}
