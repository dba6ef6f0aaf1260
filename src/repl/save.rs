//! A session as a program that stands alone.
//!
//! Variables stand at package level and are assigned in `main`, where the statements follow in
//! the order in which they were typed. What has lost its name to a later declaration is called
//! `x_1`; functions that were declared again are variables, assigned anew. What was typed for its
//! value only is left out.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write;
use syntax::ast::print::{body_string, decl_string, value_string};
use syntax::ast::{Decl, File, FuncDecl, NodeId, StmtKind, Symbol};
use types::session::Step;
use types::{Checker, ObjId, ObjKind, PkgId, Type, TypeId};
use vm::prompt::Ended;

/// The first line of a saved program.
pub(super) const HEAD: &str = "// Saved from a session of gosched.\n";

/// A step that has been loaded.
pub(super) struct Kept {
    /// The input that it is of, and which of the units that were run one after another.
    pub input: u32,
    pub unit: u32,
    pub files: Vec<&'static File>,
    pub step: Step,
    pub what: What,
    /// What has become of its unit; `None`: it runs on, or was left to itself.
    pub ended: Option<Ended>,
}

/// What a step is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum What {
    /// It was typed.
    Own,
    /// It declares `it`.
    Value,
    /// It shows `it`.
    Echo,
}

/// The steps as a program.
pub(super) fn program(ck: &Checker, pkg: PkgId, kept: &[Kept]) -> String {
    let mut program = Program {
        ck,
        pkg,
        firsts: HashMap::new(),
        variables: HashSet::new(),
        unused: HashSet::new(),
        last: HashMap::new(),
        names: HashMap::new(),
        methods: HashMap::new(),
        imports: RefCell::default(),
        seen: RefCell::default(),
        top: Vec::new(),
    };
    program.relate(kept);
    let is_wanted = program.choose(kept);
    program.give_names(kept);
    let mut main = String::new();
    let mut written = HashSet::new();
    let steps: Vec<&Kept> = kept
        .iter()
        .zip(is_wanted)
        .filter(|k| k.1)
        .map(|k| k.0)
        .collect();
    for unit in steps.chunk_by(|a, b| (a.input, a.unit) == (b.input, b.unit)) {
        let mut lines = String::new();
        for kept in unit {
            program.step(kept, &mut written, &mut lines);
        }
        main += &match unit[0].ended {
            _ if lines.is_empty() => String::new(),
            Some(Ended::Returned) => lines,
            Some(Ended::Panicked) => {
                let lines = lines.replace("\n\t", "\n\t\t");
                format!("\n\tfunc() {{\n\t\tdefer func() {{ recover() }}(){lines}\n\t}}()")
            }
            _ => lines.replace("\n\t", "\n\t// It did not end: "),
        };
    }
    program.text(&main)
}

/// Has the type of a method parameters?
fn has_parameters(ck: &Checker, t: Option<TypeId>) -> bool {
    t.is_some_and(|t| matches!(ck.types.get(t), Type::Named(n) if !n.tparams.is_empty()))
}

struct Program<'s> {
    ck: &'s Checker,
    pkg: PkgId,
    /// The first object of those that share memory or entry, by the others.
    firsts: HashMap<ObjId, ObjId>,
    /// Functions and methods that call variables, by their first objects.
    variables: HashSet<ObjId>,
    /// What steps declare as `it` and nothing uses.
    unused: HashSet<ObjId>,
    /// The last object of those that share an entry, by the first.
    last: HashMap<ObjId, ObjId>,
    /// By the first objects.
    names: HashMap<ObjId, String>,
    /// The variables of methods, by the first objects.
    methods: HashMap<ObjId, String>,
    imports: RefCell<BTreeMap<String, (PkgId, String)>>,
    /// The words of the text, and the objects that they denote.
    seen: RefCell<(HashSet<String>, HashSet<ObjId>)>,
    top: Vec<String>,
}

