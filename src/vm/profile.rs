#![allow(unsafe_code)]
//! Stacks for profiles: of goroutines that stand still, and of one that a signal has interrupted.
//!
//! A stack is what `runtime.Callers` would give, and besides: natives, under their Go names, and
//! the functions of Go's runtime that wait. Each has an address of its own in a stub.
//!
//! A sample is raw, for it is taken by a signal handler: of each frame an address inside its
//! instruction, of eight bytes, whose lowest bit says of the first that its native is at work.
//! Where the registers of the machine are then depends on who runs:
//!
//! - a handler of the dispatcher, which keeps no native frame: in the first two argument registers,
//!   unless the handler has other use for them;
//! - a native: in `g.sched`;
//! - what a handler has called: in `g.sched`, if it was saved before, as the handler's own copy of
//!   the pc tells; else somewhere in the native frame.
//!
//! # Invariants
//!
//! - I1. The goroutine does not run, or is the one that asks and has saved its registers.
//! - I2. A sample is taken on the thread of the goroutine, which stands still; its stack is mapped.
//!
//! Go: runtime/mprof.go, saveg, callers; runtime/proc.go, sigprof.

use super::frame::{self, Frame, Walk, stubs};
use super::native::InTraceback;
use super::native::table::Placed;
use super::synthetic::{self, Synthetic};
use super::traceback::{called, panic_frames};
use bytecode::func;
use gosched_runtime::g::G;
use gosched_runtime::prof::cpu;
use gosched_runtime::signal::Context;
use gosched_runtime::{Stack, Status, WaitReason, coro};

/// In a raw frame: its native is at work.
const IN_NATIVE: usize = 1;

/// The frames of `g`, the innermost first: addresses behind calls, `max` at most.
///
/// # Safety
/// I1.
pub(super) unsafe fn stack(g: &G, which: Stack, max: usize) -> Vec<usize> {
    let first = match (which, g.status()) {
        (Stack::Whole, Status::Waiting) => waiting(g.wait_reason(), true),
        (Stack::Waiting, _) => waiting(g.wait_reason(), false),
        _ => Vec::new(),
    };
    // SAFETY: I1.
    let frames = unsafe { Walk::new(g) }.enumerate().flat_map(|(k, f)| {
        let native = called(&f).filter(|n| {
            let is_named = which == Stack::Whole || is_exported(n);
            is_named && n.entry.traits.in_traceback == InTraceback::Shown
        });
        // Further out it is a native that has called back.
        let native = native.filter(|_| k == 0 || f.pc != stubs().native);
        let own = native.map(|n| n.stub()).into_iter().collect::<Vec<_>>();
        own.into_iter().chain(logical(g, &f))
    });
    first
        .into_iter()
        .map(synthetic::at)
        .chain(frames)
        .chain(last(g))
        .map(|pc| pc + 1)
        .take(max)
        .collect()
}

/// What `f` and the calls compiled in place there do; what Go's runtime has in place of the pseudo
/// frame of a panic.
fn logical(g: &G, f: &Frame) -> Vec<usize> {
    if f.pc == stubs().defer {
        return panic_frames(g, f);
    }
    match f.info {
        Some(i) if !i.is_wrapper() && !i.is_stub() => {
            i.logical(f.at()).map(|l| l.pc & !7).collect()
        }
        _ => Vec::new(),
    }
}

/// The outermost frames, which Go's runtime has there.
fn last(g: &G) -> impl Iterator<Item = usize> + use<> {
    let main = g.is_main().then(|| synthetic::at(Synthetic::Main));
    main.into_iter()
        .chain([synthetic::at(Synthetic::GoexitStub)])
}

fn is_exported(native: &Placed) -> bool {
    let name = native.entry.name.rsplit(['.', '/']).next();
    name.is_some_and(|n| n.starts_with(|c: char| c.is_uppercase()))
}

/// The functions of Go's runtime that a goroutine is in which waits for `reason`; with `parked`
/// those, too, that let it wait.
fn waiting(reason: WaitReason, parked: bool) -> Vec<Synthetic> {
    use Synthetic::*;
    use WaitReason as R;
    let (outer, inner) = match reason {
        R::ChanReceive | R::ChanReceiveNilChan | R::SynctestChanReceive => {
            (Some(Chanrecv1), Some(Chanrecv))
        }
        R::ChanSend | R::ChanSendNilChan | R::SynctestChanSend => {
            (Some(Chansend1), Some(ChansendPark))
        }
        R::Select | R::SynctestSelect => (Some(SelectgoPark), None),
        R::SelectNoCases => (Some(Block), None),
        R::SyncMutexLock
        | R::SyncRwMutexLock
        | R::SyncRwMutexRLock
        | R::SyncWaitGroupWait
        | R::SynctestWaitGroupWait => (None, Some(Semacquire)),
        _ => (None, None),
    };
    let mut all = Vec::new();
    if parked {
        all.push(Gopark);
        all.extend(inner);
    }
    all.extend(outer);
    all
}

