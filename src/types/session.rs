//! A package that grows while it runs: what is typed at a prompt.
//!
//! A session is one package, checked step by step. A name that is declared again means the new
//! object from then on; what was checked before keeps the old one. So that a step which fails
//! changes nothing, and one that did not can be taken back, the session notes what each name meant
//! before ([`Checker::take_back`]). Objects and types of a step that failed stay in their tables,
//! where nothing leads to them.
//!
//! Nothing is said of variables and imports that are not used.

use super::checker::DeclKind;
use super::*;
use syntax::ast::File;

/// What the checker keeps of a session.
pub(super) struct Session {
    pub pkg: PkgId,
    /// The N of the language version go1.N that it is of.
    lang: u32,
    /// The first object of the step being checked: older ones may be declared again.
    first: ObjId,
    changes: Vec<Change>,
    /// What earlier steps have imported, by the names it has there.
    imports: FxHashMap<Symbol, ObjId>,
    /// The names of the step being checked are declared behind it.
    is_late: bool,
    late: Vec<ObjId>,
    step: Step,
}

/// What a step has changed, as it was before.
enum Change {
    /// At package level.
    Name(Symbol, Option<ObjId>),
    Import(Symbol, Option<ObjId>),
    Methods(TypeId, Vec<ObjId>),
}

/// The name that a package of the library has, by its import path.
pub fn package_name(path: &str) -> &str {
    super::resolver::default_name(path)
}

/// A place in the history of a session.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Mark(usize);

/// What a step declares.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// Objects at package level, in the order of their declarations, and what their names meant
    /// before.
    pub declared: Vec<(ObjId, Option<ObjId>)>,
    pub methods: Vec<ObjId>,
    /// Variables that are as good as earlier ones of the same name, with these: they have the same
    /// type, and so share the memory.
    pub shared: Vec<(ObjId, ObjId)>,
    /// Functions and methods that take the place of earlier ones of the same signature, with these.
    pub replacing: Vec<(ObjId, ObjId)>,
    /// A type that there was before has got a method.
    pub adds_methods: bool,
    pub initializers: Vec<Initializer>,
    pub inits: Vec<ObjId>,
    /// The packages that its files import.
    pub imports: Vec<PkgId>,
}

impl Checker {
    /// Makes the package one that grows step by step, of language version go1.`lang`.
    pub fn begin_session(&mut self, pkg: PkgId, lang: u32) {
        self.prog.is_session = true;
        self.session = Some(Box::new(Session {
            pkg,
            lang,
            first: ObjId(0),
            changes: Vec::new(),
            imports: FxHashMap::default(),
            is_late: false,
            late: Vec::new(),
            step: Step::default(),
        }));
    }

    /// Is the text being checked one of a session?
    pub(super) fn is_typed(&self) -> bool {
        let pkg = self.env.pkg;
        self.session.as_ref().is_some_and(|s| pkg == Some(s.pkg))
    }

    /// The present place in the session's history.
    pub fn mark(&self) -> Mark {
        Mark(self.session.as_ref().map_or(0, |s| s.changes.len()))
    }

    /// Gives names, imports and sets of methods the meaning back that they had at `mark`.
    pub fn take_back(&mut self, mark: Mark) {
        let Some(mut session) = self.session.take() else {
            return;
        };
        let scope = self.pkg(session.pkg).scope;
        for change in session.changes.drain(mark.0..).rev() {
            match change {
                Change::Name(name, before) => {
                    self.prog.scopes.set(scope, name, before);
                    if let Some(before) = before {
                        self.prog.forgotten.remove(&before);
                    }
                }
                Change::Import(name, Some(before)) => {
                    session.imports.insert(name, before);
                }
                Change::Import(name, None) => {
                    session.imports.remove(&name);
                }
                Change::Methods(ty, before) => {
                    self.prog.types.named_mut(ty).methods = before;
                    self.prog.names.borrow_mut().clear();
                }
            }
        }
        self.session = Some(session);
    }

