#![allow(unsafe_code)]
//! Go values in flat memory, seen through their run-time types: access, equality, hashing.
//!
//! A [`Val`] is a type and the address of a value of it. It is what `fmt`, maps with odd keys, `==`
//! on interfaces and reflection work on. Reading goes by the kind of the type, so a `Val` made from
//! a right type and address cannot be misread.
//!
//! # Invariants
//!
//! - V1. `p` is the address of a readable value of type `t`, which lives as long as someone holds
//!   the `Val`: heap, constants, or the two words of an [`Iface`] in a heap object. Natives do not
//!   make one of a VM stack.
//! - V2. An rtype is canonical and never freed: its address is the type's identity.
//!
//! Go: runtime/alg.go, reflect/value.go.

use std::fmt;

use gosched_runtime::fence;
use gosched_runtime::heap::{
    LayoutId, Part, WordKind, not_null, not_null_mut, register_layout, register_parts,
};
use gosched_runtime::m::M;

use super::iface;
use super::native::{GoStr, PIECE, Ptr};
use bytecode::func::Word;
use bytecode::rtype::{self, Kind, Rtype};

/// The words of a `#[repr(C)]` struct, each of kind `$kind::…`. Every field is named with the kind
/// of its words: one that is added to the struct must be added here.
#[macro_export]
macro_rules! words_of {
    ($kind:ident, $t:ident $(<$p:ident>)? { $($field:ident: $word:ident),* $(,)? }) => {{
        type Struct = $t $(<$p>)?;
        #[allow(dead_code, reason = "that it compiles is what is wanted of it")]
        fn no_field_is_missing(all: &Struct) {
            let $t { $($field: _),* } = all;
        }
        let mut words = [$kind::Scalar; size_of::<Struct>() / 8];
        $(
            let at = std::mem::offset_of!(Struct, $field);
            if !matches!($kind::$word, $kind::Scalar) {
                assert!(at.is_multiple_of(8));
                words[at / 8] = $kind::$word;
            }
        )*
        words
    }};
}
pub use words_of;

/// Layouts of structs of the VM on the heap, as [`words_of`] wants them: a function for each, which
/// registers it when it is first called.
#[macro_export]
macro_rules! heap_layouts {
    ($($(#[$doc:meta])*
        $vis:vis fn $name:ident = $t:ident $(<$p:ident>)? { $($fields:tt)* })*) => { $(
        $(#[$doc])*
        #[inline]
        $vis fn $name() -> gosched_runtime::heap::LayoutId {
            use gosched_runtime::heap::{LayoutId, WordKind, register_layout};
            use std::sync::atomic::{AtomicU32, Ordering};
            const WORDS: &[WordKind] =
                &$crate::value::words_of!(WordKind, $t $(<$p>)? { $($fields)* });
            // Registering is idempotent, so a race is harmless.
            static ID: AtomicU32 = AtomicU32::new(u32::MAX);
            let id = ID.load(Ordering::Relaxed);
            if id != u32::MAX {
                return LayoutId(id);
            }
            let id = register_layout(8 * WORDS.len(), WORDS);
            ID.store(id.0, Ordering::Relaxed);
            id
        }
    )* };
}
pub use heap_layouts;

/// Layouts of values that natives make.
pub mod layouts {
    use super::Iface;
    pub use crate::native::layouts::{slice, string};

    super::heap_layouts! {
        /// An interface.
        pub fn iface = Iface { tab: Scalar, data: Maybe }
    }
}

/// The two words of an `any`; those of other interface values are [`Methods`].
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Iface {
    /// Rtype; 0 is nil.
    tab: usize,
    /// The data word.
    data: usize,
}

impl Iface {
    /// nil
    pub const NIL: Iface = Iface { tab: 0, data: 0 };

    /// Of its two words.
    ///
    /// # Safety
    ///
    /// `tab` is 0 or an rtype, and `data` the data word of a value of that type: V1.
    #[inline(always)]
    pub const unsafe fn from_raw(tab: usize, data: usize) -> Iface {
        Iface { tab, data }
    }

    /// The rtype; 0 is nil.
    #[inline(always)]
    pub fn tab(&self) -> usize {
        self.tab
    }

    /// The data word.
    #[inline(always)]
    pub fn data(&self) -> usize {
        self.data
    }

    /// Whether it is nil.
    #[inline]
    pub fn is_nil(&self) -> bool {
        self.tab == 0
    }

    /// The dynamic type of an `any`.
    #[inline]
    pub fn rtype(&self) -> Option<&'static Rtype> {
        // SAFETY: V2 — the first word of an `any`.
        unsafe { (self.tab as *const Rtype).as_ref() }
    }

    /// The value inside an `any`. The `Iface` must outlive it (V1).
    #[inline]
    pub fn val(&self) -> Option<Val<'_>> {
        let t = self.rtype()?;
        let p = if is_direct(t) {
            (&raw const self.data).cast()
        } else {
            self.data as *const u8
        };
        Some(Val::raw(t, p))
    }
}

