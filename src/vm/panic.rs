#![allow(unsafe_code)]
//! `defer`, `panic`, `recover` and `runtime.Goexit`: a state machine on VM frames,
//! never recursion of the host.
//!
//! A panic lays a *pseudo frame* on top of the frame that panicked: two words, the panic's value.
//! On top of that it calls the deferred functions one by one, the newest record first, whatever
//! frame it belongs to; each returns to a stub which leaves the dispatcher and comes back here for
//! the next one. So nothing is unwound before a deferred call recovers, and a traceback shows where
//! the panic happened. `recover` marks the newest panic if its caller was called by that panic's
//! stub; when that deferred function returns, the stack is cut to the frame that had deferred it,
//! and its function goes on at its `defer_return` code. Goexit is the same loop with a record that
//! no call can recover.
//!
//! Frames of natives may lie between the panic and the frame where it is recovered. They are Rust
//! frames on the coroutine, each below a nested run of the dispatcher: the cut is then noted as
//! [`State::target`], every nested run that begins above the target ends with
//! [`Stop::Unwind`](super::native::Stop), and the run that owns the target's frame goes on there.
//!
//! # Invariants
//!
//! - D1. `State::defers` is in order of time;
//!   a record's frame is alive, or the record is being run.
//! - D2. Pseudo frames lie on the stack in the order of `State::panics`.
//! - D3. What [`FIXED`] leads to is leaked and never changed.
//!
//! Go: runtime/panic.go, runtime/error.go.

use super::error_text::{self, ErrorType, RuntimeError};
use super::frame::{self, Bytes, HEADER, State, Walk, stubs, write_stderr};
use super::native::{GoStr, PanicValue, Target as CallTarget};
use super::nil_access;
use super::reflect;
use super::synthetic::{self, Synthetic};
use super::value::{Iface, Val};
use bytecode::arena;
use bytecode::func;
use bytecode::op::Op;
use bytecode::rtype::{self, Kind, Rtype, Ty};
use gosched_runtime::chan::ChanError;
use gosched_runtime::fault;
use gosched_runtime::g::G;
use gosched_runtime::heap::{self, LayoutId};
use gosched_runtime::knobs;
use gosched_runtime::panic::PANIC_DEFERS;
use gosched_runtime::preempt;
use gosched_runtime::prompt::{self, Ended};
use std::borrow::Cow;
use std::fmt::Write;
use std::sync::atomic::{AtomicPtr, Ordering};

/// A panic or Goexit in progress.
#[derive(Clone, Copy, Debug)]
pub(super) struct Panic {
    /// The value, as `any`.
    pub(super) value: [u64; 2],
    /// Its pseudo frame, in bytes from the start of the stack.
    pub(super) at: usize,
    /// The frame whose deferred call is running.
    pub(super) frame: usize,
    /// It is a Goexit.
    pub(super) is_goexit: bool,
    pub(super) is_recovered: bool,
    /// Its deferred function panicked with the same value again.
    pub(super) is_repanicked: bool,
    /// What its value says of itself, once it has been asked.
    /// The collector looks here: the other values are asked meanwhile.
    pub(super) text: Option<GoStr>,
    /// What Go's runtime would have on the stack below `gopanic`.
    pub(super) raised_by: &'static [Synthetic],
}

/// Where the stack is being cut to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Target {
    /// The frame at this offset goes on at its `defer_return`.
    Frame(usize),
    /// A Goexit whose pseudo frame is at this offset goes on with its loop.
    Goexit(usize),
    /// The goroutine ends.
    Exit,
}

/// A panic that an instruction or a native asks for.
#[derive(Clone, Debug)]
pub(super) enum Raise {
    /// What a native says.
    Native(PanicValue),
    /// A `runtime.Error` that is a text.
    Error(RuntimeError),
    /// Something is out of bounds: Go's numbers.
    Bounds { x: i64, y: i64, code: u8 },
    /// `x.(T)` failed.
    Assertion {
        stat: Option<&'static Rtype>,
        concrete: Option<&'static Rtype>,
        asserted: Option<&'static Rtype>,
    },
    /// A nil dereference.
    Nil,
    /// A nil dereference of which the machine has told the address.
    NilAt(usize),
    /// `panic(nil)`.
    NilValue,
    /// A native has panicked in Rust: what it is called, and why.
    Rust(String),
    /// Any other value, as `any`.
    Value([u64; 2]),
}

