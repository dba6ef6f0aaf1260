#![allow(unsafe_code)]
//! The face that natives see: functions of standard packages whose bodies are Rust.
//!
//! A native has one window on the VM stack of the goroutine: result slots first, then parameters,
//! laid out as `bytecode::abi` lays out any call. [`Cx`] holds that window as an *offset*, since a
//! callback or a park may move the stack, and the M as of now, since either may change it.
//! Arguments are read into owned values before the body runs; what the body returns is written back
//! (`signature`). A body cannot keep a reference into the window.
//!
//! How a native ends is a [`NativeResult`]. What it wants of the VM besides (the value of a panic,
//! what to run when it is woken) stands in the `Cx`, or in `frame::Words` of the G: `resume` and
//! `kept`.
//!
//! # Invariants
//!
//! - N1. `win` lies in the stack of `g`,
//!   with room for the results and parameters of the native that runs.
//! - N2. `m` runs `g` and holds a P, except inside `blocking`.
//! - N3. Allocation never collects, so a Go pointer in a local is safe until the next callback,
//!   block or park; over those it is safe because native stacks are scanned conservatively and
//!   windows precisely.
//! - N4. Memory named by a `GoStr` or a `Slice` is heap or constant memory that outlives the value:
//!   the code that makes one from parts answers for that.
//! - N5. What runs in [`Cx::fenced`] computes and takes Rust memory, nothing else: it takes no
//!   lock, uses no thread-local, calls no system, allocates no Go memory, and does not panic.
//!   Tables that are made at first use are made before. The compiler sees to what it holds and
//!   gives (`Send`, and no `Cx`); for the rest the writer of [`fenced!`](crate::fenced) answers.
//!
//! Go: none; this is where Go has assembly and linknames.

mod memory;
pub mod outside;
mod signature;
pub(super) mod table;
mod values;

use gosched_runtime::YieldKind;
use gosched_runtime::chan::ChanError;
use gosched_runtime::control::operation::Act;
use gosched_runtime::control::{self, tape};
use gosched_runtime::g::{G, WaitReason};
use gosched_runtime::heap::{self, LayoutId};
use gosched_runtime::m::M;
use gosched_runtime::race::{self, Access, Site};
use gosched_runtime::syscall::{self, KernelCall};
use gosched_runtime::{coro, fence, preempt, stw, traceback};

use super::call;
use super::engine;
use super::frame::{Frame, Walk, Words};
use super::synthetic::{self, Synthetic};
use super::value::{Iface, Methods, Val, is_direct, layout_of};
use bytecode::func::{self, FuncInfo};
use bytecode::rtype::{Kind as TypeKind, Rtype};

pub use memory::{Handed, Says, Seen};
pub use signature::{Arg, Body, Finish, Made, Ret, Span, finish, native};
pub use table::name;
pub(crate) use values::layouts;
pub use values::{
    Aside, Cell, Elem, FuncVal, GoStr, Plain, PointerCell, Ptr, PtrTo, Slice, TypeCell,
};

/// Starts a goroutine that calls `f`, on behalf of a timer.
pub fn spawn_for_timer(m: &mut M, f: FuncVal) {
    engine::spawn(m, f.addr(), synthetic::at(Synthetic::GoFunc));
}

/// Starts the first goroutine of a bubble, which calls `f`, for the call behind which `pc` is.
pub fn spawn_in_bubble(m: &mut M, f: FuncVal, pc: usize) {
    engine::spawn(m, f.addr(), pc - 1);
}

/// A native: reads its window through the `Cx`, writes its results there.
pub type NativeFn = fn(&mut Cx) -> NativeResult;

/// How a native keeps others from waiting for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Its work is bounded, or as good as.
    Short,
    /// Its long parts run in [`Cx::fenced`], where a signal suspends them.
    Fenced,
    /// It looks for requests itself: [`Cx::poll`], and before each callback.
    Polling,
    /// It waits in the kernel, as in a system call.
    Blocking,
}

