//! Declarations: constants, types, variables, functions, and cycles among them.
//!
//! An object is white before, grey while, and black after its declaration is resolved. Meeting a
//! grey object is a cycle: fine through a defined type, an error through values or aliases only.
//!
//! Go: go/types (decl.go, cycles.go). Spec: Declarations and scope.

use super::checker::{DeclKind, Env};
use super::operand::Operand;
use super::resolver::ConstGroup;
use super::*;
use syntax::ast::{Decl, Expr, ExprKind};

impl Checker {
    /// Resolves the object's declaration if that has not been done.
    pub(super) fn obj_decl(&mut self, obj: ObjId) {
        match self.obj(obj).color {
            Color::Black => return,
            Color::Grey(_) => return self.grey_object(obj),
            Color::White => {}
        }
        if let Some(origin) = self.objs.func(obj).and_then(|f| f.origin) {
            // Its signature is being resolved right now.
            if self.path.contains(&origin) {
                return;
            }
            return self.instance_method_decl(obj, origin);
        }
        let Some(&d) = self.decl_of.get(&obj) else {
            self.prog.objs.get_mut(obj).color = Color::Black;
            return;
        };
        let pos = self.obj(obj).pos;
        if syntax::nesting::is_low() {
            self.error(pos, format!("{} nested too deeply", self.obj(obj).name));
            self.prog.objs.get_mut(obj).color = Color::Black;
            return;
        }
        self.prog.objs.get_mut(obj).color = Color::Grey(self.path.len() as u32);
        self.path.push(obj);
        let info = &self.decls[d];
        let kind = info.kind.clone();
        let env = Env {
            pkg: Some(info.pkg),
            scope: Some(info.scope),
            ..Env::default()
        };
        let saved = std::mem::replace(&mut self.env, env);
        let saved_lits = std::mem::take(&mut self.lits);
        match kind {
            DeclKind::Const {
                ty,
                init,
                iota,
                inherited,
            } => {
                self.env.decl = Some(obj);
                self.const_decl(obj, ty, init, iota, inherited);
            }
            DeclKind::Var { lhs, ty, init } => {
                self.env.decl = Some(obj);
                self.global_var_decl(obj, &lhs, ty, init);
            }
            DeclKind::Type(spec) => {
                self.type_decl(obj, spec);
                self.collect_methods(obj);
            }
            DeclKind::Func(decl) => self.func_decl(obj, decl),
        }
        self.lits = saved_lits;
        self.env = saved;
        self.path.pop();
        self.prog.objs.get_mut(obj).color = Color::Black;
        self.resolve_pending_methods();
    }

    /// Resolves the signatures of methods, unless a type is being declared right now.
    pub(super) fn resolve_pending_methods(&mut self) {
        if self.pending_methods.is_empty() {
            return;
        }
        if !self.path.is_empty() {
            return;
        }
        // In the order of their declarations, which is that of their errors.
        for m in std::mem::take(&mut self.pending_methods) {
            // One whose signature is being resolved right now led here.
            if self.obj(m).color == Color::White {
                self.obj_decl(m);
            }
        }
    }

    fn grey_object(&mut self, obj: ObjId) {
        let valid = self.valid_cycle(obj);
        match self.obj(obj).kind {
            ObjKind::Func(_) => {}
            _ => {
                if !valid {
                    self.prog.objs.get_mut(obj).ty = TypeId::INVALID;
                }
            }
        }
    }

    /// Whether the cycle that begins with the grey object is allowed; reports it if not.
    fn valid_cycle(&mut self, obj: ObjId) -> bool {
        let Color::Grey(start) = self.obj(obj).color else {
            return true;
        };
        let cycle: Vec<ObjId> = self.path[(start as usize).min(self.path.len())..].to_vec();
        let (mut values, mut defs) = (0, 0);
        for &o in &cycle {
            match self.obj(o).kind {
                ObjKind::Const(_) | ObjKind::Var(_) => values += 1,
                ObjKind::TypeName { is_alias } => {
                    if self.env.in_tparam_list && self.is_generic(self.obj(o).ty) {
                        return true;
                    }
                    defs += i32::from(!is_alias);
                }
                _ => {}
            }
        }
        if values == cycle.len() || values == 0 && defs > 0 {
            return true;
        }
        self.cycle_error(&cycle);
        false
    }

