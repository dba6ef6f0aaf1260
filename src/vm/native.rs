#![allow(unsafe_code)]
//! The face that natives see: functions of standard packages whose bodies are Rust.
//!
//! A native has one window on the VM stack of the goroutine: result slots first, then parameters, laid out as
//! `bytecode::abi` lays out any call. [`Cx`] holds that window as an *offset*, since a callback or a park may move
//! the stack, and the M as of now, since either may change it. Arguments are read into owned values before the body
//! runs; what the body returns is written back. A body cannot keep a reference into the window.
//!
//! How a native ends is a [`NativeResult`]. What it wants of the VM besides (the value of a panic, what to run when
//! it is woken) stands in the `Cx`, or in the words of the G that [`RESUME_WORD`] and [`STATE_WORDS`] name.
//!
//! # Invariants
//!
//! - N1. `win` lies in the stack of `g`, with room for the results and parameters of the native that runs.
//! - N2. `m` runs `g` and holds a P, except inside `blocking`.
//! - N3. Allocation never collects, so a Go pointer in a local is safe until the next callback, block or park; over
//!   those it is safe because native stacks are scanned conservatively and windows precisely.
//! - N4. Memory named by a `GoStr` or a `Slice` is heap or constant memory that outlives the value: whoever makes
//!   one from parts answers for that.
//! - N5. What runs in [`Cx::fenced`] computes and takes Rust memory, nothing else; the closure cannot reach the `Cx`.
//!   Tables that are made at first use are made before.
//!
//! Go: none; this is where Go has assembly and linknames.

use gosched_runtime::YieldKind;
use gosched_runtime::g::{G, WaitReason};
use gosched_runtime::heap::{self, LayoutId};
use gosched_runtime::m::{Commit, M};
use gosched_runtime::sync::Lock;
use gosched_runtime::{coro, fence, stw, syscall, traceback};
use std::sync::OnceLock;

use super::value::{Iface, Val, is_direct, layouts};

/// A native: reads its window through the `Cx`, writes its results there.
pub type NativeFn = fn(&mut Cx) -> NativeResult;

/// The word of `G::vm` that holds the [`NativeFn`] to call when a G parked by a native is woken; 0 is none.
pub const RESUME_WORD: usize = 12;
/// The words of `G::vm` that a native may use between its park and the resume function.
pub const STATE_WORDS: std::ops::Range<usize> = 13..16;

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
    /// The G must leave with `Outcome::Park`; the M's park fields are set. Once woken, the VM calls the function in
    /// [`RESUME_WORD`] with the same window if there is one, else goes on.
    Park,
    /// Leave with `Outcome::Yield`, then go on (or call the function in [`RESUME_WORD`]).
    Yield(YieldKind),
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
    /// See [`NativeResult::Goexit`].
    Goexit,
    /// See [`NativeResult::Unwind`].
    Unwind,
}

/// What a native panics with.
#[derive(Clone, Copy, Debug)]
pub enum PanicValue {
    /// A Go string.
    Str(GoStr),
    /// A `runtime.Error`: the text without `runtime error: `.
    Runtime(GoStr),
    /// A `runtime.Error` whose text has no prefix (`runtime.plainError`).
    Plain(GoStr),
    /// An `error` made by `errors.New`.
    Error(GoStr),
    /// A nil dereference: `invalid memory address or nil pointer dereference`.
    NilDeref,
    /// Any other value.
    Value(Iface),
}

/// What a body returns when it can stop.
pub type Res<T> = Result<T, Stop>;

/// A callback's target.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    /// A func value: pointer to `{func index, captures…}`.
    Closure(usize),
    /// An entry of the function table (a method of an itab or an rtype, which takes the data word first).
    Func(u32),
}

/// The VM's way to run Go code on top of a native: lays `args` in a window at [`Cx::scratch`], runs the target to its
/// end and copies `results` out. Set once by the VM.
pub type CallHook = fn(cx: &mut Cx, target: Target, args: &[u64], results: &mut [u64]) -> Res<()>;

