//! Type expressions, and what names denote.
//!
//! Go: go/types (typexpr.go, signature.go, struct.go, interface.go, union.go). Spec: Types.

use super::operand::Operand;
use super::*;
use crate::ast::{BinOp, Expr, ExprKind, FuncSig, ParamType, UnOp};

impl Checker {
    /// What a name denotes, as an operand. `want_type` chooses the wording of errors.
    pub(super) fn ident(
        &mut self,
        id: NodeId,
        pos: Pos,
        name: Symbol,
        e: &'static Expr,
        want_type: bool,
    ) -> Operand {
        let mut x = Operand::invalid(e);
        if name.as_str().is_empty() {
            return x;
        }
        if name.is_blank() {
            self.error(pos, "cannot use _ as value or type");
            return x;
        }
        let Some((scope, obj)) = self.find_name(name) else {
            self.error(pos, format!("undefined: {name}"));
            return x;
        };
        self.record_use(id, obj);
        let o = self.obj(obj);
        if want_type {
            let word = match &o.kind {
                ObjKind::TypeName { .. } => None,
                ObjKind::PkgName { .. } => Some("package name"),
                ObjKind::Const(_) => Some("constant"),
                ObjKind::Var(v) if v.is_global => Some("package-level variable"),
                ObjKind::Var(v) if v.is_param => Some(self.param_word(obj)),
                ObjKind::Var(_) => Some("local variable"),
                ObjKind::Func(_) => Some("function"),
                ObjKind::Builtin(_) => Some("built-in function"),
                ObjKind::Nil => Some("untyped nil"),
                ObjKind::Label => Some("label"),
            };
            if let Some(word) = word {
                self.mark_used(obj);
                self.error(pos, format!("{name} ({word}) is not a type"));
                return x;
            }
        }
        // A name found in a file's scope that belongs to another package came by a dot-import.
        let (parent, pkg, color) = (o.parent, o.pkg, o.color);
        if parent != Some(scope)
            && let Some(p) = pkg
        {
            if let Some(&import) = self.dot_imports.get(&(scope, p)) {
                self.use_package(import);
            }
        }
        if color != Color::Black {
            self.obj_decl(obj);
        }
        let o = self.obj(obj);
        let ty = o.ty;
        match &o.kind {
            ObjKind::PkgName { .. } => {
                self.error(pos, format!("use of package {name} not in selector"));
            }
            ObjKind::Const(value) => {
                let value = value.clone();
                self.add_dep(obj);
                if !self.is_valid(ty) {
                    return x;
                }
                x.mode = Mode::Constant;
                x.ty = ty;
                if o_is_iota(self, obj) {
                    match self.env.iota {
                        Some(i) => x.val = Some(ConstValue::Int(i)),
                        None => {
                            self.error(pos, "cannot use iota outside constant declaration");
                            return Operand::invalid(e);
                        }
                    }
                } else {
                    if value.is_unknown() {
                        return Operand::invalid(e);
                    }
                    x.val = Some(value);
                }
            }
            ObjKind::TypeName { .. } => {
                if !self.is_valid_alias_target(ty) {
                    return x;
                }
                x.mode = Mode::Type;
                x.ty = ty;
            }
            ObjKind::Var(v) => {
                let depth = v.func_depth;
                let is_global = v.is_global;
                self.mark_used(obj);
                self.add_dep(obj);
                if !is_global {
                    self.capture(obj, depth);
                }
                if !self.is_valid(ty) {
                    return x;
                }
                x.mode = Mode::Variable;
                x.ty = ty;
            }
            ObjKind::Func(_) => {
                self.add_dep(obj);
                if !self.is_valid(ty) {
                    return x;
                }
                x.mode = Mode::Value;
                x.ty = ty;
            }
            ObjKind::Builtin(b) => {
                x.builtin = Some(*b);
                x.mode = Mode::Builtin;
            }
            ObjKind::Nil => {
                x.mode = Mode::Nil;
                x.ty = TypeId::UNTYPED_NIL;
            }
            ObjKind::Label => {}
        }
        x
    }

