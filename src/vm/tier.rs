#![allow(unsafe_code)]
//! The native tier: code of the machine for functions that run hot.
//!
//! Native code works on the same frames as the interpreter. At the boundary of an instruction all
//! slots can be had in memory, and return addresses are pcs of bytecode: so stacks that move, maps
//! of pointers, defers, panics, tracebacks and preemption know nothing of it. What native code does
//! not do itself it leaves to the handler of the instruction.
//!
//! Which code runs is decided by the dispatch table. By the *cold* one the interpreter works as
//! ever, and counts: how often a function is entered, and how often a loop goes round; what is hot
//! is compiled at once, on the spot. By the *hot* one, with which native code calls a handler and a
//! function returns, each instruction first looks for native code to go on with. Controlled,
//! recorded and watched runs have tables of their own: they know no native code.
//!
//! [`compile`] makes the code, [`templates`] says what it does for each instruction, [`plan`] which
//! slots are kept in registers, [`asm`] how the machine's instructions are written, [`memory`]
//! where code lies.
//!
//! # Invariants
//!
//! - J1. Native code is entered with an instruction's address, its frame and G in the registers of
//!   handlers, where its entry says; exec::X1 to exec::X4 hold as for handlers.
//!
//! Go: none; compare runtime/asm_amd64.s.

mod asm;
mod compile;
mod listing;
mod memory;
mod plan;
mod templates;

use super::exec::{HANDLERS, Handler, HandlerFn, TABLE};
use super::frame::Walk;
use bytecode::func::{self, Change, FuncInfo};
use bytecode::op::Op;
use compile::{Common, Made, Source, World};
use gosched_runtime::coro;
use gosched_runtime::g::{G, Status};
use gosched_runtime::gc;
use gosched_runtime::knobs;
use gosched_runtime::sched::Gref;
pub use listing::listing;
use memory::{FIRST, Piece};
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

/// So often a function is entered, and goes round in a loop, before it is compiled.
const ENTERED: u32 = 30;
const LOOPED: u32 = 300;
/// The counter of what is not compiled; more than is counted to.
const REFUSED: u32 = FIRST - 1;

/// The longest function that is compiled, in words: compiling it takes some 9 ms, and a stop of the
/// world waits for that.
const MOST_WORDS: usize = 1 << 13;

/// Code of functions that have been replaced is given back once it takes so many bytes, and half of
/// all.
const LEAST_STALE: usize = 64 << 10;
/// All code is given back when it takes more.
const MOST_USED: usize = memory::BYTES / 4 * 3;

static IS_ON: AtomicBool = AtomicBool::new(false);
/// [`ENTERED`] and [`LOOPED`], unless a test asks for all.
static ENTRY_LIMIT: AtomicU32 = AtomicU32::new(ENTERED);
static LOOP_LIMIT: AtomicU32 = AtomicU32::new(LOOPED);
/// The code that all functions share, once it is there.
static COMMON: OnceLock<Common> = OnceLock::new();
/// Bytes of that.
static SHARED: AtomicUsize = AtomicUsize::new(0);
/// Bytes of code of functions that have been replaced.
static STALE: AtomicUsize = AtomicUsize::new(0);
/// Held while code is made.
static MAKING: Mutex<()> = Mutex::new(());

/// The table of the interpreter, which counts.
static COLD: [Handler; Op::COUNT] = cold(HANDLERS);
/// The table by which each instruction looks for native code.
static HOT: [Handler; Op::COUNT] = [Handler(back); Op::COUNT];

const fn cold(mut table: [Handler; Op::COUNT]) -> [Handler; Op::COUNT] {
    table[Op::Enter as usize] = Handler(entered);
    let mut i = 0;
    while i < Op::COUNT {
        if Op::numbered(i).is_turn() {
            table[i] = Handler(looped);
        }
        i += 1;
    }
    table[Op::Ret as usize] = Handler(returns);
    table[Op::RetMov as usize] = Handler(returns);
    table[Op::RetImm as usize] = Handler(returns);
    table
}

