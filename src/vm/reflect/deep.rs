//! `DeepEqual`.
//!
//! Go: reflect/deepequal.go.

use crate::native::{Cx, PIECE};
use crate::value::{Iface, Val};
use bytecode::rtype::Kind;
use gosched_runtime::race;
use rustc_hash::FxHashSet;
use std::collections::HashSet;

/// Comparisons between two looks for requests.
const POLL: u32 = 1 << 10;

struct Deep<'a> {
    cx: &'a mut Cx,
    /// Pairs of references that are being compared, or have been: their addresses and type.
    visited: FxHashSet<(usize, usize, u32)>,
    steps: u32,
}

pub fn deep_equal(cx: &mut Cx, x: Iface, y: Iface) -> bool {
    let (Some(a), Some(b)) = (x.val(), y.val()) else {
        return x.is_nil() == y.is_nil();
    };
    let visited = HashSet::default();
    let mut deep = Deep {
        cx,
        visited,
        steps: 0,
    };
    std::ptr::eq(a.t, b.t) && deep.equal(a, b)
}

impl Deep<'_> {
    /// Are two values of one type equal?
    fn equal(&mut self, a: Val<'_>, b: Val<'_>) -> bool {
        self.steps += 1;
        if self.steps.is_multiple_of(POLL) {
            self.cx.poll();
        }
        match self.cx.low_stack() {
            Some(stack) => stack.with_more(|| self.equal_here(a, b)),
            None => self.equal_here(a, b),
        }
    }

    /// Has a pair been met before?
    fn is_known(&mut self, a: usize, b: usize, id: u32) -> bool {
        !self.visited.insert((a.min(b), a.max(b), id))
    }

    fn equal_here(&mut self, a: Val<'_>, b: Val<'_>) -> bool {
        let id = a.t.id;
        if !matches!(a.kind(), Kind::Struct | Kind::Array) {
            self.cx.reads_value(a);
            self.cx.reads_value(b);
        }
        match a.kind() {
            Kind::Bool => a.bool() == b.bool(),
            Kind::Float32 | Kind::Float64 => a.float() == b.float(),
            Kind::Complex64 | Kind::Complex128 => a.complex() == b.complex(),
            Kind::String => a.str().as_bytes() == b.str().as_bytes(),
            Kind::Func => a.is_nil() && b.is_nil(),
            Kind::Array => self.elements(a, b),
            Kind::Slice => {
                if a.is_nil() != b.is_nil() || a.len() != b.len() {
                    return false;
                }
                if a.pointer() == b.pointer() {
                    return true;
                }
                let (at, other) = (a.addr() as usize, b.addr() as usize);
                if !a.is_nil() && a.t.elem().has_pointers() && self.is_known(at, other, id) {
                    return true;
                }
                self.elements(a, b)
            }
            Kind::Interface => {
                let (at, other) = (a.addr() as usize, b.addr() as usize);
                match (a.elem(), b.elem()) {
                    (Some(v), Some(w)) => {
                        self.is_known(at, other, id) || std::ptr::eq(v.t, w.t) && self.equal(v, w)
                    }
                    (v, w) => v.is_none() == w.is_none(),
                }
            }
            Kind::Pointer => {
                if a.pointer() == b.pointer() {
                    return true;
                }
                match (a.elem(), b.elem()) {
                    (Some(v), Some(w)) => {
                        self.is_known(a.pointer(), b.pointer(), id) || self.equal(v, w)
                    }
                    _ => false,
                }
            }
            Kind::Struct => {
                if a.t.is_regular() && !a.t.has_pointers() {
                    return self.bytes(a, b);
                }
                (0..a.t.fields.len()).all(|i| self.equal(a.field(i), b.field(i)))
            }
            Kind::Map => {
                if a.is_nil() != b.is_nil() || a.len() != b.len() {
                    return false;
                }
                if a.pointer() == b.pointer() || self.is_known(a.pointer(), b.pointer(), id) {
                    return true;
                }
                self.entries(a, b)
            }
            Kind::Chan | Kind::UnsafePointer => a.pointer() == b.pointer(),
            Kind::Int | Kind::Int8 | Kind::Int16 | Kind::Int32 | Kind::Int64 => a.int() == b.int(),
            _ => a.uint() == b.uint(),
        }
    }

    /// Compares values, or elements, that are equal if their bytes are.
    fn bytes(&mut self, a: Val<'_>, b: Val<'_>) -> bool {
        let (a, b) = (a.plain_bytes(), b.plain_bytes());
        if race::is_on() {
            let differs = a.iter().zip(b).position(|(x, y)| x != y);
            let n = differs.map_or(a.len(), |at| at + 1);
            self.cx.touches(a.as_ptr(), n, false);
            self.cx.touches(b.as_ptr(), n.min(b.len()), false);
        }
        a.len() == b.len()
            && a.chunks(PIECE).zip(b.chunks(PIECE)).all(|(a, b)| {
                self.cx.poll();
                a == b
            })
    }

    fn elements(&mut self, a: Val<'_>, b: Val<'_>) -> bool {
        let t = a.t.elem();
        if t.is_regular() && !t.has_pointers() {
            return self.bytes(a, b);
        }
        (0..a.len()).all(|i| self.equal(a.index(i), b.index(i)))
    }

    fn entries(&mut self, a: Val<'_>, b: Val<'_>) -> bool {
        a.map_entries()
            .into_iter()
            .all(|(key, v)| match b.map_value(key) {
                Some(w) => self.equal(v, w),
                None => false,
            })
    }
}