static CALL: OnceLock<CallHook> = OnceLock::new();

/// Tells natives how to call back. Called once, before any goroutine runs.
pub fn set_call_hook(hook: CallHook) {
    let _ = CALL.set(hook);
}

/// The VM's way to walk a goroutine's frames: return addresses of Go functions (wrappers left out), innermost first.
pub type CallersHook = fn(g: *const G, skip: usize, max: usize) -> Vec<u64>;

static CALLERS: OnceLock<CallersHook> = OnceLock::new();

/// Tells natives how to walk frames. Called once, before any goroutine runs.
pub fn set_callers_hook(hook: CallersHook) {
    let _ = CALLERS.set(hook);
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

    /// As a pointer, for the VM.
    #[inline]
    pub fn g_ptr(&self) -> *mut G {
        self.g
    }

    /// Says that another M runs the goroutine now.
    ///
    /// # Safety
    ///
    /// N2.
    #[inline]
    pub unsafe fn set_m(&mut self, m: *mut M) {
        self.m = m;
    }

    /// Offset of the window from the start of the stack, bytes.
    #[inline]
    pub fn window(&self) -> usize {
        self.win
    }

    /// First byte above the window, as an offset: where a callback's window (header first) may begin.
    #[inline]
    pub fn scratch(&self) -> usize {
        self.win + 8 * self.used
    }

    /// The value of a panic, after [`NativeResult::Panic`].
    #[inline]
    pub fn panic_value(&self) -> PanicValue {
        self.panic.unwrap_or(PanicValue::NilDeref)
    }

    #[inline]
    fn slot_ptr(&self, at: usize) -> *mut u64 {
        // SAFETY: N1, N2.
        unsafe { ((*self.g).stack_lo + self.win + 8 * at) as *mut u64 }
    }

    /// Slot `at` of the window.
    #[inline]
    pub fn slot(&self, at: usize) -> u64 {
        debug_assert!(self.used == 0 || at < self.used);
        // SAFETY: N1.
        unsafe { *self.slot_ptr(at) }
    }

    /// Writes slot `at` of the window.
    #[inline]
    pub fn set_slot(&mut self, at: usize, v: u64) {
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
            let ptr = self.copied(b);
            return GoStr { ptr, len: b.len() };
        }
        super::string::new(self.m(), b)
    }

    /// Fresh memory with a long text, copied in pieces.
    #[cold]
    fn copied(&mut self, b: &[u8]) -> *mut u8 {
        let p = heap::alloc_dirty(self.m(), b.len());
        // SAFETY: `b.len()` fresh bytes, held by this frame.
        unsafe { self.copy_in(p, b) };
        p
    }

    /// Copies `b` to `to`, piece by piece if it is long, with a look for requests after each.
    ///
    /// # Safety
    ///
    /// There is room for `b`, which stays where it is over a suspension: it is no part of a VM stack.
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

    /// A new Go string whose bytes `fill` writes.
    pub fn string_with(&mut self, len: usize, fill: impl FnOnce(&mut [u8])) -> GoStr {
        if len == 0 {
            return GoStr::EMPTY;
        }
        let p = self.alloc(len, LayoutId::NOSCAN);
        // SAFETY: `len` fresh bytes, held by this frame.
        let bytes = unsafe { std::slice::from_raw_parts_mut(p, len) };
        self.fenced(len, || fill(bytes));
        GoStr { ptr: p, len }
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
            // SAFETY: fresh memory of the elements' size. Nobody else can reach it, so no write barrier is due; this frame holds it.
            unsafe {
                let to = p.add(i * (PIECE / 8));
                std::ptr::copy_nonoverlapping(piece.as_ptr(), to, piece.len());
            }
            if size > PIECE {
                self.poll();
            }
        }
        Slice {
            ptr: p,
            len: elems.len(),
            cap: elems.len(),
        }
    }

    /// `append(b, text...)`
    pub fn append_bytes(&mut self, b: Slice<u8>, text: &[u8]) -> Slice<u8> {
        let len = b.len + text.len();
        let out = if len <= b.cap && b.cap != 0 {
            Slice {
                ptr: b.ptr,
                len,
                cap: b.cap,
            }
        } else {
            let cap = heap::round_up_size(super::slice::next_cap(len, b.cap), true);
            let p = self.alloc(cap, LayoutId::NOSCAN);
            // SAFETY: N4, and fresh memory.
            unsafe { self.copy_in(p, b.as_slice()) };
            Slice { ptr: p, len, cap }
        };
        // SAFETY: N4 — there is room for `len`.
        unsafe { self.copy_in(out.ptr.add(b.len), text) };
        out
    }

    /// Stores an interface value in the variable `var`, which is of interface type.
    pub fn store_iface(&mut self, var: Val<'_>, v: Iface) {
        let p = var.addr().cast_mut().cast::<usize>();
        // SAFETY: N4 — `var` is a variable of two words.
        unsafe {
            p.write(v.tab);
            heap::store_ptr(p.add(1), v.data);
        }
    }

    /// Stores in the variable `var` the value whose interface data word is `data`.
    pub fn store_data_word(&mut self, var: Val<'_>, data: usize) {
        let t = var.t;
        let src: *const u8 = if is_direct(t) {
            (&raw const data).cast()
        } else {
            data as *const u8
        };
        // SAFETY: N4 — `var` is a variable of that type, `src` a value of it.
        unsafe { super::slice::move_elems(t, var.addr().cast_mut(), src, 1) };
    }

    /// Exchanges elements `i` and `j` of a slice.
    pub fn swap_elems(&mut self, slice: Val<'_>, i: usize, j: usize) {
        let (a, b) = (slice.index(i), slice.index(j));
        let n = a.t.size;
        let (mut p, mut q) = (a.addr().cast_mut(), b.addr().cast_mut());
        if p == q {
            return;
        }
        // SAFETY: N4 — two distinct elements. What contains pointers is a whole number of aligned words.
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

    /// Panics with an error as `errors.New` makes them.
    #[cold]
    pub fn panic_error<T>(&mut self, text: impl AsRef<[u8]>) -> Res<T> {
        let s = self.string(text);
        Err(Stop::Panic(PanicValue::Error(s)))
    }

    /// Ends the program with Go's `fatal error: …`.
    #[cold]
    pub fn fatal(&mut self, text: &str) -> ! {
        gosched_runtime::panic::fatal(format_args!("{text}"))
    }

    // ---- working long

    /// Runs `f` where a signal may suspend the goroutine, if it has more than a little `work` (bytes, or what takes as
    /// long). `f` keeps to N5: it computes and takes Rust memory, and uses no lock, no thread-local, no system call.
    #[inline]
    pub fn fenced<R>(&mut self, work: usize, f: impl FnOnce() -> R) -> R {
        if work < FENCE_FROM {
            return f();
        }
        // SAFETY: N2, N5.
        let (m, r) = unsafe { fence::run(self.m(), f) };
        let m: *mut M = m;
        self.m = m;
        r
    }

    /// Lets the goroutine leave if it has been asked to. Go pointers must lie where the collector looks: in the window, on
    /// the native stack, or in what those reach.
    #[inline]
    pub fn poll(&mut self) {
        let m: *mut M = fence::poll(self.m());
        self.m = m;
    }

    // ---- waiting

    /// Runs `f`, which may block the thread, as a system call: sysmon may take the P meanwhile.
    ///
    /// `f` must not touch the goroutine's stack, allocate Go memory or wake anyone.
    pub fn blocking<R>(&mut self, f: impl FnOnce() -> R) -> R {
        syscall::enter(self.m());
        let r = f();
        let m: *mut M = syscall::exit(self.m());
        self.m = m;
        r
    }

    /// As [`Cx::blocking`], giving the P away at once: the call is known to wait.
    pub fn blocking_long<R>(&mut self, f: impl FnOnce() -> R) -> R {
        syscall::enter_block(self.m());
        let r = f();
        let m: *mut M = syscall::exit(self.m());
        self.m = m;
        r
    }

    /// Parks the goroutine: return this from the body. Once woken, `resume` runs with the same window.
    #[inline]
    pub fn park<T>(
        &mut self,
        commit: Option<Commit>,
        lock: usize,
        why: WaitReason,
        resume: Option<NativeFn>,
    ) -> Res<T> {
        self.m().park(commit, lock, why);
        self.parked(resume)
    }

    /// As [`Cx::park`], releasing `lock` once the goroutine is marked waiting.
    #[inline]
    pub fn park_unlock<T>(
        &mut self,
        lock: &Lock,
        why: WaitReason,
        resume: Option<NativeFn>,
    ) -> Res<T> {
        self.m().park_unlock(lock, why);
        self.parked(resume)
    }

    /// Leaves to wait where the runtime has already called `M::park`.
    #[inline]
    pub fn parked<T>(&mut self, resume: Option<NativeFn>) -> Res<T> {
        self.g().vm[RESUME_WORD] = resume.map_or(0, |f| f as usize);
        Err(Stop::Park)
    }

    /// Lets others run; `resume` as in [`Cx::park`].
    #[inline]
    pub fn yield_now<T>(&mut self, kind: YieldKind, resume: Option<NativeFn>) -> Res<T> {
        self.g().vm[RESUME_WORD] = resume.map_or(0, |f| f as usize);
        Err(Stop::Yield(kind))
    }

    /// Word `i` of what a native keeps over its park.
    #[inline]
    pub fn state(&mut self, i: usize) -> usize {
        self.g().vm[STATE_WORDS.start + i]
    }

    /// Sets word `i` of what a native keeps over its park.
    #[inline]
    pub fn set_state(&mut self, i: usize, v: usize) {
        self.g().vm[STATE_WORDS.start + i] = v;
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

    /// The text of `runtime.Stack`.
    pub fn stack_text(&mut self, all: bool) -> String {
        if !all {
            return traceback::stack_text(self.m(), false);
        }
        let mut text = String::new();
        let m: *mut M = stw::stopped(self.m(), "stack trace", &mut |m| {
            text = traceback::stack_text(m, true)
        });
        self.m = m;
        text
    }

    /// Return addresses of at most `max` callers, innermost first, after `skip` (1 is the function that called the native).
    pub fn callers(&mut self, skip: usize, max: usize) -> Vec<u64> {
        match CALLERS.get() {
            Some(walk) => walk(self.g, skip, max),
            None => Vec::new(),
        }
    }

    // ---- calling back

    /// Calls a func value. `args` are the parameter slots, `results` receives the result slots.
    ///
    /// The Go code may park, and the goroutine may wake on another M.
    pub fn call(&mut self, f: FuncVal, args: &[u64], results: &mut [u64]) -> Res<()> {
        if f.0 == 0 {
            return Err(Stop::Panic(PanicValue::NilDeref));
        }
        self.call_target(Target::Closure(f.0), args, results)
    }

    /// Calls a function of the function table, such as a method of an rtype: the receiver's data word comes first.
    pub fn call_func(&mut self, func: u32, args: &[u64], results: &mut [u64]) -> Res<()> {
        self.call_target(Target::Func(func), args, results)
    }

    fn call_target(&mut self, t: Target, args: &[u64], results: &mut [u64]) -> Res<()> {
        match CALL.get() {
            Some(hook) => hook(self, t, args, results),
            None => gosched_runtime::throw!("native callback before the VM has started"),
        }
    }
}

/// A Go string.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct GoStr {
    /// First byte; anything if `len` is 0.
    pub ptr: *const u8,
    /// Length in bytes.
    pub len: usize,
}

