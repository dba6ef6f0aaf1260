//! Export data: what a checker knows of packages, written out, and read by checkers of other
//! processes, piece by piece.
//!
//! Types, objects and packages keep their numbers, which are the first ones of a checker that
//! reads them: so nothing has to be found by its name, and one is read when it is first asked for.
//! Names and positions are numbers too (see [`source::snapshot`]). What only checking wants is left
//! out: declarations, trees, scopes of functions.
//!
//! # Invariants
//!
//! - E1. What is written out is complete (types::T1) and without errors.
//!
//! Go: cmd/compile/internal/importer (ureader.go), internal/pkgbits.

use super::*;
use rustc_hash::FxHashSet;
use serde::de::DeserializeOwned;
use source::records::{Records, Writer};
use std::cell::OnceCell;

/// Values that are named by their numbers; grows only. The first ones may be from export data.
pub(super) struct List<T> {
    records: Records<'static>,
    /// Of the records those that have been read, by rows.
    rows: Vec<OnceCell<Box<[OnceCell<T>; ROW]>>>,
    own: Vec<T>,
}

/// Values that are made room for when the first of them is read.
const ROW: usize = 16;

impl<T> Default for List<T> {
    fn default() -> List<T> {
        Vec::new().into()
    }
}

impl<T> From<Vec<T>> for List<T> {
    fn from(own: Vec<T>) -> List<T> {
        List {
            records: Records::default(),
            rows: Vec::new(),
            own,
        }
    }
}

impl<T> List<T> {
    /// How many are from export data.
    pub(super) fn n_exported(&self) -> u32 {
        self.records.len()
    }

    pub(super) fn push(&mut self, value: T) -> u32 {
        let i = self.len();
        self.own.push(value);
        i
    }

    pub(super) fn len(&self) -> u32 {
        self.records.len() + self.own.len() as u32
    }

    /// The numbers of those that are not from export data.
    pub(super) fn own(&self) -> std::ops::Range<u32> {
        self.records.len()..self.len()
    }
}

impl<T: DeserializeOwned> List<T> {
    fn exported(records: Records<'static>) -> List<T> {
        let rows = records.len().div_ceil(ROW as u32);
        List {
            records,
            rows: (0..rows).map(|_| OnceCell::new()).collect(),
            own: Vec::new(),
        }
    }

    pub(super) fn get(&self, i: u32) -> &T {
        match i.checked_sub(self.records.len()) {
            Some(own) => &self.own[own as usize],
            None => self.cell(i).get_or_init(|| decode(self.records.get(i))),
        }
    }

    pub(super) fn get_mut(&mut self, i: u32) -> &mut T {
        if let Some(own) = i.checked_sub(self.records.len()) {
            return &mut self.own[own as usize];
        }
        self.get(i);
        let row = self.rows[i as usize / ROW].get_mut();
        let cell = row.and_then(|row| row[i as usize % ROW].get_mut());
        cell.expect("it was read just now")
    }

    fn cell(&self, i: u32) -> &OnceCell<T> {
        let row =
            self.rows[i as usize / ROW].get_or_init(|| Box::new([const { OnceCell::new() }; ROW]));
        &row[i as usize % ROW]
    }
}

fn decode<T: DeserializeOwned>(record: &[u8]) -> T {
    postcard::from_bytes(record).expect("export data are as they were written")
}

fn encode<T: Serialize>(value: &T) -> Vec<u8> {
    postcard::to_stdvec(value).expect("what is exported can be written")
}

/// The type set of an interface, if it is known: that of `comparable` follows from nothing else.
pub(super) mod type_set {
    use super::super::TypeSet;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::cell::OnceCell;
    use std::rc::Rc;

    type Known = OnceCell<Rc<TypeSet>>;

    pub(in super::super) fn serialize<S: Serializer>(
        set: &Known,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        set.get().map(|set| &**set).serialize(to)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Known, D::Error> {
        let set = Option::<TypeSet>::deserialize(from)?;
        Ok(set.map_or(OnceCell::new(), |set| Rc::new(set).into()))
    }
}

/// What scopes of packages declare, and the universe.
#[derive(Clone, Copy, Default)]
pub(super) struct Scopes {
    /// By the number of a scope: symbols and objects in pairs of 32 bits, in order of the symbols.
    names: Records<'static>,
}

impl Scopes {
    pub(super) fn len(&self) -> u32 {
        self.names.len()
    }

    pub(super) fn lookup(&self, scope: ScopeId, name: Symbol) -> Option<ObjId> {
        let pairs = self.pairs(scope);
        let i = pairs.binary_search_by_key(&name, |pair| Symbol(number(pair[0])));
        i.ok().map(|i| ObjId(number(pairs[i][1])))
    }