/// Whether tracebacks show the call of a native.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InTraceback {
    Shown,
    /// At GOTRACEBACK=system, as the runtime's other own functions.
    /// Go: runtime/traceback.go, showfuncinfo.
    WithRuntime,
    /// Go's compiler makes an instruction of it.
    Hidden,
}

/// What calls of a native look like from outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Traits {
    pub in_traceback: InTraceback,
    /// Go compiles its calls in place: a nil pointer handed to it is not looked at before its use.
    pub in_place: bool,
    /// How far behind its first argument, a pointer, it touches memory first.
    pub touches: usize,
    /// A traceback that it makes of its own goroutine begins with its caller.
    pub omits_itself: bool,
    /// Goroutines concern each other by it; its first argument says with what.
    pub point: Option<Act>,
}

impl Traits {
    /// Of a native of which nothing else is said.
    pub const PLAIN: Traits = Traits {
        in_traceback: InTraceback::Shown,
        in_place: false,
        touches: 0,
        omits_itself: false,
        point: None,
    };
}

/// Below so many bytes, work is not worth a fence.
const FENCE_FROM: usize = 16 << 10;
/// Bytes copied between two looks for requests.
pub(super) const PIECE: usize = 1 << 20;

/// How a native ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NativeResult {
    /// Results are in the window.
    Ok,
    /// Raise the panic in [`Cx::panic_value`].
    Panic,
    /// The G must leave with `Outcome::Park`; the M's park fields are set. Once woken, the VM calls
    /// the function in `Words::resume` with the same window if there is one, else goes on.
    Park,
    /// Leave with `Outcome::Yield`, then go on (or call the function in `Words::resume`).
    Yield(YieldKind),
    /// Run a forced collection, then go on (or call the function in `Words::resume`).
    Collect,
    /// `runtime.Goexit`.
    Goexit,
    /// A callback was cut through by a panic or Goexit that was dealt with further out.
    Unwind,
}

/// Why a body gave up. Goes outward with `?`.
#[derive(Clone, Copy, Debug)]
pub enum Stop {
    /// The native panics.
    Panic(PanicValue),
    /// See [`NativeResult::Park`].
    Park,
    /// See [`NativeResult::Yield`].
    Yield(YieldKind),
    /// See [`NativeResult::Collect`].
    Collect,
    /// See [`NativeResult::Goexit`].
    Goexit,
    /// See [`NativeResult::Unwind`].
    Unwind,
}

/// A native as the library has it.
#[derive(Debug)]
pub struct NativeEntry {
    /// `strings.Repeat`, `sync.(*Mutex).Lock`
    pub name: String,
    /// How it keeps others from waiting for it.
    pub kind: Kind,
    pub traits: Traits,
    /// The body.
    pub func: NativeFn,
    /// Slots of the results and of the parameters.
    pub slots: (usize, usize),
    /// What is done to the memory of its parameters, as far as it does not tell that itself.
    pub handed: Box<[Handed]>,
}

/// What a native panics with.
#[derive(Clone, Copy, Debug)]
pub enum PanicValue {
    /// A Go string.
    Str(GoStr),
    /// A `runtime.Error`: the text without `runtime error: `.
    Runtime(GoStr),
    /// What a channel operation panics with.
    Chan(ChanError),
    /// A nil dereference: `invalid memory address or nil pointer dereference`.
    NilDeref,
}

/// What a body returns when it can stop.
pub type Res<T> = Result<T, Stop>;

/// A callback's target.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    /// A func value: pointer to `{func index, captures…}`.
    Closure(usize),
    /// An entry of the function table (a method of an itab or an rtype, which takes the data word
    /// first).
    Func(u32),
}

/// [`Cx::fenced`] and [`Cx::string_with`] for files without `unsafe`: whoever writes this word says
/// that what the closure calls keeps to N5.
#[macro_export]
macro_rules! fenced {
    ($cx:expr, $work:expr, $f:expr $(,)?) => {
        // SAFETY: native::N5, by the word.
        unsafe { $cx.fenced($work, $f) }
    };
    ($cx:expr; string $len:expr, $f:expr $(,)?) => {
        // SAFETY: native::N5, by the word.
        unsafe { $cx.string_with($len, $f) }
    };
}