/// Where empty slices lie. At the address that `&[]` has there is no memory, and libc's comparison of nothing at such an address
/// takes 300 ns: its masked loads are suppressed faults.
#[repr(align(64))]
struct Nothing([u8; 64]);

static NOTHING: Nothing = Nothing([0; 64]);

impl Nothing {
    #[inline]
    fn of<T>(&'static self) -> &'static [T] {
        const { assert!(align_of::<T>() <= 64) };
        // SAFETY: aligned, and nothing is read.
        unsafe { std::slice::from_raw_parts(self.0.as_ptr().cast(), 0) }
    }
}

impl GoStr {
    /// `""`
    pub const EMPTY: GoStr = GoStr {
        ptr: std::ptr::null(),
        len: 0,
    };

    /// Of static text.
    pub const fn from_static(s: &'static str) -> GoStr {
        GoStr {
            ptr: s.as_ptr(),
            len: s.len(),
        }
    }

    /// Its bytes.
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        if self.len == 0 {
            return NOTHING.of();
        }
        // SAFETY: N4.
        unsafe { std::slice::from_raw_parts(self.ptr, self.len) }
    }

    /// As Rust text, bad bytes replaced.
    pub fn to_text(&self) -> String {
        String::from_utf8_lossy(self.as_bytes()).into_owned()
    }

