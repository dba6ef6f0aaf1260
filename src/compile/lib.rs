//! Typed trees to bytecode.
//!
//! [`Compiler`] drives: it gives every function an index when something refers to it, and compiles
//! its body later, from a worklist; so only what is reachable is compiled (and, of the standard
//! library, only checked then). Methods of types that are converted to interfaces get their indices
//! at once, for itabs; their bodies wait until some call through an interface uses a method of that
//! name. [`Fun`](func::Fun) compiles one body into instructions over virtual slots; `link` gives
//! slots their final numbers and lays the code down.
//!
//! # Invariants
//!
//! - C1. An argument whose evaluation may reach a safepoint or use the window is evaluated to a
//!   typed temporary before the window is written; between the first write to the window and the
//!   call, and between the return and the last use of the results, there is no safepoint.
//! - C2. A slot keeps one kind (scalar, pointer, maybe) throughout its function.
//! - C3. An instruction's destination may be one of its sources.
//! - C4. A value of more than [`abi::BY_REF_ABOVE`] bytes ("huge") is never in the frame: its slot
//!   holds the address of memory that is not written while the value is in use.
//!
//! Go: cmd/compile/internal/{walk,ssagen,reflectdata}, cmd/link.

use bytecode::abi;
use bytecode::func as bfunc;
use bytecode::rtype::{self, Ty};
use bytecode::unit::{In, Unit};
use rustc_hash::{FxHashMap, FxHashSet};
use source::{Pos, Symbol};
use std::rc::Rc;
use syntax::ast::{self, NodeId};
use types::{Checker, Initializer, ObjId, ObjKind, PkgId, Selection, Type, TypeId};

mod access;
mod assign;
mod builtin;
mod call;
mod closure;
mod cond;
mod control;
mod convert;
mod declare;
mod expr;
mod func;
mod inline;
mod iterate;
mod late;
mod link;
mod lit;
mod literal;
mod object;
mod ops;
mod order;
mod place;
mod rangefunc;
mod regalloc;
mod returns;
mod select;
mod session;
mod stmt;
mod typeinfo;
mod unit;
mod walk;
mod wrapper;

use func::Fun;
use object::Need;
pub use typeinfo::{Repr, TypeInfo};

/// Is there a native behind a declaration without body:
/// package path and name (`Repeat`, `(*T).M`, `T.M`)?
pub type IsNative = Box<dyn Fn(&str, &str) -> bool>;

/// What cannot be compiled: refused before the program runs.
#[derive(Clone, Debug)]
pub struct Refusal {
    pub pos: Pos,
    pub message: String,
}

/// Type parameters of the generic function being compiled, and what they stand for.
pub(crate) type TypeEnv = Option<Rc<Instance>>;

#[derive(Debug)]
pub(crate) struct Instance {
    from: Vec<TypeId>,
    to: Vec<TypeId>,
    /// Types replaced before.
    known: std::cell::RefCell<FxHashMap<TypeId, TypeId>>,
}

/// A function literal, or the thunk of a `go` or `defer` statement, waiting to be compiled.
struct LitJob {
    name: String,
    pkg: Option<PkgId>,
    env: TypeEnv,
    /// It stands in a body that is compiled in place.
    is_copy: bool,
    /// Functions in whose text it may stand.
    open: Rc<[ObjId]>,
    kind: closure::LitKind,
}

enum Job {
    /// A declared function or method.
    Decl(ObjId, TypeEnv),
    Lit(Box<LitJob>),
    /// What was compiled when gosched was built: the number of the object.
    Object(u32),
    Wrapper(Box<wrapper::Wrapper>),
}

impl Job {
    /// The same job. Parts of functions are compiled with the unit that has the function.
    fn again(&self) -> Option<Job> {
        match self {
            Job::Decl(obj, env) => Some(Job::Decl(*obj, env.clone())),
            Job::Object(number) => Some(Job::Object(*number)),
            Job::Wrapper(w) => Some(Job::Wrapper(w.clone())),
            Job::Lit(_) => None,
        }
    }
}