    /// Checks the next step of the session. Where there are errors, which go to `diags`, it changes
    /// nothing.
    ///
    /// The names of a step that `is_late` mean in it what they meant before, as those on the left
    /// of `:=` do.
    pub fn check_step(&mut self, files: &[&'static File], is_late: bool) -> Option<Step> {
        let mark = self.mark();
        let first = ObjId(self.prog.objs.end());
        let session = self.session.as_mut()?;
        let (pkg, lang) = (session.pkg, session.lang);
        session.first = first;
        session.is_late = is_late;
        session.step = Step::default();
        let inits = self.pkg(pkg).inits.len();
        let mut imports = std::mem::take(&mut self.prog.pkg_mut(pkg).imports);
        let packages = self.packages.len();
        self.has_error = false;
        self.forget_last_error();
        self.prog.pkg_mut(pkg).files = files.to_vec();
        self.declare_versions(files, lang);
        self.check_files(pkg);
        self.report_rest(pkg);
        let session = self.session.as_mut()?;
        for obj in std::mem::take(&mut session.late) {
            self.declare_late(pkg, obj);
        }
        let session = self.session.as_mut()?;
        let mut step = std::mem::take(&mut session.step);
        step.imports = std::mem::take(&mut self.prog.pkg_mut(pkg).imports);
        if self.diags.is_empty() {
            imports.extend(&step.imports);
            imports.sort_unstable();
            imports.dedup();
        }
        self.prog.pkg_mut(pkg).imports = imports;
        if !self.diags.is_empty() {
            self.take_back(mark);
            self.prog.pkg_mut(pkg).inits.truncate(inits);
            self.forget_what_is_open();
            // What was read for it may be wrong; it is read again when it is wanted again.
            let is_read = |p: &PkgId| p.0 >= packages && !self.prog.packages.get(p.0).is_std;
            let read = self.by_path.iter().filter(|(_, p)| is_read(p));
            let read: Vec<String> = read.map(|(path, _)| path.clone()).collect();
            read.iter().for_each(|path| self.forget(path));
            return None;
        }
        let package = self.prog.pkg_mut(pkg);
        step.initializers = std::mem::take(&mut package.init_order);
        step.inits = package.inits[inits..].to_vec();
        for &(obj, before) in &step.declared {
            let Some(before) = before else { continue };
            let (new, old) = (self.obj(obj), self.obj(before));
            match (&new.kind, &old.kind) {
                (ObjKind::Var(_), ObjKind::Var(_)) if self.identical(new.ty, old.ty) => {
                    step.shared.push((obj, before));
                }
                (ObjKind::Func(_), ObjKind::Func(_)) if self.identical(new.ty, old.ty) => {
                    step.replacing.push((obj, before));
                }
                _ => {}
            }
        }
        Some(step)
    }

    /// Declares an object at package level.
    pub(super) fn declare_global(&mut self, pkg: PkgId, name: &ast::Ident, obj: ObjId) {
        let scope = self.pkg(pkg).scope;
        if let Some(session) = &mut self.session
            && session.pkg == pkg
        {
            if session.is_late {
                session.late.push(obj);
                self.record_def(name.id, obj);
                return;
            }
            self.shadow(scope, name.name, obj);
        }
        self.declare(scope, Some(name.id), obj);
    }

    fn declare_late(&mut self, pkg: PkgId, obj: ObjId) {
        let scope = self.pkg(pkg).scope;
        self.shadow(scope, self.obj(obj).name, obj);
        self.declare(scope, None, obj);
    }

    /// Makes way for a declaration of the name: what an earlier step has declared or imported under
    /// it is forgotten.
    fn shadow(&mut self, scope: ScopeId, name: Symbol, obj: ObjId) {
        let Some(session) = &mut self.session else {
            return;
        };
        if name.is_blank() {
            return;
        }
        let before = self.prog.scopes.lookup(scope, name);
        if before.is_some_and(|b| b >= session.first) {
            return; // Declared twice by one step.
        }
        let is_type = |obj: &ObjId| matches!(self.prog.obj(*obj).kind, ObjKind::TypeName { .. });
        if let Some(before) = before.filter(is_type) {
            let is_older = |c: &&Change| matches!(c, Change::Name(n, Some(_)) if *n == name);
            let older = session.changes.iter().filter(is_older).count();
            self.prog.forgotten.insert(before, older + 1);
        }
        session.changes.push(Change::Name(name, before));
        self.prog.scopes.set(scope, name, None);
        session.step.declared.push((obj, before));
        if let Some(import) = session.imports.remove(&name) {
            session.changes.push(Change::Import(name, Some(import)));
        }
    }

    /// Declares in the scope of a step's file what earlier steps have imported, and notes what this
    /// one imports.
    pub(super) fn share_imports(&mut self, pkg: PkgId, file_scope: ScopeId) {
        let scope = self.pkg(pkg).scope;
        let Some(session) = self.session.as_mut().filter(|s| s.pkg == pkg) else {
            return;
        };
        for (name, obj) in self.prog.scopes.names(file_scope) {
            let before = session.imports.insert(name, obj);
            session.changes.push(Change::Import(name, before));
            // What was declared under the name has lost it.
            if let Some(old) = self.prog.scopes.lookup(scope, name)
                && old < session.first
            {
                session.changes.push(Change::Name(name, Some(old)));
                self.prog.scopes.set(scope, name, None);
            }
        }
        for (&name, &obj) in &session.imports {
            self.prog.scopes.insert(file_scope, name, obj);
        }
    }

    /// Whether an object is one of an earlier step: what is declared now may have its name.
    pub(super) fn is_of_earlier_step(&self, obj: ObjId) -> bool {
        self.session.as_ref().is_some_and(|s| obj < s.first)
    }

    /// Gives types of earlier steps the methods that this one declares on them.
    pub(super) fn collect_late_methods(&mut self) {
        let Some(session) = &self.session else { return };
        let first = session.first;
        let bases = self.methods.keys().copied().filter(|&base| base < first);
        let mut bases: Vec<ObjId> = bases.collect();
        bases.sort_unstable();
        for base in bases {
            let ty = self.obj(base).ty;
            if let Type::Named(named) = self.types.get(ty) {
                let before = Change::Methods(ty, named.methods.clone());
                let session = self.session.as_mut().expect("there is one");
                session.changes.push(before);
                self.collect_methods(base);
            }
        }
        self.resolve_pending_methods();
    }

    /// In a session a method may be declared again; true if `m` takes the place of one.
    pub(super) fn replaces_method(&mut self, ty: TypeId, m: ObjId) -> bool {
        let name = self.obj(m).name;
        let Some(session) = &self.session else {
            return false;
        };
        let first = session.first;
        let methods = &self.types.named(ty).methods;
        let Some(at) = methods.iter().position(|&o| self.obj(o).name == name) else {
            if self.types.named(ty).obj < first {
                self.session
                    .as_mut()
                    .expect("there is one")
                    .step
                    .adds_methods = true;
            }
            return false;
        };
        let old = methods[at];
        if old >= first {
            return false;
        }
        self.obj_decl(m);
        let (new_sig, old_sig) = (self.obj(m).ty, self.obj(old).ty);
        let by_pointer = |c: &Checker, o| c.objs.func(o).is_some_and(|f| f.ptr_recv);
        if !self.identical(new_sig, old_sig) || by_pointer(self, m) != by_pointer(self, old) {
            let (pos, at) = (self.obj(m).pos, self.ps(self.obj(old).pos));
            let tn = self.obj(self.types.named(ty).obj).name;
            let text = format!(
                "method {tn}.{name} has another signature at {at}: only a new type can change that"
            );
            self.error(pos, text);
            return true;
        }
        self.prog.types.named_mut(ty).methods[at] = m;
        let step = &mut self.session.as_mut().expect("there is one").step;
        step.replacing.push((m, old));
        true
    }

    /// Notes a method of the step being checked.
    pub(super) fn note_method(&mut self, m: ObjId) {
        if let Some(session) = &mut self.session {
            session.step.methods.push(m);
        }
    }

    /// Notes in a session that what is being checked mentions a type.
    pub(super) fn note_mention(&mut self, ty: ObjId) {
        if !self.is_typed() {
            return;
        }
        let from = self.env.decl.or(self.path.last().copied());
        if let Some(from) = from
            && let Some(&d) = self.decl_of.get(&from)
        {
            self.decls[d].deps.insert(ty);
        }
    }

    /// The functions, methods and types of the session that mention `obj` and can still be named.
    pub fn users_of(&self, obj: ObjId) -> Vec<ObjId> {
        let mentions = |&(o, &d): &(&ObjId, &usize)| {
            let decl = &self.decls[d];
            let is_user = matches!(decl.kind, DeclKind::Func(_) | DeclKind::Type(_));
            is_user && decl.deps.contains(&obj) && *o != obj
        };
        let mut users: Vec<ObjId> = self
            .decl_of
            .iter()
            .filter(mentions)
            .map(|(&o, _)| o)
            .filter(|&o| self.is_current(o))
            .collect();
        users.sort_unstable();
        users
    }

    /// Does its own name still lead to it, or its type's to the method?
    fn is_current(&self, obj: ObjId) -> bool {
        let o = self.obj(obj);
        let Some(pkg) = o.pkg else { return false };
        match self.objs.func(obj).and_then(|f| f.recv_named) {
            Some(ty) => {
                let named = self.types.named(ty);
                named.methods.contains(&obj) && self.is_current(named.obj)
            }
            None => self.find_in_package(pkg, o.name) == Some(obj),
        }
    }

    /// What the session has declared and can still be named, in the order of declaration.
    pub fn names_of_session(&self) -> Vec<ObjId> {
        let Some(session) = &self.session else {
            return Vec::new();
        };
        let names = self.scopes.names(self.pkg(session.pkg).scope);
        names.into_iter().map(|(_, obj)| obj).collect()
    }

    /// The predeclared names.
    pub fn predeclared(&self) -> Vec<Symbol> {
        let names = self.scopes.names(ScopeId::UNIVERSE).into_iter();
        names.map(|(name, _)| name).collect()
    }

    /// The names of a package.
    pub fn names_of(&self, pkg: PkgId) -> Vec<Symbol> {
        let names = self.scopes.names(self.pkg(pkg).scope).into_iter();
        names.map(|(name, _)| name).collect()
    }

    /// The fields and methods that can be selected of a variable of type `t` in package `home`,
    /// those of embedded fields included.
    pub fn members(&self, t: TypeId, home: PkgId) -> Vec<Symbol> {
        let mut out = Vec::new();
        let mut types = vec![t];
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(t) = types.pop() {
            let t = self.unalias(self.deref(t).unwrap_or(t));
            if !seen.insert(t) {
                continue;
            }
            let mut objs: Vec<ObjId> = Vec::new();
            if let Type::Named(named) = self.types.get(t) {
                objs.extend(&named.methods);
            }
            match self.under_type(t) {
                Type::Struct(s) => objs.extend(&s.fields),
                Type::Interface(_) => objs.extend(&self.type_set(t).methods),
                _ => {}
            }
            for obj in objs {
                let o = self.obj(obj);
                if self.objs.embedded(&o.kind) {
                    types.push(o.ty);
                }
                if o.name.is_exported() || o.pkg == Some(home) {
                    out.push(o.name);
                }
            }
        }
        out
    }

    /// The packages that the session has imported, by the names that they have there.
    pub fn imports_of_session(&self) -> Vec<(Symbol, PkgId)> {
        let package = |(&name, &obj): (&Symbol, &ObjId)| match self.obj(obj).kind {
            ObjKind::PkgName { imported, .. } => Some((name, imported)),
            _ => None,
        };
        let imports = self.session.iter().flat_map(|s| &s.imports);
        let mut imports: Vec<_> = imports.filter_map(package).collect();
        imports.sort_unstable_by_key(|(name, _)| name.as_str());
        imports
    }
}
