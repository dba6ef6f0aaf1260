#![allow(unsafe_code)]
//! Faults near address 0 in the middle of an instruction, made into Go's panic.
//!
//! Instructions look for nil where Go's program would fault. They take the data of a slice or
//! string for granted once an index is in bounds; so with nil data and a length, which a torn read
//! or `unsafe` makes, it is the machine that finds out. The signal handler then cuts off what the
//! native stack has grown since [`enter`], and the dispatcher ends with [`Status::Fault`].
//!
//! A Rust panic in a native, which is a bug of ours, ends the dispatcher in the same way, by the
//! signal that Rust ends a process with ([`native_panicked`]).
//!
//! The registers of the program are known in two places, and nowhere else is a fault a panic:
//!
//! - at an access of the `touch!` kind, where they lie in the machine's first three argument
//!   registers. The address of each such access stands in a section of its own;
//! - where `g.sched` has been saved: in slow halves and natives. Their Rust frames vanish without
//!   their destructors, so what they have of Rust memory is lost; with a lock of the runtime held
//!   the fault ends the process, as in Go.
//!
//! # Invariants
//!
//! - T1. [`Words::native_frame`] is the native stack pointer in [`enter`] while the dispatcher that
//!   it has called runs on this coroutine and has called no other one; else 0.
//! - T2. A handler saves the registers before it calls
//!   anything that reads what a slice or a string names.
//!
//! Go: runtime/signal_unix.go, sigpanic, canpanic.

use super::exec::{Handler, HandlerFn};
use gosched_runtime::FaultEnd;
use gosched_runtime::g::G;
use gosched_runtime::signal::Context;

#[cfg(all(target_arch = "x86_64", not(miri)))]
pub(super) use x86_64::{call, fault, leave_native, leaves_native, native_panicked};

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
pub(super) use elsewhere::{call, fault, leave_native, leaves_native, native_panicked};

/// An access that may fault, by one instruction of the machine:
/// `touch!(registers, "instruction"; operands)`.
#[cfg(all(target_arch = "x86_64", not(miri)))]
macro_rules! touch {
    ($s:expr, $text:literal; $($operands:tt)*) => {
        std::arch::asm!(
            "2:",
            $text,
            ".pushsection gosched_touches, \"aR\", @progbits",
            ".balign 4",
            ".long 2b - .",
            ".popsection",
            $($operands)*,
            in("rdi") $s.pc(),
            in("rsi") $s.fp(),
            in("rdx") $s.g(),
            options(nostack),
        )
    };
}
#[cfg(all(target_arch = "x86_64", not(miri)))]
pub(super) use touch;

#[cfg(all(target_arch = "x86_64", not(miri)))]
mod x86_64 {
    use super::*;
    use crate::exec::Status;
    use crate::frame::{State, Words};
    use crate::panic::{self, Raise};
    use crate::tier;
    use crate::{slow, traceback};
    use bytecode::op::Op;
    use gosched_runtime::{coro, heap};
    use std::arch::naked_asm;
    use std::sync::atomic::Ordering;

    /// Runs a dispatcher so that a fault can end it. See [`Words::native_frame`] for the last
    /// parameter.
    #[unsafe(naked)]
    unsafe extern "sysv64" fn enter(
        pc: *const u64,
        fp: *mut u64,
        g: *mut G,
        table: *const Handler,
        dispatcher: HandlerFn,
        frame: *mut usize,
    ) -> u64 {
        naked_asm!(
            "push rbp",
            "push rbx",
            "push r12",
            "push r13",
            "push r14",
            "push r15",
            "push r9",
            "mov [r9], rsp",
            "call r8",
            "jmp {left}",
            left = sym left,
        )
    }

    /// The end of [`enter`]; a fault goes on here, with its stack pointer.
    #[unsafe(naked)]
    unsafe extern "sysv64" fn left() {
        naked_asm!(
            "pop r9",
            "mov qword ptr [r9], 0",
            "pop r15",
            "pop r14",
            "pop r13",
            "pop r12",
            "pop rbx",
            "pop rbp",
            "ret",
        )
    }

