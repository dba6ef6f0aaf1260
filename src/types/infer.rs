//! Type inference: the type arguments that a call leaves out.
//!
//! Typed arguments come first, then constraints with a single underlying type, then untyped
//! constants with their default types; found types may mention other type parameters and are
//! resolved at the end.
//!
//! Go: go/types (infer.go). Spec: Type inference.

use super::operand::{Operand, Target};
use super::unify::Unifier;
use super::*;
use syntax::ast::Expr;

impl Checker {
    /// The type arguments of a call. `given` are the explicit ones.
    /// Reports what cannot be inferred.
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
        // A function may call itself: its parameters inside are not the ones to be found. What is
        // given counts as found from the start.
        let mut fresh = self.rename_tparams(tparams);
        let known: Vec<TypeId> = (0..fresh.len())
            .map(|i| given.get(i).copied().unwrap_or(fresh[i]))
            .collect();
        let params: Vec<TypeId> = params
            .iter()
            .map(|&p| self.subst(p, tparams, &known))
            .collect();
        // Those of generic functions given as arguments are looked for with them.
        let mut types: Vec<TypeId> = ops.iter().map(|x| x.ty).collect();
        for ty in &mut types {
            let Type::Signature(s) = self.types.get(*ty) else {
                continue;
            };
            if s.tparams.is_empty() {
                continue;
            }
            let sig = (**s).clone();
            let theirs = self.rename_tparams(&sig.tparams);
            let inst = self.subst_signature(&sig, &sig.tparams, &theirs);
            *ty = self.prog.types.add(Type::Signature(Box::new(inst)));
            fresh.extend(theirs);
        }
        let mut found: Vec<Option<TypeId>> = given.iter().map(|&t| Some(t)).collect();
        found.resize(fresh.len(), None);
        let f = self.es(fun);
        let mut untyped: Vec<usize> = Vec::new();
        for (i, x) in ops.iter().enumerate() {
            let param = params[i];
            if !self.mentions(param, &fresh) && !self.mentions(types[i], &fresh) {
                continue;
            }
            if self.is_untyped(x.ty) {
                if fresh.contains(&self.unalias(param)) && !x.is_nil() {
                    untyped.push(i);
                }
                continue;
            }
            let mut u = Unifier::new(&self.prog, &fresh, &found);
            u.sees_methods = self.allows(pos, 21);
            let ok = u.unify(param, types[i], false);
            found = u.found;
            if !ok {
                let what = x.expr.map_or(String::new(), |e| self.es(e));
                let msg = self.mismatch((x.ty, &what), param, &fresh, &found, false);
                self.error(x.pos(), format!("in call to {f}, {msg}"));
                return None;
            }
        }
        let call = format!("in call to {f}, ");
        if !self.infer_from_constraints(&fresh, &mut found, pos, &call) {
            return None;
        }
        // The largest kind of the untyped constants given for a parameter.
        let mut kinds: FxHashMap<TypeId, TypeId> = FxHashMap::default();
        for i in untyped {
            let param = self.unalias(params[i]);
            let Some(at) = fresh.iter().position(|&t| t == param) else {
                continue;
            };
            if inferred(&fresh, &found, at).is_some() {
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
                        format!("{call}mismatched types {a} and {b} (cannot infer {p})"),
                    );
                    return None;
                }
            };
            kinds.insert(param, kind);
        }
        for (param, kind) in kinds {
            if let Some(at) = fresh.iter().position(|&t| t == param) {
                let at = root(&fresh, &found, at);
                found[at] = Some(self.default_type(kind));
            }
        }
        self.resolve_found(&fresh, &mut found);
        if let Some(text) = self.cannot_infer(&fresh, &found) {
            self.error(pos, format!("{call}{text}"));
            return None;
        }
        found.truncate(tparams.len());
        Some(found.into_iter().flatten().collect())
    }

    /// What is said of the first type parameter that is still open.
    fn cannot_infer(&self, tparams: &[TypeId], found: &[Option<TypeId>]) -> Option<String> {
        let is_open = |f: &Option<TypeId>| f.is_none_or(|t| self.mentions(t, tparams));
        let open = tparams[found.iter().position(is_open)?];
        let Type::TypeParam(p) = self.types.get(open) else {
            return Some("cannot infer type arguments".into());
        };
        let o = self.obj(p.obj);
        let at = self.ps(o.pos);
        Some(format!("cannot infer {} (declared at {at})", o.name))
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

    /// The message for an argument, its type and text given, that does not match its parameter. In
    /// `reverse` it is the parameter that is written in the program.
    fn mismatch(
        &mut self,
        (ty, what): (TypeId, &str),
        param: TypeId,
        fresh: &[TypeId],
        found: &[Option<TypeId>],
        reverse: bool,
    ) -> String {
        let (t, p) = (self.ts(ty), self.ts(param));
        let known: Vec<Option<TypeId>> = (0..fresh.len())
            .map(|i| inferred(fresh, found, i))
            .collect();
        if known.iter().all(Option::is_none) {
            let names: Vec<String> = fresh.iter().map(|&t| self.ts(t)).collect();
            let names = match names.len() {
                0 => String::new(),
                1 => names[0].clone(),
                2 => format!("{} and {}", names[0], names[1]),
                n => format!("{}, and {}", names[..n - 1].join(", "), names[n - 1]),
            };
            return format!("type {t} of {what} does not match {p} (cannot infer {names})");
        }
        let known: Vec<TypeId> = fresh
            .iter()
            .zip(known)
            .map(|(&t, f)| f.unwrap_or(t))
            .collect();
        let inferred = self.subst(param, fresh, &known);
        let i = self.ts(inferred);
        match (inferred != param, reverse) {
            (false, _) => format!("type {t} of {what} does not match {p}"),
            (true, true) => format!("inferred type {i} for {p} does not match type {t} of {what}"),
            (true, false) => format!("type {t} of {what} does not match inferred type {i} for {p}"),
        }
    }

    /// Uses constraints with a single underlying type, and methods, until nothing new is learnt.
    /// `call` begins the messages.
    fn infer_from_constraints(
        &mut self,
        tparams: &[TypeId],
        found: &mut Vec<Option<TypeId>>,
        pos: Pos,
        call: &str,
    ) -> bool {
        loop {
            let unknowns = |found: &[Option<TypeId>]| {
                (0..found.len())
                    .filter(|&i| inferred(tparams, found, i).is_none())
                    .count()
            };
            let before = unknowns(found);
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
                    match inferred(tparams, found, i) {
                        Some(have) => {
                            // What is known is compared with the core type:
                            // exactly if it has no tilde.
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
                                    format!("{call}{n} (type {h}) does not satisfy {c}"),
                                );
                                return false;
                            }
                            let keep = found[i];
                            *found = new;
                            found[i] = keep;
                        }
                        None => {
                            if single.is_some() {
                                let at = root(tparams, found, i);
                                found[at] = single;
                            }
                        }
                    }
                }
                if let Some(have) = inferred(tparams, found, i)
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
                        self.error(pos, format!("{call}{why}"));
                        return false;
                    }
                }
            }
            if unknowns(found) == before {
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
        target: Option<Target>,
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
        target: Target,
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
        target: Option<Target>,
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
            let at = match &e.kind {
                ast::ExprKind::Index { .. } => e.pos,
                _ => e.start(),
            };
            let fresh = self.rename_tparams(&tparams);
            if let Some(t) = target {
                let known = found.iter().zip(&fresh);
                let known: Vec<TypeId> = known.map(|(f, &t)| f.unwrap_or(t)).collect();
                let inst = self.subst_signature(&sig, &tparams, &known);
                let inst = self.prog.types.add(Type::Signature(Box::new(inst)));
                let mut u = Unifier::new(&self.prog, &fresh, &found);
                let ok = u.unify(inst, t.ty, false);
                found = u.found;
                if !ok {
                    let msg = self.mismatch((t.ty, t.name.as_str()), inst, &fresh, &found, true);
                    self.error(at, msg);
                    x.invalidate();
                    return;
                }
            }
            if !self.infer_from_constraints(&fresh, &mut found, at, "") {
                x.invalidate();
                return;
            }
            self.resolve_found(&fresh, &mut found);
            if let Some(text) = self.cannot_infer(&fresh, &found) {
                self.error(at, text);
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

/// What the type parameter numbered `i` has been found to be, if anything:
/// one that it is joined with is nothing yet.
fn inferred(tparams: &[TypeId], found: &[Option<TypeId>], i: usize) -> Option<TypeId> {
    found[root(tparams, found, i)]
}

/// The one that stands for the type parameter numbered `i` and those it is joined with.
pub(super) fn root(tparams: &[TypeId], found: &[Option<TypeId>], mut i: usize) -> usize {
    while let Some(next) = found[i].and_then(|t| tparams.iter().position(|&p| p == t)) {
        i = next;
    }
    i
}
