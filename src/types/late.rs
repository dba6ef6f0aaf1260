//! Packages of the standard library: what they declare
//! is declared when its name is first looked for.
//!
//! Imports and groups of variables are declared with the package,
//! everything else here, methods with their type.
//!
//! # Invariants
//!
//! - D1. What a name means is looked for through [`Checker::find_in_package`] or
//!   [`Checker::find_name`] before anything else asks the scope of a package for it.
//!
//! Go: cmd/compile/internal/importer (ureader.go), where objects are read in as late.

use super::resolver::Declared;
use super::*;
use rustc_hash::FxHashSet;
use syntax::ast::{Decl, LateDecls};

/// What of a package is not declared yet.
pub(super) struct Undeclared {
    decls: Box<dyn LateDecls>,
    /// The scopes of the package's files, once it is loaded.
    file_scopes: Vec<ScopeId>,
    /// The names that have been looked for.
    asked: FxHashSet<Symbol>,
}

impl Undeclared {
    pub(super) fn new(decls: Box<dyn LateDecls>) -> Undeclared {
        Undeclared {
            decls,
            file_scopes: Vec::new(),
            asked: FxHashSet::default(),
        }
    }
}

impl Checker {
    /// What is declared under the name at package level.
    pub fn find_in_package(&mut self, pkg: PkgId, name: Symbol) -> Option<ObjId> {
        if let Some(undeclared) = self.undeclared.get_mut(&pkg)
            && undeclared.asked.insert(name)
        {
            let decls = undeclared.decls.named(name);
            self.declare_found(pkg, decls);
        }
        self.scopes.lookup(self.pkg(pkg).scope, name)
    }

    /// The innermost object of that name seen from the place being checked,
    /// and the scope that holds it.
    pub(super) fn find_name(&mut self, name: Symbol) -> Option<(ScopeId, ObjId)> {
        let found = self.scopes.lookup_parent(self.scope(), name);
        let is_within = found.is_some_and(|(scope, _)| scope != ScopeId::UNIVERSE);
        let Some(pkg) = self.env.pkg.filter(|_| !is_within) else {
            return found;
        };
        match self.find_in_package(pkg, name) {
            Some(obj) => Some((self.pkg(pkg).scope, obj)),
            None => found,
        }
    }

    /// Declares all that a loaded package has.
    pub(super) fn declare_all(&mut self, pkg: PkgId) {
        let names = self.undeclared.get(&pkg).map(|u| u.decls.names());
        for name in names.unwrap_or_default() {
            self.find_in_package(pkg, name);
        }
    }

    /// Declares what cannot wait, when the package's files have been: `init` functions, and the
    /// methods of the types in them.
    pub(super) fn declare_first(&mut self, pkg: PkgId, objs: &[ObjId], file_scopes: Vec<ScopeId>) {
        if let Some(undeclared) = self.undeclared.get_mut(&pkg) {
            undeclared.file_scopes = file_scopes;
            self.declare_methods(pkg, objs);
            self.find_in_package(pkg, Symbol::new("init"));
        }
    }

    fn declare_found(&mut self, pkg: PkgId, decls: Vec<(usize, Decl)>) {
        if decls.is_empty() {
            return;
        }
        let found = self.declare_late(pkg, decls);
        self.declare_methods(pkg, &found.objs);
    }

    /// Declares the methods of those objects that are types.
    fn declare_methods(&mut self, pkg: PkgId, objs: &[ObjId]) {
        for &obj in objs {
            let obj = self.obj(obj);
            let is_type = matches!(obj.kind, ObjKind::TypeName { is_alias: false });
            if let Some(undeclared) = self.undeclared.get(&pkg).filter(|_| is_type) {
                let decls = undeclared.decls.methods(obj.name);
                let found = self.declare_late(pkg, decls);
                self.sort_methods(pkg, found.methods);
            }
        }
    }

    fn declare_late(&mut self, pkg: PkgId, decls: Vec<(usize, Decl)>) -> Declared {
        let mut found = Declared::default();
        let saved = std::mem::take(&mut self.env);
        self.env.pkg = Some(pkg);
        for (file, decl) in decls {
            let scope = self.undeclared[&pkg].file_scopes[file];
            // As the trees of files, it lives as long as the process.
            self.declare_object(pkg, scope, Box::leak(Box::new(decl)), &mut found);
        }
        self.env = saved;
        found
    }
}
