//! The order of evaluation within a statement.
//!
//! What may have an effect is done in its turn, from left to right: calls, receive operations, and
//! what Go's compiler gives a variable of its own at once, as slice expressions and `&&`. What is
//! read of variables that others can change is read when all that has been done. The specification
//! leaves this open, but programs can tell.
//!
//! Where something is read before a call of the same statement, or of the same list of arguments,
//! all that has its turn is evaluated beforehand (`Fun::overrides`); everywhere else code from left
//! to right does the same.
//!
//! Spec: Order of evaluation. Go: cmd/compile/internal/walk/order.go (expr1, call, addrTemp).

use super::call::Item;
use super::func::{Fun, Loc};
use bytecode::rtype::{Kind, Ty};
use syntax::ast::{BinOp, Expr, ExprKind, UnOp};
use types::{Builtin, Mode, ObjId, ObjKind, SelectionKind, Type, TypeId};

/// So many values at most are evaluated beforehand: a frame has room for 65,000 words.
const MOST: usize = 4000;

/// What is evaluated in its turn, in that order.
#[derive(Default)]
pub(super) struct Turns {
    points: Vec<Point>,
    /// Something is read that others may change.
    reads: bool,
    /// And then others may do so.
    is_needed: bool,
}

struct Point {
    e: &'static Expr,
    /// The value of a variable, to be copied.
    is_copy: bool,
}

impl Turns {
    fn add(&mut self, e: &'static Expr, is_copy: bool, has_effect: bool) {
        self.points.push(Point { e, is_copy });
        self.is_needed |= has_effect && self.reads;
    }
}

