//! Branches, loops, switches and jumps.
//!
//! A loop tests its condition once before it begins and then at its bottom, so that a trip costs
//! one jump; incrementing a local and comparing it is one instruction. A variable of a `for` clause
//! that is captured gets a new box for each iteration.
//!
//! Spec: If, Switch, For, Break, Continue, Goto, Fallthrough statements.

use super::func::{Fun, Label, Loc, emit};
use super::ops::Opd;
use super::place::{Index, Place};
use super::regalloc::Slot;
use super::typeinfo::IntKind;
use super::{Repr, TypeInfo};
use bytecode::abi;
use source::Pos;
use std::rc::Rc;
use syntax::ast::{
    BinOp, CaseClause, Expr, ExprKind, ForStmt, RangeStmt, Stmt, StmtKind, SwitchStmt, Symbol,
    TypeSwitchStmt,
};
use types::{Mode, ObjId, ObjKind, Type, TypeId, version};

/// From how many integer cases on a switch is searched by halves.
const SEARCH_FROM: usize = 6;

/// A statement that break or continue may name.
pub(super) struct Control {
    pub label: Option<Symbol>,
    pub(crate) brk: Label,
    /// Of loops only.
    pub cont: Option<Label>,
    /// Of a switch clause: the next clause's body.
    pub fall: Option<Label>,
}

