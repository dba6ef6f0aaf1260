#![allow(unsafe_code)]
//! Maps.
//!
//! A [`Map`] is a header that names one [`Table`]. A table has a fixed number of entries, filled
//! from the front in order of insertion, a tag (32 bits of hash, 0 for a deleted entry) for each,
//! and an index: open addressing over words of `tag << 32 | entry + 1`. A full table is replaced by
//! a new one, of double size or of the same if many entries were deleted; old tables are left to
//! the collector. Tables of up to eight entries have no index.
//!
//! A range keeps its table and the number of entries it had, begins at a random one and wraps; once
//! the map has moved to another table, each key is looked up there.
//!
//! # Invariants
//!
//! - H1. `cap`, `mask`, `voff`, `esize` and the three pointers of a table never change. So whatever
//!   a racy reader sees in index or tags, an entry number below `cap` names memory of the table.
//! - H2. Probe loops end after `mask + 1` steps whatever they see.
//! - H3. An entry is written once; deleting zeroes it and its tag; it is never used again.
//! - H4. All parts are heap objects reachable from the header.
//!
//! Go: internal/runtime/maps, whose layout differs.
//! Spec: Map types; For statements with range clause.

use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering::Relaxed};

use gosched_runtime::heap::{self, LayoutId};
use gosched_runtime::m::M;

use super::native::GoStr;
use super::value::{self, Uncomparable, deref, heap_layouts, words_of};
use bytecode::abi::MAP_ITER;
use bytecode::func::Word;
use bytecode::rtype::{self, Kind, Rtype};

/// The header of a map; what a map value points to.
#[repr(C)]
#[derive(Debug)]
pub struct Map {
    /// Live entries. First, since `len` reads it.
    pub count: AtomicU64,
    flags: AtomicU32,
    /// Counts `clear`s.
    epoch: AtomicU32,
    table: AtomicPtr<Table>,
    seed: u64,
}

#[repr(C)]
struct Table {
    /// Size of the index less one; 0 if there is none.
    mask: u64,
    /// Entries it can have.
    cap: u64,
    /// Entries given out, deleted ones included.
    len: AtomicU64,
    /// Offset of the value in an entry; size of an entry.
    voff: usize,
    esize: usize,
    index: *mut AtomicU64,
    tags: *mut AtomicU32,
    entries: *mut u8,
    /// The tags of a small table.
    small: [u32; SMALL],
}

heap_layouts! {
    fn header_layout = Map {
        count: Scalar, flags: Scalar, epoch: Scalar, table: Pointer, seed: Scalar,
    }
    fn table_layout = Table {
        mask: Scalar, cap: Scalar, len: Scalar, voff: Scalar, esize: Scalar,
        index: Pointer, tags: Pointer, entries: Pointer, small: Scalar,
    }
}

const SMALL: usize = 8;
/// So many entries are moved to a larger table between two looks for requests.
const LOOK_EVERY: u64 = 4096;
const WRITING: u32 = 1;

/// What the VM keeps of a range over a map, in the frame.
#[repr(C)]
#[derive(Debug)]
pub struct MapIter {
    map: *mut Map,
    table: *mut u8,
    start: u64,
    done: u64,
    len: u64,
    epoch: u64,
    _spare: [u64; 2],
}

// The compiler gives it slots of these kinds.
const _: () = {
    let words = words_of!(
        Word,
        MapIter {
            map: Pointer,
            table: Pointer,
            start: Scalar,
            done: Scalar,
            len: Scalar,
            epoch: Scalar,
            _spare: Scalar,
        }
    );
    assert!(words.len() == MAP_ITER.len());
    let mut k = 0;
    while k < words.len() {
        assert!(words[k] as u8 == MAP_ITER[k] as u8);
        k += 1;
    }
};