    /// Reports a cycle of declarations, from the one that comes first in the source.
    pub(super) fn cycle_error(&mut self, cycle: &[ObjId]) {
        let Some(start) = (0..cycle.len()).min_by_key(|&i| self.obj(cycle[i]).pos) else {
            return;
        };
        let name = |c: &Checker, o: ObjId| {
            let ob = c.obj(o);
            match c.types.get(ob.ty) {
                Type::Named(n) if !n.targs.is_empty() => c.ts(ob.ty),
                _ => match ob.pkg {
                    Some(p) if ob.pkg != c.rel() => format!("{}.{}", c.pkg(p).name, ob.name),
                    _ => ob.name.to_string(),
                },
            }
        };
        let first = cycle[start];
        let is_type = matches!(self.obj(first).kind, ObjKind::TypeName { .. });
        let pos = self.obj(first).pos;
        if is_type {
            let ty = self.obj(first).ty;
            if let Type::Alias { target, .. } = self.prog.types.get_mut(ty) {
                *target = TypeId::INVALID;
            }
        }
        let n = name(self, first);
        if cycle.len() == 1 {
            let what = if is_type {
                "recursive type"
            } else {
                "cycle in declaration"
            };
            self.error(pos, format!("invalid {what}: {n} refers to itself"));
            return;
        }
        let what = if is_type {
            "recursive type"
        } else {
            "cycle in declaration of"
        };
        let mut from_first = cycle.to_vec();
        from_first.rotate_left(start);
        let steps = self.refers_to(&from_first, |o| name(self, o));
        self.error(pos, format!("invalid {what} {n}{steps}"));
    }

    /// For each object of a cycle a line that says to which one it refers.
    pub(super) fn refers_to(&self, cycle: &[ObjId], name: impl Fn(ObjId) -> String) -> String {
        let after = cycle.iter().cycle().skip(1);
        let line = |(&a, &b): (&ObjId, &ObjId)| {
            let at = self.ps(self.obj(a).pos);
            format!("\n\t{at}: {} refers to {}", name(a), name(b))
        };
        cycle.iter().zip(after).map(line).collect()
    }

    /// Is what the type is declared as known? Where a value of the type comes up while it is being
    /// declared it is not; the cycle is reported.
    pub(super) fn is_complete(&mut self, t: TypeId) -> bool {
        if self.path.is_empty() {
            return true;
        }
        let mut t = t;
        let mut seen = Vec::new();
        loop {
            // An instance knows what it is when it is asked.
            let (obj, next) = match self.types.get(t) {
                &Type::Alias { obj, target, .. } => (obj, target),
                Type::Named(n) if n.origin.is_none() => (n.obj, self.declaration_of(t)),
                _ => return true,
            };
            if let Some(cycle) = self.cycle_from(obj) {
                self.cycle_error(&cycle);
                return false;
            }
            if seen.contains(&next) {
                return true;
            }
            seen.push(t);
            t = next;
        }
    }

    /// What a defined type is declared as, which may be a defined type.
    fn declaration_of(&self, named: TypeId) -> TypeId {
        let n = self.types.named(named);
        match n.origin {
            Some(_) => n.underlying,
            None => *self.declared_as.get(&named).unwrap_or(&n.underlying),
        }
    }

    /// The declarations under way from that of `obj` on, if it is one of them.
    fn cycle_from(&self, obj: ObjId) -> Option<Vec<ObjId>> {
        match self.obj(obj).color {
            Color::Grey(i) => Some(self.path.get(i as usize..)?.to_vec()),
            _ => None,
        }
    }

    /// Does the size of the type depend on type parameters? A type that is being declared has no
    /// size yet, and the cycle is reported.
    pub(super) fn has_var_size(&mut self, t: TypeId) -> bool {
        self.varies_in_size(t, &mut Vec::new())
    }

