#![allow(unsafe_code)]
//! Signal handlers, and the queue behind os/signal.
//!
//! SIGURG asks a fenced native to stop. SIGSEGV, SIGBUS and SIGFPE in a goroutine go to the engine,
//! which may turn them into a panic of the program; otherwise they end the process with Go's
//! text. Where a prompt is attached the last one cuts system calls short. What the others do when
//! the program has not asked for them says [`role`]: some end the process, some are noted, and
//! sysmon prints the dump, most do nothing.
//!
//! # Invariants
//!
//! - H1. Handlers run on the M's alternate stack and do only what is async-signal-safe: atomics,
//!   system calls, no locks, no allocation. Excepted are the ends of the process.
//! - H2. The queue holds one bit per signal, set by handlers and taken by the receiver.
//!
//! Go: runtime/signal_unix.go, sigqueue.go.

use std::fmt::Write;
use std::ptr;

use crate::coro;
use crate::engine::FaultEnd;
use crate::g::Status;
use crate::m::M;
use crate::panic::{self, print};
use crate::sched::SCHED;
use crate::sync::{
    AtomicI32, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering, futex_wait, futex_wake,
    usleep,
};
use crate::syscall::{self, KernelCall};
use crate::{control, fence, knobs, prof, tls, traceback};

/// Bytes of an M's alternate stack.
const ALT_STACK: usize = 64 << 10;
/// Signals are numbered below this.
const NSIG: usize = 65;

/// Preemption signals sent, and refused by their handler; for tests and dumps.
pub static SENT: AtomicU64 = AtomicU64::new(0);
/// See [`SENT`].
pub static REFUSED: AtomicU64 = AtomicU64::new(0);

/// Signals that handlers have acknowledged, whether or not they preempted a G. For tests.
pub fn acknowledged() -> u64 {
    let mut sum = 0;
    let mut m = SCHED.allm.load(Ordering::Acquire);
    while !m.is_null() {
        // SAFETY: Ms are not freed; the link is written before publication.
        unsafe {
            sum += u64::from((*m).preempt_gen.load(Ordering::Relaxed));
            m = (*m).alllink;
        }
    }
    sum
}

/// Signals the program wants to receive, and those it ignores. Written by `enable` and its kin.
static WANTED: [AtomicU64; 2] = [const { AtomicU64::new(0) }; 2];
/// Signals that have come. H2.
static PENDING: [AtomicU64; 2] = [const { AtomicU64::new(0) }; 2];
/// Signals that are ignored because the program asked for it, or because they were when it began.
/// Written by `install`, `enable` and its kin.
static IGNORED: AtomicU64 = AtomicU64::new(0);
/// Of SIGHUP and SIGINT those that are to be ignored again when the program does not want them any
/// more: they were when the program began, or before it wanted them. Written by `install` and
/// `enable`. Go: runtime.fwdSig.
static IGNORED_BEFORE: AtomicU64 = AtomicU64::new(0);
/// Counts arrivals; the receiver sleeps on it.
static ARRIVALS: AtomicU32 = AtomicU32::new(0);

/// The mask threads begin with.
static MASK: AtomicU64 = AtomicU64::new(0);

/// Gives the thread its alternate stack and the process's signal mask.
pub(crate) fn init_m(m: *mut M) {
    if cfg!(any(loom, shuttle)) {
        return; // Models have no signals.
    }
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
        if (*m).id == 0 {
            let mut old: libc::sigset_t = std::mem::zeroed();
            libc::pthread_sigmask(libc::SIG_SETMASK, std::ptr::null(), &raw mut old);
            MASK.store(to_bits(&old), Ordering::Relaxed);
        } else {
            let set = from_bits(MASK.load(Ordering::Relaxed));
            libc::pthread_sigmask(libc::SIG_SETMASK, &raw const set, std::ptr::null_mut());
        }
    }
}

fn to_bits(set: &libc::sigset_t) -> u64 {
    // SAFETY: the set is initialised; numbers are in range.
    (1..NSIG as i32)
        .filter(|&s| unsafe { libc::sigismember(set, s) } == 1)
        .fold(0, |b, s| b | 1 << (s - 1))
}

