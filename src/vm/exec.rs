#![allow(unsafe_code)]
//! The two dispatchers, made from one table of bodies.
//!
//! What each instruction does is its body in [`bodies`]; bodies use [`regs`] for slots and memory
//! and [`operators`] for arithmetic.
//!
//! The *threaded* dispatcher is a handler for each opcode: it does its work and jumps (a sibling
//! call) to the next instruction's handler through a table. A handler keeps no stack frame on its
//! hot path; whatever is rare or long leaves with a [`Status`] or calls a function of
//! [`slow`](super::slow) that is not inlined. The *looped* dispatcher is one `loop { match }` over
//! the same bodies: for builds where calls do not become jumps, and for other processors.
//! [`prepare`] finds out at start which of them this build can use.
//!
//! An instruction that cannot go on saves its registers in `g.sched` and returns: `pc` is then that
//! of the instruction itself, unless it has been completed (a park whose completion is the next
//! instruction, a loop safepoint whose target is).
//!
//! # Invariants
//!
//! - X1. `pc` is the address of an instruction in the code arena; operands are of the kinds that
//!   `op` declares, and slots lie in the frame (the compiler made them so, the verifier checks it).
//! - X2. `fp` is the frame on `g`'s stack; the prologue has made sure of `frame_max` slots above
//!   it.
//! - X3. `g` is the running G and `g.m` its M, which holds a P.
//! - X4. An address that an instruction reads or writes is nil-checked or of a slice whose bounds
//!   were checked; what the program got from `unsafe` or by a data race may fault as in Go.
//! - X5. Nothing with a destructor, and no address of a local, is alive when a handler ends: else
//!   its tail call would be a call.
//!
//! Go: none; compare cmd/compile/internal/ssagen and runtime/asm_amd64.s.

use bytecode::for_each_op;
use bytecode::op::{NONE, Op, insn};
use gosched_runtime::control::{self, tape};
use gosched_runtime::g::G;
use gosched_runtime::heap::LayoutId;
use gosched_runtime::mutex::{self, Mutex};
use gosched_runtime::race;
use gosched_runtime::signal::NIL_PAGE;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use super::frame::Words;
use super::native::{GoStr, PIECE, Ptr, Slice};
use super::slow;
use super::tier;
use super::trap;
use super::value::Iface;

#[macro_use]
mod bodies;
mod operators;
mod points;
mod races;
mod regs;
mod touched;

use operators::*;
pub(crate) use regs::Regs;
use regs::*;