    pub(super) fn names(&self, scope: ScopeId) -> impl Iterator<Item = (Symbol, ObjId)> {
        let pairs = self.pairs(scope).iter();
        pairs.map(|[name, obj]| (Symbol(number(*name)), ObjId(number(*obj))))
    }

    fn pairs(&self, scope: ScopeId) -> &'static [[[u8; 4]; 2]] {
        self.names.get(scope.0).as_chunks().0.as_chunks().0
    }
}

fn number(bytes: [u8; 4]) -> u32 {
    u32::from_le_bytes(bytes)
}

/// The parts of export data.
#[derive(Clone, Copy)]
pub(super) struct Parts {
    types: Records<'static>,
    objs: Records<'static>,
    scopes: Records<'static>,
    packages: Records<'static>,
    /// The paths of packages, in order, and their numbers in the same order.
    paths: Records<'static>,
    by_path: Records<'static>,
    /// The functions with trees, in order, and the trees in the same order.
    with_trees: Records<'static>,
    trees: Records<'static>,
    /// One record: the packages in the order of their initialisation.
    order: Records<'static>,
    /// By the number of a package the initialisers of its variables: see [`Initializers`].
    initializers: Records<'static>,
}

impl Parts {
    fn of(mut bytes: &'static [u8]) -> Option<Parts> {
        let mut take = || Records::take(&mut bytes);
        Some(Parts {
            types: take()?,
            objs: take()?,
            scopes: take()?,
            packages: take()?,
            paths: take()?,
            by_path: take()?,
            with_trees: take()?,
            trees: take()?,
            order: take()?,
            initializers: take()?,
        })
    }
}

/// Packages by their import paths.
#[derive(Clone, Copy, Default)]
pub(super) struct Paths {
    paths: Records<'static>,
    packages: Records<'static>,
}

impl Paths {
    pub(super) fn find(&self, path: &str) -> Option<PkgId> {
        let (mut low, mut high) = (0, self.paths.len());
        while low < high {
            let middle = low.midpoint(high);
            match self.paths.get(middle).cmp(path.as_bytes()) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Some(decode(self.packages.get(middle))),
            }
        }
        None
    }
}

/// The trees of functions.
#[derive(Clone, Copy, Default)]
pub(super) struct Trees {
    /// One record: the numbers of the functions, in order.
    functions: Records<'static>,
    trees: Records<'static>,
}

impl Trees {
    fn find(&self, obj: ObjId) -> Option<&'static [u8]> {
        if self.functions.is_empty() {
            return None;
        }
        let (functions, _) = self.functions.get(0).as_chunks();
        let i = functions
            .binary_search_by_key(&obj.0, |n| number(*n))
            .ok()?;
        Some(self.trees.get(i as u32))
    }
}

/// How variables are initialised.
#[derive(Default)]
pub(super) struct Initial {
    order: Records<'static>,
    by_package: Records<'static>,
}

/// Of a package, in order of execution: the variables of each initialiser.
type Initializers = Vec<Vec<ObjId>>;

/// A declared function with what the checker has found out about it. Nodes are
/// numbers in its tree.
#[derive(Serialize, Deserialize)]
struct Tree {
    tree: Vec<u8>,
    nodes: u32,
    types: Vec<(u32, TypeAndValue)>,
    uses: Vec<(u32, ObjId)>,
    defs: Vec<(u32, ObjId)>,
    implicits: Vec<(u32, ObjId)>,
    selections: Vec<(u32, Selection)>,
    instances: Vec<(u32, (Vec<TypeId>, TypeId))>,
    captures: Vec<(u32, Vec<ObjId>)>,
}

impl Tree {
    fn write(tree: &ast::FuncDecl, info: &Info) -> Tree {
        fn rows<T: Clone>(ids: &[NodeId], of: impl Fn(NodeId) -> Option<T>) -> Vec<(u32, T)> {
            let ids = ids.iter().enumerate();
            ids.filter_map(|(i, id)| Some((i as u32, of(*id)?)))
                .collect()
        }
        let (tree, ids) = ast::write(tree);
        Tree {
            tree,
            nodes: ids.len() as u32,
            types: rows(&ids, |id| info.get(id).cloned()),
            uses: rows(&ids, |id| info.uses.get(&id).copied()),
            defs: rows(&ids, |id| info.defs.get(&id).copied()),
            implicits: rows(&ids, |id| info.implicits.get(&id).copied()),
            selections: rows(&ids, |id| info.selections.get(&id).cloned()),
            instances: rows(&ids, |id| info.instances.get(&id).cloned()),
            captures: rows(&ids, |id| info.captures.get(&id).cloned()),
        }
    }

