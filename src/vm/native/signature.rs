#![allow(unsafe_code)]
//! From a Rust body to a native: which slots its arguments and results take,
//! and how they are read and written.
//!
//! The types of a body's parameters say it all: each is an [`Arg`], what comes back is a
//! [`Finish`], and [`native`] makes of the body a function without type parameters that reads the
//! window, runs it, and writes the window.
//!
//! # Invariants
//!
//! - P1. The types of a body's parameters stand for those of its declaration in Go, slot for slot,
//!   and the compiler's code passes what the declaration says.

use super::{Cell, Cx, FuncVal, GoStr, NativeFn, NativeResult, Ptr, PtrTo, Res, Slice, Stop};
use crate::value::{Iface, Methods};

/// How far the memory reaches that a parameter hands to a native, as its type says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Span {
    /// It is none that goroutines may share: numbers, strings, functions, types.
    Nothing,
    /// So many bytes behind a pointer.
    Bytes(usize),
    /// Elements of so many bytes: as many as the slice has.
    Elements(usize),
    /// The type does not say it.
    Unknown,
}

/// What a parameter can be read as.
pub trait Arg: Sized {
    /// Slots it takes.
    const SLOTS: usize;
    const SPAN: Span;
    /// Reads it at slot `at`.
    ///
    /// # Safety
    ///
    /// There a parameter begins whose Go type this one stands for.
    unsafe fn read(cx: &Cx, at: usize) -> Self;
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
            const SPAN: Span = Span::Nothing;
            #[inline]
            unsafe fn read(cx: &Cx, at: usize) -> $t { let $r = cx.slot(at); $read }
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
}

macro_rules! pointers {
    ($($t:ident: $span:ident)*) => { $(
        impl Arg for $t {
            const SLOTS: usize = 1;
            const SPAN: Span = Span::$span;
            #[inline]
            unsafe fn read(cx: &Cx, at: usize) -> $t {
                // SAFETY: the caller's.
                unsafe { $t::from_raw(cx.slot(at) as usize) }
            }
        }
        impl Ret for $t {
            const SLOTS: usize = 1;
            #[inline]
            fn write(self, cx: &mut Cx, at: usize) { cx.set_slot(at, self.addr() as u64) }
        }
    )* };
}
pointers! { FuncVal: Nothing Ptr: Unknown }

impl<T: Cell> Arg for PtrTo<T> {
    const SLOTS: usize = 1;
    const SPAN: Span = Span::Bytes(size_of::<T>());
    #[inline]
    unsafe fn read(cx: &Cx, at: usize) -> PtrTo<T> {
        // SAFETY: the caller's.
        unsafe { PtrTo::from_raw(cx.slot(at) as usize) }
    }
}

impl Arg for GoStr {
    const SLOTS: usize = 2;
    const SPAN: Span = Span::Nothing;
    #[inline]
    unsafe fn read(cx: &Cx, at: usize) -> GoStr {
        // SAFETY: the caller's.
        unsafe { GoStr::from_raw(cx.slot(at) as *const u8, cx.slot(at + 1) as usize) }
    }
}

impl Ret for GoStr {
    const SLOTS: usize = 2;
    #[inline]
    fn write(self, cx: &mut Cx, at: usize) {
        cx.set_slot(at, self.as_ptr() as u64);
        cx.set_slot(at + 1, self.len() as u64);
    }
}

impl Arg for Iface {
    const SLOTS: usize = 2;
    const SPAN: Span = Span::Unknown;
    #[inline]
    unsafe fn read(cx: &Cx, at: usize) -> Iface {
        // SAFETY: the caller's.
        unsafe { Iface::from_raw(cx.slot(at) as usize, cx.slot(at + 1) as usize) }
    }
}

impl Arg for Methods {
    const SLOTS: usize = 2;
    const SPAN: Span = Span::Unknown;
    #[inline]
    unsafe fn read(cx: &Cx, at: usize) -> Methods {
        // SAFETY: the caller's.
        unsafe { Methods::from_raw(cx.slot(at) as usize, cx.slot(at + 1) as usize) }
    }
}

