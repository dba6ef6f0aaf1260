//! What instructions do to memory that goroutines may share: for the detector of races.
//!
//! While it is on, the dispatch table has handlers of this module for every instruction that reads
//! or writes the heap or package-level variables; frames belong to their goroutines. There is one
//! for each, which notes in place what needs no comparison. An instruction that
//! will panic is passed over. What an element of a map is, only maps know: operations on them
//! count as accesses to the map itself, as in Go. Locks, atomic words and what natives say of
//! themselves order accesses; channels tell the detector of themselves.
//!
//! Go: runtime/race.go, cmd/compile/internal/ssagen (instrument).

use super::touched::{self, Touched};
use super::{HANDLERS, Handler, Op, Regs, Status, TABLE};
use crate::frame::Walk;
use crate::native::{Handed, Span, table};
use crate::slow;
use bytecode::for_each_op;
use bytecode::func::{self, FuncInfo};
use bytecode::op::insn;
use bytecode::touch::Point;
use gosched_runtime::control::operation::Act;
use gosched_runtime::g::G;
use gosched_runtime::race::{self, Access, Edge, Site, Turn};
use std::sync::atomic::{AtomicU64, Ordering};

/// Reads so many bytes.
#[inline(always)]
fn read(at: u64, bytes: u64) -> Option<Access> {
    Some(Access::plain(at as usize, bytes as usize, false))
}

/// Writes so many bytes.
#[inline(always)]
fn write(at: u64, bytes: u64) -> Option<Access> {
    Some(Access::plain(at as usize, bytes as usize, true))
}

#[inline(always)]
fn one(access: Option<Access>) -> Touched {
    [access, None]
}

/// Tells the detector what the instruction does, and does it.
#[cold]
unsafe extern "sysv64" fn watched(
    pc: *const u64,
    fp: *mut u64,
    g: *mut G,
    table: *const Handler,
) -> u64 {
    // SAFETY: exec::X1 to X3.
    unsafe {
        // By value: the address of a local would make a call of the jump at the end.
        if takes_turn(pc) {
            return in_turn(pc, fp, g, table);
        }
        tell(pc, fp, g);
        (TABLE[*pc.cast::<u16>() as usize].0)(pc, fp, g, table)
    }
}

/// The turn that the instruction takes until it is done, if it does.
pub(super) unsafe fn turn(pc: *const u64, fp: *mut u64, g: *mut G) -> Option<Turn> {
    // SAFETY: exec::X1 to X3.
    unsafe {
        takes_turn(pc).then(|| {
            let regs = &Regs::new(pc, fp, g);
            Turn::at(object(regs, *pc.cast::<insn::CallNative>()))
        })
    }
}

/// Must others find what the instruction does and what is told of it in the same order? So it is
/// with natives whose answer depends on what others have done.
unsafe fn takes_turn(pc: *const u64) -> bool {
    // SAFETY: exec::X1.
    unsafe {
        if !race::are_several() || *pc.cast::<Op>() != Op::CallNative {
            return false;
        }
        let Some(native) = table::get((*pc.cast::<insn::CallNative>()).native) else {
            return false;
        };
        use Act::{Add, Change, Done, Join, Load, Store, Update};
        let act = native.entry.traits.point;
        matches!(
            act,
            Some(Load | Store | Update | Change | Add | Done | Join)
        )
    }
}

/// Tells the detector what a native does, and calls it, while no other goroutine does so with the
/// same memory.
unsafe extern "sysv64" fn in_turn(
    pc: *const u64,
    fp: *mut u64,
    g: *mut G,
    table: *const Handler,
) -> u64 {
    #[inline(never)]
    unsafe fn call(pc: *const u64, fp: *mut u64, g: *mut G) -> u64 {
        let regs = &Regs::new(pc, fp, g);
        // SAFETY: exec::X1 to X3.
        unsafe {
            let i = *pc.cast::<insn::CallNative>();
            let _turn = turn(pc, fp, g);
            tell(pc, fp, g);
            regs.save();
            slow::native(i.native, i.win, g)
        }
    }
    // SAFETY: exec::X1 to X3.
    unsafe {
        let status = call(pc, fp, g);
        if status != Status::Done as u64 {
            return status;
        }
        let (pc, fp) = (pc.byte_add(size_of::<insn::CallNative>()), (*g).sched.fp);
        ((*table.add(*pc.cast::<u16>() as usize)).0)(pc, fp as *mut u64, g, table)
    }
}

/// Tells the detector what the instruction does.
#[inline(never)]
pub(super) unsafe fn tell(pc: *const u64, fp: *mut u64, g: *mut G) {
    let regs = &Regs::new(pc, fp, g);
    // SAFETY: exec::X1 to X3.
    unsafe {
        let at = regs.pc;
        match (*at.cast::<Op>()).point() {
            Some(Point::Lock(ptr)) => acquires(regs, touched::slot(regs, ptr), false),
            Some(Point::Unlock(ptr)) => race::unlocks(regs.g, touched::slot(regs, ptr) as usize),
            Some(Point::Native) => calls(regs, *at.cast::<insn::CallNative>()),
            Some(Point::Select) => selects(regs, *at.cast::<insn::Select>()),
            _ => do_all(regs, touched::touched(regs)),
        }
    }
}

