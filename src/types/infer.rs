//! Type inference: the type arguments that a call leaves out.
//!
//! Typed arguments come first, then constraints with a single underlying type, then untyped constants with their default
//! types; found types may mention other type parameters and are resolved at the end.
//!
//! Go: go/types (infer.go). Spec: Type inference.

use super::operand::Operand;
use super::unify::Unifier;
use super::*;
use crate::ast::Expr;

impl Checker {
    /// The type arguments of a call. `given` are the explicit ones. Reports what cannot be inferred.
    #[allow(clippy::too_many_arguments)] // all of them are parts of one call
    pub(super) fn infer(
        &mut self,
        pos: Pos,
        fun: &'static Expr,
        tparams: &[TypeId],
        given: Vec<TypeId>,
        params: &[TypeId],
        ops: &[Operand],
    ) -> Option<Vec<TypeId>> {
        if given.len() == tparams.len() {
            return Some(given);
        }
        if ops.iter().any(Operand::is_invalid) {
            return None;
        }
        // A function may call itself: its parameters inside are not the ones to be found.
        let fresh = self.rename_tparams(tparams);
        let params: Vec<TypeId> = params
            .iter()
            .map(|&p| self.subst(p, tparams, &fresh))
            .collect();
        let mut found: Vec<Option<TypeId>> = vec![None; fresh.len()];
        for (f, g) in found.iter_mut().zip(&given) {
            *f = Some(*g);
        }
        let f = self.es(fun);
        let mut untyped: Vec<usize> = Vec::new();
        for (i, x) in ops.iter().enumerate() {
            let param = params[i];
            if !self.mentions(param, &fresh) {
                continue;
            }
            if self.is_generic(x.ty) {
                // A generic function as argument is instantiated once its parameter is known.
                continue;
            }
            if self.is_untyped(x.ty) {
                if fresh.contains(&self.unalias(param)) {
                    untyped.push(i);
                }
                continue;
            }
            let mut u = Unifier::new(&self.prog, &fresh, &found);
            u.sees_methods = self.allows(pos, 21);
            let ok = u.unify(param, x.ty, false);
            let new = u.found;
            if !ok {
                let msg = self.mismatch(x, param, &fresh, &found);
                self.error(x.pos(), format!("in call to {f}, {msg}"));
                return None;
            }
            found = new;
        }
        if !self.infer_from_constraints(&fresh, &mut found, pos, &f) {
            return None;
        }
        // The largest kind of the untyped constants given for a parameter.
        let mut kinds: FxHashMap<TypeId, TypeId> = FxHashMap::default();
        for i in untyped {
            let param = self.unalias(params[i]);
            let Some(at) = fresh.iter().position(|&t| t == param) else {
                continue;
            };
            if found[at].is_some() {
                continue;
            }
            let x = &ops[i];
            let kind = match kinds.get(&param) {
                None => x.ty,
                Some(&k) if k == x.ty => k,
                Some(&k) if self.is_untyped_numeric(k) && self.is_untyped_numeric(x.ty) => {
                    TypeId(k.0.max(x.ty.0))
                }
                Some(&k) => {
                    let (a, b, p) = (self.ts(k), self.ts(x.ty), self.ts(param));
                    self.error(
                        x.pos(),
                        format!("in call to {f}, mismatched types {a} and {b} (cannot infer {p})"),
                    );
                    return None;
                }
            };
            kinds.insert(param, kind);
        }
        for (param, kind) in kinds {
            if kind == TypeId::UNTYPED_NIL {
                continue;
            }
            if let Some(at) = fresh.iter().position(|&t| t == param) {
                found[at] = Some(self.default_type(kind));
            }
        }
        if !self.infer_from_constraints(&fresh, &mut found, pos, &f) {
            return None;
        }
        self.resolve_found(&fresh, &mut found);
        // Generic functions given as arguments may decide what is still open.
        for (i, x) in ops.iter().enumerate() {
            if found.iter().all(Option::is_some) {
                break;
            }
            if let Type::Signature(s) = self.types.get(x.ty) {
                if s.tparams.is_empty() {
                    continue;
                }
                let theirs = s.tparams.clone();
                let fresh2 = self.rename_tparams(&theirs);
                let sig = (**match self.types.get(x.ty) {
                    Type::Signature(s) => s,
                    _ => continue,
                })
                .clone();
                let inst = self.subst_signature(&sig, &theirs, &fresh2);
                let inst = self.prog.types.add(Type::Signature(Box::new(inst)));
                let mut all = fresh.clone();
                all.extend(&fresh2);
                let mut both = found.clone();
                both.resize(all.len(), None);
                let mut u = Unifier::new(&self.prog, &all, &both);
                if u.unify(params[i], inst, false) {
                    let mut both = u.found;
                    self.resolve_found(&all, &mut both);
                    for (f, b) in found.iter_mut().zip(both) {
                        if let Some(b) = b.filter(|&b| !self.mentions(b, &all)) {
                            f.get_or_insert(b);
                        }
                    }
                }
            }
        }
        for (i, f2) in found.iter().enumerate() {
            let open = match f2 {
                None => true,
                Some(t) => self.mentions(*t, &fresh),
            };
            if open {
                let Type::TypeParam(tp) = self.types.get(tparams[i]) else {
                    return None;
                };
                let o = self.obj(tp.obj);
                let at = self.ps(o.pos);
                let name = o.name;
                self.error(
                    pos,
                    format!("in call to {f}, cannot infer {name} (declared at {at})"),
                );
                return None;
            }
        }
        Some(found.into_iter().flatten().collect())
    }