/// The two words of an interface value whose type has methods, such as an `error`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Methods(Iface);

impl Methods {
    /// Of its two words.
    ///
    /// # Safety
    ///
    /// `tab` is 0 or an itab, and `data` the data word of a value of its type: V1.
    #[inline(always)]
    pub const unsafe fn from_raw(tab: usize, data: usize) -> Methods {
        Methods(Iface { tab, data })
    }

    /// The data word.
    #[inline(always)]
    pub fn data(&self) -> usize {
        self.0.data
    }

    /// The dynamic type.
    pub fn rtype(&self) -> Option<&'static Rtype> {
        // SAFETY: an itab, by `from_raw`.
        (self.0.tab != 0).then(|| unsafe { iface::itab_type(self.0.tab) })
    }
}

/// Whether the data word of an interface holds values of `t` themselves rather than their address.
#[inline]
pub fn is_direct(t: &Rtype) -> bool {
    t.flags & rtype::DIRECT != 0
}

/// Follows a link of an rtype.
#[inline]
pub fn deref(t: rtype::Ty) -> &'static Rtype {
    t.get()
}

/// A value in memory with its type.
#[derive(Clone, Copy)]
pub struct Val<'a> {
    /// Its type.
    pub t: &'static Rtype,
    p: *const u8,
    _life: std::marker::PhantomData<&'a u8>,
}

// SAFETY: Go's memory belongs to no thread: a race there is the program's.
unsafe impl Send for Val<'_> {}
// SAFETY: the same.
unsafe impl Sync for Val<'_> {}

impl fmt::Debug for Val<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {:p}", self.t.string, self.p)
    }
}

