#![allow(unsafe_code)]
//! Run-time type descriptors and itabs.
//!
//! An [`Rtype`] is canonical: one per type of the program, so type identity is one compare of
//! addresses. The constructors of unnamed types (`pointer_to`, `slice_of`, …) look up what exists;
//! so do [`named`] ones, by where they are declared. They are completed ([`complete`]) when all
//! types they contain by value are.
//!
//! # Invariants
//!
//! - T1. An `Rtype` and everything it refers to is leaked.
//! - T2. Its fields are written only by the thread that makes it, before another thread can see it,
//!   but for the fields that are atomic; completing named types happens at compile time, before the
//!   program (or the REPL's next line) runs.
//!
//! Go: internal/abi/type.go, reflect/type.go, runtime/iface.go (itabs).

use super::arena;
use super::func::Word;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::cell::UnsafeCell;
use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock};

/// Go's `reflect.Kind`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[repr(u8)]
pub enum Kind {
    Invalid,
    Bool,
    Int,
    Int8,
    Int16,
    Int32,
    Int64,
    Uint,
    Uint8,
    Uint16,
    Uint32,
    Uint64,
    Uintptr,
    Float32,
    Float64,
    Complex64,
    Complex128,
    Array,
    Chan,
    Func,
    Interface,
    Map,
    Pointer,
    Slice,
    String,
    Struct,
    UnsafePointer,
}

/// The value is its interface data word.
pub const DIRECT: u16 = 1;
pub const COMPARABLE: u16 = 2;
pub const POINTERS: u16 = 4;
/// Equality is equality of all bytes.
pub const REGULAR: u16 = 8;
/// Has a name (defined or predeclared).
pub(crate) const NAMED: u16 = 16;
pub(crate) const VARIADIC: u16 = 32;
/// Size and contents are known.
pub(crate) const COMPLETE: u16 = 64;

/// A type: the address of its descriptor, which may be shared (T1, T2), or [`Ty::NULL`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(transparent)]
pub struct Ty(*const Rtype);

// SAFETY: T1, T2 — immutable, leaked, or atomic.
unsafe impl Send for Ty {}
// SAFETY: the same.
unsafe impl Sync for Ty {}

impl Ty {
    pub const NULL: Ty = Ty(std::ptr::null());
    /// Of a word of code or memory.
    ///
    /// # Safety
    ///
    /// It is 0 or comes from [`Ty::word`].
    #[inline(always)]
    pub const unsafe fn from_word(word: u64) -> Ty {
        Ty(word as usize as *const Rtype)
    }
    /// As a word of code.
    #[inline]
    pub fn word(self) -> u64 {
        self.0 as u64
    }
    /// The descriptor.
    ///
    /// # Panics
    /// On `NULL`.
    #[inline]
    pub fn get(self) -> &'static Rtype {
        assert!(!self.0.is_null(), "null rtype");
        // SAFETY: T1.
        unsafe { &*self.0 }
    }
}

impl std::ops::Deref for Ty {
    type Target = Rtype;
    #[inline]
    fn deref(&self) -> &Rtype {
        self.get()
    }
}

/// A run-time type. The library's package reflect sees it as it lies in memory, with its fields and
/// methods: `rtype`, `field`, `method` and `imethod` of `reflect/type.go` are the same structs.
#[repr(C)]
#[derive(Debug)]
pub struct Rtype {
    /// In bytes, Go's.
    pub size: usize,
    pub kind: Kind,
    pub align: u8,
    /// `DIRECT`, `COMPARABLE`, …
    pub flags: u16,
    /// Of a channel: 1 receive, 2 send, 3 both (reflect.ChanDir).
    pub(crate) chan_dir: u8,
    /// Of the type's text and package.
    pub hash: u32,
    /// The heap's layout of one value: see [`register_layouts`].
    pub layout: u32,
    /// Number in order of creation, for tables beside.
    pub id: u32,
    /// Elements of an array.
    pub len: usize,
    /// Of pointer, slice, array, channel, map (value).
    pub elem: Ty,
    /// Of a map.
    pub key: Ty,
    /// `main.T`, `map[string]int`: what %T prints.
    pub string: &'static str,
    /// `T`, with type arguments; empty for unnamed types.
    pub name: &'static str,
    /// Import path of a named type's package; empty for predeclared and unnamed ones.
    pub pkg_path: &'static str,
    pub fields: &'static [Field],
    /// Of a concrete type: its method set, leaked ([`set_methods`]); null while it has none.
    methods: AtomicPtr<&'static [Method]>,
    /// Of an interface: its methods, sorted by (name, package of unexported).
    pub imethods: &'static [IMethod],
    /// Of a function; `VARIADIC` in the flags.
    pub ins: &'static [Ty],
    pub outs: &'static [Ty],
    /// Kinds of the words of one value (one element of an array type); empty for one that has
    /// pointers and more than [`WORDS_MAX`] bytes.
    pub words: &'static [Word],
    /// `*T`, if made.
    pub(crate) ptr_to: AtomicPtr<Rtype>,
    /// For the virtual machine's own use (maps keep their entry's layout here); 0 at first.
    pub aux: AtomicUsize,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Field {
    pub name: &'static str,
    /// Of an unexported field: its package's path; else empty.
    pub pkg: &'static str,
    pub typ: Ty,
    pub offset: usize,
    pub embedded: bool,
    pub exported: bool,
    pub tag: &'static str,
}

/// A method of a concrete type.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Method {
    pub name: &'static str,
    /// Of an unexported method: its package's path; else empty.
    pub pkg: &'static str,
    /// Function type without receiver.
    pub mtyp: Ty,
    /// Function whose receiver is the interface data word of the type;
    /// `u32::MAX`: not compiled, nothing can call it.
    pub func: u32,
}

