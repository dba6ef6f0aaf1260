//! Fields and methods: selectors, method sets, who implements what.
//!
//! Lookup goes breadth first through embedded fields; at the shallowest depth that has the name it must be unique.
//!
//! Go: go/types (lookup.go, methodset.go). Spec: Selectors, Method sets, Implementing an interface.

use super::*;
use rustc_hash::FxHashSet;

/// What a selector found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// A field or method.
    Entry {
        obj: ObjId,
        path: Vec<u32>,
        /// A pointer was dereferenced on the way.
        indirect: bool,
    },
    /// Several at the same depth.
    Ambiguous,
    /// A method with pointer receiver, but the operand is not addressable.
    NeedsPointer,
    None,
}

/// A method of a method set.
#[derive(Clone, Debug)]
pub struct MethodEntry {
    pub obj: ObjId,
    /// As [`Selection::path`].
    pub path: Vec<u32>,
    pub indirect: bool,
}

/// A method that keeps a type from implementing an interface.
#[derive(Clone, Debug)]
pub struct Missing {
    /// The interface's method.
    pub method: ObjId,
    pub why: MissingWhy,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingWhy {
    NotFound,
    /// Found with other letter case: this one.
    WrongName(ObjId),
    /// Unexported, of another package.
    Unexported,
    WrongSignature(ObjId),
    Ambiguous,
    PointerReceiver,
    IsField,
}

/// Whether an identifier in scope of `pkg` names the object `name` of `obj_pkg`. Spec: Uniqueness of identifiers.
fn same_id(name: Symbol, pkg: Option<PkgId>, obj: &Object, fold: bool) -> bool {
    if fold && name.as_str().to_lowercase() == obj.name.as_str().to_lowercase() {
        return true;
    }
    name == obj.name && (name.is_exported() || pkg == obj.pkg)
}

impl Program {
    /// The field or method `name` of a value of type `t`, as seen in package `pkg`. Spec: Selectors.
    pub fn lookup(&self, t: TypeId, addressable: bool, pkg: Option<PkgId>, name: Symbol) -> Found {
        self.lookup_fold(t, addressable, pkg, name, false)
    }

    pub(super) fn lookup_fold(
        &self,
        t: TypeId,
        addressable: bool,
        pkg: Option<PkgId>,
        name: Symbol,
        fold: bool,
    ) -> Found {
        if name.is_blank() {
            return Found::None;
        }
        // A named pointer type has no methods, but the fields of what it points to.
        if self.is_named(t)
            && let Type::Pointer(_) = self.under_type(t)
        {
            let found = self.lookup_in(self.under(t), false, pkg, name, fold);
            return match &found {
                Found::Entry { obj, .. } if matches!(self.obj(*obj).kind, ObjKind::Func(_)) => {
                    Found::None
                }
                _ => found,
            };
        }
        let found = self.lookup_in(t, addressable, pkg, name, fold);
        if found == Found::None
            && self.is_type_param(t)
            && let Some(core) = self.core_type(t)
        {
            let inner = self.lookup_in(core, addressable, pkg, name, fold);
            if let Found::Entry { obj, .. } = &inner {
                if !matches!(self.obj(*obj).kind, ObjKind::Var(_)) {
                    return Found::None;
                }
            }
            return inner;
        }
        found
    }