/// Identity of a compiled function.
#[derive(Clone, PartialEq, Eq, Hash)]
enum FuncKey {
    Decl(ObjId, Vec<Ty>),
    Wrapper(wrapper::WrapperKey),
}

/// Compiles a program, whole or unit by unit.
pub struct Compiler {
    pub ck: Checker,
    is_native: IsNative,
    /// More units will follow: each exports what it has.
    is_session: bool,
    /// See [`Compiler::is_wrong`].
    is_broken: bool,
    parts: unit::Parts,
    funcs: FxHashMap<FuncKey, u32>,
    work: Vec<(u32, Job)>,
    /// Methods whose index is given out and whose body nothing calls yet, by name.
    dormant: FxHashMap<Symbol, Vec<(u32, Job)>>,
    /// Method names called through interfaces.
    live_methods: FxHashSet<Symbol>,
    info: typeinfo::Infos,
    rtypes: typeinfo::Rtypes,
    /// By expression.
    effects: Vec<Option<Effect>>,
    /// Standard packages' variables to be initialised, and packages seen.
    std_vars: FxHashSet<ObjId>,
    std_pkgs: FxHashSet<PkgId>,
    /// Of a Go source tree, all of whose variables have been looked at.
    whole: FxHashSet<PkgId>,
    /// Packages of the library whose imports have been looked through for functions `init`.
    looked_through: FxHashSet<PkgId>,
    /// What earlier units initialise: packages of users; of the library variables, and functions
    /// `init` that are run.
    initialized: FxHashSet<PkgId>,
    initialized_std: FxHashSet<ObjId>,
    errors: Vec<Refusal>,
    /// Variables that share the memory of earlier ones.
    shared: FxHashMap<ObjId, ObjId>,
    /// Bodies of functions of earlier units that this unit brings: lost with it, should it be
    /// refused.
    brought: Vec<(u32, Job)>,
    /// Functions of this unit that take the place of others, the indices that they get, and what
    /// was to be compiled there.
    redefined: Vec<(ObjId, u32, Option<Job>)>,
    /// In a session: the type arguments of instances, by index.
    type_args: FxHashMap<u32, Vec<TypeId>>,
    /// Variables of a range-over-func statement's surroundings that its body uses: as if captured.
    body_captured: FxHashSet<ObjId>,
    /// What was compiled when gosched was built.
    objects: object::Objects,
    /// While that is done.
    recorder: Option<Box<object::Recorder>>,
    /// Functions looked at by `inline_body`: those whose calls may be compiled in place have one.
    inline_bodies: FxHashMap<ObjId, Option<Rc<inline::Body>>>,
}

impl Compiler {
    pub fn new(ck: Checker, is_native: IsNative) -> Compiler {
        Compiler {
            ck,
            is_native,
            is_session: false,
            is_broken: false,
            parts: unit::Parts::default(),
            funcs: FxHashMap::default(),
            work: Vec::new(),
            dormant: FxHashMap::default(),
            live_methods: FxHashSet::default(),
            info: typeinfo::Infos::default(),
            rtypes: typeinfo::Rtypes::default(),
            effects: Vec::new(),
            std_vars: FxHashSet::default(),
            std_pkgs: FxHashSet::default(),
            whole: FxHashSet::default(),
            looked_through: FxHashSet::default(),
            initialized: FxHashSet::default(),
            initialized_std: FxHashSet::default(),
            errors: Vec::new(),
            shared: FxHashMap::default(),
            brought: Vec::new(),
            redefined: Vec::new(),
            type_args: FxHashMap::default(),
            body_captured: FxHashSet::default(),
            objects: object::Objects::default(),
            recorder: None,
            inline_bodies: FxHashMap::default(),
        }
    }

    /// For unit after unit: each may use what those before it have.
    pub fn for_session(self) -> Compiler {
        Compiler {
            is_session: true,
            ..self
        }
    }

    /// Compiles everything reachable from package `main` and the roots the virtual machine needs.
    pub fn compile_program(&mut self, main: PkgId) -> Result<Unit, Vec<Refusal>> {
        self.ck.enable_local_instances();
        self.runtime_types();
        let main = self.ck.lookup_in_package(main, "main");
        let main = main.map(|f| self.func_of(f, Vec::new()));
        self.finish_unit(main)
    }

