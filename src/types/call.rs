//! Calls, arguments and selectors.
//!
//! Go: go/types (call.go, selection.go).
//! Spec: Calls, Selectors, Method expressions, Passing arguments to ... parameters.

use super::infer::Argument;
use super::lookup::Found;
use super::operand::Operand;
use super::*;
use syntax::ast::{Expr, ExprKind};

impl Checker {
    /// A call, conversion or use of a built-in function.
    pub(super) fn call_expr(&mut self, e: &'static Expr) -> Operand {
        let ExprKind::Call {
            fun,
            args,
            ellipsis,
            ..
        } = &e.kind
        else {
            return Operand::invalid(e);
        };
        // f[T](…) with type arguments.
        let (mut x, targs) = self.callee(fun);
        match x.mode {
            Mode::Invalid => {
                self.use_exprs(args);
                x.expr = Some(e);
                return x;
            }
            Mode::Type => return self.conversion_call(e, x, args, ellipsis.is_some()),
            Mode::Builtin => {
                let Some(b) = x.builtin else {
                    return Operand::invalid(e);
                };
                // Recorded as a built-in: the compiler recognises it so.
                let r = self.builtin_call(e, b, args, ellipsis.is_some());
                if matches!(r.mode, Mode::Invalid | Mode::Constant) {
                    return r;
                }
                self.env.has_call_or_recv = true;
                return r;
            }
            _ => {}
        }
        let is_func = |_, u| matches!(self.types.get(u), Type::Signature(_));
        let sig_ty = match self.common_under(x.ty, is_func) {
            Ok(t) => t,
            Err(why) => {
                let s = self.os(&x);
                let why = self.uncommon(why, |t| format!("{t} is not a function"));
                self.error(
                    e.start(),
                    format!("invalid operation: cannot call {s}: {why}"),
                );
                return Operand::invalid(e);
            }
        };
        let Type::Signature(sig) = self.types.get(sig_ty) else {
            return Operand::invalid(e);
        };
        let mut sig = (**sig).clone();
        let generic = !sig.tparams.is_empty();
        let mut targs = targs;
        if generic && targs.len() == sig.tparams.len() {
            self.requires(e.start(), 18, "function instantiation");
            let all = std::mem::take(&mut targs);
            sig = self.instantiate_function(fun, &sig, all, e.pos).1;
        }
        let mut ops = self.arg_list(args);
        let ok = self.arguments(e, fun, &mut sig, targs, &mut ops, args, ellipsis.is_some());
        if generic && (ok || sig.tparams.is_empty()) {
            // The function's own expression is recorded with its instance's type.
            let inst = self.prog.types.add(Type::Signature(Box::new(sig.clone())));
            self.record_instance(fun, inst);
        }
        self.env.has_call_or_recv = true;
        let results: Vec<TypeId> = sig.results.iter().map(|&r| self.obj(r).ty).collect();
        let mut r = Operand::new(Mode::Value, TypeId::INVALID, e);
        match results.len() {
            0 => {
                r.mode = Mode::NoValue;
                r.ty = x.ty;
            }
            1 => r.ty = results[0],
            _ => r.ty = self.prog.types.tuple(results),
        }
        if r.mode == Mode::Value && !ok && self.mentions(r.ty, &sig.tparams) {
            return Operand::invalid(e);
        }
        if r.mode == Mode::Value && !(self.is_complete(r.ty) && self.is_valid(r.ty)) {
            r.invalidate();
        }
        r
    }

    /// The called expression; explicit type arguments of a generic function are given apart.
    fn callee(&mut self, fun: &'static Expr) -> (Operand, Vec<TypeId>) {
        // An instantiation needs its arguments; an element of a slice of functions has none.
        if let ExprKind::Index { x: inner, indices } = &fun.kind {
            let (mut x, targs) = self.indexed(fun, inner, indices);
            self.exclude(&mut x, true, false, false);
            self.single_value(&mut x);
            return (x, targs);
        }
        self.callee_name = fun.unparen().id;
        let mut x = self.raw_expr(fun, None, None, true);
        self.exclude(&mut x, true, false, false);
        self.single_value(&mut x);
        if x.mode == Mode::Type {
            self.non_generic(&mut x, None);
        }
        (x, Vec::new())
    }

