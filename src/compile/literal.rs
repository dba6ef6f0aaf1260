//! Composite literals.
//!
//! Structs and arrays are built field by field where they are to lie; slices and maps on the heap.
//! Elements that are all constants are laid down once and copied.
//!
//! Spec: Composite literals.

use super::func::{Fun, emit};
use super::place::Place;
use super::regalloc::Slot;
use super::{Repr, TypeInfo};
use rustc_hash::FxHashMap;
use source::Symbol;
use syntax::ast::{Expr, ExprKind};
use types::{Type, TypeId};

/// From how many constant elements on data is laid down and copied.
const BLOB_FROM: usize = 4;

impl Fun<'_> {
    /// A composite literal as a value.
    pub(super) fn composite(&mut self, e: &'static Expr, dst: Option<Slot>) -> Slot {
        let t = self.ty(e);
        let ti = self.info(t);
        match self.c.ck.under_type(t).clone() {
            Type::Pointer(base) => {
                // An elided &T.
                let base = self.subst(base);
                let bi = self.info(base);
                let mark = self.alloc.mark();
                let p = self.alloc.pointer();
                self.pos = e.pos;
                emit!(self, New, p, bi.rtype.layout, bi.size);
                let place = Place::Mem { ptr: p, off: 0 };
                let made = match self.c.ck.under_type(base).clone() {
                    Type::Slice(elem) => Some(self.slice_literal(e, elem, None)),
                    Type::Map { .. } => Some(self.map_literal(e, base, None)),
                    _ => None,
                };
                match made {
                    Some(made) => self.store(place, &bi, made),
                    None => self.literal_at(e, base, place),
                }
                self.alloc.release(mark);
                let d = self.dst(dst, &ti);
                self.mov(d, p, &ti);
                d
            }
            Type::Slice(elem) => self.slice_literal(e, elem, dst),
            Type::Map { .. } => self.map_literal(e, t, dst),
            _ if ti.repr == Repr::Zero => {
                self.literal_at(e, t, Place::Blank);
                Slot::NONE
            }
            _ if ti.repr == Repr::Huge => {
                let mark = self.alloc.mark();
                let p = self.alloc.pointer();
                self.pos = e.pos;
                emit!(self, New, p, ti.rtype.layout, ti.size);
                self.literal_at(e, t, Place::Mem { ptr: p, off: 0 });
                self.alloc.release(mark);
                let d = self.dst(dst, &ti);
                self.mov(d, p, &ti);
                d
            }
            _ => {
                // Into the window only when nothing can happen between.
                let direct = match dst {
                    Some(d) if d.is_window() && self.c.is_complex(e) => None,
                    other => other,
                };
                let d = self.dst(direct, &ti);
                self.pos = e.pos;
                if !self.is_full(e, t) {
                    self.zero(d, &ti);
                }
                let mark = self.alloc.mark();
                self.literal_at(e, t, Place::Slot(d));
                self.alloc.release(mark);
                match dst {
                    Some(to) => {
                        self.mov(to, d, &ti);
                        to
                    }
                    None => d,
                }
            }
        }
    }

    /// Fills zeroed memory behind a fresh pointer, or a frame place.
    pub(super) fn composite_at(&mut self, e: &'static Expr, place: Place) {
        let t = self.ty(e);
        match self.c.ck.under_type(t) {
            Type::Struct(_) | Type::Array { .. } => self.literal_at(e, t, place),
            _ => {
                let ti = self.info(t);
                let s = self.composite(e, None);
                self.store(place, &ti, s);
            }
        }
    }

    /// Does the literal set every field and element?
    fn is_full(&mut self, e: &'static Expr, t: TypeId) -> bool {
        let ExprKind::CompositeLit { elems, .. } = &e.kind else {
            return true;
        };
        let (n, is_struct) = match self.c.ck.under_type(t) {
            // A field `_` stays zero.
            Type::Struct(s)
                if s.fields
                    .iter()
                    .any(|f| is_blank_name(self.c.ck.obj(*f).name)) =>
            {
                return false;
            }
            Type::Struct(s) => (s.fields.len(), true),
            Type::Array { len, .. } => (*len as usize, false),
            _ => return true,
        };
        // Padding is never looked at, but narrow fields share a slot with what is not written: all
        // bytes are set or do not matter.
        elems.len() == n
            && elems.iter().all(|x| {
                let v = match &x.kind {
                    // A key that names a promoted field sets a part of a field.
                    ExprKind::KeyValue { key, value }
                        if is_struct && self.c.selection(key).is_none() =>
                    {
                        value
                    }
                    ExprKind::KeyValue { .. } => return false,
                    _ => x,
                };
                let vt = self.ty(v);
                self.is_full(v.unparen(), vt)
            })
    }

    /// Fills a struct or array of type `t`.
    fn literal_at(&mut self, e: &'static Expr, t: TypeId, place: Place) {
        if syntax::nesting::is_low() {
            return self.unsupported(e.pos, "composite literal nested this deeply");
        }
        let ExprKind::CompositeLit { elems, .. } = &e.kind else {
            return;
        };
        let ti = self.info(t);
        match self.c.ck.under_type(t).clone() {
            Type::Struct(s) => {
                let by_name = matches!(
                    elems.first().map(|x| &x.kind),
                    Some(ExprKind::KeyValue { .. })
                );
                let numbers: FxHashMap<Symbol, usize> = match by_name {
                    true => s
                        .fields
                        .iter()
                        .map(|f| self.c.ck.obj(*f).name)
                        .zip(0..)
                        .collect(),
                    false => FxHashMap::default(),
                };
                for (i, x) in elems.iter().enumerate() {
                    let (i, v) = match &x.kind {
                        ExprKind::KeyValue { key, value } => {
                            if let Some(promoted) = self.c.selection(key) {
                                let path = promoted.path.clone();
                                let (at, ft) = self.walk_fields(place, t, &path);
                                let fi = self.info(ft);
                                self.element_at(value, ft, &fi, at);
                                continue;
                            }
                            let ExprKind::Name(name) = key.kind else {
                                continue;
                            };
                            (numbers[&name], &**value)
                        }
                        _ => (i, x),
                    };
                    let ft = self.obj_type(s.fields[i]);
                    if is_blank_name(self.c.ck.obj(s.fields[i]).name) {
                        let mark = self.alloc.mark();
                        self.expr_as_loose(v, ft);
                        self.alloc.release(mark);
                        continue;
                    }
                    let fi = self.info(ft);
                    let offset = ti.rtype.fields[i].offset;
                    let at = self.sub_place(place, offset as u64, &fi);
                    self.element_at(v, ft, &fi, at);
                }
            }
            Type::Array { elem, .. } => {
                let elem = self.subst(elem);
                self.elements_at(elems, elem, place);
            }
            _ => {}
        }
    }

    /// Array elements with their indices.
    fn elements_at(&mut self, elems: &'static [Expr], elem: TypeId, place: Place) {
        let ei = self.info(elem);
        let mut next = 0u64;
        for x in elems {
            let v = match &x.kind {
                ExprKind::KeyValue { key, value } => {
                    next = self.const_word(key).unwrap_or(0) as u64;
                    &**value
                }
                _ => x,
            };
            let at = self.sub_place(place, next * ei.size, &ei);
            self.element_at(v, elem, &ei, at);
            next += 1;
        }
    }

    /// Evaluates a field or element and stores it.
    fn element_at(&mut self, v: &'static Expr, t: TypeId, ti: &TypeInfo, at: Place) {
        let mark = self.alloc.mark();
        let inner = v.unparen();
        if matches!(inner.kind, ExprKind::CompositeLit { .. })
            && matches!(ti.repr, Repr::Agg | Repr::Huge)
        {
            let vt = self.ty(inner);
            if !self.c.ck.is_interface(t) && self.info(vt).repr == ti.repr {
                self.literal_at(inner, vt, at);
                self.alloc.release(mark);
                return;
            }
        }
        if let Place::Slot(d) = at {
            // Straight into the field.
            self.expr_as(v, t, Some(d));
        } else {
            let s = self.expr_as_loose(v, t);
            self.pos = v.pos;
            self.store(at, ti, s);
        }
        self.alloc.release(mark);
    }

    /// As `expr_as`, perhaps in the window.
    pub(super) fn expr_as_loose(&mut self, e: &'static Expr, t: TypeId) -> Slot {
        let from = self.ty(e);
        if self.c.ck.is_interface(t) && !self.c.ck.identical(from, t) {
            return self.expr_as(e, t, None);
        }
        let nil = self
            .c
            .ck
            .info
            .get(e.id)
            .is_some_and(|tv| tv.mode == types::Mode::Nil);
        if nil {
            self.expr_as(e, t, None)
        } else {
            self.loose(e)
        }
    }

    fn slice_literal(&mut self, e: &'static Expr, elem: TypeId, dst: Option<Slot>) -> Slot {
        let ExprKind::CompositeLit { elems, .. } = &e.kind else {
            unreachable!()
        };
        let ti = self.einfo(e);
        let elem = self.subst(elem);
        let mut next = 0u64;
        let mut len = 0u64;
        for x in elems {
            if let ExprKind::KeyValue { key, .. } = &x.kind {
                next = self.const_word(key).unwrap_or(0) as u64;
            }
            next += 1;
            len = len.max(next);
        }
        let ei = self.info(elem);
        let mark = self.alloc.mark();
        let p = self.alloc.pointer();
        self.pos = e.pos;
        let total = len.saturating_mul(ei.size);
        emit!(self, New, p, ei.rtype.layout, total);
        match self.blob(elems, &ei, len) {
            Some(at) => {
                let from = self.alloc.pointer();
                emit!(self, LoadData, from, at);
                emit!(self, CopyTyped, p, from, ei.rtype.layout, total);
            }
            None => self.elements_at(elems, elem, Place::Mem { ptr: p, off: 0 }),
        }
        self.alloc.release(mark);
        let d = self.dst(dst, &ti);
        self.slice_header(d, p, len);
        d
    }

    /// R[d..+3] := a slice of `len` elements at R[p], all of the memory's capacity.
    pub(super) fn slice_header(&mut self, d: Slot, p: Slot, len: u64) {
        self.mov_n(d, p, 1);
        self.load_imm(d.plus(1), len as i64);
        self.load_imm(d.plus(2), len as i64);
    }

    /// Constant elements laid down in memory.
    fn blob(&mut self, elems: &'static [Expr], ei: &TypeInfo, len: u64) -> Option<usize> {
        if elems.len() < BLOB_FROM || len > 4 * elems.len() as u64 + 64 || ei.size == 0 {
            return None;
        }
        let size = ei.size as usize;
        let mut bytes = vec![0u8; (len as usize * size).next_multiple_of(8)];
        let mut relocs = Vec::new();
        let mut next = 0usize;
        for x in elems {
            let v = match &x.kind {
                ExprKind::KeyValue { key, value } => {
                    next = self.const_word(key)? as usize;
                    &**value
                }
                _ => x,
            };
            let at = next * size;
            next += 1;
            let vi = self.einfo(v);
            if vi.rtype != ei.rtype {
                return None;
            }
            if let Some(k) = self.const_word(v) {
                bytes[at..at + size].copy_from_slice(&k.to_le_bytes()[..size]);
            } else if ei.repr == Repr::Str {
                let s = self.c.ck.info.get(v.id)?.value.clone()?;
                let s = s.as_bytes()?.to_vec();
                let (words, place) = self.c.string_words(&s);
                relocs.extend(place.map(|place| (at / 8, place)));
                bytes[at..at + 8].copy_from_slice(&words[0].to_le_bytes());
                bytes[at + 8..at + 16].copy_from_slice(&words[1].to_le_bytes());
            } else {
                return None;
            }
        }
        let words: Vec<u64> = bytes
            .chunks_exact(8)
            .map(|b| u64::from_le_bytes([b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]]))
            .collect();
        Some(self.c.constant_words(&words, &relocs))
    }

    fn map_literal(&mut self, e: &'static Expr, t: TypeId, dst: Option<Slot>) -> Slot {
        let ExprKind::CompositeLit { elems, .. } = &e.kind else {
            unreachable!()
        };
        let ti = self.info(t);
        let (k, v) = self.map_types(t);
        let vi = self.info(v);
        let mark = self.alloc.mark();
        let m = self.alloc.pointer();
        let hint = self.alloc.scalar();
        self.pos = e.pos;
        self.load_imm(hint, elems.len() as i64);
        emit!(self, MakeMap, m, hint, ti.rtype.word());
        // Entries made of constants alone come first. Go: order.go (OMAPLIT).
        let mut first = Vec::new();
        let mut then = Vec::new();
        for x in elems {
            let ExprKind::KeyValue { key, value } = &x.kind else {
                continue;
            };
            let list = match self.is_static(key, k) && self.is_static(value, v) {
                true => &mut first,
                false => &mut then,
            };
            list.push((x.pos, &**key, &**value));
        }
        for (pos, key, value) in first.into_iter().chain(then) {
            let inner = self.alloc.mark();
            let (ks, vs) = self.list_in_turn(&[(key, k), (value, v)], |f| {
                (f.expr_as(key, k, None), f.expr_as_loose(value, v))
            });
            self.pos = pos;
            self.store(Place::MapElem { m, key: ks, map: t }, &vi, vs);
            self.alloc.release(inner);
        }
        self.alloc.release(mark);
        let d = self.dst(dst, &ti);
        self.mov(d, m, &ti);
        d
    }

    /// Is `e`, which becomes a value of type `t`, made of constants alone?
    ///
    /// Go: cmd/compile/internal/walk/complit.go, isStaticCompositeLiteral.
    fn is_static(&mut self, e: &'static Expr, t: TypeId) -> bool {
        let e = e.unparen();
        let tv = self.c.ck.info.get(e.id);
        let is_nil = tv.is_some_and(|tv| tv.mode == types::Mode::Nil);
        if is_nil || tv.is_some_and(|tv| tv.value.is_some()) {
            return true;
        }
        let ExprKind::CompositeLit { elems, .. } = &e.kind else {
            return false;
        };
        let own = self.ty(e);
        if self.c.ck.is_interface(t) && super::order::is_pointer_shaped(self.info(own).rtype) {
            return false;
        }
        let is_aggregate = matches!(
            self.c.ck.under_type(own),
            Type::Struct(_) | Type::Array { .. }
        );
        is_aggregate
            && elems.iter().enumerate().all(|(i, x)| {
                let t = self.element_type(own, i, x);
                match &x.kind {
                    ExprKind::KeyValue { value, .. } => self.is_static(value, t),
                    _ => self.is_static(x, t),
                }
            })
    }

    /// The type of a literal's elements' whole; of `{…}` in place of `&T{…}` that is T.
    pub(super) fn literal_type(&mut self, e: &Expr) -> TypeId {
        let t = self.ty(e);
        match self.c.pointee(t) {
            Some(elem) => self.subst(elem),
            None => t,
        }
    }

    /// The type of what `x`, element number `i` of a literal of type `t`, is assigned to.
    pub(super) fn element_type(&mut self, t: TypeId, i: usize, x: &Expr) -> TypeId {
        let found = match (self.c.ck.under_type(t), &x.kind) {
            (Type::Array { elem, .. } | Type::Slice(elem), _) => {
                let elem = *elem;
                return self.subst(elem);
            }
            (Type::Map { value, .. }, _) => {
                let value = *value;
                return self.subst(value);
            }
            (Type::Struct(_), ExprKind::KeyValue { key, .. }) => self.c.ck.info.object(key.id),
            (Type::Struct(s), _) => s.fields.get(i).copied(),
            _ => None,
        };
        found.map_or(TypeId::INVALID, |field| self.obj_type(field))
    }
}

fn is_blank_name(name: Symbol) -> bool {
    name.as_str() == "_"
}
