//! Places: what can be loaded from, stored to, or have its address taken.
//!
//! A place's parts (pointers, indices) have been evaluated when it is made, so that it may be used
//! several times, after other code.
//!
//! Spec: Address operators, Selectors, Index expressions, Assignments.

use super::func::{Fun, Loc, emit};
use super::ops::form_of;
use super::regalloc::Slot;
use super::typeinfo::IntKind;
use super::{Repr, TypeInfo};
use bytecode::op::{Family, Form, Op};
use std::rc::Rc;
use syntax::ast::{Expr, ExprKind};
use types::{ObjKind, SelectionKind, Type, TypeId};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Place {
    /// `_`, and values without size whose parts need no evaluation.
    Blank,
    /// Whole slots of the frame.
    Slot(Slot),
    /// Part of a value in the frame, at a byte offset from a slot.
    Frame { base: Slot, off: u32 },
    /// Part of an element of an array in the frame.
    FrameElem {
        base: Slot,
        off: u32,
        idx: Slot,
        len: u64,
        stride: u64,
    },
    /// R[ptr] + off; nil is checked by the instruction.
    Mem { ptr: Slot, off: u64 },
    /// A fixed address.
    Abs(u64),
    /// Part of an element of a slice.
    SliceElem {
        s: Slot,
        idx: Index,
        stride: u64,
        off: u64,
    },
    /// Part of an element of an array behind a pointer.
    PtrElem {
        ptr: Slot,
        idx: Slot,
        len: u64,
        stride: u64,
        off: u64,
    },
    /// A map's element.
    MapElem { m: Slot, key: Slot, map: TypeId },
}

/// The index of a slice element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Index {
    S(Slot),
    K(u16),
}