    /// `s[from..to]`, sharing memory. The bounds are checked.
    #[inline]
    pub fn sub(&self, from: usize, to: usize) -> GoStr {
        assert!(from <= to && to <= self.len);
        if from == to {
            return GoStr::EMPTY;
        }
        // SAFETY: inside the string.
        let ptr = unsafe { self.ptr.add(from) };
        GoStr {
            ptr,
            len: to - from,
        }
    }
}

/// A type that can be the element of a [`Slice`] which natives read.
pub trait Elem: Copy + 'static {
    /// Its layout.
    fn layout() -> LayoutId;
}

macro_rules! noscan_elems { ($($t:ty)*) => { $(impl Elem for $t { fn layout() -> LayoutId { LayoutId::NOSCAN } })* } }
noscan_elems!(bool u8 i8 u16 i16 u32 i32 u64 i64 usize f32 f64);

impl Elem for GoStr {
    fn layout() -> LayoutId {
        layouts::string()
    }
}

impl Elem for Iface {
    fn layout() -> LayoutId {
        layouts::iface()
    }
}

impl<T: Elem> Elem for Slice<T> {
    fn layout() -> LayoutId {
        layouts::slice()
    }
}

/// A Go slice.
#[repr(C)]
#[derive(Debug)]
pub struct Slice<T> {
    /// First element, null for nil.
    pub ptr: *mut T,
    /// Length in elements.
    pub len: usize,
    /// Capacity in elements.
    pub cap: usize,
}

