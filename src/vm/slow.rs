#![allow(unsafe_code)]
//! The out-of-line halves of instructions:
//! what calls the heap, channels, maps, strings, or makes a panic.
//!
//! Each function takes the registers, decodes its instruction anew and writes its results to the
//! frame. It returns 0 when the instruction is done, else the number of a [`Status`] with which the
//! dispatcher leaves. Handlers call them as ordinary functions, so nothing here needs to care about
//! tail calls.
//!
//! # Invariants
//!
//! exec::X1 to X5. Besides:
//!
//! - L1. No function here moves the stack or runs Go code, save [`native`].
//! - L2. What may have much to copy saves the registers first:
//!   it is left in the middle if the goroutine is asked to stop.
//!
//! Go: runtime/slice.go, string.go, map.go, chan.go, select.go, iface.go, print.go.

use super::error_text::RuntimeError;
use super::exec::{Regs, Status};
use super::frame::{State, Words};
use super::native::{GoStr, NativeFn, Slice};
use super::panic::Raise;
use super::value::{Iface, deref};
use bytecode::op::insn;
use bytecode::rtype::{Rtype, Ty};
use gosched_runtime::g::G;
use gosched_runtime::heap::{self, LayoutId};
use gosched_runtime::m::M;

/// How a native ended, if not with a panic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub(super) enum NativeEnd {
    Well = 0,
    Park,
    Gosched,
    Preempt,
    Local,
    Collect,
    Goexit,
    Unwind,
}

const DONE: u64 = Status::Done as u64;

/// Leaves with a panic.
#[cold]
#[inline(never)]
pub(super) unsafe fn raise(g: *mut G, r: Raise) -> u64 {
    // SAFETY: exec::X3.
    unsafe { State::of(g) }.raise = Some(r);
    Status::Raise as u64
}

#[inline(always)]
unsafe fn m<'a>(g: *mut G) -> &'a mut M {
    // SAFETY: exec::X3.
    unsafe { &mut *(*g).m }
}

/// The word is a type's.
#[inline(always)]
unsafe fn rtype(word: u64) -> &'static Rtype {
    // SAFETY: the caller's.
    unsafe { Ty::from_word(word) }.get()
}

/// Makes of each body the half of its instruction:
/// a function that decodes the operands and runs it.
macro_rules! halves {
    ($( $(#[$doc:meta])*
        fn $name:ident($g:ident, $s:ident, $i:ident: $insn:ident) $body:block )*) => { $(
        $(#[$doc])*
        #[inline(never)]
        #[allow(unused_unsafe, reason = "made from the bodies")]
        pub(crate) unsafe fn $name(pc: *const u64, fp: *mut u64, $g: *mut G) -> u64 {
            // SAFETY: exec::X1 to X5 hold for the instruction at `pc`; each callee's contract is
            // the meaning of the instruction, whose operands the compiler gave the types it wants.
            unsafe {
                let $s = Regs::new(pc, fp, $g);
                let $i = *pc.cast::<insn::$insn>();
                $body
            }
        }
    )* };
}

mod calls;
mod channels;
mod complex;
mod interfaces;
mod maps;
mod memory;
mod print;
mod slices;
mod strings;

pub(super) use calls::*;
pub(super) use channels::*;
pub(super) use complex::*;
pub(super) use interfaces::*;
pub(super) use maps::*;
pub(super) use memory::*;
pub(super) use print::*;
pub(super) use slices::*;
pub(super) use strings::*;

/// The words are a slice's.
#[inline(always)]
unsafe fn as_slice<T>(v: [u64; 3]) -> Slice<T> {
    // SAFETY: the caller's.
    unsafe { Slice::from_raw(v[0] as *mut T, v[1] as usize, v[2] as usize) }
}

#[inline(always)]
fn as_words<T>(s: Slice<T>) -> [u64; 3] {
    [s.as_ptr() as u64, s.len() as u64, s.cap() as u64]
}

/// The words are a string's.
#[inline(always)]
unsafe fn as_str(v: [u64; 2]) -> GoStr {
    // SAFETY: the caller's.
    unsafe { GoStr::from_raw(v[0] as *const u8, v[1] as usize) }
}

#[inline(always)]
fn str_words(s: GoStr) -> [u64; 2] {
    [s.as_ptr() as u64, s.len() as u64]
}

/// The words are an interface value's.
#[inline(always)]
unsafe fn as_iface(v: [u64; 2]) -> Iface {
    // SAFETY: the caller's.
    unsafe { Iface::from_raw(v[0] as usize, v[1] as usize) }
}