    /// `inside` are the defined types that the walk is in.
    fn varies_in_size(&mut self, t: TypeId, inside: &mut Vec<TypeId>) -> bool {
        if syntax::nesting::is_low() {
            return false;
        }
        let t = self.unalias(t);
        match self.types.get(t) {
            Type::TypeParam(_) => true,
            &Type::Array { elem, .. } => self.varies_in_size(elem, inside),
            Type::Struct(s) => {
                let fields = s.fields.clone();
                let mut types = fields
                    .iter()
                    .map(|&f| self.obj(f).ty)
                    .collect::<Vec<_>>()
                    .into_iter();
                types.any(|t| self.varies_in_size(t, inside))
            }
            Type::Named(n) => {
                let is_instance = n.origin.is_some();
                let obj = n.obj;
                if let Some(start) = inside.iter().position(|&i| i == t) {
                    let cycle = inside[start..].to_vec();
                    self.type_cycle_error(&cycle);
                    return true;
                }
                if let Some(mut cycle) = self.cycle_from(obj).filter(|_| !is_instance) {
                    cycle.extend(inside.iter().map(|&i| self.types.named(i).obj));
                    self.cycle_error(&cycle);
                    return true;
                }
                inside.push(t);
                let below = self.declaration_of(t);
                let varies = self.varies_in_size(below, inside);
                inside.pop();
                varies
            }
            _ => false,
        }
    }

    /// Finds type names that are declared as each other,
    /// before anything asks for what is underneath.
    pub(super) fn direct_cycles(&mut self, pkg: PkgId, objs: &[ObjId]) {
        let scope = self.pkg(pkg).scope;
        let mut done: FxHashMap<ObjId, Option<usize>> = FxHashMap::default();
        for &start in objs {
            let mut path: Vec<ObjId> = Vec::new();
            let mut at = start;
            loop {
                match done.get(&at) {
                    Some(None) => break,
                    Some(Some(i)) => {
                        let cycle = path[*i..].to_vec();
                        self.prog.objs.get_mut(at).ty = TypeId::INVALID;
                        self.prog.objs.get_mut(at).color = Color::Black;
                        self.cycle_error(&cycle);
                        break;
                    }
                    None => {}
                }
                let Some(&d) = self.decl_of.get(&at) else {
                    break;
                };
                let DeclKind::Type(spec) = &self.decls[d].kind else {
                    break;
                };
                done.insert(at, Some(path.len()));
                path.push(at);
                let ExprKind::Name(rhs) = spec.ty.kind else {
                    break;
                };
                let Some(next) = self.scopes.lookup(scope, rhs) else {
                    break;
                };
                if !matches!(self.obj(next).kind, ObjKind::TypeName { .. }) {
                    break;
                }
                at = next;
            }
            for o in path {
                done.insert(o, None);
            }
        }
    }

    fn const_decl(
        &mut self,
        obj: ObjId,
        ty: Option<&'static Expr>,
        init: Option<&'static Expr>,
        iota: u32,
        inherited: bool,
    ) {
        let (saved_iota, saved_errpos) = (self.env.iota, self.env.errpos);
        self.env.iota = Some(i64::from(iota));
        self.env.errpos = None;
        if let ObjKind::Const(v) = &mut self.prog.objs.get_mut(obj).kind {
            *v = ConstValue::Unknown;
        }
        let mut decl_ty = TypeId::INVALID;
        let mut bad = false;
        if let Some(e) = ty {
            decl_ty = self.typ(e);
            if !self.is_const_type(decl_ty) || self.is_type_param(decl_ty) {
                if self.is_valid(self.under(decl_ty)) {
                    let t = self.ts(decl_ty);
                    self.error(e.start(), format!("invalid constant type {t}"));
                }
                bad = true;
            }
        }
        if bad {
            self.prog.objs.get_mut(obj).ty = TypeId::INVALID;
        } else {
            self.prog.objs.get_mut(obj).ty = decl_ty;
            if let Some(e) = init {
                if inherited {
                    self.env.errpos = Some(self.obj(obj).pos);
                }
                let mut x = self.expr(e, None);
                self.init_const(obj, ty.is_some(), &mut x);
            } else {
                self.prog.objs.get_mut(obj).ty = TypeId::INVALID;
            }
        }
        self.env.iota = saved_iota;
        self.env.errpos = saved_errpos;
    }

