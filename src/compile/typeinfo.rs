#![allow(unsafe_code)]
//! How values of a type are represented, and run-time types of the checker's types.
//!
//! An [`Rtype`](bytecode::rtype::Rtype) is made in two steps, since types refer to each
//! other: first its identity (`shallow`), then, from a queue, its contents (`complete`). What a
//! type contains by value is completed before it.
//!
//! # Invariants
//!
//! - U1. Types are completed and get their method tables on the compiling thread, before the
//!   program (or the REPL's next input) can see them.
//!
//! Go: cmd/compile/internal/reflectdata.

use super::object::Need;
use super::{Compiler, FuncKey, Job, wrapper};
use bytecode::abi;
use bytecode::func::Word;
use bytecode::pair::Pair;
use bytecode::rtype::{self, Field, IMethod, Kind, Method, NamedKey, Ty};
use bytecode::unit::{In, Tab};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use source::{self, Symbol};
use std::rc::Rc;
use syntax::ast::ChanDir;
use types::{Basic, MethodEntry, ObjId, ObjKind, PkgId, Type, TypeId};

/// Width and sign of an integer; booleans are 8 bits unsigned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IntKind {
    pub bits: u8,
    pub signed: bool,
}

impl IntKind {
    /// The low bits of `v` as a slot holds them.
    pub(super) fn wrap(self, v: i64) -> i64 {
        match (self.bits, self.signed) {
            (8, true) => i64::from(v as i8),
            (8, false) => i64::from(v as u8),
            (16, true) => i64::from(v as i16),
            (16, false) => i64::from(v as u16),
            (32, true) => i64::from(v as i32),
            (32, false) => i64::from(v as u32),
            _ => v,
        }
    }
}

/// How a value lies in slots.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repr {
    /// No slot.
    Zero,
    Int(IntKind),
    F32,
    F64,
    C64,
    C128,
    /// Pointers, maps, channels, functions, unsafe.Pointer.
    Ptr,
    Str,
    Slice,
    Eface,
    Iface,
    /// Structs and arrays: memory image.
    Agg,
    /// A struct or array of more than 4096 bytes: the slot holds an address.
    Huge,
}

/// What the compiler knows of a type.
#[derive(Debug)]
pub struct TypeInfo {
    pub ty: TypeId,
    pub repr: Repr,
    /// In memory, in bytes.
    pub size: u64,
    pub slots: u32,
    /// Kinds of the slots.
    pub words: Vec<Word>,
    pub has_pointers: bool,
    pub rtype: Ty,
}

impl TypeInfo {
    /// size | layout << 32 of a value that lies in slots, as instructions carry it.
    pub(crate) fn size_layout(&self) -> u64 {
        debug_assert!(self.repr != Repr::Huge);
        Pair::small(self.size, self.rtype.layout.into()).word()
    }
    pub fn is_direct(&self) -> bool {
        self.rtype.is_direct()
    }
    /// In memory and in the frame it is the same bytes, whole slots.
    pub(crate) fn is_wide(&self) -> bool {
        !matches!(
            self.repr,
            Repr::Int(IntKind { bits: 0..=32, .. }) | Repr::F32
        )
    }
}

/// How many types a page has.
const PAGE: usize = 128;

/// What is known of types, by their numbers: in pages, for the few types of a small program have
/// numbers far apart, since all of the library's are numbered.
#[derive(Default)]
pub(super) struct Infos(Vec<Option<Box<Page>>>);

type Page = [Option<Rc<TypeInfo>>; PAGE];

impl Infos {
    fn get(&self, t: TypeId) -> Option<Rc<TypeInfo>> {
        let i = t.0 as usize;
        self.0.get(i / PAGE)?.as_ref()?[i % PAGE].clone()
    }

    fn insert(&mut self, t: TypeId, ti: Rc<TypeInfo>) {
        let i = t.0 as usize;
        if self.0.len() <= i / PAGE {
            self.0.resize_with(i / PAGE + 1, || None);
        }
        let page = self.0[i / PAGE].get_or_insert_with(|| Box::new([const { None }; PAGE]));
        page[i % PAGE] = Some(ti);
    }
}