/// The context of a running native.
#[derive(Debug)]
pub struct Cx {
    m: *mut M,
    g: *mut G,
    /// Offset of the window from `g.stack_lo`, bytes.
    win: usize,
    /// Slots of the window in use: results and parameters.
    used: usize,
    panic: Option<PanicValue>,
}

impl Cx {
    /// The context of a native whose window is `win` bytes above the start of `g`'s stack.
    ///
    /// # Safety
    ///
    /// N1 and N2.
    #[inline]
    pub unsafe fn new(m: *mut M, g: *mut G, win: usize) -> Cx {
        Cx {
            m,
            g,
            win,
            used: 0,
            panic: None,
        }
    }

    /// The M that runs the goroutine now. After a call, block or park it may be another one.
    #[inline]
    pub fn m(&mut self) -> &mut M {
        // SAFETY: N2.
        unsafe { &mut *self.m }
    }

    /// As a pointer, for the VM.
    #[inline]
    pub fn m_ptr(&self) -> *mut M {
        self.m
    }

    /// The goroutine.
    #[inline]
    pub fn g(&mut self) -> &mut G {
        // SAFETY: N2.
        unsafe { &mut *self.g }
    }

    /// What the VM keeps in the goroutine's descriptor.
    #[inline]
    fn words(&mut self) -> &mut Words {
        // SAFETY: N2; frame::R3.
        unsafe { &mut *Words::at(self.g) }
    }

    /// As a pointer, for the VM.
    #[inline]
    pub fn g_ptr(&self) -> *mut G {
        self.g
    }

    /// What `Op::UnlockJump` has left in the mutex's word: for `(*sync.Mutex).Unlock`, behind it.
    #[inline]
    pub fn unlocked(&mut self) -> i32 {
        self.words().mutex
    }

    /// Says that another M runs the goroutine now.
    ///
    /// # Safety
    ///
    /// N2.
    #[inline]
    pub(crate) unsafe fn set_m(&mut self, m: *mut M) {
        self.m = m;
    }

    /// Offset of the window from the start of the stack, bytes.
    #[inline]
    pub fn window(&self) -> usize {
        self.win
    }

    /// First byte above the window, as an offset:
    /// where a callback's window (header first) may begin.
    #[inline]
    pub(crate) fn scratch(&self) -> usize {
        self.win + 8 * self.used
    }

    /// Says how many slots of the window are in use, where no types say it.
    pub(crate) fn set_used(&mut self, slots: usize) {
        self.used = slots;
    }

    /// The value of a panic, after [`NativeResult::Panic`].
    #[inline]
    pub(crate) fn panic_value(&self) -> PanicValue {
        self.panic.unwrap_or(PanicValue::NilDeref)
    }

    #[inline]
    fn slot_ptr(&self, at: usize) -> *mut u64 {
        // SAFETY: N1, N2.
        unsafe { ((*self.g).stack_lo + self.win + 8 * at) as *mut u64 }
    }

    /// Slot `at` of the window.
    #[inline]
    pub(crate) fn slot(&self, at: usize) -> u64 {
        debug_assert!(self.used == 0 || at < self.used);
        // SAFETY: N1.
        unsafe { *self.slot_ptr(at) }
    }

    /// Parameter or result at slot `at` of the window, which stays while the goroutine is parked.
    ///
    /// # Safety
    /// There is one of this type.
    #[inline]
    pub unsafe fn at<T: Arg>(&self, at: usize) -> T {
        // SAFETY: the caller's.
        unsafe { T::read(self, at) }
    }

    /// Writes slot `at` of the window.
    #[inline]
    pub(crate) fn set_slot(&mut self, at: usize, v: u64) {
        debug_assert!(self.used == 0 || at < self.used);
        // SAFETY: N1.
        unsafe { *self.slot_ptr(at) = v }
    }

    // ---- memory

