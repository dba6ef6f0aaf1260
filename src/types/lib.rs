//! What the checker knows: types, objects, and its findings about every expression.
//!
//! This file is the face that the compiler and the standard library see. Types live in a
//! [`TypeStore`] and are named by [`TypeId`]; objects (variables, functions, …) by [`ObjId`]. As in
//! go/types, equal types may have different ids: ask [`Program::identical`]; the run-time type
//! descriptors are made canonical when the compiler makes them. Findings about expressions are
//! vectors in [`Info`], indexed by the tree's `NodeId`. [`Program`] holds all of it and answers
//! questions without changing (predicates, lookup, sizes, names); [`Checker`] fills it, package by
//! package, and checks bodies of the library when first asked.
//!
//! # Invariants
//!
//! - T1. After any public call of [`Checker`] returns, every type that can be reached is complete:
//!   underlying types are set, and signatures of methods are resolved.
//! - T2. Ids are never reused; a type does not change once complete.
//!
//! Go: go/types (api.go, type.go, object.go), cmd/compile/internal/types2.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use source::Pos;
use std::cell::OnceCell;
use std::rc::Rc;
use syntax::ast::{self, NodeId, Symbol};

pub use checker::{Checker, Imported, Importer};
pub use constant::Value as ConstValue;
pub use lookup::{Found, MethodEntry, Missing};
pub use store::{ObjStore, Program, ScopeStore, TypeStore};
pub use version::Versions;

mod assign;
mod binary;
mod builtins;
mod call;
pub mod checker;
pub mod constant;
mod convert;
mod decl;
mod directives;
mod export;
mod expr;
mod index;
mod infer;
mod initorder;
mod interface;
pub mod library;
mod literal;
pub mod lookup;
mod mono;
mod near;
mod operand;
mod predicates;
mod resolver;
mod returns;
pub mod session;
mod signature;
pub mod sizes;
mod stmt;
pub mod store;
mod structs;
mod subst;
mod text;
mod typeset;
mod typestring;
mod typexpr;
mod unify;
mod union;
mod universe;
mod untyped;
mod validtype;
pub mod version;

/// Names a type in the [`TypeStore`]. The predeclared types have fixed ids.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct TypeId(pub u32);

/// Names an object in the [`ObjStore`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct ObjId(pub u32);

/// Names a package of the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct PkgId(pub u32);

/// Names a scope.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct ScopeId(pub u32);

