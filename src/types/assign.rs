//! Assignments: what may be assigned to what, and the variables on the left.
//!
//! Go: go/types (assignments.go, operand.go assignableTo, instantiate.go implements).
//! Spec: Assignability, Assignment statements.

use super::lookup::MissingWhy;
use super::operand::Operand;
use super::typexpr::measure;
use super::untyped::Misfit;
use super::*;
use syntax::ast::{ChanDir, Expr, ExprKind};

impl Checker {
    /// Is the operand assignable to the type?
    pub(super) fn assignable(&self, x: &Operand, t: TypeId) -> bool {
        self.assignable_cause(x, t).is_ok()
    }

    /// As [`assignable`](Self::assignable); if not, gives the reason (perhaps empty).
    pub(super) fn assignable_cause(&self, x: &Operand, t: TypeId) -> Result<(), String> {
        if x.is_invalid() || !self.is_valid(t) || !self.is_valid(x.ty) {
            return Ok(());
        }
        let written = t;
        let (v, t) = (self.unalias(x.ty), self.unalias(t));
        if self.identical(v, t) {
            return Ok(());
        }
        let no = || Err(String::new());
        let (vp, tp) = (self.is_type_param(v), self.is_type_param(t));
        if self.is_untyped(v) {
            if tp {
                let mut all = true;
                let some = self.for_each_term(t, |u| {
                    all &= self.implicit_type(x, u).is_ok();
                    all
                });
                return if some && all { Ok(()) } else { no() };
            }
            return match self.implicit_type(x, t) {
                Ok(_) => Ok(()),
                Err(_) => no(),
            };
        }
        let (vu, tu) = (self.under(v), self.under(t));
        if self.identical(vu, tu) && (!self.has_name(v) || !self.has_name(t)) && !vp && !tp {
            return Ok(());
        }
        let is_iface = matches!(self.types.get(tu), Type::Interface(_));
        if is_iface && !tp || self.is_interface_pointer(tu) {
            match self.implements_cause(v, t, false) {
                Ok(()) => return Ok(()),
                Err(cause) => {
                    // A pointer to a type parameter or such may still
                    // be assignable by its type set; rare enough.
                    if !vp {
                        return Err(cause);
                    }
                }
            }
        }
        if matches!(self.types.get(vu), Type::Interface(_))
            && !vp
            && self.implements_cause(t, v, false).is_ok()
        {
            return Err("need type assertion".into());
        }
        if let (
            Type::Chan {
                dir: ChanDir::Both,
                elem: a,
            },
            Type::Chan { elem: b, .. },
        ) = (self.types.get(vu), self.types.get(tu))
            && self.identical(*a, *b)
        {
            return if !self.has_name(v) || !self.has_name(t) {
                Ok(())
            } else {
                no()
            };
        }
        if !vp && !tp {
            return no();
        }
        // One is a type parameter, the other has no name: all of its types must do.
        let every = |param: TypeId, misfit: &dyn Fn(TypeId) -> Option<String>| {
            let mut why = None;
            let some = self.for_each_term_type(param, |term| {
                why = misfit(term);
                why.is_none()
            });
            match why {
                None if some => Ok(()),
                Some(w) => Err(w),
                None => no(),
            }
        };
        if tp && !self.has_name(v) {
            return every(t, &|term| {
                (!self.assignable(x, term)).then(|| {
                    let (v, term, t) = (self.ts(x.ty), self.ts(term), self.ts(t));
                    format!("cannot assign {v} to {term} (in {t})")
                })
            });
        }
        if vp && !self.has_name(t) {
            return every(v, &|term| {
                let y = Operand {
                    ty: term,
                    ..x.clone()
                };
                (!self.assignable(&y, t)).then(|| {
                    let (term, v, t) = (self.ts(term), self.ts(v), self.ts(written));
                    format!("cannot assign {term} (in {v}) to {t}")
                })
            });
        }
        no()
    }