/// Where it is.
#[inline(always)]
fn site(regs: &Regs) -> Site {
    Site {
        pc: regs.pc as usize,
        frame: regs.fp,
    }
}

#[inline(always)]
unsafe fn do_all(regs: &Regs, touched: Touched) {
    for Access {
        at, bytes, writes, ..
    } in touched.into_iter().flatten()
    {
        // SAFETY: exec::X1 to X3.
        unsafe {
            if race::plain(regs.g, site(regs), at, bytes, writes) {
                tells(regs, Access::plain(at, bytes, writes));
            }
        }
    }
}

/// The access is a race.
#[cold]
#[inline(never)]
unsafe fn tells(regs: &Regs, access: Access) {
    // SAFETY: exec::X1 to X3.
    unsafe {
        regs.save();
        race::report(regs.g, regs.pc as usize, access);
    }
}

/// Any of the channels that a `select` may send to must not meet a close.
unsafe fn selects(regs: &Regs, i: insn::Select) {
    for case in 0..i.n {
        // SAFETY: exec::X1 to X3; the cases are prepared.
        unsafe {
            let [ch, how] = regs.get2(i.blk + 2 * case);
            if ch != 0 && how >> 16 & 1 == 0 {
                do_all(regs, one(read(ch, 8)));
            }
        }
    }
}

/// The goroutine goes on when it has the lock, or what else is at `object`: a writer after all
/// readers.
unsafe fn acquires(regs: &Regs, object: u64, is_reader: bool) {
    let object = object as usize;
    let readers = (!is_reader).then_some(object | race::READERS);
    // SAFETY: exec::X1 to X3.
    unsafe {
        race::wants(regs.g, [Some(object), readers]);
    }
}

/// Where a `sync.WaitGroup` has its semaphore.
const GROUP_SEMA: u64 = 8;

/// What a `sync.WaitGroup` counts: of what it is waited for, and who waits.
unsafe fn group(at: usize) -> (u32, u32) {
    // SAFETY: the words are the program's, and others wait for their turn.
    let state = unsafe { (*(at as *const AtomicU64)).load(Ordering::Relaxed) };
    ((state >> 32) as u32, state as u32 & 0x7fff_ffff)
}

/// The object that a native is called for: the memory that it is a method of, or its last argument.
unsafe fn object(regs: &Regs, i: insn::CallNative) -> usize {
    let Some(native) = table::get(i.native) else {
        return 0;
    };
    let (results, params) = native.entry.slots;
    let n = match native.entry.traits.point {
        Some(Act::Exchange) => params - 1,
        _ => 0,
    };
    // SAFETY: exec::X2.
    unsafe { regs.get(i.win + (results + n) as u16) as usize }
}

/// Hands memory to a native, whose parameters begin at slot `params`.
unsafe fn hands(regs: &Regs, handed: &[Handed], params: u16) {
    // SAFETY: exec::X1 to X3; of a slice the length is behind the pointer.
    unsafe {
        let mut place = None;
        for handed in handed {
            let at = params + handed.slot as u16;
            let bytes = match handed.span {
                Span::Bytes(bytes) => bytes,
                Span::Elements(size) => size * regs.get(at + 1) as usize,
                Span::Nothing | Span::Unknown => 0,
            };
            let at = regs.get(at) as usize;
            if at == 0 || bytes == 0 {
                continue;
            }
            let site = *place.get_or_insert_with(|| own_site(regs));
            if race::plain(regs.g, site, at, bytes, handed.alters) {
                regs.save();
                race::report(regs.g, site.pc, Access::plain(at, bytes, handed.alters));
            }
        }
    }
}

/// Where the program itself has called, perhaps through the library.
unsafe fn own_site(regs: &Regs) -> Site {
    let is_own = |info: &FuncInfo| info.flags & func::STD == 0;
    if func::find(regs.pc as usize).is_none_or(is_own) {
        return site(regs);
    }
    // SAFETY: exec::X1 to X3; the goroutine does not run meanwhile.
    unsafe {
        regs.save();
        let found = Walk::new(regs.g).find(|f| f.info.is_some_and(is_own));
        found.map_or(site(regs), |f| Site {
            pc: f.at(),
            frame: f.fp as *const u64,
        })
    }
}