fn from_bits(bits: u64) -> libc::sigset_t {
    // SAFETY: the set is plain data, initialised by the call.
    unsafe {
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut set);
        for s in 1..NSIG as i32 {
            if bits & 1 << (s - 1) != 0 {
                libc::sigaddset(&raw mut set, s);
            }
        }
        set
    }
}

/// Takes the alternate stack away; the thread ends.
pub(crate) fn drop_m(m: *mut M) {
    if cfg!(any(loom, shuttle)) {
        return; // Models have no signals.
    }
    // SAFETY: as in `init_m`; the mask is plain data.
    unsafe {
        let mut all: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&raw mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const all, std::ptr::null_mut());
        let ss = libc::stack_t {
            ss_sp: std::ptr::null_mut(),
            ss_flags: libc::SS_DISABLE,
            ss_size: 0,
        };
        libc::sigaltstack(&raw const ss, std::ptr::null_mut());
        libc::munmap((*m).alt_stack as *mut _, ALT_STACK);
    }
}

/// Runs `f` with all signals blocked: a thread it makes starts so, and takes the process's mask
/// when it has its alternate stack.
pub(crate) fn with_blocked<R>(f: impl FnOnce() -> R) -> R {
    if cfg!(any(loom, shuttle)) {
        return f();
    }
    // SAFETY: plain data; the old mask is put back.
    unsafe {
        let mut all: libc::sigset_t = std::mem::zeroed();
        let mut old: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&raw mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const all, &raw mut old);
        let r = f();
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const old, std::ptr::null_mut());
        r
    }
}

/// Installs the handlers.
pub(crate) fn install() {
    if cfg!(any(loom, shuttle)) {
        return; // Models have no signals.
    }
    fence::init();
    for sig in 1..NSIG as i32 {
        match role(sig) {
            Role::Kernel => {}
            Role::Preempt => handle(sig, on_urg),
            Role::Fault => handle(sig, on_fault),
            Role::Kill if was_ignored(sig) => note_ignored(sig, true),
            Role::Nothing if is_kept(sig) => {}
            Role::Kill | Role::Dump | Role::Nothing => handle(sig, on_other),
        }
    }
}

/// Whether the signal is ignored just now and is to be so again. Go: runtime.sigInstallGoHandler.
fn was_ignored(sig: i32) -> bool {
    let is = [libc::SIGHUP, libc::SIGINT].contains(&sig) && disposition(sig) == libc::SIG_IGN;
    if is {
        IGNORED_BEFORE.fetch_or(1 << (sig - 1), Ordering::Relaxed);
    }
    is
}

/// What a signal does when the program has not asked for it. Go: runtime.sigtable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// What the kernel does; these stop and continue, cannot be caught, or are libc's own.
    Kernel,
    /// Asks to preempt.
    Preempt,
    /// A fault is the engine's; one sent by another process is as `Dump`.
    Fault,
    /// The process dies by it.
    Kill,
    /// All goroutines are printed, and the process ends with status 2.
    Dump,
    /// Nothing.
    Nothing,
}

fn role(sig: i32) -> Role {
    match sig {
        libc::SIGURG => Role::Preempt,
        libc::SIGSEGV | libc::SIGBUS | libc::SIGFPE => Role::Fault,
        libc::SIGHUP | libc::SIGINT | libc::SIGTERM => Role::Kill,
        libc::SIGQUIT
        | libc::SIGILL
        | libc::SIGTRAP
        | libc::SIGABRT
        | libc::SIGSTKFLT
        | libc::SIGSYS => Role::Dump,
        libc::SIGKILL
        | libc::SIGSTOP
        | libc::SIGCONT
        | libc::SIGTSTP
        | libc::SIGTTIN
        | libc::SIGTTOU
        | 32..=34 => Role::Kernel,
        _ => Role::Nothing,
    }
}

type Handler = extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void);

fn handle(sig: libc::c_int, f: Handler) {
    handle_with(sig, f, libc::SA_RESTART);
}

fn handle_with(sig: libc::c_int, f: Handler, flags: libc::c_int) {
    // SAFETY: plain data; the handler keeps to H1.
    unsafe {
        let mut sa: libc::sigaction = std::mem::zeroed();
        sa.sa_sigaction = f as *const () as usize;
        sa.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | flags;
        libc::sigfillset(&raw mut sa.sa_mask);
        libc::sigaction(sig, &raw const sa, std::ptr::null_mut());
    }
}