impl From<RuntimeError> for Raise {
    fn from(e: RuntimeError) -> Raise {
        Raise::Error(e)
    }
}

impl From<ChanError> for Raise {
    fn from(e: ChanError) -> Raise {
        Raise::Error(RuntimeError::Chan(e))
    }
}

impl Raise {
    /// `x` is out of the bound `y`, in the way that Go numbers `code`.
    pub(super) fn bounds(x: u64, y: u64, code: u8) -> Raise {
        Raise::Bounds {
            x: x as i64,
            y: y as i64,
            code,
        }
    }
}

/// What comes next after a step of the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Next {
    /// Go on with `g.sched`.
    Run,
    /// Cut to `State::target`.
    Cut,
}

// ---- Values of run-time errors.

/// A new object of type `t` with these words; nothing of ours collects before it is stored.
unsafe fn object(g: *mut G, t: Ty, words: &[u64]) -> u64 {
    // SAFETY: `g` runs on an M with a P; the object is of the type's size.
    unsafe {
        let p = heap::alloc(&mut *(*g).m, t.size, LayoutId(t.layout));
        heap::copy_typed(
            LayoutId(t.layout),
            p,
            words.as_ptr().cast(),
            t.size.min(8 * words.len()),
        );
        p as u64
    }
}

unsafe fn string(g: *mut G, text: &str) -> [u64; 2] {
    // SAFETY: as `object`.
    let s = super::string::new(unsafe { &mut *(*g).m }, text.as_bytes());
    [s.as_ptr() as u64, s.len() as u64]
}

/// A value of string kind, of type `t` if the program has it.
unsafe fn text_value(g: *mut G, t: ErrorType, text: [u64; 2]) -> [u64; 2] {
    let t = t.find().unwrap_or_else(|| rtype::basic(Kind::String));
    // SAFETY: as `object`.
    [t.word(), unsafe { object(g, t, &text) }]
}

/// A text that is always the same, where it lies in memory as a Go string.
struct Fixed {
    words: [u64; 2],
    next: *const Fixed,
}

/// All fixed texts so far.
static FIXED: AtomicPtr<Fixed> = AtomicPtr::new(std::ptr::null_mut());

/// The data word for `text`: one address for ever, as constants have it. By it a value that is
/// panicked with again is known.
fn fixed(text: &'static str) -> u64 {
    let words = [text.as_ptr() as u64, text.len() as u64];
    let head = FIXED.load(Ordering::Acquire);
    let mut at = head.cast_const();
    // SAFETY: D3.
    while let Some(f) = unsafe { at.as_ref() } {
        if f.words == words {
            return f.words.as_ptr() as u64;
        }
        at = f.next;
    }
    let new = arena::lasting(Fixed { words, next: head });
    let address = new.words.as_ptr() as u64;
    // Should another thread have put one there meanwhile,
    // this text has two addresses until it is raised again.
    let _ = FIXED.compare_exchange(head, new, Ordering::AcqRel, Ordering::Relaxed);
    address
}

/// A value of string kind with a text that is always the same.
fn fixed_value(t: ErrorType, text: &'static str) -> [u64; 2] {
    let t = t.find().unwrap_or_else(|| rtype::basic(Kind::String));
    [t.word(), fixed(text)]
}

