//! Index and slice expressions, type assertions.
//!
//! Go: go/types (index.go). Spec: Index expressions, Slice expressions, Type assertions.

use super::operand::{Operand, Target};
use super::typeset::Uncommon;
use super::*;
use syntax::ast::{Expr, ExprKind};

impl Checker {
    /// `x[i]`, or an instantiation.
    pub(super) fn index_expr(
        &mut self,
        e: &'static Expr,
        inner: &'static Expr,
        indices: &'static [Expr],
        target: Option<Target>,
    ) -> Operand {
        let x = self.expr_or_type(inner, true);
        if x.mode == Mode::Value
            && matches!(self.types.get(x.ty), Type::Signature(s) if !s.tparams.is_empty())
        {
            return self.instantiate_func_value(e, x, indices, target);
        }
        self.index_of(e, x, indices)
    }

    /// `x[i]` of an evaluated operand.
    pub(super) fn index_of(
        &mut self,
        e: &'static Expr,
        x: Operand,
        indices: &'static [Expr],
    ) -> Operand {
        let mut x = x;
        match x.mode {
            Mode::Invalid => {
                self.use_exprs(indices);
                return Operand::invalid(e);
            }
            Mode::Type => {
                // G[T] of a generic type.
                let t = self.typ(e);
                let mut r = Operand::new(Mode::Type, t, e);
                if !self.is_valid(t) {
                    r.invalidate();
                }
                return r;
            }
            _ => {}
        }
        if x.is_nil() {
            self.error(e.pos, "cannot index nil");
            self.use_exprs(indices);
            return Operand::invalid(e);
        }
        let mut complete = self.is_complete(x.ty);
        let u = self.under(x.ty);
        if let &(Type::Pointer(below) | Type::Map { value: below, .. }) = self.types.get(u) {
            complete = complete && self.is_complete(below);
        }
        if !complete {
            return Operand::invalid(e);
        }
        let mut length = None;
        let mut valid = false;
        if self.is_type_param(x.ty) {
            if let Some((mode, elem, len, key)) = self.index_type_param(&x) {
                if let Some(key) = key {
                    return self.map_index(e, key, elem, indices);
                }
                x.mode = mode;
                x.ty = elem;
                length = len;
                valid = true;
            }
        } else {
            match self.types.get(u).clone() {
                Type::Basic(b) if b.is_string() => {
                    valid = true;
                    if x.is_const() {
                        length = x.value().text_len().map(|n| n as i64);
                    }
                    if self.is_untyped(x.ty)
                        && let Some(a) = x.expr
                    {
                        self.update_expr_type(a, TypeId::STRING, true);
                    }
                    x.mode = Mode::Value;
                    x.ty = TypeId::BYTE;
                }
                Type::Array { len, elem } => {
                    valid = true;
                    length = Some(len).filter(|&n| n >= 0);
                    if x.mode != Mode::Variable {
                        x.mode = Mode::Value;
                    }
                    x.ty = elem;
                }
                Type::Pointer(p) => {
                    if let Type::Array { len, elem } = *self.under_type(p) {
                        valid = true;
                        length = Some(len).filter(|&n| n >= 0);
                        x.mode = Mode::Variable;
                        x.ty = elem;
                    }
                }
                Type::Slice(elem) => {
                    valid = true;
                    x.mode = Mode::Variable;
                    x.ty = elem;
                }
                Type::Map { key, value } => return self.map_index(e, key, value, indices),
                _ => {}
            }
        }
        if !valid {
            let s = self.os(&x);
            self.error(e.pos, format!("cannot index {s}"));
            self.use_exprs(indices);
            return Operand::invalid(e);
        }
        x.val = None;
        let Some(i) = self.single_index(indices) else {
            return Operand::invalid(e);
        };
        self.index(i, length);
        if !self.is_valid(x.ty) {
            x.invalidate();
        }
        x
    }

    fn map_index(
        &mut self,
        e: &'static Expr,
        key: TypeId,
        value: TypeId,
        indices: &'static [Expr],
    ) -> Operand {
        let Some(i) = self.single_index(indices) else {
            return Operand::invalid(e);
        };
        let mut k = self.generic_expr(i);
        self.assignment(&mut k, Some(key), "map index");
        // A bad key does not make the element's type unknown.
        let mut r = Operand::new(Mode::MapIndex, value, e);
        if !self.is_valid(value) {
            r.invalidate();
        }
        r
    }

