//! Packages: their names, imports and methods, before anything is resolved.
//!
//! Collecting declares every package-level name with a white object. User packages are then
//! resolved as a whole; of those of the library what is used is resolved when it is.
//!
//! Go: go/types (resolver.go). Spec: Packages, Import declarations, Declarations and scope.

use super::checker::{DeclInfo, DeclKind, Env};
use super::near::meant;
use super::*;
use syntax::ast::{Decl, Expr, ExprKind, File};

/// Tracks implicit repetition in a `const ( … )` group.
#[derive(Default)]
pub(super) struct ConstGroup {
    group: Option<u32>,
    ty: Option<&'static Expr>,
    values: &'static [Expr],
}

impl ConstGroup {
    /// Type and values of the spec, and whether they are repeated from a line above.
    pub(super) fn next(
        &mut self,
        spec: &'static ast::ConstSpec,
    ) -> (Option<&'static Expr>, &'static [Expr], bool) {
        if self.group != Some(spec.group) {
            *self = ConstGroup {
                group: Some(spec.group),
                ..ConstGroup::default()
            };
        }
        let own = spec.ty.is_some() || !spec.values.is_empty();
        if own {
            self.ty = spec.ty.as_deref();
            self.values = &spec.values;
        }
        (self.ty, self.values, !own)
    }
}

/// What has been collected from declarations at package level.
#[derive(Default)]
pub(super) struct Declared {
    /// In source order.
    pub objs: Vec<ObjId>,
    /// Methods, by what they are declared on.
    pub methods: Vec<(ObjId, ast::Receiver, ScopeId)>,
    consts: ConstGroup,
}

impl Checker {
    /// Makes the package known under its path; its names are declared by [`load`](Self::load).
    pub(super) fn new_package(
        &mut self,
        path: &str,
        files: Vec<&'static File>,
        is_std: bool,
    ) -> PkgId {
        let name = files
            .first()
            .map_or_else(|| Symbol::new(default_name(path)), |f| f.package.name);
        let scope = self.prog.scopes.add(Some(ScopeId::UNIVERSE));
        let pkg = PkgId(self.packages.len());
        self.prog.packages.push(Package {
            path: path.to_string(),
            name,
            files,
            scope,
            imports: Vec::new(),
            init_order: Vec::new(),
            inits: Vec::new(),
            effects: Vec::new(),
            is_std,
        });
        self.prog.by_path.insert(path.to_string(), pkg);
        pkg
    }

    /// The package of an import path, its files known but its names perhaps not declared.
    pub(super) fn find_package(&mut self, path: &str) -> Result<PkgId, String> {
        if let Some(pkg) = self.package_at(path) {
            return Ok(pkg);
        }
        let found = self.importer.import(path)?;
        if let Some(&pkg) = self.by_path.get(&found.path) {
            self.prog.by_path.insert(path.to_string(), pkg);
            return Ok(pkg);
        }
        if !found.is_std {
            self.declare_versions(&found.files, found.lang);
        }
        let pkg = self.new_package(&found.path, found.files, found.is_std);
        if found.path != path {
            self.prog.by_path.insert(path.to_string(), pkg);
        }
        Ok(pkg)
    }

    /// Declares the package's names; checks it completely if it is a user's.
    pub fn load(&mut self, pkg: PkgId) {
        if !self.prog.loaded.insert(pkg) || pkg.0 < self.packages.n_exported() {
            return;
        }
        if self.pkg(pkg).files.is_empty() && self.pkg(pkg).is_std {
            let path = self.pkg(pkg).path.clone();
            match self.importer.import(&path) {
                Ok(found) => {
                    let package = self.prog.pkg_mut(pkg);
                    if let Some(f) = found.files.first() {
                        package.name = f.package.name;
                    }
                    package.path = found.path;
                    package.files = found.files;
                }
                Err(text) => {
                    let pos = self.unread.get(&pkg).copied();
                    self.error(pos.unwrap_or_default(), text);
                    // Silences what follows.
                    self.prog.pkg_mut(pkg).is_std = false;
                    return;
                }
            }
        }
        let saved_env = std::mem::take(&mut self.env);
        self.env.pkg = Some(pkg);
        let is_std = self.pkg(pkg).is_std;
        if is_std {
            self.collect_objects(pkg);
        } else {
            self.check_files(pkg);
        }
        self.env = saved_env;
    }