/// The value to panic with.
///
/// # Safety
/// `g` runs on an M with a P.
unsafe fn value_of(g: *mut G, raise: Raise) -> [u64; 2] {
    let words = |s: GoStr| [s.as_ptr() as u64, s.len() as u64];
    // SAFETY: the caller's; the types' layouts are those of their declarations in package runtime.
    unsafe {
        match raise {
            Raise::Native(PanicValue::Str(s)) => {
                let t = rtype::basic(Kind::String);
                [t.word(), object(g, t, &words(s))]
            }
            Raise::Native(PanicValue::Chan(e)) => value_of(g, e.into()),
            Raise::Native(PanicValue::Runtime(s)) => text_value(g, ErrorType::Text, words(s)),
            Raise::Native(PanicValue::NilDeref) | Raise::Nil | Raise::NilAt(_) => fixed_value(
                ErrorType::Text,
                "invalid memory address or nil pointer dereference",
            ),
            Raise::Rust(text) => {
                let s = string(g, &text);
                text_value(g, ErrorType::Text, s)
            }
            Raise::Value(v) if v[0] == 0 && !knobs::panics_with_nil() => {
                value_of(g, Raise::NilValue)
            }
            Raise::Value(v) => v,
            Raise::Error(e) => {
                let t = e.value_type();
                match e.text() {
                    Cow::Borrowed(text) => fixed_value(t, text),
                    Cow::Owned(text) => {
                        let s = string(g, &text);
                        text_value(g, t, s)
                    }
                }
            }
            Raise::Bounds { x, y, code } => match ErrorType::Bounds.find() {
                Some(t) => {
                    let signed = !is_unsigned((*g).sched.pc, code);
                    let (x, y) = if fault!(SwapBounds) { (y, x) } else { (x, y) };
                    let last = u64::from(signed) | u64::from(code) << 8;
                    [t.word(), object(g, t, &[x as u64, y as u64, last])]
                }
                None => {
                    let s = string(g, &error_text::bounds(x, true, y, code));
                    text_value(g, ErrorType::Plain, s)
                }
            },
            Raise::Assertion {
                stat,
                concrete,
                asserted,
            } => {
                let types = [stat, concrete, asserted];
                match ErrorType::Assertion.find() {
                    Some(t) => {
                        let word = |t: Option<&Rtype>| t.map_or(0, |t| t.ty().word());
                        [rtype::pointer_to(t).word(), object(g, t, &types.map(word))]
                    }
                    None => {
                        let s = string(g, &error_text::assertion(types));
                        text_value(g, ErrorType::Plain, s)
                    }
                }
            }
            Raise::NilValue => match ErrorType::NilPanic.find() {
                Some(t) => [rtype::pointer_to(t).word(), object(g, t, &[])],
                None => {
                    let s = string(g, error_text::NIL_PANIC);
                    text_value(g, ErrorType::Plain, s)
                }
            },
        }
    }
}

/// Whether what the instruction at `pc` found to be out of bounds, in the way that Go numbers
/// `code`, is an unsigned number.
fn is_unsigned(pc: usize, code: u8) -> bool {
    // Which index of `x[lo:hi:max]` is reported.
    let n = match code {
        0 | 3 | 7 => 0,
        1 | 2 | 6 => 1,
        4 | 5 => 2,
        _ => return false,
    };
    func::find(pc).is_some_and(|f| f.is_unsigned(pc, n))
}

// ---- The machine.

/// Raises a panic where `g.sched` stands.
///
/// # Safety
/// `g` is the running G, its registers saved.
pub(super) unsafe fn start(g: *mut G, raise: Raise) -> Next {
    // SAFETY: the caller's.
    unsafe {
        match raise {
            Raise::Nil | Raise::Native(PanicValue::NilDeref) => {
                State::of(g).nil_access = Some(nil_access(g));
            }
            Raise::NilAt(addr) => State::of(g).nil_access = Some(addr),
            Raise::Error(RuntimeError::Chan(e)) | Raise::Native(PanicValue::Chan(e))
                if e.is_fatal() =>
            {
                gosched_runtime::fatal!("{}", e.text());
            }
            _ => {}
        }
        let raised_by = synthetic::raised_by(&raise, (*g).sched.pc);
        let value = value_of(g, raise);
        if State::of(g).panics.iter().all(|p| p.is_goexit) {
            PANIC_DEFERS.fetch_add(1, Ordering::SeqCst);
        }
        push(g, value, false, raised_by);
        next_deferred(g)
    }
}

/// `runtime.Goexit` where `g.sched` stands.
///
/// # Safety
/// As [`start`].
pub(super) unsafe fn start_goexit(g: *mut G) -> Next {
    // SAFETY: the caller's.
    unsafe {
        if fault!(GoexitSkipsDefers) {
            State::of(g).defers.clear();
        }
        push(g, [0, 0], true, &[]);
        next_deferred(g)
    }
}

/// The operation of the instruction at `pc`.
pub(super) fn op_at(pc: usize) -> Option<Op> {
    let info = func::find(pc)?;
    let at = (pc - info.start) / 8;
    Op::from_u16(*info.code().get(at)? as u16)
}

/// The address that the instruction at `g.sched` would have touched, had it not seen that its
/// pointer leads to the page of nil.
///
/// # Safety
/// As [`start`].
unsafe fn nil_access(g: *mut G) -> usize {
    // SAFETY: the caller's; the operands of an instruction are slots of the frame.
    unsafe {
        let (slot, off) = nil_access::touched((*g).sched.pc);
        let fp = (*g).sched.fp as *const usize;
        slot.map_or(0, |n| *fp.add(n)).wrapping_add(off)
    }
}