    fn global_var_decl(
        &mut self,
        obj: ObjId,
        lhs: &[ObjId],
        ty: Option<&'static Expr>,
        init: Option<&'static Expr>,
    ) {
        if let Some(e) = ty {
            let t = self.var_type(e);
            self.prog.objs.get_mut(obj).ty = t;
        }
        let Some(_) = init else {
            if ty.is_none() {
                self.prog.objs.get_mut(obj).ty = TypeId::INVALID;
            }
            return;
        };
        let Some(&d) = self.decl_of.get(&obj) else {
            return;
        };
        let is_std = self.env.pkg.is_some_and(|p| self.pkg(p).is_std);
        if is_std && ty.is_some() {
            // The type is known; the initialiser waits for ensure_var_init.
            // All of the left sides get their type.
            for &o in lhs {
                if o != obj {
                    let t = self.obj(obj).ty;
                    self.prog.objs.get_mut(o).ty = t;
                    self.prog.objs.get_mut(o).color = Color::Black;
                }
            }
            return;
        }
        if std::mem::replace(&mut self.decls[d].checked, true) {
            return;
        }
        if lhs.len() > 1 && ty.is_some() {
            for &o in lhs {
                let t = self.obj(obj).ty;
                self.prog.objs.get_mut(o).ty = t;
            }
        }
        self.check_init_of(obj, lhs, ty.is_some(), init);
        for &o in lhs {
            if o != obj {
                self.prog.objs.get_mut(o).color = Color::Black;
            }
        }
    }

    fn check_init_of(
        &mut self,
        obj: ObjId,
        lhs: &[ObjId],
        typed: bool,
        init: Option<&'static Expr>,
    ) {
        let Some(e) = init else { return };
        if lhs.len() <= 1 {
            let target = self.variable_target(obj, typed);
            let mut x = self.expr(e, target);
            self.init_var(obj, typed, &mut x, "variable declaration");
            return;
        }
        self.init_vars(lhs, typed, std::slice::from_ref(e), None);
    }

    /// Checks a typed standard-library variable's initialiser when it is asked for.
    pub(super) fn check_var_init(&mut self, var: ObjId) {
        let Some(&d) = self.decl_of.get(&var) else {
            return;
        };
        let DeclKind::Var { lhs, ty, init } = self.decls[d].kind.clone() else {
            return;
        };
        let env = Env {
            pkg: Some(self.decls[d].pkg),
            scope: Some(self.decls[d].scope),
            decl: Some(var),
            ..Env::default()
        };
        let saved = std::mem::replace(&mut self.env, env);
        self.check_init_of(var, &lhs, ty.is_some(), init);
        self.env = saved;
    }

    /// A new named type for the object; its underlying type comes later.
    fn new_named(&mut self, obj: ObjId, local_index: u32) -> TypeId {
        let outer = match self.env.decl {
            Some(func) if local_index > 0 => self.all_tparams(func),
            _ => Vec::new(),
        };
        let ty = self.prog.types.add(Type::Named(Box::new(Named {
            obj,
            underlying: TypeId::INVALID,
            methods: Vec::new(),
            tparams: Vec::new(),
            targs: Vec::new(),
            origin: None,
            local_index,
            outer,
            complete: false,
        })));
        self.prog.objs.get_mut(obj).ty = ty;
        ty
    }

    /// The type parameters of a function, those of its receiver first. What the receiver of a
    /// generic type's method names are arguments of the instance.
    pub fn all_tparams(&self, func: ObjId) -> Vec<TypeId> {
        let Some(sig) = self.sig(self.obj(func).ty) else {
            return Vec::new();
        };
        let recv = sig.recv.map(|recv| {
            let t = self.obj(recv).ty;
            self.types.get(self.unalias(self.deref(t).unwrap_or(t)))
        });
        let of_recv = match recv {
            Some(Type::Named(n)) if n.targs.is_empty() => &n.tparams[..],
            Some(Type::Named(n)) => &n.targs[..],
            _ => &[],
        };
        of_recv.iter().chain(&sig.tparams).copied().collect()
    }