    /// `x[i]`, or a generic function and its type arguments, which may be too few.
    fn indexed(
        &mut self,
        e: &'static Expr,
        inner: &'static Expr,
        indices: &'static [Expr],
    ) -> (Operand, Vec<TypeId>) {
        let mut x = self.expr_or_type(inner, true);
        let mut targs = Vec::new();
        if x.mode == Mode::Value && self.is_generic(x.ty) {
            match self.type_arguments(&x, indices) {
                Some(given) => targs = given,
                None => x.invalidate(),
            }
        } else {
            x = self.index_of(e, x, indices);
            self.record_operand(e, &x);
        }
        x.expr = Some(e);
        (x, targs)
    }

    /// Records the type of the instance that `fun` denotes.
    fn record_instance(&mut self, fun: &'static Expr, ty: TypeId) {
        let mut e = fun;
        loop {
            self.record(e.id, Mode::Value, ty, None);
            match &e.kind {
                ExprKind::Paren(x) => e = x,
                ExprKind::Index { x, .. } => e = x,
                _ => return,
            }
        }
    }

    fn conversion_call(
        &mut self,
        e: &'static Expr,
        x: Operand,
        args: &'static [Expr],
        dots: bool,
    ) -> Operand {
        let t = x.ty;
        let ts = self.ts(t);
        if !self.is_valid(t) {
            self.use_exprs(args);
            return Operand::invalid(e);
        }
        if !self.is_complete(t) {
            return Operand::invalid(e);
        }
        if args.is_empty() {
            self.error(e.start(), format!("missing argument in conversion to {ts}"));
            return Operand::invalid(e);
        }
        if args.len() > 1 {
            self.use_exprs(args);
            self.error(
                args[args.len() - 1].start(),
                format!("too many arguments in conversion to {ts}"),
            );
            return Operand::invalid(e);
        }
        let target = self.target(t, || Symbol::new("conversion"));
        let mut y = self.expr(&args[0], target);
        if y.is_invalid() {
            return Operand::invalid(e);
        }
        if !self.is_type_param(t)
            && matches!(self.under_type(t), Type::Interface(_))
            && self.is_constraint_only(t)
        {
            self.error(
                e.start(),
                format!(
                    "cannot use interface {ts} in conversion (contains specific type \
                     constraints or is comparable)"
                ),
            );
            return Operand::invalid(e);
        }
        if dots {
            self.error(
                args[0].start(),
                format!("invalid use of ... in conversion to {ts}"),
            );
            return Operand::invalid(e);
        }
        self.conversion(&mut y, t, e);
        y.expr = Some(e);
        y
    }

    /// The arguments of a call: one multi-valued call gives several.
    pub(super) fn arg_list(&mut self, args: &'static [Expr]) -> Vec<Operand> {
        let [one] = args else {
            return args.iter().map(|e| self.argument(e, false)).collect();
        };
        let x = self.argument(one, true);
        match self.types.get(x.ty) {
            Type::Tuple(ts) if x.mode == Mode::Value => {
                let of = |t| Operand { ty: t, ..x.clone() };
                ts.clone().into_iter().map(of).collect()
            }
            _ => vec![x],
        }
    }

    /// An argument, which may be several values in `multi`. A generic function may have none of its
    /// type arguments, or some: the call tells the others.
    fn argument(&mut self, e: &'static Expr, multi: bool) -> Operand {
        if let ExprKind::Index { x: inner, indices } = &e.unparen().kind
            && self.allows(e.pos, 21)
        {
            let (mut x, targs) = self.indexed(e, inner, indices);
            let Type::Signature(sig) = self.types.get(x.ty) else {
                self.exclude(&mut x, true, true, true);
                return x;
            };
            let missing = sig.tparams.len() - targs.len();
            if x.is_invalid() || targs.is_empty() {
                self.exclude(&mut x, true, true, true);
            } else if missing == 0 {
                let sig = sig.clone();
                x.ty = self.instantiate_function(e, &sig, targs, e.start()).0;
                self.record_instance(e, x.ty);
            } else {
                x.given = targs;
            }
            return x;
        }
        match multi {
            true => {
                let mut x = self.raw_expr(e, None, None, true);
                self.exclude(&mut x, true, true, true);
                x
            }
            false => self.generic_expr(e),
        }
    }