    /// Does `v` implement interface `t` (or satisfy it, as a constraint)?
    /// If not, says why as Go does.
    pub(super) fn implements_cause(
        &self,
        v: TypeId,
        t: TypeId,
        constraint: bool,
    ) -> Result<(), String> {
        let (vu, tu) = (self.under(v), self.under(t));
        if !self.is_valid(vu) || !self.is_valid(tu) {
            return Ok(());
        }
        if matches!(self.types.get(vu), Type::Pointer(p) if self.under(*p) == TypeId::INVALID) {
            return Ok(());
        }
        let verb = if constraint { "satisfy" } else { "implement" };
        if !matches!(self.types.get(tu), Type::Interface(_)) {
            let detail = match self.types.get(tu) {
                Type::Pointer(p) if self.is_type_param(*p) => format!(
                    "type {} is pointer to type parameter, not type parameter",
                    self.ts(t)
                ),
                Type::Pointer(p) if matches!(self.under_type(*p), Type::Interface(_)) => {
                    format!("type {} is pointer to interface, not interface", self.ts(t))
                }
                _ => format!("{} is not an interface", self.ts(t)),
            };
            return Err(format!(
                "{} does not {verb} {} ({detail})",
                self.ts(v),
                self.ts(t)
            ));
        }
        let want = self.type_set(tu);
        if want.methods.is_empty() && want.terms.is_none() && !want.comparable {
            return Ok(());
        }
        let v_set = matches!(self.types.get(vu), Type::Interface(_)).then(|| self.type_set(vu));
        if matches!(&v_set, Some(s) if matches!(&s.terms, Some(t) if t.is_empty())) {
            return Ok(());
        }
        if matches!(&want.terms, Some(t) if t.is_empty()) {
            return Err(format!("cannot {verb} {} (empty type set)", self.ts(t)));
        }
        if let Some(m) = self.missing_method(v, t, true)
            && !self.has_invalid_embedded(v)
        {
            let cause = self.missing_cause(&m, v, t);
            return Err(format!(
                "{} does not {verb} {} {cause}",
                self.ts(v),
                self.ts(t)
            ));
        }
        if want.comparable {
            let strictly = self.comparable_at(v, false, 0);
            if !(strictly || constraint && self.comparable(v)) {
                return Err(format!("{} does not {verb} comparable", self.ts(v)));
            }
        }
        let Some(terms) = &want.terms else {
            return Ok(());
        };
        // An interface (or type parameter) must have a smaller type set.
        if let Some(vs) = &v_set {
            let inside = match &vs.terms {
                None => false,
                Some(vt) => vt
                    .iter()
                    .all(|x| terms.iter().any(|y| self.term_includes(y, x))),
            };
            if !inside {
                return Err(format!("{} does not {verb} {}", self.ts(v), self.ts(t)));
            }
            return Ok(());
        }
        if self.terms_admit(terms, v) {
            return Ok(());
        }
        let alt = terms.iter().find(|term| {
            !term.tilde
                && self.identical(term.ty, self.under(term.ty))
                && self.identical(term.ty, vu)
        });
        let detail = match alt {
            Some(a) => format!("possibly missing ~ for {} in {}", self.ts(a.ty), self.ts(t)),
            None if self.has_element(tu, v) => {
                let (v, t) = (self.ts(v), self.ts(t));
                format!("{t} mentions {v}, but {v} is not in the type set of {t}")
            }
            None => {
                let list: Vec<String> = terms
                    .iter()
                    .map(|x| {
                        let tilde = if x.tilde { "~" } else { "" };
                        format!("{tilde}{}", self.type_string(x.ty))
                    })
                    .collect();
                format!("{} missing in {}", self.ts(v), list.join(" | "))
            }
        };
        Err(format!(
            "{} does not {verb} {} ({detail})",
            self.ts(v),
            self.ts(t)
        ))
    }