impl<'a> Val<'a> {
    #[inline]
    fn raw(t: &'static Rtype, p: *const u8) -> Val<'a> {
        Val {
            t,
            p,
            _life: std::marker::PhantomData,
        }
    }

    /// The value of type `t` at `p`.
    ///
    /// # Safety
    ///
    /// V1.
    #[inline]
    pub unsafe fn new(t: &'static Rtype, p: *const u8) -> Val<'a> {
        Val::raw(t, p)
    }

    /// Its address.
    #[inline]
    pub fn addr(&self) -> *const u8 {
        self.p
    }

    /// Its kind.
    #[inline]
    pub fn kind(&self) -> Kind {
        self.t.kind
    }

    #[inline]
    fn read<T: Copy>(&self, off: usize) -> T {
        // SAFETY: V1; callers read what the kind says is there.
        unsafe { self.p.add(off).cast::<T>().read() }
    }

    /// Of a bool.
    pub fn bool(&self) -> bool {
        self.read::<u8>(0) != 0
    }

    /// Of a signed integer.
    pub fn int(&self) -> i64 {
        match self.kind() {
            Kind::Int8 => i64::from(self.read::<i8>(0)),
            Kind::Int16 => i64::from(self.read::<i16>(0)),
            Kind::Int32 => i64::from(self.read::<i32>(0)),
            Kind::Int | Kind::Int64 => self.read::<i64>(0),
            _ => 0,
        }
    }

    /// Of an unsigned integer.
    pub fn uint(&self) -> u64 {
        match self.kind() {
            Kind::Uint8 => u64::from(self.read::<u8>(0)),
            Kind::Uint16 => u64::from(self.read::<u16>(0)),
            Kind::Uint32 => u64::from(self.read::<u32>(0)),
            Kind::Uint | Kind::Uint64 | Kind::Uintptr => self.read::<u64>(0),
            _ => 0,
        }
    }

    /// Of a float.
    pub fn float(&self) -> f64 {
        match self.kind() {
            Kind::Float32 => f64::from(self.read::<f32>(0)),
            Kind::Float64 => self.read::<f64>(0),
            _ => 0.0,
        }
    }

    /// Of a complex number.
    pub fn complex(&self) -> (f64, f64) {
        match self.kind() {
            Kind::Complex64 => (
                f64::from(self.read::<f32>(0)),
                f64::from(self.read::<f32>(4)),
            ),
            Kind::Complex128 => (self.read(0), self.read(8)),
            _ => (0.0, 0.0),
        }
    }

    /// Of a string.
    pub fn str(&self) -> GoStr {
        if self.kind() == Kind::String {
            // SAFETY: V1 — a string.
            unsafe { GoStr::from_raw(self.read(0), self.read(8)) }
        } else {
            GoStr::EMPTY
        }
    }

    /// The first word of what is pointer-shaped
    /// (pointer, chan, func, map, unsafe.Pointer) or a slice.
    pub fn pointer(&self) -> usize {
        match self.kind() {
            Kind::Pointer
            | Kind::Chan
            | Kind::Func
            | Kind::Map
            | Kind::UnsafePointer
            | Kind::Slice => self.read(0),
            _ => 0,
        }
    }

    /// Of a pointer; nil of anything else.
    pub fn to_ptr(&self) -> Ptr {
        match self.kind() {
            // SAFETY: V1 — a Go pointer.
            Kind::Pointer => unsafe { Ptr::from_raw(self.read(0)) },
            _ => Ptr::NIL,
        }
    }

    /// The element of a pointer or the content of an interface; `None` if nil.
    pub fn elem(&self) -> Option<Val<'a>> {
        match self.kind() {
            Kind::Pointer => {
                let p: usize = self.read(0);
                (p != 0).then(|| Val::raw(deref(self.t.elem), p as *const u8))
            }
            Kind::Interface => {
                let tab: usize = self.read(0);
                if tab == 0 {
                    return None;
                }
                // SAFETY: V1 — the first word of such a value.
                let t = unsafe { iface::dynamic_type(self.t, tab) };
                let p = if is_direct(t) {
                    // SAFETY: V1 — two words.
                    unsafe { self.p.add(8) }
                } else {
                    self.read::<usize>(8) as *const u8
                };
                Some(Val::raw(t, p))
            }
            _ => None,
        }
    }

    /// Elements of an array, slice or string; entries of a map.
    pub fn len(&self) -> usize {
        match self.kind() {
            Kind::Array => self.t.len,
            Kind::Slice | Kind::String => self.read(8),
            // SAFETY: V1 — a map value.
            Kind::Map => unsafe {
                super::map::len(self.read::<usize>(0) as *const super::map::Map)
            },
            _ => 0,
        }
    }

    /// Whether it has no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Element `i` of an array or slice.
    pub fn index(&self, i: usize) -> Val<'a> {
        assert!(i < self.len());
        let t = deref(self.t.elem);
        let base = if self.kind() == Kind::Slice {
            self.read::<usize>(0) as *const u8
        } else {
            self.p
        };
        // SAFETY: V1, and the check above.
        Val::raw(t, unsafe { base.add(i * t.size) })
    }

