//! Unification: which types must type parameters be, for two types to match?
//!
//! Types match exactly if they can be made identical. Otherwise a defined type matches a type
//! literal like the one beneath it, directions of channels do not count, and an interface matches
//! what has its methods. An assignment is as loose, but only at the top: the elements of the two
//! types must match exactly.
//!
//! Go: go/types (unify.go). Spec: Type unification.

use super::*;
use syntax::ast::ChanDir;

/// How alike two types must be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Likeness {
    Loose,
    /// Loose at the top, exact inside.
    Assignable,
    Exact,
}

use Likeness::{Assignable, Exact, Loose};

impl Likeness {
    fn of_elements(self) -> Likeness {
        match self {
            Loose => Loose,
            Assignable | Exact => Exact,
        }
    }
}

/// Type parameters and what they have been found to be. One that is joined with another is found
/// to be that other one.
pub(super) struct Solution {
    pub tparams: Vec<TypeId>,
    pub found: Vec<Option<TypeId>>,
}

impl Solution {
    pub(super) fn index(&self, t: TypeId) -> Option<usize> {
        self.tparams.iter().position(|&p| p == t)
    }

    /// The one that stands for the type parameter numbered `i` and those it is joined with.
    fn root(&self, mut i: usize) -> usize {
        while let Some(next) = self.found[i].and_then(|t| self.index(t)) {
            i = next;
        }
        i
    }

    /// What the type parameter numbered `i` has been found to be, if anything.
    pub(super) fn at(&self, i: usize) -> Option<TypeId> {
        self.found[self.root(i)]
    }

    pub(super) fn set(&mut self, i: usize, t: TypeId) {
        let root = self.root(i);
        self.found[root] = Some(t);
    }

    /// Makes one of two type parameters, unless both have been found. Gives whether they are one.
    fn join(&mut self, i: usize, j: usize) -> bool {
        let (i, j) = (self.root(i), self.root(j));
        if i == j {
            return true;
        }
        match (self.found[i], self.found[j]) {
            (Some(_), Some(_)) => return false,
            (Some(_), None) => self.found[j] = Some(self.tparams[i]),
            (None, _) => self.found[i] = Some(self.tparams[j]),
        }
        true
    }

    /// What has been found of each, joined ones resolved.
    pub(super) fn all(&self) -> Vec<Option<TypeId>> {
        (0..self.found.len()).map(|i| self.at(i)).collect()
    }

    pub(super) fn unknowns(&self) -> usize {
        self.all().iter().filter(|t| t.is_none()).count()
    }
}

/// Pairs of types are matched by it, each adding to the solution.
pub(super) struct Unifier<'a> {
    ck: &'a mut Checker,
    solution: &'a mut Solution,
    depth: u32,
    /// Interfaces match what has their methods (since go1.21).
    sees_methods: bool,
    /// Pairs of interfaces that are being matched.
    interfaces: Vec<(TypeId, TypeId)>,
}

