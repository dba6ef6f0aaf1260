//! Assignments: of one value and of several at once, with operators, from calls with several
//! results and from expressions that say `ok`.
//!
//! Spec: Assignment statements, IncDec statements.

use super::control::is_blank;
use super::func::{Fun, Loc, emit};
use super::ops::Opd;
use super::place::{Index, Place};
use super::regalloc::Slot;
use super::typeinfo::IntKind;
use super::{Repr, TypeInfo};
use bytecode::op::Family;
use source::Pos;
use syntax::ast::{BinOp, Expr, ExprKind, Stmt};
use types::{ObjId, Type, TypeId};

/// Up to what size of elements Go's maps have functions of their own for keys of a word.
/// Go: cmd/compile/internal/walk/walk.go (mapfast).
const MOST_BESIDE_FAST_KEY: u64 = 128;

/// Up to what offset one instruction updates memory.
const MEM_MAX: u64 = 0x1_0000;

/// How a place is updated.
struct Update {
    /// What it holds, if that has been read.
    read: Option<Slot>,
    /// The type of what it is shifted by.
    count: Option<IntKind>,
    /// What has been taken since may be fused with the operation.
    since: usize,
}

impl Default for Update {
    fn default() -> Update {
        Update {
            read: None,
            count: None,
            since: usize::MAX,
        }
    }
}

