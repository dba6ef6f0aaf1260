//! Substitution of type parameters, and instances of generic types.
//!
//! An instance is found by its generic type and the text of its arguments, so recursive types meet
//! themselves. It is expanded at once if the generic type is complete, else when that becomes
//! complete.
//!
//! Go: go/types (subst.go, instantiate.go, named.go). Spec: Instantiations.

use super::*;

/// Instances inside each other's expansion beyond this depth can only be an endless series.
const MAX_INSTANCE_DEPTH: u32 = 100;

/// Methods of instances that came up in methods of instances get their signatures at once down to
/// this depth, else on demand.
const MAX_EAGER_GENERATION: u32 = 3;

impl Checker {
    /// `t` with each of `from` replaced by the same place of `to`.
    pub fn subst(&mut self, t: TypeId, from: &[TypeId], to: &[TypeId]) -> TypeId {
        if from.is_empty() || from == to || syntax::nesting::is_low() {
            return t;
        }
        match self.types.get(t) {
            Type::Basic(_) => t,
            Type::TypeParam(_) => match from.iter().position(|&f| f == t) {
                Some(i) => to.get(i).copied().unwrap_or(t),
                None => t,
            },
            Type::Pointer(e) => {
                let e = *e;
                let n = self.subst(e, from, to);
                if n == e {
                    t
                } else {
                    self.prog.types.pointer(n)
                }
            }
            Type::Slice(e) => {
                let e = *e;
                let n = self.subst(e, from, to);
                if n == e { t } else { self.prog.types.slice(n) }
            }
            Type::Array { len, elem } => {
                let (len, e) = (*len, *elem);
                let n = self.subst(e, from, to);
                if n == e {
                    t
                } else {
                    self.prog.types.array(len, n)
                }
            }
            Type::Map { key, value } => {
                let (k, v) = (*key, *value);
                let (nk, nv) = (self.subst(k, from, to), self.subst(v, from, to));
                if nk == k && nv == v {
                    t
                } else {
                    self.prog.types.map(nk, nv)
                }
            }
            Type::Chan { dir, elem } => {
                let (dir, e) = (*dir, *elem);
                let n = self.subst(e, from, to);
                if n == e {
                    t
                } else {
                    self.prog.types.chan(dir, n)
                }
            }
            Type::Tuple(ts) => {
                let ts = ts.clone();
                let new: Vec<TypeId> = ts.iter().map(|&x| self.subst(x, from, to)).collect();
                if new == ts {
                    t
                } else {
                    self.prog.types.tuple(new)
                }
            }
            Type::Union(terms) => {
                let terms = terms.clone();
                let mut changed = false;
                let new: Vec<Term> = terms
                    .iter()
                    .map(|x| {
                        let ty = self.subst(x.ty, from, to);
                        changed |= ty != x.ty;
                        Term { tilde: x.tilde, ty }
                    })
                    .collect();
                if changed {
                    self.prog.types.add(Type::Union(new))
                } else {
                    t
                }
            }
            Type::Signature(s) => {
                let s = (**s).clone();
                let new = self.subst_signature(&s, from, to);
                if new.params == s.params && new.results == s.results && new.tparams == s.tparams {
                    return t;
                }
                self.prog.types.add(Type::Signature(Box::new(new)))
            }
            Type::Struct(s) => {
                let s = (**s).clone();
                let fields = self.subst_vars(&s.fields, from, to);
                if fields == s.fields {
                    return t;
                }
                let tags = s.tags.clone();
                self.prog
                    .types
                    .add(Type::Struct(Box::new(StructType { fields, tags })))
            }
            Type::Interface(it) => {
                let it = (**it).clone();
                let mut changed = false;
                let embeds: Vec<(TypeId, Pos)> = it
                    .embeds
                    .iter()
                    .map(|&(e, p)| {
                        let n = self.subst(e, from, to);
                        changed |= n != e;
                        (n, p)
                    })
                    .collect();
                let methods: Vec<ObjId> = it
                    .methods
                    .iter()
                    .map(|&m| {
                        let old = self.obj(m).ty;
                        let ty = self.subst(old, from, to);
                        if ty == old {
                            return m;
                        }
                        changed = true;
                        let mut o = self.obj(m).clone();
                        o.ty = ty;
                        self.prog.objs.add(o)
                    })
                    .collect();
                if !changed {
                    return t;
                }
                self.prog.types.add(Type::Interface(Box::new(Interface {
                    methods,
                    embeds,
                    implicit: it.implicit,
                    complete: it.complete,
                    ..Interface::default()
                })))
            }
            Type::Named(n) => {
                let Some(origin) = n.origin else {
                    return self.subst_local(t, from, to);
                };
                let targs = n.targs.clone();
                let new: Vec<TypeId> = targs.iter().map(|&x| self.subst(x, from, to)).collect();
                if new == targs {
                    t
                } else {
                    self.instantiate(origin, &new)
                }
            }
            Type::Alias { obj, target, targs } => {
                let (obj, target, targs) = (*obj, *target, targs.clone());
                let n = self.subst(target, from, to);
                if n == target {
                    return t;
                }
                if targs.is_empty() {
                    return n;
                }
                let targs = targs.iter().map(|&x| self.subst(x, from, to)).collect();
                self.prog.types.add(Type::Alias {
                    obj,
                    target: n,
                    targs,
                })
            }
        }
    }