    /// Is `v` written among the elements of an interface or union?
    fn has_element(&self, t: TypeId, v: TypeId) -> bool {
        match self.types.get(self.unalias(t)) {
            Type::Interface(it) => it.embeds.iter().any(|e| self.has_element(e.0, v)),
            Type::Union(terms) => terms.iter().any(|term| self.has_element(term.ty, v)),
            _ => self.identical(t, v),
        }
    }

    /// The reason in parentheses why a method is missing.
    pub(super) fn missing_cause(&self, m: &Missing, v: TypeId, t: TypeId) -> String {
        let name = self.obj(m.method).name;
        let ptr_error = |t: TypeId| {
            let Type::Pointer(p) = self.under_type(t) else {
                return String::new();
            };
            if self.is_type_param(*p) {
                format!(
                    "(type {} is pointer to type parameter, not type parameter)",
                    self.ts(t)
                )
            } else {
                format!(
                    "(type {} is pointer to interface, not interface)",
                    self.ts(t)
                )
            }
        };
        let have_want = |f: ObjId, head: String| {
            let show = |pkg| {
                (
                    self.func_string(f, self.rel(), pkg),
                    self.func_string(m.method, self.rel(), pkg),
                )
            };
            let (mut have, mut want) = show(false);
            if have == want {
                (have, want) = show(true);
            }
            if have == want {
                return format!("({head})");
            }
            format!("({head})\n\t\thave {have}\n\t\twant {want}")
        };
        match m.why {
            MissingWhy::NotFound if self.is_interface_pointer(v) => ptr_error(v),
            MissingWhy::NotFound if self.is_interface_pointer(t) => ptr_error(t),
            MissingWhy::NotFound => match self.lacking(v, name) {
                Some(what) => format!("(unsupported: {what})"),
                None => format!("(missing method {name})"),
            },
            MissingWhy::WrongName(f) => have_want(f, format!("missing method {name}")),
            MissingWhy::Unexported => format!("(unexported method {name})"),
            MissingWhy::WrongSignature(f) => have_want(f, format!("wrong type for method {name}")),
            MissingWhy::Ambiguous => format!("(ambiguous selector {}.{name})", self.ts(v)),
            MissingWhy::PointerReceiver => format!("(method {name} has pointer receiver)"),
            MissingWhy::IsField => format!("({}.{name} is a field, not a method)", self.ts(v)),
        }
    }

    /// Makes the operand a value of type `t` (`None`: the blank identifier),
    /// or reports why it cannot be.
    pub(super) fn assignment(&mut self, x: &mut Operand, t: Option<TypeId>, context: &str) {
        self.single_value(x);
        match x.mode {
            Mode::Invalid => return,
            Mode::Constant
            | Mode::Variable
            | Mode::MapIndex
            | Mode::Value
            | Mode::CommaOk
            | Mode::Nil => {}
            _ => {
                let s = self.os(x);
                let to = t.map_or("_".into(), |t| self.ts(t));
                self.error(x.pos(), format!("cannot assign {s} to {to} in {context}"));
                x.invalidate();
                return;
            }
        }
        if self.is_untyped(x.ty) {
            let target = match t {
                None if x.is_nil() => {
                    self.error(x.pos(), format!("use of untyped nil in {context}"));
                    x.invalidate();
                    return;
                }
                None => self.default_type(x.ty),
                Some(t) if !x.is_nil() && self.is_interface(t) => self.default_type(x.ty),
                Some(t) => t,
            };
            match self.implicit_type(x, target) {
                Err(m) => {
                    let (s, ts) = (self.os(x), self.ts(target));
                    let mut msg = format!("cannot use {s} as {ts} value in {context}");
                    match m {
                        Misfit::Truncated => msg.push_str(" (truncated)"),
                        Misfit::Overflows => msg.push_str(" (overflows)"),
                        Misfit::Other => {}
                    }
                    self.error(x.pos(), msg);
                    x.invalidate();
                    return;
                }
                Ok((ty, val)) => self.take_type(x, ty, val),
            }
        }
        let target = t.and_then(|t| self.target(t, || Symbol::new(context)));
        self.non_generic(x, target);
        if x.is_invalid() {
            return;
        }
        let Some(t) = t else { return };
        if !self.identical(x.ty, t) {
            self.complete_methods(x.ty, t);
        }
        if let Err(cause) = self.assignable_cause(x, t) {
            let (s, ts) = (self.os(x), self.ts(t));
            let msg = if cause.is_empty() {
                format!("cannot use {s} as {ts} value in {context}")
            } else {
                format!("cannot use {s} as {ts} value in {context}: {cause}")
            };
            self.error(x.pos(), msg);
            x.invalidate();
        }
    }