/// Types made so far.
#[derive(Default)]
pub(super) struct Rtypes {
    by_id: FxHashMap<TypeId, Ty>,
    named: FxHashMap<(ObjId, Vec<Ty>), Ty>,
    /// Named types to be completed: their underlying types.
    pending: FxHashMap<Ty, TypeId>,
    queue: Vec<Ty>,
    /// Method tables that are asked for.
    tables: IndexMap<Ty, Table, FxBuildHasher>,
    /// Names of the methods of the interfaces that there are: no call looks for others.
    wanted: FxHashSet<Symbol>,
    /// How many of them all tables have been made for.
    tables_made_for: usize,
    reflected: Reflected,
}

/// What the program can ask package reflect for, each with all that stands before it.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Reflected {
    #[default]
    Nothing,
    /// Values of types made of those that there are: pointers to them.
    Values,
    /// Which exported methods there are.
    Methods,
    /// To call exported methods.
    Calls,
}

impl Rtypes {
    /// Can a method of that name be called by reflection?
    pub(super) fn reflects_bodies(&self, name: Symbol) -> bool {
        self.reflected == Reflected::Calls && name.is_exported()
    }

    /// May a method of that name be looked for at run time?
    fn is_wanted(&self, name: Symbol) -> bool {
        self.wanted.contains(&name) || self.reflected >= Reflected::Methods && name.is_exported()
    }

    /// A number that grows with what is wanted.
    fn wants(&self) -> usize {
        match self.reflected >= Reflected::Methods {
            true => self.wanted.len() + (1 << 40),
            false => self.wanted.len(),
        }
    }
}

/// The method table of a type, as far as it is made.
struct Table {
    t: TypeId,
    /// In no order, with the compiler's numbers of functions.
    methods: Vec<Method>,
    /// Something has come since the last unit.
    has_grown: bool,
    /// The methods that no interface has wanted so far.
    rest: Vec<MethodEntry>,
    /// How many names of methods were wanted when it was last looked through.
    made_for: usize,
}

impl Compiler {
    /// What the compiler knows of `t`, which has no type parameters.
    pub(crate) fn type_info(&mut self, t: TypeId) -> Rc<TypeInfo> {
        if let Some(ti) = self.info.get(t) {
            return ti;
        }
        let ti = Rc::new(self.make_info(t));
        self.note_type(&ti);
        self.info.insert(t, ti.clone());
        ti
    }

    fn make_info(&mut self, t: TypeId) -> TypeInfo {
        if let Type::Tuple(_) = self.ck.types.get(t) {
            return TypeInfo {
                ty: t,
                repr: Repr::Zero,
                size: 0,
                slots: 0,
                words: Vec::new(),
                has_pointers: false,
                rtype: Ty::NULL,
            };
        }
        let rtype = self.rtype(t);
        let int = |bits, signed| Repr::Int(IntKind { bits, signed });
        let repr = match rtype.kind {
            Kind::Bool | Kind::Uint8 => int(8, false),
            Kind::Int8 => int(8, true),
            Kind::Int16 => int(16, true),
            Kind::Uint16 => int(16, false),
            Kind::Int32 => int(32, true),
            Kind::Uint32 => int(32, false),
            Kind::Int | Kind::Int64 => int(64, true),
            Kind::Uint | Kind::Uint64 | Kind::Uintptr => int(64, false),
            Kind::Float32 => Repr::F32,
            Kind::Float64 => Repr::F64,
            Kind::Complex64 => Repr::C64,
            Kind::Complex128 => Repr::C128,
            Kind::String => Repr::Str,
            Kind::Slice => Repr::Slice,
            Kind::Interface if rtype.imethods.is_empty() => Repr::Eface,
            Kind::Interface => Repr::Iface,
            Kind::Array | Kind::Struct if rtype.size == 0 => Repr::Zero,
            Kind::Array | Kind::Struct if rtype.size as u64 > abi::BY_REF_ABOVE => Repr::Huge,
            Kind::Array | Kind::Struct => Repr::Agg,
            _ => Repr::Ptr,
        };
        let words = match repr {
            Repr::Zero => Vec::new(),
            Repr::Huge => vec![Word::Pointer],
            _ => {
                let n = rtype.size.div_ceil(8);
                let mut words = vec![Word::Scalar; n];
                rtype::place_words(&mut words, 0, rtype);
                words
            }
        };
        TypeInfo {
            ty: t,
            repr,
            size: rtype.size as u64,
            slots: words.len() as u32,
            words,
            has_pointers: rtype.has_pointers(),
            rtype,
        }
    }

