//! Type sets: all methods of an interface, and the types it admits.
//!
//! Computed on demand and kept in the interface once all its parts are declared. Terms are kept
//! normalised: `None` is every type; otherwise the list holds no term twice, and interfaces are
//! resolved into their own terms.
//!
//! Go: go/types (typeset.go, termlist.go). Spec: Interface types.

use super::*;

/// Why terms have no underlying type in common.
#[derive(Clone, Copy, Debug)]
pub(super) enum Uncommon {
    /// There are no terms.
    Unspecific,
    /// A term is none of those that are wanted.
    Unfit(TypeId),
    Different(TypeId, TypeId),
    /// Channels of different elements.
    Elements(TypeId, TypeId),
    /// Channels of which one sends only, the other receives only.
    Directions(TypeId, TypeId),
}

impl Program {
    /// The type set of an interface type (or a type whose underlying type is one; others have the
    /// empty method list).
    pub fn type_set(&self, t: TypeId) -> Rc<TypeSet> {
        self.compute_type_set(self.under(t), &mut Vec::new()).0
    }

    /// The set, and whether it is final.
    fn compute_type_set(&self, iface: TypeId, path: &mut Vec<TypeId>) -> (Rc<TypeSet>, bool) {
        let Type::Interface(it) = self.types.get(iface) else {
            return (Rc::default(), true);
        };
        if let Some(set) = it.type_set.get() {
            return (set.clone(), true);
        }
        if path.contains(&iface) || syntax::nesting::is_low() {
            return (Rc::default(), false);
        }
        path.push(iface);
        let mut complete = it.complete;
        let mut set = TypeSet::default();
        let mut seen: FxHashMap<(Symbol, Option<PkgId>), ObjId> = FxHashMap::default();
        for &m in &it.methods {
            self.add_method(&mut set, &mut seen, m);
        }
        for &(e, _) in &it.embeds {
            let ty = self.unalias(e);
            if ty == TypeId::COMPARABLE {
                set.comparable = true;
                continue;
            }
            let u = self.under(e);
            match self.types.get(u) {
                Type::Interface(_) => {
                    let (sub, done) = self.compute_type_set(u, path);
                    complete &= done;
                    set.comparable |= sub.comparable;
                    for &m in &sub.methods {
                        self.add_method(&mut set, &mut seen, m);
                    }
                    set.terms = self.intersect_terms(set.terms, sub.terms.clone());
                }
                Type::Union(terms) => {
                    let (all, done) = self.union_terms(terms, path);
                    complete &= done;
                    set.terms = self.intersect_terms(set.terms, all);
                }
                Type::Basic(Basic::Invalid) => complete = complete && !self.is_incomplete(ty),
                _ => {
                    let term = Term {
                        tilde: false,
                        ty: e,
                    };
                    set.terms = self.intersect_terms(set.terms, Some(vec![term]));
                }
            }
        }
        path.pop();
        // Only comparable types are left where both are asked for.
        if set.comparable
            && let Some(terms) = &mut set.terms
        {
            terms.retain(|t| self.comparable_at(t.ty, false, 1));
            set.comparable = false;
        }
        set.methods.sort_by_cached_key(|&m| self.method_key(m));
        let set = Rc::new(set);
        if complete {
            let _ = it.type_set.set(set.clone());
        }
        (set, complete)
    }

    fn is_incomplete(&self, t: TypeId) -> bool {
        matches!(self.types.get(t), Type::Named(n) if !n.complete)
    }

    /// By name, then for unexported ones by package.
    fn method_key(&self, m: ObjId) -> (&'static str, String) {
        let o = self.obj(m);
        let pkg = match o.pkg {
            Some(p) if !o.name.is_exported() => self.pkg(p).path.clone(),
            _ => String::new(),
        };
        (o.name.as_str(), pkg)
    }

    fn add_method(
        &self,
        set: &mut TypeSet,
        seen: &mut FxHashMap<(Symbol, Option<PkgId>), ObjId>,
        m: ObjId,
    ) {
        let o = self.obj(m);
        let key = (o.name, if o.name.is_exported() { None } else { o.pkg });
        if seen.insert(key, m).is_none() {
            set.methods.push(m);
        }
    }

