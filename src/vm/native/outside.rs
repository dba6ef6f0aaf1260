#![allow(unsafe_code)]
//! Natives that reach outside, whose answers a recorded run writes on its [`tape`], and a replay
//! takes from there.
//!
//! The types of a body say how: each parameter is [`Told`], by a hash, so that a replay which asks
//! for something else is found out, and a result is an [`Answer`], which can be written as bytes
//! and made again from them. What a native writes into memory that it is handed goes on the tape
//! with its answer: see [`Way`].
//!
//! # Invariants
//!
//! - W1. A [`Piece`] is memory that the native may write: it is no part of a VM stack, and what
//!   holds it lives until the call is over.

use gosched_runtime::control::tape::{self, Call, entry};
use gosched_runtime::syscall::KernelCall;

use super::signature::{Arg, Body, Made, Ret, finish, made, run};
use super::{Cell, Cx, Elem, FuncVal, GoStr, NativeResult, Ptr, PtrTo, Res, Slice};

/// What a native's name is, for the tape.
pub trait Named {
    /// `os.getwd`, or the like.
    const NAME: &'static str;
}

/// What a native does with its parameters besides reading them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// Nothing.
    Asks,
    /// It fills its slice of bytes, as far as its first result says.
    Fills,
    /// It writes its slice of bytes to the descriptor that is its first parameter: to standard
    /// output and error a replay does so, too.
    Writes,
}

/// A hash of what a native is given.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked(u64);

impl Asked {
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.0 = entry::hash(self.0 ^ bytes.len() as u64, bytes);
    }

    pub fn number(&mut self, n: u64) {
        self.bytes(&n.to_le_bytes());
    }

    /// In 32 bits.
    pub fn word(self) -> u32 {
        (self.0 >> 32) as u32
    }
}

/// Memory that a native writes.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    at: *mut u8,
    len: usize,
    /// As much of it as the first result says; else all of it.
    is_counted: bool,
}

impl Piece {
    /// So many bytes at an address.
    ///
    /// # Safety
    ///
    /// W1.
    pub unsafe fn new(at: *mut u8, len: usize, is_counted: bool) -> Piece {
        Piece {
            at,
            len,
            is_counted,
        }
    }

    /// Those of a slice that a read fills.
    pub fn filled(p: &mut Slice<u8>) -> Piece {
        Piece {
            at: p.as_ptr(),
            len: p.len(),
            is_counted: true,
        }
    }

    /// How much of it has been written, if the first result is `n`.
    fn len(&self, n: i64) -> usize {
        match self.is_counted {
            true => self.len.min(n.max(0) as usize),
            false => self.len,
        }
    }
}

/// A parameter of a native that reaches outside.
pub trait Told {
    /// Adds it to the hash.
    fn tell(&self, asked: &mut Asked);

    /// Its bytes, if it is a slice of them.
    fn piece(&mut self) -> Option<Piece> {
        None
    }

    /// Itself, if it is a number.
    fn number(&self) -> Option<i64> {
        None
    }
}

/// A result of a native that reaches outside.
pub trait Answer: Ret {
    /// Writes it as bytes.
    fn put(&self, out: &mut Vec<u8>);
    /// Makes it of bytes. `None`: they are another type's.
    fn take(cx: &mut Cx, from: &mut &[u8]) -> Option<Self>;
    /// Itself, or the first of several, as a count.
    fn count(&self) -> i64 {
        0
    }
}

fn some<'a>(from: &mut &'a [u8], n: usize) -> Option<&'a [u8]> {
    let (taken, rest) = from.split_at_checked(n)?;
    *from = rest;
    Some(taken)
}

fn put_len(n: usize, out: &mut Vec<u8>) {
    out.extend((n as u32).to_le_bytes());
}

fn take_len(from: &mut &[u8]) -> Option<usize> {
    Some(u32::from_le_bytes(some(from, 4)?.try_into().ok()?) as usize)
}

macro_rules! numbers {
    ($($t:ty)*) => { $(
        impl Told for $t {
            fn tell(&self, asked: &mut Asked) {
                asked.number(*self as u64);
            }
            fn number(&self) -> Option<i64> {
                Some(*self as i64)
            }
        }
        impl Answer for $t {
            fn put(&self, out: &mut Vec<u8>) {
                out.extend(self.to_le_bytes());
            }
            fn take(_: &mut Cx, from: &mut &[u8]) -> Option<Self> {
                Some(<$t>::from_le_bytes(some(from, size_of::<$t>())?.try_into().ok()?))
            }
            fn count(&self) -> i64 {
                *self as i64
            }
        }
    )* };
}
numbers! { i32 u32 i64 u64 f64 }

impl Told for bool {
    fn tell(&self, asked: &mut Asked) {
        asked.number(u64::from(*self));
    }
}

impl Answer for bool {
    fn put(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }
    fn take(_: &mut Cx, from: &mut &[u8]) -> Option<Self> {
        Some(some(from, 1)? == [1])
    }
}