/// Gets ready, if there may be native code: `GOSCHED_NATIVE=off` says no, `always` that all is
/// compiled that is run.
pub(super) fn prepare() {
    let asked = std::env::var("GOSCHED_NATIVE");
    match asked.as_deref() {
        Ok("off") => return,
        Ok("always") => {
            ENTRY_LIMIT.store(0, Ordering::Relaxed);
            LOOP_LIMIT.store(0, Ordering::Relaxed);
        }
        _ => {}
    }
    if memory::begin() && begin() {
        IS_ON.store(true, Ordering::Relaxed);
    }
}

/// Makes the code that is there from the beginning.
fn begin() -> bool {
    let (mut made, common) = compile::common(world());
    let Some((start, _)) = memory::put(&mut made) else {
        return false;
    };
    if COMMON.set(common.at(start)).is_ok() {
        SHARED.store(memory::used(), Ordering::Relaxed);
        func::listen(changed);
        changed(Change::New(0..func::count()));
    }
    true
}

/// The dispatch table of runs that are not watched.
#[inline]
pub(super) fn table() -> *const Handler {
    match IS_ON.load(Ordering::Relaxed) {
        true => COLD.as_ptr(),
        false => TABLE.as_ptr(),
    }
}

/// The handler of the first instruction of a goroutine that runs by that table, if it is the
/// tier's.
#[inline]
pub(super) fn resumed(table: *const Handler) -> Option<&'static Handler> {
    std::ptr::eq(table, COLD.as_ptr()).then_some(&HOT[0])
}

/// Native code at that address.
#[inline(always)]
unsafe fn native(at: u32) -> HandlerFn {
    // SAFETY: J1 — the address came from an entry.
    unsafe { std::mem::transmute::<usize, HandlerFn>(at as usize) }
}

/// Goes on by native code if there is any for the instruction, else by the interpreter.
unsafe extern "sysv64" fn back(
    pc: *const u64,
    fp: *mut u64,
    g: *mut G,
    table: *const Handler,
) -> u64 {
    // SAFETY: exec::X1 to X4; J1.
    unsafe {
        let n = memory::entry(pc).load(Ordering::Acquire);
        if n >= FIRST {
            return native(n)(pc, fp, g, table);
        }
        (COLD[*pc.cast::<u16>() as usize].0)(pc, fp, g, COLD.as_ptr())
    }
}

/// A return: there may be native code where it goes.
unsafe extern "sysv64" fn returns(
    pc: *const u64,
    fp: *mut u64,
    g: *mut G,
    _: *const Handler,
) -> u64 {
    // SAFETY: exec::X1 to X4.
    unsafe { (TABLE[*pc.cast::<u16>() as usize].0)(pc, fp, g, HOT.as_ptr()) }
}

