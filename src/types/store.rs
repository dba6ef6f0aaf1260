//! The stores of types, objects, scopes and packages.
//!
//! Everything the checker makes lives in vectors and is named by an index, so types may be cyclic
//! and the whole is copied, compared and hashed by small integers. Pointer, slice, array, map,
//! channel and tuple types are interned by their parts: the same parts give the same id. (Types
//! that differ only in aliases or parameter names still have different ids, so identity is
//! [`Program::identical`].)
//!
//! Go: go/types (scope.go, package.go), and the constructors of its types.

use super::export::List;
use super::*;
use hashbrown::HashMap;
use rustc_hash::{FxBuildHasher, FxHashSet};
use std::cell::RefCell;

/// Entries that tables have room for from the start: as many as a program makes that imports fmt
/// and little else. Tables that grow to that size step by step are copied each time.
pub(super) const ROOM: usize = 1024;

/// All the checker knows, and the questions one may ask of it. See also the files `predicates`,
/// `lookup`, `sizes`, `typestring`, which add methods.
#[derive(Default)]
pub struct Program {
    pub types: TypeStore,
    pub objs: ObjStore,
    pub scopes: ScopeStore,
    pub(crate) packages: List<Package>,
    /// Packages whose files are known and whose names are declared. Imports of standard packages by
    /// standard packages are loaded when first used.
    pub loaded: FxHashSet<PkgId>,
    pub info: Info,
    /// Import path to package, of those that were not read in.
    pub(crate) by_path: FxHashMap<String, PkgId>,
    pub(super) exported_paths: super::export::Paths,
    pub(super) exported_trees: super::export::Trees,
    pub(super) initial: super::export::Initial,
    /// A package of the program grows while it runs.
    pub(super) is_session: bool,
    /// Types of a session whose names mean something else now, and the number that each has among
    /// what the name has meant.
    pub(super) forgotten: FxHashMap<ObjId, usize>,
    /// Of the language, file by file.
    pub versions: Versions,
    /// Of types with many fields or methods: where the names stand.
    pub(super) names: RefCell<FxHashMap<TypeId, Rc<super::lookup::Names>>>,
}

/// Parts by which a type is interned.
#[derive(PartialEq, Eq, Hash, Clone)]
enum Key {
    Pointer(TypeId),
    Slice(TypeId),
    Array(i64, TypeId),
    Map(TypeId, TypeId),
    Chan(ast::ChanDir, TypeId),
    Tuple(Vec<TypeId>),
}

/// All types; grows only.
pub struct TypeStore {
    pub(super) list: List<Type>,
    interned: HashMap<Key, TypeId, FxBuildHasher>,
}