impl Answer for () {
    fn put(&self, _: &mut Vec<u8>) {}
    fn take(_: &mut Cx, _: &mut &[u8]) -> Option<Self> {
        Some(())
    }
}

impl Told for GoStr {
    fn tell(&self, asked: &mut Asked) {
        asked.bytes(self.as_bytes());
    }
}

impl Answer for GoStr {
    fn put(&self, out: &mut Vec<u8>) {
        put_len(self.len(), out);
        out.extend(self.as_bytes());
    }
    fn take(cx: &mut Cx, from: &mut &[u8]) -> Option<Self> {
        let n = take_len(from)?;
        let bytes = some(from, n)?;
        Some(cx.string(bytes))
    }
}

// Pointers are the program's own affair.
impl Told for Ptr {
    fn tell(&self, _: &mut Asked) {}
}
impl Told for FuncVal {
    fn tell(&self, _: &mut Asked) {}
}
impl<T: Cell> Told for PtrTo<T> {
    fn tell(&self, _: &mut Asked) {}
}

/// What can be an element of a slice here.
pub trait Item: Elem + Told + Answer {}
impl Item for i64 {}
impl Item for u64 {}
impl Item for GoStr {}

impl<T: Item> Told for Slice<T> {
    fn tell(&self, asked: &mut Asked) {
        asked.number(self.len() as u64);
        for item in self.as_slice() {
            item.tell(asked);
        }
    }
}

impl<T: Item> Answer for Slice<T> {
    fn put(&self, out: &mut Vec<u8>) {
        put_len(self.len(), out);
        for item in self.as_slice() {
            item.put(out);
        }
    }
    fn take(cx: &mut Cx, from: &mut &[u8]) -> Option<Self> {
        let n = take_len(from)?;
        let mut items = Vec::new();
        for _ in 0..n {
            items.push(T::take(cx, from)?);
        }
        Some(cx.slice(&items))
    }
}

impl Told for Slice<u8> {
    fn tell(&self, asked: &mut Asked) {
        asked.number(self.len() as u64);
    }
    fn piece(&mut self) -> Option<Piece> {
        Some(Piece::filled(self))
    }
}

impl Answer for Slice<u8> {
    fn put(&self, out: &mut Vec<u8>) {
        out.push(u8::from(self.as_ptr().is_null()));
        put_len(self.len(), out);
        out.extend(self.as_slice());
    }
    fn take(cx: &mut Cx, from: &mut &[u8]) -> Option<Self> {
        let is_nil = some(from, 1)? == [1];
        let n = take_len(from)?;
        let bytes = some(from, n)?;
        Some(if is_nil { Slice::NIL } else { cx.bytes(bytes) })
    }
}

macro_rules! answers {
    ($(($($t:ident $i:tt),*))*) => { $(
        impl<$($t: Answer),*> Answer for ($($t,)*) {
            fn put(&self, out: &mut Vec<u8>) {
                $( self.$i.put(out); )*
            }
            fn take(cx: &mut Cx, from: &mut &[u8]) -> Option<Self> {
                Some(($( $t::take(cx, from)?, )*))
            }
            fn count(&self) -> i64 {
                self.0.count()
            }
        }
    )* };
}
answers! { (A 0, B 1) (A 0, B 1, C 2) (A 0, B 1, C 2, D 3) }

/// What a body may return: an answer, or a [`Res`] of one.
pub trait Given {
    /// The answer.
    type Answer: Answer;
    fn given(self) -> Res<Self::Answer>;
}

impl<T: Answer> Given for T {
    type Answer = T;
    fn given(self) -> Res<T> {
        Ok(self)
    }
}

impl<T: Answer> Given for Res<T> {
    type Answer = T;
    fn given(self) -> Res<T> {
        self
    }
}

/// Asks outside by `f`, and notes what comes back; or, in a replay, takes what came back then,
/// without `f`. Both, where there is no tape: asks.
///
/// What is `told` of the call is looked at with a tape only.
///
/// # Errors
///
/// What `f` stops with; that is not noted.
pub fn ask<R: Answer>(
    cx: &mut Cx,
    name: &'static str,
    told: impl FnOnce(&mut Asked),
    pieces: &[Piece],
    f: impl FnOnce(&mut Cx) -> Res<R>,
) -> Res<R> {
    if !tape::is_on() {
        return f(cx);
    }
    let mut asked = Asked::default();
    told(&mut asked);
    let call = Call {
        name,
        asked: asked.word(),
        place: cx.place(),
    };
    if tape::is_replayed() {
        let mut bytes = cx.switching(|m| tape::answer(m, &call));
        let Some(r) = R::take(cx, &mut bytes) else {
            gosched_runtime::throw!("{name}: a recorded answer of another type");
        };
        for piece in pieces {
            let n = piece.len(r.count());
            let Some(from) = some(&mut bytes, n) else {
                gosched_runtime::throw!("{name}: a recorded answer is too short");
            };
            // SAFETY: W1.
            unsafe { piece.at.copy_from(from.as_ptr(), n) };
        }
        return Ok(r);
    }
    let r = f(cx)?;
    let mut bytes = Vec::new();
    r.put(&mut bytes);
    for piece in pieces {
        let n = piece.len(r.count());
        if n != 0 {
            // SAFETY: W1.
            bytes.extend(unsafe { std::slice::from_raw_parts(piece.at, n) });
        }
    }
    tape::answered(call, &bytes);
    Ok(r)
}

