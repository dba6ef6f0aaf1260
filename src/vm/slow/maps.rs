#![allow(unsafe_code)]
//! Maps: each operation for keys of any type,
//! and for numbers of four and eight bytes and strings, whose hashes are cheaper.
//!
//! Go: runtime/map.go, map_fast32.go, map_fast64.go, map_faststr.go.

use super::*;
use crate::value::Uncomparable;
use crate::{map, slice};
use bytecode::op::NONE;

/// What [`map_next`] returns at the end of the map.
pub(crate) const AT_END: u64 = u64::MAX;

/// The map in a slot; a nil one panics, for something is to be stored.
macro_rules! writable {
    ($g:ident, $s:ident, $slot:expr) => {{
        let map = $s.get($slot) as *mut map::Map;
        if map.is_null() {
            return nil_map($g);
        }
        map
    }};
}

halves! {
    fn make_map(g, s, i: MakeMap) {
        let p = map::make(m(g), rtype(i.typ), s.get(i.hint) as i64);
        s.set(i.dst, p as u64);
        DONE
    }
    fn map_get(g, s, i: MapGet) {
        let t = rtype(i.typ);
        match map::get(t, s.get(i.m) as *const _, key(s, t, i.k)) {
            Ok(p) => got(s, i.dst, t, p),
            Err(e) => unhashable_in(g, e, s.get(i.m)),
        }
    }
    fn map_get32(g, s, i: MapGet32) {
        got(s, i.dst, rtype(i.typ), map::get32(s.get(i.m) as *const _, s.get(i.k) as u32))
    }
    fn map_get64(g, s, i: MapGet64) {
        got(s, i.dst, rtype(i.typ), map::get64(s.get(i.m) as *const _, s.get(i.k)))
    }
    fn map_get_str(g, s, i: MapGetStr) {
        got(s, i.dst, rtype(i.typ), map::get_str(s.get(i.m) as *const _, as_str(s.get2(i.k))))
    }
    fn map_get2(g, s, i: MapGetOk) {
        let t = rtype(i.typ);
        match map::get(t, s.get(i.m) as *const _, key(s, t, i.k)) {
            Ok(p) => got2(s, i.dst, i.ok, t, p),
            Err(e) => unhashable_in(g, e, s.get(i.m)),
        }
    }
    fn map_get2_32(g, s, i: MapGetOk32) {
        got2(s, i.dst, i.ok, rtype(i.typ), map::get32(s.get(i.m) as *const _, s.get(i.k) as u32))
    }
    fn map_get2_64(g, s, i: MapGetOk64) {
        got2(s, i.dst, i.ok, rtype(i.typ), map::get64(s.get(i.m) as *const _, s.get(i.k)))
    }
    fn map_get2_str(g, s, i: MapGetOkStr) {
        let found = map::get_str(s.get(i.m) as *const _, as_str(s.get2(i.k)));
        got2(s, i.dst, i.ok, rtype(i.typ), found)
    }
    fn map_set(g, s, i: MapSet) {
        s.save();
        let t = rtype(i.typ);
        let map = writable!(g, s, i.m);
        match map::assign(m(g), t, map, key(s, t, i.k)) {
            Ok(p) => put(t, p, s.at(i.v)),
            Err(e) => unhashable(g, e),
        }
    }
    fn map_set32(g, s, i: MapSet32) {
        s.save();
        let t = rtype(i.typ);
        let map = writable!(g, s, i.m);
        put(t, map::assign32(m(g), t, map, s.get(i.k) as u32), s.at(i.v))
    }
    fn map_set64(g, s, i: MapSet64) {
        s.save();
        let t = rtype(i.typ);
        let map = writable!(g, s, i.m);
        put(t, map::assign64(m(g), t, map, s.get(i.k)), s.at(i.v))
    }
    fn map_set_str(g, s, i: MapSetStr) {
        s.save();
        let t = rtype(i.typ);
        let map = writable!(g, s, i.m);
        put(t, map::assign_str(m(g), t, map, as_str(s.get2(i.k))), s.at(i.v))
    }
    fn map_find(g, s, i: MapFind) {
        let t = rtype(i.typ);
        match map::get(t, s.get(i.m) as *const _, key(s, t, i.k)) {
            Ok(p) => {
                s.set(i.dst, p as u64);
                DONE
            }
            Err(e) => unhashable_in(g, e, s.get(i.m)),
        }
    }
    fn map_addr(g, s, i: MapAddr) {
        s.save();
        let map = writable!(g, s, i.m);
        let t = rtype(i.typ);
        match map::assign(m(g), t, map, key(s, t, i.k)) {
            Ok(p) => {
                s.set(i.dst, p as u64);
                DONE
            }
            Err(e) => unhashable(g, e),
        }
    }
    fn map_addr32(g, s, i: MapAddr32) {
        s.save();
        let map = writable!(g, s, i.m);
        let p = map::assign32(m(g), rtype(i.typ), map, s.get(i.k) as u32);
        s.set(i.dst, p as u64);
        DONE
    }
    fn map_addr64(g, s, i: MapAddr64) {
        s.save();
        let map = writable!(g, s, i.m);
        let p = map::assign64(m(g), rtype(i.typ), map, s.get(i.k));
        s.set(i.dst, p as u64);
        DONE
    }
    fn map_addr_str(g, s, i: MapAddrStr) {
        s.save();
        let map = writable!(g, s, i.m);
        let p = map::assign_str(m(g), rtype(i.typ), map, as_str(s.get2(i.k)));
        s.set(i.dst, p as u64);
        DONE
    }
    fn map_del(g, s, i: MapDelete) {
        let t = rtype(i.typ);
        match map::delete(t, s.get(i.m) as *mut _, key(s, t, i.k)) {
            Ok(()) => DONE,
            Err(e) => unhashable_in(g, e, s.get(i.m)),
        }
    }
    fn map_del32(g, s, i: MapDelete32) {
        map::delete32(rtype(i.typ), s.get(i.m) as *mut _, s.get(i.k) as u32);
        DONE
    }
    fn map_del64(g, s, i: MapDelete64) {
        map::delete64(rtype(i.typ), s.get(i.m) as *mut _, s.get(i.k));
        DONE
    }
    fn map_del_str(g, s, i: MapDeleteStr) {
        map::delete_str(rtype(i.typ), s.get(i.m) as *mut _, as_str(s.get2(i.k)));
        DONE
    }
    fn map_len(g, s, i: MapLen) {
        s.set(i.dst, map::len(s.get(i.m) as *const _) as u64);
        DONE
    }
    fn map_clear(g, s, i: MapClear) {
        map::clear(s.get(i.m) as *mut _);
        DONE
    }
    fn map_iter(g, s, i: MapIter) {
        map::iter_init(m(g), s.get(i.m) as *mut _, s.at(i.it).cast());
        DONE
    }
    fn map_next(g, s, i: MapNext) {
        let t = rtype(i.typ);
        match map::iter_next(t, &mut *s.at(i.it).cast()) {
            None => AT_END,
            Some((k, v)) => {
                if i.k != NONE {
                    give(g, s, deref(t.key), i.k, k);
                }
                if i.v != NONE {
                    give(g, s, deref(t.elem), i.v, v);
                }
                DONE
            }
        }
    }
}