    /// Checks all that the files of a user's package declare.
    pub(super) fn check_files(&mut self, pkg: PkgId) {
        let env = Env {
            pkg: Some(pkg),
            ..Env::default()
        };
        let saved_env = std::mem::replace(&mut self.env, env);
        self.loading.push(pkg);
        let saved_imports = std::mem::take(&mut self.file_imports);
        let saved_delayed = std::mem::take(&mut self.delayed);
        let saved_path = std::mem::take(&mut self.path);
        let saved_mono = std::mem::take(&mut self.mono);
        let first = ObjId(self.objs.end());
        let objs = self.collect_objects(pkg);
        self.direct_cycles(pkg, &objs);
        self.package_objects(&objs);
        self.process_delayed();
        self.compute_init_order(pkg, first);
        self.unused_imports();
        if !self.has_error {
            self.monomorph();
        }
        self.anonymous_cycles();
        self.mono = saved_mono;
        if let Some((pos, name)) = self.endless.take().filter(|_| !self.has_error) {
            self.unsupported(pos, &format!("{name} is instantiated without end"));
        }
        self.check_directives(pkg);
        self.path = saved_path;
        self.delayed = saved_delayed;
        self.file_imports = saved_imports;
        self.loading.pop();
        self.env = saved_env;
    }

    /// Declares everything of the package's files, in source order.
    /// Returns the objects.
    fn collect_objects(&mut self, pkg: PkgId) -> Vec<ObjId> {
        let files = self.pkg(pkg).files.clone();
        let pkg_scope = self.pkg(pkg).scope;
        let mut found = Declared::default();
        let mut file_scopes = Vec::new();
        let pkg_name = self.pkg(pkg).name;
        for file in files {
            if file.package.name.is_blank() {
                self.error(file.package.pos, "invalid package name _");
            } else if file.package.name != pkg_name {
                self.error(
                    file.pos,
                    format!(
                        "package {}; expected package {}",
                        file.package.name, pkg_name
                    ),
                );
                continue;
            }
            let scope = self.prog.scopes.add(Some(pkg_scope));
            file_scopes.push(scope);
            found.consts = ConstGroup::default();
            for decl in &file.decls {
                self.declare_object(pkg, scope, decl, &mut found);
            }
        }
        self.import_conflicts(pkg_scope, &file_scopes);
        for scope in file_scopes {
            self.share_imports(pkg, scope);
        }
        self.sort_methods(pkg, found.methods);
        if self.pkg(pkg).is_std && !self.is_of_tree(pkg) {
            self.declare_effects(pkg);
        }
        found.objs
    }

    /// Notes what the functions `init` of a package of the library are for: `//go:effect V` says
    /// that what one does is seen in the variable V alone, of this package or (`p.V`) of one that
    /// is imported. An `init` without is always run.
    fn declare_effects(&mut self, pkg: PkgId) {
        for obj in self.pkg(pkg).inits.clone() {
            let Some(decl) = self.declaration(obj) else {
                continue;
            };
            for name in decl
                .pragmas
                .iter()
                .filter_map(|p| p.strip_prefix("effect "))
            {
                let (of, name) = match name.split_once('.') {
                    None => (pkg, name),
                    Some((package, name)) => {
                        let mut imports = self.pkg(pkg).imports.iter();
                        let of = imports.find(|p| self.pkg(**p).name.as_str() == package);
                        (*of.expect("effects are on what is imported"), name)
                    }
                };
                self.load(of);
                let variable = self.find_in_package(of, Symbol::new(name));
                let variable = variable.unwrap_or_else(|| panic!("effect on {name}"));
                self.prog.pkg_mut(pkg).effects.push((obj, variable));
            }
        }
    }