/// Lays the pseudo frame of a new panic on top of the current frame.
unsafe fn push(g: *mut G, value: [u64; 2], is_goexit: bool, raised_by: &'static [Synthetic]) {
    // SAFETY: registers are saved; the stack's slack has room for the pseudo frame and the header
    // above it, since the prologue of the frame has tested at least the slots below them.
    unsafe {
        let (pc, fp) = ((*g).sched.pc, (*g).sched.fp);
        let slots = func::find(pc).map_or(0, |f| f.frame) as usize;
        let delta = 8 * slots + HEADER;
        let pseudo = fp + delta;
        // The panicking instruction is "called" from: a walk looks one byte below.
        *((pseudo - 8) as *mut usize) = pc + 8;
        *((pseudo - HEADER) as *mut usize) = delta;
        *(pseudo as *mut [u64; 2]) = value;
        let at = pseudo - (*g).stack_lo;
        (*g).sched.pc = stubs().defer;
        (*g).sched.fp = pseudo;
        State::of(g).panics.push(Panic {
            value,
            at,
            frame: 0,
            is_goexit,
            is_recovered: false,
            is_repanicked: false,
            text: None,
            raised_by,
        });
    }
}

/// Calls the next deferred function on top of the newest panic's pseudo frame.
unsafe fn next_deferred(g: *mut G) -> Next {
    // SAFETY: as `start`.
    unsafe {
        let state = State::of(g);
        while let Some(&list) = state.defers.last()
            && list.is_list
        {
            state.defers.pop();
            state.unpack(list);
        }
        let Some(p) = state.panics.last_mut() else {
            gosched_runtime::throw!("bad panic stack");
        };
        let pseudo = (*g).stack_lo + p.at;
        (*g).sched.pc = stubs().defer;
        (*g).sched.fp = pseudo;
        let Some(d) = state.defers.pop() else {
            if p.is_goexit {
                // Panics that it has cut short end with the goroutine.
                let panicked = state.panics.iter().any(|p| !p.is_goexit);
                state.panics.clear();
                if panicked {
                    ended(state);
                }
                prompt::ends_by(g, Ended::Exited);
                state.target = Some(Target::Exit);
                return Next::Cut;
            }
            return die(g);
        };
        p.frame = d.frame;
        if d.func == 0 {
            // Calling the nil func value panics in its turn.
            return start(g, Raise::Nil);
        }
        let fp = pseudo + 16 + HEADER;
        *((fp - 8) as *mut usize) = stubs().defer;
        *((fp - HEADER) as *mut usize) = 16 + HEADER;
        *(fp as *mut usize) = d.func;
        let index = *(d.func as *const u64) as u32;
        (*g).sched.pc = func::entry(index).entry.load(Ordering::Relaxed);
        (*g).sched.fp = fp;
        Next::Run
    }
}

/// A deferred function called by a panic or Goexit has returned to the stub.
///
/// # Safety
/// As [`start`].
pub(super) unsafe fn deferred_returned(g: *mut G) -> Next {
    // SAFETY: the caller's.
    unsafe {
        let state = State::of(g);
        let Some(p) = state.panics.last().copied() else {
            gosched_runtime::throw!("bad panic stack");
        };
        if !p.is_recovered {
            return next_deferred(g);
        }
        // Everything above the frame goes,
        // but for a Goexit in progress, which cannot be jumped past.
        while let Some(q) = state.panics.last() {
            if q.at < p.frame {
                break;
            }
            if q.is_goexit {
                let at = q.at;
                ended(state);
                state.target = Some(Target::Goexit(at));
                return Next::Cut;
            }
            state.panics.pop();
        }
        ended(state);
        state.target = Some(Target::Frame(p.frame));
        Next::Cut
    }
}