    /// Compiles everything reachable from these packages `main`, as far as the packages are good,
    /// into one unit that nobody runs.
    pub fn compile_programs(
        &mut self,
        mains: &[PkgId],
        is_good: impl Fn(PkgId) -> bool,
    ) -> Result<Unit, Vec<Refusal>> {
        self.ck.enable_local_instances();
        self.runtime_types();
        for &main in mains {
            if let Some(main) = self.ck.lookup_in_package(main, "main") {
                self.func_of(main, Vec::new());
            }
        }
        let mut packages = self.ck.package_order();
        packages.retain(|pkg| is_good(*pkg));
        let inits = self.user_inits(packages);
        self.finish(inits, None)
    }

    /// Compiles the functions of a package that are not generic, and what they reach and earlier
    /// units do not have. For a session in which a program has been compiled.
    pub fn compile_package(&mut self, pkg: PkgId) -> Result<Unit, Vec<Refusal>> {
        for obj in self.ck.functions_of(pkg) {
            self.ck.ensure_decl(obj);
            if self.ck.all_tparams(obj).is_empty() {
                self.func_of(obj, Vec::new());
            }
        }
        self.finish_unit(None)
    }

    /// The unit of all that has been asked for and is initialised by it.
    fn finish_unit(&mut self, main: Option<u32>) -> Result<Unit, Vec<Refusal>> {
        let packages = self.ck.package_order();
        let inits = self.user_inits(packages);
        self.finish(inits, main)
    }

    /// The unit of all that has been asked for, and of what initialises it, `user_inits` last.
    fn finish(&mut self, user_inits: Vec<u32>, main: Option<u32>) -> Result<Unit, Vec<Refusal>> {
        let (init, initialized) = self.compile_inits(user_inits);
        self.is_wrong();
        self.is_broken = false;
        if !self.errors.is_empty() {
            return Err(std::mem::take(&mut self.errors));
        }
        self.initialized_std.extend(initialized);
        self.brought.clear();
        self.redefined.clear();
        let methods = self.method_tables();
        if self.is_session {
            self.export_all();
        }
        let init = self.parts.function_number(init);
        let main = main.map_or(0, |f| self.parts.function_number(f));
        Ok(Unit {
            methods,
            init,
            main,
            ..self.parts.take()
        })
    }

    /// Exports what later units may name: functions and variables. Instances and wrappers are the
    /// same in all units that have them.
    fn export_all(&mut self) {
        let keys = rtype::keys();
        let text = |tys: &[Ty]| {
            let texts: Vec<String> = tys.iter().map(|t| rtype::identity(*t, &keys)).collect();
            texts.join(",")
        };
        let named = |(key, index): (&FuncKey, &u32)| match key {
            FuncKey::Decl(obj, tys) => {
                let name = self.decl_name(*obj, false);
                match &tys[..] {
                    [] => (*index, name, false),
                    tys => (*index, format!("{name}[{}]", text(tys)), true),
                }
            }
            FuncKey::Wrapper(w) => {
                let name = self.ck.obj(w.obj).name;
                let (recv, own, kind) = (text(&[w.recv]), text(&w.own), w.kind);
                (*index, format!("{recv}.{name}[{own}] {kind:?}"), true)
            }
        };
        let own = self.funcs.iter().filter(|(_, i)| self.parts.is_own(**i));
        let mut functions: Vec<_> = own.map(named).collect();
        functions.sort();
        for (index, name, is_shared) in functions {
            self.parts.export_function(index, name, is_shared);
        }
        for obj in self.parts.own_variables() {
            let o = self.ck.obj(obj);
            let prefix = o.pkg.map_or(String::new(), |p| self.pkg_prefix(p));
            let name = format!("{prefix}.{}", o.name);
            self.parts.export_variable(obj, name);
        }
    }