impl<T> Clone for Slice<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Slice<T> {}

impl<T: Elem> Slice<T> {
    /// nil
    pub const NIL: Slice<T> = Slice {
        ptr: std::ptr::null_mut(),
        len: 0,
        cap: 0,
    };

    /// Its elements.
    #[inline]
    pub fn as_slice(&self) -> &[T] {
        if self.len == 0 {
            return NOTHING.of();
        }
        // SAFETY: N4.
        unsafe { std::slice::from_raw_parts(self.ptr, self.len) }
    }

    /// Its elements, to be changed in place. Only for pointer-free elements, or to permute them.
    #[inline]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        if self.len == 0 {
            return &mut [];
        }
        // SAFETY: N4. Go allows others to see the same memory: a race there is the program's.
        unsafe { std::slice::from_raw_parts_mut(self.ptr, self.len) }
    }

    /// `s[from..to]` with the capacity that remains. The bounds are checked.
    #[inline]
    pub fn sub(&self, from: usize, to: usize) -> Slice<T> {
        assert!(from <= to && to <= self.cap);
        if self.cap == from {
            return Slice {
                ptr: self.ptr,
                len: 0,
                cap: 0,
            };
        }
        // SAFETY: inside the slice's memory.
        let ptr = unsafe { self.ptr.add(from) };
        Slice {
            ptr,
            len: to - from,
            cap: self.cap - from,
        }
    }
}