    /// Type parameters of the same names and constraints, to be found.
    fn rename_tparams(&mut self, tparams: &[TypeId]) -> Vec<TypeId> {
        let fresh: Vec<TypeId> = tparams
            .iter()
            .map(|&t| {
                let copy = self.types.get(t).clone();
                self.prog.types.add(copy)
            })
            .collect();
        for &t in &fresh {
            let Type::TypeParam(p) = self.types.get(t) else {
                continue;
            };
            let c = p.constraint;
            let c = self.subst(c, tparams, &fresh);
            if let Type::TypeParam(p) = self.prog.types.get_mut(t) {
                p.constraint = c;
            }
        }
        fresh
    }

    /// The message for an argument that does not match its parameter.
    fn mismatch(
        &mut self,
        x: &Operand,
        param: TypeId,
        fresh: &[TypeId],
        found: &[Option<TypeId>],
    ) -> String {
        let (xt, e) = (self.ts(x.ty), x.expr.map_or(String::new(), |e| self.es(e)));
        let known: Vec<TypeId> = fresh
            .iter()
            .zip(found)
            .map(|(&t, f)| f.unwrap_or(t))
            .collect();
        let inferred = self.subst(param, fresh, &known);
        let p = self.ts(param);
        if inferred != param {
            let i = self.ts(inferred);
            return format!("type {xt} of {e} does not match inferred type {i} for {p}");
        }
        let names: Vec<String> = fresh.iter().map(|&t| self.ts(t)).collect();
        let names = match names.len() {
            0 => String::new(),
            1 => names[0].clone(),
            2 => format!("{} and {}", names[0], names[1]),
            n => format!("{}, and {}", names[..n - 1].join(", "), names[n - 1]),
        };
        format!("type {xt} of {e} does not match {p} (cannot infer {names})")
    }