/// Where the key of the map type `t` is that slot `k` stands for.
///
/// # Safety
/// exec::X2.
unsafe fn key(s: Regs, t: &Rtype, k: u16) -> *const u8 {
    // SAFETY: the caller's.
    unsafe {
        if is_huge(deref(t.key)) {
            s.get(k) as *const u8
        } else {
            s.at(k).cast()
        }
    }
}

#[inline(always)]
unsafe fn got(s: Regs, dst: u16, map: &Rtype, p: *const u8) -> u64 {
    // SAFETY: exec::X2; `p` is null or a value of the map.
    unsafe {
        let t = deref(map.elem);
        if p.is_null() {
            zero_value(t, s.at(dst))
        } else {
            load_value(t, s.at(dst), p)
        }
    }
    DONE
}

#[inline(always)]
unsafe fn got2(s: Regs, dst: u16, ok: u64, map: &Rtype, p: *const u8) -> u64 {
    // SAFETY: as `got`.
    unsafe {
        if dst != NONE {
            got(s, dst, map, p);
        }
        s.set(ok as u16, u64::from(!p.is_null()));
    }
    DONE
}

/// R[to..] := the value at `from`; a huge one becomes a copy of its own.
///
/// # Safety
/// exec::X2, exec::X3, and `from` is readable as a `t`.
unsafe fn give(g: *mut G, s: Regs, t: &'static Rtype, to: u16, from: *const u8) {
    // SAFETY: the caller's; the new object is as large as the value.
    unsafe {
        if is_huge(t) {
            let copy = heap::alloc(m(g), t.size, LayoutId(t.layout));
            slice::move_elems(t, copy, from, 1);
            s.set(to, copy as u64);
        } else {
            load_value(t, s.at(to), from);
        }
    }
}

unsafe fn put(map: &Rtype, p: *mut u8, from: *const u64) -> u64 {
    // SAFETY: `p` is the place of a value in the map.
    unsafe { store_value(deref(map.elem), p, from) };
    DONE
}

#[cold]
unsafe fn nil_map(g: *mut G) -> u64 {
    // SAFETY: exec::X3.
    unsafe { raise(g, RuntimeError::NilMap.into()) }
}

#[cold]
unsafe fn unhashable(g: *mut G, e: Uncomparable) -> u64 {
    // SAFETY: exec::X3.
    unsafe { raise(g, RuntimeError::Unhashable(e.0).into()) }
}

/// As [`unhashable`], of a key that is looked for in `map`: an empty one has no use for its hash,
/// and words it otherwise.
///
/// Go: internal/runtime/maps/runtime.go, mapKeyError.
#[cold]
unsafe fn unhashable_in(g: *mut G, e: Uncomparable, map: u64) -> u64 {
    // SAFETY: exec::X3; the slot holds a map value.
    unsafe {
        if map::len(map as *const _) == 0 {
            raise(g, RuntimeError::UnhashableInEmpty(e.0).into())
        } else {
            unhashable(g, e)
        }
    }
}
