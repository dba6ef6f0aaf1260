#![allow(unsafe_code)]
//! Variables of Go that natives fill in, by their types.
//!
//! A [`Place`] is a variable and its type. What is stored is of that type, since a place looks at
//! its type itself: a store that does not suit it is left out.
//!
//! # Invariants
//!
//! - P1. `p` is a variable of type `t`, which the collector can see: it is the program's, or part
//!   of what a native has made and still has on its stack.

use super::native::{Cx, GoStr, Slice};
use super::value::{Iface, Val, deref, is_direct, layout_of};
use super::{map, slice};
use bytecode::rtype::{Kind, Rtype};
use gosched_runtime::heap;

/// A variable.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub t: &'static Rtype,
    p: *mut u8,
}

impl Place {
    /// What a pointer points to.
    pub fn of_pointer(v: &Val<'_>) -> Option<Place> {
        let e = (v.kind() == Kind::Pointer).then(|| v.elem())??;
        Some(Place {
            t: e.t,
            p: e.addr().cast_mut(),
        })
    }

    /// A new variable.
    pub fn new(cx: &mut Cx, t: &'static Rtype) -> Place {
        Place {
            t,
            p: cx.alloc(t.size, layout_of(t)),
        }
    }

    /// What is there now.
    pub fn val(&self) -> Val<'_> {
        // SAFETY: P1.
        unsafe { Val::new(self.t, self.p) }
    }

    /// Tells the detector of races.
    fn is_written(self, cx: &mut Cx) {
        cx.touches(self.p, self.t.size, true);
    }

    /// Makes it zero.
    pub fn set_zero(self, cx: &mut Cx) {
        self.is_written(cx);
        // SAFETY: P1.
        unsafe { heap::zero_typed(layout_of(self.t), self.p, self.t.size) }
    }

    /// Stores a bool, or the low bytes of an integer.
    pub fn set_int(self, cx: &mut Cx, v: i64) {
        self.is_written(cx);
        let b = v.to_le_bytes();
        let is_number = (Kind::Bool as u8..=Kind::Uintptr as u8).contains(&(self.t.kind as u8));
        if is_number {
            // SAFETY: P1 — a number of so many bytes.
            unsafe { std::ptr::copy_nonoverlapping(b.as_ptr(), self.p, self.t.size) }
        }
    }

    pub fn set_float(self, cx: &mut Cx, v: f64) {
        self.is_written(cx);
        // SAFETY: P1, by the kind.
        unsafe {
            match self.t.kind {
                Kind::Float32 => self.p.cast::<f32>().write(v as f32),
                Kind::Float64 => self.p.cast::<f64>().write(v),
                _ => {}
            }
        }
    }

    pub fn set_str(self, cx: &mut Cx, s: GoStr) {
        self.is_written(cx);
        if self.t.kind == Kind::String {
            // SAFETY: P1 — two words.
            unsafe {
                heap::store_ptr(self.p.cast(), s.as_ptr() as usize);
                self.p.cast::<usize>().add(1).write(s.len());
            }
        }
    }

    /// Field `i` of a struct.
    pub fn field(self, i: usize) -> Place {
        let f = &self.t.fields[i];
        Place {
            t: deref(f.typ),
            // SAFETY: P1 — the offset lies in the struct.
            p: unsafe { self.p.add(f.offset) },
        }
    }

    /// Element `i` of an array.
    pub fn index(self, i: usize) -> Place {
        assert!(self.t.kind == Kind::Array && i < self.t.len);
        let t = self.t.elem();
        Place {
            t,
            // SAFETY: P1, and the check above.
            p: unsafe { self.p.add(i * t.size) },
        }
    }

    /// What the pointer here points to, which is made if it is nil.
    pub fn target(self, cx: &mut Cx) -> Place {
        assert!(self.t.kind == Kind::Pointer);
        cx.reads_value(self.val());
        if let Some(there) = Place::of_pointer(&self.val()) {
            return there;
        }
        let new = Place::new(cx, self.t.elem());
        self.is_written(cx);
        // SAFETY: P1 — a pointer variable.
        unsafe { heap::store_ptr(self.p.cast(), new.p as usize) };
        new
    }

    /// The elements of the slice here.
    pub fn elements(self, cx: &mut Cx) -> Elements {
        cx.reads_value(self.val());
        assert!(self.t.kind == Kind::Slice);
        // SAFETY: P1 — a slice.
        let s = unsafe { self.p.cast::<Slice<u8>>().read() };
        // SAFETY: the capacity is there.
        let all = unsafe { Slice::from_raw(s.as_ptr(), s.cap(), s.cap()) };
        Elements {
            t: self.t.elem(),
            all,
        }
    }

    /// Stores the first `len` of the elements; no elements are an empty slice, which is not nil.
    pub fn set_elements(self, cx: &mut Cx, e: &Elements, len: usize) {
        assert!(self.t.kind == Kind::Slice && std::ptr::eq(self.t.elem(), e.t));
        assert!(len <= e.all.cap());
        let (p, cap) = if len == 0 {
            (cx.alloc(0, heap::LayoutId::NOSCAN), 0)
        } else {
            (e.all.as_ptr(), e.all.cap())
        };
        self.is_written(cx);
        // SAFETY: P1 — three words.
        unsafe {
            heap::store_ptr(self.p.cast(), p as usize);
            self.p.cast::<usize>().add(1).write(len);
            self.p.cast::<usize>().add(2).write(cap);
        }
    }

    /// The map here, which is made if it is nil.
    pub fn entries(self, cx: &mut Cx) -> Entries {
        assert!(self.t.kind == Kind::Map && deref(self.t.key).kind == Kind::String);
        // SAFETY: P1 — a pointer variable.
        let there = unsafe { self.p.cast::<usize>().read() };
        cx.touches(self.p, 8, false);
        if there != 0 {
            return Entries {
                t: self.t,
                map: there,
            };
        }
        let map = map::make(cx.m(), self.t, 0) as usize;
        self.is_written(cx);
        // SAFETY: as above.
        unsafe { heap::store_ptr(self.p.cast(), map) };
        Entries { t: self.t, map }
    }

    /// Stores what `v` has in it in the interface without methods that is here.
    pub fn set_any(self, cx: &mut Cx, v: Place) {
        if self.t.kind != Kind::Interface || !self.t.imethods.is_empty() {
            return;
        }
        let data = if is_direct(v.t) {
            v.val().to_iface().data()
        } else {
            // The variable is new, and nobody else's.
            v.p as usize
        };
        self.is_written(cx);
        // SAFETY: P1 — two words; the type's word is no pointer.
        unsafe {
            self.p
                .cast::<usize>()
                .write(std::ptr::from_ref(v.t) as usize);
            heap::store_ptr(self.p.cast::<usize>().add(1), data);
        }
    }
}