fn set_default(sig: libc::c_int, how: libc::sighandler_t) {
    // SAFETY: sets a disposition.
    unsafe { libc::signal(sig, how) };
}

fn disposition(sig: libc::c_int) -> libc::sighandler_t {
    // SAFETY: the structure is filled by the call.
    unsafe {
        let mut sa: libc::sigaction = std::mem::zeroed();
        libc::sigaction(sig, std::ptr::null(), &raw mut sa);
        sa.sa_sigaction
    }
}

// ---- preemption -----------------------------------------------------------------------------

/// Signals an M to stop in a fenced native. One signal is on its way at most.
pub(crate) fn preempt_m(m: *mut M) {
    if cfg!(any(loom, shuttle)) {
        return; // Models have no signals.
    }
    // SAFETY: Ms are not freed; the thread may be gone, then the call fails.
    unsafe {
        if (*m)
            .signal_pending
            .compare_exchange(0, 1, Ordering::SeqCst, Ordering::Relaxed)
            .is_err()
            && !fault!(CrowdSignals)
        {
            return;
        }
        SENT.fetch_add(1, Ordering::Relaxed);
        let tid = (*m).procid.load(Ordering::Relaxed) as libc::pid_t;
        libc::syscall(libc::SYS_tgkill, libc::getpid(), tid, libc::SIGURG);
    }
}

extern "C" fn on_urg(sig: libc::c_int, _: *mut libc::siginfo_t, uc: *mut libc::c_void) {
    let m = tls::current_m();
    if !m.is_null() {
        // SAFETY: H1; the M is this thread's.
        unsafe {
            if !fence::inject(m, uc) {
                // The request stays in the G's words, for the next safepoint.
                REFUSED.fetch_add(1, Ordering::Relaxed);
            }
            (*m).preempt_gen.fetch_add(1, Ordering::Relaxed);
            (*m).signal_pending.store(0, Ordering::SeqCst);
        }
    }
    queue(sig);
}

// ---- system calls that are cut short --------------------------------------------------------

/// The signal whose handler lets no call go on, 0 before there is one. Written by [`hear_cuts`].
static CUT: AtomicI32 = AtomicI32::new(0);

/// From now on [`cut_call`] works. The last signal is taken for that: libc uses the first ones of
/// its kind, and programs begin there, too.
pub(crate) fn hear_cuts() {
    if cfg!(any(loom, shuttle)) {
        return; // Models have no signals.
    }
    let sig = libc::SIGRTMAX();
    handle_with(sig, on_cut, 0);
    CUT.store(sig, Ordering::Relaxed);
}

/// Has the system call fail with EINTR that the thread of `m` is in. One that begins just now is
/// missed.
pub(crate) fn cut_call(m: *mut M) {
    let sig = CUT.load(Ordering::Relaxed);
    if sig == 0 || m.is_null() {
        return;
    }
    // SAFETY: as in `preempt_m`.
    unsafe {
        let tid = (*m).procid.load(Ordering::Relaxed) as libc::pid_t;
        libc::syscall(libc::SYS_tgkill, libc::getpid(), tid, sig);
    }
}

extern "C" fn on_cut(sig: libc::c_int, info: *mut libc::siginfo_t, uc: *mut libc::c_void) {
    // SAFETY: H1; the kernel gives valid pointers.
    let is_ours =
        unsafe { (*info).si_code == libc::SI_TKILL && (*info).si_pid() == libc::getpid() };
    if !is_ours {
        on_other(sig, info, uc);
    }
}

/// From now on the signal of threads' timers tells the profile of time.
pub(crate) fn hear_profile() {
    handle(libc::SIGPROF, on_prof);
}

extern "C" fn on_prof(sig: libc::c_int, info: *mut libc::siginfo_t, uc: *mut libc::c_void) {
    // SAFETY: H1; the kernel gives valid pointers.
    if unsafe { (*info).si_code } == libc::SI_TIMER {
        prof::cpu::tick(Context(uc));
    } else {
        on_other(sig, info, uc);
    }
}

/// Whether the handler of the signal stays what it is, whatever the program wants.
fn is_kept(sig: i32) -> bool {
    sig == libc::SIGPROF && prof::cpu::is_used()
        || matches!(role(sig), Role::Preempt | Role::Fault)
        || sig == CUT.load(Ordering::Relaxed)
}