    /// Matches arguments with parameters; infers missing type arguments and instantiates `sig`.
    /// Gives whether the call is good.
    #[allow(clippy::too_many_arguments)] // one call site, and all of them are parts of the call
    fn arguments(
        &mut self,
        call: &'static Expr,
        fun: &'static Expr,
        sig: &mut Signature,
        targs: Vec<TypeId>,
        ops: &mut [Operand],
        args: &'static [Expr],
        dots: bool,
    ) -> bool {
        let nargs = ops.len();
        let mut params: Vec<TypeId> = sig.params.iter().map(|&p| self.obj(p).ty).collect();
        let declared = params.clone();
        let mut npars = params.len();
        if sig.variadic {
            if dots {
                if args.len() == 1 && nargs > 1 {
                    let s = self.es(&args[0]);
                    self.error(
                        call.start(),
                        format!("cannot use ... with {nargs}-valued {s}"),
                    );
                    return false;
                }
            } else if nargs + 1 >= npars {
                let last = params.pop().unwrap_or(TypeId::INVALID);
                let elem = match self.under_type(last) {
                    Type::Slice(e) => *e,
                    // append([]byte, string...)
                    _ => TypeId::BYTE,
                };
                params.resize(nargs.max(params.len()), elem);
                npars = nargs;
            } else {
                npars -= 1;
            }
        } else if dots {
            let f = self.es(fun);
            self.error(
                call.start(),
                format!("cannot use ... in call to non-variadic {f}"),
            );
            return false;
        }
        if nargs != npars {
            let (word, at) = if nargs > npars {
                ("too many", ops[npars].pos())
            } else if nargs > 0 {
                ("not enough", ops[nargs - 1].pos())
            } else {
                ("not enough", call.start())
            };
            let have: Vec<TypeId> = ops.iter().map(|x| x.ty).collect();
            let have = self.types_summary(&have, false, dots);
            let want = self.types_summary(&declared, sig.variadic, false);
            let f = self.es(fun);

            self.error(
                at,
                format!("{word} arguments in call to {f}\n\thave {have}\n\twant {want}"),
            );
            return false;
        }
        // The type parameters of the function, and of generic functions given as arguments.
        let mut tparams = self.rename_tparams(&sig.tparams);
        if !tparams.is_empty() {
            for p in &mut params {
                *p = self.subst(*p, &sig.tparams, &tparams);
            }
            let what = match fun.kind {
                ExprKind::Index { .. } => "function instantiation",
                _ => "implicit function instantiation",
            };
            self.requires(call.start(), 18, what);
        }
        let mut given: Vec<Option<TypeId>> = targs.into_iter().map(Some).collect();
        let mut generic: Vec<(usize, Box<Signature>)> = Vec::new();
        let mut values: Vec<Argument> = ops.iter().map(Argument::of).collect();
        for (i, x) in ops.iter_mut().enumerate() {
            let Type::Signature(s) = self.types.get(x.ty) else {
                continue;
            };
            if s.tparams.is_empty() || x.is_invalid() {
                continue;
            }
            let s = s.clone();
            let fresh = self.rename_tparams(&s.tparams);
            let mut inst = self.subst_signature(&s, &s.tparams, &fresh);
            inst.tparams.clone_from(&fresh);
            values[i].ty = self.prog.types.add(Type::Signature(Box::new(inst)));
            given.resize(tparams.len(), None);
            given.extend(std::mem::take(&mut x.given).into_iter().map(Some));
            tparams.extend(fresh);
            generic.push((i, s));
        }
        given.resize(tparams.len(), None);
        if let Some((first, _)) = generic.first() {
            let what = "implicitly instantiated function as argument";
            self.requires(ops[*first].pos(), 21, what);
        }
        if !tparams.is_empty() {
            if given.iter().any(Option::is_none) && ops.iter().any(Operand::is_invalid) {
                return false;
            }
            let found = match given.iter().copied().collect::<Option<Vec<TypeId>>>() {
                Some(all) => all,
                None => match self.infer(call.pos, &tparams, given, &params, &values, false) {
                    Ok(found) => found,
                    Err((pos, why)) => {
                        let f = self.es(fun);
                        self.error(pos, format!("in call to {f}, {why}"));
                        return false;
                    }
                },
            };
            for p in &mut params {
                *p = self.subst(*p, &tparams, &found);
            }
            let (own, mut rest) = found.split_at(sig.tparams.len());
            if !own.is_empty() {
                *sig = self
                    .instantiate_function(fun, sig, own.to_vec(), call.pos)
                    .1;
            }
            for (i, s) in generic {
                let (own, others) = rest.split_at(s.tparams.len());
                rest = others;
                if let Some(e) = ops[i].expr {
                    ops[i].ty = self.instantiate_function(e, &s, own.to_vec(), call.pos).0;
                    self.record_instance(e, ops[i].ty);
                }
            }
        }
        if ops.is_empty() {
            return true; // A chain of calls without arguments is long to print at every link.
        }
        let context = format!("argument to {}", self.es(fun));
        for (x, &t) in ops.iter_mut().zip(&params) {
            self.assignment(x, Some(t), &context);
        }
        true
    }

