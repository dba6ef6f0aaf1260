//! Type expressions, and what names denote.
//!
//! Signatures, structs, interfaces and unions have files of their own.
//!
//! Go: go/types/typexpr.go. Spec: Types.

use super::operand::Operand;
use super::*;
use syntax::ast::{Expr, ExprKind};

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
        let Some((scope, obj)) = self.scopes.lookup_parent(self.scope(), name) else {
            let msg = format!("undefined: {name}");
            self.error_near(pos, msg, |ck| ck.near_in_scope(name));
            return x;
        };
        if scope == ScopeId::UNIVERSE
            && !self.allows(pos, 18)
            && matches!(name.as_str(), "any" | "comparable")
        {
            self.requires(pos, 18, &format!("predeclared {name}"));
            return x;
        }
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
                    x.val = Some(value);
                }
            }
            ObjKind::TypeName { .. } => {
                self.note_mention(obj);
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
                    if id != self.callee_name
                        && let Some(v) = self.prog.objs.var_mut(obj)
                    {
                        v.valued = true;
                    }
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
    pub(super) fn refuse_constraint(&mut self, t: TypeId, pos: Pos) {
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
        if let Type::Named(n) = self.types.get(t)
            && n.complete
            && !matches!(self.types.get(n.underlying), Type::Interface(_))
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
    pub(super) fn not_for_values(&mut self, t: TypeId, pos: Pos) {
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

    /// As [`typ`](Self::typ); the name says that it stands for a constraint,
    /// where any interface will do.
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
        if syntax::nesting::is_low() {
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
                    let array = self.prog.types.array(n, elem);
                    self.note_large(e.start(), array);
                    return array;
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
            ExprKind::InterfaceType { elems } => {
                let iface = self.interface_type(elems, def);
                if self.env.pkg.is_some_and(|p| !self.pkg(p).is_std) {
                    self.interface_literals.push((e.start(), iface));
                }
                return iface;
            }
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
                let chan = self.prog.types.chan(*dir, elem);
                self.note_large(e.start(), chan);
                return chan;
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
            match self.scopes.lookup_parent(self.scope(), name) {
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
        self.requires(e.start(), 18, "type instantiation");
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
        if !self.is_generic_type(generic) {
            return TypeId::INVALID;
        }
        let targs: Vec<TypeId> = indices.iter().map(|i| self.var_type(i)).collect();
        if targs.iter().any(|&t| !self.is_valid_alias_target(t)) {
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
            // It goes on as an instance of which nothing more is known.
            return match self.types.get(generic) {
                Type::Named(_) if got < want => self.instantiate(generic, &targs),
                _ => TypeId::INVALID,
            };
        }
        let saved_at = std::mem::replace(&mut self.instance_at, x.pos);
        let inst = self.instantiate(generic, &targs);
        self.instance_at = saved_at;
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
        });
        inst
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