    /// Gives a declared variable its initial value, and its type if it has none yet.
    pub(super) fn init_var(&mut self, obj: ObjId, typed: bool, x: &mut Operand, context: &str) {
        let ty = self.obj(obj).ty;
        if x.is_invalid() || !self.is_valid(x.ty) || typed && !self.is_valid(ty) {
            if !typed {
                self.prog.objs.get_mut(obj).ty = TypeId::INVALID;
            }
            x.invalidate();
            // A variable in error is not reported as unused... unless nothing mentions it.
            return;
        }
        if !typed {
            let mut t = x.ty;
            if self.is_untyped(t) {
                if x.is_nil() {
                    self.error(x.pos(), format!("use of untyped nil in {context}"));
                    self.prog.objs.get_mut(obj).ty = TypeId::INVALID;
                    x.invalidate();
                    return;
                }
                t = self.default_type(t);
            }
            self.prog.objs.get_mut(obj).ty = t;
        }
        let ty = self.obj(obj).ty;
        self.assignment(x, Some(ty), context);
    }

    /// `var a, b = …`, `a, b := …`, `return …`. For a return, `ret` is the statement's position and
    /// the left sides are the results.
    pub(super) fn init_vars(
        &mut self,
        lhs: &[ObjId],
        typed: bool,
        rhs: &'static [Expr],
        ret: Option<Pos>,
    ) {
        let flags = vec![typed; lhs.len()];
        self.init_vars_mixed(lhs, &flags, rhs, ret);
    }

    /// As [`init_vars`](Self::init_vars), each variable having a type or not.
    pub(super) fn init_vars_mixed(
        &mut self,
        lhs: &[ObjId],
        typed: &[bool],
        rhs: &'static [Expr],
        ret: Option<Pos>,
    ) {
        let context = match ret {
            Some(_) => "return statement",
            None => assignment_of(lhs.len()),
        };
        let (l, r) = (lhs.len(), rhs.len());
        let is_call = r == 1 && matches!(rhs[0].unparen().kind, ExprKind::Call { .. });
        if l == r && !is_call {
            for (i, e) in rhs.iter().enumerate() {
                let target = self.variable_target(lhs[i], typed[i]);
                let mut x = self.expr(e, target);
                self.init_var(lhs[i], typed[i], &mut x, context);
            }
            return;
        }
        let untype = |c: &mut Checker| {
            for (&o, &t) in lhs.iter().zip(typed) {
                if !t {
                    c.prog.objs.get_mut(o).ty = TypeId::INVALID;
                }
            }
        };
        if r != 1 {
            if self.use_exprs(rhs) {
                match ret {
                    Some(pos) => {
                        let ops: Vec<Operand> = rhs.iter().map(|e| self.recall(e)).collect();
                        self.return_error(pos, lhs, &ops);
                    }
                    None => self.assign_error(rhs, l, r),
                }
            }
            return untype(self);
        }
        let (mut ops, comma_ok) = self.multi_values(&rhs[0], l == 2 && ret.is_none());
        if ops.len() == l {
            for (i, x) in ops.iter_mut().enumerate() {
                self.init_var(lhs[i], typed[i], x, context);
            }
            if comma_ok && ops.iter().all(|x| !x.is_invalid()) {
                self.record_comma_ok(&rhs[0], &ops);
            }
            return;
        }
        if !ops.first().is_some_and(Operand::is_invalid) {
            match ret {
                Some(pos) => self.return_error(pos, lhs, &ops),
                None => self.assign_error(rhs, l, ops.len()),
            }
        }
        untype(self);
    }