    /// The tree; what is known of it goes to `info`.
    fn read(self, info: &mut Info) -> &'static ast::FuncDecl {
        let read = ast::read(&self.tree, self.nodes);
        let (tree, first) = read.expect("export data are as they were written");
        let id = |n: u32| NodeId(first.0 + n);
        let end = id(self.nodes).0 as usize;
        if info.types.len() < end {
            info.types.resize(end, None);
        }
        for (n, found) in self.types {
            info.types[id(n).0 as usize] = Some(found);
        }
        info.uses
            .extend(self.uses.into_iter().map(|(n, x)| (id(n), x)));
        info.defs
            .extend(self.defs.into_iter().map(|(n, x)| (id(n), x)));
        info.implicits
            .extend(self.implicits.into_iter().map(|(n, x)| (id(n), x)));
        info.selections
            .extend(self.selections.into_iter().map(|(n, x)| (id(n), x)));
        info.instances
            .extend(self.instances.into_iter().map(|(n, x)| (id(n), x)));
        info.captures
            .extend(self.captures.into_iter().map(|(n, x)| (id(n), x)));
        Box::leak(Box::new(tree))
    }
}

impl Program {
    /// Is the function declared without a body?
    pub fn is_bodiless(&self, func: ObjId) -> bool {
        let func = self.objs.func(func);
        func.is_some_and(|f| f.decl.map_or(f.is_bodiless, |d| d.body.is_none()))
    }

    /// The declaration of a function, if it has one here: of those from export data, if its tree
    /// was written ([`Checker::export`]).
    pub fn declaration(&mut self, func: ObjId) -> Option<&'static ast::FuncDecl> {
        let known = self.objs.func(func)?.decl;
        if known.is_some() || func.0 >= self.objs.list.n_exported() {
            return known;
        }
        let tree: Tree = decode(self.exported_trees.find(func)?);
        let declaration = tree.read(&mut self.info);
        if let ObjKind::Func(f) = &mut self.objs.get_mut(func).kind {
            f.decl = Some(declaration);
        }
        Some(declaration)
    }

    /// As [`Checker::std_init_order`], of the packages that were read in.
    pub(super) fn exported_init_order(
        &mut self,
        wanted: &FxHashSet<PkgId>,
        used: &FxHashSet<ObjId>,
    ) -> Vec<(PkgId, Vec<Initializer>)> {
        let mut out = Vec::new();
        if self.initial.order.is_empty() {
            return out;
        }
        let mut order: Vec<PkgId> = decode(self.initial.order.get(0));
        order.retain(|p| wanted.contains(p));
        for pkg in order {
            let mut list: Initializers = decode(self.initial.by_package.get(pkg.0));
            list.retain(|lhs| lhs.iter().any(|v| used.contains(v)));
            let list = list.into_iter();
            let list = list.map(|lhs| Initializer { lhs, rhs: None });
            out.push((pkg, list.collect()));
        }
        out
    }

    /// A program that has what [`Checker::export`] has written.
    pub(super) fn exported(bytes: &'static [u8]) -> Program {
        let parts = Parts::of(bytes).expect("export data");
        let mut program = Program {
            packages: List::exported(parts.packages),
            exported_paths: Paths {
                paths: parts.paths,
                packages: parts.by_path,
            },
            exported_trees: Trees {
                functions: parts.with_trees,
                trees: parts.trees,
            },
            initial: Initial {
                order: parts.order,
                by_package: parts.initializers,
            },
            ..Program::default()
        };
        program.types.list = List::exported(parts.types);
        program.objs.list = List::exported(parts.objs);
        program.scopes.exported = Scopes {
            names: parts.scopes,
        };
        program
    }
}

