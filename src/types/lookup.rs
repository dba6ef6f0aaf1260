//! Fields and methods: selectors, method sets, which type implements what.
//!
//! Lookup goes breadth first through embedded fields;
//! at the shallowest depth that has the name it must be unique.
//!
//! Go: go/types (lookup.go, methodset.go). Spec: Selectors, Method sets, Implementing an interface.

use super::*;
use rustc_hash::FxHashSet;
use std::collections::hash_map::Entry;

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

/// Lists of members that are as long as this have an index.
const INDEX_FROM: usize = 32;

/// Where the names in a long list of members stand.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// Of the list, when this was made.
    len: usize,
    by_name: FxHashMap<Symbol, Vec<u32>>,
    /// Embedded fields.
    embedded: Vec<u32>,
}

impl Names {
    fn of(&self, name: Symbol) -> impl Iterator<Item = usize> {
        let list = self.by_name.get(&name).map_or(&[][..], Vec::as_slice);
        list.iter().map(|i| *i as usize)
    }
}

/// A type reached through embedded fields.
struct Embedded {
    ty: TypeId,
    path: Vec<u32>,
    /// A pointer was dereferenced on the way.
    indirect: bool,
    /// Reached in several ways.
    multiple: bool,
}

impl Embedded {
    /// The path to its member number `i`.
    fn path_to(&self, i: usize) -> Vec<u32> {
        let mut path = Vec::with_capacity(self.path.len() + 1);
        path.extend_from_slice(&self.path);
        path.push(i as u32);
        path
    }
}

/// The named types that a search has come by.
#[derive(Default)]
struct Seen {
    types: FxHashSet<TypeId>,
    instances: Vec<TypeId>,
}

impl Seen {
    /// Adds a type; false if it, or one identical to it, is there already.
    fn insert(&mut self, program: &Program, ty: TypeId) -> bool {
        if !self.types.insert(ty) {
            return false;
        }
        let is_instance = matches!(program.types.get(ty), Type::Named(n) if n.origin.is_some());
        if is_instance {
            if self.instances.iter().any(|&s| program.identical(s, ty)) {
                return false;
            }
            self.instances.push(ty);
        }
        true
    }
}

/// Whether an identifier in scope of `pkg` names the object `name` of `obj_pkg`.
/// Spec: Uniqueness of identifiers.
fn same_id(name: Symbol, pkg: Option<PkgId>, obj: &Object, fold: bool) -> bool {
    if fold && name.as_str().to_lowercase() == obj.name.as_str().to_lowercase() {
        return true;
    }
    name == obj.name && (name.is_exported() || pkg == obj.pkg)
}