    /// Declares what a declaration at package level says, and adds to what has been declared.
    pub(super) fn declare_object(
        &mut self,
        pkg: PkgId,
        scope: ScopeId,
        decl: &'static Decl,
        into: &mut Declared,
    ) {
        match decl {
            Decl::Import(spec) => self.import_decl(pkg, scope, spec),
            Decl::Const(spec) => {
                let (ty, values, inherited) = into.consts.next(spec);
                for (i, name) in spec.names.iter().enumerate() {
                    let obj = self.new_obj(
                        ObjKind::Const(ConstValue::Int(i64::from(spec.iota))),
                        name.name,
                        name.pos,
                        TypeId::INVALID,
                    );
                    let kind = DeclKind::Const {
                        ty,
                        init: values.get(i),
                        iota: spec.iota,
                        inherited,
                    };
                    self.declare_package_object(pkg, scope, name, obj, kind);
                    into.objs.push(obj);
                }
                self.const_arity(spec, values, inherited);
            }
            Decl::Var(spec) => {
                let lhs: Vec<ObjId> = spec
                    .names
                    .iter()
                    .map(|name| {
                        let info = VarInfo {
                            is_global: true,
                            used: true,
                            ..VarInfo::default()
                        };
                        self.new_obj(ObjKind::Var(info), name.name, name.pos, TypeId::INVALID)
                    })
                    .collect();
                let shared: Option<Rc<[ObjId]>> =
                    (spec.values.len() == 1 && lhs.len() > 1).then(|| lhs.clone().into());
                let first_decl = self.decls.len();
                for (i, (name, &obj)) in spec.names.iter().zip(&lhs).enumerate() {
                    let kind = DeclKind::Var {
                        lhs: shared.clone().unwrap_or_else(|| Rc::from([obj])),
                        ty: spec.ty.as_deref(),
                        init: match &shared {
                            Some(_) => spec.values.first(),
                            None => spec.values.get(i),
                        },
                    };
                    self.declare_package_object(pkg, scope, name, obj, kind);
                    if shared.is_some() {
                        // One declaration for all of them.
                        self.decl_of.insert(obj, first_decl);
                    }
                    into.objs.push(obj);
                }
                if spec.ty.is_none() || !spec.values.is_empty() {
                    self.var_arity(spec);
                }
            }
            Decl::Type(spec) => {
                let kind = ObjKind::TypeName {
                    is_alias: spec.alias,
                };
                let obj = self.new_obj(kind, spec.name.name, spec.name.pos, TypeId::INVALID);
                self.declare_package_object(pkg, scope, &spec.name, obj, DeclKind::Type(spec));
                into.objs.push(obj);
            }
            Decl::Func(decl) => {
                let info = FuncInfo {
                    decl: Some(decl),
                    ..FuncInfo::default()
                };
                let obj = self.new_obj(
                    ObjKind::Func(info),
                    decl.name.name,
                    decl.name.pos,
                    TypeId::INVALID,
                );
                into.objs.push(obj);
                if let Some(receiver) = decl.receiver {
                    // What follows the name of a method is parsed when it is read.
                    if !self.allows(decl.name.pos, 27)
                        && let Some(tp) = decl.tparams.first()
                    {
                        self.requires(tp.name.pos, 27, "generic method");
                    }
                    self.set_decl(pkg, scope, obj, DeclKind::Func(decl));
                    self.record_def(decl.name.id, obj);
                    into.methods.push((obj, receiver, scope));
                } else {
                    self.func_object(pkg, scope, obj, decl);
                }
            }
        }
    }

    /// Puts methods with the types that they are declared on.
    pub(super) fn sort_methods(
        &mut self,
        pkg: PkgId,
        methods: Vec<(ObjId, ast::Receiver, ScopeId)>,
    ) {
        for (m, receiver, scope) in methods {
            let (ptr, base) = self.base_type_name(pkg, scope, receiver);
            if let ObjKind::Func(f) = &mut self.prog.objs.get_mut(m).kind {
                f.ptr_recv = ptr;
            }
            if let Some(base) = base {
                self.methods.entry(base).or_default().push(m);
            }
        }
    }

    fn set_decl(&mut self, pkg: PkgId, scope: ScopeId, obj: ObjId, kind: DeclKind) {
        self.prog.objs.get_mut(obj).color = Color::White;
        self.decl_of.insert(obj, self.decls.len());
        self.decls.push(DeclInfo {
            pkg,
            scope,
            kind,
            deps: Default::default(),
            checked: false,
        });
    }