impl Fun<'_> {
    fn enter(&mut self, brk: Label, cont: Option<Label>) {
        let label = self.pending_label.take();
        self.controls.push(Control {
            label,
            brk,
            cont,
            fall: None,
        });
    }

    pub(super) fn labeled(&mut self, name: Symbol, s: &'static Stmt) {
        let l = self.goto_label(name);
        self.bind(l);
        self.pending_label = Some(name);
        self.stmt(s);
        self.pending_label = None;
    }

    fn goto_label(&mut self, name: Symbol) -> Label {
        if let Some(&l) = self.gotos.get(&name) {
            return l;
        }
        let l = self.label();
        self.gotos.insert(name, l);
        l
    }

    pub(super) fn goto_stmt(&mut self, name: Symbol) {
        if self.yield_exits.is_some() && self.leaves_range_body_goto(name) {
            return;
        }
        let l = self.goto_label(name);
        self.jump(l);
    }

    pub(super) fn break_stmt(&mut self, label: Option<Symbol>) {
        let target = self
            .controls
            .iter()
            .rev()
            .find(|c| label.is_none() || c.label == label)
            .map(|c| c.brk);
        match target {
            Some(l) => self.jump(l),
            None => self.leave_range_body(label, false),
        }
    }

    pub(super) fn continue_stmt(&mut self, label: Option<Symbol>) {
        let target = self
            .controls
            .iter()
            .rev()
            .find(|c| c.cont.is_some() && (label.is_none() || c.label == label))
            .and_then(|c| c.cont);
        match target {
            Some(l) => self.jump(l),
            None => self.leave_range_body(label, true),
        }
    }

    pub(super) fn fallthrough_stmt(&mut self) {
        if let Some(l) = self.controls.last().and_then(|c| c.fall) {
            self.jump(l);
        }
    }

    // If.

    pub(super) fn if_stmt(&mut self, s: &'static Stmt) {
        let end = self.label();
        let mut s = s;
        let mark = self.alloc.mark();
        // A chain of else-ifs in a loop.
        while let StmtKind::If(i) = &s.kind {
            if let Some(init) = &i.init {
                self.stmt(init);
            }
            let no = self.label();
            self.pos = s.pos;
            self.cond(&i.cond, no, false);
            self.block(&i.then);
            match &i.els {
                None => {
                    self.bind(no);
                    break;
                }
                Some(e) => {
                    self.jump(end);
                    self.bind_live(no);
                    if let StmtKind::If(_) = e.kind {
                        s = e;
                    } else {
                        self.stmt(e);
                        break;
                    }
                }
            }
        }
        self.alloc.release(mark);
        self.bind(end);
    }

    /// Binds a label; where nothing jumps to it and control does not get here,
    /// what follows is dead.
    fn bind_live(&mut self, l: Label) {
        let was_dead = self.dead;
        self.bind(l);
        if was_dead && !self.is_target(l) {
            self.dead = true;
        }
    }

    /// Does an instruction before this one jump to the label?
    fn is_target(&self, l: Label) -> bool {
        self.targets[l.0 as usize]
    }

    // For.

    pub(super) fn for_stmt(&mut self, l: &'static ForStmt) {
        let mark = self.alloc.mark();
        let label = self.pending_label.take();
        let mut vars = Vec::new();
        if let Some(init) = &l.init {
            self.stmt(init);
            if let StmtKind::Define { lhs, .. } = &init.kind {
                vars = lhs
                    .iter()
                    .filter_map(|x| self.c.ck.info.defs.get(&x.id).copied())
                    .collect();
            }
        }
        self.pending_label = label;
        let (body, cont, end) = (self.label(), self.label(), self.label());
        self.enter(end, Some(cont));
        let simple = l.cond.as_ref().is_none_or(|c| !self.c.is_complex(c));
        let test = self.label();
        match &l.cond {
            Some(c) if simple => self.cond(c, end, false),
            // The jumps to the body are still to come.
            Some(_) if !self.dead => {
                self.jump(test);
                self.dead = false;
            }
            _ => {}
        }
        self.bind_live(body);
        self.block(&l.body);
        self.bind(cont);
        if self.has_own_vars(l.body.pos) {
            self.renew_boxes(&vars);
        }
        let fused = simple && self.fused_step(l, body);
        if !fused {
            if let Some(post) = &l.post {
                self.stmt(post);
            }
            self.bind(test);
            match &l.cond {
                Some(c) => self.cond(c, body, true),
                None => self.jump(body),
            }
        } else {
            self.bind(test);
        }
        self.controls.pop();
        self.bind(end);
        self.alloc.release(mark);
    }

    /// Have the iterations of a loop variables of their own?
    fn has_own_vars(&self, at: Pos) -> bool {
        self.c.ck.versions.allows(at, version::LOOP_VARS)
    }

    /// The variables of a range clause that all iterations share,
    /// where pointers or closures can tell.
    fn declare_shared(&mut self, r: &RangeStmt) {
        if self.has_own_vars(r.range_pos) {
            return;
        }
        for e in [&r.key, &r.value] {
            if let Some(obj) = self.range_var(r, e.as_ref())
                && self.is_boxed(obj)
            {
                self.declare(obj);
            }
        }
    }

    /// Where this iteration's value of a variable of a range clause goes.
    fn loop_var(&mut self, r: &RangeStmt, obj: ObjId) -> Loc {
        match self.vars.get(&obj) {
            Some(&shared @ Loc::Box(_))
                if !self.has_own_vars(r.range_pos) && self.is_boxed(obj) =>
            {
                shared
            }
            _ => self.declare(obj),
        }
    }

    /// New boxes with the old values for a loop's captured variables.
    fn renew_boxes(&mut self, vars: &[ObjId]) {
        for &v in vars {
            let Some(Loc::Box(b)) = self.vars.get(&v).copied() else {
                continue;
            };
            let ti = self.obj_info(v);
            let mark = self.alloc.mark();
            let fresh = self.alloc.pointer();
            emit!(self, New, fresh, ti.rtype.layout, ti.size);
            emit!(self, CopyTyped, fresh, b, ti.rtype.layout, ti.size);
            emit!(self, Mov, b, fresh);
            self.alloc.release(mark);
        }
    }

    /// The frame slot of a variable of a 64-bit signed integer type.
    fn int_local(&mut self, e: &Expr) -> Option<(ObjId, Slot)> {
        let e = e.unparen();
        let ExprKind::Name(_) = e.kind else {
            return None;
        };
        let obj = self.c.ck.info.object(e.id)?;
        let Some(Loc::Slot(s)) = self.vars.get(&obj).copied() else {
            return None;
        };
        let ti = self.obj_info(obj);
        (ti.repr
            == Repr::Int(IntKind {
                bits: 64,
                signed: true,
            }))
        .then_some((obj, s))
    }

    /// `i++` (or `i += k`) and `i < n` at the bottom of a loop in one instruction.
    fn fused_step(&mut self, l: &'static ForStmt, body: Label) -> bool {
        let (Some(post), Some(cond)) = (&l.post, &l.cond) else {
            return false;
        };
        let ExprKind::Binary { op, x, y } = &cond.unparen().kind else {
            return false;
        };
        let Some((obj, i)) = self.int_local(x) else {
            return false;
        };
        enum Step {
            Inc,
            Dec,
            By(Slot),
        }
        let step = match &post.kind {
            StmtKind::IncDec { x, inc } if self.int_local(x).is_some_and(|(o, _)| o == obj) => {
                if *inc {
                    Step::Inc
                } else {
                    Step::Dec
                }
            }
            StmtKind::Assign {
                op: Some(BinOp::Add),
                lhs,
                rhs,
            } if self.int_local(&lhs[0]).is_some_and(|(o, _)| o == obj) => {
                match self.int_local(&rhs[0]) {
                    Some((o, s)) if o != obj => Step::By(s),
                    _ => return false,
                }
            }
            _ => return false,
        };
        let mut mentioned = false;
        super::walk::names(y, &mut |id| {
            mentioned |= self.c.ck.info.object(id) == Some(obj)
        });
        if mentioned {
            return false;
        }
        let mark = self.alloc.mark();
        self.pos = post.pos;
        let n = match self.const_word(y) {
            Some(k) => Opd::K(k),
            None => Opd::S(self.expr(y, None)),
        };
        let done = match (step, op, n) {
            (Step::Inc, BinOp::Lt, Opd::K(k)) if i16::try_from(k).is_ok() => {
                emit!(self, IncLoopLtImm, i, k, body);
                true
            }
            (Step::Inc, BinOp::Le, Opd::K(k)) if i16::try_from(k).is_ok() => {
                emit!(self, IncLoopLeImm, i, k, body);
                true
            }
            (Step::Inc, BinOp::Lt, Opd::K(k)) => {
                emit!(self, IncLoopLtConst, i, body, k);
                true
            }
            (Step::Inc, BinOp::Le, Opd::K(k)) => {
                emit!(self, IncLoopLeConst, i, body, k);
                true
            }
            (Step::Inc, BinOp::Lt, Opd::S(n)) => {
                emit!(self, IncLoopLt, i, n, body);
                true
            }
            (Step::Inc, BinOp::Le, Opd::S(n)) => {
                emit!(self, IncLoopLe, i, n, body);
                true
            }
            (Step::Dec, BinOp::Gt, Opd::K(k)) if i16::try_from(k).is_ok() => {
                emit!(self, DecLoopGtImm, i, k, body);
                true
            }
            (Step::Dec, BinOp::Ge, Opd::K(k)) if i16::try_from(k).is_ok() => {
                emit!(self, DecLoopGeImm, i, k, body);
                true
            }
            (Step::By(s), BinOp::Lt, Opd::S(n)) => {
                emit!(self, AddLoopLt, i, s, body, n);
                true
            }
            (Step::By(s), BinOp::Le, Opd::S(n)) => {
                emit!(self, AddLoopLe, i, s, body, n);
                true
            }
            _ => false,
        };
        self.alloc.release(mark);
        done
    }

    // Range.

    pub(super) fn range_stmt(&mut self, s: &'static Stmt, r: &'static RangeStmt) {
        let t = self.ty(&r.x);
        let core = self.c.ck.under_type(t).clone();
        let mark = self.alloc.mark();
        self.declare_shared(r);
        match core {
            Type::Signature(_) => self.range_func(s, r),
            Type::Basic(_) if self.c.ck.is_string(t) => self.range_string(r),
            Type::Basic(_) => self.range_int(r),
            Type::Slice(elem) => {
                let ei = self.elem_info(elem);
                let base = self.range_operand(&r.x, true);
                self.range_indexed(r, Opd::S(base.plus(1)), &ei, |_, i| Place::SliceElem {
                    s: base,
                    idx: Index::S(i),
                    stride: 0,
                    off: 0,
                });
            }
            Type::Array { len, elem } => {
                let ei = self.elem_info(elem);
                let wants_value = r.value.as_ref().is_some_and(|v| !is_blank(v));
                let place = if wants_value {
                    self.range_array(&r.x)
                } else {
                    if self.c.is_complex(&r.x) {
                        self.discard_value(&r.x);
                    }
                    Place::Blank
                };
                let stride = ei.clone();
                self.range_indexed(r, Opd::K(len), &ei, move |f, i| {
                    f.elem_place(place, i, len as u64, &stride)
                });
            }
            Type::Pointer(a) => {
                let Type::Array { len, elem } = self.c.ck.under_type(a).clone() else {
                    return;
                };
                let ei = self.elem_info(elem);
                let ptr = self.range_operand(&r.x, false);
                let stride = ei.clone();
                self.range_indexed(r, Opd::K(len), &ei, move |f, i| {
                    f.elem_place(Place::Mem { ptr, off: 0 }, i, len as u64, &stride)
                });
            }
            Type::Map { .. } => self.range_map(r, t),
            Type::Chan { elem, .. } => {
                let elem = self.subst(elem);
                self.range_chan(r, elem);
            }
            _ => self.unsupported(s.pos, "range over this type"),
        }
        self.alloc.release(mark);
    }

    /// The operand of a range, in slots that the body does not change.
    fn range_operand(&mut self, x: &'static Expr, _slice: bool) -> Slot {
        let ti = self.einfo(x);
        let s = self.expr(x, None);
        if let ExprKind::Name(_) = x.unparen().kind
            && let Some(obj) = self.c.ck.info.object(x.unparen().id)
            && let ObjKind::Var(v) = &self.c.ck.obj(obj).kind
            && v.reassigned
            && let Some(Loc::Slot(own)) = self.vars.get(&obj)
            && *own == s
        {
            return self.keep(s, &ti);
        }
        if matches!(
            x.unparen().kind,
            ExprKind::Selector { .. } | ExprKind::Index { .. }
        ) {
            // Perhaps a field of a frame variable.
            return self.keep(s, &ti);
        }
        s
    }

    /// The place of an array that is ranged over with its values: a copy unless nothing changes it.
    fn range_array(&mut self, x: &'static Expr) -> Place {
        let ti = self.einfo(x);
        let place = self.place(x);
        if let ExprKind::Name(_) = x.unparen().kind
            && let Some(obj) = self.c.ck.info.object(x.unparen().id)
            && let ObjKind::Var(v) = &self.c.ck.obj(obj).kind
            && !v.reassigned
            && !v.address_taken
            && !v.is_global
        {
            return place;
        }
        let copy = self.alloc.take(&ti);
        self.load(place, &ti, Some(copy));
        if ti.repr == Repr::Huge {
            Place::Mem { ptr: copy, off: 0 }
        } else {
            Place::Slot(copy)
        }
    }

    /// The variable that a range clause declares, unless blank.
    fn range_var(&self, r: &RangeStmt, e: Option<&Expr>) -> Option<ObjId> {
        let e = e?;
        if !r.define || is_blank(e) {
            return None;
        }
        self.c.ck.info.defs.get(&e.id).copied()
    }

    /// May the declared variable itself be the loop's counter?
    fn is_counter(&mut self, obj: ObjId) -> bool {
        let written = matches!(&self.c.ck.obj(obj).kind, ObjKind::Var(v) if v.reassigned);
        !written && !self.is_boxed(obj)
    }

    /// Gives a key or value of this iteration to its variable or place.
    fn give(&mut self, r: &'static RangeStmt, e: Option<&'static Expr>, v: Slot, t: TypeId) {
        let Some(e) = e else { return };
        if is_blank(e) {
            return;
        }
        let ti = self.info(t);
        if r.define {
            let Some(&obj) = self.c.ck.info.defs.get(&e.id) else {
                return;
            };
            if let Some(Loc::Slot(s)) = self.vars.get(&obj)
                && *s == v
            {
                return;
            }
            let loc = self.loop_var(r, obj);
            self.store_loc(loc, &ti, v);
        } else {
            self.assign_slot(e, v, t);
        }
    }

    fn range_int(&mut self, r: &'static RangeStmt) {
        let t = match &r.key {
            Some(k) if !is_blank(k) => match self.range_var(r, Some(k)) {
                Some(obj) => self.obj_type(obj),
                None => self.ty(k),
            },
            _ => self.ty(&r.x),
        };
        let ti = self.info(t);
        let Repr::Int(kind) = ti.repr else { return };
        let n = match self.const_word(&r.x) {
            Some(k) => Opd::K(k),
            None => {
                let n = self.alloc.scalar();
                self.expr(&r.x, Some(n));
                Opd::S(n)
            }
        };
        self.counted(r, n, kind, &ti, |_, _| {});
    }

    /// A loop with a counter from 0 to n; `each` gives the other values.
    fn counted(
        &mut self,
        r: &'static RangeStmt,
        n: Opd,
        kind: IntKind,
        ti: &Rc<TypeInfo>,
        each: impl FnOnce(&mut Self, Slot),
    ) {
        let i = self.alloc.scalar();
        let (body, cont, end) = (self.label(), self.label(), self.label());
        self.enter(end, Some(cont));
        emit!(self, Zero, i);
        self.pos = r.range_pos;
        match n {
            Opd::K(k) if k > 0 => {}
            _ => self.branch_int(BinOp::Ge, kind, Opd::S(i), n, end),
        }
        self.bind_live(body);
        let mark = self.alloc.mark();
        if let Some(obj) = self.range_var(r, r.key.as_ref())
            && self.is_counter(obj)
        {
            self.vars.insert(obj, Loc::Slot(i));
        } else if r.define || r.value.is_none() {
            self.give(r, r.key.as_ref(), i, ti.ty);
        }
        each(self, i);
        self.block(&r.body);
        self.alloc.release(mark);
        self.bind(cont);
        self.pos = r.range_pos;
        if kind.bits == 64 && kind.signed {
            match n {
                Opd::K(k) if i16::try_from(k).is_ok() => emit!(self, IncLoopLtImm, i, k, body),
                Opd::K(k) => emit!(self, IncLoopLtConst, i, body, k),
                Opd::S(n) => emit!(self, IncLoopLt, i, n, body),
            }
        } else {
            emit!(self, AddImm, i, i, 1);
            self.branch_int(BinOp::Lt, IntKind { bits: 64, ..kind }, Opd::S(i), n, body);
        }
        self.controls.pop();
        self.bind(end);
    }

    /// Slices and arrays.
    fn range_indexed(
        &mut self,
        r: &'static RangeStmt,
        n: Opd,
        ei: &Rc<TypeInfo>,
        element: impl FnOnce(&mut Self, Slot) -> Place,
    ) {
        let int = self.info(TypeId::INT);
        if n == Opd::K(0) {
            return;
        }
        let ei = ei.clone();
        self.counted(
            r,
            n,
            IntKind {
                bits: 64,
                signed: true,
            },
            &int,
            move |f, i| {
                let Some(v) = r.value.as_ref() else { return };
                if is_blank(v) {
                    if !r.define {
                        f.give(r, r.key.as_ref(), i, TypeId::INT);
                    }
                    return;
                }
                let mut place = element(f, i);
                if let Place::SliceElem { stride, .. } = &mut place {
                    *stride = ei.size;
                }
                if let Some(obj) = f.range_var(r, Some(v))
                    && !f.is_boxed(obj)
                    && ei.repr != Repr::Huge
                {
                    let slot = f.alloc.take(&ei);
                    let mark = f.alloc.mark();
                    f.load(place, &ei, Some(slot));
                    f.alloc.release(mark);
                    f.vars.insert(obj, Loc::Slot(slot));
                    return;
                }
                let mark = f.alloc.mark();
                if r.define {
                    // The variable outlives the temporaries.
                    let Some(&obj) = f.c.ck.info.defs.get(&v.id) else {
                        return;
                    };
                    let loc = f.loop_var(r, obj);
                    let inner = f.alloc.mark();
                    let s = f.load(place, &ei, None);
                    f.store_loc(loc, &ei, s);
                    f.alloc.release(inner);
                } else {
                    let s = f.load(place, &ei, None);
                    f.give_both(r, (i, TypeId::INT), (s, ei.ty));
                    f.alloc.release(mark);
                }
            },
        );
    }

    fn range_string(&mut self, r: &'static RangeStmt) {
        let s = self.range_operand(&r.x, false);
        let (next, i, rune) = (
            self.alloc.scalar(),
            self.alloc.scalar(),
            self.alloc.scalar(),
        );
        let (body, cont, end) = (self.label(), self.label(), self.label());
        self.enter(end, Some(cont));
        emit!(self, Zero, next);
        emit!(self, JumpLe, s.plus(1), next, end);
        self.bind_live(body);
        self.pos = r.range_pos;
        emit!(self, Mov, i, next);
        emit!(self, StrNext, next, s, rune);
        let mark = self.alloc.mark();
        self.give_or_use_both(r, (i, TypeId::INT), (rune, TypeId::RUNE));
        self.block(&r.body);
        self.alloc.release(mark);
        self.bind(cont);
        emit!(self, JumpLt, next, s.plus(1), body);
        self.controls.pop();
        self.bind(end);
    }

    fn give_or_use_both(&mut self, r: &'static RangeStmt, k: (Slot, TypeId), v: (Slot, TypeId)) {
        if r.define {
            self.give_or_use(r, r.key.as_ref(), k.0, k.1);
            self.give_or_use(r, r.value.as_ref(), v.0, v.1);
        } else {
            self.give_both(r, k, v);
        }
    }

    /// Assigns key and value to places that are found before either is written.
    pub(super) fn give_both(
        &mut self,
        r: &'static RangeStmt,
        k: (Slot, TypeId),
        v: (Slot, TypeId),
    ) {
        let mark = self.alloc.mark();
        let sides: Vec<(&'static Expr, (Slot, TypeId))> = [(&r.key, k), (&r.value, v)]
            .into_iter()
            .filter_map(|(e, x)| e.as_ref().filter(|e| !is_blank(e)).map(|e| (e, x)))
            .collect();
        let assigned: Vec<(Slot, u32)> = sides
            .iter()
            .flat_map(|(e, _)| self.assigned_slots(std::slice::from_ref(*e)))
            .collect();
        let places: Vec<Place> = sides
            .iter()
            .map(|(e, _)| {
                let p = self.place(e);
                self.stabilize(p, &assigned)
            })
            .collect();
        for ((e, (s, t)), place) in sides.into_iter().zip(places) {
            let to = self.ty(e);
            let (s, ti) = self.assignable(s, t, to);
            self.store(place, &ti, s);
        }
        self.alloc.release(mark);
    }

    /// As `give`; a variable that may be the slot itself becomes it.
    fn give_or_use(&mut self, r: &'static RangeStmt, e: Option<&'static Expr>, v: Slot, t: TypeId) {
        if let Some(obj) = self.range_var(r, e)
            && !self.is_boxed(obj)
            && self.info(t).repr != Repr::Huge
        {
            self.vars.insert(obj, Loc::Slot(v));
            return;
        }
        self.give(r, e, v, t);
    }

    fn range_map(&mut self, r: &'static RangeStmt, t: TypeId) {
        let (kt, vt) = self.map_types(t);
        let (ki, vi) = (self.info(kt), self.info(vt));
        let m = self.range_operand(&r.x, false);
        let it = self.alloc.take_words(&abi::MAP_ITER);
        let wanted = |e: &Option<Expr>| e.as_ref().is_some_and(|e| !is_blank(e));
        let k = if wanted(&r.key) {
            self.alloc.take(&ki)
        } else {
            Slot::NONE
        };
        let v = if wanted(&r.value) {
            self.alloc.take(&vi)
        } else {
            Slot::NONE
        };
        let word = self.info(t).rtype.word();
        let (next, end) = (self.label(), self.label());
        self.enter(end, Some(next));
        self.pos = r.range_pos;
        emit!(self, MapIter, it, m, word);
        self.bind_live(next);
        emit!(self, MapNext, it, k, v, word, end);
        let mark = self.alloc.mark();
        self.give_or_use_both(r, (k, kt), (v, vt));
        self.block(&r.body);
        self.alloc.release(mark);
        self.jump(next);
        self.controls.pop();
        self.bind(end);
    }

    fn range_chan(&mut self, r: &'static RangeStmt, elem: TypeId) {
        let ei = self.info(elem);
        let ch = self.range_operand(&r.x, false);
        let v = self.alloc.take(&ei);
        let ok = self.alloc.scalar();
        let (next, end) = (self.label(), self.label());
        self.enter(end, Some(next));
        self.bind_live(next);
        self.pos = r.range_pos;
        self.receive_into(ch, v, ok, &ei);
        self.jump_if(ok, end, false);
        let mark = self.alloc.mark();
        self.give_or_use(r, r.key.as_ref(), v, elem);
        self.block(&r.body);
        self.alloc.release(mark);
        self.jump(next);
        self.controls.pop();
        self.bind(end);
    }

    // Switch.

    pub(super) fn switch_stmt(&mut self, w: &'static SwitchStmt) {
        let mark = self.alloc.mark();
        let label = self.pending_label.take();
        if let Some(init) = &w.init {
            self.stmt(init);
        }
        self.pending_label = label;
        let end = self.label();
        self.enter(end, None);
        let bodies: Vec<Label> = w.cases.iter().map(|_| self.label()).collect();
        let default = w
            .cases
            .iter()
            .position(|c| c.is_default)
            .map_or(end, |i| bodies[i]);
        match &w.tag {
            Some(tag) => {
                let tag = tag.unparen();
                let ti = self.einfo(tag);
                let s = self.expr(tag, None);
                if !self.search_cases(w, s, &ti, &bodies, default) {
                    // The tag is evaluated once.
                    self.overrides.insert(tag.id, s);
                    for (c, body) in w.cases.iter().zip(&bodies) {
                        for e in &c.exprs {
                            self.pos = e.pos;
                            self.case_branch(tag, e, *body);
                        }
                    }
                    self.overrides.remove(&tag.id);
                    self.jump(default);
                }
            }
            None => {
                for (c, body) in w.cases.iter().zip(&bodies) {
                    for e in &c.exprs {
                        self.pos = e.pos;
                        let inner = self.alloc.mark();
                        self.cond(e, *body, true);
                        self.alloc.release(inner);
                    }
                }
                self.jump(default);
            }
        }
        self.clauses(&w.cases, &bodies, end);
        self.controls.pop();
        self.bind(end);
        self.alloc.release(mark);
    }

    fn clauses(&mut self, cases: &'static [CaseClause], bodies: &[Label], end: Label) {
        for (i, c) in cases.iter().enumerate() {
            self.bind_live(bodies[i]);
            if let Some(ctl) = self.controls.last_mut() {
                ctl.fall = bodies.get(i + 1).copied();
            }
            self.pos = c.pos;
            self.stmts(&c.body);
            self.jump(end);
        }
    }

    /// Jumps to `body` if the tag equals the case expression.
    fn case_branch(&mut self, tag: &'static Expr, e: &'static Expr, body: Label) {
        let mark = self.alloc.mark();
        self.branch_equal(tag, e, body);
        self.alloc.release(mark);
    }

    /// Many distinct integer constants: search by halves.
    fn search_cases(
        &mut self,
        w: &'static SwitchStmt,
        s: Slot,
        ti: &TypeInfo,
        bodies: &[Label],
        default: Label,
    ) -> bool {
        let Repr::Int(kind) = ti.repr else {
            return false;
        };
        let n: usize = w.cases.iter().map(|c| c.exprs.len()).sum();
        if n < SEARCH_FROM || (kind.bits == 64 && !kind.signed) {
            return false;
        }
        let mut all = Vec::with_capacity(n);
        for (c, body) in w.cases.iter().zip(bodies) {
            for e in &c.exprs {
                if self.einfo(e).rtype != ti.rtype {
                    return false;
                }
                match self.const_word(e) {
                    Some(k) => all.push((k, *body)),
                    None => return false,
                }
            }
        }
        all.sort_by_key(|c| c.0);
        self.search(s, &all, default);
        true
    }

    fn search(&mut self, s: Slot, all: &[(i64, Label)], default: Label) {
        let k64 = IntKind {
            bits: 64,
            signed: true,
        };
        if all.len() <= 3 {
            for (k, body) in all {
                self.branch_int(BinOp::Eq, k64, Opd::S(s), Opd::K(*k), *body);
            }
            self.jump(default);
            return;
        }
        let mid = all.len() / 2;
        let upper = self.label();
        self.branch_int(BinOp::Ge, k64, Opd::S(s), Opd::K(all[mid].0), upper);
        self.search(s, &all[..mid], default);
        self.bind(upper);
        self.search(s, &all[mid..], default);
    }

    pub(super) fn type_switch(&mut self, w: &'static TypeSwitchStmt) {
        let mark = self.alloc.mark();
        let label = self.pending_label.take();
        if let Some(init) = &w.init {
            self.stmt(init);
        }
        self.pending_label = label;
        let end = self.label();
        self.enter(end, None);
        let xt = self.ty(&w.x);
        let xi = self.info(xt);
        let s = self.expr(&w.x, None);
        // A variable may be assigned in a clause while its value is still bound: a copy.
        let s = self.keep(s, &xi);
        self.pos = w.x.pos;
        let w0 = if xi.repr == Repr::Iface {
            let t = self.alloc.scalar();
            emit!(self, ItabType, t, s);
            t
        } else {
            s
        };
        let mut any = None;
        let bodies: Vec<Label> = w.cases.iter().map(|_| self.label()).collect();
        let default = w
            .cases
            .iter()
            .position(|c| c.is_default)
            .map_or(end, |i| bodies[i]);
        for (c, body) in w.cases.iter().zip(&bodies) {
            for e in &c.exprs {
                if self
                    .c
                    .ck
                    .info
                    .get(e.id)
                    .is_some_and(|tv| tv.mode == Mode::Nil)
                {
                    emit!(self, JumpEqImm, s, 0, *body);
                    continue;
                }
                let t = self.ty(e);
                let ti = self.info(t);
                match ti.repr {
                    Repr::Eface => emit!(self, JumpNeImm, s, 0, *body),
                    Repr::Iface => {
                        let any = *any.get_or_insert_with(|| self.as_any(s, &xi));
                        let inner = self.alloc.mark();
                        let v = self.alloc.take(&ti);
                        let ok = self.alloc.scalar();
                        emit!(self, AssertToIfaceOk, v, any, ok, ti.rtype.word());
                        self.jump_if(ok, *body, true);
                        self.alloc.release(inner);
                    }
                    _ => emit!(self, JumpEqType, w0, *body, ti.rtype.word()),
                }
            }
        }
        self.jump(default);
        for (c, body) in w.cases.iter().zip(&bodies) {
            self.bind_live(*body);
            self.pos = c.pos;
            let inner = self.alloc.mark();
            if let Some(&obj) = self.c.ck.info.implicits.get(&c.id) {
                self.bind_clause_var(obj, s, &xi);
            }
            self.stmts(&c.body);
            self.alloc.release(inner);
            self.jump(end);
        }
        self.controls.pop();
        self.bind(end);
        self.alloc.release(mark);
    }

    fn as_any(&mut self, s: Slot, xi: &TypeInfo) -> Slot {
        if xi.repr == Repr::Eface {
            return s;
        }
        let ai = self.info(TypeId::ANY);
        let a = self.alloc.take(&ai);
        emit!(self, IfaceToEface, a, s);
        a
    }

    /// The variable of a type switch clause.
    fn bind_clause_var(&mut self, obj: ObjId, s: Slot, xi: &TypeInfo) {
        let t = self.obj_type(obj);
        let ti = self.info(t);
        let loc = self.declare(obj);
        let mark = self.alloc.mark();
        let dst = match loc {
            Loc::Slot(d) => Some(d),
            _ => None,
        };
        let v = match ti.repr {
            Repr::Eface | Repr::Iface if ti.rtype == xi.rtype => self.settle(s, &ti, dst),
            Repr::Eface | Repr::Iface => self.make_iface(s, xi.ty, t, dst),
            _ => self.unbox(s, &ti, dst),
        };
        if let Loc::Box(_) = loc {
            self.store_loc(loc, &ti, v);
        }
        self.alloc.release(mark);
    }
}

/// Is `e` the blank identifier?
pub(super) fn is_blank(e: &Expr) -> bool {
    matches!(e.unparen().kind, ExprKind::Name(n) if n.is_blank())
}