    /// Zeroed Go memory.
    #[inline]
    pub fn alloc(&mut self, size: usize, layout: LayoutId) -> *mut u8 {
        heap::alloc(self.m(), size, layout)
    }

    /// A new Go string with these bytes.
    #[inline]
    pub fn string(&mut self, bytes: impl AsRef<[u8]>) -> GoStr {
        let b = bytes.as_ref();
        if b.len() > PIECE {
            return self.copied(b);
        }
        super::string::new(self.m(), b)
    }

    /// A new string with a long text, copied in pieces.
    #[cold]
    fn copied(&mut self, b: &[u8]) -> GoStr {
        let p = heap::alloc_dirty(self.m(), b.len());
        // SAFETY: `b.len()` fresh bytes, held by this frame.
        unsafe {
            self.copy_in(p, b);
            GoStr::from_raw(p, b.len())
        }
    }

    /// Copies `b` to `to`, piece by piece if it is long, with a look for requests after each.
    ///
    /// # Safety
    ///
    /// There is room for `b`, which stays where it is over a suspension:
    /// it is no part of a VM stack.
    unsafe fn copy_in(&mut self, to: *mut u8, b: &[u8]) {
        // They may overlap when a program appends a slice to itself.
        if b.len() <= PIECE || (to as usize).wrapping_sub(b.as_ptr() as usize) < b.len() {
            // SAFETY: the caller's.
            unsafe { std::ptr::copy(b.as_ptr(), to, b.len()) };
            return;
        }
        for (i, piece) in b.chunks(PIECE).enumerate() {
            // SAFETY: the caller's. What overlaps has been read when it is written to.
            unsafe { std::ptr::copy(piece.as_ptr(), to.add(i * PIECE), piece.len()) };
            self.poll();
        }
    }

    /// A new Go string whose bytes `fill` writes, fenced.
    ///
    /// # Safety
    ///
    /// `fill` keeps to N5.
    pub unsafe fn string_with(&mut self, len: usize, fill: impl FnOnce(&mut [u8]) + Send) -> GoStr {
        if len == 0 {
            return GoStr::EMPTY;
        }
        let p = self.alloc(len, LayoutId::NOSCAN);
        // SAFETY: `len` fresh bytes, held by this frame.
        // What `fill` does the caller answers for; then they are not written any more.
        unsafe {
            let bytes = std::slice::from_raw_parts_mut(p, len);
            self.fenced(len, || fill(bytes));
            GoStr::from_raw(p, len)
        }
    }

    /// A new `[]byte`; nil if empty.
    pub fn bytes(&mut self, bytes: &[u8]) -> Slice<u8> {
        self.slice(bytes)
    }

    /// A new slice with these elements; not nil even if empty.
    pub fn slice<T: Elem>(&mut self, elems: &[T]) -> Slice<T> {
        let size = size_of_val(elems);
        let p = self.alloc(size, T::layout()).cast::<T>();
        for (i, piece) in elems.chunks(PIECE / 8).enumerate() {
            // SAFETY: fresh memory of the elements' size. No other goroutine can reach it, so no
            // write barrier is due; this frame holds it.
            unsafe {
                let to = p.add(i * (PIECE / 8));
                std::ptr::copy_nonoverlapping(piece.as_ptr(), to, piece.len());
            }
            if size > PIECE {
                self.poll();
            }
        }
        // SAFETY: N4 — as many elements as were copied.
        unsafe { Slice::from_raw(p, elems.len(), elems.len()) }
    }

    /// A copy of `s`, to be changed and put back.
    pub fn aside<T: Elem>(&mut self, s: Slice<T>) -> Aside<T> {
        Aside {
            of: s,
            copy: self.slice(s.as_slice()),
        }
    }

    /// Puts what has become of a copy into its slice.
    pub fn put_back<T: Elem>(&mut self, aside: Aside<T>) {
        let (to, from) = (aside.of.as_ptr() as usize, aside.copy.as_ptr() as usize);
        let size = aside.copy.len() * size_of::<T>();
        for at in (0..size).step_by(PIECE) {
            let (to, from) = ((to + at) as *mut u8, (from + at) as *const u8);
            // SAFETY: N4 — as many elements as were copied.
            unsafe { heap::copy_typed(T::layout(), to, from, PIECE.min(size - at)) };
            if size > PIECE {
                self.poll();
            }
        }
    }

