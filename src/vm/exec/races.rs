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

use super::{Handler, HandlerFn, Op, Regs, Status, TABLE, threaded};
use crate::native::table;
use crate::slow;
use bytecode::op::insn;
use bytecode::rtype::Rtype;
use gosched_runtime::control::operation::Act;
use gosched_runtime::g::G;
use gosched_runtime::race::{self, Access, Edge, Site, Turn};
use std::sync::atomic::{AtomicU64, Ordering};

/// What an instruction touches: at most two pieces of memory.
type Touched = [Option<Access>; 2];

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

/// Low and high half.
#[inline(always)]
fn halves(x: u64) -> (u64, u64) {
    (x & 0xffff_ffff, x >> 32)
}

/// The table with the handlers of this module where they are wanted.
pub(super) const fn watching(
    mut table: [Handler; Op::COUNT],
    ops: &[(Op, HandlerFn)],
) -> [Handler; Op::COUNT] {
    let mut i = 0;
    while i < ops.len() {
        let (op, handler) = ops[i];
        table[op as usize] = Handler(handler);
        i += 1;
    }
    table[Op::LockJump as usize] = Handler(watched);
    table[Op::UnlockJump as usize] = Handler(watched);
    table[Op::CallNative as usize] = Handler(watched);
    table
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
        match *at.cast::<Op>() {
            Op::LockJump => {
                acquires(regs, regs.get((*at.cast::<insn::LockJump>()).ptr), false);
            }
            Op::UnlockJump => {
                let m = regs.get((*at.cast::<insn::UnlockJump>()).ptr);
                race::unlocks(regs.g, m as usize);
            }
            Op::CallNative => calls(regs, *at.cast::<insn::CallNative>()),
            _ => do_all(regs, touched(regs)),
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

/// Calls a native.
unsafe fn calls(regs: &Regs, i: insn::CallNative) {
    // SAFETY: exec::X1 to X3.
    unsafe {
        let Some(native) = table::get(i.native) else {
            return;
        };
        let Some(act) = native.entry.traits.point else {
            return;
        };
        let (results, _) = native.entry.slots;
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

macro_rules! accesses {
    (|$r:ident, $i:ident| $( $( $op:ident ),+ => $what:expr; )*) => {
        /// Instructions that touch memory, and their handlers.
        pub(super) const OPS: &[(Op, HandlerFn)] =
            &[ $( $( (Op::$op, watching::$op::<false>) ),+ ),* ];
        /// Those for several Ps.
        pub(super) const SHARED_OPS: &[(Op, HandlerFn)] =
            &[ $( $( (Op::$op, watching::$op::<true>) ),+ ),* ];

        mod touching {
            use super::*;
            $( $(
                /// What the instruction touches.
                #[allow(non_snake_case, unused_variables, reason = "made from the table")]
                #[inline(always)]
                pub(super) unsafe fn $op($r: &Regs) -> Touched {
                    // SAFETY: exec::X1 to X3.
                    unsafe {
                        let $i = *$r.pc.cast::<insn::$op>();
                        $what
                    }
                }
            )+ )*
        }

        mod watching {
            use super::*;
            $( $(
                #[allow(non_snake_case, reason = "made from the table")]
                pub(super) unsafe extern "sysv64" fn $op<const SHARED: bool>(
                    pc: *const u64,
                    fp: *mut u64,
                    g: *mut G,
                    table: *const Handler,
                ) -> u64 {
                    // A call in a build in which it might need memory of its own.
                    #[cfg_attr(debug_assertions, inline(never))]
                    #[cfg_attr(not(debug_assertions), inline(always))]
                    unsafe fn is_noted<const SHARED: bool>(
                        pc: *const u64,
                        fp: *mut u64,
                        g: *mut G,
                    ) -> bool {
                        let regs = &Regs::new(pc, fp, g);
                        // SAFETY: exec::X1 to X3.
                        unsafe { notes::<SHARED>(regs, touching::$op(regs)) }
                    }
                    #[cold]
                    unsafe extern "sysv64" fn held(
                        pc: *const u64,
                        fp: *mut u64,
                        g: *mut G,
                        table: *const Handler,
                    ) -> u64 {
                        #[inline(never)]
                        unsafe fn hold(pc: *const u64, fp: *mut u64, g: *mut G) {
                            let regs = &Regs::new(pc, fp, g);
                            // SAFETY: exec::X1 to X3.
                            unsafe { do_all(regs, touching::$op(regs)) }
                        }
                        // SAFETY: exec::X1 to X3.
                        unsafe {
                            hold(pc, fp, g);
                            threaded::$op(pc, fp, g, table)
                        }
                    }
                    // SAFETY: exec::X1 to X3.
                    unsafe {
                        if !is_noted::<SHARED>(pc, fp, g) {
                            return held(pc, fp, g, table);
                        }
                        threaded::$op(pc, fp, g, table)
                    }
                }
            )+ )*
        }

        /// What the instruction touches.
        pub(super) unsafe fn touched(r: &Regs) -> Touched {
            // SAFETY: exec::X1 to X3.
            unsafe {
                match *r.pc.cast::<Op>() {
                    $( $( Op::$op => touching::$op(r), )+ )*
                    _ => [None, None],
                }
            }
        }
    };
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

/// The address `by` bytes behind the pointer in a slot, unless that is nil.
#[inline(always)]
unsafe fn field(r: &Regs, ptr: u16, by: u64) -> Option<u64> {
    // SAFETY: exec::X2.
    let p = unsafe { r.get(ptr) };
    (p != 0).then(|| p.wrapping_add(by))
}

/// The address of element `x` of a slice, if there is one.
#[inline(always)]
unsafe fn element(r: &Regs, s: u16, x: u64, stride: u64) -> Option<u64> {
    // SAFETY: exec::X2.
    let [p, len] = unsafe { r.get2(s) };
    (x < len).then(|| p.wrapping_add(x.wrapping_mul(stride)))
}

/// The address of element `x` of the array that a slot points to, if there is one.
#[inline(always)]
unsafe fn item(r: &Regs, ptr: u16, x: u64, len: u64, stride: u64) -> Option<u64> {
    // SAFETY: exec::X2.
    let p = unsafe { r.get(ptr) };
    (p != 0 && x < len).then(|| p.wrapping_add(x.wrapping_mul(stride)))
}

/// What appending `n` elements to a slice writes, if it has room for them.
#[inline(always)]
unsafe fn appended(r: &Regs, s: u16, n: u64, elem: u64) -> Option<Access> {
    // SAFETY: exec::X2; operands of that kind are descriptions of types.
    unsafe {
        let [p, len, cap] = r.get3(s);
        let size = (*(elem as *const Rtype)).size as u64;
        let has_room = n != 0 && len.wrapping_add(n) <= cap;
        has_room.then(|| write(p + len * size, n * size)).flatten()
    }
}

/// The bytes of a slice of elements.
#[inline(always)]
unsafe fn all_of(r: &Regs, s: u16, most: u64, elem: u64) -> (u64, u64) {
    // SAFETY: as in `appended`.
    unsafe {
        let [p, len] = r.get2(s);
        (p, len.min(most) * (*(elem as *const Rtype)).size as u64)
    }
}

/// The map in a slot.
#[inline(always)]
unsafe fn map(r: &Regs, m: u16, writes: bool) -> Touched {
    // SAFETY: exec::X2.
    let m = unsafe { r.get(m) };
    one((m != 0).then(|| Access::plain(m as usize, 8, writes)))
}

accesses! { |r, i|
    // A send must not meet a close: Go's detector takes them for a read and a write.
    Send => one(field(r, i.ch, 0).and_then(|c| read(c, 8)));
    Close => one(field(r, i.ch, 0).and_then(|c| write(c, 8)));
    LoadGlobal8u, LoadGlobal8s => one(read(i.at, 1));
    LoadGlobal16u, LoadGlobal16s => one(read(i.at, 2));
    LoadGlobal32u, LoadGlobal32s => one(read(i.at, 4));
    LoadGlobal64 => one(read(i.at, 8));
    LoadGlobal2 => one(read(i.at, 16));
    LoadGlobal3 => one(read(i.at, 24));
    LoadGlobalN => one(read(i.at, i.bytes as u64));
    StoreGlobal8 => one(write(i.at, 1));
    StoreGlobal16 => one(write(i.at, 2));
    StoreGlobal32 => one(write(i.at, 4));
    StoreGlobal64, StoreGlobalPtr => one(write(i.at, 8));
    StoreGlobalStr, StoreGlobalIface => one(write(i.at, 16));
    StoreGlobalSlice => one(write(i.at, 24));
    StoreGlobalTyped => one(write(i.at, halves(i.sl).0));
    Load8u, Load8s => one(field(r, i.ptr, i.off.into()).and_then(|p| read(p, 1)));
    Load16u, Load16s => one(field(r, i.ptr, i.off.into()).and_then(|p| read(p, 2)));
    Load32u, Load32s => one(field(r, i.ptr, i.off.into()).and_then(|p| read(p, 4)));
    Load64 => one(field(r, i.ptr, i.off.into()).and_then(|p| read(p, 8)));
    Load2 => one(field(r, i.ptr, i.off.into()).and_then(|p| read(p, 16)));
    Load3 => one(field(r, i.ptr, i.off.into()).and_then(|p| read(p, 24)));
    LoadN => one(field(r, i.ptr, i.off.into()).and_then(|p| read(p, i.bytes)));
    Store8 => one(field(r, i.ptr, i.off.into()).and_then(|p| write(p, 1)));
    Store16 => one(field(r, i.ptr, i.off.into()).and_then(|p| write(p, 2)));
    Store32 => one(field(r, i.ptr, i.off.into()).and_then(|p| write(p, 4)));
    Store64, StorePtr => one(field(r, i.ptr, i.off.into()).and_then(|p| write(p, 8)));
    StoreStr, StoreIface => one(field(r, i.ptr, i.off.into()).and_then(|p| write(p, 16)));
    StoreSlice => one(field(r, i.ptr, i.off.into()).and_then(|p| write(p, 24)));
    StoreTyped => {
        one(field(r, i.ptr, i.off.into()).and_then(|p| write(p, halves(i.sl).0)))
    };
    CopyTyped => [
        field(r, i.src, 0).and_then(|p| read(p, i.size)),
        field(r, i.dst, 0).and_then(|p| write(p, i.size)),
    ];
    AddToMem, SubFromMem, AddF64ToMem, SubF64FromMem => {
        one(field(r, i.ptr, i.off.into()).and_then(|p| write(p, 8)))
    };
    AddImmToMem => one(field(r, i.ptr, i.off.into()).and_then(|p| write(p, 8)));
    AddMem, AddF64Mem, SubF64Mem, MulF64Mem => {
        one(field(r, i.ptr, i.off).and_then(|p| read(p, 8)))
    };
    SliceIndex8u, SliceIndex8s => one(element(r, i.s, r.get(i.idx), 1).and_then(|p| read(p, 1)));
    SliceIndex16u, SliceIndex16s => {
        one(element(r, i.s, r.get(i.idx), 2).and_then(|p| read(p, 2)))
    };
    SliceIndex32u, SliceIndex32s => {
        one(element(r, i.s, r.get(i.idx), 4).and_then(|p| read(p, 4)))
    };
    SliceIndex64 => one(element(r, i.s, r.get(i.idx), 8).and_then(|p| read(p, 8)));
    SliceIndexTwice64 => twice(r, i.s, i.i, i.k, 8);
    SliceIndexTwice8u => twice(r, i.s, i.i, i.k, 1);
    SliceIndex2 => one(element(r, i.s, r.get(i.idx), 16).and_then(|p| read(p, 16)));
    SliceIndex3 => one(element(r, i.s, r.get(i.idx), 24).and_then(|p| read(p, 24)));
    SliceIndexN => {
        let (stride, off) = halves(i.so);
        one(element(r, i.s, r.get(i.idx), stride).and_then(|p| read(p + off, i.size)))
    };
    SliceField64 => {
        let (stride, off) = halves(i.so);
        one(element(r, i.s, r.get(i.idx), stride).and_then(|p| read(p + off, 8)))
    };
    SliceField2 => {
        let (stride, off) = halves(i.so);
        one(element(r, i.s, r.get(i.idx), stride).and_then(|p| read(p + off, 16)))
    };
    SliceIndexImm64 => one(element(r, i.s, i.i.into(), 8).and_then(|p| read(p, 8)));
    SliceSet8 => one(element(r, i.s, r.get(i.idx), 1).and_then(|p| write(p, 1)));
    SliceSet16 => one(element(r, i.s, r.get(i.idx), 2).and_then(|p| write(p, 2)));
    SliceSet32 => one(element(r, i.s, r.get(i.idx), 4).and_then(|p| write(p, 4)));
    SliceSet64, SliceSetPtr => one(element(r, i.s, r.get(i.idx), 8).and_then(|p| write(p, 8)));
    SliceSetStr, SliceSetIface => {
        one(element(r, i.s, r.get(i.idx), 16).and_then(|p| write(p, 16)))
    };
    SliceSetSlice => one(element(r, i.s, r.get(i.idx), 24).and_then(|p| write(p, 24)));
    SliceSetTyped => {
        let (size, _) = halves(i.sl);
        one(element(r, i.s, r.get(i.idx), size).and_then(|p| write(p, size)))
    };
    SliceSetImm64 => one(element(r, i.s, i.i.into(), 8).and_then(|p| write(p, 8)));
    AddToElem, SubFromElem, AddF64ToElem, SubF64FromElem => {
        one(element(r, i.s, r.get(i.idx), 8).and_then(|p| write(p, 8)))
    };
    AddImmToElem => one(element(r, i.s, r.get(i.idx), 8).and_then(|p| write(p, 8)));
    AddElem, AddF64Elem, MulF64Elem => {
        one(element(r, i.s, r.get(i.idx as u16), 8).and_then(|p| read(p, 8)))
    };
    ArrayIndex8u, ArrayIndex8s => {
        one(item(r, i.ptr, r.get(i.idx), i.len, 1).and_then(|p| read(p, 1)))
    };
    ArrayIndex16u, ArrayIndex16s => {
        one(item(r, i.ptr, r.get(i.idx), i.len, 2).and_then(|p| read(p, 2)))
    };
    ArrayIndex32u, ArrayIndex32s => {
        one(item(r, i.ptr, r.get(i.idx), i.len, 4).and_then(|p| read(p, 4)))
    };
    ArrayIndex64 => one(item(r, i.ptr, r.get(i.idx), i.len, 8).and_then(|p| read(p, 8)));
    ArrayIndexN => {
        let ((len, stride), (off, size)) = (halves(i.ls), halves(i.os));
        one(item(r, i.ptr, r.get(i.idx), len, stride).and_then(|p| read(p + off, size)))
    };
    ArraySet8 => one(item(r, i.ptr, r.get(i.idx), i.len, 1).and_then(|p| write(p, 1)));
    ArraySet16 => one(item(r, i.ptr, r.get(i.idx), i.len, 2).and_then(|p| write(p, 2)));
    ArraySet32 => one(item(r, i.ptr, r.get(i.idx), i.len, 4).and_then(|p| write(p, 4)));
    ArraySet64, ArraySetPtr => {
        one(item(r, i.ptr, r.get(i.idx), i.len, 8).and_then(|p| write(p, 8)))
    };
    ArraySetTyped => {
        let (size, _) = halves(i.sl);
        one(item(r, i.ptr, r.get(i.idx), i.len, size).and_then(|p| write(p, size)))
    };
    Push8, Push16, Push32, Push64, PushPtr, PushStr, PushSlice, PushIface, PushTyped => {
        one(appended(r, i.s, 1, i.elem))
    };
    AppendSlice => {
        let (p, bytes) = all_of(r, i.t, u64::MAX, i.elem);
        [read(p, bytes), appended(r, i.s, r.get(i.t + 1), i.elem)]
    };
    CopySlice => {
        let n = r.get(i.s + 1).min(r.get(i.d + 1));
        let ((from, bytes), (to, _)) = (all_of(r, i.s, n, i.elem), all_of(r, i.d, n, i.elem));
        [read(from, bytes), write(to, bytes)]
    };
    CopyString => one(write(r.get(i.d), r.get(i.s + 1).min(r.get(i.d + 1))));
    AppendString => {
        let [p, len, cap] = r.get3(i.s);
        let n = r.get(i.t + 1);
        one((n != 0 && len + n <= cap).then(|| write(p + len, n)).flatten())
    };
    ClearSlice => {
        let (p, bytes) = all_of(r, i.s, u64::MAX, i.elem);
        one(write(p, bytes))
    };
    StrOfBytes => one(read(r.get(i.s), r.get(i.s + 1)));
    MapGet, MapGetOk => map(r, i.m, false);
    MapGet32, MapGetOk32, MapGet64, MapGetOk64 => map(r, i.m, false);
    MapGetStr, MapGetOkStr => map(r, i.m, false);
    MapSet, MapSet32, MapSet64, MapSetStr => map(r, i.m, true);
    MapAddr, MapAddr32, MapAddr64, MapAddrStr => map(r, i.m, true);
    MapDelete, MapDelete32, MapDelete64, MapDeleteStr => map(r, i.m, true);
    MapFind => map(r, i.m, false);
    MapLen => map(r, i.m, false);
    MapClear => map(r, i.m, true);
    MapIter => map(r, i.m, false);
}

/// The element of an element: `s[i][k]`.
#[inline(always)]
unsafe fn twice(r: &Regs, s: u16, i: u16, k: u64, size: u64) -> Touched {
    // SAFETY: exec::X2; elements of the outer slice are slices.
    unsafe {
        let Some(outer) = element(r, s, r.get(i), 24) else {
            return [None, None];
        };
        let [p, len] = *(outer as *const [u64; 2]);
        let k = r.get(k as u16);
        let inner = (k < len).then(|| p.wrapping_add(k.wrapping_mul(size)));
        [read(outer, 24), inner.and_then(|p| read(p, size))]
    }
}