    fn declare_package_object(
        &mut self,
        pkg: PkgId,
        scope: ScopeId,
        name: &ast::Ident,
        obj: ObjId,
        kind: DeclKind,
    ) {
        self.set_decl(pkg, scope, obj, kind);
        let text = name.name.as_str();
        if text == "init" {
            self.error(name.pos, "cannot declare init - must be func");
            return;
        }
        if text == "main" && self.pkg(pkg).name.as_str() == "main" {
            self.error(name.pos, "cannot declare main - must be func");
            return;
        }
        self.declare_global(pkg, name, obj);
    }

    fn func_object(
        &mut self,
        pkg: PkgId,
        scope: ScopeId,
        obj: ObjId,
        decl: &'static ast::FuncDecl,
    ) {
        self.set_decl(pkg, scope, obj, DeclKind::Func(decl));
        let name = decl.name.name.as_str();
        let is_main = name == "main" && self.pkg(pkg).name.as_str() == "main";
        if name == "init" || is_main {
            if let Some(tp) = decl.tparams.first() {
                self.soft_error(
                    tp.name.pos,
                    format!("func {name} must have no type parameters"),
                );
            }
            if !decl.sig.params.is_empty() || !decl.sig.results.is_empty() {
                self.soft_error(
                    decl.name.pos,
                    format!("func {name} must have no arguments and no return values"),
                );
            }
        } else if !self.allows(decl.name.pos, 18)
            && let Some(tp) = decl.tparams.first()
        {
            self.requires(tp.name.pos, 18, "type parameter");
        }
        if name == "init" {
            self.record_def(decl.name.id, obj);
            self.prog.objs.get_mut(obj).parent = Some(self.pkg(pkg).scope);
            self.prog.pkg_mut(pkg).inits.push(obj);
            if decl.body.is_none() {
                self.soft_error(decl.name.pos, "func init must have a body");
            }
            return;
        }
        self.declare_global(pkg, &decl.name, obj);
    }

    pub(super) fn const_arity(
        &mut self,
        spec: &'static ast::ConstSpec,
        values: &'static [Expr],
        inherited: bool,
    ) {
        let (l, r) = (spec.names.len(), values.len());
        if l < r {
            if inherited {
                let at = self.ps(values[l].pos);
                self.error(spec.pos, format!("extra init expr at {at}"));
            } else {
                let e = self.es(&values[l]);
                self.error(values[l].start(), format!("extra init expr {e}"));
            }
        } else if l > r {
            let n = &spec.names[r];
            self.error(n.pos, format!("missing init expr for {}", n.name));
        }
    }

    pub(super) fn var_arity(&mut self, spec: &'static ast::VarSpec) {
        let (l, r) = (spec.names.len(), spec.values.len());
        if l < r {
            let e = self.es(&spec.values[l]);
            self.error(spec.values[l].start(), format!("extra init expr {e}"));
        } else if l > r && r != 1 {
            let n = &spec.names[r];
            self.error(n.pos, format!("missing init expr for {}", n.name));
        }
    }

