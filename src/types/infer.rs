//! Type inference: the type arguments that an instantiation leaves out.
//!
//! Typed arguments come first, then constraints with a core type and those with methods, then
//! untyped constants with their default types; found types may mention other type parameters and
//! are resolved at the end.
//!
//! Go: go/types (infer.go). Spec: Type inference.

use super::operand::{Operand, Target};
use super::unify::{Likeness, Solution, Unifier};
use super::*;
use syntax::ast::{Expr, ExprKind};

/// What is given for a parameter.
pub(super) struct Argument {
    pub ty: TypeId,
    pub pos: Pos,
    /// As messages show it.
    pub what: Shown,
    pub is_nil: bool,
}

pub(super) enum Shown {
    Expr(&'static Expr),
    Name(Symbol),
}

impl Argument {
    pub(super) fn of(x: &Operand) -> Argument {
        Argument {
            ty: x.ty,
            pos: x.pos(),
            what: match x.expr {
                Some(e) => Shown::Expr(e),
                None => Shown::Name(Symbol::new("")),
            },
            is_nil: x.is_nil(),
        }
    }
}

/// An error, and where.
type Refusal = (Pos, String);

impl Checker {
    /// The type arguments for which the arguments fit the parameters. `given` are those that are
    /// known; the type parameters stand for nothing else (see [`Checker::rename_tparams`]). In
    /// `reverse` it is the parameters that are written in the program. What cannot be inferred as a
    /// whole is at `pos`.
    pub(super) fn infer(
        &mut self,
        pos: Pos,
        tparams: &[TypeId],
        given: Vec<Option<TypeId>>,
        params: &[TypeId],
        args: &[Argument],
        reverse: bool,
    ) -> Result<Vec<TypeId>, Refusal> {
        let known: Vec<TypeId> = tparams
            .iter()
            .zip(&given)
            .map(|(&t, g)| g.unwrap_or(t))
            .collect();
        let params: Vec<TypeId> = params
            .iter()
            .map(|&p| self.subst(p, tparams, &known))
            .collect();
        let sees_methods = self.allows(pos, 21);
        let mut solution = Solution {
            tparams: tparams.to_vec(),
            found: given,
        };
        let mut untyped: Vec<usize> = Vec::new();
        for (i, arg) in args.iter().enumerate() {
            if !self.mentions(params[i], tparams) && !self.mentions(arg.ty, tparams) {
                continue;
            }
            if self.is_untyped(arg.ty) {
                if self.is_type_param(params[i]) && !arg.is_nil {
                    untyped.push(i);
                }
                continue;
            }
            let mut u = Unifier::new(self, &mut solution, sees_methods);
            if !u.unify(params[i], arg.ty, Likeness::Assignable) {
                return Err((arg.pos, self.mismatch(arg, params[i], &solution, reverse)));
            }
        }
        self.infer_from_constraints(&mut solution, sees_methods)
            .map_err(|why| (pos, why))?;
        // The largest kind of the untyped constants given for a parameter.
        let mut kinds: Vec<(usize, TypeId)> = Vec::new();
        for i in untyped {
            let param = self.unalias(params[i]);
            let Some(at) = solution
                .index(param)
                .filter(|&at| solution.at(at).is_none())
            else {
                continue;
            };
            let ty = args[i].ty;
            match kinds.iter_mut().find(|k| k.0 == at) {
                None => kinds.push((at, ty)),
                Some((_, kind)) if *kind == ty => {}
                Some((_, kind))
                    if self.is_untyped_numeric(*kind) && self.is_untyped_numeric(ty) =>
                {
                    *kind = TypeId(kind.0.max(ty.0));
                }
                Some((_, kind)) => {
                    let (a, b, p) = (self.ts(*kind), self.ts(ty), self.ts(param));
                    let why = format!("mismatched types {a} and {b} (cannot infer {p})");
                    return Err((args[i].pos, why));
                }
            }
        }
        for (at, kind) in kinds {
            let ty = self.default_type(kind);
            solution.set(at, ty);
        }
        let found = self.resolve_found(&solution);
        let is_open = |&i: &usize| found[i].is_none_or(|t| self.mentions(t, tparams));
        if let Some(i) = (0..found.len()).find(is_open) {
            let Type::TypeParam(p) = self.types.get(tparams[i]) else {
                return Err((pos, "cannot infer type arguments".into()));
            };
            let o = self.obj(p.obj);
            let at = self.ps(o.pos);
            return Err((pos, format!("cannot infer {} (declared at {at})", o.name)));
        }
        Ok(found.into_iter().flatten().collect())
    }

