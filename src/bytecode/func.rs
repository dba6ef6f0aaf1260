#![allow(unsafe_code)]
//! Compiled functions: the function table, the table of code ranges, and what is known of each function.
//!
//! Code names a function by its index in the function table, an append-only array of [`FuncEntry`] at a fixed address; the entry
//! is loaded at each call. A pc leads to its function by binary search in the table of ranges.
//!
//! # Invariants
//!
//! - F1. A [`FuncInfo`] is leaked: once published it lives, unchanged, as long as the process.
//! - F2. The table of ranges is ordered by address: code is appended under [`LINK`], in order.
//! - F3. An entry of the function table is written whole before its index is given out; later changes replace `entry` and `info`
//!   separately, and readers need only one of them.
//!
//! Go: runtime/symtab.go, internal/abi/symtab.go.

use super::arena::{CODE, FUNCS, RANGES};
use super::liveness::{self, LiveMaps};
use super::op::{Insn, Op};
use crate::source::Pos;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

/// What a word of a frame or of memory can hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Word {
    Scalar,
    /// A pointer (or 0).
    Pointer,
    /// The data word of an interface: a pointer or a scalar.
    Maybe,
}

/// One entry of the function table. `vm` reads it by address: `table_base + 16 * index`.
#[repr(C)]
pub struct FuncEntry {
    /// Address of the first instruction.
    pub entry: AtomicUsize,
    pub info: AtomicPtr<FuncInfo>,
}

/// Made by the compiler: invisible to tracebacks, `runtime.Callers` and the frame rule of `recover`.
pub const WRAPPER: u32 = 1;
/// A stub of the machine: goroutine exit, native return, deferred call return.
pub const STUB: u32 = 2;
/// May defer: the VM looks for records of its frame when it returns or panics.
pub const HAS_DEFER: u32 = 4;
/// Belongs to the standard library.
pub const STD: u32 = 8;
/// A function literal or a thunk: reads its closure word.
pub const CLOSURE: u32 = 16;
/// Makes numbers of pointers: all its pointers count as live throughout.
pub const KEEPS_ALL: u32 = 32;

/// One compiled function.
#[derive(Debug, Default)]
pub struct FuncInfo {
    /// As Go prints it: `main.f`, `main.(*T).M`, `main.f.func1`, `main.f[...]`.
    pub name: String,
    /// Import path of its package.
    pub pkg: String,
    pub flags: u32,
    /// Index in the function table.
    pub index: u32,
    /// Addresses of its first instruction and of the end of its code.
    pub start: usize,
    pub end: usize,
    /// Slots of results, which come first, then of parameters (receiver first).
    pub n_results: u16,
    pub n_params: u16,
    /// The closure word's slot: `n_results + n_params`; every function has room for it.
    pub closure_slot: u16,
    /// Kinds of slots 0.. ; what is beyond its end is scalar (or outgoing window).
    pub slots: Vec<Word>,
    /// Slots of results, parameters, closure word and locals: where the header of an outgoing window begins at the earliest.
    pub frame: u32,
    /// `frame`, the largest outgoing window and its header: what `Enter` tests.
    pub frame_max: u32,
    /// Slots zeroed by `Enter`: first and number.
    pub zeroed: (u16, u16),
    /// Offset in words of the code a recovered frame goes on at; 0: none.
    pub defer_return: u32,
    pub pos_table: PosTable,
    /// Instructions whose indices are unsigned numbers of 64 bits: offsets in words, and a bit for each index (of `x[lo:hi:max]`, in that
    /// order).
    pub unsigned: Vec<(u32, u8)>,
    /// Calls compiled in place, and for each offset 0 or the number (from 1) of the one it belongs to.
    pub inlined: Vec<Inlined>,
    pub inline_table: PosTable,
    /// Where it is declared.
    pub pos: Pos,
    /// Which pointers are live where; computed when the collector first asks ([`FuncInfo::live_at`]).
    pub live: OnceLock<Option<Box<LiveMaps>>>,
    /// Arguments as tracebacks print them are not kept; parameters' types in Go text for `disasm`.
    pub signature: String,
}

/// A call that was compiled in place.
///
/// At `mark`, behind the code proper, lies a word that is never executed: it has the position of the call, and belongs to what the
/// call is part of. So its address stands for the caller's frame, which is how `runtime.Callers` can give it out.
///
/// Go: internal/abi, cmd/internal/obj (InlTree); runtime/symtabinl.go.
#[derive(Debug)]
pub struct Inlined {
    /// Of the function called.
    pub name: &'static str,
    pub has_params: bool,
    /// Offset in words.
    pub mark: u32,
}

/// A frame as the program sees it: there is one for each call compiled in place, too.
#[derive(Clone, Copy, Debug)]
pub struct Logical<'a> {
    pub name: &'a str,
    pub has_params: bool,
    /// The address whose position is where the frame stands.
    pub pc: usize,
    /// It has no frame of its own on the stack.
    pub is_inlined: bool,
}