    /// A type declared inside a generic function is another one in each instance of the function.
    /// The checker itself never asks; the compiler does, with concrete arguments.
    fn subst_local(&mut self, t: TypeId, from: &[TypeId], to: &[TypeId]) -> TypeId {
        let n = self.types.named(t);
        if n.outer.is_empty() || !n.complete || !self.local_instances {
            return t;
        }
        let (under, outer) = (n.underlying, n.outer.clone());
        let new: Vec<TypeId> = outer.iter().map(|&x| self.subst(x, from, to)).collect();
        if new == outer {
            return t;
        }
        let args: Vec<String> = new.iter().map(|&x| self.canonical_string(x)).collect();
        let key = (t, args.join(","));
        if let Some(&i) = self.instances.get(&key) {
            return i;
        }
        let mut copy = self.types.named(t).clone();
        copy.underlying = TypeId::INVALID;
        copy.outer = new;
        let inst = self.prog.types.add(Type::Named(Box::new(copy)));
        self.instances.insert(key, inst);
        let u = self.subst(under, from, to);
        self.prog.types.named_mut(inst).underlying = u;
        inst
    }

    /// Does the type mention one of the type parameters?
    pub fn mentions(&self, t: TypeId, tparams: &[TypeId]) -> bool {
        self.mentions_in(t, tparams, &mut Vec::new())
    }

    fn mentions_in(&self, t: TypeId, tparams: &[TypeId], seen: &mut Vec<TypeId>) -> bool {
        if syntax::nesting::is_low() {
            return false;
        }
        match self.types.get(t) {
            Type::Basic(_) => false,
            Type::TypeParam(_) => tparams.contains(&t),
            Type::Pointer(e) | Type::Slice(e) => self.mentions_in(*e, tparams, seen),
            Type::Array { elem, .. } | Type::Chan { elem, .. } => {
                self.mentions_in(*elem, tparams, seen)
            }
            Type::Map { key, value } => {
                self.mentions_in(*key, tparams, seen) || self.mentions_in(*value, tparams, seen)
            }
            Type::Tuple(ts) => ts.iter().any(|&t| self.mentions_in(t, tparams, seen)),
            Type::Union(ts) => ts.iter().any(|t| self.mentions_in(t.ty, tparams, seen)),
            Type::Signature(s) => s
                .params
                .iter()
                .chain(&s.results)
                .any(|&p| self.mentions_in(self.obj(p).ty, tparams, seen)),
            Type::Struct(s) => s
                .fields
                .iter()
                .any(|&f| self.mentions_in(self.obj(f).ty, tparams, seen)),
            Type::Interface(it) => {
                if seen.contains(&t) {
                    return false;
                }
                seen.push(t);
                it.embeds
                    .iter()
                    .any(|e| self.mentions_in(e.0, tparams, seen))
                    || it
                        .methods
                        .iter()
                        .any(|&m| self.mentions_in(self.obj(m).ty, tparams, seen))
            }
            Type::Named(n) => {
                let outer = if self.local_instances {
                    &n.outer[..]
                } else {
                    &[]
                };
                let mut args = n.targs.iter().chain(outer);
                args.any(|&x| self.mentions_in(x, tparams, seen))
            }
            Type::Alias { target, .. } => self.mentions_in(*target, tparams, seen),
        }
    }