    /// Where an instantiation of the function is recorded.
    pub(super) fn func_name_id(&self, fun: &Expr) -> NodeId {
        let mut e = fun.unparen();
        if let ExprKind::Index { x, .. } = &e.kind {
            e = x.unparen();
        }
        match &e.kind {
            ExprKind::Selector { sel, .. } => sel.id,
            _ => e.id,
        }
    }

    /// `x.f`: a qualified name, a field, a method value or a method expression.
    pub(super) fn selector(&mut self, e: &'static Expr, want_type: bool) -> Operand {
        let ExprKind::Selector { x: base, sel } = &e.kind else {
            return Operand::invalid(e);
        };
        if let ExprKind::Name(name) = base.kind
            && let Some((_, obj)) = self.scopes.lookup_parent(self.scope(), name)
        {
            if let ObjKind::PkgName { .. } = self.obj(obj).kind {
                self.record_use(base.id, obj);
                return self.qualified(e, obj, sel);
            }
        }
        let mut x = self.expr_or_type_for_selector(base);
        match x.mode {
            Mode::Builtin => {
                let s = self.os(&x);
                self.error(e.pos, format!("invalid use of {s} in selector expression"));
                return Operand::invalid(e);
            }
            Mode::Invalid => {
                x.expr = Some(e);
                return x;
            }
            Mode::Type => {
                let t = self.not_generic(base, x.ty);
                if t == TypeId::INVALID {
                    return Operand::invalid(e);
                }
            }
            _ => {}
        }
        if !self.is_complete(x.ty) {
            return Operand::invalid(e);
        }
        if want_type {
            let s = self.es(e);
            self.error(sel.pos, format!("{s} is not a type"));
            return Operand::invalid(e);
        }
        if let &Type::Pointer(p) = self.under_type(x.ty)
            && !self.is_complete(p)
        {
            return Operand::invalid(e);
        }
        self.resolve_pending_methods();
        let addressable = x.mode == Mode::Variable;
        let t = x.ty;
        let (obj, path, indirect) = match self.lookup(t, addressable, self.env.pkg, sel.name) {
            Found::Entry {
                obj,
                path,
                indirect,
            } => (obj, path, indirect),
            other => {
                self.selector_error(&x, base, sel, other);
                return Operand::invalid(e);
            }
        };
        if self.obj(obj).color != Color::Black {
            self.obj_decl(obj);
        }
        self.record_use(sel.id, obj);
        let o = self.obj(obj);
        let oty = o.ty;
        match &o.kind {
            ObjKind::Func(f) => {
                let ptr_recv = f.ptr_recv;
                let dep = f.origin.unwrap_or(obj);
                self.add_dep(dep);
                if !self.is_valid(oty) {
                    return Operand::invalid(e);
                }
                let kind = if x.mode == Mode::Type {
                    SelectionKind::MethodExpr
                } else {
                    SelectionKind::MethodVal
                };
                let ty = if x.mode == Mode::Type {
                    self.method_expr_type(t, oty)
                } else {
                    // A method with pointer receiver takes the address of its addressable operand.
                    if ptr_recv && addressable && !indirect && self.deref(t).is_none() {
                        self.mark_address_taken(base);
                    }
                    self.without_receiver(oty)
                };
                self.record_selection(e, sel, kind, obj, path, indirect);
                Operand::new(Mode::Value, ty, e)
            }
            ObjKind::Var(_) => {
                if x.mode == Mode::Type {
                    let ts = self.ts(t);
                    self.error(
                        base.start(),
                        format!(
                            "operand for field selector {} must be value of type {ts}",
                            sel.name
                        ),
                    );
                    return Operand::invalid(e);
                }
                self.record_selection(e, sel, SelectionKind::FieldVal, obj, path, indirect);
                let mode = if addressable || indirect {
                    Mode::Variable
                } else {
                    Mode::Value
                };
                if !self.is_valid(oty) {
                    return Operand::invalid(e);
                }
                Operand::new(mode, oty, e)
            }
            _ => Operand::invalid(e),
        }
    }

