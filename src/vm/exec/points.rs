//! Points: instructions before which a controlled run may let another goroutine run.
//!
//! They are what goroutines tell each other by: channel operations, locks, the natives that say so
//! of themselves; and each thousandth turn of a loop, so that one which waits for a flag lets
//! others set it. The dispatch table of a controlled run has [`at_point`] for them: ordinary runs
//! pay nothing. The looped dispatcher only looks which table it is given. A recorded run has a
//! table that counts instead, which says when a slice was over.
//!
//! Accesses to memory that have been in a race are points where a search asks for it: what comes
//! of a race depends on the order of its accesses. An instruction that reads and writes one word
//! lets others run before it, or in its midst.

use super::{Handler, HandlerFn, Op, RACES, Regs, SHARED_RACES, Status, TABLE, touched};
use crate::frame::{Walk, Words};
use crate::native::table;
use crate::{reflect, tier};
use bytecode::func::{self, FuncInfo};
use bytecode::op::insn;
use bytecode::touch::Point;
use gosched_runtime::control::operation::{Act, Operation, PROCESS};
use gosched_runtime::control::{self, tape};
use gosched_runtime::g::G;
use gosched_runtime::mutex::{self, Mutex};
use gosched_runtime::race;
use gosched_runtime::timer::{self, Timer};

/// The table of a controlled run. With `all`, what is read and written by instructions may be a
/// point, too.
pub(super) const fn table(mut table: [Handler; Op::COUNT], all: bool) -> [Handler; Op::COUNT] {
    let mut i = 0;
    while i < Op::COUNT {
        let op = Op::numbered(i);
        if op.point().is_some() || op.is_turn() || all && op.touches_memory() {
            table[i] = Handler(at_point);
        }
        i += 1;
    }
    table
}

/// The table of a recorded run, in which turns of loops and calls are counted. With `all`, what is
/// read and written by instructions besides: chaos lets others run before those, too.
pub(super) const fn counting(mut table: [Handler; Op::COUNT], all: bool) -> [Handler; Op::COUNT] {
    let mut i = 0;
    while i < Op::COUNT {
        let op = Op::numbered(i);
        if matches!(op, Op::Enter) || op.is_turn() || all && op.touches_memory() {
            table[i] = Handler(counted);
        }
        i += 1;
    }
    table
}

/// Leaves if the slice is over, or does the instruction.
unsafe extern "sysv64" fn counted(
    pc: *const u64,
    fp: *mut u64,
    g: *mut G,
    table: *const Handler,
) -> u64 {
    // SAFETY: exec::X1 to X3.
    unsafe {
        if tape::is_look_due() && is_slice_over(pc, fp, g) {
            return Status::Point as u64;
        }
        (TABLE[*pc.cast::<u16>() as usize].0)(pc, fp, g, table)
    }
}

/// Looks whether the slice is over.
#[cold]
#[inline(never)]
unsafe fn is_slice_over(pc: *const u64, fp: *mut u64, g: *mut G) -> bool {
    // SAFETY: exec::X1 to X3.
    unsafe {
        Regs::new(pc, fp, g).save();
        tape::look((*(*g).m).p)
    }
}

/// As [`counted`], for the looped dispatcher: leaves it?
pub(super) unsafe fn counts(
    pc: *const u64,
    fp: *mut u64,
    g: *mut G,
    table: *const Handler,
) -> bool {
    // SAFETY: exec::X1 to X3.
    unsafe {
        let op = *pc.cast::<u16>() as usize;
        let is_counted = std::ptr::fn_addr_eq((*table.add(op)).0, counted as HandlerFn);
        is_counted && tape::is_look_due() && is_slice_over(pc, fp, g)
    }
}

/// Leaves, or does the instruction.
unsafe extern "sysv64" fn at_point(
    pc: *const u64,
    fp: *mut u64,
    g: *mut G,
    table: *const Handler,
) -> u64 {
    // SAFETY: exec::X1 to X3.
    unsafe {
        // By value: the address of a local would make a call of the jump at the end.
        if leaves(pc, fp, g) {
            return Status::Point as u64;
        }
        (first(*pc.cast::<u16>()).0)(pc, fp, g, table)
    }
}

/// The handler of an instruction that is to be done whether it is a point or not.
#[inline]
pub(super) fn first(op: u16) -> &'static Handler {
    match race::is_on() {
        true if race::are_several() => &SHARED_RACES[op as usize],
        true => &RACES[op as usize],
        false => &TABLE[op as usize],
    }
}

/// Does `g`, which runs again, come back to an instruction before which it has let others run, or
/// its slice was over? Then it does that. A goroutine that was stopped for anything else, such as a
/// collection, may be at a point that it has not come to yet.
///
/// # Safety
///
/// exec::X1 to X3 hold for the registers in `g.sched`.
pub(super) unsafe fn comes_back(g: *mut G) -> bool {
    // SAFETY: the caller's.
    unsafe {
        let stands_at = std::mem::take(&mut (*g).stands_at);
        !control::is_on() || stands_at == (*g).sched.pc
    }
}