    /// The types of package runtime that the virtual machine makes values of.
    fn runtime_types(&mut self) {
        let Ok(pkg) = self.ck.import_package("runtime") else {
            return;
        };
        for (name, by_pointer) in [
            ("errorString", false),
            ("plainError", false),
            ("boundsError", false),
            ("TypeAssertionError", true),
            ("PanicNilError", true),
        ] {
            let Some(obj) = self.ck.find_in_package(pkg, Symbol::new(name)) else {
                continue;
            };
            self.ck.ensure_decl(obj);
            let mut t = self.ck.obj(obj).ty;
            if by_pointer {
                t = self.ck.types.pointer(t);
            }
            let ty = self.rtype(t);
            self.need_methods(t, ty);
        }
        let methods = ["Error", "String"];
        self.want_methods(&methods);
        for name in methods {
            self.method_is_live(Symbol::new(name));
        }
    }

    /// What initialises those of these packages that are users' and that no unit has initialised:
    /// initialisers of variables and init functions.
    fn user_inits(&mut self, packages: Vec<PkgId>) -> Vec<u32> {
        let user: Vec<PkgId> = packages
            .into_iter()
            .filter(|p| !self.ck.pkg(*p).is_std && self.ck.loaded.contains(p))
            .filter(|p| self.initialized.insert(*p))
            .collect();
        let mut user_inits = Vec::new();
        for &p in &user {
            let order = self.ck.pkg(p).init_order.clone();
            if !order.is_empty() {
                user_inits.push(self.compile_init_vars(p, &order));
            }
            for obj in self.ck.pkg(p).inits.clone() {
                user_inits.push(self.func_of(obj, Vec::new()));
            }
            self.drain();
        }
        user_inits
    }

    /// Notes what a package imports for what its initialisation does alone
    /// (`import _ "image/png"`), itself or by way of the library's packages (`crypto/x509` imports
    /// the hashes). Of our own packages that can only be init functions.
    fn imports_with_effects(&mut self, pkg: PkgId) {
        let mut left = self.ck.pkg(pkg).imports.clone();
        while let Some(imported) = left.pop() {
            if self.ck.is_of_tree(imported) {
                self.std_package(imported);
            } else if self.ck.pkg(imported).is_std && self.looked_through.insert(imported) {
                self.ck.load(imported);
                if !self.ck.pkg(imported).inits.is_empty() {
                    self.std_package(imported);
                }
                left.extend_from_slice(&self.ck.pkg(imported).imports);
            }
        }
    }

    /// Compiles until nothing is left to do, then the library's initialisers, which may reach more.
    /// Returns the function that runs them all, `user_inits` last, and the variables of the library
    /// that it initialises, with the functions `init`.
    fn compile_inits(&mut self, user_inits: Vec<u32>) -> (u32, Vec<ObjId>) {
        // Standard packages: as far as variables are used.
        // Initialisers may use further variables; init functions too.
        let mut std_inits: Vec<u32> = Vec::new();
        let mut made: FxHashMap<ObjId, u32> = FxHashMap::default();
        for p in self.ck.package_order() {
            if !self.ck.pkg(p).is_std {
                self.imports_with_effects(p);
            }
        }
        loop {
            self.drain();
            let before = (self.std_vars.len(), self.std_pkgs.len(), self.work.len());
            self.initialize_trees();
            std_inits.clear();
            let order = self.ck.std_init_order(&self.std_pkgs, &self.std_vars);
            for (p, list) in &order {
                let is_new = |i: &&Initializer| !self.initialized_std.contains(&i.lhs[0]);
                let list: Vec<_> = list.iter().filter(is_new).collect();
                for i in list {
                    let index = match made.get(&i.lhs[0]) {
                        Some(&index) => index,
                        None => self.compile_init_vars(*p, std::slice::from_ref(i)),
                    };
                    made.insert(i.lhs[0], index);
                    std_inits.push(index);
                }
                for obj in self.ck.pkg(*p).inits.clone() {
                    if !self.initialized_std.contains(&obj) && self.is_seen(*p, obj) {
                        let index = self.func_of(obj, Vec::new());
                        made.insert(obj, index);
                        std_inits.push(index);
                    }
                }
            }
            self.drain();
            if before == (self.std_vars.len(), self.std_pkgs.len(), self.work.len()) {
                break;
            }
        }
        std_inits.extend(user_inits);
        let init = self.compile_call_all("runtime.doInit", &std_inits);
        (init, made.into_keys().collect())
    }

