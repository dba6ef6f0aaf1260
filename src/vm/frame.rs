#![allow(unsafe_code)]
//! Frames on the VM stack, the walk over them,
//! and what the VM keeps for each goroutine beside its stack.
//!
//! A frame's header is the two words below it: `[fp-8]` the pc its function returns to, the low
//! half of `[fp-16]` the distance in bytes to the frame of its caller; 0 ends the walk. The upper
//! half is the address of native code for that pc, or 0 ([`tier`](super::tier)). Nothing on the
//! stack is an address of the stack, so it can be copied.
//!
//! Two kinds of frame have no compiled function of their own: a native's window, once it has called
//! back (the callback returns to [`Stubs::native`]), and the two words of a panic in progress,
//! which hold its value (deferred calls return to [`Stubs::defer`]). Their stub functions stand for
//! them in a walk.
//!
//! # Invariants
//!
//! - R1. The registers in `g.sched` name a frame of `g`'s stack whenever `g` does not interpret.
//! - R2. A [`State`] belongs to the thread that owns its G. It is made at first need and freed
//!   never: descriptors of goroutines are reused, and so is it.
//! - R3. `G::vm` holds a [`Words`]; all zeros are one. Until a goroutine first runs, its first
//!   frame lies in the last of them (`stack::settle`), of which only the collector reads any:
//!   `kept`.
//!
//! Go: runtime/traceback.go (unwinder), runtime/panic.go (_defer, _panic).

use super::native::{GoStr, NativeFn};
use super::panic::{Panic, Raise, Target};
use super::slow::NativeEnd;
use bytecode::arena::CODE;
use bytecode::func::{self, FuncInfo};
use bytecode::image::{Stubs, image};
use bytecode::op::{Op, insn};
use gosched_runtime::g::{G, VM_WORDS};
use std::fmt;
use std::sync::atomic::Ordering;

/// Bytes of a frame's header.
pub(super) const HEADER: usize = 16;

/// A deferred call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Defer {
    /// Frame of the function that deferred it, in bytes from the start of the stack.
    pub(super) frame: usize,
    /// The func value, or the address of a slice of them.
    pub(super) func: usize,
    /// The record stands for what loop bodies of the function have deferred, in a slice.
    pub(super) is_list: bool,
}

/// What is to be done before a goroutine goes on that has waited in a native or at a safepoint.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[repr(usize)]
pub(super) enum Pending {
    #[default]
    Nothing,
    /// To complete a native.
    Native,
    /// To go on with a collection, and then to pass the safepoint of a loop.
    Loop,
    /// The same for the safepoint of a prologue.
    Prologue,
    /// To go on with a collection, and then to complete the native that has asked for it.
    NativeCollects,
}

/// What the VM keeps of a goroutine in the descriptor's own words, [`G::vm`]. All but `state` are
/// zero when a goroutine begins.
#[repr(C)]
#[derive(Debug)]
pub(super) struct Words {
    /// The goroutine's [`State`], null while it has none.
    pub(super) state: *mut State,
    /// The index that was out of range, or the address that the machine has faulted at.
    pub(super) index: usize,
    /// The length that the index was compared with.
    pub(super) len: usize,
    /// How a native ended that did not end well.
    pub(super) native_end: NativeEnd,
    /// What is to be done before the goroutine goes on; see `call::resume`.
    pub(super) pending: Pending,
    /// The collection that this goes on with: [`Collection::to_word`](gc::Collection::to_word).
    pub(super) collection: usize,
    /// What `Op::UnlockJump` has left in the mutex's word, for the native behind it.
    pub(super) mutex: i32,
    _padding: i32,
    /// Where the native stack is cut to when the machine faults; 0 where it cannot be. See
    /// [`trap`](super::trap).
    pub(super) native_frame: usize,
    _spare: [usize; 4],
    /// What to call when a goroutine is woken that a native has let wait.
    pub(super) resume: Option<NativeFn>,
    /// What a native keeps between its park and `resume`. The collector takes them for pointers.
    pub(super) kept: [usize; 3],
}