macro_rules! fixed_types {
    ($($(#[$doc:meta])* $name:ident = $n:expr;)*) => {
        /// The predeclared types.
        impl TypeId {
            $($(#[$doc])* pub const $name: TypeId = TypeId($n);)*
        }
    };
}

fixed_types! {
    INVALID = 0;
    BOOL = 1;
    INT = 2;
    INT8 = 3;
    INT16 = 4;
    INT32 = 5;
    INT64 = 6;
    UINT = 7;
    UINT8 = 8;
    UINT16 = 9;
    UINT32 = 10;
    UINT64 = 11;
    UINTPTR = 12;
    FLOAT32 = 13;
    FLOAT64 = 14;
    COMPLEX64 = 15;
    COMPLEX128 = 16;
    STRING = 17;
    UNSAFE_POINTER = 18;
    UNTYPED_BOOL = 19;
    UNTYPED_INT = 20;
    UNTYPED_RUNE = 21;
    UNTYPED_FLOAT = 22;
    UNTYPED_COMPLEX = 23;
    UNTYPED_STRING = 24;
    UNTYPED_NIL = 25;
    BYTE = 26;
    RUNE = 27;
    /// `interface{}`, unnamed.
    EMPTY_INTERFACE = 28;
    /// The alias `any`.
    ANY = 29;
    /// The named type `error`.
    ERROR = 30;
    /// The named constraint `comparable`.
    COMPARABLE = 31;
    /// No values: the type of a call without results.
    EMPTY_TUPLE = 32;
}

/// The basic types in order of their ids.
pub(super) const BASICS: [Basic; 26] = [
    Basic::Invalid,
    Basic::Bool,
    Basic::Int,
    Basic::Int8,
    Basic::Int16,
    Basic::Int32,
    Basic::Int64,
    Basic::Uint,
    Basic::Uint8,
    Basic::Uint16,
    Basic::Uint32,
    Basic::Uint64,
    Basic::Uintptr,
    Basic::Float32,
    Basic::Float64,
    Basic::Complex64,
    Basic::Complex128,
    Basic::String,
    Basic::UnsafePointer,
    Basic::UntypedBool,
    Basic::UntypedInt,
    Basic::UntypedRune,
    Basic::UntypedFloat,
    Basic::UntypedComplex,
    Basic::UntypedString,
    Basic::UntypedNil,
];

impl Default for TypeStore {
    /// The basic types only; the universe adds `any`, `error`, `comparable`.
    fn default() -> TypeStore {
        let mut list = Vec::with_capacity(ROOM / 2);
        list.extend(BASICS.iter().map(|&b| Type::Basic(b)));
        list.push(Type::Basic(Basic::Uint8));
        list.push(Type::Basic(Basic::Int32));
        list.push(Type::Interface(Box::new(Interface {
            complete: true,
            ..Interface::default()
        })));
        TypeStore {
            list: list.into(),
            interned: HashMap::default(),
        }
    }
}

impl TypeStore {
    /// The type named by `id`.
    pub fn get(&self, id: TypeId) -> &Type {
        self.list.get(id.0)
    }
    pub(super) fn get_mut(&mut self, id: TypeId) -> &mut Type {
        self.list.get_mut(id.0)
    }
    /// Adds a type that is not interned (struct, signature, interface, named, …).
    pub fn add(&mut self, ty: Type) -> TypeId {
        TypeId(self.list.push(ty))
    }
    fn intern(&mut self, key: Key, make: impl FnOnce() -> Type) -> TypeId {
        if let Some(&id) = self.interned.get(&key) {
            return id;
        }
        let id = self.add(make());
        self.interned.insert(key, id);
        id
    }
    pub fn pointer(&mut self, elem: TypeId) -> TypeId {
        self.intern(Key::Pointer(elem), || Type::Pointer(elem))
    }
    pub fn slice(&mut self, elem: TypeId) -> TypeId {
        self.intern(Key::Slice(elem), || Type::Slice(elem))
    }
    pub fn array(&mut self, len: i64, elem: TypeId) -> TypeId {
        self.intern(Key::Array(len, elem), || Type::Array { len, elem })
    }
    pub fn map(&mut self, key: TypeId, value: TypeId) -> TypeId {
        self.intern(Key::Map(key, value), || Type::Map { key, value })
    }
    pub fn chan(&mut self, dir: ast::ChanDir, elem: TypeId) -> TypeId {
        self.intern(Key::Chan(dir, elem), || Type::Chan { dir, elem })
    }
    pub fn tuple(&mut self, types: Vec<TypeId>) -> TypeId {
        self.intern(Key::Tuple(types.clone()), || Type::Tuple(types))
    }
    pub(super) fn named_mut(&mut self, id: TypeId) -> &mut Named {
        match self.get_mut(id) {
            Type::Named(n) => n,
            t => unreachable!("not a named type: {t:?}"),
        }
    }
    /// The named type `id`, which must be one.
    pub fn named(&self, id: TypeId) -> &Named {
        match self.get(id) {
            Type::Named(n) => n,
            t => unreachable!("not a named type: {t:?}"),
        }
    }
}

/// All objects; grows only.
pub struct ObjStore {
    pub(super) list: List<Object>,
}

impl Default for ObjStore {
    fn default() -> ObjStore {
        ObjStore {
            list: Vec::with_capacity(ROOM).into(),
        }
    }
}

impl ObjStore {
    pub fn get(&self, id: ObjId) -> &Object {
        self.list.get(id.0)
    }
    pub fn get_mut(&mut self, id: ObjId) -> &mut Object {
        self.list.get_mut(id.0)
    }
    /// Those that were not read in.
    pub(crate) fn own(&self) -> impl Iterator<Item = ObjId> + use<> {
        self.list.own().map(ObjId)
    }
    /// The number that the next object gets.
    pub(super) fn end(&self) -> u32 {
        self.list.len()
    }
    pub fn add(&mut self, obj: Object) -> ObjId {
        ObjId(self.list.push(obj))
    }
    /// The variable's findings; `None` if the object is no variable.
    pub fn var(&self, id: ObjId) -> Option<&VarInfo> {
        match &self.get(id).kind {
            ObjKind::Var(v) => Some(v),
            _ => None,
        }
    }
    pub(super) fn var_mut(&mut self, id: ObjId) -> Option<&mut VarInfo> {
        match &mut self.get_mut(id).kind {
            ObjKind::Var(v) => Some(v),
            _ => None,
        }
    }
    /// The function's findings; `None` if the object is no function.
    pub fn func(&self, id: ObjId) -> Option<&FuncInfo> {
        match &self.get(id).kind {
            ObjKind::Func(f) => Some(f),
            _ => None,
        }
    }
}

/// Names declared in one block.
#[derive(Default, Debug)]
pub struct Scope {
    pub parent: Option<ScopeId>,
    /// Scopes around it.
    depth: u32,
    pub names: FxHashMap<Symbol, ObjId>,
}

/// All scopes; grows only. Scope 0 is the universe.
pub struct ScopeStore {
    /// The first ones: the universe, and packages.
    pub(super) exported: super::export::Scopes,
    list: Vec<Scope>,
    /// What names mean just outside scopes whose depth is a multiple of [`MEMO_EVERY`]: in deeply
    /// nested blocks a name from far outside would otherwise be looked for through all of them each
    /// time.
    ///
    /// It stays right, because what is declared in an outer block after an inner one was opened
    /// comes after the inner one's end.
    memo: RefCell<FxHashMap<(ScopeId, Symbol), Found>>,
}

/// The scope that holds a name, and what it means there.
type Found = Option<(ScopeId, ObjId)>;

/// Ordinary programs do not nest their blocks as deeply.
const MEMO_EVERY: u32 = 32;

impl ScopeId {
    pub(crate) const UNIVERSE: ScopeId = ScopeId(0);
}

impl Default for ScopeStore {
    fn default() -> ScopeStore {
        ScopeStore {
            exported: Default::default(),
            list: Vec::with_capacity(ROOM / 2),
            memo: RefCell::default(),
        }
    }
}

impl ScopeStore {
    /// What is declared in this very scope, in the order of declaration.
    pub(crate) fn names(&self, scope: ScopeId) -> Vec<(Symbol, ObjId)> {
        let mut names: Vec<_> = match self.is_exported(scope) {
            true => self.exported.names(scope).collect(),
            false => self
                .get(scope)
                .names
                .iter()
                .map(|(&n, &o)| (n, o))
                .collect(),
        };
        names.sort_unstable_by_key(|&(_, obj)| obj);
        names
    }
    /// A scope that is not from export data.
    pub(crate) fn get(&self, id: ScopeId) -> &Scope {
        &self.list[(id.0 - self.exported.len()) as usize]
    }
    fn is_exported(&self, id: ScopeId) -> bool {
        id.0 < self.exported.len()
    }
    /// The scope around `id`, and how many there are around it.
    pub(crate) fn around(&self, id: ScopeId) -> (Option<ScopeId>, u32) {
        match (self.is_exported(id), id) {
            (true, ScopeId::UNIVERSE) => (None, 0),
            (true, _) => (Some(ScopeId::UNIVERSE), 1),
            (false, _) => (self.get(id).parent, self.get(id).depth),
        }
    }
    pub(crate) fn add(&mut self, parent: Option<ScopeId>) -> ScopeId {
        let id = ScopeId(self.exported.len() + self.list.len() as u32);
        let depth = parent.map_or(0, |p| self.around(p).1 + 1);
        self.list.push(Scope {
            parent,
            depth,
            names: FxHashMap::default(),
        });
        id
    }
    /// Declares `name`; gives back the object already there, if any, and leaves it.
    pub(crate) fn insert(&mut self, scope: ScopeId, name: Symbol, obj: ObjId) -> Option<ObjId> {
        let own = scope.0 - self.exported.len();
        match self.list[own as usize].names.entry(name) {
            std::collections::hash_map::Entry::Occupied(o) => Some(*o.get()),
            std::collections::hash_map::Entry::Vacant(v) => {
                v.insert(obj);
                None
            }
        }
    }
    /// Makes `name` mean `obj` in this very scope, or nothing.
    pub(crate) fn set(&mut self, scope: ScopeId, name: Symbol, obj: Option<ObjId>) {
        let own = scope.0 - self.exported.len();
        let names = &mut self.list[own as usize].names;
        match obj {
            Some(obj) => names.insert(name, obj),
            None => names.remove(&name),
        };
    }
    /// The object `name` in this very scope.
    pub(crate) fn lookup(&self, scope: ScopeId, name: Symbol) -> Option<ObjId> {
        if self.is_exported(scope) {
            return self.exported.lookup(scope, name);
        }
        self.get(scope).names.get(&name).copied()
    }
    /// The innermost object `name` seen from `scope`, and the scope that holds it.
    pub(crate) fn lookup_parent(&self, scope: ScopeId, name: Symbol) -> Option<(ScopeId, ObjId)> {
        let mut s = Some(scope);
        let mut memo_at = None;
        let mut found = None;
        while let Some(id) = s {
            if self.is_exported(id) {
                if let Some(o) = self.exported.lookup(id, name) {
                    found = Some((id, o));
                    break;
                }
                s = self.around(id).0;
                continue;
            }
            let sc = self.get(id);
            if !sc.names.is_empty()
                && let Some(&o) = sc.names.get(&name)
            {
                found = Some((id, o));
                break;
            }
            if sc.depth != 0 && sc.depth.is_multiple_of(MEMO_EVERY) {
                if let Some(&known) = self.memo.borrow().get(&(id, name)) {
                    found = known;
                    break;
                }
                memo_at = memo_at.or(Some(id));
            }
            s = sc.parent;
        }
        if let Some(id) = memo_at {
            self.memo.borrow_mut().insert((id, name), found);
        }
        found
    }
}

impl Program {
    pub fn pkg(&self, id: PkgId) -> &Package {
        self.packages.get(id.0)
    }
    /// So many packages are known.
    pub fn package_count(&self) -> u32 {
        self.packages.len()
    }
    pub(super) fn pkg_mut(&mut self, id: PkgId) -> &mut Package {
        self.packages.get_mut(id.0)
    }
    /// The package that is known under an import path.
    pub(super) fn package_at(&self, path: &str) -> Option<PkgId> {
        let own = self.by_path.get(path).copied();
        own.or_else(|| self.exported_paths.find(path))
    }
    pub fn obj(&self, id: ObjId) -> &Object {
        self.objs.get(id)
    }
    /// The object `name` declared at package level.
    pub fn lookup_in_package(&self, pkg: PkgId, name: &str) -> Option<ObjId> {
        self.scopes.lookup(self.pkg(pkg).scope, Symbol::new(name))
    }
    /// What is declared under the name at package level.
    pub fn find_in_package(&self, pkg: PkgId, name: Symbol) -> Option<ObjId> {
        self.scopes.lookup(self.pkg(pkg).scope, name)
    }
    /// The functions of a package, in the order of their declaration; methods apart.
    pub fn functions_of(&self, pkg: PkgId) -> Vec<ObjId> {
        let names = self.scopes.names(self.pkg(pkg).scope).into_iter();
        let is_func = |obj: &ObjId| matches!(self.obj(*obj).kind, ObjKind::Func(_));
        names.map(|(_, obj)| obj).filter(is_func).collect()
    }
    /// Packages in the order of their initialisation, imported ones first, otherwise by path; those
    /// from export data apart.
    pub fn package_order(&self) -> Vec<PkgId> {
        let mut paths: Vec<PkgId> = self.packages.own().map(PkgId).collect();
        paths.sort_by(|a, b| self.pkg(*a).path.cmp(&self.pkg(*b).path));
        let mut done = vec![true; self.packages.len() as usize];
        for p in &paths {
            done[p.0 as usize] = false;
        }
        let mut out = Vec::new();
        // Go sorts by path and takes the first whose imports are all done.
        while out.len() < paths.len() {
            let next = paths.iter().copied().find(|&p| {
                let imports = &self.pkg(p).imports;
                let is_ready = |i: &PkgId| done[i.0 as usize] || *i == p;
                !done[p.0 as usize] && imports.iter().all(is_ready)
            });
            let Some(next) = next.or_else(|| paths.iter().copied().find(|p| !done[p.0 as usize]))
            else {
                break;
            };
            done[next.0 as usize] = true;
            out.push(next);
        }
        out
    }
}