    /// Field `i` of a struct.
    pub fn field(&self, i: usize) -> Val<'a> {
        let f = &self.t.fields[i];
        // SAFETY: V1 — the offset lies in the struct.
        Val::raw(deref(f.typ), unsafe { self.p.add(f.offset) })
    }

    /// The bytes of a `[]byte`, `[N]byte` or string.
    pub fn byte_slice(&self) -> &'a [u8] {
        let (p, n) = match self.kind() {
            Kind::Slice | Kind::String => (self.read::<usize>(0) as *const u8, self.len()),
            Kind::Array => (self.p, self.len()),
            _ => return &[],
        };
        if n == 0 {
            return &[];
        }
        // SAFETY: V1.
        unsafe { std::slice::from_raw_parts(not_null(p), n) }
    }

    /// Where the bytes lie that it consists of: its own, or of a slice its elements'.
    /// None of what has pointers.
    fn plain_range(&self) -> (*mut u8, usize) {
        let (t, p, n) = match self.kind() {
            Kind::Slice => (
                deref(self.t.elem),
                self.read::<usize>(0) as *mut u8,
                self.len(),
            ),
            _ => (self.t, self.p.cast_mut(), 1),
        };
        if t.has_pointers() || t.size * n == 0 {
            return (std::ptr::dangling_mut(), 0);
        }
        (p, t.size * n)
    }

    /// The bytes that a value without pointers consists of;
    /// of a slice of such values, those of its elements.
    pub fn plain_bytes(&self) -> &'a [u8] {
        let (p, n) = self.plain_range();
        // SAFETY: V1.
        unsafe { std::slice::from_raw_parts(not_null(p), n) }
    }

    /// Of a pointer the bytes of the variable that it points to, of a slice those of its elements,
    /// to be changed in place; a variable that is a slice stands for its elements. None of what has
    /// pointers, and of other values: these do not change.
    pub fn variable_bytes(&mut self) -> &'a mut [u8] {
        let variable = match self.kind() {
            Kind::Pointer => self.elem(),
            Kind::Slice => Some(*self),
            _ => None,
        };
        let Some((p, n)) = variable.map(|v| v.plain_range()) else {
            return &mut [];
        };
        // SAFETY: V1, and it is a variable; a race there is the program's.
        unsafe { std::slice::from_raw_parts_mut(not_null_mut(p), n) }
    }

    /// Whether a nilable value is nil.
    pub fn is_nil(&self) -> bool {
        match self.kind() {
            Kind::Pointer
            | Kind::Chan
            | Kind::Func
            | Kind::Map
            | Kind::UnsafePointer
            | Kind::Slice
            | Kind::Interface => self.read::<usize>(0) == 0,
            _ => false,
        }
    }

    /// As the `any` that holds it, sharing memory:
    /// for values that are not changed while it is used.
    pub fn to_iface(&self) -> Iface {
        let data = if self.kind() == Kind::Interface {
            return match self.elem() {
                Some(v) => v.to_iface(),
                None => Iface::NIL,
            };
        } else if is_direct(self.t) {
            read_direct(self.t, self.p)
        } else {
            self.p as usize
        };
        Iface {
            tab: std::ptr::from_ref(self.t) as usize,
            data,
        }
    }

    /// The entries of a map, as they are now, in no order.
    pub fn map_entries(&self) -> Vec<(Val<'a>, Val<'a>)> {
        let (kt, vt) = (deref(self.t.key), deref(self.t.elem));
        let m: *const super::map::Map = self.read(0);
        // SAFETY: V1 — a map of this type.
        unsafe { super::map::entries(self.t, m) }
            .into_iter()
            .map(|(k, v)| (Val::raw(kt, k), Val::raw(vt, v)))
            .collect()
    }

    /// Of a map the value for `key`, which is of the type of its keys.
    pub fn map_value(&self, key: Val<'_>) -> Option<Val<'a>> {
        let m: *const super::map::Map = self.read(0);
        // SAFETY: V1 — a map of this type. A key that cannot be hashed is in no map.
        let found = unsafe { super::map::get(self.t, m, key.p) }.ok()?;
        (!found.is_null()).then(|| Val::raw(deref(self.t.elem), found))
    }
}

/// The data word for the direct value at `p`, extended as slots are.
fn read_direct(t: &Rtype, p: *const u8) -> usize {
    // SAFETY: V1 of the caller.
    unsafe {
        match t.kind {
            Kind::Int8 => p.cast::<i8>().read() as usize,
            Kind::Int16 => p.cast::<i16>().read() as usize,
            Kind::Int32 => p.cast::<i32>().read() as usize,
            _ => match t.size {
                0 => 0,
                1 => p.read() as usize,
                2 => p.cast::<u16>().read() as usize,
                4 => p.cast::<u32>().read() as usize,
                8 => p.cast::<usize>().read(),
                n => {
                    let mut w = 0usize;
                    std::ptr::copy_nonoverlapping(p, (&raw mut w).cast(), n.min(8));
                    w
                }
            },
        }
    }
}