impl Program {
    /// The field or method `name` of a value of type `t`, as seen in package `pkg`.
    /// Spec: Selectors.
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
        self.lookup_in(t, addressable, pkg, name, fold)
    }

    fn lookup_in(
        &self,
        t: TypeId,
        addressable: bool,
        pkg: Option<PkgId>,
        name: Symbol,
        fold: bool,
    ) -> Found {
        let Some(start) = self.start(t) else {
            return Found::None;
        };
        let mut current = vec![start];
        let mut seen = Seen::default();
        while !current.is_empty() {
            let mut next: Vec<Embedded> = Vec::new();
            let mut found: Option<(ObjId, Vec<u32>, bool)> = None;
            let mut clash = false;
            for e in &current {
                let ty = self.unalias(e.ty);
                let mut take = |i: usize, obj: ObjId| {
                    clash |= found.is_some() || e.multiple;
                    found = Some((obj, e.path_to(i), e.indirect));
                };
                if let Type::Named(n) = self.types.get(ty) {
                    if !seen.insert(self, ty) {
                        continue;
                    }
                    if let Some(i) = self.member(ty, &n.methods, pkg, name, fold) {
                        take(i, n.methods[i]);
                        continue;
                    }
                }
                let under = self.under(ty);
                match self.types.get(under) {
                    Type::Struct(s) if fold || s.fields.len() < INDEX_FROM => {
                        for (i, &f) in s.fields.iter().enumerate() {
                            if same_id(name, pkg, self.obj(f), fold) {
                                take(i, f);
                            } else {
                                next.extend(self.below(e, i, f));
                            }
                        }
                    }
                    Type::Struct(s) => {
                        let names = self.names_of(under, &s.fields);
                        for i in names.of(name) {
                            if same_id(name, pkg, self.obj(s.fields[i]), fold) {
                                take(i, s.fields[i]);
                            }
                        }
                        let embedded = names.embedded.iter().map(|i| *i as usize);
                        next.extend(embedded.filter_map(|i| self.below(e, i, s.fields[i])));
                    }
                    Type::Interface(it) => {
                        let set = self.type_set(under);
                        // One that is not final has no index.
                        let i = match it.type_set.get() {
                            Some(_) => self.member(under, &set.methods, pkg, name, fold),
                            None => self.scan(&set.methods, pkg, name, fold),
                        };
                        if let Some(i) = i {
                            take(i, set.methods[i]);
                        }
                    }
                    _ => {}
                }
            }
            if clash {
                return Found::Ambiguous;
            }
            if let Some((obj, path, indirect)) = found {
                if self.wants_pointer(obj) && !indirect && !addressable {
                    return Found::NeedsPointer;
                }
                return Found::Entry {
                    obj,
                    path,
                    indirect,
                };
            }
            current = self.merged(next);
        }
        Found::None
    }

    /// Where a search in values of type `t` begins: what it points to, or itself.
    /// A pointer to an interface has nothing.
    fn start(&self, t: TypeId) -> Option<Embedded> {
        let (ty, indirect) = match self.deref(t) {
            Some(e) => (e, true),
            None => (t, false),
        };
        if indirect && matches!(self.under_type(ty), Type::Interface(_)) {
            return None;
        }
        Some(Embedded {
            ty,
            path: Vec::new(),
            indirect,
            multiple: false,
        })
    }

    /// Is it a declared method of a concrete type with a pointer receiver?
    fn wants_pointer(&self, obj: ObjId) -> bool {
        matches!(&self.obj(obj).kind, ObjKind::Func(f) if f.ptr_recv)
    }

    /// Field `f`, number `i` of what has been reached as `e`,
    /// if it is embedded and can have fields or methods of its own.
    fn below(&self, e: &Embedded, i: usize, f: ObjId) -> Option<Embedded> {
        let field = self.obj(f);
        if !self.objs.embedded(&field.kind) {
            return None;
        }
        let (ty, is_ptr) = match self.deref(field.ty) {
            Some(b) => (b, true),
            None => (field.ty, false),
        };
        let has_members = matches!(
            self.types.get(self.unalias(ty)),
            Type::Named(_) | Type::Struct(_) | Type::Interface(_) | Type::TypeParam(_)
        );
        has_members.then(|| Embedded {
            ty,
            path: e.path_to(i),
            indirect: e.indirect || is_ptr,
            multiple: e.multiple,
        })
    }

    /// What is embedded at one depth. The same type embedded
    /// twice there makes everything in it ambiguous.
    fn merged(&self, all: Vec<Embedded>) -> Vec<Embedded> {
        let mut index: FxHashMap<TypeId, usize> = FxHashMap::default();
        let mut merged: Vec<Embedded> = Vec::new();
        for e in all {
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
        merged
    }

    /// Which of `list` (methods of a named type or of an interface's final type set: `owner`)
    /// has that name.
    fn member(
        &self,
        owner: TypeId,
        list: &[ObjId],
        pkg: Option<PkgId>,
        name: Symbol,
        fold: bool,
    ) -> Option<usize> {
        if fold || list.len() < INDEX_FROM {
            return self.scan(list, pkg, name, fold);
        }
        let names = self.names_of(owner, list);
        names
            .of(name)
            .find(|&i| same_id(name, pkg, self.obj(list[i]), false))
    }

    fn scan(&self, list: &[ObjId], pkg: Option<PkgId>, name: Symbol, fold: bool) -> Option<usize> {
        list.iter()
            .position(|&m| same_id(name, pkg, self.obj(m), fold))
    }

    /// The index of `list`, which belongs to `owner` and only grows.
    fn names_of(&self, owner: TypeId, list: &[ObjId]) -> Rc<Names> {
        if let Some(names) = self.names.borrow().get(&owner)
            && names.len == list.len()
        {
            return names.clone();
        }
        let mut names = Names {
            len: list.len(),
            ..Names::default()
        };
        for (i, &m) in list.iter().enumerate() {
            let o = self.obj(m);
            names.by_name.entry(o.name).or_default().push(i as u32);
            if self.objs.embedded(&o.kind) {
                names.embedded.push(i as u32);
            }
        }
        let names = Rc::new(names);
        self.names.borrow_mut().insert(owner, names.clone());
        names
    }

    /// The methods callable on a value of type `t` that is not addressable (a dynamic value in an
    /// interface), promoted ones included, sorted as in type sets.
    /// Spec: Method sets.
    pub fn method_set(&self, t: TypeId) -> Vec<MethodEntry> {
        type Key = (Symbol, Option<PkgId>);
        let is_named_pointer = self.is_named(t) && matches!(self.under_type(t), Type::Pointer(_));
        let Some(start) = self.start(t).filter(|_| !is_named_pointer) else {
            return Vec::new();
        };
        // By name: the method, or `None` where the name stands for something else,
        // or for several things.
        let mut all: FxHashMap<Key, Option<MethodEntry>> = FxHashMap::default();
        let mut current = vec![start];
        let mut seen = Seen::default();
        while !current.is_empty() {
            let mut next: Vec<Embedded> = Vec::new();
            let mut level: FxHashMap<Key, Option<MethodEntry>> = FxHashMap::default();
            for e in &current {
                let ty = self.unalias(e.ty);
                let mut add = |i: usize, obj: ObjId| {
                    let o = self.obj(obj);
                    if o.name.is_blank() {
                        return;
                    }
                    let is_method = matches!(o.kind, ObjKind::Func(_))
                        && (e.indirect || !self.wants_pointer(obj))
                        && !e.multiple;
                    let key = (o.name, o.pkg.filter(|_| !o.name.is_exported()));
                    if all.contains_key(&key) {
                        return;
                    }
                    let found = level.entry(key);
                    match found {
                        Entry::Occupied(mut other) => *other.get_mut() = None,
                        Entry::Vacant(place) => {
                            place.insert(is_method.then(|| MethodEntry {
                                obj,
                                path: e.path_to(i),
                            }));
                        }
                    }
                };
                if let Type::Named(n) = self.types.get(ty) {
                    if !seen.insert(self, ty) {
                        continue;
                    }
                    n.methods.iter().enumerate().for_each(|(i, &m)| add(i, m));
                }
                let under = self.under(ty);
                match self.types.get(under) {
                    Type::Struct(s) => {
                        for (i, &f) in s.fields.iter().enumerate() {
                            add(i, f);
                            next.extend(self.below(e, i, f));
                        }
                    }
                    Type::Interface(_) => {
                        let set = self.type_set(under);
                        set.methods.iter().enumerate().for_each(|(i, &m)| add(i, m));
                    }
                    _ => {}
                }
            }
            all.extend(level);
            current = self.merged(next);
        }
        let mut out: Vec<MethodEntry> = all.into_values().flatten().collect();
        out.sort_by_cached_key(|m| {
            let o = self.obj(m.obj);
            let pkg = match o.pkg {
                Some(p) if !o.name.is_exported() => self.pkg(p).path.clone(),
                _ => String::new(),
            };
            (o.name.as_str(), pkg)
        });
        out
    }

    /// The first method that keeps `v` from implementing interface `t`. With `is_static` false
    /// (type assertions on an interface `v`), only methods that both have are compared.
    pub fn missing_method(&self, v: TypeId, t: TypeId, is_static: bool) -> Option<Missing> {
        for &method in &self.type_set(t).methods {
            let why = match self.find_method(v, method) {
                Ok(have) if have == method => continue,
                Ok(have) if self.identical(self.obj(have).ty, self.obj(method).ty) => continue,
                Ok(have) => MissingWhy::WrongSignature(have),
                Err(MissingWhy::NotFound) if !is_static && self.has_interface(v) => continue,
                Err(why) => why,
            };
            return Some(Missing { method, why });
        }
        None
    }

    /// Is it an interface, or a type parameter?
    fn has_interface(&self, t: TypeId) -> bool {
        matches!(self.under_type(t), Type::Interface(_))
    }

    /// The method of `v` that has the name of the interface's method `m`, or why there is none.
    pub(super) fn find_method(&self, v: TypeId, m: ObjId) -> Result<ObjId, MissingWhy> {
        let mo = self.obj(m);
        if let Type::Interface(it) = self.under_type(v) {
            let have = self.type_set(v);
            let i = match it.type_set.get() {
                Some(_) => self.member(self.under(v), &have.methods, mo.pkg, mo.name, false),
                None => self.scan(&have.methods, mo.pkg, mo.name, false),
            };
            return i.map(|i| have.methods[i]).ok_or(MissingWhy::NotFound);
        }
        let is_method = |obj| matches!(self.obj(obj).kind, ObjKind::Func(_));
        match self.lookup(v, false, mo.pkg, mo.name) {
            Found::Ambiguous => Err(MissingWhy::Ambiguous),
            Found::NeedsPointer => Err(MissingWhy::PointerReceiver),
            Found::None => Err(match self.lookup_fold(v, false, mo.pkg, mo.name, true) {
                Found::Entry { obj, .. } if is_method(obj) => match self.obj(obj).name == mo.name {
                    true => MissingWhy::Unexported,
                    false => MissingWhy::WrongName(obj),
                },
                _ => MissingWhy::NotFound,
            }),
            Found::Entry { obj, .. } if is_method(obj) => Ok(obj),
            Found::Entry { .. } => Err(MissingWhy::IsField),
        }
    }

    /// Do the methods have the same name, as far as packages see it?
    pub(super) fn same_method(&self, a: ObjId, b: ObjId) -> bool {
        let a = self.obj(a);
        same_id(a.name, a.pkg, self.obj(b), false)
    }

    /// May it have fields or methods of which nothing is known, since a type is in error?
    pub(super) fn has_unknown_members(&self, t: TypeId) -> bool {
        let t = self.deref(t).unwrap_or(t);
        match self.under_type(t) {
            Type::Basic(Basic::Invalid) => true,
            Type::Interface(it) => it.embeds.iter().any(|e| !self.is_valid(self.under(e.0))),
            _ => self.has_invalid_embedded(t),
        }
    }

    /// Is it a struct (behind a pointer perhaps) with an embedded field of invalid type?
    /// Its methods are not known then.
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