    fn import_decl(&mut self, pkg: PkgId, scope: ScopeId, spec: &'static ast::ImportSpec) {
        if spec.is_bad {
            return;
        }
        let from_std = self.pkg(pkg).is_std;
        let name = spec.name.map(|n| n.name);
        let lazy = from_std && !name.is_some_and(|n| n.is_blank() || n.as_str() == ".");
        let imported = if let Some(known) = self.package_at(&spec.path) {
            Ok(known)
        } else if lazy {
            let package = self.new_package(&spec.path, Vec::new(), true);
            self.unread.insert(package, spec.path_pos);
            Ok(package)
        } else {
            // What the loader has made of it, of a Go source tree, is valid.
            if !from_std && let Some(msg) = invalid_path(&spec.path) {
                self.error(spec.path_pos, format!("invalid import path ({msg})"));
                return;
            }
            self.find_package(&spec.path)
        };
        let imported = match imported {
            Ok(p) => p,
            Err(msg) => {
                let near = |ck: &Checker| ck.importer.near(&spec.path).map(|p| meant(&p));
                let at = match spec.name {
                    Some(name) if spec.path_pos.is_known() => name.pos,
                    _ => spec.path_pos,
                };
                self.error_near(at, msg, near);
                // A stand-in that silences what follows.
                let p = self.new_package(&spec.path, Vec::new(), false);
                self.prog.loaded.insert(p);
                p
            }
        };
        if !lazy {
            if self.loading.contains(&imported) {
                self.error(spec.path_pos, "import cycle not allowed");
                return;
            }
            self.load(imported);
        }
        if !self.pkg(pkg).imports.contains(&imported) {
            self.prog.pkg_mut(pkg).imports.push(imported);
        }
        if imported == PkgId(0) && spec.path == "C" {
            self.unsupported(spec.path_pos, "import \"C\"");
            return;
        }
        let local = name.unwrap_or_else(|| self.pkg(imported).name);
        if local.is_blank() {
            return;
        }
        if local.as_str() == "init" {
            self.error(
                spec.pos,
                "cannot import package as init - init must be a func",
            );
            return;
        }
        let pos = spec.name.map_or(spec.pos, |n| n.pos);
        let kind = ObjKind::PkgName {
            imported,
            used: false,
        };
        let obj = self.new_obj(kind, local, pos, TypeId::INVALID);
        if let Some(n) = spec.name {
            self.record_def(n.id, obj)
        }
        if local.as_str() == "." {
            let from = self.pkg(imported).scope;
            for (n, o) in self.scopes.names(from) {
                if !n.is_exported() {
                    continue;
                }
                if let Some(alt) = self.prog.scopes.insert(scope, n, o) {
                    let mut msg = format!("{n} redeclared in this block");
                    self.push_alt_decl(&mut msg, alt);
                    self.error(pos, msg);
                }
            }
            self.dot_imports.insert((scope, imported), obj);
            if !from_std {
                self.file_imports.push((obj, spec.pos));
            }
            return;
        }
        if !from_std {
            self.file_imports.push((obj, spec.pos));
        }
        if let Some(alt) = self.prog.scopes.insert(scope, local, obj) {
            let mut msg = format!("{local} redeclared in this block");
            self.push_alt_decl(&mut msg, alt);
            self.error(pos, msg);
            return;
        }
        self.prog.objs.get_mut(obj).parent = Some(scope);
    }

    /// A name declared by an import may not be declared at package level as well.
    fn import_conflicts(&mut self, pkg_scope: ScopeId, file_scopes: &[ScopeId]) {
        for &scope in file_scopes {
            for (name, obj) in self.scopes.names(scope) {
                let Some(alt) = self.scopes.lookup(pkg_scope, name) else {
                    continue;
                };
                if self.is_of_earlier_step(alt) {
                    continue;
                }
                let alt_pos = self.obj(alt).pos;
                let mut msg = match self.obj(obj).kind {
                    ObjKind::PkgName { imported, .. } => format!(
                        "{name} already declared through import of package {} ({:?})",
                        self.pkg(imported).name,
                        self.pkg(imported).path
                    ),
                    _ => {
                        let pkg = self.obj(obj).pkg.unwrap_or(PkgId(0));
                        format!(
                            "{name} already declared through dot-import of package {} ({:?})",
                            self.pkg(pkg).name,
                            self.pkg(pkg).path
                        )
                    }
                };
                self.push_alt_decl(&mut msg, obj);
                self.error(alt_pos, msg);
            }
        }
    }