/// A comparison or hash met a type that has none.
#[derive(Clone, Copy)]
pub struct Uncomparable(pub &'static Rtype);

impl fmt::Debug for Uncomparable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "uncomparable {}", self.0.string)
    }
}

/// A value being compared or hashed: of type `t`, at `p` (and `q`). Of a struct or an array the
/// parts from `next` on are still to come.
///
/// Interfaces nest as deeply as memory allows, so what is left to do is kept in a vector rather
/// than in native frames. A vector that is never used costs nothing, and only parts with interfaces
/// in front of other parts use it.
#[derive(Clone, Copy)]
struct Rest {
    t: &'static Rtype,
    p: *const u8,
    q: *const u8,
    next: usize,
}

impl Rest {
    fn new(t: &'static Rtype, p: *const u8, q: *const u8) -> Rest {
        Rest { t, p, q, next: 0 }
    }

    /// The next part's type and offset; `None` behind the last.
    #[inline]
    fn part(&mut self) -> Option<(&'static Rtype, usize)> {
        while self.has_parts() {
            let i = self.next;
            self.next += 1;
            if self.t.kind == Kind::Array {
                let e = deref(self.t.elem);
                return Some((e, i * e.size));
            }
            let f = &self.t.fields[i];
            if f.name != "_" {
                return Some((deref(f.typ), f.offset));
            }
        }
        None
    }

    /// May there be parts left?
    #[inline]
    fn has_parts(&self) -> bool {
        match self.t.kind {
            Kind::Array => self.next < self.t.len,
            Kind::Struct => self.next < self.t.fields.len(),
            _ => false,
        }
    }
}

/// What one step came to.
enum Step {
    /// Through with the value.
    Done,
    /// The values differ.
    Different,
    /// This part is next.
    Into(Rest),
}

/// `*p == *q` for values of type `t`.
///
/// Parts are compared in order, up to the first that differ. Fails if it meets interfaces that hold
/// equal types that are not comparable.
///
/// # Safety
///
/// Both are readable values of type `t`.
pub unsafe fn equal(t: &'static Rtype, p: *const u8, q: *const u8) -> Result<bool, Uncomparable> {
    // SAFETY: the caller's; parts of a value are values.
    unsafe {
        if let Some(same) = simple_equal(t, p, q) {
            return Ok(same);
        }
        let mut outer: Vec<Rest> = Vec::new();
        let mut now = Rest::new(t, p, q);
        loop {
            match compare_step(&mut now)? {
                Step::Different => return Ok(false),
                Step::Into(part) => {
                    if now.has_parts() {
                        outer.push(now);
                    }
                    now = part;
                }
                Step::Done => match outer.pop() {
                    Some(back) => now = back,
                    None => return Ok(true),
                },
            }
        }
    }
}

/// As [`equal`], letting others run meanwhile if there is much memory to compare. Afterwards the
/// goroutine may be on another M.
///
/// # Safety
///
/// As there; context as [`fence::poll`], the registers saved.
pub(super) unsafe fn equal_long(
    m: &mut M,
    t: &'static Rtype,
    p: *const u8,
    q: *const u8,
) -> Result<bool, Uncomparable> {
    // SAFETY: the caller's.
    unsafe {
        let g = m.curg;
        if t.size > PIECE && t.flags & rtype::REGULAR != 0 {
            for at in (0..t.size).step_by(PIECE) {
                if !mem_equal(p.add(at), q.add(at), PIECE.min(t.size - at)) {
                    return Ok(false);
                }
                fence::poll(&mut *(*g).m);
            }
            return Ok(true);
        }
        if t.size <= PIECE || t.kind != Kind::Array {
            return equal(t, p, q);
        }
        let elem = deref(t.elem);
        let (mut seen, mut at) = (0, 0);
        while at < t.size {
            let same = match simple_equal(elem, p.add(at), q.add(at)) {
                Some(same) => same,
                None => equal_long(&mut *(*g).m, elem, p.add(at), q.add(at))?,
            };
            if !same {
                return Ok(false);
            }
            at += elem.size;
            if at - seen >= PIECE {
                seen = at;
                fence::poll(&mut *(*g).m);
            }
        }
        Ok(true)
    }
}