impl Fun<'_> {
    pub(super) fn inc_dec(&mut self, s: &'static Stmt, x: &'static Expr, inc: bool) {
        let ti = self.einfo(x);
        let place = self.place(x);
        self.pos = s.pos;
        let place = self.found_once(place);
        let one = match ti.repr {
            Repr::F64 => Opd::K(1f64.to_bits() as i64),
            Repr::F32 => Opd::K(i64::from(1f32.to_bits())),
            Repr::C128 => {
                let one = self.alloc.take(&ti);
                emit!(self, LoadConst2, one, 1f64.to_bits(), 0);
                Opd::S(one)
            }
            Repr::C64 => Opd::K(i64::from(1f32.to_bits())),
            _ => Opd::K(1),
        };
        let op = if inc { BinOp::Add } else { BinOp::Sub };
        self.rmw(place, &ti, op, one, Update::default());
    }

    /// The place of an element of a map as its address, so that it is looked for once; it is made
    /// if absent.
    fn found_once(&mut self, place: Place) -> Place {
        let Place::MapElem { m, key, map } = place else {
            return place;
        };
        let ptr = self.alloc.pointer();
        let word = self.info(map).rtype.word();
        let form = self.map_form(Family::MapAddr, map);
        self.put(form, &[ptr.0.into(), m.0.into(), key.0.into(), word as i64]);
        Place::Mem { ptr, off: 0 }
    }

    /// place := place op b.
    fn update(&mut self, place: Place, ti: &TypeInfo, op: BinOp, b: Opd, how: Update) {
        // A variable is not loaded: what was made just before may be fused.
        let a = match how.read {
            Some(a) => a,
            None => self.load(place, ti, None),
        };
        let d = match place {
            Place::Slot(s) => s,
            _ => self.alloc.take(ti),
        };
        match (op, ti.repr, how.count) {
            (BinOp::Shl | BinOp::Shr, Repr::Int(k), Some(c)) => {
                self.shift(op == BinOp::Shl, k, d, a, b, c)
            }
            _ => self.arith(op, ti, d, Opd::S(a), b, how.since),
        }
        if d != a || !matches!(place, Place::Slot(_)) {
            self.store(place, ti, d);
        }
    }

    pub(super) fn assign_op(
        &mut self,
        s: &'static Stmt,
        op: BinOp,
        lhs: &'static Expr,
        rhs: &'static Expr,
    ) {
        let ti = self.einfo(lhs);
        let since = self.alloc.mark();
        let is_entry = self.is_entry(lhs);
        let divides = matches!(op, BinOp::Div | BinOp::Rem);
        // An entry of a map is looked for, and made, when there is what it is changed by; but
        // where that divides it is looked up first.
        let is_last = is_entry && !divides && !self.keeps_key(lhs);
        let is_whole = !is_entry || !divides || self.has_turn(rhs.unparen());
        let early = is_last || is_whole && self.is_early(lhs, rhs);
        let first = early.then(|| self.operand(rhs, false));
        let place = self.place(lhs);
        let is_read_first = !early
            && self.is_checked(place, lhs)
            && (divides || !is_entry)
            && self.may_fail(rhs)
            && !self.begins_with_check(lhs, rhs)
            && !self.is_checked_already(place);
        let read = match is_read_first {
            true => self.read_first(s, lhs, place, &ti, op),
            false => None,
        };
        // s += a + b + …: one concatenation, in order.
        let b = match first {
            Some(b) => b,
            None => self.operand(rhs, true),
        };
        let count = match self.einfo(rhs).repr {
            Repr::Int(k) if matches!(op, BinOp::Shl | BinOp::Shr) => Some(k),
            _ => None,
        };
        self.pos = s.pos;
        if is_entry && !divides {
            let b = match b {
                Opd::S(s) if s.is_window() => Opd::S(self.keep(s, &ti)),
                other => other,
            };
            let place = self.found_once(place);
            let how = Update {
                count,
                ..Update::default()
            };
            return self.rmw(place, &ti, op, b, how);
        }
        self.rmw(place, &ti, op, b, Update { read, count, since });
    }

    /// Reads what a place holds, or looks whether it is there if one instruction is to update it.
    fn read_first(
        &mut self,
        s: &'static Stmt,
        l: &'static Expr,
        place: Place,
        ti: &TypeInfo,
        op: BinOp,
    ) -> Option<Slot> {
        self.pos = store_pos(s, l);
        if is_fused(ti, op) {
            match place {
                Place::Mem { ptr, off } if off < MEM_MAX => {
                    emit!(self, CheckNil, ptr);
                    return None;
                }
                Place::SliceElem {
                    s,
                    idx: Index::S(i),
                    stride: 8,
                    off: 0,
                } => {
                    emit!(self, CheckElem, s, i);
                    return None;
                }
                _ => {}
            }
        }
        let a = self.load(place, ti, None);
        Some(match a.is_window() {
            true => self.keep(a, ti),
            false => a,
        })
    }

    /// Is the whole of `r` there before the place `l` of `l op= r` is looked at?
    fn is_early(&mut self, l: &'static Expr, r: &'static Expr) -> bool {
        match l.unparen().kind {
            ExprKind::Name(_) => self.is_value_first(l, r),
            _ => self.has_turn(r.unparen()) && !self.c.is_complex(l),
        }
    }

    /// Is `l` an element of a map?
    fn is_entry(&mut self, l: &Expr) -> bool {
        let ExprKind::Index { x, .. } = &l.unparen().kind else {
            return false;
        };
        let t = self.ty(x);
        matches!(self.c.ck.under_type(t), Type::Map { .. })
    }

    /// Is the key of the map's element `l` copied for the map to find, in the order of evaluation?
    pub(super) fn keeps_key(&mut self, l: &Expr) -> bool {
        let ExprKind::Index { x, .. } = &l.unparen().kind else {
            return false;
        };
        let t = self.ty(x);
        if !matches!(self.c.ck.under_type(t), Type::Map { .. }) {
            return false;
        }
        let (key, value) = self.map_types(t);
        let (key, value) = (self.info(key), self.info(value));
        let is_fast = match key.repr {
            Repr::Int(k) => k.bits >= 32,
            repr => matches!(repr, Repr::Ptr | Repr::Str),
        };
        !is_fast || value.size > MOST_BESIDE_FAST_KEY
    }

    /// place op= b, with the fused forms.
    fn rmw(&mut self, place: Place, ti: &TypeInfo, op: BinOp, b: Opd, how: Update) {
        let int64 = matches!(ti.repr, Repr::Int(k) if k.bits == 64);
        let imm = match (op, b) {
            (BinOp::Add, Opd::K(k)) if int64 && i16::try_from(k).is_ok() => Some(k),
            (BinOp::Sub, Opd::K(k)) if int64 => {
                k.checked_neg().filter(|k| i16::try_from(*k).is_ok())
            }
            _ => None,
        };
        let fused = is_fused(ti, op);
        match place {
            Place::Mem { ptr, off } if off < MEM_MAX && fused => {
                if let Some(k) = imm {
                    emit!(self, AddImmToMem, ptr, k, off);
                    return;
                }
                let v = self.in_slot(b);
                match (int64, op) {
                    (true, BinOp::Add) => emit!(self, AddToMem, ptr, v, off),
                    (true, _) => emit!(self, SubFromMem, ptr, v, off),
                    (false, BinOp::Add) => emit!(self, AddF64ToMem, ptr, v, off),
                    (false, _) => emit!(self, SubF64FromMem, ptr, v, off),
                }
            }
            Place::SliceElem {
                s,
                idx: Index::S(i),
                stride: 8,
                off: 0,
            } if fused => {
                if let Some(k) = imm {
                    emit!(self, AddImmToElem, s, i, k);
                    return;
                }
                let v = self.in_slot(b);
                match (int64, op) {
                    (true, BinOp::Add) => emit!(self, AddToElem, s, i, v),
                    (true, _) => emit!(self, SubFromElem, s, i, v),
                    (false, BinOp::Add) => emit!(self, AddF64ToElem, s, i, v),
                    (false, _) => emit!(self, SubF64FromElem, s, i, v),
                }
            }
            _ => self.update(place, ti, op, b, how),
        }
    }

    /// Does the expression mention the variable?
    pub(super) fn mentions(&self, e: &Expr, obj: ObjId) -> bool {
        let mut found = false;
        super::walk::names(e, &mut |id| {
            found |= self.c.ck.info.object(id) == Some(obj);
        });
        found
    }

    /// The local variable that the left side `e` is, if it is in the frame.
    fn local_var(&self, e: &Expr) -> Option<(ObjId, Slot)> {
        let e = e.unparen();
        let ExprKind::Name(_) = e.kind else {
            return None;
        };
        let obj = self.c.ck.info.object(e.id)?;
        match self.vars.get(&obj)? {
            Loc::Slot(s) => Some((obj, *s)),
            _ => None,
        }
    }

    /// May `rhs` be evaluated straight into variable `obj`, being only written at the end?
    pub(super) fn writes_last(&self, rhs: &Expr, obj: ObjId) -> bool {
        let mut x = rhs.unparen();
        loop {
            match &x.kind {
                ExprKind::CompositeLit { .. } => return !self.mentions(x, obj),
                ExprKind::Call { fun, args, .. }
                    if self.c.ck.info.is_type(fun) && args.len() == 1 =>
                {
                    x = args[0].unparen()
                }
                _ => return true,
            }
        }
    }

    pub(super) fn assign(&mut self, s: &'static Stmt, lhs: &'static [Expr], rhs: &'static [Expr]) {
        if let ([l], [r]) = (lhs, rhs) {
            return self.assign_one(s, l, r);
        }
        let assigned = self.assigned_slots(lhs);
        if rhs.len() == 1 {
            let mut values = self.tuple_values(&rhs[0], lhs.len() == 2);
            let is_local = |l: &Expr| is_blank(l) || self.local_var(l).is_some();
            if !lhs.iter().all(is_local) {
                for (v, t) in &mut values {
                    let ti = self.info(*t);
                    if v.is_window() {
                        *v = self.keep(*v, &ti);
                    }
                }
            }
            let places = self.stable_places(lhs, &assigned);
            let types: Vec<Option<TypeId>> = lhs.iter().map(|l| self.lhs_type(l)).collect();
            return self.store_tuple(s.pos, &places, &types, values);
        }
        // In phases: what has to be known before anything is stored, then the stores, each with
        // what remains of its sides.
        let early = self.early_parts(lhs, rhs);
        let mut places: Vec<Option<Place>> = vec![None; lhs.len()];
        let mut values: Vec<Option<Slot>> = vec![None; lhs.len()];
        for (i, (l, r)) in lhs.iter().zip(rhs).enumerate() {
            if early[i].place {
                let place = self.place(l);
                places[i] = Some(self.stabilize(place, &assigned));
            }
            if !early[i].value {
                continue;
            }
            let Some(t) = self.lhs_type(l) else {
                self.discard_value(r);
                continue;
            };
            let ti = self.info(t);
            let v = self.expr_as(r, t, None);
            // A variable that this statement assigns is copied.
            let borrowed = assigned.iter().any(|(a, k)| overlaps(*a, *k, v, ti.slots));
            values[i] = Some(if borrowed { self.keep(v, &ti) } else { v });
        }
        for (i, (l, r)) in lhs.iter().zip(rhs).enumerate() {
            let Some(t) = self.lhs_type(l) else {
                if !early[i].value {
                    self.discard_value(r);
                }
                continue;
            };
            let ti = self.info(t);
            if let (None, Some((obj, slot))) = (values[i], self.local_var(l))
                && self.writes_last(r, obj)
                // Where the value panics, deferred functions must not find it assigned.
                && !self.has_defer
            {
                self.expr_as(r, t, Some(slot));
                continue;
            }
            if values[i].is_none() && self.is_entry(l) && self.may_fail(r) {
                // The entry is there, and zero, when the value panics.
                let place = match places[i] {
                    Some(place) => place,
                    None => self.place(l),
                };
                self.pos = store_pos(s, l);
                self.found_once(place);
                places[i] = Some(place);
            }
            let v = match values[i] {
                Some(v) => v,
                None => self.expr_as(r, t, None),
            };
            let place = match places[i] {
                Some(place) => place,
                None => self.place(l),
            };
            self.pos = store_pos(s, l);
            self.store(place, &ti, v);
        }
    }

    /// The places of left sides, whatever is assigned to the variables in `assigned`.
    fn stable_places(&mut self, lhs: &'static [Expr], assigned: &[(Slot, u32)]) -> Vec<Place> {
        let mut places = Vec::with_capacity(lhs.len());
        for l in lhs {
            let p = self.place(l);
            places.push(self.stabilize(p, assigned));
        }
        places
    }

    pub(super) fn discard_value(&mut self, e: &'static Expr) {
        let mark = self.alloc.mark();
        self.loose(e);
        self.alloc.release(mark);
    }

    /// Slots of frame variables on the left of an assignment.
    pub(super) fn assigned_slots(&mut self, lhs: &'static [Expr]) -> Vec<(Slot, u32)> {
        let mut out = Vec::new();
        for l in lhs {
            let mut x = l.unparen();
            // Fields and elements of a frame variable count as the variable;
            // what a slice leads to does not.
            loop {
                match &x.kind {
                    ExprKind::Selector { x: inner, .. } => x = inner.unparen(),
                    ExprKind::Index { x: inner, .. } => {
                        let t = self.ty(inner);
                        if matches!(self.c.ck.under_type(t), Type::Slice(_)) {
                            break;
                        }
                        x = inner.unparen();
                    }
                    _ => break,
                }
            }
            if let ExprKind::Index { .. } = x.kind {
                continue;
            }
            if let Some((obj, slot)) = self.local_var(x) {
                let ti = self.obj_info(obj);
                out.push((slot, ti.slots));
            }
        }
        out
    }

    /// The type of a left side; `None` for the blank identifier.
    pub(super) fn lhs_type(&mut self, l: &Expr) -> Option<TypeId> {
        let x = l.unparen();
        if let ExprKind::Name(n) = x.kind
            && n.is_blank()
        {
            return None;
        }
        if let ExprKind::Name(_) = x.kind
            && let Some(obj) = self.c.ck.info.object(x.id)
        {
            return Some(self.obj_type(obj));
        }
        Some(self.ty(l))
    }

    pub(super) fn assign_one(&mut self, s: &'static Stmt, l: &'static Expr, r: &'static Expr) {
        let Some(t) = self.lhs_type(l) else {
            return self.discard_value(r);
        };
        let ti = self.info(t);
        if let Some((obj, slot)) = self.local_var(l) {
            if self.writes_last(r, obj) {
                self.expr_as(r, t, Some(slot));
            } else {
                let v = self.expr_as(r, t, None);
                self.mov(slot, v, &ti);
            }
            return;
        }
        let is_entry_last =
            self.is_entry(l) && !self.keeps_key(l) && self.may_fail(l) && self.may_fail(r);
        if is_entry_last || self.is_value_first(l, r) {
            let v = self.expr_as_loose(r, t);
            let place = self.place(l);
            self.pos = store_pos(s, l);
            return self.store(place, &ti, v);
        }
        let place = self.place(l);
        if let Place::Slot(d) = place {
            // A field of a frame variable.
            let v = self.expr_as_loose(r, t);
            self.pos = s.pos;
            self.mov(d, v, &ti);
            return;
        }
        let v = self.expr_as_loose(r, t);
        self.pos = store_pos(s, l);
        match place {
            // Pointer and capacity stay. Go: cmd/compile/internal/ssagen/ssa.go (skipMask).
            Place::Mem { ptr, off } if self.shortens(l, r) => {
                let (len, int) = (Place::Mem { ptr, off: off + 8 }, self.info(TypeId::INT));
                self.store(len, &int, v.plus(1));
            }
            _ => self.store(place, &ti, v),
        }
    }

    /// Is `r` the slice that `l` denotes up to some index, which nothing evaluated meanwhile can
    /// change?
    fn shortens(&mut self, l: &Expr, r: &Expr) -> bool {
        match &r.unparen().kind {
            ExprKind::Slice {
                x,
                lo: None,
                hi: Some(hi),
                max: None,
                ..
            } => {
                let t = self.ty(x);
                matches!(self.c.ck.under_type(t), Type::Slice(_))
                    && !self.c.is_complex(hi)
                    && self.is_same(l, x)
            }
            _ => false,
        }
    }

    /// Do two expressions without calls denote the same variable?
    fn is_same(&self, a: &Expr, b: &Expr) -> bool {
        let (a, b) = (a.unparen(), b.unparen());
        match (&a.kind, &b.kind) {
            (ExprKind::Name(_), ExprKind::Name(_)) => {
                let object = self.c.ck.info.object(a.id);
                object.is_some() && object == self.c.ck.info.object(b.id)
            }
            (ExprKind::Selector { x, sel }, ExprKind::Selector { x: y, sel: other }) => {
                self.c.selection(a).is_some() && sel.name == other.name && self.is_same(x, y)
            }
            (ExprKind::Star(x), ExprKind::Star(y)) => self.is_same(x, y),
            _ => false,
        }
    }

    /// Assigns R[v..], a value of type `t`, to what `e` denotes.
    pub(super) fn assign_slot(&mut self, e: &'static Expr, v: Slot, t: TypeId) {
        let mark = self.alloc.mark();
        let to = self.ty(e);
        let place = self.place(e);
        let (v, ti) = self.assignable(v, t, to);
        self.store(place, &ti, v);
        self.alloc.release(mark);
    }

    /// Assigns the several values of a call or comma-ok form.
    pub(super) fn assign_tuple(
        &mut self,
        pos: Pos,
        places: &[Place],
        types: &[Option<TypeId>],
        r: &'static Expr,
    ) {
        let values = self.tuple_values(r, types.len() == 2);
        self.store_tuple(pos, places, types, values);
    }

    fn store_tuple(
        &mut self,
        pos: Pos,
        places: &[Place],
        types: &[Option<TypeId>],
        values: Vec<(Slot, TypeId)>,
    ) {
        self.pos = pos;
        for (i, (v, t)) in values.into_iter().enumerate() {
            let Some(Some(to)) = types.get(i).copied() else {
                continue;
            };
            let (v, ti) = self.assignable(v, t, to);
            self.store(places[i], &ti, v);
        }
    }

    /// The values of a call with several results or of a comma-ok form, perhaps in the window.
    pub(super) fn tuple_values(&mut self, r: &'static Expr, want_ok: bool) -> Vec<(Slot, TypeId)> {
        let r = r.unparen();
        if let Some(types) = self.tuple_of(r) {
            let results = self.call(r, None);
            return types
                .into_iter()
                .zip(results)
                .map(|(t, s)| {
                    let slots = self.info(t).slots;
                    (if slots == 0 { Slot::NONE } else { s }, t)
                })
                .collect();
        }
        let mut t = self.ty(r);
        let mut ok_type = TypeId::BOOL;
        if let Type::Tuple(ts) = self.c.ck.types.get(t).clone() {
            t = self.subst(ts[0]);
            ok_type = self.subst(ts[1]);
        }
        let ti = self.info(t);
        debug_assert!(want_ok);
        let v = self.alloc.take(&ti);
        let ok = self.alloc.scalar();
        match &r.kind {
            ExprKind::Index { .. } => {
                let place = self.place(r);
                self.pos = r.pos;
                self.load_map_ok(place, &ti, v, ok);
            }
            ExprKind::Unary { x, .. } => {
                let ch = self.expr(x, None);
                self.pos = r.pos;
                self.receive_into(ch, v, ok, &ti);
            }
            ExprKind::TypeAssert { x, .. } => self.assert_ok(r, x, t, v, ok),
            _ => self.unsupported(r.pos, "internal: several values"),
        }
        vec![(v, t), (ok, ok_type)]
    }

    /// `v, ok = x.(T)`.
    fn assert_ok(&mut self, e: &'static Expr, x: &'static Expr, t: TypeId, v: Slot, ok: Slot) {
        let from = self.ty(x);
        let fi = self.info(from);
        let s = self.expr(x, None);
        self.pos = e.pos;
        self.assert_value(s, &fi, t, v, ok);
    }

    /// R[v..], R[ok] := the interface at R[s..+2] as a `t`, the zero value if it is none.
    pub(super) fn assert_value(&mut self, s: Slot, fi: &TypeInfo, t: TypeId, v: Slot, ok: Slot) {
        let ti = self.info(t);
        let src_iface = fi.repr == Repr::Iface;
        match ti.repr {
            Repr::Eface => {
                if src_iface {
                    emit!(self, IfaceToEface, v, s);
                } else {
                    self.mov(v, s, &ti);
                }
                emit!(self, NeImm, ok, s, 0);
            }
            Repr::Iface => {
                let any = self.info(TypeId::ANY);
                let s = if src_iface {
                    let a = self.alloc.take(&any);
                    emit!(self, IfaceToEface, a, s);
                    a
                } else {
                    s
                };
                emit!(self, AssertToIfaceOk, v, s, ok, ti.rtype.word());
            }
            _ => {
                let w0 = if src_iface {
                    let w = self.alloc.scalar();
                    emit!(self, ItabType, w, s);
                    w
                } else {
                    s
                };
                let (no, out) = (self.label(), self.label());
                emit!(self, JumpNeType, w0, no, ti.rtype.word());
                self.unbox(s, &ti, Some(v));
                emit!(self, LoadImm, ok, 1);
                self.jump(out);
                self.bind(no);
                self.zero(v, &ti);
                emit!(self, LoadImm, ok, 0);
                self.bind(out);
            }
        }
    }
}

pub(super) fn overlaps(a: Slot, n: u32, b: Slot, m: u32) -> bool {
    a != Slot::NONE && b != Slot::NONE && a.0 < b.0 + m && b.0 < a.0 + n
}

/// Are there instructions that update memory with the operator?
fn is_fused(ti: &TypeInfo, op: BinOp) -> bool {
    let is_wide = matches!(ti.repr, Repr::Int(k) if k.bits == 64) || ti.repr == Repr::F64;
    is_wide && matches!(op, BinOp::Add | BinOp::Sub)
}

/// Where a store to `l` panics, if it does:
/// an index out of range at the index, anything else at the statement.
fn store_pos(s: &Stmt, l: &Expr) -> Pos {
    let l = l.unparen();
    if matches!(l.kind, ExprKind::Index { .. }) {
        l.pos
    } else {
        s.pos
    }
}