// ---- os/signal ------------------------------------------------------------------------------

/// Notes a wanted signal and wakes the receiver; `false` if it is not wanted.
fn queue(sig: i32) -> bool {
    let (w, bit) = (sig as usize / 64, 1u64 << (sig % 64));
    if WANTED[w].load(Ordering::SeqCst) & bit == 0 {
        return false;
    }
    if PENDING[w].fetch_or(bit, Ordering::SeqCst) & bit == 0 {
        ARRIVALS.fetch_add(1, Ordering::SeqCst);
        futex_wake(&ARRIVALS, 1);
    }
    true
}

extern "C" fn on_other(sig: libc::c_int, info: *mut libc::siginfo_t, uc: *mut libc::c_void) {
    #[cfg(not(any(loom, shuttle)))]
    if sig == libc::SIGABRT && tls::set_panicked(false) {
        let m = tls::current_m();
        // SAFETY: H1; a panic's hook has found that the M has a G, and what the M runs has not
        // changed: it ends the process. The kernel's context is valid.
        unsafe {
            let mask = &mut (*uc.cast::<libc::ucontext_t>()).uc_sigmask;
            libc::sigemptyset(mask);
            (*m).engine.leave_native(&mut *(*m).curg, Context(uc));
        }
        return;
    }
    if queue(sig) || is_ignored(sig) {
        return;
    }
    if crate::prompt::takes(sig) {
        return;
    }
    match role(sig) {
        Role::Kill if prof::dies_later(sig) => {}
        Role::Kill if crate::trace::die_later(sig) => {}
        Role::Kill => die_by(sig),
        Role::Dump | Role::Fault => ask_for_dump(sig, info, uc),
        Role::Kernel | Role::Preempt | Role::Nothing => {}
    }
}

/// Delivers the signal to [`recv`] from now on. Go: os/signal.signal_enable.
pub fn enable(sig: i32) {
    if sig <= 0 || sig as usize >= NSIG {
        return;
    }
    note_ignored(sig, false);
    WANTED[sig as usize / 64].fetch_or(1 << (sig % 64), Ordering::SeqCst);
    if !is_kept(sig) {
        was_ignored(sig);
        handle(sig, on_other);
    }
}

/// Delivers the signal no longer. One that is ignored stays so, as in Go. Go:
/// os/signal.signal_disable.
pub fn disable(sig: i32) {
    if sig <= 0 || sig as usize >= NSIG {
        return;
    }
    WANTED[sig as usize / 64].fetch_and(!(1 << (sig % 64)), Ordering::SeqCst);
    if IGNORED_BEFORE.load(Ordering::Relaxed) & 1 << (sig - 1) != 0 {
        set_default(sig, libc::SIG_IGN);
    }
}

/// Ignores the signal. Go: os/signal.signal_ignore.
pub fn ignore(sig: i32) {
    if sig <= 0 || sig as usize >= NSIG {
        return;
    }
    WANTED[sig as usize / 64].fetch_and(!(1 << (sig % 64)), Ordering::SeqCst);
    note_ignored(sig, true);
    if !is_kept(sig) {
        set_default(sig, libc::SIG_IGN);
    }
}

/// Has the process hear of the signal, though its parent may have had it ignored.
pub(crate) fn hear(sig: i32) {
    note_ignored(sig, false);
    handle(sig, on_other);
}

fn note_ignored(sig: i32, yes: bool) {
    let bit = 1u64 << (sig - 1);
    if yes {
        IGNORED.fetch_or(bit, Ordering::SeqCst);
    } else {
        IGNORED.fetch_and(!bit, Ordering::SeqCst);
    }
}

/// Whether the signal is ignored. Go: os/signal.signal_ignored.
pub fn is_ignored(sig: i32) -> bool {
    sig > 0 && (sig as usize) < NSIG && IGNORED.load(Ordering::SeqCst) & 1 << (sig - 1) != 0
}

/// Whether the program wants to receive the signal.
pub fn is_wanted(sig: i32) -> bool {
    sig > 0
        && (sig as usize) < NSIG
        && WANTED[sig as usize / 64].load(Ordering::SeqCst) & 1 << (sig % 64) != 0
}

