//! Statements, but for loops and switches.
//!
//! Spec: Statements, Declarations and scope.

use super::func::{Fun, Loc, emit};
use super::ops::Opd;
use super::place::{Index, Place};
use super::regalloc::Slot;
use super::{Repr, TypeInfo};
use crate::ast::{BinOp, Block, Decl, Expr, ExprKind, Stmt, StmtKind, VarSpec};
use crate::source::Pos;
use crate::types::{ObjId, ObjKind, Type, TypeId};
use std::rc::Rc;

/// What a function body contains.
#[derive(Clone, Copy, Default)]
pub(super) struct Scan {
    pub has_defer: bool,
    pub may_collect: bool,
    /// A `range` whose operand may be a function (decided by type later).
    pub has_range_func: bool,
}

/// Looks through a body, function literals left out.
pub(super) fn scan_body(f: &Fun<'_>, b: &'static Block) -> Scan {
    let mut s = Scan {
        may_collect: true,
        ..Scan::default()
    };
    scan_stmts(f, &b.stmts, &mut s);
    s
}

fn scan_stmts(f: &Fun<'_>, stmts: &'static [Stmt], s: &mut Scan) {
    for st in stmts {
        scan_stmt(f, st, s);
    }
}

fn scan_stmt(f: &Fun<'_>, st: &'static Stmt, s: &mut Scan) {
    match &st.kind {
        StmtKind::Defer(_) => s.has_defer = true,
        StmtKind::Block(b) => scan_stmts(f, &b.stmts, s),
        StmtKind::If(i) => {
            let mut i = i;
            loop {
                scan_stmts(f, &i.then.stmts, s);
                match i.els.as_ref().map(|e| &e.kind) {
                    Some(StmtKind::If(next)) => i = next,
                    Some(StmtKind::Block(b)) => {
                        scan_stmts(f, &b.stmts, s);
                        break;
                    }
                    _ => break,
                }
            }
        }
        StmtKind::Switch(w) => w.cases.iter().for_each(|c| scan_stmts(f, &c.body, s)),
        StmtKind::TypeSwitch(w) => w.cases.iter().for_each(|c| scan_stmts(f, &c.body, s)),
        StmtKind::Select { cases, .. } => cases.iter().for_each(|c| scan_stmts(f, &c.body, s)),
        StmtKind::For(l) => scan_stmts(f, &l.body.stmts, s),
        StmtKind::Range(r) => {
            let t = f.c.ck.info.type_of(&r.x);
            let func =
                matches!(f.c.ck.under_type(t), Type::Signature(_)) || f.c.ck.is_type_param(t);
            if func {
                s.has_range_func = true;
            }
            scan_stmts(f, &r.body.stmts, s);
        }
        StmtKind::Labeled { stmt, .. } => scan_stmt(f, stmt, s),
        _ => {}
    }
}

