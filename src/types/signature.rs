//! Function types: parameters, results and receivers.
//!
//! A method's receiver is where its type parameters are declared,
//! and says whether the type may have methods.
//!
//! Go: go/types/signature.go. Spec: Function types, Method declarations.

use super::typexpr::measure;
use super::*;
use syntax::ast::{Expr, ExprKind, FuncSig, ParamType};

impl Checker {
    /// A function's type; parameters are declared in the present scope.
    pub(super) fn func_type(
        &mut self,
        sig: &'static FuncSig,
        recv: Option<&'static ast::Param>,
        tparams: &'static [ast::TypeParam],
        func: Option<ObjId>,
    ) -> TypeId {
        let saved = self.env.scope;
        if recv.is_none() && func.is_none() && tparams.is_empty() {
            self.env.scope = Some(self.prog.scopes.add(saved));
        }
        let t = self.func_type_here(sig, recv, tparams, func);
        self.env.scope = saved;
        t
    }

    /// As [`func_type`](Self::func_type), declaring the parameters in the present scope.
    pub(super) fn func_type_here(
        &mut self,
        sig: &'static FuncSig,
        recv: Option<&'static ast::Param>,
        tparams: &'static [ast::TypeParam],
        func: Option<ObjId>,
    ) -> TypeId {
        let mut s = Signature::default();
        if let Some(r) = recv {
            s.recv = Some(self.receiver(r));
        }
        if !tparams.is_empty() {
            s.tparams = self.collect_tparams(tparams, |_, _| {});
        }
        if let Some(func) = func {
            let so_far = Type::Signature(Box::new(s.clone()));
            self.prog.objs.get_mut(func).ty = self.prog.types.add(so_far);
        }
        let (params, variadic) = self.params(&sig.params, true);
        let (results, _) = self.params(&sig.results, false);
        s.params = params;
        s.variadic = variadic;
        s.results = results;
        // Declared together, so that all names are known before any clash is reported.
        let scope = self.scope();
        let idents: Vec<Option<ast::Ident>> = recv
            .iter()
            .map(|p| p.name)
            .chain(sig.params.iter().map(|p| p.name))
            .chain(sig.results.iter().map(|p| p.name))
            .collect();
        let vars: Vec<ObjId> = s
            .recv
            .iter()
            .chain(&s.params)
            .chain(&s.results)
            .copied()
            .collect();
        for (name, &v) in idents.iter().zip(&vars) {
            if let Some(n) = name {
                self.declare(scope, Some(n.id), v);
            }
        }
        self.prog.types.add(Type::Signature(Box::new(s)))
    }

    fn params(&mut self, list: &'static [ast::Param], variadic_ok: bool) -> (Vec<ObjId>, bool) {
        let mut types: Vec<TypeId> = vec![TypeId::INVALID; list.len()];
        let mut variadic = false;
        let mut next = TypeId::INVALID;
        // From the right, since grouped names take the type of the one that follows;
        // but types are checked in order.
        for (i, p) in list.iter().enumerate() {
            if let ParamType::Own(e) = &p.ty {
                let mut t = self.var_type(e);
                if p.variadic {
                    if variadic_ok && i + 1 == list.len() {
                        variadic = true;
                    } else {
                        self.error(p.pos, "can only use ... with final parameter in list");
                    }
                    if self.is_valid(t) || matches!(self.types.get(t), Type::Alias { .. }) {
                        t = self.prog.types.slice(t);
                    }
                }
                types[i] = t;
            }
        }
        for i in (0..list.len()).rev() {
            match list[i].ty {
                ParamType::Own(_) => next = types[i],
                ParamType::SameAsNext => types[i] = next,
            }
        }
        let vars = list
            .iter()
            .zip(types)
            .map(|(p, t)| {
                let (name, pos) = match p.name {
                    Some(n) => (n.name, n.pos),
                    None => (Symbol::new(""), p.pos),
                };
                self.new_param(name, pos, t)
            })
            .collect();
        (vars, variadic)
    }

    pub(super) fn new_param(&mut self, name: Symbol, pos: Pos, ty: TypeId) -> ObjId {
        let info = VarInfo {
            is_param: true,
            used: true,
            func_depth: self.env.func_depth,
            ..VarInfo::default()
        };
        self.new_obj(ObjKind::Var(info), name, pos, ty)
    }

    /// The receiver parameter of a method declaration.
    fn receiver(&mut self, r: &'static ast::Param) -> ObjId {
        let (name, pos) = match r.name {
            Some(n) => (n.name, n.pos),
            None => (Symbol::new(""), r.pos),
        };
        let ParamType::Own(e) = &r.ty else {
            return self.new_param(name, pos, TypeId::INVALID);
        };
        let mut base = e.unparen();
        let mut ptr = None;
        if let ExprKind::Star(x) = &base.kind {
            ptr = Some(base);
            base = x.unparen();
        }
        let ty = if let ExprKind::Index { x, indices } = &base.kind {
            let t = self.generic_receiver(x, indices, base);
            match ptr {
                Some(p) if self.is_valid(t) => {
                    let t = self.prog.types.pointer(t);
                    self.record(p.id, Mode::Type, t, None);
                    t
                }
                _ => t,
            }
        } else {
            let ty = self.var_type(e);
            self.plain_receiver(ty, base.start())
        };
        let obj = self.new_param(name, pos, ty);
        let at = base.start();
        self.later(move |c| c.valid_receiver(ty, at));
        obj
    }