    /// From now on local types of generic functions are substituted too:
    /// the compiler calls this once checking is done.
    pub fn enable_local_instances(&mut self) {
        self.local_instances = true;
    }

    fn subst_vars(&mut self, vars: &[ObjId], from: &[TypeId], to: &[TypeId]) -> Vec<ObjId> {
        let types: Vec<TypeId> = vars
            .iter()
            .map(|&v| {
                let t = self.obj(v).ty;
                self.subst(t, from, to)
            })
            .collect();
        if vars.iter().zip(&types).all(|(&v, &t)| self.obj(v).ty == t) {
            return vars.to_vec();
        }
        vars.iter()
            .zip(types)
            .map(|(&v, t)| {
                let mut o = self.obj(v).clone();
                o.ty = t;
                self.prog.objs.add(o)
            })
            .collect()
    }

    /// The signature's instance; its own type parameters are gone if they were replaced.
    pub fn subst_signature(&mut self, s: &Signature, from: &[TypeId], to: &[TypeId]) -> Signature {
        let params = self.subst_vars(&s.params, from, to);
        let results = self.subst_vars(&s.results, from, to);
        let own = s.tparams.iter().any(|t| from.contains(t));
        Signature {
            recv: s.recv,
            tparams: if own { Vec::new() } else { s.tparams.clone() },
            params,
            results,
            variadic: s.variadic,
        }
    }

    /// Type parameters of the same names and constraints, to be found: a function that calls itself
    /// has its own inside as types like others.
    pub(super) fn rename_tparams(&mut self, tparams: &[TypeId]) -> Vec<TypeId> {
        self.subst_tparams(tparams, &[], &[])
    }

    /// As [`Self::rename_tparams`], with each of `from` in the constraints replaced.
    fn subst_tparams(&mut self, tparams: &[TypeId], from: &[TypeId], to: &[TypeId]) -> Vec<TypeId> {
        let fresh: Vec<TypeId> = tparams
            .iter()
            .map(|&t| {
                let copy = self.types.get(t).clone();
                self.prog.types.add(copy)
            })
            .collect();
        let (from, to) = ([from, tparams].concat(), [to, &fresh].concat());
        for &t in &fresh {
            let Type::TypeParam(p) = self.types.get(t) else {
                continue;
            };
            let c = p.constraint;
            let c = self.subst(c, &from, &to);
            if let Type::TypeParam(p) = self.prog.types.get_mut(t) {
                p.constraint = c;
            }
        }
        fresh
    }

    /// The instance of a generic type. The number of arguments must be right.
    pub(crate) fn instantiate(&mut self, generic: TypeId, targs: &[TypeId]) -> TypeId {
        if let Type::Alias { obj, target, .. } = self.types.get(generic) {
            let (obj, target) = (*obj, *target);
            let tparams = self
                .alias_tparams
                .get(&generic)
                .cloned()
                .unwrap_or_default();
            let target = self.subst(target, &tparams, targs);
            return self.prog.types.add(Type::Alias {
                obj,
                target,
                targs: targs.to_vec(),
            });
        }
        let Type::Named(n) = self.types.get(generic) else {
            return TypeId::INVALID;
        };
        let (obj, complete, local_index) = (n.obj, n.complete, n.local_index);
        let args: Vec<String> = targs.iter().map(|&t| self.canonical_string(t)).collect();
        let key = (generic, args.join(","));
        if let Some(&inst) = self.instances.get(&key) {
            return inst;
        }
        let inst = self.prog.types.add(Type::Named(Box::new(Named {
            obj,
            underlying: TypeId::INVALID,
            methods: Vec::new(),
            tparams: Vec::new(),
            targs: targs.to_vec(),
            origin: Some(generic),
            local_index,
            outer: Vec::new(),
            complete: false,
        })));
        if self.generation > 0 {
            self.generations.insert(inst, self.generation);
        }
        self.instances.insert(key, inst);
        if self.instance_at.is_known() {
            self.instance_pos.insert(inst, self.instance_at);
        }
        self.instances_of.entry(generic).or_default().push(inst);
        if complete {
            self.expand(inst);
        } else {
            self.pending_instances
                .entry(generic)
                .or_default()
                .push(inst);
        }
        inst
    }