/// Compares `now` as far as possible without going deeper.
unsafe fn compare_step(now: &mut Rest) -> Result<Step, Uncomparable> {
    let Rest { t, p, q, .. } = *now;
    // SAFETY: the caller's, as in `equal`.
    unsafe {
        match t.kind {
            Kind::Interface => {
                let (a, b) = (p.cast::<Iface>().read(), q.cast::<Iface>().read());
                if a.tab != b.tab {
                    return Ok(Step::Different);
                }
                if a.tab == 0 {
                    return Ok(Step::Done);
                }
                let d = iface::dynamic_type(t, a.tab);
                if d.flags & rtype::COMPARABLE == 0 {
                    return Err(Uncomparable(d));
                }
                if is_direct(d) {
                    return Ok(Step::Into(Rest::new(d, p.add(8), q.add(8))));
                }
                if a.data == b.data && d.flags & rtype::REGULAR != 0 {
                    return Ok(Step::Done);
                }
                Ok(Step::Into(Rest::new(
                    d,
                    a.data as *const u8,
                    b.data as *const u8,
                )))
            }
            Kind::Array if deref(t.elem).flags & rtype::COMPARABLE == 0 => Err(Uncomparable(t)),
            Kind::Array | Kind::Struct => {
                while let Some((part, at)) = now.part() {
                    match simple_equal(part, p.add(at), q.add(at)) {
                        Some(true) => {}
                        Some(false) => return Ok(Step::Different),
                        None => return Ok(Step::Into(Rest::new(part, p.add(at), q.add(at)))),
                    }
                }
                Ok(Step::Done)
            }
            _ => match simple_equal(t, p, q) {
                Some(true) => Ok(Step::Done),
                Some(false) => Ok(Step::Different),
                None => Err(Uncomparable(t)),
            },
        }
    }
}

/// `*p == *q` where that takes one look; `None` for interfaces, for structs and arrays that hold
/// more than plain memory, and for what cannot be compared.
#[inline]
unsafe fn simple_equal(t: &'static Rtype, p: *const u8, q: *const u8) -> Option<bool> {
    // SAFETY: the caller's, as in `equal`.
    unsafe {
        if t.flags & rtype::REGULAR != 0 {
            return Some(mem_equal(p, q, t.size));
        }
        match t.kind {
            Kind::Float32 => Some(p.cast::<f32>().read() == q.cast::<f32>().read()),
            Kind::Float64 => Some(p.cast::<f64>().read() == q.cast::<f64>().read()),
            Kind::Complex64 => Some(p.cast::<[f32; 2]>().read() == q.cast::<[f32; 2]>().read()),
            Kind::Complex128 => Some(p.cast::<[f64; 2]>().read() == q.cast::<[f64; 2]>().read()),
            Kind::String => {
                let (a, b) = (p.cast::<GoStr>().read(), q.cast::<GoStr>().read());
                Some(a.as_bytes() == b.as_bytes())
            }
            Kind::Interface | Kind::Array | Kind::Struct | Kind::Slice | Kind::Map => None,
            Kind::Func | Kind::Invalid => None,
            _ => Some(mem_equal(p, q, t.size)),
        }
    }
}

#[inline]
unsafe fn mem_equal(p: *const u8, q: *const u8, n: usize) -> bool {
    // SAFETY: the caller's.
    unsafe {
        match n {
            8 => p.cast::<u64>().read_unaligned() == q.cast::<u64>().read_unaligned(),
            4 => p.cast::<u32>().read_unaligned() == q.cast::<u32>().read_unaligned(),
            1 => p.read() == q.read(),
            0 => true,
            _ => std::slice::from_raw_parts(p, n) == std::slice::from_raw_parts(q, n),
        }
    }
}

/// `a == b` for two `any`s.
///
/// # Safety
///
/// Both are interface values with an rtype as first word.
#[inline]
pub(crate) unsafe fn efaces_equal(a: Iface, b: Iface) -> Result<bool, Uncomparable> {
    if a.tab != b.tab {
        return Ok(false);
    }
    match a.rtype() {
        None => Ok(true),
        // SAFETY: the caller's.
        Some(t) => unsafe { data_equal(t, a.data, b.data) },
    }
}