/// A method of an interface type.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct IMethod {
    pub name: &'static str,
    pub pkg: &'static str,
    pub mtyp: Ty,
}

/// The first word of a non-empty interface.
/// `funcs` follow: `CallIface` loads the u32 at [`ITAB_FUNCS`]` + 4*m`.
#[repr(C)]
#[derive(Debug)]
pub struct Itab {
    pub inter: Ty,
    pub typ: Ty,
    pub hash: u32,
    pub n: u32,
    funcs: [u32; 0],
}

/// Offset of the first function index in an [`Itab`].
pub const ITAB_FUNCS: usize = std::mem::offset_of!(Itab, funcs);

impl Itab {
    /// Function of the interface's method `m`, taking the data word as receiver.
    pub fn func(&self, m: usize) -> u32 {
        assert!(m < self.n as usize);
        // SAFETY: `n` indices follow the head (see `itab`).
        unsafe { *self.funcs.as_ptr().add(m) }
    }
}

impl Rtype {
    #[inline]
    pub fn is_direct(&self) -> bool {
        self.flags & DIRECT != 0
    }
    #[inline]
    pub fn is_comparable(&self) -> bool {
        self.flags & COMPARABLE != 0
    }
    #[inline]
    pub fn has_pointers(&self) -> bool {
        self.flags & POINTERS != 0
    }
    #[inline]
    pub fn is_regular(&self) -> bool {
        self.flags & REGULAR != 0
    }
    #[inline]
    pub fn is_named(&self) -> bool {
        self.flags & NAMED != 0
    }
    #[inline]
    pub fn is_variadic(&self) -> bool {
        self.flags & VARIADIC != 0
    }
    /// Size and contents are known.
    #[inline]
    pub fn is_complete(&self) -> bool {
        self.flags & COMPLETE != 0
    }
    /// Of a channel: 1 receive, 2 send, 3 both (reflect.ChanDir).
    #[inline]
    pub fn chan_dir(&self) -> u8 {
        self.chan_dir
    }
    #[inline]
    pub fn ty(&self) -> Ty {
        Ty(self)
    }
    /// The element type.
    ///
    /// # Panics
    /// When there is none.
    #[inline]
    pub fn elem(&self) -> &'static Rtype {
        self.elem.get()
    }
    /// Of a concrete type: those of its methods that something may look for at run time, sorted as
    /// [`IMethod`]s are.
    #[inline]
    pub fn methods(&self) -> &'static [Method] {
        // SAFETY: T1 — `set_methods` leaks what it puts there.
        unsafe { self.methods.load(Ordering::Acquire).as_ref() }.map_or(&[], |m| *m)
    }
    /// The method `name` (of package `pkg` if unexported).
    pub fn method(&self, name: &str, pkg: &str) -> Option<&'static Method> {
        let methods = self.methods();
        methods
            .binary_search_by(|m| (m.name, m.pkg).cmp(&(name, pkg)))
            .ok()
            .map(|i| &methods[i])
    }
}

/// Scalars of up to 8 bytes and pointer-shaped types lie in the data word itself.
pub fn is_direct(kind: Kind) -> bool {
    !matches!(
        kind,
        Kind::Complex128
            | Kind::Array
            | Kind::Interface
            | Kind::Slice
            | Kind::String
            | Kind::Struct
            | Kind::Invalid
    )
}

/// Registers the words of one element of a layout with the heap and returns its id;
/// equal words get equal ids.
pub(crate) type LayoutRegistry = fn(elem_size: usize, words: &[Word]) -> u32;

/// Registers the layout of a large element of so many words by its parts: the first word, the
/// number of words and the layout of each.
pub(crate) type PartsRegistry = fn(words: usize, parts: &[(usize, usize, u32)]) -> u32;

static REGISTRY: OnceLock<(LayoutRegistry, PartsRegistry)> = OnceLock::new();

/// Says where layouts are registered. To be called before the first type is made.
pub fn register_layouts(with: LayoutRegistry, parts: PartsRegistry) {
    let _ = REGISTRY.set((with, parts));
}

/// Structs (and entries of maps) above so many bytes have no map of their words: their layout is
/// put together of the layouts of their fields.
pub const WORDS_MAX: usize = 1 << 20;

