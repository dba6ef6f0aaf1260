#![allow(unsafe_code)]
//! What package reflect does beyond loads and stores: values of types that only the running program
//! knows, on the heap, in maps and in calls.
//!
//! Its Go text sees descriptors of types as they lie in memory ([`Rtype`] is `repr(C)`), and hands
//! natives a `*rtype` ([`Ty`]), addresses ([`Ptr`]) and Values ([`Value`]). It has checked what Go
//! checks: kinds, bounds, and that a value goes with a variable.
//!
//! # Invariants
//!
//! - F1. A `Ty` from the package is a descriptor; a `Ptr` that comes with one is the address of a
//!   value of that type, or of as many as the native is told; a [`Value`] with [`Value::INDIR`]
//!   has the address of a value of its type, else it is an interface value.
//!
//! Go: reflect/value.go, runtime (reflect_* functions).

mod call;
mod chans;
mod deep;
mod made;
mod types;

pub use call::call;
pub use chans::*;
pub use deep::deep_equal;
pub(crate) use made::MADE;
pub use made::{bound_method, make_func, method_expr, stub_address};
pub use types::*;

use super::native::{Arg, Cx, Elem, GoStr, PIECE, Ptr, Res, Ret, Slice, Span};
use super::value::{Iface, Uncomparable, Val, is_direct, layout_of};
use super::{iface, map, slice};
use bytecode::func;
use bytecode::rtype::{IMethod, Kind, Rtype, Ty};
use gosched_runtime::chan::{self, Chan};
use gosched_runtime::heap::{self, LayoutId};
use std::sync::atomic::Ordering;

/// A reflect.Value.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Value {
    /// The words of an interface.
    tab: usize,
    data: usize,
    flag: u64,
}

super::value::heap_layouts! {
    fn value_layout = Value { tab: Scalar, data: Maybe, flag: Scalar }
}

// SAFETY: the layout is made of its fields.
unsafe impl Elem for Value {
    fn layout() -> LayoutId {
        value_layout()
    }
}

// SAFETY: descriptors lie outside the heap.
unsafe impl Elem for Ty {
    fn layout() -> LayoutId {
        LayoutId::NOSCAN
    }
}

impl Value {
    const RO: u64 = 3 << 5;
    const INDIR: u64 = 1 << 7;
    const METHOD: u64 = 1 << 9;
    const METHOD_SHIFT: u32 = 10;

    fn is_indirect(&self) -> bool {
        self.flag & Value::INDIR != 0
    }

    /// The type of what it is (of a method value, of the receiver).
    fn t(&self) -> &'static Rtype {
        // SAFETY: F1.
        unsafe { Ty::from_word(self.tab as u64) }.get()
    }

    /// Its bytes.
    fn at(&self) -> *const u8 {
        if !self.is_indirect() && is_direct(self.t()) {
            (&raw const self.data).cast()
        } else {
            self.data as *const u8
        }
    }

    fn val(&self) -> Val<'_> {
        // SAFETY: F1.
        unsafe { Val::new(self.t(), self.at()) }
    }

    /// Its data word in an interface; the memory is shared.
    fn word(&self) -> usize {
        match self.is_indirect() {
            true => self.val().to_iface().data(),
            false => self.data,
        }
    }
}

impl Arg for Value {
    const SLOTS: usize = 3;
    const SPAN: Span = Span::Unknown;
    unsafe fn read(cx: &Cx, at: usize) -> Value {
        Value {
            tab: cx.slot(at) as usize,
            data: cx.slot(at + 1) as usize,
            flag: cx.slot(at + 2),
        }
    }
}

impl Arg for Ty {
    const SLOTS: usize = 1;
    const SPAN: Span = Span::Nothing;
    unsafe fn read(cx: &Cx, at: usize) -> Ty {
        // SAFETY: the caller's.
        unsafe { Ty::from_word(cx.slot(at)) }
    }
}

impl Ret for Ty {
    const SLOTS: usize = 1;
    fn write(self, cx: &mut Cx, at: usize) {
        cx.set_slot(at, self.word());
    }
}

/// What a reflect.Value in an interface is.
#[derive(Clone, Copy, Debug)]
pub enum Inside<'a> {
    Nothing,
    /// A value, obtained by an unexported field if it says so, or by one that is embedded.
    Value(Val<'a>, bool, bool),
}