    /// Can the program see what a function `init` of the library does?
    fn is_seen(&self, pkg: PkgId, init: ObjId) -> bool {
        let effects = self.ck.pkg(pkg).effects.iter();
        let mut on = effects.filter(|(of, _)| *of == init).peekable();
        on.peek().is_none() || on.any(|(_, variable)| self.std_vars.contains(variable))
    }

    /// Notes what packages of a Go source tree initialise that nothing refers to: other than in our
    /// own packages, it may matter that it is done.
    fn initialize_trees(&mut self) {
        for pkg in self.std_pkgs.clone() {
            if !self.ck.is_of_tree(pkg) || !self.whole.insert(pkg) {
                continue;
            }
            self.imports_with_effects(pkg);
            for variable in self.ck.called_for(pkg) {
                self.ck.ensure_decl(variable);
                self.global(variable);
            }
        }
    }

    /// Compiles what the worklist holds, and what that adds.
    pub fn drain(&mut self) {
        loop {
            while let Some((index, job)) = self.work.pop() {
                if !self.parts.is_own(index)
                    && let Some(job) = job.again()
                {
                    self.brought.push((index, job));
                }
                let index = self.parts.home(index);
                match job {
                    Job::Decl(obj, env) => self.compile_decl(index, obj, env),
                    Job::Lit(lit) => Fun::literal(self, index, *lit),
                    Job::Object(number) => self.compile_object(index, number),
                    Job::Wrapper(w) => self.compile_wrapper(index, *w),
                }
            }
            if !self.extend_tables() {
                break;
            }
        }
    }

    pub(crate) fn unsupported(&mut self, pos: Pos, what: impl Into<String>) {
        self.refuse(pos, format!("unsupported: {}", what.into()));
    }

    /// Has the checker found something wrong with texts that are read as late as this? Then it is
    /// reported, and nothing more is compiled.
    pub(crate) fn is_wrong(&mut self) -> bool {
        if !self.ck.diags.is_empty() {
            self.is_broken = true;
            for d in std::mem::take(&mut self.ck.diags).sorted() {
                self.refuse(d.pos, d.message);
            }
        }
        self.is_broken
    }

    /// Notes an error that Go's compiler finds as late as this one.
    pub(crate) fn refuse(&mut self, pos: Pos, message: String) {
        self.errors.push(Refusal { pos, message });
    }

    /// The name before the dot of a package's functions:
    /// its path, dots in the last element escaped, or `main`.
    pub(crate) fn pkg_prefix(&self, p: PkgId) -> String {
        let pkg = self.ck.pkg(p);
        match pkg.path.rfind('/') {
            Some(i) => format!(
                "{}{}",
                &pkg.path[..=i],
                pkg.path[i + 1..].replace('.', "%2e")
            ),
            None => pkg.path.clone(),
        }
    }

    // Functions.

    /// The index of a declared function or method, with the type arguments of its instance (for a
    /// method: of its receiver's type).
    pub(crate) fn func_of(&mut self, obj: ObjId, targs: Vec<TypeId>) -> u32 {
        let obj = self.ck.objs.func(obj).and_then(|f| f.origin).unwrap_or(obj);
        let index = self.index_of(obj, &targs);
        self.note_given(In::Func, index.into(), || Need::Function(obj, targs));
        index
    }

    fn index_of(&mut self, obj: ObjId, targs: &[TypeId]) -> u32 {
        let tys = targs.iter().map(|t| self.rtype(*t)).collect();
        let key = FuncKey::Decl(obj, tys);
        if let Some(&i) = self.funcs.get(&key) {
            let name = self.ck.obj(obj).name;
            self.wake(name, i);
            return i;
        }
        let index = self.reserve();
        let endless =
            matches!(&key, FuncKey::Decl(_, tys) if tys.iter().any(|t| is_endless(t.string)));
        self.funcs.insert(key, index);
        self.note_type_args(index, targs);
        if endless {
            // An instance that calls for a larger one, and so on.
            let (pos, name) = (self.ck.obj(obj).pos, self.ck.obj(obj).name);
            self.unsupported(pos, format!("{name} is instantiated without end"));
            return index;
        }
        let env = self.type_env(obj, targs);
        self.work.push((index, Job::Decl(obj, env)));
        index
    }