/// The heap's layout of `size` bytes, more than [`WORDS_MAX`],
/// in which values of these types lie at these offsets.
pub fn layout_of_parts(size: usize, fields: impl Iterator<Item = (usize, Ty)>) -> u32 {
    let parts: Vec<(usize, usize, u32)> = fields
        .filter(|(_, t)| t.has_pointers())
        .map(|(offset, t)| (offset / 8, t.size / 8, t.layout))
        .collect();
    match REGISTRY.get() {
        Some((_, f)) => f(size / 8, &parts),
        None => number_without_heap(Layout::Parts(size, parts)),
    }
}

/// The heap's layout for elements of these words; 0 when none is a pointer.
pub fn layout(elem_size: usize, words: &[Word]) -> u32 {
    if words.iter().all(|w| *w == Word::Scalar) {
        return 0;
    }
    match REGISTRY.get() {
        Some((f, _)) => f(elem_size, words),
        None => number_without_heap(Layout::Words(elem_size, words.into())),
    }
}

/// What the number of a layout stands for.
#[derive(PartialEq, Eq, Hash)]
enum Layout {
    Words(usize, Box<[Word]>),
    Parts(usize, Vec<(usize, usize, u32)>),
}

/// Numbers layouts where the library is compiled: no heap is there.
fn number_without_heap(layout: Layout) -> u32 {
    static NUMBERS: Mutex<Option<FxHashMap<Layout, u32>>> = Mutex::new(None);
    let mut numbers = NUMBERS.lock().unwrap_or_else(|e| e.into_inner());
    let numbers = numbers.get_or_insert_default();
    let next = numbers.len() as u32 + 1;
    *numbers.entry(layout).or_insert(next)
}

/// What makes an unnamed type the same as another one.
#[derive(PartialEq, Eq, Hash)]
enum Shape {
    Slice(Ty),
    Array(Ty, usize),
    Chan(Ty, u8),
    Map(Ty, Ty),
    Func(Vec<Ty>, Vec<Ty>, bool),
    Struct(Vec<(&'static str, &'static str, Ty, bool, &'static str)>),
    Interface(Vec<(&'static str, &'static str, Ty)>),
}

#[derive(Default)]
struct Types {
    shapes: FxHashMap<Shape, Ty>,
    named: FxHashMap<NamedKey, Ty>,
    names: FxHashMap<&'static str, &'static str>,
    itabs: FxHashMap<(Ty, Ty), ItabRef>,
    all: Vec<Ty>,
}

#[derive(Clone, Copy)]
struct ItabRef(*const Itab);
// SAFETY: itabs are leaked and immutable.
unsafe impl Send for ItabRef {}

fn types() -> MutexGuard<'static, Types> {
    static TYPES: OnceLock<Mutex<Types>> = OnceLock::new();
    TYPES
        .get_or_init(Mutex::default)
        .lock()
        .unwrap_or_else(|e| e.into_inner())
}

static NEXT_ID: AtomicU32 = AtomicU32::new(0);

/// No text, at an address, so that it may stand in a Go string: Rust's `""` is at none, and the
/// collector knows 1, where it seems to be, for an address that no Go pointer has.
fn no_text() -> &'static str {
    static NONE: OnceLock<&str> = OnceLock::new();
    NONE.get_or_init(|| &Box::leak(Box::<str>::from(" "))[..0])
}

/// A leaked copy of `text`, one per text.
pub fn intern(text: &str) -> &'static str {
    if text.is_empty() {
        return no_text();
    }
    let mut t = types();
    if let Some(s) = t.names.get(text) {
        return s;
    }
    let s: &'static str = Box::leak(text.to_string().into_boxed_str());
    t.names.insert(s, s);
    s
}

/// A text that Go code may read as its own string.
fn somewhere(text: &'static str) -> &'static str {
    if text.is_empty() { no_text() } else { text }
}

fn hash_text(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |h: u32, b| {
        (h ^ u32::from(b)).wrapping_mul(0x0100_0193)
    })
}

fn leak<T>(v: Vec<T>) -> &'static [T] {
    if v.is_empty() { &[] } else { Vec::leak(v) }
}

fn blank(kind: Kind, string: &'static str) -> Rtype {
    Rtype {
        size: 0,
        kind,
        align: 1,
        flags: 0,
        chan_dir: 0,
        hash: hash_text(string),
        layout: 0,
        id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
        len: 0,
        elem: Ty::NULL,
        key: Ty::NULL,
        string,
        name: no_text(),
        pkg_path: no_text(),
        fields: &[],
        methods: AtomicPtr::new(std::ptr::null_mut()),
        imethods: &[],
        ins: &[],
        outs: &[],
        words: &[],
        ptr_to: AtomicPtr::new(std::ptr::null_mut()),
        aux: AtomicUsize::new(0),
    }
}

fn publish(mut r: Rtype) -> Ty {
    if !(matches!(r.kind, Kind::Array | Kind::Struct)) {
        r.flags |= COMPLETE;
        seal(&mut r);
    }
    let ty = Ty(UnsafeCell::into_raw_leaked(r));
    types().all.push(ty);
    ty
}