    fn type_decl(&mut self, obj: ObjId, spec: &'static ast::TypeSpec) {
        if spec.alias {
            return self.alias_decl(obj, spec);
        }
        let local_index = match (self.env.in_func, self.env.decl) {
            (true, d) => {
                let key = (d.unwrap_or(ObjId(0)), spec.name.name);
                let n = self.local_types.entry(key).or_default();
                *n += 1;
                *n
            }
            _ => 0,
        };
        let is_known = match spec.tparams.first() {
            Some(tp) => self.requires(tp.name.pos, 18, "type parameter"),
            None => true,
        };
        let named = self.new_named(obj, local_index);
        self.later(move |c| c.valid_type(named));
        let saved = self.env.scope;
        if !spec.tparams.is_empty() {
            self.env.scope = Some(self.prog.scopes.add(saved));
            let tparams = self.collect_tparams(&spec.tparams, |c, tps| {
                c.prog.types.named_mut(named).tparams = tps.to_vec();
            });
            self.prog.types.named_mut(named).tparams = tparams;
        }
        let rhs = self.defined_type(&spec.ty, Some(obj));
        self.env.scope = saved;
        if self.is_type_param(rhs) {
            self.error(
                spec.ty.start(),
                "cannot use a type parameter as RHS in type declaration",
            );
            self.complete_named(named, TypeId::INVALID);
            return;
        }
        let is_std = self.env.pkg.is_some_and(|p| self.pkg(p).is_std);
        if !is_std && self.unalias(rhs) != named {
            self.declared_as.insert(named, rhs);
        }
        self.complete_named(named, rhs);
        self.later(move |c| {
            if is_known {
                c.constraint_requires(rhs, spec.ty.start(), "using type constraint");
            }
        });
    }

    /// Reports that an interface of another package is more than a list of methods,
    /// if the version of the language has no such interfaces.
    pub(super) fn constraint_requires(&mut self, t: TypeId, pos: Pos, what: &str) -> bool {
        if self.allows(pos, 18) {
            return true;
        }
        let is_imported = match self.types.get(self.unalias(t)) {
            Type::Named(n) => {
                let pkg = self.obj(n.obj).pkg;
                pkg != self.env.pkg && pkg.is_some()
            }
            _ => false,
        };
        let is_constraint = is_imported
            && matches!(self.under_type(t), Type::Interface(_))
            && self.is_constraint_only(t);
        let name = self.ts(t);
        !is_constraint || self.requires(pos, 18, &format!("{what} {name}"))
    }

    /// Sets the underlying type; instances that waited for it are expanded.
    fn complete_named(&mut self, named: TypeId, rhs: TypeId) {
        // Until its own declaration is complete the right side stands for its underlying type.
        let target = self.unalias(rhs);
        let incomplete = matches!(self.types.get(target), Type::Named(n) if !n.complete);
        let under = if target == named {
            let obj = self.types.named(named).obj;
            if self.obj(obj).ty == named {
                self.cycle_error(&[obj]);
            }
            TypeId::INVALID
        } else if incomplete {
            target
        } else {
            self.under(target)
        };
        let n = self.prog.types.named_mut(named);
        n.underlying = under;
        n.complete = true;
        if incomplete {
            n.complete = false;
            self.later(move |c| {
                let u = c.under(named);
                let n = c.prog.types.named_mut(named);
                n.underlying = u;
                n.complete = true;
                c.expand_pending(named);
            });
            return;
        }
        self.expand_pending(named);
    }

    fn alias_decl(&mut self, obj: ObjId, spec: &'static ast::TypeSpec) {
        let alias = self.prog.types.add(Type::Alias {
            obj,
            target: TypeId::INVALID,
            targs: Vec::new(),
        });
        self.prog.objs.get_mut(obj).ty = alias;
        let mut is_known = match spec.tparams.first() {
            Some(tp) => self.requires(tp.name.pos, 23, "generic type alias"),
            None => true,
        };
        is_known = is_known && self.requires(spec.name.pos, 9, "type alias");
        let saved = self.env.scope;
        if !spec.tparams.is_empty() {
            self.env.scope = Some(self.prog.scopes.add(saved));
            let tparams = self.collect_tparams(&spec.tparams, |_, _| {});
            self.alias_tparams.insert(alias, tparams);
        }
        let rhs = self.defined_type(&spec.ty, Some(obj));
        self.env.scope = saved;
        if !spec.tparams.is_empty()
            && self.is_type_param(rhs)
            && self
                .alias_tparams
                .get(&alias)
                .is_some_and(|t| t.contains(&rhs))
        {
            self.error(
                spec.ty.start(),
                "cannot use type parameter declared in alias declaration as RHS",
            );
            return;
        }
        if self.obj(obj).ty == alias
            && let Type::Alias { target, .. } = self.prog.types.get_mut(alias)
        {
            *target = if rhs == alias { TypeId::INVALID } else { rhs };
        }
        if is_known {
            self.later(move |c| {
                c.constraint_requires(rhs, spec.ty.start(), "using type constraint");
            });
        }
    }