    /// `make([]T, len, cap)`
    pub fn make<T: Plain>(&mut self, len: usize, cap: usize) -> Res<Slice<T>> {
        // Go: runtime/slice.go, makeslice; the bound is that of its addresses.
        let size = cap.checked_mul(size_of::<T>());
        let Some(size) = size.filter(|n| *n <= 1 << 47) else {
            return self.runtime_error("makeslice: len out of range");
        };
        let p = self.alloc(size, T::layout()).cast::<T>();
        // SAFETY: N4 — fresh memory, in which zeros are values.
        Ok(unsafe { Slice::from_raw(p, len.min(cap), cap) })
    }

    /// `append(b, text...)`
    pub fn append_bytes(&mut self, b: Slice<u8>, text: &[u8]) -> Slice<u8> {
        let len = b.len() + text.len();
        let out = if len <= b.cap() && b.cap() != 0 {
            // SAFETY: the elements are within the capacity.
            unsafe { b.longer(text.len()) }
        } else {
            self.reads(b);
            let cap = heap::round_up_size(super::slice::next_cap(len, b.cap()), true);
            let p = self.alloc(cap, LayoutId::NOSCAN);
            // SAFETY: N4, and fresh memory.
            unsafe {
                self.copy_in(p, b.as_slice());
                Slice::from_raw(p, len, cap)
            }
        };
        // SAFETY: within the capacity.
        let end = unsafe { out.as_ptr().add(b.len()) };
        if out.as_ptr() == b.as_ptr() {
            self.touches(end, text.len(), true);
        }
        // SAFETY: N4 — there is room for `len`.
        unsafe { self.copy_in(end, text) };
        out
    }

    /// Stores in the variable `var` what is in `v`, as its own type or as one of the interface
    /// types that it implements. False: `var` is of another type.
    pub fn assign(&mut self, var: Val<'_>, v: Methods) -> bool {
        let Some(t) = v.rtype() else { return false };
        let (to, data) = (var.addr().cast_mut(), v.data());
        if var.t.kind == TypeKind::Interface {
            let tab = match var.t.imethods {
                [] => std::ptr::from_ref(t) as usize,
                _ => super::iface::itab(var.t, t) as usize,
            };
            if tab != 0 {
                self.touches(to, 16, true);
                // SAFETY: N4 — `var` is a variable of two words.
                unsafe {
                    to.cast::<usize>().write(tab);
                    heap::store_ptr(to.cast::<usize>().add(1), data);
                }
            }
            return tab != 0;
        }
        if !std::ptr::eq(var.t, t) {
            return false;
        }
        self.touches(to, t.size, true);
        let src: *const u8 = if is_direct(t) {
            (&raw const data).cast()
        } else {
            data as *const u8
        };
        // SAFETY: N4 — `var` is a variable of that type, `src` a value of it.
        unsafe { super::slice::move_elems(t, to, src, 1) };
        true
    }

    /// An `any` with the zero value of `t`; of a pointer, with a pointer to a zero value.
    pub fn zero_of(&mut self, t: &'static Rtype) -> Iface {
        let data = match t.kind {
            TypeKind::Pointer => self.alloc(t.elem().size, layout_of(t.elem())) as usize,
            _ if is_direct(t) => 0,
            _ => self.alloc(t.size, layout_of(t)) as usize,
        };
        // SAFETY: value::V1 — fresh memory; all zeros are a value of any type.
        unsafe { Iface::from_raw(std::ptr::from_ref(t) as usize, data) }
    }