/// Derives what follows from the words.
fn seal(r: &mut Rtype) {
    if r.words.iter().any(|w| *w != Word::Scalar) && r.size > 0 {
        r.flags |= POINTERS;
    }
    if r.layout == 0 && r.flags & POINTERS != 0 {
        let elem = r.words.len() * 8;
        r.layout = layout(elem, r.words);
    }
}

/// Completes an array or struct type whose parts are complete.
///
/// # Safety
/// No other thread uses `ty` yet (T2).
unsafe fn complete_unnamed(ty: Ty) {
    if ty.is_complete() {
        return;
    }
    // SAFETY: the caller promises that we are alone; `publish` made it writable.
    let r = unsafe { &mut *ty.0.cast_mut() };
    match r.kind {
        Kind::Array => fill_array(r),
        Kind::Struct => fill_struct(r),
        _ => {}
    }
    r.flags |= COMPLETE;
    seal(r);
}

/// Completes a type and what it contains by value; `pending` gives out, once each, what is the
/// contents of a named type.
///
/// # Safety
/// No other thread uses the types yet (T2).
pub unsafe fn complete(ty: Ty, pending: &mut dyn FnMut(Ty) -> Option<Ty>) {
    if ty.is_complete() {
        return;
    }
    // SAFETY: the caller's.
    unsafe {
        if let Some(under) = pending(ty) {
            complete(under, pending);
            complete_named(ty, under);
            return;
        }
        match ty.kind {
            Kind::Array => complete(ty.elem, pending),
            Kind::Struct => ty.fields.iter().for_each(|f| complete(f.typ, pending)),
            _ => {}
        }
        complete_unnamed(ty);
    }
}

/// Completes what was just made if its parts allow it.
fn completed(ty: Ty) -> Ty {
    let ready = match ty.kind {
        Kind::Array => ty.elem.is_complete(),
        Kind::Struct => ty.fields.iter().all(|f| f.typ.is_complete()),
        _ => true,
    };
    if ready && !ty.is_complete() {
        let lock = completing();
        // SAFETY: types are completed under the lock;
        // readers use a type only after its constructor returned.
        unsafe { complete_unnamed(ty) };
        drop(lock);
    }
    ty
}

fn completing() -> MutexGuard<'static, ()> {
    static LOCK: Mutex<()> = Mutex::new(());
    LOCK.lock().unwrap_or_else(|e| e.into_inner())
}

/// Leaks a value that may still be written through the pointer (T2).
trait IntoRawLeaked<T> {
    fn into_raw_leaked(value: T) -> *const T;
}
impl<T: 'static> IntoRawLeaked<T> for UnsafeCell<T> {
    fn into_raw_leaked(value: T) -> *const T {
        std::ptr::from_mut(arena::lasting(UnsafeCell::new(value))) as *const T
    }
}

/// The named type printed as `string` (`runtime.errorString`), the first made if several are.
pub fn find_named(string: &str) -> Option<Ty> {
    types()
        .all
        .iter()
        .copied()
        .find(|t| t.is_named() && t.string == string)
}

/// The type of this number.
pub fn numbered(id: u32) -> Option<Ty> {
    types().all.iter().copied().find(|t| t.id == id)
}

/// All types made so far, in order.
pub fn all() -> Vec<Ty> {
    types().all.clone()
}

/// Looks a shape up or makes the type. `make` runs without the lock; of two makers the first wins.
fn canonical(shape: Shape, make: impl FnOnce() -> Rtype) -> Ty {
    if let Some(&t) = types().shapes.get(&shape) {
        return t;
    }
    let made = publish(make());
    *types().shapes.entry(shape).or_insert(made)
}

/// The kinds of words of a value that takes up one word or none by itself.
fn plain_words(kind: Kind) -> &'static [Word] {
    use Word::{Maybe, Pointer, Scalar};
    match kind {
        Kind::Pointer | Kind::Map | Kind::Chan | Kind::Func | Kind::UnsafePointer => &[Pointer],
        Kind::String => &[Pointer, Scalar],
        Kind::Slice => &[Pointer, Scalar, Scalar],
        Kind::Interface => &[Scalar, Maybe],
        Kind::Complex128 => &[Scalar, Scalar],
        _ => &[Scalar],
    }
}

/// The predeclared type of a kind that has no parts, as %T prints it.
pub(crate) fn name_of_kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Bool => "bool",
        Kind::Int => "int",
        Kind::Int8 => "int8",
        Kind::Int16 => "int16",
        Kind::Int32 => "int32",
        Kind::Int64 => "int64",
        Kind::Uint => "uint",
        Kind::Uint8 => "uint8",
        Kind::Uint16 => "uint16",
        Kind::Uint32 => "uint32",
        Kind::Uint64 => "uint64",
        Kind::Uintptr => "uintptr",
        Kind::Float32 => "float32",
        Kind::Float64 => "float64",
        Kind::Complex64 => "complex64",
        Kind::Complex128 => "complex128",
        Kind::String => "string",
        Kind::UnsafePointer => "unsafe.Pointer",
        _ => "invalid type",
    }
}

