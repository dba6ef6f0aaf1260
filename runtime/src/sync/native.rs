//! The seam on the machine itself: std's atomics and threads, the kernel's futexes and clock.

use std::ptr;
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

pub(crate) use std::sync::atomic::{
    AtomicBool, AtomicI32, AtomicI64, AtomicPtr, AtomicU8, AtomicU32, AtomicU64, AtomicUsize,
};

/// A full barrier: no load after it may be done before a store before it.
#[inline]
pub(crate) fn fence_seq_cst() {
    // A locked instruction is a full barrier on x86-64 and half as dear as mfence.
    #[cfg(target_arch = "x86_64")]
    #[allow(unsafe_code)]
    // SAFETY: adds nothing to a word of the own stack; without `nomem` it is a compiler barrier.
    unsafe {
        std::arch::asm!("lock or dword ptr [rsp - 64], 0", options(nostack));
    }
    #[cfg(not(target_arch = "x86_64"))]
    std::sync::atomic::fence(std::sync::atomic::Ordering::SeqCst);
}

/// A full barrier right after a `SeqCst` read-modify-write. On x86-64 that is one itself, and the
/// accesses beside it are `SeqCst` too; loom, which takes them for weaker, needs a fence.
#[inline]
pub(crate) fn fence_after_rmw() {
    #[cfg(not(target_arch = "x86_64"))]
    fence_seq_cst();
}

/// `n` CPU pauses.
#[inline]
pub(crate) fn pause(n: u32) {
    for _ in 0..n {
        std::hint::spin_loop();
    }
}

/// Gives the rest of the thread's turn to the operating system.
pub(crate) fn os_yield() {
    std::thread::yield_now();
}

/// Sleeps `us` microseconds.
pub(crate) fn usleep(us: u64) {
    std::thread::sleep(std::time::Duration::from_micros(us));
}

/// Sleeps for ever.
pub(crate) fn block_forever() -> ! {
    loop {
        std::thread::park();
    }
}

/// Sleeps while `*word == val`, at most `ns` nanoseconds (forever if negative). May wake early.
#[allow(unsafe_code)]
pub(crate) fn futex_wait(word: &AtomicU32, val: u32, ns: i64) {
    let ts = libc::timespec {
        tv_sec: ns / 1_000_000_000,
        tv_nsec: ns % 1_000_000_000,
    };
    let tsp = if ns < 0 { ptr::null() } else { &raw const ts };
    // SAFETY: `word` and `ts` outlive the call; the kernel only reads them.
    unsafe {
        libc::syscall(
            libc::SYS_futex,
            word.as_ptr(),
            libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG,
            val,
            tsp,
        );
    }
}

/// Wakes up to `n` sleepers on `word`.
#[allow(unsafe_code)]
pub(crate) fn futex_wake(word: &AtomicU32, n: i32) {
    // SAFETY: the kernel uses the address as a key only.
    unsafe {
        libc::syscall(
            libc::SYS_futex,
            word.as_ptr(),
            libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG,
            n,
        );
    }
}

/// Starts a thread with a stack of that many bytes.
pub(crate) fn spawn_thread(
    stack_bytes: usize,
    f: impl FnOnce() + Send + 'static,
) -> std::io::Result<()> {
    std::thread::Builder::new()
        .stack_size(stack_bytes)
        .spawn(f)
        .map(drop)
}

/// The kernel's number of this thread.
#[allow(unsafe_code)]
pub(crate) fn thread_id() -> u64 {
    // SAFETY: asks only.
    unsafe { libc::syscall(libc::SYS_gettid) as u64 }
}

/// Bounds of the first thread's stack: the kernel puts the program's name at its upper end, and
/// lets it grow down to its limit.
///
/// pthread_getattr_np would read `/proc/self/maps` for that, which takes a tenth of a millisecond.
#[allow(unsafe_code)]
fn first_stack() -> Option<(usize, usize)> {
    /// What an unlimited stack is taken to have.
    const USUAL: u64 = 8 << 20;
    const PAGE: usize = 4096;
    // SAFETY: asks only.
    let (name, limit) = unsafe {
        let mut limit: libc::rlimit = std::mem::zeroed();
        let failed = libc::getrlimit(libc::RLIMIT_STACK, &raw mut limit) != 0;
        let is_endless = failed || limit.rlim_cur == libc::RLIM_INFINITY;
        let limit = if is_endless { USUAL } else { limit.rlim_cur };
        (libc::getauxval(libc::AT_EXECFN) as usize, limit as usize)
    };
    let hi = name.next_multiple_of(PAGE);
    (name != 0).then(|| (hi.saturating_sub(limit), hi))
}

/// Bounds of this thread's own stack, if they can be found out.
#[allow(unsafe_code)]
pub(crate) fn thread_stack() -> Option<(usize, usize)> {
    if thread_id() == u64::from(std::process::id()) {
        return first_stack();
    }
    // SAFETY: the attributes are initialised by the first call and destroyed once.
    unsafe {
        let mut attr: libc::pthread_attr_t = std::mem::zeroed();
        if libc::pthread_getattr_np(libc::pthread_self(), &raw mut attr) != 0 {
            return None;
        }
        let (mut lo, mut n) = (ptr::null_mut(), 0);
        libc::pthread_attr_getstack(&raw const attr, &raw mut lo, &raw mut n);
        libc::pthread_attr_destroy(&raw mut attr);
        Some((lo as usize, lo as usize + n))
    }
}

/// When the process first asked.
static BASE: OnceLock<i64> = OnceLock::new();

/// See [`crate::clock::nanotime`].
#[inline]
#[allow(unsafe_code)]
pub(crate) fn nanotime() -> i64 {
    // Not `Instant`: it costs half as much again to take two of them apart and subtract.
    let mut now = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the call writes to memory of ours; there is such a clock.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut now) };
    let now = now.tv_sec * 1_000_000_000 + now.tv_nsec;
    now - *BASE.get_or_init(|| now) + 1
}

/// See [`crate::clock::walltime`].
pub(crate) fn walltime() -> i64 {
    match SystemTime::now().duration_since(UNIX_EPOCH) {
        Ok(d) => d.as_nanos() as i64,
        Err(e) => -(e.duration().as_nanos() as i64),
    }
}