    fn expand(&mut self, inst: TypeId) {
        let n = self.types.named(inst);
        let (Some(origin), targs, obj) = (n.origin, n.targs.clone(), n.obj) else {
            return;
        };
        // Once instances have been found to call for others without end, those that others call for
        // are made no more: the report does not need them.
        let depth = self.instance_depth;
        if depth > MAX_INSTANCE_DEPTH || self.endless.is_some() && depth > 0 {
            let (pos, name) = (self.obj(obj).pos, self.obj(obj).name);
            self.endless.get_or_insert((pos, name));
            return;
        }
        let at = self.instance_pos.get(&inst).copied();
        let saved_at = std::mem::replace(&mut self.instance_at, at.unwrap_or(Pos::NONE));
        self.instance_depth += 1;
        let o = self.types.named(origin);
        let (under, tparams) = (o.underlying, o.tparams.clone());
        // With too few arguments or too many, which has been reported, nothing is known of it.
        let u = match tparams.len() == targs.len() {
            true => self.subst(under, &tparams, &targs),
            false => TypeId::INVALID,
        };
        let n = self.prog.types.named_mut(inst);
        n.underlying = u;
        n.complete = true;
        self.add_methods_of_instance(inst, origin);
        self.instance_depth -= 1;
        self.instance_at = saved_at;
    }

    /// The generic type has become complete.
    pub(super) fn expand_pending(&mut self, generic: TypeId) {
        for inst in self.pending_instances.remove(&generic).unwrap_or_default() {
            self.expand(inst);
        }
    }

    /// The generic type's methods have been attached after instances were made.
    pub(super) fn add_instance_methods(&mut self, generic: TypeId) {
        for inst in self.instances_of.get(&generic).cloned().unwrap_or_default() {
            self.add_methods_of_instance(inst, generic);
        }
    }

    fn add_methods_of_instance(&mut self, inst: TypeId, generic: TypeId) {
        if self.types.named(inst).targs.len() != self.types.named(generic).tparams.len() {
            return;
        }
        let methods = self.types.named(generic).methods.clone();
        let known = self.types.named(inst).methods.clone();
        if methods.is_empty() || !known.is_empty() && !self.is_session {
            return;
        }
        let origin = |c: &Checker, m| c.objs.func(m).and_then(|f| f.origin);
        let mut list = Vec::with_capacity(methods.len());
        for m in methods {
            if let Some(&known) = known.iter().find(|&&k| origin(self, k) == Some(m)) {
                list.push(known);
                continue;
            }
            let mut o = self.obj(m).clone();
            o.color = Color::White;
            o.ty = TypeId::INVALID;
            if let ObjKind::Func(f) = &mut o.kind {
                f.origin = Some(m);
                f.recv_named = Some(inst);
            }
            list.push(self.prog.objs.add(o));
        }
        self.prog.types.named_mut(inst).methods = list.clone();
        let is_std = self.is_std_object(self.types.named(generic).obj);
        if !is_std && self.generations.get(&inst).copied().unwrap_or(0) < MAX_EAGER_GENERATION {
            self.pending_methods.extend(list);
        }
    }

