//! Calls of built-in functions.
//!
//! Spec: Built-in functions. Package unsafe.

use super::func::{Fun, emit};
use super::ops::Opd;
use super::place::{Index, Place};
use super::regalloc::Slot;
use super::{Repr, TypeInfo};
use bytecode::op::Family;
use syntax::ast::{BinOp, Expr, ExprKind};
use types::{Builtin as B, Type, TypeId};

impl Fun<'_> {
    /// A call of the built-in function `b`.
    pub(super) fn builtin(
        &mut self,
        e: &'static Expr,
        b: B,
        args: &'static [Expr],
        dst: Option<Slot>,
    ) -> Slot {
        match b {
            B::Len | B::Cap => self.len_or_cap(e, b, &args[0], dst),
            B::Append => self.append(e, args, dst),
            B::Copy => self.copy(e, args, dst),
            B::Make => self.make(e, args, dst),
            B::New => self.new_value(e, args, dst),
            B::Min | B::Max => self.min_max(e, b == B::Max, args, dst),
            B::Complex => self.complex(e, args, dst),
            B::Real | B::Imag => self.complex_part(e, b == B::Imag, &args[0], dst),
            B::Recover => {
                let ti = self.info(TypeId::ANY);
                let d = match dst {
                    Some(d) => d,
                    None => self.alloc.take(&ti),
                };
                self.pos = e.pos;
                emit!(self, Recover, d);
                d
            }
            B::Panic => {
                let mark = self.alloc.mark();
                let v = self.expr_as(&args[0], TypeId::ANY, None);
                self.pos = e.pos;
                emit!(self, Panic, v);
                self.alloc.release(mark);
                Slot::NONE
            }
            B::Print | B::Println => self.print(e, b == B::Println, args),
            B::Close => {
                let mark = self.alloc.mark();
                let c = self.expr(&args[0], None);
                self.pos = e.pos;
                emit!(self, Close, c);
                self.alloc.release(mark);
                Slot::NONE
            }
            B::Delete => {
                let mark = self.alloc.mark();
                let (m, key, t) = match self.two_values(args) {
                    Some([(m, t), (key, kt)]) => {
                        let (k, _) = self.map_types(t);
                        let (key, _) = self.assignable(key, kt, k);
                        (m, key, t)
                    }
                    None => {
                        let t = self.ty(&args[0]);
                        let (k, _) = self.map_types(t);
                        let m = self.expr(&args[0], None);
                        (m, self.expr_as(&args[1], k, None), t)
                    }
                };
                self.pos = e.pos;
                let word = self.info(t).rtype.word();
                let form = self.map_form(Family::MapDelete, t);
                self.put(form, &[m.0.into(), key.0.into(), word as i64]);
                self.alloc.release(mark);
                Slot::NONE
            }
            B::Clear => {
                let mark = self.alloc.mark();
                let t = self.ty(&args[0]);
                let s = self.expr(&args[0], None);
                self.pos = e.pos;
                match self.c.ck.under_type(t).clone() {
                    Type::Map { .. } => {
                        let word = self.info(t).rtype.word();
                        emit!(self, MapClear, s, word);
                    }
                    Type::Slice(elem) => {
                        let word = self.elem_info(elem).rtype.word();
                        emit!(self, ClearSlice, s, word);
                    }
                    _ => {}
                }
                self.alloc.release(mark);
                Slot::NONE
            }
            B::UnsafeAdd => {
                let ti = self.einfo(e);
                let mark = self.alloc.mark();
                let d = self.dst(dst, &ti);
                let _ = mark;
                let p = self.expr(&args[0], None);
                let n = self.operand(&args[1], true);
                let k = super::typeinfo::IntKind {
                    bits: 64,
                    signed: true,
                };
                let as_int = TypeInfo {
                    ty: ti.ty,
                    repr: Repr::Int(k),
                    size: 8,
                    slots: 1,
                    words: Vec::new(),
                    has_pointers: false,
                    rtype: ti.rtype,
                };
                self.arith(BinOp::Add, &as_int, d, Opd::S(p), n, usize::MAX);
                d
            }
            B::UnsafeSlice => {
                let ti = self.einfo(e);
                let mark = self.alloc.mark();
                let p = self.expr(&args[0], None);
                let n = self.expr(&args[1], None);
                self.alloc.release(mark);
                let d = self.dst(dst, &ti);
                self.pos = e.pos;
                emit!(self, UnsafeSlice, d, p, n, ti.rtype.elem.word());
                d
            }
            B::UnsafeString => {
                let ti = self.einfo(e);
                let mark = self.alloc.mark();
                let p = self.expr(&args[0], None);
                let n = self.expr(&args[1], None);
                self.alloc.release(mark);
                let d = self.dst(dst, &ti);
                self.pos = e.pos;
                emit!(self, UnsafeString, d, p, n);
                d
            }
            B::UnsafeSliceData | B::UnsafeStringData => {
                let ti = self.einfo(e);
                let mark = self.alloc.mark();
                let s = self.loose(&args[0]);
                self.alloc.release(mark);
                let d = self.dst(dst, &ti);
                emit!(self, Mov, d, s);
                d
            }
            // Constants, but for type parameters.
            B::UnsafeSizeof | B::UnsafeAlignof | B::UnsafeOffsetof => {
                let ti = self.einfo(e);
                let of = self.einfo(&args[0]);
                let d = self.dst(dst, &ti);
                let n = match b {
                    B::UnsafeSizeof => of.size,
                    B::UnsafeAlignof => u64::from(of.rtype.align),
                    _ => self.offset_of(&args[0]),
                };
                self.load_imm(d, n as i64);
                d
            }
        }
    }

    /// unsafe.Offsetof(x.f): from the innermost pointer or x on.
    fn offset_of(&mut self, x: &'static Expr) -> u64 {
        let x = x.unparen();
        let ExprKind::Selector { x: base, .. } = &x.kind else {
            return 0;
        };
        let Some(sn) = self.c.selection(x).cloned() else {
            return 0;
        };
        let mut t = self.ty(base);
        let mut offset = 0;
        for &i in &sn.path {
            if let Some(elem) = self.c.pointee(t) {
                t = self.subst(elem);
                offset = 0;
            }
            let ti = self.info(t);
            offset += ti
                .rtype
                .fields
                .get(i as usize)
                .map_or(0, |f| f.offset as u64);
            let Type::Struct(s) = self.c.ck.under_type(t) else {
                break;
            };
            let field = self.c.ck.obj(s.fields[i as usize]).ty;
            t = self.subst(field);
        }
        offset
    }

    fn len_or_cap(&mut self, e: &'static Expr, b: B, x: &'static Expr, dst: Option<Slot>) -> Slot {
        let ti = self.einfo(e);
        let t = self.ty(x);
        let mark = self.alloc.mark();
        let mut array = None;
        match self.c.ck.under_type(t).clone() {
            Type::Array { len, .. } => array = Some(len),
            Type::Pointer(a) => {
                if let Type::Array { len, .. } = self.c.ck.under_type(a) {
                    array = Some(*len);
                }
            }
            Type::Map { .. } => {
                let m = self.loose(x);
                self.alloc.release(mark);
                let d = self.dst(dst, &ti);
                self.pos = e.pos;
                emit!(self, MapLen, d, m);
                return d;
            }
            Type::Chan { .. } => {
                let c = self.loose(x);
                self.alloc.release(mark);
                let d = self.dst(dst, &ti);
                self.pos = e.pos;
                if b == B::Len {
                    emit!(self, ChanLen, d, c);
                } else {
                    emit!(self, ChanCap, d, c);
                }
                return d;
            }
            _ => {}
        }
        if let Some(n) = array {
            self.loose(x);
            self.alloc.release(mark);
            let d = self.dst(dst, &ti);
            self.load_imm(d, n);
            return d;
        }
        // Slices and strings: a word of the value, loaded alone where it lies in memory.
        let word = if b == B::Len { 1 } else { 2 };
        if let ExprKind::Name(_) | ExprKind::Selector { .. } | ExprKind::Paren(_) = x.kind
            && self.c.ck.info.value_of(x).is_none()
        {
            let place = self.place(x);
            self.pos = e.pos;
            let at = self.sub_place(place, 8 * word, &ti);
            if let Place::Slot(s) = at {
                return self.settle(s, &ti, dst);
            }
            self.alloc.release(mark);
            let d = self.dst(dst, &ti);
            return self.load(at, &ti, Some(d));
        }
        let s = self.loose(x).plus(word as u32);
        if dst.is_some() {
            self.alloc.release(mark);
        }
        self.settle(s, &ti, dst)
    }

    fn append(&mut self, e: &'static Expr, args: &'static [Expr], dst: Option<Slot>) -> Slot {
        let ExprKind::Call { ellipsis, .. } = &e.kind else {
            unreachable!()
        };
        let ti = self.einfo(e);
        let elem = match self.c.ck.under_type(ti.ty).clone() {
            Type::Slice(elem) => self.subst(elem),
            _ => return Slot::NONE,
        };
        let ei = self.info(elem);
        let word = ei.rtype.word();
        let mark = self.alloc.mark();
        if let Some(types) = args.first().and_then(|a| self.tuple_of(a)) {
            return self.append_spread(e, &args[0], &types, &ti, &ei, dst);
        }
        let s = self.expr_as(&args[0], ti.ty, None);
        if ellipsis.is_some() {
            let t = self.ty(&args[1]);
            let nil = self
                .c
                .ck
                .info
                .get(args[1].id)
                .is_some_and(|tv| tv.mode == types::Mode::Nil);
            let v = if nil {
                self.expr_as(&args[1], ti.ty, None)
            } else {
                self.loose(&args[1])
            };
            self.alloc.release(mark);
            let d = self.dst(dst, &ti);
            self.pos = e.pos;
            if !nil && self.info(t).repr == Repr::Str {
                emit!(self, AppendString, d, s, v);
            } else {
                emit!(self, AppendSlice, d, s, v, word);
            }
            return d;
        }
        let rest = &args[1..];
        match rest {
            [] => {
                if dst.is_some() {
                    self.alloc.release(mark);
                }
                self.settle(s, &ti, dst)
            }
            [one] if ei.repr != Repr::Huge => {
                let v = self.expr_as_loose(one, elem);
                self.alloc.release(mark);
                let d = self.dst(dst, &ti);
                self.pos = e.pos;
                self.push_one(d, s, v, &ei);
                d
            }
            many => {
                // Values first, then room, then the stores.
                let mut values = Vec::new();
                for x in many {
                    values.push(self.expr_as(x, elem, None));
                }
                let n = self.alloc.scalar();
                emit!(self, LoadImm, n, many.len());
                let at = self.alloc.scalar();
                emit!(self, Mov, at, s.plus(1));
                let grown = self.alloc.take(&ti);
                self.pos = e.pos;
                emit!(self, GrowSlice, grown, s, n, word);
                for v in values {
                    let place = Place::SliceElem {
                        s: grown,
                        idx: Index::S(at),
                        stride: ei.size,
                        off: 0,
                    };
                    self.store(place, &ei, v);
                    emit!(self, AddImm, at, at, 1);
                }
                self.alloc.release(mark);
                let d = self.dst(dst, &ti);
                self.mov(d, grown, &ti);
                d
            }
        }
    }

    /// append(f()) where f has several results: the slice and its new elements.
    fn append_spread(
        &mut self,
        e: &'static Expr,
        call: &'static Expr,
        types: &[TypeId],
        ti: &TypeInfo,
        ei: &TypeInfo,
        dst: Option<Slot>,
    ) -> Slot {
        let results = self.call(call.unparen(), None);
        let mut values = Vec::new();
        for (i, t) in types.iter().enumerate() {
            let vi = self.info(*t);
            values.push(self.keep(results[i], &vi));
        }
        let d = self.dst(dst, ti);
        let mut s = values[0];
        self.pos = e.pos;
        for (v, t) in values[1..].iter().zip(&types[1..]) {
            let v = if self.c.ck.is_interface(ei.ty) {
                self.make_iface(*v, *t, ei.ty, None)
            } else {
                *v
            };
            self.push_one(d, s, v, ei);
            s = d;
        }
        d
    }

    /// R[d..+3] := append(R[s..+3], R[v..]).
    fn push_one(&mut self, d: Slot, s: Slot, v: Slot, ei: &TypeInfo) {
        use bytecode::op::Op;
        let word = ei.rtype.word();
        let op = match ei.repr {
            Repr::Int(k) => match k.bits {
                8 => Op::Push8,
                16 => Op::Push16,
                32 => Op::Push32,
                _ => Op::Push64,
            },
            Repr::F32 => Op::Push32,
            Repr::F64 | Repr::C64 => Op::Push64,
            Repr::Ptr => Op::PushPtr,
            Repr::Str => Op::PushStr,
            Repr::Slice => Op::PushSlice,
            Repr::Eface | Repr::Iface => Op::PushIface,
            _ => Op::PushTyped,
        };
        let v = if v == Slot::NONE { d } else { v };
        self.put(op, &[d.0.into(), s.0.into(), v.0.into(), word as i64]);
    }

    /// The two values of a call that is the only argument of a built-in function.
    fn two_values(&mut self, args: &'static [Expr]) -> Option<[(Slot, TypeId); 2]> {
        let types = self.tuple_of(args.first()?)?;
        let results = self.call(args[0].unparen(), None);
        let mut out = [(Slot::NONE, TypeId::INVALID); 2];
        for (i, t) in types.into_iter().enumerate().take(2) {
            let ti = self.info(t);
            out[i] = (self.keep(results[i], &ti), t);
        }
        Some(out)
    }

    fn copy(&mut self, e: &'static Expr, args: &'static [Expr], dst: Option<Slot>) -> Slot {
        let ti = self.einfo(e);
        let mark = self.alloc.mark();
        let (d, t0, s, t1) = match self.two_values(args) {
            Some([(d, t0), (s, t1)]) => (d, t0, s, t1),
            None => {
                let (d, s) = (self.expr(&args[0], None), self.loose(&args[1]));
                (d, self.ty(&args[0]), s, self.ty(&args[1]))
            }
        };
        self.alloc.release(mark);
        let n = self.dst(dst, &ti);
        self.pos = e.pos;
        if self.info(t1).repr == Repr::Str {
            emit!(self, CopyString, n, d, s);
        } else {
            let word = self.info(t0).rtype.elem.word();
            emit!(self, CopySlice, n, d, s, word);
        }
        n
    }

    fn make(&mut self, e: &'static Expr, args: &'static [Expr], dst: Option<Slot>) -> Slot {
        use bytecode::func::Word;
        let ti = self.einfo(e);
        let mark = self.alloc.mark();
        match self.c.ck.under_type(ti.ty).clone() {
            Type::Slice(elem) => {
                let n = self.alloc.take_words(&[Word::Scalar; 2]);
                self.expr(&args[1], Some(n));
                match args.get(2) {
                    Some(c) => {
                        self.expr(c, Some(n.plus(1)));
                    }
                    None => emit!(self, Mov, n.plus(1), n),
                }
                let word = self.elem_info(elem).rtype.word();
                self.alloc.release(mark);
                let d = self.dst(dst, &ti);
                self.pos = e.pos;
                emit!(self, MakeSlice, d, n, word);
                d
            }
            other => {
                let n = match args.get(1) {
                    Some(x) => self.expr(x, None),
                    None => {
                        let n = self.alloc.scalar();
                        emit!(self, Zero, n);
                        n
                    }
                };
                self.alloc.release(mark);
                let d = self.dst(dst, &ti);
                self.pos = e.pos;
                if let Type::Map { .. } = other {
                    emit!(self, MakeMap, d, n, ti.rtype.word());
                } else {
                    emit!(self, MakeChan, d, n, ti.rtype.word());
                }
                d
            }
        }
    }

    /// `new(T)`, and `new(v)` with a value.
    fn new_value(&mut self, e: &'static Expr, args: &'static [Expr], dst: Option<Slot>) -> Slot {
        let ti = self.einfo(e);
        let Some(elem) = self.c.ck.deref(ti.ty) else {
            return Slot::NONE;
        };
        let elem = self.subst(elem);
        let ei = self.info(elem);
        if self.c.ck.info.is_type(&args[0]) {
            let d = self.dst(dst, &ti);
            self.pos = e.pos;
            emit!(self, New, d, ei.rtype.layout, ei.size);
            return d;
        }
        let mark = self.alloc.mark();
        let v = self.expr_as_loose(&args[0], elem);
        let p = self.alloc.pointer();
        self.pos = e.pos;
        emit!(self, New, p, ei.rtype.layout, ei.size);
        self.store_mem(p, 0, &ei, v);
        self.alloc.release(mark);
        let d = self.dst(dst, &ti);
        self.mov(d, p, &ti);
        d
    }

    fn min_max(
        &mut self,
        e: &'static Expr,
        max: bool,
        args: &'static [Expr],
        dst: Option<Slot>,
    ) -> Slot {
        use bytecode::op::Op;
        let ti = self.einfo(e);
        let mark = self.alloc.mark();
        let acc = self.alloc.take(&ti);
        self.expr_typed(&args[0], &ti, acc);
        for x in &args[1..] {
            let inner = self.alloc.mark();
            let t = self.alloc.take(&ti);
            self.expr_typed(x, &ti, t);
            self.pos = e.pos;
            let op = match ti.repr {
                Repr::Int(k) if k.signed => {
                    if max {
                        Op::MaxS
                    } else {
                        Op::MinS
                    }
                }
                Repr::Int(_) => {
                    if max {
                        Op::MaxU
                    } else {
                        Op::MinU
                    }
                }
                Repr::F64 => {
                    if max {
                        Op::MaxF64
                    } else {
                        Op::MinF64
                    }
                }
                Repr::F32 => {
                    if max {
                        Op::MaxF32
                    } else {
                        Op::MinF32
                    }
                }
                _ => {
                    // Strings: keep the first of equal ones.
                    let c = self.alloc.scalar();
                    let keep = self.label();
                    if max {
                        emit!(self, LtStr, c, acc, t);
                    } else {
                        emit!(self, LtStr, c, t, acc);
                    }
                    self.jump_if(c, keep, false);
                    self.mov(acc, t, &ti);
                    self.bind(keep);
                    self.alloc.release(inner);
                    continue;
                }
            };
            self.put(op, &[acc.0.into(), acc.0.into(), t.0.into()]);
            self.alloc.release(inner);
        }
        self.alloc.release(mark);
        let d = self.dst(dst, &ti);
        self.mov(d, acc, &ti);
        d
    }

    /// Evaluates `x` to `to` as a value of type `ti`,
    /// also when it is a constant of another (untyped) type.
    fn expr_typed(&mut self, x: &'static Expr, ti: &TypeInfo, to: Slot) {
        if let Some(v) = self.c.ck.info.get(x.id).and_then(|tv| tv.value.clone())
            && let Some(k) = super::expr::const_bits(&v, ti)
        {
            self.load_imm(to, k);
            return;
        }
        self.expr(x, Some(to));
    }

    fn complex(&mut self, e: &'static Expr, args: &'static [Expr], dst: Option<Slot>) -> Slot {
        let ti = self.einfo(e);
        let mark = self.alloc.mark();
        let part = self.info(if ti.repr == Repr::C128 {
            TypeId::FLOAT64
        } else {
            TypeId::FLOAT32
        });
        let (re, im) = match self.two_values(args) {
            Some([(re, _), (im, _)]) => (re, im),
            None => {
                let (re, im) = (self.alloc.take(&part), self.alloc.take(&part));
                self.expr_typed(&args[0], &part, re);
                self.expr_typed(&args[1], &part, im);
                (re, im)
            }
        };
        self.alloc.release(mark);
        let d = self.dst(dst, &ti);
        self.pos = e.pos;
        if ti.repr == Repr::C128 {
            self.mov_n(d, re, 1);
            self.mov_n(d.plus(1), im, 1);
        } else {
            emit!(self, MakeC64, d, re, im);
        }
        d
    }

    fn complex_part(
        &mut self,
        e: &'static Expr,
        imag: bool,
        x: &'static Expr,
        dst: Option<Slot>,
    ) -> Slot {
        let ti = self.einfo(e);
        let xi = self.einfo(x);
        let mark = self.alloc.mark();
        let s = self.loose(x);
        if dst.is_some() {
            self.alloc.release(mark);
        }
        if xi.repr == Repr::C128 {
            return self.settle(s.plus(u32::from(imag)), &ti, dst);
        }
        let d = self.dst(dst, &ti);
        if imag {
            emit!(self, ImagC64, d, s);
        } else {
            emit!(self, RealC64, d, s);
        }
        d
    }

    fn print(&mut self, e: &'static Expr, newline: bool, args: &'static [Expr]) -> Slot {
        let mark = self.alloc.mark();
        // All arguments are evaluated first.
        let mut values = Vec::new();
        let mut shown = Vec::new();
        if let Some(types) = args.first().and_then(|a| self.tuple_of(a)) {
            let results = self.call(args[0].unparen(), None);
            for (i, t) in types.iter().enumerate() {
                let ti = self.info(*t);
                shown.push(*t);
                values.push((self.keep(results[i], &ti), ti));
            }
        } else {
            for a in args {
                let ti = self.einfo(a);
                shown.push(self.c.ck.info.type_of(a));
                values.push((self.expr(a, None), ti));
            }
        }
        self.pos = e.pos;
        emit!(self, PrintLock, 1);
        for (i, (s, ti)) in values.iter().enumerate() {
            if newline && i > 0 {
                emit!(self, Print, Slot::fixed(0), 9);
            }
            let kind = match ti.repr {
                Repr::Int(k) if ti.rtype.kind == bytecode::rtype::Kind::Bool => {
                    let _ = k;
                    0
                }
                Repr::Int(k) if k.signed => 1,
                Repr::Int(_) => 2,
                Repr::F64 => 3,
                Repr::F32 => 11,
                Repr::C128 => 4,
                Repr::C64 => 12,
                Repr::Str => 5,
                Repr::Ptr => 6,
                Repr::Eface | Repr::Iface => 7,
                Repr::Slice => 8,
                _ => {
                    self.refuse_print(e.pos, newline, shown[i]);
                    continue;
                }
            };
            emit!(self, Print, *s, kind);
        }
        if newline {
            emit!(self, Print, Slot::fixed(0), 10);
        }
        emit!(self, PrintLock, 0);
        self.alloc.release(mark);
        Slot::NONE
    }

    /// The type arguments make an operand that the built-in cannot print.
    fn refuse_print(&mut self, pos: source::Pos, newline: bool, t: TypeId) {
        let name = if newline { "println" } else { "print" };
        let (from, to) = match &self.env {
            Some(env) => (&env.from[..], &env.to[..]),
            None => (&[][..], &[][..]),
        };
        let t = self.c.ck.compiler_string(t, self.pkg, from, to);
        self.c
            .refuse(pos, format!("illegal types for operand: {name}\n\t{t}"));
    }
}