    /// Calls a dispatcher.
    ///
    /// # Safety
    /// The dispatcher's; `g` runs on a coroutine, or what it runs cannot fault.
    pub(crate) unsafe fn call(
        f: HandlerFn,
        pc: *const u64,
        fp: *mut u64,
        g: *mut G,
        table: *const Handler,
    ) -> u64 {
        // SAFETY: the caller's; T1.
        unsafe {
            let frame = &raw mut (*Words::at(g)).native_frame;
            enter(pc, fp, g, table, f, frame)
        }
    }

    unsafe extern "C" {
        #[link_name = "__start_gosched_touches"]
        static FIRST: i32;
        #[link_name = "__stop_gosched_touches"]
        static END: i32;
    }

    /// Is the machine's instruction at `pc` one of `touch!`?
    fn is_touch(pc: usize) -> bool {
        let (mut at, end) = (&raw const FIRST, &raw const END);
        while at < end {
            // SAFETY: the section consists of such numbers,
            // each the distance from itself to an instruction.
            if unsafe { (at as usize).wrapping_add_signed(*at as isize) } == pc {
                return true;
            }
            at = at.wrapping_add(1);
        }
        false
    }

    /// The direction flag: which way the machine's string instructions go.
    const DIRECTION: i64 = 1 << 10;

    /// Was it native code that has faulted? Then it leaves the instruction to its handler, which
    /// faults again.
    ///
    /// # Safety
    /// Context: signal handler.
    pub(crate) unsafe fn leaves_native(context: Context) -> bool {
        // SAFETY: the kernel's context.
        let regs = unsafe {
            &mut (*context.ptr().cast::<libc::ucontext_t>())
                .uc_mcontext
                .gregs
        };
        let rip = &mut regs[libc::REG_RIP as usize];
        let exit = tier::after_fault(*rip as usize);
        exit.inspect(|exit| *rip = *exit as i64).is_some()
    }

    /// What becomes of a fault at `addr`, an address in the page of nil, while `g` runs.
    ///
    /// # Safety
    /// Context: signal handler of the thread that runs `g`.
    pub(crate) unsafe fn fault(g: &mut G, addr: usize, context: Context) -> FaultEnd {
        // SAFETY: the kernel's context.
        let regs = unsafe {
            &mut (*context.ptr().cast::<libc::ucontext_t>())
                .uc_mcontext
                .gregs
        };
        let reg = |r: libc::c_int| regs[r as usize] as usize;
        // SAFETY: `g` is this thread's, and stands still.
        let words = unsafe { &mut *Words::at(g) };
        let frame = words.native_frame;
        if frame == 0 || !coro::is_same_stack(frame, reg(libc::REG_RSP)) {
            return FaultEnd::Fault;
        }
        let mut touched = addr;
        if is_touch(reg(libc::REG_RIP)) {
            g.sched.pc = reg(libc::REG_RDI);
            g.sched.fp = reg(libc::REG_RSI);
        } else if panic::op_at(g.sched.pc) == Some(Op::Print) {
            return FaultEnd::InRuntime;
        } else if addr <= heap::NOT_NULL_MAX {
            touched = 0;
        }
        g.fenced.store(false, Ordering::Relaxed);
        words.index = touched;
        end_with(Status::Fault, frame, regs);
        FaultEnd::Resumed
    }

    /// Has the dispatcher that [`enter`] has called with its stack pointer at `frame` end.
    fn end_with(status: Status, frame: usize, regs: &mut [i64; 23]) {
        regs[libc::REG_RSP as usize] = frame as i64;
        regs[libc::REG_RIP as usize] = left as *const () as i64;
        regs[libc::REG_RAX as usize] = status as i64;
        regs[libc::REG_EFL as usize] &= !DIRECTION;
    }