    pub(super) fn union_terms(
        &self,
        terms: &[Term],
        path: &mut Vec<TypeId>,
    ) -> (Option<Vec<Term>>, bool) {
        let mut out: Vec<Term> = Vec::new();
        let mut complete = true;
        for term in terms {
            let u = self.under(term.ty);
            // No type has one beneath that is not beneath itself.
            if term.tilde && u != TypeId::INVALID && !self.identical(u, term.ty) {
                continue;
            }
            if let Type::Interface(_) = self.types.get(u) {
                let (sub, done) = self.compute_type_set(u, path);
                complete &= done;
                match &sub.terms {
                    None => return (None, complete),
                    Some(ts) => ts.iter().for_each(|t| self.add_term(&mut out, t.clone())),
                }
            } else {
                complete &= u != TypeId::INVALID || !self.is_incomplete(self.unalias(term.ty));
                self.add_term(&mut out, term.clone());
            }
        }
        (Some(out), complete)
    }

    fn add_term(&self, out: &mut Vec<Term>, t: Term) {
        if out.iter().any(|o| self.term_includes(o, &t)) {
            return;
        }
        out.retain(|o| !self.term_includes(&t, o));
        out.push(t);
    }

    /// Does `a` admit every type that `b` does?
    pub(super) fn term_includes(&self, a: &Term, b: &Term) -> bool {
        if a.tilde {
            self.identical(self.under(a.ty), self.under(b.ty))
        } else {
            !b.tilde && self.identical(a.ty, b.ty)
        }
    }

    fn intersect_terms(&self, a: Option<Vec<Term>>, b: Option<Vec<Term>>) -> Option<Vec<Term>> {
        let (a, b) = match (a, b) {
            (None, x) | (x, None) => return x,
            (Some(a), Some(b)) => (a, b),
        };
        let mut out = Vec::new();
        for x in &a {
            for y in &b {
                if self.term_includes(x, y) {
                    self.add_term(&mut out, y.clone());
                } else if self.term_includes(y, x) {
                    self.add_term(&mut out, x.clone());
                }
            }
        }
        Some(out)
    }

    /// Is the interface more than a list of methods (then it may only be a constraint)?
    pub(crate) fn is_constraint_only(&self, t: TypeId) -> bool {
        let set = self.type_set(t);
        set.terms.is_some() || set.comparable
    }

    /// Does the type set admit `ty`?
    pub(super) fn terms_admit(&self, terms: &[Term], ty: TypeId) -> bool {
        let own = Term { tilde: false, ty };
        terms.iter().any(|t| self.term_includes(t, &own))
    }

    /// The single underlying type of a type parameter's terms (or of any other type): what
    /// operations on it see. Channel directions may differ; the restricted one wins. `None` if
    /// there is none.
    pub fn core_type(&self, t: TypeId) -> Option<TypeId> {
        self.common_under(t, |_, _| true).ok()
    }

    /// The underlying type that all terms of `t` share, or why there is none.
    /// Each term, and what is under it, must be `fit`.
    ///
    /// Go: go/types, under.go, commonUnder.
    pub(super) fn common_under(
        &self,
        t: TypeId,
        fit: impl Fn(TypeId, TypeId) -> bool,
    ) -> Result<TypeId, Uncommon> {
        if !self.is_type_param(t) {
            let u = self.under(t);
            return if fit(t, u) {
                Ok(u)
            } else {
                Err(Uncommon::Unfit(t))
            };
        }
        let set = self.type_set(self.under(t));
        let mut common: Option<(TypeId, TypeId)> = None;
        for term in set.terms.as_deref().unwrap_or(&[]) {
            let t = term.ty;
            let u = self.under(t);
            if !fit(t, u) {
                return Err(Uncommon::Unfit(t));
            }
            let Some((first, core)) = common else {
                common = Some((t, u));
                continue;
            };
            match (self.types.get(core), self.types.get(u)) {
                (Type::Chan { elem: x, .. }, Type::Chan { elem: y, .. })
                    if !self.identical(*x, *y) =>
                {
                    return Err(Uncommon::Elements(first, t));
                }
                (Type::Chan { dir: a, .. }, Type::Chan { dir: b, .. }) => {
                    if *a == ast::ChanDir::Both {
                        common = Some((t, u));
                    } else if a != b && *b != ast::ChanDir::Both {
                        return Err(Uncommon::Directions(first, t));
                    }
                }
                _ if self.identical(core, u) => {}
                _ => return Err(Uncommon::Different(first, t)),
            }
        }
        common.map(|(_, core)| core).ok_or(Uncommon::Unspecific)
    }

    /// As [`core_type`](Self::core_type),
    /// where a mixture of strings and byte slices counts as a string.
    pub(crate) fn core_or_string(&self, t: TypeId) -> Option<TypeId> {
        if let Some(c) = self.core_type(t) {
            return Some(c);
        }
        let mut bytes_or_string = true;
        let some = self.for_each_term(t, |u| {
            bytes_or_string &= self.is_string(u) || self.is_bytes(u);
            bytes_or_string
        });
        (some && bytes_or_string).then_some(TypeId::STRING)
    }
}