    /// The run-time type of `t`, complete.
    pub(crate) fn rtype(&mut self, t: TypeId) -> Ty {
        let ty = self.shallow(t);
        while let Some(q) = self.rtypes.queue.pop() {
            self.complete(q);
        }
        ty
    }

    fn shallow(&mut self, t: TypeId) -> Ty {
        if let Some(&ty) = self.rtypes.by_id.get(&t) {
            return ty;
        }
        let ty = self.make_shallow(t);
        self.rtypes.by_id.insert(t, ty);
        if let Some(recorder) = &mut self.recorder {
            recorder.note_type(ty, t);
        }
        if !ty.is_complete() {
            self.rtypes.queue.push(ty);
        }
        ty
    }

    fn make_shallow(&mut self, t: TypeId) -> Ty {
        match self.ck.types.get(self.ck.unalias(t)).clone() {
            Type::Basic(b) => basic(b),
            Type::Pointer(e) => rtype::pointer_to(self.shallow(e)),
            Type::Slice(e) => rtype::slice_of(self.shallow(e)),
            Type::Array { len, elem } => rtype::array_of(self.shallow(elem), len.max(0) as usize),
            Type::Map { key, value } => rtype::map_of(self.shallow(key), self.shallow(value)),
            Type::Chan { dir, elem } => {
                let dir = match dir {
                    ChanDir::Recv => 1,
                    ChanDir::Send => 2,
                    ChanDir::Both => 3,
                };
                rtype::chan_of(self.shallow(elem), dir)
            }
            Type::Signature(sig) => {
                let ins = sig
                    .params
                    .iter()
                    .map(|p| self.shallow(self.ck.obj(*p).ty))
                    .collect();
                let outs = sig
                    .results
                    .iter()
                    .map(|p| self.shallow(self.ck.obj(*p).ty))
                    .collect();
                rtype::func_of(ins, outs, sig.variadic)
            }
            Type::Struct(s) => {
                let fields = (0..s.fields.len())
                    .map(|i| {
                        let o = self.ck.obj(s.fields[i]).clone();
                        let exported = o.name.is_exported();
                        Field {
                            name: o.name.as_str(),
                            pkg: if exported { "" } else { self.pkg_path(o.pkg) },
                            typ: self.shallow(o.ty),
                            offset: 0,
                            embedded: matches!(&o.kind, ObjKind::Var(v) if v.embedded),
                            exported,
                            tag: rtype::intern(s.tag(i)),
                        }
                    })
                    .collect();
                rtype::struct_of(fields)
            }
            Type::Interface(_) => {
                let set = self.ck.type_set(t);
                let methods = set
                    .methods
                    .iter()
                    .map(|m| {
                        let o = self.ck.obj(*m).clone();
                        self.rtypes.wanted.insert(o.name);
                        IMethod {
                            name: o.name.as_str(),
                            pkg: if o.name.is_exported() {
                                ""
                            } else {
                                self.pkg_path(o.pkg)
                            },
                            mtyp: self.shallow(o.ty),
                        }
                    })
                    .collect();
                rtype::interface_of(methods)
            }
            Type::Named(n) => {
                let targs = n.targs.iter().chain(&n.outer);
                let key = (n.obj, targs.map(|a| self.shallow(*a)).collect());
                if let Some(&ty) = self.rtypes.named.get(&key) {
                    return ty;
                }
                let o = self.ck.obj(n.obj).clone();
                let string = self.ck.runtime_string(t);
                let name = match o.pkg {
                    // The text after the package's name.
                    Some(_) => string
                        .split_once('.')
                        .map_or(string.clone(), |(_, n)| n.to_string()),
                    None => string.clone(),
                };
                let pkg = o.pkg.map_or("", |p| self.pkg_path(Some(p)));
                // Two declarations of one name are told apart by their places.
                let declared = source::map().file(o.pos).map_or(("", 0), |file| {
                    let name: &'static str = &file.name;
                    (name, o.pos.0 - file.base)
                });
                let identity = NamedKey {
                    string: rtype::intern(&string),
                    pkg_path: pkg,
                    declared,
                    targs: key.1.clone(),
                };
                let (ty, is_new) = rtype::named(identity, &name);
                self.rtypes.named.insert(key, ty);
                if is_new {
                    self.rtypes.pending.insert(ty, self.ck.under(t));
                }
                ty
            }
            Type::Alias { target, .. } => self.shallow(target),
            Type::Tuple(_) | Type::TypeParam(_) | Type::Union(_) => basic(Basic::Invalid),
        }
    }