/// A func value: a pointer to `{func index, captures…}`, 0 for nil.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FuncVal(pub usize);

/// A pointer to Go memory, perhaps nil.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ptr(pub usize);

macro_rules! ptr_cells {
    ($($name:ident -> $t:ty, $zero:expr;)*) => { impl Ptr {
        $(
            /// The word `off` bytes above it, as an atomic; nil panics as Go does.
            #[inline]
            pub fn $name(&self, off: usize) -> Res<&$t> {
                if self.0 == 0 {
                    return Err(Stop::Panic(PanicValue::NilDeref));
                }
                debug_assert!((self.0 + off).is_multiple_of(align_of::<$t>()));
                // SAFETY: N4 — the checker has given the parameter a type which has such a word there.
                Ok(unsafe { &*((self.0 + off) as *const $t) })
            }
        )*
    } };
}
ptr_cells! {
    a32 -> std::sync::atomic::AtomicU32, 0;
    a64 -> std::sync::atomic::AtomicU64, 0;
    a8 -> std::sync::atomic::AtomicU8, 0;
}

impl Ptr {
    /// Exchanges the pointer there for `v`, as an atomic does.
    #[inline]
    pub fn swap_pointer(&self, v: u64) -> Res<u64> {
        let at = self.check()? as *mut usize;
        // SAFETY: N4 — the checker has given the parameter the type of a pointer to a pointer.
        Ok(unsafe { heap::swap_ptr(at, v as usize) } as u64)
    }

    /// Stores the pointer `new` there if `old` is there, as an atomic does.
    #[inline]
    pub fn cas_pointer(&self, old: u64, new: u64) -> Res<bool> {
        let at = self.check()? as *mut usize;
        // SAFETY: as above.
        Ok(unsafe { heap::cas_ptr(at, old as usize, new as usize) })
    }

    /// Fails as a nil dereference does if it is nil.
    #[inline]
    pub fn check(&self) -> Res<usize> {
        if self.0 == 0 {
            Err(Stop::Panic(PanicValue::NilDeref))
        } else {
            Ok(self.0)
        }
    }
}

/// The coroutine that a native runs on, for recursions whose closures hold the [`Cx`] themselves.
#[derive(Clone, Copy, Debug)]
pub struct NativeStack(*mut M);

impl NativeStack {
    /// Goes on with a native recursion on a fresh stack; dies with Go's stack overflow when the goroutine has had its share.
    pub fn with_more<R>(self, f: impl FnOnce() -> R) -> R {
        // SAFETY: N2 — made from a live `Cx` by the frame that calls this; the borrow ends before `f` runs.
        match coro::with_more_stack(unsafe { &mut *self.0 }, f) {
            Ok(r) => r,
            // SAFETY: N2 — nothing has run since.
            Err(_) => gosched_runtime::stack::native_overflow(unsafe { &mut *self.0 }),
        }
    }
}

/// What a parameter can be read as.
pub trait Arg: Sized {
    /// Slots it takes.
    const SLOTS: usize;
    /// Reads it at slot `at`.
    fn read(cx: &Cx, at: usize) -> Self;
}

/// What a result can be written from.
pub trait Ret: Sized {
    /// Slots it takes.
    const SLOTS: usize;
    /// Writes it at slot `at`.
    fn write(self, cx: &mut Cx, at: usize);
}