impl FuncInfo {
    /// The frames that a stop at the instruction at `pc` means, the innermost first; the last is the function's own.
    pub fn logical(&self, pc: usize) -> impl Iterator<Item = Logical<'_>> {
        let mut next = Some(pc);
        std::iter::from_fn(move || {
            let pc = next?;
            let site = match self.inlined.len() {
                0 => 0,
                _ => self.inline_table.at(((pc - self.start) / 8) as u32).0,
            };
            let inner = self.inlined.get((site as usize).wrapping_sub(1));
            next = inner.map(|i| self.start + 8 * i.mark as usize);
            Some(Logical {
                name: inner.map_or(&self.name, |i| i.name),
                has_params: inner.map_or(self.n_params != 0, |i| i.has_params),
                pc,
                is_inlined: inner.is_some(),
            })
        })
    }

    /// The position of the instruction at address `pc`.
    pub fn pos_at(&self, pc: usize) -> Pos {
        self.pos_table.at(((pc - self.start) / 8) as u32)
    }
    /// Whether index `n` of the instruction at address `pc` is an unsigned number of 64 bits.
    pub fn is_unsigned(&self, pc: usize, n: u32) -> bool {
        let offset = ((pc - self.start) / 8) as u32;
        self.unsigned
            .iter()
            .any(|(at, which)| *at == offset && which & 1 << n != 0)
    }
    /// The slots with pointers that are live at address `pc`, an instruction; `None` where all count as live.
    ///
    /// Context: no goroutine's stack (the first call computes, others wait for it).
    pub fn live_at(&self, pc: usize) -> Option<&[u16]> {
        let maps = self.live.get_or_init(|| {
            if self.flags & KEEPS_ALL != 0 {
                return None;
            }
            let maps = liveness::compute(self.code(), self);
            maps.map(Box::new)
        });
        maps.as_ref()?.at(((pc - self.start) / 8) as u32)
    }
    /// Its code.
    pub fn code(&self) -> &'static [u64] {
        // SAFETY: F1 — [start, end) is a piece of the code arena, written before the function was published.
        unsafe { std::slice::from_raw_parts(self.start as *const u64, (self.end - self.start) / 8) }
    }
    pub fn is_wrapper(&self) -> bool {
        self.flags & WRAPPER != 0
    }
    pub fn is_stub(&self) -> bool {
        self.flags & STUB != 0
    }
}

/// Offsets of instructions to positions, delta-coded.
#[derive(Debug, Default)]
pub struct PosTable {
    bytes: Vec<u8>,
}

impl PosTable {
    /// From `(offset in words, position)`, offsets ascending.
    pub fn new(entries: impl IntoIterator<Item = (u32, Pos)>) -> PosTable {
        let mut bytes = Vec::new();
        let (mut last_off, mut last_pos) = (0, 0i64);
        for (off, pos) in entries {
            if i64::from(pos.0) == last_pos && !bytes.is_empty() {
                continue;
            }
            put_varint(&mut bytes, u64::from(off - last_off));
            let d = i64::from(pos.0) - last_pos;
            put_varint(&mut bytes, ((d << 1) ^ (d >> 63)) as u64);
            (last_off, last_pos) = (off, i64::from(pos.0));
        }
        PosTable { bytes }
    }

    /// The position that holds at word `off`.
    pub fn at(&self, off: u32) -> Pos {
        let (mut i, mut at, mut pos) = (0, 0u64, 0i64);
        while i < self.bytes.len() {
            at += get_varint(&self.bytes, &mut i);
            if at > u64::from(off) {
                break;
            }
            let d = get_varint(&self.bytes, &mut i);
            pos += (d >> 1) as i64 ^ -((d & 1) as i64);
        }
        Pos(pos as u32)
    }
}

fn put_varint(to: &mut Vec<u8>, mut v: u64) {
    while v >= 0x80 {
        to.push(v as u8 | 0x80);
        v >>= 7;
    }
    to.push(v as u8);
}

fn get_varint(from: &[u8], i: &mut usize) -> u64 {
    let (mut v, mut shift) = (0, 0);
    while let Some(&b) = from.get(*i) {
        *i += 1;
        v |= u64::from(b & 0x7f) << shift;
        if b < 0x80 {
            break;
        }
        shift += 7;
    }
    v
}

/// Held while code is appended.
static LINK: Mutex<()> = Mutex::new(());

/// Address of the function table; entry i lies at `table() + 16 * i`.
pub fn table() -> usize {
    FUNCS.base()
}

/// How many functions there are.
pub fn count() -> u32 {
    (FUNCS.len() / size_of::<FuncEntry>()) as u32
}