    /// Exchanges elements `i` and `j` of a slice.
    pub fn swap_elems(&mut self, slice: Val<'_>, i: usize, j: usize) {
        let (a, b) = (slice.index(i), slice.index(j));
        let n = a.t.size;
        let (mut p, mut q) = (a.addr().cast_mut(), b.addr().cast_mut());
        if p == q {
            return;
        }
        self.touches(p, n, true);
        self.touches(q, n, true);
        // SAFETY: N4 — two distinct elements.
        // What contains pointers is a whole number of aligned words.
        unsafe {
            if a.t.has_pointers() {
                for _ in 0..n / 8 {
                    let (x, y) = (p.cast::<usize>().read(), q.cast::<usize>().read());
                    heap::store_ptr(p.cast(), y);
                    heap::store_ptr(q.cast(), x);
                    p = p.add(8);
                    q = q.add(8);
                }
            } else {
                std::ptr::swap_nonoverlapping(p, q, n);
            }
        }
    }

    // ---- races

    /// Tells the detector of races that the native reads the elements of `s`.
    #[inline]
    pub fn reads<T>(&mut self, s: Slice<T>) {
        self.touches(s.as_ptr(), s.len() * size_of::<T>(), false);
    }

    /// Tells the detector of races that the native writes the elements of `s`.
    #[inline]
    pub fn writes<T>(&mut self, s: Slice<T>) {
        self.touches(s.as_ptr(), s.len() * size_of::<T>(), true);
    }

    /// Tells the detector of races that the native reads `v`: of a slice and the like its own
    /// words, of a map that it looks into it.
    #[inline]
    pub fn reads_value(&mut self, v: Val<'_>) {
        self.touches(v.addr(), v.t.size, false);
        if v.kind() == TypeKind::Map && v.pointer() != 0 {
            self.touches(v.pointer() as *const u8, 8, false);
        }
    }

    /// Tells the detector of races that the native reads the bytes of `v`, as
    /// [`Val::byte_slice`] has them.
    #[inline]
    pub fn reads_bytes(&mut self, v: Val<'_>) {
        let bytes = v.byte_slice();
        self.touches(bytes.as_ptr(), bytes.len(), false);
    }

    /// Tells the detector of races what the native has read.
    pub fn saw(&mut self, seen: Seen) {
        for (at, bytes) in seen.pieces {
            self.touches(at as *const u8, bytes, false);
        }
    }

    /// Tells the detector of races what the native does to so many bytes.
    #[inline]
    pub fn touches<T>(&mut self, at: *const T, bytes: usize, writes: bool) {
        if race::is_on() && bytes != 0 {
            self.tell(Access::plain(at as usize, bytes, writes));
        }
    }

    #[cold]
    fn tell(&mut self, access: Access) {
        // The program's own line says more than ours, of an access in the past above all.
        // SAFETY: N2; there is one P while the detector is on.
        unsafe {
            let site = match self.own_frame() {
                Some(frame) => Site {
                    pc: frame.at(),
                    frame: frame.fp as *const u64,
                },
                None => Site {
                    pc: (*self.g).sched.pc,
                    frame: std::ptr::null(),
                },
            };
            if race::access(self.g, site, access) {
                race::report(self.g, site.pc, access);
            }
        }
    }

    // ---- stopping

    /// Panics with a Go string.
    #[cold]
    pub fn panic<T>(&mut self, text: impl AsRef<[u8]>) -> Res<T> {
        let s = self.string(text);
        Err(Stop::Panic(PanicValue::Str(s)))
    }

    /// Panics with a `runtime.Error`; `text` is without `runtime error: `.
    #[cold]
    pub fn runtime_error<T>(&mut self, text: impl AsRef<[u8]>) -> Res<T> {
        let s = self.string(text);
        Err(Stop::Panic(PanicValue::Runtime(s)))
    }

    /// Ends the program with Go's `fatal error: …`.
    #[cold]
    pub fn fatal(&mut self, text: &str) -> ! {
        gosched_runtime::panic::fatal(format_args!("{text}"))
    }

    // ---- working long

    /// Runs `f` where a signal may suspend the goroutine, if it has more than a little `work`
    /// (bytes, or what takes as long).
    ///
    /// # Safety
    ///
    /// `f` keeps to N5.
    #[inline]
    pub unsafe fn fenced<R: Send>(&mut self, work: usize, f: impl FnOnce() -> R + Send) -> R {
        if work < FENCE_FROM {
            return f();
        }
        // SAFETY: N2, N5.
        let (m, r) = unsafe { fence::run(self.m(), f) };
        let m: *mut M = m;
        self.m = m;
        r
    }