    fn param_word(&self, obj: ObjId) -> &'static str {
        match self.env.sig.and_then(|s| self.sig(s)) {
            Some(s) if s.recv == Some(obj) => "receiver",
            Some(s) if s.results.contains(&obj) => "result variable",
            _ => "parameter",
        }
    }

    /// An alias whose target is not known yet may still be named; one in error may not.
    fn is_valid_alias_target(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            Type::Alias { obj, .. } if self.obj(*obj).color != Color::Black => true,
            _ => self.is_valid(ty),
        }
    }

    pub(super) fn mark_used(&mut self, obj: ObjId) {
        // Variables of other packages are left alone.
        if let Some(v) = self.prog.objs.var_mut(obj) {
            v.used = true;
        }
    }

    /// Notes that function literals around the place mention an outer local variable.
    fn capture(&mut self, obj: ObjId, depth: u32) {
        if depth >= self.env.func_depth {
            return;
        }
        if let Some(v) = self.prog.objs.var_mut(obj) {
            v.captured = true;
        }
        for lit in self.lits.iter_mut().rev() {
            if lit.depth <= depth {
                break;
            }
            lit.captured.insert(obj);
        }
    }

    /// The type of a variable, field or parameter: constraints are refused.
    pub(super) fn var_type(&mut self, e: &'static Expr) -> TypeId {
        let t = self.typ(e);
        self.refuse_constraint(t, e.start());
        t
    }

    /// Complains (once types are complete) if the type may only be a constraint.
    fn refuse_constraint(&mut self, t: TypeId, pos: Pos) {
        // Cheap exclusion: only named types and interface literals can be meant.
        if !matches!(
            self.types.get(t),
            Type::Named(_) | Type::Interface(_) | Type::Alias { .. }
        ) {
            return;
        }
        if t == TypeId::ANY || t == TypeId::ERROR {
            return;
        }
        if matches!(self.types.get(t), Type::Named(n) if n.complete && !matches!(self.types.get(n.underlying), Type::Interface(_)))
        {
            return;
        }
        self.later(move |c| {
            if c.is_type_param(t)
                || !matches!(c.under_type(t), Type::Interface(_))
                || !c.is_constraint_only(t)
            {
                return;
            }
            c.not_for_values(t, pos);
        });
    }

    /// Complains of a constraint where a type of values is wanted.
    fn not_for_values(&mut self, t: TypeId, pos: Pos) {
        let why = if self.type_set(t).comparable {
            "interface is (or embeds) comparable"
        } else {
            "interface contains type constraints"
        };
        let name = self.ts(t);
        self.soft_error(
            pos,
            format!("cannot use type {name} outside a type constraint: {why}"),
        );
    }

    /// The type an expression denotes; generic types must be instantiated.
    pub(super) fn typ(&mut self, e: &'static Expr) -> TypeId {
        self.defined_type(e, None)
    }

    /// As [`typ`](Self::typ); the name says that it stands for a constraint, where any interface will do.
    pub(super) fn typ_any(&mut self, e: &'static Expr) -> TypeId {
        self.defined_type(e, None)
    }

    /// The type on the right of the declaration of `def`.
    pub(super) fn defined_type(&mut self, e: &'static Expr, def: Option<ObjId>) -> TypeId {
        let t = self.typ_internal(e, def);
        let t = self.not_generic(e, t);
        self.record(e.id, Mode::Type, t, None);
        t
    }

    /// A type that may be generic: what is instantiated.
    pub(super) fn generic_type(&mut self, e: &'static Expr) -> (TypeId, Option<String>) {
        let t = self.typ_internal(e, None);
        let mut cause = None;
        if self.is_valid(t) && !self.is_generic_type(t) {
            cause = Some(format!("{} is not a generic type", self.ts(t)));
        }
        self.record(e.id, Mode::Type, t, None);
        (t, cause)
    }

    /// A generic named type or alias.
    pub(super) fn is_generic_type(&self, t: TypeId) -> bool {
        match self.types.get(t) {
            Type::Alias { targs, .. } => targs.is_empty() && self.alias_tparams.contains_key(&t),
            Type::Named(n) => !n.tparams.is_empty() && n.targs.is_empty(),
            _ => false,
        }
    }

    /// Complains about a generic type without arguments.
    pub(super) fn not_generic(&mut self, e: &'static Expr, t: TypeId) -> TypeId {
        if !self.is_generic_type(t) {
            return t;
        }
        let name = self.ts(t);
        self.error(
            e.start(),
            format!("cannot use generic type {name} without instantiation"),
        );
        TypeId::INVALID
    }

    fn typ_internal(&mut self, e: &'static Expr, def: Option<ObjId>) -> TypeId {
        if crate::nesting::is_low() {
            self.error(e.start(), "type nested too deeply");
            return TypeId::INVALID;
        }
        match &e.kind {
            ExprKind::Bad => {}
            ExprKind::Name(name) => {
                let x = self.ident(e.id, e.pos, *name, e, true);
                return self.type_operand(e, x);
            }
            ExprKind::Selector { .. } => {
                let x = self.selector(e, true);
                return self.type_operand(e, x);
            }
            ExprKind::Index { x, indices } => return self.instantiated_type(e, x, indices),
            ExprKind::Paren(x) => return self.defined_type(x, def),
            ExprKind::ArrayType { len, elem } => {
                let n = match len {
                    Some(n) => self.array_length(n),
                    None => {
                        self.error(
                            e.start(),
                            "invalid use of [...] array (outside a composite literal)",
                        );
                        -1
                    }
                };
                let elem = self.var_type(elem);
                if n >= 0 {
                    return self.prog.types.array(n, elem);
                }
            }
            ExprKind::SliceType(elem) => {
                let elem = self.var_type(elem);
                return self.prog.types.slice(elem);
            }
            ExprKind::Star(x) => {
                let base = self.var_type(x);
                if !self.is_valid_alias_target(base) {
                    return TypeId::INVALID;
                }
                return self.prog.types.pointer(base);
            }
            ExprKind::FuncType(sig) => return self.func_type(sig, None, &[], None),
            ExprKind::StructType { fields } => return self.struct_type(fields),
            ExprKind::InterfaceType { elems } => return self.interface_type(elems, def),
            ExprKind::MapType { key, value } => {
                let k = self.var_type(key);
                let v = self.var_type(value);
                let pos = key.start();
                if matches!(self.under_type(k), Type::Basic(b) if *b != Basic::Invalid) {
                    return self.prog.types.map(k, v);
                }
                self.later(move |c| {
                    if !c.is_valid(k) || c.comparable(k) {
                        return;
                    }
                    let mut why = String::new();
                    if c.is_type_param(k) {
                        why = " (missing comparable constraint)".into();
                    }
                    let t = c.ts(k);
                    c.error(pos, format!("invalid map key type {t}{why}"));
                });
                return self.prog.types.map(k, v);
            }
            ExprKind::ChanType { dir, elem } => {
                let elem = self.var_type(elem);
                return self.prog.types.chan(*dir, elem);
            }
            _ => {
                let s = self.es(e);
                self.error(e.start(), format!("{s} is not a type"));
                self.use_expr(e);
            }
        }
        TypeId::INVALID
    }

    fn type_operand(&mut self, _e: &'static Expr, x: Operand) -> TypeId {
        match x.mode {
            Mode::Type => return x.ty,
            Mode::Invalid => {}
            Mode::NoValue => {
                let s = self.os(&x);
                self.error(x.pos(), format!("{s} used as type"));
            }
            _ => {
                let s = self.os(&x);
                self.error(x.pos(), format!("{s} is not a type"));
            }
        }
        TypeId::INVALID
    }

    fn array_length(&mut self, e: &'static Expr) -> i64 {
        // A name that is no constant is likely a parameter of a generic type gone wrong.
        if let ExprKind::Name(name) = e.kind {
            match self.find_name(name) {
                None => {
                    self.error(
                        e.pos,
                        format!("undefined array length {name} or missing type constraint"),
                    );
                    return -1;
                }
                Some((_, obj)) if !matches!(self.obj(obj).kind, ObjKind::Const(_)) => {
                    self.mark_used(obj);
                    self.record_use(e.id, obj);
                    self.error(e.pos, format!("invalid array length {name}"));
                    return -1;
                }
                _ => {}
            }
        }
        let x = self.expr(e, None);
        if !x.is_const() {
            if !x.is_invalid() {
                let s = self.os(&x);
                self.error(x.pos(), format!("array length {s} must be constant"));
            }
            return -1;
        }
        if (self.is_untyped(x.ty) || self.is_integer(x.ty))
            && let Some(v) = x.value().to_int()
        {
            if self.representable_value(&v, Basic::Int).is_some() {
                if let Some(n) = v.as_i64() {
                    if n >= 0 {
                        return n;
                    }
                }
            }
        }
        let s = self.os(&x);
        let msg = if self.is_integer(x.ty) {
            format!("invalid array length {s}")
        } else {
            format!("array length {s} must be integer")
        };
        self.error(x.pos(), msg);
        -1
    }

    /// `G[T1, T2]` as a type.
    fn instantiated_type(
        &mut self,
        e: &'static Expr,
        x: &'static Expr,
        indices: &'static [Expr],
    ) -> TypeId {
        let (generic, cause) = self.generic_type(x);
        if let Some(cause) = cause {
            let list: Vec<String> = indices.iter().map(|i| self.es(i)).collect();
            let s = self.es(x);
            self.error(
                e.start(),
                format!("invalid operation: {s}[{}] ({cause})", list.join(", ")),
            );
            return TypeId::INVALID;
        }
        let targs: Vec<TypeId> = indices.iter().map(|i| self.typ(i)).collect();
        if !self.is_generic_type(generic) || targs.iter().any(|&t| !self.is_valid_alias_target(t)) {
            return TypeId::INVALID;
        }
        let tparams = match self.types.get(generic) {
            Type::Named(n) => n.tparams.clone(),
            _ => self.alias_tparams[&generic].clone(),
        };
        if tparams.len() != targs.len() {
            let (got, want) = (targs.len(), tparams.len());
            let name = match self.types.get(generic) {
                Type::Named(n) => self.obj(n.obj).name,
                Type::Alias { obj, .. } => self.obj(*obj).name,
                _ => Symbol::new(""),
            };
            let qual = if got < want { "not enough" } else { "too many" };
            self.error(
                e.start(),
                format!("{qual} type arguments for type {name}: have {got}, want {want}"),
            );
            return TypeId::INVALID;
        }
        let inst = self.instantiate(generic, &targs);
        let name_id = match &x.unparen().kind {
            ExprKind::Selector { sel, .. } => sel.id,
            _ => x.unparen().id,
        };
        self.prog
            .info
            .instances
            .insert(name_id, (targs.clone(), inst));
        let positions: Vec<Pos> = indices.iter().map(Expr::start).collect();
        self.later(move |c| {
            c.verify_instance(&tparams, &targs, &positions);
            c.valid_type(inst);
        });
        inst
    }

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
        let t = self.func_type_here(sig, recv, tparams);
        self.env.scope = saved;
        t
    }

    /// As [`func_type`](Self::func_type), declaring the parameters in the present scope.
    pub(super) fn func_type_here(
        &mut self,
        sig: &'static FuncSig,
        recv: Option<&'static ast::Param>,
        tparams: &'static [ast::TypeParam],
    ) -> TypeId {
        let mut s = Signature::default();
        if let Some(r) = recv {
            s.recv = Some(self.receiver(r));
        }
        if !tparams.is_empty() {
            s.tparams = self.collect_tparams(tparams, |_, _| {});
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
        // From the right, since grouped names take the type of the one that follows; but types are checked in order.
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
            self.var_type(e)
        };
        let obj = self.new_param(name, pos, ty);
        let at = base.start();
        self.later(move |c| c.valid_receiver(ty, at));
        obj
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
                let t = self.ts(generic);
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
        for (i, e) in indices.iter().enumerate() {
            let ExprKind::Name(name) = e.kind else {
                let s = self.es(e);
                self.error(
                    e.start(),
                    format!("receiver type parameter {s} must be an identifier"),
                );
                continue;
            };
            let obj = self.new_obj(
                ObjKind::TypeName { is_alias: false },
                name,
                e.pos,
                TypeId::INVALID,
            );
            let ty = self.prog.types.add(Type::TypeParam(Box::new(TypeParamType {
                obj,
                index: i as u32,
                constraint: TypeId::EMPTY_INTERFACE,
            })));
            self.prog.objs.get_mut(obj).ty = ty;
            self.declare(scope, Some(e.id), obj);
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

    fn struct_type(&mut self, fields: &'static [ast::Field]) -> TypeId {
        let mut types: Vec<TypeId> = vec![TypeId::INVALID; fields.len()];
        for (i, f) in fields.iter().enumerate() {
            if let ParamType::Own(e) = &f.ty {
                types[i] = if f.embedded {
                    self.typ(e)
                } else {
                    self.var_type(e)
                };
                if f.embedded {
                    self.embedded_field(types[i], e.start());
                }
            }
        }
        let mut next = TypeId::INVALID;
        for i in (0..fields.len()).rev() {
            match fields[i].ty {
                ParamType::Own(_) => next = types[i],
                ParamType::SameAsNext => types[i] = next,
            }
        }
        let mut objs = Vec::with_capacity(fields.len());
        let mut tags: Vec<Box<str>> = Vec::new();
        let mut seen: FxHashMap<Symbol, ObjId> = FxHashMap::default();
        for (f, t) in fields.iter().zip(types) {
            let info = VarInfo {
                is_field: true,
                embedded: f.embedded,
                used: true,
                ..VarInfo::default()
            };
            let obj = self.new_obj(ObjKind::Var(info), f.name.name, f.name.pos, t);
            self.record_def(f.name.id, obj);
            if !f.name.name.is_blank() {
                if let Some(&alt) = seen.get(&f.name.name) {
                    let mut msg = format!("{} redeclared", f.name.name);
                    self.push_alt_decl(&mut msg, alt);
                    self.error(f.name.pos, msg);
                    continue;
                }
                seen.insert(f.name.name, obj);
            }
            if let Some(tag) = &f.tag {
                tags.resize(objs.len(), "".into());
                tags.push(tag.clone());
            }
            objs.push(obj);
        }
        if !tags.is_empty() {
            tags.resize(objs.len(), "".into());
        }
        self.prog
            .types
            .add(Type::Struct(Box::new(StructType { fields: objs, tags })))
    }

    fn embedded_field(&mut self, t: TypeId, pos: Pos) {
        self.later(move |c| {
            let (base, is_ptr) = match c.deref(t) {
                Some(b) => (b, true),
                None => (t, false),
            };
            if c.is_type_param(base) {
                c.error(
                    pos,
                    "embedded field type cannot be a (pointer to a) type parameter",
                );
                return;
            }
            match c.under_type(base) {
                Type::Basic(Basic::UnsafePointer) => {
                    c.error(pos, "embedded field type cannot be unsafe.Pointer");
                }
                Type::Pointer(_) => c.error(pos, "embedded field type cannot be a pointer"),
                Type::Interface(_) => {
                    if is_ptr {
                        c.error(
                            pos,
                            "embedded field type cannot be a pointer to an interface",
                        );
                    } else if c.is_constraint_only(base) {
                        c.not_for_values(base, pos);
                    }
                }
                _ => {}
            }
        });
    }

    fn interface_type(
        &mut self,
        elems: &'static [ast::InterfaceElem],
        def: Option<ObjId>,
    ) -> TypeId {
        if elems.is_empty() {
            return TypeId::EMPTY_INTERFACE;
        }
        let recv_named = def.map(|d| self.obj(d).ty).filter(|&t| self.is_named(t));
        let mut it = Interface::default();
        for elem in elems {
            match elem {
                ast::InterfaceElem::Method { name, sig } => {
                    if name.name.is_blank() {
                        self.error(name.pos, "methods must have a unique non-blank name");
                        continue;
                    }
                    let ty = self.func_type(sig, None, &[], None);
                    let recv = self.new_param(
                        Symbol::new(""),
                        name.pos,
                        recv_named.unwrap_or(TypeId::INVALID),
                    );
                    if let Type::Signature(s) = self.prog.types.get_mut(ty) {
                        s.recv = Some(recv);
                    }
                    let info = FuncInfo {
                        recv_named,
                        ..FuncInfo::default()
                    };
                    let m = self.new_obj(ObjKind::Func(info), name.name, name.pos, ty);
                    self.record_def(name.id, m);
                    it.methods.push(m);
                }
                ast::InterfaceElem::Embed(e) => {
                    let t = self.union_type(e);
                    it.embeds.push((t, e.start()));
                }
            }
        }
        it.complete = true;
        it.methods.sort_by_key(|&m| self.obj(m).name.as_str());
        let iface = self.prog.types.add(Type::Interface(Box::new(it)));
        // The receiver of a method of an interface literal is that literal.
        if recv_named.is_none()
            && let Type::Interface(it) = self.prog.types.get(iface)
        {
            for m in it.methods.clone() {
                let recv = self.sig(self.obj(m).ty).and_then(|s| s.recv);
                if let Some(r) = recv {
                    self.prog.objs.get_mut(r).ty = iface;
                }
            }
        }
        self.later(move |c| c.check_interface(iface));
        iface
    }

    /// Duplicate methods, and embedded elements that are no interfaces.
    fn check_interface(&mut self, iface: TypeId) {
        let Type::Interface(it) = self.types.get(iface) else {
            return;
        };
        let (methods, embeds) = (it.methods.clone(), it.embeds.clone());
        let mut seen: FxHashMap<(Symbol, Option<PkgId>), (ObjId, Pos, bool)> = FxHashMap::default();
        let key = |c: &Checker, m: ObjId| {
            let o = c.obj(m);
            (o.name, if o.name.is_exported() { None } else { o.pkg })
        };
        for m in methods {
            let pos = self.obj(m).pos;
            if let Some(&(_, at, _)) = seen.get(&key(self, m)) {
                let name = self.obj(m).name;
                let at = self.ps(at);
                self.error(
                    pos,
                    format!("duplicate method {name}\n\t{at}: other declaration of method {name}"),
                );
            } else {
                seen.insert(key(self, m), (m, pos, true));
            }
        }
        for (e, pos) in embeds {
            if let Type::Interface(_) = self.under_type(e) {
                for &m in &self.type_set(e).methods.clone() {
                    match seen.get(&key(self, m)).copied() {
                        Some((other, at, _)) if other != m => {
                            if !self.identical(self.obj(m).ty, self.obj(other).ty) {
                                let name = self.obj(m).name;
                                let at = self.ps(at);
                                self.error(
                                    pos,
                                    format!("duplicate method {name}\n\t{at}: other declaration of method {name}"),
                                );
                            }
                        }
                        Some(_) => {}
                        None => {
                            seen.insert(key(self, m), (m, pos, false));
                        }
                    }
                }
            }
        }
    }

    /// An embedded element: a type, `~T`, or a union of such.
    pub(super) fn union_type(&mut self, e: &'static Expr) -> TypeId {
        // A | B | C leans to the left.
        let mut parts: Vec<&'static Expr> = Vec::new();
        let mut at = e;
        while let ExprKind::Binary {
            op: BinOp::Or,
            x,
            y,
        } = &at.kind
        {
            parts.push(y);
            at = x;
        }
        parts.push(at);
        parts.reverse();
        let mut terms: Vec<(Term, &'static Expr)> = Vec::new();
        for p in parts {
            let (tilde, te) = match &p.kind {
                ExprKind::Unary { op: UnOp::Tilde, x } => (true, &**x),
                _ => (false, p),
            };
            let ty = self.typ(te);
            if tilde {
                self.record(p.id, Mode::Type, ty, None);
            }
            if terms.is_empty() && !tilde && std::ptr::eq(p, e) {
                // A single type is embedded as itself.
                return ty;
            }
            terms.push((Term { tilde, ty }, p));
        }
        if terms.len() > 100 {
            self.error(
                e.start(),
                "cannot handle more than 100 union terms (implementation limitation)",
            );
            return TypeId::INVALID;
        }
        for (t, p) in &terms {
            if self.is_type_param(t.ty) {
                let msg = if t.tilde {
                    format!("type in term {} cannot be a type parameter", self.es(p))
                } else {
                    "term cannot be a type parameter".to_string()
                };
                self.error(p.start(), msg);
                return TypeId::INVALID;
            }
        }
        let list: Vec<Term> = terms.iter().map(|(t, _)| t.clone()).collect();
        let union = self.prog.types.add(Type::Union(list));
        self.record(e.id, Mode::Type, union, None);
        self.later(move |c| c.check_union(&terms));
        union
    }

    fn check_union(&mut self, terms: &[(Term, &'static Expr)]) {
        for (i, (t, e)) in terms.iter().enumerate() {
            if !self.is_valid(t.ty) {
                continue;
            }
            let u = self.under(t.ty);
            let name = self.ts(t.ty);
            let is_iface = matches!(self.types.get(u), Type::Interface(_));
            if t.tilde {
                if is_iface {
                    self.error(
                        e.start(),
                        format!("invalid use of ~ ({name} is an interface)"),
                    );
                    continue;
                }
                if !self.identical(u, t.ty) {
                    let un = self.ts(u);
                    self.error(
                        e.start(),
                        format!("invalid use of ~ (underlying type of {name} is {un})"),
                    );
                    continue;
                }
            }
            if is_iface && terms.len() > 1 {
                let set = self.type_set(u);
                if !set.methods.is_empty() {
                    self.error(
                        e.start(),
                        format!("cannot use {name} in union ({name} contains methods)"),
                    );
                } else if self.unalias(t.ty) == TypeId::COMPARABLE {
                    self.error(e.start(), "cannot use comparable in union");
                } else if set.comparable {
                    self.error(
                        e.start(),
                        format!("cannot use {name} in union ({name} embeds comparable)"),
                    );
                }
                continue;
            }
            for (o, _) in &terms[..i] {
                if matches!(self.under_type(o.ty), Type::Interface(_)) {
                    continue;
                }
                if self.term_includes(o, t) || self.term_includes(t, o) {
                    let show = |c: &Checker, t: &Term| {
                        format!("{}{}", if t.tilde { "~" } else { "" }, c.ts(t.ty))
                    };
                    let msg = format!("overlapping terms {} and {}", show(self, t), show(self, o));
                    self.soft_error(e.start(), msg);
                    break;
                }
            }
        }
    }
}

/// `1 value`, `2 values`.
pub(super) fn measure(n: usize, unit: &str) -> String {
    format!("{n} {unit}{}", if n == 1 { "" } else { "s" })
}

fn o_is_iota(c: &Checker, obj: ObjId) -> bool {
    let o = c.obj(obj);
    o.pkg.is_none() && o.name.as_str() == "iota"
}