    /// What was recorded for an expression, as an operand again.
    pub(super) fn recall(&self, e: &'static Expr) -> Operand {
        match self.info.get(e.id) {
            Some(tv) => Operand {
                mode: tv.mode,
                ty: tv.ty,
                val: tv.value.clone(),
                expr: Some(e),
                builtin: None,
                nth: 0,
                given: Vec::new(),
            },
            None => Operand::invalid(e),
        }
    }

    /// The values of an expression: several of a call, two of a comma-ok form if `allow_ok`.
    pub(super) fn multi_values(
        &mut self,
        e: &'static Expr,
        allow_ok: bool,
    ) -> (Vec<Operand>, bool) {
        let x = self.multi_expr(e);
        if x.mode == Mode::Value
            && let Type::Tuple(ts) = self.types.get(x.ty)
        {
            let ts = ts.clone();
            let ops = ts
                .into_iter()
                .zip(1..)
                .map(|(t, nth)| Operand {
                    ty: t,
                    nth,
                    ..x.clone()
                })
                .collect();
            return (ops, false);
        }
        if allow_ok && (x.mode == Mode::MapIndex || x.mode == Mode::CommaOk) {
            let first = x.clone();
            let second = Operand {
                mode: Mode::Value,
                ty: TypeId::UNTYPED_BOOL,
                val: None,
                nth: super::operand::OK_VALUE,
                ..x.clone()
            };
            return (vec![first, second], true);
        }
        (vec![x], false)
    }

    /// Records the `(value, bool)` type of a comma-ok form, in parentheses too.
    pub(super) fn record_comma_ok(&mut self, e: &'static Expr, ops: &[Operand]) {
        let types = vec![ops[0].ty, self.default_type(ops[1].ty)];
        let tuple = self.prog.types.tuple(types);
        let mut e = e;
        loop {
            if let Some(Some(tv)) = self.prog.info.types.get_mut(e.id.0 as usize) {
                tv.ty = tuple;
            }
            match &e.kind {
                ExprKind::Paren(x) => e = x,
                _ => return,
            }
        }
    }

    pub(super) fn assign_error(&mut self, rhs: &'static [Expr], l: usize, r: usize) {
        let vars = measure(l, "variable");
        let vals = measure(r, "value");
        let pos = rhs[0].start();
        if let ([_], ExprKind::Call { fun, .. }) = (rhs, &rhs[0].unparen().kind) {
            let f = self.es(fun);
            self.error(
                pos,
                format!("assignment mismatch: {vars} but {f} returns {vals}"),
            );
            return;
        }
        self.error(pos, format!("assignment mismatch: {vars} but {vals}"));
    }

    fn return_error(&mut self, pos: Pos, lhs: &[ObjId], rhs: &[Operand]) {
        let (l, r) = (lhs.len(), rhs.len());
        let (word, pos) = if r > l {
            ("too many", rhs[l].pos())
        } else if r > 0 {
            ("not enough", rhs[r - 1].pos())
        } else {
            ("not enough", pos)
        };
        let have: Vec<TypeId> = rhs.iter().map(|x| x.ty).collect();
        let want: Vec<TypeId> = lhs.iter().map(|&v| self.obj(v).ty).collect();
        let (have, want) = (
            self.types_summary(&have, false, false),
            self.types_summary(&want, false, false),
        );
        self.error(
            pos,
            format!("{word} return values\n\thave {have}\n\twant {want}"),
        );
    }