/// The entry of function `index`.
///
/// # Panics
/// When there is no such function.
pub fn entry(index: u32) -> &'static FuncEntry {
    assert!(index < count());
    // SAFETY: the table is mapped for ever and `index` is inside; zeroed entries are valid.
    unsafe { &*((table() + index as usize * size_of::<FuncEntry>()) as *const FuncEntry) }
}

/// Takes the next index. Its entry is empty until [`publish`].
pub fn reserve() -> u32 {
    let Some(at) = FUNCS.alloc(size_of::<FuncEntry>(), 16) else {
        eprintln!("fatal error: too many functions");
        std::process::exit(2);
    };
    ((at - table()) / size_of::<FuncEntry>()) as u32
}

/// What is known of function `index`; `None` while it is not published.
pub fn info(index: u32) -> Option<&'static FuncInfo> {
    // SAFETY: F1.
    unsafe { entry(index).info.load(Ordering::Acquire).as_ref() }
}

/// One line of the table of ranges.
#[repr(C)]
struct Range {
    start: AtomicUsize,
    info: AtomicPtr<FuncInfo>,
}

/// Appends `code` to the code arena and makes it function `index`. `info.start` and `info.end` are set here.
pub fn publish(index: u32, code: &[u64], mut info: FuncInfo) -> &'static FuncInfo {
    let guard = LINK.lock().unwrap_or_else(|e| e.into_inner());
    let (Some(start), Some(at)) = (CODE.put_words(code), RANGES.alloc(size_of::<Range>(), 16))
    else {
        eprintln!("fatal error: program too large");
        std::process::exit(2);
    };
    info.index = index;
    info.start = start;
    info.end = start + code.len() * 8;
    let info: &'static mut FuncInfo = Box::leak(Box::new(info));
    // SAFETY: the piece was given out to us just now; the fields are atomic, so a reader that already sees the grown
    // length at worst reads the zeros the arena was born with (see `find`).
    let range = unsafe { &*(at as *const Range) };
    range.info.store(info, Ordering::Relaxed);
    range.start.store(start, Ordering::Release);
    let e = entry(index);
    e.info.store(info, Ordering::Release);
    e.entry.store(start, Ordering::Release);
    drop(guard);
    info
}

/// The function whose code holds address `pc` (a return address one past a final call belongs to the caller of that call: ask for
/// `pc - 1`).
pub fn find(pc: usize) -> Option<&'static FuncInfo> {
    if pc.wrapping_sub(CODE.base()) >= CODE.len() {
        return None;
    }
    let n = RANGES.len() / size_of::<Range>();
    // SAFETY: N1, N2 of the arena: n lines have been given out; atomics may be shared. A line being written has start 0.
    let ranges = unsafe { std::slice::from_raw_parts(RANGES.base() as *const Range, n) };
    let mut n = n;
    while n > 0 && ranges[n - 1].start.load(Ordering::Acquire) == 0 {
        n -= 1;
    }
    let i = ranges[..n].partition_point(|r| r.start.load(Ordering::Acquire) <= pc);
    // SAFETY: F1.
    let info = unsafe {
        ranges[i.checked_sub(1)?]
            .info
            .load(Ordering::Relaxed)
            .as_ref()?
    };
    (pc < info.end).then_some(info)
}

/// Makes a stub: a function of the single instruction `op`, named `name`. Returns the address of the instruction.
pub fn make_stub(name: &str, op: Op) -> usize {
    let insn = Insn {
        op: op as u16,
        a: 0,
        b: 0,
        c: 0,
    };
    let info = FuncInfo {
        name: name.to_string(),
        pkg: "runtime".to_string(),
        flags: STUB | WRAPPER,
        ..FuncInfo::default()
    };
    // Two words: a return address is looked up as `pc - 1`, which must not fall into the function before.
    publish(
        reserve(),
        &[
            Insn {
                op: Op::Nop as u16,
                ..insn
            }
            .to_word(),
            insn.to_word(),
        ],
        info,
    )
    .start
        + 8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_found() {
        let t = PosTable::new([(0, Pos(100)), (3, Pos(90)), (4, Pos(90)), (900, Pos(70000))]);
        assert_eq!(t.at(0), Pos(100));
        assert_eq!(t.at(2), Pos(100));
        assert_eq!(t.at(3), Pos(90));
        assert_eq!(t.at(899), Pos(90));
        assert_eq!(t.at(5000), Pos(70000));
    }

    #[test]
    fn published_functions_are_found_by_pc() {
        let i = reserve();
        let f = publish(
            i,
            &[1, 2, 3],
            FuncInfo {
                name: "main.f".into(),
                ..FuncInfo::default()
            },
        );
        assert_eq!(find(f.start).unwrap().index, i);
        assert_eq!(find(f.end - 1).unwrap().index, i);
        assert!(find(f.start - CODE.base() + 1).is_none());
        assert_eq!(info(i).unwrap().name, "main.f");
    }
}