    /// The message for an argument that does not match its parameter.
    fn mismatch(
        &mut self,
        arg: &Argument,
        param: TypeId,
        solution: &Solution,
        reverse: bool,
    ) -> String {
        let (t, p) = (self.ts(arg.ty), self.ts(param));
        let what = match arg.what {
            Shown::Expr(e) => self.es(e),
            Shown::Name(name) => name.to_string(),
        };
        let found = solution.all();
        if found.iter().all(Option::is_none) {
            let names: Vec<String> = solution.tparams.iter().map(|&t| self.ts(t)).collect();
            let names = match &names[..] {
                [] => String::new(),
                [one] => one.clone(),
                [a, b] => format!("{a} and {b}"),
                [first @ .., last] => format!("{}, and {last}", first.join(", ")),
            };
            return format!("type {t} of {what} does not match {p} (cannot infer {names})");
        }
        let known: Vec<TypeId> = solution
            .tparams
            .iter()
            .zip(found)
            .map(|(&t, f)| f.unwrap_or(t))
            .collect();
        let inferred = self.subst(param, &solution.tparams, &known);
        let i = self.ts(inferred);
        match (inferred != param, reverse) {
            (false, _) => format!("type {t} of {what} does not match {p}"),
            (true, true) => format!("inferred type {i} for {p} does not match type {t} of {what}"),
            (true, false) => format!("type {t} of {what} does not match inferred type {i} for {p}"),
        }
    }

    /// Uses core types of constraints, and methods, until nothing new is learnt.
    fn infer_from_constraints(
        &mut self,
        solution: &mut Solution,
        sees_methods: bool,
    ) -> Result<(), String> {
        loop {
            let before = solution.unknowns();
            for i in 0..solution.tparams.len() {
                let t = solution.tparams[i];
                let Type::TypeParam(tp) = self.types.get(t) else {
                    continue;
                };
                let constraint = tp.constraint;
                let have = solution.at(i);
                let refused = |c: &Checker, have, cause: &str| {
                    let (n, h, c) = (c.ts(t), c.ts(have), c.ts(constraint));
                    format!("{n} (type {h}) does not satisfy {c}{cause}")
                };
                match (have, self.core_term(t)) {
                    (Some(have), Some((core, _))) => {
                        let mut u = Unifier::new(self, solution, sees_methods);
                        if !u.unify(have, core, Likeness::Loose) {
                            return Err(refused(self, have, ""));
                        }
                    }
                    (None, Some((core, true))) => solution.set(i, core),
                    _ => {}
                }
                // One that mentions type parameters has not got its own methods yet.
                if let Some(have) = have
                    && !self.mentions(have, &solution.tparams)
                {
                    let mut u = Unifier::new(self, solution, sees_methods);
                    if let Some(m) = u.missing_method(constraint, have) {
                        let cause = self.missing_cause(&m, have, constraint);
                        return Err(refused(self, have, &format!(" {cause}")));
                    }
                }
            }
            if solution.unknowns() == before {
                return Ok(());
            }
        }
    }

    /// The core type of a type parameter, and whether it admits that type alone.
    fn core_term(&self, t: TypeId) -> Option<(TypeId, bool)> {
        if let Some([one]) = self.type_set(self.under(t)).terms.as_deref() {
            return Some((one.ty, !one.tilde));
        }
        Some((self.core_type(t)?, false))
    }

    /// What was found, with type parameters inside replaced by what these were found to be. One
    /// that leads to itself is open.
    fn resolve_found(&mut self, solution: &Solution) -> Vec<Option<TypeId>> {
        let tparams = &solution.tparams;
        let mut found = solution.all();
        for i in 0..found.len() {
            if self.leads_to(i, i, tparams, &found, &mut Vec::new()) {
                found[i] = None;
            }
        }
        loop {
            let known: Vec<TypeId> = tparams
                .iter()
                .zip(&found)
                .map(|(&t, f)| f.unwrap_or(t))
                .collect();
            let mut changed = false;
            for f in found.iter_mut().flatten() {
                let mut new = self.subst(*f, tparams, &known);
                changed |= new != *f;
                // A generic function is none any more once its type parameters are known.
                if let Type::Signature(s) = self.types.get(new)
                    && !s.tparams.is_empty()
                    && !self.mentions(new, tparams)
                {
                    let mut s = s.clone();
                    s.tparams.clear();
                    new = self.prog.types.add(Type::Signature(s));
                }
                *f = new;
            }
            if !changed {
                return found;
            }
        }
    }