/// Offset of the value and size of an entry of a map type.
fn shape(mt: &Rtype) -> (usize, usize) {
    let (k, v) = (deref(mt.key), deref(mt.elem));
    let voff = k.size.next_multiple_of(usize::from(v.align).max(1));
    let scan = (k.flags | v.flags) & rtype::POINTERS != 0;
    let align = if scan {
        8
    } else {
        usize::from(k.align.max(v.align)).max(1)
    };
    (voff, (voff + v.size).next_multiple_of(align))
}

fn entry_layout(mt: &Rtype) -> LayoutId {
    let (k, v) = (deref(mt.key), deref(mt.elem));
    if (k.flags | v.flags) & rtype::POINTERS == 0 {
        return LayoutId::NOSCAN;
    }
    match mt.aux.load(Relaxed) {
        0 => {
            let (voff, esize) = shape(mt);
            let id = if esize > rtype::WORDS_MAX {
                rtype::layout_of_parts(esize, [(0, k.ty()), (voff, v.ty())].into_iter())
            } else {
                let mut words = vec![Word::Scalar; esize / 8];
                rtype::place_words(&mut words, 0, k.ty());
                rtype::place_words(&mut words, voff / 8, v.ty());
                value::heap_layout(esize, &words)
            };
            mt.aux.store(id as usize, Relaxed);
            LayoutId(id)
        }
        id => LayoutId(id as u32),
    }
}

/// `make(map[K]V, hint)`
pub fn make(m: &mut M, mt: &'static Rtype, hint: i64) -> *mut Map {
    let layout = header_layout();
    let seed = m.p().rand.next();
    // SAFETY: `m` holds a P; fresh memory of the size of a header.
    unsafe {
        let map: *mut Map = heap::alloc(m, size_of::<Map>(), layout).cast();
        (*map).seed = seed;
        let hint = usize::try_from(hint).unwrap_or(0);
        // More entries than a table numbers are made as they come.
        if hint > SMALL
            && hint < 1 << 31
            && hint
                .checked_mul(shape(mt).1.max(1))
                .is_some_and(|b| b < 1 << 40)
        {
            let t = new_table(m, mt, hint);
            heap::store_ptr((&raw mut (*map).table).cast(), t as usize);
        }
        map
    }
}

/// A table with room for `want` entries.
unsafe fn new_table(m: &mut M, mt: &'static Rtype, want: usize) -> *mut Table {
    let layout = table_layout();
    let (voff, esize) = shape(mt);
    // SAFETY: fresh memory throughout, unreachable for others until the caller publishes it.
    unsafe {
        let t: *mut Table = heap::alloc(m, size_of::<Table>(), layout).cast();
        (*t).voff = voff;
        (*t).esize = esize;
        if want <= SMALL {
            (*t).cap = SMALL as u64;
            (*t).tags = (&raw mut (*t).small).cast();
        } else {
            let n = (want * 8 / 5 + 1).next_power_of_two();
            let cap = n / 8 * 5;
            if cap >= u32::MAX as usize {
                gosched_runtime::throw!("map too large");
            }
            (*t).mask = n as u64 - 1;
            (*t).cap = cap as u64;
            let index: *mut AtomicU64 = heap::alloc(m, 8 * n, LayoutId::NOSCAN).cast();
            heap::store_ptr((&raw mut (*t).index).cast(), index as usize);
            let tags: *mut AtomicU32 = heap::alloc(m, 4 * cap, LayoutId::NOSCAN).cast();
            heap::store_ptr((&raw mut (*t).tags).cast(), tags as usize);
        }
        let entries = heap::alloc(
            m,
            ((*t).cap as usize).saturating_mul(esize),
            entry_layout(mt),
        );
        heap::store_ptr((&raw mut (*t).entries).cast(), entries as usize);
        t
    }
}

/// How keys of a kind are hashed, compared and stored.
trait Key: Copy {
    fn hash(&self, seed: u64, m: Option<&mut M>) -> Result<u64, Uncomparable>;
    /// # Safety
    /// `p` is a key of the map.
    unsafe fn eq(&self, p: *const u8) -> Result<bool, Uncomparable>;
    /// # Safety
    /// `p` is room for a key of the map.
    unsafe fn store(&self, p: *mut u8);
    /// Whether an equal key may look different, so that assignment replaces it.
    const UPDATES: bool;
}