    fn single_index(&mut self, indices: &'static [Expr]) -> Option<&'static Expr> {
        if indices.len() > 1 {
            self.error(indices[1].start(), "invalid operation: more than one index");
        }
        indices.first()
    }

    /// Mode, element, length and map key of an indexed type parameter.
    #[allow(clippy::type_complexity)] // four answers of one walk
    fn index_type_param(&self, x: &Operand) -> Option<(Mode, TypeId, Option<i64>, Option<TypeId>)> {
        let mut length: Option<i64> = None;
        let mut elem: Option<TypeId> = None;
        let mut key: Option<TypeId> = None;
        let mut mode = Mode::Variable;
        let mut ok = true;
        let some = self.for_each_term(x.ty, |u| {
            let (mut k, mut l) = (None, None);
            let t = match self.types.get(u) {
                Type::Basic(b) if b.is_string() => {
                    mode = Mode::Value;
                    Some(TypeId::BYTE)
                }
                Type::Array { len, elem } => {
                    l = Some(*len);
                    if x.mode != Mode::Variable {
                        mode = Mode::Value;
                    }
                    Some(*elem)
                }
                Type::Pointer(p) => match self.under_type(*p) {
                    Type::Array { len, elem } => {
                        l = Some(*len);
                        Some(*elem)
                    }
                    _ => None,
                },
                Type::Slice(t) => Some(*t),
                Type::Map { key, value } => {
                    k = Some(*key);
                    mode = Mode::Value;
                    Some(*value)
                }
                _ => None,
            };
            let Some(t) = t else {
                ok = false;
                return false;
            };
            match elem {
                None => {
                    (length, elem, key) = (l, Some(t), k);
                }
                Some(first) => {
                    let keys = match (key, k) {
                        (None, None) => true,
                        (Some(a), Some(b)) => self.identical(a, b),
                        _ => false,
                    };
                    if !keys || !self.identical(first, t) {
                        ok = false;
                        return false;
                    }
                    // What the first type does not bound is not bounded by a later one.
                    if let (Some(bound), Some(l)) = (length, l) {
                        length = Some(bound.min(l));
                    }
                }
            }
            true
        });
        if !ok || !some {
            return None;
        }
        Some((mode, elem?, length, key))
    }

    /// Checks an index; gives whether it is good and its constant value.
    /// `max`: the first value out of range.
    pub(super) fn index(&mut self, e: &'static Expr, max: Option<i64>) -> (bool, Option<i64>) {
        let mut x = self.expr(e, None);
        if !self.valid_index(&mut x, "index", false) {
            return (false, None);
        }
        if !x.is_const() {
            return (true, None);
        }
        let Some(v) = x.value().as_i64() else {
            return (false, None);
        };
        if let Some(max) = max
            && v >= max
        {
            self.error(
                x.pos(),
                format!(
                    "invalid argument: index {} out of bounds [0:{max}]",
                    x.value()
                ),
            );
            return (false, None);
        }
        (true, Some(v))
    }

    /// The operand must be an integer; `what` names it in messages.
    pub(super) fn valid_index(&mut self, x: &mut Operand, what: &str, negative_ok: bool) -> bool {
        if x.is_invalid() {
            return false;
        }
        self.convert_untyped(x, TypeId::INT);
        if x.is_invalid() {
            return false;
        }
        let why = if !self.all_integer(x.ty) {
            "must be integer"
        } else if x.is_const() && !negative_ok && x.value().sign() < 0 {
            "must not be negative"
        } else if x.is_const() && self.representable_value(&x.value(), Basic::Int).is_none() {
            "overflows int"
        } else {
            return true;
        };
        let s = self.os(x);
        self.error(x.pos(), format!("invalid argument: {what} {s} {why}"));
        false
    }

    /// `x[lo:hi:max]`.
    pub(super) fn slice_expr(
        &mut self,
        e: &'static Expr,
        inner: &'static Expr,
        parts: [Option<&'static Expr>; 3],
        full: bool,
    ) -> Operand {
        let mut x = self.expr(inner, None);
        if x.is_invalid() {
            for p in parts.into_iter().flatten() {
                self.use_expr(p);
            }
            return Operand::invalid(e);
        }
        let core = if x.is_nil() {
            None
        } else {
            self.core_or_string(x.ty)
        };
        if let &Type::Pointer(p) = self.under_type(x.ty)
            && !self.is_complete(p)
        {
            return Operand::invalid(e);
        }
        let mut length = None;
        let mut valid = false;
        match core.map(|c| self.types.get(c).clone()) {
            Some(Type::Basic(b)) if b.is_string() => {
                if full {
                    let at = parts[2].map_or(e.start(), Expr::start);
                    self.error(at, "invalid operation: 3-index slice of string");
                    return Operand::invalid(e);
                }
                valid = true;
                if x.is_const() {
                    length = x.value().text_len().map(|n| n as i64);
                }
                if self.is_untyped(x.ty) {
                    if let Some(a) = x.expr {
                        self.update_expr_type(a, TypeId::STRING, true);
                    }
                    x.ty = TypeId::STRING;
                }
            }
            Some(Type::Array { len, elem }) => {
                valid = true;
                length = Some(len);
                if x.mode != Mode::Variable {
                    let s = self.os(&x);
                    self.error(x.pos(), format!("cannot slice unaddressable value {s}"));
                    return Operand::invalid(e);
                }
                self.mark_address_taken(inner);
                x.ty = self.prog.types.slice(elem);
            }
            Some(Type::Pointer(p)) => {
                if let Type::Array { len, elem } = *self.under_type(p) {
                    valid = true;
                    length = Some(len);
                    x.ty = self.prog.types.slice(elem);
                }
            }
            Some(Type::Slice(_)) => valid = true,
            None if self.is_type_param(x.ty) => {
                let s = self.os(&x);
                let why = match self.common_under(x.ty, |_, _| true) {
                    Err(Uncommon::Unspecific) => format!("no specific type in {}", self.ts(x.ty)),
                    Err(why) => self.uncommon(why, |t| t),
                    Ok(_) => String::new(),
                };
                self.error(x.pos(), format!("cannot slice {s}: {why}"));
                return Operand::invalid(e);
            }
            _ => {}
        }
        if !valid {
            let s = self.os(&x);
            self.error(x.pos(), format!("cannot slice {s}"));
            for p in parts.into_iter().flatten() {
                self.use_expr(p);
            }
            return Operand::invalid(e);
        }
        x.mode = Mode::Value;
        x.val = None;
        let mut values = [None; 3];
        for (i, p) in parts.into_iter().enumerate() {
            values[i] = match p {
                Some(p) => self.index(p, length.and_then(|n| n.checked_add(1))).1,
                None if i == 0 => Some(0),
                None => length,
            };
        }
        'outer: for i in 0..2 {
            let Some(a) = values[i].filter(|&a| a > 0) else {
                continue;
            };
            for (j, b) in values.iter().enumerate().skip(i + 1) {
                if let Some(b) = b
                    && *b < a
                {
                    let at = parts[j].map_or(e.start(), Expr::start);
                    self.error(at, format!("invalid slice indices: {b} < {a}"));
                    break 'outer;
                }
            }
        }
        x
    }

    /// `x.(T)`.
    pub(super) fn type_assert(
        &mut self,
        e: &'static Expr,
        inner: &'static Expr,
        ty: Option<&'static Expr>,
    ) -> Operand {
        let x = self.expr(inner, None);
        let Some(te) = ty else {
            if !x.is_invalid() {
                self.error(
                    e.start(),
                    "invalid syntax tree: use of .(type) outside type switch",
                );
            }
            return Operand::invalid(e);
        };
        if x.is_invalid() {
            return Operand::invalid(e);
        }
        if self.is_type_param(x.ty) {
            let s = self.os(&x);
            self.error(
                x.pos(),
                format!("invalid operation: cannot use type assertion on type parameter value {s}"),
            );
            return Operand::invalid(e);
        }
        if !self.is_interface(x.ty) {
            let s = self.os(&x);
            self.error(
                x.pos(),
                format!("invalid operation: {s} is not an interface"),
            );
            return Operand::invalid(e);
        }
        let t = self.var_type(te);
        if !self.is_valid(t) || !self.is_complete(t) {
            return Operand::invalid(e);
        }
        self.type_assertion(e, &x, t, false);
        Operand::new(Mode::CommaOk, t, e)
    }

    /// Reports an assertion that can never hold.
    pub(super) fn type_assertion(
        &mut self,
        e: &'static Expr,
        x: &Operand,
        t: TypeId,
        type_switch: bool,
    ) {
        // Whether an interface holds another's methods is for run time to say.
        if matches!(self.under_type(t), Type::Interface(_)) {
            return;
        }
        self.complete_methods(t, x.ty);
        let Some(m) = self.missing_method(t, x.ty, true) else {
            return;
        };
        if self.has_invalid_embedded(t) {
            return;
        }
        let cause = self.missing_cause(&m, t, x.ty);
        let (es, ts) = (self.es(e), self.ts(t));
        if type_switch {
            let xs = self.os(x);
            self.error(
                e.start(),
                format!(
                    "impossible type switch case: {es}\n\
                     \t{xs} cannot have dynamic type {ts} {cause}"
                ),
            );
            return;
        }
        let xt = self.ts(x.ty);
        self.error(
            e.start(),
            format!("impossible type assertion: {es}\n\t{ts} does not implement {xt} {cause}"),
        );
    }

    /// Is the expression the predeclared nil, literally?
    pub(super) fn is_nil_literal(&self, e: &Expr) -> bool {
        let ExprKind::Name(n) = e.unparen().kind else {
            return false;
        };
        self.scopes
            .lookup_parent(self.scope(), n)
            .is_some_and(|(_, o)| matches!(self.obj(o).kind, ObjKind::Nil))
    }
}