    fn expr_or_type_for_selector(&mut self, base: &'static Expr) -> Operand {
        let mut x = self.raw_expr(base, None, None, false);
        self.exclude(&mut x, true, false, false);
        self.single_value(&mut x);
        x
    }

    fn record_selection(
        &mut self,
        e: &Expr,
        sel: &ast::Ident,
        kind: SelectionKind,
        obj: ObjId,
        path: Vec<u32>,
        indirect: bool,
    ) {
        self.record_use(sel.id, obj);
        let s = Selection {
            kind,
            obj,
            path,
            indirect,
        };
        self.prog.info.selections.insert(e.id, s);
    }

    /// A method's type as a function value: identical but for the receiver.
    fn without_receiver(&mut self, sig: TypeId) -> TypeId {
        if let Some(&t) = self.method_values.get(&sig) {
            return t;
        }
        let Type::Signature(s) = self.types.get(sig) else {
            return sig;
        };
        if s.recv.is_none() {
            return sig;
        }
        let mut s = s.clone();
        s.recv = None;
        let t = self.prog.types.add(Type::Signature(s));
        self.method_values.insert(sig, t);
        t
    }

    /// `T.Method`: the receiver becomes the first parameter.
    fn method_expr_type(&mut self, recv: TypeId, sig: TypeId) -> TypeId {
        let Type::Signature(s) = self.types.get(sig) else {
            return TypeId::INVALID;
        };
        let mut s = s.clone();
        let named = s
            .params
            .iter()
            .any(|&p| !self.obj(p).name.as_str().is_empty());
        let name = match s.recv {
            Some(r) if named => match self.obj(r).name {
                n if n.as_str().is_empty() => Symbol::new("_"),
                n => n,
            },
            _ => Symbol::new(""),
        };
        let p = self.new_param(name, Pos::NONE, recv);
        s.recv = None;
        s.params.insert(0, p);
        self.prog.types.add(Type::Signature(s))
    }

    fn qualified(&mut self, e: &'static Expr, pkg_name: ObjId, sel: &ast::Ident) -> Operand {
        let pkg = self.use_package(pkg_name);
        // Go's export data holds exported names only.
        let found = match sel.name.is_exported() {
            true => self.find_in_package(pkg, sel.name),
            false => None,
        };
        let Some(obj) = found else {
            let p = self.pkg(pkg);
            if !p.is_std && p.files.is_empty() {
                return Operand::invalid(e);
            }
            if self.importer.lacks(&p.path, sel.name.as_str()) {
                let what = format!("{}.{}", p.path, sel.name);
                self.unsupported(sel.pos, &what);
                return Operand::invalid(e);
            }
            let s = self.es(e);
            let lower = sel.name.as_str().to_lowercase();
            let names = self.scopes.names(self.pkg(pkg).scope).into_iter();
            let mut alike: Vec<&str> = names
                .filter(|(name, _)| name.is_exported())
                .map(|(name, _)| name.as_str())
                .filter(|name| name.to_lowercase() == lower)
                .collect();
            alike.sort_unstable();
            let msg = match alike.first() {
                Some(n) => format!("undefined: {s} (but have {n})"),
                None => format!("undefined: {s}"),
            };
            self.error_near(sel.pos, msg, |ck| ck.near_in_package(pkg, sel.name));
            return Operand::invalid(e);
        };
        self.record_use(sel.id, obj);
        if self.obj(obj).color != Color::Black {
            self.obj_decl(obj);
        }
        let o = self.obj(obj);
        let ty = o.ty;
        let mut x = match &o.kind {
            ObjKind::Const(v) => {
                let v = v.clone();
                self.add_dep(obj);
                Operand::constant(v, ty, e)
            }
            ObjKind::TypeName { .. } => Operand::new(Mode::Type, ty, e),
            ObjKind::Var(_) => {
                self.add_dep(obj);
                Operand::new(Mode::Variable, ty, e)
            }
            ObjKind::Func(_) => {
                self.add_dep(obj);
                Operand::new(Mode::Value, ty, e)
            }
            ObjKind::Builtin(b) => {
                let mut x = Operand::new(Mode::Builtin, TypeId::INVALID, e);
                x.builtin = Some(*b);
                return x;
            }
            _ => Operand::invalid(e),
        };
        if !self.is_valid(ty) {
            x.invalidate();
        }
        x
    }