    /// Lets the goroutine leave if it has been asked to. Go pointers must lie where the collector
    /// looks: in the window, on the native stack, or in what those reach.
    #[inline]
    pub fn poll(&mut self) {
        let m: *mut M = fence::poll(self.m());
        self.m = m;
    }

    // ---- waiting

    /// Runs `f`, which may block the thread, as a system call: sysmon may take the P meanwhile. It
    /// waits for `call`, if the kernel has one for that.
    ///
    /// `f` must not touch the goroutine's stack, allocate Go memory or wake anyone.
    pub fn blocking<R>(&mut self, call: KernelCall, f: impl FnOnce() -> R) -> R {
        if tape::is_on() {
            // Nobody takes the P: when the call would come back is not foreseen.
            return f();
        }
        syscall::enter(self.m(), call);
        let r = f();
        let m: *mut M = syscall::exit(self.m());
        self.m = m;
        r
    }

    /// As [`Cx::blocking`], for a call of the kernel, which gives its result or an error number.
    /// One that an interrupt of the goroutine has cut short is `runtime.Goexit`.
    pub fn system_call<T>(
        &mut self,
        call: KernelCall,
        f: impl FnOnce() -> Result<T, i32>,
    ) -> Res<Result<T, i32>> {
        self.waiting_call(call, || false, f)
    }

    /// As both [`Cx::system_call`] and [`Cx::waiting`].
    pub fn waiting_call<T>(
        &mut self,
        call: KernelCall,
        waits: impl FnOnce() -> bool,
        f: impl FnOnce() -> Result<T, i32>,
    ) -> Res<Result<T, i32>> {
        let r = self.waiting(call, waits, f);
        if matches!(r, Err(libc::EINTR)) {
            self.obey_interrupt()?;
        }
        Ok(r)
    }

    /// Where the program itself has called, perhaps through the library, what runs; 0 if nowhere.
    pub fn place(&mut self) -> usize {
        self.own_frame().map_or(0, |f| f.at())
    }

    /// The innermost frame of the program itself.
    fn own_frame(&mut self) -> Option<Frame> {
        let is_own = |info: &FuncInfo| info.flags & func::STD == 0;
        // SAFETY: N2; the goroutine does not interpret while its native runs.
        let mut frames = unsafe { Walk::new(self.g) };
        frames.find(|f| f.info.is_some_and(is_own))
    }

    /// Whether the goroutine is interrupted, so that it is to end as soon as it can.
    #[inline]
    pub fn is_interrupted(&mut self) -> bool {
        preempt::is_interrupted(self.g())
    }

    /// `runtime.Goexit` if the goroutine is interrupted.
    pub fn obey_interrupt(&mut self) -> Res<()> {
        if !preempt::take_interrupt(self.g()) {
            return Ok(());
        }
        preempt::take_insistence(self.g());
        Err(Stop::Goexit)
    }

    /// As [`Cx::blocking`], giving the P away at once: the call is known to wait.
    pub fn blocking_long<R>(&mut self, call: KernelCall, f: impl FnOnce() -> R) -> R {
        // Where time is virtual the P is only taken from a call that sleeps.
        if tape::is_on() || control::is_virtual() {
            return self.blocking(call, f);
        }
        syscall::enter_block(self.m(), call);
        let r = f();
        let m: *mut M = syscall::exit(self.m());
        self.m = m;
        r
    }

    /// Leaves to wait where the runtime has already called `M::park`: return this from the body.
    /// Once woken, `resume` runs with the same window.
    #[inline]
    pub fn parked<T>(&mut self, resume: Option<NativeFn>) -> Res<T> {
        self.words().resume = resume;
        Err(Stop::Park)
    }