    fn note_type_args(&mut self, index: u32, targs: &[TypeId]) {
        if self.is_session && !targs.is_empty() {
            self.type_args.insert(index, targs.to_vec());
        }
    }

    /// The type parameters of a generic function or method with what they stand for.
    pub(crate) fn type_env(&mut self, obj: ObjId, targs: &[TypeId]) -> TypeEnv {
        if targs.is_empty() {
            return None;
        }
        self.ck.ensure_decl(obj);
        let from = self.ck.all_tparams(obj);
        Some(Rc::new(Instance {
            from,
            to: targs.to_vec(),
            known: Default::default(),
        }))
    }

    /// `t` with the type parameters of an instance replaced.
    pub(crate) fn subst(&mut self, t: TypeId, env: &Instance) -> TypeId {
        if let Some(&n) = env.known.borrow().get(&t) {
            return n;
        }
        let n = self.ck.subst(t, &env.from, &env.to);
        self.ck.process_delayed();
        env.known.borrow_mut().insert(t, n);
        n
    }

    /// The function of the library whose body one without a body has: `os_f` is f of package os, or
    /// of an imported package with that name, exported or not. Go has `//go:linkname` for it.
    fn elsewhere(&mut self, obj: ObjId) -> Option<ObjId> {
        if let Some(body) = self.ck.bound(obj) {
            return Some(body);
        }
        let o = self.ck.obj(obj);
        let (pkg, name) = o.name.as_str().split_once('_')?;
        if !self.ck.pkg(o.pkg?).is_std || self.ck.is_of_tree(o.pkg?) {
            return None;
        }
        let own = self.ck.pkg(o.pkg?);
        let mut imports = own.imports.iter().map(|p| self.ck.pkg(*p));
        let named = imports.find(|p| p.name.as_str() == pkg);
        // It may not have been read yet.
        let path = named.map_or(pkg.to_string(), |p| p.path.clone());
        let pkg = self.ck.import_package(&path).ok()?;
        let body = self.ck.find_in_package(pkg, Symbol::new(name))?;
        self.ck.ensure_decl(body);
        Some(body)
    }

    /// The function whose body one has in place of its own: those of a package that knows how Go
    /// lays out interfaces.
    pub(crate) fn replaced(&mut self, obj: ObjId) -> Option<ObjId> {
        match self.ck.obj(obj).pkg {
            Some(pkg) if self.ck.is_of_tree(pkg) => self.ck.bound(obj),
            _ => None,
        }
    }

    /// `f`, `T.M` or `(*T).M`.
    pub fn method_name(&self, obj: ObjId) -> String {
        let o = self.ck.obj(obj);
        let recv = self.ck.sig(o.ty).and_then(|s| s.recv);
        let Some(recv) = recv else {
            return o.name.to_string();
        };
        let t = self.ck.obj(recv).ty;
        let (t, ptr) = match self.ck.deref(t) {
            Some(e) => (e, true),
            None => (t, false),
        };
        let name = match self.ck.types.get(self.ck.unalias(t)) {
            Type::Named(n) => {
                let generic = !n.targs.is_empty() || !n.tparams.is_empty();
                format!(
                    "{}{}",
                    self.ck.obj(n.obj).name,
                    if generic { "[...]" } else { "" }
                )
            }
            _ => "?".into(),
        };
        if ptr {
            format!("(*{name}).{}", o.name)
        } else {
            format!("{name}.{}", o.name)
        }
    }

    /// The name of a declared function or method as Go prints it.
    fn decl_name(&self, obj: ObjId, is_instance: bool) -> String {
        let prefix = self.ck.obj(obj).pkg.map(|p| self.pkg_prefix(p));
        let mut name = format!("{}.{}", prefix.unwrap_or_default(), self.method_name(obj));
        if is_instance && !name.contains("[...]") {
            name.push_str("[...]");
        }
        name
    }