/// The predeclared type of a kind that has no parts.
pub fn basic(kind: Kind) -> Ty {
    static BASIC: Mutex<Vec<(Kind, Ty)>> = Mutex::new(Vec::new());
    let mut basics = BASIC.lock().unwrap_or_else(|e| e.into_inner());
    if let Some((_, t)) = basics.iter().find(|(k, _)| *k == kind) {
        return *t;
    }
    let name = name_of_kind(kind);
    let mut r = blank(kind, name);
    // unsafe.Pointer prints with its package.
    r.name = name.rsplit('.').next().unwrap_or(name);
    let (size, align) = match kind {
        Kind::Bool | Kind::Int8 | Kind::Uint8 => (1, 1),
        Kind::Int16 | Kind::Uint16 => (2, 2),
        Kind::Int32 | Kind::Uint32 | Kind::Float32 => (4, 4),
        Kind::Complex64 => (8, 4),
        Kind::Complex128 | Kind::String => (16, 8),
        _ => (8, 8),
    };
    (r.size, r.align) = (size, align);
    r.words = plain_words(kind);
    r.flags = NAMED | COMPARABLE;
    if is_direct(kind) {
        r.flags |= DIRECT;
    }
    if !matches!(
        kind,
        Kind::Float32 | Kind::Float64 | Kind::Complex64 | Kind::Complex128 | Kind::String
    ) {
        r.flags |= REGULAR;
    }
    let t = publish(r);
    basics.push((kind, t));
    t
}

/// `*elem`.
pub fn pointer_to(elem: Ty) -> Ty {
    let have = elem.ptr_to.load(Ordering::Acquire);
    if !have.is_null() {
        return Ty(have);
    }
    let mut r = blank(Kind::Pointer, intern(&format!("*{}", elem.string)));
    r.hash = r.hash.wrapping_add(elem.hash.rotate_left(5));
    (r.size, r.align, r.elem) = (8, 8, elem);
    r.words = plain_words(Kind::Pointer);
    r.flags = DIRECT | COMPARABLE | REGULAR;
    let made = publish(r);
    match elem.ptr_to.compare_exchange(
        std::ptr::null_mut(),
        made.0.cast_mut(),
        Ordering::AcqRel,
        Ordering::Acquire,
    ) {
        Ok(_) => made,
        Err(first) => Ty(first),
    }
}

/// `[]elem`.
pub fn slice_of(elem: Ty) -> Ty {
    canonical(Shape::Slice(elem), || {
        let mut r = blank(Kind::Slice, intern(&format!("[]{}", elem.string)));
        (r.size, r.align, r.elem) = (24, 8, elem);
        r.words = plain_words(Kind::Slice);
        r
    })
}

/// `[len]elem`; complete if `elem` is.
pub fn array_of(elem: Ty, len: usize) -> Ty {
    completed(canonical(Shape::Array(elem, len), || {
        let mut r = blank(Kind::Array, intern(&format!("[{len}]{}", elem.string)));
        (r.elem, r.len) = (elem, len);
        r
    }))
}

fn fill_array(r: &mut Rtype) {
    let elem = r.elem;
    r.size = elem.size.saturating_mul(r.len).min(MAX_SIZE);
    r.align = elem.align;
    r.flags |= elem.flags & (COMPARABLE | REGULAR);
    // Arrays of pointers repeat the words of their element;
    // the heap repeats a layout over the object.
    r.words = elem.words;
    r.layout = if r.len > 0 { elem.layout } else { 0 };
    if r.len == 0 {
        r.words = &[];
    } else {
        r.flags |= elem.flags & POINTERS;
    }
}

/// Sizes in bytes that are counted; instances of generic types can be larger.
const MAX_SIZE: usize = 1 << 50;

/// `chan elem`, with the direction as reflect numbers it.
pub fn chan_of(elem: Ty, dir: u8) -> Ty {
    canonical(Shape::Chan(elem, dir), || {
        let s = match dir {
            1 => format!("<-chan {}", elem.string),
            2 => format!("chan<- {}", elem.string),
            _ if elem.kind == Kind::Chan && elem.chan_dir == 1 && !elem.is_named() => {
                format!("chan ({})", elem.string)
            }
            _ => format!("chan {}", elem.string),
        };
        let mut r = blank(Kind::Chan, intern(&s));
        (r.size, r.align, r.elem, r.chan_dir) = (8, 8, elem, dir);
        r.words = plain_words(Kind::Chan);
        r.flags = DIRECT | COMPARABLE | REGULAR;
        r
    })
}

/// `map[key]elem`.
pub fn map_of(key: Ty, elem: Ty) -> Ty {
    canonical(Shape::Map(key, elem), || {
        let s = intern(&format!("map[{}]{}", key.string, elem.string));
        let mut r = blank(Kind::Map, s);
        (r.size, r.align, r.elem, r.key) = (8, 8, elem, key);
        r.words = plain_words(Kind::Map);
        r.flags = DIRECT;
        r
    })
}