/// Some panics are over: settles what counts them.
fn ended(state: &mut State) {
    if state.panics.iter().all(|p| p.is_goexit) {
        state.nil_access = None;
        PANIC_DEFERS.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Makes the cut to `State::target` if that lies in a run whose frames begin at `base`; `None`: it
/// lies further out. The inner result says what comes then: `Cut` means that the goroutine ends.
///
/// # Safety
/// As [`start`].
pub(super) unsafe fn cut(g: *mut G, base: usize) -> Option<Next> {
    // SAFETY: the caller's.
    unsafe {
        let state = State::of(g);
        match state.target {
            Some(Target::Frame(at)) if at >= base => {
                state.target = None;
                let fp = (*g).stack_lo + at;
                (*g).sched.pc = defer_return(g, fp);
                (*g).sched.fp = fp;
                Some(Next::Run)
            }
            Some(Target::Goexit(at)) if at >= base => {
                state.target = None;
                Some(match next_deferred(g) {
                    Next::Run => Next::Run,
                    Next::Cut => return cut(g, base),
                })
            }
            Some(Target::Exit) if base == 0 => {
                state.target = None;
                Some(Next::Cut)
            }
            Some(_) => None,
            None => gosched_runtime::throw!("a native reported an unwinding that is not under way"),
        }
    }
}

/// Where the function of the frame at `fp` goes on when recovered. The frame's function is known by
/// the call above it: the walk from the newest frame finds it.
unsafe fn defer_return(g: *mut G, fp: usize) -> usize {
    // SAFETY: as `start`; nothing above the frame has been overwritten yet.
    let found = unsafe { Walk::new(g) }.find(|f| f.fp == fp);
    match found.and_then(|f| f.info) {
        Some(info) if info.defer_return != 0 => info.start + 8 * info.defer_return as usize,
        _ => gosched_runtime::throw!("no deferreturn"),
    }
}

/// `recover()` in the function at `g.sched`: the panic's value, or nil.
///
/// # Safety
/// As [`start`].
pub(super) unsafe fn recover(g: *mut G) -> [u64; 2] {
    // SAFETY: the caller's.
    unsafe {
        let Some(p) = State::get(g).and_then(|s| s.panics.last_mut()) else {
            return [0, 0];
        };
        if p.is_goexit || p.is_recovered {
            return [0, 0];
        }
        // Between the stub and the call there must be exactly
        // one frame that is not a wrapper's: this one.
        let is_wrapper = |f: &frame::Frame| f.info.is_some_and(|i| i.is_wrapper() && !i.is_stub());
        // So is the run that a method value of package reflect makes of its method.
        let is_made = |f: &frame::Frame| f.info.is_some_and(|i| i.name == reflect::MADE);
        let mut walk = Walk::new(g).peekable();
        let mut next = || loop {
            let f = walk.next()?;
            let is_passed =
                is_wrapper(&f) || f.pc == stubs().native && walk.peek().is_some_and(is_made);
            if !is_passed {
                return Some(f);
            }
        };
        let own = next();
        if own.is_none_or(|f| f.info.is_some_and(|i| i.is_stub())) {
            return [0, 0];
        }
        match next() {
            Some(f) if f.pc == stubs().defer && f.fp == (*g).stack_lo + p.at => {
                p.is_recovered = true;
                p.value
            }
            _ => [0, 0],
        }
    }
}

// ---- Dying of a panic.

/// No deferred call has recovered: prints the panics and the goroutine, ends the process, or with
/// a prompt the goroutine.
unsafe fn die(g: *mut G) -> Next {
    // SAFETY: as `start`.
    unsafe {
        let mut out = Bytes::default();
        if std::mem::replace(&mut State::of(g).is_dying, true) {
            printing_failed(g);
        }
        ask_values(g);
        let state = State::of(g);
        let n = state.panics.len();
        // From here on a fault is no panic.
        preempt::acquire_m(&mut *(*g).m);
        for k in 0..n {
            let p = state.panics[k];
            if k + 1 < n && fault!(NewestPanicOnly) {
                continue;
            }
            // One whose value the next panic repeats speaks for both.
            if k > 0 && state.panics[k - 1].is_repanicked {
                continue;
            }
            if k > 0 && !state.panics[k - 1].is_goexit {
                out.push_str("\t");
            }
            // What Goexit has left behind a panic counts, but has nothing to say.
            if p.is_goexit {
                continue;
            }
            out.push_str("panic: ");
            match p.text {
                Some(text) => out.push_bytes(&indented(text)),
                None => push_value(
                    &mut out,
                    Iface::from_raw(p.value[0] as usize, p.value[1] as usize),
                ),
            }
            match (p.is_recovered, p.is_repanicked) {
                _ if fault!(ForgetRecovered) => {}
                (true, true) => out.push_str(" [recovered, repanicked]"),
                (true, false) => out.push_str(" [recovered]"),
                _ => {}
            }
            out.push_str("\n");
        }
        if let Some(addr) = state.nil_access.filter(|_| !fault!(NoSignalLine)) {
            let pc = Walk::new(g).nth(1).map_or(0, |f| f.pc);
            let _ = writeln!(
                out,
                "[signal SIGSEGV: segmentation violation code=0x1 addr={addr:#x} pc={pc:#x}]"
            );
        }
        write_stderr(out.as_bytes());
        if prompt::is_attached() {
            let m = &mut *(*g).m;
            gosched_runtime::panic::print_panicked(m);
            preempt::release_m(m);
            prompt::ends_by(g, Ended::Panicked);
            state.is_dying = false;
            state.panics.clear();
            ended(state);
            state.target = Some(Target::Exit);
            return Next::Cut;
        }
        if (*g).is_main() {
            gosched_runtime::proc::main_init_failed(&mut *(*g).m);
        }
        gosched_runtime::panic::fatal_panic(state.panics.last().and_then(|p| deadlocked(p.value)))
    }
}

/// The number of the bubble whose deadlock the value tells of.
fn deadlocked(value: [u64; 2]) -> Option<u32> {
    // SAFETY: the two words of an `any`, which the collector sees; the type is a struct of a
    // string and the number.
    unsafe {
        let v = Iface::from_raw(value[0] as usize, value[1] as usize);
        let t = v.val()?.t;
        let is_one = (t.pkg_path, t.string) == error_text::DEADLOCK;
        is_one.then(|| *((v.data() + 16) as *const u32))
    }
}

/// A method of a panic's value, called to print it, has panicked itself.
unsafe fn printing_failed(g: *mut G) -> ! {
    // SAFETY: as `start`.
    let value = unsafe { State::of(g) }
        .panics
        .last()
        .map_or([0, 0], |p| p.value);
    // SAFETY: the two words of an `any`, which the collector sees.
    let v = unsafe { Iface::from_raw(value[0] as usize, value[1] as usize) };
    match v.val() {
        Some(val) if val.t.string == "string" => {
            gosched_runtime::throw!("panic while printing panic value: {}", val.str().to_text())
        }
        Some(val) => {
            gosched_runtime::throw!("panic while printing panic value: type {}", val.t.string)
        }
        None => gosched_runtime::throw!("panic while printing panic value: type nil"),
    }
}

/// Finds out what the values that are errors or Stringers say of themselves, by calling their
/// methods. Marks what is repeated.
unsafe fn ask_values(g: *mut G) {
    // SAFETY: as `start`; the methods run in a nested run on top of the newest pseudo frame.
    unsafe {
        let n = State::of(g).panics.len();
        for k in (0..n).rev() {
            let state = State::of(g);
            let p = state.panics[k];
            if k > 0 && state.panics[k - 1].value == p.value && !p.is_goexit {
                state.panics[k - 1].is_repanicked = true;
                continue;
            }
            if p.is_goexit || p.value[0] == 0 || fault!(RawPanicValues) {
                continue;
            }
            let t = Ty::from_word(p.value[0]);
            let returns_string = |m: &&rtype::Method| {
                let sig = super::value::deref(m.mtyp);
                sig.ins.is_empty()
                    && sig.outs.len() == 1
                    && super::value::deref(sig.outs[0]).string == "string"
                    && m.func != u32::MAX
            };
            let method = t
                .method("Error", "")
                .filter(returns_string)
                .or_else(|| t.method("String", "").filter(returns_string));
            let Some(method) = method else { continue };
            let mut result = [0; 2];
            match super::call::call_on_panic(
                g,
                CallTarget::Func(method.func),
                &[p.value[1]],
                &mut result,
            ) {
                Ok(()) => {
                    let s = GoStr::from_raw(result[0] as *const u8, result[1] as usize);
                    State::of(g).panics[k].text = Some(s);
                }
                Err(_) => {
                    gosched_runtime::throw!("panic while printing panic value: type {}", t.string)
                }
            }
        }
    }
}

/// Lines after the first are indented, as Go does lest they pass for a traceback.
fn indented(text: GoStr) -> Vec<u8> {
    frame::look_through(text);
    let mut out = Vec::with_capacity(text.len());
    for &b in text.as_bytes() {
        out.push(b);
        if b == b'\n' {
            out.push(b'\t');
        }
    }
    out
}

/// As `printpanicval` prints values that do not speak for themselves.
fn push_value(out: &mut Bytes, v: Iface) {
    let Some(val) = v.val() else {
        out.push_str("nil");
        return;
    };
    let t = val.t;
    if fault!(RawPanicValues) {
        return push_word(out, v, t);
    }
    // Predeclared types have no package.
    let is_plain = t.is_named() && t.pkg_path.is_empty();
    let mut text = Bytes::default();
    match t.kind {
        Kind::Bool => text.push_str(if val.bool() { "true" } else { "false" }),
        Kind::Int | Kind::Int8 | Kind::Int16 | Kind::Int32 | Kind::Int64 => {
            let _ = write!(text, "{}", val.int());
        }
        Kind::Uint | Kind::Uint8 | Kind::Uint16 | Kind::Uint32 | Kind::Uint64 | Kind::Uintptr => {
            let _ = write!(text, "{}", val.uint());
        }
        Kind::Float32 => push_float32(&mut text, val.float() as f32),
        Kind::Float64 => push_float(&mut text, val.float()),
        Kind::Complex64 => {
            let (re, im) = val.complex();
            push_complex64(&mut text, re as f32, im as f32);
        }
        Kind::Complex128 => {
            let (re, im) = val.complex();
            push_complex(&mut text, re, im);
        }
        Kind::String => push_string(&mut text, &val, is_plain),
        _ => return push_word(out, v, t),
    }
    if is_plain || fault!(UntypedPanicValues) {
        out.push_bytes(text.as_bytes());
        return;
    }
    out.push_str(t.string);
    let has_own_brackets = matches!(t.kind, Kind::Complex64 | Kind::Complex128);
    if !has_own_brackets {
        out.push_str("(");
    }
    out.push_bytes(text.as_bytes());
    if !has_own_brackets {
        out.push_str(")");
    }
}

/// A value that cannot be printed: its type and its word of data.
fn push_word(out: &mut Bytes, v: Iface, t: &Rtype) {
    if !fault!(UntypedPanicValues) {
        let _ = write!(out, "({}) ", t.string);
    }
    let _ = write!(out, "{:#x}", v.data());
}

fn push_string(out: &mut Bytes, val: &Val<'_>, is_plain: bool) {
    let s = indented(val.str());
    if is_plain {
        out.push_bytes(&s);
    } else {
        out.push_str("\"");
        out.push_bytes(&s);
        out.push_str("\"");
    }
}

/// A float as `print` prints it: the shortest form, with an exponent from 6 on and below -4.
pub(super) fn push_float(out: &mut Bytes, f: f64) {
    push_digits(out, f, &format!("{f:e}"), &format!("{f}"));
}

/// A float32 as `print` prints it.
pub(super) fn push_float32(out: &mut Bytes, f: f32) {
    push_digits(out, f.into(), &format!("{f:e}"), &format!("{f}"));
}

fn push_digits(out: &mut Bytes, f: f64, scientific: &str, plain: &str) {
    if f.is_nan() {
        out.push_str("NaN");
        return;
    }
    if f.is_infinite() {
        out.push_str(if f > 0.0 { "+Inf" } else { "-Inf" });
        return;
    }
    let (digits, exp) = scientific.split_once('e').unwrap_or((scientific, "0"));
    let exp: i32 = exp.parse().unwrap_or(0);
    if (-4..6).contains(&exp) {
        out.push_str(plain);
    } else {
        let sign = if exp < 0 { '-' } else { '+' };
        let _ = write!(out, "{digits}e{sign}{:02}", exp.abs());
    }
}

/// A complex number as `print` prints it.
pub(super) fn push_complex(out: &mut Bytes, re: f64, im: f64) {
    push_parts(out, |out| push_float(out, re), |out| push_float(out, im));
}

/// A complex64 as `print` prints it.
pub(super) fn push_complex64(out: &mut Bytes, re: f32, im: f32) {
    push_parts(
        out,
        |out| push_float32(out, re),
        |out| push_float32(out, im),
    );
}

fn push_parts(out: &mut Bytes, re: impl FnOnce(&mut Bytes), im: impl FnOnce(&mut Bytes)) {
    out.push_str("(");
    re(out);
    let mut s = Bytes::default();
    im(&mut s);
    if !s.as_bytes().starts_with(b"-") && !s.as_bytes().starts_with(b"+") {
        out.push_str("+");
    }
    out.push_bytes(s.as_bytes());
    out.push_str("i)");
}
