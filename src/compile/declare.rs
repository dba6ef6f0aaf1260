//! Variables: short declarations, `var`, and those of packages.
//!
//! Spec: Variable declarations, Short variable declarations, Package initialization.

use super::Repr;
use super::func::{Fun, Loc, emit};
use super::place::Place;
use source::Pos;
use syntax::ast::{Expr, ExprKind, Stmt, UnOp, VarSpec};
use types::{ObjId, ObjKind, TypeId};

impl Fun<'_> {
    pub(super) fn define(&mut self, s: &'static Stmt, lhs: &'static [Expr], rhs: &'static [Expr]) {
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
            self.list_in_turn(&values, |f| {
                for (i, &(r, t)) in values.iter().enumerate() {
                    let v = f.expr_as(r, t, locs[i]);
                    if let (None, Some(obj)) = (locs[i], new[i]) {
                        boxed.push((obj, v));
                    }
                }
            });
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
            self.assign_tuple(s.pos, &places, &types, &rhs[0]);
        } else {
            let mut values = vec![None; rhs.len()];
            let list: Vec<_> = rhs
                .iter()
                .zip(types.iter().map(|t| t.unwrap_or(TypeId::INVALID)))
                .collect();
            self.list_in_turn(&list, |f| {
                for (i, r) in rhs.iter().enumerate() {
                    match types[i] {
                        Some(t) => {
                            let ti = f.info(t);
                            let v = f.expr_as(r, t, None);
                            values[i] = Some((f.keep(v, &ti), ti));
                        }
                        None => f.discard_value(r),
                    }
                }
            });
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
        if self.is_literal_in_place(obj, r) {
            return;
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
            emit!(self, New, b, ti.rtype.layout, ti.size);
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

    /// Declares a variable whose value `r` is a literal in place.
    fn is_literal_in_place(&mut self, obj: ObjId, r: &'static Expr) -> bool {
        let loc = self.literal_of(obj, r);
        self.vars.extend(loc.map(|loc| (obj, loc)));
        loc.is_some()
    }

    fn is_boxed_or_written(&self, obj: ObjId) -> bool {
        self.is_boxed(obj) || matches!(&self.c.ck.obj(obj).kind, ObjKind::Var(v) if v.reassigned)
    }

    pub(super) fn var_decl(&mut self, v: &'static VarSpec) {
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
        if v.values.len() == objs.len() {
            if let ([Some(obj)], [r]) = (&objs[..], &v.values[..]) {
                let t = self.obj_type(*obj);
                self.define_var(v.pos, *obj, t, r);
                return;
            }
            // Values first: names become visible after.
            let mut list = Vec::with_capacity(v.values.len());
            for (r, obj) in v.values.iter().zip(&objs) {
                let t = match obj {
                    Some(o) => self.obj_type(*o),
                    None => self.ty(r),
                };
                let ti = self.info(t);
                list.push((r, t, self.alloc.take(&ti), ti));
            }
            let values: Vec<_> = list.iter().map(|(r, t, ..)| (*r, *t)).collect();
            self.list_in_turn(&values, |f| {
                for (r, t, d, _) in &list {
                    f.expr_as(r, *t, Some(*d));
                }
            });
            for (obj, (_, _, d, ti)) in objs.into_iter().zip(list) {
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
        self.assign_tuple(v.pos, &places, &types, &v.values[0]);
        self.alloc.release(mark);
        for (obj, loc) in locs.into_iter().flatten() {
            self.vars.insert(obj, loc);
        }
    }

    /// `var v T = r`.
    fn define_var(&mut self, pos: Pos, obj: ObjId, t: TypeId, r: &'static Expr) {
        self.pos = pos;
        let ti = self.info(t);
        if self.c.ck.obj(obj).name.is_blank() {
            let mark = self.alloc.mark();
            self.expr_as(r, t, None);
            self.alloc.release(mark);
            return;
        }
        if self.is_literal_in_place(obj, r) {
            return;
        }
        self.spare_frame(obj, &ti);
        if self.is_boxed(obj) || ti.repr == Repr::Huge {
            let b = self.alloc.pointer();
            let mark = self.alloc.mark();
            let v = self.expr_as(r, t, None);
            emit!(self, New, b, ti.rtype.layout, ti.size);
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

    /// Does computing `e`, of which nobody wants the value, do nothing? Then what only it names
    /// need not be in the program: `var _ I = (*T)(nil)`, `var _ = f`.
    fn is_idle(&self, e: &Expr) -> bool {
        if self.c.ck.info.value_of(e).is_some() || self.c.static_callee(e).is_some() {
            return true;
        }
        match &e.kind {
            ExprKind::Paren(x) => self.is_idle(x),
            ExprKind::Name(_) | ExprKind::FuncLit { .. } => true,
            ExprKind::Selector { .. } => self.c.selection(e).is_none(),
            ExprKind::CompositeLit { elems, .. } => elems.is_empty(),
            ExprKind::Unary { op: UnOp::Addr, x } => {
                matches!(x.unparen().kind, ExprKind::CompositeLit { .. }) && self.is_idle(x)
            }
            // The conversion of a slice to an array can fail.
            ExprKind::Call { fun, args, .. } if self.c.ck.info.is_type(fun) => match &args[..] {
                [x] => {
                    let x = x.unparen();
                    let named = self.c.ck.info.object(x.id);
                    let is_nil =
                        named.is_some_and(|o| matches!(self.c.ck.obj(o).kind, ObjKind::Nil));
                    let is_pointer = match &x.kind {
                        ExprKind::Unary { op, .. } => *op == UnOp::Addr,
                        ExprKind::Call { fun, .. } => {
                            matches!(fun.unparen().kind, ExprKind::Star(_))
                        }
                        _ => false,
                    };
                    is_nil || is_pointer && self.is_idle(x)
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Initialises package-level variables.
    pub(super) fn init_globals(&mut self, lhs: &[ObjId], rhs: &'static Expr) {
        if let [obj] = lhs {
            if self.c.ck.obj(*obj).name.is_blank() && self.is_idle(rhs) {
                return;
            }
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
        self.assign_tuple(rhs.pos, &places, &types, rhs);
    }
}
