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
//! - F1. Inside the fence nothing is tied to the thread and nothing is half-done: no lock, no
//!   thread-local, no system call, no Go memory, no panic, no unwinding. [`fenced`]'s caller
//!   answers for it. Rust memory may be taken and given back: see F4.
//! - F2. `g.fenced` is true exactly while the code between the fences runs; it travels with the G.
//!   The handler clears it when it injects, the trampoline's Rust part sets it again.
//! - F3. At least [`ROOM`] bytes of native stack are left where the trampoline runs; else the
//!   handler refuses, and the request stays in the G's words.
//! - F4. The interrupted instruction lies in our own executable, or in the C library's memmove,
//!   memset or memcmp that our executable has called. The rest of that library, such as malloc with
//!   its locks and its cache of the thread, is never suspended. Where malloc has been linked into
//!   the executable, nothing is.
//!
//! Go: runtime/preempt.go, asyncPreempt; runtime/signal_unix.go, doSigPreempt.

use crate::coro;
use crate::engine::{Outcome, YieldKind};
use crate::g::{G, Status};
use crate::m::M;
use crate::preempt;
use crate::sync::{AtomicU32, AtomicUsize, Ordering};
use crate::trace;

/// Native stack the trampoline may need: register areas and frames.
const ROOM: usize = 16 << 10;

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
            // The G was asked to stop before the fence: a signal sent before it is not sent again.
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

/// Runs `f` where a signal may suspend it. Returns the M the G runs on then, and the result.
///
/// Context: coroutine, with a P, no lock held.
///
/// # Safety
///
/// `f` keeps to F1.
pub unsafe fn run<R: Send>(m: &mut M, f: impl FnOnce() -> R + Send) -> (&mut M, R) {
    struct Call<F, R> {
        f: Option<F>,
        result: Option<R>,
    }
    unsafe extern "C" fn go<F: FnOnce() -> R, R>(call: *mut u8) {
        // SAFETY: `run` gives its own variable, which nothing else uses meanwhile.
        let call = unsafe { &mut *call.cast::<Call<F, R>>() };
        if let Some(f) = call.f.take() {
            call.result = Some(f());
        }
    }
    fn start<F: FnOnce() -> R, R>(_: &Call<F, R>) -> unsafe extern "C" fn(*mut u8) {
        go::<F, R>
    }
    let mut call = Call {
        f: Some(f),
        result: None,
    };
    let go = start(&call);
    // SAFETY: the caller's.
    let m = unsafe { fenced(m, go, (&raw mut call).cast()) };
    match call.result {
        Some(r) => (m, r),
        None => crate::throw!("a fenced native has no result"),
    }
}

/// Lets the current G leave if it is asked to stop: for natives that poll because they cannot be
/// fenced. Returns the M the G runs on then.
///
/// Context: coroutine, with a P, no lock held; all Go pointers lie where the collector looks.
#[inline]
pub fn poll(m: &mut M) -> &mut M {
    // SAFETY: m::M3 — the current G.
    if unsafe { (*m.curg).preempt.load(Ordering::Relaxed) } && !fault!(PollsForget) {
        return stop_here(m);
    }
    m
}

