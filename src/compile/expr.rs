//! Expressions.
//!
//! `expr` never leaves its value in the window;
//! `loose` may, for callers that use it before anything else happens.
//!
//! Spec: Expressions.

use super::func::{Fun, Loc, emit};
use super::ops::form_of;
use super::place::Place;
use super::regalloc::Slot;
use super::typeinfo::IntKind;
use super::{Repr, TypeInfo};
use bytecode::op::Family;
use std::rc::Rc;
use syntax::ast::{Expr, ExprKind, UnOp};
use types::{ConstValue, Mode, ObjKind, SelectionKind, Type, TypeId};

impl Fun<'_> {
    /// Evaluates `e` to `dst`, or to wherever it is.
    pub(super) fn expr(&mut self, e: &'static Expr, dst: Option<Slot>) -> Slot {
        let s = self.value(e, dst);
        if s.is_window() && dst != Some(s) {
            let ti = self.einfo(e);
            return self.keep(s, &ti);
        }
        s
    }

    /// Evaluates `e`; its value may lie in the window until the next call.
    pub(super) fn loose(&mut self, e: &'static Expr) -> Slot {
        self.value(e, None)
    }

    /// Evaluates `e` for an assignment to type `t`: converted to an interface if `t` is one.
    pub(super) fn expr_as(&mut self, e: &'static Expr, t: TypeId, dst: Option<Slot>) -> Slot {
        let from = self.ty(e);
        let is_nil = self
            .c
            .ck
            .info
            .get(e.id)
            .is_some_and(|tv| tv.mode == Mode::Nil);
        if is_nil {
            let ti = self.info(t);
            let d = self.dst(dst, &ti);
            self.zero(d, &ti);
            return d;
        }
        if !self.c.ck.is_interface(t) || from == t || self.c.ck.identical(from, t) {
            return self.expr(e, dst);
        }
        if let Some(d) = self.const_iface(e, from, t, dst) {
            return d;
        }
        let ti = self.info(t);
        let d = self.dst(dst, &ti);
        let mark = self.alloc.mark();
        let s = self.loose(e);
        self.pos = e.pos;
        self.make_iface(s, from, t, Some(d));
        self.alloc.release(mark);
        d
    }

    /// The slot form of a constant of one word.
    pub(super) fn const_word(&mut self, e: &Expr) -> Option<i64> {
        if self.overrides.contains_key(&e.id) {
            return None;
        }
        let tv = self.c.ck.info.get(e.id)?;
        let Some(v) = tv.value.clone() else {
            return self.folded(e);
        };
        let ti = self.einfo(e);
        const_bits(&v, &ti)
    }

    /// Loads a constant.
    pub(super) fn load_const(&mut self, v: &ConstValue, ti: &TypeInfo, dst: Option<Slot>) -> Slot {
        let d = self.dst(dst, ti);
        if let Some(w) = const_bits(v, ti) {
            self.load_imm(d, w);
            return d;
        }
        match ti.repr {
            Repr::Str => {
                let bytes = v.as_bytes().unwrap_or_default().to_vec();
                self.load_string(d, &bytes);
            }
            Repr::C128 => {
                let (re, im) = v.as_complex().unwrap_or_default();
                emit!(self, LoadConst2, d, re.to_bits(), im.to_bits());
            }
            _ => self.zero(d, ti),
        }
        d
    }

    pub(super) fn load_string(&mut self, d: Slot, bytes: &[u8]) {
        if bytes.is_empty() {
            emit!(self, Zero2, d);
            return;
        }
        let at = self.c.string_data(bytes);
        emit!(self, LoadStr, d, at, bytes.len());
    }

    fn value(&mut self, e: &'static Expr, dst: Option<Slot>) -> Slot {
        if let Some(&s) = self.overrides.get(&e.id) {
            let ti = self.einfo(e);
            return self.settle(s, &ti, dst);
        }
        if let Some(tv) = self.c.ck.info.get(e.id) {
            if let Some(v) = tv.value.clone() {
                let ti = self.einfo(e);
                self.pos = e.pos;
                return self.load_const(&v, &ti, dst);
            }
            if tv.mode == Mode::Nil {
                let ti = self.einfo(e);
                let d = self.dst(dst, &ti);
                self.zero(d, &ti);
                return d;
            }
        }
        if syntax::nesting::is_low() {
            self.unsupported(e.pos, "expression nested this deeply");
            return dst.unwrap_or(Slot::NONE);
        }
        if let Some(k) = self.folded(e) {
            let ti = self.einfo(e);
            let d = self.dst(dst, &ti);
            self.pos = e.pos;
            self.load_imm(d, k);
            return d;
        }
        match &e.kind {
            ExprKind::Paren(x) => self.value(x, dst),
            ExprKind::Name(_) => self.name(e, e.id, dst),
            ExprKind::Call { .. } => self.call_value(e, dst),
            _ => self.ordered(e, |f| f.compound(e, dst)),
        }
    }

    /// Evaluates what is neither a name nor a call.
    fn compound(&mut self, e: &'static Expr, dst: Option<Slot>) -> Slot {
        match &e.kind {
            ExprKind::FuncLit { .. } => self.func_lit(e, dst),
            ExprKind::CompositeLit { .. } => self.composite(e, dst),
            ExprKind::Selector { x, sel } => match self.c.selection(e).map(|s| s.kind) {
                None => self.name(e, sel.id, dst),
                Some(SelectionKind::FieldVal) => self.load_expr(e, dst),
                Some(SelectionKind::MethodVal) => self.method_value(e, x, dst),
                Some(SelectionKind::MethodExpr) => self.method_expr(e, dst),
            },
            ExprKind::Index { x, indices } => {
                if matches!(self.c.under_type_of(x), Some(Type::Signature(_))) {
                    if self.c.selection(x.unparen()).is_some() {
                        return self.value(x.unparen(), dst);
                    }
                    return self.func_instance(e, x, dst);
                }
                let t = self.ty(x);
                if self.c.ck.is_string(t) {
                    return self.string_index(e, x, &indices[0], dst);
                }
                if let Some(s) = self.index_twice(e, x, &indices[0], dst) {
                    return s;
                }
                self.load_expr(e, dst)
            }
            ExprKind::Slice { .. } => self.slice_expr(e, dst),
            ExprKind::TypeAssert { x, .. } => self.type_assert(e, x, dst),
            ExprKind::Star(_) => self.load_expr(e, dst),
            ExprKind::Unary { op, x } => self.unary(e, *op, x, dst),
            ExprKind::Binary { op, .. } => {
                if super::ops::is_boolean(*op) {
                    self.bool_value(e, dst)
                } else {
                    self.binary(e, dst)
                }
            }
            _ => {
                self.unsupported(e.pos, "this expression");
                dst.unwrap_or(Slot::NONE)
            }
        }
    }

    /// A value that lies in `s`, brought to `dst` if that is asked for.
    pub(super) fn settle(&mut self, s: Slot, ti: &TypeInfo, dst: Option<Slot>) -> Slot {
        match dst {
            Some(d) => {
                self.mov(d, s, ti);
                d
            }
            None => s,
        }
    }

    /// Loads from the place of `e`.
    fn load_expr(&mut self, e: &'static Expr, dst: Option<Slot>) -> Slot {
        let ti = self.einfo(e);
        let mark = self.alloc.mark();
        let place = self.place(e);
        self.pos = e.pos;
        if let Place::Slot(s) = place {
            // Without a destination the value stays where it is, perhaps in a temporary made here.
            if dst.is_some() {
                self.alloc.release(mark);
            }
            return self.settle(s, &ti, dst);
        }
        if matches!(place, Place::Frame { .. } | Place::FrameElem { .. }) && dst.is_none() {
            // The destination must not be a slot of the temporary it is loaded from.
            return self.load(place, &ti, None);
        }
        if ti.repr == Repr::Huge || ti.repr == Repr::Zero {
            return self.load(place, &ti, dst);
        }
        // What the place names stays taken until the value is loaded.
        let d = self.dst(dst, &ti);
        let inner = self.alloc.mark();
        self.load(place, &ti, Some(d));
        self.alloc.release(inner);
        if dst.is_some() {
            self.alloc.release(mark);
        }
        d
    }

    fn name(&mut self, e: &'static Expr, id: syntax::ast::NodeId, dst: Option<Slot>) -> Slot {
        let Some(obj) = self.c.ck.info.object(id) else {
            self.unsupported(e.pos, "internal: unresolved name");
            return dst.unwrap_or(Slot::NONE);
        };
        match &self.c.ck.obj(obj).kind {
            ObjKind::Var(_) => {
                let ti = self.einfo_of_var(obj);
                let place = self.var_place(obj);
                self.pos = e.pos;
                self.load(place, &ti, dst)
            }
            ObjKind::Func(_) => {
                let targs = self.instance_args(id);
                let f = self.c.func_of(obj, targs);
                self.func_value(f, dst)
            }
            _ => {
                self.unsupported(e.pos, "internal: name is no value");
                dst.unwrap_or(Slot::NONE)
            }
        }
    }

    fn einfo_of_var(&mut self, obj: types::ObjId) -> Rc<TypeInfo> {
        self.obj_info(obj)
    }

    /// Type arguments recorded at the name of a generic function.
    pub(super) fn instance_args(&mut self, id: syntax::ast::NodeId) -> Vec<TypeId> {
        match self.c.ck.info.instances.get(&id).cloned() {
            Some((targs, _)) => targs.into_iter().map(|t| self.subst(t)).collect(),
            None => Vec::new(),
        }
    }

    fn func_instance(&mut self, e: &'static Expr, x: &'static Expr, dst: Option<Slot>) -> Slot {
        let id = match &x.unparen().kind {
            ExprKind::Name(_) => x.unparen().id,
            ExprKind::Selector { sel, .. } => sel.id,
            _ => e.id,
        };
        self.name(x, id, dst)
    }

    /// The func value of a function that captures nothing.
    pub(super) fn func_value(&mut self, index: u32, dst: Option<Slot>) -> Slot {
        let d = match dst {
            Some(d) => d,
            None => self.alloc.pointer(),
        };
        let at = self.c.static_closure(index);
        emit!(self, LoadData, d, at);
        d
    }

    /// `s[i][k]` of a slice of slices, in one instruction; `None` if there is none for it.
    fn index_twice(
        &mut self,
        e: &'static Expr,
        x: &'static Expr,
        k: &'static Expr,
        dst: Option<Slot>,
    ) -> Option<Slot> {
        use bytecode::op::Op;
        let inner = x.unparen();
        let ExprKind::Index { x: s, indices } = &inner.kind else {
            return None;
        };
        let is_slice = |f: &Self, e| matches!(f.c.under_type_of(e), Some(Type::Slice(_)));
        if !is_slice(self, s)
            || !is_slice(self, inner)
            || self.overrides.contains_key(&inner.id)
            || self.c.is_complex(e)
            || !self.is_plain(k)
        {
            return None;
        }
        let ti = self.einfo(e);
        let form = match ti.repr {
            Repr::Int(IntKind {
                bits: 8,
                signed: false,
            }) => Op::SliceIndexTwice8u,
            Repr::Int(IntKind { bits: 64, .. }) | Repr::F64 | Repr::Ptr => Op::SliceIndexTwice64,
            _ => return None,
        };
        // A panic could not tell which of them it is about.
        if self.is_unsigned_index(&indices[0]) || self.is_unsigned_index(k) {
            return None;
        }
        let d = self.dst(dst, &ti);
        let mark = self.alloc.mark();
        let s = self.expr(s, None);
        let i = self.expr(&indices[0], None);
        let k = self.expr(k, None);
        self.alloc.release(mark);
        self.pos = e.pos;
        self.put(form, &[d.0.into(), s.0.into(), i.0.into(), k.0.into()]);
        Some(d)
    }

    /// Is the integer expression a local variable or constant, or a sum of such? Then nothing can
    /// happen when it is evaluated.
    fn is_plain(&self, e: &Expr) -> bool {
        use syntax::ast::BinOp;
        if self.c.ck.info.value_of(e).is_some() || self.overrides.contains_key(&e.id) {
            return true;
        }
        match &e.kind {
            ExprKind::Paren(x) => self.is_plain(x),
            ExprKind::Name(_) => {
                let obj = self.c.ck.info.object(e.id);
                matches!(
                    obj.and_then(|o| self.vars.get(&o)),
                    Some(Loc::Slot(_) | Loc::Const(_))
                )
            }
            ExprKind::Binary {
                op: BinOp::Add | BinOp::Sub,
                x,
                y,
            } => self.is_plain(x) && self.is_plain(y),
            _ => false,
        }
    }

    fn string_index(
        &mut self,
        e: &'static Expr,
        x: &'static Expr,
        index: &'static Expr,
        dst: Option<Slot>,
    ) -> Slot {
        let ti = self.einfo(e);
        let mark = self.alloc.mark();
        let s = match self.c.is_complex(index) {
            true => self.expr(x, None),
            false => self.loose(x),
        };
        let i = self.expr(index, None);
        self.note_index(index, i, 0);
        self.alloc.release(mark);
        let d = self.dst(dst, &ti);
        self.pos = e.pos;
        emit!(self, StrIndex, d, s, i);
        d
    }

    fn unary(&mut self, e: &'static Expr, op: UnOp, x: &'static Expr, dst: Option<Slot>) -> Slot {
        let ti = self.einfo(e);
        match op {
            UnOp::Addr => return self.addr_of(e, x, dst),
            UnOp::Recv => return self.receive(e, x, dst),
            UnOp::Plus => return self.value(x, dst),
            _ => {}
        }
        let mark = self.alloc.mark();
        let a = self.loose(x);
        self.alloc.release(mark);
        let d = self.dst(dst, &ti);
        self.pos = e.pos;
        match (op, ti.repr) {
            (UnOp::Not, _) => emit!(self, NotBool, d, a),
            (UnOp::Neg, Repr::Int(k)) => {
                let form = form_of(Family::Neg, k.form());
                self.put(form, &[d.0.into(), a.0.into()]);
            }
            (UnOp::Neg, Repr::F64) => emit!(self, NegF64, d, a),
            (UnOp::Neg, Repr::F32) => emit!(self, NegF32, d, a),
            (UnOp::Neg, Repr::C128) => emit!(self, NegC128, d, a),
            (UnOp::Neg, _) => emit!(self, NegC64, d, a),
            (_, Repr::Int(k)) => match (k.signed, k.bits) {
                (true, _) | (_, 64) => emit!(self, Not, d, a),
                (_, 32) => emit!(self, NotU32, d, a),
                (_, 16) => emit!(self, NotU16, d, a),
                _ => emit!(self, NotU8, d, a),
            },
            _ => {}
        }
        d
    }

    /// `&x`.
    fn addr_of(&mut self, e: &'static Expr, x: &'static Expr, dst: Option<Slot>) -> Slot {
        let x = x.unparen();
        let d = match dst {
            Some(d) => d,
            None => self.alloc.pointer(),
        };
        let mark = self.alloc.mark();
        if let ExprKind::CompositeLit { .. } = &x.kind {
            let ti = self.einfo(x);
            // Built in place: in a temporary,
            // since the destination may be mentioned in the literal.
            let p = self.alloc.pointer();
            self.pos = e.pos;
            emit!(self, New, p, ti.rtype.layout, ti.size);
            self.composite_at(x, Place::Mem { ptr: p, off: 0 });
            self.alloc.release(mark);
            emit!(self, Mov, d, p);
            self.retarget_last_new(d, p);
            return d;
        }
        let place = self.place(x);
        self.pos = e.pos;
        let p = match place {
            // A boxed variable is never nil; a dereference keeps its check.
            Place::Mem { ptr, off: 0 } if matches!(x.kind, ExprKind::Name(_)) => ptr,
            other => self.address(other),
        };
        self.alloc.release(mark);
        if p != d {
            emit!(self, Mov, d, p);
        }
        d
    }

    /// `New p; Mov d, p` with nothing between becomes `New d`.
    fn retarget_last_new(&mut self, d: Slot, p: Slot) {
        use bytecode::op::Op;
        let n = self.code.len();
        if self.dead || n < 2 || self.last_bound + 1 >= n as u32 {
            return;
        }
        if self.code[n - 2].op == Op::New && self.code[n - 2].args[0] == i64::from(p.0) {
            self.code[n - 2].args[0] = i64::from(d.0);
            self.code.pop();
        }
    }

    /// `x[lo:hi:max]`.
    fn slice_expr(&mut self, e: &'static Expr, dst: Option<Slot>) -> Slot {
        let ExprKind::Slice { x, lo, hi, max, .. } = &e.kind else {
            unreachable!()
        };
        let ti = self.einfo(e);
        let mark = self.alloc.mark();
        let t = self.ty(x);
        let under = self.c.ck.under_type(t).clone();
        let three = max.is_some();
        let words = vec![bytecode::func::Word::Scalar; 2 + usize::from(three)];
        let ix = self.alloc.take_words(&words);
        let indices = [lo, hi, max];
        // The base: a slice or string in slots, or a pointer to an array.
        let (base, len_slot, array_len, stride) = match under {
            Type::Slice(elem) => {
                let s = self.expr(x, None);
                (s, Some(s.plus(1)), 0, self.elem_info(elem).size)
            }
            Type::Pointer(a) => {
                let Type::Array { len, elem } = self.c.ck.under_type(a).clone() else {
                    unreachable!()
                };
                (
                    self.expr(x, None),
                    None,
                    len as u64,
                    self.elem_info(elem).size,
                )
            }
            Type::Array { len, elem } => {
                let place = self.place(x);
                let p = match place {
                    Place::Mem { ptr, off: 0 } => ptr,
                    other => self.address(other),
                };
                (p, None, len as u64, self.elem_info(elem).size)
            }
            _ => {
                let s = self.expr(x, None);
                (s, Some(s.plus(1)), 0, 1)
            }
        };
        for (n, i) in indices.iter().enumerate() {
            let to = ix.plus(n as u32);
            match i {
                Some(i) => {
                    self.expr(i, Some(to));
                    self.note_index(i, ix, n as u32);
                }
                None if n == 0 => emit!(self, Zero, to),
                None if n == 1 => match len_slot {
                    Some(l) => emit!(self, Mov, to, l),
                    None => self.load_imm(to, array_len as i64),
                },
                None => {}
            }
        }
        self.alloc.release(mark);
        let d = self.dst(dst, &ti);
        self.pos = e.pos;
        match (ti.repr, len_slot, three) {
            (Repr::Str, ..) => emit!(self, SliceOfStr, d, base, ix),
            (_, Some(_), false) => emit!(self, SliceOfSlice, d, base, ix, stride),
            (_, Some(_), true) => emit!(self, SliceOfSlice3, d, base, ix, stride),
            (_, None, false) => emit!(self, SliceOfArray, d, base, ix, array_len, stride),
            (_, None, true) => emit!(self, SliceOfArray3, d, base, ix, array_len, stride),
        }
        d
    }

    /// `x.(T)` with one result.
    fn type_assert(&mut self, e: &'static Expr, x: &'static Expr, dst: Option<Slot>) -> Slot {
        let mut t = self.ty(e);
        let mut comma_ok = false;
        if let Type::Tuple(ts) = self.c.ck.types.get(t) {
            (t, comma_ok) = (ts[0], true);
            t = self.subst(t);
        }
        debug_assert!(!comma_ok);
        let ti = self.info(t);
        let from = self.ty(x);
        let mark = self.alloc.mark();
        let s = self.loose(x);
        self.pos = e.pos;
        let src_iface = self.info(from).repr == Repr::Iface;
        match ti.repr {
            Repr::Eface | Repr::Iface => {
                let s = if src_iface {
                    let any = self.info(TypeId::ANY);
                    let a = self.alloc.take(&any);
                    emit!(self, IfaceToEface, a, s);
                    a
                } else {
                    s
                };
                self.alloc.release(mark);
                let d = self.dst(dst, &ti);
                if ti.repr == Repr::Eface {
                    emit!(self, AssertToEface, d, s);
                } else {
                    self.iface_methods_live(t);
                    emit!(self, AssertToIface, d, s, ti.rtype.word());
                }
                d
            }
            _ => {
                let stat = self.info(from).rtype.word();
                if src_iface {
                    emit!(self, AssertTypeIface, s, ti.rtype.word(), stat);
                } else {
                    emit!(self, AssertTypeEface, s, ti.rtype.word(), stat);
                }
                self.alloc.release(mark);
                self.unbox(s, &ti, dst)
            }
        }
    }

    /// Methods of an interface that values are asserted to at run time are called through it.
    pub(super) fn iface_methods_live(&mut self, _t: TypeId) {}

    /// The value of concrete type in the interface at R[s..+2], known to be of that type.
    pub(super) fn unbox(&mut self, s: Slot, ti: &TypeInfo, dst: Option<Slot>) -> Slot {
        let d = self.dst(dst, ti);
        if ti.repr == Repr::Zero {
            return d;
        }
        if ti.is_direct() || ti.repr == Repr::Huge {
            // A huge value's copy is immutable: its address is the value.
            emit!(self, Mov, d, s.plus(1));
        } else {
            self.load_mem(d, s.plus(1), 0, ti);
        }
        d
    }

    /// `<-ch` with one result.
    fn receive(&mut self, e: &'static Expr, x: &'static Expr, dst: Option<Slot>) -> Slot {
        let ti = self.einfo(e);
        let mark = self.alloc.mark();
        let ch = self.loose(x);
        let ch = if ch.is_window() {
            let p = self.alloc.pointer();
            emit!(self, Mov, p, ch);
            p
        } else {
            ch
        };
        self.pos = e.pos;
        // Never straight into the window: receiving may park.
        let to = match dst {
            Some(d) if !d.is_window() && ti.repr != Repr::Huge => d,
            _ => self.alloc.take(&ti),
        };
        self.receive_into(ch, to, Slot::NONE, &ti);
        match dst {
            Some(d) => {
                self.alloc.release(mark);
                self.mov(d, to, &ti);
                d
            }
            None => to,
        }
    }

    /// A huge value travels through a channel as its address (compile::C4); what a closed channel
    /// gives is no address, and becomes a zero value.
    pub(super) fn huge_received(&mut self, to: Slot, ti: &TypeInfo) {
        if ti.repr == Repr::Huge && to != Slot::NONE {
            let there = self.label();
            emit!(self, JumpNeImm, to, 0, there);
            self.zero(to, ti);
            self.bind(there);
        }
    }

    /// R[to..], R[ok] := <-R[ch].
    pub(super) fn receive_into(&mut self, ch: Slot, to: Slot, ok: Slot, ti: &TypeInfo) {
        emit!(self, Recv, to, ch, ok, ti.slots);
        emit!(self, RecvDone, to, ch, ok, ti.slots);
        self.huge_received(to, ti);
        if !ti.is_wide() {
            self.extend_narrow(to, to, ti);
        }
    }
}

/// The slot form of a constant of type `ti`, if that is one word.
pub(super) fn const_bits(v: &ConstValue, ti: &TypeInfo) -> Option<i64> {
    match ti.repr {
        Repr::Int(k) => {
            if let Some(b) = v.as_bool() {
                return Some(i64::from(b));
            }
            Some(k.wrap(v.bits64()? as i64))
        }
        Repr::F64 => Some(v.real().as_f64()?.to_bits() as i64),
        Repr::F32 => Some(i64::from(v.real().as_f32()?.to_bits())),
        Repr::C64 => {
            let (re, im) = (v.real().as_f32()?, v.imag().as_f32()?);
            Some((u64::from(re.to_bits()) | u64::from(im.to_bits()) << 32) as i64)
        }
        Repr::Ptr => Some(v.bits64()? as i64),
        _ => None,
    }
}