impl Fun<'_> {
    /// The place that `e` denotes; an expression that is none is evaluated,
    /// its slots are the place.
    pub(super) fn place(&mut self, e: &'static Expr) -> Place {
        if let Some(&s) = self.overrides.get(&e.id) {
            return match self.einfo(e).repr {
                Repr::Huge => Place::Mem { ptr: s, off: 0 },
                _ => Place::Slot(s),
            };
        }
        match &e.kind {
            ExprKind::Paren(x) => self.place(x),
            ExprKind::Name(name) => {
                if name.is_blank() {
                    return Place::Blank;
                }
                match self.c.ck.info.object(e.id) {
                    Some(obj) if matches!(self.c.ck.obj(obj).kind, ObjKind::Var(_)) => {
                        self.var_place(obj)
                    }
                    _ => self.value_place(e),
                }
            }
            ExprKind::Selector { x, sel } => {
                let Some(sn) = self.c.selection(e).cloned() else {
                    return match self.c.ck.info.object(sel.id) {
                        Some(obj) if matches!(self.c.ck.obj(obj).kind, ObjKind::Var(_)) => {
                            self.var_place(obj)
                        }
                        _ => self.value_place(e),
                    };
                };
                if sn.kind != SelectionKind::FieldVal {
                    return self.value_place(e);
                }
                let t = self.ty(x);
                let base = self.place(x);
                self.pos = e.pos;
                self.walk_fields(base, t, &sn.path).0
            }
            ExprKind::Index { x, indices } => self.index_place(e, x, indices),
            ExprKind::Star(x) => {
                let ptr = self.expr(x, None);
                self.pos = e.pos;
                Place::Mem { ptr, off: 0 }
            }
            _ => self.value_place(e),
        }
    }

    fn value_place(&mut self, e: &'static Expr) -> Place {
        let ti = self.einfo(e);
        let s = self.expr(e, None);
        match ti.repr {
            Repr::Huge => Place::Mem { ptr: s, off: 0 },
            _ => Place::Slot(s),
        }
    }

    /// The place of a variable.
    pub(super) fn var_place(&mut self, obj: types::ObjId) -> Place {
        if let Some(&loc) = self.vars.get(&obj) {
            return self.loc_place(loc);
        }
        let is_global = matches!(&self.c.ck.obj(obj).kind, ObjKind::Var(v) if v.is_global);
        if !is_global {
            let (name, pos) = (self.c.ck.obj(obj).name, self.pos);
            self.unsupported(pos, format!("internal: variable {name} without a place"));
            return Place::Blank;
        }
        Place::Abs(self.c.global(obj) as u64)
    }

    /// The same by where the variable lives.
    pub(super) fn loc_place(&mut self, loc: Loc) -> Place {
        match loc {
            Loc::Slot(s) => Place::Slot(s),
            Loc::Box(b) => Place::Mem { ptr: b, off: 0 },
            Loc::Part { base, off } => Place::Frame { base, off },
            Loc::Const(k) => {
                let s = self.alloc.scalar();
                self.load_imm(s, k);
                Place::Slot(s)
            }
            Loc::Lit(lit) => Place::Slot(self.lit_value(lit, None)),
            Loc::Yield(_) => {
                debug_assert!(false, "it is only called");
                Place::Blank
            }
        }
    }

    /// From a value of type `t` along field indices; embedded pointers are followed.
    /// Returns place and type of the last field.
    pub(super) fn walk_fields(
        &mut self,
        mut place: Place,
        mut t: TypeId,
        path: &[u32],
    ) -> (Place, TypeId) {
        for &i in path {
            if let Some(elem) = self.c.pointee(t) {
                let elem = self.subst(elem);
                let ti = self.info(t);
                let ptr = self.load(place, &ti, None);
                let ptr = if ptr.is_window() {
                    self.keep(ptr, &ti)
                } else {
                    ptr
                };
                place = Place::Mem { ptr, off: 0 };
                t = elem;
            }
            let ti = self.info(t);
            let field = ti.rtype.fields[i as usize];
            let Type::Struct(s) = self.c.ck.under_type(t) else {
                return (place, t);
            };
            let ft = self.c.ck.obj(s.fields[i as usize]).ty;
            let ft = self.subst(ft);
            let fi = self.info(ft);
            place = self.sub_place(place, field.offset as u64, &fi);
            t = ft;
        }
        (place, t)
    }

    /// The part of `ti`'s type at `off` bytes into a place.
    pub(super) fn sub_place(&mut self, place: Place, off: u64, ti: &TypeInfo) -> Place {
        let in_frame = |base: Slot, off: u32| {
            if ti.size == 0 {
                Place::Blank
            } else if off.is_multiple_of(8) && ti.is_wide() && ti.size.is_multiple_of(8) {
                Place::Slot(base.plus(off / 8))
            } else {
                Place::Frame { base, off }
            }
        };
        match place {
            Place::Blank => Place::Blank,
            Place::Slot(base) => in_frame(base, small(off)),
            Place::Frame { base, off: o } => in_frame(base, o + small(off)),
            Place::FrameElem {
                base,
                off: o,
                idx,
                len,
                stride,
            } => Place::FrameElem {
                base,
                off: o + small(off),
                idx,
                len,
                stride,
            },
            Place::Mem { ptr, off: o } => Place::Mem { ptr, off: o + off },
            Place::Abs(a) => Place::Abs(a + off),
            Place::SliceElem {
                s,
                idx,
                stride,
                off: o,
            } => Place::SliceElem {
                s,
                idx,
                stride,
                off: o + off,
            },
            Place::PtrElem {
                ptr,
                idx,
                len,
                stride,
                off: o,
            } => Place::PtrElem {
                ptr,
                idx,
                len,
                stride,
                off: o + off,
            },
            Place::MapElem { map, .. } => {
                // m[k].f as a value: the element is loaded first.
                let (_, v) = self.map_types(map);
                let vi = self.info(v);
                let s = self.load(place, &vi, None);
                let base = if vi.repr == Repr::Huge {
                    Place::Mem { ptr: s, off: 0 }
                } else {
                    Place::Slot(s)
                };
                self.sub_place(base, off, ti)
            }
        }
    }

    /// Key and element type of a map type.
    pub(super) fn map_types(&mut self, t: TypeId) -> (TypeId, TypeId) {
        match self.c.ck.under_type(t) {
            Type::Map { key, value } => {
                let (k, v) = (*key, *value);
                (self.subst(k), self.subst(v))
            }
            _ => (TypeId::INVALID, TypeId::INVALID),
        }
    }

    fn index_place(
        &mut self,
        e: &'static Expr,
        x: &'static Expr,
        indices: &'static [Expr],
    ) -> Place {
        let t = self.ty(x);
        let index = &indices[0];
        match self.c.ck.under_type(t).clone() {
            Type::Map { key, .. } => {
                let key = self.subst(key);
                let m = self.expr(x, None);
                let k = self.expr_as(index, key, None);
                self.pos = e.pos;
                Place::MapElem { m, key: k, map: t }
            }
            Type::Slice(elem) => {
                let ei = self.elem_info(elem);
                let s = self.expr(x, None);
                let idx = self.index_operand(index);
                self.pos = e.pos;
                Place::SliceElem {
                    s,
                    idx,
                    stride: ei.size,
                    off: 0,
                }
            }
            Type::Array { len, elem } => {
                let ei = self.elem_info(elem);
                let base = self.place(x);
                self.array_elem(e, base, index, len as u64, &ei)
            }
            Type::Pointer(a) => {
                let Type::Array { len, elem } = self.c.ck.under_type(a).clone() else {
                    return Place::Blank;
                };
                let ei = self.elem_info(elem);
                let ptr = self.expr(x, None);
                let base = Place::Mem { ptr, off: 0 };
                self.array_elem(e, base, index, len as u64, &ei)
            }
            _ => self.value_place(e),
        }
    }

    pub(super) fn elem_info(&mut self, elem: TypeId) -> Rc<TypeInfo> {
        let t = self.subst(elem);
        self.info(t)
    }

    /// An index in a slot or as a small constant.
    pub(super) fn index_operand(&mut self, index: &'static Expr) -> Index {
        match self.const_word(index) {
            Some(k) if (0..0xffff).contains(&k) => Index::K(k as u16),
            _ => Index::S(self.index_in_slot(index)),
        }
    }

    fn index_in_slot(&mut self, index: &'static Expr) -> Slot {
        let s = self.expr(index, None);
        self.note_index(index, s, 0);
        s
    }

    fn array_elem(
        &mut self,
        e: &'static Expr,
        base: Place,
        index: &'static Expr,
        len: u64,
        ei: &TypeInfo,
    ) -> Place {
        if let Some(k) = self.const_word(index)
            && (k as u64) < len
        {
            self.pos = e.pos;
            return self.sub_place(base, k as u64 * ei.size, ei);
        }
        let idx = self.index_in_slot(index);
        self.pos = e.pos;
        self.elem_place(base, idx, len, ei)
    }

    /// Element R[idx] of the array at `base`.
    pub(super) fn elem_place(&mut self, base: Place, idx: Slot, len: u64, ei: &TypeInfo) -> Place {
        let stride = ei.size;
        match base {
            _ if ei.size == 0 || len == 0 => {
                if let Place::Mem { ptr, .. } = base {
                    emit!(self, CheckNil, ptr);
                }
                emit!(self, CheckIndex, idx, len);
                Place::Blank
            }
            Place::Blank => Place::Blank,
            Place::Slot(base) => Place::FrameElem {
                base,
                off: 0,
                idx,
                len,
                stride,
            },
            Place::Frame { base, off } => Place::FrameElem {
                base,
                off,
                idx,
                len,
                stride,
            },
            Place::Mem { ptr, off: 0 } => Place::PtrElem {
                ptr,
                idx,
                len,
                stride,
                off: 0,
            },
            Place::FrameElem {
                base,
                off,
                idx: i0,
                len: l0,
                stride: s0,
            } => {
                // Both indices in units of their greatest common divisor.
                let unit = gcd(s0, stride);
                emit!(self, CheckIndex, i0, l0);
                emit!(self, CheckIndex, idx, len);
                let t = self.alloc.scalar();
                self.scale(t, i0, s0 / unit);
                let j = self.alloc.scalar();
                self.scale(j, idx, stride / unit);
                emit!(self, Add, t, t, j);
                // Up to the last element that the indices can mean:
                // what lies behind it is another's.
                let all = (l0 - 1) * (s0 / unit) + (len - 1) * (stride / unit) + 1;
                Place::FrameElem {
                    base,
                    off,
                    idx: t,
                    len: all,
                    stride: unit,
                }
            }
            Place::MapElem { .. } => {
                let whole = self.info_of_array(ei, len);
                let s = self.load(base, &whole, None);
                let at = if whole.repr == Repr::Huge {
                    Place::Mem { ptr: s, off: 0 }
                } else {
                    Place::Slot(s)
                };
                self.elem_place(at, idx, len, ei)
            }
            other => {
                let ptr = self.address(other);
                Place::PtrElem {
                    ptr,
                    idx,
                    len,
                    stride,
                    off: 0,
                }
            }
        }
    }

    fn info_of_array(&mut self, ei: &TypeInfo, len: u64) -> Rc<TypeInfo> {
        let t = self.c.ck.types.array(len as i64, ei.ty);
        self.info(t)
    }

    fn scale(&mut self, dst: Slot, src: Slot, by: u64) {
        match by {
            1 => emit!(self, Mov, dst, src),
            _ if by < 0x8000 => emit!(self, MulImm, dst, src, by),
            _ => emit!(self, MulConst, dst, src, by),
        }
    }

    /// A copy in a temporary of its own.
    pub(super) fn keep(&mut self, s: Slot, ti: &TypeInfo) -> Slot {
        let t = self.alloc.take(ti);
        self.mov(t, s, ti);
        t
    }

    pub(super) fn index_slot(&mut self, idx: Index) -> Slot {
        match idx {
            Index::S(s) => s,
            Index::K(k) => {
                let t = self.alloc.scalar();
                emit!(self, LoadImm, t, k);
                t
            }
        }
    }

    /// Splits a large offset off.
    pub(super) fn near(&mut self, ptr: Slot, off: u64) -> (Slot, u64) {
        if off < 0x1_0000 {
            return (ptr, off);
        }
        let p = self.alloc.pointer();
        emit!(self, AddPtrConst, p, ptr, off);
        (p, 0)
    }

    /// The address of a place outside the frame,
    /// in a temporary (or its own slot when that is the address).
    pub(super) fn address(&mut self, place: Place) -> Slot {
        match place {
            Place::Mem { ptr, off: 0 } => {
                emit!(self, CheckNil, ptr);
                ptr
            }
            Place::Mem { ptr, off } => {
                let p = self.alloc.pointer();
                if off < 0x1_0000 {
                    emit!(self, AddPtr, p, ptr, off);
                } else {
                    emit!(self, AddPtrConst, p, ptr, off);
                }
                p
            }
            Place::Abs(at) => {
                let p = self.alloc.pointer();
                emit!(self, LoadGlobalAddr, p, at);
                p
            }
            Place::SliceElem {
                s,
                idx,
                stride,
                off,
            } => {
                let i = self.index_slot(idx);
                let p = self.alloc.pointer();
                emit!(self, SliceElemAddr, p, s, i, stride);
                self.add_offset(p, off);
                p
            }
            Place::PtrElem {
                ptr,
                idx,
                len,
                stride,
                off,
            } => {
                let p = self.alloc.pointer();
                emit!(self, ArrayElemAddr, p, ptr, idx, len, stride);
                self.add_offset(p, off);
                p
            }
            // Values without size, and what cannot be: any address that is not nil.
            Place::Blank
            | Place::Slot(_)
            | Place::Frame { .. }
            | Place::FrameElem { .. }
            | Place::MapElem { .. } => {
                if !matches!(place, Place::Blank | Place::Slot(Slot::NONE)) {
                    let pos = self.pos;
                    self.unsupported(pos, "address of a variable of type parameter type");
                }
                let p = self.alloc.pointer();
                emit!(self, New, p, 0, 0);
                p
            }
        }
    }

    fn add_offset(&mut self, p: Slot, off: u64) {
        match off {
            0 => {}
            _ if off < 0x1_0000 => emit!(self, AddPtr, p, p, off),
            _ => emit!(self, AddPtrConst, p, p, off),
        }
    }

    /// The form of a map operation for the keys of the map type.
    pub(super) fn map_form(&mut self, family: Family, map: TypeId) -> Op {
        let (k, _) = self.map_types(map);
        let ki = self.info(k);
        let form = match ki.repr {
            Repr::Int(IntKind { bits: 32, .. }) => Form::U32,
            Repr::Int(IntKind { bits: 64, .. }) | Repr::Ptr => Form::I64,
            Repr::Str => Form::Str,
            _ => Form::Any,
        };
        form_of(family, form)
    }

    /// A place that stays the same when the variables in `assigned` change.
    pub(super) fn stabilize(&mut self, place: Place, assigned: &[(Slot, u32)]) -> Place {
        let hit = |s: Slot, n: u32| {
            s != Slot::NONE && assigned.iter().any(|(a, k)| s.0 < a.0 + k && a.0 < s.0 + n)
        };
        let mut place = place;
        match &mut place {
            Place::Mem { ptr, .. } if hit(*ptr, 1) => {
                let p = self.alloc.pointer();
                emit!(self, Mov, p, *ptr);
                *ptr = p;
            }
            Place::FrameElem { idx, .. } if hit(*idx, 1) => *idx = self.copy_scalar(*idx),
            Place::SliceElem { s, idx, .. } => {
                if hit(*s, 3) {
                    let bytes = self.c.ck.types.slice(TypeId::BYTE);
                    let si = self.info(bytes);
                    *s = self.keep(*s, &si);
                }
                if let Index::S(i) = idx
                    && hit(*i, 1)
                {
                    *i = self.copy_scalar(*i);
                }
            }
            Place::PtrElem { ptr, idx, .. } => {
                if hit(*ptr, 1) {
                    let p = self.alloc.pointer();
                    emit!(self, Mov, p, *ptr);
                    *ptr = p;
                }
                if hit(*idx, 1) {
                    *idx = self.copy_scalar(*idx);
                }
            }
            Place::MapElem { m, key, map } => {
                if hit(*m, 1) {
                    let p = self.alloc.pointer();
                    emit!(self, Mov, p, *m);
                    *m = p;
                }
                let (k, _) = self.map_types(*map);
                let ki = self.info(k);
                if hit(*key, ki.slots.max(1)) {
                    *key = self.keep(*key, &ki);
                }
            }
            _ => {}
        }
        place
    }

    fn copy_scalar(&mut self, s: Slot) -> Slot {
        let t = self.alloc.scalar();
        emit!(self, Mov, t, s);
        t
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// An offset inside a value that lies in the frame.
fn small(off: u64) -> u32 {
    u32::try_from(off).expect("an offset in the frame")
}