    /// The type of a receiver without type parameters: invalid if it is an alias of an instance,
    /// which has no methods of its own.
    fn plain_receiver(&mut self, ty: TypeId, pos: Pos) -> TypeId {
        let mut t = ty;
        loop {
            t = self.deref_all(t);
            let Type::Alias { target, .. } = self.types.get(t) else {
                return ty;
            };
            t = self.deref_all(*target);
            let is_instance = match self.types.get(t) {
                Type::Named(n) => n.origin.is_some() || !n.tparams.is_empty(),
                Type::Alias { targs, .. } => !targs.is_empty(),
                _ => false,
            };
            if is_instance {
                let t = self.ts(t);
                let text = format!("cannot define new methods on instantiated type {t}");
                self.error(pos, text);
                return TypeId::INVALID;
            }
        }
    }

    /// What is left of a type without the pointers around it.
    fn deref_all(&self, mut t: TypeId) -> TypeId {
        while let Type::Pointer(p) = self.types.get(t) {
            t = *p;
        }
        t
    }

    /// `T[P, Q]` of a receiver declares P and Q.
    fn generic_receiver(
        &mut self,
        x: &'static Expr,
        indices: &'static [Expr],
        base: &'static Expr,
    ) -> TypeId {
        let (generic, cause) = self.generic_type(x);
        if let Some(cause) = cause {
            self.error(x.start(), cause);
            return TypeId::INVALID;
        }
        let Type::Named(n) = self.types.get(generic) else {
            if self.is_valid(generic) {
                let tparams = &self.alias_tparams[&generic];
                let t = self.generic_string(generic, tparams, self.rel());
                self.error(
                    x.start(),
                    format!("cannot define new methods on generic alias type {t}"),
                );
            }
            return TypeId::INVALID;
        };
        let want = n.tparams.clone();
        let scope = self.scope();
        let mut mine = Vec::new();
        for e in indices {
            let ExprKind::Name(name) = e.kind else {
                let s = self.es(e);
                self.error(
                    e.start(),
                    format!("receiver type parameter {s} must be an identifier"),
                );
                continue;
            };
            let ident = ast::Ident {
                pos: e.pos,
                name,
                id: e.id,
            };
            let ty = self.declare_tparam(scope, ident);
            self.record(e.id, Mode::Type, ty, None);
            mine.push(ty);
        }
        if mine.len() != want.len() {
            if mine.len() == indices.len() {
                let (got, n) = (mine.len(), want.len());
                self.error(
                    x.start(),
                    format!(
                        "receiver declares {}, but receiver base type declares {n}",
                        measure(got, "type parameter")
                    ),
                );
            }
            return TypeId::INVALID;
        }
        for (&m, &w) in mine.iter().zip(&want) {
            let Type::TypeParam(p) = self.types.get(w) else {
                continue;
            };
            let c = p.constraint;
            let c = self.subst(c, &want, &mine);
            if let Type::TypeParam(p) = self.prog.types.get_mut(m) {
                p.constraint = c;
            }
        }
        self.mono_same(&mine, &want);
        self.requires(x.start(), 18, "type instantiation");
        let inst = self.instantiate(generic, &mine);
        self.record(base.id, Mode::Type, inst, None);
        inst
    }

    /// Methods may be declared on defined types of this package that are no pointers or interfaces.
    fn valid_receiver(&mut self, ty: TypeId, pos: Pos) {
        let base = self.deref(ty).unwrap_or(ty);
        if !self.is_valid(base) {
            return;
        }
        let t = self.ts(base);
        match self.types.get(self.unalias(base)) {
            Type::Named(n) => {
                if self.obj(n.obj).pkg != self.env.pkg {
                    self.error(
                        pos,
                        format!("cannot define new methods on non-local type {t}"),
                    );
                    return;
                }
                let cause = match self.under_type(base) {
                    Type::Basic(Basic::UnsafePointer) => "unsafe.Pointer",
                    Type::Pointer(_) | Type::Interface(_) => "pointer or interface type",
                    _ => return,
                };
                self.error(pos, format!("invalid receiver type {t} ({cause})"));
            }
            Type::Basic(_) => {
                self.error(
                    pos,
                    format!("cannot define new methods on non-local type {t}"),
                );
            }
            _ => {
                let t = self.ts(ty);
                self.error(pos, format!("invalid receiver type {t}"));
            }
        }
    }
}