    fn compile_decl(&mut self, index: u32, obj: ObjId, env: TypeEnv) {
        if env.is_none()
            && let Some(number) = self.objects.find(obj)
        {
            return self.compile_object(index, number);
        }
        if self.ck.pkg(self.ck.obj(obj).pkg.unwrap_or(PkgId(0))).is_std {
            self.ck.ensure_body(obj);
            if self.is_wrong() {
                return;
            }
        }
        let o = self.ck.obj(obj).clone();
        let origin = self.ck.objs.func(obj).and_then(|f| f.origin).unwrap_or(obj);
        let Some(decl) = self.ck.declaration(origin) else {
            self.unsupported(o.pos, format!("call of {}, which has no body", o.name));
            return;
        };
        let Some(pkg) = o.pkg else { return };
        let mut name = self.decl_name(obj, env.is_some());
        if decl.name.name.as_str() == "init" && decl.recv.is_none() {
            let n = self
                .ck
                .pkg(pkg)
                .inits
                .iter()
                .position(|i| *i == obj)
                .unwrap_or(0);
            name = format!("{}.init.{n}", self.pkg_prefix(pkg));
        }
        if decl.body.is_none() {
            if self.native_of(origin).is_some() {
                self.compile_native_stub(index, name, obj, origin);
            } else if let Some(body) = self.elsewhere(origin) {
                self.compile_decl(index, body, env);
            } else {
                let what = format!("{}.{}", self.ck.pkg(pkg).path, self.method_name(origin));
                self.unsupported(o.pos, what);
            }
            return;
        }
        if let Some(body) = self.replaced(origin) {
            return self.compile_decl(index, body, env);
        }
        // The library says so where a function is as invisible as what the compiler makes, or gives
        // away a lock of its caller's.
        let is_std = self.ck.pkg(pkg).is_std;
        let says = |word: &str| is_std && decl.pragmas.iter().any(|p| p == word);
        let wrapper = if says("wrapper") { bfunc::WRAPPER } else { 0 };
        let relocks = if says("relocks") { bfunc::RELOCKS } else { 0 };
        let flags = wrapper | relocks;
        Fun::declared(self, index, name, flags, obj, decl, env);
    }

    /// Notes that a standard package is in use.
    pub(crate) fn std_package(&mut self, pkg: PkgId) {
        if self.ck.pkg(pkg).is_std {
            self.std_pkgs.insert(pkg);
            self.note(|| Need::Package(pkg));
        }
    }

    /// Notes that methods of this name are called through interfaces.
    pub(crate) fn method_is_live(&mut self, name: Symbol) {
        self.note(|| Need::Live(name));
        if self.live_methods.insert(name)
            && let Some(jobs) = self.dormant.remove(&name)
        {
            self.work.extend(jobs);
        }
    }

    /// Queues a body now, or when a method of that name is called through an interface.
    fn queue_method(&mut self, name: Symbol, index: u32, job: Job) {
        if self.live_methods.contains(&name) || self.rtypes.reflects_bodies(name) {
            self.work.push((index, job));
        } else {
            self.dormant.entry(name).or_default().push((index, job));
        }
    }

    // Expressions.

    /// May evaluating `e` reach a safepoint or use the window?
    /// Conversions and most builtins do not.
    pub(crate) fn is_complex(&mut self, e: &ast::Expr) -> bool {
        self.effect(e) == Effect::Calls
    }

    /// May evaluating `e` change what others read?
    pub(crate) fn has_effect(&mut self, e: &ast::Expr) -> bool {
        self.effect(e) != Effect::None
    }

    /// What evaluating `e` may do to others.
    fn effect(&mut self, e: &ast::Expr) -> Effect {
        let i = e.id.0 as usize;
        if self.effects.len() <= i {
            self.effects.resize(NodeId::limit() as usize, None);
        }
        if let Some(known) = self.effects[i] {
            return known;
        }
        let found = self.find_effect(e);
        self.effects[i] = Some(found);
        found
    }