    unsafe extern "C" {
        fn _Unwind_Backtrace(
            f: extern "C" fn(*mut libc::c_void, *mut libc::c_void) -> libc::c_int,
            data: *mut libc::c_void,
        ) -> libc::c_int;
        fn _Unwind_GetIP(context: *mut libc::c_void) -> usize;
        fn _Unwind_GetCFA(context: *mut libc::c_void) -> usize;
        fn _Unwind_FindEnclosingFunction(pc: *mut libc::c_void) -> *mut libc::c_void;
    }

    /// A search for the frame of [`slow::native`] below a stack pointer.
    struct Search {
        below: usize,
        is_found: bool,
    }

    /// Looks at one frame; not 0 ends the walk.
    extern "C" fn look(context: *mut libc::c_void, search: *mut libc::c_void) -> libc::c_int {
        // SAFETY: the unwinder's context, and what `native_panicked` has handed it.
        unsafe {
            let search = &mut *search.cast::<Search>();
            if _Unwind_GetCFA(context) > search.below {
                return 1;
            }
            let pc = _Unwind_GetIP(context) as *mut libc::c_void;
            let function = _Unwind_FindEnclosingFunction(pc) as usize;
            search.is_found = function == slow::native as *const () as usize;
            search.is_found.into()
        }
    }

    /// Rust code has panicked: if it is a native's, notes the panic that the program gets.
    ///
    /// # Safety
    /// Context: coroutine of `g`, which runs; its M holds no lock.
    pub(crate) unsafe fn native_panicked(g: &mut G, text: &str) -> bool {
        // Nothing suspends what is left.
        g.fenced.store(false, Ordering::Relaxed);
        // SAFETY: `g` is this thread's.
        let frame = unsafe { (*Words::at(g)).native_frame };
        let mut search = Search {
            below: frame,
            is_found: false,
        };
        let here = (&raw const search).addr();
        if frame == 0 || !coro::is_same_stack(frame, here) {
            return false;
        }
        // SAFETY: `look` keeps to what it is handed.
        unsafe { _Unwind_Backtrace(look, (&raw mut search).cast()) };
        // The registers have been saved where a native is called.
        let Some(name) = traceback::native_name(g.sched.pc).filter(|_| search.is_found) else {
            return false;
        };
        // SAFETY: as above.
        unsafe { State::of(g).raise = Some(Raise::Rust(format!("{name}: {text}"))) };
        true
    }

    /// Leaves the native that has panicked.
    ///
    /// # Safety
    /// Context: signal handler of the thread that runs `g`, after [`native_panicked`].
    pub(crate) unsafe fn leave_native(g: &mut G, context: Context) {
        // SAFETY: the kernel's context; `g` is this thread's, and stands still.
        unsafe {
            let regs = &mut (*context.ptr().cast::<libc::ucontext_t>())
                .uc_mcontext
                .gregs;
            end_with(Status::Raise, (*Words::at(g)).native_frame, regs);
        }
    }
}

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
mod elsewhere {
    use super::*;

    /// Calls a dispatcher.
    ///
    /// # Safety
    /// The dispatcher's.
    pub(crate) unsafe fn call(
        f: HandlerFn,
        pc: *const u64,
        fp: *mut u64,
        g: *mut G,
        table: *const Handler,
    ) -> u64 {
        // SAFETY: the caller's.
        unsafe { f(pc, fp, g, table) }
    }

    /// There is no native code.
    ///
    /// # Safety
    /// None.
    pub(crate) unsafe fn leaves_native(_: Context) -> bool {
        false
    }

    /// Nor does a panic of Rust code.
    ///
    /// # Safety
    /// None.
    pub(crate) unsafe fn native_panicked(_: &mut G, _: &str) -> bool {
        false
    }

    /// It is never called.
    ///
    /// # Safety
    /// None.
    pub(crate) unsafe fn leave_native(_: &mut G, _: Context) {}

    /// No fault becomes a panic here.
    ///
    /// # Safety
    /// None.
    pub(crate) unsafe fn fault(_: &mut G, _: usize, _: Context) -> FaultEnd {
        FaultEnd::Fault
    }
}