    fn pkg_path(&self, p: Option<PkgId>) -> &'static str {
        p.map_or("", |p| rtype::intern(&self.ck.pkg(p).path))
    }

    /// Completes a type and what it contains by value.
    fn complete(&mut self, ty: Ty) {
        let mut contents = |ty| {
            let under = self.rtypes.pending.remove(&ty)?;
            Some(self.shallow(under))
        };
        // SAFETY: U1.
        unsafe { rtype::complete(ty, &mut contents) };
    }

    /// Makes the method table of `t` (run-time type `ty`),
    /// since values of it get into interfaces or reflection.
    ///
    /// It has the methods that some interface has too; as more such names come up,
    /// [`extend_tables`](Self::extend_tables) adds to it.
    pub(crate) fn need_methods(&mut self, t: TypeId, ty: Ty) {
        if ty.kind == Kind::Interface || self.rtypes.tables.contains_key(&ty) {
            return;
        }
        let rest = self.ck.method_set(t);
        let made_for = 0;
        let table = Table {
            t,
            methods: Vec::new(),
            has_grown: true,
            rest,
            made_for,
        };
        self.rtypes.tables.insert(ty, table);
        self.extend_table(ty);
        self.need_part_methods(t);
    }

    /// The native `name` of package reflect is in use.
    pub(super) fn is_reflected(&mut self, name: &str) {
        let reflected = match name {
            "needBodies" | "makeMethodExpr" => Reflected::Calls,
            "methodCount" | "methodAt" | "methodNamed" => Reflected::Methods,
            _ => Reflected::Values,
        };
        let before = self.rtypes.reflected;
        if reflected <= before || self.recorder.is_some() {
            return;
        }
        self.rtypes.reflected = reflected;
        if before == Reflected::Nothing {
            let known: Vec<TypeId> = self.rtypes.tables.values().map(|t| t.t).collect();
            known.into_iter().for_each(|t| self.need_part_methods(t));
        }
        if reflected == Reflected::Calls {
            for (name, jobs) in std::mem::take(&mut self.dormant) {
                if name.is_exported() {
                    self.work.extend(jobs);
                } else {
                    self.dormant.insert(name, jobs);
                }
            }
            // What methods take and return is seen from now on.
            self.renew_tables();
        }
    }

    /// Methods of these names may be looked for at run time.
    pub(super) fn want_methods(&mut self, names: &[&str]) {
        let names = names.iter().map(|name| Symbol::new(name));
        self.rtypes.wanted.extend(names);
    }

    /// Adds to the method tables what has come to be wanted; was there anything new?
    pub(super) fn extend_tables(&mut self) -> bool {
        let wanted = self.rtypes.wants();
        if std::mem::replace(&mut self.rtypes.tables_made_for, wanted) == wanted {
            return false;
        }
        let types: Vec<Ty> = self.rtypes.tables.keys().copied().collect();
        for ty in types {
            self.extend_table(ty);
        }
        true
    }

    /// Adds to a method table what has come to be wanted.
    fn extend_table(&mut self, ty: Ty) {
        // A signature may bring in another interface.
        while let wants = self.rtypes.wants()
            && let Some(table) = self.rtypes.tables.get_mut(&ty)
            && !table.rest.is_empty()
            && table.made_for < wants
        {
            table.made_for = wants;
            let t = table.t;
            let rest = std::mem::take(&mut table.rest);
            let (now, later): (Vec<_>, Vec<_>) = rest
                .into_iter()
                .partition(|m| self.rtypes.is_wanted(self.ck.obj(m.obj).name));
            if let Some(table) = self.rtypes.tables.get_mut(&ty) {
                table.rest = later;
            }
            if now.is_empty() {
                continue;
            }
            let entries: Vec<_> = now
                .iter()
                .filter_map(|m| self.table_entry(t, ty, m))
                .collect();
            if let Some(table) = self.rtypes.tables.get_mut(&ty) {
                table.methods.extend(entries);
                table.has_grown = true;
            }
        }
    }

    /// Has the method tables look for methods that types have got since they were made.
    pub(super) fn renew_tables(&mut self) {
        let types: Vec<(Ty, TypeId)> = self
            .rtypes
            .tables
            .iter()
            .map(|(ty, t)| (*ty, t.t))
            .collect();
        for (ty, t) in types {
            let all = self.ck.method_set(t);
            let Some(table) = self.rtypes.tables.get_mut(&ty) else {
                continue;
            };
            let name = |m: &MethodEntry| self.ck.obj(m.obj).name;
            let is_there = |m: &MethodEntry| {
                let name = name(m).as_str();
                table.methods.iter().any(|have| have.name == name)
            };
            table.rest = all.into_iter().filter(|m| !is_there(m)).collect();
            table.made_for = 0;
        }
        self.rtypes.tables_made_for = 0;
    }

    /// Takes the functions of the unit in the making out of the method tables.
    pub(super) fn forget_own_methods(&mut self) {
        for table in self.rtypes.tables.values_mut() {
            table.methods.retain(|m| !self.parts.is_own(m.func));
            table.has_grown = true;
        }
        self.renew_tables();
    }

    /// The method tables that have grown, for the unit.
    pub(super) fn method_tables(&mut self) -> Vec<(Ty, Vec<Method>)> {
        let mut tables = Vec::new();
        for (ty, table) in &mut self.rtypes.tables {
            if !std::mem::take(&mut table.has_grown) {
                continue;
            }
            let number = |m: &Method| Method {
                func: self.parts.function_number(m.func),
                ..*m
            };
            let mut methods: Vec<Method> = table.methods.iter().map(number).collect();
            methods.sort_by_key(|m| (m.name, m.pkg));
            tables.push((*ty, methods));
        }
        tables
    }

    /// The entry of the method table of `t` (run-time type `ty`) for one of its methods. A generic
    /// one has none: no interface has such methods, and reflection does not show them.
    fn table_entry(&mut self, t: TypeId, ty: Ty, m: &MethodEntry) -> Option<Method> {
        self.ck.ensure_decl(m.obj);
        let o = self.ck.obj(m.obj).clone();
        if self.ck.sig(o.ty).is_some_and(|s| !s.tparams.is_empty()) {
            return None;
        }
        let mtyp = self.rtype(o.ty);
        let func = self.data_word_method(t, ty, m);
        if self.rtypes.reflects_bodies(o.name) {
            self.need_part_methods(o.ty);
        }
        Some(Method {
            name: o.name.as_str(),
            pkg: if o.name.is_exported() {
                ""
            } else {
                self.pkg_path(o.pkg)
            },
            mtyp,
            func,
        })
    }

    /// Package fmt and reflection find methods of what lies inside values.
    fn need_part_methods(&mut self, t: TypeId) {
        let parts: Vec<TypeId> = match self.ck.under_type(t).clone() {
            Type::Pointer(e) | Type::Slice(e) | Type::Chan { elem: e, .. } => vec![e],
            Type::Array { elem, .. } => vec![elem],
            Type::Map { key, value } => vec![key, value],
            Type::Struct(s) => s.fields.iter().map(|f| self.ck.obj(*f).ty).collect(),
            Type::Signature(s) if self.rtypes.reflected != Reflected::Nothing => {
                let all = s.params.iter().chain(&s.results);
                all.map(|v| self.ck.obj(*v).ty).collect()
            }
            _ => Vec::new(),
        };
        if self.rtypes.reflected != Reflected::Nothing && self.ck.deref(t).is_none() {
            let pointer = self.ck.types.pointer(t);
            let ty = self.rtype(pointer);
            if self.rtypes.tables.contains_key(&ty) || !self.ck.method_set(pointer).is_empty() {
                self.need_methods(pointer, ty);
            }
        }
        for p in parts {
            let ty = self.rtype(p);
            self.need_methods(p, ty);
        }
    }

    /// The function that is method `m` of `t`, taking the data word of an interface as receiver.
    fn data_word_method(&mut self, t: TypeId, ty: Ty, m: &MethodEntry) -> u32 {
        let name = self.ck.obj(m.obj).name;
        if let Some(obj) = self.direct_method(t, m)
            && ty.is_direct()
        {
            let targs = self.recv_targs(t);
            return self.dormant_func(name, obj, targs);
        }
        let kind = if ty.is_direct() {
            wrapper::Recv::Plain
        } else {
            wrapper::Recv::DataWord
        };
        self.wrapper_of(t, m, Vec::new(), kind, true)
    }

    /// The declared method behind `m` if it takes exactly a `t` as receiver and needs no walk.
    pub(crate) fn direct_method(&mut self, t: TypeId, m: &MethodEntry) -> Option<ObjId> {
        if m.path.len() != 1 || self.ck.is_interface(t) {
            return None;
        }
        let by_ptr = self.ck.objs.func(m.obj)?.ptr_recv;
        (by_ptr == self.ck.deref(t).is_some()).then_some(m.obj)
    }

    /// Type arguments of the named type of a receiver.
    pub(crate) fn recv_targs(&self, t: TypeId) -> Vec<TypeId> {
        let t = self.ck.deref(t).unwrap_or(t);
        match self.ck.types.get(self.ck.unalias(t)) {
            Type::Named(n) => n.targs.clone(),
            _ => Vec::new(),
        }
    }

    /// As `func_of`, the body waiting until a method of that name is called through an interface.
    fn dormant_func(&mut self, name: Symbol, obj: ObjId, targs: Vec<TypeId>) -> u32 {
        let obj = self.ck.objs.func(obj).and_then(|f| f.origin).unwrap_or(obj);
        let tys = targs.iter().map(|t| self.rtype(*t)).collect();
        let key = FuncKey::Decl(obj, tys);
        if let Some(&i) = self.funcs.get(&key) {
            return i;
        }
        let index = self.reserve();
        self.funcs.insert(key, index);
        self.note_type_args(index, &targs);
        let env = self.type_env(obj, &targs);
        self.queue_method(name, index, Job::Decl(obj, env));
        index
    }

    /// The number of the first word of an interface of static type `iface` that holds a `t`.
    pub(crate) fn iface_word(&mut self, iface: TypeId, t: TypeId) -> u32 {
        let typ = self.rtype(t);
        self.need_methods(t, typ);
        let inter = self.rtype(iface);
        let has_methods = !inter.imethods.is_empty();
        if has_methods {
            self.extend_table(typ);
        }
        let inter = has_methods.then_some(inter);
        let number = self.parts.tab_number(Tab { inter, typ });
        self.note_given(In::Tab, number.into(), || Need::Tab(iface, t));
        number
    }
}

/// The run-time type of a predeclared type.
fn basic(b: Basic) -> Ty {
    use Basic as B;
    rtype::basic(match b {
        B::Bool | B::UntypedBool => Kind::Bool,
        B::Int | B::UntypedInt => Kind::Int,
        B::Int8 => Kind::Int8,
        B::Int16 => Kind::Int16,
        B::Int32 | B::UntypedRune => Kind::Int32,
        B::Int64 => Kind::Int64,
        B::Uint => Kind::Uint,
        B::Uint8 => Kind::Uint8,
        B::Uint16 => Kind::Uint16,
        B::Uint32 => Kind::Uint32,
        B::Uint64 => Kind::Uint64,
        B::Uintptr => Kind::Uintptr,
        B::Float32 => Kind::Float32,
        B::Float64 | B::UntypedFloat => Kind::Float64,
        B::Complex64 => Kind::Complex64,
        B::Complex128 | B::UntypedComplex => Kind::Complex128,
        B::String | B::UntypedString => Kind::String,
        B::UnsafePointer | B::UntypedNil => Kind::UnsafePointer,
        B::Invalid => Kind::Invalid,
    })
}