    fn find_effect(&mut self, e: &ast::Expr) -> Effect {
        use ast::ExprKind as E;
        let mut e = e;
        let mut most = Effect::None;
        loop {
            if most == Effect::Calls || self.ck.info.value_of(e).is_some() {
                return most;
            }
            match &e.kind {
                E::Binary { x, y, .. } => {
                    most = most.max(self.effect(y));
                    e = x;
                }
                E::Paren(x) | E::Star(x) | E::TypeAssert { x, .. } => e = x,
                E::Selector { x, .. } => {
                    let base = match &x.kind {
                        E::Name(_) => self.ck.info.object(x.id),
                        _ => None,
                    };
                    let is_package = |o| matches!(self.ck.obj(o).kind, ObjKind::PkgName { .. });
                    if base.is_some_and(is_package) {
                        return most;
                    }
                    e = x;
                }
                E::Unary { op, x } => {
                    if *op == ast::UnOp::Recv {
                        return Effect::Calls;
                    }
                    e = x;
                }
                E::Index { x, indices } => {
                    most = most.max(self.effect_of_all(indices));
                    e = x;
                }
                E::Slice { x, lo, hi, max, .. } => {
                    for i in [lo, hi, max].into_iter().flatten() {
                        most = most.max(self.effect(i));
                    }
                    e = x;
                }
                E::CompositeLit { elems, .. } => return most.max(self.effect_of_all(elems)),
                E::KeyValue { key, value } => {
                    most = most.max(self.effect(key));
                    e = value;
                }
                E::Call { fun, args, .. } => {
                    let own = match self.ck.info.is_type(fun) {
                        true => Effect::None,
                        false => self.effect_of_call(fun),
                    };
                    return most.max(own).max(self.effect_of_all(args));
                }
                _ => return most,
            }
        }
    }

    fn effect_of_all(&mut self, list: &[ast::Expr]) -> Effect {
        let all = list.iter().map(|e| self.effect(e));
        all.max().unwrap_or(Effect::None)
    }

    fn effect_of_call(&self, fun: &ast::Expr) -> Effect {
        use types::Builtin as B;
        match self.builtin_of(fun) {
            None | Some(B::Panic | B::Recover | B::Print | B::Println | B::Close) => Effect::Calls,
            Some(B::Append | B::Copy | B::Clear | B::Delete) => Effect::Writes,
            Some(_) => Effect::None,
        }
    }

    /// The underlying type of an expression's recorded type.
    pub(crate) fn under_type_of(&self, e: &ast::Expr) -> Option<&Type> {
        let tv = self.ck.info.get(e.id)?;
        Some(self.ck.under_type(tv.ty))
    }

    /// What a type whose underlying type is a pointer points to.
    pub(crate) fn pointee(&self, t: TypeId) -> Option<TypeId> {
        match self.ck.under_type(t) {
            Type::Pointer(e) => Some(*e),
            _ => None,
        }
    }

    /// What is called or evaluated, without parentheses; of a method without its type arguments.
    pub(crate) fn method_selector<'e>(&self, e: &'e ast::Expr) -> &'e ast::Expr {
        let e = e.unparen();
        if let ast::ExprKind::Index { x, .. } = &e.kind
            && self
                .selection(x.unparen())
                .is_some_and(|s| s.kind != types::SelectionKind::FieldVal)
        {
            return x.unparen();
        }
        e
    }

    /// The selection recorded at a selector expression.
    pub(crate) fn selection(&self, e: &ast::Expr) -> Option<&Selection> {
        self.ck.info.selections.get(&e.id)
    }
}

/// What evaluating an expression may do to others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Effect {
    None,
    /// It writes to memory.
    Writes,
    /// It may call functions, wait, and use the window.
    Calls,
}

/// Is a type argument so large that only an endless instantiation can have made it?
/// Counts type constructors.
fn is_endless(type_string: &str) -> bool {
    const MANY: usize = 1000;
    let constructors = |b: &u8| matches!(b, b'[' | b'*' | b'(' | b'{');
    type_string.len() > MANY && type_string.bytes().filter(|b| constructors(b)).count() > MANY
}