macro_rules! statuses {
    ($( $(#[$doc:meta])* $name:ident, )*) => {
        /// Why the dispatcher returned. `g.sched` holds the registers.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u64)]
        pub enum Status {
            $( $(#[$doc])* $name, )*
        }

        impl Status {
            const ALL: &'static [Status] = &[$(Status::$name),*];
        }
    };
}
statuses! {
    /// What a function of `slow` returns when the instruction is done; the dispatcher goes on.
    Done,
    /// A prologue's stack check failed.
    Enter,
    /// A loop safepoint was asked to stop; `pc` is the loop's head.
    Loop,
    /// Nil dereference.
    Nil,
    /// Nil dereference that the machine has noticed, at the address in [`Words::index`].
    Fault,
    /// An index is out of range: [`Words::index`], [`Words::len`].
    Bounds,
    /// Division by zero.
    Divide,
    /// Negative shift count.
    Shift,
    /// The panic in the G's state is to be raised.
    Raise,
    /// `panic(v)`.
    Panic,
    /// A controlled run may let another goroutine run before this instruction.
    Point,
    /// Leave to wait; the M's park fields are set. `pc` completes the operation.
    Park,
    /// A native ended otherwise than well.
    Native,
    /// The goroutine's function has returned.
    Exit,
    /// A function called by a native has returned.
    NativeReturn,
    /// A deferred call made by a panic or Goexit has returned.
    DeferReturn,
    /// An instruction that must never run.
    Unreachable,
}

impl Status {
    /// The status numbered `n`.
    pub(crate) fn from_u64(n: u64) -> Status {
        Status::ALL[n as usize]
    }
}

/// An instruction's handler.
pub(super) type HandlerFn = unsafe extern "sysv64" fn(
    pc: *const u64,
    fp: *mut u64,
    g: *mut G,
    table: *const Handler,
) -> u64;

/// An entry of the threaded dispatcher's table.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub(super) struct Handler(pub(super) HandlerFn);

/// A status, or the number of one, which functions of `slow` return.
trait StatusWord {
    fn word(self) -> u64;
}
impl StatusWord for Status {
    #[inline(always)]
    fn word(self) -> u64 {
        self as u64
    }
}
impl StatusWord for u64 {
    #[inline(always)]
    fn word(self) -> u64 {
        self
    }
}

/// The threaded dispatcher.
#[allow(
    unsafe_op_in_unsafe_fn,
    reason = "every body rests on the same invariants X1 to X5"
)]
mod threaded {
    use super::*;

    #[inline(always)]
    pub(super) unsafe fn dispatch(
        pc: *const u64,
        fp: *mut u64,
        g: *mut G,
        table: *const Handler,
    ) -> u64 {
        ((*table.add(*pc.cast::<u16>() as usize)).0)(pc, fp, g, table)
    }

    macro_rules! next {
        ($s:ident, $i:ident) => {
            return dispatch($s.pc.byte_add(size_of_val(&$i)), $s.fp, $s.g, $s.table)
        };
    }
    macro_rules! jump {
        ($s:ident, $by:expr) => {
            return dispatch($s.pc.offset($by as isize), $s.fp, $s.g, $s.table)
        };
    }
    macro_rules! go {
        ($s:ident, $pc:expr, $fp:expr) => {
            return dispatch($pc, $fp, $s.g, $s.table)
        };
    }
    macro_rules! leave {
        ($s:ident, $st:expr) => {{
            $s.save();
            return StatusWord::word($st);
        }};
    }
    macro_rules! leave_at {
        ($s:ident, $pc:expr, $st:expr) => {{
            Regs { pc: $pc, ..$s }.save();
            return StatusWord::word($st);
        }};
    }

    macro_rules! handlers {
        (|$s:ident, $i:ident| $( $( $name:ident $(: $t:ty)? ),+ => $body:block )*) => { $( $(
            #[allow(
                non_snake_case,
                unused_variables,
                unused_unsafe,
                unreachable_code,
                clippy::macro_metavars_in_unsafe,
                reason = "made from the bodies"
            )]
            pub(super) unsafe extern "sysv64" fn $name(
                pc: *const u64,
                fp: *mut u64,
                g: *mut G,
                table: *const Handler,
            ) -> u64 {
                $( type T = $t; )?
                let $s = Regs { pc, fp, g, table };
                let $i = *pc.cast::<insn::$name>();
                $body;
                next!($s, $i)
            }
        )+ )* };
    }
    for_each_body!(handlers);
}

macro_rules! define_table {
    ($(
        $(#[$doc:meta])*
        $name:ident { $($field:ident : $kind:ident),* $(,)? }
            $([$($word:tt)*])? $($attribute:ident)*;
    )*) => {
        /// The handlers in order of the opcodes; one missing does not compile.
        pub(super) const HANDLERS: [Handler; Op::COUNT] = [$(Handler(threaded::$name)),*];
    };
}
for_each_op!(define_table);
pub(super) static TABLE: [Handler; Op::COUNT] = HANDLERS;
/// As [`TABLE`], for the detector of races; with several Ps.
static RACES: [Handler; Op::COUNT] = races::table::<false>();
static SHARED_RACES: [Handler; Op::COUNT] = races::table::<true>();
/// As both, with points: for controlled runs.
static POINTS: [Handler; Op::COUNT] = points::table(HANDLERS, false);
static POINTS_AND_RACES: [Handler; Op::COUNT] = points::table(RACES, false);
static ALL_POINTS: [Handler; Op::COUNT] = points::table(HANDLERS, true);
static ALL_POINTS_AND_RACES: [Handler; Op::COUNT] = points::table(RACES, true);
/// As [`TABLE`], for recorded runs and replays of them; and for those with chaos.
static COUNTED: [Handler; Op::COUNT] = points::counting(HANDLERS, false);
static CHAOS: [Handler; Op::COUNT] = points::counting(HANDLERS, true);

/// The looped dispatcher.
#[allow(
    unsafe_op_in_unsafe_fn,
    reason = "every body rests on the same invariants X1 to X5"
)]
mod looped {
    use super::*;