/// The M that waits in [`recv`], until its goroutine can run. Where time is virtual.
static RECEIVER: AtomicPtr<M> = AtomicPtr::new(ptr::null_mut());
/// How long a signal that is sent to this process is waited for, and how often.
const ARRIVES_US: u64 = 20;
const ARRIVES_LOOKS: u32 = 500;

/// Blocks until a wanted signal has come; its number. The goroutine counts as in a system call.
///
/// Context: coroutine, no lock held; the M may change.
pub fn recv(m: &mut M) -> (&mut M, i32) {
    if let Some(s) = take() {
        return (m, s);
    }
    if control::is_virtual() {
        RECEIVER.store(m, Ordering::SeqCst);
    }
    syscall::enter_block(m, KernelCall(libc::SYS_futex));
    let s = wait();
    (syscall::exit(m), s)
}

/// The goroutine of `m` has a P after a call, or is on the global queue.
pub(crate) fn call_ends(m: *mut M) {
    let none = ptr::null_mut();
    let _ = RECEIVER.compare_exchange(m, none, Ordering::SeqCst, Ordering::SeqCst);
}

/// Calls `kill`, which sends a signal to this process. Where time is virtual, one that the program
/// wants has reached the goroutine in [`recv`] then, so that no time passes before that can run.
///
/// Context: a goroutine with a P.
pub fn send_self<R>(sig: i32, kill: impl FnOnce() -> R) -> R {
    let before = ARRIVALS.load(Ordering::SeqCst);
    let r = kill();
    if !control::is_virtual() || !is_wanted(sig) {
        return r;
    }
    let (w, bit) = (sig as usize / 64, 1u64 << (sig % 64));
    for _ in 0..ARRIVES_LOOKS {
        let is_pending = PENDING[w].load(Ordering::SeqCst) & bit != 0;
        let has_come = is_pending || ARRIVALS.load(Ordering::SeqCst) != before;
        if has_come && RECEIVER.load(Ordering::SeqCst).is_null() {
            break;
        }
        usleep(ARRIVES_US);
    }
    r
}

/// As [`recv`], on a thread that does nothing else.
pub fn wait() -> i32 {
    loop {
        let seen = ARRIVALS.load(Ordering::SeqCst);
        if let Some(s) = take() {
            return s;
        }
        futex_wait(&ARRIVALS, seen, -1);
    }
}

fn take() -> Option<i32> {
    for (i, w) in PENDING.iter().enumerate() {
        let bits = w.load(Ordering::SeqCst);
        if bits != 0 {
            let b = bits.trailing_zeros();
            w.fetch_and(!(1 << b), Ordering::SeqCst);
            return Some((i * 64) as i32 + b as i32);
        }
    }
    None
}

/// As [`die_by`], at a place where the scheduler's log can be finished.
///
/// Context: no handler of a signal.
pub fn end_by(sig: i32) -> ! {
    crate::trace::finish(crate::trace::End::Signal(sig));
    crate::control::tape::ends(128 + sig);
    die_by(sig)
}

/// Dies by the signal, as if it had never been handled.
pub(crate) fn die_by(sig: i32) -> ! {
    crate::prompt::leaving(false);
    // SAFETY: ends the process.
    unsafe {
        set_default(sig, libc::SIG_DFL);
        let set = from_bits(1 << (sig - 1));
        libc::pthread_sigmask(libc::SIG_UNBLOCK, &raw const set, std::ptr::null_mut());
        libc::kill(libc::getpid(), sig);
        libc::usleep(1000);
        libc::_exit(2)
    }
}

// ---- faults ---------------------------------------------------------------------------------

fn name(sig: i32) -> &'static str {
    match sig {
        libc::SIGSEGV => "SIGSEGV: segmentation violation",
        libc::SIGBUS => "SIGBUS: bus error",
        libc::SIGFPE => "SIGFPE: floating-point exception",
        libc::SIGQUIT => "SIGQUIT: quit",
        libc::SIGILL => "SIGILL: illegal instruction",
        libc::SIGTRAP => "SIGTRAP: trace trap",
        libc::SIGABRT => "SIGABRT: abort",
        libc::SIGSTKFLT => "SIGSTKFLT: stack fault",
        libc::SIGSYS => "SIGSYS: bad system call",
        _ => "signal",
    }
}