/// Writes the raw frames of `g`, as many as there is room for.
///
/// # Safety
/// I2.
pub(super) unsafe fn sample(g: &G, context: Context, to: &mut [usize]) -> usize {
    // SAFETY: I2.
    let Some((pc, fp, in_native)) = (unsafe { registers(g, context) }) else {
        return 0;
    };
    let mut n = 0;
    // SAFETY: `registers` has looked: the frames make sense.
    for f in unsafe { Walk::from(g, pc, fp) } {
        if n == to.len() {
            break;
        }
        to[n] = f.at() & !7 | if n == 0 && in_native { IN_NATIVE } else { 0 };
        n += 1;
    }
    n
}

/// The frames of a sample: addresses behind calls.
pub(super) fn frames(sample: &[usize]) -> Vec<usize> {
    let mut pcs = Vec::new();
    for &raw in sample {
        if raw < cpu::SPECIALS {
            let special = match raw {
                cpu::MARK => Synthetic::GcBgMarkWorker,
                cpu::EXTERNAL => Synthetic::ExternalCode,
                cpu::LOST => Synthetic::LostProfileEvent,
                _ => Synthetic::System,
            };
            pcs.push(synthetic::at(special) + 1);
            continue;
        }
        let at = raw & !IN_NATIVE;
        let Some(info) = func::find(at).filter(|i| !i.is_wrapper() && !i.is_stub()) else {
            continue;
        };
        if raw & IN_NATIVE != 0
            && let Some(native) = called(&Frame::at_instruction(at))
        {
            pcs.push(native.stub() + 1);
        }
        pcs.extend(info.logical(at).map(|l| (l.pc & !7) + 1));
    }
    pcs
}

/// pc and frame of `g`, and whether its native is at work.
///
/// # Safety
/// I2.
#[cfg(all(target_arch = "x86_64", not(miri)))]
unsafe fn registers(g: &G, context: Context) -> Option<(usize, usize, bool)> {
    use super::frame::Words;
    use super::panic::op_at;
    use super::slow;
    use super::tier;
    use bytecode::op::Op;
    use std::ptr;

    /// Bytes of code of `slow::native`, at most.
    const NATIVE_CODE: usize = 512;
    /// Words below the dispatcher's frame among which that of a handler ends, if it has one.
    const HANDLER: usize = 32;

    // SAFETY: I2; the kernel's context; from its stack pointer on the native stack is mapped.
    unsafe {
        let registers = &(*context.ptr().cast::<libc::ucontext_t>())
            .uc_mcontext
            .gregs;
        let reg = |r: libc::c_int| registers[r as usize] as usize;
        let fp = reg(libc::REG_RSI);
        let in_native_code = tier::pc_at(reg(libc::REG_RIP));
        let pc = in_native_code.unwrap_or(reg(libc::REG_RDI));
        // The signal can have come while the stack was replaced.
        if !(g.stack_hi.wrapping_sub(g.stack_lo)).is_power_of_two() {
            return None;
        }
        let base = (*Words::at(ptr::from_ref(g).cast_mut())).native_frame;
        let sp = reg(libc::REG_RSP) & !7;
        let is_here = base != 0 && coro::is_same_stack(base, sp);
        // The one word there is where the dispatcher returns to.
        if is_here && sp + 8 == base && frame::is_pair(g, pc, fp) {
            return Some((pc, fp, false));
        }
        let mut words = [0; 160 + HANDLER];
        let n = coro::words_of(context, &mut words[HANDLER..]);
        if is_here {
            let below = (base - sp) / 8;
            for (k, word) in words[..HANDLER.min(below)].iter_mut().enumerate() {
                *word = *((base - 8 * (k + 1)) as *const usize);
            }
        }
        let words = &words[..HANDLER + n];
        let (pc, fp) = (g.sched.pc, g.sched.fp);
        let is_saved = frame::is_pair(g, pc, fp);
        let native = slow::native as *const () as usize;
        let is_native = |w: &usize| (native..native + NATIVE_CODE).contains(w);
        if is_saved && op_at(pc) == Some(Op::CallNative) && words.iter().any(is_native) {
            return Some((pc, fp, true));
        }
        if is_saved && words.contains(&pc) {
            return Some((pc, fp, false));
        }
        let found = frame::interrupted(g, words);
        found
            .or(is_saved.then_some((pc, fp)))
            .map(|(pc, fp)| (pc, fp, false))
    }
}

/// As above, where nothing is known of the machine.
///
/// # Safety
/// None.
#[cfg(not(all(target_arch = "x86_64", not(miri))))]
unsafe fn registers(_: &G, _: Context) -> Option<(usize, usize, bool)> {
    None
}

/// The address behind a call that stands for a stack that is not known.
pub fn lost() -> usize {
    synthetic::at(Synthetic::LostProfileEvent) + 1
}