    /// `(int, number, ...string)`.
    pub(super) fn types_summary(&self, list: &[TypeId], variadic: bool, dots: bool) -> String {
        let mut out = Vec::new();
        for (i, &t) in list.iter().enumerate() {
            let mut s = if !self.is_valid(t) {
                "unknown type".to_string()
            } else if self.is_untyped(t) {
                if self.is_untyped_numeric(t) {
                    "number".into()
                } else {
                    self.ts(t).replace("untyped ", "")
                }
            } else {
                self.ts(t)
            };
            if i + 1 == list.len() {
                if variadic {
                    if let Type::Slice(e) = self.types.get(t) {
                        s = self.ts(*e);
                    }
                    s = format!("...{s}");
                } else if dots {
                    s.push_str("...");
                }
            }
            out.push(s);
        }
        format!("({})", out.join(", "))
    }

    /// The type of the left side of an assignment:
    /// `Ok(None)` for the blank identifier, `Err` if it is no variable.
    fn lhs_var(&mut self, e: &'static Expr) -> Result<Option<TypeId>, ()> {
        let inner = e.unparen();
        if let ExprKind::Name(n) = inner.kind {
            if n.is_blank() {
                return Ok(None);
            }
            // A variable that is only assigned to counts as unused.
            let var = self.scopes.lookup_parent(self.scope(), n).map(|(_, o)| o);
            let was_used = var.and_then(|v| self.objs.var(v)).map(|v| v.used);
            let x = self.expr(e, None);
            if let (Some(v), Some(used)) = (var, was_used)
                && let Some(v) = self.prog.objs.var_mut(v)
            {
                v.used = used;
            }
            return self.lhs_operand(e, x);
        }
        let x = self.expr(e, None);
        self.lhs_operand(e, x)
    }

    fn lhs_operand(&mut self, e: &'static Expr, x: Operand) -> Result<Option<TypeId>, ()> {
        if x.is_invalid() || !self.is_valid(x.ty) {
            return Err(());
        }
        match x.mode {
            Mode::Variable => {
                self.mark_reassigned(e);
                Ok(Some(x.ty))
            }
            Mode::MapIndex => Ok(Some(x.ty)),
            _ => {
                if let ExprKind::Selector { x: base, .. } = &e.kind
                    && self
                        .info
                        .get(base.id)
                        .is_some_and(|tv| tv.mode == Mode::MapIndex)
                {
                    let s = self.es(e);
                    self.error(
                        e.start(),
                        format!("cannot assign to struct field {s} in map"),
                    );
                    return Err(());
                }
                if let ExprKind::Selector { x: base, .. } = &e.kind
                    && let ExprKind::Name(name) = base.kind
                    && let Some(&obj) = self.info.uses.get(&base.id)
                    && matches!(self.obj(obj).kind, ObjKind::PkgName { .. })
                {
                    let text = format!("use of package {name} not in selector");
                    self.error(base.pos, text);
                }
                let s = self.es(e);
                self.error(
                    e.start(),
                    format!(
                        "cannot assign to {s} (neither addressable nor a map index expression)"
                    ),
                );
                Err(())
            }
        }
    }

    /// `lhs = x`, or `lhs = rhs` if `x` is absent.
    pub(super) fn assign_var(
        &mut self,
        lhs: &'static Expr,
        rhs: Option<&'static Expr>,
        x: Option<&mut Operand>,
        context: &str,
    ) {
        let t = match self.lhs_var(lhs) {
            Ok(t) => t,
            Err(()) => {
                match (x, rhs) {
                    (Some(x), _) => x.invalidate(),
                    (None, Some(e)) => {
                        self.use_expr(e);
                    }
                    _ => {}
                }
                return;
            }
        };
        let mut own;
        let x = match (x, rhs) {
            (Some(x), _) => x,
            (None, Some(e)) => {
                let target = t.and_then(|t| self.target(t, || Symbol::new(&self.es(lhs))));
                own = self.expr(e, target);
                &mut own
            }
            _ => return,
        };
        let context = if t.is_none() && context == "assignment" {
            "assignment to _ identifier"
        } else {
            context
        };
        self.assignment(x, t, context);
    }