macro_rules! scalars {
    ($($t:ty: $r:ident => $read:expr, $w:ident => $write:expr;)*) => { $(
        impl Arg for $t {
            const SLOTS: usize = 1;
            #[inline]
            fn read(cx: &Cx, at: usize) -> $t { let $r = cx.slot(at); $read }
        }
        impl Ret for $t {
            const SLOTS: usize = 1;
            #[inline]
            fn write(self, cx: &mut Cx, at: usize) { let $w = self; cx.set_slot(at, $write) }
        }
    )* };
}
scalars! {
    bool: r => r as u8 != 0, w => u64::from(w);
    i8: r => r as i8, w => w as i64 as u64;
    i16: r => r as i16, w => w as i64 as u64;
    i32: r => r as i32, w => w as i64 as u64;
    i64: r => r as i64, w => w as u64;
    u8: r => r as u8, w => u64::from(w);
    u16: r => r as u16, w => u64::from(w);
    u32: r => r as u32, w => u64::from(w);
    u64: r => r, w => w;
    usize: r => r as usize, w => w as u64;
    f32: r => f32::from_bits(r as u32), w => u64::from(w.to_bits());
    f64: r => f64::from_bits(r), w => w.to_bits();
    FuncVal: r => FuncVal(r as usize), w => w.0 as u64;
    Ptr: r => Ptr(r as usize), w => w.0 as u64;
}

impl Arg for GoStr {
    const SLOTS: usize = 2;
    #[inline]
    fn read(cx: &Cx, at: usize) -> GoStr {
        GoStr {
            ptr: cx.slot(at) as *const u8,
            len: cx.slot(at + 1) as usize,
        }
    }
}

impl Ret for GoStr {
    const SLOTS: usize = 2;
    #[inline]
    fn write(self, cx: &mut Cx, at: usize) {
        cx.set_slot(at, self.ptr as u64);
        cx.set_slot(at + 1, self.len as u64);
    }
}

impl Arg for Iface {
    const SLOTS: usize = 2;
    #[inline]
    fn read(cx: &Cx, at: usize) -> Iface {
        Iface {
            tab: cx.slot(at) as usize,
            data: cx.slot(at + 1) as usize,
        }
    }
}

impl Ret for Iface {
    const SLOTS: usize = 2;
    #[inline]
    fn write(self, cx: &mut Cx, at: usize) {
        cx.set_slot(at, self.tab as u64);
        cx.set_slot(at + 1, self.data as u64);
    }
}

impl<T> Arg for Slice<T> {
    const SLOTS: usize = 3;
    #[inline]
    fn read(cx: &Cx, at: usize) -> Slice<T> {
        Slice {
            ptr: cx.slot(at) as *mut T,
            len: cx.slot(at + 1) as usize,
            cap: cx.slot(at + 2) as usize,
        }
    }
}

impl<T> Ret for Slice<T> {
    const SLOTS: usize = 3;
    #[inline]
    fn write(self, cx: &mut Cx, at: usize) {
        cx.set_slot(at, self.ptr as u64);
        cx.set_slot(at + 1, self.len as u64);
        cx.set_slot(at + 2, self.cap as u64);
    }
}

impl Ret for () {
    const SLOTS: usize = 0;
    #[inline]
    fn write(self, _: &mut Cx, _: usize) {}
}

/// A function that does not come back.
impl Ret for std::convert::Infallible {
    const SLOTS: usize = 0;
    fn write(self, _: &mut Cx, _: usize) {}
}

macro_rules! tuples {
    ($(($($t:ident $i:tt),*))*) => { $(
        impl<$($t: Ret),*> Ret for ($($t,)*) {
            const SLOTS: usize = 0 $(+ $t::SLOTS)*;
            #[inline]
            #[allow(unused_assignments, reason = "the last advance of the cursor")]
            fn write(self, cx: &mut Cx, mut at: usize) {
                $( self.$i.write(cx, at); at += $t::SLOTS; )*
            }
        }
    )* };
}
tuples! { (A 0, B 1) (A 0, B 1, C 2) (A 0, B 1, C 2, D 3) (A 0, B 1, C 2, D 3, E 4) (A 0, B 1, C 2, D 3, E 4, F 5)
(A 0, B 1, C 2, D 3, E 4, F 5, G 6) (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7) }