/// `a == b` for two values of one non-empty interface type.
///
/// # Safety
///
/// Both are interface values with an itab as first word.
#[inline]
pub(crate) unsafe fn ifaces_equal(a: Iface, b: Iface) -> Result<bool, Uncomparable> {
    if a.tab != b.tab {
        return Ok(false);
    }
    if a.tab == 0 {
        return Ok(true);
    }
    // SAFETY: the caller's; itabs are canonical for (interface, type).
    unsafe { data_equal(iface::itab_type(a.tab), a.data, b.data) }
}

/// Compares two data words of dynamic type `t`.
///
/// # Safety
///
/// Both are data words of that type.
pub(crate) unsafe fn data_equal(
    t: &'static Rtype,
    a: usize,
    b: usize,
) -> Result<bool, Uncomparable> {
    if t.flags & rtype::COMPARABLE == 0 {
        return Err(Uncomparable(t));
    }
    if is_direct(t) {
        if t.flags & rtype::REGULAR != 0 {
            return Ok(a == b);
        }
        // SAFETY: the word holds the value.
        return unsafe { equal(t, (&raw const a).cast(), (&raw const b).cast()) };
    }
    if a == b && t.flags & rtype::REGULAR != 0 {
        return Ok(true);
    }
    // SAFETY: the words are addresses of values.
    unsafe { equal(t, a as *const u8, b as *const u8) }
}

// ---- hashing

const K0: u64 = 0xa076_1d64_78bd_642f;
const K1: u64 = 0xe703_7ed1_a0b4_28db;
const K2: u64 = 0x8ebc_6af0_9c88_c6e3;

#[inline(always)]
fn mix(a: u64, b: u64) -> u64 {
    let t = u128::from(a) * u128::from(b);
    (t >> 64) as u64 ^ t as u64
}

/// Hash of a 64-bit key.
#[inline(always)]
pub(crate) fn hash64(v: u64, seed: u64) -> u64 {
    mix(v ^ K0, seed ^ K1)
}

/// Hash of bytes.
#[inline]
pub(crate) fn hash_bytes(b: &[u8], seed: u64) -> u64 {
    let n = b.len();
    let rd8 = |i: usize| u64::from_le_bytes(b[i..i + 8].try_into().unwrap_or_default());
    let rd4 = |i: usize| {
        u64::from(u32::from_le_bytes(
            b[i..i + 4].try_into().unwrap_or_default(),
        ))
    };
    let mut s = seed ^ K0;
    let (x, y) = if n <= 16 {
        if n >= 8 {
            (rd8(0), rd8(n - 8))
        } else if n >= 4 {
            (rd4(0), rd4(n - 4))
        } else if n > 0 {
            (
                (u64::from(b[0]) << 16) | (u64::from(b[n / 2]) << 8) | u64::from(b[n - 1]),
                0,
            )
        } else {
            (0, 0)
        }
    } else {
        let mut i = 0;
        while n - i > 16 {
            s = mix(rd8(i) ^ K1, rd8(i + 8) ^ s);
            i += 16;
        }
        (rd8(n - 16), rd8(n - 8))
    };
    mix(K2 ^ n as u64, mix(x ^ K1, y ^ s))
}

/// Hash of the value of type `t` at `p`; equal values have equal hashes.
/// NaNs hash at random, from `nan`.
///
/// Fails if an interface inside holds a type that is not comparable.
///
/// # Safety
///
/// `p` is a readable value of type `t`.
pub unsafe fn hash(
    t: &'static Rtype,
    p: *const u8,
    seed: u64,
    nan: &mut dyn FnMut() -> u64,
) -> Result<u64, Uncomparable> {
    let mut h = seed;
    // SAFETY: the caller's; parts of a value are values.
    unsafe {
        if simple_hash(t, p, &mut h, nan) {
            return Ok(h);
        }
        let mut outer: Vec<Rest> = Vec::new();
        let mut now = Rest::new(t, p, p);
        loop {
            match hash_step(&mut now, &mut h, nan)? {
                Some(part) => {
                    if now.has_parts() {
                        outer.push(now);
                    }
                    now = part;
                }
                None => match outer.pop() {
                    Some(back) => now = back,
                    None => return Ok(h),
                },
            }
        }
    }
}