    /// Attaches the methods declared for the type, and has their signatures resolved later.
    pub(super) fn collect_methods(&mut self, obj: ObjId) {
        let Some(methods) = self.methods.remove(&obj) else {
            return;
        };
        let ty = self.obj(obj).ty;
        if !matches!(self.types.get(ty), Type::Named(_)) {
            return;
        }
        let mut seen: FxHashMap<Symbol, ObjId> = FxHashMap::default();
        for m in methods {
            let name = self.obj(m).name;
            if let ObjKind::Func(f) = &mut self.prog.objs.get_mut(m).kind {
                f.recv_named = Some(ty);
            }
            if name.is_blank() {
                continue;
            }
            if let Some(&alt) = seen.get(&name) {
                let pos = self.obj(m).pos;
                let at = self.ps(self.obj(alt).pos);
                let tn = self.obj(obj).name;
                self.error(pos, format!("method {tn}.{name} already declared at {at}"));
                continue;
            }
            seen.insert(name, m);
            self.note_method(m);
            if !self.replaces_method(ty, m) {
                self.prog.types.named_mut(ty).methods.push(m);
            }
        }
        self.later(move |c| {
            c.field_method_clash(ty);
        });
        self.add_instance_methods(ty);
    }

    /// Is it declared in the standard library?
    /// Signatures of the methods there wait until they are asked for.
    pub(super) fn is_std_object(&self, obj: ObjId) -> bool {
        self.obj(obj).pkg.is_some_and(|p| self.pkg(p).is_std)
    }

    fn field_method_clash(&mut self, ty: TypeId) {
        let Some(s) = self.strukt(ty) else { return };
        let by_name: FxHashMap<Symbol, ObjId> =
            s.fields.iter().map(|&f| (self.obj(f).name, f)).collect();
        for m in self.types.named(ty).methods.clone() {
            let name = self.obj(m).name;
            if let Some(&f) = by_name.get(&name) {
                let mut msg = format!("field and method with the same name {name}");
                self.push_alt_decl(&mut msg, f);
                let pos = self.obj(m).pos;
                self.error(pos, msg);
            }
        }
    }

    fn func_decl(&mut self, obj: ObjId, decl: &'static ast::FuncDecl) {
        // Recursion is no dependency; the signature's own mentions (array lengths) are none either.
        let scope = self.prog.scopes.add(self.env.scope);
        let saved = self.env.scope;
        self.env.scope = Some(scope);
        // Inside its own signature the function is one without parameters, and no cycle.
        let none = self.prog.types.add(Type::Signature(Box::default()));
        let o = self.prog.objs.get_mut(obj);
        (o.ty, o.color) = (none, Color::Black);
        let sig = self.func_type(&decl.sig, decl.recv.as_ref(), &decl.tparams, Some(obj));
        self.env.scope = saved;
        self.prog.objs.get_mut(obj).ty = sig;
        self.func_scopes.insert(obj, scope);
        if !decl.tparams.is_empty() && decl.body.is_none() {
            self.soft_error(decl.at, "generic function is missing function body");
        }
        let is_std = self.env.pkg.is_some_and(|p| self.pkg(p).is_std);
        if is_std {
            return;
        }
        if decl.body.is_none() {
            self.missing_bodies.push((obj, decl.at));
        }
        let d = self.decl_of[&obj];
        self.decls[d].checked = true;
        self.later(move |c| c.check_func_decl_body(obj, decl));
    }

    /// Checks the body of a declared function in its scope.
    pub(super) fn check_func_decl_body(&mut self, obj: ObjId, decl: &'static ast::FuncDecl) {
        let (Some(body), Some(&d)) = (decl.body.as_ref(), self.decl_of.get(&obj)) else {
            return;
        };
        let sig = self.obj(obj).ty;
        let env = Env {
            pkg: Some(self.decls[d].pkg),
            scope: self.func_scopes.get(&obj).copied(),
            decl: Some(obj),
            sig: Some(sig),
            in_func: true,
            ..Env::default()
        };
        let saved = std::mem::replace(&mut self.env, env);
        let saved_locals = std::mem::take(&mut self.locals);
        let saved_lits = std::mem::take(&mut self.lits);
        self.func_body(body);
        self.unused_locals();
        self.lits = saved_lits;
        self.locals = saved_locals;
        self.env = saved;
    }