/// What a body may return: a result, or a [`Res`] of one.
pub trait Finish {
    /// Slots of the results.
    const SLOTS: usize;
    /// Writes the results or says why there are none.
    fn finish(self, cx: &mut Cx) -> NativeResult;
}

impl<T: Ret> Finish for T {
    const SLOTS: usize = T::SLOTS;
    #[inline]
    fn finish(self, cx: &mut Cx) -> NativeResult {
        self.write(cx, 0);
        NativeResult::Ok
    }
}

impl<T: Ret> Finish for Res<T> {
    const SLOTS: usize = T::SLOTS;
    #[inline]
    fn finish(self, cx: &mut Cx) -> NativeResult {
        match self {
            Ok(v) => {
                v.write(cx, 0);
                NativeResult::Ok
            }
            Err(stop) => stopped(cx, stop),
        }
    }
}

/// Ends a native outside a body: see [`Finish`].
pub fn finish(r: impl Finish, cx: &mut Cx) -> NativeResult {
    r.finish(cx)
}

#[cold]
fn stopped(cx: &mut Cx, stop: Stop) -> NativeResult {
    match stop {
        Stop::Panic(v) => {
            cx.panic = Some(v);
            NativeResult::Panic
        }
        Stop::Park => NativeResult::Park,
        Stop::Yield(kind) => NativeResult::Yield(kind),
        Stop::Goexit => NativeResult::Goexit,
        Stop::Unwind => NativeResult::Unwind,
    }
}

/// A body: a closure over the `Cx` and typed arguments. `A` is the tuple of their types.
pub trait Body<A> {
    /// Slots of the results and of the parameters.
    const SLOTS: (usize, usize);
    /// Reads the arguments, runs, writes the results.
    fn invoke(&self, cx: &mut Cx) -> NativeResult;
}

macro_rules! bodies {
    ($(($($t:ident $v:ident),*))*) => { $(
        impl<Func, Out: Finish, $($t: Arg),*> Body<($($t,)*)> for Func
        where
            Func: Fn(&mut Cx, $($t),*) -> Out,
        {
            const SLOTS: (usize, usize) = (Out::SLOTS, 0 $(+ $t::SLOTS)*);
            #[inline]
            #[allow(unused_mut, unused_variables, unused_assignments, reason = "without parameters there is no cursor")]
            fn invoke(&self, cx: &mut Cx) -> NativeResult {
                let mut at = Out::SLOTS;
                $( let $v = $t::read(cx, at); at += $t::SLOTS; )*
                cx.used = at;
                self(cx, $($v),*).finish(cx)
            }
        }
    )* };
}
bodies! { () (A a) (A a, B b) (A a, B b, C c) (A a, B b, C c, D d) (A a, B b, C c, D d, E e)
(A a, B b, C c, D d, E e, F f) (A a, B b, C c, D d, E e, F f, G g) (A a, B b, C c, D d, E e, F f, G g, H h)
(A a, B b, C c, D d, E e, F f, G g, H h, I i) (A a, B b, C c, D d, E e, F f, G g, H h, I i, J j) }

/// A body as a native, with the slots of its results and parameters; what the `package!` macro calls.
pub fn native<A, B: Body<A> + Copy + 'static>(_: B) -> (NativeFn, (usize, usize)) {
    fn run<A, B: Body<A> + Copy + 'static>(cx: &mut Cx) -> NativeResult {
        const { assert!(size_of::<B>() == 0, "a native captures nothing") };
        // SAFETY: `native` was given a value of this type; it can be copied and has no bytes, so any aligned address is one.
        let body = unsafe { std::ptr::NonNull::<B>::dangling().as_ref() };
        body.invoke(cx)
    }
    (run::<A, B>, B::SLOTS)
}