    /// Resolves the signature of an instance's method.
    pub(super) fn instance_method_decl(&mut self, obj: ObjId, origin: ObjId) {
        self.obj_decl(origin);
        self.prog.objs.get_mut(obj).color = Color::Black;
        let Some(inst) = self.objs.func(obj).and_then(|f| f.recv_named) else {
            return;
        };
        let born = self.generations.get(&inst).copied().unwrap_or(0) + 1;
        let saved = std::mem::replace(&mut self.generation, born);
        self.instance_method_type(obj, origin, inst);
        self.generation = saved;
    }

    /// Makes sure that those methods of `t` have their signatures that an interface asks for; other
    /// types than interfaces ask for none. Once checking is done, methods of the standard library
    /// may lack them, and those of instances that come up in the methods of other instances, some
    /// levels deep: there is no end to these.
    pub(crate) fn complete_methods(&mut self, t: TypeId, iface: TypeId) {
        self.resolve_pending_methods();
        if !matches!(self.under_type(iface), Type::Interface(_)) {
            return;
        }
        for m in self.type_set(iface).methods.clone() {
            let o = self.obj(m);
            let (name, pkg) = (o.name, o.pkg);
            let mut found = self.lookup(t, false, pkg, name);
            if matches!(found, Found::None) {
                // A message may speak of the one whose name is almost right.
                found = self.lookup_fold(t, false, pkg, name, true);
            }
            if let Found::Entry { obj, .. } = found
                && self.obj(obj).color == Color::White
            {
                self.obj_decl(obj);
            }
        }
    }

    fn instance_method_type(&mut self, obj: ObjId, origin: ObjId, inst: TypeId) {
        let targs = match self.types.get(inst) {
            Type::Named(n) => n.targs.clone(),
            _ => return,
        };
        let oty = self.obj(origin).ty;
        let Type::Signature(s) = self.types.get(oty) else {
            return;
        };
        let s = (**s).clone();
        let Some(recv) = s.recv else { return };
        let rty = self.obj(recv).ty;
        let base = self.deref(rty).unwrap_or(rty);
        let mine = match self.types.get(self.unalias(base)) {
            Type::Named(n) => n.targs.clone(),
            // Something was wrong with the receiver.
            _ => Vec::new(),
        };
        // The method's own type parameters have constraints that may name those of the receiver.
        let own = self.subst_tparams(&s.tparams, &mine, &targs);
        let (from, to) = (
            [mine, s.tparams.clone()].concat(),
            [targs, own.clone()].concat(),
        );
        let mut new = self.subst_signature(&s, &from, &to);
        new.tparams = own;
        let mut r = self.obj(recv).clone();
        r.ty = if self.deref(rty).is_some() {
            self.prog.types.pointer(inst)
        } else {
            inst
        };
        new.recv = Some(self.prog.objs.add(r));
        let ty = self.prog.types.add(Type::Signature(Box::new(new)));
        self.prog.objs.get_mut(obj).ty = ty;
    }

    /// Reports type arguments that do not satisfy their constraints.
    pub(super) fn verify_instance(
        &mut self,
        tparams: &[TypeId],
        targs: &[TypeId],
        positions: &[Pos],
    ) -> bool {
        for (i, (&p, &a)) in tparams.iter().zip(targs).enumerate() {
            let Type::TypeParam(tp) = self.types.get(p) else {
                continue;
            };
            let c = tp.constraint;
            let c = self.subst(c, tparams, targs);
            self.complete_methods(a, c);
            let pos = positions.get(i).or(positions.last()).copied();
            let pos = pos.unwrap_or(Pos::NONE);
            if let Err(cause) = self.implements_cause(a, c, true) {
                self.soft_error(pos, cause);
                return false;
            }
            if !self.allows(pos, 20)
                && self.type_set(c).comparable
                && !self.comparable_at(a, false, 0)
            {
                let what = format!("{} to satisfy comparable", self.ts(a));
                self.soft_error(pos, format!("{what} requires go1.20 or later"));
                return false;
            }
        }
        self.mono_instance(tparams, targs, positions);
        true
    }
}