    /// `a, b = x, y`.
    pub(super) fn assign_vars(&mut self, lhs: &'static [Expr], rhs: &'static [Expr]) {
        let context = assignment_of(lhs.len());
        let (l, r) = (lhs.len(), rhs.len());
        let is_call = r == 1 && matches!(rhs[0].unparen().kind, ExprKind::Call { .. });
        if l == r && !is_call {
            for (a, b) in lhs.iter().zip(rhs) {
                self.assign_var(a, Some(b), None, context);
            }
            return;
        }
        if r != 1 {
            let ok_l = self.use_lhs(lhs);
            let ok_r = self.use_exprs(rhs);
            if ok_l && ok_r {
                self.assign_error(rhs, l, r);
            }
            return;
        }
        let (mut ops, comma_ok) = self.multi_values(&rhs[0], l == 2);
        if ops.len() == l {
            for (a, x) in lhs.iter().zip(ops.iter_mut()) {
                self.assign_var(a, None, Some(x), context);
            }
            if comma_ok && ops.iter().all(|x| !x.is_invalid()) {
                self.record_comma_ok(&rhs[0], &ops);
            }
            return;
        }
        if !ops.first().is_some_and(Operand::is_invalid) {
            self.assign_error(rhs, l, ops.len());
        }
        self.use_lhs(lhs);
    }

    /// As [`use_exprs`](Self::use_exprs); names on the left are not used by that.
    pub(super) fn use_lhs(&mut self, list: &'static [Expr]) -> bool {
        let mut ok = true;
        for e in list {
            match e.unparen().kind {
                ExprKind::Name(n) if n.is_blank() => {}
                ExprKind::Name(n) => {
                    let var = self.scopes.lookup_parent(self.scope(), n).map(|(_, o)| o);
                    let was_used = var.and_then(|v| self.objs.var(v)).map(|v| v.used);
                    ok &= self.use_expr(e);
                    if let (Some(v), Some(used)) = (var, was_used)
                        && let Some(v) = self.prog.objs.var_mut(v)
                    {
                        v.used = used;
                    }
                }
                _ => ok &= self.use_expr(e),
            }
        }
        ok
    }

    /// The variable that an operand is a part of, without going through a pointer, slice or map.
    pub(super) fn root_var(&self, e: &Expr) -> Option<ObjId> {
        let mut e = e.unparen();
        loop {
            e = match &e.kind {
                ExprKind::Name(_) => return self.info.uses.get(&e.id).copied(),
                ExprKind::Selector { x, sel } => match self.info.selections.get(&e.id) {
                    Some(s) if s.kind == SelectionKind::FieldVal && !s.indirect => x.unparen(),
                    Some(_) => return None,
                    None => return self.info.uses.get(&sel.id).copied(),
                },
                ExprKind::Index { x, .. } => {
                    let t = self.info.type_of(x);
                    if !matches!(self.under_type(t), Type::Array { .. }) {
                        return None;
                    }
                    x.unparen()
                }
                _ => return None,
            };
        }
    }

    pub(super) fn mark_address_taken(&mut self, e: &Expr) {
        if let Some(v) = self.root_var(e).and_then(|o| self.prog.objs.var_mut(o)) {
            v.address_taken = true;
        }
    }

    pub(super) fn mark_reassigned(&mut self, e: &Expr) {
        if let Some(v) = self.root_var(e).and_then(|o| self.prog.objs.var_mut(o)) {
            v.reassigned = true;
        }
    }
}

/// How error texts name an assignment to `n` places.
fn assignment_of(n: usize) -> &'static str {
    if n > 1 {
        "multiple assignment"
    } else {
        "assignment"
    }
}
