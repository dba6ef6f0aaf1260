#![allow(unsafe_code)]
//! Go's strings, slices, functions and pointers, as natives see them.
//!
//! They name Go's memory and own nothing, so they can be copied;
//! native::N4 says how long they hold.

use super::{PanicValue, Res, Stop};
use crate::value::Iface;
use crate::value::layouts::iface;
use bytecode::rtype::{Rtype, Ty};
use gosched_runtime::heap::{self, LayoutId, not_null, not_null_mut};
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};

/// A Go string.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct GoStr {
    /// First byte; anything if `len` is 0.
    ptr: *const u8,
    /// Length in bytes.
    len: usize,
}

/// Where empty slices lie. At the address that `&[]` has there is no memory, and libc's comparison
/// of nothing at such an address takes 300 ns: its masked loads are suppressed faults.
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

// SAFETY: Go's memory belongs to no thread: a race there is the program's.
unsafe impl Send for GoStr {}
// SAFETY: the same.
unsafe impl Sync for GoStr {}
// SAFETY: the same.
unsafe impl<T: Send> Send for Slice<T> {}
// SAFETY: the same.
unsafe impl<T: Sync> Sync for Slice<T> {}

impl GoStr {
    /// `""`
    pub const EMPTY: GoStr = GoStr {
        ptr: std::ptr::null(),
        len: 0,
    };

    /// Of its two words.
    ///
    /// # Safety
    ///
    /// native::N4 holds for `len` bytes at `ptr`.
    #[inline(always)]
    pub const unsafe fn from_raw(ptr: *const u8, len: usize) -> GoStr {
        GoStr { ptr, len }
    }

    /// Its first byte; anything if it is empty.
    #[inline(always)]
    pub fn as_ptr(&self) -> *const u8 {
        self.ptr
    }

    /// Length in bytes.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it is `""`.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

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
        // SAFETY: native::N4.
        unsafe { std::slice::from_raw_parts(not_null(self.ptr), self.len) }
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
///
/// # Safety
///
/// Its layout is right, and whatever a Go program has in such elements is a value of it.
pub unsafe trait Elem: Copy + 'static {
    /// Its layout.
    fn layout() -> LayoutId;
}

/// Elements without pointers: natives write them as they like.
///
/// # Safety
/// No pointer is in them.
pub unsafe trait Plain: Elem {}

macro_rules! noscan_elems {
    ($($t:ty)*) => { $(
        // SAFETY: as below.
        unsafe impl Plain for $t {}
        // SAFETY: scalars have no pointers.
        unsafe impl Elem for $t {
            fn layout() -> LayoutId {
                LayoutId::NOSCAN
            }
        }
    )* };
}
noscan_elems!(bool u8 i8 u16 i16 u32 i32 u64 i64 usize f32 f64);

// SAFETY: the layout is made of its fields.
unsafe impl Elem for GoStr {
    fn layout() -> LayoutId {
        layouts::string()
    }
}

// SAFETY: the layout is made of its fields.
unsafe impl Elem for Iface {
    fn layout() -> LayoutId {
        iface()
    }
}

// SAFETY: the layout is made of its fields.
unsafe impl<T: Elem> Elem for Slice<T> {
    fn layout() -> LayoutId {
        layouts::slice()
    }
}

/// A Go slice.
#[repr(C)]
#[derive(Debug)]
pub struct Slice<T> {
    /// First element, null for nil.
    ptr: *mut T,
    /// Length in elements.
    len: usize,
    /// Capacity in elements.
    cap: usize,
}

impl<T> Clone for Slice<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Slice<T> {}

impl<T> Slice<T> {
    /// nil
    pub const NIL: Slice<T> = Slice {
        ptr: std::ptr::null_mut(),
        len: 0,
        cap: 0,
    };

    /// Of its three words.
    ///
    /// # Safety
    ///
    /// native::N4 holds for `cap` elements at `ptr`, and `len` is no more than `cap`.
    #[inline(always)]
    pub const unsafe fn from_raw(ptr: *mut T, len: usize, cap: usize) -> Slice<T> {
        Slice { ptr, len, cap }
    }

    /// Its first element, null for nil.
    #[inline(always)]
    pub fn as_ptr(&self) -> *mut T {
        self.ptr
    }

    /// Length in elements.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it has no elements.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Capacity in elements.
    #[inline(always)]
    pub fn cap(&self) -> usize {
        self.cap
    }

    /// `s[:n]`, if there is room for that.
    #[inline(always)]
    pub fn resliced(self, n: usize) -> Option<Slice<T>> {
        (n <= self.cap).then_some(Slice { len: n, ..self })
    }

    /// With `n` more elements, for which there is room.
    #[inline(always)]
    pub(crate) unsafe fn longer(self, n: usize) -> Slice<T> {
        debug_assert!(self.len + n <= self.cap);
        Slice {
            len: self.len + n,
            ..self
        }
    }
}

impl<T: Elem> Slice<T> {
    /// Its elements.
    #[inline]
    pub fn as_slice(&self) -> &[T] {
        if self.len == 0 {
            return NOTHING.of();
        }
        // SAFETY: native::N4.
        unsafe { std::slice::from_raw_parts(not_null(self.ptr), self.len) }
    }

    fn elems(&mut self) -> &mut [T] {
        if self.len == 0 {
            return &mut [];
        }
        // SAFETY: native::N4. Go allows others to see the same memory: a race there is the
        // program's.
        unsafe { std::slice::from_raw_parts_mut(not_null_mut(self.ptr), self.len) }
    }
}