impl Fun<'_> {
    /// Statements in a scope of their own.
    pub(super) fn block(&mut self, b: &'static Block) {
        self.stmts(&b.stmts);
    }

    pub(super) fn stmts(&mut self, stmts: &'static [Stmt]) {
        let mark = self.alloc.mark();
        for s in stmts {
            self.stmt(s);
        }
        self.alloc.release(mark);
    }

    pub(super) fn stmt(&mut self, s: &'static Stmt) {
        if crate::nesting::is_low() {
            return self.unsupported(s.pos, "statement nested this deeply");
        }
        self.pos = s.pos;
        match &s.kind {
            StmtKind::Empty => {}
            StmtKind::Expr(e) => self.temps(|f| f.discard(e)),
            StmtKind::Send { chan, value } => self.temps(|f| f.send(s, chan, value)),
            StmtKind::IncDec { x, inc } => self.temps(|f| f.inc_dec(s, x, *inc)),
            StmtKind::Assign {
                op: Some(op),
                lhs,
                rhs,
            } => self.temps(|f| f.assign_op(s, *op, &lhs[0], &rhs[0])),
            StmtKind::Assign { op: None, lhs, rhs } => self.temps(|f| f.assign(s, lhs, rhs)),
            StmtKind::Define { lhs, rhs } => self.define(s, lhs, rhs),
            StmtKind::Go(e) => self.temps(|f| {
                let clo = f.call_thunk(e, true);
                f.pos = s.pos;
                emit!(f, Go, clo);
            }),
            StmtKind::Defer(e) => self.temps(|f| {
                let clo = f.call_thunk(e, false);
                f.pos = s.pos;
                if f.yield_exits.is_some() {
                    f.defer_in_range_body(clo);
                } else {
                    emit!(f, Defer, clo);
                }
            }),
            StmtKind::Return(values) => self.return_stmt(s, values),
            StmtKind::Break(l) => self.break_stmt(l.map(|l| l.name)),
            StmtKind::Continue(l) => self.continue_stmt(l.map(|l| l.name)),
            StmtKind::Goto(l) => self.goto_stmt(l.name),
            StmtKind::Fallthrough => self.fallthrough_stmt(),
            StmtKind::Block(b) => self.block(b),
            StmtKind::If(_) => self.if_stmt(s),
            StmtKind::Switch(w) => self.switch_stmt(w),
            StmtKind::TypeSwitch(w) => self.type_switch(w),
            StmtKind::Select { cases, .. } => self.select_stmt(s, cases),
            StmtKind::For(l) => self.for_stmt(l),
            StmtKind::Range(r) => self.range_stmt(s, r),
            StmtKind::Labeled { label, stmt } => self.labeled(label.name, stmt),
            StmtKind::Decl(decls) => {
                for d in decls {
                    if let Decl::Var(v) = d {
                        self.var_decl(v);
                    }
                }
            }
        }
    }

    /// Runs `f`, then gives its temporaries back.
    pub(super) fn temps<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> R {
        let mark = self.alloc.mark();
        let r = f(self);
        self.alloc.release(mark);
        r
    }

    /// Evaluates an expression statement.
    fn discard(&mut self, e: &'static Expr) {
        let x = e.unparen();
        if let ExprKind::Call { fun, .. } = &x.kind
            && !self.c.ck.info.is_type(fun)
            && self.builtin_of(fun).is_none()
        {
            self.call(x, None);
            return;
        }
        if let ExprKind::Unary {
            op: crate::ast::UnOp::Recv,
            x: ch,
        } = &x.kind
        {
            let c = self.expr(ch, None);
            self.pos = x.pos;
            emit!(self, Recv, Slot::NONE, c, Slot::NONE, 0);
            emit!(self, RecvDone, Slot::NONE, c, Slot::NONE, 0);
            return;
        }
        self.loose(e);
    }

    fn send(&mut self, s: &'static Stmt, chan: &'static Expr, value: &'static Expr) {
        let t = self.ty(chan);
        let elem = match self.c.ck.under_type(t).clone() {
            Type::Chan { elem, .. } => self.subst(elem),
            _ => return,
        };
        let c = self.expr(chan, None);
        let v = self.expr_as(value, elem, None);
        self.pos = s.pos;
        let ei = self.info(elem);
        // A value without size: any slot will do.
        let v = if v == Slot::NONE { Slot::fixed(0) } else { v };
        emit!(self, Send, c, v, ei.slots);
        emit!(self, SendDone, c, v, ei.slots);
    }

    fn inc_dec(&mut self, s: &'static Stmt, x: &'static Expr, inc: bool) {
        let ti = self.einfo(x);
        let place = self.place(x);
        self.pos = s.pos;
        if let Repr::Int(k) = ti.repr
            && k.bits == 64
        {
            let by: i64 = if inc { 1 } else { -1 };
            match place {
                Place::Mem { ptr, off } if off < 0x1_0000 => {
                    emit!(self, RmwAddImm, ptr, by, off);
                    return;
                }
                Place::SliceElem {
                    s,
                    idx: Index::S(i),
                    stride: 8,
                    off: 0,
                } => {
                    emit!(self, SRmwAddImm, s, i, by);
                    return;
                }
                _ => {}
            }
        }
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
        self.update(place, &ti, op, one, None, usize::MAX);
    }

    /// place := place op b.
    fn update(
        &mut self,
        place: Place,
        ti: &TypeInfo,
        op: BinOp,
        b: Opd,
        count: Option<super::typeinfo::IntKind>,
        since: usize,
    ) {
        // A variable is not loaded: what was made just before may be fused.
        let a = self.load(place, ti, None);
        let d = match place {
            Place::Slot(s) => s,
            _ => self.alloc.take(ti),
        };
        match (op, ti.repr, count) {
            (BinOp::Shl | BinOp::Shr, Repr::Int(k), Some(c)) => {
                self.shift(op == BinOp::Shl, k, d, a, b, c)
            }
            _ => self.arith(op, ti, d, Opd::S(a), b, since),
        }
        if d != a || !matches!(place, Place::Slot(_)) {
            self.store(place, ti, d);
        }
    }

    fn assign_op(&mut self, s: &'static Stmt, op: BinOp, lhs: &'static Expr, rhs: &'static Expr) {
        let ti = self.einfo(lhs);
        let since = self.alloc.mark();
        // A right side with calls goes first, as Go's compiler does it.
        let early = self.c.is_complex(rhs) && !self.c.is_complex(lhs);
        let first = if early {
            Some(self.operand(rhs, false))
        } else {
            None
        };
        let place = self.place(lhs);
        let shift = matches!(op, BinOp::Shl | BinOp::Shr);
        // s += a + b + …: one concatenation, in order.
        let b = match first {
            Some(b) => b,
            None => self.operand(rhs, true),
        };
        let count = if shift {
            match self.einfo(rhs).repr {
                Repr::Int(k) => Some(k),
                _ => None,
            }
        } else {
            None
        };
        self.pos = s.pos;
        if let (Place::MapElem { m, key, map }, true) = (place, may_not_fail(op, &ti)) {
            // One look-up: the address of the element, inserted if absent.
            let b = match b {
                Opd::S(s) if s.is_window() => Opd::S(self.keep(s, &ti)),
                other => other,
            };
            let p = self.alloc.pointer();
            let word = self.info(map).rtype.word();
            let form = self.map_form(crate::bytecode::op::Op::MapAddr, map);
            self.put(form, &[p.0.into(), m.0.into(), key.0.into(), word as i64]);
            self.rmw(Place::Mem { ptr: p, off: 0 }, &ti, op, b, count, usize::MAX);
            return;
        }
        self.rmw(place, &ti, op, b, count, since);
    }

    /// place op= b, with the fused forms.
    fn rmw(
        &mut self,
        place: Place,
        ti: &TypeInfo,
        op: BinOp,
        b: Opd,
        count: Option<super::typeinfo::IntKind>,
        since: usize,
    ) {
        let int64 = matches!(ti.repr, Repr::Int(k) if k.bits == 64);
        let imm = match (op, b) {
            (BinOp::Add, Opd::K(k)) if int64 && i16::try_from(k).is_ok() => Some(k),
            (BinOp::Sub, Opd::K(k)) if int64 && i16::try_from(-k).is_ok() => Some(-k),
            _ => None,
        };
        let fused = (int64 || ti.repr == Repr::F64) && matches!(op, BinOp::Add | BinOp::Sub);
        match place {
            Place::Mem { ptr, off } if off < 0x1_0000 && fused => {
                if let Some(k) = imm {
                    emit!(self, RmwAddImm, ptr, k, off);
                    return;
                }
                let v = self.in_slot(b);
                match (int64, op) {
                    (true, BinOp::Add) => emit!(self, RmwAdd, ptr, v, off),
                    (true, _) => emit!(self, RmwSub, ptr, v, off),
                    (false, BinOp::Add) => emit!(self, RmwAddF64, ptr, v, off),
                    (false, _) => emit!(self, RmwSubF64, ptr, v, off),
                }
            }
            Place::SliceElem {
                s,
                idx: Index::S(i),
                stride: 8,
                off: 0,
            } if fused => {
                if let Some(k) = imm {
                    emit!(self, SRmwAddImm, s, i, k);
                    return;
                }
                let v = self.in_slot(b);
                match (int64, op) {
                    (true, BinOp::Add) => emit!(self, SRmwAdd, s, i, v),
                    (true, _) => emit!(self, SRmwSub, s, i, v),
                    (false, BinOp::Add) => emit!(self, SRmwAddF64, s, i, v),
                    (false, _) => emit!(self, SRmwSubF64, s, i, v),
                }
            }
            _ => self.update(place, ti, op, b, count, since),
        }
    }

    /// Does the expression mention the variable?
    fn mentions(&self, e: &Expr, obj: ObjId) -> bool {
        let mut found = false;
        walk_names(e, &mut |id| {
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
    fn writes_last(&self, rhs: &Expr, obj: ObjId) -> bool {
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

    fn assign(&mut self, s: &'static Stmt, lhs: &'static [Expr], rhs: &'static [Expr]) {
        if let ([l], [r]) = (lhs, rhs) {
            return self.assign_one(s, l, r);
        }
        if rhs.len() == 1 {
            let places: Vec<Place> = lhs.iter().map(|l| self.place(l)).collect();
            let lt: Vec<Option<TypeId>> = lhs.iter().map(|l| self.lhs_type(l)).collect();
            let assigned = self.assigned_slots(lhs);
            let places: Vec<Place> = places
                .into_iter()
                .map(|p| self.stabilize(p, &assigned))
                .collect();
            return self.assign_tuple(s, &places, &lt, &rhs[0]);
        }
        // In phases: operands of the left sides, right sides, then the stores from left to right.
        let assigned = self.assigned_slots(lhs);
        let mut places = Vec::new();
        for l in lhs {
            let p = self.place(l);
            places.push(self.stabilize(p, &assigned));
        }
        let n = lhs.len();
        let mut values: Vec<Option<(Slot, Rc<TypeInfo>)>> = Vec::with_capacity(n);
        // Values with calls first, as Go's compiler does it.
        let mut early = Vec::new();
        for (l, r) in lhs.iter().zip(rhs) {
            let t = self.lhs_type(l).filter(|_| self.c.is_complex(r));
            early.push(t.map(|t| self.expr_as(r, t, None)));
        }
        for (i, r) in rhs.iter().enumerate() {
            let Some(t) = self.lhs_type(&lhs[i]) else {
                self.discard_value(r);
                values.push(None);
                continue;
            };
            let ti = self.info(t);
            if let Some(v) = early[i] {
                values.push(Some((v, ti)));
                continue;
            }
            // Straight into a local that nothing evaluated later reads.
            if let Some((obj, slot)) = self.local_var(&lhs[i])
                && self.writes_last(r, obj)
                // A later panic must not find it assigned.
                && (!self.has_defer || i + 1 == n)
                && rhs[i + 1..].iter().all(|later| !self.mentions(later, obj))
                && !values
                    .iter()
                    .flatten()
                    .any(|(s, vi)| overlaps(*s, vi.slots, slot, ti.slots))
                && lhs[i + 1..]
                    .iter()
                    .all(|l| self.local_var(l).is_none_or(|(o, _)| o != obj))
            {
                self.expr_as(r, t, Some(slot));
                values.push(None);
                continue;
            }
            let v = self.expr_as(r, t, None);
            // A variable that this statement assigns is copied.
            let borrowed = assigned.iter().any(|(a, k)| overlaps(*a, *k, v, ti.slots));
            let v = if borrowed { self.keep(v, &ti) } else { v };
            values.push(Some((v, ti)));
        }
        for ((p, l), v) in places.into_iter().zip(lhs).zip(values) {
            if let Some((v, ti)) = v {
                self.pos = store_pos(s, l);
                self.store(p, &ti, v);
            }
        }
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
            // Fields and elements of a frame variable count as the variable; what a slice leads to does not.
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
    fn lhs_type(&mut self, l: &Expr) -> Option<TypeId> {
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

    fn assign_one(&mut self, s: &'static Stmt, l: &'static Expr, r: &'static Expr) {
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
        if self.c.is_complex(r) && !self.c.is_complex(l) {
            let v = self.expr_as(r, t, None);
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
        self.store(place, &ti, v);
    }

    /// Assigns the several values of a call or comma-ok form.
    pub(super) fn assign_tuple(
        &mut self,
        s: &'static Stmt,
        places: &[Place],
        types: &[Option<TypeId>],
        r: &'static Expr,
    ) {
        let values = self.tuple_values(r, types.len() == 2);
        self.pos = s.pos;
        for (i, (v, t)) in values.into_iter().enumerate() {
            let Some(Some(to)) = types.get(i).copied() else {
                continue;
            };
            let ti = self.info(to);
            let v = if self.c.ck.is_interface(to) && !self.c.ck.identical(t, to) {
                self.make_iface(v, t, to, None)
            } else {
                v
            };
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
                    emit!(self, ToEface, v, s);
                } else {
                    self.mov(v, s, &ti);
                }
                emit!(self, NeImm, ok, s, 0);
            }
            Repr::Iface => {
                let any = self.info(TypeId::ANY);
                let s = if src_iface {
                    let a = self.alloc.take(&any);
                    emit!(self, ToEface, a, s);
                    a
                } else {
                    s
                };
                emit!(self, AssertIface2, v, s, ok, ti.rtype.word());
            }
            _ => {
                let w0 = if src_iface {
                    let w = self.alloc.scalar();
                    emit!(self, ItabTyp, w, s);
                    w
                } else {
                    s
                };
                let (no, out) = (self.label(), self.label());
                emit!(self, JNeK, w0, no, ti.rtype.word());
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

    fn define(&mut self, s: &'static Stmt, lhs: &'static [Expr], rhs: &'static [Expr]) {
        // One new variable: straight into its slot.
        if let ([l], [r]) = (lhs, rhs) {
            let Some(&obj) = self.c.ck.info.defs.get(&l.id) else {
                return self.temps(|f| f.assign_one(s, l, r));
            };
            self.define_one(s, obj, r);
            return;
        }
        let new: Vec<Option<ObjId>> = lhs
            .iter()
            .map(|l| self.c.ck.info.defs.get(&l.id).copied())
            .collect();
        if rhs.len() == lhs.len() && new.iter().all(Option::is_some) {
            // All new: none is visible on the right, so each may be evaluated into its place.
            let mut locs = Vec::new();
            for obj in new.iter().flatten() {
                let ti = self.obj_info(*obj);
                self.spare_frame(*obj, &ti);
                let t = if ti.repr != Repr::Huge && !self.is_boxed(*obj) {
                    Some(self.alloc.take(&ti))
                } else {
                    None
                };
                locs.push(t);
            }
            let mut boxed = Vec::new();
            let mut values = Vec::with_capacity(rhs.len());
            for (obj, r) in new.iter().flatten().zip(rhs) {
                values.push((r, self.obj_type(*obj)));
            }
            for i in self.evaluation_order(&values) {
                let (r, t) = values[i];
                let v = self.expr_as(r, t, locs[i]);
                if let (None, Some(obj)) = (locs[i], new[i]) {
                    boxed.push((obj, v));
                }
            }
            for (obj, v) in boxed {
                let ti = self.obj_info(obj);
                let loc = self.declare(obj);
                self.store_loc(loc, &ti, v);
            }
            for (obj, slot) in new.iter().flatten().zip(locs) {
                if let Some(s) = slot {
                    self.vars.insert(*obj, Loc::Slot(s));
                }
            }
            return;
        }
        // Mixed: the values first, then the new variables, then the stores.
        let types: Vec<Option<TypeId>> = lhs
            .iter()
            .zip(&new)
            .map(|(l, n)| match n {
                Some(obj) if !self.c.ck.obj(*obj).name.is_blank() => Some(self.obj_type(*obj)),
                Some(_) => None,
                None => self.lhs_type(l),
            })
            .collect();
        let mut pending = Vec::new();
        for (i, n) in new.iter().enumerate() {
            if let Some(obj) = n {
                let loc = self.declare_hidden(*obj);
                pending.push((i, *obj, loc));
            }
        }
        let mark = self.alloc.mark();
        let mut places: Vec<Place> = Vec::new();
        for (i, l) in lhs.iter().enumerate() {
            let place = match pending.iter().find(|p| p.0 == i) {
                Some((_, _, Loc::Slot(s))) => Place::Slot(*s),
                Some((_, _, Loc::Box(b))) => Place::Mem { ptr: *b, off: 0 },
                _ => self.place(l),
            };
            places.push(place);
        }
        if rhs.len() == 1 {
            self.assign_tuple(s, &places, &types, &rhs[0]);
        } else {
            let mut values = vec![None; rhs.len()];
            let list: Vec<_> = rhs
                .iter()
                .zip(types.iter().map(|t| t.unwrap_or(TypeId::INVALID)))
                .collect();
            for i in self.evaluation_order(&list) {
                match types[i] {
                    Some(t) => {
                        let ti = self.info(t);
                        let v = self.expr_as(&rhs[i], t, None);
                        values[i] = Some((self.keep(v, &ti), ti));
                    }
                    None => self.discard_value(&rhs[i]),
                }
            }
            for (p, v) in places.iter().zip(values) {
                if let Some((v, ti)) = v {
                    self.store(*p, &ti, v);
                }
            }
        }
        self.alloc.release(mark);
        for (_, obj, loc) in pending {
            self.vars.insert(obj, loc);
        }
    }

    /// Room for a new variable that is not visible yet.
    fn declare_hidden(&mut self, obj: ObjId) -> Loc {
        let before = self.vars.get(&obj).copied();
        let loc = self.declare(obj);
        match before {
            Some(b) => self.vars.insert(obj, b),
            None => self.vars.remove(&obj),
        };
        loc
    }

    /// `v := r`.
    fn define_one(&mut self, s: &'static Stmt, obj: ObjId, r: &'static Expr) {
        let t = self.obj_type(obj);
        let ti = self.info(t);
        if self.c.ck.obj(obj).name.is_blank() {
            return self.discard_value(r);
        }
        self.spare_frame(obj, &ti);
        if ti.repr == Repr::Huge && !self.is_boxed_or_written(obj) {
            // Never changed: the value's memory is the variable's.
            let b = self.alloc.pointer();
            let mark = self.alloc.mark();
            let v = self.expr_as(r, t, None);
            self.mov_n(b, v, 1);
            self.alloc.release(mark);
            self.vars.insert(obj, Loc::Box(b));
            return;
        }
        if self.is_boxed(obj) || ti.repr == Repr::Huge {
            let b = self.alloc.pointer();
            let mark = self.alloc.mark();
            let v = self.expr_as(r, t, None);
            self.pos = s.pos;
            emit!(self, New, b, ti.size_layout());
            self.store_mem(b, 0, &ti, v);
            self.alloc.release(mark);
            self.vars.insert(obj, Loc::Box(b));
            return;
        }
        let slot = self.alloc.take(&ti);
        let mark = self.alloc.mark();
        self.expr_as(r, t, Some(slot));
        self.alloc.release(mark);
        self.vars.insert(obj, Loc::Slot(slot));
    }

    fn is_boxed_or_written(&self, obj: ObjId) -> bool {
        self.is_boxed(obj) || matches!(&self.c.ck.obj(obj).kind, ObjKind::Var(v) if v.reassigned)
    }

    fn var_decl(&mut self, v: &'static VarSpec) {
        self.pos = v.pos;
        let objs: Vec<Option<ObjId>> = v
            .names
            .iter()
            .map(|n| self.c.ck.info.defs.get(&n.id).copied())
            .collect();
        if v.values.is_empty() {
            for obj in objs.into_iter().flatten() {
                if self.c.ck.obj(obj).name.is_blank() {
                    continue;
                }
                let ti = self.obj_info(obj);
                if let Loc::Slot(s) = self.declare(obj) {
                    self.zero(s, &ti);
                }
            }
            return;
        }
        let s = VarStmt { pos: v.pos };
        if v.values.len() == objs.len() {
            if let ([Some(obj)], [r]) = (&objs[..], &v.values[..]) {
                let t = self.obj_type(*obj);
                self.define_var(s, *obj, t, r);
                return;
            }
            // Values first: names become visible after.
            let mark_values: Vec<_> = v
                .values
                .iter()
                .zip(&objs)
                .map(|(r, obj)| {
                    let t = match obj {
                        Some(o) => self.obj_type(*o),
                        None => self.ty(r),
                    };
                    let ti = self.info(t);
                    let d = self.alloc.take(&ti);
                    self.expr_as(r, t, Some(d));
                    (d, ti)
                })
                .collect();
            for (obj, (d, ti)) in objs.into_iter().zip(mark_values) {
                let Some(obj) = obj else { continue };
                if self.is_boxed(obj) {
                    let loc = self.declare(obj);
                    self.store_loc(loc, &ti, d);
                } else if ti.repr == Repr::Huge {
                    self.vars.insert(obj, Loc::Box(d));
                } else {
                    self.vars.insert(obj, Loc::Slot(d));
                }
            }
            return;
        }
        let locs: Vec<Option<(ObjId, Loc)>> = objs
            .iter()
            .map(|o| o.map(|obj| (obj, self.declare_hidden(obj))))
            .collect();
        let places: Vec<Place> = locs
            .iter()
            .map(|l| match l {
                Some((_, Loc::Slot(s))) => Place::Slot(*s),
                Some((_, Loc::Box(b))) => Place::Mem { ptr: *b, off: 0 },
                _ => Place::Blank,
            })
            .collect();
        let types: Vec<Option<TypeId>> = objs
            .iter()
            .map(|o| o.map(|obj| self.obj_type(obj)))
            .collect();
        let mark = self.alloc.mark();
        self.assign_tuple_at(v.pos, &places, &types, &v.values[0]);
        self.alloc.release(mark);
        for (obj, loc) in locs.into_iter().flatten() {
            self.vars.insert(obj, loc);
        }
    }

    fn assign_tuple_at(
        &mut self,
        pos: crate::source::Pos,
        places: &[Place],
        types: &[Option<TypeId>],
        r: &'static Expr,
    ) {
        let values = self.tuple_values(r, types.len() == 2);
        self.pos = pos;
        for (i, (v, t)) in values.into_iter().enumerate() {
            let Some(Some(to)) = types.get(i).copied() else {
                continue;
            };
            let ti = self.info(to);
            let v = if self.c.ck.is_interface(to) && !self.c.ck.identical(t, to) {
                self.make_iface(v, t, to, None)
            } else {
                v
            };
            self.store(places[i], &ti, v);
        }
    }

    /// `var v T = r`.
    fn define_var(&mut self, s: VarStmt, obj: ObjId, t: TypeId, r: &'static Expr) {
        self.pos = s.pos;
        let ti = self.info(t);
        if self.c.ck.obj(obj).name.is_blank() {
            let mark = self.alloc.mark();
            self.expr_as(r, t, None);
            self.alloc.release(mark);
            return;
        }
        self.spare_frame(obj, &ti);
        if self.is_boxed(obj) || ti.repr == Repr::Huge {
            let b = self.alloc.pointer();
            let mark = self.alloc.mark();
            let v = self.expr_as(r, t, None);
            emit!(self, New, b, ti.size_layout());
            self.store_mem(b, 0, &ti, v);
            self.alloc.release(mark);
            self.vars.insert(obj, Loc::Box(b));
        } else {
            let slot = self.alloc.take(&ti);
            let mark = self.alloc.mark();
            self.expr_as(r, t, Some(slot));
            self.alloc.release(mark);
            self.vars.insert(obj, Loc::Slot(slot));
        }
    }

    /// Initialises package-level variables.
    pub(super) fn init_globals(&mut self, lhs: &[ObjId], rhs: &'static Expr) {
        if let [obj] = lhs {
            let t = self.obj_type(*obj);
            let ti = self.info(t);
            let v = self.expr_as(rhs, t, None);
            if !self.c.ck.obj(*obj).name.is_blank() {
                let at = self.c.global(*obj) as u64;
                self.store(Place::Abs(at), &ti, v);
            }
            return;
        }
        let places: Vec<Place> = lhs
            .iter()
            .map(|o| {
                if self.c.ck.obj(*o).name.is_blank() {
                    Place::Blank
                } else {
                    Place::Abs(self.c.global(*o) as u64)
                }
            })
            .collect();
        let types: Vec<Option<TypeId>> = lhs.iter().map(|o| Some(self.obj_type(*o))).collect();
        self.assign_tuple_at(rhs.pos, &places, &types, rhs);
    }

    // Return.

    fn return_stmt(&mut self, s: &'static Stmt, values: &'static [Expr]) {
        if self.yield_exits.is_some() {
            return self.return_from_range_body(s, values);
        }
        self.set_results(s.pos, values);
        self.pos = s.pos;
        if self.has_defer {
            self.return_after_defers();
        } else {
            self.finish_return();
        }
    }

    /// Evaluates the operands of a return statement to the results' places.
    pub(super) fn set_results(&mut self, pos: crate::source::Pos, values: &'static [Expr]) {
        let results = self.results.clone();
        if values.is_empty() || results.is_empty() {
            return;
        }
        let mark = self.alloc.mark();
        let types: Vec<TypeId> = results
            .iter()
            .map(|r| match r.obj {
                Some(o) => self.obj_type(o),
                None => r.ti.ty,
            })
            .collect();
        if values.len() == 1 && results.len() > 1 {
            let values = self.tuple_values(&values[0], false);
            for ((v, t), (r, to)) in values.into_iter().zip(results.iter().zip(&types)) {
                let v = if self.c.ck.is_interface(*to) && !self.c.ck.identical(t, *to) {
                    self.make_iface(v, t, *to, None)
                } else {
                    v
                };
                self.store_result(r, v);
            }
        } else if let ([v], [r], [t]) = (values, &results[..], &types[..]) {
            match self.result_place(r) {
                Place::Slot(d) if r.ti.repr != Repr::Huge && self.result_writes_last(r, v) => {
                    self.expr_as(v, *t, Some(d));
                }
                _ => {
                    let v = self.expr_as_loose(v, *t);
                    self.pos = pos;
                    self.store_result(r, v);
                }
            }
        } else {
            // Straight into the result slots when nothing that comes later can see or lose them.
            let direct = !self.has_defer
                && results.iter().all(|r| {
                    let slot = r.obj.and_then(|o| self.vars.get(&o));
                    !self.is_named(r)
                        && r.ti.repr != Repr::Huge
                        && !matches!(slot, Some(Loc::Box(_)))
                })
                && !values.iter().any(|v| self.c.is_complex(v));
            let mut slots = vec![Slot::NONE; values.len()];
            let list: Vec<_> = values.iter().zip(types.iter().copied()).collect();
            for i in self.evaluation_order(&list) {
                let ((v, t), r) = (list[i], &results[i]);
                if direct {
                    let d = if r.ti.slots == 0 { Slot::NONE } else { r.slot };
                    self.expr_as(v, t, Some(d));
                    continue;
                }
                let s = self.expr_as(v, t, None);
                // A result variable may be assigned before this is stored.
                let is_result = |s: Slot| {
                    results
                        .iter()
                        .any(|r| overlaps(r.slot, r.ti.slots, s, r.ti.slots.max(1)))
                };
                let s = if s != Slot::NONE && (s.area() == super::regalloc::FIXED || is_result(s)) {
                    self.keep(s, &r.ti)
                } else {
                    s
                };
                slots[i] = s;
            }
            self.pos = pos;
            if !direct {
                for (r, s) in results.iter().zip(slots) {
                    self.store_result(r, s);
                }
            }
        }
        self.alloc.release(mark);
    }

    fn is_named(&self, r: &super::func::ResultVar) -> bool {
        r.obj.is_some_and(|o| {
            let name = self.c.ck.obj(o).name.as_str();
            !name.is_empty() && name != "_"
        })
    }

    fn result_writes_last(&self, r: &super::func::ResultVar, v: &Expr) -> bool {
        // In functions that defer, an unfinished value must not be seen by a recovery.
        let lit = matches!(v.unparen().kind, ExprKind::CompositeLit { .. });
        if lit && self.has_defer {
            return false;
        }
        r.obj
            .is_none_or(|o| !self.is_named(r) || self.writes_last(v, o))
    }

    /// Where a result is kept while the function runs.
    fn result_place(&mut self, r: &super::func::ResultVar) -> Place {
        match r.obj.and_then(|o| self.vars.get(&o).copied()) {
            Some(Loc::Box(b)) => Place::Mem { ptr: b, off: 0 },
            Some(Loc::Slot(s)) => Place::Slot(s),
            _ => Place::Slot(if r.ti.slots == 0 { Slot::NONE } else { r.slot }),
        }
    }

    fn store_result(&mut self, r: &super::func::ResultVar, v: Slot) {
        let boxed = r
            .obj
            .is_some_and(|o| matches!(self.vars.get(&o), Some(Loc::Box(_))));
        if r.ti.repr == Repr::Huge && !boxed {
            self.mov_n(r.slot, v, 1);
            return;
        }
        let place = self.result_place(r);
        self.store(place, &r.ti, v);
    }

    /// Runs the deferred calls, then returns.
    pub(super) fn return_after_defers(&mut self) {
        self.win_max = self.win_max.max(1);
        emit!(self, Nop);
        emit!(self, RunDefers, Slot::window(0));
        self.finish_return();
    }

    /// Copies boxed results to their slots and returns.
    pub(super) fn finish_return(&mut self) {
        if self.has_defer
            && self
                .code
                .last()
                .is_none_or(|i| i.op != crate::bytecode::op::Op::RunDefers)
        {
            // The end of a body.
            self.win_max = self.win_max.max(1);
            // A return address is looked up one byte before: there must be an instruction of this line.
            emit!(self, Nop);
            emit!(self, RunDefers, Slot::window(0));
        }
        for r in self.results.clone() {
            let Some(Loc::Box(b)) = r.obj.and_then(|o| self.vars.get(&o).copied()) else {
                continue;
            };
            if r.ti.repr == Repr::Huge {
                if b != r.slot {
                    let mark = self.alloc.mark();
                    let fresh = self.alloc.pointer();
                    emit!(self, New, fresh, r.ti.size_layout());
                    emit!(self, CopyTyped, fresh, b, r.ti.size_layout());
                    emit!(self, Mov, r.slot, fresh);
                    self.alloc.release(mark);
                }
            } else if r.ti.slots > 0 {
                self.load_mem(r.slot, b, 0, &r.ti);
            }
        }
        self.emit_ret();
    }

    /// The return instruction; a move or constant just before it is fused.
    fn emit_ret(&mut self) {
        use crate::bytecode::op::Op;
        if let Some(end) = self.end_of_inlined() {
            return self.jump(end);
        }
        let at = self.code.len() as u32;
        if !self.dead
            && let Some(last) = self.code.last().copied()
            && last.args[0] == i64::from(Slot::fixed(0).0)
            && self.last_bound != at
        {
            match last.op {
                Op::Mov => {
                    self.code.pop();
                    self.put(Op::RetMov, &[last.args[1]]);
                    return;
                }
                Op::LoadImm => {
                    self.code.pop();
                    self.put(Op::RetImm, &[last.args[1]]);
                    return;
                }
                _ => {}
            }
        }
        emit!(self, Ret);
    }
}

/// The position of a var declaration.
#[derive(Clone, Copy)]
struct VarStmt {
    pos: crate::source::Pos,
}

pub(super) fn overlaps(a: Slot, n: u32, b: Slot, m: u32) -> bool {
    a != Slot::NONE && b != Slot::NONE && a.0 < b.0 + m && b.0 < a.0 + n
}

/// Can the operator neither panic nor call?
fn may_not_fail(op: BinOp, ti: &TypeInfo) -> bool {
    match op {
        BinOp::Div | BinOp::Rem => matches!(ti.repr, Repr::F64 | Repr::F32),
        BinOp::Shl | BinOp::Shr => false,
        _ => true,
    }
}

/// Calls `f` with the id of every name in the expression, function literals included (their bodies by their captures only).
pub(super) fn walk_names(e: &Expr, f: &mut dyn FnMut(crate::ast::NodeId)) {
    use ExprKind as E;
    let mut e = e;
    loop {
        match &e.kind {
            E::Name(_) => return f(e.id),
            E::Paren(x)
            | E::Star(x)
            | E::Unary { x, .. }
            | E::TypeAssert { x, .. }
            | E::Selector { x, .. } => e = x,
            E::KeyValue { key, value } => {
                walk_names(key, f);
                e = value;
            }
            E::CompositeLit { elems, .. } => return elems.iter().for_each(|x| walk_names(x, f)),
            E::Index { x, indices } => {
                indices.iter().for_each(|i| walk_names(i, f));
                e = x;
            }
            E::Slice { x, lo, hi, max, .. } => {
                [lo, hi, max]
                    .into_iter()
                    .flatten()
                    .for_each(|i| walk_names(i, f));
                e = x;
            }
            E::Call { fun, args, .. } => {
                args.iter().for_each(|a| walk_names(a, f));
                e = fun;
            }
            E::Binary { x, y, .. } => {
                walk_names(y, f);
                e = x;
            }
            E::FuncLit { body, .. } => {
                let _ = body;
                return;
            }
            _ => return,
        }
    }
}

/// Where a store to `l` panics, if it does: an index out of range at the index, anything else at the statement.
fn store_pos(s: &Stmt, l: &Expr) -> Pos {
    let l = l.unparen();
    if matches!(l.kind, ExprKind::Index { .. }) {
        l.pos
    } else {
        s.pos
    }
}