    /// Whether the receiver is a pointer, and the type name in this package it is declared on.
    fn base_type_name(
        &mut self,
        pkg: PkgId,
        scope: ScopeId,
        receiver: ast::Receiver,
    ) -> (bool, Option<ObjId>) {
        let mut ptr = receiver.is_pointer;
        let Some(mut name) = receiver.base else {
            return (ptr, None);
        };
        // Through aliases declared in this package.
        let mut seen = Vec::new();
        loop {
            if self.scopes.lookup(scope, name).is_some() {
                return (ptr, None);
            }
            let Some(obj) = self.scopes.lookup(self.pkg(pkg).scope, name) else {
                return (ptr, None);
            };
            let Some(&d) = self.decl_of.get(&obj) else {
                return (ptr, None);
            };
            let DeclKind::Type(spec) = &self.decls[d].kind else {
                return (ptr, None);
            };
            if !spec.alias {
                return (ptr, Some(obj));
            }
            // A generic alias has no methods.
            if !spec.tparams.is_empty() || seen.contains(&obj) {
                return (ptr, None);
            }
            seen.push(obj);
            let mut rhs = spec.ty.unparen();
            if let ExprKind::Star(x) = &rhs.kind {
                if ptr {
                    return (ptr, None);
                }
                ptr = true;
                rhs = x.unparen();
            }
            match rhs.kind {
                ExprKind::Name(n) => name = n,
                _ => return (ptr, None),
            }
        }
    }

    /// Resolves all objects: type definitions first, aliases, then the rest.
    fn package_objects(&mut self, objs: &[ObjId]) {
        let phase = |c: &Checker, o: ObjId| match c.obj(o).kind {
            ObjKind::TypeName { is_alias: false } => 0,
            ObjKind::TypeName { is_alias: true } => 1,
            _ => 2,
        };
        for p in 0..3 {
            for &o in objs {
                if phase(self, o) == p {
                    self.obj_decl(o);
                }
            }
            if p == 0 {
                self.collect_late_methods();
            }
        }
        // Methods of types that are not there have been resolved as functions of their own.
        for o in objs {
            self.methods.remove(o);
        }
    }

    fn unused_imports(&mut self) {
        if self.is_typed() {
            return;
        }
        for (obj, pos) in std::mem::take(&mut self.file_imports) {
            let o = self.obj(obj);
            let ObjKind::PkgName { imported, used } = o.kind else {
                continue;
            };
            if used || o.name.is_blank() {
                continue;
            }
            let p = self.pkg(imported);
            if !p.is_std && p.files.is_empty() {
                continue;
            }
            let base = p.name;
            let msg = if o.name == base && !self.named_import(obj) || o.name.as_str() == "." {
                format!("{:?} imported and not used", p.path)
            } else {
                format!("{:?} imported as {} and not used", p.path, o.name)
            };
            self.soft_error(pos, msg);
        }
    }

    /// Was the import given a name, or does its path end in another one than the package has?
    fn named_import(&self, obj: ObjId) -> bool {
        let o = self.obj(obj);
        let ObjKind::PkgName { imported, .. } = o.kind else {
            return false;
        };
        let path = &self.pkg(imported).path;
        path.rsplit('/').next() != Some(o.name.as_str())
    }

    /// Marks the import used; a standard package's own imports are loaded now.
    pub(super) fn use_package(&mut self, obj: ObjId) -> PkgId {
        let ObjKind::PkgName { imported, used } = &mut self.prog.objs.get_mut(obj).kind else {
            return PkgId(0);
        };
        *used = true;
        let imported = *imported;
        self.load(imported);
        imported
    }
}

/// The name of a package that has not been read yet:
/// the last element of its path, or the one before a version.
pub(super) fn default_name(path: &str) -> &str {
    let mut parts = path.rsplit('/');
    let last = parts.next().unwrap_or(path);
    let is_version =
        last.len() > 1 && last.starts_with('v') && last[1..].bytes().all(|b| b.is_ascii_digit());
    if is_version {
        parts.next().unwrap_or(last)
    } else {
        last
    }
}

fn invalid_path(path: &str) -> Option<String> {
    if path.is_empty() {
        return Some("empty string".into());
    }
    let is_allowed = |c: char| match c {
        '+' | '-' | '.' | '/' | '@' | '_' | '~' => true,
        '\u{fffd}' => false,
        _ => !(c.is_ascii_punctuation() || c.is_whitespace() || c.is_control()),
    };
    path.chars().find(|&c| !is_allowed(c)).map(|c| {
        let code = c as u32;
        if c.is_control() || c != ' ' && c.is_whitespace() {
            format!("invalid character U+{code:04X}")
        } else {
            format!("invalid character U+{code:04X} '{c}'")
        }
    })
}
