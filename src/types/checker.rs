//! The checker: state, entry points, and the queue of delayed work.
//!
//! Package-level objects are resolved when first needed, along a path that shows cycles. Work that
//! must not happen in the middle of a declaration (function bodies, checks that need complete
//! types) is queued and done before an entry point returns. Packages of the standard library only
//! have their names declared when imported; what a program uses of them is resolved on the way, and
//! bodies and initialisers are checked when the compiler asks.
//!
//! # Invariants
//!
//! - C1. `env` describes the place being checked; a function that changes it puts it back.
//! - C2. The delayed queue is empty and `path` too whenever a public function returns (hence
//!   types::T1).
//!
//! Go: go/types (check.go), cmd/compile/internal/noder for the order of errors.

use super::operand::{Operand, Target};
use super::typeset::Uncommon;
use super::*;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use source;
use std::collections::{BTreeMap, VecDeque};
use std::ops::{Deref, DerefMut};
use syntax::ast::{Expr, File};
use syntax::diagnostics::Diagnostics;

/// What an importer found for a path.
pub struct Imported {
    /// The path that identifies the package.
    pub path: String,
    pub files: Vec<&'static File>,
    /// Of the standard library: resolved lazily.
    pub is_std: bool,
    /// The N of the language version go1.N that it is of, unless it is of the library.
    pub lang: u32,
}

/// Finds packages by import path.
pub trait Importer {
    /// The parsed files of the package. An error is the whole message, such as
    /// `package foo is not in std`.
    fn import(&mut self, path: &str) -> Result<Imported, String>;

    /// Does the package at `path` have the exported `name` (`T.m` for a field or method of type
    /// `T`) in Go, though not here?
    fn lacks(&self, path: &str, name: &str) -> bool {
        let _ = (path, name);
        false
    }

    /// The paths of packages that can be imported, by their names.
    fn packages(&self) -> BTreeMap<String, &'static str> {
        BTreeMap::new()
    }

    /// Is the package at `path` of a Go source tree? It is checked as the library's texts are.
    fn is_of_tree(&self, path: &str) -> bool {
        let _ = path;
        false
    }

    /// Import path and name of the function that is the body of one without: `name` in the package
    /// at `path`.
    fn bound(&self, path: &str, name: &str) -> Option<(String, String)> {
        let _ = (path, name);
        None
    }

    /// The function that a program gets which links to `remote` (`//go:linkname`), with the path of
    /// its package, if that is one of those that Go keeps open for this.
    fn linked(&self, remote: &str) -> Option<(String, String)> {
        let _ = remote;
        None
    }

    /// The path of a package for which `path`, that of none, was likely meant.
    fn near(&self, path: &str) -> Option<String> {
        let _ = path;
        None
    }
}

/// A declaration at package level.
pub(super) struct DeclInfo {
    pub pkg: PkgId,
    /// The file's scope.
    pub scope: ScopeId,
    pub kind: DeclKind,
    /// Package-level objects that the initialiser or body mentions, in order.
    pub(crate) deps: IndexSet<ObjId, FxBuildHasher>,
    /// The body or initialiser has been checked.
    pub checked: bool,
}