    macro_rules! next {
        ($s:ident, $i:ident) => {{
            $s.pc = $s.pc.byte_add(size_of_val(&$i));
            continue;
        }};
    }
    macro_rules! jump {
        ($s:ident, $by:expr) => {{
            $s.pc = $s.pc.offset($by as isize);
            continue;
        }};
    }
    macro_rules! go {
        ($s:ident, $pc:expr, $fp:expr) => {{
            ($s.pc, $s.fp) = ($pc, $fp);
            continue;
        }};
    }
    macro_rules! leave {
        ($s:ident, $st:expr) => {{
            $s.save();
            return StatusWord::word($st);
        }};
    }
    macro_rules! leave_at {
        ($s:ident, $pc:expr, $st:expr) => {{
            Regs { pc: $pc, ..*$s }.save();
            return StatusWord::word($st);
        }};
    }

    macro_rules! run {
        (|$s:ident, $i:ident| $( $( $name:ident $(: $t:ty)? ),+ => $body:block )*) => {
            #[allow(
                unused_variables,
                unused_unsafe,
                unreachable_code,
                clippy::macro_metavars_in_unsafe,
                reason = "made from the bodies"
            )]
            pub(super) unsafe extern "sysv64" fn run(
                pc: *const u64,
                fp: *mut u64,
                g: *mut G,
                table: *const Handler,
            ) -> u64 {
                let mut regs = Regs { pc, fp, g, table };
                let is_plain = std::ptr::eq(table, TABLE.as_ptr());
                let mut is_first = is_plain || points::comes_back(g);
                loop {
                    // Held until the instruction is done.
                    let mut _turn = None;
                    if !is_plain {
                        let may_leave = control::is_on() && !is_first;
                        if may_leave && points::leaves(regs.pc, regs.fp, regs.g) {
                            return Status::Point as u64;
                        }
                        let may_leave = tape::is_on() && !is_first;
                        if may_leave && points::counts(regs.pc, regs.fp, regs.g, table) {
                            return Status::Point as u64;
                        }
                        if race::is_on() {
                            _turn = races::turn(regs.pc, regs.fp, regs.g);
                            races::tell(regs.pc, regs.fp, regs.g);
                        }
                    }
                    is_first = false;
                    // X1: the word is an instruction.
                    match *regs.pc.cast::<Op>() {
                        $( $( Op::$name => {
                            $( type T = $t; )?
                            let $s = &mut regs;
                            let $i = *$s.pc.cast::<insn::$name>();
                            $body;
                            next!($s, $i)
                        } )+ )*
                    }
                }
            }
        };
    }
    for_each_body!(run);
}

/// The table of a run that is watched. `g` runs again.
#[cold]
unsafe fn watching(g: *mut G) -> *const Handler {
    // SAFETY: the caller's.
    unsafe {
        if race::is_on() {
            race::resumed(g);
        }
        if tape::is_on() {
            return match tape::is_chaotic() {
                true => CHAOS.as_ptr(),
                false => COUNTED.as_ptr(),
            };
        }
        if control::has_shared() {
            control::has_read_early((*g).goid);
        }
        let table = match (control::is_on(), control::has_shared(), race::is_on()) {
            (true, true, true) => &ALL_POINTS_AND_RACES,
            (true, true, false) => &ALL_POINTS,
            (true, false, true) => &POINTS_AND_RACES,
            (true, false, false) => &POINTS,
            (false, ..) if race::are_several() => &SHARED_RACES,
            (false, ..) => &RACES,
        };
        table.as_ptr()
    }
}