/// The handler of the first instruction that `g` does when it runs again, by `table`.
///
/// # Safety
///
/// As [`comes_back`].
#[inline]
pub(super) unsafe fn resumed(g: *mut G, table: *const Handler) -> &'static Handler {
    // SAFETY: the caller's; tables are static.
    unsafe {
        if let Some(first) = tier::resumed(table) {
            return first;
        }
        let op = *((*g).sched.pc as *const u16);
        match std::ptr::eq(table, TABLE.as_ptr()) {
            true => &TABLE[op as usize],
            false if comes_back(g) => first(op),
            false => &*table.add(op as usize),
        }
    }
}

/// Is there a choice to be made before the instruction? Then the registers are saved.
#[inline(never)]
pub(super) unsafe fn leaves(pc: *const u64, fp: *mut u64, g: *mut G) -> bool {
    let regs = &Regs::new(pc, fp, g);
    // SAFETY: exec::X1 to X3.
    unsafe {
        let Some((act, object)) = operation(regs) else {
            return false;
        };
        let at = match caller(regs) {
            Some(at) => at,
            None if act == Act::Turn => pc as usize,
            // What tests tell each other of how far they are is no choice of theirs.
            None => return false,
        };
        let op = Operation {
            act,
            pc: regs.pc as u64,
            at: at as u64,
            object,
        };
        let leaves = control::point((*(*regs.g).m).p, op);
        if leaves {
            regs.save();
            (*g).stands_at = pc as usize;
            if act == Act::Modify {
                control::reads_early(object as usize);
            }
        }
        leaves
    }
}

/// What the instruction does, and to what; `None`: it is no point.
unsafe fn operation(regs: &Regs) -> Option<(Act, u64)> {
    // SAFETY: exec::X1 to X3.
    unsafe {
        let at = regs.pc;
        let op = *at.cast::<Op>();
        Some(match op.point() {
            Some(Point::Send(ch)) => (Act::Send, touched::slot(regs, ch)),
            Some(Point::Receive(ch)) => (Act::Receive, touched::slot(regs, ch)),
            Some(Point::Close(ch)) => (Act::Close, touched::slot(regs, ch)),
            Some(Point::Look(ch)) => (Act::Look, touched::slot(regs, ch)),
            Some(Point::Select) => (Act::Select, 0),
            Some(Point::Lock(ptr)) => (Act::Lock, touched::slot(regs, ptr)),
            Some(Point::Unlock(ptr)) => (Act::Unlock, touched::slot(regs, ptr)),
            Some(Point::Native) => {
                let i = *at.cast::<insn::CallNative>();
                let native = table::get(i.native)?;
                let act = native.entry.traits.point?;
                if act == Act::Input {
                    control::reads_the_world();
                }
                if matches!(act, Act::Exchange | Act::Input | Act::Output) {
                    return None;
                }
                let (results, params) = native.entry.slots;
                let param = |n: usize| regs.get(i.win + (results + n) as u16);
                let object = match act {
                    Act::Time => 0,
                    Act::Process => PROCESS,
                    Act::Select => return Some(reflect::chooses(param(0), param(1))),
                    _ if params == 0 => 0,
                    Act::Timer => timer::object(param(0) as *const Timer),
                    _ => param(0),
                };
                if results == 0 && native.entry.traits.in_place && is_only_told(regs, act, object) {
                    return None;
                }
                (act, object)
            }
            None if op.is_turn() && control::turn() => (Act::Turn, 0),
            None if control::is_shared(at as usize) => {
                let access = touched::touched(regs).into_iter().flatten().next()?;
                let act = match access.writes {
                    true if op.updates() && control::is_amid() => Act::Modify,
                    true => Act::Write,
                    false => Act::Read,
                };
                (act, access.at as u64)
            }
            None => return None,
        })
    }
}

/// Does the native of a mutex come only because it is told who holds it? The instruction before,
/// which has been a point, would have done all of it.
unsafe fn is_only_told(regs: &Regs, act: Act, mutex: u64) -> bool {
    // SAFETY: exec::X1 to X3; behind that instruction the pointer is none that is nil.
    unsafe {
        match act {
            Act::Lock => mutex::only_told_lock(mutex as *const Mutex),
            Act::Unlock => mutex::only_told_unlock((*Words::at(regs.g)).mutex),
            _ => false,
        }
    }
}

/// Who of the program itself has called, perhaps through the library, what the instruction does;
/// `None`: package testing does it for itself.
unsafe fn caller(regs: &Regs) -> Option<usize> {
    let pc = regs.pc as usize;
    let is_own = |info: &FuncInfo| info.flags & func::STD == 0;
    if func::find(pc).is_none_or(is_own) {
        return Some(pc);
    }
    let is_tests = |info: &FuncInfo| info.flags & func::TESTING != 0;
    // SAFETY: the registers are as they will be if it leaves; the goroutine does not run meanwhile.
    unsafe {
        regs.save();
        let mut frames = Walk::new(regs.g);
        let found = frames.find(|f| f.info.is_some_and(|info| is_own(info) || is_tests(info)));
        match found {
            Some(f) if f.info.is_some_and(is_tests) => None,
            found => Some(found.map_or(pc, |f| f.at())),
        }
    }
}