/// What is in a reflect.Value; `None`: it is none, or a method of a value.
pub fn inside<'a>(v: Val<'a>) -> Option<Inside<'a>> {
    let is_value = v.t.kind == Kind::Struct
        && v.t.fields.len() == 2
        && (v.t.name, v.t.pkg_path) == ("Value", "reflect");
    if !is_value {
        return None;
    }
    // SAFETY: the type says what is there; it lives as long as `v`.
    let value: &'a Value = unsafe { &*v.addr().cast() };
    match value.flag {
        0 => Some(Inside::Nothing),
        f if f & Value::METHOD != 0 => None,
        f => Some(Inside::Value(value.val(), f & 1 << 5 != 0, f & 1 << 6 != 0)),
    }
}

/// A pointer to Go memory as a result.
fn ptr<T>(p: *const T) -> Ptr {
    // SAFETY: the address of an object, or within one, or null.
    unsafe { Ptr::from_raw(p as usize) }
}

/// The value of type `t` at `p` as an `any`: a copy, or what an interface holds.
pub fn load(cx: &mut Cx, t: Ty, p: Ptr) -> Iface {
    // SAFETY: F1.
    let v = unsafe { Val::new(t.get(), p.addr() as *const u8) };
    cx.touches(v.addr(), v.t.size, false);
    if v.t.kind == Kind::Interface || is_direct(v.t) {
        return v.to_iface();
    }
    let to = cx.alloc(v.t.size, layout_of(v.t));
    // SAFETY: fresh memory; value::V1.
    unsafe {
        slice::move_elems(v.t, to, v.addr(), 1);
        Iface::from_raw(v.t.ty().word() as usize, to as usize)
    }
}

/// Stores `v` in the variable of its type at `p`.
pub fn store(cx: &mut Cx, p: Ptr, v: Value) -> Res<()> {
    let to = p.check()? as *mut u8;
    cx.touches(v.at(), v.t().size, false);
    cx.touches(to, v.t().size, true);
    // SAFETY: F1.
    unsafe { slice::move_elems(v.t(), to, v.at(), 1) };
    Ok(())
}

/// The first word of a value of interface type `inter` that holds a `t`; 0 if it cannot.
fn tab(inter: &'static Rtype, t: &'static Rtype) -> usize {
    match inter.imethods {
        [] => t.ty().word() as usize,
        _ => iface::itab(inter, t) as usize,
    }
}

/// Stores `x` in the variable of interface type `t` at `p`; false if it is of no such type.
pub fn put_interface(cx: &mut Cx, t: Ty, p: Ptr, x: Iface) -> bool {
    let to = p.addr() as *mut usize;
    let first = match x.rtype() {
        None => 0,
        Some(dynamic) => match tab(t.get(), dynamic) {
            0 => return false,
            first => first,
        },
    };
    cx.touches(to, 16, true);
    // SAFETY: F1 — two words.
    unsafe {
        heap::store_ptr(to, first);
        heap::store_ptr(to.add(1), if first == 0 { 0 } else { x.data() });
    }
    true
}

/// Does `t` have the methods of the interface type `inter`?
pub fn implements(inter: Ty, t: Ty) -> bool {
    if inter.imethods.is_empty() || inter == t {
        return true;
    }
    if t.kind != Kind::Interface {
        return !iface::itab(inter.get(), t.get()).is_null();
    }
    inter.imethods.iter().all(|m| {
        let same = |have: &&IMethod| (have.name, have.pkg) == (m.name, m.pkg);
        t.imethods
            .iter()
            .find(same)
            .is_some_and(|h| h.mtyp == m.mtyp)
    })
}

/// More bytes than any object can have.
const MAX_ALLOC: usize = 1 << 48;

/// New variables of type `t`, zero.
pub fn new_objects(cx: &mut Cx, t: Ty, n: i64) -> Res<Ptr> {
    let size = usize::try_from(n).ok().and_then(|n| n.checked_mul(t.size));
    match size.filter(|s| *s <= MAX_ALLOC) {
        Some(size) => Ok(ptr(cx.alloc(size, layout_of(&t)))),
        None => cx.runtime_error("makeslice: len out of range"),
    }
}

/// Zeroes `n` variables of type `t`.
pub fn clear_objects(cx: &mut Cx, t: Ty, p: Ptr, n: i64) -> Res<()> {
    if n > 0 && t.size > 0 {
        let layout = LayoutId(if t.has_pointers() { t.layout } else { 0 });
        let (from, size) = (p.check()?, n as usize * t.size);
        cx.touches(from as *const u8, size, true);
        for at in (0..size).step_by(PIECE) {
            // SAFETY: F1.
            unsafe { heap::zero_typed(layout, (from + at) as *mut u8, PIECE.min(size - at)) };
            if size > PIECE {
                cx.poll();
            }
        }
    }
    Ok(())
}