/// Text of parameters and results: `(int, ...string) (bool, error)`.
pub(crate) fn signature_text(ins: &[Ty], outs: &[Ty], variadic: bool) -> String {
    let mut s = String::from("(");
    for (i, t) in ins.iter().enumerate() {
        if i > 0 {
            s.push_str(", ");
        }
        if variadic && i + 1 == ins.len() {
            s.push_str("...");
            s.push_str(t.elem().string);
        } else {
            s.push_str(t.string);
        }
    }
    s.push(')');
    match outs {
        [] => {}
        [one] => {
            s.push(' ');
            s.push_str(one.string);
        }
        many => {
            s.push_str(" (");
            s.push_str(&many.iter().map(|t| t.string).collect::<Vec<_>>().join(", "));
            s.push(')');
        }
    }
    s
}

/// `func(ins…) outs…`; of a variadic one the last parameter is a slice.
pub fn func_of(ins: Vec<Ty>, outs: Vec<Ty>, variadic: bool) -> Ty {
    let shape = Shape::Func(ins.clone(), outs.clone(), variadic);
    canonical(shape, || {
        let s = format!("func{}", signature_text(&ins, &outs, variadic));
        let mut r = blank(Kind::Func, intern(&s));
        (r.size, r.align) = (8, 8);
        r.words = plain_words(Kind::Func);
        r.flags = DIRECT | if variadic { VARIADIC } else { 0 };
        r.ins = leak(ins);
        r.outs = leak(outs);
        r
    })
}

/// `struct{…}`: offsets and the text are computed here; complete if its field types are.
pub fn struct_of(fields: Vec<Field>) -> Ty {
    let shape = Shape::Struct(
        fields
            .iter()
            .map(|f| (f.name, f.pkg, f.typ, f.embedded, f.tag))
            .collect(),
    );
    completed(canonical(shape, || {
        let mut s = String::from("struct {");
        for (i, f) in fields.iter().enumerate() {
            s.push_str(if i > 0 { "; " } else { " " });
            if !f.embedded {
                s.push_str(f.name);
                s.push(' ');
            }
            s.push_str(f.typ.string);
            if !f.tag.is_empty() {
                s.push_str(&format!(" {}", quote(f.tag)));
            }
        }
        s.push_str(if fields.is_empty() { "}" } else { " }" });
        let mut r = blank(Kind::Struct, intern(&s));
        let fields = fields.into_iter().map(|f| Field {
            pkg: somewhere(f.pkg),
            tag: somewhere(f.tag),
            ..f
        });
        r.fields = leak(fields.collect());
        r
    }))
}

/// A tag as it is printed in a struct type's text.
fn quote(s: &str) -> String {
    let mut q = String::from("\"");
    for c in s.chars() {
        match c {
            '"' => q.push_str("\\\""),
            '\\' => q.push_str("\\\\"),
            '\n' => q.push_str("\\n"),
            '\t' => q.push_str("\\t"),
            c => q.push(c),
        }
    }
    q.push('"');
    q
}

fn fill_struct(r: &mut Rtype) {
    let mut fields = r.fields.to_vec();
    let mut at = 0usize;
    let mut align = 1u8;
    r.flags |= COMPARABLE | REGULAR;
    let n = fields.len();
    for (i, f) in fields.iter_mut().enumerate() {
        let t = f.typ;
        align = align.max(t.align);
        let offset = at.next_multiple_of(t.align.max(1) as usize);
        if offset != at || f.name == "_" {
            r.flags &= !REGULAR;
        }
        f.offset = offset;
        at = (offset + t.size).min(MAX_SIZE);
        // A final zero-size field gets a byte, so that its address is not the next object's.
        if i + 1 == n && t.size == 0 && at > 0 {
            at += 1;
        }
        if !t.is_comparable() {
            r.flags &= !COMPARABLE;
        }
        if !t.is_regular() {
            r.flags &= !REGULAR;
        }
    }
    let size = at.next_multiple_of(align as usize);
    if size != at {
        r.flags &= !REGULAR;
    }
    (r.size, r.align) = (size, align);
    let has_pointers = fields.iter().any(|f| f.typ.has_pointers());
    if has_pointers && size > WORDS_MAX {
        r.flags |= POINTERS;
        r.words = &[];
        r.layout = layout_of_parts(size, fields.iter().map(|f| (f.offset, f.typ)));
    } else if has_pointers {
        let mut words = vec![Word::Scalar; size / 8];
        for f in &fields {
            place_words(&mut words, f.offset / 8, f.typ);
        }
        r.words = leak(words);
        r.layout = layout(size, r.words);
    } else {
        r.words = if size == 0 { &[] } else { &[Word::Scalar] };
    }
    r.fields = leak(fields);
}

/// Writes the kinds of a value of type `t` into `words` from `at` on.
pub fn place_words(words: &mut [Word], at: usize, t: Ty) {
    if !t.has_pointers() {
        return;
    }
    let n = t.size / 8;
    for (i, w) in words[at..at + n].iter_mut().enumerate() {
        *w = t.words[i % t.words.len()];
    }
}

