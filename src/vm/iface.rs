#![allow(unsafe_code)]
//! Interfaces at run time: the table of itabs, type assertions.
//!
//! An itab joins an interface type and a dynamic type, and names the function for each method of
//! the interface. There is one per pair (made by `rtype::itab`), so the first words of two equal
//! interface values are equal. The table here is what is asked first: open addressing over
//! pointers; readers take no lock, writers publish a bigger table whole.
//!
//! # Invariants
//!
//! - I1. An itab is complete before its address is stored in a table, and never changes.
//! - I2. A table, once published, only gains entries;
//!   it is never freed (the sum of all is below twice the last).
//! - I3. The first word of a non-nil, non-empty interface value is an itab, of an `any` an rtype.
//!
//! Go: runtime/iface.go.

use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use gosched_runtime::lockrank::Rank;
use gosched_runtime::sync::Guarded;

use super::value::deref;
use bytecode::rtype::{self, Itab, Rtype, Ty};

struct Table {
    mask: usize,
    slots: Box<[AtomicPtr<Itab>]>,
}

static TABLE: AtomicPtr<Table> = AtomicPtr::new(ptr::null_mut());
/// Entries in the table. Written under the lock.
static COUNT: AtomicUsize = AtomicUsize::new(0);
static GROW: Guarded<()> = Guarded::new(Rank::Leaf, ());

/// The dynamic type behind the first word of a non-nil value of interface type `inter`.
#[inline]
pub(crate) unsafe fn dynamic_type(inter: &Rtype, tab: usize) -> &'static Rtype {
    if inter.imethods.is_empty() {
        // SAFETY: the caller's.
        unsafe { Ty::from_word(tab as u64) }.get()
    } else {
        // SAFETY: the caller's.
        unsafe { itab_type(tab) }
    }
}

/// The dynamic type of an itab.
#[inline]
pub(crate) unsafe fn itab_type(tab: usize) -> &'static Rtype {
    // SAFETY: I3.
    deref(unsafe { (*(tab as *const Itab)).typ })
}

fn slot_of(inter: Ty, typ: Ty) -> usize {
    let h = (inter.word() as usize >> 4).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ (typ.word() as usize >> 4).wrapping_mul(0xa076_1d64_78bd_642f);
    h ^ (h >> 29)
}

/// The itab of `typ` for the interface type `inter`, null if `typ` does not implement it.
pub fn itab(inter: &'static Rtype, typ: &'static Rtype) -> *const Itab {
    let found = find(inter.ty(), typ.ty());
    if !found.is_null() {
        return found;
    }
    make(inter, typ)
}

fn find(inter: Ty, typ: Ty) -> *const Itab {
    // Acquire: pairs with the Release in `insert`.
    let t = TABLE.load(Ordering::Acquire);
    if t.is_null() {
        return ptr::null();
    }
    // SAFETY: I2.
    let t = unsafe { &*t };
    let mut i = slot_of(inter, typ) & t.mask;
    loop {
        // Acquire: pairs with the Release in `insert`.
        let it = t.slots[i].load(Ordering::Acquire);
        if it.is_null() {
            return ptr::null();
        }
        // SAFETY: I1.
        unsafe {
            if (*it).inter == inter && (*it).typ == typ {
                return it;
            }
        }
        i = (i + 1) & t.mask;
    }
}

/// The name of the first method (in their sorted order) that keeps `typ` from implementing `inter`.
pub fn missing_method(inter: &Rtype, typ: &Rtype) -> Option<&'static str> {
    rtype::itab(inter.ty(), typ.ty()).err()
}

#[cold]
fn make(inter: &'static Rtype, typ: &'static Rtype) -> *const Itab {
    let Ok(it) = rtype::itab(inter.ty(), typ.ty()) else {
        return ptr::null();
    };
    let _held = GROW.lock();
    if find(inter.ty(), typ.ty()).is_null() {
        insert(it.cast_mut());
    }
    it
}

/// Adds an itab. The lock is held.
fn insert(it: *mut Itab) {
    let old = TABLE.load(Ordering::Relaxed);
    let n = COUNT.load(Ordering::Relaxed);
    // SAFETY: I2.
    let old = unsafe { old.as_ref() };
    let cap = old.map_or(0, |t| t.slots.len());
    if 4 * (n + 1) > 3 * cap {
        let cap = (2 * cap).max(256);
        let new = Table {
            mask: cap - 1,
            slots: (0..cap).map(|_| AtomicPtr::new(ptr::null_mut())).collect(),
        };
        for s in old.map_or(&[][..], |t| &t.slots) {
            let e = s.load(Ordering::Relaxed);
            if !e.is_null() {
                put(&new, e);
            }
        }
        put(&new, it);
        // Release: the slots and itabs are complete.
        TABLE.store(Box::into_raw(Box::new(new)), Ordering::Release);
    } else if let Some(t) = old {
        put(t, it);
    }
    COUNT.store(n + 1, Ordering::Relaxed);
}

fn put(t: &Table, it: *mut Itab) {
    // SAFETY: I1.
    let (inter, typ) = unsafe { ((*it).inter, (*it).typ) };
    let mut i = slot_of(inter, typ) & t.mask;
    while !t.slots[i].load(Ordering::Relaxed).is_null() {
        i = (i + 1) & t.mask;
    }
    // Release: pairs with the Acquire in `find`.
    t.slots[i].store(it, Ordering::Release);
}