/// Copies `n` values of type `t`.
pub fn copy_objects(cx: &mut Cx, t: Ty, to: Ptr, from: Ptr, n: i64) -> Res<()> {
    if n > 0 && t.size > 0 {
        let (to, from) = (to.check()? as *mut u8, from.check()? as *const u8);
        cx.touches(from, n as usize * t.size, false);
        cx.touches(to, n as usize * t.size, true);
        // SAFETY: F1.
        cx.switching(|m| unsafe {
            let g = m.curg;
            slice::copy(m, t.get(), to, n as usize, from, n as usize);
            (&mut *(*g).m, ())
        });
    }
    Ok(())
}

/// Makes room for `n` more elements of type `t` in the slice variable at `p`.
pub fn grow_slice(cx: &mut Cx, t: Ty, p: Ptr, n: i64) -> Res<()> {
    let var = p.check()? as *mut usize;
    // SAFETY: F1 — a slice variable.
    let old = unsafe { Slice::from_raw(*var as *mut u8, *var.add(1), *var.add(2)) };
    cx.touches(var, 24, true);
    cx.touches(old.as_ptr(), old.len() * t.size, false);
    // SAFETY: slice::L1.
    let grown = cx.switching(|m| unsafe {
        let g = m.curg;
        let grown = slice::grow(m, t.get(), old, n.max(0) as usize);
        (&mut *(*g).m, grown)
    });
    let Ok(new) = grown else {
        return cx.runtime_error("growslice: len out of range");
    };
    // SAFETY: as above.
    unsafe {
        heap::store_ptr(var, new.as_ptr() as usize);
        heap::store_ptr(var.add(2), new.cap());
    }
    Ok(())
}

/// Panics as `unsafe.Slice` does.
pub fn check_slice(cx: &mut Cx, t: Ty, p: Ptr, n: i64) -> Res<()> {
    let size = usize::try_from(n).ok().and_then(|n| n.checked_mul(t.size));
    match size {
        Some(size) if p.is_nil() && size > 0 || p.is_nil() && n > 0 => {
            cx.runtime_error("unsafe.Slice: ptr is nil and len is not zero")
        }
        Some(size) if size <= usize::MAX - p.addr() => Ok(()),
        _ => cx.runtime_error("unsafe.Slice: len out of range"),
    }
}

/// Are `n` bytes zero?
pub fn all_zero(cx: &mut Cx, p: Ptr, n: usize) -> bool {
    if n == 0 {
        return true;
    }
    cx.touches(p.addr() as *const u8, n, false);
    // SAFETY: F1.
    let bytes = unsafe { std::slice::from_raw_parts(p.addr() as *const u8, n) };
    // SAFETY: native::N5 — it only compares.
    unsafe { cx.fenced(n, || bytes.iter().all(|b| *b == 0)) }
}

/// Where the code of a func value lies.
pub fn code_of(f: Ptr) -> Ptr {
    ptr(code_at(f.addr()) as *const u8)
}

/// The same for the func value at `f`, as numbers.
pub fn code_at(f: usize) -> usize {
    if f == 0 {
        return 0;
    }
    // SAFETY: a func value begins with its function's index.
    let index = unsafe { *(f as *const u64) } as u32;
    func::entry(index).entry.load(Ordering::Relaxed)
}

/// Exchanges elements of a slice.
pub fn swap(cx: &mut Cx, v: Value, i: i64, j: i64) {
    cx.swap_elems(v.val(), i as usize, j as usize);
}

// ---- maps

/// Tells the detector of races of an operation on a map: its first word stands for all of it.
fn touches_map(cx: &mut Cx, m: Ptr, writes: bool) {
    if !m.is_nil() {
        cx.touches(m.addr() as *const u64, 8, writes);
    }
}

fn as_map(m: Ptr) -> *mut map::Map {
    m.addr() as *mut map::Map
}

#[cold]
fn unhashable<T>(cx: &mut Cx, e: Uncomparable) -> Res<T> {
    cx.runtime_error(format!("hash of unhashable type {}", e.0.string))
}

pub fn make_map(cx: &mut Cx, t: Ty, n: i64) -> Ptr {
    ptr(map::make(cx.m(), t.get(), n.max(0)))
}