#[derive(Clone, Copy)]
struct K64(u64);
#[derive(Clone, Copy)]
struct K32(u32);
#[derive(Clone, Copy)]
struct KStr(GoStr);
#[derive(Clone, Copy)]
struct KAny(&'static Rtype, *const u8);

impl Key for K64 {
    const UPDATES: bool = false;
    #[inline(always)]
    fn hash(&self, seed: u64, _: Option<&mut M>) -> Result<u64, Uncomparable> {
        Ok(value::hash64(self.0, seed))
    }
    #[inline(always)]
    unsafe fn eq(&self, p: *const u8) -> Result<bool, Uncomparable> {
        // SAFETY: the caller's.
        Ok(unsafe { p.cast::<u64>().read() } == self.0)
    }
    #[inline(always)]
    unsafe fn store(&self, p: *mut u8) {
        // SAFETY: the caller's. The key may be a pointer.
        unsafe { heap::store_ptr(p.cast(), self.0 as usize) }
    }
}

impl Key for K32 {
    const UPDATES: bool = false;
    #[inline(always)]
    fn hash(&self, seed: u64, _: Option<&mut M>) -> Result<u64, Uncomparable> {
        Ok(value::hash64(u64::from(self.0), seed))
    }
    #[inline(always)]
    unsafe fn eq(&self, p: *const u8) -> Result<bool, Uncomparable> {
        // SAFETY: the caller's.
        Ok(unsafe { p.cast::<u32>().read() } == self.0)
    }
    #[inline(always)]
    unsafe fn store(&self, p: *mut u8) {
        // SAFETY: the caller's.
        unsafe { p.cast::<u32>().write(self.0) }
    }
}

impl Key for KStr {
    const UPDATES: bool = false;
    #[inline(always)]
    fn hash(&self, seed: u64, _: Option<&mut M>) -> Result<u64, Uncomparable> {
        Ok(value::hash_bytes(self.0.as_bytes(), seed))
    }
    #[inline(always)]
    unsafe fn eq(&self, p: *const u8) -> Result<bool, Uncomparable> {
        // SAFETY: the caller's.
        let k = unsafe { p.cast::<GoStr>().read() };
        Ok(super::string::equal(k, self.0))
    }
    #[inline(always)]
    unsafe fn store(&self, p: *mut u8) {
        // SAFETY: the caller's.
        unsafe {
            heap::store_ptr(p.cast(), self.0.as_ptr() as usize);
            p.add(8).cast::<usize>().write(self.0.len());
        }
    }
}

impl Key for KAny {
    const UPDATES: bool = true;
    fn hash(&self, seed: u64, m: Option<&mut M>) -> Result<u64, Uncomparable> {
        let mut m = m;
        // A NaN that is looked up is never found, so any number does there.
        let mut nan = || m.as_deref_mut().map_or(0, |m| m.p().rand.next());
        // SAFETY: made from a readable key.
        unsafe { value::hash(self.0, self.1, seed, &mut nan) }
    }
    unsafe fn eq(&self, p: *const u8) -> Result<bool, Uncomparable> {
        // SAFETY: the caller's.
        unsafe { value::equal(self.0, p, self.1) }
    }
    unsafe fn store(&self, p: *mut u8) {
        // SAFETY: the caller's.
        unsafe { super::slice::move_elems(self.0, p, self.1, 1) }
    }
}

#[inline(always)]
fn tag_of(h: u64) -> u32 {
    let t = (h ^ (h >> 32)) as u32;
    if t == 0 { 1 } else { t }
}

impl Table {
    #[inline(always)]
    unsafe fn entry(&self, i: u64) -> *mut u8 {
        // SAFETY: H1, for `i` below `cap`, which callers check.
        unsafe { self.entries.add(i as usize * self.esize) }
    }

    #[inline(always)]
    unsafe fn tag(&self, i: u64) -> &AtomicU32 {
        // SAFETY: H1, for `i` below `cap`, which callers check.
        unsafe { &*self.tags.add(i as usize) }
    }

    #[inline(always)]
    unsafe fn slot(&self, i: u64) -> &AtomicU64 {
        // SAFETY: H1, for `i` masked.
        unsafe { &*self.index.add(i as usize) }
    }

    /// The entry with an equal key, and its place in the index.
    #[inline(always)]
    unsafe fn find<K: Key>(&self, tag: u32, key: K) -> Result<Option<(u64, u64)>, Uncomparable> {
        // SAFETY: H1; entry numbers are checked against `cap`.
        unsafe {
            if self.mask == 0 {
                let n = self.len.load(Relaxed).min(self.cap);
                for i in 0..n {
                    if self.tag(i).load(Relaxed) == tag && key.eq(self.entry(i))? {
                        return Ok(Some((i, 0)));
                    }
                }
                return Ok(None);
            }
            let mut at = u64::from(tag) & self.mask;
            for _ in 0..=self.mask {
                let s = self.slot(at).load(Relaxed);
                if s == 0 {
                    return Ok(None);
                }
                if (s >> 32) as u32 == tag {
                    let i = u64::from(s as u32).wrapping_sub(1);
                    if i < self.cap && key.eq(self.entry(i))? {
                        return Ok(Some((i, at)));
                    }
                }
                at = (at + 1) & self.mask;
            }
            Ok(None)
        }
    }

    /// Appends an entry whose key is not in the table, which has room; the entry's number.
    #[inline(always)]
    unsafe fn add(&self, tag: u32) -> u64 {
        // SAFETY: H1; the writer sees a `len` below `cap`.
        unsafe {
            let i = self.len.load(Relaxed);
            self.len.store(i + 1, Relaxed);
            self.tag(i).store(tag, Relaxed);
            if self.mask != 0 {
                let mut at = u64::from(tag) & self.mask;
                for _ in 0..=self.mask {
                    if self.slot(at).load(Relaxed) == 0 {
                        break;
                    }
                    at = (at + 1) & self.mask;
                }
                self.slot(at).store(u64::from(tag) << 32 | (i + 1), Relaxed);
            }
            i
        }
    }
}

#[cold]
fn concurrent(what: &str) -> ! {
    gosched_runtime::panic::fatal(format_args!("{what}"))
}

impl Map {
    #[inline(always)]
    fn table(&self) -> *mut Table {
        self.table.load(Relaxed)
    }

    #[inline(always)]
    fn check_read(&self) {
        if self.flags.load(Relaxed) & WRITING != 0 {
            concurrent("concurrent map read and map write");
        }
    }

    #[inline(always)]
    fn begin_write(&self) {
        if self.flags.load(Relaxed) & WRITING != 0 {
            concurrent("concurrent map writes");
        }
        self.flags.store(WRITING, Relaxed);
    }

    #[inline(always)]
    fn end_write(&self) {
        if self.flags.load(Relaxed) & WRITING == 0 {
            concurrent("concurrent map writes");
        }
        self.flags.store(0, Relaxed);
    }
}

/// `len(m)`
///
/// # Safety
///
/// `m` is nil or a map.
#[inline]
pub unsafe fn len(m: *const Map) -> usize {
    // SAFETY: the caller's.
    unsafe { m.as_ref() }.map_or(0, |m| m.count.load(Relaxed) as usize)
}

#[inline(always)]
unsafe fn get_key<K: Key>(map: *const Map, key: K) -> Result<*const u8, Uncomparable> {
    // SAFETY: the caller's: a map of this key.
    unsafe {
        let Some(map) = map.as_ref() else {
            return Ok(ptr::null());
        };
        map.check_read();
        let h = key.hash(map.seed, None)?;
        let t = map.table();
        if t.is_null() {
            return Ok(ptr::null());
        }
        let t = &*t;
        match t.find(tag_of(h), key)? {
            Some((i, _)) => Ok(t.entry(i).add(t.voff)),
            None => Ok(ptr::null()),
        }
    }
}

#[inline(always)]
unsafe fn assign_key<K: Key>(
    m: &mut M,
    mt: &'static Rtype,
    map: *mut Map,
    key: K,
) -> Result<*mut u8, Uncomparable> {
    // SAFETY: the caller's: a non-nil map of this key.
    unsafe {
        let map = &mut *map;
        let h = key.hash(map.seed, Some(m))?;
        let tag = tag_of(h);
        map.begin_write();
        let mut t = map.table();
        if !t.is_null() {
            let found = match (*t).find(tag, key) {
                Ok(f) => f,
                Err(e) => {
                    map.end_write();
                    return Err(e);
                }
            };
            if let Some((i, _)) = found {
                let e = (*t).entry(i);
                if K::UPDATES {
                    key.store(e);
                }
                map.end_write();
                return Ok(e.add((*t).voff));
            }
        }
        if t.is_null() || (*t).len.load(Relaxed) >= (*t).cap {
            t = grow(m, mt, map);
        }
        let i = (*t).add(tag);
        let e = (*t).entry(i);
        key.store(e);
        map.count.store(map.count.load(Relaxed) + 1, Relaxed);
        map.end_write();
        Ok(e.add((*t).voff))
    }
}

/// Moves the map to a table with room; others may run meanwhile.
///
/// The frame holds the new table, the map the old one.
#[cold]
#[inline(never)]
unsafe fn grow(m: &mut M, mt: &'static Rtype, map: &mut Map) -> *mut Table {
    // SAFETY: the caller's; the new table is private until it is stored.
    unsafe {
        let old = map.table();
        let live = map.count.load(Relaxed) as usize;
        let want = if old.is_null() {
            1
        } else {
            let cap = (*old).cap as usize;
            // Mostly tombstones: the same size again.
            if live < cap / 2 {
                cap.min(live * 2).max(SMALL)
            } else {
                cap + 1
            }
        };
        let g = m.curg;
        let t = new_table(m, mt, want);
        if !old.is_null() {
            let (from, to) = (&*old, &*t);
            let esize = from.esize;
            let layout = entry_layout(mt);
            for i in 0..from.len.load(Relaxed).min(from.cap) {
                let tag = from.tag(i).load(Relaxed);
                if tag != 0 && to.len.load(Relaxed) < to.cap {
                    let k = to.add(tag);
                    if layout == LayoutId::NOSCAN {
                        ptr::copy_nonoverlapping(from.entry(i), to.entry(k), esize);
                    } else {
                        heap::copy_typed(layout, to.entry(k), from.entry(i), esize);
                    }
                }
                if i % LOOK_EVERY == LOOK_EVERY - 1 {
                    gosched_runtime::fence::poll(&mut *(*g).m);
                }
            }
        }
        heap::store_ptr((&raw mut map.table).cast(), t as usize);
        t
    }
}

unsafe fn delete_key<K: Key>(
    mt: &'static Rtype,
    map: *mut Map,
    key: K,
) -> Result<(), Uncomparable> {
    // SAFETY: the caller's: nil, or a map of this key.
    unsafe {
        let Some(map) = map.as_ref() else {
            return key.hash(0, None).map(|_| ());
        };
        let h = key.hash(map.seed, None)?;
        map.begin_write();
        let t = map.table();
        if !t.is_null() {
            let t = &*t;
            let found = match t.find(tag_of(h), key) {
                Ok(f) => f,
                Err(e) => {
                    map.end_write();
                    return Err(e);
                }
            };
            if let Some((i, at)) = found {
                t.tag(i).store(0, Relaxed);
                if t.mask != 0 {
                    // Tag 0 matches no key, yet the word is not empty.
                    t.slot(at).store(i + 1, Relaxed);
                }
                let layout = entry_layout(mt);
                if layout == LayoutId::NOSCAN {
                    ptr::write_bytes(t.entry(i), 0, t.esize);
                } else {
                    heap::zero_typed(layout, t.entry(i), t.esize);
                }
                map.count.store(map.count.load(Relaxed) - 1, Relaxed);
            }
        }
        map.end_write();
        Ok(())
    }
}

/// Calls `$f` with the key at `$p` in the fastest form that its type allows.
macro_rules! with_key {
    ($mt:expr, $p:expr, |$k:ident| $f:expr) => {{
        let kt = deref($mt.key);
        if kt.kind == Kind::String {
            let $k = KStr($p.cast::<GoStr>().read());
            $f
        } else if kt.flags & rtype::REGULAR != 0 && kt.size == 8 {
            let $k = K64($p.cast::<u64>().read_unaligned());
            $f
        } else if kt.flags & rtype::REGULAR != 0 && kt.size == 4 {
            let $k = K32($p.cast::<u32>().read_unaligned());
            $f
        } else {
            let $k = KAny(kt, $p);
            $f
        }
    }};
}

/// The value for the key at `key`, null if there is none.
///
/// Fails with a panic's text if the key holds a type that cannot be hashed.
///
/// # Safety
///
/// `map` is nil or a map of type `mt`; `key` is a readable key.
pub unsafe fn get(
    mt: &'static Rtype,
    map: *const Map,
    key: *const u8,
) -> Result<*const u8, Uncomparable> {
    // SAFETY: the caller's.
    unsafe {
        if map.is_null() {
            // Go panics for an unhashable key even then.
            let kt = deref(mt.key);
            if kt.kind == Kind::Interface || kt.flags & rtype::REGULAR == 0 {
                KAny(kt, key).hash(0, None)?;
            }
            return Ok(ptr::null());
        }
        with_key!(mt, key, |k| get_key(map, k))
    }
}

/// The place of the value for the key at `key`, made if need be.
/// The caller stores the value at once.
///
/// # Safety
///
/// `map` is a map of type `mt`, not nil; `key` is a readable key.
pub unsafe fn assign(
    m: &mut M,
    mt: &'static Rtype,
    map: *mut Map,
    key: *const u8,
) -> Result<*mut u8, Uncomparable> {
    // SAFETY: the caller's.
    unsafe { with_key!(mt, key, |k| assign_key(m, mt, map, k)) }
}

/// `delete(m, k)`
///
/// # Safety
///
/// As [`get`].
pub unsafe fn delete(
    mt: &'static Rtype,
    map: *mut Map,
    key: *const u8,
) -> Result<(), Uncomparable> {
    // SAFETY: the caller's.
    unsafe { with_key!(mt, key, |k| delete_key(mt, map, k)) }
}

macro_rules! fast {
    ($($get:ident $assign:ident $delete:ident ($t:ty => $k:expr);)*) => { $(
        /// [`get`] for keys of this form.
        ///
        /// # Safety
        ///
        /// `map` is nil or a map with such keys.
        #[inline]
        pub unsafe fn $get(map: *const Map, key: $t) -> *const u8 {
            // SAFETY: the caller's.
            unsafe { get_key(map, $k(key)).unwrap_or(ptr::null()) }
        }
        /// [`assign`] for keys of this form.
        ///
        /// # Safety
        ///
        /// `map` is a map of type `mt` with such keys, not nil.
        #[inline]
        pub unsafe fn $assign(m: &mut M, mt: &'static Rtype, map: *mut Map, key: $t) -> *mut u8 {
            // SAFETY: the caller's.
            unsafe { assign_key(m, mt, map, $k(key)).unwrap_or(ptr::null_mut()) }
        }
        /// [`delete`] for keys of this form.
        ///
        /// # Safety
        ///
        /// `map` is nil or a map of type `mt` with such keys.
        pub unsafe fn $delete(mt: &'static Rtype, map: *mut Map, key: $t) {
            // SAFETY: the caller's.
            let _ = unsafe { delete_key(mt, map, $k(key)) };
        }
    )* };
}
fast! {
    get64 assign64 delete64 (u64 => K64);
    get32 assign32 delete32 (u32 => K32);
    get_str assign_str delete_str (GoStr => KStr);
}

/// `clear(m)`
///
/// # Safety
///
/// `map` is nil or a map.
pub unsafe fn clear(map: *mut Map) {
    // SAFETY: the caller's.
    unsafe {
        let Some(map) = map.as_mut() else { return };
        map.begin_write();
        map.epoch
            .store(map.epoch.load(Relaxed).wrapping_add(1), Relaxed);
        map.count.store(0, Relaxed);
        heap::store_ptr((&raw mut map.table).cast(), 0);
        map.end_write();
    }
}

/// Begins a range over `map`.
///
/// # Safety
///
/// `map` is nil or a map; `it` is room for a `MapIter`.
pub(crate) unsafe fn iter_init(m: &mut M, map: *mut Map, it: *mut MapIter) {
    // SAFETY: the caller's.
    unsafe {
        let mut new = MapIter {
            map,
            table: ptr::null_mut(),
            start: 0,
            done: 0,
            len: 0,
            epoch: 0,
            _spare: [0; 2],
        };
        if let Some(map) = map.as_ref() {
            let t = map.table();
            if !t.is_null() {
                new.table = t.cast();
                new.len = (*t).len.load(Relaxed).min((*t).cap);
                new.start = u64::from(m.p().rand.below(new.len as u32));
                new.epoch = u64::from(map.epoch.load(Relaxed));
            }
        }
        it.write(new);
    }
}

/// The next key and value, until there are none.
///
/// # Safety
///
/// `it` was begun on a map of type `mt`.
pub(crate) unsafe fn iter_next(
    mt: &'static Rtype,
    it: &mut MapIter,
) -> Option<(*const u8, *const u8)> {
    // SAFETY: the caller's; H1.
    unsafe {
        if it.table.is_null() {
            return None;
        }
        let map = &*it.map;
        if map.flags.load(Relaxed) & WRITING != 0 {
            concurrent("concurrent map iteration and map write");
        }
        let t = &*it.table.cast::<Table>();
        while it.done < it.len {
            let mut i = it.start + it.done;
            if i >= it.len {
                i -= it.len;
            }
            it.done += 1;
            if t.tag(i).load(Relaxed) == 0 {
                continue;
            }
            let e = t.entry(i);
            if map.table().cast::<u8>() == it.table {
                return Some((e, e.add(t.voff)));
            }
            // The map has moved on: what has not been deleted since is found there.
            let kt = deref(mt.key);
            match get(mt, map, e) {
                // The key as it is now: assignment may have replaced it by an equal one.
                Ok(v) if !v.is_null() => return Some((v.sub(t.voff), v)),
                _ => {
                    let never_found =
                        kt.flags & rtype::REGULAR == 0 && !value::equal(kt, e, e).unwrap_or(true);
                    if never_found && it.epoch == u64::from(map.epoch.load(Relaxed)) {
                        return Some((e, e.add(t.voff)));
                    }
                }
            }
        }
        None
    }
}

/// All live entries as (key, value), in order of insertion.
///
/// # Safety
///
/// `map` is nil or a map of type `mt`.
pub unsafe fn entries(mt: &'static Rtype, map: *const Map) -> Vec<(*const u8, *const u8)> {
    let _ = mt;
    let mut out = Vec::new();
    // SAFETY: the caller's; H1.
    unsafe {
        let Some(map) = map.as_ref() else { return out };
        map.check_read();
        let Some(t) = map.table().as_ref() else {
            return out;
        };
        for i in 0..t.len.load(Relaxed).min(t.cap) {
            if t.tag(i).load(Relaxed) != 0 {
                let e = t.entry(i);
                out.push((e.cast_const(), e.add(t.voff).cast_const()));
            }
        }
    }
    out
}