    /// Uses constraints with a single underlying type, and methods, until nothing new is learnt.
    fn infer_from_constraints(
        &mut self,
        tparams: &[TypeId],
        found: &mut Vec<Option<TypeId>>,
        pos: Pos,
        fun: &str,
    ) -> bool {
        loop {
            let before = found.iter().filter(|f| f.is_some()).count();
            for (i, &t) in tparams.iter().enumerate() {
                let Type::TypeParam(tp) = self.types.get(t) else {
                    continue;
                };
                let constraint = tp.constraint;
                let set = self.type_set(constraint);
                let core = self.core_type(t);
                if let Some(core) = core {
                    let single = match set.terms.as_deref() {
                        Some([one]) if !one.tilde => Some(one.ty),
                        _ => None,
                    };
                    match found[i] {
                        Some(have) => {
                            // What is known is compared with the core type: exactly if it has no tilde.
                            let mut u = Unifier::new(&self.prog, tparams, found);
                            let have_core = if self.prog.is_type_param(have) {
                                have
                            } else {
                                self.prog.under(have)
                            };
                            let ok = match single {
                                Some(one) => u.unify(have, one, false),
                                None => u.unify(have_core, core, false),
                            };
                            let new = u.found;
                            if !ok {
                                let (n, h, c) = (self.ts(t), self.ts(have), self.ts(constraint));
                                self.error(
                                    pos,
                                    format!(
                                        "in call to {fun}, {n} (type {h}) does not satisfy {c}"
                                    ),
                                );
                                return false;
                            }
                            let keep = found[i];
                            *found = new;
                            found[i] = keep;
                        }
                        None => {
                            if let Some(one) = single {
                                found[i] = Some(one);
                            } else if self.mentions(core, tparams)
                                || set.terms.as_ref().is_some_and(|t| t.len() == 1)
                            {
                                // ~T: the type itself is the best guess.
                                found[i] = Some(core);
                            }
                        }
                    }
                }
                if let Some(have) = found[i]
                    && !set.methods.is_empty()
                    && !self.mentions(have, tparams)
                {
                    self.complete_methods(have, constraint);
                    let mut u = Unifier::new(&self.prog, tparams, found);
                    if u.unify_methods(constraint, have) {
                        *found = u.found;
                    } else if let Some(m) = self.missing_method(have, constraint, true) {
                        let cause = self.missing_cause(&m, have, constraint);
                        let (n, h, c) = (self.ts(t), self.ts(have), self.ts(constraint));
                        let why = format!("{n} (type {h}) does not satisfy {c} {cause}");
                        self.error(pos, format!("in call to {fun}, {why}"));
                        return false;
                    }
                }
            }
            if found.iter().filter(|f| f.is_some()).count() == before {
                return true;
            }
        }
    }

    /// Replaces type parameters inside what was found by what they were found to be.
    fn resolve_found(&mut self, tparams: &[TypeId], found: &mut [Option<TypeId>]) {
        for _ in 0..tparams.len() + 1 {
            let known: Vec<TypeId> = tparams
                .iter()
                .zip(found.iter())
                .map(|(&t, f)| f.unwrap_or(t))
                .collect();
            for f in found.iter_mut() {
                if let Some(t) = f
                    && self.mentions(*t, tparams)
                {
                    *f = Some(self.subst(*t, tparams, &known));
                }
            }
        }
        // What was found to be itself is not found.
        for (i, f) in found.iter_mut().enumerate() {
            if *f == Some(tparams[i]) {
                *f = None;
            }
        }
    }

    /// `f[T]` as a value.
    pub(super) fn instantiate_func_value(
        &mut self,
        e: &'static Expr,
        x: Operand,
        indices: &'static [Expr],
        target: Option<TypeId>,
    ) -> Operand {
        let targs: Vec<TypeId> = indices.iter().map(|i| self.typ(i)).collect();
        if targs.iter().any(|&t| !self.is_valid(t)) {
            return Operand::invalid(e);
        }
        let Type::Signature(s) = self.types.get(x.ty) else {
            return Operand::invalid(e);
        };
        let want = s.tparams.len();
        if targs.len() > want {
            self.error(
                indices[want].start(),
                format!("got {} type arguments but want {want}", targs.len()),
            );
            return Operand::invalid(e);
        }
        let mut x = x;
        x.expr = Some(e);
        self.instantiate_value(&mut x, e, targs, target);
        x
    }