pub fn map_len(cx: &mut Cx, m: Ptr) -> i64 {
    touches_map(cx, m, false);
    // SAFETY: F1.
    unsafe { map::len(as_map(m)) as i64 }
}

pub fn map_clear(cx: &mut Cx, m: Ptr) {
    touches_map(cx, m, true);
    // SAFETY: F1.
    unsafe { map::clear(as_map(m)) }
}

/// The place of the value for `key` in the map of type `t`; nil if there is none.
pub fn map_get(cx: &mut Cx, t: Ty, m: Ptr, key: Value) -> Res<Ptr> {
    touches_map(cx, m, false);
    // SAFETY: F1.
    match unsafe { map::get(t.get(), as_map(m), key.at()) } {
        Ok(p) => Ok(ptr(p)),
        Err(e) => unhashable(cx, e),
    }
}

pub fn map_set(cx: &mut Cx, t: Ty, m: Ptr, key: Value, elem: Value) -> Res<()> {
    touches_map(cx, m, true);
    cx.touches(key.at(), key.t().size, false);
    cx.touches(elem.at(), elem.t().size, false);
    // SAFETY: F1; the value is stored at once.
    unsafe {
        match map::assign(cx.m(), t.get(), as_map(m), key.at()) {
            Ok(p) => slice::move_elems(t.elem(), p, elem.at(), 1),
            Err(e) => return unhashable(cx, e),
        }
    }
    Ok(())
}

pub fn map_delete(cx: &mut Cx, t: Ty, m: Ptr, key: Value) -> Res<()> {
    touches_map(cx, m, true);
    // SAFETY: F1.
    match unsafe { map::delete(t.get(), as_map(m), key.at()) } {
        Ok(()) => Ok(()),
        Err(e) => unhashable(cx, e),
    }
}

/// Begins a range over a map, whose state is a variable at `it`.
pub fn map_begin(cx: &mut Cx, m: Ptr, it: Ptr) -> Res<()> {
    touches_map(cx, m, false);
    let it = it.check()? as *mut map::MapIter;
    // SAFETY: F1 — a `mapState`, which has the words of one.
    unsafe { map::iter_init(cx.m(), as_map(m), it) };
    Ok(())
}

/// The places of the next key and value; nil at the end.
pub fn map_next(cx: &mut Cx, t: Ty, it: Ptr) -> Res<(Ptr, Ptr)> {
    let it = it.check()? as *mut map::MapIter;
    // SAFETY: as in `map_begin`; the map is its first word.
    touches_map(cx, unsafe { Ptr::from_raw(*it.cast::<usize>()) }, false);
    // SAFETY: as in `map_begin`.
    let next = unsafe { map::iter_next(t.get(), &mut *it) };
    Ok(next.map_or((Ptr::NIL, Ptr::NIL), |(k, v)| (ptr(k), ptr(v))))
}

// ---- channels

pub fn chan_len(c: Ptr) -> i64 {
    let c = c.addr() as *const Chan;
    if c.is_null() {
        return 0;
    }
    // SAFETY: F1.
    unsafe { chan::len(c) as i64 }
}

pub fn chan_cap(c: Ptr) -> i64 {
    let c = c.addr() as *const Chan;
    if c.is_null() {
        return 0;
    }
    // SAFETY: F1.
    unsafe { chan::cap(c) as i64 }
}

/// The value of `key` in the tag of a field, still quoted.
///
/// Go: reflect/type.go, StructTag.Lookup.
pub fn lookup_tag(tag: GoStr, key: GoStr) -> (GoStr, bool) {
    let bytes = tag.as_bytes();
    let mut at = 0;
    loop {
        at += bytes[at..].iter().take_while(|b| **b == b' ').count();
        let is_name = |b: &&u8| **b > b' ' && !matches!(**b, b':' | b'"' | 0x7f);
        let n = bytes[at..].iter().take_while(is_name).count();
        let colon = at + n;
        if n == 0 || bytes.get(colon) != Some(&b':') || bytes.get(colon + 1) != Some(&b'"') {
            return (GoStr::EMPTY, false);
        }
        let mut end = colon + 2;
        while end < bytes.len() && bytes[end] != b'"' {
            end += if bytes[end] == b'\\' { 2 } else { 1 };
        }
        if end >= bytes.len() {
            return (GoStr::EMPTY, false);
        }
        if bytes[at..colon] == *key.as_bytes() {
            return (tag.sub(colon + 1, end + 1), true);
        }
        at = end + 1;
    }
}
