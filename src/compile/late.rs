//! Which parts of an assignment may panic, and which are evaluated as late as the store to their
//! left side: programs see both, for a deferred function sees what has been stored by then.
//!
//! Spec: Order of evaluation, Assignment statements.
//! Go: cmd/compile/internal/walk/assign.go (ascompatee, readsMemory).

use super::Repr;
use super::assign::overlaps;
use super::func::{Fun, Loc};
use super::place::{Index, Place};
use super::regalloc::Slot;
use bytecode::op::{Kind, NONE};
use bytecode::rtype::{self, Ty};
use syntax::ast::{BinOp, Expr, ExprKind, UnOp};
use types::{Builtin, ObjId, ObjKind, SelectionKind, Type};

/// So many instructions are looked back at.
const LOOKED_BACK: usize = 100;

/// What of an assignment, or one of several, is evaluated before anything is stored.
pub(super) struct Early {
    /// By what the place is found.
    pub(super) place: bool,
    pub(super) value: bool,
}

impl Fun<'_> {
    /// May evaluating `e` panic, apart from what has been evaluated already? Some expressions of
    /// which this is said never do.
    pub(super) fn may_fail(&mut self, e: &'static Expr) -> bool {
        if self.is_known(e) {
            return false;
        }
        if syntax::nesting::is_low() {
            return true;
        }
        let e = e.unparen();
        match &e.kind {
            ExprKind::Name(_) | ExprKind::FuncLit { .. } => false,
            ExprKind::Selector { x, .. } => match self.c.selection(e).map(|s| s.kind) {
                None | Some(SelectionKind::MethodExpr) => false,
                Some(SelectionKind::MethodVal) => true,
                Some(SelectionKind::FieldVal) => self.is_indirect(e, x) || self.may_fail(x),
            },
            ExprKind::Index { x, indices } => {
                let t = self.ty(x);
                let is_safe = match self.c.ck.under_type(t) {
                    Type::Signature(_) => true,
                    Type::Array { .. } => self.const_word(&indices[0]).is_some(),
                    Type::Map { key, .. } => {
                        let key = *key;
                        !is_compared_by_parts(self.info(key).rtype)
                    }
                    _ => false,
                };
                !is_safe || self.may_fail(x) || self.may_fail(&indices[0])
            }
            ExprKind::Unary { op, x } => *op == UnOp::Recv || self.may_fail(x),
            ExprKind::Binary { op, x, y } => {
                let t = self.ty(x);
                let repr = self.info(t).repr;
                let fails = match op {
                    BinOp::Div | BinOp::Rem => {
                        matches!(repr, Repr::Int(_)) && self.const_word(y).is_none()
                    }
                    BinOp::Shl | BinOp::Shr => {
                        let count = self.einfo(y).repr;
                        matches!(count, Repr::Int(k) if k.signed) && self.const_word(y).is_none()
                    }
                    BinOp::Eq | BinOp::Ne => is_compared_by_parts(self.info(t).rtype),
                    _ => false,
                };
                fails || self.may_fail(y) || self.may_fail(x)
            }
            ExprKind::Call { fun, args, .. } => {
                let is_safe = match self.builtin_of(fun) {
                    Some(b) => {
                        matches!(b, Builtin::Len | Builtin::Cap | Builtin::Min | Builtin::Max)
                    }
                    None if self.c.ck.info.is_type(fun) => {
                        let (from, to) = (self.ty(&args[0]), self.ty(fun));
                        let is_slice = matches!(self.c.ck.under_type(from), Type::Slice(_));
                        let to = self.c.ck.under_type(to);
                        !is_slice || matches!(to, Type::Slice(_) | Type::Basic(_))
                    }
                    None => false,
                };
                !is_safe || args.iter().any(|x| self.may_fail(x))
            }
            ExprKind::CompositeLit { elems, .. } => elems.iter().any(|x| self.may_fail(x)),
            ExprKind::KeyValue { value, .. } => self.may_fail(value),
            _ => true,
        }
    }

    /// Can loading from the place panic, if the left side `l` denotes it?
    pub(super) fn is_checked(&self, place: Place, l: &Expr) -> bool {
        match place {
            Place::Blank | Place::Slot(_) | Place::Frame { .. } | Place::Abs(_) => false,
            Place::Mem { .. } => !matches!(l.unparen().kind, ExprKind::Name(_)),
            Place::FrameElem { .. }
            | Place::SliceElem { .. }
            | Place::PtrElem { .. }
            | Place::MapElem { .. } => true,
        }
    }

    /// Does evaluating `r` begin with what checks the place `p.f`: with another field of `*p`?
    pub(super) fn begins_with_check(&self, l: &Expr, r: &'static Expr) -> bool {
        let ExprKind::Selector { x: base, .. } = &l.unparen().kind else {
            return false;
        };
        let object = self.c.ck.info.object(base.unparen().id);
        let is_base = |x: &Expr| {
            matches!(x.unparen().kind, ExprKind::Name(_))
                && self.c.ck.info.object(x.unparen().id) == object
        };
        let mut first = r.unparen();
        loop {
            first = match &first.kind {
                ExprKind::Selector { x, .. } if object.is_some() && is_base(x) => return true,
                ExprKind::Selector { x, .. }
                | ExprKind::Index { x, .. }
                | ExprKind::Binary { x, .. } => x.unparen(),
                _ => return false,
            };
        }
    }

    /// Has what was emitted last, on the way to here, looked whether the place is there?
    pub(super) fn is_checked_already(&self, place: Place) -> bool {
        let (base, index) = match place {
            Place::Mem { ptr, .. } => (ptr, None),
            Place::SliceElem {
                s,
                idx: Index::S(i),
                ..
            } => (s, Some(i)),
            _ => return false,
        };
        let slots = [Some((base, 3)), index.map(|i| (i, 1))];
        let straight = &self.code[self.last_bound as usize..];
        for i in straight.iter().rev().take(LOOKED_BACK) {
            let operands = || i.op.operands().iter().map(|o| o.kind).zip(&i.args);
            let has = |kind: Kind, slot: Slot| {
                operands().any(|(k, &v)| k == kind && v == i64::from(slot.0))
            };
            let checks = match index {
                None => has(Kind::Ptr, base),
                Some(index) => has(Kind::Idx, index) && has(Kind::In3, base),
            };
            if checks {
                return true;
            }
            for (kind, &v) in operands() {
                let width = match kind {
                    Kind::Out | Kind::Out2 | Kind::Out3 => kind.width(),
                    Kind::OptOut | Kind::XOut | Kind::Upd => kind.width(),
                    Kind::OutN | Kind::ElemOut | Kind::IterOut | Kind::ArrayUpd => return false,
                    Kind::IterUpd | Kind::OptOutN | Kind::OptKeyOut => return false,
                    Kind::OptElemOut | Kind::FrameOut => return false,
                    _ => continue,
                };
                let is_hit = |(slot, n)| overlaps(Slot(v as u32), width, slot, n);
                if v != i64::from(NONE) && slots.into_iter().flatten().any(is_hit) {
                    return false;
                }
            }
        }
        false
    }

    /// Which parts of `lhs = rhs` are evaluated before anything is stored: those that an earlier
    /// store may change, and those that have effects. The others come with their stores.
    pub(super) fn early_parts(&mut self, lhs: &'static [Expr], rhs: &'static [Expr]) -> Vec<Early> {
        let mut assigned: Vec<ObjId> = Vec::new();
        let (mut writes_memory, mut writes_result) = (false, false);
        let mut early = Vec::with_capacity(rhs.len());
        for (l, r) in lhs.iter().zip(rhs) {
            let mentions = |f: &Self, e| assigned.iter().any(|v| f.mentions(e, *v));
            early.push(Early {
                place: writes_result
                    || self.has_effect_left(l)
                    || writes_memory && self.place_reads_memory(l)
                    || mentions(self, l),
                value: writes_result
                    || self.has_effect_left(r)
                    || writes_memory && self.reads_memory(r)
                    || mentions(self, r),
            });
            let named = self.c.ck.info.object(l.unparen().id);
            let is_result = named.is_some() && self.results.iter().any(|r| r.obj == named);
            match self.root(l) {
                _ if is_result && self.has_defer => writes_result = true,
                Some(v) => assigned.push(v),
                None => writes_memory |= !super::control::is_blank(l),
            }
        }
        early
    }

    /// Has evaluating `e` an effect, and nothing of it been evaluated in its turn?
    fn has_effect_left(&mut self, e: &'static Expr) -> bool {
        let mut is_evaluated = false;
        if self.c.has_effect(e) {
            super::walk::expr(e, &mut |x| {
                is_evaluated |= self.overrides.contains_key(&x.id)
            });
        }
        self.c.has_effect(e) && !is_evaluated
    }

    /// Does finding the place `l` read what a store through a pointer may change?
    fn place_reads_memory(&mut self, l: &'static Expr) -> bool {
        let l = l.unparen();
        match &l.kind {
            ExprKind::Name(_) => false,
            ExprKind::Star(x) => self.reads_memory(x),
            ExprKind::Selector { x, .. } => match self.is_indirect(l, x) {
                true => self.reads_memory(x),
                false => self.place_reads_memory(x),
            },
            ExprKind::Index { x, indices } => {
                let t = self.ty(x);
                let is_array = matches!(self.c.ck.under_type(t), Type::Array { .. });
                let of_base = match is_array {
                    true => self.place_reads_memory(x),
                    false => self.reads_memory(x),
                };
                of_base || self.reads_memory(&indices[0])
            }
            _ => true,
        }
    }

    /// The local variable in the frame that `l` is, or is a part of.
    fn root(&mut self, l: &'static Expr) -> Option<ObjId> {
        let mut x = l.unparen();
        loop {
            x = match &x.kind {
                ExprKind::Selector { x: base, .. } if !self.is_indirect(x, base) => base.unparen(),
                ExprKind::Index { x: base, .. } => {
                    let t = self.ty(base);
                    match self.c.ck.under_type(t) {
                        Type::Array { .. } => base.unparen(),
                        _ => return None,
                    }
                }
                ExprKind::Name(_) => break,
                _ => return None,
            };
        }
        let object = self.c.ck.info.object(x.id)?;
        match self.vars.get(&object)? {
            Loc::Slot(_) | Loc::Part { .. } => Some(object),
            _ => None,
        }
    }

    /// Does evaluating `e` read what a store through a pointer may change? Of most expressions
    /// this is said without a look at them, as by Go's compiler.
    fn reads_memory(&mut self, e: &'static Expr) -> bool {
        if self.is_known(e) {
            return false;
        }
        if syntax::nesting::is_low() {
            return true;
        }
        let e = e.unparen();
        match &e.kind {
            ExprKind::Name(_) => {
                let object = self.c.ck.info.object(e.id);
                let is_var = |o| matches!(self.c.ck.obj(o).kind, ObjKind::Var(_));
                let in_memory =
                    |o| !matches!(self.vars.get(&o), Some(l) if !matches!(l, Loc::Box(_)));
                object.is_some_and(|o| is_var(o) && in_memory(o))
            }
            ExprKind::Selector { x, .. } => self.is_indirect(e, x) || self.reads_memory(x),
            ExprKind::TypeAssert { x, .. } => self.reads_memory(x),
            ExprKind::Unary {
                op: UnOp::Plus | UnOp::Neg | UnOp::Compl,
                x,
            } => self.reads_memory(x),
            ExprKind::Binary { op, x, y } => {
                let is_string = self.einfo(e).rtype.kind == rtype::Kind::String;
                super::ops::is_boolean(*op)
                    || is_string
                    || self.reads_memory(x)
                    || self.reads_memory(y)
            }
            ExprKind::Call { fun, args, .. } if self.c.ck.info.is_type(fun) => {
                let (from, to) = (self.ty(&args[0]), self.ty(fun));
                let kinds = [from, to].map(|t| self.info(t).rtype.kind);
                let reads = kinds[0] != kinds[1]
                    && (kinds[0] == rtype::Kind::Slice || kinds.contains(&rtype::Kind::String));
                reads || self.reads_memory(&args[0])
            }
            _ => true,
        }
    }
}

/// May comparing or hashing two values of the type panic? Those of interfaces may.
fn is_compared_by_parts(t: Ty) -> bool {
    matches!(
        t.kind,
        rtype::Kind::Interface | rtype::Kind::Struct | rtype::Kind::Array
    )
}