/// Calls a native.
unsafe fn calls(regs: &Regs, i: insn::CallNative) {
    // SAFETY: exec::X1 to X3.
    unsafe {
        let Some(native) = table::get(i.native) else {
            return;
        };
        let (results, _) = native.entry.slots;
        if !native.entry.handed.is_empty() {
            hands(regs, &native.entry.handed, i.win + results as u16);
        }
        let Some(act) = native.entry.traits.point else {
            return;
        };
        let param = |n: usize| regs.get(i.win + (results + n) as u16);
        let object = object(regs, i);
        let atomic = |writes| Access {
            at: object,
            bytes: if native.entry.name.contains("32") {
                4
            } else {
                8
            },
            writes,
            is_atomic: true,
        };
        let edge = |object, edge| race::edge(regs.g, object, edge);
        let order = |access, edge| {
            if race::atomic(regs.g, site(regs), access, edge) {
                tells(regs, access);
            }
        };
        match act {
            Act::Join if object != 0 => {
                let (awaited, waiters) = group(object);
                if awaited != 0 && waiters == 0 {
                    do_all(regs, one(write(object as u64 + GROUP_SEMA, 4)));
                }
                acquires(regs, object as u64, false);
            }
            Act::Lock | Act::TryLock | Act::Wait => acquires(regs, object as u64, false),
            Act::ReadLock | Act::TryReadLock => acquires(regs, object as u64, true),
            Act::Unlock => race::unlocks(regs.g, object),
            Act::ReadUnlock => edge(object | race::READERS, Edge::Release),
            // A group of which more is awaited tells nobody anything. The first of it must not meet
            // who begins to wait: Go's detector takes them for a read and a write.
            Act::Add if param(1) as i64 > 0 => {
                let is_first = object != 0 && group(object).0 == 0;
                let sema = read(object as u64 + GROUP_SEMA, 4).filter(|_| is_first);
                do_all(regs, one(sema));
            }
            Act::Change | Act::Add | Act::Done => edge(object, Edge::Release),
            // What was written may be what is read, whatever the descriptors.
            Act::Input => acquires(regs, race::WORLD as u64, true),
            Act::Output => edge(race::WORLD, Edge::Release),
            Act::Exchange => edge(object, Edge::Both),
            Act::Load if object != 0 => {
                order(atomic(false), Edge::Acquire);
            }
            Act::Store if object != 0 => {
                order(atomic(true), Edge::Replace);
            }
            Act::Update if object != 0 => {
                order(atomic(true), Edge::Both);
            }
            _ => {}
        }
    }
}

/// The handler of opcode number `OP` that tells the detector of it; with several Ps (`SHARED`).
const fn handler<const OP: usize, const SHARED: bool>() -> Handler {
    let op = Op::numbered(OP);
    match op.point() {
        Some(Point::Lock(_) | Point::Unlock(_) | Point::Select | Point::Native) => Handler(watched),
        _ if op.touches_memory() => Handler(watching::<OP, SHARED>),
        _ => HANDLERS[OP],
    }
}

macro_rules! define_table {
    ($(
        $(#[$doc:meta])*
        $name:ident { $($field:ident : $kind:ident),* $(,)? }
            $([$($word:tt)*])? $($attribute:ident)*;
    )*) => {
        /// The table of handlers that tell the detector.
        pub(super) const fn table<const SHARED: bool>() -> [Handler; Op::COUNT] {
            [$( handler::<{ Op::$name as usize }, SHARED>() ),*]
        }
    };
}
for_each_op!(define_table);

/// Notes what the instruction touches, and does it.
unsafe extern "sysv64" fn watching<const OP: usize, const SHARED: bool>(
    pc: *const u64,
    fp: *mut u64,
    g: *mut G,
    table: *const Handler,
) -> u64 {
    // A call in a build in which it might need memory of its own.
    #[cfg_attr(debug_assertions, inline(never))]
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn is_noted<const OP: usize, const SHARED: bool>(
        pc: *const u64,
        fp: *mut u64,
        g: *mut G,
    ) -> bool {
        let regs = &Regs::new(pc, fp, g);
        // SAFETY: exec::X1 to X3.
        unsafe {
            notes::<SHARED>(
                regs,
                touched::all(regs, const { Op::numbered(OP).touches() }),
            )
        }
    }
    #[cold]
    unsafe extern "sysv64" fn held<const OP: usize>(
        pc: *const u64,
        fp: *mut u64,
        g: *mut G,
        table: *const Handler,
    ) -> u64 {
        #[inline(never)]
        unsafe fn hold<const OP: usize>(pc: *const u64, fp: *mut u64, g: *mut G) {
            let regs = &Regs::new(pc, fp, g);
            // SAFETY: exec::X1 to X3.
            unsafe {
                do_all(
                    regs,
                    touched::all(regs, const { Op::numbered(OP).touches() }),
                )
            }
        }
        // SAFETY: exec::X1 to X3.
        unsafe {
            hold::<OP>(pc, fp, g);
            (const { HANDLERS[OP].0 })(pc, fp, g, table)
        }
    }
    // SAFETY: exec::X1 to X3.
    unsafe {
        if !is_noted::<OP, SHARED>(pc, fp, g) {
            return held::<OP>(pc, fp, g, table);
        }
        (const { HANDLERS[OP].0 })(pc, fp, g, table)
    }
}

/// Notes what an instruction touches where that needs no comparison; see [`race::notes`].
#[inline(always)]
unsafe fn notes<const SHARED: bool>(regs: &Regs, [one, other]: Touched) -> bool {
    // SAFETY: exec::X1 to X3.
    unsafe {
        let site = site(regs);
        if let Some(access) = one {
            if !race::notes::<SHARED>(regs.g, site, access) {
                return false;
            }
        }
        if let Some(access) = other {
            return race::notes::<SHARED>(regs.g, site, access);
        }
        true
    }
}