impl<'a> Unifier<'a> {
    pub(super) fn new(
        ck: &'a mut Checker,
        solution: &'a mut Solution,
        sees_methods: bool,
    ) -> Unifier<'a> {
        Unifier {
            ck,
            solution,
            depth: 0,
            sees_methods,
            interfaces: Vec::new(),
        }
    }

    /// Makes `x` and `y` match, if they can.
    pub(super) fn unify(&mut self, x: TypeId, y: TypeId, how: Likeness) -> bool {
        if self.depth > 200 {
            return false;
        }
        self.depth += 1;
        let r = self.unify_below(x, y, how);
        self.depth -= 1;
        r
    }

    fn unify_below(&mut self, x: TypeId, y: TypeId, how: Likeness) -> bool {
        // What is found keeps the names of aliases.
        let named = (x, y);
        let (mut x, mut y) = (self.ck.unalias(x), self.ck.unalias(y));
        if x == y {
            return true;
        }
        // A defined type goes to the right, a type parameter to be found to the left.
        let mut found = named.1;
        if self.ck.is_named(x) || self.solution.index(y).is_some() {
            (x, y) = (y, x);
            found = named.0;
        }
        let is_literal = !self.ck.is_named(x) && !self.ck.is_type_param(x);
        if how != Exact
            && self.ck.is_named(y)
            && is_literal
            && !(self.sees_methods && self.ck.is_interface(x))
        {
            y = self.ck.under(y);
            if x == y {
                return true;
            }
        }
        if let Some(i) = self.solution.index(x) {
            return match self.solution.index(y) {
                Some(j) if self.solution.join(i, j) => true,
                Some(j) => match (self.solution.at(i), self.solution.at(j)) {
                    (Some(a), Some(b)) => self.unify(a, b, how),
                    _ => false,
                },
                None => self.unify_with_param(i, found, how),
            };
        }
        if self.sees_methods && how != Exact {
            match (self.ck.is_interface(x), self.ck.is_interface(y)) {
                (true, true) => return self.unify_interfaces(x, y, false),
                (true, false) => return self.unify_methods(x, y),
                (false, true) => return self.unify_methods(y, x),
                _ => {}
            }
        }
        // A type parameter of an enclosing function stands for its core type.
        if self.ck.is_type_param(y) {
            (x, y) = (y, x);
        }
        if self.ck.is_type_param(x) {
            return match self.ck.core_type(x) {
                Some(core) => self.unify(core, y, Assignable),
                None => false,
            };
        }
        self.unify_parts(x, y, how)
    }

    /// Type parameter `i` and a type that is none.
    fn unify_with_param(&mut self, i: usize, y: TypeId, how: Likeness) -> bool {
        let Some(x) = self.solution.at(i) else {
            self.solution.set(i, y);
            return true;
        };
        if !self.unify(x, y, how) {
            return false;
        }
        let is_defined = |t| self.ck.is_named(t);
        match (self.ck.is_interface(x), self.ck.is_interface(y)) {
            (true, true) if is_defined(x) && is_defined(y) => return self.ck.identical(x, y),
            (true, true) => {
                let count = |t| self.ck.type_set(t).methods.len();
                if count(x) != count(y) {
                    return false;
                }
            }
            // Either would do, so that the order of the arguments would decide.
            (true, false) | (false, true) => return false,
            (false, false) => {}
        }
        // A defined type tells more than a literal, a channel of one direction more than one of
        // both.
        if how != Exact && !is_defined(x) {
            let is_directed = matches!(
                self.ck.under_type(y),
                Type::Chan { dir, .. } if *dir != ChanDir::Both
            );
            if is_defined(y) || is_directed {
                self.solution.set(i, y);
            }
        }
        true
    }

    /// Types that are no type parameters, and no interfaces unless these must match exactly.
    fn unify_parts(&mut self, x: TypeId, y: TypeId, how: Likeness) -> bool {
        let inner = how.of_elements();
        let types = &self.ck.prog.types;
        match (types.get(x), types.get(y)) {
            (Type::Basic(a), Type::Basic(b)) => a == b,
            (&Type::Pointer(a), &Type::Pointer(b)) | (&Type::Slice(a), &Type::Slice(b)) => {
                self.unify(a, b, inner)
            }
            (&Type::Array { len: n, elem: a }, &Type::Array { len: m, elem: b }) => {
                (n == m || n < 0 || m < 0) && self.unify(a, b, inner)
            }
            (&Type::Map { key: k, value: a }, &Type::Map { key: l, value: b }) => {
                self.unify(k, l, inner) && self.unify(a, b, inner)
            }
            (&Type::Chan { dir: c, elem: a }, &Type::Chan { dir: d, elem: b }) => {
                (how != Exact || c == d) && self.unify(a, b, inner)
            }
            (Type::Signature(a), Type::Signature(b)) => {
                let (a, b) = (a.clone(), b.clone());
                self.unify_signatures(&a, &b, inner)
            }
            (Type::Struct(a), Type::Struct(b)) => {
                let (a, b) = (a.clone(), b.clone());
                a.fields.len() == b.fields.len()
                    && (0..a.fields.len()).all(|i| {
                        let (f, g) = (self.ck.obj(a.fields[i]), self.ck.obj(b.fields[i]));
                        f.name == g.name
                            && (f.name.is_exported() || f.pkg == g.pkg)
                            && self.ck.objs.embedded(&f.kind) == self.ck.objs.embedded(&g.kind)
                            && a.tag(i) == b.tag(i)
                            && self.unify(f.ty, g.ty, inner)
                    })
            }
            (Type::Interface(_), Type::Interface(_)) => self.unify_interfaces(x, y, true),
            (Type::Named(a), Type::Named(b)) => {
                // The arguments come first: they tell something even if the types differ.
                let is_same = a.origin.is_some() && a.origin == b.origin;
                let (a, b) = (a.targs.clone(), b.targs.clone());
                let mut pairs = a.iter().zip(&b);
                a.len() == b.len() && pairs.all(|(&s, &t)| self.unify(s, t, how)) && is_same
            }
            _ => false,
        }
    }

    fn unify_signatures(&mut self, a: &Signature, b: &Signature, how: Likeness) -> bool {
        a.variadic == b.variadic
            && self.unify_vars(&a.params, &b.params, how)
            && self.unify_vars(&a.results, &b.results, how)
    }

    fn unify_vars(&mut self, a: &[ObjId], b: &[ObjId], how: Likeness) -> bool {
        let mut pairs = a.iter().zip(b);
        a.len() == b.len()
            && pairs.all(|(&v, &w)| {
                let (v, w) = (self.ck.obj(v).ty, self.ck.obj(w).ty);
                self.unify(v, w, how)
            })
    }

    /// One interface must have the methods of the other, and both must admit the same types. In
    /// `all` they must have the same methods.
    fn unify_interfaces(&mut self, x: TypeId, y: TypeId, all: bool) -> bool {
        let (mut a, mut b) = (self.ck.type_set(x), self.ck.type_set(y));
        if a.comparable != b.comparable
            || !self
                .ck
                .identical_terms(a.terms.as_deref(), b.terms.as_deref())
            || all && a.methods.len() != b.methods.len()
        {
            return false;
        }
        if self.interfaces.contains(&(x, y)) {
            return true;
        }
        if a.methods.len() > b.methods.len() {
            (a, b) = (b, a);
        }
        self.interfaces.push((x, y));
        let ok = a.methods.iter().all(|&m| {
            let other = b.methods.iter().find(|&&n| self.ck.same_method(m, n));
            other.is_some_and(|&n| {
                let (m, n) = (self.ck.obj(m).ty, self.ck.obj(n).ty);
                self.unify(m, n, Exact)
            })
        });
        self.interfaces.pop();
        ok
    }

    fn unify_methods(&mut self, iface: TypeId, other: TypeId) -> bool {
        self.ck.complete_methods(other, iface);
        // A generic method is none of an interface.
        let methods = self.ck.type_set(iface);
        let is_generic = |&m: &ObjId| {
            let have = self.ck.find_method(other, m);
            have.is_ok_and(|have| self.ck.is_generic(self.ck.obj(have).ty))
        };
        !methods.methods.iter().any(is_generic) && self.missing_method(iface, other).is_none()
    }

    /// Matches the methods of an interface with those of a type; gives the first that it lacks.
    pub(super) fn missing_method(&mut self, iface: TypeId, other: TypeId) -> Option<Missing> {
        self.ck.complete_methods(other, iface);
        for &method in &self.ck.type_set(iface).methods {
            let missing = |why| Some(Missing { method, why });
            let have = match self.ck.find_method(other, method) {
                Ok(have) => have,
                Err(why) => return missing(why),
            };
            let (want, ty) = (self.ck.obj(method).ty, self.ck.obj(have).ty);
            if !self.unify(want, ty, Exact) {
                return missing(lookup::MissingWhy::WrongSignature(have));
            }
        }
        None
    }
}
