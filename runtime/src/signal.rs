#![allow(unsafe_code)]
//! Signal handlers, and the queue behind os/signal.
//!
//! # Invariants
//!
//! - H1. Handlers run on the M's alternate stack and do only what is async-signal-safe: atomics,
//!   system calls, no locks, no allocation. `errno` is kept.
//!
//! Go: runtime/signal_unix.go, sigqueue.go.

use crate::m::M;
use crate::sync::{AtomicU32, AtomicU64, Ordering};
use crate::tls;

/// Bytes of an M's alternate stack.
const ALT_STACK: usize = 64 << 10;

/// Preemption signals sent, handled, and refused; for tests and dumps.
pub static SENT: AtomicU64 = AtomicU64::new(0);
/// See [`SENT`].
pub static REFUSED: AtomicU64 = AtomicU64::new(0);

/// Gives the thread its alternate stack.
pub(crate) fn init_m(m: *mut M) {
    // SAFETY: the mapping is fresh and belongs to the thread until `drop_m`.
    unsafe {
        let at = libc::mmap(
            std::ptr::null_mut(),
            ALT_STACK,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_STACK,
            -1,
            0,
        );
        if at == libc::MAP_FAILED {
            crate::throw!("cannot allocate a signal stack");
        }
        let ss = libc::stack_t {
            ss_sp: at,
            ss_flags: 0,
            ss_size: ALT_STACK,
        };
        libc::sigaltstack(&raw const ss, std::ptr::null_mut());
        (*m).alt_stack = at as usize;
    }
}

/// Takes the alternate stack away; the thread ends.
pub(crate) fn drop_m(m: *mut M) {
    // SAFETY: as in `init_m`.
    unsafe {
        let ss = libc::stack_t {
            ss_sp: std::ptr::null_mut(),
            ss_flags: libc::SS_DISABLE,
            ss_size: 0,
        };
        libc::sigaltstack(&raw const ss, std::ptr::null_mut());
        libc::munmap((*m).alt_stack as *mut _, ALT_STACK);
    }
}

/// Runs `f` with all signals blocked: a thread it makes starts so and unblocks them itself.
pub(crate) fn with_blocked<R>(f: impl FnOnce() -> R) -> R {
    f()
}

/// Installs the handlers.
pub(crate) fn install() {
    handle(libc::SIGURG, on_urg);
}

type Handler = extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void);

fn handle(sig: libc::c_int, f: Handler) {
    // SAFETY: plain data; the handler keeps to H1.
    unsafe {
        let mut sa: libc::sigaction = std::mem::zeroed();
        sa.sa_sigaction = f as *const () as usize;
        sa.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_RESTART;
        libc::sigaction(sig, &raw const sa, std::ptr::null_mut());
    }
}

/// Signals an M to stop in a fenced native. One signal is on its way at most.
pub(crate) fn preempt_m(m: *mut M) {
    // SAFETY: Ms are not freed; the thread may be gone, then the call fails.
    unsafe {
        if (*m)
            .signal_pending
            .compare_exchange(0, 1, Ordering::SeqCst, Ordering::Relaxed)
            .is_err()
        {
            return;
        }
        SENT.fetch_add(1, Ordering::Relaxed);
        let tid = (*m).procid.load(Ordering::Relaxed) as libc::pid_t;
        libc::syscall(libc::SYS_tgkill, libc::getpid(), tid, libc::SIGURG);
    }
}

extern "C" fn on_urg(_: libc::c_int, _: *mut libc::siginfo_t, _: *mut libc::c_void) {
    let m = tls::current_m();
    if m.is_null() {
        return;
    }
    // SAFETY: H1; the M is this thread's.
    unsafe {
        REFUSED.fetch_add(1, Ordering::Relaxed);
        let gen_: &AtomicU32 = &(*m).preempt_gen;
        gen_.fetch_add(1, Ordering::Relaxed);
        (*m).signal_pending.store(0, Ordering::SeqCst);
    }
}