// The runtime knows of the VM's words only how many there are.
const _: () = assert!(
    size_of::<Words>() == size_of::<[usize; VM_WORDS]>()
        && align_of::<Words>() == align_of::<usize>()
);

impl Words {
    /// The words of `g`.
    ///
    /// # Safety
    /// `g` is a descriptor. What the words hold is right (R3).
    #[inline(always)]
    pub(super) unsafe fn at(g: *mut G) -> *mut Words {
        // SAFETY: the caller's.
        unsafe { (&raw mut (*g).vm).cast() }
    }

    /// Makes them what a goroutine begins with.
    pub(super) fn clear(&mut self) {
        *self = Words {
            state: self.state,
            index: 0,
            len: 0,
            native_end: NativeEnd::Well,
            pending: Pending::Nothing,
            collection: 0,
            mutex: 0,
            _padding: 0,
            native_frame: 0,
            _spare: [0; 4],
            resume: None,
            kept: [0; 3],
        };
    }
}

/// What the VM keeps for a goroutine beside its stack.
#[derive(Debug, Default)]
pub(super) struct State {
    /// Deferred calls, the newest last.
    pub(super) defers: Vec<Defer>,
    /// Panics and Goexits in progress, the newest last.
    pub(super) panics: Vec<Panic>,
    /// What a slow half wants to be raised.
    pub(super) raise: Option<Raise>,
    /// Where frames of natives are being cut through to.
    pub(super) target: Option<Target>,
    /// A nil dereference is among the panics:
    /// the address of the newest, for the line that is printed.
    pub(super) nil_access: Option<usize>,
    /// No deferred call has recovered: the panics are being printed.
    pub(super) is_dying: bool,
    /// Text of the print statement in progress.
    pub(super) print: Bytes,
}

impl State {
    /// Puts the calls that `list` stands for in its place, which it has left.
    ///
    /// # Safety
    /// `list` is the record of a `DeferList`, whose slice the collector has seen till now.
    pub(super) unsafe fn unpack(&mut self, list: Defer) {
        // SAFETY: the caller's; the elements lie where the slice's first word says.
        unsafe {
            let [at, len] = *(list.func as *const [usize; 2]);
            self.defers.extend((0..len).map(|k| Defer {
                func: *(at as *const usize).add(k),
                is_list: false,
                ..list
            }));
        }
    }

    /// The state of `g`, if it has one.
    ///
    /// # Safety
    /// R2.
    #[inline]
    pub(super) unsafe fn get<'a>(g: *const G) -> Option<&'a mut State> {
        // SAFETY: R2.
        unsafe { (*Words::at(g.cast_mut())).state.as_mut() }
    }

    /// The state of `g`, made if need be.
    ///
    /// # Safety
    /// R2.
    #[inline]
    pub(super) unsafe fn of<'a>(g: *mut G) -> &'a mut State {
        // SAFETY: R2.
        unsafe {
            if let Some(state) = State::get(g) {
                return state;
            }
            let state = Box::leak(Box::<State>::default());
            (*Words::at(g)).state = state;
            state
        }
    }
}

/// Text that need not be UTF-8.
#[derive(Debug, Default)]
pub(super) struct Bytes(Vec<u8>);