/// Hashes `now` into `h` as far as possible without going deeper, which is what comes back.
unsafe fn hash_step(
    now: &mut Rest,
    h: &mut u64,
    nan: &mut dyn FnMut() -> u64,
) -> Result<Option<Rest>, Uncomparable> {
    let Rest { t, p, .. } = *now;
    // SAFETY: the caller's, as in `hash`.
    unsafe {
        match t.kind {
            Kind::Interface => {
                let i = p.cast::<Iface>().read();
                if i.tab == 0 {
                    *h = hash64(0, *h);
                    return Ok(None);
                }
                let d = iface::dynamic_type(t, i.tab);
                if d.flags & rtype::COMPARABLE == 0 {
                    return Err(Uncomparable(d));
                }
                let at = if is_direct(d) {
                    p.add(8)
                } else {
                    i.data as *const u8
                };
                Ok(Some(Rest::new(d, at, at)))
            }
            Kind::Array | Kind::Struct => {
                while let Some((part, at)) = now.part() {
                    if !simple_hash(part, p.add(at), h, nan) {
                        return Ok(Some(Rest::new(part, p.add(at), p.add(at))));
                    }
                }
                Ok(None)
            }
            _ if simple_hash(t, p, h, nan) => Ok(None),
            _ => Err(Uncomparable(t)),
        }
    }
}

/// Hashes a value into `h` where that takes one look; false as [`simple_equal`] is `None`.
#[inline]
unsafe fn simple_hash(
    t: &'static Rtype,
    p: *const u8,
    h: &mut u64,
    nan: &mut dyn FnMut() -> u64,
) -> bool {
    // SAFETY: the caller's, as in `hash`.
    unsafe {
        if t.flags & rtype::REGULAR != 0 {
            *h = match t.size {
                8 => hash64(p.cast::<u64>().read_unaligned(), *h),
                4 => hash64(u64::from(p.cast::<u32>().read_unaligned()), *h),
                n => hash_bytes(std::slice::from_raw_parts(p, n), *h),
            };
            return true;
        }
        *h = match t.kind {
            Kind::Float32 => hash_float(f64::from(p.cast::<f32>().read()), *h, nan),
            Kind::Float64 => hash_float(p.cast::<f64>().read(), *h, nan),
            Kind::Complex64 => {
                let [a, b] = p.cast::<[f32; 2]>().read();
                let re = hash_float(f64::from(a), *h, nan);
                hash_float(f64::from(b), re, nan)
            }
            Kind::Complex128 => {
                let [a, b] = p.cast::<[f64; 2]>().read();
                let re = hash_float(a, *h, nan);
                hash_float(b, re, nan)
            }
            Kind::String => hash_bytes(p.cast::<GoStr>().read().as_bytes(), *h),
            Kind::Interface | Kind::Array | Kind::Struct | Kind::Slice | Kind::Map => return false,
            Kind::Func | Kind::Invalid => return false,
            _ => hash_bytes(std::slice::from_raw_parts(p, t.size), *h),
        };
        true
    }
}

fn hash_float(f: f64, seed: u64, nan: &mut dyn FnMut() -> u64) -> u64 {
    if f == 0.0 {
        hash64(0, seed)
    } else if f.is_nan() {
        hash64(nan(), seed)
    } else {
        hash64(f.to_bits(), seed)
    }
}

/// The heap's layout of one value of a type.
#[inline]
pub fn layout_of(t: &Rtype) -> LayoutId {
    LayoutId(t.layout)
}

/// Registers the words of an element with the heap: what `rtype::register_layouts` is to be given.
pub fn heap_layout(elem_size: usize, words: &[Word]) -> u32 {
    let kinds: Vec<WordKind> = words
        .iter()
        .map(|w| match w {
            Word::Scalar => WordKind::Scalar,
            Word::Pointer => WordKind::Pointer,
            Word::Maybe => WordKind::Maybe,
        })
        .collect();
    register_layout(elem_size, &kinds).0
}

/// The same of a large element, by its parts.
pub fn heap_layout_of_parts(words: usize, parts: &[(usize, usize, u32)]) -> u32 {
    let parts = parts.iter().map(|&(at, words, layout)| Part {
        at,
        words,
        layout: LayoutId(layout),
    });
    register_parts(words, parts.collect()).0
}