    fn lookup_in(
        &self,
        t: TypeId,
        addressable: bool,
        pkg: Option<PkgId>,
        name: Symbol,
        fold: bool,
    ) -> Found {
        struct Embedded {
            ty: TypeId,
            path: Vec<u32>,
            indirect: bool,
            multiple: bool,
        }
        let (base, is_ptr) = match self.deref(t) {
            Some(e) => (e, true),
            None => (t, false),
        };
        // A pointer to an interface has no methods.
        if is_ptr && matches!(self.under_type(base), Type::Interface(_)) {
            return Found::None;
        }
        let mut current = vec![Embedded {
            ty: base,
            path: Vec::new(),
            indirect: is_ptr,
            multiple: false,
        }];
        let mut seen: FxHashSet<TypeId> = FxHashSet::default();
        let mut seen_instances: Vec<TypeId> = Vec::new();
        while !current.is_empty() {
            let mut next: Vec<Embedded> = Vec::new();
            let mut found: Option<(ObjId, Vec<u32>, bool)> = None;
            let mut clash = false;
            for e in &current {
                let ty = self.unalias(e.ty);
                if let Type::Named(n) = self.types.get(ty) {
                    if !seen.insert(ty) {
                        continue;
                    }
                    if n.origin.is_some() {
                        if seen_instances.iter().any(|&s| self.identical(s, ty)) {
                            continue;
                        }
                        seen_instances.push(ty);
                    }
                    if let Some(i) = n
                        .methods
                        .iter()
                        .position(|&m| same_id(name, pkg, self.obj(m), fold))
                    {
                        clash |= found.is_some() || e.multiple;
                        let mut path = e.path.clone();
                        path.push(i as u32);
                        found = Some((n.methods[i], path, e.indirect));
                        continue;
                    }
                }
                match self.types.get(self.under(ty)) {
                    Type::Struct(s) => {
                        for (i, &f) in s.fields.iter().enumerate() {
                            let fo = self.obj(f);
                            if same_id(name, pkg, fo, fold) {
                                clash |= found.is_some() || e.multiple;
                                let mut path = e.path.clone();
                                path.push(i as u32);
                                found = Some((f, path, e.indirect));
                                continue;
                            }
                            if found.is_none() && self.objs.embedded(&fo.kind) {
                                let (ft, fptr) = match self.deref(fo.ty) {
                                    Some(b) => (b, true),
                                    None => (fo.ty, false),
                                };
                                if matches!(
                                    self.types.get(self.unalias(ft)),
                                    Type::Named(_)
                                        | Type::Struct(_)
                                        | Type::Interface(_)
                                        | Type::TypeParam(_)
                                ) {
                                    let mut path = e.path.clone();
                                    path.push(i as u32);
                                    next.push(Embedded {
                                        ty: ft,
                                        path,
                                        indirect: e.indirect || fptr,
                                        multiple: e.multiple,
                                    });
                                }
                            }
                        }
                    }
                    Type::Interface(_) => {
                        let set = self.type_set(self.under(ty));
                        if let Some(i) = set
                            .methods
                            .iter()
                            .position(|&m| same_id(name, pkg, self.obj(m), fold))
                        {
                            clash |= found.is_some() || e.multiple;
                            let mut path = e.path.clone();
                            path.push(i as u32);
                            found = Some((set.methods[i], path, e.indirect));
                        }
                    }
                    _ => {}
                }
            }
            if clash {
                return Found::Ambiguous;
            }
            if let Some((obj, path, indirect)) = found {
                if let ObjKind::Func(f) = &self.obj(obj).kind {
                    // Only a declared method of a concrete type can have a pointer receiver.
                    if f.ptr_recv && !indirect && !addressable {
                        return Found::NeedsPointer;
                    }
                }
                return Found::Entry {
                    obj,
                    path,
                    indirect,
                };
            }
            // The same type embedded twice at one depth makes everything in it ambiguous.
            let mut index: FxHashMap<TypeId, usize> = FxHashMap::default();
            let mut merged: Vec<Embedded> = Vec::new();
            for e in next {
                let key = self.unalias(e.ty);
                let at = index.get(&key).copied().or_else(|| {
                    matches!(self.types.get(key), Type::Named(n) if n.origin.is_some())
                        .then(|| merged.iter().position(|m| self.identical(m.ty, e.ty)))
                        .flatten()
                });
                match at {
                    Some(i) if matches!(self.types.get(key), Type::Named(_)) => {
                        merged[i].multiple = true
                    }
                    _ => {
                        index.insert(key, merged.len());
                        merged.push(e);
                    }
                }
            }
            current = merged;
        }
        Found::None
    }