/// `interface{…}`, methods sorted by (name, package path of unexported ones).
pub fn interface_of(methods: Vec<IMethod>) -> Ty {
    let shape = Shape::Interface(methods.iter().map(|m| (m.name, m.pkg, m.mtyp)).collect());
    canonical(shape, || {
        let mut s = String::from("interface {");
        for (i, m) in methods.iter().enumerate() {
            s.push_str(if i > 0 { "; " } else { " " });
            if !m.pkg.is_empty() {
                s.push_str(m.pkg.rsplit('/').next().unwrap_or(""));
                s.push('.');
            }
            s.push_str(m.name);
            s.push_str(m.mtyp.string.strip_prefix("func").unwrap_or(""));
        }
        s.push_str(if methods.is_empty() { "}" } else { " }" });
        let mut r = blank(Kind::Interface, intern(&s));
        fill_interface(&mut r, methods);
        r
    })
}

fn fill_interface(r: &mut Rtype, methods: Vec<IMethod>) {
    (r.size, r.align) = (16, 8);
    r.words = plain_words(Kind::Interface);
    r.flags |= COMPARABLE;
    let methods = methods.into_iter().map(|m| IMethod {
        pkg: somewhere(m.pkg),
        ..m
    });
    r.imethods = leak(methods.collect());
}

/// What makes a named type the same as another one, in whatever unit: its text and package, where
/// it is declared, and the arguments that it is an instance for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct NamedKey {
    pub string: &'static str,
    pub pkg_path: &'static str,
    /// The name of the file, and the place in it; empty and 0 for predeclared types.
    pub declared: (&'static str, u32),
    pub targs: Vec<Ty>,
}

/// The named type with that key, and whether it has been made now: then it is without contents,
/// to be completed by [`complete`]. `name` is what it is called without its package.
pub fn named(key: NamedKey, name: &str) -> (Ty, bool) {
    let name = intern(name);
    let types = &mut *types();
    match types.named.entry(key) {
        Entry::Occupied(known) => (*known.get(), false),
        Entry::Vacant(free) => {
            let key = free.key();
            let mut r = blank(Kind::Invalid, key.string);
            r.name = name;
            r.pkg_path = somewhere(key.pkg_path);
            r.hash ^= hash_text(key.pkg_path).rotate_left(9);
            r.flags = NAMED;
            let made = Ty(UnsafeCell::into_raw_leaked(r));
            types.all.push(made);
            (*free.insert(made), true)
        }
    }
}

/// The keys of the named types that there are.
pub fn keys() -> FxHashMap<Ty, NamedKey> {
    types().named.iter().map(|(k, t)| (*t, k.clone())).collect()
}

/// A text that is the same for a type in whatever unit, and for no other. `keys` has those of the
/// named types it mentions.
pub fn identity(ty: Ty, keys: &FxHashMap<Ty, NamedKey>) -> String {
    let of = |t: Ty| identity(t, keys);
    let list = |types: &[Ty]| types.iter().map(|t| of(*t)).collect::<Vec<_>>().join(",");
    if let Some(key) = keys.get(&ty) {
        let (file, at) = key.declared;
        let (string, pkg) = (key.string, key.pkg_path);
        return format!("{pkg}.{string}@{file}:{at}[{}]", list(&key.targs));
    }
    match ty.kind {
        _ if ty.is_named() => ty.string.to_string(),
        Kind::Pointer => format!("*{}", of(ty.elem)),
        Kind::Slice => format!("[]{}", of(ty.elem)),
        Kind::Array => format!("[{}]{}", ty.len, of(ty.elem)),
        Kind::Chan => format!("chan{} {}", ty.chan_dir, of(ty.elem)),
        Kind::Map => format!("map[{}]{}", of(ty.key), of(ty.elem)),
        Kind::Func => {
            let dots = if ty.is_variadic() { "..." } else { "" };
            format!("func({}{dots})({})", list(ty.ins), list(ty.outs))
        }
        Kind::Struct => {
            let field = |f: &Field| {
                let embedded = if f.embedded { "=" } else { " " };
                format!("{}.{}{embedded}{} {:?}", f.pkg, f.name, of(f.typ), f.tag)
            };
            let fields: Vec<_> = ty.fields.iter().map(field).collect();
            format!("struct{{{}}}", fields.join(";"))
        }
        Kind::Interface => {
            let method = |m: &IMethod| format!("{}.{} {}", m.pkg, m.name, of(m.mtyp));
            let methods: Vec<_> = ty.imethods.iter().map(method).collect();
            format!("interface{{{}}}", methods.join(";"))
        }
        _ => ty.string.to_string(),
    }
}