#[derive(Clone)]
pub(super) enum DeclKind {
    Const {
        ty: Option<&'static Expr>,
        init: Option<&'static Expr>,
        iota: u32,
        /// The initialiser is repeated from a line above.
        inherited: bool,
    },
    Type(&'static ast::TypeSpec),
    Var {
        lhs: Rc<[ObjId]>,
        ty: Option<&'static Expr>,
        /// Of all of `lhs` if these are several.
        init: Option<&'static Expr>,
    },
    Func(&'static ast::FuncDecl),
}

/// A function literal being checked.
pub(super) struct LitFrame {
    pub id: NodeId,
    pub depth: u32,
    pub captured: IndexSet<ObjId, FxBuildHasher>,
}

/// The place being checked.
#[derive(Clone, Default)]
pub(super) struct Env {
    pub pkg: Option<PkgId>,
    pub scope: Option<ScopeId>,
    /// The package-level declaration whose dependencies are collected.
    pub decl: Option<ObjId>,
    /// Inside a constant declaration.
    pub iota: Option<i64>,
    /// Errors in a repeated constant initialiser are reported here.
    pub(crate) errpos: Option<Pos>,
    /// Of the function being checked.
    pub sig: Option<TypeId>,
    pub(crate) func_depth: u32,
    /// Inside a function, not a package-level declaration.
    pub in_func: bool,
    /// A call or receive was seen: `len` of an array is then no constant.
    pub(crate) has_call_or_recv: bool,
    /// Type parameters of methods' receivers, by name, are in scope here.
    pub(crate) in_tparam_list: bool,
}

type Action = Box<dyn FnOnce(&mut Checker)>;

/// Checks packages and keeps what it finds.
pub struct Checker {
    pub(crate) prog: Program,
    pub diags: Diagnostics,
    pub(super) importer: Box<dyn Importer>,
    pub(super) decls: Vec<DeclInfo>,
    pub(super) decl_of: FxHashMap<ObjId, usize>,
    /// Declarations on the way to being resolved.
    pub(super) path: Vec<ObjId>,
    pub(super) delayed: VecDeque<(Env, Action)>,
    /// Methods by the type name they are declared on, until the type is resolved.
    pub(super) methods: FxHashMap<ObjId, Vec<ObjId>>,
    pub(super) env: Env,
    /// Function literals around the place, outermost first.
    pub(super) lits: Vec<LitFrame>,
    /// The expression whose call was checked last.
    pub(super) callee_name: NodeId,
    /// Local variables of the function being checked, for `declared and not used`.
    pub(super) locals: Vec<ObjId>,
    /// Local types seen in the function being checked, by name.
    pub(super) local_types: FxHashMap<(ObjId, Symbol), u32>,
    pub(super) has_error: bool,
    /// Something was refused: what depends on it is not known.
    pub(super) has_refused: bool,
    last_error: Option<(Pos, String)>,
    /// Methods whose signatures wait for the types under way.
    pub(super) pending_methods: Vec<ObjId>,
    /// Left operands of non-constant shifts whose type is still open.
    pub(super) shift_lhs: rustc_hash::FxHashSet<NodeId>,
    /// Instances by generic type and argument text.
    pub(super) instances: FxHashMap<(TypeId, String), TypeId>,
    /// Instances of generic types still being declared.
    pub(super) pending_instances: FxHashMap<TypeId, Vec<TypeId>>,
    pub(super) instance_depth: u32,
    /// How deep inside methods of instances an instance first came up; absent: 0.
    pub(super) generations: FxHashMap<TypeId, u32>,
    pub(super) generation: u32,
    pub(super) instances_of: FxHashMap<TypeId, Vec<TypeId>>,
    /// A generic type whose instances call for others without end, and where it is declared.
    pub(super) endless: Option<(Pos, Symbol)>,
    /// Where each instance was first written, and where the one being made is.
    pub(super) instance_pos: FxHashMap<TypeId, Pos>,
    pub(super) instance_at: Pos,
    /// What generic and other types are declared as, which may be a named type.
    pub(super) declared_as: FxHashMap<TypeId, TypeId>,
    /// Which type parameters are instantiated with which.
    pub(super) mono: mono::Mono,
    /// Interface literals of the package, and where they stand.
    pub(super) interface_literals: Vec<(Pos, TypeId)>,
    pub(super) local_instances: bool,
    /// Imports of each file, to report unused ones.
    pub(super) file_imports: Vec<(ObjId, Pos)>,
    /// Functions without a body, reported if nothing else is wrong.
    pub(super) missing_bodies: Vec<(ObjId, Pos)>,
    /// Types of method values by the method's type.
    pub(super) method_values: FxHashMap<TypeId, TypeId>,
    /// Calls of the built-in panic, which end a function.
    pub(super) panic_calls: rustc_hash::FxHashSet<NodeId>,
    /// Named types known not to contain themselves (or reported).
    pub(super) valid_types: rustc_hash::FxHashSet<TypeId>,
    /// Stands for the missing tag of a switch in messages.
    pub(super) true_expr: Option<&'static Expr>,
    /// The scope of each declared function: its parameters.
    pub(super) func_scopes: FxHashMap<ObjId, ScopeId>,
    /// Type parameters of generic aliases.
    pub(super) alias_tparams: FxHashMap<TypeId, Vec<TypeId>>,
    /// Dot-imports by file scope and package, to mark them used.
    pub(super) dot_imports: FxHashMap<(ScopeId, PkgId), ObjId>,
    /// Where packages that have not been read yet are imported, the first time.
    pub(super) unread: FxHashMap<PkgId, Pos>,
    /// Packages being loaded, to find import cycles.
    pub(super) loading: Vec<PkgId>,
    /// Arrays and channels, whose types may be too large, and where users wrote them.
    pub(super) large: Vec<(Pos, TypeId)>,
    /// Elements of array literals past all indices, and operands that cannot be printed, and what
    /// is said of them if nothing else is wrong.
    pub(super) overflows: Vec<(Pos, String)>,
    pub(super) unprintable: Vec<(Pos, String)>,
    /// Of a package that grows step by step.
    pub(super) session: Option<Box<super::session::Session>>,
}

impl Deref for Checker {
    type Target = Program;
    fn deref(&self) -> &Program {
        &self.prog
    }
}

impl DerefMut for Checker {
    fn deref_mut(&mut self) -> &mut Program {
        &mut self.prog
    }
}

impl Checker {
    pub fn new(importer: Box<dyn Importer>) -> Checker {
        let mut c = Checker::of(Program::default(), importer);
        c.declare_universe();
        c
    }

    /// One that knows the packages that another process has written out
    /// ([`export`](Checker::export)); the importer is not asked for them.
    pub fn with_exported(data: &'static [u8], importer: Box<dyn Importer>) -> Checker {
        Checker::of(Program::exported(data), importer)
    }

    fn of(prog: Program, importer: Box<dyn Importer>) -> Checker {
        Checker {
            prog,
            diags: Diagnostics::new(),
            importer,
            decls: Vec::with_capacity(store::ROOM),
            decl_of: FxHashMap::with_capacity_and_hasher(store::ROOM, Default::default()),
            path: Vec::new(),
            delayed: VecDeque::new(),
            methods: FxHashMap::default(),
            env: Env::default(),
            lits: Vec::new(),
            callee_name: NodeId(0),
            locals: Vec::new(),
            local_types: FxHashMap::default(),
            has_error: false,
            has_refused: false,
            last_error: None,
            pending_methods: Vec::new(),
            shift_lhs: Default::default(),
            instances: FxHashMap::default(),
            pending_instances: FxHashMap::default(),
            instance_depth: 0,
            generations: FxHashMap::default(),
            generation: 0,
            instances_of: FxHashMap::default(),
            endless: None,
            instance_pos: FxHashMap::default(),
            instance_at: Pos::NONE,
            declared_as: FxHashMap::default(),
            mono: Default::default(),
            interface_literals: Vec::new(),
            local_instances: false,
            file_imports: Vec::new(),
            dot_imports: FxHashMap::default(),
            unread: FxHashMap::default(),
            missing_bodies: Vec::new(),
            method_values: FxHashMap::default(),
            panic_calls: Default::default(),
            valid_types: Default::default(),
            true_expr: None,
            func_scopes: FxHashMap::default(),
            alias_tparams: FxHashMap::default(),
            loading: Vec::new(),
            large: Vec::new(),
            overflows: Vec::new(),
            unprintable: Vec::new(),
            session: None,
        }
    }

    /// Checks a user's package completely, imported packages first. Errors go to `diags`; put the
    /// parser's there before, since some complaints are made of otherwise correct programs only.
    pub fn check_package(&mut self, path: &str, files: Vec<&'static File>) -> PkgId {
        let pkg = self.new_package(path, files, false);
        self.load(pkg);
        self.report_rest(pkg);
        pkg
    }

    /// Checks a user's package as [`check_package`](Self::check_package) does, of another program
    /// with which it shares what these import.
    pub fn check_another(&mut self, path: &str, files: Vec<&'static File>) -> PkgId {
        self.has_error = false;
        self.forget_last_error();
        self.forget_what_is_open();
        self.check_package(path, files)
    }

    /// Reports what is said of packages that are checked for themselves, of one that another has
    /// imported.
    pub fn check_again(&mut self, pkg: PkgId) {
        self.report_large(pkg);
    }

    /// Forgets what is said of otherwise correct programs only, and what waits for the rest of a
    /// package: there are errors.
    pub(super) fn forget_what_is_open(&mut self) {
        self.methods.clear();
        self.missing_bodies.clear();
        self.overflows.clear();
        self.unprintable.clear();
        self.large.clear();
        self.endless = None;
    }

    /// Forgets a package: it is read again when it is imported again.
    pub fn forget(&mut self, path: &str) {
        self.prog.by_path.remove(path);
    }

    /// The package that is known under an import path, if one is.
    pub fn known_package(&self, path: &str) -> Option<PkgId> {
        self.package_at(path)
    }

    /// Reports what is said of otherwise correct programs only.
    pub(super) fn report_rest(&mut self, pkg: PkgId) {
        if self.diags.is_empty() {
            self.report_large(pkg);
            for (pos, text) in std::mem::take(&mut self.overflows) {
                self.diags.error(pos, text);
            }
        }
        if self.diags.is_empty() {
            for (pos, text) in std::mem::take(&mut self.unprintable) {
                self.diags.error(pos, text);
            }
        }
    }

    /// The package of that path, imported if it was not yet.
    /// For a standard package only its names are declared.
    ///
    /// Fails with the importer's message.
    pub fn import_package(&mut self, path: &str) -> Result<PkgId, String> {
        let pkg = self.find_package(path)?;
        self.load(pkg);
        Ok(pkg)
    }

    /// Is the package of a Go source tree?
    pub fn is_of_tree(&self, pkg: PkgId) -> bool {
        self.pkg(pkg).is_std && self.importer.is_of_tree(&self.pkg(pkg).path)
    }

    /// The function of another package that is the body of one of a Go source tree without, or of
    /// one that links to it.
    pub fn bound(&mut self, func: ObjId) -> Option<ObjId> {
        let o = self.obj(func);
        let (pkg, name) = (self.pkg(o.pkg?), o.name.as_str());
        let bound = self.importer.bound(&pkg.path, name).or_else(|| {
            let mut links = pkg.files.iter().flat_map(|f| &f.directives.linknames);
            let link = links.find(|link| link.local == name)?;
            self.importer.linked(link.remote.as_deref()?)
        });
        let (path, name) = bound?;
        let pkg = self.import_package(&path).ok()?;
        let body = self.lookup_in_package(pkg, &name)?;
        self.ensure_decl(body);
        Some(body)
    }

    /// The variables of a package whose initialisers call something.
    pub fn called_for(&self, pkg: PkgId) -> Vec<ObjId> {
        let mut found = Vec::new();
        for decl in self.pkg(pkg).files.iter().flat_map(|file| &file.decls) {
            if let syntax::ast::Decl::Var(spec) = decl
                && spec.values.iter().any(|value| self.es(value).contains('('))
            {
                let names = spec.names.iter().map(|name| name.name);
                found.extend(names.filter_map(|name| self.find_in_package(pkg, name)));
            }
        }
        found
    }

    /// Checks the body of a function of the standard library, if that has not been done. For an
    /// instance checks its generic function.
    pub fn ensure_body(&mut self, func: ObjId) {
        let func = self.objs.func(func).and_then(|f| f.origin).unwrap_or(func);
        let Some(&d) = self.decl_of.get(&func) else {
            return;
        };
        if std::mem::replace(&mut self.decls[d].checked, true) {
            return;
        }
        self.obj_decl(func);
        if let DeclKind::Func(decl) = self.decls[d].kind {
            self.check_func_decl_body(func, decl);
        }
        self.process_delayed();
    }

    /// Resolves a package-level object of the standard library:
    /// only its name is declared by an import.
    pub fn ensure_decl(&mut self, obj: ObjId) {
        self.obj_decl(obj);
        self.process_delayed();
    }

    /// Checks the initialiser of a package-level variable of the standard library,
    /// if that has not been done.
    pub fn ensure_var_init(&mut self, var: ObjId) {
        let Some(&d) = self.decl_of.get(&var) else {
            return;
        };
        if std::mem::replace(&mut self.decls[d].checked, true) {
            return;
        }
        self.obj_decl(var);
        self.check_var_init(var);
        self.process_delayed();
    }

    /// Runs what was delayed, and what that delays.
    pub fn process_delayed(&mut self) {
        while let Some((env, action)) = self.delayed.pop_front() {
            let saved = std::mem::replace(&mut self.env, env);
            action(self);
            self.env = saved;
        }
    }

    /// Queues work to be done once the declarations under way are complete.
    pub(super) fn later(&mut self, action: impl FnOnce(&mut Checker) + 'static) {
        self.delayed.push_back((self.env.clone(), Box::new(action)));
    }

    // Errors.

    /// The package whose text is being checked: its own names are not qualified in messages.
    pub(super) fn rel(&self) -> Option<PkgId> {
        self.env.pkg
    }
    /// The type in a message.
    pub(super) fn ts(&self, t: TypeId) -> String {
        self.type_string_rel(t, self.rel())
    }
    /// A variable of type `ty` as what a value is wanted for, if it is a func.
    pub(super) fn target(&self, ty: TypeId, name: impl FnOnce() -> Symbol) -> Option<Target> {
        let ty = self.core_type(ty)?;
        matches!(self.types.get(ty), Type::Signature(_)).then(|| Target { ty, name: name() })
    }
    /// As [`target`](Self::target), of a variable that has its type from its declaration.
    pub(super) fn variable_target(&self, var: ObjId, typed: bool) -> Option<Target> {
        let o = self.obj(var);
        let name = || match o.name.as_str() {
            "" => Symbol::new("result variable"),
            _ => o.name,
        };
        if typed { self.target(o.ty, name) } else { None }
    }
    /// Why there is no common underlying type; `unfit` says it of a term that is not wanted.
    pub(super) fn uncommon(&self, why: Uncommon, unfit: impl Fn(String) -> String) -> String {
        let two = |what: &str, a, b, have: &str| {
            format!("{what}{} and {} have {have}", self.ts(a), self.ts(b))
        };
        match why {
            Uncommon::Unspecific => "no specific type".into(),
            Uncommon::Unfit(t) => unfit(self.ts(t)),
            Uncommon::Different(a, b) => two("", a, b, "different underlying types"),
            Uncommon::Elements(a, b) => two("channels ", a, b, "different element types"),
            Uncommon::Directions(a, b) => two("channels ", a, b, "conflicting directions"),
        }
    }
    /// The expression in a message.
    pub(super) fn es(&self, e: &Expr) -> String {
        ast::print::expr_string(e)
    }
    /// The operand in a message.
    pub(super) fn os(&self, x: &Operand) -> String {
        self.operand_string(x)
    }
    /// A position inside a message.
    pub(super) fn ps(&self, pos: Pos) -> String {
        source::map().position(pos).to_string()
    }

    /// Reports an error. What merely follows from an earlier error is dropped.
    pub(super) fn error(&mut self, pos: Pos, msg: impl Into<String>) {
        self.report(pos, msg.into(), false);
    }
    pub(super) fn soft_error(&mut self, pos: Pos, msg: impl Into<String>) {
        self.report(pos, msg.into(), true);
    }
    /// An error may be reported again.
    pub(super) fn forget_last_error(&mut self) {
        self.last_error = None;
    }
    fn report(&mut self, pos: Pos, mut msg: String, soft: bool) {
        if self.has_error {
            let first = &msg;
            let follows = |s: &str| first.find(s).is_some_and(|i| i > 0);
            if follows("invalid operand") || follows("invalid type") {
                return;
            }
        }
        self.has_error = true;
        self.has_refused |= msg.starts_with("unsupported: ");
        self.explain_version(pos, &mut msg);
        let pos = self.env.errpos.unwrap_or(pos);
        // Of equal messages about one line the first will do.
        if let Some((last, text)) = &self.last_error
            && *text == msg
        {
            let (a, b) = (source::map().position(*last), source::map().position(pos));
            if a.line == b.line && a.file == b.file {
                return;
            }
        }
        self.last_error = Some((pos, msg.clone()));
        if soft {
            self.diags.soft(pos, msg);
        } else {
            self.diags.error(pos, msg);
        }
    }

    /// What the language has and we do not, yet.
    pub(super) fn unsupported(&mut self, pos: Pos, what: &str) {
        self.error(pos, format!("unsupported: {what}"));
    }

    /// The full name of field or method `name` of `t`,
    /// a type of the standard library, if Go has it there and we do not.
    pub(super) fn lacking(&self, t: TypeId, name: Symbol) -> Option<String> {
        self.lacking_below(t, name, 4)
    }

    fn lacking_below(&self, t: TypeId, name: Symbol, depth: u32) -> Option<String> {
        let t = self.unalias(self.prog.deref(t).unwrap_or(t));
        if let Type::Named(named) = self.types.get(t) {
            let o = self.obj(named.obj);
            if let Some(p) = o.pkg.map(|p| self.pkg(p)).filter(|p| p.is_std)
                && self.importer.lacks(&p.path, &format!("{}.{name}", o.name))
            {
                return Some(format!("{}.{}.{name}", p.path, o.name));
            }
        }
        let Type::Struct(s) = self.under_type(t) else {
            return None;
        };
        let mut embedded = s.fields.iter().filter_map(|&f| match &self.obj(f).kind {
            ObjKind::Var(v) if v.embedded && depth > 0 => Some(self.obj(f).ty),
            _ => None,
        });
        embedded.find_map(|e| self.lacking_below(e, name, depth - 1))
    }

    // Recording.

    pub(super) fn record(&mut self, id: NodeId, mode: Mode, ty: TypeId, value: Option<ConstValue>) {
        let i = id.0 as usize;
        let types = &mut self.prog.info.types;
        if types.len() <= i {
            types.resize(i + 1 + i / 4, None);
        }
        types[i] = Some(TypeAndValue { mode, ty, value });
    }

    pub(super) fn record_use(&mut self, id: NodeId, obj: ObjId) {
        self.prog.info.uses.insert(id, obj);
    }

    pub(super) fn record_def(&mut self, id: NodeId, obj: ObjId) {
        self.prog.info.defs.insert(id, obj);
    }

    /// A dependency of the declaration being checked on a package-level object.
    pub(super) fn add_dep(&mut self, to: ObjId) {
        if let Some(from) = self.env.decl
            && self.decl_of.contains_key(&to)
        {
            if let Some(&d) = self.decl_of.get(&from) {
                self.decls[d].deps.insert(to);
            }
        }
    }

    /// Makes an object; it is resolved unless a color is set afterwards.
    pub(super) fn new_obj(&mut self, kind: ObjKind, name: Symbol, pos: Pos, ty: TypeId) -> ObjId {
        let pkg = self.env.pkg;
        self.prog.objs.add(Object {
            kind,
            name,
            pos,
            pkg,
            ty,
            parent: None,
            color: Color::Black,
        })
    }

    /// Declares the object in the scope and records the definition.
    /// The blank identifier is not declared.
    pub(super) fn declare(&mut self, scope: ScopeId, id: Option<NodeId>, obj: ObjId) {
        let name = self.obj(obj).name;
        if !name.is_blank() {
            if let Some(alt) = self.prog.scopes.insert(scope, name, obj) {
                let pos = self.obj(obj).pos;
                let mut msg = format!("{name} redeclared in this block");
                self.push_alt_decl(&mut msg, alt);
                self.error(pos, msg);
                // No name leads to it, so it cannot be used.
                self.mark_used(obj);
                return;
            }
            self.prog.objs.get_mut(obj).parent = Some(scope);
        }
        if let Some(id) = id {
            self.record_def(id, obj);
        }
    }

    /// Appends the line that names the other declaration.
    pub(super) fn push_alt_decl(&self, msg: &mut String, alt: ObjId) {
        let o = self.obj(alt);
        if o.pos.is_known() {
            msg.push_str(&format!(
                "\n\t{}: other declaration of {}",
                self.ps(o.pos),
                o.name
            ));
        }
    }

    pub(super) fn scope(&self) -> ScopeId {
        self.env.scope.unwrap_or(ScopeId::UNIVERSE)
    }

    /// Runs `f` in a new scope inside the present one.
    pub(super) fn in_scope<R>(&mut self, f: impl FnOnce(&mut Checker) -> R) -> R {
        let saved = self.env.scope;
        self.env.scope = Some(self.prog.scopes.add(saved));
        let r = f(self);
        self.env.scope = saved;
        r
    }
}