impl Program<'_> {
    fn first(&self, obj: ObjId) -> ObjId {
        self.firsts.get(&obj).copied().unwrap_or(obj)
    }

    /// Finds what is declared again.
    fn relate(&mut self, kept: &[Kept]) {
        for k in kept {
            for &(new, old) in k.step.shared.iter().chain(&k.step.replacing) {
                let first = self.first(old);
                self.firsts.insert(new, first);
            }
            for &(new, _) in &k.step.replacing {
                let first = self.first(new);
                self.last.insert(first, new);
                let ObjKind::Func(f) = &self.ck.obj(new).kind else {
                    continue;
                };
                if self.ck.all_tparams(new).is_empty() && !has_parameters(self.ck, f.recv_named()) {
                    self.variables.insert(first);
                }
            }
        }
    }

    /// Which steps are written: those that declare `it` only if it is used, or may do something.
    fn choose(&mut self, kept: &[Kept]) -> Vec<bool> {
        let mut unused = HashSet::new();
        let note = |id: NodeId, name: Symbol| {
            let mut seen = self.seen.borrow_mut();
            seen.0.insert(name.to_string());
            seen.1.extend(self.ck.info.object(id));
            None
        };
        let is_wanted = kept.iter().rev().map(|k| {
            let declared = k.step.declared.iter().map(|d| d.0);
            let is_idle = |obj: &ObjId| !self.seen.borrow().1.contains(obj);
            let idle: Vec<ObjId> = declared.filter(is_idle).collect();
            let is_used = idle.len() < k.step.declared.len();
            let acts = |text: &String| text.contains('(') || text.contains("<-");
            let values = k.step.initializers.iter().filter_map(|i| i.rhs);
            let values: Vec<String> = values.map(|e| value_string(e, &|_, _| None)).collect();
            let is_wanted = match k.what {
                What::Own => true,
                What::Echo => false,
                What::Value => is_used || values.iter().any(acts),
            };
            if k.what == What::Value {
                unused.extend(idle);
            }
            if is_wanted {
                k.files
                    .iter()
                    .for_each(|f| _ = decl_string(&f.decls, &note));
            }
            is_wanted
        });
        let mut is_wanted: Vec<bool> = is_wanted.collect();
        is_wanted.reverse();
        self.unused = unused;
        is_wanted
    }

    /// Names what is declared: what can be typed at the end keeps its name.
    fn give_names(&mut self, kept: &[Kept]) {
        let declared = kept
            .iter()
            .flat_map(|k| k.step.declared.iter().map(|d| d.0));
        let mut declared: Vec<ObjId> = declared.collect();
        declared.reverse();
        let predeclared = self.ck.predeclared().into_iter();
        let mut taken: HashSet<String> = predeclared.map(|name| name.to_string()).collect();
        taken.extend(["main".to_string(), "init".to_string()]);
        for obj in declared {
            let first = self.first(obj);
            let name = self.ck.obj(obj).name;
            if name.is_blank() || name.as_str().contains('·') || self.names.contains_key(&first) {
                continue;
            }
            let name = self.free_name(name.as_str(), &taken);
            taken.insert(name.clone());
            self.names.insert(first, name);
        }
        self.seen.borrow_mut().0.extend(taken);
    }

    /// The name, or one made of it that is not taken and stands nowhere else.
    fn free_name(&self, name: &str, taken: &HashSet<String>) -> String {
        if !taken.contains(name) {
            return name.into();
        }
        let seen = self.seen.borrow();
        let made = (1..).map(|n| format!("{name}_{n}"));
        let mut free = made.filter(|name| !taken.contains(name) && !seen.0.contains(name));
        free.next().unwrap_or_default()
    }

    /// The name under which a package is imported.
    fn import(&self, pkg: PkgId, name: &str) -> String {
        let path = self.ck.pkg(pkg).path.to_string();
        let mut imports = self.imports.borrow_mut();
        if let Some((_, name)) = imports.get(&path) {
            return name.clone();
        }
        let mut taken: HashSet<String> = self.names.values().cloned().collect();
        taken.extend(imports.values().map(|i| i.1.clone()));
        let name = self.free_name(name, &taken);
        imports.insert(path, (pkg, name.clone()));
        name
    }

    /// What a name of the session's text is called.
    fn called(&self, id: NodeId) -> Option<String> {
        let obj = self.ck.info.object(id)?;
        match &self.ck.obj(obj).kind {
            ObjKind::PkgName { imported, .. } => {
                Some(self.import(*imported, self.ck.obj(obj).name.as_str()))
            }
            _ => self
                .names
                .get(&self.first(obj))
                .cloned()
                .or_else(|| self.foreign(obj)),
        }
    }

    /// The qualified name of what another package has declared.
    fn foreign(&self, obj: ObjId) -> Option<String> {
        let o = self.ck.obj(obj);
        let pkg = o.pkg.filter(|pkg| *pkg != self.pkg)?;
        let package = self.ck.pkg(pkg);
        (o.parent == Some(package.scope)).then(|| {
            let import = self.import(pkg, &package.name.to_string());
            format!("{import}.{}", o.name)
        })
    }

    fn type_text(&self, t: TypeId) -> String {
        self.ck.type_string_named(t, &|obj| {
            let own = self.names.get(&self.first(obj)).cloned();
            let is_own = self.ck.obj(obj).pkg == Some(self.pkg);
            let local = || is_own.then(|| self.ck.obj(obj).name.to_string());
            own.or_else(|| self.foreign(obj)).or_else(local)
        })
    }

    /// Writes what a step declares, and what it does into `main`.
    fn step(&mut self, kept: &Kept, written: &mut HashSet<ObjId>, main: &mut String) {
        for file in &kept.files {
            let group = |d: &Decl| match d {
                Decl::Const(c) => Some(c.group),
                _ => None,
            };
            let is_group = |a: &Decl, b: &Decl| group(a).is_some() && group(a) == group(b);
            for decls in file.decls.chunk_by(is_group) {
                match &decls[0] {
                    Decl::Import(_) => {}
                    Decl::Const(_) | Decl::Type(_) => self.declare(decls),
                    Decl::Var(spec) => {
                        for name in &spec.names {
                            let obj = self.ck.info.object(name.id);
                            let first = obj
                                .filter(|o| !self.unused.contains(o))
                                .map(|o| self.first(o));
                            let Some(first) = first.filter(|o| written.insert(*o)) else {
                                continue;
                            };
                            if let Some(name) = self.names.get(&first) {
                                let ty = self.type_text(self.ck.obj(first).ty);
                                self.top.push(format!("var {name} {ty}"));
                            }
                        }
                    }
                    Decl::Func(f) if f.recv.is_none() && f.name.name.as_str() == "init" => {}
                    Decl::Func(f) => self.function(f, decls, written, main),
                }
            }
        }
        for initializer in &kept.step.initializers {
            let Some(value) = initializer.rhs else {
                continue;
            };
            let name = |obj: &ObjId| {
                let name = self.names.get(&self.first(*obj));
                name.filter(|_| !self.unused.contains(obj))
                    .map_or("_", |n| n.as_str())
            };
            let names: Vec<&str> = initializer.lhs.iter().map(name).collect();
            let value = value_string(value, &|id, _| self.called(id));
            let _ = write!(main, "\n\t{} = {value}", names.join(", "));
        }
        for file in &kept.files {
            for decl in &file.decls {
                if let Decl::Func(f) = decl
                    && f.recv.is_none()
                    && f.name.name.as_str() == "init"
                {
                    self.statements(f, main);
                }
            }
        }
    }

    fn declare(&mut self, decls: &[Decl]) {
        let text = decl_string(decls, &|id, _| self.called(id));
        self.top.push(text);
    }

    /// A function. What was declared more than once calls a variable.
    fn function(
        &mut self,
        f: &FuncDecl,
        decls: &[Decl],
        written: &mut HashSet<ObjId>,
        main: &mut String,
    ) {
        let Some(obj) = self.ck.info.object(f.name.id) else {
            return;
        };
        let first = self.first(obj);
        if !self.variables.contains(&first) {
            if self.last.get(&first).is_none_or(|last| *last == obj) {
                self.declare(decls);
            }
            return;
        }
        let text = decl_string(decls, &|id, _| self.called(id));
        let ty = self.type_text(self.ck.obj(first).ty);
        let name = self.names.get(&first).cloned().unwrap_or_default();
        if f.recv.is_none() {
            let text = text.replacen(&format!("func {name}"), "func", 1);
            if written.insert(first) {
                self.top.push(format!("var {name} {ty}"));
            }
            let _ = write!(main, "\n\t{name} = {}", text.replace('\n', "\n\t"));
            return;
        }
        // A method's variable makes of the receiver the function that is called.
        let head = format!(") {}(", f.name.name);
        let Some((receiver, rest)) = text.split_once(&head) else {
            return;
        };
        let receiver = receiver.trim_start_matches("func (");
        let base = receiver.rsplit(' ').next().unwrap_or(receiver);
        if written.insert(first) {
            let plain = format!("{}_{}", base.trim_start_matches('*'), f.name.name);
            let variable = self.free_name(&plain, &self.seen.borrow().0);
            let wrapper = self.wrapper(first, base, f.name.name, &variable);
            self.top.push(format!("var {variable} func({base}) {ty}"));
            self.top.push(wrapper);
            self.seen.borrow_mut().0.insert(variable.clone());
            self.methods.insert(first, variable);
        }
        let variable = self.methods.get(&first).cloned().unwrap_or_default();
        let body = rest.replace('\n', "\n\t\t");
        let _ = write!(
            main,
            "\n\t{variable} = func({receiver}) {ty} {{\n\t\treturn func({body}\n\t}}"
        );
    }

    /// The method that calls what its variable makes of the receiver.
    fn wrapper(&self, method: ObjId, base: &str, name: Symbol, variable: &str) -> String {
        let Type::Signature(sig) = self.ck.types.get(self.ck.obj(method).ty) else {
            return String::new();
        };
        let types = |objs: &[ObjId]| -> Vec<String> {
            let ty = |o: &ObjId| self.type_text(self.ck.obj(*o).ty);
            objs.iter().map(ty).collect()
        };
        let (mut params, mut args) = (Vec::new(), Vec::new());
        for (i, ty) in types(&sig.params).into_iter().enumerate() {
            let is_rest = sig.variadic && i + 1 == sig.params.len();
            match ty.strip_prefix("[]").filter(|_| is_rest) {
                Some(elem) => params.push(format!("p{i} ...{elem}")),
                None => params.push(format!("p{i} {ty}")),
            }
            args.push(format!("p{i}{}", if is_rest { "..." } else { "" }));
        }
        let results = match &types(&sig.results)[..] {
            [] => String::new(),
            [one] => format!(" {one}"),
            several => format!(" ({})", several.join(", ")),
        };
        let back = if results.is_empty() { "" } else { "return " };
        let (params, args) = (params.join(", "), args.join(", "));
        let head = format!("func (r {base}) {name}({params}){results}");
        format!("{head} {{\n\t{back}{variable}(r)({args})\n}}")
    }

    /// The statements of a function `init`.
    fn statements(&self, f: &FuncDecl, main: &mut String) {
        let stmts = f.body.as_ref().map_or(&[][..], |body| &body.stmts);
        let text = body_string(stmts, &|id, _| self.called(id));
        let is_labeled = stmts
            .iter()
            .any(|s| matches!(s.kind, StmtKind::Labeled { .. }));
        let declares = stmts
            .iter()
            .any(|s| matches!(s.kind, StmtKind::Define { .. } | StmtKind::Decl(_)));
        // These are about the function that they stand in.
        let is_about_function = text.contains("return") || text.contains("defer");
        if is_labeled || declares || is_about_function {
            let text = text.replace('\n', "\n\t");
            let _ = write!(main, "\n\tfunc() {{{text}\n\t}}()");
        } else {
            main.push_str(&text);
        }
    }

    fn text(&self, main: &str) -> String {
        let mut out = format!("{HEAD}package main\n");
        let lines = self.top.iter().flat_map(|d| d.lines()).chain(main.lines());
        let is_code = |line: &&str| !line.trim_start().starts_with("//");
        let code: Vec<&str> = lines.filter(is_code).collect();
        for (path, (pkg, name)) in self.imports.borrow().iter() {
            let qualifier = format!("{name}.");
            if !code.iter().any(|line| line.contains(&qualifier)) {
                continue;
            }
            let is_own = self.ck.pkg(*pkg).name.as_str() == name;
            let name = if is_own {
                String::new()
            } else {
                format!("{name} ")
            };
            let _ = write!(out, "\nimport {name}{path:?}");
        }
        for decl in &self.top {
            let _ = write!(out, "\n\n{decl}");
        }
        let _ = write!(out, "\n\nfunc main() {{{main}\n}}\n");
        out
    }
}