/// Runs from `g.sched` until an instruction leaves.
///
/// # Safety
///
/// X1 to X3 hold for the registers in `g.sched`.
#[inline]
pub(super) unsafe fn run(g: *mut G) -> Status {
    // SAFETY: as the caller promises.
    unsafe {
        // Before the registers are read: of what is interrupted later, they are looked for among
        // all that machine registers have kept.
        let table = match control::is_watched() {
            true => watching(g),
            false => tier::table(),
        };
        let (pc, fp) = ((*g).sched.pc as *const u64, (*g).sched.fp as *mut u64);
        let f = if IS_LOOPED.load(Relaxed) == LOOPED {
            looped::run
        } else {
            points::resumed(g, table).0
        };
        let st = trap::call(f, pc, fp, g, table);
        Status::from_u64(st)
    }
}

/// As [`run`], with the dispatcher named.
#[cfg(test)]
pub(super) unsafe fn run_with(g: *mut G, looped: bool) -> Status {
    // SAFETY: as the caller promises.
    unsafe {
        let (pc, fp) = ((*g).sched.pc as *const u64, (*g).sched.fp as *mut u64);
        Status::from_u64(if looped {
            looped::run(pc, fp, g, TABLE.as_ptr())
        } else {
            threaded::dispatch(pc, fp, g, TABLE.as_ptr())
        })
    }
}

const LOOPED: u8 = 1;

/// 1: the looped dispatcher is used. Written by `prepare` before any goroutine runs.
static IS_LOOPED: AtomicU8 = AtomicU8::new(if cfg!(all(target_arch = "x86_64", not(miri))) {
    0
} else {
    LOOPED
});

/// Gets ready to run: notes where the function table is and finds out which dispatcher this build
/// can use. `GOSCHED_DISPATCH=loop` asks for the looped one: tests run both.
pub(super) fn prepare() {
    FUNCS.store(bytecode::func::table(), Relaxed);
    let asked = std::env::var_os("GOSCHED_DISPATCH").is_some_and(|v| v == "loop");
    if IS_LOOPED.load(Relaxed) != LOOPED && (asked || !are_calls_jumps()) {
        IS_LOOPED.store(LOOPED, Relaxed);
    }
    if IS_LOOPED.load(Relaxed) != LOOPED {
        tier::prepare();
    }
}

/// Runs 1,000 instructions of the threaded dispatcher and compares how deep the native stack is at
/// the first and the last.
fn are_calls_jumps() -> bool {
    const STEPS: u64 = 1000;
    const NEAR: usize = 256;
    thread_local! {
        /// Stack pointers seen by the probe.
        static SEEN: std::cell::Cell<(usize, usize)> = const { std::cell::Cell::new((0, 0)) };
    }
    unsafe extern "sysv64" fn probe(
        pc: *const u64,
        fp: *mut u64,
        g: *mut G,
        table: *const Handler,
    ) -> u64 {
        let here = gosched_runtime::coro::stack_pointer();
        let (first, _) = SEEN.get();
        SEEN.set((if first == 0 { here } else { first }, here));
        // SAFETY: the probe's own code, frame and table.
        unsafe {
            *fp -= 1;
            if *fp == 0 {
                return Status::Done as u64;
            }
            threaded::dispatch(pc.add(1), fp, g, table)
        }
    }
    let mut table = TABLE;
    table[Op::Nop as usize] = Handler(probe);
    let nop = u64::from(Op::Nop as u16);
    let jump = u64::from(Op::Loop as u16) | ((-1i32 as u32 as u64) << 32);
    let code = [nop, jump];
    let mut frame = [STEPS];
    let mut g = G::new();
    // SAFETY: the two instructions only count the frame's one slot down; the last one leaves.
    unsafe {
        threaded::dispatch(
            code.as_ptr(),
            frame.as_mut_ptr(),
            &raw mut g,
            table.as_ptr(),
        )
    };
    let (first, last) = SEEN.get();
    first.abs_diff(last) < NEAR
}