    /// Does what was found of type parameter `from` mention type parameter `to`, at once or by way
    /// of others?
    fn leads_to(
        &self,
        from: usize,
        to: usize,
        tparams: &[TypeId],
        found: &[Option<TypeId>],
        seen: &mut Vec<usize>,
    ) -> bool {
        let Some(ty) = found[from] else {
            return false;
        };
        if self.mentions(ty, &[tparams[to]]) {
            return true;
        }
        (0..tparams.len()).any(|i| {
            if seen.contains(&i) || !self.mentions(ty, &[tparams[i]]) {
                return false;
            }
            seen.push(i);
            self.leads_to(i, to, tparams, found, seen)
        })
    }

    /// The type arguments in brackets after a generic function, if they are valid and not too many.
    pub(super) fn type_arguments(
        &mut self,
        x: &Operand,
        indices: &'static [Expr],
    ) -> Option<Vec<TypeId>> {
        let targs: Vec<TypeId> = indices.iter().map(|i| self.var_type(i)).collect();
        if targs.iter().any(|&t| !self.is_valid(t)) {
            return None;
        }
        let want = self.sig(x.ty)?.tparams.len();
        if targs.len() > want {
            let got = targs.len();
            self.error(
                indices[want].start(),
                format!("got {got} type arguments but want {want}"),
            );
            return None;
        }
        Some(targs)
    }

    /// `f[T]` as a value.
    pub(super) fn instantiate_func_value(
        &mut self,
        e: &'static Expr,
        x: Operand,
        indices: &'static [Expr],
        target: Option<Target>,
    ) -> Operand {
        let Some(targs) = self.type_arguments(&x, indices) else {
            return Operand::invalid(e);
        };
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
        let sig = s.clone();
        let tparams = &sig.tparams;
        if !self.allows(e.pos, 21) {
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
        let mut targs = given;
        if targs.len() < tparams.len() {
            let at = e.pos;
            let mut given: Vec<Option<TypeId>> = targs.into_iter().map(Some).collect();
            given.resize(tparams.len(), None);
            // As if the target were given for a parameter of the function's type.
            let fresh = self.rename_tparams(tparams);
            let arg = target.map(|t| Argument {
                ty: t.ty,
                pos: at,
                what: Shown::Name(t.name),
                is_nil: false,
            });
            let param = self.subst_signature(&sig, tparams, &fresh);
            let param = self.prog.types.add(Type::Signature(Box::new(param)));
            let (params, args) = match arg {
                Some(arg) => (vec![param], vec![arg]),
                None => (Vec::new(), Vec::new()),
            };
            match self.infer(at, &fresh, given, &params, &args, true) {
                Ok(found) => targs = found,
                Err((pos, why)) => {
                    self.error(pos, why);
                    x.invalidate();
                    return;
                }
            }
        }
        x.ty = self.instantiate_function(e, &sig, targs, e.pos).0;
        x.mode = Mode::Value;
    }

    /// The instance of the generic function that `fun` denotes, with brackets or without: its type
    /// and signature. It is recorded, and will be verified. Type arguments that are not written
    /// are at `pos`.
    pub(super) fn instantiate_function(
        &mut self,
        fun: &'static Expr,
        sig: &Signature,
        targs: Vec<TypeId>,
        pos: Pos,
    ) -> (TypeId, Signature) {
        let inst = self.subst_signature(sig, &sig.tparams, &targs);
        let ty = self.prog.types.add(Type::Signature(Box::new(inst.clone())));
        let id = self.func_name_id(fun);
        self.prog.info.instances.insert(id, (targs.clone(), ty));
        let mut positions: Vec<Pos> = match &fun.unparen().kind {
            ExprKind::Index { indices, .. } => indices.iter().map(Expr::start).collect(),
            _ => Vec::new(),
        };
        positions.resize(targs.len(), pos);
        let tparams = sig.tparams.clone();
        self.later(move |c| {
            c.verify_instance(&tparams, &targs, &positions);
        });
        (ty, inst)
    }
}