/// The elements of a slice, up to its capacity.
#[derive(Clone, Copy, Debug)]
pub struct Elements {
    t: &'static Rtype,
    all: Slice<u8>,
}

impl Elements {
    /// None, of a slice of `t`s.
    pub fn none(t: &'static Rtype) -> Elements {
        Elements { t, all: Slice::NIL }
    }

    pub fn cap(&self) -> usize {
        self.all.cap()
    }

    /// Element `i`.
    pub fn get(&self, i: usize) -> Place {
        assert!(i < self.all.cap());
        Place {
            t: self.t,
            // SAFETY: P1, and the check above.
            p: unsafe { self.all.as_ptr().add(i * self.t.size) },
        }
    }

    /// With room for more, as `append` makes it; false: there is none.
    pub fn grow(&mut self, cx: &mut Cx) -> bool {
        let g = cx.g_ptr();
        // SAFETY: the elements are of type `t`; the context is a native's. A long copy may come
        // back on another M.
        let grown = unsafe {
            let grown = slice::grow(cx.m(), self.t, self.all, 1);
            cx.set_m((*g).m);
            grown
        };
        match grown {
            Ok(s) => {
                // SAFETY: the capacity is there.
                self.all = unsafe { Slice::from_raw(s.as_ptr(), s.cap(), s.cap()) };
                true
            }
            Err(_) => false,
        }
    }
}

/// A map with keys that are strings.
#[derive(Clone, Copy, Debug)]
pub struct Entries {
    t: &'static Rtype,
    map: usize,
}

impl Entries {
    pub fn is_empty(&self, cx: &mut Cx) -> bool {
        cx.touches(self.map as *const u64, 8, false);
        // SAFETY: a map of that type.
        unsafe { map::len(self.map as *const map::Map) == 0 }
    }

    /// Stores the value in `v`.
    pub fn insert(&self, cx: &mut Cx, key: GoStr, v: Place) {
        assert!(std::ptr::eq(v.t, self.t.elem()));
        cx.touches(self.map as *const u64, 8, true);
        let key: *const GoStr = &key;
        let g = cx.g_ptr();
        // SAFETY: a map of that type, whose keys are strings; `v` is one of its values. A map that
        // grows may come back on another M.
        unsafe {
            let map = self.map as *mut map::Map;
            if let Ok(slot) = map::assign(cx.m(), self.t, map, key.cast()) {
                heap::copy_typed(layout_of(v.t), slot, v.p, v.t.size);
            }
            cx.set_m((*g).m);
        }
    }
}

/// A pointer in an `any`, as a place.
pub fn of_any(v: &Iface) -> Option<Place> {
    Place::of_pointer(&v.val()?)
}