impl Bytes {
    pub(super) fn push_str(&mut self, s: &str) {
        self.0.extend_from_slice(s.as_bytes());
    }
    pub(super) fn push_bytes(&mut self, b: &[u8]) {
        self.0.extend_from_slice(b);
    }
    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Write for Bytes {
    fn write_str(&mut self, s: &str) -> fmt::Result {
        self.push_str(s);
        Ok(())
    }
}

/// Reads from each page of `text`: where `unsafe` has made its length, the fault comes now, before
/// memory is asked for to copy it.
pub(super) fn look_through(text: GoStr) {
    const PAGE: usize = 4096;
    let last = text.len().checked_sub(1);
    for at in (0..text.len()).step_by(PAGE).chain(last) {
        // SAFETY: a byte of the string; if there is none, the program ends.
        unsafe { text.as_ptr().wrapping_add(at).read_volatile() };
    }
}

/// Writes all of `bytes` to standard error, past every buffer.
pub(super) fn write_stderr(mut bytes: &[u8]) {
    if gosched_runtime::control::tape::is_print_elsewhere() {
        return;
    }
    while !bytes.is_empty() {
        // SAFETY: the buffer lives over the call.
        let n = unsafe { libc::write(2, bytes.as_ptr().cast(), bytes.len()) };
        match n {
            1.. => bytes = &bytes[n as usize..],
            _ if std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted => {}
            _ => return,
        }
    }
}

/// The stubs.
#[inline]
pub(super) fn stubs() -> &'static Stubs {
    image().stubs()
}

/// One frame as a walk meets it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// Its address.
    pub(super) fp: usize,
    /// Where its function goes on. In the innermost frame: the instruction it stopped at.
    pub(super) pc: usize,
    /// The innermost one: `pc` is the instruction itself, not the one after a call.
    pub(super) is_top: bool,
    /// The function `pc` lies in.
    pub(super) info: Option<&'static FuncInfo>,
}

impl Frame {
    /// One of which nothing is known but the instruction, which has been reached.
    pub(super) fn at_instruction(pc: usize) -> Frame {
        Frame {
            fp: 0,
            pc,
            is_top: true,
            info: func::find(pc),
        }
    }

    /// An address inside the instruction that is being executed: what positions are looked up by.
    pub(super) fn at(&self) -> usize {
        if self.is_top || self.runs_defers() {
            self.pc
        } else {
            self.pc - 1
        }
    }

    /// Is it running its deferred calls? They return to the instruction that called them.
    fn runs_defers(&self) -> bool {
        // SAFETY: R1 — where a frame goes on there is an instruction.
        self.info.is_some_and(|i| self.pc < i.end)
            && unsafe { *(self.pc as *const u16) == Op::RunDefers as u16 }
    }
}

/// The instruction and the frame of a goroutine that was interrupted in the middle of an
/// instruction: the first pair among `words` (what its registers and native frames hold) that makes
/// sense. Words may be left from what was done before: better than other pairs is one whose frame
/// was made by a call of the very function.
///
/// # Safety
/// `g` is the G of this thread, and stands still.
pub(super) unsafe fn interrupted(g: *const G, words: &[usize]) -> Option<(usize, usize)> {
    // SAFETY: the caller's.
    let (lo, hi) = unsafe { ((*g).stack_lo, (*g).stack_hi) };
    let is_pc = |&&w: &&usize| w.is_multiple_of(8) && CODE.contains(w);
    let is_fp = |&&w: &&usize| w.is_multiple_of(8) && (lo + HEADER..hi).contains(&w);
    let mut second = None;
    for &pc in words.iter().filter(is_pc) {
        let Some(info) = func::find(pc) else { continue };
        for &fp in words.iter().filter(is_fp) {
            // SAFETY: the stack is mapped, and no thread writes to it.
            unsafe {
                if fp + 8 * info.frame as usize <= hi && is_sound(fp, lo, hi) {
                    if is_frame_of(&*g, info, fp) {
                        return Some((pc, fp));
                    }
                    second.get_or_insert((pc, fp));
                }
            }
        }
    }
    second
}

/// Can the goroutine be at the instruction at `pc` in the frame at `fp`?
///
/// # Safety
/// As [`interrupted`].
pub(super) unsafe fn is_pair(g: &G, pc: usize, fp: usize) -> bool {
    let (lo, hi) = (g.stack_lo, g.stack_hi);
    let info = match pc.is_multiple_of(8) && CODE.contains(pc) {
        true => func::find(pc),
        false => None,
    };
    // SAFETY: the caller's.
    info.is_some_and(|i| fp.saturating_add(8 * i.frame as usize) <= hi)
        && unsafe { is_sound(fp, lo, hi) }
}