impl Checker {
    /// Writes out all that is known of the packages that have been loaded, for a checker of another
    /// process: see [`Checker::with_exported`]. Of the functions for which `has_tree` is true what
    /// is needed to compile them goes with it.
    pub fn export(&mut self, has_tree: impl Fn(ObjId) -> bool) -> Vec<u8> {
        // Scopes that have names: the universe's, then the packages'.
        let order: Vec<PkgId> = (0..self.packages.len()).map(PkgId).collect();
        let mut scope_of: FxHashMap<ScopeId, ScopeId> = FxHashMap::default();
        scope_of.insert(ScopeId::UNIVERSE, ScopeId::UNIVERSE);
        for (i, &pkg) in order.iter().enumerate() {
            scope_of.insert(self.pkg(pkg).scope, ScopeId(i as u32 + 1));
        }
        let mut out = Vec::new();
        let mut types = Writer::default();
        for i in 0..self.types.list.len() {
            types.push(&encode(self.types.list.get(i)));
        }
        types.write(&mut out);
        let mut objs = Writer::default();
        for i in 0..self.objs.list.len() {
            let mut obj = self.objs.list.get(i).clone();
            obj.parent = obj.parent.and_then(|s| scope_of.get(&s).copied());
            if let ObjKind::Func(f) = &mut obj.kind {
                f.is_bodiless = self.is_bodiless(ObjId(i));
            }
            objs.push(&encode(&obj));
        }
        objs.write(&mut out);
        let mut scopes = Writer::default();
        let of_packages = order.iter().map(|&p| self.pkg(p).scope);
        for scope in std::iter::once(ScopeId::UNIVERSE).chain(of_packages) {
            let mut names = self.scopes.names(scope);
            names.sort_unstable();
            let bytes = names.iter().flat_map(|(name, obj)| [name.0, obj.0]);
            scopes.push(&bytes.flat_map(u32::to_le_bytes).collect::<Vec<u8>>());
        }
        scopes.write(&mut out);
        let mut packages = Writer::default();
        for &p in &order {
            let pkg = self.pkg(p);
            packages.push(&encode(&Package {
                path: pkg.path.clone(),
                name: pkg.name,
                files: Vec::new(),
                scope: scope_of[&pkg.scope],
                imports: pkg.imports.clone(),
                init_order: Vec::new(),
                inits: pkg.inits.clone(),
                effects: pkg.effects.clone(),
                is_std: pkg.is_std,
            }));
        }
        packages.write(&mut out);
        let mut by_path: Vec<(&String, &PkgId)> = self.by_path.iter().collect();
        by_path.sort();
        let (mut paths, mut numbers) = (Writer::default(), Writer::default());
        for (path, pkg) in by_path {
            paths.push(path.as_bytes());
            numbers.push(&encode(pkg));
        }
        paths.write(&mut out);
        numbers.write(&mut out);
        let (mut functions, mut trees) = (Vec::new(), Writer::default());
        for obj in (0..self.objs.list.len()).map(ObjId) {
            let declaration = self.objs.func(obj).and_then(|f| f.decl);
            if let Some(declaration) = declaration.filter(|_| has_tree(obj)) {
                functions.extend(obj.0.to_le_bytes());
                trees.push(&encode(&Tree::write(declaration, &self.info)));
            }
        }
        let mut with_trees = Writer::default();
        with_trees.push(&functions);
        with_trees.write(&mut out);
        trees.write(&mut out);
        self.export_initializers(&mut out);
        out
    }

    fn export_initializers(&mut self, out: &mut Vec<u8>) {
        let mut order = Writer::default();
        order.push(&encode(&self.package_order()));
        let mut initializers: FxHashMap<PkgId, Vec<Initializer>> =
            self.all_initializers().into_iter().collect();
        let mut by_package = Writer::default();
        for pkg in (0..self.packages.len()).map(PkgId) {
            let list = initializers.remove(&pkg).unwrap_or_default().into_iter();
            let list: Initializers = list.map(|i| i.lhs).collect();
            by_package.push(&encode(&list));
        }
        for part in [order, by_package] {
            part.write(out);
        }
    }

    /// As [`std_init_order`](Checker::std_init_order), of all packages and variables.
    pub fn all_initializers(&mut self) -> Vec<(PkgId, Vec<Initializer>)> {
        let packages = (0..self.packages.len()).map(PkgId).collect();
        let all = (0..self.objs.list.len()).map(ObjId).collect();
        self.std_init_order(&packages, &all)
    }

    /// All functions and methods that have declarations here, in the order of their numbers; those
    /// of instances apart.
    pub fn declared_functions(&self) -> Vec<ObjId> {
        let all = (0..self.objs.list.len()).map(ObjId);
        let of = |obj: &ObjId| self.objs.func(*obj);
        let is_declared = |f: &FuncInfo| f.decl.is_some() && f.origin.is_none();
        all.filter(|obj| of(obj).is_some_and(is_declared)).collect()
    }

    /// Resolves and checks all that the loaded packages declare.
    pub fn complete_all(&mut self) {
        for pkg in self.package_order() {
            self.complete(pkg);
        }
    }

    fn complete(&mut self, pkg: PkgId) {
        let scope = self.pkg(pkg).scope;
        let names = self.scopes.names(scope).into_iter().map(|(_, obj)| obj);
        for obj in names.chain(self.pkg(pkg).inits.clone()) {
            self.ensure_decl(obj);
            match self.obj(obj).kind {
                ObjKind::Func(_) => self.ensure_body(obj),
                ObjKind::Var(_) => self.ensure_var_init(obj),
                ObjKind::TypeName { is_alias: false } => {
                    let Type::Named(named) = self.types.get(self.obj(obj).ty) else {
                        continue;
                    };
                    for method in named.methods.clone() {
                        self.ensure_decl(method);
                        self.ensure_body(method);
                    }
                }
                _ => {}
            }
        }
    }
}