impl Ret for Iface {
    const SLOTS: usize = 2;
    #[inline]
    fn write(self, cx: &mut Cx, at: usize) {
        cx.set_slot(at, self.tab() as u64);
        cx.set_slot(at + 1, self.data() as u64);
    }
}

impl<T> Arg for Slice<T> {
    const SLOTS: usize = 3;
    const SPAN: Span = Span::Elements(size_of::<T>());
    #[inline]
    unsafe fn read(cx: &Cx, at: usize) -> Slice<T> {
        let (len, cap) = (cx.slot(at + 1) as usize, cx.slot(at + 2) as usize);
        // SAFETY: the caller's.
        unsafe { Slice::from_raw(cx.slot(at) as *mut T, len, cap) }
    }
}

impl<T> Ret for Slice<T> {
    const SLOTS: usize = 3;
    #[inline]
    fn write(self, cx: &mut Cx, at: usize) {
        cx.set_slot(at, self.as_ptr() as u64);
        cx.set_slot(at + 1, self.len() as u64);
        cx.set_slot(at + 2, self.cap() as u64);
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
tuples! {
    (A 0, B 1) (A 0, B 1, C 2) (A 0, B 1, C 2, D 3) (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
}

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
        Stop::Collect => NativeResult::Collect,
        Stop::Goexit => NativeResult::Goexit,
        Stop::Unwind => NativeResult::Unwind,
    }
}

/// A body: a closure over the `Cx` and typed arguments. `A` is the tuple of their types.
pub trait Body<A> {
    /// Slots of the results and of the parameters.
    const SLOTS: (usize, usize);
    /// Of each parameter the place among their slots, and how far its memory reaches.
    const SPANS: &'static [(usize, Span)];
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
            #[allow(unused_mut, unused_variables, unused_assignments, reason = "as below")]
            const SPANS: &'static [(usize, Span)] = &{
                let mut all: [(usize, Span); 0 $(+ { let _ = stringify!($v); 1 })*] =
                    [$( (0, $t::SPAN) ),*];
                let (mut at, mut k) = (0, 0);
                $( all[k].0 = at; at += $t::SLOTS; k += 1; )*
                all
            };
            #[inline]
            #[allow(
                unused_mut,
                unused_variables,
                unused_assignments,
                reason = "without parameters there is no cursor"
            )]
            fn invoke(&self, cx: &mut Cx) -> NativeResult {
                let mut at = Out::SLOTS;
                // SAFETY: P1.
                $( let $v = unsafe { $t::read(cx, at) }; at += $t::SLOTS; )*
                cx.used = at;
                self(cx, $($v),*).finish(cx)
            }
        }
    )* };
}
bodies! {
    () (A a) (A a, B b) (A a, B b, C c) (A a, B b, C c, D d) (A a, B b, C c, D d, E e)
    (A a, B b, C c, D d, E e, F f) (A a, B b, C c, D d, E e, F f, G g)
    (A a, B b, C c, D d, E e, F f, G g, H h) (A a, B b, C c, D d, E e, F f, G g, H h, I i)
    (A a, B b, C c, D d, E e, F f, G g, H h, I i, J j)
}

/// A native made of a body.
#[derive(Clone, Copy, Debug)]
pub struct Made {
    pub func: NativeFn,
    /// See [`Body::SLOTS`].
    pub slots: (usize, usize),
    /// See [`Body::SPANS`].
    pub spans: &'static [(usize, Span)],
}

/// A body as a native: what the `natives!` macro calls.
pub fn native<A, B: Body<A> + Copy + 'static>(_: B) -> Made {
    made::<A, B>(run::<A, B>)
}

/// The native of a body that `func` runs.
pub(super) fn made<A, B: Body<A>>(func: NativeFn) -> Made {
    Made {
        func,
        slots: B::SLOTS,
        spans: B::SPANS,
    }
}

/// The native of a body.
pub(super) fn run<A, B: Body<A> + Copy + 'static>(cx: &mut Cx) -> NativeResult {
    const { assert!(size_of::<B>() == 0, "a native captures nothing") };
    // SAFETY: `native` was given a value of this type;
    // it can be copied and has no bytes, so any aligned address is one.
    let body = unsafe { std::ptr::NonNull::<B>::dangling().as_ref() };
    body.invoke(cx)
}