    fn selector_error(&mut self, x: &Operand, base: &'static Expr, sel: &ast::Ident, found: Found) {
        let t = x.ty;
        if self.under(t) == TypeId::INVALID || self.has_refused && self.has_unknown_members(t) {
            return;
        }
        let (b, ts, name) = (self.es(base), self.ts(t), sel.name);
        if let Some(what) = self.lacking(t, name) {
            return self.unsupported(sel.pos, &what);
        }
        let msg = match found {
            Found::Ambiguous => format!("ambiguous selector {b}.{name}"),
            Found::NeedsPointer if x.mode == Mode::Type => {
                format!(
                    "invalid method expression {ts}.{name} (needs pointer receiver (*{ts}).{name})"
                )
            }
            Found::NeedsPointer => format!("cannot call pointer method {name} on {ts}"),
            _ => {
                let why = match self.under_type(t) {
                    Type::Pointer(p) if self.is_type_param(*p) => {
                        format!("type {ts} is pointer to type parameter, not type parameter")
                    }
                    Type::Pointer(p) if matches!(self.under_type(*p), Type::Interface(_)) => {
                        format!("type {ts} is pointer to interface, not interface")
                    }
                    _ => self.lookup_hint(t, x.mode == Mode::Variable, name, false),
                };
                let msg = format!("{b}.{name} undefined ({why})");
                return self.error_near(sel.pos, msg, |ck| ck.near_member(t, name));
            }
        };
        self.error(sel.pos, msg);
    }

    /// Why there is no such field or method, naming one that differs in letter case only.
    pub(super) fn lookup_hint(
        &self,
        t: TypeId,
        addressable: bool,
        name: Symbol,
        in_literal: bool,
    ) -> String {
        let ts = self.ts(t);
        // A literal has the fields of what is beneath its type, and not the type's methods.
        let of = if in_literal { self.under(t) } else { t };
        let alt = match self.lookup_fold(of, addressable, self.env.pkg, name, true) {
            Found::Entry { obj, .. } => Some(obj),
            _ => None,
        };
        #[derive(PartialEq)]
        enum Alike {
            Missing,
            Misspelled,
            Unexported,
            Inaccessible,
        }
        let mut kind = Alike::Missing;
        let mut alt_name = "";
        let mut what = "";
        if let Some(alt) = alt {
            let o = self.obj(alt);
            alt_name = o.name.as_str();
            what = if matches!(o.kind, ObjKind::Func(_)) {
                "method"
            } else {
                "field"
            };
            let same_tail = tail(name.as_str()) == tail(alt_name);
            kind = match (name.is_exported(), o.name.is_exported()) {
                _ if o.pkg == self.env.pkg => Alike::Misspelled,
                (true, true) => Alike::Misspelled,
                (true, false) if same_tail => Alike::Unexported,
                (false, true) if same_tail => Alike::Misspelled,
                (false, false) if name == o.name => Alike::Inaccessible,
                _ => Alike::Missing,
            };
        }
        if in_literal {
            return match kind {
                Alike::Missing => format!("unknown field {name} in struct literal of type {ts}"),
                Alike::Misspelled => {
                    format!(
                        "unknown field {name} in struct literal of type {ts}, but does have \
                         {alt_name}"
                    )
                }
                Alike::Unexported => {
                    format!(
                        "unknown field {name} in struct literal of type {ts}, but does have \
                         unexported {alt_name}"
                    )
                }
                Alike::Inaccessible => {
                    format!(
                        "cannot refer to unexported field {alt_name} in struct literal of type {ts}"
                    )
                }
            };
        }
        match kind {
            Alike::Missing => format!("type {ts} has no field or method {name}"),
            Alike::Misspelled => {
                format!("type {ts} has no field or method {name}, but does have {what} {alt_name}")
            }
            Alike::Unexported => {
                format!(
                    "type {ts} has no field or method {name}, but does have unexported {what} \
                     {alt_name}"
                )
            }
            Alike::Inaccessible => format!("cannot refer to unexported {what} {alt_name}"),
        }
    }
}

/// All but the first character.
fn tail(s: &str) -> &str {
    let mut chars = s.chars();
    chars.next();
    chars.as_str()
}