/// Writes what a replayed run has written to standard output or error.
fn writes(fd: i64, bytes: &[u8]) {
    let Some(fd) = tape::standard(fd as i32).filter(|_| tape::is_replayed()) else {
        return;
    };
    let mut rest = bytes;
    while !rest.is_empty() {
        // SAFETY: the kernel reads bytes of ours.
        let n = unsafe { libc::write(fd, rest.as_ptr().cast(), rest.len()) };
        match n {
            1.. => rest = &rest[n as usize..],
            _ if std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted => {}
            _ => return,
        }
    }
}

/// Notes, or shows, what has been written to a descriptor: `n` of these bytes.
pub fn written(fd: i64, bytes: &[u8], n: i64) {
    writes(fd, &bytes[..bytes.len().min(n.max(0) as usize)]);
}

impl Cx {
    /// As [`Cx::blocking`]. Where a tape is written, and `waits` says that the call would not come
    /// back at once, others run until it does.
    pub fn waiting<R>(
        &mut self,
        call: KernelCall,
        waits: impl FnOnce() -> bool,
        f: impl FnOnce() -> R,
    ) -> R {
        if tape::is_recorded() && waits() {
            return self.switching(|m| tape::aside(m, f));
        }
        self.blocking(call, f)
    }
}

/// A body whose parameters are told and whose result is an answer.
pub trait Outside<A>: Body<A> {
    /// As [`Body::invoke`], by [`ask`].
    fn ask<N: Named>(&self, cx: &mut Cx, way: Way) -> NativeResult;
}

macro_rules! outsides {
    ($(($($t:ident $v:ident),*))*) => { $(
        impl<Func, Out, $($t: Arg + Told + Copy),*> Outside<($($t,)*)> for Func
        where
            Out: Given + super::Finish,
            Func: Fn(&mut Cx, $($t),*) -> Out,
        {
            #[allow(
                unused_mut,
                unused_variables,
                unused_assignments,
                reason = "without parameters there is no cursor"
            )]
            fn ask<N: Named>(&self, cx: &mut Cx, way: Way) -> NativeResult {
                let mut at = <Out as super::Finish>::SLOTS;
                let mut piece: Option<Piece> = None;
                let mut first: Option<i64> = None;
                $(
                    // SAFETY: signature::P1.
                    let mut $v = unsafe { $t::read(cx, at) };
                    at += $t::SLOTS;
                    piece = piece.or_else(|| $v.piece());
                    first = first.or_else(|| $v.number());
                )*
                cx.used = at;
                let pieces = piece.filter(|_| way == Way::Fills);
                let written = piece.filter(|_| way == Way::Writes);
                let parameters = ($( $v, )*);
                let told = |asked: &mut Asked| {
                    let ($( $v, )*) = parameters;
                    $( $v.tell(asked); )*
                    if let Some(p) = written && p.len != 0 {
                        // SAFETY: W1.
                        asked.bytes(unsafe { std::slice::from_raw_parts(p.at, p.len) });
                    }
                };
                let r = ask(cx, N::NAME, told, pieces.as_slice(), |cx| self(cx, $($v),*).given());
                if let (Some(p), Ok(r)) = (written, &r) && p.len != 0 {
                    // SAFETY: W1.
                    let bytes = unsafe { std::slice::from_raw_parts(p.at, p.len) };
                    self::written(first.unwrap_or(-1), bytes, r.count());
                }
                finish(r, cx)
            }
        }
    )* };
}
outsides! {
    () (A a) (A a, B b) (A a, B b, C c) (A a, B b, C c, D d)
    (A a, B b, C c, D d, E e, F f, G g, H h)
}

/// As [`native`](super::native), of a body that reaches outside: where there is a tape, its answers
/// go there or come from there.
pub fn outside<N: Named + 'static, const WAY: u8, A, B>(_: B) -> Made
where
    B: Outside<A> + Copy + 'static,
    A: 'static,
{
    fn asking<N: Named, const WAY: u8, A, B: Outside<A> + Copy + 'static>(
        cx: &mut Cx,
    ) -> NativeResult {
        const { assert!(size_of::<B>() == 0, "a native captures nothing") };
        // SAFETY: as in `native`.
        let body = unsafe { std::ptr::NonNull::<B>::dangling().as_ref() };
        let way = match WAY {
            0 => Way::Asks,
            1 => Way::Fills,
            _ => Way::Writes,
        };
        body.ask::<N>(cx, way)
    }
    made::<A, B>(match tape::is_on() {
        true => asking::<N, WAY, A, B>,
        false => run::<A, B>,
    })
}
