//! Conversions, to interfaces and between types.
//!
//! Spec: Conversions, Assignability.

use super::func::{Fun, emit};
use super::regalloc::Slot;
use super::typeinfo::IntKind;
use super::{Repr, TypeInfo};
use bytecode::func as bfunc;
use std::rc::Rc;
use syntax::ast::Expr;
use types::{Type, TypeId};

impl Fun<'_> {
    /// A constant of type `from` converted to interface type `t`: what its data word points to is
    /// laid down at link time. `None`: it is no constant.
    pub(super) fn const_iface(
        &mut self,
        e: &'static Expr,
        from: TypeId,
        t: TypeId,
        dst: Option<Slot>,
    ) -> Option<Slot> {
        if self.overrides.contains_key(&e.id) {
            return None;
        }
        let v = self.c.ck.info.get(e.id)?.value.clone()?;
        let ti = self.info(from);
        let bits = super::expr::const_bits(&v, &ti);
        let at = match ti.repr {
            _ if bits.is_some() => 0,
            Repr::Str => {
                let (words, place) = self.c.string_words(v.as_bytes()?);
                let place = place.map(|place| (0, place));
                self.c.constant_words(&words, place.as_slice())
            }
            Repr::C128 => {
                let (re, im) = v.as_complex()?;
                self.c.constant_words(&[re.to_bits(), im.to_bits()], &[])
            }
            _ => return None,
        };
        let tab = self.c.iface_word(t, from);
        let d = match dst {
            Some(d) => d,
            None => {
                let ti = self.info(t);
                self.alloc.take(&ti)
            }
        };
        self.pos = e.pos;
        match bits {
            Some(bits) => emit!(self, LoadIfaceBits, d, tab, bits),
            None => emit!(self, LoadIface, d, tab, at),
        }
        Some(d)
    }

    /// The value R[s..] of type `from` where one of type `to` is assigned,
    /// and what is known of the type that it has then.
    pub(super) fn assignable(&mut self, s: Slot, from: TypeId, to: TypeId) -> (Slot, Rc<TypeInfo>) {
        if self.c.ck.is_interface(to) && !self.c.ck.identical(from, to) {
            (self.make_iface(s, from, to, None), self.info(to))
        } else {
            (s, self.info(from))
        }
    }

    /// The value R[s..] of type `from` as interface type `t`.
    pub(super) fn make_iface(
        &mut self,
        s: Slot,
        from: TypeId,
        t: TypeId,
        dst: Option<Slot>,
    ) -> Slot {
        let (fi, ti) = (self.info(from), self.info(t));
        let d = self.dst(dst, &ti);
        match (fi.repr, ti.repr) {
            (Repr::Eface, Repr::Eface) => self.mov(d, s, &ti),
            (Repr::Iface, Repr::Eface) => emit!(self, IfaceToEface, d, s),
            (Repr::Iface, Repr::Iface) if fi.rtype == ti.rtype => self.mov(d, s, &ti),
            (Repr::Iface, Repr::Iface) => {
                emit!(self, IfaceToEface, d, s);
                emit!(self, EfaceToIface, d, d, ti.rtype.word());
            }
            (Repr::Eface, Repr::Iface) => emit!(self, EfaceToIface, d, s, ti.rtype.word()),
            _ => {
                let w0 = self.c.iface_word(t, from);
                if fi.is_direct() {
                    emit!(self, MakeIface, d, s, w0);
                } else if fi.repr == Repr::Huge {
                    // A copy of its own: the memory at R[s] may change later.
                    let p = self.alloc.pointer();
                    emit!(self, New, p, fi.rtype.layout, fi.size);
                    emit!(self, CopyTyped, p, s, fi.rtype.layout, fi.size);
                    emit!(self, MakeIface, d, p, w0);
                } else {
                    // Without size: any slot will do.
                    let s = if fi.repr == Repr::Zero { d } else { s };
                    emit!(self, BoxIface, d, s, w0, fi.size_layout());
                }
            }
        }
        d
    }

    /// `T(x)`.
    pub(super) fn conversion(
        &mut self,
        e: &'static Expr,
        x: &'static Expr,
        dst: Option<Slot>,
    ) -> Slot {
        let (to, from) = (self.ty(e), self.ty(x));
        if self.c.ck.is_interface(to) {
            return self.expr_as(x, to, dst);
        }
        let (ti, fi) = (self.info(to), self.info(from));
        // A constant converted to a type parameter's argument, or an untyped nil.
        if self
            .c
            .ck
            .info
            .get(x.id)
            .is_some_and(|tv| tv.mode == types::Mode::Nil)
        {
            let d = self.dst(dst, &ti);
            self.zero(d, &ti);
            return d;
        }
        // A constant converted to a type parameter's argument.
        if let Some(v) = self.c.ck.info.get(x.id).and_then(|tv| tv.value.clone())
            && v.is_numeric()
            && ti.repr != Repr::Str
            && !self.overrides.contains_key(&x.id)
        {
            return self.load_const(&v, &ti, dst);
        }
        if ti.repr == fi.repr {
            return self.value_of(x, dst);
        }
        let d = self.dst(dst, &ti);
        // What a pointer made a number points to is kept by the function that hands it to another,
        // which may make it a pointer again (unsafe, rule 4; go:uintptrescapes). The library's hand
        // numbers to the kernel that others have made for them.
        let kept = match (fi.repr, ti.repr) {
            (Repr::Ptr, Repr::Int(_)) if self.passed.contains(&e.id) || self.is_in_library() => {
                Some(self.alloc.pointer_for_good())
            }
            _ => None,
        };
        let mark = self.alloc.mark();
        let mut s = self.loose(x);
        self.pos = e.pos;
        if let Some(p) = kept {
            self.flags |= bfunc::KEEPS_ALL;
            emit!(self, Mov, p, s);
            s = p;
        }
        self.convert(s, from, to, d);
        self.alloc.release(mark);
        if let (Repr::Slice, Some(len)) = (ti.repr, self.const_len(x, to)) {
            // The memory of a constant has no room to spare, as in Go.
            self.load_imm(d.plus(2), len as i64);
        }
        d
    }

    /// The length of the constant `x` as a slice of type `to`.
    fn const_len(&mut self, x: &Expr, to: TypeId) -> Option<usize> {
        let v = self.c.ck.info.get(x.id)?.value.clone()?;
        let text = v.as_bytes()?;
        Some(match self.is_byte_slice(to) {
            true => text.len(),
            // Each byte that is no part of a rune becomes one.
            false => text
                .utf8_chunks()
                .map(|c| c.valid().chars().count() + c.invalid().len())
                .sum(),
        })
    }

    /// Is what is compiled of the library's text, be it in place of a call?
    fn is_in_library(&self) -> bool {
        self.pkg_here().is_some_and(|p| self.c.ck.pkg(p).is_std)
    }

    fn value_of(&mut self, x: &'static Expr, dst: Option<Slot>) -> Slot {
        match dst {
            Some(_) => self.expr(x, dst),
            None => self.loose(x),
        }
    }

    /// R[d..] := R[s..] converted from type `from` to type `to`.
    pub(super) fn convert(&mut self, s: Slot, from: TypeId, to: TypeId, d: Slot) {
        let (fi, ti) = (self.info(from), self.info(to));
        match (fi.repr, ti.repr) {
            (a, b) if a == b => self.mov(d, s, &ti),
            (Repr::Int(a), Repr::Int(b)) => self.int_to_int(d, s, a, b),
            (Repr::Int(a), Repr::F64) => {
                if a.signed || a.bits < 64 {
                    emit!(self, I64ToF64, d, s);
                } else {
                    emit!(self, U64ToF64, d, s);
                }
            }
            (Repr::Int(a), Repr::F32) => {
                if a.signed || a.bits < 64 {
                    emit!(self, I64ToF32, d, s);
                } else {
                    emit!(self, U64ToF32, d, s);
                }
            }
            (Repr::F32, Repr::F64) => emit!(self, F32ToF64, d, s),
            (Repr::F64, Repr::F32) => emit!(self, F64ToF32, d, s),
            (Repr::F32, Repr::Int(k)) => {
                let t = self.alloc.scalar();
                emit!(self, F32ToF64, t, s);
                self.float_to_int(d, t, k, &ti);
            }
            (Repr::F64, Repr::Int(k)) => self.float_to_int(d, s, k, &ti),
            (Repr::C64, Repr::C128) => emit!(self, C64ToC128, d, s),
            (Repr::C128, Repr::C64) => emit!(self, C128ToC64, d, s),
            // unsafe.Pointer and uintptr.
            (Repr::Int(_), Repr::Ptr) | (Repr::Ptr, Repr::Int(_)) => emit!(self, Mov, d, s),
            (Repr::Int(k), Repr::Str) => {
                let a = if k.signed || k.bits < 64 {
                    s
                } else {
                    // Too large for a rune, as -1 is.
                    let t = self.alloc.scalar();
                    let (ok, l) = (self.label(), self.label());
                    emit!(self, Mov, t, s);
                    emit!(self, JumpGeImm, t, 0, ok);
                    emit!(self, LoadImm, t, -1);
                    self.jump(l);
                    self.bind(ok);
                    self.bind(l);
                    t
                };
                emit!(self, StrOfRune, d, a);
            }
            (Repr::Slice, Repr::Str) => {
                if self.is_byte_slice(from) {
                    emit!(self, StrOfBytes, d, s);
                } else {
                    emit!(self, StrOfRunes, d, s);
                }
            }
            (Repr::Str, Repr::Slice) => {
                if self.is_byte_slice(to) {
                    emit!(self, BytesOfStr, d, s);
                } else {
                    emit!(self, RunesOfStr, d, s);
                }
            }
            (Repr::Slice, Repr::Ptr) => {
                let len = self.array_len_behind(to);
                emit!(self, SliceToArray, d, s, len);
            }
            (Repr::Slice, Repr::Agg | Repr::Huge | Repr::Zero) => {
                let Type::Array { len, .. } = self.c.ck.under_type(to) else {
                    return;
                };
                let len = *len;
                let p = self.alloc.pointer();
                emit!(self, SliceToArray, p, s, len);
                match ti.repr {
                    Repr::Agg => self.load_mem(d, p, 0, &ti),
                    Repr::Huge => {
                        let fresh = self.alloc.pointer();
                        emit!(self, New, fresh, ti.rtype.layout, ti.size);
                        emit!(self, CopyTyped, fresh, p, ti.rtype.layout, ti.size);
                        emit!(self, Mov, d, fresh);
                    }
                    _ => {}
                }
            }
            _ => {
                let text = format!(
                    "internal: conversion from {} to {}",
                    fi.rtype.string, ti.rtype.string
                );
                self.unsupported(self.pos, text);
            }
        }
    }

    fn int_to_int(&mut self, d: Slot, s: Slot, a: IntKind, b: IntKind) {
        // Does every value of kind a have the same slot in kind b?
        let fits = b.bits == 64
            || (a.signed == b.signed && a.bits <= b.bits)
            || (!a.signed && b.signed && a.bits < b.bits);
        match (fits, b.bits, b.signed) {
            (true, ..) => self.mov_n(d, s, 1),
            (_, 8, true) => emit!(self, SignExtend8, d, s),
            (_, 8, false) => emit!(self, ZeroExtend8, d, s),
            (_, 16, true) => emit!(self, SignExtend16, d, s),
            (_, 16, false) => emit!(self, ZeroExtend16, d, s),
            (_, _, true) => emit!(self, SignExtend32, d, s),
            _ => emit!(self, ZeroExtend32, d, s),
        }
    }

    fn float_to_int(&mut self, d: Slot, s: Slot, k: IntKind, ti: &TypeInfo) {
        match (k.bits, k.signed) {
            (64, true) => emit!(self, F64ToI64, d, s),
            (64, false) => emit!(self, F64ToU64, d, s),
            (32, false) => emit!(self, F64ToU32, d, s),
            (32, true) => emit!(self, F64ToI32, d, s),
            // What is out of range goes by 32 bits, as Go's compiler for amd64 has it.
            _ => {
                emit!(self, F64ToI32, d, s);
                self.extend_narrow(d, d, ti);
            }
        }
    }

    pub(super) fn is_byte_slice(&mut self, t: TypeId) -> bool {
        match self.c.ck.under_type(t).clone() {
            Type::Slice(e) => self.elem_info(e).size == 1,
            _ => false,
        }
    }

    fn array_len_behind(&mut self, t: TypeId) -> i64 {
        match self.c.ck.under_type(t) {
            Type::Pointer(a) => match self.c.ck.under_type(*a) {
                Type::Array { len, .. } => *len,
                _ => 0,
            },
            _ => 0,
        }
    }
}