/// Gives a named type the contents of its (complete, unnamed or predeclared) underlying type.
///
/// # Safety
/// No other thread uses `named` yet (T2).
unsafe fn complete_named(named: Ty, underlying: Ty) {
    let u = underlying.get();
    // SAFETY: the caller promises that we are alone; `new_named` made it writable.
    let r = unsafe { &mut *named.0.cast_mut() };
    r.size = u.size;
    r.kind = u.kind;
    r.align = u.align;
    r.flags = (u.flags & !NAMED) | NAMED | COMPLETE;
    if (r.pkg_path, r.name) == ("reflect", "words") {
        r.flags |= REGULAR;
    }
    r.chan_dir = u.chan_dir;
    r.layout = u.layout;
    r.len = u.len;
    (r.elem, r.key) = (u.elem, u.key);
    (r.fields, r.imethods) = (u.fields, u.imethods);
    (r.ins, r.outs) = (u.ins, u.outs);
    r.words = u.words;
}

/// Gives a concrete type its method table, sorted by (name, package path of unexported ones). One
/// that it has already may only grow.
pub(crate) fn set_methods(ty: Ty, methods: Vec<Method>) {
    debug_assert!(methods.is_sorted_by_key(|m| (m.name, m.pkg)));
    let methods = methods.into_iter().map(|m| Method {
        pkg: somewhere(m.pkg),
        ..m
    });
    let leaked = Box::into_raw(Box::new(leak(methods.collect())));
    ty.get().methods.store(leaked, Ordering::Release);
}

/// The itab of `typ` for the non-empty interface `inter`, or the name of the first method that is
/// missing (or has another type).
pub fn itab(inter: Ty, typ: Ty) -> Result<*const Itab, &'static str> {
    if let Some(i) = types().itabs.get(&(inter, typ)) {
        return Ok(i.0);
    }
    let mut funcs = Vec::with_capacity(inter.imethods.len());
    for m in inter.imethods {
        match typ.method(m.name, m.pkg) {
            Some(have) if have.mtyp == m.mtyp => funcs.push(have.func),
            _ => return Err(m.name),
        }
    }
    let mut words = vec![
        inter.word(),
        typ.word(),
        u64::from(typ.hash) | (funcs.len() as u64) << 32,
    ];
    for pair in funcs.chunks(2) {
        words.push(u64::from(pair[0]) | u64::from(pair.get(1).copied().unwrap_or(0)) << 32);
    }
    let made = match arena::CONSTS.put_words(&words) {
        Some(at) => ItabRef(at as *const Itab),
        None => ItabRef(Box::leak(words.into_boxed_slice()).as_ptr().cast()),
    };
    Ok(types().itabs.entry((inter, typ)).or_insert(made).0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unnamed_types_are_canonical() {
        let int = basic(Kind::Int);
        assert_eq!(int, basic(Kind::Int));
        assert_eq!(slice_of(pointer_to(int)), slice_of(pointer_to(int)));
        assert_ne!(array_of(int, 2), array_of(int, 3));
        assert_eq!(map_of(int, slice_of(int)).string, "map[int][]int");
        let f = func_of(vec![int, slice_of(int)], vec![int, int], true);
        assert_eq!(f.string, "func(int, ...int) (int, int)");
    }

    #[test]
    fn structs_are_laid_out_as_in_go() {
        let (b, int) = (basic(Kind::Bool), basic(Kind::Int));
        let field = |name, typ: Ty| Field {
            name,
            pkg: "main",
            typ,
            offset: 0,
            embedded: false,
            exported: false,
            tag: "",
        };
        let s = struct_of(vec![
            field("a", b),
            field("p", pointer_to(int)),
            field("z", struct_of(vec![])),
        ]);
        assert_eq!((s.size, s.align), (24, 8));
        assert_eq!(s.fields[1].offset, 8);
        assert_eq!(s.words, [Word::Scalar, Word::Pointer, Word::Scalar]);
        assert!(!s.is_regular() && s.is_comparable() && s.has_pointers());
        assert_eq!(s.string, "struct { a bool; p *int; z struct {} }");
    }

    #[test]
    fn itabs_are_canonical() {
        let err = func_of(vec![], vec![basic(Kind::String)], false);
        let i = interface_of(vec![IMethod {
            name: "Error",
            pkg: "",
            mtyp: err,
        }]);
        let key = NamedKey {
            string: "main.T",
            pkg_path: "main",
            declared: ("itabs_are_canonical", 0),
            targs: Vec::new(),
        };
        let (t, is_new) = named(key.clone(), "T");
        assert_eq!((is_new, named(key, "T")), (true, (t, false)));
        // SAFETY: the test owns `t`.
        unsafe {
            complete_named(t, basic(Kind::Int));
        }
        assert_eq!(itab(i, t), Err("Error"));
        let method = Method {
            name: "Error",
            pkg: "",
            mtyp: err,
            func: 77,
        };
        set_methods(t, vec![method]);
        let tab = itab(i, t).unwrap();
        assert_eq!(tab, itab(i, t).unwrap());
        // SAFETY: itabs are leaked.
        unsafe {
            assert_eq!((*tab).func(0), 77);
            assert_eq!(*(tab as *const u8).add(ITAB_FUNCS).cast::<u32>(), 77);
        }
    }
}