impl<T: Plain> Slice<T> {
    /// Its elements, where what is read and what is written may be the same memory.
    #[inline]
    pub fn as_cells(&self) -> &[std::cell::Cell<T>] {
        if self.len == 0 {
            return NOTHING.of();
        }
        // SAFETY: native::N4; a cell is as its content.
        unsafe { std::slice::from_raw_parts(not_null(self.ptr.cast()), self.len) }
    }

    /// Its elements, to be changed in place.
    #[inline]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        self.elems()
    }

    /// Puts its elements in order; equal ones in any.
    pub fn sort_by(&mut self, order: impl FnMut(&T, &T) -> std::cmp::Ordering) {
        self.elems().sort_unstable_by(order);
    }
}

/// A copy of a slice, whose elements can be moved although they have pointers: the slice has them
/// all the while, so the collector, which looks at memory in the middle of such moves, misses none.
/// See [`Cx::aside`](super::Cx::aside).
#[derive(Clone, Copy, Debug)]
pub struct Aside<T> {
    pub(super) of: Slice<T>,
    pub(super) copy: Slice<T>,
}

impl<T: Elem> Aside<T> {
    /// Puts the elements in order; equal ones in any.
    pub fn sort_by(&mut self, order: impl FnMut(&T, &T) -> std::cmp::Ordering) {
        self.copy.elems().sort_unstable_by(order);
    }
}

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident: $holds:literal;)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct $name(usize);

        impl $name {
            /// nil
            pub const NIL: $name = $name(0);

            /// Of its word.
            ///
            /// # Safety
            ///
            #[doc = $holds]
            #[inline(always)]
            pub const unsafe fn from_raw(word: usize) -> $name {
                $name(word)
            }

            /// Its word, 0 for nil.
            #[inline(always)]
            pub fn addr(&self) -> usize {
                self.0
            }

            /// Whether it is nil.
            #[inline(always)]
            pub fn is_nil(&self) -> bool {
                self.0 == 0
            }
        }
    )* };
}
words! {
    /// A func value: a pointer to `{func index, captures…}`, 0 for nil.
    FuncVal: "It is 0 or a func value of the program, which the collector can see.";
    /// A pointer to Go memory, perhaps nil.
    Ptr: "It is 0 or the address of a Go variable of the type that the Go declaration gives it.";
}

impl Ptr {
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

/// What the memory behind a [`PtrTo`] is seen as.
///
/// # Safety
/// It consists of atomics, for the program may write there meanwhile, and every value is good that
/// a Go variable of the type can have.
pub unsafe trait Cell {}
// SAFETY: they are atomics of which every value is good.
unsafe impl Cell for AtomicU32 {}
// SAFETY: as above.
unsafe impl Cell for AtomicU64 {}

/// A pointer variable of Go.
#[derive(Debug)]
#[repr(transparent)]
pub struct PointerCell(AtomicUsize);
// SAFETY: an atomic; what is stored goes through its methods.
unsafe impl Cell for PointerCell {}

impl PointerCell {
    #[inline]
    pub fn load(&self) -> Ptr {
        Ptr(self.0.load(Ordering::SeqCst))
    }

    /// Exchanges the pointer there for `new`.
    #[inline]
    pub fn swap(&self, new: Ptr) -> Ptr {
        // SAFETY: native::N4 — it is a pointer variable.
        Ptr(unsafe { heap::swap_ptr(self.0.as_ptr(), new.0) })
    }

    /// Stores the pointer `new` if `old` is there.
    #[inline]
    pub fn compare_and_swap(&self, old: Ptr, new: Ptr) -> bool {
        // SAFETY: as above.
        unsafe { heap::cas_ptr(self.0.as_ptr(), old.0, new.0) }
    }
}

/// A variable of Go that holds a descriptor of a type: 0 for none.
#[derive(Debug)]
#[repr(transparent)]
pub struct TypeCell(AtomicU64);
// SAFETY: an atomic; nothing but the run time makes descriptors.
unsafe impl Cell for TypeCell {}
// SAFETY: one lies behind the other.
unsafe impl<T: Cell, const N: usize> Cell for [T; N] {}

impl TypeCell {
    pub fn get(&self) -> Option<&'static Rtype> {
        let word = self.0.load(Ordering::Relaxed);
        // SAFETY: native::N4 — the variable holds 0 or a descriptor.
        (word != 0).then(|| unsafe { Ty::from_word(word) }.get())
    }
}

/// A pointer, perhaps nil, to a Go variable that is seen as a `T`.
#[derive(Debug)]
pub struct PtrTo<T>(usize, PhantomData<fn() -> T>);

impl<T> Clone for PtrTo<T> {
    fn clone(&self) -> PtrTo<T> {
        *self
    }
}
impl<T> Copy for PtrTo<T> {}

impl<T: Cell> PtrTo<T> {
    /// Of its word.
    ///
    /// # Safety
    /// It is 0 or the address of a Go variable that may be seen as a `T`.
    #[inline(always)]
    pub(crate) const unsafe fn from_raw(word: usize) -> PtrTo<T> {
        PtrTo(word, PhantomData)
    }

    /// What it points to; nil panics as Go does.
    #[inline]
    pub fn get(&self) -> Res<&T> {
        if self.0 == 0 {
            return Err(Stop::Panic(PanicValue::NilDeref));
        }
        debug_assert!(self.0.is_multiple_of(align_of::<T>()));
        // SAFETY: native::N4 — the checker has given the parameter a type that is such a variable.
        Ok(unsafe { &*(self.0 as *const T) })
    }
}

/// Layouts of these structs on the heap.
pub(crate) mod layouts {
    use super::{GoStr, Slice};

    crate::heap_layouts! {
        /// A string.
        pub fn string = GoStr { ptr: Pointer, len: Scalar }
        /// A slice.
        pub fn slice = Slice<u8> { ptr: Pointer, len: Scalar, cap: Scalar }
    }
}