macro_rules! counting {
    ($($(#[$doc:meta])* $name:ident: $limit:ident, $then:ident;)*) => { $(
        $(#[$doc])*
        unsafe extern "sysv64" fn $name(
            pc: *const u64,
            fp: *mut u64,
            g: *mut G,
            table: *const Handler,
        ) -> u64 {
            // SAFETY: exec::X1 to X4; J1.
            unsafe {
                let entry = memory::entry(pc);
                let n = entry.load(Ordering::Acquire);
                if n >= FIRST {
                    return native(n)(pc, fp, g, table);
                }
                if n == $limit.load(Ordering::Relaxed) && is_compiled(pc, g) {
                    return back(pc, fp, g, table);
                }
                if n != REFUSED {
                    // Little is lost if two threads count one, or the address that another has
                    // just put there is overwritten: it is counted, and compiled, again.
                    entry.store(n + 1, Ordering::Relaxed);
                }
                ($then[*pc.cast::<u16>() as usize].0)(pc, fp, g, table)
            }
        }
    )* };
}
counting! {
    /// A function is entered.
    entered: ENTRY_LIMIT, TABLE;
    /// A loop goes round.
    looped: LOOP_LIMIT, TABLE;
    /// Native code has called a function that has none. It need not begin with a prologue.
    called: ENTRY_LIMIT, COLD;
}

/// Compiles the function of the instruction at `pc`. False: it cannot be.
#[cold]
#[inline(never)]
unsafe fn is_compiled(pc: *const u64, g: *mut G) -> bool {
    // SAFETY: exec::X3.
    let m = unsafe { &mut *(*g).m };
    let is_made = coro::on_g0(m, |_| make(pc as usize));
    if !is_made {
        // SAFETY: exec::X1.
        unsafe { memory::entry(pc) }.store(REFUSED, Ordering::Relaxed);
    }
    is_made
}

/// What native code knows of the machine.
fn world() -> World {
    World {
        handlers: TABLE.as_ptr() as usize,
        hot: HOT.as_ptr() as usize,
        cold: COLD.as_ptr() as usize,
        called: called as *const () as usize,
        funcs: func::table(),
        marking: gc::marking_flag() as usize,
        common: COMMON.get().copied().unwrap_or_default(),
    }
}

fn source_of(info: &FuncInfo) -> Source<'static> {
    Source {
        code: info.code(),
        at: info.start,
        results: info.n_results,
        inputs: info.closure_slot.saturating_add(1),
        defer_return: info.defer_return,
        #[cfg(test)]
        forced: None,
    }
}

/// Makes the code of the function of `pc`, which then has an entry.
fn make(pc: usize) -> bool {
    let Some(info) = func::find(pc) else {
        return false;
    };
    let _making = MAKING.lock().unwrap_or_else(|e| e.into_inner());
    // SAFETY: `pc` is an instruction's.
    let entry = |pc: usize| unsafe { memory::entry(pc as *const u64) };
    if entry(pc).load(Ordering::Relaxed) >= FIRST {
        return true;
    }
    if info.code().len() > MOST_WORDS {
        return false;
    }
    let source = source_of(info);
    let begin = Instant::now();
    let mut made = compile::compile(source, world());
    let Some((start, end)) = memory::put(&mut made) else {
        return false;
    };
    if knobs::traces_native() {
        trace(info, &made, begin.elapsed());
    }
    if knobs::maps_native() {
        list(info, start..end);
    }
    let piece = Piece {
        start,
        end,
        pc: info.start,
        places: made.places.into(),
        faults: made.faults.into(),
    };
    if !memory::list(piece) {
        return false;
    }
    for (at, code) in made.entries {
        let code = (start + code as usize) as u32;
        entry(info.start + 8 * at as usize).store(code, Ordering::Release);
    }
    let first = entry(info.start).load(Ordering::Relaxed);
    if first >= FIRST && func::entry(info.index).entry.load(Ordering::Relaxed) == info.start {
        memory::set_call(info.index, first as usize);
    }
    entry(pc).load(Ordering::Relaxed) >= FIRST
}

/// Functions are new, or have another body: calls of them look for it.
fn changed(change: Change) {
    let _making = MAKING.lock().unwrap_or_else(|e| e.into_inner());
    let Some(common) = COMMON.get() else { return };
    match change {
        Change::New(all) => all.for_each(|f| memory::set_call(f, common.uncompiled)),
        Change::Replaced { index, body } => {
            memory::set_call(index, common.uncompiled);
            let first = if body == 0 {
                0
            } else {
                // SAFETY: a body begins with an instruction.
                unsafe { memory::entry(body as *const u64) }.load(Ordering::Relaxed)
            };
            let size = memory::piece(first as usize, |p| p.end - p.start);
            STALE.fetch_add(size.unwrap_or(0), Ordering::Relaxed);
        }
    }
}

/// Is there so much code of functions that have been replaced, or of any, that all is to be given
/// back? What is hot after that is compiled again.
pub(super) fn is_full() -> bool {
    let stale = STALE.load(Ordering::Relaxed);
    let used = memory::used();
    let is_much = stale > LEAST_STALE.max(used / 2) || used > MOST_USED;
    is_much && memory::can_forget()
}

/// Gives all native code back that is not shared.
///
/// # Safety
///
/// The world is stopped, `gs` are all goroutines, and [`is_full`] says so.
pub(super) unsafe fn give_back(gs: &[Gref]) {
    let Some(common) = COMMON.get() else { return };
    let _making = MAKING.lock().unwrap_or_else(|e| e.into_inner());
    for Gref(g) in gs {
        // SAFETY: the caller's.
        unsafe {
            if !matches!((**g).status(), Status::Idle | Status::Dead) {
                // It is the header's upper half that says where in native code a call returns to.
                Walk::new(*g).for_each(|f| ((f.fp - 12) as *mut u32).write(0));
            }
        }
    }
    (0..func::count()).for_each(|f| memory::set_call(f, common.uncompiled));
    let used = memory::used();
    // SAFETY: the caller's; frames know of no native code now.
    unsafe { memory::forget(SHARED.load(Ordering::Relaxed)) };
    if knobs::traces_native() {
        eprintln!("native: {} bytes given back", used - memory::used());
    }
    STALE.store(0, Ordering::Relaxed);
}

/// Writes the line of `GODEBUG=nativetrace=1`.
#[cold]
fn trace(info: &FuncInfo, made: &Made, took: Duration) {
    let mut left = std::collections::BTreeMap::<Op, usize>::new();
    made.left
        .iter()
        .for_each(|op| *left.entry(*op).or_default() += 1);
    let left = left.iter().map(|(op, n)| format!(" {}:{n}", op.name()));
    eprintln!(
        "native {} words={} bytes={} us={} regions={} left:{}",
        info.name,
        info.code().len(),
        made.code.len(),
        took.as_micros(),
        made.regions,
        left.collect::<String>()
    );
}

/// Adds code to the list that `perf` reads, by `GODEBUG=perfmap=1`. Without the list `perf` knows
/// no names; the program runs all the same.
#[cold]
fn list(info: &FuncInfo, code: std::ops::Range<usize>) {
    let path = format!("/tmp/perf-{}.map", std::process::id());
    let file = std::fs::OpenOptions::new()
        .append(true)
        .create(true)
        .open(path);
    let line = format!("{:x} {:x} {}\n", code.start, code.len(), info.name);
    let _ = file.and_then(|mut f| f.write_all(line.as_bytes()));
}

/// Where a fault of the machine's instruction at `at` goes on, if it is one of native code.
///
/// Context: any, a signal handler too.
pub(super) fn after_fault(at: usize) -> Option<usize> {
    memory::piece(at, |p| p.after_fault(at))?
}

/// The pc of the instruction whose native code is at `at`.
///
/// Context: any, a signal handler too.
pub(super) fn pc_at(at: usize) -> Option<usize> {
    memory::piece(at, |p| p.pc_at(at))
}

/// Runs code that stands anywhere natively, by registers in `g.sched`: instructions that it leaves
/// go on by their handlers. Of its slots those are kept that `seed` says.
///
/// # Safety
///
/// As [`exec::run`](super::exec).
#[cfg(test)]
pub(super) unsafe fn run_alone(code: &[u64], seed: Option<u64>, g: *mut G) -> u64 {
    assert!(memory::begin());
    let plain = TABLE.as_ptr() as usize;
    let world = World {
        hot: plain,
        cold: plain,
        ..world()
    };
    static PLAIN: OnceLock<Common> = OnceLock::new();
    let common = PLAIN.get_or_init(|| {
        let (mut made, common) = compile::common(world);
        common.at(memory::put(&mut made).unwrap().0)
    });
    let world = World {
        common: *common,
        ..world
    };
    let source = Source {
        code,
        at: code.as_ptr() as usize,
        results: 0,
        inputs: u16::MAX,
        defer_return: 0,
        forced: seed,
    };
    let mut made = compile::compile(source, world);
    let (start, _) = memory::put(&mut made).unwrap();
    let entry = made.entries.iter().find(|e| e.0 == 0).unwrap().1;
    // SAFETY: the caller's; J1.
    unsafe {
        let (pc, fp) = ((*g).sched.pc as *const u64, (*g).sched.fp as *mut u64);
        let f = native(start as u32 + entry);
        super::trap::call(f, pc, fp, g, plain as *const Handler)
    }
}