/// Was the frame at `fp`, which is sound, made by a call of this function?
unsafe fn is_frame_of(g: &G, info: &FuncInfo, fp: usize) -> bool {
    // SAFETY: the caller's: the header names a place behind an instruction, or there is none.
    unsafe {
        let (ret, delta) = (
            *((fp - 8) as *const usize),
            *((fp - HEADER) as *const u32) as usize,
        );
        if delta == 0 {
            return info.start == g.start() || g.is_main() && info.name == "main.main";
        }
        let call = &*((ret - size_of::<insn::Call>()) as *const insn::Call);
        let target = || func::entry(call.func).entry.load(Ordering::Relaxed);
        call.op == Op::Call as u16 && call.func < func::count() && target() == info.start
    }
}

/// Do the headers below `fp` look like those of frames? Not more than the nearest are looked at.
unsafe fn is_sound(mut fp: usize, lo: usize, hi: usize) -> bool {
    for _ in 0..32 {
        if fp < lo + HEADER || fp >= hi || !fp.is_multiple_of(8) {
            return false;
        }
        // SAFETY: the caller's; the words lie in the stack.
        let (pc, delta) = unsafe {
            (
                *((fp - 8) as *const usize),
                *((fp - HEADER) as *const u32) as usize,
            )
        };
        if delta == 0 {
            return true;
        }
        if delta > fp || !pc.is_multiple_of(8) || !CODE.contains(pc) || func::find(pc - 1).is_none()
        {
            return false;
        }
        fp -= delta;
    }
    true
}

/// A walk from the innermost frame outwards.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walk {
    fp: usize,
    pc: usize,
    lo: usize,
    is_top: bool,
    /// The last frame's function: with a recursion the next one's too.
    info: Option<&'static FuncInfo>,
}

impl Walk {
    /// Of a goroutine that does not interpret.
    ///
    /// # Safety
    /// R1; the stack stays as it is during the walk.
    pub(super) unsafe fn new(g: *const G) -> Walk {
        // SAFETY: R1.
        unsafe {
            Walk {
                fp: (*g).sched.fp,
                pc: (*g).sched.pc,
                lo: (*g).stack_lo,
                is_top: true,
                info: None,
            }
        }
    }
}

impl Walk {
    /// From the instruction at `pc` in the frame at `fp`.
    ///
    /// # Safety
    /// As [`Walk::new`], but that the registers may be saved elsewhere than in `g.sched`.
    pub(super) unsafe fn from(g: &G, pc: usize, fp: usize) -> Walk {
        Walk {
            fp,
            pc,
            lo: g.stack_lo,
            is_top: true,
            info: None,
        }
    }
}

impl Iterator for Walk {
    type Item = Frame;

    fn next(&mut self) -> Option<Frame> {
        if self.fp < self.lo + HEADER || self.pc == 0 {
            return None;
        }
        let at = if self.is_top { self.pc } else { self.pc - 1 };
        if !self.info.is_some_and(|i| (i.start..i.end).contains(&at)) {
            self.info = func::find(at);
        }
        let frame = Frame {
            fp: self.fp,
            pc: self.pc,
            is_top: self.is_top,
            info: self.info,
        };
        // SAFETY: R1 — the frame has its header below it, inside the stack.
        let (pc, delta) = unsafe {
            (
                *((self.fp - 8) as *const usize),
                *((self.fp - HEADER) as *const u32) as usize,
            )
        };
        self.is_top = false;
        self.pc = if delta == 0 { 0 } else { pc };
        self.fp = self.fp.wrapping_sub(delta);
        Some(frame)
    }
}