    /// The statements of a function, and whether it ends in a terminating one.
    pub(super) fn func_body(&mut self, body: &'static ast::Block) {
        self.stmt_list_fn(&body.stmts);
        let has_results = self
            .env
            .sig
            .and_then(|s| self.sig(s))
            .is_some_and(|s| !s.results.is_empty());
        if has_results && !self.is_terminating_list(&body.stmts) {
            self.error(body.end, "missing return");
        }
    }

    /// Reports local variables that nothing uses.
    pub(super) fn unused_locals(&mut self) {
        let mut locals = std::mem::take(&mut self.locals);
        if self.is_typed() {
            return;
        }
        locals.retain(|&v| matches!(&self.obj(v).kind, ObjKind::Var(i) if !i.used));
        // Those of a block before those of the blocks in it, which have later scopes.
        locals.sort_by_key(|&v| (self.obj(v).parent, self.obj(v).pos));
        for v in locals {
            let o = self.obj(v);
            if !o.name.is_blank() {
                let (pos, name) = (o.pos, o.name);
                self.soft_error(pos, format!("declared and not used: {name}"));
            }
        }
    }

    /// Declarations inside a function.
    pub(super) fn decl_stmt(&mut self, decls: &'static [Decl]) {
        let mut group = ConstGroup::default();
        for decl in decls {
            match decl {
                Decl::Const(spec) => {
                    let (ty, values, inherited) = group.next(spec);
                    let mut objs = Vec::new();
                    for (i, name) in spec.names.iter().enumerate() {
                        let kind = ObjKind::Const(ConstValue::Int(i64::from(spec.iota)));
                        let obj = self.new_obj(kind, name.name, name.pos, TypeId::INVALID);
                        self.const_decl(obj, ty, values.get(i), spec.iota, inherited);
                        objs.push((name.id, obj));
                    }
                    self.const_arity(spec, values, inherited);
                    let scope = self.scope();
                    for (id, obj) in objs {
                        self.declare(scope, Some(id), obj);
                    }
                }
                Decl::Var(spec) => self.local_var_decl(spec),
                Decl::Type(spec) => {
                    let kind = ObjKind::TypeName {
                        is_alias: spec.alias,
                    };
                    let obj = self.new_obj(kind, spec.name.name, spec.name.pos, TypeId::INVALID);
                    let scope = self.scope();
                    self.declare(scope, Some(spec.name.id), obj);
                    self.prog.objs.get_mut(obj).color = Color::Grey(self.path.len() as u32);
                    self.path.push(obj);
                    self.type_decl(obj, spec);
                    self.path.pop();
                    self.prog.objs.get_mut(obj).color = Color::Black;
                    self.resolve_pending_methods();
                }
                Decl::Import(_) | Decl::Func(_) => {}
            }
        }
    }

    fn local_var_decl(&mut self, spec: &'static ast::VarSpec) {
        let lhs: Vec<ObjId> = spec
            .names
            .iter()
            .map(|n| self.new_local(n.name, n.pos, TypeId::INVALID))
            .collect();
        let typed = spec.ty.is_some();
        if let Some(e) = &spec.ty {
            let t = self.var_type(e);
            for &o in &lhs {
                self.prog.objs.get_mut(o).ty = t;
            }
        }
        if !spec.values.is_empty() {
            if spec.values.len() == 1 && lhs.len() > 1 {
                self.init_vars(&lhs, typed, &spec.values, None);
            } else {
                // A wrong number is reported below;
                // each value is checked against its variable all the same.
                for (i, e) in spec.values.iter().enumerate() {
                    match lhs.get(i) {
                        Some(&o) => {
                            let target = self.variable_target(o, typed);
                            let mut x = self.expr(e, target);
                            self.init_var(o, typed, &mut x, "variable declaration");
                        }
                        None => {
                            self.use_exprs(std::slice::from_ref(e));
                        }
                    }
                }
                for &o in lhs.iter().skip(spec.values.len()) {
                    if !typed {
                        self.prog.objs.get_mut(o).ty = TypeId::INVALID;
                    }
                }
            }
        }
        if !typed || !spec.values.is_empty() {
            self.var_arity(spec);
        }
        let scope = self.scope();
        for (n, &o) in spec.names.iter().zip(&lhs) {
            self.declare(scope, Some(n.id), o);
        }
    }