extern "C" fn on_fault(sig: libc::c_int, info: *mut libc::siginfo_t, uc: *mut libc::c_void) {
    let m = tls::current_m();
    // SAFETY: H1; the kernel gives valid pointers.
    let (addr, code) = unsafe { ((*info).si_addr() as usize, (*info).si_code) };
    // SAFETY: the M is this thread's; what follows a fault ends the process.
    unsafe {
        if m.is_null() || (*m).dying.load(Ordering::SeqCst) > 0 {
            set_default(sig, libc::SIG_DFL);
            return;
        }
        if code <= 0 {
            // Another process, or thread, has sent it.
            on_other(sig, info, uc);
            return;
        }
        let g = (*m).curg;
        let in_go = !g.is_null() && !(*m).yielder.is_null();
        if in_go && coro::is_guard(addr) {
            print(format_args!(
                "runtime: native stack overflow at {addr:#x}\n"
            ));
            panic::throw_on_signal(format_args!("stack overflow"));
        }
        let end = match in_go {
            true => (*m)
                .engine
                .fault(&mut *g, nil_access(&*m, sig, code, addr), Context(uc)),
            false => FaultEnd::InRuntime,
        };
        if end == FaultEnd::Resumed {
            return;
        }
        let pc = pc_of(uc);
        if in_go && end == FaultEnd::InRuntime {
            panic::fault(format_args!(
                "fatal error: unexpected signal during runtime execution\n\
                 [signal {} code={code:#x} addr={addr:#x} pc={pc:#x}]\n",
                name(sig)
            ));
        }
        if in_go {
            if sig != libc::SIGFPE {
                print(format_args!("unexpected fault address {addr:#x}\n"));
            }
            panic::fault(format_args!(
                "fatal error: fault\n[signal {} code={code:#x} addr={addr:#x} pc={pc:#x}]\n",
                name(sig)
            ));
        }
        print(format_args!(
            "{}\nPC={pc:#x} m={} sigcode={code} addr={addr:#x}\n",
            name(sig),
            (*m).id
        ));
        panic::throw_on_signal(format_args!("signal in the runtime"));
    }
}

/// The registers when a signal came: the kernel's context, valid as long as the handler runs.
#[derive(Clone, Copy, Debug)]
pub struct Context(*mut libc::c_void);

impl Context {
    /// The handler's third argument.
    pub fn ptr(self) -> *mut libc::c_void {
        self.0
    }
}

/// Below this address nothing is ever mapped: a pointer there is nil, or nil and an offset. Go:
/// runtime/signal_unix.go, sigpanic.
pub const NIL_PAGE: usize = 4096;

/// The address, if the program may have touched it by way of nil and can have a panic for that. Go:
/// sigpanic, canpanic.
fn nil_access(m: &M, sig: i32, code: i32, addr: usize) -> Option<usize> {
    // Codes of the kernel: nothing is mapped there, or it must not be touched.
    const SEGV_MAPERR: i32 = 1;
    const SEGV_ACCERR: i32 = 2;
    let near_nil =
        sig == libc::SIGSEGV && [SEGV_MAPERR, SEGV_ACCERR].contains(&code) && addr < NIL_PAGE;
    // SAFETY: the caller has looked: there is a current G.
    let running = unsafe { (*m.curg).status() == Status::Running };
    (near_nil && running && m.locks == 0).then_some(addr)
}

#[cfg(target_arch = "x86_64")]
unsafe fn pc_of(uc: *mut libc::c_void) -> usize {
    // SAFETY: the kernel's context.
    unsafe { (*uc.cast::<libc::ucontext_t>()).uc_mcontext.gregs[libc::REG_RIP as usize] as usize }
}

#[cfg(not(target_arch = "x86_64"))]
unsafe fn pc_of(_: *mut libc::c_void) -> usize {
    0
}

// ---- dumps ----------------------------------------------------------------------------------

/// The signal that has asked for a dump, or 0; sysmon looks.
static ASKED: AtomicI32 = AtomicI32::new(0);
/// Where and how it came: the M, its code, its address, and the M's registers as [`REGS`] names
/// them.
static ASKED_M: AtomicI32 = AtomicI32::new(0);
static ASKED_CODE: AtomicI32 = AtomicI32::new(0);
static ASKED_ADDR: AtomicUsize = AtomicUsize::new(0);
static ASKED_REGS: [AtomicUsize; 23] = [const { AtomicUsize::new(0) }; 23];