    /// The methods callable on a value of type `t` that is not addressable (a dynamic value in an interface), promoted ones
    /// included, sorted as in type sets. Spec: Method sets.
    pub fn method_set(&self, t: TypeId) -> Vec<MethodEntry> {
        let mut names: Vec<(Symbol, Option<PkgId>)> = Vec::new();
        let mut seen_names: FxHashSet<(Symbol, Option<PkgId>)> = FxHashSet::default();
        let mut seen: FxHashSet<TypeId> = FxHashSet::default();
        let mut work = vec![self.deref(t).unwrap_or(t)];
        while let Some(t) = work.pop() {
            let ty = self.unalias(t);
            if !seen.insert(ty) {
                continue;
            }
            let mut add = |m: ObjId| {
                let o = self.obj(m);
                let key = (o.name, o.pkg);
                if seen_names.insert(key) {
                    names.push(key);
                }
            };
            if let Type::Named(n) = self.types.get(ty) {
                n.methods.iter().for_each(|&m| add(m));
            }
            match self.types.get(self.under(ty)) {
                Type::Struct(s) => {
                    for &f in &s.fields {
                        let o = self.obj(f);
                        if self.objs.embedded(&o.kind) {
                            work.push(self.deref(o.ty).unwrap_or(o.ty));
                        }
                    }
                }
                Type::Interface(_) => self.type_set(ty).methods.iter().for_each(|&m| add(m)),
                _ => {}
            }
        }
        let mut out: Vec<MethodEntry> = names
            .into_iter()
            .filter_map(|(name, pkg)| match self.lookup(t, false, pkg, name) {
                Found::Entry {
                    obj,
                    path,
                    indirect,
                } if matches!(self.obj(obj).kind, ObjKind::Func(_)) => Some(MethodEntry {
                    obj,
                    path,
                    indirect,
                }),
                _ => None,
            })
            .collect();
        out.sort_by_cached_key(|m| {
            let o = self.obj(m.obj);
            let pkg = match o.pkg {
                Some(p) if !o.name.is_exported() => self.pkg(p).path.clone(),
                _ => String::new(),
            };
            (o.name.as_str(), pkg)
        });
        out.dedup_by(|a, b| a.obj == b.obj);
        out
    }

    /// The first method that keeps `v` from implementing interface `t`. With `is_static` false (type assertions on an
    /// interface `v`), only methods that both have are compared.
    pub fn missing_method(&self, v: TypeId, t: TypeId, is_static: bool) -> Option<Missing> {
        let want = self.type_set(t);
        if want.methods.is_empty() {
            return None;
        }
        let v_iface = matches!(self.under_type(v), Type::Interface(_));
        let have = v_iface.then(|| self.type_set(v));
        for &m in &want.methods {
            let mo = self.obj(m);
            let missing = |why| Some(Missing { method: m, why });
            if let Some(have) = &have {
                match have
                    .methods
                    .iter()
                    .find(|&&h| same_id(mo.name, mo.pkg, self.obj(h), false))
                {
                    None if is_static => return missing(MissingWhy::NotFound),
                    None => {}
                    Some(&h) if h != m && !self.identical(self.obj(h).ty, mo.ty) => {
                        return missing(MissingWhy::WrongSignature(h));
                    }
                    Some(_) => {}
                }
                continue;
            }
            match self.lookup(v, false, mo.pkg, mo.name) {
                Found::Ambiguous => return missing(MissingWhy::Ambiguous),
                Found::NeedsPointer => return missing(MissingWhy::PointerReceiver),
                Found::None => {
                    let why = match self.lookup_fold(v, false, mo.pkg, mo.name, true) {
                        Found::Entry { obj, .. }
                            if matches!(self.obj(obj).kind, ObjKind::Func(_)) =>
                        {
                            if self.obj(obj).name == mo.name {
                                MissingWhy::Unexported
                            } else {
                                MissingWhy::WrongName(obj)
                            }
                        }
                        _ => MissingWhy::NotFound,
                    };
                    return missing(why);
                }
                Found::Entry { obj, .. } => {
                    if !matches!(self.obj(obj).kind, ObjKind::Func(_)) {
                        return missing(MissingWhy::IsField);
                    }
                    if !self.identical(self.obj(obj).ty, mo.ty) {
                        return missing(MissingWhy::WrongSignature(obj));
                    }
                }
            }
        }
        None
    }

    /// Does the type have all methods of the interface (and, for a constraint, is it in the type set)?
    pub fn implements(&self, v: TypeId, iface: TypeId) -> bool {
        let set = self.type_set(iface);
        if let Some(terms) = &set.terms
            && !self.terms_admit(terms, v)
        {
            return false;
        }
        (!set.comparable || self.comparable(v)) && self.missing_method(v, iface, true).is_none()
    }

    /// A struct (behind a pointer perhaps) with an embedded field of invalid type: nobody knows its methods.
    pub(super) fn has_invalid_embedded(&self, t: TypeId) -> bool {
        let mut seen: FxHashSet<TypeId> = FxHashSet::default();
        let mut work = vec![t];
        while let Some(t) = work.pop() {
            let u = self.under(self.deref(t).unwrap_or(t));
            if !seen.insert(u) {
                continue;
            }
            if let Type::Struct(s) = self.types.get(u) {
                for &f in &s.fields {
                    let o = self.obj(f);
                    if self.objs.embedded(&o.kind) {
                        if !self.is_valid(o.ty) {
                            return true;
                        }
                        work.push(o.ty);
                    }
                }
            }
        }
        false
    }
}