    /// A local variable, remembered for `declared and not used`.
    pub(super) fn new_local(&mut self, name: Symbol, pos: Pos, ty: TypeId) -> ObjId {
        let info = VarInfo {
            func_depth: self.env.func_depth,
            ..VarInfo::default()
        };
        let obj = self.new_obj(ObjKind::Var(info), name, pos, ty);
        self.locals.push(obj);
        obj
    }

    /// Gives a constant its value and type.
    fn init_const(&mut self, obj: ObjId, typed: bool, x: &mut Operand) {
        let lhs_ty = self.obj(obj).ty;
        if x.is_invalid() || !self.is_valid(x.ty) || typed && !self.is_valid(lhs_ty) {
            self.prog.objs.get_mut(obj).ty = TypeId::INVALID;
            return;
        }
        if !x.is_const() {
            let s = self.os(x);
            self.error(x.pos(), format!("{s} is not constant"));
            if !typed {
                self.prog.objs.get_mut(obj).ty = TypeId::INVALID;
            }
            return;
        }
        if !typed {
            self.prog.objs.get_mut(obj).ty = x.ty;
        }
        let ty = self.obj(obj).ty;
        self.assignment(x, Some(ty), "constant declaration");
        if x.is_invalid() {
            return;
        }
        self.prog.objs.get_mut(obj).kind = ObjKind::Const(x.value());
    }

    /// Declares a type parameter. It has no constraint yet.
    pub(super) fn declare_tparam(&mut self, scope: ScopeId, ident: ast::Ident) -> TypeId {
        let kind = ObjKind::TypeName { is_alias: false };
        let obj = self.new_obj(kind, ident.name, ident.pos, TypeId::INVALID);
        let ty = self.prog.types.add(Type::TypeParam(Box::new(TypeParamType {
            obj,
            constraint: TypeId::EMPTY_INTERFACE,
        })));
        self.prog.objs.get_mut(obj).ty = ty;
        self.declare(scope, Some(ident.id), obj);
        ty
    }

    /// Declares type parameters in the present scope and resolves their constraints.
    /// `early` sees them before that.
    pub(super) fn collect_tparams(
        &mut self,
        list: &'static [ast::TypeParam],
        early: impl FnOnce(&mut Checker, &[TypeId]),
    ) -> Vec<TypeId> {
        let scope = self.scope();
        let mut out = Vec::new();
        for tp in list {
            out.push(self.declare_tparam(scope, tp.name));
        }
        early(self, &out);
        let saved = std::mem::replace(&mut self.env.in_tparam_list, true);
        // Names without a constraint share that of the one before.
        let mut last = TypeId::EMPTY_INTERFACE;
        for (tp, &t) in list.iter().zip(&out) {
            if let Some(e) = &tp.constraint {
                last = self.constraint_type(e);
            }
            if let Type::TypeParam(p) = self.prog.types.get_mut(t) {
                p.constraint = last;
            }
        }
        self.env.in_tparam_list = saved;
        out
    }

    /// A constraint; anything but an interface is wrapped into one.
    fn constraint_type(&mut self, e: &'static Expr) -> TypeId {
        let is_union = matches!(
            &e.unparen().kind,
            ExprKind::Unary {
                op: ast::UnOp::Tilde,
                ..
            } | ExprKind::Binary {
                op: ast::BinOp::Or,
                ..
            }
        );
        let t = if is_union {
            self.union_type(e)
        } else {
            self.typ_any(e)
        };
        if self.is_type_param(t) {
            self.error(e.start(), "cannot use a type parameter as constraint");
            return TypeId::INVALID;
        }
        // A named type still being declared may become an interface, which can be wrapped too.
        if !self.is_valid(t) || matches!(self.under_type(t), Type::Interface(_)) {
            return t;
        }
        let iface = self.prog.types.add(Type::Interface(Box::new(Interface {
            embeds: vec![(t, e.start())],
            implicit: true,
            complete: true,
            ..Interface::default()
        })));
        if is_union && !self.allows(e.start(), 18) {
            self.later(move |c| c.check_interface(iface));
        }
        iface
    }
}