/// Names of the registers a dump prints, with their places in the kernel's context. The last
/// three share a place, 16 bits each.
#[cfg(target_arch = "x86_64")]
const REGS: &[(&str, libc::c_int)] = &[
    ("rax", libc::REG_RAX),
    ("rbx", libc::REG_RBX),
    ("rcx", libc::REG_RCX),
    ("rdx", libc::REG_RDX),
    ("rdi", libc::REG_RDI),
    ("rsi", libc::REG_RSI),
    ("rbp", libc::REG_RBP),
    ("rsp", libc::REG_RSP),
    ("r8", libc::REG_R8),
    ("r9", libc::REG_R9),
    ("r10", libc::REG_R10),
    ("r11", libc::REG_R11),
    ("r12", libc::REG_R12),
    ("r13", libc::REG_R13),
    ("r14", libc::REG_R14),
    ("r15", libc::REG_R15),
    ("rip", libc::REG_RIP),
    ("rflags", libc::REG_EFL),
    ("cs", libc::REG_CSGSFS),
    ("fs", libc::REG_CSGSFS),
    ("gs", libc::REG_CSGSFS),
];
#[cfg(not(target_arch = "x86_64"))]
const REGS: &[(&str, libc::c_int)] = &[];

fn ask_for_dump(sig: libc::c_int, info: *mut libc::siginfo_t, uc: *mut libc::c_void) {
    let m = tls::current_m();
    // SAFETY: H1; the M is this thread's, the rest the kernel's.
    unsafe {
        if !m.is_null() {
            ASKED_M.store((*m).id as i32, Ordering::Relaxed);
        }
        ASKED_CODE.store((*info).si_code, Ordering::Relaxed);
        ASKED_ADDR.store((*info).si_addr() as usize, Ordering::Relaxed);
        #[cfg(target_arch = "x86_64")]
        for (i, (name, r)) in REGS.iter().enumerate() {
            let v = (*uc.cast::<libc::ucontext_t>()).uc_mcontext.gregs[*r as usize] as usize;
            let v = match *name {
                "cs" => v & 0xffff,
                "gs" => v >> 16 & 0xffff,
                "fs" => v >> 32 & 0xffff,
                _ => v,
            };
            ASKED_REGS[i].store(v, Ordering::Relaxed);
        }
    }
    let _ = uc;
    ASKED.store(sig, Ordering::SeqCst);
    crate::sysmon::poke();
}

/// Prints the dump if a signal has asked for one, and ends the process. Go: runtime.fatalsignal.
///
/// Context: sysmon.
pub(crate) fn check_dump(m: *mut M) {
    let sig = ASKED.load(Ordering::Relaxed);
    if sig == 0 || fault!(IgnoreSigquit) {
        return;
    }
    let reg = |n: &str| {
        REGS.iter()
            .position(|(r, _)| *r == n)
            .map_or(0, |i| ASKED_REGS[i].load(Ordering::Relaxed))
    };
    let mut head = format!(
        "{}\nPC={:#x} m={} sigcode={}",
        name(sig),
        reg("rip"),
        ASKED_M.load(Ordering::Relaxed),
        ASKED_CODE.load(Ordering::Relaxed)
    );
    if [libc::SIGSEGV, libc::SIGBUS].contains(&sig) {
        // Writing to a String cannot fail.
        let _ = write!(head, " addr={:#x}", ASKED_ADDR.load(Ordering::Relaxed));
    }
    print(format_args!("{head}\n"));
    panic::freeze_the_world(m);
    let tb = knobs::traceback();
    if tb.level > 0 {
        traceback::print_others(m, std::ptr::null_mut(), 2, true);
    }
    let mut s = String::from("\n");
    for (i, (n, _)) in REGS.iter().enumerate() {
        // Writing to a String cannot fail.
        let _ = writeln!(s, "{n:<7}{:#x}", ASKED_REGS[i].load(Ordering::Relaxed));
    }
    print(format_args!("{s}"));
    if tb.crash {
        end_by(libc::SIGABRT);
    }
    crate::prompt::leaving(false);
    crate::trace::finish(crate::trace::End::Status(2));
    // SAFETY: ends the process.
    unsafe { libc::_exit(2) }
}