    /// A generic function assigned to a variable of function type.
    pub(super) fn instantiate_for_target(
        &mut self,
        x: &mut Operand,
        e: &'static Expr,
        target: TypeId,
    ) {
        self.instantiate_value(x, e, Vec::new(), Some(target));
        if !x.is_invalid() {
            self.record_operand(e, x);
        }
    }

    fn instantiate_value(
        &mut self,
        x: &mut Operand,
        e: &'static Expr,
        given: Vec<TypeId>,
        target: Option<TypeId>,
    ) {
        let Type::Signature(s) = self.types.get(x.ty) else {
            return;
        };
        let sig = (**s).clone();
        let tparams = sig.tparams.clone();
        if !self.allows(e.pos, 21) && !self.env.is_argument {
            // At the bracket, if there is one.
            let is_known = self.requires(e.pos, 18, "function instantiation");
            if is_known && target.is_some() && given.len() < tparams.len() {
                let how = match given.is_empty() {
                    true => "implicitly",
                    false => "partially",
                };
                let what = format!("{how} instantiated function in assignment");
                self.requires(e.pos, 21, &what);
            }
        }
        let mut found: Vec<Option<TypeId>> = given.iter().map(|&t| Some(t)).collect();
        found.resize(tparams.len(), None);
        if found.iter().any(Option::is_none) {
            let fresh = self.rename_tparams(&tparams);
            if let Some(t) = target {
                let inst = self.subst_signature(&sig, &tparams, &fresh);
                let inst = self.prog.types.add(Type::Signature(Box::new(inst)));
                let mut u = Unifier::new(&self.prog, &fresh, &found);
                if u.unify(inst, t, false) {
                    found = u.found;
                } else {
                    let (xt, tt, es) = (self.ts(x.ty), self.ts(t), self.es(e));
                    let names: Vec<String> = fresh.iter().map(|&t| self.ts(t)).collect();
                    let names = names.join(", ");
                    self.error(
                        e.start(),
                        format!("type {xt} of {es} does not match {tt} (cannot infer {names})"),
                    );
                    x.invalidate();
                    return;
                }
            }
            let f = self.es(e);
            if !self.infer_from_constraints(&fresh, &mut found, e.start(), &f) {
                x.invalidate();
                return;
            }
            self.resolve_found(&fresh, &mut found);
            let is_open = |f: &Option<TypeId>| f.is_none_or(|t| self.mentions(t, &fresh));
            if let Some(i) = found.iter().position(is_open) {
                let (pos, text) = match (&e.kind, self.types.get(tparams[i])) {
                    (ast::ExprKind::Index { .. }, Type::TypeParam(p)) => {
                        let o = self.obj(p.obj);
                        let text =
                            format!("cannot infer {} (declared at {})", o.name, self.ps(o.pos));
                        (e.pos, text)
                    }
                    _ => {
                        let text = format!("cannot use generic function {f} without instantiation");
                        (e.start(), text)
                    }
                };
                self.error(pos, text);
                x.invalidate();
                return;
            }
        }
        let targs: Vec<TypeId> = found.into_iter().flatten().collect();
        let inst = self.subst_signature(&sig, &tparams, &targs);
        let ty = self.prog.types.add(Type::Signature(Box::new(inst)));
        let id = self.func_name_id(e);
        self.prog.info.instances.insert(id, (targs.clone(), ty));
        let mut positions: Vec<Pos> = match &e.kind {
            ast::ExprKind::Index { indices, .. } => indices.iter().map(Expr::start).collect(),
            _ => Vec::new(),
        };
        positions.resize(tparams.len(), e.start());
        self.later(move |c| {
            c.verify_instance(&tparams, &targs, &positions);
        });
        x.ty = ty;
        x.mode = Mode::Value;
    }
}