impl Fun<'_> {
    /// Compiles by `then` what has the operands that `operands` goes through, each in its turn.
    pub(super) fn in_turn<R>(
        &mut self,
        operands: impl FnOnce(&mut Self, &mut Turns),
        then: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let mut turns = Turns::default();
        operands(self, &mut turns);
        let outer = self.is_ordered;
        let points = match turns.is_needed && turns.points.len() <= MOST {
            true => turns.points,
            false => Vec::new(),
        };
        for point in &points {
            let mut s = self.apart(|f| f.expr(point.e, None));
            if point.is_copy {
                let ti = self.einfo(point.e);
                s = self.keep(s, &ti);
            }
            self.overrides.insert(point.e.id, s);
        }
        self.is_ordered = true;
        let result = then(self);
        self.is_ordered = outer;
        for point in points {
            self.overrides.remove(&point.e.id);
        }
        result
    }

    /// The same for a list of values that become values of the given types.
    pub(super) fn list_in_turn<R>(
        &mut self,
        list: &[(&'static Expr, TypeId)],
        then: impl FnOnce(&mut Self) -> R,
    ) -> R {
        if !list.iter().any(|(e, _)| self.c.has_effect(e)) {
            return then(self);
        }
        let operands = |f: &mut Self, turns: &mut Turns| {
            for &(e, t) in list {
                f.turns_as(e, t, turns);
            }
        };
        self.in_turn(operands, then)
    }

    /// The same for both sides of an assignment.
    pub(super) fn assigned_in_turn<R>(
        &mut self,
        lhs: &'static [Expr],
        rhs: &'static [Expr],
        then: impl FnOnce(&mut Self) -> R,
    ) -> R {
        // Of several values all that has its turn is there before one of the others panics.
        let may_fail = lhs.len() > 1
            && (lhs.iter().any(|l| self.may_fail(l)) || rhs[1..].iter().any(|r| self.may_fail(r)));
        if !may_fail && !lhs.iter().chain(rhs).any(|e| self.c.has_effect(e)) {
            return then(self);
        }
        if let ([l], [_]) = (lhs, rhs) {
            let mut turns = Turns::default();
            self.place_turns(l, &mut turns);
            if turns.points.is_empty() {
                // The place is looked for when the value is there.
                return self.apart(then);
            }
        }
        let operands = |f: &mut Self, turns: &mut Turns| {
            for l in lhs {
                f.place_turns(l, turns);
            }
            // The place is looked for when the value is there, the places when all values are.
            turns.is_needed |= may_fail || lhs.len() == 1 || rhs.len() == 1;
            for (i, r) in rhs.iter().enumerate() {
                let t = match lhs.len() == rhs.len() {
                    true => f.lhs_type(&lhs[i]),
                    false => None,
                };
                f.turns_as(r, t.unwrap_or(TypeId::INVALID), turns);
            }
        };
        self.in_turn(operands, then)
    }

    /// The same for `l op= r`: the place is looked for when all that has its turn is there.
    pub(super) fn updated_in_turn<R>(
        &mut self,
        l: &'static Expr,
        r: &'static Expr,
        then: impl FnOnce(&mut Self) -> R,
    ) -> R {
        if !self.c.has_effect(l) && !self.c.has_effect(r) && !self.may_fail(r) {
            return then(self);
        }
        let mut turns = Turns::default();
        self.place_turns(l, &mut turns);
        let is_variable = matches!(l.unparen().kind, ExprKind::Name(_));
        if turns.points.is_empty() && (is_variable || self.has_turn(r.unparen())) {
            return self.apart(then);
        }
        let operands = |f: &mut Self, turns: &mut Turns| {
            f.place_turns(l, turns);
            turns.is_needed = true;
            f.turns_as(r, TypeId::INVALID, turns);
        };
        self.in_turn(operands, then)
    }

    /// The same for the operands of `e`, if they are not looked at with what `e` is part of.
    pub(super) fn ordered<R>(&mut self, e: &'static Expr, then: impl FnOnce(&mut Self) -> R) -> R {
        let is_looked_at = self.is_ordered && !self.has_turn(e);
        if is_looked_at || !self.c.has_effect(e) {
            return then(self);
        }
        let is_whole = match &e.kind {
            ExprKind::Call { args, .. } => args.iter().any(|a| self.c.has_effect(a)),
            // One entry of a map after the other.
            ExprKind::CompositeLit { .. } => !self.has_turn(e),
            ExprKind::Binary { op, .. } => !matches!(op, BinOp::LAnd | BinOp::LOr),
            _ => true,
        };
        match is_whole {
            true => self.in_turn(|f, turns| f.operands(e, turns), then),
            false => self.apart(then),
        }
    }

    /// Compiles by `then` what has operands that are not looked at yet.
    pub(super) fn apart<R>(&mut self, then: impl FnOnce(&mut Self) -> R) -> R {
        let outer = std::mem::replace(&mut self.is_ordered, false);
        let result = then(self);
        self.is_ordered = outer;
        result
    }

    /// Is the place `l` looked for when the value `r` that is assigned to it is there?
    pub(super) fn is_value_first(&mut self, l: &'static Expr, r: &'static Expr) -> bool {
        if self.c.is_complex(r) {
            return !self.c.is_complex(l);
        }
        let mut turns = Turns::default();
        if self.c.has_effect(r) {
            self.place_turns(l, &mut turns);
        }
        turns.reads && turns.points.is_empty()
    }

    /// Goes through `e`, which becomes a value of type `t`.
    pub(super) fn turns_as(&mut self, e: &'static Expr, t: TypeId, turns: &mut Turns) {
        self.turns(e, turns);
        if t != TypeId::INVALID && !self.is_known(e) && self.is_copied(e, t) && !self.has_turn(e) {
            turns.add(e, true, false);
        }
    }

    /// Is the value of `e` known, or has it been evaluated?
    pub(super) fn is_known(&self, e: &Expr) -> bool {
        let is_known = |e: &Expr| {
            let tv = self.c.ck.info.get(e.id);
            tv.is_some_and(|tv| tv.value.is_some() || matches!(tv.mode, Mode::Type | Mode::Nil))
                || self.overrides.contains_key(&e.id)
        };
        is_known(e) || is_known(e.unparen())
    }

    /// Goes through `e`.
    fn turns(&mut self, e: &'static Expr, turns: &mut Turns) {
        // What is nested too deeply is refused where it is compiled.
        if self.is_known(e) || syntax::nesting::is_low() {
            return;
        }
        let e = e.unparen();
        let t = self.c.ck.info.type_of(e);
        if let Type::Tuple(_) = self.c.ck.types.get(t) {
            // Several values, or one that says `ok`: nothing is evaluated after it.
            return match e.kind {
                ExprKind::Call { .. } => {}
                _ => self.operands(e, turns),
            };
        }
        if self.has_turn(e) {
            let has_effect = self.c.has_effect(e);
            turns.add(e, false, has_effect);
            if !self.c.is_complex(e) {
                // Code from left to right may evaluate it after the calls.
                let mut inner = Turns::default();
                self.operands(e, &mut inner);
                turns.reads |= inner.reads || has_effect;
            }
            return;
        }
        self.operands(e, turns);
    }

    /// Is `e` evaluated in its turn?
    pub(super) fn has_turn(&mut self, e: &'static Expr) -> bool {
        match &e.kind {
            ExprKind::Call { fun, args, .. } => {
                if !self.c.ck.info.is_type(fun) {
                    return true;
                }
                let (to, from) = (self.ty(e), self.ty(&args[0]));
                matches!(self.c.ck.under_type(to), Type::Slice(_)) && self.c.ck.is_string(from)
            }
            ExprKind::Slice { .. } | ExprKind::Unary { op: UnOp::Recv, .. } => true,
            ExprKind::TypeAssert { .. } => {
                let ti = self.einfo(e);
                !is_pointer_shaped(ti.rtype)
            }
            ExprKind::CompositeLit { .. } => {
                let t = self.literal_type(e);
                matches!(self.c.ck.under_type(t), Type::Map { .. })
            }
            ExprKind::Binary { op, x, .. } => match op {
                BinOp::LAnd | BinOp::LOr => true,
                BinOp::Eq | BinOp::Ne => {
                    let t = self.ty(x);
                    matches!(
                        self.c.ck.under_type(t),
                        Type::Struct(_) | Type::Array { .. }
                    )
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Goes through the operands of `e`.
    pub(super) fn operands(&mut self, e: &'static Expr, turns: &mut Turns) {
        match &e.kind {
            ExprKind::Paren(x) => self.turns(x, turns),
            ExprKind::TypeAssert { x, .. } => {
                self.turns(x, turns);
                turns.reads = true;
            }
            ExprKind::Unary { op, x } => match op {
                UnOp::Addr => self.place_turns(x, turns),
                _ => self.turns(x, turns),
            },
            ExprKind::Star(x) => {
                self.turns(x, turns);
                turns.reads = true;
            }
            ExprKind::Name(_) => self.name_turns(e, turns),
            ExprKind::Selector { x, .. } => match self.c.selection(e).map(|s| s.kind) {
                None => self.name_turns(e, turns),
                Some(SelectionKind::MethodExpr) => {}
                Some(_) => {
                    self.turns(x, turns);
                    turns.reads |= self.is_indirect(e, x);
                }
            },
            ExprKind::Index { x, indices } => {
                let t = self.ty(x);
                let under = self.c.ck.under_type(t);
                if matches!(under, Type::Signature(_)) {
                    return self.turns(x, turns);
                }
                let is_part = matches!(under, Type::Array { .. } | Type::Basic(_));
                self.turns(x, turns);
                self.turns(&indices[0], turns);
                turns.reads |= !is_part || self.const_word(&indices[0]).is_none();
            }
            ExprKind::Slice { x, lo, hi, max, .. } => {
                self.turns(x, turns);
                for i in [lo, hi, max].into_iter().flatten() {
                    self.turns(i, turns);
                    if !self.is_known(i) && !self.is_variable(i) && !self.has_turn(i.unparen()) {
                        turns.reads = true;
                        turns.add(i, true, false);
                    }
                }
            }
            ExprKind::Binary { .. } => self.spine_turns(e, turns),
            ExprKind::CompositeLit { elems, .. } => self.element_turns(e, elems, turns),
            ExprKind::Call {
                fun,
                args,
                ellipsis,
                ..
            } => self.call_turns(fun, args, ellipsis.is_some(), turns),
            _ => {}
        }
    }

    /// Is it a variable, or the length of one? As a bound of a slice it is read when that is made;
    /// all else is a copy then.
    fn is_variable(&self, e: &Expr) -> bool {
        match &e.unparen().kind {
            ExprKind::Name(_) => true,
            ExprKind::Selector { .. } => self.c.selection(e.unparen()).is_none(),
            ExprKind::Call { fun, args, .. } => {
                let measures = matches!(self.builtin_of(fun), Some(Builtin::Len | Builtin::Cap));
                measures && self.is_variable(&args[0])
            }
            _ => false,
        }
    }

    /// Is `x.f` reached by way of a pointer? A method is reached where its receiver is.
    pub(super) fn is_indirect(&mut self, e: &Expr, x: &Expr) -> bool {
        let Some(selection) = self.c.selection(e).cloned() else {
            return false;
        };
        let is_method = selection.kind != SelectionKind::FieldVal;
        let path = match selection.path.split_last() {
            // The method's number.
            Some((_, fields)) if is_method => fields,
            _ => &selection.path,
        };
        let mut t = self.ty(x);
        for &i in path {
            if self.c.pointee(t).is_some() {
                return true;
            }
            let Type::Struct(s) = self.c.ck.under_type(t) else {
                return false;
            };
            let field = s.fields[i as usize];
            t = self.obj_type(field);
        }
        // What a receiver points to is read for a method of values, an embedded pointer for any.
        let is_operand = path.is_empty() && self.takes_address(selection.obj);
        is_method && !is_operand && self.c.pointee(t).is_some()
    }

    fn takes_address(&self, method: ObjId) -> bool {
        let method = self.c.ck.objs.func(method);
        method.is_some_and(|f| f.ptr_recv)
    }

    fn name_turns(&self, e: &Expr, turns: &mut Turns) {
        let id = match &e.kind {
            ExprKind::Selector { sel, .. } => sel.id,
            _ => e.id,
        };
        let Some(obj) = self.c.ck.info.object(id) else {
            return;
        };
        if let ObjKind::Var(v) = &self.c.ck.obj(obj).kind {
            turns.reads |= match self.vars.get(&obj) {
                None | Some(Loc::Box(_)) => true,
                // What is compiled in place may assign to what it captures.
                Some(Loc::Slot(_) | Loc::Part { .. }) => {
                    v.reassigned && (v.captured || self.c.body_captured.contains(&obj))
                }
                Some(Loc::Const(_) | Loc::Lit(_) | Loc::Yield(_)) => false,
            };
        }
    }

    /// Goes through `e`, whose place is asked for, not its value.
    pub(super) fn place_turns(&mut self, e: &'static Expr, turns: &mut Turns) {
        if self.is_known(e) {
            return;
        }
        let e = e.unparen();
        match &e.kind {
            ExprKind::Name(_) => {}
            ExprKind::Star(x) => self.turns(x, turns),
            ExprKind::Selector { x, .. } => {
                if self.c.selection(e).is_none() {
                    return;
                }
                let t = self.ty(x);
                if self.c.pointee(t).is_some() {
                    return self.turns(x, turns);
                }
                self.place_turns(x, turns);
                turns.reads |= self.is_indirect(e, x);
            }
            ExprKind::Index { x, indices } => {
                let t = self.ty(x);
                match self.c.ck.under_type(t) {
                    Type::Array { .. } => self.place_turns(x, turns),
                    _ => self.turns(x, turns),
                }
                let key = &indices[0];
                self.turns(key, turns);
                if self.keeps_key(e) && self.may_fail(key) && !self.has_turn(key) {
                    turns.add(key, true, false);
                }
            }
            _ => self.turns(e, turns),
        }
    }

    /// Goes through a binary expression, the left spine in a loop.
    fn spine_turns(&mut self, e: &'static Expr, turns: &mut Turns) {
        let mut right = Vec::new();
        let mut x = e;
        while let ExprKind::Binary { op, x: left, y } = &x.kind {
            right.push((*op, &**y));
            x = left.unparen();
            if self.is_known(x) || self.has_turn(x) {
                break;
            }
        }
        self.turns(x, turns);
        for (op, y) in right.into_iter().rev() {
            self.turns(y, turns);
            let may_fail = matches!(op, BinOp::Div | BinOp::Rem | BinOp::Shl | BinOp::Shr);
            turns.reads |= may_fail && self.const_word(y).is_none();
        }
    }

    /// Goes through the values of a composite literal.
    fn element_turns(&mut self, e: &Expr, elems: &'static [Expr], turns: &mut Turns) {
        let t = self.literal_type(e);
        let is_map = matches!(self.c.ck.under_type(t), Type::Map { .. });
        for (i, x) in elems.iter().enumerate() {
            let elem = self.element_type(t, i, x);
            match &x.kind {
                ExprKind::KeyValue { key, value } => {
                    if is_map {
                        self.turns(key, turns);
                    }
                    self.turns_as(value, elem, turns);
                }
                _ => self.turns_as(x, elem, turns),
            }
        }
    }

    /// Goes through what is called and the arguments.
    fn call_turns(
        &mut self,
        fun: &'static Expr,
        args: &'static [Expr],
        has_ellipsis: bool,
        turns: &mut Turns,
    ) {
        if self.c.ck.info.is_type(fun) {
            let (from, to) = (self.ty(&args[0]), self.ty(fun));
            self.turns_as(&args[0], to, turns);
            // The elements are read, perhaps fewer than there have to be.
            turns.reads |= matches!(self.c.ck.under_type(from), Type::Slice(_));
            return;
        }
        let t = self.ty(fun);
        let is_list = !matches!(args, [only] if self.tuple_of(only).is_some());
        let sig = match self.builtin_of(fun) {
            None if is_list => self.c.ck.sig(t).cloned(),
            _ => None,
        };
        if self.builtin_of(fun).is_none() {
            self.callee_turns(fun, turns);
        }
        let Some(sig) = sig else {
            return args.iter().for_each(|arg| self.turns(arg, turns));
        };
        for item in self.arguments(&sig, args, has_ellipsis) {
            match item {
                Item::Expr(e, t) => self.turns_as(e, t, turns),
                Item::Pack(list, t) => list.iter().for_each(|e| self.turns_as(e, t, turns)),
                _ => {}
            }
        }
    }

    fn callee_turns(&mut self, fun: &'static Expr, turns: &mut Turns) {
        if self.is_known(fun) || self.c.static_callee(fun).is_some() {
            return;
        }
        let f = self.c.method_selector(fun);
        let ExprKind::Selector { x, .. } = &f.kind else {
            return self.turns(f, turns);
        };
        let Some((kind, obj)) = self.c.selection(f).map(|s| (s.kind, s.obj)) else {
            return self.turns(f, turns);
        };
        match kind {
            SelectionKind::MethodExpr => {}
            SelectionKind::FieldVal => self.turns(f, turns),
            SelectionKind::MethodVal => {
                let t = self.ty(x);
                match self.takes_address(obj) && self.c.pointee(t).is_none() {
                    true => self.place_turns(x, turns),
                    false => self.turns(x, turns),
                }
                turns.reads |= self.is_indirect(f, x);
            }
        }
    }

    /// Does `e` become an interface by being copied from its address, and has none, or is a local
    /// variable or a part of one? The copy is made in its turn then, if the variable is small and
    /// its address is not taken.
    fn is_copied(&mut self, e: &Expr, t: TypeId) -> bool {
        let from = self.ty(e);
        if !self.c.ck.is_interface(t) || self.c.ck.is_interface(from) {
            return false;
        }
        let rtype = self.info(from).rtype;
        let is_scalar = matches!(rtype.size, 2 | 4 | 8)
            && usize::from(rtype.align) == rtype.size
            && !rtype.has_pointers();
        if is_scalar || matches!(sole_part(rtype).kind, Kind::String | Kind::Slice) {
            return false;
        }
        let mut base = e.unparen();
        while let ExprKind::Selector { x, .. } = &base.kind {
            base = x.unparen();
        }
        match base.kind {
            ExprKind::Name(_) => {}
            ExprKind::Star(_) => return false,
            ExprKind::Index { ref x, .. } => {
                let x = self.ty(x);
                return self.c.ck.is_string(x)
                    || matches!(self.c.ck.under_type(x), Type::Map { .. });
            }
            // It has no address.
            _ => return true,
        }
        let Some(obj) = self.c.ck.info.object(base.id) else {
            return false;
        };
        let ObjKind::Var(v) = &self.c.ck.obj(obj).kind else {
            return false;
        };
        if v.is_param || v.is_global || v.address_taken || self.captured.contains(&obj) {
            return false;
        }
        let whole = self.ty(base);
        let whole = self.info(whole).rtype;
        whole.kind != Kind::Pointer && whole.size <= 32 && whole.kind != Kind::Array
            || base.id == e.unparen().id && whole.kind == Kind::Pointer
    }
}

/// Is a value of the type the data word of an interface that holds it, in Go?
pub(super) fn is_pointer_shaped(t: Ty) -> bool {
    use Kind as K;
    let sole = sole_part(t);
    matches!(
        sole.kind,
        K::Pointer | K::Map | K::Chan | K::Func | K::UnsafePointer
    )
}

/// The type of the one field of a struct of one field, and so on.
fn sole_part(mut t: Ty) -> Ty {
    while matches!(t.kind, Kind::Struct) && t.fields.len() == 1 {
        t = t.fields[0].typ;
    }
    t
}