    /// Lets others run; `resume` as in [`Cx::parked`].
    #[inline]
    pub fn yield_now<T>(&mut self, kind: YieldKind, resume: Option<NativeFn>) -> Res<T> {
        self.words().resume = resume;
        Err(Stop::Yield(kind))
    }

    /// Word `i` of what a native keeps over its park.
    #[inline]
    pub fn state(&mut self, i: usize) -> usize {
        self.words().kept[i]
    }

    /// Sets word `i` of what a native keeps over its park.
    #[inline]
    pub fn set_state(&mut self, i: usize, v: usize) {
        self.words().kept[i] = v;
    }

    /// Runs what may come back on another M.
    pub fn switching<R>(&mut self, f: impl FnOnce(&mut M) -> (&mut M, R)) -> R {
        let (m, r) = f(self.m());
        let m: *mut M = m;
        self.m = m;
        r
    }

    /// The native stack, if there is little left of it.
    #[inline]
    pub fn low_stack(&mut self) -> Option<NativeStack> {
        coro::native_low(self.m()).then_some(NativeStack(self.m))
    }

    /// Asks for the world, to stop it with [`stw::in_turn`] or what stands on that. If another
    /// goroutine has it, this one waits, and then `resume` runs with the same window and the world
    /// its own.
    pub fn take_world(&mut self, resume: NativeFn) -> Res<()> {
        match stw::begin(self.m(), stw::Want::Stop, WaitReason::Semacquire) {
            stw::Turn::Ours => Ok(()),
            stw::Turn::Wait => self.parked(Some(resume)),
        }
    }

    /// Leaves for a forced collection. When it has ended, `resume` runs with the same window.
    pub fn collect<T>(&mut self, resume: NativeFn) -> Res<T> {
        self.words().resume = Some(resume);
        Err(Stop::Collect)
    }

    /// The text of `runtime.Stack` for the goroutine.
    pub fn stack_text(&mut self) -> String {
        traceback::stack_text(self.m(), false, usize::MAX)
    }

    /// The text of `runtime.Stack` for all goroutines, or `max` bytes of it and perhaps more.
    /// The world is the goroutine's.
    pub fn all_stacks_in_turn(&mut self, max: usize) -> String {
        let mut text = String::new();
        stw::in_turn(self.m(), "stack trace", &mut |m| {
            text = traceback::stack_text(m, true, max)
        });
        text
    }

    /// Return addresses of at most `max` callers, innermost first,
    /// after `skip` (1 is the function that called the native).
    pub fn callers(&mut self, skip: usize, max: usize) -> Vec<u64> {
        // SAFETY: N2 — `g` runs, and its registers were saved before it called the native.
        unsafe { super::traceback::callers(&*self.g, skip, max) }
    }

    // ---- calling back

    /// Calls a func value. `args` are the parameter slots, `results` receives the result slots.
    ///
    /// The Go code may park, and the goroutine may wake on another M.
    ///
    /// # Safety
    ///
    /// `args` are as the parameters of `f`, and `results` has room for its results.
    pub unsafe fn call(&mut self, f: FuncVal, args: &[u64], results: &mut [u64]) -> Res<()> {
        if f.is_nil() {
            return Err(Stop::Panic(PanicValue::NilDeref));
        }
        call::from_native(self, Target::Closure(f.addr()), args, results)
    }
}

/// The coroutine that a native runs on, for recursions whose closures hold the [`Cx`] themselves.
#[derive(Clone, Copy, Debug)]
pub struct NativeStack(*mut M);

impl NativeStack {
    /// Goes on with a native recursion on a fresh stack; dies with Go's stack overflow when the
    /// goroutine has had its share.
    pub fn with_more<R>(self, f: impl FnOnce() -> R) -> R {
        // SAFETY: N2 — made from a live `Cx` by the frame that calls this;
        // the borrow ends before `f` runs.
        match coro::with_more_stack(unsafe { &mut *self.0 }, f) {
            Ok(r) => r,
            // SAFETY: N2 — nothing has run since.
            Err(_) => gosched_runtime::stack::native_overflow(unsafe { &mut *self.0 }),
        }
    }
}
