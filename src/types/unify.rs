//! Unification: which types must type parameters be, for two types to match?
//!
//! Assignability is looser than identity: at the top a defined type matches a type literal of its
//! underlying type, and channel directions may differ; inside, types must be identical.
//!
//! Go: go/types (unify.go). Spec: Type unification.

use super::*;
use syntax::ast::ChanDir;

/// Type parameters and what they have been found to be.
pub(super) struct Unifier<'a> {
    p: &'a Program,
    pub tparams: Vec<TypeId>,
    pub found: Vec<Option<TypeId>>,
    depth: u32,
    /// Interfaces match what has their methods (since go1.21).
    pub(crate) sees_methods: bool,
}

impl<'a> Unifier<'a> {
    pub(super) fn new(p: &'a Program, tparams: &[TypeId], found: &[Option<TypeId>]) -> Unifier<'a> {
        Unifier {
            p,
            tparams: tparams.to_vec(),
            found: found.to_vec(),
            depth: 0,
            sees_methods: true,
        }
    }

    fn param(&self, t: TypeId) -> Option<usize> {
        self.tparams.iter().position(|&p| p == t)
    }

    /// As [`param`](Self::param): the one that stands for those that are joined.
    fn root(&self, t: TypeId) -> Option<usize> {
        Some(infer::root(&self.tparams, &self.found, self.param(t)?))
    }

    /// Makes `x` and `y` match. `exact`: identical rather than assignable.
    pub(super) fn unify(&mut self, x: TypeId, y: TypeId, exact: bool) -> bool {
        if self.depth > 200 {
            return false;
        }
        self.depth += 1;
        let r = self.unify1(x, y, exact);
        self.depth -= 1;
        r
    }

    fn unify1(&mut self, x: TypeId, y: TypeId, exact: bool) -> bool {
        let p = self.p;
        let (mut x, mut y) = (p.unalias(x), p.unalias(y));
        if x == y {
            return true;
        }
        // A type parameter to be found goes to the left.
        if self.param(x).is_none() && self.param(y).is_some() {
            (x, y) = (y, x);
        }
        if let Some(i) = self.root(x) {
            if let Some(j) = self.root(y) {
                if i == j {
                    return true;
                }
                return match (self.found[i], self.found[j]) {
                    (Some(a), Some(b)) => self.unify(a, b, exact),
                    (Some(a), None) => {
                        self.found[j] = Some(a);
                        true
                    }
                    (None, Some(b)) => {
                        self.found[i] = Some(b);
                        true
                    }
                    // Joined: the second is whatever the first will be.
                    (None, None) => {
                        self.found[j] = Some(self.tparams[i]);
                        true
                    }
                };
            }
            let Some(old) = self.found[i] else {
                self.found[i] = Some(y);
                return true;
            };
            if !self.unify(old, y, exact) {
                return false;
            }
            // A defined type tells more than a literal, a bidirectional channel less than a
            // directed one… but only the defined one is chosen over what came first.
            if !exact {
                let old = self.found[i].unwrap_or(old);
                let is_defined = |t| matches!(p.types.get(p.unalias(t)), Type::Named(_));
                if is_defined(y) && !is_defined(old) {
                    self.found[i] = Some(y);
                } else if let (
                    Type::Chan {
                        dir: ChanDir::Both, ..
                    },
                    Type::Chan { dir, .. },
                ) = (p.under_type(old), p.under_type(y))
                    && *dir != ChanDir::Both
                    && !is_defined(old)
                {
                    self.found[i] = Some(y);
                }
            }
            return true;
        }
        if !exact {
            let defined = |t| matches!(p.types.get(t), Type::Named(_));
            let (dx, dy) = (defined(x), defined(y));
            // A defined type against a literal: compare what is underneath.
            if dx && !p.has_name(y) && !(self.sees_methods && p.is_interface(x)) {
                return self.unify(p.under(x), y, false);
            }
            if dy && !p.has_name(x) && !(self.sees_methods && p.is_interface(y)) {
                return self.unify(x, p.under(y), false);
            }
            // An interface against a type with its methods.
            if !self.sees_methods {
                // Interfaces match as other types do.
            } else if p.is_interface(x) && !p.is_interface(y)
                || p.is_interface(y) && !p.is_interface(x)
            {
                let (iface, other) = if p.is_interface(x) { (x, y) } else { (y, x) };
                if self.p.type_set(iface).terms.is_none() && !p.is_type_param(other) {
                    return self.unify_methods(iface, other);
                }
            }
            if self.sees_methods
                && p.is_interface(x)
                && p.is_interface(y)
                && (dx != dy || dx && dy && !self.same_origin(x, y))
            {
                let (a, b) = (p.type_set(x), p.type_set(y));
                let (small, large) = if a.methods.len() <= b.methods.len() {
                    (x, y)
                } else {
                    (y, x)
                };
                return self.unify_methods(small, large);
            }
        }
        // A type parameter of an enclosing function stands for its core type.
        if p.is_type_param(x) != p.is_type_param(y) {
            let (param, other) = if p.is_type_param(x) { (x, y) } else { (y, x) };
            return match p.core_type(param) {
                Some(core) if !exact && !p.is_interface(other) => self.unify(core, other, false),
                _ => false,
            };
        }
        match (p.types.get(x), p.types.get(y)) {
            (Type::Basic(a), Type::Basic(b)) => a == b,
            (Type::Pointer(a), Type::Pointer(b)) | (Type::Slice(a), Type::Slice(b)) => {
                self.unify(*a, *b, true)
            }
            (Type::Array { len: n, elem: a }, Type::Array { len: m, elem: b }) => {
                (n == m || *n < 0 || *m < 0) && self.unify(*a, *b, true)
            }
            (Type::Map { key: k, value: a }, Type::Map { key: l, value: b }) => {
                self.unify(*k, *l, true) && self.unify(*a, *b, true)
            }
            (Type::Chan { dir: c, elem: a }, Type::Chan { dir: d, elem: b }) => {
                (c == d || !exact && (*c == ChanDir::Both || *d == ChanDir::Both))
                    && self.unify(*a, *b, true)
            }
            (Type::Signature(a), Type::Signature(b)) => self.unify_sigs(a, b),
            (Type::Struct(a), Type::Struct(b)) => {
                a.fields.len() == b.fields.len()
                    && a.fields
                        .iter()
                        .zip(&b.fields)
                        .enumerate()
                        .all(|(i, (&f, &g))| {
                            let (fo, go) = (p.obj(f), p.obj(g));
                            fo.name == go.name
                                && p.objs.embedded(&fo.kind) == p.objs.embedded(&go.kind)
                                && a.tag(i) == b.tag(i)
                                && self.unify(fo.ty, go.ty, true)
                        })
            }
            (Type::Interface(_), Type::Interface(_)) => {
                let (a, b) = (p.type_set(x), p.type_set(y));
                a.methods.len() == b.methods.len()
                    && a.comparable == b.comparable
                    && a.terms.is_some() == b.terms.is_some()
                    && a.methods.iter().zip(&b.methods).all(|(&m, &n)| {
                        p.obj(m).name == p.obj(n).name && self.unify(p.obj(m).ty, p.obj(n).ty, true)
                    })
            }
            (Type::Named(a), Type::Named(b)) => {
                a.origin.is_some()
                    && a.origin == b.origin
                    && a.targs.len() == b.targs.len()
                    && a.targs
                        .iter()
                        .zip(&b.targs)
                        .all(|(&s, &t)| self.unify(s, t, true))
            }
            (Type::Tuple(a), Type::Tuple(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(&s, &t)| self.unify(s, t, true))
            }
            _ => false,
        }
    }

    fn same_origin(&self, x: TypeId, y: TypeId) -> bool {
        match (self.p.types.get(x), self.p.types.get(y)) {
            (Type::Named(a), Type::Named(b)) => a.origin.is_some() && a.origin == b.origin,
            _ => false,
        }
    }

    fn unify_sigs(&mut self, a: &Signature, b: &Signature) -> bool {
        // Parameters tell what type arguments are even where results do not match.
        a.variadic == b.variadic
            && a.tparams.len() == b.tparams.len()
            && self.unify_vars(&a.params, &b.params)
            && self.unify_vars(&a.results, &b.results)
    }

    fn unify_vars(&mut self, a: &[ObjId], b: &[ObjId]) -> bool {
        let p = self.p;
        let mut pairs = a.iter().zip(b);
        a.len() == b.len() && pairs.all(|(&v, &w)| self.unify(p.obj(v).ty, p.obj(w).ty, true))
    }

    /// `other` must have the interface's methods, with matching signatures.
    pub(super) fn unify_methods(&mut self, iface: TypeId, other: TypeId) -> bool {
        let p = self.p;
        for &m in &p.type_set(iface).methods {
            let mo = p.obj(m);
            match p.lookup(other, false, mo.pkg, mo.name) {
                Found::Entry { obj, .. } if matches!(p.obj(obj).kind, ObjKind::Func(_)) => {
                    let (Type::Signature(a), Type::Signature(b)) =
                        (p.types.get(mo.ty), p.types.get(p.obj(obj).ty))
                    else {
                        return false;
                    };
                    if !self.unify_sigs(a, b) {
                        return false;
                    }
                }
                _ => return false,
            }
        }
        true
    }
}