/// The predeclared basic types, untyped ones included.
/// `byte` and `rune` are aliases that print their own name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[repr(u8)]
pub enum Basic {
    Invalid,
    Bool,
    Int,
    Int8,
    Int16,
    Int32,
    Int64,
    Uint,
    Uint8,
    Uint16,
    Uint32,
    Uint64,
    Uintptr,
    Float32,
    Float64,
    Complex64,
    Complex128,
    String,
    UnsafePointer,
    UntypedBool,
    UntypedInt,
    UntypedRune,
    UntypedFloat,
    UntypedComplex,
    UntypedString,
    UntypedNil,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Type {
    Basic(Basic),
    Pointer(TypeId),
    Slice(TypeId),
    /// A length below 0 was in error.
    Array {
        len: i64,
        elem: TypeId,
    },
    Map {
        key: TypeId,
        value: TypeId,
    },
    Chan {
        dir: ast::ChanDir,
        elem: TypeId,
    },
    /// Several results of a call; `(value, bool)` of a comma-ok form.
    Tuple(Vec<TypeId>),
    Signature(Box<Signature>),
    Struct(Box<StructType>),
    Interface(Box<Interface>),
    /// A defined type, or an instance of a generic one.
    Named(Box<Named>),
    TypeParam(Box<TypeParamType>),
    /// `~A | B` in a constraint.
    Union(Vec<Term>),
    /// An alias declaration that keeps its name for messages;
    /// all other questions are asked of what it stands for ([`Program::unalias`]).
    Alias {
        obj: ObjId,
        target: TypeId,
        targs: Vec<TypeId>,
    },
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Term {
    pub(crate) tilde: bool,
    pub ty: TypeId,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Signature {
    /// Receiver variable of a method (not part of the type's identity).
    pub recv: Option<ObjId>,
    pub tparams: Vec<TypeId>,
    /// Parameter variables; of a variadic one the last has slice type.
    pub params: Vec<ObjId>,
    pub results: Vec<ObjId>,
    pub variadic: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StructType {
    /// Field variables, in order ([`ObjKind::Var`] with `is_field`).
    pub fields: Vec<ObjId>,
    /// As many as fields, or none at all.
    pub tags: Vec<Box<str>>,
}

impl StructType {
    /// The tag of field `i`; empty if it has none.
    pub fn tag(&self, i: usize) -> &str {
        self.tags.get(i).map_or("", |t| t)
    }
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Interface {
    /// Explicit methods (function objects).
    pub methods: Vec<ObjId>,
    pub embeds: Vec<(TypeId, Pos)>,
    /// Made for a constraint literal such as `[T ~int]`.
    pub implicit: bool,
    /// Its parts are declared: the type set may be computed and kept.
    pub complete: bool,
    /// Ask [`Program::type_set`].
    #[serde(with = "export::type_set")]
    pub type_set: OnceCell<Rc<TypeSet>>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct TypeSet {
    /// Sorted by name, unexported ones by (name, package path): the order of itab entries.
    pub methods: Vec<ObjId>,
    /// `None`: all types.
    pub terms: Option<Vec<Term>>,
    /// Only comparable types (the predeclared `comparable` is or is embedded).
    pub comparable: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Named {
    pub obj: ObjId,
    /// Never a Named; `Invalid` while being declared.
    pub underlying: TypeId,
    /// Declared methods, in source order.
    pub methods: Vec<ObjId>,
    pub tparams: Vec<TypeId>,
    /// Of an instance: its type arguments and the generic type.
    pub targs: Vec<TypeId>,
    pub origin: Option<TypeId>,
    /// 0 for package-level types; local types are counted per function and name from 1:
    /// tells them apart in run-time names.
    pub(crate) local_index: u32,
    /// Of a type declared in a generic function: the function's type parameters (those of the
    /// receiver first), in an instance of the function what they stand for.
    pub outer: Vec<TypeId>,
    /// Underlying type and methods are set.
    pub complete: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TypeParamType {
    pub obj: ObjId,
    pub constraint: TypeId,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Object {
    pub kind: ObjKind,
    pub name: Symbol,
    pub pos: Pos,
    /// `None` for the universe.
    pub pkg: Option<PkgId>,
    pub ty: TypeId,
    /// The scope it is declared in; none for fields and methods.
    pub parent: Option<ScopeId>,
    /// How far its declaration is resolved.
    #[serde(skip)]
    pub(crate) color: Color,
}

/// Progress of resolving a declaration. Go: go/types (decl.go).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Color {
    /// Not begun.
    White,
    /// Under way; the number is its place on the path.
    Grey(u32),
    #[default]
    Black,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum ObjKind {
    PkgName { imported: PkgId, used: bool },
    Const(ConstValue),
    TypeName { is_alias: bool },
    Var(VarInfo),
    Func(FuncInfo),
    Builtin(Builtin),
    Nil,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct VarInfo {
    pub is_field: bool,
    pub embedded: bool,
    pub is_param: bool,
    /// Declared at package level.
    pub is_global: bool,
    pub used: bool,
    /// Set by the checker: a function literal nested in the declaring function mentions it.
    pub captured: bool,
    /// `&x`, `x.ptrMethod()`, `x[:]` of an array: its address is taken (itself or a part of it).
    pub address_taken: bool,
    /// Assigned, in whole or in part, other than by its
    /// declaration (after which a closure may not copy it).
    pub reassigned: bool,
    /// Mentioned other than to be called.
    pub valued: bool,
    /// Nesting depth of function literals of its declaration: 0 in a declared function.
    pub(crate) func_depth: u32,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct FuncInfo {
    /// The declaration, absent for interface methods and builtins, and for what is from export
    /// data: ask [`Checker::declaration`].
    #[serde(skip)]
    pub(crate) decl: Option<&'static ast::FuncDecl>,
    /// From export data, and declared without a body: ask [`Program::is_bodiless`].
    pub(crate) is_bodiless: bool,
    /// For a method: does it have a pointer receiver.
    pub ptr_recv: bool,
    /// For a method: the (generic) named type it is declared on; for an interface method the
    /// interface or named interface.
    pub(crate) recv_named: Option<TypeId>,
    /// An instance's generic function or method.
    pub origin: Option<ObjId>,
}

impl FuncInfo {
    /// For a method: the type that it is declared on.
    pub fn recv_named(&self) -> Option<TypeId> {
        self.recv_named
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
pub enum Builtin {
    Append,
    Cap,
    Clear,
    Close,
    Complex,
    Copy,
    Delete,
    Imag,
    Len,
    Make,
    Max,
    Min,
    New,
    Panic,
    Print,
    Println,
    Real,
    Recover,
    // package unsafe
    UnsafeAdd,
    UnsafeAlignof,
    UnsafeOffsetof,
    UnsafeSizeof,
    UnsafeSlice,
    UnsafeSliceData,
    UnsafeString,
    UnsafeStringData,
}

/// What an expression is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Mode {
    Invalid,
    NoValue,
    Builtin,
    Type,
    /// `TypeAndValue::value` is set.
    Constant,
    /// Addressable.
    Variable,
    MapIndex,
    Value,
    /// The predeclared nil, typed by its context.
    Nil,
    /// May be used with `, ok`: index of map, receive, type assertion. Only inside the checker;
    /// recorded as `Value`/`MapIndex`.
    CommaOk,
}

/// Recorded for each expression. Untyped operands have their final type here.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TypeAndValue {
    pub mode: Mode,
    pub ty: TypeId,
    pub value: Option<ConstValue>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum SelectionKind {
    FieldVal,
    MethodVal,
    MethodExpr,
}

/// How `x.f` gets to f. Package-qualified names are no selections (see `uses`).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Selection {
    pub kind: SelectionKind,
    /// Field or method.
    pub obj: ObjId,
    /// Field indices to walk through embedded fields (pointers are dereferenced on the way); the
    /// last one is the field's own, or the method's index (in `Named::methods`, or in the
    /// interface's sorted type set).
    pub path: Vec<u32>,
    /// A pointer was dereferenced on the way.
    pub indirect: bool,
}

/// One package-level initialisation `lhs = rhs`, in order of execution.
#[derive(Clone, Debug)]
pub struct Initializer {
    pub lhs: Vec<ObjId>,
    /// None in export data: it was compiled before.
    pub rhs: Option<&'static ast::Expr>,
}

/// The checker's findings, for the whole program.
pub struct Info {
    /// Indexed by `Expr::id`; read it through [`Info::type_of`] and friends.
    pub types: Vec<Option<TypeAndValue>>,
    /// Indexed by `Ident::id` or the `Name` expression's id.
    pub uses: FxHashMap<NodeId, ObjId>,
    pub defs: FxHashMap<NodeId, ObjId>,
    /// By `CaseClause::id`: the clause's variable of `switch x := y.(type)`. Also anonymous
    /// parameters' idents when needed.
    pub implicits: FxHashMap<NodeId, ObjId>,
    /// By the selector expression's id.
    pub selections: FxHashMap<NodeId, Selection>,
    /// Instantiations, by the id of the generic function's or type's name:
    /// the type arguments and the resulting type.
    pub instances: FxHashMap<NodeId, (Vec<TypeId>, TypeId)>,
    /// By `FuncLit` expression id: the outer variables it mentions, in order of first mention.
    pub captures: FxHashMap<NodeId, Vec<ObjId>>,
}

impl Default for Info {
    fn default() -> Info {
        let table = || FxHashMap::with_capacity_and_hasher(store::ROOM, Default::default());
        Info {
            types: Vec::with_capacity(4 * store::ROOM),
            uses: table(),
            defs: table(),
            implicits: FxHashMap::default(),
            selections: FxHashMap::default(),
            instances: FxHashMap::default(),
            captures: FxHashMap::default(),
        }
    }
}

impl Info {
    /// What was found about the expression;
    /// `None` if it was not checked (or is no operand, as a field name in a literal).
    pub fn get(&self, id: NodeId) -> Option<&TypeAndValue> {
        self.types.get(id.0 as usize).and_then(Option::as_ref)
    }
    /// The type of the expression, `Invalid` if unknown.
    pub fn type_of(&self, e: &ast::Expr) -> TypeId {
        self.get(e.id).map_or(TypeId::INVALID, |tv| tv.ty)
    }
    /// The constant value of the expression.
    pub fn value_of(&self, e: &ast::Expr) -> Option<&ConstValue> {
        self.get(e.id).and_then(|tv| tv.value.as_ref())
    }
    /// Is the expression a type?
    pub fn is_type(&self, e: &ast::Expr) -> bool {
        self.get(e.id).is_some_and(|tv| tv.mode == Mode::Type)
    }
    /// The object a name denotes, defined or used there.
    pub fn object(&self, id: NodeId) -> Option<ObjId> {
        self.uses.get(&id).or_else(|| self.defs.get(&id)).copied()
    }
}

#[derive(Serialize, Deserialize)]
pub struct Package {
    pub path: String,
    pub name: Symbol,
    #[serde(skip)]
    pub files: Vec<&'static ast::File>,
    pub scope: ScopeId,
    /// Direct imports, in source order, each once.
    pub imports: Vec<PkgId>,
    /// Of a user package; for standard packages ask [`Checker::std_init_order`].
    #[serde(skip)]
    pub init_order: Vec<Initializer>,
    /// `func init()` bodies, in source order.
    pub inits: Vec<ObjId>,
    /// Of the library's own packages: functions `init` that matter only where a variable is used
    /// (`//go:effect`), each with the variable.
    pub effects: Vec<(ObjId, ObjId)>,
    /// A package of the standard library: its function bodies are checked when first asked for
    /// ([`Checker::ensure_body`]), its variables initialised only if reachable.
    pub is_std: bool,
}