#[cold]
fn stop_here(m: &mut M) -> &mut M {
    if !preempt::can_preempt(m) || m.yielder.is_null() {
        return m;
    }
    trace::preempted(m, m.curg, trace::Way::Loop);
    coro::suspend(m, Outcome::Yield(YieldKind::Preempt))
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
    // SAFETY: signal::H1; the M is this thread's and was interrupted.
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
    // SAFETY: coro::S4 — the G is current on the M that was interrupted; F2.
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

/// The bounds of the executable's code, F4. Written by `init`; empty if nothing may be suspended.
static TEXT: [AtomicUsize; 2] = [const { AtomicUsize::new(0) }; 2];

/// The bounds of memmove and its kin, F4. Written by `init`; empty where unknown.
static MOVERS: [[AtomicUsize; 2]; 5] = [const { [const { AtomicUsize::new(0) }; 2] }; 5];

fn is_within(pc: usize, bounds: &[AtomicUsize; 2]) -> bool {
    pc >= bounds[0].load(Ordering::Relaxed) && pc < bounds[1].load(Ordering::Relaxed)
}

/// Whether code at `pc` may be suspended, as far as F4 goes; `sp` is its stack pointer.
///
/// # Safety
///
/// `sp` points to a word of a stack.
unsafe fn may_stop(pc: usize, sp: usize) -> bool {
    if is_within(pc, &TEXT) {
        return true;
    }
    // These functions are leaves that push nothing: the word on top is where they return to.
    // SAFETY: by the contract.
    MOVERS.iter().any(|m| is_within(pc, m)) && is_within(unsafe { *(sp as *const usize) }, &TEXT)
}

/// The end of the function that begins at `start`, by the unwinder's tables.
#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
fn end_of(start: usize) -> Option<usize> {
    #[repr(C)]
    struct Bases {
        text: usize,
        data: usize,
        func: usize,
    }
    unsafe extern "C" {
        fn _Unwind_Find_FDE(pc: *const u8, bases: *mut Bases) -> *const u8;
    }
    /// Relative to its place, four bytes, signed: the encoding of addresses that is read here.
    const PCREL_SDATA4: u8 = 0x1b;
    let mut bases = Bases {
        text: 0,
        data: 0,
        func: 0,
    };
    // SAFETY: libgcc's function gives null or an entry of an .eh_frame section: the length, the
    // distance back to the common entry, then the start and the length of the code as the common
    // entry's augmentation says, whose form is checked.
    unsafe {
        let entry = _Unwind_Find_FDE((start + 1) as *const u8, &raw mut bases);
        if entry.is_null() || bases.func != start {
            return None;
        }
        let word = |at: usize| entry.add(at).cast::<u32>().read_unaligned();
        let common = entry.add(4).sub(word(4) as usize);
        // Version 1, "zR", three numbers of a byte each, the augmentation's length, the encoding.
        let form = std::slice::from_raw_parts(common.add(8), 9);
        if form[..4] != [1, b'z', b'R', 0] || form[7] != 1 || form[8] != PCREL_SDATA4 {
            return None;
        }
        Some(start + word(12) as usize)
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64")))]
fn end_of(_: usize) -> Option<usize> {
    None
}

/// Finds out where the executable's code lies, and what of the registers there is to save. Called
/// once at start.
pub(crate) fn init() {
    unsafe extern "C" fn object(
        info: *mut libc::dl_phdr_info,
        _: libc::size_t,
        found: *mut libc::c_void,
    ) -> libc::c_int {
        // SAFETY: the linker's description of a loaded object; `found` is `init`'s.
        unsafe {
            let (info, found) = (&*info, &mut *found.cast::<[usize; 2]>());
            let here = inject as *const () as usize;
            for i in 0..usize::from(info.dlpi_phnum) {
                let part = &*info.dlpi_phdr.add(i);
                let lo = info.dlpi_addr as usize + part.p_vaddr as usize;
                let hi = lo + part.p_memsz as usize;
                if part.p_type == libc::PT_LOAD && (lo..hi).contains(&here) {
                    *found = [lo, hi];
                }
            }
        }
        0
    }
    unsafe extern "C" {
        // What comparisons of bytes for equality call.
        fn bcmp(a: *const u8, b: *const u8, n: usize) -> libc::c_int;
    }
    let mut text = [0usize; 2];
    // SAFETY: the callback reads what it is given, and writes `text`.
    unsafe { libc::dl_iterate_phdr(Some(object), (&raw mut text).cast()) };
    let malloc = libc::malloc as *const () as usize;
    if !(text[0]..text[1]).contains(&malloc) {
        TEXT[0].store(text[0], Ordering::Relaxed);
        TEXT[1].store(text[1], Ordering::Relaxed);
        let movers = [
            libc::memmove as *const () as usize,
            libc::memcpy as *const () as usize,
            libc::memset as *const () as usize,
            libc::memcmp as *const () as usize,
            bcmp as *const () as usize,
        ];
        for (bounds, start) in MOVERS.iter().zip(movers) {
            if let Some(end) = end_of(start) {
                bounds[0].store(start, Ordering::Relaxed);
                bounds[1].store(end, Ordering::Relaxed);
            }
        }
    }
    arch::init();
}

#[cfg(target_arch = "x86_64")]
mod arch {
    use std::arch::x86_64::__cpuid_count;
    use std::arch::{asm, naked_asm};

    use super::{G, Ordering, ROOM, may_stop, stopped};
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
            let mut mask = xcr0 & SAVED;
            if fault!(ForgetVectors) {
                mask &= 1;
            }
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
            let pc = regs[libc::REG_RIP as usize] as usize;
            if MASK.load(Ordering::Relaxed) == 0 || coro::room_at(sp) < ROOM || !may_stop(pc, sp) {
                return false;
            }
            (*g).fenced.store(false, Ordering::Relaxed);
            let at = sp - RED_ZONE - 16;
            let words = at as *mut usize;
            *words = g as usize;
            *words.add(1) = pc;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
    fn code_that_may_be_suspended_is_told_apart() {
        init();
        let here = code_that_may_be_suspended_is_told_apart as *const () as usize;
        let word = [here, libc::malloc as *const () as usize];
        let at = |i: usize| &raw const word[i] as usize;
        let may = |pc: usize, i: usize| {
            // SAFETY: a word of this stack.
            unsafe { may_stop(pc, at(i)) }
        };
        assert!(may(here, 1));
        assert!(!may(libc::malloc as *const () as usize, 0));
        assert!(!may(libc::realloc as *const () as usize, 0));
        for f in [
            libc::memmove as *const () as usize,
            libc::memset as *const () as usize,
        ] {
            // Called by our code, and by malloc and its kin.
            assert!(may(f + 8, 0));
            assert!(!may(f + 8, 1));
            assert!(
                !may(end_of(f).unwrap(), 0)
                    || MOVERS.iter().any(|m| is_within(end_of(f).unwrap(), m))
            );
        }
    }
}
